"""The queue in the head of every page, verdicts, and the search."""

import asyncio
import re

import pytest

from kitchentable.campaign.commands import ChangeEntity
from tests.web.visitors import Visited, Visitor, visit

PLAYERS = ("Mara", "Jonas", "Lene")


def ask(visited: Visited, who: str, what: str) -> str:
    """Send a roll to the GM; its id."""
    visited.sits(who).fill(f"{visited.t}/say", text=f"/task perception {what}")
    return next(reversed(visited.server.tables.campaign(visited.campaign).tree["proposals"]))


def open_rolls(visited: Visited) -> dict[str, dict[str, object]]:
    return dict(visited.server.tables.campaign(visited.campaign).tree["proposals"])


def take_back(gm: Visitor, told: str) -> int:
    """Tap Undo as it came with an answer; the status."""
    (undo,) = re.findall(r'hx-post="([^"]*/undo/[^"]*)"', told)
    also = re.findall(r'name="also" value="(\d+)"', told)
    headers = {"hx-request": "true", "x-csrftoken": gm.token(), "kt-undo": "1"}
    return gm.post(undo, headers=headers, data={"also": also}).status_code


@pytest.mark.parametrize("where", ["/desk", "/journal", "/devices", "/help"])
def test_the_gms_queue_is_on_every_page_with_the_players_words(shared: Visited, where: str):
    if not open_rolls(shared):
        ask(shared, "Mara", "who is on the stair")
    page = shared.sits("GM").get(f"{shared.t}{where}").text
    queue = page.partition('id="queue"')[2].partition("</main>")[0]
    assert "<q>who is on the stair</q>" in queue
    assert re.search(r'name="a.difficulty" value="hard"', queue)
    other = shared.sits("Lene").get(f"{shared.t}/journal").text
    assert 'name="a.difficulty"' not in other


def test_the_gm_sees_the_chance_with_each_difficulty(visited: Visited):
    roll = ask(visited, "Mara", "")
    for who, seen in (("GM", ["easy", "medium", "hard"]), ("Mara", [])):
        page = visited.sits(who).get(visited.t).text
        card = page.partition(f'id="prop-{roll}"')[2].partition("</li>")[0]
        chances = dict(
            re.findall(r'name="a.difficulty" value="(\w+)"[^>]*>[^<]*<small>(\d+)\xa0%', card)
        )
        assert list(chances) == seen
        assert sorted(chances.values(), key=int, reverse=True) == [*chances.values()]


def test_a_verdict_from_the_queue_settles_at_once_and_draws_it_anew(visited: Visited):
    roll = ask(visited, "Mara", "")
    gm = visited.sits("GM")
    headers = {"hx-request": "true", "x-csrftoken": gm.token(), "kt-queue": "1"}
    answer = gm.post(
        f"{visited.t}/proposals/{roll}/settle", data={"a.difficulty": "hard"}, headers=headers
    )
    assert "hx-refresh" not in answer.headers
    assert 'hx-target="#waiting"' in answer.text
    assert open_rolls(visited)[roll]["answers"]["difficulty"] == "hard"
    assert "gm" in open_rolls(visited)[roll]["spoken"]


def test_a_number_that_is_hidden_is_hidden_as_a_whole(visited: Visited):
    roll = ask(visited, "Mara", "")
    gm = visited.sits("GM")
    assert 'name="a.number" type="number"' in gm.get(visited.t).text
    fields = {"a__difficulty": "custom", "a__number": "13", "hide": "*"}
    gm.fill(f"{visited.t}/proposals/{roll}/settle", **fields)
    settled = open_rolls(visited)[roll]
    assert settled["answers"]["number"] == 13
    assert settled["hidden"] == ["difficulty", "number"]
    told = visited.sits("Mara").script("GET", f"{visited.t}/needs").text
    # Ids are drawn at random, and may have the digits.
    told = told.replace(roll, "").replace(visited.campaign, "")
    assert "13" not in re.sub(r"<input[^>]*>|-?pf-[^ ]*", "", told)


def test_all_are_approved_at_once_as_they_stand(visited: Visited):
    rolls = [ask(visited, who, "") for who in PLAYERS]
    gm = visited.sits("GM")
    assert "Approve all 3" in gm.get(visited.t).text
    assert visited.sits("Mara").fill(f"{visited.t}/approve-all").status_code < 400
    assert all("gm" not in one["spoken"] for one in open_rolls(visited).values()), "not hers to say"
    answer = gm.script("POST", f"{visited.t}/approve-all")
    assert "3 rolls are approved." in answer.text
    assert all("gm" in open_rolls(visited)[roll]["spoken"] for roll in rolls)
    take_back(gm, answer.text)
    assert all("gm" not in open_rolls(visited)[roll]["spoken"] for roll in rolls)


def test_the_search_finds_what_a_seat_may_know_and_no_more(visited: Visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    abbot = visited.entity("Captain Serk")
    seat = visited.seats["GM"].id
    hide = ChangeEntity(id="hide", seat=seat, entity=abbot, name="The Quiet Abbot", hidden=True)
    asyncio.run(visited.server.tables.handle(visited.campaign, hide))

    def found(who, word: str) -> str:
        return who.get(f"{visited.t}/find?q={word}").text.partition('id="found"')[2]

    assert f"/sheets/{abbot}" in found(gm, "abbot")
    assert "/sheets/" not in found(mara, "abbot")
    assert "a.trait=perception" in found(mara, "perc").replace("a.trait%3D", "a.trait=")
    assert "Good with rifles" in found(mara, "rifles")
    assert "Good with rifles" not in found(visited.sits("Lene"), "rifles")
    assert "/rules/toast" in found(mara, "kick")
    assert "No results for" in found(mara, "zzzz")
    assert "/journal?words=zz%20z" in found(mara, "zz z").replace("+", "%20")


def test_a_verdict_can_be_taken_back_at_once(visited: Visited):
    roll = ask(visited, "Mara", "")
    gm = visited.sits("GM")
    answer = gm.script("POST", f"{visited.t}/proposals/{roll}/settle", **{"a.difficulty": "hard"})
    assert "Mara Vell, Task (ready to roll)" in answer.text
    assert "gm" in open_rolls(visited)[roll]["spoken"]
    assert take_back(gm, answer.text) == 200
    assert "gm" not in open_rolls(visited)[roll]["spoken"]
    assert take_back(gm, answer.text) == 409, "taken back already: said at once"


def test_what_the_table_waits_for_stands_before_characters_to_approve(visited: Visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    made = mara.fill(f"{visited.t}/characters/make", kind="pc", how="archetype", which="healer")
    assert made.status_code < 400
    entity = re.search(r"/characters/([^?]+)", made.headers["location"])[1]
    mara.fill(f"{visited.t}/characters/{entity}/submit")
    roll = ask(visited, "Mara", "the cellar")
    gm.fill(f"{visited.t}/proposals/{roll}/settle")
    mara.fill(f"{visited.t}/proposals/{roll}/throw", faces="kick")
    waiting = gm.get(visited.t).text.partition('id="waiting"')[2]
    places = [waiting.index(one) for one in ("a kick", "is ready to approve", "A perk for")]
    assert places == sorted(places)


def test_the_buttons_of_a_verdict_stand_below_their_question():
    with visit(game="toaster") as visited:
        rita, gm = visited.sits("Rita"), visited.sits("GM")
        for line in ("/attack Captain Voss", "/task"):
            assert rita.script("POST", f"{visited.t}/say", text=line).status_code == 200
        cards = re.findall(r"<fieldset><legend.*?</fieldset>", gm.get(visited.t).text)
        assert any("<legend>Does Captain Voss get a defense roll?</legend>" in one for one in cards)
        assert any('<legend class="sr">Difficulty</legend>' in one for one in cards)
