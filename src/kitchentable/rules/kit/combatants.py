"""The combatants of a forecast, from named numbers or from entities at a table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NoReturn

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.combat import Battle, Combatant, Fought, Numbers
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.kit.beings import B
from kitchentable.rules.kit.moves import Ruleset
from kitchentable.rules.table import Table
from kitchentable.rules.values import Row, Values, record

#: The most combatants of a forecast, both sides together.
MOST = 40
#: The code of a refusal of named numbers.
CODE = "fight/argument"
_ONE = re.compile(r"(?:(\d{1,2})x)?([+-]?\d{1,3}(?:/[+-]?\d{1,3})*)", re.IGNORECASE)


@mechanic
def draw_lot(dice: Dice, mine: Numbers) -> int:
    """The number for the turn order in games without one; all orders are about equally likely."""
    return int(dice.die(6, label="lot"))


@record
class Sides:
    """The two sides of a fight, read from the named numbers `ours` and `theirs`.

    `columns` are the numbers of a fighter by name, with the possible values of each; the last one
    is the health. `means` describes the numbers in words, and refusals cite `rule`.

    >>> Sides({"ATTACK": range(10), "WOUNDS": range(1, 10)}, "5/2", "", "").read("ours", "2x5/2")
    [(5, 2), (5, 2)]
    """

    columns: Mapping[str, Sequence[int]]
    example: str
    means: str
    rule: str

    def battle(self, make: Callable[..., tuple[Numbers, int]], ours: Any, theirs: Any) -> Battle:
        """The battle of these sides; `make` gives numbers and health from a fighter's columns."""
        rows = [(name, row) for name, given in (("ours", ours), ("theirs", theirs))
                for row in self.read(name, given)]  # fmt: skip
        return battle_of(
            [Combatant(side, *make(*row), "/".join(map(str, row))) for side, row in rows], self.rule
        )

    def read(self, name: str, given: Any) -> list[tuple[int, ...]]:
        """The fighters of a side, from a text such as "5/6/4/4 3x1/2/2/1" or from their numbers."""
        rows: list[tuple[int, ...]] = []
        if isinstance(given, str):
            for word in given.replace(",", " ").split():
                found = _ONE.fullmatch(word)
                if found is None or word.count("/") != len(self.columns) - 1:
                    self._refuse(
                        f"{word!r} is not a fighter. Write {'/'.join(self.columns)}, such as "
                        f"{self.example}, with 3x before it for three such fighters."
                    )
                rows += [tuple(map(int, found[2].split("/")))] * int(found[1] or 1)
        elif isinstance(given, Sequence):
            rows = [tuple(row) for row in given]
        if not rows or not all(map(self._fits, rows)):
            self._refuse(f"{name} needs at least one fighter, each with {self.means}.")
        return rows

    def _fits(self, row: tuple[int, ...]) -> bool:
        return len(row) == len(self.columns) and all(
            type(number) is int and number in allowed
            for number, allowed in zip(row, self.columns.values(), strict=True)
        )

    def _refuse(self, sentence: str) -> NoReturn:
        raise RuleRefuses(sentence, self.rule, code=CODE)


def battle_of(fighters: Sequence[Combatant], *rules: str, **parts: Any) -> Battle:
    """The battle of these fighters. Errors: RuleRefuses for too many fighters."""
    if len(fighters) > MOST:
        words = f"{len(fighters)} fighters are too many for a forecast; at most {MOST} are allowed."
        raise RuleRefuses(words, *rules, code=CODE)
    return Battle(tuple(fighters), **parts)


@record
class AtTable(Generic[B]):
    """The entities at a table as combatants.

    `fighter` gives an entity's numbers and health, or None if this table does not show them; then
    there is no battle. `parts` gives further parts of a battle from the options, such as the passes
    of a round.
    """

    rules: Ruleset[B, Any]
    fighter: Callable[[B], tuple[Numbers, int] | None]
    parts: Callable[[Any], Values]

    def gather(self, table: Table, sides: Mapping[str, Sequence[str]]) -> Battle | None:
        """The battle of entities by side; an entity may appear several times.

        Entities that are down do not take part.
        """
        at, found = self.rules.at(table), []
        for side, people in sides.items():
            for who in people:
                one = at.find(who)
                numbers = self.fighter(one) if one is not None else None
                if one is None or numbers is None:
                    return None
                found.append(Combatant(side, *numbers, one.name))
        up = tuple(one for one in found if one.health > 0)
        battle = Battle(up, **self.parts(at.options))
        return battle if len(battle.standing) > 1 else None

    def standing(self, table: Table) -> Battle | None:
        """The current fight from the next round on; None without one or with secret numbers.

        Fighters who are out do not take part. In a fight without sides, the players' characters
        fight against all others.
        """
        at, sides = self.rules.at(table), defaultdict[str, list[str]](list)
        fight: Any = table.fight or {}
        for who in fight.get("fighters") or fight.get("order", ()):
            one, place = at.find(who), fight.get("fighters", {}).get(who)
            if place is None:
                sides["players" if one is not None and one.is_players else "others"].append(who)
            elif one is None or at.fight.is_in(one):
                sides[str(place["side"])].append(who)
        return self.gather(table, sides)


@record
class Fighters(Generic[B]):
    """The fighters of a ruleset, for its `Fought`.

    `make` gives numbers and health from the table's options and the columns of `sides`; `at_table`
    and `parts` are those of `AtTable`.
    """

    rules: Ruleset[B, Any]
    sides: Sides
    make: Callable[..., tuple[Numbers, int]]
    at_table: Callable[[B], tuple[Numbers, int] | None]
    parts: Callable[[Any], Values] = lambda options: {}

    def fought(self, words: Values, *mechanics: Any, **more: Any) -> Fought:
        """The `Fought`, with `help`, `samples`, `health` and `assumes` from the data file.

        The mechanics are `turn`, `again`, `act` and `after`.
        """
        people = AtTable(self.rules, self.at_table, self.parts)
        known: Row = {
            "start": self.start,
            "standing": people.standing,
            "gather": people.gather,
            **words,
            **more,
        }
        return Fought(*mechanics, **known)

    def start(self, options: Values, *, ours: Any, theirs: Any) -> Battle:
        """The battle of named numbers."""
        here = self.rules.options(options)
        battle = self.sides.battle(partial(self.make, here), ours, theirs)
        return replace(battle, **self.parts(here))
