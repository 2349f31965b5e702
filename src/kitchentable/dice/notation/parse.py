"""From tokens to the frozen tree; every refusal is a sentence with its place in the text.

The grammar, from the loosest binding to the tightest::

    roll       = sum [(">=" | "<=") sum] ["#" comment]
    sum        = ["+" | "-"] product (("+" | "-") product)*
    product    = factor (("*" | "/") factor)*
    factor     = ("+" | "-") factor | part ["[" label "]"]
    part       = number | "(" sum ")" | "{" sum ("," sum)+ "}" select | dice
    dice       = [number] "d" (number | "%" | "F") [reroll] [explode] [select]
    reroll     = ("ro" | "rr") (number | condition)
    explode    = "!" [condition]
    select     = ("kh" | "kl" | "dh" | "dl") number | "hits" condition
    condition  = (">=" | "<=" | "=") ["-"] number
"""

from __future__ import annotations

import re
from typing import Literal, NoReturn, cast

from kitchentable.dice.die import MOST_DICE, MOST_SIDES
from kitchentable.dice.notation import dialects
from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.modifiers import modified, select
from kitchentable.dice.notation.tokens import MOST_CHARACTERS, Token
from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Expression,
    Group,
    Labelled,
    Node,
    Number,
    Product,
    Root,
    Sum,
    Target,
)

DEEPEST = 20
LARGEST_TOTAL = 10**12
_MARKS = re.compile(r"\[[^]]*\]|[(){}]")


def parse(text: str) -> Expression:
    """Read what a player typed, such as ``2d6!+3``, into a frozen expression.

    ``str`` of the result is the canonical spelling, which reads back as an equal expression.
    Raises :class:`NotationError` for everything that is wrong, too big (more than 1,000 dice
    in all, or a die of more than 10,000 sides), or read in different ways at different tables.

    >>> str(parse("4D6 kh 3 + d% [luck]  # a new hero"))
    '4d6kh3+1d100[luck] # a new hero'
    >>> parse("2d6 + 3d")
    Traceback (most recent call last):
    ...
    kitchentable.dice.notation.errors.NotationError: How many sides? Write d6, d% (1 to 100) or dF.
    """
    cursor = Cursor(text)
    if cursor.token.kind in ("end", "comment"):
        cursor.fail("empty", "Write what to throw, such as 2d6+3.")
    total = _sum(cursor)
    root: Root = _target(cursor, total) if cursor.at(">=", "<=") else total
    comment = cursor.next().text if cursor.token.kind == "comment" else ""
    if cursor.token.kind != "end":
        _fail_at_leftover(cursor)
    expression = Expression(root, comment)
    if len(str(expression)) > MOST_CHARACTERS:
        raise NotationError(
            "notation/too-long",
            f"Spelled out in full, this roll is longer than {MOST_CHARACTERS:,} characters.",
            text,
            len(text),
        )
    return expression


def _target(cursor: Cursor, left: Node) -> Target:
    """The comparison of a whole total, unless it could be taken for counting dice."""
    if cursor.pool is not None:
        cursor.fail("target-or-hits", _target_or_hits(cursor, cursor.pool))
    # Spelled canonically, the left side stands in brackets of its own.
    if _nesting(str(left)) + 2 > DEEPEST:
        cursor.fail("too-deep", f"Brackets and signs may be nested at most {DEEPEST} deep.")
    comparator = cast(Literal[">=", "<="], cursor.next().text)
    right = _sum(cursor)
    if cursor.at(">=", "<="):
        cursor.fail("target", "A roll can be compared with one target only.")
    return Target(left, comparator, right)


def _nesting(spelling: str) -> int:
    """How deep brackets and braces are nested, those inside labels aside."""
    depth = deepest = 0
    for mark in _MARKS.findall(spelling):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest


def _target_or_hits(cursor: Cursor, pool: Dice | Group) -> str:
    number, sign = cursor.ahead(), cursor.token.text
    if isinstance(pool.select, Condition):
        return f"To compare the number of hits, write ({pool}){sign[0]}={number}."
    strict = sign in (">", "<")
    words = {
        "n": number,
        "sign": sign,
        "strict": sign[0],
        "direction": "or more" if sign[0] == ">" else "or less",
        "beyond": "above" if sign[0] == ">" else "below",
    }
    template = dialects.POOL_STRICT if strict else dialects.POOL_TARGET
    says = template.format(whole=pool, **words)
    compare = f"({pool}){sign[0]}={number} to compare the total"
    if pool.select is not None:
        return f"{says} Write {compare}."
    return f"{says} Write {pool} hits{sign[0]}={number} to count dice, or {compare}."


def _sum(cursor: Cursor) -> Node:
    start = cursor.token
    cursor.deeper(DEEPEST)
    sign: Literal["+", "-"] = "-" if cursor.accept("-") else "+"
    if sign == "+":
        cursor.accept("+")
    terms: list[tuple[Literal["+", "-"], Node]] = [(sign, _product(cursor))]
    while cursor.at("+", "-"):
        sign = cast(Literal["+", "-"], cursor.next().text)
        terms.append((sign, _product(cursor)))
    cursor.depth -= 1
    if len(terms) == 1 and terms[0][0] == "+":
        return terms[0][1]
    return _bounded(cursor, Sum(tuple(terms)), start)


def _product(cursor: Cursor) -> Node:
    start = cursor.token
    node = first = _factor(cursor)
    rest: list[tuple[Literal["*", "/"], Node]] = []
    while cursor.at("*", "/", "//", "**"):
        if cursor.at("//"):
            cursor.fail("division", "Write a single /: here every division rounds down.")
        if cursor.at("**"):
            cursor.fail("power", "Powers are not part of a roll; multiply with *.")
        sign = cast(Literal["*", "/"], cursor.next().text)
        place = cursor.token
        factor = _factor(cursor)
        if sign == "/":
            low, high = bounds(factor)
            if low <= 0 <= high:
                runs = "is 0" if low == high else f"runs from {low} to {high}"
                says = f"Nothing can be divided by 0, and {factor} {runs}."
                cursor.fail("divide-by-zero", says, place)
        rest.append((sign, factor))
        node = _bounded(cursor, Product(first, tuple(rest)), start)
    return node


def _factor(cursor: Cursor) -> Node:
    if cursor.at("-", "+"):
        cursor.deeper(DEEPEST)
        sign = cursor.next()
        node = _factor(cursor)
        cursor.depth -= 1
        return node if sign.text == "+" else Sum((("-", node),))
    node = _part(cursor)
    if cursor.token.kind != "label":
        return node
    label = cursor.next()
    if isinstance(node, Labelled) or cursor.labelled():
        cursor.fail("label", "One label for each part of a roll is enough.", label)
    return Labelled(node, label.text)


def _part(cursor: Cursor) -> Node:
    token = cursor.token
    cursor.pool = None
    cursor.last_dice = ""
    if token.kind == "number":
        cursor.next()
        if cursor.at("d", "df"):
            return _dice(cursor, int(token.text), token)
        return Number(int(token.text))
    if cursor.at("d", "df"):
        return _dice(cursor, 1, token)
    if cursor.at("("):
        return _brackets(cursor)
    if not cursor.at("{"):
        _fail_at_part(cursor)
    return _group(cursor)


def _brackets(cursor: Cursor) -> Node:
    start = cursor.next()
    node = _sum(cursor)
    if cursor.at(","):
        cursor.fail(
            "group",
            "Avrae writes groups in round brackets; here they stand in braces, as in {1d8,1d6}kh1.",
        )
    if cursor.at(">=", "<="):
        cursor.fail("target", "A target stands at the end of the roll, outside every bracket.")
    if not cursor.accept(")"):
        _fail_at_open(cursor, start, ")")
    if cursor.at("d", "df"):
        cursor.fail("dice-count", dialects.COUNT_IN_BRACKETS.format(n=node))
    cursor.pool = None
    cursor.last_dice = ""
    return node


def _group(cursor: Cursor) -> Group:
    start = cursor.next()
    items = [_sum(cursor)]
    while cursor.accept(","):
        items.append(_sum(cursor))
    if not cursor.accept("}"):
        _fail_at_open(cursor, start, "}")
    written = "{" + ",".join(map(str, items)) + "}"
    if len(items) == 1:
        cursor.fail(
            "group",
            f"A group holds two or more throws, {written} only one. Roll20 and "
            "rpg-dice-roller would look at its single dice instead; that is written "
            "without braces, as in 4d6kh3.",
            start,
        )
    chosen = select(cursor, written, len(items))
    if chosen is None:
        if cursor.token.kind == "word":
            cursor.fail_at_word(written)
        if cursor.at(">", "<"):
            cursor.fail_at_strict()
        if cursor.at(">=", "<="):
            says = dialects.GROUP_TARGET.format(
                whole=written,
                added="+".join(map(str, items)),
                sign=cursor.token.text,
                strict=cursor.token.text[0],
                n=cursor.ahead(),
                direction="or more" if cursor.at(">=") else "or less",
            )
            cursor.fail("target-or-hits", says)
        cursor.fail(
            "group",
            f"Say which of the group counts, such as {written}kh1 for the "
            "highest; to add them all, write + between them.",
        )
    group = Group(tuple(items), chosen)
    cursor.pool = group
    return group


def _dice(cursor: Cursor, count: int, start: Token) -> Dice:
    sides = _sides(cursor)
    if count < 1:
        cursor.fail("no-dice", "At least one die must be thrown.", start)
    cursor.dice_so_far += count
    if cursor.dice_so_far > MOST_DICE:
        cursor.fail(
            "too-many-dice",
            f"A roll may throw at most {MOST_DICE:,} dice in all; with "
            f"these it would be {cursor.dice_so_far:,}.",
            start,
        )
    dice = modified(cursor, Dice(count, sides))
    alone = count == 1 and dice.explode is None and not isinstance(dice.select, Condition)
    cursor.pool = None if alone else dice
    return dice


def _sides(cursor: Cursor) -> int | Literal["F"]:
    if cursor.next().text == "df":
        return FUDGE
    if cursor.accept("%"):
        return 100
    if cursor.token.kind == "word":
        cursor.fail(
            "sides",
            f"There is no die called d{cursor.token.text} here; write d6, d% (1 to 100) or dF.",
        )
    if cursor.token.kind != "number":
        cursor.fail("sides", "How many sides? Write d6, d% (1 to 100) or dF.")
    sides = int(cursor.token.text)
    if not 1 <= sides <= MOST_SIDES:
        cursor.fail("too-many-sides", f"A die has 1 to {MOST_SIDES:,} sides, not {sides:,}.")
    cursor.next()
    return sides


def _bounded(cursor: Cursor, node: Node, start: Token) -> Node:
    """Refuse totals so large that no table could use them."""
    if any(isinstance(bound, int) and abs(bound) > LARGEST_TOTAL for bound in bounds(node)):
        cursor.fail("too-large", "The total could pass a million millions.", start)
    return node


def _fail_at_open(cursor: Cursor, start: Token, closing: str) -> NoReturn:
    if cursor.token.kind in ("end", "comment"):
        cursor.fail(
            "unclosed", f"This {start.text} is never closed; a {closing} is missing.", start
        )
    _fail_at_leftover(cursor)


def _fail_at_part(cursor: Cursor) -> NoReturn:
    """Say what is wrong where a number or dice should stand."""
    if cursor.token.kind in ("end", "comment"):
        cursor.fail("unfinished", "The roll ends too early: a number or dice should follow.")
    if cursor.token.kind == "word":
        cursor.fail_at_word("")
    if cursor.token.kind == "label":
        cursor.fail("label", "A label stands behind its dice or number, as in 2d6[fire].")
    if cursor.at("@"):
        cursor.fail("reference", "The values of a sheet are not known here; write the number.")
    if cursor.at("%"):
        cursor.fail("sides", "% stands behind a d: d% shows 1 to 100.")
    cursor.fail(
        "unexpected", f"A number or dice should stand here instead of {cursor.token.text!r}."
    )


def _fail_at_leftover(cursor: Cursor) -> NoReturn:
    """Say what is wrong behind a part that is complete."""
    if cursor.token.kind == "word":
        cursor.fail_at_word(cursor.last_dice)
    if cursor.at(">", "<") and cursor.pool is not None:
        cursor.fail("target-or-hits", _target_or_hits(cursor, cursor.pool))
    if cursor.at(">", "<"):
        cursor.fail_at_strict()
    if cursor.at("=", "=="):
        cursor.fail("target", "A target is written with >= or <=.")
    if cursor.at("!", "!!"):
        cursor.fail("misplaced", "! stands directly behind dice, as in 2d6!.")
    if cursor.at(")", "}"):
        cursor.fail("unexpected", f"This {cursor.token.text} closes nothing.")
    if cursor.token.kind == "number" or cursor.at("(", "{"):
        cursor.fail(
            "unexpected",
            "Two parts stand side by side; put + - * or / between them. To "
            "throw the same dice several times, throw them one after another.",
        )
    cursor.fail("unexpected", f"{cursor.token.text} has no place here.")
