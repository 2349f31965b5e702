"""Fixtures of campaigns with waiting cards: stored by one version, played on by later ones.

A fixture is a file of lines: the events that were stored, the steps that are played on from there,
and the events that came of them.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.state import fold
from kitchentable.rules import Game
from tests.rulesets.driver import Evening


class Recorder(Evening):
    """An evening that records every command from `waits` on."""

    before = 0
    steps: list | None = None

    def waits(self) -> None:
        """From here on people play on what waits."""
        self.before = self.campaign.number
        self.steps = []

    def do(self, seat, what, faces=(), /, **named):
        if self.steps is not None:
            self.steps.append([seat, what.__name__, list(faces), named])
        return super().do(seat, what, faces, **named)


def keep(folder: Path, scene: Callable[[], Recorder]) -> bool:
    """Writes a scene as a fixture of its name; false where it is there. It never overwrites."""
    path = folder / f"{scene.__name__}.jsonl"
    if path.exists():
        return False
    folder.mkdir(exist_ok=True)
    one = scene()
    events = [codec.to_data(event) for event in one.campaign.events]
    lines = [{"event": event} for event in events[: one.before]]
    lines += [{"step": step} for step in one.steps or []]
    lines += [{"after": event} for event in events[one.before :]]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return True


def record_anew(game: Game, path: Path) -> None:
    """Records what follows the stored events anew, where a rule was mended on purpose.

    Stored events stay as they are, and so do those that come out as before.
    """
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    kept = [line for line in lines if "after" not in line]
    one = opened(game, path)
    began = one.campaign.number
    for seat, command, faces, named in stored(path, "step"):
        one.do(seat, getattr(c, command), tuple(faces), **named)
    both = zip(stored(path, "after"), one.campaign.events[began:], strict=True)
    after = [
        {"after": old if codec.from_data(old) == new else codec.to_data(new)} for old, new in both
    ]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in [*kept, *after]))


def write(game: Game, folder: Path, scenes: Iterable[Callable[[], Recorder]]) -> None:
    """Records the fixtures named in the command line anew, and writes those that are missing."""
    for name in sys.argv[1:]:
        record_anew(game, folder / f"{name}.jsonl")
    for scene in scenes:
        if keep(folder, scene):
            sys.stdout.write(f"wrote {scene.__name__}\n")


def stored(path: Path, what: str) -> list[Any]:
    """The lines of a fixture that hold an "event", a "step" or an event "after"."""
    lines = map(msgspec.json.decode, path.read_bytes().splitlines())
    return [line[what] for line in lines if what in line]


def fixtures_of(maker: Any) -> list[tuple[Game, Path]]:
    """The games and files of the fixtures that a module `make_waiting` writes."""
    scenes = maker.SCENES
    games = scenes if isinstance(scenes, Mapping) else dict.fromkeys(scenes, maker.game)
    return [(game, maker.FIXTURES / f"{scene.__name__}.jsonl") for scene, game in games.items()]


def moves_waiting(maker: Any) -> set[str]:
    """The moves of all cards that wait in the fixtures of a module `make_waiting`."""
    return {
        ask.move
        for game, path in fixtures_of(maker)
        for ask in opened(game, path).table.asks.values()
    }


def opened(game: Game, path: Path) -> Evening:
    """The campaign of a fixture as it waits."""
    return Evening(game, fold(map(codec.from_data, stored(path, "event"))))


def play_on(game: Game, path: Path) -> None:
    """Plays the steps of a fixture, and compares each step's events with those stored."""
    one, after = opened(game, path), [*map(codec.from_data, stored(path, "after"))]
    began = one.campaign.number
    for seat, command, faces, named in stored(path, "step"):
        one.do(seat, getattr(c, command), tuple(faces), **named)
        made = [codec.decode(codec.encode(event)) for event in one.campaign.events[began:]]
        assert made == after[: len(made)], f"{command} by {seat}: {named}"
    assert one.campaign.number - began == len(after)
