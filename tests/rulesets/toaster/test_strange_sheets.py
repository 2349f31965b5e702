"""Sheets with any content: the problems are reported, and nothing crashes."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kitchentable.rules import Entity
from kitchentable.rules.forms import look, read_sheet
from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.book import rows
from kitchentable.rulesets.toaster.character.presets import preset_sheet
from kitchentable.rulesets.toaster.character.skills import skill_choices
from kitchentable.rulesets.toaster.combat.arms import arm_choices
from tests.rulesets.toaster.people import entity, line, person, sheet, table, trait

EVERYTHING = {option.key: True for option in game.options if option.field.kind == "tick"} | {
    "trait_rank_cap": 5,
    "specialty_skills": 1,
    "rank_words": "belt",
}
TABLES = (table(), table(**EVERYTHING))

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.text(max_size=8) | st.floats(0, 9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "skill", "of", "base", "rank", "kind", "name"]), inner
        )
    ),
    max_leaves=6,
)
parts = st.sampled_from([*sheet(), "thresholds", "named"])


def looked_at(one: Entity) -> None:
    """Everything that a page asks of a sheet."""
    for here in TABLES:
        problems = game.sheet.check(here, one, "creation")
        assert {problem.rule for problem in problems} <= {"", *game.rulebook.rules}
        sections = game.sheet.sections(here, one)
        assert len({field.name for s in sections for field in s.fields}) == sum(
            len(s.fields) for s in sections
        )
        game.sheet.summary(here, one)
        game.sheet.public(here, one)
        json.dumps(game.sheet.start(here, one))
        skill_choices(here, person(one, here))
        arm_choices(person(one, here))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(parts, plain, max_size=4), st.sampled_from(["draft", "submitted", "play"]))
def test_a_sheet_of_anything_gets_sentences(odd, stage):
    looked_at(entity(sheet() | odd, stage=stage))


ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.text(max_size=3),
            "skill": st.sampled_from(["ride", "language", "martial-arts", "weapon-skill", "no"]),
            "of": st.sampled_from(["", "Latin", "Sword", "sword"]),
            "attribute": st.sampled_from(["", "aura", "charm"]),
            "attribute2": st.sampled_from(["", "intellect"]),
            "base": st.integers(-2, 14) | st.none(),
            "native": st.booleans(),
            "specialty": st.sampled_from(["", "fast"]),
            "specialty2": st.sampled_from(["", "far"]),
            "doubled": st.booleans(),
            "areas": st.sampled_from(["", "fast, far, high"]),
        },
    ),
    max_size=4,
)
KINDS = [one["key"] for one in rows(table(), "trait_kinds")]
TRAITS = st.lists(
    st.builds(
        lambda kind, rank, of: trait(kind, rank, of, note=""),
        st.sampled_from([*KINDS, "fate"]),
        st.integers(-11, 11),
        st.sampled_from(["", "strength", "Aura", "Scout", "Run, Swim, Act, Ride", "Perception"]),
    ),
    max_size=4,
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(ROWS, TRAITS, st.integers(-3, 14))
def test_rows_that_nearly_fit_get_sentences(skills, traits, physique):
    built = sheet((physique, 4, 4, 4)) | {"skills": skills, "traits": traits}
    looked_at(entity(built, stage="draft"))


@pytest.mark.parametrize("here", TABLES)
@pytest.mark.parametrize("key", [one["key"] for one in rows(table(), "presets")])
def test_every_preset_comes_back_from_its_form_as_it_was(here, key):
    one = entity(preset_sheet(here, key), owner="gm")
    sections = game.sheet.sections(here, one)
    raw = {f.name: look(one.sheet, f.name, f.default) for s in sections for f in s.fields}
    again, problems = read_sheet(sections, one.sheet, raw)
    assert problems == ()
    for name, value in raw.items():
        assert json.dumps(again)  # stays plain
        before, after = look(one.sheet, name), look(again, name)
        if isinstance(before, list):
            assert [row | old for row, old in zip(after, before, strict=True)] == after
        else:
            assert after == value


def test_a_row_keeps_what_a_switched_off_option_hides():
    """Turning a rule off, editing the sheet and turning it on again loses nothing."""
    special = line("throw", 8, specialty="knives", areas="knives, axes, stones", doubled=False)
    one = entity(sheet() | {"skills": [special]}, stage="draft")
    off = game.sheet.sections(table(), one)
    again, _ = read_sheet(
        off, one.sheet, {"skills": [{"id": "throw", "skill": "throw", "base": 9}]}
    )
    assert again["skills"][0]["specialty"] == "knives"
    assert again["skills"][0]["base"] == 9
