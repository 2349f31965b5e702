"""The conformance suite of a game: its contract, its golden playthrough and its fights."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from kitchentable.app.playthrough import play
from kitchentable.dice import Source
from kitchentable.dice.errors import KitchenTableError
from kitchentable.fights import forecast, throw
from kitchentable.rules import conformance
from kitchentable.rules.conformance import Finding, gathered
from kitchentable.rules.game import Game
from kitchentable.rules.proofs import odds_of_moves, prove_bands, prove_examples

#: The number of checks, for a progress bar.
CHECKS = len(conformance.CHECKS) + 4

#: The number of fights thrown to check each solved one.
FIGHTS = 20_000


def check_game(
    game: Game, source: Source, each: Callable[[str], None] = lambda _: None
) -> tuple[Finding, ...]:
    """Every finding about a game; `each` is called as each check begins."""
    found = conformance.check_game(game, source, each)
    each("examples")
    found += gathered("examples", prove_examples, game)
    each("odds")
    found += gathered("odds", lambda: prove_bands(odds_of_moves(game, forced=True)))
    each("fights")
    found += gathered("fights", _fights, game, source)
    each("playthrough, played")
    return found + gathered("playthrough", _played, game)


def _played(game: Game) -> Iterator[Finding]:
    """Check that the golden playthrough still gives its recorded logs."""
    if not game.playthrough.strip():
        return
    try:
        played = play(game, game.playthrough)
    except KitchenTableError as error:
        yield Finding("playthrough", game.name, str(error))
        return
    if played == game.playthrough:
        return
    chance = "" if play(game, game.playthrough) == played else " Type its dice: faces=..."
    for line in difflib.ndiff(game.playthrough.splitlines(), played.splitlines()):
        if line.startswith(("- ", "+ ")):
            said = "says" if line.startswith("- ") else "the table says"
            sentence = f"It is not played as it is written; {said}: {line[2:].strip()}{chance}"
            yield Finding("playthrough", game.name, sentence)
            return


def _fights(game: Game, source: Source) -> Iterator[Finding]:
    """Check that each named fight ends, and that solving and throwing agree.

    The shares may differ by eight standard errors of a fair coin: one false alarm in 10^12 fights.
    """
    apart = 8 * 0.5 / FIGHTS**0.5
    for name, fought in game.fights.items():
        if not fought.samples:
            yield Finding("fights", name, "The fight has no samples. Add some to check it.")
        for named in fought.samples:
            where = f"{name} {dict(named)}"
            try:
                start = fought.start(game.defaults(), **named)
                exact = forecast(fought, start)
                thrown = throw(fought, start, FIGHTS, source)
            except KitchenTableError as error:
                yield Finding("fights", where, str(error))
                continue
            if not exact.is_whole:
                yield Finding("fights", where, "The chances of its winners do not add up to 1.")
            for side in {*exact.wins, *thrown.wins}:
                seen, solved = (float(told.wins.get(side, 0)) for told in (thrown, exact))
                if abs(seen - solved) > apart:
                    sentence = f"{side} won {seen:.1%} of the fights, not {solved:.1%}."
                    yield Finding("fights", where, sentence)
