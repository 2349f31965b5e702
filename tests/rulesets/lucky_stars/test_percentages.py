"""The D100, trackers, and dice other than decision dice."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.throws import as_chance
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, fields, foe, hero, lines, total

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening(settings={"gm_confirms": "each"})


@pytest.fixture
def ana(table):
    return hero(table, "ana")


def d100(table, ana, face, **gm):
    return table.roll("ana", "d100", ana, (face,), what="Is it the last arrow?", gm=gm)


@rule("stars.5.2-d100-when")
@pytest.mark.parametrize(
    ("face", "reading", "outcome"),
    [(30, "low", "yes"), (31, "low", "no"), (30, "high", "yes"), (29, "high", "no")],
)
def test_the_gm_sets_the_threshold_and_the_log_keeps_it(table, ana, face, reading, outcome):
    card = d100(table, ana, face, threshold=30, reading=reading)
    assert card["outcome"] == outcome
    side = "or below" if reading == "low" else "or above"
    assert lines(card) == ["Is it the last arrow?", f"Threshold 30 {side}."]
    share = Fraction(3, 10) if reading == "low" else Fraction(71, 100)
    assert as_chance(table.last.throw.odds["hit"]) == share


@rule("stars.5.2-d100-when")
def test_the_gm_may_read_it_without_a_threshold(table, ana):
    card = d100(table, ana, 77, reading="gm")
    assert (card["outcome"], card["sentence"]) == ("", "The GM reads it.")
    assert table.last.throw.odds == {}


def test_a_hidden_threshold_stays_the_gms(table, ana):
    roll = table.propose("ana", "d100", ana, what="Does it hold?")
    table.do(GM, c.Settle, proposal=roll, answers={"threshold": 37}, hidden=("threshold",))
    table.do("ana", c.Throw, (37,), proposal=roll)
    assert lines(table.card, "all") == ["Does it hold?"]
    assert table.last.throw.odds_audience == "gm"


@rule("stars.5.2-d100-range")
@pytest.mark.parametrize("face", [1, 100])
def test_both_ends_can_fall(table, ana, face):
    assert total(d100(table, ana, face, threshold=50)) == face
    assert len(table.last.throw.trace) == 1


@rule("stars.5.2-d100-when")
def test_a_percentage_is_kept_with_a_label_of_its_own(table, ana):
    table.move("ana", "track", ana, (), name="Arrows", kind="percent", value=80)
    table.move("ana", "track", ana, (), tracker="arrows", value=65, why="A volley")
    assert (table.card["sentence"], lines(table.card)) == ("80 % to 65 %.", ["A volley"])
    (track,) = table.game.sheet.summary(table.table, table.entity(ana)).tracks
    assert (track.label, track.words, track.value) == ("Arrows", "Arrows: 65 %", 6)
    value = fields(table, "track", ana, tracker="arrows")["value"]
    assert (value.low, value.high) == (0, 100)
    table.move("ana", "track", ana, (), tracker="arrows", value=65, drop=True)
    assert table.entity(ana).state["trackers"] == {}


def test_trackers_of_one_name_are_kept_apart(table, ana):
    for value in (3, 4):
        table.move("ana", "track", ana, (), name="Marks", kind="count", value=value)
    kept = table.entity(ana).state["trackers"]
    assert {key: one["value"] for key, one in kept.items()} == {"marks": 3, "marks-2": 4}


@rule("stars.2-explode-only-decision")
def test_damage_does_not_explode(table, ana):
    table.move("ana", "other_dice", ana, (6, 6), count=2, sides=6, plus=1, what="Sling")
    assert total(table.card) == 13
    assert [die["fate"] for die in table.last.throw.trace] == ["kept", "kept"]


def test_the_gms_closed_people_throw_behind_the_screen(table):
    serk = foe(table)
    table.move(GM, "other_dice", serk, (3,))
    assert (table.last.throw.closed, table.card["sides"][0]["audience"]) == (("dice",), "gm")
    table.move(GM, "track", serk, (), name="Patience", kind="count", value=2)
    assert table.last.audience == "gm"
