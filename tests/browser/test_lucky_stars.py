"""A scene of These Lucky Stars: a contest, the impossible, odds; in the soak tests a kit, too.

The GM and a player are in browsers, the other player is a program.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.server import lay_out
from kitchentable.client import Refusal, Table
from tests.browser.afar import Afar
from tests.browser.people import EXPECT, Person
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table() -> Iterator[Played]:
    with Served() as served:
        played = Played(served, served.wait_for(lay_out(served.server, "lucky_stars")))
        played.play("GM> begin\nGM> options narrate=no")
        yield played


@pytest.fixture
def people(browser: Browser, table: Played) -> Iterator[tuple[Person, Person]]:
    found = []
    for name in ("GM", "Ada"):
        person = Person(browser, name)
        person.context.add_cookies([table.cookie(name)])
        person.page.goto(table.address)
        person.live()
        found.append(person)
    gm, ada = found
    yield gm, ada
    for person in found:
        assert person.complaints == []
        person.close()


@pytest.fixture
def ben(table: Played) -> Iterator[Afar]:
    with Table.at(table.link("Ben")) as seat:
        yield Afar(seat)


def test_another_row_of_the_sheet_takes_over_without_a_word(people: tuple[Person, Person]) -> None:
    ada = people[1]
    rows = ada.page.locator("#sheet a[data-fills]")
    for row, opened in (("Strength", "Decision"), ("Climbing kit", "Supply"), ("Will", "Decision")):
        rows.filter(has_text=row).click()
        sentence = ada.page.locator("#roll-sheet > summary")
        expect(sentence).to_contain_text(row, timeout=EXPECT)
        expect(sentence).to_contain_text(opened)
        ada.quiet()
        expect(ada.page.locator("#toast")).to_be_empty()


@pytest.mark.slow
def test_a_scene_on_the_barge(people: tuple[Person, Person], ben: Afar, table: Played) -> None:
    gm, ada = people

    # A contest: something speaks for both sides, and the GM sees what it comes to.
    bram = table.entity("Bram Oxley")
    ben.move("announce", entity="", about=bram, text="Slept all day", kind="for")
    ada.reads("Slept all day: +1 step")
    ada.pick("contest")
    form = ada.page.locator("#move-form")
    ada.fill(form, other=bram)
    ada.fill(form, **{"factors.0.name": "The better pole", "factors.0.worth": "for-2"})
    form.locator("button.go").click()
    ben.reads("Ada Fenn, Contest")
    ben.settle(other_stat="strength")
    expect(ada.page.locator("#waiting")).to_contain_text("Waiting for the GM.", timeout=EXPECT)
    card = gm.card("Contest")
    expect(card).to_contain_text("Counted: Minor Advantage for Ada Fenn.", timeout=EXPECT)
    gm.settle(level="")
    ada.throw("1 1 5 3 5 1 2 2")
    ada.reads("Thrown again after")
    ben.reads("Minor Advantage for Ada Fenn")

    # The impossible is not allowed; the odds tell where Minor beats Major.
    ada.move("decision", stat="strength", what="Carry the barge")
    gm.reads("Carry the barge")
    gm.settle(target="22", allow="no")
    ada.page.locator('#waiting form[action$="/throw"] button.go').first.click()
    ada.reads("Impossible: the GM does not allow the attempt")
    ada.move("decision", stat="none", what="Tie a knot")
    gm.reads("Tie a knot")
    card = gm.card("Decision roll")
    gm.unfold(card)
    gm.fill(card.locator("form.panel").first, target="6")
    odds = gm.page.locator("#waiting .odds").first
    expect(odds).to_contain_text("here Minor Advantage is better than Major", timeout=EXPECT)
    gm.settle(level="")
    ada.throw("3 3")


@pytest.mark.soak
def test_the_impossible_is_allowed_and_a_kit_runs_down(
    people: tuple[Person, Person], ben: Afar, table: Played
) -> None:
    """The scripted evening of the game does the same without a browser, each time."""
    gm, ada = people
    ada.move("decision", stat="will", what="Name every lamp in the city")
    gm.reads("Name every lamp in the city")
    gm.settle(target="20", allow="yes", level="2")
    ada.throw("6 6 6 5 1 2")
    ada.reads("Success")

    # A kit runs down to Empty, and is then refused.
    bram = table.entity("Bram Oxley")
    kit = f"{bram}/gear/healer-s-kit"
    ben.move("supply", supply=kit, faces="1")
    ben.reads("D6 to D4.")
    ben.move("decision", stat="will", what="Dress the arm", uses=kit)
    gm.reads("Dress the arm")
    gm.settle(target="8")
    ben.throw("5 4")
    ben.answer("Supply roll: Healer's kit", faces="3")
    ben.reads("D4 to Empty.")
    with pytest.raises(Refusal, match="is Empty: there is nothing to roll"):
        ben.move("supply", supply=kit)
