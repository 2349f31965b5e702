"""What comes with the first key and the first throw: dice in three dimensions, keys, the search."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.keys import new_id
from kitchentable.campaign.commands import ChangeEntity
from tests.browser.people import EXPECT, Person, Sit
from tests.browser.serving import Played

pytestmark = pytest.mark.browser

THROWN = 'Jonas> propose task for "Old Tam" trait=aim\nGM> settle\nJonas> throw kick'
TOLD = "#log-list > li.k-move .out"


@pytest.mark.slow
def test_a_result_is_told_when_its_dice_have_landed(browser: Browser, table: Played) -> None:
    """Nothing of them is loaded before the first throw; the card has the face that was decided."""
    mara = Person(browser, "Mara", reduced_motion="no-preference")
    page = mara.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    mara.context.add_cookies([table.cookie("Mara")])
    page.goto(table.address)
    mara.live()
    assert not [url for url in asked if "/dice-" in url or "/play-" in url]
    table.play(THROWN)
    expect(page.locator("#thrown")).to_be_attached(timeout=EXPECT)
    entry = page.locator("#log-list > li.k-move").last
    expect(entry).to_have_attribute("aria-busy", "true")
    assert entry.locator(".out").evaluate("one => getComputedStyle(one).opacity") == "0"
    expect(page.locator("#thrown")).to_have_count(0, timeout=EXPECT)
    expect(entry.locator(".die.f-kick")).to_have_count(1)
    assert entry.locator(".out").evaluate("one => one.style.opacity") == ""
    assert len([url for url in asked if "/dice-" in url]) == 1
    assert mara.complaints == []
    mara.close()


def test_no_dice_fly_for_those_who_asked_for_stillness(table: Played, sit: Sit) -> None:
    page = sit("Mara").page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    table.play(THROWN)
    expect(page.locator(TOLD).last).to_be_visible(timeout=EXPECT)
    assert not [url for url in asked if "/dice-" in url]


def test_keys_and_the_search(table: Played, sit: Sit) -> None:
    """Roll, speak, search; letters that are typed are letters; the GM answers with two keys."""
    mara, gm = sit("Mara"), sit("GM")
    page = mara.page
    page.keyboard.press("r")
    expect(page.locator("#go")).to_be_focused()
    expect(page.locator(".roll-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.type("/p")
    expect(page.locator("#say-lines option[value='/Perception']")).to_have_count(1, timeout=EXPECT)
    expect(page.locator("#say")).to_have_value("/p")
    page.keyboard.press("Control+k")
    expect(page.locator("#find")).to_be_focused(timeout=EXPECT)
    page.keyboard.type("krim")
    expect(page.locator("#found a").first).to_have_text("Knows the Krim valley", timeout=EXPECT)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#go")).to_be_focused()
    expect(page.locator("#roll-sheet > summary")).to_contain_text("Knows the Krim valley")
    page.keyboard.press("Enter")
    expect(gm.page.locator("#waiting .verdicts").first).to_be_visible(timeout=EXPECT)
    gm.page.keyboard.press("1")
    expect(gm.page.locator("#waiting .verdicts button").first).to_be_focused()
    gm.page.keyboard.press("h")
    expect(page.locator("#waiting")).to_contain_text("Hard", timeout=EXPECT)
    page.keyboard.press("Escape")
    page.locator(":focus").evaluate("one => one.blur()")
    page.keyboard.press("q")
    expect(page.locator("#waiting .go")).to_be_focused()


def test_the_queue_on_the_desk_answers_in_place(table: Played, sit: Sit) -> None:
    mara, gm = sit("Mara"), sit("GM")
    mara.move("task", trait="perception", what="Listen at the door")
    expect(gm.page.locator("#waiting .verdicts").first).to_be_visible(timeout=EXPECT)
    gm.page.goto(f"{table.address}/desk")
    gm.page.locator("#needs button").click()
    expect(gm.page.locator("#queue q")).to_have_text("Listen at the door")
    gm.page.locator("#queue").get_by_role("button", name="Hard").click()
    expect(gm.page.locator("#needs button")).to_have_count(0, timeout=EXPECT)
    assert gm.page.url.endswith("/desk")
    expect(mara.page.locator("#waiting")).to_contain_text("Hard", timeout=EXPECT)


def test_a_proposal_grows_into_its_result(table: Played, sit: Sit) -> None:
    lene = sit("Lene")
    table.play('Mara> propose task for "Mara Vell" trait=aim')
    expect(lene.page.locator("#log-list > .k-proposed")).to_have_count(1, timeout=EXPECT)
    table.play("GM> settle\nMara> throw 7")
    expect(lene.page.locator("#log-list > .k-move")).to_have_count(1, timeout=EXPECT)
    expect(lene.page.locator("#log-list > .k-proposed")).to_have_count(0)
    lene.page.reload()
    expect(lene.page.locator("#log-list > .k-move")).to_have_count(1)
    expect(lene.page.locator("#log-list > .k-proposed")).to_have_count(0)
    table.play(THROWN.replace("Jonas> throw kick", "GM> decline success It is only salt."))
    lene.reads("It is only salt.")
    expect(lene.page.locator("#log-list > .k-proposed")).to_have_count(0)


def test_lines_to_choose_from_come_after_an_outage(sit: Sit) -> None:
    mara = sit("Mara")
    page = mara.page
    page.keyboard.press("c")
    expect(page.locator("#say")).to_be_focused()
    mara.context.set_offline(True)
    page.keyboard.type("/")
    expect(page.locator("#say-lines")).to_have_count(0, timeout=EXPECT)
    expect(page.locator("#say[list]")).to_have_count(0)
    mara.context.set_offline(False)
    page.keyboard.type("p")
    expect(page.locator("#say-lines option[value='/Perception']")).to_have_count(1, timeout=EXPECT)


def test_a_line_with_a_wrong_answer_stands_there_again_with_the_reason(sit: Sit) -> None:
    mara = sit("Mara")
    mara.say("/task trait=bogus")
    expect(mara.page.locator("#say-error")).to_contain_text("Trait", timeout=EXPECT)
    expect(mara.page.locator("#say")).to_have_value("/task trait=bogus")


def test_a_refusal_goes_when_its_form_is_taken(sit: Sit) -> None:
    page = sit("GM").page
    form = page.locator("form:has(#n-rows)")
    page.locator("#oracle-new > summary").click()
    page.locator("#n-otitle").fill("Weather")
    for rows, said in (("1-3 Rain\nSun", "has no number"), ("1-3 Rain\n4-6 Sun", "")):
        page.locator("#n-rows").fill(rows)
        form.get_by_role("button", name="Add table").click()
        expect(page.locator("#toast p")).to_have_count(1 if said else 0, timeout=5000)
        expect(page.locator("#toast")).to_contain_text(said)


def test_a_tap_in_the_fight_aims_the_roll(table: Played, sit: Sit) -> None:
    table.play(
        "GM> move fight heroes='[\"@Mara Vell\"]' foes='[\"@Captain Serk\"]'\n"
        'Mara> move initiative for "Mara Vell" faces=kick\n'
        "GM> move initiative_all faces=2"
    )
    page = sit("Mara").page
    page.locator("#fight").get_by_role("link", name="Captain Serk").click()
    summary = page.locator("#roll-sheet > summary")
    expect(summary).to_contain_text("Attack Captain Serk", timeout=EXPECT)
    page.locator("#move-form select[name='a.trait']").select_option("aim")
    expect(summary).to_contain_text("Aim 7", timeout=EXPECT)
    expect(summary).to_contain_text("Captain Serk")


def test_a_refused_picture_is_told_where_it_was_chosen(
    table: Played, sit: Sit, tmp_path: Path
) -> None:
    """A file that is not a picture, or is too large, leaves the filled-in form alone."""
    wrong, large = tmp_path / "wrong.png", tmp_path / "large.png"
    wrong.write_bytes(b"<svg/>")
    large.write_bytes(b"x" * 12_200_000)
    gm = sit("GM")
    page = gm.page
    for where in ("/handouts", f"/sheets/{table.entity('Captain Serk')}"):
        page.goto(f"{table.address}{where}")
        form = page.locator("form[enctype]").last
        if where == "/handouts":
            form.locator("input[name=title]").fill("A letter")
        for file, said in ((wrong, "cannot be read"), (large, "larger than 12 MB")):
            form.locator("input[type=file]").set_input_files(file)
            form.locator("button").first.click()
            expect(page.locator("#toast")).to_contain_text(said, timeout=EXPECT)
            assert page.url == f"{table.address}{where}"
            assert form.locator("input[type=file]").input_value().endswith(file.name)
        if where == "/handouts":
            expect(form.locator("input[name=title]")).to_have_value("A letter")
            form.locator("input[type=file]").set_input_files([])
            form.locator("button").first.click()
            expect(page.locator("article h2")).to_have_text("A letter", timeout=EXPECT)
            expect(form.locator("input[name=title]")).to_have_value("")


def test_whoever_was_chosen_to_speak_speaks_on(sit: Sit, table: Played) -> None:
    """An NPC that comes in can speak at once; of one that goes, nobody else takes the words."""
    gm = sit("GM")
    speaker = gm.page.locator("#say-as")
    speaker.select_option(label="Captain Serk")
    gm.say("Halt!")
    gm.reads("Halt!")
    table.play('GM> move npc name="The Abbot" preset=right-hand importance=lieutenant')
    expect(speaker).to_contain_text("The Abbot", timeout=EXPECT)
    expect(speaker).to_have_value(table.entity("Captain Serk"))
    serk, me = table.entity("Captain Serk"), table.stage.seat("GM")
    table.do(ChangeEntity(id=new_id(), seat=me, entity=serk, gone=True))
    expect(speaker).not_to_contain_text("Captain Serk", timeout=EXPECT)
    expect(speaker).to_have_value("")
