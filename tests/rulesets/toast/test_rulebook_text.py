"""Toast's rulebook as data: complete, consistent with itself, and right in its sums and odds."""

from __future__ import annotations

import ast
import itertools
import re
import tomllib
from fractions import Fraction
from importlib.resources import files

import pytest

from kitchentable.rules.rulebook import read_rulebook

FOLDER = files("kitchentable.rulesets") / "toast"
BOOK = read_rulebook((FOLDER / "rulebook.toml").read_text("utf-8"))
RULES = tuple(BOOK.rules.values())
DATA = tomllib.loads((FOLDER / "data.toml").read_text("utf-8"))
DEFAULTS = {option["key"]: option.get("default") for option in DATA["option"]}
TRAITS = DEFAULTS["traits"]
#: Rules are named below without this, for reading a rule's text is not a test that it is played so.
GAME = "toast."
LEDGER = [line.split(" ") for line in (FOLDER / "ledger.txt").read_text("utf-8").splitlines()]

OPTIONS = {
    "traits",
    *("easy", "medium", "hard"),
    "difficulty_shown",
    *("initiative_each_round", "initiative_perk", "initiative_flub_moves"),
    *("actions_per_turn", "move_hint", "house_rules", "tone"),
    *(f"wounds_{c}" for c in ("pc", "nemesis", "lieutenant", "elite_minion", "minion")),
    *("advancement_rolls", "perk_every_sessions", "petitions_open", "refill_perks"),
    *("equipment_lists", "magic_defense", "new_trait_grant", "first_aid_action", "npc_numbers"),
    *("role_initiative", "role_aim", "role_attack", "role_defense"),
}
#: Rules of kind option that are chosen at the moment of play and so need no switch of the table.
CHOSEN_IN_PLAY = {
    "5.1-tune-case",
    "5.2-contest-tie-reroll",
    "7.4-monster",
    "10-magic-perks",
}


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.casefold())


def short(rule) -> str:
    return rule.id.removeprefix(GAME)


def prose(rule) -> str:
    return f"{rule.text} | {rule.example} | {rule.reading_text}"


# ---------------------------------------------------------------- complete


def test_every_row_of_the_ledger_has_one_entry_of_its_kind_in_order():
    assert [[rule.id, rule.kind] for rule in RULES] == LEDGER
    kinds = [kind for _, kind in LEDGER]
    count = {kind: kinds.count(kind) for kind in set(kinds)}
    assert count == {"core": 91, "option": 19, "ruling": 26, "text": 16}


def test_rules_stand_in_the_section_their_id_names_and_sections_follow_the_book():
    for rule in RULES:
        assert re.fullmatch(rf"toast\.{re.escape(rule.section)}-[a-z0-9-]+", rule.id)
    assert list(dict.fromkeys(rule.section for rule in RULES)) == [c.id for c in BOOK.chapters]
    assert all(chapter.lead.endswith(".") for chapter in BOOK.chapters)


def test_cross_references_resolve():
    assert any(rule.see for rule in RULES)
    for rule in RULES:
        assert len(set(rule.see)) == len(rule.see)
        assert rule.id not in rule.see
        assert [other for other in rule.see if other not in BOOK] == []


def test_every_reading_is_told_and_none_without_its_number():
    assert all(bool(rule.reading) == bool(rule.reading_text) for rule in RULES)
    told = {rule.reading for rule in RULES if rule.reading}
    assert told == {f"T{n}" for n in range(1, 42)}


def test_every_option_is_explained_by_a_rule_and_every_option_rule_has_a_switch():
    assert {rule.option for rule in RULES if rule.option} == OPTIONS
    bare = {short(rule) for rule in RULES if rule.kind == "option" and not rule.option}
    assert bare == CHOSEN_IN_PLAY


def test_the_page_on_playing_names_every_option():
    page = (FOLDER / "README.md").read_text("utf-8")
    assert {key for key in OPTIONS if f"`{key}`" not in page} == set()
    for cited in re.findall(r"toast\.[\d.]+-[a-z0-9-]+", page):
        assert cited in BOOK


def test_the_book_gives_its_author_and_licence():
    assert BOOK.book["author"] == "Ethan Greer"
    assert BOOK.book["licence_link"] == "https://creativecommons.org/licenses/by-sa/3.0/us/"
    assert "adaptation" in BOOK.book["notice"]
    assert BOOK.book["author"] in BOOK[GAME + "0-licence"].text
    assert BOOK.book["licence"] in BOOK[GAME + "0-licence"].text


# ---------------------------------------------------------------- told well


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_text_ends_in_a_full_stop_and_has_single_spaces(rule):
    assert rule.text
    for part in filter(None, (rule.text, rule.example, rule.reading_text)):
        assert part[-1] in ".?!"
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


def test_core_rules_that_name_a_number_give_an_example():
    numbers = re.compile(r"\d|\b(one|two|three|four|five)\b")
    without = {
        rule.id
        for rule in RULES
        if rule.kind == "core" and numbers.search(rule.text) and not rule.example
    }
    traits = {f"toast.3-trait-{trait['id']}" for trait in TRAITS}
    assert without <= traits


# ---------------------------------------------------------------- right sums

EQUATION = re.compile(r"[\d(][\d\s+×/()-]*=[\d\s+×/=()-]*[\d)]")


def value(sum_: str) -> Fraction:
    return evaluated(ast.parse(sum_.strip().replace("×", "*"), mode="eval").body)


def evaluated(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return evaluated(left) + evaluated(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return evaluated(left) - evaluated(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return evaluated(left) * evaluated(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return evaluated(left) / evaluated(right)
    raise AssertionError(ast.dump(node))


SUMS = [(rule.id, found[0]) for rule in RULES for found in EQUATION.finditer(prose(rule))]


@pytest.mark.parametrize(("rule", "equation"), SUMS)
def test_sums_are_right(rule, equation):
    sides = [value(side) for side in equation.split("=")]
    assert len(set(sides)) == 1, equation


def test_every_equals_sign_belongs_to_a_sum_that_was_checked():
    written = sum(prose(rule).count("=") for rule in RULES)
    assert written == sum(equation.count("=") for _, equation in SUMS) > 90


def test_a_wrong_sum_would_be_noticed():
    assert value("8 + 3") != value("12")
    assert value("(11 - 6)/12") == Fraction(5, 12)


# ---------------------------------------------------------------- right odds

FACES = range(1, 13)
FLUB, KICK = 11, 12


def chance(holds, dice: int = 1) -> Fraction:
    """The share of equally likely throws for which `holds` is true, by counting them all."""
    throws = list(itertools.product(FACES, repeat=dice))
    return Fraction(sum(bool(holds(*throw)) for throw in throws), len(throws))


def task(bonus: int, difficulty: int) -> Fraction:
    return chance(lambda d: d == KICK or (d != FLUB and d + bonus >= difficulty))


def raised(level: int) -> Fraction:
    return chance(lambda d: d == KICK or (d != FLUB and d > level))


def rank(face: int) -> int:
    """Where a face stands in a contest of equal bonuses: a flub below 1, a kick above 10."""
    return 0 if face == FLUB else face


EVEN_WIN = chance(lambda a, b: rank(a) > rank(b), 2)
EVERY_TASK = [task(bonus, number) for bonus in range(30) for number in range(40)]
ODDS = {
    "1-dice-excitement": {chance(lambda d: d >= FLUB), chance(lambda d: d == KICK)},
    "2-die": {chance(lambda d: d == 1), chance(lambda d: d <= 10)},
    "3.1-max9-start-only": {raised(10), raised(25)},
    "4-perk-bonus": {task(4, 11), task(4 + 3, 11)},
    "5-diff-easy": {task(0, 6)},
    "5-diff-medium": {task(4, 11), task(4 + 3, 11)},
    "5-diff-hard": {task(9, 16)},
    "5-flub-fails": {max(EVERY_TASK)},
    "5-kick-succeeds": {min(EVERY_TASK)},
    "5.1-tune-before": {task(3, 11), task(3, 10)},
    "5.2-contest-higher": {EVEN_WIN, chance(lambda a, b: a == b, 2)},
    "5.2-double-flub": {chance(lambda a, b: a == b == FLUB, 2)},
    "5.2-double-kick": {chance(lambda a, b: a == b == KICK, 2)},
    "5.2-flub-vs-kick": {chance(lambda a, b: {a, b} == {FLUB, KICK}, 2)},
    "7.1-init-flub": {chance(lambda d: d == FLUB)},
    "7.2-attack-contest": {EVEN_WIN},
    "7.2-double-special-miss": {chance(lambda a, b: a == b >= FLUB, 2)},
    "7.4-monster-caution": {1 / EVEN_WIN},
    "8.2-number": {raised(10), raised(11)},
    "8.2-roll-each": {
        chance(lambda a, b, c: any(d == KICK or 4 < d < FLUB for d in (a, b, c)), 3),
        raised(4),
    },
}


@pytest.mark.parametrize("rule", ODDS)
def test_stated_odds_are_those_counted_out(rule):
    stated = {Fraction(found) for found in re.findall(r"\d+/\d+", prose(BOOK[GAME + rule]))}
    assert stated >= ODDS[rule]


def test_no_odds_stand_in_the_book_uncounted():
    for rule in RULES:
        outside_sums = EQUATION.sub(" ", prose(rule))
        stated = {Fraction(found) for found in re.findall(r"\d+/\d+", outside_sums)}
        assert stated <= ODDS.get(short(rule), set()), rule.id
    assert ODDS.keys() <= {short(rule) for rule in RULES}


def test_the_formula_for_raising_a_trait_holds_at_every_level():
    assert "(11 - L)/12" in BOOK[GAME + "8.2-number"].text
    for level in range(30):
        assert raised(level) == (Fraction(11 - level, 12) if level <= 10 else Fraction(1, 12))


# ---------------------------------------------------------------- the tables


def test_the_default_traits_are_those_of_the_book_in_its_order():
    rows = [rule for rule in RULES if rule.id.startswith("toast.3-trait-")]
    assert [rule.id.removeprefix("toast.3-trait-") for rule in rows] == [
        trait["id"] for trait in TRAITS
    ]
    assert [rule.title for rule in rows] == [trait["name"] for trait in TRAITS]
    assert all(trait["purpose"].endswith(".") for trait in TRAITS)
    keys = {trait["id"] for trait in TRAITS}
    for role in ("initiative", "aim", "attack", "defense"):
        assert DEFAULTS[f"role_{role}"] == role in keys
    assert f"make {4 * len(rows)}." in BOOK[GAME + "3.1-points"].text


def test_the_ladder_and_the_wounds_agree_with_the_rules():
    for step in DATA["difficulty"]:
        said = BOOK[f"toast.5-diff-{step['key']}"]
        assert said.title == f"{step['name']} is {DEFAULTS[step['key']]}"
        assert f"{step['name']} means {DEFAULTS[step['key']]}." in said.text
    assert [step["key"] for step in DATA["difficulty"] if step.get("default")] == ["medium"]
    for rank_ in DATA["importance"]:
        said = BOOK[f"toast.7.4-wounds-{rank_['key']}"]
        assert said.option == f"wounds_{rank_['key'].replace('-', '_')}"
        assert said.title.endswith(f": {DEFAULTS[said.option]}")


def test_sample_perks_show_eight_kinds_of_thing():
    samples = DATA["sample_perk"]
    assert len({sample["shows"] for sample in samples}) == len(samples) == 8
    names = {trait["name"].casefold() for trait in TRAITS}
    assert not {sample["text"].casefold() for sample in samples} & names


def test_presets_fit_the_default_list_and_cover_every_class_of_the_gms_people():
    ranks = [one["key"] for one in DATA["importance"]]
    wounds = {key: DEFAULTS[f"wounds_{key.replace('-', '_')}"] for key in ranks}
    keys = [trait["id"] for trait in TRAITS]
    for preset in DATA["preset"]:
        assert list(preset["levels"]) == keys
        assert all(type(level) is int and level >= 0 for level in preset["levels"].values())
        assert preset.get("wounds", wounds[preset["importance"]]) >= wounds[preset["importance"]]
    assert {preset["importance"] for preset in DATA["preset"]} == set(wounds) - {"pc"}
    assert any(preset.get("wounds", 0) > 4 for preset in DATA["preset"])
