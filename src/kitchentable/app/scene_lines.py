"""Chat lines about the scene: the X-card, lines and veils, clocks, roll tables.

``/x`` pauses and ``/x off`` continues; ``/line`` and ``/veil`` are followed by a text, or by
``off`` and that text; ``/clock Storm 2/6`` makes or sets a clock, ``+1``, ``-1`` and ``off`` change
it; ``/oracle Trouble, at the gate?`` rolls on a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kitchentable.campaign.commands import Command, PlayXCard, RollOracle, SetClock, SetLimit
from kitchentable.campaign.scene import Clock, Limit, Oracle, Scene
from kitchentable.campaign.words import listed, split_name, unquoted
from kitchentable.dice.errors import BadInput

#: The verbs of the scene, with the subject of each.
SCENE: Mapping[str, str] = MappingProxyType(
    {
        "x": "x-card",
        "line": "line",
        "veil": "veil",
        "clock": "clock",
        "oracle": "oracle",
    }
)
_OFF = "off"
_CLOCK = re.compile(
    r"(?P<title>.*\S)\s+(?:(?P<step>[+-]\d{1,3})|(?P<now>\d{1,3})(?:/(?P<of>\d{1,3}))?)"
)


class BadSceneLine(BadInput):
    """A line about the scene is incomplete, or names something unknown."""

    code = "line/scene"


@dataclass(frozen=True, slots=True)
class SceneLine:
    """A line about the scene: its subject and the words after the verb."""

    about: str
    text: str = ""


def scene_command(line: SceneLine, scene: Scene, ident: str) -> Command:
    """The command of a line about the scene, as its sender sees it.

    Errors: BadSceneLine.

    >>> scene_command(SceneLine("clock", '"The Storm" 2/6'), Scene(), "c").title
    'The Storm'
    >>> storm = Scene((Clock("k", "Storm", 2, 6),))
    >>> scene_command(SceneLine("clock", "storm +1"), storm, "c").filled
    3
    >>> scene_command(SceneLine("veil", '"harm to animals"'), storm, "c").text
    'harm to animals'
    >>> trouble = Scene(oracles=(Oracle("t", "What goes wrong?", "d6", ()),))
    >>> scene_command(SceneLine("oracle", 'what goes wrong? "Stop!" he says'), trouble, "c").text
    '"Stop!" he says'
    >>> scene_command(SceneLine("x-card", "off"), Scene(), "c").paused
    False
    """
    text = " ".join(line.text.split())
    match line.about:
        case "x-card":
            return PlayXCard(id=ident, paused=text.casefold() != _OFF)
        case "clock":
            return _clock(text, scene.clocks, ident)
        case "oracle":
            return _oracle(text, scene.oracles, ident)
        case kind:
            return _limit(kind, text, scene.limits, ident)


def _limit(kind: str, text: str, limits: Iterable[Limit], ident: str) -> Command:
    first, _, rest = text.partition(" ")
    if not text or (first == _OFF and not rest):
        raise BadSceneLine(f"Name the topic, for example /{kind} harm to animals.")
    if first != _OFF:
        return SetLimit(id=ident, kind=kind, text=unquoted(text))
    there, rest = [one for one in limits if one.kind == kind], unquoted(rest)
    for one in there:
        if one.text.casefold() == rest.casefold():
            return SetLimit(id=ident, limit=one.id, gone=True)
    raise BadSceneLine(_none_called(kind, rest, [one.text for one in there]))


def _clock(text: str, clocks: Iterable[Clock], ident: str) -> Command:
    known = {one.title.casefold(): one for one in clocks}
    found = _CLOCK.fullmatch(text)
    typed = found["title"] if found else text.removesuffix(f" {_OFF}")
    title = unquoted(typed)
    clock = known.get(title.casefold())
    if typed == text:
        raise BadSceneLine("Name the clock and its progress, for example /clock Storm 2/6.")
    if found is None or found["step"]:
        if clock is None:
            raise BadSceneLine(_none_called("clock", title, [one.title for one in known.values()]))
        if found is None:
            return SetClock(id=ident, clock=clock.id, gone=True)
        return SetClock(id=ident, clock=clock.id, filled=clock.filled + int(found["step"]))
    now, of = int(found["now"]), int(found["of"]) if found["of"] else None
    if clock is not None:
        return SetClock(id=ident, clock=clock.id, filled=now, of=of)
    return SetClock(id=ident, title=title, filled=now, of=of)


def _oracle(text: str, oracles: Iterable[Oracle], ident: str) -> Command:
    there = list(oracles)
    known = {name.rstrip("?").casefold(): one for one in there for name in (one.id, one.title)}
    name, rest = split_name(text, known)
    one = known.get(name.rstrip("?").casefold())
    if one is None:
        raise BadSceneLine(_none_called("table", name, [one.title for one in there]))
    return RollOracle(id=ident, oracle=one.id, text=rest.lstrip("?,: "))


def _none_called(what: str, text: str, there: list[str]) -> str:
    here = f"There are: {listed(there)}." if there else "There are none."
    return f"No {what} is called {text[:40]!r}. {here}" if text else f"Say which {what}. {here}"
