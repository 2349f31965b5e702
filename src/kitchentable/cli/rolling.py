"""`kitchentable roll` and `kitchentable odds`: notation, or a game's own rolls by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

import kitchentable as kt
from kitchentable.cli.report import json_option, say_json
from kitchentable.dice import Chance, Distribution, Roll, Throw, show
from kitchentable.dice.errors import BadInput
from kitchentable.dice.notation import DIALECTS, in_decimals
from kitchentable.rules.library import Playable, is_path

#: How dice in notation begin; nothing like this is looked for among the games.
_DICE = re.compile(r"[\d({]|d[\d%F]", re.IGNORECASE)
#: A word that begins with a minus and goes on like dice; every option begins otherwise.
_LESS = re.compile(r"-\s*(?:[\d({]|d[\d%F])", re.IGNORECASE)
_SIMPLE = 10**6
_PLAIN = {"kept", "counted"}


class BadWords(BadInput):
    """The words after a command do not fit it."""

    code = "cli/words"


class DiceCommand(click.Command):
    """A command whose words may be dice that are taken away, such as -1d6, and are no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words. A blank before dice tells them from an option, and means nothing."""
        return super().parse_args(ctx, [f" {one}" if _LESS.match(one) else one for one in args])


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: notation, or a game's roll with its arguments."""

    text: str
    game: str = ""
    roll: str = ""
    arguments: tuple[tuple[str, Any], ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    dialect: str = "house"

    def throw(self, faces: Sequence[int | str] | None) -> Roll[Any]:
        """Throw it. Errors: those of the dice, of the notation, of the game."""
        if not self.game:
            return kt.roll(self.text, faces=faces, dialect=self.dialect)
        return self._playable().roll(self.roll, faces=faces, **dict(self.arguments))

    def solve(self) -> Distribution:
        """Solve it. Errors: those of the notation, of the game, of the solver."""
        if not self.game:
            return kt.odds(self.text, dialect=self.dialect)
        return self._playable().odds(self.roll, **dict(self.arguments))

    def sums_up(self) -> Callable[[Any], Any]:
        """How outcomes that come to the same are told together."""
        return kt.game(self.game).game.rolls[self.roll].sums_up if self.game else _by_itself

    def _playable(self) -> Playable:
        return kt.game(self.game, **dict(self.options))


#: The option of a command that sets options of a game's table.
set_option = click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the game's table; as often as you like.",
)


#: The option of a command that says whose notation is typed.
dialect_option = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    help="The program whose notation it is, such as avrae.",
)


@click.command(
    cls=DiceCommand,
    epilog="""\b
Examples:
  kitchentable roll 2d6!+3
  kitchentable roll --dialect avrae "4d6e6kh3 [luck]"
  kitchentable roll "4d6kh3 [strength]"
  kitchentable roll 3d6 --faces 4,4,1                  you threw real dice
  kitchentable roll toast task trait=3 perk=yes difficulty=16
  kitchentable roll toast task trait=3 --faces kick
  kitchentable roll toaster task rank=6 --set rolling_zeros=yes""",
)
@click.argument("what", nargs=-1, required=True)
@click.option("--faces", help="Faces of real dice, in the order of throwing: 4,4,1")
@dialect_option
@set_option
@json_option
def roll(
    what: tuple[str, ...],
    faces: str | None,
    dialect: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Throw dice in notation, or one of a game's rolls: GAME ROLL name=value ..."""
    asked = read_words(what, options, dialect)
    typed = re.split(r"[\s,]+", faces.strip()) if faces else None
    thrown = asked.throw(typed)
    if as_json:
        say_json(
            {
                "roll": asked.text,
                "outcome": outcome_data(thrown.outcome),
                "typed": typed is not None,
                "trace": thrown.trace.to_data(),
            }
        )
        return
    for throw in thrown.trace.throws:
        click.echo(_line(throw))
    click.echo(f"{asked.text}: {outcome_words(thrown.outcome)}")


@click.command(
    cls=DiceCommand,
    epilog="""\b
Examples:
  kitchentable odds 2d6!
  kitchentable odds 2d6! --at-least 12
  kitchentable odds "(2d6)>=9"
  kitchentable odds toast task trait=5 difficulty=16
  kitchentable odds toast contest trait=4 other_trait=6
  kitchentable odds toast contest trait=4 other_trait=6 --each
  kitchentable odds toaster task rank=6 --set rolling_zeros=yes --set variable_outcomes=yes""",
)
@click.argument("what", nargs=-1, required=True)
@click.option("--at-least", type=int, help="The chance of this number or more.")
@click.option("--at-most", type=int, help="The chance of this number or less.")
@click.option("--each", is_flag=True, help="Outcome by outcome, where they were summed up.")
@dialect_option
@set_option
@json_option
def odds(
    what: tuple[str, ...],
    at_least: int | None,
    at_most: int | None,
    each: bool,
    dialect: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Exact odds of dice in notation, or of one of a game's rolls: GAME ROLL name=value ..."""
    asked = read_words(what, options, dialect)
    solved = asked.solve()
    questions: dict[str, Chance] = {}
    if not _is_numbers(solved) and (at_least, at_most) != (None, None):
        raise BadWords(f"What {asked.text} gives are no numbers to be at least or at most.")
    if at_least is not None:
        questions[f"at least {at_least}"] = solved.at_least(at_least)
    if at_most is not None:
        questions[f"at most {at_most}"] = solved.at_most(at_most)
    rows = _summed(solved, _by_itself if each else asked.sums_up())
    numbers = solved.exact and _is_numbers(solved)
    middle = {"mean": str(solved.mean()), "median": str(solved.median())} if numbers else {}
    if as_json:
        say_json(
            {
                "of": asked.text,
                "odds": [
                    {"outcome": outcome_data(outcome), "chance": str(chance)}
                    for outcome, chance in rows.items()
                ],
                "unresolved": str(solved.unresolved),
                **middle,
                "asked": {question: str(chance) for question, chance in questions.items()},
            }
        )
    elif questions:
        for question, chance in questions.items():
            click.echo(f"{question}: {chance_words(chance)}")
    else:
        told = [(outcome_words(outcome), chance) for outcome, chance in rows.items()]
        click.echo(show.text(told, solved.unresolved))
        if numbers:
            click.echo(f"mean {mean_words(solved.mean())}, median {outcome_words(solved.median())}")


def read_words(
    what: Sequence[str], options: Sequence[str] = (), dialect: str | None = None
) -> Asked:
    """What the words after a command ask for, at a table with these options. Errors: BadWords."""
    what = [word.strip() for word in what]
    if dialect is not None and not options:
        return Asked(" ".join(what), dialect=dialect)
    if dialect or _DICE.match(what[0]) or not (is_path(what[0]) or what[0] in kt.games()):
        if options:
            raise BadWords("Options belong to the rolls of a game; dice in notation have none.")
        return Asked(" ".join(what))
    game = what[0]
    rolls = kt.game(game).game.rolls
    if len(what) < 2 or what[1] not in rolls:
        lines = "\n".join(f"  {name}: {one.help}" for name, one in sorted(rolls.items()))
        asked = f"{game} has no roll {what[1]!r}" if len(what) > 1 else f"Which roll of {game}?"
        raise BadWords(f"{asked.rstrip('?.')}{'.' if len(what) > 1 else '?'} It has:\n{lines}")
    text = " ".join((*what, *(f"--set {one}" for one in options)))
    named = read_named(what[2:], {"faces": "--faces"})
    return Asked(text, game, what[1], named, read_options(options))


def read_named(words: Sequence[str], instead: Mapping[str, str]) -> tuple[tuple[str, Any], ...]:
    """Words such as trait=3 as names and values. Errors: BadWords.

    `instead` names options of the command that somebody could write as such a word.
    """
    arguments: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise BadWords(f"{word!r} is no name=value, such as trait=3.")
        if name in instead:
            raise BadWords(f"Write {instead[name]} {value} instead of {word}.")
        if name in arguments:
            raise BadWords(f"{name} is there twice; say it once.")
        arguments[name] = _value(value)
    return tuple(arguments.items())


def read_options(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Words such as rolling_zeros=yes as options and what is typed for them. Errors: BadWords."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadWords(f"{word!r} is no option=value, such as rolling_zeros=yes.")
        found[name.replace("-", "_")] = value
    return tuple(found.items())


def outcome_words(outcome: Any) -> str:
    """An outcome as a person reads it."""
    if isinstance(outcome, Fraction):
        return in_decimals(outcome)
    return _reached(outcome) if isinstance(outcome, bool) else str(outcome)


def outcome_data(outcome: Any) -> Any:
    """An outcome as plain data: numbers and words stay, other values are told in words."""
    return outcome if isinstance(outcome, int | str | bool | None) else outcome_words(outcome)


def chance_words(chance: Chance) -> str:
    """A chance in percent, with its fraction where that is a simple one.

    >>> chance_words(Fraction(23, 108))
    '21.2963 % = 23/108'
    """
    if isinstance(chance, Fraction):
        simple = f" = {chance}" if chance.denominator < _SIMPLE else ""
        return f"{float(chance) * 100:.6g} %{simple}"
    return str(chance)


def mean_words(mean: Any) -> str:
    """A mean with four digits, and exactly where that says more.

    >>> from fractions import Fraction
    >>> mean_words(Fraction(40, 3)), mean_words(Fraction(7))
    ('13.33 = 40/3', '7')
    """
    short = f"{float(mean):.4g}"
    exact = isinstance(mean, Fraction) and mean.denominator != 1
    return f"{short} = {mean}" if exact and len(str(mean)) <= 20 else short


def _line(throw: Throw) -> str:
    label = f"  ({throw.label})" if throw.label else ""
    fate = "" if throw.fate in _PLAIN else f"  {throw.fate}"
    why = f": {throw.why}" if fate and throw.why else ""
    return f"  {throw.die:>5}  {throw.face!s:>4}{label}{fate}{why}".rstrip()


def _reached(outcome: Any) -> str:
    return "reached" if outcome else "not reached"


def _summed(solved: Distribution, sums_up: Callable[[Any], Any]) -> dict[Any, Fraction]:
    """Chances of what outcomes come to, in the order in which it first comes up."""
    rows: dict[Any, Fraction] = {}
    for outcome, chance in solved.items():
        what = sums_up(outcome)
        rows[what] = rows.get(what, Fraction(0)) + chance
    return rows


def _by_itself(outcome: Any) -> Any:
    return outcome


def _is_numbers(solved: Distribution) -> bool:
    return all(type(outcome) in (int, Fraction) for outcome in solved)


def _value(text: str) -> int | bool | str:
    lowered = text.casefold()
    if lowered in {"yes", "true", "on"}:
        return True
    if lowered in {"no", "false", "off"}:
        return False
    try:
        return int(text)
    except ValueError:
        return text
