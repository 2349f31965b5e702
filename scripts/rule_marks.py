"""A pytest plugin: lists the tests with `@pytest.mark.rule(...)`, and can run only those.

`--rule-marks FILE` writes {rule id: [test id, ...]} as JSON once the tests are collected.
`--only-marked` leaves out every test that carries no rule.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from pathlib import Path

import pytest

from kitchentable import rulesets


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("rules of the games")
    group.addoption("--rule-marks", type=Path, help="write which tests carry which rule")
    group.addoption("--only-marked", action="store_true", help="leave out tests without a rule")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that carry a rule, and write them down."""
    carried: dict[str, list[str]] = {}
    marked: list[pytest.Item] = []
    other: list[pytest.Item] = []
    for item in items:
        ids = [rule for mark in item.iter_markers("rule") for rule in mark.args]
        (marked if ids else other).append(item)
        for rule in ids:
            carried.setdefault(rule, []).append(item.nodeid)
    if path := config.getoption("rule_marks"):
        path.write_text(json.dumps(carried), encoding="utf-8")
    if config.getoption("only_marked"):
        config.hook.pytest_deselected(items=other)
        items[:] = marked
        # Code that runs at import is not run by a test.
        for module in pkgutil.walk_packages(rulesets.__path__, f"{rulesets.__name__}."):
            importlib.import_module(module.name)
