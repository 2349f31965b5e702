"""The table of a dialect: operators, modifiers, functions, rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from kitchentable.dice.die import Die
from kitchentable.dice.notation.dialects.nodes import Pool, Score, Source, Step, Term

if TYPE_CHECKING:
    from kitchentable.dice.notation.dialects.reader import Reader

Built: TypeAlias = Step | Score | None
Modifier: TypeAlias = tuple[str, Callable[[re.Match[str], Source], Built]]
"""The pattern of a modifier, and the function that builds its step or score."""


@dataclass(frozen=True, slots=True)
class Infix:
    """An infix operator: its precedence, and its operation."""

    power: int
    name: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A dialect: its operators, its modifiers of dice, its functions, and its rounding.

    `arrange` puts the steps of a pool into the order in which the program applies them; `special`
    reads elements that no other dialect has; `percent` is the die ``d%``; `finish` rounds a whole
    expression.
    """

    key: str
    name: str
    infix: Mapping[str, Infix]
    prefix: int
    modifiers: tuple[Modifier, ...]
    arrange: Callable[[Sequence[Built]], tuple[tuple[Step, ...], Score | None]]
    group_modifiers: tuple[Modifier, ...] = ()
    functions: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    percent: int | Die = 100
    fudge: bool = True
    zero: bool = False
    computed: bool = True
    decimals: bool = True
    label: str | None = r"\[([^\[\]]*)\]"
    finish: str = "plain"
    comment: str = r"#(.*)"
    primary: Callable[[Reader], Term | None] | None = None
    group: Callable[[Reader, list[Term], int], Pool] | None = None
    braces: str = "{}"
    hints: Mapping[str, str] = field(default_factory=dict)
