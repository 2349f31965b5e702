"""What an outcome means is the GM's: a card that asks, with ideas, and with what may follow.

The answer can forbid another try, call for a further roll, leave a boon behind, or play a fumble or
a critical down; all of it stands in the log.
"""

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
    Line,
    Move,
    Problem,
    Result,
    Table,
    fresh,
    whole,
)
from kitchentable.rulesets.toaster.actions.boons import new_boon
from kitchentable.rulesets.toaster.actions.fields import on_choices
from kitchentable.rulesets.toaster.actions.hints import Outlook, hint, ideas, signed
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, FAILURE, FUMBLE, MARGINAL
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.tables import row

#: What calls for a roll of somebody, with what it is made on and a modifier set beforehand.
CALLED_ROLL = "called_roll"

_LOWER = {FUMBLE: FAILURE, CRITICAL: "success"}


def ask_about(
    table: Table,
    entity: Entity,
    band: str,
    skill: str,
    name: str,
    *,
    kind: str = "",
    instead: str = "",
) -> tuple[Ask, ...]:
    """The card that asks the GM what an outcome means; none where nothing has to be said.

    A fumble, a marginal result and a critical always ask, a failure where the skill has failures of
    its own (toaster.2.skill-climb-failure) or the table wants to be asked. `kind` is "luck" for a
    luck roll, which has ideas of its own. `instead` is "ID:fumble" or "ID:critical" for the other
    side of a contest, whose outcome may be played out in its place (toaster.3.critical-once).
    """
    asks = str(setting(table.options, "outcome_prompts"))
    known = hint(table, skill)
    wanted = {FUMBLE, MARGINAL, CRITICAL}
    if asks == "all" or known.failure or kind:
        wanted.add(FAILURE)
    if asks == "none" or band not in wanted:
        return ()
    found = row(table, "outcomes", band)
    if found is None:
        return ()
    rules = (found["rule"], *((known.failure_rule,) if _has_own(known.failure_rule, band) else ()))
    return (
        Ask(
            fresh(table, "meaning"),
            (GM,),
            "meaning",
            f"{found['name']}: {entity.name}, {name}",
            str(found["question"]),
            preset={
                "about": table.number + 1,
                "band": band,
                "skill": skill,
                "name": name,
                "kind": kind,
                "instead": instead,
            },
            rules=rules,
            skippable=True,
            entity=entity.id,
        ),
    )


def _has_own(rule: str, band: str) -> bool:
    return bool(rule) and band in {FAILURE, FUMBLE}


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    told = _told(table, actor, answers)
    band = str(told.get("band") or "")
    if not band:
        return ()
    return (
        *_other_field(table, told),
        _text_field(table, told, band),
        *_follow_fields(table, told, band),
        *_boon_fields(told, band),
        *_roll_fields(table, told),
        *_temper_field(band),
    )


def _other_field(table: Table, told: dict[str, Any]) -> tuple[Field, ...]:
    """Of a critical and the fumble it is for the other side, one is played out, never both."""
    who, _, band = str(told.get("instead") or "").partition(":")
    if who not in table.entities:
        return ()
    return (
        Field(
            "swap",
            f"Play out the {band} of {table.entities[who].name} instead",
            "tick",
            default=False,
            required=False,
            help="The one or the other; both would be too much.",
            rule="toaster.3.critical-once",
        ),
    )


def _text_field(table: Table, told: dict[str, Any], band: str) -> Field:
    of = f"{told.get('kind')} {band}".strip()
    found = ideas(table, of)
    return Field(
        "text",
        "What happens",
        "story",
        required=False,
        default="",
        help=f"For instance: {'; '.join(found)}." if found else "",
        rule=str((row(table, "outcomes", band) or {}).get("rule") or ""),
    )


def _follow_fields(table: Table, told: dict[str, Any], band: str) -> tuple[Field, ...]:
    """After a failure: what the skill's own failures are, and whether it may be tried again."""
    if band not in {FAILURE, FUMBLE} or told.get("kind"):
        return ()
    retry = Field(
        "retry",
        "May it be tried again?",
        "choice",
        (
            Choice("", "Not said"),
            Choice("yes", "Yes"),
            Choice("no", "No"),
            Choice("otherwise", "Only in another way"),
        ),
        default="",
        required=False,
        rule="toaster.3.failure-retry",
    )
    outlooks = _outlooks(table, told)
    if not outlooks:
        return (retry,)
    follows = Field(
        "follows",
        "What follows",
        "choice",
        (Choice("", "Something else"), *(Choice(one.key, one.name) for one in outlooks)),
        default="",
        required=False,
        rule=hint(table, str(told.get("skill") or "")).failure_rule or "toaster.3.failure-meaning",
    )
    return (follows, retry)


def _outlooks(table: Table, told: dict[str, Any]) -> tuple[Outlook, ...]:
    return hint(table, str(told.get("skill") or "")).failure


def _boon_fields(told: dict[str, Any], band: str) -> tuple[Field, ...]:
    """A bonus that a critical leaves behind (toaster.3.critical-meaning)."""
    if band != CRITICAL or told.get("kind"):
        return ()
    rule = "toaster.3.critical-meaning"
    bonus = Field(
        "bonus",
        "A bonus that lasts",
        "number",
        default=0,
        required=False,
        low=0,
        high=5,
        help="0 for none.",
        rule=rule,
    )
    if not whole(told.get("bonus")):
        return (bonus,)
    name = Field("bonus_name", "What it is called", default="a fine piece of work", longest=60)
    days = Field("days", "For how many days", "number", default=7, low=1, high=3650, rule=rule)
    return (bonus, name, days)


def _roll_fields(table: Table, told: dict[str, Any]) -> tuple[Field, ...]:
    """A further roll, perhaps on something else (toaster.3.marginal-meaning)."""
    rule = "toaster.3.marginal-meaning"
    field = Field(
        "roll",
        "A further roll",
        "choice",
        (Choice("", "None"), *on_choices(table, None)),
        default="",
        required=False,
        rule=rule,
    )
    if not _next_roll(table, told):
        return (field,)
    number = Field("modifier", "With", "number", default=0, low=-20, high=20, rule=rule)
    return (field, number)


def _next_roll(table: Table, told: dict[str, Any]) -> str:
    """What a further roll is made on: as the GM says, or as the failure that was picked says."""
    said = str(told.get("roll") or "")
    picked = [one.roll for one in _outlooks(table, told) if one.key == told.get("follows")]
    return said or (picked[0] if picked else "")


def _temper_field(band: str) -> tuple[Field, ...]:
    if band not in _LOWER:
        return ()
    return (
        Field(
            "temper",
            "Played down",
            "tick",
            default=False,
            required=False,
            help=f"It counts as no more than a {_LOWER[band]}.",
            rule="toaster.3.critical-temper",
        ),
    )


def _told(table: Table, actor: Actor, answers: Answers) -> dict[str, Any]:
    ask = table.asks.get(actor.ask)
    told = {**(ask.preset if ask is not None else {}), **answers}
    who, _, band = str(told.get("instead") or "").partition(":")
    if told.get("swap") and who in table.entities:
        told |= {"band": band, "who": who, "skill": ""}
    return told


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    told = _told(table, actor, answers)
    if told.get("temper") and whole(told.get("bonus")):
        sentence = "A critical that is played down leaves no bonus."
        return (Problem("bonus", "toaster.3.critical-temper", sentence),)
    return ()


def _meaning(table: Table, actor: Actor, answers: Answers, outcome: object) -> Result:
    told = _told(table, actor, answers)
    entity, band = table.entities[str(told.get("who") or actor.entity)], str(told["band"])
    picked = [one.name for one in _outlooks(table, told) if one.key == told.get("follows")]
    lines = [Line(one) for one in picked]
    retry = {
        "yes": "It may be tried again.",
        "no": "It cannot be tried again.",
        "otherwise": "Another way may be tried, not this one.",
    }.get(str(told.get("retry") or ""))
    if retry:
        lines.append(Line(retry))
    changes: tuple[Change, ...] = ()
    bonus = whole(told.get("bonus"))
    if bonus:
        days = whole(told.get("days")) or 7
        name = str(told.get("bonus_name") or "a boon")
        skill = str(told.get("skill") or "").partition(":")[0]
        changes = (new_boon(table, name, bonus, skill, days),)
        where = f" on {lens.skill_name(table, skill)}" if skill else ""
        lines.append(Line(f"{name}: {signed(bonus)}{where} for {lens.plural(days, 'day')}."))
    on = _next_roll(table, told)
    asks = (
        (call_for(table, entity, on, whole(told.get("modifier")), str(told["name"])),) if on else ()
    )
    word = _LOWER[band] if told.get("temper") else band
    if told.get("temper"):
        lines.append(Line(f"Played down: it counts as a {word}."))
    card = Card(
        f"{entity.name}, {told['name']}",
        str(told.get("text") or ""),
        word,
        lines=tuple(lines),
        rules=_rules(table, told, band),
        entity=entity.id,
        audience=lens.card_audience(entity),
        about=whole(told.get("about")),
    )
    return Result(card, changes, asks, (actor.ask,))


def _rules(table: Table, told: dict[str, Any], band: str) -> tuple[str, ...]:
    found = row(table, "outcomes", band)
    rules = [str(found["rule"])] if found else []
    if told.get("retry"):
        rules.append("toaster.3.failure-retry")
    if told.get("temper"):
        rules.append("toaster.3.critical-temper")
    if told.get("instead"):
        rules.append("toaster.3.critical-once")
    own = hint(table, str(told.get("skill") or "")).failure_rule
    if told.get("follows") and own:
        rules.append(own)
    return tuple(rules)


def call_for(table: Table, entity: Entity, on: str, modifier: int, why: str) -> Ask:
    """The card that asks somebody for a further roll."""
    return Ask(
        fresh(table, "roll"),
        (f"owner:{entity.id}",),
        CALLED_ROLL,
        f"{entity.name}: a further roll",
        why,
        preset={"on": on, "modifier": modifier, "why": why, "about": table.number + 1},
        rules=("toaster.3.marginal-meaning",),
        entity=entity.id,
    )


MEANING = Move(
    "meaning",
    "What an outcome means",
    "Say what happens, whether it may be tried again, and what follows.",
    (
        "toaster.3.fumble-meaning",
        "toaster.3.failure-meaning",
        "toaster.3.marginal-meaning",
        "toaster.3.critical-meaning",
        "toaster.3.failure-retry",
        "toaster.3.critical-temper",
    ),
    _meaning,
    by=(),
    fields=_fields,
    check=_check,
)
