"""The whole conformance suite of a game: its contract, and its golden playthrough played again."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from kitchentable.app.playthrough import play
from kitchentable.dice import Source
from kitchentable.dice.errors import KitchenTableError
from kitchentable.game import conformance
from kitchentable.game.conformance import Finding
from kitchentable.game.game import Game

#: How many checks there are, for a bar that shows how far they have come.
CHECKS = len(conformance.CHECKS) + 1


def check_game(
    game: Game, source: Source, each: Callable[[str], None] = lambda _: None
) -> tuple[Finding, ...]:
    """Every finding about a game; `each` is told of every check as it begins."""
    found = conformance.check_game(game, source, each)
    if not game.playthrough.strip():
        return found
    each("playthrough, played")
    try:
        played = play(game.name, game.playthrough)
    except KitchenTableError as error:
        return (*found, Finding("playthrough", game.name, str(error)))
    if played == game.playthrough:
        return found
    for line in difflib.ndiff(game.playthrough.splitlines(), played.splitlines()):
        if line.startswith(("- ", "+ ")):
            said = "says" if line.startswith("- ") else "the table says"
            sentence = f"It is not played as it is written; {said}: {line[2:].strip()}"
            return (*found, Finding("playthrough", game.name, sentence))
    return found
