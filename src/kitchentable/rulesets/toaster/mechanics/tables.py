"""The tables of hit locations and of critical results.

Both use a d10* and a d6 that are read separately. A campaign may write its own tables. Cells that
it leaves out are blank, for the GM to fill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import D10_STAR, Numbers, Words

T = TypeVar("T")
#: A row of a table.
Row: TypeAlias = Mapping[str, Any]

#: The losses of a weapon, mildest first (toaster.4.crit-a).
LOSSES = ("", "feet", "reach", "broken")

#: The remaining protection, best first (toaster.4.crit-c).
BYPASSES = ("", "physique", "zero")


@record
class Place:
    """One cell of a table of locations: area, part, and whether the part has two sides."""

    area: str = ""
    part: str = ""
    either: bool = False


@record
class Location(Ordered):
    """A hit location: "Torso", "Shoulder", and "left" or "right" if the part has a side.

    >>> print(Location("Torso", "Shoulder", "left"), "/", Location("Left Arm", "Hand"))
    Torso, left Shoulder / Left Arm, Hand
    """

    area: str = ""
    part: str = ""
    side: str = ""

    @property
    def sided(self) -> str:
        """The part with its side: "left Shoulder"."""
        return f"{self.side} {self.part}".strip()

    def __str__(self) -> str:
        if not self.area:
            return "a place the table does not name"
        return f"{self.area}, {self.sided}" if self.sided else self.area

    def order(self) -> tuple[str, str, str]:
        return self.area, self.part, self.side


#: Sixty cells, beginning with those of a 0: d10* and d6 point to index 6 x d10* + d6 - 1.
Locations = tuple[Place, ...]


def read_locations(rows: Iterable[Row], body: str = "humanoid") -> Locations:
    """Read the cells of one kind of body from a table's rows (toaster.4.hitloc-humanoid)."""
    mine = (row for row in rows if str(row.get("body") or "humanoid") == body)
    return _filled(mine, Place(), _place)


def _place(row: Row) -> Place:
    return Place(str(row.get("area", "")), str(row["name"]), bool(row.get("either")))


@mechanic
def location(dice: Dice, cells: Locations, coin: bool = True) -> Location:
    """Roll a location: a d10* and a d6, not added, and a die for the side of paired parts.

    toaster.1.dice-d6, toaster.4.hitloc-use, toaster.4.hitloc-table. Without `coin` the GM chooses
    the side (toaster.4.hitloc-either).
    """
    first: int = dice.die(D10_STAR, label="location")
    place = cells[6 * first + dice.die(6, label="part") - 1]
    side = ""
    if place.either and coin:
        side = "left" if dice.die(2, label="side") == 1 else "right"
    return Location(place.area, place.part, side)


@record
class Cell:
    """One cell of the critical table: its text and its effects.

    `weapon` is one of `LOSSES`, `protection` one of `BYPASSES`; `several` holds letters that each
    need another d6.
    """

    letter: str = ""
    text: str = ""
    weapon: str = ""
    penalty: int = 0
    falls: bool = False
    protection: str = ""
    extra: int = 0
    several: Words = ()

    @property
    def on_damage(self) -> tuple[str, int]:
        """The effect on damage: the remaining protection, and the extra damage."""
        return self.protection, self.extra


@record
class Critical(Ordered):
    """The effects of a critical roll: numbers add up, and the worst loss counts.

    >>> both = Critical("AB", (Cell("A", "Dropped", "feet"), Cell("B", "Reels", penalty=-4)))
    >>> both.weapon, both.penalty, str(both)
    ('feet', -4, 'Dropped; Reels')
    """

    letters: str = ""
    cells: tuple[Cell, ...] = ()

    @property
    def texts(self) -> Words:
        """The texts of the cells."""
        return tuple(cell.text for cell in self.cells if cell.text)

    @property
    def weapon(self) -> str:
        """The loss of the weapon, one of `LOSSES` (toaster.4.crit-a)."""
        return max((cell.weapon for cell in self.cells), key=LOSSES.index, default="")

    @property
    def penalty(self) -> int:
        """The penalty in the defender's next round (toaster.4.crit-b)."""
        return sum(cell.penalty for cell in self.cells)

    @property
    def falls(self) -> bool:
        """Whether the defender falls (toaster.4.crit-b)."""
        return any(cell.falls for cell in self.cells)

    @property
    def on_damage(self) -> tuple[str, int]:
        """The effect on damage: the remaining protection, and the extra damage."""
        found = [cell.on_damage for cell in self.cells]
        left = max((protection for protection, _ in found), key=BYPASSES.index, default="")
        return left, sum(extra for _, extra in found)

    @property
    def protection(self) -> str:
        """The remaining protection, one of `BYPASSES` (toaster.4.crit-c)."""
        return self.on_damage[0]

    @property
    def extra(self) -> int:
        """The extra damage (toaster.4.crit-d)."""
        return self.on_damage[1]

    def __str__(self) -> str:
        return "; ".join(self.texts) or "nothing"

    def order(self) -> tuple[int, str, int, int, int]:
        loss, bypass = LOSSES.index(self.weapon), BYPASSES.index(self.protection)
        return len(self.letters), self.letters, self.extra + bypass, loss, -self.penalty


#: Sixty cells in the order of `Locations`.
Criticals = tuple[Cell, ...]


def read_criticals(rows: Iterable[Row]) -> Criticals:
    """Read the cells of the critical table from its rows (toaster.4.crit-table)."""
    return _filled(rows, Cell(), _cell)


def _cell(row: Row) -> Cell:
    return Cell(
        str(row.get("letter", "")),
        str(row["name"]),
        _one_of(LOSSES, row.get("weapon")),
        int(row.get("penalty") or 0),
        bool(row.get("falls")),
        _one_of(BYPASSES, row.get("protection")),
        int(row.get("extra") or 0),
        tuple(str(row.get("several") or "").split()),
    )


@mechanic
def critical(dice: Dice, cells: Criticals) -> Critical:
    """Roll on the critical table: a d10* and a d6, and more d6 for several effects.

    No die is rolled if a row leaves no choice, as for all four effects. toaster.4.crit-trigger,
    toaster.4.crit-multi. Each category comes once, in alphabetical order
    (toaster.4.crit-multi-gap).
    """
    first: int = dice.die(D10_STAR, label="critical")
    cell = cells[6 * first + dice.die(6, label="critical effect") - 1]
    if not cell.several:
        return Critical(cell.letter, (cell,))
    only = len({*cell.several}) == 1
    letters = cell.several[0] if only else _several(dice, cell.several)
    return Critical(letters, tuple(_category(dice, column(cells, one), one) for one in letters))


@mechanic
def _several(dice: Dice, choices: Words) -> str:
    face: int = dice.die(6, label="which categories")
    return choices[(face - 1) % len(choices)]


@mechanic
def _category(dice: Dice, cells: tuple[Cell, ...], letter: str) -> Cell:
    face: int = dice.die(6, label=f"effect {letter}")
    return cells[face - 1]


def column(cells: Criticals, letter: str) -> tuple[Cell, ...]:
    """The six cells of a category's own d6, from its first d10*."""
    for first in range(10):
        six = cells[6 * first : 6 * first + 6]
        if six[0].letter == letter:
            return six
    return (Cell(letter),) * 6


def _one_of(known: Words, value: Any) -> str:
    return str(value) if value in known else ""


def _filled(rows: Iterable[Row], blank: T, read: Callable[[Row], T]) -> tuple[T, ...]:
    """Sixty cells, each from the last row that lists its faces."""
    cells = [blank] * 60
    for row in rows:
        one = read(row)
        for first in span(str(row.get("d10", "")), 0, 9):
            for second in span(str(row.get("d6", "")), 1, 6):
                cells[6 * first + second - 1] = one
    return tuple(cells)


def span(words: str, low: int, high: int) -> Numbers:
    """The faces in "2", "2-3" or "2, 4-5" within the die's range; none for other words.

    >>> span("2, 4-5", 1, 6), span("7-12", 0, 9), span("left", 1, 6)
    ((2, 4, 5), (7, 8, 9), ())
    """
    found: list[int] = []
    for piece in words.split(","):
        first, _, last = piece.strip().partition("-")
        if first.strip().isdecimal() and (not last or last.strip().isdecimal()):
            found.extend(range(int(first), min(int(last or first), high) + 1))
    return tuple(face for face in found if low <= face <= high)
