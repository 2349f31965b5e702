"""Operations and functions on values, with exact fractions if possible."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import cast

from kitchentable.dice.errors import BadInput
from kitchentable.dice.notation.tree import COMPARE, Amount


class BadSum(BadInput):
    """The operation has no result for its values."""

    code = "notation/no-result"


LARGEST = 10**18


def calculate(name: str, values: Sequence[Amount]) -> Amount:
    """The result of an operation: whole if possible, otherwise a fraction.

    Errors: BadSum for a division by 0, a root of a negative number and results above 10**18.

    >>> calculate("/", (7, 2)), calculate("floor", (Fraction(7, 2),)), calculate("**", (2, 10))
    (Fraction(7, 2), 3, 1024)
    """
    sign = name.removesuffix("0")
    try:
        found = Fraction(OPERATIONS[name](*values))
    except (ZeroDivisionError, ValueError, OverflowError) as error:
        shown = ", ".join(map(str, values))
        raise BadSum(
            f"{sign} has no result for {shown}. Write an expression without it."
        ) from error
    if abs(found) > LARGEST:
        raise BadSum(
            f"{sign} gives more than a million million millions here. Use smaller numbers."
        )
    return whole(found)


def whole(value: Amount) -> Amount:
    """The value, as an int if it is whole.

    >>> whole(Fraction(4, 2)), whole(Fraction(7, 2))
    (2, Fraction(7, 2))
    """
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def in_decimals(value: Fraction) -> str:
    """The value as a decimal number, or as a fraction if its decimals do not end.

    >>> in_decimals(Fraction(7, 2)), in_decimals(Fraction(7, 3))
    ('3.5', '7/3')
    """
    short = f"{float(value):.9f}".rstrip("0").rstrip(".")
    return short if Fraction(short) == value else str(value)


def _power(base: Amount, exponent: Amount) -> Amount | float:
    if abs(float(exponent)) * math.log2(abs(float(base)) + 2) > 200:
        raise OverflowError
    if base < 0 and exponent != int(exponent):
        raise ValueError
    return cast(Amount | float, Fraction(base) ** exponent)


def _half_up(value: Amount) -> int:
    return math.floor(value + Fraction(1, 2))


def _half_away(value: Amount) -> int:
    return _half_up(value) if value >= 0 else -_half_up(-value)


def _hundredths(value: Amount) -> Fraction:
    return Fraction(_half_away(value * 100), 100)


def _divided(left: Amount, right: Amount) -> Fraction:
    return Fraction(left) / right


def _cut_remainder(left: Amount, right: Amount) -> Amount:
    """The remainder with the sign of the dividend."""
    return left - right * math.trunc(Fraction(left) / right)


OPERATIONS: Mapping[str, Callable[..., Amount | float]] = MappingProxyType(
    {
        "neg": operator.neg,
        "*": operator.mul,
        "/": _divided,
        "//": operator.floordiv,
        "/0": lambda left, right: math.trunc(_divided(left, right)),
        "%": operator.mod,
        "%0": _cut_remainder,
        "**": _power,
        "**0": lambda base, exponent: math.trunc(_power(base, exponent)),
        **{sign: COMPARE[sign] for sign in ("=", "!=", "<", "<=", ">", ">=")},
        "and": lambda left, right: int(left != 0 and right != 0),
        "or": lambda left, right: int(left != 0 or right != 0),
        "not": lambda value: int(value == 0),
        "abs": abs,
        "sign": lambda value: (value > 0) - (value < 0),
        "floor": math.floor,
        "ceil": math.ceil,
        "trunc": math.trunc,
        "round": _half_away,
        "round up": _half_up,
        "hundredths": _hundredths,
        "max": lambda *values: max(values),
        "min": lambda *values: min(values),
        "sqrt": math.sqrt,
        "log": math.log,
        "exp": math.exp,
        "sin": math.sin,
        "cos": math.cos,
        "tan": math.tan,
    }
)
"""Each operation by its name; ``/0``, ``%0`` and ``**0`` round towards 0, ``round up`` halves up.

The result of ``%`` has the sign of the divisor, that of ``%0`` the sign of the dividend.
"""

YES_OR_NO = frozenset(["=", "!=", "<", "<=", ">", ">=", "and", "or", "not"])
"""The operations whose results are 1 or 0."""

WHOLE = YES_OR_NO | {"sign", "//", "/0", "**0", "floor", "ceil", "trunc", "round", "round up"}
"""The operations whose results are whole."""

SAME_KIND = frozenset(["neg", "*", "%", "%0", "abs", "max", "min"])
"""The operations that keep whole numbers whole."""
