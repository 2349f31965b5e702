"""What can go wrong with dice, as sentences for the person who can act.

Every exception of the project derives from :class:`KitchenTableError`. Two branches matter here:
:class:`BadInput` is for the player, who can type something else; :class:`DiceFault` is for the
author of a mechanic, who can change the code.
"""


class KitchenTableError(Exception):
    """The base of every error that the project raises on purpose.

    `code` is stable and meant for programs (``"dice/too-many-paths"``); the message is a sentence
    for the person who can act.

    >>> try:
    ...     raise KitchenTableError("The kettle is empty; fill it.")
    ... except KitchenTableError as error:
    ...     print(error.code, "|", error)
    table/error | The kettle is empty; fill it.
    """

    code: str = "table/error"


class BadInput(KitchenTableError):
    """Something typed or chosen cannot be used; the person at the table can correct it."""

    code = "input/bad"


class BadDie(BadInput):
    """A die or a number of dice that cannot be thrown."""

    code = "dice/bad-die"


class WrongFaces(BadInput):
    """The faces given for physical dice do not fit the dice that were asked for."""

    code = "dice/wrong-faces"


class MissingFaces(WrongFaces):
    """More dice were thrown than faces were given."""

    code = "dice/missing-faces"


class LeftoverFaces(WrongFaces):
    """Faces were given that no die used."""

    code = "dice/leftover-faces"


class ImpossibleFace(WrongFaces):
    """A face was given that the die at that place does not have."""

    code = "dice/impossible-face"


class WrongTrace(BadInput):
    """A recorded trace does not fit the mechanic that is replayed."""

    code = "dice/wrong-trace"


class NoChart(BadInput):
    """A chart was asked for where the charting library is not installed."""

    code = "dice/no-chart"


class DiceFault(KitchenTableError):
    """A mechanic does something that dice cannot follow; its author can change it."""

    code = "dice/fault"


class NoSuchThrow(DiceFault, AttributeError):
    """A mechanic asks dice for something that dice do not do."""

    code = "dice/no-such-throw"


class NoSuchPart(DiceFault, AttributeError):
    """The outcome of a mechanic has no such field or property."""

    code = "dice/no-such-part"


class NoSuchOutcome(DiceFault, KeyError):
    """A chance was asked for under a key that no outcome can be."""

    code = "dice/no-such-outcome"

    # A KeyError shows the repr of its text, with quotation marks around the sentence.
    __str__ = Exception.__str__


class NotSolved(DiceFault):
    """Odds that cannot be worked out within the limits; the dice can be thrown all the same."""

    code = "dice/not-solved"


class TooManyPaths(NotSolved):
    """A mechanic branches into more paths than the solver may follow."""

    code = "dice/too-many-paths"


class TooSlow(NotSolved):
    """Odds take longer to work out than the caller waits for them."""

    code = "dice/too-slow"


class TooDeep(NotSolved):
    """Mechanics call mechanics so deeply that the solver has to stop."""

    code = "dice/too-deep"


class NotRepeatable(DiceFault):
    """The same dice led a mechanic to ask for something else: it is not a pure function."""

    code = "dice/not-repeatable"


class ComparedByIdentity(DiceFault):
    """A mechanic asks whether two values are one object, which equal numbers are by accident."""

    code = "dice/compared-by-identity"


class CaughtInside(DiceFault):
    """A mechanic catches what another mechanic, or a question to its dice, has raised."""

    code = "dice/caught-inside"


class NotANumber(DiceFault):
    """Dice were to be added or compared whose faces are not whole numbers."""

    code = "dice/not-a-number"


class NotHashable(DiceFault):
    """An outcome or an argument of a mechanic cannot be a key of a table."""

    code = "dice/not-hashable"


class MixedOutcomes(DiceFault):
    """A result is looked at that can be two values of different types that are equal."""

    code = "dice/mixed-outcomes"


class Unresolved(DiceFault):
    """A figure was asked for that the unresolved part of the chances leaves open."""

    code = "dice/unresolved"


class StartingOver(KitchenTableError):
    """Control flow of :func:`kitchentable.dice.start_over`; the enclosing mechanic catches it."""

    code = "dice/start-over-outside"
