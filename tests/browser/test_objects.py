"""A scene of Objects: a ship and her pilot, a critical, a break-up.

The GM and the ship's player are in browsers, the pilot's player is a program.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.server import lay_out
from kitchentable.app.shapes import plain
from kitchentable.client import Table
from tests.browser.afar import Afar
from tests.browser.people import EXPECT, Person, tick
from tests.browser.serving import Played, Served
from tests.browser.test_every_page import COLOURS, EVERYTHING, audit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table() -> Iterator[Played]:
    with Served() as served:
        played = Played(served, served.wait_for(lay_out(served.server, "objects")))
        played.play("GM> begin")
        yield played


@pytest.fixture
def people(browser: Browser, table: Played) -> Iterator[tuple[Person, Person]]:
    found = []
    for name in ("GM", "Jonas"):
        person = Person(browser, name)
        person.context.add_cookies([table.cookie(name)])
        person.page.goto(table.address)
        person.live()
        found.append(person)
    gm, jonas = found
    yield gm, jonas
    for person in found:
        assert not [one for one in person.complaints if "422" not in one], person.name
        person.close()


@pytest.fixture
def mara(table: Played) -> Iterator[Afar]:
    with Table.at(table.link("Mara")) as seat:
        yield Afar(seat)


@pytest.mark.slow
def test_a_ship_and_her_pilot(
    people: tuple[Person, Person], mara: Afar, table: Played, axe_source: str
) -> None:
    gm, jonas = people

    # From the ship to her pilot and back, by what each is to the other.
    party = jonas.page.locator("#sheet")
    party.get_by_role("link", name="Very steered by Captain Vell", exact=True).click()
    expect(jonas.page.get_by_role("heading", level=1)).to_have_text("Mara Vell")
    jonas.page.get_by_role("link", name="Part of The Patient Heron").click()
    expect(jonas.page.get_by_role("heading", level=1)).to_have_text("The Patient Heron")
    jonas.page.evaluate(axe_source)
    assert audit(jonas.page, EVERYTHING) == []
    jonas.page.goto(table.address)
    jonas.live()

    # The ship rolls, her captain being one of her talents; the modifier stays the GM's.
    party.get_by_role("link", name="Roll Very steered by Captain Vell").click()
    expect(jonas.field("talent")).to_have_value("steered by Captain Vell", timeout=EXPECT)
    jonas.move("test", stakes="Through the Teeth")
    _modify_unseen(gm, "2", chance="82 %")
    jonas.throw("6 6")
    jonas.reads("Critical failure")
    gm.reads("Modifier: +2 situation.")
    with Table.at(table.link("GM")) as afar:
        assert "+2 situation" in str(plain(afar.entries()))
    assert "+2 situation" not in str(plain(mara.table.entries()))
    jonas.never_reads("+2 situation")
    mara.answer("The Patient Heron: critical failure", text="She strikes a rock that sings.")
    gm.reads("Mara suggests: She strikes a rock that sings.")
    gm.answer("The Patient Heron: critical failure", text="The rock sings, and so does the keel.")
    jonas.reads("The rock sings, and so does the keel.")
    expect(jonas.page.locator("#sheet .traits", has_text="Karma")).to_contain_text(
        "Karma 1", timeout=EXPECT
    )

    # She breaks up; her one point of karma cannot become two, and goes to the pilot.
    gm.act_for("The Patient Heron (Jonas)")
    gm.pick("split")
    form = gm.page.locator("#move-form")
    to_mara = f"karma.{table.entity('Mara Vell')}"
    gm.fill(form, told="The keel breaks.", **{"parts.0.name": "The hull", "parts.0.karma": "1"})
    gm.fill(form, **{"parts.0.kind": "thing", to_mara: "1"})
    form.locator("button.go").click()
    expect(form.locator(".problem").first).to_contain_text("2 cannot come of it", timeout=EXPECT)
    gm.fill(form, **{"parts.0.karma": "0"})
    form.locator("button.go").click()
    jonas.reads("What is left: The hull, Mara Vell and The Heron's crew.")
    mara.reads("Mara Vell: 1 karma.")
    numbers = mara.table.sheet(mara.entity).summary.numbers
    assert [one.value for one in numbers if one.label == "Karma"] == [1]
    expect(party.get_by_role("link", name="The hull")).to_be_visible(timeout=EXPECT)
    expect(party.get_by_role("link", name="The Patient Heron", exact=True)).to_have_count(0)
    jonas.page.evaluate(axe_source)
    assert audit(jonas.page, EVERYTHING) == []
    jonas.page.emulate_media(color_scheme="dark")
    assert audit(jonas.page, COLOURS) == []


def _modify_unseen(gm: Person, modifier: str, chance: str) -> None:
    """Set a modifier, see what it does to the odds, and keep it from the players."""
    card = gm.card("The Patient Heron")
    gm.unfold(card)
    form = card.locator("form.panel").first
    gm.fill(form, modifier=modifier)
    expect(form.locator(".odds")).to_contain_text(chance, timeout=EXPECT)
    tick(form.locator('[name="hide"][value="modifier"]'))
    form.locator("button.go").click()
