"""Which mechanics are being solved, which are solved, and in what order they are closed."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kitchentable.dice.die import MOST_SIDES, Die, as_die
from kitchentable.dice.errors import DiceFault, NotHashable, TooDeep
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.closing import close
from kitchentable.dice.solving.covered import Plainly
from kitchentable.dice.solving.lines import fresh_law_line
from kitchentable.dice.solving.paths import Nowhere, verify, walk_paths
from kitchentable.dice.solving.pending import NeedsGuess
from kitchentable.dice.solving.solution import Solution, Spread, spread_of
from kitchentable.dice.solving.walk import NOWHERE, Walk

BUDGET = 60_000
DEEP = 40
DEEPEST = 80
# Iteration stops when less than this is unresolved, when a round gains less than this, or after
# so many rounds or outcomes.
TINY = Fraction(1, 2**64)
ITERATIONS = 600
MOST_WORK = 40_000
# Iterated weights are rounded down to this many binary places; what is cut off stays unresolved.
PLACES = 92
# So many solutions are kept with each mechanic.
REMEMBERED = 4096


class Solver:
    """One solving: `budget` paths may be walked in all."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self.left = budget
        self.stack: list[Walk] = []
        self.active: dict[Any, Walk] = {}
        self.waiting: dict[Any, Walk] = {}
        self.solved: dict[Any, Solution] = {}
        self.guessed: dict[Any, tuple[Solution, int]] = {}
        # For mechanics that are iterated inside another iteration: what is known from below, how
        # much all iterations have gained, and how many outcomes they have been through.
        self.lower: dict[Any, Solution] = {}
        self.gained = Fraction(0)
        self.work = 0
        self.faces: dict[int, tuple[int | Die, Spread]] = {}

    # -- dice -----------------------------------------------------------------------------------

    def the_die(self, of: int | Die) -> Die:
        """The die that a number of sides stands for."""
        return of if isinstance(of, Die) else as_die(int(of))

    def die_spread(self, of: int | Die) -> Spread:
        """One die as a choice point."""
        # By identity, because comparing and hashing dice of many faces takes longer.
        known = self.faces.get(id(of))
        if known is None:
            if type(of) is int and 0 < of <= MOST_SIDES:
                spread = Spread(range(1, of + 1), [1] * of, [], of)
            else:
                die = as_die(of)
                spread = spread_of([(face, 1) for face in die.faces], die.sides)
            known = self.faces[id(of)] = of, spread
        return known[1]

    def solve(
        self, mechanic: Mechanic[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Solution:
        """Solve one mechanic with its arguments."""
        try:
            solution = self.solution(mechanic, args, kwargs, None)
        except RecursionError as error:
            raise TooDeep(f"The mechanic {mechanic.name} calls mechanics too deeply.") from error
        if not isinstance(solution, Solution):
            raise DiceFault(f"The mechanic {mechanic.name} waits for a mechanic that called it.")
        return solution

    # -- mechanics -----------------------------------------------------------------------------

    def solution(
        self,
        mechanic: Mechanic[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        caller: Walk | None,
    ) -> Solution | tuple[Walk, Walk]:
        """A mechanic's solution; or, where it waits for the caller, its walk and its circle's."""
        # The kinds keep True and 1 apart, which are equal as keys.
        key: Any = (mechanic, args, *map(type, args))
        if kwargs:
            rest = tuple(sorted(kwargs.items()))
            key = (*key, rest, *map(type, kwargs.values()))
        try:
            known = mechanic.remembered.get(key) or self.solved.get(key)
        except TypeError as error:
            raise NotHashable(
                f"The arguments of the mechanic {mechanic.name} must be hashable: {error}."
            ) from error
        if known is not None:
            if caller is not None and not known.clean:
                caller.clean = False
            return known
        if caller is not None:
            guessed = self.guessed.get(key)
            if guessed is not None:
                caller.taint = min(caller.taint, guessed[1])
                caller.clean = caller.clean and guessed[0].clean
                return guessed[0]
            target = self.active.get(key) or self.waiting.get(key)
            if target is not None:
                return self._circle(target, caller)
        return self._solve(mechanic, args, kwargs, key, caller)

    def _circle(self, target: Walk, caller: Walk) -> Solution | tuple[Walk, Walk]:
        if target.guess is not None:
            caller.taint = min(caller.taint, target.index)
            return target.guess
        root = self.stack[target.low]
        if any(walk.guess is not None for walk in self.stack[root.index + 1 :]):
            raise NeedsGuess(root)
        caller.low = min(caller.low, root.index)
        return target, root

    def _solve(
        self,
        mechanic: Mechanic[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        key: Any,
        caller: Walk | None,
    ) -> Solution | tuple[Walk, Walk]:
        walk = Walk(self, mechanic, args, kwargs, len(self.stack))
        self._check_depth(walk, caller)
        if key in self.lower and any(outer.guess is not None for outer in self.stack):
            walk.guess = self.lower[key]
        mark = set(self.waiting)
        self.stack.append(walk)
        self.active[key] = walk
        try:
            solution = self._closed(walk, key, mark)
        finally:
            self.stack.pop()
            del self.active[key]
        if caller is None:
            return solution or (walk, walk)
        if solution is None:
            for one, inner in self.waiting.items():
                # What waited for this mechanic now waits for whatever this one waits for.
                if one not in mark and inner.low >= walk.index:
                    inner.low = walk.low
            self.waiting[key] = walk
            caller.low = min(caller.low, walk.low)
            caller.taint = min(caller.taint, walk.taint)
            caller.clean = caller.clean and walk.clean
            return walk, self.stack[walk.low]
        caller.clean = caller.clean and solution.clean
        if walk.taint < walk.index:
            caller.taint = min(caller.taint, walk.taint)
        return solution

    def _check_depth(self, walk: Walk, caller: Walk | None) -> None:
        if walk.index < DEEP or caller is None:
            return
        chance = Fraction(1)
        for outer in self.stack:
            if outer.script:
                chance *= Fraction(outer.script[-1].weight) / outer.script[-1].total
        if chance < TINY:
            caller.clean = False
            weight, total, _ = caller.here()
            caller.lose(weight, total)
            raise Nowhere(walk.mechanic.name)
        if walk.index >= DEEPEST:
            raise TooDeep(
                f"The mechanic {walk.mechanic.name} is called {DEEPEST} levels deep. Add dice with "
                f"dice.total(...) or count them with dice.count(...) instead of calling again."
            )

    def _closed(self, walk: Walk, key: Any, mark: set[Any]) -> Solution | None:
        """Walk all paths and close the circle that begins here; None where it begins outside."""
        while True:
            try:
                self._walk(walk, mark)
                if walk.low < walk.index:
                    return None
                keys = [one for one in self.waiting if one not in mark] if self.waiting else []
                walks = [walk, *(self.waiting[one] for one in keys)]
                if walk.guess is not None:
                    return self._iterated(walk, key, mark)
                if min([one.taint for one in walks]) < walk.index and any(map(_adds, walks)):
                    # An endless law of guessed weights would cost more than going round.
                    raise NeedsGuess(walk)
                solutions = close(walks)
                if any(one.handed_on for one in walks):
                    verify(dict(zip(walks, solutions, strict=True)))
            except NeedsGuess as need:
                if need.walk is not walk or walk.guess is not None:
                    raise
                walk.guess = self.lower.get(key) or Solution({}, 1)
                continue
            except Plainly:
                if walk.plain:
                    raise
                walk.plain = True
                continue
            taint = min([one.taint for one in walks])
            for one, solution in zip([key, *keys], solutions, strict=True):
                self.waiting.pop(one, None)
                self._keep(one, solution, taint, walk)
            return solutions[0]

    def _walk(self, walk: Walk, mark: set[Any]) -> None:
        if self.waiting or self.guessed:
            self._forget(walk, mark)
        walk.begin()
        self.left = walk_paths(walk, self.left)

    def _forget(self, walk: Walk, mark: set[Any]) -> None:
        """Drop what an abandoned attempt left: waiting equations and what rests on a guess."""
        for one in [one for one in self.waiting if one not in mark]:
            del self.waiting[one]
        for one in [one for one, (_, taint) in self.guessed.items() if taint >= walk.index]:
            del self.guessed[one]

    def _keep(self, key: Any, solution: Solution, taint: int, walk: Walk) -> None:
        if taint < walk.index:
            self.guessed[key] = (solution, taint)
            return
        self.solved[key] = solution
        if solution.clean:
            remember(key, solution)

    def _iterated(self, walk: Walk, key: Any, mark: set[Any]) -> Solution:
        """The least solution from below: put what is known in, walk again, until it stays.

        What rests on an iteration further out is improved once for each round of that one; all
        that is known from below stays true, so nothing has to begin anew.
        """
        known = walk.guess or Solution({}, 1)
        before = -Fraction(1)
        for _ in range(ITERATIONS):
            after = rounded_down(close([walk])[0])
            if after.unresolved < known.unresolved:
                self.gained += known.unresolved - after.unresolved
                known = after
            walk.guess = self.lower[key] = known
            self.work += len(known.weights)
            if walk.taint < walk.index or known.unresolved < TINY:
                break
            if self.gained - before < TINY:
                break
            if self.work > MOST_WORK or self.left < self.budget // 2:
                known.clean = False
                break
            before = self.gained
            self._walk(walk, mark)
        self._forget(walk, mark)
        self._keep(key, known, walk.taint if walk.taint < walk.index else NOWHERE, walk)
        return known


def _adds(walk: Walk) -> bool:
    """Whether a walk adds numbers to results it waits for."""
    found = [shifts for parts in walk.terms.values() for shifts in parts.values()]
    return any(shift for shifts in found for shift in shifts)


def remember(key: Any, solution: Solution) -> None:
    """Keep a solution with its mechanic, as long as that holds not too many."""
    remembered = key[0].remembered
    if len(remembered) >= REMEMBERED:
        remembered.clear()
    remembered[key] = solution


def rounded_down(solution: Solution) -> Solution:
    """A solution from below with weights of bounded length; what is cut off is unresolved."""
    weights, total = solution.weights, solution.total
    below = solution.law.from_below(PLACES) if solution.law is not None else None
    if below is not None:
        scale = 1 << PLACES
        weights = {o: w * scale // total for o, w in weights.items()}
        return Solution({**weights, **below}, scale, clean=solution.clean)
    if solution.law is not None:
        finite, _ = fresh_law_line(((0, 1),), solution.law).cut()
        weights = {outcome: w * finite.total for outcome, w in weights.items()}
        for value, weight in zip(finite.values, finite.weights, strict=True):
            weights[value] = weight * total
        total *= finite.total
    if total.bit_length() > PLACES:
        scale = 1 << PLACES
        weights = {o: w * scale // total for o, w in weights.items()}
        weights = {o: w for o, w in weights.items() if w}
        total = scale
    return Solution(weights, total, clean=solution.clean)
