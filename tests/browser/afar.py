"""Somebody at the table without a browser: a program in their seat, through the client."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from kitchentable.app.shapes import plain
from kitchentable.campaign.read_models import SeenAsk, SeenProposal
from kitchentable.client import Table

T = TypeVar("T")
PATIENCE = 30.0


def waited_for(look: Callable[[], T | None]) -> T:
    """What `look` finds as soon as it finds something."""
    until = time.monotonic() + PATIENCE
    while (found := look()) is None:
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.1)
    return found


class Afar:
    """Somebody with the words of a `Person`, who sends commands where that one clicks."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def entity(self) -> str:
        """The id of their only character."""
        (one,) = self.table.view().mine
        return one.id

    def do(self, kind: str, /, **fields: Any) -> None:
        self.table.do({"do": kind, **fields})

    def build(self, name: str, raw: dict[str, Any]) -> None:
        """A character with this sheet, sent to the GM."""
        self.do("make-entity", kind="pc", name=name)
        self.do("save-sheet", entity=self.entity, raw=raw)
        self.do("submit-sheet", entity=self.entity)

    def move(
        self, move: str, *, faces: str = "", entity: str | None = None, **answers: Any
    ) -> None:
        """Make a move with one's own character, or with somebody else's, or with nobody's."""
        actor = self.entity if entity is None else entity
        seen = next(one for one in self.table.moves(actor) if one.name == move)
        asked = {"move": move, "entity": actor, "answers": answers, "faces": faces.split()}
        if seen.converses:
            self.do("propose", **asked, throw=bool(faces))
        else:
            self.do("make-move", **asked)

    def settle(self, **answers: Any) -> None:
        """Set what is mine in the conversation that waits for me."""
        self.do("settle", proposal=self._proposal(lambda one: bool(one.mine)).id, answers=answers)

    def throw(self, faces: str) -> None:
        mine = self._proposal(lambda one: one.may_throw)
        self.do("throw", proposal=mine.id, faces=faces.split())

    def answer(self, title: str, *, faces: str = "", **answers: Any) -> None:
        """Answer a card that waits for me, found by its title."""
        ask = waited_for(lambda: self._asked(title)).ask
        self.do("make-move", move=ask.move, ask=ask.id, answers=answers, faces=faces.split())

    def reads(self, text: str) -> None:
        """Wait until the log says something; the words of outcomes have no capitals here."""

        def look() -> bool | None:
            return text.casefold() in str(plain(self.table.entries())).casefold() or None

        waited_for(look)

    def _proposal(self, wanted: Callable[[SeenProposal], bool]) -> SeenProposal:
        def look() -> SeenProposal | None:
            return next(filter(wanted, self.table.view().proposals), None)

        return waited_for(look)

    def _asked(self, title: str) -> SeenAsk | None:
        wanted = title.casefold()
        asks = (one for one in self.table.view().asks if one.mine)
        return next((one for one in asks if wanted in one.ask.title.casefold()), None)
