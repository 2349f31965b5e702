"""Creating and changing entities, and setting facts by hand."""

from __future__ import annotations

from kitchentable.campaign.commands import ChangeEntity, MakeEntity, Override
from kitchentable.campaign.decide.bounds import a_name
from kitchentable.campaign.decide.context import Context, audience_about, audience_for
from kitchentable.campaign.decide.sheets import (
    a_line,
    about,
    check_amended,
    check_readable,
    starting,
)
from kitchentable.campaign.decide.tellable import check_tellable, on_unchecked_facts
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.paths import MISSING, Path, look, plain
from kitchentable.campaign.questions import check_problems
from kitchentable.campaign.state import fields_of, with_changes
from kitchentable.rules.moves import Change
from kitchentable.rules.sheets import Kind
from kitchentable.rules.table import Entity, fresh
from kitchentable.rules.values import EVERYONE, GM, Json

_MOST_ENTITIES = 2_000
_MOST_DRAFTS = 12


def make_entity(context: Context, command: MakeEntity) -> Event:
    """Create a player's draft, or for the GM any entity, with a complete sheet even in play."""
    kind = _kind(context, command.kind)
    owner = _owner(context, command.owner or (GM if context.by_gm else context.me.id))
    if not context.by_gm:
        _check_players_own(context, kind, owner, command)
    if len(context.table.entities) >= _MOST_ENTITIES:
        raise CannotBe("This table cannot store any more characters.", code="table/too-long")
    sheet = context.game.sheet.blank(context.table, kind.key)
    entity = Entity(
        id=fresh(context.table, kind.key),
        name=a_name(command.name),
        kind=kind.key,
        owner=owner,
        sheet=plain({**sheet, **(command.sheet or {})}),
        state={},
        stage="draft",
        hidden=command.hidden,
        open=command.open if command.open is not None else owner != GM,
        line=a_line(command.line),
    )
    changes = [Change(("entities", entity.id), fields_of(entity))]
    ready = command.sheet is not None and context.by_gm
    if ready:
        with on_unchecked_facts():
            problems = context.game.sheet.check(context.table, entity, "creation")
        check_problems(problems)
        with on_unchecked_facts():
            changes += starting(context, entity)
    if command.sheet is not None:
        check_tellable(context.campaign, context.game, changes, entity.id)
    data = about(entity) | {"kind": kind.key, "kind_title": kind.title, "in_play": ready}
    audience = audience_for(entity)
    if not ready and owner == GM:
        audience = GM
    return context.event("entity-made", changes, data=data, audience=audience)


def _check_players_own(context: Context, kind: Kind, owner: str, command: MakeEntity) -> None:
    if kind.made_by != "player":
        raise NotAllowed(f"Only the GM can make this: {kind.title}.", code="entity/kind")
    if owner != context.me.id:
        raise NotAllowed("You can make characters only for yourself.")
    if command.hidden or command.open is not None:
        raise NotAllowed("Only the GM can hide a character or its numbers.")
    drafts = [e for e in context.table.owned_by(context.me.id) if e.stage in {"draft", "submitted"}]
    if len(drafts) >= _MOST_DRAFTS:
        raise CannotBe("Finish one of your characters before you begin another.")


def _kind(context: Context, key: str) -> Kind:
    for kind in context.game.sheet.kinds(context.table):
        if kind.key == key or (not key and kind.made_by == "player"):
            return kind
    raise CannotBe(
        f"{context.game.title} has no kind of character called {key!r}.", code="entity/kind"
    )


def _owner(context: Context, owner: str) -> str:
    if owner == GM:
        return GM
    seat = context.table.seats.get(owner)
    if seat is None or not seat.is_seated or seat.role == "spectator":
        raise CannotBe("This owner is not at the table. Pick a person who is.")
    return GM if seat.role == GM else owner


def change_entity(context: Context, command: ChangeEntity) -> Event:
    """Change an entity's name, line, owner, hidden, open or gone, as the GM."""
    entity = context.entity(command.entity)
    wanted: dict[str, Json] = {
        "name": None if command.name is None else a_name(command.name),
        "line": None if command.line is None else a_line(command.line),
        # An owner stays after their seat has ended, until the GM names another.
        "owner": None
        if command.owner in {None, entity.owner}
        else _owner(context, str(command.owner)),
        "hidden": command.hidden,
        "open": command.open,
        "stage": None if command.gone is None else _stage(context, entity, gone=command.gone),
    }
    before = fields_of(entity)
    set_now = {k: now for k, now in wanted.items() if now is not None and now != before[k]}
    changes = [Change(("entities", entity.id, key), now) for key, now in set_now.items()]
    appears = set_now.get("hidden") is False
    hidden = entity.hidden and not appears
    told = {key: now for key, now in set_now.items() if key != "owner"}
    if "owner" in set_now:
        owner = context.table.seats.get(str(set_now["owner"]))
        told["owner"] = owner.name if owner is not None else "the GM"
    data = about(entity) | {"set": told, "appears": appears}
    unseen = entity.stage in {"draft", "submitted"} or (
        entity.stage == "gone" and not _was_in_play(context, entity)
    )
    audience = GM if hidden or (unseen and entity.owner == GM) else EVERYONE
    unchanged = f"This would not change {entity.name}. Change something first."
    return context.event(
        "entity-changed", changes, data=data, audience=audience, unchanged=unchanged
    )


def _stage(context: Context, entity: Entity, *, gone: bool) -> str:
    if gone:
        return "gone"
    if entity.stage != "gone":
        return entity.stage
    return "play" if _was_in_play(context, entity) else "draft"


def _was_in_play(context: Context, entity: Entity) -> bool:
    """Whether an entity that is gone was in play, so that players met it."""
    played = look(context.campaign.tree, ("entities", entity.id, "played"), default=False)
    return bool(played or entity.state)


def override(context: Context, command: Override) -> Event:
    """Set a fact as the GM, with a reason that everybody can read."""
    if not command.reason.strip():
        raise CannotBe("Give a reason for this change. Everybody can read it.")
    path = tuple(command.path)
    entity = _check_path(context, path)
    was = look(context.campaign.tree, path)
    now = plain(command.now)
    if command.gone:
        shortest = 5 if path[0] == "entities" else 3
        if was is MISSING or len(path) < shortest:
            raise CannotBe("That fact can be changed, not removed.", code="table/no-such-path")
    elif not has_same_shape(None if was is MISSING else was, now):
        raise CannotBe(f"This value has the wrong type for {path[-1]}.")
    change = Change(path, now, gone=command.gone)
    then = with_changes(context.campaign, [change])
    if then.tree is context.campaign.tree:
        raise CannotBe("That fact already has this value.")
    check_tellable(context.campaign, context.game, [change], entity.id if entity else "")
    if entity is not None:
        after = then.table.entities[entity.id]
        check_readable(context, then.table, entity, after)
        check_amended(context, entity, after)
    data = {
        "path": list(path),
        "was": None if was is MISSING else was,
        "now": None if command.gone else now,
        "gone": command.gone,
        **(about(entity) if entity is not None else {}),
    }
    closed = entity is None or not entity.open
    data["values_for"] = (GM if entity is None else entity.owner) if closed else EVERYONE
    return context.event("overridden", [change], data=data, audience=audience_about(entity))


def _check_path(context: Context, path: Path) -> Entity | None:
    match path:
        case ("entities", entity, "sheet" | "state", _, *_):
            return context.entity(entity)
        case ("fight" | "own", _, *_) | ("day",) | ("session", "notes", _, *_):
            return None
    raise CannotBe("This fact does not exist or cannot be set directly.", code="table/no-such-path")


def has_same_shape(was: Json, now: Json) -> bool:
    """Whether a value has the shape of a former one: a number for a number, a list of alike items.

    >>> has_same_shape(3, 4), has_same_shape(3, "four"), has_same_shape([], ["anything"])
    (True, False, True)
    >>> has_same_shape({"aim": 3}, {"aim": "x"})
    False
    """
    if was is None:
        return True
    if isinstance(was, dict) and isinstance(now, dict):
        return all(
            key not in was or has_same_shape(was[key], one) for key, one in now.items()
        ) and all(key in now for key in was)
    if isinstance(was, list) and isinstance(now, list):
        return not was or all(has_same_shape(was[0], one) for one in now)
    return type(was) is type(now)
