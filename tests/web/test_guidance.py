"""Guidance on a page: the next action, and the reasons of refusals."""

import asyncio
import re
from pathlib import Path

import pytest

from kitchentable.app import kept
from kitchentable.app.local_games import LocalGames
from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from tests.web.visitors import Visited, visit


def played(visited: Visited, *lines: tuple[str, str]) -> None:
    """Play lines as a playthrough writes them: who, and what."""
    stage = Stage(visited.server, "toast", visited.campaign)
    stage.seats.update({name: seat.id for name, seat in visited.seats.items()})

    async def play() -> None:
        for who, what in lines:
            sent = command(stage, who, what.split())
            await visited.server.tables.handle(visited.campaign, sent)

    asyncio.run(play())


def picked(page: str) -> str:
    """The move that lies ready in the panel."""
    found = re.search(r'name="move" id="[^"]+" value="(\w+)" checked', page)
    assert found is not None
    return found[1]


def test_what_lies_ready_in_a_fight_is_a_roll_and_never_the_way_out_of_it():
    with visit() as visited:
        played(visited, ("GM", "begin"), ("GM", "move fight"))
        mara = visited.sits("Mara")
        assert picked(mara.get(visited.t).text) == "initiative"
        mara.fill(f"{visited.t}/moves", move="initiative", entity=visited.entity("Mara Vell"))
        after = mara.get(visited.t).text
        assert 'value="leave"' in after
        assert picked(after) == "task"


def test_an_idea_for_a_twist_is_shown_in_its_own_words():
    with visit() as visited:
        played(
            visited,
            ("GM", "begin"),
            ("GM", "move fight"),
            ("Jonas", f"move initiative for {visited.entity('Old Tam')} faces=flub"),
        )
        jonas, gm = visited.sits("Jonas"), visited.sits("GM")
        card = re.search(r'action="([^"]+/asks/[^"]+/answer)"', jonas.get(visited.t).text)
        assert card is not None
        jonas.fill(card[1], a__text="The cleaver sticks.")
        page = gm.get(visited.t).text
        assert "<dt>Jonas</dt><dd>The cleaver sticks.</dd>" in page
        again = jonas.get(visited.t).text
        assert "You have answered." in again
        assert "waiting for you" not in again


@pytest.mark.parametrize(
    ("path", "fields", "sentence", "place"),
    [
        (
            "seats/{mara}/rename",
            {"name": "Jonas"},
            "Somebody at this table is called Jonas",
            "#seats",
        ),
        ("session/end", {}, "session", "#evening"),
        ("options", {}, "already set", "#rules-of"),
        ("override", {"path": "nowhere", "value": "1", "reason": "x"}, "to fix", "#hand"),
    ],
)
def test_the_desk_says_at_its_head_what_it_could_not_do(visited, path, fields, sentence, place):
    gm = visited.sits("GM")
    answer = gm.fill(f"{visited.t}/{path.format(mara=visited.seats['Mara'].id)}", **fields)
    assert answer.status_code == 422
    head = answer.text.partition('<section id="evening"')[0]
    assert sentence in head
    assert f'<a href="{place}">' in head


def test_somebody_who_has_no_character_is_told_where_to_make_one():
    with visit() as visited:
        gm = visited.sits("GM")
        made = visited.host().fill("/new", game="toast", title="Ash", gm_name="Ethel")
        campaign = re.findall(r"/t/([^/]+)$", made.headers["location"])[0]
        new = Visited(visited.server, campaign, visited.app, visited.client)
        assert gm.get(visited.t).status_code == 200
        invite = kept.join_key(new.server, campaign)
        guest = new.stranger()
        guest.get(f"/join/{invite}")
        guest.fill("/join", key=invite, name="Lene", role="player")
        boss = new.sits("Ethel")
        assert "No players yet." in boss.get(new.t).text
        boss.fill(f"{new.t}/seats/{new.seats['Lene'].id}/decide", verdict="approve", back="table")
        assert "No player has a character yet." in boss.get(new.t).text
        page = guest.get(new.t).text
        waiting = page.partition('<div id="waiting"')[2].partition('id="party"')[0]
        assert "Make your character" in waiting
        assert "Your rolls appear here." in page
        assert re.search(r'class="badge">1<', page)
        guest.fill(f"{new.t}/characters", kind="pc", name="Ada")
        page = guest.get(new.t).text
        waiting = page.partition('<div id="waiting"')[2].partition('id="party"')[0]
        assert "Continue building" in waiting
        assert "Make your character" not in waiting


def test_a_game_without_options_has_no_form_of_rules(tmp_path):
    games = LocalGames(tmp_path)
    games.put(Path(__file__).parents[2] / "examples" / "playbooks")
    with visit(server=Server(MemoryStore(), local_games=games), game="saltwick") as visited:
        desk = visited.sits("GM").get(f"{visited.t}/desk").text
        host = visited.host()
        new, other = (host.get(f"/new?game={game}").text for game in ("saltwick", "toast"))
    assert "Change rules" not in desk
    assert "rules-of" not in desk
    assert 'href="#run"' in desk
    assert "<h2>Rules</h2>" not in new
    assert "Table settings" in new
    assert "<h2>Rules</h2>" in other


def test_growth_that_a_track_pays_for_stands_at_the_closing_and_among_the_moves(tmp_path):
    games = LocalGames(tmp_path)
    games.put(Path(__file__).parents[2] / "examples" / "playbooks")
    with visit(server=Server(MemoryStore(), local_games=games), game="saltwick") as visited:
        gm, ines = visited.sits("GM"), visited.sits("Ines")
        paid = {"a__who": visited.entity("Wenna"), "a__track": "lessons", "a__more": "5"}
        gm.fill(f"{visited.t}/session/begin")
        gm.fill(f"{visited.t}/moves", move="mark", **paid, a__why="A hard week")
        table = ines.get(visited.t).text
        gm.fill(f"{visited.t}/session/close")
        closing = ines.get(f"{visited.t}/closing").text
    assert '<p class="minor">Growth</p>' in table
    assert '<input type="hidden" name="move" value="grow">' in closing


def test_a_number_in_the_builder_has_the_bounds_of_its_rules(tmp_path):
    games = LocalGames(tmp_path)
    games.put(Path(__file__).parents[2] / "examples" / "playbooks")
    with visit(server=Server(MemoryStore(), local_games=games), game="saltwick") as visited:
        page = visited.sits("GM").get(f"{visited.t}/characters/{visited.entity('Wenna')}").text
    numbers = re.findall(r'<input type="number" name="a.traits.salt".*?>', page)
    assert ['min="-1" max="3"' in number for number in numbers] == [True]
    assert re.search(r'<form id="builder" novalidate', page)


def test_a_choice_with_the_title_of_its_part_is_headed_once(tmp_path):
    games = LocalGames(tmp_path)
    games.put(Path(__file__).parents[2] / "examples" / "playbooks")
    with visit(server=Server(MemoryStore(), local_games=games), game="saltwick") as visited:
        gm = visited.sits("GM")
        where = gm.fill(f"{visited.t}/characters", kind="hand", name="Ada").headers["location"]
        page = gm.get(f"{where}?step=all").text
    assert re.search(r"<h2[^>]*>Playbook</h2>", page)
    assert '<legend class="sr">Playbook' in page


def test_at_the_end_of_a_session_it_is_said_what_can_still_be_done():
    with visit(game="lanterns") as visited:
        gm, table = visited.sits("GM"), visited.server.tables.campaign(visited.campaign).table
        player = table.players()[0]
        (mine,) = table.owned_by(player.id)
        gm.fill(f"{visited.t}/session/begin")
        gm.fill(f"{visited.t}/session/close")
        page = visited.sits(player.name).get(f"{visited.t}/closing").text
    assert f'entity={mine.id}&amp;move=refill#dock">Fill up at the chapel</a>' in page
    assert "Nothing left to do." not in page


def test_a_co_gm_is_shown_nothing_that_is_the_gms_alone(visited):
    gm, mara, t = visited.sits("GM"), visited.sits("Mara"), visited.t
    seat = visited.seats["Mara"].id
    gm.fill(f"{t}/seats/{seat}/role", role="cogm")
    key = re.search(r"/join/([\w-]+)", gm.get(f"{t}/desk").text)[1]
    guest = visited.stranger()
    guest.get(f"/join/{key}")
    assert guest.fill("/join", key=key, name="Ada").status_code == 303
    alone = ("/decide", "/role", "/hand-over", "/settings", "/options")

    def shown(visitor):
        desk, table = visitor.get(f"{t}/desk").text, visitor.get(t).text
        forms = re.findall(r'<form[^>]* action="([^"]+)"', desk)
        only = {end for end in alone for form in forms if form.endswith(end)}
        return only, "Ada</b> is at the door" in table, "Ada asks to play." in desk

    assert shown(gm) == (set(alone), True, True)
    assert shown(mara) == (set(), False, True)
    theirs = gm.get(f"{t}/desk").text.partition(f'id="sr-{seat}"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w+)" selected', theirs) == ["cogm"]
    assert ">co-GM</span>" in gm.get(f"{t}/desk").text
