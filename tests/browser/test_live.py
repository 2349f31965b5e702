"""Pages with broken, hung or ended connections say so, and show every event once."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from kitchentable.app.keys import new_id
from kitchentable.app.server import lay_out
from kitchentable.campaign.commands import DecideSeat
from kitchentable.web.site import Settings
from tests.browser.lines import Line
from tests.browser.people import EXPECT, Person
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser

#: A sign of life twice a second, so that a line that hangs is noticed after one and a quarter.
ALIVE = 0.5


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served(Settings(keep_alive=ALIVE)) as one:
        yield one


@pytest.fixture
def table(served: Served) -> Played:
    return Played(served, served.wait_for(lay_out(served.server, "toast")))


@pytest.fixture
def line(served: Served) -> Iterator[Line]:
    one = Line(served.port)
    yield one
    one.close()


@pytest.fixture
def lene(browser: Browser, table: Played) -> Iterator[Person]:
    person = Person(browser, "Lene", reduced_motion="reduce")
    person.context.add_cookies([table.cookie("Lene")])
    yield person
    person.close()


def entries(page: Page) -> list[str]:
    """The ids of the entries of the log, in order."""
    return page.locator("#log-list > li").evaluate_all("all => all.map(one => one.id)")


def said(page: Page) -> list[str]:
    """What was said, in order, as the log shows it."""
    return page.locator("#log-list .say > p > span").all_inner_texts()


def state(page: Page, is_: str | re.Pattern[str]) -> None:
    expect(page.locator("#live")).to_have_attribute("data-state", is_, timeout=EXPECT)


@pytest.mark.parametrize("what", ["cut", "freeze"])
def test_a_line_that_breaks_or_hangs(table: Played, lene: Person, line: Line, what: str) -> None:
    page = lene.page
    page.goto(table.address.replace(str(table.served.port), str(line.port)))
    lene.live()
    expect(page.locator("#live [role=status]")).to_have_text("Live")
    table.play("Mara> say One.")
    lene.reads("One.")

    getattr(line, what)()
    table.play("Mara> say Two.\nGM> begin\nJonas> say Three.")
    state(page, re.compile("wait|off"))
    expect(page.locator("#live [role=status]")).to_have_text(re.compile("Reconnecting|Offline"))
    page.fill("#say", "Can anybody hear me?")
    if what == "cut":
        page.press("#say", "Enter")
        expect(page.locator("#say-error")).to_contain_text("could not be reached")
        expect(page.locator("#say")).to_have_value("Can anybody hear me?")

    line.mend()
    state(page, "live")
    lene.reads("Three.")
    assert page.locator("#say").input_value() == "Can anybody hear me?"
    page.press("#say", "Enter")
    lene.reads("Can anybody hear me?")
    assert said(page) == ["One.", "Two.", "Three.", "Can anybody hear me?"]
    expect(page.locator("#chips")).to_contain_text("Session 1")
    shown = entries(page)
    assert len(shown) == len(set(shown))
    page.reload()
    lene.live()
    assert entries(page) == shown


def test_a_line_that_is_dead_when_the_page_comes(table: Played, lene: Person, line: Line) -> None:
    """The first connection of the feed fails; what came before and after it is there once."""
    page = lene.page
    page.route("**/feed*", lambda route: route.abort())
    page.goto(table.address.replace(str(table.served.port), str(line.port)))
    state(page, re.compile("wait|off"))
    table.play("Mara> say Before you hear me.")
    page.unroute("**/feed*")
    state(page, "live")
    table.play("Mara> say And now.")
    lene.reads("And now.")
    assert said(page) == ["Before you hear me.", "And now."]


def test_an_outage_that_the_stream_outlives(table: Played, lene: Person) -> None:
    """The stream is made anew at once, and a file that failed to load is asked for again."""
    page = lene.page
    page.goto(table.address)
    lene.live()
    lene.context.set_offline(True)
    state(page, "off")
    page.keyboard.press("Control+k")
    with page.expect_request("**/feed*", timeout=EXPECT):
        lene.context.set_offline(False)
    state(page, "live")
    page.keyboard.press("Control+k")
    expect(page.locator("#find")).to_be_visible(timeout=EXPECT)


def test_a_seat_that_ends(table: Played, lene: Person) -> None:
    page = lene.page
    page.goto(table.address)
    lene.live()
    gone = table.stage.seat("Lene")
    gm = table.stage.seat("GM")
    table.do(DecideSeat(id=new_id(), seat=gm, of=gone, verdict="revoke"))
    expect(page.locator("#live [role=status]")).to_have_text("Your seat has ended", timeout=EXPECT)
    table.play("Mara> say Behind her back.")
    expect(page.locator("h1")).to_contain_text("You have no seat here", timeout=EXPECT)
    expect(page.locator("main .lead")).not_to_be_empty()
    assert "Behind her back." not in page.content()


def test_two_tabs_of_one_seat(table: Played, lene: Person) -> None:
    one, other = lene.page, lene.context.new_page()
    for page in (one, other):
        page.goto(table.address)
        state(page, "live")
    one.fill("#say", "Twice myself.")
    one.press("#say", "Enter")
    for page in (one, other):
        expect(page.locator("#log-list")).to_contain_text("Twice myself.", timeout=EXPECT)
        assert said(page) == ["Twice myself."]
    expect(one.locator("#people")).to_contain_text("1 here")
    other.close()
    table.play("Mara> say Still there?")
    lene.reads("Still there?")
    # The rolls alone: what comes is sorted, too, and the choice outlasts a reload.
    one.get_by_label("Rolls", exact=True).check()
    expect(lene.last()).to_be_hidden()
    table.play("Mara> roll 2d6\nMara> say Just a roll.")
    lene.reads("Just a roll.")
    expect(lene.last()).to_be_hidden()
    expect(one.locator("#log-list .k-rolled")).to_be_visible()
    one.reload()
    expect(one.get_by_label("Rolls", exact=True)).to_be_checked()
    expect(one.locator("#log-list .fold")).to_be_hidden()


def test_the_way_back(table: Played, lene: Person) -> None:
    """To the sheet and back again: the table is as it is now, not as it was."""
    page = lene.page
    page.goto(table.address)
    lene.live()
    page.locator("#party a").first.click()
    expect(page.locator("article.sheet")).to_be_visible()
    table.play("Mara> say While you were reading.")
    page.go_back()
    lene.live()
    lene.reads("While you were reading.")
    assert said(page) == ["While you were reading."]


def test_a_hidden_tab_comes_back(table: Played, lene: Person) -> None:
    page = lene.page
    page.add_init_script(
        """window.away = false;
        Object.defineProperty(document, "hidden", { get: () => window.away });
        Object.defineProperty(document, "visibilityState",
            { get: () => window.away ? "hidden" : "visible" });"""
    )
    page.goto(table.address)
    lene.live()
    page.evaluate("window.away = true; document.dispatchEvent(new Event('visibilitychange'))")
    here = table.served.server.tables.hub.here
    for _ in range(600):
        if not here(table.campaign):
            break
        page.wait_for_timeout(100)
    assert not here(table.campaign), "a tab that nobody sees holds no line"
    table.play("Mara> say One.\nJonas> say Two.")
    page.wait_for_timeout(300)
    assert said(page) == []
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    lene.reads("Two.")
    state(page, "live")
    assert said(page) == ["One.", "Two."]


#: Lets a test do something after an answer of the panel has come and before it is drawn.
MEANWHILE = """const fetch = window.fetch.bind(window);
window.fetch = async (where, how) => {
  const answer = await fetch(where, how);
  if (String(where).includes("/moves?")) { window.meanwhile?.(); window.meanwhile = null; }
  return answer;
};
window.once = (what) => {
  window.drawn = new Promise((over) => {
    window.meanwhile = () => { what(); setTimeout(over, 60); };
  });
};
window.typed = (name, value) => {
  const control = document.querySelector(`#move-form [name="${name}"]`);
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
};"""


def test_what_is_typed_or_picked_is_younger_than_a_redraw(table: Played, lene: Person) -> None:
    table.play("GM> begin")
    page = lene.page
    page.add_init_script(MEANWHILE)
    page.goto(table.address)
    lene.live()
    lene.pick("gear")
    take, note = (page.locator(f"#move-form [name='a.{name}']") for name in ("take", "note"))
    take.fill("A rope")
    expect(take).to_have_attribute("value", "A rope", timeout=EXPECT)

    # The news that another seat is at it draws the panel anew, again and again, while one writes.
    for step in range(4):
        page.evaluate("text => once(() => typed('a.take', text))", f"{step} ropes")
        take.fill(f"{step} rop")
        note.press("End")
        note.press_sequentially("ab")
        table.play("Jonas> withdraw" if step % 2 else "Jonas> propose task for 'Old Tam' trait=aim")
        page.evaluate("() => drawn")
        expect(take).to_have_value(f"{step} ropes")
        expect(note).to_be_focused()
        # Nothing of this step is still under way when the next begins.
        expect(page.locator("#waiting li.ask")).to_have_count((step + 1) % 2, timeout=EXPECT)
        expect(take).to_have_attribute("value", f"{step} ropes", timeout=EXPECT)
        lene.quiet()
    expect(take).to_have_attribute("value", "3 ropes", timeout=EXPECT)
    expect(note).to_have_attribute("value", "ab" * 4, timeout=EXPECT)
    expect(note).to_be_focused()

    # A move that is picked while an answer is under way stays picked.
    page.evaluate("() => once(() => document.getElementById('f-move-contest').click())")
    note.press("c")
    page.evaluate("() => drawn")
    expect(page.locator("#move-form [name='a.other']").first).to_be_attached(timeout=EXPECT)
    expect(page.locator("#f-move-contest")).to_be_checked()


def test_a_press_counts_once_though_the_panel_moves_away(table: Played, lene: Person) -> None:
    """What comes while a button is held down waits for it: the panel does not slip from under."""
    table.play("GM> begin")
    page = lene.page
    page.goto(table.address)
    lene.live()
    lene.pick("gear")
    lene.fill(page.locator("#move-form"), take="A rope")
    expect(page.locator("#move-form [name='a.take']")).to_have_attribute("value", "A rope")
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.method) if one.method == "POST" else None)

    page.locator("#go").hover()
    page.mouse.down()
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    page.wait_for_timeout(300)
    page.mouse.up()
    lene.reads("A rope")
    expect(page.locator("#waiting")).to_contain_text("Mara Vell", timeout=EXPECT)
    expect(page.locator("#move-form [name='a.take']")).to_have_value("")
    page.locator("#go").focus()
    page.keyboard.down(" ")
    table.play("Jonas> propose task for 'Old Tam' trait=aim")
    page.wait_for_timeout(300)
    assert "Old Tam" not in page.locator("#waiting").inner_text()
    page.keyboard.up(" ")
    expect(page.locator("#waiting")).to_contain_text("Old Tam", timeout=EXPECT)
    expect(page.locator("#go")).to_be_focused()
    assert sent == ["POST", "POST"]


def test_what_became_of_a_move_is_shown_on_a_phone(table: Played, lene: Person) -> None:
    """An untouched form follows the fight; the log opens where the dice have fallen, and stays open
    though a card of the dice waits as well.
    """
    table.play("GM> begin")
    page = lene.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{table.address}#moves")
    lene.live()
    expect(page.locator("#f-move-task")).to_be_checked()
    table.play("GM> move fight")
    expect(page.locator("#f-move-initiative")).to_be_checked(timeout=EXPECT)
    lene.open_sheet()
    lene.type_faces(page.locator("#move-form"), "kick")
    page.locator("#go").click()
    expect(page.locator("#waiting li.ask")).to_have_count(1, timeout=EXPECT)
    expect(lene.last().locator(".card")).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"#log$"), timeout=EXPECT)
    page.goto(f"{table.address}#sheet")
    page.locator("#go").click()
    expect(page).to_have_url(re.compile(r"#moves$"), timeout=EXPECT)


def test_a_card_that_slips_under_a_finger_is_not_tapped(table: Played, lene: Person) -> None:
    """Cards that came or moved with a redraw take no tap for a moment; one that stayed does."""
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    page = lene.page
    lene.context.add_cookies([table.cookie("GM")])
    page.goto(table.address)
    lene.live()
    page.evaluate(
        """window.taps = [];
        document.addEventListener("htmx:after:swap", () => window.taps.push(
          [...document.querySelectorAll("#waiting .card")].map((one) =>
            [one.querySelector("h3 b").textContent, getComputedStyle(one).pointerEvents])));"""
    )
    count = page.locator("#waiting li.ask").count()
    table.play("Jonas> propose task for 'Old Tam' trait=aim")
    expect(page.locator("#waiting li.ask")).to_have_count(count + 1, timeout=EXPECT)
    seen = dict(page.evaluate("count => taps.find((one) => one.length > count)", count))
    assert seen["Mara Vell"] == "auto"
    assert seen["Old Tam"] == "none"
