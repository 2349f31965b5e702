"""One side of a roll: what it is made on, what helps and hinders, what the GM adds, and the sum.

A side's questions stand on the form of whatever is rolled, under their plain names, with a prefix
("other_on") or with a suffix ("on.mara"); `SideOf` puts them there and reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import GM, Choice, Field, Json, Part, Problem, listed, whole
from kitchentable.rules.kit import Each, Form, Input, Unknown, number, pick, pick_many, rows, tick
from kitchentable.rulesets.toaster import tables
from kitchentable.rulesets.toaster.actions.boons import boon, boons
from kitchentable.rulesets.toaster.actions.hints import helpers, hint, ladder, signed
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.options.stars import may_call
from kitchentable.rulesets.toaster.people import Here, Person

SKILL, ATTRIBUTE = "skill", "attribute"
#: The step of difficulty that is meant when nobody says anything (toaster.3.percentages).
AVERAGE = "average"
CUSTOM = "custom"


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


def on_choices(at: Here, one: Person | None) -> tuple[Choice, ...]:
    """All that a roll can be made on: skills, learned or not, attributes and their parts.

    A group's members that the table lists can be tried untrained as well.
    """
    return at.for_page(f"on {one.id if one else ''}", lambda: tuple(_on_choices(at, one)))


def _on_choices(at: Here, one: Person | None) -> Iterator[Choice]:
    table, entity = at.table, one.entity if one else None
    known = one is not None and one.is_known
    skills = lens.skill_choices(table, entity)
    have = {choice.value for choice in skills}
    for choice in skills:
        yield replace(choice, value=f"{SKILL}:{choice.value}")
    for row in tables.rows(table, "members"):
        key = lens.key_of(row["skill"], row["name"])
        if key not in have:
            yield Choice(f"{SKILL}:{key}", lens.skill_name(table, key), "never learned")
    attributes = lens.attribute_choices(table, entity)
    for choice in attributes:
        yield replace(choice, value=f"{ATTRIBUTE}:{choice.value}")
    for choice in attributes:
        for part in lens.aspect_choices(table, choice.value):
            label = f"{part.label} ({lens.attribute_name(table, choice.value)})"
            if one is not None and known:
                label = f"{label} {one.attribute(choice.value, part.value)}"
            yield Choice(f"{ATTRIBUTE}:{choice.value}:{part.value}", label)


def _on(at: Here) -> tuple[Choice, ...]:
    return on_choices(at, at.find(at.actor.entity))


def _first(at: Here) -> str:
    """Of the skills that are usual here the first one, else the first of all."""
    values = [one.value for one in _on(at)]
    usual = [f"{SKILL}:{one}" for one in at.form.proposed]
    return next((one for one in usual if one in values), values[0])


def _set_by(at: Here) -> str:
    return str(at.form.set_by)


def _of(label: str) -> Callable[[Here], str]:
    return lambda at: f"{label} for {at.form.whose}" if at.form.whose else label


def _skill(at: Here) -> str:
    """The skill that is rolled on by somebody whose numbers are there; "" for none."""
    return at.form.skill if at.me.is_known else ""


def _learned(at: Here) -> lens.Skill:
    skill, me = at.form.skill, at.me
    return at.for_page(f"{skill} of {me.id}", lambda: lens.find_skill(at.table, me.entity, skill))


def _other_skills(at: Here) -> list[lens.Skill]:
    """Skills of one's own that could help (toaster.3.complementary)."""
    skill = _skill(at)
    if not skill or not at.options.complementary_skills:
        return []
    known = at.for_page(f"skills of {at.me.id}", lambda: at.me.skills)
    return [one for one in known if one.key != skill]


def _handicaps(at: Here) -> tuple[Part, ...]:
    skill = _skill(at)
    return lens.handicaps(at.me.entity, lens.names_of(at.table, skill)) if skill else ()


class On(Form):
    """What a roll is made on: proposed by its maker; the GM can put another in its place."""

    label = "Skill or attribute"
    set_by = "actor"
    proposed: tuple[str, ...] = ()

    on = pick(
        lambda at: at.form.label,
        _on,
        default=_first,
        set_by=_set_by,
        needs_yes=True,
        rule="toaster.3.which-skill",
    )


class Own(Form):
    """Everything else that whoever throws decides: specialty, help, luck, a called four."""

    set_by = "actor"

    leaning = pick(
        "With which attribute?",
        lambda at: [
            (key, f"{lens.attribute_name(at.table, key)}: rank {rank}")
            for key, rank in _learned(at).ranks
        ],
        when=lambda at: _skill(at) and len(_learned(at).ranks) > 1,
        default="",
        set_by=GM,
        rule="toaster.2.skill-several-ranks",
    )
    specialty = pick(
        "Within a specialty?",
        lambda at: [
            ("", "No"),
            *((one.name, f"{one.name} +{one.bonus}") for one in _learned(at).specialties),
        ],
        when=lambda at: _skill(at) and _learned(at).specialties,
        default="",
        required=False,
        set_by=_set_by,
        needs_yes=True,
        veto_only=True,
        rule="toaster.2.specialty-plus-1",
    )
    helps = pick_many(
        "Skills of yours that help",
        lambda at: [
            (one.key, f"{one.name} {one.rank}", "often helps" if one.key in known else "")
            for known in [helpers(at.table, at.form.skill)]
            for one in _other_skills(at)
        ],
        when=_other_skills,
        set_by=_set_by,
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
        lambda at: [(one.name, f"{one.name}, {one.value:+}") for one in _handicaps(at)],
        when=_handicaps,
        set_by=GM,
        rule="toaster.2.trait-disability",
    )
    luck = number(
        f"Luck points beforehand, +{BEFORE} each",
        when=lambda at: at.me.is_known and at.me.luck_points,
        default=0,
        required=False,
        set_by=_set_by,
        low=0,
        high=lambda at: at.me.luck_points,
        help=lambda at: f"{lens.plural(at.me.luck_points, 'point')} left.",
        rule="toaster.3.luck-before-plus2",
    )
    called = tick(
        "Call a 4 instead of throwing",
        when=lambda at: at.me.is_known and may_call(at.table.options),
        set_by=_set_by,
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
    skill = at.form.skill
    return [
        *(Choice(one.key, one.label) for one in hint(at.table, skill).circumstances if skill),
        *(
            Choice(one.id, f"{one.name}, {signed(one.value)}")
            for one in boons(at.table, skill.partition(":")[0])
        ),
    ]


def _reasons(at: Here) -> str:
    """Traits that may count for or against them (toaster.2.trait-social-circumstance)."""
    reasons = lens.reasons(at.me.entity) if at.form.names_traits and at.actor.entity else ()
    return f"Traits that may count: {', '.join(reasons)}." if reasons else ""


_KEPT: dict[str, Any] = {
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

    def step(self) -> tuple[Part, ...]:
        """The step of the ladder, or a number of its own; nothing for an average task."""
        if self.difficulty == CUSTOM:
            return (Part("difficulty", self.number),) if self.number else ()
        found = tables.row(self.at.table, "difficulty", self.difficulty)
        value = whole(found["modifier"]) if found else 0
        return (Part(str(found["name"]), value),) if found and value else ()

    def is_kept(self, *keys: str) -> bool:
        """Whether the GM keeps one of these answers from the players."""
        return bool(self.at.actor.hidden & {*keys})


_number = number


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
    related = _number(
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


# ---------------------------------------------------------------- the sum


class Side(On, Own, Gms):
    """A side of a roll, with all answers about it. `at.me` is whoever throws."""

    @property
    def given(self) -> str:
        """What was picked; "" before anybody has, so that nothing else is asked about it yet."""
        return str(self.at.answers.get("on") or "")

    @property
    def rolled(self) -> str:
        """What it is made on in the end: a fitting skill takes the place of an attribute.

        toaster.3.attribute-roll-not-if-skill.
        """
        fits = self.fitting and split(self.given)[0] == ATTRIBUTE
        return f"{SKILL}:{self.fitting}" if fits else self.given

    @property
    def skill(self) -> str:
        """The key of the skill that is rolled on; "" for an attribute."""
        return skill_of(self.rolled)

    @property
    def name(self) -> str:
        """What it is made on, in words."""
        kind, key, aspect = split(self.rolled)
        if kind == ATTRIBUTE:
            return lens.attribute_name(self.at.table, aspect or key)
        return lens.skill_name(self.at.table, key)

    def rank(self, specialty: str = "") -> int:
        """The rank that is added: of a skill, trained or not, or of an attribute taken as it is.

        toaster.3.attribute-roll: no averaging. toaster.3.attribute-roll-not-if-skill: half the
        attribute where the skill was never learned.
        """
        kind, key, aspect = split(self.rolled)
        one: Person = self.at.me
        one.check_known()
        if kind == ATTRIBUTE:
            return one.attribute(key, aspect)
        return one.rank(key, self.leaning, specialty)

    def own_parts(self) -> Iterator[Part]:
        """What somebody brings along: rank, specialty, the harm that hinders, luck beforehand.

        toaster.3.unopposed-order, toaster.3.luck-before-plus2.
        """
        one, skill = self.at.me, self.skill
        yield Part(self.name, self.rank())
        if self.specialty and skill:
            yield Part(f"specialty: {self.specialty}", self.rank(self.specialty) - self.rank())
        yield from (part for part in _handicaps(self.at) if part.name in self.disabilities)
        kind = split(self.rolled)[0]
        yield from harm.modifiers(self.at.table, one.now, kind, mental=self.mental)
        if self.luck:
            name = "luck" if self.luck == 1 else f"luck, {self.luck} points"
            yield Part(name, BEFORE * self.luck)

    def helping(self) -> tuple[Part, ...]:
        """What complementary skills bring, all together no more than the table's limit.

        toaster.3.complementary, toaster.3.complementary-max. The GM may go beyond it knowingly.
        """
        total = sum(self.helps_.values())
        if not self.beyond:
            total = min(total, self.at.options.complementary_max)
        who = listed(lens.skill_name(self.at.table, key) for key in self.helps)
        return (Part(f"helped by {who}", total),) if total else ()

    def _of_the_gm(self) -> Iterator[tuple[bool, Part]]:
        """What the GM adds, and whether it is kept (toaster.3.difficulty-open-secret)."""
        table = self.at.table
        kept = self.is_kept("difficulty", "number")
        yield from ((kept, part) for part in self.step())
        kept = self.is_kept("circumstances")
        known = {one.key: one for one in hint(table, self.skill).circumstances if self.skill}
        for key in self.circumstances:
            found = known.get(key) or boon(table, key)
            if found is not None:
                yield kept, Part(found.name, found.value)
        kept = self.is_kept("modifiers")
        for row in self.modifiers:
            if whole(row.get("value")):
                yield kept, Part(str(row.get("why") or "modifier"), whole(row.get("value")))
        if self.fit == "related" and split(self.given)[0] == SKILL:
            yield False, Part("a related skill", self.related)

    def reckon(self, *, helped: bool = True) -> Reckoning:
        """All that is added to the die. Errors: Unknown."""
        gms = tuple(self._of_the_gm())
        own = (*self.own_parts(), *(self.helping() if helped else ()))
        return Reckoning(
            (*own, *(part for kept, part in gms if not kept)),
            tuple(part for kept, part in gms if kept),
        )

    def check(self, name: str = "luck") -> Iterator[Problem]:
        """More luck allocated than there is (toaster.3.luck-limits)."""
        one = self.at.me
        if self.luck > one.luck_points:
            sentence = f"{one.name} has {lens.plural(one.luck_points, 'luck point')} left."
            yield Problem(name, "toaster.3.luck-limits", sentence)


def side_of(at: Here, one: Person | str, answers: Mapping[str, Json], **about: Any) -> Side:
    """Somebody's side of a roll by its answers under plain names; `about` are parts of the form."""
    other = copy(at)
    other.actor = replace(at.actor, entity=one if isinstance(one, str) else one.id)
    other.answers = dict(answers)
    side = Side(other)
    vars(side).update(about)
    other.form = side
    return side


class SideOf(Input[Side]):
    """Some questions of a side, by a class that declares them; reading it gives the whole side.

    `who` gives whose side it is, the actor if unsaid. `about` are parts of the form (label, whose,
    set_by, proposed), each a value or a function of the moment.
    """

    def __init__(
        self,
        shows: type[Form],
        who: Callable[[Here], Person] | None = None,
        prefix: str = "",
        suffix: str = "",
        **about: Any,
    ) -> None:
        super().__init__("", "", lambda at, given: given)
        self.shows, self.who, self.about = shows, who, about
        self.prefix, self.suffix = prefix, suffix

    def answer(self, at: Here, name: str) -> Side:
        """The side. Errors: Unknown, where nobody is picked yet."""
        mine = {key: one for name, one in at.answers.items() if (key := self._plain(name))}
        about = {key: one(at) if callable(one) else one for key, one in self.about.items()}
        who = self.who(at).id if self.who is not None else at.actor.entity
        side = side_of(at, who, mine, **about)
        hidden = frozenset(key for name in at.actor.hidden if (key := self._plain(name)))
        side.at.actor = replace(side.at.actor, hidden=hidden)
        return side

    def fields(self, at: Here) -> Iterator[Field]:
        """The questions, under this side's names."""
        try:
            side = self.answer(at, self.name)
        except Unknown:
            return
        for one in self.shows.inputs:
            for field in one.fields(side.at):
                yield replace(field, name=f"{self.prefix}{field.name}{self.suffix}")

    def _plain(self, name: str) -> str:
        """The plain name of one of this side's answers; "" for another's."""
        if not (name.startswith(self.prefix) and name.endswith(self.suffix)):
            return ""
        return name.removeprefix(self.prefix).removesuffix(self.suffix)
