"""A character's harm: stun, wounds, condition, and their penalties.

Everything is read from the state, which is plain JSON. Concealed characters have none and count as
unharmed. `hurting`, `passing` and `healing` change harm.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from kitchentable.rules import Part, Table, noun, plural, whole
from kitchentable.rules.kit.beings import Fact, state
from kitchentable.rulesets.toaster.book import Parts, Row, Words, row, rows
from kitchentable.rulesets.toaster.character.attributes import area_key, attribute_name
from kitchentable.rulesets.toaster.character.skills import Skilled

AWAKE = "awake"
UNCONSCIOUS = "unconscious"
#: Five wounds or more: incapacitated and close to death (toaster.4.mortal-state).
MORTAL = "mortal"
DEAD = "dead"
#: An unnamed character who is out of the fight (toaster.4.unnamed-out).
OUT = "out"

#: The conditions that prevent normal actions, in words.
IN_WORDS = {
    UNCONSCIOUS: "unconscious",
    MORTAL: "mortally wounded",
    DEAD: "dead",
    OUT: "out of the fight",
}
#: The GM's remedies for these conditions.
_HELP = {
    UNCONSCIOUS: "; the GM says when they wake",
    MORTAL: " and cannot act; the GM may grant a last act",
}

#: The number of wounds that makes a character mortally wounded (toaster.4.wounds-penalty).
MORTAL_WOUNDS = 5
#: The causes of wounds that do not bleed: blood loss, and fever in an older wound.
DRY = frozenset({"bleeding", "fever"})
#: The effect of a fall, until the character gets up (toaster.4.crit-b).
PRONE = "prone"
#: The kinds of a medic's care, as stored.
FIRST_AID, LONG_TERM = "first-aid", "long-term"


class Wounded(Skilled):
    """A character with stun, wounds, and all other harm."""

    stun = state(0)
    #: The wounds of each blow: "n", "area", "part", "cause" ("attack", "bleeding", "ruling").
    wound_rows: Fact[list[Row]] = state([], "wounds")
    condition = state(AWAKE)
    effect_rows: Fact[list[Row]] = state([], "effects")
    last_act = state(default=False)
    senseless = state(default=False)
    mortality: Fact[Row] = state({})
    bleeding: Fact[Row] = state({})
    care: Fact[Row] = state({})
    dropped: Fact[dict[str, str]] = state({})
    rested = state(0)

    # ------------------------------------------------------------ condition

    @property
    def is_dead(self) -> bool:
        """Whether the character is dead."""
        return self.condition == DEAD

    @property
    def is_awake(self) -> bool:
        """Whether the character can act normally."""
        return self.condition == AWAKE

    @property
    def is_conscious(self) -> bool:
        """Whether the character is conscious: awake, or mortally wounded but not senseless.

        toaster.4.mortal-last-act.
        """
        return self.is_awake or (self.condition == MORTAL and not self.senseless)

    @property
    def unable(self) -> str | None:
        """The reason why the character cannot act, or None.

        The dying may act once if the GM grants it (toaster.4.mortal-last-act).
        """
        if self.is_awake or (self.last_act and self.is_conscious):
            return None
        words = IN_WORDS.get(self.condition, self.condition)
        return f"{self.name} is {words}{_HELP.get(self.condition, '')}."

    @property
    def is_prone(self) -> bool:
        """Whether the character lies on the ground (toaster.4.crit-b)."""
        return any(one.get("id") == PRONE for one in self.effect_rows)

    # ------------------------------------------------------------ stun and wounds

    @property
    def stun_degree(self) -> int:
        """The degree of stun, as an index into the table of degrees; 0 is fine.

        toaster.4.stun-table, toaster.4.stun-threshold-size.
        """
        times = max(0, self.stun) // max(1, self.thresholds[0])
        return sum(whole(one["at"]) <= times for one in degrees(self.table)[1:])

    @property
    def stun_word(self) -> str:
        """The degree of the stun in a word: "fine", "dazed"."""
        return str(degrees(self.table)[self.stun_degree]["name"]).lower()

    @property
    def passes_out(self) -> bool:
        """Whether the stun is of the last degree, unconsciousness."""
        return self.stun_degree == len(degrees(self.table)) - 1

    @property
    def wounds(self) -> int:
        """Wounds taken and not yet healed.

        >>> from kitchentable.rules import Entity
        >>> hurt = Entity("e", "Ivo", "pc", "s", {}, {"wounds": [{"n": 2}, {"n": 1}]})
        >>> Wounded(Table(options={}), hurt).wounds
        3
        """
        return sum(whole(one.get("n")) for one in self.wound_rows)

    @property
    def wounds_by_area(self) -> Counter[str]:
        """The wounds of each area, for wounds with a known place."""
        found: Counter[str] = Counter()
        for one in self.wound_rows:
            if area := area_key(one.get("area") or ""):
                found[area] += whole(one.get("n"))
        return found

    @property
    def useless_limbs(self) -> Words:
        """The limbs that are useless until their wounds heal.

        toaster.4.hitloc-limb.
        """
        most = self.options.limb_disabled_at
        if not self.options.hit_location or not most:
            return ()
        places = rows(self.table, "locations")
        limbs = {area_key(one["area"]) for one in places if one.get("limb")}
        counted = self.wounds_by_area.items()
        return tuple(area for area, n in counted if area in limbs and n >= most)

    # ------------------------------------------------------------ what it takes off

    def penalty(self, *, mental: bool = False) -> Part | None:
        """The penalty of stun and wounds on every action: the worse one, not the sum.

        An option reduces the wound penalty for mental actions. toaster.4.penalty-worst-of,
        toaster.4.stun-penalty-all, toaster.4.wounds-penalty-all, toaster.4.wounds-mental.
        """
        # The book has no penalty for Unconscious; after waking, the worst earlier penalty applies.
        reached = degrees(self.table)[: self.stun_degree + 1]
        worst = min(reached, key=lambda one: whole(one.get("penalty")))
        dazed, hurt = -whole(worst.get("penalty")), self.wounds
        if mental:
            hurt = {"half": hurt // 2, "none": 0}.get(self.options.mental_wound_penalty, hurt)
        if not dazed and not hurt:
            return None
        if hurt >= dazed:
            return Part(noun(hurt, "wound"), -hurt)
        return Part(str(worst["name"]).lower(), -dazed)

    def modifiers(self, kind: str = "skill", *, mental: bool = False) -> Parts:
        """All parts that harm adds to an action, by name: the penalty and effects.

        `kind` is "attack", "defence", "skill" or "attribute". Damage and protection rolls,
        initiative, the passive gate and mortality checks are not actions and do not use this
        (toaster.4.penalty-scope, toaster.4.crit-b).
        """
        worst = self.penalty(mental=mental)
        return (
            *((worst,) if worst else ()),
            *(
                Part(one["name"], whole(one.get("value")))
                for one in self.effects
                if one.get("scope", "all") in {"all", kind} and whole(one.get("value"))
            ),
        )

    @property
    def effects(self) -> list[Row]:
        """The current effects: {"id", "name", "value", "scope", "from", "until"}.

        Effects with "until" above 0 last only in a fight, from round "from" to "until".
        """
        now = this_round(self.table)
        return [
            one
            for one in self.effect_rows
            if not whole(one.get("until")) or whole(one.get("from")) <= now <= whole(one["until"])
        ]

    @property
    def health_part(self) -> Part:
        """The attribute for healing and mortality: Physique, unless the table changed it.

        toaster.4.mortality-roll, toaster.4.heal-week, toaster.2.attributes-changeable.
        """
        use = row(self.table, "uses", "health")
        name = attribute_name(self.table, use["attribute"]) if use else "Physique"
        return Part(name, self.attribute_for("health"))

    # ------------------------------------------------------------ dying and bleeding

    @property
    def is_dying(self) -> bool:
        """Whether the character is mortally wounded and not stable."""
        return self.condition == MORTAL and not self.mortality.get("stable")

    @property
    def rounds_left(self) -> int:
        """The rounds until death or the next check; 0 for none."""
        return whole(self.mortality.get("rounds"))

    @property
    def counts_down(self) -> bool:
        """Whether a countdown to death or the next check is running."""
        return self.is_dying and bool(self.rounds_left)

    @property
    def full_rate(self) -> int:
        """The stun that the wounds cost each round while no bleeding is stopped.

        Wounds from blood loss do not count; the GM may add points for movement
        (toaster.4.bleed-rate, toaster.4.bleed-rate-stays).
        """
        fresh = (whole(one.get("n")) for one in self.wound_rows if one.get("cause") not in DRY)
        return sum(fresh) + whole(self.bleeding.get("extra"))

    @property
    def bleeds(self) -> int:
        """The stun lost at the end of each round; 0 without the option of bleeding.

        The dead, and unnamed characters out of a fight, do not bleed.
        """
        if not self.options.bleeding or self.condition in {DEAD, OUT}:
            return 0
        return max(0, self.full_rate - whole(self.bleeding.get("stopped")))

    @property
    def bleeding_words(self) -> str:
        """The bleeding in words, "bleeds 2 points a round", or ""."""
        return f"bleeds {plural(self.bleeds, 'point')} a round" if self.bleeds else ""

    @property
    def next_interval(self) -> int:
        """The days of rest before the next healing roll, fewer after first aid.

        toaster.4.heal-technology, toaster.4.heal-first-aid-early.
        """
        usual, early = self.options.healing_days, whole(self.care.get("early"))
        return min(usual, early) if early else usual


def degrees(table: Table) -> list[Row]:
    """The degrees of stun, mildest first; the last is unconsciousness.

    `at` is the stun in multiples of the threshold, `penalty` the penalty of the degree.

    >>> [(one["name"], one["at"]) for one in degrees(Table(options={}))][-2:]
    [('Stunned', 4), ('Unconscious', 5)]
    """
    return sorted(rows(table, "degrees"), key=lambda one: whole(one["at"]))


def this_round(table: Table) -> int:
    """The current round of the fight, or 0."""
    fight: Any = table.fight or {}
    return whole(fight.get("round"))
