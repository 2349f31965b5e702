"""The fight for forecasts: tests, the steps of status that they take, and the table's own fight."""

import pytest

from kitchentable.campaign.concealment import conceal
from kitchentable.dice import load
from kitchentable.rulesets.objects.fights import FIGHTS, Fighter, take_steps
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, thing

CHAIN = FIGHTS["chain"]


@pytest.mark.rule("objects.4-no-opposed", "objects.3-conflict-mod")
@pytest.mark.parametrize(
    ("faces", "modifier", "steps"),
    [
        ((2, 5), 0, 1),
        ((2, 2), 0, 2),
        ((2, 2), 3, 1),
        ((5, 5), 0, 0),
        ((1, 1), 9, 3),
        ((6, 6), 0, 0),
    ],
)
def test_a_success_takes_steps_from_the_foes_status(faces, modifier, steps):
    fell = load(take_steps, Fighter(4, 0), Fighter(0, modifier), faces=list(faces))
    assert fell.outcome == steps


@pytest.mark.rule("objects.2.5-status-zero")
def test_whoever_is_at_status_0_is_out():
    battle = CHAIN.start({}, ours="4/0/6", theirs="2x3/1/2")
    assert [CHAIN.after(one.numbers, one.health, 2) for one in battle.combatants] == [4, 0, 0]
    assert [one.numbers for one in battle.combatants] == [(4, 0), (3, 1), (3, 1)]


def test_the_fight_at_the_table_is_told_from_what_one_may_know():
    one = evening()
    vell = thing(one, "ana", talents={"agile": 2, "dangerous": 5})
    wyrm = thing(one, "gm", "creature", "Wyrm", {"spits fire": 6}, open=False)
    one.move(GM, "fight", who=[vell, wyrm])
    one.move(GM, "status", wyrm, status="3", cause="an arrow")
    battle = CHAIN.standing(one.table)
    told = [(o.name, o.side, o.numbers, o.health) for o in battle.combatants]
    assert told == [("Ana", "players", (5, 0), 6), ("Wyrm", "others", (6, 0), 3)]
    assert CHAIN.standing(conceal(one.campaign, one.game, one.table.seats["ana"])) is None
    one.move(GM, "status", wyrm, status="0", cause="another")
    assert CHAIN.standing(one.table) is None
