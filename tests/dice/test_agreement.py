"""Uses of dice besides arithmetic: equal results when solved, or a refusal."""

import contextlib
import copy
import functools
import json
import math
import operator
import sys
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction

import pytest

from kitchentable.dice import BadDie, DiceFault, Die, mechanic, odds, roll, sample, start_over, told
from kitchentable.dice.errors import CaughtInside, ComparedByIdentity
from kitchentable.dice.solving.inspection import Look, look_at
from tests.dice.enumerating import enumerate_faces
from tests.dice.oracle import agrees


class Suit(Enum):
    RED = 1
    BLUE = 2


class Level(IntEnum):
    ONE = 1
    TWO = 2


CARDS = Die("cards", (Suit.RED, Suit.BLUE, 3))
NOTHING = object()


@dataclass(frozen=True)
class Raised:
    number: int

    def __post_init__(self):
        object.__setattr__(self, "number", self.number + 1)


@dataclass(frozen=True)
class Aimed:
    target: int
    extra: int = 0


class Named:
    def __init__(self, number):
        self.inside = {"numbers": [number]}

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __hash__(self):
        return 1


def helper(x):
    return type(x) is int


class Judge:
    def is_one(self, x):
        return type(x) is int and x == 1

    def unused(self, x):
        return x is self


def type_of_a_die(dice):
    return type(dice.die(3)) is int, helper(dice.die(2))


def type_in_a_method(dice):
    return Judge().is_one(dice.die(3))


def type_in_a_comprehension(dice):
    return [type(x).__name__ for x in (dice.die(2), dice.total(2, 2))][1]


def type_of_a_result(dice):
    again = type_of_a_result(dice) if dice.die(2) == 1 else "end"
    return again if type(again) is str else "other"


def whether_a_result_is_callable(dice):
    again = whether_a_result_is_callable(dice) if dice.die(2) == 1 else dice.die(3) == 3
    return again if not callable(again) else "called"


def members_and_nothing(dice):
    face, none = dice.die(CARDS), None
    return face is Suit.RED, face is NOTHING, none is None, (face == 3) is True


def everything_caught(dice):
    try:
        return json.dumps([dice.die(3), {}[dice.die(2)]])
    except Exception:  # noqa: BLE001 - the carelessness that is meant
        return -dice.die(2)


def everything_suppressed(dice):
    total = 0
    with contextlib.suppress(Exception):
        total += dice.die(3)
        total += {1: 1}[dice.die(2)]
    return total


def written_in_c(dice):
    return json.dumps({"total": dice.total(2, 3)}), sys.getsizeof(dice.die(2)) > 40


def hit_by_words(dice):
    return dice.pool(2, 3).count(lambda face: json.loads(json.dumps(face)) > 1)


def _is_top(face):
    return face is Suit.RED


@mechanic
def drawn(dice):
    return dice.draw({Suit.RED: 1, Suit.BLUE: 2})


def told_apart_in_a_helper(dice):
    """Results of another mechanic, compared by identity by a function that is given them."""
    first, second = drawn(dice), drawn(dice)
    return _is_top(first), _is_top(second)


@mechanic
def first_drawn(dice):
    card = drawn(dice)
    return first_drawn(dice) if card is Suit.BLUE else card


def divided_by_faces(dice):
    try:
        return dice.pool(2, 3).count(lambda face: 6 // (face - 3) < -3)
    except ZeroDivisionError:
        return "three"


def beyond_all_numbers(dice):
    x, nan = dice.die(3), float("nan")
    return x < math.inf, x > -math.inf, x < nan, x >= nan, x == math.inf, x != nan


def other_numbers(dice):
    x = dice.die(3)
    return x == Level.TWO, x >= Level.TWO, x == 2 + 0j, x == Decimal(2), x < Decimal("1.5")


def other_numbers_added(dice):
    x = dice.die(3)
    return x + Level.TWO, Level.TWO - x, x * Decimal(2), Decimal(1) + x, x + 1j


def turned_round(dice):
    x = dice.total(2, 2)
    return ~x, pow(x, 2, 3), pow(3, x, 5), round(x, -1), round(x), math.trunc(x), x.imag


def copied(dice):
    x = dice.die(3)
    return copy.deepcopy(x) - copy.copy(x), copy.deepcopy(dice.pool(2, 2)).total()


def computed_twice(dice):
    return Raised(dice.die(3))


def deep_inside(dice):
    return Named(dice.die(3))


def aimed_again(dice):
    shot = aimed_again(dice) if dice.die(2) == 1 else Aimed(dice.die(2), 5)
    return Aimed(shot.target) if shot.extra == 5 and dice.die(2) == 1 else shot


def sliced(dice):
    pool = dice.pool(3, 3)
    return pool[0], pool[-1], pool[1:3], pool[::-1], pool[dice.die(2)]


def ends(dice):
    pool = dice.pool(3, 3)
    return pool[0]


def lowest_end(dice):
    return dice.pool(3, 3)[-1], dice.pool(3, 3).lowest(2)[1]


def ends_of_some(dice):
    pool = dice.pool(3, 3).highest(2)
    return pool[-1], pool[1], pool[-2]


def shown(dice):
    pool = dice.pool(2, 2)
    return (
        repr(tuple(pool)),
        next(iter(reversed(pool))),
        2 in pool,
        bool(pool),
        pool == pool.highest(2),
    )


def unpacked(dice):
    first, *rest = dice.pool(3, 2)
    return first, tuple(rest)


def matched(dice):
    match dice.pool(2, 3):
        case [3, 3]:
            return "both"
        case [3, low]:
            return low
        case [_, _]:
            return "none"
    return "never"


def drawn_by_dice(dice):
    return dice.draw({"a": dice.die(2), "b": 1}), dice.draw([(dice.die(2), 1), (5, 2)])


def a_die_of_dice(dice):
    return tuple(dice.pool(2, Die("thrown", (dice.die(2), dice.die(3), 2))))


def begun_again(dice):
    try:
        return start_over() if dice.die(3) == 1 else dice.die(2)
    except KeyError:
        return "never"


CASES = [
    value
    for value in list(globals().values())
    if getattr(getattr(value, "__code__", None), "co_varnames", ())[:1] == ("dice",)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_solver_says_what_enumeration_says(case, monkeypatch):
    rule = mechanic(case)
    monkeypatch.setitem(globals(), case.__name__, rule)
    found, left = enumerate_faces(rule)
    distribution = odds(rule)
    assert agrees(distribution, found, left)
    assert roll(rule).outcome in found or left


def two_dice(dice):
    return dice.die(6) is dice.die(6)


def asked_by_name(dice):
    a, b = dice.die(6), dice.die(6)
    if a > b:
        return operator.is_(a, b)
    return None


def asked_in_a_helper(dice):
    same = functools.partial(lambda a, b: a is not b)
    return same(dice.die(6), 3)


def asked_for_its_place(dice):
    return id(dice.die(6)) % 2


@pytest.mark.parametrize(
    ("case", "line", "how"),
    [
        (two_dice, 1, "is"),
        (asked_by_name, 3, "is_"),
        (asked_in_a_helper, 1, "is"),
        (asked_for_its_place, 1, "id"),
    ],
)
def test_identity_is_refused_with_its_line_and_the_cure(case, line, how):
    line += case.__code__.co_firstlineno
    with pytest.raises(
        ComparedByIdentity, match=rf"test_agreement.py, line {line}: `{how}`.*=="
    ) as e:
        odds(mechanic(case))
    assert e.value.code == "dice/compared-by-identity"


def test_code_that_looks_past_nothing_is_solved_covered():
    assert look_at(members_and_nothing, ()) == Look(plain=False, guarded=False, eager=True)
    assert look_at(divided_by_faces, ()) == Look(plain=False, guarded=True)
    assert look_at(everything_caught, ()) == Look(plain=True, guarded=True)
    assert look_at(lambda dice: dice.id + dice.type, ()) == Look(plain=False, guarded=False)
    assert look_at(lambda dice, judge: judge.is_one(dice.die()), (Judge,)).plain


def test_a_roll_told_in_a_word_is_looked_at_with_what_tells_it():
    assert dict(odds(told(first_drawn, str)).items()) == {"Suit.RED": 1}


def test_what_another_mechanic_raises_cannot_be_caught():
    @mechanic
    def fragile(dice):
        return 6 // (dice.die(3) - 1)

    @mechanic
    def careless(dice):
        try:
            return fragile(dice)
        except ZeroDivisionError:
            return 0

    with pytest.raises(CaughtInside, match=r"careless catches a ZeroDivisionError.*return a value"):
        odds(careless)
    with pytest.raises(ZeroDivisionError):
        odds(fragile)


def test_a_question_to_a_face_throws_no_dice():
    @mechanic
    def counted(dice):
        return dice.count(2, 3, hit=lambda face: face > dice.die(3))

    @mechanic
    def counted_in_hand(dice):
        return dice.pool(2, 2).count(lambda face: face > dice.die(2))

    with pytest.raises(DiceFault, match=r"counted throws dice in its test of a face"):
        odds(counted)
    assert agrees(odds(counted_in_hand), enumerate_faces(counted_in_hand)[0])


@pytest.mark.parametrize(
    "throw",
    [
        lambda dice: dice.total(2, 6, keep_highest=-1),
        lambda dice: dice.total(2, ends_rule, keep_lowest=-1),
        lambda dice: dice.total(1.0, 6),
    ],
)
def test_counts_that_are_no_counts_are_refused_in_every_reading(throw):
    for read in (odds, roll, lambda one: sample(one, n=1)):
        with pytest.raises(BadDie):
            read(mechanic(throw))


ends_rule = mechanic(ends)


def test_the_end_of_a_pool_is_worked_out_without_its_faces():
    @mechanic
    def best(dice):
        return dice.pool(100, 20)[0]

    assert odds(best)[1] == Fraction(1, 20**100)
