"""What a side does: defending when hurt, and targets by what somebody remembers."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.dice import mechanic
from kitchentable.fights import NoSuchPolicy, forecast, named
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.lockstep import throw_rows
from kitchentable.fights.named import choose_policies
from kitchentable.fights.throws import throw_each
from kitchentable.rules import Points, Policy
from tests.fights.games import SKIRMISH, battle
from tests.fights.people import People

GUARDED = replace(SKIRMISH, guard=lambda numbers: (*numbers[:2], numbers[2] + 1))


@mechanic
def in_order(dice, mine):
    return mine[0]


@mechanic
def sure_hit(dice, mine, theirs):
    return mine[1]


#: A game without chance, in which the first number decides the order and every attack hits.
CHESS = replace(SKIRMISH, turn=in_order, act=sure_hit)


def ends(player, policy, ours, theirs):
    """The only end of a fight without chance: everybody's health, and the rounds."""
    fight = battle(ours, theirs)
    laws = compile_battle(CHESS, fight, choose_policies(CHESS, fight, policy))
    tally = player(laws, 3, 1)
    [((healths, rounds), many)] = tally.ends.items()
    assert many == 3
    return healths, rounds


@pytest.mark.parametrize("player", [throw_each, throw_rows])
def test_targets_are_chosen_by_what_is_remembered(player):
    two = ("4/1/0/3 3/1/0/3", "2/1/0/2 1/1/0/2")
    assert ends(player, "weakest", *two) == (((2,), (3,), (), ()), 2)
    assert ends(player, "spread", *two) == (((2,), (2,), (), ()), 2)
    two = ("4/1/0/3 3/1/0/3", "2/1/0/3 1/1/0/3")
    assert ends(player, "weakest", *two) == (((), (2,), (), ()), 4)
    assert ends(player, {"theirs": "whoever hit me"}, *two) == (((2,), (), (), ()), 4)
    # One's own: those attacked most, as long as they stand.
    pile_on = Policy("the foe attacked most", lambda me, foe, health: foe[0],
                     recall=lambda hurt, attacked: -attacked)  # fmt: skip
    assert ends(player, {"ours": pile_on}, *two) == (((), (2,), (), ()), 4)


def test_fights_with_a_memory_are_counted_and_say_so():
    told = forecast(
        SKIRMISH, battle("1/2/3/3", "2/1/3/2 2/1/3/2"), policy="spread, retreat at half"
    )
    assert told.found.how == "thrown"
    assert "the foe attacked least often in the round" in told.assumed
    assert told.is_whole


@pytest.mark.slow
@pytest.mark.parametrize("sides", [("1/2/3/3", "0/1/4/2"), ("1/2/3/3 1/2/3/3", "2/1/3/2")])
def test_defending_when_hurt_comes_to_the_fractions_of_people(sides, monkeypatch):
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)
    fight = battle(*sides)
    chosen = choose_policies(GUARDED, fight, {"ours": "strongest, defend when hurt"})
    told, people = forecast(GUARDED, fight, policy=chosen), People(GUARDED, fight, chosen)
    by_person, rounds = people.solve()
    wins = dict.fromkeys(fight.sides, Fraction(0))
    for healths, chance in by_person.items():
        wins[people.winner(healths)] += chance
    assert (dict(told.wins), told.rounds) == (wins, rounds)
    assert (
        "Fighters of ours only defend while half of their own health is left or less."
        in told.assumed
    )
    laws = compile_battle(GUARDED, fight, chosen)
    for player, n in ((throw_each, 2_000), (throw_rows, 20_000)):
        won = sum(m for (h, _), m in player(laws, n, 5).ends.items() if any(h[:-1]))
        assert abs(won - n * wins["ours"]) < 5 * (n * wins["ours"] * wins["theirs"]) ** 0.5


@mechanic
def strike_by_both(dice, mine, health, theirs, their_health):
    """The same, with both healths as the outcome."""
    return health, max(0, their_health - mine[1] * (dice.die(6) > theirs[2]))


def test_defending_counts_where_an_action_tells_both_healths():
    fight, policy = battle("1/2/3/3", "0/1/4/2"), {"ours": "defend when hurt"}
    both = replace(GUARDED, clash=strike_by_both)
    told, true = (forecast(one, fight, policy=policy) for one in (both, GUARDED))
    assert (dict(told.wins), told.rounds) == (dict(true.wins), true.rounds)


#: Everybody of speed 1 has two points; one adds 1 to the damage of an attack.
LUCKY = replace(
    SKIRMISH,
    spend=Points(
        "luck",
        lambda numbers: 2 * (numbers[0] == 1),
        lambda numbers: (numbers[0], numbers[1] + 1, numbers[2]),
    ),
)


@mechanic
def strike_with_luck(dice, mine, health, theirs, their_health):
    """The same by hand: a health is three times what is left, plus the points."""
    left, luck = divmod(health, 3)
    spends = mine[0] == 1 and luck > 0 and left <= 3
    foe, foes_luck = divmod(their_health, 3)
    if dice.die(6) > theirs[2]:
        foe -= mine[1] + spends
    return health - spends, foe * 3 + foes_luck if foe > 0 else 0


@pytest.mark.slow
@pytest.mark.parametrize("sides", [("1/1/3/4", "0/1/3/5"), ("1/1/3/3 1/1/3/2", "0/2/3/4")])
def test_spending_comes_to_the_fractions_of_a_game_that_does_it_by_hand(sides, monkeypatch):
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)
    fight = battle(*sides)
    told = forecast(LUCKY, fight, policy={"ours": "first, spend at 3", "theirs": "first"})
    packed = tuple(
        replace(one, health=3 * one.health + 2 * (one.side == "ours")) for one in fight.combatants
    )
    by_hand = replace(SKIRMISH, clash=strike_with_luck)
    true = forecast(by_hand, replace(fight, combatants=packed), policy="first")
    assert (dict(told.wins), told.rounds) == (dict(true.wins), true.rounds)
    assert told.lengths.over_in[:9] == pytest.approx(true.lengths.over_in[:9], rel=1e-12)
    assert told.fates[0].health == fight.combatants[0].health
    assert "Ours spend luck on attacks with 3 left or less." in told.assumed
    spent = told.costs["luck ours spend"]
    assert 0.2 < spent < 2 * len(fight.combatants)
    laws = compile_battle(
        LUCKY,
        fight,
        choose_policies(LUCKY, fight, {"ours": "first, spend at 3", "theirs": "first"}),
    )
    for player, n in ((throw_each, 1_000), (throw_rows, 20_000)):
        tally = player(laws, n, 5)
        won = sum(m for (healths, _), m in tally.ends.items() if any(healths[:-1]))
        assert abs(won - n * told.wins["ours"]) < 5 * (n / 4) ** 0.5
        assert sum(tally.tolls) == pytest.approx(float(spent), rel=0.1)


def test_a_game_without_a_guard_has_nobody_who_only_defends():
    with pytest.raises(NoSuchPolicy, match="no policy 'spend at 3'"):
        forecast(SKIRMISH, battle("1/2/3/3", "0/1/4/2"), policy="spend at 3")
    with pytest.raises(NoSuchPolicy, match="no policy 'defend when hurt'"):
        forecast(SKIRMISH, battle("1/2/3/3", "0/1/4/2"), policy="defend when hurt")
