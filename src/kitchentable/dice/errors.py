"""Errors about dice, each with a sentence for the person who can act.

Every exception of the project derives from :class:`KitchenTableError`. Two branches matter here:
:class:`BadInput` is for the player, who can type something else; :class:`DiceFault` is for the
author of a mechanic, who can change the code.
"""


class KitchenTableError(Exception):
    """The base of every error that the project raises on purpose.

    `code` is stable and meant for programs (``"dice/too-many-paths"``); the message is a sentence
    for the person who can act. Each class has a code; an error may have a more specific one.

    >>> try:
    ...     raise KitchenTableError("The kettle is empty; fill it.")
    ... except KitchenTableError as error:
    ...     print(error.code, "|", error)
    table/error | The kettle is empty; fill it.
    """

    code: str = "table/error"

    def __init__(self, sentence: str = "", *, code: str = "") -> None:
        super().__init__(sentence)
        if code:
            self.code = code


class BadInput(KitchenTableError):
    """Input that cannot be used; the person at the table can correct it."""

    code = "input/bad"


class BadDie(BadInput):
    """A die or a number of dice that cannot be thrown."""

    code = "dice/bad-die"


class WrongFaces(BadInput):
    """The faces given for physical dice do not fit the dice thrown."""

    code = "dice/wrong-faces"


class MissingFaces(WrongFaces):
    """More dice were thrown than faces were given."""

    code = "dice/missing-faces"


class LeftoverFaces(WrongFaces):
    """Faces were given that no die used."""

    code = "dice/leftover-faces"


class ImpossibleFace(WrongFaces):
    """A face was given that its die does not have."""

    code = "dice/impossible-face"


class WrongTrace(BadInput):
    """A recorded trace does not fit the mechanic that is replayed."""

    code = "dice/wrong-trace"


class NoChart(BadInput):
    """A chart was requested, but the charting library is not installed."""

    code = "dice/no-chart"


class DiceFault(KitchenTableError):
    """A mechanic uses its dice in an unsupported way; its author can change it."""

    code = "dice/fault"


class NoSuchThrow(DiceFault, AttributeError):
    """A mechanic calls a method that dice do not have."""

    code = "dice/no-such-throw"


class NoSuchPart(DiceFault, AttributeError):
    """The outcome of a mechanic has no such field or property."""

    code = "dice/no-such-part"


class NoSuchOutcome(DiceFault, KeyError):
    """A chance was requested for a key that cannot be an outcome."""

    code = "dice/no-such-outcome"

    # KeyError would show the repr of the text, in quotation marks.
    __str__ = Exception.__str__


class NotSolved(DiceFault):
    """Odds cannot be solved within the limits; the dice can still be thrown."""

    code = "dice/not-solved"


class TooManyPaths(NotSolved):
    """A mechanic branches into more paths than the solver may walk."""

    code = "dice/too-many-paths"


class TooSlow(NotSolved):
    """Solving takes longer than the caller allows."""

    code = "dice/too-slow"


class TooDeep(NotSolved):
    """Mechanics call mechanics too deeply for the solver."""

    code = "dice/too-deep"


class NotRepeatable(DiceFault):
    """A mechanic made different requests with the same dice: it is not a pure function."""

    code = "dice/not-repeatable"


class ComparedByIdentity(DiceFault):
    """A mechanic compares values by identity, which is accidental for equal numbers."""

    code = "dice/compared-by-identity"


class CaughtInside(DiceFault):
    """A mechanic catches an exception raised by another mechanic or by its dice."""

    code = "dice/caught-inside"


class NotANumber(DiceFault):
    """Faces or outcomes that are not numbers cannot be added or compared."""

    code = "dice/not-a-number"


class NotHashable(DiceFault):
    """An outcome or an argument of a mechanic is not hashable."""

    code = "dice/not-hashable"


class MixedOutcomes(DiceFault):
    """A mechanic uses a result with two equal values of different types."""

    code = "dice/mixed-outcomes"


class Unresolved(DiceFault):
    """A figure depends on the unresolved part of a distribution."""

    code = "dice/unresolved"


class StartingOver(KitchenTableError):
    """Control flow of :func:`kitchentable.dice.start_over`, caught by the enclosing mechanic."""

    code = "dice/start-over-outside"
