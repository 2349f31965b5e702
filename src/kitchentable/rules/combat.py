"""Declaration of a game's fights for forecasts: combatants, dice and targeting policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any

from kitchentable.dice import Mechanic
from kitchentable.dice.errors import BadInput, DiceFault
from kitchentable.rules.people import listed
from kitchentable.rules.table import Table
from kitchentable.rules.values import Values, record

#: The numbers of a combatant for the dice; combatants with equal numbers are interchangeable.
Numbers = tuple[Any, ...]


class NeverEnds(DiceFault):
    """The error for a fight that can reach a state from which nobody can win."""

    code = "fight/never-ends"


class BadBattle(DiceFault):
    """The error for an impossible fight: healing, an endless distribution, a bad policy key."""

    code = "fight/bad-declaration"


class NoSuchPolicy(BadInput):
    """The error for a policy that the game does not have."""

    code = "fight/policy"


@record
class Combatant:
    """A fighter: side, numbers for the dice, remaining health, name.

    A fighter with a health of 0 or less is down. Fighters of a `group`, such as "allies", are
    counted separately from the others of their side.
    """

    side: str
    numbers: Numbers
    health: int
    name: str = ""
    group: str = ""


@record
class Battle:
    """The state of a fight before a round, with its combatants in the listed order.

    With `anew`, each round has a new turn order. Otherwise the order of the first round stays, and
    fighters without a turn in that round act last from then on. In each round, the turn order is
    run through `passes` times. After `rounds` more rounds the fight is broken off; 0 means no
    limit.
    """

    combatants: tuple[Combatant, ...]
    anew: bool = True
    rounds: int = 0
    passes: int = 1

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        return tuple(sorted({one.side for one in self.combatants}))

    @property
    def standing(self) -> tuple[str, ...]:
        """The names of the sides with at least one fighter standing."""
        return tuple(sorted({one.side for one in self.combatants if one.health > 0}))


#: Makes a battle of entities at a table, from their ids by side.
Gather = Callable[[Table, Mapping[str, Sequence[str]]], Battle | None]


@record
class Retreat:
    """A condition for the retreat of a side, checked between rounds.

    `when(left, full)` takes the healths of the side's standing fighters, and of all its fighters at
    the start. `words` complete "They retreat ...".

    >>> RETREATS["retreat at half"].when((4, 1), (4, 4, 4))
    True
    """

    words: str
    when: Callable[[Sequence[int], Sequence[int]], bool]


#: Retreats for any game.
RETREATS: Mapping[str, Retreat] = MappingProxyType(
    {
        "retreat at half": Retreat(
            "once half of their health is left or less",
            lambda left, full: 2 * sum(left) <= sum(full),
        ),
        "retreat at half down": Retreat(
            "once half of them are down", lambda left, full: 2 * len(left) <= len(full)
        ),
        "retreat at first down": Retreat(
            "once one of them is down", lambda left, full: len(left) < len(full)
        ),
    }
)


@record
class OwnHealth:
    """A condition on a fighter's own health: `when(left, full)`, now and at the start.

    `words` complete "They only defend ..." or "They spend a point on each attack ...".

    >>> DEFENDS["defend when hurt"].when(2, 5)
    True
    """

    words: str
    when: Callable[[int, int], bool]


#: Conditions for only defending, for games that declare `guard`.
DEFENDS: Mapping[str, OwnHealth] = MappingProxyType(
    {
        "defend when hurt": OwnHealth(
            "while half of their own health is left or less", lambda left, full: 2 * left <= full
        )
    }
)


def spend_at(most: int) -> OwnHealth:
    """Spend a point on each attack while at most this much health is left.

    >>> spend_at(10).when(10, 25), spend_at(10).when(11, 25)
    (True, False)
    """
    return OwnHealth(f"with {most} left or less", lambda left, full: left <= most)


@record
class Points:
    """Points that an attack can use, such as "luck points", which is the `name`.

    Both functions take a combatant's numbers: `points` gives the number of points, and `boost` the
    numbers of an attack that uses one.
    """

    name: str
    points: Callable[[Any], int]
    boost: Callable[[Any], Any]


@record
class Policy:
    """A side's plan: attack the foe with the lowest key, perhaps until a retreat.

    `key(mine, theirs, health)` takes the numbers of attacker and foe and the foe's health. Among
    equal keys, the foe listed first is attacked; with `evenly`, all of them are equally likely.
    `words` complete "Everybody goes for ...". Without `retreat` the side fights to the end, without
    `defend` everybody attacks in every turn, without `spend` nobody spends points.

    `recall(hurt, attacked)` is compared before the key. `hurt` is the number of the last turn in
    which the foe hurt this fighter, 0 for none; `attacked` is the number of attacks on the foe in
    this round. The function is also called with arrays, so it must not branch. Fights with a
    `recall` have to follow each fighter, so they are simulated, not solved.

    >>> weakest = POLICIES["weakest"]
    >>> weakest.key((5,), (3,), 2) < weakest.key((5,), (9,), 4)
    True
    """

    words: str
    key: Callable[[Any, Any, int], Any]
    evenly: bool = False
    retreat: Retreat | None = None
    defend: OwnHealth | None = None
    spend: OwnHealth | None = None
    recall: Callable[[Any, Any], Any] | None = None


#: Policies for any game, by the health of the foe alone.
POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "weakest": Policy("the foe nearest to falling", lambda me, foe, health: health),
        "strongest": Policy("the foe farthest from falling", lambda me, foe, health: -health),
        "first": Policy("the foe listed first", lambda me, foe, health: 0),
        "random": Policy("any foe, all equally likely", lambda me, foe, health: 0, evenly=True),
        "whoever hit me": Policy(
            "whoever has hurt them last, else the foe nearest to falling",
            lambda me, foe, health: health,
            recall=lambda hurt, attacked: -hurt,
        ),
        "spread": Policy(
            "the foe attacked least often in the round, then the one nearest to falling",
            lambda me, foe, health: health,
            recall=lambda hurt, attacked: attacked,
        ),
    }
)


@record
class Fought:
    """A kind of fight for forecasts; the library and the command line use its name.

    The mechanics work on numbers and match live play. `turn(dice, mine)` gives the number for the
    turn order of a round, None for no turn. `again(dice, mine)` is thrown among equal numbers until
    they differ; if it is None, equals act in the listed order. `act(dice, mine, theirs)` gives the
    outcome of an action against a foe. `after(theirs, health, outcome)` is the foe's health
    afterwards, never more than before; if that needs another roll, `after` is a mechanic too:
    `after(dice, theirs, health, outcome)`. The last side standing wins.

    If health changes the dice, `now(numbers, health)` are the numbers at a health, for actions and
    for the turn order. If an action also changes the actor, `clash(dice, mine, my_health, theirs,
    health)` gives both healths after an action; it replaces `act` and `after`, and excludes `now`,
    `spend` and `toll`. With `now` or `clash`, each combatant is followed separately.

    `reaches(mine, theirs)` says whether a combatant may attack a foe at all. `left(numbers,
    health)` is the number to show for a health, and `set_left(numbers, health, left)` the health
    for another such number. `toll(theirs, outcome)` is the cost of an outcome to a foe in addition
    to health, in the unit `tolls`, such as "wounds". `guard(numbers)` are the numbers of a
    combatant that only defends, and `spend` are the points that an attack can use; both may be
    None.

    `start(options, **named)` makes the battle from named numbers; `samples` are sets of these for
    the conformance suite. `standing(table)` is the current battle at a table, None without one or
    if the seat may not see its numbers. `gather(table, sides)` is a battle of entities by side and
    id; an entity may appear several times. `weapons(table, who)` are an entity's numbers with each
    way to attack, by name. `health` is the unit of health in words ("wounds ... could still take").
    `assumes` are sentences, shown with every answer, about points that the rules leave open.
    """

    turn: Mechanic[..., int | None]
    again: Mechanic[..., int] | None
    act: Mechanic[..., Any]
    after: Callable[[Any, int, Any], int] | Mechanic[..., int]
    start: Callable[..., Battle]
    help: str
    samples: tuple[Values, ...]
    health: str = "health left to {}"
    standing: Callable[[Table], Battle | None] = lambda table: None
    gather: Gather = lambda table, sides: None
    weapons: Callable[[Table, str], Mapping[str, Numbers]] = lambda table, who: {}
    policies: Mapping[str, Policy] = field(default_factory=lambda: POLICIES)
    policy: str = "weakest"
    assumes: str = ""
    clash: Mechanic[..., tuple[int, int]] | None = None
    now: Callable[[Any, int], Any] | None = None
    toll: Callable[[Any, Any], int] | None = None
    tolls: str = ""
    guard: Callable[[Any], Any] | None = None
    spend: Points | None = None
    reaches: Callable[[Any, Any], bool] = lambda mine, theirs: True
    left: Callable[[Any, int], int] = lambda numbers, health: health
    set_left: Callable[[Any, int, int], int] = lambda numbers, health, left: left

    def __post_init__(self) -> None:
        unused = [name for name in ("now", "spend", "toll") if getattr(self, name) is not None]
        if self.clash is not None and unused:
            raise BadBattle(
                f"The fight {self.name} declares clash and also {listed(unused)}, which only work "
                "with act and after. Declare act and after instead of clash, or omit the others."
            )

    @property
    def by_person(self) -> bool:
        """Whether the actor's health matters, so that each combatant is followed separately."""
        return self.clash is not None or self.now is not None

    @property
    def name(self) -> str:
        """The name of the mechanic of an action."""
        return (self.clash or self.act).name

    def __repr__(self) -> str:
        return f"<Fought {self.name}: {self.help}>"
