"""Time that heals: ten minutes, weeks, first aid and long-term care, technology, luck."""

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rulesets.toaster.harm.healing import healing_parts, medical_skills, purposes
from kitchentable.rulesets.toaster.harm.hurting import heal_wound
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
from tests.rulesets.toaster.people import at_table, entity, person

rule = pytest.mark.rule


def in_bed(physique, count, **options):
    one, patient, medic = ward(physique, **options)
    put(one, patient, wounds=wounded(count))
    return one, patient, medic


def week(one, face, **answers):
    """A week of rest and the healing roll on this face (or these)."""
    one.move(GM, "days")
    faces = face if isinstance(face, tuple) else (face,)
    one.answer("ana", one.ask("healing"), faces, **answers)
    return one.card


def care(one, patient, medic, purpose, face, **gm):
    answers = {"patient": patient, "purpose": purpose, "skill": MEDICINE}
    return one.roll("ben", "medical", medic, (face,), gm=gm, **answers)


# ---------------------------------------------------------------- stun


@rule("toaster.4.heal-stun")
def test_ten_minutes_take_physique_off_the_stun():
    one, patient, _ = ward(6)
    put(one, patient, stun=24)
    for left in (18, 12, 6, 0, 0):
        one.move(GM, "rest")
        assert how(one, patient)[0] == left
    put(one, patient, stun=24)
    one.move(GM, "rest", minutes=30)
    assert how(one, patient)[0] == 6


@rule("toaster.4.heal-stun")
def test_at_least_one_point():
    one, patient, _ = ward(0)
    put(one, patient, stun=4)
    one.move(GM, "rest", minutes=30)
    assert how(one, patient)[0] == 1
    assert lines(one) == ["Ana: stun 4 to 1."]


@rule("toaster.4.heal-stun-rate")
@pytest.mark.parametrize(("percent", "left"), [(100, 5), (50, 8), (200, 0), (10, 9)])
def test_the_pace_is_the_tables(percent, left):
    one, patient, _ = ward(5, stun_recovery_percent=percent)
    put(one, patient, stun=10)
    one.move(GM, "rest")
    assert how(one, patient)[0] == left


@rule("toaster.4.heal-stun-period")
def test_nineteen_minutes_are_one_rest():
    one, patient, _ = ward(5)
    put(one, patient, stun=20)
    one.move(GM, "rest", minutes=19)
    assert how(one, patient)[0] == 15
    one.move(GM, "rest", minutes=9)
    assert how(one, patient)[0] == 15
    assert one.card["sentence"] == "Nobody recovers any stun."


# ---------------------------------------------------------------- weeks


@rule("toaster.4.heal-week", "toaster.4.heal-week-example")
@pytest.mark.parametrize(("face", "left", "total"), [(6, 3, 10), (5, 4, 9)])
def test_after_a_week_a_roll_heals_one_wound_or_none(face, left, total):
    one, patient, _ = in_bed(8, 4)
    card = week(one, face)
    assert card["sides"][0]["parts"] == [["Physique", 8], ["wounds", -4]]
    assert (card["sides"][0]["total"], how(one, patient)[1], one.table.day) == (total, left, 7)


@rule("toaster.4.heal-week-example", "toaster.4.heal-week")
def test_the_next_week_is_at_one_less():
    one, patient, _ = in_bed(8, 4)
    week(one, 6)
    card = week(one, 4)
    assert (card["sides"][0]["total"], how(one, patient)[1]) == (9, 3)
    assert week(one, 5)["sentence"] == "A wound heals: 2 left."


@rule("toaster.4.heal-week")
def test_days_add_up_to_weeks_and_a_new_wound_begins_them_anew():
    one, patient, _ = in_bed(8, 2)
    one.move(GM, "days", days=6)
    assert lines(one) == ["Ana: not rested long enough yet."]
    one.move(GM, "days", days=1)
    one.answer("ana", one.ask("healing"), (9,))
    one.move(GM, "days", days=21)
    one.answer("ana", one.ask("healing"), (0,))
    one.answer("ana", one.ask("healing"), (1,))
    one.answer("ana", one.ask("healing"), (9,))
    assert (how(one, patient)[1], one.asks("healing")) == (0, [])
    put(one, patient, wounds=wounded(1), rested=6)
    strike(one, patient, 5)
    one.move(GM, "days", days=1)
    assert not one.asks("healing")


@rule("toaster.4.heal-week-fumble")
@pytest.mark.parametrize(
    ("options", "faces", "left"),
    [
        ({"rolling_zeros": True}, (0, 5), 5),
        ({"rolling_zeros": True}, (0, 6), 4),
        ({"variable_outcomes": True}, (0,), 5),
        ({"variable_outcomes": True}, (1,), 4),
        ({}, (0,), 4),
    ],
)
def test_a_fumble_makes_it_worse_where_there_are_fumbles(options, faces, left):
    """Physique 8 with 4 wounds; by distance a total of 4 is the fumble."""
    one, patient, _ = in_bed(8, 4, **options)
    card = week(one, faces)
    assert how(one, patient)[1] == left
    if left == 5:
        assert "toaster.4.heal-week-fumble" in card["rules"]
        assert how(one, patient)[2] == "mortal"
        assert one.asks("mortality")


@rule("toaster.4.heal-medical-roll", "toaster.4.heal-first-aid-example")
def test_the_medics_margin_is_added_to_the_healing_roll():
    """Healer 8, 2 wounds, a die of 8: 14, so +4; Physique 5 then heals on a 3."""
    one, patient, medic = ward(5, medicine=11)
    put(one, patient, wounds=wounded(2))
    card = care(one, patient, medic, "first-aid", 8)
    assert (card["sides"][0]["total"], card["sentence"].partition(".")[0]) == (
        14,
        "+4 for Ana on the next healing roll",
    )
    assert "toaster.4.heal-first-aid-once" in card["rules"]
    assert card["sides"][0]["parts"] == [["Science: Medicine", 8], ["wounds to treat", -2]]
    healing = week(one, 3)
    assert healing["sides"][0]["parts"][2] == ["first aid", 4]
    assert (healing["sides"][0]["total"], how(one, patient)[1]) == (10, 1)


@rule("toaster.4.heal-medical-roll")
def test_on_oneself_the_same_wounds_count_once():
    one, patient, medic = ward()
    for who, many in ((patient, 1), (medic, 2)):
        put(one, who, wounds=wounded(many))
    for whom, parts in (
        (patient, [["wounds", -2], ["wound to treat", -1]]),
        (medic, [["wounds", -2]]),
    ):
        card = care(one, whom, medic, "first-aid", 8)
        assert card["sides"][0]["parts"][1:] == parts


@rule("toaster.4.heal-medical-roll", "toaster.2.adv-used-skills")
def test_a_medical_skill_is_noted_as_used():
    one, patient, medic = in_bed(5, 2)
    care(one, patient, medic, "first-aid", 8)
    assert one.entity(medic).state["used"] == [MEDICINE]


@rule("toaster.4.heal-medical-fail")
def test_failed_care_adds_nothing():
    one, patient, medic = in_bed(5, 2)
    card = care(one, patient, medic, "first-aid", 2)
    assert (card["sides"][0]["total"], card["sentence"]) == (7, "It does not help Ana: no bonus.")
    assert healing_parts(person(one.entity(patient), one.table))[2:] == ()


@rule("toaster.4.heal-first-aid-once")
def test_first_aid_counts_for_one_roll():
    one, patient, medic = in_bed(5, 2)
    care(one, patient, medic, "first-aid", 9)
    assert week(one, 1)["sides"][0]["total"] == 5 - 2 + 4 + 1
    assert week(one, 1)["sides"][0]["total"] == 5 - 2 + 1


@rule("toaster.4.heal-first-aid-once")
def test_first_aid_comes_once_to_the_same_wounds():
    """Also where long-term care has come and gone since; a new wound can have first aid again."""
    one, patient, medic = in_bed(5, 2)

    def needs():
        return purposes(person(one.entity(patient), one.table))

    care(one, patient, medic, "first-aid", 9)
    assert needs() == ("first-aid", "long-term")
    week(one, 1)
    assert needs() == ("long-term",)
    with pytest.raises(BadAnswers):
        care(one, patient, medic, "first-aid", 9)
    care(one, patient, medic, "long-term", 9)
    week(one, 0)
    assert needs() == ("long-term",)
    strike(one, patient, 5)
    assert needs() == ("first-aid", "long-term")


@rule("toaster.4.heal-first-aid-early", "toaster.4.heal-technology")
def test_after_prompt_first_aid_the_first_roll_may_come_sooner():
    one, patient, medic = in_bed(5, 2, settings={"gm_confirms": "each"})
    care(one, patient, medic, "first-aid", 9, early="2")
    assert "after 2 days" in one.card["sentence"]
    one.move(GM, "days", days=2)
    one.answer("ana", one.ask("healing"), (9,))
    one.move(GM, "days", days=2)
    assert not one.asks("healing")
    one, patient, medic = in_bed(5, 2, settings={"gm_confirms": "each"})
    care(one, patient, medic, "first-aid", 4, early="1")
    one.move(GM, "days", days=1)
    assert not one.asks("healing")


@rule("toaster.4.heal-first-aid-early")
def test_care_that_follows_does_not_take_the_early_roll_away():
    one, patient, medic = in_bed(5, 2, settings={"gm_confirms": "each"})
    care(one, patient, medic, "first-aid", 9, early="1")
    care(one, patient, medic, "long-term", 9)
    assert "after 1 day" in one.card["sentence"]
    one.move(GM, "days", days=1)
    assert one.ask("healing")


@rule("toaster.4.heal-long-term")
def test_long_term_care_counts_until_a_roll_fails():
    one, patient, medic = in_bed(6, 3)
    care(one, patient, medic, "long-term", 9)
    assert one.card["sentence"].startswith("+3 for Ana on healing rolls")
    totals = [week(one, face)["sides"][0]["total"] for face in (4, 5)]
    assert totals == [6 - 3 + 3 + 4, 6 - 2 + 3 + 5]
    assert week(one, 0)["sides"][0]["total"] == 6 - 1 + 3
    assert week(one, 0)["sides"][0]["total"] == 6 - 1
    care(one, patient, medic, "long-term", 9)
    assert week(one, 1)["sides"][0]["total"] == 6 - 1 + 5 + 1


@rule("toaster.4.heal-long-term")
def test_a_new_wound_ends_long_term_care_and_not_first_aid():
    one, patient, medic = in_bed(6, 1)
    care(one, patient, medic, "long-term", 9)
    strike(one, patient, 5)
    assert [one_.name for one_ in healing_parts(person(one.entity(patient), one.table))] == [
        "Physique",
        "wounds",
    ]
    care(one, patient, medic, "first-aid", 9)
    strike(one, patient, 5)
    assert healing_parts(person(one.entity(patient), one.table))[2].value == 4


@rule("toaster.4.heal-technology")
def test_facilities_modify_the_roll_and_shorten_the_interval():
    one, _, _ = in_bed(6, 2, healing_modifier=-2, healing_days=3)
    one.move(GM, "days", modifier=1)
    one.answer("ana", one.ask("healing"), (7,))
    assert one.card["sides"][0]["parts"][2:] == [["facilities", -2], ["this time", 1]]
    assert (one.card["sides"][0]["total"], one.table.day) == (10, 3)


@rule("toaster.4.heal-technology")
def test_the_gm_modifies_a_medics_roll():
    one, patient, medic = in_bed(6, 2, settings={"gm_confirms": "each"})
    card = care(one, patient, medic, "first-aid", 5, modifier=-3)
    assert card["sides"][0]["parts"][-1] == ["circumstances", -3]
    assert card["sides"][0]["total"] == 7 - 2 - 3 + 5


@rule("toaster.4.heal-medical-skill")
def test_the_campaign_names_its_medical_skills_or_the_gm_agrees_to_one():
    one, _, medic = in_bed(6, 2, medical_skills="Craft: First Aid, Science: Medicine")
    choices = medical_skills(person(one.entity(medic), one.table))
    assert [(choice.value, choice.label) for choice in choices] == [
        ("craft:First Aid", "Craft: First Aid 2"),
        (MEDICINE, "Science: Medicine 7"),
    ]
    one, _, medic = in_bed(6, 2, medical_skills="", settings={"gm_confirms": "each"})
    assert len(medical_skills(person(one.entity(medic), one.table))) > 20
    fields = one.named("medical").fields(one.table, one.actor("ben", medic), {})
    assert next(field for field in fields if field.name == "skill").needs_yes


@rule("toaster.4.heal-medical-roll", "toaster.4.penalty-scope")
def test_a_hurt_medic_is_hindered_by_their_own_wounds_too():
    one, patient, medic = in_bed(6, 2)
    put(one, medic, wounds=wounded(1))
    card = care(one, patient, medic, "first-aid", 9)
    assert card["sides"][0]["total"] == 7 - 1 - 2 + 9


@rule("toaster.4.heal-week")
def test_who_heals_below_five_wounds_is_no_longer_mortally_wounded():
    one, patient, _ = in_bed(9, 5)
    put(one, patient, condition="mortal", mortality={"fate": "holds", "rounds": 1, "stable": True})
    week(one, 9)
    assert how(one, patient) == (0, 4, "awake")


@rule("toaster.4.hitloc-limb", "toaster.4.heal-week")
def test_which_wound_heals_is_asked_where_it_matters():
    rows = [*wounded(1, "left-arm"), *wounded(3, "left-leg"), *wounded(1)]
    first, other = (at_table(entity(state={"wounds": rows})).me for _ in "12")
    heal_wound(first)
    heal_wound(other, "left-arm")
    by_most, named = (
        [row["n"] for row in first.wound_rows],
        [row["area"] for row in other.wound_rows],
    )
    assert (by_most, named) == ([1, 2, 1], ["left-leg", ""])
    one, who, _ = in_bed(8, 0)
    put(one, who, wounds=rows[:2])
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), (9,), area="left-arm")
    assert [row["area"] for row in one.entity(who).state["wounds"]] == ["left-leg"]


@rule("toaster.4.heal-week")
def test_luck_and_called_fours_on_healing():
    one, patient, _ = in_bed(6, 2, luck_points=True, calling_fours=True, fours_healing=True)
    put(one, patient, luck=6)
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), (3,), luck=1)
    one.answer("ana", one.ask("healing_luck"), use="add", points=1)
    assert one.card["sides"][0]["total"] == 6 - 2 + 3 + 2 + 1
    assert (how(one, patient)[1], one.entity(patient).state["luck"]) == (1, 4)
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), called=True)
    one.answer("ana", one.ask("healing_luck"), use="stand")
    assert (one.card["sides"][0]["total"], how(one, patient)[1]) == (9, 1)


@rule("toaster.3.luck-after-zero")
def test_nobody_is_asked_for_luck_where_it_cannot_help():
    """A wound that heals can do no better, and of a 0 three points make nothing."""
    one, patient, medic = in_bed(6, 2, luck_points=True, rolling_zeros=True)
    put(one, patient, luck=3)
    put(one, medic, luck=3)
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), (6,))
    assert (how(one, patient)[1], one.asks("healing_luck")) == (1, [])
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), (0, 9))
    assert (how(one, patient)[1], one.asks("healing_luck")) == (1, [])
    help_ = {"patient": patient, "purpose": "first-aid", "skill": MEDICINE}
    one.roll("ben", "medical", medic, (0, 9), **help_)
    assert one.asks("medical_luck") == []


@rule("toaster.4.heal-medical-roll")
def test_luck_on_a_medics_roll_and_a_second_throw():
    one, patient, medic = in_bed(6, 2, luck_points=True)
    put(one, medic, luck=5)
    care(one, patient, medic, "first-aid", 1)
    one.answer("ben", one.ask("medical_luck"), (8,), use="again")
    one.answer("ben", one.ask("medical_luck"), use="add", points=1)
    assert one.entity(patient).state["care"]["bonus"] == 7 - 2 + 8 + 1 - 10
    assert one.entity(medic).state["luck"] == 0


@rule("toaster.3.luck-after-blind")
@pytest.mark.parametrize(
    ("blind", "words"), [(True, "The total is 5."), (False, "The roll is failure with 5.")]
)
def test_blind_luck_does_not_hear_how_a_healing_roll_stands(blind, words):
    one, patient, _ = in_bed(6, 2, luck_points=True, luck_blind=blind)
    put(one, patient, luck=6)
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), (1,))
    assert one.ask("healing_luck").text == f"{words} Ana has 6 luck points."


@rule("toaster.4.heal-medical-roll", "toaster.4.heal-week")
def test_what_cannot_be_is_refused_in_sentences():
    one, patient, medic = ward()
    with pytest.raises(RuleRefuses, match="Nobody is hurt"):
        care(one, patient, medic, "first-aid", 9)
    put(one, patient, wounds=wounded(1))
    with pytest.raises(BadAnswers):
        one.roll("ben", "medical", medic, (9,), patient=medic, skill=MEDICINE)
    one.move(GM, "days")


@rule("toaster.4.heal-week")
@pytest.mark.parametrize("state", [{"wounds": []}, {"condition": "dead"}])
def test_who_has_healed_or_died_while_a_healing_roll_waits_needs_none(state):
    one, patient, _ = in_bed(6, 1)
    one.move(GM, "days")
    put(one, patient, **state)
    one.answer("ana", one.ask("healing"))
    assert one.card["sentence"] == "Ana needs no healing roll any more."
    assert one.asks() == []


@rule("toaster.4.heal-long-term", "toaster.4.heal-first-aid-once")
@pytest.mark.parametrize("kinds", [("first-aid", "long-term"), ("long-term", "first-aid")])
def test_the_care_that_does_more_stays(kinds):
    one, patient, medic = in_bed(5, 2, settings={"gm_confirms": "each"})
    for kind, bonus in zip(kinds, (6, 1), strict=True):
        care(one, patient, medic, kind, 9, bonus=bonus)
    assert "of before, which does more." in one.card["sentence"]
    assert one.entity(patient).state["care"] == {"kind": kinds[0], "bonus": 6, "early": 0}


@rule("toaster.3.call4-before")
def test_a_called_four_stands_on_the_card_of_a_medic():
    one, patient, medic = in_bed(5, 2, calling_fours=True)
    given = {"patient": patient, "purpose": "first-aid", "skill": MEDICINE, "called": True}
    card = one.roll("ben", "medical", medic, (), **given)
    side = card["sides"][0]
    assert dict(side["parts"])["a called 4"] == 4
    assert side["total"] == sum(worth for _, worth in side["parts"]) == 9
