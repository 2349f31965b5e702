"""A pytest plugin: lists the tests with `@pytest.mark.rule(...)`, and can run only those.

`--rule-marks FILE` writes {rule id: [test id, ...]} as JSON once the tests are collected.
`--only-marked` leaves out every test that carries no rule.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterable
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
    if path := config.getoption("rule_marks"):
        path.write_text(json.dumps(tests_of(items)), encoding="utf-8")
    if config.getoption("only_marked"):
        config.hook.pytest_deselected(items=[item for item in items if not _rules(item)])
        items[:] = filter(_rules, items)
        # Code that runs at import is not run by a test.
        for module in pkgutil.walk_packages(rulesets.__path__, f"{rulesets.__name__}."):
            importlib.import_module(module.name)


def tests_of(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """The ids of the tests that carry each rule."""
    carried: dict[str, list[str]] = {}
    for item in items:
        for rule in _rules(item):
            carried.setdefault(rule, []).append(item.nodeid)
    return carried


def _rules(item: pytest.Item) -> list[str]:
    return [rule for mark in item.iter_markers("rule") for rule in mark.args]
