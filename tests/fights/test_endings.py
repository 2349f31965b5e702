"""Fights that end before a side is down: retreats and a limit of rounds, beside enumeration."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.dice import BadInput
from kitchentable.fights import NoSuchPolicy, fight, forecast, named
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.lockstep import throw_rows
from kitchentable.fights.loop import throw_looping
from kitchentable.fights.named import choose_policies
from kitchentable.fights.throws import throw_each
from kitchentable.rules import Policy, Retreat
from tests.fights.games import SKIRMISH, battle
from tests.fights.people import People

SIDES = ("1/2/3/3 0/1/4/2", "2/1/3/2 2/1/3/2")
CHOSEN = {"ours": "first, retreat at first down", "theirs": "retreat at half"}
PLAYERS = {throw_each: 2_000, throw_rows: 20_000}


def ways_of(told):
    """The chance of each way in which a fight ends, as the enumeration names them."""
    ways = {**told.wins, **told.broken_off}
    return {way.partition(" after")[0]: chance for way, chance in ways.items() if chance}


def enumerated(fight):
    return People(SKIRMISH, fight, choose_policies(SKIRMISH, fight, CHOSEN))


@pytest.mark.parametrize("anew", [True, False])
def test_retreats_come_to_the_fractions_of_people(anew, monkeypatch):
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)
    fight = battle(*SIDES, anew=anew)
    told, people = forecast(SKIRMISH, fight, policy=CHOSEN), enumerated(fight)
    ends, rounds = people.solve()
    ways = Counter()
    for healths, chance in ends.items():
        ways[people.way(healths)] += chance
    assert ways_of(told) == dict(ways)
    assert (told.rounds, told.is_whole) == (rounds, True)
    assert {"ours retreat", "theirs retreat", "ours and theirs retreat"} <= set(ways)
    assert told.assumed == (
        "Ours go for the foe listed first; theirs go for the foe nearest to falling. Ours retreat "
        "once one of them is down, at the end of a round. Theirs retreat once half of their health "
        "is left or less, at the end of a round."
    )


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize("exact", [True, False])
def test_a_limit_of_rounds_comes_to_the_fractions_of_people(anew, exact, monkeypatch):
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6 if exact else 0)
    fight = replace(battle(*SIDES, anew=anew), rounds=3)
    told = forecast(SKIRMISH, fight, policy={"theirs": "retreat at half down"})
    true = People(
        SKIRMISH, fight, choose_policies(SKIRMISH, fight, {"theirs": "retreat at half down"})
    ).stopped(3)
    found = ways_of(told)
    assert set(found) == set(true) >= {"stopped", "theirs retreat"}
    for way, chance in true.items():
        assert abs(Fraction(found[way]) - chance) <= told.found.bound * chance
    assert told.is_whole
    assert told.lengths.later == 0
    assert told.assumed.endswith("The fight is stopped after 3 rounds.")


def test_a_fight_in_which_nobody_can_be_hurt_ends_by_its_limit():
    told = forecast(SKIRMISH, replace(battle("0/1/6/1", "0/1/6/1"), rounds=2))
    assert (dict(told.broken_off), told.rounds) == ({"stopped after 2 rounds": 1}, 2)


@pytest.mark.parametrize("player", PLAYERS)
def test_thrown_fights_end_as_the_solved_ones_do(player):
    n, fight = PLAYERS[player], replace(battle(*SIDES), rounds=3)
    people = enumerated(fight)
    exact = forecast(SKIRMISH, fight, policy=CHOSEN)
    laws = compile_battle(SKIRMISH, fight, choose_policies(SKIRMISH, fight, CHOSEN))
    tally = player(laws, n, 5)
    ups = Counter()
    for (healths, _), many in tally.ends.items():
        by_person = [h for left, kind in zip(healths, laws.kinds, strict=True)
                     for h in (*left, *[0] * (len(kind.names) - len(left)))]  # fmt: skip
        ups[people.way(by_person)] += many
    assert tally.undecided == 0
    for way, chance in ways_of(exact).items():
        assert abs(ups[way] - n * chance) < 5 * max(float(n * chance * (1 - chance)), 1.0) ** 0.5


def test_the_loop_keeps_to_a_limit_of_rounds():
    fight = replace(battle("0/1/5/3", "0/1/5/3"), rounds=4)
    laws = compile_battle(SKIRMISH, fight, choose_policies(SKIRMISH, fight, ""))
    tally = throw_looping(laws, 200, 3)
    assert (tally.undecided, sum(tally.ends.values())) == (0, 200)
    assert {number for _, number in tally.ends} <= {1, 2, 3, 4}


def test_retreats_and_limits_by_name_and_as_functions():
    asked = {"ours": "5/6/4/4", "theirs": "3x2/3/3/1"}
    two = Retreat("once two of them are left", lambda left, full: len(left) < 3)
    byname = fight("toast", "melee", policy={"theirs": "retreat at first down"}, **asked)
    weakest = Policy("the foe nearest to falling", lambda me, foe, health: health, retreat=two)
    assert fight("toast", "melee", policy={"theirs": weakest}, **asked).ways == byname.ways
    with pytest.raises(NoSuchPolicy, match="Did you mean retreat at half"):
        fight("toast", "melee", policy="retreat at hal", **asked)
    with pytest.raises(BadInput, match="1 to 1,000 rounds, not -1"):
        fight("toast", "melee", rounds=-1, **asked)
