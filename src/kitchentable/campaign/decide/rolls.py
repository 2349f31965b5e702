"""Making a move: one event records its throw and its consequences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kitchentable.campaign.audiences import among, is_gm, narrower, sees
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.decide.consequences import changes_of, plain_card
from kitchentable.campaign.decide.context import Context, named
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event, Thrown
from kitchentable.campaign.questions import check_problems
from kitchentable.campaign.settings import shows_odds
from kitchentable.campaign.state import fields_of, with_changes
from kitchentable.campaign.throws import Solved, fall, thrown
from kitchentable.dice.errors import NotSolved
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Change, Move, Question
from kitchentable.rules.table import Actor, Seat, Table
from kitchentable.rules.values import EVERYONE, GM, Answers, Field, Json


@dataclass(frozen=True, slots=True)
class Play:
    """A move ready to be made: its actor, answers and audience.

    `before` has earlier changes of the same step, such as removing the proposal. `also` has further
    data for the event.
    """

    move: Move
    actor: Actor
    answers: dict[str, Json]
    audience: str = EVERYONE
    before: tuple[Change, ...] = ()
    also: dict[str, Any] = field(default_factory=dict)


def find_move(game: Game, name: str) -> Move:
    """Find a move by name. Errors: CannotBe."""
    if not game.has_move(name):
        raise CannotBe(f"{game.title} has no move called {name!r}.", code="move/unknown")
    return game.move(name)


def check_when(table: Table, move: Move, actor: Actor) -> None:
    """Refuse a move that cannot be made now. Errors: RuleRefuses."""
    why_not = move.when(table, actor)
    if why_not is not None:
        raise RuleRefuses(why_not, *move.rules)


def check_answers(
    table: Table, move: Move, actor: Actor, answers: Answers, *, only_final: bool = False
) -> None:
    """Refuse answers that the move's own check refuses. Errors: BadAnswers.

    With `only_final`, other people have yet to answer, and problems that their answers can solve
    are ignored.
    """
    problems = move.check(table, actor, answers)
    check_problems(one for one in problems if one.final or not only_final)


def play(context: Context, kind: str, made: Play) -> Event:
    """Check the move, throw its dice, and record the consequences.

    Errors: RuleRefuses and BadAnswers by the rules; DiceNeeded if the move throws dice and has
    none.
    """
    move, actor, answers = made.move, made.actor, made.answers
    at = context
    if made.before:
        at = replace(context, campaign=with_changes(context.campaign, made.before))
    table = at.table
    about_hidden = _about_hidden(table, made, _questions(table, move, actor, answers))
    check_when(table, move, actor)
    check_answers(table, move, actor, answers)
    question = move.question(table, actor, answers)
    outcome: Any = None
    dice: Thrown | None = None
    data: dict[str, Any] = {}
    if question is not None:
        outcome, dice, data = _throw(at, made, question, GM if about_hidden else made.audience)
    result = move.consequences(table, actor, answers, outcome)
    audience = made.audience
    if result.card is not None:
        audience = narrower(audience, result.card.audience, context.me.id)
    elif dice is None:
        audience = narrower(audience, context.private, context.me.id)
    if about_hidden:
        audience = GM
    data |= {
        "move": move.name,
        "title": move.title,
        **named(table.entities.get(actor.entity)),
        "answers": answers,
        "hidden": sorted(actor.hidden),
        "ask": actor.ask,
        "actor": [actor.seat, actor.role],
        "card": plain_card(result.card) if result.card is not None else None,
        "told": answers_in_words(at, move, actor, answers),
        **made.also,
    }
    changes = [*made.before, *changes_of(result)]
    if dice is None and _was_kept_back(context, made) and not about_hidden:
        _check_unseen(context, audience, changes)
    if actor.ask and not any(change.path == ("asks", actor.ask) for change in changes):
        changes.append(Change(("asks", actor.ask), gone=True))
    return context.event(kind, changes, data=data, audience=audience, throw=dice)


def _was_kept_back(context: Context, made: Play) -> bool:
    """Whether a person, rather than a card, limited the move's audience."""
    chosen = getattr(context.command, "audience", EVERYONE) != EVERYONE
    return chosen or (not made.actor.ask and made.audience != EVERYONE)


def _check_unseen(context: Context, audience: str, changes: Iterable[Change]) -> None:
    """Refuse changes that would be visible to people who may not know of the move.

    Only for moves without dice: thrown dice keep their consequences.
    """
    after = with_changes(context.campaign, changes)
    for seat in context.table.seats.values():
        if not seat.is_seated or sees(audience, seat):
            continue
        before = conceal(context.campaign, context.game, seat)
        if before != conceal(after, context.game, seat):
            raise CannotBe(
                "The table would show this change, so it cannot be hidden from the players. "
                "Make the move openly, or first hide the character that it is about.",
                code="move/would-show",
            )


def _questions(table: Table, move: Move, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """Return the move's questions if everybody in it is still there. Errors: CannotBe.

    The step that added an entity can be undone while a roll or card about that entity is open.
    """
    gone = CannotBe(
        "Somebody in this roll has left the table. Withdraw the roll.", code="entity/unknown"
    )
    if actor.entity and actor.entity not in table.entities:
        raise gone
    fields = move.fields(table, actor, answers)
    if any(one not in table.entities for one in entities_in(fields, answers)):
        raise gone
    return fields


def _about_hidden(table: Table, made: Play, fields: Iterable[Field]) -> bool:
    """Whether the move involves a hidden entity, so that all of it is for the GM alone."""
    people = (made.actor.entity, *entities_in(fields, made.answers))
    return any(one in table.entities and table.entities[one].hidden for one in people)


def _throw(
    context: Context, made: Play, question: Question, audience: str
) -> tuple[Any, Thrown, dict[str, Any]]:
    """Throw the dice of a question: the outcome, the dice for the event, and the words for odds."""
    solved: Solved | None = None
    unknown = ""
    try:
        # Before the throw, because odds that are solved elsewhere end this attempt.
        solved = context.solver(question) if question.bands else None
    except NotSolved as refused:
        unknown = str(refused)
    hand = context.hand_for(audience, question.closed)
    outcome = fall(hand, question.mechanic, *question.arguments)
    dice = thrown(
        hand,
        question.mechanic,
        solved=solved,
        fell=question.band(outcome) if solved is not None else "",
        odds_audience=_who_may_know_odds(context, made, question),
        closed=question.closed,
        arguments=question.arguments,
    )
    bands = [fields_of(band) for band in question.bands]
    data = {"bands": bands, "odds_sentence": solved.sentence if solved else ""}
    return outcome, dice, data | ({"odds_unknown": unknown} if unknown else {})


def _who_may_know_odds(context: Context, made: Play, question: Question) -> str:
    """Return the audience of the odds: seats that know everything that went into them.

    The question is made again from each seat's own table. If it is the same there, the seat could
    compute the odds itself.
    """
    if made.actor.hidden or not shows_odds(context.campaign.settings, gm=False):
        return GM
    others = _players_at(context.table)
    knowing = [seat.id for seat in others if _same_question(context, made, question, seat)]
    if len(knowing) == len(others):
        return EVERYONE
    return among([GM, *knowing]) if knowing else GM


def _players_at(table: Table) -> list[Seat]:
    """The seats that are taken, without the GM's and the co-GMs'."""
    return [seat for seat in table.seats.values() if seat.is_seated and not is_gm(seat)]


def _same_question(context: Context, made: Play, question: Question, seat: Seat) -> bool:
    seen = conceal(context.campaign, context.game, seat)
    fields = made.move.fields(context.table, made.actor, made.answers)
    people = (made.actor.entity, *entities_in(fields, made.answers))
    if any(one and one not in seen.entities for one in people):
        return False
    theirs = made.move.question(seen, made.actor, made.answers)
    return (
        theirs is not None
        and theirs.mechanic is question.mechanic
        and theirs.arguments == question.arguments
    )


def entities_in(fields: Iterable[Field], answers: Answers) -> tuple[str, ...]:
    """The ids of the entities picked in a form."""
    return tuple(
        str(answers[one.name]) for one in fields if one.kind == "entity" and answers.get(one.name)
    )


def answers_in_words(
    context: Context, move: Move, actor: Actor, answers: Answers
) -> list[list[str]]:
    """The answers in words: label, value, audience; without blank answers and stories.

    If a label contains secrets, such as a level on a closed sheet, the label is stored once for
    each audience that sees a different text. Only the GM sees a label with a hidden entity's name.
    """
    table = context.table
    fields = move.fields(table, actor, answers)
    crowd = (str(p) for f in fields if f.kind == "many" for p in _picks(f, answers.get(f.name)))
    involved = (actor.entity, *entities_in(fields, answers), *crowd)
    people = [table.entities[one] for one in involved if one in table.entities]
    seats = _players_at(table)
    hidden = [one.name for one in people if one.hidden]
    closed = any(not one.open for one in people)
    read = {one.id: _forms_of(context, move, actor, answers, one) for one in seats if closed}
    rows: list[list[str]] = []
    for one in fields:
        value = answers.get(one.name)
        words = in_words(one, value)
        if not words or one.kind in {"story", "rows"}:
            continue
        shown = [pick for pick in _picks(one, value) if not _is_hidden(table, pick)]
        named = any(name in one.label for name in hidden)
        if named or one.name in actor.hidden or (one.kind == "entity" and not shown):
            rows.append([one.label, words, GM])
            continue
        if one.kind == "many" and len(shown) < len(_picks(one, value)):
            rows.append([one.label, words, GM])
            others = in_words(one, shown)
            rows += [[one.label, others, among(seat.id for seat in seats)]] if others else []
            continue
        readers: dict[str, list[str]] = {words: [GM]}
        for seat, forms in read.items():
            theirs = _known_words(forms.get(one.name), value)
            readers.setdefault(theirs, []).append(seat)
        rows += [
            [one.label, say, among(who) if closed else EVERYONE]
            for say, who in readers.items()
            if say
        ]
    return rows


def _picks(field: Field, value: Json) -> list[Json]:
    """The picked values of a field, one or many."""
    return list(value) if field.kind == "many" and isinstance(value, list) else [value]


def _is_hidden(table: Table, picked: Json) -> bool:
    one = table.entities.get(str(picked))
    return one is not None and one.hidden


def _forms_of(
    context: Context, move: Move, actor: Actor, answers: Answers, seat: Seat
) -> dict[str, Field]:
    """Return the fields of a move for a seat; none if the seat knows too little."""
    seen = conceal(context.campaign, context.game, seat)
    ask = context.table.asks.get(actor.ask)
    about = [actor.entity, *answers.values(), *(ask.preset.values() if ask else ())]
    if any(one in context.table.entities and one not in seen.entities for one in _words_in(about)):
        return {}
    return {one.name: one for one in move.fields(seen, actor, answers)}


def _words_in(value: Json) -> Iterator[str]:
    """All words in plain data, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _words_in(one)


def _known_words(field: Field | None, value: Json) -> str:
    """An answer in the words of a form; "" if the form has no such answer."""
    if field is None or (field.choices and str(value) not in {c.value for c in field.choices}):
        return ""
    return in_words(field, value)


def in_words(field: Field, value: Json) -> str:
    """An answer in words; "" for none.

    >>> in_words(Field("sure", "Sure", "tick"), True)
    'yes'
    >>> rows = Field("rows", "Rows", "rows", columns=(Field("what", "What"), Field("by", "By")))
    >>> in_words(rows, [{"what": "rain", "by": 2}, {"what": "a map", "by": -1}])
    'rain 2; a map -1'
    """
    if value is None or value in ("", []):
        return ""
    if field.kind == "rows":
        shown = [column for column in field.columns if column.name != "id"]
        told = ([in_words(column, row.get(column.name)) for column in shown] for row in value)
        return "; ".join(" ".join(filter(None, words)) for words in told)
    if field.kind == "tick":
        return "yes" if value else ""
    labels = {choice.value: choice.label for choice in field.choices}
    if isinstance(value, list):
        return ", ".join(labels.get(str(one), str(one)) for one in value)
    return labels.get(str(value), str(value))
