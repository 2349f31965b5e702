"""A character's skills and packages, and ranks from base and attribute."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from kitchentable.rules import Choice, Part, Table, whole
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import TABLES, Choices, Record, Row, Words, row, rows
from kitchentable.rulesets.toaster.character.attributes import (
    FOUR,
    Able,
    attribute_names,
    attributes,
    average,
)
from kitchentable.rulesets.toaster.character.listing import (
    key_of,
    listed_skill,
    package_skills,
    played,
    price,
    skill_name,
)
from kitchentable.rulesets.toaster.character.traits import (
    ACCEPTED,
    CUSTOM,
    EXPERIENCE,
    PACKAGE,
    REFUSED,
    VERDICTS,
)
from kitchentable.rulesets.toaster.options import Options

#: The least and most skills of a package (toaster.2.trait-package-size).
FEWEST, MOST = 4, 6
#: The highest base without the GM's permission (toaster.2.skill-base-range).
HIGHEST_BASE = 10
#: The most skills cached for a character and table; keys may be any words.
MOST_READ = 500
#: The free base of the native language (toaster.2.skill-language-native).
NATIVE_BASE = 4


@record
class Specialty:
    """A narrow part of a skill with a bonus."""

    name: str
    bonus: int = 1


@dataclass(frozen=True)
class Line:
    """A skill line on a sheet with its index; -1 if it is not on the sheet."""

    place: int
    row: Record

    @cached_property
    def key(self) -> str:
        """The key of the skill: "ride", "language:Latin"."""
        return key_of(self.row.get("skill"), self.row.get("of"))

    @property
    def base(self) -> int:
        """The base on the sheet, without packages."""
        return whole(self.row.get("base"))

    def says(self, column: str) -> str:
        """The text in a column, stripped."""
        return str(self.row.get(column) or "").strip()

    @property
    def names(self) -> Words:
        """The specialties on the line."""
        return tuple(filter(None, (self.says("specialty"), self.says("specialty2"))))

    @property
    def areas(self) -> Words:
        """The skill's areas as written, without duplicates."""
        parts = (one.strip() for one in self.says("areas").replace("\n", ",").split(","))
        return tuple({one.casefold(): one for one in parts if one}.values())


@record
class Skill:
    """A character's skill: its key ("ride", "language:Latin"), base, and rank with an attribute.

    `ranks` has every attribute with its rank if the table allows several
    (toaster.2.skill-several-ranks); the first is `attribute` and `rank`. `place` is the index of
    its line on the sheet, or -1 for a skill from a package only.
    """

    key: str
    name: str
    attribute: str
    base: int
    rank: int
    ranks: tuple[tuple[str, int], ...] = ()
    specialties: tuple[Specialty, ...] = ()
    place: int = -1

    @property
    def in_short(self) -> str:
        """The name with the rank: "Ride 6"."""
        return f"{self.name} {self.rank}"


def specialty_key(skill: str, name: str) -> str:
    """The key of the GM's verdict on a specialty."""
    return f"speciality:{skill}/{name}"


class Skilled(Able):
    """A character with skills."""

    # ------------------------------------------------------------ lines and packages

    @property
    def skill_lines(self) -> list[Line]:
        """The lines under "Skills" on the sheet."""
        return [Line(place, one) for place, one in self.lines("skills")]

    @property
    def skill_rows(self) -> list[Row]:
        """The lines of the skills as changeable copies."""
        return [dict(one) for _, one in self.lines("skills")]

    def line(self, key: str) -> Line:
        """The line of a skill; a line with base 0 if it was never learned."""
        wanted = key.casefold()
        found = (one for one in self.skill_lines if one.key.casefold() == wanted)
        return next(found, None) or _unlearned(key)

    @cached_property
    def packaged(self) -> dict[str, list[tuple[int, bool]]]:
        """The points of packages by skill, and whether the GM lets the base exceed 10.

        toaster.2.trait-package.
        """
        found: dict[str, list[tuple[int, bool]]] = {}
        for trait in self.traits:
            if trait.kind == PACKAGE:
                free = self.verdict(f"package:{trait.name}") == ACCEPTED
                for key in package_skills(self.table, trait.of).values():
                    found.setdefault(key, []).append((trait.rank, free))
        return found

    # ------------------------------------------------------------ skills

    @cached_property
    def skills(self) -> tuple[Skill, ...]:
        """The skills on the sheet, in order, followed by those only from packages."""
        known = self.skill_lines
        keys = {"", *(one.key for one in known)}
        given = [_unlearned(key) for key in self.packaged if key not in keys]
        return tuple(map(self._skill, (*known, *given)))

    def skill(self, key: str) -> Skill:
        """A skill; base 0 if never learned (toaster.2.skill-base-range)."""
        read: dict[str, Skill] = self.once("skills", dict)
        found = read.get(key)
        if found is None:
            found = self._skill(self.line(key))
            if len(read) < MOST_READ:
                read[key] = found
        return found

    def specialties_in(self, key: str) -> tuple[Specialty, ...]:
        """The specialties of a skill, or () for hidden numbers."""
        return self.skill(key).specialties if self.is_known else ()

    def base(self, key: str) -> int:
        """The base of a skill including packages; 0 if never learned."""
        return self.skill(key).base

    def rank(self, key: str, attribute: str = "", specialty: str = "") -> int:
        """The rank of a skill: base and attribute averaged (toaster.2.skill-rank-average).

        `attribute` replaces the agreed attribute, and `specialty` adds its bonus
        (toaster.2.specialty-plus-1).
        """
        found, wanted = self.skill(key), specialty.casefold()
        rank = found.rank
        if attribute and attribute != found.attribute:
            rank = self._rank(found.key, found.base, attribute)
        bonus = (one.bonus for one in found.specialties if one.name.casefold() == wanted)
        return rank + (next(bonus, 0) if wanted else 0)

    def rank_part(self, key: str, specialty: str = "") -> Part:
        """The part of a skill in a roll, with the roll's specialty."""
        name = skill_name(self.table, key)
        shown = f"{name} ({specialty})" if specialty else name
        return Part(shown, self.rank(key, specialty=specialty))

    def _skill(self, line: Line) -> Skill:
        key = line.key
        base = self.base_with(key, line.base)
        leans = attributes_for(self.table, line)
        ranks = tuple((one, self._rank(key, base, one)) for one in leans) or (("", 0),)
        several = ranks if self.options.skill_several_ranks else ranks[:1]
        return Skill(
            key, skill_name(self.table, key), ranks[0][0], base, ranks[0][1],
            several if leans else (), self._specialties(line), line.place,
        )  # fmt: skip

    def base_with(self, key: str, bought: int) -> int:
        """The bought base plus the points of packages, above 10 only with permission.

        toaster.2.trait-package, toaster.2.trait-package-cap (A-04).
        """
        total = bought
        for added, unlimited in self.packaged.get(key, ()):
            total = total + added if unlimited else min(total + added, max(HIGHEST_BASE, total))
        return total

    def _rank(self, key: str, base: int, of: str) -> int:
        """The rank: base and attribute averaged, plus the modifiers of traits.

        Parts of the attribute count if the GM linked them to this skill (A-14).
        toaster.2.skill-rank-average, toaster.2.skill-rank-traits.
        """
        names = (key, skill_name(self.table, key))
        linked = (
            one["key"]
            for one in rows(self.table, "aspects")
            if one["attribute"] == of and key in one.get("skills", ())
        )
        added = (one.modifier for one in self.traits if one.kind == CUSTOM and one.is_about(names))
        return average(base, self.attribute(of, *linked)) + sum(added)

    # ------------------------------------------------------------ specialties

    def _specialties(self, line: Line) -> tuple[Specialty, ...]:
        """The active specialties of a line: option on, and not refused by the GM.

        toaster.2.specialty-switch, toaster.2.specialty-rank-8-second.
        """
        bonus = 2 if line.row.get("doubled") else 1
        found = Specialty(line.says("specialty"), bonus), Specialty(line.says("specialty2"))
        return tuple(
            one
            for one in (found if self.options.specialization else ())
            if one.name and self.specialty_verdict(line.key, one.name) != REFUSED
        )

    def specialty_verdict(self, key: str, name: str) -> str:
        """The GM's verdict on a specialty: "accepted", "refused", or "proposed".

        Specialties on the sheet of a character in play were accepted with it
        (toaster.2.specialty-gm-approval).
        """
        return str(VERDICTS.said(self, specialty_key(key, name))["verdict"])

    # ------------------------------------------------------------ points

    @property
    def style(self) -> Row:
        """The style in which the character is built: the campaign's, or an NPC's own."""
        own = None if self.is_players else row(self.table, "styles", self.sheet.get("style"))
        return own or style(self.table)

    @property
    def attribute_budget(self) -> int:
        """The points for attributes: the style's, and more for every additional attribute.

        toaster.2.creation-attribute-points; each additional attribute adds a quarter of the style's
        points, unless an option sets the number (toaster.2.extra-attributes-points, A-03).
        """
        points = whole(self.style["attribute_points"])
        further = max(0, len(attributes(self.table)) - len(FOUR))
        said = self.options.extra_attribute_points
        return points + (further * points // len(FOUR) if said is None else further and said)

    @property
    def attributes_spent(self) -> int:
        """Attribute points spent: the bought ranks without traits.

        toaster.2.trait-attribute-timing.
        """
        return sum(map(self.bought, attribute_names(self.table)))

    @property
    def skill_budget(self) -> int:
        """Points for skills: the style's, and 5 for each rank of experience.

        toaster.2.trait-experience.
        """
        return whole(self.style["skill_points"]) + 5 * self.ranks_of(EXPERIENCE)

    @property
    def skills_spent(self) -> Fraction:
        """Skill points spent on the current bases (toaster.2.creation-skill-points).

        The first steps of a native language are free (toaster.2.skill-language-native).
        """
        spent = Fraction(0)
        for one in self.skill_lines:
            steps = one.base - (NATIVE_BASE if one.row.get("native") else 0)
            spent += max(0, steps) * price(self.table, one.key)
        return spent

    @property
    def free_ranks(self) -> int:
        """The trait ranks that need no balance (toaster.2.creation-free-traits).

        toaster.2.creation-free-traits-may: a table can do without them.
        """
        return whole(self.style["free_traits"]) if self.options.free_traits else 0


def style(table: Table) -> Row:
    """The style of the campaign (toaster.2.creation-style, toaster.2.creation-style-table)."""
    return row(table, "styles", Options(table.options).style) or TABLES["styles"][0]


def _unlearned(key: str) -> Line:
    skill, _, of = key.partition(":")
    return Line(-1, {"skill": skill, "of": of})


def attributes_for(table: Table, line: Line) -> Words:
    """The attributes of a skill: those agreed for this character, otherwise the list's first.

    toaster.2.skill-attribute-choice, toaster.2.skill-single-attribute.
    """
    there = attribute_names(table)
    columns = ("attribute", "attribute2", "attribute3")
    agreed = [str(said) for said in map(line.row.get, columns) if said in there]
    if not agreed:
        found = listed_skill(table, line.key)
        agreed = [one for one in (found["attributes"] if found else ()) if one in there][:1]
    return tuple(dict.fromkeys(agreed))


def skill_choices(table: Table, one: Skilled | None = None) -> Choices:
    """The skills as choices: learned ones first, then the rest of the list.

    Visible ranks are shown. Of groups, only learned members are included.
    """
    single = {each["key"]: each["name"] for each in played(table, "skills") if not each["group"]}
    if one is None or not one.is_known:
        return tuple(Choice(key, name) for key, name in single.items())
    own = {each.key: Choice(each.key, each.in_short) for each in one.skills}
    return (
        *own.values(),
        *(
            Choice(key, f"{name} {one.rank(key)}", "never learned")
            for key, name in single.items()
            if key not in own
        ),
    )
