"""Moves typed at the line in words, and what a character rolled last."""

import asyncio
import re

import pytest

from kitchentable.campaign.commands import ChangeEntity
from tests.web.visitors import Visited, visit


def said(visited: Visited, who: str, line: str) -> str:
    """What the table refuses a line with; "" where it was done."""
    answer = visited.sits(who).script("POST", f"{visited.t}/say", text=line)
    return "" if answer.status_code < 300 else re.sub(r"<[^>]+>", "", answer.text).strip()


def newest(visited: Visited) -> dict[str, object]:
    """The answers of the roll that was proposed or made last."""
    campaign = visited.server.tables.campaign(visited.campaign)
    event = campaign.events[-1]
    if event.kind == "move":
        return dict(event.data["answers"])
    return dict(campaign.tree["proposals"][event.data["proposal"]]["answers"])


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("/task", {"trait": "aim"}),
        ("/task perception", {"trait": "perception"}),
        ("/perception", {"trait": "perception"}),
        ("/knows the krim valley", {"perk": "Knows the Krim valley"}),
        ("/perception knows the krim valley", {"perk": "Knows the Krim valley"}),
        ("/task will, listen at the door", {"trait": "willpower", "what": "listen at the door"}),
        ("/perception listen", {"trait": "perception", "what": "listen"}),
        ("/task soc what=Flatter", {"trait": "social", "what": "Flatter"}),
    ],
)
def test_words_pick_what_the_form_offers(visited: Visited, line: str, answers: dict[str, str]):
    assert said(visited, "Mara", line) == ""
    found = newest(visited)
    assert {name: found[name] for name in answers} == answers
    assert visited.kinds()[-1] == "proposed"


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("/mark Quill bruises 2 fell", {"track": "bruises", "more": 2, "why": "fell"}),
        ("/mark quill, oil, -1, spilt it", {"track": "oil", "more": -1, "why": "spilt it"}),
        ("/mark quill bruises more=1 2 falls", {"more": 1, "why": "2 falls"}),
        ("/mark quill bruises 2nd fall", {"more": 1, "why": "2nd fall"}),
        ("/mark quill bruises fell 3 times", {"more": 1, "why": "fell 3 times"}),
    ],
)
def test_a_number_answers_the_first_number_that_a_move_asks_for(
    line: str, answers: dict[str, object]
):
    with visit(game="lanterns") as visited:
        assert said(visited, "GM", line) == ""
        found = newest(visited)
        assert {name: found[name] for name in answers} == answers


@pytest.mark.parametrize("name", ['"The thing in the trees"', "the thing in the trees", '"trees"'])
def test_words_in_quotation_marks_are_one_value(name: str):
    with visit(game="lanterns") as visited:
        table = visited.server.tables.campaign(visited.campaign).table
        quill = next(one.id for one in table.in_play() if "Quill" in one.name)
        renamed = ChangeEntity(
            id="n", seat=visited.seats["GM"].id, entity=quill, name="The thing in the trees"
        )
        asyncio.run(visited.server.tables.handle(visited.campaign, renamed))
        assert said(visited, "GM", f'/mark {name} bruises 2 "fell twice"') == ""
        found = newest(visited)
        assert (found["who"], found["track"], found["more"]) == (quill, "bruises", 2)
        assert found["why"] == "fell twice"
        for line in ('/mark "thing in" "the trees" bruises', '/mark ""'):
            assert said(visited, "GM", line) != ""


def test_a_number_out_of_range_is_refused_and_marks_nothing():
    with visit(game="lanterns") as visited:
        before = visited.kinds()
        told = said(visited, "GM", "/mark Quill bruises 100 fell")
        assert "goes from -99 to 99, not 100" in told
        assert visited.kinds() == before


def test_a_number_is_a_text_where_the_move_asks_for_no_number(visited: Visited):
    assert said(visited, "Mara", "/perception 2 guards") == ""
    assert newest(visited)["what"] == "2 guards"
    assert said(visited, "Mara", "/say 5") == ""
    assert visited.kinds()[-1] == "said"


def test_words_are_the_text_that_a_form_needs(visited: Visited):
    assert said(visited, "GM", "/npc 3 guards importance=minion") == ""
    assert newest(visited)["name"] == "3 guards"
    assert said(visited, "GM", "/npc Guard of the well importance=minion count=2") == ""
    assert newest(visited)["name"] == "Guard of the well"
    assert "Guard of the well" in visited.sits("GM").get(visited.t).text


def test_an_attack_names_its_target_by_a_word(visited: Visited):
    gm = visited.sits("GM")
    gm.fill(f"{visited.t}/session/begin")
    gm.fill(f"{visited.t}/moves", move="fight")
    for who, face in (("Mara", "10"), ("Jonas", "1"), ("Lene", "1")):
        assert said(visited, who, f"/initiative faces={face}") == ""
    assert said(visited, "GM", "/initiative_all faces=2,4,5") == ""
    assert "Guard by the door or Guard on the stair" in said(visited, "Mara", "/attack guard")
    assert said(visited, "Mara", "/attack the guard by the door") == ""
    assert newest(visited)["target"] == visited.entity("Guard by the door")
    assert "<small>Whom: Guard by the door" in gm.get(visited.t).text, "no words of Mara's"


def test_the_gm_asks_for_no_attack_on_somebody_whom_the_player_does_not_know(visited: Visited):
    gm, mara, guard = visited.sits("GM"), visited.entity("Mara Vell"), "Guard on the stair"
    hide = ChangeEntity(
        id="hide", seat=visited.seats["GM"].id, entity=visited.entity(guard), hidden=True
    )
    asyncio.run(visited.server.tables.handle(visited.campaign, hide))
    offered = gm.get(f"{visited.t}/moves", params={"move": "attack", "entity": mara}).text
    offered = offered.partition('name="a.target"')[2].partition("</select>")[0]
    assert ">Guard by the door" in offered
    assert f">{guard}" not in offered
    own = gm.get(
        f"{visited.t}/moves", params={"move": "attack", "entity": visited.entity("Captain Serk")}
    )
    assert f">{guard}" in own.text.partition('name="a.target"')[2].partition("</select>")[0], (
        "the GM's own know of everybody"
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/task percpetion", "is not a choice of /task"),
        ("/task a", "could be Aesthetics"),
        ("/percpetion", "There is no command"),
        ("/task perception difficulty=easy", ""),
    ],
)
def test_what_cannot_be_meant_does_nothing(visited: Visited, line: str, told: str):
    before = len(visited.kinds())
    refused = said(visited, "Mara", line)
    assert told in refused
    assert refused
    assert len(visited.kinds()) == before


def test_lines_to_choose_from_are_those_of_the_own_sheet(shared: Visited):
    mara = shared.sits("Mara").script("GET", f"{shared.t}/lines").text
    assert '"/Perception"' in mara
    assert '"/task Willpower 6"' in mara or "/task Willpower" in mara
    assert "Best cook in the city" not in mara, "Old Tam's"
    assert shared.stranger().script("GET", f"{shared.t}/lines").status_code >= 400


def test_the_panel_offers_what_was_rolled_last(visited: Visited):
    """After a roll, and after a tap on the same trait; another trait has no such perk."""
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    gm.fill(f"{visited.t}/settings", t__gm_confirms="trust")
    me = visited.entity("Mara Vell")
    perk = "Knows the Krim valley"
    mara.fill(f"{visited.t}/moves", move="task", entity=me, a__trait="perception", a__perk=perk)
    assert visited.kinds()[-1] == "move"

    def picked(**asked: str) -> list[str]:
        page = mara.script("GET", f"{visited.t}/moves", **asked).text
        return re.findall(r'<option value="([^"]+)" selected', page)

    assert picked() == ["perception", perk]
    assert picked(move="task", entity=me, a__trait="perception") == ["perception", perk]
    assert picked(move="task", entity=me, a__trait="aim") == ["aim"]
    assert picked(move="task", entity=me, a__trait="perception", a__perk="") == ["perception"]


def test_a_tap_in_the_fight_aims_at_somebody_or_lets_one_of_ours_act(visited: Visited):
    gm, mara, t = visited.sits("GM"), visited.sits("Mara"), visited.t
    gm.fill(f"{t}/session/begin")
    gm.fill(f"{t}/moves", move="fight")
    for who, face in (("Mara", "10"), ("Jonas", "1"), ("Lene", "1")):
        assert said(visited, who, f"/initiative faces={face}") == ""
    assert said(visited, "GM", "/initiative_all faces=2,4,5") == ""
    serk = visited.entity("Captain Serk")
    assert f"?aim={serk}#dock" in mara.get(t).text
    aimed = mara.get(f"{t}?aim={serk}").text
    assert f'<option value="{serk}" selected' in aimed
    assert 'value="attack" checked' in aimed
    assert f'<option value="{serk}" selected' in gm.get(f"{t}?aim={serk}").text, "he acts"
