"""The installed games, found by entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.rules.errors import BadGame, UnknownGame
from kitchentable.rules.game import Game

#: The entry-point group in which a package names its `Game` value.
GROUP = "kitchentable.games"


def names() -> tuple[str, ...]:
    """The names of all installed games, sorted, without loading any.

    >>> "toast" in names()
    True
    """
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def load(name: str, version: str = "") -> Game:
    """The installed game with this name; a game has only one installed version.

    Errors: UnknownGame lists the installed games, BadGame gives the reason why one cannot be used.

    >>> load("toast").title
    'Toast'
    """
    point = _point(name)
    try:
        value = point.load()
    except KitchenTableError:
        raise
    except Exception as error:
        # A mistake in one package must not take the other games from a server's pages.
        raise BadGame(
            f"The game of the entry point {point.name!r} ({point.value}) cannot be loaded: {error}."
        ) from error
    if not isinstance(value, Game):
        raise BadGame(
            f"The entry point {point.name!r} ({point.value}) is not a game. It must name a Game "
            "value, not a module or a function."
        )
    if value.name != point.name:
        raise BadGame(
            f"The game of the entry point {point.name!r} has the name {value.name!r}. "
            "Both names must be the same."
        )
    return value


def module_of(name: str) -> str:
    """The module of an installed game. Errors: UnknownGame."""
    return _point(name).module


def _point(name: str) -> EntryPoint:
    points = [point for point in entry_points(group=GROUP) if point.name == name]
    if not points:
        raise UnknownGame(
            f"There is no game called {name!r} here.{did_you_mean(name, names())} "
            f"Installed: {', '.join(names())}."
        )
    return points[0]
