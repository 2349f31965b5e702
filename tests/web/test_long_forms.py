"""Pages of text in every field of a form: its redraw refuses nothing and loses nothing."""

import asyncio
import re
from fractions import Fraction

import pytest

from kitchentable.campaign.read_models import Entry, SeenOdds
from kitchentable.rules.moves import Card
from kitchentable.web.urls import ROUTES
from tests.web.visitors import Visited

LONG = 6000
TEXTS = {
    **{f"a.weapons.{at}.name": f"weapon {at}" for at in range(4)},
    **{f"a.armour.{at}.name": f"coat {at}" for at in range(2)},
    "a.possessions": "belongings",
    "a.money": "purse",
}


@pytest.fixture
def toaster(visited):
    campaign = asyncio.run(visited.server.open_example("toaster"))
    return Visited(visited.server, campaign, visited.app, visited.client)


def long_form(toaster):
    gm = next(seat for seat in toaster.seats.values() if seat.role == "gm")
    owned = [one.id for one in toaster.server.tables.campaign(toaster.campaign).table.in_play()]
    texts = {name: f"{words} begins {'ö' * LONG} ends" for name, words in TEXTS.items()}
    return toaster.sits(gm.name), {"move": "carry", "entity": owned[0], **texts}


def shown(page, words):
    """The text of a field, as the page gives it back."""
    return re.search(rf"{words} begins (ö+) ends", page)


def test_a_redraw_of_pages_of_text_gives_all_of_them_back(toaster):
    gm, filled = long_form(toaster)
    answer = gm.script("POST", f"{toaster.t}/moves/look", **filled)
    assert answer.status_code == 200
    assert "<html" not in answer.text
    for words in TEXTS.values():
        assert len(shown(answer.text, words)[1]) == LONG
    before = toaster.kinds()
    gm.script("POST", f"{toaster.t}/moves/look", **filled)
    assert toaster.kinds() == before


def test_without_a_script_the_whole_page_gives_them_back(toaster):
    gm, filled = long_form(toaster)
    page = gm.get(f"{toaster.t}?move=carry&entity={filled['entity']}").text
    assert 'formmethod="get"' not in page
    before = toaster.kinds()
    answer = gm.fill(toaster.t, **filled)
    assert answer.status_code == 200
    for words in TEXTS.values():
        assert len(shown(answer.text, words)[1]) == LONG
    assert toaster.kinds() == before


def test_a_short_form_is_looked_at_the_same_both_ways(toaster):
    gm, filled = long_form(toaster)
    short = {**filled, **dict.fromkeys(TEXTS, "a few words")}
    ways = [gm.script("GET", f"{toaster.t}/moves", **short),
            gm.script("POST", f"{toaster.t}/moves/look", **short)]  # fmt: skip
    panels = [re.sub(r'value="[^"]{12,}"', "", one.text) for one in ways]
    assert panels[0] == panels[1]


@pytest.mark.parametrize("name", ["table_moves", "proposal_odds", "ask_fields"])
def test_every_redraw_has_its_longer_way(name):
    """The script puts this behind the address, whichever redraw it is."""
    assert ROUTES[f"{name}_look"] == tuple(f"{one}/look" for one in ROUTES[name])


def test_a_look_from_elsewhere_is_refused(toaster):
    gm, filled = long_form(toaster)
    answer = gm.post(f"{toaster.t}/moves/look", data=filled)
    assert answer.status_code in {400, 403}


def test_a_card_says_which_outcomes_its_chance_counts(toaster):
    """Several outcomes count as good: they are told by name."""
    renderer = toaster.app.site.renderer("")

    def said_after(bands, chance, *counted):
        card = Card("Climb", "Over the wall.")
        odds = SeenOdds(bands, chance, "", counted=counted)
        entry = Entry("c", "move", "2026-11-22T20:41:03Z", "Mara", "s2", card=card, odds=odds)
        footer = renderer.entry(entry, toaster.campaign, "toaster").partition("<footer>")[2]
        return footer.partition("<details")[0]

    fifth = Fraction(1, 5)
    bands = (
        ("critical", "critical", "splendid", fifth),
        ("success", "success", "good", fifth),
        ("marginal", "marginal", "plain", fifth),
        ("failure", "failure", "bad", 2 * fifth),
    )
    said = said_after(bands, 2 * fifth, "critical", "success")
    assert "40\N{NO-BREAK SPACE}% (critical or success)" in said
    two = (("yes", "success", "good", fifth), ("no", "failure", "bad", 4 * fifth))
    said = said_after(two, fifth, "success")
    assert said.strip().endswith("20\N{NO-BREAK SPACE}%</span>")
    order = (("number", "acts", "good", fifth), ("kick", "kick: a 12", "splendid", fifth))
    flub = ("flub", "flub: no action", "bad", 3 * fifth)
    said = said_after((*order, flub), 2 * fifth, "acts", "kick: a 12")
    assert said.strip().endswith("(acts or kick)</span>")
