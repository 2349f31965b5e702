"""The registry: games by entry points, ours and others, and the errors of bad ones."""

from importlib.metadata import EntryPoint

import pytest

from kitchentable.rules import BadGame, UnknownGame, registry
from tests.rules.broken import PEBBLE


@pytest.fixture
def installed(monkeypatch):
    """Entry points of other packages, as if installed."""

    def install(**values):
        points = [EntryPoint(name, value, registry.GROUP) for name, value in values.items()]
        monkeypatch.setattr(registry, "entry_points", lambda *, group: points)

    return install


def test_a_strangers_game_is_an_equal(installed):
    installed(pebble="tests.rules.broken:PEBBLE")
    assert registry.names() == ("pebble",)
    assert registry.load("pebble") is PEBBLE


def test_an_unknown_game_is_refused_with_the_installed_games(installed):
    installed(pebble="tests.rules.broken:PEBBLE", toast="tests.rules.broken:PEBBLE")
    with pytest.raises(UnknownGame) as caught:
        registry.load("peble")
    assert str(caught.value) == (
        "There is no game called 'peble' here. Did you mean pebble? Installed: pebble, toast."
    )


def test_a_mistake_in_a_games_code_is_told(installed, tmp_path, monkeypatch):
    (tmp_path / "unfinished.py").write_text("def roll(:", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    installed(pebble="unfinished:PEBBLE")
    with pytest.raises(
        BadGame, match=r"cannot be loaded: invalid syntax \(unfinished.py, line 1\)"
    ):
        registry.load("pebble")


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ({"pebble": "tests.rules.broken:BOOK"}, "is not a game. It must name a Game"),
        ({"stone": "tests.rules.broken:PEBBLE"}, "has the name 'pebble'"),
        ({"pebble": "tests.rules.no_such_file:PEBBLE"}, "cannot be loaded"),
        ({"pebble": "tests.rules.broken:NOTHING"}, "cannot be loaded"),
    ],
)
def test_an_unusable_game_is_refused_with_the_reason(installed, points, sentence):
    installed(**points)
    (name,) = points
    with pytest.raises(BadGame) as caught:
        registry.load(name)
    assert sentence in str(caught.value)
    assert caught.value.code.startswith("game/")
