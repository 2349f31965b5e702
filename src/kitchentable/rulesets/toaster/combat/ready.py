"""What is in somebody's hands: weapons drawn and put away, and the arm that holds them."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import listed
from kitchentable.rules.kit import pick, pick_many
from kitchentable.rulesets.toaster.character.gear import BARE
from kitchentable.rulesets.toaster.character.lens import Weapon
from kitchentable.rulesets.toaster.combat.arms import ARMS, in_hand, sword_arm
from kitchentable.rulesets.toaster.combat.counting import Counted, count
from kitchentable.rulesets.toaster.people import At, Here, able, toaster


def _carried(at: Here) -> Iterable[Weapon]:
    return [one for one in at.me.weapons if one.id not in BARE and one.id not in at.me.dropped]


class ReadyForm(Counted):
    """What is drawn; all other weapons are merely carried."""

    drawn = pick_many(
        choices=lambda at: [(one.id, one.name) for one in _carried(at)],
        default=lambda at: list(in_hand(at.table, at.me.now)),
    )
    sword_arm = pick(
        choices=[(one, one.replace("-", " ")) for one in ARMS],
        when=lambda at: at.options.hit_location,
        default=lambda at: sword_arm(at.me.now),
    )


@toaster.move(
    "ready",
    form=ReadyForm,
    when=(able, lambda at: None if _carried(at) else f"{at.me.name} carries no weapon."),
)
def ready(at: At[ReadyForm]) -> None:
    me, form = at.me, at.form
    me.put(drawn=list(form.drawn))
    if form.sword_arm != sword_arm(me.now):
        me.put(sword_arm=form.sword_arm)
    names = [one.name for one in _carried(at) if one.id in form.drawn]
    at.tell_as("ready", weapons=listed(names) or "nothing")
    count(at)
