"""The rulebook of a game, and dice in notation outside any campaign: open to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from litestar import get
from litestar.params import FromPath

from kitchentable import dice
from kitchentable.campaign.seen import Entry, SeenDie
from kitchentable.dice.errors import BadInput
from kitchentable.game.moves import Card, Side
from kitchentable.web.answers import Answer, page, see_other
from kitchentable.web.auth import sit
from kitchentable.web.forms import Form, read_query
from kitchentable.web.seen import view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path

_MOST_ROWS = 120
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Odds:
    """What a notation does, as the page shows it."""

    rows: tuple[tuple[str, Fraction], ...]
    mean: str
    sd: str
    low: str
    high: str
    unresolved: Fraction
    cut: int


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a notation cannot be thrown, and where in it."""

    sentence: str
    at: int | None


@get(path("rules", 1), include_in_schema=False)
async def rules(request: Asked, game: FromPath[str]) -> Answer:
    """The rulebook, outside any campaign; from one, on to the campaign's own."""
    query = read_query(request)
    if query.one("campaign"):
        url = renderer_of(request).url
        to = url("rules", game=game, campaign=query.one("campaign"), words=query.one("words"))
        return see_other(request, to)
    return _rules(request, game, query, view=None, options={})


@get(path("rules", 0), include_in_schema=False)
async def campaign_rules(request: Asked, campaign: FromPath[str], game: FromPath[str]) -> Answer:
    """The rulebook, with the options as this table has set them."""
    view = view_of(request, sit(request, campaign))
    return _rules(request, game, read_query(request), view=view, options=view.table.options)


def _rules(request: Asked, game: str, query: Form, *, view: Any, options: Any) -> Answer:
    tables = site_of(request).house.tables
    own = view is not None and view.game == game
    loaded = tables.game(view.campaign) if own else tables.newest(game)
    words = query.one("words").strip()[:200]
    return page(
        request,
        "pages/rules.html",
        view=view if own else None,
        game=loaded,
        options=options,
        words=words,
        found=loaded.rulebook.search(words) if words else (),
    )


@get(path("dice"), include_in_schema=False)
async def dice_page(request: Asked) -> Answer:
    """Dice in notation: what they do, and thrown with the operating system's entropy."""
    query = read_query(request)
    notation = query.one("notation").strip()[:_LONGEST]
    # Nothing is kept of these dice, so no form has to prove where it comes from.
    return _dice(request, notation, throw=query.ticked("roll"))


def _dice(request: Asked, notation: str, *, throw: bool = False) -> Answer:
    thrown, odds, problem = None, None, None
    if notation:
        try:
            thrown = _thrown(site_of(request).house.tables.clock(), notation) if throw else None
            odds = odds_of(notation)
        except BadInput as refused:
            problem = Wrong(str(refused), getattr(refused, "position", None))
    return page(
        request,
        "pages/dice.html",
        status=400 if problem else 200,
        notation=notation,
        thrown=thrown,
        odds=odds,
        problem=problem,
    )


def odds_of(notation: str) -> Odds:
    """The exact distribution of a notation, for the page. Errors: BadInput.

    >>> odds_of("2d6").mean
    '7'
    """
    found = dice.odds_of_notation(notation)
    rows = [(str(outcome), chance) for outcome, chance in found.items()]
    cut = 0
    while len(rows) > _MOST_ROWS:
        # Far out on both sides lies what hardly ever happens.
        end = 0 if rows[0][1] <= rows[-1][1] else -1
        rows.pop(end)
        cut += 1
    numbers = [outcome for outcome in found if isinstance(outcome, int)]
    exact = bool(numbers) and not found.unresolved
    return Odds(
        rows=tuple(rows),
        mean=number_in_words(found.mean()) if exact else "",
        sd=number_in_words(Fraction(float(found.variance()) ** 0.5)) if exact else "",
        low=str(min(numbers)) if numbers else "",
        high=str(max(numbers)) if exact else "",
        unresolved=found.unresolved,
        cut=cut,
    )


def number_in_words(number: Any) -> str:
    """A number with as many digits as say something.

    >>> number_in_words(Fraction(49, 4)), number_in_words(Fraction(7))
    ('12.25', '7')
    """
    return f"{float(number):.4g}"


def _thrown(now: str, notation: str) -> Entry:
    rolled = dice.roll_notation(notation)
    outcome = rolled.outcome
    hit = outcome if isinstance(outcome, bool) else None
    total = outcome if hit is None else None
    word = "" if hit is None else "yes" if hit else "no"
    return Entry(
        cursor=re.sub(r"\W+", "-", now),
        kind="rolled",
        time=now,
        who="You",
        seat="",
        card=Card(notation, sides=(Side("You", "", (), total, word),)),
        dice=_seen(rolled.trace.throws),
    )


def _seen(throws: Iterable[dice.Throw]) -> tuple[SeenDie, ...]:
    # The card has one side without a label; every die lies on it.
    return tuple(
        SeenDie(one.die, one.sides, str(one.face), "", one.fate, one.why) for one in throws
    )


ROUTES = (rules, campaign_rules, dice_page)
