"""Forecasts of a fight or a roll at every point of a grid of numbers."""

from __future__ import annotations

import csv
import io
import math
import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from kitchentable.dice import BadInput, SeededSource, SystemEntropy, show
from kitchentable.dice.chance import floor
from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.outcomes import are_numbers
from kitchentable.fights.forecast import Amount, Forecast
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.named import SOLVED, Chosen, choose_policies, fight, read_battle
from kitchentable.fights.rounds import count_states
from kitchentable.rules.library import Playable, game

#: One value for each axis, in the order of the axes.
Point = tuple[Any, ...]
_FIELD = re.compile(r"\{(\w+)\}")
#: The least number of states in a task, about a quarter of a second; smaller tasks cost more to
#: send. The number of states that a roll counts as.
TASK, ROLL = 25_000, 1_000
#: The number of states above which starting processes saves time.
WORTH_STARTING = 100_000


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of a roll's outcomes, `wins`, and the mean if they are numbers."""

    wins: Mapping[Any, Fraction]
    mean: Fraction | None = None


@dataclass(frozen=True)
class Grid:
    """A fight or a roll at every point of a grid: its forecasts by the values on the axes.

    `failed` has the reason for each refused point. `missing` are the points that an interrupted
    sweep did not reach, and `stopped` is the reason. The same sweep with `known=` this grid
    continues there.
    """

    axes: Mapping[str, tuple[Any, ...]]
    found: Mapping[Point, Any]
    failed: Mapping[Point, str] = field(default_factory=dict)
    stopped: str = ""

    @property
    def missing(self) -> tuple[Point, ...]:
        """The points that the sweep did not reach."""
        every = product(*self.axes.values())
        return tuple(one for one in every if one not in self.found and one not in self.failed)

    def __getitem__(self, point: Any) -> Any:
        """The forecast or chances at a point. Errors: BadInput with the reason if there is none."""
        values = point if isinstance(point, tuple) else (point,)
        if values not in self.found:
            why = self.failed.get(values, "It is not in the grid, or the sweep did not reach it.")
            raise BadInput(f"There is no answer at {self.name(values)}. {why}")
        return self.found[values]

    def name(self, point: Point) -> str:
        """A point in words: "many=4, attack=3"."""
        return name_point(self.axes, point)

    def wins(self, side: str) -> dict[Point, Amount]:
        """The chance of a side to win, or of an outcome of a roll, at every solved point.

        Errors: BadInput for an unknown side or outcome.
        """
        self._check(side)
        return {point: told.wins.get(side, Fraction(0)) for point, told in self.found.items()}

    def nearest(self, side: str, chance: float = 0.5, many: int = 5) -> list[Point]:
        """The points where the chance of a side or an outcome is nearest to `chance`."""
        off = {point: abs(float(won) - chance) for point, won in self.wins(side).items()}
        return sorted(off, key=lambda point: off[point])[:many]

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row of plain numbers for each point, for a data frame."""
        for point in product(*self.axes.values()):
            told = self.found.get(point)
            values = dict(zip(self.axes, point, strict=True))
            if isinstance(told, Chances):
                mean = {} if told.mean is None else {"mean": float(told.mean)}
                yield {**values, **{str(o): float(c) for o, c in told.wins.items()}, **mean}
            elif told is not None:
                yield {
                    **values,
                    **{f"{side} win": float(chance) for side, chance in sorted(told.wins.items())},
                    **{way: float(chance) for way, chance in told.broken_off.items()},
                    "rounds": float(told.rounds),
                    **{what: float(amount) for what, amount in told.costs.items()},
                    "found": told.found.how,
                    "fights": told.found.fights,
                }

    def csv(self) -> str:
        """The rows as comma-separated values."""
        rows = list(self.rows())
        columns = dict.fromkeys(name for row in rows for name in row)
        text = io.StringIO()
        table = csv.DictWriter(text, list(columns), restval=0.0, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        return text.getvalue()

    def table(self, side: Any) -> str:
        """A table of the chances of a side or an outcome, with the last axis across.

        For a roll of numbers, "mean" gives the means. Errors: BadInput for an unknown side or
        outcome.
        """
        if side != "mean":
            self._check(side)
        *down, across = self.axes
        lines = [[*([""] if down else []), *(f"{across}={value}" for value in self.axes[across])]]
        for values in product(*(self.axes[axis] for axis in down)):
            cells = [self._cell(side, (*values, value)) for value in self.axes[across]]
            lines.append([*([self.name(values)] if down else []), *cells])
        return show.in_columns(lines)

    def _check(self, side: Any) -> None:
        known = {one for told in self.found.values() for one in told.wins}
        if side not in known:
            listed = ", ".join(sorted(map(str, known)))
            raise BadInput(f"No side or outcome is called {side!r}. Choose one of {listed}.")

    def _cell(self, side: Any, point: Point) -> str:
        told = self.found.get(point)
        if told is None:
            return "refused" if point in self.failed else "-"
        if side == "mean" and isinstance(told, Chances):
            return "-" if told.mean is None else f"{float(told.mean):.4g}"
        return f"{float(told.wins.get(side, 0)) * 100:.1f} %"


def name_point(axes: Iterable[str], point: Point) -> str:
    """A point in words: "many=4, attack=3"."""
    return ", ".join(f"{axis}={value}" for axis, value in zip(axes, point, strict=False))


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
        """Find the game and the named numbers of a point; `games` is a cache."""
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
        raise BadInput(f"{{{name}}} has no values. Add over={{{name!r}: ...}}, or leave it out.")
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
    processes: int = 1,
    progress: Callable[[int, int], None] = lambda done, all_: None,
    known: Grid | None = None,
    **named: Any,
) -> Grid:
    """Forecast one of a game's fights, or solve one of its rolls, at every point of a grid.

    Each key of `over` is an axis with its values: a name in braces, an option of the game, or a
    named number. `processes` is the number of processes, or 0 for all processors if that saves
    time; scripts must then call this function below `if __name__ == "__main__":`. `executor` is any
    executor of `concurrent.futures`, or a compatible one such as Dask's `client.get_executor()`.
    `progress` is called with the numbers of finished points and of all points. All counted points
    use the same seed, so the grid does not depend on where it is computed. An interruption (Ctrl-C,
    a lost worker) gives the points found so far. Errors: BadInput, also if every point is refused;
    an error in your own function gets a note with the point.

    >>> grid = sweep("toast", "melee", ours="5/6/4/4", theirs="{many}x2/3/3/1",
    ...              over={"many": range(1, 4)})
    >>> print(grid.table("ours"))
    many=1  many=2  many=3
    99.8 %  93.9 %  69.1 %
    >>> print(sweep("toast", "task", difficulty=11, over={"trait": [3, 5]}).table("success"))
    trait=3  trait=5
     25.0 %   41.7 %
    """
    listed = all(isinstance(values, Iterable) for values in over.values())
    axes = {axis: tuple(values) for axis, values in over.items()} if listed else {}
    if not axes or not all(axes.values()):
        raise BadInput("A sweep needs axes with values, such as over={'many': range(1, 5)}.")
    seed = SystemEntropy().below(1 << 128) if seed is None else seed
    options, chosen = dict(options or {}), game(of)
    if name in chosen.game.rolls and (fights or policy):
        raise BadInput("fights= and policy= are only for fights. Leave them out for a roll.")
    keys = frozenset(chosen.options)
    asked = _Asked(of, name, options, named, tuple(axes), keys, policy, fights, seed)
    found = dict(known.found) if known is not None else {}
    grid = Grid(axes, found, {})
    failed: dict[Point, str] = {}
    waiting = list(grid.missing)
    games: dict[str, Playable] = {}
    sizes = [(_size(asked, point, games), point) for point in waiting]
    sizes.sort(key=lambda one: -one[0])
    every = math.prod(map(len, axes.values()))
    stopped = ""
    if not processes:
        worth = sum(size for size, _ in sizes) >= WORTH_STARTING
        processes = os.cpu_count() or 1 if worth else 1
    own = executor is None and processes > 1
    try:
        with open_pool(processes) if own else nullcontext(executor) as workers:
            for solved in _work(asked, sizes, workers):
                for point, told in solved:
                    if isinstance(told, str):
                        failed[point] = told
                    else:
                        found[point] = told
                    progress(len(found) + len(failed), every)
    except KeyboardInterrupt:
        stopped = "The sweep was interrupted."
    except BrokenExecutor as lost:
        stopped = f"The sweep lost a worker: {lost}"
    if failed and not found and not stopped:
        raise BadInput(f"No point of this grid can be solved. {next(iter(failed.values()))}")
    return Grid(axes, found, failed, stopped)


def open_pool(processes: int) -> ProcessPoolExecutor:
    """Start processes for a sweep, which ignore Ctrl-C because the parent handles it."""
    quick = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if quick else "spawn")
    if quick:
        context.set_forkserver_preload([__name__])
    return ProcessPoolExecutor(processes, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))


_Solved = list[tuple[Point, Forecast | Chances | str]]


def _work(
    asked: _Asked, sized: Sequence[tuple[int, Point]], executor: Executor | None
) -> Iterator[_Solved]:
    """Yield points as they are solved; large ones start first, small ones share a task."""
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
    """Solve points; each gets an answer, or a sentence with the reason for a refusal."""
    solved: _Solved = []
    for point in points:
        try:
            with _noting(asked, point):
                solved.append((point, _solve(asked, *asked.at(point, games))))
        except KitchenTableError as refused:
            solved.append((point, str(refused)))
    return solved


@contextmanager
def _noting(asked: _Asked, point: Point) -> Iterator[None]:
    """Add a note with the point to unexpected errors."""
    try:
        yield
    except KitchenTableError:
        raise
    except Exception as fault:
        fault.add_note(f"This happened at {name_point(asked.axes, point)} of a sweep.")
        raise


def _solve(asked: _Asked, playable: Playable, named: Mapping[str, Any]) -> Forecast | Chances:
    if asked.name in playable.game.rolls:
        solved = playable.odds(asked.name, **named)
        chances = {outcome: floor(chance) for outcome, chance in solved.told()}
        return Chances(chances, floor(solved.mean()) if are_numbers(chances) else None)
    source = SeededSource(asked.seed)
    return fight(
        playable, asked.name, fights=asked.fights, policy=asked.policy, source=source, **named
    )


def _size(asked: _Asked, point: Point, games: dict[str, Playable]) -> int:
    """The number of states of a point; 0 for a point that solving will refuse."""
    try:
        with _noting(asked, point):
            playable, named = asked.at(point, games)
            if asked.name in playable.game.rolls:
                return ROLL
            fought, battle = read_battle(playable, asked.name, **named)
            laws = compile_battle(fought, battle, choose_policies(fought, battle, asked.policy))
            return count_states(laws, SOLVED)
    except KitchenTableError:
        return 0
