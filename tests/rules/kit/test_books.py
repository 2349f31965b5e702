"""The files of a ruleset's folder: problems in words, verdicts, and the game they make."""

from dataclasses import replace

import pytest

from kitchentable.rules import BadGame, Entity, Problem, Table
from kitchentable.rules.kit.verdicts import Verdicts
from kitchentable.rulesets.toast import attacks
from kitchentable.rulesets.toast.options import BOOK
from kitchentable.rulesets.toast.people import Person, toast
from kitchentable.rulesets.toast.sheet import SHEET


def test_a_problem_has_its_words_from_the_file():
    row = {"key": "cold", "where": "soup", "rule": "soup.1-hot", "sentence": "{who.name} is cold."}
    book = replace(BOOK, tables={"problem": [row, {**row, "key": "mild", "refuses": False}]})
    leek = Entity("leek", "Leek soup", "soup", "gm", {}, {})
    assert book.problem("cold", who=leek) == Problem("soup", "soup.1-hot", "Leek soup is cold.")
    assert book.problem("mild", "soup.2", who=leek).where == "soup.2"
    assert not book.problem("mild", who=leek).refuses


@pytest.mark.parametrize("moves", [(), (attacks,)])
def test_every_move_of_a_game_is_both_listed_and_declared(moves):
    with pytest.raises(BadGame, match=r"not both listed and declared: .*task"):
        BOOK.game(toast, SHEET, moves, rolls={})


def test_a_players_row_is_proposed_until_it_has_its_yes():
    songs = Verdicts("songs", "sung")
    state = {"songs": {"Low": {"verdict": "hummed", "word": "Louder."}, "High": {}}}
    entity = Entity("mara", "Mara", "pc", "ana", {}, state, "draft")
    table = Table({}, entities={"mara": entity})
    at = toast.at(table, "mara")
    assert songs.said(at.me, "Low") == {"verdict": "hummed", "word": "Louder."}
    assert songs.said(at.me, "New") == {"verdict": "proposed", "word": ""}
    assert songs.said(Person(table, replace(entity, stage="play")), "New")["verdict"] == "sung"
    songs.accept(at.me, ["Low", "New"])
    (change,) = at.result().changes
    assert change.path == ("entities", "mara", "state", "songs", "New")
    assert change.now == {"verdict": "sung", "word": ""}
