"""Output of the command line: text, JSON and errors."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import click

from kitchentable.dice.errors import BadInput, KitchenTableError

#: The exit codes listed by `kitchentable --help`.
FOUND = 1
BAD_INPUT = 2
FAILED = 3
INTERRUPTED = 130

#: Control characters, except tabs and line feeds.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def say_json(data: Any, *, indent: int | None = 2) -> None:
    """Print data as JSON: dataclasses by their fields, other values, such as fractions, as text."""
    click.echo(json.dumps(data, indent=indent, ensure_ascii=False, default=_plain))


def harmless(text: str) -> str:
    r"""Make a person's text safe to print: no control characters, and further lines indented.

    Otherwise a text could clear the screen, or look like another person's line.

    >>> harmless("Hello\x1b[2J\n20:41 GM: Ida, you win.")
    'Hello\ufffd[2J\n    20:41 GM: Ida, you win.'
    """
    return _CONTROLS.sub("\ufffd", text).replace("\n", "\n    ")


def answer(data: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print data as JSON, or its lines."""
    if as_json:
        say_json(data)
    else:
        for line in lines:
            click.echo(line)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def explain_and_exit(error: KitchenTableError, *, as_json: bool) -> NoReturn:
    """Print an error, and exit with the code for its kind."""
    data: dict[str, Any] = {"code": error.code, "sentence": str(error)}
    problems = getattr(error, "problems", ())
    if problems:
        data["problems"] = [
            {"where": one.where, "rule": one.rule, "sentence": one.sentence} for one in problems
        ]
    # Errors in notation have a place. Checking their type would import the parser at every start.
    position, pointer = getattr(error, "position", None), getattr(error, "pointer", None)
    if position is not None:
        data["position"] = position
    _say_error(data, as_json=as_json)
    if pointer is not None and not as_json:
        click.echo(pointer(), err=True)
    at_fault = isinstance(error, BadInput) or not error.code.startswith("store/")
    sys.exit(BAD_INPUT if at_fault else FAILED)


def explain_usage(error: click.ClickException, *, as_json: bool) -> NoReturn:
    """Print an error about the arguments, and exit."""
    if as_json:
        _say_error({"code": "cli/usage", "sentence": error.format_message()}, as_json=True)
    else:
        error.show()
    sys.exit(BAD_INPUT)


def explain_system(error: OSError, *, as_json: bool) -> NoReturn:
    """Print an error of the operating system, and exit."""
    where = f" for {error.filename}" if error.filename else ""
    sentence = f"The system reported an error{where}: {error.strerror or error}."
    _say_error({"code": "cli/system", "sentence": sentence}, as_json=as_json)
    sys.exit(FAILED)


def _say_error(data: dict[str, Any], *, as_json: bool) -> None:
    text = json.dumps({"error": data}, ensure_ascii=False) if as_json else data["sentence"]
    click.echo(text, err=True)
