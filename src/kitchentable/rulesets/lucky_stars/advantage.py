"""Advantage: a scale of five levels that combines all factors, and the odds at each."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from kitchentable.dice import odds, told
from kitchentable.dice.chance import floor, in_percent
from kitchentable.rules.values import record
from kitchentable.rulesets.lucky_stars.mechanics import Party, check, grade_of
from kitchentable.rulesets.lucky_stars.options import BOOK

#: The outermost steps of the scale (stars.3-five-levels).
MAJOR, MINOR = 2, 1
#: The bonus of Minor Advantage, and the penalty of Minor Disadvantage.
MINOR_BONUS = 3

#: Chances this close to 0 or 1 are shown with tenths, to make levels comparable.
_NEAR = Fraction(1, 20)

#: The five levels by position, best first (stars.3-five-levels).
LEVELS = BOOK.column("advantage", "name", by="steps")
#: The rule of each level, cited on a card.
RULES = BOOK.column("advantage", "rule", by="steps")


@record
class Level:
    """A position on the scale: steps from neutral, -2 to 2. Rolls begin at 0.

    stars.3.2-start-neutral.

    >>> Level(2).on(Party()), Level(-1).on(Party())
    (Party(dice=3, plus=0, extras=()), Party(dice=2, plus=-3, extras=()))
    """

    steps: int = 0

    def on(self, party: Party) -> Party:
        """Apply the level to a side at Neutral; at least one die is left.

        stars.3-major-adv, stars.3-major-dis.
        """
        dice = max(1, party.dice + {MAJOR: 1, -MAJOR: -1}.get(self.steps, 0))
        return Party(dice, party.plus + self.bonus, party.extras)

    @property
    def bonus(self) -> int:
        """The bonus: 3 at Minor Advantage, -3 at Minor Disadvantage, otherwise 0.

        A major level replaces a minor one and has no bonus (S2). stars.3-minor-adv,
        stars.3-minor-dis, stars.3-neutral.
        """
        return {MINOR: MINOR_BONUS, -MINOR: -MINOR_BONUS}.get(self.steps, 0)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule of this level, for a card; none for Neutral."""
        return (RULES[self.steps],) if self.steps else ()

    def __str__(self) -> str:
        return LEVELS[self.steps]


#: The level at which a roll begins (stars.3.2-start-neutral).
EVEN = Level()


def weigh(steps: Iterable[int]) -> Level:
    """The level from all factors for and against a roller.

    Each advantage is one step for its side, a single big one two steps. Only the sum is limited to
    the ends of the scale, so the order does not matter (S1, S3). stars.3.1-grant-step,
    stars.3.1-grant-neutral, stars.3.1-combine.

    >>> str(weigh([1, 1, 1, -1])), str(weigh([-1, 1])), str(weigh([-1, -1, -1]))
    ('Major Advantage', 'Neutral', 'Major Disadvantage')
    """
    return Level(max(-MAJOR, min(MAJOR, sum(steps))))


def apart(net: int) -> tuple[Level, Level]:
    """The levels of two sides for a position on the shared scale, as the first side sees it.

    >>> [str(one) for one in apart(-2)]
    ['Neutral', 'Major Advantage']
    """
    return Level(max(net, 0)), Level(max(-net, 0))


def share(*sides: Iterable[int]) -> tuple[Level, ...]:
    """The shared scale of a contest: each side's advantage over the side furthest behind.

    A factor against one side counts for the others (S5). stars.3.3-shared-scale, stars.3.3-no-dis.

    >>> [str(one) for one in share([1, 1], [1])]
    ['Minor Advantage', 'Neutral']
    >>> [str(one) for one in share([], [1, 1, 1], [-1])]
    ['Minor Advantage', 'Major Advantage', 'Neutral']
    """
    nets = [sum(steps) for steps in sides]
    return tuple(weigh([net - min(nets)]) for net in nets)


def in_steps(steps: int) -> str:
    """A number of steps in words, with its sign.

    >>> in_steps(2), in_steps(-1), in_steps(0)
    ('+2', '-1', '0')
    """
    return f"{steps:+d}" if steps else "0"


# ---------------------------------------------------------------- the odds in words


def chance(party: Party, level: Level, target: int) -> Fraction:
    """The chance of success at a level of advantage. `party` is the side at Neutral.

    >>> str(chance(Party(), Level(1), 7)), str(chance(Party(), Level(2), 7))
    ('11/12', '49/54')
    """
    return floor(odds(told(check, grade_of), *level.on(party), target)["success"])


def in_words(party: Party, level: Level, target: int) -> str:
    """The odds in words: the numbers that the dice need, and the effect of advantage.

    The scale is not monotonic: for low targets, three points are better than another die (S4), and
    the sentence mentions it.

    >>> in_words(Party(), Level(), 6)
    '6 or more on 2 dice. Major Disadvantage 17 %, Minor Disadvantage 38 %, Neutral 72 %,
    Minor Advantage 97.2 %, Major Advantage 95.4 %: here Minor Advantage is better than Major.'
    """
    steps = {one: chance(party, Level(one), target) for one in LEVELS}
    dice, plus, extras = level.on(party)
    extra = "".join(f" and {count}d{sides} {label}" for label, count, sides in extras)
    told = ", ".join(
        f"{name} {in_percent(steps[one], _NEAR)}" for one, name in reversed(LEVELS.items())
    )
    words = f"{target - plus} or more on {dice} {'die' if dice == 1 else 'dice'}{extra}. {told}"
    minor, mild = steps[MINOR] > steps[MAJOR], steps[-MAJOR] > steps[-MINOR]
    remarks = ["here Minor Advantage is better than Major"] * minor
    remarks += ["here Major Disadvantage is milder than Minor"] * mild
    return f"{words}: {' and '.join(remarks)}." if remarks else f"{words}."
