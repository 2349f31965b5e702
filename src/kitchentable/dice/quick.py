"""Dice without a trace, for many runs."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from kitchentable.dice.die import MOST_SIDES, AnyDie, Table, as_die, check_count, rows_of
from kitchentable.dice.errors import BadDie, StartingOver
from kitchentable.dice.mechanic import Args, Dice, Kwargs, Mechanic, Throwable, explain_methods
from kitchentable.dice.parameters import hit_test, mechanic_of, read_total
from kitchentable.dice.pool import FacePool, add, check_keep, ranking
from kitchentable.dice.source import Source

R = TypeVar("R")


@explain_methods
class QuickDice(Dice):
    """Dice rolled by a source without recording single throws, so that fates are ignored."""

    __slots__ = ("_below",)

    def __init__(self, source: Source) -> None:
        self._below = source.below

    def die(self, of: AnyDie = 6, *, label: str = "") -> Any:
        """Throw one die."""
        if type(of) is int and 0 < of <= MOST_SIDES:
            return self._below(of) + 1
        die = as_die(of)
        return die.faces[self._below(die.sides)]

    def pool(self, n: int, of: AnyDie = 6, *, label: str = "") -> FacePool:
        """Throw n dice together."""
        check_count(n)
        die = as_die(of)
        order = ranking(die)
        rank = sorted((self._below(die.sides) for _ in range(n)), reverse=True)
        return FacePool([die.faces[order[at]] for at in rank])

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
        return _kept(
            self._each(*read_total(n, of, keep_highest, keep_lowest)), keep_highest, keep_lowest
        )

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
        values = [self._each(1, of)[0] for of in parts]
        return _kept(values, keep_highest, keep_lowest)

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
        return sum(1 for value in self._each(n, of) if hits(value))

    def _each(self, n: int, of: Any) -> list[Any]:
        check_count(n)
        if isinstance(of, AnyDie):
            die = as_die(of)
            return [die.faces[self._below(die.sides)] for _ in range(n)]
        mechanic, args = mechanic_of(of)
        return [self.perform(mechanic, args, {}) for _ in range(n)]

    def draw(self, table: Table, *, label: str = "") -> Any:
        """Draw one outcome from a table of whole weights."""
        rows = rows_of(table)
        at = self._below(sum(weight for _, weight in rows))
        for outcome, weight in rows:
            at -= weight
            if at < 0:
                return outcome
        raise BadDie("The source of random numbers returned a number out of range.")

    def perform(self, mechanic: Mechanic[..., R], args: Args, kwargs: Kwargs, /) -> R:
        """Run a mechanic."""
        while True:
            try:
                return mechanic.__wrapped__(self, *args, **kwargs)
            except StartingOver:
                continue


def _kept(values: list[Any], highest: int | None, lowest: int | None) -> Any:
    if highest is not None:
        values = sorted(values, reverse=True)[:highest]
    if lowest is not None:
        values = sorted(values)[:lowest]
    return add(values)
