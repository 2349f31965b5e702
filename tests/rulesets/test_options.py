"""Stored options of campaigns still fit the present options.

The fixture has the options of version 0.1.0. An option that is no longer read, another value of a
choice, narrower bounds or another default change the tables that play by it.
"""

import json
from pathlib import Path

import pytest

from kitchentable.rules.registry import load

STORED = json.loads((Path(__file__).parent / "stored_options.json").read_text("utf-8"))


def stored_parts(field):
    """What a campaign's stored value of an option stands on."""
    parts = {"kind": field.kind, "default": field.default}
    if field.kind == "choice":
        parts["values"] = [one.value for one in field.choices]
    if field.kind == "rows":
        parts["columns"] = {one.name: one.kind for one in field.columns}
    if field.low is not None or field.high is not None:
        parts |= {"from": field.low, "to": field.high}
    return parts


@pytest.mark.parametrize("name", STORED)
def test_options_hold_what_campaigns_have_stored(name):
    assert {one.key: stored_parts(one.field) for one in load(name).options} == STORED[name]
