"""The odds lab under sliders, and a player's luck, in a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser


def test_a_slider_changes_chances_and_address_without_a_reload(
    browser: Browser, served: Served
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{served.address}/odds?of=toast+task+trait%3D3+difficulty%3D11")
    chances = page.locator("#chances")
    expect(chances).to_contain_text("success25 %")
    page.evaluate("window.stays = true")
    slider = page.get_by_role("slider", name="trait")
    slider.focus()
    slider.press("ArrowRight")
    expect(chances).to_contain_text("success33 %")
    assert page.evaluate("window.stays")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.reload()
    expect(chances).to_contain_text("success33 %")
    context.close()


def test_a_player_reads_their_luck_from_the_recap(
    sit: Callable[[str], Person], table: Played
) -> None:
    table.play(
        """Lene> propose task for "Brother Ivo" trait=perception
GM> settle difficulty=medium
Lene> throw 9"""
    )
    page = sit("Lene").page
    page.goto(f"{table.address}/recap")
    page.get_by_role("link", name="Luck").click()
    expect(page.locator("main")).to_contain_text("1 of 1 roll succeeded; 0.4 were expected.")
