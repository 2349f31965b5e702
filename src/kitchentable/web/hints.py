"""The first steps at a table: three hints that a browser puts away."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath

from kitchentable.web.answers import Answer, is_script, piece, see_other
from kitchentable.web.auth import hints_cookie, sit
from kitchentable.web.forms import read_form
from kitchentable.web.projections import view_of
from kitchentable.web.site import Asked, renderer_of
from kitchentable.web.urls import path

_MOST = 3


@post(path("hint"), include_in_schema=False, status_code=200)
async def hint(request: Asked, campaign: FromPath[str]) -> Answer:
    """A hint is put away, and the next one shown."""
    view = view_of(request, sit(request, campaign))
    told = (await read_form(request)).one("seen")
    seen = min(int(told), _MOST) if told.isascii() and told.isdecimal() and len(told) < 3 else _MOST
    cookie = hints_cookie(request, seen)
    if not is_script(request):
        return see_other(
            request, renderer_of(request).url("table", campaign=campaign), cookies=[cookie]
        )
    answer = piece(request, "parts/hints_next.html", view=view, seen=seen)
    answer.set_cookie(cookie)
    return answer


ROUTES = (hint,)
