"""Rulebook, sheet and cards as people read them: nothing said twice, nothing raw."""

import asyncio
import html
import re

import pytest

from kitchentable.campaign.read_models import Entry
from kitchentable.rules.moves import Card
from kitchentable.rules.registry import load, names
from tests.web.visitors import visit


@pytest.fixture(scope="module")
def tables():
    """The ready campaign of every game, in one server."""
    with visit() as visited:
        found = {name: asyncio.run(visited.server.open_example(name)) for name in names()}
        yield visited, found


def at(tables, game):
    """Its GM, at the table of a game."""
    visited, campaigns = tables
    visited.campaign = campaigns[game]
    visited.t = f"/t/{visited.campaign}"
    gm = next(name for name, seat in visited.seats.items() if seat.role == "gm")
    return visited.sits(gm), visited


@pytest.mark.parametrize("game", names())
def test_the_rulebook_says_in_words_how_each_option_is_set(tables, game):
    gm, visited = at(tables, game)
    book = html.unescape(gm.get(f"{visited.t}/rules/{game}?chapter=all").text)
    assert not re.search(r"\[\{|\{'", book)
    assert not re.findall(r"(?:is|:) (?:None|True|False) at this table", book)
    outside = html.unescape(visited.stranger().get(f"/rules/{game}?chapter=all").text)
    assert not re.search(r"\[\{|\{'", outside)
    told = {
        option.field.label for option in load(game).options if f"<b>{option.field.label}" in book
    }
    assert told


@pytest.mark.parametrize("game", names())
def test_a_label_that_says_what_its_heading_says_is_not_shown_again(tables, game):
    gm, visited = at(tables, game)
    entities = list(visited.server.tables.campaign(visited.campaign).table.in_play())
    page = gm.get(f"{visited.t}/characters/{entities[0].id}").text
    sections = re.findall(r'<h2 id="h-s-[^"]*">(.*?)</h2>(.*?)</section>', page, re.DOTALL)
    assert sections
    for title, section in sections:
        labels = re.findall(r"<(?:legend|label)([^>]*)>([^<]*)", section)
        shown = [label.strip() for how, label in labels if 'class="sr"' not in how]
        assert title not in shown, title


@pytest.mark.parametrize("game", names())
def test_a_card_names_the_rules_that_it_cites_by_their_titles(tables, game):
    _, visited = at(tables, game)
    rules = load(game).rulebook.rules
    first = list(rules)[:3]
    card = Card("A roll", "It succeeds.", rules=(*first, f"{game}.not-there"))
    entry = Entry("c", "move", "2026-11-22T20:41:03Z", "Mara", "s2", text="A roll.", card=card)
    drawn = visited.app.site.renderer("").entry(entry, visited.campaign, game)
    chips = re.findall(r'<a class="rule" href="/t/[^"]+#([^"]+)">([^<]+)</a>', drawn)
    assert [(ident, html.unescape(title)) for ident, title in chips] == [
        *((ident, rules[ident].title) for ident in first),
        (f"{game}.not-there", f"{game}.not-there"),
    ]


def test_at_a_table_every_link_to_the_rules_stays_at_the_table(tables):
    """Also those beside the fields of a form, and the search within the rulebook."""
    gm, visited = at(tables, "toast")
    for below in ("", "/desk", "/journal", "/rules/toast"):
        page = gm.get(f"{visited.t}{below}").text
        assert "/rules/toast" in page
        assert not re.findall(r'"/rules/toast[^"]*"', page), below


def test_a_sheet_shows_no_heading_above_nothing_and_tells_its_marks(tables):
    gm, visited = at(tables, "objects")
    hero = next(
        one
        for one in list(visited.server.tables.campaign(visited.campaign).table.in_play())
        if one.name == "Mara Vell"
    )
    page = gm.get(f"{visited.t}/sheets/{hero.id}").text
    assert not re.search(r"<h2>[^<]*</h2>\s*</section>", page)
    assert re.search(r'class="dot" aria-hidden="true">●</span> a handicap</p>', page)


@pytest.mark.parametrize("game", names())
def test_the_rulebook_begins_with_play_and_has_a_page_for_each_chapter(tables, game):
    _, visited = tables[0], tables[0]
    book, reader = load(game).rulebook, visited.stranger()
    first = reader.get(f"/rules/{game}").text
    heads = re.findall(
        r'<section id="chapter-[^"]+" aria-labelledby="[^"]+"><h2[^>]*>(.*?)</h2>', first
    )
    moves = [rule for move in load(game).moves for rule in move.rules if rule in book]
    play = next(one for one in book.chapters if one.id == book[moves[0]].section)
    assert [html.unescape(one) for one in heads] == [play.title]
    assert len(first) < 150_000
    # Every rule has its place on it, and a page of its chapter that a citation leads to.
    assert set(re.findall(r'id="([^"]+)"', first)) >= set(book.rules)
    last = list(book.rules)[-1]
    page = reader.get(f"/rules/{game}?rule={last}").text
    assert f'<article class="law k-{book[last].kind}" id="{last}"' in page
    others = {one for one in book.rules if book[one].section != book[last].section}
    assert not others & set(re.findall(r'<article class="law[^"]*" id="([^"]+)"', page))
