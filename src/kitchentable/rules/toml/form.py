"""What a written game says, once it has been read: plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kitchentable.dice import Die
from kitchentable.rules.game import Credits
from kitchentable.rules.sheets import Kind
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.values import Option

#: The names a roll gives its formulas besides traits, tracks and options: the level of the trait it
#: is made on, what an entry of a list adds, what the GM adds, and how far the result lies above
#: what was asked for.
TRAIT, BONUS, MODIFIER, MARGIN = "trait", "bonus", "modifier", "margin"


@dataclass(frozen=True, slots=True)
class Trait:
    """One number of the sheet."""

    key: str
    title: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Traits that share their points and bounds; `points` None lets them be chosen freely.

    `high` binds at creation, `top` in play.
    """

    key: str
    title: str
    traits: tuple[Trait, ...]
    low: int
    high: int
    top: int
    points: Formula | None = None
    help: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Things that a player writes down, at most so many; one of them may add to a roll."""

    key: str
    title: str
    most: Formula
    bonus: int
    help: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A free text of the sheet, on one line or several."""

    key: str
    title: str
    story: bool
    help: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """A row of boxes that play changes. One that starts full is spent, the other fills up.

    `full` is what somebody is called whose boxes are all marked (or spent); with `out` they can
    no longer act.
    """

    key: str
    title: str
    boxes: Formula
    starts_full: bool
    full: str
    out: bool
    help: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class NamedDie:
    """A die of the game's own: numbers are numbers, words are words, and may be worth a number."""

    die: Die
    worth: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Band:
    """A named share of a roll's results, told apart by number or by face, the first that fits.

    `marks` and `others_marks` say what it does to the tracks of who rolls and of the other one.
    """

    key: str
    title: str
    tone: str
    good: bool
    at_least: int | None = None
    face: str = ""
    says: str = ""
    asks: str = ""
    marks: Mapping[str, Formula] = field(default_factory=dict)
    others_marks: Mapping[str, Formula] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a ladder of difficulties."""

    key: str
    title: str
    number: Formula


@dataclass(frozen=True, slots=True)
class Opposed:
    """Who stands against a roll: the other's trait, and what a tie means.

    `trait` is fixed, or "" for one of `group` that the other chooses. `ties` is "again", "ours" or
    "theirs".
    """

    group: str
    trait: str
    ties: str


@dataclass(frozen=True, slots=True)
class Roll:
    """A move with dice: what is thrown, what is added, what it is measured against, its bands."""

    key: str
    title: str
    help: str
    dice: str
    die: NamedDie | None
    add: tuple[Formula, ...]
    group: str
    trait: str
    listing: str
    modifier: bool
    against: Formula | None
    ladder: tuple[Step, ...]
    opposed: Opposed | None
    fight: bool
    bands: tuple[Band, ...]
    costs: Mapping[str, Formula]
    rule: str


@dataclass(frozen=True, slots=True)
class Rest:
    """Time that passes: which tracks it mends or fills again, and how many days it takes."""

    key: str
    title: str
    help: str
    days: int
    marks: Mapping[str, Formula]
    clears: tuple[str, ...]
    by_gm: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Growth:
    """Points at the end of a session, and what one more level costs."""

    points: Formula
    cost: Formula
    rule: str


@dataclass(frozen=True, slots=True)
class Fighting:
    """How a fight goes: what is thrown for the order, and whether each round anew."""

    order: str
    add: tuple[Formula, ...]
    each_round: bool
    actions: int
    rule: str


@dataclass(frozen=True, slots=True)
class RuleText:
    """One entry of the rulebook as its author wrote it."""

    id: str
    chapter: str
    kind: str
    title: str
    text: str
    example: str
    option: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the ready campaign."""

    id: str
    name: str
    kind: str
    owner: str
    line: str
    levels: Mapping[str, int]
    entries: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str]
    hidden: bool
    open: bool


@dataclass(frozen=True, slots=True)
class Forced:
    """An example that is run: a roll with its numbers, the faces that fall, the band it gives."""

    roll: str
    named: Mapping[str, int]
    faces: tuple[int | str, ...]
    gives: str


@dataclass(frozen=True, slots=True)
class Written:
    """A whole game as its file says it."""

    name: str
    title: str
    version: str
    about: str
    credits: Credits
    kinds: tuple[Kind, ...]
    options: tuple[Option, ...]
    groups: tuple[Group, ...]
    listings: tuple[Listing, ...]
    words: tuple[Words, ...]
    scales: tuple[Scale, ...]
    rolls: tuple[Roll, ...]
    rests: tuple[Rest, ...]
    growth: Growth | None
    fighting: Fighting | None
    chapters: tuple[tuple[str, str, str], ...]
    rules: tuple[RuleText, ...]
    campaign: str
    players: tuple[str, ...]
    notes: str
    people: tuple[Person, ...]
    examples: tuple[Forced, ...]
    playthrough: str = ""

    def trait(self, key: str) -> Trait | None:
        """The trait of that key, in whichever group."""
        return next((t for g in self.groups for t in g.traits if t.key == key), None)

    def group(self, key: str) -> Group:
        """The group of that key; KeyError for none."""
        return {one.key: one for one in self.groups}[key]

    def listing(self, key: str) -> Listing:
        """The list of that key; KeyError for none."""
        return {one.key: one for one in self.listings}[key]

    def scale(self, key: str) -> Scale:
        """The track of that key; KeyError for none."""
        return {one.key: one for one in self.scales}[key]
