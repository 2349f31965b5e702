"""Metrics of a server process, in the text format of Prometheus."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path

from kitchentable.app.table import Tables

#: Each figure's name, kind and sentence.
_COUNTS = (
    ("commands", "Commands decided, including repeated ones."),
    ("events", "Events recorded."),
    ("conflicts", "Commands decided again because another was recorded first."),
    ("append_seconds", "Seconds until appends were on disk."),
    ("news", "Events read after another server recorded them."),
)


def metrics(tables: Tables) -> str:
    """The figures of this process, for Prometheus to collect."""
    return "".join(
        f"# HELP kitchentable_{name} {sentence}\n# TYPE kitchentable_{name} {kind}\n"
        f"kitchentable_{name} {figure:.15g}\n"
        for name, kind, sentence, figure in _figures(tables)
    )


def _figures(tables: Tables) -> Iterator[tuple[str, str, str, float]]:
    for name, sentence in _COUNTS:
        yield f"{name}_total", "counter", sentence, tables.counts[name]
    streams, held = tables.hub.streams(), tables.in_memory()
    servers = len(tables.others.heard)
    yield "streams", "gauge", "Pages and programs following a campaign on this server.", streams
    yield "campaigns_in_memory", "gauge", "Campaigns in memory.", held
    yield "other_servers", "gauge", "Other active servers of the database.", servers
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime
    yield "cpu_seconds_total", "counter", "Seconds of processor time of this process.", seconds
    yield "memory_bytes", "gauge", "Memory of this process.", _memory(used.ru_maxrss * 1024)
    yield "up_seconds", "gauge", "Seconds since this server began.", time.monotonic() - tables.begun


def _memory(most: int) -> int:
    """The resident memory in bytes, or its maximum if the system reports only that."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return most
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
