"""The conformance suite behind `kitchentable check-game`: checks that a game keeps its contract.

Each check yields findings instead of raising, so that an author sees all of them.
"""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, ParamSpec

from kitchentable import dice
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.forms import look, read_answers, read_sheet, read_value
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Question, Result
from kitchentable.rules.readings import readings
from kitchentable.rules.table import Actor, Entity, Seat, Session, Table
from kitchentable.rules.together import flaws
from kitchentable.rules.values import GM, record

P = ParamSpec("P")

#: The first steps of paths at which a game may change facts; see `kitchentable.rules.moves.Change`.
_OWN = frozenset({"entities", "fight", "own", "session", "day"})

_NEW_BAND = (
    "The move creates a new band function for each question, so its odds cannot be cached. "
    "Define the function at the top level of a module."
)


@record
class Finding:
    """A result of the suite: check, place, sentence, and whether the game fails because of it."""

    check: str
    where: str
    sentence: str
    fails: bool = True


def check_game(
    game: Game, source: dice.Source, each: Callable[[str], None] = lambda _: None
) -> tuple[Finding, ...]:
    """All findings about a game; none means that the game keeps its contract.

    `source` throws the dice (a seeded one makes the run repeatable); `each` is called with the name
    of every check of `CHECKS` before it runs.
    """
    found: list[Finding] = []
    for name, check in CHECKS.items():
        each(name)
        found.extend(gathered(name, check, game, source))
    return tuple(found)


def gathered(
    name: str, check: Callable[P, Iterable[Finding]], *args: P.args, **more: P.kwargs
) -> tuple[Finding, ...]:
    """The findings of a check; an exception of the game's code becomes a finding."""
    found: list[Finding] = []
    try:
        found.extend(check(*args, **more))
    except Exception as error:  # noqa: BLE001 - anything that a game's code raises is a finding
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{at.name}, line {at.lineno} of {Path(at.filename).name}"
        found.append(Finding(name, where, f"The game raises {type(error).__name__}: {error}"))
    return tuple(found)


def example_table(game: Game) -> Table:
    """A table with the game's example, with all entities in play and a session open."""
    example = game.example()
    seats = {GM: Seat(GM, "GM", GM)}
    seats |= {name: Seat(name, name, "player") for name in example.players}
    bare = Table(options=MappingProxyType(game.defaults()), seats=seats, session=Session(1, "open"))
    people = (replace(o, state=game.sheet.start(bare, o), stage="play") for o in example.entities)
    return replace(bare, entities={one.id: one for one in people})


def player_of(entity: Entity) -> Actor:
    """The actor for an entity of the example: its player, or the GM."""
    return Actor(entity.owner, "player" if entity.is_players else GM, entity.id)


def _identity(game: Game, source: dice.Source) -> Iterator[Finding]:
    for what in ("name", "title", "version", "about", "credits.author", "credits.licence"):
        if not attrgetter(what)(game).strip():
            yield Finding("identity", what, f"The game has no {what}.")
    yield from _twice("identity", (one.name for one in game.moves), "Two moves are called {}.")


def _options(game: Game, source: dice.Source) -> Iterator[Finding]:
    yield from _twice("options", (one.key for one in game.options), "Two options are called {}.")
    for option in game.options:
        value, problem = read_value(option.field, option.field.default)
        if problem is not None:
            yield Finding("options", option.key, f"The default is refused: {problem.sentence}")
        elif value != option.field.default:
            yield Finding(
                "options", option.key, f"The default {option.field.default!r} reads as {value!r}."
            )
        if not option.field.help:
            yield Finding("options", option.key, "The option has no help.")
    yield from (Finding("options", *flaw) for flaw in flaws(game.options))


def _rulebook(game: Game, source: dice.Source) -> Iterator[Finding]:
    if not game.rulebook.rules:
        yield Finding("rulebook", "", "The rulebook is empty.")
    cited = chain(
        ((f"move {m.name}", rule) for m in game.moves for rule in m.rules),
        ((f"option {o.key}", o.field.rule) for o in game.options),
        ((f"rule {r.id}", see) for r in game.rulebook.rules.values() for see in r.see),
    )
    for where, rule in cited:
        if rule:
            yield from _check_cited(game, where, rule)
    keys = {option.key for option in game.options}
    for one in game.rulebook.rules.values():
        if one.option and one.option not in keys:
            yield Finding("rulebook", one.id, f"The rule names an unknown option {one.option!r}.")


def _example(game: Game, source: dice.Source) -> Iterator[Finding]:
    example = game.example()
    owners = {*example.players, GM}
    for one in example.entities:
        if one.owner not in owners:
            yield Finding("example", one.name, f"The owner {one.owner!r} has no seat.")
    yield from _twice(
        "example", (one.id for one in example.entities), "Two entities have the id {}."
    )


def _sheets(game: Game, source: dice.Source) -> Iterator[Finding]:
    table = example_table(game)
    kinds = {kind.key for kind in game.sheet.kinds(table)}
    for one in table.entities.values():
        if one.kind not in kinds:
            yield Finding("sheets", one.name, f"The game has no kind {one.kind!r}.")
            continue
        for problem in game.sheet.check(table, one, "creation"):
            if problem.rule and problem.rule not in game.rulebook:
                yield Finding(
                    "sheets", one.name, f"A problem cites an unknown rule {problem.rule}."
                )
            if problem.refuses:
                yield Finding("sheets", one.name, f"The example is refused: {problem.sentence}")
        yield from _round_trip(game, table, one)
    for key in sorted(kinds):
        blank = Entity("new", "New", key, GM, game.sheet.blank(table, key), {}, stage="draft")
        if not _is_plain(blank.sheet):
            yield Finding("sheets", key, "A blank sheet is not plain JSON.")
        yield from _round_trip(game, table, blank)
        game.sheet.check(table, blank, "creation")


def _round_trip(game: Game, table: Table, one: Entity) -> Iterator[Finding]:
    """Check that a sheet sent back unchanged by the builder stays the same."""
    sections = game.sheet.sections(table, one)
    raw = {f.name: look(one.sheet, f.name, f.default) for s in sections for f in s.fields}
    unknown = {**one.sheet, "not yet known": {"kept": True}}
    again, problems = read_sheet(sections, unknown, raw)
    if one.stage != "draft":
        for problem in problems:
            yield Finding("sheets", one.name, f"The builder cannot read this: {problem.sentence}")
    if again.get("not yet known") != {"kept": True}:
        yield Finding("sheets", one.name, "The builder drops unknown keys of the sheet.")
    if not problems:
        changed = [name for name, value in raw.items() if look(again, name) != value]
        for name in changed:
            yield Finding(
                "sheets",
                one.name,
                f"The builder changes the unedited {name} from {raw[name]!r} "
                f"to {look(again, name)!r}.",
            )


def _moves(game: Game, source: dice.Source) -> Iterator[Finding]:
    table = example_table(game)
    for move in game.moves:
        asked: list[Question | None] = []
        for one in table.in_play():
            actor = player_of(one)
            if move.when(table, actor) is not None:
                continue
            for given in ({}, *move.examples):
                fields = move.fields(table, actor, given)
                names = (field.name for field in fields)
                yield from _twice("moves", names, "The move asks {} twice.", move.name)
                for field in fields:
                    if field.rule:
                        yield from _check_cited(game, f"{move.name}, {field.name}", field.rule)
                answers, problems = read_answers(fields, given)
                if any(problem.refuses for problem in problems):
                    continue
                where = f"{move.name} by {one.name}"
                answers = {**given, **answers}
                question = move.question(table, actor, answers)
                asked.append(question)
                if question is not None:
                    yield from _question(where, question)
                    again = move.question(table, actor, answers)
                    if again is not None and again.band != question.band:
                        yield Finding("moves", where, _NEW_BAND, fails=False)
                if move.by:  # a move that only answers a card needs that card
                    make = partial(move.consequences, table, actor, answers)
                    yield from _consequences(game, where, question, make, source)
        if move.throws and move.by and asked and not any(one is not None for one in asked):
            sentence = "The move declares a roll, but no character of the example gets one."
            yield Finding("moves", move.name, sentence, fails=False)


def _check_cited(game: Game, where: str, *rules: str) -> Iterator[Finding]:
    """Check that the rulebook has these rules."""
    for rule in rules:
        if rule not in game.rulebook:
            yield Finding(
                "rulebook", where, f"The rulebook has no rule {rule}, which is cited here."
            )


def _question(where: str, question: Question) -> Iterator[Finding]:
    if not question.bands:
        return  # thrown but never solved, so without odds
    try:
        solved = question.solve()
    except KitchenTableError as error:
        yield Finding("moves", where, f"The odds cannot be solved: {error}")
        return
    known = {band.key for band in question.bands}
    yield from (
        Finding("moves", where, f"An outcome falls in {band!r}, which is not a declared band.")
        for band in solved
        if band not in known
    )


def _consequences(
    game: Game,
    where: str,
    question: Question | None,
    make: Callable[[Any], Result],
    source: dice.Source,
) -> Iterator[Finding]:
    """Check the result of a move with thrown dice: allowed paths, plain data, known rules."""
    outcome = None
    if question is not None:
        outcome = dice.roll(question.mechanic, *question.arguments, source=source).outcome
    try:
        done = make(outcome)
    except BadInput:
        return  # the rules forbid the move in this state of the example
    told = done.card.rules if done.card else ()
    yield from _check_cited(game, where, *told, *chain(*(ask.rules for ask in done.asks)))
    for change in done.changes:
        if not change.path or change.path[0] not in _OWN:
            yield Finding("moves", where, f"A game may not change {'/'.join(change.path)}.")
        elif not _is_plain(change.now):
            yield Finding(
                "moves",
                where,
                f"{'/'.join(change.path)} becomes {change.now!r}, which is not JSON.",
            )
    known = {one.name for one in game.moves}
    for ask in done.asks:
        if ask.move not in known:
            yield Finding("moves", where, f"An ask names an unknown move {ask.move!r}.")


def _is_plain(value: Any) -> bool:
    """Whether a value is plain JSON and survives a round trip through JSON."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError):
        return False


def _rolls(game: Game, source: dice.Source) -> Iterator[Finding]:
    if not game.rolls:
        yield Finding("rolls", "", "The game has no named roll.")
    for name, rolled in game.rolls.items():
        if not rolled.samples:
            yield Finding("rolls", name, "The roll has no samples to check.")
        for named in rolled.samples:
            where = f"{name} {dict(named)}"
            try:
                arguments = rolled.arguments(game.defaults(), **named)
                for sentence in readings(rolled, arguments, source):
                    yield Finding("rolls", where, sentence)
            except KitchenTableError as error:
                yield Finding("rolls", where, str(error))


def _playthrough(game: Game, source: dice.Source) -> Iterator[Finding]:
    if not game.playthrough.strip():
        words = "Write its steps into playthrough.txt, and add the logs with --write-playthrough."
        yield Finding("playthrough", game.name, f"The game has no golden playthrough. {words}")


def _twice(check: str, names: Iterable[str], sentence: str, where: str = "") -> Iterator[Finding]:
    """A finding for each repeated name, by default placed at the name."""
    for name, times in sorted(Counter(names).items()):
        if times > 1:
            yield Finding(check, where or name, sentence.format(name))


#: Every check by name, in order.
CHECKS: Mapping[str, Callable[[Game, dice.Source], Iterable[Finding]]] = MappingProxyType(
    {
        "identity": _identity,
        "options": _options,
        "rulebook": _rulebook,
        "example": _example,
        "sheets": _sheets,
        "moves": _moves,
        "rolls": _rolls,
        "playthrough": _playthrough,
    }
)
