"""The page of the GM's desk: session, seats, links, characters, options, settings, overrides."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import segno
from litestar import get, post
from litestar.params import FromPath

from kitchentable.app import kept
from kitchentable.campaign.commands import HandOver
from kitchentable.campaign.read_models import View
from kitchentable.campaign.settings import SETTINGS
from kitchentable.rules.together import clashes, excluded_by
from kitchentable.rules.values import Problem
from kitchentable.web.answers import Answer, go_to, page
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.auth import address_of, new_link, seat_cookie
from kitchentable.web.choosing import filled_in, with_names
from kitchentable.web.forms import Form, read_form
from kitchentable.web.urls import opens_here_only, path

_MOST_FACTS = 400
#: Forms that show their problems themselves; problems of others are at the top of the page.
_BESIDE = frozenset({"options", "settings", "entity", "override"})
_LONGEST_FACT = 60
#: The places of moves that stand on the desk as well as at the table.
_DESK_PLACES = frozenset({"gm", "rest"})


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that was made just now and is shown this once."""

    seat: str
    link: str
    qr: str


async def desk_page(
    request: AtTable,
    *,
    new_link: NewLink | None = None,
    form: Form | None = None,
    problems: tuple[Problem, ...] = (),
    about: str = "",
) -> Answer:
    """The desk, with the answers of a refused form. Errors: NotAllowed."""
    request.must_be_gm("Only GMs can open the desk.")
    site = request.site
    projection = request.projection
    view = view_in(projection)
    game = request.game

    invite = ""
    if view.settings.get("joining") != "closed":
        # A new key is made the first time, and after the last one was ended.
        key = await asyncio.to_thread(kept.join_key, site.server, request.campaign)
        invite = address_of(request, request.path_to("join", key=key))
    raw = filled_in(game.options, form) if form is not None else {}

    beside = about in _BESIDE or about.startswith("of ")
    return page(
        request,
        "pages/desk.html",
        status=422 if problems else 200,
        view=view,
        notices=() if beside else [("bad", problem.sentence) for problem in problems],
        game=game,
        kinds=game.sheet.kinds(view.table),
        invite=invite,
        invite_qr=qr_of(invite) if invite else "",
        new_link=new_link,
        update=site.server.tables.update_for(request.campaign),
        options=view.table.options,
        offered=with_names(game.options, view.table.options, raw),
        clashes=clashes(game.options, view.table.options),
        excluded_by=excluded_by(game.options),
        settings=SETTINGS,
        raw=raw,
        problems=problems,
        about=about,
        gm_moves=[
            move
            for move in projection.moves("")
            if move.place in _DESK_PLACES and not move.why_not and not move.fields
        ],
        facts=islice(facts_of(view), _MOST_FACTS),
    )


@get(path("desk"))
async def desk(request: AtTable) -> Answer:
    """The GM's desk."""
    return await desk_page(request)


@post(path("seat_hand_over"))
async def seat_hand_over(request: AtTable, seat: FromPath[str]) -> Answer:
    """Revoke a seat's keys and show its new link, once."""
    form = await read_form(request)
    handled = await request.do(HandOver(id=form.command(), of=seat))
    if handled.repeated:
        return go_to(request, "desk")
    # The step that was recorded has ended every key there was.
    link = await new_link(request, request.campaign, seat)
    name = str(handled.events[0].data["name"])
    answer = await desk_page(request, new_link=NewLink(name, link, qr_of(link)))
    if seat == request.sitting.seat:
        # The GM's own keys ended too; this device stays at the desk.
        answer.set_cookie(await seat_cookie(request, request.campaign, seat))
    return answer


@post(path("invite_renew"))
async def invite_renew(request: AtTable) -> Answer:
    """Replace the invitation link; the old one becomes invalid."""
    request.must_be_gm()
    await asyncio.to_thread(kept.renew_join_key, request.server, request.campaign)
    return go_to(request, "desk", "#seats")


def qr_of(link: str) -> str:
    """A link as a QR code within the page; "" for a link to this very machine.

    >>> qr_of("https://table.example/join/abc").startswith("data:image/svg+xml")
    True
    >>> qr_of("http://127.0.0.1:8000/join/abc")
    ''
    """
    if opens_here_only(link):
        return ""
    code: str = segno.make(link, error="m").svg_data_uri(scale=4, border=2, light="white")
    return code


def facts_of(view: View) -> Iterator[tuple[str, str]]:
    """The values that can be overridden, each with its path, its owner and its value.

    They are suggestions for the field; other paths can be typed too.
    """
    for entity in view.table.entities.values():
        for where, tree in (("state", entity.state), ("sheet", entity.sheet)):
            for steps, value in _leaves(tree, ()):
                whose = entity.name or "a new character"
                label = f"{whose}, {' '.join(steps)}: {str(value)[:_LONGEST_FACT]}"
                yield ".".join(("entities", entity.id, where, *steps)), label


def _leaves(tree: Mapping[str, Any], way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in tree.items():
        if "." in key:
            continue
        if isinstance(value, Mapping):
            yield from _leaves(value, (*way, key))
        elif not isinstance(value, list):
            yield (*way, key), value
