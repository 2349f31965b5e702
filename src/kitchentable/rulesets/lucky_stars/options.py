"""The types of the options; data.toml declares them."""

from __future__ import annotations

from kitchentable.rules import Band
from kitchentable.rules.kit.books import open_book
from kitchentable.rules.kit.listings import Listing
from kitchentable.rules.kit.settings import Settings
from kitchentable.rules.values import record

#: The choice "no stat" in questions for a stat.
NO_STAT = "none"
#: The choice of another number in questions for a step of the scale.
OWN_NUMBER = "other"


@record
class Stat:
    """A row of the list of stats: key, name, purpose, range, and whether rolls use it."""

    key: str
    name: str
    purpose: str = ""
    low: int = -99
    high: int = 99
    rolled: bool = False

    @property
    def begins(self) -> int:
        """The number on a new sheet: 0, or the end of the range closest to 0."""
        return min(max(self.low, 0), self.high)


@record
class Step:
    """A row of the scale of targets: its name or "", number, whether it means "and above"."""

    key: str
    name: str
    number: int = 0
    open: bool = False

    @property
    def label(self) -> str:
        """The row in words.

        stars.2.2-tn-22plus, stars.2.2-tn-20, stars.2.2-tn-18, stars.2.2-tn-16, stars.2.2-tn-14,
        stars.2.2-tn-12, stars.2.2-tn-10, stars.2.2-tn-8, stars.2.2-tn-6, stars.2.2-tn-4,
        stars.2.2-tn-2.

        >>> Step("", "Challenging task", 12).label, Step("", "", 16).label
        ('12 Challenging task', '16')
        """
        return f"{self.number}{'+' if self.open else ''} {self.name}".strip()


@record
class Derived:
    """A number derived from stats: key, name and formula."""

    key: str
    name: str
    formula: str


@record
class Source:
    """Dice from another source that may join a decision roll, such as Luck."""

    key: str
    name: str
    count: int
    sides: int

    @property
    def label(self) -> str:
        """The source in words.

        >>> Source("luck", "Luck", 1, 6).label
        'Luck, 1d6'
        """
        return f"{self.name}, {self.count}d{self.sides}"

    def dice(self, of: str = "") -> tuple[str, int, int]:
        """The dice for a roll; `of` distinguishes those of several sides."""
        return f"{self.name}{of}", self.count, self.sides


#: The book's files in this folder: tables, rulebook, golden playthrough.
BOOK = open_book("kitchentable.rulesets.lucky_stars")
problem = BOOK.problem
#: The results of each roll at the table.
BANDS = {key: tuple(Band(**one) for one in rows) for key, rows in BOOK.tables["result"].items()}


class Options(Settings, options=BOOK.options):
    """The options of a table that are read by name here.

    >>> rows = [{"name": "Fine motor"}, {"id": "w", "name": "Will"}]
    >>> [one.key for one in Options({"stats": rows}).stats]
    ['fine-motor', 'w']
    """

    scale = Listing(Step)
    stats = Listing(Stat, NO_STAT)
    derived = Listing(Derived)
    extra_dice = Listing(Source)
    impossible_from: int
    target_shown: str

    def step_name(self, start: int) -> str:
        """The scale's name for a target, from its row or an open row below it.

        >>> [Options({}).step_name(start) for start in (12, 16, 13, 25)]
        ['Challenging task', '', '', 'Above impossible']
        """
        fits = [
            one for one in self.scale if one.number == start or (one.open and one.number < start)
        ]
        return max(fits, key=lambda one: one.number).name if fits else ""
