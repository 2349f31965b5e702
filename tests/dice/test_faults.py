"""Forbidden operations in a mechanic, with their error sentences."""

import random
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import NamedTuple

import pytest

from kitchentable.dice import (
    BadDie,
    BadInput,
    DiceFault,
    Die,
    KitchenTableError,
    MixedOutcomes,
    NoSuchThrow,
    NotANumber,
    NotHashable,
    NotRepeatable,
    RollingDice,
    SystemEntropy,
    TooDeep,
    TooManyPaths,
    exploding,
    mechanic,
    odds,
    roll,
    sample,
    start_over,
)
from kitchentable.dice.solving import paths
from kitchentable.dice.solving.keys import make_key
from kitchentable.dice.solving.solver import Solver


class Box:
    def __init__(self, inside):
        self.inside = inside


@dataclass(frozen=True)
class Sealed:
    inside: object


@dataclass(frozen=True)
class Computed:
    total: int

    def doubled(self):
        return 2 * self.total


def test_too_many_paths_names_the_mechanic_and_the_cure(monkeypatch):
    monkeypatch.setattr(paths, "MOST_PATHS", 12_000)

    @mechanic
    def every_detail(dice):
        return tuple(dice.die(10) for _ in range(6))

    with pytest.raises(TooManyPaths, match=r"every_detail.*dice\.total.*sample") as caught:
        odds(every_detail)
    assert caught.value.code == "dice/too-many-paths"
    assert len(sample(every_detail, n=900).counts) > 850


def test_too_large_a_handful_says_what_to_ask_instead():
    @mechanic
    def looked_at(dice):
        return tuple(dice.pool(40, 20))

    with pytest.raises(TooManyPaths, match=r"40 d20 can fall in \d+ ways.*highest\(k\)"):
        odds(looked_at)


@pytest.mark.slow
def test_a_loop_that_never_ends_is_stopped():
    @mechanic
    def stuck(dice):
        while dice.die(6) < 7:
            pass

    with pytest.raises(TooManyPaths, match="stuck throws more than"):
        odds(stuck)


def test_the_budget_counts_paths():
    @mechanic
    def three(dice):
        return dice.die(6) >= 3, dice.die(6) >= 3

    assert Solver(10).solve(make_key(three, (), {})).unresolved == 0
    three.forget()
    with pytest.raises(TooManyPaths):
        Solver(3).solve(make_key(three, (), {}))


def test_other_randomness_shows_both_choices():
    luck = random.Random(5)

    @mechanic
    def fickle(dice):
        sides = luck.choice([6, 8, 10, 12])
        return dice.die(sides) >= 3, dice.die(6) >= 3

    with pytest.raises(NotRepeatable, match=r"fickle.*first asked for a d\d+ and then for a d\d+"):
        odds(fickle)


def test_a_clock_that_only_changes_the_outcome_is_caught():
    ticks = count()

    @mechanic
    def late(dice):
        return dice.die(6) + next(ticks)

    with pytest.raises(NotRepeatable, match="late"):
        odds(late)


def test_fewer_dice_than_before_is_caught():
    ticks = count()

    @mechanic
    def tired(dice):
        return dice.die(6) >= 3 and next(ticks) == 0 and dice.die(6) >= 2

    with pytest.raises(NotRepeatable, match="tired"):
        odds(tired)


def test_a_pending_result_in_an_object_is_looked_at():
    @mechanic
    def boxed(dice):
        return Sealed(boxed(dice)) if dice.die(6) == 6 else "open"

    solved = odds(boxed)
    low = solved[Sealed(Sealed("open"))].low
    assert solved.unresolved < Fraction(1, 10**18)
    assert abs(low - Fraction(5, 216)) <= solved.unresolved


def test_a_covered_number_in_an_object_is_looked_at():
    @mechanic
    def totalled(dice):
        return Computed(dice.total(2, 2)).doubled()

    assert dict(odds(totalled).items()) == {
        4: Fraction(1, 4),
        6: Fraction(1, 2),
        8: Fraction(1, 4),
    }

    @mechanic
    def boxed_number(dice):
        return Box(dice.die(2)).inside

    assert dict(odds(boxed_number).items()) == {1: Fraction(1, 2), 2: Fraction(1, 2)}


def test_outcomes_and_arguments_are_hashable():
    @mechanic
    def listed(dice):
        return [dice.die(6)]

    @mechanic
    def given(dice, numbers):
        return dice.die(6) in numbers

    with pytest.raises(NotHashable, match="outcome of the mechanic listed"):
        odds(listed)
    with pytest.raises(NotHashable, match="arguments of the mechanic given"):
        odds(given, [1, 2])

    @mechanic
    def passing_on(dice):
        return given(dice, [1, 2])

    with pytest.raises(NotHashable, match="arguments of the mechanic given"):
        odds(passing_on)


def test_outcomes_are_compared_by_value():
    @mechanic
    def boxed(dice):
        return Box(dice.die(6) >= 3)

    with pytest.raises(NotHashable, match="a Box, which is equal only to itself"):
        odds(boxed)


def test_words_are_not_added():
    odd = Die("odd", (1, "odd"))

    @mechanic
    def added(dice):
        return dice.total(2, odd)

    @mechanic
    def added_to_itself(dice):
        return 1 + added_to_itself(dice) if dice.die(6) == 6 else "end"

    with pytest.raises(NotANumber, match="'odd' is not a whole number"):
        odds(added)
    with pytest.raises(NotANumber, match=r"added_to_itself.*'end'"):
        odds(added_to_itself)


def test_calls_may_go_deep():
    @mechanic
    def one_by_one(dice, n):
        return dice.die(6) + one_by_one(dice, n - 1) if n else 0

    @mechanic
    def best(dice, n):
        return max(dice.die(6), best(dice, n - 1)) if n else 0

    assert odds(one_by_one, 200).mean() == 700
    assert odds(best, 300)[5] == Fraction(5**300 - 4**300, 6**300)


@pytest.mark.slow
def test_results_that_are_needed_too_deep():
    @mechanic
    def deeper(dice, n):
        return max(1, deeper(dice, n + 1))

    @mechanic
    def deep(dice, n):
        return max(1, deep(dice, n - 1)) if n else 0

    assert odds(deep, 9_000)[1] == 1
    with pytest.raises(TooDeep, match=r"more than 10000 levels deep"):
        odds(deep, 11_000)
    with pytest.raises(TooDeep, match=r"deeper\(10000\).*more than 10000 levels deep"):
        odds(deeper, 0)


def test_dice_handed_on_behind_the_back():
    @mechanic
    def inner(dice, holder):
        return holder.dice.die(6) >= 3

    @dataclass(frozen=True)
    class Holder:
        dice: object

    @mechanic
    def outer(dice):
        return inner(dice, Holder(dice))

    with pytest.raises(DiceFault, match="only its own dice"):
        odds(outer)


def test_start_over_outside_a_mechanic():
    with pytest.raises(KitchenTableError, match="outside a mechanic"):
        start_over()


@pytest.mark.parametrize(
    "throw",
    [
        lambda dice: dice.die(0),
        lambda dice: dice.die(10_001),
        lambda dice: dice.die("d6"),
        lambda dice: dice.total(1001),
        lambda dice: dice.total(-1),
        lambda dice: dice.total(2, keep_highest=1, keep_lowest=1),
        lambda dice: dice.count(2, 6),
        lambda dice: dice.count(2, 6, hit=lambda face: face > 1, at_least=3),
        lambda dice: dice.total(2, of=()),
        lambda dice: dice.pool(2, 6).highest(-1).total(),
        lambda dice: dice.draw({}),
        lambda dice: dice.draw({"a": -1, "b": 2}),
        lambda dice: dice.draw({"a": 0.5}),
        lambda dice: dice.draw({"a": 10_000, "b": 1}),
        lambda dice: dice.draw(["rope", "lamp"]),
        lambda dice: dice.draw([1, 2]),
        lambda dice: dice.draw([("rope", 1, "wet")]),
        lambda dice: exploding(dice, 6, 1),
    ],
)
def test_dice_that_nobody_throws(throw):
    asked = mechanic(throw)
    for read in (odds, roll, lambda one: sample(one, n=1)):
        with pytest.raises(BadDie) as caught:
            read(asked)
        assert isinstance(caught.value, BadInput)
        assert str(caught.value).endswith(".")


def test_a_die_has_faces():
    with pytest.raises(BadDie):
        Die("nothing", ())
    with pytest.raises(NotANumber, match="'a' is not a number"):
        RollingDice(SystemEntropy()).total(1, Die("letter", ("a",)))


def test_errors_in_a_mechanic_are_its_own():
    @mechanic
    def broken(dice):
        return 1 // (dice.die(6) - 3)

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            odds(broken)


def test_what_dice_and_numbers_do_not_have_is_named():
    @mechanic
    def rolled(dice):
        return dice.roll(6)

    @mechanic
    def misspelt(dice):
        return dice.die(6).high

    @mechanic
    def careful(dice):
        return hasattr(dice, "roll"), hasattr(dice.die(6), "high"), dice.die(6).bit_length()

    with pytest.raises(NoSuchThrow, match="Dice have no 'roll'"):
        odds(rolled)
    with pytest.raises(AttributeError, match="'int' object has no attribute 'high'"):
        odds(misspelt)
    third = Fraction(1, 3)
    assert dict(odds(careful).items()) == {
        (False, False, 1): Fraction(1, 6),
        (False, False, 2): third,
        (False, False, 3): Fraction(1, 2),
    }


def test_more_dice_than_before_is_caught():
    ticks = count()

    @mechanic
    def eager(dice):
        high = dice.die(6) >= 3
        return high and (next(ticks) == 0 or dice.die(6) > 0)

    with pytest.raises(NotRepeatable, match=r"asked for .*only the second time"):
        odds(eager)


def test_a_swallowed_signal_does_not_change_the_odds():
    @mechanic
    def careless(dice):
        face = dice.die(2)
        try:
            return {1: "one", 2: "two"}[face]
        except Exception:  # noqa: BLE001 - the carelessness that is meant
            return "lost"

    assert dict(odds(careless).items()) == {"one": Fraction(1, 2), "two": Fraction(1, 2)}


@mechanic
def far_apart(dice, n: int) -> int:
    """Each throw gives a different number."""
    return sum(dice.die(20) * 21**place for place in range(n))


def test_sums_that_come_to_too_many_numbers_are_refused_at_once():
    assert len(odds(far_apart, 3)) == 20**3
    with pytest.raises(TooManyPaths, match="too many possible values"):
        odds(far_apart, 8)


@mechanic
def mixing_kinds(dice, *outcomes):
    """One of some outcomes."""
    return outcomes[dice.die(len(outcomes)) - 1]


@mechanic
def truth_or_number(dice):
    """A whole number in plain sight or symbolic, or a truth."""
    return dice.die(3) > 2 if dice.die(2) == 1 else dice.die(3)


@mechanic
def handing_on_kinds(dice):
    return mixing_kinds(dice, 1, 5) if dice.die(2) == 1 else mixing_kinds(dice, 1.0, 6)


@mechanic
def going_round_kinds(dice):
    """A mechanic that looks at its own result, which is True or 1."""
    face = dice.die(3)
    if face == 3:
        return f"{going_round_kinds(dice)}!"[:2]
    return face == 1 or 1


@mechanic
def spelled(dice, inner, *args):
    return str(inner(dice, *args))


@pytest.mark.parametrize(
    ("inner", "args", "words"),
    [
        (mixing_kinds, (0, 2, False), "0 and False"),
        (mixing_kinds, (False, 0), "False and 0"),
        (mixing_kinds, (1.0, "miss", Fraction(1)), r"1\.0 and Fraction\(1, 1\)"),
        (mixing_kinds, (("a", 1), ("a", True)), r"\('a', 1\) and \('a', True\)"),
        (mixing_kinds, (0.0, -0.0), r"0\.0 and -0\.0"),
        (mixing_kinds, (frozenset([1]), frozenset([True])), r"frozenset\(\{1\}\) and"),
        (truth_or_number, (), "1 and True|True and 1"),
        (handing_on_kinds, (), r"1 and 1\.0"),
    ],
)
def test_results_of_mixed_kinds_are_refused_where_they_are_looked_at(inner, args, words):
    with pytest.raises(MixedOutcomes, match=rf"uses the result of {inner.name}.*({words}).*int"):
        odds(spelled, inner, *args)
    assert sum(odds(inner, *args).values()) == 1


@mechanic
def endless_or(dice, other):
    return other if dice.die(2) == 1 else exploding(dice, 6)


@mechanic
def endless_in_sight_or(dice, other):
    """The same number, as a total."""
    return other if dice.die(2) == 1 else dice.total(1, (exploding, 6))


@pytest.mark.parametrize("inner", [endless_or, endless_in_sight_or])
@pytest.mark.parametrize("one", [True, 1.0, Fraction(1)])
def test_a_number_without_end_and_an_equal_outcome_count_together(inner, one):
    found = odds(inner, one)
    both = Fraction(1, 2) + Fraction(1, 12)
    assert found[one] == found[1] == both
    assert odds(inner, one)[1] == dict(found.items())[1] == both
    assert sum(found.values()) + found.unresolved == 1
    assert found.at_most(1) == both
    assert found.exact
    words = re.escape(repr(one))
    with pytest.raises(MixedOutcomes, match=rf"{inner.name}.*(1 and {words}|{words} and 1)"):
        odds(spelled, inner, one)


@pytest.mark.parametrize("other", [0.5, "miss", False, None, float("inf")])
def test_a_number_without_end_beside_no_equal_outcome_is_looked_at(other):
    found = odds(spelled, endless_in_sight_or, other)
    assert Fraction(1, 2) in found[str(other)]


def test_results_of_mixed_kinds_are_refused_in_a_circle_too():
    with pytest.raises(MixedOutcomes, match="True and 1"):
        odds(going_round_kinds)


def test_draws_and_dice_tell_kinds_apart():
    def drawn(dice):
        return str(dice.draw([(True, 1), (1.0, 2), (1, 3)]))

    assert dict(odds(drawn).items()) == {
        "True": Fraction(1, 6),
        "1.0": Fraction(1, 3),
        "1": Fraction(1, 2),
    }


def test_results_of_one_kind_each_are_no_mixture():
    found = odds(spelled, mixing_kinds, 0, "0", None, True)
    assert dict(found.items()) == {
        "0": Fraction(1, 2),
        "None": Fraction(1, 4),
        "True": Fraction(1, 4),
    }


class Pair(NamedTuple):
    a: int
    b: int


def test_arguments_that_are_equal_inside_a_tuple_are_told_apart():
    assert dict(odds(spelled, mixing_kinds, (1, 2)).items()) == {"(1, 2)": 1}
    assert dict(odds(spelled, mixing_kinds, (True, 2)).items()) == {"(True, 2)": 1}
    assert dict(odds(spelled, mixing_kinds, Pair(1, 2)).items()) == {"Pair(a=1, b=2)": 1}
    assert dict(odds(spelled, mixing_kinds, Pair(True, 2)).items()) == {"Pair(a=True, b=2)": 1}
