"""`kitchentable roll` and `kitchentable odds`: notation, or a game's own rolls by name."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

import kitchentable as kt
from kitchentable.cli.report import json_option, say_json
from kitchentable.dice import Distribution, Roll
from kitchentable.dice.errors import BadInput

_WIDTH = 40


class BadWords(BadInput):
    """The words after a command do not fit it."""

    code = "cli/words"


@click.command(
    epilog="""\b
Examples:
  kitchentable roll 2d6!+3
  kitchentable roll "4d6kh3 [strength]"
  kitchentable roll 3d6 --faces 4,4,1         you threw real dice
  kitchentable roll toast task trait=3 perk=yes difficulty=16
  kitchentable roll toast task trait=3 --faces kick"""
)
@click.argument("what", nargs=-1, required=True)
@click.option("--faces", help="Faces of real dice, in the order of throwing: 4,4,1")
@json_option
def roll(what: tuple[str, ...], faces: str | None, as_json: bool) -> None:
    """Throw dice in notation, or one of a game's rolls: GAME ROLL name=value ..."""
    typed = [_face(face) for face in faces.split(",")] if faces is not None else None
    named = _game_roll(what)
    if named is None:
        text = " ".join(what)
        thrown: Roll[Any] = kt.roll(text, faces=typed)
    else:
        game, name, arguments = named
        text = f"{game} {name}"
        thrown = kt.game(game).roll(name, faces=typed, **arguments)
    if as_json:
        say_json(
            {
                "roll": text,
                "outcome": outcome_data(thrown.outcome),
                "typed": typed is not None,
                "trace": thrown.trace.to_data(),
            }
        )
        return
    for throw in thrown.trace.throws:
        fate = "" if throw.fate in {"kept", "counted"} else f"  {throw.fate}"
        label = f"  ({throw.label})" if throw.label else ""
        click.echo(f"  {throw.die:>6}  {throw.face}{label}{fate}")
    click.echo(f"{text}: {outcome_words(thrown.outcome)}")


@click.command(
    epilog="""\b
Examples:
  kitchentable odds 2d6!
  kitchentable odds 2d6! --at-least 12
  kitchentable odds toast task trait=5 difficulty=16
  kitchentable odds toast contest trait=4 other_trait=6 --json"""
)
@click.argument("what", nargs=-1, required=True)
@click.option("--at-least", type=int, help="The chance of this number or more.")
@click.option("--at-most", type=int, help="The chance of this number or less.")
@json_option
def odds(what: tuple[str, ...], at_least: int | None, at_most: int | None, as_json: bool) -> None:
    """Exact odds of dice in notation, or of one of a game's rolls: GAME ROLL name=value ..."""
    named = _game_roll(what)
    if named is None:
        solved: Distribution[Any] = kt.odds(" ".join(what))
    else:
        game, name, arguments = named
        solved = kt.game(game).odds(name, **arguments)
    asked = {}
    if at_least is not None:
        asked[f"at least {at_least}"] = solved.at_least(at_least)
    if at_most is not None:
        asked[f"at most {at_most}"] = solved.at_most(at_most)
    if as_json:
        say_json(
            {
                "of": " ".join(what),
                "odds": [
                    {"outcome": outcome_data(outcome), "chance": str(chance)}
                    for outcome, chance in solved.items()
                ],
                "unresolved": str(solved.unresolved),
                "asked": {question: str(chance) for question, chance in asked.items()},
            }
        )
        return
    if asked:
        for question, chance in asked.items():
            click.echo(f"{question}: {_chance(chance)}")
        return
    click.echo(bars(solved))


def bars(solved: Distribution[Any]) -> str:
    """A distribution as lines with bars, the likeliest reaching the full width."""
    rows = [(outcome_words(outcome), chance) for outcome, chance in solved.items()]
    most = max((chance for _, chance in rows), default=Fraction(1))
    wide = max((len(word) for word, _ in rows), default=0)
    shown = [(word, chance) for word, chance in rows if chance * 10_000 >= 1]
    lines = [
        f"{word:>{wide}}  {float(chance):7.2%}  {'█' * round(_WIDTH * chance / most)}".rstrip()
        for word, chance in shown
    ]
    rare = sum((chance for _, chance in rows), Fraction(0)) - sum(
        (chance for _, chance in shown), Fraction(0)
    )
    if rare:
        lines.append(f"{len(rows) - len(shown)} rarer outcomes together: {_chance(rare)}")
    if solved.unresolved:
        lines.append(f"beyond what is listed: {_chance(solved.unresolved)}")
    return "\n".join(lines)


def outcome_words(outcome: Any) -> str:
    """An outcome as a person reads it."""
    return str(outcome)


def outcome_data(outcome: Any) -> Any:
    """An outcome as plain data: numbers and words stay, other values are told in words."""
    return outcome if isinstance(outcome, int | str | bool | None) else outcome_words(outcome)


def _chance(chance: Any) -> str:
    if isinstance(chance, Fraction):
        simple = f" = {chance}" if chance.denominator < 10**9 else ""
        return f"{float(chance):.4%}{simple}"
    return str(chance)


def _game_roll(what: Sequence[str]) -> tuple[str, str, dict[str, Any]] | None:
    if what[0] not in kt.games():
        return None
    if len(what) < 2:
        rolls = ", ".join(sorted(kt.game(what[0]).game.rolls))
        raise BadWords(f"Which roll of {what[0]}? It has: {rolls}.")
    arguments = {}
    for word in what[2:]:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadWords(f"{word!r} is no name=value, such as trait=3.")
        arguments[name.replace("-", "_")] = _value(value)
    return what[0], what[1], arguments


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


def _face(text: str) -> int | str:
    return int(text) if text.strip().isdecimal() else text.strip()
