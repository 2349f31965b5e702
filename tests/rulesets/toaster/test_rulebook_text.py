"""Toaster's rulebook as data: complete, consistent with itself, and right in its tables."""

import re
from importlib.resources import files

import pytest

from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.book import TABLES

BOOK = game.rulebook
RULES = tuple(BOOK.rules.values())
LEDGER = dict(
    line.split()
    for line in (files("kitchentable.rulesets.toaster") / "ledger.txt")
    .read_text("utf-8")
    .splitlines()
    if line.strip() and not line.startswith("#")
)
#: Options that hold something no single rule of the book is about.
OURS: set[str] = set()


def text(rule: str) -> str:
    return BOOK[f"toaster.{rule}"].text


def names(table: str, column: str = "name") -> list[str]:
    return [str(one[column]) for one in TABLES[table]]


def numbers(words: str) -> list[float]:
    return [float(one.replace("\N{MINUS SIGN}", "-")) for one in re.findall(r"-?\d+\.?\d*", words)]


def test_every_row_of_the_ledger_has_one_entry_of_its_kind():
    assert len(LEDGER) == 410
    assert {rule.id: rule.kind for rule in RULES} == LEDGER


def test_every_option_belongs_to_a_rule_and_the_other_way_round():
    named = {rule.option for rule in RULES if rule.option}
    keys = {option.key for option in game.options}
    assert named - keys == set()
    cited = {option.key for option in game.options if option.field.rule in BOOK}
    assert keys - named <= cited | OURS
    for option in game.options:
        assert option.field.rule in BOOK, option.key
        assert option.field.help.endswith((".", "?")), option.key


def test_entries_lead_somewhere_and_are_told():
    for rule in RULES:
        assert set(rule.see) <= set(BOOK.rules), rule.id
        assert rule.title.strip(), rule.id
        assert rule.text.strip(), rule.id
        assert rule.text.rstrip()[-1] in ".?!:", rule.id
        assert bool(rule.reading) == bool(rule.reading_text), rule.id
        assert not rule.reading or re.fullmatch(r"A-\d\d(, A-\d\d)*", rule.reading), rule.id
    titles = [(rule.section, rule.title) for rule in RULES]
    assert len(set(titles)) == len(titles)


def test_every_section_has_rules_and_is_declared_once():
    declared = [chapter.id for chapter in BOOK.chapters]
    assert len(set(declared)) == len(declared)
    assert set(declared) - {""} <= {rule.section for rule in RULES} | {"2", "3", "4"}


@pytest.mark.rule("toaster.2.skills-list")
def test_the_list_of_skills_is_told_whole():
    told = text("2.skills-list")
    listed = [one for one in TABLES["skills"] if "only_with" not in one]
    assert len(listed) == 35
    for one in listed:
        name = "Craft or Trade" if one["key"] == "craft" else one["name"]
        assert (f"{name}*" in told) == one["group"], name
        assert name in told


@pytest.mark.rule("toaster.2.attribute-descriptors", "toaster.2.skill-rank-descriptors")
def test_words_for_ranks_are_told_whole():
    words = re.findall(r"(\d+) (\w+)", text("2.attribute-descriptors"))
    table = [(str(one["low"]), one["word"]) for one in TABLES["attribute_words"]]
    assert [*words[:-1], ("11", "Superhuman")] == table
    told = text("2.skill-rank-descriptors")
    for column in ("general", "trade", "belt"):
        assert all(word in told for word in names("rank_words", column)), column


@pytest.mark.rule("toaster.2.creation-style-table", "toaster.2.skillcost-table")
def test_styles_and_prices_are_told_whole():
    styles = numbers(text("2.creation-style-table"))
    assert styles == [
        one[key]
        for one in TABLES["styles"]
        for key in ("attribute_points", "skill_points", "free_traits")
    ]
    words = (
        "{name}: {attribute_points} attribute, {skill_points} skill points, "
        "{free_traits} free ranks"
    )
    offered = next(one.field.choices for one in game.options if one.key == "style")
    assert {one.value: one.label for one in offered} == {
        one["key"]: words.format(**one) for one in TABLES["styles"]
    }
    assert numbers(text("2.skillcost-table")) == [one["price"] for one in TABLES["costs"]]
    assert all(name in text("2.skillcost-table") for name in names("costs"))


@pytest.mark.rule(
    "toaster.2.trait-size-thresholds",
    "toaster.2.trait-size-descriptors",
    "toaster.2.trait-ranking-table",
)
def test_sizes_and_the_guide_are_told_whole():
    told = numbers(text("2.trait-size-thresholds"))
    rows = [one for row in TABLES["thresholds"] for one in (row["stun"], row["wound"], row["size"])]
    assert told == rows
    sizes = [n for n in numbers(text("2.trait-size-descriptors")) if n in range(-10, 11)]
    assert {one["rank"] for one in TABLES["sizes"]} <= {int(n) for n in sizes}
    guide = numbers(text("2.trait-ranking-table"))
    assert guide == [
        one[key] for one in TABLES["severity"] for key in ("rare", "common", "constant")
    ]


@pytest.mark.rule("toaster.2.trait-careers", "toaster.2.trait-catalogue")
def test_careers_kinds_and_standing_are_told_whole():
    assert all(name in text("2.trait-careers") for name in names("careers"))
    for one in TABLES["trait_kinds"]:
        assert one["name"] in text("2.trait-catalogue") or one["key"] == "custom"
    for one in TABLES["standing"]:
        for column in ("traditional", "modern"):
            assert one[column] in text("2.trait-social-table")
    words = re.findall(r"(\d) (\w+)", text("2.trait-rank-words"))
    assert words == [(str(one["rank"]), one["word"]) for one in TABLES["trait_words"]]
