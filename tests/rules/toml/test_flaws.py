"""Errors in a file: line, column and the fix; a file runs no code and breaks nothing."""

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.rules.kit.places import places
from kitchentable.rules.toml import BadFile, read_game
from tests.rules.toml.sample import COIN

LANTERNS = read_game(COIN)
EXAMPLES = Path(__file__).parents[3] / "examples"
TEXTS = [COIN, *(one.read_text("utf-8") for one in sorted(EXAMPLES.glob("*/game.toml")))]
#: A question without anything to choose, after the number a roll is measured against.
ASKED = 'against = 3\n[[roll.field]]\nkey = "{}"\ntitle = "Asked"\nkind = "tick"\n'
PACE = """against = 3
[[roll.field]]
key = "pace"
title = "Pace"
kind = "choice"
choices = 3
default = "slow"
"""
#: A move to be picked from a list that does not offer it.
PICKED = """[[list]]
key = "feats"
title = "Feats"
choices = ["Duels", "Sleep"]

[[roll]]
key = "duel"
picked = "feats"
"""
#: A switch before the first option of the sample.
TICKS = """[[option]]
key = "{0}"
title = "{0}"
kind = "tick"
default = {1}
help = "So it is."
excludes = [{2}]

[[option]]"""


#: A table to roll on, before the first rest of the sample.
WEATHER = """[[table]]
key = "weather"
title = "Weather"
dice = "1d6"
add = ["luck_of_all"]
[[table.row]]
text = "Rain"

[[rest]]"""
#: A text that no list suggests, before the first option of the sample.
SUGGESTS = """[[option]]
key = "motto"
title = "Motto"
kind = "text"
help = "What is sung."
suggests = "names"

[[option]]"""


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ('title = "Coin"', "title = 7", r'title must be text in quotes, such as "Wits", not 7'),
        ('title = "Coin"', "", r"\[game\] needs the key 'title'. Add a line title ="),
        ('title = "Coin"', 'title = " "', r"title is empty. Write a word or two."),
        ('name = "coin"', 'name = "The Coin"', 'Write name = "the_coin"'),
        ("default = 2", "default = 7", "default goes from 0 to 5, not 7"),
        ("default = 2", 'default = 2\nexcludes = ["x"]', r"has no key 'excludes'"),
        (
            "[[option]]",
            TICKS.format("dry", "true", '"wet"'),
            "The option excludes 'wet', which is not",
        ),
        ("[[option]]", TICKS.format("dry", "true", '"dry"'), "dry excludes itself"),
        ("[[option]]", TICKS.format("dry", "true", "7"), "a list of texts"),
        (
            "[[option]]",
            TICKS.format("dry", "true", '"wet"') + TICKS.format("wet", "true", "")[10:],
            "The defaults exclude each other",
        ),
        ("default = 2", 'default = "2"', "default must be a whole number, without quotes"),
        ('points = "2 + luck_of_all"', 'points = "2 + luk"', "uses 'luk'.*Choose from: luck_of"),
        ('"trait", "bonus"', '"trait"', "The bonus of the list 'charms' is not used in"),
        ('points = "2 + luck_of_all"', "points = [2]", "a whole number or a sum"),
        ("high = 3", "high = -1", "must be in this order"),
        ("high = 3", "hihg = 3", r"\[group\] has no key 'hihg'. Did you mean 'high'\?"),
        ('key = "wits"', 'key = "nerve"', "There is already a trait with the key 'nerve'"),
        ('key = "charms"', 'key = "trait"', "Rolls already use the key 'trait'"),
        ("against = 3", ASKED.format("what"), "Rolls already use the key 'what'"),
        ("against = 3", ASKED.format("problems"), "Rolls already use the key 'problems'"),
        ("against = 3", ASKED.format("luck"), "There is already a track with the key 'luck'"),
        ('boxes = "2 + nerve"', 'boxes = "2 + luck"', "uses 'luck'"),
        (
            'uses = "self"',
            'uses = "self"\nplaybook = "spy"',
            "no such playbook. This file has none",
        ),
        ('starts = "full"', 'starts = "ful"', "starts cannot be 'ful'. Did you mean 'full'"),
        ('faces = [1, 2, "moon"]', "faces = [1]", "2 to 1000 faces, not 1"),
        ('faces = [1, 2, "moon"]', "faces = [1, true]", "whole numbers and texts"),
        ("worth = { moon = 5 }", "worth = { sun = 5 }", "has no face 'sun'"),
        (
            "worth = { moon = 5 }",
            "",
            "the face 'moon' needs a number. Add worth = { \"moon\" = 6 }",
        ),
        ('dice = "{=1 + wits}d2kh1"', 'dice = "4d6k3"', "dice = '4d6k3' cannot be read"),
        ('dice = "{=1 + wits}d2kh1"', 'dice = "{=1 + }d2"', "ends where a number or a name"),
        ('dice = "{=1 + wits}d2kh1"', 'dice = "{=magic}d2"', "uses 'magic'"),
        ('dice = "{=1 + wits}d2kh1"', "", "A roll needs dice"),
        ('dice = "{=1 + wits}d2kh1"', 'dice = "d6"\ndie = "fate"', "only one of"),
        (
            'die = "fate"',
            'die = "fait"',
            "die names 'fait', but this file has no such die.*Choose from: fate",
        ),
        ('uses = "self"', 'uses = "selves"', "Did you mean 'self'"),
        ('uses = "self"', 'uses = "self"\ntrait = "wits"', "not both"),
        (
            'ties = "theirs"',
            'ties = "theirs"\nuses = "self"',
            "The other side uses a fixed trait, or",
        ),
        ('add = ["trait"]', "", "level of the trait is not used in the roll 'duel'"),
        ("against = 3", PACE, "choices must be a list of pairs"),
        ("against = 3", PACE.replace('"choice"', "7"), "kind must be text in quotes"),
        ("against = 3", "against = 3\nagain = { keeps = [6] }", "Only a pool can have counts"),
        ("against = 3", "against = 3\n[roll.opposed]\ntrait = 'wits'", "no target number"),
        ("costs = { luck = 1 }", "costs = { gold = 1 }", "'gold', but this file has no such track"),
        ("at_least = 0\ngood = true\ntone", "good = true\ntone", "later results never happen"),
        ('title = "tails"', 'title = "tails"\nat_least = -2', "result, 'tails', does not cover"),
        ('title = "tails"\ntone = "bad"', 'title = "tails"\ntone = "sad"', "tone cannot be 'sad'"),
        ('key = "tails"', 'key = "heads"', r"Two entries of \[\[roll.band\]\] are called 'heads'"),
        (
            "with = { trait = 1, wits = 0 }",
            "with = { wits = 0 }",
            "line 142, column 8: The roll 'flip' needs trait=",
        ),
        (
            "[[roll]]",
            '[[die]]\nkey = "fate"\nfaces = [1, 2]\n\n[[roll]]',
            r"\[\[die\]\] are called 'fate'",
        ),
        ('face = "moon"', 'face = "sun"', "No die of this roll has a face 'sun'"),
        ('face = "moon"', 'face = "moon"\nat_least = 1', "not both"),
        ('key = "won"\ntitle = "won"\nat_least = 0', 'key = "won"\ntitle = "won"', "never happen"),
        ('order = "1d6"', 'order = "d"', "cannot be read"),
        ('clears = ["luck"]', 'clears = ["lack"]', "names 'lack', but this file has no such track"),
        ('clears = ["luck"]', "clears = [1]", "a list of texts"),
        ('owner = "Ada"', 'owner = "Eve"', "owner 'Eve' is not a player"),
        ("traits = { nerve = 2, wits = 2 }", "traits = { nerv = 2 }", "names 'nerv'"),
        ("traits = { nerve = 2, wits = 2 }", 'traits = { nerve = "2" }', "must be a whole number"),
        ('roll = "flip"\nwith', 'roll = "flop"\nwith', "no roll 'flop'. The rolls.*: flip, duel"),
        ('gives = "heads"', 'gives = "head"', "has no result 'head'. Its results: heads, tails"),
        ("[growth]", "[[growth]]", r"growth must be a table. Write it as \[growth\]"),
        ('cost = "1 + trait"', "cost = 0", r"Self costs 0 at level 0.*= .max\(1, 0\)"),
        ('cost = "1 + trait"', 'cost = "3 - trait"', r"Self costs 0 at level 3\. A level must"),
        ('cost = "1 + trait"', 'cost = "luck_of_all"', "at level 0 with some options"),
        (
            'points = "2 + luck_of_all"',
            "points = 7",
            "7 points .* on Self, which takes from 0 to 6",
        ),
        ('points = "2 + luck_of_all"', "points = -1", "-1 points cannot be spent on Self"),
        (
            "[[option]]",
            SUGGESTS,
            "No option with rows is called 'names'. This file has none",
        ),
        ('[[roll]]\nkey = "duel"\n', PICKED, "'Duel' is not .* list 'feats'.* mean 'Duels'"),
        ("[[rest]]", "[rest]", r"rest must be a list of tables. Write it as \[\[rest\]\]"),
        (
            'name = "The Banker"',
            'name = "Kit"',
            "Two entries of .*person.* are called 'kit'. Give one of them another id.",
        ),
        ("[[rest]]", WEATHER.replace("1d6", "{=luck_of_all}d6"), "dice cannot contain sums here"),
        (
            "[[rest]]",
            WEATHER.replace('["luck_of_all"]', '["wits"]'),
            "'wits' uses 'wits', which is not",
        ),
        ('players = ["Ada"]', 'players = ["Ada", "ada"]', "cannot be called 'ada'"),
        ('players = ["Ada"]', 'players = ["Ada", "gm"]', "cannot be called 'gm'"),
        ('players = ["Ada"]', f'players = ["Ada", "{"B" * 61}"]', "at most 60 characters, not 61"),
        ('name = "The Banker"', f'name = "{"B" * 61}"', "at most 60 characters, not 61"),
        ('players = ["Ada"]', 'players = ["Ada", " "]', "cannot be called ' '"),
        ('die = "fate"\ntrait', 'die = "fate"\nkeep = "sum"\ntrait', "Only a pool can have keep"),
        (
            'key = "wits"',
            f'key = "{"W" * 5000}"',
            r"'W{36}\.\.\. cannot be the key.*Write key = \"w{40}\"",
        ),
        ("[game]", "[geme]", r"The file has no \[game\]"),
        ("version = ", "version ", "This is not TOML"),
        ('title = "Coin"', 'title = "Co\\u0000in"', "an invisible character"),
        ("against = 3", "against = 3\n[[roll.difficulty]]\nkey='a'\ntitle='A'\nnumber=4", "ladder"),
        ('key = "flip"', 'key = "story"', "already has a move with the key 'story'"),
        (
            'key = "flip"',
            'key = "flip"\nrule = "nowhere"',
            "rule names 'nowhere', but this file has no such rule",
        ),
        ('about = "Heads', 'about = "Heads\n', "This is not TOML"),
    ],
)
def test_each_mistake_has_its_place_and_its_correction(was, now, sentence):
    assert COIN.count(was) >= 1
    text = COIN.replace(was, now, 1)
    with pytest.raises(BadFile, match=sentence) as caught:
        read_game(text)
    told = str(caught.value)
    assert re.match(r"game\.toml, line \d+, column \d+: ", told)
    assert caught.value.code == "game/bad-file"
    lines = len(text.splitlines())
    assert all(1 <= flaw.place.line <= lines + 1 for flaw in caught.value.flaws)


def test_the_place_is_that_of_the_value():
    text = COIN.replace('starts = "full"', 'starts = "ful"')
    with pytest.raises(BadFile) as caught:
        read_game(text)
    (flaw,) = caught.value.flaws
    assert (flaw.place.line, flaw.place.column) == (line_of(text, 'starts = "ful"'), 10)


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ('title = "won"\nat_least = 0', 'title = "won"', '[[roll.band]]\nkey = "won"'),
        ('title = "won"', 'title = "won"\nface = "sun"', 'face = "sun"'),
        ('title = "won"', 'title = "won"\nneeds = { sixes = 1 }', "needs = "),
        ('title = "lost"', 'title = "lost"\nat_least = 4', "at_least = 4"),
        ('title = "lost"', 'title = "lost"\nat_most = 4', '[[roll.band]]\nkey = "lost"'),
    ],
)
def test_a_mistake_in_a_result_has_the_place_of_the_result(was, now, words):
    text = COIN.replace(was, now, 1)
    with pytest.raises(BadFile) as caught:
        read_game(text)
    assert line_of(text, words) in {flaw.place.line for flaw in caught.value.flaws}


@pytest.mark.parametrize(
    ("was", "now", "column"),
    [
        ("high = 3", "hihg = 3", 1),
        ("costs = { luck = 1 }", "costs = { gold = 1 }", 11),
        ('points = "2 + luck_of_all"', '  points = "2 + luk"', 17),
        ("traits = { nerve = 2, wits = 2 }", "traits = { nerve = 2, wit = 2 }", 23),
    ],
)
def test_the_column_is_that_of_the_word_that_is_wrong(was, now, column):
    with pytest.raises(BadFile) as caught:
        read_game(COIN.replace(was, now, 1))
    assert column in {flaw.place.column for flaw in caught.value.flaws}


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('title = "tails"', 'title = "tails"\nat_least = "10"'),
        ("high = 3", 'low = 1\nhigh = "3"'),
        ('faces = [1, 2, "moon"]', "faces = 6"),
        ('cost = "1 + trait"', 'cost = "1 +"'),
        ('key = "wits"', 'key = "Wits!"'),
        ('key = "luck"\n', ""),
        ("at_least = 0\ngood = true\ntone", 'needs = { a = "2" }\ngood = true\ntone'),
    ],
)
def test_a_value_that_cannot_be_read_is_one_mistake(was, now):
    with pytest.raises(BadFile) as caught:
        read_game(COIN.replace(was, now, 1))
    assert len(caught.value.flaws) == 1


def test_all_mistakes_are_listed_in_order():
    text = COIN.replace("high = 3", "hihg = 3").replace('face = "moon"', 'face = "sun"')
    with pytest.raises(BadFile) as caught:
        read_game(text)
    lines = [flaw.place.line for flaw in caught.value.flaws]
    assert len(lines) == 2
    assert lines == sorted(lines)


def test_broken_toml_is_reported_with_its_place():
    with pytest.raises(BadFile, match=r"line 3, column \d+: This is not TOML") as caught:
        read_game('[game]\nname = "coin"\ntitle = = "Coin"\n')
    assert "Put text in quotes" in str(caught.value)


def test_duplicates_and_unknown_names_have_their_place():
    twice = COIN.replace('key = "wits"', 'key = "nerve"')
    with pytest.raises(BadFile) as caught:
        read_game(twice)
    second = twice.rindex('key = "nerve"')
    at = twice[:second].count("\n") + 1
    assert at in {flaw.place.line for flaw in caught.value.flaws}
    with pytest.raises(BadFile, match="the file has no key 'monster'") as caught:
        read_game(COIN + '\n[[monster]]\nname = "x"\n')
    assert caught.value.flaws[-1].place.line == (COIN + "\n").count("\n") + 1


def test_without_its_first_table_nothing_else_is_blamed():
    with pytest.raises(BadFile) as caught:
        read_game(COIN.replace("[game]", "[gane]"))
    assert len(caught.value.flaws) == 1
    with pytest.raises(BadFile, match=r"Write it as \[game\]") as caught:
        read_game(COIN.replace("[game]", "[[game]]"))
    assert len(caught.value.flaws) == 1


@pytest.mark.parametrize("deep", ["x = " + "[" * 3000 + "]" * 3000, "x = " + "{a=" * 3000])
def test_brackets_without_end_are_a_mistake_like_any_other(deep):
    with pytest.raises(BadFile, match="line 2, column 1: Brackets are nested too deeply"):
        read_game(f"# A game\n{deep}\n{COIN}")


def test_places_know_lists_below_lists_and_values_over_lines():
    text = (
        '[a]\nb = """\n[[no]]\nx = 1\n"""\nc = [\n  1, # ]\n  2,\n]\n'
        "d.e = 1\n[[f]]\n[[f.g]]\nh = 1\n[[f]]\n[[f.g]]\nh = 2\n[[f.g]]\nh = 3\n"
    )
    found = places(text)
    assert ("no",) not in found
    assert found["a", "c"].line == 6
    assert found["a", "d", "e"].line == 10
    assert found["f", 0, "g", 0, "h"].line == 13
    assert found["f", 1, "g", 0, "h"].line == 16
    assert found["f", 1, "g", 1, "h"].line == 18


@pytest.mark.slow
@settings(max_examples=150)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32), st.integers(1, 6))
def test_no_damage_to_a_file_gives_anything_but_a_game_or_its_mistakes(text, seed, times):
    """Lines go missing, change places, lose and gain characters; BadFile is all that may come."""
    chance = random.Random(seed)
    lines = text.splitlines()
    for _ in range(times):
        at = chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                del lines[at]
            case 1:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
            case _:
                cut = chance.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + chance.choice('"[]{}=,.0a#\\') + lines[at][cut:]
    with suppress(BadFile):
        read_game("\n".join(lines))


def test_dice_that_need_a_number_above_one_are_tried_with_more():
    text = COIN.replace('dice = "{=1 + wits}d2kh1"', 'dice = "{=wits - 1}d2kh1"')
    assert read_game(text).rolls["flip"].arguments({}, wits=3, trait=1)


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ("keeps = [1, 6]", 'keeps = ["six"]', "No die of this roll shows 'six'.*from 1 to 6"),
        ("faces = [6]", "faces = [6, 7]", "No die of this roll shows 7"),
        ('keep = "sixes"', 'keep = "sixes"\ntargets = ["hand"]', "'cross' has no target"),
    ],
)
def test_lines_without_an_effect_are_mistakes(was, now, sentence):
    text = (EXAMPLES / "pushing" / "game.toml").read_text("utf-8")
    kind = '[[kind]]\nkey = "hand"\ntitle = "Hand"\nmade_by = "player"\n\n[[group]]'
    text = text if "[[kind]]" in text else text.replace("[[group]]", kind, 1)
    assert was in text
    with pytest.raises(BadFile, match=sentence):
        read_game(text.replace(was, now, 1))


def test_texts_may_have_what_other_languages_need():
    about = "Qui va l\u00e0\u202f? \u0645\u06cc\u200c\u0631\u0648\u0645"
    text = COIN.replace("Heads or tails.", about)
    assert read_game(text).about == about


def test_a_kept_table_may_add_names_that_it_does_not_know():
    text = COIN.replace("[[rest]]", WEATHER.replace('["luck_of_all"]', '["wits"]'), 1)
    assert "weather" in read_game(text, kept=True).rolls
    assert "weather" in read_game(COIN.replace("[[rest]]", WEATHER, 1)).rolls


def test_a_title_over_several_lines_becomes_one_line():
    text = COIN.replace('title = "Wits"', 'title = """\nWits\n  at last\u202f!\n"""')
    text = text.replace('name = "The Banker"', 'name = """The\nBanker"""')
    game = read_game(text)
    assert "traits.wits: Wits at last\u202f!" in {f"{one.key}: {one.name}" for one in game.terms}
    assert game.example().entities[1].name == "The Banker"


def test_a_question_may_cite_a_rule_of_the_author():
    rule = '\n[[rule]]\nid = "fate"\ntitle = "Fate"\ntext = "It decides."\n'
    cited = COIN.replace("default = 2", 'default = 2\nrule = "fate"')
    with pytest.raises(BadFile, match="rule names 'fate', but this file has no such rule"):
        read_game(cited)
    assert read_game(cited, kept=True).options[0].field.rule == "coin.option-luck_of_all"
    game = read_game(cited + rule)
    assert game.options[0].field.rule == "coin.fate"
    assert "coin.option-luck_of_all" not in game.rulebook
    asked = COIN.replace("against = 3", f'{ASKED.format("sure")}rule = "fate"\n') + rule
    plain = COIN.replace("against = 3", ASKED.format("sure"))
    for text, cites in ((asked, "coin.fate"), (plain, "coin.roll-flip")):
        assert read_game(text).rolls["flip"].fields[0].rule == cites


def test_a_person_without_an_id_gets_one_from_any_name():
    text = COIN.replace('name = "The Banker"', f'name = "3rd Banker {"of the Bank " * 4}"')
    assert read_game(text).example().entities[1].id == "k_3rd_banker_of_the_bank_of_the_bank_of_"


def test_the_default_of_a_choice_may_be_its_empty_value():
    asked = """[[option]]
key = "judge"
title = "Judge"
kind = "choice"
choices = [["gm", "the GM"], ["", "nobody"]]
default = ""
help = "Who judges."

[[option]]"""
    assert read_game(COIN.replace("[[option]]", asked, 1)).options[0].field.default == ""


def test_a_kept_game_may_have_mistakes_that_were_once_allowed():
    text = COIN.replace('add = ["trait"]', "")
    with pytest.raises(BadFile, match="is not used in the roll 'duel'"):
        read_game(text)
    assert read_game(text, kept=True).rolls.keys() == LANTERNS.rolls.keys()


def test_a_game_completed_in_python_needs_no_dice():
    head, rest = COIN.split("[[roll]]", 1)
    text = head + rest[rest.index("[fight]") : rest.index("[[example]]")]
    with pytest.raises(BadFile, match="This game has no dice"):
        read_game(text)
    assert [move.name for move in read_game(text, whole=False).moves][:2] == ["fight", "order"]
