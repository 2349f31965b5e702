"""Harm as a page shows it: rows of boxes, chips, and a word for the fight tracker."""

from __future__ import annotations

from collections.abc import Iterator

from kitchentable.rules import Tag, Track, whole
from kitchentable.rulesets.toaster.book import plural
from kitchentable.rulesets.toaster.harm.healing import care_word
from kitchentable.rulesets.toaster.harm.state import (
    DEAD,
    MORTAL,
    MORTAL_WOUNDS,
    OUT,
    UNCONSCIOUS,
    degrees,
)
from kitchentable.rulesets.toaster.people import Person

_WORDS = {
    UNCONSCIOUS: "unconscious",
    MORTAL: "mortally wounded",
    DEAD: "dead",
    OUT: "out of the fight",
}
_WHERE = {"feet": "at their feet", "reach": "out of reach", "broken": "broken"}


def tracks(one: Person) -> tuple[Track, ...]:
    """Stun up to where somebody passes out, and wounds up to the mortal ones."""
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
    """In a word or two, for those who may see the numbers: "battered, -2", "3 wounds, -3"."""
    word = _WORDS.get(one.condition)
    if word:
        return ", ".join(filter(None, (word, countdown(one))))
    worst = one.penalty()
    if worst is None:
        return ""
    name = plural(one.wounds, "wound") if worst.name in {"wound", "wounds"} else worst.name
    return f"{name}, {worst.value}"


def visible_words(one: Person) -> str:
    """What anybody sees: the condition, or "wounded"."""
    return _WORDS.get(one.condition) or ("wounded" if one.wounds else "")


def countdown(one: Person) -> str:
    """How long a dying one has: "dies in 3 rounds", "next check in 2 rounds", "stable"."""
    running, left = one.mortality, whole(one.mortality.get("rounds"))
    if one.condition != MORTAL:
        return ""
    if running.get("stable"):
        return "stable"
    if not left:
        return "a check is due"
    verb = "dies in" if running.get("fate") == "dies" else "next check in"
    return f"{verb} {plural(left, 'round')}"


def tags(one: Person) -> Iterator[Tag]:
    """Everything that lies on somebody, as chips."""
    for name in one.useless_limbs:
        yield Tag(f"{name.replace('-', ' ')} useless", "wounded")
    if one.bleeds:
        yield Tag(one.bleeding_words, "bleeding")
    for each in one.effects:
        value = whole(each.get("value"))
        yield Tag(f"{each.get('name')}{f', {value}' if value else ''}", "hindered")
    for weapon, where in one.dropped.items():
        held = one.weapon(weapon)
        yield Tag(f"{held.name if held else 'a weapon'} {_WHERE[where]}", "disarmed")
    if one.care.get("bonus"):
        yield Tag(f"{care_word(one)} {whole(one.care['bonus']):+d}", "helped")
