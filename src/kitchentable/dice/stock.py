"""Mechanics shared by many games."""

from collections.abc import Callable, Hashable
from typing import Any

from kitchentable.dice.errors import BadDie
from kitchentable.dice.mechanic import AnyMechanic, Dice, mechanic
from kitchentable.dice.solving.pending import tell
from kitchentable.dice.trace import EXPLODED


@mechanic
def exploding(dice: Dice, sides: int = 6, at: int | None = None) -> int:
    """A die that is thrown again and added whenever it shows its highest face (or `at` or more).

    Its support is infinite, but its odds are exact:

    >>> from kitchentable.dice import odds
    >>> odds(exploding, 6).mean(), odds(exploding, 6).at_least(13)
    (Fraction(21, 5), Fraction(1, 36))
    """
    least = sides if at is None else at
    if not 1 < least <= sides:
        raise BadDie(f"A d{sides} can explode at 2 to {sides}, not at {least}.")
    face: int = dice.die(sides)
    if face >= least:
        why = f"{least} is" if least == sides else f"{least} or more is"
        dice.mark(EXPLODED, f"{why} thrown again and added")
        return face + exploding(dice, sides, at)
    return face


def told(roll: AnyMechanic, by: Callable[[Any], Hashable] | str) -> AnyMechanic:
    """A projection: the same roll, with `by` applied to its outcome.

    `by` is a function, or the name of a field or property of the dataclass that the mechanic is
    annotated to return. Errors: NoSuchPart for any other name.

    Numbers that `by` does not use stay symbolic while the odds are solved. So the odds of a roll
    that also returns totals for a card are solved as fast as those of the winner alone:

    >>> from kitchentable.dice import odds
    >>> @mechanic
    ... def contest(dice, ours: int, theirs: int) -> tuple[int, int, bool]:
    ...     a, b = dice.total(ours), dice.total(theirs)
    ...     return a, b, a > b
    >>> won = told(contest, lambda outcome: outcome[2])
    >>> odds(won, 9, 9)[True] == odds(contest, 9, 9).chance(lambda outcome: outcome[2])
    True
    """
    return tell(roll, by)
