"""Lines typed by a person, with completion and history, or read from a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle

from kitchentable.cli.terminal.verbs import LOOKS, VERBS
from kitchentable.client import Table
from kitchentable.dice.errors import KitchenTableError


class Offers:
    """Lines to complete to: the terminal's verbs, and lines that the table offers."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lines: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The terminal's lines and those of the table; the last known ones during an outage."""
        own = [*(f"/{verb}" for verb in VERBS), *(f"/show {look}" for look in LOOKS), "/quit"]
        with suppress(KitchenTableError):
            self._lines = self._table.lines()
        return [*own, *self._lines]


@contextmanager
def lines_typed(table: Table) -> Iterator[Iterator[str]]:
    """Read lines from a prompt or a pipe, until the end."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A line that is not UTF-8 is refused, and the next line is read.
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        yield (line.rstrip("\n") for line in sys.stdin)
        return
    with patch_stdout():
        yield prompted(table)


def prompted(table: Table) -> Iterator[str]:
    """Read lines from a prompt with completion and history."""
    # Completions are printed as lines, because screen readers cannot read a menu.
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=WordCompleter(Offers(table).lines, ignore_case=True, sentence=True),
        complete_style=CompleteStyle.READLINE_LIKE,
        complete_while_typing=False,
        reserve_space_for_menu=0,
    )
    while True:
        try:
            yield session.prompt("> ")
        except EOFError:
            return
