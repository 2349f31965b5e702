"""An opposed roll has fallen: luck may still turn it, then it is told, and ties go to the GM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kitchentable.rules import (
    GM,
    Actor,
    Ask,
    Card,
    Change,
    Entity,
    Line,
    Question,
    Result,
    Side,
    Table,
)
from kitchentable.rulesets.toaster.actions import facts, outcomes
from kitchentable.rulesets.toaster.actions.facts import Thrown
from kitchentable.rulesets.toaster.actions.falling import band
from kitchentable.rulesets.toaster.actions.luck import AGAIN, points, spend
from kitchentable.rulesets.toaster.actions.opposing import (
    ONLOOKERS,
    PARALLEL,
    RACE,
    Fallen,
    Party,
    fallen,
    is_open,
    judged,
    read_fallen,
    standing_words,
)
from kitchentable.rulesets.toaster.actions.outcomes import varies
from kitchentable.rulesets.toaster.actions.prompts import ask_about
from kitchentable.rulesets.toaster.actions.reckoning import SKILL, split
from kitchentable.rulesets.toaster.actions.ties import by_default, tie_ask
from kitchentable.rulesets.toaster.actions.waiting import Waiting, luck_move, wait_for_luck
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.mechanics.contests import NOBODY, Contest
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, FUMBLE, Outcome, task
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import extended


def settle_or_wait(
    table: Table,
    actor: Actor,
    kind: str,
    parties: Sequence[Party],
    contest: Contest,
    about: dict[str, object],
    closes: tuple[str, ...] = (),
) -> Result:
    """What follows when the dice of a contest have fallen.

    Whoever is behind may spend luck first; once it turns, whoever has been overtaken.
    """
    roll = fallen(kind, parties, contest, about)
    changes: list[Change] = []
    after = table
    for one in parties:
        changes += [*spend(table, one.entity, one.luck), *harm.acted(one.entity)]
        changes += facts.noted(one.entity, one.on)
        after = _without(after, one.entity, one.luck)
    waiting = _queued(after, replace(_waiting(table, roll), about=table.number + 1))
    ask = wait_for_luck(after, CONTEST_LUCK.name, waiting)
    if ask is not None:
        card = _card(table, roll, None)
        return Result(card, tuple(changes), (ask,), closes)
    settled = settle(table, actor, waiting)
    return replace(settled, changes=(*changes, *settled.changes), closes=closes)


def _without(table: Table, entity: Entity, luck: int) -> Table:
    if not luck:
        return table
    left = replace(entity, state={**entity.state, "luck": points(table, entity) - luck})
    return replace(table, entities={**table.entities, entity.id: left})


def _waiting(table: Table, roll: Fallen) -> Waiting:
    called = tuple(one.entity for one in roll.throws if one.called)
    title = " against ".join(one.name for one in roll.throws[:2])
    plain = roll.plain()
    opened = is_open(table, roll)
    return Waiting(
        title,
        roll=plain if opened else {},
        kept={} if opened else plain,
        no_again=called,
        used=roll.used,
    )


def _queued(table: Table, waiting: Waiting) -> Waiting:
    """Those who are behind and may still do something about it, and what they are told.

    Of a zero points make nothing, but four throw it again (toaster.3.luck-after-zero).
    """
    roll = read_fallen(waiting)
    if roll is None:
        return waiting
    contest = judged(table, roll)
    behind = [
        one.entity
        for at, one in enumerate(roll.throws)
        if contest.winner != at
        and one.entity not in waiting.stood
        and points(table, table.entities[one.entity]) >= (AGAIN if one.zero else 1)
        and not (one.zero and one.called)
    ]
    return replace(waiting, queue=tuple(behind), text=_text(table, roll, contest, behind))


def _text(table: Table, roll: Fallen, contest: Contest, behind: Sequence[str]) -> str:
    """What the first of those who are behind is told; nothing of what others keep."""
    if not behind:
        return ""
    mine = next(one for one in roll.throws if one.entity == behind[0])
    words = f"Your total is {mine.shown}{', as far as you know' if mine.kept else ''}."
    if is_open(table, roll):
        theirs = [one for one in roll.throws if one.entity != mine.entity]
        others = lens.listed(f"{table.entities[one.entity].name} has {one.final}" for one in theirs)
        words = f"{words} {others}."
    if setting(table.options, "luck_blind"):
        return words
    return f"{words} As it stands, you have not won."


def settle(table: Table, actor: Actor, waiting: Waiting) -> Result:
    """What a contest came to, once nobody can or will spend more luck on it."""
    roll = read_fallen(waiting)
    if roll is None:
        return Result()
    contest = judged(table, roll)
    card = _card(table, roll, contest)
    if waiting.about and waiting.about != table.number + 1:
        card = replace(card, about=waiting.about)
    if roll.kind == ONLOOKERS:
        return Result(card)
    asks: tuple[Ask, ...] = _meaning(table, roll, contest)
    if contest.winner is None and contest.standing != NOBODY:
        place, how = by_default(table, roll, contest)
        if place is not None:
            name = table.entities[roll.throws[place].entity].name
            lines = (*card.lines, Line(f"{name} wins: {how}."))
            rules = (*card.rules, "toaster.3.tiebreak-choice")
            card = replace(
                card, outcome="wins" if place == 0 else "loses", lines=lines, rules=rules
            )
        elif setting(table.options, "tiebreaker") != "draw":
            asks = (*asks, tie_ask(table, roll, contest, waiting.about or table.number + 1))
    return Result(card, asks=asks)


def _meaning(table: Table, roll: Fallen, contest: Contest) -> tuple[Ask, ...]:
    """One card for the GM: the critical is rewarded or the fumble is played out, not both.

    It is put from the side of the players' characters (toaster.3.critical-once).
    """
    if roll.kind == PARALLEL or len(roll.throws) != 2:
        return ()
    found = [
        (table.entities[one.entity], contest.bands[at], one)
        for at, one in enumerate(roll.throws)
        if contest.bands[at] in {CRITICAL, FUMBLE}
    ]
    if not found:
        return ()
    found.sort(key=lambda each: not each[0].is_players)
    entity, band, throw = found[0]
    kind, key, _ = split(throw.on)
    skill = key if kind == SKILL else ""
    instead = f"{found[1][0].id}:{found[1][1]}" if len(found) > 1 else ""
    return ask_about(table, entity, band, skill, throw.name, instead=instead)


def _card(table: Table, roll: Fallen, contest: Contest | None) -> Card:
    people = [table.entities[one.entity] for one in roll.throws]
    lines = [Line(str(roll.about["what"]))] if roll.about.get("what") else []
    for entity, throw in zip(people, roll.throws, strict=True):
        if throw.zero:
            lines.append(Line(f"A 0 for {entity.name}, which fails.", _ears(entity)))
        audience = "all" if contest is not None and roll.about.get("told_after") else GM
        lines.extend(facts.kept_line(entity, throw, audience))
    words, word, tone = "Waits for luck.", "", "plain"
    if contest is not None:
        words, word, tone, more = _told(roll, contest, people)
        lines.extend(more)
    return Card(
        _title(roll, people),
        words,
        word,
        tone,
        _sides(table, roll, people, contest),
        tuple(lines),
        _rules(table, roll, contest),
        people[0].id,
        lens.card_audience(*people),
    )


def _ears(entity: Entity) -> str:
    return lens.number_audience(entity)


def _title(roll: Fallen, people: Sequence[Entity]) -> str:
    names = list(dict.fromkeys(one.name for one in roll.throws))
    if roll.kind == RACE:
        return f"A race: {lens.listed(names)}"
    if len(people) == 2:
        return f"{roll.throws[0].name} against {people[1].name}"
    return f"{'Side by side' if roll.kind == PARALLEL else 'A contest'}: {lens.listed(names)}"


def _sides(
    table: Table, roll: Fallen, people: Sequence[Entity], contest: Contest | None
) -> tuple[Side, ...]:
    words = contest.bands if contest is not None and varies(table) else ("",) * len(people)
    return tuple(
        facts.side(one, throw, word)
        for one, throw, word in zip(people, roll.throws, words, strict=True)
    )


def _told(
    roll: Fallen, contest: Contest, people: Sequence[Entity]
) -> tuple[str, str, str, list[Line]]:
    """Sentence, word and tone, and what else is said: the order of a race, who noticed."""
    names = [one.name for one in people]
    if roll.kind == ONLOOKERS:
        return _noticed(roll, names)
    words = standing_words(contest, names)
    lines = []
    if roll.kind == RACE:
        lines.append(Line(f"At the end: {', '.join(order_of(roll, names))}."))
    if contest.winner is None:
        return words, "nobody" if contest.standing == NOBODY else contest.standing, "plain", lines
    first = contest.winner == 0
    return words, "wins" if first else "loses", "good" if first else "bad", lines


def order_of(roll: Fallen, names: Sequence[str]) -> list[str]:
    """Who comes in when, best total first; who is equal comes in together.

    toaster.2.skill-run-race, toaster.2.skill-swim-race.
    """
    totals = [(not one.zero, one.final) for one in roll.throws]
    places = sorted(set(totals), reverse=True)
    return [
        f"{place}. {lens.listed(names[at] for at, total in enumerate(totals) if total == worth)}"
        for place, worth in enumerate(places, 1)
    ]


def _noticed(roll: Fallen, names: Sequence[str]) -> tuple[str, str, str, list[Line]]:
    """One throw against each onlooker's: who notices, and who is not sure.

    toaster.2.skill-sleight-opposed.
    """
    mine = roll.throws[0]
    others = list(zip(names[1:], roll.throws[1:], strict=True))
    noticed = [
        name for name, one in others if not one.zero and (mine.zero or one.final > mine.final)
    ]
    unsure = [
        name for name, one in others if not one.zero and not mine.zero and one.final == mine.final
    ]
    lines = [Line(f"It is even for {lens.listed(unsure)}; the GM says.")] if unsure else []
    if not noticed:
        return "Nobody notices.", "unnoticed", "good", lines
    verb = "notices" if len(noticed) == 1 else "notice"
    return f"{lens.listed(noticed)} {verb}.", "noticed", "bad", lines


def _rules(table: Table, roll: Fallen, contest: Contest | None) -> tuple[str, ...]:
    rules = ["toaster.3.opposed-rolls"]
    if roll.kind == ONLOOKERS:
        return (*rules, "toaster.2.skill-sleight-opposed")
    rules.append(
        {PARALLEL: "toaster.3.parallel-contest", RACE: "toaster.2.skill-run-race"}.get(
            roll.kind, "toaster.3.opposed-highest"
        )
    )
    if contest is None:
        return tuple(rules)
    if any(contest.zeros):
        rules.append("toaster.3.zeros-opposed")
    if varies(table) and len(roll.throws) == 2:
        rules.append("toaster.3.vo-opposed-mirror")
    if contest.standing == "draw":
        rules.append("toaster.3.marginal-opposed")
    if contest.standing == "tie":
        rules.append("toaster.3.opposed-tie")
    return tuple(rules)


# ---------------------------------------------------------------- luck


def _again(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
    """One side's die again, against what it has to beat (toaster.3.luck-reroll)."""
    roll = read_fallen(waiting)
    mine = _throw_of(roll, entity) if roll is not None else None
    if roll is None or mine is None:
        return None
    ext = extended(table.options)
    target = 10 if roll.kind == PARALLEL else _to_beat(roll, entity)
    closed = (mine.label,) if lens.is_closed(entity) or entity.hidden else ()
    return Question(
        task,
        (mine.modifier, ext, False, False, target, mine.label),
        outcomes.plain_bands(ext),
        band,
        closed,
    )


def _to_beat(roll: Fallen, entity: Entity) -> int:
    others = [one.final for one in roll.throws if one.entity != entity.id and not one.zero]
    return max(others) + 1 if others else -100


def _throw_of(roll: Fallen, entity: Entity) -> Thrown | None:
    return next((one for one in roll.throws if one.entity == entity.id), None)


def _thrown_again(table: Table, waiting: Waiting, entity: Entity, outcome: Outcome) -> Waiting:
    roll = read_fallen(waiting)
    if roll is None:
        return waiting
    throws = tuple(
        replace(
            one,
            total=outcome.total,
            zero=outcome.zero,
            fumble=outcome.zero and outcome.fumble,
            second=outcome.second,
            added=0,
        )
        if one.entity == entity.id
        else replace(one, added=0)
        for one in roll.throws
    )
    plain = replace(roll, throws=throws).plain()
    return replace(
        waiting,
        roll={} if waiting.kept else plain,
        kept=plain if waiting.kept else {},
        about=table.number + 1,
    )


CONTEST_LUCK = luck_move(
    "contest_luck", "Luck in a contest", settle, _again, _thrown_again, _queued
)
