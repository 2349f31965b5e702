"""What a dialect declares: its operators, its words behind dice, its functions, its rounding."""

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
"""How a word behind dice is written, and the step or score that it stands for."""


@dataclass(frozen=True, slots=True)
class Infix:
    """An operator between two parts: how tightly it binds, and the operation."""

    power: int
    name: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A dialect: its operators, its words behind dice, its functions, and how it rounds.

    `arrange` puts the steps of one pool into the order in which the program takes them; `special`
    reads what has no like in other dialects; `percent` is the die ``d%``; `finish` rounds a whole
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
