"""The questions about one side of a roll: on what, what helps and hinders, what the GM adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, Choice, Field, Json, Part, whole
from kitchentable.rules.kit import Each, Form, Input, number, pick, pick_many, rows, tick
from kitchentable.rulesets.toaster import book
from kitchentable.rulesets.toaster.actions.hints import circumstances, helpers, hint, ladder
from kitchentable.rulesets.toaster.book import Choices, Parts, Row, Words, plural
from kitchentable.rulesets.toaster.character.attributes import attribute_choices, attribute_name
from kitchentable.rulesets.toaster.character.listing import key_of, names_of, skill_name
from kitchentable.rulesets.toaster.character.skills import Skill, skill_choices
from kitchentable.rulesets.toaster.luck import BEFORE, call_four, luck_before
from kitchentable.rulesets.toaster.people import Here, Person

SKILL, ATTRIBUTE = "skill", "attribute"
#: The step of difficulty that is meant when nobody says anything (toaster.3.percentages).
AVERAGE = "average"
CUSTOM = "custom"


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


def skill_of(on: Json) -> str:
    """The key of the skill that a roll is made on; "" for an attribute."""
    kind, key, _ = split(on)
    return key if kind == SKILL else ""


# ---------------------------------------------------------------- what it is made on


def on_choices(at: Here, one: Person | None) -> Choices:
    """All that a roll can be made on: skills, learned or not, attributes and their parts.

    A group's members that the table lists can be tried untrained as well.
    """
    return at.for_page(f"on {one.id if one else ''}", lambda: tuple(_on_choices(at, one)))


def _on_choices(at: Here, one: Person | None) -> Iterator[Choice]:
    table = at.table
    skills = skill_choices(table, one)
    have = {choice.value for choice in skills}
    for choice in skills:
        yield replace(choice, value=f"{SKILL}:{choice.value}")
    for row in book.rows(table, "members"):
        key = key_of(row["skill"], row["name"])
        if key not in have:
            yield Choice(f"{SKILL}:{key}", skill_name(table, key), "never learned")
    attributes = attribute_choices(table, one)
    for choice in attributes:
        yield replace(choice, value=f"{ATTRIBUTE}:{choice.value}")
    for choice in attributes:
        for part in book.rows(table, "aspects"):
            if part["attribute"] == choice.value:
                label = f"{part['name']} ({attribute_name(table, choice.value)})"
                if one is not None and one.is_known:
                    label = f"{label} {one.attribute(choice.value, part['key'])}"
                yield Choice(f"{ATTRIBUTE}:{choice.value}:{part['key']}", label)


def _on(at: Here) -> Choices:
    return on_choices(at, at.find(at.actor.entity))


def _first(at: Here) -> str:
    """The first skill that is usual here, else the first learned that is no language.

    Whoever has learned nothing else tries with an attribute.
    """
    values, me = [one.value for one in _on(at)], at.find(at.actor.entity)
    found = [f"{SKILL}:{one}" for one in at.form.proposed]
    if me is not None and me.is_known:
        found += [f"{SKILL}:{one.key}" for one in me.skills if not one.key.startswith("language:")]
        found += [one for one in values if one.startswith(f"{ATTRIBUTE}:")]
    return next((one for one in found if one in values), values[0])


def _of(label: str) -> Callable[[Here], str]:
    return lambda at: f"{label} for {at.form.whose}" if at.form.whose else label


def _skill(at: Here) -> str:
    """The skill that is rolled on by somebody whose numbers are there; "" for none."""
    return at.form.skill if at.me.is_known else ""


def _learned(at: Here) -> Skill:
    skill, me = at.form.skill, at.me
    return at.for_page(f"{skill} of {me.id}", lambda: me.skill(skill))


def _other_skills(at: Here) -> list[Skill]:
    """Skills of one's own that could help (toaster.3.complementary)."""
    skill = _skill(at)
    if not skill or not at.options.complementary_skills:
        return []
    known = at.for_page(f"skills of {at.me.id}", lambda: at.me.skills)
    return [one for one in known if one.key != skill]


def handicaps(at: Here) -> Parts:
    skill = _skill(at)
    return at.me.handicaps(names_of(at.table, skill)) if skill else ()


def specialty_of(label: Any, known: Callable[[Here], Any], **parts: Any) -> Input[str]:
    """A speciality that a roll falls into, asked where one is known for its skill."""
    return pick(
        label,
        lambda at: [("", "No"), *((one.name, f"{one.name} +{one.bonus}") for one in known(at))],
        when=known,
        default="",
        required=False,
        needs_yes=True,
        veto_only=True,
        rule="toaster.2.specialty-plus-1",
        **parts,
    )


class On(Form):
    """What a roll is made on: proposed by its maker; the GM can put another in its place."""

    label = "Skill or attribute"
    proposed: Words = ()

    on = pick(
        lambda at: at.form.label,
        _on,
        default=_first,
        needs_yes=True,
        rule="toaster.3.which-skill",
    )


class Own(Form):
    """Everything else that whoever throws decides: specialty, help, luck, a called four."""

    leaning = pick(
        "With which attribute?",
        lambda at: [
            (key, f"{attribute_name(at.table, key)}: rank {rank}")
            for key, rank in _learned(at).ranks
        ],
        when=lambda at: _skill(at) and len(_learned(at).ranks) > 1,
        default="",
        set_by=GM,
        rule="toaster.2.skill-several-ranks",
    )
    specialty = specialty_of(
        "Within a specialty?",
        lambda at: _learned(at).specialties if _skill(at) else (),
    )
    helps = pick_many(
        "Skills of yours that help",
        lambda at: [
            (one.key, f"{one.name} {one.rank}", "often helps" if one.key in known else "")
            for known in [helpers(at.table, at.form.skill)]
            for one in _other_skills(at)
        ],
        when=_other_skills,
        needs_yes=True,
        veto_only=True,
        rule="toaster.3.complementary",
    )
    helps_ = Each(
        lambda at: [(one.key, one) for one in _other_skills(at) if one.key in at.form.helps],
        lambda one: number(
            f"What {one.name} is worth",
            default=suggested_help(one.rank),
            set_by=GM,
            low=0,
            high=20,
            help=lambda at: f"All together count for {at.options.complementary_max} at most.",
            rule="toaster.3.complementary-amount",
        ),
        joint="",
    )
    beyond = tick(
        lambda at: f"More than {at.options.complementary_max} for once",
        when=lambda at: _other_skills(at) and at.form.helps,
        set_by=GM,
        rule="toaster.3.complementary-max",
    )
    disabilities = pick_many(
        lambda at: f"What hampers {at.me.name} here",
        lambda at: [(one.name, f"{one.name}, {one.value:+}") for one in handicaps(at)],
        when=handicaps,
        set_by=GM,
        rule="toaster.2.trait-disability",
    )
    luck = luck_before(
        f"Luck points beforehand, +{BEFORE} each",
        when=lambda at: at.me.is_known,
        help=lambda at: f"{plural(at.me.luck_points, 'point')} left.",
    )
    called = call_four(
        "Call a 4 instead of throwing",
        when=lambda at: at.me.is_known,
        rule="toaster.3.call4-switch",
    )


def suggested_help(rank: int) -> int:
    """What a complementary skill of this rank is worth, if the GM has no other idea (A-68).

    toaster.3.complementary-amount.

    >>> suggested_help(3), suggested_help(4), suggested_help(7)
    (0, 1, 2)
    """
    return 2 if rank >= 7 else 1 if rank >= 4 else 0


# ---------------------------------------------------------------- what the GM adds


def beyond_five(value: int) -> str:
    """What the book advises about modifiers that leave its ladder; "" within it.

    >>> beyond_five(6), beyond_five(-6), beyond_five(5)
    ('Beyond +5: rather an automatic success?', 'Beyond -5: rather an automatic failure?', '')
    """
    if value > 5:
        return "Beyond +5: rather an automatic success?"
    return "Beyond -5: rather an automatic failure?" if value < -5 else ""


def _circumstances(at: Here) -> list[Choice]:
    return [Choice(one.key, one.label) for one in circumstances(at.table, at.form.skill)]


def _reasons(at: Here) -> str:
    """Traits that may count for or against them (toaster.2.trait-social-circumstance)."""
    reasons = at.me.reasons if at.form.names_traits and at.actor.entity else ()
    return f"Traits that may count: {', '.join(reasons)}." if reasons else ""


_KEPT: Row = {
    "set_by": GM,
    "hideable": True,
    "hidden": lambda at: at.options.difficulty_shown != "before",
}


class Difficulty(Form):
    """The ladder, or a number of its own; beyond five it is better not rolled for at all."""

    whose = ""
    warning = ""

    difficulty = pick(
        _of("Difficulty"),
        lambda at: (*ladder(at.table), Choice(CUSTOM, "A number of its own")),
        default=AVERAGE,
        help=lambda at: at.form.warning,
        rule="toaster.3.difficulty-rules-or-gm",
        **_KEPT,
    )
    number = number(
        _of("The number"),
        when=difficulty.equals(CUSTOM),
        default=0,
        low=-30,
        high=30,
        help=lambda at: beyond_five(at.form.number),
        rule="toaster.3.difficulty-beyond-5",
        **_KEPT,
    )

    def step(self) -> Parts:
        """The step of the ladder, or a number of its own; nothing for an average task."""
        if self.difficulty == CUSTOM:
            return (Part("difficulty", self.number),) if self.number else ()
        found = book.row(self.at.table, "difficulty", self.difficulty)
        value = whole(found["modifier"]) if found else 0
        return (Part(str(found["name"]), value),) if found and value else ()

    def is_kept(self, *keys: str) -> bool:
        """Whether the GM keeps one of these answers from the players."""
        return bool(self.at.actor.hidden & {*keys})


class Gms(Difficulty):
    """What the GM adds to a side: difficulty, circumstances, further modifiers.

    All of it can be kept from the players (toaster.3.difficulty-open-secret).
    """

    names_traits = True

    fitting = pick(
        _of("A skill that fits, and so has to be used"),
        lambda at: [
            ("", "None fits"),
            *(
                (skill_of(one.value), one.label)
                for one in on_choices(at, None)
                if skill_of(one.value)
            ),
        ],
        when=lambda at: split(at.form.given)[0] == ATTRIBUTE,
        default="",
        required=False,
        set_by=GM,
        rule="toaster.3.attribute-roll-not-if-skill",
    )
    fit = pick(
        _of("The skill"),
        (("proper", "is the proper one"), ("related", "is only related")),
        when=lambda at: split(at.form.given)[0] == SKILL,
        default="proper",
        set_by=GM,
        rule="toaster.3.related-skill",
    )
    related = number(
        _of("For that"),
        when=fit.equals("related"),
        default=lambda at: at.options.related_modifier,
        set_by=GM,
        low=-30,
        high=0,
        rule="toaster.3.related-default",
    )
    difficulty = Difficulty.difficulty
    number = Difficulty.number
    circumstances = pick_many(
        _of("Circumstances"),
        _circumstances,
        when=_circumstances,
        help="Proposals; other numbers go under the further modifiers.",
        rule=lambda at: hint(at.table, at.form.skill).rule or "toaster.3.difficulty-rules-or-gm",
        **_KEPT,
    )
    modifiers = rows(
        _of("Further modifiers"),
        (
            Field("why", "Why", required=False, default="", longest=80),
            Field("value", "How much", "number", default=0, low=-30, high=30),
        ),
        high=12,
        help=_reasons,
        rule="toaster.3.difficulty-rules-or-gm",
        **_KEPT,
    )
    mental = tick(
        _of("Done in the mind"),
        when=lambda at: at.options.mental_wound_penalty != "full",
        set_by=GM,
        help="Wounds hinder less here.",
        rule="toaster.4.wounds-mental",
    )
