"""Reading of form input: strings from a page or values from a program become answers.

Bad input never raises. A value that cannot be read becomes a problem at its field, and the page
keeps the typed text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.facts import copied
from kitchentable.rules.people import quoted
from kitchentable.rules.sheets import Section
from kitchentable.rules.values import Field, Json, Problem, Row, Values

#: The largest number of rows of one field, unless the field sets less.
_MOST_ROWS = 200
#: The largest number of questions that a sentence names.
_MOST_NAMED = 12
#: The largest number of digits in the index of a row.
_LONGEST_INDEX = 6
_BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])[-_ ]+(?=[^\W\d_])")
_TRUE = {"true", "on", "yes", "1", "y"}
_FALSE = {"false", "off", "no", "0", "n", ""}


def read_answers(
    fields: Sequence[Field], raw: Values, *, fill: bool = True
) -> tuple[Row, tuple[Problem, ...]]:
    """The answers to a form's fields, and the problems with them.

    With `fill`, missing answers get their defaults; otherwise they are left out. Unknown names are
    reported and not used.

    >>> low = Field("level", "Level", "number", low=0, high=9)
    >>> read_answers([low], {"level": "7"})
    ({'level': 7}, ())
    >>> read_answers([low], {"level": "12"})[1][0].sentence
    'Level goes from 0 to 9, not 12.'
    """
    answers: Row = {}
    problems: list[Problem] = []
    for field, value, problem in _read(fields, raw, fill=fill):
        if problem is not None:
            problems.append(problem)
        else:
            answers[field.name] = value
    problems += (
        replace(no_question(name, fields), refuses=False) for name in _unknown_names(fields, raw)
    )
    return answers, tuple(problems)


def no_question(name: str, fields: Sequence[Field]) -> Problem:
    """The problem of an answer to a question that the form does not have.

    >>> no_question("ours", [Field("trait", "Trait"), Field("perk", "Perk")]).sentence
    "There is no question called 'ours' here. Questions: trait, perk."
    """
    names = ", ".join(field.name for field in fields[:_MOST_NAMED]) or "none"
    more = f" and {len(fields) - _MOST_NAMED} more" if len(fields) > _MOST_NAMED else ""
    return Problem(
        name, "", f"There is no question called {name!r} here. Questions: {names}{more}."
    )


def _read(
    fields: Sequence[Field], raw: Values, *, fill: bool = False
) -> Iterator[tuple[Field, Json, Problem | None]]:
    """Each answered field with its value, or with its problem.

    With `fill`, unanswered fields get their defaults, and required ones a problem if it is blank.
    """
    for field in fields:
        given = gather_rows(field, raw) if field.kind == "rows" else raw.get(field.name)
        if given is not None or field.name in raw:
            yield field, *read_value(field, given)
        elif fill:
            yield field, field.default, None
            if field.required and is_blank(field, field.default):
                yield field, None, missing(field)


def read_value(field: Field, given: Any) -> tuple[Json, Problem | None]:
    """One answer as a value, or the problem with it.

    >>> read_value(Field("sure", "Sure", "tick"), "on")
    (True, None)
    """
    try:
        return _KINDS.get(field.kind, _text)(field, given), None
    except BadAnswers as wrong:
        return None, wrong.problems[0]


def is_blank(field: Field, value: Any) -> bool:
    """Whether a field is unanswered: "No" and 0 are answers, blank space is not."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (field.kind in {"many", "rows"} and not value)


def gather_rows(field: Field, raw: Values) -> Any:
    """The records of a "rows" field, from JSON ("perks": [...]) or names ("perks.0.text").

    >>> perks = Field("perks", "Perks", "rows", columns=(Field("text", "Perk"),))
    >>> gather_rows(perks, {"perks.0.text": "Sailor", "perks.2.text": "Cook"})
    [{'text': 'Sailor'}, {'text': 'Cook'}]
    """
    if field.name in raw:
        return raw[field.name]
    found: dict[int, Row] = {}
    for name, value in raw.items():
        place = _place_in(field, name)
        if place is not None:
            found.setdefault(place[0], {})[place[1]] = value
    return [found[index] for index in sorted(found)] if found else None


def _place_in(rows: Field, name: str) -> tuple[int, str] | None:
    """The row and the column in a form's name such as "perks.0.text", or None."""
    if not name.startswith(f"{rows.name}."):
        return None
    index, _, column = name[len(rows.name) + 1 :].partition(".")
    is_row = index.isdecimal() and len(index) <= _LONGEST_INDEX
    return (int(index), column) if is_row and column else None


def read_sheet(
    sections: Sequence[Section], sheet: Values, raw: Values
) -> tuple[Row, tuple[Problem, ...]]:
    """A sheet with a form's answers put into it, and the problems with them.

    Field names are paths ("traits.aim"). Fields missing from the form, and parts of the sheet
    without a field, stay unchanged.
    """
    new: Row = copied(sheet)
    problems: list[Problem] = []
    fields = [field for section in sections for field in section.fields]
    for field, value, problem in _read(fields, raw):
        if problem is not None:
            problems.append(problem)
        elif field.kind == "rows":
            put(new, field.name, _keep_unknown_columns(value, look(sheet, field.name)))
        else:
            put(new, field.name, value)
    problems.extend(
        Problem(name, "", f"There is no field called {name!r} on this sheet.")
        for name in _unknown_names(fields, raw)
    )
    return new, tuple(problems)


def misread(fields: Iterable[Field], before: Values, after: Values) -> tuple[Problem, ...]:
    """The problems with facts edited directly, checked against the fields that describe them.

    Field names are paths, as on a sheet. Unchanged facts and facts without a field are not checked.

    >>> wounds = Field("wounds", "Wounds", "number", low=0, high=4)
    >>> misread([wounds], {"wounds": 1}, {"wounds": 99})[0].sentence
    'Wounds goes from 0 to 4, not 99.'
    >>> misread([wounds], {"wounds": 99}, {"wounds": 99, "mood": "odd"})
    ()
    """
    found: list[Problem] = []
    for field in fields:
        now = look(after, field.name)
        if now is None or now == look(before, field.name):
            continue
        _, problem = read_value(field, now)
        if problem is not None:
            found.append(problem)
    return tuple(found)


def _unknown_names(fields: Sequence[Field], raw: Values) -> list[str]:
    """The names in a form's answers that belong to no field and no row of one."""
    known = {field.name for field in fields}
    rows = [field for field in fields if field.kind == "rows"]
    return [
        name
        for name in raw
        if name not in known and not any(_place_in(field, name) for field in rows)
    ]


def look(sheet: Values, path: str, default: Json = None) -> Any:
    """The value at a dotted path of a sheet, or the default.

    >>> look({"traits": {"aim": 4}}, "traits.aim")
    4
    """
    here: Any = sheet
    for step in path.split("."):
        if not isinstance(here, Mapping) or step not in here:
            return default
        here = here[step]
    return here


def put(sheet: Row, path: str, value: Json) -> None:
    """Set the value at a dotted path of a sheet, creating missing tables on the way."""
    *way, last = path.split(".")
    here: Row = sheet
    for step in way:
        below = here.get(step)
        if not isinstance(below, dict):
            below = here[step] = {}
        here = below
    here[last] = value


def with_ids(sections: Sequence[Section], sheet: Values, ids: Mapping[str, str]) -> Row:
    """A sheet with the ids of picked entities replaced, for an example that becomes a campaign.

    Only fields and columns of kind "entity" change; ids missing from `ids` stay.

    >>> from kitchentable.rules.values import Field
    >>> columns = (Field("name", "Name"), Field("who", "Is", "entity"))
    >>> crew = Section("crew", "Crew", (Field("crew", "Crew", "rows", columns=columns),))
    >>> with_ids([crew], {"crew": [{"name": "mara", "who": "mara"}]}, {"mara": "pc-7"})
    {'crew': [{'name': 'mara', 'who': 'pc-7'}]}
    """
    new: Row = copied(sheet)
    for field in (field for section in sections for field in section.fields):
        value = look(new, field.name)
        if field.kind == "entity" and value in ids:
            put(new, field.name, ids[value])
        if field.kind == "rows" and isinstance(value, list):
            for column in (one.name for one in field.columns if one.kind == "entity"):
                for row in value:
                    row[column] = ids.get(row.get(column), row.get(column))
    return new


def _keep_unknown_columns(rows: Json, before: Any) -> Json:
    """The new rows, each merged with the old row of the same "id", so that unknown columns stay."""
    if not isinstance(rows, list) or not isinstance(before, list):
        return rows
    old = {row["id"]: row for row in before if isinstance(row, Mapping) and row.get("id")}
    return [
        {**old[row["id"]], **row} if isinstance(row, dict) and row.get("id") in old else row
        for row in rows
    ]


def _wrong(field: Field, sentence: str, below: str = "") -> BadAnswers:
    """The refusal of an answer; `below` is the place within the field."""
    return BadAnswers((Problem(f"{field.name}{below}", field.rule, sentence),))


def missing(field: Field) -> Problem:
    """The problem of a required field without an answer.

    >>> missing(Field("stake", "What is at stake?", required=True)).sentence
    'Fill in “What is at stake?”.'
    """
    return Problem(field.name, field.rule, f"Fill in {quoted(field.label)}.")


def _number(field: Field, given: Any) -> Json:
    if is_blank(field, given):
        if field.required:
            raise BadAnswers((missing(field),))
        return None
    try:
        if isinstance(given, bool) or (isinstance(given, float) and not given.is_integer()):
            raise ValueError(given)
        plain = given.strip().replace("\N{MINUS SIGN}", "-") if isinstance(given, str) else given
        number = int(plain)
    except (ValueError, TypeError, OverflowError):
        raise _wrong(field, f"{field.label} must be a whole number, not {_quote(given)}.") from None
    low, high = field.low, field.high
    if (low is None or number >= low) and (high is None or number <= high):
        return number
    if low is not None and high is not None:
        raise _wrong(field, f"{field.label} goes from {low} to {high}, not {number}.")
    limit = f"at least {low}" if low is not None else f"at most {high}"
    raise _wrong(field, f"{field.label} must be {limit}, not {number}.")


def _tick(field: Field, given: Any) -> Json:
    if isinstance(given, bool):
        return given
    word = "" if given is None else str(given[-1] if isinstance(given, list) and given else given)
    if word.strip().casefold() in _TRUE:
        return True
    if word.strip().casefold() in _FALSE:
        return False
    raise _wrong(field, f"{field.label} must be yes or no, not {_quote(given)}.")


def _choice(field: Field, given: Any) -> Json:
    values = [choice.value for choice in field.choices]
    if is_blank(field, given):
        if field.required and "" not in values:
            raise BadAnswers((missing(field),))
        return ""
    named = _matching(field, given)
    if len(named) == 1:
        return named[0]
    can = ", ".join(choice.label for choice in field.choices[:12]) or "nothing at the moment"
    if field.kind == "entity":  # the given id may belong to an entity unknown to the reader
        raise _wrong(field, f"{field.label.rstrip('?')}: in this roll it can be {can}.")
    raise _wrong(field, f"{field.label} cannot be {_quote(given)}. It can be: {can}.")


def _matching(field: Field, given: Any) -> list[str]:
    """The choices that match a value or a label."""
    if any(given == choice.value for choice in field.choices):
        return [str(given)]
    wanted = _plain(given)
    return [c.value for c in field.choices if wanted in {_plain(c.value), _plain(c.label)}]


def _plain(words: Any) -> str:
    """Text in lower case, without hyphens and spaces between letters."""
    return _BETWEEN_LETTERS.sub("", str(words).casefold())


def _split_choices(field: Field, given: str) -> Iterator[str]:
    """The labels in a text with several, split at commas; a label may contain commas itself."""
    parts = [part.strip() for part in given.split(",")]
    longest = 1 + max((choice.label.count(",") for choice in field.choices), default=0)
    start = 0
    while start < len(parts):
        tried = (", ".join(parts[start : start + size]) for size in range(longest, 1, -1))
        words = next((one for one in tried if _matching(field, one)), parts[start])
        yield words
        start += 1 + words.count(",")


def _many(field: Field, given: Any) -> Json:
    values: Iterable[Any] = (
        given if isinstance(given, list | tuple) else ([] if given in (None, "") else [given])
    )
    if isinstance(given, str) and len(_matching(field, given)) != 1:
        values = _split_choices(field, given)
    picked = []
    for value in (one for one in values if one != ""):
        named = _matching(field, value)
        if len(named) != 1:
            raise _wrong(field, f"{field.label}: {_quote(value)} is not one of the choices.")
        picked += named
    if field.required and not picked:
        raise BadAnswers((missing(field),))
    return list(dict.fromkeys(picked))


def _text(field: Field, given: Any) -> Json:
    if given is None:
        given = ""
    if not isinstance(given, str | int | float):
        raise _wrong(field, f"{field.label} must be text.")
    text = str(given).replace("\r\n", "\n").strip()
    if "\x00" in text:
        raise _wrong(
            field, f"{field.label} has a character (NUL) that cannot be stored. Remove it."
        )
    if field.kind == "text" and "\n" in text:
        text = " ".join(text.split())
    if len(text) > field.longest:
        raise _wrong(
            field, f"{field.label} has {len(text)} characters; at most {field.longest} are allowed."
        )
    if field.required and not text:
        raise BadAnswers((missing(field),))
    return text


def is_untouched(columns: Sequence[Field], raw: Values) -> bool:
    """Whether a row is still the form's blank row: at least one blank cell, the others default.

    A row without blank cells may be intended, so it counts as touched.

    >>> name, level = Field("name", "Name"), Field("level", "Level", "number", default=3)
    >>> is_untouched([name, level], {"name": "", "level": "3"})
    True
    """
    blank = [is_blank(column, raw.get(column.name)) for column in columns]
    return any(blank) and all(
        none or str(raw[column.name]) == str(column.default)
        for none, column in zip(blank, columns, strict=True)
    )


def _rows(field: Field, given: Any) -> Json:
    """The rows without untouched ones."""
    if given in (None, ""):
        given = []
    if not isinstance(given, list | tuple):
        raise _wrong(field, f"{field.label} must be a list.")
    shown = [column for column in field.columns if column.name != "id"]
    rows: list[Json] = []
    for index, raw in enumerate(given):
        if not isinstance(raw, Mapping):
            raise _wrong(field, f"{field.label}: row {index + 1} must be a record.", f".{index}")
        removed = str(raw.get("remove", "")).casefold() in _TRUE
        if not removed and not is_untouched(shown, raw):
            rows.append(_row(field, index, raw))
    low, high = field.low, min(_MOST_ROWS, _MOST_ROWS if field.high is None else field.high)
    if len(rows) > high:
        raise _wrong(field, f"{field.label} can have at most {high} entries, not {len(rows)}.")
    if low is not None and len(rows) < low:
        raise _wrong(field, f"{field.label}: enter at least {low}.")
    return rows


def _row(field: Field, index: int, raw: Values) -> Row:
    """One row, with its unknown columns unchanged."""
    known = {column.name for column in field.columns}
    row = {name: value for name, value in raw.items() if name not in known and name != "remove"}
    for column in field.columns:
        row[column.name] = column.default
        if column.name in raw:
            row[column.name], problem = read_value(column, raw[column.name])
            if problem is not None:
                where = f"{field.name}.{index}.{column.name}"
                rule = problem.rule or field.rule
                raise BadAnswers((replace(problem, where=where, rule=rule),))
    return row


def _quote(given: Any) -> str:
    text = str(given)
    return quoted(text if len(text) <= 60 else f"{text[:57]}...")


#: The readers of answers by the kind of field; all other kinds are texts.
_KINDS: Mapping[str, Callable[[Field, Any], Json]] = {
    "number": _number, "tick": _tick, "many": _many, "rows": _rows,
    "choice": _choice, "entity": _choice,
}  # fmt: skip
