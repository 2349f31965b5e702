"""Bleeding per round, the wounds it adds, and both ways of stopping it."""

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rulesets.toaster.harm.passing import end_round
from tests.rulesets.toaster.hurting import GM, MEDICINE, how, lines, put, strike, ward, wounded
from tests.rulesets.toaster.people import at_table, person

rule = pytest.mark.rule


def bleeding(count, **options):
    one, patient, medic = ward(**{"bleeding": True, **options})
    put(one, patient, wounds=wounded(count))
    return one, patient, medic


def rate(one, who):
    return person(one.entity(who), one.table).bleeds


def lost(one, who):
    return one.entity(who).state["bleeding"]["lost"]


@rule("toaster.4.bleed-rate")
def test_each_wound_costs_a_point_a_round():
    one, patient, medic = bleeding(3)
    one.move(GM, "rounds", rounds=4)
    assert how(one, patient)[0] == 12
    assert how(one, medic)[0] == 0
    one, patient, _ = bleeding(3, bleeding=False)
    one.move(GM, "rounds", rounds=4)
    assert how(one, patient)[0] == 0


@rule("toaster.4.bleed-extra-wound", "toaster.4.bleed-counting")
def test_ten_points_lost_are_another_wound_and_the_rest_is_kept():
    one, patient, _ = bleeding(2)
    one.move(GM, "rounds", rounds=5)
    assert how(one, patient)[:2] == (10, 3)
    one.move(GM, "rounds", rounds=5)
    assert (how(one, patient)[:2], rate(one, patient)) == ((20, 4), 2)
    one, patient, _ = bleeding(3)
    one.move(GM, "rounds", rounds=3)
    assert (how(one, patient)[1], lost(one, patient)) == (3, 9)
    one.move(GM, "rounds")
    assert (how(one, patient)[1], lost(one, patient)) == (4, 12)


@rule("toaster.4.bleed-rate", "toaster.4.bleed-death", "toaster.4.round")
@pytest.mark.parametrize("how_long", [("rest", {"minutes": 10}), ("days", {"days": 1})])
def test_wounds_bleed_on_while_others_rest(how_long):
    """Three wounds: a fourth after 4 rounds, a fifth after 7, and a check."""
    one, patient, _ = bleeding(3)
    move, answers = how_long
    one.move(GM, move, **answers)
    assert how(one, patient)[:3] == (21, 5, "mortal")
    assert one.ask("mortality")


@rule("toaster.4.bleed-rate-stays")
def test_the_gm_can_make_it_worse_and_lost_blood_does_not():
    one, patient, _ = bleeding(2)
    one.move(GM, "rounds", rounds=10)
    assert (how(one, patient)[:2], rate(one, patient)) == ((20, 4), 2)
    one.move(GM, "bleeding", patient, extra=1, why="She climbs.")
    assert rate(one, patient) == 3
    assert one.card["title"] == "Ana bleeds 3 points a round"


@rule("toaster.4.bleed-rate-stays")
@pytest.mark.parametrize(("cause", "points"), [("attack", 3), ("fever", 2), ("bleeding", 2)])
def test_only_wounds_from_without_bleed(cause, points):
    one, patient, _ = bleeding(0)
    put(one, patient, wounds=[*wounded(2), *wounded(1, cause=cause)])
    assert rate(one, patient) == points


@rule("toaster.4.bleed-death")
def test_four_wounds_bleed_to_the_fifth_in_the_third_round():
    one, patient, _ = bleeding(4)
    one.move(GM, "rounds", rounds=9)
    assert one.card["title"] == "3 rounds pass"
    assert how(one, patient) == (12, 5, "mortal")
    one.answer("ana", one.ask("mortality"), (9,))
    one.move(GM, "rounds")
    assert how(one, patient)[0] == 16


@rule("toaster.4.bleed-counting")
def test_recovery_from_stun_does_not_turn_the_counter_back_and_blood_can_fell():
    one, patient, medic = bleeding(3)
    one.move(GM, "rounds", rounds=3)
    one.roll("ben", "medical", medic, (6,), patient=patient, purpose="bleeding", skill=MEDICINE)
    one.move(GM, "rest", minutes=20)
    assert (how(one, patient)[0], lost(one, patient)) == (0, 9)
    facts = one.entity(patient).state["bleeding"]
    put(one, patient, bleeding={**facts, "stopped": 0}, stun=23)
    one.move(GM, "rounds")
    assert how(one, patient) == (26, 4, "unconscious")


@rule("toaster.4.bleed-counting")
def test_the_end_of_a_round_tells_what_happened_and_leaves_the_unnamed_alone():
    one, patient, medic = bleeding(2)
    put(one, medic, wounds=wounded(1), condition="out")
    at = at_table(one.entity(patient), one.table)
    end_round(at)
    assert [line.text for line in at.lines] == ["Ana bleeds: 2 stun."]
    assert {path[1] for path in at.changes} == {patient}


@rule("toaster.4.bleed-stop")
@pytest.mark.parametrize(("face", "total", "left"), [(6, 10, 0), (5, 9, 3)])
def test_a_medical_roll_with_the_wounds_taken_off_stops_all_of_it_or_none(face, total, left):
    one, patient, medic = bleeding(3)
    one.roll("ben", "medical", medic, (face,), patient=patient, purpose="bleeding", skill=MEDICINE)
    assert one.card["sides"][0]["total"] == total
    assert rate(one, patient) == left


@rule("toaster.4.bleed-stop-retry")
def test_who_failed_needs_the_gms_leave_for_another_try_and_others_do_not():
    one, patient, medic = bleeding(3)
    answers = {"patient": patient, "purpose": "bleeding", "skill": MEDICINE}
    one.roll("ben", "medical", medic, (5,), **answers)
    with pytest.raises(BadAnswers, match="another healer or other means"):
        one.roll("ben", "medical", medic, (), gm={"again": "no"}, **answers)
    one.roll("ben", "medical", medic, (6,), gm={"again": "yes"}, **answers)
    assert rate(one, patient) == 0
    one, patient, medic = bleeding(3)
    one.roll("ben", "medical", medic, (5,), **answers)
    one.roll("ana", "medical", patient, (9,), **answers)
    assert rate(one, patient) == 3
    one.move(GM, "bleeding", patient, extra=0, stops=True, why="Hot iron.")
    assert rate(one, patient) == 0


@rule("toaster.4.bleed-stop-retry")
def test_a_new_wound_is_another_matter_for_who_failed_before():
    one, patient, medic = bleeding(3)
    answers = {"patient": patient, "purpose": "bleeding", "skill": MEDICINE}
    one.roll("ben", "medical", medic, (5,), **answers)
    strike(one, patient, 5)
    one.roll("ben", "medical", medic, (7,), gm={"again": "no"}, **answers)
    assert rate(one, patient) == 0


@rule("toaster.4.bleed-reduce", "toaster.4.bleed-reduce-repeat")
def test_point_by_point_the_wounds_do_not_count_and_the_best_roll_does():
    one, patient, medic = bleeding(4, bleeding_aid="reduce")
    answers = {"patient": patient, "purpose": "bleeding", "skill": MEDICINE}
    for face, total, left in ((2, 9, 4), (6, 13, 1), (5, 12, 1), (7, 14, 0)):
        one.roll("ben", "medical", medic, (face,), **answers)
        assert one.card["sides"][0]["total"] == total
        assert "toaster.4.bleed-reduce" in one.card["rules"]
        assert rate(one, patient) == left
    assert one.card["sentence"] == "Ana bleeds no more."


@rule("toaster.4.bleed-stop", "toaster.4.bleed-rate")
def test_a_new_wound_bleeds_by_itself_after_the_old_were_stopped():
    one, patient, medic = bleeding(3)
    answers = {"patient": patient, "purpose": "bleeding", "skill": MEDICINE}
    one.roll("ben", "medical", medic, (6,), **answers)
    strike(one, patient, 5)
    assert (how(one, patient)[1], rate(one, patient)) == (4, 1)
    one.move(GM, "rounds")
    assert lines(one) == ["Ana bleeds: 1 stun."]


@rule("toaster.4.heal-stun-period", "toaster.4.bleed-counting")
def test_nobody_rests_while_bleeding_or_dying():
    one, patient, medic = bleeding(2)
    put(one, medic, stun=9)
    with pytest.raises(BadAnswers, match="Ana is bleeding"):
        one.move(GM, "rest", who=[patient, medic])
    one.move(GM, "rest")
    # The patient bleeds to a check in 15 rounds, a minute: nobody has rested yet.
    assert one.card["title"] == "1 minute of rest"
    assert (how(one, medic)[0], how(one, patient)[:3]) == (9, (30, 5, "mortal"))
    one, patient, medic = bleeding(5)
    put(one, patient, bleeding={"stopped": 5}, condition="mortal")
    with pytest.raises(BadAnswers, match="Ana is dying"):
        one.move(GM, "days", who=[patient])


@rule("toaster.4.bleed-rate")
def test_without_the_option_there_is_nothing_to_rule_on():
    one, patient, _ = bleeding(2, bleeding=False)
    with pytest.raises(RuleRefuses, match="Bleeding is off at this table"):
        one.move(GM, "bleeding", patient, extra=1, why="no")
    one, patient, medic = bleeding(2)
    assert one.why_not(GM, "bleeding", medic) == "They have no wounds that can bleed."
