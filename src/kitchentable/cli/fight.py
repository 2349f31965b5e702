"""`kitchentable fight`: who wins a fight, exactly or counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from typing import Any

import click

import kitchentable as kt
from kitchentable.cli.arguments import set_option
from kitchentable.cli.progress import counting
from kitchentable.cli.report import json_option, say_json
from kitchentable.dice import show
from kitchentable.dice.arguments import BadWords, read_named, read_options
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights import Forecast, Grid, Series, forecast, series, sweep
from kitchentable.fights.arrays import find_numpy
from kitchentable.fights.named import read_battle
from kitchentable.fights.throws import LONGEST


@click.command(
    epilog="""\b
Examples:
  kitchentable fight toast melee ours=5/6/4/4 theirs=2x2/3/3/1
  kitchentable fight toast melee ours=5/6/4/4 theirs="2/3/3/1 4/4/4/3"
  kitchentable fight toast melee ours=4x4/5/4/4 theirs=9x2/3/3/1 --policy strongest
  kitchentable fight toast melee ours=2x4/5/4/4 theirs=4x2/3/3/1 --count 1000
  kitchentable fight toast melee ours=2x5/6/4/4 theirs=6x2/3/3/1 --policy "ours=retreat at half"
  kitchentable fight toast melee ours=5/6/4/4 "theirs={n}x2/3/3/1" --over n=1..4
  kitchentable fight toast melee ours=3x5/6/4/4 allies=2x2/3/3/1 theirs=6x2/3/3/1
  kitchentable fight toast melee ours=3x5/6/4/4 theirs=4x2/3/3/1 --then 6x2/3/3/1 --then 4/6/4/6
  kitchentable fight lucky_stars struggle ours=3/2/8 theirs=2x1/2/4
  kitchentable fight objects chain ours=5/0/6 theirs=2x3/0/4"""
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
    help="Who goes for whom: weakest, strongest, first or random; and when a side retreats, such "
    "as retreat at half.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=0, max=LONGEST),
    default=0,
    help="Stop the fight after so many rounds. Left out, it goes on to the end.",
)
@click.option(
    "--then",
    multiple=True,
    metavar="THEIRS",
    help="Who comes next: those left of ours fight on, without a rest. As often as there are.",
)
@click.option(
    "--over",
    multiple=True,
    metavar="NAME=VALUES",
    help="Fight with each value of a name in braces, or of an option: 1..6, or 3,5,7.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=1,
    help="Work out the values of --over in so many processes.",
)
@set_option
@json_option
def fight(
    game: str,
    name: str,
    words: tuple[str, ...],
    count: int | None,
    policies: tuple[str, ...],
    rounds: int,
    then: tuple[str, ...],
    over: tuple[str, ...],
    processes: int,
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
    named = dict(read_named(words, {"fights": "--count"}))
    policy = read_policies(policies)
    if then and over:
        raise BadWords("Fights in a row are not fought over a grid. Leave out --then or --over.")
    if over:
        axes = dict(map(read_axis, over))
        points = {"over": axes, "options": playable.options, "fights": count or 0, "policy": policy}
        named |= {"rounds": rounds} if rounds else {}
        of = kt.find_game(game) or game
        _tell_grid(_sweep(of, name, processes, **points, **named), as_json=as_json)
        return
    whole = " ".join((game, name, *words))
    if then:
        asked: dict[str, Any] = {"fights": count or 0, "policy": policy, "rounds": rounds}
        found = series(playable, name, then=then, **asked, **named)
        _tell_series(found, whole, as_json=as_json)
        return
    fought, battle = read_battle(playable, name, rounds=rounds, **named)
    told = forecast(fought, battle, fights=count or 0, policy=policy)
    if as_json:
        say_json(data(told) | {"of": whole})
        return
    _tell(told)


def _tell_series(found: Series, of: str, *, as_json: bool) -> None:
    """Each fight in a row, and the chance to get through so far."""
    if as_json:
        say_json({"of": of, "won": [_plain(won) for won in found.won],
                  "fights": [data(told) for told in found.fights]})  # fmt: skip
        return
    for number, (told, won) in enumerate(zip(found.fights, found.won, strict=True), 1):
        click.echo(f"Fight {number}")
        _tell(told)
        if number > 1:
            click.echo(f"{found.side} get through {number} fights: {float(won) * 100:.2f} %")


def _tell(told: Forecast) -> None:
    ways = [(way, Fraction(chance)) for way, chance in told.ways.items()]
    click.echo(show.text(ways, Fraction(0)))
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
    if told.found.how == "thrown" and find_numpy() is None:
        click.echo("Fights are thrown many times as fast with: pip install 'kitchentable[fights]'")


def _sweep(of: str, name: str, processes: int, **asked: Any) -> Grid:
    points = math.prod(map(len, asked["over"].values()))
    with counting("Fights", points, quiet=False) as step:
        asked["progress"] = lambda done, all_: step("Fights")
        if processes == 1:
            return sweep(of, name, **asked)
        with ProcessPoolExecutor(processes) as executor:
            return sweep(of, name, executor=executor, **asked)


def _tell_grid(grid: Grid, *, as_json: bool) -> None:
    """The chance of the first side at every point, and the reasons for missing points."""
    if as_json:
        say_json({"rows": list(grid.rows()), "refused": _by_name(grid)})
        return
    for told in list(grid.found.values())[:1]:
        side = min(told.wins)
        click.echo(f"{side} win:\n{grid.table(side)}\n{told.assumed}")
    for point, why in _by_name(grid).items():
        click.echo(f"{point}: {why}", err=True)
    hows = sorted({told.found.how for told in grid.found.values()})
    click.echo(f"{len(grid.found)} fights: {', '.join(hows)}.")
    if grid.missing:
        click.echo(f"Interrupted; {len(grid.missing)} fights are missing.", err=True)


def _by_name(grid: Grid) -> dict[str, str]:
    return {grid.name(point): why for point, why in grid.failed.items()}


def read_axis(word: str) -> tuple[str, list[Any]]:
    """The name of an axis and its values.

    >>> read_axis("n=1..3"), read_axis("each=yes,no")
    (('n', [1, 2, 3]), ('each', ['yes', 'no']))
    """
    name, equals, values = word.partition("=")
    low, dots, high = values.partition("..")
    if dots and low.isdecimal() and high.isdecimal() and int(low) <= int(high):
        return name, list(range(int(low), int(high) + 1))
    if not (name and equals and values) or dots:
        raise BadWords(
            f"{word!r} is nothing to go over. Write NAME=1..6, or NAME=3,5,7 with NAME in braces "
            "in a word before it."
        )
    return name, [int(one) if one.isdecimal() else one for one in values.split(",")]


def read_policies(words: Sequence[str]) -> str | dict[str, str]:
    """Policies as typed: one for everybody, or some by side.

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
        "broken_off": {way: _plain(chance) for way, chance in told.broken_off.items()},
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
        "limits": list(told.limits),
        "found": found.how,
        "states": found.states,
        "bound": float(found.bound),
        "fights": found.fights,
        "undecided": str(told.undecided),
    }


def _plain(amount: Fraction | float) -> str | float:
    return str(amount) if isinstance(amount, Fraction) else amount
