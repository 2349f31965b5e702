"""The form of an attack: questions, parts of the rolls, and arguments of the mechanics."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from kitchentable.rules import (
    EVERYONE,
    GM,
    Choice,
    Part,
    Table,
    card_audience,
    plural,
    total,
    worth,
)
from kitchentable.rules.kit import (
    Form,
    Input,
    Problems,
    Unknown,
    given,
    likely_foe,
    maybe_number,
    number,
    pick,
    pick_many,
    somebody,
    text,
    tick,
)
from kitchentable.rules.kit import rows as ask_rows
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.actions.sides import Own, hampered, specialty_of
from kitchentable.rulesets.toaster.book import Parts, Row, Words, problem, row, rows
from kitchentable.rulesets.toaster.character.listing import MARTIAL_ARTS, names_of, skill_name
from kitchentable.rulesets.toaster.combat.arms import (
    BRAWL,
    Arm,
    Defense,
    arm_choices,
    defense_choices,
    range_choices,
    range_penalty,
)
from kitchentable.rulesets.toaster.harm.places import (
    ON_THE_GROUND,
    areas,
    location_cells,
    place_choices,
    place_named,
)
from kitchentable.rulesets.toaster.luck import BEFORE, call_four, luck_before
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    ATTACK,
    DEFENSE,
    Attacker,
    Defender,
    Rules,
)
from kitchentable.rulesets.toaster.options import DAMAGE, PROTECTION
from kitchentable.rulesets.toaster.people import ALL_OUT, SHOWN, TRADES, Here, Person

#: The kinds of defense: a roll; no roll, but the defender's rank must still be beaten; none.
ROLLS, GATE, OPEN = "rolls", "gate", "open"


def likely(at: Here) -> str | None:
    """The first conscious character of another side."""
    return likely_foe(at, [one for one in at.others() if one.is_awake])


def _arm(at: Here, key: Any) -> Arm:
    """The chosen weapon; an attack that waits goes on even if its weapon was lost since then."""
    uses = at.me.uses if at.asked else at.me.arms
    found = next((one for one in uses if one.key == key), None)
    if found is None:
        raise Unknown("That weapon is not at hand.")
    return found


def _skill_choices(at: Here) -> Iterable[tuple[str, str]]:
    one = at.me
    for key in at.form.skills:
        name = skill_name(at.table, key)
        yield key, f"{name} {one.rank(key)}" if one.is_known else name


def usual_ward(at: Here, target: Person) -> str:
    """Whether the target can defend now.

    toaster.4.stance-3, toaster.4.defence-cost, toaster.4.attack-h2h-gate-number (A-37).
    """
    if not target.is_awake:
        return OPEN
    spent = at.options.defence_uses_action and target.fighter.get("left", 1) <= 0
    if target.gives_up(DEFENSE) or spent:
        return GATE
    return ROLLS


def _ward(at: Here, said: Any) -> str:
    """The ward; none against an unavoidable area (toaster.2.skill-dodge-area)."""
    return OPEN if at.form.use.blast and at.form.blast == "unavoidable" else str(said)


# ---------------------------------------------------------------- questions of both sides


def _stance(label: Any = "") -> Input[int]:
    """A question for the points traded from the next roll of the other kind.

    toaster.4.stance-1-2.
    """
    asked = pick(label, when=lambda at: at.options.stance)
    return asked.read_as(lambda at, said: int(said or 0) if at.options.stance else 0)


def _prone(label: Any, who: Any) -> Input[int]:
    """A question for the penalty for lying on the ground (toaster.4.crit-b)."""
    return number(label, when=lambda at: who(at).is_prone, default=ON_THE_GROUND)


def _of_target(words: str) -> Any:
    """A label with the defender's name, for seats that may know the attacker's weapon."""
    return lambda at: words.format(at.form.use and at.form.target.name)


def _ranged(at: Here) -> bool:
    return bool(at.form.use.ranged)


# ---------------------------------------------------------------- the form

#: The bonus of a formal style against a target who can only brawl (toaster.2.skill-martial-plus-2).
STYLE_BONUS = 2


@record
class Seen:
    """The audiences of an attack: for the card, and for each side's die, parts and total."""

    card: str
    attack: str
    defense: str

    @property
    def both(self) -> str:
        """The audience of lines with both sides' numbers."""
        return EVERYONE if self.attack == EVERYONE and self.defense == EVERYONE else GM


class AttackForm(Form):
    """The agreed terms of an attack: attacker, target, weapon, and defense.

    Active options add their questions.
    """

    at: Here

    target = somebody(among=Here.others, default=likely)
    arm = pick(choices=lambda at: arm_choices(at.me), first=True).read_as(_arm)
    skill = pick(
        choices=_skill_choices,
        when=lambda at: len(at.form.skills) > 1,
        default=lambda at: at.form.skills[0],
    ).read_as(lambda at, said: str(said) if said in at.form.skills else at.form.skills[0])
    specialty = Own.specialty
    disabilities = Own.disabilities
    manoeuvre = pick(
        choices=lambda at: [
            ("", "No"),
            *(
                (one["key"], f"{one['name']}, {one.get('modifier') or 0:+}", one["note"])
                for one in at.form.manoeuvres
            ),
        ],
        when=lambda at: at.form.manoeuvres,
    )
    aimed = tick(when=_ranged, default=lambda at: at.me.aim > 0, needs_yes=lambda at: not at.me.aim)
    stance = _stance()
    luck = luck_before()
    damage_luck = luck_before(when=lambda at: at.options.luck_on_damage)
    called = call_four()
    damage_called = call_four(scope=DAMAGE, when=lambda at: not at.options.wcac_same_die)
    what = text()

    # ------------------------------------------------------------ the defender's

    defence: Input[Defense] = pick(
        target.words("{} defends with"),
        lambda at: defense_choices(at.form.target, at.form.ways),
        default=lambda at: at.form.usual.key,
        rule=lambda at: "toaster.4.defence-ranged" if _ranged(at) else "toaster.4.defence-h2h",
    ).read_as(lambda at, key: next((one for one in at.form.ways if one.key == key), at.form.usual))
    defence_specialty = specialty_of(
        _of_target("Within a specialty of {}?"),
        lambda at: at.form.target.specialties_in(at.form.defence.skill),
    )
    defence_disabilities = pick_many(
        _of_target("What hampers {} here"),
        lambda at: [(one.name, f"{one.name}, {one.value:+}") for one in at.form.handicaps],
        when=lambda at: at.form.handicaps,
        rule="toaster.2.trait-disability",
    )
    defence_stance = _stance(_of_target("Stance of {}"))
    defence_luck = luck_before(_of_target("Luck points of {} before the defense"), target)
    defence_called = call_four(_of_target("{} calls a 4 on the defense"))
    protection_called = call_four(_of_target("{} calls a 4 on the protection"), PROTECTION)

    # ------------------------------------------------------------ the GM's

    distance = pick(choices=lambda at: range_choices(at.table), when=_ranged, first=True)
    length = pick(
        when=lambda at: at.form.length_matters,
        default=lambda at: str(at.me.length_penalty(at.form.target, at.form.use)),
    ).read_as(lambda at, said: int(said))
    prone_attack = _prone("Off the attack, from the ground", lambda at: at.me)
    prone_defence = _prone(target.words("Off {}'s defense, from the ground"), target)
    blast = pick(when=lambda at: at.form.use.blast)
    ward = pick(
        target.words("Does {} get a defense roll?"),
        default=lambda at: usual_ward(at, at.form.target),
    ).read_as(_ward)
    bare = maybe_number(
        when=lambda at: not _ranged(at) and (not at.form.use.weapon.unarmed),
        default=lambda at: 0 if at.options.martial_arts_campaign else None,
    )
    missile_parry = number(
        lambda at: f"Modifier for {at.form.defence.name} against a missile",
        when=lambda at: at.form.defence.asks,
    )
    #: Earlier versions asked this in advance; now the GM decides after the roll.
    critical_bonus = given(0)
    area = pick(
        choices=lambda at: [
            Choice("", "The dice say"),
            *place_choices(at.form.target),
        ],
        when=lambda at: at.options.hit_location or at.options.partial_armor,
    )
    modifiers = ask_rows(when=target, hidden=lambda at: at.options.difficulty_shown != "before")

    @property
    def table(self) -> Table:
        """The table with its current rules."""
        return self.at.table

    @cached_property
    def use(self) -> Arm:
        """The chosen weapon in its use."""
        return self.arm

    @cached_property
    def skills(self) -> Words:
        return self.at.me.skills_of(self.use)

    @cached_property
    def manoeuvres(self) -> list[Row]:
        """The special moves of a fighting style, from the GM's list, which is empty at first.

        toaster.2.skill-martial-manoeuvres: the book grants such moves but lists none.
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
    def handicaps(self) -> Parts:
        """The target's disabilities that may hamper the defense."""
        return self.target.handicaps(names_of(self.table, self.defence.skill))

    @property
    def length_matters(self) -> bool:
        """Whether weapon length counts: option on, during a fight, hand to hand."""
        on = self.options.weapon_length and self.table.fight is not None
        return on and not self.use.ranged

    @property
    def title(self) -> str:
        return f"{self.use.name} against {self.target.name}"

    # ------------------------------------------------------------ who may know what

    @property
    def keeps_modifiers(self) -> bool:
        """Whether the GM keeps modifiers of this attack secret for good.

        If difficulties are shown after the throw, the card shows them
        (toaster.3.difficulty-open-secret).
        """
        kept = "modifiers" in self.at.actor.hidden and bool(self.modifiers)
        return kept and self.options.difficulty_shown != "after"

    @property
    def seen(self) -> Seen:
        """The audiences. Totals that would reveal secret modifiers are for the GM only."""
        one, other, secret = self.me, self.target, self.keeps_modifiers
        return Seen(
            card_audience(one.entity, other.entity),
            GM if secret else one.number_audience,
            GM if secret else other.number_audience,
        )

    @property
    def closed(self) -> Words:
        """The throws that only the GM may see."""
        mine = ("attack", "damage") if self.seen.attack == GM else ()
        theirs = ("defence", "protection") if self.seen.defense == GM else ()
        return (*mine, *theirs)

    # ------------------------------------------------------------ what is added to the rolls

    def attack_parts(self) -> Parts:
        """All parts added to the attack's die, by name (toaster.4.attack-roll)."""
        me, use, styled = self.me, self.use, self.skill == MARTIAL_ARTS
        return (
            me.rank_part(self.skill, self.specialty),
            *hampered(self.at),
            *me.armed_parts(use, self._range() if use.ranged else ()),
            *worth(Part("wrong distance", self.length if self.length_matters else 0)),
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

    def defense_parts(self) -> Parts:
        """All parts added to the defense's die, by name.

        toaster.4.defence-h2h, toaster.4.shield-bonus-only-shield.
        """
        one, way = self.target, self.defence
        brawls = self.skill == BRAWL and self.me.has_only_brawl
        return (
            one.rank_part(way.skill, self.defence_specialty),
            *(part for part in self.handicaps if part.name in self.defence_disabilities),
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
        """The bonus of a formal style against a target who can only brawl.

        toaster.2.skill-martial-plus-2.
        """
        return (Part("style against brawling", STYLE_BONUS),) if counts else ()

    def _range(self) -> Parts:
        """The range penalty, and the parts of it that scope and aim remove.

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
        """Traded points, an all-out stance, and parts left by earlier rolls.

        toaster.4.stance-1-2, toaster.4.stance-3.
        """
        given = ALL_OUT if one.all_out.get("kind") == kind else 0
        taken = Part(TRADES[kind], put), Part(f"all-out {SHOWN[kind]}", given)
        return (*worth(*(taken if self.options.stance else ())), *one.left_for(kind))

    def said(self, on: str) -> Parts:
        """The GM's modifiers to one of the four rolls, with their reasons."""
        return tuple(
            Part(str(one.get("why") or "by the GM"), one["value"])
            for one in self.modifiers
            if (one.get("on") or "attack") == on and one["value"]
        )

    # ------------------------------------------------------------ the mechanics' arguments

    @property
    def attacker(self) -> Attacker:
        """The attacker's numbers; the gate is 10 at range, otherwise the rank of the defense.

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
        return Defender(total(self.defense_parts()), called=self.defence_called)

    @property
    def classes(self) -> Classes:
        """The numbers of damage and protection after a hit: classes, places, thresholds.

        Other protection, such as a force field or charm, is armor on the sheet, with a number set
        by the GM (toaster.4.ac-custom-protection, toaster.4.ac-example-vest). toaster.4.partial-ac,
        toaster.4.protection-modified, toaster.4.ac-formula.
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
        """The weapon class for this character and range."""
        far = self.distance if self.use.ranged else ""
        return self.at.me.class_of(self.use, far)

    @property
    def rules(self) -> Rules:
        """The optional rules for attack and defense."""
        return self.at.options.to_hit

    @property
    def damage_ways(self) -> Ways:
        """The optional rules for damage.

        toaster.4.opt-wcac-integrate, toaster.4.partial-switch.
        """
        return self.at.options.damage(self.table, location_cells(self.target))

    def luck_spent(self, one: Person) -> int:
        """The luck points that a character put on this attack in advance."""
        return self.luck + self.damage_luck if one == self.me else self.defence_luck

    def luck_over(self, one: Person) -> int:
        """The luck points that a character could still spend on this attack."""
        return one.luck_points - self.luck_spent(one)

    def problems(self) -> Problems:
        """Refuse more luck than the attacker has, and points traded during an all-out stance.

        toaster.3.luck-limits, toaster.4.stance-3.
        """
        me = self.me
        if self.luck_over(me) < 0:
            left = plural(me.luck_points, "luck point")
            yield problem("luck-left", "luck", name=me.name, left=left)
        for one, asked, put in (
            (me, "stance", self.stance),
            (self.target, "defence_stance", self.defence_stance),
        ):
            if put and one.all_out:
                yield problem("all-out-traded", asked, name=one.name)
