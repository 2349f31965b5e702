"""Everybody at a table of Toaster, and the ruleset that their moves belong to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Json, kit
from kitchentable.rules.kit import Form, Ruleset, Unknown
from kitchentable.rules.kit.beings import Fact, state
from kitchentable.rulesets.toaster.book import CARD_WORDS, MOVE_WORDS, Row, Words
from kitchentable.rulesets.toaster.character.attributes import uses_luck
from kitchentable.rulesets.toaster.combat.arms import Armed
from kitchentable.rulesets.toaster.harm.state import DEAD
from kitchentable.rulesets.toaster.options import Options


class Person(Armed):
    """A character, one of the GM's people, or a creature.

    What a person is stands in the classes below: traits, gear, attributes, skills, harm, arms.
    """

    luck = state(0)
    used: Fact[list[str]] = state([])
    raisable: Fact[list[str]] = state([])
    stance: Fact[Row] = state({})
    next: Fact[Row] = state({})
    aim = state(0)

    def check_known(self) -> None:
        """Errors: Unknown, for a closed foe on a player's table."""
        if not self.is_known:
            raise Unknown(f"{self.name}'s numbers are the GM's.")

    def acted(self) -> None:
        """An action: a granted last act is used up by it."""
        if self.last_act:
            self.last_act = False

    @property
    def luck_points(self) -> int:
        """The luck points that can be spent; 0 at a table without them (toaster.3.luck-limits)."""
        return max(0, self.luck) if self.options.luck_points else 0

    @property
    def experience(self) -> Fraction:
        """Experience points that are not spent; halves can be left over."""
        return Fraction(str(self.entity.state.get("xp") or 0))

    @property
    def usable(self) -> frozenset[str]:
        """Skills used in the last adventure or in this one (toaster.2.adv-used-skills)."""
        return frozenset({*self.raisable, *self.used})

    def pay(self, points: int) -> None:
        """So many luck points are spent."""
        if points:
            self.luck = self.luck_points - points

    def note_use(self, on: str) -> None:
        """A skill was used in this adventure: "skill:climb" (toaster.2.adv-used-skills)."""
        kind, _, key = on.partition(":")
        if kind == "skill" and key and key not in self.used:
            self.used = [*self.used, key]


toaster: Ruleset[Person, Options] = Ruleset(Person, Options, MOVE_WORDS, CARD_WORDS)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def in_play(at: Here) -> list[Person]:
    """Everybody in play."""
    return [person(at, one.id) for one in at.table.in_play()]


def present(at: Here) -> list[Person]:
    """Everybody in play who is not dead."""
    return [one for one in in_play(at) if one.condition != DEAD]


def others(at: Here) -> list[Person]:
    """Everybody else who is not dead and of whom the actor knows."""
    me = at.actor.entity
    return [one for one in present(at) if one.id != me and (at.is_gm or not one.hidden)]


def able(at: Here) -> str | None:
    """Guards a move that takes somebody who can act."""
    return at.me.unable if at.actor.entity else None


def person(at: Here, ident: Json) -> Person:
    """Somebody who is at the table. Errors: Unknown."""
    found = at.find(ident)
    if found is None:
        raise Unknown("Somebody of this roll is no longer there.")
    return found


def return_luck(at: Here, when: str) -> None:
    """Everybody's luck is as it was at the start, where the table has it come back then.

    `when` is "next-adventure" or "session" (toaster.3.luck-return). Nobody loses what lies above.
    """
    if not uses_luck(at.table) or at.options.luck_return != when:
        return
    for one in in_play(at):
        if one.is_known and one.luck_left < one.luck_at_start:
            one.luck = one.luck_at_start


@contextmanager
def in_order(at: Here) -> Iterator[None]:
    """Facts of the state that are written meanwhile are recorded person by person, in its order."""
    before, people = {*at.changes}, [*at.table.entities]
    yield

    def place(path: Words) -> tuple[int, int]:
        who, key = path[1], path[3]
        return people.index(who), [*person(at, who).entity.state].index(key)

    written = [path for path in at.changes if path not in before and path[2:3] == ("state",)]
    for path in sorted(written, key=place):
        at.changes[path] = at.changes.pop(path)
