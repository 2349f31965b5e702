"""Turns in a fight: who may act, what counts as an action, waiting, and moving with an action."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Move,
    Result,
    RuleRefuses,
    Table,
    running,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat import stances
from kitchentable.rulesets.toaster.combat.fight import (
    Fight,
    is_acting,
    may_take,
    move_and_act,
    place,
    skip,
    slower,
    step,
    take_action,
)
from kitchentable.rulesets.toaster.harm.state import acted, can_act, changed
from kitchentable.rulesets.toaster.options.reading import setting


def may_act(table: Table, actor: Actor) -> str | None:
    """Why this one cannot take an action now; the GM can allow one more.

    toaster.4.actions-two, toaster.4.long-actions.
    """
    entity = lens.whom(table, actor.entity)
    if entity is None:
        return None
    why_not = can_act(table, entity)
    if why_not is not None:
        return why_not
    if table.fight is None:
        return None
    mine = place(table, entity.id)
    if mine is None:
        return f"{entity.name} is not in this fight; the GM can let them join."
    if mine["long"]:
        return (
            f"{entity.name} is busy: {mine['long']['what']}. Nothing else goes before that is done "
            f"or broken off."
        )
    if may_take(table, entity.id):
        return None
    if not mine["left"]:
        return f"{entity.name} has used up the actions of this round."
    return f"It is not {entity.name}'s turn."


def spend(table: Table, fight: Fight | None, who: str) -> None:
    """Count an action in the fight that is on; outside a fight nobody counts."""
    if fight is not None and who in fight["fighters"]:
        take_action(fight, who)


def own_action(entity: Entity) -> tuple[Entity, tuple[Change, ...]]:
    """Somebody after an action of their own, and the facts that changes: stance, aim, last act."""
    after = stances.aim_lost(stances.acted(entity))
    return after, (*changed(entity, after), *acted(entity))


def in_fight(table: Table, actor: Actor) -> str | None:
    """Why this is no time for an action of a fight."""
    return "No fight is on." if table.fight is None else may_act(table, actor)


def card(entity: Entity, title: str, sentence: str, *rules: str) -> Card:
    """A card of a turn."""
    return Card(title, sentence, rules=rules, entity=entity.id, audience=lens.card_audience(entity))


def the_fight(table: Table) -> Fight:
    """The fight that is on. Errors: RuleRefuses without one."""
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toaster.4.round")
    return fight


# ---------------------------------------------------------------- an action without dice


def _act_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    left = (place(table, actor.entity) or {}).get("left", 0)
    counts = [
        Choice("action", "as an action"),
        Choice("free", "as a trifle: nothing"),
        Choice("slower", "as something quick before acting: slower"),
    ]
    if left >= 2 and is_acting(table, actor.entity):
        counts.append(Choice("moves", "as a movement, with another action to come"))
    fields = [
        Field("what", "What do you do?", longest=400),
        Field(
            "counts",
            "It counts",
            "choice",
            tuple(counts),
            default="action",
            set_by="actor",
            needs_yes=True,
            help="The GM has the last word on what is an action and what a trifle.",
            rule="toaster.4.actions-count",
        ),
    ]
    if answers.get("counts") == "slower":
        usual = whole(setting(table.options, "initiative_cost"))
        fields.append(
            Field(
                "cost",
                "Initiative that it costs",
                "number",
                default=usual,
                low=0,
                high=20,
                set_by=GM,
                rule="toaster.4.actions-initiative-cost",
            )
        )
    return tuple(fields)


_RULE_OF = {
    "action": "toaster.4.actions-two",
    "free": "toaster.4.actions-free",
    "slower": "toaster.4.actions-initiative-cost",
    "moves": "toaster.4.actions-movement",
}


def _acts(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], the_fight(table)
    counts, what = str(answers["counts"]), str(answers["what"])
    own: tuple[Change, ...] = ()
    if counts == "slower":
        cost = whole(answers.get("cost"))
        slower(fight, entity.id, cost)
        number = fight["fighters"][entity.id]["number"]
        shown = lens.number_audience(entity) != GM
        what = f"{what} Acts at {number} from now on." if shown else f"{what} Acts later by {cost}."
    elif counts == "moves":
        move_and_act(fight, entity.id)
        what = f"{what} The action that goes with it comes after everybody's first."
    elif counts == "action":
        spend(table, fight, entity.id)
    if counts in {"action", "moves"}:
        own = own_action(entity)[1]
    changes, asks = step(table, fight)
    return Result(card(entity, "Action", what, _RULE_OF[counts]), (*own, *changes), asks)


ACT = Move(
    "act",
    "Do something",
    "Something without dice: an action, a trifle, a movement with an action to come.",
    ("toaster.4.actions-two", "toaster.4.actions-count", "toaster.4.actions-movement"),
    _acts,
    place="fight",
    when=in_fight,
    fields=_act_fields,
    converses=True,
)

# ---------------------------------------------------------------- waiting


def _when_turn(table: Table, actor: Actor) -> str | None:
    if table.fight is None:
        return "No fight is on."
    return None if is_acting(table, actor.entity) else "It is not their turn."


def _skips(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], the_fight(table)
    skip(fight, entity.id)
    changes, asks = step(table, fight)
    words = str(answers.get("what") or "Waits, and may act later.")
    rules = ("toaster.4.initiative-skip", "toaster.4.initiative-skip-limit")
    return Result(card(entity, "Waits", words, *rules), changes, asks)


def _skip_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("what", "Waits for what?", required=False, default="", longest=200),)


SKIP = Move(
    "wait",
    "Wait",
    "Let your turn pass and act later: a first action at the latest before somebody's second.",
    ("toaster.4.initiative-skip", "toaster.4.initiative-skip-limit"),
    _skips,
    place="fight",
    when=_when_turn,
    fields=_skip_fields,
)

# ---------------------------------------------------------------- one more, by the GM's leave


def _when_more(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if mine is None or mine["status"] in {"out", "left"}:
        return "They are not in a fight."
    return None


def _more_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("why", "Why may they act?", longest=200, rule="toaster.4.actions-two"),)


def _more(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], the_fight(table)
    fight["fighters"][entity.id]["extra"] += 1
    changes, asks = step(table, fight)
    words = f"By the GM's leave: {answers['why']}"
    title = f"{entity.name} may act once more"
    return Result(card(entity, title, words, "toaster.4.actions-two"), changes, asks)


ONE_MORE = Move(
    "one_more",
    "Allow an action",
    "Let somebody act out of turn, or once more, and say why.",
    ("toaster.4.actions-two",),
    _more,
    by=("gm",),
    place="fight",
    when=_when_more,
    fields=_more_fields,
)

# ---------------------------------------------------------------- aiming, and giving it all


def _aims(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """A round of aiming uses up what is left of the round (toaster.4.range-reduction)."""
    entity, fight = table.entities[actor.entity], running(table)
    more = stances.aim_more(entity)
    asks: tuple[Ask, ...] = ()
    changes: tuple[Change, ...] = ()
    if fight is not None:
        while fight["turn"] == entity.id and fight["fighters"][entity.id]["left"] > 1:
            fight["fighters"][entity.id]["left"] -= 1
        take_action(fight, entity.id)
        changes, asks = step(table, fight)
    stance = changed(entity, stances.acted(stances.acted(entity)))
    words = "Takes aim." if not stances.aimed(entity) else "Goes on aiming."
    told = card(entity, "Aims", words, "toaster.4.range-reduction")
    return Result(told, (more, *stance, *changes), asks)


AIM = Move(
    "aim",
    "Take aim",
    "Spend the round on aiming; your next shot bears its distance better.",
    ("toaster.4.range-reduction",),
    _aims,
    place="fight",
    when=may_act,
)


def _when_stance(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    if not setting(table.options, "stance"):
        return "Stances are not played at this table."
    if entity is not None and stances.all_out(entity):
        return f"{entity.name} has taken such a stance already."
    return None


def _stance_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "kind",
            "Everything for",
            "choice",
            (
                Choice(stances.DEFENCE, "defence, and no attacks"),
                Choice(stances.ATTACK, "attack, and no defences"),
            ),
            needs_yes=True,
            rule="toaster.4.stance-3",
        ),
    )


def _takes_stance(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, kind = table.entities[actor.entity], str(answers["kind"])
    after = stances.take_all_out(entity, kind)
    other = "attacking" if kind == stances.DEFENCE else "defending"
    words = (
        f"Gives up {other} for {stances.ALL_OUT_ACTIONS} actions: +{stances.ALL_OUT} on every "
        f"{kind} roll till then."
    )
    told = card(entity, f"All-out {kind}", words, "toaster.4.stance-3", "toaster.4.stance-timing")
    return Result(told, changed(entity, after))


ALL_OUT = Move(
    "all_out",
    "All-out stance",
    "Give up attacking or defending for two actions, and be the better at the other.",
    ("toaster.4.stance-3", "toaster.4.stance-timing"),
    _takes_stance,
    place="fight",
    when=_when_stance,
    fields=_stance_fields,
    converses=True,
)

MOVES = (ACT, SKIP, ONE_MORE, AIM, ALL_OUT)
