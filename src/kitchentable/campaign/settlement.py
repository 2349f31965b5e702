"""One party's answers in the proposal of a roll, and their effects on other parties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.concealment import known_choices
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.proposals import (
    Proposal,
    all_parties,
    is_pick,
    opened_by_hidden,
    parties_of,
    party_of,
)
from kitchentable.campaign.questions import ask_until_settled
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import is_blank, missing, no_question, read_answers
from kitchentable.rules.table import Seat, Table
from kitchentable.rules.values import GM, Field, Json, Problem


@dataclass(frozen=True, slots=True)
class Part:
    """One seat's answers in a proposal.

    `raw` is the submitted form. Only the GM may hide answers, show answers that are hidden by
    default, and act for absent parties.
    """

    seat: Seat
    raw: Mapping[str, Any]
    hidden: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    stands_in: tuple[str, ...] = ()

    @property
    def gm(self) -> bool:
        """Whether the answers are the GM's or a co-GM's."""
        return is_gm(self.seat)


def take_part(proposal: Proposal, table: Table, part: Part) -> Proposal:
    """Return the proposal after a party has answered.

    Errors: NotAllowed for answers that belong to somebody else, BadAnswers for invalid or unknown
    ones.
    """
    if not part.gm and (part.hidden or part.shown or part.stands_in):
        raise NotAllowed("Only the GM can hide an answer or answer for others.")
    before = proposal
    proposal = _read(proposal, table, part)
    parties = parties_of(proposal, table, part.seat) | frozenset(part.stands_in)
    proposal, own = _complete(proposal, table, parties)
    proposal = replace(
        proposal,
        settled=proposal.settled | own,
        spoken=(proposal.spoken | parties) & all_parties(proposal, table),
    )
    return _agree(before, proposal, table, part)


def _read(proposal: Proposal, table: Table, part: Part) -> Proposal:
    """Read the form, again if an answer opened further questions or choices."""
    read: set[str] = set()

    def take_in(proposal: Proposal) -> Proposal:
        fields = known_choices(table, part.seat, _asked_of(proposal, table, part))
        given = [field for field in fields if field.name not in read and _of(field, part.raw)]
        before, problems = proposal, list[Problem]()
        for field in given:
            if _is_anothers(proposal, table, part, field):
                read.add(field.name)
                continue
            value, wrong = read_answers((field,), _of(field, part.raw), fill=False)
            refused = [problem for problem in wrong if problem.refuses]
            problems += refused
            if not refused:
                read.add(field.name)
                proposal = _set(proposal, table, part, field, value[field.name])
        if problems and proposal == before:
            raise BadAnswers(tuple(problems))
        return proposal

    proposal = ask_until_settled(proposal.move.title, proposal, take_in)
    fields = _asked_of(proposal, table, part)
    asked = {field.name for field in fields}
    unknown = [name for name in part.raw if asked.isdisjoint({name, name.partition(".")[0]})]
    if unknown:
        raise BadAnswers(tuple(no_question(name, fields) for name in unknown))
    known = {field.name for field in proposal.fields(table)}
    kept = {name: value for name, value in proposal.answers.items() if name in known}
    return replace(
        proposal, answers=kept, settled=proposal.settled & known, hidden=proposal.hidden & known
    )


def _asked_of(proposal: Proposal, table: Table, part: Part) -> tuple[Field, ...]:
    """Return the fields that this seat knows, without those opened by a hidden answer."""
    if part.gm:
        return proposal.fields(table)
    answers = {
        name: value for name, value in proposal.answers.items() if name not in proposal.hidden
    }
    return replace(proposal, answers=answers).fields(table)


def _is_anothers(proposal: Proposal, table: Table, part: Part, field: Field) -> bool:
    """Whether a form repeats another party's answer unchanged. Errors: NotAllowed.

    Anything else is refused unread, with one sentence, because a refusal must not list the contents
    of a closed sheet or confirm a guess at a hidden answer.
    """
    if part.gm or party_of(proposal, table, field) in parties_of(proposal, table, part.seat):
        return False
    stands = proposal.answers.get(field.name) if field.name not in proposal.hidden else None
    if stands is not None and part.raw.get(field.name) == stands:
        return True
    raise NotAllowed(f"You cannot set {field.label} in this roll.")


def _of(field: Field, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's values for one question."""
    if field.kind != "rows":
        return {field.name: raw[field.name]} if field.name in raw else {}
    start = f"{field.name}."
    return {key: one for key, one in raw.items() if key == field.name or key.startswith(start)}


def _set(proposal: Proposal, table: Table, part: Part, field: Field, value: Json) -> Proposal:
    was = proposal.answers.get(field.name)
    if field.name in proposal.answers and was == value:
        return proposal
    anothers = party_of(proposal, table, field) not in parties_of(proposal, table, part.seat)
    chosen = field.veto_only and not is_blank(field, value)
    if anothers and chosen and field.set_by not in part.stands_in:
        raise NotAllowed(
            f"You can strike out {field.label}, but you cannot choose it for somebody else."
        )
    answers = {**proposal.answers, field.name: value}
    settled, spoken = proposal.settled, proposal.spoken
    if field.kind == "entity" and was is not None:
        theirs = f"owner:{field.name}"
        gone = {one.name for one in proposal.fields(table) if one.set_by == theirs}
        answers = {name: one for name, one in answers.items() if name not in gone}
        settled, spoken = settled - gone, spoken - {theirs}
    return replace(
        proposal,
        answers=answers,
        by={**proposal.by, field.name: GM if part.gm else part.seat.id},
        settled=settled,
        spoken=spoken,
        agreed=proposal.agreed - {field.name},
    )


def _complete(
    proposal: Proposal, table: Table, parties: frozenset[str]
) -> tuple[Proposal, frozenset[str]]:
    """Return the proposal with every field of these parties answered, with defaults if needed."""

    def own(proposal: Proposal) -> list[Field]:
        return [
            field for field in proposal.fields(table) if party_of(proposal, table, field) in parties
        ]

    def fill(proposal: Proposal) -> Proposal:
        left = [field for field in own(proposal) if field.name not in proposal.answers]
        unanswered = tuple(
            missing(field) for field in left if field.required and is_blank(field, field.default)
        )
        if unanswered:
            raise BadAnswers(unanswered)
        filled = {field.name: field.default for field in left}
        return replace(proposal, answers={**proposal.answers, **filled}) if left else proposal

    proposal = ask_until_settled(proposal.move.title, proposal, fill)
    return proposal, frozenset(field.name for field in own(proposal))


def _hide_what_follows(
    proposal: Proposal, table: Table, before: Mapping[str, Field], part: Part
) -> Proposal:
    """Hide the GM's questions that exist, or are hidden, only because of a hidden answer."""

    def hide(proposal: Proposal) -> Proposal:
        opened: frozenset[str] = frozenset()
        if proposal.hidden and (not proposal.entity or proposal.entity in table.entities):
            actor = proposal.actor(table)
            opened = opened_by_hidden(proposal.move, table, actor, proposal.answers)
        follow = {
            field.name
            for field in proposal.fields(table)
            if field.name in opened
            or (field.hidden and not (field.name in before and before[field.name].hidden))
            if field.name not in part.shown and party_of(proposal, table, field) == GM
        }
        return replace(proposal, hidden=proposal.hidden | follow)

    return ask_until_settled(proposal.move.title, proposal, hide)


def _gm_chose(proposal: Proposal, field: Field) -> bool:
    """Whether the GM set this field to a value other than its default."""
    return proposal.by.get(field.name) == GM and proposal.answers.get(field.name) != field.default


def _agree(before: Proposal, proposal: Proposal, table: Table, part: Part) -> Proposal:
    """Update the agreed picks and the hidden answers after a part."""
    fields = {field.name: field for field in proposal.fields(table)}
    if part.gm:
        for name in part.hidden:
            if name not in fields or not (fields[name].hideable or fields[name].hidden):
                raise CannotBe(f"{name} cannot be hidden from the players.")
        fresh = {
            name
            for name, field in fields.items()
            if party_of(proposal, table, field) == GM
            if name not in before.settled or name in part.raw
        }
        kept = (proposal.hidden & fields.keys()) - fresh
        hidden = kept | {name for name in fresh if fields[name].hidden} | {*part.hidden}
        agreed = {name for name, field in fields.items() if is_pick(proposal, field)}
        proposal = replace(
            proposal,
            hidden=frozenset(hidden - {*part.shown}),
            agreed=proposal.agreed | agreed,
        )
        return _hide_what_follows(proposal, table, fields, part)
    changed = {
        name
        for name, value in before.answers.items()
        if proposal.answers.get(name) != value
        if name in before.settled or (name in fields and _gm_chose(before, fields[name]))
    }
    if changed:
        return replace(proposal, spoken=proposal.spoken - {GM})
    return proposal
