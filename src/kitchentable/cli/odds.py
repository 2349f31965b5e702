"""`kitchentable odds`: the exact odds of dice in notation, or of a game's rolls."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

from kitchentable.cli.arguments import (
    Asked,
    DiceCommand,
    dialect_option,
    over_option,
    read_words,
    set_option,
)
from kitchentable.cli.output import chance_words, outcome_data, outcome_words
from kitchentable.cli.report import json_option, say_json, wants_json, write_new
from kitchentable.dice import Chance, Columns, Distribution, show
from kitchentable.dice.arguments import BadWords
from kitchentable.dice.chance import floor
from kitchentable.dice.distribution import side_by_side
from kitchentable.dice.outcomes import are_numbers

#: The rolls, each with its odds.
Solved: TypeAlias = Sequence[tuple[Asked, Distribution]]


@click.command(
    cls=DiceCommand,
    epilog="""\b
Examples:
  kitchentable odds 2d6!
  kitchentable odds 2d6! --at-least 12
  kitchentable odds 3d6 --at-least 10 --at-most 12       from 10 to 12
  kitchentable odds 3d6 2d10 --cumulative                compare: each number or more
  kitchentable odds "(2d6)>=9"
  kitchentable odds 4d6kh3 --csv > scores.csv
  kitchentable odds toast task trait=5 difficulty=16
  kitchentable odds toast task difficulty=11 --over trait=2..6
  kitchentable odds toast contest trait=4 other_trait=6 --each
  kitchentable odds "toast task trait=3" "toast task trait=3 --set medium=12" --chart odds.svg
  kitchentable odds toaster task rank=6 --set rolling_zeros=yes --set variable_outcomes=yes""",
)
@click.argument("what", nargs=-1, required=True)
@click.option("--at-least", type=int, help="Print the chance of this number or more.")
@click.option("--at-most", type=int, help="Print the chance of this number or less.")
@click.option(
    "--cumulative", is_flag=True, help="Add the chance of each number or more, and of each or less."
)
@click.option("--each", is_flag=True, help="List outcomes one by one instead of grouped.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@click.option(
    "--chart",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the chances to this new file: .svg or .png.",
)
@over_option
@dialect_option
@set_option
@json_option
def odds(
    what: tuple[str, ...],
    at_least: int | None,
    at_most: int | None,
    cumulative: bool,
    each: bool,
    as_csv: bool,
    chart: Path | None,
    over: tuple[str, ...],
    dialect: str | None,
    options: tuple[str, ...],
) -> None:
    """Show the exact odds of dice in notation, or of a game's roll: GAME ROLL name=value ..."""
    if as_csv and wants_json():
        raise BadWords("Use either --csv or --json, not both.")
    read = read_words(what, options, dialect)
    if over:
        alone = {at_least, at_most, chart} == {None} and not cumulative and not each
        _sweep(read, over, alone=alone, as_csv=as_csv)
        return
    every = [(asked, asked.solve()) for asked in read]
    if each:
        every = [(asked, Distribution(solved.solution)) for asked, solved in every]
    asks = (at_least, at_most) != (None, None)
    if asks or cumulative:
        for asked, solved in every:
            _check_numbers(asked, solved)
    if chart is not None:
        _draw(chart, _columns(every, cumulative=cumulative))
    answers = [_answers(solved, at_least, at_most) for _, solved in every]
    if wants_json():
        data = [_data(*one, answer) for one, answer in zip(every, answers, strict=True)]
        say_json(data if len(data) > 1 else data[0])
    elif as_csv:
        click.echo(_columns(every, cumulative=cumulative).csv(), nl=False)
    elif asks:
        for (asked, _), answer in zip(every, answers, strict=True):
            name = f"{asked.text}, " if len(every) > 1 else ""
            for question, chance in answer.items():
                click.echo(f"{name}{question}: {chance_words(chance)}")
    else:
        click.echo("\n".join(_lines(every, cumulative=cumulative)))


def _sweep(read: Sequence[Asked], over: Sequence[str], *, alone: bool, as_csv: bool) -> None:
    """Solve a game's roll over a grid, and print the grid."""
    if not alone:
        raise BadWords("--over can be combined only with --csv, --json and --set.")
    one = read[0]
    if len(read) > 1 or one.playable is None:
        raise BadWords("--over needs a single roll of a game: GAME ROLL NAME=VALUE ...")
    # Imported here, because fights take longer to import than most odds to solve.
    grids = importlib.import_module("kitchentable.cli.grids")
    asked = {"options": one.playable.options, "as_csv": as_csv}
    grids.tell_sweep(one.game, one.roll, over, **asked, **dict(one.arguments))


def _draw(file: Path, columns: Columns) -> None:
    kind = file.suffix.lower()
    if kind not in {".svg", ".png"}:
        raise BadWords(f"A chart's name must end with .svg or .png, unlike {file.name!r}.")
    of = {name: {o: floor(c) for o, c in rows.items()} for name, rows in columns.columns.items()}
    # Imported here, because the imaging library takes longer to import than most odds to solve.
    charts = importlib.import_module("kitchentable.app.charts")
    drawn = charts.draw_bars(next(iter(of)) if len(of) == 1 else "Chances", of)
    write_new(file, drawn.svg().encode() if kind == ".svg" else drawn.png(), "--chart")


def _lines(every: Solved, *, cumulative: bool) -> Iterator[str]:
    """Odds as text: bars for one expression, columns for several."""
    if cumulative or len(every) > 1:
        yield str(_columns(every, cumulative=cumulative))
    else:
        _, solved = every[0]
        # Very many whole numbers are shown as ranges.
        told = [(o if type(o) is int else outcome_words(o), c) for o, c in solved.told()]
        yield show.text(told, solved.unresolved)
    for asked, solved in every:
        name = f"{asked.text}: " if len(every) > 1 else ""
        if solved.summary():
            yield name + ", ".join(solved.summary())


def _check_numbers(asked: Asked, solved: Distribution) -> None:
    """Refuse --at-least, --at-most and --cumulative if the outcomes are not numbers."""
    if are_numbers(solved):
        return
    if all(isinstance(outcome, bool) for outcome in solved):
        what = "is either reached or not, so it gives no number"
    else:
        what = "gives words, not a number"
    raise BadWords(f"{asked.text} {what}. Leave out --at-least, --at-most and --cumulative.")


def _answers(solved: Distribution, low: int | None, high: int | None) -> dict[str, Chance]:
    """The chance that --at-least and --at-most ask for, by its question."""
    if low is not None and high is not None:
        if low > high:
            raise BadWords(
                f"No number is at least {low} and at most {high}. Swap them, or leave one out."
            )
        return {f"from {low} to {high}": solved.between(low, high)}
    if low is not None:
        return {f"at least {low}": solved.at_least(low)}
    return {} if high is None else {f"at most {high}": solved.at_most(high)}


def _columns(every: Solved, *, cumulative: bool) -> Columns:
    """The chances of one expression, or of several side by side."""
    if len(every) > 1:
        named = {asked.text: solved for asked, solved in every}
        return side_by_side(named, "at least" if cumulative else "")
    _, solved = every[0]
    if cumulative:
        sides = {"at least": solved.at_least(), "at most": solved.at_most()}
        return Columns({"chance": dict(solved.items()), **sides})
    return Columns({"chance": {outcome_words(o): chance for o, chance in solved.told()}})


def _data(asked: Asked, solved: Distribution, answers: dict[str, Chance]) -> dict[str, Any]:
    """Odds as plain data, every chance a fraction."""
    data: dict[str, Any] = {
        "of": asked.text,
        "odds": [
            {"outcome": outcome_data(outcome), "chance": str(chance)}
            for outcome, chance in solved.told()
        ],
        "unresolved": str(solved.unresolved),
    }
    if solved.summary():
        data |= {
            "mean": str(solved.mean()),
            "deviation": solved.deviation(),
            "median": str(solved.median()),
        }
    return data | {"asked": {question: str(chance) for question, chance in answers.items()}}
