"""Odds are never solved in the server process, and a page says why it shows none."""

import asyncio
import os
import signal
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest

from kitchentable.app import odds
from kitchentable.dice.errors import TooSlow
from tests.web.visitors import cookies_of, feed

WORST = ("1000d10000kh1", "d6*d6*d6*d6*d6*d6*d6", "100d1000kh1+100d999kl2")


@pytest.mark.slow
@pytest.mark.parametrize("notation", WORST)
def test_nobody_waits_for_somebody_elses_odds(visited, monkeypatch, notation):
    """Their process is held, so that they cannot be solved before somebody else has spoken."""
    stranger, mara = visited.stranger(), visited.sits("Mara")
    token, solver = mara.token(), visited.server.aside
    monkeypatch.setattr(solver, "_known", OrderedDict())
    asyncio.run(solver.ask("somebody", max, 1, 2, within=5.0))
    os.kill(solver._process.pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        try:
            asked = pool.submit(stranger.get, "/dice", params={"notation": notation})
            while not solver._jobs and not asked.done():
                time.sleep(0.002)
            answer = mara.post(
                f"{visited.t}/say",
                data={"text": "Meanwhile"},
                headers={"hx-request": "true", "x-csrftoken": token},
            )
            assert answer.status_code == 200
            assert not asked.done()
        finally:
            os.kill(solver._process.pid, signal.SIGCONT)
    assert asked.result().status_code in {200, 400}


def test_the_page_of_free_dice_says_why_it_shows_no_odds(visited):
    page = visited.stranger().get("/dice", params={"notation": "1000d10000kh1"})
    assert "On average" not in page.text
    assert "to work out" in page.text or "too much" in page.text


class Refusing(odds.AtOnce):
    """Odds that are too much for this table."""

    def look(self, question):
        raise TooSlow("These odds take longer than 0.2 s to work out.")


def test_the_page_says_that_the_odds_are_too_much_to_work_out(visited):
    visited.server.tables.odds = Refusing()
    page = visited.sits("Mara").get(visited.t).text
    assert "These odds take longer than 0.2 s to work out." in page
    assert "To see the odds" not in page


class Waiting(odds.AtOnce):
    """Odds that are never solved, because too many are waiting."""

    def look(self, question):
        self.missing.append(question)
        raise odds.OddsNeeded(question)

    def watch(self):
        self.missing = []
        return odds.contextlib.nullcontext(self.missing)

    async def work_out(self, asker, questions, seconds=odds.FOR_A_PAGE):
        raise odds.TooManyAsked("Too many at once.")


def test_the_page_says_that_the_odds_are_still_awaited(visited):
    visited.server.tables.odds = Waiting()
    assert "The odds are still being computed." in visited.sits("Mara").get(visited.t).text


class Late(Waiting):
    """Odds that come after the page."""

    async def work_out(self, asker, questions, seconds=odds.FOR_A_PAGE):
        return seconds > odds.FOR_A_PAGE


def test_the_page_asks_again_for_odds_that_came_late(visited):
    visited.server.tables.odds = Late()
    mara, jonas = (visited.sits(name) for name in ("Mara", "Jonas"))

    async def evening():
        async with (
            feed(visited.app, f"{visited.t}/feed", cookies_of(mara)) as told,
            feed(visited.app, f"{visited.t}/feed", cookies_of(jonas)) as other,
            feed(visited.app, f"{visited.t}/feed?queue=on", cookies_of(mara)) as beside,
        ):
            for one in (told, other, beside):
                await one.until("alive")
            async with feed(visited.app, f"{visited.t}/moves", cookies_of(mara)) as panel:
                assert panel.status == 200
                await told.until("moves")
            assert await other.silent(0.1)
            assert await beside.silent(0.1)

    asyncio.run(evening())


class Slow(Waiting):
    """Odds that are known some time after the page was sent."""

    known = False

    def look(self, question):
        return odds.solve(question) if self.known else super().look(question)

    async def work_out(self, asker, questions, seconds=odds.FOR_A_PAGE):
        self.known = seconds > odds.FOR_A_PAGE
        return self.known


@pytest.mark.parametrize("page", ["", "?queue=on"])
def test_a_waiting_card_shows_odds_that_came_late(visited, page):
    visited.server.tables.odds = Slow()
    visited.sits("Mara").fill(f"{visited.t}/say", text="/task perception")
    gm = visited.sits("GM")

    async def evening():
        async with feed(visited.app, f"{visited.t}/feed{page}", cookies_of(gm)) as told:
            card = ""
            while "%" not in card:
                news = (await told.message())["data"]
                card = news.partition("a.difficulty")[2].partition("</fieldset>")[0] or card
            assert card.count("%") == 3

    asyncio.run(evening())


def test_the_page_shows_odds_that_were_worked_out_apart(visited):
    page = visited.sits("Mara").get(visited.t).text
    assert "still being computed" not in page
    assert 'class="odds' in page or "%" in page
