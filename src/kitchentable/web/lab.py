"""The public odds lab: rolls and fights of every game, with adjustable numbers, compared."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from litestar import get

from kitchentable.app.charts import SERIES, draw_bars
from kitchentable.app.lab import (
    MOST,
    Chances,
    Setting,
    first_setting,
    labels_of,
    question,
    read_setting,
)
from kitchentable.campaign.settings import DIALECT_CHOICES
from kitchentable.dice import Columns
from kitchentable.dice.errors import BadInput, NotSolved
from kitchentable.dice.outcomes import are_numbers, in_order
from kitchentable.rules.combat import NeverEnds
from kitchentable.web.answers import Answer, as_file, packed, page, see_other
from kitchentable.web.at_table import AtTable, shown_errors
from kitchentable.web.forms import Form, read_query
from kitchentable.web.site import Asked
from kitchentable.web.urls import path

#: Seconds that one setting may take.
_WITHIN = 2.0
#: Results with a smaller chance in every setting are left to the file.
_FAINT = Fraction(1, 100_000)
#: Results on the page, at most; the file has all.
_MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting on the page: its chances, or the reason why there are none."""

    setting: Setting
    color: str
    found: Chances | None = None
    problem: str = ""


@get(path("lab"))
async def lab(request: AtTable) -> Answer:
    """The page of the settings in the address, with their chances."""
    query = read_query(request)
    if any(name not in {"of", "by", "dialect", "as"} for name in query.fields):
        return see_other(request, _address(request, query))
    every = [await _shown(request, words, color, query) for words, color in _settings(query)]
    ladder = query.one("by") == "or-more"
    columns = _columns(every, ladder=ladder)
    kind = query.one("as")
    if kind in {"svg", "png", "csv"} and columns:
        return await request.site.beside(_file, request, kind, columns)
    rows, rare = _rows(columns)
    games, _ = await asyncio.to_thread(request.server.local_games.every)
    return await request.site.beside(
        page,
        request,
        "pages/lab.html",
        status=400 if any(one.problem for one in every) else 200,
        every=every,
        rows=rows,
        rare=rare,
        most=max((chance for _, chances in rows for chance in chances if chance), default=1),
        by="or-more" if ladder else "each",
        labels=list(columns),
        numbers=any(one.found.ladder for one in every if one.found),
        games=games,
        dialect=query.one("dialect") or "house",
        dialects=DIALECT_CHOICES,
        full=len(every) >= MOST,
        query=urlencode([("of", one.setting.words) for one in every] + _more(query)),
    )


def _settings(query: Form) -> Iterator[tuple[str, str]]:
    return zip(query.all("of")[:MOST], SERIES, strict=False)


def _more(query: Form) -> list[tuple[str, str]]:
    """The parts of an address that all its settings share."""
    return [(name, query.one(name)) for name in ("by", "dialect") if query.one(name)]


async def _shown(request: AtTable, words: str, color: str, query: Form) -> Shown:
    server = request.server
    setting = Setting(words)
    try:
        setting = read_setting(words, server.tables.load_game)
        function, arguments = question(setting, query.one("dialect") or "house")
        found = await server.aside.ask(request.asker, function, *arguments, within=_WITHIN)
    except shown_errors(request, BadInput, NotSolved, NeverEnds) as refused:
        return Shown(setting, color, problem=str(refused))
    return Shown(setting, color, found)


def _address(request: Asked, query: Form) -> str:
    """The page's address after a form of it was sent: changed, copied, dropped or added."""
    do, _, at = query.one("do").partition(".")
    words: list[str] = []
    for index, (line, _) in enumerate(_settings(query)):
        if (do, at) == ("drop", str(index)):
            continue
        setting = _read(request, line).changed(
            _changes(query, f"{index}."), _changes(query, f"set.{index}.")
        )
        rule = query.one(f"rule.{index}")
        wanted = next((one for one in setting.choosable if one.name == rule), None)
        if wanted is not None:
            setting = setting.changed({}, {rule: _other(wanted)})
        words.append(setting.words)
        if (do, at) == ("copy", str(index)):
            words.append(setting.words)
    if (begun := _begun(request, query.one("new"))) is not None:
        words.append(begun.words)
    if query.one("notation").strip():
        words.append(_read(request, query.one("notation")).words)
    pairs = [("of", one) for one in words[:MOST]] + _more(query)
    return f"{request.path_to('lab')}?{urlencode(pairs)}"


def _read(request: Asked, words: str) -> Setting:
    """A setting as typed; the page shows why one cannot be used."""
    try:
        return read_setting(words, request.tables.load_game)
    except BadInput:
        return Setting(words.strip())


def _begun(request: Asked, new: str) -> Setting | None:
    """The first setting of a game's roll or fight; None for no such roll."""
    name, _, roll = new.partition(" ")
    try:
        game = request.tables.load_game(name)
    except BadInput:
        return None
    return first_setting(game, roll) if roll in {**game.rolls, **game.fights} else None


def _changes(query: Form, start: str) -> dict[str, str]:
    """The last text under each name with this prefix."""
    return {name: query.one(f"{start}{name}").strip() for name in query.answers(start)}


def _other(field: Any) -> str:
    """A value of an option that differs from the book."""
    if field.kind == "tick":
        return "no" if field.default else "yes"
    if field.kind == "choice":
        return next((one.value for one in field.choices if one.value != field.default), "")
    return str(field.default)


def _columns(every: Sequence[Shown], *, ladder: bool) -> dict[str, dict[Any, Fraction]]:
    """The chances of each setting by outcome, under names that differ."""
    found = [one.found for one in every if one.found is not None]
    labels = labels_of([one.setting for one in every if one.found is not None])
    chances = [(ladder and one.ladder) or one.rows for one in found]
    return dict(zip(labels, chances, strict=True))


def _rows(
    columns: dict[str, dict[Any, Fraction]],
) -> tuple[list[tuple[Any, list[Fraction | None]]], int]:
    """The rows of the page, and how many rare ones are left out."""
    outcomes = dict.fromkeys(outcome for column in columns.values() for outcome in column)
    order = in_order(outcomes) if are_numbers(outcomes) else list(outcomes)
    kept = [
        outcome
        for outcome in order
        if any(column.get(outcome, 0) >= _FAINT for column in columns.values())
    ][:_MOST_ROWS]
    rows = [(one, [column.get(one) for column in columns.values()]) for one in kept]
    return rows, len(outcomes) - len(kept)


def _file(request: Asked, kind: str, columns: dict[str, dict[Any, Fraction]]) -> Answer:
    if kind == "csv":
        body, media = Columns(columns).csv().encode(), "text/csv"
    else:
        rows, _ = _rows(columns)
        shown = {
            name: {one: chances[at] or Fraction(0) for one, chances in rows}
            for at, name in enumerate(columns)
        }
        title = next(iter(columns)) if len(columns) == 1 else "Chances compared"
        drawn = draw_bars(title, shown)
        body, media = (
            (drawn.svg().encode(), "image/svg+xml") if kind == "svg" else (drawn.png(), "image/png")
        )
    return packed(request, body, media, headers=as_file("odds", f".{kind}"))
