"""What nobody may change by hand on the sheet of somebody in play."""

from __future__ import annotations

from kitchentable.rules import Actor, Choice, Entity, Field, Problem, Table
from kitchentable.rules.forms import misread
from kitchentable.rulesets.toaster.character.trait_checks import sum_sentence, written
from kitchentable.rulesets.toaster.character.traits import trait_sum
from kitchentable.rulesets.toaster.harm.state import AWAKE, DEAD, MORTAL, OUT, UNCONSCIOUS

#: What somebody's harm, luck and experience can be.
_STATE = (
    Field("stun", "Stun", "number", low=0, rule="toaster.4.stun-accumulate"),
    Field(
        "wounds",
        "Wounds",
        "rows",
        columns=(Field("n", "How many wounds", "number", low=0),),
        rule="toaster.4.wounds-per-attack",
    ),
    Field(
        "condition",
        "The condition",
        "choice",
        tuple(Choice(word, word) for word in (AWAKE, UNCONSCIOUS, MORTAL, DEAD, OUT)),
    ),
    Field("luck", "Luck", "number", low=0),
    Field("xp", "Experience", "number", low=0),
)


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """A player's traits stay as they are, or are rearranged so that their sum stays what it was.

    toaster.2.adv-traits-fixed, toaster.2.adv-traits-rearrange, toaster.2.adv-traits-balance
    (A-20). While a player still builds, nothing has been agreed on yet. Harm, luck and experience
    are what play itself could have brought.
    """
    return (*misread(_STATE, before.state, after.state), *_traits(actor, before, after))


def _traits(actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    if not before.is_players or before.stage != "play" or written(before) == written(after):
        return ()
    if not actor.is_gm:
        words = "Traits stay as they are; ask the GM whether they may be rearranged."
        return (Problem("traits", "toaster.2.adv-traits-fixed", words),)
    if trait_sum(before) != trait_sum(after):
        words = sum_sentence(trait_sum(before), trait_sum(after))
        return (Problem("traits", "toaster.2.adv-traits-balance", words),)
    return ()
