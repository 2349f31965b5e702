"""The rows of `bench_dice`: the same questions for our mechanics, icepool and dyce.

Each row is a name and three functions without arguments that give the same chances as fractions;
the third is None if dyce has no natural way.
"""

from enum import Enum
from fractions import Fraction

import dyce
import icepool

from kitchentable.dice import Die, exploding, mechanic, odds


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
    if isinstance(mine, Special) and mine == other:
        return contest(dice, ours, theirs)
    if mine is Special.KICK or other is Special.FLUB:
        return True
    if mine is Special.FLUB or other is Special.KICK:
        return False
    if mine + ours == other + theirs:
        return contest(dice, ours, theirs)
    return mine + ours > other + theirs


def icepool_contest(ours, theirs):
    # Counting a flub as the lowest and a kick as the highest number is equivalent.
    d10_plus = icepool.Die([*range(1, 11), -99, 99])

    def rank(face, trait):
        return face if abs(face) == 99 else face + trait

    def judge(mine, other):
        a, b = rank(mine, ours), rank(other, theirs)
        return icepool.Reroll if a == b else a > b

    won = icepool.map(judge, d10_plus, d10_plus)
    return [won.probability(True)]  # noqa: FBT003 - the outcome asked for


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


def icepool_star_total(n):
    die = n @ icepool.d(6).explode()
    return [die.probability(value) for value in range(3, 51)]


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
        lambda: icepool_star_total(3),
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
        lambda: odds(best_of, 4).values(),
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
        lambda: odds(keep, 4, 6, 3).values(),
        lambda: list(icepool.d(6).highest(4, 3).probabilities()),
        lambda: dyce_shares((4 @ dyce.P(6)).at(slice(1, None)), range(3, 19)),
    ),
    (
        "count 5s on 10d6",
        lambda: odds(fives, 10).values(),
        lambda: list((10 @ (icepool.d(6) == 5)).probabilities()),
        lambda: dyce_shares(10 @ dyce.H(6).eq(5), range(11)),
    ),
    (
        "10d6 against 10d6",
        lambda: [odds(clash, 10)[True]],
        lambda: icepool_clash(10),
        lambda: dyce_clash(10),
    ),
    (
        "100d6",
        lambda: odds(total, 100).values(),
        lambda: list((100 @ icepool.d(6)).probabilities()),
        lambda: dyce_shares(100 @ dyce.H(6), range(100, 601)),
    ),
    (
        "20d10 keep 5",
        lambda: odds(keep, 20, 10, 5).values(),
        lambda: list(icepool.d(10).highest(20, 5).probabilities()),
        None,
    ),
]

MECHANICS = [
    task, contest, stars, star_total, star_contest, exploding, attack, bands, best_of,
    objects_test, keep, fives, clash, total,
]  # fmt: skip
