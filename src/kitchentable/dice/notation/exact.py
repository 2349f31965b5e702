"""The exact odds of typed text."""

from __future__ import annotations

from kitchentable.dice.distribution import Distribution
from kitchentable.dice.errors import TooDeep, TooManyPaths
from kitchentable.dice.notation.dialects.checking import is_too_much
from kitchentable.dice.notation.dialects.nodes import ForeignExpression
from kitchentable.dice.notation.dialects.play import foreign
from kitchentable.dice.notation.effort import check_odds, too_much
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.reading import compile_notation
from kitchentable.dice.notation.tree import Expression
from kitchentable.dice.solved import odds


def odds_of_notation(
    text: str, *, dialect: str = "house", within: float | None = None, bounds: bool = False
) -> Distribution:
    """The exact odds of what a text asks for, solved once and then remembered.

    Raises :class:`NotationError` for a text that cannot be read, and at once for one whose odds
    would take longer than a few seconds.

    >>> odds_of_notation("2d6!").mean()
    Fraction(42, 5)
    >>> odds_of_notation("(2d6!)>=12 # a lucky star")[True]
    Fraction(23, 108)
    """
    mechanic, expression = compile_notation(text, dialect)
    if not isinstance(expression, Expression):
        return odds_of_foreign(text, expression, within=within, bounds=bounds)
    check_odds(expression)
    try:
        return odds(mechanic, expression, within=within, bounds=bounds)
    except TooManyPaths as error:
        raise too_much(expression) from error


def odds_of_foreign(
    text: str,
    expression: ForeignExpression,
    *,
    within: float | None = None,
    bounds: bool = False,
) -> Distribution:
    """The exact odds of an expression that the house cannot spell; `text` is for the refusal."""
    refusal = NotationError(
        "notation/odds-too-large",
        f"The exact odds of {text} are too much work to add up. The dice can be thrown all the "
        "same; for odds, ask about fewer dice or smaller ones.",
        text,
        0,
    )
    if is_too_much(expression.root):
        raise refusal
    try:
        return odds(foreign, expression, within=within, bounds=bounds)
    except (TooManyPaths, TooDeep) as error:
        raise refusal from error
