"""Golden playthroughs: a session in plain text that people can read and tests can play.

A playthrough is a list of people's actions and the resulting log. Lines that begin with a name and
`>` are actions; the indented lines below them are the new lines in the log of the first seat (the
GM) and, after names in brackets, in the logs of people who read something else:

    Mara> propose task for "Mara Vell" trait=aim
        Mara: Mara Vell, Task (waiting for the GM).
    GM> settle difficulty=hard hidden=difficulty
        GM answers: Mara Vell, Task (ready to roll).
    Mara> throw 9
        Mara: Aim. Mara Vell: d10+ 9 + 7 Aim = 16. Succeeds. Against Hard, 16.
        [Mara, Jonas] Mara: Aim. Mara Vell: d10+ 9 + 7 Aim = 16. Succeeds.

`#` begins a comment. Dice are typed in, so nothing is left to chance. The refusal of a step follows
a `!`.
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from itertools import count

from kitchentable.app.plaintext import tell
from kitchentable.app.scriptverbs import BadScript, Stage, command, named
from kitchentable.app.server import Server
from kitchentable.dice.errors import BadInput
from kitchentable.rules.game import Game
from kitchentable.rules.registry import load
from kitchentable.store import MemoryStore


def play(game: str | Game, script: str) -> str:
    """Play a script of a game; gives the script with the logs as they are now.

    A golden playthrough is one that comes back unchanged. Errors: BadScript, naming the line.
    """
    return asyncio.run(_play(game, script))


async def _play(game: str | Game, script: str) -> str:
    seconds = count()
    at_hand = game if isinstance(game, Game) else load(game)
    server = Server(
        MemoryStore(),
        clock=lambda: f"2026-01-01T20:00:00.{next(seconds) % 10**6:06}Z",
        load_game=lambda name, version="": at_hand,
    )
    stage = Stage(server, at_hand.name)
    told: list[str] = []
    lines, cause = script.splitlines(), ""
    for number, line in enumerate(lines, start=1):
        if line.startswith((" ", "\t")):
            continue
        told.append(line)
        if not line.strip() or line.startswith("#"):
            continue
        who, arrow, text = line.partition(">")
        if not arrow:
            raise BadScript(f"Line {number} is neither a comment nor somebody's (Name> ...).")
        try:
            words = shlex.split(text)
            said = await _do(stage, who.strip(), words)
        except ValueError as error:
            raise BadScript(f"Line {number} cannot be read: {error}.") from error
        except BadScript as error:
            raise BadScript(f"Line {number}: {error}{cause}") from error
        meant = "".join(lines[number : number + 1]).strip().startswith("!")
        if said and said[0].startswith("!") and not (meant or cause):
            cause = f" Line {number} was refused before: {said[0][1:].strip()}"
        told.extend(f"    {one}" for one in said)
    server.close()
    return "\n".join(told) + "\n"


async def _do(stage: Stage, who: str, words: list[str]) -> list[str]:
    """Do one step, and give the new lines of the logs."""
    if not words:
        raise BadScript(f"{who} does nothing.")
    before = stage.server.tables.campaign(stage.campaign).number if stage.campaign else 0
    try:
        if words[0] == "open":
            opened = await stage.server.open_campaign(
                words[1], stage.game, gm_name=who, options=named(words[2:])
            )
            stage.campaign, stage.seats[who] = opened.campaign, opened.gm_seat
        else:
            sent = command(stage, who, words)
            await stage.server.tables.handle(stage.campaign, sent)
    except BadScript:
        raise
    except BadInput as error:
        return [f"! {error.code}: {error}"]
    return list(_heard(stage, before))


def _heard(stage: Stage, before: int) -> Iterator[str]:
    after = stage.server.tables.cursors.seal(stage.campaign, before)
    logs = {
        who: tuple(
            _plain(stage, tell(entry, time=False))
            for entry in stage.server.projections.of(stage.campaign, seat).entries(after=after)
        )
        for who, seat in stage.seats.items()
    }
    gm, *others = logs
    yield from logs[gm]
    differing: dict[tuple[str, ...], list[str]] = {}
    for who in others:
        if logs[who] != logs[gm]:
            differing.setdefault(logs[who], []).append(who)
    for lines, people in differing.items():
        for said in lines or ("(nothing)",):
            yield f"[{', '.join(people)}] {said}"


def _plain(stage: Stage, text: str) -> str:
    """The text without hashes and seeds, which differ each time."""
    return re.sub(r"[0-9a-f]{64}", "...", text).replace("\n", " / ")


def refusals(script: str) -> dict[int, str]:
    """The refused steps of a playthrough, counted from 1, with their sentences."""
    step, found = 0, {}
    for line in script.splitlines():
        if line[:1].isspace():
            said = line.strip()
            if said.startswith("!"):
                found[step] = said[1:].strip()
        elif line.strip() and not line.startswith("#"):
            step += 1
    return found
