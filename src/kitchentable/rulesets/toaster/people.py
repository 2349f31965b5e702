"""Everybody at a table of Toaster: what stands on the sheet, what play has done, what is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Change, Entity, Json, kit
from kitchentable.rules.kit import Being, Fact, Form, Ruleset, Unknown, state
from kitchentable.rulesets.toaster.book import CARD_WORDS, MOVE_WORDS, Parts, Row
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.lens import Skill, Weapon
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.options import Options


class Person(Being):
    """A character, one of the GM's people, or a creature."""

    stun = state(0)
    wound_rows: Fact[list[Any]] = state([], "wounds")
    condition = state(harm.AWAKE)
    luck = state(0)
    used: Fact[list[str]] = state([])
    raisable: Fact[list[str]] = state([])
    effects: Fact[list[Any]] = state([])
    last_act = state(default=False)
    senseless = state(default=False)
    mortality: Fact[Row] = state({})
    bleeding: Fact[Row] = state({})
    care: Fact[Row] = state({})
    dropped: Fact[Row] = state({})
    stance: Fact[Row] = state({})
    next: Fact[Row] = state({})
    aim = state(0)

    @property
    def now(self) -> Entity:
        """The entity with everything that this move has written so far."""
        if self.at is None or not self.at.changes:
            return self.entity
        sheet, state = dict(self.entity.sheet), dict(self.entity.state)
        parts = {"sheet": sheet, "state": state}
        found = False
        for path, change in self.at.changes.items():
            if path[:2] == ("entities", self.id) and len(path) == 4 and path[2] in parts:
                found = True
                parts[path[2]][path[3]] = change.now
        return replace(self.entity, sheet=sheet, state=state) if found else self.entity

    def become(self, after: Entity) -> None:
        """Every fact of the state that differs in `after` is written."""
        before = self.now.state
        for key, value in after.state.items():
            if key not in before or before[key] != value:
                self.write("state", key, now=value)

    def put(self, **facts: Json) -> None:
        """Facts of the state become others; those that are so already are left."""
        self.become(harm.become(self.now, **facts))

    # ------------------------------------------------------------ what is known

    @property
    def is_known(self) -> bool:
        """Whether the numbers are there; a player's table has none of a closed foe."""
        return lens.numbers_known(self.entity)

    def check_known(self) -> None:
        """Errors: Unknown, for a closed foe on a player's table."""
        if not self.is_known:
            raise Unknown(f"{self.name}'s numbers are the GM's.")

    @property
    def is_named(self) -> bool:
        """Whether this one has a name in the story (toaster.4.unnamed-out)."""
        return lens.is_named(self.entity)

    # ------------------------------------------------------------ the sheet

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The skills that were learned, and those that packages give."""
        return lens.skills(self.table, self.entity)

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        """The weapons on the sheet, fists among them."""
        return lens.weapons(self.table, self.entity)

    def attribute(self, key: str, aspect: str = "") -> int:
        """The rank of an attribute, or of a part of it."""
        return lens.attribute(self.table, self.entity, key, aspect)

    def attribute_for(self, use: str) -> int:
        """The rank of the attribute that a rule reads: "luck", "health", "will"."""
        return lens.attribute_for(self.table, self.entity, use)

    def rank(self, key: str, leaning: str = "", specialty: str = "") -> int:
        """The rank of a skill, learned or not (toaster.2.skill-rank-average)."""
        return lens.skill_rank(self.table, self.entity, key, leaning, specialty)

    def skill(self, key: str) -> Skill:
        """A skill, at base 0 where it was never learned."""
        return lens.find_skill(self.table, self.now, key)

    def base(self, key: str) -> int:
        """The base of a skill; 0 for one that was never learned."""
        return lens.skill_base(self.table, self.entity, key)

    # ------------------------------------------------------------ harm and luck

    @property
    def wounds(self) -> int:
        """Wounds taken and not yet healed."""
        return harm.wounds(self.now)

    @property
    def is_awake(self) -> bool:
        """Whether this one is on their feet and able to act as ever."""
        return harm.is_awake(self.now)

    def modifiers(self, kind: str = "skill", *, mental: bool = False) -> Parts:
        """Everything that harm adds to an action, by name; see `harm.state.modifiers`."""
        return harm.modifiers(self.table, self.now, kind, mental=mental)

    @property
    def unable(self) -> str | None:
        """Why this one cannot act; None where they can (toaster.4.mortal-last-act)."""
        return harm.can_act(self.table, self.now)

    def acted(self) -> None:
        """An action: a granted last act is used up by it."""
        if self.last_act:
            self.last_act = False

    @property
    def luck_points(self) -> int:
        """The luck points that can be spent; 0 at a table without them (toaster.3.luck-limits)."""
        return max(0, self.luck) if Options(self.table.options).luck_points else 0

    @property
    def luck_at_start(self) -> int:
        """The luck that this one began with (toaster.3.luck-start)."""
        return lens.luck_at_start(self.table, self.entity)

    @property
    def luck_left(self) -> int:
        """The luck there is, as points or as what luck rolls have left."""
        return lens.luck_left(self.table, self.now)

    @property
    def experience(self) -> Fraction:
        """Experience points that are not spent; halves can be left over."""
        return Fraction(str(self.now.state.get("xp") or 0))

    @property
    def usable(self) -> frozenset[str]:
        """Skills used in the last adventure or in this one (toaster.2.adv-used-skills)."""
        return frozenset({*self.raisable, *self.used})

    def pay(self, points: int) -> None:
        """So many luck points are spent."""
        if points:
            self.luck = self.luck_points - points

    def note_use(self, on: str) -> None:
        """A skill was used in this adventure: "skill:climb" (toaster.2.adv-used-skills)."""
        kind, _, key = on.partition(":")
        if kind == "skill" and key and key not in self.used:
            self.used = [*self.used, key]


toaster: Ruleset[Person, Options] = Ruleset(Person, Options, MOVE_WORDS, CARD_WORDS)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def present(at: Here) -> list[Person]:
    """Everybody in play who is not dead."""
    people = [at.find(one.id) for one in at.table.in_play()]
    return [one for one in people if one is not None and one.condition != harm.DEAD]


def others(at: Here) -> list[Person]:
    """Everybody else who is not dead and of whom the actor knows."""
    me = at.actor.entity
    return [one for one in present(at) if one.id != me and (at.is_gm or not one.hidden)]


def able(at: Here) -> str | None:
    """Guards a move that takes somebody who can act."""
    return at.me.unable if at.actor.entity else None


def write_all(at: Here, changes: Iterable[Change]) -> None:
    """Writes facts that were worked out apart from the move."""
    for one in changes:
        at.write(one.path, one.now, gone=one.gone)


def person(at: Here, ident: Json) -> Person:
    """Somebody who is at the table. Errors: Unknown."""
    found = at.find(ident)
    if found is None:
        raise Unknown("Somebody of this roll is no longer there.")
    return found
