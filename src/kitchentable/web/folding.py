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


#: What is said about a roll before it is thrown.
TALK = frozenset({"proposed", "settled"})


def grown(entries: Iterable[Entry]) -> list[Entry]:
    """Entries of which each roll has one: the last word about it, or what came of it.

    >>> kinds = ("proposed", "settled", "move")
    >>> asked, answered, told = (Entry("c", one, "", "Mara", "s2", thread="r1") for one in kinds)
    >>> [entry.kind for entry in grown([asked, answered])]
    ['settled']
    >>> [entry.kind for entry in grown([asked, answered, told])]
    ['move']
    """
    told = list(entries)
    last = {entry.thread: entry for entry in told if replaces(entry) or entry.kind in TALK}
    return [one for one in told if one.kind not in TALK or last.get(one.thread, one) is one]


def replaces(entry: Entry) -> bool:
    """Whether an entry takes the place of what was said about its roll before."""
    return ends_thread(entry) or (entry.kind == "settled" and not entry.undone)


def ends_thread(entry: Entry) -> bool:
    """Whether an entry is the result of a proposal."""
    return bool(entry.thread) and entry.kind in {"move", "declined"} and not entry.undone


def runs(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Entries in their order: each run of bookkeeping together, every other entry alone.

    >>> kinds = ("seat-asked", "noted", "said", "said", "noted")
    >>> told = runs(Entry("c", kind, "", "GM", "s1") for kind in kinds)
    >>> [[entry.kind for entry in run] for run in told]
    [['seat-asked', 'noted'], ['said'], ['said'], ['noted']]
    """
    found: list[list[Entry]] = []
    for folds, run in groupby(entries, lambda entry: entry.kind in BOOKKEEPING):
        told = list(run)
        found += [told] if folds else [[entry] for entry in told]
    return found
