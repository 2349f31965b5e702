"""Games that are written down in a file: no Python, and nothing in the file can run."""

from kitchentable.rules.toml.build import read_game
from kitchentable.rules.toml.flaws import BadFile, Flaw

__all__ = ["BadFile", "Flaw", "read_game"]
