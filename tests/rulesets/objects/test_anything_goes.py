"""Long evenings of Objects in which people do anything at all: nothing breaks, and the rules hold.

After each step karma has not grown but by criticals.
"""

import pytest

from kitchentable.campaign import commands as c
from tests.rulesets.anything import Anything
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, thing

STEPS = 100


def set_up(seed):
    one = evening(
        ("ana", "ben"),
        karma_reroll=bool(seed % 2),
        karma_gm=seed % 3 == 1,
        modifier_detail=("number", "aspects")[seed % 2],
        karma_start=seed % 4,
    )
    mara = thing(one, "ana", name="Mara", talents={"agile": 3, "sails": 4, "swims": 0})
    ship = thing(one, "ben", "vehicle", "The Heron", {"fast": 5, "captain": (4, mara), "old": 2})
    umbra = thing(one, name="Umbra", kind="creature", talents={"waits": 6}, hidden=True)
    thing(one, name="The house", kind="place", talents={"hums": 4, "holds": (1, ship)})
    one.do(GM, c.Override, path=("entities", mara, "state", "karma"), now=5, reason="A gift.")
    rows = [*one.entity(ship).sheet["talents"], {"name": "odd", "level": 1, "object": umbra}]
    path = ("entities", ship, "sheet", "talents")
    one.do(GM, c.Override, path=path, now=rows, reason="It came aboard at night.")
    return one


def somebody_new(rng, one, share):
    """There is always something left to play with."""
    if len(list(one.table.in_play())) < 3:
        thing(one, rng.choice(("ana", "ben")), "idea", "Another", {"comes": 3}, karma=2)


def karma_of_all(table):
    return sum(entity.state.get("karma", 0) for entity in table.entities.values())


def keeps_the_rules(one, before):
    card = one.last.data.get("card") or {}
    earned = str(card.get("outcome")).startswith("critical") and one.last.throw is not None
    assert karma_of_all(one.table) <= karma_of_all(before.table) + earned
    for entity in one.table.entities.values():
        assert entity.state["karma"] >= 0
        assert entity.stage != "gone" or entity.state["karma"] == 0
        assert 0 <= entity.state["status"] <= 6
        assert all(0 <= row["level"] <= 6 for row in entity.sheet["talents"])
        assert all(row["object"] != entity.id for row in entity.sheet["talents"])
    fight = one.table.fight
    assert fight is None or all(one.entity(who).stage == "play" for who in fight["order"])


STRANGERS = Anything(
    set_up,
    keeps_the_rules,
    (GM, "ana", "ben"),
    seldom=frozenset({"death", "split", "merge"}),
    meanwhile=somebody_new,
)


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_anything(seed):
    STRANGERS.play(seed, STEPS, look_every=8)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 112))
def test_long_evenings_of_anything(seed):
    STRANGERS.play(seed, 4 * STEPS, look_every=1)
