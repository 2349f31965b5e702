"""Games described by a `game.toml` file, without code."""

from kitchentable.rules.kit.places import BadFile, Flaw
from kitchentable.rules.toml.build import read_game

__all__ = ["BadFile", "Flaw", "read_game"]
