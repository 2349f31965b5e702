"""A fight of Toaster, then first aid and rest: a player in a browser, and a program as the GM.

Variable outcomes, zeros, luck, bleeding and hit locations are on, and every die is a real one whose
face is typed in. The server is closed and opened again while somebody thinks about luck.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server, lay_out
from kitchentable.client import Table
from tests.browser.afar import Afar
from tests.browser.hosting import Hosted
from tests.browser.people import EXPECT, Person
from tests.fork_server import ForkServer

pytestmark = pytest.mark.browser

#: Who is there before anybody opens a browser. Anselm is a healer, and the GM's.
BEFORE = """
GM> options variable_outcomes=yes rolling_zeros=yes luck_points=yes bleeding=yes hit_location=yes \
unnamed_characters=yes "medical_skills=Craft: First Aid"
GM> move npc name=Thug preset=thug count=2
GM> move npc "name=Brother Anselm" preset=guard
GM> sheet "Brother Anselm" attributes.intellect=6 \
skills='[{"skill":"craft","of":"First Aid","attribute":"intellect","base":8}]'
GM> begin
"""


@dataclass
class Laid:
    """The campaign as it waits in its file: the ids of its people, and the links of two seats."""

    entities: dict[str, str]
    gm: str
    rita: str


async def _lay(server: Server) -> Stage:
    stage = Stage(server, "toaster", await lay_out(server, "toaster"))
    table = server.tables.campaign(stage.campaign).table
    stage.seats.update({seat.name: seat.id for seat in table.seats.values()})
    for line in BEFORE.replace("\\\n", "").strip().splitlines():
        who, _, what = line.partition("> ")
        await server.tables.handle(stage.campaign, command(stage, who, shlex.split(what)))
    return stage


def lay(hosted: Hosted) -> Laid:
    """Write the campaign into the record of a server that is still closed."""
    server = Server.at(hosted.database)
    stage = asyncio.run(_lay(server))
    table = server.tables.campaign(stage.campaign).table
    found = {one.name: one.id for one in table.entities.values()}
    keys = [
        server.keys.issue("seat-link", stage.campaign, stage.seat(who)) for who in ("GM", "Rita")
    ]
    server.close()
    return Laid(found, *(f"{hosted.address}/s/{key}" for key in keys))


@pytest.fixture
def hosted(fork_server: ForkServer, tmp_path: Path) -> Hosted:
    return Hosted(fork_server, tmp_path)


@pytest.fixture
def laid(hosted: Hosted) -> Iterator[Laid]:
    # In a thread of its own: a browser that was started already has an event loop in this one.
    with ThreadPoolExecutor(1) as elsewhere:
        laid = elsewhere.submit(lay, hosted).result()
    hosted.start()
    yield laid
    hosted.stop()


@pytest.fixture
def gm(laid: Laid) -> Iterator[Afar]:
    with Table.at(laid.gm) as table:
        yield Afar(table)


@pytest.fixture
def rita(browser: Browser, laid: Laid) -> Iterator[Person]:
    person = Person(browser, "Rita", viewport={"width": 1280, "height": 900})
    person.page.goto(laid.rita)
    person.live()
    yield person
    person.close()


def row(person: Person, name: str) -> Locator:
    return person.page.locator("#fight-in .order > li").filter(has_text=name)


def hero(person: Person) -> Locator:
    return (
        person.page.locator("#sheet article, #party article").filter(has_text="Rhoenda Dumas").first
    )


@pytest.mark.slow
def test_a_fight_and_the_week_after(hosted: Hosted, laid: Laid, gm: Afar, rita: Person) -> None:
    who = laid.entities
    _begin(gm, rita, who)
    _first_blood(gm, rita, who)
    _struck(gm, rita, who)

    # The server is closed and opened again while she thinks; nothing is lost.
    hosted.stop()
    hosted.start()
    rita.page.reload()
    rita.live()
    expect(rita.card("luck?")).to_contain_text("Rhoenda Dumas has 3 luck points.", timeout=EXPECT)
    rita.answer("luck?", use="stand", faces="4 3 9 0")
    rita.reads("12 stun and 2 wounds (Left Arm, Forearm)")
    mine = row(rita, "Rhoenda Dumas")
    for told in ("2 wounds, -2", "12 stun of 25: battered", "bleeds 2 points a round"):
        expect(mine).to_contain_text(told, timeout=EXPECT)
    expect(hero(rita)).to_contain_text("2/5 wounds")

    _fumble(gm, rita, who)
    _second_round(gm, rita, who)
    _aid(gm, rita, who)


def _begin(gm: Afar, rita: Person, who: dict[str, str]) -> None:
    """Three fight, of all who are there; everybody throws for initiative."""
    thugs = [who["Thug 1"], who["Thug 2"]]
    bystanders = ("Captain Voss", "Thug with a cap", "Thug with a scarf", "Brother Anselm")
    foes = next(one for one in gm.table.odds("fight").fields if one.name == "foes")
    assert {*foes.default} == {*thugs, *(who[name] for name in bystanders)}
    gm.move("fight", entity="", heroes=[who["Rhoenda Dumas"]], foes=thugs)
    rita.reads("A fight begins")
    rita.move("initiative", faces="6")
    rita.reads("2 still to roll")
    (others,) = gm.table.odds("initiative_all").fields
    assert [one.value for one in others.choices] == thugs
    gm.move("initiative_all", entity="", who=thugs, faces="5 2")
    rita.reads("In this order: Rhoenda Dumas, Thug 1 and Thug 2.")
    expect(row(rita, "Rhoenda Dumas")).to_contain_text("acting now", timeout=EXPECT)


def _first_blood(gm: Afar, rita: Person, who: dict[str, str]) -> None:
    """Rita's attack: odds beside it, its first die, luck let be, then the other dice."""
    rita.move("attack", target=who["Thug 1"])
    gm.reads("Rhoenda Dumas, Attack")
    odds = gm.table.odds("attack", who["Rhoenda Dumas"], target=who["Thug 1"]).odds
    assert odds is not None
    assert "hits in 69 %" in odds.sentence
    gm.settle()
    rita.throw("5")
    rita.reads("It could still be bettered")
    rita.answer("luck?", use="stand", faces="4 1 4 7 3")
    rita.reads("Thug 1 is out of the fight")
    expect(rita.last()).to_contain_text("It lands on: Torso, Abdomen/Lower Back.")
    rita.never_reads("Damage 13 against protection 5")
    gm.reads("Damage 13 against protection 5: 8.")
    gm.answer("How badly?", fate="out", why="He holds his side.")
    rita.reads("He holds his side")


def _struck(gm: Afar, rita: Person, who: dict[str, str]) -> None:
    """The other one strikes back: Rita picks a defence, and may still add luck to it."""
    gm.move("attack", entity=who["Thug 2"], target=who["Rhoenda Dumas"])
    rita.reads("Thug 2, Attack")
    rita.settle(defence="parry:w1")
    gm.throw("9 3")
    expect(rita.card("luck?")).to_contain_text("The defense comes to 11.", timeout=EXPECT)


def _fumble(gm: Afar, rita: Person, who: dict[str, str]) -> None:
    """A zero, and a bad second roll: she fumbles, and her next defense pays for it."""
    rita.move("attack", target=who["Thug 2"])
    gm.reads("Rhoenda Dumas, Attack")
    gm.settle()
    # A face too many is refused, and stays for whoever typed it.
    rita.throw("0 0 4")
    problem = rita.card("Attack").locator(".problem").first
    expect(problem).to_contain_text("1 of the 3 faces given was not used", timeout=EXPECT)
    assert rita.card("Attack").locator('[name="faces"]').input_value() == "0 0 4"
    rita.throw("0 0")
    gm.answer("fumble", defence="2", what="The rapier catches in her cloak.")
    rita.reads("catches in her cloak")
    expect(rita.page.locator("#fight-in")).to_contain_text("after the fumble: -2 defense")

    gm.move("attack", entity=who["Thug 2"], target=who["Rhoenda Dumas"])
    rita.reads("Thug 2, Attack")
    rita.settle(defence="dodge")
    # A zero misses, whatever she does.
    gm.throw("0 6")
    rita.reads("Nobody has to defend.")


def _second_round(gm: Afar, rita: Person, who: dict[str, str]) -> None:
    """She bleeds, and is quicker once more."""
    gm.answer("Still fighting?", answer="on")
    rita.reads("Rhoenda Dumas bleeds: 2 stun.")
    rita.move("initiative", faces="9")
    rita.reads("1 still to roll")
    gm.move("initiative_all", entity="", who=[who["Thug 2"]], faces="3")
    expect(row(rita, "Rhoenda Dumas")).to_contain_text("acting now", timeout=EXPECT)
    rita.move("attack")
    gm.reads("Rhoenda Dumas, Attack")
    gm.settle()
    rita.throw("9")
    rita.answer("luck?", use="add", points="1", faces="2 1 5 9 1")
    rita.reads("A critical hit: the GM says whether the damage is more.")
    gm.answer("a critical hit", bonus="0")
    rita.reads("Thug 2 is out of the fight")
    rita.reads("minus 2 for wounds, plus 1 for luck")
    expect(hero(rita)).to_contain_text("Luck points 2")
    gm.answer("How badly?", fate="out")
    gm.answer("Still fighting?", answer="end", why="Nobody is left to fight.")
    rita.reads("The fight is over")


def _aid(gm: Afar, rita: Person, who: dict[str, str]) -> None:
    """First aid, ten minutes, a week."""
    anselm = who["Brother Anselm"]
    for purpose, helps in (("bleeding", "bleeds no more"), ("first-aid", "+4 for Rhoenda Dumas")):
        gm.move("medical", entity=anselm, faces="9", patient=who["Rhoenda Dumas"], purpose=purpose)
        gm.answer("luck?", use="stand")
        rita.reads(helps)
    gm.move("rest", entity="", minutes="10")
    rita.reads("Rhoenda Dumas: stun 14 to 9")
    gm.move("days", entity="", days="7")
    rita.answer("Healing roll", faces="8")
    rita.reads("A wound heals: 1 left.")
    expect(hero(rita)).to_contain_text("1/5 wounds", timeout=EXPECT)
    expect(hero(rita)).to_contain_text("0 stun of 25")
