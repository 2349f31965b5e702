"""Refused forms: the right status, and all input kept."""

import re

import pytest

from kitchentable.web.urls import ROUTES
from tests.web.visitors import Visited, visit

JSON = {"accept": "application/json"}


def between(page: str, start: str, end: str) -> str:
    return page.partition(start)[2].partition(end)[0]


def beside(page: str, field: str) -> str:
    """The sentences beside one field, which it is described by."""
    tag = re.search(rf'<(?:input|select|textarea)[^>]* id="{field}"[^>]*>', page)
    assert tag is not None
    assert f'aria-describedby="{field}-p"' in tag[0], tag[0]
    return told_at(page, field)


def told_at(page: str, field: str) -> str:
    """The sentences at a place."""
    return between(page, f'<div class="problem" id="{field}-p">', "</div>")


def value_of(page: str, field: str) -> str:
    tag = re.search(rf'<input[^>]* id="{field}"[^>]*>', page)
    assert tag is not None
    return between(tag[0], 'value="', '"')


def test_the_end_of_an_evening_that_has_not_begun_is_refused_like_all_else(visited):
    gm = visited.sits("GM")
    path = f"{visited.t}/session/close"
    plain = gm.fill(path)
    script = gm.script("POST", path)
    program = gm.post(path, data={"_csrf_token": gm.token()}, headers=JSON)
    other = gm.post(f"{visited.t}/session/end", data={"_csrf_token": gm.token()}, headers=JSON)
    # The page's script shows the sentence; a whole page of the desk would go unseen.
    assert (plain.status_code, script.status_code) == (422, 400)
    assert '<p data-code="session/phase">No session' in script.text
    assert program.status_code == other.status_code == 400
    assert "No session" in plain.text
    assert "No session" in program.json()["sentence"]
    assert visited.kinds().count("session-closing") == 0


def test_the_end_of_an_evening_leads_to_the_closing(visited):
    gm = visited.sits("GM")
    gm.fill(f"{visited.t}/session/begin")
    assert gm.fill(f"{visited.t}/session/close").headers["location"] == f"{visited.t}/closing"


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("name", "x" * 61, "A name has at most 60 characters, not 61."),
        ("name", "\u200bx", "only visible characters"),
        ("count", "many", "How many must be a whole number"),
        ("count", "21", "How many goes from 1 to 20"),
        ("kind", "dragon", "called &#39;dragon&#39;"),
    ],
)
def test_bringing_somebody_in_keeps_what_was_typed(visited, field, typed, sentence):
    gm = visited.sits("GM")
    before = len(visited.kinds())
    sent = {"name": "Guard", "kind": "lieutenant", "count": "3", "hidden": "on", field: typed}
    answer = gm.fill(f"{visited.t}/characters", **sent)
    page = answer.text
    assert answer.status_code == 422
    assert sentence in beside(page, f"f-e-{field}")
    assert f'<a href="#f-e-{field}">' in page
    assert value_of(page, "f-e-name") == sent["name"]
    assert value_of(page, "f-e-count") == sent["count"]
    assert ('value="lieutenant" selected' in page) == (field != "kind")
    assert "checked" in re.findall(r'<input[^>]*id="f-e-hidden"[^>]*>', page)[0]
    assert len(visited.kinds()) == before


def test_of_several_nobody_comes_where_the_last_name_would_be_too_long(visited):
    gm = visited.sits("GM")
    before = visited.kinds()
    sent = {"name": "x" * 58, "kind": "minion", "count": "12"}
    assert gm.fill(f"{visited.t}/characters", **sent).status_code == 422
    assert visited.kinds() == before


def test_changing_somebody_keeps_what_was_typed(visited):
    gm, ivo = visited.sits("GM"), visited.entity("Brother Ivo")
    sent = {"name": "x" * 61, "line": "A liar", "hidden": ["off", "on"], "open": "off"}
    sent["owner"] = visited.seats["Mara"].id
    page = gm.fill(f"{visited.t}/characters/{ivo}/change", **sent).text
    assert "at most 60 characters" in beside(page, f"f-{ivo}-name")
    assert value_of(page, f"f-{ivo}-line") == "A liar"
    form = between(page, f'action="{visited.t}/characters/{ivo}/change"', "</form>")
    assert f'value="{visited.seats["Mara"].id}" selected' in form
    assert "checked" in re.findall(rf'<input[^>]*id="eh-{ivo}"[^>]*>', page)[0]
    assert "checked" not in re.findall(rf'<input[^>]*id="ep-{ivo}"[^>]*>', page)[0]
    assert '<a href="#people-of">' in page


def built(visited: Visited, who: str = "Mara") -> str:
    """Somebody new whom a player builds; the path of the sheet."""
    made = visited.sits(who).fill(f"{visited.t}/characters", kind="pc", name="Ada")
    return str(made.headers["location"])


def test_the_builder_says_once_at_its_head_and_once_at_its_end_what_is_left(visited):
    """An untouched sheet has nothing to fix: it is only empty yet."""
    mara = visited.sits("Mara")
    sheet = built(visited)
    untouched = mara.get(f"{sheet}?step=all").text
    assert "52</b> left" in untouched
    assert "to fix" not in untouched
    mara.fill(f"{sheet}/save", **{"a.perks.0.text": "Knows every eddy"})
    page = mara.get(f"{sheet}?step=all").text
    main = between(page, "<main", "</main>")
    head = between(main, '<div class="budgets"', "</div>")
    assert "Trait points: <b>52</b> left <small>0 of 52 spent</small>" in head
    assert main.count("52 points left to spend.") == 1
    assert "52 points left to spend." in between(main, 'id="to-mend"', '<p class="buttons steer">')
    assert main.count("1 to fix") == 1
    assert re.search(r'name="submit" value="1"[^>]* aria-describedby="to-mend"', main)
    sheet = built(visited)
    mara.fill(f"{sheet}/save", **{"a.traits.aim": "10"})
    page = mara.get(f"{sheet}?step=all").text
    assert "Aim starts at 9 at most" in told_at(page, "f-s-traits-aim")
    told = told_at(page, "f-s-traits-aim")
    assert f"/t/{visited.campaign}/rules/toast?rule=toast.3.1-max9#" in told
    assert 'Rules<span class="sr">: ' in told
    assert 'Rules<span class="sr"> for Traits</span></a>' in page
    assert "Trait points: <b>42</b> left" in page


def test_what_is_to_fix_is_linked_where_it_stands_and_a_refused_sheet_is_kept(visited):
    mara, sheet = visited.sits("Mara"), built(visited)
    traits = {"a.traits.aim": "10", "name": "Ada"}
    saved = mara.script("POST", f"{sheet}/save", step="traits", **traits).text
    link = re.findall(r'<a href="([^"]*)">[0-9]+ to fix</a>', saved)
    assert link == [f"{sheet}?step=ready#to-mend"]
    assert 'id="to-mend"' not in saved
    assert 'id="to-mend"' in mara.get(link[0]).text
    for step in ("ready", "all"):
        refused = mara.fill(f"{sheet}/submit", step=step, **traits)
        head = between(refused.text, '<p class="saved">', "</p>")
        assert (refused.status_code, head.partition(" <")[0]) == (422, "Saved.")
        assert '<a href="#to-mend">' in head
    unkept = mara.fill(f"{sheet}/submit", step="all", **{"a.traits.aim": "lots"})
    assert "Not everything could be saved." in between(unkept.text, '<p class="saved">', "</p>")


def test_a_sheet_that_no_hand_may_change_so_comes_back_as_it_was_typed(visited):
    gm, sheet = visited.sits("GM"), f"{visited.t}/characters/{visited.entity('Mara Vell')}"
    typed = {"a.perks.0.text": "Good at everything", "a.traits.aim": "3", "name": "Mara V."}
    answer = gm.fill(f"{sheet}/save", **typed)
    assert answer.status_code == 422
    assert value_of(answer.text, "f-s-traits-aim") == "3"
    assert value_of(answer.text, "f-s-name") == "Mara V."
    assert 'value="Good at everything"' in answer.text
    assert "sheet-saved" not in visited.kinds()


def test_a_name_that_cannot_be_is_told_beside_the_name(visited):
    sheet = built(visited)
    page = visited.sits("Mara").fill(f"{sheet}/save", name="x" * 61, line="A rover").text
    assert "at most 60 characters" in told_at(page, "f-s-name")
    assert value_of(page, "f-s-name") == "x" * 61
    assert value_of(page, "f-s-line") == "A rover"


def test_the_gm_sees_what_was_changed_since_a_sheet_was_sent_back(visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    sheet = f"{visited.t}/characters/{visited.entity('Mara Vell')}"
    nothing = gm.fill(f"{sheet}/decide", accept="no", reason=" ")
    assert nothing.status_code == 422
    assert "Write which changes" in told_at(nothing.text, "f-s-reason")
    gm.fill(f"{sheet}/decide", accept="no", reason="Your aim once more.")
    page = mara.get(sheet).text
    assert "points" not in between(page, '<div class="budgets"', "</div>"), "it is not a new sheet"
    mara.fill(f"{sheet}/save", **{"a.traits.aim": "5"})
    mara.fill(f"{sheet}/submit", **{"a.traits.aim": "1", "a.traits.attack": "8"})
    assert "Aim 7, now 1; Attack 4, now 8." in between(gm.get(sheet).text, "GM approval", "</form>")


def test_every_form_of_the_server_refuses_a_program_with_a_code():
    with visit() as visited:
        gm = visited.sits("GM")
        mara = visited.entity("Mara Vell")
        for path in ("characters", f"characters/{mara}/decide", "moves", "session/close"):
            sent = {"_csrf_token": gm.token(), "name": "x" * 99, "count": "x"}
            answer = gm.post(f"{visited.t}/{path}", data=sent, headers=JSON)
            assert answer.status_code in {400, 409, 422}, path
            assert set(answer.json()) == {"code", "sentence", "problems"}, path
    assert "entity_make" in ROUTES


def test_real_dice_that_came_too_early_are_asked_for_again(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    sent = {"move": "task", "entity": visited.entity("Mara Vell"), "a__trait": "aim", "faces": "9"}
    told = "Your real dice are not in the log yet"
    plain = mara.fill(f"{visited.t}/moves", **sent)
    assert (plain.status_code, told in plain.text) == (200, True)
    script = mara.script("POST", f"{visited.t}/moves", **sent)
    assert (script.status_code, told in script.text) == (200, True)
    assert told not in mara.script("POST", f"{visited.t}/moves", **{**sent, "faces": ""}).text
    assert visited.kinds().count("proposed") == 3
    assert visited.kinds()[-1] == "proposed", "no die has fallen"
    gm.fill(f"{visited.t}/settings", **{"t.gm_confirms": "trust"})
    at_once = mara.fill(f"{visited.t}/moves", **sent)
    assert at_once.status_code == 303
    assert visited.kinds()[-1] == "move"


def test_a_card_that_was_filled_in_wrongly_comes_back_filled_in_without_a_script(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    sent = {"move": "task", "entity": visited.entity("Mara Vell"), "a__trait": "aim"}
    mara.fill(f"{visited.t}/moves", **sent, a__what="Hold the gate")
    (settle,) = set(re.findall(r'action="([^"]+/settle)"', gm.get(visited.t).text))
    typed = {"a__difficulty": "custom", "a__number": "many", "hide": "number"}
    page = gm.fill(settle, **typed)
    card = between(page.text, '<li class="card ask mine" id="prop-', "</form>")
    assert page.status_code == 422
    assert "many" in between(card, 'name="a.number"', ">")
    assert "must be a whole number" in card
    gm.fill(settle, a__difficulty="hard")
    (throw,) = re.findall(r'action="([^"]+/throw)"', mara.get(visited.t).text)
    page = mara.fill(throw, faces="99").text
    card = between(page, '<li class="card ask mine" id="prop-', "</form>")
    assert 'value="99"' in between(card, 'name="faces"', ">")
    mara.fill(throw, faces="kick")
    (answer,) = re.findall(r'action="([^"]+/asks/[^"]+/answer)"', mara.get(visited.t).text)
    long = "It is all true. " * 200
    page = mara.fill(answer, a__text=long)
    assert page.status_code == 422
    assert long.strip() in page.text
    card = between(page.text, '<li class="card ask" id="ask-', "</form>")
    assert "are allowed." in card
    assert re.search(r'<details class="more" id="as-[^"]+" open>', card)


def test_whoever_belongs_to_a_seat_that_has_ended_changes_hands_by_name_only(visited):
    gm, mara = visited.sits("GM"), visited.seats["Mara"].id
    vell = visited.entity("Mara Vell")
    gm.fill(f"{visited.t}/seats/{mara}/decide", verdict="revoke")
    page = gm.get(f"{visited.t}/desk").text
    form = between(page, f'action="{visited.t}/characters/{vell}/change"', "</form>")
    assert f'value="{mara}" selected>Mara (seat ended)<' in form
    sent = {"name": "Mara Vell", "line": "Missed by all", "owner": mara, "hidden": "off"}
    assert gm.fill(f"{visited.t}/characters/{vell}/change", **sent).status_code == 303
    table = visited.server.tables.campaign(visited.campaign).table
    assert (table.entities[vell].owner, table.entities[vell].line) == (mara, "Missed by all")
    gm.fill(f"{visited.t}/characters/{vell}/change", owner="gm")
    table = visited.server.tables.campaign(visited.campaign).table
    assert table.entities[vell].owner == "gm"


def test_the_words_of_a_move_that_is_over_are_told_again(visited):
    """Somebody asks for a perk while the GM ends the session."""
    mara = visited.sits("Mara")
    asked = {"move": "petition", "entity": visited.entity("Mara Vell"), "back": "closing"}
    told = {"a__perk": "Rings <bells>", "a__reason": "That night."}
    refused = mara.fill(f"{visited.t}/moves", **asked, **told)
    assert refused.status_code == 422
    assert "You had written: Rings &lt;bells&gt; / That night." in refused.text
