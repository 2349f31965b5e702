"""Output of the command line: text, JSON and errors."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from kitchentable.dice.errors import BadInput, KitchenTableError

#: The exit codes listed by `kitchentable --help`.
FOUND = 1
BAD_INPUT = 2
FAILED = 3
INTERRUPTED = 130

#: Control characters, except tabs and line feeds.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

#: Where a command's context remembers --json.
_JSON = "kitchentable.json"


def _remember(context: click.Context, option: click.Parameter, value: bool) -> None:
    context.meta[_JSON] = value


json_option = click.option(
    "--json", is_flag=True, expose_value=False, callback=_remember, help="Print JSON, for programs."
)


def wants_json() -> bool:
    """Whether the running command was called with --json."""
    return bool(click.get_current_context().meta[_JSON])


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


def answer(data: Any, lines: Iterable[str]) -> None:
    """Print data as JSON if the command was called with --json, or its lines."""
    if wants_json():
        say_json(data)
    else:
        for line in lines:
            click.echo(line)


def write_new(file: Path, body: bytes, option: str) -> None:
    """Write the file of an option, which must not exist yet. Errors: BadInput, OSError."""
    try:
        new = file.open("xb")
    except FileExistsError as error:
        raise BadInput(
            f"The file {file} already exists and was not changed. Choose another name for "
            f"{option}.",
            code="cli/file-exists",
        ) from error
    try:
        with new:
            new.write(body)
    except OSError:
        # Such as a full disk; half a file would be in the way of the next attempt.
        file.unlink()
        raise


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def explain(error: KitchenTableError | click.ClickException | OSError, *, as_json: bool) -> int:
    """Print an error to standard error; returns the exit code for its kind."""
    code, pointer = BAD_INPUT, None
    if isinstance(error, click.ClickException):
        data: dict[str, Any] = {"code": "cli/usage", "sentence": error.format_message()}
        if not as_json:
            error.show()
            return code
    elif isinstance(error, OSError):
        where = f" for {error.filename}" if error.filename else ""
        sentence = f"The system reported an error{where}: {error.strerror or error}."
        data, code = {"code": "cli/system", "sentence": sentence}, FAILED
    else:
        data = {"code": error.code, "sentence": str(error)}
        if problems := getattr(error, "problems", ()):
            data["problems"] = [
                {"where": one.where, "rule": one.rule, "sentence": one.sentence} for one in problems
            ]
        # Errors in notation have a place. Checking their type would import the parser at every
        # start.
        position, pointer = getattr(error, "position", None), getattr(error, "pointer", None)
        if position is not None:
            data["position"] = position
        if error.code.startswith("store/") and not isinstance(error, BadInput):
            code = FAILED
    text = json.dumps({"error": data}, ensure_ascii=False) if as_json else data["sentence"]
    click.echo(text, err=True)
    if pointer is not None and not as_json:
        click.echo(pointer(), err=True)
    return code
