"""The server's memory under full load: 50 tables of five that talk and throw dice without a pause.

python -m benchmarks.bench_memory [minutes]     ten without a number
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.bench_table import PLAYERS, TABLES, THROW, free_port, furnish, serving, sit_down
from benchmarks.fanout import Place, Run, load

#: Seconds before the first measurement, and the number of later ones.
WARM, SLICES = 10.0, 10


def memory(process: int) -> float:
    """The resident memory of a process, in megabytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    told = next(line for line in lines if line.startswith("VmRSS"))
    return int(told.split()[1]) / 1024


async def under_load(port: int, places: Sequence[Place], process: int, seconds: float) -> Run:
    """Load the server, and print its memory at equal intervals, the first after ten seconds."""
    loaded = asyncio.create_task(load(port, places, WARM + seconds))
    await asyncio.sleep(WARM)
    begun = memory(process)
    for number in range(SLICES + 1):
        now = memory(process)
        print(
            f"{number * seconds / SLICES:6.0f} s {now:6.0f} MB {now - begun:+6.0f} MB", flush=True
        )
        if number < SLICES:
            await asyncio.sleep(seconds / SLICES)
    return await loaded


def main() -> None:
    """Furnish 50 tables, open every page, and measure."""
    seconds = 60 * float(sys.argv[1]) if len(sys.argv) > 1 else 600
    with tempfile.TemporaryDirectory() as name:
        database, port = Path(name) / "campaigns.db", free_port()
        made = asyncio.run(furnish(database, TABLES))
        command = [sys.executable, "-m", "kitchentable", "serve", "--data", str(database)]
        command += ["--port", str(port), "--behind-proxy"]
        with serving(command, port, {}) as process:
            places = [
                sit_down(port, campaign, keys, THROW if number % 2 else "MARK")
                for number, (campaign, keys) in enumerate(made)
            ]
            run = asyncio.run(under_load(port, places, process, seconds))
            assert run.sound, (run.lost, run.refused, run.complaints[:2])
            print(f"{len(run.lags):,} events reached {PLAYERS + 1} pages each")


if __name__ == "__main__":
    main()
