"""Parser for dice modifiers: rerolls, explosions, limits, keeping and counting, in this order."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn, cast

from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.refusals import (
    ADVANTAGE,
    KEEPS,
    LIMITS,
    PLAIN_NUMBER,
    WORDS,
    fail_at_strict,
    fail_at_word,
)
from kitchentable.dice.notation.tokens import Token
from kitchentable.dice.notation.tree import (
    Comparator,
    Condition,
    Dice,
    Keep,
    KeepWord,
    Middle,
    Reroll,
    Select,
)

_NUMBER = "A plain number should stand here: the face that is meant."


def modified(cursor: Cursor, dice: Dice, start: int) -> Dice:
    """Read all modifiers of dice that begin at ``start``."""
    dice = replace(dice, reroll=_reroll(cursor, dice))
    dice = replace(dice, explode=_explode(cursor, dice, start))
    dice = _limited(cursor, dice)
    if _advantage_here(cursor) and is_d20(dice):
        cursor.dice_so_far += 1
        return with_advantage(dice, cursor.next().text)
    dice = replace(dice, select=select(cursor, dice.count, dice, start))
    behind = cursor.token
    if behind.kind == "word" and (
        behind.text in ("ro", "rr", "hits", *KEEPS, *LIMITS, *WORDS)
        or behind.start == cursor.last.end
    ):
        fail_at_word(cursor, dice, start)
    if cursor.at("!", "!!"):
        cursor.fail(
            "order", f"{behind.text} is in the wrong place: write explosions before keeping."
        )
    return dice


def _advantage_here(cursor: Cursor) -> bool:
    """Whether advantage applies to these dice, not to the only d20 of the whole roll."""
    attached = cursor.token.start == cursor.last.end
    more = cursor.ahead.kind == "sign" and cursor.ahead.text in "+-*/)},"
    return cursor.at(*ADVANTAGE) and (attached or more)


def is_d20(dice: Dice) -> bool:
    """Whether these dice are a single d20 that can have advantage."""
    return dice == replace(Dice(1, 20), reroll=dice.reroll, least=dice.least, most=dice.most)


def with_advantage(dice: Dice, word: str) -> Dice:
    """Turn a d20 into two dice of which one counts.

    >>> str(with_advantage(Dice(1, 20), "dis"))
    '2d20kl1'
    """
    return replace(dice, count=2, select=Keep(cast(KeepWord, ADVANTAGE[word]), 1))


def select(cursor: Cursor, count: int, dice: Dice | None = None, start: int = 0) -> Select | None:
    """Read ``kh3``, ``hits>=5`` and the like, after ``count`` dice or throws of a group."""
    if cursor.at(*KEEPS):
        return _keep(cursor, count, dice, start)
    if not cursor.at("hits"):
        return None
    word = cursor.next()
    if cursor.token.kind == "number":
        number = cursor.token
        offers = tuple(
            cursor.instead(word.start, number.end, f" hits{sign}{number.text}", f"for {means}")
            for sign, means in ((">=", f"{number.text} or more"), ("=", f"exactly {number.text}"))
        )
        cursor.fail(
            "condition", "hits needs a comparison: at least, at most or exactly.", number, offers
        )
    return _condition(cursor, dice, "hits needs a comparison, such as hits>=5.")


def _reroll(cursor: Cursor, dice: Dice) -> Reroll | None:
    word = cursor.token
    if not cursor.accept("ro", "rr"):
        return None
    if cursor.token.kind == "number":
        condition = Condition("=", int(cursor.next().text))
        _check_shows(cursor, dice, condition)
    else:
        missing = f"Write the face to reroll after {word.text}, such as 1."
        condition = _condition(cursor, dice, missing)
    if word.text == "rr":
        _check_ends(cursor, list(dice.faces), condition, word)
    return Reroll(word.text == "rr", condition)


def _explode(cursor: Cursor, dice: Dice, start: int) -> Condition | None:
    sign = cursor.token
    if cursor.at("!!"):
        cursor.fail(
            "compound",
            "!! adds each extra throw to its own die in Roll20 and rpg-dice-roller, and is unknown "
            "in Foundry, Avrae and Dice Maiden.",
            sign,
            (cursor.instead(sign.start, sign.end, "!", "for the same total"),),
        )
    if not cursor.accept("!"):
        return None
    follows, attached = cursor.token, cursor.token.start == sign.end
    condition = Condition(">=", dice.highest)
    if cursor.at("p"):
        cursor.fail(
            "explode",
            "!p subtracts 1 from every extra throw in Roll20 and rpg-dice-roller, which is "
            "impossible here.",
            follows,
            (cursor.instead(follows.start, follows.end, "", "to explode without it"),),
        )
    if follows.kind == "number" and attached:
        condition = _on(cursor, dice)
    elif cursor.at("=", "=="):
        condition = _on_equal(cursor, dice)
    elif cursor.at(">", "<"):
        fail_at_strict(cursor)
    elif cursor.at(">=", "<=") and _is_face(cursor, dice):
        if not attached:
            _fail_at_spaced(cursor, sign, start)
        condition = _condition(cursor, dice, "")
    _check_ends(cursor, dice.resting, condition, sign)
    return condition


def _on(cursor: Cursor, dice: Dice) -> Condition:
    """Read one face to explode on, in a normal form so that equal explosions are equal objects."""
    face = cursor.signed_number("condition", _NUMBER)
    _check_shows(cursor, dice, Condition("=", face))
    if face == dice.highest:
        return Condition(">=", face)
    return Condition("<=" if face == dice.lowest < 0 else "=", face)


def _on_equal(cursor: Cursor, dice: Dice) -> Condition:
    """Read ``!=-1``, which only faces below 0 need; refuse other uses of ``!=``."""
    equal = cursor.next()
    if cursor.at("-"):
        return _on(cursor, dice)
    number = cursor.token
    written = (("", "to explode on exactly {}"), (">=", "to explode at {} or more"))
    offers = tuple(
        cursor.instead(equal.start, number.end, f"{sign}{number.text}", means.format(number.text))
        for sign, means in written
        if PLAIN_NUMBER.match(cursor.text, equal.end) and int(number.text) in dice.faces
    )
    says = "!= explodes on one face in rpg-dice-roller, and reads like 'not equal' to many."
    return cursor.fail("explode", says, equal, offers)


def _is_face(cursor: Cursor, dice: Dice) -> bool:
    """Whether a comparison after ! can be about faces; otherwise it is about the total."""
    if PLAIN_NUMBER.match(cursor.text, cursor.token.end) is None:
        return cursor.ahead.text == "-"
    sign = cast(Comparator, cursor.token.text)
    condition = Condition(sign, int(cursor.ahead.text))
    return any(map(condition.holds, dice.faces))


def _fail_at_spaced(cursor: Cursor, sign: Token, start: int) -> NoReturn:
    """Refuse a comparison separated by a blank from the ! before it."""
    token, text = cursor.token, cursor.text
    compared = text[token.start :].lstrip()
    cursor.fail(
        "target-or-explode",
        "A comparison behind ! can be about the faces that explode, or about what was thrown.",
        token,
        (
            cursor.instead(sign.end, token.start, "", "to explode on those faces"),
            cursor.instead(sign.end, token.start, " hits", "to count the dice that show it"),
            cursor.instead(0, len(text), f"({text[: sign.end]}){compared}", "to compare the total"),
        ),
    )


def _limited(cursor: Cursor, dice: Dice) -> Dice:
    """Read the limits min and max of each die."""
    while cursor.at(*LIMITS) and cursor.ahead.kind == "number":
        word = LIMITS[cursor.next().text]
        limit = int(cursor.token.text)
        if (dice.least if word == "min" else dice.most) is not None:
            cursor.fail("order", f"{word} is allowed only once for each kind of dice.")
        if not dice.lowest <= limit <= dice.highest:
            cursor.fail(
                "impossible-face",
                f"A {dice.name} shows {dice.lowest} to {dice.highest:,}, so {word}{limit} is "
                "outside its faces.",
            )
        cursor.next()
        dice = replace(dice, least=limit) if word == "min" else replace(dice, most=limit)
    if dice.least is not None and dice.most is not None and dice.least > dice.most:
        cursor.fail("impossible-face", "min is greater than max. Swap the two numbers.")
    return dice


def _keep(cursor: Cursor, count: int, dice: Dice | None, start: int) -> Select:
    """Read a chain of kh, kl, dh, dl; each applies to the dice left by the previous one."""
    first = cursor.token
    above, left = 0, count
    chain: list[Keep] = []
    while cursor.at(*KEEPS):
        word = cursor.next()
        number = int(cursor.token.text) if cursor.token.kind == "number" else 1
        least, most = (1, left) if word.text[0] == "k" else (0, left - 1)
        if not least <= number <= most:
            verb = "keep" if word.text[0] == "k" else "drop"
            cursor.fail("keep", f"You can {verb} {least:,} to {most:,} of {left:,}.")
        if cursor.token.kind == "number":
            cursor.next()
        kept = number if word.text[0] == "k" else left - number
        # Dropping the highest means keeping the lowest.
        if word.text in ("kl", "dh"):
            above += left - kept
        left = kept
        chain.append(Keep(cast(KeepWord, word.text), number))
    below = count - above - left
    if dice is not None and dice.explode is not None:
        _fail_at_exploded(cursor, dice, first, start)
    if above and below:
        return Middle(above, below)
    return chain[0] if len(chain) == 1 else Keep("kl" if above else "kh", left)


def _fail_at_exploded(cursor: Cursor, dice: Dice, word: Token, start: int) -> None:
    written = cursor.text[word.start : cursor.last.end]
    each = ",".join([str(dice.one)] * dice.count)
    grouped = f"{{{each}}}{written}"
    cursor.fail(
        "explode-and-keep",
        f"{word.text} after an explosion is read in two ways: Roll20, Foundry, Avrae and "
        "rpg-dice-roller choose among all dice, including added ones, which is impossible here; "
        "many rulebooks first add extra throws to their die, then choose.",
        word,
        (cursor.instead(start, cursor.last.end, grouped, "to add extra throws before choosing"),),
    )


def _condition(cursor: Cursor, dice: Dice | None, missing: str) -> Condition:
    """Read ``>=5``, ``<=2`` or ``=6``; at least one face of ``dice``, if given, must fulfil it."""
    if cursor.at(">", "<"):
        fail_at_strict(cursor)
    if not cursor.at(">=", "<=", "=", "=="):
        cursor.fail("condition", missing)
    sign = cast(Comparator, cursor.next().text.replace("==", "="))
    condition = Condition(sign, cursor.signed_number("condition", _NUMBER))
    if dice is not None:
        _check_shows(cursor, dice, condition)
    return condition


def _check_shows(cursor: Cursor, dice: Dice, condition: Condition) -> None:
    if any(map(condition.holds, map(dice.worth, dice.faces))):
        return
    faces = f"{dice.lowest} to {dice.highest:,}"
    if isinstance(dice.sides, tuple):
        faces = "only those faces"
    says = f"A {dice.name} shows {faces}, never {condition.in_words()}."
    cursor.fail("impossible-face", says, cursor.last)


def _check_ends(cursor: Cursor, faces: list[int], condition: Condition, token: Token) -> None:
    if condition.holds_too_often(faces):
        again = sum(map(condition.holds, faces))
        cursor.fail(
            "endless",
            f"The die would be thrown again on {again:,} of {len(faces):,} faces, but at most "
            "three in four are allowed.",
            token,
        )
