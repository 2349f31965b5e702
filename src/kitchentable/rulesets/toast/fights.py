"""Fights: rolls for the turn order, and substitutes for missing fight traits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from kitchentable.rules import GM, Part, Side, Track
from kitchentable.rules.kit import (
    Each,
    Form,
    Roll,
    Rounds,
    Row,
    Throw,
    fight_moves,
    needs,
    pick,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.mechanics import Initiative
from kitchentable.rulesets.toast.options import BOOK, NONE, ROLES, Options
from kitchentable.rulesets.toast.people import (
    At,
    Effort,
    Here,
    Person,
    awake,
    find,
    perk_of,
    player_of,
    role,
    toast,
    trait_choices,
)
from kitchentable.rulesets.toast.rolls import INITIATIVE
from kitchentable.rulesets.toast.twists import tell_twist

ROLE_NAMES = {one.key: one.name for one in Options({}).traits if one.key in ROLES}
ROLES_ASK = "fight-roles"
OF_ALL, TIE = Roll(mechanics.initiative_of_all), Roll(mechanics.initiative_tie_told)

# ---------------------------------------------------------------- stand-ins for fight traits


def missing(at: Here) -> list[str]:
    """The roles in fights without a trait at this table (toast.3-list-combat-roles)."""
    return [part for part in ROLES if player_of(at, part) is None]


class RolesForm(Form):
    role = Each(
        lambda at: [(one, one) for one in missing(at)],
        lambda one: pick(
            f"Instead of {ROLE_NAMES[one]}",
            lambda at: trait_choices(None, [*at.options.traits, NONE]),
            rule="toast.3-list-combat-roles",
        ),
        "_",
    )


def take_roles(at: Here) -> None:
    """Store the chosen substitutes, with a line for each in the log."""
    for part, key in at.form.role.items():
        at.write(("own", "roles", part), key)
        at.say(f"{ROLE_NAMES[part]} is played by {find(at, key).name}.")


@toast.move("roles", when=needs(missing, "Each fight trait is on the list, or has a stand-in."))
def roles(at: At[RolesForm]) -> None:
    take_roles(at)
    at.close(ROLES_ASK)
    at.tell_as("roles", of=())


# ---------------------------------------------------------------- rounds


def _helped(at: Here) -> bool:
    return at.options.initiative_perk


class OwnForm(Form):
    perk = perk_of(when=_helped)


def _helpers(at: Here) -> list[tuple[str, Person]]:
    waiting = at.people(at.fight.to_roll() if at.fight and _helped(at) else ())
    return [(one.id, one) for one in waiting if one.usable_perks()]


class AllForm(Form):
    perk = Each(_helpers, lambda one: perk_of(lambda at: one, f"Perk of {one.name}"))


class Fight(Rounds[Person]):
    """Toast's rounds; characters who are down have no turns (toast.7.3-turn-lost)."""

    RULES: ClassVar[Row] = BOOK.tables["fight"]
    ORDER = "Initiative"
    BEGIN_FORM, ROLL_FORM, ROLL_ALL_FORM = RolesForm, OwnForm, AllForm

    @property
    def actions(self) -> int:
        return int(self.at.options.actions_per_turn)

    @property
    def anew(self) -> bool:
        return bool(self.at.options.initiative_each_round)

    @property
    def hint(self) -> str:
        return str(self.at.options.move_hint)

    @classmethod
    def able(cls, at: Any) -> list[Person]:
        return [one for one in at.present() if one.is_awake]

    def begun(self) -> None:
        take_roles(self.at)

    def _effort(self, one: Person) -> Effort:
        name = "perk" if one.id == self.at.actor.entity else f"perk.{one.id}"
        perk = str(self.at.answers.get(name) or "")
        return Effort(self.at, one, role(self.at, "initiative"), perk)

    def throw(self, one: Person) -> Throw[Any]:
        return INITIATIVE(*self._effort(one).numbers, one.id)

    def throw_all(self, people: Sequence[Person]) -> Throw[Any]:
        return OF_ALL(tuple((one.id, *self._effort(one).numbers) for one in people))

    def throw_tie(self, people: Sequence[Person]) -> Throw[Any]:
        return TIE(tuple((one.id, self._effort(one).level, False) for one in people))

    def fell(self, one: Person, outcome: Initiative) -> Side:
        """Record an initiative result: a kick counts as 12, a flub costs the turn.

        toast.7.1-init-flub.
        """
        may_move = self.at.options.initiative_flub_moves
        self.rolled(one, outcome.number, outcome.special, idle="waiting" if may_move else "idle")
        self._effort(one).note()
        if outcome.special:
            tell_twist(self.at, f"initiative-{outcome.special}", one)
        if outcome.number is None:
            rest = "can only move" if may_move else "does not act"
            self.at.say(f"{one.name} flubbed and {rest} this round.", one.card_audience)
        return self._side(one, outcome)

    def untied(self, people: Sequence[Person], outcome: Any) -> tuple[list[str], list[Side]]:
        sides = [self._side(one, each) for who, each in outcome if (one := self.at.find(who))]
        return [who for who, _ in outcome], sides

    def _side(self, one: Person, outcome: Initiative) -> Side:
        kick = (Part("the kick", 12),) if outcome.special == "kick" else ()
        side = self._effort(one).side(one.id, outcome.number, outcome.special, *kick)
        return replace(side, audience=GM, unseen=True) if one.hidden else side

    def tone(self, words: set[str]) -> str:
        return "splendid" if "kick" in words else "bad" if words == {"flub"} else "plain"

    def status(self, one: Person) -> tuple[str, str]:
        return one.status

    def track(self, one: Person) -> Track | None:
        return one.track if one.is_known else None

    def notes(self) -> Iterable[str]:
        yield self.at.options.house_rules
        yield f"A short way: {self.hint}." if self.hint else ""


FIGHT = fight_moves(toast, Fight, awake, "Die and Initiative: the highest number acts first.")
