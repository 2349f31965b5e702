"""The size of a fight, counted before it is solved."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.rounds import count_places


def count_states(laws: Laws, most: int, starts: Iterable[Healths] = ()) -> int:
    """The number of states with an action to take; any number above `most` is too many.

    They are those from the battle's start, or from others. A fight in which somebody remembers has
    too many.

    The number equals that of the solver. Counting takes milliseconds, because only healths are
    enumerated: the places of a round are counted by a formula.
    """
    states = 0
    if laws.remembers:
        return most + 1
    waiting = list(starts) or [laws.start]
    seen = set(waiting)
    while waiting and states <= most:
        healths = waiting.pop()
        if laws.winner(healths) is not None:
            continue
        counts, battle = tuple(map(len, healths)), laws.battle
        states += count_places(counts, anew=battle.anew, passes=battle.passes)
        for after in list_changes(laws, healths):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return states


def list_changes(laws: Laws, healths: Healths) -> list[Healths]:
    """The healths after one possible action."""
    return [
        after
        for kind, left in enumerate(healths)
        if left
        for after, _, _ in laws.ways(kind, healths)
    ]
