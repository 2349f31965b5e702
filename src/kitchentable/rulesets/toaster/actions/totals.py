"""A side of a roll with all its answers: what is added to its die and why, and the sum.

A side's questions stand on the form of whatever is rolled, under their plain names, with a prefix
("other_on") or with a suffix ("on.mara"); `asked_side` puts them there and reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from kitchentable.rules import Part, Problem, listed, whole
from kitchentable.rules.kit import Form, FormOf, Problems, Values
from kitchentable.rulesets.toaster.actions.hints import circumstances
from kitchentable.rulesets.toaster.actions.sides import (
    ATTRIBUTE,
    SKILL,
    Gms,
    On,
    Own,
    handicaps,
    skill_of,
    split,
)
from kitchentable.rulesets.toaster.actions.throws import Thrown
from kitchentable.rulesets.toaster.book import Parts, plural
from kitchentable.rulesets.toaster.character.attributes import attribute_name
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.people import Here, Person


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
            return attribute_name(self.at.table, aspect or key)
        return skill_name(self.at.table, key)

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
        yield from (part for part in handicaps(self.at) if part.name in self.disabilities)
        kind = split(self.rolled)[0]
        yield from one.modifiers(kind, mental=self.mental)
        if self.luck:
            name = "luck" if self.luck == 1 else f"luck, {self.luck} points"
            yield Part(name, BEFORE * self.luck)

    def helping(self) -> Parts:
        """What complementary skills bring, all together no more than the table's limit.

        toaster.3.complementary, toaster.3.complementary-max. The GM may go beyond it knowingly.
        """
        total = sum(self.helps_.values())
        if not self.beyond:
            total = min(total, self.at.options.complementary_max)
        who = listed(skill_name(self.at.table, key) for key in self.helps)
        return (Part(f"helped by {who}", total),) if total else ()

    def _of_the_gm(self) -> Iterator[tuple[bool, Part]]:
        """What the GM adds, and whether it is kept (toaster.3.difficulty-open-secret)."""
        table = self.at.table
        kept = self.is_kept("difficulty", "number")
        yield from ((kept, part) for part in self.step())
        kept = self.is_kept("circumstances")
        known = {one.key: one for one in circumstances(table, self.skill)}
        for one in map(known.get, self.circumstances):
            if one is not None:
                yield kept, Part(one.name, one.value)
        kept = self.is_kept("modifiers")
        for row in self.modifiers:
            if whole(row.get("value")):
                yield kept, Part(str(row.get("why") or "modifier"), whole(row.get("value")))
        if self.fit == "related" and split(self.given)[0] == SKILL:
            yield False, Part("a related skill", self.related)

    def throw(self, label: str = "roll", *, helped: bool = True) -> Thrown:
        """The throw with all that is added to its die. Errors: Unknown."""
        gms, own = tuple(self._of_the_gm()), tuple(self.own_parts())
        return Thrown(
            self.at.me.id,
            self.name,
            self.rolled,
            label,
            open=(
                *own,
                *(self.helping() if helped else ()),
                *(part for kept, part in gms if not kept),
            ),
            kept=tuple(part for kept, part in gms if kept),
            called=self.called,
            luck=self.luck,
            rank=own[0].value,
        )

    def check(self, name: str = "luck") -> Problems:
        """More luck allocated than there is (toaster.3.luck-limits)."""
        one = self.at.me
        if self.luck > one.luck_points:
            sentence = f"{one.name} has {plural(one.luck_points, 'luck point')} left."
            yield Problem(name, "toaster.3.luck-limits", sentence)


def side_of(at: Here, ident: str, answers: Values, **about: Any) -> Side:
    """Somebody's side of a roll by its answers under plain names; `about` are parts of the form."""
    return at.fill(Side, answers, replace(at.actor, entity=ident), **about)


def asked_side(
    shows: type[Form], who: Callable[[Here], Person] | None = None, prefix: str = "", **about: Any
) -> FormOf[Side]:
    """Some questions of a side, by a class that declares them; reading it gives the whole side.

    `about` are parts of the form: label, whose, proposed.
    """
    return FormOf(Side, who, prefix, shows=shows, **about)
