"""What an attack asks, and of whom: the attacker, the defender's owner, the GM."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.rules import GM, Choice, Field
from kitchentable.rules.kit import (
    Form,
    Input,
    Unknown,
    given,
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
from kitchentable.rulesets.toaster.combat import stances
from kitchentable.rulesets.toaster.combat.arms import (
    Arm,
    Defense,
    arm_choices,
    defense_choices,
    range_choices,
)
from kitchentable.rulesets.toaster.harm.places import ON_THE_GROUND, place_choices
from kitchentable.rulesets.toaster.luck import call_four, luck_before
from kitchentable.rulesets.toaster.options import DAMAGE, PROTECTION
from kitchentable.rulesets.toaster.people import Here, Person, others

_OWNER = "owner:target"

#: Whether a defence is rolled: as ever; not, and the skill still has to be beaten; nothing at all.
ROLLS, GATE, OPEN = "rolls", "gate", "open"


def likely(at: Here) -> str | None:
    """The first of another side who still stands; outside a fight the only one there is."""
    people = [one for one in others(at) if one.is_awake]
    mine = at.fight.place(at.me) if at.fight else None
    if mine is None:
        return people[0].id if len(people) == 1 else None
    for one in people:
        theirs = at.fight.place(one)
        if theirs and theirs["side"] != mine["side"] and theirs["status"] != "left":
            return one.id
    return None


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
    spent = at.options.defence_uses_action and at.fight is not None and at.fight.place(target)
    if stances.gives_up(target, stances.DEFENCE) or (spent and spent["left"] <= 0):
        return GATE
    return ROLLS


# ---------------------------------------------------------------- questions of both sides


def _specialty(label: Any, who: Any, skill: Any, set_by: str) -> Input[str]:
    """A speciality of one side, where the table plays with them."""

    def known(at: Here) -> Any:
        one: Person = who(at)
        return one.skill(skill(at)).specialties if one.is_known else ()

    return specialty_of(label, known, set_by=set_by)


def _stance(kind: str, label: Any, set_by: str) -> Input[int]:
    """How much of a trade somebody makes with this roll (toaster.4.stance-1-2)."""
    other = stances.SHOWN[stances.OTHER[kind]]
    return pick(
        label,
        [("0", "None")]
        + [
            (str(n), f"+{n} now, -{n} on the next {other} roll")
            for n in range(1, stances.MOST_TRADED + 1)
        ],
        when=lambda at: at.options.stance,
        default="0",
        required=False,
        set_by=set_by,
        needs_yes=True,
        veto_only=True,
        rule="toaster.4.stance-1-2",
    ).read_as(lambda at, said: int(said or 0) if at.options.stance else 0)


def _prone(label: Any, who: Any) -> Input[int]:
    """What lying on the ground takes off a roll (toaster.4.crit-b)."""
    return number(
        label,
        when=lambda at: who(at).is_prone,
        default=ON_THE_GROUND,
        low=-20,
        high=0,
        set_by=GM,
        rule="toaster.4.crit-b",
    )


def _me(at: Here) -> Person:
    me: Person = at.me
    return me


def _of_target(words: str) -> Any:
    """A label with the defender's name, for seats that may know with what the attack is made."""
    return lambda at: words.format(at.form.use and at.form.target.name)


def _ranged(at: Here) -> bool:
    return bool(at.form.use.ranged)


class Questions(Form):
    """All that an attack can ask; with the options that are on it asks whatever they need."""

    target = somebody(among=others, default=likely)
    arm = pick(choices=lambda at: arm_choices(at.me), first=True).read_as(_arm)
    skill = pick(
        choices=_skill_choices,
        when=lambda at: len(at.form.skills) > 1,
        default=lambda at: at.form.skills[0],
    ).read_as(lambda at, said: str(said) if said in at.form.skills else at.form.skills[0])
    specialty = _specialty("Inside a specialty?", _me, lambda at: at.form.skill, "actor")
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
    stance = _stance(stances.ATTACK, "Stance", "actor")
    luck = luck_before("Luck points before the attack", set_by="actor")
    damage_luck = luck_before(
        "Luck points on the damage",
        when=lambda at: at.options.luck_on_damage,
        set_by="actor",
    )
    called = call_four("Call a 4 on the attack", set_by="actor")
    damage_called = call_four(
        "Call a 4 on the damage",
        DAMAGE,
        when=lambda at: not at.options.wcac_same_die,
        set_by="actor",
    )
    what = text()

    # ------------------------------------------------------------ the defender's

    defence = pick(
        target.words("{} defends with"),
        lambda at: defense_choices(at.form.target, at.form.ways),
        default=lambda at: at.form.usual.key,
        rule=lambda at: "toaster.4.defence-ranged" if _ranged(at) else "toaster.4.defence-h2h",
    ).read_as(_defence)
    defence_specialty = _specialty(
        _of_target("Inside a specialty of {}?"),
        target,
        lambda at: at.form.defence.skill,
        _OWNER,
    )
    defence_stance = _stance(stances.DEFENCE, _of_target("Stance of {}"), _OWNER)
    defence_luck = luck_before(
        _of_target("Luck points of {} before the defense"), target, set_by=_OWNER
    )
    defence_called = call_four(_of_target("{} calls a 4 on the defense"), set_by=_OWNER)
    protection_called = call_four(
        _of_target("{} calls a 4 on the protection"), PROTECTION, set_by=_OWNER
    )

    # ------------------------------------------------------------ the GM's

    distance = pick(choices=lambda at: range_choices(at.table), when=_ranged, first=True)
    length = pick(
        when=lambda at: at.form.length_matters,
        default=lambda at: str(at.me.length_penalty(at.form.target, at.form.use)),
    ).read_as(lambda at, said: int(said))
    prone_attack = _prone("Off the attack, from the ground", _me)
    prone_defence = _prone(target.words("Off {}'s defense, from the ground"), target)
    blast = pick(when=lambda at: at.form.use.blast)
    ward = pick(
        target.words("Does {} get a defense roll?"),
        [
            (ROLLS, "Yes"),
            (GATE, "No, but the skill has to be beaten"),
            (OPEN, "No: helpless, or taken unawares"),
        ],
        default=lambda at: usual_ward(at, at.form.target),
    ).read_as(lambda at, said: OPEN if at.form.is_unavoidable else str(said))
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
    modifiers = rows(
        "Modifiers",
        (
            Field(
                "on",
                "To",
                "choice",
                (
                    Choice("attack", "the attack"),
                    Choice("defence", "the defense"),
                    Choice("damage", "the damage"),
                    Choice("protection", "the protection"),
                ),
                default="attack",
            ),
            Field("value", "How much", "number", default=0, low=-40, high=40),
            Field("why", "Why", required=False, default="", longest=200),
        ),
        when=target,
        set_by=GM,
        hideable=True,
        hidden=lambda at: at.options.difficulty_shown != "before",
        help="Cover, darkness, surprise, armor piercing: each with its reason.",
        rule="toaster.4.protection-modified",
    )
