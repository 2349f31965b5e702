"""Lanterns, a small game of our own, and the worked example of a game in a file."""

from dataclasses import replace
from importlib.resources import files

from kitchentable.rules import Art
from kitchentable.rules.toml import read_game

__all__ = ["game"]

_FOLDER = files("kitchentable.rulesets.lanterns")


#: The evening of the example, up to the moment at which somebody has to act.
OPENING = """
GM> begin
GM> say Ten o’clock in Cooper’s Yard. The watch comes round, and the well hums a tune you know.
Ines> speak "Marta Quill" That is my mother’s song.
Ines> propose try for "Marta Quill" trait=lamp what="Where does the humming come from?"
GM> settle difficulty=quiet
Ines> throw
Tor> speak "Old Bram" Nobody lifts that cover. I nailed it down myself.
GM> say The nails are rising out of the wood, one after the other, slowly.
Tor> propose try for "Old Bram" trait=hands what="Hold the cover down"
"""

_read = read_game(
    (_FOLDER / "game.toml").read_text("utf-8"),
    (_FOLDER / "playthrough.txt").read_text("utf-8"),
    "rulesets/lanterns/game.toml",
)
game = replace(_read, art=Art(cover="lamps"), opening=OPENING)
