"""Options that are read from a game's file are what they were when they stood in code."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from kitchentable.rules.registry import load

BEFORE = Path(__file__).parent / "options"


@pytest.mark.parametrize("name", ["toast", "objects", "lucky_stars", "toaster"])
def test_every_part_of_every_option_is_as_it_was(name):
    before = json.loads((BEFORE / f"{name}.json").read_text("utf-8"))
    now = json.loads(json.dumps([asdict(one) for one in load(name).options]))
    assert [one["field"]["name"] for one in now] == [one["field"]["name"] for one in before]
    for one, other in zip(now, before, strict=True):
        assert one == other
