"""The print set: every game's blank sheets and screen, by the book and as a table has it."""

import html
import re

import pytest

from kitchentable.rules import registry
from tests.web.visitors import Visited, visit


@pytest.fixture(scope="module")
def anybody():
    with visit() as visited:
        yield visited.stranger()


def words_of(page):
    main = page.partition('<main id="main"')[2]
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", main)))


@pytest.mark.parametrize("name", registry.names())
def test_every_kind_has_a_blank_sheet_and_every_game_a_screen(anybody, name):
    screen = anybody.get(f"/print/{name}").text
    assert "The GM’s screen" in words_of(screen)
    assert all(move.title in words_of(screen) for move in registry.load(name).moves if move.by)
    kinds = re.findall(r"\?kind=(\w+)", screen)
    assert kinds
    for kind in dict.fromkeys(kinds):
        sheet = anybody.get(f"/print/{name}?kind={kind}").text
        assert "<h1>" in sheet
        assert sheet.count("<h2>") >= 1


def test_a_blank_sheet_of_toast_has_its_traits_wounds_and_lists(anybody):
    page = anybody.get("/print/toast?kind=pc").text
    assert re.findall(r'<p class="cell"><span>(.*?)</span>', page)[:3] == [
        "Aesthetics", "Athletics", "Aim",
    ]  # fmt: skip
    assert 'aria-label="4 boxes"' in page
    assert "Perks Perk What it covers" in words_of(page)


def test_the_screen_tells_the_numbers_of_the_table(visited: Visited):
    gm = visited.sits("GM")
    assert "Medium 11" in words_of(gm.get(f"{visited.t}/print/toast").text)
    gm.fill(f"{visited.t}/options", o__medium="12")
    page = gm.get(f"{visited.t}/print/toast").text
    assert "Medium 12" in words_of(page)
    assert "Recap of a session" in page
