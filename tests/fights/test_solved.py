"""Fights solved by kinds beside the same fights counted out person by person, as fractions."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from kitchentable.fights import forecast, named
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.matrices import Chain
from kitchentable.fights.named import choose_policies
from kitchentable.fights.orders import OrderChances
from kitchentable.fights.rounds import count_states
from kitchentable.rules import Policy
from kitchentable.rules.combat import POLICIES
from kitchentable.rulesets.lucky_stars import fights as lucky_stars
from kitchentable.rulesets.lucky_stars.mechanics import SIZES
from kitchentable.rulesets.objects import fights as objects
from kitchentable.rulesets.toast.melee import FIGHTS
from tests.fights.games import HAMPERED, SKIRMISH, battle
from tests.fights.people import People

FEWEST = [
    ("1/1/3/2", "0/1/4/1 0/1/4/1"),
    ("1/2/3/3 0/1/4/2", "2/1/3/2 2/1/3/2"),
    ("0/1/4/1 0/1/4/2 1/1/3/2", "1/2/3/4"),
    ("0/1/2/2 0/1/2/2", "0/1/2/2 0/1/2/1"),
]
NEAREST = Policy("the quickest foe", lambda me, foe, health: -foe[0])


@pytest.fixture(autouse=True)
def all_in_fractions(monkeypatch):
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)


def agrees(fought, fight, policies):
    told = forecast(fought, fight, policy=policies)
    people = People(fought, fight, policies)
    ends, rounds = people.solve()
    wins = dict.fromkeys(fight.sides, Fraction(0))
    for healths, chance in ends.items():
        wins[people.winner(healths)] += chance
    assert dict(told.wins) == wins
    assert told.rounds == rounds
    for side in fight.sides:
        mine = [p for p, one in enumerate(fight.combatants) if one.side == side]
        up = {many: Fraction(0) for many in told.up[side]}
        left = {many: Fraction(0) for many in told.left[side]}
        for healths, chance in ends.items():
            up[sum(healths[p] > 0 for p in mine)] += chance
            left[sum(healths[p] for p in mine)] += chance
        assert (dict(told.up[side]), dict(told.left[side])) == (up, left)
    # Everybody of a kind has the same fate, on average over the kind.
    place = 0
    for fate in told.fates:
        alike = range(place, place + fate.many)
        place += fate.many
        stands = sum(ends[h] * sum(h[p] > 0 for p in alike) for h in ends)
        assert fate.stands == stands / fate.many
    for over, seen in zip(people.by_round(5), told.lengths.over_in, strict=False):
        assert seen == pytest.approx(float(over), rel=1e-12, abs=1e-300)


@pytest.mark.slow
@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize("sides", FEWEST)
def test_kinds_come_to_the_fractions_of_people(sides, anew):
    fight = battle(*sides, anew=anew)
    agrees(SKIRMISH, fight, dict.fromkeys(fight.sides, POLICIES["weakest"]))


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize(
    "sides", [FEWEST[0], ("0/1/4/2", "1/1/3/1"), ("1/1/3/2 1/1/3/2", "2/1/4/2")]
)
def test_several_turns_a_round_come_to_the_fractions_of_people(sides, anew):
    """Also where health changes the dice: whoever is hurt acts later and is easier to hit."""
    fight = replace(battle(*sides, anew=anew), passes=2)
    agrees(SKIRMISH, fight, dict.fromkeys(fight.sides, POLICIES["weakest"]))
    agrees(HAMPERED, fight, dict.fromkeys(fight.sides, POLICIES["strongest"]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strongest", "first", "random"])
def test_every_policy_comes_to_the_fractions_of_people(name):
    fight = battle("1/2/3/3 0/1/4/2", "2/1/3/1 1/1/2/2")
    agrees(SKIRMISH, fight, {"ours": POLICIES[name], "theirs": NEAREST})
    agrees(SKIRMISH, fight, {"ours": NEAREST, "theirs": POLICIES[name]})


def test_toasts_melee_comes_to_the_fractions_of_people():
    melee = FIGHTS["melee"]
    for again in (True, False):
        fight = melee.start(
            {"initiative_each_round": again}, ours="5/6/4/2", theirs="2/3/3/1 3/4/3/1"
        )
        agrees(melee, fight, dict.fromkeys(fight.sides, POLICIES["weakest"]))


def test_objects_chain_comes_to_the_fractions_of_people():
    chain = objects.FIGHTS["chain"]
    fight = chain.start({}, ours="4/0/3", theirs="3/1/2 3/1/2")
    agrees(chain, fight, dict.fromkeys(fight.sides, POLICIES["weakest"]))


class Contenders(People):
    """People of Lucky Stars, with the chances of contests and supply dice worked out by hand."""

    def changes(self, mine, theirs, health, mine_left):
        lowered = beats(mine.numbers.plus - theirs.numbers.plus) * Fraction(3, SIZES[5 - health])
        return [(health - 1, lowered), (health, 1 - lowered)]


def beats(lead):
    """The chance of a contest with two dice each, as a fraction: sums of series, no solver.

    A total is its lead, the last faces of its dice, 1 to 5, and six for each six before them. The
    first side has d sixes more with the chance (5/6)^4 r^d (a + b d), by summing over the other's.
    """
    faces = Counter(i + j - k - m for i, j, k, m in product(range(1, 6), repeat=4))
    r, x = Fraction(1, 6), Fraction(1, 36)
    none, once, twice = 1 / (1 - x), x / (1 - x) ** 2, x * (1 + x) / (1 - x) ** 3
    a, b = twice + 2 * once + none, once + none

    def at_least(d):
        if d <= 0:
            return 1 - at_least(1 - d)
        tail = a + b * (d + r / (1 - r))
        return Fraction(5, 6) ** 4 * r**d / (1 - r) * tail

    def above(lead):
        return sum(at_least((-face - lead) // 6 + 1) * n for face, n in faces.items())

    return above(lead) / (above(lead) + above(-lead))


@pytest.mark.parametrize(
    ("ours", "theirs"), [("2/2/6", "1/2/4"), ("3/2/8", "1/2/4 1/2/4"), ("12/2/6", "0/2/6")]
)
def test_lucky_stars_contests_come_to_the_fractions_of_people_within_the_bound(ours, theirs):
    """Dice without an end have no fractions in the engine; what it proves of its floats holds."""
    contest = lucky_stars.FIGHTS["struggle"]
    fight = contest.start({}, ours=ours, theirs=theirs)
    told, people = forecast(contest, fight), Contenders(contest, fight)
    assert (told.found.how, told.found.digits >= 11) == ("floats", True)
    ends, rounds = people.solve()
    wins = dict.fromkeys(fight.sides, Fraction(0))
    for healths, chance in ends.items():
        wins[people.winner(healths)] += chance
    for near, true in [(told.rounds, rounds), *((told.wins[side], wins[side]) for side in wins)]:
        assert abs(Fraction(near) - true) <= told.found.bound * true


def test_orders_of_kinds_are_those_of_people():
    fight = battle("1/1/1/1 1/1/1/1", "2/1/1/1 0/1/1/1")
    laws = compile_battle(SKIRMISH, fight, choose_policies(SKIRMISH, fight, ""))
    kinds = OrderChances(laws.turn, laws.again, (2, 1, 1), Fraction(1)).chances
    people = People(SKIRMISH, fight)
    kind = (0, 0, 1, 2)
    for who in [(0, 1), (0, 2), (0, 1, 2, 3)]:
        whole = {order: p for order, p in people.order(who).items() if len(order) == len(who)}
        assert whole
        assert whole == {order: kinds[tuple(kind[one] for one in order)] for order in whole}


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize("sides", [*FEWEST, ("1/1/3/2 1/1/3/2", "0/1/4/1 0/1/4/1 0/1/4/1 2/3/4/4")])
def test_the_size_foretold_is_the_size_found(sides, anew):
    fight = battle(*sides, anew=anew)
    for passes in (1, 2) if len(fight.combatants) < 5 else (1,):
        often = replace(fight, passes=passes)
        laws = compile_battle(SKIRMISH, often, choose_policies(SKIRMISH, often, ""))
        assert count_states(laws, 10**6) == Chain(laws, exact=False).settle().states


def test_a_size_above_the_most_is_not_counted_to_its_end():
    fight = battle("1/1/3/9 2/1/3/9", "0/1/4/9 3/1/4/9")
    laws = compile_battle(SKIRMISH, fight, choose_policies(SKIRMISH, fight, ""))
    assert 100 < count_states(laws, 100) < count_states(laws, 10**6)
