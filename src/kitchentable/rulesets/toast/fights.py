"""Fights: what Toast throws for the order of a round, and what a flub and a kick do to it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from kitchentable.rules import GM, Part, Side
from kitchentable.rules.kit import Rounds
from kitchentable.rulesets.toast.mechanics import Initiative
from kitchentable.rulesets.toast.people import Effort, Person, role, toast
from kitchentable.rulesets.toast.twists import tell_twist


class Fight(Rounds[Person]):
    """Toast's rounds; who is down has no more turns (toast.7.3-turn-lost)."""

    RULES: ClassVar[dict[str, str]] = {
        "roll": "toast.7-init-roll",
        "order": "toast.7-init-order",
        "no_perk": "toast.7-init-no-perk",
        "tie": "toast.7-init-tie",
        "action": "toast.7-turn-action",
        "move": "toast.7-turn-move",
        "again": "toast.7-round-repeat",
        "end": "toast.7-end",
        "join": "toast.7.3-first-aid-detail",
        "roles": "toast.3-list-combat-roles",
        "flub": "toast.7.1-init-flub",
        "kick": "toast.7.1-init-kick",
    }

    @property
    def actions(self) -> int:
        return int(self.at.options.actions_per_turn)

    @property
    def anew(self) -> bool:
        return bool(self.at.options.initiative_each_round)

    def effort(self, one: Person) -> Effort:
        said = self.at.answers.get("perk" if one.id == self.at.actor.entity else f"perk.{one.id}")
        return Effort(self.at, one, role(self.at, "initiative"), str(said or ""))

    def numbers(self, one: Person) -> tuple[str, int, bool]:
        return (one.id, *self.effort(one).numbers)

    def fell(self, one: Person, thrown: Initiative) -> Side:
        """A kick is a 12; a flub costs the turn, or all but a short way (toast.7.1-init-flub)."""
        may_move = self.at.options.initiative_flub_moves
        self.rolled(one, thrown.number, thrown.special, idle="waiting" if may_move else "idle")
        if thrown.special:
            tell_twist(self.at, f"initiative-{thrown.special}", one)
        if thrown.number is None:
            rest = "can only move" if may_move else "does not act"
            self.at.say(f"{one.name} flubbed and {rest} this round.", one.card_audience)
        self.effort(one).note()
        kick = (Part("the kick", 12),) if thrown.special == "kick" else ()
        side = self.effort(one).side(one.id, thrown.number, thrown.special, *kick)
        return replace(side, audience=GM, unseen=True) if one.hidden else side


toast.rounds = Fight
