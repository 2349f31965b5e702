"""The kit: the parts that every ruleset is put together from."""

from kitchentable.rules.kit.at import At, Declared, Guard, with_pauses
from kitchentable.rules.kit.beings import Being, Fact, on_sheet, state
from kitchentable.rules.kit.consent import YES_NO, advised, decision, only_owner, votes
from kitchentable.rules.kit.fights import conceal, fight_moves, fight_view
from kitchentable.rules.kit.forms import (
    Each,
    Form,
    Here,
    Input,
    Unknown,
    given,
    given_somebody,
    maybe_number,
    number,
    pick,
    pick_many,
    rows,
    several,
    somebody,
    text,
    tick,
)
from kitchentable.rules.kit.moves import Ruleset
from kitchentable.rules.kit.rolls import Roll, Throw, roll_of, whole_number, yes_or_no
from kitchentable.rules.kit.rounds import Rounds
from kitchentable.rules.kit.settings import Settings
from kitchentable.rules.kit.turns import Action, MaybeAction, fighting, in_fight, may_act, spend

__all__ = [
    "YES_NO",
    "Action",
    "At",
    "Being",
    "Declared",
    "Each",
    "Fact",
    "Form",
    "Guard",
    "Here",
    "Input",
    "MaybeAction",
    "Roll",
    "Rounds",
    "Ruleset",
    "Settings",
    "Throw",
    "Unknown",
    "advised",
    "conceal",
    "decision",
    "fight_moves",
    "fight_view",
    "fighting",
    "given",
    "given_somebody",
    "in_fight",
    "may_act",
    "maybe_number",
    "number",
    "on_sheet",
    "only_owner",
    "pick",
    "pick_many",
    "roll_of",
    "rows",
    "several",
    "somebody",
    "spend",
    "state",
    "text",
    "tick",
    "votes",
    "whole_number",
    "with_pauses",
    "yes_or_no",
]
