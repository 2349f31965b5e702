"""Further checks for authors: examples with forced dice, and results that cannot happen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from kitchentable import dice
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.conformance import Finding, example_table, player_of
from kitchentable.rules.forms import read_answers
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Move, Question
from kitchentable.rules.table import Actor
from kitchentable.rules.values import record


def prove_examples(game: Game) -> Iterator[Finding]:
    """Check that each example with forced dice gives its expected word."""
    for name, rolled in game.rolls.items():
        for one in rolled.forced:
            where = f"{name} {dict(one.named)} with {', '.join(map(str, one.faces))}"
            try:
                arguments = rolled.arguments(game.defaults(), **one.named)
                fell = dice.load(rolled.mechanic, *arguments, faces=list(one.faces))
            except KitchenTableError as error:
                yield Finding("examples", where, str(error))
                continue
            gives = rolled.in_a_word(fell.outcome)
            if gives != one.gives:
                yield Finding("examples", where, f"The result is {gives}, not {one.gives}.")


@record
class MoveOdds:
    """The odds of a move by result, for an entity of the example, or for a sample."""

    move: str
    title: str
    who: str
    shares: Mapping[str, Fraction]


def odds_of_moves(game: Game, *, forced: bool = False) -> Iterator[MoveOdds]:
    """The exact odds of every move with bands, for all entities of the example.

    With `forced`, the result of each example with forced dice follows, with a chance of 1.
    """
    table = example_table(game)
    for move in game.moves:
        if not move.by:
            continue
        everybody = list(table.in_play())
        for one in everybody if move.for_entity else everybody[:1]:
            question = ask_move(game, move, player_of(one))
            if question is None or not question.bands:
                continue
            try:
                solved = question.solve()
            except KitchenTableError:
                continue  # reported by the contract's own check
            labels = {band.key: band.label for band in question.bands}
            shares = dict.fromkeys(labels.values(), Fraction(0))
            for band, chance in solved.items():
                shares[labels[band]] += chance
            who = one.name if move.for_entity else "anybody"
            yield MoveOdds(move.name, move.title, who, shares)
            rolled = game.rolls.get(move.name)
            for each in rolled.forced if forced and rolled is not None else ():
                only = {label: Fraction(key == each.gives) for key, label in labels.items()}
                if any(only.values()):
                    yield MoveOdds(move.name, move.title, "an example", only)


def odds_of_samples(game: Game) -> Iterator[MoveOdds]:
    """The exact odds of every named roll for its samples, for games without an example."""
    titles = {move.name: move.title for move in game.moves}
    for name, rolled in game.rolls.items():
        for named in rolled.samples:
            try:
                arguments = rolled.arguments(game.defaults(), **named)
                solved = dice.odds(dice.told(rolled.mechanic, rolled.in_a_word), *arguments)
            except KitchenTableError:
                continue  # reported by the contract's own check
            who = ", ".join(f"{key}={value}" for key, value in named.items()) or "anybody"
            yield MoveOdds(name, titles.get(name, name), who, dict(solved.items()))


def prove_bands(odds: Iterable[MoveOdds]) -> Iterator[Finding]:
    """Report results that never or always happen, for all entities and forced examples."""
    chances: dict[tuple[str, str], list[Fraction]] = {}
    for one in odds:
        for name, share in one.shares.items():
            chances.setdefault((one.move, name), []).append(share)
    for (move, name), shares in chances.items():
        if {*shares} in ({0}, {1}):
            often = "always happens" if any(shares) else "can never happen"
            sentence = f"{name!r} {often}, for all characters of the example."
            yield Finding("odds", move, sentence, fails=False)


def ask_move(game: Game, move: Move, actor: Actor) -> Question | None:
    """The roll of a move in the game's example, with the form's defaults; None without one."""
    table = example_table(game)
    if move.when(table, actor) is not None:
        return None
    fields = move.fields(table, actor, {})
    answers, problems = read_answers(fields, {})
    people = [one.id for one in table.in_play() if one.id != actor.entity]
    for field in fields:
        if field.kind == "entity" and not answers.get(field.name) and people:
            answers[field.name] = people[0]
    if any(p.refuses and p.where not in answers for p in problems):
        return None
    fields = move.fields(table, actor, answers)
    again, _ = read_answers(fields, {k: v for k, v in answers.items() if v is not None})
    return move.question(table, actor, again)
