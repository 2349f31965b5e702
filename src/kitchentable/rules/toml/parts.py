"""Reading what a sheet is made of: kinds, groups of traits, lists, texts, tracks."""

from __future__ import annotations

from kitchentable.rules.kit.settings import counted
from kitchentable.rules.sheets import Kind
from kitchentable.rules.toml.form import Group, Listing, Scale, Trait, Words
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.places import Way
from kitchentable.rules.toml.reading import Section
from kitchentable.rules.values import Option

_KINDS = (
    Kind("character", "Character", "player", "A player's own."),
    Kind("other", "Somebody else", "gm", "The GM's."),
)
_HIGHEST = 99


def read_kinds(top: Section) -> tuple[Kind, ...]:
    """Kinds of entities; left out, a player's character and the GM's others."""
    found = tuple(
        Kind(
            one.key(),
            one.text("title"),
            one.choice("made_by", ("player", "gm"), "gm"),
            one.text("hint", ""),
            one.text("rule", ""),
        )
        for one in top.sections("kind")
    )
    if found and not any(kind.made_by == "player" for kind in found):
        top.wrong("kind", "No kind is made by players.", 'Give one of them made_by = "player".')
    return found or _KINDS


def read_groups(top: Section) -> tuple[Group, ...]:
    """Groups of traits with their budgets and caps."""
    return tuple(_group(one) for one in top.sections("group"))


def _group(one: Section) -> Group:
    key, title = one.key(), one.text("title")
    low, high = one.number("low", 0), one.number("high", 9)
    top = one.number("top", max(high, _HIGHEST))
    if not low <= high <= top:
        one.wrong("high", f"low {low}, high {high} and top {top} have to rise.")
    traits = tuple(
        Trait(part.key(), part.text("title"), part.text("help", ""))
        for part in one.sections("trait")
    )
    if not traits:
        one.wrong("", f"The group {key!r} has no traits.", "Add a [[group.trait]] below it.")
    points = one.formula("points") if one.has("points") else None
    return Group(
        key, title, traits, low, high, top, points, one.text("help", ""), one.text("rule", "")
    )


def read_listings(top: Section) -> tuple[Listing, ...]:
    """Things that players write: gifts, gear, bonds."""
    return tuple(
        Listing(
            one.key(),
            one.text("title"),
            one.formula("most", 5),
            one.number("bonus", 0),
            one.text("help", ""),
            one.text("rule", ""),
        )
        for one in top.sections("list")
    )


def read_words(top: Section) -> tuple[Words, ...]:
    """Free texts of the sheet."""
    return tuple(
        Words(one.key(), one.text("title"), one.tick("story", default=False), one.text("help", ""))
        for one in top.sections("text")
    )


def read_scales(top: Section) -> tuple[Scale, ...]:
    """Tracks of boxes: harm that fills them, luck that is spent."""
    return tuple(
        Scale(
            one.key(),
            one.text("title"),
            one.formula("boxes"),
            one.choice("starts", ("empty", "full"), "empty") == "full",
            one.text("full", ""),
            one.tick("out", default=False),
            one.text("help", ""),
            one.text("rule", ""),
        )
        for one in top.sections("track")
    )


def check_keys(
    top: Section,
    options: tuple[Option, ...],
    groups: tuple[Group, ...],
    listings: tuple[Listing, ...],
    words: tuple[Words, ...],
    scales: tuple[Scale, ...],
) -> None:
    """One name may mean one thing only."""
    taken: dict[str, str] = dict.fromkeys(("trait", "bonus", "modifier", "margin"), "a roll")
    taken |= {"min": "a formula", "max": "a formula"}
    keys: list[tuple[str, str, Way]] = [
        *(("an option", one.key, ("option", n)) for n, one in enumerate(options)),
        *(
            ("a trait", one.key, ("group", n, "trait", k))
            for n, group in enumerate(groups)
            for k, one in enumerate(group.traits)
        ),
        *(("a list", one.key, ("list", n)) for n, one in enumerate(listings)),
        *(("a text", one.key, ("text", n)) for n, one in enumerate(words)),
        *(("a track", one.key, ("track", n)) for n, one in enumerate(scales)),
    ]
    for what, key, way in keys:
        if key and key in taken:
            top.flaws.add(
                (*way, "key"),
                f"{key!r} is {_and(taken[key], what)}: formulas could not tell them apart.",
                "Give one of them another key.",
            )
        taken[key] = what


def _and(first: str, second: str) -> str:
    """The two things that have one name.

    >>> _and("a trait", "a trait"), _and("a roll", "a list"), _and("an option", "a track")
    ('the key of two traits', 'a word that rolls have for themselves', 'an option and a track')
    """
    if first in {"a roll", "a formula"}:
        return f"a word that {first[2:]}s have for themselves"
    return f"the key of two {first.split()[1]}s" if first == second else f"{first} and {second}"


def known_names(
    options: tuple[Option, ...], groups: tuple[Group, ...], scales: tuple[Scale, ...]
) -> frozenset[str]:
    """What every formula of the file may ask for."""
    return frozenset(
        {one.key for one in counted(options)}
        | {t.key for g in groups for t in g.traits}
        | {one.key for one in scales}
    )


def check_names(section: Section, key: str, formula: Formula, known: frozenset[str]) -> None:
    """Refuse names that nothing in the file gives."""
    for name in sorted(formula.names() - known):
        section.wrong(
            key,
            f"{formula.text!r} asks for {name!r}, which no number here is called.",
            f"There is: {', '.join(sorted(known)) or 'none'}.",
        )
