"""Names of sixty letters without a blank: nothing stands out of its paper or of the window."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.keys import new_id
from kitchentable.campaign.commands import ChangeEntity, RenameSeat, SetOracle
from kitchentable.web.urls import Urls
from tests.browser.pages import open_everything
from tests.browser.people import Person
from tests.browser.serving import Played

pytestmark = pytest.mark.browser

LONG = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengew"
WINDOWS = ((1024, 768), (390, 844), (320, 640))
#: Lines of text outside the window or of what they stand in, where nothing cuts them off.
OUTSIDE = """() => {
    const found = [], width = document.documentElement.clientWidth;
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cuts = (one) => one !== document.body && one !== document.documentElement
        && getComputedStyle(one).overflowX !== "visible";
    while (words.nextNode()) {
        const text = words.currentNode, parent = text.parentElement;
        if (!text.data.trim() || parent.closest(".sr, .skip, .jump, select, textarea")) continue;
        if (!parent.checkVisibility()) continue;
        let above = parent;
        while (above && !cuts(above)) above = above.parentElement;
        if (above) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const right = Math.max(...[...range.getClientRects()].map((line) => line.right));
        const paper = parent.closest("button, a.button, li, article, section, th, td, header, h1");
        const edge = Math.min(width, paper?.getBoundingClientRect().right ?? width);
        if (right > edge + 3)
            found.push(`${Math.round(right - edge)} px: ${text.data.slice(0, 30)}`);
    }
    return found;
}"""


@pytest.fixture
def named(table: Played) -> Played:
    """A fight of people with long names, at whose table a table has one too."""
    gm = table.stage.seat("GM")
    for number, seat in enumerate(list(table.stage.seats.values())):
        table.do(RenameSeat(id=new_id(), seat=gm, of=seat, name=f"{LONG}{number}"))
    for number, name in enumerate(("Mara Vell", "Captain Serk")):
        entity = table.entity(name)
        table.do(ChangeEntity(id=new_id(), seat=gm, entity=entity, name=f"{LONG}{number}"))
    table.do(SetOracle(id=new_id(), seat=gm, title=LONG, rows=f"1-3 {LONG}\n4-6 Sun"))
    table.play(f"""GM> move fight heroes='["@{LONG}0"]' foes='["@{LONG}1"]'""")
    return table


@pytest.mark.slow
def test_long_names_stay_inside(browser: Browser, named: Played) -> None:
    gm, url = Person(browser, "GM"), Urls()
    mara = named.entity(f"{LONG}0")
    places = {
        "table": {"entity": mara, "move": "task"},
        "sheet": {"entity": mara},
        "forecast": {"retreat.heroes": "retreat at half"},
        "builder_new": {},
        "plan": {},
    }
    gm.context.add_cookies([named.cookie("GM")])
    wrong = []
    for name, parts in places.items():
        gm.page.goto(named.served.address + url(name, campaign=named.campaign, **parts))
        if name == "table":
            expect(gm.page.locator("#go")).to_contain_text("Ask Wolf")
        open_everything(gm.page)
        for width, height in WINDOWS:
            gm.page.set_viewport_size({"width": width, "height": height})
            found = gm.page.evaluate(OUTSIDE)
            wrong += [f"{name}, {width} pixels: {one}" for one in found]
            tall = gm.page.evaluate(
                "Math.max(0, ...[...document.querySelectorAll('h1')].map(one => one.clientHeight))"
            )
            if tall > height / 2:
                wrong.append(f"{name}, {width} pixels: a heading of {tall} pixels")
    gm.close()
    assert wrong == [], "\n".join(wrong)
