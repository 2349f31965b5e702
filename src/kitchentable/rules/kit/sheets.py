"""Sheets: their rules as functions of beings, and their parts in a game's data file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kitchentable.rules.archetypes import filled
from kitchentable.rules.game import Example
from kitchentable.rules.kit import schema
from kitchentable.rules.kit.beings import B
from kitchentable.rules.kit.forms import Problems
from kitchentable.rules.kit.settings import read_field
from kitchentable.rules.sheets import Archetype, Kind, Section, SheetRules, Start, Summary
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.values import Option, Row, Values


def sheet_of(
    being: Callable[[Table, Entity], B],
    *,
    kinds: Callable[[Table], tuple[Kind, ...]],
    blank: Callable[[Table, str], Row],
    sections: Callable[[B], Iterable[Section]],
    check: Callable[[B, str], Problems],
    start: Callable[[B], Row],
    summary: Callable[[B], Summary],
    public: Callable[[B], Entity],
    amend: Callable[[Actor, B, B], Problems],
) -> SheetRules:
    """The rules of a sheet, from functions of beings.

    The functions are those of `SheetRules`; `amend` gets the actor, and the being before and after
    the change. The functions may be generators.
    """

    def of_beings(made: Callable[..., Any]) -> Any:
        def function(table: Table, *given: Any) -> Any:
            told = (being(table, one) if isinstance(one, Entity) else one for one in given)
            found = made(*told)
            return tuple(found) if isinstance(found, Iterator) else found

        return function

    made: tuple[Any, ...] = (sections, check, start, summary, public, amend)
    return SheetRules(kinds, blank, *map(of_beings, made))


def read_sections(top: schema.Section, name: str) -> tuple[Section, ...]:
    """The sections of a builder from the tables of this name, each with its `field` tables.

    Mistakes are noted in `top`.
    """
    return tuple(
        Section(
            one.key(),
            one.line("title"),
            tuple(read_field(field) for field in one.sections("field")),
            one.text("help", ""),
            one.text("rule", ""),
        )
        for one in top.sections(name)
    )


def ready_campaign(tables: Values, rules: SheetRules, options: Iterable[Option]) -> Example:
    """The example campaign of `[campaign]` and `[[person]]`.

    `[person.sheet]` replaces values of a blank sheet; the values of a table in it replace those of
    the blank sheet's table.
    """
    table = Table(options={one.key: one.field.default for one in options})
    about = tables["campaign"]
    people = tuple(_entity(one, rules, table) for one in tables["person"])
    return Example(about["title"], tuple(about["players"]), people, about["notes"])


def read_archetypes(tables: Values) -> tuple[Archetype, ...]:
    """The ready characters of `[[archetype]]`: key, title, kind, parts of the sheet."""
    return tuple(Archetype(**one) for one in tables.get("archetype", ()))


def read_start(row: Mapping[str, str] | None) -> Start | None:
    """A move with answers from a table of the file: `move`, and each answer by its name."""
    if row is None:
        return None
    return Start(row["move"], tuple((key, str(row[key])) for key in row if key != "move"))


def _entity(row: Values, rules: SheetRules, table: Table) -> Entity:
    about = {key: one for key, one in row.items() if key not in {"key", "sheet"}}
    sheet = filled(rules.blank(table, row["kind"]), row["sheet"])
    return Entity(row["key"], **about, sheet=sheet, state={})
