"""Traces: every physical die of a roll, in the order of throwing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kitchentable.dice.errors import WrongTrace

KEPT = "kept"
DROPPED = "dropped"
EXPLODED = "exploded"
THROWN_AGAIN = "thrown again"
COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class Throw:
    """One physical die with its face and its fate.

    - `number`: the place in the trace, from 1;
    - `die`, `sides`: the die's name (``"d6"``) and number of faces;
    - `physical`: the index of the face, from 1; `face`: the value on that face;
    - `label`: the purpose; `path`: the mechanics that threw the die, outermost first;
    - `fate`: ``"kept"``, ``"dropped"``, ``"exploded"``, ``"thrown again"`` or ``"counted"``;
    - `why`: the reason for the fate, or an empty text.

    >>> Throw(1, "d10+", 12, 12, "kick", label="task").to_data()["face"]
    'kick'
    """

    number: int
    die: str
    sides: int
    physical: int
    face: int | str
    label: str = ""
    path: tuple[str, ...] = ()
    fate: str = KEPT
    why: str = ""

    def to_data(self) -> dict[str, Any]:
        """The throw as plain JSON data."""
        return {
            "number": self.number,
            "die": self.die,
            "sides": self.sides,
            "physical": self.physical,
            "face": self.face,
            "label": self.label,
            "path": list(self.path),
            "fate": self.fate,
            "why": self.why,
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> "Throw":
        """The throw in plain JSON data; unknown keys are ignored."""
        try:
            return Throw(
                number=int(data["number"]),
                die=str(data["die"]),
                sides=int(data["sides"]),
                physical=int(data["physical"]),
                face=data["face"] if isinstance(data["face"], int) else str(data["face"]),
                label=str(data.get("label", "")),
                path=tuple(str(name) for name in data.get("path", ())),
                fate=str(data.get("fate", KEPT)),
                why=str(data.get("why", "")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise WrongTrace(f"A recorded throw cannot be read: {error!r} in {data!r}.") from error


@dataclass(frozen=True, slots=True)
class Trace:
    """Every die of a roll in the order of throwing.

    >>> trace = Trace((Throw(1, "d6", 6, 4, 4, label="attack"),))
    >>> Trace.from_data(trace.to_data()) == trace, trace.faces
    (True, [4])
    """

    throws: tuple[Throw, ...] = field(default=())

    @property
    def faces(self) -> list[int]:
        """The physical faces in order, as :class:`LoadedDice` takes them."""
        return [throw.physical for throw in self.throws]

    def to_data(self) -> list[dict[str, Any]]:
        """The trace as plain JSON data."""
        return [throw.to_data() for throw in self.throws]

    @staticmethod
    def from_data(data: Iterable[Mapping[str, Any]]) -> "Trace":
        """The trace in plain JSON data; unknown keys are ignored."""
        return Trace(tuple(Throw.from_data(row) for row in data))
