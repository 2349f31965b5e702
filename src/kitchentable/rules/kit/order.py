"""The turn order of a round: one roll, all rolls at once, and the order of equals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kitchentable.rules.errors import Unknown
from kitchentable.rules.kit.at import AnyAt, FormAt
from kitchentable.rules.kit.forms import Each, Form, Problems, pick, several, somebody
from kitchentable.rules.values import Problem


def _tell_rolls(at: AnyAt, people: Sequence[Any], outcomes: Sequence[Any]) -> None:
    """The card of rolls for the turn order."""
    at.sides += [at.fight.fell(one, each) for one, each in zip(people, outcomes, strict=True)]
    words = {side.word for side in at.sides}
    at.tell(
        at.fight.ORDER.capitalize(),
        at.fight.words(),
        tone=at.fight.tone(words),
        rules=at.fight.cite("roll", "numbers", *sorted(words)),
        of=people if len(people) == 1 else (),
    )


def still_to_roll(at: AnyAt) -> str | None:
    """A guard for the actor's own roll for the turn order."""
    if at.place is None:
        return "They are not in a fight."
    rolled = f"They have rolled {at.fight.ORDER} this round."
    return None if at.place["status"] == "to roll" else rolled


def roll_own(at: AnyAt) -> None:
    """Roll for the actor's place in the turn order."""
    if at.fight is None:
        raise Unknown("No fight is on.")
    _tell_rolls(at, [at.me], [at.roll(at.fight.throw(at.me), {at.me.id: at.me})])


def waiting(at: AnyAt) -> list[Any]:
    """The fighters who have yet to roll."""
    return at.people(at.fight.to_roll() if at.fight is not None else ())


class EverybodyForm(Form):
    """The fighters who roll together."""

    who = several(among=waiting, default=lambda at: [one.id for one in waiting(at)])


def any_to_roll(at: AnyAt) -> str | None:
    """A guard for the rolls of all fighters who have yet to roll."""
    return None if at.fight.to_roll() else f"Everybody has rolled {at.fight.ORDER}."


def roll_all(at: FormAt[EverybodyForm]) -> None:
    """Roll for all picked fighters at once."""
    people = at.form.who
    if not people:
        raise Unknown("Nobody is picked.")
    _tell_rolls(at, people, at.roll(at.fight.throw_all(people), {one.id: one for one in people}))


def _equals(at: AnyAt) -> list[Any]:
    tied = at.asked.preset.get("tied") if at.asked is not None else ()
    return at.people(tied or ())


def _places(at: AnyAt) -> Iterable[tuple[str, int]]:
    places = range(1, len(_equals(at))) if at.form.ruling == "hand" else ()
    return [(str(place), place) for place in places]


class TieForm(Form):
    """The way to settle the order of equals."""

    ruling = pick(
        choices=lambda at: [
            (at.rules.rounds.AGAIN[0], f"Another {at.rules.rounds.AGAIN[1]} among them"),
            ("hand", "I say who goes first"),
        ],
        default=lambda at: at.rules.rounds.AGAIN[0],
        rule=lambda at: at.rules.rounds.RULES.get("tie", ""),
    )
    place = Each(_places, lambda place: somebody(f"Acts as number {place} of them", _equals))

    def order(self) -> list[Any]:
        """The GM's order of equals; fighters left out come last."""
        said = list(self.place.values())
        return [*said, *(one for one in _equals(self.at) if one not in said)]

    def problems(self) -> Problems:
        """Check that everybody has one place."""
        everybody = sorted(one.id for one in _equals(self.at))
        if self.ruling == "hand" and sorted(one.id for one in self.order()) != everybody:
            rule = self.at.fight.RULES.get("tie", "")
            yield Problem("place.1", rule, "Everybody has one place in the order.")


def settle_tie(at: FormAt[TieForm]) -> None:
    """Settle the order of equals, by another roll or by the GM."""
    people = _equals(at)
    if not people:
        raise Unknown("Nobody is equal any more.")
    how = f"By another {at.fight.AGAIN[1]}"
    if at.form.ruling == "hand" or len(people) < 2:
        how = "By the GM's word"
        order = [one.id for one in at.form.order()]
    else:
        outcome = at.roll(at.fight.throw_tie(people), {one.id: one for one in people})
        order, at.sides = at.fight.untied(people, outcome)
    at.fight.untie(order)
    names = [one.name for one in at.people(order) if not one.hidden]
    said = f"{how}: first {', then '.join(names)}." if names else f"{how}."
    at.tell(f"Equal {at.fight.ORDER}", said, rules=at.fight.cite("tie"), of=())
