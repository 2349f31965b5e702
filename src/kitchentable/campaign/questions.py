"""Forms with answers that open further questions, read in rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kitchentable.campaign.errors import EndlessForm
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import read_answers
from kitchentable.rules.values import Answers, Field, Json, Problem

T = TypeVar("T")

#: Rounds of questions before a form counts as endless; bundled games need at most four.
MOST_ROUNDS = 50


def check_problems(problems: Iterable[Problem]) -> None:
    """Refuse a form with problems that are more than warnings. Errors: BadAnswers."""
    refusing = tuple(one for one in problems if one.refuses)
    if refusing:
        raise BadAnswers(refusing)


@dataclass(frozen=True, slots=True)
class Filled:
    """A form after the last round: its questions, typed answers and problems."""

    fields: tuple[Field, ...] = field(default=(), compare=False)
    answers: dict[str, Json] = field(default_factory=dict)
    problems: tuple[Problem, ...] = field(default=(), compare=False)


def ask_until_settled(title: str, start: T, ask: Callable[[T], T]) -> T:
    """Repeat a round of questions until it changes nothing. Errors: EndlessForm.

    >>> ask_until_settled("Count", 1, lambda number: min(number + 1, 4))
    4
    """
    now = start
    for _ in range(MOST_ROUNDS):
        after = ask(now)
        if after == now:
            return after
        now = after
    raise EndlessForm(title, MOST_ROUNDS)


def fill_in(
    title: str,
    fields: Callable[[Answers], Iterable[Field]],
    raw: Mapping[str, Any],
    given: Mapping[str, Json] | None = None,
    *,
    fill: bool = True,
) -> Filled:
    """Read a form with questions that depend on its answers.

    `given` are answers known in advance; `fill` is passed to `read_answers`. The problems come from
    the last round. Errors: EndlessForm.
    """
    before = dict(given or {})

    def ask(now: Filled) -> Filled:
        asked = tuple(fields(now.answers))
        read, problems = read_answers(asked, raw, fill=fill)
        return Filled(asked, {**before, **read}, problems)

    return ask_until_settled(title, Filled(answers=before), ask)
