"""Tables to roll on from a game's file, as parts of the kit."""

from __future__ import annotations

from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Row
from kitchentable.rules.kit.tables import Rows as Table
from kitchentable.rules.moves import Part
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import option_numbers
from kitchentable.rules.toml.rollform import Rows
from kitchentable.rules.toml.rolls import asked_input


def table_of(game: Written, one: Rows) -> Table:
    """A table of the file as a table of the kit."""
    asked: Row = {each.key: asked_input(each, one.rule) for each in one.fields}

    def add(at: AnyAt) -> tuple[Part, ...]:
        numbers = option_numbers(game, at.table.options)
        numbers |= {each.key: each.number(getattr(at.form, each.key)) for each in one.fields}
        return tuple(
            Part(game.part_name(each, "", one.fields), each.value(numbers)) for each in one.add
        )

    return Table(
        one.key,
        one.title,
        one.dice,
        tuple(row.to for row in one.rows if row.to is not None),
        [row.text for row in one.rows],
        one.help,
        (one.rule,),
        type("RowForm", (Form,), asked),
        add,
    )
