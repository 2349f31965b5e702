"""Outcomes of every shape come back from plain data as they were, or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import pytest

from kitchentable.rules.kit.outcomes import CannotRead, read_outcome, write_outcome


class Special(Enum):
    FLUB = "flub"
    KICK = "kick"


@dataclass(frozen=True)
class Side:
    die: int | Special
    word: str | None = None


@dataclass(frozen=True)
class Pair:
    sides: tuple[Side, ...]
    hit: bool
    by: Mapping[str, int]


PAIR = Pair((Side(3), Side(Special.KICK, "!")), hit=True, by={"a": 2})


def test_nested_outcomes_come_back():
    plain = write_outcome(PAIR)
    assert plain == {
        "sides": [{"die": 3, "word": None}, {"die": "kick", "word": "!"}],
        "hit": True,
        "by": {"a": 2},
    }
    assert read_outcome(Pair, plain) == PAIR


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        (int, True),
        (bool, 1),
        (Special, "hit"),
        (Side, {"die": 3}),
        (Side, {"die": 3, "word": "", "more": 1}),
        (Side, [3, None]),
        (tuple[int, int], [1]),
        (tuple[int, ...], ["1"]),
        (int | Special, "hit"),
        (Mapping[str, int], {"a": "b"}),
    ],
)
def test_data_of_another_type_is_not_read_as_an_outcome(kind, plain):
    with pytest.raises(CannotRead):
        read_outcome(kind, plain)


def test_an_outcome_that_cannot_be_stored_is_refused():
    with pytest.raises(CannotRead, match="cannot be stored on a card"):
        write_outcome(object())
