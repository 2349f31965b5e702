"""The print set on paper: as PDF pages in A4 and Letter, nothing wider than the paper."""

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser

#: The most pages of each sheet and screen, on either paper.
PAGES = {
    "/print/toast?kind=pc": 1,
    "/print/toast": 1,
    "/print/objects?kind=person": 1,
    "/print/lucky_stars?kind=pc": 1,
    "/print/lanterns": 1,
    "/print/toaster?kind=pc": 3,
    "/print/toaster": 5,
}
#: Pages of paper, 96 to an inch, without the margins of 14 mm.
WIDTHS = {"A4": 688, "Letter": 710}
_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


@pytest.mark.slow
def test_sheets_screens_and_records_fit_their_paper(
    browser: Browser, served: Served, table: Played
) -> None:
    context = browser.new_context()
    context.add_cookies([table.cookie("Mara")])
    page = context.new_page()
    page.emulate_media(media="print")
    mara = table.entity("Mara Vell")
    own = {f"/t/{table.campaign}/sheets/{mara}": 1, f"/t/{table.campaign}/recap": 1}
    for address, most in {**PAGES, **own}.items():
        page.goto(served.address + address)
        for paper, width in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
            printed = page.pdf(format=paper)
            assert 1 <= len(_PAGE.findall(printed)) <= most, (address, paper)
    # A character's match is a form, whose table is printed all the same.
    page.goto(f"{served.address}/t/{table.campaign}/characters/{mara}/carry?to=objects")
    assert page.locator("table.carried").is_visible()
    assert not page.get_by_role("button", name="Match again").is_visible()
    # So are the chances of the odds lab, without its forms.
    page.goto(f"{served.address}/odds?of=toaster+task+rank%3D6")
    assert page.locator("#chances table").is_visible()
    assert not page.locator(".lab-card").first.is_visible()
    # A rule of the book has the width of the paper, in landscape too: its chapters are not printed.
    page.set_viewport_size({"width": 1017, "height": 700})
    page.goto(f"{served.address}/rules/toast")
    assert page.evaluate("document.querySelector('.law').clientWidth") > 900
    # So has the journal, without its tools.
    page.goto(f"{served.address}/t/{table.campaign}/journal")
    assert page.evaluate("document.querySelector('#log-list').clientWidth") > 900
    context.close()
