"""`kitchentable new-game` and `add-game`: a game of your own."""

from __future__ import annotations

import importlib.util
import keyword
import re
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
#: The folder of example games: in a package beside its code, in a checkout beside src.
_BESIDE = Path(__file__).parents[1] / "examples"
_EXAMPLES = _BESIDE if _BESIDE.is_dir() else Path(__file__).parents[3] / "examples"
#: The kinds of example games that a new game can start from.
KINDS = ("karma", "number", "playbooks", "position", "pushing")


class NotANewGame(BadInput):
    """A new game cannot be created there, or under that name."""

    code = "cli/new-game"


@click.command(
    epilog="""\b
Examples:
  kitchentable new-game night_out                 a folder night_out with a game.toml
  kitchentable new-game night_out --title "A Night Out"
  kitchentable new-game night_out --like pushing  begin from an example game of that kind
  kitchentable new-game night_out --python        a package, for what a file cannot say"""
)
@click.argument("name")
@click.option("--title", default="", help="Title of the game. Default: made from the name.")
@click.option("--author", default="Its author", show_default=True, help="Author of the game.")
@click.option(
    "--in",
    "where",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Folder to put it in. Default: this one.",
)
@click.option("--like", type=click.Choice(KINDS), help="The kind of game to begin from.")
@click.option("--python", is_flag=True, help="A Python package that can be installed with pip.")
@json_option
def new_game(
    name: str,
    title: str,
    author: str,
    where: Path,
    like: str | None,
    python: bool,
    as_json: bool,
) -> None:
    """Write a folder with a game that works at once; change it into yours."""
    folder = begin(name, where, title=title, author=author, like=like or "", python=python)
    inside = folder / "src" / name if python else folder
    lines = [
        f"{folder} is a game. What to do with it:",
        f"  kitchentable check-game {inside}",
        f"  pip install --editable {folder}" if python else f"  kitchentable add-game {folder}",
        f"Its rules are in {inside / FILE}; change them, check them, play them.",
    ]
    data = {"game": name, "folder": str(folder), "file": str(inside / FILE)}
    answer(data, lines, as_json=as_json)


def begin(name: str, where: Path, *, title: str, author: str, python: bool, like: str = "") -> Path:
    """Write the folder of a new game; gives the folder. Errors: NotANewGame."""
    if not _NAME.fullmatch(name):
        raise NotANewGame(
            f"{name!r} cannot be a game's name: small letters, digits and _, a letter first, "
            "such as night_out."
        )
    if name in registry.names():
        raise NotANewGame(f"A game called {name} is installed; give yours another name.")
    if python and (keyword.iskeyword(name) or importlib.util.find_spec(name) is not None):
        raise NotANewGame(
            f"Python has something of its own called {name}; give yours another name."
        )
    folder = where / name
    if folder.exists():
        raise NotANewGame(f"{folder} is there already, and is left as it is.")
    title = title.strip() or name.replace("_", " ").title()
    inside = folder / "src" / name if python else folder
    said = {
        "@NAME@": name,
        "@TITLE@": _in_quotes(title),
        "@AUTHOR@": _in_quotes(author),
        "@FOLDER@": str(inside),
        "@PACKAGE@": f"kitchentable-{name.replace('_', '-')}",
    }
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
    return folder


def write_playthrough(folder: Path) -> bool:
    """Play a game's golden playthrough again, and write down the new logs.

    Gives whether anything has changed. Errors: BadGame, BadScript, NotANewGame where there is no
    evening, or where a step is refused that was not refused before.
    """
    game = read_folder(folder)
    folder = folder.parent if folder.name == FILE else folder
    inside = [folder, *sorted(folder.glob("src/*")), *sorted(folder.glob("*"))]
    beside = next((one / PLAYTHROUGH for one in inside if (one / PLAYTHROUGH).is_file()), None)
    if beside is None:
        raise NotANewGame(
            f"{folder / PLAYTHROUGH} is not there. Write what people do into it, line by line, "
            f'such as: GM> open "{game.example().title}".'
        )
    before = beside.read_text("utf-8")
    played = play(game, before)
    refused = refusals(played)
    for step in refusals(before):
        refused.pop(step, None)
    if refused:
        step, words = next(iter(refused.items()))
        raise NotANewGame(
            f"Step {step} of the evening is refused: {words} Where that is meant, write an "
            "indented line with ! below the step."
        )
    if played != before:
        beside.write_text(played, "utf-8")
    return played != before


def folder_of(name: str) -> Path:
    """The folder of a game, by its path or of an installed one.

    Errors: UnknownGame, NotANewGame.
    """
    if Path(name).exists():
        return Path(name)
    found = importlib.util.find_spec(registry.module_of(name))
    if found is None or not found.origin:
        raise NotANewGame(f"The package of {name} lies in no folder.")
    return Path(found.origin).parent


def _write(template: Traversable, place: Path, said: dict[str, str]) -> None:
    text = template.read_text("utf-8")
    for mark, words in said.items():
        text = text.replace(mark, words)
    place.write_text(text, "utf-8")


def _rename(file: Path, name: str, title: str, author: str) -> None:
    """Give an example game the names of a new one, in its first table."""
    text = file.read_text("utf-8")
    for key, value in (("name", name), ("title", title), ("author", author)):
        line = f'{key} = "{_in_quotes(value)}"'
        text = re.sub(rf'(?m)^{key} = ".*"$', lambda _, line=line: line, text, count=1)  # type: ignore[misc]
    file.write_text(text, "utf-8")


def _in_quotes(words: str) -> str:
    """A text escaped for quotation marks in TOML, Python and a script."""
    if any(c in words for c in '"\\\n\r\t') or not words.isprintable():
        raise NotANewGame(f"{words!r} has a character that cannot stand between quotation marks.")
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
def add_game(path: Path, data: Data, as_json: bool) -> None:
    """Add a game that is written in a file to a server; its host can open campaigns of it.

    Every version that was put there stays. A game in Python is installed with pip instead.
    """
    game = data.local_games.put(path)
    folder = data.local_games.folder
    lines = [
        f"{game.title} {game.version} is added to {folder}.",
        "A running server offers it at once, and each campaign asks its GM first.",
    ]
    added = {"game": game.name, "version": game.version, "folder": str(folder)}
    answer(added, lines, as_json=as_json)
