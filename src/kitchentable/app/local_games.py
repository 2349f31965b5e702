"""The games of a server: installed packages, and local games in a folder of versions. Local games
are in a folder next to the database: NAME/VERSION/game.toml. Every added version is kept, so that a
campaign keeps its version until the GM updates it.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType

from kitchentable.dice.errors import BadInput
from kitchentable.rules import registry
from kitchentable.rules.errors import BadGame, UnknownGame
from kitchentable.rules.folders import FILE, is_written, read_written
from kitchentable.rules.game import Game

#: The name of the folder of local games, next to the database.
FOLDER = "games"
#: A part of a version: its digits, and the letters after them.
_PART = re.compile(r"(?=[^\W_])([0-9]*)([^\W_]*)")


class CannotAdd(BadInput):
    """A game cannot be added to the local games as it is."""

    code = "game/cannot-add"


class GameGone(UnknownGame):
    """The game of a campaign is no longer there."""

    code = "game/gone"


class LocalGames:
    """The games of a server by name; with `folder` None, only installed games.

    >>> LocalGames(None).load("toast").title
    'Toast'
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._read = lru_cache(maxsize=None)(partial(read_written, kept=True))
        # Finding a game searches all installed packages.
        self._installed = lru_cache(maxsize=None)(registry.load)

    def names(self) -> tuple[str, ...]:
        """The names of all games for new campaigns, sorted."""
        return tuple(sorted({*registry.names(), *self._own()}))

    def load(self, name: str, version: str = "") -> Game:
        """The game of this name: this version if it was added, otherwise the newest. Campaigns name
        a version; new ones do not. Errors: UnknownGame, GameGone, BadGame.
        """
        versions = self._own().get(name)
        if versions is None:
            try:
                return self._installed(name)
            except UnknownGame as error:
                if version:
                    raise GameGone(
                        f"This campaign plays {name!r}, and that game is not on this server. "
                        "Nothing is lost. The host adds it with: kitchentable add-game"
                    ) from error
                there = ", ".join(self.names())
                raise UnknownGame(
                    f"There is no game called {name!r} here. There is: {there}."
                ) from error
        # The highest version; numbers compare by value, so that 10 comes after 9.
        return self._read(versions.get(version) or versions[max(versions, key=version_order)])

    def every(self) -> tuple[tuple[Game, ...], tuple[str, ...]]:
        """Every game that can be opened, or the reason why it cannot be read."""
        games, wrong = [], []
        for name in self.names():
            try:
                games.append(self.load(name))
            except BadGame as error:
                wrong.append(str(error))
        return tuple(games), tuple(wrong)

    def put(self, folder: Path) -> Game:
        """Add a game's file, whole or not at all; no version is replaced.

        Errors: BadGame if the file has mistakes; CannotAdd if the game has Python code, if an
        installed game has its name, or if a different game of that version was already added.
        """
        folder = folder.parent if folder.name == FILE else folder
        if self.folder is None:
            raise CannotAdd("This server has no folder for added games.")
        if not is_written(folder):
            raise CannotAdd(
                f"{folder} has no {FILE}. Install a game in Python as a package: pip install "
                f"{folder}."
            )
        if (folder / "__init__.py").is_file():
            raise CannotAdd(
                f"{folder} has Python code next to its {FILE}, which cannot be added to a server. "
                "Install it as a package with pip install --editable."
            )
        game = read_written(folder)
        if game.name in registry.names():
            raise CannotAdd(
                f"An installed game is called {game.name}. Give your game another name."
            )
        place = self.folder / game.name / _as_folder(game.version)
        if place.exists():
            if (place / FILE).read_bytes() == (folder / FILE).read_bytes():
                return game
            raise CannotAdd(
                f"A different {game.title} {game.version} was already added. Change version = ... "
                "in the file whenever the game changes, because campaigns rely on it."
            )
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            dir=place.parent, prefix=".coming-", ignore_cleanup_errors=True
        ) as aside:
            for one in sorted(folder.iterdir()):
                if one.is_file() and one.suffix in {".toml", ".txt", ".md"}:
                    shutil.copy2(one, aside)
            os.replace(aside, place)  # noqa: PTH105 - a folder takes its place in one step
        return game

    def _own(self) -> Mapping[str, Mapping[str, Path]]:
        """The local games: name -> version -> folder."""
        if self.folder is None or not self.folder.is_dir():
            return MappingProxyType({})
        found: dict[str, dict[str, Path]] = {}
        for file in sorted(self.folder.glob(f"*/*/{FILE}")):
            if not file.parent.name.startswith("."):
                found.setdefault(file.parent.parent.name, {})[file.parent.name] = file.parent
        return found


def version_order(version: str) -> tuple[tuple[bool, int, str], ...]:
    """The sort key of versions.

    >>> sorted(["1.10", "1.9", "2", "1.9b"], key=version_order)
    ['1.9', '1.9b', '1.10', '2']
    """
    return tuple((not digits, int(digits or 0), rest) for digits, rest in _PART.findall(version))


def _as_folder(version: str) -> str:
    """A version as the name of a folder. Errors: CannotAdd."""
    plain = version.strip()
    if not re.fullmatch(r"[\w-][\w.-]{0,39}", plain):
        raise CannotAdd(
            f"The version {version!r} can have only letters, digits, points and dashes."
        )
    return plain
