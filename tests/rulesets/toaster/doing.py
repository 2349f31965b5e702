"""Doing things in a test: people with a few numbers, a table with options, a roll in a line."""

from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toaster import game as toaster
from tests.rulesets.driver import GM, Evening, open_evening
from tests.rulesets.toaster import people

ATTRIBUTES = ("physique", "coordination", "intellect", "aura")


def evening(
    players: tuple[str, ...] = ("ana", "ben"), *, settings: dict | None = None, **options: Any
) -> Evening:
    """A table of Toaster with these options and a session open."""
    one = open_evening(toaster, players, options, **{"gm_confirms": "each", **(settings or {})})
    one.do(GM, c.BeginSession)
    return one


def sheet(attributes: tuple[int, ...] = (5, 5, 5, 5), **bases: int) -> dict[str, Any]:
    """A sheet with these attributes and these bases, such as climb=3 or language__Latin=4."""
    rows = []
    for place, (key, base) in enumerate(bases.items(), 1):
        skill, _, of = key.partition("__")
        row = {"id": f"s{place}", "skill": skill.replace("_", "-"), "of": of.replace("_", " ")}
        rows.append({**row, "attribute": "", "base": base, "native": False})
    return {
        "attributes": dict(zip(ATTRIBUTES, attributes, strict=True)),
        "skills": rows,
        "traits": [],
        "weapons": [],
        "armour": [],
        "shield": "",
        "hide": 0,
        "named": True,
    }


def hero(one: Evening, player: str, attributes=(5, 5, 5, 5), **bases: int) -> str:
    """A player's character in play, whose points need not add up."""
    return arrive(one, "pc", player.title(), player, sheet(attributes, **bases))


def foe(
    one: Evening, name: str = "Foe", attributes=(5, 5, 5, 5), *, open=False, hidden=False, **bases
) -> str:
    """Somebody of the GM's in play."""
    built = sheet(attributes, **bases)
    return arrive(one, "npc", name, "gm", built, open=open, hidden=hidden)


def arrive(one: Evening, kind: str, name: str, owner: str, built: dict, **more: Any) -> str:
    """Put somebody into play with any numbers, which the GM's own may have."""
    blank = toaster.sheet.blank(one.table, "npc")
    return people.arrive(one, kind, name, owner, {**blank, **built}, {}, **more)


def state(one: Evening, who: str, **facts: Any) -> None:
    """Set facts of somebody's state."""
    for key, value in facts.items():
        path = ("entities", who, "state", key)
        if one.entity(who).state.get(key) == value:
            continue
        one.do(GM, c.Override, path=path, now=value, reason="for the test")


def task(one: Evening, who: str, on: str, *faces: int, seat: str = "ana", gm=None, **more):
    """A whole task: proposed, settled by the GM, thrown; its card."""
    kind = "attribute" if on.partition(":")[0] in ATTRIBUTES else "skill"
    return one.roll(seat, "task", who, faces, gm=gm, on=f"{kind}:{on}", **more)


def fields(one: Evening, move: str, entity: str = "", *, seat: str = "ana", **answers: Any):
    """The questions of a move, given some answers."""
    return one.named(move).fields(one.table, one.actor(seat, entity), answers)


def contest(one: Evening, first: str, second: str, faces: tuple, *, gm=None, theirs=None, **more):
    """A whole contest; `theirs`, `other_...` and what belongs to the other side is its owner's."""
    other = {key: more.pop(key) for key in list(more) if key.startswith("other_")}
    return one.roll(
        "ana",
        "contest",
        first,
        faces,
        gm=gm,
        theirs={**(theirs or {}), **other},
        other=second,
        **more,
    )


def many(one: Evening, people: list[str], faces: tuple, **more: Any) -> dict[str, Any]:
    """A contest of many, which is the GM's to begin; the card it gives."""
    one.do(GM, c.MakeMove, faces, move="contest_of_many", answers={"who": people, **more})
    return one.card


def speak(one: Evening, ask, faces: tuple = (), **answers: Any) -> dict[str, Any]:
    """Answer a card as the one it is put to: the owner of whom it is about, or the GM."""
    owner = one.entity(ask.entity).owner if ask.to[0].startswith("owner:") else "gm"
    one.answer(GM if owner == "gm" else owner, ask, faces, **answers)
    return one.card
