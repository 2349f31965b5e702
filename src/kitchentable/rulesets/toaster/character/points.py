"""What a new character has to spend and has spent: attribute points, skill points, trait ranks."""

from __future__ import annotations

from fractions import Fraction

from kitchentable.rules import (
    Entity,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import TABLES, Record, Row, find, row, rows
from kitchentable.rulesets.toaster.character.attributes import attributes, bought
from kitchentable.rulesets.toaster.character.listing import key_of, listed_skill
from kitchentable.rulesets.toaster.character.skills import NATIVE_BASE, bought_base, lines
from kitchentable.rulesets.toaster.character.traits import experience_points
from kitchentable.rulesets.toaster.options import Options

#: Attributes that the styles' points are meant for.
_FOUR = len(TABLES["attributes"])
MARTIAL_ARTS = "martial-arts"


def style(table: Table, entity: Entity | None = None) -> Row:
    """The style that a character is built in: the campaign's, or one of the GM's people's own.

    toaster.2.creation-style, toaster.2.creation-style-table.
    """
    own = entity.sheet.get("style") if entity is not None and not entity.is_players else None
    found = row(table, "styles", own) if own else None
    return found or row(table, "styles", Options(table.options).style) or TABLES["styles"][0]


def attribute_budget(table: Table, entity: Entity | None = None) -> int:
    """Points for attributes: the style's, and a share more for every attribute beyond four.

    toaster.2.creation-attribute-points; what further attributes bring is a quarter of the style's
    points each, unless the GM has said a number (toaster.2.extra-attributes-points, A-03).
    """
    points = whole(style(table, entity)["attribute_points"])
    further = max(0, len(attributes(table)) - _FOUR)
    said = Options(table.options).extra_attribute_points
    return points + (further * points // _FOUR if said is None else further and said)


def attributes_spent(table: Table, entity: Entity) -> int:
    """Attribute points spent: the ranks as bought, traits not counted.

    toaster.2.trait-attribute-timing.
    """
    return sum(bought(entity, one["key"]) for one in attributes(table))


def skill_budget(table: Table, entity: Entity) -> int:
    """Points for skills: the style's, and 5 for each rank of experience."""
    return whole(style(table, entity)["skill_points"]) + experience_points(table, entity)


def skills_spent(table: Table, entity: Entity) -> Fraction:
    """Skill points spent on the bases as they stand (toaster.2.creation-skill-points)."""
    return sum((line_cost(table, line) for _, line in lines(entity)), Fraction(0))


def line_cost(table: Table, line: Record) -> Fraction:
    """What one line of the skills has cost; a native language has its first steps for nothing.

    toaster.2.skill-language-native.
    """
    first = NATIVE_BASE if line.get("native") else 0
    steps = max(0, bought_base(line) - first)
    return steps * price(table, key_of(line.get("skill"), line.get("of")))


def price(table: Table, key: str) -> Fraction:
    """What one step of a skill's base costs: 1, unless the table lets skills differ in price.

    toaster.2.skillcost-default, toaster.2.skillcost-switch, toaster.2.skillcost-table. Martial
    Arts have their own factor with or without that (toaster.2.skill-martial-cost, A-09); a price
    of one's own may be above the ladder (toaster.2.skillcost-exotic).

    >>> price(Table(options={}), "ride"), price(Table(options={}), "martial-arts")
    (Fraction(1, 1), Fraction(3, 2))
    """
    factor = Fraction(1)
    if key == MARTIAL_ARTS:
        factor = Fraction(Options(table.options).martial_arts_price)
        key = "brawl"
    if not Options(table.options).variable_skill_cost:
        return factor
    member = next((one for one in rows(table, "members") if _is_member(one, key)), None)
    said = (member or {}).get("price") or (listed_skill(table, key) or {}).get("price") or "average"
    step = row(table, "costs", said) or find(table, "costs", said)
    return factor * Fraction(str(step["price"] if step else said))


def _is_member(one: Row, key: str) -> bool:
    return key_of(one["skill"], one["name"]).casefold() == key.casefold()


def cost_of_steps(table: Table, key: str, first: int, last: int) -> Fraction:
    """What raising a base from one number to another costs (toaster.2.skillcost-compute).

    Whole steps only; what is left over is kept (toaster.2.skillcost-halves, A-07).

    >>> cost_of_steps(Table(options={}), "climb", 5, 8)
    Fraction(3, 1)
    """
    return (last - first) * price(table, key)


def free_ranks(table: Table, entity: Entity) -> int:
    """Trait ranks that nothing has to balance (toaster.2.creation-free-traits).

    toaster.2.creation-free-traits-may: a table can leave them out.
    """
    if not Options(table.options).free_traits:
        return 0
    return whole(style(table, entity)["free_traits"])


def told(points: Fraction) -> str:
    """Points in words, halves as people write them.

    >>> told(Fraction(9, 2)), told(Fraction(4))
    ('4.5', '4')
    """
    return str(points) if points.denominator == 1 else f"{float(points):g}"


def as_number(points: Fraction) -> float:
    """Points as they are kept and shown: a whole number, or one with its fraction.

    >>> as_number(Fraction(9, 2)), as_number(Fraction(4))
    (4.5, 4)
    """
    return int(points) if points.denominator == 1 else float(points)
