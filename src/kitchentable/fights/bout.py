"""A fight as a chain: where it stands, what one step makes of it, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from kitchentable import dice
from kitchentable.dice.solved import solve
from kitchentable.fights.errors import TooManyStates

S = TypeVar("S", bound=Hashable)

#: A step that has more than this left unresolved is one that a fight cannot be built on.
_NOTHING = Fraction(0)

#: Seconds for the odds of one step; a fight whose steps take longer is for the bulk.
STEP_WITHIN = 2.0


def every_step(state: Hashable) -> bool:
    """Each step counts as time."""
    return True


@dataclass(frozen=True, slots=True)
class Bout(Generic[S]):
    """One fight: its first state, the mechanic that takes one step, and who has won.

    A state is a hashable value that never changes; the same mechanic plays the fight at the table,
    with a person's choices in the state or with a stated policy. `over` gives "" while it goes on,
    else the name of the winner. `counts` says from which states a step counts as time (a round may
    take many steps).

    >>> from kitchentable.dice import mechanic
    >>> @mechanic
    ... def toss(dice, lead: int) -> int:
    ...     return lead + (1 if dice.die(2) == 2 else -1)
    >>> first_to_two = Bout(0, toss, lambda lead: {2: "we", -2: "they"}.get(lead, ""))
    >>> first_to_two.over(2)
    'we'
    """

    start: S
    turn: dice.Mechanic[..., S]
    over: Callable[[S], str]
    counts: Callable[[S], bool] = every_step


class Steps(Generic[S]):
    """The solved steps of a bout, each worked out once and kept for whoever asks again."""

    __slots__ = ("_bout", "_known", "_paths")

    def __init__(self, bout: Bout[S], paths: int = 0) -> None:
        """Steps of a bout; `paths` is how many ways of the dice may be walked, 0 the usual many."""
        self._bout = bout
        self._paths = paths
        self._known: dict[S, tuple[tuple[S, Fraction], ...]] = {}

    def after(self, state: S) -> tuple[tuple[S, Fraction], ...]:
        """Where one step leads from a state, with exact chances; () where the fight is over.

        Errors: TooManyStates for a step that cannot be solved, Unresolved for one without an end.
        """
        found = self._known.get(state)
        if found is None:
            found = self._solved(state)
            self._known[state] = found
        return found

    def knows(self, state: S) -> bool:
        """Whether the step from this state has been solved already."""
        return state in self._known

    def _solved(self, state: S) -> tuple[tuple[S, Fraction], ...]:
        if self._bout.over(state):
            return ()
        try:
            solved = self._odds(state)
        except dice.NotSolved as error:
            raise TooManyStates(
                "One step of this fight alone can go in too many ways to be solved. "
                "Let fewer fight, or run it in bulk: then the dice are thrown."
            ) from error
        if solved.unresolved != _NOTHING:
            raise dice.Unresolved(
                f"A step of this fight has no end: {float(solved.unresolved):.2g} of it is open. "
                "Give the step a limit, or run the fight in bulk."
            )
        return solved.items()

    def _odds(self, state: S) -> dice.Distribution:
        if not self._paths:
            return dice.odds(self._bout.turn, state, within=STEP_WITHIN)
        return solve(self._bout.turn, (state,), {}, self._paths)


def reachable(bout: Bout[S], steps: Steps[S], most: int) -> list[S]:
    """Every state a bout can come to, the first one first. Errors: TooManyStates.

    `most` is how many states are allowed.
    """
    found: dict[S, None] = {bout.start: None}
    waiting = [bout.start]
    while waiting:
        for after, _ in steps.after(waiting.pop()):
            if after not in found:
                if len(found) >= most:
                    raise TooManyStates(
                        f"This fight can stand in more than {most:,} ways. "
                        "Let fewer fight, or run it in bulk: that needs no list of them."
                    )
                found[after] = None
                waiting.append(after)
    return list(found)
