"""Properties of every mechanic, on mechanics put together at random.

A rule is a small tree: dice, sums, questions, handfuls, other mechanics, attempts begun again. The
same tree is played, solved, sampled and replayed; the readings have to agree.
"""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kitchentable.dice import (
    Die,
    SeededSource,
    Trace,
    load,
    mechanic,
    odds,
    replay,
    roll,
    sample,
    start_over,
)
from tests.dice.oracle import agrees, brute

FUNNY = Die("funny", (0, 0, 3, "odd"))


@mechanic
def rule(dice, tree, known=()):
    """Play a tree; `known` are the numbers met further out."""
    return play(dice, tree, known)


def play(dice, tree, known):  # noqa: PLR0911 - one return for each kind of node
    kind, *parts = tree
    if kind == "number":
        return parts[0]
    if kind == "known":
        return known[parts[0] % len(known)] if known else 1
    if kind == "die":
        return dice.die(parts[0])
    if kind == "funny":
        face = dice.die(FUNNY)
        return 7 if face == "odd" else face
    if kind == "total":
        n, sides, keep = parts
        return dice.total(n, sides, keep_highest=keep)
    if kind == "pool":
        pool = dice.pool(parts[0], parts[1]).drop_lowest()
        return pool.total() if parts[2] else pool.count(lambda face: face > 1)
    if kind == "rule":
        return rule(dice, parts[0], tuple(known[:1]))
    if kind == "start over":
        value = play(dice, parts[0], known)
        return start_over() if value == 1 else value
    if kind == "let":
        value = play(dice, parts[0], known)
        return play(dice, parts[1], (value, *known))
    if kind == "if":
        a, b = play(dice, parts[1], known), play(dice, parts[2], known)
        if COMPARISONS[parts[0]](a, b):
            return play(dice, parts[3], (a, *known))
        return play(dice, parts[4], (b, *known))
    values = [play(dice, part, known) for part in parts]
    return OPERATIONS[kind](*values)


COMPARISONS = {
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "twice": lambda a: 2 * a,
    "max": max,
    "min": min,
    "abs": abs,
    "half": lambda a: a // 2,
    "times": lambda a, b: a * b,
}

LEAVES = st.one_of(
    st.tuples(st.just("number"), st.integers(-2, 4)),
    st.tuples(st.just("known"), st.integers(0, 2)),
    st.tuples(st.just("die"), st.integers(2, 4)),
    st.tuples(st.just("funny")),
    st.tuples(st.just("total"), st.integers(1, 2), st.integers(2, 3), st.sampled_from([None, 1])),
    st.tuples(st.just("pool"), st.integers(2, 2), st.integers(2, 3), st.booleans()),
)


def grown(trees):
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "max", "min", "times"]), trees, trees),
        st.tuples(st.sampled_from(["twice", "abs", "half"]), trees),
        st.tuples(st.just("rule"), trees),
        st.tuples(st.just("let"), trees, trees),
        st.tuples(st.just("if"), st.sampled_from(sorted(COMPARISONS)), trees, trees, trees, trees),
    )


TREES = st.recursive(LEAVES, grown, max_leaves=6)
LARGER = st.recursive(LEAVES, grown, max_leaves=9)
MOST = 7


@dataclass(frozen=True)
class Facts:
    outcome: object


@mechanic
def in_a_value(dice, tree):
    return Facts(play(dice, tree, ()))


@pytest.mark.slow
@settings(max_examples=150)
@given(TREES)
def test_the_solver_agrees_with_every_face_tried(tree):
    found, left = brute(rule, tree, most=MOST)
    assert agrees(odds(rule, tree), found, left)
    if not left:
        assert odds(rule, tree).unresolved == 0


@settings(max_examples=40)
@given(TREES)
def test_outcomes_inside_values_have_the_same_odds(tree):
    plain = {Facts(outcome): chance for outcome, chance in odds(rule, tree).items()}
    assert dict(odds(in_a_value, tree).items()) == plain


@settings(max_examples=60)
@given(TREES, st.integers(0, 2**32))
def test_every_roll_is_possible_and_can_be_replayed(tree, seed):
    thrown = roll(rule, tree, source=SeededSource(seed))
    assert odds(rule, tree)[thrown.outcome] > 0
    again = Trace.from_data(thrown.trace.to_data())
    assert replay(rule, tree, trace=again) == thrown
    assert load(rule, tree, faces=thrown.trace.faces) == thrown


@settings(max_examples=40)
@given(TREES, st.lists(TREES, min_size=1, max_size=2))
def test_attempts_begun_again_are_conditioned(tree, others):
    """Starting over leaves aside the outcome that is thrown again, and nothing else."""
    again = ("start over", tree)
    plain, conditioned = odds(rule, tree), odds(rule, again)
    ones = plain[1]
    if ones == 1:
        assert conditioned.unresolved == 1
        return
    assert dict(conditioned.items()) == {
        outcome: chance / (1 - ones) for outcome, chance in plain.items() if outcome != 1
    }


def chi_square_quantile(freedom, z):
    """Wilson and Hilferty's approximation, close enough from one degree of freedom on."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + z * math.sqrt(part)) ** 3


def fits(tally, distribution, n):
    """Pearson's test with a false alarm in about 10**-6 of all tests (z = 4.75).

    Outcomes expected less than ten times are taken together.
    """
    cells, rest = Counter(), Counter()
    for outcome, chance in distribution.items():
        if chance * n >= 10:
            cells[outcome] = float(chance * n)
        else:
            rest["seen"] += tally[outcome]
            rest["expected"] += float(chance * n)
    gaps = [(tally[outcome] - expected) ** 2 / expected for outcome, expected in cells.items()]
    if rest["expected"] >= 10:
        gaps.append((rest["seen"] - rest["expected"]) ** 2 / rest["expected"])
    elif rest["seen"] > 40:
        return False
    freedom = len(gaps) - 1
    return freedom < 1 or sum(gaps) <= chi_square_quantile(freedom, 4.75)


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(TREES)
def test_running_and_drawing_agree_with_the_odds(tree):
    distribution = odds(rule, tree)
    source = SeededSource(20_211_122)
    run = Counter(roll(rule, tree, source=source).outcome for _ in range(900))
    assert fits(run, distribution, 900)
    drawn = sample(rule, tree, n=5000, source=source)
    assert drawn.n == sum(drawn.counts.values()) == 5000
    assert fits(drawn, distribution, 5000)


def test_the_chi_square_test_can_fail():
    @mechanic
    def fair(dice):
        return dice.die(6)

    loaded = Counter(dict.fromkeys(range(1, 7), 150))
    assert fits(loaded, odds(fair), 900)
    loaded[6] += 90
    loaded[1] -= 90
    assert not fits(loaded, odds(fair), 900)


@settings(max_examples=25)
@given(st.integers(2, 30), st.integers(2, 12), st.integers(1, 30))
def test_hits_are_binomial(n, sides, least):
    @mechanic
    def hits(dice):
        return dice.count(n, sides, at_least=least)

    p = Fraction(max(0, sides - least + 1), sides)
    expected = {k: math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}
    assert dict(odds(hits).items()) == {k: chance for k, chance in expected.items() if chance}


@pytest.mark.soak
@settings(max_examples=6000)
@given(LARGER)
def test_larger_rules_agree_with_every_face_tried(tree):
    found, left = brute(rule, tree, most=MOST)
    assert agrees(odds(rule, tree), found, left)
