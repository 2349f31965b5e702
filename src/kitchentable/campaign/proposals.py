"""The proposal of a roll: its parties, their fields, and the GM's agreement.

The parties act in order: "actor" (who makes the move), "owner:NAME" for the owner of the entity
picked in the field NAME, and "gm". A party has to act while one of its fields has no answer. The GM
also has to act if a player picked something that needs agreement or, with one setting, on every
roll. Fields of the GM's entities belong to the GM.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.permissions import actor_for
from kitchentable.campaign.questions import ask_until_settled
from kitchentable.campaign.settings import SOLO
from kitchentable.campaign.state import Campaign
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Move
from kitchentable.rules.table import Actor, Seat, Table
from kitchentable.rules.values import EVERYONE, GM, Field, Json

ACTOR = "actor"


@dataclass(frozen=True, slots=True)
class Proposal:
    """The current state of a proposal.

    `starter` is the seat that began it, `for_seat` the owner of the dice (a seat's id or "gm").
    `settled` are the names of answered questions, `spoken` the parties that have answered, `agreed`
    the picks that the GM approved, and `by` the party that set each answer.
    """

    id: str
    move: Move
    entity: str
    starter: str
    for_seat: str
    answers: Mapping[str, Json]
    by: Mapping[str, str]
    hidden: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    spoken: frozenset[str] = frozenset()
    agreed: frozenset[str] = frozenset()
    any_yes: bool = False
    audience: str = EVERYONE
    #: Cache of fields by table, actor and answers, because forms need them many times. Copies of
    #: this proposal share it.
    asked: dict[tuple[int, Actor, str], tuple[Table, tuple[Field, ...]]] = dataclasses.field(
        default_factory=dict, repr=False, compare=False
    )

    def actor(self, table: Table) -> Actor:
        """Return the actor of the move, for the game."""
        if self.for_seat == GM:
            return Actor(self.starter, GM, self.entity, hidden=self.hidden)
        seat = table.seats.get(self.for_seat)
        if seat is None:
            return Actor(self.for_seat, "player", self.entity, hidden=self.hidden)
        return actor_for(seat, self.entity, hidden=self.hidden)

    def fields(self, table: Table) -> tuple[Field, ...]:
        """Return the fields of the move for the answers so far; none if its entity is gone."""
        if self.entity and self.entity not in table.entities:
            return ()
        actor = self.actor(table)
        key = id(table), actor, repr(self.answers)
        if key not in self.asked:
            # The table is kept too, so that its id is not reused.
            self.asked[key] = table, self.move.fields(table, actor, self.answers)
        return self.asked[key][1]


def opened_by_hidden(
    move: Move, table: Table, actor: Actor, answers: Mapping[str, Json]
) -> frozenset[str]:
    """Return the fields that exist only because of a hidden answer and would reveal it."""
    told = {name: value for name, value in answers.items() if name not in actor.hidden}
    asked = {field.name for field in move.fields(table, actor, told)}
    fields = move.fields(table, actor, answers)
    return frozenset(field.name for field in fields if field.name not in asked)


def read_proposal(game: Game, proposal: str, plain: Mapping[str, Any]) -> Proposal:
    """Read a proposal from plain data."""
    return Proposal(
        id=proposal,
        move=game.move(plain["move"]),
        entity=plain["entity"],
        starter=plain["seat"],
        for_seat=plain["for"],
        answers=plain["answers"],
        by=plain["by"],
        hidden=frozenset(plain["hidden"]),
        settled=frozenset(plain["settled"]),
        spoken=frozenset(plain["spoken"]),
        agreed=frozenset(plain["agreed"]),
        any_yes=plain["any_yes"],
        audience=plain["audience"],
    )


def plain_proposal(proposal: Proposal) -> dict[str, Any]:
    """Return a proposal as plain data."""
    return {
        "move": proposal.move.name,
        "entity": proposal.entity,
        "seat": proposal.starter,
        "for": proposal.for_seat,
        "answers": dict(proposal.answers),
        "by": dict(proposal.by),
        "hidden": sorted(proposal.hidden),
        "settled": sorted(proposal.settled),
        "spoken": sorted(proposal.spoken),
        "agreed": sorted(proposal.agreed),
        "any_yes": proposal.any_yes,
        "audience": proposal.audience,
    }


def proposals(campaign: Campaign, game: Game) -> Iterator[Proposal]:
    """Yield the open proposals, oldest first.

    A proposal about a move that this version of the game lacks is left out until the move
    exists.
    """
    return (
        read_proposal(game, pid, one)
        for pid, one in campaign.tree["proposals"].items()
        if game.has_move(one["move"])
    )


def asked_of_player(fields: tuple[Field, ...], table: Table) -> tuple[Field, ...]:
    """Return the fields of a roll that its player fills in; without a GM, the GM's as well."""
    parties = {ACTOR, GM} if table.alone else {ACTOR}
    return tuple(field for field in fields if field.set_by in parties)


def asked_of_gm(
    fields: tuple[Field, ...], table: Table, me: Seat, entity: str, answers: Mapping[str, Any]
) -> tuple[Field, ...]:
    """Return the fields for a roll begun by the GM, without picks reserved for others.

    The GM can strike out such a pick, for example of a perk, but not make it.
    """

    def is_others(field: Field) -> bool:
        picked = answers.get(field.set_by.removeprefix("owner:"), "")
        one = table.entities.get(entity if field.set_by == ACTOR else str(picked))
        return one is not None and one.owner not in {GM, me.id}

    return tuple(field for field in fields if not (field.veto_only and is_others(field)))


def party_of(proposal: Proposal, table: Table, field: Field) -> str:
    """Return the party of a field: "actor", "owner:NAME" or "gm"; "gm" for the GM's entities."""
    if field.set_by != GM and whose(proposal, table, field.set_by) == GM:
        return GM
    return field.set_by


def whose(proposal: Proposal, table: Table, party: str) -> str:
    """Return the seat of a party, or "gm"; "" while no entity has been picked."""
    if party == GM:
        return proposal.for_seat if table.alone else GM
    if party == ACTOR:
        return proposal.for_seat
    picked = table.entities.get(str(proposal.answers.get(party.removeprefix("owner:"), "")))
    return picked.owner if picked is not None else ""


def is_pick(proposal: Proposal, field: Field) -> bool:
    """Whether a player's pick in this field needs the GM's agreement."""
    value = proposal.answers.get(field.name)
    return field.needs_yes and proposal.by.get(field.name, GM) != GM and bool(value)


def may_stand(field: Field) -> bool:
    """Whether a field may keep its default.

    >>> may_stand(Field("number", "Number", "number")), may_stand(Field("n", "N", default=11))
    (False, True)
    """
    return not field.required or not (field.default is None or field.default == "")


def waits_on(proposal: Proposal, table: Table, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the parties that have yet to act, in order; none if the dice may be thrown."""
    fields = proposal.fields(table)
    parties = {field.name: party_of(proposal, table, field) for field in fields}
    waiting = [ACTOR] if ACTOR not in proposal.spoken and proposal.for_seat != GM else []
    for field in fields:
        party = parties[field.name]
        if party != GM and field.name not in proposal.settled and whose(proposal, table, party):
            waiting.append(party)
    if _waits_on_gm(proposal, fields, parties, settings):
        waiting.append(GM)
    return tuple(dict.fromkeys(waiting))


def _waits_on_gm(
    proposal: Proposal,
    fields: tuple[Field, ...],
    parties: Mapping[str, str],
    settings: Mapping[str, Any],
) -> bool:
    open_fields = [f for f in fields if parties[f.name] == GM and f.name not in proposal.settled]
    if settings.get("gm_confirms") in {"trust", SOLO}:
        return not all(map(may_stand, open_fields))
    picks = any(is_pick(proposal, field) and field.name not in proposal.agreed for field in fields)
    return GM not in proposal.spoken or bool(open_fields) or (picks and not proposal.any_yes)


def all_parties(proposal: Proposal, table: Table) -> frozenset[str]:
    """Return the parties of a proposal."""
    return frozenset({ACTOR, GM, *(field.set_by for field in proposal.fields(table))})


def parties_of(proposal: Proposal, table: Table, seat: Seat) -> frozenset[str]:
    """Return the parties of a seat in a proposal, including "gm" for the GM and co-GMs."""
    speaks_as = {seat.id, GM} if is_gm(seat) else {seat.id}
    parties = all_parties(proposal, table)
    return frozenset(party for party in parties if whose(proposal, table, party) in speaks_as)


def with_defaults(proposal: Proposal, table: Table) -> Proposal:
    """Return the proposal with open fields at their defaults, hidden if the field says so."""

    def fill(proposal: Proposal) -> Proposal:
        left = [field for field in proposal.fields(table) if field.name not in proposal.answers]
        if not left:
            return proposal
        return replace(
            proposal,
            answers={**proposal.answers, **{field.name: field.default for field in left}},
            hidden=proposal.hidden | {field.name for field in left if field.hidden},
        )

    return ask_until_settled(proposal.move.title, proposal, fill)
