"""Time passes: wounds bleed, countdowns run, and what was for one round is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import (
    EVERYONE,
    GM,
    Ask,
    Change,
    Entity,
    Json,
    Line,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.harm.hurting import Blow, inflict, mortality_ask, open_wounds
from kitchentable.rulesets.toaster.harm.state import (
    DEAD,
    MORTAL,
    OUT,
    become,
    changed,
    condition,
    record,
)
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import Here, write_all

#: Stun lost to bleeding that makes another wound (toaster.4.bleed-extra-wound).
POINTS_FOR_A_WOUND = 10

STOP, REDUCE = "stop", "reduce"


def full_rate(entity: Entity) -> int:
    """What the wounds would cost each round if nobody had stopped any of it.

    Each wound but those from bleeding itself, and what the GM added for movement
    (toaster.4.bleed-rate, toaster.4.bleed-rate-stays).
    """
    return open_wounds(entity) + whole(record(entity, "bleeding").get("extra"))


def bleeds(table: Table, entity: Entity) -> int:
    """The stun points that somebody loses at the end of each round; 0 where bleeding is not played.

    The unnamed who are out of a fight, and the dead, are not counted on.
    """
    if not Options(table.options).bleeding or condition(entity) in {DEAD, OUT}:
        return 0
    rate = full_rate(entity)
    return max(0, rate - min(rate, whole(record(entity, "bleeding").get("stopped"))))


def loss(table: Table, entity: Entity) -> Blow:
    """One round's loss: stun, and a wound for every ten points lost, counted on from before.

    toaster.4.bleed-extra-wound, toaster.4.bleed-counting, toaster.4.bleed-death.
    """
    rate = bleeds(table, entity)
    before = whole(record(entity, "bleeding").get("lost"))
    more = (before + rate) // POINTS_FOR_A_WOUND - before // POINTS_FOR_A_WOUND
    counted = become(entity, bleeding={**record(entity, "bleeding"), "lost": before + rate})
    blow = inflict(table, counted, stun=rate, wounds=more, cause="bleeding")
    return replace(
        blow,
        sentence=f"{entity.name} bleeds: {blow.sentence}",
        before=entity,
        seen=blow.seen if blow.fells or more else f"{entity.name} bleeds.",
        rules=("toaster.4.bleed-rate", "toaster.4.bleed-counting", *blow.rules),
    )


def stops(table: Table, entity: Entity, healer: str, total: int, *, succeeds: bool) -> Entity:
    """Somebody after a medic's roll against their bleeding, whichever way the table plays it.

    All or nothing with "stop"; with "reduce" what the total has over 10, and the best roll counts
    (toaster.4.bleed-stop, toaster.4.bleed-reduce, toaster.4.bleed-reduce-repeat).
    """
    facts = record(entity, "bleeding")
    tried = [str(one) for one in facts.get("tried") or []]
    stopped = whole(facts.get("stopped"))
    if Options(table.options).bleeding_aid == STOP:
        tried = tried if succeeds or healer in tried else [*tried, healer]
        stopped = full_rate(entity) if succeeds else stopped
    else:
        stopped = max(stopped, min(full_rate(entity), total - 10)) if succeeds else stopped
    return become(entity, bleeding={**facts, "stopped": stopped, "tried": tried})


def has_tried(entity: Entity, healer: str) -> bool:
    """Whether this healer has failed at it already (toaster.4.bleed-stop-retry)."""
    tried: Json = record(entity, "bleeding").get("tried") or []
    return healer in tried


def bleeding_words(table: Table, entity: Entity) -> str:
    """How it stands, in words: "bleeds 2 points a round"; "" for not at all."""
    rate = bleeds(table, entity)
    return f"bleeds {plural(rate, 'point')} a round" if rate else ""


# ---------------------------------------------------------------- rounds that pass


@dataclass(frozen=True, slots=True)
class Passed:
    """The table before and after some rounds, lines for the card, and questions."""

    before: Table
    after: Table
    rounds: int = 1
    lines: tuple[Line, ...] = ()
    asks: tuple[Ask, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """The facts that are others by then."""
        was = self.before.entities
        people = self.after.entities.items()
        return tuple(one for who, after in people for one in changed(was[who], after))


def end_of_round(table: Table) -> Passed:
    """The end of a round for everybody in play, in a fight or not.

    Who is dying comes a round nearer to death or to the next check; whose wounds are open loses
    blood. toaster.4.mortality-fail, toaster.4.mortality-success, toaster.4.bleed-counting.
    """
    asks: dict[str, Ask] = {}
    lines: list[Line] = []
    people = dict(table.entities)
    for entity in lens.present(table):
        after, said, asked = _one(table, entity)
        lines.extend(said)
        asks.update((ask.id, ask) for ask in asked)
        people[entity.id] = _over(table, after)
    return Passed(table, replace(table, entities=people), 1, tuple(lines), tuple(asks.values()))


def write_passed(at: Here, passed: Passed) -> None:
    """Writes what rounds that passed have brought the dying and the bleeding."""
    write_all(at, passed.changes)
    at.lines += passed.lines
    at.asks += passed.asks


def pass_rounds(table: Table, rounds: int) -> Passed:
    """So many rounds outside a fight; time stops in the round in which somebody has to check.

    Where nobody is dying and nobody bleeds the rounds pass at once.
    """
    later, lines, passed = Passed(table, table), list[Line](), 0
    while passed < rounds and not later.asks and _running(later.after):
        later, passed = end_of_round(later.after), passed + 1
        lines += later.lines
    if not later.asks:
        passed = rounds
    return Passed(table, later.after, passed, _folded(lines), later.asks)


def pass_minutes(table: Table, minutes: int) -> tuple[Passed, int]:
    """The rounds of so many minutes, and the full minutes that passed before time stopped.

    How long a round is, is the table's to say: at 4 seconds ten minutes are 150 rounds
    (toaster.4.round).
    """
    seconds = Options(table.options).round_seconds
    passed = pass_rounds(table, -(-minutes * 60 // seconds))
    return passed, minutes if not passed.asks else passed.rounds * seconds // 60


def _running(table: Table) -> bool:
    """Whether a countdown runs or a wound bleeds, so that each round counts."""
    return any(_counts_down(one) or bleeds(table, one) for one in lens.present(table))


def _folded(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines that say the same are said once, with their number."""
    return tuple(
        line if count == 1 else replace(line, text=f"{line.text} ({count} times)")
        for line, count in Counter(lines).items()
    )


def _one(table: Table, entity: Entity) -> tuple[Entity, list[Line], list[Ask]]:
    audience = lens.card_audience(entity)
    after, word, ask = _countdown(entity)
    said = [Line(word, audience)] if word else []
    asks = [ask] if ask is not None else []
    if condition(after) != DEAD and bleeds(table, after):
        blow = loss(table, after)
        after = blow.after
        said.extend(told(entity, blow))
        asks.extend(blow.asks)
    return after, said, asks


def told(entity: Entity, blow: Blow) -> tuple[Line, ...]:
    """A blow in lines: its numbers for those who may know them, what is seen of it for the rest."""
    audience = lens.card_audience(entity)
    if lens.number_audience(entity) == EVERYONE:
        return (Line(blow.sentence, audience),)
    if not blow.seen:
        return (Line(blow.sentence, GM),)
    numbers = blow.sentence.replace(blow.seen, "").strip()
    return (Line(blow.seen, audience), *((Line(numbers, GM),) if numbers else ()))


def _countdown(entity: Entity) -> tuple[Entity, str, Ask | None]:
    """One round less to live, or to hold on; a stable one has none to count."""
    if not _counts_down(entity):
        return entity, "", None
    running = record(entity, "mortality")
    left = whole(running.get("rounds"))
    after = become(entity, mortality={**running, "rounds": left - 1})
    if left > 1:
        return after, "", None
    if running.get("fate") == "dies":
        dead = become(after, condition=DEAD, mortality=None)
        return dead, f"{entity.name} dies.", None
    return after, f"{entity.name} has held on so long: a new check.", mortality_ask(after)


def _counts_down(entity: Entity) -> bool:
    """Whether somebody has rounds left until they die or have to check again."""
    running = record(entity, "mortality")
    return condition(entity) == MORTAL and bool(running.get("rounds")) and not running.get("stable")


def _over(table: Table, entity: Entity) -> Entity:
    """Somebody without the effects that end with this round of the fight."""
    if not table.fight:
        return entity
    this = whole(table.fight.get("round"))
    return _without(entity, lambda until: 0 < until <= this)


def _without(entity: Entity, ends: Callable[[int], bool]) -> Entity:
    rows: list[Any] = list(entity.state.get("effects") or [])
    kept = [row for row in rows if not ends(whole(row.get("until")))]
    return entity if len(kept) == len(rows) else become(entity, effects=kept)


def after_fight(table: Table) -> tuple[Change, ...]:
    """What the end of a fight takes off everybody: effects that were counted in its rounds."""
    found: list[Change] = []
    for entity in table.in_play():
        found.extend(changed(entity, _without(entity, lambda until: until > 0)))
    return tuple(found)


def fallen(changes: Iterable[Change]) -> dict[str, str]:
    """Who is in another condition by these changes, and in which."""
    return {
        change.path[1]: str(change.now)
        for change in changes
        if change.path[0] == "entities" and change.path[2:] == ("state", "condition")
    }
