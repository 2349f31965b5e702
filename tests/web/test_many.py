"""A thousand tables on one process, as people play: nobody waits, and memory stays flat."""

import pytest

from benchmarks import bench_many


@pytest.mark.soak
def test_a_thousand_tables_play_for_half_an_hour():
    figures = bench_many.measure(30, 1_000)
    assert figures.run.sound
    assert figures.crowd.sound
    assert figures.run.quantile(0.99) < 250
    assert figures.memory[-1] <= figures.memory[0] + 50
