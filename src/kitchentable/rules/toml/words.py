"""A game's file in words: rulebook entries, and terms for the comparison of versions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from kitchentable.dice import NotationError
from kitchentable.dice.notation import parse, speak
from kitchentable.rules.kit.formula import BRACES, Formula, parse_formula
from kitchentable.rules.kit.schema import Table
from kitchentable.rules.people import listed
from kitchentable.rules.rulebook import Chapter, Rule, Rulebook
from kitchentable.rules.terms import Term
from kitchentable.rules.toml.form import Written
from kitchentable.rules.values import Values

#: The division sign for readers.
DIVIDED = "\N{DIVISION SIGN}"
_FOLDER = files("kitchentable.rules.toml")
_BOOK, _TERMS, _MOVES = (
    tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))
    for name in ("book", "terms", "moves")
)
#: The words of the moves that every game in a file has, by key.
MOVES: Mapping[str, Values] = {one["key"]: one for one in _MOVES["move"]}
_NAMED = re.compile(r"\{(\w+)\}")
#: Lines that are text; others may be keys of the file.
_PLAIN = frozenset(("title", "help", "says", "text", "full"))


class Telling:
    """Tables of a game's file in words, by the templates of a data file.

    `names` are the titles of names in formulas; without them formulas and dice are not reworded.
    """

    def __init__(self, game: Written, rows: Values, names: Mapping[str, str] | None = None) -> None:
        self.game, self.rows, self.called = game, rows, names
        kinds = {one.key: one.title for one in game.kinds}
        self.names = {**game.titles, **kinds, **(names or {})}
        self.singular = {one.key: one.one for one in game.scales}

    def row(self, one: Table) -> Values:
        """The row of the data file for a table."""
        found: Values = self.rows[type(one).__name__]
        return found

    def tell(self, one: Table, templates: Iterable[str], joint: str = " ") -> str:
        """The templates filled in with the table's lines, skipping those with empty values."""
        found = []
        for template in templates:
            said = {name: self._line(one, name) for name in _NAMED.findall(template)}
            found += [template.format(**said)] if all(said.values()) else []
        return joint.join(found)

    def _formula(self, one: Formula) -> str:
        if self.called is None:
            return one.text
        text = one.titled(self.called)
        return f"{text.replace('//', DIVIDED)}, rounded down" if "//" in text else text

    def _dice(self, text: str) -> str:
        """Dice in words, or in notation if they contain sums."""
        if self.called is None or not text:
            return text
        try:
            return speak(parse(text))
        except NotationError:
            return BRACES.sub(lambda one: f"({self._formula(parse_formula(one[1]))})", text)

    def _line(self, one: Table, name: str) -> str:
        """A line of a table in words; "" for an empty value."""
        value, row = getattr(one, name), self.row(one)
        words = row.get("words", {}).get(name, {})
        if str(value).lower() in words:
            return str(words[str(value).lower()])
        if name in {"dice", "order"} and isinstance(value, str):
            return self._dice(value)
        if name in _PLAIN:
            return str(value)
        if name == "die" and value:
            value = self.game.dice.of(value)
        joint = row.get("joints", {}).get(name)
        if isinstance(value, tuple) and joint is not None:
            return str(joint.join(map(self._in_words, value)))
        return self._in_words(value)

    def _in_words(self, value: Any) -> str:
        if value is None or value is False:
            return ""
        if value is True:
            return "yes"
        if isinstance(value, Formula):
            return self._formula(value)
        if isinstance(value, Table):
            return self.tell(value, self.row(value)["says"])
        if isinstance(value, Mapping):
            return listed(self._amount(*one) for one in value.items())
        if isinstance(value, tuple):
            return listed(map(self._in_words, value))
        return self.names.get(value, str(value))

    def _amount(self, key: str, value: Any) -> str:
        """An amount in words: "2 Karma", or "Karma (Grit * 2)" for a formula."""
        many, name = self._in_words(value), self._in_words(key)
        if many in {"1", "-1"}:
            name = self.singular.get(key, name)
        return f"{many} {name}" if many.lstrip("-").isdecimal() else f"{name} ({many})"


# ---------------------------------------------------------------- the rulebook


def rulebook(game: Written) -> Rulebook:
    """The rulebook: the author's chapters first, then the entries made from declarations."""
    written = [
        Rule(
            f"{game.name}.{one.id}",
            one.chapter or "rolls",
            one.kind,
            one.title,
            one.text,
            one.example,
            option=one.option,
        )
        for one in game.rules
    ]
    rules = {rule.id: rule for rule in written}
    rules |= {rule.id: rule for rule in _made_rules(game) if rule.id not in rules}
    own = {one.id: Chapter(one.id, one.title, one.lead) for one in game.chapters}
    used = {rule.section for rule in rules.values()} - own.keys()
    made = {key: Chapter(key, *words) for key, words in _BOOK["chapters"].items() if key in used}
    chapters = own | made
    places = [*chapters]
    ordered = sorted(rules.values(), key=lambda rule: places.index(rule.section))
    whose = ("title", "author", "source", "licence", "licence_link", "notice")
    book = {name: getattr(game.head, name) for name in whose}
    by_id = MappingProxyType({rule.id: rule for rule in ordered})
    return Rulebook(MappingProxyType(book), tuple(chapters.values()), by_id)


def _made_rules(game: Written) -> Iterator[Rule]:
    """Entries for all declarations without a rule written by the author."""
    for made, one in game.declared():
        asked = [each for name in ("fields", "counts", "pools") for each in getattr(one, name, ())]
        telling = Telling(game, _BOOK, game.called(getattr(one, "trait", ""), asked))
        row = telling.row(one)
        if one.rule == f"{game.name}.{made}":
            text = telling.tell(one, row["sentences"])
            title = row.get("title") or one.title
            yield Rule(one.rule, row["chapter"], "core", title, text or title)
    for option in game.options:
        field = option.field
        yield Rule(field.rule, "options", "option", field.label, field.help, option=option.key)


# ---------------------------------------------------------------- two versions


def terms_of(game: Written) -> Iterator[Term]:
    """The terms to compare before a new version is used."""
    telling = Telling(game, _TERMS)

    def term(one: Any) -> Term:
        """The term of a table; one without a key is a way of playing."""
        row, key = telling.row(one), getattr(one, "key", "")
        none, name = row.get("none", {}), f" {one.title}" if key else ""
        said = {
            told: telling.tell(one, templates, " + " if "thrown for" in told else ", ")
            for told, templates in row["lines"].items()
        }
        told = {line: how or none.get(line, "nothing") for line, how in said.items()}
        says = {f"{line}{name}": how for line, how in told.items() if how}
        if key:
            return Term(f"{row['what']}s.{key}", row["what"], one.title, says)
        return Term(row["key"], "way", row["what"], says)

    parts: tuple[Any, ...] = (
        *game.kinds, *game.groups, *game.playbooks, *game.listings, *game.words, *game.scales,
        *game.rolls, *game.tables, *game.rests, *filter(None, (game.fighting, game.growth)),
    )  # fmt: skip
    for part in parts:
        yield term(part)
        for one in getattr(part, "traits", ()):
            says = {f"The group of {one.title}": part.title}
            yield Term(f"traits.{one.key}", "trait", one.title, says)
