"""A character carried to another game through its file, and a planned fight begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.server import lay_out
from tests.browser.people import Person
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_character_goes_on_in_another_game(
    browser: Browser, served: Served, table: Played, tmp_path: Path
) -> None:
    there = Played(served, served.wait_for(lay_out(served.server, "lucky_stars")))
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.add_cookies([table.cookie("Mara"), there.cookie("Ada")])
    page = context.new_page()
    page.goto(f"{table.address}/sheets/{table.entity('Mara Vell')}")
    page.get_by_role("link", name="Carry over").click()
    page.get_by_label("Game").select_option(label="These Lucky Stars, The Basics")
    page.get_by_role("button", name="Match").click()
    level = page.get_by_label("Will, level")
    expect(level).to_have_value("3")
    level.fill("-5")
    page.get_by_label("Strength, from").select_option("aim")
    page.get_by_role("button", name="Match again").click()
    expect(page.get_by_label("Strength, level")).to_have_value("6")
    expect(level).to_have_value("-5")
    level.fill("")
    page.get_by_role("button", name="Match again").click()
    expect(level).to_have_value("3")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save for These Lucky Stars").click()
    saved.value.save_as(tmp_path / "mara.json")
    page.goto(f"{there.address}/characters/new")
    page.get_by_label("Character file").set_input_files(tmp_path / "mara.json")
    page.get_by_role("button", name="Import").click()
    page.get_by_role("button", name="Send to the GM").click()
    expect(page.locator("main")).to_contain_text("Mara Vell")
    context.close()


@pytest.mark.slow
def test_the_gm_begins_the_fight_that_was_planned(
    sit: Callable[[str], Person], table: Played
) -> None:
    gm, mara = sit("GM"), sit("Mara")
    gm.page.goto(f"{table.address}/plan")
    gm.page.get_by_label("Side of Mara Vell").select_option("players")
    gm.page.get_by_label("Side of Guard by the door").select_option("others")
    gm.page.get_by_label("How many: Guard by the door").fill("2")
    gm.page.get_by_role("button", name="Show forecast").click()
    expect(gm.page.locator(".said")).to_contain_text("Players win 96")
    gm.page.get_by_role("button", name="Begin fight").click()
    expect(mara.page.locator("#fight")).to_contain_text("Guard by the door 2")
    gm.page.goto(f"{table.address}/forecast")
    gm.page.get_by_text("What if ...?").click()
    gm.page.get_by_label("Mara Vell: attack with").select_option("Aim")
    gm.page.get_by_label("Retreat of Heroes").select_option("retreat at half")
    gm.page.get_by_role("button", name="Compare").click()
    expect(gm.page.locator(".said").nth(1)).to_contain_text("heroes retreat")
    expect(gm.page.get_by_label("Mara Vell: attack with")).to_have_value("Aim")
