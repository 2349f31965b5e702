"""Every game's golden playthrough comes back, line by line, as it is written down."""

import pytest

from kitchentable.app.playthrough import play
from kitchentable.game.registry import load, names


@pytest.mark.parametrize("name", names())
def test_the_evening_goes_as_it_is_written(name):
    script = load(name).playthrough
    assert script.strip(), f"{name} has no playthrough; write one, and scripts/playthroughs.py"
    assert play(name, script) == script
