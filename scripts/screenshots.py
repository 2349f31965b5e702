"""Take the pictures of the documents: `make screenshots` writes docs/pictures.

Each shows a real table: the example of a game, opened and played in memory, in a browser without a
window. Dice fall as they fall, so no two runs give the same pictures.
"""

import asyncio
import io
import os
import shutil
import socket
import sys
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from kitchentable.app.keys import new_id
from kitchentable.app.openings import begin_evening
from kitchentable.app.pictures import read_picture
from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server
from kitchentable.campaign.commands import SaveHandout, ShowHandout
from kitchentable.rules.registry import names
from kitchentable.store import MemoryStore
from kitchentable.web.assets import load_assets
from kitchentable.web.covers import draw_cover, seed_of
from kitchentable.web.render import Renderer
from kitchentable.web.run import make_http_server

TARGET = Path(__file__).resolve().parent.parent / "docs" / "pictures"
#: The longest side of a picture, so that a page of them stays light.
LONGEST = 1200
DESK, PHONE, PAPER = (1440, 900), (390, 844), (794, 1123)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
#: What is played after the opening of Toast's example: a fight.
FIGHT = (
    ("GM", ["settle", "difficulty=medium"]),
    ("Mara", ["throw", "9"]),
    ("GM", ["move", "fight"]),
    ("Mara", ["move", "initiative", "for", "Mara Vell", "faces=5"]),
    ("Jonas", ["move", "initiative", "for", "Old Tam", "faces=7"]),
    ("Lene", ["move", "initiative", "for", "Brother Ivo", "faces=9"]),
    ("GM", ["move", "initiative_all", "faces=10,3,1"]),
)

T = TypeVar("T")


class Served:
    """A server in memory with its pages on a port of this machine."""

    def __init__(self) -> None:
        self.server = Server(MemoryStore())
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._server = make_http_server(self.server)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.02)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve([self._listener]))

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop that serves the server."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        """End the streams and the server, and close the server."""
        self._loop.call_soon_threadsafe(self.server.tables.hub.close)
        self._server.should_exit = True
        self._thread.join(30)
        self.server.close()


@dataclass(frozen=True, slots=True)
class Camera:
    """A browser that looks at a served server."""

    browser: Browser
    served: Served

    def page(self, campaign: str, who: str, size: tuple[int, int], *, dark: bool = False) -> Page:
        """A page of somebody at a table, or of the host for an empty campaign."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            device_scale_factor=2 if size == PHONE else 1,
        )
        # The first steps are put away.
        context.add_cookies([{"name": "kt_hints", "value": "3", "url": self.served.address}])
        page = context.new_page()
        server = self.served.server
        if campaign:
            seats = server.tables.campaign(campaign).table.seats.values()
            seat = next(one.id for one in seats if one.name == who)
            page.goto(f"{self.served.address}/s/{server.keys.issue('seat-link', campaign, seat)}")
        else:
            page.goto(f"{self.served.address}/host/{server.host_link()}")
            page.get_by_role("button").last.click()
        return page

    def take(self, page: Page, name: str, path: str = "", *, paper: bool = False) -> None:
        """Write what a page shows."""
        if path:
            page.goto(self.served.address + path)
        page.wait_for_timeout(700)
        expect(page.locator("body")).not_to_contain_text("still being computed", timeout=20_000)
        if paper:
            page.emulate_media(media="print")
        with Image.open(io.BytesIO(page.screenshot())) as shot:
            shot.thumbnail((LONGEST, LONGEST))
            target = TARGET / f"{name}.webp"
            shot.convert("RGB").save(target, "WEBP", quality=78, method=6)
        print(f"{name}.webp, {target.stat().st_size // 1000} kB")
        page.context.close()


def play(served: Served, campaign: str, lines: tuple[tuple[str, list[str]], ...]) -> Stage:
    """Play lines of a playthrough at a table."""
    state = served.server.tables.campaign(campaign)
    stage = Stage(served.server, served.server.tables.game_of(state).name, campaign)
    stage.seats |= {seat.name: seat.id for seat in state.table.seats.values()}
    for who, words in lines:
        served.do(served.server.tables.handle(campaign, command(stage, who, words)))
    return stage


def set_scene(camera: Camera, campaign: str, title: str, text: str) -> None:
    """Put a picture above the story: a cover drawn for the scene's title."""
    server = camera.served.server
    state = server.tables.campaign(campaign)
    recipe = server.tables.game_of(state).art.cover
    page = camera.browser.new_page(viewport={"width": 1200, "height": 420})
    cover = draw_cover(Renderer(load_assets()).render, recipe, seed_of(title))
    page.set_content(f"<style>body{{margin:0}}svg{{width:1200px;height:420px}}</style>{cover}")
    picture = read_picture(page.screenshot(), portrait=False)
    page.close()
    server.store.put_picture(campaign, picture)
    gm = next(seat.id for seat in state.table.seats.values() if seat.role == "gm")
    save = SaveHandout(id=new_id(), seat=gm, title=title, text=text, picture=picture.id)
    handout = camera.served.do(server.tables.handle(campaign, save)).events[0].data["handout"]
    show = ShowHandout(id=new_id(), seat=gm, handout=handout, to=("all",), backdrop=True)
    camera.served.do(server.tables.handle(campaign, show))


def take_all(camera: Camera) -> None:
    """Take every picture of the documents."""
    served = camera.served
    open_example = served.server.open_example
    tables = {game: served.do(open_example(game, begin_evening)) for game in names()}
    for game, campaign in tables.items():
        seats = served.server.tables.campaign(campaign).table.seats.values()
        player = next(seat.name for seat in seats if seat.role == "player")
        camera.take(camera.page(campaign, player, DESK), f"table-{game.replace('_', '-')}")
    camera.take(camera.page("", "", DESK), "home", "/")
    toast = tables["toast"]
    set_scene(camera, toast, "The Lame Heron", "Boots above, one lamp below.")
    stage = play(served, toast, FIGHT)
    camera.take(camera.page(toast, "GM", DESK), "gm")
    camera.take(camera.page(toast, "Lene", DESK, dark=True), "dark")
    mara = stage.entity("Mara Vell")
    t = f"/t/{toast}"
    camera.take(camera.page(toast, "Mara", PHONE), "phone-sheet", f"{t}#sheet")
    camera.take(camera.page(toast, "Mara", PHONE, dark=True), "phone-story", f"{t}#log")
    camera.take(camera.page(toast, "Mara", PAPER), "print", f"{t}/sheets/{mara}", paper=True)


def main() -> None:
    """Take all pictures. Exits with a sentence where there is no browser."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("No Chromium was found. Install it, or name it in CHROMIUM.")
    TARGET.mkdir(parents=True, exist_ok=True)
    served = Served()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
            take_all(Camera(browser, served))
            browser.close()
    finally:
        served.close()


if __name__ == "__main__":
    main()
