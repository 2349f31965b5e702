"""Outcomes in words: on a card, in the odds, and in what the GM is asked about them."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import Band, Table
from kitchentable.rulesets.toaster.book import Words
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, Extended
from kitchentable.rulesets.toaster.mechanics.tasks import (
    BANDS,
    CRITICAL,
    FAILURE,
    FUMBLE,
    MARGINAL,
    SUCCESS,
    TARGET,
    Outcome,
    lean,
)
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.tables import row

_GOOD = frozenset({SUCCESS, CRITICAL})

#: By how much a total has to lie over its target to be no longer marginal (toaster.3.vo-bands).
SURE = 2


def varies(table: Table) -> bool:
    """Whether the table plays with variable outcomes (toaster.3.vo-switch)."""
    return Options(table.options).variable_outcomes


def bands(table: Table, ext: Extended) -> tuple[Band, ...]:
    """The outcomes a task can have at this table, for its odds."""
    if not varies(table):
        return plain_bands(ext)
    return tuple(
        Band(word, word, tone(table, word), good=word in _GOOD) for word in reversed(BANDS)
    )


def plain_bands(ext: Extended) -> tuple[Band, ...]:
    """Success and failure, and where a zero fails, the fumble that it can bring."""
    return (
        Band(SUCCESS, "success", "good", good=True),
        Band(FAILURE, "failure", "bad"),
        *((Band(FUMBLE, "fumble", "bad"),) if ext.zeros else ()),
    )


def tone(table: Table, word: str) -> str:
    """How an outcome is shown: "good", "bad", "splendid" or "plain"."""
    found = row(table, "outcomes", word)
    return str(found["tone"]) if found else "plain"


def label(outcome: Outcome) -> str:
    """The outcome in a word, with the way a marginal one leans (toaster.3.marginal-meaning).

    >>> from kitchentable.rulesets.toaster.mechanics.tasks import outcome_of
    >>> [label(outcome_of(total, bands=True)) for total in (9, 10, 11)]
    ['marginal, leaning bad', 'marginal, even', 'marginal, leaning good']
    """
    if outcome.band != MARGINAL:
        return outcome.band
    leaning = lean(outcome.total - TARGET)
    return f"{MARGINAL}, {'even' if leaning == 'even' else f'leaning {leaning}'}"


def sentence(table: Table, outcome: Outcome, kind: str = "sentence") -> str:
    """What came of it, as the table of outcomes says.

    The kind "quality" is for what is done in any case (toaster.3.dice-quality), "luck" for a luck
    roll.
    """
    if kind == "sentence" and outcome.band == SUCCESS and not varies(table):
        return "Succeeds."
    found = row(table, "outcomes", outcome.band)
    return str(found[kind]) if found else outcome.band


def told(table: Table, outcome: Outcome, kind: str = "sentence") -> tuple[str, str, str, Any]:
    """The outcome on a card: sentence, word, tone, and the rules it follows from."""
    words = sentence(table, outcome, kind)
    return words, label(outcome), tone(table, outcome.band), rules_of(table, outcome)


def rules_of(table: Table, outcome: Outcome) -> Words:
    """The rules an outcome follows from."""
    if outcome.zero:
        return ("toaster.3.zeros-switch", "toaster.3.zeros-fumble-check")
    if varies(table):
        return ("toaster.3.vo-bands",)
    return ("toaster.3.unopposed-target",)


def in_words(
    modifier: int, ext: Extended, *, called: bool, bands: bool = False, target: int = TARGET
) -> str:
    """The odds as one says them: what the die has to show.

    With `bands`, the chance told is that of a success or a critical; the plain test, which a
    marginal result may pass too, is told beside it (toaster.3.vo-plain-test).

    >>> in_words(6, Extended(), called=False)
    'A 4 or better.'
    >>> in_words(-2, Extended(1), called=False), in_words(-2, Extended(), called=False)
    ('A 9, and then a 3 or better.', 'Out of reach.')
    >>> in_words(6, Extended(), called=False, bands=True)
    'Success or critical: a 6 or better. The plain test: a 4 or better.'
    """
    words = _needed(target - modifier, ext, called=called)
    if bands:
        good = _needed(target + SURE - modifier, ext, called=called)
        words = f"Success or critical: {_within(good)} The plain test: {_within(words)}"
    return words


def _within(words: str) -> str:
    return words[0].lower() + words[1:]


def _needed(needed: int, ext: Extended, *, called: bool) -> str:
    if called:
        return "Certain, with a 4." if needed <= CALLED else "A 4 is not enough."
    if needed <= (1 if ext.zeros else 0):
        return "Anything but a 0." if ext.zeros else "Anything will do."
    if needed <= 9:
        return "A 9." if needed == 9 else f"A {needed} or better."
    if ext.nines and (ext.nines < 0 or needed <= 9 * (ext.nines + 1)):
        nines, rest = divmod(needed, 9)
        first = "A 9" if nines == 1 else f"{nines} nines in a row"
        return f"{first}, and then {f'a {rest} or better' if rest else 'anything'}."
    return "Out of reach."
