"""The proposal of a roll, step by step: propose, settle, decline, withdraw, throw."""

from __future__ import annotations

from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.commands import Decline, Propose, Settle, Throw, Withdraw
from kitchentable.campaign.concealment import knows_of
from kitchentable.campaign.decide.bounds import LONGEST_REASON, a_text
from kitchentable.campaign.decide.context import Context, audience_for
from kitchentable.campaign.decide.entry import check_may_make, check_typed, chosen_audience
from kitchentable.campaign.decide.rolls import (
    Play,
    answers_in_words,
    check_answers,
    check_when,
    entities_in,
    find_move,
    play,
)
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.proposals import (
    Proposal,
    parties_of,
    plain_proposal,
    proposals,
    waits_on,
    whose,
    with_defaults,
)
from kitchentable.campaign.questions import check_problems
from kitchentable.campaign.settlement import Part, take_part
from kitchentable.rules.forms import read_answers
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Table, fresh
from kitchentable.rules.values import GM

_MOST = 40


def propose(context: Context, command: Propose) -> Event:
    """Begin a proposal; throw at once if the command says so and nobody else takes part."""
    check_typed(context, command.faces)
    proposal = _begin(context, command)
    waiting = waits_on(proposal, context.table, context.campaign.settings)
    if command.throw and not waiting:
        return _throw_proposal(context, proposal)
    if len(context.campaign.tree["proposals"]) >= _MOST:
        raise CannotBe("Too many rolls are open. Finish one of them first.")
    return _event(context, "proposed", proposal)


def _begin(context: Context, command: Propose) -> Proposal:
    """Return the new proposal of a command. Errors: as for a move, and as `take_part`."""
    move = find_move(context.game, command.move)
    if not move.converses:
        raise CannotBe(
            f"{move.title} takes effect at once and cannot be proposed. Make the move.",
            code="move/no-conversation",
        )
    entity = check_may_make(context, move, command.entity)
    if command.any_yes and not context.by_gm:
        raise NotAllowed("Only the GM can approve a roll in advance.")
    owner = entity.owner if entity is not None else (GM if context.by_gm else context.me.id)
    proposal = Proposal(
        id=fresh(context.table, "roll"),
        move=move,
        entity=entity.id if entity is not None else "",
        starter=context.me.id,
        for_seat=owner,
        answers={},
        by={},
        any_yes=command.any_yes,
        audience=audience_for(entity, chosen_audience(context, command.audience)),
    )
    check_when(context.table, move, proposal.actor(context.table))
    part = Part(context.me, command.answers, command.hidden, command.shown)
    return _checked(context, take_part(proposal, context.table, part))


def settle(context: Context, command: Settle) -> Event:
    """Set a party's fields, or change them, before the dice are thrown."""
    proposal = _live_proposal(context, command.proposal)
    if not context.by_gm and not parties_of(proposal, context.table, context.me):
        raise NotAllowed("You have nothing to set in this roll.", code="proposal/nothing-to-settle")
    part = Part(context.me, command.answers, command.hidden, command.shown, command.stands_in)
    return _event(context, "settled", _checked(context, take_part(proposal, context.table, part)))


def decline(context: Context, command: Decline) -> Event:
    """Decide without a roll, as the GM."""
    proposal = find_proposal(context, command.proposal)
    if command.verdict not in {"success", "failure", "no"}:
        raise CannotBe('Without a roll the result must be "success", "failure" or "no".')
    note = a_text(command.note, "A note", LONGEST_REASON, required=False)
    return _end(context, "declined", proposal, verdict=command.verdict, note=note)


def withdraw(context: Context, command: Withdraw) -> Event:
    """Withdraw a proposal, as its starter or the GM."""
    proposal = find_proposal(context, command.proposal)
    if not context.by_gm and proposal.starter != context.me.id:
        raise NotAllowed("Only the person who proposed this roll can take it back.")
    return _end(context, "withdrawn", proposal)


def throw(context: Context, command: Throw) -> Event:
    """Throw the dice of a proposal; the GM may throw for a player who is away."""
    check_typed(context, command.faces)
    proposal = _live_proposal(context, command.proposal)
    if not context.by_gm and proposal.for_seat != context.me.id:
        raise NotAllowed(
            "These dice belong to somebody else. Wait for that person, or ask the GM to roll."
        )
    waiting = waits_on(proposal, context.table, context.campaign.settings)
    if waiting:
        names = ", ".join(party_name(context, proposal, party) for party in waiting)
        raise CannotBe(f"The dice wait for {names}.", code="proposal/waits")
    before = (Change(("proposals", proposal.id), gone=True),)
    return _throw_proposal(context, proposal, before)


def _throw_proposal(context: Context, proposal: Proposal, before: tuple[Change, ...] = ()) -> Event:
    """Throw the dice of a proposal, and record the consequences."""
    proposal = with_defaults(proposal, context.table)
    answers, problems = read_answers(proposal.fields(context.table), proposal.answers)
    check_problems(problems)
    entity = context.table.entities.get(proposal.entity)
    made = Play(
        proposal.move,
        proposal.actor(context.table),
        answers,
        audience_for(entity, proposal.audience),
        before,
        {"proposal": proposal.id, "by": dict(proposal.by)},
    )
    return play(context, "move", made)


def find_proposal(context: Context, wanted: str) -> Proposal:
    """A proposal that the sender knows of. Errors: CannotBe."""
    for proposal in proposals(context.campaign, context.game):
        if proposal.id == wanted and (
            sees(proposal.audience, context.me) or parties_of(proposal, context.table, context.me)
        ):
            return proposal
    raise CannotBe("This roll is no longer open.", code="proposal/unknown")


def _live_proposal(context: Context, wanted: str) -> Proposal:
    """Find a proposal with its actor still in play. Errors: CannotBe."""
    proposal = find_proposal(context, wanted)
    if proposal.entity:
        one = context.table.entities.get(proposal.entity)
        if one is None or one.stage != "play":
            raise CannotBe(
                "The character who was going to roll is no longer in play. Withdraw the roll.",
                code="move/needs-entity",
            )
    return proposal


def party_name(context: Context, proposal: Proposal, party: str) -> str:
    """The name of the person who acts for a party."""
    seat = context.table.seats.get(whose(proposal, context.table, party))
    return seat.name if seat is not None else "the GM"


def _checked(context: Context, proposal: Proposal) -> Proposal:
    """Refuse a proposal that could not be thrown later, or that would reveal a secret."""
    table = context.table
    waiting = waits_on(proposal, table, context.campaign.settings)
    full = with_defaults(proposal, table)
    check_answers(table, proposal.move, full.actor(table), full.answers, only_final=bool(waiting))
    players = {proposal.for_seat, *(whose(proposal, table, party) for party in waiting)} - {GM, ""}
    if players and not _known_to(table, proposal, players):
        raise CannotBe(
            "A player takes part in this roll, so it cannot be hidden from them. Show the "
            "hidden characters in it first, or answer for the player."
        )
    return proposal


def _known_to(table: Table, proposal: Proposal, players: set[str]) -> bool:
    """Whether these players may know of the roll and of everybody in it."""
    named = [proposal.entity, *entities_in(proposal.fields(table), proposal.answers)]
    people = [table.entities[one] for one in named if one in table.entities]
    seats = [table.seats[player] for player in players if player in table.seats]
    return all(
        (proposal.audience != GM or is_gm(seat)) and all(knows_of(seat, one) for one in people)
        for seat in seats
    )


def _event(context: Context, kind: str, proposal: Proposal) -> Event:
    data = _data(context, proposal) | {
        "told": answers_in_words(
            context, proposal.move, proposal.actor(context.table), proposal.answers
        ),
        "waits": [
            party_name(context, proposal, party)
            for party in waits_on(proposal, context.table, context.campaign.settings)
        ],
        "request": context.by_gm and proposal.for_seat not in {GM, context.me.id},
    }
    path = ("proposals", proposal.id)
    return context.event(
        kind,
        [Change(path, plain_proposal(proposal))],
        data=data,
        audience=_audience(context, proposal),
    )


def _end(context: Context, kind: str, proposal: Proposal, **more: str) -> Event:
    data = _data(context, proposal) | more
    change = Change(("proposals", proposal.id), gone=True)
    return context.event(kind, [change], data=data, audience=_audience(context, proposal))


def _data(context: Context, proposal: Proposal) -> dict[str, object]:
    entity = context.table.entities.get(proposal.entity)
    return {
        "proposal": proposal.id,
        "move": proposal.move.name,
        "title": proposal.move.title,
        "entity": proposal.entity,
        "entity_name": entity.name if entity is not None else "",
        "for": proposal.for_seat,
    }


def _audience(context: Context, proposal: Proposal) -> str:
    return audience_for(context.table.entities.get(proposal.entity), proposal.audience)
