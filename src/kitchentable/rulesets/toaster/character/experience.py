"""Experience: what everybody gets when an adventure is over, and which skills it may raise."""

from __future__ import annotations

from kitchentable.rules import listed, whole
from kitchentable.rules.kit import Each, Form, Input, number, text
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.character.derived import luck_back
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.character.points import as_number
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster, write_all
from kitchentable.rulesets.toaster.tables import row

_AWARD = TABLES["experience"][0]


def heroes(at: Here) -> list[Person]:
    """The players' characters in play."""
    people = (at.find(one.id) for one in at.table.in_play())
    return [one for one in people if one is not None and one.is_players]


def points_of(one: Person) -> Input[int]:
    """What one character gets, usually 2 points (toaster.2.adv-award)."""
    award = row(one.table, "experience", _AWARD["key"]) or _AWARD
    return number(
        one.name,
        default=whole(award["usual"]),
        low=whole(award["least"]),
        high=whole(award["most"]),
        rule="toaster.2.adv-award",
    )


class AwardForm(Form):
    points = Each(lambda at: [(one.id, one) for one in heroes(at)], points_of, "_")
    why = text(story=True)


@toaster.move(
    "award",
    form=AwardForm,
    when=lambda at: None if heroes(at) else "No player's character is in play.",
)
def award(at: At[AwardForm]) -> None:
    """The points are added, and the skills used so far are those that can be raised."""
    for one in heroes(at):
        points, used = at.form.points[one.id], sorted({*one.used})
        one.write("state", "xp", now=as_number(one.experience + points))
        one.raisable, one.used = used, []
        names = listed(skill_name(at.table, key) for key in used)
        words = f" Used: {names}." if used else ""
        at.say(f"{one.name}: {plural(points, 'point')}.{words}")
    write_all(at, luck_back(at.table, at.table.in_play(), "next-adventure"))
    at.write(("own", "adventures"), whole(at.table.own.get("adventures")) + 1)
    at.tell_as("adventure", why=at.form.why, of=())
