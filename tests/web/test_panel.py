"""Redraws of a partly filled form in the panel."""

import re
from dataclasses import replace
from pathlib import Path

from kitchentable.app.local_games import LocalGames
from kitchentable.app.server import Server
from kitchentable.rules import Choice, Field
from kitchentable.store import MemoryStore
from kitchentable.web.forms import Form
from kitchentable.web.moves import veils
from kitchentable.web.panel import hides_in, shown_values
from tests.web.visitors import visit

ROWS = Field(
    "why",
    "Why",
    "rows",
    columns=(
        Field("id", "Key"),
        Field("text", "What"),
        Field("worth", "Worth", "choice", (Choice("", "one"), Choice("2", "two")), default=""),
    ),
)


def test_a_blank_row_is_not_shown_again_and_what_was_typed_is():
    """The form has one blank row of its own; else each refresh would add another."""
    sent = {"why.0.text": "rain", "why.0.worth": "", "why.1.text": " ", "why.1.worth": ""}
    assert shown_values((ROWS,), sent) == {"why": [{"text": "rain", "worth": ""}]}
    half = {"why.0.text": "", "why.0.worth": "2"}
    assert shown_values((ROWS,), half) == {"why": [{"text": "", "worth": "2"}]}
    assert shown_values((ROWS,), {}) == {}


KEPT = Field("target", "Target", "number", set_by="gm", hideable=True, hidden=True)
OPEN = Field("bonus", "Bonus", "number", set_by="gm", hideable=True)
LIST = replace(ROWS, hideable=True, hidden=True)


def test_what_is_kept_hidden_is_as_ticked_and_by_default_where_it_was_not_asked_yet():
    fields = (KEPT, OPEN, LIST)
    assert hides_in(fields, Form({})) == ("target", "why")
    opened = Form({"a.bonus": ("2",), "hide": ("bonus",)})
    assert hides_in(fields, opened) == ("target", "bonus", "why"), "two questions came up since"
    unticked = Form({"a.target": ("8",), "a.bonus": ("",), "a.why.0.text": ("rain",)})
    assert hides_in(fields, unticked) == ()


def test_a_list_of_rows_can_be_kept_hidden_and_shown():
    rows = {"a.why.0.text": ("rain",), "a.target": ("8",)}
    assert veils((KEPT, LIST), Form({**rows, "hide": ("why",)})) == (("why",), ("target",))
    assert veils((KEPT, LIST), Form({**rows, "hide": ("target",)})) == (("target",), ("why",))
    assert veils((KEPT, LIST), Form({})) == ((), ())


def test_a_clock_of_the_gms_does_not_lie_ready_to_act_before_those_who_roll(tmp_path):
    games = LocalGames(tmp_path)
    games.put(Path(__file__).parents[2] / "examples" / "position")
    with visit(server=Server(MemoryStore(), local_games=games), game="glasshouse") as visited:
        page = visited.sits("GM").get(visited.t).text
        actors = page.partition('id="f-actor"')[2].partition("</select>")[0]
        assert re.findall(r"<option[^>]*>([^<]*)", actors)[0] == "The watch wakes"
        assert re.findall(r"<option[^>]*selected[^>]*>([^<]*)", actors) == ["Fitch (Ada)"]


def test_the_gm_agrees_beforehand_to_all_picks_in_words_of_any_game():
    with visit(game="toaster") as visited:
        query = {"move": "task", "entity": visited.entity("Rhoenda Dumas")}
        page = visited.sits("GM").get(f"{visited.t}/moves", params=query).text
    assert "Approve any answers in advance" in page
    assert "perk" not in page


def test_the_roll_in_hand_leaves_out_what_the_gm_has_not_ruled():
    with visit(game="toaster") as visited:
        gm = visited.sits("GM")
        someone = next(iter(visited.server.tables.campaign(visited.campaign).table.in_play()))
        asked = {"entity": someone.id, "move": "task", "a.verdict": "rules"}
        told = gm.get(f"{visited.t}/moves", params=asked).text
        sentence = re.sub(r"<[^>]+>", " ", told[: told.index("</summary>")])
        assert "Average +0" in sentence
        assert "As the rules have it" not in sentence
        ruled = gm.get(f"{visited.t}/moves", params=asked | {"a.verdict": "routine"}).text
        assert "Routine" in ruled[: ruled.index("</summary>")]


def test_the_gm_is_offered_no_pick_that_is_somebody_elses_to_make(visited):
    gm, serk = visited.sits("GM"), visited.entity("Captain Serk")
    asked = {"entity": serk, "move": "attack"}

    def offered(**answers):
        page = gm.get(f"{visited.t}/moves", params=asked | answers).text
        return set(re.findall(r'name="a\.(\w*perk)"', page))

    guard = visited.entity("Guard by the door")
    assert offered(**{"a.target": guard}) == {"perk", "defense_perk"}
    assert offered(**{"a.target": visited.entity("Mara Vell")}) == {"perk"}
    asked["entity"] = visited.entity("Mara Vell")
    assert offered(**{"a.target": guard}) == {"defense_perk"}


def test_a_roll_that_waits_for_the_gm_stays_in_hand(visited):
    """Until it is thrown there is no last roll: the form went back to the best of all traits."""
    mara, entity = visited.sits("Mara"), visited.entity("Mara Vell")
    asked = {"move": "task", "entity": entity, "a__trait": "social"}
    answer = mara.script("POST", f"{visited.t}/moves", **asked)
    picked = re.findall(r'<option value="(\w+)" selected', answer.text)
    assert "social" in picked
    assert "social" in mara.get(visited.t).text.partition('id="roll-sheet"')[2][:600].lower()
    other = mara.script("GET", f"{visited.t}/moves", **asked | {"a__trait": "aim"}).text
    assert "aim" in re.findall(r'<option value="(\w+)" selected', other)
