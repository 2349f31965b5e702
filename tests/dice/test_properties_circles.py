"""Properties of mechanics that call each other in circles, on systems put together at random.

A system is a few rules; each throws a die and, by the face, ends or calls rules of the same system
and does something with what they give. However they are entangled, the solver's chances must lie
within what every face tried leaves possible.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice import DiceFault, mechanic, odds, start_over
from tests.dice.oracle import agrees, brute

MOST = 5


@mechanic
def play(dice, system, number):
    """Play rule `number` of a system: the face of its die chooses the branch."""
    branches = system[number % len(system)]
    face = dice.die(len(branches))
    return follow(dice, system, branches[face - 1])


def follow(dice, system, branch):  # noqa: PLR0911 - one return for each kind of branch
    kind, *parts = branch
    if kind == "end":
        return parts[0]
    if kind == "hand on":
        return play(dice, system, parts[0])
    if kind == "add":
        return play(dice, system, parts[0]) + parts[1]
    if kind == "add a die":
        return dice.die(2) + play(dice, system, parts[0])
    if kind == "throw away":
        return start_over()
    if kind == "at most":
        return min(parts[1], play(dice, system, parts[0]))
    if kind == "two":
        return play(dice, system, parts[0]) - play(dice, system, parts[1])
    if kind == "ask":
        high = play(dice, system, parts[0]) >= parts[1]
        return play(dice, system, parts[2]) if high else parts[1]
    return len(f"{play(dice, system, parts[0])}")


RULES = st.integers(0, 2)
SMALL = st.integers(-1, 3)
ENDS = st.tuples(st.just("end"), SMALL)
GENTLE = st.one_of(
    st.tuples(st.just("hand on"), RULES),
    st.tuples(st.just("hand on"), RULES),
    st.tuples(st.just("add"), RULES, st.integers(0, 3)),
    st.tuples(st.just("add a die"), RULES),
    st.tuples(st.just("throw away")),
)
ROUGH = st.one_of(
    GENTLE,
    st.tuples(st.just("add"), RULES, st.integers(-3, -1)),
    st.tuples(st.just("at most"), RULES, SMALL),
    st.tuples(st.just("two"), RULES, RULES),
    st.tuples(st.just("ask"), RULES, SMALL, RULES),
    st.tuples(st.just("word"), RULES),
)


def systems(calls, most=3):
    branches = st.lists(st.one_of(ENDS, calls), min_size=1, max_size=most).map(tuple)
    ended = st.tuples(ENDS, branches).map(lambda pair: (pair[0], *pair[1]))
    return st.lists(ended, min_size=1, max_size=3).map(tuple)


@settings(max_examples=60, derandomize=True)
@given(systems(GENTLE))
def test_sums_and_results_handed_on_are_exact(system):
    found, left = brute(play, system, 0, most=MOST)
    distribution = odds(play, system, 0)
    assert distribution.exact
    assert agrees(distribution, found, left)


@pytest.mark.slow
@settings(max_examples=20, derandomize=True)
@given(systems(ROUGH, most=2))
def test_whatever_is_done_with_results_stays_true(system):
    found, left = brute(play, system, 0, most=MOST)
    assert agrees(odds(play, system, 0, bounds=True), found, left)


def patient_odds(system, number):
    """Odds without a limit of time: some systems of results used twice take half a minute."""
    return odds(play, system, number, bounds=True, within=300)


def check_forgetting(system, order):
    play.forget()
    used = {number: patient_odds(system, number) for number in order}
    for number in order:
        play.forget()
        fresh = patient_odds(system, number)
        assert fresh == used[number]
        assert fresh.never == used[number].never


@settings(max_examples=3, derandomize=True)
@given(systems(ROUGH), st.permutations([0, 1, 2]))
def test_what_was_solved_before_changes_nothing(system, order):
    check_forgetting(system, order)


@pytest.mark.soak
@settings(max_examples=300)
@given(systems(ROUGH), st.permutations([0, 1, 2]))
def test_what_was_solved_before_changes_nothing_of_many(system, order):
    check_forgetting(system, order)


@mechanic
def go(dice, system, number, down, up):  # noqa: PLR0911 - one return for each kind of branch
    """Play a rule of a system with two counters: one that ends the play at 0, one without end."""
    if not down:
        return up % 3
    branches = system[number % len(system)]
    kind, *parts = branches[dice.die(len(branches)) - 1]
    if kind == "end":
        return parts[0]
    if kind == "count":
        return up
    if kind == "throw away":
        return start_over()
    to, *parts = parts
    if kind == "down":
        return go(dice, system, to, down - 1, up)
    if kind == "up":
        return go(dice, system, to, down, up + 1)
    if kind == "stay":
        return go(dice, system, to, down, up)
    if kind == "add":
        return parts[0] + go(dice, system, to, down - parts[1], up)
    if kind == "at most":
        return min(parts[0], go(dice, system, to, down, up))
    if kind == "two":
        return go(dice, system, to, down - 1, up) - go(dice, system, to, down, up)
    if go(dice, system, to, down - parts[0], up) >= 1:
        return go(dice, system, parts[1], down, up)
    return up % 2


STEPS = st.one_of(
    st.tuples(st.just("count")),
    st.tuples(st.just("throw away")),
    st.tuples(st.sampled_from(["down", "stay"]), RULES),
    st.tuples(st.just("add"), RULES, st.integers(0, 2), st.integers(0, 1)),
)
ENDLESS = st.one_of(STEPS, st.tuples(st.just("up"), RULES))
NEEDED = st.one_of(
    STEPS,
    st.tuples(st.just("two"), RULES),
    st.tuples(st.just("at most"), RULES, st.integers(0, 2)),
    st.tuples(st.just("ask"), RULES, st.integers(0, 1), RULES),
)
ASKED = st.lists(st.tuples(RULES, st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=4)


def told(system, call):
    """All that the odds of one call say, or why they are refused."""
    try:
        found = odds(go, system, *call, bounds=True)
    except DiceFault as refused:
        return type(refused), str(refused)
    return dict(found.items()), found.unresolved, found.never


def check_order(system, calls):
    go.forget()
    used = [told(system, call) for call in calls]
    for call, before in zip(calls, used, strict=True):
        go.forget()
        assert told(system, call) == before, (system, call, calls)
        if isinstance(before[0], dict):
            found, left = brute(go, system, *call, most=MOST)
            assert agrees(odds(go, system, *call, bounds=True), found, left)


@settings(max_examples=10, derandomize=True)
@given(st.one_of(systems(ENDLESS), systems(NEEDED)), ASKED)
def test_counters_are_solved_alike_in_every_order_of_asking(system, calls):
    check_order(system, calls)


@pytest.mark.soak
@settings(max_examples=1000)
@given(st.one_of(systems(ENDLESS), systems(NEEDED)), ASKED)
def test_many_counters_in_every_order_of_asking(system, calls):
    check_order(system, calls)


@pytest.mark.soak
@settings(max_examples=1000)
@given(systems(ROUGH))
def test_many_circles(system):
    found, left = brute(play, system, 0, most=MOST)
    distribution = patient_odds(system, 0)
    assert agrees(distribution, found, left)
    assert 0 <= distribution.unresolved <= 1
