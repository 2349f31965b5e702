"""How the fight that is on would end: told where the reader knows enough, and only then."""

import asyncio
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.fights import Found, NeverEnds, forecast, foresee
from kitchentable.rules import Battle, Combatant, registry
from kitchentable.rulesets.toast.melee import FIGHTS, Levels
from kitchentable.web import forecast as forecast_page
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
    assert "From here, who wins?" not in gm.get(visited.t).text
    refused = gm.get(f"{visited.t}/forecast")
    assert refused.status_code >= 400
    assert "No fight can be forecast" in refused.text
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    assert "From here, who wins?" in gm.get(visited.t).text
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
    assert "From here, who wins?" not in mara.get(visited.t).text
    assert mara.get(f"{visited.t}/forecast").status_code >= 400
    visited.play("GM", "change", "Captain Serk", "open=yes")
    assert "From here, who wins?" in mara.get(visited.t).text
    assert "heroes" in mara.get(f"{visited.t}/forecast").text


def test_three_against_three_is_told_exactly(visited):
    heroes = '["@Mara Vell","@Old Tam","@Brother Ivo"]'
    foes = '["@Captain Serk","@Guard on the stair","@Guard by the door"]'
    visited.play("GM", "move", "fight", f"heroes={heroes}", f"foes={foes}")
    told = visited.sits("GM").get(f"{visited.t}/forecast").text
    assert re.search(r"Exact to \d+ digits: floats with a proven bound", told)


def chances(page):
    """The chances of each table of winners on the page."""
    tables = re.findall(r"<caption>Chances to win</caption>.*?</table>", page, re.DOTALL)
    return [dict(re.findall(r'<th scope="row">(\w+)</th><td>([\d.]+)\s%', one)) for one in tables]


def test_a_fight_is_told_again_with_something_changed(visited):
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    gm = visited.sits("GM")
    [now] = chances(gm.get(f"{visited.t}/forecast").text)
    kinds = gm.get(f"{visited.t}/forecast").text
    assert kinds.count('name="many.') == 2
    foe = re.search(r'name="many\.(\d)"[^>]*aria-label="How many: Captain Serk', kinds)[1]
    more = gm.get(f"{visited.t}/forecast", params={f"many.{foe}": "2"}).text
    before, after = chances(more)
    assert before == now
    assert float(after["heroes"]) < float(now["heroes"])
    weak = gm.get(f"{visited.t}/forecast", params={f"health.{foe}": "1"}).text
    assert float(chances(weak)[1]["heroes"]) > float(now["heroes"])
    assert chances(gm.get(f"{visited.t}/forecast", params={f"many.{foe}": "x"}).text) == [now]
    other = gm.get(f"{visited.t}/forecast", params={"policy.heroes": "random"}).text
    assert "any foe, all equally likely" in other
    for wrong in ({f"many.{foe}": "0"}, {"policy.heroes": "nonsense"}):
        page = gm.get(f"{visited.t}/forecast", params=wrong)
        assert 'role="alert"' in page.text
        assert chances(page.text) == [now]


def test_equal_fighters_who_are_listed_apart_are_no_change(visited):
    gm, guard = visited.sits("GM"), visited.entity("Guard on the stair")
    for trait, level in (("initiative", 2), ("attack", 3)):
        path = f"entities.{guard}.sheet.traits.{trait}"
        gm.fill(f"{visited.t}/override", path=path, value=str(level), reason="As the other one.")
    foes = '["@Guard on the stair","@Captain Serk","@Guard by the door"]'
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', f"foes={foes}")
    page = gm.get(f"{visited.t}/forecast").text
    assert "Guard on the stair, Guard by the door" in page
    assert "With your changes" not in page
    assert len(chances(page)) == 1


def test_another_weapon_and_a_retreat_are_told_beside_the_fight_as_it_is(visited):
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    gm, path = visited.sits("GM"), f"{visited.t}/forecast"
    page = gm.get(path).text
    hero = re.search(r'for="weapon-(\d)">Mara Vell: attack with', page)[1]
    aimed = chances(gm.get(path, params={f"weapon.{hero}": "Aim"}).text)
    rifle = chances(gm.get(path, params={f"weapon.{hero}": "Aim: Good with rifles"}).text)
    assert float(aimed[0]["heroes"]) < float(aimed[1]["heroes"]) < float(rifle[1]["heroes"])
    for same in ("Attack", "Spoon"):
        assert len(chances(gm.get(path, params={f"weapon.{hero}": same}).text)) == 1
    away = gm.get(path, params={"retreat.heroes": "retreat at half"}).text
    assert re.search(r'<th scope="row">heroes retreat</th><td>\d+', away)
    assert "Heroes retreat once half of their health is left or less" in away
    # Players learn nothing of what a closed foe could fight with.
    visited.play("GM", "change", "Captain Serk", "open=yes")
    assert "Captain Serk: attack with" in visited.sits("Mara").get(path).text


@pytest.mark.parametrize("game", ["lanterns", "toaster"])
def test_the_weapon_in_use_is_among_those_of_a_fighter(game):
    with visit(game=game) as visited:
        table = visited.server.tables.campaign(visited.campaign).table
        [fought] = visited.server.tables.game(visited.campaign).fights.values()
        mine, theirs = [[o.id for o in table.in_play() if o.is_players is b] for b in (True, False)]
        battle = fought.gather(table, {"players": mine[:1], "others": theirs[:1]})
        weapons = fought.weapons(table, mine[0])
        assert battle.combatants[0].numbers in weapons.values()
        if game == "toaster":
            listed, own = weapons["Shotgun (from the list)"], weapons["Rapier"]
            assert (listed.wc, own.wc, listed.coordination) == (20, 6, own.coordination)
            # A rapier parries; a shotgun leaves only to dodge.
            assert (own.guards[0], listed.guards[0]) == ((8, 8), (7, 7))


def test_players_are_told_nothing_where_odds_are_the_gms(visited):
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    visited.play("GM", "change", "Captain Serk", "open=yes")
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    gm.fill(f"{visited.t}/settings", t__odds_shown="no")
    assert "From here, who wins?" not in mara.get(visited.t).text
    assert mara.get(f"{visited.t}/forecast").status_code == 403
    assert gm.get(f"{visited.t}/forecast").status_code == 200


def test_the_gm_plans_a_fight_of_people_before_it_begins(visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    assert mara.get(f"{visited.t}/plan").status_code == 403
    hero, foe = visited.entity("Mara Vell"), visited.entity("Guard by the door")
    picked = {f"side.{hero}": "players", f"side.{foe}": "others"}
    assert (
        "Pick at least one fighter for each side"
        in gm.get(f"{visited.t}/plan", params={f"side.{hero}": "players"}).text
    )
    [one] = chances(gm.get(f"{visited.t}/plan", params=picked).text)
    [two] = chances(gm.get(f"{visited.t}/plan", params={**picked, f"many.{foe}": "2"}).text)
    assert float(one["players"]) > float(two["players"])
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Guard by the door"]')
    [live] = chances(gm.get(f"{visited.t}/forecast").text)
    assert (live["heroes"], live["foes"]) == (one["players"], one["others"])


#: A fight of Toast begins with two sides, one of Objects with whoever is in it.
FIRST = {"toast", "objects"}
OTHERS = [pytest.param(one, marks=pytest.mark.soak) for one in registry.names() if one not in FIRST]


@pytest.mark.parametrize("game", [*sorted(FIRST), *OTHERS])
def test_a_planned_fight_begins_in_one_step_that_can_be_undone(game):
    with visit(game=game) as visited:
        gm, tables = visited.sits("GM"), visited.server.tables
        table = tables.campaign(visited.campaign).table
        hero = next(one for one in table.in_play() if one.is_players)
        foe = next(one for one in table.in_play() if not one.is_players and not one.hidden)
        picked = {f"side.{hero.id}": "players", f"side.{foe.id}": "others", f"many.{foe.id}": "3"}
        assert "Begin fight" in gm.get(f"{visited.t}/plan", params=picked).text
        before = len(table.entities)
        twice = gm.fill(f"{visited.t}/plan/begin", **picked | {f"many.{hero.id}": "2"})
        assert (twice.status_code, "can be in a fight only once" in twice.text) == (422, True)
        assert gm.fill(f"{visited.t}/plan/begin", **picked).headers["location"].endswith("#fight")
        now = tables.campaign(visited.campaign)
        names = {one.name for one in now.table.entities.values()}
        assert len(now.table.entities) == before + 2
        assert {f"{foe.name} 2", f"{foe.name} 3"} < names
        shown = tables.game(visited.campaign).fight(now.table)
        assert {f"{foe.name} 3", hero.name, foe.name} <= {row.name for row in shown.rows}
        again = gm.fill(f"{visited.t}/plan/begin", **picked)
        assert again.status_code == 422
        cursor = tables.cursors.seal(visited.campaign, now.number)
        assert gm.fill(f"{visited.t}/undo/{cursor}", reason="Not yet.").status_code == 303
        after = tables.campaign(visited.campaign).table
        assert (len(after.entities), after.fight) == (before, None)


FALLEN = Battle(
    (Combatant("ours", Levels(4, 4, 4), 2), Combatant("theirs", Levels(4, 4, 4), 0)),
)


@pytest.mark.slow
def test_a_side_that_never_wins_is_told_of_too(visited, monkeypatch):
    visited.play("GM", "move", "fight", 'heroes=["@Mara Vell"]', 'foes=["@Captain Serk"]')
    solved = replace(
        forecast(FIGHTS["melee"], FALLEN), wins={"foes": Fraction(1), "heroes": Fraction(0)}
    )
    counted = Found("thrown", fights=500, undecided=50)
    for found, chance in ((solved.found, "0\u00a0%"), (counted, "none of 500 fights")):
        told = replace(solved, found=found)
        monkeypatch.setattr(forecast_page, "foresee", lambda *_, told=told: told)
        page = visited.sits("GM").get(f"{visited.t}/forecast").text
        assert f'<th scope="row">heroes</th><td>{chance}</td>' in page
        assert ("50 of them were broken off" in page) == (found is counted)


def test_a_fight_that_never_ends_is_told_as_one(visited, monkeypatch):
    def never(*_):
        raise NeverEnds("Nobody can hurt anybody.")

    monkeypatch.setattr(forecast_page, "foresee", never)
    sides = {f"side.{visited.entity('Mara Vell')}": "players"}
    sides[f"side.{visited.entity('Captain Serk')}"] = "others"
    page = visited.sits("GM").get(f"{visited.t}/plan", params=sides)
    assert (page.status_code, "Nobody can hurt anybody." in page.text) == (200, True)


def test_whoever_has_fallen_already_wins_nothing():
    fought = FIGHTS["melee"]
    told = forecast(fought, fought.start({}, ours="4/4/4/2", theirs="4/4/4/2"))
    assert dict(told.wins) == {"ours": Fraction(1, 2), "theirs": Fraction(1, 2)}
    assert list(forecast(fought, FALLEN).wins.items()) == [("ours", 1), ("theirs", 0)]
    assert list(foresee(fought, FALLEN).wins.items()) == [("ours", 1), ("theirs", 0)]
    assert str(forecast(fought, FALLEN, fights=10)).splitlines()[1] == "theirs win 0.00 %"


@pytest.mark.slow
def test_a_game_in_a_file_tells_how_its_fight_would_end():
    with visit(game="lanterns") as visited:
        stage = Stage(visited.server, "lanterns", visited.campaign)
        stage.seats |= {seat.name: seat.id for seat in visited.seats.values()}
        heroes, foes = 'heroes=["@Marta Quill"]', 'foes=["@The Humming Thing"]'
        sent = command(stage, "GM", ["move", "fight", heroes, foes])
        asyncio.run(visited.server.tables.handle(visited.campaign, sent))
        gm = visited.sits("GM")
        told = gm.get(f"{visited.t}/forecast").text
        changed = gm.get(f"{visited.t}/forecast?many.1=2&health.1=1").text
    assert re.search(r"Exact: fractions over \d+ states\.", told)
    assert "With your changes" in changed
    assert "<small>each of 2" not in changed, "people of a file are followed one by one"
