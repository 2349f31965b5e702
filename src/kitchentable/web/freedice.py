"""Dice in notation outside any campaign: thrown, and what they do. Open to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from litestar import get

from kitchentable import dice
from kitchentable.app.results import odds_of
from kitchentable.campaign.seen import Entry, SeenDie
from kitchentable.campaign.words import outcome_in_words
from kitchentable.dice.errors import NotSolved
from kitchentable.dice.notation import parse, tally
from kitchentable.web.acting import told_on_page
from kitchentable.web.answers import Answer, page
from kitchentable.web.forms import read_query
from kitchentable.web.limits import network
from kitchentable.web.site import Asked, origin_of, site_of
from kitchentable.web.urls import path

#: Seconds that the odds of free dice may take.
_WITHIN = 1.0


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a notation cannot be thrown, and where in it."""

    sentence: str
    at: int | None


@get(path("dice"), include_in_schema=False)
async def dice_page(request: Asked) -> Answer:
    """Dice in notation: what they do, and thrown with the operating system's entropy."""
    query = read_query(request)
    notation = query.one("notation").strip()
    # Nothing is kept of these dice, so no form has to prove where it comes from.
    thrown, odds, problem = None, None, None
    if notation:
        try:
            if query.ticked("roll"):
                thrown = _thrown(site_of(request).house.tables.clock(), notation)
            asker = f"address {network(origin_of(request).address)}"
            aside = site_of(request).house.aside
            odds = await aside.ask(asker, odds_of, notation, within=_WITHIN)
        except (*told_on_page(request), *told_on_page(request, NotSolved)) as refused:
            problem = Wrong(str(refused), getattr(refused, "position", None))
    return page(
        request,
        "pages/dice.html",
        # Dice that fell are an answer, even where their odds are too much to add up.
        status=400 if problem and not thrown else 200,
        notation=notation,
        thrown=thrown,
        odds=odds,
        problem=problem,
    )


def _thrown(now: str, notation: str) -> Entry:
    rolled = dice.roll(notation)
    return Entry(
        cursor=re.sub(r"\W+", "-", now),
        kind="rolled",
        time=now,
        who="You",
        seat="",
        text=f"You roll {notation}: {outcome_in_words(rolled.outcome)}.",
        dice=_seen(rolled.trace.throws),
        sum=tally(parse(notation), rolled.trace.faces),
    )


def _seen(throws: Iterable[dice.Throw]) -> tuple[SeenDie, ...]:
    return tuple(
        SeenDie(one.die, one.sides, str(one.face), one.label, one.fate, one.why) for one in throws
    )


ROUTES = (dice_page,)
