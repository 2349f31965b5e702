"""The rulebook as data: complete, consistent with itself, and right in its sums and odds."""

from __future__ import annotations

import ast
import re
import tomllib
from fractions import Fraction
from importlib.resources import files

import pytest

from kitchentable.dice import odds
from kitchentable.rules.rulebook import read_rulebook
from kitchentable.rulesets.objects import options
from kitchentable.rulesets.objects.mechanics import Attempt, attempt, settle

FOLDER = files("kitchentable.rulesets") / "objects"
BOOK = read_rulebook((FOLDER / "rulebook.toml").read_text("utf-8"))
RULES = tuple(BOOK.rules.values())
DATA = tomllib.loads((FOLDER / "data.toml").read_text("utf-8"))
DEFAULTS = {option["key"]: option.get("default") for option in DATA["option"]}
#: Rules are named below without this, for reading a rule's text is not a test that it is played so.
GAME = "objects."
LEDGER = [line.split(" ") for line in (FOLDER / "ledger.txt").read_text("utf-8").splitlines()]
#: Rules of kind option that are chosen at the moment of play or in the lists of another switch.
CHOSEN_IN_PLAY = {"2.3-crew-as-talent"}
IN_THE_LIST_OF_BASIC_TALENTS = {
    f"2.3-bt-{name}"
    for name in ("agile", "dangerous", "disciplined", "handy", "influential", "witty", "tough")
}


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.casefold())


def short(rule) -> str:
    return rule.id.removeprefix(GAME)


def prose(rule) -> str:
    return f"{rule.text} | {rule.example} | {rule.reading_text}"


def test_every_row_of_the_ledger_has_one_entry_of_its_kind_in_order():
    assert [[rule.id, rule.kind] for rule in RULES] == LEDGER
    kinds = [kind for _, kind in LEDGER]
    count = {kind: kinds.count(kind) for kind in set(kinds)}
    assert len(RULES) == 112
    assert count == {"core": 64, "option": 17, "ruling": 17, "text": 14}


def test_rules_stand_in_the_section_their_id_names_and_sections_follow_the_book():
    for rule in RULES:
        assert re.fullmatch(rf"objects\.{re.escape(rule.section)}-[a-z0-9-]+", rule.id)
    assert list(dict.fromkeys(rule.section for rule in RULES)) == [c.id for c in BOOK.chapters]
    assert all(chapter.lead.endswith(".") for chapter in BOOK.chapters)


def test_every_reading_is_told_and_none_without_its_number():
    assert all(bool(rule.reading) == bool(rule.reading_text) for rule in RULES)
    told = {rule.reading for rule in RULES if rule.reading}
    told |= set(re.findall(r"\(O\d+\)", " ".join(rule.reading_text for rule in RULES)))
    assert {one.strip("()") for one in told} == {f"O{n}" for n in range(1, 33)}


def test_every_option_is_explained_by_a_rule_and_every_option_rule_has_a_switch():
    named = {rule.option for rule in RULES if rule.option}
    named |= set(re.findall(r"`(\w+)`", " ".join(rule.reading_text for rule in RULES)))
    assert named == {option.key for option in options.BOOK.options}
    bare = {short(rule) for rule in RULES if rule.kind == "option" and not rule.option}
    assert bare == CHOSEN_IN_PLAY | IN_THE_LIST_OF_BASIC_TALENTS


def test_the_page_on_playing_names_every_option():
    page = (FOLDER / "README.md").read_text("utf-8")
    assert {option.key for option in options.BOOK.options if f"`{option.key}`" not in page} == set()
    for cited in re.findall(r"objects\.[\d.]+[\dk]-[a-z0-9-]+", page):
        assert cited in BOOK


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_text_ends_in_a_full_stop_and_has_single_spaces(rule):
    assert rule.text
    for part in filter(None, (rule.text, rule.example, rule.reading_text)):
        assert part[-1] in ".?!)"
        assert part == " ".join(part.split())
        assert "--" not in part
        assert "\N{EM DASH}" not in part


def test_titles_are_all_different():
    titles = [rule.title for rule in RULES]
    assert len(set(titles)) == len(titles)


def test_no_two_entries_share_eight_words_in_a_row():
    where: dict[tuple[str, ...], str] = {}
    for rule in RULES:
        for part in (rule.text, rule.example, rule.reading_text):
            said = words(part)
            for at in range(len(said) - 7):
                run = tuple(said[at : at + 8])
                assert where.setdefault(run, rule.id) == rule.id, " ".join(run)
    assert set(where.values()) <= {rule.id for rule in RULES}
    assert len(where) > 1_000


def test_core_rules_give_an_example():
    assert {rule.id for rule in RULES if rule.kind == "core" and not rule.example} <= {
        GAME + "2-pc-object"
    }


EQUATION = re.compile(r"\d[\d\s+-]*=[\d\s+=-]*\d")
SUMS = [(rule.id, found[0]) for rule in RULES for found in EQUATION.finditer(prose(rule))]


def value(sum_: str) -> int:
    return evaluated(ast.parse(sum_.strip(), mode="eval").body)


def evaluated(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return evaluated(left) + evaluated(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return evaluated(left) - evaluated(right)
    raise AssertionError(ast.dump(node))


@pytest.mark.parametrize(("rule", "equation"), SUMS)
def test_sums_are_right(rule, equation):
    assert len({value(side) for side in equation.split("=")}) == 1, equation


def test_every_equals_sign_belongs_to_a_sum_that_was_checked():
    written = sum(prose(rule).count("=") for rule in RULES)
    assert written == sum(equation.count("=") for _, equation in SUMS) > 12
    assert value("6 + 6") != value("11")


def test_the_chances_that_the_book_tells_are_those_of_the_dice():
    nothing, extreme = odds(attempt, 0), odds(attempt, 6)
    both = odds(settle, Attempt("undecided", 3, 3, 3))
    told = {
        "2.3-zero-roll": [
            (nothing, "critical success", "1/36"),
            (nothing, "failure", "34/36"),
            (nothing, "critical failure", "1/36"),
            (extreme, "total", "77/108"),
            (extreme, "marginal", "25/108"),
        ],
        "3-both-equal": [
            (both, "total", "1/36"),
            (both, "marginal", "25/36"),
            (both, "failure", "10/36"),
        ],
    }
    for rule, chances in told.items():
        for solved, grade, said in chances:
            assert said in prose(BOOK[GAME + rule])
            assert solved.chance(lambda one, g=grade: one.grade == g) == Fraction(said)
    fractions = sum(len(re.findall(r"\d+/\d+", prose(rule))) for rule in RULES)
    assert fractions == sum(len(chances) for chances in told.values())


def test_the_tables_agree_with_the_rules():
    for scale, prefix in (("talent_level", "2.3-scale"), ("status", "2.5-status")):
        assert [row["rule"] for row in DATA[scale]] == [f"{GAME}{prefix}-{n}" for n in range(7)]
    proposed = [one.rule for one in options.Options({}).basics("person")]
    assert {rule.removeprefix(GAME) for rule in proposed} == IN_THE_LIST_OF_BASIC_TALENTS
    kinds = {row["name"] for row in DEFAULTS["types"]}
    assert {row["type"] for row in DEFAULTS["basic_talents"]} <= kinds
    pairs = {(row["own"], row["task"]) for row in DATA["reading"]}
    assert len(pairs) == len(DATA["reading"]) == 9
