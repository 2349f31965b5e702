"""A roll of a written game as a question to the dice: who throws what, against what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kitchentable.dice import NotationError
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.facts import whole
from kitchentable.rules.moves import Band as ShownBand
from kitchentable.rules.moves import Part, Question
from kitchentable.rules.people import is_closed
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.toml.dicework import (
    Rung,
    Throw,
    against_another,
    attempt,
    result_of,
    throw_of,
)
from kitchentable.rules.toml.form import BONUS, MODIFIER, TRAIT, Roll, Written
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.numbers import level, numbers_known, numbers_of, option_numbers
from kitchentable.rules.toml.rollparts import fill
from kitchentable.rules.values import Answers, Json

OWN = "own"
#: What the GM adds is called on a card.
BY_THE_GM = "the GM's modifier"


@dataclass(frozen=True, slots=True)
class Cast:
    """One side of a roll, ready to be thrown, with what is added by name."""

    throw: Throw
    parts: tuple[Part, ...]


def rungs(roll: Roll) -> tuple[Rung, ...]:
    """The results of a roll as the mechanic wants them."""
    return tuple(Rung(one.key, one.at_least, one.face) for one in roll.bands)


def shown_bands(roll: Roll) -> tuple[ShownBand, ...]:
    """The results of a roll as the odds name them."""
    return tuple(ShownBand(one.key, one.title, one.tone, one.good) for one in roll.bands)


def cast(
    game: Written, roll: Roll, numbers: Mapping[str, int], label: str, trait: str = ""
) -> Cast:
    """What one side throws with these numbers, on a trait. Errors: NotationError, RuleRefuses."""
    parts = tuple(
        Part(part_name(game, formula, trait), formula.value(numbers)) for formula in roll.add
    )
    total = sum(part.value for part in parts)
    if roll.die is not None:
        throw = Throw(roll.die.die, tuple(sorted(roll.die.worth.items())), total)
    else:
        throw = throw_of(fill(roll.dice, numbers), total, label)
    return Cast(throw, tuple(part for part in parts if part.value))


def nothing_to_throw(roll: Roll, numbers: Mapping[str, int]) -> str:
    """Why dice that follow from numbers cannot be thrown with these: there are none; "" else."""
    try:
        if roll.die is None:
            throw_of(fill(roll.dice, numbers), 0, "")
    except NotationError:
        return f"There is nothing to throw: {roll.dice} comes to {fill(roll.dice, numbers)} here."
    return ""


def part_name(game: Written, formula: Formula, trait: str = "") -> str:
    """What a summand is called on a card; `trait` is the one that the roll is made on."""
    found = game.trait(trait)
    names = {
        TRAIT: found.title if found else "trait",
        BONUS: "bonus",
        MODIFIER: "the GM's modifier",
    }
    names |= {one.key: one.field.label for one in game.options}
    names |= {one.key: one.title for one in game.scales}
    names |= {one.key: one.title for group in game.groups for one in group.traits}
    return names.get(formula.text, formula.text)


def trait_of(roll: Roll, answers: Answers) -> str:
    """The trait that a roll is made on: fixed, chosen, or "" for none."""
    return roll.trait or (str(answers.get("trait") or "") if roll.group else "")


def their_trait(roll: Roll, answers: Answers) -> str:
    """The trait that the other side of an opposed roll answers with, "" for none."""
    if roll.opposed is None:
        return ""
    return roll.opposed.trait or str(answers.get("other_trait") or "")


def our_numbers(
    game: Written, table: Table, entity: Entity, roll: Roll, answers: Answers
) -> dict[str, int]:
    """Every number that the formulas of a roll may ask for, for who makes it."""
    trait = trait_of(roll, answers)
    bonus = 0
    if roll.listing and answers.get("entry"):
        bonus = game.listing(roll.listing).bonus
    return numbers_of(game, table, entity) | {
        TRAIT: level(entity, trait) if trait else 0,
        BONUS: bonus,
        MODIFIER: whole(answers.get("modifier")),
    }


def their_numbers(
    game: Written, table: Table, other: Entity, roll: Roll, answers: Answers
) -> dict[str, int]:
    """The same for the other side of an opposed roll."""
    trait = their_trait(roll, answers)
    return numbers_of(game, table, other) | {
        TRAIT: level(other, trait) if trait else 0,
        BONUS: 0,
        MODIFIER: whole(answers.get("other_modifier")),
    }


def target_number(roll: Roll, numbers: Mapping[str, int], answers: Answers) -> int:
    """What a roll is measured against: a step of its ladder, a number of its own, or its sum."""
    if roll.ladder:
        picked = str(answers.get("difficulty") or roll.ladder[0].key)
        if picked == OWN:
            return whole(answers.get("number"))
        return next(one for one in roll.ladder if one.key == picked).number.value(numbers)
    return roll.against.value(numbers) if roll.against is not None else 0


def is_kept(roll: Roll, actor: Actor, answers: Answers) -> bool:
    """Whether a number that the GM hides is missing: then there are no odds to be told."""
    kept = [name for name in ("difficulty", "modifier", "other_modifier") if name in actor.hidden]
    if any(name not in answers for name in kept):
        return True
    return answers.get("difficulty") == OWN and answers.get("number") is None


def question(
    game: Written, roll: Roll, table: Table, actor: Actor, answers: Answers
) -> Question | None:
    """The roll as a question; None where a number is not known to the one who asks."""
    entity = table.entities.get(actor.entity)
    if entity is None or not numbers_known(entity) or is_kept(roll, actor, answers):
        return None
    numbers = our_numbers(game, table, entity, roll, answers)
    if nothing_to_throw(roll, numbers):
        return None
    ours = cast(game, roll, numbers, "roll").throw
    closed = ("roll",) if is_closed(entity) or entity.hidden else ()
    if roll.opposed is None:
        against = target_number(roll, numbers, answers)
        arguments = (ours, against, rungs(roll))
        return Question(attempt, arguments, shown_bands(roll), result_of, closed)
    other = table.entities.get(str(answers.get("target") or ""))
    if other is None or not numbers_known(other):
        return None
    numbers = their_numbers(game, table, other, roll, answers)
    if nothing_to_throw(roll, numbers):
        return None
    theirs = cast(game, roll, numbers, "other").throw
    if is_closed(other) or other.hidden:
        closed = (*closed, "other")
    both = (ours, theirs, roll.opposed.ties, rungs(roll))
    return Question(against_another, both, shown_bands(roll), result_of, closed)


def named_arguments(
    game: Written, roll: Roll, options: Mapping[str, Json], named: Mapping[str, int]
) -> tuple[object, ...]:
    """A roll's arguments from plain named numbers, for the library and the command line.

    `trait`, `bonus`, `modifier` and `against` (a number, for a roll with a ladder or a sum), every
    trait by its key, and for an opposed roll `other_trait` and `other_modifier`.
    Errors: RuleRefuses for a name the roll does not take.
    """
    base = option_numbers(game, options)
    base |= {one.key: group.low for group in game.groups for one in group.traits}
    base |= {one.key: 0 for one in game.scales}
    known = {*base, TRAIT, BONUS, MODIFIER, "against", "other_trait", "other_modifier"}
    for name, value in named.items():
        if name not in known:
            raise RuleRefuses(
                f"The roll {roll.key!r} does not take {name!r}. It takes: "
                f"{', '.join(sorted(known))}.",
                code="roll/argument",
            )
        if type(value) is not int or abs(value) > 999:
            raise RuleRefuses(
                f"{name} is a whole number from -999 to 999, not {value!r}.", code="roll/argument"
            )
    ours = {**base, TRAIT: 0, BONUS: 0, MODIFIER: 0, **named}
    if roll.trait and TRAIT not in named:
        ours[TRAIT] = ours[roll.trait]
    mine = cast(game, roll, ours, "roll").throw
    if roll.opposed is not None:
        theirs = {
            **base,
            TRAIT: named.get("other_trait", 0),
            BONUS: 0,
            MODIFIER: named.get("other_modifier", 0),
        }
        return (mine, cast(game, roll, theirs, "other").throw, roll.opposed.ties, rungs(roll))
    against = named.get("against")
    if against is None:
        against = target_number(roll, ours, {})
    return (mine, against, rungs(roll))
