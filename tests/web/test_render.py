"""One rendering for equal entries, and no seat's buttons on another's page."""

import asyncio
import gc
from dataclasses import replace as replace_card

import pytest
from msgspec.structs import replace

from kitchentable.app.keys import new_id
from kitchentable.campaign.commands import RollNotation, Say
from kitchentable.campaign.read_models import Entry
from kitchentable.rules.moves import Card
from kitchentable.web import render
from kitchentable.web.render import PageContext, Renderer
from tests.compiled import ASSETS, COMPILED


@pytest.fixture
def renderer(visited):
    return visited.app.site.renderer("")


@pytest.fixture
def made(monkeypatch):
    """The entries whose cards are made anew."""
    made = []
    draw = render.draw_line

    def draw_and_note(entry, *more):
        made.append(entry)
        return draw(entry, *more)

    monkeypatch.setattr(render, "draw_line", draw_and_note)
    return made


def told(visited, name, kind, **fields):
    """What somebody did, as the entries of the GM, of who did it and of somebody else."""
    seats = visited.seats
    command = kind(id=new_id(), seat=seats[name].id, **fields)
    asyncio.run(visited.server.tables.handle(visited.campaign, command))
    return [
        visited.server.projections.of(visited.campaign, seats[reader].id).entries(limit=1)[0]
        for reader in ("GM", name, "Jonas")
    ]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Say, {"text": "Who goes there?"}),
        (Say, {"text": "I listen [[2d6]] at the door"}),
        (RollNotation, {"notation": "2d6+3", "label": "listening"}),
    ],
)
def test_a_card_is_made_once_and_looks_as_if_it_was_made_for_each(
    visited, renderer, made, kind, fields
):
    entries = told(visited, "Mara", kind, **fields)
    assert len(set(entries)) == 3 if kind is Say and "[[" not in fields["text"] else 2
    pages = [renderer.entry(entry, visited.campaign, "toast") for entry in entries]
    assert len(made) == 1
    alone = [Renderer(ASSETS, compiled=COMPILED) for _ in entries]
    assert pages == [
        one.entry(entry, visited.campaign, "toast")
        for one, entry in zip(alone, entries, strict=True)
    ]
    assert "Take back" in pages[0]
    assert "Take back" not in pages[2]


def test_a_card_is_the_same_at_every_table_and_leads_back_to_its_own(visited, renderer, made):
    entry = replace(told(visited, "Mara", RollNotation, notation="2d6+3")[0], may_undo=True)
    pages = [renderer.entry(entry, campaign, "toast") for campaign in ("salt", "smoke")]
    assert len(made) == 1
    assert [f"/t/{name}/undo/" in page for page in pages for name in ("salt", "smoke")] == [
        True,
        False,
        False,
        True,
    ]


def test_a_card_leads_to_the_rules_within_its_own_table(visited, renderer):
    entry = told(visited, "Mara", RollNotation, notation="2d6+3")[0]
    entry = replace(entry, card=Card("Tries", "So it stays.", rules=("toast.5-total",)))
    for campaign in ("salt", "smoke"):
        book = f"/t/{campaign}/rules/toast?rule=toast.5-total#toast.5-total"
        page = str(renderer.entry(entry, campaign, "toast"))
        assert f'<a class="rule" href="{book}"' in page
        assert page in renderer.news([entry], campaign, "toast").replace(" fresh", "")
        assert '"/rules/' not in page


def test_news_are_what_the_page_says_when_it_is_loaded_again(visited, renderer):
    entries = told(visited, "Mara", RollNotation, notation="2d6+3")
    assert len(entries) == 3
    for entry in entries:
        told_now = renderer.news([entry], visited.campaign, "toast")
        assert renderer.entry(entry, visited.campaign, "toast", fresh=True) in told_now
        assert type(told_now) is str


def drawn(renderer, card, **more):
    entry = Entry("c", "move", "then", "GM", "gm-seat", card=card, **more)
    return str(renderer.entry(entry, "a-campaign", "toast"))


@pytest.mark.parametrize(
    ("outcome", "sentence"), [("success", "Succeeds."), ("failure", "Fails."), ("tie", "Tied!")]
)
def test_a_card_says_its_outcome_once(renderer, outcome, sentence):
    page = drawn(renderer, Card("tries", sentence, outcome, entity="e"))
    assert outcome.capitalize() in page
    assert sentence not in page


def test_a_card_with_nothing_but_its_head_shows_what_was_answered_or_nothing_to_unfold(renderer):
    card = Card("Points do not fit", rules=("toast.5-total",))
    told = drawn(renderer, card, details=(("What becomes of it?", "left as it is"),))
    assert '<p class="line">What becomes of it? left as it is</p>' in told
    assert "<footer>" not in drawn(renderer, card)
    assert "<footer>" in drawn(renderer, replace_card(card, sentence="So it stays."))


def test_what_is_hidden_from_whom_stays_on_its_own_page(visited, renderer):
    gm, mara, jonas = told(visited, "Mara", RollNotation, notation="2d6+3", audience="gm")
    pages = [str(renderer.entry(one, visited.campaign, "toast")) for one in (gm, mara, jonas)]
    assert ["Show everyone" in page for page in pages] == [True, False, False]
    assert ["hidden from" in page for page in pages] == [True, True, False]
    assert "total" not in pages[2]


def test_words_that_look_like_the_place_of_the_buttons_are_only_words(visited, renderer):
    entries = told(visited, "Mara", Say, text="<!--aside--> Take that")
    assert len(entries) == 3
    for entry in entries:
        page = str(renderer.entry(entry, visited.campaign, "toast"))
        assert "&lt;!--aside--&gt; Take that" in page
        assert page.count("<time") == 1


def test_an_entry_that_cannot_be_a_key_is_made_each_time(visited, renderer):
    entry = told(visited, "Mara", Say, text="odd")[2]
    odd = replace(entry, details=(["no", "key"],))
    page = renderer.entry(odd, visited.campaign, "toast")
    assert page == renderer.entry(odd, visited.campaign, "toast")
    assert "odd" in page


def test_a_page_leaves_nothing_to_the_garbage_collector(visited):
    gm = visited.sits("GM")
    assert gm.get(visited.t).status_code == 200
    gc.collect(0)
    gc.disable()
    try:
        assert gm.get(visited.t).status_code == 200
        young = gc.get_objects(generation=0)
        assert young
        assert not any(isinstance(one, PageContext) for one in young)
    finally:
        gc.enable()
