"""Plain values exchanged between a game and the table; everything stored is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, dataclass_transform

T = TypeVar("T")

#: Plain JSON: None, bool, int, float, str, lists and dicts of these. Checked on input (forms,
#: codec) and trusted elsewhere; a precise recursive type would only be cast away.
Json: TypeAlias = Any
#: Plain data by name: a sheet, options, answers. A `Row` is mutable.
Values: TypeAlias = Mapping[str, Json]
Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]
Answers: TypeAlias = Values
#: The ids of the rules that are cited.
RuleIds: TypeAlias = tuple[str, ...]

#: Audiences: "all" is everyone at the table, "gm" the GM and co-GMs; any other audience is a seat's
#: id, for that seat and the GM.
EVERYONE = "all"
GM = "gm"
#: The most characters of the name of a person or an entity.
LONGEST_NAME = 60


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots.

    >>> @record
    ... class Throw:
    ...     total: int
    >>> Throw(7)
    Throw(total=7)
    """
    return dataclass(frozen=True, slots=True)(kind)


@record
class Problem:
    """A problem with a sheet or a form: place, rule, sentence.

    `where` is the name of the field ("traits.aim", "perks.2", "" for the whole). `refuses` is false
    if the problem is only a warning. `counted` is true if the section's budget already shows the
    problem. `final` is true if no later answer of another party can solve it, so that a roll is
    refused before the others are asked.

    >>> Problem("traits.aim", "toast.3.1-max9", "Aim starts at 9 at most.").refuses
    True
    """

    where: str
    rule: str
    sentence: str
    refuses: bool = True
    counted: bool = False
    final: bool = False


@record
class Choice:
    """One choice: the value sent by the form, the label that people read, and a hint."""

    value: str
    label: str
    hint: str = ""


@record
class Field:
    """One question of a form: on a move, on a sheet, among the options of a game.

    `kind` is one of
      "choice"  one of `choices`           "many"    any of `choices` (a list of values)
      "number"  a whole number low..high   "tick"    yes or no
      "text"    one line                   "story"   several lines
      "entity"  somebody at the table: like "choice", the values are entity ids
      "rows"    a list of records, each with `columns` (a list of dicts)

    `set_by` is the party that answers in the conversation of a roll: "actor" (the maker of the
    move), "gm", or "owner:NAME" for the owner of the entity picked in the entity field NAME (the
    defender of an attack). With `needs_yes` the GM has to agree to a player's answer. With
    `hideable` the GM may keep the value secret, even in the odds; with `hidden` it is secret unless
    the GM reveals it. With `veto_only` the GM may clear an answer (set it to ""), but not replace
    it. `bounds` are the rules' limits for a number, if `low` and `high` are wider for drafts.
    """

    name: str
    label: str
    kind: str = "text"
    choices: tuple[Choice, ...] = ()
    default: Json = None
    required: bool = True
    set_by: str = "actor"
    needs_yes: bool = False
    hideable: bool = False
    hidden: bool = False
    veto_only: bool = False
    low: int | None = None
    high: int | None = None
    help: str = ""
    rule: str = ""
    columns: tuple[Field, ...] = ()
    longest: int = 2000
    bounds: tuple[int, int] | None = None


@record
class Option:
    """An optional rule or an adjustable number of a game, on the campaign's options page.

    `effect` is a sentence about the effect on play or on the odds. Every option can be changed
    during a campaign; the game's hook "options-changed" then adjusts existing facts, or asks.
    `excludes` names switches that cannot be on together with this one; only one of the two has to
    name the other. A table that already has both on, from another version of the game, gets a
    warning and can still play. `suggests` names an option with rows that suggests texts for this
    one.
    """

    field: Field
    group: str
    effect: str = ""
    excludes: tuple[str, ...] = ()
    suggests: str = ""

    @property
    def key(self) -> str:
        """The option's name, as in `kt.game("toast", medium=12)`."""
        return self.field.name

    def __repr__(self) -> str:
        return f"<Option {self.key}: {self.field.label}>"
