"""The builder: the parts of a sheet as forms."""

from __future__ import annotations

from kitchentable.rules import Choice, Entity, Field, Section, Table
from kitchentable.rulesets.lucky_stars.character import has_stats
from kitchentable.rulesets.lucky_stars.options import Stat, stats
from kitchentable.rulesets.lucky_stars.supplied import SIZE_CHOICES


def sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """Stats, possessions with what they use up, and who it is."""
    numbers = (
        (
            Section(
                "stats",
                "Stats",
                tuple(_stat_field(one) for one in stats(table.options)),
                "Yours to keep true. What is derived from them is worked out for you.",
                "stars.1-player",
            ),
        )
        if has_stats(entity)
        else ()
    )
    about = Field("about", "In your own words", "story", required=False, default="", longest=8000)
    return (
        *numbers,
        _gear_section(),
        Section("about", "Who is it?" if has_stats(entity) else "What is it?", (about,)),
    )


def _stat_field(one: Stat) -> Field:
    return Field(
        f"stats.{one.key}",
        one.name,
        "number",
        default=0,
        low=one.low,
        high=one.high,
        help=one.purpose,
        rule="stars.9-undefined-stats",
    )


def _gear_section() -> Section:
    columns = (
        Field("id", "Key", required=False, default="", longest=40),
        Field("item", "Possession", longest=100),
        Field(
            "supply",
            "Supply die",
            "choice",
            (Choice("", "none"), *SIZE_CHOICES),
            default="",
            required=False,
            rule="stars.5.1-supply-sizes",
        ),
        Field(
            "rolls",
            "Rolled when",
            required=False,
            default="",
            longest=300,
            rule="stars.5.1-supply-item-text",
        ),
        Field("restock", "Restocked by", required=False, default="", longest=300),
        Field("note", "Note", required=False, default="", longest=400),
    )
    return Section(
        "gear",
        "Possessions",
        (Field("gear", "Possessions", "rows", default=[], required=False, columns=columns),),
        "What runs out has a supply die instead of a number, and says when it is rolled and how it "
        "is filled up. What a player writes down in play begins Empty and is restocked.",
        "stars.5.1-supply-item-text",
    )
