"""How fast exact odds come, beside icepool and dyce in the same process.

Every row asks each library for the same chances as fractions, written the way its users would
write it; the answers are compared before anything is timed.

- *cold*: nothing is remembered. Our mechanics forget their solutions; icepool's evaluators and its
  table of binomials are emptied. The figure is the best of many runs, the three taking turns.
- *warm*: asked again, with whatever each library remembers by itself.
"""

import gc
import platform
import statistics
import sys
import time
import warnings
from enum import Enum
from fractions import Fraction
from importlib.metadata import version

import dyce
import icepool
import icepool.math
from icepool.evaluator.multiset_evaluator_base import MultisetEvaluatorBase

from kitchentable.dice import Die, exploding, mechanic, odds

SECONDS_PER_ROW = 0.6


class Special(Enum):
    FLUB = "flub"
    KICK = "kick"


D10_PLUS = Die("d10+", (*range(1, 11), Special.FLUB, Special.KICK))
D10_STAR = Die("d10*", tuple(range(10)))


# -- Toast: a task, and a contest with its special faces ---------------------------------------


@mechanic
def task(dice, trait, difficulty):
    face = dice.die(D10_PLUS)
    if isinstance(face, Special):
        return face.value
    return "success" if face + trait >= difficulty else "failure"


def icepool_task(trait, difficulty):
    def judge(face):
        if face > 10:
            return "flub" if face == 11 else "kick"
        return "success" if face + trait >= difficulty else "failure"

    die = icepool.d(12).map(judge)
    return [die.probability(word) for word in ("flub", "failure", "success", "kick")]


def dyce_task(trait, difficulty):
    def judge(result):
        face = result.outcome
        if face > 10:
            return 0 if face == 11 else 3
        return 2 if face + trait >= difficulty else 1

    return dyce_shares(dyce.expand(judge, dyce.H(12)), range(4))


@mechanic
def contest(dice, ours, theirs):
    mine, other = dice.die(D10_PLUS), dice.die(D10_PLUS)
    if mine == other and isinstance(mine, Special):
        return contest(dice, ours, theirs)
    if mine is Special.KICK or other is Special.FLUB:
        return True
    if mine is Special.FLUB or other is Special.KICK:
        return False
    if mine + ours == other + theirs:
        return contest(dice, ours, theirs)
    return mine + ours > other + theirs


def icepool_contest(ours, theirs):
    # The flub as the lowest and the kick as the highest number says the same.
    d10_plus = icepool.Die([*range(1, 11), -99, 99])

    def rank(face, trait):
        return face if abs(face) == 99 else face + trait

    def judge(mine, other):
        a, b = rank(mine, ours), rank(other, theirs)
        return icepool.Reroll if a == b else a > b

    return [icepool.map(judge, d10_plus, d10_plus).probability(True)]


# -- These Lucky Stars: exploding sums ---------------------------------------------------------


@mechanic
def stars(dice, n, target):
    return dice.total(n, of=(exploding, 6)) >= target


@mechanic
def star_total(dice, n):
    return dice.total(n, of=(exploding, 6))


@mechanic
def star_contest(dice, n):
    a, b = dice.total(n, of=(exploding, 6)), dice.total(n, of=(exploding, 6))
    if a == b:
        return star_contest(dice, n)
    return a > b


def icepool_star_contest(n):
    total = n @ icepool.d(6).explode()
    return [(total - total).reroll([0], depth="inf").probability(">", 0)]


def dyce_stars(n, target):
    total = n @ dyce.explode_n(dyce.H(6), n=9)
    return dyce_shares(total.ge(target), [True])


# -- Toaster -----------------------------------------------------------------------------------


@mechanic
def attack(dice, skill, defence, weapon, armour):
    if dice.die(D10_STAR) + skill <= dice.die(D10_STAR) + defence:
        return "miss"
    return max(0, dice.die(D10_STAR) + weapon - dice.die(D10_STAR) - armour)


def icepool_attack(skill, defence, weapon, armour):
    star = icepool.z(10)
    lands = (star + skill) > (star + defence)
    damage = (star + weapon - star - armour).map(lambda net: max(0, net))
    die = lands.if_else(damage, -1)
    return [die.probability(value) for value in range(-1, 15)]


def dyce_attack(skill, defence, weapon, armour):
    star = dyce.H(range(10))
    damage = (star + weapon - star - armour).apply(lambda net: max(0, net))

    def judge(result):
        return damage if result.outcome else -1

    lands = (star + skill).gt(star + defence)
    return dyce_shares(dyce.expand(judge, lands), range(-1, 15))


BANDS = ("fumble", "failure", "marginal", "success", "critical")


def band(margin):
    if margin <= -6:
        return "fumble"
    if margin <= -2:
        return "failure"
    if margin <= 1:
        return "marginal"
    return "success" if margin <= 5 else "critical"


@mechanic
def bands(dice, rank, against):
    return band(dice.die(D10_STAR) + rank - dice.die(D10_STAR) - against)


def icepool_bands(rank, against):
    die = (icepool.z(10) + rank - icepool.z(10) - against).map(band)
    return [die.probability(word) for word in BANDS]


def dyce_bands(rank, against):
    star = dyce.H(range(10))
    margin = star + rank - star - against
    return dyce_shares(margin.apply(lambda one: BANDS.index(band(one))), range(5))


@mechanic
def best_of(dice, n):
    return dice.total(n, D10_STAR, keep_highest=1)


# -- Objects: Self and Conflict against a talent ------------------------------------------------


def judged(points):
    return "total" if points == 12 else "marginal" if points >= 6 else "failure"


@mechanic
def points(dice, value, talent):
    if value == talent:
        return dice.die(6, label="again")
    return 6 if value < talent else 0


@mechanic
def objects_test(dice, talent, conflict):
    me, world = dice.die(6, label="Self"), dice.die(6, label="Conflict")
    if me == world == 1:
        return "critical success"
    if me == world == 6:
        return "critical failure"
    return judged(points(dice, me, talent) + points(dice, world + conflict, talent))


OBJECTS = ("critical success", "critical failure", "failure", "marginal", "total")


def icepool_objects(talent, conflict):
    d6 = icepool.d(6)

    def score(value):
        return d6 if value == talent else 6 if value < talent else 0

    def judge(me, world):
        if me == world == 1:
            return "critical success"
        if me == world == 6:
            return "critical failure"
        total = score(me) + score(world + conflict)
        return total.map(judged) if isinstance(total, icepool.Die) else judged(total)

    die = icepool.map(judge, d6, d6)
    return [die.probability(word) for word in OBJECTS]


# -- handfuls ----------------------------------------------------------------------------------


@mechanic
def keep(dice, n, sides, highest):
    return dice.total(n, sides, keep_highest=highest)


@mechanic
def fives(dice, n):
    return dice.count(n, 6, hit=lambda face: face == 5)


@mechanic
def clash(dice, n):
    a, b = dice.total(n), dice.total(n)
    if a == b:
        return clash(dice, n)
    return a > b


@mechanic
def total(dice, n):
    return dice.total(n)


def icepool_clash(n):
    side = n @ icepool.d(6)
    return [(side - side).reroll([0], depth="inf").probability(">", 0)]


def dyce_clash(n):
    side = n @ dyce.H(6)
    gap = {value: count for value, count in (side - side).items() if value}
    return [Fraction(sum(c for v, c in gap.items() if v > 0), sum(gap.values()))]


def dyce_shares(histogram, outcomes):
    whole = histogram.total
    return [Fraction(histogram.get(outcome, 0), whole) for outcome in outcomes]


def listed(distribution, outcomes):
    return [distribution[outcome] for outcome in outcomes]


ROWS = [
    (
        "Toast task",
        lambda: listed(odds(task, 3, 11), ("flub", "failure", "success", "kick")),
        lambda: icepool_task(3, 11),
        lambda: dyce_task(3, 11),
    ),
    ("Toast contest", lambda: [odds(contest, 3, 5)[True]], lambda: icepool_contest(3, 5), None),
    (
        "2d6 exploding, at least 12",
        lambda: [odds(stars, 2, 12)[True]],
        lambda: [(2 @ icepool.d(6).explode()).probability(">=", 12)],
        lambda: dyce_stars(2, 12),
    ),
    (
        "3d6 exploding, each total to 50",
        lambda: listed(odds(star_total, 3), range(3, 51)),
        lambda: (lambda die: [die.probability(v) for v in range(3, 51)])(
            3 @ icepool.d(6).explode()
        ),
        lambda: dyce_shares(3 @ dyce.explode_n(dyce.H(6), n=9), range(3, 51)),
    ),
    (
        "2d6 exploding against the same",
        lambda: [odds(star_contest, 2)[True]],
        lambda: icepool_star_contest(2),
        None,
    ),
    (
        "Toaster attack, four dice",
        lambda: listed(odds(attack, 6, 4, 5, 4), ("miss", *range(15))),
        lambda: icepool_attack(6, 4, 5, 4),
        lambda: dyce_attack(6, 4, 5, 4),
    ),
    (
        "Toaster outcome bands",
        lambda: listed(odds(bands, 6, 4), BANDS),
        lambda: icepool_bands(6, 4),
        lambda: dyce_bands(6, 4),
    ),
    (
        "best of four d10*",
        lambda: listed(odds(best_of, 4), range(10)),
        lambda: list(icepool.z(10).highest(4, 1).probabilities()),
        lambda: dyce_shares((4 @ dyce.P(dyce.H(range(10)))).at(-1), range(10)),
    ),
    (
        "Objects test",
        lambda: listed(odds(objects_test, 4, 1), OBJECTS),
        lambda: icepool_objects(4, 1),
        None,
    ),
    (
        "4d6 keep 3",
        lambda: listed(odds(keep, 4, 6, 3), range(3, 19)),
        lambda: list(icepool.d(6).highest(4, 3).probabilities()),
        lambda: dyce_shares((4 @ dyce.P(6)).at(slice(1, None)), range(3, 19)),
    ),
    (
        "count 5s on 10d6",
        lambda: listed(odds(fives, 10), range(11)),
        lambda: list((10 @ (icepool.d(6) == 5)).probabilities()),
        lambda: dyce_shares(10 @ dyce.H(6).eq(5), range(11)),
    ),
    ("10d6 against 10d6", lambda: [odds(clash, 10)[True]], lambda: icepool_clash(10),
     lambda: dyce_clash(10)),
    (
        "100d6",
        lambda: odds(total, 100).values(),
        lambda: list((100 @ icepool.d(6)).probabilities()),
        lambda: dyce_shares(100 @ dyce.H(6), range(100, 601)),
    ),
    (
        "20d10 keep 5",
        lambda: listed(odds(keep, 20, 10, 5), range(5, 51)),
        lambda: list(icepool.d(10).highest(20, 5).probabilities()),
        None,
    ),
]

MECHANICS = [
    task, contest, stars, star_total, star_contest, exploding, attack, bands, best_of, points,
    objects_test, keep, fives, clash, total,
]  # fmt: skip


def same(ours, theirs):
    """The same fractions, but for what a library that cuts explosions off leaves undecided."""
    bound = Fraction(1, 10**6)
    numbers = [one if isinstance(one, Fraction) else one.low for one in ours]
    return len(numbers) == len(theirs) and all(
        a == b or abs(a - b) < bound for a, b in zip(numbers, theirs, strict=True)
    )


def exactly_same(ours, theirs):
    return list(ours) == list(theirs)


def best(run, forget, seconds):
    """The shortest of many runs, in seconds."""
    shortest, spent, runs = float("inf"), 0.0, 0
    while spent < seconds or runs < 3:
        forget()
        start = time.perf_counter()
        run()
        took = time.perf_counter() - start
        shortest, spent, runs = min(shortest, took), spent + took, runs + 1
    return shortest


def forget_ours():
    for one in MECHANICS:
        one.forget()


def forget_icepool(evaluators):
    def forget():
        icepool.math.comb_row_cache.clear()
        for one in evaluators:
            one._cache.clear()

    return forget


def nothing():
    pass


def main():
    warnings.simplefilter("ignore", dyce.lifecycle.ExperimentalWarning)
    for _, ours, theirs, others in ROWS:
        theirs()
    evaluators = [
        one for one in gc.get_objects()
        if isinstance(one, MultisetEvaluatorBase) and hasattr(one, "_cache")
    ]
    forget_theirs = forget_icepool(evaluators)
    gc.disable()
    print(
        f"Python {platform.python_version()}, icepool {version('icepool')}, "
        f"dyce {version('dyce')}; times in microseconds, best of many runs\n"
    )
    head = f"{'':32} {'cold':>8} {'icepool':>8} {'dyce':>8} {'faster':>7}   "
    print(head + f"{'warm':>7} {'icepool':>8} {'faster':>7}   answers")
    cold_ratios, warm_ratios, slower = [], [], []
    for name, ours, theirs, others in ROWS:
        mine, other = ours(), theirs()
        if not same(mine, other) or (others is not None and not same(mine, others())):
            print(f"{name}: the answers differ", file=sys.stderr)
            return 1
        note = "equal" if exactly_same(mine, other) else "equal to 1e-6 (theirs is cut off)"
        share = SECONDS_PER_ROW / 5
        cold = theirs_cold = dyce_cold = warm = theirs_warm = float("inf")
        for _ in range(3):
            cold = min(cold, best(ours, forget_ours, share))
            theirs_cold = min(theirs_cold, best(theirs, forget_theirs, share))
            if others is not None:
                dyce_cold = min(dyce_cold, best(others, nothing, share / 3))
            ours()
            warm = min(warm, best(ours, nothing, share / 3))
            theirs_warm = min(theirs_warm, best(theirs, nothing, share / 3))
        cold_ratios.append(theirs_cold / cold)
        warm_ratios.append(theirs_warm / warm)
        if theirs_cold < cold:
            slower.append(name)
        third = f"{dyce_cold * 1e6:8.0f}" if others is not None else f"{'-':>8}"
        print(
            f"{name:32} {cold * 1e6:8.0f} {theirs_cold * 1e6:8.0f} {third} "
            f"{theirs_cold / cold:6.1f}x   {warm * 1e6:7.1f} {theirs_warm * 1e6:8.0f} "
            f"{theirs_warm / warm:6.0f}x   {note}"
        )
    print(
        f"\ncold: median {statistics.median(cold_ratios):.1f} times icepool's speed, "
        f"slower in {len(slower)} of {len(ROWS)} rows{': ' + ', '.join(slower) if slower else ''}"
    )
    print(
        f"warm: median {statistics.median(warm_ratios):.0f} times icepool's speed, "
        f"least {min(warm_ratios):.0f} times"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
