"""Forms: input becomes answers or error sentences, and no input is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.rules.forms import gather_rows, look, read_answers, read_sheet, read_value
from kitchentable.rules.sheets import Section
from kitchentable.rules.values import Choice, Field

LEVEL = Field("level", "Level", "number", low=0, high=9, rule="coin.1-level")
SURE = Field("sure", "Sure", "tick", default=False, required=False)
TRAIT = Field("trait", "Trait", "choice", (Choice("aim", "Aim"), Choice("social", "Social")))
PERKS = Field(
    "perks",
    "Perks",
    "rows",
    required=False,
    high=2,
    columns=(Field("id", "", required=False), Field("text", "Perk", longest=12)),
)
KINDS = (
    LEVEL,
    SURE,
    TRAIT,
    PERKS,
    Field("many", "Many", "many", TRAIT.choices, required=False),
    Field("line", "Line", "text", longest=40),
    Field("story", "Story", "story", required=False, longest=80),
)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("12", "Level goes from 0 to 9, not 12."),
        ("-1", "Level goes from 0 to 9, not -1."),
        ("2.5", "Level must be a whole number, not “2.5”."),
        (2.5, "Level must be a whole number, not “2.5”."),
        (True, "Level must be a whole number, not “True”."),
        ("seven", "Level must be a whole number, not “seven”."),
        ("", "Fill in “Level”."),
        ([1], "Level must be a whole number, not “[1]”."),
        (float("inf"), "Level must be a whole number, not “inf”."),
    ],
)
def test_a_value_that_is_not_a_number_gets_a_sentence(typed, sentence):
    value, problem = read_value(LEVEL, typed)
    assert value is None
    assert (problem.where, problem.rule, problem.sentence) == ("level", "coin.1-level", sentence)


@pytest.mark.parametrize("typed", ["7", " 7 ", 7, 7.0])
def test_a_number_is_read(typed):
    assert read_value(LEVEL, typed) == (7, None)


def test_a_typographic_minus_is_a_minus():
    assert read_value(Field("step", "Step", "number"), "−3") == (-3, None)


def test_one_limit_alone_has_its_own_sentence():
    at_least = read_value(Field("n", "Number", "number", low=2), "1")[1]
    at_most = read_value(Field("n", "Number", "number", high=6), "7")[1]
    assert at_least.sentence == "Number must be at least 2, not 1."
    assert at_most.sentence == "Number must be at most 6, not 7."


@pytest.mark.parametrize(
    ("typed", "value"), [("on", True), ("", False), (None, False), ("NO", False)]
)
def test_a_tick(typed, value):
    assert read_value(SURE, typed) == (value, None)


def test_a_tick_box_with_its_hidden_twin_counts_as_the_last_one_sent():
    assert read_value(SURE, ["", "on"]) == (True, None)


def test_a_choice_may_be_named_by_its_label():
    assert read_value(TRAIT, "social") == ("social", None)
    assert read_value(TRAIT, "AIM") == ("aim", None)


def test_a_choice_that_is_not_offered_names_those_that_are():
    problem = read_value(TRAIT, "luck")[1]
    assert problem.sentence == "Trait cannot be “luck”. It can be: Aim, Social."


def test_an_entity_that_cannot_be_chosen_is_not_named_by_its_id():
    whom = Field("target", "Whom?", "entity", (Choice("pc-1", "Ava"),))
    problem = read_value(whom, "nemesis-0dfb66")[1]
    assert problem.sentence == "Whom: in this roll it can be Ava."


def test_rows_come_from_names_or_from_lists_and_blank_ones_fall_away():
    typed = {"perks.0.text": "Sailor", "perks.1.text": " ", "perks.7.text": "Cook"}
    rows, problem = read_value(PERKS, gather_rows(PERKS, typed))
    assert problem is None
    assert [row["text"] for row in rows] == ["Sailor", "Cook"]
    assert read_value(PERKS, [{"text": "Sailor"}])[0] == [{"id": None, "text": "Sailor"}]


def test_a_row_with_only_defaults_is_dropped_unless_it_was_touched():
    columns = (Field("name", "Name"), Field("level", "Level", "number", default=3))
    rows = Field("rows", "Rows", "rows", columns=columns, required=False)
    blank, begun = {"name": "", "level": "3"}, {"name": "", "level": "5"}
    assert read_answers((rows,), {"rows": [blank, {"name": "Sails", "level": "3"}]}) == (
        {"rows": [{"name": "Sails", "level": 3}]},
        (),
    )
    (problem,) = read_answers((rows,), {"rows": [begun]})[1]
    assert problem.where == "rows.0.name"
    numbers = Field("rows", "Rows", "rows", columns=columns[1:], required=False)
    assert read_answers((numbers,), {"rows": [{"level": 3}]})[0] == {"rows": [{"level": 3}]}


def test_a_row_can_be_taken_out():
    assert read_value(PERKS, [{"text": "Sailor", "remove": "on"}]) == ([], None)


def test_too_many_rows_and_a_bad_row_are_refused_with_their_place():
    assert read_value(PERKS, [{"text": str(n)} for n in range(3)])[1].sentence == (
        "Perks can have at most 2 entries, not 3."
    )
    problem = read_value(PERKS, [{"text": "Sailor"}, {"text": "much too long a perk"}])[1]
    assert problem.where == "perks.1.text"


def test_a_sheet_keeps_values_without_a_field():
    sections = [Section("all", "All", (Field("traits.aim", "Aim", "number"), PERKS))]
    before = {
        "traits": {"aim": 3, "luck": 1},
        "perks": [{"id": "p1", "text": "Cook", "covers": "soups"}],
        "later": [1],
    }
    after, problems = read_sheet(
        sections, before, {"traits.aim": "4", "perks.0.id": "p1", "perks.0.text": "Best cook"}
    )
    assert problems == ()
    assert after == {
        "traits": {"aim": 4, "luck": 1},
        "perks": [{"id": "p1", "text": "Best cook", "covers": "soups"}],
        "later": [1],
    }
    assert before["traits"]["aim"] == 3


def test_an_unreadable_value_leaves_the_sheet_unchanged():
    sections = [Section("all", "All", (Field("traits.aim", "Aim", "number", low=0),))]
    after, problems = read_sheet(sections, {"traits": {"aim": 3}}, {"traits.aim": "-1"})
    assert look(after, "traits.aim") == 3
    assert [problem.where for problem in problems] == ["traits.aim"]


def test_missing_answers_get_defaults_only_with_fill():
    assert read_answers([SURE], {}) == ({"sure": False}, ())
    assert read_answers([SURE], {}, fill=False) == ({}, ())
    assert read_answers([TRAIT], {})[1][0].sentence == "Fill in “Trait”."


def test_an_unknown_name_is_reported_and_not_used():
    answers, problems = read_answers([SURE], {"sure": "on", "surely": "on"})
    assert answers == {"sure": True}
    assert [(problem.where, problem.refuses) for problem in problems] == [("surely", False)]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=100),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(KINDS), ANYTHING)
def test_nonsense_gives_a_value_or_a_sentence_never_an_error(field, typed):
    value, problem = read_value(field, typed)
    if problem is None:
        assert read_value(field, value) == (value, None)
    else:
        assert problem.sentence.endswith((".", "?"))


def test_a_list_has_at_most_two_hundred_rows():
    perks = Field("perks", "Perks", "rows", columns=(Field("text", "Perk"),))
    rows = [{"text": f"Perk {number}"} for number in range(201)]
    assert read_value(perks, rows[:200])[1] is None
    assert read_value(perks, rows)[1].sentence == "Perks can have at most 200 entries, not 201."


BOTH = Field("both", "Both", "many", (*TRAIT.choices, Choice("a", "Odd, and even")))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Social", ["social"]),
        ("Social, aim, SOCIAL", ["social", "aim"]),
        (["aim", "Social"], ["aim", "social"]),
        ("Odd, and even", ["a"]),
        ("Aim,odd,  and even, social", ["aim", "a", "social"]),
    ],
)
def test_several_choices_are_typed_by_their_names_with_commas(typed, read):
    assert read_value(BOTH, typed) == (read, None)


def test_an_unknown_choice_among_several_is_refused():
    _, problem = read_value(BOTH, "Social, Aimless")
    assert problem.sentence == "Both: “Aimless” is not one of the choices."


def test_a_row_without_a_required_column_is_refused():
    sections = (Section("perks", "Perks", (PERKS,)),)
    _, problems = read_sheet(sections, {}, {"perks.0": "Sailor", "perks.1.text": "Cook"})
    assert [one.sentence for one in problems] == [
        "There is no field called 'perks.0' on this sheet."
    ]
