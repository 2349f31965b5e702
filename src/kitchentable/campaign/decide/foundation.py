"""The first event of a campaign."""

from __future__ import annotations

from kitchentable.campaign.commands import OpenCampaign
from kitchentable.campaign.decide.bounds import a_name, a_text, an_id, check_size
from kitchentable.campaign.decide.options import read_options, read_settings
from kitchentable.campaign.events import Event, Recorded
from kitchentable.campaign.paths import plain
from kitchentable.campaign.settings import default_settings
from kitchentable.rules.game import Game
from kitchentable.rules.together import check_together
from kitchentable.rules.values import GM, LONGEST_NAME, Json


def open_campaign(game: Game, command: OpenCampaign, now: str) -> Event:
    """Open a campaign: its title, its game with options, and the GM's seat.

    Errors: BadAnswers for invalid options, OptionsExclude for two that exclude each other.
    """
    check_size(command)
    seat = an_id(command.seat) if command.seat else "seat-1"
    name = a_name(command.gm_name)
    title = a_text(command.title, "A title", LONGEST_NAME * 2)
    options = {**game.defaults(), **read_options(game, command.options)}
    check_together(game.options, options)
    tree: dict[str, Json] = {
        "id": an_id(command.campaign),
        "title": title,
        "game": game.name,
        "game_version": game.version,
        "opened": now,
        "options": options,
        "settings": {**default_settings(), **read_settings(command.settings)},
        "seats": {seat: {"name": name, "role": GM, "state": "seated"}},
        "entities": {},
        "session": {"number": 0, "phase": "none", "notes": {}},
        "sessions": {},
        "day": 0,
        "fight": None,
        "asks": {},
        "proposals": {},
        "own": {},
        "notes": {"table": "", "gm": ""},
        "revealed": {},
        "undone": {},
    }
    if command.salt:
        tree["salt"] = an_id(command.salt)
    return Event(
        number=1,
        kind="campaign-opened",
        time=now,
        seat=seat,
        name=name,
        command=command.id,
        game=game.name,
        version=game.version,
        reason=command.reason,
        data={"title": title, "game": game.title},
        changes=tuple(
            Recorded(path=(key,), now=plain(value), new=True) for key, value in tree.items()
        ),
    )
