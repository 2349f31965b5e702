"""Altered dice: only if the table's options allow it, and always visible."""

from __future__ import annotations

import re


def rolled(visited, gm):
    """The GM throws 2d6, typed in as 1 and 2; the place of that entry in the log."""
    gm.fill(f"{visited.t}/say", text="/roll 2d6", faces="1 2")
    page = gm.get(visited.t).text
    return re.findall(rf"{visited.t}/undo/([\w=-]+)", page)[-1]


def test_a_table_without_fudging_offers_no_alteration_and_refuses_one(visited):
    gm = visited.sits("GM")
    cursor = rolled(visited, gm)
    assert "Alter result" not in gm.get(f"{visited.t}/undo/{cursor}").text
    answer = gm.fill(f"{visited.t}/alter/{cursor}", faces="6 6", reason="Mercy")
    assert answer.status_code == 409
    assert "may not alter results" in answer.text
    assert "altered" not in visited.kinds()


def test_where_it_is_logged_everybody_reads_that_the_gm_altered_a_result(visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    gm.fill(f"{visited.t}/settings", t__fudge="logged")
    cursor = rolled(visited, gm)
    assert "Alter result" in gm.get(f"{visited.t}/undo/{cursor}").text
    assert gm.fill(f"{visited.t}/alter/{cursor}", faces="6 6", reason="Mercy").is_redirect
    assert visited.kinds()[-1] == "altered"
    log = mara.get(visited.t).text
    assert "Mercy" in log
    assert "<strong>12</strong>" in log
    assert mara.fill(f"{visited.t}/alter/{cursor}", faces="1 1", reason="No").status_code >= 400


def test_faces_that_cannot_be_get_a_sentence_and_change_nothing(visited):
    gm = visited.sits("GM")
    gm.fill(f"{visited.t}/settings", t__fudge="logged")
    cursor = rolled(visited, gm)
    answer = gm.fill(f"{visited.t}/alter/{cursor}", faces="6", reason="Mercy")
    assert answer.status_code == 409
    assert "altered" not in visited.kinds()


def offered(visited, gm):
    """The facts that the desk lists for setting by hand: their paths, and what it says of them."""
    page = gm.get(f"{visited.t}/desk").text
    return dict(re.findall(r'<option value="(entities[^"]*)">([^<]*)', page))


def test_the_desk_offers_facts_by_the_name_of_whose_they_are(visited):
    gm = visited.sits("GM")
    people = visited.server.tables.campaign(visited.campaign).table.in_play()
    mara = next(one for one in people if one.name == "Mara Vell")
    path = f"entities.{mara.id}.sheet.traits.aim"
    assert offered(visited, gm)[path] == "Mara Vell, traits aim: 7"
    gm.fill(f"{visited.t}/override", path=path, value="8", reason="A year at sea")
    assert offered(visited, gm)[path] == "Mara Vell, traits aim: 8"
