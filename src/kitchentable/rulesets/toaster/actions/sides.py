"""One side of a roll: its questions, its parts with reasons, and the total.

A side's questions are part of the form of each roll, under plain names, with a prefix ("other_on")
or with a suffix ("on.mara"); `asked_side` adds and reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, Choice, Json, Part, listed, plural, whole, worth
from kitchentable.rules.kit import (
    Each,
    Form,
    FormOf,
    Input,
    Values,
    number,
    pick,
    pick_many,
    rows,
    tick,
)
from kitchentable.rules.kit.forms import put_words
from kitchentable.rulesets.toaster import book
from kitchentable.rulesets.toaster.actions.hints import Hint, circumstances, helpers, hint, ladder
from kitchentable.rulesets.toaster.actions.throws import Thrown
from kitchentable.rulesets.toaster.book import FORM_WORDS, Choices, Parts, Row, Words
from kitchentable.rulesets.toaster.character.attributes import attribute_choices, attribute_name
from kitchentable.rulesets.toaster.character.listing import (
    key_of,
    names_of,
    played,
    skill_name,
)
from kitchentable.rulesets.toaster.character.skills import Skill, skill_choices
from kitchentable.rulesets.toaster.luck import BEFORE, call_four, luck_before
from kitchentable.rulesets.toaster.people import Here, Person

SKILL, ATTRIBUTE = "skill", "attribute"
#: The default step of difficulty (toaster.3.percentages).
AVERAGE = "average"
CUSTOM = "custom"


def split(on: Json) -> tuple[str, str, str]:
    """The parts of "skill:KEY" or "attribute:KEY:PART": kind, key, and the attribute's part.

    >>> split("skill:language:Latin"), split("attribute:physique:strength")
    (('skill', 'language:Latin', ''), ('attribute', 'physique', 'strength'))
    """
    kind, _, rest = str(on or "").partition(":")
    if kind != ATTRIBUTE:
        return SKILL, rest, ""
    key, _, aspect = rest.partition(":")
    return ATTRIBUTE, key, aspect


def skill_of(on: Json) -> str:
    """The key of the skill of a roll, or "" for an attribute."""
    kind, key, _ = split(on)
    return key if kind == SKILL else ""


# ---------------------------------------------------------------- what it is made on


def on_choices(at: Here, one: Person | None) -> Choices:
    """The skills, learned or not, and the attributes with their parts, to roll with.

    Listed members of a skill group can be tried untrained too.
    """
    name, entity = (f"on {one.id}", one.entity) if one else ("on", None)
    return at.for_rules(name, lambda: tuple(_on_choices(at, one)), entity)


def _on_choices(at: Here, one: Person | None) -> Iterator[Choice]:
    table = at.table
    skills = skill_choices(table, one)
    have = {choice.value for choice in skills}
    for choice in skills:
        yield replace(choice, value=f"{SKILL}:{choice.value}")
    for row in played(table, "members"):
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
    """The first usual skill, otherwise the first learned one that is not a language.

    Characters without any such skill roll an attribute.
    """
    values, me = [one.value for one in _on(at)], at.find(at.actor.entity)
    found = [f"{SKILL}:{one}" for one in at.form.proposed]
    if me is not None and me.is_known:
        found += [f"{SKILL}:{one.key}" for one in me.skills if not one.key.startswith("language:")]
        found += [one for one in values if one.startswith(f"{ATTRIBUTE}:")]
    return next((one for one in found if one in values), values[0])


def _note(at: Here) -> str:
    """The note on the chosen skill, or on the default one."""
    return hint(at.table, skill_of(On.on.given(at))).note


def _of(label: str) -> Callable[[Here], str]:
    return lambda at: f"{label} for {at.form.whose}" if at.form.whose else label


def _skill(at: Here) -> str:
    """The skill of the roll, or "" for an attribute or a character with hidden numbers."""
    return at.form.skill if at.me.is_known else ""


def _learned(at: Here) -> Skill:
    return at.me.skill(at.form.skill)


def _other_skills(at: Here) -> list[Skill]:
    """The character's other skills, which could help (toaster.3.complementary)."""
    skill = _skill(at)
    if not skill or not at.options.complementary_skills:
        return []
    return [one for one in at.me.skills if one.key != skill]


def handicaps(at: Here) -> Parts:
    skill = _skill(at)
    return at.me.handicaps(names_of(at.table, skill)) if skill else ()


def hampered(at: Here) -> Parts:
    """The parts of the disabilities that hamper this roll."""
    return tuple(part for part in handicaps(at) if part.name in at.form.disabilities)


def specialty_of(label: Any, known: Callable[[Here], Any]) -> Input[str]:
    """A question for the specialty of a roll, if its skill has one."""
    return pick(
        label,
        lambda at: [("", "No"), *((one.name, f"{one.name} +{one.bonus}") for one in known(at))],
        when=known,
    )


class On(Form):
    """The skill or attribute of a roll, proposed by its maker; the GM can change it."""

    label = "Skill or attribute"
    proposed: Words = ()

    on = pick(lambda at: at.form.label, _on, default=_first, help=_note)


class Own(Form):
    """The player's other decisions: specialty, help, luck, a called 4."""

    leaning = pick(
        choices=lambda at: [
            (key, f"{attribute_name(at.table, key)}: rank {rank}")
            for key, rank in _learned(at).ranks
        ],
        when=lambda at: _skill(at) and len(_learned(at).ranks) > 1,
    )
    specialty = specialty_of(
        "Within a specialty?", lambda at: at.form.skill and at.me.specialties_in(at.form.skill)
    )
    helps = pick_many(
        choices=lambda at: [
            (one.key, one.in_short, "often helps" if one.key in known else "")
            for known in [helpers(at.table, at.form.skill)]
            for one in _other_skills(at)
        ],
        when=_other_skills,
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
    )
    disabilities = pick_many(
        lambda at: f"What hampers {at.me.name} here",
        lambda at: [(one.name, f"{one.name}, {one.value:+}") for one in handicaps(at)],
        when=handicaps,
    )
    luck = luck_before(
        f"Luck points beforehand, +{BEFORE} each",
        when=lambda at: at.me.is_known,
    ).having(help=lambda at: f"{plural(at.me.luck_points, 'point')} left.")
    called = call_four("Call a 4 instead of throwing", when=lambda at: at.me.is_known)


class Within(On):
    """The skill or attribute of a roll, and its specialty."""

    specialty = Own.specialty


def suggested_help(rank: int) -> int:
    """The usual bonus of a complementary skill by rank; the GM can change it (A-68).

    toaster.3.complementary-amount.

    >>> suggested_help(3), suggested_help(4), suggested_help(7)
    (0, 1, 2)
    """
    return 2 if rank >= 7 else 1 if rank >= 4 else 0


# ---------------------------------------------------------------- what the GM adds


def beyond_five(value: int) -> str:
    """The book's advice about modifiers beyond its ladder, or "".

    >>> beyond_five(6), beyond_five(-6), beyond_five(5)
    ('Beyond +5: rather an automatic success?', 'Beyond -5: rather an automatic failure?', '')
    """
    if value > 5:
        return "Beyond +5: rather an automatic success?"
    return "Beyond -5: rather an automatic failure?" if value < -5 else ""


def hint_of(at: Here) -> Hint:
    """The hint for the skill of the roll, from the table `play`."""
    return hint(at.table, at.form.skill)


def _circumstances(at: Here) -> list[Choice]:
    return [Choice(one.key, one.label) for one in circumstances(at.table, at.form.skill)]


def _reasons(at: Here) -> str:
    """The sentence about traits that may count for or against the character.

    toaster.2.trait-social-circumstance.
    """
    reasons = at.me.reasons if at.form.names_traits and at.actor.entity else ()
    return f"Traits that may count: {', '.join(reasons)}." if reasons else ""


_KEPT: Row = {
    "set_by": GM,
    "hideable": True,
    "hidden": lambda at: at.options.difficulty_shown != "before",
}


class Difficulty(Form):
    """The difficulty: a step of the ladder or another number; beyond 5, better no roll."""

    whose = ""
    warning = ""

    difficulty = pick(
        _of("Difficulty"),
        lambda at: (*ladder(at.table), Choice(CUSTOM, "A number of its own")),
        default=AVERAGE,
        help=lambda at: at.form.warning,
        **_KEPT,
    )
    number = number(
        _of("The number"),
        when=difficulty.equals(CUSTOM),
        help=lambda at: beyond_five(at.form.number),
        **_KEPT,
    )

    def step(self) -> Parts:
        """The part of the ladder's step or the other number; none for an average task."""
        if self.difficulty == CUSTOM:
            return worth(Part("difficulty", self.number))
        found = book.row(self.at.table, "difficulty", self.difficulty)
        return worth(Part(found["name"], whole(found["modifier"]))) if found else ()

    def is_kept(self, *keys: str) -> bool:
        """Whether the GM keeps one of these answers secret."""
        return bool(self.at.actor.hidden & {*keys})


class Gms(Difficulty):
    """The GM's part of a side: difficulty, circumstances, further modifiers.

    All of it can be secret (toaster.3.difficulty-open-secret).
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
    )
    fit = pick(_of("The skill"), when=lambda at: split(at.form.given)[0] == SKILL)
    related = number(_of("For that"), when=fit.equals("related"))
    difficulty = Difficulty.difficulty
    number = Difficulty.number
    circumstances = pick_many(
        _of("Circumstances"),
        _circumstances,
        when=_circumstances,
        rule=lambda at: hint_of(at).rule or "toaster.3.difficulty-rules-or-gm",
        **_KEPT,
    )
    modifiers = rows(_of("Further modifiers"), help=_reasons, **_KEPT)
    mental = tick(
        _of("Done in the mind"), when=lambda at: at.options.mental_wound_penalty != "full"
    )


for _form in (On, Own, Difficulty, Gms):
    put_words(_form, FORM_WORDS[_form.__name__]["ask"])


# ---------------------------------------------------------------- a side with all its answers


class Side(On, Own, Gms):
    """A side of a roll with all its answers. `at.me` is the character who rolls."""

    @property
    def given(self) -> str:
        """The chosen skill or attribute, or "" before the choice."""
        return str(self.at.answers.get("on") or "")

    @property
    def rolled(self) -> str:
        """The skill or attribute of the roll: a fitting skill replaces an attribute.

        toaster.3.attribute-roll-not-if-skill.
        """
        fits = self.fitting and split(self.given)[0] == ATTRIBUTE
        return f"{SKILL}:{self.fitting}" if fits else self.given

    @property
    def skill(self) -> str:
        """The key of the skill of the roll, or "" for an attribute."""
        return skill_of(self.rolled)

    @property
    def name(self) -> str:
        """The name of the skill or attribute of the roll."""
        kind, key, aspect = split(self.rolled)
        if kind == ATTRIBUTE:
            return attribute_name(self.at.table, aspect or key)
        return skill_name(self.at.table, key)

    def rank(self, specialty: str = "") -> int:
        """The rank to add: of a skill, trained or not, or of an attribute.

        Attributes are not averaged (toaster.3.attribute-roll). A skill never learned has half the
        attribute (toaster.3.attribute-roll-not-if-skill).
        """
        kind, key, aspect = split(self.rolled)
        one: Person = self.me
        one.check_known()
        if kind == ATTRIBUTE:
            return one.attribute(key, aspect)
        return one.rank(key, self.leaning, specialty)

    def own_parts(self) -> Iterator[Part]:
        """The roller's own parts: rank, specialty, penalties of harm, luck.

        toaster.3.unopposed-order, toaster.3.luck-before-plus2.
        """
        yield Part(self.name, self.rank())
        if self.specialty and self.skill:
            yield Part(f"specialty: {self.specialty}", self.rank(self.specialty) - self.rank())
        yield from hampered(self.at)
        yield from self.me.modifiers(split(self.rolled)[0], mental=self.mental)
        if self.luck:
            name = "luck" if self.luck == 1 else f"luck, {self.luck} points"
            yield Part(name, BEFORE * self.luck)

    def helping(self) -> Parts:
        """The bonus of complementary skills, limited by the table.

        toaster.3.complementary, toaster.3.complementary-max. The GM may allow more.
        """
        total = sum(self.helps_.values())
        if not self.beyond:
            total = min(total, self.options.complementary_max)
        who = listed(skill_name(self.at.table, key) for key in self.helps)
        return worth(Part(f"helped by {who}", total))

    def of_the_gm(self, *, kept: bool) -> Iterator[Part]:
        """The GM's parts, either the secret or the public ones.

        toaster.3.difficulty-open-secret.
        """
        if self.is_kept("difficulty", "number") == kept:
            yield from self.step()
        if self.is_kept("circumstances") == kept:
            known = {one.key: one for one in circumstances(self.at.table, self.skill)}
            found = (known[key] for key in self.circumstances if key in known)
            yield from (Part(one.name, one.value) for one in found)
        if self.is_kept("modifiers") == kept:
            for row in self.modifiers:
                yield from worth(Part(str(row.get("why") or "modifier"), whole(row.get("value"))))
        if not kept and self.fit == "related" and split(self.given)[0] == SKILL:
            yield Part("a related skill", self.related)

    def throw(self, label: str = "roll", *, helped: bool = True) -> Thrown:
        """The throw with all parts added to its die. Errors: Unknown."""
        own = tuple(self.own_parts())
        return Thrown(
            self.me.id,
            self.name,
            self.rolled,
            label,
            open=(*own, *(self.helping() if helped else ()), *self.of_the_gm(kept=False)),
            kept=tuple(self.of_the_gm(kept=True)),
            called=self.called,
            luck=self.luck,
            rank=own[0].value,
        )


def side_of(at: Here, ident: str, answers: Values) -> Side:
    """A character's side of a roll, from answers under plain names."""
    return at.fill(Side, answers, replace(at.actor, entity=ident))


def asked_side(
    shows: type[Form], who: Callable[[Here], Person] | None = None, prefix: str = "", **about: Any
) -> FormOf[Side]:
    """Declare some questions of a side by class; reading them gives the whole side.

    `about` are parts of the form: label, whose, proposed.
    """
    return FormOf(Side, who, prefix, shows=shows, **about)
