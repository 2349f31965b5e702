"""The d10* with its optional rules: nines, zeros, and called fours.

Only whole numbers make up a throw. The total of `star` stays one hidden number while the solver
works, even with unlimited nines. Compare it (`total >= 10`), and put it into an outcome last.
"""

from __future__ import annotations

from typing import TypeAlias

from kitchentable.dice import Dice, Die, mechanic
from kitchentable.rules.values import record

#: Faces, totals or indices; labels, letters or words.
Numbers: TypeAlias = tuple[int, ...]
Words: TypeAlias = tuple[str, ...]


#: Ten faces; the printed 0 counts as zero (toaster.1.dice-d10star). The tenth physical face shows
#: 0, as on a real die.
D10_STAR = Die("d10*", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0))

#: The number used instead of a throw (toaster.3.call4-switch).
CALLED = 4

#: No limit on rerolled nines.
NO_LIMIT = -1


@record
class Extended:
    """The optional rules for extreme results.

    `nines` is the number of further dice after nines: 0 for none, `NO_LIMIT` for any number
    (toaster.3.nines-switch, toaster.3.nines-limit). With `zeros` a 0 fails
    (toaster.3.zeros-switch).

    >>> Extended(nines=1)
    Extended(nines=1, zeros=False)
    """

    nines: int = 0
    zeros: bool = False


#: The plain die without optional rules.
PLAIN = Extended()


@mechanic
def star(dice: Dice, nines: int = 0, label: str = "roll") -> int:
    """One d10*; each nine adds another throw, at most `nines` times.

    toaster.3.nines-switch, toaster.3.nines-limit. The odds are exact even without a limit:

    >>> from kitchentable.dice import load, odds
    >>> odds(star, 1).mean(), odds(star, NO_LIMIT).mean(), odds(star, NO_LIMIT).at_least(12)
    (Fraction(99, 20), Fraction(5, 1), Fraction(7, 100))
    >>> load(star, 1, faces=[9, 9]).outcome, load(star, NO_LIMIT, faces=[9, 9, 9, 2]).outcome
    (18, 29)
    """
    face: int = dice.die(D10_STAR, label=label)
    if face == 9 and nines:
        dice.mark("exploded", "a nine is thrown again and added")
        return face + star(dice, nines - 1 if nines > 0 else NO_LIMIT, label)
    return face
