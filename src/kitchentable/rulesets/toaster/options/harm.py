"""What a table can set otherwise about harm: wounds, dying, bleeding, healing, and the tables."""

from __future__ import annotations

from kitchentable.rules import Option
from kitchentable.rulesets.toaster.options.making import number, pick, text, tick

_WOUNDS, _BLEEDING, _HEALING, _TABLES = "Wounds", "Bleeding", "Healing", "Tables for blows"

OPTIONS: tuple[Option, ...] = (
    pick(
        "mental_wound_penalty",
        "What wounds take off what is done in the mind",
        "toaster.4.wounds-mental",
        _WOUNDS,
        "Who rolls, or the GM, says whether an action is one of the mind.",
        (
            ("full", "as much as off everything"),
            ("half", "half of it, fractions dropped"),
            ("none", "nothing"),
        ),
        "At 3 wounds: -3, -1 or 0. Stun takes off what it always does.",
    ),
    pick(
        "mortality_roll",
        "Rounds until death after a failed check",
        "toaster.4.mortality-fail",
        _WOUNDS,
        "The book says the roll, and does not say whether that is the total or the die.",
        (("total", "the total"), ("die", "the bare die")),
        "At Physique 6 a die of 2 leaves 8 rounds by the total, and 2 by the die.",
    ),
    tick(
        "medical_stabilises",
        "A check passed with a medic's help is the last",
        "toaster.4.mortality-stabilise",
        _WOUNDS,
        "Off: checks go on until the wounds are fewer than five, which takes weeks.",
        "Without it, at 5 wounds and Physique 6, 43 % live for 10 rounds and 11 % for 20.",
        on=True,
    ),
    tick(
        "unnamed_characters",
        "Unnamed characters go down with one wound",
        "toaster.4.unnamed-out",
        _WOUNDS,
        "Thugs and soldiers whose sheet says that they have no name in the story.",
        "Between equal classes 3 hits in 20 make a wound.",
    ),
    tick(
        "bleeding",
        "Wounds bleed",
        "toaster.4.bleed-rate",
        _BLEEDING,
        "Each costs a point of stun at the end of every round; every ten points are a wound more.",
        "Somebody with 3 wounds is unconscious after 4 rounds, if the blows made 15 stun.",
    ),
    pick(
        "bleeding_aid",
        "How a medic stops it",
        "toaster.4.bleed-stop",
        _BLEEDING,
        "All at once against the wound penalty, or point by point without it.",
        (
            ("stop", "one success stops it, the wounds make it harder"),
            ("reduce", "each point over 10 stops a point, the wounds do not count"),
        ),
        "Medicine 7 against 3 wounds: stopped in 40 %; by points, wholly stopped in 40 % too, "
        "and in part in 20 %.",
    ),
    text(
        "medical_skills",
        "Medical skills",
        "toaster.4.heal-medical-skill",
        _HEALING,
        "Names from your list of skills with commas between: Science: Medicine, Craft: First Aid. "
        "Left empty, whoever helps says which skill it is, and the GM agrees.",
        effect="It changes no chance: it says which skills a healer is offered.",
    ),
    number(
        "stun_recovery_percent",
        "Stun recovered in ten minutes, in percent of Physique",
        "toaster.4.heal-stun-rate",
        _HEALING,
        "Fractions are dropped; it is always at least 1.",
        100,
        "At Physique 5: 5 points by the book, 2 at 50 percent.",
        low=1,
        high=1000,
    ),
    number(
        "healing_modifier",
        "Modifier to healing for facilities and technology",
        "toaster.4.heal-technology",
        _HEALING,
        "Below 0 where wounds fester and bones set crooked, above 0 in a modern hospital.",
        0,
        "Each point is 10 % on every weekly roll.",
        low=-9,
        high=9,
    ),
    number(
        "healing_days",
        "Days of rest before each healing roll",
        "toaster.4.heal-technology",
        _HEALING,
        "A week by the book; better medicine may take fewer.",
        7,
        "Without help each roll heals with a chance of 10 % x (Physique - wounds).",
        low=1,
        high=99,
    ),
    tick(
        "critical_fumble_table",
        "Critical attacks and fumbled defences roll on the critical table",
        "toaster.4.crit-trigger",
        _TABLES,
        "Critical attacks need variable outcomes; fumbles come from those or from zeros.",
        "19 rolls in 72 cost the defender's weapon, as many make the blow harder.",
    ),
    tick(
        "hit_location",
        "Hits have a place on the body",
        "toaster.4.hitloc-use",
        _TABLES,
        "Two dice say where, or the GM does. Kinds of bodies are in the table of locations.",
        "Three hits in ten strike the torso, one in ten the head.",
    ),
    pick(
        "hit_location_side",
        "Left or right, where a part is there twice",
        "toaster.4.hitloc-either",
        _TABLES,
        "An ear or a shoulder.",
        (("coin", "a die says"), ("gm", "the GM says")),
        effect="The die is fair: either side half the time.",
    ),
    number(
        "limb_disabled_at",
        "Wounds that make a limb useless",
        "toaster.4.hitloc-limb",
        _TABLES,
        "Until they have healed below that. Left empty, limbs stay usable. Needs hit locations.",
        3,
        low=1,
        effect="At 3 an arm with two wounds can still be used, one with three cannot.",
    ),
)
