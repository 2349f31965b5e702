"""Handfuls of dice while a mechanic is solved.

A handful is covered like a number: its total, the total of its highest or lowest dice and the
number of its hits are worked out without looking at each die. A second, different question, or
looking at the faces, needs the handful in plain sight: the paths then branch over the multisets of
faces, each with its multinomial weight.
"""

from collections.abc import Callable, Iterator
from math import comb, factorial
from typing import TYPE_CHECKING, Any, NoReturn

from kitchentable.dice.die import Die
from kitchentable.dice.errors import TooManyPaths
from kitchentable.dice.pool import FacePool, ranking
from kitchentable.dice.solving.covered import Plainly

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


def handfuls(n: int, die: Die, budget: int) -> tuple[list[tuple[FacePool, int]], int]:
    """Every handful of n dice, highest face first, with its weight; and the sum of weights."""
    order = [die.faces[index] for index in reversed(ranking(die))]
    faces: list[Any] = []
    weights: list[int] = []
    for face in order:
        if faces and face == faces[-1]:
            weights[-1] += 1
        else:
            faces.append(face)
            weights.append(1)
    many = comb(n + len(faces) - 1, n)
    if many > budget:
        raise TooManyPaths(
            f"{n} {die.name} can fall in {many} ways, too many to look at each. Ask for what is "
            f"needed: dice.total(...), dice.count(...), or pool.highest(k).total()."
        )
    rows: list[tuple[FacePool, int]] = []

    def lay(at: int, left: int, chosen: tuple[Any, ...], weight: int) -> None:
        if at == len(faces) - 1:
            last = weights[at] ** left
            rows.append((FacePool(chosen + (faces[at],) * left), weight * last // factorial(left)))
            return
        for k in range(left, -1, -1):
            lay(
                at + 1,
                left - k,
                chosen + (faces[at],) * k,
                weight // factorial(k) * weights[at] ** k,
            )

    lay(0, n, (), factorial(n))
    return rows, die.sides**n


class CoveredPool:
    """Dice thrown together that nobody has looked at; all of them, or the best or worst k."""

    __slots__ = ("_kept", "_n", "_of", "_root", "_state", "_walk")

    def __init__(
        self,
        walk: "Walk",
        n: int,
        of: int | Die,
        root: "CoveredPool | None" = None,
        kept: tuple[str, int] | None = None,
    ) -> None:
        self._walk = walk
        self._n = n
        self._of = of
        self._root = self if root is None else root
        self._kept = kept
        # For the root: the faces once somebody looked, or the one question that was asked.
        self._state: Any = None

    def _opened(self) -> FacePool:
        root = self._root
        if root._state is None:
            root._state = self._walk.handful(root._n, root._of)
        if not isinstance(root._state, FacePool):
            raise Plainly("A handful was asked about in two ways.")
        whole: FacePool = root._state
        if self._kept is None:
            return whole
        side, k = self._kept
        return whole.highest(k) if side == "highest" else whole.lowest(k)

    def _keep(self, side: str, k: Any) -> Any:
        k = max(0, min(self._n, self._walk.solver.plain_int(k, self._walk)))
        if isinstance(self._root._state, FacePool):
            opened = self._opened()
            return opened.highest(k) if side == "highest" else opened.lowest(k)
        if self._kept is not None and self._kept[0] != side:
            return getattr(self._opened(), side)(k)
        return CoveredPool(self._walk, k, self._of, self._root, (side, k))

    def highest(self, k: int = 1, /) -> Any:
        """Keep the k highest dice."""
        return self._keep("highest", k)

    def lowest(self, k: int = 1, /) -> Any:
        """Keep the k lowest dice."""
        return self._keep("lowest", k)

    def drop_highest(self, k: int = 1, /) -> Any:
        """Drop the k highest dice."""
        return self._keep("lowest", self._n - k)

    def drop_lowest(self, k: int = 1, /) -> Any:
        """Drop the k lowest dice."""
        return self._keep("highest", self._n - k)

    def total(self) -> Any:
        """Add the faces."""
        root, solver = self._root, self._walk.solver
        if isinstance(root._state, FacePool):
            return self._opened().total()
        high = self._kept[1] if self._kept and self._kept[0] == "highest" else None
        low = self._kept[1] if self._kept and self._kept[0] == "lowest" else None
        question = ("pool total", root._n, root._of, high, low)
        if root._state is not None:
            if root._state[0] == question:
                return root._state[1]
            raise Plainly("A handful was asked about in two ways.")
        one = solver.die_spread(root._of)
        value = self._walk.reading(
            question, lambda: solver.sum_of(one, root._n, root._of, high, low)
        )
        root._state = (question, value)
        return value

    def count(self, hit: Callable[[Any], bool], /) -> Any:
        """How many faces hit."""
        root, solver = self._root, self._walk.solver
        if self._kept is not None or isinstance(root._state, FacePool):
            return self._opened().count(hit)
        if root._state is not None:
            raise Plainly("A handful was asked about in two ways.")
        question = ("pool count", root._n, root._of)
        one = solver.die_spread(root._of)
        value = self._walk.reading(question, lambda: solver.hits_of(one, root._n, hit, None))
        root._state = (question, value)
        return value

    def __iter__(self) -> Iterator[Any]:
        return iter(self._opened())

    def __len__(self) -> int:
        return self._n

    def __eq__(self, other: object) -> bool:
        return self._opened() == (other._opened() if isinstance(other, CoveredPool) else other)

    def __hash__(self) -> NoReturn:
        raise Plainly("A covered handful was used as a key.")
