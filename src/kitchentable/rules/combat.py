"""A fight as a game declares it: what the dice say of two combatants, and who goes for whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from kitchentable.dice import Mechanic
from kitchentable.rules.table import Table

#: The numbers that the dice ask of a combatant; combatants with the same numbers are alike.
Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Combatant:
    """One who fights: the side, the numbers that the dice ask for, the health left, a name.

    A health of 0 or less is down.
    """

    side: str
    numbers: Numbers
    health: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Battle:
    """A fight before its next round: who fights, in the order in which they are listed.

    With `anew` each round has an order of its own; without, the first round's order stays, and who
    had no turn in it comes last from then on.
    """

    combatants: tuple[Combatant, ...]
    anew: bool = True

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        return tuple(sorted({one.side for one in self.combatants}))

    @property
    def standing(self) -> tuple[str, ...]:
        """The names of the sides that still have somebody up."""
        return tuple(sorted({one.side for one in self.combatants if one.health > 0}))


@dataclass(frozen=True, slots=True)
class Policy:
    """Who is attacked: the foe with the least key; among equal keys, the one listed first.

    `key(mine, theirs, health)` takes the numbers of attacker and foe and the foe's health. `words`
    complete "Everybody goes for ...". With `evenly`, equal keys are equally likely.

    >>> weakest = POLICIES["weakest"]
    >>> weakest.key((5,), (3,), 2) < weakest.key((5,), (9,), 4)
    True
    """

    words: str
    key: Callable[[Any, Any, int], Any]
    evenly: bool = False


#: Policies for any game: they look at nothing but the health of the foe.
POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "weakest": Policy("the foe with the least health left", lambda me, foe, health: health),
        "strongest": Policy("the foe with the most health left", lambda me, foe, health: -health),
        "first": Policy("the foe listed first", lambda me, foe, health: 0),
        "random": Policy("any foe, all equally likely", lambda me, foe, health: 0, evenly=True),
    }
)


@dataclass(frozen=True, slots=True)
class Fought:
    """A whole fight by the name the library and the command line use, to be followed to its end.

    Mechanics on numbers say what live play says: `turn(dice, mine)` gives the number for the order
    of a round, None for no turn; `again(dice, mine)` the number among equals, who throw until they
    differ; `act(dice, mine, theirs)` the outcome of an action against a foe. `after(theirs,
    health, outcome)` is the foe's health after it, never more than before. The side that is left
    has won.

    `start(options, **named)` makes the battle from named numbers, `samples` are sets of these that
    the conformance suite fights out. `standing(table)` is the battle that is on at a table; None
    where there is none or where the seat may not know its numbers. `health` is what health counts,
    in words ("wounds ... could still take").
    """

    turn: Mechanic[..., int | None]
    again: Mechanic[..., int]
    act: Mechanic[..., Any]
    after: Callable[[Any, int, Any], int]
    start: Callable[..., Battle]
    help: str
    samples: tuple[Mapping[str, Any], ...]
    health: str = "health left to {}"
    standing: Callable[[Table], Battle | None] = lambda table: None
    policies: Mapping[str, Policy] = field(default_factory=lambda: POLICIES)
    policy: str = "weakest"

    def __repr__(self) -> str:
        return f"<Fought {self.act.name}: {self.help}>"
