"""`kitchentable roll` and `kitchentable translate`."""

from __future__ import annotations

import re

import click

from kitchentable.cli.arguments import DiceCommand, dialect_option, read_words, set_option
from kitchentable.cli.output import outcome_data, roll_line, roll_lines
from kitchentable.cli.report import answer, json_option, wants_json
from kitchentable.dice.arguments import BadWords
from kitchentable.dice.notation import DIALECTS, translate

_MOST_ROLLS = 10_000


@click.command(
    cls=DiceCommand,
    epilog="""\b
Examples:
  kitchentable roll 2d6!+3
  kitchentable roll -n 6 4d6kh3                        roll six times
  kitchentable roll 1d20+5 1d8+3                       an attack and its damage
  kitchentable roll --dialect avrae "4d6e6kh3 [luck]"
  kitchentable roll "4d6kh3 [strength]"
  kitchentable roll 3d6 --faces 4,4,1                  enter real dice
  kitchentable roll toast task trait=3 perk=yes difficulty=16
  kitchentable roll toast task trait=3 --faces kick
  kitchentable roll toaster task rank=6 --set rolling_zeros=yes""",
)
@click.argument("what", nargs=-1, required=True)
@click.option(
    "-n", "times", type=click.IntRange(1, _MOST_ROLLS), default=1, help="Number of rolls."
)
@click.option("--faces", help="Faces of real dice, in the order of throwing: 4,4,1")
@dialect_option
@set_option
@json_option
def roll(
    what: tuple[str, ...],
    times: int,
    faces: str | None,
    dialect: str | None,
    options: tuple[str, ...],
) -> None:
    """Roll dice in notation, or make a game's roll: GAME ROLL name=value ..."""
    every = read_words(what, options, dialect) * times
    if faces and len(every) > 1:
        raise BadWords("--faces is for a single roll. Roll one expression at a time, without -n.")
    typed = re.split(r"[\s,]+", faces.strip()) if faces else None
    rolled = [(asked, asked.throw(typed)) for asked in every]
    thrown = [(asked.text, one, asked.tally(one)) for asked, one in rolled]
    several = len(thrown) > 1
    lines = (roll_line(*one) for one in thrown) if several else roll_lines(*thrown[0])
    data = [
        {
            "roll": text,
            "outcome": outcome_data(one.outcome),
            "typed": typed is not None,
            **({"sum": list(line)} if line else {}),
            "trace": one.trace.to_data(),
        }
        for text, one, line in (thrown if wants_json() else ())
    ]
    answer(data[0] if len(data) == 1 else data, lines)


@click.command(
    "translate",
    cls=DiceCommand,
    epilog="""\b
Examples:
  kitchentable translate "10d6>5" --from roll20
  kitchentable translate "10d6>5" --from roll20 --to anydice
  kitchentable translate "[highest 3 of 4d6]" --from anydice --to avrae""",
)
@click.argument("what", nargs=-1, required=True)
@click.option("--from", "dialect", type=click.Choice(DIALECTS), required=True, help="The notation.")
@click.option(
    "--to",
    type=click.Choice(DIALECTS),
    default="house",
    help="The notation to translate to. Default: Kitchen Table's.",
)
@json_option
def translate_(what: tuple[str, ...], dialect: str, to: str) -> None:
    """Translate dice notation of one program to that of another."""
    text = " ".join(word.strip() for word in what)
    found = translate(text, dialect, to)
    data = {"from": dialect, "to": to, "text": text, "translation": found}
    answer(data, [found])
