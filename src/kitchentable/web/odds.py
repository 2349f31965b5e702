"""Pages that show odds: made, and made again once the odds that they lacked are worked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from kitchentable.app.odds import TooManyAsked
from kitchentable.app.projections import Projection
from kitchentable.rules.moves import Question
from kitchentable.web.auth import Sitting
from kitchentable.web.projections import projection_of
from kitchentable.web.site import Asked, site_of

T = TypeVar("T")

#: How often something is made anew: odds that came may open the way to further ones.
_AGAIN = 2


async def with_odds(request: Asked, sitting: Sitting, make: Callable[[Projection], T]) -> T:
    """The result of `make` for a seat's projection, with all odds that can be solved in time.

    `make` is called in a thread. It changes nothing, and says of what is not known in the end why.
    """
    site, projection = site_of(request), projection_of(request, sitting)
    odds = site.server.tables.odds

    def watched() -> tuple[T, Sequence[Question]]:
        with odds.watch() as missing:
            return make(projection), missing

    for _ in range(_AGAIN):
        made, missing = await site.beside(watched)
        if not missing:
            return made
        try:
            await odds.work_out(f"{sitting.campaign}/{sitting.seat}", missing)
        except TooManyAsked:
            return made
        projection.look_again()
    return await site.beside(make, projection)
