"""Undo: which later steps depend on a step, who may undo it, and the inverse changes.

A step depends on an earlier one if both touched the same fact. Nothing is removed from the log: an
undo is a new event with the inverse changes. Thrown dice stay in the journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from kitchentable.campaign.audiences import LogReader
from kitchentable.campaign.events import Event, Recorded
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.paths import Tree, take_back, touch
from kitchentable.campaign.state import Campaign, read
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Entity

_INDEPENDENT = frozenset({"said", "undone"})


def steps_undone_by(event: Event) -> tuple[int, ...]:
    """Return the numbers of the steps that an event undoes."""
    return tuple(event.data["of"]) if event.kind in {"undone", "altered"} else ()


def dependent_steps(campaign: Campaign, number: int) -> tuple[int, ...]:
    """Return the later steps that must be undone with a step, because they touched its facts.

    Pairs of a later step and its undo cancel out. If a later step altered an earlier result,
    undoing it restores that result, so the result is included.
    """
    event = campaign.events[number - 1]
    paths = [change.path for change in event.changes if change.path[0] != "undone"]
    needed: set[int] = set()
    for later in campaign.events[number:] if paths else ():
        if campaign.undone(later.number) or not _touches(later, paths):
            continue
        back = steps_undone_by(later)
        if later.kind == "undone" and all(one > number for one in back):
            continue
        needed.add(later.number)
        needed.update(one for one in back if one > number)
    return tuple(sorted(needed))


def _touches(event: Event, paths: Iterable[tuple[str, ...]]) -> bool:
    return any(
        change.path[0] != "undone" and touch(change.path, path)
        for change in event.changes
        for path in paths
    )


def missing_dependents(campaign: Campaign, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the later steps that must be undone too, in addition to those in `numbers`."""
    named = set(numbers)
    needed: set[int] = set()
    for number in named:
        needed.update(dependent_steps(campaign, number))
    return tuple(sorted(needed - named))


def compensating_changes(campaign: Campaign, numbers: Iterable[int]) -> list[Change]:
    """Return the changes that undo steps, the latest first."""
    tree = campaign.tree
    changes: list[Change] = []
    for number in sorted(set(numbers), reverse=True):
        back, tree = take_back(tree, campaign.events[number - 1].changes)
        changes += back
    return changes


def may_undo(campaign: Campaign, event: Event, reader: LogReader) -> bool:
    """Whether a reader of the log may undo a step now.

    The GM may undo every step that is not final. Players may undo their own last step if no later
    step depends on it and it threw no dice.
    """
    if KINDS[event.kind].final or campaign.undone(event.number) or not reader.sees(event.audience):
        return False
    if reader.is_gm():
        return True
    if not reader.sits_at(event.seat) or event.throw is not None or event.kind == "undone":
        return False
    if event.kind not in _INDEPENDENT and took_later_step(campaign, event):
        return False
    return not dependent_steps(campaign, event.number)


def took_later_step(campaign: Campaign, event: Event) -> bool:
    """Whether the seat of an event took a later step that is not undone, not counting chat."""
    return any(
        later.seat == event.seat
        and later.kind not in _INDEPENDENT
        and not campaign.undone(later.number)
        for later in campaign.events[event.number :]
    )


def changes_of(
    campaign: Campaign, entity: str, after: int = 0
) -> Iterator[tuple[Event, tuple[Recorded, ...]]]:
    """Yield the events after a number that changed an entity, with these changes, latest first.

    The log is read back to that number, even if the entity has not changed for long.
    """
    here = ("entities", entity)
    for event in takewhile(lambda one: one.number > after, reversed(campaign.events)):
        changes = tuple(change for change in event.changes if change.path[:2] == here)
        if changes:
            yield event, changes
        if any(change.path == here and change.new for change in changes):
            return


def entity_at(campaign: Campaign, entity: str, number: int) -> Entity:
    """Return an entity as it was after event `number`, when it existed."""
    tree: Tree = {"entities": {entity: campaign.tree["entities"][entity]}}
    for _, changes in changes_of(campaign, entity, number):
        _, tree = take_back(tree, changes)
    return read(Entity, entity, tree["entities"][entity])
