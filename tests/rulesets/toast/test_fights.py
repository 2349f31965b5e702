"""Fights: initiative, its flubs, kicks and ties, turns, rounds and the end."""

import pytest

from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rulesets.toast import game
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import FLUB, KICK, evening, foe, hero

rule = pytest.mark.rule


def begin(one, *, roll=True, faces=()):
    """Everybody in play fights; then all dice fall, in the order in which they came."""
    one.move(GM, "fight")
    if roll:
        one.move(GM, "initiative_all", "", faces)


def four(**options):
    """Two heroes and two minions with Initiative 5, 2, 0 and 0."""
    one = evening(**options)
    people = (
        hero(one, "ana", "Quick draw", initiative=5, aim=6),
        hero(one, "ben", initiative=2),
        foe(one, name="Guard"),
        foe(one, name="Cook"),
    )
    return one, *people


def order(one):
    return list(one.table.fight["order"])


def turn(one):
    return one.table.fight["turn"]


def status(one, who):
    return one.table.fight["fighters"][who]["status"]


@rule("toast.7-init-roll", "toast.7-init-order")
def test_everybody_rolls_and_the_highest_acts_first():
    one, mara, tam, guard, cook = four()
    begin(one, roll=False)
    one.move("ana", "initiative", mara, (10,))
    assert one.card["sides"][0]["total"] == 15
    assert one.card["sentence"] == "3 still to roll."
    with pytest.raises(RuleRefuses):
        one.move("ana", "initiative", mara, (10,))
    one.move("ben", "initiative", tam, (8,))
    one.move(GM, "initiative_all", "", (9, 3))
    assert order(one) == [mara, tam, guard, cook]
    assert turn(one) == mara
    assert one.card["sentence"] == "In this order: Ana, Ben, Guard and Cook."


@rule("toast.7-init-no-perk")
def test_a_perk_helps_on_initiative_only_where_the_table_says_so():
    one, mara, *_ = four()
    begin(one, roll=False)
    with pytest.raises(BadAnswers):
        one.move("ana", "initiative", mara, (7,), perk="Quick draw")
    one, mara, *_ = four(initiative_perk=True)
    begin(one, roll=False)
    one.move("ana", "initiative", mara, (7,), perk="Quick draw")
    assert one.card["sides"][0]["total"] == 15
    assert one.table.session.notes["uses"] == {mara: {"initiative": 1}}


@rule("toast.7-init-roll")
def test_two_sides_have_two_names():
    one, *_ = four()
    with pytest.raises(BadAnswers, match="Both sides are called Us") as refused:
        one.move(GM, "fight", heroes_name="Us", foes_name="us")
    assert [problem.where for problem in refused.value.problems] == ["foes_name"]
    assert one.table.fight is None


@rule("toast.7-init-tie")
def test_ties_are_rolled_again_among_the_tied():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(3, 6, 8, 1))
    assert one.table.fight["phase"] == "ties"
    ask = one.ask("initiative_tie")
    assert ask.preset["tied"] == [mara, tam, guard]
    one.answer(GM, ask, (4, 9, 12))
    assert order(one) == [guard, tam, mara, cook]
    assert one.asks("initiative_tie") == []
    assert one.card["sentence"] == "By another roll: first Guard, then Ben, then Ana."


@rule("toast.7-init-tie")
def test_two_of_three_who_tie_again_roll_once_more():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(3, 6, 8, 1))
    one.answer(GM, one.ask("initiative_tie"), (4, 7, 12, 2, 9))
    assert order(one) == [guard, tam, mara, cook]
    assert one.card["sentence"] == "By another roll: first Guard, then Ben, then Ana."


@rule("toast.7-init-tie")
def test_the_card_of_a_tie_has_trait_and_total_of_each_roll():
    one, mara, tam, guard, _ = four()
    begin(one, faces=(3, 6, 8, 1))
    one.answer(GM, one.ask("initiative_tie"), (4, FLUB, KICK))
    sides = [(s["name"], s["parts"], s["total"], s["word"]) for s in one.card["sides"]]
    assert sides == [
        ("Guard", [["the kick", 12], ["Initiative", 0]], 12, "kick"),
        ("Ana", [["Initiative", 5]], 9, ""),
        ("Ben", [], None, "flub"),
    ]
    assert one.card["sides"][0]["audience"] == "gm"
    assert order(one)[:3] == [guard, mara, tam]


@rule("toast.7-init-tie")
def test_a_flub_in_a_tie_comes_last_and_still_acts():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(3, 6, 1, 2))
    one.answer(GM, one.ask("initiative_tie"), (FLUB, 1))
    assert order(one) == [tam, mara, cook, guard]
    assert status(one, mara) == "waiting"


@rule("toast.7-init-tie")
def test_the_gm_can_set_the_order_of_equals_by_hand_and_two_ties_are_two_questions():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(3, 6, 2, 2))
    ask = one.ask("initiative_tie")
    one.answer(GM, ask, ruling="hand", place__1=tam)
    second = one.ask("initiative_tie")
    assert second.preset["tied"] == [guard, cook]
    one.answer(GM, second, ruling="hand", place__1=cook)
    assert order(one) == [tam, mara, cook, guard]
    assert one.card["sentence"] == "By the GM's word: first Cook, then Guard."


@rule("toast.7.1-init-flub", "toast.7.1-init-flub-note", "toast.7-round-repeat")
def test_a_flub_costs_the_round_and_the_next_one_is_new():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(FLUB, 5, 3, 2))
    assert status(one, mara) == "idle"
    assert order(one) == [tam, guard, cook]
    assert "Ana flubbed and does not act this round." in one.card["lines"][0]["text"]
    ask = one.ask("twist")
    assert (ask.preset["occasion"], ask.entity) == ("initiative-flub", mara)
    one.answer(GM, ask, text="Her scarf is caught in the door.")
    assert one.table.fight["notes"] == {"1": {mara: "Her scarf is caught in the door."}}
    for who in (tam, guard, cook):
        one.move(GM, "end_turn", who)
    one.answer(GM, one.ask("still_fighting"), answer="on")
    assert one.table.fight["round"] == 2
    assert {status(one, who) for who in (mara, tam, guard, cook)} == {"to roll"}
    one.move(GM, "initiative_all", "", (10, 5, 3, 2))
    assert turn(one) == mara


@rule("toast.7.1-init-flub")
def test_by_option_who_flubbed_can_still_move():
    one, mara, tam, guard, cook = four(initiative_flub_moves=True)
    begin(one, faces=(FLUB, 5, 3, 2))
    assert order(one) == [tam, guard, cook, mara]
    for who in (tam, guard, cook):
        one.move(GM, "end_turn", who)
    one.move("ana", "step", mara, where="behind the bar")
    with pytest.raises(RuleRefuses):
        one.move("ana", "act", mara, what="shoots")


@rule("toast.7.1-init-kick", "toast.7.1-init-kick-note")
def test_a_kick_is_a_twelve_with_the_trait_on_top():
    one, mara, tam, guard, _ = four()
    begin(one, faces=(10, KICK, KICK, 1))
    numbers = {who: f["number"] for who, f in one.table.fight["fighters"].items()}
    assert (numbers[mara], numbers[tam], numbers[guard]) == (15, 14, 12)
    assert order(one)[0] == mara
    assert {ask.preset["occasion"] for ask in one.asks("twist")} == {"initiative-kick"}
    one.answer(GM, one.ask("twist", tam), text="He has seen this play before.")
    assert one.table.fight["notes"] == {"1": {tam: "He has seen this play before."}}


@rule("toast.7-turn-move")
def test_a_short_way_may_follow_the_action_that_ended_the_turn():
    one, mara, tam, guard, _ = four()
    begin(one, faces=(9, 8, 3, 1))
    one.move("ana", "act", mara, what="Throws a ladle")
    assert turn(one) == tam
    assert one.why_not("ana", "step", mara) is None
    assert one.why_not(GM, "step", guard) == "It is not their turn."
    one.move("ana", "step", mara, where="behind the oven")
    assert one.why_not("ana", "step", mara) == "They have already moved this turn."
    one.move("ben", "act", tam, what="Ducks", ends_turn=False)
    assert turn(one) == tam
    one.move("ben", "end_turn", tam)
    one.move(GM, "step", guard)
    assert one.why_not("ben", "step", tam) == "It is not their turn."


@rule("toast.7-turn-move")
def test_one_short_way_a_turn():
    one, mara, *_ = four(move_hint="two squares")
    begin(one, faces=(10, 5, 3, 2))
    move = one.named("step")
    assert move.fields(one.table, one.actor("ana", mara), {})[0].help == "two squares"
    one.move("ana", "step", mara)
    assert one.table.fight["fighters"][mara]["moved"] is True
    with pytest.raises(RuleRefuses):
        one.move("ana", "step", mara)
    assert game.defaults()["move_hint"] == "20 to 30 feet"


@rule("toast.7-turn-action")
def test_one_action_a_turn_and_the_gm_can_allow_another_openly():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(10, 5, 3, 2))
    strike = {"target": guard, "trait": "aim", "ends_turn": False}
    one.roll("ana", "attack", mara, (2, 10), **strike)
    assert turn(one) == mara
    with pytest.raises(RuleRefuses):
        one.propose("ana", "attack", mara, target=cook, trait="aim")
    with pytest.raises(RuleRefuses):
        one.propose("ben", "attack", tam, target=cook, trait="aim")
    one.move(GM, "one_more", mara, why="Two pistols.")
    assert one.card["sentence"] == "By the GM's leave: Two pistols."
    one.roll("ana", "attack", mara, (2, 10), target=cook, trait="aim")
    with pytest.raises(RuleRefuses):
        one.propose("ana", "attack", mara, target=cook, trait="aim")
    with pytest.raises(NotAllowed):
        one.move("ben", "one_more", tam, why="Please.")


@rule("toast.7-turn-action", "toast.7-house-rules")
def test_actions_per_turn_and_house_rules_are_the_tables():
    one, mara, tam, guard, _ = four(actions_per_turn=2, house_rules="Chairs break.")
    begin(one, faces=(10, 5, 3, 2))
    one.roll("ana", "attack", mara, (2, 10), target=guard, trait="aim")
    assert turn(one) == mara
    one.roll("ana", "attack", mara, (2, 10), target=guard, trait="aim")
    assert turn(one) == tam
    assert "Chairs break." in game.fight(one.table).notes
    assert game.defaults()["actions_per_turn"] == 1


@rule("toast.7-round-repeat")
def test_by_option_the_order_is_kept_and_flubs_come_last():
    one, mara, tam, guard, cook = four(initiative_each_round=False)
    begin(one, faces=(FLUB, 5, 3, 2))
    for who in (tam, guard, cook):
        one.move(GM, "end_turn", who)
    one.answer(GM, one.ask("still_fighting"), answer="on")
    assert order(one) == [tam, guard, cook, mara]
    assert one.table.fight["phase"] == "turns"
    one.move(GM, "end_turn", tam)
    one.move(GM, "end_turn", guard)
    one.move(GM, "end_turn", cook)
    one.roll("ana", "attack", mara, (2, 10), target=guard, trait="aim")
    assert one.card["outcome"] == "miss"


@rule("toast.7-end")
def test_the_end_is_asked_after_each_round_proposed_when_a_side_is_down_and_never_forced():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(10, 5, 3, 2))
    one.roll("ana", "attack", mara, (10, 1), target=guard, trait="aim")
    assert one.asks("still_fighting") == []
    one.roll("ben", "attack", tam, (10, 1), target=cook, trait="attack")
    ask = one.ask("still_fighting")
    assert "Nobody of the foes is left standing." in ask.text
    assert ask.skippable
    assert one.table.fight is not None
    one.answer(GM, ask, answer="on")
    assert one.table.fight is not None
    one.move(GM, "end_fight", why="They all sit down.")
    assert one.table.fight is None
    assert one.card["sentence"] == "They all sit down."


@rule("toast.7-end")
def test_somebody_can_leave_and_the_gm_can_end_a_fight_at_any_time():
    one, mara, tam, *_ = four()
    begin(one, faces=(10, 5, 3, 2))
    one.move("ana", "leave", mara, how="Out of the window.")
    assert (status(one, mara), turn(one)) == ("left", tam)
    with pytest.raises(NotAllowed):
        one.move("ben", "end_fight")
    one.move(GM, "end_fight")
    assert one.table.fight is None


@rule("toast.3-list-combat-roles")
def test_a_fight_asks_who_plays_a_trait_that_the_list_has_lost():
    traits = [row for row in game.defaults()["traits"] if row["id"] != "initiative"]
    one = evening(traits=traits)
    mara = hero(one, "ana", athletics=5)
    foe(one, name="Guard")
    with pytest.raises(BadAnswers):
        one.move(GM, "fight")
    one.move(GM, "fight", role_initiative="athletics")
    assert one.table.own["roles"] == {"initiative": "athletics"}
    assert one.card["lines"][0]["text"] == "Initiative is played by Athletics."
    one.move("ana", "initiative", mara, (4,))
    assert one.card["sides"][0]["parts"] == [["Athletics", 5]]
    one.move(GM, "end_fight")
    one.move(GM, "fight")
    assert one.table.own["roles"] == {"initiative": "athletics"}


@rule("toast.3-list-combat-roles")
def test_no_trait_is_an_answer_too_and_the_options_can_say_it_beforehand():
    one = evening(role_initiative="none", role_defense="Athletics")
    mara = hero(one, "ana", initiative=9, athletics=2)
    guard = foe(one, name="Guard", aim=4)
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", (4, 3))
    assert one.card["sides"][0]["parts"] == [["no trait", 0]]
    one.move(GM, "end_turn", mara)
    one.roll(GM, "attack", guard, (4, 5), target=mara, trait="aim")
    assert one.card["sides"][1]["parts"] == [["Athletics", 2]]


def test_somebody_can_join_in_mid_fight():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(10, 5, 3, 2))
    late = foe(one, name="Captain")
    one.move(GM, "join", late)
    assert status(one, late) == "joins"
    for who in (mara, tam, guard, cook):
        one.move(GM, "end_turn", who)
    one.move(GM, "next_round")
    assert status(one, late) == "to roll"


@rule("toast.7-init-order", "toast.7.3-turn-lost")
def test_the_tracker_shows_order_turn_and_who_is_out():
    one, mara, tam, guard, cook = four()
    begin(one, faces=(10, 5, 3, FLUB))
    one.roll("ana", "attack", mara, (10, 1), target=guard, trait="aim")
    view = game.fight(one.table)
    rows = {row.entity: row for row in view.rows}
    assert [row.entity for row in view.rows] == [mara, tam, guard, cook]
    assert (rows[mara].order, rows[mara].done, rows[tam].acting) == ("15", True, True)
    assert rows[guard].out
    assert rows[guard].status == "Down, fate undecided"
    assert (rows[cook].order, rows[cook].status) == ("flub", "no action this round")
    assert view.sentence == "Ben acts."
    one.move("ben", "end_turn", tam)
    assert one.table.fight["phase"] == "end"
