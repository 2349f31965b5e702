"""Lanterns, a small game of our own, and the worked example of a game in a file."""

from dataclasses import replace
from importlib.resources import files

from kitchentable.rules import Art
from kitchentable.rules.toml import read_game

__all__ = ["game"]

_FOLDER = files("kitchentable.rulesets.lanterns")

_read = read_game(
    (_FOLDER / "game.toml").read_text("utf-8"),
    (_FOLDER / "playthrough.txt").read_text("utf-8"),
    "rulesets/lanterns/game.toml",
)
game = replace(_read, art=Art(cover="lamps"))
