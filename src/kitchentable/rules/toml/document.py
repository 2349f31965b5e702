"""Reading a whole game from the text of its file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from kitchentable.rules.game import Credits
from kitchentable.rules.kit.settings import counted, read_options
from kitchentable.rules.rulebook import KINDS
from kitchentable.rules.toml.flaws import BadFile, Flaw
from kitchentable.rules.toml.form import Forced, Person, RuleText, Written
from kitchentable.rules.toml.growing import free_growth, paid
from kitchentable.rules.toml.parts import (
    check_keys,
    check_names,
    known_names,
    read_groups,
    read_kinds,
    read_listings,
    read_scales,
    read_words,
)
from kitchentable.rules.toml.places import Place, Way, places
from kitchentable.rules.toml.reading import Flaws, Section
from kitchentable.rules.toml.rollparts import (
    Known,
    read_dice,
    read_fighting,
    read_growth,
    read_rests,
    read_rolls,
)

T = TypeVar("T")

#: A file longer than this is no game somebody wrote by hand.
LONGEST = 1_000_000
_WHERE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def read_document(
    text: str, playthrough: str = "", name: str = "game.toml", *, kept: bool = False
) -> Written:
    """A written game from the text of its file. Errors: BadFile, with every mistake it has.

    `name` is what the file is called in those mistakes. With `kept` it is one that a house keeps
    and campaigns play: growth for nothing, which was no mistake once, is read as its mend says.
    """
    data = _toml(text, name)
    flaws = Flaws(places(text))
    top = Section(data, (), flaws)
    written = _read(top, playthrough)
    if written is not None:
        top.close()
        if not kept:
            _check_growth(top, written)
        elif written.growth is not None and free_growth(written):
            written = replace(written, growth=paid(written.growth))
    if flaws.flaws or written is None:
        raise BadFile(name, flaws.flaws)
    return written


def read_part(text: str, name: str, read: Callable[[Section], T]) -> T:
    """One kind of table of a file, as `read` reads it. Errors: BadFile, with every mistake."""
    flaws = Flaws(places(text))
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
    """Where the line with the most opening brackets stands."""
    lines = text.splitlines()
    number = max(range(len(lines)), key=lambda one: lines[one].count("[") + lines[one].count("{"))
    return Place(number + 1, 1)


def _read(top: Section, playthrough: str) -> Written | None:
    head = top.section("game")
    if head is None:
        if "game" not in top:
            mend = "Begin it with [game] and name, title, version."
            top.wrong("", "The file has no [game].", mend)
        return None
    credits_of = Credits(
        head.text("author"),
        head.text("source", ""),
        head.text("licence"),
        head.text("licence_link", ""),
        head.text("notice", ""),
    )
    name, title, version = head.key("name"), head.text("title"), head.text("version")
    about = head.text("about")
    options, groups = read_options(top), read_groups(top)
    listings, words, scales = read_listings(top), read_words(top), read_scales(top)
    check_keys(top, options, groups, listings, words, scales)
    names = known_names(options, groups, scales)
    for index, group in enumerate(groups):
        if group.points is not None:
            at = Section({}, ("group", index), top.flaws)
            check_names(at, "points", group.points, frozenset(one.key for one in counted(options)))
    for index, scale in enumerate(scales):
        at = Section({}, ("track", index), top.flaws)
        check_names(at, "boxes", scale.boxes, names - {one.key for one in scales})
    known = Known(names, groups, listings, scales, read_dice(top))
    rolls = read_rolls(top, known)
    campaign = top.section("campaign")
    written = Written(
        name=name,
        title=title,
        version=version,
        about=about,
        credits=credits_of,
        kinds=read_kinds(top),
        options=options,
        groups=groups,
        listings=listings,
        words=words,
        scales=scales,
        rolls=rolls,
        rests=read_rests(top, known),
        growth=read_growth(top, known),
        fighting=read_fighting(top, known),
        chapters=tuple(
            (one.text("id"), one.text("title"), one.text("lead", ""))
            for one in top.sections("chapter")
        ),
        rules=tuple(_rule(one) for one in top.sections("rule")),
        campaign=campaign.text("title") if campaign else f"{title}, a first evening",
        players=campaign.words("players") if campaign else (),
        notes=campaign.text("notes", "") if campaign else "",
        people=tuple(_person(one) for one in top.sections("person")),
        examples=tuple(_forced(one, rolls) for one in top.sections("example")),
        playthrough=playthrough,
    )
    if campaign is not None:
        campaign.close()
    head.close()
    _cross_check(top, written)
    return written


def _rule(one: Section) -> RuleText:
    return RuleText(
        one.text("id"),
        one.text("chapter", ""),
        one.choice("kind", KINDS, "core"),
        one.text("title"),
        one.text("text"),
        one.text("example", ""),
        one.text("option", ""),
    )


def _person(one: Section) -> Person:
    name = one.text("name")
    entries = {
        str(key): tuple(str(each) for each in value)
        for key, value in one.table("lists").items()
        if isinstance(value, list)
    }
    return Person(
        one.key("id", re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_") or "somebody"),
        name,
        one.text("kind", ""),
        one.text("owner", "gm"),
        one.text("line", ""),
        one.numbers("traits"),
        entries,
        {str(key): str(value) for key, value in one.table("texts").items()},
        one.tick("hidden", default=False),
        one.tick("open", default=True),
    )


def _forced(one: Section, rolls: tuple[Any, ...]) -> Forced:
    forced = Forced(one.text("roll"), one.numbers("with"), one.values("faces"), one.text("gives"))
    roll = next((each for each in rolls if each.key == forced.roll), None)
    if roll is None:
        known = ", ".join(each.key for each in rolls) or "none"
        one.wrong("roll", f"There is no roll {forced.roll!r}.", f"The rolls of this file: {known}.")
    elif forced.gives not in {band.key for band in roll.bands}:
        known = ", ".join(band.key for band in roll.bands)
        one.wrong(
            "gives",
            f"The roll {roll.key!r} has no result {forced.gives!r}.",
            f"Its results: {known}.",
        )
    return forced


def _cross_check(top: Section, written: Written) -> None:
    """What names something else of the file has to name something that is there."""
    for index, person in enumerate(written.people):
        _check_person(Section({}, ("person", index), top.flaws), written, person)
    chapters = {one[0] for one in written.chapters}
    for index, rule in enumerate(written.rules):
        if rule.chapter and rule.chapter not in chapters:
            Section({}, ("rule", index), top.flaws).wrong(
                "chapter", f"There is no chapter {rule.chapter!r}.", _there_is(chapters)
            )
    for what, keys in (
        ("roll", [one.key for one in written.rolls]),
        ("rest", [one.key for one in written.rests]),
        ("rule", [one.id for one in written.rules]),
        ("person", [one.id for one in written.people]),
    ):
        for index, key in enumerate(keys):
            if key in keys[:index]:
                words = f"Two entries of [[{what}]] are called {key!r}."
                top.flaws.add((what, index), words, "Give one of them another name.")
    _check_moves(top, written)
    _check_rules(top, written)
    if not written.groups and not written.listings and not written.words:
        top.wrong(
            "", "A sheet of this game is empty.", "Add a [[group]] with traits, or a [[text]]."
        )
    if not written.rolls:
        top.wrong("", "This game has no dice.", "Add a [[roll]].")


#: What every game has for itself beside its rolls and rests.
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


def _check_moves(top: Section, written: Written) -> None:
    """A roll or a rest may not be called like another move of the game."""
    rolls = [one.key for one in written.rolls]
    rests = [one.key for one in written.rests]
    for what, keys in (("roll", rolls), ("rest", rests)):
        for index, key in enumerate(keys):
            if key in _OWN_MOVES:
                words = f"{key!r} is a move that every game has for itself."
            elif what == "rest" and key in rolls:
                words = f"A roll is called {key!r} too."
            else:
                continue
            top.flaws.add((what, index, "key"), words, "Give it another key.")


def _check_growth(top: Section, written: Written) -> None:
    """One more level costs a point at least, whatever level it is and however options are set."""
    words = free_growth(written)
    if written.growth is not None and words:
        mend = f'It costs 1 at least; write cost = "{paid(written.growth).cost.text}".'
        top.flaws.add(("growth", "cost"), words, mend)


def _check_rules(top: Section, written: Written) -> None:
    """Whatever names a rule names one that is written."""
    known = {one.id for one in written.rules}
    named = {
        "kind": [one.rule for one in written.kinds],
        "option": [one.field.rule for one in written.options],
        "group": [one.rule for one in written.groups],
        "list": [one.rule for one in written.listings],
        "track": [one.rule for one in written.scales],
        "roll": [one.rule for one in written.rolls],
        "rest": [one.rule for one in written.rests],
    }
    places_of: list[tuple[Way, str]] = [
        ((what, n), rule) for what, found in named.items() for n, rule in enumerate(found)
    ]
    if written.growth is not None:
        places_of.append((("growth",), written.growth.rule))
    if written.fighting is not None:
        places_of.append((("fight",), written.fighting.rule))
    for way, rule in places_of:
        if rule and rule not in known:
            top.flaws.add((*way, "rule"), f"There is no rule {rule!r}.", _there_is(known))


def _check_person(at: Section, written: Written, person: Person) -> None:
    kinds = {kind.key for kind in written.kinds}
    traits = {trait.key for group in written.groups for trait in group.traits}
    if person.kind and person.kind not in kinds:
        at.wrong("kind", f"There is no kind {person.kind!r}.", _there_is(kinds))
    if person.owner not in {*written.players, "gm"}:
        at.wrong(
            "owner",
            f"Nobody called {person.owner!r} sits at this table.",
            'It is "gm", or one of the players of [campaign].',
        )
    for where, given, known in (
        ("traits", set(person.levels), traits),
        ("lists", set(person.entries), {one.key for one in written.listings}),
        ("texts", set(person.words), {one.key for one in written.words}),
    ):
        for key in sorted(given - known):
            at.wrong(where, f"{where} names {key!r}, which is not there.", _there_is(known))


def _there_is(known: set[str]) -> str:
    return f"There is: {', '.join(sorted(known)) or 'none'}."
