"""A request about one table: its seat, its views of the table, and its commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from kitchentable.app.odds import TooManyAsked
from kitchentable.app.projections import Projection
from kitchentable.app.table import Handled
from kitchentable.campaign.commands import Command
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.kinds import QUIET
from kitchentable.campaign.read_models import Entry, View
from kitchentable.campaign.state import Campaign
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Question
from kitchentable.rules.table import Seat
from kitchentable.rules.values import Problem
from kitchentable.web.answers import HTML, Answer, is_script, piece, see_other, wants_json
from kitchentable.web.auth import Sitting, sit
from kitchentable.web.errors import NoSeat
from kitchentable.web.folding import without_answered
from kitchentable.web.limits import network
from kitchentable.web.site import Asked

T = TypeVar("T")
#: The header of a form in the queue that opens on pages without the feed.
QUEUE = "kt-queue"
#: The most attempts to render something: solved odds may show that further odds are needed.
_AGAIN = 2
_NOWHERE: Mapping[str, str] = MappingProxyType({})
#: The fields of refused names and descriptions, by the code of the refusal.
NAMING: Mapping[str, str] = MappingProxyType(
    {
        "name/empty": "name",
        "name/too-long": "name",
        "name/unseen": "name",
        "entity/kind": "kind",
    }
)
#: As `NAMING`, for forms in which nothing else can be too long.
DESCRIBING: Mapping[str, str] = MappingProxyType({**NAMING, "table/too-long": "line"})


class AtTable(Asked):
    """A request about the campaign in its path.

    Its seat is looked up once, by the guard of all routes; a route for others says so: ``open``.
    """

    _sitting: Sitting | None = None

    @property
    def campaign(self) -> str:
        """The id of the campaign."""
        return str(self.path_params["campaign"])

    @property
    def whole_campaign(self) -> Campaign:
        """The campaign with all of its secrets, which the `view` of a seat leaves out."""
        return self.tables.campaign(self.campaign)

    @property
    def has_table(self) -> bool:
        """Whether the request is about a table; some routes work with and without one."""
        return "campaign" in self.path_params

    @property
    def sitting(self) -> Sitting:
        """The seat that the request comes from. Errors: NoSeat; TooManyTries."""
        return self._sitting or self.sit()

    def sit(self, *, known: bool = False) -> Sitting:
        """Look up the seat; with `known` in memory alone. Errors: NoSeat; TooManyTries."""
        self._sitting = sit(self, self.campaign, known=known)
        return self._sitting

    @property
    def asker(self) -> str:
        """The name under which work on odds is counted: the seat's, or the address's."""
        if self.has_table:
            return f"{self.campaign}/{self.sitting.seat}"
        return f"address {network(self.origin.address)}"

    @property
    def seat(self) -> Seat:
        """The seat as the table has it, whatever its state. Errors: NoSeat, NoSuchCampaign."""
        seat = self.server.projections.seat(self.campaign, self.sitting.seat)
        if seat is None:
            raise NoSeat("This seat is no longer at the table. Ask the GM for a new one.")
        return seat

    @property
    def projection(self) -> Projection:
        """The table for the seat, with its log and its moves."""
        return self.server.projections.of(self.campaign, self.sitting.seat)

    @property
    def view(self) -> View:
        """The table as a page shows it. Errors: NotAllowed for a seat that waits or has ended."""
        return view_in(self.projection)

    @property
    def game(self) -> Game:
        """The game that the table plays."""
        return self.tables.game(self.campaign)

    def must_be_gm(self, refusal: str = "Only the GM can do that.") -> None:
        """Refuse a seat that is neither GM nor co-GM. Errors: NotAllowed."""
        if not self.view.for_gm:
            raise NotAllowed(refusal)

    async def do(self, command: Command) -> Handled:
        """Send a command to the table for this seat, whatever seat the command names.

        The command's id is valid for its sender only, so nobody can use up or repeat another's.
        Errors: those of the table.
        """
        sitting = self.sitting
        # The id is recorded: that of an unnamed command must not tell the seat either.
        before = "unnamed" if command.unnamed else sitting.seat
        own = msgspec.structs.replace(command, seat=sitting.seat, id=f"{before}.{command.id}")
        return await self.tables.handle(self.campaign, own, sitting.key)

    def done(self, anchor: str = "", to: str = "table", **parameters: str) -> Answer:
        """The response after a command: empty for a page with the feed, a redirect for others."""
        if is_script(self):
            if QUEUE in self.headers:
                return piece(self, "parts/needs_news.html", view=self.view)
            headers = what_follows(self, self.campaign)
            return Answer(b"", media_type=HTML, status_code=200, headers=headers)
        return see_other(self, self.path_to(to, **parameters) + anchor)

    async def with_odds(self, make: Callable[[Projection], T]) -> T:
        """The result of `make` for the projection, with all odds that can be solved in time.

        `make` is called in a thread and must change nothing. Odds that are not solved in time come
        with a reason; once they are solved, the seat's pages request them again.
        """
        projection, odds = self.projection, self.tables.odds

        def watched() -> tuple[T, Sequence[Question]]:
            with odds.watch() as missing:
                return make(projection), missing

        for _ in range(_AGAIN):
            made, missing = await self.site.beside(watched)
            if not missing:
                return made
            try:
                await odds.work_out(self.asker, missing)
            except TooManyAsked:
                return made
            projection.look_again()
        made, missing = await self.site.beside(watched)
        if missing:
            self.site.solve_later(self.campaign, self.sitting.seat, missing)
        return made


def view_in(projection: Projection) -> View:
    """The table as a page shows it. Errors: NotAllowed for a seat that waits or has ended."""
    view = projection.view
    if not view.me.is_seated:
        raise NotAllowed("The GM has not let you in yet. Please wait.", code="seat/waiting")
    return view


def for_table(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that the log at the table shows; the journal shows all."""
    return without_answered([entry for entry in entries if entry.kind not in QUIET])


def shown_errors(
    request: Asked, *kinds: type[KitchenTableError]
) -> tuple[type[KitchenTableError], ...]:
    """The errors that a page shows next to its form; none for a program, which gets JSON.

    Without `kinds` they are bad input. Meant for `except shown_errors(request) as refused:`.
    """
    return () if wants_json(request) else kinds or (BadInput,)


def problems_of(
    refused: KitchenTableError, places: Mapping[str, str] = _NOWHERE
) -> tuple[Problem, ...]:
    """A refusal as problems of the fields of a form.

    `places` gives the field for a code, and for "" that of any other code; without one, the problem
    is of the whole form.
    """
    place = places.get(refused.code, places.get("", ""))
    found = refused.problems if isinstance(refused, BadAnswers) else ()
    problems = found or (Problem("", "", str(refused)),)
    return tuple(replace(one, where=one.where or place) for one in problems)


def what_follows(request: Asked, campaign: str) -> dict[str, str]:
    """Headers for a script after its command: a page without the feed reloads."""
    page = request.headers.get("hx-current-url")
    if page is None or urlsplit(page).path == request.renderer.url("table", campaign=campaign):
        return {}
    return {"HX-Refresh": "true"}
