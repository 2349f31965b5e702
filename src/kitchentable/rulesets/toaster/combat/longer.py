"""Long actions over several rounds, and cutting in on somebody's turn."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Move,
    Part,
    Question,
    Result,
    Side,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.fight import (
    cut_in,
    is_acting,
    next_turn,
    place,
    step,
)
from kitchentable.rulesets.toaster.combat.turns import card, in_fight, own_action, the_fight
from kitchentable.rulesets.toaster.harm.state import modifiers
from kitchentable.rulesets.toaster.mechanics.initiative import coordination
from kitchentable.rulesets.toaster.options.stars import extended

# ---------------------------------------------------------------- long actions


def _long_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    kept = _kept(table, actor.entity)
    known = str(kept.get("what") or "")
    return (
        Field("what", "What takes so long?", default=known or None, longest=200),
        Field(
            "rounds",
            "How many rounds?",
            "number",
            default=max(1, whole(kept.get("rounds")) - whole(kept.get("done"))) if kept else 3,
            low=1,
            high=200,
            set_by=GM,
            rule="toaster.4.long-actions",
        ),
    )


def _kept(table: Table, who: str) -> dict[str, Any]:
    found = (place(table, who) or {}).get("kept")
    return dict(found) if found else {}


def _begins(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], the_fight(table)
    one = fight["fighters"][entity.id]
    rounds, what = whole(answers["rounds"]), str(answers["what"])
    one.update(long={"what": what, "rounds": rounds, "done": 0}, kept=None, held=[], left=0)
    one["late"] = False
    if fight["turn"] == entity.id:
        next_turn(fight)
    changes, asks = step(table, fight)
    words = f"{what}: {lens.plural(rounds, 'round')}, and nothing else until then."
    told = card(entity, "A long action", words, "toaster.4.long-actions")
    return Result(told, (*own_action(entity)[1], *changes), asks)


LONG = Move(
    "long_action",
    "A long action",
    "Something that takes your whole mind for several rounds: a lock, a bomb, a file.",
    ("toaster.4.long-actions",),
    _begins,
    place="fight",
    when=in_fight,
    fields=_long_fields,
    converses=True,
)


def _when_busy(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    return None if mine and mine["long"] else "They are not in the middle of a long action."


def _breaks(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], the_fight(table)
    one = fight["fighters"][entity.id]
    was = dict(one["long"])
    one["long"] = None
    if one["left"] and fight["phase"] in {"turns", "end"} and fight["turn"] != entity.id:
        one["held"] = [fight["lap"]]
    changes, asks = step(table, fight)
    done = f"{was['done']} of {was['rounds']} rounds"
    ask = Ask(
        f"long-{entity.id}",
        (GM,),
        "long_kept",
        f"{entity.name} breaks off: {was['what']}",
        f"{done} are done. Is the work lost?",
        preset={"was": was},
        rules=("toaster.4.long-actions-break",),
        entity=entity.id,
    )
    words = f"Breaks off after {done}: {was['what']}."
    told = card(entity, "Breaks off", words, "toaster.4.long-actions-break")
    return Result(told, changes, (*asks, ask))


BREAK_OFF = Move(
    "break_off",
    "Break off",
    "Stop a long action to do something else; the GM says whether the work is lost.",
    ("toaster.4.long-actions-break",),
    _breaks,
    place="fight",
    when=_when_busy,
)


def _kept_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "answer",
            "The work done so far",
            "choice",
            (Choice("lost", "is lost"), Choice("kept", "is kept")),
            default="lost",
            rule="toaster.4.long-actions-break",
        ),
    )


def _says_kept(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    entity, was = table.entities[ask.entity], ask.preset["was"]
    kept = answers["answer"] == "kept" and place(table, entity.id) is not None
    changes: tuple[Change, ...] = ()
    asks: tuple[Ask, ...] = ()
    if kept:
        fight = the_fight(table)
        fight["fighters"][entity.id]["kept"] = dict(was)
        changes, asks = step(table, fight)
    words = "The work is kept." if kept else "They would have to begin anew."
    told = card(entity, str(was["what"]), words, "toaster.4.long-actions-break")
    return Result(told, changes, asks, (ask.id,))


LONG_KEPT = Move(
    "long_kept",
    "Is the work lost?",
    "Say whether a long action that was broken off has to begin anew.",
    ("toaster.4.long-actions-break",),
    _says_kept,
    by=(),
    fields=_kept_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- cutting in


def _when_cut(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if table.fight is None or table.fight["phase"] != "turns" or mine is None:
        return "There is no turn to cut in on."
    if is_acting(table, actor.entity):
        return "It is their turn already."
    if not mine["held"] or mine["left"] <= 0:
        return "Only who has waited can cut in."
    return in_fight(table, actor)


def _cut_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "ruling",
            "Do they get in each other's way?",
            "choice",
            (Choice("roll", "Yes: Coordination decides"), Choice("goes", "No: they act first")),
            default="roll",
            set_by=GM,
            rule="toaster.4.initiative-cut-in",
        ),
    )


def _both(table: Table, actor: Actor) -> tuple[Entity, Entity] | None:
    one = lens.whom(table, actor.entity)
    other = lens.whom(table, table.fight["turn"]) if table.fight else None
    return (one, other) if one is not None and other is not None else None


def _coordination(table: Table, one: Entity) -> tuple[Part, ...]:
    own = Part("Coordination", lens.attribute(table, one, "coordination"))
    return (own, *modifiers(table, one, "attribute"))


def _cut_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    both = _both(table, actor)
    if both is None or answers.get("ruling") == "goes":
        return None
    if not all(lens.numbers_known(one) for one in both):
        return None
    first, second = (sum(part.value for part in _coordination(table, one)) for one in both)
    closed = tuple(one.id for one in both if lens.is_closed(one) or one.hidden)
    return Question(
        coordination,
        (first, second, extended(table.options).nines, both[0].id, both[1].id),
        (Band("first", "quicker", "good", good=True), Band("second", "too slow", "bad")),
        _quicker,
        closed,
    )


def _quicker(outcome: tuple[int, int]) -> str:
    return "first" if outcome[0] > outcome[1] else "second"


def _cuts(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    both, fight = _both(table, actor), the_fight(table)
    entity = table.entities[actor.entity]
    first = outcome is None or outcome[0] > outcome[1]
    if first:
        cut_in(fight, entity.id)
    changes, asks = step(table, fight)
    name = both[1].name if both is not None else "the others"
    sides: tuple[Side, ...] = ()
    if outcome is not None and both is not None:
        sides = tuple(
            Side(
                one.name,
                one.id,
                _coordination(table, one),
                total,
                audience=lens.number_audience(one),
            )
            for one, total in zip(both, outcome, strict=True)
        )
    told = Card(
        "Cuts in",
        f"{entity.name} acts before {name}." if first else f"{name} is quicker.",
        "quicker" if first else "too slow",
        "good" if first else "bad",
        sides,
        rules=("toaster.4.initiative-cut-in", "toaster.4.initiative-skip"),
        entity=entity.id,
        audience=lens.card_audience(*(both or (entity,))),
    )
    return Result(told, changes, asks)


CUT_IN = Move(
    "cut_in",
    "Cut in",
    "You have waited: act now, before whoever's turn it is.",
    ("toaster.4.initiative-cut-in", "toaster.4.initiative-skip"),
    _cuts,
    place="fight",
    when=_when_cut,
    fields=_cut_fields,
    question=_cut_question,
    converses=True,
)

MOVES = (LONG, BREAK_OFF, LONG_KEPT, CUT_IN)
