"""The terms of a version of a game, for comparison with another version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from kitchentable.rules.values import record

_NOTHING: Mapping[str, str] = MappingProxyType({})


@record
class Term:
    """One part of a game that can differ in another version: a trait, a track, a roll.

    `key` is the same in all versions; for numbers on sheets it has the list's key ("traits.wits").
    `what` is the noun before the name ("trait"). `says` has the properties: the beginning of a
    sentence ("The number of points for Self"), and the value.
    """

    key: str
    what: str
    name: str
    says: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


def differences_of(before: Iterable[Term], now: Iterable[Term]) -> Iterator[str]:
    """The terms added, removed and changed, as sentences.

    >>> was = Term("groups.self", "group", "Self", {"The number of points for Self": "6"})
    >>> now = Term("groups.self", "group", "Self", {"The number of points for Self": "7"})
    >>> list(differences_of([was], [now, Term("traits.wits", "trait", "Wits")]))
    ['The number of points for Self changes from 6 to 7.', 'The trait Wits is new.']
    >>> list(differences_of([Term("traits.wits", "trait", "Wits")], []))
    ['The trait Wits was removed.']
    >>> former = Term("traits.wits", "trait", "Wits", {"The group of Wits": "Self"})
    >>> latter = Term("traits.wits", "trait", "Ease", {"The group of Ease": "Self"})
    >>> list(differences_of([former], [latter]))
    ['The trait Wits is now called Ease.']
    """
    known = {one.key: one for one in before}
    present = {one.key: one for one in now}
    for key, one in present.items():
        if key in known:
            yield from _changes_of(known[key], one)
    yield from (
        f"The {one.what} {one.name} was removed." for k, one in known.items() if k not in present
    )
    yield from (
        f"The {one.what} {one.name} is new." for k, one in present.items() if k not in known
    )


def _changes_of(was: Term, now: Term) -> Iterator[str]:
    if was.name != now.name:
        yield f"The {now.what} {was.name} is now called {now.name}."
    before = {_without_name(start, was.name): value for start, value in was.says.items()}
    for start, value in now.says.items():
        old = before.get(_without_name(start, now.name), "nothing")
        if old != value:
            yield f"{start} changes from {old} to {value}."


def _without_name(start: str, name: str) -> str:
    """The beginning of a sentence without the term's name, which may differ between versions."""
    return start.removesuffix(f" {name}")
