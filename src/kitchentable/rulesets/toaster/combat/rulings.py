"""What the GM decides about an attack: distance, what may defend, where it lands, modifiers."""

from __future__ import annotations

from kitchentable.rules import GM, Choice, Entity, Field, Table
from kitchentable.rulesets.toaster.combat import arms, lengths
from kitchentable.rulesets.toaster.combat.arms import Arm
from kitchentable.rulesets.toaster.combat.defences import Defence
from kitchentable.rulesets.toaster.combat.reckoning import (
    GATE,
    OPEN,
    ROLLS,
    usual_ward,
)
from kitchentable.rulesets.toaster.harm.places import place_choices
from kitchentable.rulesets.toaster.options.reading import setting


def gm_fields(
    table: Table, attacker: Entity, target: Entity, use: Arm, picked: Defence
) -> list[Field]:
    """The GM's questions about an attack; each has a default that may stand."""
    fields = [*_distance(table, use), *_length(table, attacker, target, use)]
    if use.blast:
        fields.append(_blast_field())
    fields.append(_ward_field(table, target))
    if not use.ranged and not use.weapon.unarmed:
        fields.append(_bare_field(table))
    if picked.asks:
        fields.append(_missile_field(picked))
    if _asks_for_criticals(table):
        fields.append(_critical_field())
    if setting(table.options, "hit_location") or setting(table.options, "partial_armor"):
        fields.append(_area_field(table, target))
    fields.append(_modifiers_field(table))
    return fields


def _asks_for_criticals(table: Table) -> bool:
    """Whether a critical attack is hardened by nothing but the GM's word."""
    ways = ("wcac_critical_table", "wcac_double_roll", "wcac_same_die", "wcac_add_margin")
    chosen = any(setting(table.options, key) for key in (*ways, "critical_fumble_table"))
    return bool(setting(table.options, "variable_outcomes")) and not chosen


def _distance(table: Table, use: Arm) -> list[Field]:
    if not use.ranged:
        return []
    choices = arms.range_choices(table)
    return [
        Field(
            "distance",
            "At which distance?",
            "choice",
            choices,
            default=choices[0].value if choices else None,
            set_by=GM,
            help="Which distance is which depends on the weapon and the place.",
            rule="toaster.4.range-distances",
        )
    ]


def _length(table: Table, attacker: Entity, target: Entity, use: Arm) -> list[Field]:
    if not lengths.matters(table, use):
        return []
    likely = lengths.length_penalty(table, attacker, target, use)
    return [
        Field(
            "length",
            "For the weapon's length",
            "choice",
            tuple(
                Choice(str(n), words)
                for n, words in ((0, "fits: 0"), (-1, "slightly off: -1"), (-2, "wrong: -2"))
            ),
            default=str(likely),
            set_by=GM,
            rule="toaster.4.length-penalty-slight",
        )
    ]


def _blast_field() -> Field:
    return Field(
        "blast",
        "It hits whatever is near. Can it be dodged?",
        "choice",
        (
            Choice("normal", "As ever"),
            Choice("harder", "With difficulty: add it below"),
            Choice("unavoidable", "It cannot be avoided"),
        ),
        default="normal",
        set_by=GM,
        rule="toaster.2.skill-dodge-area",
    )


def _ward_field(table: Table, target: Entity) -> Field:
    return Field(
        "ward",
        f"Does {target.name} get a defence roll?",
        "choice",
        (
            Choice(ROLLS, "Yes"),
            Choice(GATE, "No, but the skill has to be beaten"),
            Choice(OPEN, "No: helpless, or taken unawares"),
        ),
        default=usual_ward(table, target),
        set_by=GM,
        rule="toaster.4.attack-h2h-gate-number",
    )


def _bare_field(table: Table) -> Field:
    martial = bool(setting(table.options, "martial_arts_campaign"))
    return Field(
        "bare",
        "Modifier for bare hands that ward it off",
        "number",
        default=0 if martial else None,
        required=False,
        low=-20,
        high=0,
        set_by=GM,
        help="Left empty, bare hands may not ward it off.",
        rule="toaster.4.defence-unarmed-vs-weapon",
    )


def _missile_field(picked: Defence) -> Field:
    return Field(
        "missile_parry",
        f"Modifier for {picked.name} against a missile",
        "number",
        low=-20,
        high=-1,
        set_by=GM,
        help="The difficulty is significant.",
        rule="toaster.4.defence-ranged-weapon",
    )


def _critical_field() -> Field:
    return Field(
        "critical_bonus",
        "More damage if it is a critical",
        "number",
        default=0,
        required=False,
        low=0,
        high=30,
        set_by=GM,
        rule="toaster.4.damage-roll-critical",
    )


def _area_field(table: Table, target: Entity) -> Field:
    return Field(
        "area",
        "Where does it land?",
        "choice",
        (Choice("", "The dice say"), *place_choices(table, target)),
        default="",
        required=False,
        set_by=GM,
        rule="toaster.4.hitloc-invent",
    )


def _modifiers_field(table: Table) -> Field:
    return Field(
        "modifiers",
        "Modifiers",
        "rows",
        default=[],
        required=False,
        set_by=GM,
        hideable=True,
        hidden=setting(table.options, "difficulty_shown") != "before",
        help="Cover, darkness, surprise, armour piercing: each with its reason.",
        rule="toaster.4.protection-modified",
        columns=(
            Field(
                "on",
                "To",
                "choice",
                (
                    Choice("attack", "the attack"),
                    Choice("defence", "the defence"),
                    Choice("damage", "the damage"),
                    Choice("protection", "the protection"),
                ),
                default="attack",
            ),
            Field("value", "How much", "number", default=0, low=-40, high=40),
            Field("why", "Why", required=False, default="", longest=200),
        ),
    )
