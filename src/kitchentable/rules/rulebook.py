"""The rulebook of a game: one entry for each rule, in our own words, cited by id."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from kitchentable.rules.errors import BadGame
from kitchentable.rules.values import record

#: The kinds of rules: core rules, options, rulings of the GM, tables of data, and plain text that
#: the program does not implement.
KINDS = ("core", "option", "ruling", "data", "text")


@record
class Rule:
    """One rule: its id ("toast.5-total"), section, kind, title and text in our own words.

    `reading` names an interpretation of a source that is silent or contradicts itself.
    """

    id: str
    section: str
    kind: str
    title: str
    text: str
    example: str = ""
    reading: str = ""
    reading_text: str = ""
    option: str = ""
    see: tuple[str, ...] = ()


@record
class Chapter:
    """A section of the rulebook, with an opening sentence."""

    id: str
    title: str
    lead: str = ""


@record
class Rulebook:
    """All rules of a game, in the order of the book."""

    book: Mapping[str, str]
    chapters: tuple[Chapter, ...]
    rules: Mapping[str, Rule]

    def __getitem__(self, rule: str) -> Rule:
        return self.rules[rule]

    def __contains__(self, rule: object) -> bool:
        return rule in self.rules

    def __repr__(self) -> str:
        return f"<Rulebook of {len(self.rules)} rules in {len(self.chapters)} chapters>"

    def of_chapter(self, chapter: str) -> tuple[Rule, ...]:
        """The rules of one chapter, in order."""
        return tuple(rule for rule in self.rules.values() if rule.section == chapter)

    def search(self, words: str) -> tuple[Rule, ...]:
        """The rules with all of these words in their id, title or text, ignoring case."""
        wanted = set(words.casefold().split())
        texts = (
            (rule, f"{rule.id} {rule.title} {rule.text}".casefold()) for rule in self.rules.values()
        )
        return tuple(rule for rule, text in texts if all(word in text for word in wanted))


def read_rulebook(*texts: str) -> Rulebook:
    """A rulebook from the text of one or more `rulebook.toml`. Errors: BadGame.

    A long book may be split into several files, which are read in the given order as one book.

    >>> book = read_rulebook('''
    ... [book]
    ... title = "Coin"
    ... [[section]]
    ... id = "1"
    ... title = "The coin"
    ... [[rule]]
    ... id = "coin.1-flip"
    ... section = "1"
    ... kind = "core"
    ... title = "The flip"
    ... text = "Heads wins."
    ... ''')
    >>> book["coin.1-flip"].title
    'The flip'
    """
    parts = [tomllib.loads(text) for text in texts]
    chapters = tuple(Chapter(**one) for data in parts for one in data.get("section", ()))
    known = {chapter.id for chapter in chapters}
    rules: dict[str, Rule] = {}
    for raw in (one for data in parts for one in data.get("rule", ())):
        rule = Rule(**{**raw, "see": tuple(raw.get("see", ()))})
        if rule.id in rules:
            raise BadGame(f"The rulebook has two entries {rule.id}.", code="game/rule-twice")
        if rule.kind not in KINDS or rule.section not in known:
            raise BadGame(
                f"Rule {rule.id} has the kind {rule.kind!r} and the section {rule.section!r}; "
                f"kinds are {', '.join(KINDS)}, and sections must be declared with [[section]].",
                code="game/rule-misplaced",
            )
        rules[rule.id] = rule
    book = {key: value for data in parts for key, value in data.get("book", {}).items()}
    return Rulebook(book, chapters, rules)
