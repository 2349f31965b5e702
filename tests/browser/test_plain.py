"""A session in a browser without scripts: plain links, and forms answered with a 303."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Response, expect

from kitchentable.app.server import lay_out
from tests.browser.people import EXPECT, Person
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser

LEVELS = (4, 7, 4, 6, 3, 3, 5, 3, 6, 5, 2, 4, 0)
TRAITS = (
    "athletics", "aim", "attack", "defense", "dexterity", "health", "initiative", "knowing",
    "perception", "social", "strength", "willpower", "aesthetics",
)  # fmt: skip


class Reader(Person):
    """Somebody with a browser without scripts, which records the response to each form."""

    def __init__(self, browser: Browser, name: str) -> None:
        super().__init__(browser, name, java_script_enabled=False)
        self.sent: list[int] = []
        self.page.on("response", self._answered)

    def _answered(self, answer: Response) -> None:
        if answer.request.method == "POST":
            self.sent.append(answer.status)

    def press(self, name: str, within: str = "body", *, status: int = 303) -> None:
        """Press a button that sends its form."""
        before = len(self.sent)
        self.page.locator(within).get_by_role("button", name=name, exact=True).first.click()
        self.page.wait_for_load_state()
        assert self.sent[before:] == [status], name

    def look(self) -> None:
        """Load the table again, as the page offers to."""
        self.page.get_by_role("link", name="Reload").click()


@pytest.fixture(scope="module")
def table() -> Iterator[Played]:
    with Served() as served:
        one = Played(served, served.wait_for(lay_out(served.server, "toast")))
        one.play("GM> begin")
        yield one


@pytest.fixture
def sit(browser: Browser, table: Played) -> Iterator:
    people: list[Reader] = []

    def sit(name: str) -> Reader:
        person = Reader(browser, name)
        person.page.goto(table.link(name))
        people.append(person)
        return person

    yield sit
    for person in people:
        person.close()


def test_to_join_and_to_speak(browser: Browser, table: Played, sit) -> None:
    gm, wim = sit("GM"), Reader(browser, "Wim")
    key = table.served.server.keys.issue("join", table.campaign)
    page = wim.page
    page.goto(f"{table.served.address}/join/{key}")
    page.get_by_label("Your name").fill("Wim")
    wim.press("Knock")
    expect(page.locator("#join-state")).to_contain_text("GM has to let you in")
    gm.look()
    gm.press("Let in", "#waiting")
    # A page that waits asks again by itself.
    expect(page.locator("#log-list")).to_contain_text("Wim", timeout=EXPECT)
    page.fill("#say", "Good evening.")
    wim.press("Send")
    expect(page.locator("#log-list > li").last).to_contain_text("Good evening.")
    page.fill("#say", "/roll 4d6k3")
    wim.press("Send", status=400)
    expect(page.locator("body")).to_contain_text("4d6kh3")
    expect(page.locator("#say")).to_have_value("/roll 4d6k3")
    wim.close()


@pytest.mark.slow
def test_a_roll_from_the_odds_to_the_sentence_of_its_kick(sit) -> None:
    gm, mara = sit("GM"), sit("Mara")
    page = mara.page
    page.locator("#roll-sheet > summary").click()
    page.locator("label", has_text="Contest").click()
    page.get_by_role("button", name="Show odds").click()
    expect(page.locator("#move-form [name='a.other']").first).to_be_visible()
    page.locator("label", has_text="Task").first.click()
    page.get_by_role("button", name="Show odds").click()
    page.locator("#move-form [name='a.trait']").select_option("perception")
    page.get_by_role("button", name="Show odds").click()
    expect(page.locator("#odds b")).to_have_text("58\N{NO-BREAK SPACE}%")
    expect(page.locator("#move-form [name='a.trait']")).to_have_value("perception")
    mara.press("Ask the GM", "#move-form")

    gm.look()
    gm.press("Hard 16 17\N{NO-BREAK SPACE}%", "#waiting")
    mara.look()
    page.locator("#waiting details.typed summary").first.click()
    page.locator("#waiting [name='faces']").first.fill("fifteen")
    mara.press("Roll", "#waiting", status=422)
    expect(page.locator("#waiting [name='faces']").first).to_have_value("fifteen")
    page.locator("#waiting [name='faces']").first.fill("kick")
    mara.press("Roll", "#waiting")
    expect(page.locator("#log-list")).to_contain_text("A kick!")

    gm.look()
    gm.page.locator("#waiting [name='a.text']").fill("The ferryman turns out to be her uncle.")
    gm.press("Answer", "#waiting")
    log = gm.page.locator("#log-list")
    expect(log).to_contain_text("turns out to be her uncle")
    expect(log.get_by_text("Mara Vell is in play.")).to_be_hidden()
    log.locator(".fold summary").first.press("Enter")
    expect(log.get_by_text("Mara Vell is in play.")).to_be_visible()
    gm.page.get_by_label("Rolls", exact=True).check()
    gm.page.get_by_role("button", name="Show", exact=True).click()
    expect(gm.page).to_have_url(re.compile(r"\?log=rolls"))
    expect(log.locator(".fold").first).to_be_hidden()
    expect(log).to_contain_text("A kick!", use_inner_text=True)


@pytest.mark.slow
def test_a_character(table: Played, sit) -> None:
    lene = sit("Lene")
    page = lene.page
    page.goto(f"{table.address}/characters/new")
    page.get_by_role("button", name="Start from scratch").click()
    page.fill("#f-s-name", "Hob Nettle")
    page.get_by_role("button", name="Show all steps").click()
    expect(page.locator("#f-s-name")).to_have_value("Hob Nettle")
    for trait, level in zip(TRAITS, LEVELS, strict=True):
        page.locator(f'[name="a.traits.{trait}"]').fill(str(level + (trait == "aim")))
    page.locator('[name="a.perks.0.text"]').fill("Knows every eddy")
    lene.press("Save draft")
    expect(page.locator('[name="a.perks.1.text"]')).to_be_visible()
    expect(page.locator('[name="a.traits.aim"]')).to_have_value("8")
    lene.press("Send to the GM", status=422)
    expect(page.locator("#builder .problems")).to_contain_text("1 point more")
    page.locator('[name="a.traits.aim"]').fill("7")
    lene.press("Send to the GM")
    expect(page.locator("main .lead").first).to_contain_text("Waiting for the GM")

    gm = sit("GM")
    gm.page.get_by_role("link", name="Review").click()
    gm.press("Approve")
    expect(page.locator("#sheet")).to_contain_text("Hob Nettle", timeout=EXPECT)


def test_to_take_something_back(sit) -> None:
    jonas = sit("Jonas")
    page = jonas.page
    page.fill("#say", "That was not meant to be said.")
    jonas.press("Send")
    page.locator("#log-list > li").last.get_by_role("link", name="Take back").click()
    expect(page.locator("main")).to_contain_text("That was not meant to be said.")
    page.get_by_label("Reason").fill("Slip of the tongue")
    jonas.press("Take it back")
    expect(page.locator("#log-list > li.undone").last).to_contain_text("Slip of the tongue")
    expect(page.locator("#log-list > li").last).to_contain_text("Jonas takes back")
