"""Races: a person's input during a request or an update is kept.

Each answer is held back until the other thing has been done, so each race is run for certain.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.server import lay_out
from tests.browser.holding import Held
from tests.browser.people import EXPECT, Person, Sit, tick
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser


def test_an_answer_takes_away_what_was_sent_and_nothing_that_came_after(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    lene.field("take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        lene.field("note").press_sequentially("Mind the knots")
        page.keyboard.press("ArrowLeft")
        held.let_through()
        lene.reads("A rope")
        expect(lene.field("take")).to_have_value("")
    lene.quiet()
    note = lene.field("note")
    expect(note).to_have_value("Mind the knots")
    expect(note).to_be_focused()
    assert note.evaluate("one => one.selectionStart") == len("Mind the knot")
    expect(lene.field("take")).to_have_value("")
    expect(page.locator("#f-move-gear")).to_be_checked()


def test_a_move_that_is_picked_meanwhile_stays_picked(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    lene.field("take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        lene.pick("contest")
        held.let_through()
        expect(lene.field("other").first).to_be_attached(timeout=EXPECT)
    lene.quiet()
    expect(page.locator("#f-move-contest")).to_be_checked()
    lene.pick("gear")
    expect(lene.field("take")).to_have_value("", timeout=EXPECT)


def test_a_trait_that_is_picked_meanwhile_stays_picked(table: Played, sit: Sit) -> None:
    """The GM's form, with what only the GM sets: trait, difficulty and its veil."""
    gm = sit("GM")
    page = gm.page
    gm.pick("task")
    gm.field("trait").select_option("aim")
    gm.field("difficulty").select_option("easy")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        gm.field("trait").select_option("social")
        gm.field("difficulty").select_option("hard")
        tick(page.locator("#move-form [name='hide']").first)
        held.let_through()
        gm.quiet()
    expect(gm.field("trait")).to_have_value("social")
    expect(gm.field("difficulty")).to_have_value("hard")
    expect(page.locator("#move-form [name='hide']").first).to_be_checked()


def test_what_was_typed_for_another_move_is_there_again(sit: Sit) -> None:
    lene = sit("Lene")
    lene.pick("gear")
    lene.field("take").fill("A rope")
    lene.pick("contest")
    expect(lene.field("other").first).to_be_attached(timeout=EXPECT)
    expect(lene.field("take")).to_have_count(0)
    lene.pick("gear")
    expect(lene.field("take")).to_have_value("A rope", timeout=EXPECT)


def test_a_refusal_keeps_what_came_after_it_was_asked_for(table: Played, sit: Sit) -> None:
    """And its sentence stays through the news, until something is changed."""
    lene = sit("Lene")
    page = lene.page
    page.set_viewport_size({"width": 360, "height": 420})
    lene.pick("gear")
    expect(lene.field("take")).to_be_visible()
    refusal = page.locator("#move-form .refuses")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        lene.field("note").fill("Later")
        held.let_through()
        expect(refusal.first).to_be_visible(timeout=EXPECT)
    expect(lene.field("note")).to_have_value("Later")
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    expect(page.locator("#waiting")).to_contain_text("Mara Vell", timeout=EXPECT)
    lene.quiet()
    page.locator("#go").click()
    expect(refusal.first).to_be_in_viewport(timeout=EXPECT)
    lene.field("take").fill("A rope")
    expect(refusal).to_have_count(0, timeout=EXPECT)
    expect(lene.field("note")).to_have_value("Later")


def test_the_fold_of_real_dice_stays_open(table: Played, sit: Sit) -> None:
    """In the panel and on a card: with nothing typed, and with a face."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("task")
    fold = page.locator("#typed-move")
    lene.pick("gear")
    expect(fold).to_have_count(0)
    table.play("GM> move fight")
    lene.pick("initiative")
    fold.locator("summary").click()
    table.play("Mara> move initiative for 'Mara Vell' faces=5")
    expect(lene.last()).to_contain_text("Mara Vell", timeout=EXPECT)
    lene.quiet()
    faces = page.locator("#faces-move")
    expect(faces).to_be_visible()
    faces.press_sequentially("ki")
    table.play("Jonas> move initiative for 'Old Tam' faces=6")
    expect(lene.last()).to_contain_text("Old Tam", timeout=EXPECT)
    lene.quiet()
    expect(faces).to_be_focused()
    faces.press_sequentially("ck")
    expect(faces).to_have_value("kick")
    page.locator("#go").click()
    lene.reads("kick")


def test_a_card_that_is_drawn_anew_keeps_what_was_typed_in_it(table: Played, sit: Sit) -> None:
    """A refused throw draws the whole card: its other forms and folds are as they were."""
    table.play("Lene> propose task for 'Brother Ivo' trait=aim\nGM> settle difficulty=hard")
    lene = sit("Lene")
    page = lene.page
    card = page.locator("#waiting li.ask").first
    card.get_by_text("Change before rolling").click()
    card.locator("details.more [name='a.trait']").select_option("social")
    card.locator("details.typed summary").click()
    card.locator("[name='faces']").fill("fifteen")
    with Held(page, "**/throw") as held:
        card.locator("form[action$='/throw'] button.go").click()
        held.wait()
        card.locator("[name='faces']").fill("7")
        held.let_through()
        expect(card.locator(".refuses").first).to_be_visible(timeout=EXPECT)
    expect(card.locator("[name='faces']")).to_have_value("7")
    expect(card.locator("[name='faces']")).to_be_visible()
    expect(card.locator("details.more [name='a.trait']")).to_have_value("social")
    expect(card.locator("details.more [name='a.trait']")).to_be_visible()
    lene.complaints.clear()  # the browser notes the refusal in its console
    card.locator("form[action$='/throw'] button.go").click()
    lene.reads("Against Hard, 16")


def test_a_card_that_goes_away_gives_back_what_was_written(table: Played, sit: Sit) -> None:
    table.play(
        """Jonas> propose task for "Old Tam" trait=athletics
        GM> settle
        Jonas> throw kick"""
    )
    gm = sit("GM")
    page = gm.page
    page.locator("#waiting textarea[name='a.text']").fill("The ferryman is her uncle.")
    table.play("GM> answer twist text='A dog barks.'")
    expect(page.locator("#toast")).to_contain_text("The ferryman is her uncle.", timeout=EXPECT)
    expect(page.locator("#toast")).to_contain_text("question is gone")


def test_what_is_no_longer_offered_is_told(table: Played, sit: Sit) -> None:
    table.play("GM> move fight")
    lene = sit("Lene")
    page = lene.page
    lene.pick("initiative")
    table.play("GM> move initiative_all faces=5,6,7,8,9,2")
    expect(page.locator("#toast")).to_contain_text(
        "“Roll Initiative” is no longer available. Your form now has", timeout=EXPECT
    )
    expect(page.locator("#f-move-initiative")).to_have_count(0)


def test_a_box_that_the_game_had_ticked_goes_without_a_word(table: Played, sit: Sit) -> None:
    """The GM is about to roll for everybody while a player rolls."""
    table.play("GM> move fight")
    gm = sit("GM")
    page = gm.page
    page.locator("#fight").get_by_role("link", name="Initiative for everybody").click()
    boxes = page.locator("#move-form input[name='a.who'][type='checkbox']")
    expect(boxes).to_have_count(6, timeout=EXPECT)
    table.play('Mara> move initiative for "Mara Vell" faces=5')
    expect(boxes).to_have_count(5, timeout=EXPECT)
    gm.quiet()
    expect(page.locator("#toast")).to_be_empty()
    expect(page.locator("#odds, #move-form .note")).not_to_contain_text(["every answer is valid"])


def test_a_row_whose_move_is_not_offered_is_named_as_it_reads(table: Played, sit: Sit) -> None:
    table.play("GM> move fight")
    table.play("GM> move hurt who=@'Brother Ivo' cause='a falling beam' wounds=4")
    gm = sit("GM")
    page = gm.page
    page.locator("#party .pc", has_text="Brother Ivo").locator("summary").click()
    page.locator("#party").get_by_role("link", name="Willpower").locator("visible=true").click()
    expect(page.locator("#toast")).to_contain_text("“Willpower 7” is no longer", timeout=EXPECT)
    expect(page.locator("#toast")).not_to_contain_text("“task”")
    expect(page.locator("#toast")).not_to_contain_text("“willpower”")


def test_news_does_not_tell_the_odds_again(table: Played, sit: Sit) -> None:
    """A screen reader hears them when they change, and only then."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("task")
    lene.field("trait").select_option("perception")
    expect(page.locator("#odds b")).to_be_visible(timeout=EXPECT)
    lene.quiet()
    page.evaluate(
        """() => { window.heard = 0;
        new MutationObserver((all) => { window.heard += all.length; })
          .observe(odds, { childList: true, subtree: true, characterData: true }); }"""
    )
    with page.expect_response(lambda one: "/moves?" in one.url):
        table.play("Mara> propose task for 'Mara Vell' trait=aim")
    lene.quiet()
    assert page.evaluate("heard") == 0
    lene.field("trait").select_option("aim")
    lene.quiet()
    assert page.evaluate("heard") > 0


def test_a_row_that_is_to_be_taken_out_stays_ticked(served: Served, browser: Browser) -> None:
    """And what was typed in the others stays where it stands, through news and a reload."""
    table = Played(served, served.wait_for(lay_out(served.server, "lucky_stars")))
    table.play("GM> begin")
    ada = Person(browser, "Ada")
    ada.context.add_cookies([table.cookie("Ada")])
    ada.page.goto(table.address)
    ada.live()
    ada.pick("contest")
    ada.quiet()  # the move that was picked before has fields of the same names
    rows = [ada.field(f"factors.{row}.name") for row in range(3)]
    for field, words in zip(rows, ("The better pole", "Wind"), strict=False):
        field.fill(words)
        expect(field).to_have_attribute("value", words, timeout=EXPECT)
    tick(ada.field("factors.0.remove"))
    rows[1].fill("Rain")
    table.play("Ben> say Who goes there?")
    ada.quiet()
    expect(ada.field("factors.0.remove")).to_be_checked()
    assert [field.input_value() for field in rows] == ["The better pole", "Rain", ""]
    ada.page.reload()
    ada.live()
    expect(ada.field("factors.0.remove")).to_be_checked(timeout=EXPECT)
    assert [field.input_value() for field in rows] == ["The better pole", "Rain", ""]
    ada.close()


def test_no_button_moves_while_the_odds_are_asked_for(sit: Sit, table: Played) -> None:
    table.play('Lene> propose task for "Brother Ivo" trait=knowing')
    gm = sit("GM")
    card = gm.card("Task")
    gm.unfold(card)
    form = card.locator("form.panel").first
    button = form.locator("button.go")
    with Held(gm.page, "**/odds?**", "GET") as held:
        button.evaluate("one => one.scrollIntoView()")
        before = button.bounding_box()
        form.locator('[name="a.difficulty"]').select_option(index=2)
        held.wait()
        assert button.bounding_box() == before
    gm.quiet()
