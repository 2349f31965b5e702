"""A game in a file at the table: its sheet, its rolls and odds, its fight, its rest and growth."""

from dataclasses import replace
from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.app.conformance import check_game
from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.queries import odds_for
from kitchentable.campaign.read_models import NoOdds, SeenOdds
from kitchentable.campaign.views import view_for
from kitchentable.cli.terminal.telling import tell_field
from kitchentable.dice import SeededSource, odds, told
from kitchentable.dice.errors import BadInput
from kitchentable.rules.errors import BadAnswers, RuleRefuses
from kitchentable.rules.library import Playable
from kitchentable.rules.toml import read_game
from kitchentable.rules.toml.dicework import attempt, result_of
from tests.rules.toml.sample import COIN
from tests.rulesets.driver import GM, open_evening

GAME = read_game(COIN)
# The same without a budget, for tests that want any levels.
FREE = read_game(COIN.replace('points = "2 + luck_of_all"\n', ""))


def evening(game=FREE, confirms="trust", **options):
    one = open_evening(game, ("ada",), options, gm_confirms=confirms)
    one.do(GM, c.BeginSession)
    return one


def somebody(one, name, owner=GM, *, charms=(), hidden=False, shown=True, **traits):
    sheet = {
        "traits": {"nerve": 0, "wits": 0, **traits},
        "lists": {"charms": [{"text": text, "note": ""} for text in charms]},
    }
    kind = "character" if owner != GM else "other"
    made = {"kind": kind, "name": name, "owner": owner, "sheet": sheet, "hidden": hidden}
    return one.do(GM, c.MakeEntity, **made, open=shown).data["entity"]


def marks(one, who, track):
    return one.entity(who).state["tracks"][track]


def test_it_keeps_the_contract_but_for_its_golden_evening():
    found = [one for one in check_game(GAME, SeededSource(5)) if one.fails]
    assert [one.check for one in found] == ["playthrough"]


def test_a_roll_without_dice_has_a_sentence_and_pages_still_work():
    thin = COIN.replace("{=1 + wits}d2kh1", "{=wits}d2kh1").replace(
        'order = "1d6"', 'order = "{=wits}d6"'
    )
    one = evening(read_game(thin.replace('points = "2 + luck_of_all"\n', "")))
    kit, eve = somebody(one, "Kit", "ada"), somebody(one, "Eve", "ada", wits=2)
    seen = view_for(one.campaign, one.game, "ada")
    assert isinstance(odds_for(seen, one.game, "flip", kit, {}), NoOdds)
    assert isinstance(odds_for(seen, one.game, "flip", eve, {}), SeenOdds)
    with pytest.raises(BadAnswers, match=r"no dice to throw: \{=wits\}d2kh1 is 0d2kh1"):
        one.do("ada", c.Propose, move="flip", entity=kit, answers={"trait": "wits"})
    one.move(GM, "fight", heroes=[kit], foes=[eve])
    assert "no dice to throw" in one.why_not(GM, "order")


def test_the_builder_counts_points_and_entries():
    one = evening(GAME)
    kit = one.do("ada", c.MakeEntity, kind="character", name="Kit").data["entity"]
    nerve = GAME.sheet.sections(one.table, one.entity(kit))[0].fields[0]
    assert tell_field(nerve) == "traits.nerve: Nerve; a number from 0 to 3; now 0"
    # A level that is out of bounds is kept all the same, and refused in the game's own words.
    one.do("ada", c.SaveSheet, entity=kit, raw={"traits.nerve": 4, "traits.wits": 1})
    assert one.entity(kit).sheet["traits"]["nerve"] == 4
    with pytest.raises(BadAnswers) as caught:
        one.do("ada", c.SubmitSheet, entity=kit)
    assert [problem.sentence for problem in caught.value.problems] == [
        "Nerve goes from 0 to 3, not 4.",
        "Self: 1 point more than there are.",
    ]
    charms = {"lists.charms": [{"text": "A penny"}, {"text": "A key"}]}
    one.do("ada", c.SaveSheet, entity=kit, raw={"traits.nerve": 2, **charms})
    with pytest.raises(BadAnswers, match=r"1 point left to spend\. Charms: 1 at most, not 2"):
        one.do("ada", c.SubmitSheet, entity=kit)
    budgets = [s.budget for s in GAME.sheet.sections(one.table, one.entity(kit)) if s.budget]
    assert [(b.label, b.spent, b.of) for b in budgets] == [("Self", 3, 4), ("Charms", 2, 1)]


def test_an_option_changes_points_and_boxes():
    one = evening(luck_of_all=4)
    kit = somebody(one, "Kit", "ada", nerve=3, wits=3)
    assert GAME.sheet.summary(one.table, one.entity(kit)).tracks[0].words == "4 of 4 left"


def test_options_changed_during_a_campaign_are_shown_and_undone():
    one = evening(GAME)
    kit = somebody(one, "Kit", "ada", nerve=2, wits=2)
    somebody(one, "Shade", hidden=True)
    before = one.entity(kit), one.table.options
    event = one.do(GM, c.SetOptions, options={"luck_of_all": 1})
    assert {ask.id for ask in one.asks()} == {"refit", "points_fit"}
    assert marks(one, kit, "luck") == 2
    one.answer(GM, one.ask("refit"), tracks__beyond__luck="fit")
    assert marks(one, kit, "luck") == 1
    assert "Shade" not in repr(entry_for(one.campaign, one.last, "ada"))
    one.do(GM, c.Undo, number=one.last.number)
    one.do(GM, c.Undo, number=event.number)
    assert (one.entity(kit), one.table.options) == before
    assert one.asks() == []


def test_odds_are_exact_and_follow_trait_entry_and_level():
    coin = Playable(GAME, GAME.defaults())
    # One die of two faces, 3 wanted: with nothing added it cannot be done.
    assert coin.odds("flip", trait=0).chance(lambda one: one.result == "heads") == 0
    assert coin.odds("flip", trait=1).chance(lambda one: one.result == "heads") == Fraction(1, 2)
    # Wits 2 keeps the best of three: 1 - 1/8.
    assert coin.odds("flip", trait=1, wits=2).chance(lambda one: one.result == "heads") == (
        Fraction(7, 8)
    )
    assert coin.odds("flip", trait=0, bonus=2).chance(lambda one: one.result == "heads") == 1
    assert coin.roll("flip", trait=1, faces=[2]).outcome.result == "heads"
    # Moon is a third; of the other nine pairs ours wins more than theirs, ties are theirs.
    duel = coin.odds("duel")
    assert duel.chance(lambda one: one.result == "moonlit") == Fraction(1, 3)
    assert duel.chance(lambda one: one.result == "won") == Fraction(1, 9)
    assert duel.chance(lambda one: one.result == "lost") == Fraction(5, 9)
    with pytest.raises(RuleRefuses, match="does not take 'nerv'"):
        coin.odds("flip", nerv=1)
    with pytest.raises(RuleRefuses, match="whole number"):
        coin.odds("flip", trait="a lot")
    with pytest.raises(RuleRefuses, match=r"needs trait=, the level of one of these: Nerve, Wits"):
        coin.odds("flip", wits=2)


def test_a_roll_takes_the_numbers_that_it_uses():
    coin = Playable(GAME, GAME.defaults())
    takes = {name: GAME.rolls[name].help.partition(" and any")[0] for name in ("flip", "duel")}
    assert takes["flip"] == "Flip: takes trait=, bonus=, modifier=, against="
    assert takes["duel"] == "Duel: takes trait=, other_trait="
    for roll, name in (("flip", "other_trait"), ("duel", "modifier"), ("duel", "against")):
        with pytest.raises(RuleRefuses, match=f"does not take '{name}'"):
            coin.odds(roll, trait=1, **{name: 1})


def test_the_other_side_of_an_opposed_roll_has_its_lowest_level_unless_told():
    game = read_game(COIN.replace("high = 3", "low = 1\nhigh = 3"))
    coin = Playable(game, game.defaults())
    assert coin.odds("duel", nerve=2) == coin.odds("duel", nerve=2, other_trait=1)


def test_the_gm_is_asked_for_a_modifier_where_the_roll_uses_it():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=1)
    somebody(one, "Eve")

    def asked(move):
        fields = GAME.move(move).fields(one.table, one.actor("ada", kit), {})
        return {field.name for field in fields if field.set_by == "gm"}

    assert (asked("flip"), asked("duel")) == ({"modifier"}, set())


def test_a_roll_costs_marks_and_tells():
    one = evening(confirms="each")
    kit = somebody(one, "Kit", "ada", nerve=1, wits=1, charms=["A bent penny"])
    card = one.roll("ada", "flip", kit, (1, 2), trait="nerve", what="Call it")
    assert (card["outcome"], card["title"]) == ("heads", "Flip: Nerve")
    assert card["sides"][0]["parts"] == [["Nerve", 1]]
    assert marks(one, kit, "luck") == 1
    card = one.roll("ada", "flip", kit, (1, 1), trait="wits", gm={"modifier": -2})
    assert card["outcome"] == "tails"
    # 1 + 1 - 2 = 0, three below: 1 - (-3 // 2) = 3 of 3 boxes.
    assert marks(one, kit, "harm") == 3
    assert "Kit is beaten." in [line["text"] for line in card["lines"]]
    assert one.why_not("ada", "flip", kit) == "Kit cannot act at the moment."


def test_costs_that_cannot_be_paid_are_refused_before_the_throw():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=2, wits=2)
    for _ in range(2):
        one.roll("ada", "flip", kit, (2, 2, 2), trait="nerve")
    with pytest.raises(RuleRefuses, match="costs 1 Luck; Kit has 0 to give"):
        one.propose("ada", "flip", kit, trait="nerve")


def test_costs_that_cannot_be_paid_are_refused_before_the_gm_is_asked():
    one = evening(confirms="each")
    kit = somebody(one, "Kit", "ada", nerve=2, wits=2)
    assert one.propose("ada", "flip", kit, trait="nerve")
    one.move(GM, "mark", who=kit, track="luck", more=-2, why="Rain")
    with pytest.raises(RuleRefuses, match="Flip costs 1 Luck; Kit has 0 to give"):
        one.propose("ada", "flip", kit, trait="nerve")


def test_an_entry_adds_its_bonus_and_the_gm_can_only_strike_it():
    one = evening()
    kit = somebody(one, "Kit", "ada", charms=["A bent penny"])
    card = one.roll("ada", "flip", kit, (1,), trait="nerve", entry="A bent penny")
    assert card["title"] == "Flip: Nerve, with A bent penny"
    assert card["sides"][0]["parts"] == [["bonus", 2]]
    assert card["outcome"] == "heads"


def test_hidden_numbers_reach_no_player():
    one = evening(confirms="each")
    kit = somebody(one, "Kit", "ada", nerve=2)
    one.roll("ada", "flip", kit, (1,), trait="nerve", gm={"modifier": 1}, hidden=("modifier",))
    assert one.card["outcome"] == "heads"
    told = {seat: repr(entry_for(one.campaign, one.last, seat)) for seat in ("ada", GM)}
    assert "With the hidden modifier +1: 4." in told[GM]
    assert "modifier" not in told["ada"]
    assert "total=4" not in told["ada"]
    assert "name='Nerve', value=2" in told["ada"]


def test_a_closed_one_shows_no_numbers_and_has_no_odds():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=2)
    banker = somebody(one, "The Banker", shown=False, wits=2)
    seen = conceal(one.campaign, GAME, one.table.seats["ada"])
    assert seen.entities[banker].sheet == {"closed": True, "condition": ""}
    assert GAME.sheet.summary(seen, seen.entities[banker]).numbers == ()
    answers = {"target": banker}
    asking = GAME.move("duel").question
    assert asking(seen, one.actor("ada", kit), answers) is None
    question = asking(one.table, one.actor("ada", kit), answers)
    assert sum(odds(question.mechanic, *question.arguments).values()) == 1
    assert question.closed == ("other",)


def test_the_library_says_why_a_roll_has_no_dice():
    thin = read_game(COIN.replace("{=1 + wits}d2kh1", "{=wits}d2kh1"))
    with pytest.raises(RuleRefuses, match=r"no dice to throw: \{=wits\}d2kh1 is 0d2kh1 here"):
        Playable(thin, thin.defaults()).odds("flip", trait=1, wits=0)


def test_a_question_named_after_somebody_hidden_is_in_no_players_log():
    free = COIN.replace('points = "2 + luck_of_all"\n', "")
    duel = free.replace('add = ["trait"]\nfight = true', 'add = ["trait", "modifier"]')
    one = evening(read_game(duel))
    ash, shade = somebody(one, "Ash", wits=1), somebody(one, "Shade", hidden=True)
    one.propose(GM, "duel", ash, target=shade, other_modifier=1)
    entries = {seat: repr(entry_for(one.campaign, one.last, seat)) for seat in (GM, "ada")}
    assert "Modifier of Shade" in entries[GM]
    assert "Shade" not in entries["ada"]


def test_a_fight_goes_round_by_round():
    one = evening()
    kit, ash = somebody(one, "Kit", "ada", nerve=1, wits=2), somebody(one, "Ash", wits=1)
    shade = somebody(one, "Shade", hidden=True, wits=5)
    one.move(GM, "fight", heroes=[kit], foes=[ash, shade])
    assert one.why_not("ada", "duel", kit) == "The turn order has not been rolled yet."
    one.move(GM, "order", "", (2, 2, 1))
    assert one.table.fight["order"] == [shade, kit, ash]
    told = entry_for(one.campaign, one.last, "ada")
    assert "Shade" not in repr(told)
    assert GAME.fight(conceal(one.campaign, GAME, one.table.seats["ada"])).sentence == (
        "The GM acts."
    )
    one.move(GM, "end_turn", shade)
    assert one.why_not(GM, "duel", ash) == "It is not their turn."
    one.roll("ada", "duel", kit, ("moon", 1), target=ash)
    assert marks(one, ash, "harm") == 2
    assert one.table.fight["fighters"][ash]["status"] == "out"
    assert one.table.fight["phase"] == "end"
    one.move(GM, "next_round")
    assert (one.table.fight["round"], one.table.fight["turn"]) == (2, shade)
    with pytest.raises(BadInput, match="The turn order is already settled"):
        one.move(GM, "order", "", (1, 1))
    one.move(GM, "end_fight")
    assert one.table.fight is None


def test_a_fighter_who_is_out_has_no_turn_until_healed():
    one = evening()
    kit, ash = somebody(one, "Kit", "ada", nerve=1), somebody(one, "Ash")
    bea = somebody(one, "Bea")
    one.move(GM, "fight", heroes=[kit], foes=[ash, bea])
    one.move(GM, "mark", who=bea, track="harm", more=2, why="A fall")
    one.move(GM, "order", "", (3, 2))
    one.move(GM, "mark", who=ash, track="harm", more=2, why="A fall")
    one.move("ada", "end_turn", kit)
    assert (one.table.fight["turn"], one.table.fight["phase"]) == ("", "end")
    one.move(GM, "mark", who=ash, track="harm", more=-1, why="Better")
    one.move(GM, "next_round")
    assert one.table.fight["turn"] == kit
    one.move(GM, "mark", who=kit, track="harm", more=9, why="A fall")
    assert one.table.fight["turn"] == ash


def test_a_fighter_healed_before_the_order_is_thrown_is_in_it():
    one = evening()
    kit, ash = somebody(one, "Kit", "ada", nerve=1), somebody(one, "Ash")
    one.move(GM, "mark", who=ash, track="harm", more=2, why="A fall")
    one.move(GM, "fight", heroes=[kit], foes=[ash])
    one.move(GM, "mark", who=ash, track="harm", more=-1, why="Better")
    one.move(GM, "order", "", (1, 2))
    assert one.table.fight["order"] == [ash, kit]


def test_rest_mends_clears_and_counts_days():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=1, wits=1)
    one.move(GM, "mark", who=kit, track="harm", more=2, why="A fall")
    one.roll("ada", "flip", kit, (2, 2), trait="nerve")
    one.move(GM, "night")
    assert (marks(one, kit, "harm"), marks(one, kit, "luck"), one.table.day) == (1, 2, 1)


def test_a_mark_by_hand_tells_who_is_at_the_end_of_a_track():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=1)
    one.move(GM, "mark", who=kit, track="harm", more=3, why="A fall")
    assert [line["text"] for line in one.card["lines"]] == ["Kit, Harm: 3 of 3.", "Kit is beaten."]


def test_growth_is_paid_for():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=1)
    assert one.why_not("ada", "grow", kit) == "There are no points for growth."
    one.do(GM, c.CloseSession)
    one.do(GM, c.EndSession)
    assert one.entity(kit).state["points"] == 2
    one.move("ada", "grow", kit, trait="nerve")
    assert one.entity(kit).sheet["traits"]["nerve"] == 2
    assert one.entity(kit).state["points"] == 0


def test_a_player_raises_no_level_by_hand():
    one = evening()
    kit = somebody(one, "Kit", "ada", nerve=1)
    with pytest.raises(BadInput, match="ask the GM to send the sheet back"):
        one.do("ada", c.SaveSheet, entity=kit, raw={"traits.nerve": 3})
    before = one.entity(kit)
    after = replace(before, sheet={**before.sheet, "traits": {"nerve": 3, "wits": 0}})
    (problem,) = GAME.sheet.amend(one.table, one.actor("ada", kit), before, after)
    assert problem.sentence == "Nerve can only be changed by growth, or by the GM."
    one.do(GM, c.SaveSheet, entity=kit, raw={"traits.nerve": 3})
    assert one.entity(kit).sheet["traits"]["nerve"] == 3


def test_a_story_is_asked_for_and_logged():
    text = COIN.replace('points = "2 + luck_of_all"\n', "").replace(
        'key = "tails"\n', 'key = "tails"\nasks = "What breaks?"\n'
    )
    game = read_game(text)
    one = open_evening(game, ("ada",))
    kit = somebody(one, "Kit", "ada")
    one.roll("ada", "flip", kit, (1,), trait="nerve")
    ask = one.ask("story")
    assert (ask.text, ask.to) == ("What breaks?", (GM[:2], f"owner:{kit}"))
    one.answer("ada", ask, text="My heart")
    assert one.card["sentence"] == "My heart"
    assert not one.asks()


def test_examples_with_forced_dice_are_run():
    wrong = read_game(COIN.replace('gives = "heads"', 'gives = "tails"'))
    found = [one for one in check_game(wrong, SeededSource(5)) if one.check == "examples"]
    assert [one.sentence for one in found] == ["The result is heads, not tails."]


def test_an_impossible_result_is_reported():
    without_example = COIN.partition("[[example]]")[0]
    game = read_game(without_example.replace("against = 3", "against = 40"))
    found = [one for one in check_game(game, SeededSource(5)) if one.check == "odds"]
    assert [(one.where, one.sentence) for one in found] == [
        ("flip", "'heads' can never happen, for all characters of the example."),
        ("flip", "'tails' always happens, for all characters of the example."),
    ]
    assert not any(one.fails for one in found)


def test_the_rulebook_has_an_entry_for_everything():
    ids = set(GAME.rulebook.rules)
    assert {
        "coin.group-self",
        "coin.roll-flip",
        "coin.track-luck",
        "coin.option-luck_of_all",
    } <= ids
    assert "2 d6" not in GAME.rulebook["coin.fight-order"].text
    assert "the highest first, once for the whole fight" in GAME.rulebook["coin.fight-order"].text


def test_the_shipped_one_is_a_game_like_any_other():
    assert "lanterns" in kt.games()
    lanterns = kt.game("lanterns")
    assert lanterns.roll("light", lamp=0, faces=["flame"]).outcome.result == "flare"
    # Two dice, the higher at least 4: 1 - (3/6)^2.
    done = lanterns.odds("try", trait=1, against=4).chance(lambda one: one.margin >= 0)
    assert done == Fraction(3, 4)
    rolled = lanterns.game.rolls["song"]
    asleep = odds(told(attempt, result_of), *rolled.arguments(lanterns.options, voice=0))
    assert asleep["asleep"] == Fraction(1, 6)


def test_what_is_taken_off_has_its_title_and_one_sign():
    one = evening(read_game(COIN.replace('"trait", "bonus"', '"0 - trait", "bonus"')))
    kit = somebody(one, "Kit", "ada", nerve=2, wits=2)
    card = one.roll("ada", "flip", kit, (1, 2, 2), trait="nerve")
    assert card["sides"][0]["parts"] == [["Nerve", -2]]


def test_a_card_has_the_summands_as_they_were_when_the_dice_fell():
    one = evening(read_game(COIN.replace('"bonus", "modifier"', '"bonus", "luck"')))
    kit = somebody(one, "Kit", "ada", nerve=2, wits=2)
    side = one.roll("ada", "flip", kit, (1, 2, 2), trait="nerve")["sides"][0]
    assert (side["parts"], side["total"]) == ([["Nerve", 2], ["Luck", 2]], 6)
    assert marks(one, kit, "luck") == 1
