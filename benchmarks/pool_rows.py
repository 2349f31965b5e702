"""More rows for `bench_dice`: pools, many dice, mixed dice, symbols, mechanics of games."""

from functools import cache, partial

import icepool

from kitchentable.dice import Die, exploding, mechanic, odds
from kitchentable.dice.notation import play

# -- mechanics of games ------------------------------------------------------------------------


@mechanic
def blades(dice, n):
    pool = dice.pool(n)
    if pool.count(lambda face: face == 6) >= 2:
        return "critical"
    best = pool.highest(1).total()
    return "success" if best == 6 else "partial" if best >= 4 else "failure"


BLADES = ("critical", "success", "partial", "failure")


def icepool_blades(n):
    def judge(second, best):
        if second == best == 6:
            return "critical"
        return "success" if best == 6 else "partial" if best >= 4 else "failure"

    die = icepool.d(6).pool(n).highest(2).expand().map(judge, star=True)
    return [die.probability(word) for word in BLADES]


@mechanic
def pushed(dice, bane):
    """One die of a pushed roll: whether it shows a six, and whether a bane."""
    face = dice.die(6)
    if face == 6:
        return 1, 0
    if face == 1 and bane:
        return 0, 1
    again = dice.die(6)
    return int(again == 6), int(again == 1 and bane)


@mechanic
def year_zero(dice, attribute, skill, gear):
    return dice.total(attribute + gear, (pushed, True)) + dice.total(skill, (pushed, False))


def icepool_year_zero(attribute, skill, gear):
    def judge(face, again, bane):
        if face == 6:
            return icepool.Vector((1, 0))
        if face == 1 and bane:
            return icepool.Vector((0, 1))
        return icepool.Vector((int(again == 6), int(again == 1 and bane)))

    d6 = icepool.d(6)
    with_banes = icepool.map(partial(judge, bane=True), d6, d6)
    without = icepool.map(partial(judge, bane=False), d6, d6)
    die = (attribute + gear) @ with_banes + skill @ without
    return list(die.probabilities())


@mechanic
def volley(dice, shots):
    hits = dice.count(shots, at_least=3)
    wounds = dice.count(hits, at_least=4)
    return dice.count(wounds, hit=lambda face: face < 5)


def icepool_volley(shots):
    d6 = icepool.d(6)
    return list((((shots @ (d6 >= 3)) @ (d6 >= 4)) @ (d6 < 5)).probabilities())


# A face is a pair of successes and advantages; dice of difficulty are subtracted.
ABILITY_FACES = ((0, 0), (1, 0), (1, 0), (2, 0), (0, 1), (0, 1), (1, 1), (0, 2))
PROFICIENCY_FACES = (
    (0, 0), (1, 0), (1, 0), (2, 0), (2, 0), (0, 1), (1, 1), (1, 1), (1, 1), (0, 2), (0, 2), (1, 0),
)  # fmt: skip
DIFFICULTY_FACES = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 1), (0, 1), (0, 2), (1, 1))
ABILITY, PROFICIENCY, DIFFICULTY = (
    Die("ability", ABILITY_FACES),
    Die("proficiency", PROFICIENCY_FACES),
    Die("difficulty", DIFFICULTY_FACES),
)


@mechanic
def genesys(dice, ability, proficiency, difficulty):
    ours = dice.total(ability, ABILITY) + dice.total(proficiency, PROFICIENCY)
    return ours - dice.total(difficulty, DIFFICULTY)


def icepool_genesys(ability, proficiency, difficulty):
    a, p, d = (
        icepool.Die([icepool.Vector(face) for face in faces])
        for faces in (ABILITY_FACES, PROFICIENCY_FACES, DIFFICULTY_FACES)
    )
    return list((ability @ a + proficiency @ p - difficulty @ d).probabilities())


@mechanic
def yahtzee(dice, throws, kept):
    """Keep the largest set and throw the rest again; the kept dice are called sixes."""
    if throws == 0 or kept == 5:
        return kept
    widest = dice.pool(5 - kept).fold(
        lambda most, face, count: max(most, count + kept if face == 6 else count), kept
    )
    return yahtzee(dice, throws - 1, widest)


class Widest(icepool.MultisetEvaluator):
    def __init__(self, kept):
        self.kept = kept

    def next_state(self, state, order, outcome, count):
        return max(state or 0, count + self.kept if outcome == 6 else count)


def icepool_yahtzee(throws):
    @cache
    def play_on(left, kept):
        if left == 0 or kept == 5:
            return icepool.Die([kept])
        return Widest(kept)(icepool.d(6).pool(5 - kept)).map(partial(play_on, left - 1), star=False)

    return list(play_on(throws, 0).probabilities())


@mechanic
def death_saves(dice, saved, failed):
    if saved == 3:
        return "stable"
    if failed >= 3:
        return "dead"
    face = dice.die(20)
    if face == 20:
        return "up"
    if face == 1:
        return death_saves(dice, saved, failed + 2)
    if face >= 10:
        return death_saves(dice, saved + 1, failed)
    return death_saves(dice, saved, failed + 1)


def icepool_death_saves():
    @cache
    def saves(saved, failed):
        if saved == 3:
            return "stable"
        if failed >= 3:
            return "dead"

        def judge(face):
            if face == 20:
                return "up"
            if face == 1:
                return saves(saved, failed + 2)
            return saves(saved + 1, failed) if face >= 10 else saves(saved, failed + 1)

        return icepool.d(20).map(judge)

    die = saves(0, 0)
    return [die.probability(word) for word in ("stable", "dead", "up")]


@mechanic
def smite(dice, bonus, armour):
    face = dice.total(2, 20, keep_highest=1)
    if face == 20:
        return dice.total(4) + 4
    return dice.total(2) + 4 if face + bonus >= armour else 0


def icepool_smite(bonus, armour):
    d6 = icepool.d(6)

    def judge(face):
        if face == 20:
            return 4 @ d6 + 4
        return 2 @ d6 + 4 if face + bonus >= armour else 0

    return list(icepool.d(20).highest(2, 1).map(judge).probabilities())


# -- pools and sums ----------------------------------------------------------------------------


@mechanic
def keep(dice, n, sides, highest):
    return dice.total(n, sides, keep_highest=highest)


@mechanic
def mixed(dice, sides, highest):
    return dice.mixed(sides, keep_highest=highest)


@mechanic
def product(dice, n):
    return dice.total(n) * dice.total(n)


@mechanic
def exploding_keep(dice, n, sides, highest):
    return dice.total(n, (exploding, sides), keep_highest=highest)


@mechanic
def many(dice, n):
    return dice.total(n)


@mechanic
def many_exploding(dice, n):
    return dice.total(n, (exploding, 6))


@mechanic
def against(dice, n, ours, theirs):
    return dice.total(n, ours) > dice.total(n, theirs)


@mechanic
def widest_set(dice, n, sides):
    return dice.pool(n, sides).fold(lambda most, face, count: max(most, count), 0)


def longest_run(state, face, count):
    longest, run, last = state
    run = run + 1 if face == last - 1 else 1
    return max(longest, run), run, face


@mechanic
def straight(dice, n):
    return dice.pool(n).fold(longest_run, (0, 0, 0))[0]


def chances(die):
    return list(die.probabilities())


def listed(distribution, outcomes):
    return [distribution[outcome] for outcome in outcomes]


def low_chances(die, stop):
    return [die.probability(value) for value in range(die.min_outcome(), stop)]


d = icepool.d

POOL_ROWS = [
    ("2d20 keep 1", lambda: odds(keep, 2, 20, 1).values(), lambda: chances(d(20).highest(2, 1))),
    (
        "d12, d10, d8, d6 keep 2",
        lambda: odds(mixed, (12, 10, 8, 6), 2).values(),
        lambda: chances(icepool.highest(d(12), d(10), d(8), d(6), keep=2)),
    ),
    (
        "10d6 times 10d6",
        lambda: odds(product, 10).values(),
        lambda: chances((10 @ d(6)) * (10 @ d(6))),
    ),
    (
        "4d6 exploding keep 3",
        lambda: listed(odds(exploding_keep, 4, 6, 3), range(3, 60)),
        lambda: low_chances(d(6).explode().highest(4, 3), 60),
    ),
    (
        "8k4 exploding",
        lambda: listed(odds(exploding_keep, 8, 10, 4), range(4, 120)),
        lambda: low_chances(d(10).explode().highest(8, 4), 120),
    ),
    (
        "100d20 keep 50",
        lambda: odds(keep, 100, 20, 50).values(),
        lambda: chances(d(20).highest(100, 50)),
    ),
    (
        "widest set in 10d10",
        lambda: odds(widest_set, 10, 10).values(),
        lambda: chances(d(10).pool(10).largest_count()),
    ),
    (
        "straights in 7d6",
        lambda: odds(straight, 7).values(),
        lambda: chances(d(6).pool(7).largest_straight()),
    ),
    ("1000d6", lambda: odds(many, 1000).values(), lambda: chances(1000 @ d(6))),
    (
        "20d6 exploding, each total to 150",
        lambda: listed(odds(many_exploding, 20), range(20, 150)),
        lambda: low_chances(20 @ d(6).explode(), 150),
    ),
    (
        "30d10 against 30d8",
        lambda: [odds(against, 30, 10, 8)[True]],
        lambda: [((30 @ d(10)) > (30 @ d(8))).probability(True)],  # noqa: FBT003
    ),
    ("Blades, pool of 10", lambda: listed(odds(blades, 10), BLADES), lambda: icepool_blades(10)),
    (
        "Year Zero, 4+3+2 pushed",
        lambda: odds(year_zero, 4, 3, 2).values(),
        lambda: icepool_year_zero(4, 3, 2),
    ),
    (
        "20 shots: hit, wound, save",
        lambda: odds(volley, 20).values(),
        lambda: icepool_volley(20),
    ),
    (
        "Genesys, 3+2 against 3",
        lambda: odds(genesys, 3, 2, 3).values(),
        lambda: icepool_genesys(3, 2, 3),
    ),
    (
        "Yahtzee in three throws",
        lambda: odds(yahtzee, 3, 0).values(),
        lambda: icepool_yahtzee(3),
    ),
    (
        "death saves",
        lambda: listed(odds(death_saves, 0, 0), ("stable", "dead", "up")),
        icepool_death_saves,
    ),
    (
        "advantage, doubled damage",
        lambda: odds(smite, 7, 15).values(),
        lambda: icepool_smite(7, 15),
    ),
    (
        "{1d12,1d10,1d8,1d6}kh2, typed",
        lambda: odds("{1d12,1d10,1d8,1d6}kh2").values(),
        lambda: chances(icepool.highest(d(12), d(10), d(8), d(6), keep=2)),
    ),
    (
        "{1d6!,1d6!,1d6!,1d6!}kh3, typed",
        lambda: listed(odds("{1d6!,1d6!,1d6!,1d6!}kh3"), range(3, 60)),
        lambda: low_chances(d(6).explode().highest(4, 3), 60),
    ),
    (
        "10d6*10d6, typed",
        lambda: odds("10d6*10d6").values(),
        lambda: chances((10 @ d(6)) * (10 @ d(6))),
    ),
]

POOL_MECHANICS = [
    blades, pushed, year_zero, volley, genesys, yahtzee, death_saves, smite, keep, mixed, product,
    exploding_keep, many, many_exploding, against, widest_set, straight,
    play.notation, play.part, play.one_die, play.hits_of_one_die, play.hits_in_group,
    play.best_of_group,
]  # fmt: skip
