"""Turns a game's result into changes of the campaign, limited to facts that a game may change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.errors import Overreach
from kitchentable.campaign.events import Event
from kitchentable.campaign.state import fields_of, with_changes
from kitchentable.rules.moves import Card, Change, Result
from kitchentable.rules.table import Ask, Entity
from kitchentable.rules.values import EVERYONE

_OF_ENTITIES = frozenset({"sheet", "state", "stage", "name", "line", "hidden", "open"})


def follow(
    context: Context,
    kind: str,
    changes: Iterable[Change],
    *arguments: Any,
    hook: str,
    data: Mapping[str, Any] | None = None,
    audience: str = EVERYONE,
) -> Event:
    """Return an event with the changes that the game's hook adds, if it has that hook."""
    changes = list(changes)
    card: Card | None = None
    if hook in context.game.hooks:
        table = with_changes(context.campaign, changes).table
        result = context.game.hooks[hook](table, *arguments)
        changes += changes_of(result)
        card = result.card
    extra = {"card": plain_card(card)} if card is not None else {}
    return context.event(kind, changes, data={**(data or {}), **extra}, audience=audience)


def changes_of(result: Result) -> list[Change]:
    """A game's changes, new asks and answered asks as changes of the tree. Errors: Overreach."""
    changes = [_allowed(change) for change in result.changes]
    changes += [Change(("asks", ask), gone=True) for ask in result.closes]
    changes += [Change(("asks", ask.id), fields_of(_checked(ask))) for ask in result.asks]
    return changes


def _allowed(change: Change) -> Change:
    match change.path:
        case ("entities", _) if not change.gone:
            return Change(change.path, _whole(change.now))
        case ("entities", _, part, *_) if part in _OF_ENTITIES:
            return change
        case ("fight" | "own", *_) | ("session", "notes", *_) | ("day",):
            return change
    raise Overreach(f"A game may not change {'/'.join(change.path)}.")


def _whole(value: Any) -> dict[str, Any]:
    """A new entity as plain data, with defaults for omitted parts."""
    if isinstance(value, Entity):
        return fields_of(value)
    if isinstance(value, Mapping) and {"name", "kind", "owner", "sheet"} <= set(value):
        rest = {"state": {}, "stage": "play", "hidden": False, "open": True, "line": ""}
        return {**rest, **{key: one for key, one in value.items() if key != "id"}}
    raise Overreach("A new entity needs at least a name, a kind, an owner and a sheet.")


def _checked(ask: Ask) -> Ask:
    if not ask.to or not ask.id:
        raise Overreach(f"The card {ask.title!r} needs somebody to answer it.")
    return ask


def plain_card(card: Card) -> dict[str, Any]:
    """A card as plain data, in the form of events."""
    sides = [
        fields_of(side) | {"parts": [[part.name, part.value] for part in side.parts]}
        for side in card.sides
    ]
    return fields_of(card) | {"sides": sides, "lines": [fields_of(line) for line in card.lines]}
