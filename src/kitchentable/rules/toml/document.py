"""Reads a whole game from the text of its file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from kitchentable.rules.kit.settings import counted
from kitchentable.rules.toml.flaws import BadFile, Flaw
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.growth import free_growth, paid
from kitchentable.rules.toml.places import Place, Way, places
from kitchentable.rules.toml.reader import Flaws, Link, Section
from kitchentable.rules.toml.rollchecks import check_rolls, check_used
from kitchentable.rules.toml.rollform import (
    BONUS,
    FELL,
    GROWN,
    LEVELS,
    MARGIN,
    MODIFIER,
    OPTIONS,
    PUSHED,
    ROLL,
    SHEET,
    TRAIT,
    Roll,
    Rows,
)
from kitchentable.rules.toml.schema import check_links, read_table

T = TypeVar("T")

#: Longer files are refused; no game written by hand is this long.
LONGEST = 1_000_000
_WHERE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def read_document(
    text: str,
    playthrough: str = "",
    name: str = "game.toml",
    *,
    kept: bool = False,
    whole: bool = True,
) -> Written:
    """A game from the text of its file. Errors: BadFile, with every mistake in the file.

    `name` is the file's name in these mistakes. With `kept` the file is in use by campaigns, and
    free growth, which was once allowed, is read with its correction. A file that is not `whole` is
    completed in Python, and may lack a sheet or dice.
    """
    data = _toml(text, name)
    flaws = Flaws(places(text), text.splitlines())
    top = Section(data, (), flaws)
    written = _read(top, playthrough)
    if written is not None and whole:
        _check_whole(top, written)
    if written is not None:
        top.close()
        if not kept:
            _check_growth(top, written)
            if not flaws.flaws:
                check_used(top, written)
        elif written.growth is not None and free_growth(written):
            written = replace(written, growth=paid(written.growth))
    if flaws.flaws or written is None:
        raise BadFile(name, flaws.flaws)
    return written


def read_part(text: str, name: str, read: Callable[[Section], T]) -> T:
    """One part of a file, as `read` reads it. Errors: BadFile, with every mistake."""
    flaws = Flaws(places(text), text.splitlines())
    found = read(Section(_toml(text, name), (), flaws))
    if flaws.flaws:
        raise BadFile(name, flaws.flaws)
    return found


def _toml(text: str, name: str) -> Mapping[str, Any]:
    if len(text) > LONGEST:
        raise BadFile(name, [Flaw(Place(1, 1), f"The file is longer than {LONGEST:,} characters.")])
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadFile(
            name,
            [
                Flaw(
                    _deepest(text),
                    "Brackets stand within brackets too deep.",
                    "No game needs that.",
                )
            ],
        ) from None
    except tomllib.TOMLDecodeError as error:
        found = _WHERE.match(str(error))
        lines = text.splitlines() or [""]
        last = Place(len(lines), len(lines[-1]) + 1)
        place = Place(int(found[2]), int(found[3])) if found and found[2] else last
        words = found[1] if found else str(error)
        mend = (
            "Texts stand in quotes, numbers do not; a table begins with [name], an entry of a list "
            "with [[name]]."
        )
        raise BadFile(name, [Flaw(place, f"This is not TOML: {words}.", mend)]) from error


def _deepest(text: str) -> Place:
    """The place of the line with the most opening brackets."""
    lines = text.splitlines()
    number = max(range(len(lines)), key=lambda one: lines[one].count("[") + lines[one].count("{"))
    return Place(number + 1, 1)


def _read(top: Section, playthrough: str) -> Written | None:
    if top.section("game") is None:
        if "game" not in top:
            mend = "Begin it with [game] and name, title, version."
            top.wrong("", "The file has no [game].", mend)
        return None
    written = replace(read_table(Written, top), playthrough=playthrough)
    check_links(top.flaws.links, partial(_known, written, _names(written)))
    for check in (_check_keys, _check_twice, _check_people, check_rolls):
        check(top, written)
    return written


# ---------------------------------------------------------------- references


def _names(written: Written) -> dict[str, frozenset[str]]:
    """The known names, by the kind of reference."""
    of: dict[str, Sequence[Any]] = {
        "kind": written.kinds,
        "group": written.groups,
        "playbook": written.playbooks,
        "list": written.listings,
        "text": written.words,
        "track": written.scales,
        "die": written.dice,
    }
    found = {what: frozenset(one.key for one in every) for what, every in of.items()}
    found["trait"] = frozenset(written.traits)
    found["rule"] = frozenset(one.id for one in written.rules)
    found["chapter"] = frozenset(one.id for one in written.chapters)
    found[OPTIONS] = frozenset(one.key for one in counted(written.options))
    found[LEVELS] = found[OPTIONS] | found["trait"]
    found[SHEET] = found[LEVELS] | found["track"]
    found[GROWN] = found[SHEET] | {TRAIT}
    found[ROLL] = found[SHEET] | {TRAIT, BONUS, MODIFIER}
    found[FELL] = found[ROLL] | {MARGIN}
    return found


def _known(written: Written, names: Mapping[str, frozenset[str]], one: Link) -> frozenset[str]:
    """The names that a reference may use; a roll adds its own."""
    known = names[one.what]
    if one.what not in {ROLL, FELL}:
        return known
    what, number = one.section.way[0], int(one.section.way[1])
    found: Roll | Rows = (written.rolls if what == "roll" else written.tables)[number]
    known |= {asked.key for asked in found.fields}
    if one.what == FELL and isinstance(found, Roll):
        known |= {count.key for count in found.counts} | ({PUSHED} if found.again else set())
    return known


# ---------------------------------------------------------------- checks of the whole


def _check_keys(top: Section, written: Written) -> None:
    """Check that each name has one meaning."""
    own = (TRAIT, BONUS, MODIFIER, MARGIN, PUSHED)
    taken: dict[str, str] = dict.fromkeys(own[:4], "a roll") | {
        "min": "a formula",
        "max": "a formula",
    }
    keys: list[tuple[str, str, Way]] = [
        *(("an option", one.key, ("option", n)) for n, one in enumerate(written.options)),
        *(
            ("a trait", one.key, ("group", n, "trait", k))
            for n, group in enumerate(written.groups)
            for k, one in enumerate(group.traits)
        ),
        *(("a list", one.key, ("list", n)) for n, one in enumerate(written.listings)),
        *(("a text", one.key, ("text", n)) for n, one in enumerate(written.words)),
        *(("a track", one.key, ("track", n)) for n, one in enumerate(written.scales)),
    ]
    for what, key, way in keys:
        if key and key in taken:
            words = f"{key!r} is {_and(taken[key], what)}: formulas could not tell them apart."
            top.flaws.add((*way, "key"), words, "Give one of them another key.")
        taken[key] = what
    every: list[tuple[str, Sequence[Any]]] = [("roll", written.rolls), ("table", written.tables)]
    for what, some in every:
        for n, one in enumerate(some):
            counts = one.counts if isinstance(one, Roll) else ()
            for part, asked in (("field", one.fields), ("count", counts)):
                for k, each in enumerate(asked):
                    if each.key in taken or each.key in _ANSWERS:
                        words = (
                            f"{each.key!r} is called so already: {taken.get(each.key, 'a roll')}."
                        )
                        top.flaws.add((what, n, part, k, "key"), words, "Give it another key.")


#: The names of the fields that every roll has.
_ANSWERS = frozenset(
    ("what", "target", "entry", "other_trait", "other_modifier", "difficulty", "number", PUSHED)
)


def _and(first: str, second: str) -> str:
    """The two things that share a name, in words.

    >>> _and("a trait", "a trait"), _and("a roll", "a list"), _and("an option", "a track")
    ('the key of two traits', 'a word that rolls have for themselves', 'an option and a track')
    """
    if first in {"a roll", "a formula"}:
        return f"a word that {first[2:]}s have for themselves"
    return f"the key of two {first.split()[1]}s" if first == second else f"{first} and {second}"


#: The moves that every game has in addition to its rolls and rests.
_OWN_MOVES = (
    "fight",
    "order",
    "end_turn",
    "next_round",
    "end_fight",
    "story",
    "mark",
    "grow",
    "refit",
    "points_fit",
)


def _check_twice(top: Section, written: Written) -> None:
    """Check that keys are unique, and that no move has another one's name."""
    moves = {
        "roll": [one.key for one in written.rolls],
        "table": [one.key for one in written.tables],
        "rest": [one.key for one in written.rests],
    }
    found = {
        **moves,
        "rule": [one.id for one in written.rules],
        "person": [one.id for one in written.people],
    }
    for what, keys in found.items():
        for index, key in enumerate(keys):
            if key in keys[:index]:
                words = f"Two entries of [[{what}]] are called {key!r}."
                top.flaws.add((what, index), words, "Give one of them another name.")
    before: dict[str, str] = {}
    for what, keys in moves.items():
        for index, key in enumerate(keys):
            if key in _OWN_MOVES:
                words = f"{key!r} is a move that every game has for itself."
            elif before.get(key, what) != what:
                words = f"A {before[key]} is called {key!r} too."
            else:
                before[key] = what
                continue
            top.flaws.add((what, index, "key"), words, "Give it another key.")


def _check_whole(top: Section, written: Written) -> None:
    """Check that the game has a sheet and dice."""
    if not written.groups and not written.listings and not written.words:
        mend = "Add a [[group]] with traits, or a [[text]]."
        top.wrong("", "A sheet of this game is empty.", mend)
    if not written.rolls:
        top.wrong("", "This game has no dice.", "Add a [[roll]].")


def _check_people(top: Section, written: Written) -> None:
    """Check that the owners of ready characters are players of the ready campaign."""
    players = written.ready.players if written.ready else ()
    for index, person in enumerate(written.people):
        if person.owner not in {*players, "gm"}:
            words = f"Nobody called {person.owner!r} sits at this table."
            mend = 'It is "gm", or one of the players of [campaign].'
            top.flaws.add(("person", index, "owner"), words, mend)


def _check_growth(top: Section, written: Written) -> None:
    """Check that every level costs at least one point, with any options."""
    words = free_growth(written)
    if written.growth is not None and words:
        mend = f'It costs 1 at least; write cost = "{paid(written.growth).cost.text}".'
        top.flaws.add(("growth", "cost"), words, mend)
