"""Formulas of a game's file: whole numbers and names with + - * // ( ) min max."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import inf
from operator import add, floordiv, mul, neg, sub
from typing import Any, NoReturn, TypeAlias

from kitchentable.dice.errors import BadInput
from kitchentable.rules.values import record

_TOKEN = re.compile(r"\s*(\d+|[A-Za-z_][A-Za-z0-9_]*|//|[-+*(),])")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Values are limited to this number and its negative, so that no formula can fill the memory.
_LARGEST = 10**9
_DEEPEST = 20
#: The largest number of characters of a formula, and of a formula quoted in an error.
_LONGEST, _SHOWN = 400, 60
_ALLOWED = "Use whole numbers, names, + - * // ( ) min and max"
#: The precedence of the signs between two operands.
_RANKS = {"+": 1, "-": 1, "*": 2, "//": 2}
_DOES: Mapping[str, Callable[..., int]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv, "neg": neg,
    "min": lambda *parts: min(parts), "max": lambda *parts: max(parts),
}  # fmt: skip
#: The least possible value of an operation, from those of its operands; unlimited by default.
_LEAST: Mapping[str, Callable[[list[float]], float]] = {
    "+": sum, "min": min, "max": max,
    "*": lambda parts: parts[0] * parts[1] if min(parts) >= 0 else -inf,
}  # fmt: skip

#: The value of each name in a formula.
Bindings: TypeAlias = dict[str, int]
#: Formulas by a key of the file, such as that of a track.
Formulas: TypeAlias = Mapping[str, "Formula"]
#: A number, a name, or an operation with its operands.
Node: TypeAlias = "int | str | tuple[Any, ...]"


class BadFormula(BadInput):
    """The error for a formula that cannot be read, with the place and the reason."""

    code = "game/formula"


@record
class Formula:
    """A parsed formula: its text and its syntax tree.

    >>> parse_formula("2 + brawn // 2").value({"brawn": 5})
    4
    >>> sorted(parse_formula("max(1, trait - wounds)").names())
    ['trait', 'wounds']
    """

    text: str
    root: Node

    def value(self, names: Bindings) -> int:
        """The value for these names, between minus and plus 1,000,000,000."""
        return _value(self.root, names)

    def names(self) -> frozenset[str]:
        """The names in the formula."""
        return frozenset(_NAME.findall(self.text)) - {"min", "max"}

    def titled(self, titles: Mapping[str, str]) -> str:
        """The text with titles in place of names."""
        return _NAME.sub(lambda one: titles.get(one[0], one[0]), self.text)


def parse_formula(text: str | int) -> Formula:
    """A formula from its text. Errors: BadFormula.

    >>> parse_formula(3).value({})
    3
    >>> parse_formula("2 +")
    Traceback (most recent call last):
    ...
    kitchentable.rules.kit.formula.BadFormula: '2 +' ends where a number or a name should follow.
    """
    reader = _Reader(str(text))
    root = reader.sum(0, 1)
    if reader.next:
        reader.refuse(f" should end before {reader.next!r}. {_ALLOWED}")
    return Formula(str(text), root)


def _value(node: Node, names: Bindings) -> int:
    # Written for speed: a fight evaluates the same few formulas a million times.
    if isinstance(node, str):
        return names.get(node, 0)
    if isinstance(node, int):
        return node
    sign, *parts = node
    found = _DOES[sign](*[_value(part, names) for part in parts])
    return found if -_LARGEST <= found <= _LARGEST else _LARGEST if found > 0 else -_LARGEST


def _least(node: Node) -> float:
    """The least possible value of a node, for any values of its names."""
    if isinstance(node, tuple) and node[0] in _LEAST:
        return _LEAST[node[0]]([_least(part) for part in node[1:]])
    return node if isinstance(node, int) else -inf


class _Reader:
    """The tokens of a formula, read from the left."""

    def __init__(self, text: str) -> None:
        self.said = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
        if len(text) > _LONGEST:
            self.refuse(f" has {len(text):,} characters; at most {_LONGEST:,} are allowed")
        self.tokens, self.at, end = [], 0, 0
        while text[end:].strip():
            token = _TOKEN.match(text, end)
            if token is None:
                self.refuse(f": {text[end:].strip()[:1]!r} is not allowed in a formula. {_ALLOWED}")
            self.tokens.append(token[1])
            end = token.end()

    def refuse(self, why: str) -> NoReturn:
        raise BadFormula(f"{self.said}{why}.")

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str, why: str) -> None:
        if self.next != token:
            self.refuse(why)
        self.at += 1

    def sum(self, depth: int, rank: int) -> Node:
        """Operands joined by signs with at least this precedence."""
        node = self.one(depth)
        while _RANKS.get(sign := self.next, 0) >= rank:
            self.at += 1
            begins = self.at
            by = self.sum(depth, _RANKS[sign] + 1)
            if sign == "//" and _least(by) < 1:
                # Pages show formulas' values to everybody, so a divisor of 0 must be impossible.
                words = "".join(self.tokens[begins : self.at]).strip("()")
                self.refuse(f": {words} could be 0. Divide by max(1, {words})")
            node = (sign, node, by)
        return node

    def one(self, depth: int) -> Node:
        """A number, a name, a sum in brackets, or a function."""
        word = self.next
        if depth > _DEEPEST:
            self.refuse(" is nested too deeply")
        if not word:
            self.refuse(" ends where a number or a name should follow")
        self.at += 1
        if word == "-":
            return ("neg", self.one(depth + 1))
        if word.isdecimal():
            if len(word) > 9:
                self.refuse(f": {word} is too large for a game")
            return int(word)
        if word in {"min", "max"}:
            self.take("(", f": {word} needs brackets, such as {word}(1, 2)")
        elif word != "(":
            if not _NAME.match(word):
                self.refuse(f": a number or a name is needed in place of {word!r}")
            return word
        parts = [self.sum(depth + 1, 1)]
        while word != "(" and self.next == ",":
            self.at += 1
            parts.append(self.sum(depth + 1, 1))
        self.take(")", ": a closing bracket is missing")
        return parts[0] if word == "(" else (word, *parts)


# ---------------------------------------------------------------- sums within dice

#: A sum within dice notation: "{=trait + 1}d6kh1".
BRACES = re.compile(r"\{=([^{}]*)\}")


def sums_of(dice: str) -> list[Formula]:
    """The sums within dice notation. Errors: BadFormula."""
    return [parse_formula(one) for one in BRACES.findall(dice)]


def fill(dice: str, names: Bindings) -> str:
    """Dice notation with its sums evaluated.

    >>> fill("{=trait + 1}d6kh1", {"trait": 3})
    '4d6kh1'
    """

    def number(found: re.Match[str]) -> str:
        value = parse_formula(found[1]).value(names)
        return str(value) if value >= 0 else f"(0-{-value})"

    return BRACES.sub(number, dice)
