"""A roll that has fallen and waits for luck: the total may still be bettered, or thrown again.

Whoever makes a move whose owner has luck points asks `wait_for_luck` before settling anything. It
gives a card for the owner, or None when nobody has points to spend; then the move settles at once.
The card runs a move made by `luck_move`, which spends the points, throws again where four are paid,
lets the next one speak, and at last calls the move's own `settle` with what was spent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Card,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    card_audience,
    fresh,
)
from kitchentable.rulesets.toaster.actions.luck import AFTER, AGAIN, points, spend
from kitchentable.rulesets.toaster.character.people import plural

STAND, ADD, THROW_AGAIN = "stand", "add", "again"

_RULES = (
    "toaster.3.luck-after-plus1",
    "toaster.3.luck-reroll",
    "toaster.3.luck-limits",
    "toaster.3.luck-mixing",
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is known of a roll that waits.

    `roll` are the facts that everybody may know, `kept` those that only the GM may (a hidden
    difficulty): plain JSON, written and read by the move that waits. `queue` names those who may
    still spend, the one who is asked first. `added` is what luck adds to each one's total, `used`
    how many points each has spent on this attempt in all, `no_again` those who threw no die,
    `spoilt` those whose die shows a 0, which no point betters, `stood` those who have let it
    stand. `about` is the number of the event whose dice they are.
    """

    title: str
    text: str = ""
    roll: Mapping[str, Json] = field(default_factory=dict)
    kept: Mapping[str, Json] = field(default_factory=dict)
    queue: tuple[str, ...] = ()
    added: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    no_again: tuple[str, ...] = ()
    spoilt: tuple[str, ...] = ()
    stood: tuple[str, ...] = ()
    about: int = 0


Settle = Callable[[Table, Actor, Waiting], Result]
Again = Callable[[Table, Waiting, Entity], Question | None]
Fallen = Callable[[Table, Waiting, Entity, Any], Waiting]
Queue = Callable[[Table, Waiting], Waiting]


def no_second_throw(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
    """A roll whose dice cannot be thrown again."""
    return None


def nothing_fallen(table: Table, waiting: Waiting, entity: Entity, outcome: Any) -> Waiting:
    """A roll whose dice cannot be thrown again."""
    return waiting


def as_it_is(table: Table, waiting: Waiting) -> Waiting:
    """A roll in which everybody is asked once, in the order of the queue."""
    return waiting


def wait_for_luck(table: Table, move: str, waiting: Waiting) -> Ask | None:
    """The card of the next one in the queue whom luck points could help; None when all have spoken.

    `move` names a move made by `luck_move`. The card shows `text` and the facts in `roll`, to its
    owner and the GM; `kept` is the GM's alone (toaster.3.luck-after-blind).
    """
    queue = tuple(
        one
        for one in waiting.queue
        if one in table.entities and _may_help(waiting, one, points(table, table.entities[one]))
    )
    if not queue:
        return None
    entity = table.entities[queue[0]]
    left = plural(points(table, entity), "luck point")
    return Ask(
        fresh(table, "luck"),
        (f"owner:{entity.id}",),
        move,
        f"{waiting.title}: luck?",
        f"{waiting.text} {entity.name} has {left}.".strip(),
        preset=_plain(replace(waiting, queue=queue)),
        secret=("kept",),
        rules=_RULES,
        entity=entity.id,
    )


def _may_help(waiting: Waiting, who: str, left: int) -> bool:
    """Whether so many points could change a roll: a 0 has to be thrown again.

    toaster.3.luck-after-zero, toaster.3.luck-reroll.
    """
    if who in waiting.spoilt:
        return left >= AGAIN and who not in waiting.no_again
    return left > 0


def begin(table: Table, waiting: Waiting, queue: Sequence[Entity]) -> Waiting:
    """A roll that has just fallen: these may spend on it, and its event is the next one."""
    return replace(waiting, queue=tuple(one.id for one in queue), about=table.number + 1)


def luck_move(
    name: str,
    title: str,
    settle: Settle,
    again: Again = no_second_throw,
    fallen: Fallen = nothing_fallen,
    queue: Queue = as_it_is,
) -> Move:
    """The move that answers such a card: let it stand, add points, or throw the die again.

    `settle` gives the result once nobody can or will spend more. `again` is the question of a
    second throw for one of those in the roll, `fallen` the facts with its outcome in place of the
    first. Points added after the first throw go with it; points allocated before stay
    (toaster.3.luck-mixing). `queue` may put others in the queue after each answer: in a contest,
    whoever has been overtaken.
    """

    def fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
        return _fields(table, actor, answers, again)

    def question(table: Table, actor: Actor, answers: Answers) -> Question | None:
        waiting, entity = _read(table, actor), table.entities.get(actor.entity)
        if answers.get("use") != THROW_AGAIN or waiting is None or entity is None:
            return None
        return again(table, waiting, entity)

    def consequences(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        waiting, entity = _read(table, actor), table.entities[actor.entity]
        if waiting is None:
            return Result(closes=(actor.ask,))
        if answers.get("use") == THROW_AGAIN:
            waiting = fallen(table, waiting, entity, outcome)
        waiting, cost = _spent(waiting, entity, answers)
        return _next(table, actor, waiting, entity, cost, answers)

    def _next(
        table: Table,
        actor: Actor,
        waiting: Waiting,
        entity: Entity,
        cost: int,
        answers: Answers,
    ) -> Result:
        changes = spend(table, entity, cost)
        after = _with_luck(table, entity, points(table, entity) - cost)
        waiting = queue(after, waiting)
        ask = wait_for_luck(after, name, waiting)
        if ask is None:
            result = settle(after, actor, waiting)
            return replace(
                result,
                changes=(*changes, *result.changes),
                closes=(actor.ask, *result.closes),
            )
        card = _card(waiting, entity, cost, answers)
        return Result(card, changes, (ask,), (actor.ask,))

    return Move(
        name,
        title,
        "Let the roll stand, add luck to it, or pay four points and throw the die again.",
        _RULES,
        consequences,
        by=(),
        fields=fields,
        check=_check,
        question=question,
    )


def _fields(table: Table, actor: Actor, answers: Answers, again: Again) -> tuple[Field, ...]:
    waiting, entity = _read(table, actor), table.entities.get(actor.entity)
    if waiting is None or entity is None:
        return ()
    left = points(table, entity)
    ways = [Choice(STAND, "Let it stand")]
    if left:  # it may have been spent elsewhere meanwhile
        ways.append(Choice(ADD, f"Add luck, +{AFTER} a point"))
    may_throw = again is not no_second_throw and entity.id not in waiting.no_again
    if may_throw and left >= AGAIN:
        ways.append(Choice(THROW_AGAIN, f"Throw the die again for {AGAIN} points"))
    use = Field(
        "use",
        "Luck",
        "choice",
        tuple(ways),
        default=STAND,
        help=f"{plural(left, 'point')} left.",
        rule="toaster.3.luck-limits",
    )
    if answers.get("use") != ADD or not left:
        return (use,)
    count = Field(
        "points",
        "How many points?",
        "number",
        default=1,
        low=1,
        high=left,
        rule="toaster.3.luck-after-plus1",
    )
    return (use, count)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = table.entities.get(actor.entity)
    left = points(table, entity) if entity is not None else 0
    needed = {ADD: int(answers.get("points") or 0), THROW_AGAIN: AGAIN}
    cost = needed.get(str(answers.get("use")), 0)
    if cost <= left:
        return ()
    sentence = f"That takes {plural(cost, 'luck point')}, and {left} are left."
    return (Problem("use", "toaster.3.luck-limits", sentence),)


def _spent(waiting: Waiting, entity: Entity, answers: Answers) -> tuple[Waiting, int]:
    """The roll after one answer, and what it cost."""
    use, me = str(answers.get("use") or STAND), entity.id
    cost = {ADD: int(answers.get("points") or 0), THROW_AGAIN: AGAIN}.get(use, 0)
    used = {**waiting.used, me: waiting.used.get(me, 0) + cost}
    if use == THROW_AGAIN:
        return replace(waiting, used=used, added={**waiting.added, me: 0}), cost
    added = {**waiting.added, me: waiting.added.get(me, 0) + cost * AFTER}
    rest = tuple(one for one in waiting.queue if one != me)
    stood = waiting.stood if cost else (*waiting.stood, me)
    return replace(waiting, used=used, added=added, queue=rest, stood=stood), cost


def _card(waiting: Waiting, entity: Entity, cost: int, answers: Answers) -> Card:
    use = answers.get("use")
    if use == THROW_AGAIN:
        words = f"{entity.name} pays {plural(cost, 'luck point')} and throws again."
    elif cost:
        words = f"{entity.name} adds {plural(cost, 'luck point')}: +{cost * AFTER}."
    else:
        words = f"{entity.name} lets it stand."
    return Card(
        waiting.title,
        words,
        lines=(Line(waiting.text),) if use == THROW_AGAIN and waiting.text else (),
        rules=("toaster.3.luck-reroll" if use == THROW_AGAIN else "toaster.3.luck-after-plus1",),
        entity=entity.id,
        audience=card_audience(entity),
        about=waiting.about,
    )


def _with_luck(table: Table, entity: Entity, left: int) -> Table:
    after = replace(entity, state={**entity.state, "luck": left})
    return replace(table, entities={**table.entities, entity.id: after})


def _plain(waiting: Waiting) -> dict[str, Json]:
    return {
        "title": waiting.title,
        "text": waiting.text,
        "roll": dict(waiting.roll),
        "kept": dict(waiting.kept),
        "queue": list(waiting.queue),
        "added": dict(waiting.added),
        "used": dict(waiting.used),
        "no_again": list(waiting.no_again),
        "spoilt": list(waiting.spoilt),
        "stood": list(waiting.stood),
        "about": waiting.about,
    }


def _read(table: Table, actor: Actor) -> Waiting | None:
    """The roll that the card is about, as plain data keeps it."""
    ask = table.asks.get(actor.ask)
    if ask is None or "roll" not in ask.preset:
        return None
    told: Mapping[str, Any] = ask.preset
    return Waiting(
        title=str(told.get("title") or ""),
        text=str(told.get("text") or ""),
        roll=told.get("roll") or {},
        kept=told.get("kept") or {},
        queue=tuple(told.get("queue") or ()),
        added=told.get("added") or {},
        used=told.get("used") or {},
        no_again=tuple(told.get("no_again") or ()),
        spoilt=tuple(told.get("spoilt") or ()),
        stood=tuple(told.get("stood") or ()),
        about=int(told.get("about") or 0),
    )


__all__ = [
    "ADD",
    "STAND",
    "THROW_AGAIN",
    "Again",
    "Fallen",
    "Queue",
    "Settle",
    "Waiting",
    "as_it_is",
    "begin",
    "luck_move",
    "no_second_throw",
    "nothing_fallen",
    "wait_for_luck",
]
