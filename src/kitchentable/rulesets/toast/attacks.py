"""Attacks: the attacker's roll against the defender's, and the wound of a hit."""

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
    Line,
    Move,
    Problem,
    Question,
    Result,
    Side,
    Table,
    card_audience,
    choose,
    is_closed,
    known,
    running,
    whom,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.character import (
    FALLEN,
    condition,
    is_awake,
    level,
    numbers_known,
    present,
    role_trait,
    trait_choices,
    trait_name,
)
from kitchentable.rulesets.toast.fight import place, step
from kitchentable.rulesets.toast.mechanics import Attack
from kitchentable.rulesets.toast.old_rolls import (
    noted,
    perk_field,
    saying,
    side,
    trait_field,
    what_field,
    with_perk,
)
from kitchentable.rulesets.toast.old_twists import twists_of_a_pair
from kitchentable.rulesets.toast.options import NO_TRAIT, find_trait, setting, traits
from kitchentable.rulesets.toast.turns import action_fields, may_act, spend
from kitchentable.rulesets.toast.wounds import wound

_BANDS = (
    Band("hit", "hit", "good", good=True),
    Band("miss", "miss", "bad"),
)
_NONE = Choice(NO_TRAIT, "No trait: level 0")


def attack_traits(table: Table, entity: Entity | None) -> tuple[Choice, ...]:
    """What one can attack with: Aim, Attack, or who plays their part, and the table's magic.

    toast.7.2-attack-trait, toast.10-magic-traits. Magic then goes on as any attack does
    (toast.10-magic-like-combat).
    """
    keys = {role_trait(table, "attack"), role_trait(table, "aim")}
    keys |= {one.key for one in traits(table.options) if one.magic}
    found = tuple(one for one in trait_choices(table, entity) if one.value in keys)
    return (*found, _NONE) if NO_TRAIT in keys or not found else found


def defense_trait(table: Table, attack: Any) -> str:
    """What answers an attack: Defense, or against magic what the table's option says.

    toast.7.2-defense-trait, toast.10-magic-defense.
    """
    found = find_trait(table.options, attack)
    usual = role_trait(table, "defense") or NO_TRAIT
    if found is None or not found.magic:
        return usual
    against = find_trait(table.options, setting(table.options, "magic_defense"))
    return against.key if against else usual


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    target = whom(table, answers.get("target"))
    own = attack_traits(table, entity)
    trait = answers.get("trait") or own[0].value
    fields = [
        Field(
            "target",
            "Whom?",
            "entity",
            choose(_targets(table, actor)),
            default=_likely(table, actor),
            rule="toast.7.2-attack-contest",
        ),
        trait_field(table, entity, choices=own, label="With", rule="toast.7.2-attack-trait"),
        perk_field(entity),
        what_field(),
    ]
    if target is not None:
        fields.append(
            perk_field(
                target,
                name="defense_perk",
                label=f"Perk of {target.name}",
                set_by="owner:target",
            )
        )
        fields.append(_defense_field(table, target, trait))
        if not is_awake(target):
            fields.append(_helpless_field(target))
    surprise = Field(
        "surprise",
        "They do not see it coming",
        "tick",
        default=False,
        required=False,
        set_by=GM,
        help="They roll their defence all the same.",
        rule="toast.7.2-unaware",
    )
    return (*fields, surprise, *action_fields(table, actor))


def _targets(table: Table, actor: Actor) -> tuple[Entity, ...]:
    return known(present(table, but=actor.entity), actor)


def _likely(table: Table, actor: Actor) -> str | None:
    """The first of another side who still stands; outside a fight the only one there is."""
    mine = place(table, actor.entity)
    people = [one for one in _targets(table, actor) if is_awake(one)]
    if mine is None:
        return people[0].id if len(people) == 1 else None
    for one in people:
        theirs = place(table, one.id)
        if theirs is not None and theirs["side"] != mine["side"] and theirs["status"] != "left":
            return one.id
    return None


def _defense_field(table: Table, target: Entity, trait: Any) -> Field:
    return Field(
        "defense",
        f"{target.name} answers with",
        "choice",
        (*trait_choices(table, target), _NONE),
        default=defense_trait(table, trait),
        set_by=GM,
        rule="toast.10-magic-defense",
    )


def _helpless_field(target: Entity) -> Field:
    return Field(
        "helpless",
        f"{target.name} is not conscious. What of the attack?",
        "choice",
        (
            Choice("rolls", "A defence roll, as ever"),
            Choice("hits", "It simply hits"),
            Choice("nothing", "Nothing comes of it"),
        ),
        set_by=GM,
        rule="toast.7.3-unconscious-target",
    )


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity, target = whom(table, actor.entity), whom(table, answers.get("target"))
    if entity is None or target is None or answers.get("helpless") in {"hits", "nothing"}:
        return None
    if not (numbers_known(entity) and numbers_known(target)):
        return None
    defense = answers.get("defense") or defense_trait(table, answers.get("trait"))
    closed = [("attack", entity), ("defense", target)]
    return Question(
        mechanics.attack,
        (
            level(entity, answers.get("trait")),
            bool(answers.get("perk")),
            level(target, defense),
            bool(answers.get("defense_perk")),
        ),
        _BANDS,
        lambda outcome: "hit" if outcome.hit else "miss",
        tuple(label for label, one in closed if is_closed(one) or one.hidden),
        saying("Your result has to be the higher one; a tie misses."),
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    reason = may_act(table, actor)
    return (Problem("", "toast.7-turn-action", reason),) if reason else ()


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Attack | None) -> Result:
    entity, target = table.entities[actor.entity], table.entities[str(answers["target"])]
    trait, perk = answers["trait"], answers.get("perk")
    defense, other_perk = answers.get("defense"), answers.get("defense_perk")
    fight = running(table)
    spend(table, actor, answers, fight)
    hit = outcome.hit if outcome is not None else answers.get("helpless") == "hits"
    blow = wound(table, target, entity, fight) if hit else None
    changes, asks = step(table, fight)
    sides: tuple[Side, ...] = ()
    notes: tuple[Change, ...] = ()
    twists: tuple[Ask, ...] = ()
    if outcome is not None:
        sides = (
            side(table, entity, "attack", trait, perk, outcome.attack),
            side(table, target, "defense", defense, other_perk, outcome.defense),
        )
        notes = (*noted(table, entity, trait, perk), *noted(table, target, defense, other_perk))
        thrown = (outcome.attack, outcome.defense)
        twists = twists_of_a_pair(table, (entity, target), thrown)
    card = Card(
        with_perk(f"{trait_name(table, trait)} on {target.name}", perk),
        f"Hit. {blow.sentence}" if blow else "Miss.",
        "hit" if hit else "miss",
        "good" if hit else "bad",
        sides,
        _lines(table, answers, outcome),
        _rules(outcome, blow.rules if blow else ()),
        entity.id,
        card_audience(entity, target),
    )
    wounding = blow.changes if blow else ()
    # Somebody whose fate is undecided is asked about once.
    fates = blow.asks if blow and condition(target) != FALLEN else ()
    return Result(card, (*notes, *wounding, *changes), (*twists, *fates, *asks))


def _lines(table: Table, answers: Answers, outcome: Attack | None) -> tuple[Line, ...]:
    lines = [Line(str(answers["what"]))] if answers.get("what") else []
    if answers.get("surprise"):
        lines.append(Line("Unseen, and answered with a full roll all the same."))
    if outcome is None:
        lines.append(Line("No roll, by the GM's ruling: the target is not conscious."))
    return tuple(lines)


def _rules(outcome: Attack | None, blow: tuple[str, ...]) -> tuple[str, ...]:
    if outcome is None:
        return ("toast.7.3-unconscious-target", *blow)
    if outcome.hit:
        return ("toast.7.2-attack-contest", *blow)
    first, second = outcome.attack, outcome.defense
    if first == second:
        twins = not isinstance(first, int)
        return ("toast.7.2-double-special-miss" if twins else "toast.7.2-tie-miss",)
    return ("toast.7.2-attack-contest",)


def _when(table: Table, actor: Actor) -> str | None:
    if not _targets(table, actor):
        return "Nobody is there to attack."
    return may_act(table, actor)


ATTACK = Move(
    "attack",
    "Attack",
    "Roll against somebody's defence; the higher result has it.",
    ("toast.7.2-attack-contest", "toast.7.2-attack-trait", "toast.7.2-defense-trait"),
    _consequences,
    place="fight",
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
)
