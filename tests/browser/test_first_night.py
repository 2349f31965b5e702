"""The moments between the rolls of a group's first session, at one table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kitchentable.app.keys import new_id
from kitchentable.app.server import lay_out
from kitchentable.campaign.commands import AskForSeat, DecideSeat
from tests.browser.people import EXPECT, Person, Sit
from tests.browser.scene import END
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def fresh(served: Served) -> Played:
    """The ready campaign before its first session."""
    return Played(served, served.wait_for(lay_out(served.server, "toast")))


@pytest.fixture
def sits(browser: Browser, fresh: Played) -> Iterator[Sit]:
    """Somebody at a page of that campaign, live or not."""
    people: list[Person] = []

    def sits(name: str, at: str = "", **look: object) -> Person:
        person = Person(browser, name, **look)
        person.context.add_cookies([fresh.cookie(name)])
        person.page.goto(fresh.address + at)
        people.append(person)
        return person

    yield sits
    for person in people:
        assert person.complaints == [], person.name
        person.close()


def overlaps(page: Page) -> list[str]:
    """What in the head of the page lies over something else there, or is cut off."""
    found: list[str] = page.evaluate("""() => {
        const all = [...document.querySelectorAll(".bar a, .bar button, #live")]
            .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1);
        const boxes = all.map((one) => [one.textContent.trim(), one.getBoundingClientRect()]);
        return boxes.flatMap(([a, one], at) => boxes.slice(at + 1)
            .filter(([, two]) => one.right > two.left + 1 && two.right > one.left + 1
                && one.bottom > two.top + 1 && two.bottom > one.top + 1)
            .map(([b]) => `${a} / ${b}`)).concat(boxes
            .filter(([, box]) => box.right > innerWidth + 1).map(([a]) => `${a} is cut off`));
    }""")
    return found


def height(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box
    return box["height"]


@pytest.mark.slow
def test_a_phone_shows_what_needs_somebody_and_never_a_blank_page(
    fresh: Played, sits: Sit, browser: Browser
) -> None:
    gm = sits("GM", viewport=PHONE)
    gm.live()
    expect(gm.page.locator("#chips .now")).to_be_visible()
    assert overlaps(gm.page) == []
    for width in (360, 320):
        gm.page.set_viewport_size({"width": width, "height": 640})
        assert overlaps(gm.page) == [], width
        if width == 360:
            assert height(gm.page.locator(".bar")) < 64, "one line"
    # A part of the roll and its number stay on one line.
    parts = gm.page.locator("#roll-sheet > summary .short")
    expect(parts).to_have_count(4)
    assert max(height(one) for one in parts.all()) < 32
    gm.page.set_viewport_size({"width": 1280, "height": 640})
    # Parts of the table that are empty leave no gap.
    gap = gm.page.evaluate("""() => document.querySelector("#notes").getBoundingClientRect().top
        - document.querySelector("#hints").getBoundingClientRect().bottom""")
    assert 0 < gap < 40
    gm.page.locator(".where a").evaluate("one => { one.textContent = 'Salt Road '.repeat(8); }")
    assert overlaps(gm.page) == [], "a long name"

    # Somebody who has just joined sees what to do first, not an empty log.
    seat = new_id()
    fresh.do(AskForSeat(id=new_id(), new_seat=seat, name="Wim"))
    fresh.stage.seats["Wim"] = seat
    fresh.do(DecideSeat(id=new_id(), seat=fresh.stage.seat("GM"), of=seat, verdict="approve"))
    wim = sits("Wim", viewport=PHONE)
    wim.live()
    expect(wim.page.get_by_role("link", name="Make a character")).to_be_in_viewport()
    expect(wim.page.locator(".tabs [aria-current]")).to_contain_text("Needs you")

    # The fight that one looks at ends.
    fresh.play("GM> begin\nGM> move fight")
    jonas = sits("Jonas", "#fight", viewport=PHONE)
    jonas.live()
    expect(jonas.page.locator("#fight")).to_be_visible()
    expect(jonas.page.locator("#go")).to_be_in_viewport()
    fresh.play("GM> move end_fight why='Enough.'")
    for again in (False, True):
        if again:
            jonas.page.reload()
        expect(jonas.page.locator("#log")).to_be_visible(timeout=EXPECT)
        expect(jonas.page.locator("#say")).to_be_in_viewport()
        expect(jonas.page.locator(".tabs [aria-current]")).to_contain_text("Story")


def test_the_way_into_play(fresh: Played, sits: Sit) -> None:
    """From an untouched sheet to the table; the GM hears of it on every page."""
    fresh.play('Lene> make pc "Hob"')
    hob = fresh.entity("Hob")
    lene = sits("Lene", f"/characters/{hob}?step=all")
    expect(lene.page.locator("#builder")).to_be_visible()
    expect(lene.page.locator("main")).not_to_contain_text("to fix")
    traits = lene.page.locator("#builder input[type='number'][name^='a.traits.']")
    names = [str(one.get_attribute("name")).removeprefix("a.") for one in traits.all()]
    levels = " ".join(f"{name}=4" for name in names)
    fresh.play(f"Lene> sheet Hob {levels}")

    gm = sits("GM", "/desk")
    expect(gm.page.locator("#needs")).to_have_text("")
    fresh.play("Lene> submit Hob")
    for address in ("/desk", "/journal", f"/characters/{hob}"):
        gm.page.goto(fresh.address + address)
        expect(gm.page.locator("#needs button")).to_have_text("1 needs you")
    lene.page.reload()
    expect(lene.page.locator("#stage")).to_contain_text("Waiting for the GM")
    gm.page.get_by_role("button", name="Approve").click()
    expect(gm.page).to_have_url(fresh.address)
    expect(lene.page).to_have_url(fresh.address, timeout=EXPECT)
    expect(lene.page.locator("#sheet")).to_contain_text("Hob")
    gm.page.goto(f"{fresh.address}/desk")
    gm.page.get_by_role("button", name="Begin session 1").click()
    expect(gm.page).to_have_url(fresh.address)


def test_the_end_says_what_is_still_open(fresh: Played, sits: Sit) -> None:
    fresh.play(END.replace("Lene> move petition", "Lene> say Enough. #"))
    gm, mara = sits("GM", "/closing"), sits("Mara")
    expect(gm.page.locator("#still-open")).to_contain_text("Mara Vell can still roll: Advancement")
    expect(gm.page.locator("main")).not_to_contain_text("Everyone is done.")
    mara.page.locator("#wrap-up").get_by_role("link", name="Wrap up").click()
    expect(mara.page).to_have_url(f"{fresh.address}/closing")
    expect(mara.page.locator("#wrap-up")).to_be_hidden()  # it leads here
    fresh.play("Mara> move advance for 'Mara Vell' trait=aim faces=3")
    gm.page.reload()
    expect(gm.page.locator("main")).to_contain_text("Everyone is done.")
    # A card that comes now is counted at the top, which leads to it.
    fresh.play('Jonas> propose task for "Old Tam" trait=social')
    needs = gm.page.locator("#needs a")
    expect(needs).to_have_text("1 needs you", timeout=EXPECT)
    expect(gm.page.locator("#needs button")).to_be_hidden()
    needs.click()
    expect(gm.page.locator("#waiting .verdicts").first).to_be_in_viewport()
    gm.page.locator("#waiting").get_by_role("button", name="Hard").click()
    expect(needs).to_have_count(0, timeout=EXPECT)
    expect(gm.page.locator("main")).not_to_contain_text("Nothing needs you")


def test_what_players_read_and_do_not_read(fresh: Played, sits: Sit) -> None:
    """No boxes of a closed foe; an idea for a kick is asked for in passing; marks differ."""
    fresh.play(
        """GM> begin
        GM> move fight
        GM> move hurt who=@"Captain Serk" cause="a falling bell"
        Jonas> propose task for "Old Tam" trait=athletics
        GM> settle
        Jonas> throw kick"""
    )
    lene = sits("Lene")
    lene.live()
    page = lene.page
    serk = page.locator("#fight li", has_text="Captain Serk")
    expect(serk).to_contain_text("wounded")
    expect(serk.locator(".pips")).to_have_count(0)
    expect(page.locator("#fight li", has_text="Old Tam").locator(".pips i")).to_have_count(4)
    expect(page.locator("#party")).not_to_contain_text("Lieutenant")
    card = page.locator("#waiting li.ask", has_text="a kick")
    expect(card).to_be_visible()
    expect(card.locator("textarea")).to_be_hidden()
    expect(page.locator(".tabs .badge")).to_have_count(0)
    expect(page.locator("#waiting")).to_have_attribute("aria-live", "polite")
    shapes = page.evaluate("""() => ["bad", "plain", "good"].map((tone) => {
        const one = document.createElement("p");
        one.className = `track t-${tone}`;
        const pips = one.appendChild(document.createElement("span"));
        pips.className = "pips";
        const mark = pips.appendChild(document.createElement("i"));
        document.body.append(one);
        const {rotate, borderRadius} = getComputedStyle(mark);
        one.remove();
        return `${rotate} ${borderRadius}`;
    })""")
    assert len(set(shapes)) == 3


def test_the_result_is_told_when_the_dice_have_landed(fresh: Played, sits: Sit) -> None:
    """Nothing of a card tells how it ends while its dice are in the air: no word, no colour."""
    fresh.play('GM> begin\nMara> propose task for "Mara Vell" trait=aim\nGM> settle')
    jonas = sits("Jonas", reduced_motion="no-preference")
    jonas.live()
    page = jonas.page
    page.evaluate("""() => { window.early = []; new MutationObserver((all) => {
        for (const one of all) for (const node of one.addedNodes) {
            if (!node.matches?.(".fresh")) continue;
            for (const part of node.querySelectorAll("strong, .out, .had")) {
                window.early.push([part.className || part.tagName, getComputedStyle(part).opacity]);
            }
        }
    }).observe(document.querySelector("#log-list"), {childList: true}); }""")
    fresh.play("Mara> throw 9")
    expect(page.locator("#log-list > li.fresh .card")).to_be_visible(timeout=EXPECT)
    page.wait_for_timeout(100)
    early = dict(page.evaluate("window.early"))
    assert early == {"STRONG": "0", "out": "0", "had": "0"}
    expect(jonas.last().locator(".had")).to_have_text(re.compile("^Chance: "))
    expect(jonas.last().locator(".had")).to_have_css("opacity", "1", timeout=EXPECT)


def test_ten_tabs_to_the_first_roll(fresh: Played, sits: Sit) -> None:
    """However long the log has grown."""
    fresh.play("GM> begin\n" + "\n".join(f"GM> roll {index}d6" for index in range(2, 20)))
    mara = sits("Mara")
    mara.live()
    page = mara.page
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('a.jump')"):
            page.keyboard.press("Enter")
        if page.evaluate("document.activeElement.matches('#go')"):
            break
    expect(page.locator("#go")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#waiting")).to_contain_text("Mara Vell Task", timeout=EXPECT)
    expect(page.locator("#waiting")).to_contain_text("Waiting for the GM", timeout=EXPECT)


def test_a_list_takes_another_row_at_a_tap(served: Served, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{served.address}/host/{served.server.host_link()}")
    page.get_by_role("button").last.click()
    page.goto(f"{served.address}/new?game=toast")
    page.locator("summary", has_text=re.compile(r"^\s*Traits")).click()
    names = page.locator("[name^='o.traits.'][name$='.name']")
    count = names.count()
    more = page.get_by_role("button", name="Add another")
    more.click()
    expect(names).to_have_count(count)
    expect(names.last).to_be_focused()
    page.keyboard.type("Blades")
    more.click()
    expect(names).to_have_count(count + 1)
    expect(names.last).to_be_focused()
    assert names.last.get_attribute("name") == f"o.traits.{count}.name"
    assert (names.nth(count - 1).input_value(), names.last.input_value()) == ("Blades", "")
    expect(page.get_by_label(f"Name {count + 1}")).to_have_count(1)
    context.close()
