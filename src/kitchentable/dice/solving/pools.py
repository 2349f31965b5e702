"""Pools of equal dice, as counts of dice in classes of faces.

A pool that answers several questions is split into classes of faces with the number of dice in
each class. A question splits the classes only as far as its answer needs: two counts and the
highest of ten dice take a few dozen paths instead of three thousand multisets. A fold over the sets
of equal faces enumerates its states, not the multisets that lead to these states.
"""

from collections.abc import Callable, Hashable
from math import comb
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

from kitchentable.dice.die import AnyDie, Die, as_die
from kitchentable.dice.errors import KitchenTableError, NotHashable, TooManyPaths
from kitchentable.dice.pool import FacePool, ranking, some_of
from kitchentable.dice.solving.choices import choose
from kitchentable.dice.solving.deadline import check_time
from kitchentable.dice.solving.settle import settled
from kitchentable.dice.solving.shapes import PLAIN
from kitchentable.dice.solving.solution import Spread, spread_of
from kitchentable.dice.solving.walk import Walk

Faces = tuple[tuple[Any, int], ...]
Step = Callable[[Any, Any, int], Any]

# The largest number of states of a fold at one face.
MOST_STATES = 20_000


def faces_of(die: Die) -> Faces:
    """The distinct faces of a die, highest first, each with its multiplicity.

    >>> faces_of(Die("odd", (1, 3, 3, 2)))
    ((3, 2), (2, 1), (1, 1))
    """
    found: list[tuple[Any, int]] = []
    for index in reversed(ranking(die)):
        face = die.faces[index]
        if found and face == found[-1][0]:
            found[-1] = face, found[-1][1] + 1
        else:
            found.append((face, 1))
    return tuple(found)


def folded(n: int, faces: Faces, step: Step, start: Hashable) -> dict[Any, int]:
    """The weight of each final state of a fold over the sets of equal faces.

    >>> sorted(folded(2, ((2, 1), (1, 1)), lambda most, face, count: max(most, count), 0).items())
    [(1, 2), (2, 2)]
    """
    # For each state: weights by the number of dice left.
    states: dict[Any, dict[int, int]] = {start: {n: 1}}
    last = len(faces) - 1
    choose = [[comb(left, count) for count in range(left + 1)] for left in range(n + 1)]
    for at, (face, weight) in enumerate(faces):
        powers = [weight**count for count in range(n + 1)] if weight != 1 else None
        # Plain tables, because there is one for each state.
        grown: dict[Any, dict[int, int]] = {}
        check_time()
        for state, weights in states.items():
            if at == last:
                for left, old in weights.items():
                    after = step(state, face, left) if left else state
                    cell = grown.setdefault(after, {})
                    cell[0] = cell.get(0, 0) + (old * powers[left] if powers else old)
                continue
            most = max(weights)
            after = [step(state, face, count) for count in range(1, most + 1)]
            cells = [grown.setdefault(one, {}) for one in (state, *after)]
            for left, old in weights.items():
                ways = choose[left]
                if powers:
                    ways = [way * power for way, power in zip(ways, powers, strict=False)]
                for to, cell, way in zip(range(left, -1, -1), cells, ways, strict=False):
                    cell[to] = cell.get(to, 0) + old * way
        states = {state: weights for state, weights in grown.items() if weights}
        if len(states) > MOST_STATES:
            raise TooManyPaths(
                f"The fold of a pool of {n} dice has more than {MOST_STATES} different states. "
                f"Keep only what the result needs in the state."
            )
    return {state: weights[0] for state, weights in states.items() if weights.get(0)}


def fold(walk: Walk, n: int, of: AnyDie, step: Step, start: Any) -> Any:
    """The final state of a fold over a pool, as a choice point."""
    start = settled(start, walk.place)
    key = (n, of, meaning(step), type(start), start)
    try:
        known = walk.folds.get(key)
        if known is None:
            found = folded(n, faces_of(as_die(of)), step, start)
            known = walk.folds[key] = found, as_die(of).sides ** n
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        raise NotHashable(f"The states of a fold must be hashable: {error}.") from error
    weights, total = known
    return choose(walk, ("fold", n, of, weights), lambda: spread_of(weights.items(), total))


def meaning(step: Callable[..., Any]) -> Hashable:
    """A value that is equal for two steps only if both compute the same function.

    A function that each run defines again has the same value if its code and all plain values in
    its closure and defaults are equal.
    """
    if type(step) is BuiltinFunctionType and type(step.__self__) is ModuleType:
        return step
    if type(step) is not FunctionType:
        return object()
    cells = [cell.cell_contents for cell in step.__closure__ or ()]
    values = [*cells, *(step.__defaults__ or ()), *(step.__kwdefaults__ or {}).values()]
    if not all(type(value) in PLAIN for value in values):
        return object()
    return (step.__code__, id(step.__globals__), tuple([(type(v), v) for v in values]))


class Class(NamedTuple):
    """The dice that show one of several faces; if `least` is given, one of them shows it."""

    faces: Faces
    n: int
    least: tuple[Any, int] | None = None

    def ways(self, k: int, some: Faces) -> int:
        """The weight of all throws with exactly k dice in `some`."""
        one = self.least
        whole, yes = _sides(self.faces), _sides(some)
        found: int = yes**k * (whole - yes) ** (self.n - k)
        if one is not None:
            whole, yes = whole - one[1], yes - one[1] if one in some else yes
            found -= yes**k * (whole - yes) ** (self.n - k)
        return comb(self.n, k) * found

    def divided(self, k: int, some: Faces) -> "tuple[Class, Class]":
        """The class of the k dice in `some`, and the class of the others."""
        rest = tuple([one for one in self.faces if one not in some])
        inside = self.least in some
        return (
            Class(some, k, self.least if inside else None),
            Class(rest, self.n - k, None if inside else self.least),
        )


def _sides(faces: Faces) -> int:
    return sum([weight for _, weight in faces])


def multisets(n: int, faces: Faces) -> list[tuple[tuple[Any, ...], int]]:
    """Every multiset of n faces, with its multinomial weight.

    >>> multisets(2, ((6, 1), (5, 1)))
    [((5, 5), 1), ((6, 5), 2), ((6, 6), 1)]
    """
    partial: list[list[tuple[tuple[Any, ...], int]]] = [[] for _ in range(n)] + [[((), 1)]]
    for face, weight in faces[:-1]:
        sets = [(face,) * count for count in range(n + 1)]
        grown: list[list[tuple[tuple[Any, ...], int]]] = [list(rows) for rows in partial]
        for left, rows in enumerate(partial):
            if rows:
                for count in range(1, left + 1):
                    ways, more = comb(left, count) * weight**count, sets[count]
                    grown[left - count] += [(row + more, old * ways) for row, old in rows]
        partial = grown
    face, weight = faces[-1]
    return [
        (row + (face,) * left, old * weight**left)
        for left in range(n, -1, -1)
        for row, old in partial[left]
    ]


def _multisets_of(name: str, some: Class, budget: int) -> tuple[list[tuple[FacePool, int]], int]:
    """Every multiset of a class of dice as a pool, with its weight, and the sum of weights."""
    faces, n, least = some
    many = comb(n + len(faces) - 1, n)
    if many > budget:
        raise TooManyPaths(
            f"{n} {name} can fall in {many} ways, too many to list. Use a question instead: "
            f"dice.total(...), dice.count(...), pool.highest(k).total() or "
            f"pool.fold(step, start)."
        )
    rows = multisets(n, faces)
    if least is not None:
        rows = [row for row in rows if least[0] in row[0]]
    whole = sum([weight for _, weight in rows])
    return [(FacePool(chosen), weight) for chosen, weight in rows], whole


def multiset(walk: Walk, of: AnyDie, some: Class) -> Any:
    """Read the faces of a class of dice: the paths branch over the multisets."""
    return choose(
        walk,
        ("handful", some.n, of, some),
        lambda: Spread([], [], *_multisets_of(as_die(of).name, some, walk.results.budget)),
    )


class UnreadPool(FacePool):
    """A pool that reads its faces only if a question needs them."""

    __slots__ = ()

    def drop_highest(self, k: int = 1, /) -> FacePool:
        """Drop the k highest dice."""
        return self.lowest(len(self) - some_of(settled(k, "A handful"), len(self)))

    def drop_lowest(self, k: int = 1, /) -> FacePool:
        """Drop the k lowest dice."""
        return self.highest(len(self) - some_of(settled(k, "A handful"), len(self)))


class OpenPool(UnreadPool):
    """A pool that reads no more of its faces than the questions need."""

    __slots__ = ("_all", "_classes", "_n", "_of", "_ranked", "_walk")

    def __init__(self, walk: Walk, n: int, of: AnyDie) -> None:
        self._walk = walk
        self._n = n
        self._of = of
        self._ranked = faces_of(as_die(of))
        self._classes: list[Class] = [Class(self._ranked, n)]
        self._all: tuple[Any, ...] | None = None
        self._dropped = None
        self._places = tuple(range(n))

    @property
    def _faces(self) -> tuple[Any, ...]:  # type: ignore[override]
        if self._all is None:
            found: list[Any] = []
            for one in self._classes:
                if one.n:
                    found += multiset(self._walk, self._of, one)
            if len(self._classes) > 1:
                rank = [face for face, _ in self._ranked]
                found.sort(key=rank.index)
            self._all = tuple(found)
        return self._all

    def _divide(self, at: int, some: Faces) -> int:
        """Split a class by `some`, and return the number of dice that show one of these faces."""
        one = self._classes[at]
        if not one.n or not some or len(some) == len(one.faces):
            return one.n if some else 0

        def rows() -> Spread:
            found = [(k, one.ways(k, some)) for k in range(one.n + 1)]
            return Spread([], [], [row for row in found if row[1]], sum([w for _, w in found]))

        hits: int = choose(self._walk, ("hits", one.n, self._of, one, some), rows)
        self._classes[at : at + 1] = one.divided(hits, some)
        return hits

    def _first(self, k: int, end: int) -> list[Any]:
        """The faces of the k highest dice (end 0) or the k lowest (end -1)."""
        if self._all is not None:
            return [*self._all[len(self._all) - k if end else 0 :][:k]]
        if k == 1:
            return [self._outermost(end)[0]]
        found: list[Any] = []
        for one in self._ranked[::-1] if end else self._ranked:
            if len(found) >= k:
                break
            # Faces above the highest face are in no class.
            for at, some in enumerate(self._classes):
                if one in some.faces:
                    found += [one[0]] * self._divide(at, (one,))
                    break
        return found[k - 1 :: -1] if end and k else found[:k]

    def _outermost(self, end: int) -> tuple[Any, int]:
        """The highest face shown (end 0) or the lowest (end -1)."""
        found = []
        at = 0
        while at < len(self._classes):
            one = self._classes[at]
            if one.n and one.least is not None and one.least != one.faces[end]:
                self._divide(at, (one.least,))
                continue
            if one.n:
                found.append(self._reach(at, end))
            at += 1
        found.sort(key=self._ranked.index)
        return found[end]

    def _reach(self, at: int, end: int) -> tuple[Any, int]:
        """Find the highest or the lowest face in a class, and narrow the class to it."""
        one = self._classes[at]
        if len(one.faces) == 1 or one.least is not None:
            return one.faces[end]

        def rows() -> Spread:
            found: list[tuple[int, int]] = []
            beyond = 0
            order = range(len(one.faces))
            for place in order if end else reversed(order):
                upto = beyond + one.faces[place][1]
                found.append((place, upto**one.n - beyond**one.n))
                beyond = upto
            return Spread([], [], found, beyond**one.n)

        place: int = choose(self._walk, ("outermost", one.n, self._of, one.faces, end), rows)
        face = one.faces[place]
        left = one.faces[: place + 1] if end else one.faces[place:]
        self._classes[at] = Class(left, one.n, face)
        return face

    def highest(self, k: int = 1, /) -> FacePool:
        """Keep the k highest dice."""
        k = some_of(k, self._n)
        return self if k == self._n else FacePool(self._first(k, 0))

    def lowest(self, k: int = 1, /) -> FacePool:
        """Keep the k lowest dice."""
        k = some_of(k, self._n)
        return self if k == self._n else FacePool(self._first(k, -1))

    def count(self, hit: Callable[[Any], bool], /) -> int:
        """The number of faces that hit."""
        if self._all is not None:
            return super().count(hit)
        start = self._walk.pos
        try:
            some = [one for one in self._ranked if hit(one[0])]
        except KitchenTableError:
            raise
        except Exception:  # noqa: BLE001 - faces that were not thrown may be invalid for the test
            return super().count(hit)
        if self._walk.pos != start:
            # A test that throws dice itself runs once for each die.
            return super().count(hit)
        found = at = 0
        while at < len(self._classes):
            faces, n, _ = self._classes[at]
            before = len(self._classes)
            found += self._divide(at, tuple([one for one in faces if one in some]) if n else ())
            at += 1 + len(self._classes) - before
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return FacePool, (self._faces,)

    def __len__(self) -> int:
        return self._n
