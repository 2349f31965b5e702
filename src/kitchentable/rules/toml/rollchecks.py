"""Checks between the lines of a roll: its dice, its target number, and its results."""

from __future__ import annotations

from functools import partial

from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.formula import sums_of
from kitchentable.rules.toml.places import Way
from kitchentable.rules.toml.reader import Section
from kitchentable.rules.toml.rollform import TRAIT, Roll


def check_rolls(top: Section, written: Written) -> None:
    """Note mistakes in the rolls, the tables, the turn order of a fight and the examples."""
    for index, roll in enumerate(written.rolls):
        at = Section({}, ("roll", index), top.flaws)
        _check_thrown(at, roll)
        _check_measure(at, written, roll)
        _check_bands(at, written, roll)
    for index, table in enumerate(written.tables):
        at = Section({}, ("table", index), top.flaws)
        ends = [row.to for row in table.rows]
        rising = [end for end in ends[:-1] if end is not None]
        if not ends or ends[-1] is not None or len(rising) < len(ends) - 1:
            at.wrong("", "Every row but the last says up to which number it goes: to = ...")
        elif rising != sorted(set(rising)):
            at.wrong("", "The numbers of the rows have to rise.")
    for index, forced in enumerate(written.examples):
        at, rolls = Section({}, ("example", index), top.flaws), {o.key: o for o in written.rolls}
        if forced.roll not in rolls:
            words = f"There is no roll {forced.roll!r}."
            at.wrong("roll", words, f"The rolls of this file: {', '.join(rolls) or 'none'}.")
            continue
        bands = [band.key for band in rolls[forced.roll].bands]
        if forced.gives not in bands:
            words = f"The roll {forced.roll!r} has no result {forced.gives!r}."
            at.wrong("gives", words, f"Its results: {', '.join(bands)}.")


def _check_thrown(one: Section, roll: Roll) -> None:
    """Check that a roll has one kind of dice: notation, a named die, or a pool."""
    ways = [bool(roll.dice), bool(roll.die), bool(roll.pools)]
    if not any(ways):
        mend = (
            'Write dice = "2d6", die = "..." for one of the [[die]] of this file, or [[roll.pool]].'
        )
        one.wrong("", "A roll has to say its dice.", mend)
    elif sum(ways) > 1:
        one.wrong("dice", "A roll throws dice in notation, a named die or a pool, not both.")
    if not roll.pools and (roll.counts or roll.again is not None):
        one.wrong(
            "", "Only a pool is counted and thrown again.", "Write its dice as [[roll.pool]]."
        )
    colours, counts = [each.key for each in roll.pools], [each.key for each in roll.counts]
    if roll.pools and roll.keep not in {"highest", "lowest", "sum", *counts}:
        words = f"keep is highest, lowest, sum or one of the counts, not {roll.keep!r}."
        one.wrong("keep", words, f"The [[roll.count]] of this roll: {', '.join(counts) or 'none'}.")
    for index, count in enumerate(roll.counts):
        if count.of and count.of not in colours:
            words = f"No dice of this roll are called {count.of!r}."
            way: Way = (*one.way, "count", index, "of")
            one.flaws.add(way, words, f"There is: {', '.join(colours)}.")
    if roll.uses and roll.trait:
        mend = "Take out either trait or uses."
        one.wrong("trait", "A roll is made on one trait, or on one of a group, not on both.", mend)


def _check_measure(one: Section, written: Written, roll: Roll) -> None:
    """Check that a roll has one target: a number, a ladder, or another side."""
    if roll.against is not None and roll.ladder:
        words = "A roll is measured against one number, or against a ladder the GM picks from."
        one.wrong("against", words, "Take out either against or the [[roll.difficulty]].")
    if roll.opposed is None:
        return
    if roll.against is not None or roll.ladder or roll.pools:
        words = "An opposed roll is measured against the other side's, not against a number."
        one.wrong("opposed", words, "Take out either opposed or against and difficulty.")
    die = {each.key: each for each in written.dice}.get(roll.die)
    for face in sorted(die.words - die.worth.keys()) if die is not None else ():
        words = f"Against another side the face {face!r} needs a number."
        one.wrong("die", words, f"Add worth = {{ {face} = 6 }} to the die.")


def _check_bands(one: Section, written: Written, roll: Roll) -> None:
    """Check the results of a roll, best first; the last one catches all other outcomes."""
    wrong = partial(one.wrong, "band")
    if not roll.bands:
        one.wrong("", "A roll needs its results.", "Add [[roll.band]] below it, the best first.")
        return
    die = {each.key: each for each in written.dice}.get(roll.die)
    faces, floor = die.words if die is not None else frozenset(), None
    counts = {each.key for each in roll.counts}
    for band in roll.bands[:-1]:
        if band.catches_all:
            mend = "Give it at_least = ..., or put it last."
            wrong(f"{band.key!r} catches everything: those after it never happen.", mend)
    for band in roll.bands:
        if band.face and band.face not in faces and (die is not None or not roll.die):
            has = ", ".join(sorted(faces)) or "none"
            wrong(f"No die of this roll has a face {band.face!r}.", f"Faces that are words: {has}.")
        if band.face and band.at_least is not None:
            wrong(f"{band.key!r} goes by a face or by a number, not by both.")
        for name in sorted(band.needs.keys() - counts):
            has = ", ".join(sorted(counts)) or "none"
            wrong(f"needs names {name!r}, which this roll does not count.", f"It counts: {has}.")
        only = band.at_least is not None and not band.needs
        if only and band.at_most is None and band.exact is None:
            if floor is not None and band.at_least is not None and band.at_least >= floor:
                words = (
                    f"{band.key!r} can never happen: one before it takes {band.at_least} already."
                )
                wrong(words, "Put the highest at_least first.")
            floor = band.at_least
    if not roll.bands[-1].catches_all:
        mend = "Add a last [[roll.band]] without at_least and face."
        wrong(f"What happens below {roll.bands[-1].key!r}?", mend)
    if len({band.key for band in roll.bands}) < len(roll.bands):
        wrong("Two results of this roll have the same key.")


def check_used(top: Section, written: Written) -> None:
    """Check that a roll on a trait uses the trait's level."""
    for index, roll in enumerate(written.rolls):
        sums = [*roll.add, *(one.dice for one in roll.pools), *(one.number for one in roll.ladder)]
        sums += [roll.against] if roll.against is not None else []
        sums += sums_of(roll.dice)
        asked = {name for one in sums for name in one.names()}
        key = "trait" if roll.trait else "uses" if roll.uses else ""
        if key and not asked & {TRAIT, roll.trait}:
            words = f"The level of the trait is nowhere in the roll {roll.key!r}."
            mend = 'Write add = ["trait"], or count dice with it: dice = "{=trait}d6".'
            top.flaws.add(("roll", index, key), words, mend)
