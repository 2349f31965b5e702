"""Shared fixtures: a real Chromium if there is one, or a clear warning."""

import functools
import gc
import importlib.metadata
import os
import shutil
import socket
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from kitchentable.app import conformance
from kitchentable.rules import readings, registry
from tests.fork_server import ForkServer, a_fork_server
from tests.postgres import a_schema, a_server, empty

#: First the one without windows: the bar and the tabs around a page cost a fifth of all.
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
#: The first two draw the suggestions below an address bar that nobody sees: two more pages behind
#: every window, which cost more than ours. The rest is what Playwright leaves out too; of two such
#: lists Chromium heeds the last.
CHROMIUM_LEAVES_OUT = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
)
#: No page lives long enough for code to be worth its best translation, or memory its tidying; and
#: helpers at either would take the processor from the tests beside this one.
SCRIPT_FLAGS = (
    "--no-turbofan",
    "--invocation-count-for-maglev=3000",
    "--min-semi-space-size=32",
    "--single-threaded-gc",
)
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # No process is kept warm for a page that no test opens.
    "--renderer-process-limit=1",
    f"--disable-features={','.join(CHROMIUM_LEAVES_OUT)}",
    f"--js-flags={' '.join(SCRIPT_FLAGS)}",
)
LOOPBACK = ("127.0.0.1", "::1", "localhost")
AXE = Path(__file__).parent / "vendor" / "axe.min.js"

#: What stays open from one browser test to the next.
OPEN = pytest.StashKey[ExitStack]()

# A slow machine is not a failure; what is slow is for the benchmarks to say.
settings.register_profile(
    "house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


def find_chromium() -> str | None:
    """Find the browser: the one that CHROMIUM names, or one of the usual names on the path."""
    for name in (os.environ.get("CHROMIUM", ""), *CHROMIUM_NAMES):
        path = shutil.which(name) if name else None
        if path is not None:
            return path
    return None


def pytest_configure(config: pytest.Config) -> None:
    """Nothing is open yet."""
    config.stash[OPEN] = ExitStack()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser tests first, and leave them out where no browser is found."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    if find_chromium() is None:
        absent = pytest.mark.skip(reason="no Chromium on this machine")
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(absent)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Switch garbage collection off while tests are collected."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Freeze the thousands of collected tests for the garbage collector.

    To go through them again and again, as often as Python does of itself, costs a sixth of all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that browser tests did not run: a quiet skip looks like a pass."""
    left_out = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if "no Chromium on this machine" in str(report.longrepr)
    ]
    if left_out:
        terminalreporter.section("THE BROWSER TESTS DID NOT RUN", red=True, bold=True)
        terminalreporter.line(
            f"{len(left_out)} tests were left out because no Chromium was found. "
            "Install it (on Debian: apt-get install chromium), or name it in CHROMIUM."
        )


@pytest.fixture(scope="session", autouse=True)
def nothing_leaves_this_machine() -> Iterator[None]:
    """No test may need the network: a connection to elsewhere is an error that names it."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: tuple[str, int] | str | bytes) -> None:
        # A datagram socket sends nothing by connecting; that is how one finds the own address.
        if self.family != socket.AF_UNIX and self.type != socket.SOCK_DGRAM:
            host = str(address[0])
            if host not in LOOPBACK:
                raise PermissionError(f"a test tried to reach {host}")
        real(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        yield


@pytest.fixture(scope="session", autouse=True)
def games_are_looked_for_once() -> Iterator[None]:
    """Cache the search for installed games, which takes milliseconds for each server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "entry_points", functools.cache(importlib.metadata.entry_points))
        yield


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """Starts processes with their imports done."""
    with a_fork_server() as one:
        yield one


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL, started once."""
    with a_server() as server:
        yield server


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty schema of a PostgreSQL."""
    with a_schema(postgres_server) as address:
        yield address


@pytest.fixture(scope="session")
def postgres_schema(postgres_server: str) -> Iterator[str]:
    """The address of the schema that `emptied` empties for each test."""
    with a_schema(postgres_server) as address:
        yield address


@pytest.fixture
def emptied(postgres_schema: str) -> str:
    """The address of a schema with our tables at most, and nothing in them: quicker to have."""
    empty(postgres_schema)
    return postgres_schema


@pytest.fixture
def few_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is checked throws its dice a few times, where what is checked is not its odds."""
    monkeypatch.setattr(readings, "SAMPLES", 200)
    monkeypatch.setattr(readings, "THROWN", 50)
    monkeypatch.setattr(conformance, "FIGHTS", 500)


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Browser:
    """A headless Chromium, started once and closed after the last browser test."""
    stack = request.config.stash[OPEN]
    playwright = stack.enter_context(sync_playwright())
    chromium = playwright.chromium.launch(
        executable_path=find_chromium(), args=list(CHROMIUM_FLAGS)
    )
    return stack.enter_context(chromium)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Close the browser before other tests: Playwright keeps an event loop in this thread.

    They could not start one of their own. Browser tests come first.
    """
    try:
        yield
    finally:
        if nextitem is None or not nextitem.get_closest_marker("browser"):
            item.config.stash[OPEN].close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One person's browser, with its own cookies."""
    one = browser.new_context()
    yield one
    one.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """One page of one person's browser."""
    return context.new_page()


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The script of axe-core, to be evaluated in a page before `axe.run()`."""
    assert AXE.is_file(), "axe-core is missing; `pip install --editable .` fetches it"
    return AXE.read_text(encoding="utf-8")
