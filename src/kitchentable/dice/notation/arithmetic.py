"""Parser for sums, products and their operands, down to the dice."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn, cast

from kitchentable.dice.notation.bounds import Bounds, bounds, product_bounds
from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.errors import Suggestion
from kitchentable.dice.notation.functions import ends_in_division, rounded_up
from kitchentable.dice.notation.handfuls import dice_at, fail_at_letter, handful, is_dice
from kitchentable.dice.notation.modifiers import select
from kitchentable.dice.notation.refusals import (
    fail_at_open,
    fail_at_part,
    fail_at_strict,
    fail_at_word,
)
from kitchentable.dice.notation.targets import COMPARES, fail_at_pool, pool_at_end, threshold
from kitchentable.dice.notation.tokens import Token
from kitchentable.dice.notation.tree import (
    Dice,
    Group,
    Keep,
    Labelled,
    Node,
    Number,
    Plus,
    Product,
    Sum,
    Times,
)

LARGEST_TOTAL = 10**12
_HIGH_LOW = {"highest": "kh", "lowest": "kl"}


def total(cursor: Cursor) -> Node:
    """Read a sum."""
    start = cursor.token
    cursor.deeper()
    sign: Plus = "-" if cursor.accept("-") else "+"
    if sign == "+":
        cursor.accept("+")
    terms: list[tuple[Plus, Node]] = [(sign, _product(cursor))]
    while cursor.at("+", "-"):
        sign = cast(Plus, cursor.next().text)
        terms.append((sign, _product(cursor)))
    cursor.depth -= 1
    if len(terms) == 1 and terms[0][0] == "+":
        return terms[0][1]
    node = Sum(tuple(terms))
    _check_size(cursor, bounds(node), start)
    return node


def _product(cursor: Cursor) -> Node:
    start = cursor.token
    first = _factor(cursor)
    found: Bounds | None = None
    rest: list[tuple[Times, Node]] = []
    while cursor.at("*", "/", "//", "**"):
        token = cursor.token
        if cursor.at("//"):
            cursor.fail(
                "division",
                "Here every division rounds down.",
                token,
                (cursor.instead(token.start, token.end, "/", "for the same"),),
            )
        if cursor.at("**"):
            cursor.fail("power", "A roll cannot have powers. Multiply with *.")
        sign = cast(Times, cursor.next().text)
        place = cursor.token
        factor = _factor(cursor)
        low, high = bounds(factor)
        if sign == "/" and low <= 0 <= high:
            cursor.fail(
                "divide-by-zero",
                "Division by 0 is impossible, and this divisor can be 0. Divide by a larger "
                "number.",
                place,
            )
        rest.append((sign, factor))
        found = product_bounds(bounds(first) if found is None else found, sign, (low, high))
        _check_size(cursor, found, start)
    return Product(first, tuple(rest)) if rest else first


def _factor(cursor: Cursor) -> Node:
    if cursor.at("-", "+"):
        cursor.deeper()
        sign = cursor.next()
        node = _factor(cursor)
        cursor.depth -= 1
        return node if sign.text == "+" else Sum((("-", node),))
    node = _part(cursor)
    if not cursor.labelled():
        return node
    label = cursor.next()
    if isinstance(node, Labelled) or cursor.labelled():
        cursor.fail("label", "Each part of a roll can have only one label.", label)
    return Labelled(node, label.text)


def _part(cursor: Cursor) -> Node:
    token, ahead = cursor.token, cursor.ahead
    if token.kind == "number":
        cursor.next()
        if is_dice(cursor):
            return dice_at(cursor, int(token.text), token)
        if ahead.kind == "word" and ahead.text in ("k", "t", "x"):
            fail_at_letter(cursor, token)
        return Number(int(token.text))
    if is_dice(cursor):
        return dice_at(cursor, None, token)
    if cursor.at("("):
        return _brackets(cursor)
    if cursor.at("{"):
        return _group(cursor)
    if token.kind == "word" and ahead.text == "(":
        return _function(cursor)
    if not (cursor.at(*_HIGH_LOW) and (ahead.kind == "number" or ahead.text == "of")):
        fail_at_part(cursor)
    return _of(cursor)


def _brackets(cursor: Cursor) -> Node:
    start = cursor.next()
    node = total(cursor)
    if cursor.at(","):
        says = "Groups are in round brackets in Avrae, but in braces here."
        cursor.fail("group", says, None, _in_braces(cursor, start))
    _check_no_target(cursor, node)
    if not cursor.accept(")"):
        fail_at_open(cursor, start, ")")
    return handful(cursor, node, start) if is_dice(cursor) else node


def _in_braces(cursor: Cursor, start: Token) -> tuple[Suggestion, ...]:
    end = cursor.text.find(")", cursor.token.end)
    if end < 0:
        return ()
    inner = cursor.text[start.end : end]
    return (cursor.instead(start.start, end + 1, f"{{{inner}}}", "for the group"),)


def _group(cursor: Cursor) -> Group:
    start = cursor.next()
    items = _listed(cursor)
    if not cursor.accept("}"):
        _check_no_target(cursor, items[-1])
        fail_at_open(cursor, start, "}")
    end = cursor.last.end
    if len(items) == 1:
        cursor.fail(
            "group",
            "A group needs two or more throws. In Roll20 and rpg-dice-roller, a group of one "
            "throw stands for its dice.",
            start,
            (
                cursor.instead(
                    start.start, end, cursor.text[start.end : end - 1], "to choose among those"
                ),
            ),
        )
    chosen = select(cursor, len(items))
    if chosen is None:
        _fail_at_unchosen(cursor, items, start, end)
    return Group(tuple(items), chosen)


def _listed(cursor: Cursor) -> list[Node]:
    items = [total(cursor)]
    while cursor.accept(","):
        items.append(total(cursor))
    return items


def _fail_at_unchosen(cursor: Cursor, items: list[Node], start: Token, end: int) -> NoReturn:
    """Refuse a group without a selection."""
    added = f"({'+'.join(map(str, items))})"
    token = cursor.token
    if token.kind == "word":
        fail_at_word(cursor)
    if cursor.at(">", "<"):
        fail_at_strict(cursor)
    summed = cursor.instead(start.start, end, added, "for the sum of all")
    if cursor.at(*COMPARES):
        cursor.fail(
            "target-or-hits",
            f"{token.text} after a group is read in two ways: rpg-dice-roller counts the throws, "
            "Avrae compares their sum.",
            token,
            (cursor.instead(token.start, token.start, " hits", "to count the throws"), summed),
        )
    highest = cursor.instead(end, end, "kh1", "for the highest")
    lowest = cursor.instead(end, end, "kl1", "for the lowest")
    cursor.fail("group", "Add which throws of the group to keep.", token, (highest, lowest, summed))


def _function(cursor: Cursor) -> Node:
    """Read max, min, floor or ceil with its arguments."""
    word = cursor.next()
    start = cursor.next()
    if word.text not in ("max", "min", "floor", "ceil"):
        _fail_at_function(cursor, word)
    items = _listed(cursor)
    if not cursor.accept(")"):
        _check_no_target(cursor, items[-1])
        fail_at_open(cursor, start, ")")
    if word.text in ("max", "min"):
        keep = Keep("kh" if word.text == "max" else "kl", 1)
        return Group(tuple(items), keep) if len(items) > 1 else items[0]
    if len(items) > 1:
        cursor.fail("function", f"{word.text} rounds a single number, not {len(items)}.", word)
    node = rounded_up(items[0]) if word.text == "ceil" else items[0]
    if node is None or (word.text == "floor" and not ends_in_division(node)):
        cursor.fail(
            "function",
            f"Here every division rounds down at once, so {word.text} needs a division as its last "
            "step, by a number above 0.",
            word,
        )
    return node


def _fail_at_function(cursor: Cursor, word: Token) -> NoReturn:
    if word.text == "round":
        offers = tuple(
            cursor.instead(word.start, word.end, one, f"to round {way}")
            for one, way in (("floor", "down"), ("ceil", "up"))
        )
        cursor.fail(
            "function", "round treats halves differently in different programs.", word, offers
        )
    cursor.fail(
        "function", f"There is no function {word.text}(). Use max, min, floor or ceil.", word
    )


def _of(cursor: Cursor) -> Node:
    """Read ``highest 3 of 4d6``, as in AnyDice."""
    word = cursor.next()
    number = int(cursor.next().text) if cursor.token.kind == "number" else 1
    if not cursor.accept("of"):
        cursor.fail("keep", f"After {word.text} {number}, write 'of' and the dice.")
    place = cursor.token
    dice = _part(cursor)
    if not isinstance(dice, Dice) or dice.select is not None or dice.explode is not None:
        cursor.fail("keep", f"{word.text} needs plain dice of one kind.", place)
    if not 1 <= number <= dice.count:
        cursor.fail("keep", f"You can keep 1 to {dice.count:,} of {dice.count:,}.", word)
    return replace(dice, select=Keep("kh" if word.text == "highest" else "kl", number))


def _check_size(cursor: Cursor, found: Bounds, start: Token) -> None:
    """Refuse totals that are too large for any table."""
    if any(isinstance(bound, int) and abs(bound) > LARGEST_TOTAL for bound in found):
        cursor.fail(
            "too-large", "The total could exceed a million millions. Use smaller numbers.", start
        )


def _check_no_target(cursor: Cursor, node: Node) -> None:
    """Refuse a comparison inside brackets."""
    if not cursor.at(*COMPARES):
        return
    found = threshold(cursor)
    if found is not None and cursor.last.text != ")" and pool_at_end(node) is not None:
        fail_at_pool(cursor, node, *found)
    cursor.fail("target", "Write a target at the end of the roll, outside all brackets.")
