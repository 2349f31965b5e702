"""Levels: the points of a new sheet, its fields, and its problems."""

import pytest

from kitchentable.rules import Section
from kitchentable.rules.kit.levels import Levels

TRAITS = (("aim", "Aim", "Strike from afar."), ("wits", "Wits", ""))
LEVELS = Levels(TRAITS, {"field": "f", "same": "s", "spend": "p", "top": "t"}, 8, 5)


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({"aim": 5, "wits": 3}, []),
        ({"aim": 6, "wits": 2}, [("traits.aim", "t", "Aim goes from 0 to 5, not 6.")]),
        ({"aim": 4, "wits": 3}, [("traits", "p", "1 point left to spend.")]),
        ({"aim": 5, "wits": 5}, [("traits", "p", "2 points more than there are.")]),
    ],
)
def test_a_new_sheet_spends_all_points_and_none_is_too_high(levels, said):
    found = LEVELS.problems(levels, new=True)
    assert [(one.where, one.rule, one.sentence) for one in found] == said
    assert list(LEVELS.problems(levels, new=False)) == []


@pytest.mark.parametrize("wrong", [-1, True, "3", 2.5])
def test_a_level_is_a_whole_number_and_on_the_list(wrong):
    found = [*LEVELS.problems({"aim": wrong, "salt": 1}, new=False)]
    assert [(one.where, one.rule) for one in found] == [("traits.aim", "p"), ("traits.salt", "s")]


def test_the_section_has_a_number_for_each_and_shows_points_while_the_sheet_is_new():
    part = Section("traits", "Traits", (), "Four for each.")
    new = LEVELS.section(part, {"aim": 5}, new=True)
    assert [(one.name, one.label, one.help, one.rule) for one in new.fields] == [
        ("traits.aim", "Aim", "Strike from afar.", "t"),
        ("traits.wits", "Wits", "", "t"),
    ]
    assert (new.budget.spent, new.budget.of, new.help) == (5, 8, "Four for each.")
    old = LEVELS.section(part, {"aim": 5}, new=False)
    assert (old.budget, old.help, old.fields[0].rule) == (None, "", "f")
