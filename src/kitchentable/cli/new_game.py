"""`kitchentable new-game` and `kitchentable add-game`."""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from kitchentable.app.places import Data
from kitchentable.app.playthrough import play, refusals
from kitchentable.cli.report import answer, json_option
from kitchentable.cli.server import data_option
from kitchentable.dice.errors import BadInput
from kitchentable.rules import registry
from kitchentable.rules.folders import FILE, PLAYTHROUGH, read_folder

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_STARTER = files("kitchentable.cli") / "starter"
_PYTHON = files("kitchentable.cli") / "starter_python"
#: The folder of example games: inside an installed package, next to src in a checkout.
_PACKAGED = Path(__file__).parents[1] / "examples"
_EXAMPLES = _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[3] / "examples"
#: The kinds of example games that a new game can start from.
KINDS = ("karma", "number", "playbooks", "position", "pushing")


class NotANewGame(BadInput):
    """A new game cannot be created there, or under that name."""

    code = "cli/new-game"


@click.command(
    epilog="""\b
Examples:
  kitchentable new-game night_out                 create a folder night_out
  kitchentable new-game night_out --title "A Night Out"
  kitchentable new-game night_out --like pushing  start from an example game
  kitchentable new-game night_out --python        create a Python package"""
)
@click.argument("name")
@click.option("--title", default="", help="Title of the game. Default: made from the name.")
@click.option("--author", default="Its author", show_default=True, help="Author of the game.")
@click.option(
    "--in",
    "where",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Create it in this folder. Default: the current one.",
)
@click.option("--like", type=click.Choice(KINDS), help="Start from an example game of this kind.")
@click.option("--python", is_flag=True, help="Create a package to install with pip.")
@json_option
def new_game(
    name: str,
    title: str,
    author: str,
    where: Path,
    like: str | None,
    python: bool,
) -> None:
    """Create a folder with a working game for you to change."""
    folder = begin(name, where, title=title, author=author, like=like or "", python=python)
    inside = folder / "src" / name if python else folder
    lines = [
        f"{folder} is a game. Next steps:",
        f"  kitchentable check-game {inside}",
        f"  pip install --editable {folder}" if python else f"  kitchentable add-game {folder}",
        f"Its rules are in {inside / FILE}; change them, and check the game again.",
    ]
    data = {"game": name, "folder": str(folder), "file": str(inside / FILE)}
    answer(data, lines)


def begin(name: str, where: Path, *, title: str, author: str, python: bool, like: str = "") -> Path:
    """Create the folder of a new game, and return it. Errors: NotANewGame."""
    if not _NAME.fullmatch(name):
        raise NotANewGame(
            f"{name!r} cannot be a game's name. Use small letters, digits and _, beginning with a "
            "letter, such as night_out."
        )
    if name in registry.names():
        raise NotANewGame(f"A game called {name} is already installed. Choose another name.")
    if python and (keyword.iskeyword(name) or importlib.util.find_spec(name) is not None):
        raise NotANewGame(f"{name} is already a Python module or keyword. Choose another name.")
    folder = where / name
    if folder.exists():
        raise NotANewGame(f"{folder} already exists. Choose another name or folder.")
    title = title.strip() or name.replace("_", " ").title()
    inside = folder / "src" / name if python else folder
    said = {
        "@NAME@": name,
        "@TITLE@": _in_quotes(title),
        "@AUTHOR@": _in_quotes(author),
        "@FOLDER@": str(inside),
        "@PACKAGE@": f"kitchentable-{name.replace('_', '-')}",
    }
    try:
        inside.mkdir(parents=True)
        for one in (FILE, PLAYTHROUGH, "README.md"):
            place = folder if one == "README.md" else inside
            kept = _EXAMPLES / like if like and one != "README.md" else _STARTER
            _write(kept / one, place / one, said)
        if like:
            _rename(inside / FILE, name, title, author)
        if python:
            _write(_PYTHON / "pyproject.toml.txt", folder / "pyproject.toml", said)
            _write(_PYTHON / "init.py.txt", inside / "__init__.py", said)
            _write(_PYTHON / "omens.py.txt", inside / "omens.py", said)
        write_playthrough(inside)
    except OSError:
        # Such as a full disk; half a folder would be in the way of the next attempt.
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def write_playthrough(folder: Path) -> bool:
    """Replay a game's golden playthrough and record the new logs; returns whether they changed.

    Errors: BadGame, BadScript; NotANewGame without a playthrough, or if a step is newly refused.
    """
    game = read_folder(folder)
    folder = folder.parent if folder.name == FILE else folder
    inside = [folder, *sorted(folder.glob("src/*")), *sorted(folder.glob("*"))]
    beside = next((one / PLAYTHROUGH for one in inside if (one / PLAYTHROUGH).is_file()), None)
    if beside is None:
        raise NotANewGame(
            f"There is no file {folder / PLAYTHROUGH}. Create it with one step on each line, such "
            f'as: GM> open "{game.example().title}".'
        )
    before = beside.read_text("utf-8")
    played = play(game, before)
    refused = refusals(played)
    for step in refusals(before):
        refused.pop(step, None)
    if refused:
        step, words = next(iter(refused.items()))
        raise NotANewGame(
            f"Step {step} of the playthrough is refused: {words} If that is intended, add an "
            "indented line with ! below the step."
        )
    if played != before:
        beside.write_text(played, "utf-8")
    return played != before


def folder_of(name: str) -> Path:
    """Find the folder of a game by its path or name. Errors: UnknownGame, NotANewGame."""
    if Path(name).exists():
        return Path(name)
    found = importlib.util.find_spec(registry.module_of(name))
    if found is None or not found.origin:
        raise NotANewGame(f"The package of {name} is not in a folder.")
    return Path(found.origin).parent


def _write(template: Traversable, place: Path, said: dict[str, str]) -> None:
    text = template.read_text("utf-8")
    for mark, words in said.items():
        text = text.replace(mark, words)
    place.write_text(text, "utf-8")


def _rename(file: Path, name: str, title: str, author: str) -> None:
    """Replace the name, title and author of an example game by those of a new one."""
    text = file.read_text("utf-8")
    for key, value in (("name", name), ("title", title), ("author", author)):
        line = f'{key} = "{_in_quotes(value)}"'
        text = re.sub(rf'(?m)^{key} = ".*"$', lambda _, line=line: line, text, count=1)  # type: ignore[misc]
    file.write_text(text, "utf-8")


def _in_quotes(words: str) -> str:
    """Check that a text needs no escaping in TOML, Python or a script."""
    if any(c in words for c in '"\\\n\r\t') or not words.isprintable():
        raise NotANewGame(
            f"{words!r} has a quotation mark, backslash or invisible character. Leave it out."
        )
    return words


@click.command(
    epilog="""\b
Examples:
  kitchentable add-game night_out
  kitchentable add-game night_out/game.toml --data evening.db"""
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@data_option
@json_option
def add_game(path: Path, data: Data) -> None:
    """Add a game in a file to a server, so that its host can open campaigns of it.

    All added versions stay. Install a Python game with pip instead.
    """
    game = data.local_games.put(path)
    folder = data.local_games.folder
    lines = [
        f"{game.title} {game.version} is added to {folder}.",
        "A running server offers it now. Existing campaigns ask their GM before they change.",
    ]
    added = {"game": game.name, "version": game.version, "folder": str(folder)}
    answer(added, lines)
