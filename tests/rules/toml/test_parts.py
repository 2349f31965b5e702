"""Parts of a game in a file besides rolls: fights, tables, clocks, playbooks, costs."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import view_for
from kitchentable.dice import load, odds, told
from kitchentable.rules.errors import BadAnswers, RuleRefuses
from kitchentable.rules.folders import read_folder
from kitchentable.rules.library import Playable
from kitchentable.rules.proofs import prove_examples
from kitchentable.rules.toml import BadFile, read_game
from kitchentable.rules.toml.dicework import (
    Bounds,
    Rung,
    gather,
    rung_for,
)
from tests.rules.toml.sample import COIN
from tests.rulesets.driver import GM, open_evening

EXAMPLES = Path(__file__).parents[3] / "examples"
KARMA, TRAIN, HARBOUR, ROOFS, SNOW = (
    read_folder(EXAMPLES / kind) for kind in ("karma", "number", "playbooks", "position", "pushing")
)


WEATHER = """
[[table]]
key = "weather"
title = "Weather"
dice = "1d6"
[[table.row]]
text = "Rain"
"""


def somebody(one, kind, name, owner=GM, playbook="", lists=None, **traits):
    sheet = {"traits": traits, "lists": lists or {}, "texts": {}}
    if playbook:
        sheet["playbook"] = playbook
    made = {"kind": kind, "name": name, "owner": owner, "sheet": sheet}
    return one.do(GM, c.MakeEntity, **made, open=True).data["entity"]


def tracks(one, who):
    return one.entity(who).state["tracks"]


def test_a_tap_of_the_gm_goes_to_each_track_that_puts_out_or_else_to_the_first():
    one = open_evening(ROOFS)
    fitch = somebody(one, "burglar", "Fitch", "ana", climb=2, pick=2, charm=1, command=2)
    watch = somebody(one, "clock", "The watch wakes", segments=6)

    def taps(seat=GM):
        return view_for(one.campaign, ROOFS, seat).harm

    assert taps("ana") == {}
    assert [act.title for act in taps()[watch]] == ["+1 Filled"]
    assert [act.title for act in taps()[fitch]] == ["+1 Stress", "+1 Harm"]
    for at, key in enumerate(("stress", "harm")):
        start = taps()[fitch][at + at].start
        one.do(GM, c.MakeMove, move=start.move, answers=dict(start.answers))
        assert tracks(one, fitch)[key] == 1
    with pytest.raises(BadAnswers, match="Fitch has no track Filled"):
        one.move(GM, "mark", who=fitch, track="filled", more=1, why="A mistake")
    named = ["+1 Stress", "\N{MINUS SIGN}1 Stress", "+1 Harm", "\N{MINUS SIGN}1 Harm"]
    assert [act.title for act in taps()[fitch]] == named


def test_one_box_of_a_track_has_its_own_title():
    one = open_evening(KARMA, ("ada",))
    bolt = somebody(one, "saint", "Bolt", "ada", arms=3, wheels=2)
    seen = view_for(one.campaign, KARMA, GM).harm[bolt]
    assert [act.title for act in seen] == ["+1 Dent"]
    text = (EXAMPLES / "karma" / "game.toml").read_text("utf-8")
    paid = read_game(
        text.replace('key = "workshop"', 'key = "workshop"\nby = "player"\ncosts = { dents = 1 }')
    )
    hurt = open_evening(paid, ("ada",))
    bolt = somebody(hurt, "saint", "Bolt", "ada", arms=3, wheels=2)
    hurt.move(GM, "mark", "", who=bolt, track="dents", more=3, why="a tree")
    assert "costs 1 Dent; Bolt has 0" in str(hurt.why_not("ada", "workshop", bolt))


# ---------------------------------------------------------------- tables


def test_a_table_is_rolled_on_by_anybody_with_what_is_known():
    one = open_evening(TRAIN, ("ada",))
    one.move("ada", "oracle", "", (5,), likely=True)
    assert (one.card["title"], one.card["sentence"]) == ("Ask the conductor", "Yes, and more.")
    one.move(GM, "stop", "", (2, 2))
    assert one.card["sentence"] == "A station that was closed years ago."
    question = TRAIN.move("oracle").question(one.table, one.actor("ada"), {"likely": False})
    assert question.solve()["1"] == Fraction(1, 3)
    train = Playable(TRAIN, {})
    assert train.roll("stop", faces=[6, 6]).outcome == "2"
    assert train.odds("oracle", likely=True)["Yes, and more."] == Fraction(1, 3)
    assert train.odds("oracle", unlikely="yes")["No, and worse."] == Fraction(1, 3)
    assert train.odds("oracle") == train.odds("oracle", likely=True, unlikely=1)
    with pytest.raises(RuleRefuses, match=r"take 'luck'\. It takes: likely, unlikely\.$"):
        train.odds("oracle", luck=1)
    with pytest.raises(RuleRefuses, match=r"take 'luck'\. It takes nothing\.$"):
        Playable(read_game(COIN + WEATHER), {}).odds("weather", luck=1)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((3, 3, None), "must increase"),
        ((3, None, None), "the highest number"),
        ((3, 5), r"column 6: The last row .* remaining numbers. Remove its to"),
    ],
)
def test_rows_that_leave_something_open_are_mistakes(rows, sentence):
    text = f'{COIN}\n[[table]]\nkey = "weather"\ntitle = "Weather"\ndice = "1d6"\n'
    for to in rows:
        text += "[[table.row]]\n" + (f"to = {to}\n" if to else "") + 'text = "Rain"\n'
    with pytest.raises(BadFile, match=sentence):
        read_game(text)


# ---------------------------------------------------------------- results


def test_a_result_may_have_an_upper_bound_an_exact_number_and_counts():
    rungs = (
        Bounds("pair", None, "", None, None, (("alike", 2),)),
        Bounds("exact", None, "", None, 0, ()),
        Bounds("under", None, "", -3, None, ()),
        Rung("rest", None, ""),
    )
    given = [(0, 1), (0, 2), (-2, 1), (-3, 1), (None, 1)]
    found = [rung_for(rungs, margin, "", (("alike", alike),)) for margin, alike in given]
    assert found == ["exact", "pair", "rest", "under", "rest"]


def test_dice_that_fall_again_leave_those_that_stay():
    rolled = SNOW.rolls["cross"]
    arguments = rolled.arguments(SNOW.defaults(), limbs=2, trek=1)
    outcome = load(rolled.mechanic, *arguments, faces=[6, 3, 1]).outcome
    assert (outcome.result, outcome.counts) == (
        "through", (("sixes", 1), ("ones", 0), ("broken", 0)),
    )  # fmt: skip
    assert outcome.lie == ((0, 1), (1, 0), (0, 0))
    assert sum(odds(rolled.mechanic, *arguments).values()) == 1


def test_a_roll_of_a_fight_counts_once_however_long_its_card_waits():
    text = (EXAMPLES / "pushing" / "game.toml").read_text("utf-8")
    fights = text.replace('key = "cross"', 'key = "cross"\nfight = true', 1)
    one = open_evening(read_game(f'{fights}\n[fight]\norder = "1d6"\n'), ("ada",))
    traits = {"limbs": 4, "wits": 2, "heart": 2, "trek": 2, "hunt": 1, "comfort": 1}
    sula, arvo = (somebody(one, "character", name, "ada", **traits) for name in ("Sula", "Arvo"))
    one.move(GM, "fight", heroes=[sula], foes=[arvo])
    one.move(GM, "order", "", (6, 1))
    one.move("ada", "cross", sula, (6, 1, 6, 1, 3, 4, 3, 3, 3))
    (ask,) = one.table.asks.values()
    first = "Answer the card “Sula: Push?” first."
    assert one.why_not("ada", "cross", sula) == one.why_not("ada", "end_turn", sula) == first
    assert one.why_not(GM, "next_round") == first
    one.answer("ada", ask, push=False)
    assert one.table.fight["turn"] == arvo
    assert one.why_not(GM, "next_round") is None


def test_a_fighter_who_is_no_longer_in_play_has_no_turn_and_no_dice():
    one = open_evening(KARMA, ("ada",))
    bolt, cog = (somebody(one, "saint", n, "ada", arms=3, wheels=2) for n in ("Bolt", "Cog"))
    rival = somebody(one, "rival", "Roller", arms=2)
    one.move(GM, "fight", heroes=[bolt, cog], foes=[rival])
    one.move(GM, "order", "", (6, 5, 1))
    one.do(GM, c.ChangeEntity, entity=cog, gone=True)
    one.move("ada", "end_turn", bolt)
    assert one.table.fight["turn"] == rival
    one.move(GM, "next_round")
    one.move(GM, "order", "", (1, 6))
    assert one.table.fight["order"] == [rival, bolt]


def test_throwing_again_is_refused_once_its_price_is_gone():
    text = (EXAMPLES / "pushing" / "game.toml").read_text("utf-8")
    priced = text.replace("keeps = [1, 6]", "keeps = [1, 6]\ncosts = { grit = 1 }")
    one = open_evening(read_game(priced), ("ada",))
    traits = {"limbs": 4, "wits": 2, "heart": 2, "trek": 2, "hunt": 1, "comfort": 1}
    sula = somebody(one, "character", "Sula", "ada", **traits)
    one.move(GM, "mark", who=sula, track="grit", more=1, why="Bread")
    one.move("ada", "cross", sula, (6, 1, 6, 1, 3, 4, 3, 3, 3))
    (ask,) = one.table.asks.values()
    one.move(GM, "mark", who=sula, track="grit", more=-1, why="Gone")
    with pytest.raises(RuleRefuses, match="Push costs 1 Grit; Sula has 0"):
        one.answer("ada", ask, (5, 2, 2, 2, 2), push=True)
    one.answer("ada", ask, push=False)
    assert one.card["outcome"] == "through"


def test_a_target_without_a_trait_has_its_lowest_level_as_in_forecasts():
    kinds = "".join(
        f'[[kind]]\nkey = "{key}"\ntitle = "{key}"\nmade_by = "{maker}"\n\n'
        for key, maker in (("hero", "player"), ("wall", "gm"))
    )
    text = COIN.replace("[[group]]", f"{kinds}[[group]]", 1).replace(
        'points = "2 + luck_of_all"', 'low = 1\nkinds = ["hero"]'
    )
    game = read_game(text)
    one = open_evening(game, ("ada",))
    kit = somebody(one, "hero", "Kit", "ada", nerve=2, wits=2)
    wall = somebody(one, "wall", "The wall")
    question = game.move("duel").question(one.table, one.actor("ada", kit), {"target": wall})
    assert question.arguments == game.rolls["duel"].arguments({}, nerve=2)


def test_a_colour_has_its_name_where_all_dice_before_it_stay():
    one = open_evening(SNOW, ("ada",))
    traits = {"limbs": 4, "wits": 2, "heart": 2, "trek": 2, "hunt": 1, "comfort": 1}
    sula = somebody(one, "character", "Sula", "ada", **traits)
    card = one.roll("ada", "cross", sula, (6, 1, 6, 1, 3, 4, 3, 3, 3))
    assert [side["name"] for side in card["sides"]] == ["Sula", "Sula, white", "Sula, black"]
    (ask,) = one.table.asks.values()
    one.answer("ada", ask, (5, 2, 2, 2, 2), push=True)
    assert [side["name"] for side in one.card["sides"]] == ["Sula, white", "Sula, black"]


def test_equal_faces_are_counted_over_all_pools_also_after_a_push():
    dice = 'dice = "wits + heart"\n'
    text = (EXAMPLES / "pushing" / "game.toml").read_text("utf-8")
    game = read_game(
        text.replace(dice, f'{dice}[[roll.pool]]\nkey = "more"\nsides = 4\ndice = 2\n')
    )
    hand, *rest = game.rolls["omen"].arguments(game.defaults(), wits=2, heart=1)
    fell = list(product(*[range(1, 7)] * 3, *[range(1, 5)] * 2))
    for held in ((), (3, 3)):
        pushed = replace(hand, colours=(replace(hand.colours[0], held=held), hand.colours[1]))
        widest = Counter(max(Counter((*held, *faces)).values()) for faces in fell)
        solved = odds(told(gather, "total"), pushed, *rest)
        assert dict(solved) == {many: Fraction(n, len(fell)) for many, n in widest.items()}


def test_an_example_gives_answers_as_a_player_does():
    text = (EXAMPLES / "position" / "game.toml").read_text("utf-8")
    played = 'with = { trait = 2, push = true, position = "desperate" }'
    game = read_game(text.replace("with = { trait = 2, push = 1 }", played))
    assert [*prove_examples(game)] == []
    assert game.rolls["act"].forced[0].named["position"] == "desperate"
    with pytest.raises(
        BadFile, match=r"push must be a number, true or false, or a text, not 1\.5\."
    ):
        read_game(text.replace("push = 1 }", "push = 1.5 }"))


# ---------------------------------------------------------------- costs and playbooks


def test_a_choice_is_told_in_words_and_counts_in_formulas():
    one = open_evening(ROOFS, ("ada",), gm_confirms="each")
    fitch = somebody(one, "burglar", "Fitch", "ada", climb=2, pick=2, charm=1, command=2)
    gm = {"position": "desperate", "effect": "great"}
    card = one.roll("ada", "act", fitch, (1, 1, 2), trait="climb", push=True, gm=gm)
    lines = [line["text"] for line in card["lines"]]
    assert lines[:3] == ["Position: Desperate.", "Effect: Great.", "Push yourself."]
    assert (card["outcome"], tracks(one, fitch)) == ("bad", {"stress": 2, "harm": 2})


def test_the_library_takes_answers_as_a_player_gives_them():
    act = Playable(ROOFS, ROOFS.defaults())
    pushed = act.odds("act", trait=2, push=True, position="Desperate")
    assert pushed == act.odds("act", trait=3, push=False, position="desperate")
    assert pushed == act.odds("act", trait=2, push=1, position=2)
    with pytest.raises(RuleRefuses, match=r"push: .* must be yes or no, not"):
        act.odds("act", trait=2, push=5)
    with pytest.raises(RuleRefuses, match=r"position: .*It can be: Controlled, Risky, Desperate"):
        act.odds("act", trait=2, position="foo")
    with pytest.raises(RuleRefuses, match=r"position: .*It can be: Controlled, Risky, Desperate"):
        act.odds("act", trait=2, position=3)
    saints = Playable(KARMA, KARMA.defaults())
    with pytest.raises(RuleRefuses, match=r": Karma spent goes from 0 to 3, not 9\.$"):
        saints.odds("help_out", trait=2, against=8, karma_spent=9)


def test_a_move_that_cannot_be_paid_is_refused():
    one = open_evening(KARMA, ("ada",), {"karma_at_first": 1})
    kettle = somebody(one, "saint", "Kettle", "ada", wheels=1, arms=1, lamp=3)
    with pytest.raises(BadAnswers, match="Help out costs 2 Karma; Kettle has 1 to give"):
        one.propose("ada", "help_out", kettle, trait="lamp", karma_spent=2)
    card = one.roll("ada", "help_out", kettle, (1, 1, 1), trait="lamp", karma_spent=1)
    assert (card["outcome"], tracks(one, kettle)["karma"]) == ("done", 0)


def test_a_cost_that_an_answer_makes_is_refused_before_the_gm_is_asked():
    one = open_evening(KARMA, ("ada",), {"karma_at_first": 1}, gm_confirms="each")
    kettle = somebody(one, "saint", "Kettle", "ada", wheels=1, arms=1, lamp=3)
    with pytest.raises(BadAnswers, match="Help out costs 2 Karma; Kettle has 1 to give"):
        one.propose("ada", "help_out", kettle, trait="lamp", karma_spent=2)
    assert not one.campaign.tree["proposals"]
    assert one.propose("ada", "help_out", kettle, trait="lamp", karma_spent=1)


def test_a_move_without_dice_is_made_in_a_fight_and_a_rest_waits_for_its_end():
    one = open_evening(KARMA, ("ada",))
    kettle = somebody(one, "saint", "Kettle", "ada", wheels=1, arms=1, lamp=3)
    one.roll("ada", "help_out", kettle, (1, 1, 1), trait="lamp", karma_spent=1)
    one.move(GM, "fight", heroes=[kettle], foes=[somebody(one, "rival", "Crane")])
    one.move("ada", "mercy", kettle)
    assert tracks(one, kettle)["karma"] == 3
    assert one.why_not(GM, "workshop") == "A fight is in progress; end it first."


def test_a_playbook_opens_its_lists_and_moves():
    one = open_evening(HARBOUR, ("ada", "ben"))
    lists = {"pilot_moves": ["Read the water"]}
    wenna = somebody(one, "hand", "Wenna", "ada", "pilot", lists, salt=0, eyes=2, tongue=-1)
    other = {"pilot_moves": ["Old friends on every quay"]}
    perran = somebody(one, "hand", "Perran", "ben", "pilot", other, salt=0, eyes=2, tongue=-1)
    jory = somebody(one, "hand", "Jory", "ben", "smuggler", salt=1, eyes=-1, tongue=1)
    keys = [part.key for part in HARBOUR.sheet.sections(one.table, one.entity(jory))]
    assert "list-smuggler_moves" in keys
    assert "list-pilot_moves" not in keys
    assert one.why_not("ada", "read_water", wenna) is None
    assert one.why_not("ben", "read_water", jory) == "Only The Pilot can do this."
    assert one.why_not("ben", "read_water", perran) == "Perran has not picked Read the water."
    assert (
        one.why_not("ada", "ask_water", wenna) == "Ask the water costs 1 Hold; Wenna has 0 to give."
    )
    tags = HARBOUR.sheet.summary(one.table, one.entity(wenna)).tags
    assert [tag.text for tag in tags] == ["The Pilot", "Read the water"]
    draft = replace(one.entity(wenna), stage="draft", state={}, sheet={"traits": {}, "lists": {}})
    found = HARBOUR.sheet.check(one.table, draft, "creation")
    assert "Pick a playbook." in [problem.sentence for problem in found]


def test_a_clock_of_the_table_has_its_own_boxes_and_no_hands():
    one = open_evening(HARBOUR, ("ada",))
    ship = somebody(one, "tide", "The ship is searched", segments=6)
    assert tracks(one, ship) == {"filled": 0}
    one.move(GM, "mark", who=ship, track="filled", more=9, why="The bell")
    (track,) = HARBOUR.sheet.summary(one.table, one.entity(ship)).tracks
    assert (track.value, track.of) == (6, 6)
    assert HARBOUR.sheet.summary(one.table, one.entity(ship)).status == "Come to pass"
    assert one.why_not(GM, "dare", ship) == "The ship is searched cannot make this move."


@pytest.mark.parametrize(
    ("targets", "marks", "names"),
    [
        ('targets = ["trouble"]', "harm", 1),
        ("", "harm", 1),
        ("", "filled", 2),
        ('targets = ["trouble", "tide"]', "harm", 2),
    ],
)
def test_a_clock_is_in_no_fight_unless_a_roll_of_a_fight_can_go_at_it(targets, marks, names):
    text = (EXAMPLES / "playbooks" / "game.toml").read_text("utf-8")
    text = text.replace('targets = ["trouble"]', targets)
    text = text.replace("others_marks = { harm = 2 }", f"others_marks = {{ {marks} = 2 }}")
    one = open_evening(read_game(text), ("ada",))
    wenna = somebody(one, "hand", "Wenna", "ada", "pilot", salt=0, eyes=2, tongue=-1)
    foes = [somebody(one, "trouble", "Rat"), somebody(one, "tide", "The ship is searched")]
    one.move(GM, "fight")
    assert [*one.table.fight["fighters"]] == [wenna, *foes[:names]]


def test_growth_can_be_paid_from_a_track():
    one = open_evening(HARBOUR, ("ada",))
    lists = {"pilot_moves": ["Read the water"]}
    wenna = somebody(one, "hand", "Wenna", "ada", "pilot", lists, salt=0, eyes=2, tongue=-1)
    assert one.why_not("ada", "grow", wenna) == "There are no points for growth."
    one.move(GM, "mark", who=wenna, track="lessons", more=5, why="A hard week")
    one.move("ada", "grow", wenna, trait="salt")
    assert one.entity(wenna).sheet["traits"]["salt"] == 1
    assert tracks(one, wenna)["lessons"] == 1


def test_a_blow_has_a_target_and_a_turn_ends_in_a_fight():
    one = open_evening(HARBOUR, ("ada",))
    jory = somebody(one, "hand", "Jory", "ada", "smuggler", salt=1, eyes=-1, tongue=1)
    assert one.why_not("ada", "blow", jory) == "This roll has no possible target."
    for name in ("Guard", "Dog"):
        somebody(one, "trouble", name)
    fields = one.named("blow").fields(one.table, one.actor("ada", jory), {})
    assert next(field for field in fields if field.name == "target").required
    assert one.why_not("ada", "end_turn", jory) == "No fight is on."
    one.move(GM, "fight")
    one.move(GM, "order", "", (6, 1, 1))
    assert one.why_not("ada", "end_turn", jory) is None


@pytest.mark.parametrize(("names", "told"), [(("Guard", "Dog"), ["Target: Dog."]), (("Dog",), [])])
def test_the_log_names_the_target_of_a_blow_wherever_it_could_be_another(names, told):
    one = open_evening(HARBOUR, ("ada",))
    jory = somebody(one, "hand", "Jory", "ada", "smuggler", salt=1, eyes=-1, tongue=1)
    foes = {name: somebody(one, "trouble", name) for name in names}
    one.roll("ada", "blow", jory, (1, 1), target=foes["Dog"])
    lines = [line["text"] for line in one.last.data["card"]["lines"]]
    assert [line for line in lines if line.startswith("Target")] == told


def test_rests_costs_and_marks_reach_only_kinds_that_have_them():
    text = COIN.replace('points = "2 + luck_of_all"\n', "")
    for track in ("Luck", "Harm"):
        text = text.replace(f'title = "{track}"\n', f'title = "{track}"\nkinds = ["character"]\n')
    night = 'marks = { harm = -1 }\nclears = ["luck"]'
    dawn = 'kinds = ["character"]\nmarks = { harm = 1 }\ncosts = { luck = 1 }'
    one = open_evening(read_game(text.replace(night, dawn)), ("ada",))
    kit = somebody(one, "character", "Kit", "ada", nerve=2, wits=0)
    banker = somebody(one, "other", "The Banker", nerve=0, wits=0)
    before = one.entity(banker).state
    one.move(GM, "night")
    assert tracks(one, kit) == {"luck": 1, "harm": 1}
    card = one.roll("ada", "duel", kit, (2, 1), target=banker)
    assert card["outcome"] == "won"
    assert [line["text"] for line in card["lines"]] == []
    assert one.entity(banker).state == before


def test_a_rest_of_the_gm_leaves_out_kinds_that_do_not_have_it():
    text = COIN.replace("days = 1\n", 'days = 1\nkinds = ["character"]\n')
    one = open_evening(read_game(text), ("ada",))
    banker = somebody(one, "other", "The Banker", nerve=0, wits=0)
    one.move(GM, "mark", who=banker, track="harm", more=2, why="A blow")
    one.move(GM, "night")
    assert tracks(one, banker)["harm"] == 2
