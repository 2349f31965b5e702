"""The view of the whole table for one seat; pages, terminal, feed and API use only this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.fight import fight_for, harm_for
from kitchentable.campaign.permissions import seat_of
from kitchentable.campaign.pictures import backdrop_for, handouts_for, portraits_for
from kitchentable.campaign.queries import moves_for, odds_for, seen_asks, seen_proposals
from kitchentable.campaign.read_models import Quick, View
from kitchentable.campaign.scene import Scene, scene_for
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.throws import Solver, solve
from kitchentable.rules.game import Game
from kitchentable.rules.sheets import Number, Start, Summary, Tag
from kitchentable.rules.table import Entity, Seat, Table
from kitchentable.rules.values import GM

__all__ = ["entry_for", "moves_for", "odds_for", "summary_for", "view_for"]

#: The parts of a summary that may link to another sheet.
Led = TypeVar("Led", Tag, Number)


def view_for(
    campaign: Campaign, game: Game, seat: str, cursor: str = "", solver: Solver = solve
) -> View:
    """Return the current table as a seat sees it; a seat awaiting approval sees only the title.

    `cursor` is the caller's opaque position; `solver` computes the odds of proposed rolls. Errors:
    NotAllowed for a seat that does not exist or has ended.
    """
    me = seat_of(campaign, seat, waiting=True)
    table = conceal(campaign, game, me)
    seated = me.is_seated
    tree = campaign.tree
    notes = {key: text for key, text in tree["notes"].items() if key != GM or is_gm(me)}
    session = {key: one for key, one in tree["session"].items() if key != "notes"}
    handouts = handouts_for(campaign, me)
    summaries = {one.id: summary_for(game, table, one) for one in table.in_play()}
    return View(
        campaign=campaign.id,
        title=campaign.title,
        game=game.name,
        me=me,
        table=table,
        settings=dict(campaign.settings),
        summaries=summaries,
        mine=_mine(table, me),
        proposals=seen_proposals(campaign, game, table, me, solver) if seated else (),
        asks=seen_asks(campaign, game, table, me),
        fight=fight_for(campaign, game, table, me) if seated else None,
        notes=notes if seated else {},
        session=session if seated else {},
        sessions=dict(tree["sessions"]) if seated else {},
        cursor=cursor,
        quick={one.id: quick_of(tree, one.id) for one in _mine(table, me)},
        harm=harm_for(game, table, me, summaries),
        scene=scene_for(tree, table, me) if seated else Scene(),
        portraits=portraits_for(campaign, game, table),
        handouts=handouts,
        backdrop=backdrop_for(campaign, handouts),
    )


def quick_of(tree: Mapping[str, Any], entity: str) -> tuple[Quick, ...]:
    """Return the quick rolls of a character, in the order in which they were saved."""
    return tuple(
        Quick(label, Start(one["move"], tuple(one["answers"].items())))
        for label, one in tree.get("quick", {}).get(entity, {}).items()
    )


def summary_for(game: Game, table: Table, entity: Entity) -> Summary:
    """Return an entity's summary on a seat's table, without links to unknown entities.

    The game makes the texts of chips and numbers from the concealed table.
    """
    found = game.sheet.summary(table, entity)
    return replace(
        found,
        tags=tuple(_known(table, tag) for tag in found.tags),
        numbers=tuple(_known(table, number) for number in found.numbers),
    )


def _known(table: Table, one: Led) -> Led:
    unknown = bool(one.leads_to) and one.leads_to not in table.entities
    return replace(one, leads_to="") if unknown else one


def _mine(table: Table, me: Seat) -> tuple[Entity, ...]:
    own = table.owned_by(me.id)
    return (*own, *table.owned_by(GM)) if is_gm(me) else own
