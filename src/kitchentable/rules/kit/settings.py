"""Options: reading from a game's file, and typed access to their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, get_args, get_origin, get_type_hints

from kitchentable.rules.errors import BadGame
from kitchentable.rules.kit.listings import Listing
from kitchentable.rules.kit.schema import PAIRS, TEXTS, Section
from kitchentable.rules.together import flaws
from kitchentable.rules.values import Choice, Field, Json, Option, Values

#: The kinds of options, with the Python type of their values.
KINDS: Mapping[str, type] = {
    "number": int,
    "tick": bool,
    "choice": str,
    "text": str,
    "story": str,
    "rows": list,
}
_COLUMNS = ("number", "tick", "choice", "text")
#: A sheet may have "entity" columns; code at the table supplies their choices.
_SHEET_COLUMNS = (*_COLUMNS, "entity")
_LONGEST = {"text": 400, "story": 2_000}
_HIGHEST, _WIDEST = 99, 9_999


class Settings:
    """The option values of a table; a game's subclass declares the types of the options it uses.

    A `Listing` as an attribute reads the rows of the option with that name; ticks need no
    declaration. `given` has the campaign's values by key; other options have their defaults.
    Undeclared options are read by key. Errors: KeyError for an unknown key.

    >>> salt = Option(Field("salt", "Salt", "number", default=2), "Soup")
    >>> hot = Option(Field("hot", "Hot", "tick", default=True), "Soup")
    >>> class Options(Settings, options=(salt, hot)):
    ...     salt: int
    >>> Options({}).salt, Options({"salt": 3})["salt"], Options({}).hot
    (2, 3, True)

    An unknown name or a wrong type is an error when the class is made:

    >>> class Options(Settings, options=(salt,)):
    ...     pepper: int
    Traceback (most recent call last):
    kitchentable.rules.errors.BadGame: Options.pepper: there is no option with that name.
    >>> class Options(Settings, options=(salt,)):
    ...     salt: bool
    Traceback (most recent call last):
    kitchentable.rules.errors.BadGame: Options.salt: the option has kind number, so its type is int.
    """

    _defaults: ClassVar[Values] = {}

    def __init_subclass__(cls, *, options: Iterable[Option]) -> None:
        fields = {one.key: one.field for one in options}
        cls._defaults = {key: field.default for key, field in fields.items()}
        lists = {name: list for name, one in vars(cls).items() if isinstance(one, Listing)}
        for name, kind in {**get_type_hints(cls), **lists}.items():
            if name.startswith("_"):
                continue
            if name not in fields:
                raise BadGame(f"{cls.__name__}.{name}: there is no option with that name.")
            _check_type(f"{cls.__name__}.{name}", kind, fields[name])
            if name not in lists:
                setattr(cls, name, property(itemgetter(name)))
        for key, field in fields.items():
            if field.kind == "tick":
                setattr(cls, key, property(itemgetter(key)))

    def __init__(self, given: Values) -> None:
        self._given = given

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> bool: ...

    def __getitem__(self, key: str) -> Any:
        return self._given[key] if key in self._given else self._defaults[key]


def _check_type(where: str, kind: Any, field: Field) -> None:
    """Check that a type is the type of a field's values. Errors: BadGame."""
    value = KINDS[field.kind]
    may_be_empty = field.kind == "number" and not field.required
    given = set(get_args(kind)) if isinstance(kind, UnionType) else {get_origin(kind) or kind}
    if given != ({value, NoneType} if may_be_empty else {value}):
        empty, none = (" (optional)", " | None") if may_be_empty else ("", "")
        raise BadGame(
            f"{where}: the option has kind {field.kind}{empty}, "
            f"so its type is {value.__name__}{none}."
        )


def read_options(top: Section) -> tuple[Option, ...]:
    """The options in the `[[option]]` tables of a game's file. Mistakes are noted in `top`."""
    found = [(_option(one), one.way) for one in top.sections("option")]
    options = tuple(option for option, _ in found)
    places = {option.key: (*way, "excludes") for option, way in found}
    for key, sentence in flaws(options):
        top.flaws.add(places[key], sentence)
    return options


def counted(options: Iterable[Option]) -> tuple[Option, ...]:
    """The options that formulas may use: numbers, and ticks, which count as 0 or 1."""
    return tuple(one for one in options if one.field.kind in {"number", "tick"})


def _option(one: Section) -> Option:
    field = _field(one, tuple(KINDS), _COLUMNS, one.text("help"))
    if field.kind in _LONGEST:
        field = replace(field, default=field.default or "", required=False)
    elif field.default is None and field.required:
        field = replace(field, default=field.low)
    excludes = TEXTS(one, "excludes", ()) if field.kind == "tick" else ()
    group, effect = one.text("group", "The game"), one.text("effect", "")
    return Option(field, group, effect, excludes, one.text("suggests", ""))


def read_field(one: Section) -> Field:
    """A field of a sheet, required unless it has a default; mistakes are noted."""
    return _field(one, tuple(KINDS), _SHEET_COLUMNS, one.text("help", ""))


def _field(one: Section, kinds: Sequence[str], columns: Sequence[str], help_text: str) -> Field:
    """The field described by a table; `columns` are the allowed kinds of columns."""
    key, title, rule = one.key(), one.line("title"), one.text("rule", "")
    if rule:
        one.linked("rule", rule, "rule")
    kind = one.choice("kind", kinds, "number")
    field = Field(key, title, kind, help=help_text, rule=rule)
    match kind:
        case "number":
            low, high = _bound(one, "low", 0), _bound(one, "high", _HIGHEST)
            if low > high:
                one.wrong("high", f"high ({high}) must not be less than low ({low}).")
            optional = one.tick("optional", default=False)
            field = replace(field, low=low, high=high, required=not optional)
        case "entity":
            field = replace(field, default="", required=False)
        case "tick":
            field = replace(field, default=False, required=False)
        case "choice":
            choices = tuple(Choice(value, words) for value, words in PAIRS(one, "choices", None))
            if one.data.get("choices") == []:
                one.wrong("choices", "choices is empty.", 'Write a pair such as ["gm", "the GM"].')
            optional = one.tick("optional", default=False)
            first = choices[0].value if choices else ""
            field = replace(field, choices=choices, default=first, required=not optional)
        case "rows":
            found = tuple(
                _field(column, columns, (), column.text("help", ""))
                for column in one.sections("column")
            )
            low, required = one.number("low", 0), one.has("low")
            field = replace(
                field,
                columns=found,
                required=required,
                default=[],
                low=low if required else None,
                high=one.number("high", _HIGHEST),
            )
        case _:
            longest = one.number("longest", _LONGEST[kind], 1, 60_000)
            field = replace(field, longest=longest, required=not one.has("default"))
    if one.has("default"):
        return replace(field, default=_value(one, "default", field))
    return field


def _bound(one: Section, key: str, default: int) -> int:
    return one.number(key, default, -_WIDEST, _WIDEST)


def _value(one: Section, key: str, field: Field) -> Json:
    """The value under a key, if the field allows it; mistakes are noted."""
    if field.kind == "rows":
        return [
            {column.name: _value(row, column.name, column) for column in field.columns}
            for row in one.sections(key)
        ]
    if not one.has(key) and not field.required:
        return field.default
    if field.kind == "number":
        return one.number(key, None, field.low or 0, field.high or 0)
    if field.kind == "tick":
        return one.tick(key, default=False)
    if field.kind == "choice":
        choices = [choice.value for choice in field.choices]
        return one.choice(key, choices, "" if "" in choices else None)
    return one.text(key, None if field.required else "", field.longest)
