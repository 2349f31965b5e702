"""Check of an imported campaign: its table and its log are shown once before import."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from kitchentable.app.held import event_of
from kitchentable.app.table import no_odds
from kitchentable.campaign.audiences import LogReader, known_as
from kitchentable.campaign.decide.tellable import FAULTS, check_tellable
from kitchentable.campaign.entries import read_entry
from kitchentable.campaign.state import Campaign, evolve
from kitchentable.campaign.views import view_for
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules import registry
from kitchentable.rules.game import Game
from kitchentable.rules.people import listed
from kitchentable.store import Row


class CannotBePlayed(BadInput):
    """An imported campaign cannot be read, or its game is not installed."""

    code = "import/cannot-be-played"


def check_playable(rows: Iterable[Row], game_of: Callable[[Campaign], Game]) -> None:
    """Read a campaign as this server would, and show its table and its log once.

    `game_of` finds the game of a campaign. Errors: CannotBePlayed.
    """
    state: Campaign | None = None
    number = 0
    try:
        for row in rows:
            number = row.number
            state = evolve(state, event_of(row))
        if state is None:
            raise CannotBePlayed("This file has no campaign: its journal is empty.")
        game, version = game_of(state), str(state.tree["game_version"])
        if game.name not in registry.names() and game.version != version:
            raise CannotBePlayed(
                f"That campaign cannot be played here: it plays {game.title} in version {version}, "
                f"and this server has only {game.version}. The host adds that version with: "
                "kitchentable add-game"
            )
        known = {kind.key for kind in game.sheet.kinds(state.table)}
        there = {one.kind for one in state.table.entities.values()}
        if there and not there & known:
            raise CannotBePlayed(
                f"That campaign cannot be played here: the game {game.name!r} of this server, "
                f"{game.title}, is another one of that name. It has no {listed(sorted(there))}."
            )
        check_tellable(state, game, ())
        # The GM reads all that anybody does.
        view_for(state, game, state.table.gm.id, solver=partial(no_odds, ""))
        reader = LogReader(known_as(state.table.gm))
        for event in state.events:
            number = event.number
            read_entry(state, event, reader)
    except CannotBePlayed:
        raise
    except KitchenTableError as error:
        raise CannotBePlayed(f"That campaign cannot be played here: {error}") from error
    except (*FAULTS, RecursionError) as error:
        raise CannotBePlayed(
            f"That campaign cannot be played here: entry {number} of its journal holds what no "
            "version of Kitchen Table wrote. Export it again from the server it comes from."
        ) from error
