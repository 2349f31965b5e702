"""The conformance suite finds each kind of fault: a little game, broken in one place at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kitchentable.app import conformance as whole
from kitchentable.dice import SeededSource, mechanic
from kitchentable.dice.recorder import TraceRecorder
from kitchentable.rules import (
    Ask,
    BadAnswers,
    Band,
    Card,
    Change,
    Entity,
    Example,
    Field,
    Game,
    Kind,
    Move,
    Option,
    Problem,
    Question,
    Result,
    Rolled,
    RuleRefuses,
    Section,
)
from kitchentable.rules.conformance import CHECKS, check_game, example_table
from kitchentable.rules.registry import load, names
from tests.rules.broken import BOOK, EXAMPLE, PEBBLE, SHEET, TOSS, question, toss

SEED = 20_261_122
OUTSIDE = {"thrown": 0}


@mechanic
def impure(dice, skill: int) -> str:
    OUTSIDE["thrown"] += 1
    return toss(dice, skill) if OUTSIDE["thrown"] % 3 else "reached"


@mechanic
def endless(dice, skill: int) -> tuple[int, ...]:
    return tuple(dice.pool(40, 20))


@mechanic
def cheating(dice, skill: int) -> str:
    """A mechanic that throws another die than it solves, by looking at the dice object."""
    thrown = isinstance(dice, TraceRecorder)
    return toss(dice, skill + 2) if thrown else toss(dice, skill)


def with_rules(cards: tuple[str, ...]) -> Move:
    return replace(TOSS, consequences=lambda t, a, n, o: Result(Card("x", rules=cards)))


def changing(*path: str, now: object = 1) -> Move:
    return replace(TOSS, consequences=lambda t, a, n, o: Result(None, (Change(tuple(path), now),)))


def asking(move: str) -> Move:
    ask = Ask("ask-1", ("gm",), move, "What now?")
    return replace(TOSS, consequences=lambda t, a, n, o: Result(None, asks=(ask,)))


def refusing(table, actor, answers, outcome):
    raise RuleRefuses("Not here.")


def falling_over(table, entity):
    raise LookupError("no such thing")


def with_move(move: Move) -> Game:
    return replace(PEBBLE, moves=(move,))


def with_roll(roll, *samples) -> Game:
    rolled = Rolled(roll, lambda options, *, skill: (skill,), "x", samples or ({"skill": 1},))
    return replace(PEBBLE, rolls={"toss": rolled})


def with_field(field: Field) -> Game:
    return replace(PEBBLE, options=(Option(field, "All"), *PEBBLE.options))


def with_switches(excluding: dict, *, on: bool = False, low: tuple[str, ...] = ()) -> Game:
    more = [
        Option(Field(key, key, "tick", default=on, required=False, help="x"), "All", excludes=names)
        for key, names in excluding.items()
    ]
    kept = [replace(option, excludes=low) for option in PEBBLE.options]
    return replace(PEBBLE, options=(*more, *kept))


def with_sheet(**parts) -> Game:
    return replace(PEBBLE, sheet=replace(SHEET, **parts))


def with_entity(**parts) -> Game:
    (ama,) = EXAMPLE.entities
    return replace(PEBBLE, example=lambda: replace(EXAMPLE, entities=(replace(ama, **parts),)))


def section(*fields: Field) -> Callable[..., tuple[Section, ...]]:
    return lambda table, entity: (Section("all", "All", fields),)


BROKEN = [
    (replace(PEBBLE, title=" "), "identity", "has no title"),
    (replace(PEBBLE, moves=(TOSS, TOSS)), "identity", "Two moves are called toss"),
    (with_field(Field("low", "Low", help="x")), "options", "Two options are called low"),
    (with_field(Field("n", "N", "number", default=9, high=3, help="x")), "options", "is refused"),
    (with_field(Field("n", "N", "number", default="3", help="x")), "options", "reads as 3"),
    (with_field(Field("n", "N", "number", default=3)), "options", "has no help"),
    (with_switches({"a": ("a",)}), "options", "a excludes itself"),
    (with_switches({"a": ("z",)}), "options", "'z', which is not a switch"),
    (with_switches({"a": ()}, low=("a",)), "options", "is not a switch itself"),
    (with_switches({"a": ("b",), "b": ()}, on=True), "options", "defaults exclude each other"),
    (replace(PEBBLE, rulebook=replace(BOOK, rules={})), "rulebook", "is empty"),
    (with_move(replace(TOSS, rules=("pebble.9",))), "rulebook", "has no rule pebble.9"),
    (with_field(Field("n", "N", default="x", help="x", rule="pebble.9")), "rulebook", "pebble.9"),
    (replace(PEBBLE, options=()), "rulebook", "names an unknown option 'low'"),
    (
        with_move(replace(TOSS, fields=lambda t, a, n: (Field("w", "W", rule="pebble.9"),))),
        "rulebook",
        "has no rule pebble.9",
    ),
    (with_move(with_rules(("pebble.9",))), "rulebook", "has no rule pebble.9"),
    (with_entity(owner="Ben"), "example", "'Ben' has no seat"),
    (
        replace(PEBBLE, example=lambda: Example("x", ("Ana",), EXAMPLE.entities * 2)),
        "example",
        "Two entities have the id a",
    ),
    (with_entity(kind="ship"), "sheets", "has no kind 'ship'"),
    (with_entity(sheet={"skill": 7}), "sheets", "The example is refused: Three at most."),
    (
        with_sheet(check=lambda t, e, s: (Problem("skill", "pebble.9", "x", refuses=False),)),
        "sheets",
        "cites an unknown rule pebble.9",
    ),
    (with_sheet(blank=lambda t, k: {"skill": {1, 2}}), "sheets", "not plain JSON"),
    (
        with_sheet(sections=section(Field("skill", "Skill", "text"))),
        "sheets",
        "changes the unedited skill",
    ),
    (
        with_sheet(sections=section(Field("skill", "Skill", "number", high=1))),
        "sheets",
        "The builder cannot read this",
    ),
    (with_sheet(start=falling_over), "sheets", "The game raises LookupError: no such thing"),
    (with_sheet(kinds=lambda t: (Kind("ghost", "Ghost"),)), "sheets", "has no kind 'pc'"),
    (
        with_move(replace(TOSS, fields=lambda t, a, n: (Field("w", "W", required=False),) * 2)),
        "moves",
        "The move asks w twice",
    ),
    (
        with_move(
            replace(
                TOSS,
                question=lambda t, a, n: Question(toss, (1,), (Band("reached", "x"),), len),
            )
        ),
        "moves",
        "falls in 6, which is not a declared band",
    ),
    (
        with_move(
            replace(
                TOSS,
                question=lambda t, a, n: Question(endless, (1,), (Band("x", "x"),), str),
            )
        ),
        "moves",
        "cannot be solved",
    ),
    (with_move(changing("seats", "s1")), "moves", "A game may not change seats/s1."),
    (with_move(changing("own", "x", now={1, 2})), "moves", "not JSON"),
    (with_move(changing("own", "x", now=float("nan"))), "moves", "not JSON"),
    (with_move(asking("dance")), "moves", "unknown move 'dance'"),
    (replace(PEBBLE, rolls={}), "rolls", "no named roll"),
    (with_roll(impure), "rolls", ""),
    (with_roll(cheating), "rolls", "disagree"),
    (
        replace(PEBBLE, rolls={"toss": replace(PEBBLE.rolls["toss"], samples=())}),
        "rolls",
        "no samples",
    ),
    (replace(PEBBLE, playthrough=" \n"), "playthrough", "with --write-playthrough"),
]


def test_a_band_function_made_for_each_question_is_reported_but_works():
    found = found_in(
        with_move(
            replace(TOSS, question=lambda t, a, n: replace(question(t, a, n), band=lambda one: one))
        )
    )
    assert [one.check for one in found] == ["moves"] * len(found) != []
    assert all("cannot be cached" in one.sentence and not one.fails for one in found)


def found_in(game: Game):
    return check_game(game, SeededSource(SEED))


def test_a_correct_game_has_no_findings_and_every_check_is_announced():
    told: list[str] = []
    assert check_game(PEBBLE, SeededSource(SEED), told.append) == ()
    assert told == list(CHECKS)


@pytest.mark.parametrize(
    ("game", "check", "sentence"),
    BROKEN,
    ids=[f"{check}-{sentence or 'any'}" for _, check, sentence in BROKEN],
)
def test_a_broken_game_has_the_finding(game, check, sentence):
    found = found_in(game)
    assert [one for one in found if one.check == check and sentence in one.sentence], found
    assert all(one.fails for one in found)


def test_a_declared_roll_that_never_happens_is_reported():
    silent = replace(TOSS, question=lambda table, actor, answers: None)
    (found,) = found_in(with_move(silent))
    assert (found.check, found.where, found.fails) == ("moves", silent.name, False)
    assert found.sentence.startswith("The move declares a roll, but no character")


def test_a_move_that_is_refused_at_the_examples_table_is_no_fault():
    assert found_in(with_move(replace(TOSS, consequences=refusing))) == ()


def test_an_exception_in_a_games_code_is_a_finding_with_its_place():
    (found,) = found_in(with_move(replace(TOSS, question=lambda t, a, n: 1 / 0)))
    assert found.sentence == "The game raises ZeroDivisionError: division by zero"
    assert "test_conformance.py" in found.where


def test_the_examples_table_has_everybody_in_play():
    table = example_table(PEBBLE)
    assert [one.name for one in table.in_play()] == ["Ama"]
    assert [seat.name for seat in table.players()] == ["Ana"]
    assert table.session.phase == "open"


@pytest.mark.parametrize("name", names())
def test_every_installed_game_keeps_the_contract(name, few_throws):
    assert whole.check_game(load(name), SeededSource(SEED)) == ()


@pytest.mark.soak
@pytest.mark.parametrize("name", names())
def test_every_installed_game_throws_what_its_odds_say(name):
    assert whole.check_game(load(name), SeededSource(SEED)) == ()


def test_a_playthrough_that_goes_otherwise_is_found(monkeypatch):
    monkeypatch.setattr(whole.conformance, "check_game", lambda *_: ())
    game = replace(load("toast"), fights={}, playthrough='GM> open "Salt"\n    GM opens Pepper.\n')
    (found,) = whole.check_game(game, SeededSource(SEED))
    assert found.check == "playthrough"
    assert "GM opens Pepper." in found.sentence
    unplayable = replace(game, playthrough="GM> dance\n")
    (found,) = whole.check_game(unplayable, SeededSource(SEED))
    assert "dance" in found.sentence


def test_bad_answers_carry_their_problems():
    error = BadAnswers((Problem("a", "", "One."), Problem("b", "", "Two.")))
    assert str(error) == "One. Two."
    assert [one.where for one in error.problems] == ["a", "b"]


def test_entities_of_the_example_are_entities():
    assert {type(one) for one in load("toast").example().entities} == {Entity}
