"""Plain values that travel between a game and the table: what is stored is JSON, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

#: Plain JSON: None, bool, int, float, str, lists and dicts of these. Checked where it comes in
#: (forms, codec), and trusted inside, where a precise recursive type would only be cast away.
Json: TypeAlias = Any
Answers: TypeAlias = Mapping[str, Json]

#: Audiences. "all" is everyone at the table, "gm" the game master and co-GMs; anything else is a
#: seat's id: that seat and the GM.
EVERYONE = "all"
GM = "gm"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a sheet or a form that a person should know: where, which rule, a sentence.

    `where` is the name of the field ("traits.aim", "perks.2", "" for the whole). `refuses` is true
    when the rule forbids going on, false when it only warns. `counted` is true where the budget of
    its part says it already, so that a page need not say it beside the part once more.

    >>> Problem("traits.aim", "toast.3.1-max9", "Aim starts at 9 at most.").refuses
    True
    """

    where: str
    rule: str
    sentence: str
    refuses: bool = True
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be picked: the value that is sent, and the words people read."""

    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a form: on a move, on a sheet, among the options of a game.

    `kind` is one of
      "choice"  one of `choices`           "many"    any of `choices` (a list of values)
      "number"  a whole number low..high   "tick"    yes or no
      "text"    one line                   "story"   several lines
      "entity"  somebody at the table: like "choice", the values are entity ids
      "rows"    a list of records, each with `columns` (a list of dicts)

    `set_by` says whose question it is in the conversation of a roll: "actor" (who makes the move),
    "gm", or "owner:NAME" for the owner of the entity picked in the entity field NAME (the defender
    of an attack). With `needs_yes` the GM has to agree to what a player picked. With `hideable`
    the GM may keep the value to themselves; then it reaches no player, not even as odds; with
    `hidden` it is so unless the GM opens it. With `veto_only` the GM may strike out what was picked
    (set it to "") but not put something there that the one who sets the field did not pick.
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


@dataclass(frozen=True, slots=True)
class Option:
    """An optional rule or a tunable number of a game, as the campaign's options page shows it.

    `effect` says in a sentence what the switch does to play or to the odds. Every option can be
    changed in mid-campaign, which is an event; what that means for what exists, the game says by
    its hook "options-changed", or asks. `excludes` names switches that cannot be on while
    this one is; it is enough that one of the two says so. A table that has both on all the same,
    from another version of the game, is told and plays on.
    """

    field: Field
    group: str
    effect: str = ""
    excludes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The option's name, as in `kt.game("toast", medium=12)`."""
        return self.field.name

    def __repr__(self) -> str:
        return f"<Option {self.key}: {self.field.label}>"
