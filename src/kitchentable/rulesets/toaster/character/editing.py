"""Changes of tables and options during a campaign: row by row, with their consequences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from kitchentable.rules import (
    Change,
    Choice,
    Entity,
    Json,
    Result,
    Table,
    joined,
    listed,
    whole,
)
from kitchentable.rules.kit import Form, Problems, Unknown, Values, pick, text
from kitchentable.rules.kit.listings import fresh_key
from kitchentable.rules.sheet_migration import Numbers, Place, migrate, migration_move
from kitchentable.rulesets.toaster.book import (
    TABLE_WORDS,
    TABLES,
    Row,
    Words,
    problem,
    row,
    rows,
    with_fact,
)
from kitchentable.rulesets.toaster.character.attributes import FOUR, attribute_names, attributes
from kitchentable.rulesets.toaster.character.skills import style
from kitchentable.rulesets.toaster.character.traits import ATTRIBUTES as CHANGES_ATTRIBUTES
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

#: An average person's rank, the default for NPCs.
_AVERAGE = 4


def _places(table: Table, entity: Entity) -> tuple[Place, ...] | None:
    """An entity's attributes; new ones start at the extra points that each adds.

    toaster.2.extra-attributes-points.
    """
    if not Person(table, entity).is_known:
        return None
    said, start = Options(table.options).extra_attribute_points, _AVERAGE
    if entity.is_players and said is None:
        start = whole(style(table)["attribute_points"]) // len(FOUR)
    elif entity.is_players and said is not None:
        start = said // max(1, len(attributes(table)) - len(FOUR))
    return tuple(Place(key, name, 0, 99, start) for key, name in attribute_names(table).items())


def _moved(entity: Entity, was: str, name: str, now: str) -> tuple[Entity, str]:
    """Move skills and traits from one attribute to another.

    If the attribute was removed, skills use the list's attribute instead. Traits keep their rank
    without an effect, and work again if the attribute returns.
    """
    sheet: Any = entity.sheet
    skills = [_leaning(line, was, now) for line in sheet.get("skills") or ()]
    before = sheet.get("traits") or ()
    traits = [_changing(line, {was.casefold(), name.casefold()}, now) for line in before]
    after = replace(entity, sheet={**entity.sheet, "skills": skills, "traits": traits})
    if now:
        return after, ""
    idle = [
        str(line.get("name") or "a trait without a name")
        for line, old in zip(traits, before, strict=True)
        if line != old
    ]
    if not idle:
        return after, ""
    changes = "changes" if len(idle) == 1 else "change"
    return after, f"{listed(idle)} changed it, and {changes} nothing now."


def _leaning(line: Any, was: str, now: str) -> Any:
    if not isinstance(line, Mapping):
        return line
    columns = ("attribute", "attribute2", "attribute3")
    return {**line, **{one: now for one in columns if line.get(one) == was}}


def _changing(line: Any, was: set[str], now: str) -> Any:
    """Point a trait to the other attribute, or record the attribute that it lost."""
    if not isinstance(line, Mapping) or line.get("kind") != CHANGES_ATTRIBUTES:
        return line
    if str(line.get("of")).strip().casefold() not in was:
        return line
    return {**line, "of": now} if now else {**line, "lost": line.get("of")}


ATTRIBUTES = Numbers("attributes", _places, "toaster.2.attributes-changeable", moved=_moved)
MIGRATION = migration_move(toaster, (ATTRIBUTES,))


def _asked(table: Table, before: Table) -> Result:
    """Ask about changed attributes: starting ranks of new ones, or replacements.

    toaster.2.option-extra-attributes, toaster.2.option-split-attributes.
    """
    names = {f"{ATTRIBUTES.key}.{key}": name for key, name in attribute_names(before).items()}
    return migrate(table, (ATTRIBUTES,), names, "Attributes")


def edited(before: Table, change: Change) -> Result:
    """Ask about an edit of the table of attributes: new, split or removed ones."""
    if change.path[:3] != ("own", "data", "attributes"):
        return Result()
    return _asked(replace(before, own=with_fact(before.own, change.path[1:], change.now)), before)


# ---------------------------------------------------------------- options

_NEED_BANDS = {
    "wcac_critical_table": "The critical table",
    "wcac_double_roll": "Rolling damage twice",
    "wcac_halve_marginal": "Halving marginal hits",
}


def waiting_switches(table: Table) -> Words:
    """The options that have no effect yet, in sentences (toaster.4.opt-wcac-integrate).

    >>> waiting_switches(Table(options={"wcac_double_roll": True}))[0].partition(":")[0]
    'Rolling damage twice waits for variable outcomes'
    """
    options = Options(table.options)
    if options.variable_outcomes:
        return ()
    return tuple(
        f"{words} waits for variable outcomes: nothing is critical or marginal without them."
        for key, words in _NEED_BANDS.items()
        if options[key]
    )


def options_changed(table: Table, was: Values) -> Result:
    """Report switches that need other options, once; ask about attributes."""
    at, found = toaster.at(table), list(waiting_switches(table))
    if found != (table.own.get("combat_switches") or []):
        at.write(("own", "combat_switches"), found)
        for words in found:
            at.say(words)
        if found:
            at.tell_as("waiting-switches", of=())
    return joined(at.result(), _asked(table, replace(table, options=was)))


# ---------------------------------------------------------------- the book's tables, edited

_RULE = "toaster.1.customisable"
_NEW, _GONE = "new", "gone"
_SHORT = frozenset({"wc", "ac"})


def called(column: str) -> str:
    """The name of a table's column; WC and AC stay abbreviations.

    >>> called("wc"), called("thrown_wc"), called("attribute_points")
    ('WC', 'thrown WC', 'attribute points')
    """
    return " ".join(one.upper() if one in _SHORT else one for one in column.split("_"))


def shapes(name: str) -> tuple[Row, ...]:
    """The rows that show a table's columns: the book's, and a pattern for an empty table."""
    return (*TABLES[name], TABLE_WORDS[name].get("shape", {}))


def columns(name: str) -> list[str]:
    """All columns of the rows of a table, in order."""
    every = dict.fromkeys(column for one in shapes(name) for column in one)
    return [one for one in every if one not in {"key", "only_with", "only_without"}]


def row_name(one: Row) -> str:
    """The name of a row."""
    return str(one.get("name") or one.get("word") or one.get("words") or one["key"])


def in_short(one: Row) -> str:
    """The first numbers of a row."""
    numbers = [f"{key} {value}" for key, value in one.items() if isinstance(value, int | float)]
    return ", ".join(part.replace("_", " ") for part in numbers[:3])


def shown(value: Json) -> str:
    """A value as people write it: a list with commas, a switch as yes or no.

    >>> shown(["aura", "intellect"]), shown(True), shown(None), shown(2.5)
    ('aura, intellect', 'yes', '', '2.5')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple) and all(isinstance(one, str | int) for one in value):
        return ", ".join(str(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_like(pattern: Json, text: str) -> Json:
    """Read a typed text as a value of the pattern's type. ValueError for another type.

    Lists of whole numbers have as many as the pattern; lists of rows are written as JSON.

    >>> read_like(6, "5"), read_like(["a"], "b, c"), read_like(True, "no"), read_like(0.5, "4")
    (5, ['b', 'c'], False, 4)
    """
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if isinstance(pattern, bool):
        if text.casefold() not in {"yes", "no", "true", "false"}:
            raise ValueError(text)
        return text.casefold() in {"yes", "true"}
    if isinstance(pattern, int | float):
        number = float(text)
        if not isfinite(number) or (isinstance(pattern, int) and not number.is_integer()):
            raise ValueError(text)
        return int(number) if number.is_integer() else number
    if isinstance(pattern, list | tuple) and any(isinstance(one, Mapping) for one in pattern):
        rows = json.loads(text or "[]")
        if not isinstance(rows, list) or not all(map(_is_row, rows)):
            raise ValueError(text)
        return rows
    if isinstance(pattern, list | tuple):
        parts = [one.strip() for one in text.split(",") if one.strip()]
        if not pattern or not all(isinstance(one, int) for one in pattern):
            return parts
        if len(parts) != len(pattern):
            raise ValueError(text)
        return [int(one) for one in parts]
    return text


def _is_row(value: Json) -> bool:
    return isinstance(value, Mapping) and {"key", "name"} <= value.keys()


def pattern(name: str, found: Row, column: str) -> Json:
    """A value of the type that belongs in a column: its current one, or another row's."""
    here = (one[column] for one in (found, *shapes(name)) if column in one)
    return next(here, "")


# ---------------------------------------------------------------- the questions


def of_table(at: Here) -> str:
    """The chosen table. Errors: Unknown for a table that cannot be changed."""
    name: str = at.form.table
    if name not in TABLE_WORDS:
        raise Unknown("Which table?")
    return name


def row_choices(at: Here) -> list[Choice]:
    """The rows of the table as choices."""
    return [
        Choice(one["key"], row_name(one), in_short(one)) for one in rows(at.table, of_table(at))
    ]


def first_row(at: Here) -> str:
    """The first row of the table, or ""."""
    return next((one.value for one in row_choices(at)), "")


def found_row(at: Here) -> Row | None:
    """The chosen row, or None for a new one."""
    return row(at.table, of_table(at), at.form.row)


class EditForm(Form):
    """The table, the row, the column, the value: each question depends on earlier answers."""

    table = pick(
        choices=[(name, TABLE_WORDS[name]["title"]) for name in TABLES if name in TABLE_WORDS]
    )
    row = pick(
        choices=lambda at: [*row_choices(at), Choice(_NEW, "A new row")],
        default=lambda at: first_row(at) or _NEW,
    )
    name = text(when=lambda at: found_row(at) is None)
    as_row = pick(choices=row_choices, when=lambda at: found_row(at) is None, default=first_row)
    column = pick(
        choices=lambda at: [
            *((one, called(one)) for one in columns(of_table(at))),
            (_GONE, "Strike it"),
        ],
        when=found_row,
        default=lambda at: columns(of_table(at))[0],
    )
    value = text(
        when=found_row,
        default=lambda at: shown((found_row(at) or {}).get(at.form.column)),
        rule=lambda at: TABLE_WORDS[of_table(at)]["rule"],
    )
    why = text(when=found_row)

    def read(self, found: Row) -> Json:
        """The typed value. Errors: ValueError for one of another type."""
        return read_like(pattern(self.table, found, self.column), self.value)

    def problems(self) -> Problems:
        found = found_row(self.at)
        if found is None:
            return
        if self.column == _GONE:
            if found["key"] in TABLE_WORDS[self.table].get("needs", ()):
                yield problem("needed-row", name=row_name(found))
            return
        try:
            self.read(found)
        except ValueError:
            yield problem("other-kind", column=called(self.column))


@toaster.move("edit_table")
def edit_table(at: At[EditForm]) -> None:
    """Change a row or a column; ask the GM about added or removed attributes."""
    name, found = of_table(at), found_row(at)
    rules = (_RULE, TABLE_WORDS[name]["rule"])
    path, now, words, sentence = new_row(at) if found is None else changed(at, found)
    at.say("" if found is None else at.form.why)
    change = Change(("own", "data", name, *path), now)
    after = edited(at.table, change)
    for one in (change, *after.changes):
        at.write(one.path, one.now, gone=one.gone)
    at.asks += after.asks
    at.closes += after.closes
    at.tell(f"{TABLE_WORDS[name]['title']}: {words}", sentence, rules=rules)


def changed(at: At[EditForm], found: Row) -> tuple[Words, Json, str, str]:
    """The change of a column: path, value, words for the card."""
    column, key, name = at.form.column, str(found["key"]), row_name(found)
    if column == _GONE:
        return (key, column), True, name, "Struck from the list."
    value = at.form.read(found)
    before, after = shown(found.get(column)), shown(value)
    if before == after:
        at.refuse(f"{name} already has that value.", _RULE)
    title = called(column)
    words = f"{title[:1].upper()}{title[1:]}: {after or 'nothing'}, not {before or 'nothing'}."
    return (key, column), value, name, words


def new_row(at: At[EditForm]) -> tuple[Words, Json, str, str]:
    """The change for a new row, copied from another and then changed column by column."""
    name, words = of_table(at), at.form.name.strip()
    like = row(at.table, name, at.form.as_row) or shapes(name)[-1]
    key = fresh_key(words, {one["key"] for one in rows(at.table, name)}, "row")
    named = "word" if "word" in like and "name" not in like and name != "members" else "name"
    then = f", otherwise like {row_name(like)}." if "key" in like else "."
    return (key,), {**like, "key": key, named: words}, words, f"A new row{then}"
