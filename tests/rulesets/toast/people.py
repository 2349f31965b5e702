"""Toast's people for the tests: characters and foes made in a line, and a table to play at."""

from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toast import game as toast
from kitchentable.rulesets.toast.options import Options
from tests.rulesets.driver import GM, Evening, open_evening

FLUB, KICK = 11, 12


def evening(
    players: tuple[str, ...] = ("ana", "ben"),
    *,
    session: bool = True,
    settings=None,
    **options: Any,
) -> Evening:
    """A table of Toast with these options; a session runs unless it is said otherwise."""
    one = open_evening(toast, players, options, **(settings or {}))
    if session:
        one.do(GM, c.BeginSession)
    return one


def sheet(
    one: Evening, perks: tuple[str, ...] = (), gear: list | None = None, **levels: int
) -> dict:
    """A sheet with these levels; all others are 0."""
    every = {trait.key: levels.pop(trait.key, 0) for trait in Options(one.table.options).traits}
    assert not levels, f"no such traits: {levels}"
    return {
        "traits": every,
        "perks": [{"text": text, "covers": ""} for text in perks],
        "gear": gear or [],
        "about": "",
    }


def hero(one: Evening, player: str, *perks: str, **levels: int) -> str:
    """A player's character in play, whose levels need not add up to a legal start."""
    return arrive(one, "pc", player.title(), player, sheet(one, perks, **levels))


def foe(one: Evening, *perks: str, kind: str = "minion", name: str = "Foe", **levels: Any) -> str:
    """Somebody of the GM's in play."""
    opened = levels.pop("open", False)
    hidden = levels.pop("hidden", False)
    capacity = levels.pop("capacity", None)
    built = sheet(one, perks, **levels) | {"importance": kind, "capacity": capacity}
    return arrive(one, kind, name, "gm", built, open=opened, hidden=hidden)


def arrive(one: Evening, kind: str, name: str, owner: str, built: dict, **more: Any) -> str:
    """Put somebody into play with any levels; a player's character begins with a legal spread."""
    ident = f"{kind}-{one.campaign.number + 1}"
    levels = built["traits"]
    legal = spread(one) if kind == "pc" else levels
    one.do(
        GM,
        c.MakeEntity,
        kind=kind,
        name=name,
        owner=owner,
        sheet={**built, "traits": legal},
        **more,
    )
    if levels != legal:
        where = ("entities", ident, "sheet", "traits")
        one.do(GM, c.Override, path=where, now=levels, reason="for the test")
    return ident


def spread(one: Evening) -> dict[str, int]:
    """Four points on every trait: a legal start."""
    return dict.fromkeys((trait.key for trait in Options(one.table.options).traits), 4)
