"""Very many dice: the first are drawn, all are counted, and the journal keeps every one."""

import json

import pytest

from kitchentable.campaign.read_models import Entry, SeenDie
from kitchentable.web.drawn import draw_dice, draw_rolled, draw_small, tell_dice, why
from tests.web.visitors import Visited


def thrown(count, **parts):
    dice = tuple(SeenDie("d6", 6, str(1 + n % 6), "") for n in range(count))
    return Entry("c", "rolled", "", "Mara", "s2", text=f"Mara throws {count}d6: 9.", dice=dice)


def counted(what, faces):
    return f"<dt>{what}</dt><dd>{faces}</dd>".replace(" x ", "\u00a0\u00d7\u00a0")


def test_fifty_dice_are_drawn_one_by_one_and_of_more_the_first_thirty():
    for count, drawn, more in ((50, 50, 0), (51, 30, 21), (1000, 30, 970)):
        entry = thrown(count)
        assert draw_dice(entry.dice).count("<svg") == drawn
        card = str(draw_rolled(entry, draw_dice(())))
        assert card.count("<svg") == drawn
        assert tell_dice(entry.dice).count("shows") == drawn
        assert f"and {more} more dice" in card or not more
        assert card.count("more dice") == (2 if more else 0)
        assert card.count('<tr><th scope="row">') == (0 if more else count)


def test_all_that_fell_is_counted_by_kind_by_owner_and_by_what_became_of_it():
    dice = (
        *(SeenDie("d6", 6, "6", "axe") for _ in range(40)),
        *(SeenDie("d6", 6, "1", "axe", "dropped", "the lowest") for _ in range(25)),
        *(SeenDie("d10", 10, "10", "luck") for _ in range(3)),
        SeenDie("d6", 6, "2", "axe"),
        SeenDie("d10", 10, "9", "luck"),
        SeenDie("d10", 12, "kick", "luck"),
    )
    told = str(why(Entry("c", "rolled", "", "Mara", "s2", dice=dice)))
    assert "All 71 dice: " in told
    assert told.count("<dt>") == 3
    assert counted("d6, axe", "2 x 1, 6 x 40") in told
    assert counted("d6, axe, dropped: the lowest", "1 x 25") in told
    assert counted("d10, luck", "9 x 1, 10 x 3, kick x 1") in told


def test_dice_within_words_are_folded_too_and_can_be_opened():
    assert draw_small(Entry("c", "said", "", "Mara", "s2")) == ""
    assert "<details" not in draw_small(thrown(50))
    small = draw_small(thrown(60))
    assert "and 30 more dice" in small
    assert counted("d6", "1 x 10, 2 x 10, 3 x 10, 4 x 10, 5 x 10, 6 x 10") in small


@pytest.mark.parametrize("line", ["/roll 1000d6kh400", "I count [[1000d6]] beans"])
def test_a_thousand_dice_do_not_swell_the_page_and_none_is_lost(visited: Visited, line: str):
    mara = visited.sits("Mara")
    before = len(mara.get(visited.t).text)
    assert mara.fill(f"{visited.t}/say", text=line, command="beans").status_code == 303
    assert len(mara.get(visited.t).text) - before < 20_000
    (entry,) = (
        one
        for one in map(json.loads, mara.get(f"{visited.t}/journal/export").text.splitlines())
        if len(one.get("dice", ())) == 1000
    )
    assert {die["face"] for die in entry["dice"]} == set("123456")
