"""Objects that are part of others, break up and join, and where their karma goes."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers
from kitchentable.rulesets.objects.thing import Thing
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, rolled, thing

rule = pytest.mark.rule


@pytest.fixture
def one():
    return evening()


def karma(one, ident):
    return one.entity(ident).state["karma"]


def named(one, name):
    return next(e.id for e in reversed(one.table.entities.values()) if e.name == name)


def lines(one):
    return [line["text"] for line in one.card["lines"]]


def heron(one, **more):
    """Mara, who is Ana's, and Ben's ship, whose pilot she is."""
    mara = thing(one, "ana", name="Mara", talents={"agile": 3})
    pilot = {"steered by Captain Mara": (4, mara), "hard to see": 3}
    return mara, thing(one, "ben", "vehicle", "The Heron", pilot, **more)


@rule("objects.2.3-crew-as-talent")
def test_the_pilot_is_a_talent_of_the_ship_and_the_ships_player_rolls_it(one):
    mara, ship = heron(one)
    card = rolled(one, ship, "steered by Captain Mara", (3, 5))
    assert (card["outcome"], one.last.data["entity"]) == ("marginal", ship)
    assert "Fairly steered by Captain Mara (4)." in lines(one)
    with pytest.raises(NotAllowed):
        one.propose("ana", "test", ship, stakes="?", talent="steered by Captain Mara")
    rolled(one, mara, "Agile", (2, 5))
    assert one.entity(mara).sheet["basic"]["agile"] == 3


@rule("objects.2.3-crew-as-talent")
def test_what_is_part_of_what_can_be_seen_and_followed_both_ways(one):
    mara, ship = heron(one)
    fleet = thing(one, "gm", "group", "The fleet", {"flagship": (5, ship)}, open=True)
    summaries = {e.id: one.game.sheet.summary(one.table, e) for e in one.table.in_play()}
    up = [(tag.text, tag.leads_to) for tag in summaries[mara].tags]
    assert up == [("Part of The Heron", ship)]
    assert [(t.text, t.leads_to) for t in summaries[ship].tags] == [
        ("Part of The fleet", fleet),
        ("With Mara", mara),
    ]
    down = {n.key: n.leads_to for n in summaries[ship].numbers}
    assert down["steered by Captain Mara"] == mara
    assert down["hard to see"] == ""


def test_rings_of_objects_do_no_harm(one):
    mara, ship = heron(one)
    one.move(GM, "learn", mara, name="owns a ship", level=3, object=ship, reason="She won it.")
    assert [e.id for e in Thing(one.table, one.entity(mara)).wholes] == [ship]
    assert [e.id for e in Thing(one.table, one.entity(ship)).wholes] == [mara]
    assert [e.id for e in Thing(one.table, one.entity(mara)).aboard] == [ship]
    assert one.game.sheet.summary(one.table, one.entity(mara)).tags[0].leads_to == ship


def test_an_object_cannot_be_a_talent_of_its_own(one):
    mara, _ = heron(one)
    fields = one.named("learn").fields(one.table, one.actor(GM, mara), {})
    (linked,) = (field for field in fields if field.name == "object")
    assert mara not in {choice.value for choice in linked.choices}


@rule("objects.3.k-split")
def test_breaking_up_shares_karma_and_loses_the_rest(one):
    mara, ship = heron(one, karma=3)
    parts = [{"name": "The hull", "kind": "thing", "karma": 0}]
    told = {"told": "The keel breaks.", "parts": parts, f"karma.{mara}": 2, "heir.0": "0"}
    one.move(GM, "split", ship, **told)
    hull = named(one, "The hull")
    assert (karma(one, mara), karma(one, hull), karma(one, ship)) == (2, 0, 0)
    assert one.entity(ship).stage == "gone"
    assert (one.entity(hull).owner, one.entity(hull).stage) == ("ben", "play")
    rows = [{"name": "hard to see", "level": 3, "object": ""}]
    assert one.entity(hull).sheet["talents"] == rows
    assert "What is left: The hull and Mara." in lines(one)
    assert "Mara: 2 karma." in lines(one)
    assert "1 karma lost." in lines(one)
    rolled(one, hull, "hard to see", (2, 5))
    assert one.game.sheet.check(one.table, one.entity(hull), "play") == ()


@rule("objects.3.k-split")
def test_breaking_up_never_makes_karma(one):
    mara, ship = heron(one, karma=3)
    parts = [{"name": "The hull", "kind": "thing", "karma": 2}]
    told = {"told": "Crack.", "parts": parts, f"karma.{mara}": 2}
    with pytest.raises(BadAnswers, match="has 3 karma; 4 cannot come of it"):
        one.move(GM, "split", ship, **told)
    with pytest.raises(BadAnswers, match="goes from 0 to 3"):
        one.move(GM, "split", ship, told="Crack.", **{f"karma.{mara}": -1})
    assert (karma(one, ship), one.entity(ship).stage) == (3, "play")


def test_something_of_the_whole_may_stay(one):
    mara, ship = heron(one, karma=3)
    told = {"told": "She goes ashore.", "stays": True, "keeps": 1, f"karma.{mara}": 1}
    one.move(GM, "split", ship, **told)
    assert (karma(one, mara), karma(one, ship), one.entity(ship).stage) == (1, 1, "play")
    assert [row["name"] for row in one.entity(ship).sheet["talents"]] == ["hard to see"]
    assert list(Thing(one.table, one.entity(mara)).wholes) == []


def test_what_falls_apart_falls_into_something(one):
    stone = thing(one, "ana", "thing", "Stone")
    with pytest.raises(BadAnswers, match="Name at least one object"):
        one.move(GM, "split", stone, told="Nothing comes of it.")
    with pytest.raises(NotAllowed):
        one.move("ana", "split", stone, told="I want two.", parts=[{"name": "A"}])


@rule("objects.3.k-merge")
def test_joining_asks_how_much_karma_goes_over(one):
    _, ship = heron(one)
    band = thing(one, "ana", "group", "The band", karma=3)
    with pytest.raises(BadAnswers, match="goes from 0 to 3"):
        one.move(GM, "merge", band, into=ship, karma=4)
    one.move(GM, "merge", band, into=ship, level=3, karma=2, told="They sign on.")
    assert (karma(one, ship), karma(one, band), one.entity(band).stage) == (2, 0, "gone")
    row = one.entity(ship).sheet["talents"][-1]
    assert row == {"name": "The band", "level": 3, "object": ""}
    assert "2 karma go over, 1 are lost." in lines(one)
    rolled(one, ship, "The band", (2, 5))


@rule("objects.3.k-merge")
def test_what_stays_an_object_inside_keeps_what_does_not_go_over(one):
    _, ship = heron(one)
    tam = thing(one, "ana", name="Tam", karma=3)
    one.move(GM, "merge", tam, into=ship, level=4, karma=1, stays=True)
    assert (karma(one, ship), karma(one, tam), one.entity(tam).stage) == (1, 2, "play")
    assert [e.name for e in Thing(one.table, one.entity(ship)).aboard] == ["Mara", "Tam"]
    one.move(GM, "merge", tam, into=ship, level=5, stays=True)
    assert [r["level"] for r in one.entity(ship).sheet["talents"]] == [4, 3, 5]


@rule("objects.3.k-merge", "objects.2.3-gt-agree")
def test_what_the_gm_joins_is_agreed_to(one):
    _, ship = heron(one)
    tam = thing(one, "ana", name="Tam")
    path = ("entities", ship, "state", "talents", "Tam")
    doubt = {"verdict": "not yet", "word": "Who is that?"}
    one.do(GM, c.Override, path=path, now=doubt, reason="for the test")
    one.move(GM, "merge", tam, into=ship, level=4)
    rolled(one, ship, "Tam", (2, 5))
    assert one.card["title"] == "Tam"


# ---------------------------------------------------------------- the limit of karma


@rule("objects.3.k-start", "objects.3.k-merge")
@pytest.mark.parametrize(
    ("has", "over", "goes", "left"), [(0, 2, 2, 1), (1, 2, 1, 2), (2, 2, 0, 3), (2, 0, 0, 3)]
)
@pytest.mark.parametrize("stays", [True, False])
def test_joining_stops_at_the_limit_of_karma(has, over, goes, left, stays):
    one = evening(karma_cap=2)
    _, ship = heron(one, karma=has)
    tam = thing(one, "ana", name="Tam", karma=3)
    one.move(GM, "merge", tam, into=ship, level=4, karma=over, stays=stays)
    assert (karma(one, ship), karma(one, tam)) == (has + goes, left if stays else 0)
    assert lines(one) == [f"{goes} karma go over, {left} {'stay' if stays else 'are lost'}."]


@rule("objects.3.k-start", "objects.3.k-split")
def test_breaking_up_stops_at_the_limit_of_karma():
    one = evening(karma_cap=2)
    mara, ship = heron(one, karma=9)
    one.do(GM, c.Override, path=("entities", mara, "state", "karma"), now=1, reason="So it is.")
    parts = [{"name": "The hull", "kind": "thing", "karma": 3}]
    told = {"told": "The keel breaks.", "parts": parts, f"karma.{mara}": 2}
    one.move(GM, "split", ship, **told, stays=True, keeps=3)
    hull = named(one, "The hull")
    assert (karma(one, mara), karma(one, hull), karma(one, ship)) == (2, 2, 3)
    for told in ("Mara: 1 karma.", "The hull: 2 karma.", "3 karma lost."):
        assert told in lines(one)


@rule("objects.3.k-start", "objects.3.k-split", "objects.3.k-merge")
def test_who_is_above_a_new_limit_keeps_it_and_gets_no_more():
    one = evening()
    mara, ship = heron(one, karma=3)
    one.do(GM, c.Override, path=("entities", mara, "state", "karma"), now=4, reason="So it is.")
    one.do(GM, c.SetOptions, options={"karma_cap": 2})
    parts = [{"name": "The hull", "kind": "thing"}]
    told = {"told": "The keel breaks.", "parts": parts, f"karma.{mara}": 1}
    one.move(GM, "split", ship, **told)
    assert (karma(one, mara), karma(one, named(one, "The hull"))) == (4, 0)
    assert "3 karma lost." in lines(one)


def test_there_is_something_to_join_or_the_move_says_so():
    one = evening()
    alone = thing(one, "ana")
    assert one.why_not(GM, "merge", alone) == "There is nothing that it could join."
