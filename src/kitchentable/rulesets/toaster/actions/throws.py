"""A throw as plain facts, its outcome in words, and its side of a card.

If the GM keeps a part of a throw secret, the total and outcome that would reveal it are secret too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from kitchentable.rules import GM, Band, Part, or_better, total, worth
from kitchentable.rules.kit import Roll
from kitchentable.rules.kit.outcomes import write_outcome
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import ROLL_WORDS, Facts, Parts, Record, Row, Words, row
from kitchentable.rulesets.toaster.luck import called_part
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, Extended
from kitchentable.rulesets.toaster.mechanics.tasks import (
    BANDS,
    CRITICAL,
    MARGINAL,
    SUCCESS,
    TARGET,
    Outcome,
    failed,
    outcome_of,
    task,
)
from kitchentable.rulesets.toaster.people import Here, person

_GOOD = frozenset({SUCCESS, CRITICAL})

#: The outcomes without variable outcomes.
_PLAIN = tuple(Band(**one) for one in ROLL_WORDS["task"]["band"])

#: The excess over the target at which a result is no longer marginal (toaster.3.vo-bands).
SURE = 2


def bands(at: Here, ext: Extended) -> tuple[Band, ...]:
    """The outcomes of a task at this table, for its odds (toaster.3.vo-switch)."""
    if not at.options.variable_outcomes:
        return plain_bands(ext)
    return tuple(
        Band(word, word, outcome_row(at, word).get("tone", "plain"), good=word in _GOOD)
        for word in reversed(BANDS)
    )


def outcome_row(at: Here, word: str) -> Row:
    """The table's row of an outcome: name, tone, sentences, rule; {} if removed."""
    return row(at.table, "outcomes", word) or {}


def plain_bands(ext: Extended) -> tuple[Band, ...]:
    """Success and failure, and a fumble if zeros fail."""
    return _PLAIN if ext.zeros else _PLAIN[:-1]


def label(outcome: Outcome) -> str:
    """The outcome in a word; marginal outcomes with their leaning (toaster.3.marginal-meaning).

    >>> from kitchentable.rulesets.toaster.mechanics.tasks import outcome_of
    >>> [label(outcome_of(total, bands=True)) for total in (9, 10, 11)]
    ['marginal, leaning bad', 'marginal, even', 'marginal, leaning good']
    """
    if outcome.band != MARGINAL:
        return outcome.band
    leaning = {-1: "leaning bad", 1: "leaning good"}.get(outcome.total - TARGET, "even")
    return f"{MARGINAL}, {leaning}"


def outcome_words(
    at: Here, outcome: Outcome, kind: str = "sentence"
) -> tuple[str, str, str, Words]:
    """The outcome for a card: sentence, word, tone, and rules.

    The kind "quality" is for actions that succeed in any case (toaster.3.dice-quality), "luck" for
    luck rolls.
    """
    found, varies = outcome_row(at, outcome.band), at.options.variable_outcomes
    words = found.get(kind, outcome.band)
    if kind == "sentence" and outcome.band == SUCCESS and not varies:
        words = "Succeeds."
    rules: Words = ("toaster.3.vo-bands" if varies else "toaster.3.unopposed-target",)
    if outcome.zero:
        rules = ("toaster.3.zeros-switch", "toaster.3.zeros-fumble-check")
    return words, label(outcome), found.get("tone", "plain"), rules


def in_words(modifier: int, ext: Extended, *, called: bool, bands: bool = False) -> str:
    """The odds in words: the faces that the die must show.

    With `bands`, the first chance is that of a success or critical. The plain test, which marginal
    results can pass too, follows (toaster.3.vo-plain-test).

    >>> in_words(6, Extended(), called=False)
    'A 4 or better.'
    >>> in_words(2, Extended(), called=False)
    'An 8 or better.'
    >>> in_words(-2, Extended(1), called=False), in_words(-2, Extended(), called=False)
    ('A 9, and then a 3 or better.', 'Out of reach.')
    >>> in_words(-8, Extended(1), called=False)
    '2 nines in a row.'
    >>> in_words(6, Extended(), called=False, bands=True)
    'Success or critical: a 6 or better. The plain test: a 4 or better.'
    """
    words = _needed(TARGET - modifier, ext, called=called)
    if bands:
        good = _needed(TARGET + SURE - modifier, ext, called=called)
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
        return "A 9." if needed == 9 else f"{or_better(needed).capitalize()}."
    if ext.nines and (ext.nines < 0 or needed <= 9 * (ext.nines + 1)):
        nines, rest = divmod(needed, 9)
        first = "A 9" if nines == 1 else f"{nines} nines in a row"
        return f"{first}, and then {or_better(rest)}." if rest else f"{first}."
    return "Out of reach."


# ---------------------------------------------------------------- throws


@record
class Thrown:
    """One side's throw: roller, skill or attribute, parts with reasons, and result.

    `open` are the public parts, `kept` the GM's secret ones. `total` and `second` include the
    secret parts. `luck` are the points spent in advance, `added` is the bonus of luck afterwards,
    `rank` the rank of the skill or attribute.
    """

    entity: str
    name: str
    on: str
    label: str
    total: int = 0
    open: Parts = ()
    kept: Parts = ()
    zero: bool = False
    fumble: bool = False
    second: int | None = None
    called: bool = False
    luck: int = 0
    added: int = 0
    rank: int = 0

    @property
    def final(self) -> int:
        """The total, with the luck that was added after the roll."""
        return self.total + self.added

    @property
    def worth(self) -> tuple[bool, int]:
        """The total for comparisons; after a zero it is lower than any other."""
        return not self.zero, self.final

    @property
    def shown(self) -> int:
        """The total without secret parts."""
        return self.final - total(self.kept)

    @property
    def modifier(self) -> int:
        """The sum of all parts added to the die.

        >>> Thrown("a", "", "", "", 0, (Part("Climb", 4),), (Part("slick", -2),)).modifier
        2
        """
        return total((*self.open, *self.kept))

    def fell(self, outcome: Outcome) -> Thrown:
        """The throw with the outcome of its dice."""
        return replace(
            self,
            total=outcome.total,
            zero=outcome.zero,
            fumble=outcome.zero and outcome.fumble,
            second=outcome.second,
            added=0,
        )

    def outcome(self, at: Here) -> Outcome:
        """The outcome including luck added afterwards, which cannot undo a zero.

        toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
        """
        if self.zero:
            return failed(self.final, self.second, fumble=self.fumble)
        return outcome_of(self.final, bands=at.options.variable_outcomes)

    def plain(self) -> Facts:
        """The throw as plain data."""
        parts = {"open": self.open, "kept": self.kept}
        pairs = {key: [[one.name, one.value] for one in each] for key, each in parts.items()}
        facts: Any = write_outcome(self)
        return {**facts, **pairs}


def read_thrown(plain: Record, added: int = 0) -> Thrown:
    """Read a throw from plain data, with the luck added since.

    >>> one = Thrown("ada", "Climb", "skill:climb", "roll", 9, (Part("Climb", 4),))
    >>> read_thrown(one.plain()) == one
    True
    """
    parts = {key: tuple(Part(*one) for one in plain[key]) for key in ("open", "kept")}
    return Thrown(**{**plain, **parts, "added": added})


#: The outcome word, the only subject of the odds.
band_of: Callable[[Outcome], str] = attrgetter("band")


def against_10(at: Here, throw: Thrown, scope: str = "action") -> Thrown:
    """Make a roll against 10 with all its parts.

    toaster.3.unopposed-order, toaster.3.unopposed-target, toaster.3.percentages.
    """
    ext, varies = at.options.extended(scope), at.options.variable_outcomes
    says = in_words(throw.modifier, ext, called=throw.called, bands=varies)
    roll = Roll(task, bands(at, ext), band_of)(throw.modifier, ext, throw.called, varies)
    return throw.fell(at.roll(roll, {throw.label: person(at, throw.entity)}, says))


# ---------------------------------------------------------------- on a card


def show(at: Here, throw: Thrown, word: str = "") -> None:
    """Show the throw on the card, with its total only if no part is secret.

    toaster.3.difficulty-open-secret: die and rank are public, the total is not.
    """
    one = person(at, throw.entity)
    luck = worth(Part("luck afterwards", throw.added))
    parts = (*called_part(throw.called), *throw.open, *luck)
    total = throw.final if not throw.kept else None
    at.show(one, throw.label, total, *parts, word=word)


def tell_kept(at: Here, throw: Thrown, audience: str = GM) -> None:
    """Tell the GM the secret parts and the total they make.

    Even if a table reveals them to all afterwards, numbers of closed characters stay secret.
    """
    one = person(at, throw.entity)
    if throw.kept:
        added = ", ".join(f"{part.name} {part.value:+d}" for part in throw.kept)
        second = f", then {throw.second}" if throw.second is not None else ""
        told = f"Kept for {one.name}: {added}; the total is {throw.final}{second}."
        at.say(told, GM if one.is_closed else audience)
