"""The fight for forecasts: contests, the supply die of whoever loses, and the table's own fight."""

import pytest

from kitchentable.campaign.concealment import conceal
from kitchentable.dice import load
from kitchentable.rulesets.lucky_stars.fights import FIGHTS, beat, hold_out
from kitchentable.rulesets.lucky_stars.mechanics import Party
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, foe, hero, stock, thing

rule = pytest.mark.rule
STRUGGLE = FIGHTS["struggle"]
ONE, OTHER = Party(2, 1), Party(2, 0)


@rule("stars.4.1-contest", "stars.4.2-tie-contest")
def test_an_action_is_a_contest_and_a_tie_is_thrown_again():
    assert load(beat, ONE, OTHER, faces=[5, 4, 6, 2, 1]).outcome
    assert not load(beat, ONE, OTHER, faces=[3, 3, 4, 3, 1, 1, 2, 2]).outcome


@rule("stars.5.1-supply-roll", "stars.5.1-supply-lower", "stars.5.1-supply-empty")
@pytest.mark.parametrize(
    ("left", "face", "after"), [(5, 3, 4), (5, 4, 5), (2, 3, 1), (1, 1, 0), (7, 12, 7)]
)
def test_the_loser_rolls_the_supply_die(left, face, after):
    """Five steps are a D12, two a D6, one a D4."""
    assert load(hold_out, OTHER, left, True, faces=[face]).outcome == after


def test_the_winner_rolls_nothing():
    assert load(hold_out, OTHER, 3, False, faces=[]).outcome == 3


@rule("stars.5.1-supply-conditions")
def test_the_fight_at_the_table_is_told_from_what_one_may_know():
    one = evening()
    ana = hero(one, "ana", thing("Rope", "8"), strength=2, will=-1)
    ben, serk = hero(one, "ben", thing("Torches", "0")), foe(one, name="Serk", will=3)
    one.move("ana", "track", ana, (), name="Hope", kind="die", size="10")
    one.move(GM, "fight", who=[ana, ben, serk])
    assert STRUGGLE.standing(one.table) is None
    one.move(GM, "track", serk, (), name="Patience", kind="die", size="6")
    battle = STRUGGLE.standing(one.table)
    told = [(o.name, o.side, o.numbers, o.health) for o in battle.combatants]
    assert told == [("Ana", "players", Party(2, 2), 4), ("Serk", "others", Party(2, 3), 2)]
    seen = conceal(one.campaign, one.game, one.table.seats["ana"])
    assert STRUGGLE.standing(seen) is None
    one.move(GM, "turn", who=ana, out=[serk])
    assert STRUGGLE.standing(one.table) is None


def test_a_stock_fights_nobody():
    one = evening()
    ana, barge = hero(one, "ana", thing("Rope", "8")), stock(one, thing("Oil", "8"))
    one.move(GM, "fight", who=[ana, barge])
    assert STRUGGLE.standing(one.table) is None
