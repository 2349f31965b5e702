"""The builder: the parts of a sheet as forms, with remaining points and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Budget,
    Choice,
    Field,
    Offer,
    Section,
    Table,
    fresh,
    listed,
)
from kitchentable.rules.forms import misread
from kitchentable.rules.kit import Form, Input, Problems, maybe_number
from kitchentable.rules.kit.forms import Varying
from kitchentable.rulesets.toaster.book import Row, problem, rows
from kitchentable.rulesets.toaster.character.attributes import (
    BARE,
    attribute_names,
    attribute_word,
    attributes,
)
from kitchentable.rulesets.toaster.character.listing import (
    LANGUAGE,
    as_number,
    career_skills,
    fluency,
    key_of,
    listed_skill,
    members,
    played,
    skill_name,
    skill_words,
)
from kitchentable.rulesets.toaster.character.presets import ONLY_WITH, PARTS, skill_line
from kitchentable.rulesets.toaster.character.skills import Skilled
from kitchentable.rulesets.toaster.character.traits import (
    rank_word,
    suggested_rank,
)
from kitchentable.rulesets.toaster.harm.places import armor_classes
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, Person, attack_waits, toaster

_WEAPON = "weapon-skill"
#: The base of each skill in a package; its player spends the rest of the points.
_PACKAGED = 5

# ---------------------------------------------------------------- what the table's lists fill in


def _rows(name: str, label: str = "{name}", hint: str = "") -> Callable[[Table], list[Choice]]:
    """The rows of a table as choices, with this label and hint."""
    return lambda table: [_choice(one, label, hint) for one in rows(table, name)]


def _choice(one: Row, label: str = "{name}", hint: str = "") -> Choice:
    return Choice(one["key"], label.format(**one), hint.format(**one))


def _skills(table: Table) -> list[Choice]:
    groups = {True: "{name}: ...", False: "{name}"}
    return [_choice(one, groups[bool(one["group"])]) for one in played(table, "skills")]


def _weapons(table: Table) -> list[Choice]:
    kinds = (*rows(table, "weapon"), *rows(table, "missile"))
    return [_choice(one, hint="WC {wc}") for one in kinds if one["key"] not in BARE]


def _wielding(table: Table) -> list[Choice]:
    groups = (key_of(_WEAPON, one) for one in members(table, _WEAPON))
    keys = ("throw", "brawl", "martial-arts", *groups)
    return [Choice(key, skill_name(table, key)) for key in keys]


def _bodies(table: Table) -> list[Choice]:
    """The kinds of bodies with a table of hit locations."""
    kinds = dict.fromkeys(str(one.get("body") or "") for one in rows(table, "locations"))
    return [Choice(one, one) for one in kinds]


#: The choices that come from the table's lists, by path of the question.
_CHOICES: Mapping[str, Callable[[Table], list[Choice]]] = {
    "skills.skill": _skills,
    **dict.fromkeys(
        ("skills.attribute", "skills.attribute2", "skills.attribute3"),
        lambda table: [_choice(one) for one in attributes(table)],
    ),
    "traits.kind": _rows("trait_kinds"),
    "traits.severity": _rows("severity"),
    "traits.frequency": lambda table: [
        Choice(one, one.capitalize()) for one in ("rare", "common", "constant")
    ],
    "weapons.like": _weapons,
    "weapons.skill": _wielding,
    "armour.like": _rows("armour", hint="AC {ac}"),
    "shield": _rows("shield", "{name} (+{bonus})"),
    "style": _rows("styles"),
    "body": _bodies,
}
#: Required questions for which the file cannot list choices, with their defaults.
_NEEDED: Mapping[str, str | None] = {"skills.skill": None, "traits.kind": "custom"}


def _asked(table: Table, fields: Iterable[Field], way: str = "") -> Iterator[Field]:
    """The file's questions that this table uses, completed from its lists and options."""
    for field in fields:
        name = f"{way}{field.name}"
        only = ONLY_WITH.get(name)
        if (name == "body" and len(_bodies(table)) < 2) or (
            only and not Options(table.options)[only]
        ):
            continue
        yield replace(field, **dict(_filled(table, field, name)))


def _filled(table: Table, field: Field, name: str) -> Iterator[tuple[str, Any]]:
    """The parts of a question that depend on the table."""
    if field.columns:
        yield "columns", tuple(_asked(table, field.columns, f"{name}."))
    if name in _CHOICES:
        choices = (*field.choices, *_CHOICES[name](table))
        yield from (("kind", "choice"), ("choices", choices))
        if name == "body":
            yield "default", choices[0].value
    if name in _NEEDED:
        yield from (("required", True), ("default", _NEEDED[name]))
    if name == "armour.areas":
        areas = dict.fromkeys(str(one["area"]) for one in rows(table, "locations"))
        yield "help", ", ".join(areas)


def part(table: Table, key: str, **more: Any) -> Section:
    """A part of the sheet at this table."""
    found = PARTS[key]
    fields = table.for_rules(f"part {key}", lambda: tuple(_asked(table, found.fields)))
    return replace(found, **{"fields": fields, **more})


# ---------------------------------------------------------------- the sections


def sections(one: Person) -> Iterator[Section]:
    """The parts of a sheet; for a new character, with the points left to spend."""
    new = one.is_players and one.stage != "play" and "condition" not in one.entity.state
    table, worn = one.table, [each.name for each in one.worn]
    body, money = part(table, "body"), one.options.starting_money
    classes = (f"{ac} {where}".strip() for where, ac in armor_classes(one).items())

    def made(key: str, title: str, spent: float, of: float, **more: Any) -> Section:
        """A part that costs points, with a budget for a new character."""
        return part(table, key, budget=Budget(title, spent, of) if new else None, **more)

    if not one.is_players:
        yield _gms(table)
    yield from _packages(table) if new else ()
    yield part(table, "concept")
    yield made(
        "attributes",
        "Attribute points",
        one.attributes_spent,
        one.attribute_budget,
        fields=tuple(_attributes(one)),
        help="Four is an average person; above ten nobody is human." if new else "",
    )
    yield made(
        "skills",
        "Skill points",
        as_number(one.skills_spent),
        one.skill_budget,
        help="The base is training, 0 to 10; the rank is base and attribute averaged. Groups "
        f"need a name: {_groups(table)}.",
        row_notes=dict(_skill_notes(one)),
        in_summary=True,
    )
    yield made(
        "traits",
        "Ranks of traits",
        one.trait_sum,
        one.free_ranks,
        help="Ranks go from -5 to +5. Guide, for a trait that matters rarely, commonly or "
        f"constantly: {_guide(table)}. A package names its four to six skills, or a career: "
        f"{', '.join(each['name'] for each in rows(table, 'careers'))}.",
        row_notes=dict(_trait_notes(one)),
    )
    yield part(
        table,
        "gear",
        help=f"To begin with: {money}." if money else "What somebody like you would have.",
        row_notes=dict(_weapon_notes(one)),
    )
    yield replace(
        body,
        help=f"AC {', '.join(classes)}{' with ' + ', '.join(worn) if worn else ''}.",
        in_summary=not any(one.sheet.get(field.name) for field in body.fields),
    )


def _packages(table: Table) -> Iterator[Section]:
    """Packages of skills from the careers, each added with one tap (toaster.2.trait-careers)."""
    offers = tuple(_career(table, one) for one in rows(table, "careers"))
    if offers:
        yield replace(PARTS["packages"], offers=offers)


def _career(table: Table, one: Row) -> Offer:
    keys = career_skills(one)
    listed = [(key, listed_skill(table, key)) for key in keys]
    lines = tuple(
        skill_line("", key, _PACKAGED, attribute=found["attributes"][0] if found else "")
        for key, found in listed
    )
    names = ", ".join(skill_name(table, key) for key in keys)
    return Offer(one["key"], one["name"], names, {"skills": lines}, ("skill", "of"))


def _attributes(one: Skilled) -> Iterator[Field]:
    """The questions for attributes.

    toaster.2.attributes-four, toaster.2.attribute-descriptors.
    """
    for each in attributes(one.table):
        covers = f". For {each['covers']}." if each.get("covers") else ""
        yield Field(
            f"attributes.{each['key']}",
            each["name"],
            "number",
            default=0,
            low=0,
            high=99,
            help=f"{attribute_word(one.table, one.bought(each['key']))}{covers}",
            rule="toaster.2.attribute-range",
        )


def _gms(table: Table) -> Section:
    """The section for NPCs: named or not, style, own thresholds."""
    found = part(table, "gms")
    own = (replace(one, name=f"thresholds.{one.name}") for one in PARTS["thresholds"].fields)
    return replace(found, fields=(*found.fields, *own))


# ---------------------------------------------------------------- remarks


def _groups(table: Table) -> str:
    return "; ".join(
        f"{one['short']}: {', '.join(members(table, one['key'])) or 'any'}"
        for one in played(table, "skills")
        if one["group"]
    )


def _skill_notes(one: Skilled) -> Iterator[tuple[str, str]]:
    """Notes on skills: rank or ranks, the word for it, fluency, the GM's verdict."""
    table, names = one.table, attribute_names(one.table)
    for line, each in zip(one.skill_lines, one.skills, strict=False):
        several = ", ".join(f"{rank} with {names[key]}" for key, rank in each.ranks)
        said = [f"Rank {several if len(each.ranks) > 1 else each.rank}"]
        said += filter(None, [skill_words(table, each.rank)])
        if each.key.startswith(f"{LANGUAGE}:"):
            said.append(fluency(each.rank).capitalize())
        if one.options.specialization:
            said += [f"{name}: {one.specialty_verdict(each.key, name)}" for name in line.names]
        yield f"skills.{each.place}", " ".join(f"{words}." for words in said)


def _trait_notes(one: Skilled) -> Iterator[tuple[str, str]]:
    """Notes on traits: the word for the rank, and the guide's rank.

    toaster.2.trait-rank-words, toaster.2.trait-ranking-guideline.
    """
    for (place, line), trait in zip(one.lines("traits"), one.traits, strict=True):
        word = f"{rank_word(one.table, trait.rank)}."
        severity, often = str(line.get("severity") or ""), str(line.get("frequency") or "")
        if severity and often:
            guide = suggested_rank(one.table, severity, often)
            word += f" The guide says {guide}; what you agree on holds."
        yield f"traits.{place}", word


def _guide(table: Table) -> str:
    return "; ".join(
        f"{one['name'].lower()} {one['rare']}, {one['common']}, {one['constant']}"
        for one in rows(table, "severity")
    )


def _weapon_notes(one: Skilled) -> Iterator[tuple[str, str]]:
    """Notes on weapons: their class for this character, and their skill."""
    for place, each in enumerate(one.weapons[: -len(BARE)]):
        skill = f", {skill_name(one.table, each.skill)}" if each.skill else ""
        yield f"weapons.{place}", f"WC {one.weapon_class(each)}{skill}."


# ---------------------------------------------------------------- changes by hand


def _carried(at: Here) -> Iterator[Field]:
    """The possessions as on the sheet, with current values as defaults.

    Each weapon has its id, so that it keeps its state when another line is added or removed.
    """
    known = zip(at.me.lines("weapons"), at.me.weapons, strict=False)
    keyed = {"weapons": [{**line, "id": one.id} for (_, line), one in known]}
    for one in part(at.table, "gear").fields:
        now = at.me.sheet.get(one.name, one.default)
        yield replace(one, default=keyed.get(one.name, now))


class CarryForm(Form):
    gear = Varying(_carried)


@toaster.move("carry", when=lambda at: attack_waits(at, at.me.id))
def carry(at: At[CarryForm]) -> None:
    """Write the changed possessions to the sheet; refuse a form without a change."""
    me, before = at.me, {one.name: one.default for one in _carried(at)}
    changed = [key for key, was in before.items() if at.answers.get(key, was) != was]
    if not changed:
        at.refuse(f"{me.name} carries just that.", "toaster.2.creation-possessions")
    for key in changed:
        now = at.answers[key]
        if key == "weapons":
            now = [
                {**line, "id": line.get("id") or fresh(at.table, "weapon", place)}
                for place, line in enumerate(now, 1)
            ]
        me.write("sheet", key, now=now)
    if "shield" in changed and "shield" in me.dropped:
        me.put(dropped={one: where for one, where in me.dropped.items() if one != "shield"})
    held = listed(one.name for one in me.weapons[: -len(BARE)])
    worn = listed(one.name for one in me.worn)
    words = f"Weapons: {held or 'none'}. Armor: {worn or 'none'}."
    at.tell_as("other-things", words=words if me.is_players else "", audience=me.number_audience)


# ---------------------------------------------------------------- thresholds by hand


def own_threshold(key: str) -> Input[int | None]:
    """A threshold of the character's own, whatever the size."""
    return maybe_number(
        default=lambda at: (at.me.sheet.get("thresholds") or {}).get(key),
    )


class MeasureForm(Form):
    stun = own_threshold("stun")
    wound = own_threshold("wound")


@toaster.move("thresholds")
def measure(at: At[MeasureForm]) -> None:
    me, form = at.me, at.form
    before = listed(map(str, me.thresholds))
    me.write("sheet", "thresholds", now={"stun": form.stun, "wound": form.wound})
    stun, wound = me.thresholds
    at.tell_as("thresholds", stun=stun, wound=wound, before=before, audience=me.number_audience)


# ---------------------------------------------------------------- what nobody may change by hand


def amend(actor: Actor, was: Person, now: Person) -> Problems:
    """The problems of a manual change; players' traits keep their sum.

    toaster.2.adv-traits-fixed, toaster.2.adv-traits-rearrange, toaster.2.adv-traits-balance (A-20).
    While a player is still building, nothing is agreed yet. Harm, luck and experience must be
    values that play could have produced.
    """
    yield from misread(PARTS["state"].fields, was.entity.state, now.entity.state)
    if was.is_players and was.stage == "play" and was.plain_traits != now.plain_traits:
        if not actor.is_gm:
            yield problem("traits-fixed")
        elif was.trait_sum != now.trait_sum:
            yield problem("traits-balance", before=was.trait_sum, after=now.trait_sum)
