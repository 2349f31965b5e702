"""Getting over what a critical hit did: up from the ground, and a weapon taken up again."""

from __future__ import annotations

from kitchentable.rules import Choice
from kitchentable.rules.kit import Form, pick, tick
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.turns import may_act, spend_action
from kitchentable.rulesets.toaster.harm.criticals import PRONE
from kitchentable.rulesets.toaster.harm.state import dropped
from kitchentable.rulesets.toaster.people import At, Here, toaster


def burdens(at: Here, *, by_gm: bool) -> tuple[Choice, ...]:
    """What somebody can get over; the GM can also mend what is broken and end an effect."""
    found = []
    for weapon, where in dropped(at.me.entity).items():
        held = lens.weapon(at.table, at.me.entity, weapon)
        name = held.name if held else "the weapon"
        if where != "broken":
            verb = "Pick up" if where == "feet" else "Fetch"
            found.append(Choice(f"weapon:{weapon}", f"{verb} {name}"))
        elif by_gm:
            found.append(Choice(f"weapon:{weapon}", f"{name} is whole again"))
    for one in at.me.effects:
        if one.get("id") == PRONE:
            found.append(Choice(f"effect:{PRONE}", "Get up from the ground"))
        elif by_gm:
            found.append(Choice(f"effect:{one.get('id')}", f"No longer {one.get('name')}"))
    return tuple(found)


def may_recover(at: Here) -> str | None:
    if not burdens(at, by_gm=at.is_gm):
        return f"{at.me.name} has nothing to get over."
    return None if at.is_gm else may_act(at)


class RecoverForm(Form):
    what = pick(
        "What?", lambda at: burdens(at, by_gm=at.is_gm), first=True, rule="toaster.4.crit-a"
    )
    action = tick(
        "It takes them an action",
        when=lambda at: at.is_gm,
        default=lambda at: not at.is_gm or (at.table.fight is not None and may_act(at) is None),
        rule="toaster.4.actions-count",
    )


@toaster.move("recover", form=RecoverForm, when=may_recover)
def recover(at: At[RecoverForm]) -> None:
    me, what = at.me, at.form.what
    kind, _, name = what.partition(":")
    words = {one.value: one.label for one in burdens(at, by_gm=True)}
    if kind == "weapon":
        me.put(dropped={one: where for one, where in dropped(me.entity).items() if one != name})
    else:
        me.put(effects=[one for one in me.effects if one.get("id") != name])
    if at.form.action:
        spend_action(at)
    rule = "toaster.4.crit-a" if kind == "weapon" else "toaster.4.crit-b"
    at.tell(me.name, f"{words.get(what, 'Gets over it')}.", rules=(rule,))
