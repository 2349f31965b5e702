"""`kitchentable fight`: forecasts of fights, solved or counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import click

import kitchentable as kt
from kitchentable.cli.arguments import check_name, load_game, over_option, set_option
from kitchentable.cli.grids import tell_sweep
from kitchentable.cli.report import answer, json_option
from kitchentable.dice import show
from kitchentable.dice.arguments import BadWords, read_named
from kitchentable.fights import Forecast, Series, forecast, series
from kitchentable.fights.arrays import find_numpy
from kitchentable.fights.laws import LONGEST
from kitchentable.fights.named import read_battle


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
    help="Count this many fights. Default: solve the fight if possible.",
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="[SIDE=]POLICY",
    help="Whom a side attacks (weakest, strongest, first, random, spread or whoever hit me), and "
    "when it retreats, such as retreat at half.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=0, max=LONGEST),
    default=0,
    help="Stop after this many rounds. Default: fight to the end.",
)
@click.option(
    "--then",
    multiple=True,
    metavar="THEIRS",
    help="The survivors' next foes, without a rest. May be repeated.",
)
@over_option
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="Number of processes for --over. Default: as many as save time.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values; needs --over.")
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
    processes: int | None,
    as_csv: bool,
    options: tuple[str, ...],
) -> None:
    """Forecast one of a game's fights: the winner, the rounds and the losses."""
    playable = load_game(game, options)
    check_name(game, "fight", name, playable.game.fights)
    named = dict(read_named(words, {"fights": "--count"}))
    policy = read_policies(policies)
    if then and over:
        raise BadWords("--then and --over cannot be combined. Leave one out.")
    if as_csv and not over:
        raise BadWords("--csv is for a grid of fights. Add --over, or leave out --csv.")
    if over:
        points: dict[str, Any] = {"options": playable.options, "policy": policy}
        points |= {"fights": count or 0, "processes": processes or 0}
        named |= {"rounds": rounds} if rounds else {}
        tell_sweep(kt.find_game(game) or game, name, over, as_csv=as_csv, **points, **named)
        return
    whole = " ".join((game, name, *words))
    if then:
        common: dict[str, Any] = {"fights": count or 0, "policy": policy, "rounds": rounds}
        found = series(playable, name, then=then, **common, **named)
        told = {"of": whole, "won": found.won, "fights": list(map(data, found.fights))}
        answer(told, _series_lines(found))
        return
    fought, battle = read_battle(playable, name, rounds=rounds, **named)
    foreseen = forecast(fought, battle, fights=count or 0, policy=policy)
    answer(data(foreseen) | {"of": whole}, _lines(foreseen))


def _series_lines(found: Series) -> Iterator[str]:
    """The fights of a series, with the chance of getting through each."""
    for number, (told, won) in enumerate(zip(found.fights, found.won, strict=True), 1):
        yield f"Fight {number}"
        yield from _lines(told)
        if number > 1:
            yield f"{found.side} get through {number} fights: {float(won) * 100:.2f} %"


def _lines(told: Forecast) -> Iterator[str]:
    ways = [(way, Fraction(chance)) for way, chance in told.ways.items()]
    yield show.text(ways, Fraction(0))
    yield f"rounds: {told.duration}"
    for one in told.fates:
        each = f" each of {one.many}" if one.many > 1 else ""
        left = told.health.format("they")
        yield (
            f"{one.side} {one.name}:{each} still up {float(one.stands) * 100:.2f} %, "
            f"{left}: {float(one.left):.4g} of {one.health} on average"
            + (f", {told.tolls}: {float(one.toll):.4g}" if told.tolls else "")
        )
    yield told.assumed
    yield str(told.found)
    if told.found.how == "thrown" and find_numpy() is None:
        yield "To simulate fights many times faster: pip install 'kitchentable[fights]'"


def read_policies(words: Sequence[str]) -> str | dict[str, str]:
    """Read policies as typed: one for everybody, or one for each side.

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
    """A forecast as data for `say_json`, which prints fractions as text and floats as numbers."""
    found = told.found
    return {
        "wins": told.wins,
        "broken_off": told.broken_off,
        "intervals": {side: told.interval(side) for side in told.wins},
        "rounds": told.rounds,
        "over_in": [float(chance) for chance in told.lengths.over_in],
        "costs": told.costs,
        "up": told.up,
        "fighters": told.fates,
        "policies": told.policies,
        "limits": told.limits,
        "found": found.how,
        "states": found.states,
        "bound": float(found.bound),
        "fights": found.fights,
        "undecided": told.undecided,
    }
