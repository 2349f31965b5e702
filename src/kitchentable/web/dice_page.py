"""The public page of dice in notation, outside any campaign, with odds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from litestar import get

from kitchentable import dice
from kitchentable.app.results import odds_of
from kitchentable.campaign.read_models import Entry, SeenDie
from kitchentable.campaign.settings import DIALECT_CHOICES
from kitchentable.campaign.words import outcome_in_words
from kitchentable.dice.errors import BadInput, NotSolved
from kitchentable.dice.notation import Expression, tally
from kitchentable.dice.notation.dialects.reading import read
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable, shown_errors
from kitchentable.web.forms import read_query
from kitchentable.web.urls import path

#: Seconds that the odds of free dice may take.
_WITHIN = 1.0


@get(path("dice"))
async def dice_page(request: AtTable) -> Answer:
    """The odds of dice in notation, and a roll with the operating system's entropy."""
    query = read_query(request)
    notation, dialect = query.one("notation").strip(), query.one("dialect") or "house"
    # Nothing is kept of these dice, so no form has to prove where it comes from.
    thrown, odds, problem, native = None, None, "", ""
    position: int | None = None
    if notation:
        try:
            native = in_native_notation(notation, dialect)
            if query.ticked("roll"):
                thrown = _thrown(request.tables.clock(), notation, dialect)
            aside = request.server.aside
            odds = await aside.ask(request.asker, odds_of, notation, dialect, within=_WITHIN)
        except shown_errors(request, BadInput, NotSolved) as refused:
            problem, position = str(refused), getattr(refused, "position", None)
    return await request.site.beside(
        page,
        request,
        "pages/dice.html",
        # Rolled dice are shown even if their odds are too much to calculate.
        status=400 if problem and not thrown else 200,
        notation=notation,
        dialect=dialect,
        dialects=DIALECT_CHOICES,
        native=native,
        thrown=thrown,
        odds=odds,
        problem=problem,
        position=position,
    )


def in_native_notation(notation: str, dialect: str) -> str:
    """A text of another program in the notation used here; "" if both are the same.

    Errors: NotationError, UnknownDialect.

    >>> in_native_notation("4d6k3", "roll20")
    '4d6kh3'
    >>> in_native_notation("4d6!kh3", "roll20"), in_native_notation("2d6", "roll20")
    ('', '')
    """
    expression = read(notation, dialect)
    spelled = str(expression) if isinstance(expression, Expression) else ""
    return "" if spelled == notation else spelled


def _thrown(now: str, notation: str, dialect: str) -> Entry:
    rolled = dice.roll(notation, dialect=dialect)
    return Entry(
        cursor=re.sub(r"\W+", "-", now),
        kind="rolled",
        time=now,
        who="You",
        seat="",
        text=f"You roll {notation}: {outcome_in_words(rolled.outcome)}.",
        dice=_seen(rolled.trace.throws),
        sum=tally(read(notation, dialect), rolled.trace.faces),
    )


def _seen(throws: Iterable[dice.Throw]) -> tuple[SeenDie, ...]:
    return tuple(
        SeenDie(one.die, one.sides, str(one.face), one.label, one.fate, one.why) for one in throws
    )
