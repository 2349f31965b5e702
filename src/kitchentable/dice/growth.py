"""Moments of recursive mechanics with arguments of infinitely many values.

A mechanic that returns ``pot(dice, 2 * stake)`` calls itself with ever new arguments, so its
distribution has to be truncated. If such an argument is only added, multiplied by constants and
passed on, one symbolic run covers all its values. The result is then an affine function of the
unknown arguments, and its mean and mean square follow from linear systems over the other arguments,
if those are few (affine recursions; Kesten, 1973).
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from time import thread_time
from typing import Any, NoReturn

from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.figures import Unproven
from kitchentable.dice.mechanic import AnyMechanic, Args, Kwargs, Mechanic
from kitchentable.dice.solving.circles import solve_equations
from kitchentable.dice.solving.inspection import look_at
from kitchentable.dice.solving.keys import Key, make_key
from kitchentable.dice.solving.lines import HandedOver
from kitchentable.dice.solving.pending import Pending, read_result
from kitchentable.dice.solving.solver import Solver
from kitchentable.dice.solving.sums import new_table
from kitchentable.dice.solving.symbolic import Symbolic

#: Limits: calls with different other arguments, paths of each, and seconds in all.
MOST_STATES = 60
MOST_PATHS = 2_000
WITHIN = 1.0

Row = tuple[int, ...]


class NeedsArgument(KitchenTableError):
    """Control flow: the value of an argument is needed, so the argument cannot be unknown."""

    code = "dice/looked"

    def __init__(self, places: frozenset[int]) -> None:
        super().__init__("The value of an unknown argument was needed.")
        self.places = places


class Unknown(HandedOver):
    """The stand-in for the distribution of an unknown argument."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def refuse(self) -> NoReturn:
        """Refuse a question about the argument. Errors: NeedsArgument."""
        raise NeedsArgument(frozenset({self.number}))


class Handed(Pending):
    """The result of a recursive call, which may only be added to and returned."""

    __slots__ = ()

    def _is_kept(self, other: Any) -> bool:
        return True

    def pending_look(self, *_: Any) -> NoReturn:
        """Refuse any other use. Errors: NeedsArgument."""
        raise NeedsArgument(frozenset())

    __getattr__ = __hash__ = pending_look


class Watched:
    """Dice that do not solve recursive calls."""

    def __init__(self, dice: Any, mechanic: AnyMechanic) -> None:
        self._dice = dice
        self._mechanic = mechanic

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dice, name)

    def perform(self, mechanic: AnyMechanic, args: Args, kwargs: Kwargs, /) -> Any:
        """Return a recursive call unsolved; let the dice perform any other call."""
        if mechanic is self._mechanic:
            given = _in_places(mechanic, args, kwargs)
            return Handed(self._dice, None, None, call=(mechanic, given, {}))
        return self._dice.perform(mechanic, args, kwargs)


def _in_places(mechanic: AnyMechanic, args: Args, kwargs: Kwargs) -> tuple[Any, ...]:
    """All arguments of a call by position, defaults included."""
    bound = inspect.signature(mechanic.__wrapped__).bind(None, *args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise NeedsArgument(frozenset())
    return bound.args[1:]


# -- symbolic calls ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """The result of some paths of a call, as linear forms in (1, unknown arguments).

    The result is `adds`, plus the result of the call `to`, if there is one. `turns` are the unknown
    arguments of that call, after the number 1.
    """

    chance: Fraction
    adds: Row
    to: tuple[Any, ...] | None = None
    turns: tuple[Row, ...] = ()


class _Run:
    """All reachable calls of one mechanic, with unknown numbers in some places."""

    def __init__(self, mechanic: AnyMechanic, count: int, places: Sequence[int]) -> None:
        self.mechanic = mechanic
        self.count = count
        self.places = places
        self.deadline = thread_time() + WITHIN
        self.states: dict[tuple[Any, ...], list[Part]] = {}

    def follow(self, start: tuple[Any, ...]) -> None:
        """Find the parts of every call that `start` reaches. Errors: NeedsArgument, NotSolved."""
        todo = [self.known(start)]
        while todo:
            state = todo.pop()
            if state in self.states:
                continue
            if len(self.states) >= MOST_STATES:
                raise NeedsArgument(frozenset())
            self.states[state] = self._parts(state)
            todo.extend(part.to for part in self.states[state] if part.to is not None)

    def known(self, args: Args) -> tuple[Any, ...]:
        return tuple([None if at in self.places else one for at, one in enumerate(args)])

    def _parts(self, state: tuple[Any, ...]) -> list[Part]:
        # Unknown arguments have the names -1, -2, and so on; dice are numbered from 0.
        names = range(-1, -len(self.places) - 1, -1)
        function = self.mechanic.__wrapped__

        def trial(dice: Any) -> Any:
            dice.given = {name: Unknown(-1 - name) for name in names}
            dice.covers = True
            args = list(state)
            for name, place in zip(names, self.places, strict=True):
                args[place] = Symbolic(dice, ((name, 1),), 0)
            return self._told(function(Watched(dice, self.mechanic), *args))

        solution = Solver(MOST_PATHS, self.deadline - thread_time()).solve(
            make_key(Mechanic(trial), (), {})
        )
        if solution.unresolved or solution.never or solution.law is not None:
            raise NeedsArgument(frozenset())
        return [
            Part(Fraction(weight, solution.total), *told)
            for told, weight in solution.weights.items()
        ]

    def _told(self, outcome: Any) -> tuple[Any, ...]:
        """The result of one path as plain linear forms."""
        if type(outcome) is not Handed:
            return (self._form(outcome),)
        _, args, _ = outcome.pending_call
        if len(args) != self.count:
            raise NeedsArgument(frozenset())
        known = self.known(args)
        for one in known:
            if type(one) is Symbolic and any(used := self._form(one)[1:]):
                raise NeedsArgument(frozenset(at for at, factor in enumerate(used) if factor))
        one = (1, *[0] * len(self.places))
        turns = [self._form(args[place]) for place in self.places]
        return self._form(outcome.pending_extra), known, (one, *turns)

    def _form(self, value: Any) -> tuple[Any, ...]:
        """A number as a linear form: the part without unknown arguments, and their factors."""
        value = read_result(value)
        if type(value) is int:
            return value, *[0] * len(self.places)
        if type(value) is not Symbolic:
            raise NeedsArgument(frozenset())
        factors = dict(value.terms)
        own = [factors.pop(-1 - at, 0) for at in range(len(self.places))]
        dice = tuple(factors.items())
        return Symbolic(value.walk, dice, value.const) if dice else value.const, *own


def follow_moments(key: Key) -> tuple[Fraction, Fraction] | Unproven:
    """The mean and the mean square of a call's result, if it is affine in its arguments.

    >>> from kitchentable.dice import mechanic
    >>> @mechanic
    ... def pot(dice, stake):
    ...     return pot(dice, 2 * stake) if dice.die(6) == 6 else stake
    >>> follow_moments(make_key(pot, (3,), {}))
    (Fraction(15, 4), Fraction(45, 2))
    """
    mechanic, args, kwargs, _ = key
    try:
        look = look_at(mechanic.__wrapped__, ())
        start = _in_places(mechanic, args, dict(kwargs))
        places = [at for at, one in enumerate(start) if type(one) is int]
        while not (look.plain or look.guarded):
            run = _Run(mechanic, len(start), places)
            try:
                run.follow(start)
            except NeedsArgument as needed:
                if not needed.places:
                    break
                places = [at for number, at in enumerate(places) if number not in needed.places]
            else:
                return _moments(run, start)
    except (KitchenTableError, TypeError, ValueError):
        # C code may reject a symbolic number.
        return Unproven(LOOKS)
    return Unproven(LOOKS)


LOOKS = (
    "could lie anywhere. Means are proven for mechanics that call themselves with arguments that "
    "they only add to or multiply by plain numbers. Write loops in this way, as in "
    "`return climb(dice, k + 6) if dice.die(6) == 6 else k`, and add or subtract independent "
    "rolls as odds, such as odds(exploding, 6) - odds(exploding, 8)"
)
GROWS = "its numbers grow as fast as their chances fall, so there may be no mean"
GROWS_SQUARED = "its squares grow as fast as their chances fall, so the variance may be infinite"


# -- linear systems ------------------------------------------------------------------------------

Place = tuple[Any, ...]
Matrix = dict[Place, dict[Place, Fraction]]
NONE = Fraction(0)


def _moments(run: _Run, start: tuple[Any, ...]) -> tuple[Fraction, Fraction] | Unproven:
    """The mean as a linear form of the unknowns, and the mean square as a quadratic form."""
    here = (1, *(start[place] for place in run.places))
    size = range(len(here))
    pairs = list(product(size, size))
    parts = [(state, part) for state, found in run.states.items() for part in found]
    begin = run.known(start)
    steps: Matrix = {(state, a): new_table() for state in run.states for a in size}
    own = dict.fromkeys(steps, NONE)
    for state, part in parts:
        for a in size:
            own[state, a] += part.chance * part.adds[a]
        for a, b in pairs if part.to is not None else ():
            _add(steps, (state, a), (part.to, b), part.chance * part.turns[b][a])
    means = _solved(steps, own)
    if means is None:
        return Unproven(GROWS)
    mean = sum((here[a] * means[begin, a] for a in size), NONE)
    steps = {(state, a, b): new_table() for state in run.states for a, b in pairs}
    own = dict.fromkeys(steps, NONE)
    for state, part in parts:
        adds, turns = part.adds, part.turns
        after = [
            sum((means[part.to, b] * row[a] for b, row in enumerate(turns)), NONE) for a in size
        ]
        for a, b in pairs:
            both = adds[a] * adds[b] + adds[a] * after[b] + after[a] * adds[b]
            own[state, a, b] += part.chance * both
            for c, d in pairs if turns else ():
                step = part.chance * turns[c][a] * turns[d][b]
                _add(steps, (state, a, b), (part.to, c, d), step)
    squares = _solved(steps, own)
    if squares is None:
        return Unproven(GROWS_SQUARED, mean)
    return mean, sum((here[a] * here[b] * squares[begin, a, b] for a, b in pairs), NONE)


def _add(matrix: Matrix, at: Place, to: Place, step: Fraction) -> None:
    if step:
        matrix[at][to] += step


def _solved(steps: Matrix, own: Mapping[Place, Fraction]) -> dict[Place, Fraction] | None:
    """The solution of x = own + steps x; None unless the powers of `steps` tend to 0.

    They do if y = 1 + |steps| y has a positive solution (Berman and Plemmons, 1979, ch. 6).
    """
    sizes = {at: {to: abs(step) for to, step in row.items()} for at, row in steps.items()}
    try:
        bound = solve_equations(sizes, dict.fromkeys(steps, Fraction(1)))
        if any(one <= 0 for one in bound.values()):
            return None
        return solve_equations(steps, own)
    except ZeroDivisionError:
        return None
