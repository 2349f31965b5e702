"""Harm as a page shows it: rows of boxes, chips, and a word for the fight tracker."""

from __future__ import annotations

from kitchentable.rules import (
    Entity,
    Table,
    Tag,
    Track,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.passing import bleeding_words
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    DEAD,
    MORTAL,
    MORTAL_WOUNDS,
    OUT,
    UNCONSCIOUS,
    condition,
    degree_word,
    degrees,
    dropped,
    effects,
    penalty,
    record,
    stun,
    useless_limbs,
    wounds,
)

_WORDS = {
    UNCONSCIOUS: "unconscious",
    MORTAL: "mortally wounded",
    DEAD: "dead",
    OUT: "out of the fight",
}
_HURT = ("wound", "wounds")


def tracks(table: Table, entity: Entity) -> tuple[Track, ...]:
    """Stun up to where somebody passes out, and wounds up to the mortal ones."""
    most = lens.thresholds(table, entity)[0] * whole(degrees(table)[-1]["at"])
    points, hurt, degree = stun(entity), wounds(entity), degree_word(table, entity)
    return (
        Track(
            "Stun",
            min(points, most),
            most,
            f"{points} stun of {most}: {degree}",
        ),
        Track("Wounds", min(hurt, MORTAL_WOUNDS), MORTAL_WOUNDS, _wound_words(hurt)),
    )


def _wound_words(hurt: int) -> str:
    return f"{hurt}/{MORTAL_WOUNDS} wounds"


def status(table: Table, entity: Entity) -> str:
    """In a word or two, for those who may see the numbers: "battered, -2", "3 wounds, -3"."""
    word = condition_words(entity)
    if word:
        return ", ".join(one for one in (word, countdown(entity)) if one)
    worst = penalty(table, entity)
    if worst is None:
        return ""
    name = lens.plural(wounds(entity), "wound") if worst.name in _HURT else worst.name
    return f"{name}, {worst.value}"


def condition_words(entity: Entity) -> str:
    """The condition: "unconscious", "mortally wounded", "dead"; "" for somebody awake."""
    return "" if condition(entity) == AWAKE else _WORDS.get(condition(entity), "")


def visible_words(entity: Entity) -> str:
    """What anybody sees: the condition, or "wounded"."""
    return condition_words(entity) or ("wounded" if wounds(entity) else "")


def countdown(entity: Entity) -> str:
    """How long a dying one has: "dies in 3 rounds", "next check in 2 rounds", "stable"."""
    running = record(entity, "mortality")
    if condition(entity) != MORTAL:
        return ""
    if running.get("stable"):
        return "stable"
    left = whole(running.get("rounds"))
    if not left:
        return "a check is due"
    verb = "dies in" if running.get("fate") == "dies" else "next check in"
    return f"{verb} {lens.plural(left, 'round')}"


def tags(table: Table, entity: Entity) -> tuple[Tag, ...]:
    """Everything that lies on somebody, as chips."""
    found = [
        Tag(f"{name.replace('-', ' ')} useless", "wounded") for name in useless_limbs(table, entity)
    ]
    blood = bleeding_words(table, entity)
    if blood:
        found.append(Tag(blood, "bleeding"))
    for one in effects(table, entity):
        value = whole(one.get("value"))
        found.append(Tag(f"{one.get('name')}{f', {value}' if value else ''}", "hindered"))
    for weapon, where in dropped(entity).items():
        held = lens.weapon(table, entity, weapon)
        words = {"feet": "at their feet", "reach": "out of reach", "broken": "broken"}[where]
        found.append(Tag(f"{held.name if held else 'a weapon'} {words}", "disarmed"))
    care = record(entity, "care")
    if care.get("bonus"):
        kind = "long-term care" if care.get("kind") == "long-term" else "first aid"
        found.append(Tag(f"{kind} {whole(care['bonus']):+d}", "helped"))
    return tuple(found)
