"""Dice for one run of a mechanic: rolled, loaded with given faces, or replayed from a trace."""

from collections.abc import Collection, Iterable

from kitchentable.dice.die import Die, shown
from kitchentable.dice.errors import (
    ImpossibleFace,
    LeftoverFaces,
    MissingFaces,
    WrongFaces,
    WrongTrace,
)
from kitchentable.dice.recorder import TraceRecorder
from kitchentable.dice.source import Source
from kitchentable.dice.trace import Trace


class RollingDice(TraceRecorder):
    """Dice rolled by a source; dice with `screened` labels are rolled by another source.

    >>> from kitchentable.dice import SystemEntropy
    >>> dice = RollingDice(SystemEntropy())
    >>> dice.die(6) == dice.trace.throws[0].face
    True
    """

    def __init__(
        self,
        source: Source,
        screened: Collection[str] = (),
        behind: Source | None = None,
    ) -> None:
        below = source.below
        if behind is None:
            super().__init__(lambda die, _: below(die.sides) + 1)
        else:
            unseen = behind.below
            super().__init__(
                lambda die, label: (unseen if label in screened else below)(die.sides) + 1
            )


class LoadedDice(TraceRecorder):
    """Dice that show given faces in order, for tests or for real dice typed in.

    A number is a physical face, counted from 1; 0 is the face that shows 0, if the die has exactly
    one. A text is the value shown on the die ("flub", "-1", "6"); if no face shows this value, the
    text is read as a number. :meth:`finish` refuses faces that no die used.

    >>> dice = LoadedDice([6, 1])
    >>> dice.die(6) + dice.die(6)
    7
    >>> dice.finish()
    """

    def __init__(self, faces: Iterable[int | str]) -> None:
        if isinstance(faces, str) or not isinstance(faces, Iterable):
            raise WrongFaces(f"Give the faces as a list, such as faces=[{faces!r}], not {faces!r}.")
        self._given = tuple(faces)
        self._used = 0
        super().__init__(self._next)

    def _next(self, die: Die, _: str) -> int:
        if self._used >= len(self._given):
            raise MissingFaces(
                f"The roll needs another die, a {die.name}, but only {len(self._given)} "
                f"face{'s were' if len(self._given) != 1 else ' was'} given. Add its face."
            )
        face = self._given[self._used]
        self._used += 1
        if isinstance(face, str):
            named = [str(shown(one)) for one in die.faces]
            word = face.lower().removeprefix("+")
            if word in named:
                return named.index(word) + 1
        if isinstance(face, str) and not face.isdecimal():
            raise ImpossibleFace(f"Die {self._used} is a {die.name} and has no face {face!r}.")
        number = int(face) if type(face) in {int, str} else 0
        if number == 0 and type(face) in {int, str} and die.faces.count(0) == 1:
            return die.faces.index(0) + 1
        if not 1 <= number <= die.sides:
            raise ImpossibleFace(
                f"Die {self._used} is a {die.name}: its face must be a number "
                f"from 1 to {die.sides}, not {face}."
            )
        return number

    def finish(self) -> None:
        """Refuse faces that no die used."""
        left = len(self._given) - self._used
        if left:
            thrown = "one die was" if self._used == 1 else f"{self._used} dice were"
            was = "was" if left == 1 else "were"
            raise LeftoverFaces(
                f"{left} of the {len(self._given)} faces given {was} not used: "
                f"only {thrown} thrown. Give one face for each die."
            )


class ReplayingDice(TraceRecorder):
    """Dice that repeat a recorded trace; a die that does not fit is an error.

    >>> thrown = LoadedDice([6, 1])
    >>> total = thrown.total(2, 6)
    >>> ReplayingDice(thrown.trace).total(2, 6) == total
    True
    """

    def __init__(self, trace: Trace) -> None:
        self._recorded = trace.throws
        self._used = 0
        super().__init__(self._next)

    def _next(self, die: Die, _: str) -> int:
        if self._used >= len(self._recorded):
            raise WrongTrace(
                f"The mechanic throws another die, a {die.name}, "
                f"after all {len(self._recorded)} recorded dice."
            )
        throw = self._recorded[self._used]
        self._used += 1
        if (throw.die, throw.sides) != (die.name, die.sides):
            raise WrongTrace(
                f"Recorded throw {throw.number} is a {throw.die}, "
                f"but the mechanic throws a {die.name}."
            )
        if not 1 <= throw.physical <= die.sides or throw.face != shown(
            die.faces[throw.physical - 1]
        ):
            raise WrongTrace(
                f"Recorded throw {throw.number} shows a face that a {die.name} does not have."
            )
        return throw.physical

    def finish(self) -> None:
        """Refuse recorded throws that the mechanic did not make."""
        left = len(self._recorded) - self._used
        if left:
            raise WrongTrace(f"{left} of the {len(self._recorded)} recorded dice were not thrown.")
