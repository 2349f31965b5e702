"""Rolls, declared once for pages, odds, cards and the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from inspect import Parameter, Signature, signature
from typing import Any, Generic, ParamSpec, TypeVar, get_type_hints

from kitchentable.dice import Mechanic
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.game import Rolled
from kitchentable.rules.kit.outcomes import read_outcome
from kitchentable.rules.moves import Band, Question
from kitchentable.rules.table import Ask
from kitchentable.rules.values import Json, Values, record

P = ParamSpec("P")
R = TypeVar("R")

#: A reader of a named argument of the library, from options, name and value.
Reader = Callable[[Values, str, Any], Any]
#: A function that makes the arguments of a mechanic.
Make = Callable[..., tuple[Any, ...]]


class ThrownNow(KitchenTableError):
    """Control flow: the move needs a roll that has no outcome yet, so its run ends."""

    code = "move/thrown"

    def __init__(self, question: Question) -> None:
        super().__init__("The dice of this move have not been thrown yet.")
        self.question = question


class PausedHere(KitchenTableError):
    """Control flow: the move waits for an answer to the card `ask`."""

    code = "move/paused"

    def __init__(self, ask: Ask) -> None:
        super().__init__("The move waits until somebody has answered a card.")
        self.ask = ask


@record
class Throw(Generic[R]):
    """A roll with its arguments, ready to be thrown or solved."""

    roll: Roll[..., R]
    arguments: tuple[Any, ...]


@record
class Roll(Generic[P, R]):
    """A mechanic with named results; `TASK(4, True, 11)` is a throw of the roll `TASK`.

    `bands` are the results, `band` gives the key of an outcome's band, and `sums_up` its word in
    the library, by default the key. `says` is a sentence about the odds. `reads` are readers of
    arguments by type (int, bool) or by a parameter's name; the library takes those arguments of the
    mechanic's signature that have a reader.
    """

    mechanic: Mechanic[P, R]
    bands: tuple[Band, ...] = ()
    band: Callable[[R], str] = str
    help: str = ""
    samples: tuple[Values, ...] = ()
    sums_up: Callable[[R], str] | None = None
    says: str = ""
    reads: Mapping[Any, Reader] = field(default_factory=dict)

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> Throw[R]:
        if named:
            bound = signature(self.mechanic.__wrapped__).bind(None, *arguments, **named)
            if bound.kwargs:  # a default before the named arguments was omitted
                bound.apply_defaults()
            return Throw(self, bound.args[1:])
        return Throw(self, arguments)

    def read(self, plain: Json) -> R:
        """The outcome from plain data made by `write_outcome`. Errors: CannotRead."""
        outcome: R = read_outcome(get_type_hints(self.mechanic.__wrapped__)["return"], plain)
        return outcome

    def rolled(self, reads: Mapping[Any, Reader]) -> Rolled:
        """The roll for the library and the command line."""
        readers = {**reads, **self.reads}
        kinds = get_type_hints(self.mechanic.__wrapped__)
        takes: dict[str, tuple[Reader, Any]] = {}
        for name, one in list(signature(self.mechanic.__wrapped__).parameters.items())[1:]:
            reader = readers.get(name) or readers.get(kinds.get(name))
            if reader is not None:
                blank = False if kinds.get(name) is bool else one.default
                takes[name] = (reader, readers.get((name, "default"), blank))
        arguments = _reading(takes)
        return Rolled(self.mechanic, arguments, self.help, self.samples, self.sums_up or self.band)


def _reading(
    takes: Mapping[str, tuple[Reader, Any]], make: Make | None = None, *, by_options: bool = False
) -> Make:
    """A function for the library that turns named arguments into the mechanic's arguments."""

    def arguments(options: Values, **named: Any) -> tuple[Any, ...]:
        read = {
            name: reader(options, name, named.get(name, default))
            for name, (reader, default) in takes.items()
        }
        if make is None:
            return tuple(read.values())
        return make(options, **read) if by_options else make(**read)

    named = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default)
        for name, (_, default) in takes.items()
    ]
    options = Parameter("options", Parameter.POSITIONAL_OR_KEYWORD)
    arguments.__signature__ = Signature([options, *named])  # type: ignore[attr-defined]
    return arguments


def library_roll(
    mechanic: Mechanic[..., Any],
    row: Values,
    reads: Mapping[str, Reader],
    make: Make | None = None,
    *,
    by_options: bool = False,
    **more: Any,
) -> Rolled:
    """A roll for the library with named arguments that differ from the mechanic's.

    The row of the data file has "help", "samples", `needs` (required arguments), and `takes`
    (optional arguments with their defaults). `reads` has a reader for each argument. `make` turns
    the values into the mechanic's arguments, by default the values themselves; with `by_options`
    its first argument is the table's options. `more` are other parts of `Rolled`.
    """
    takes = {**dict.fromkeys(row.get("needs", ()), Parameter.empty), **row.get("takes", {})}
    readers = {name: (reads[name], takes[name]) for name in takes}
    arguments = _reading(readers, make, by_options=by_options)
    return Rolled(mechanic, arguments, row["help"], tuple(row["samples"]), **more)


def roll_of(
    mechanic: Mechanic[P, R],
    row: Values,
    band: Callable[[R], str] = str,
    sums_up: Callable[[R], str] | None = None,
    reads: Mapping[Any, Reader] | None = None,
) -> Roll[P, R]:
    """A roll with its words from a data file: "help", "says", "samples", "band" rows."""
    bands = tuple(Band(**one) for one in row.get("band", ()))
    samples, says = tuple(row.get("samples", ())), row.get("says", "")
    return Roll(mechanic, bands, band, row["help"], samples, sums_up, says, reads or {})


def bad_argument(sentence: str, rule: str) -> RuleRefuses:
    """The refusal of a named argument of the library."""
    return RuleRefuses(sentence, *filter(None, (rule,)), code="roll/argument")


def whole_number(what: str, rule: str, low: int = 0, high: int = 999) -> Reader:
    """A reader of a whole number from `low` to `high`; its error cites the rule."""

    def read(options: Values, name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            words = f"{name} must be {what} from {low} to {high}, not {value!r}."
            raise bad_argument(words, rule)
        return value

    return read


def yes_or_no(why: str, rule: str) -> Reader:
    """A reader of True or False; its error cites the rule."""

    def read(options: Values, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            words = f"{name} must be True or False ({why}), not {value!r}."
            raise bad_argument(words, rule)
        return value

    return read
