"""The odds of a decision roll in words, with the chance at each level of advantage."""

from __future__ import annotations

from fractions import Fraction

from kitchentable.dice import odds, told
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, MAJOR, MINOR, Level
from kitchentable.rulesets.lucky_stars.mechanics import Party, check, grade_of


def chance(party: Party, level: Level, target: int) -> Fraction:
    """The chance of success at a level of advantage. `party` is the side as it is at Neutral.

    >>> str(chance(Party(), Level(1), 7)), str(chance(Party(), Level(2), 7))
    ('11/12', '49/54')
    """
    solved = odds(
        told(check, grade_of),
        level.decision_dice(party.dice),
        party.plus + level.bonus,
        party.extras,
        target,
    )
    found = solved["success"]
    return found if isinstance(found, Fraction) else found.low


def in_words(party: Party, level: Level, target: int) -> str:
    """The odds in words: the numbers that the dice need, and the effect of advantage.

    The scale is not a staircase: where little is needed, three points are surer than one die more
    (S4), and the sentence says so.

    >>> in_words(Party(), Level(), 6)
    '6 or more on 2 dice. Major Disadvantage 17 %, Minor Disadvantage 38 %, Neutral 72 %,
    Minor Advantage 97.2 %, Major Advantage 95.4 %: here Minor Advantage is better than Major.'
    """
    steps = {one: chance(party, Level(one), target) for one in LEVELS}
    needed = target - party.plus - level.bonus
    dice = level.decision_dice(party.dice)
    extra = "".join(f" and {count}d{sides} {label}" for label, count, sides in party.extras)
    told = ", ".join(f"{name} {in_percent(steps[one])}" for one, name in reversed(LEVELS.items()))
    words = f"{needed} or more on {dice} {'die' if dice == 1 else 'dice'}{extra}. {told}"
    minor, mild = steps[MINOR] > steps[MAJOR], steps[-MAJOR] > steps[-MINOR]
    remarks = ["here Minor Advantage is better than Major"] * minor
    remarks += ["here Major Disadvantage is milder than Minor"] * mild
    return f"{words}: {' and '.join(remarks)}." if remarks else f"{words}."


def in_percent(share: Fraction) -> str:
    """A chance in per cent, with tenths near the ends; 0 and 100 only if exact.

    >>> [in_percent(Fraction(*one)) for one in ((215, 216), (1, 1), (1, 7), (1, 5000), (0, 1))]
    ['99.5 %', '100 %', '14 %', 'under 0.1 %', '0 %']
    """
    if share in {0, 1}:
        return f"{int(share) * 100} %"
    if share < Fraction(1, 1000):
        return "under 0.1 %"
    if share > Fraction(999, 1000):
        return "over 99.9 %"
    tenths = share < Fraction(1, 20) or share > Fraction(19, 20)
    return f"{float(share * 100):.1f} %" if tenths else f"{round(share * 100)} %"
