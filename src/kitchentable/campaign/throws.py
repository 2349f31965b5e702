"""Throws the dice of a game's question from a source, and solves its odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from kitchentable.campaign.dice_source import DiceSource
from kitchentable.campaign.errors import DiceNeeded
from kitchentable.campaign.events import Thrown
from kitchentable.dice.errors import NotSolved, TooDeep, TooManyPaths, TooSlow
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.notation.card_line import tally
from kitchentable.dice.notation.dialects.maths import in_decimals
from kitchentable.dice.notation.dialects.reading import compile_notation, read
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.notes import as_note
from kitchentable.dice.notation.parse import parse
from kitchentable.dice.notation.tree import all_dice
from kitchentable.rules.moves import Question

#: Causes of unsolved odds for the table; the solver's own sentences are for authors of games.
_CAUSES: Mapping[type[NotSolved], str] = MappingProxyType(
    {
        TooSlow: "These odds take too long to work out",
        TooManyPaths: "These odds depend on too many combinations of dice",
        TooDeep: "This roll can lead to too many further rolls to work out its odds",
    }
)
#: Notation below this length is never too long, even when written in full.
_SHORT = 200
#: Parsed notation is cached, because it is read before dice are requested and again with them.
read_notation = lru_cache(maxsize=256)(compile_notation)


@dataclass(frozen=True, slots=True)
class Solved:
    """The exact odds of a question by band; `unresolved` is the chance outside all bands."""

    shares: Mapping[str, Fraction]
    unresolved: Fraction
    sentence: str


#: Returns the odds of a question with bands. Errors: NotSolved for odds that take too long;
#: OddsNeeded for odds that another process still has to solve.
Solver: TypeAlias = Callable[[Question], Solved]


def solve(question: Question, within: float | None = None) -> Solved:
    """Return the odds of a question that has bands, within some seconds.

    Errors: NotSolved, with a sentence for the table; the dice can still be thrown.
    """
    try:
        solved = question.solve(within)
    except NotSolved as error:
        cause = _CAUSES.get(type(error), "These odds cannot be worked out")
        raise type(error)(f"{cause}; the dice can be thrown all the same.") from error
    shares = {band.key: Fraction(0) for band in question.bands}
    for band, chance in solved.items():
        shares[band] += chance
    sentence = question.sentence(shares) if question.sentence is not None else ""
    return Solved(shares, solved.unresolved, sentence)


def fall(hand: DiceSource, mechanic: Mechanic[..., Any], *arguments: Any) -> Any:
    """Throw a mechanic with these dice. Errors: DiceNeeded without dice."""
    if hand.dice is None:
        raise DiceNeeded
    return mechanic(hand.dice, *arguments)


def throw_lines(
    hand: DiceSource, texts: Sequence[str], dialect: str
) -> tuple[Thrown, list[dict[str, Any]]]:
    """Throw typed notations, one after another, in a table's dialect.

    Return the dice, and for each notation its outcome (decimals as text) and the parts of its sum.
    Errors: NotationError; DiceNeeded without dice; LeftoverFaces for too many typed-in dice.
    """
    read = [read_notation(text, dialect) for text in texts]
    outcomes = [fall(hand, mechanic, expression) for mechanic, expression in read]
    dice = thrown(hand, read[0][0])
    faces = [die["physical"] for die in dice.trace]
    lines: list[dict[str, Any]] = []
    for (_, expression), outcome in zip(read, outcomes, strict=True):
        parts = list(tally(expression, faces))
        faces = faces[sum(piece for piece in parts if isinstance(piece, int)) :]
        told = in_decimals(outcome) if isinstance(outcome, Fraction) else outcome
        lines.append({"outcome": told, "sum": parts})
    return dice, lines


def read_with_note(text: str, dialect: str) -> tuple[str, str]:
    """Split typed notation into dice and a note. Errors: NotationError.

    >>> read_with_note("2d6+3 sneak attack", "house"), read_with_note("4d6k3 # luck", "roll20")
    (('2d6+3', 'sneak attack'), ('4d6k3', 'luck'))
    """
    dice, mark, words = text.partition(" #")
    if (
        (mark and words.strip())
        and (dialect == "house" and len(text) <= _SHORT)
        and _stands_alone(dice)
    ):
        return dice.rstrip(), " ".join(words.split())
    try:
        note = read(text, dialect).comment
    except NotationError as refused:
        # Not every dialect allows a note after dice; tables allow it in all.
        start = refused.position
        while start and not text[start - 1].isspace():
            start -= 1
        dice, words = text[:start], text[start:]
        note = as_note(words) if words.strip() else ""
        if dialect == "house" or not dice or not note:
            raise
        read(dice, dialect)
        return dice.strip(), note
    for word in reversed(note.split()):
        text = text.rstrip().removesuffix(word)
    return (text.rstrip().removesuffix("#").rstrip() if note else text), note


@lru_cache(maxsize=256)
def _stands_alone(text: str) -> bool:
    """Whether a text in the house notation is dice without a note, so that a # ends them."""
    try:
        read_all = parse(text)
    except NotationError:
        return False
    marks = {"#", "["}.intersection(text)
    return not read_all.comment and not marks and any(all_dice(read_all.root))


def thrown(
    hand: DiceSource,
    mechanic: Mechanic[..., Any],
    *,
    solved: Solved | None = None,
    fell: str = "",
    odds_audience: str = "all",
    closed: tuple[str, ...] = (),
    arguments: tuple[Any, ...] = (),
) -> Thrown:
    """Return the record of thrown dice. Errors: LeftoverFaces for too many typed-in dice."""
    hand.finish()
    shares = solved.shares if solved is not None else {}
    unresolved = solved.unresolved if solved is not None else Fraction(0)
    return Thrown(
        trace=hand.dice.trace.to_data() if hand.dice is not None else [],
        number=hand.number,
        session=hand.session,
        typed=hand.typed,
        screened=hand.screened,
        odds={band: as_text(share) for band, share in shares.items()},
        fell=fell,
        odds_audience=odds_audience,
        closed=closed,
        mechanic=mechanic.name,
        arguments=[one if isinstance(one, int | str) else repr(one) for one in arguments],
        unresolved=as_text(unresolved),
    )


def as_text(chance: Fraction) -> tuple[str, str]:
    """Return a probability as numerator and denominator in text, so that JSON cannot round it.

    >>> as_text(Fraction(7, 12))
    ('7', '12')
    """
    return str(chance.numerator), str(chance.denominator)


def as_chance(text: tuple[str, str]) -> Fraction:
    """Return the probability from the text of `as_text`."""
    return Fraction(int(text[0]), int(text[1]))
