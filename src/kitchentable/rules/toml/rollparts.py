"""Reading what is done with a sheet: dice, rolls and their bands, fights, rests, growth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kitchentable.dice import BadDie, Die, NotationError
from kitchentable.dice.notation import compile_notation
from kitchentable.rules.toml.form import (
    BONUS,
    MARGIN,
    MODIFIER,
    TRAIT,
    Band,
    Fighting,
    Group,
    Growth,
    Listing,
    NamedDie,
    Opposed,
    Rest,
    Roll,
    Scale,
    Step,
)
from kitchentable.rules.toml.formula import BadFormula, Formula, parse_formula
from kitchentable.rules.toml.parts import check_names
from kitchentable.rules.toml.reading import Section

#: A sum within dice notation: "{trait + 1}d6kh1".
BRACES = re.compile(r"\{=([^{}]*)\}")
TONES = ("good", "bad", "splendid", "plain")
_MOST_FACES = 1_000


@dataclass(frozen=True, slots=True)
class Known:
    """What has been read before the rolls."""

    names: frozenset[str]
    groups: tuple[Group, ...]
    listings: tuple[Listing, ...]
    scales: tuple[Scale, ...]
    dice: Mapping[str, NamedDie]

    @property
    def of_a_roll(self) -> frozenset[str]:
        """What a roll's formulas may ask for."""
        return self.names | {TRAIT, BONUS, MODIFIER}


def read_dice(top: Section) -> dict[str, NamedDie]:
    """Dice with named faces: [[die]] with key, faces, and what words are worth."""
    found: dict[str, NamedDie] = {}
    for one in top.sections("die"):
        key, faces, worth = one.key(), one.values("faces"), one.numbers("worth")
        if not 2 <= len(faces) <= _MOST_FACES:
            one.wrong("faces", f"A die has 2 to {_MOST_FACES} faces, not {len(faces)}.")
            continue
        for word in sorted(set(worth) - {face for face in faces if isinstance(face, str)}):
            one.wrong("worth", f"The die {key!r} has no face {word!r}.")
        try:
            found[key] = NamedDie(Die(key, faces), worth)
        except BadDie as error:
            one.wrong("faces", str(error))
    return found


def read_rolls(top: Section, known: Known) -> tuple[Roll, ...]:
    """Every [[roll]]."""
    return tuple(_roll(one, known) for one in top.sections("roll"))


def _roll(one: Section, known: Known) -> Roll:
    names = known.of_a_roll
    key, title, help_text = one.key(), one.text("title"), one.text("help", "")
    die = _named_die(one, known)
    dice = one.text("dice", "") if die is None else ""
    if die is None:
        _check_dice(one, dice, names)
    group = _one_of(one, "uses", [g.key for g in known.groups])
    trait = _one_of(one, "trait", [t.key for g in known.groups for t in g.traits])
    if group and trait:
        one.wrong(
            "trait",
            "A roll is made on one trait, or on one of a group, not on both.",
            "Take out either trait or uses.",
        )
    listing = _one_of(one, "list", [each.key for each in known.listings])
    add = one.formulas("add")
    for formula in add:
        check_names(one, "add", formula, names)
    against = one.formula("against") if one.has("against") else None
    if against is not None:
        check_names(one, "against", against, names)
    ladder = tuple(_step(part, names) for part in one.sections("difficulty"))
    if against is not None and ladder:
        one.wrong(
            "against",
            "A roll is measured against one number, or against a ladder the GM picks from.",
            "Take out either against or the [[roll.difficulty]].",
        )
    opposed = _opposed(one, known)
    if opposed is not None and (against is not None or ladder):
        one.wrong(
            "opposed",
            "An opposed roll is measured against the other side's, not against a number.",
            "Take out either opposed or against and difficulty.",
        )
    if opposed is not None and die is not None:
        for face in die.die.faces:
            if isinstance(face, str) and face not in die.worth:
                one.wrong(
                    "die",
                    f"Against another side the face {face!r} needs a number.",
                    f"Add worth = {{ {face} = 6 }} to the die.",
                )
    bands = _bands(one, known, die)
    costs = _marks(one, "costs", known, names)
    return Roll(
        key,
        title,
        help_text,
        dice,
        die,
        add,
        group,
        trait,
        listing,
        one.tick("modifier", default=True),
        against,
        ladder,
        opposed,
        one.tick("fight", default=False),
        bands,
        costs,
        one.text("rule", ""),
    )


def _named_die(one: Section, known: Known) -> NamedDie | None:
    key = one.text("die", "")
    if not key:
        if not one.has("dice"):
            one.wrong(
                "",
                "A roll has to say its dice.",
                'Write dice = "2d6", or die = "..." for one of the [[die]] of this file.',
            )
        return None
    if one.has("dice"):
        one.wrong("dice", "A roll throws dice in notation or a named die, not both.")
    if key not in known.dice:
        has = ", ".join(sorted(known.dice)) or "none"
        one.wrong("die", f"There is no die {key!r}.", f"The [[die]] of this file: {has}.")
        return NamedDie(Die("d6", (1, 2, 3, 4, 5, 6)), {})
    return known.dice[key]


def _check_dice(one: Section, dice: str, names: frozenset[str]) -> None:
    """Dice notation with sums in {= }: tried with every name at 1."""
    if not dice:
        return
    for sum_text in BRACES.findall(dice):
        try:
            formula = parse_formula(sum_text)
        except BadFormula as error:
            one.wrong("dice", f"dice: {error}")
            return
        check_names(one, "dice", formula, names)
        if formula.names() - names:
            return
    try:
        compile_notation(fill(dice, dict.fromkeys(names, 1)))
    except NotationError as error:
        one.wrong("dice", f"dice = {dice!r} cannot be read: {error}")


def fill(dice: str, names: Mapping[str, int]) -> str:
    """Dice notation with its sums worked out.

    >>> fill("{=trait + 1}d6kh1", {"trait": 3})
    '4d6kh1'
    """

    def number(found: re.Match[str]) -> str:
        value = parse_formula(found[1]).value(names)
        return str(value) if value >= 0 else f"(0-{-value})"

    return BRACES.sub(number, dice)


def _one_of(one: Section, key: str, among: list[str]) -> str:
    if not one.has(key):
        return ""
    if not among:
        one.wrong(key, f"{key} names something that this file does not have.")
        return ""
    return one.choice(key, among)


def _step(part: Section, names: frozenset[str]) -> Step:
    step = Step(part.key(), part.text("title"), part.formula("number"))
    check_names(part, "number", step.number, names)
    return step


def _opposed(one: Section, known: Known) -> Opposed | None:
    part = one.section("opposed")
    if part is None:
        return None
    group = _one_of(part, "uses", [g.key for g in known.groups])
    trait = _one_of(part, "trait", [t.key for g in known.groups for t in g.traits])
    ties = part.choice("ties", ("again", "ours", "theirs"), "again")
    if not group and not trait:
        part.wrong("", "The other side needs a trait.", 'Write trait = "..." or uses = "...".')
    part.close()
    return Opposed(group, trait, ties)


def _bands(one: Section, known: Known, die: NamedDie | None) -> tuple[Band, ...]:
    """The results of a roll, from the best down; the last one catches what is left."""
    bands = tuple(_band(part, known) for part in one.sections("band"))
    if not bands:
        one.wrong("", "A roll needs its results.", "Add [[roll.band]] below it, the best first.")
        return (Band("done", "done", "plain", good=True),)
    faces = {face for face in die.die.faces if isinstance(face, str)} if die else set()
    floor: int | None = None
    for index, band in enumerate(bands):
        last = index == len(bands) - 1
        if band.face and band.face not in faces:
            one.wrong(
                "band",
                f"No die of this roll has a face {band.face!r}.",
                f"Faces that are words: {', '.join(sorted(faces)) or 'none'}.",
            )
        if band.face and band.at_least is not None:
            one.wrong("band", f"{band.key!r} goes by a face or by a number, not by both.")
        if not band.face and band.at_least is None and not last:
            one.wrong(
                "band",
                f"{band.key!r} catches everything: those after it never happen.",
                "Give it at_least = ..., or put it last.",
            )
        if band.at_least is not None:
            if floor is not None and band.at_least >= floor:
                one.wrong(
                    "band",
                    f"{band.key!r} can never happen: one before it takes {band.at_least} already.",
                    "Put the highest at_least first.",
                )
            floor = band.at_least
    if bands[-1].face or bands[-1].at_least is not None:
        one.wrong(
            "band",
            f"What happens below {bands[-1].key!r}?",
            "Add a last [[roll.band]] without at_least and face.",
        )
    if len({band.key for band in bands}) < len(bands):
        one.wrong("band", "Two results of this roll have the same key.")
    return bands


def _band(part: Section, known: Known) -> Band:
    names = known.of_a_roll | {MARGIN}
    return Band(
        part.key(),
        part.text("title"),
        part.choice("tone", TONES, "plain"),
        part.tick("good", default=False),
        part.number("at_least") if part.has("at_least") else None,
        part.text("face", ""),
        part.text("says", ""),
        part.text("asks", ""),
        _marks(part, "marks", known, names),
        _marks(part, "others_marks", known, names),
    )


def _marks(one: Section, key: str, known: Known, names: frozenset[str]) -> dict[str, Formula]:
    marks = one.marks(key)
    tracks = {scale.key for scale in known.scales}
    for name, formula in marks.items():
        if name not in tracks:
            one.wrong(
                key,
                f"{key} names {name!r}, which is no track.",
                f"The [[track]] of this file: {', '.join(sorted(tracks)) or 'none'}.",
            )
        check_names(one, key, formula, names)
    return marks


def read_rests(top: Section, known: Known) -> tuple[Rest, ...]:
    """Every [[rest]]: time that passes and what it mends."""
    found = []
    for one in top.sections("rest"):
        clears = one.words("clears")
        tracks = {scale.key for scale in known.scales}
        for name in clears:
            if name not in tracks:
                one.wrong(
                    "clears",
                    f"clears names {name!r}, which is no track.",
                    f"The [[track]] of this file: {', '.join(sorted(tracks)) or 'none'}.",
                )
        found.append(
            Rest(
                one.key(),
                one.text("title"),
                one.text("help", ""),
                one.number("days", 0, 0, 3650),
                _marks(one, "marks", known, known.names),
                clears,
                one.choice("by", ("gm", "player"), "gm") == "gm",
                one.text("rule", ""),
            )
        )
    return tuple(found)


def read_growth(top: Section, known: Known) -> Growth | None:
    """[growth]: points at a session's end."""
    one = top.section("growth")
    if one is None:
        return None
    growth = Growth(one.formula("points", 1), one.formula("cost", 1), one.text("rule", ""))
    check_names(one, "points", growth.points, known.names)
    check_names(one, "cost", growth.cost, known.names | {TRAIT})
    one.close()
    return growth


def read_fighting(top: Section, known: Known) -> Fighting | None:
    """[fight]: the order in which people act."""
    one = top.section("fight")
    if one is None:
        return None
    order = one.text("order")
    _check_dice(one, order, known.names)
    add = one.formulas("add")
    for formula in add:
        check_names(one, "add", formula, known.names)
    found = Fighting(
        order,
        add,
        one.tick("each_round", default=True),
        one.number("actions", 1, 1, 9),
        one.text("rule", ""),
    )
    one.close()
    return found
