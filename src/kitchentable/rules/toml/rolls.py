"""The moves of a written game that throw dice."""

from __future__ import annotations

from functools import partial

from kitchentable.rules.moves import Move
from kitchentable.rules.people import choose
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.toml.book import rule_of
from kitchentable.rules.toml.fighting import may_act
from kitchentable.rules.toml.following import consequences
from kitchentable.rules.toml.form import Roll, Written
from kitchentable.rules.toml.numbers import (
    boxes,
    entries,
    here,
    is_out,
    level,
    marks,
    numbers_known,
)
from kitchentable.rules.toml.throwing import (
    OWN,
    nothing_to_throw,
    our_numbers,
    question,
    their_numbers,
)
from kitchentable.rules.values import GM, Answers, Choice, Field, Problem


def roll_moves(game: Written) -> tuple[Move, ...]:
    """One move for each roll of the file."""
    return tuple(_move(game, roll) for roll in game.rolls)


def _move(game: Written, roll: Roll) -> Move:
    rule = rule_of(game, "roll", roll.key, roll.rule)
    return Move(
        roll.key,
        roll.title,
        roll.help or f"Roll: {roll.title}.",
        (rule,),
        partial(consequences, game, roll),
        place="fight" if roll.fight else "move",
        when=partial(_when, game, roll),
        fields=partial(_fields, game, roll),
        check=partial(_check, game, roll),
        question=partial(question, game, roll),
        converses=True,
    )


def _when(game: Written, roll: Roll, table: Table, actor: Actor) -> str | None:
    entity = table.entities.get(actor.entity)
    if entity is None:
        return "Nobody is there to do it."
    if numbers_known(entity) and is_out(game, table, entity):
        return f"{entity.name} cannot act as things stand."
    if roll.opposed is not None and not here(table, but=entity.id):
        return "Nobody else is there."
    return may_act(game, table, actor) if roll.fight else None


def _fields(
    game: Written, roll: Roll, table: Table, actor: Actor, answers: Answers
) -> tuple[Field, ...]:
    entity = table.entities.get(actor.entity)
    rule = rule_of(game, "roll", roll.key, roll.rule)
    found = [Field("what", "What do you do?", required=False, default="", longest=400)]
    if roll.opposed is not None or _harms_another(roll):
        people = here(table, but=actor.entity)
        only = people[0].id if len(people) == 1 else None
        needed = roll.opposed is not None
        found.append(
            Field(
                "target",
                "Whom?",
                "entity",
                choose(people),
                default=only if needed else "",
                required=needed,
                rule=rule,
            )
        )
    if roll.group:
        found.append(_trait_field(game, roll.group, entity, "trait", "Trait", rule))
    if roll.listing and entity is not None:
        found.append(_entry_field(game, roll, entity, rule))
    other = table.entities.get(str(answers.get("target") or ""))
    if roll.opposed is not None and roll.opposed.group and other is not None:
        found.append(
            _trait_field(
                game,
                roll.opposed.group,
                other,
                "other_trait",
                f"{other.name} answers with",
                rule,
                set_by="owner:target",
            )
        )
    if roll.ladder:
        found += _ladder_fields(game, roll, table, entity, answers, rule)
    if roll.modifier:
        found.append(_modifier("modifier", "Modifier", rule))
        if roll.opposed is not None and other is not None:
            found.append(_modifier("other_modifier", f"Modifier of {other.name}", rule))
    return tuple(found)


def _harms_another(roll: Roll) -> bool:
    return any(band.others_marks for band in roll.bands)


def _trait_field(
    game: Written,
    group: str,
    entity: Entity | None,
    name: str,
    label: str,
    rule: str,
    set_by: str = "actor",
) -> Field:
    known = entity is not None and numbers_known(entity)
    picks = tuple(
        Choice(
            one.key,
            f"{one.title} {level(entity, one.key)}" if known and entity else one.title,
            one.help,
        )
        for one in game.group(group).traits
    )
    return Field(
        name,
        label,
        "choice",
        picks,
        default=picks[0].value,
        set_by=set_by,
        needs_yes=set_by == "actor",
        rule=rule,
    )


def _entry_field(game: Written, roll: Roll, entity: Entity, rule: str) -> Field:
    listing = game.listing(roll.listing)
    picks = (
        Choice("", "None"),
        *(
            Choice(one, f"{one}, {listing.bonus:+d}")
            for one in dict.fromkeys(entries(entity, listing))
        ),
    )
    return Field(
        "entry",
        listing.title,
        "choice",
        picks,
        default="",
        required=False,
        needs_yes=True,
        veto_only=True,
        rule=rule,
    )


def _ladder_fields(
    game: Written, roll: Roll, table: Table, entity: Entity | None, answers: Answers, rule: str
) -> list[Field]:
    numbers = our_numbers(game, table, entity, roll, answers) if entity is not None else {}
    picks = tuple(
        Choice(one.key, f"{one.title} {one.number.value(numbers)}") for one in roll.ladder
    )
    found = [
        Field(
            "difficulty",
            "Difficulty",
            "choice",
            (*picks, Choice(OWN, "A number of its own")),
            default=picks[0].value,
            set_by=GM,
            hideable=True,
            rule=rule,
        )
    ]
    if answers.get("difficulty") == OWN:
        found.append(
            Field(
                "number",
                "The number",
                "number",
                set_by=GM,
                hideable=True,
                low=-999,
                high=999,
                rule=rule,
            )
        )
    return found


def _modifier(name: str, label: str, rule: str) -> Field:
    return Field(
        name,
        label,
        "number",
        default=0,
        required=False,
        set_by=GM,
        hideable=True,
        low=-99,
        high=99,
        rule=rule,
    )


def _check(
    game: Written, roll: Roll, table: Table, actor: Actor, answers: Answers
) -> tuple[Problem, ...]:
    """Whether there are dice to throw, and what it costs is there."""
    entity = table.entities.get(actor.entity)
    if entity is None or not numbers_known(entity):
        return ()
    numbers = our_numbers(game, table, entity, roll, answers)
    rule = rule_of(game, "roll", roll.key, roll.rule)
    found = []
    if words := nothing_to_throw(roll, numbers):
        found.append(Problem("", rule, words))
    other = table.entities.get(str(answers.get("target") or ""))
    if roll.opposed is not None and other is not None and numbers_known(other):
        theirs = their_numbers(game, table, other, roll, answers)
        if nothing_to_throw(roll, theirs):  # and not why: their numbers may be the GM's
            found.append(Problem("", rule, f"There is nothing to throw for {other.name}."))
    for key, formula in roll.costs.items():
        scale, cost = game.scale(key), formula.value(numbers)
        now = marks(game, table, entity, scale)
        has = now if scale.starts_full else boxes(game, table, entity, scale) - now
        if cost > has:
            words = f"{roll.title} costs {cost} {scale.title}; {entity.name} has {has} to give."
            found.append(Problem("", rule, words))
    return tuple(found)
