"""Objects for the tests: captains, ships, faiths, houses, and their table."""

from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.rulesets.objects import game as objects
from tests.rulesets.driver import GM, Evening, open_evening

STORY = "It began at sea. It has not ended yet."


def evening(
    players: tuple[str, ...] = ("ana", "ben"),
    *,
    session: bool = True,
    settings=None,
    **options: Any,
) -> Evening:
    """A table of Objects with these options; a session runs unless it is said otherwise."""
    one = open_evening(objects, players, options, **(settings or {}))
    if session:
        one.do(GM, c.BeginSession)
    return one


def sheet(one: Evening, kind: str, talents: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A whole sheet: basic talents by their keys and gained ones by their names, all at a level.

    A gained talent that is another object is written {"name": (level, id)}.
    """
    blank = one.game.sheet.blank(one.table, kind)
    basic = {key: talents.pop(key, 0) for key in blank["basic"]}
    rows = []
    for name, value in talents.items():
        level, leads = value if isinstance(value, tuple) else (value, "")
        rows.append({"name": name, "level": level, "object": leads})
    done = {"talents": True, "signs": True, "goals": True}
    told = {"concept": "Something of the coast", "story": STORY, "done": done}
    return {**blank, **told, "basic": basic, "talents": rows, **more}


def thing(
    one: Evening,
    owner: str = "gm",
    kind: str = "person",
    name: str = "",
    talents: dict[str, Any] | None = None,
    *,
    karma: int = 0,
    **more: Any,
) -> str:
    """An object in play; players' ones are named like their player unless they have a name."""
    seen = {key: more.pop(key) for key in ("hidden", "open") if key in more}
    made = one.do(
        GM,
        c.MakeEntity,
        kind=kind,
        name=name or owner.title(),
        owner=owner,
        sheet=sheet(one, kind, dict(talents or {}), **more),
        **seen,
    )
    ident = str(made.data["entity"])
    if karma and one.entity(ident).state["karma"] != karma:
        path = ("entities", ident, "state", "karma")
        one.do(GM, c.Override, path=path, now=karma, reason="for the test")
    return ident


def rolled(
    one: Evening,
    entity: str,
    talent: str,
    faces: tuple,
    *,
    gm: dict[str, Any] | None = None,
    hidden: tuple[str, ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """A roll from proposal to dice, by whoever owns the object, with the GM's part; its card."""
    owner = one.entity(entity).owner
    seat = GM if owner == "gm" else owner
    told = {"stakes": "Does it hold?", "talent": talent, **more}
    roll = one.propose(seat, "test", entity, **told)
    if gm is not None:
        one.do(GM, c.Settle, proposal=roll, answers=gm, hidden=hidden)
    one.do(seat, c.Throw, faces, proposal=roll)
    return one.card


def draft(one: Evening, kind: str = "person", owner: str = "ana", name: str = "Vell") -> str:
    """An object that somebody begins to build."""
    return str(one.do(owner, c.MakeEntity, kind=kind, name=name).data["entity"])


def save(one: Evening, ident: str, seat: str = "ana", **raw: Any) -> None:
    """What somebody fills into its sheet; "basic__agile" stands for "basic.agile"."""
    named = {key.replace("__", "."): value for key, value in raw.items()}
    one.do(seat, c.SaveSheet, entity=ident, raw=named)


def told(one: Evening, ident: str, *, refuses: bool) -> set[str]:
    """The rules by which its sheet is refused, or that only warn."""
    found = one.game.sheet.check(one.table, one.entity(ident), "creation")
    return {problem.rule for problem in found if problem.refuses is refuses}
