"""Dice that record each throw and its fate for the trace."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from kitchentable.dice.die import AnyDie, Die, Table, as_die, check_count, rows_of, shown
from kitchentable.dice.errors import BadDie, StartingOver
from kitchentable.dice.mechanic import (
    AnyMechanic,
    Args,
    Kwargs,
    Mechanic,
    Throwable,
    explain_methods,
)
from kitchentable.dice.parameters import hit_test, mechanic_of, read_total
from kitchentable.dice.pool import FacePool, add, check_keep, ranking
from kitchentable.dice.trace import COUNTED, DROPPED, EXPLODED, KEPT, THROWN_AGAIN, Throw, Trace

# A chain of 100 explosions or ties does not occur by chance; with typed-in faces it would exhaust
# the stack.
MOST_NESTED = 100

R = TypeVar("R")
Feed = Callable[[Die, str], int]


@dataclass(slots=True)
class _PendingDie:
    """A thrown die with a fate that can still change."""

    die: Die
    physical: int
    label: str
    path: tuple[str, ...]
    fate: str = KEPT
    why: str = ""

    @property
    def value(self) -> Any:
        return self.die.faces[self.physical - 1]


@dataclass(slots=True)
class _Span:
    """A running mechanic: the start of its throws, and the last result of a sub-mechanic."""

    mechanic: AnyMechanic
    start: int
    within: frozenset[Any]
    result: Any = None
    again: tuple[int, int] | None = None
    inner: frozenset[Any] = frozenset()
    ends: int = -1
    parts: list[range] = field(default_factory=list)


@explain_methods
class TraceRecorder:
    """Dice that record every throw; the function `feed` gives their faces.

    `feed` takes a die and its label, and returns the physical face, counted from 1.
    """

    __slots__ = ("_feed", "_last", "_path", "_spans", "_thrown")

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._thrown: list[_PendingDie] = []
        self._last: range = range(0)
        self._path: tuple[str, ...] = ()
        self._spans: list[_Span] = []

    @property
    def trace(self) -> Trace:
        """Everything thrown so far."""
        return Trace(
            tuple(
                Throw(
                    number=number,
                    die=one.die.name,
                    sides=one.die.sides,
                    physical=one.physical,
                    face=shown(one.value),
                    label=one.label,
                    path=one.path,
                    fate=one.fate,
                    why=one.why,
                )
                for number, one in enumerate(self._thrown, start=1)
            )
        )

    def _throw(self, n: int, die: Die, label: str) -> range:
        start = len(self._thrown)
        for _ in range(n):
            self._thrown.append(_PendingDie(die, self._feed(die, label), label, self._path))
        self._last = range(start, start + n)
        return self._last

    def _set_fate(self, places: Iterable[int], fate: str, why: str) -> None:
        for at in places:
            self._thrown[at].fate, self._thrown[at].why = fate, why

    def die(self, of: AnyDie = 6, *, label: str = "") -> Any:
        """Throw one die and return its value."""
        self._throw(1, as_die(of), label)
        return self._thrown[-1].value

    def pool(self, n: int, of: AnyDie = 6, *, label: str = "") -> FacePool:
        """Throw n dice together."""
        check_count(n)
        one = as_die(of)
        thrown = self._throw(n, one, label)
        rank = _ranks(one)
        order = sorted(thrown, key=lambda at: -rank[self._thrown[at].physical - 1])

        def dropped(places: Sequence[int], why: str) -> None:
            self._set_fate([order[place] for place in places], DROPPED, why)

        return FacePool([self._thrown[at].value for at in order], dropped)

    def total(
        self,
        n: int | str,
        of: Throwable = 6,
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> Any:
        """Throw n dice and add those that count."""
        check_keep(keep_highest, keep_lowest)
        number, of = read_total(n, of, keep_highest, keep_lowest)
        if isinstance(of, AnyDie):
            pool = self.pool(number, of, label=label)
            if keep_highest is not None:
                pool = pool.highest(keep_highest)
            if keep_lowest is not None:
                pool = pool.lowest(keep_lowest)
            return pool.total()
        check_count(number)
        return self._add([of] * number, label, keep_highest, keep_lowest)

    def mixed(
        self,
        parts: Iterable[Throwable],
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> Any:
        """Throw different dice and add those that count."""
        check_keep(keep_highest, keep_lowest)
        parts = tuple(parts)
        check_count(len(parts))
        return self._add(parts, label, keep_highest, keep_lowest)

    def _add(
        self, parts: Sequence[Any], label: str, keep_highest: int | None, keep_lowest: int | None
    ) -> Any:
        values, spans = self._each(parts, label)
        keep = sorted(range(len(parts)), key=values.__getitem__, reverse=True)
        gone: list[int] = []
        if keep_highest is not None:
            keep, gone = keep[:keep_highest], keep[keep_highest:]
        if keep_lowest is not None:
            cut = max(0, len(parts) - keep_lowest)
            keep, gone = keep[cut:], keep[:cut]
        for one in gone:
            self._set_fate(spans[one], DROPPED, "another throw counts instead")
        return add([values[one] for one in keep])

    def count(
        self,
        n: int,
        of: Throwable = 6,
        *,
        hit: Callable[[Any], bool] | None = None,
        at_least: int | None = None,
        label: str = "",
    ) -> int:
        """Throw n dice and count those that hit."""
        hits = hit_test(hit, at_least)
        check_count(n)
        if isinstance(of, AnyDie):
            thrown = self._throw(n, as_die(of), label)
            hit_at = [at for at in thrown if hits(self._thrown[at].value)]
            self._set_fate(hit_at, COUNTED, "it hits")
            return len(hit_at)
        values, _ = self._each([of] * n, label)
        return sum(1 for value in values if hits(value))

    def _each(self, parts: Sequence[Any], label: str) -> tuple[list[Any], list[range]]:
        values, spans = [], []
        for of in parts:
            start = len(self._thrown)
            if isinstance(of, AnyDie):
                values.append(self.die(of, label=label))
            else:
                throw, args = mechanic_of(of)
                values.append(self.perform(throw, args, {}))
            spans.append(range(start, len(self._thrown)))
        return values, spans

    def draw(self, table: Table, *, label: str = "") -> Any:
        """Draw one outcome from a table of whole weights."""
        rows = rows_of(table)
        faces = tuple(outcome for outcome, weight in rows for _ in range(weight))
        return self.die(Die("table", faces), label=label)

    def mark(self, fate: str, why: str = "") -> None:
        """Record the fate of the dice thrown last."""
        self._set_fate(self._last, fate, why)

    def drop(self, parts: Iterable[int], why: str = "", fate: str = DROPPED) -> None:
        """Record that some mechanics performed by the current one do not count."""
        if not self._spans:
            return
        performed = self._spans[-1].parts
        # No fates are inferred for a mechanic that records fates itself.
        self._spans[-1].again = None
        for part in parts:
            self._set_fate(performed[part], fate, why)

    def perform(self, mechanic: Mechanic[..., R], args: Args, kwargs: Kwargs, /) -> R:
        """Run a mechanic as a named part of this roll."""
        if len(self._spans) >= MOST_NESTED:
            raise BadDie(
                f"The roll was stopped after {MOST_NESTED} explosions, ties or other throws that "
                "each led to another. If the faces were typed in, check them."
            )
        outer = self._spans[-1] if self._spans else None
        before = self._path
        start = len(self._thrown)
        above = outer.within if outer is not None else frozenset()
        span = _Span(mechanic, start, above | {mechanic})
        self._spans.append(span)
        self._path = (*before, mechanic.name) if mechanic.named else before
        try:
            result, attempt = self._attempts(mechanic, args, kwargs)
        finally:
            self._spans.pop()
            self._path = before
        chain = self._settle(span, result)
        if outer is not None:
            outer.result, outer.again = result, (start, attempt)
            outer.inner, outer.ends = chain | {mechanic}, len(self._thrown)
            outer.parts.append(range(start, len(self._thrown)))
        return result

    def _attempts(self, mechanic: Mechanic[..., R], args: Args, kwargs: Kwargs) -> tuple[R, int]:
        """Run until an attempt is complete; return its outcome and the place of its first throw."""
        while True:
            start = len(self._thrown)
            self._spans[-1].parts.clear()
            try:
                return mechanic.__wrapped__(self, *args, **kwargs), start
            except StartingOver:
                self._mark_thrown_again(range(start, len(self._thrown)), "the attempt began again")

    def _settle(self, span: _Span, result: Any) -> frozenset[Any]:
        """Infer the fate of a mechanic's own throws from the last result of a sub-mechanic."""
        if span.again is None or span.ends != len(self._thrown):
            return frozenset()
        own = range(span.start, span.again[0])
        unchanged = result is span.result
        if span.mechanic in span.inner and unchanged:
            self._mark_thrown_again(own, f"{span.mechanic.name} was thrown again")
        elif span.mechanic in span.inner and own:
            last = self._thrown[own[-1]]
            numbers = [face for face in last.die.faces if isinstance(face, int)]
            if last.fate == KEPT and numbers and last.value == max(numbers):
                last.fate, last.why = EXPLODED, "the highest face is thrown again and added"
        return span.inner if unchanged else frozenset()

    def _mark_thrown_again(self, places: range, why: str) -> None:
        counting = [at for at in places if self._thrown[at].fate != DROPPED]
        self._set_fate(counting, THROWN_AGAIN, why)


@lru_cache(maxsize=64)
def _ranks(die: Die) -> Sequence[int]:
    """The rank of each face of a die, from 0 for the lowest."""
    ranks = [0] * len(die.faces)
    for place, index in enumerate(ranking(die)):
        ranks[index] = place
    return ranks
