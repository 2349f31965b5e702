"""Forms as classes: each attribute is a question, and its value is the typed answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, Generic, Self, TypeAlias, TypeVar, overload

from kitchentable.rules.errors import BadGame, Unknown
from kitchentable.rules.kit.beings import B, Being
from kitchentable.rules.people import choose
from kitchentable.rules.values import Choice, Field, Json, Problem, Row, Rows, Values

T = TypeVar("T")
G = TypeVar("G", bound="Form")
U = TypeVar("U")
#: The problems of a form.
Problems: TypeAlias = Iterable[Problem]
#: The moment of any form, an `At`. Forms share questions, so the type names no form.
Here = Any


class Input(Generic[T]):
    """One question of a form; on a filled-in form the attribute is the typed answer.

    `read` turns the stored answer into its type. `when` is a condition for asking the question. A
    question without a `kind` is never asked: its answer is a fact from a card. All other parts are
    those of `Field`, each a value or a function of the moment.
    """

    def __init__(
        self,
        kind: str = "",
        label: Any = "",
        read: Callable[[Here, Json], T] = lambda at, given: given,
        *,
        when: Callable[[Here], Any] | None = None,
        **parts: Any,
    ) -> None:
        self.name = ""
        self.read = read
        self.when = when
        self.parts = {"kind": kind, "label": label, **parts}
        #: The field, cached if nothing in it depends on the moment.
        self.fixed: Field | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, form: None, owner: type) -> Input[T]: ...
    @overload
    def __get__(self, form: Form, owner: type) -> T: ...
    def __get__(self, form: Form | None, owner: type) -> Any:
        return self if form is None else self.answer(form.at, self.name)

    def __call__(self, at: Here) -> T:
        """The answer at a moment, for use by other questions. Errors: Unknown."""
        return self.answer(at, self.name)

    def given(self, at: Here) -> Json:
        """The stored answer, for use as another question's default."""
        return self.stored(at, self.name)

    def equals(self, value: T) -> Callable[[Here], bool]:
        """A condition for another question's `when`: this question has the answer `value`."""
        return lambda at: self(at) == value

    def words(self, template: str) -> Callable[[Here], str]:
        """A label that contains the name of the picked entity: "Perk of {}"."""
        return lambda at: template.format(getattr(self(at), "name", self(at)))

    def having(self, **parts: Any) -> Self:
        """The same question with other parts."""
        other = copy(self)
        other.name, other.fixed = "", None
        other.when = parts.pop("when", self.when)
        other.parts = {**self.parts, **parts}
        return other

    def read_as(self, read: Callable[[Here, Json], U]) -> Input[U]:
        """The same question, with its stored answer read as another type."""
        other: Input[Any] = self.having()
        other.read = read
        return other

    def stored(self, at: Here, name: str) -> Json:
        """The stored answer under a name, or the default. Errors: Unknown."""
        given = at.answers.get(name)
        if given is None:
            if name in at.actor.hidden:
                raise Unknown(f"The GM keeps {name!r} secret.")
            given = _value_at(self.parts.get("default"), at)
        return given

    def answer(self, at: Here, name: str) -> T:
        """The typed answer under a name. Errors: Unknown."""
        return self.read(at, self.stored(at, name))

    def fields(self, at: Here) -> Iterator[Field]:
        """The question as a field at this moment; none if it is not asked."""
        if self.fixed is not None:
            yield self.fixed
            return
        try:
            if not self.parts["kind"] or (self.when is not None and not self.when(at)):
                return
            field = Field(
                self.name, **{key: _value_at(part, at) for key, part in self.parts.items()}
            )
        except Unknown:
            return
        if self.when is None and not any(map(callable, self.parts.values())):
            self.fixed = field
        yield field


class Each(Input[Mapping[str, T]]):
    """One question for each of several things; the answers by key, "perk.mara" on the page.

    `things` gives pairs of key and thing, and `ask` makes the question about a thing. `joint` joins
    the attribute's name and the key. For several questions about each thing, `ask` makes a
    `FormOf`.
    """

    def __init__(
        self,
        things: Callable[[Here], Iterable[tuple[str, Any]]],
        ask: Callable[[Any], Input[T]],
        joint: str = ".",
    ) -> None:
        super().__init__()
        self.things, self.ask, self.joint = things, ask, joint

    def answer(self, at: Here, name: str) -> Mapping[str, T]:
        """The answers by key. Errors: Unknown."""
        return {
            key: self.ask(thing).answer(at, f"{name}{self.joint}{key}")
            for key, thing in self.things(at)
        }

    def fields(self, at: Here) -> Iterator[Field]:
        """The fields of the question about each thing."""
        try:
            for key, thing in self.things(at):
                one = self.ask(thing)
                one.name = f"{self.name}{self.joint}{key}"
                yield from one.fields(at)
        except Unknown:
            return


class Varying(Input[Values]):
    """Questions made by a function of the moment; the answers by name."""

    def __init__(self, make: Callable[[Here], Iterable[Field]]) -> None:
        super().__init__()
        self.make = make

    def answer(self, at: Here, name: str) -> Values:
        """All answers of the form by name."""
        answers: Values = at.answers
        return answers

    def fields(self, at: Here) -> Iterator[Field]:
        """The fields made by the function."""
        yield from self.make(at)


class Form:
    """The questions of a move; inherited questions come after the form's own.

    >>> class Leap(Form):
    ...     height = number("How high?", default=1, low=1, high=9)
    >>> [one.name for one in Leap.inputs]
    ['height']
    """

    inputs: tuple[Input[Any], ...] = ()
    outer: Here

    def __init__(self, at: Here) -> None:
        self.at = at

    def __init_subclass__(cls) -> None:
        own = {name: one for name, one in vars(cls).items() if isinstance(one, Input)}
        for name, one in own.items():
            if one.name != name:
                raise TypeError(f"{one.name!r} is {name!r} in {cls.__name__}. Copy it by having().")
        inherited = [one for base in cls.__bases__ for one in getattr(base, "inputs", ())]
        cls.inputs = (*own.values(), *(one for one in inherited if one.name not in own))

    @property
    def me(self) -> Any:
        """The entity that acts. Errors: Unknown."""
        return self.at.me

    @property
    def options(self) -> Any:
        """The options of the table."""
        return self.at.options

    def problems(self) -> Problems:
        """Problems between answers; each question has already been checked alone."""
        return ()


class FormOf(Input[G]):
    """The questions of another form about an entity, under names with a prefix or a suffix.

    The answer is the other form, in which `at.me` is `who`, names are plain, and `outer` is the
    moment of this form. `shows` declares the questions to ask, by default all. `about` are further
    attributes of the other form, each a value or a function of the moment. `named` are labels with
    the name of `who`, by question: "Stat of {}". `set_by` is the party that answers instead of the
    actor.
    """

    def __init__(
        self,
        form: type[G],
        who: Callable[[Here], Being] | None = None,
        prefix: str = "",
        suffix: str = "",
        *,
        shows: type[Form] | None = None,
        named: Row | None = None,
        set_by: str = "",
        **about: Any,
    ) -> None:
        super().__init__()
        self.form, self.who, self.prefix, self.suffix = form, who, prefix, suffix
        self.inputs, self.named, self.about = (shows or form).inputs, named or {}, about
        self.set_by = set_by

    def answer(self, at: Here, name: str) -> G:
        """The other form. Errors: Unknown while no entity is picked."""
        entity = self.who(at).id if self.who else at.actor.entity
        hidden = frozenset(map(self._plain, at.actor.hidden))
        answers = {self._plain(name): one for name, one in at.answers.items()}
        about = {key: _value_at(part, at) for key, part in self.about.items()}
        actor = replace(at.actor, entity=entity, hidden=hidden)
        filled: G = at.fill(self.form, answers, actor, outer=at, **about)
        return filled

    def fields(self, at: Here) -> Iterator[Field]:
        """The fields, under their names on this form."""
        try:
            here = self.answer(at, self.name).at
        except Unknown:
            return
        for field in (field for one in self.inputs for field in one.fields(here)):
            name, label = f"{self.prefix}{field.name}{self.suffix}", field.label
            if field.name in self.named:
                label = self.named[field.name].format(here.me.name)
            by = self.set_by if self.set_by and field.set_by == "actor" else field.set_by
            yield replace(field, name=name, label=label, set_by=by)

    def _plain(self, name: str) -> str:
        """The name of a question on the other form; "" for a question of this form."""
        own = name.startswith(self.prefix) and name.endswith(self.suffix)
        return name.removeprefix(self.prefix).removesuffix(self.suffix) if own else ""


def read_form(form: Form) -> tuple[Field, ...]:
    """The fields of a filled-in form at its moment, in order."""
    return tuple(field for one in form.inputs for field in one.fields(form.at))


def check_form(form: Form) -> tuple[Problem, ...]:
    """The problems of a filled-in form; unknown answers are not checked."""
    found: list[Problem] = []
    with suppress(Unknown):
        found.extend(form.problems())
    return tuple(found)


def _value_at(part: Any, at: Here) -> Any:
    return part(at) if callable(part) else part


def put_words(form: type[Form], words: Mapping[str, Row]) -> None:
    """Give the questions of a form their words from a data file, by the question's name.

    The words are title, `optional`, `default_option` (the option that is the default), and the
    parts of `Field`; columns are tables of the same kind. Errors: BadGame for an unknown question
    or part.

    >>> class Leap(Form):
    ...     height = number(default=1)
    >>> put_words(Leap, {"height": {"title": "How high?", "low": 1, "high": 9}})
    >>> Leap.height.parts["label"]
    'How high?'
    """
    asked = {one.name: one for one in form.inputs}
    for name, row in words.items():
        parts = _parts(row)
        if "default_option" in parts:
            parts["default"] = partial(_option, parts.pop("default_option"))
        if name not in asked or not parts.keys() <= Field.__dataclass_fields__.keys():
            raise BadGame(f"{form.__name__} has no question {name!r} with {', '.join(row)}.")
        asked[name].parts |= parts


def _option(key: str, at: Here) -> Any:
    return at.options[key]


def _parts(row: Row) -> Row:
    """The parts of a field from a row of a data file."""
    parts = {"label" if key == "title" else key: value for key, value in row.items()}
    if "choices" in parts:
        parts["choices"] = _choices(parts["choices"])
    if "columns" in parts:
        parts["columns"] = tuple(Field(**_parts(column)) for column in parts["columns"])
    blank = {"required": False, "default": ""} if parts.pop("optional", False) else {}
    return {**blank, **parts}


# ---------------------------------------------------------------- the kinds of questions


def text(
    label: Any = "", *, optional: bool = False, story: bool = False, **parts: Any
) -> Input[str]:
    """A text: one line, or several lines with `story`. An `optional` text is "" by default."""
    kind = "story" if story else "text"
    blank = {"required": False, "default": ""} if optional else {}
    return Input(kind, label, lambda at, given: str(given or ""), **{**blank, **parts})


def number(label: Any = "", **parts: Any) -> Input[int]:
    """A whole number from `low` to `high`."""
    return Input("number", label, _read_number, **parts)


class MaybeNumber(Input[int | None]):
    """A number that may be left empty even if it has a default."""

    def stored(self, at: Here, name: str) -> Json:
        """The stored answer; None if it was left empty. Errors: Unknown."""
        if name in at.answers and name not in at.actor.hidden:
            return at.answers[name]
        return super().stored(at, name)


def maybe_number(label: Any = "", **parts: Any) -> Input[int | None]:
    """A whole number, or None if left empty."""
    return MaybeNumber("number", label, lambda at, given: given, required=False, **parts)


def tick(label: Any = "", *, default: Any = False, **parts: Any) -> Input[bool]:
    """Yes or no."""
    return Input(
        "tick", label, lambda at, given: bool(given), default=default, required=False, **parts
    )


def pick(label: Any = "", choices: Any = (), **parts: Any) -> Input[str]:
    """A question with one answer of several.

    `choices` are `Choice`s, tuples (value, words, hint), or a function that makes these. With
    `first=True` the first choice is the default.
    """
    listed = _choices(choices)
    if parts.pop("first", False):
        parts["default"] = lambda at: next((one.value for one in _value_at(listed, at)), None)
    return Input("choice", label, _read_choice, choices=listed, **parts)


def pick_many(label: Any = "", choices: Any = (), **parts: Any) -> Input[list[str]]:
    """Any number of several choices."""
    known = {"default": [], "required": False, "choices": _choices(choices)}
    return Input("many", label, _read_words, **{**known, **parts})


def rows(label: Any = "", columns: Any = (), **parts: Any) -> Input[Rows]:
    """A list of records, each with a value for every column; a column is a `Field`."""
    known = {"default": [], "required": False, "columns": columns}
    return Input("rows", label, lambda at, given: list(given or ()), **{**known, **parts})


def _nobody(at: Here) -> tuple[Any, ...]:
    return ()


def somebody(
    label: Any = "", among: Callable[[Here], Iterable[B]] = _nobody, **parts: Any
) -> Input[B]:
    """One entity; with `only=True`, the only candidate is the default."""

    def alone(at: Here) -> str | None:
        people = list(among(at))
        return people[0].id if len(people) == 1 else None

    if parts.pop("only", False):
        parts["default"] = alone
    return Input("entity", label, _read_entity, choices=lambda at: _people(among(at)), **parts)


def several(
    label: Any = "", among: Callable[[Here], Iterable[B]] = _nobody, **parts: Any
) -> Input[list[B]]:
    """Any number of entities."""

    def read(at: Here, given: Json) -> list[B]:
        found: list[B] = at.people(given or ())
        return found

    return Input("many", label, read, choices=lambda at: _people(among(at)), **parts)


def given(default: T) -> Input[T]:
    """A fact supplied by the card of the form, read like an answer but not asked."""
    return Input(default=default)


def given_somebody() -> Input[Any]:
    """An entity supplied by the card of the form."""
    return Input(read=_read_entity)


def _choices(choices: Any) -> Any:
    """Choices for a `Field`; a function of the moment stays a function."""
    if callable(choices):
        return lambda at: _choices(choices(at) or ())
    return tuple(one if isinstance(one, Choice) else Choice(*one) for one in choices)


def _people(people: Iterable[Being]) -> tuple[Choice, ...]:
    return choose(one.entity for one in people)


def _read_entity(at: Here, ident: Json) -> Any:
    found = at.find(ident)
    if found is None:
        raise Unknown("Somebody still has to be picked.")
    return found


def _read_words(at: Here, given: Json) -> list[str]:
    return [str(one) for one in given or ()]


def _read_number(at: Here, given: Json) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise Unknown("A number is still missing.")
    return given


def _read_choice(at: Here, given: Json) -> str:
    if given is None:
        raise Unknown("A choice is still missing.")
    return str(given)
