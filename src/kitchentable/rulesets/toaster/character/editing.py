"""The book's tables, made the table's own: every number and name can be changed, row by row.

toaster.1.customisable: each change is a fact of the campaign, and the log keeps what stood there
before.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Result,
    RuleRefuses,
    Table,
)
from kitchentable.rulesets.toaster.book import TABLES, Row
from kitchentable.rulesets.toaster.character.attribute_list import edited
from kitchentable.rulesets.toaster.tables import row, rows

#: What the tables are called, and which rule leaves them to you. Samples are nobody's to change.
TITLES: dict[str, tuple[str, str]] = {
    "attributes": ("Attributes", "toaster.2.attributes-changeable"),
    "aspects": ("Parts of attributes", "toaster.2.trait-attribute-sub-skill"),
    "uses": ("Which attribute a formula reads", "toaster.2.attributes-changeable"),
    "skills": ("Skills", "toaster.2.skills-campaign-list"),
    "members": ("Members of groups of skills", "toaster.2.skills-groups-setting"),
    "weapon_skills": ("Which skill wields which weapon", "toaster.2.skill-weapon-groups"),
    "manoeuvres": ("Manoeuvres", "toaster.2.skill-martial-manoeuvres"),
    "costs": ("Prices of skills", "toaster.2.skillcost-exotic"),
    "trait_kinds": ("Kinds of traits", "toaster.2.trait-catalogue"),
    "styles": ("Styles of campaign", "toaster.2.creation-style"),
    "thresholds": ("Thresholds by size", "toaster.2.trait-size-extremes"),
}
_NEW = "new"
#: What a row holds in tables that the book leaves empty.
_SHAPES: dict[str, Row] = {
    "manoeuvres": {"name": "", "skill": "martial-arts", "modifier": 0, "note": ""}
}
_KEPT = frozenset({"key"})
_SHORT = frozenset({"wc", "ac"})
_CLOSED = frozenset({"samples"})


def title(name: str) -> str:
    """What a table is called: by its own title, else by its name in plain words."""
    found = TITLES.get(name)
    return found[0] if found else name.replace("_", " ").capitalize()


def _called(column: str) -> str:
    """What a column of a table is called; WC and AC are what everybody calls them.

    >>> _called("wc"), _called("thrown_wc"), _called("attribute_points")
    ('WC', 'thrown WC', 'attribute points')
    """
    return " ".join(one.upper() if one in _SHORT else one for one in column.split("_"))


def _heading(column: str) -> str:
    name = _called(column)
    return name[:1].upper() + name[1:]


def _rule(name: str) -> str:
    return TITLES[name][1] if name in TITLES else "toaster.1.customisable"


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """The table, the row, the column, the value: each question follows from the ones before."""
    names = tuple(Choice(name, title(name)) for name in TABLES if name not in _CLOSED)
    name = str(answers.get("table") or "weapon")
    if name not in TABLES or name in _CLOSED:
        return (Field("table", "Table", "choice", names),)
    rows_here = rows(table, name)
    listed = tuple(Choice(one["key"], _row_name(one), _in_short(one)) for one in rows_here)
    key = str(answers.get("row") or (rows_here[0]["key"] if rows_here else _NEW))
    found = row(table, name, key)
    columns = _columns(name)
    column = str(answers.get("column") or columns[0])
    fields = [
        Field("table", "Table", "choice", names, default="weapon"),
        Field(
            "row",
            "Row",
            "choice",
            (*listed, Choice(_NEW, "A new row")),
            default=rows_here[0]["key"] if rows_here else _NEW,
        ),
    ]
    if found is None:
        fields.append(Field("name", "Name of the new row", required=True, longest=120))
        fields.append(
            Field(
                "as_row",
                "Otherwise like",
                "choice",
                listed,
                default=rows_here[0]["key"] if rows_here else "",
                required=False,
            )
        )
        return tuple(fields)
    fields += [
        Field(
            "column",
            "What of it",
            "choice",
            (*(Choice(one, _called(one)) for one in columns), Choice("gone", "Strike it")),
            default=columns[0],
        ),
        Field(
            "value",
            "What it is to be",
            required=False,
            default="" if column == "gone" else _shown(found.get(column)),
            longest=600,
            help="A list is written with commas; yes or no for a switch.",
            rule=_rule(name),
        ),
        Field("why", "Why", required=False, default="", longest=400),
    ]
    return tuple(fields)


def _columns(name: str) -> tuple[str, ...]:
    """Everything that the rows of a table say, in the order in which they say it."""
    shapes = (*TABLES[name], _SHAPES.get(name, {}))
    every = dict.fromkeys(column for one in shapes for column in one)
    return tuple(one for one in every if one not in _KEPT)


def _row_name(one: Row) -> str:
    return str(one.get("name") or one.get("word") or one.get("words") or one["key"])


def _in_short(one: Row) -> str:
    numbers = [f"{key} {value}" for key, value in one.items() if isinstance(value, int | float)]
    return ", ".join(part.replace("_", " ") for part in numbers[:3])


def _shown(value: Json) -> str:
    """A value as people write it: a list with commas, a switch as yes or no.

    >>> _shown(["aura", "intellect"]), _shown(True), _shown(None), _shown(2.5)
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
    """What was typed, as the same kind of value as what stood there. ValueError for another kind.

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
    if isinstance(pattern, list | tuple):
        parts = [one.strip() for one in text.split(",") if one.strip()]
        whole = bool(pattern) and all(isinstance(one, int) for one in pattern)
        return [int(one) for one in parts] if whole else parts
    return text


def _pattern(name: str, found: Row, column: str) -> Json:
    """A value of the kind that belongs into a column: what stands there, or in another row."""
    if column in found:
        return found[column]
    shapes = (*TABLES[name], _SHAPES.get(name, {}))
    return next((one[column] for one in shapes if column in one), "")


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    name, column = str(answers.get("table")), str(answers.get("column") or "")
    found = row(table, name, answers.get("row")) if name in TABLES else None
    if found is None or not column or column == "gone":
        return ()
    try:
        read_like(_pattern(name, found, column), str(answers.get("value") or ""))
    except ValueError:
        words = f"{_heading(column)} is of another kind than that."
        return (Problem("value", "toaster.1.customisable", words),)
    return ()


def _edit(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """A row or a column is another; of attributes that came or went the GM is asked."""
    return edited(table, _changed(table, answers))


def _changed(table: Table, answers: Answers) -> Result:
    name = str(answers["table"])
    found = row(table, name, answers["row"])
    why = str(answers.get("why") or "")
    rule = _rule(name)
    rules = ("toaster.1.customisable", *((rule,) if rule != "toaster.1.customisable" else ()))
    lines = (Line(why),) if why else ()
    if found is None:
        return _new_row(table, name, answers, rules)
    column = str(answers["column"])
    where = ("own", "data", name, str(found["key"]), column)
    if column == "gone":
        card = Card(
            f"{title(name)}: {_row_name(found)}", "Struck from the list.", lines=lines, rules=rules
        )
        return Result(card, (Change(where, True),))  # noqa: FBT003 - the fact itself
    value = read_like(_pattern(name, found, column), str(answers.get("value") or ""))
    before, after = _shown(found.get(column)), _shown(value)
    if before == after:
        raise RuleRefuses(
            f"{_row_name(found)} has that already.", "toaster.1.customisable", code="edit/same"
        )
    card = Card(
        f"{title(name)}: {_row_name(found)}",
        f"{_heading(column)}: {after or 'nothing'}, not {before or 'nothing'}.",
        lines=lines,
        rules=rules,
    )
    return Result(card, (Change(where, value),))


def _new_row(table: Table, name: str, answers: Answers, rules: tuple[str, ...]) -> Result:
    """One more row, made like another and then changed column by column."""
    words = str(answers["name"]).strip()
    like = row(table, name, answers.get("as_row")) or _SHAPES.get(name, {})
    key = _fresh_key(words, {one["key"] for one in rows(table, name)})
    new: dict[str, Json] = {**like, "key": key}
    if name == "members":
        new["name"] = words
    elif "word" in new and "name" not in new:
        new["word"] = words
    else:
        new["name"] = words
    card = Card(
        f"{title(name)}: {words}",
        f"A new row, otherwise like {_row_name(like)}." if "key" in like else "A new row.",
        rules=rules,
    )
    return Result(card, (Change(("own", "data", name, key), new),))


def _fresh_key(words: str, taken: set[str]) -> str:
    plain = re.sub(r"[\W_]+", "-", words.casefold()).strip("-") or "row"
    key, number = plain, 2
    while key in taken:
        key, number = f"{plain}-{number}", number + 1
    return key


EDIT = Move(
    "edit_table",
    "Edit a table",
    "Change a name or a number of the book's tables, or add a row: weapons, skills, sizes ...",
    ("toaster.1.customisable", *dict.fromkeys(rule for _, rule in TITLES.values())),
    _edit,
    by=("gm",),
    place="gm",
    fields=_fields,
    check=_check,
    for_entity=False,
    examples=(
        {"table": "weapon", "row": "club", "column": "wc", "value": "5"},
        {"table": "skills", "row": "new", "name": "Sorcery", "as_row": "act"},
        {"table": "attributes", "row": "aura", "column": "name", "value": "Spirit"},
    ),
)
