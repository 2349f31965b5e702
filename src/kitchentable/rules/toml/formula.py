"""Formulas of a game's file: sums of whole numbers and names with + - * ( ) min max."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from kitchentable.dice.errors import BadInput

_TOKEN = re.compile(r"\s*(\d+|[A-Za-z_][A-Za-z0-9_]*|//|[-+*(),])")
#: Values stop at this number and its negative, so that no formula can fill the memory.
_LARGEST = 10**9
_DEEPEST = 20
#: The greatest number of characters of a formula.
_LONGEST = 400
#: The number of characters of a formula that an error repeats.
_SHOWN = 60
_FUNCTIONS = {"min": min, "max": max}


class BadFormula(BadInput):
    """The error for an unreadable formula, with the place and the reason."""

    code = "game/formula"


@dataclass(frozen=True, slots=True)
class Name:
    """A named number: a trait, a track, an option."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation on operands: "+", "-", "*", "//", "neg", "min", "max"."""

    what: str
    parts: tuple[Node, ...]


Node: TypeAlias = "int | Name | Apply"


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula: its text and its syntax tree.

    >>> parse_formula("2 + brawn // 2").value({"brawn": 5})
    4
    >>> sorted(parse_formula("max(1, trait - wounds)").names())
    ['trait', 'wounds']
    """

    text: str
    root: Node

    def value(self, names: Mapping[str, int]) -> int:
        """The value for these names, limited to a thousand million either way."""
        return _value(self.root, names)

    def names(self) -> frozenset[str]:
        """The names in the formula."""
        return frozenset(_names(self.root))


def parse_formula(text: str | int) -> Formula:
    """A formula from its text. Errors: BadFormula.

    >>> parse_formula(3).value({})
    3
    >>> parse_formula("2 +")
    Traceback (most recent call last):
    ...
    kitchentable.rules.toml.formula.BadFormula: '2 +' ends where a number or a name should follow.
    """
    reader = _Reader(str(text))
    root = reader.sum(0)
    reader.end()
    return Formula(str(text), root)


def _value(node: Node, names: Mapping[str, int]) -> int:
    if isinstance(node, int):
        return node
    if isinstance(node, Name):
        return names.get(node.name, 0)
    parts = [_value(part, names) for part in node.parts]
    match node.what:
        case "+":
            found = parts[0] + parts[1]
        case "-":
            found = parts[0] - parts[1]
        case "*":
            found = parts[0] * parts[1]
        case "//":
            found = parts[0] // parts[1]
        case "neg":
            found = -parts[0]
        case _:
            found = _FUNCTIONS[node.what](parts)
    return max(-_LARGEST, min(_LARGEST, found))


def _least(node: Node) -> float:
    """The least possible value of a node, for any values of its names."""
    if isinstance(node, int):
        return node
    if isinstance(node, Name):
        return -inf
    least = [_least(part) for part in node.parts]
    match node.what:
        case "+":
            return sum(least)
        case "*":
            return least[0] * least[1] if min(least) >= 0 else -inf
        case "max":
            return max(least)
        case "min":
            return min(least)
        case _:
            return -inf


def _names(node: Node) -> Iterator[str]:
    if isinstance(node, Name):
        yield node.name
    elif isinstance(node, Apply):
        for part in node.parts:
            yield from _names(part)


class _Reader:
    """The tokens of a formula, read from the left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._said = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
        if len(text) > _LONGEST:
            raise BadFormula(
                f"{self._said} has {len(text):,} characters; {_LONGEST:,} is the most."
            )
        self._tokens = list(self._cut())
        self._at = 0

    def _cut(self) -> Iterator[str]:
        at = 0
        text = self._text.rstrip()
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise BadFormula(
                    f"{self._said}: {text[at:].strip()[:1]!r} means nothing in a formula. "
                    "There are whole numbers, names, + - * // ( ) min and max."
                )
            yield token[1]
            at = token.end()

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._next()
        if token and token in wanted:
            self._at += 1
            return token
        return ""

    def end(self) -> None:
        if self._next():
            raise BadFormula(f"{self._said}: nothing was expected at {self._next()!r}.")

    def sum(self, depth: int) -> Node:
        node = self._product(depth)
        while sign := self._take("+", "-"):
            node = Apply(sign, (node, self._product(depth)))
        return node

    def _product(self, depth: int) -> Node:
        node = self._one(depth)
        while sign := self._take("*", "//"):
            begins = self._at
            by = self._one(depth)
            if sign == "//" and _least(by) < 1:
                # Pages show such numbers to everybody, so a divisor of 0 must be impossible.
                words = "".join(self._tokens[begins : self._at]).strip("()")
                raise BadFormula(f"{self._said}: {words} could be 0. Divide by max(1, {words}).")
            node = Apply(sign, (node, by))
        return node

    def _one(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise BadFormula(f"{self._said} is nested too deep.")
        word = self._next()
        if not word:
            raise BadFormula(f"{self._said} ends where a number or a name should follow.")
        self._at += 1
        if word == "-":
            return Apply("neg", (self._one(depth + 1),))
        if word == "(":
            node = self.sum(depth + 1)
            self._close()
            return node
        if word.isdecimal():
            if len(word) > 9:
                raise BadFormula(f"{self._said}: {word} is no number of a game.")
            return int(word)
        if word in _FUNCTIONS:
            return self._function(word, depth)
        if word[0].isalpha() or word[0] == "_":
            return Name(word)
        raise BadFormula(f"{self._said}: a number or a name should stand where {word!r} does.")

    def _function(self, name: str, depth: int) -> Node:
        if not self._take("("):
            raise BadFormula(f"{self._said}: {name} needs brackets, such as {name}(1, 2).")
        parts = [self.sum(depth + 1)]
        while self._take(","):
            parts.append(self.sum(depth + 1))
        self._close()
        return Apply(name, tuple(parts))

    def _close(self) -> None:
        if not self._take(")"):
            raise BadFormula(f"{self._said}: a closing bracket is missing.")


# ---------------------------------------------------------------- sums within dice

#: A sum within dice notation: "{=trait + 1}d6kh1".
BRACES = re.compile(r"\{=([^{}]*)\}")


def sums_of(dice: str) -> list[Formula]:
    """The sums within dice notation. Errors: BadFormula."""
    return [parse_formula(one) for one in BRACES.findall(dice)]


def fill(dice: str, names: Mapping[str, int]) -> str:
    """Dice notation with its sums evaluated.

    >>> fill("{=trait + 1}d6kh1", {"trait": 3})
    '4d6kh1'
    """

    def number(found: re.Match[str]) -> str:
        value = parse_formula(found[1]).value(names)
        return str(value) if value >= 0 else f"(0-{-value})"

    return BRACES.sub(number, dice)
