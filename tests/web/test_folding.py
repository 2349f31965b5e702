"""The log folds bookkeeping, counts for a seat what that seat sees, and shows parts alone."""

import asyncio
import re

import pytest

from kitchentable.app.keys import new_id
from kitchentable.campaign.commands import MakeEntity, SaveSheet, Say, SetNote
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.read_models import Entry
from kitchentable.web.folding import BOOKKEEPING, ROLLS, STORY, parts_of
from kitchentable.web.table_page import ENTRIES

FOLD = re.compile(
    r'<li class="fold">.*?<summary>(\d+) changes at the table</summary>(.*?)</ol>', re.DOTALL
)


def do(visited, name, kind, /, **fields):
    command = kind(id=new_id(), seat=visited.seats[name].id, **fields)
    asyncio.run(visited.server.tables.handle(visited.campaign, command))


def log_of(page):
    return page.partition('<ol id="log-list">')[2].partition('<button type="button" id="newer"')[0]


def folds(page):
    """How many changes each folded line tells of, and how many it holds."""
    return [(int(told), held.count("<li id=")) for told, held in FOLD.findall(log_of(page))]


def test_every_kind_is_bookkeeping_or_story_or_talk_about_a_roll():
    assert set(KINDS) >= STORY | BOOKKEEPING
    assert not STORY & BOOKKEEPING
    assert ROLLS < STORY
    rest = {"proposed", "settled", "withdrawn", "ask-skipped", "overridden", "undone"}
    assert set(KINDS) - STORY - BOOKKEEPING == rest


def test_what_was_taken_back_is_no_part_of_the_story():
    rolled = Entry("c", "rolled", "", "Mara", "s2")
    assert parts_of(rolled).split() == ["in-story", "in-rolls"]
    undone = Entry("c", "rolled", "", "Mara", "s2", undone="Taken back by Mara.")
    assert parts_of(undone) == ""


def test_bookkeeping_is_one_line_until_somebody_speaks(visited):
    mara = visited.sits("Mara")
    assert folds(mara.get(visited.t).text) == [(17, 17)]
    do(visited, "Mara", Say, text="Who goes there?")
    do(visited, "Mara", SetNote, which="table", text="A guard.")
    page = mara.get(visited.t).text
    assert folds(page) == [(17, 17)]
    assert log_of(page).count('class="entry k-noted bookkeeping"') == 2  # the last one by itself
    do(visited, "Mara", SetNote, which="table", text="Two guards.")
    assert folds(mara.get(visited.t).text) == [(17, 17), (2, 2)]


def test_a_folded_line_counts_nothing_that_is_hidden(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    before = log_of(mara.get(visited.t).text)
    [(own, _)] = folds(gm.get(visited.t).text)
    for text in ("The captain lies.", "The captain lies twice."):
        do(visited, "GM", SetNote, which="gm", text=text)
    assert folds(gm.get(visited.t).text) == [(own + 2, own + 2)]
    assert log_of(mara.get(visited.t).text) == before


def test_earlier_entries_are_folded_too(visited):
    mara = visited.sits("Mara")
    answer = mara.script("GET", f"{visited.t}/log")
    assert '<li class="fold"><details><summary>17 changes at the table</summary>' in answer.text


def test_an_evening_of_building_leaves_the_log_as_full_as_before(visited):
    """The log does not show each time that a sheet is saved, and fetches nothing in its place."""
    mara = visited.sits("Mara")
    do(visited, "Mara", MakeEntity, kind="pc", name="Sal")
    who = visited.entity("Sal")

    def shown():
        pages = log_of(mara.get(visited.t).text), mara.script("GET", f"{visited.t}/log").text
        return [re.findall(r'<li id="(e-[^"]+)"', page) for page in pages]

    before = shown()
    for number in range(ENTRIES):
        do(visited, "Mara", SaveSheet, entity=who, raw={}, line=f"Cook {number}")
    assert visited.kinds().count("sheet-saved") >= ENTRIES
    assert shown() == before
    assert len(before[0]) == len(before[1]) == 18


def test_a_change_within_a_fold_can_be_taken_back(visited):
    mara = visited.sits("Mara")
    do(visited, "Mara", SetNote, which="table", text="A guard.")
    [(_, held)] = FOLD.findall(log_of(mara.get(visited.t).text))
    [link] = re.findall(rf'href="({visited.t}/undo/[^"]+)"', held)
    assert mara.fill(link, reason="Wrong guard").status_code == 303
    [(told, held)] = FOLD.findall(log_of(mara.get(visited.t).text))
    assert told == "18"
    assert held.count('bookkeeping undone"') == 1
    assert "Taken back by Mara: Wrong guard" in held


@pytest.mark.parametrize(
    ("query", "only"),
    [("", "all"), ("?log=story", "story"), ("?log=rolls", "rolls"), ("?log=x", "all")],
)
def test_the_address_chooses_the_part_and_the_entries_stay_the_same(shared, query, only):
    mara = shared.sits("Mara")
    page = mara.get(shared.t + query).text
    assert re.findall(r'name="log" value="(\w+)" checked', page) == [only]
    assert log_of(page) == log_of(mara.get(shared.t).text)
