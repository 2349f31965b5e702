"""`kitchentable translate`: dice notation of one program in the spelling of another."""

from __future__ import annotations

import click

from kitchentable.cli.arguments import DiceCommand
from kitchentable.cli.report import json_option, say_json
from kitchentable.dice.notation import DIALECTS, translate


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
@click.option("--from", "dialect", type=click.Choice(DIALECTS), required=True, help="Whose it is.")
@click.option(
    "--to",
    type=click.Choice(DIALECTS),
    default="house",
    help="The program to translate into. Default: Kitchen Table.",
)
@json_option
def translate_(what: tuple[str, ...], dialect: str, to: str, as_json: bool) -> None:
    """Translate dice notation of one program into another's."""
    text = " ".join(word.strip() for word in what)
    found = translate(text, dialect, to)
    if as_json:
        say_json({"from": dialect, "to": to, "text": text, "translation": found})
    else:
        click.echo(found)
