"""Fights and rolls over a grid at the command line: `--over NAME=VALUES`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import click

from kitchentable.cli.progress import counting
from kitchentable.cli.report import say_json, wants_json
from kitchentable.dice.arguments import BadWords
from kitchentable.fights.forecast import Forecast
from kitchentable.fights.grids import Grid, sweep


def tell_sweep(of: str, name: str, over: Sequence[str], *, as_csv: bool, **asked: Any) -> None:
    """Sweep over these axes with a progress bar, and print the grid."""
    axes = dict(map(read_axis, over))
    with counting("Points", math.prod(map(len, axes.values()))) as step:
        step("Points")
        grid = sweep(of, name, over=axes, progress=lambda done, all_: step("Points"), **asked)
    if wants_json():
        say_json({"rows": list(grid.rows()), "refused": _by_name(grid)})
        return
    if as_csv:
        click.echo(grid.csv(), nl=False)
    else:
        _tell(grid)
    for point, why in _by_name(grid).items():
        click.echo(f"{point}: {why}", err=True)
    if grid.missing:
        click.echo(f"{grid.stopped} {len(grid.missing)} points are missing.", err=True)


def _tell(grid: Grid) -> None:
    """Print tables: the first side's chance, the mean, or each outcome's chance."""
    every = list(grid.found.values())
    if not every:
        return
    if isinstance(every[0], Forecast):
        side = min(every[0].wins)
        click.echo(f"{side} win:\n{grid.table(side)}\n{every[0].assumed}")
        hows = sorted({told.found.how for told in every})
        click.echo(f"{len(every)} fights: {', '.join(hows)}.")
    elif every[0].mean is not None:
        click.echo(f"mean:\n{grid.table('mean')}")
    else:
        for outcome in dict.fromkeys(one for told in every for one in told.wins):
            click.echo(f"{outcome}:\n{grid.table(outcome)}")


def _by_name(grid: Grid) -> dict[str, str]:
    return {grid.name(point): why for point, why in grid.failed.items()}


def read_axis(word: str) -> tuple[str, list[Any]]:
    """Read the name and the values of an axis.

    >>> read_axis("n=1..3"), read_axis("each=yes,no")
    (('n', [1, 2, 3]), ('each', ['yes', 'no']))
    """
    name, equals, values = word.partition("=")
    low, dots, high = values.partition("..")
    if dots and low.isdecimal() and high.isdecimal() and int(low) <= int(high):
        return name, list(range(int(low), int(high) + 1))
    if not (name and equals and values) or dots:
        raise BadWords(
            f"{word!r} cannot be read. Write --over NAME=1..6 or NAME=3,5,7; NAME is a number, "
            "an option, or a name in braces in an earlier word."
        )
    return name, [int(one) if one.isdecimal() else one for one in values.split(",")]
