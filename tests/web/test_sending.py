"""Requests sent twice take effect once; the cookie decides the seat, never the form."""

import re

from tests.web.visitors import COMMAND


def test_every_form_of_a_page_carries_a_command_of_its_own(shared):
    page = shared.sits("GM").get(f"{shared.t}/desk").text
    commands = COMMAND.findall(page)
    assert len(commands) > 10
    assert len(set(commands)) == len(commands)


def test_a_form_sent_twice_speaks_once(visited):
    mara = visited.sits("Mara")
    for _ in range(3):
        answer = mara.fill(f"{visited.t}/say", text="Once only", command="the-same")
        assert answer.status_code == 303
    assert visited.kinds().count("said") == 1


def test_the_same_command_id_of_two_people_is_two_commands(visited):
    for name in ("Mara", "Jonas"):
        visited.sits(name).fill(f"{visited.t}/say", text=f"I am {name}", command="the-same")
    assert visited.kinds().count("said") == 2


def test_a_roll_sent_twice_throws_once(visited):
    mara = visited.sits("Mara")
    sent = {
        "move": "task",
        "entity": visited.entity("Mara Vell"),
        "a__trait": "aim",
        "command": "the-same",
    }
    visited.sits("GM").fill(f"{visited.t}/settings", t__gm_confirms="trust")
    for _ in range(2):
        assert mara.fill(f"{visited.t}/moves", **sent).status_code == 303
    kinds = visited.kinds()
    assert kinds.count("proposed") == 0
    assert kinds.count("move") == 1
    assert "Aim" in mara.get(visited.t).text


def test_nobody_speaks_from_another_seat(visited):
    mara = visited.sits("Mara")
    mara.fill(f"{visited.t}/say", text="Not the GM", seat=visited.seats["GM"].id)
    event = visited.server.tables.campaign(visited.campaign).events[-1]
    assert event.seat == visited.seats["Mara"].id


def test_several_of_a_kind_come_in_with_one_form_once(visited):
    gm = visited.sits("GM")
    for _ in range(2):
        answer = gm.fill(
            f"{visited.t}/characters", kind="minion", name="Rat", count="3", command="rats"
        )
        assert answer.status_code == 303
    names = [
        e.name for e in visited.server.tables.campaign(visited.campaign).table.entities.values()
    ]
    assert [name for name in names if name.startswith("Rat")] == ["Rat 1", "Rat 2", "Rat 3"]


def test_several_come_in_like_somebody_at_once_in_play(visited):
    gm, table = visited.sits("GM"), visited.server.tables.campaign(visited.campaign).table
    serk = next(one for one in table.entities.values() if one.name == "Captain Serk")
    page = gm.get(f"{visited.t}/desk").text
    assert f'<option value="{serk.id}">Copy of Captain Serk, in play</option>' in page
    gm.fill(f"{visited.t}/characters", kind=serk.id, name="Deserter", count="3")
    found = visited.server.tables.campaign(visited.campaign).table.in_play()
    made = [one for one in found if one.name.startswith("Deserter")]
    assert [one.name for one in made] == ["Deserter 1", "Deserter 2", "Deserter 3"]
    assert all((one.kind, one.sheet) == (serk.kind, serk.sheet) for one in made)
    # To a player the id of somebody is not a kind.
    assert visited.sits("Mara").fill(f"{visited.t}/characters", kind=serk.id).status_code == 400


def test_a_step_is_taken_back_with_those_that_were_shown_and_no_others(visited):
    gm = visited.sits("GM")
    gm.fill(f"{visited.t}/note", which="table", text="First")
    first = visited.server.tables.campaign(visited.campaign).number
    cursor = visited.server.tables.cursors.seal(visited.campaign, first)
    gm.fill(f"{visited.t}/note", which="table", text="Second")
    page = gm.get(f"{visited.t}/undo/{cursor}").text
    shown = re.findall(r'name="also" value="(\d+)"', page)
    assert shown == [str(first + 1)]
    gm.fill(f"{visited.t}/note", which="table", text="Third, meanwhile")
    refused = gm.fill(f"{visited.t}/undo/{cursor}", also=shown[0], reason="a slip")
    assert refused.status_code == 409
    assert re.findall(r'name="also" value="(\d+)"', refused.text) == [
        str(first + 1),
        str(first + 2),
    ]
    done = gm.fill(
        f"{visited.t}/undo/{cursor}", also=[str(first + 1), str(first + 2)], reason="a slip"
    )
    assert done.status_code == 303
    assert "Third, meanwhile" not in str(
        visited.server.tables.campaign(visited.campaign).tree["notes"]
    )


def test_the_way_back_after_day_or_night_stays_on_the_server(shared):
    stranger = shared.stranger()
    for back in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", ""):
        answer = stranger.fill("/theme", theme="dark", back=back)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
    answer = stranger.fill("/theme", theme="dark", back="/help?x=1")
    assert answer.headers["location"] == "/help?x=1"
    assert 'data-theme="dark"' in stranger.get("/help").text


def test_a_token_does_not_stay_in_the_address(shared):
    mara = shared.sits("Mara")
    query = f"?_csrf_token={mara.token()}&command=c&move=task&a.trait=aim&a.trait=attack"
    answer = mara.get(shared.t + query)
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert where == f"{shared.t}?move=task&a.trait=aim&a.trait=attack#moves"
    assert mara.get(where.partition("#")[0]).status_code == 200
    assert "_csrf_token" not in shared.stranger().get("/dice").text.partition("<main")[2]


def test_a_page_without_a_feed_looks_again_after_a_command(shared):
    mara = shared.sits("Mara")
    headers = {"hx-request": "true", "x-csrftoken": mara.token()}
    for page, again in ((shared.t, False), (f"{shared.t}/closing", True)):
        current = {"hx-current-url": f"http://table.example{page}#moves"}
        answer = mara.post(f"{shared.t}/say", data={"text": "Here"}, headers={**headers, **current})
        assert answer.status_code == 200
        assert ("hx-refresh" in answer.headers) is again
