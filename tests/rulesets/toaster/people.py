"""Toaster's people for the tests: characters made in a line, and a table to play at."""

from dataclasses import replace
from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.rules import Entity, Table
from kitchentable.rulesets.toaster import game as toaster
from kitchentable.rulesets.toaster.character.presets import line as blank_line
from kitchentable.rulesets.toaster.people import Person
from kitchentable.rulesets.toaster.people import toaster as toaster_rules
from kitchentable.rulesets.toaster.sheet import SHEET
from tests.rulesets.driver import GM, Evening, open_evening

ATTRIBUTES = ("physique", "coordination", "intellect", "aura")


def evening(
    players: tuple[str, ...] = ("ana", "ben"),
    *,
    session: bool = True,
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> Evening:
    """A table of Toaster with these options; a session runs unless it is said otherwise."""
    one = open_evening(toaster, players, options, **(settings or {}))
    if session:
        one.do(GM, c.BeginSession)
    return one


def table(**options: Any) -> Table:
    """A table with nobody at it, for what can be asked without playing."""
    return Table(options={**toaster.defaults(), **options})


def sheet(
    attributes: tuple[int, ...] = (4, 4, 4, 4),
    skills: dict[str, int] | None = None,
    traits: tuple[dict[str, Any], ...] = (),
    weapons: tuple[Any, ...] = (),
    armour: tuple[Any, ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """A sheet: four ranks, bases by key ("weapon-skill:Sword"), traits made by `trait`.

    Weapons and armour are keys of the table's lists, or lines of a sheet.
    """
    return {
        **SHEET.blank(table(), "npc"),
        "attributes": dict(zip(ATTRIBUTES, attributes, strict=True)),
        "skills": [line(key, base) for key, base in (skills or {}).items()],
        "traits": list(traits),
        "weapons": [
            blank_line("weapons", f"w{place}", like=one) if isinstance(one, str) else one
            for place, one in enumerate(weapons, 1)
        ],
        "armour": [
            {"id": f"a{place}", "like": one, "name": "", "ac": None, "stowed": False}
            if isinstance(one, str)
            else one
            for place, one in enumerate(armour, 1)
        ],
        "about": "Somebody.",
        **more,
    }


def line(key: str, base: int, **more: Any) -> dict[str, Any]:
    """A line of the skills."""
    skill, _, of = key.partition(":")
    return {
        "id": key,
        "skill": skill,
        "of": of,
        "attribute": "",
        "base": base,
        "native": False,
        "note": "",
        **more,
    }


def trait(kind: str, rank: int, of: str = "", name: str = "", **more: Any) -> dict[str, Any]:
    """A line of the traits."""
    named = name or f"{kind} {of}".strip()
    return (
        blank_line(
            "traits", f"t-{named}", name=named, kind=kind, rank=rank, of=of, note="As agreed."
        )
        | more
    )


def entity(built: dict[str, Any] | None = None, **more: Any) -> Entity:
    """An entity with this sheet and no table."""
    named: dict[str, Any] = {"id": "one", "name": "One", "kind": "pc", "owner": "ana"}
    return Entity(**{**named, "sheet": built or sheet(), "state": {}, **more})


def person(one: Entity, here: Table | None = None) -> Person:
    """An entity as the rules read it, at this table."""
    return Person(here or table(), one)


def at_table(one: Entity, here: Table | None = None) -> Any:
    """The moment of a move about an entity, at this table."""
    there = here or table()
    return toaster_rules.at(replace(there, entities={**there.entities, one.id: one}), one.id)


def hero(one: Evening, player: str, built: dict[str, Any] | None = None, **state: Any) -> str:
    """A player's character in play; points and balance may be as they like."""
    return arrive(one, "pc", player.title(), player, built or sheet(), state)


def foe(one: Evening, built: dict[str, Any] | None = None, name: str = "Foe", **more: Any) -> str:
    """Somebody of the GM's in play; closed unless said otherwise."""
    state = more.pop("state", {})
    return arrive(one, more.pop("kind", "npc"), name, "gm", built or sheet(), state, **more)


def arrive(
    one: Evening,
    kind: str,
    name: str,
    owner: str,
    built: dict[str, Any],
    state: dict[str, Any],
    **more: Any,
) -> str:
    """Put somebody into play as they are wanted: the GM's own first, then given to its player."""
    ident = f"{kind}-{one.campaign.number + 1}"
    one.do(GM, c.MakeEntity, kind=kind, name=name, owner="gm", sheet=built, **more)
    if owner != "gm":
        one.do(GM, c.ChangeEntity, entity=ident, owner=owner, open=True)
    for fact, now in state.items():
        path = ("entities", ident, "state", fact)
        one.do(GM, c.Override, path=path, now=now, reason="for the test")
    return ident
