"""How the command line speaks: text for people, JSON for programs, sentences for errors."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click
import msgspec

from kitchentable.dice.errors import BadInput, KitchenTableError

FOUND = 1
BAD_INPUT = 2
FAILED = 3

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")


def say_json(data: Any) -> None:
    """Print plain data as JSON."""
    text = msgspec.json.format(msgspec.json.encode(data, enc_hook=str), indent=2)
    click.echo(text.decode())


def explain_and_exit(error: KitchenTableError, *, as_json: bool) -> NoReturn:
    """Say what went wrong to whoever can act, and end with the code for it."""
    if as_json:
        data: dict[str, Any] = {"code": error.code, "sentence": str(error)}
        problems = getattr(error, "problems", ())
        if problems:
            data["problems"] = [
                {"where": one.where, "rule": one.rule, "sentence": one.sentence} for one in problems
            ]
        click.echo(msgspec.json.format(msgspec.json.encode({"error": data})).decode(), err=True)
    else:
        click.echo(str(error), err=True)
    sys.exit(BAD_INPUT if isinstance(error, BadInput) else FAILED)
