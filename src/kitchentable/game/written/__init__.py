"""Games that are written down in a file: no Python, and nothing in the file can run."""

from kitchentable.game.written.build import read_game
from kitchentable.game.written.flaws import BadFile, Flaw

__all__ = ["BadFile", "Flaw", "read_game"]
