"""Games described by a `game.toml` file, which can contain no code."""

from kitchentable.rules.toml.build import read_game
from kitchentable.rules.toml.places import BadFile, Flaw

__all__ = ["BadFile", "Flaw", "read_game"]
