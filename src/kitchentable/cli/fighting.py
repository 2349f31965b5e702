"""`kitchentable fight`: who wins a fight, exactly or counted."""

from __future__ import annotations

import click

import kitchentable as kt
from kitchentable.cli.asking import BadWords, read_named, read_options, set_option
from kitchentable.cli.report import json_option, say_json
from kitchentable.cli.telling import chance_words
from kitchentable.dice import show
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights.named import Forecast, forecast


@click.command(
    epilog="""\b
Examples:
  kitchentable fight toast melee ours=5/6/4/4 theirs=2x2/3/3/1
  kitchentable fight toast melee ours=5/6/4/4 theirs="2/3/3/1 4/4/4/3"
  kitchentable fight toast melee ours=2x4/5/4/4 theirs=4x2/3/3/1 --bulk 1000"""
)
@click.argument("game")
@click.argument("name", default="")
@click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--bulk",
    type=click.IntRange(min=1),
    help="Fight so many fights and count, for a fight too large to be solved.",
)
@set_option
@json_option
def fight(
    game: str,
    name: str,
    words: tuple[str, ...],
    bulk: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Who wins one of a game's fights, how many rounds it takes, and what it costs."""
    playable = kt.game(kt.find_game(game) or game, **dict(read_options(options)))
    if name not in playable.game.fights:
        lines = "\n".join(f"  {one}: {f.help}" for one, f in sorted(playable.game.fights.items()))
        has = f"It has:\n{lines}" if lines else "It has no fights by name."
        near = did_you_mean(name, playable.game.fights)
        asked = f"{game} has no fight {name!r}.{near}" if name else f"Which fight of {game}?"
        raise BadWords(f"{asked} {has}")
    fought, start = playable.fought(name, **dict(read_named(words, {"fights": "--bulk"})))
    told = forecast(fought, start, fights=bulk or 0)
    if as_json:
        say_json(data(told) | {"of": " ".join((game, name, *words))})
        return
    click.echo(
        show.text([(f"{side} win", chance) for side, chance in told.wins.items()], told.undecided)
    )
    click.echo(f"rounds: {float(told.rounds):.4g} on average")
    for what, mean in told.costs.items():
        click.echo(f"{what}: {float(mean):.4g} on average")
    if told.fights:
        click.echo(f"counted over {told.fights:,} fights")
        if told.undecided:
            click.echo(f"undecided, broken off: {chance_words(told.undecided)}")


def data(told: Forecast) -> dict[str, object]:
    """A forecast as plain data, with exact fractions as text."""
    return {
        "wins": {side: str(chance) for side, chance in told.wins.items()},
        "rounds": str(told.rounds),
        "costs": {what: str(mean) for what, mean in told.costs.items()},
        "fights": told.fights,
        "undecided": str(told.undecided),
    }
