"""The moment of a move: facts on cards, and dice hidden from players."""

import msgspec
import pytest

from kitchentable.rules import Actor, Entity, Table
from kitchentable.rules.kit.at import At
from kitchentable.rules.kit.rolls import ThrownNow
from tests.rules.kit.leaping import LEAPING, gift, leaps


def moment(**more):
    people = {
        name: Entity(name, name, "npc", "gm", {"skill": 2}, {}, **more) for name in ("one", "two")
    }
    return At(leaps, Table({}, entities=people), Actor("gm", "gm", "one"), writes=True)


def test_a_fact_on_a_card_may_be_called_like_a_part_of_the_card():
    at = moment()
    at.ask(gift, "gm", "A gift", "From whom?", of=at.me, title="Sir", text="Aye", move="left")
    (ask,) = at.asks
    assert (ask.title, ask.text, ask.move) == ("A gift", "From whom?", "gift")
    assert ask.preset == {"title": "Sir", "text": "Aye", "move": "left"}


@pytest.mark.parametrize(
    ("more", "both", "closed"),
    [
        ({"hidden": True}, False, ()),
        ({"hidden": True}, True, ("roll", "again")),
        ({"open": False}, False, ("roll", "again")),
    ],
)
def test_dice_of_somebody_hidden_are_closed_where_others_throw_too(more, both, closed):
    at = moment(**more)
    other = at.find("two") if both else at.me
    with pytest.raises(ThrownNow) as thrown:
        at.roll(LEAPING(1, 2), {"roll": at.me, "again": other})
    assert thrown.value.question.closed == closed


def test_a_move_may_close_dice_whose_numbers_the_gm_keeps():
    at = moment(open=True)
    with pytest.raises(ThrownNow) as thrown:
        at.roll(LEAPING(1, 2), {"roll": at.me}, closed=("again",))
    assert thrown.value.question.closed == ("again",)


def test_somebody_new_comes_with_an_id_of_their_own():
    at = moment()
    new = Entity("", "Three", "npc", "gm", {"skill": 1}, {"coins": 2}, hidden=True, line="New")
    at.create(new, 1)
    at.create(new, 2)
    first, second = at.result().changes
    assert (first.path, second.path) == (("entities", "npc-1-1"), ("entities", "npc-1-2"))
    assert first.now == {
        "name": "Three",
        "kind": "npc",
        "owner": "gm",
        "sheet": {"skill": 1},
        "state": {"coins": 2},
        "stage": "play",
        "hidden": True,
        "open": True,
        "line": "New",
    }


def test_a_card_says_who_acts_where_its_sides_do_not():
    at = moment()
    at.tell("A leap", "Lands.", name="Mara Vell")
    assert (at.result().card.name, at.result().card.entity) == ("Mara Vell", "one")


def test_cached_values_belong_to_one_table_and_are_never_sent():
    table = Table({})
    sent = msgspec.json.encode(table)
    assert table.once("name", lambda: "first") == table.once("name", lambda: "second") == "first"
    assert Table({}).once("name", lambda: "new") == "new"
    assert msgspec.json.encode(table) == sent
