"""Starts a planned fight: copies fighters, then makes the game's own move for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kitchentable.campaign.commands import BeginFight
from kitchentable.campaign.decide.bounds import a_name
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.decide.rolls import Play, check_when, find_move, play
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import actor_for
from kitchentable.campaign.questions import check_problems, fill_in
from kitchentable.campaign.state import fields_of, with_changes
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Entity, fresh

#: The move that begins a fight, in every game that has fights.
_FIGHT = "fight"
#: Fighters of one plan, both sides together.
_MOST = 40


def begin_fight(context: Context, command: BeginFight) -> Event:
    """Begin a fight between two sides, in one step that can be undone.

    Naming one of the GM's entities several times adds that many copies.
    """
    if len(command.ours) + len(command.theirs) > _MOST:
        raise CannotBe(f"A fight can have at most {_MOST} fighters.", code="fight/too-many")
    move, actor = find_move(context.game, _FIGHT), actor_for(context.me, "")
    made: dict[str, Entity] = {}
    seen: set[str] = set()
    sides: list[list[str]] = []
    for named in (command.ours, command.theirs):
        side: list[str] = []
        for ident in named:
            one = context.entity(ident)
            if ident in seen:
                one = _another(context, one, made.values())
                made[one.id] = one
            seen.add(ident)
            side.append(one.id)
        sides.append(side)
    before = tuple(Change(("entities", one.id), fields_of(one)) for one in made.values())
    table = with_changes(context.campaign, before).table
    check_when(table, move, actor)
    asked = [one.name for one in move.fields(table, actor, {}) if one.kind == "many"]
    both = sides if len(asked) > 1 else [[*sides[0], *sides[1]]]
    given = dict(zip(asked, both, strict=False))
    form = fill_in(move.title, lambda answers: move.fields(table, actor, answers), given)
    check_problems(form.problems)
    return play(context, "move", Play(move, actor, form.answers, before=before))


def _another(context: Context, like: Entity, made: Iterable[Entity]) -> Entity:
    """Return a copy of an entity: unhurt, with the next free number after its name."""
    if like.is_players:
        raise CannotBe(f"{like.name} is a player's character and can be in a fight only once.")
    others = list(made)
    taken = {one.name for one in (*context.table.entities.values(), *others)}
    number = next(n for n in range(2, len(taken) + 3) if f"{like.name} {n}" not in taken)
    name = a_name(f"{like.name} {number}", "A name with its number")
    ident = fresh(context.table, like.kind, len(others) + 1)
    one = replace(like, id=ident, name=name, state={}, stage="play")
    return replace(one, state=context.game.sheet.start(context.table, one))
