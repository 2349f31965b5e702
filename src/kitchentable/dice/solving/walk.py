"""The walk over all paths of one call: the current choice points, and the results so far.

A run repeats the script of its path up to the last choice point, and continues from there.
"""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, NoReturn

from kitchentable.dice.errors import DiceFault, MixedOutcomes, NotRepeatable, TooManyPaths
from kitchentable.dice.solving.keys import Key, NeedsValue, PathStopped, Plainly
from kitchentable.dice.solving.keys import in_words as call_in_words
from kitchentable.dice.solving.lines import Amount, Groups
from kitchentable.dice.solving.results import Results
from kitchentable.dice.solving.shapes import Words
from kitchentable.dice.solving.solution import Solution, Spread
from kitchentable.dice.solving.step import Option, Step, in_words

# Weights over several totals.
Tables = dict[int, dict[Any, Amount]]

LONG_PATH = 100
LONGEST_PATH = 5_000
# On a long path (a loop that may not terminate), less than 2**-FAINT is left unresolved.
FAINT = 72


class Walk:
    """All paths of one call of a mechanic.

    `script` holds the choice points of the current path; `pos` is the position of this run in the
    script.
    """

    # For mechanics that catch exceptions, `prepare` puts wrapped methods into `__dict__`.
    __slots__ = (
        "__dict__",
        "args",
        "begun",
        "calls",
        "clash",
        "clean",
        "covers",
        "depth",
        "eager",
        "endings",
        "firsts",
        "folded",
        "folds",
        "found",
        "given",
        "gone",
        "guarded",
        "inexact",
        "key",
        "kwargs",
        "laws",
        "looked",
        "lost",
        "mechanic",
        "needs",
        "needs_plain",
        "open",
        "partial",
        "paths",
        "plain",
        "pos",
        "raised",
        "results",
        "script",
        "taint",
        *("viewed", "waiting", "whole", "wholly", "words"),
    )

    def __init__(self, results: Results, key: Key) -> None:
        self.results = results
        self.key = key
        self.mechanic, self.args, named, _ = key
        self.kwargs = dict(named)
        # Values passed to other mechanics that contain no symbolic numbers.
        self.clean: list[Any] = []
        # `plain`: every number is enumerated; `open`: every result of a mechanic is enumerated too.
        self.plain = self.open = False
        self.eager = self.guarded = False
        self.raised: Exception | None = None
        # Calls with more than one attribute of the result used on a path.
        self.whole: set[Key] = set()
        # Whether a single attribute was used, and whether single attributes are forbidden.
        self.partial = self.wholly = False
        # The distributions of numbers among the arguments.
        self.given: Groups = {}
        # Folds over pools, and steps of other folds as mechanics, for reuse on other paths.
        self.folds: dict[Any, Any] = {}
        self.begin()

    def begin(self) -> None:
        """Discard every path."""
        self.script: list[Step] = []
        self.pos = 0
        self.begun = self.partial = False
        self.paths = 0
        self.covers = False
        self.needs_plain = False
        self.needs: Key | None = None
        # The pending results of this run; those that were read, by the place of their call; and the
        # one attribute used of each other result.
        self.waiting: list[Any] = []
        self.looked: dict[Hashable, Any] = {}
        self.viewed: dict[Hashable, tuple[str, Any]] = {}
        # The folds of this run, because equal folds have the same result.
        self.folded: dict[Hashable, Any] = {}
        # The calls whose guessed results were used; and whether any result used was inexact.
        self.taint: set[Key] = set()
        self.inexact = False
        # The nesting depth of the results used.
        self.depth = 0
        # Weights by their total: of outcomes, of unresolved paths, of paths that never terminate,
        # and of tail calls by the number added.
        # Plain tables, because a walk begins for each call, and most have few paths.
        self.found: Tables = {}
        self.lost: dict[int, Amount] = {}
        self.gone: dict[int, Amount] = {}
        self.calls: dict[Key, Tables] = {}
        self.laws: list[tuple[Fraction, Any]] = []
        # Sums that paths have returned (:class:`.queries.Ending`), by their summands.
        self.endings: dict[Hashable, Any] = {}
        # The templates of outcomes, one object for all equal ones.
        self.words: dict[Words, Words] = {}
        # The first of each set of equal outcomes; and two equal outcomes of different types.
        self.firsts: dict[Any, Any] = {}
        self.clash: tuple[Any, Any] | None = None

    def begin_run(self) -> None:
        """Return to the start of the script."""
        self.pos = 0
        self.looked.clear()
        self.viewed.clear()
        self.folded.clear()
        self.waiting.clear()

    @property
    def place(self) -> str:
        """The name of the mechanic in errors."""
        return f"The mechanic {self.mechanic.name}"

    # -- the script ----------------------------------------------------------------------------

    def here(self) -> tuple[Amount, int, Groups]:
        """The weight of the path so far, its total, and the conditional distributions."""
        pos = min(self.pos, len(self.script))
        if pos:
            last = self.script[pos - 1]
            return last.weight, last.total, last.groups
        return 1, 1, self.given

    def known(self, request: Any) -> Step | None:
        """The choice point of a request that the script repeats, or None at its end."""
        pos = self.pos
        if pos < len(self.script):
            step = self.script[pos]
            if step.request is not request and step.request != request:
                self.differs(step, request)
            self.pos = pos + 1
            return step
        return None

    def append(self, step: Step) -> Any:
        """Add a choice point to the end of the path, and return its value."""
        if self.results.walking is not self:
            raise DiceFault(
                f"{self.place} shares its dice, or a number thrown with them, with another "
                f"mechanic. A mechanic may use only its own dice and its arguments."
            )
        self.script.append(step)
        self.pos += 1
        if len(self.script) > LONGEST_PATH:
            raise TooManyPaths(
                f"{self.place} throws more than {LONGEST_PATH} dice on one path. "
                f"Make it end, or call itself instead of looping."
            )
        return step.value

    def branch(self, request: Any, options: list[Option], total: int) -> Any:
        """Add a choice point with several options, and return the value of the first."""
        if not options:
            raise PathStopped(self.place)
        if len(self.script) >= LONG_PATH:
            weight, here, _ = self.here()
            if weight * (1 << FAINT) < here:
                self.lose(weight, here)
                raise PathStopped(self.place)
        value, weight, groups = options[0]
        more = options if len(options) > 1 else None
        return self.append(Step(request, value, weight, total, groups, more))

    def plainly(self, why: str) -> Plainly:
        """The signal to enumerate every number, recorded in case the mechanic catches it."""
        self.needs_plain = True
        return Plainly(why)

    def lose(self, weight: Amount, total: int) -> None:
        """Count a weight as unresolved."""
        self.lost[total] = self.lost.get(total, 0) + weight

    def differs(self, step: Step, request: Any) -> NoReturn:
        """Refuse a run that differs from the script. Errors: NotRepeatable."""
        raise self.not_repeatable(
            f"asked for {in_words(step.request)} and then for {in_words(request)}"
        )

    def not_repeatable(self, how: str) -> NotRepeatable:
        """The error for a mechanic that differs between runs with the same dice."""
        return NotRepeatable(
            f"{self.place} is not repeatable: with the same dice it first {how}. A mechanic must "
            f"not use a clock, other randomness or the order of a set. Use only the dice."
        )

    # -- results of other calls -----------------------------------------------------------------

    def value(self, key: Key) -> Solution:
        """The solution of a call, for a path that uses the result. Errors: NeedsValue."""
        known = self.results.find(key)
        if known is None:
            self.needs = key
            raise NeedsValue(key)
        solution, taint = known
        self.inexact |= solution.inexact or key in taint
        if taint:
            self.taint.update(taint)
        else:
            self.depth = max(self.depth, solution.depth + 1)
        return solution

    def result(self, key: Key, *, by_words: bool = False) -> Spread:
        """The distribution of a call's result, for a path that uses it. Errors: MixedOutcomes."""
        solution = self.value(key)
        spread = solution.by_words() if by_words else solution.spread()
        mixed = solution.mixed or (None if by_words else solution.clash)
        if mixed is not None:
            one, other = mixed
            raise MixedOutcomes(
                f"{self.place} uses the result of {call_in_words(key)}, which can be both "
                f"{one!r} and {other!r}. Odds cannot tell equal values apart. Return only one of "
                f"the two, for example with int(...) or bool(...)."
            )
        return spread
