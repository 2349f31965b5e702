"""Pools of dice while a mechanic is solved.

A pool is symbolic like a number: its total, the total of its highest or lowest dice and its number
of hits are computed without enumerating the faces. For a second, different question, or to read the
faces, the pool is enumerated: the paths branch over multisets of faces with multinomial weights.
"""

import operator
from collections.abc import Callable
from typing import Any, NoReturn

from kitchentable.dice.die import AnyDie, as_die, check_count
from kitchentable.dice.errors import DiceFault, KitchenTableError
from kitchentable.dice.pool import FacePool, check_keep, some_of
from kitchentable.dice.solving import vectors
from kitchentable.dice.solving.choices import add_choice, choose
from kitchentable.dice.solving.pools import Class, UnreadPool, faces_of, fold, meaning, multiset
from kitchentable.dice.solving.settle import settled
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.step import AT_LEAST_0, IS_0
from kitchentable.dice.solving.throws import adding, hit_faces, hitting
from kitchentable.dice.solving.walk import Walk


class LazyPool:
    """Dice thrown together, before and after their faces are read."""

    __slots__ = ("asked", "faces", "n", "of", "spread", "walk")

    def __init__(self, walk: Walk, n: int, of: AnyDie) -> None:
        self.walk = walk
        self.n = n
        self.of = of
        # This also reads faces that are symbolic numbers.
        self.spread = walk.results.die_spread(of)
        self.faces: FacePool | None = None
        # The only question answered without reading the faces, and its answer.
        self.asked: tuple[Any, Any] | None = None

    def open(self) -> FacePool:
        """Read the faces."""
        if self.asked is not None:
            raise self.walk.plainly("A pool was asked two different questions.")
        if self.faces is None:
            self.faces = multiset(self.walk, self.of, Class(faces_of(as_die(self.of)), self.n))
        return self.faces

    def answer(self, question: Any, make: Callable[[], Any]) -> Any:
        """The answer to the one question that needs no faces."""
        if self.asked is None:
            self.asked = (question, make())
        elif self.asked[0] != question:
            raise self.walk.plainly("A pool was asked two different questions.")
        return self.asked[1]


class SymbolicPool(UnreadPool):
    """The unread dice of a lazy pool, or the k highest or lowest of them."""

    __slots__ = ("_k", "_lazy", "_side")

    def __init__(self, lazy: LazyPool, side: str = "highest", k: int | None = None) -> None:
        self._lazy = lazy
        self._side = side
        self._k = lazy.n if k is None else k

    @property
    def _faces(self) -> tuple[Any, ...]:  # type: ignore[override]
        return tuple(self._opened())

    def _opened(self) -> FacePool:
        whole = self._lazy.open()
        return whole.highest(self._k) if self._side == "highest" else whole.lowest(self._k)

    def _end(self, side: str, k: Any) -> Any:
        k = some_of(settled(k, "A handful"), self._k)
        if self._side != side and self._k < self._lazy.n:
            opened = self._opened()
            return opened.highest(k) if side == "highest" else opened.lowest(k)
        return SymbolicPool(self._lazy, side, k)

    def highest(self, k: int = 1, /) -> Any:
        """Keep the k highest dice."""
        return self._end("highest", k)

    def lowest(self, k: int = 1, /) -> Any:
        """Keep the k lowest dice."""
        return self._end("lowest", k)

    def total(self) -> Any:
        """Add the faces."""
        lazy = self._lazy
        if lazy.faces is not None:
            return super().total()
        high, low = (self._k, None) if self._side == "highest" else (None, self._k)
        if self._k == lazy.n:
            high = low = None
        return lazy.answer(
            (high, low),
            lambda: total(lazy.walk, lazy.n, lazy.of, lambda _: lazy.spread, high, low),
        )

    def count(self, hit: Callable[[Any], bool], /) -> Any:
        """The number of faces that hit."""
        lazy = self._lazy
        if lazy.faces is not None or self._k < lazy.n:
            return super().count(hit)
        try:
            faces = find_hits(lazy.walk, lazy.spread, hit)
        except KitchenTableError:
            raise
        except Exception as error:
            # The test may fail for faces that were not thrown.
            raise lazy.walk.plainly("The test failed for a face.") from error
        return lazy.answer(
            faces, lambda: hits(lazy.walk, lazy.n, lazy.of, lazy.spread, lambda face: face in faces)
        )

    def __getitem__(self, at: Any, /) -> Any:
        if not isinstance(at, slice) and self._lazy.faces is None and not self._lazy.spread.others:
            place = operator.index(at)
            if self._k and place in {0, -self._k} and self._side == "highest":
                return self.highest().total()
            if self._k and place in {-1, self._k - 1} and self._is_lowest:
                return self.lowest().total()
        return super().__getitem__(at)

    @property
    def _is_lowest(self) -> bool:
        return self._side == "lowest" or self._k == self._lazy.n

    def fold(self, step: Callable[[Any, Any, int], Any], start: Any, /) -> Any:
        """The state after all sets of equal faces."""
        lazy = self._lazy
        if lazy.faces is not None or self._k < lazy.n:
            return super().fold(step, start)
        asked = ("fold", meaning(step), start)
        return lazy.answer(asked, lambda: fold(lazy.walk, lazy.n, lazy.of, step, start))

    def __len__(self) -> int:
        return self._k

    __eq__ = FacePool.__eq__

    def __hash__(self) -> NoReturn:
        raise self._lazy.walk.plainly("A symbolic pool was used as a key.")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise self._lazy.walk.plainly("A symbolic pool was copied or converted to text.")


def total(
    walk: Walk,
    n: int,
    of: Any,
    one: Callable[[Any], Spread],
    highest: int | None = None,
    lowest: int | None = None,
) -> Any:
    """The sum of n dice or throws, symbolic; `one` gives the distribution of one of them."""
    request = ("total", n, of, highest, lowest)
    step = walk.known(request)
    if step is not None:
        return step.value
    check_count(n)
    check_keep(highest, lowest)
    spread = one(of)
    if spread.others:
        keeps = highest is not None or lowest is not None
        return vectors.total(walk, request, spread, n, keeps=keeps)
    return add_choice(walk, request, adding(spread, n, highest, lowest))


def hits(walk: Walk, n: int, of: Any, spread: Spread, hit: Callable[[Any], bool]) -> Any:
    """The number of dice that show one of the faces that hit, symbolic."""
    faces = find_hits(walk, spread, hit)

    def make() -> Spread:
        check_count(n)
        return hitting(spread, n, faces)

    return choose(walk, ("hits", n, of, faces), make)


def find_hits(walk: Walk, spread: Spread, hit: Callable[[Any], bool]) -> tuple[Any, ...]:
    """The faces that hit. Errors: DiceFault if the test throws dice itself."""
    start = walk.pos
    faces = hit_faces(spread, hit)
    if any(_is_chance(step.request) for step in walk.script[start : walk.pos]):
        if not walk.plain:
            raise walk.plainly("The test of a face threw dice.")
        raise DiceFault(
            f"{walk.place} throws dice in its test of a face. The test runs once for each face of "
            f"the die, not for each die. Throw these dice before counting, or throw the counted "
            f"dice with dice.pool(...)."
        )
    return faces


def _is_chance(request: Any) -> bool:
    return not (isinstance(request, tuple) and request[0] in {AT_LEAST_0, IS_0, "read"})
