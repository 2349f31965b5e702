"""Arguments of `roll`, `odds` and `fight`: expressions, games' rolls, options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

import kitchentable as kt
from kitchentable.dice.arguments import (
    DICE,
    BadWords,
    read_named,
    read_options,
    split_options,
    split_words,
)
from kitchentable.dice.notation import DIALECTS, tally
from kitchentable.dice.notation.card_line import Piece
from kitchentable.dice.notation.dialects.reading import read
from kitchentable.dice.outcomes import did_you_mean

if TYPE_CHECKING:
    from kitchentable.dice import Distribution, Roll
    from kitchentable.rules.combat import Fought
    from kitchentable.rules.game import Rolled
    from kitchentable.rules.library import Playable

#: A chat verb before dice, as a separate word.
_PREFIX = re.compile(r"[/!]r(?:oll)?", re.IGNORECASE)
#: A minus and dice; no option begins like this.
_LESS = re.compile(r"-\s*(?:[\d({]|d[\d%F])", re.IGNORECASE)
#: A word that begins another expression, if the words before it are complete.
_ANOTHER = re.compile(r"(?:\d*d[\d%F]|[({])", re.IGNORECASE)
_GOES_ON = tuple("+-*/,<>=(")
_BRACKETS = (("(", ")"), ("{", "}"), ("[", "]"))


class DiceCommand(click.Command):
    """A command that accepts subtracted dice, such as -1d6, as well as options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, with a space before dice to distinguish them from options."""
        return super().parse_args(ctx, [f" {one}" if _LESS.match(one) else one for one in args])


@dataclass(frozen=True, slots=True)
class Asked:
    """A roll given on the command line: notation, or a game's roll with its arguments.

    `game` is the name or the folder of the game `playable`; both are empty for notation.
    """

    text: str
    game: str = ""
    playable: Playable | None = None
    roll: str = ""
    arguments: tuple[tuple[str, Any], ...] = ()
    dialect: str = "house"

    def throw(self, faces: Sequence[int | str] | None) -> Roll[Any]:
        """Throw the dice. Errors: those of the dice, the notation and the game."""
        if self.playable is None:
            return kt.roll(self.text, faces=faces, dialect=self.dialect)
        return self.playable.roll(self.roll, faces=faces, **dict(self.arguments))

    def tally(self, thrown: Roll[Any]) -> tuple[Piece, ...]:
        """The calculation of a throw in notation, with its dice; empty for a game."""
        if self.game:
            return ()
        return tally(read(self.text, self.dialect), thrown.trace.faces)

    def solve(self) -> Distribution:
        """Solve the odds. Errors: those of the notation, the game and the solver."""
        if self.playable is None:
            return kt.odds(self.text, dialect=self.dialect)
        return self.playable.odds(self.roll, **dict(self.arguments))


over_option = click.option(
    "--over",
    multiple=True,
    metavar="NAME=VALUES",
    help="Repeat for each value of a number, an option or a name in braces: 1..6, or 3,5,7.",
)
set_option = click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Set an option of the game; may be repeated.",
)


dialect_option = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    help="The program whose notation this is, such as avrae.",
)


def load_game(word: str, options: Sequence[str] = ()) -> Playable:
    """Load a game by its name or folder, with options as typed. Errors: UnknownGame, BadWords."""
    return kt.game(kt.find_game(word) or word, **dict(read_options(options)))


def read_words(
    what: Sequence[str], options: Sequence[str] = (), dialect: str | None = None
) -> tuple[Asked, ...]:
    """Read the rolls after a command, with the game's options.

    In another program's dialect all words are one expression. Several games' rolls are quoted:
    "toast task trait=3" "toast task trait=4 --set medium=12".
    """
    what = [word.strip() for word in what]
    if all(" " in word and not DICE.match(word) for word in what) and dialect is None:
        each = [split_options(split_words(word)) for word in what]
        return tuple(
            one for words, own in each for one in read_words(words, (*options, *own), dialect)
        )
    if len(what) > 1 and _PREFIX.fullmatch(what[0]):
        what = what[1:]
    dice = dialect is not None or not what[0] or DICE.match(what[0])
    game = "" if dice else kt.find_game(what[0])
    if options and not game:
        raise BadWords("Dice in notation have no options. Leave out --set, or name a game's roll.")
    if dialect is not None:
        return (Asked(" ".join(what), dialect=dialect),)
    if not game:
        return tuple(map(Asked, _expressions(what)))
    roll = what[1] if len(what) > 1 else ""
    playable = kt.game(game, **dict(read_options(options)))
    check_name(what[0], "roll", roll, playable.game.rolls)
    text = " ".join((*what, *(f"--set {one}" for one in options)))
    named = read_named(what[2:], {"faces": "--faces"})
    return (Asked(text, game, playable, roll, named),)


def check_name(game: str, kind: str, name: str, known: Mapping[str, Rolled | Fought]) -> None:
    """Refuse a name that is none of a game's rolls or fights. Errors: BadWords, with all names."""
    if name in known:
        return
    lines = "\n".join(f"  {key}: {one.help}" for key, one in sorted(known.items()))
    has = f"It has:\n{lines}" if lines else f"This game has no {kind}s."
    asked = f"Which {kind} of {game}?"
    if name:
        asked = f"{game} has no {kind} {name!r}.{did_you_mean(name, known)}"
    raise BadWords(f"{asked} {has}")


def _expressions(words: Sequence[str]) -> Iterator[str]:
    """Split words into expressions: dice after a complete expression begin another one.

    >>> list(_expressions(["2d6", "+", "1d4", "3d6", "[fire]"]))
    ['2d6 + 1d4', '3d6 [fire]']
    """
    text = words[0]
    for word in words[1:]:
        if _ANOTHER.match(word) and _is_whole(text):
            yield text
            text = word
        else:
            text = f"{text} {word}"
    yield text


def _is_whole(text: str) -> bool:
    open_ = any(text.count(left) > text.count(right) for left, right in _BRACKETS)
    return not (open_ or "#" in text or text.endswith(_GOES_ON))
