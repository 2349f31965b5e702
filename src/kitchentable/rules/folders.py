"""Games in folders that are not installed: a game.toml, or a Python package with a `game`.

Reading a `game.toml` runs no code. Reading a Python folder runs its code.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from kitchentable.rules.errors import BadGame
from kitchentable.rules.game import Game
from kitchentable.rules.toml import read_game

#: The file of a game without code, and its golden playthrough.
FILE = "game.toml"
PLAYTHROUGH = "playthrough.txt"
_LARGEST = 4_000_000


def read_folder(path: Path) -> Game:
    """Read the game in a folder, or in a game.toml given by its path.

    Errors: BadGame, or BadFile for a game.toml with mistakes.
    """
    folder = path.parent if path.name == FILE else path
    if (folder / "__init__.py").is_file() and path.name != FILE:
        return _read_python(folder)
    if (folder / FILE).is_file():
        return read_written(folder)
    inside = sorted(one.parent for one in folder.glob(f"*/{FILE}")) if folder.is_dir() else []
    inside += sorted(one.parent for one in folder.glob("src/*/__init__.py"))
    if len(inside) == 1:
        return read_folder(inside[0])
    what = "is not a folder" if not folder.is_dir() else f"has neither a {FILE} nor an __init__.py"
    raise BadGame(f"{folder} {what}, so no game was read.", code="game/no-game-here")


def read_written(folder: Path, *, kept: bool = False) -> Game:
    """Read the game in the game.toml of a folder. Errors: BadGame.

    A `kept` game is already used by campaigns, so fewer mistakes are refused than in a new one.
    """
    path = folder / PLAYTHROUGH
    playthrough = _text(path) if path.is_file() else ""
    return read_game(_text(folder / FILE), playthrough, str(folder / FILE), kept=kept)


def is_game_folder(folder: Path) -> bool:
    """Whether a folder has a game, as a file or as a Python package."""
    packages = (folder / "__init__.py", *folder.glob("src/*/__init__.py"))
    return is_written(folder) or any(one.is_file() for one in packages)


def is_written(folder: Path) -> bool:
    """Whether a folder has a game.toml, so that the game can be stored without running code."""
    return (folder / FILE).is_file()


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise BadGame(f"{path} is larger than {_LARGEST:,} bytes, too large for a game's file.")
        return path.read_text("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        raise BadGame(
            f"{path} is not UTF-8 text: byte {error.start} cannot be read. Save it as UTF-8."
        ) from error
    except OSError as error:
        raise BadGame(f"{path} cannot be read: {error.strerror}.") from error


def _read_python(folder: Path) -> Game:
    """The `game` of a Python package in a folder, imported under the folder's name."""
    folder = folder.resolve()
    parent, name = str(folder.parent), folder.name
    known = sys.modules.get(name)
    if known is not None and Path(str(known.__file__)).parent.resolve() != folder:
        raise BadGame(
            f"{folder} cannot be read, because another module is called {name}. "
            "Give the folder another name, or install it as a package."
        )
    for one in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
        del sys.modules[one]  # imported again, because it may have changed
    sys.path.insert(0, parent)
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise BadGame(f"{folder} cannot be read: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(parent)
    found = getattr(module, "game", None)
    if not isinstance(found, Game):
        raise BadGame(f"{folder} has no value named game of type Game.")
    return found
