"""A move as the kit declares it: the table's `Move`, with the function and the form behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kitchentable.rules.kit.forms import Form
from kitchentable.rules.moves import Move

#: Says why a move cannot be made at a moment; None where it can be made.
Guard = Callable[[Any], "str | None"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Declared(Move):
    """A move of the kit. `guards` are asked in order, `form` has its questions.

    `paused` is the move that goes on after a pause; None for a move without one.
    """

    form: type[Form] = Form
    guards: tuple[Guard, ...] = ()
    paused: Move | None = None


def with_pauses(*moves: Move) -> tuple[Move, ...]:
    """A ruleset's list of moves, ending with those that go on after a pause."""
    paused = (one.paused for one in moves if isinstance(one, Declared))
    return (*moves, *(one for one in paused if one is not None))
