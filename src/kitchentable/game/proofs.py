"""What an author wants to know besides the contract: do the examples come out, can everything
happen?
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kitchentable import dice
from kitchentable.dice.errors import KitchenTableError
from kitchentable.game.conformance import Finding, example_table
from kitchentable.game.forms import read_answers
from kitchentable.game.game import Game
from kitchentable.game.moves import Move, Question
from kitchentable.game.table import Actor
from kitchentable.game.values import GM


def prove_examples(game: Game) -> Iterator[Finding]:
    """Each example with forced dice gives what it says it gives."""
    for name, rolled in game.rolls.items():
        for one in rolled.forced:
            where = f"{name} {dict(one.named)} with {', '.join(map(str, one.faces))}"
            try:
                arguments = rolled.arguments(game.defaults(), **one.named)
                fell = dice.load(rolled.mechanic, *arguments, faces=list(one.faces))
            except KitchenTableError as error:
                yield Finding("examples", where, str(error))
                continue
            gives = rolled.sums_up(fell.outcome)
            if gives != one.gives:
                yield Finding("examples", where, f"It gives {gives}, not {one.gives}.")


def prove_bands(game: Game) -> Iterator[Finding]:
    """Results that can never happen, and ones that always do, whoever of the example rolls."""
    table = example_table(game)
    for move in game.moves:
        if not move.by:
            continue
        chances: dict[str, list[Fraction]] = {}
        names: dict[str, str] = {}
        for one in table.in_play():
            actor = Actor(one.owner, "player" if one.is_players else GM, one.id)
            question = _asked(game, move, actor)
            if question is None or not question.bands:
                continue
            try:
                solved = dice.odds(question.solves or question.mechanic, *question.arguments)
            except KitchenTableError:
                continue  # the contract's own check says so already
            shares = dict.fromkeys((band.key for band in question.bands), Fraction(0))
            for outcome, chance in solved.items():
                shares[outcome if question.solves else question.band(outcome)] += chance
            for band in question.bands:
                names[band.key] = band.label
                chances.setdefault(band.key, []).append(shares[band.key])
        for key, shares_of in chances.items():
            if not any(shares_of):
                sentence = f"{names[key]!r} can never happen, whoever of the example rolls."
                yield Finding("odds", move.name, sentence, fails=False)
            elif all(share == 1 for share in shares_of):
                sentence = f"{names[key]!r} always happens, whoever of the example rolls."
                yield Finding("odds", move.name, sentence, fails=False)


def _asked(game: Game, move: Move, actor: Actor) -> Question | None:
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
