"""A whole session of Toast with a GM and three players: two browsers, and two programs.

Every die is a real one whose face is typed in, as at a table where people like their own dice.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.client import Table
from tests.browser.afar import Afar
from tests.browser.hosting import PROGRAM, Hosted
from tests.browser.people import EXPECT, Person
from tests.fork_server import ForkServer

pytestmark = pytest.mark.browser

#: Each 52 points over thirteen traits: Aesthetics went, Piloting came.
TRAITS = (
    "athletics", "aim", "attack", "defense", "dexterity", "health", "initiative", "knowing",
    "perception", "social", "strength", "willpower", "piloting",
)  # fmt: skip
MARA = (4, 7, 4, 6, 3, 3, 5, 3, 6, 5, 2, 4, 0)
TAM = (2, 1, 6, 5, 5, 6, 4, 4, 4, 6, 5, 1, 3)
IVO = (4, 0, 5, 4, 3, 5, 3, 7, 4, 4, 5, 7, 1)


@pytest.fixture
def hosted(fork_server: ForkServer, tmp_path: Path) -> Iterator[Hosted]:
    server = Hosted(fork_server, tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def everyone(browser: Browser) -> Iterator[dict[str, Person]]:
    people = {
        "gm": Person(browser, "Ida"),
        "mara": Person(browser, "Mara", color_scheme="dark"),
    }
    yield people
    for one in people.values():
        one.close()


@contextmanager
def shown_where_it_fails(everyone: dict[str, Person], folder: Path) -> Iterator[None]:
    """How each screen looked stays with the test's files, for whoever has to mend it."""
    try:
        yield
    except Exception:
        for one in everyone.values():
            one.page.screenshot(path=folder / f"{one.name}.png")
            (folder / f"{one.name}.html").write_text(one.page.content(), encoding="utf-8")
        raise


@pytest.mark.slow
def test_an_evening_of_toast(
    hosted: Hosted, fork_server: ForkServer, everyone: dict[str, Person], tmp_path: Path
) -> None:
    gm, mara = everyone["gm"], everyone["mara"]
    with shown_where_it_fails(everyone, tmp_path), ExitStack() as guests:
        invitation = _lay_the_table(hosted, gm)
        _join(gm, mara, invitation)
        jonas, lene = (
            Afar(guests.enter_context(_join_from_afar(gm, invitation, name)))
            for name in ("Jonas", "Lene")
        )
        _build_mara(gm, mara)
        jonas.build("Old Tam", _raw(TAM, "Best cook in the city"))
        _accept(gm, "Old Tam")
        lene.build("Brother Ivo", _raw(IVO, "Vow of patience"))
        _accept(gm, "Brother Ivo")
        _bring_in_the_others(gm)

        _tasks(gm, mara, jonas, lene)
        _contest(gm, jonas)
        _fight(hosted, gm, mara, jonas, lene)
        _after(gm, mara, jonas, lene)
        _take_home(fork_server, gm, tmp_path)
        for person in everyone.values():
            assert person.complaints == [], person.name


def _lay_the_table(hosted: Hosted, gm: Person) -> str:
    """The host lays a table whose list of traits has Piloting and no Aesthetics."""
    page = gm.page
    page.goto(hosted.link("host"))
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="New campaign", exact=True).click()
    page.get_by_role("link", name="Choose Toast", exact=True).click()
    page.get_by_label("Campaign name").fill("The Salt Road")
    page.get_by_label("Your name").fill("Ida")
    taken_out = page.locator('input[name="o.traits.0.name"]')
    if not taken_out.is_visible():
        page.locator("details.group", has=taken_out).locator("summary").first.click()
    expect(taken_out).to_have_value("Aesthetics")
    page.locator('input[name="o.traits.0.remove"]').check(force=True)
    page.locator('input[name="o.traits.13.name"]').fill("Piloting")
    page.get_by_role("button", name="Create campaign").first.click()
    expect(page).to_have_url(re.compile(r"/t/[^/]+(/desk.*)?$"))
    page.goto(re.sub(r"(/t/[^/]+).*", r"\1/desk", page.url))
    invitation = page.locator("#invite").input_value()
    page.goto(re.sub(r"(/t/[^/]+).*", r"\1", page.url))
    gm.live()
    return re.sub(r"http://[^/]+", hosted.address, invitation)


def _join(gm: Person, player: Person, invitation: str) -> None:
    """Somebody knocks and waits; the GM lets them in."""
    page = player.page
    page.goto(invitation)
    page.get_by_label("Your name").fill(player.name)
    page.get_by_role("button", name="Knock").click()
    expect(page.locator("#join-state")).to_be_visible()
    _let_in(gm, player.name)
    _comes_to_the_table(player)


def _join_from_afar(gm: Person, invitation: str, name: str) -> Table:
    """A program knocks with the same link, and is let in as anybody is."""
    table = Table.knock(invitation, name)
    _let_in(gm, name)
    assert table.wait_for_yes(every=0.1).state == "seated"
    return table


def _let_in(gm: Person, name: str) -> None:
    door = gm.page.locator("#waiting li.ask").filter(has_text=f"{name} is at the door")
    door.get_by_role("button", name="Let in").click()
    expect(door).to_have_count(0)


def _raw(levels: tuple[int, ...], perk: str) -> dict[str, Any]:
    """A sheet as it is filled in."""
    traits = {f"traits.{name}": level for name, level in zip(TRAITS, levels, strict=True)}
    return {**traits, "perks.0.text": perk}


def _sheet(player: Person, name: str, levels: tuple[int, ...], perks: list[str]) -> None:
    page = player.page
    page.fill("#f-s-name", name)
    for trait, level in zip(TRAITS, levels, strict=True):
        page.locator(f'#builder [name="a.traits.{trait}"]').fill(str(level))
    for index, perk in enumerate(perks):
        field = page.locator(f'#builder [name="a.perks.{index}.text"]')
        expect(field).to_be_visible(timeout=EXPECT)
        field.fill(perk)


def _submit(player: Person) -> None:
    player.page.get_by_role("button", name="Send to the GM").click()


def _begin(player: Person) -> None:
    player.page.get_by_role("link", name="Make a character").click()
    player.page.get_by_role("button", name="Start from scratch").first.click()
    player.page.get_by_role("button", name="Show all steps").click()
    expect(player.page.locator("#builder")).to_be_visible()


def _build_mara(gm: Person, mara: Person) -> None:
    """A sheet refused for 53 points, for a 10 and for a sixth perk, and one perk sent back."""
    page = mara.page
    _begin(mara)
    over = list(MARA)
    over[8] += 1
    _sheet(mara, "Mara Vell", tuple(over), ["One", "Two", "Three", "Four", "Five", "Six"])
    _submit(mara)
    problems = page.locator("#builder .problems")
    expect(problems).to_contain_text("1 point")
    expect(problems).to_contain_text("5 perks at most, not 6")
    expect(page.locator('[name="a.perks.5.text"]')).to_have_value("Six")
    page.locator('[name="a.traits.aim"]').fill("10")
    page.locator('[name="a.traits.perception"]').fill("3")
    _submit(mara)
    expect(problems).to_contain_text("9 at most, not 10")
    expect(page.locator('[name="a.traits.aim"]')).to_have_value("10")
    page.locator('[name="a.traits.aim"]').fill("7")
    page.locator('[name="a.traits.perception"]').fill("6")
    for index, perk in enumerate(("Good with rifles", "Strength")):
        page.locator(f'[name="a.perks.{index}.text"]').fill(perk)
    for index in range(2, 6):
        page.locator(f'[name="a.perks.{index}.text"]').fill("")
    _submit(mara)
    gm.answer("Strength", verdict="refused", suggestion="Carries twice her weight")
    rifles = gm.card("Good with rifles")
    expect(rifles.locator("textarea")).to_be_hidden()
    rifles.get_by_role("button", name="Yes").click()
    gm.page.get_by_role("link", name="Review").click()
    gm.page.get_by_label("Note to the player").fill("One perk is as wide as a trait.")
    gm.page.get_by_role("button", name="Send back").click()
    # The page that waited brings the note by itself, and a link at the table leads back to it.
    note = page.locator("aside").filter(has_text="One perk is as wide as a trait.")
    expect(note).to_be_visible(timeout=EXPECT)
    _to_the_table(mara)
    page.get_by_role("link", name="Continue building").click()
    expect(note).to_be_visible()
    page.get_by_role("button", name="Show all steps").click()
    page.locator('[name="a.perks.1.text"]').fill("Knows the Krim valley")
    _submit(mara)
    _accept(gm, "Mara Vell")
    _comes_to_the_table(mara)
    expect(page.locator("#sheet")).to_contain_text("Knows the Krim valley")


def _accept(gm: Person, name: str) -> None:
    _to_the_table(gm)
    card = gm.page.locator("#waiting li.ask").filter(has_text=f"{name} is ready to approve")
    card.get_by_role("link", name="Review").click()
    gm.page.get_by_role("button", name="Approve").click()
    _comes_to_the_table(gm)
    expect(gm.page.locator("#party")).to_contain_text(name)


def _comes_to_the_table(person: Person) -> None:
    """A yes of the GM's brings a player to the table."""
    expect(person.page).to_have_url(re.compile(r"/t/[^/]+$"), timeout=EXPECT)
    person.live()


def _to_the_table(person: Person) -> None:
    person.page.goto(re.sub(r"(/t/[^/]+).*", r"\1", person.page.url))
    person.live()


def _bring_in_the_others(gm: Person) -> None:
    """A lieutenant and two minions, then the evening begins."""
    gm.move("npc", name="Captain Serk", preset="right-hand", importance="lieutenant")
    gm.reads("Captain Serk")
    gm.move("npc", name="Guard", preset="hired-hand", importance="minion", count="2")
    gm.reads("Guard, 2 of them")
    gm.page.locator("#chips").get_by_role("button", name="Begin session 1").click()
    gm.reads("Session 1 begins")


def _tasks(gm: Person, mara: Person, jonas: Afar, lene: Afar) -> None:
    """A task at each difficulty, one of them hidden; a flub and a kick with their sentences."""
    mara.move("task", trait="perception", perk="Knows the Krim valley")
    gm.settle(difficulty="easy")
    mara.throw("2")
    mara.reads("Success")
    expect(mara.last()).to_contain_text("11")

    lene.move("task", trait="knowing")
    gm.settle()
    lene.throw("3")
    lene.reads("Failure")

    jonas.move("task", trait="piloting")
    gm.settle(difficulty="hard")
    jonas.throw("flub")
    jonas.reads("flub")
    gm.answer("a flub", text="Off they go, towards the mill.", mood="mixed")
    lene.reads("Off they go, towards the mill.")

    mara.move("task", trait="social", perk="")
    gm.settle(difficulty="custom")
    gm.settle(number="13", hide=("difficulty", "number"))
    card = mara.page.locator("#waiting li.ask.mine").first
    expect(card).to_contain_text("Only the GM sees the odds of this roll")
    mara.never_reads("number of its own")
    mara.throw("9")
    expect(mara.last()).to_contain_text("14")
    gm.reads("a number of its own, 13")
    mara.never_reads("number of its own")

    lene.move("task", trait="willpower")
    gm.settle()
    lene.throw("kick")
    gm.answer("a kick", text="The miller's dog falls in love with him.")
    jonas.reads("The miller's dog falls in love with him.")


def _contest(gm: Person, jonas: Afar) -> None:
    """A contest ties; the GM has it thrown again."""
    serk = _entity(gm, "Captain Serk")
    jonas.move("contest", other=serk, trait="social", perk="Best cook in the city")
    gm.settle(other_trait="social")
    jonas.throw("3 7")
    jonas.reads("The GM decides.")
    gm.answer("A tie", faces="2 9", ruling="reroll")
    jonas.reads("Captain Serk wins")


def _entity(gm: Person, name: str) -> str:
    found = gm.page.locator("#f-actor option").filter(has_text=re.compile(f"^{name}$"))
    return str(found.get_attribute("value"))


def _fight(hosted: Hosted, gm: Person, mara: Person, jonas: Afar, lene: Afar) -> None:
    """Two minions, a lieutenant, somebody who goes down; and the server stops and starts."""
    ivo = lene.entity
    serk, guard = _entity(gm, "Captain Serk"), _entity(gm, "Guard 1")
    gm.move("fight")
    mara.move("initiative", faces="5")
    jonas.move("initiative", faces="6")
    lene.move("initiative", faces="flub")
    lene.reads("does not act this round")
    gm.move("initiative_all", faces="9 3 kick")
    gm.answer("Equal Initiative", faces="4 8", ruling="reroll")
    gm.answer("a kick on Initiative", text="He is still talking to the dog.")
    expect(mara.page.locator("#fight")).to_contain_text("Captain Serk")

    gm.move("attack", entity="Captain Serk", target=ivo, trait="attack")
    lene.settle()
    gm.throw("10 2")
    lene.reads("One wound: 1 of 4")

    # The server goes down in the middle of the fight, and comes back; a page is loaded again.
    hosted.stop()
    expect(mara.page.locator("#live")).not_to_have_attribute("data-state", "live", timeout=EXPECT)
    hosted.start()
    mara.page.reload()
    for person in (gm, mara):
        person.live()
        person.complaints.clear()
    expect(mara.page.locator("#fight")).to_contain_text("Captain Serk")

    gm.move("end_turn", entity="Guard 2")
    jonas.move("attack", target=guard, trait="attack")
    gm.settle()
    jonas.throw("7 4")
    jonas.reads("goes down")
    mara.answer("was that deadly force?", answer="deadly")
    jonas.answer("was that deadly force?", answer="spare")
    gm.reads("Guard 1 is unconscious")

    mara.move("attack", target=serk, trait="aim", perk="Good with rifles")
    gm.settle()
    mara.throw("kick 10")
    gm.answer("a kick", text="The bullet rings the mill bell.")
    gm.answer("still fighting?", answer="on")

    gm.move("initiative_all", faces="1 3 2 10 4")
    gm.answer("Equal Initiative", faces="9 2", ruling="reroll")
    for cause in ("the falling bell", "the bell again"):
        gm.move("hurt", who=ivo, cause=cause)
        gm.reads(cause)
    gm.move("attack", entity="Captain Serk", target=ivo, trait="attack")
    lene.settle()
    gm.throw("8 3")
    lene.reads("Brother Ivo goes down: unconscious")
    assert "nconscious" in str(lene.table.view().summaries[ivo])
    jonas.move("first_aid", patient=ivo)
    lene.reads("conscious again")
    gm.answer("fight on?")
    gm.move("end_fight", why="Serk has heard the bell.")
    mara.reads("The fight is over")


def _after(gm: Person, mara: Person, jonas: Afar, lene: Afar) -> None:
    """A day of healing; then the end of the evening, with advancement and a petition."""
    gm.move("day")
    gm.reads("3 wounds left")
    gm.page.goto(re.sub(r"(/t/[^/]+).*", r"\1/desk", gm.page.url))
    gm.page.get_by_role("button", name="Wrap up session").click()
    expect(gm.page).to_have_url(re.compile(r"/closing$"), timeout=EXPECT)
    mara.reads("The session closes")
    _to_the_table(gm)

    page = mara.page
    page.goto(re.sub(r"(/t/[^/]+).*", r"\1/closing", page.url))
    advance = page.locator('form.chapter:has(input[name="move"][value="advance"])')
    mara.fill(advance, trait="perception")
    mara.type_faces(advance, "7")
    advance.locator("button").last.click()
    expect(page.locator("main")).to_contain_text("Perception goes up to 7")
    petition = page.locator('form.chapter:has(input[name="move"][value="petition"])')
    mara.fill(petition, perk="Rings bells from afar", reason="That shot at the mill.")
    petition.locator("button").last.click()
    jonas.answer("Rings bells from afar", answer="yes")
    lene.answer("Rings bells from afar", answer="yes")
    gm.answer("Rings bells from afar", answer="yes")
    gm.reads("The GM grants the perk")
    gm.page.goto(re.sub(r"(/t/[^/]+).*", r"\1/closing", gm.page.url))
    gm.page.get_by_role("button", name="End session 1").click()
    _comes_to_the_table(gm)
    gm.reads("Session 1 ended")
    _to_the_table(mara)
    expect(page.locator("#sheet")).to_contain_text("Rings bells from afar")


def _take_home(fork_server: ForkServer, gm: Person, folder: Path) -> None:
    """Export from the page; verify offline; import it into another server: the same campaign."""
    page = gm.page
    page.goto(re.sub(r"(/t/[^/]+).*", r"\1/desk", page.url))
    with page.expect_download() as loading:
        page.get_by_role("link", name="Export campaign").click()
    carried = folder / "salt-road.zip"
    loading.value.save_as(carried)
    report = json.loads(_run(fork_server, folder, "verify", carried, "--json"))
    assert report["broken"] is False
    assert report["sessions"][0]["report"]["verdict"] == "fair"

    other = folder / "other.db"
    taken_in = json.loads(_run(fork_server, folder, "import", carried, "--data", other, "--json"))
    with zipfile.ZipFile(carried) as opened:
        journal = opened.read("journal.jsonl").decode().splitlines()
    assert taken_in["events"] == len(journal)
    again = folder / "again.zip"
    _run(fork_server, folder, "export", taken_in["campaign"], again, "--data", other)
    with zipfile.ZipFile(again) as opened:
        assert opened.read("journal.jsonl").decode().splitlines() == journal


def _run(fork_server: ForkServer, folder: Path, *words: object) -> str:
    """What the command line says to that."""
    with fork_server.begun(PROGRAM, *words, folder=folder) as one:
        said = one.out.read()
        assert one.wait(60) == 0, one.err.read()
    return said
