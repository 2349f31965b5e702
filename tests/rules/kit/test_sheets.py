"""Sheets in a game's data file: sections of a builder, people of a ready campaign."""

import tomllib

import pytest

from kitchentable.rules import Choice, Entity, Field, Option, Section, SheetRules, Summary
from kitchentable.rules.kit.document import read_part
from kitchentable.rules.kit.sheets import read_sections, ready_campaign
from kitchentable.rules.toml import BadFile

STEPS = """\
[[step]]
key = "concept"
title = "Concept"
help = "In a line."
rule = "soup.1-concept"

[[step.field]]
key = "concept"
title = "Concept"
kind = "text"
longest = 300

[[step]]
key = "crew"
title = "Crew"

[[step.field]]
key = "crew"
title = "Who is aboard"
kind = "rows"
high = 9

[[step.field.column]]
key = "who"
title = "Who"
kind = "entity"

[[step.field.column]]
key = "as"
title = "As what"
kind = "choice"
choices = [["cook", "Cook"]]
"""
CAMPAIGN = """\
[campaign]
title = "Soup"
players = ["Ada"]
notes = "It boils."

[[person]]
key = "ada"
name = "Ada Vell"
kind = "cook"
owner = "Ada"
line = "Cook"

[person.sheet]
levels = { salt = 3 }

[[person]]
key = "pot"
name = "The pot"
kind = "pot"
owner = "gm"
open = false

[person.sheet]
concept = "Iron"
crew = [{ who = "ada" }]
"""


def read(text):
    return read_part(text, "soup.toml", lambda top: read_sections(top, "step"))


def test_sections_are_read_with_their_fields():
    concept = Field("concept", "Concept", longest=300)
    columns = (
        Field("who", "Who", "entity", default="", required=False),
        Field("as", "As what", "choice", (Choice("cook", "Cook"),), default="cook"),
    )
    crew = Field(
        "crew", "Who is aboard", "rows", default=[], required=False, high=9, columns=columns
    )
    assert read(STEPS) == (
        Section("concept", "Concept", (concept,), "In a line.", "soup.1-concept"),
        Section("crew", "Crew", (crew,)),
    )


def test_a_mistake_has_its_place():
    with pytest.raises(
        BadFile, match=r"soup.toml, line 11, column 1: \[step.field\] has no key 'lo"
    ):
        read(STEPS.replace("longest", "longset"))


def test_people_of_a_ready_campaign_have_the_sheet_of_their_kind():
    rules = SheetRules(
        lambda table: (),
        lambda table, kind: {"concept": "", "levels": {**table.options, "fire": 1}, "kind": kind},
        lambda table, entity: (),
        lambda table, entity, stage: (),
        lambda table, entity: {},
        lambda table, entity: Summary(entity.name),
        lambda table, entity: entity,
    )
    salt = Option(Field("salt", "Salt", "number", default=2), "Soup")
    made = ready_campaign(tomllib.loads(CAMPAIGN), rules, (salt,))
    assert (made.title, made.players, made.notes) == ("Soup", ("Ada",), "It boils.")
    ada = {"concept": "", "levels": {"salt": 3, "fire": 1}, "kind": "cook"}
    pot = {"concept": "Iron", "levels": {"salt": 2, "fire": 1}, "kind": "pot"}
    assert made.entities == (
        Entity("ada", "Ada Vell", "cook", "Ada", ada, {}, line="Cook"),
        Entity("pot", "The pot", "pot", "gm", {**pot, "crew": [{"who": "ada"}]}, {}, open=False),
    )


def test_a_choice_may_be_left_empty_where_its_table_says_so():
    text = """\
[[step]]
key = "lid"
title = "Lid"

[[step.field]]
key = "on"
title = "On"
kind = "choice"
optional = true
choices = [["", "none"], ["iron", "Iron"]]

[[step.field]]
key = "of"
title = "Of"
kind = "choice"
choices = [["", "none"], ["iron", "Iron"]]
"""
    (step,) = read_part(text, "soup.toml", lambda top: read_sections(top, "step"))
    choices = (Choice("", "none"), Choice("iron", "Iron"))
    assert step.fields == (
        Field("on", "On", "choice", choices, "", required=False),
        Field("of", "Of", "choice", choices, ""),
    )
