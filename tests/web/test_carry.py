"""A character leaves for another game, and arrives there as a draft."""

from __future__ import annotations

import json
import threading

from kitchentable.web import carry
from tests.web.test_making import Forms, send
from tests.web.visitors import visit


def fields_of(page: str, button: str) -> tuple[str, dict[str, str]]:
    """Where a form of the page is sent by this button, with what stands in it."""
    forms = Forms(page)
    where, own = forms.buttons[button]
    return where, forms.forms[own.pop("")] | own


def test_a_character_is_saved_for_another_game_and_arrives_there(visited):
    mara = visited.sits("Mara")
    path = f"{visited.t}/characters/{visited.entity('Mara Vell')}/carry"
    assert f'href="{path}"' in mara.get(path.replace("characters", "sheets")[: -len("/carry")]).text
    assert "Choose ..." in mara.get(path, params={"to": "nonsense"}).text
    assert visited.sits("Jonas").get(path).status_code == 404
    page = mara.get(path, params={"to": "objects"}).text
    assert "Toast: Task, Difficulty: Medium 11. Objects: Roll." in page
    _, form = fields_of(page, "Save for Objects")
    assert (form["from.basic.agile"], form["level.basic.agile"]) == ("dexterity", "2")
    # A trait is changed, and its level follows; one level is set, another is nonsense.
    form |= {"from.basic.handy": "aim", "level.basic.tough": "5", "level.basic.witty": "--5"}
    _, form = fields_of(mara.get(path, params=form | {"do": ""}).text, "Save for Objects")
    kept = {key: form[f"level.basic.{key}"] for key in ("handy", "tough", "witty")}
    assert kept == {"handy": "3", "tough": "5", "witty": "2"}
    told = mara.get(path, params=form | {"do": "save"})
    assert told.headers["content-disposition"].endswith('"Mara-Vell.kitchentable.json"')
    assert told.json()["answers"]["basic.tough"] == 5
    with visit(game="objects") as there:
        player = next(one.name for one in there.seats.values() if one.role == "player")
        arrived = send(there.sits(player), there, told.content)
        assert arrived.status_code == 303
        people = there.server.tables.campaign(there.campaign).table.entities.values()
        draft = next(one for one in people if one.stage == "draft")
        assert (draft.name, draft.sheet["basic"]["tough"]) == ("Mara Vell", 5)
        assert draft.sheet["talents"][0]["name"] == "Aesthetics"


def test_a_file_of_another_game_is_matched_before_it_becomes_a_draft(visited):
    mara = visited.sits("Mara")
    told = mara.get(f"{visited.t}/characters/{visited.entity('Mara Vell')}/file")
    with visit(game="lucky_stars") as there:
        player = there.sits(next(s.name for s in there.seats.values() if s.role == "player"))
        # Every page of it is a GET, so that going back asks nothing.
        page = player.get(send(player, there, told.content).headers["location"])
        assert (page.status_code, "From Toast to These Lucky Stars" in page.text) == (200, True)
        where, form = fields_of(page.text, "Make the draft")
        again = player.post(where, data=form | {"do": "", "from.stats.will": "aim"})
        assert "csrf" not in again.headers["location"]
        where, form = fields_of(player.get(again.headers["location"]).text, "Make the draft")
        assert form["level.stats.will"] == "6"
        made = player.post(where, data=form)
        assert made.headers["location"].endswith("?step=ready")
        people = there.server.tables.campaign(there.campaign).table.entities.values()
        draft = next(one for one in people if one.stage == "draft")
        assert (draft.name, draft.sheet["stats"]["will"]) == ("Mara Vell", 6)
        refused = there.sits("GM").get(where)
        assert (refused.status_code, "not a character file" in refused.text) == (422, True)
        odd = told.json() | {"options": {"medium": "x"}}
        refused = send(player, there, json.dumps(odd).encode())
        assert (refused.status_code, "not valid for Toast" in refused.text) == (422, True)


def test_all_who_carry_over_share_one_thread(visited, monkeypatch):
    threads, step = set(), carry.step

    def watched(*arguments):
        threads.add(threading.current_thread().name)
        return step(*arguments)

    monkeypatch.setattr(carry, "step", watched)
    path = f"{visited.t}/characters/{visited.entity('Mara Vell')}/carry"
    assert visited.sits("Mara").get(path, params={"to": "lanterns"}).status_code == 200
    assert threads == {"working_0"}
