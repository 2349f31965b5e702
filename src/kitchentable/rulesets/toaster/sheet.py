"""The sheet as a whole: a new sheet, the start of play, and views for each seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kitchentable.rules import (
    Entity,
    Kind,
    Number,
    Start,
    Summary,
    Tag,
    Track,
    plural,
    whole,
)
from kitchentable.rules.kit.sheets import sheet_of
from kitchentable.rules.sheet_migration import former_notes
from kitchentable.rulesets.toaster.book import BOOK, Row, row
from kitchentable.rulesets.toaster.character.attributes import (
    attribute_names,
    attribute_word,
)
from kitchentable.rulesets.toaster.character.builder import amend, sections
from kitchentable.rulesets.toaster.character.checks import check
from kitchentable.rulesets.toaster.character.editing import ATTRIBUTES
from kitchentable.rulesets.toaster.character.listing import skill_words
from kitchentable.rulesets.toaster.character.presets import blank
from kitchentable.rulesets.toaster.character.traits import trait_word
from kitchentable.rulesets.toaster.harm.healing import care_word
from kitchentable.rulesets.toaster.harm.places import armor_classes
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    IN_WORDS,
    MORTAL,
    MORTAL_WOUNDS,
    degrees,
    this_round,
)
from kitchentable.rulesets.toaster.people import Person

#: The group of derived numbers.
_DERIVED = "Defense and limits"


def _start(one: Person) -> Row:
    """Start unharmed with full luck, and store the sum of the approved traits.

    Specialties that the GM did not refuse are accepted with the sheet
    (toaster.2.specialty-gm-approval).
    """
    return {
        "stun": 0,
        "wounds": [],
        "condition": AWAKE,
        "luck": one.luck_at_start,
        "xp": 0,
        "used": [],
        **one.entity.state,
        "trait_sum": one.trait_sum,
    }


def numbers(one: Person) -> Iterator[Number]:
    """Attributes, the numbers derived from them, weapons, and skills."""
    table = one.table
    for key, name in attribute_names(table).items():
        rank = one.attribute(key)
        yield Number(
            f"attributes.{key}",
            name,
            rank,
            help=attribute_word(table, rank),
            group="Attributes",
            starts=Start("task", (("on", f"attribute:{key}"),)),
        )
    for way, name, rank in _derived(one):
        yield Number(way, name, rank, group=_DERIVED)
    for arm in one.weapons:
        yield Number(
            f"weapons.{arm.id}",
            f"{arm.name}, WC",
            one.weapon_class(arm),
            group="Weapons",
            starts=Start("attack", (("arm", arm.id),)),
        )
    for each in one.skills:
        # A skill with its specialties: "Throw (knives +2)".
        special = "; ".join(f"{special.name} +{special.bonus}" for special in each.specialties)
        yield Number(
            f"skills.{each.key}",
            f"{each.name} ({special})" if special else each.name,
            each.rank,
            "used in this adventure" if each.key in one.used else "",
            skill_words(table, each.rank),
            group="Skills",
            starts=Start("task", (("on", f"skill:{each.key}"),)),
        )


def _derived(one: Person) -> Iterator[tuple[str, str, int]]:
    """The numbers derived from attributes, with their names.

    Endurance and will are among them if a trait makes them differ from their attribute
    (toaster.2.trait-attribute-sub, toaster.2.attributes-changeable).
    """
    for where, ac in armor_classes(one).items():
        yield f"ac{where}", f"Armor class {where}".strip(), ac
    stun, wound = one.thresholds
    yield "initiative", "Initiative, d10 and", one.initiative_bonus
    yield "stun", "Stun threshold", stun
    yield "wound", "Wound threshold", wound
    for use in ("endurance", "will"):
        found, rank = row(one.table, "uses", use), one.attribute_for(use)
        if found is not None and rank != one.attribute(found["attribute"]):
            yield f"uses.{use}", found["name"], rank
    if one.options.luck_points:
        yield "luck", "Luck points", one.luck_left


def _summary(one: Person) -> Summary:
    """A character's summary, cached until the character, the rules or the round change."""
    name = f"summary {one.is_known} {this_round(one.table)}"
    return one.once(name, lambda: _new_summary(one))


def _new_summary(one: Person) -> Summary:
    words = status(one)
    short = Summary(
        one.name,
        one.entity.line or ("" if one.is_named else "Unnamed"),
        words[:1].upper() + words[1:],
        "plain" if one.is_awake else "bad",
    )
    if not one.is_known:
        return short
    traits = (Tag(each.in_short, trait_word(one.table, each)) for each in one.traits)
    return replace(
        short,
        tracks=tracks(one),
        tags=(*tags(one), *traits),
        numbers=tuple(numbers(one)),
        notes=former_notes(one.entity, ATTRIBUTES),
    )


def _public(one: Person) -> Entity:
    """The public part of a character: condition, and 1 wound for any number of wounds."""
    before = one.entity.state
    state = {key: before[key] for key in ("condition", "stance") if key in before}
    state["wounds"] = [{"n": 1}] if one.wounds else []
    return replace(one.entity, sheet={"named": one.is_named}, state=state)


SHEET = sheet_of(
    Person,
    kinds=lambda table: tuple(Kind(**one) for one in BOOK.tables["kind"]),
    blank=blank,
    sections=sections,
    check=check,
    start=_start,
    summary=_summary,
    public=_public,
    amend=amend,
)


# ---------------------------------------------------------------- harm as a page shows it


_WHERE = {"feet": "at their feet", "reach": "out of reach", "broken": "broken"}


def tracks(one: Person) -> tuple[Track, ...]:
    """Stun up to unconsciousness, and wounds up to mortally wounded."""
    most = one.thresholds[0] * whole(degrees(one.table)[-1]["at"])
    stun = f"{one.stun} stun of {most}: {one.stun_word}"
    return (
        Track("Stun", min(one.stun, most), most, stun),
        Track(
            "Wounds",
            min(one.wounds, MORTAL_WOUNDS),
            MORTAL_WOUNDS,
            f"{one.wounds}/{MORTAL_WOUNDS} wounds",
        ),
    )


def status(one: Person) -> str:
    """A character's health in a few words: "battered, -2", "3 wounds, -3".

    If the numbers are not known: the condition, or "wounded".
    """
    word = IN_WORDS.get(one.condition)
    if not one.is_known:
        return word or ("wounded" if one.wounds else "")
    if word:
        return ", ".join(filter(None, (word, countdown(one))))
    worst = one.penalty()
    if worst is None:
        return ""
    name = plural(one.wounds, "wound") if worst.name in {"wound", "wounds"} else worst.name
    return f"{name}, {worst.value}"


def countdown(one: Person) -> str:
    """The time left to a dying character: "dies in 3 rounds", "next check in 2 rounds"."""
    running, left = one.mortality, one.rounds_left
    if one.condition != MORTAL:
        return ""
    if running.get("stable"):
        return "stable"
    if not left:
        return "a check is due"
    verb = "dies in" if running.get("fate") == "dies" else "next check in"
    return f"{verb} {plural(left, 'round')}"


def tags(one: Person) -> Iterator[Tag]:
    """The chips of everything that affects a character."""
    for name in one.useless_limbs:
        yield Tag(f"{name.replace('-', ' ')} useless", "wounded")
    if one.bleeds:
        yield Tag(one.bleeding_words, "bleeding")
    for each in one.effects:
        value = whole(each.get("value"))
        yield Tag(f"{each.get('name')}{f', {value}' if value else ''}", "hindered")
    for weapon, where in one.dropped.items():
        yield Tag(f"{one.weapon_name(weapon, 'a weapon')} {_WHERE[where]}", "disarmed")
    if one.care.get("bonus"):
        yield Tag(f"{care_word(one)} {whole(one.care['bonus']):+d}", "helped")
