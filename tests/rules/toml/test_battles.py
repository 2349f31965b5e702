"""Fights of games in files, against fractions that are worked out person by person."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import view_for
from kitchentable.dice import SeededSource
from kitchentable.fights import forecast, throw
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.folders import read_folder
from kitchentable.rules.library import Playable
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.toml import read_game
from tests.rules.toml.test_parts import somebody
from tests.rulesets.driver import GM, open_evening

EXAMPLES = Path(__file__).parents[3] / "examples"
KARMA, HARBOUR = (read_folder(EXAMPLES / kind) for kind in ("karma", "playbooks"))

#: Oil that is spent, harm that slows, foes that do not answer, two actions, one order for all.
CAVE_FILE = """
[game]
name = "cave"
title = "Cave"
version = "1"
about = "Lamps and claws."
author = "Us"
licence = "CC0"
[[kind]]
key = "hero"
title = "Hero"
made_by = "player"
[[kind]]
key = "beast"
title = "Beast"
[[group]]
key = "self"
title = "Self"
[[group.trait]]
key = "edge"
title = "Edge"
[[track]]
key = "harm"
title = "Harm"
boxes = 2
out = true
[[track]]
key = "oil"
title = "Oil"
kinds = ["hero"]
boxes = 3
starts = "full"
[[track]]
key = "notes"
title = "Notes"
boxes = 9
[[roll]]
key = "strike"
title = "Strike"
kinds = ["hero"]
targets = ["beast"]
dice = "1d6"
uses = "self"
add = ["trait", "0 - harm", "push"]
against = 4
costs = { oil = 1 }
fight = true
[[roll.field]]
key = "push"
title = "Push"
low = 0
high = 3
default = 0
[[roll.band]]
key = "hit"
title = "hit"
at_least = 0
good = true
others_marks = { harm = 1 }
[[roll.band]]
key = "miss"
title = "miss"
marks = { notes = 1 }
[[roll]]
key = "claw"
title = "Claw"
kinds = ["beast"]
targets = ["hero"]
dice = "1d6"
against = 6
fight = true
[[roll.band]]
key = "hit"
title = "hit"
at_least = 0
good = true
others_marks = { harm = 1 }
[[roll.band]]
key = "miss"
title = "miss"
[fight]
order = "1d2"
actions = 2
each_round = false
"""
CAVE = read_game(CAVE_FILE)


def test_one_against_two_comes_to_the_fractions_of_people():
    arms, wheels = (3, 2, 1), (0, 1, 0)
    throws = list(product(range(1, 7), repeat=4))

    @cache
    def beats(mine, theirs):
        sums = [(a + b + mine, d + e + theirs) for a, b, d, e in throws]
        return Fraction(sum(x > y for x, y in sums), sum(x != y for x, y in sums))

    @cache
    def won(left):
        """The first person's chance to win before a round, with this many dents left for each."""
        if not left[0] or not any(left[1:]):
            return Fraction(left[0] > 0)
        numbers = list(product(range(1, 7), repeat=3))
        orders = [
            tuple(sorted(range(3), key=lambda who: (-fell[who] - wheels[who], who)))
            for fell in numbers
        ]
        return sum(turns(order, left) for order in orders) / len(orders)

    @cache
    def turns(order, left):
        if not order or not left[0] or not any(left[1:]):
            return won(left)
        who, rest = order[0], order[1:]
        if not left[who]:
            return turns(rest, left)
        foes = [one for one in ((1, 2) if who == 0 else (0,)) if left[one]]
        foe = min(foes, key=lambda one: (left[one], one))
        hurt = [tuple(n - (at == one) for at, n in enumerate(left)) for one in (foe, who)]
        chance = beats(arms[who], arms[foe])
        return chance * turns(rest, hurt[0]) + (1 - chance) * turns(rest, hurt[1])

    told = Playable(KARMA, KARMA.defaults()).fought(
        "fight", ours="arms=3", theirs="rival arms=2 wheels=1, rival arms=1 dents=1"
    )
    found = forecast(*told)
    assert found.found.how == "fractions"
    assert found.wins["ours"] == won((3, 3, 2))
    assert found.wins["theirs"] == 1 - won((3, 3, 2))


def test_the_page_of_odds_has_the_fight_of_the_example():
    p, q = Fraction(721, 1156), Fraction(435, 1156)
    chance = p**3 * (1 + 3 * q + 6 * q**2)
    told = forecast(
        *Playable(KARMA, KARMA.defaults()).fought("fight", ours="arms=2", theirs="arms=1")
    )
    assert told.wins["ours"] == chance
    page = (EXAMPLES / "karma" / "odds.md").read_text("utf-8")
    assert f"| `fight` | arms=2 | arms=1 | {chance} |" in page


def test_a_fighter_without_a_roll_only_gets_hurt():
    told = forecast(*Playable(HARBOUR, {}).fought("fight", ours="salt=1", theirs="trouble"))
    full, partial, miss = Fraction(10, 36), Fraction(16, 36), Fraction(10, 36)
    chance = {(0, 0): Fraction(1)}
    ours = Fraction(0)
    while chance:
        following = {}
        for (mine, theirs), of_it in chance.items():
            for of, hurt, hurts in ((full, 0, 2), (partial, 1, 1), (miss, 2, 0)):
                state = (min(4, mine + hurt), min(4, theirs + hurts))
                if state[1] == 4 and state[0] < 4:
                    ours += of_it * of
                elif max(state) < 4:
                    following[state] = following.get(state, Fraction(0)) + of_it * of
        chance = following
    assert told.wins["ours"] == ours == 1 - told.wins["nobody"] - told.wins["theirs"]


@cache
def cave(hero, beast, oil, edge, hero_first):
    """The hero's chance to win before a round: two actions each, oil spent, harm in the dice."""

    def strike(chances):
        found = {}
        for (mine, theirs, left), of_it in chances.items():
            acts = bool(left and mine < 2 and theirs < 2)
            hit = Fraction(sum(face + edge - mine >= 4 for face in range(1, 7)), 6) * acts
            for more, of in ((1, hit), (0, 1 - hit)):
                state = (mine, theirs + more, left - acts)
                found[state] = found.get(state, 0) + of_it * of
        return found

    def claw(chances):
        found = {}
        for (mine, theirs, left), of_it in chances.items():
            hit = Fraction(1, 6) if mine < 2 and theirs < 2 else Fraction(0)
            for more, of in ((1, hit), (0, 1 - hit)):
                state = (mine + more, theirs, left)
                found[state] = found.get(state, 0) + of_it * of
        return found

    here = {(hero, beast, oil): Fraction(1)}
    for step in (strike, strike, claw, claw) if hero_first else (claw, claw, strike, strike):
        here = step(here)
    stays = here.pop((hero, beast, oil), Fraction(0))
    won = sum(
        of if state[1] == 2 else 0 if state[0] == 2 else of * cave(*state, edge, hero_first)
        for state, of in here.items()
        if of
    )
    return won / (1 - stays)


def test_costs_harm_and_two_actions_count_as_at_the_table():
    told = forecast(*Playable(CAVE, {}).fought("fight", ours="edge=1", theirs="beast"))
    # Equals act as they are listed, the hero first.
    expected = sum(cave(0, 0, 3, 1, first) for first in (True, True, True, False)) / 4
    assert told.wins["ours"] == expected
    assert [fate.left <= 2 for fate in told.fates] == [True, True]
    pushed = forecast(*Playable(CAVE, {}).fought("fight", ours="edge=0 push=1 oil=3", theirs=""))
    assert pushed.wins == told.wins


def test_a_health_of_several_tracks_is_shown_and_set_by_its_first():
    fought, battle = Playable(CAVE, {}).fought("fight", ours="", theirs="beast harm=1")
    hero, beast = battle.combatants
    _, hurt = Playable(CAVE, {}).fought("fight", ours="harm=1", theirs="")
    assert [fought.left(one.numbers, one.health) for one in (hero, beast)] == [2, 1]
    assert fought.set_left(hero.numbers, hero.health, 1) == hurt.combatants[0].health
    assert fought.set_left(hero.numbers, hero.health, 0) == 0
    more = replace(hero, health=fought.set_left(hero.numbers, hero.health, 3))
    assert fought.left(more.numbers, more.health) == 3
    stronger = forecast(fought, replace(battle, combatants=(more, beast)))
    assert stronger.wins["ours"] > forecast(fought, battle).wins["ours"]


def test_a_mark_on_a_track_of_other_kinds_changes_nothing_in_a_fight():
    text = CAVE_FILE.replace('title = "Harm"\n', 'title = "Harm"\nkinds = ["hero"]\n')
    text = text.replace(
        'dice = "1d6"\nagainst = 6', 'dice = "1d6"\nadd = ["0 - harm"]\nagainst = 6'
    )
    mark = "others_marks = { harm = 1 }\n"
    unmarked = text.replace(mark, "", 1)
    found = [
        forecast(*Playable(read_game(one), {}).fought("fight", ours="edge=9", theirs="beast")).wins
        for one in (text, unmarked)
    ]
    assert found[0] == found[1]


def test_thrown_fights_agree_with_the_solved_one():
    one = Playable(CAVE, {}).fought("fight", ours="2x edge=1", theirs="")
    solved, thrown = forecast(*one), throw(*one, 2000, SeededSource(3))
    assert (solved.found.how, thrown.found.how) == ("floats", "thrown")
    assert thrown.found.undecided == 0
    low, high = thrown.interval("ours")
    assert low < solved.wins["ours"] < high


def test_a_fight_at_the_table_is_forecast_from_its_current_state():
    one = open_evening(KARMA, ("ada",))
    bolt = somebody(one, "saint", "Bolt", "ada", arms=3, wheels=1, lamp=1)
    roller = somebody(one, "rival", "Roller", arms=2)
    fought = KARMA.fights["fight"]
    assert fought.standing(one.table) is None
    one.move(GM, "fight", "", heroes=[bolt], foes=[roller])
    one.move(GM, "mark", "", who=roller, track="dents", more=1, why="a tree")
    here = forecast(fought, fought.standing(one.table))
    named = Playable(KARMA, KARMA.defaults()).fought(
        "fight", ours="arms=3 wheels=1", theirs="rival arms=2 dents=1"
    )
    assert list(here.wins.values()) == list(forecast(*named).wins.values())
    assert fought.standing(view_for(one.campaign, KARMA, "ada").table) is not None
    one.do(GM, c.ChangeEntity, entity=roller, open=False)
    assert fought.standing(view_for(one.campaign, KARMA, "ada").table) is None


def test_somebody_out_by_a_track_that_no_roll_changes_does_not_fight():
    fear = '[[track]]\nkey = "fear"\ntitle = "Fear"\nboxes = 1\nout = true\n[[roll]]'
    fought = read_game(CAVE_FILE.replace("[[roll]]", fear, 1)).fights["fight"]
    tracks = {"harm": 0, "oil": 3, "notes": 0, "fear": 0}
    hero = Entity("hero", "Hero", "hero", "ada", {"traits": {"edge": 1}}, {"tracks": tracks})
    beast = Entity("beast", "Beast", "beast", GM, {}, {"tracks": {"harm": 0}})
    scared = replace(hero, state={"tracks": {**tracks, "fear": 1}})
    for one, fights in ((hero, True), (scared, False)):
        table = Table({}, entities={"hero": one, "beast": beast})
        assert (fought.gather(table, {"we": ["hero"], "they": ["beast"]}) is not None) is fights


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("armz=2", "ours does not take 'armz=2'. Write 3x for three, a number such as arms=1"),
        ("41x", "42 fighters are too many for a forecast; at most 40"),
    ],
)
def test_an_unknown_name_in_a_fight_is_refused(said, sentence):
    with pytest.raises(RuleRefuses, match=sentence.replace(".", r"\.")):
        Playable(KARMA, KARMA.defaults()).fought("fight", ours=said, theirs="")


def test_a_fight_takes_no_answer_that_the_question_refuses():
    cave = Playable(CAVE, CAVE.defaults())
    cave.fought("fight", ours="edge=1 push=3", theirs="beast")
    with pytest.raises(RuleRefuses, match=r"push: Push goes from 0 to 3, not 9\.") as refused:
        cave.fought("fight", ours="edge=1 push=9", theirs="beast")
    assert refused.value.code == "fight/argument"
