"""The whole conformance suite of a game: its contract, and its golden playthrough played again."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from kitchentable.app.playthrough import play
from kitchentable.dice import Source
from kitchentable.dice.errors import KitchenTableError
from kitchentable.fights import forecast
from kitchentable.rules import conformance
from kitchentable.rules.conformance import Finding, gathered
from kitchentable.rules.game import Game
from kitchentable.rules.proofs import odds_of_moves, prove_bands, prove_examples

#: How many checks there are, for a bar that shows how far they have come.
CHECKS = len(conformance.CHECKS) + 4

#: How many fights are counted beside each solved one.
FIGHTS = 20_000


def check_game(
    game: Game, source: Source, each: Callable[[str], None] = lambda _: None
) -> tuple[Finding, ...]:
    """Every finding about a game; `each` is told of every check as it begins."""
    found = conformance.check_game(game, source, each)
    each("examples")
    found += gathered("examples", prove_examples, game)
    each("odds")
    found += gathered("odds", lambda: prove_bands(odds_of_moves(game)))
    each("fights")
    found += gathered("fights", _fights, game, source)
    each("playthrough, played")
    return found + gathered("playthrough", _played, game)


def _played(game: Game) -> Iterator[Finding]:
    """The golden playthrough goes as it is written."""
    if not game.playthrough.strip():
        return
    try:
        played = play(game, game.playthrough)
    except KitchenTableError as error:
        yield Finding("playthrough", game.name, str(error))
        return
    for line in difflib.ndiff(game.playthrough.splitlines(), played.splitlines()):
        if line.startswith(("- ", "+ ")):
            said = "says" if line.startswith("- ") else "the table says"
            sentence = f"It is not played as it is written; {said}: {line[2:].strip()}"
            yield Finding("playthrough", game.name, sentence)
            return


def _fights(game: Game, source: Source) -> Iterator[Finding]:
    """Each fight by name has an end, and solved and fought in bulk it comes to the same.

    The shares may differ by eight standard errors of a fair coin: one false alarm in a million
    million, per fight checked.
    """
    apart = 8 * 0.5 / FIGHTS**0.5
    for name, fought in game.fights.items():
        if not fought.samples:
            yield Finding("fights", name, "It has no samples to be checked with.")
        for named in fought.samples:
            where = f"{name} {dict(named)}"
            try:
                start = fought.start(game.defaults(), **named)
                exact = forecast(fought, start)
                bulk = forecast(fought, start, fights=FIGHTS, source=source)
            except KitchenTableError as error:
                yield Finding("fights", where, str(error))
                continue
            if sum(exact.wins.values()) != 1:
                yield Finding("fights", where, "The chances of its winners do not add up to 1.")
            for side in {*exact.wins, *bulk.wins}:
                seen, solved = bulk.wins.get(side, 0), exact.wins.get(side, 0)
                if abs(seen - solved) > apart:
                    sentence = (
                        f"{side} won {float(seen):.1%} of the fights, not {float(solved):.1%}."
                    )
                    yield Finding("fights", where, sentence)
