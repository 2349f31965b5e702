"""Parser for the number and the sides of dice: 2d6, d%, d66, d{1,1,2} and (2d4)d6."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType
from typing import NoReturn

from kitchentable.dice.die import MOST_DICE, MOST_SIDES
from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.modifiers import modified
from kitchentable.dice.notation.refusals import fail_at_open
from kitchentable.dice.notation.tokens import Token
from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Handful,
    Keep,
    Node,
    Number,
    Product,
    Sides,
    Sum,
    all_dice,
)

_SIDED = ("d", "df", "w")
#: Two choices in a row, of which one keeps dice.
_KEPT_TWICE = re.compile(r"k[hl]\s*\d*\s*[kd][hl]|d[hl]\s*\d*\s*k[hl]", re.IGNORECASE)
_TENS = MappingProxyType({66: (10, 1), 666: (100, 10, 1)})


def is_dice(cursor: Cursor) -> bool:
    """Whether a d comes next, or a German w directly before its sides."""
    if not cursor.at("w"):
        return cursor.at(*_SIDED)
    return cursor.ahead.start == cursor.token.end and (
        cursor.ahead.kind == "number" or cursor.ahead.text == "%"
    )


def handful(cursor: Cursor, count: Node, start: Token) -> Node:
    """Read dice with their number in brackets."""
    low, high = bounds(count)
    if low == high and not any(all_dice(count)):
        return dice_at(cursor, int(low), start)
    if low < 0 or high > MOST_DICE:
        runs = f"from {low:,} to {high:,}" if high < MOST_DICE * 10**6 else "without end"
        cursor.fail(
            "dice-count",
            f"The number of dice runs {runs}; a roll may throw 0 to {MOST_DICE:,}.",
            start,
        )
    letter = cursor.token.start
    sides = _sides(cursor)
    _count(cursor, int(high), start)
    dice = modified(cursor, Dice(int(high), sides), start.start)
    if dice.select is not None and not isinstance(dice.select, Condition):
        if _KEPT_TWICE.search(cursor.text, letter, cursor.last.end):
            says = "Dice with a thrown number can be chosen only once. Write a single keep or drop."
            cursor.fail("keep", says, start)
        # Even the smallest number of dice must be enough to keep.
        chosen = dice.select
        needed = chosen.count if isinstance(chosen, Keep) else chosen.highest + chosen.lowest
        if needed > max(low, 1):
            cursor.fail(
                "keep",
                f"The number of dice runs from {low:,} to {high:,}: at most {max(low, 1):,} can "
                "be kept or dropped.",
                start,
            )
    return Handful(count, replace(dice, count=1))


def dice_at(cursor: Cursor, count: int | None, start: Token) -> Node:
    """Read dice from their d on; without a number, one die."""
    sides = _sides(cursor)
    tens = _TENS.get(sides) if count is None and isinstance(sides, int) else None
    if tens is not None:
        _count(cursor, len(tens), start)
        return _digits(tens)
    number = 1 if count is None else count
    if number < 1:
        cursor.fail("no-dice", "A roll needs at least one die.", start)
    _count(cursor, number, start)
    return modified(cursor, Dice(number, sides), start.start)


def _digits(tens: tuple[int, ...]) -> Node:
    """A d66: six-sided dice read as the digits of a number."""
    *high, _ = tens
    digits = [Product(Number(ten), (("*", Dice(1, 6)),)) for ten in high]
    return Sum((*(("+", digit) for digit in digits), ("+", Dice(1, 6))))


def _count(cursor: Cursor, number: int, start: Token) -> None:
    cursor.dice_so_far += number
    if cursor.dice_so_far > MOST_DICE:
        cursor.fail(
            "too-many-dice",
            f"A roll may throw at most {MOST_DICE:,} dice in all, not {cursor.dice_so_far:,}.",
            start,
        )


def _sides(cursor: Cursor) -> Sides:
    if cursor.next().text == "df":
        return FUDGE
    if cursor.accept("%"):
        return 100
    if cursor.at("{"):
        return _faces(cursor)
    start = cursor.token
    if start.kind != "number":
        cursor.fail("sides", "The sides are missing. After d write a number, % (1 to 100) or F.")
    sides = int(start.text)
    if not 1 <= sides <= MOST_SIDES:
        says = f"A die has 1 to {MOST_SIDES:,} sides, not {sides:,}."
        cursor.fail("too-many-sides", says, start)
    cursor.next()
    return sides


def _faces(cursor: Cursor) -> Sides:
    """Read the list of a die's faces."""
    start = cursor.next()
    faces = [_face(cursor)]
    while cursor.accept(","):
        faces.append(_face(cursor))
    if not cursor.accept("}"):
        fail_at_open(cursor, start, "}")
    found = tuple(sorted(faces))
    return len(found) if found == tuple(range(1, len(found) + 1)) else found


def _face(cursor: Cursor) -> int:
    face = cursor.signed_number("faces", "Write the faces of a die as whole numbers with commas.")
    if abs(face) > MOST_SIDES:
        cursor.fail("faces", f"A face may show at most {MOST_SIDES:,}.", cursor.last)
    return face


def fail_at_letter(cursor: Cursor, number: Token) -> NoReturn:
    """Refuse ``1k6``, ``2t20`` and ``5x5``."""
    letter, sides = cursor.token, cursor.ahead
    if letter.text == "x":
        times = cursor.instead(letter.start, letter.end, "*", "to multiply")
        alone = cursor.instead(
            number.start, letter.end, "", f"{number.text} times, for each result"
        )
        cursor.fail(
            "repeat",
            "x after a number multiplies in some programs, and gives separate results in others.",
            letter,
            (times, alone)
            if sides.kind == "number" and cursor.text[sides.end :].strip()[:1] in ("d", "D")
            else (times,),
        )
    says = f"{letter.text} before the sides is a die in some languages. Here, write d."
    offers = (cursor.instead(letter.start, letter.end, "d", "to throw them"),)
    cursor.fail("unknown-word", says, letter, offers if sides.kind == "number" else ())
