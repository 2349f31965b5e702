"""Moves written by hand, from functions: the contract without the kit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kitchentable.rules.moves import Move


@dataclass(frozen=True, kw_only=True, repr=False)
class Handmade(Move):
    """A move whose methods are functions that a test replaces."""

    consequences: Callable[..., Any] = lambda table, actor, answers, outcome: None
    when: Callable[..., Any] = lambda table, actor: None
    fields: Callable[..., Any] = lambda table, actor, answers: ()
    check: Callable[..., Any] = lambda table, actor, answers: ()
    question: Callable[..., Any] = lambda table, actor, answers: None
