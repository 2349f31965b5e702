"""What came of an attack, told on a card: both sides, step by step, and what it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import (
    EVERYONE,
    GM,
    Actor,
    Ask,
    Card,
    Change,
    Entity,
    Line,
    Part,
    Result,
    Side,
    Table,
    running,
    whole,
)
from kitchentable.rulesets.toaster.actions.facts import noted
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat import lengths, stances
from kitchentable.rulesets.toaster.combat.arms import weapon_class
from kitchentable.rulesets.toaster.combat.beside import Fight, felled, rounds, spend, step
from kitchentable.rulesets.toaster.combat.reckoning import (
    Case,
    attack_parts,
    defence_parts,
    luck_spent,
    said,
)
from kitchentable.rulesets.toaster.harm.criticals import left_behind
from kitchentable.rulesets.toaster.harm.hurting import hurt
from kitchentable.rulesets.toaster.harm.passing import told as told_blow
from kitchentable.rulesets.toaster.harm.places import part_of, place_named
from kitchentable.rulesets.toaster.harm.state import acted, become, changed
from kitchentable.rulesets.toaster.mechanics.attack import Attack
from kitchentable.rulesets.toaster.mechanics.stars import CALLED
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, MARGINAL
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    ATTACK,
    DAMAGE,
    DEFENSE,
    FUMBLED,
    PROTECTION,
    AttackRoll,
    DefenseRoll,
    ToHit,
)
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.people import toaster


@dataclass(frozen=True, slots=True)
class Told:
    """Who may see what of an attack: the card, and each side's die, parts and total."""

    card: str
    attack: str
    defence: str

    @property
    def both(self) -> str:
        """Who may see what tells of both sides' numbers."""
        return EVERYONE if self.attack == EVERYONE and self.defence == EVERYONE else GM


def keeps_modifiers(table: Table, case: Case, hidden: frozenset[str]) -> bool:
    """Whether the GM keeps modifiers of this attack to themselves for good.

    Where difficulties are told after the throw, the card tells them
    (toaster.3.difficulty-open-secret).
    """
    kept = "modifiers" in hidden and bool(case.answers.get("modifiers"))
    return kept and setting(table.options, "difficulty_shown") != "after"


def audiences(table: Table, case: Case, hidden: frozenset[str]) -> Told:
    """Who may see what. A total beside modifiers that the GM keeps would tell them."""
    one, other = case.attacker, case.target
    secret = keeps_modifiers(table, case, hidden)
    return Told(
        lens.card_audience(one, other),
        GM if secret or one.hidden else lens.number_audience(one),
        GM if secret or other.hidden else lens.number_audience(other),
    )


# ---------------------------------------------------------------- before the blow


@dataclass(frozen=True, slots=True)
class Parts:
    """What was added to both rolls when they were thrown, and what luck added after."""

    attack: tuple[Part, ...]
    defence: tuple[Part, ...]
    attack_luck: int = 0
    defence_luck: int = 0


def parts_of(table: Table, case: Case) -> Parts:
    """What is added to both rolls as things stand."""
    return Parts(attack_parts(table, case), defence_parts(table, case))


def attack_side(case: Case, one: AttackRoll, told: Told, parts: Parts) -> Side:
    """The attacker's throw on a card, by name what was added to it."""
    word = "fumble" if one.fumble else "zero" if one.second is not None else ""
    every = (*_called(case, "called"), *parts.attack, *_luck(parts.attack_luck))
    return Side(case.attacker.name, ATTACK, every, one.total, word, told.attack)


def defence_side(case: Case, one: DefenseRoll, told: Told, parts: Parts) -> Side:
    """The defender's throw on a card."""
    word = "fumble" if one.fumble else "zero" if one.spoilt else ""
    every = (*_called(case, "defence_called"), *parts.defence, *_luck(parts.defence_luck))
    return Side(case.target.name, DEFENSE, every, one.total, word, told.defence)


def _luck(points: int) -> tuple[Part, ...]:
    return (Part("luck", points),) if points else ()


def _called(case: Case, name: str) -> tuple[Part, ...]:
    return (Part("a called 4", CALLED),) if case.answers.get(name) else ()


def _damage_sides(table: Table, case: Case, outcome: Attack, told: Told) -> tuple[Side, ...]:
    """Damage and protection on a card (toaster.4.damage-roll, toaster.4.protection-roll)."""
    rolls = outcome.rolls
    if rolls is None:
        return ()
    same = bool(setting(table.options, "wcac_same_die"))
    answers = case.answers
    wc = weapon_class(table, case.attacker, case.arm, answers.get("distance"))
    found = [Part("WC", wc), *said(answers, "damage")]
    found += [Part("luck", 2 * whole(answers.get("damage_luck")))]
    if setting(table.options, "wcac_add_margin"):
        found.append(Part("margin", outcome.margin))
    if rolls.critical is not None:
        found.append(Part("critical", rolls.critical.extra))
    if outcome.band == CRITICAL:
        found.append(Part("for the critical", whole(answers.get("critical_bonus"))))
    dealt = (
        *(
            (Part("the attack's die", outcome.to_hit.attack.die),)
            if same
            else _called(case, "damage_called")
        ),
        *(part for part in found if part.value or part.name == "WC"),
    )
    defense = outcome.to_hit.defense if same else None
    die = (Part("the defence's die", defense.die),) if defense is not None else ()
    piercing = Part("armour piercing", case.arm.piercing)
    stopped = (
        *(die or _called(case, "protection_called")),
        Part("AC", rolls.ac),
        *((piercing,) if piercing.value else ()),
        *said(answers, "protection"),
    )
    return (
        Side(case.attacker.name, DAMAGE, dealt, outcome.damage, "", told.attack),
        Side(case.target.name, PROTECTION, stopped, outcome.protection, "", told.defence),
    )


# ---------------------------------------------------------------- the result


def result(
    table: Table,
    actor: Actor,
    case: Case,
    outcome: Attack,
    *,
    parts: Parts | None = None,
    about: int = 0,
    paid: tuple[bool, bool] = (False, False),
) -> Result:
    """Everything that follows from an attack.

    `parts` are what was added when the dice fell, where that was some time ago. `paid` says of
    both whether the luck put on their roll beforehand is gone already. toaster.4.attack-five-steps,
    toaster.4.apply-damage.
    """
    parts = parts if parts is not None else parts_of(table, case)
    told = audiences(table, case, actor.hidden)
    fight = running(table)
    attacker, target = _after_rolls(case, outcome, paid=paid)
    here = replace(table, entities={**table.entities, attacker.id: attacker, target.id: target})
    asks: list[Ask] = []
    lines = list(_lines(case, outcome, told))
    rules = list(_rules(outcome))
    sentence = _miss(outcome.to_hit)
    if outcome.hit:
        sentence, target, more, cards, cited = _struck(here, case, outcome, target, told)
        lines += more
        asks += cards
        rules += cited
    if outcome.verdict == FUMBLED:
        asks.append(_fumble_ask(case))
    own = (*changed(case.attacker, attacker), *changed(case.target, target))
    fight_changes, fight_asks = _in_the_fight(table, case, outcome, fight, own)
    done = outcome.to_hit
    sides = [attack_side(case, done.attack, told, parts)]
    if done.defense is not None:
        sides.append(defence_side(case, done.defense, told, parts))
    sides += _damage_sides(table, case, outcome, told)
    card = Card(
        f"{case.arm.name} against {case.target.name}",
        sentence,
        done.word,
        _tone(done),
        tuple(sides),
        tuple(lines),
        tuple(dict.fromkeys(rules)),
        case.attacker.id,
        told.card,
        about,
    )
    also = (*acted(case.attacker), *noted(case.attacker, f"skill:{case.skill}"))
    if done.defense is not None:
        also += noted(case.target, f"skill:{case.defence.skill}")
    return Result(card, (*own, *also, *fight_changes), (*asks, *fight_asks))


def _after_rolls(case: Case, outcome: Attack, *, paid: tuple[bool, bool]) -> tuple[Entity, Entity]:
    """Both after their rolls: what was left over is used up, stances are owed or taken back."""
    attacker, target = case.attacker, case.target
    if not paid[0]:
        attacker = unlucky(attacker, luck_spent(case, attacker))
    after = stances.used_up(attacker, stances.ATTACK)
    after = stances.traded(after, stances.ATTACK, stances.amount(case.answers.get("stance")))
    attacker = stances.aim_lost(stances.acted(after))
    if outcome.to_hit.defense is None:
        return attacker, target
    if not paid[1]:
        target = unlucky(target, luck_spent(case, target))
    target = stances.used_up(target, stances.DEFENCE)
    put = stances.amount(case.answers.get("defence_stance"))
    return attacker, stances.traded(target, stances.DEFENCE, put)


def unlucky(entity: Entity, spent: int) -> Entity:
    """Somebody with so many luck points fewer."""
    return become(entity, luck=whole(entity.state.get("luck")) - spent) if spent else entity


def _in_the_fight(
    table: Table,
    case: Case,
    outcome: Attack,
    fight: Fight | None,
    own: tuple[Change, ...],
) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """What an attack does to the fight: actions, the distance of the two, who is out of it."""
    if fight is None:
        return (), ()
    spend(table, fight, case.attacker.id)
    costs = setting(table.options, "defence_uses_action") and outcome.to_hit.defense is not None
    if costs:
        rounds(table, fight).defend(toaster.being(table, case.target))
    if outcome.hit and lengths.matters(table, case.arm):
        pair = lengths.between(case.attacker.id, case.target.id)
        fight["distances"][pair] = {
            "reach": case.arm.weapon.length,
            "weapon": case.arm.weapon.name,
        }
    felled(table, fight, own)
    return step(table, fight)


def _struck(
    table: Table, case: Case, blow: Attack, target: Entity, told: Told
) -> tuple[str, Entity, list[Line], list[Ask], list[str]]:
    """A hit: damage against protection, and what becomes of the target."""
    place = blow.location
    area, part = place_named(case.key_of_place)
    if place is not None:
        area, part = place.area, part_of(place)
    unarmed = case.arm.weapon.unarmed
    done = hurt(table, target, blow.taken, unarmed=unarmed, area=area, part=part)
    words = f"Damage {blow.damage} against protection {blow.protection}"
    half = f", halved to {blow.taken}" if blow.net != blow.taken else ""
    lines = [Line(f"{words}: {blow.net}{half}.", told.both)]
    if place is not None:
        lines.append(Line(f"It lands on: {place}.", told.card))
    rules = ["toaster.4.damage-roll", "toaster.4.protection-roll", *done.rules]
    after = done.after
    if blow.critical is not None:
        left = left_behind(table, after, blow.critical, _in_hand(case))
        after = _with(after, left.changes)
        lines += left.lines
        rules += left.rules
    lines += [*told_blow(target, done), *done.lines]
    return "A hit.", after, lines, list(done.asks), rules


def _with(entity: Entity, changes: tuple[Change, ...]) -> Entity:
    """Somebody with these facts of their state changed."""
    return become(entity, **{one.path[3]: one.now for one in changes if len(one.path) == 4})


def _in_hand(case: Case) -> str:
    """The weapon that the defender loses: the one that parried, else the first that is held."""
    key = case.defence.key
    if key.startswith("parry:"):
        return key.removeprefix("parry:")
    if key == "shield":
        return "shield"
    carried: Any = case.target.sheet.get("weapons") or []
    for place, one in enumerate(carried):
        return str(one.get("id") or f"w{place + 1}")
    return ""


# ---------------------------------------------------------------- words


def _miss(done: ToHit) -> str:
    if done.verdict == FUMBLED:
        return "A fumble: it misses outright."
    if done.defense is None:
        return "A miss: nobody has to defend."
    return "A miss: the defence holds."


def _tone(done: ToHit) -> str:
    if done.band == CRITICAL:
        return "splendid"
    return "good" if done.hit else "bad"


def _lines(case: Case, outcome: Attack, told: Told) -> tuple[Line, ...]:
    lines = [Line(str(case.answers["what"]))] if case.answers.get("what") else []
    attack, other = outcome.to_hit.attack, outcome.to_hit.defense
    if attack.second is not None:
        lines.append(Line(f"A zero, then {attack.second.total}.", told.attack))
    if other is not None and other.second is not None:
        lines.append(Line(f"A zero on the defence, then {other.second.total}.", told.defence))
    if other is not None and not other.spoilt and not outcome.hit and outcome.margin <= -6:
        lines.append(Line("The defence is more than 5 over: critical, if the GM likes.", told.both))
    return tuple(lines)


def _rules(outcome: Attack) -> tuple[str, ...]:
    if outcome.verdict == FUMBLED:
        return ("toaster.4.attack-fumble", "toaster.4.attack-fumble-target")
    if not outcome.hit:
        if outcome.to_hit.defense is not None:
            return ("toaster.4.defence-tie",)
        return ("toaster.4.attack-h2h-gate", "toaster.4.attack-ranged-gate")
    found = ["toaster.4.attack-five-steps"]
    if outcome.band == MARGINAL:
        found += ["toaster.4.defence-marginal", "toaster.4.opt-marginal-default"]
    if outcome.band == CRITICAL:
        found.append("toaster.4.damage-roll-critical")
    return tuple(found)


def _fumble_ask(case: Case) -> Ask:
    return Ask(
        f"fumble-{case.attacker.id}",
        (GM,),
        "fumble",
        f"{case.attacker.name} fumbled the attack",
        "Their next attack or defence may be harder; or something happens, in your words.",
        rules=("toaster.4.attack-fumble-penalty",),
        skippable=True,
        entity=case.attacker.id,
    )
