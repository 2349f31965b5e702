"""A fight at every point of a grid of numbers, and its chances at each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from kitchentable.dice import BadInput, SeededSource, SystemEntropy
from kitchentable.dice.errors import KitchenTableError
from kitchentable.fights.forecast import Amount, Forecast
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.named import SOLVED, Chosen, choose_policies, fight, read_battle
from kitchentable.fights.sizes import count_states
from kitchentable.rules.library import Playable, game

#: One value for each axis, in the order of the axes.
Point = tuple[Any, ...]
_FIELD = re.compile(r"\{(\w+)\}")
#: The least number of states in a task; smaller tasks cost more to hand over than to solve.
TASK = 50_000


@dataclass(frozen=True)
class Grid:
    """A fight at every point of a grid: forecasts by their values on the axes.

    `failed` has the reason for each point without a forecast. `missing` are points that an
    interrupted sweep has not solved; the same sweep with `known=` this grid continues with them.
    """

    axes: Mapping[str, tuple[Any, ...]]
    found: Mapping[Point, Forecast]
    failed: Mapping[Point, str] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[Point, ...]:
        """The points with neither a forecast nor a reason for its absence."""
        every = product(*self.axes.values())
        return tuple(one for one in every if one not in self.found and one not in self.failed)

    def __getitem__(self, point: Any) -> Forecast:
        """The forecast at a point. Errors: BadInput for a point without one, with the reason."""
        values = point if isinstance(point, tuple) else (point,)
        if values not in self.found:
            why = self.failed.get(values, "It is not in the grid, or the sweep did not come to it.")
            raise BadInput(f"There is no forecast at {self.name(values)}. {why}")
        return self.found[values]

    def name(self, point: Point) -> str:
        """A point in words: "many=4, attack=3"."""
        return ", ".join(f"{axis}={value}" for axis, value in zip(self.axes, point, strict=False))

    def wins(self, side: str) -> dict[Point, Amount]:
        """A side's chance to win at every solved point."""
        return {point: told.wins[side] for point, told in self.found.items()}

    def nearest(self, side: str, chance: float = 0.5, many: int = 5) -> list[Point]:
        """The points at which a side's chance to win is nearest to `chance`."""
        off = {point: abs(float(won) - chance) for point, won in self.wins(side).items()}
        return sorted(off, key=lambda point: off[point])[:many]

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row of plain numbers for each point, for a spreadsheet or a data frame."""
        for point in product(*self.axes.values()):
            told = self.found.get(point)
            if told is not None:
                yield {
                    **dict(zip(self.axes, point, strict=True)),
                    **{f"{side} win": float(chance) for side, chance in sorted(told.wins.items())},
                    **{way: float(chance) for way, chance in told.broken_off.items()},
                    "rounds": float(told.rounds),
                    **{what: float(amount) for what, amount in told.costs.items()},
                    "found": told.found.how,
                    "fights": told.found.fights,
                }

    def table(self, side: str) -> str:
        """A side's chance to win in percent: the last axis across, a line for all others.

        Errors: BadInput for no such side.
        """
        *down, across = self.axes
        lines = [[*([""] if down else []), *(f"{across}={value}" for value in self.axes[across])]]
        for values in product(*(self.axes[axis] for axis in down)):
            cells = [self._cell(side, (*values, value)) for value in self.axes[across]]
            lines.append([*([self.name(values)] if down else []), *cells])
        wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(map(str.rjust, line, wide)) for line in lines)

    def _cell(self, side: str, point: Point) -> str:
        told = self.found.get(point)
        if told is None:
            return "refused" if point in self.failed else "-"
        if side not in told.wins:
            raise BadInput(f"No side is called {side!r}. There are {', '.join(told.wins)}.")
        return f"{float(told.wins[side]) * 100:.1f} %"


@dataclass(frozen=True, slots=True)
class _Asked:
    """The settings common to all points, as plain values for another process."""

    of: str
    name: str
    options: Mapping[str, Any]
    named: Mapping[str, Any]
    axes: tuple[str, ...]
    known: frozenset[str]
    policy: Chosen
    fights: int
    seed: int

    def at(self, point: Point, games: dict[str, Playable]) -> tuple[Playable, dict[str, Any]]:
        """The game and the named numbers of a point; `games` caches games."""
        values = dict(zip(self.axes, point, strict=True))
        named = {
            key: _FIELD.sub(lambda found: _value(found[1], values), one)
            if isinstance(one, str)
            else one
            for key, one in self.named.items()
        }
        texts = [one for one in self.named.values() if isinstance(one, str)]
        inside = {name for one in texts for name in _FIELD.findall(one)}
        free = {axis: value for axis, value in values.items() if axis not in inside}
        chosen = {axis: value for axis, value in free.items() if axis in self.known}
        others = {axis: value for axis, value in free.items() if axis not in self.known}
        playable = games.get(repr(chosen))
        if playable is None:
            playable = games[repr(chosen)] = game(self.of, **{**self.options, **chosen})
        return playable, named | others


def _value(name: str, values: Mapping[str, Any]) -> str:
    if name not in values:
        raise BadInput(f"{{{name}}} has no values. Say over={{{name!r}: ...}}, or leave it out.")
    return str(values[name])


def sweep(
    of: str,
    name: str,
    /,
    *,
    over: Mapping[str, Iterable[Any]],
    options: Mapping[str, Any] | None = None,
    policy: Chosen = "",
    fights: int = 0,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] = lambda done, all_: None,
    known: Grid | None = None,
    **named: Any,
) -> Grid:
    """Fight one of a game's fights at every point of a grid.

    Each key of `over` is an axis with its values: a name in braces in a named string, an option of
    the game, or a named number. `executor` is any of `concurrent.futures`, or one that submits in
    the same way. `progress` is called with the numbers of finished and of all points. Counted
    points use the same seed, so the grid is the same wherever it is computed. An interruption
    (Ctrl-C) gives the points solved so far. Errors: BadInput, also if every point is refused.

    >>> grid = sweep("toast", "melee", ours="5/6/4/4", theirs="{many}x2/3/3/1",
    ...              over={"many": range(1, 4)})
    >>> print(grid.table("ours"))
    many=1  many=2  many=3
    99.8 %  93.9 %  69.1 %
    """
    axes = {axis: tuple(values) for axis, values in over.items()}
    if not axes or not all(axes.values()):
        raise BadInput("Say what to sweep over: over={'many': range(1, 5)}, with values for each.")
    seed = SystemEntropy().below(1 << 128) if seed is None else seed
    options, keys = dict(options or {}), frozenset(game(of).options)
    asked = _Asked(of, name, options, named, tuple(axes), keys, policy, fights, seed)
    found = dict(known.found) if known is not None else {}
    grid = Grid(axes, found, {})
    failed: dict[Point, str] = {}
    waiting = list(grid.missing)
    games: dict[str, Playable] = {}
    sizes = [(_size(asked, point, games), point) for point in waiting]
    sizes.sort(key=lambda one: -one[0])
    every = math.prod(map(len, axes.values()))
    try:
        for solved in _work(asked, sizes, executor):
            for point, told in solved:
                if isinstance(told, Forecast):
                    found[point] = told
                else:
                    failed[point] = told
                progress(len(found) + len(failed), every)
    except KeyboardInterrupt:
        return Grid(axes, found, failed)
    if not found:
        raise BadInput(f"No point of this grid can be fought. {next(iter(failed.values()))}")
    return Grid(axes, found, failed)


_Solved = list[tuple[Point, Forecast | str]]


def _work(
    asked: _Asked, sized: Sequence[tuple[int, Point]], executor: Executor | None
) -> Iterator[_Solved]:
    """The points as they are solved; large ones start first, small ones share a task."""
    if executor is None:
        games: dict[str, Playable] = {}
        for _, point in sized:
            yield solve_points(asked, [point], games)
        return
    tasks: list[list[Point]] = [[]]
    together = 0
    for size, point in sized:
        tasks[-1].append(point)
        together += size
        if together >= TASK:
            tasks.append([])
            together = 0
    begun: list[Future[_Solved]] = [
        executor.submit(solve_points, asked, task, {}) for task in tasks if task
    ]
    try:
        for future in as_completed(begun):
            yield future.result()
    finally:
        for future in begun:
            future.cancel()


def solve_points(asked: _Asked, points: Sequence[Point], games: dict[str, Playable]) -> _Solved:
    """The forecast of each point, or the sentence that refuses the point."""
    solved: _Solved = []
    for point in points:
        try:
            playable, named = asked.at(point, games)
            told = fight(
                playable,
                asked.name,
                fights=asked.fights,
                policy=asked.policy,
                source=SeededSource(asked.seed),
                **named,
            )
        except KitchenTableError as refused:
            solved.append((point, str(refused)))
        else:
            solved.append((point, told))
    return solved


def _size(asked: _Asked, point: Point, games: dict[str, Playable]) -> int:
    """The number of states of a point; 0 for a point that solving will refuse."""
    try:
        playable, named = asked.at(point, games)
        fought, battle = read_battle(playable, asked.name, **named)
        laws = compile_battle(fought, battle, choose_policies(fought, battle, asked.policy))
        return count_states(laws, SOLVED)
    except KitchenTableError:
        return 0
