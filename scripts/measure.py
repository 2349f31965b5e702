"""Measure the pages in a browser: `make measure` prints what a roll and an evening cost people.

Taps and hand-offs to a roll, where Roll stands, tabs to it from the keyboard, the lines of an
evening's log by kind, taps to a character, and the weight of the first page; for every game.
"""

import os
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kitchentable.app.scriptverbs import Stage, command, named
from kitchentable.app.server import lay_out
from kitchentable.rules.registry import load, names
from kitchentable.web.at_table import for_table
from kitchentable.web.folding import BOOKKEEPING, ROLLS, runs
from scripts.screenshots import BROWSERS, Camera, Served

SIZES = ((1440, 900), (1280, 720), (390, 844), (360, 640))
DESK = SIZES[0]
WAIT = 6_000


def laid(camera: Camera, game: str) -> tuple[str, str, Stage]:
    """A game's example with its session begun: the campaign, a player's name, and its stage."""
    served = camera.served
    campaign = served.do(lay_out(served.server, game))
    stage = Stage(served.server, game, campaign)
    seats = served.server.tables.campaign(campaign).table.seats.values()
    stage.seats |= {seat.name: seat.id for seat in seats}
    served.do(served.server.tables.handle(campaign, command(stage, "GM", ["begin"])))
    return campaign, next(seat.name for seat in seats if seat.role == "player"), stage


def visible(page: Page, selector: str) -> bool:
    """Whether something comes to be seen soon."""
    try:
        page.locator(selector).first.wait_for(state="visible", timeout=WAIT)
    except Exception as error:
        if "Timeout" not in str(error):
            raise
        return False
    return True


def taps_to_a_roll(camera: Camera, game: str) -> str:
    """Taps of the player and of the GM, hand-offs, and new lines of the log, of a first roll."""
    told = []
    for confirms in ("each", "trust"):
        campaign, player, stage = laid(camera, game)
        if confirms != "each":
            words = ["settings", f"gm_confirms={confirms}"]
            sent = command(stage, "GM", words)
            camera.served.do(camera.served.server.tables.handle(campaign, sent))
        mine, gm = camera.page(campaign, player, DESK), camera.page(campaign, "GM", DESK)
        for page in (mine, gm):
            page.wait_for_selector("#live[data-state=live]")
        cards = "#log-list > li:not(.fold)"
        before = mine.locator(cards).count()
        mine.locator("#sheet a[data-fills]").first.click()
        mine.wait_for_timeout(600)
        if (stakes := mine.locator("#roll-sheet .k-text input")).count():
            stakes.first.fill("Do we get through?")
        mine.locator("#go").click()
        players, gms = 2, 0
        if visible(gm, ".ask.mine .verdicts button"):
            gm.locator(".ask.mine .verdicts button").first.click()
            gms = 1
            if visible(mine, ".ask.mine .go"):
                mine.locator(".ask.mine .go").first.click()
                players += 1
        mine.wait_for_selector("#log-list .card:has(.die)", timeout=WAIT)
        mine.wait_for_timeout(400)
        lines = mine.evaluate(
            "all => [...document.querySelectorAll(all)].filter(o => o.checkVisibility()).length",
            cards,
        )
        handed = 2 * bool(gms)
        told.append(
            f"{confirms}: {players} taps + {gms} of the GM, {handed} hand-offs, "
            f"{lines - before} line"
        )
        mine.context.close()
        gm.context.close()
    return "; ".join(told)


def place_of_roll(camera: Camera, game: str) -> str:
    """The top of Roll for the player and the GM, at each size of the window."""
    campaign, player, _ = laid(camera, game)
    told = []
    for who in (player, "GM"):
        page = camera.page(campaign, who, DESK)
        tops = []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(150)
            box = page.locator("#go").bounding_box()
            end = box["y"] + box["height"] if box else 0
            tops.append(f"{box['y']:.0f}{'' if end <= height else '!'}" if box else "none")
        told.append(f"{'GM' if who == 'GM' else 'player'} {'/'.join(tops)}")
        page.context.close()
    return ", ".join(told)


def tabs_to_a_roll(camera: Camera, game: str) -> str:
    """Presses of Tab until Roll: by the link at the head of the page, and to the first row."""
    campaign, player, _ = laid(camera, game)
    page = camera.page(campaign, player, DESK)
    here = "document.activeElement.matches('.jump') ? 'jump' : document.activeElement.id"
    tabs = 0
    while page.evaluate(here) != "jump" and tabs < 99:
        page.keyboard.press("Tab")
        tabs += 1
    page.keyboard.press("Enter")
    reached = page.evaluate("document.activeElement.id")
    page.context.close()
    return f"{tabs} and Enter (then {reached or 'elsewhere'} has the focus)"


def evening(camera: Camera, game: str) -> str:
    """Lines of the log of a game's golden evening, by kind, as its GM reads them."""
    served, stage = camera.served, Stage(camera.served.server, game)
    for line in load(game).playthrough.splitlines():
        who, arrow, text = line.partition(">")
        if line[:1].isspace() or line.startswith("#") or not arrow:
            continue
        words = shlex.split(text)
        try:
            if words[0] == "open":
                opened = served.do(
                    served.server.open_campaign(
                        words[1], game, gm_name=who, options=named(words[2:])
                    )
                )
                stage.campaign, stage.seats[who] = opened.campaign, opened.gm_seat
            else:
                sent = command(stage, who, words)
                served.do(served.server.tables.handle(stage.campaign, sent))
        except Exception as error:
            if not hasattr(error, "code"):  # what the script has refused on purpose
                raise
    projection = served.server.projections.of(stage.campaign, stage.seats["GM"])
    entries = projection.entries(limit=1000)
    kinds: Counter[str] = Counter()
    for run in runs(for_table(entries)):
        first = run[0].kind
        kinds["folded" if first in BOOKKEEPING else "rolls" if first in ROLLS else first] += 1
    shown = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(5))
    folded = sum(1 for one in entries if one.kind in BOOKKEEPING)
    return f"{len(entries)} steps are {kinds.total()} lines ({folded} steps in folds): {shown}"


def taps_to_a_character(camera: Camera, game: str) -> str:
    """Taps from “Make a character” until a legal one is with the GM."""
    campaign, player, _ = laid(camera, game)
    page = camera.page(campaign, player, DESK)
    page.goto(f"{camera.served.address}/t/{campaign}/characters/new")
    page.locator(".archetype, button:has-text('Surprise me')").first.click()
    page.wait_for_url("**step=ready*")
    page.get_by_role("button", name="Send to the GM").click()
    page.wait_for_timeout(300)
    lead = page.locator("#stage .lead").inner_text()
    page.context.close()
    return f"2 ({lead.split('.')[0].lower()})"


def weight(camera: Camera, game: str) -> str:
    """Bytes over the line and requests of a first page, without fonts and the feed."""
    campaign, player, _ = laid(camera, game)
    told = []
    for who in (player, "GM"):
        page = camera.page(campaign, who, DESK)
        devtools = page.context.new_cdp_session(page)
        urls: dict[str, str] = {}
        sizes: dict[str, float] = {}
        devtools.on(
            "Network.requestWillBeSent",
            lambda event, urls=urls: urls.update({event["requestId"]: event["request"]["url"]}),
        )
        devtools.on(
            "Network.loadingFinished",
            lambda event, sizes=sizes: sizes.update(
                {event["requestId"]: event["encodedDataLength"]}
            ),
        )
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.reload()
        page.wait_for_timeout(900)
        mine = [one for one, url in urls.items() if not url.endswith(".woff2")]
        total = sum(sizes.get(one, 0) for one in mine)
        told.append(f"{'GM' if who == 'GM' else 'player'} {total:.0f} B, {len(mine)} requests")
        page.context.close()
    return "; ".join(told)


MEASURES = {
    "taps to a roll": taps_to_a_roll,
    "top of Roll at " + ", ".join(f"{w}x{h}" for w, h in SIZES): place_of_roll,
    "tabs to Roll": tabs_to_a_roll,
    "log of an evening": evening,
    "taps to a character": taps_to_a_character,
    "first page": weight,
}


def main() -> None:
    """Measure everything. Exits with a sentence where there is no browser."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("No Chromium was found. Install it, or name it in CHROMIUM.")
    served = Served()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
            camera = Camera(browser, served)
            for title, measure in MEASURES.items():
                print(title)
                for game in names():
                    print(f"  {game}: {measure(camera, game)}", flush=True)
            browser.close()
    finally:
        served.close()


if __name__ == "__main__":
    main()
