"""The solver against plain enumeration, on random programs over all that numbers can do."""

from collections import Counter

import pytest

from kitchentable.dice import DiceFault, RollingDice, SeededSource, load, odds, replay, roll
from kitchentable.dice.errors import MixedOutcomes, NoSuchOutcome
from kitchentable.dice.quick import QuickDice
from tests.dice.enumerating import enumerate_faces
from tests.dice.oracle import agrees, brute
from tests.dice.programs import compiled, write

MOST = 8


def compared(seed):
    """How the solver compares with enumeration on one program; a difference is an error."""
    source = write(seed)
    rule = compiled(source, f"<program {seed}>")
    try:
        found, left = enumerate_faces(rule, most=MOST)
    except Exception as error:  # noqa: BLE001 - whatever the program raises, odds raise too
        with pytest.raises((type(error), DiceFault)):
            odds(rule)
        return "raises"
    try:
        distribution = odds(rule)
    except MixedOutcomes:
        return "mixed"
    except DiceFault:
        return "refused"
    except Exception as error:
        raise AssertionError(f"Program {seed} is not solved:\n{source}") from error
    try:
        assert agrees(distribution, found, left)
    except AssertionError as error:
        raise AssertionError(f"Program {seed} differs: {error}\n{source}") from error
    return "agrees"


@pytest.mark.slow
def test_random_programs_are_solved_as_they_are_enumerated():
    tally = Counter(compared(seed) for seed in range(150))
    assert tally["agrees"] >= 135
    assert tally["refused"] < 5
    assert tally["mixed"]


@pytest.mark.soak
def test_ten_thousand_random_programs_are_solved_as_they_are_enumerated():
    tally = Counter(compared(seed) for seed in range(150, 10_150))
    assert tally["agrees"] >= 9_000
    assert tally["refused"] < 100


@pytest.mark.slow
def test_every_way_of_throwing_gives_what_enumeration_gives():
    """Thrown, loaded, replayed and quickly thrown dice are plain numbers."""
    checked = 0
    for seed in range(60):
        rule = compiled(write(seed), f"<program {seed}>")
        found, left = enumerate_faces(rule, most=MOST)
        if not left:
            assert found == brute(rule, most=MOST)[0]
        for throw in range(3):
            thrown = roll(rule, source=SeededSource(throw))
            if len(thrown.trace.throws) > MOST:
                continue
            assert thrown.outcome in found
            assert load(rule, faces=thrown.trace.faces) == thrown
            assert replay(rule, trace=thrown.trace) == thrown
            assert rule(RollingDice(SeededSource(throw))) == thrown.outcome
            assert rule(QuickDice(SeededSource(throw))) in found or left
            checked += 1
    assert checked > 150


@pytest.mark.slow
def test_a_solver_that_errs_is_found_out(monkeypatch):
    """The programs do look past the operators of numbers: without the look at code they differ."""
    monkeypatch.setattr("kitchentable.dice.solving.dice.prepare", lambda walk: None)
    outcomes = []
    for seed in range(120):
        try:
            outcomes.append(compared(seed))
        except (AssertionError, NoSuchOutcome):
            outcomes.append("differs")
    assert outcomes.count("differs") > 1
