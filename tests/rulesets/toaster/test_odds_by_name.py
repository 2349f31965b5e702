"""Every roll by name has its odds, exactly and soon, under every mix of nines, zeros and outcomes.

How soon is counted in paths, where a busy machine changes nothing.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

import kitchentable as kt
from kitchentable.dice import Mechanic, odds, told
from kitchentable.dice.solving import paths
from kitchentable.rules import RuleRefuses
from kitchentable.rulesets.toaster.mechanics import (
    attack,
    contests,
    damage,
    healing,
    initiative,
    stars,
    tables,
    tasks,
    to_hit,
)

MODULES = (attack, to_hit, contests, damage, healing, initiative, stars, tables,
           tasks)  # fmt: skip
WHO_WINS = told(contests.contest, "winner_word")
NINES = {
    "no nines": {},
    "one nine more": {"rolling_nines": True},
    "endless nines": {"rolling_nines": True, "nines_limit": 0},
}
ASKED = (
    ("task", {"rank": 6}),
    ("opposed", {"rank": 6, "other_rank": 5}),
    ("parallel", {"rank": 6, "other_rank": 5}),
    ("do_over", {"rank": 6, "other_rank": 5}),
    ("contest", {"ranks": [6, 5, 4]}),
    ("contest", {"ranks": [6, 5, 4, 6, 7, 3, 6, 5, 4, 6, 7, 3]}),
    ("together", {"ranks": [6, 5, 4]}),
    ("together", {"ranks": [6, 5, 4] * 4, "too_many": True}),
    ("luck", {"aura": 5}),
    ("star", {}),
    ("clash", {"attack": 6, "defence": 6}),
    ("attack", {"attack": 6, "defence": 6, "wc": 5, "ac": 4}),
    ("damage", {"attack": 6, "defence": 6, "wc": 25, "ac": 4}),
    ("initiative", {"coordination": 7}),
    ("mortality", {"physique": 6}),
    ("survival", {"physique": 6, "rounds": 50}),
    ("survival", {"physique": 8, "rounds": 50, "wounds": 7}),
    ("healing", {"physique": 6, "wounds": 3}),
    ("weeks", {"physique": 6, "wounds": 4, "weeks": 52, "lasting": True, "bonus": 3}),
    ("weeks", {"physique": 6, "wounds": 9, "weeks": 52}),
    ("recovery", {"physique": 2, "wounds": 9}),
    ("location", {}),
    ("critical", {}),
)
MIXES = tuple(product(NINES, (False, True), (False, True)))
#: Mixes in which each two values come together; the long tests have the others.
QUICK = {
    (nines, zeros, zeros is not (nines == "one nine more"))
    for nines, zeros in product(NINES, (False, True))
}
#: Three switches: those settings at once in which each two come together, the others later.
SWITCHES = tuple(
    pytest.param(switches, marks=() if sum(switches) % 2 == 0 else pytest.mark.soak)
    for switches in product((False, True), repeat=3)
)
#: What zeros and variable outcomes change nothing of.
EASY = {"star", "initiative", "mortality", "survival", "recovery", "location", "critical"}


def perhaps_later(*parts):
    """The parts of a test that runs with the long tests if its mix, the last part, does."""
    return pytest.param(*parts, marks=() if parts[-1] in QUICK else pytest.mark.soak)


EVERY = tuple(perhaps_later(name, named, mix) for (name, named), mix in product(ASKED, MIXES)
              if name not in EASY or all(mix[1:]))  # fmt: skip


def table(nines, zeros, bands):
    return kt.game("toaster", rolling_zeros=zeros, variable_outcomes=bands, **NINES[nines])


@pytest.fixture
def walked(monkeypatch):
    """Counts the paths that are walked, with nothing remembered of other odds."""
    counted = Counter()
    run = paths.walk_once

    def counting(walk):
        counted["paths"] += 1
        return run(walk)

    for one in {one for module in MODULES for one in vars(module).values()
                if isinstance(one, Mechanic)}:  # fmt: skip
        one.forget()
    monkeypatch.setattr(paths, "walk_once", counting)
    return counted


def test_every_roll_by_name_is_asked():
    assert {name for name, _ in ASKED} == set(kt.game("toaster").game.rolls)


@pytest.mark.slow
@pytest.mark.rule("toaster.3.nines-limit", "toaster.3.zeros-switch", "toaster.3.vo-switch")
@pytest.mark.parametrize(("name", "named", "mix"), EVERY, ids=str)
def test_odds_by_name_are_exact_after_few_paths(walked, name, named, mix):
    solved = table(*mix).odds(name, **named)
    assert sum(solved.values()) + solved.unresolved == 1
    assert solved.unresolved < Fraction(1, 10**12)
    assert walked["paths"] < 6_000
    if "endless" not in mix[0] and name != "recovery":
        assert solved.unresolved == 0


@pytest.mark.slow
@pytest.mark.rule("toaster.3.opposed-multi", "toaster.3.parallel-contest", "toaster.4.attack-roll")
@pytest.mark.parametrize(
    "mix", [perhaps_later(mix) for mix in MIXES if "endless" not in mix[0]], ids=str
)
@pytest.mark.parametrize(("name", "named"), [
    ("opposed", {"rank": 6, "other_rank": 5}),
    ("opposed", {"rank": 3, "other_rank": 9}),
    ("parallel", {"rank": 6, "other_rank": 5}),
    ("contest", {"ranks": [6, 5]}),
    ("clash", {"attack": 6, "defence": 5, "gate": 7}),
    ("clash", {"attack": 6}),
    ("clash", {"attack": 7, "defence": 4, "ranged": True}),
], ids=str)  # fmt: skip
def test_what_is_told_in_brief_has_the_odds_of_what_is_told_in_full(name, named, mix):
    game = table(*mix)
    rolled = game.game.rolls[name]
    brief = game.odds(name, **named).map(rolled.sums_up)
    full = odds(rolled.mechanic, *rolled.arguments(game.options, **named)).map(rolled.in_a_word)
    assert dict(brief.items()) == dict(full.items())


@pytest.mark.rule("toaster.3.opposed-multi", "toaster.3.marginal-opposed", "toaster.3.call4-switch")
@pytest.mark.parametrize("mix", SWITCHES, ids=str)
def test_a_contest_of_three_comes_to_what_all_its_throws_come_to(mix):
    """All thousand throws one by one, judged as at the table."""
    zeros, bands, calls = mix
    ranks = (6, 5, 7)
    sides = tuple(contests.Side(one, str(one), calls and one == 5) for one in ranks)
    counted = Counter()
    for faces in product(range(10), repeat=3):
        shown = [4 if one.called else face for one, face in zip(sides, faces, strict=True)]
        fail = tuple(face if zeros and not one.called else None
                     for one, face in zip(sides, shown, strict=True))  # fmt: skip
        totals = tuple(face + rank for face, rank in zip(shown, ranks, strict=True))
        one = contests.Contest(totals, fail, (contests.Second(),) * 3, ranks, bands)
        counted[one.winner_word] += 1
    every = {word: Fraction(count, 1000) for word, count in counted.items()}
    solved = odds(told(contests.contest, contests.standing), sides, stars.Extended(0, zeros), bands)
    assert dict(solved.map(lambda one: one.winner_word).items()) == every
    assert dict(odds(WHO_WINS, sides, stars.Extended(0, zeros), bands).items()) == every


@pytest.mark.rule("toaster.3.nines-limit", "toaster.3.zeros-opposed")
@pytest.mark.parametrize(("zeros", "bands"), [*product((False, True), repeat=2)])
def test_endless_contests_of_two_and_of_many_agree_with_how_each_side_fares(zeros, bands):
    ext = stars.Extended(stars.NO_LIMIT, zeros)
    sides = tuple(contests.Side(6 - at, f"side {at}") for at in range(4))
    of_many = odds(told(contests.contest, contests.standing), sides, ext, bands)
    for at in range(4):
        turned = (sides[at], *sides[:at], *sides[at + 1 :])
        fares = odds(told(contests.contest, lambda one: one.fares), turned, ext, bands)
        assert abs(_low(of_many, at) - fares["won"].low) < Fraction(1, 10**18)
    of_two = odds(told(contests.contest, contests.verdict), sides[:2], ext, bands)
    again = odds(told(contests.contest, contests.standing), sides[:2], ext, bands)
    for at in (0, 1, None):
        assert abs(_low(of_two, at) - _low(again, at)) < Fraction(1, 10**18)


def _low(solved, winner):
    return sum((chance for one, chance in solved.items() if one.winner == winner), Fraction(0))


# ---------------------------------------------------------------- weeks and rounds, step by step


@pytest.mark.slow
@pytest.mark.rule("toaster.4.heal-week", "toaster.4.heal-long-term", "toaster.4.heal-week-fumble")
@pytest.mark.parametrize("mix", SWITCHES, ids=str)
def test_a_year_of_rest_is_its_weeks_one_after_the_other(mix):
    """The weeks' own rolls, followed as a chain of wounds and of what still adds."""
    zeros, bands, lasting = mix
    ext = stars.Extended(stars.NO_LIMIT, zeros)
    physique, now = 6, {(4, 3): Fraction(1)}
    ended: Counter = Counter()
    for _ in range(52):
        later: Counter = Counter()
        for (wounds, bonus), chance in now.items():
            roll = odds(tasks.task, physique - wounds + bonus, ext, False, bands)
            heals = roll.chance(lambda one: one.succeeds)
            worse = roll.chance(lambda one: one.fumble)
            heals, worse = (getattr(one, "low", one) for one in (heals, worse))
            held = bonus if lasting else 0
            for change, share, keeps in ((-1, heals, held), (1, worse, 0),
                                         (0, 1 - heals - worse, 0)):  # fmt: skip
                left = wounds + change
                done = left == 0 or (change > 0 and left >= 5)
                (ended if done else later)[left if done else (left, keeps)] += chance * share
        now = later
    for (wounds, _), chance in now.items():
        ended[wounds] += chance
    solved = odds(healing.wounds_after, physique, 4, 52, 3, lasting, ext, bands)
    assert solved.unresolved == 0
    for wounds in range(6):
        assert abs(solved[wounds] - ended[wounds]) < Fraction(1, 10**18)


@pytest.mark.slow
@pytest.mark.rule("toaster.4.mortality-success", "toaster.4.mortality-fail")
@pytest.mark.parametrize("nines", [0, 1, stars.NO_LIMIT])
@pytest.mark.parametrize("by_die", [False, True])
def test_fifty_rounds_on_deaths_door_are_their_checks_one_after_the_other(nines, by_die):
    for modifier in (1, 6):
        check = [(healing.fate_of(shown, modifier, by_die=by_die), chance)
                 for shown, chance in odds(stars.star, nines).items()]  # fmt: skip
        lives: list[Fraction] = []
        for rounds in range(51):
            chance = Fraction(0)
            for fate, share in check:
                if fate.rounds > rounds:
                    chance += share
                elif fate.word == healing.HOLDS:
                    chance += share * lives[rounds - fate.rounds]
            lives.append(chance)
        for rounds in (7, 50):
            solved = odds(healing.survives, modifier, rounds, nines, by_die)
            assert solved.unresolved < Fraction(1, 10**30)
            got = solved[True]
            assert abs(getattr(got, "low", got) - lives[rounds]) < Fraction(1, 10**18)


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("clash", {"attack": 6, "defence": 5, "ranged": "no"}),
        ("attack", {"attack": 6, "defence": 5, "wc": 5, "ac": 4, "unarmed": "no"}),
        ("together", {"ranks": [4, 5], "too_many": "false"}),
        ("weeks", {"physique": 5, "wounds": 2, "weeks": 2, "lasting": "no"}),
    ],
)
def test_a_switch_takes_nothing_but_true_or_false(name, named):
    with pytest.raises(RuleRefuses, match=r"must be True or False \(a switch\), not '(no|false)'"):
        kt.game("toaster").odds(name, **named)
