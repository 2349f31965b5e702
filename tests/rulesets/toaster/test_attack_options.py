"""Attacks at the table: effects on the next attack, and the options for damage."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers, OptionsExclude
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import (
    ZERO,
    act,
    begin,
    choices,
    evening,
    field,
    fight,
    fighter,
    pair,
    parts,
    side,
    strike,
    total,
)

rule = pytest.mark.rule


def wounds(one, who):
    return sum(row["n"] for row in one.entity(who).state["wounds"])


# ---------------------------------------------------------------- what is left over


@rule("toaster.4.attack-fumble", "toaster.4.attack-fumble-penalty")
def test_a_fumble_misses_and_may_cost_the_next_roll():
    one = evening(rolling_zeros=True)
    mine, theirs = pair(one, fighter(sword=2))
    card = strike(one, mine, theirs, (ZERO, 1))
    assert card["outcome"] == "fumble"
    assert len(card["sides"]) == 1
    one.answer(GM, one.ask("fumble"), attack=2, defence=1, what="The blade slips.")
    card = strike(one, mine, theirs, (8, 9))
    assert (parts(card, "attack")["after the fumble"], total(card, "attack")) == (-2, 8)
    assert "after the fumble" not in parts(strike(one, mine, theirs, (8, 9)), "attack")
    card = one.roll(GM, "attack", theirs, (9, 9, 0, 9), target=mine, arm="bare-fist")
    assert side(card, "defence")["parts"][-1] == ["after the fumble", -1]


@rule("toaster.4.attack-fumble-penalty")
def test_each_of_two_fumbles_has_its_own_card():
    one = evening(rolling_zeros=True)
    mine, theirs = pair(one, fighter(sword=2))
    for _ in range(2):
        strike(one, mine, theirs, (ZERO, 1))
    for less, ask in zip((2, 3), one.asks("fumble"), strict=True):
        one.answer(GM, ask, attack=less)
    assert total(strike(one, mine, theirs, (9, 9)), "attack") == 2 + 9 - 2 - 3


@rule("toaster.4.attack-fumble-target")
def test_by_distance_a_fumble_is_measured_at_the_gate():
    one = evening(variable_outcomes=True)
    mine, theirs = pair(one, fighter(sword=2), fighter(weapons=(), dodge=8))
    assert strike(one, mine, theirs, (ZERO,))["outcome"] == "fumble"
    assert strike(one, mine, theirs, (1,))["outcome"] == "miss"


@rule("toaster.4.stance-switch", "toaster.4.stance-1-2")
def test_a_trade_is_paid_back_on_the_next_roll_of_the_other_kind():
    off = evening()
    mine, theirs = pair(off)
    assert field(off, "stance", mine, theirs) is None
    one = evening(stance=True)
    mine, theirs = pair(one)
    assert choices(one, "stance", mine, theirs) == ["0", "1", "2"]
    with pytest.raises(BadAnswers):
        one.propose("ana", "attack", mine, target=theirs, stance="3")
    assert total(strike(one, mine, theirs, (5, 9), stance="2"), "attack") == 13
    for expected in (-2, 0):
        card = one.roll(GM, "attack", theirs, (9, 9), target=mine, arm="bare-fist")
        assert parts(card, "defence").get("offensive stance", 0) == expected
    card = one.roll(
        GM,
        "attack",
        theirs,
        (9, 4),
        target=mine,
        arm="bare-fist",
        theirs={"defence_stance": "1"},
    )
    assert parts(card, "defence")["defensive stance"] == 1
    assert parts(strike(one, mine, theirs, (5, 9)), "attack")["defensive stance"] == -1


@rule("toaster.4.stance-3", "toaster.4.stance-timing")
def test_all_out_lasts_for_two_own_actions():
    one = evening(stance=True)
    mine, theirs = pair(one)
    one.roll("ana", "all_out", mine, (), kind="defence")
    assert "given up attacking" in one.why_not("ana", "attack", mine)
    card = one.roll(GM, "attack", theirs, (9, 4), target=mine, arm="bare-fist")
    assert parts(card, "defence")["all-out defense"] == 3
    one.move("ana", "aim", mine)
    assert one.why_not("ana", "attack", mine) is None
    one.roll("ana", "all_out", mine, (), kind="attack")
    for expected in (3, 3, 0):
        assert (
            parts(strike(one, mine, theirs, (5, 9)), "attack").get("all-out attack", 0) == expected
        )


@rule("toaster.4.stance-1-2", "toaster.4.stance-3")
@pytest.mark.parametrize(("kind", "asked"), [("attack", "stance"), ("defence", "defence_stance")])
def test_nothing_is_traded_beside_an_all_out_stance(kind, asked):
    """All that could be traded is given up already: +3, not +5."""
    one = evening(stance=True)
    mine, theirs = pair(one)
    one.roll("ana", "all_out", mine, (), kind=kind)
    seat, *both = ("ana", mine, theirs) if kind == "attack" else (GM, theirs, mine)
    with pytest.raises(BadAnswers, match="already in an all-out stance"):
        strike(one, *both, (9, 1), seat=seat, **{asked: "2"})


@rule("toaster.4.stance-timing")
def test_actions_that_are_forgone_count_against_an_all_out_stance():
    one = evening(stance=True)
    mine, theirs = pair(one)
    begin(one, 10, 1)
    one.roll("ana", "all_out", mine, (), kind="defence")
    one.move("ana", "wait", mine)
    act(one, GM, theirs)
    assert one.entity(mine).state["stance"]["left"] == 2
    one.move("ana", "wait", mine)
    act(one, GM, theirs)
    assert one.entity(mine).state["stance"]["left"] == 1
    one.move(GM, "next_round")
    assert one.entity(mine).state["stance"]["left"] == 0
    one.move(GM, "initiative_all", "", (10, 1))
    assert one.why_not("ana", "attack", mine) is None


@rule("toaster.4.range-reduction", "toaster.4.stance-timing")
def test_aiming_counts_as_the_actions_that_it_takes():
    one = evening(stance=True)
    mine, _ = pair(one)
    begin(one, 10, 1)
    act(one, "ana", mine)
    act(one, GM, fight(one)["turn"])
    one.roll("ana", "all_out", mine, (), kind="defence")
    one.move("ana", "aim", mine)
    assert one.entity(mine).state["stance"]["left"] == 1


@rule("toaster.4.stance-3")
def test_who_gives_up_defending_is_only_guarded_by_their_rank():
    one = evening(stance=True)
    mine, theirs = pair(one)
    one.roll("ana", "all_out", mine, (), kind="attack")
    card = one.roll(GM, "attack", theirs, (9, 1, 9), target=mine, arm="bare-fist")
    assert [each["label"] for each in card["sides"]] == ["attack", "damage", "protection"]


# ---------------------------------------------------------------- options for damage


@rule("toaster.4.damage-roll-critical")
@pytest.mark.parametrize(("bonus", "stun"), [(4, 8), (0, 4)])
def test_the_gm_says_after_the_dice_whether_a_critical_does_more(bonus, stun):
    one = evening(variable_outcomes=True)
    mine, theirs = pair(one)
    assert field(one, "critical_bonus", mine, theirs) is None
    card = strike(one, mine, theirs, (9, 1, 1, 0))
    assert card["sentence"] == "A critical hit: the GM says whether the damage is more."
    assert (total(card, "damage"), one.entity(theirs).state["stun"]) == (6, 0)
    assert "is not settled yet" in one.why_not("ana", "attack", mine)
    one.answer(GM, one.ask("critical_hit"), bonus=bonus)
    named = parts(one.card, "damage").get("for the critical", 0)
    assert (one.card["outcome"], named) == ("critical", bonus)
    assert (one.entity(theirs).state["stun"], one.asks()) == (stun, [])


@rule("toaster.4.damage-roll-critical")
@pytest.mark.parametrize(
    ("options", "faces"), [({}, (7, 4, 1, 0)), ({"wcac_add_margin": True}, (9, 1, 1, 0))]
)
def test_nobody_is_asked_about_other_hits_or_where_an_option_says_more(options, faces):
    one = evening(variable_outcomes=True, **options)
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, faces)
    assert (card["sentence"], one.asks()) == ("A hit.", [])


@rule("toaster.4.damage-roll-critical", "toaster.3.luck-after-plus1")
def test_a_critical_that_luck_has_made_asks_the_gm_as_well():
    one = evening(variable_outcomes=True, luck_points=True)
    mine, theirs = pair(one)
    one.do(GM, c.Override, path=("entities", theirs, "state", "luck"), now=0, reason="a test")
    strike(one, mine, theirs, (6,))
    thrown = one.last.number
    one.answer("ana", one.ask("attack_luck"), (1, 1, 0), use="add", points=3)
    one.answer(GM, one.ask("critical_hit"), bonus=2)
    assert parts(one.card, "damage")["for the critical"] == 2
    assert one.card["about"] == thrown


@rule("toaster.4.opt-marginal-default", "toaster.4.defence-marginal")
def test_a_marginal_hit_does_half():
    one = evening(variable_outcomes=True)
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (6, 6, 5, 3))
    assert card["outcome"] == "marginal"
    assert (one.entity(theirs).state["stun"], wounds(one, theirs)) == (2, 0)


@rule("toaster.4.opt-critical-table", "toaster.4.crit-a", "toaster.4.crit-b")
def test_the_critical_table_leaves_its_marks():
    one = evening(variable_outcomes=True, wcac_critical_table=True)
    mine, theirs = pair(one, None, fighter(weapons=("club",), dodge=5))
    card = strike(one, mine, theirs, (9, 1, 2, 4, 1, 9), defence="dodge")
    assert card["outcome"] == "critical"
    assert one.entity(theirs).state["dropped"] == {"w1": "reach"}
    assert "parry:w1" not in choices(one, "defence", mine, theirs)


@rule("toaster.4.opt-same-die", "toaster.4.opt-add-margin")
def test_one_die_and_the_margin_show_on_the_card():
    one = evening(wcac_same_die=True, wcac_add_margin=True)
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (7, 2))
    assert parts(card, "damage") == {"the attack's die": 7, "WC": 5, "margin": 6}
    assert parts(card, "protection") == {"the defense's die": 2, "AC": 2}
    assert (total(card, "damage"), total(card, "protection")) == (18, 4)


@rule("toaster.4.opt-wcac-integrate", "toaster.4.opt-same-die", "toaster.4.opt-double-roll")
def test_one_die_and_two_dice_cannot_both_be_on():
    one = evening()
    keys = {option.key for option in one.game.options if option.key.startswith("wcac_")}
    assert len(keys) == 5
    both = {"wcac_same_die": True, "wcac_double_roll": True}
    with pytest.raises(OptionsExclude, match="exclude each other") as refused:
        one.do(GM, c.SetOptions, options=both)
    assert refused.value.problems[0].rule == "toaster.4.opt-double-roll"
    one.do(GM, c.SetOptions, options={"wcac_same_die": True})
    with pytest.raises(OptionsExclude):
        one.do(GM, c.SetOptions, options={"wcac_double_roll": True})
    one.do(GM, c.SetOptions, options={"wcac_same_die": False, "wcac_double_roll": True})
    assert one.table.options["wcac_double_roll"] is True
    with pytest.raises(OptionsExclude):
        evening(**both)


@rule("toaster.4.opt-wcac-integrate")
def test_a_table_that_has_both_on_from_before_plays_on_with_one_die():
    """Taking back a step can bring it about; other options can be changed, and it can be mended."""
    one = evening(wcac_same_die=True, variable_outcomes=True)
    one.do(GM, c.SetOptions, options={"wcac_same_die": False})
    off = one.last.number
    one.do(GM, c.SetOptions, options={"wcac_double_roll": True})
    one.do(GM, c.Undo, number=off, reason="We liked it.")
    both = one.table.options
    assert both["wcac_same_die"] is both["wcac_double_roll"] is True
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (9, 1))
    assert card["outcome"] == "critical"
    assert parts(card, "damage")["the attack's die"] == 9
    one.do(GM, c.SetOptions, options={"round_seconds": 5})
    one.do(GM, c.SetOptions, options={"wcac_double_roll": False})


@rule("toaster.4.opt-wcac-integrate")
def test_switches_that_have_no_effect_are_pointed_out_once():
    one = evening()
    one.do(GM, c.SetOptions, options={"wcac_double_roll": True})
    assert "waits for variable outcomes" in one.card["lines"][0]["text"]
    number = one.last.number
    one.do(GM, c.SetOptions, options={"round_seconds": 5})
    assert not (one.last.number > number and one.last.data.get("card"))


@rule("toaster.4.partial-switch", "toaster.4.partial-ac", "toaster.4.hitloc-invent")
def test_armour_covers_only_its_own_places():
    plate = {"id": "a1", "like": "plate", "areas": "Torso"}
    one = evening(partial_armor=True)
    mine, theirs = pair(one, None, fighter((6, 4, 4, 4), (), dodge=5, armour=(plate,)))
    torso = strike(one, mine, theirs, (9, 0, 2, 2, 1, 0))
    assert parts(torso, "protection") == {"AC": 8}
    head = strike(one, mine, theirs, (9, 0, ZERO, 3, 9, 9))
    assert parts(head, "protection") == {"AC": 3}
    place = choices(one, "area", mine, theirs)[1]
    named = strike(one, mine, theirs, (9, 0, 1, 0), area=place)
    assert place.startswith("Head")
    assert parts(named, "protection") == {"AC": 3}
    whole = evening()
    mine, theirs = pair(whole, None, fighter((6, 4, 4, 4), (), dodge=5, armour=(plate,)))
    assert parts(strike(whole, mine, theirs, (9, 0, 1, 0)), "protection") == {"AC": 8}


def test_only_what_is_at_hand_can_be_used_and_skills_are_noted():
    one = evening()
    mine, theirs = pair(one)
    with pytest.raises(BadAnswers):
        one.propose("ana", "attack", mine, target=theirs, arm="w9")
    strike(one, mine, theirs, (5, 9))
    assert one.entity(mine).state["used"] == ["weapon-skill:Sword"]
    assert one.entity(theirs).state["used"] == ["dodge"]
    with pytest.raises(NotAllowed):
        one.propose("ben", "attack", mine, target=theirs)
