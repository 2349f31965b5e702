"""Helpers for tests of harm: a character and a foe at a table."""

from typing import Any

from kitchentable.campaign import commands as c
from tests.rulesets.driver import GM, Evening
from tests.rulesets.toaster.people import evening, foe, hero, person, sheet, trait

MEDICINE = "science:Medicine"


def ward(physique: int = 6, medicine: int = 9, **options: Any) -> tuple[Evening, str, str]:
    """A table with a patient of Ana's and a medic of Ben's, whose Medicine has rank 7 by default.

    The medic's Intellect is 5: base 9 makes (5 + 9) / 2 = 7.
    """
    one = evening(**{"medical_skills": "Science: Medicine", **options})
    patient = hero(one, "ana", sheet((physique, 5, 5, 5)))
    medic = hero(one, "ben", sheet((5, 5, 5, 5), {MEDICINE: medicine}))
    return one, patient, medic


def wounded(n: int, area: str = "", cause: str = "attack") -> list[dict[str, Any]]:
    """This many wounds of one blow, as the state has them."""
    return [{"n": n, "area": area, "cause": cause}] if n else []


def put(one: Evening, who: str, **facts: Any) -> None:
    """Facts of somebody's state set by hand."""
    for key, now in facts.items():
        path = ("entities", who, "state", key)
        if one.entity(who).state.get(key) == now:
            continue
        one.do(GM, c.Override, path=path, now=now, reason="for the test")


def how(one: Evening, who: str) -> tuple[int, int, str]:
    """Stun, wounds and condition of somebody."""
    entity = one.entity(who)
    return person(entity).stun, person(entity).wounds, person(entity).condition


def strike(one: Evening, who: str, damage: int = 0, **more: Any) -> None:
    """Damage by the GM's ruling, as from one attack."""
    one.move(GM, "harm", who=who, cause="the test", damage=damage, **more)


def lines(one: Evening) -> list[str]:
    """The lines of the last card."""
    return [line["text"] for line in one.card["lines"]]


__all__ = [
    "GM",
    "MEDICINE",
    "evening",
    "foe",
    "hero",
    "how",
    "lines",
    "put",
    "sheet",
    "strike",
    "trait",
    "ward",
    "wounded",
]
