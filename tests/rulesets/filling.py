"""Random answers to forms, for any game."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from kitchentable.campaign.proposals import read_proposal, waits_on, whose
from kitchentable.rules import Actor, Field, Move
from tests.rulesets.driver import GM, Evening

#: A roll that waits for more parties than this waits for ever.
_PARTIES = 6


@dataclass(frozen=True)
class Whims:
    """The preferences of random answers.

    `words` is what they write, `largest` and `least` the numbers they think of where a field has no
    limit (or a wider one). `many` and `tick` are how readily they pick and tick. `rows` is how many
    records they may write.
    """

    words: tuple[str, ...] = ("", "a word", "some more words")
    largest: int = 9
    least: int = -4
    many: float = 0.6
    tick: float = 0.5
    rows: tuple[int, ...] = (0, 0, 1, 2)

    def value(self, rng: Random, field: Field) -> Any:
        """Something that could stand in a field; None for nothing."""
        match field.kind:
            case "choice" | "entity":
                return rng.choice(field.choices).value if field.choices else None
            case "many":
                return [one.value for one in field.choices if rng.random() < self.many]
            case "number":
                low = field.low or 0
                high = self.largest if field.high is None else min(field.high, self.largest)
                return rng.randint(max(low, self.least), max(low, high))
            case "tick":
                return rng.random() < self.tick
            case "rows":
                return [
                    {column.name: self.value(rng, column) for column in field.columns}
                    for _ in range(rng.choice(self.rows))
                ]
            case _:
                return rng.choice(self.words)


def filled(
    one: Evening,
    move: Move,
    seat: str,
    entity: str,
    ask: str,
    value: Callable[[Field], Any],
    mine: Callable[[Field], bool] = lambda field: True,
) -> dict[str, Any]:
    """A move's form filled in, asked again as answers open further questions."""
    preset = dict(one.table.asks[ask].preset) if ask else {}
    answers: dict[str, Any] = {}
    for _ in range(3):
        actor = one.actor(seat, entity)
        actor = Actor(actor.seat, actor.role, actor.entity, ask)
        for field in move.fields(one.table, actor, {**preset, **answers}):
            if mine(field) and field.name not in answers and field.name not in preset:
                answers[field.name] = value(field)
    return {name: given for name, given in answers.items() if given is not None}


def parts_that_wait(one: Evening, roll: str) -> Iterator[tuple[str, list[Field]]]:
    """The parties that a roll waits for, one by one, each with the questions that are theirs.

    Whoever asks for the next one has settled the part of the one before.
    """
    for _ in range(_PARTIES):
        talk = read_proposal(one.game, roll, one.campaign.tree["proposals"][roll])
        waiting = waits_on(talk, one.table, one.campaign.settings)
        if not waiting:
            return
        who = whose(talk, one.table, waiting[0])
        theirs = [
            field
            for field in talk.fields(one.table)
            if field.name not in talk.answers
            and field.set_by != "actor"
            and whose(talk, one.table, field.set_by) == who
        ]
        yield (GM if who == "gm" else who), theirs
