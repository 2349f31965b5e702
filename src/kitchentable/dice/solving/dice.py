"""The dice given to a mechanic that is being solved."""

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, TypeVar

from kitchentable.dice.die import AnyDie, Die, Table, check_count, rows_of
from kitchentable.dice.mechanic import Args, Dice, Kwargs, Mechanic, Throwable, as_mechanic
from kitchentable.dice.parameters import hit_test, mechanic_of, read_total
from kitchentable.dice.pool import check_keep
from kitchentable.dice.solving import needs
from kitchentable.dice.solving.choices import add_choice, choose
from kitchentable.dice.solving.derived import hits_of
from kitchentable.dice.solving.handful import LazyPool, SymbolicPool, hits, total
from kitchentable.dice.solving.keys import Key, make_key
from kitchentable.dice.solving.pending import Pending, shows
from kitchentable.dice.solving.pools import OpenPool
from kitchentable.dice.solving.results import Results
from kitchentable.dice.solving.runner import is_returned, prepare
from kitchentable.dice.solving.settle import settled
from kitchentable.dice.solving.solution import Spread, spread_of
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.throws import hit_faces, hitting, mixing, reaching
from kitchentable.dice.solving.walk import Walk

R = TypeVar("R")

_DICE: frozenset[type] = frozenset({int, Die})
_COVERING: frozenset[type] = frozenset({tuple, Symbolic, Pending})


class SolvingDice(Walk, Dice):
    """The dice for one call of a mechanic while its paths are walked; fates are ignored."""

    __slots__ = ()

    def __init__(self, results: Results, key: Key) -> None:
        super().__init__(results, key)
        prepare(self)

    def die(self, of: AnyDie = 6, *, label: str = "") -> Any:
        """One die."""
        of = self._read_of(of)
        step = self.known(of)
        return add_choice(self, of, self.results.die_spread(of)) if step is None else step.value

    def pool(self, n: int, of: AnyDie = 6, *, label: str = "") -> Any:
        """A pool of dice, symbolic until the mechanic uses it."""
        n, of = self._read_int(n), self._read_of(of)
        check_count(n)
        if self.plain:
            return OpenPool(self, n, of)
        self.covers = True
        return SymbolicPool(LazyPool(self, n, of))

    def total(
        self,
        n: int | str,
        of: Throwable = 6,
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> Any:
        """The sum of dice, symbolic."""
        number, of = read_total(n, of, keep_highest, keep_lowest)
        number, of = self._read_int(number), self._read_of(of)
        high, low = self._read_int(keep_highest), self._read_int(keep_lowest)
        return total(self, number, of, self._one, high, low)

    def mixed(
        self,
        parts: Iterable[Any],
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> Any:
        """The sum of different dice, symbolic."""
        parts = tuple([self._read_of(of) for of in parts])
        high = check_keep(self._read_int(keep_highest), self._read_int(keep_lowest))
        low = self._read_int(keep_lowest)
        if (high is None and low is None) or (high or low or 0) >= len(parts):
            return sum([self.total(1, of) for of in parts])
        return choose(
            self, ("mixed", parts, high, low), lambda: mixing([*map(self._one, parts)], high, low)
        )

    def count(
        self,
        n: int,
        of: Throwable = 6,
        *,
        hit: Callable[[Any], bool] | None = None,
        at_least: int | None = None,
        label: str = "",
    ) -> Any:
        """The number of dice that hit, symbolic."""
        of = self._read_of(of)
        at_least = self._read_int(at_least)
        test = hit_test(hit, at_least)
        symbolic: Any = n
        if type(symbolic) is Symbolic and type(of) in _DICE:
            one = self._one(of)
            found = hits_of(self, (symbolic.terms, symbolic.const), one, hit_faces(one, test))
            if found is not None:
                return Symbolic(self, found, 0)
        n = self._read_int(n)
        check_count(n)
        if hit is not None:
            # `hit` may use symbolic numbers itself, so it is called on every run.
            return hits(self, n, of, self._one(of).without_end(), test)

        def make() -> Spread:
            one = self._one(of)
            if one.law is not None:
                return reaching(one, n, at_least)
            return hitting(one, n, hit_faces(one, test))

        return choose(self, ("count", n, of, at_least), make)

    def draw(self, table: Table, *, label: str = "") -> Any:
        """A row of a table."""
        rows: Any = tuple(table.items() if isinstance(table, Mapping) else table)
        rows = rows_of(settled(rows, self.place) if self.covers or self.waiting else rows)
        return choose(
            self, ("draw", rows), lambda: spread_of(rows, sum([weight for _, weight in rows]))
        )

    def perform(self, mechanic: Mechanic[..., R], args: Args, kwargs: Kwargs, /) -> R:
        """Call another mechanic; its result is pending until it is used."""
        token = needs.defer(self, mechanic, args, kwargs) if self.covers or self.waiting else None
        if token is None:
            token = needs.call(self, mechanic, args, kwargs)
        read = (self.open or self.eager) and shows(self, mechanic)
        if read and (self.open or not is_returned(self)):
            return token.pending_look()  # type: ignore[no-any-return]
        self.waiting.append(token)
        return token  # type: ignore[return-value]

    def _read_int(self, n: Any) -> Any:
        return n if type(n) is int or n is None else settled(n, self.place)

    def _read_of(self, of: Any) -> Any:
        if type(of) in _DICE:
            return of
        if isinstance(of, FunctionType):
            return as_mechanic(of)
        return settled(of, self.place) if type(of) in _COVERING else of

    def _one(self, of: Any) -> Spread:
        if type(of) in _DICE or isinstance(of, AnyDie):
            return self.results.die_spread(of)
        mechanic, args = mechanic_of(of)
        return self.result(make_key(mechanic, args, {}))
