"""The characters of Toaster with all their classes, and the ruleset that moves belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Json, Part, kit, plural
from kitchentable.rules.kit import Form, Ruleset, Unknown
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.beings import Fact, state
from kitchentable.rulesets.toaster.book import BOOK, Parts, Row
from kitchentable.rulesets.toaster.combat.arms import Armed
from kitchentable.rulesets.toaster.mechanics.to_hit import ATTACK, DEFENSE
from kitchentable.rulesets.toaster.options import Options

#: The kinds of roll as shown; stored events keep the older spelling.
SHOWN = {ATTACK: "attack", DEFENSE: "defense"}
OTHER = {ATTACK: DEFENSE, DEFENSE: ATTACK}
#: The names of stances that trade points into a kind of roll.
TRADES = {ATTACK: "offensive stance", DEFENSE: "defensive stance"}
#: The bonus of giving up attacks or defenses, and the number of own actions that it lasts
#: (toaster.4.stance-3, toaster.4.stance-timing).
ALL_OUT, ALL_OUT_ACTIONS = 3, 2


class Person(Armed):
    """A player's character, an NPC, or a creature.

    The base classes add traits, gear, attributes, skills, harm and arms.
    """

    at: AnyAt | None
    luck = state(0)
    used: Fact[list[str]] = state([])
    raisable: Fact[list[str]] = state([])
    stance: Fact[Row] = state({})
    next: Fact[Row] = state({})
    aim = state(0)

    @property
    def fighter(self) -> Row:
        """The character's facts in the current fight, or {}."""
        fight = self.at.fight if self.at is not None else None
        return (fight.place(self) or {}) if fight is not None else {}

    def acted(self) -> None:
        """Record an action; it uses up a granted last act."""
        if self.last_act:
            self.last_act = False

    @property
    def luck_points(self) -> int:
        """The luck points left to spend; 0 in a campaign without them (toaster.3.luck-limits)."""
        return max(0, self.luck_left) if self.options.luck_points and self.is_known else 0

    @property
    def experience(self) -> Fraction:
        """Unspent experience points; halves are possible."""
        return Fraction(str(self.entity.state.get("xp") or 0))

    @property
    def usable(self) -> frozenset[str]:
        """Skills used in the last adventure or in this one (toaster.2.adv-used-skills)."""
        return frozenset({*self.raisable, *self.used})

    # ------------------------------------------------------------ from one roll to the next
    #
    # "next" holds the price of a fumble and traded points until a roll of that kind uses them up,
    # "stance" an all-out stance, and "aim" the rounds of aiming.

    def left_for(self, kind: str) -> Parts:
        """The parts that earlier rolls left for the next attack or defense roll."""
        return tuple(Part(row["name"], row["value"]) for row in self.next.get(kind) or ())

    def leave(self, kind: str, name: str, value: int) -> None:
        """Add a part to the next roll of a kind, unless its value is 0."""
        if value:
            rows = [*(self.next.get(kind) or []), {"name": name, "value": value}]
            self.next = {**self.next, kind: rows}

    def use_up(self, kind: str, put: int) -> None:
        """Clear the parts left for a roll of a kind, and take the traded points off the other kind.

        toaster.4.stance-1-2.
        """
        if self.next.get(kind):
            self.next = {**self.next, kind: []}
        self.leave(OTHER[kind], TRADES[kind], -put)

    @property
    def all_out(self) -> Row:
        """The all-out stance, {"kind": the favored kind, "left": actions}, or {}.

        "attack" gives up defending, "defence" gives up attacking.
        """
        return self.stance if (self.stance.get("left") or 0) > 0 else {}

    def gives_up(self, kind: str) -> bool:
        """Whether attacks, or defenses, are given up for the other kind."""
        return self.all_out.get("kind") == OTHER[kind]

    def tire(self, actions: int = 1) -> None:
        """Shorten an all-out stance by own actions, whether taken or forgone.

        toaster.4.stance-timing.
        """
        held = self.all_out
        if held and actions:
            self.stance = {**held, "left": max(0, held["left"] - actions)}

    @property
    def stance_words(self) -> list[str]:
        """Stances, parts left by earlier rolls, and aim, for the turn order."""
        found, held = [], self.all_out
        if held:
            found.append(f"all-out {SHOWN[held['kind']]}, {plural(held['left'], 'action')} more")
        for kind, shown in SHOWN.items():
            found += [f"{part.name}: {part.value:+d} {shown}" for part in self.left_for(kind)]
        return [*found, "has taken aim"] if self.aim else found

    # ------------------------------------------------------------ luck and experience

    def pay(self, points: int) -> None:
        """Spend luck points."""
        if points:
            self.luck = self.luck_points - points

    def threw(self, luck: int, on: str) -> None:
        """Record a roll: spend luck, use up a granted last act, note the skill."""
        self.pay(luck)
        self.acted()
        self.note_use(on)

    def note_use(self, on: str) -> None:
        """Note a skill as used in this adventure: "skill:climb" (toaster.2.adv-used-skills)."""
        kind, _, key = on.partition(":")
        if kind == "skill" and key and key not in self.used:
            self.used = [*self.used, key]


toaster: Ruleset[Person, Options] = BOOK.ruleset(Person, Options)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def able(at: Here) -> str | None:
    """Guard for a move that needs a character who can act."""
    return at.me.unable if at.actor.entity else None


def person(at: Here, ident: Json) -> Person:
    """The character with this id. Errors: Unknown."""
    found = at.find(ident)
    if found is None:
        raise Unknown("Somebody of this roll is no longer there.")
    return found


def return_luck(at: Here, when: str) -> None:
    """Restore everybody's luck to its starting value, if the table's option says so.

    `when` is "next-adventure" or "session" (toaster.3.luck-return). A higher value is kept.
    """
    if not at.options.uses_luck or at.options.luck_return != when:
        return
    for one in at.in_play():
        if one.is_known and one.luck_left < one.luck_at_start:
            one.luck = one.luck_at_start


@contextmanager
def in_order(at: Here) -> Iterator[None]:
    """Record the state facts written inside in the order of characters and their facts."""
    before = {*at.changes}
    yield
    written = at.changes.keys() - before
    for who in at.table.entities:
        for key in person(at, who).entity.state:
            path = ("entities", who, "state", key)
            if path in written:
                at.changes[path] = at.changes.pop(path)


# ---------------------------------------------------------------- what comes before time passes


def attack_waits(at: Here, *who: str) -> str | None:
    """The refusal if an attack by one of these characters waits for luck or the GM."""
    for ask in at.table.asks.values():
        roll: Any = ask.preset.get("roll")
        if isinstance(roll, Mapping) and roll.get("attacker") in who:
            return f"An attack of {person(at, roll['attacker']).name}'s is not settled yet."
    return None
