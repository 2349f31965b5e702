"""Tasks and contests in the middle of a fight: an action like any other, or a trifle."""

import pytest

from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import (
    act,
    begin,
    evening,
    fight,
    fighter,
    left,
    pair,
    strike,
    turn,
)
from tests.rulesets.toaster.people import hero

rule = pytest.mark.rule


def duel(one):
    """Ana's character and a foe, who act in this order, with two actions each."""
    mine, theirs = pair(one)
    begin(one, 10, 2)
    assert turn(one) == mine
    return mine, theirs


def climb(one, who, faces=(6,), seat="ana", **gm):
    return one.roll(seat, "task", who, faces, gm=gm, on="attribute:physique")


@rule("toaster.4.actions-two", "toaster.4.actions-count")
def test_a_task_is_one_of_the_two_actions_and_the_turn_goes_on():
    one = evening()
    mine, theirs = duel(one)
    card = climb(one, mine)
    assert (
        card["lines"][-1]["text"]
        == "It counts as an action in the fight; 1 action left this round."
    )
    assert "toaster.4.actions-count" in card["rules"]
    assert (left(one, mine), left(one, theirs), turn(one)) == (1, 2, theirs)
    act(one, GM, theirs)
    card = climb(one, mine)
    assert card["lines"][-1]["text"].endswith("none left this round.")
    assert (left(one, mine), turn(one)) == (0, theirs)


@rule("toaster.4.actions-two")
def test_a_third_is_refused_without_the_gms_word():
    one = evening()
    mine, theirs = duel(one)
    strike(one, mine, theirs, (1, 9))
    with pytest.raises(BadAnswers, match=r"'s turn\. The GM can choose that it costs nothing"):
        climb(one, mine)
    act(one, GM, theirs)
    climb(one, mine)
    act(one, GM, theirs)
    with pytest.raises(BadAnswers, match="used up the actions of this round") as refused:
        climb(one, mine)
    assert refused.value.problems[0].where == "counts"
    one.move(GM, "one_more", mine, why="It is so close.")
    climb(one, mine)
    assert left(one, mine) == 0
    with pytest.raises(BadAnswers):
        climb(one, mine)


@rule("toaster.4.actions-count", "toaster.4.actions-free")
def test_the_gm_calls_a_roll_a_trifle():
    one = evening()
    mine, theirs = duel(one)
    before = fight(one)
    card = climb(one, mine, counts="free")
    assert not any("counts as an action" in line["text"] for line in card["lines"])
    assert fight(one) == before
    act(one, "ana", mine)
    climb(one, mine, counts="free")
    assert (left(one, mine), turn(one)) == (1, theirs)


@rule("toaster.4.actions-count")
def test_what_the_gm_throws_out_of_turn_is_a_trifle_by_itself():
    one = evening()
    mine, theirs = duel(one)
    one.move(GM, "task", theirs, (6,), on="attribute:physique")
    assert (left(one, theirs), turn(one)) == (2, mine)
    act(one, "ana", mine)
    one.move(GM, "task", theirs, (6,), on="attribute:physique")
    assert (left(one, theirs), turn(one)) == (1, mine)


@rule("toaster.4.actions-two", "toaster.3.opposed-rolls")
def test_a_contest_costs_whoever_begins_it_and_nobody_else():
    one = evening()
    mine, theirs = duel(one)
    gm = {"other_on": "attribute:physique"}
    one.roll("ana", "contest", mine, (6, 3), gm=gm, other=theirs, on="attribute:physique")
    assert (left(one, mine), left(one, theirs), turn(one)) == (1, 2, theirs)


@rule("toaster.4.range-reduction", "toaster.4.stance-timing")
def test_an_aim_is_lost_by_it_and_a_stance_runs_down():
    one = evening(stance=True)
    mine, theirs = duel(one)
    one.roll("ana", "all_out", mine, (), kind="defence")
    assert one.entity(mine).state["stance"]
    climb(one, mine)
    act(one, GM, theirs)
    climb(one, mine)
    assert one.entity(mine).state["stance"]["left"] == 0
    one.move(GM, "one_more", mine, why="To aim.")
    one.move("ana", "aim", mine)
    assert one.entity(mine).state["aim"] == 1
    one.move(GM, "one_more", mine, why="And yet.")
    climb(one, mine)
    assert one.entity(mine).state["aim"] == 0


@rule("toaster.4.actions-count")
def test_outside_the_fight_nobody_is_asked():
    one = evening()
    mine, _ = duel(one)
    ben = hero(one, "ben", fighter(sword=5))
    names = {
        who: {f.name for f in one.named("task").fields(one.table, one.actor(seat, who), {})}
        for who, seat in ((mine, "ana"), (ben, "ben"))
    }
    assert "counts" in names[mine]
    assert "counts" not in names[ben]
    climb(one, ben, seat="ben")
    assert turn(one) == mine


@rule("toaster.4.actions-two")
def test_a_long_action_leaves_no_time_for_it():
    one = evening()
    mine, _ = duel(one)
    one.roll("ana", "long_action", mine, (), gm={"rounds": 3}, what="The lock")
    with pytest.raises(BadAnswers, match="is busy: The lock"):
        climb(one, mine)
    climb(one, mine, counts="free")


@rule("toaster.4.actions-count")
def test_a_player_cannot_settle_what_it_counts():
    one = evening()
    mine, _ = duel(one)
    with pytest.raises(NotAllowed):
        one.propose("ana", "task", mine, on="attribute:physique", counts="free")


@rule("toaster.4.actions-movement")
def test_a_movement_that_takes_dice_leaves_its_action_for_after_all_first_ones():
    one = evening()
    mine, theirs = duel(one)
    card = climb(one, mine, counts="moves")
    assert card["lines"][-1]["text"].startswith("It counts as a movement")
    assert card["rules"][-1] == "toaster.4.actions-movement"
    assert (left(one, mine), turn(one)) == (1, theirs)
    act(one, GM, theirs)
    assert turn(one) == mine
    strike(one, mine, theirs, (1, 9))
    assert (left(one, mine), turn(one)) == (0, theirs)
    assert climb(one, theirs, seat=GM)["lines"][-1]["text"].endswith("none left this round.")
