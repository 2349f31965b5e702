"""Shared by the tests of games: the mark for the rules that a test proves."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make `@pytest.mark.rule("toast.5-total")` known: the ids of the rules a test stands for."""
    config.addinivalue_line("markers", "rule(*ids): the rules of a game's book that this proves")
