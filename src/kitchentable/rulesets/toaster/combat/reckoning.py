"""The form of an attack, reckoned up: what is added to its rolls, by name, and their arguments."""

from __future__ import annotations

from functools import cached_property

from kitchentable.rules import (
    EVERYONE,
    GM,
    Part,
    Problem,
    Table,
    card_audience,
    plural,
    total,
    worth,
)
from kitchentable.rules.kit import Problems
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import Parts, Row, Words, problem, row, rows
from kitchentable.rulesets.toaster.character.listing import MARTIAL_ARTS, skill_name
from kitchentable.rulesets.toaster.combat.arms import BRAWL, Arm, Defense, range_penalty
from kitchentable.rulesets.toaster.combat.asking import OPEN, ROLLS, Questions
from kitchentable.rulesets.toaster.combat.turns import may_act
from kitchentable.rulesets.toaster.harm.places import (
    areas,
    location_cells,
    place_named,
)
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.tables import read_criticals
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    ATTACK,
    DEFENSE,
    Attacker,
    Defender,
    Rules,
)
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import TRADES, Person

#: What a formal style adds against somebody who can only brawl (toaster.2.skill-martial-plus-2).
STYLE_BONUS = 2


def asks_for_criticals(options: Options) -> bool:
    """Whether a critical attack is hardened by nothing but the GM's word."""
    return options.variable_outcomes and not (
        options.wcac_critical_table
        or options.wcac_double_roll
        or options.wcac_same_die
        or options.wcac_add_margin
        or options.critical_fumble_table
    )


@record
class Seen:
    """The audiences of an attack: of the card, and of each side's die, parts and total."""

    card: str
    attack: str
    defence: str

    @property
    def both(self) -> str:
        """The audience of lines with both sides' numbers."""
        return EVERYONE if self.attack == EVERYONE and self.defence == EVERYONE else GM


class AttackForm(Questions):
    """An attack as people have agreed on it: who, whom, with what, against which defense."""

    @property
    def me(self) -> Person:
        """The attacker."""
        return self.at.me

    @property
    def table(self) -> Table:
        """The table, with its rules as they hold here."""
        return self.at.table

    @property
    def options(self) -> Options:
        """The options of the table."""
        return self.at.options

    @cached_property
    def use(self) -> Arm:
        """The weapon in the use that was picked."""
        return self.arm

    @cached_property
    def skills(self) -> Words:
        return self.me.skills_of(self.use)

    @cached_property
    def manoeuvres(self) -> list[Row]:
        """The special moves of a fighting style: the GM's list, empty until somebody writes it.

        toaster.2.skill-martial-manoeuvres: the book grants such moves and lists none.
        """
        return [one for one in rows(self.table, "manoeuvres") if one.get("skill") == self.skill]

    @cached_property
    def ways(self) -> list[Defense]:
        """The target's ways to defend."""
        return self.target.defenses(self.use, self.bare)

    @cached_property
    def usual(self) -> Defense:
        """The likeliest defense."""
        return self.target.likeliest(self.ways)

    @property
    def length_matters(self) -> bool:
        """Whether length has a say: the option is on, a fight too, and it is hand to hand."""
        on = self.options.weapon_length and self.table.fight is not None
        return on and not self.use.ranged

    @property
    def title(self) -> str:
        return f"{self.use.name} against {self.target.name}"

    # ------------------------------------------------------------ who may know what

    @property
    def keeps_modifiers(self) -> bool:
        """Whether the GM keeps modifiers of this attack to themselves for good.

        Where difficulties are told after the throw, the card tells them
        (toaster.3.difficulty-open-secret).
        """
        kept = "modifiers" in self.at.actor.hidden and bool(self.modifiers)
        return kept and self.options.difficulty_shown != "after"

    @property
    def seen(self) -> Seen:
        """The audiences. A total would tell modifiers that the GM keeps, so it is the GM's too."""
        one, other, secret = self.me, self.target, self.keeps_modifiers
        return Seen(
            card_audience(one.entity, other.entity),
            GM if secret or one.hidden else one.number_audience,
            GM if secret or other.hidden else other.number_audience,
        )

    @property
    def closed(self) -> Words:
        """The throws that only the GM may see."""
        mine = ("attack", "damage") if self.seen.attack == GM else ()
        theirs = ("defence", "protection") if self.seen.defence == GM else ()
        return (*mine, *theirs)

    # ------------------------------------------------------------ what is added to the rolls

    def attack_parts(self) -> Parts:
        """Everything that is added to the attack's die, by name (toaster.4.attack-roll)."""
        me, arm = self.me, self.use
        (name, bonus), styled = me.shield, self.skill == MARTIAL_ARTS
        hampers = self.options.shield_attack_penalty
        return (
            self._rank(me, self.skill, self.specialty),
            *worth(Part(arm.name, arm.weapon.modifier)),
            *(self._range() if arm.ranged else ()),
            *me.weakness(arm.weapon),
            *worth(
                Part(f"hampered by {name.casefold()}", -bonus if hampers else 0),
                Part("wrong distance", self.length if self.length_matters else 0),
            ),
            *self._style(styled and self.target.has_only_brawl),
            *(
                Part(one["name"], one.get("modifier") or 0)
                for one in self.manoeuvres
                if one["key"] == self.manoeuvre
            ),
            *me.modifiers("attack"),
            *worth(Part("on the ground", self.prone_attack if me.is_prone else 0)),
            *self._stance(me, ATTACK, self.stance),
            *worth(Part("luck", BEFORE * self.luck)),
            *self.said("attack"),
        )

    def defence_parts(self) -> Parts:
        """Everything that is added to the defence's die, by name.

        toaster.4.defence-h2h, toaster.4.shield-bonus-only-shield.
        """
        one, way = self.target, self.defence
        brawls = self.skill == BRAWL and self.me.has_only_brawl
        return (
            self._rank(one, way.skill, self.defence_specialty),
            *way.parts,
            *((Part("against a missile", self.missile_parry),) if way.asks else ()),
            *self._style(brawls and way.skill == MARTIAL_ARTS),
            *one.modifiers("defence"),
            *worth(Part("on the ground", self.prone_defence if one.is_prone else 0)),
            *self._stance(one, DEFENSE, self.defence_stance),
            *worth(Part("luck", BEFORE * self.defence_luck)),
            *self.said("defence"),
        )

    def _style(self, counts: bool) -> Parts:
        """A formal style against somebody who can only brawl (toaster.2.skill-martial-plus-2)."""
        return (Part("style against brawling", STYLE_BONUS),) if counts else ()

    def _rank(self, one: Person, skill: str, specialty: str) -> Part:
        name = skill_name(self.table, skill)
        shown = f"{name} ({specialty})" if specialty else name
        return Part(shown, one.rank(skill, specialty=specialty))

    def _range(self) -> Parts:
        """The distance, and what scope and aim take off its penalty; never better than none.

        toaster.4.range-table, toaster.4.range-reduction.
        """
        far = row(self.table, "range", self.distance) or {"name": ""}
        penalty = range_penalty(self.table, self.distance)
        rounds = max(1, self.me.aim) if self.aimed else 0
        scope = max(0, min(self.use.scope, -penalty))
        aim = max(0, min(rounds * self.options.aim_bonus, -penalty - scope))
        return worth(
            Part(f"{far['name'].casefold()} range", penalty), Part("scope", scope), Part("aim", aim)
        )

    def _stance(self, one: Person, kind: str, put: int) -> Parts:
        taken = (Part(TRADES[kind], put), one.all_out_part(kind)) if self.options.stance else ()
        return (*worth(*taken), *one.left_for(kind))

    def said(self, on: str) -> Parts:
        """The GM's own modifiers to one of the four rolls, with their reasons."""
        return tuple(
            Part(str(one.get("why") or "by the GM"), one["value"])
            for one in self.modifiers
            if (one.get("on") or "attack") == on and one["value"]
        )

    # ------------------------------------------------------------ the mechanics' arguments

    @property
    def attacker(self) -> Attacker:
        """The attacker's numbers; the gate is 10 from afar, else the rank of the defense.

        toaster.4.attack-ranged-gate, toaster.4.attack-h2h-gate, toaster.4.attack-h2h-gate-number.
        """
        self.me.check_known()
        self.target.check_known()
        modifier, called = total(self.attack_parts()), self.called
        if self.use.ranged:
            return Attacker(modifier, TARGET, reaches=True, called=called)
        way = self.target.rank(self.defence.skill, specialty=self.defence_specialty)
        return Attacker(modifier, 0 if self.ward == OPEN else way, called=called)

    @property
    def defender(self) -> Defender:
        """The defender's numbers."""
        if self.ward != ROLLS:
            return Defender(rolls=False)
        return Defender(total(self.defence_parts()), called=self.defence_called)

    @property
    def classes(self) -> Classes:
        """The numbers of damage and protection after a hit: classes, places, thresholds.

        Whatever else protects, a force field or a charm, stands on the sheet as armor; its number
        is the GM's (toaster.4.ac-custom-protection, toaster.4.ac-example-vest).
        toaster.4.partial-ac, toaster.4.protection-modified, toaster.4.ac-formula.
        """
        one = self.target
        places = areas(one) if self.options.partial_armor else ()
        return Classes(
            self.weapon_class + total(self.said("damage")) + BEFORE * self.damage_luck,
            one.armor_class(),
            one.armor_class(body_only=True),
            tuple((area, one.armor_class(area)) for area in places),
            place_named(self.area)[0],
            self.use.piercing + total(self.said("protection")),
            self.critical_bonus,
            one.thresholds[1],
            self.use.weapon.unarmed,
            self.damage_called,
            self.protection_called,
        )

    @property
    def weapon_class(self) -> int:
        """The class of the weapon in this hand and at this distance."""
        far = self.distance if self.use.ranged else ""
        return self.me.class_of(self.use, far)

    @property
    def rules(self) -> Rules:
        """The optional rules for attack and defense."""
        return self.options.to_hit

    @property
    def damage_ways(self) -> Ways:
        """The optional rules for damage.

        toaster.4.opt-wcac-integrate, toaster.4.partial-switch.
        """
        asked = self.options.wcac_critical_table or self.options.critical_fumble_table
        criticals = read_criticals(rows(self.table, "criticals")) if asked else ()
        return self.options.damage(criticals, location_cells(self.target))

    def luck_spent(self, one: Person) -> int:
        """The luck points that somebody has put on this attack beforehand."""
        return self.luck + self.damage_luck if one == self.me else self.defence_luck

    def luck_over(self, one: Person) -> int:
        """The luck points that somebody could still spend on this attack."""
        return one.luck_points - self.luck_spent(one)

    def problems(self) -> Problems:
        """A turn that is over, or more luck than the attacker has (toaster.3.luck-limits)."""
        reason = may_act(self.at)
        if reason:
            yield Problem("", "toaster.4.actions-two", reason)
            return
        me = self.me
        if self.luck_over(me) < 0:
            left = plural(me.luck_points, "luck point")
            yield problem("luck-left", "luck", name=me.name, left=left)
