"""How the fight that is on would end: told where the reader knows enough, and only then."""

import asyncio
import re
from fractions import Fraction

import pytest

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.fights.named import Forecast, forecast, foresee
from kitchentable.rulesets.toast.melee import FIGHTS, Fighter, Melee
from kitchentable.web import tablepage
from tests.web.visitors import visit


@pytest.fixture
def house():
    with visit() as visited:
        stage = Stage(visited.house, "toast", visited.campaign)
        for seat in visited.seats.values():
            stage.seats[seat.name] = seat.id

        def play(who, *words):
            sent = command(stage, who, list(words))
            asyncio.run(visited.house.tables.handle(visited.campaign, sent))

        visited.play = play
        yield visited


def test_the_gm_hears_how_a_fight_would_end(house):
    gm = house.sits("GM")
    assert "How would it end?" not in gm.get(house.t).text
    refused = gm.get(f"{house.t}/forecast")
    assert refused.status_code >= 400
    assert "No fight is on whose end could be told" in refused.text
    house.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    assert "How would it end?" in gm.get(house.t).text
    told = gm.get(f"{house.t}/forecast")
    shares = re.findall(r'<th scope="row">(\w+)</th><td>(\d+)\s%</td>', told.text)
    assert {side for side, _ in shares} == {"heroes", "foes"}
    assert sum(int(share) for _, share in shares) == 100
    assert "Exact: every way the dice can fall is in it." in told.text


def test_a_closed_foes_numbers_cannot_be_guessed_from_it(house):
    house.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    mara = house.sits("Mara")
    assert "How would it end?" not in mara.get(house.t).text
    assert mara.get(f"{house.t}/forecast").status_code >= 400
    house.play("GM", "change", "Captain Serk", "open=yes")
    assert "How would it end?" in mara.get(house.t).text
    assert "heroes" in mara.get(f"{house.t}/forecast").text


def test_a_large_fight_is_counted(house):
    heroes = '["@Mara Vell","@Old Tam","@Brother Ivo"]'
    foes = '["@Captain Serk","@Guard on the stair","@Guard by the door"]'
    house.play("GM", "move", "fight", f"heroes={heroes}", f"foes={foes}")
    assert "Counted over 500 fights." in house.sits("GM").get(f"{house.t}/forecast").text


def test_a_side_that_never_wins_is_told_of_too(house, monkeypatch):
    house.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    wins = {"foes": Fraction(1), "heroes": Fraction(0)}
    for fights, chance in ((0, "0\u00a0%"), (500, "none of 500 fights")):
        told = Forecast(wins, Fraction(3), {}, fights, Fraction(fights, 5000))
        monkeypatch.setattr(tablepage, "foresee", lambda *_, told=told: told)
        page = house.sits("GM").get(f"{house.t}/forecast").text
        assert f'<th scope="row">heroes</th><td>{chance}</td>' in page
        assert ("10\u00a0% of them were broken off" in page) == bool(fights)


def test_whoever_has_fallen_already_wins_nothing():
    fought = FIGHTS["melee"]
    told = forecast(fought, fought.start({}, ours="4/4/4/2", theirs="4/4/4/2"))
    assert dict(told.wins) == {"ours": Fraction(1, 2), "theirs": Fraction(1, 2)}
    fallen = (Fighter("ours", 4, 4, 4, 2), Fighter("theirs", 4, 4, 4, 0))
    assert list(forecast(fought, Melee(fallen)).wins.items()) == [("ours", 1), ("theirs", 0)]
    assert list(foresee(fought, Melee(fallen)).wins.items()) == [("ours", 1), ("theirs", 0)]
    assert str(forecast(fought, Melee(fallen), fights=10)).splitlines()[1] == "theirs win 0.00 %"
