"""Mechanics that many games share."""

from kitchentable.dice.errors import BadDie
from kitchentable.dice.mechanic import Dice, mechanic
from kitchentable.dice.trace import EXPLODED


@mechanic
def exploding(dice: Dice, sides: int = 6, at: int | None = None) -> int:
    """A die that is thrown again and added whenever it shows its highest face (or `at` or more).

    Its odds have no end and are exact all the same:

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
