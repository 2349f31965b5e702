"""`kitchentable fight`: who wins a fight, exactly or counted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import click

import kitchentable as kt
from kitchentable.cli.asking import BadWords, read_named, read_options, set_option
from kitchentable.cli.report import json_option, say_json
from kitchentable.dice import show
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights import Forecast, forecast


@click.command(
    epilog="""\b
Examples:
  kitchentable fight toast melee ours=5/6/4/4 theirs=2x2/3/3/1
  kitchentable fight toast melee ours=5/6/4/4 theirs="2/3/3/1 4/4/4/3"
  kitchentable fight toast melee ours=4x4/5/4/4 theirs=9x2/3/3/1 --policy strongest
  kitchentable fight toast melee ours=2x4/5/4/4 theirs=4x2/3/3/1 --count 1000"""
)
@click.argument("game")
@click.argument("name", default="")
@click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    help="Count so many fights. Left out, a fight is solved where it can be.",
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="[SIDE=]POLICY",
    help="Who goes for whom: weakest, strongest, first or random.",
)
@set_option
@json_option
def fight(
    game: str,
    name: str,
    words: tuple[str, ...],
    count: int | None,
    policies: tuple[str, ...],
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
    fought, battle = playable.fought(name, **dict(read_named(words, {"fights": "--count"})))
    told = forecast(fought, battle, fights=count or 0, policy=read_policies(policies))
    if as_json:
        say_json(data(told) | {"of": " ".join((game, name, *words))})
        return
    wins = [(f"{side} win", Fraction(chance)) for side, chance in told.wins.items()]
    click.echo(show.text(wins, Fraction(0)))
    click.echo(f"rounds: {told.duration}")
    for one in told.fates:
        each = f" each of {one.many}" if one.many > 1 else ""
        left = told.health.format("they")
        click.echo(
            f"{one.side} {one.name}:{each} still up {float(one.stands) * 100:.2f} %, "
            f"{left}: {float(one.left):.4g} of {one.health} on average"
        )
    click.echo(told.assumed)
    click.echo(str(told.found))


def read_policies(words: Sequence[str]) -> str | dict[str, str]:
    """Policies as they are typed: one for everybody, or some by side.

    >>> read_policies(["first"]), read_policies(["ours=first", "theirs=random"])
    ('first', {'ours': 'first', 'theirs': 'random'})
    """
    if any("=" not in word for word in words):
        if len(words) > 1:
            raise BadWords(
                "Write one --policy for everybody, or --policy SIDE=POLICY for each side."
            )
        return words[0]
    return dict(word.split("=", 1) for word in words) if words else ""


def data(told: Forecast) -> dict[str, object]:
    """A forecast as plain data: fractions as text, floats as numbers."""
    found = told.found
    return {
        "wins": {side: _plain(chance) for side, chance in told.wins.items()},
        "intervals": {side: told.interval(side) for side in told.wins},
        "rounds": _plain(told.rounds),
        "over_in": [float(chance) for chance in told.lengths.over_in],
        "costs": {what: _plain(mean) for what, mean in told.costs.items()},
        "up": {
            side: {str(many): _plain(chance) for many, chance in law.items()}
            for side, law in told.up.items()
        },
        "fighters": [
            {
                "side": one.side,
                "name": one.name,
                "many": one.many,
                "stands": _plain(one.stands),
                "left": _plain(one.left),
            }
            for one in told.fates
        ],
        "policies": dict(told.policies),
        "found": found.how,
        "states": found.states,
        "bound": float(found.bound),
        "fights": found.fights,
        "undecided": str(told.undecided),
    }


def _plain(amount: Fraction | float) -> str | float:
    return str(amount) if isinstance(amount, Fraction) else amount
