"""A contest of three sides or more: the book knows two, so it is the GM's to call for."""

from __future__ import annotations

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Side,
    Table,
    choose,
    ids,
    is_closed,
    listed,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.character import (
    is_awake,
    level,
    numbers_known,
    present,
    trait_choices,
    trait_name,
)
from kitchentable.rulesets.toast.mechanics import Announced, worth
from kitchentable.rulesets.toast.rolls import noted, perk_field, side
from kitchentable.rulesets.toast.twists import twist_ask


def _able(table: Table) -> tuple[Entity, ...]:
    return tuple(one for one in present(table) if is_awake(one))


def _when(table: Table, actor: Actor) -> str | None:
    return None if len(_able(table)) >= 3 else "That takes three who can act."


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    rule = "toast.5.2-contest-both-roll"
    who = Field("who", "Who is in it?", "many", choose(_able(table)), low=3, rule=rule)
    fields = [who]
    for one in _able(table):
        if one.id in ids(answers, "who"):
            traits = trait_choices(table, one)
            fields.append(
                Field(
                    f"trait.{one.id}",
                    f"Trait of {one.name}",
                    "choice",
                    traits,
                    default=traits[0].value,
                    rule="toast.5-trait-gm",
                )
            )
            fields.append(perk_field(one, name=f"perk.{one.id}", label=f"Perk of {one.name}"))
    return tuple(fields)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if len(ids(answers, "who")) >= 3:
        return ()
    rule = "toast.5.2-contest-both-roll"
    return (Problem("who", rule, "Two are an ordinary contest; pick three or more."),)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    people = [table.entities.get(who) for who in ids(answers, "who")]
    here = [one for one in people if one is not None and numbers_known(one)]
    if len(here) < 3 or len(here) < len(people):
        return None
    sides = tuple(
        (one.id, level(one, answers.get(f"trait.{one.id}")), bool(answers.get(f"perk.{one.id}")))
        for one in here
    )
    closed = tuple(one.id for one in here if is_closed(one) or one.hidden)
    return Question(mechanics.free_for_all, (sides,), (), str, closed)


def _consequences(
    table: Table, actor: Actor, answers: Answers, outcome: tuple[Announced, ...]
) -> Result:
    people = [table.entities[who] for who in ids(answers, "who")]
    best = max(worth(one) for one in outcome)
    first = [one.name for one, fell in zip(people, outcome, strict=True) if worth(fell) == best]
    sides: list[Side] = []
    notes: list[Change] = []
    twists: list[Ask] = []
    for index, (one, fell) in enumerate(zip(people, outcome, strict=True)):
        trait, perk = answers[f"trait.{one.id}"], answers.get(f"perk.{one.id}")
        sides.append(side(table, one, one.id, trait, perk, fell))
        notes.extend(noted(table, one, trait, perk))
        if not isinstance(fell, int):
            twists.append(twist_ask(table, fell.value, one, index=index))
    words = f"{first[0]} wins." if len(first) == 1 else f"{listed(first)} are equal."
    used = ", ".join(trait_name(table, answers[f"trait.{one.id}"]) for one in people)
    card = Card(
        "A contest of many",
        words,
        "wins" if len(first) == 1 else "tie",
        sides=tuple(sides),
        lines=(
            Line(f"Traits: {used}."),
            *(() if len(first) == 1 else (Line("The GM says what the tie means."),)),
        ),
        rules=("toast.5.2-contest-both-roll", "toast.5.2-contest-higher"),
        audience=GM if any(one.hidden for one in people) else "all",
    )
    return Result(card, tuple(notes), tuple(twists))


FREE_FOR_ALL = Move(
    "free_for_all",
    "A contest of many",
    "Three sides or more roll; the highest result has it.",
    ("toast.5.2-contest-both-roll", "toast.5.2-contest-higher"),
    _consequences,
    by=(GM,),
    place="gm",
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    for_entity=False,
)
