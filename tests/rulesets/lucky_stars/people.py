"""People of These Lucky Stars for the tests: made in a line, and a table to play at."""

from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.rulesets.lucky_stars import game as stars
from tests.rulesets.driver import GM, Evening, open_evening


def evening(players: tuple[str, ...] = ("ana", "ben"), *, settings=None, **options: Any) -> Evening:
    """A table with these options and a session that runs; nobody is asked to tell what happened."""
    one = open_evening(stars, players, {"narrate": False, **options}, **(settings or {}))
    one.do(GM, c.BeginSession)
    return one


def thing(item: str, supply: str = "", **more: str) -> dict[str, str]:
    """A possession; `supply` is the size of its die."""
    plain = {"id": "", "item": item, "supply": supply, "rolls": "Each time.", "restock": ""}
    return {**plain, "note": "", **more}


def hero(one: Evening, player: str, *gear: dict, **stats: int) -> str:
    """A player's character in play."""
    return arrive(one, "pc", player.title(), player, gear, stats)


def foe(one: Evening, *gear: dict, name: str = "Foe", **stats: Any) -> str:
    """Somebody of the GM's in play, with closed numbers unless it is said otherwise."""
    more = {key: stats.pop(key) for key in ("open", "hidden") if key in stats}
    return arrive(one, "npc", name, "gm", gear, stats, **more)


def stock(one: Evening, *gear: dict, name: str = "The barge", open: bool = True) -> str:
    """What the party owns together."""
    return arrive(one, "stock", name, "gm", gear, {}, open=open)


def arrive(
    one: Evening, kind: str, name: str, owner: str, gear: tuple, stats: dict, **more: Any
) -> str:
    """Put somebody into play; the id."""
    sheet = {"stats": stats, "gear": list(gear), "about": ""}
    one.do(GM, c.MakeEntity, kind=kind, name=name, owner=owner, sheet=sheet, **more)
    return next(reversed(one.table.entities))


def try_it(one: Evening, who: str, faces: tuple, target: Any = 12, *, gm=None, **answers: Any):
    """A decision roll of Ana's against a target that the GM sets; its card."""
    settled = {"target": str(target), **(gm or {})}
    return one.roll("ana", "decision", who, faces, gm=settled, **answers)


def total(card: dict[str, Any], side: int = 0) -> int:
    """The result on a card."""
    return card["sides"][side]["total"]


def lines(card: dict[str, Any], audience: str = "") -> list[str]:
    """What else a card says, to everybody or to one audience."""
    return [one["text"] for one in card["lines"] if audience in {"", one["audience"]}]


def fields(one: Evening, move: str, who: str, seat: str = "ana", **answers: Any) -> dict[str, Any]:
    """The questions of a move by name."""
    found = one.named(move).fields(one.table, one.actor(seat, who), answers)
    return {field.name: field for field in found}
