"""Games, races, urns and limits: problems with known answers, each beside its own reckoning."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial
from time import thread_time

import pytest

from kitchentable.dice import exploding, mechanic, odds, start_over
from kitchentable.dice.errors import TooDeep, TooSlow
from tests.slowness import slowness

HALF = Fraction(1, 2)
SIX = Fraction(6)


def solve_linear(rows, right):
    """The solution of a linear system, by Gaussian elimination; rows map columns to fractions."""
    rows = [{**row, None: one} for row, one in zip(rows, right, strict=True)]
    for at in range(len(rows)):
        pivot = next(i for i in range(at, len(rows)) if rows[i].get(at))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        head = rows[at][at]
        rows[at] = {column: value / head for column, value in rows[at].items() if value}
        for row in rows[at + 1 :]:
            factor = row.pop(at, None)
            if factor:
                for column, value in rows[at].items():
                    if column != at:
                        row[column] = row.get(column, 0) - factor * value
    found = [Fraction(0)] * len(rows)
    for at in reversed(range(len(rows))):
        row = rows[at]
        rest = (v * found[to] for to, v in row.items() if to is not None and to > at)
        found[at] = row.get(None, Fraction(0)) - sum(rest)
    return found


# -- urns and orders -----------------------------------------------------------------------------


@mechanic
def polya(dice, red, black, draws):
    """Red balls drawn from an urn into which each goes back with one more."""
    if not draws:
        return 0
    if dice.die(red + black) <= red:
        return 1 + polya(dice, red + 1, black, draws - 1)
    return polya(dice, red, black + 1, draws - 1)


@mechanic
def ballot(dice, mine, yours, lead=0):
    """Whether one candidate is ahead throughout the count."""
    if mine + yours == 0:
        return True
    if dice.die(mine + yours) <= mine:
        return ballot(dice, mine - 1, yours, lead + 1)
    return lead > 1 and ballot(dice, mine, yours - 1, lead - 1)


@mechanic
def hats(dice, left, who=0):
    """How many get their own hat back."""
    if not left:
        return 0
    at = dice.die(len(left)) - 1
    return (left[at] == who) + hats(dice, left[:at] + left[at + 1 :], who + 1)


@mechanic
def secretary(dice, n, skip, seen=0, taken=False):
    """Whether the first of n who is better than the first `skip` and all since is the best."""
    if seen == n:
        return taken
    if dice.die(seen + 1) > 1:
        return secretary(dice, n, skip, seen + 1, taken)
    return not taken and secretary(dice, n, skip, seen + 1, seen >= skip)


def test_the_urn_of_polya_gives_every_number_alike():
    assert dict(odds(polya, 1, 1, 30).items()) == dict.fromkeys(range(31), Fraction(1, 31))


@pytest.mark.parametrize(("mine", "yours"), [(1, 0), (3, 2), (30, 20), (40, 1)])
def test_ballots_are_counted_as_bertrand_says(mine, yours):
    assert odds(ballot, mine, yours)[True] == Fraction(mine - yours, mine + yours)


def test_hats_come_back_as_montmort_says():
    def deranged(n):
        return sum((-1) ** k * factorial(n) // factorial(k) for k in range(n + 1))

    distribution = odds(hats, tuple(range(7)))
    for k in (0, 1, 2, 5, 7):
        assert distribution[k] == Fraction(comb(7, k) * deranged(7 - k), factorial(7))
    assert distribution[6] == 0


@pytest.mark.parametrize(("n", "skip"), [(4, 1), (10, 3), (40, 15)])
def test_the_best_secretary_is_found_as_often_as_the_sum_says(n, skip):
    truth = Fraction(skip, n) * sum(Fraction(1, k - 1) for k in range(skip + 1, n + 1))
    assert odds(secretary, n, skip)[True] == truth


# -- points and races ----------------------------------------------------------------------------


@mechanic
def points(dice, mine, yours, win):
    """Who is first to win the points that are missing, mine with faces up to `win` of a d10."""
    if not mine or not yours:
        return not mine
    if dice.die(10) <= win:
        return points(dice, mine - 1, yours, win)
    return points(dice, mine, yours - 1, win)


@mechanic
def duel(dice, mine, yours):
    """The same with a d6 each; ties are thrown again."""
    if not mine or not yours:
        return "mine" if not mine else "yours"
    a, b = dice.die(6), dice.die(6)
    if a == b:
        return duel(dice, mine, yours)
    return duel(dice, mine - 1, yours) if a > b else duel(dice, mine, yours - 1)


def won_points(mine, yours, chance):
    """Pascal and Fermat: play all points that can be needed, and count mine."""
    most = mine + yours - 1
    return sum(
        comb(most, k) * chance**k * (1 - chance) ** (most - k) for k in range(mine, most + 1)
    )


@pytest.mark.parametrize(("mine", "yours", "win"), [(1, 3, 5), (2, 3, 5), (7, 4, 6), (30, 40, 3)])
def test_points_are_divided_as_pascal_and_fermat_did(mine, yours, win):
    assert odds(points, mine, yours, win)[True] == won_points(mine, yours, Fraction(win, 10))


@pytest.mark.slow
def test_a_fair_duel_is_fair_in_every_order_of_asking():
    duel.forget()
    assert [odds(duel, n, n)["mine"] for n in (20, 50, 15)] == [HALF] * 3
    used = odds(duel, 17, 11)
    assert used["mine"] == won_points(17, 11, HALF)
    duel.forget()
    assert [odds(duel, n, n)["mine"] for n in (15, 20)] == [HALF] * 2
    duel.forget()
    assert odds(duel, 17, 11) == used


@pytest.mark.soak
def test_a_long_fair_duel_is_fair():
    assert odds(duel, 200, 200)["mine"] == HALF


@mechanic
def race(dice, mine, yours):
    """Two with hit points strike in turn, a d6 each time; whether the first one wins."""
    yours = yours - dice.die(6)
    if yours <= 0:
        return True
    return answered(dice, mine, yours)


@mechanic
def answered(dice, mine, yours):
    mine = mine - dice.die(6)
    if mine <= 0:
        return False
    return race(dice, mine, yours)


@mechanic
def clock(dice, left):
    """Strokes of a d3 until a clock has run down."""
    return 1 + clock(dice, left - dice.die(3)) if left > 0 else 0


@pytest.mark.slow
def test_a_race_of_hit_points_is_won_as_a_table_says():
    wins, after = {}, {}
    for mine in range(1, 46):
        for yours in range(1, 46):
            after[mine, yours] = sum(wins[mine - b, yours] for b in range(1, min(7, mine))) / SIX
            wins[mine, yours] = (
                sum(1 if yours <= a else after[mine, yours - a] for a in range(1, 7)) / SIX
            )
    assert odds(race, 45, 45)[True] == wins[45, 45]
    assert odds(race, 45, 44)[True] == wins[45, 44]


def test_a_clock_runs_down_as_a_table_says():
    steps = {left: {0: Fraction(1)} for left in (-2, -1, 0)}
    for left in range(1, 91):
        row = steps[left] = {}
        for face in (1, 2, 3):
            for count, chance in steps[left - face].items():
                row[count + 1] = row.get(count + 1, 0) + chance / 3
    assert dict(odds(clock, 90).items()) == steps[90]


@mechanic
def clash(dice, ours, theirs):
    """The attackers that fall in one round of Risk."""
    attacks, defends = dice.pool(ours), dice.pool(theirs)
    return sum(a <= b for a, b in zip(attacks, defends, strict=False))


@mechanic
def risk(dice, attackers, defenders):
    """Whether the attackers win a battle to the end."""
    if not attackers or not defenders:
        return attackers > 0
    ours, theirs = min(3, attackers), min(2, defenders)
    fallen = clash(dice, ours, theirs)
    return risk(dice, attackers - fallen, defenders - (min(ours, theirs) - fallen))


@cache
def one_clash(ours, theirs):
    """How often this many attackers fall, face by face."""
    fallen = [0, 0, 0]
    for faces in product(range(1, 7), repeat=ours + theirs):
        pairs = zip(
            sorted(faces[:ours], reverse=True), sorted(faces[ours:], reverse=True), strict=False
        )
        fallen[sum(a <= b for a, b in pairs)] += 1
    return [Fraction(one, 6 ** (ours + theirs)) for one in fallen]


def won_risk(most):
    wins = {(0, defenders): Fraction(0) for defenders in range(1, most + 1)}
    for attackers in range(1, most + 1):
        wins[attackers, 0] = Fraction(1)
        for defenders in range(1, most + 1):
            ours, theirs = min(3, attackers), min(2, defenders)
            fight = min(ours, theirs)
            wins[attackers, defenders] = sum(
                one_clash(ours, theirs)[a] * wins[attackers - a, defenders - (fight - a)]
                for a in range(fight + 1)
            )
    return wins


@pytest.mark.slow
@pytest.mark.parametrize(("size", "about"), [(30, 0.67611), (60, 0.75820)])
def test_risk_is_won_as_a_table_says(size, about):
    chance = odds(risk, size, size)[True]
    assert chance == won_risk(size)[size, size]
    assert float(chance) == pytest.approx(about, abs=1e-4)


# -- a board of a hundred squares ----------------------------------------------------------------

LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
SNAKES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}


def moved(square, face):
    """Where a face leads; beyond the last square nobody moves."""
    to = square + face
    return square if to > 100 else (LADDERS | SNAKES).get(to, to)


@mechanic
def board(dice, square=0):
    """Turns until the last square."""
    return 1 + board(dice, moved(square, dice.die(6))) if square < 100 else 0


@mechanic
def board_of_sixes(dice, square=0):
    """Turns until the last square, when a six throws again in the same turn."""
    if square == 100:
        return 0
    face = dice.die(6)
    if face == 6 and moved(square, face) < 100:
        return board_of_sixes(dice, moved(square, face))
    return 1 + board_of_sixes(dice, moved(square, face))


def mean_turns(counted):
    """The mean turns from the first square, by Gaussian elimination over every square."""
    rows = []
    for square in range(100):
        row = {square: Fraction(1)}
        for face in range(1, 7):
            if moved(square, face) < 100:
                row[moved(square, face)] = row.get(moved(square, face), 0) - Fraction(1, 6)
        rows.append(row)
    right = [
        sum(Fraction(counted(square, face), 6) for face in range(1, 7)) for square in range(100)
    ]
    return solve_linear(rows, right)[0]


def test_a_board_takes_the_mean_turns_of_its_linear_system():
    mean = odds(board).mean()
    assert mean == mean_turns(lambda *_: 1)
    assert float(mean) == pytest.approx(39.225, abs=1e-3)


@pytest.mark.slow
def test_a_board_takes_so_many_turns_as_step_by_step():
    distribution = odds(board)
    at = {0: Fraction(1)}
    for turn in range(1, 31):
        after = {}
        for square, chance in at.items():
            for face in range(1, 7):
                to = moved(square, face)
                after[to] = after.get(to, 0) + chance / 6
        assert distribution[turn] == after.pop(100, 0)
        at = after
    assert distribution.at_least(31) == sum(at.values())


@pytest.mark.slow
def test_a_board_on_which_sixes_throw_again_takes_the_mean_turns_of_its_linear_system():
    mean = mean_turns(lambda square, face: not (face == 6 and moved(square, face) < 100))
    assert odds(board_of_sixes).mean() == mean < odds(board).mean()


# -- games of dice, coins and matches ------------------------------------------------------------


@mechanic
def craps(dice, point=0):
    """The pass line."""
    a = dice.total(2, 6)
    if point:
        return a == point if a in (7, point) else craps(dice, point)
    if a in (7, 11):
        return True
    return False if a in (2, 3, 12) else craps(dice, a)


@mechanic
def deuce(dice, lead=0):
    """Tennis from deuce; six of ten points are mine."""
    if abs(lead) == 2:
        return lead > 0
    return deuce(dice, lead + (1 if dice.die(10) <= 6 else -1))


@mechanic
def best_of_seven(dice, mine=0, yours=0):
    """How long a series lasts, and who wins it."""
    if 4 in (mine, yours):
        return (mine + yours, mine == 4)
    if dice.die(5) <= 3:
        return best_of_seven(dice, mine + 1, yours)
    return best_of_seven(dice, mine, yours + 1)


@mechanic
def fair_coin(dice):
    """Von Neumann: a fair coin from one that shows heads in three of ten throws."""
    first, second = dice.die(10) <= 3, dice.die(10) <= 3
    return fair_coin(dice) if first == second else first


@mechanic
def thrown_coins(dice):
    """How many throws the fair coin takes."""
    same = (dice.die(10) <= 3) == (dice.die(10) <= 3)
    return 2 + thrown_coins(dice) if same else 2


@mechanic
def d6_of_coins(dice):
    """A d6 from three coins."""
    number = 4 * dice.die(2) + 2 * dice.die(2) + dice.die(2) - 6
    if number > 6:
        start_over()
    return number


@mechanic
def initiative(dice, mine, yours):
    """Who acts first: a d10 each and a bonus, ties thrown again."""
    a, b = dice.die(10) + mine, dice.die(10) + yours
    return initiative(dice, mine, yours) if a == b else a > b


def test_craps_is_won_244_times_of_495():
    assert odds(craps)[True] == Fraction(244, 495)


def test_deuce_is_won_by_the_squares():
    p = Fraction(6, 10)
    assert odds(deuce)[True] == p**2 / (p**2 + (1 - p) ** 2)


def test_a_best_of_seven_is_negatively_binomial():
    p = Fraction(3, 5)
    distribution = odds(best_of_seven)
    for games in range(4, 8):
        ways = comb(games - 1, 3)
        assert distribution[games, True] == ways * p**4 * (1 - p) ** (games - 4)
        assert distribution[games, False] == ways * (1 - p) ** 4 * p ** (games - 4)


def test_dice_are_made_of_coins():
    assert dict(odds(fair_coin).items()) == {True: HALF, False: HALF}
    assert odds(thrown_coins).mean() == 2 / (2 * Fraction(3, 10) * Fraction(7, 10))
    assert dict(odds(d6_of_coins).items()) == dict.fromkeys(range(1, 7), Fraction(1, 6))


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_exploding_dice_have_the_mean_of_a_geometric_series(sides):
    assert odds(exploding, sides).mean() == Fraction(sides + 1, 2) * Fraction(sides, sides - 1)


@pytest.mark.parametrize(("mine", "yours"), [(0, 0), (3, 1), (9, 0), (2, 12)])
def test_initiative_is_won_among_what_is_no_tie(mine, yours):
    pairs = [a + mine - b - yours for a in range(1, 11) for b in range(1, 11)]
    won = sum(pair > 0 for pair in pairs)
    assert odds(initiative, mine, yours)[True] == Fraction(won, sum(pair != 0 for pair in pairs))


# -- limits --------------------------------------------------------------------------------------


@mechanic
def deep(dice, n):
    """Each level looks at the result of the next."""
    if not n:
        return dice.die(2)
    return 3 - max(1, deep(dice, n - 1))


@mechanic
def scores(dice, left, taken=()):
    """Every order of the faces of dice."""
    return scores(dice, left - 1, (*taken, dice.die(20))) if left else sum(taken)


@pytest.mark.slow
def test_results_that_are_needed_too_deep_are_refused_in_words():
    assert odds(deep, 2_000)[1] == HALF
    deep.forget()
    with pytest.raises(
        TooDeep, match=r"deep\(0\).*10000 levels.*Return results directly"
    ) as refused:
        odds(deep, 10_000)
    assert refused.value.code == "dice/too-deep"


def test_odds_that_take_too_long_are_refused_and_remembered():
    scores.forget()
    with pytest.raises(TooSlow, match=r"scores\(4\) take longer than 0.05 seconds.*within="):
        odds(scores, 4, within=0.05)
    start = thread_time()
    with pytest.raises(TooSlow, match=r"0\.05 seconds"):
        odds(scores, 4, within=0.05)
    assert thread_time() - start < 0.01 * slowness()
    with pytest.raises(TooSlow, match=r"0\.1 seconds"):
        odds(scores, 4, within=0.1)
    with pytest.raises(TooSlow, match=r"0\.1 seconds"):
        odds(scores, 4, within=0.02)


def test_odds_that_took_too_long_are_solved_with_more_time():
    scores.forget()
    with pytest.raises(TooSlow):
        odds(scores, 3, within=0.001)
    assert odds(scores, 3, within=20).mean() == Fraction(63, 2)
