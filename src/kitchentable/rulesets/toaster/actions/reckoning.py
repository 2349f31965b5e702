"""What is added to a die and why: rank, harm, difficulty, circumstances, help, luck, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kitchentable.rules import (
    Actor,
    Answers,
    Entity,
    Json,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.boons import boon
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.actions.luck import BEFORE
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.tables import row

SKILL, ATTRIBUTE = "skill", "attribute"

#: The step of difficulty that is meant when nobody says anything (toaster.3.percentages).
AVERAGE = "average"
CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class Names:
    """How the answers of one side of a roll are called: plain, "other_...", or "....ID"."""

    prefix: str = ""
    suffix: str = ""

    def __call__(self, base: str) -> str:
        return f"{self.prefix}{base}{self.suffix}"


PLAIN_NAMES = Names()


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What is added to a die: parts that all may see, and parts that the GM keeps.

    >>> Reckoning((Part("Climb", 4),), (Part("slick", -2),)).modifier
    2
    """

    open: tuple[Part, ...]
    kept: tuple[Part, ...] = ()

    @property
    def modifier(self) -> int:
        """The sum of all parts, kept ones included."""
        return sum(part.value for part in (*self.open, *self.kept))

    @property
    def shown(self) -> int:
        """The sum of what all may see."""
        return sum(part.value for part in self.open)

    def plus(self, *parts: Part, kept: Iterable[Part] = ()) -> Reckoning:
        """The same with further parts."""
        return Reckoning((*self.open, *parts), (*self.kept, *kept))


def split(on: Json) -> tuple[str, str, str]:
    """What a roll is made on, taken apart: kind, key, and the part of an attribute.

    >>> split("skill:language:Latin"), split("attribute:physique:strength")
    (('skill', 'language:Latin', ''), ('attribute', 'physique', 'strength'))
    """
    kind, _, rest = str(on or "").partition(":")
    if kind != ATTRIBUTE:
        return SKILL, rest, ""
    key, _, aspect = rest.partition(":")
    return ATTRIBUTE, key, aspect


def rolled_on(answers: Answers, names: Names = PLAIN_NAMES) -> Json:
    """What a roll is made on in the end: a fitting skill takes the place of an attribute.

    toaster.3.attribute-roll-not-if-skill.
    """
    on = answers.get(names("on"))
    fitting = answers.get(names("fitting"))
    return f"{SKILL}:{fitting}" if fitting and split(on)[0] == ATTRIBUTE else on


def rank_part(table: Table, entity: Entity, answers: Answers, names: Names) -> Part:
    """The rank that is added: of a skill, trained or not, or of an attribute taken as it is.

    toaster.3.attribute-roll: no averaging. toaster.3.attribute-roll-not-if-skill: half the
    attribute where the skill was never learned.
    """
    kind, key, aspect = split(rolled_on(answers, names))
    if kind == ATTRIBUTE:
        name = lens.attribute_name(table, aspect or key)
        return Part(name, lens.attribute(table, entity, key, aspect))
    leaning = str(answers.get(names("leaning")) or "")
    return Part(lens.skill_name(table, key), lens.skill_rank(table, entity, key, leaning))


def own_parts(
    table: Table, entity: Entity, answers: Answers, names: Names = PLAIN_NAMES
) -> tuple[Part, ...]:
    """What somebody brings along: rank, speciality, the harm that hinders, luck spent beforehand.

    toaster.3.unopposed-order, toaster.3.luck-before-plus2.
    """
    kind, key, _ = split(rolled_on(answers, names))
    parts = [rank_part(table, entity, answers, names)]
    special = str(answers.get(names("specialty")) or "")
    if special and kind == SKILL:
        leaning = str(answers.get(names("leaning")) or "")
        with_it = lens.skill_rank(table, entity, key, leaning, special)
        parts.append(Part(f"speciality: {special}", with_it - parts[0].value))
    hampered = answers.get(names("disabilities"))
    if kind == SKILL and isinstance(hampered, list):
        held = lens.handicaps(entity, lens.names_of(table, key))
        parts.extend(one for one in held if one.name in hampered)
    mental = bool(answers.get(names("mental")))
    parts.extend(harm.modifiers(table, entity, kind, mental=mental))
    luck = whole(answers.get(names("luck")))
    if luck:
        parts.append(Part("luck" if luck == 1 else f"luck, {luck} points", BEFORE * luck))
    return tuple(parts)


def helping(table: Table, answers: Answers, names: Names = PLAIN_NAMES) -> tuple[Part, ...]:
    """What complementary skills bring, all together no more than the table's limit.

    toaster.3.complementary, toaster.3.complementary-max. The GM may go beyond it knowingly.
    """
    picked = answers.get(names("helps"))
    if not isinstance(picked, list) or not picked:
        return ()
    sizes = [whole(answers.get(names(f"helps_{key}"))) for key in picked]
    total = sum(sizes)
    most = whole(setting(table.options, "complementary_max"))
    if total > most and not answers.get(names("beyond")):
        total = most
    who = lens.listed(lens.skill_name(table, str(key)) for key in picked)
    return (Part(f"helped by {who}", total),) if total else ()


def suggested_help(rank: int) -> int:
    """What a complementary skill of this rank is worth, if the GM has no other idea (A-68).

    toaster.3.complementary-amount.

    >>> suggested_help(3), suggested_help(4), suggested_help(7)
    (0, 1, 2)
    """
    return 2 if rank >= 7 else 1 if rank >= 4 else 0


def difficulty(table: Table, answers: Answers, names: Names = PLAIN_NAMES) -> Part | None:
    """The step of the ladder, or a number of its own, as a part; None for an average task."""
    step = str(answers.get(names("difficulty")) or AVERAGE)
    if step == CUSTOM:
        number = whole(answers.get(names("number")))
        return Part("difficulty", number) if number else None
    found = row(table, "difficulty", step)
    value = whole(found["modifier"]) if found else 0
    return Part(str(found["name"]) if found else step, value) if value else None


def of_the_gm(
    table: Table, actor: Actor, answers: Answers, names: Names = PLAIN_NAMES
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """What the GM adds, open and kept: difficulty, circumstances, further modifiers, a related
    skill instead of the proper one.

    toaster.3.difficulty-rules-or-gm, toaster.3.difficulty-open-secret, toaster.3.related-skill.
    """
    found: list[tuple[str, Part]] = []
    step = difficulty(table, answers, names)
    if step is not None:
        found.append(("difficulty", step))
    found.extend(("circumstances", one) for one in _circumstances(table, answers, names))
    rows: Json = answers.get(names("modifiers"))
    found.extend(
        ("modifiers", Part(str(one.get("why") or "modifier"), whole(one.get("value"))))
        for one in (rows if isinstance(rows, list) else [])
        if whole(one.get("value"))
    )
    if answers.get(names("fit")) == "related":
        found.append(("fit", Part("a related skill", whole(answers.get(names("related"))))))
    hidden = {
        key for key in ("difficulty", "circumstances", "modifiers") if is_kept(actor, names, key)
    }
    return (
        tuple(part for key, part in found if key not in hidden),
        tuple(part for key, part in found if key in hidden),
    )


def is_kept(actor: Actor, names: Names, key: str) -> bool:
    """Whether the GM keeps this answer from the players; a number goes with its difficulty."""
    also = {"difficulty": ("difficulty", "number")}.get(key, (key,))
    return any(names(one) in actor.hidden for one in also)


def _circumstances(table: Table, answers: Answers, names: Names) -> Iterable[Part]:
    picked = answers.get(names("circumstances"))
    if not isinstance(picked, list):
        return
    kind, key, _ = split(rolled_on(answers, names))
    known = {one.key: one for one in hint(table, key).circumstances} if kind == SKILL else {}
    for one in picked:
        if one in known:
            yield Part(known[one].name, known[one].value)
        elif (found := boon(table, str(one))) is not None:
            yield Part(found.name, found.value)
