"""Progress displays, shown only on a terminal, and not with --json."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from kitchentable.cli.report import wants_json


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a spinner."""
    with _progress(SpinnerColumn(), TextColumn("{task.description}")) as progress:
        progress.add_task(what, total=None)
        yield


@contextmanager
def counting(what: str, steps: int) -> Iterator[Callable[[str], None]]:
    """Show a progress bar; each call of the yielded function begins the next step."""
    count = TextColumn("{task.completed} of {task.total}")
    columns = TextColumn("{task.description}"), BarColumn(), count
    with _progress(*columns) as progress:
        task = progress.add_task(what, total=steps)
        begun = 0

        def step(now: str) -> None:
            nonlocal begun
            progress.update(task, description=now, completed=begun)
            begun += 1

        yield step


def _progress(*columns: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    return Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=wants_json() or not console.is_terminal,
    )
