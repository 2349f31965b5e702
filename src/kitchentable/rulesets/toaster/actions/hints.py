"""Hints for each skill in play: usual opponents, circumstances, consequences of failure.

These are only proposals to the GM, from the table `play`, which a campaign can change
(toaster.3.which-skill, toaster.3.difficulty-rules-or-gm).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitchentable.rules import (
    Choice,
    Table,
    whole,
)
from kitchentable.rules.facts import part_of
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import Choices, Row, Words, read_row, row, rows
from kitchentable.rulesets.toaster.options import Options


@record
class Circumstance:
    """A circumstance that makes a skill harder or easier, with its modifier."""

    key: str = ""
    name: str = ""
    value: int = 0

    @property
    def label(self) -> str:
        """The name with the modifier: "slick or wet, -2"."""
        return f"{self.name}, {self.value:+d}"


@record
class Use:
    """One use of a skill. Trained characters need no roll for `routine` uses."""

    key: str = ""
    name: str = ""
    routine: bool = False
    contest: bool = False
    rule: str = ""


@record
class Outlook:
    """A possible consequence of a failure; `roll` is a further roll."""

    key: str = ""
    name: str = ""
    roll: str = ""


@record
class Hint:
    """A row of the table `play` about a skill."""

    rule: str = ""
    note: str = ""
    needs: str = ""
    failure_rule: str = ""
    against: Sequence[str] = ()
    uses: tuple[Use, ...] = ()
    circumstances: tuple[Circumstance, ...] = ()
    failure: tuple[Outlook, ...] = ()


#: The columns of the table that hold rows.
_ROWS: Row = {"uses": Use, "circumstances": Circumstance, "failure": Outlook}


def hint(table: Table, skill: str) -> Hint:
    """The hint for a skill or a member of a group; blank without a row.

    >>> hint(Table(options={}), "act").against, hint(Table(options={}), "language:Latin").note
    (['empathy'], 'For a similar language it counts as a related skill.')
    """
    found = row(table, "play", skill.partition(":")[0]) or {}
    lists = {
        name: tuple(read_row(kind, one) for one in found.get(name, ()) if isinstance(one, Mapping))
        for name, kind in _ROWS.items()
    }
    against = found.get("against") or ()
    return read_row(Hint, {**found, "note": _note(table, found)}, against=against, **lists)


def circumstances(table: Table, skill: str) -> tuple[Circumstance, ...]:
    """The circumstances proposed for a skill, and bonuses that still last.

    toaster.3.critical-meaning: a tuned engine helps its driver for about a week. `own.boons` holds
    these bonuses: id, name, value, skill ("" for any), and their last day.

    >>> kept = {"b1": {"name": "tuned engine", "value": 1, "skill": "drive", "until": 7}}
    >>> [one.label for one in circumstances(Table({}, day=7, own={"boons": kept}), "drive")][-1]
    'tuned engine, +1'
    >>> "tuned engine" in str(circumstances(Table({}, day=8, own={"boons": kept}), "drive"))
    False
    """
    lasting = (
        Circumstance(key, str(one.get("name") or "a boon"), whole(one.get("value")))
        for key, one in part_of(table.own, "boons").items()
        if whole(one.get("until")) >= table.day
        and (one.get("skill") or "") in {"", skill.partition(":")[0]}
    )
    return (*hint(table, skill).circumstances, *(one for one in lasting if one.value))


def _note(table: Table, said: Row) -> str:
    """The players' note on a skill; for acting, also the rule for disguises.

    toaster.2.skill-act-disguise.
    """
    note = str(said.get("note") or "")
    if said.get("key") != "act":
        return note
    if Options(table.options).disguise_in_act:
        return f"{note} It includes make-up and costume."
    return f"{note} Make-up and costume are a skill of their own: Artistic: Disguise."


def helpers(table: Table, skill: str) -> Words:
    """The skills that can help with this one (toaster.2.skill-acrobatics-complement).

    >>> helpers(Table(options={}), "persuasion")
    ('seduction',)
    """
    wanted = skill.partition(":")[0]
    return tuple(one["key"] for one in rows(table, "play") if wanted in (one.get("helps") or ()))


def ladder(table: Table) -> Choices:
    """The steps of difficulty with their modifiers (toaster.3.difficulty-ladder).

    >>> [one.label for one in ladder(Table(options={}))][9:]
    ['Excruciating -4', 'Hellish -5']
    """
    return tuple(
        Choice(one["key"], f"{one['name']} {whole(one['modifier']):+d}")
        for one in rows(table, "difficulty")
    )


def ideas(table: Table, of: str) -> Words:
    """Ideas for the meaning of an outcome.

    toaster.3.fumble-meaning, toaster.3.critical-meaning.
    """
    return tuple(one["text"] for one in rows(table, "ideas") if one["of"] == of)
