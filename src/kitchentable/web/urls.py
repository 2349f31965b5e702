"""All addresses of the server by name, for use in templates.

A name may have several shapes; the first one whose parameters are all there is taken. What is left
over becomes the query. The prefix of a sub-path stands before all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

_PARAMETER = re.compile(r"\{(\w+)\}")
#: Ids and places, which is nearly everything that stands in an address, are written as they are.
_PLAIN = re.compile(r"[A-Za-z0-9_~-]+")

#: Where a campaign's pages live: the path that its cookies are limited to.
CAMPAIGN = "/t/{campaign}"


def opens_here_only(link: str) -> bool:
    """Whether a link names this very machine, so that no phone gets anywhere with it.

    >>> [opens_here_only(f"http://{host}/join/k") for host in ("127.0.0.1:8000", "localhost")]
    [True, True]
    >>> [opens_here_only(f"http://{host}/join/k") for host in ("[::1]", "192.168.1.7", "t.example")]
    [True, False, False]
    """
    host = urlsplit(link).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _of_campaign(below: str) -> tuple[str]:
    return (CAMPAIGN + below,)


ROUTES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "home": ("/",),
        "health": ("/health",),
        "live": ("/health/live",),
        "asset": ("/assets/{name}",),
        "cover": ("/covers/{recipe}/{seed}",),
        "theme": ("/theme",),
        "manifest": (CAMPAIGN + "/manifest.webmanifest", "/manifest.webmanifest"),
        "worker": ("/worker.js",),
        "offline": ("/offline",),
        "icon": ("/icons/{size}",),
        "help": (CAMPAIGN + "/help", "/help"),
        "dice": ("/dice",),
        "lab": ("/odds",),
        "prints": (CAMPAIGN + "/print/{game}", "/print/{game}"),
        "rules": (CAMPAIGN + "/rules/{game}", "/rules/{game}"),
        # Ways in.
        "host_key": ("/host/{key}",),
        "host_open": ("/host",),
        "seat_key": ("/s/{key}",),
        "join": ("/join/{key}",),
        "join_ask": ("/join",),
        "join_wait": _of_campaign("/door"),
        "join_check": _of_campaign("/door/check"),
        "devices": (CAMPAIGN + "/devices", "/devices"),
        "device_end": (CAMPAIGN + "/devices/end", "/devices/end"),
        # The host's.
        "new_campaign": ("/new",),
        "campaign_create": ("/new",),
        "example_open": ("/example",),
        "import": ("/import",),
        "campaign_put_away": ("/campaigns/{campaign}/put-away",),
        "campaign_fetch": ("/campaigns/{campaign}/fetch",),
        "campaign_remove": ("/campaigns/{campaign}/remove",),
        "backup_now": ("/backups",),
        "backup_restore": ("/backups/restore",),
        # The table.
        "table": (CAMPAIGN,),
        "table_feed": _of_campaign("/feed"),
        "needs": _of_campaign("/needs"),
        "quick": _of_campaign("/quick"),
        "approve_all": _of_campaign("/approve-all"),
        "find": _of_campaign("/find"),
        "table_log": _of_campaign("/log"),
        "table_moves": _of_campaign("/moves"),
        "table_move": _of_campaign("/moves"),
        "table_moves_look": _of_campaign("/moves/look"),
        "say": _of_campaign("/say"),
        "hint": _of_campaign("/hint"),
        "say_lines": _of_campaign("/lines"),
        "note": _of_campaign("/note"),
        "reveal": _of_campaign("/reveal"),
        "x_card": _of_campaign("/x-card"),
        "limit_set": _of_campaign("/limits"),
        "clock_set": _of_campaign("/clocks"),
        "oracle_set": _of_campaign("/tables"),
        "oracle_roll": _of_campaign("/tables/roll"),
        "fight_order": _of_campaign("/fight/order"),
        "marks_set": _of_campaign("/characters/{entity}/marks"),
        "undo": _of_campaign("/undo/{cursor}"),
        "alter": _of_campaign("/alter/{cursor}"),
        "proposal_odds": _of_campaign("/proposals/{proposal}/odds"),
        "proposal_odds_look": _of_campaign("/proposals/{proposal}/odds/look"),
        "proposal_settle": _of_campaign("/proposals/{proposal}/settle"),
        "proposal_throw": _of_campaign("/proposals/{proposal}/throw"),
        "proposal_withdraw": _of_campaign("/proposals/{proposal}/withdraw"),
        "proposal_decline": _of_campaign("/proposals/{proposal}/decline"),
        "ask_answer": _of_campaign("/asks/{ask}/answer"),
        "ask_skip": _of_campaign("/asks/{ask}/skip"),
        "ask_fields": _of_campaign("/asks/{ask}/fields"),
        "ask_fields_look": _of_campaign("/asks/{ask}/fields/look"),
        "contribute": _of_campaign("/contribute"),
        "closing": _of_campaign("/closing"),
        # Characters and everybody else.
        "builder_new": _of_campaign("/characters/new"),
        "character_make": _of_campaign("/characters/make"),
        "character_import": _of_campaign("/characters/import"),
        "character_file": _of_campaign("/characters/{entity}/file"),
        "carry_in": _of_campaign("/characters/carry"),
        "carry": _of_campaign("/characters/{entity}/carry"),
        "sheet_fill": _of_campaign("/characters/{entity}/fill"),
        "builder": _of_campaign("/characters/{entity}"),
        "entity_make": _of_campaign("/characters"),
        "sheet_save": _of_campaign("/characters/{entity}/save"),
        "sheet_submit": _of_campaign("/characters/{entity}/submit"),
        "sheet_decide": _of_campaign("/characters/{entity}/decide"),
        "entity_change": _of_campaign("/characters/{entity}/change"),
        "sheet": _of_campaign("/sheets/{entity}"),
        # The GM's desk.
        "desk": _of_campaign("/desk"),
        "seat_decide": _of_campaign("/seats/{seat}/decide"),
        "seat_rename": _of_campaign("/seats/{seat}/rename"),
        "seat_role": _of_campaign("/seats/{seat}/role"),
        "seat_hand_over": _of_campaign("/seats/{seat}/hand-over"),
        "invite_renew": _of_campaign("/invite"),
        "forecast": _of_campaign("/forecast"),
        "plan_begin": _of_campaign("/plan/begin"),
        "plan": _of_campaign("/plan"),
        "game_update": _of_campaign("/game"),
        "options_set": _of_campaign("/options"),
        "settings_set": _of_campaign("/settings"),
        "session_begin": _of_campaign("/session/begin"),
        "session_close": _of_campaign("/session/close"),
        "session_end": _of_campaign("/session/end"),
        "override": _of_campaign("/override"),
        "export": _of_campaign("/export"),
        "webhooks": _of_campaign("/webhooks"),
        "webhook_change": _of_campaign("/webhooks/{hook}"),
        # Pictures.
        "picture": _of_campaign("/pictures/{picture}"),
        "portrait_set": _of_campaign("/characters/{entity}/portrait"),
        "handouts": _of_campaign("/handouts"),
        "handout_save": _of_campaign("/handouts"),
        "handout_show": _of_campaign("/handouts/{handout}/show"),
        # The journal.
        "recap": _of_campaign("/recap"),
        "luck": _of_campaign("/luck"),
        "journal": _of_campaign("/journal"),
        "journal_verify": _of_campaign("/journal/verify"),
        "journal_export": _of_campaign("/journal/export"),
        # For programs.
        "api": ("/api/v1",),
        "api_document": ("/api/v1/openapi.json",),
        "api_seat": ("/api/v1/seat",),
        "api_knock": ("/api/v1/knock",),
        "api_view": _of_campaign("/api/v1/view"),
        "api_entries": _of_campaign("/api/v1/entries"),
        "api_events": _of_campaign("/api/v1/events"),
        "api_sheet": _of_campaign("/api/v1/sheets/{entity}"),
        "api_rules": _of_campaign("/api/v1/rules"),
        "api_moves": _of_campaign("/api/v1/moves"),
        "api_odds": _of_campaign("/api/v1/odds"),
        "api_line": _of_campaign("/api/v1/line"),
        "api_lines": _of_campaign("/api/v1/lines"),
        "api_undo": _of_campaign("/api/v1/undo"),
        "api_commands": _of_campaign("/api/v1/commands"),
    }
)


#: Each shape with the names of its parameters.
_SHAPES: Mapping[str, tuple[tuple[str, frozenset[str]], ...]] = MappingProxyType(
    {
        name: tuple((shape, frozenset(_PARAMETER.findall(shape))) for shape in shapes)
        for name, shapes in ROUTES.items()
    }
)


def is_at_table(name: str) -> bool:
    """Whether a name has an address at a table."""
    return ROUTES[name][0].startswith(CAMPAIGN)


def path(name: str, shape: int = 0) -> str:
    """A route's path as the router reads it.

    >>> path("undo")
    '/t/{campaign:str}/undo/{cursor:str}'
    """
    return _PARAMETER.sub(r"{\1:str}", ROUTES[name][shape])


def pattern(name: str, shape: int = 0) -> re.Pattern[str]:
    """A route's path as a pattern, with a group for each parameter.

    >>> pattern("say").fullmatch("/t/salt-road/say").groups()
    ('salt-road',)
    """
    parts = _PARAMETER.split(ROUTES[name][shape])
    return re.compile(
        "".join("([^/]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )


class Urls:
    """Makes addresses below a prefix.

    >>> url = Urls("/table")
    >>> url("home")
    '/table/'
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def __call__(self, name: str, /, **parameters: Any) -> str:
        """The address of that name; parameters that are None or "" are left out."""
        given, quoted = {}, {}
        for key, value in parameters.items():
            if value is None or value == "":
                continue
            text = given[key] = str(value)
            quoted[key] = text if _PLAIN.fullmatch(text) else quote(text, safe="")
        for shape, wanted in _SHAPES[name]:
            if wanted <= given.keys():
                path = self.prefix + shape.format_map(quoted)
                if len(given) == len(wanted):
                    return path
                rest = {key: value for key, value in given.items() if key not in wanted}
                return f"{path}?{urlencode(rest)}"
        raise KeyError(f"{name} needs more than {sorted(given)}")
