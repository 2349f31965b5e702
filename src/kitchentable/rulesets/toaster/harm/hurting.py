"""What a blow does: stun, wounds by thresholds, who passes out, who is dying, who is out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kitchentable.rules import (
    GM,
    Ask,
    Change,
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import Facts, Words
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.places import where_ask
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    DEAD,
    MORTAL,
    MORTAL_WOUNDS,
    OUT,
    UNCONSCIOUS,
    area_key,
    become,
    changed,
    condition,
    degree,
    degree_word,
    passes_out,
    record,
    stun,
    wounds,
)
from kitchentable.rulesets.toaster.mechanics.damage import wounds_of
from kitchentable.rulesets.toaster.options import Options

#: What makes wounds that do not bleed: loss of blood itself, and a fever in an older wound.
DRY = frozenset({"bleeding", "fever"})


@dataclass(frozen=True, slots=True)
class Blow:
    """What a blow did: a sentence, the victim before and after, cards, the rules.

    `seen` is what anybody sees of it who may not know the victim's numbers, "" for nothing.
    """

    sentence: str
    before: Entity
    after: Entity
    seen: str = ""
    asks: tuple[Ask, ...] = ()
    rules: Words = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """The facts that are others by the blow."""
        return changed(self.before, self.after)

    @property
    def fells(self) -> bool:
        """Whether the victim went down by this blow."""
        return condition(self.before) == AWAKE != condition(self.after)


def hurt(table: Table, entity: Entity, damage: int, *, unarmed: bool = False, **where: str) -> Blow:
    """One attack's damage: so much stun, and a wound for each threshold of it.

    `damage` is what got past the protection; 0 or less does nothing. `area` and `part` say where
    it struck, in the words of the location table; `cause` is "attack" if unsaid.
    toaster.4.stun-accumulate, toaster.4.wounds-per-attack, toaster.4.wounds-unarmed,
    toaster.4.wound-threshold-size.
    """
    rules = ["toaster.4.stun-accumulate"]
    if damage <= 0:
        return Blow("No damage.", entity, entity, rules=tuple(rules))
    fresh = wounds_of(damage, lens.thresholds(table, entity)[1], unarmed=unarmed)
    blow = inflict(table, entity, stun=damage, wounds=fresh, **where)
    rules += ["toaster.4.wounds-per-attack", *["toaster.4.wounds-unarmed"] * unarmed]
    return replace(blow, rules=(*rules, *blow.rules))


def inflict(
    table: Table,
    entity: Entity,
    *,
    stun: int = 0,
    wounds: int = 0,
    area: str = "",
    part: str = "",
    cause: str = "attack",
) -> Blow:
    """So much stun and so many wounds, however they came about, and what follows from them."""
    if condition(entity) == DEAD:
        return Blow(f"{entity.name} is dead already.", entity, entity)
    after = _added(entity, stun, wounds, area, part, cause)
    words = _taken(stun, wounds, area, part)
    after, rules = _felled(table, entity, after, wounds)
    down = _down(entity, after)
    words = f"{words} {down or _worse(table, entity, after)}".strip()
    asks = _asks(entity, after, wounds)
    if wounds > 0 and cause == "attack":  # a ruling names its own place
        asks = (*asks, *where_ask(table, after, area, part))
    seen = down or (f"{entity.name} is wounded." if wounds > 0 else "")
    return Blow(words, entity, after, seen, asks, rules)


def _added(entity: Entity, points: int, fresh: int, area: str, part: str, cause: str) -> Entity:
    facts: Facts = {"stun": stun(entity) + max(0, points)}
    if fresh > 0:
        rows = list(entity.state.get("wounds") or [])
        facts["wounds"] = [
            *rows,
            {"n": fresh, "area": area_key(area), "part": part, "cause": cause},
        ]
        facts.update(_undone_by_wounds(entity, cause))
    return become(entity, **facts)


def _undone_by_wounds(entity: Entity, cause: str) -> Facts:
    """What a new wound ends: a week's rest, long-term care, and the hold on an older bleeding.

    toaster.4.heal-long-term, toaster.4.bleed-stop-retry. Wounds out of lost blood are no blows.
    """
    facts: Facts = {"rested": 0}
    if record(entity, "care").get("kind") == "long-term":
        facts["care"] = None
    bleeding = record(entity, "bleeding")
    if cause not in DRY and bleeding:
        loss = open_wounds(entity) + whole(bleeding.get("extra"))
        facts["bleeding"] = {
            **bleeding,
            "stopped": min(loss, whole(bleeding.get("stopped"))),
            "tried": [],
        }
    return facts


def open_wounds(entity: Entity) -> int:
    """The wounds that bleed: all but those that loss of blood has added.

    toaster.4.bleed-rate-stays.
    """
    rows = entity.state.get("wounds") or []
    return sum(whole(row.get("n")) for row in rows if row.get("cause") not in DRY)


def _felled(table: Table, before: Entity, after: Entity, fresh: int) -> tuple[Entity, Words]:
    """The condition that the blow leaves somebody in, and the rules that say so."""
    rules: list[str] = []
    if passes_out(table, after) and not after.state.get("senseless"):
        rules.append("toaster.4.stun-table")
        after = become(after, senseless=True)
        if condition(after) == AWAKE:
            after = become(after, condition=UNCONSCIOUS)
    unnamed = Options(table.options).unnamed_characters and not lens.is_named(after)
    if fresh > 0 and unnamed and condition(before) not in {OUT, MORTAL}:
        return become(after, condition=OUT), (*rules, "toaster.4.unnamed-out")
    if fresh > 0 and wounds(after) >= MORTAL_WOUNDS and condition(after) != OUT:
        rules.append("toaster.4.mortal-state")
        after = become(after, condition=MORTAL, mortality=_running(before))
    return after, tuple(rules)


def _running(before: Entity) -> Json:
    """A countdown to death goes on beneath a new check; a hold on life does not.

    toaster.4.mortality-new-wound.
    """
    running = record(before, "mortality")
    return {**running, "stable": False} if running.get("fate") == "dies" else None


def _asks(before: Entity, after: Entity, fresh: int) -> tuple[Ask, ...]:
    if fresh > 0 and condition(after) == MORTAL:
        return (mortality_ask(after),)
    if condition(after) == OUT and condition(before) != OUT:
        return (unnamed_ask(after),)
    return ()


def mortality_ask(
    entity: Entity, *, bonus: int = 0, helped: bool = False, healed: bool = False
) -> Ask:
    """The check of somebody on death's door; a newer one takes an older one's place.

    `helped` is a second chance by a medic, whose own roll succeeded if `healed`; where a countdown
    runs it may be declined. toaster.4.mortal-state, toaster.4.mortality-medical.
    """
    why = "A medic's help: once more." if helped else "Five wounds or more: now, at once."
    return Ask(
        f"mortality-{entity.id}",
        (f"owner:{entity.id}",),
        "mortality",
        f"Mortality check for {entity.name}",
        why,
        preset={"bonus": bonus, "helped": helped, "healed": healed},
        rules=("toaster.4.mortal-state", "toaster.4.mortality-roll"),
        skippable=helped and bool(whole(record(entity, "mortality").get("rounds"))),
        entity=entity.id,
    )


def unnamed_ask(entity: Entity) -> Ask:
    """What becomes of an unnamed one who went down; waved away, they are merely out of it."""
    return Ask(
        f"unnamed-{entity.id}",
        (GM,),
        "unnamed",
        f"{entity.name} is out of the fight. How badly?",
        "It depends on the weapon, on what the attacker wanted, and on you.",
        rules=("toaster.4.unnamed-mortal",),
        skippable=True,
        entity=entity.id,
    )


def _taken(points: int, fresh: int, area: str, part: str) -> str:
    where = f" ({', '.join(word for word in (area, part) if word)})" if part or area else ""
    hit = f"{points} stun" if points > 0 else ""
    cut = f"{fresh} wound{'s' if fresh > 1 else ''}{where}" if fresh > 0 else ""
    both = " and ".join(word for word in (hit, cut) if word)
    return f"{both}." if both else ""


def _down(before: Entity, after: Entity) -> str:
    name, was, is_ = after.name, condition(before), condition(after)
    if is_ == MORTAL and wounds(after) > wounds(before):
        return f"{name} is mortally wounded."
    if is_ == OUT and was != OUT:
        return f"{name} is out of the fight."
    if is_ == UNCONSCIOUS and was != UNCONSCIOUS:
        return f"{name} is unconscious."
    return ""


def _worse(table: Table, before: Entity, after: Entity) -> str:
    worse = degree(table, before) < degree(table, after) and not passes_out(table, after)
    return f"{after.name} is {degree_word(table, after)}." if worse else ""
