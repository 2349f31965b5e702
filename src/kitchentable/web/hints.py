"""The first steps at a table: three hints that a browser puts away."""

from __future__ import annotations

from litestar import post

from kitchentable.web.answers import Answer, is_script, piece, see_other
from kitchentable.web.at_table import AtTable
from kitchentable.web.auth import hints_cookie
from kitchentable.web.forms import read_form
from kitchentable.web.urls import path

_MOST = 3


@post(path("hint"))
async def hint(request: AtTable) -> Answer:
    """A hint is put away, and the next one shown."""
    view = request.view
    told = (await read_form(request)).one("seen")
    seen = min(int(told), _MOST) if told.isascii() and told.isdecimal() and len(told) < 3 else _MOST
    cookie = hints_cookie(request, seen)
    if not is_script(request):
        return see_other(request, request.path_to("table"), cookies=[cookie])
    answer = piece(request, "parts/hints_next.html", view=view, seen=seen)
    answer.set_cookie(cookie)
    return answer
