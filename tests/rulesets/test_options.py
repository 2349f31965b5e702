"""Stored options of campaigns still fit the present options.

The fixture has the options of version 0.1.0. An option that is no longer read, another value of a
choice, narrower bounds or another default change the tables that play by it.
"""

import ast
import json
from importlib import import_module
from importlib.resources import files
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


def are_options(node):
    """Whether a piece of code stands for the options of a table: `at.options`, `Options(given)`."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") == "Options"
    return getattr(node, "attr", getattr(node, "id", "")) == "options"


@pytest.mark.parametrize("name", ["lucky_stars", "objects", "toast", "toaster"])
def test_code_reads_no_option_that_is_not_there(name):
    package = f"kitchentable.rulesets.{name}"
    known = dir(import_module(f"{package}.options").Options)
    read = {
        node.attr
        for path in Path(str(files(package))).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and are_options(node.value)
    }
    assert len(read) > 5
    assert read - {*known, "items", "get"} == set()
