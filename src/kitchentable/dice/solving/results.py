"""The known results of calls while one mechanic is solved, and the limits."""

from time import thread_time
from typing import Any

from kitchentable.dice.die import MOST_SIDES, AnyDie, as_die
from kitchentable.dice.errors import TooDeep, TooSlow
from kitchentable.dice.solving.keys import Key, in_words
from kitchentable.dice.solving.solution import Solution, Spread, spread_of

#: The largest number of paths in all.
BUDGET = 2_000_000
#: Seconds.
WITHIN = 20.0
# A path of more choice points than this probably comes from a loop.
LOOPING = 12
#: The largest depth of results that need other results.
DEEPEST = 10_000


#: A solution, and the calls with guessed results that it depends on.
Known = tuple[Solution, frozenset[Any]]
_NOTHING: frozenset[Any] = frozenset()


class Results:
    """The known results of calls, with limits in paths and in seconds of processor time."""

    def __init__(self, budget: int = BUDGET, within: float = WITHIN) -> None:
        self.budget = budget
        self.left = budget
        self.within = within
        self.deadline = thread_time() + within
        # The calls that are being solved, each needed by the call before it.
        self.active: dict[Key, None] = {}
        # The walk that is running now.
        self.walking: object = None
        self.solved: dict[Key, Solution] = {}
        # Guesses (lower bounds) for calls that need their own results; results that depend on them;
        # and the last lower bound of each call.
        self.guesses: dict[Key, Solution] = {}
        self.tainted: dict[Key, Known] = {}
        self.lower: dict[Key, Solution] = {}
        self._spreads: dict[int, tuple[AnyDie, Spread]] = {}

    def die_spread(self, of: AnyDie) -> Spread:
        """One die as a choice point."""
        # Cached by identity, because hashing and comparing dice of many faces is slower.
        known = self._spreads.get(id(of))
        if known is None:
            if type(of) is int and 0 < of <= MOST_SIDES:
                spread = Spread(range(1, of + 1), [1] * of, [], of)
            else:
                faces = as_die(of).faces
                if {*map(type, faces)} == {int} and len({*faces}) == len(faces):
                    spread = Spread(sorted(faces), [1] * len(faces), [], len(faces))
                else:
                    spread = spread_of([(face, 1) for face in faces], len(faces))
            known = self._spreads[id(of)] = of, spread
        return known[1]

    def find(self, key: Key) -> Known | None:
        """The solution of a call or a lower bound, if known. Errors: TooDeep."""
        known = self.solved.get(key) or key[0].remembered.get(key)
        if known is not None:
            # Count the depth as if nothing were cached, so that answers do not depend on the cache.
            if len(self.active) + known.depth > DEEPEST:
                raise too_deep(key)
            return known, _NOTHING
        guess = self.guesses.get(key)
        return self.tainted.get(key) if guess is None else (guess, frozenset({key}))

    def check_time(self, needed: float = 0.0) -> None:
        """Check that `needed` seconds are left before the deadline. Errors: TooSlow."""
        if thread_time() + needed > self.deadline:
            first = next(iter(self.active), None)
            steps = len(getattr(self.walking, "script", ()))
            loop = "Replace the loop by a mechanic that calls itself with the changing values, ask"
            raise TooSlow(
                f"The odds of {in_words(first) if first else 'this roll'} take longer than "
                f"{self.within:g} seconds. {loop if steps > LOOPING else 'Ask'} a narrower "
                f"question (at least 12?), allow more time with within=..., or use sample."
            )


def too_deep(key: Key) -> TooDeep:
    """The error for results nested too deeply."""
    return TooDeep(
        f"The result of {in_words(key)} is needed for other results, nested more than {DEEPEST} "
        f"levels deep. Return results directly with `return`, add dice with dice.total(...) or "
        f"count them with dice.count(...)."
    )
