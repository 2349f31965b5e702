"""How the fight that is on would end: told where the reader knows enough, and only then."""

import asyncio
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.fights import Found, forecast, foresee
from kitchentable.rules import Battle, Combatant
from kitchentable.rulesets.toast.melee import FIGHTS, Levels
from kitchentable.web import table_page
from tests.web.visitors import visit


@pytest.fixture
def visited():
    with visit() as visited:
        stage = Stage(visited.server, "toast", visited.campaign)
        for seat in visited.seats.values():
            stage.seats[seat.name] = seat.id

        def play(who, *words):
            sent = command(stage, who, list(words))
            asyncio.run(visited.server.tables.handle(visited.campaign, sent))

        visited.play = play
        yield visited


def test_the_gm_hears_how_a_fight_would_end(visited):
    gm = visited.sits("GM")
    assert "How would it end?" not in gm.get(visited.t).text
    refused = gm.get(f"{visited.t}/forecast")
    assert refused.status_code >= 400
    assert "No fight is on whose end could be told" in refused.text
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    assert "How would it end?" in gm.get(visited.t).text
    told = gm.get(f"{visited.t}/forecast")
    shares = re.findall(r'<th scope="row">(\w+)</th><td>(\d+)\s%</td>', told.text)
    assert {side for side, _ in shares} == {"heroes", "foes"}
    assert sum(int(share) for _, share in shares) == 100
    assert re.search(r"Exact: fractions over \d+ states\.", told.text)
    assert "goes for the foe nearest to falling" in told.text
    assert '<th scope="row">Mara Vell</th><td>heroes</td>' in told.text


def test_a_closed_foes_numbers_cannot_be_guessed_from_it(visited):
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    mara = visited.sits("Mara")
    assert "How would it end?" not in mara.get(visited.t).text
    assert mara.get(f"{visited.t}/forecast").status_code >= 400
    visited.play("GM", "change", "Captain Serk", "open=yes")
    assert "How would it end?" in mara.get(visited.t).text
    assert "heroes" in mara.get(f"{visited.t}/forecast").text


def test_three_against_three_is_told_exactly(visited):
    heroes = '["@Mara Vell","@Old Tam","@Brother Ivo"]'
    foes = '["@Captain Serk","@Guard on the stair","@Guard by the door"]'
    visited.play("GM", "move", "fight", f"heroes={heroes}", f"foes={foes}")
    told = visited.sits("GM").get(f"{visited.t}/forecast").text
    assert re.search(r"Exact to \d+ digits: floats with a proven bound", told)


FALLEN = Battle(
    (Combatant("ours", Levels(4, 4, 4), 2), Combatant("theirs", Levels(4, 4, 4), 0)),
)


def test_a_side_that_never_wins_is_told_of_too(visited, monkeypatch):
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    solved = replace(
        forecast(FIGHTS["melee"], FALLEN), wins={"foes": Fraction(1), "heroes": Fraction(0)}
    )
    counted = Found("thrown", fights=500, undecided=50)
    for found, chance in ((solved.found, "0\u00a0%"), (counted, "none of 500 fights")):
        told = replace(solved, found=found)
        monkeypatch.setattr(table_page, "foresee", lambda *_, told=told: told)
        page = visited.sits("GM").get(f"{visited.t}/forecast").text
        assert f'<th scope="row">heroes</th><td>{chance}</td>' in page
        assert ("50 of them were broken off" in page) == (found is counted)


def test_whoever_has_fallen_already_wins_nothing():
    fought = FIGHTS["melee"]
    told = forecast(fought, fought.start({}, ours="4/4/4/2", theirs="4/4/4/2"))
    assert dict(told.wins) == {"ours": Fraction(1, 2), "theirs": Fraction(1, 2)}
    assert list(forecast(fought, FALLEN).wins.items()) == [("ours", 1), ("theirs", 0)]
    assert list(foresee(fought, FALLEN).wins.items()) == [("ours", 1), ("theirs", 0)]
    assert str(forecast(fought, FALLEN, fights=10)).splitlines()[1] == "theirs win 0.00 %"
