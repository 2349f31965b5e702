"""Pages that show odds: made, and made again once the odds that they lacked are worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from kitchentable.app.odds import TooManyAsked
from kitchentable.web.auth import Sitting
from kitchentable.web.site import Asked, site_of

T = TypeVar("T")

#: How often something is made anew: odds that came may open the way to further ones.
_AGAIN = 2


async def with_odds(request: Asked, sitting: Sitting, make: Callable[[], T]) -> T:
    """What `make` gives for a seat, with all odds that can be worked out in time.

    `make` changes nothing and does not wait. What is not known in the end, it says so.
    """
    odds = site_of(request).house.tables.odds
    for _ in range(_AGAIN):
        with odds.watch() as missing:
            made = make()
        if not missing:
            return made
        try:
            await odds.work_out(f"{sitting.campaign}/{sitting.seat}", missing)
        except TooManyAsked:
            return made
    return make()
