"""What an attack asks, and of whom: the attacker, the defender's owner, the GM."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.rules import Choice
from kitchentable.rules.kit import (
    Form,
    Input,
    Unknown,
    given,
    likely_foe,
    maybe_number,
    number,
    pick,
    rows,
    somebody,
    text,
    tick,
)
from kitchentable.rulesets.toaster.actions.sides import specialty_of
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.combat.arms import (
    Arm,
    Defense,
    arm_choices,
    defense_choices,
    range_choices,
)
from kitchentable.rulesets.toaster.harm.places import ON_THE_GROUND, place_choices
from kitchentable.rulesets.toaster.luck import call_four, luck_before
from kitchentable.rulesets.toaster.mechanics.to_hit import DEFENSE
from kitchentable.rulesets.toaster.options import DAMAGE, PROTECTION
from kitchentable.rulesets.toaster.people import Here, Person, others

#: Whether a defense is rolled: as ever; not, and the skill still has to be beaten; nothing at all.
ROLLS, GATE, OPEN = "rolls", "gate", "open"


def likely(at: Here) -> str | None:
    """The first of another side who still stands."""
    return likely_foe(at, [one for one in others(at) if one.is_awake])


def _arm(at: Here, key: Any) -> Arm:
    found = at.me.arm(key)
    if found is None:
        raise Unknown("That weapon is not at hand.")
    return found


def _defence(at: Here, key: Any) -> Defense:
    """The defense that was picked, else the likeliest one."""
    usual: Defense = at.form.usual
    return next((one for one in at.form.ways if one.key == key), usual)


def _skill_choices(at: Here) -> Iterable[tuple[str, str]]:
    one = at.me
    for key in at.form.skills:
        name = skill_name(at.table, key)
        yield key, f"{name} {one.rank(key)}" if one.is_known else name


def usual_ward(at: Here, target: Person) -> str:
    """Whether this one can defend at all, as things stand.

    toaster.4.stance-3, toaster.4.defence-cost, toaster.4.attack-h2h-gate-number (A-37).
    """
    if not target.is_awake:
        return OPEN
    spent = at.options.defence_uses_action and target.fighter.get("left", 1) <= 0
    if target.gives_up(DEFENSE) or spent:
        return GATE
    return ROLLS


def _ward(at: Here, said: Any) -> str:
    """The ward; nobody can avoid what hits whatever is near (toaster.2.skill-dodge-area)."""
    return OPEN if at.form.use.blast and at.form.blast == "unavoidable" else str(said)


# ---------------------------------------------------------------- questions of both sides


def _stance(label: Any = "") -> Input[int]:
    """The points traded from the next roll of the other kind (toaster.4.stance-1-2)."""
    asked = pick(label, when=lambda at: at.options.stance)
    return asked.read_as(lambda at, said: int(said or 0) if at.options.stance else 0)


def _prone(label: Any, who: Any) -> Input[int]:
    """The penalty for lying on the ground (toaster.4.crit-b)."""
    return number(label, when=lambda at: who(at).is_prone, default=ON_THE_GROUND)


def _of_target(words: str) -> Any:
    """A label with the defender's name, for seats that may know with what the attack is made."""
    return lambda at: words.format(at.form.use and at.form.target.name)


def _ranged(at: Here) -> bool:
    return bool(at.form.use.ranged)


class Questions(Form):
    """The questions of an attack; options that are on add theirs."""

    at: Here

    target = somebody(among=others, default=likely)
    arm = pick(choices=lambda at: arm_choices(at.me), first=True).read_as(_arm)
    skill = pick(
        choices=_skill_choices,
        when=lambda at: len(at.form.skills) > 1,
        default=lambda at: at.form.skills[0],
    ).read_as(lambda at, said: str(said) if said in at.form.skills else at.form.skills[0])
    specialty = specialty_of("Inside a specialty?", lambda at: at.me.specialties_in(at.form.skill))
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

    defence = pick(
        target.words("{} defends with"),
        lambda at: defense_choices(at.form.target, at.form.ways),
        default=lambda at: at.form.usual.key,
        rule=lambda at: "toaster.4.defence-ranged" if _ranged(at) else "toaster.4.defence-h2h",
    ).read_as(_defence)
    defence_specialty = specialty_of(
        _of_target("Inside a specialty of {}?"),
        lambda at: at.form.target.specialties_in(at.form.defence.skill),
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
    #: Asked beforehand by an earlier version; now the GM says it once the dice have fallen.
    critical_bonus = given(0)
    area = pick(
        choices=lambda at: [
            Choice("", "The dice say"),
            *place_choices(at.form.target),
        ],
        when=lambda at: at.options.hit_location or at.options.partial_armor,
    )
    modifiers = rows(when=target, hidden=lambda at: at.options.difficulty_shown != "before")
