"""Contests at a table: two sides, one scale, ties thrown again."""

from fractions import Fraction

import pytest

from kitchentable.campaign.throws import as_chance
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, fields, foe, hero, lines, total

rule = pytest.mark.rule
FOR = {"name": "high ground"}
AGAINST = {"name": "rain", "worth": "against-1"}


@pytest.fixture
def table():
    return evening(settings={"gm_confirms": "each"})


@pytest.fixture
def both(table):
    return hero(table, "ana", strength=1), hero(table, "ben")


def contest(table, both, faces, theirs=None, gm=None, **answers):
    ana, ben = both
    return table.roll(
        "ana",
        "contest",
        ana,
        faces,
        theirs={"other_stat": "strength", **(theirs or {})},
        gm=gm or {},
        other=ben,
        **{"stat": "strength", **answers},
    )


@rule("stars.4.1-contest")
def test_the_higher_total_wins_and_there_is_no_target(table, both):
    card = contest(table, both, (5, 4, 6, 2, 1))
    assert [total(card, side) for side in (0, 1)] == [10, 9]
    assert (card["outcome"], card["sentence"]) == ("wins", "Ana wins.")
    assert "target" not in fields(table, "contest", both[0], other=both[1])


@rule("stars.4.2-tie-contest")
def test_a_tie_is_thrown_again_and_the_log_shows_every_pair(table, both):
    card = contest(table, both, (5, 4, 4, 5, 3, 4, 4, 3, 5, 3, 4, 2), stat="none")
    assert [total(card, side) for side in (0, 1)] == [8, 6]
    assert "Thrown again after 9 to 9, then 7 to 7." in lines(card)
    assert len(table.last.throw.trace) == 12
    assert "stars.4.2-tie-contest" in card["rules"]


@rule("stars.4.2-tie-contest", "stars.2-explode-only-decision")
def test_luck_stays_through_a_tie(table, both):
    card = contest(table, both, (3, 2, 3, 4, 4, 1, 1, 2, 2), stat="none", extra=["Luck"])
    assert [total(card, side) for side in (0, 1)] == [5, 4]


@rule("stars.3.3-shared-scale")
@pytest.mark.parametrize(
    ("ours", "theirs", "faces", "totals", "said"),
    [
        ([FOR, FOR], [FOR], (2, 3, 4, 2), [8, 6], "Minor Advantage for Ana."),
        ([FOR], [FOR], (2, 3, 4, 2), [5, 6], "Neutral for both."),
        ([FOR] * 4, [FOR], (2, 3, 1, 4, 3), [6, 7], "Major Advantage for Ana."),
        ([FOR], [AGAINST], (2, 3, 1, 4, 3), [6, 7], "Major Advantage for Ana."),
        ([AGAINST], [], (2, 3, 4, 2), [5, 9], "Minor Advantage for Ben."),
    ],
)
def test_both_share_one_scale(table, both, ours, theirs, faces, totals, said):
    card = contest(
        table,
        both,
        faces,
        {"other_factors": theirs, "other_stat": "none"},
        factors=ours,
        stat="none",
    )
    assert [total(card, side) for side in (0, 1)] == totals
    assert said in lines(card)


@rule("stars.3.3-no-dis")
def test_disadvantage_is_the_gms_to_give_where_the_table_allows_it(table, both):
    assert "first_level" not in fields(table, "contest", both[0], other=both[1])
    allowed = evening(settings={"gm_confirms": "each"}, contest_disadvantage=True)
    sides = hero(allowed, "ana"), hero(allowed, "ben")
    card = contest(allowed, sides, (5, 2, 2), gm={"first_level": "-2"}, factors=[FOR])
    assert [total(card, side) for side in (0, 1)] == [5, 4]
    assert lines(card)[-1].startswith("Major Disadvantage for Ana, by the GM's ruling")


@rule("stars.3.2-gm-decides")
def test_the_gm_sets_the_shared_scale(table, both):
    card = contest(table, both, (2, 3, 4, 2), gm={"level": "-1"}, stat="none", factors=[FOR])
    assert [total(card, side) for side in (0, 1)] == [5, 9]
    said = "Minor Advantage for Ben, by the GM's ruling; the count says Minor Advantage for Ana."
    assert said in lines(card)


def test_the_odds_of_a_contest(table, both):
    contest(table, both, (5, 4, 3, 2), stat="none")
    half = as_chance(table.last.throw.odds["first"])
    assert abs(half - Fraction(1, 2)) < Fraction(1, 10**18)
    assert "a tie is thrown again" in table.last.data["odds_sentence"]


def test_what_speaks_for_either_is_pointed_out_around_the_table(table, both):
    ana, ben = both
    for about, text in ((ana, "sun"), (ben, "wind"), (ben, "tide")):
        table.move(GM, "announce", "", (), about=about, text=text, kind="for")
    card = contest(table, both, (2, 3, 4, 2), stat="none", theirs={"other_stat": "none"})
    assert [total(card, side) for side in (0, 1)] == [5, 9]
    assert table.table.own["announced"] == {}


@rule("stars.4.2-tie-contest")
def test_of_three_the_highest_has_it(table, both):
    serk = foe(table, name="Serk", strength=1)
    who = [*both, serk]
    faces = (4, 4, 2, 1, 4, 4, 1, 1, 5, 5)
    stats = {f"stat__{one}": "strength" for one in who}
    table.move(GM, "contest_of_many", "", faces, who=who, **stats)
    assert table.card["sentence"] == "Serk wins."
    assert [total(table.card, side) for side in range(3)] == [3, 3, 11]
    assert table.last.throw.closed == (serk,)


@pytest.mark.rule("stars.4.2-tie-contest", "stars.3.2-table-announces")
def test_in_a_contest_of_three_modifiers_dice_and_what_was_pointed_out_count(table, both):
    cleo = foe(table, name="Cleo", strength=1, open=True)
    who = [*both, cleo]
    for text, more in (("stands above", {}), ("old rope", {"kind": "modifier", "value": "-2"})):
        table.move("ben", "announce", "", about=both[0], text=text, **more)
    stats = {f"stat.{one}": "strength" for one in who}
    said = list(table.table.own["announced"])
    brings = {f"plus.{both[1]}": 1, f"extra.{cleo}": ["Luck"], "announced": said}
    # Luck falls first and stays; Ana 3 + 1 - 2 + 3 and Cleo 2 + 1 + 2 tie, and throw again.
    faces = (2, 2, 1, 1, 1, 1, 1, 2, 2, 1, 1)
    table.move(GM, "contest_of_many", "", faces, who=who, **stats, **brings)
    card = table.card
    assert [total(card, side) for side in range(3)] == [6, 3, 5]
    assert ["old rope (penalty)", -2] in card["sides"][0]["parts"]
    assert ["modifier (bonus)", 1] in card["sides"][1]["parts"]
    assert "Minor Advantage" in lines(card)[0]
    assert not table.table.own.get("announced")


LEVELS = {2: "Major Advantage", 1: "Minor Advantage", 0: "Neutral", -1: "Minor Disadvantage"}
MANY = ("stars.3.3-shared-scale", "stars.3.3-no-dis")


def of_three(one, *nets):
    """Three people without a stat, with this many steps pointed out for or against each."""
    who = [hero(one, "ana"), hero(one, "ben"), foe(one, name="Cleo", open=True)]
    for about, net in zip(who, nets, strict=True):
        for _ in range(abs(net)):
            kind = "for" if net > 0 else "against"
            one.move("ben", "announce", "", about=about, text="mud", kind=kind)
    return who


def without_stats(who):
    return {f"stat.{one}": "none" for one in who}


def levels_of(one):
    (said,) = [line for line in lines(one.card) if line.startswith("Stats: ")]
    return said.removeprefix("Stats: ").rstrip(".").replace("Decision roll, ", "").split(", ")


@rule(*MANY)
@pytest.mark.parametrize(
    ("nets", "levels", "faces", "totals"),
    [
        ((-1, 0, 0), (0, 1, 1), (2, 2, 2, 2, 2, 3), [4, 7, 8]),
        ((1, 0, -1), (2, 1, 0), (2, 2, 2, 2, 2, 2, 3), [6, 7, 5]),
        ((-2, -3, -3), (1, 0, 0), (2, 2, 2, 2, 2, 3), [7, 4, 5]),
        ((4, 3, 0), (2, 2, 0), (2, 2, 2, 2, 2, 3, 2, 2), [6, 7, 4]),
        ((1, 1, 1), (0, 0, 0), (2, 2, 2, 2, 2, 3), [4, 4, 5]),
    ],
)
def test_three_share_a_scale_without_a_disadvantage(nets, levels, faces, totals):
    one = evening()
    who = of_three(one, *nets)
    one.move(GM, "contest_of_many", "", faces, who=who, **without_stats(who))
    assert levels_of(one) == [LEVELS[level] for level in levels]
    assert [total(one.card, side) for side in range(3)] == totals


@rule(*MANY)
def test_the_gm_puts_none_of_three_at_a_disadvantage_unless_the_table_allows_it():
    for allowed in (False, True):
        one = evening(contest_disadvantage=allowed)
        who = of_three(one, -1, 0, 0)
        asked = one.named("contest_of_many").fields(one.table, one.actor(GM), {"who": who})
        asked = {field.name: field for field in asked}
        choices = [choice.value for choice in asked[f"level.{who[0]}"].choices]
        assert choices == ["", "2", "1", "0", *["-1", "-2"] * allowed]
        counted = [asked[f"level.{ident}"].help for ident in who]
        steps = (-1, 0, 0) if allowed else (0, 1, 1)
        assert counted == [f"Counted: {LEVELS[step]}." for step in steps]
        ruling = {f"level.{who[1]}": "-1", **without_stats(who)}
        if not allowed:
            with pytest.raises(BadAnswers):
                one.move(GM, "contest_of_many", "", who=who, **ruling)
            continue
        one.move(GM, "contest_of_many", "", (2, 2, 2, 2, 2, 3), who=who, **ruling)
        assert [total(one.card, side) for side in range(3)] == [1, 1, 5]


def test_it_takes_three_and_two_are_an_ordinary_contest(table, both):
    assert "three" in table.why_not(GM, "contest_of_many")
    alone = evening(("ana",))
    assert "There is nobody" in alone.why_not("ana", "contest", hero(alone, "ana"))


@rule("stars.2-decision-dice", "stars.4.1-contest")
def test_the_dice_that_the_gm_sets_count_in_a_contest_of_three_too():
    one = evening(gm_sets_dice=True)
    who = of_three(one, 0, 0, 0)
    one.move(GM, "contest_of_many", "", (2, 3, 4), who=who, dice=1, **without_stats(who))
    assert [total(one.card, side) for side in range(3)] == [2, 3, 4]
