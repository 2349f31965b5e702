"""Parts of the table's log: the story, the rolls, and runs of bookkeeping that are folded.

Only entries that a seat was given are sorted and counted here, so a folded line tells no seat of
anything that is hidden from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.read_models import Entry


def _kinds_in(*groups: str) -> frozenset[str]:
    return frozenset(
        name for name, kind in KINDS.items() if not set(groups).isdisjoint(kind.groups.split())
    )


#: Changes of seats, rules, characters, notes, clocks and conditions.
BOOKKEEPING = _kinds_in("house", "sheets") | {
    "noted",
    "handout-saved",
    "contributed",
    "clock-set",
    "marked",
    "reordered",
}
ROLLS = _kinds_in("rolls") | {"revealed"}
STORY = (ROLLS | _kinds_in("talk", "evenings") | {"declined"}) - BOOKKEEPING


def parts_of(entry: Entry) -> str:
    """Classes of an entry, by which the style sheet shows the story or the rolls alone.

    >>> parts_of(Entry("c", "rolled", "", "Mara", "s2"))
    ' in-story in-rolls'
    >>> parts_of(Entry("c", "sheet-accepted", "", "GM", "s1"))
    ' bookkeeping'
    >>> parts_of(Entry("c", "said", "", "Mara", "s2", undone="Taken back by Mara."))
    ''
    """
    if entry.kind in BOOKKEEPING:
        return " bookkeeping"
    if entry.undone or entry.kind not in STORY:
        return ""
    return " in-story in-rolls" if entry.kind in ROLLS else " in-story"


def without_answered(entries: Iterable[Entry]) -> list[Entry]:
    """Entries without proposals that have their result among them.

    >>> asked = Entry("c", "proposed", "", "Mara", "s2", thread="r1")
    >>> result = Entry("c", "move", "", "Mara", "s2", thread="r1")
    >>> [entry.kind for entry in without_answered([asked, result])]
    ['move']
    """
    every = list(entries)
    if len(every) < 2:
        return every
    ended = {entry.thread for entry in every if ends_thread(entry)}
    return [entry for entry in every if entry.kind != "proposed" or entry.thread not in ended]


def ends_thread(entry: Entry) -> bool:
    """Whether an entry is the result of a proposal."""
    return bool(entry.thread) and entry.kind in {"move", "declined"} and not entry.undone


def runs(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Entries in their order: each run of bookkeeping together, every other entry alone.

    >>> kinds = ("seat-asked", "noted", "said", "said", "noted")
    >>> found = runs(Entry("c", kind, "", "GM", "s1") for kind in kinds)
    >>> [[entry.kind for entry in run] for run in found]
    [['seat-asked', 'noted'], ['said'], ['said'], ['noted']]
    """
    found: list[list[Entry]] = []
    for folds, run in groupby(entries, lambda entry: entry.kind in BOOKKEEPING):
        every = list(run)
        found += [every] if folds else [[entry] for entry in every]
    return found
