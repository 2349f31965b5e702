"""Ties and draws: no clear victor, unless the table breaks them; each way decides or cannot.

toaster.3.opposed-tie, toaster.3.tiebreak-choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Table,
    fresh,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts
from kitchentable.rulesets.toaster.actions.fields import on_choices, on_name
from kitchentable.rulesets.toaster.actions.luck import has_luck, points
from kitchentable.rulesets.toaster.actions.opposing import (
    Fallen,
    Party,
    fallen,
    read_fallen,
    standing_words,
)
from kitchentable.rulesets.toaster.actions.outcomes import varies
from kitchentable.rulesets.toaster.actions.reckoning import Names, Reckoning, own_parts
from kitchentable.rulesets.toaster.actions.waiting import Waiting
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.mechanics.contests import Contest, do_over
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import extended


def _winner(contest: Contest) -> str:
    return str(contest.winner)


HIGHEST, RANK, LUCK, DO_OVER, OTHER = "highest-roll", "skill-rank", "luck", "do-over", "other"
NOBODY_WINS = "nobody"

_WORDS = {
    HIGHEST: "the higher total",
    RANK: "the higher rank",
    LUCK: "more luck",
    DO_OVER: "a do-over",
}
_RULES = {
    HIGHEST: "toaster.3.tiebreak-highest",
    RANK: "toaster.3.tiebreak-rank",
    LUCK: "toaster.3.tiebreak-luck",
    DO_OVER: "toaster.3.tiebreak-doover",
}


def broken(
    table: Table, method: str, roll: Fallen, ahead: Sequence[int], totals: Sequence[int]
) -> int | None:
    """Who wins by this way of breaking ties, by place; None where it does not tell them apart.

    By the higher total where they differ by 1; by the rank alone, no modifiers; by the luck spent
    on this attempt, and failing that by the luck that is left, which is Aura where the table has
    no points. toaster.3.tiebreak-highest, toaster.3.tiebreak-rank, toaster.3.tiebreak-luck.
    """
    worth: Mapping[int, tuple[int, ...]] = {}
    if method == HIGHEST:
        worth = {at: (totals[at],) for at in ahead}
    elif method == RANK:
        worth = {at: (roll.throws[at].rank,) for at in ahead}
    elif method == LUCK:
        worth = {at: _luck(table, roll, at) for at in ahead}
    if not worth:
        return None
    best = max(worth.values())
    first = [at for at, value in worth.items() if value == best]
    return first[0] if len(first) == 1 else None


def _luck(table: Table, roll: Fallen, at: int) -> tuple[int, int]:
    entity = table.entities[roll.throws[at].entity]
    left = points(table, entity) if has_luck(table) else lens.attribute_for(table, entity, "luck")
    return roll.used.get(entity.id, 0), left


def by_default(table: Table, roll: Fallen, contest: Contest) -> tuple[int | None, str]:
    """Who wins by the table's own way, and how; nobody where the GM is to be asked."""
    method = str(setting(table.options, "tiebreaker"))
    place = broken(table, method, roll, contest.ahead, contest.totals)
    return place, f"by {_WORDS.get(method, method)}"


def tie_ask(table: Table, roll: Fallen, contest: Contest, about: int) -> Ask:
    """The GM's card for a contest without a victor; all of it is the GM's alone to see."""
    names = [table.entities[roll.throws[at].entity].name for at in contest.ahead]
    waiting = {"title": "", "roll": {}, "kept": roll.plain(), "used": dict(roll.used)}
    return Ask(
        fresh(table, "tie"),
        (GM,),
        "tie",
        f"{'A draw' if contest.standing == 'draw' else 'A tie'}: {lens.listed(names)}",
        "There is no clear victor, unless you want one.",
        preset={
            "tied": list(contest.ahead),
            "totals": list(contest.totals),
            "about": about,
            "waiting": waiting,
        },
        rules=("toaster.3.opposed-tie", "toaster.3.tiebreak-choice"),
        entity=roll.throws[contest.ahead[0]].entity,
    )


# ---------------------------------------------------------------- the GM's answer


def _told(table: Table, actor: Actor, answers: Answers) -> tuple[dict[str, Any], Fallen | None]:
    ask = table.asks.get(actor.ask)
    told = {**(ask.preset if ask is not None else {}), **answers}
    plain = told.get("waiting")
    if not isinstance(plain, Mapping):
        return told, None
    waiting = Waiting("", kept=plain["kept"], used=plain.get("used") or {})
    return told, read_fallen(waiting)


def _people(table: Table, told: Mapping[str, Any], roll: Fallen) -> list[tuple[int, Entity]]:
    return [
        (at, table.entities[roll.throws[at].entity])
        for at in told["tied"]
        if roll.throws[at].entity in table.entities
    ]


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    told, roll = _told(table, actor, answers)
    if roll is None:
        return ()
    people = _people(table, told, roll)
    ways = [
        Choice(way, words)
        for way, words in (
            (HIGHEST, "The higher total wins"),
            (RANK, "The higher rank wins"),
            (LUCK, "More luck wins: spent on it, or else left"),
        )
        if broken(table, way, roll, told["tied"], told["totals"]) is not None
    ]
    own = str(setting(table.options, "tiebreaker_own"))
    way = Field(
        "way",
        "What does it come to?",
        "choice",
        (
            Choice(NOBODY_WINS, "Nobody wins"),
            *ways,
            Choice(DO_OVER, "Once more, until somebody is ahead"),
            *(Choice(f"{OTHER}:{at}", f"{one.name} wins", own) for at, one in people),
        ),
        default=NOBODY_WINS,
        help=own,
        rule="toaster.3.tiebreak-choice",
    )
    note = Field("note", "What happens", "story", required=False, default="")
    if told.get("way") != DO_OVER:
        return (way, note)
    again = [one for at, entity in people for one in _again_fields(table, roll, at, entity)]
    return (way, *again, note)


def _again_fields(table: Table, roll: Fallen, at: int, entity: Entity) -> tuple[Field, ...]:
    """A do-over may be on another skill, with a bonus or a penalty (toaster.3.tiebreak-doover)."""
    throw = roll.throws[at]
    rule = "toaster.3.tiebreak-doover"
    return (
        Field(
            f"on.{at}",
            f"{entity.name} on",
            "choice",
            on_choices(table, entity),
            default=throw.on,
            rule=rule,
        ),
        Field(
            f"more.{at}",
            f"Modifier for {entity.name}",
            "number",
            default=sum(part.value for part in _situation(table, entity, throw)),
            low=-30,
            high=30,
            rule=rule,
        ),
    )


def _situation(table: Table, entity: Entity, throw: facts.Thrown) -> tuple[Part, ...]:
    """What lay on the first throw beside rank, harm and luck."""
    own = own_parts(table, entity, {"on": throw.on})
    names = {part.name for part in own}
    return tuple(
        part
        for part in (*throw.open[1:], *throw.kept)
        if part.name not in names and not part.name.startswith("luck")
    )


def _parties(table: Table, told: Mapping[str, Any], roll: Fallen) -> tuple[Party, ...]:
    found = []
    for at, entity in _people(table, told, roll):
        throw = roll.throws[at]
        answers = {"on": told.get(f"on.{at}", throw.on)}
        more = told.get(f"more.{at}")
        if more is None:
            more = sum(part.value for part in _situation(table, entity, throw))
        own = own_parts(table, entity, answers, Names())
        kept = (Part("as before", whole(more)),) if whole(more) else ()
        hidden = bool(throw.kept)
        reckoning = Reckoning(own if hidden else (*own, *kept), kept if hidden else ())
        label = throw.label
        found.append(Party(entity, on_name(table, answers), str(answers["on"]), label, reckoning))
    return tuple(found)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    told, roll = _told(table, actor, answers)
    if told.get("way") != DO_OVER or roll is None:
        return None
    parties = _parties(table, told, roll)
    return Question(
        do_over,
        (tuple(one.side for one in parties), extended(table.options), varies(table)),
        tuple(
            Band(str(at), f"{one.entity.name} wins", "good" if at == 0 else "bad", good=at == 0)
            for at, one in enumerate(parties)
        ),
        _winner,
        tuple(one.label for one in parties if lens.is_closed(one.entity) or one.entity.hidden),
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    told, roll = _told(table, actor, answers)
    if roll is None or not str(told.get("way") or "").startswith(OTHER):
        return ()
    place = str(told["way"]).partition(":")[2]
    if place.isdecimal() and int(place) in told["tied"]:
        return ()
    return (Problem("way", "toaster.3.tiebreak-choice", "Say who wins."),)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Contest | None) -> Result:
    told, roll = _told(table, actor, answers)
    if roll is None:
        return Result(closes=(actor.ask,))
    people = [table.entities[one.entity] for one in roll.throws]
    way = str(told.get("way") or NOBODY_WINS)
    note = (Line(str(told["note"])),) if told.get("note") else ()
    if outcome is not None:
        return _done_over(table, actor, told, roll, outcome, note)
    place = (
        int(way.partition(":")[2])
        if way.startswith(OTHER)
        else broken(table, way, roll, told["tied"], told["totals"])
    )
    if place is None:
        words, word = "Nobody wins.", "draw"
    else:
        how = f"by {_WORDS[way]}" if way in _WORDS else "by the GM's word"
        words, word = f"{people[place].name} wins, {how}.", "wins" if place == 0 else "loses"
    card = Card(
        f"The tie of {lens.listed(one.name for _, one in _people(table, told, roll))}",
        words,
        word,
        lines=note,
        rules=("toaster.3.tiebreak-choice", *((_RULES[way],) if way in _RULES else ())),
        entity=people[0].id,
        audience=lens.card_audience(*people),
        about=whole(told.get("about")),
    )
    return Result(card, closes=(actor.ask,))


def _done_over(
    table: Table,
    actor: Actor,
    told: Mapping[str, Any],
    roll: Fallen,
    outcome: Contest,
    note: tuple[Line, ...],
) -> Result:
    """The throws that decided it; those that tied before are in the dice of the event."""
    parties = _parties(table, told, roll)
    last = fallen(roll.kind, parties, outcome, {})
    people = [one.entity for one in parties]
    card = Card(
        f"Once more: {lens.listed(one.name for one in people)}",
        standing_words(outcome, [one.name for one in people]),
        "wins" if outcome.winner == 0 else "loses",
        "good" if outcome.winner == 0 else "bad",
        tuple(facts.side(one, throw) for one, throw in zip(people, last.throws, strict=True)),
        note,
        ("toaster.3.tiebreak-doover",),
        people[0].id,
        lens.card_audience(*people),
        whole(told.get("about")),
    )
    return Result(card, closes=(actor.ask,))


TIE = Move(
    "tie",
    "Settle a tie",
    "Nobody wins, somebody by a tie-breaker, or once more until somebody does.",
    ("toaster.3.opposed-tie", "toaster.3.tiebreak-choice", "toaster.3.tiebreak-doover"),
    _consequences,
    by=(),
    fields=_fields,
    check=_check,
    question=_question,
)
