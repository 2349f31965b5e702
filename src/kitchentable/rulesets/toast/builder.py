"""The builder: the parts of a sheet as forms, with points left and notes beside the perks."""

from __future__ import annotations

from kitchentable.rules import (
    Budget,
    Choice,
    Entity,
    Field,
    Section,
    Table,
    quoted,
    whole,
)
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.character import IMPORTANCE, PC, is_pc, perks
from kitchentable.rulesets.toast.creation import (
    HIGHEST_AT_FIRST,
    PERKS_AT_FIRST,
    budget,
    is_new,
    spent,
)
from kitchentable.rulesets.toast.lost import POINTS_PER_TRAIT
from kitchentable.rulesets.toast.options import Trait, capacity_key, setting, traits


def sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """The parts of a sheet; while a character is built with what is left to spend."""
    building = is_new(entity)
    parts = [
        Section(
            "traits",
            "Traits",
            tuple(_trait_field(one, building=building) for one in traits(table.options)),
            f"{POINTS_PER_TRAIT} points for each trait; any may stay at 0, none goes above "
            f"{HIGHEST_AT_FIRST}."
            if building
            else "",
            "toast.3.1-points",
            Budget("Trait points", spent(table, entity), budget(table)) if building else None,
        ),
        _perk_section(entity, building=building),
        _gear_section(table),
        Section("about", "Who is it?", (_about_field(),), rule="toast.4-perk-identity"),
    ]
    if not is_pc(entity):
        parts.insert(0, _importance_section(table, entity))
    return tuple(parts)


def _trait_field(one: Trait, *, building: bool) -> Field:
    rule = "toast.3.1-max9" if building else "toast.3-traits-define"
    return Field(
        f"traits.{one.key}",
        one.name,
        "number",
        default=0,
        low=0,
        high=99,
        help=one.purpose,
        rule=rule,
    )


def _perk_section(entity: Entity, *, building: bool) -> Section:
    columns = (
        Field("text", "Perk", longest=600, rule="toast.4-perk-freeform"),
        Field(
            "covers",
            "What it covers",
            required=False,
            default="",
            longest=600,
            help="What you have agreed on, so that nobody has to argue later.",
            rule="toast.4-perk-scope",
        ),
    )
    samples = "; ".join(quoted(one["text"]) for one in TABLES["sample_perk"])
    rows = Field("perks", "Perks", "rows", default=[], required=False, columns=columns)
    words = {"refused": "refused", "proposed": "waits for the GM", "accepted": "accepted"}
    notes = {
        f"perks.{index}": f"{words[one.verdict]}{': ' + one.word if one.word else ''}"
        for index, one in enumerate(perks(entity))
        if entity.is_players and not one.of_gear
    }
    help_text = f"Up to {PERKS_AT_FIRST} to begin with, and none is fine. For example: {samples}."
    return Section(
        "perks",
        "Perks",
        (rows,),
        help_text if building else "",
        "toast.4-perk-creation",
        Budget("Perks", len(perks(entity)), PERKS_AT_FIRST) if building else None,
        notes,
    )


def _gear_section(table: Table) -> Section:
    required = setting(table.options, "equipment_lists") == "required"
    columns = (
        Field("item", "Possession", longest=200),
        Field("note", "Note", required=False, default="", longest=400),
        Field(
            "perk",
            "Is a perk",
            "tick",
            default=False,
            required=False,
            help="Something extra special: it counts among your perks.",
            rule="toast.9-special-as-perk",
        ),
    )
    return Section(
        "gear",
        "Possessions",
        (Field("gear", "Possessions", "rows", default=[], required=False, columns=columns),),
        "Your table asks for a list." if required else "What somebody like you would have.",
        "toast.9-starting-gear",
    )


def _about_field() -> Field:
    return Field("about", "In your own words", "story", required=False, default="", longest=8000)


def _importance_section(table: Table, entity: Entity) -> Section:
    classes = tuple(
        Choice(key, rank["name"], f"{whole(setting(table.options, capacity_key(key)))} wounds")
        for key, rank in IMPORTANCE.items()
        if key != PC
    )
    return Section(
        "importance",
        "Importance",
        (
            Field(
                "importance",
                "How much they matter to the story",
                "choice",
                classes,
                default=entity.kind,
                rule="toast.7.4-importance-story",
            ),
            Field(
                "capacity",
                "Wounds of their own",
                "number",
                required=False,
                low=1,
                high=999,
                help="Left empty, the importance decides. Go easy above 4.",
                rule="toast.7.4-monster",
            ),
        ),
        rule="toast.7.4-importance-story",
    )
