"""Mortally wounded: the check asked at once, countdowns, new wounds, a medic, the last act."""

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rulesets.toaster.harm.hurting import mortality_parts
from kitchentable.rulesets.toaster.sheet import countdown
from tests.rulesets.toaster import fighting
from tests.rulesets.toaster.hurting import (
    GM,
    MEDICINE,
    how,
    lines,
    put,
    strike,
    ward,
    wounded,
)
from tests.rulesets.toaster.people import person

rule = pytest.mark.rule


def dying(face, physique=6, count=5, **options):
    """Somebody whose first check has fallen on this face, and a medic beside them."""
    one, patient, medic = ward(physique, **options)
    put(one, patient, wounds=wounded(count - 1))
    one.move(GM, "harm", who=patient, cause="the last straw", wounds=1)
    one.answer("ana", one.ask("mortality"), (face,))
    return one, patient, medic


def running(one, patient):
    return one.entity(patient).state["mortality"]


@rule("toaster.4.mortal-state")
def test_the_fifth_wound_asks_for_a_check_at_once():
    one, patient, _ = ward()
    put(one, patient, wounds=wounded(4))
    strike(one, patient, 5)
    assert how(one, patient) == (5, 5, "mortal")
    ask = one.ask("mortality", patient)
    assert ask.to == (f"owner:{patient}",)
    assert "toaster.4.mortal-state" in ask.rules
    assert "mortally wounded" in person(one.entity(patient), one.table).unable
    with pytest.raises(RuleRefuses):
        one.move("ana", "medical", patient, patient=patient, skill=MEDICINE)


@rule("toaster.4.mortality-roll", "toaster.4.mortality-success")
def test_physique_six_five_wounds_and_a_four_hold_on_for_a_round():
    one, patient, _ = dying(4)
    card = one.card
    assert card["sides"][0]["total"] == 10
    assert card["sides"][0]["parts"] == [["Physique", 6]]
    assert card["sentence"] == "Ana holds on for 1 round."
    assert running(one, patient) == {"fate": "holds", "rounds": 1, "stable": False}


@rule("toaster.4.mortality-roll")
def test_each_wound_over_five_is_one_less_and_nothing_else_is():
    one, patient, _ = dying(5, count=7)
    assert one.card["sides"][0]["total"] == 9
    parts = mortality_parts(person(one.entity(patient), one.table))
    assert [(part.name, part.value) for part in parts] == [
        ("Physique", 6),
        ("wounds over five", -2),
    ]


@rule("toaster.4.mortality-zero")
def test_a_zero_kills_at_once_however_strong():
    one, patient, _ = dying(0, physique=12)
    assert how(one, patient)[2] == "dead"
    assert one.card["sentence"] == "Ana dies."
    assert one.card["sides"][0]["total"] == 12


@rule("toaster.4.mortality-fail")
@pytest.mark.parametrize(
    ("physique", "count", "face", "by", "left"),
    [(4, 5, 2, "total", 6), (4, 5, 2, "die", 2), (3, 9, 1, "total", 0), (6, 7, 5, "total", 9)],
)
def test_a_failure_leaves_rounds_by_the_total_or_by_the_die(physique, count, face, by, left):
    one, patient, _ = dying(face, physique, count, mortality_roll=by)
    if left:
        assert running(one, patient) == {"fate": "dies", "rounds": left, "stable": False}
        assert countdown(person(one.entity(patient))) == f"dies in {left} rounds"
    else:
        assert how(one, patient)[2] == "dead"


@rule("toaster.4.mortality-fail")
def test_when_the_rounds_are_over_they_die():
    one, patient, _ = dying(1)
    one.move(GM, "rounds", rounds=6)
    assert (how(one, patient)[2], running(one, patient)["rounds"]) == ("mortal", 1)
    one.move(GM, "rounds", rounds=1)
    assert how(one, patient)[2] == "dead"
    assert lines(one) == ["Ana dies."]


@rule("toaster.4.mortality-fail", "toaster.4.round")
@pytest.mark.parametrize("how_long", [("rest", {"minutes": 60}), ("days", {"days": 7})])
def test_the_rounds_of_the_dying_run_out_while_others_rest(how_long):
    one, patient, medic = dying(1)
    put(one, medic, stun=6)
    move, answers = how_long
    one.move(GM, move, **answers)
    assert how(one, patient)[2] == "dead"
    assert lines(one)[0] == "Ana dies."
    assert how(one, medic)[0] == 0


@rule("toaster.4.round", "toaster.4.mortality-fail")
@pytest.mark.parametrize(("seconds", "state"), [(4, "dead"), (10, "mortal")])
def test_a_round_has_the_seconds_that_the_table_gives_it(seconds, state):
    """Seven rounds to live: one minute is 15 rounds of 4 seconds, or 6 of 10."""
    one, patient, _ = dying(1, round_seconds=seconds)
    assert running(one, patient)["rounds"] == 7
    one.move(GM, "rest", minutes=1)
    assert how(one, patient)[2] == state


@rule("toaster.4.mortality-success", "toaster.4.round")
def test_a_check_that_falls_due_stops_the_rest_of_the_others():
    """Five rounds are 20 seconds: no minute of the hour has passed, and no day."""
    one, patient, medic = dying(8)
    put(one, medic, stun=6)
    one.move(GM, "rest", minutes=60)
    assert (one.card["title"], one.card["sentence"]) == (
        "0 minutes of rest",
        "Time stops for a check.",
    )
    assert (how(one, medic)[0], countdown(person(one.entity(patient)))) == (6, "a check is due")
    one, patient, medic = dying(8)
    one.move(GM, "days", days=7)
    assert one.card["title"] == "0 days pass"
    assert "Time stops for a check." in one.card["sentence"]
    assert one.table.day == 0


@rule("toaster.4.mortality-success")
def test_who_holds_on_checks_again_when_the_rounds_are_over():
    one, patient, _ = dying(8)
    assert running(one, patient)["rounds"] == 5
    one.move(GM, "rounds", rounds=300)
    assert one.card["title"] == "5 rounds pass"
    assert "Time stops for a check." in one.card["sentence"]
    assert countdown(person(one.entity(patient))) == "a check is due"
    one.answer("ana", one.ask("mortality"), (7,))
    assert running(one, patient) == {"fate": "holds", "rounds": 4, "stable": False}
    one.move(GM, "rounds", rounds=4)
    one.answer("ana", one.ask("mortality"), (0,))
    assert how(one, patient)[2] == "dead"


@rule("toaster.4.mortality-medical", "toaster.4.mortality-medical-amount")
@pytest.mark.parametrize(
    ("face", "gm", "bonus", "total"),
    [(9, {}, 1, 8), (5, {}, 0, 7), (9, {"bonus": 4}, 4, 11), (5, {"bonus": -1}, -1, 6)],
)
def test_a_medic_gives_a_second_check_with_the_margin_of_the_roll(face, gm, bonus, total):
    """Medicine 7 against 5 wounds: a 9 is 11, one over 10; the check's die is 1."""
    one, patient, medic = dying(1, settings={"gm_confirms": "each"})
    card = one.roll("ben", "medical", medic, (face,), gm=gm, patient=patient, skill=MEDICINE)
    assert card["sides"][0]["total"] == 7 - 5 + face
    ask = one.ask("mortality", patient)
    assert (ask.preset["bonus"], ask.skippable) == (bonus, True)
    one.answer("ana", ask, (1,))
    assert one.card["sides"][0]["total"] == total
    if gm:
        assert any("The GM makes it" in line["text"] for line in card["lines"])


@rule("toaster.4.mortality-medical")
def test_a_medic_with_a_total_of_thirteen_adds_three():
    one, patient, medic = ward(physique=6, medicine=15)
    put(one, patient, condition="mortal", wounds=wounded(5))
    one.roll("ben", "medical", medic, (8,), patient=patient, skill=MEDICINE)
    assert one.card["sides"][0]["total"] == 13
    assert one.ask("mortality", patient).preset["bonus"] == 3


@rule("toaster.4.mortality-medical")
def test_the_first_check_comes_before_a_medic():
    """Help is for the rounds that are left; it took the place of the check."""
    one, patient, medic = ward()
    strike(one, patient, 25)
    assert one.ask("mortality", patient).preset["helped"] is False
    with pytest.raises(BadAnswers):
        one.propose("ben", "medical", medic, patient=patient, purpose="dying", skill=MEDICINE)
    one.answer("ana", one.ask("mortality"), (1,))
    one.roll("ben", "medical", medic, (9,), patient=patient, purpose="dying", skill=MEDICINE)
    assert one.ask("mortality", patient).preset["helped"] is True


@rule("toaster.4.mortality-stabilise")
def test_a_check_passed_with_help_that_succeeded_is_the_last():
    one, patient, medic = dying(1)
    one.roll("ben", "medical", medic, (9,), patient=patient, skill=MEDICINE)
    one.answer("ana", one.ask("mortality"), (4,))
    assert running(one, patient) == {"fate": "holds", "rounds": 2, "stable": True}
    assert one.card["sentence"] == "Ana is stable: no more checks."
    one.move(GM, "rounds", rounds=300)
    assert not one.asks("mortality")
    assert how(one, patient)[2] == "mortal"
    strike(one, patient, 5)
    assert one.asks("mortality")
    one.answer("ana", one.ask("mortality"), (5,))
    assert running(one, patient)["stable"] is False


@rule("toaster.4.mortality-stabilise")
@pytest.mark.parametrize(("medics", "option"), [(3, True), (9, False)])
def test_help_that_failed_or_the_option_off_and_the_checks_go_on(medics, option):
    one, patient, medic = dying(1, medical_stabilises=option)
    one.roll("ben", "medical", medic, (medics,), patient=patient, skill=MEDICINE)
    one.answer("ana", one.ask("mortality"), (6,))
    assert running(one, patient)["stable"] is False
    one.move(GM, "rounds", rounds=300)
    assert one.asks("mortality")


@rule("toaster.4.mortal-state")
def test_who_dies_while_a_new_check_waits_needs_none():
    one, patient, _ = dying(1)
    one.move(GM, "harm", who=patient, cause="a boot", wounds=1)
    one.move(GM, "rounds", rounds=7)
    assert how(one, patient)[2] == "dead"
    assert one.ask("mortality").skippable is False
    one.answer("ana", one.ask("mortality"))
    assert one.card["sentence"] == "Ana needs no check any more."
    assert (how(one, patient)[2], one.asks()) == ("dead", [])


@rule("toaster.4.mortality-medical")
def test_help_may_be_declined_while_rounds_are_left_and_a_failed_medic_replaces_the_countdown():
    one, patient, medic = dying(3)
    one.roll("ben", "medical", medic, (5,), patient=patient, skill=MEDICINE)
    one.answer("ana", one.ask("mortality"), (1,))
    assert running(one, patient)["rounds"] == 7


@rule("toaster.4.mortality-new-wound")
@pytest.mark.parametrize(
    ("face", "left"),
    [(9, ("dies", 6)), (1, ("dies", 3)), (4, ("dies", 6)), (0, None)],
)
def test_a_new_wound_checks_anew_and_can_only_shorten_the_countdown(face, left):
    """Physique 4 with 5 wounds and a 2: 6 rounds. Two wounds more make it -2."""
    one, patient, _ = dying(2, physique=4)
    assert running(one, patient)["rounds"] == 6
    one.move(GM, "harm", who=patient, cause="a boot", wounds=2)
    assert running(one, patient)["rounds"] == 6
    one.answer("ana", one.ask("mortality"), (face,))
    if left is None:
        assert how(one, patient)[2] == "dead"
    else:
        assert (running(one, patient)["fate"], running(one, patient)["rounds"]) == left
        assert one.card["sides"][0]["total"] == face + 2


@rule("toaster.4.mortality-new-wound", "toaster.4.mortality-success")
def test_a_new_wound_ends_a_hold_on_life():
    one, patient, _ = dying(9)
    assert running(one, patient)["fate"] == "holds"
    one.move(GM, "harm", who=patient, cause="a boot", wounds=1)
    assert running(one, patient) is None
    one.answer("ana", one.ask("mortality"), (1,))
    assert running(one, patient) == {"fate": "dies", "rounds": 6, "stable": False}


@rule("toaster.4.mortal-last-act")
def test_the_gm_grants_one_last_act_and_it_is_used_up():
    one, patient, medic = dying(1)
    put(one, medic, wounds=wounded(2))
    one.move(GM, "last_act", patient, what="One bandage for Ben.")
    assert person(one.entity(patient), one.table).unable is None
    one.roll("ana", "medical", patient, (9,), patient=medic, purpose="first-aid", skill=MEDICINE)
    assert one.card["sides"][0]["parts"][1] == ["wounds", -5]
    assert "mortally wounded" in person(one.entity(patient), one.table).unable


@rule("toaster.4.mortal-last-act")
def test_a_last_act_in_a_fight_can_be_a_shot():
    one = fighting.evening()
    mine, theirs = fighting.pair(one)
    fighting.begin(one, 1, 10)
    put(one, mine, wounds=wounded(4))
    strike(one, mine, wounds=1)
    one.answer("ana", one.ask("mortality"), (4,))
    assert "mortally wounded" in one.why_not("ana", "attack", mine)
    one.move(GM, "last_act", mine, what="A world-saving blow.")
    card = fighting.strike(one, mine, theirs, (9, 0, 9, 0), ward="rolls")
    assert card["outcome"] == "hit"
    assert "mortally wounded" in one.why_not("ana", "attack", mine)


@rule("toaster.4.mortal-last-act")
def test_no_last_act_without_open_eyes():
    one, patient, medic = dying(1)
    one.move(GM, "harm", who=patient, cause="a sack", stun=25)
    assert one.why_not(GM, "last_act", patient) == "Ana is not conscious."
    assert one.why_not(GM, "last_act", medic) == "Only a mortally wounded character can do that."
    one.move(GM, "wakes", patient)
    assert (how(one, patient)[2], one.why_not(GM, "last_act", patient)) == ("mortal", None)


@rule("toaster.4.mortality-stabilise", "toaster.4.mortal-state")
def test_the_gm_can_rule_on_a_condition_with_a_reason():
    one, patient, _ = dying(1)
    one.move(GM, "condition", patient, condition="stable", why="The elf's herbs.")
    one.move(GM, "rounds", rounds=300)
    assert how(one, patient)[2] == "mortal"
    one.move(GM, "condition", patient, condition="mortal", why="The herbs were old.")
    one.answer("ana", one.ask("mortality"), (9,))
    one.move(GM, "condition", patient, condition="dead", why="The story wants it.")
    assert how(one, patient)[2] == "dead"
    with pytest.raises(BadAnswers):
        one.move(GM, "condition", patient, condition="awake")


@rule("toaster.4.mortality-roll")
def test_luck_can_better_a_check_and_four_points_escape_a_zero():
    one, patient, _ = ward(luck_points=True)
    put(one, patient, wounds=wounded(4), luck=5)
    strike(one, patient, 5)
    one.answer("ana", one.ask("mortality"), (0,), luck=1)
    assert how(one, patient)[2] == "mortal"
    one.answer("ana", one.ask("mortality_luck"), (1,), use="again")
    assert one.entity(patient).state["luck"] == 0
    assert running(one, patient) == {"fate": "dies", "rounds": 9, "stable": False}
    put(one, patient, luck=3)
    one.move(GM, "harm", who=patient, cause="a boot", wounds=1)
    one.answer("ana", one.ask("mortality"), (2,))
    one.answer("ana", one.ask("mortality_luck"), use="stand")
    assert running(one, patient)["rounds"] == 7
    put(one, patient, mortality={"fate": "holds", "rounds": 1, "stable": False})
    one.move(GM, "harm", who=patient, cause="a boot", wounds=1)
    one.answer("ana", one.ask("mortality"), (5,))
    one.answer("ana", one.ask("mortality_luck"), use="add", points=2)
    assert running(one, patient) == {"fate": "holds", "rounds": 2, "stable": False}


@rule("toaster.4.mortality-roll")
def test_nines_and_called_fours_count_where_the_table_lets_them():
    one, patient, _ = dying(1)
    assert not one.asks("mortality")
    one, patient, _ = ward(rolling_nines=True, calling_fours=True, fours_mortality=True)
    put(one, patient, wounds=wounded(4))
    strike(one, patient, 5)
    one.answer("ana", one.ask("mortality"), (9, 3))
    assert running(one, patient)["rounds"] == 9
    one.move(GM, "harm", who=patient, cause="a boot", wounds=1)
    one.answer("ana", one.ask("mortality"), called=True)
    assert running(one, patient) == {"fate": "dies", "rounds": 9, "stable": False}


@rule("toaster.3.luck-after-zero", "toaster.4.mortality-zero")
def test_three_points_of_luck_are_not_asked_for_after_a_zero():
    one, patient, _ = ward(luck_points=True)
    put(one, patient, wounds=wounded(4), luck=3)
    strike(one, patient, 5)
    one.answer("ana", one.ask("mortality"), (0,))
    assert (how(one, patient)[2], one.asks("mortality_luck")) == ("dead", [])


@rule("toaster.4.unnamed-mortal")
def test_a_check_without_five_wounds_does_not_speak_of_five():
    one, ana, _ = ward()
    one.move(GM, "condition", ana, condition="mortal", why="Poison")
    assert one.ask("mortality").text == "Mortally wounded: now, at once."
