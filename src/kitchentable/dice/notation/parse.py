"""The parser: from tokens to the immutable tree.

The grammar, from the loosest binding to the tightest::

    roll       = sum ["adv" | "dis"] [compare sum] ["#" note | words]
    compare    = ">=" | "<=" | "="
    sum        = ["+" | "-"] product (("+" | "-") product)*
    product    = factor (("*" | "/") factor)*
    factor     = ("+" | "-") factor | part ["[" label "]"]
    part       = number | "(" sum ")" | "{" sum ("," sum)+ "}" select | dice
               | ("max" | "min" | "floor" | "ceil") "(" sum ("," sum)* ")"
               | ("highest" | "lowest") [number] "of" part
    dice       = [number | "(" sum ")"] "d" sides [reroll] [explode] limits [select | "adv" | "dis"]
    sides      = number | "%" | "F" | "{" face ("," face)* "}"
    reroll     = ("ro" | "rr") (number | condition)
    explode    = "!" [number | condition]
    limits     = ["min" number] ["max" number]
    select     = (("kh" | "kl" | "dh" | "dl") [number])+ | "hits" condition
    condition  = (">=" | "<=" | "=") ["-"] number
"""

from __future__ import annotations

import re
from typing import NoReturn

from kitchentable.dice.notation.arithmetic import total
from kitchentable.dice.notation.cursor import DEEPEST, Cursor
from kitchentable.dice.notation.errors import NotationError, Suggestion
from kitchentable.dice.notation.modifiers import is_d20, with_advantage
from kitchentable.dice.notation.notes import trailing_note
from kitchentable.dice.notation.refusals import (
    ADVANTAGE,
    fail_at_strict,
    fail_at_word,
)
from kitchentable.dice.notation.targets import (
    COMPARES,
    can_be,
    can_count,
    counted,
    fail_at_pool,
    pool_at_end,
    threshold,
)
from kitchentable.dice.notation.tokens import MOST_CHARACTERS, as_note
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Expression,
    Node,
    Number,
    Root,
    Target,
    all_dice,
    each_dice,
)

_MARKS = re.compile(r"\[[^]]*\]|[(){}]")
_DICE_FIRST = re.compile(r"[\s\d(+*/{#-]*[dw]\s*[\d%{f]", re.IGNORECASE)
_REPEATS = re.compile(r"(?:[\s\d]*#)+")
_MENDS = 2
_MOST_SUGGESTIONS = 4


def parse(text: str) -> Expression:
    """Parse a typed roll, such as ``2d6!+3``, into an immutable expression.

    ``str`` of the result is the canonical spelling, which parses to an equal expression.
    Raises :class:`NotationError` for a text that is wrong, too large (more than 1,000 dice in all,
    or a die with more than 10,000 sides), or ambiguous between programs.

    >>> str(parse("4D6 kh 3 + d% [luck]  # a new hero"))
    '4d6kh3+1d100[luck] # a new hero'
    >>> parse("4d6k3")
    Traceback (most recent call last):
    ...
    kitchentable.dice.notation.errors.NotationError: k3 is read in two ways: Roll20, Foundry, \
rpg-dice-roller and Dice Maiden keep this many of the highest dice; Avrae keeps the dice that show \
the number. Write 4d6kh3 to keep the highest 3, or 4d6kl3 to keep the lowest 3.
    """
    return _parse(text, _MENDS)


def _parse(text: str, mends: int) -> Expression:
    """Parse a text; an error's suggestions are parsed too, and corrected up to `mends` times."""
    try:
        return _read(text)
    except NotationError as error:
        refused = error
    found: dict[str, Suggestion] = {}
    for suggestion in refused.suggestions if mends else ():
        for one in _mended(suggestion, mends - 1):
            found.setdefault(one.text, one)
    raise refused.suggesting(tuple(found.values())[:_MOST_SUGGESTIONS])


def _mended(suggestion: Suggestion, mends: int) -> tuple[Suggestion, ...]:
    """Spell a suggestion canonically, or correct its errors."""
    try:
        return (Suggestion(str(_parse(suggestion.text, mends)), suggestion.means),)
    except NotationError as error:
        return tuple(
            Suggestion(one.text, _and(suggestion.means, one.means)) for one in error.suggestions
        )


def _and(first: str, second: str) -> str:
    link = " " if first.startswith("to ") and second.startswith("for ") else " and "
    return f"{first}{link}{second}"


def _read(text: str) -> Expression:
    cursor = Cursor(text)
    if cursor.token.kind in ("end", "comment"):
        cursor.fail("empty", "Write what to throw, such as 2d6+3.")
    node = total(cursor)
    if cursor.at("with") and cursor.ahead.text in ADVANTAGE:
        cursor.next()
    if cursor.at(*ADVANTAGE):
        node = _advantage(cursor, node)
    root: Root = _compare(cursor, node) if cursor.at(*COMPARES) else node
    comment = _note(cursor, root)
    if cursor.token.kind != "end":
        _fail_at_leftover(cursor)
    expression = Expression(root, comment)
    if len(str(expression)) > MOST_CHARACTERS:
        raise NotationError(
            "notation/too-long",
            f"Written in full, this roll has more than {MOST_CHARACTERS:,} characters. Shorten it.",
            text,
            len(text),
        )
    return expression


def _advantage(cursor: Cursor, node: Node) -> Node:
    """Read adv or dis: add a second d20 to the only d20 of the roll."""
    word = cursor.token.text
    dice = list(all_dice(node))
    if sum(map(is_d20, dice)) != 1:
        start, end = len(cursor.text[: cursor.token.start].rstrip()), cursor.token.end
        high, way = ("highest", "kh1") if ADVANTAGE[word] == "kh" else ("lowest", "kl1")
        both = (cursor.instead(start, end, way, f"to keep the {high} 1"),)
        cursor.fail(
            "advantage",
            f"{word} needs a roll with exactly one d20, to which it adds a second one.",
            None,
            both if dice == [Dice(2, 20)] else (),
        )
    cursor.next()
    return each_dice(node, lambda dice: with_advantage(dice, word) if is_d20(dice) else dice)


def _compare(cursor: Cursor, left: Node) -> Target | Node:
    """Read a comparison of the whole total; refuse one that could also count dice."""
    pool = None if cursor.last.text == ")" else pool_at_end(left)
    found = threshold(cursor)
    sign = cursor.token
    comparator = COMPARES[sign.text]
    if pool is not None and found is not None:
        value, end = found
        condition = Condition(comparator, value)
        if can_count(pool, condition):
            hits = counted(left, condition)
            alone = cursor.text[end:].lstrip()[:1] in ("", "#")
            if hits is None or not alone or can_be(left, condition) or comparator != "=":
                fail_at_pool(cursor, left, value, end)
            cursor.skip(end)
            return hits
    if sign.text in (">", "<"):
        fail_at_strict(cursor)
    # The canonical spelling puts the left side in brackets.
    if _nesting(str(left)) + 2 > DEEPEST:
        cursor.fail("too-deep", f"Brackets and signs may be nested at most {DEEPEST} deep.")
    cursor.next()
    right = total(cursor)
    if cursor.at(*COMPARES):
        cursor.fail("target", "A roll can have only one target.")
    return Target(left, comparator, right)


def _note(cursor: Cursor, root: Root) -> str:
    """Read the note at the end: text after #, or words without another meaning."""
    token = cursor.token
    if token.kind == "word":
        words = trailing_note(cursor)
        if words:
            cursor.skip(len(cursor.text))
        return words
    if token.kind != "comment":
        return ""
    spaced = cursor.text[token.start - 1].isspace()
    idle = not any(all_dice(root))
    if (idle or not spaced) and _DICE_FIRST.match(cursor.text, token.start + 1):
        _fail_at_repeated(cursor, root, idle)
    return cursor.next().text


def _fail_at_repeated(cursor: Cursor, root: Root, idle: bool) -> NoReturn:
    """Refuse ``6#4d6``, which in some programs means six results."""
    here = cursor.token.start
    repeats = _REPEATS.match(cursor.text, here)
    text = cursor.text[repeats.end() if repeats else here :].partition("#")[0]
    offers: tuple[Suggestion, ...] = ()
    if isinstance(root, Number):
        offers = (Suggestion(text, "for each of the results"),)
    elif not idle:
        offers = (cursor.instead(here, here, " ", "to leave the rest as a note"),)
    times = f"{root} times" if isinstance(root, Number) else "that often"
    cursor.fail(
        "repeat",
        "# before dice gives separate results in some programs, but begins a note here. A roll "
        f"gives one result: throw it {times}.",
        None,
        offers,
    )


def _nesting(spelling: str) -> int:
    """The nesting depth of brackets and braces, ignoring labels."""
    depth = deepest = 0
    for mark in _MARKS.findall(spelling):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest


def _fail_at_leftover(cursor: Cursor) -> NoReturn:
    """Refuse the text after a complete part."""
    if cursor.token.kind == "word":
        fail_at_word(cursor)
    if cursor.at("!", "!!"):
        cursor.fail("misplaced", f"{cursor.token.text} must come directly after dice.")
    if cursor.at(")", "}"):
        cursor.fail("unexpected", f"This {cursor.token.text} was never opened. Leave it out.")
    if cursor.token.kind == "number" or cursor.at("(", "{"):
        here = cursor.token.start
        cursor.fail(
            "unexpected",
            "A sign is missing between these two parts.",
            None,
            (
                cursor.instead(here, here, "+", "to add them"),
                cursor.instead(here, here, "*", "to multiply them"),
                *(as_note(cursor.text, here) if cursor.ahead.kind == "word" else ()),
            ),
        )
    cursor.fail("unexpected", f"{cursor.token.text} is unexpected here. Leave it out.")
