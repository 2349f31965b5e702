"""The schedule of the solver: the order in which calls are solved, and its limits.

Solving uses a list of tasks instead of Python's stack. The task on top explores the tail calls of
its call (:mod:`.chain`). If a path needs the result of a call that is not solved yet, this call
becomes the next task, and the path continues afterwards. A call that needs its own result is solved
by iteration from below.
"""

from fractions import Fraction
from typing import Any

from kitchentable.dice.solving.chain import Chain
from kitchentable.dice.solving.deadline import checked_by
from kitchentable.dice.solving.dice import SolvingDice
from kitchentable.dice.solving.keys import Key, NeedsValue, NeedsWhole, Plainly
from kitchentable.dice.solving.paths import walk_paths
from kitchentable.dice.solving.results import BUDGET, DEEPEST, WITHIN, Results, too_deep
from kitchentable.dice.solving.row import Row
from kitchentable.dice.solving.runner import check_caught
from kitchentable.dice.solving.solution import NONE, Solution

#: From this depth on, results needed with a probability below TINY are left unresolved.
DEEP = 100
# Iteration stops if less than TINY is unresolved, if a round gains less than TINY, or after this
# many rounds, outcomes or paths.
TINY = Fraction(1, 2**72)
ITERATIONS = 600
MOST_WORK = 40_000
MOST_PATHS = 3_000
WIDEST = 800
# Iterated weights are rounded down to this many binary places; the remainder is unresolved.
PLACES = 92
# If more than OPEN is unresolved and outcomes are few, an upper bound larger by 2**-SLACK is tried.
OPEN = Fraction(1, 10**15)
FEW = 100
SLACK = 56
# The number of solutions cached with each mechanic.
REMEMBERED = 4096
#: Stands for left-out results among the calls that a result depends on.
LEFT_OUT: frozenset[Any] = frozenset({None})


class Solver:
    """One solving: at most `budget` paths in all, and `within` seconds of processor time."""

    def __init__(self, budget: int = BUDGET, within: float = WITHIN) -> None:
        self.results = Results(budget, within)
        self.tasks: list[Chain] = []
        self.walks: dict[Key, SolvingDice] = {}
        # The walk of a mechanic that may catch exceptions of other calls.
        self.guarded: SolvingDice | None = None
        self.rows: dict[Key, Row] = {}
        self.gained = NONE
        self.work = 0

    def solve(self, key: Key) -> Solution:
        """Solve a mechanic with its arguments."""
        known: Solution | None = key[0].remembered.get(key)
        if known is not None:
            return known
        self._begin(Chain(self.results, key))
        with checked_by(self.results.check_time):
            self._work()
        return self.results.solved[key]

    def _work(self) -> None:
        while self.tasks:
            task = self.tasks[-1]
            try:
                task.explore(self.row)
            except NeedsValue as need:
                self._need(need.key)
                continue
            except Exception as error:
                check_caught(self.guarded, error)
                raise
            if self._finish(task):
                self.tasks.pop()
                del self.results.active[task.key]

    def _begin(self, task: Chain) -> None:
        self.tasks.append(task)
        self.results.active[task.key] = None

    def row(self, key: Key) -> Row:
        """The row of a call, from all its paths. Errors: NeedsValue; the walk is kept."""
        known = self.rows.get(key)
        if known is not None:
            return known
        walk = self.walks.pop(key, None)
        if walk is None:
            walk = SolvingDice(self.results, key)
            if walk.guarded and self.guarded is None:
                self.guarded = walk
        self.results.walking = walk
        while True:
            try:
                self.results.left = walk_paths(walk, self.results.left)
                break
            except Plainly:
                if walk.open:
                    raise
                # Reads of parts of results may be the cause, so whole results are tried first. Then
                # results stay pending if possible, because a cycle of results is iterated.
                if walk.partial and not walk.wholly:
                    walk.wholly = True
                else:
                    walk.plain, walk.open = True, walk.plain
                    walk.wholly = True
            except NeedsWhole as needs:
                walk.whole.add(needs.key)
            except NeedsValue:
                self.walks[key] = walk
                raise
            walk.begin()
        row = self.rows[key] = Row(walk)
        return row

    def _need(self, key: Key) -> None:
        """Add a task for a needed call, or guess its result in a cycle."""
        self.results.check_time()
        if key in self.results.active:
            self.results.guesses[key] = self.results.lower.get(key) or Solution({}, 1)
            return
        chance = self._chance()
        if len(self.tasks) >= DEEP and chance < TINY:
            self.results.tainted[key] = Solution({}, 1), LEFT_OUT
            return
        if len(self.tasks) >= DEEPEST:
            raise too_deep(key)
        self._begin(Chain(self.results, key, chance))

    def _chance(self) -> Fraction:
        """A lower bound of the probability that the last requested result is needed."""
        task = self.tasks[-1]
        walk = self.walks.get(task.queue[0]) if task.queue else None
        if walk is None or not walk.script:
            return task.chance
        weight, total, _ = walk.here()
        return task.chance * Fraction(weight) / total

    def _finish(self, task: Chain) -> bool:
        """Store the solution of a task; False if another iteration is needed."""
        key = task.key
        solution = task.solve()
        taint = frozenset(task.taint)
        if key in self.results.guesses:
            outer = taint - {key}
            if task.tried is not None:
                self._judge(key, task.tried, solution)
            elif not self._stays(task, solution, outer) or self._tries(task, outer):
                self._drop(key)
                task.begin()
                return False
            solution, taint = self.results.guesses.pop(key), outer
            self._drop(key)
        if taint and not (taint == LEFT_OUT and len(self.tasks) == 1):
            self.results.tainted[key] = solution, taint
            self.results.lower[key] = solution
            return True
        self.results.solved[key] = solution
        # Inexact solutions depend on the first call; caching them would change answers.
        if not taint and not solution.inexact:
            remember(key, solution)
        return True

    def _stays(self, task: Chain, solution: Solution, outer: frozenset[Key]) -> bool:
        """Update the lower bound of a recursive call; return whether iteration can stop.

        A call that depends on an outer iteration is improved once in each round of the outer
        iteration. Lower bounds stay valid, so nothing has to be restarted.
        """
        key = task.key
        known = self.results.guesses[key]
        before = self.gained
        after = rounded_down(solution)
        after.mixed = solution.mixed
        after.inexact = True
        if after.unresolved < known.unresolved:
            self.gained += known.unresolved - after.unresolved
            known = after
        elif not known.inexact:
            known = after
        self.results.guesses[key] = self.results.lower[key] = known
        self.work += len(known.weights)
        task.rounds += 1
        return bool(
            outer
            or known.unresolved < TINY
            or self.gained - before < TINY
            or self.work > MOST_WORK
            or len(known.weights) > WIDEST
            or self.results.budget - self.results.left > MOST_PATHS
            or task.rounds > ITERATIONS
        )

    def _tries(self, task: Chain, outer: frozenset[Key]) -> bool:
        """Whether to try an upper bound next, to bound the probability of not terminating.

        The solution is the least fixed point of the call's equation. A slightly larger guess that
        the equation does not increase is an upper bound of the solution (Knaster and Tarski).
        """
        known = self.results.guesses[task.key]
        if outer or known.unresolved < OPEN or not 0 < len(known.weights) <= FEW:
            return False
        above = {one: (weight << SLACK) + weight + 1 for one, weight in known.weights.items()}
        guess = Solution(above, known.total << SLACK)
        if sum(above.values()) >= guess.total:
            return False
        task.tried = known, guess
        self.results.guesses[task.key] = guess
        return True

    def _judge(self, key: Key, tried: tuple[Solution, Solution], solution: Solution) -> None:
        """Keep the upper bound if the equation does not increase it."""
        known, guess = tried
        if solution.law is None and all(
            weight * guess.total <= guess.weights.get(outcome, 0) * solution.total
            for outcome, weight in solution.weights.items()
        ):
            never = 1 - Fraction(sum(guess.weights.values()), guess.total)
            known = Solution(known.weights, known.total, never=never, inexact=known.inexact)
            known.mixed = solution.mixed
        self.results.guesses[key] = known

    def _drop(self, key: Key) -> None:
        """Discard all results that depend on the guess for a call."""
        self.rows = {one: row for one, row in self.rows.items() if key not in row.taint}
        tainted = self.results.tainted.items()
        self.results.tainted = {one: known for one, known in tainted if key not in known[1]}
        self.walks = {one: walk for one, walk in self.walks.items() if key not in walk.taint}


def remember(key: Key, solution: Solution) -> None:
    """Cache a solution with its mechanic, and empty a full cache before."""
    remembered = key[0].remembered
    if len(remembered) >= REMEMBERED:
        remembered.clear()
    remembered[key] = solution


def rounded_down(solution: Solution) -> Solution:
    """A lower bound with weights of bounded length; the remainder is unresolved."""
    law, weights, total = solution.law, solution.weights, solution.total
    if law is None and total.bit_length() <= PLACES:
        return Solution(weights, total, never=solution.never)
    scale = 1 << PLACES
    weights = {o: part for o, weight in weights.items() if (part := weight * scale // total)}
    if law is not None:
        weights |= law.as_law().rounded(PLACES, TINY)
    return Solution(weights, scale, never=solution.never)
