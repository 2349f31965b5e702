"""What is done to dice: rerolls, explosions, keeping and counting, read in that order."""

from __future__ import annotations

from typing import cast

from kitchentable.dice.notation import dialects
from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.tokens import Token
from kitchentable.dice.notation.tree import (
    Comparator,
    Condition,
    Dice,
    Keep,
    KeepWord,
    Reroll,
    Select,
)

AGAIN_AT_MOST = (3, 4)
"""The share of faces that may throw a die again without end: expected throws stay below 4."""


def modified(cursor: Cursor, dice: Dice) -> Dice:
    """Read everything that is done to plain dice."""
    reroll = _reroll(cursor, dice)
    dice = Dice(dice.count, dice.sides, reroll)
    explode = _explode(cursor, dice)
    dice = Dice(dice.count, dice.sides, reroll, explode)
    chosen = select(cursor, str(dice), dice.count, dice)
    cursor.last_dice = str(dice)
    dice = Dice(dice.count, dice.sides, reroll, explode, chosen)
    if cursor.token.kind == "word":
        cursor.fail_at_word(cursor.last_dice)
    if cursor.at("!", "!!"):
        cursor.fail_at_order("!")
    return dice


def select(cursor: Cursor, written: str, count: int, dice: Dice | None = None) -> Select | None:
    """Read ``kh3`` and its like, or ``hits>=5``, behind ``count`` dice or throws of a group."""
    if cursor.at("kh", "kl", "dh", "dl"):
        return _keep(cursor, written, count, dice)
    if cursor.accept("hits"):
        return _condition(cursor, dice, f"Say which are hits, such as {written} hits>=5.")
    return None


def _reroll(cursor: Cursor, dice: Dice) -> Reroll | None:
    word = cursor.token
    if not cursor.accept("ro", "rr"):
        return None
    if cursor.token.kind == "number":
        condition = Condition("=", int(cursor.token.text))
        _check_shows(cursor, dice, condition)
        cursor.next()
    else:
        missing = f"Say which faces are thrown again, such as {dice}{word.text}1."
        condition = _condition(cursor, dice, missing)
    if word.text == "rr":
        _check_ends(cursor, list(dice.faces), condition, word)
    return Reroll(word.text == "rr", condition)


def _explode(cursor: Cursor, dice: Dice) -> Condition | None:
    sign = cursor.token
    if cursor.at("!!"):
        cursor.fail("compound", dialects.COMPOUND.format(dice=dice))
    if not cursor.accept("!"):
        return None
    follows = cursor.token
    if follows.kind == "number":
        cursor.fail("explode", dialects.EXPLODE_NUMBER.format(dice=dice, n=follows.text))
    if cursor.at("p"):
        cursor.fail("explode", dialects.PENETRATE.format(dice=dice))
    if cursor.at("=", "=="):
        cursor.fail("explode", dialects.EXPLODE_EQUALS.format(dice=dice, n=cursor.ahead()))
    if not cursor.at(">=", "<=", ">", "<"):
        condition = Condition(">=", dice.highest)
    elif follows.start != sign.end:
        written = f"{follows.text.rstrip('=')}={cursor.ahead()}"
        cursor.fail(
            "target-or-explode",
            f"Write {dice}!{written} without a space to explode on those faces, or "
            f"({dice}!){written} to compare the total.",
        )
    else:
        instead = f"({dice}!){follows.text}{cursor.ahead()}"
        condition = _condition(cursor, dice, "", instead)
    faces = list(dice.faces)
    if dice.reroll is not None and dice.reroll.forever:
        faces = [face for face in faces if not dice.reroll.condition.holds(face)]
    _check_ends(cursor, faces, condition, sign)
    return condition


def _keep(cursor: Cursor, written: str, count: int, dice: Dice | None) -> Keep:
    word = cursor.next()
    if dice is not None and dice.explode is not None:
        each = ",".join([str(Dice(1, dice.sides, dice.reroll, dice.explode))] * min(count, 3))
        cursor.fail(
            "explode-and-keep",
            f"{word.text} after an explosion is read in two ways: Roll20, Foundry, Avrae and "
            "rpg-dice-roller choose among all dice, each added die on its own; many rulebooks "
            "add a die's extra throws to it first and then choose. The second is written "
            f"{{{each}}}{word.text}1; the first has no spelling here.",
            word,
        )
    number = cursor.token
    if number.kind != "number":
        cursor.fail("keep", f"Say how many, such as {written}{word.text}1.")
    cursor.next()
    keeps = word.text in ("kh", "kl")
    least, most = (1, count) if keeps else (0, count - 1)
    if not least <= int(number.text) <= most:
        verb = "keep" if keeps else "drop"
        cursor.fail("keep", f"Of {count:,} one can {verb} {least:,} to {most:,}.", number)
    return Keep(cast(KeepWord, word.text), int(number.text))


def _condition(cursor: Cursor, dice: Dice | None, missing: str, instead: str = "") -> Condition:
    """Read ``>=5``, ``<=2`` or ``=6``; where ``dice`` are given, some face of them must fit."""
    if cursor.at(">", "<"):
        cursor.fail_at_strict()
    if not cursor.at(">=", "<=", "=", "=="):
        cursor.fail("condition", missing)
    comparator = cast(Comparator, "=" if cursor.at("==") else cursor.token.text)
    cursor.next()
    sign = -1 if cursor.accept("-") else 1
    if cursor.token.kind != "number":
        cursor.fail("condition", "A plain number should stand here: the face that is meant.")
    condition = Condition(comparator, sign * int(cursor.token.text))
    if dice is not None:
        _check_shows(cursor, dice, condition, instead)
    cursor.next()
    return condition


def _check_shows(cursor: Cursor, dice: Dice, condition: Condition, instead: str = "") -> None:
    low, high, value = dice.lowest, dice.highest, condition.value
    possible = {">=": value <= high, "<=": value >= low, "=": low <= value <= high}
    if not possible[condition.comparator]:
        tail = {">=": " or more", "<=": " or less", "=": ""}[condition.comparator]
        advice = f" To compare the total, write {instead}." if instead else ""
        cursor.fail(
            "impossible-face",
            f"A d{dice.sides} shows {low} to {high:,}, never {value}{tail}.{advice}",
        )


def _check_ends(cursor: Cursor, faces: list[int], condition: Condition, token: Token) -> None:
    again = sum(map(condition.holds, faces))
    most, of = AGAIN_AT_MOST
    if again * of > most * len(faces):
        cursor.fail(
            "endless",
            f"The die would be thrown again on {again:,} of {len(faces):,} faces, over and over; "
            "at most three in four may do that.",
            token,
        )
