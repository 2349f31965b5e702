"""Checks of a game's file as a whole: names, references, rolls, and the cost of growth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.kit.formula import Bindings, Formula
from kitchentable.rules.kit.schema import Link, Many, Section, Table, closest, lines_of
from kitchentable.rules.kit.settings import counted
from kitchentable.rules.sheet_migration import MOVE as MIGRATION
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import option_numbers
from kitchentable.rules.toml.rollform import (
    BONUS,
    DRAWN,
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
)
from kitchentable.rules.toml.throws import NO_DICE, Throwing
from kitchentable.rules.toml.words import MOVES
from kitchentable.rules.values import GM, LONGEST_NAME

#: The keys that no part may have: those of formulas, of the moves that every game has, and of the
#: answers of a roll. Each has the beginning of a sentence about its use.
_IN_FORMULAS = dict.fromkeys((TRAIT, BONUS, MODIFIER, MARGIN), "Rolls already use") | dict.fromkeys(
    ("min", "max"), "Formulas already use"
)
_OF_MOVES = dict.fromkeys((*MOVES, MIGRATION), "Every game already has a move with")
_ANSWERS = dict.fromkeys(
    (
        "what", "target", "entry", "other_trait", "other_modifier", "difficulty", "number", PUSHED,
        "at", "inputs", "problems",
    ),
    "Rolls already use",
)  # fmt: skip
#: Nouns for the tables of a file that are not called by their own name.
_NOUNS: Mapping[Any, str] = {"option": "an option", "field": "a question", "count": "a count"}


def known_to(game: Written) -> Callable[[Link], frozenset[str]]:
    """A function that returns the names allowed for a reference; a roll adds its own names."""
    names = {what: frozenset(map(_name_of, every)) for what, every in game.parts.items()}
    names["trait"] = frozenset(game.traits)
    names[OPTIONS] = frozenset(one.key for one in counted(game.options))
    names[DRAWN] = names[OPTIONS]
    names[LEVELS] = names[OPTIONS] | names["trait"]
    names[SHEET] = names[LEVELS] | names["track"]
    names[GROWN] = names[SHEET] | {TRAIT}
    names[ROLL] = names[GROWN] | {BONUS, MODIFIER}
    names[FELL] = names[ROLL] | {MARGIN}

    def known(one: Link) -> frozenset[str]:
        found = names[one.what]
        if one.what in {DRAWN, ROLL, FELL}:
            what, number = one.section.way[:2]
            roll = game.parts[str(what)][int(number)]
            found |= {asked.key for asked in roll.fields}
            if one.what == FELL:
                found |= {each.key for each in roll.counts} | ({PUSHED} if roll.again else set())
        return found

    return known


def _name_of(one: Any) -> str:
    """The name by which a file refers to a table, or ""."""
    return str(getattr(one, "key", getattr(one, "id", "")))


def check_links(links: Sequence[Link], known: Callable[[Link], Collection[str]]) -> None:
    """Note a mistake for every unknown name; `known` returns the names allowed for a reference."""
    for one in links:
        there, name = sorted(known(one)), one.name
        if name in there:
            continue
        told = f"{one.key} names {name!r}, but this file has no such {one.what}."
        if one.formula:
            told = f"{one.formula!r} uses {name!r}, which is not the name of a number here."
        one.section.wrong(one.key, told, closest(name, there), word=name)


def check_game(top: Section, game: Written, *, whole: bool) -> None:
    """Note mistakes between the tables of a file; a `whole` game has a sheet and dice."""
    for check in (_check_keys, _check_people, _check_rolls, _check_tables):
        note(top, check(game))
    if whole and not (game.groups or game.listings or game.words):
        mend = "Add a [[group]] with traits, or a [[text]]."
        top.wrong("", "The sheets of this game are empty.", mend)
    if whole and not game.rolls:
        top.wrong("", "This game has no dice.", "Add a [[roll]].")


#: Mistakes: the table, its line or "", a sentence, and the correction.
Wrong = Iterator[tuple[Table, str, str, str]]


def note(top: Section, mistakes: Wrong) -> None:
    """Note mistakes at their lines."""
    for table, key, sentence, mend in mistakes:
        top.flaws.add((*table.way, key) if key else table.way, sentence, mend)


def _check_keys(game: Written) -> Wrong:
    """Check that no two parts share a key: in formulas, as moves, or as answers of a roll."""
    options = (Table(way=("option", at), key=one.key) for at, one in enumerate(game.options))
    traits = (one for group in game.groups for one in group.traits)
    used = dict(_IN_FORMULAS)
    yield from _shared(used, (*options, *traits, *game.listings, *game.words, *game.scales))
    moves: tuple[Any, ...] = (*game.rolls, *game.tables, *game.rests)
    # Two moves of the same kind are reported by `check_twice`.
    yield from _shared(dict(_OF_MOVES), {(one.way[0], one.key): one for one in moves}.values())
    for roll in game.rolls:
        yield from _shared(_ANSWERS | used, (*roll.fields, *roll.counts))
    for table in game.tables:
        yield from _shared(_ANSWERS | used, table.fields)


def _shared(taken: dict[str, str], parts: Iterable[Any]) -> Wrong:
    """A mistake for each part with a key that is taken; the keys of the others are then taken."""
    for one in parts:
        if one.key in taken:
            words = f"{taken[one.key]} the key {one.key!r}."
            yield one, "key", words, "Give one of them another key."
        what = one.way[-2]
        taken[one.key] = f"There is already {_NOUNS.get(what, f'a {what}')} with"


def check_twice(one: Table) -> Wrong:
    """Check that no two tables of a list have the same key, in this table and below it."""
    kind: Any = type(one)
    for name, *_ in lines_of(kind):
        several, seen = getattr(one, name), set()
        for each in several if isinstance(several, Many) else ():
            key, kinds = _name_of(each), [what for what in each.way if isinstance(what, str)]
            if key in seen and kinds[-1] not in {"trait", "list", "text", "track"}:
                words = f"Two entries of [[{'.'.join(kinds)}]] are called {key!r}."
                mend = f"Give one of them another {'id' if hasattr(each, 'id') else 'key'}."
                yield each, "", words, mend
            seen |= {key} - {""}
            yield from check_twice(each)


def _check_people(game: Written) -> Wrong:
    """Check that ready characters are owned by the GM or by players of the ready campaign."""
    players = game.ready.players if game.ready else ()
    for person in game.people:
        if person.owner not in {*players, "gm"}:
            words = f"The owner {person.owner!r} is not a player of this campaign."
            yield person, "owner", words, 'Write "gm", or one of the players of [campaign].'


# ---------------------------------------------------------------- rolls, tables, examples


def _check_rolls(game: Written) -> Wrong:
    """Check that rolls are complete and agree with the rest of the file."""
    for roll in game.rolls:
        yield from _check_thrown(roll)
        yield from _check_measure(game, roll)
        yield from _check_bands(game, roll)


def _check_tables(game: Written) -> Wrong:
    """Check the numbers of the rows of tables, and the rolls and results that examples name."""
    for table in game.tables:
        ends = [row.to for row in table.rows]
        rising = [end for end in ends[:-1] if end is not None]
        if not ends:
            yield table, "", "A table needs rows.", "Add [[table.row]] below it."
        elif ends[-1] is not None:
            words = "The last row of a table covers all remaining numbers."
            yield table.rows[-1], "to", words, "Remove its to."
        elif len(rising) < len(ends) - 1:
            words = "Every row except the last needs the highest number that it covers."
            yield table.rows[ends.index(None)], "", words, "Add a line to = ..."
        elif rising != sorted(set(rising)):
            words = "The numbers of the rows must increase from row to row."
            yield table, "", words, "Put the lowest to first."
    bands = {roll.key: [band.key for band in roll.bands] for roll in game.rolls}
    for forced in game.examples:
        known = bands.get(forced.roll)
        if known is None:
            mend = f"The rolls of this file: {', '.join(bands) or 'none'}."
            yield forced, "roll", f"There is no roll {forced.roll!r}.", mend
        elif forced.gives not in known:
            words = f"The roll {forced.roll!r} has no result {forced.gives!r}."
            yield forced, "gives", words, f"Its results: {', '.join(known)}."


def _check_thrown(roll: Roll) -> Wrong:
    """Check that a roll has one kind of dice: notation, a named die, or a pool."""
    ways = [bool(roll.dice), bool(roll.die), bool(roll.pools)]
    if not any(ways):
        mend = (
            'Write dice = "2d6", die = "..." for one of the [[die]] of this file, or [[roll.pool]].'
        )
        yield roll, "", "A roll needs dice.", mend
    elif sum(ways) > 1:
        words = "A roll can have only one of: dice in notation, a named die, a pool."
        yield roll, "dice", words, "Remove the others."
    if not roll.pools and (roll.counts or roll.again is not None):
        mend = "Write its dice as [[roll.pool]]."
        yield roll, "", "Only a pool can have counts and be thrown again.", mend
    colours, counts = [each.key for each in roll.pools], [each.key for each in roll.counts]
    if roll.pools and roll.keep not in {"highest", "lowest", "sum", *counts}:
        words = f"keep must be highest, lowest, sum or one of the counts, not {roll.keep!r}."
        mend = f"The [[roll.count]] of this roll: {', '.join(counts) or 'none'}."
        yield roll, "keep", words, mend
    for count in roll.counts:
        if count.of and count.of not in colours:
            words = f"No dice of this roll are called {count.of!r}."
            yield count, "of", words, f"Choose from: {', '.join(colours)}."
    if roll.uses and roll.trait:
        words = "A roll uses a fixed trait, or one picked from groups, not both."
        yield roll, "trait", words, "Remove trait or uses."


def _check_measure(game: Written, roll: Roll) -> Wrong:
    """Check that a roll has at most one target: a number, a ladder, or another side."""
    if roll.against is not None and roll.ladder:
        words = "A roll has one target number, or a ladder from which the GM picks, not both."
        yield roll, "against", words, "Remove against, or every [[roll.difficulty]]."
    if roll.opposed is None:
        return
    if roll.against is not None or roll.ladder or roll.pools:
        words = "An opposed roll has no pool and no target number."
        yield roll, "opposed", words, "Remove opposed, or the pool, against and difficulty."
    for die in game.dice:
        for face in sorted(die.words - die.worth.keys()) if die.key == roll.die else ():
            words = f"In an opposed roll, the face {face!r} needs a number."
            yield roll, "die", words, f'Add worth = {{ "{face}" = 6 }} to the die.'


def _check_bands(game: Written, roll: Roll) -> Wrong:
    """Check that results are listed best first and that the last one covers all other outcomes."""
    if not roll.bands:
        yield roll, "", "A roll needs results.", "Add [[roll.band]] below it, the best first."
        return
    die = next((each for each in game.dice if each.key == roll.die), None)
    faces, floor = die.words if die is not None else frozenset(), None
    counts = {each.key for each in roll.counts}
    for band in roll.bands:
        if band is not roll.bands[-1] and band.catches_all:
            words = f"{band.key!r} fits every outcome, so later results never happen."
            yield band, "", words, "Give it at_least = ..., or put it last."
        if band.face and band.face not in faces and (die is not None or not roll.die):
            has = ", ".join(sorted(faces)) or "none"
            words = f"No die of this roll has a face {band.face!r}."
            yield band, "face", words, f"Faces that are words: {has}."
        if band.face and band.at_least is not None:
            words = f"{band.key!r} can have face or at_least, not both."
            yield band, "face", words, "Remove one of them."
        for name in sorted(band.needs.keys() - counts):
            words = f"needs names {name!r}, which this roll does not count."
            yield band, "needs", words, f"It counts: {', '.join(sorted(counts)) or 'none'}."
        if band.at_least is not None and not band.needs and {band.at_most, band.exact} == {None}:
            if floor is not None and band.at_least >= floor:
                words = f"{band.key!r} can never happen: an earlier result takes {band.at_least}"
                yield band, "at_least", f"{words} or more.", "Put the highest at_least first."
            floor = band.at_least
    if not roll.bands[-1].catches_all:
        words = f"The last result, {roll.bands[-1].key!r}, does not cover all other outcomes."
        yield roll.bands[-1], "", words, "Add a last [[roll.band]] without at_least and face."


def check_sense(game: Written) -> Wrong:
    """Check that every line has an effect, and that points, picks and players are possible."""
    for roll in game.rolls:
        yield from _check_effects(game, roll)
    defaults = option_numbers(game, {})
    for group in game.groups:
        points = group.points.value(defaults) if group.points is not None else 0
        most = len(group.traits) * (group.high - group.low)
        if not 0 <= points <= most:
            words = (
                f"{points} points cannot be spent on {group.title}, which takes from 0 to {most}."
            )
            mend = "Change points, low or high."
            yield group, "points", words, mend
    for forced in game.examples:
        try:
            Throwing(game, game.rolls.of(forced.roll)).named({}, **forced.named)
        except RuleRefuses as error:
            if error.code != NO_DICE:  # reported when the examples are run
                yield forced, "with", str(error), ""
    for asked in (asked for table in game.tables for asked in table.fields if asked.costs):
        yield asked, "costs", "Rolling on a table costs nothing.", "Remove costs."
    choices = {one.key: one.choices for one in game.listings}
    moves: tuple[Any, ...] = (*game.rolls, *game.rests)
    for one in moves:
        among = choices.get(one.picked, ())
        if among and one.title not in among:
            words = f"{one.title!r} is not among the choices of the list {one.picked!r}."
            yield one, "picked", words, closest(one.title, among)
    lists = [one.key for one in game.options if one.field.kind == "rows"]
    for at, option in enumerate(game.options):
        if option.suggests and option.suggests not in lists:
            words = f"No option with rows is called {option.suggests!r}."
            mend = closest(option.suggests, lists)
            yield Table(way=("option", at)), "suggests", words, mend
    yield from _check_names(game)


def _check_effects(game: Written, roll: Roll) -> Wrong:
    """Check that a roll uses its trait, its list, and all faces and numbers of its pool."""
    key = "trait" if roll.trait else "uses" if roll.uses else ""
    if key and not roll.used & {TRAIT, roll.trait}:
        words = f"The level of the trait is not used in the roll {roll.key!r}."
        mend = 'Write add = ["trait"], or count dice with it: dice = "{=trait}d6".'
        yield roll, key, words, mend
    if roll.opposed is not None and roll.opposed.trait and roll.opposed.uses:
        words = "The other side uses a fixed trait, or one picked from groups, not both."
        yield roll.opposed, "uses", words, "Remove trait or uses."
    if roll.listing and game.listings.of(roll.listing).bonus and BONUS not in roll.used:
        words = f"The bonus of the list {roll.listing!r} is not used in the roll {roll.key!r}."
        yield roll, "list", words, 'Put "bonus" into add, or remove list.'
    if roll.targets and not (roll.fight or roll.opposed or roll.harms_another):
        words = f"The roll {roll.key!r} has no target, because it changes nobody else."
        yield roll, "targets", words, "Remove targets, or add others_marks to a [[roll.band]]."
    if roll.keep and not roll.pools:
        words = f"Only a pool can have keep; the roll {roll.key!r} has none."
        yield roll, "keep", words, 'Remove keep, or write the dice as in "4d6kh1".'
    most = max((one.sides for one in roll.pools), default=0)
    read: list[tuple[Table, str, tuple[int, ...]]] = [(o, "faces", o.faces) for o in roll.counts]
    read += [(one, "keeps", one.keeps) for one in (roll.again,) if one is not None]
    for one, line, faces in read:
        for face in faces:
            if face not in range(1, most + 1):
                words = f"No die of this roll shows {face!r}."
                yield one, line, words, f"Write numbers from 1 to {most}."


def _check_names(game: Written) -> Wrong:
    """Check that a table accepts the names of the ready campaign; players need different ones."""
    players = game.ready.players if game.ready is not None else ()
    names: list[tuple[Any, str, str]] = [(one, "name", one.name) for one in game.people]
    names += [(game.ready, "players", name) for name in players]
    taken = {GM}
    for table, line, name in names:
        if len(name) > LONGEST_NAME:
            words = f"A name has at most {LONGEST_NAME} characters, not {len(name)}."
            yield table, line, words, f"Shorten {name[:20]!r}."
        if line == "players":
            if name.casefold() in taken or not name.strip():
                words = f"A further player cannot be called {name!r}."
                yield table, line, words, "Give every player a name of their own."
            taken.add(name.casefold())


# ---------------------------------------------------------------- growth


def check_growth(game: Written) -> Wrong:
    """Check that every level costs at least one point, with any options."""
    if (words := _free_growth(game)) and game.growth is not None:
        pay(game)
        mend = f'A level must cost at least 1. Write cost = "{game.growth.cost.text}".'
        yield game.growth, "cost", words, mend


def pay(game: Written) -> None:
    """Raise the cost of every level to at least one point."""
    if game.growth is not None and _free_growth(game):
        cost = game.growth.cost
        game.growth.cost = Formula(f"max(1, {cost.text})", ("max", 1, cost.root))


def _free_growth(game: Written) -> str:
    """A sentence about a level that costs less than a point, or "".

    Every level is checked with all options at their default, lowest and highest values.
    """
    if game.growth is None:
        return ""
    cost, fields = game.growth.cost, [one.field for one in counted(game.options)]
    ends: tuple[Bindings, ...] = (
        option_numbers(game, {}),
        {one.name: one.low or 0 for one in fields},
        {one.name: 1 if one.high is None else one.high for one in fields},
    )
    for options in ends:
        for group in game.groups:
            for level in range(group.low, group.top):
                costs = cost.value({**options, **game.lowest, TRAIT: level})
                if costs < 1:
                    set_so = " with some options." if cost.names() & options.keys() else "."
                    return f"One more level of {group.title} costs {costs} at level {level}{set_so}"
    return ""
