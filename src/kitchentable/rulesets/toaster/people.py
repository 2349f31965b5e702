"""Everybody at a table of Toaster, and the ruleset that their moves belong to."""

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

#: The kinds of roll as they are shown; stored events have the older spelling.
SHOWN = {ATTACK: "attack", DEFENSE: "defense"}
OTHER = {ATTACK: DEFENSE, DEFENSE: ATTACK}
#: What a trade is called that puts something into a roll of a kind.
TRADES = {ATTACK: "offensive stance", DEFENSE: "defensive stance"}
#: What giving up one kind altogether brings to the other, and for how many own actions
#: (toaster.4.stance-3, toaster.4.stance-timing).
ALL_OUT, ALL_OUT_ACTIONS = 3, 2


class Person(Armed):
    """A character, one of the GM's people, or a creature.

    What a person is stands in the classes below: traits, gear, attributes, skills, harm, arms.
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
        """The facts of this one in the fight that is on; {} without one."""
        fight = self.at.fight if self.at is not None else None
        return (fight.place(self) or {}) if fight is not None else {}

    def acted(self) -> None:
        """An action: a granted last act is used up by it."""
        if self.last_act:
            self.last_act = False

    @property
    def luck_points(self) -> int:
        """The luck points that can be spent; 0 at a table without them (toaster.3.luck-limits)."""
        return max(0, self.luck_left) if self.options.luck_points and self.is_known else 0

    @property
    def experience(self) -> Fraction:
        """Experience points that are not spent; halves can be left over."""
        return Fraction(str(self.entity.state.get("xp") or 0))

    @property
    def usable(self) -> frozenset[str]:
        """Skills used in the last adventure or in this one (toaster.2.adv-used-skills)."""
        return frozenset({*self.raisable, *self.used})

    # ------------------------------------------------------------ from one roll to the next
    #
    # A fumble's price and a trade of stances lie in "next" until a roll of the kind uses them up,
    # "stance" has whoever gives up attacking or defending altogether, "aim" the rounds of aiming.

    def left_for(self, kind: str) -> Parts:
        """The parts that earlier rolls have left for the next attack or defense roll."""
        return tuple(Part(row["name"], row["value"]) for row in self.next.get(kind) or ())

    def leave(self, kind: str, name: str, value: int) -> None:
        """Add a part to the next roll of a kind; nothing for a value of 0."""
        if value:
            rows = [*(self.next.get(kind) or []), {"name": name, "value": value}]
            self.next = {**self.next, kind: rows}

    def use_up(self, kind: str, put: int) -> None:
        """Clear the parts left for a roll of a kind; points put into it weigh on the other kind.

        toaster.4.stance-1-2.
        """
        if self.next.get(kind):
            self.next = {**self.next, kind: []}
        self.leave(OTHER[kind], TRADES[kind], -put)

    @property
    def all_out(self) -> Row:
        """The all-out stance, {"kind": what is given all, "left": actions}; {} for none.

        "attack" gives up defending, "defence" gives up attacking.
        """
        return self.stance if (self.stance.get("left") or 0) > 0 else {}

    def gives_up(self, kind: str) -> bool:
        """Whether attacks, or defenses, were given up for the other."""
        return self.all_out.get("kind") == OTHER[kind]

    def tire(self, actions: int = 1) -> None:
        """Actions of one's own, taken or forgone, bring an all-out stance nearer to its end.

        toaster.4.stance-timing.
        """
        held = self.all_out
        if held and actions:
            self.stance = {**held, "left": max(0, held["left"] - actions)}

    @property
    def stance_words(self) -> list[str]:
        """Stances, parts left by earlier rolls, and an aim, as the order of turns shows them."""
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
        """A roll was made: luck is spent, a granted last act and a use of the skill are noted."""
        self.pay(luck)
        self.acted()
        self.note_use(on)

    def note_use(self, on: str) -> None:
        """A skill was used in this adventure: "skill:climb" (toaster.2.adv-used-skills)."""
        kind, _, key = on.partition(":")
        if kind == "skill" and key and key not in self.used:
            self.used = [*self.used, key]


toaster: Ruleset[Person, Options] = BOOK.ruleset(Person, Options)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def able(at: Here) -> str | None:
    """Guards a move that takes somebody who can act."""
    return at.me.unable if at.actor.entity else None


def person(at: Here, ident: Json) -> Person:
    """Somebody who is at the table. Errors: Unknown."""
    found = at.find(ident)
    if found is None:
        raise Unknown("Somebody of this roll is no longer there.")
    return found


def return_luck(at: Here, when: str) -> None:
    """Everybody's luck is as it was at the start, where the table has it come back then.

    `when` is "next-adventure" or "session" (toaster.3.luck-return). Nobody loses what lies above.
    """
    if not at.options.uses_luck or at.options.luck_return != when:
        return
    for one in at.in_play():
        if one.is_known and one.luck_left < one.luck_at_start:
            one.luck = one.luck_at_start


@contextmanager
def in_order(at: Here) -> Iterator[None]:
    """Facts of the state that are written meanwhile are recorded person by person, in its order."""
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
    """A sentence while an attack of one of these people waits for luck or for the GM."""
    for ask in at.table.asks.values():
        roll: Any = ask.preset.get("roll")
        if isinstance(roll, Mapping) and roll.get("attacker") in who:
            return f"An attack of {person(at, roll['attacker']).name}'s is not settled yet."
    return None
