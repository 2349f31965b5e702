"""All addresses of the server by name, for use in templates.

A name may have several patterns; the first one with all parameters given is used. Other parameters
become the query. The prefix of a sub-path is put before every address.
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


#: Addresses of the server.
_OWN: Mapping[str, str] = MappingProxyType(
    {
        "home": "/",
        "health": "/health",
        "live": "/health/live",
        "asset": "/assets/{name}",
        "cover": "/covers/{recipe}/{seed}",
        "theme": "/theme",
        "manifest": "/manifest.webmanifest",
        "worker": "/worker.js",
        "offline": "/offline",
        "icon": "/icons/{size}",
        "help": "/help",
        "dice": "/dice",
        "lab": "/odds",
        "prints": "/print/{game}",
        "rules": "/rules/{game}",
        # Ways in.
        "host_key": "/host/{key}",
        "host_open": "/host",
        "seat_key": "/s/{key}",
        "join": "/join/{key}",
        "join_ask": "/join",
        "devices": "/devices",
        "device_end": "/devices/end",
        # The host's.
        "new_campaign": "/new",
        "campaign_create": "/new",
        "example_open": "/example",
        "import": "/import",
        "campaign_put_away": "/campaigns/{campaign}/put-away",
        "campaign_fetch": "/campaigns/{campaign}/fetch",
        "campaign_remove": "/campaigns/{campaign}/remove",
        "backup_now": "/backups",
        "backup_restore": "/backups/restore",
        # For programs.
        "api": "/api/v1",
        "api_document": "/api/v1/openapi.json",
        "api_seat": "/api/v1/seat",
        "api_knock": "/api/v1/knock",
    }
)
#: Addresses at a table, below its own; some names have an address outside of tables, too.
_AT_TABLE: Mapping[str, str] = MappingProxyType(
    {
        "manifest": "/manifest.webmanifest",
        "help": "/help",
        "prints": "/print/{game}",
        "rules": "/rules/{game}",
        # Ways in.
        "join_wait": "/waiting",
        "join_check": "/waiting/check",
        "devices": "/devices",
        "device_end": "/devices/end",
        # The table.
        "table": "",
        "table_feed": "/feed",
        "needs": "/needs",
        "quick": "/quick",
        "approve_all": "/approve-all",
        "find": "/find",
        "table_log": "/log",
        "table_moves": "/moves",
        "table_move": "/moves",
        "table_moves_look": "/moves/look",
        "say": "/say",
        "hint": "/hint",
        "say_lines": "/lines",
        "note": "/note",
        "reveal": "/reveal",
        "x_card": "/x-card",
        "limit_set": "/limits",
        "clock_set": "/clocks",
        "oracle_set": "/tables",
        "oracle_roll": "/tables/roll",
        "fight_order": "/fight/order",
        "marks_set": "/characters/{entity}/marks",
        "undo": "/undo/{cursor}",
        "alter": "/alter/{cursor}",
        "proposal_odds": "/proposals/{proposal}/odds",
        "proposal_odds_look": "/proposals/{proposal}/odds/look",
        "proposal_settle": "/proposals/{proposal}/settle",
        "proposal_throw": "/proposals/{proposal}/throw",
        "proposal_withdraw": "/proposals/{proposal}/withdraw",
        "proposal_decline": "/proposals/{proposal}/decline",
        "ask_answer": "/asks/{ask}/answer",
        "ask_skip": "/asks/{ask}/skip",
        "ask_fields": "/asks/{ask}/fields",
        "ask_fields_look": "/asks/{ask}/fields/look",
        "contribute": "/contribute",
        "closing": "/closing",
        # Characters and everybody else.
        "builder_new": "/characters/new",
        "character_make": "/characters/make",
        "character_import": "/characters/import",
        "character_file": "/characters/{entity}/file",
        "carry_in": "/characters/carry",
        "carry": "/characters/{entity}/carry",
        "sheet_fill": "/characters/{entity}/fill",
        "builder": "/characters/{entity}",
        "entity_make": "/characters",
        "sheet_save": "/characters/{entity}/save",
        "sheet_submit": "/characters/{entity}/submit",
        "sheet_decide": "/characters/{entity}/decide",
        "entity_change": "/characters/{entity}/change",
        "sheet": "/sheets/{entity}",
        # The GM's desk.
        "desk": "/desk",
        "seat_decide": "/seats/{seat}/decide",
        "seat_rename": "/seats/{seat}/rename",
        "seat_role": "/seats/{seat}/role",
        "seat_hand_over": "/seats/{seat}/hand-over",
        "invite_renew": "/invite",
        "forecast": "/forecast",
        "plan_begin": "/plan/begin",
        "plan": "/plan",
        "game_update": "/game",
        "options_set": "/options",
        "settings_set": "/settings",
        "session_begin": "/session/begin",
        "session_close": "/session/close",
        "session_end": "/session/end",
        "override": "/override",
        "export": "/export",
        "webhooks": "/webhooks",
        "webhook_change": "/webhooks/{hook}",
        # Pictures.
        "picture": "/pictures/{picture}",
        "portrait_set": "/characters/{entity}/portrait",
        "handouts": "/handouts",
        "handout_save": "/handouts",
        "handout_show": "/handouts/{handout}/show",
        # The journal.
        "recap": "/recap",
        "luck": "/luck",
        "journal": "/journal",
        "journal_verify": "/journal/verify",
        "journal_export": "/journal/export",
        # For programs.
        "api_view": "/api/v1/view",
        "api_entries": "/api/v1/entries",
        "api_events": "/api/v1/events",
        "api_sheet": "/api/v1/sheets/{entity}",
        "api_rules": "/api/v1/rules",
        "api_moves": "/api/v1/moves",
        "api_odds": "/api/v1/odds",
        "api_line": "/api/v1/line",
        "api_lines": "/api/v1/lines",
        "api_undo": "/api/v1/undo",
        "api_commands": "/api/v1/commands",
    }
)
#: The shapes of each name.
ROUTES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        name: (
            *((CAMPAIGN + _AT_TABLE[name],) if name in _AT_TABLE else ()),
            *((_OWN[name],) if name in _OWN else ()),
        )
        for name in (*_OWN, *_AT_TABLE)
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
    return name in _AT_TABLE


def path(name: str, shape: int = 0) -> str:
    """A route's path as the router reads it.

    >>> path("undo")
    '/t/{campaign:str}/undo/{cursor:str}'
    """
    return _PARAMETER.sub(r"{\1:str}", ROUTES[name][shape])


def paths(name: str) -> list[str]:
    """All paths of a route: at a table, and outside of one."""
    return [path(name, shape) for shape in range(len(ROUTES[name]))]


def pattern(name: str) -> re.Pattern[str]:
    """A route's path as a pattern, with a group for each parameter.

    >>> pattern("say").fullmatch("/t/salt-road/say").groups()
    ('salt-road',)
    """
    parts = _PARAMETER.split(ROUTES[name][0])
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
