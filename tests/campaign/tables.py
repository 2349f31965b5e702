"""Tables to test at: a campaign of the coin game and the people who sit there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import decide
from kitchentable.campaign.dice_source import NO_DICE, DiceSource
from kitchentable.campaign.events import Event
from kitchentable.campaign.paths import MISSING, drop, look, put
from kitchentable.campaign.state import Campaign, evolve
from kitchentable.dice import LoadedDice
from kitchentable.rules.game import Game
from tests.campaign.coin import COIN

BOOKS = {"undone", "revealed"}
NOW = "2026-11-21T19:30:00Z"
IDA, MARA, JON, TOVE, SAM = "s-ida", "s-mara", "s-jon", "s-tove", "s-sam"


@dataclass
class Evening:
    """A table in a test: sends commands and keeps the campaign.

    Each command is decided twice, which has to give the same, and events go through their bytes.
    """

    game: Game = COIN
    campaign: Campaign | None = None
    sent: int = 0
    log: list[Event] = field(default_factory=list)

    def send(
        self,
        command: type[c.Command],
        seat: str,
        *,
        faces: Iterable[Any] = (),
        typed: bool = False,
        **parts: Any,
    ):
        """Decide a command and take in its events; gives the last of them.

        `faces` are what the table's dice show; with `typed`, what somebody typed in.
        """
        self.sent += 1
        thrown = tuple(faces)
        if typed or command is c.Alter:
            parts["faces"] = tuple(map(str, thrown))
        made = command(id=f"c{self.sent}", seat=seat, **parts)
        real = typed or command is c.Alter

        def hand() -> DiceSource:
            if not thrown and not real:
                return NO_DICE
            loaded = LoadedDice(thrown)
            return DiceSource(loaded, typed=True) if real else DiceSource(loaded, self.sent, 1)

        events = decide(self.campaign, self.game, made, hand(), NOW)
        assert decide(self.campaign, self.game, made, hand(), NOW) == events
        for event in events:
            assert codec.decode(codec.encode(event)) == event
            self.campaign = evolve(self.campaign, event)
            self.log.append(event)
        return events[-1]

    @property
    def table(self):
        return self.campaign.table

    @property
    def tree(self):
        return self.campaign.tree

    def entity(self, entity: str):
        return self.table.entities[entity]


def opened(**parts: Any) -> Evening:
    """A table with nobody but its GM."""
    evening = Evening()
    evening.send(
        c.OpenCampaign, IDA, campaign="salt", title="Salt", game="coin", gm_name="Ida", **parts
    )
    return evening


def seated(**parts: Any) -> Evening:
    """Ida is the GM, Mara and Jon play, Sam watches, Tove helps as a co-GM."""
    evening = opened(**parts)
    for seat, name in ((MARA, "Mara"), (JON, "Jon"), (TOVE, "Tove")):
        evening.send(c.AskForSeat, IDA, new_seat=seat, name=name, approved=True)
    evening.send(c.AskForSeat, IDA, new_seat=SAM, name="Sam", role="spectator", approved=True)
    evening.send(c.SetRole, IDA, of=TOVE, role="cogm")
    return evening


def playing(**parts: Any) -> Evening:
    """The same, with Kes (Mara's), Bo (Jon's), and a closed NPC, Grim, all in play."""
    evening = seated(**parts)
    for name, owner in (("Kes", MARA), ("Bo", JON)):
        sheet = {"coins": 3, "skill": 2}
        evening.send(c.MakeEntity, IDA, kind="pc", name=name, owner=owner, sheet=sheet)
    evening.send(c.MakeEntity, IDA, kind="npc", name="Grim", sheet={"coins": 5, "skill": 4})
    evening.send(c.BeginSession, IDA, commitment="promise")
    return evening


def named(evening: Evening, name: str) -> str:
    """The id of somebody by name."""
    return next(one.id for one in evening.table.entities.values() if one.name == name)


def as_if_never(log: list[Any], undone: set[str]) -> dict[str, Any]:
    """The facts that the steps make which were not taken back, the others never made."""
    tree: dict[str, Any] = {}
    for event in log:
        if event.kind == "undone" or str(event.number) in undone:
            continue
        for change in event.changes:
            if not change.gone:
                tree = put(tree, change.path, change.now)
            elif look(tree, change.path) is not MISSING:
                tree = drop(tree, change.path)
    return tree


def pruned(tree: Any) -> Any:
    """The facts without book-keeping, and without places that hold nothing."""
    if not isinstance(tree, dict):
        return tree
    kept = {key: pruned(one) for key, one in tree.items() if key not in BOOKS}
    return {key: one for key, one in kept.items() if one != {}}


def first_changes(log: list[Event], numbers: list[int]) -> list[tuple[int, Any]]:
    """For each fact that these steps changed, the first of its changes."""
    seen: list[tuple[str, ...]] = []
    found = []
    for number in sorted(numbers):
        for change in log[number - 1].changes:
            whole = change.path[0] == "undone" or any(
                change.path[: len(path)] == path or path[: len(change.path)] == change.path
                for path in seen
            )
            if not whole:
                found.append((number, change))
            seen.append(change.path)
    return found
