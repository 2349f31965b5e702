"""Unopposed actions at the table: decisions, modifiers, results."""

from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.throws import as_chance
from kitchentable.dice import MissingFaces
from kitchentable.rules.errors import BadAnswers
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.book import TABLES
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import contest, evening, fields, foe, hero, state, task

rule = pytest.mark.rule
TRAINED = {"climb": 7, "ride": 3, "perception": 5}


@pytest.fixture
def one():
    return evening()


@pytest.fixture
def ana(one):
    """Somebody with 5 in everything: Climb 6, Ride 4, untrained skills 2."""
    return hero(one, "ana", **TRAINED)


@rule("toaster.3.unopposed-order", "toaster.3.unopposed-target")
def test_rank_die_and_modifiers_against_10(one, ana):
    card = task(one, ana, "climb", 5, gm={"difficulty": "difficult"})
    side = card["sides"][0]
    assert (side["parts"], side["total"]) == ([["Climb", 6], ["Difficult", -2]], 9)
    assert card["outcome"] == "failure"
    assert task(one, ana, "climb", 4)["outcome"] == "success"
    assert task(one, ana, "climb", 3)["outcome"] == "failure"


@rule("toaster.3.which-skill")
def test_a_learned_skill_is_proposed_and_no_language(one):
    able = hero(one, "ana", language__English=9, climb=7, ride=3)
    assert on_of(one, able) == "skill:climb"
    assert on_of(one, hero(one, "ben", language__English=9)) == "attribute:physique"


def on_of(one, who: str) -> str:
    """What a roll of somebody is made on, unless something else is said."""
    found = fields(one, "task", who, seat=one.table.entities[who].owner)
    return next(field.default for field in found if field.name == "on")


@rule("toaster.3.percentages")
def test_the_odds_stand_beside_the_roll(one, ana):
    task(one, ana, "climb", 4, gm={"difficulty": "very-difficult"})
    assert as_chance(one.last.throw.odds["success"]) == Fraction(3, 10)


@rule("toaster.3.vo-switch", "toaster.3.vo-plain-test", "toaster.3.vo-bands")
def test_the_odds_of_five_outcomes_say_which_of_them_they_count():
    """Rank 6: a total of 12 is a success, and 10 passes the plain test."""
    one = evening(variable_outcomes=True)
    ana = hero(one, "ana", **TRAINED)
    task(one, ana, "climb", 4)
    event = one.last
    assert event.data["odds_sentence"] == (
        "Success or critical: a 6 or better. The plain test: a 4 or better."
    )
    good = [band["key"] for band in event.data["bands"] if band["good"]]
    assert good == ["critical", "success"]
    assert sum(as_chance(event.throw.odds[key]) for key in good) == Fraction(4, 10)


@rule("toaster.3.gm-decides-roll", "toaster.3.dice-when")
def test_the_gm_decides_whether_there_is_a_roll_and_on_what(one, ana):
    field = next(f for f in fields(one, "task", ana) if f.name == "verdict")
    assert field.set_by == "gm"
    assert [choice.value for choice in field.choices] == [
        "rules",
        "roll",
        "routine",
        "automatic",
        "impossible",
    ]
    roll = one.propose("ana", "task", ana, on="skill:climb")
    one.do(GM, c.Settle, proposal=roll, answers={"verdict": "roll", "on": "skill:ride"})
    one.do("ana", c.Throw, (6,), proposal=roll)
    assert one.card["sides"][0]["parts"] == [["Ride", 4]]
    assert one.last.data["by"]["on"] == "gm"
    with pytest.raises(NotAllowed):
        one.propose("ana", "task", ana, verdict="automatic")


@rule("toaster.3.auto-mundane")
def test_what_anybody_manages_draws_no_die(one, ana):
    card = task(one, ana, "climb", gm={"verdict": "automatic"}, what="up the ladder")
    assert card["outcome"] == "automatic success"
    assert one.last.throw is None
    with pytest.raises(MissingFaces):
        task(one, ana, "climb", gm={"verdict": "roll"}, what="up the ladder, sword in hand")


@rule("toaster.3.auto-failure")
def test_what_cannot_be_done_fails_without_a_die(one, ana):
    card = task(one, ana, "climb", gm={"verdict": "impossible"})
    assert (card["outcome"], one.last.throw) == ("automatic failure", None)
    assert "toaster.3.auto-failure" in card["rules"]


@rule("toaster.3.auto-trained")
def test_routine_is_for_the_trained_however_high_the_rank(one):
    rider = hero(one, "ana", ride=1)
    assert task(one, rider, "ride", gm={"verdict": "routine"})["outcome"] == "automatic success"
    gifted = hero(one, "ben", (5, 8, 5, 5))
    card = task(one, gifted, "ride", 6, seat="ben", gm={"verdict": "routine"})
    assert (card["outcome"], card["sides"][0]["parts"]) == ("success", [["Ride", 4]])
    sure = task(
        one,
        gifted,
        "ride",
        seat="ben",
        gm={"verdict": "routine", "modifiers": [{"why": "a pony", "value": 6}]},
    )
    assert sure["sentence"] == "Succeeds without a roll. Even a 0 would be enough."


@rule("toaster.2.skill-swim-afloat")
def test_whoever_has_learned_to_swim_stays_afloat(one):
    ashore = hero(one, "ana", (5, 6, 5, 5))
    card = task(one, ashore, "swim", 6, use="afloat")
    assert (card["outcome"], card["sides"][0]["parts"]) == ("failure", [["Swim", 3]])
    swimmer = hero(one, "ben", (5, 6, 5, 5), swim=1)
    assert task(one, swimmer, "swim", seat="ben", use="afloat")["outcome"] == "automatic success"
    storm = {"verdict": "roll", "circumstances": ["waves"]}
    assert task(one, swimmer, "swim", 9, seat="ben", use="afloat", gm=storm)["outcome"] == "success"


@rule("toaster.3.no-roll-if-sure")
def test_what_succeeds_on_a_0_is_not_rolled_for(one):
    master = hero(one, "ana", (5, 8, 5, 5), climb=8)
    card = task(one, master, "climb", gm={"difficulty": "easy"})
    assert (card["outcome"], one.last.throw) == ("automatic success", None)
    assert "toaster.3.no-roll-if-sure" in card["rules"]
    assert task(one, master, "climb", 0, gm={"difficulty": "straightforward"})["outcome"] == (
        "failure"
    )


@rule("toaster.3.roll-anyway-zeros")
def test_with_zeros_the_sure_thing_may_be_rolled_for():
    one = evening(rolling_zeros=True, roll_when_sure=True)
    master = hero(one, "ana", (5, 8, 5, 5), climb=8)
    card = task(one, master, "climb", 0, 3, gm={"difficulty": "easy"})
    assert card["outcome"] == "failure"
    odds = one.last.throw.odds
    assert as_chance(odds["failure"]) + as_chance(odds["fumble"]) == Fraction(1, 10)
    off = evening(rolling_zeros=True)
    same = hero(off, "ana", (5, 8, 5, 5), climb=8)
    assert task(off, same, "climb", gm={"difficulty": "easy"})["outcome"] == "automatic success"


@rule("toaster.3.dice-quality")
def test_a_roll_can_measure_how_well_it_is_done(one, ana):
    card = task(one, ana, "climb", 2, gm={"measures": "quality"})
    assert (card["sides"][0]["total"], card["sentence"]) == (8, "Done, with a poor result.")
    assert task(one, ana, "climb", 5, gm={"measures": "quality"})["sentence"] == (
        "Done, and done well."
    )


@rule("toaster.3.related-skill", "toaster.3.related-default")
def test_a_related_skill_stands_in_for_3_less():
    one = evening()
    driver = hero(one, "ana", (5, 7, 5, 5), drive=7)
    boat = {"fit": "related"}
    assert task(one, driver, "drive", 6, gm=boat)["outcome"] == "success"
    card = task(one, driver, "drive", 5, gm=boat)
    assert card["sides"][0]["parts"] == [["Drive", 7], ["a related skill", -3]]
    assert card["outcome"] == "failure"
    refused = {"on": "skill:pilot-ship"}
    assert task(one, driver, "drive", 6, gm=refused)["sides"][0]["parts"] == [["Pilot Ship", 3]]
    strict = evening(related_modifier=-4)
    other = hero(strict, "ana", (5, 7, 5, 5), drive=7)
    assert task(strict, other, "drive", 6, gm=boat)["sides"][0]["total"] == 9


@rule("toaster.2.skill-language-related")
def test_a_related_language_helps_with_the_same_3_less(one):
    traveller = hero(one, "ana", (5, 5, 6, 5), language__Spanish=6)
    card = task(one, traveller, "language:Spanish", 6, gm={"fit": "related"}, what="Italian")
    assert card["sides"][0]["total"] == 6 - 3 + 6


@rule("toaster.3.attribute-roll")
def test_an_attribute_is_rolled_as_it_is(one, ana):
    card = task(one, ana, "intellect", 5, what="remember the name")
    assert (card["sides"][0]["parts"], card["outcome"]) == ([["Intellect", 5]], "success")
    assert task(one, ana, "physique:strength", 4)["title"] == "Strength"


@rule("toaster.3.attribute-roll-not-if-skill")
def test_a_fitting_skill_takes_the_place_of_the_attribute(one):
    ashore = hero(one, "ana", (5, 7, 5, 5))
    card = task(one, ashore, "coordination", 6, gm={"fitting": "climb"})
    assert (card["sides"][0]["parts"], card["outcome"]) == ([["Climb", 3]], "failure")
    assert task(one, ashore, "coordination", 6)["sides"][0]["total"] == 13


@rule("toaster.3.difficulty-ladder")
@pytest.mark.parametrize(
    ("step", "value"),
    [
        ("childs-play", 5),
        ("simplistic", 4),
        ("very-easy", 3),
        ("easy", 2),
        ("straightforward", 1),
        ("average", 0),
        ("challenging", -1),
        ("difficult", -2),
        ("very-difficult", -3),
        ("excruciating", -4),
        ("hellish", -5),
    ],
)
def test_the_ladder_of_difficulties(one, ana, step, value):
    assert len(TABLES["difficulty"]) == 11
    card = task(one, ana, "climb", 3, gm={"difficulty": step, "verdict": "roll"})
    (side,) = card["sides"]
    assert side["total"] == 6 + 3 + value
    assert sum(worth for _, worth in side["parts"][1:]) == value


@rule("toaster.3.difficulty-ladder")
@pytest.mark.parametrize("word", ["Straight-forward", "straightforward", "STRAIGHT FORWARD"])
def test_a_difficulty_is_taken_by_the_books_word(one, ana, word):
    card = task(one, ana, "climb", 4, gm={"difficulty": word})
    assert card["sides"][0]["parts"][1:] == [["Straight-forward", 1]]
    assert kt.game("toaster").roll("task", rank=5, difficulty=word, faces=[4]).outcome.total == 10


@rule("toaster.3.zeros-fumble-check")
def test_the_second_roll_after_a_zero_stands_on_the_card():
    one = evening(rolling_zeros=True)
    ana, ben = hero(one, "ana", climb=3), hero(one, "ben")
    card = task(one, ana, "climb", 0, 3)
    told = "A 0 fails; the second roll, with 7, says whether it is a fumble."
    assert [line["text"] for line in card["lines"]] == [told]
    hidden = {"gm": {"difficulty": "easy"}, "hidden": ("difficulty",)}
    card = one.roll("ana", "task", ana, (0, 3), on="skill:climb", **hidden)
    assert [(line["text"], line["audience"]) for line in card["lines"]] == [
        ("A 0 fails; the second roll says whether it is a fumble.", "all"),
        ("Kept for Ana: Easy +2; the total is 6, then 9.", "gm"),
    ]
    thug = foe(one, "Thug", climb=3)
    card = task(one, thug, "climb", 0, 3, seat=GM)
    assert [(line["text"], line["audience"]) for line in card["lines"]] == [
        ("A 0 fails; the second roll says whether it is a fumble.", "all"),
        ("The second roll makes 7.", "gm"),
    ]
    card = contest(one, ana, ben, (0, 4, 2), on="skill:climb", other_on="attribute:aura")
    assert card["lines"][0]["text"] == "A 0 for Ana, which fails, with 6 on the second roll."


@rule("toaster.3.difficulty-beyond-5")
def test_beyond_five_the_gm_is_reminded_and_may_roll_all_the_same(one, ana):
    asked = {"difficulty": "custom", "number": 6}
    number = next(f for f in fields(one, "task", ana, **asked) if f.name == "number")
    assert number.help == "Beyond +5: rather an automatic success?"
    asked["number"] = -6
    number = next(f for f in fields(one, "task", ana, **asked) if f.name == "number")
    assert number.help == "Beyond -5: rather an automatic failure?"
    card = task(one, ana, "climb", 9, gm=asked)
    assert (card["sides"][0]["total"], card["outcome"]) == (9, "failure")


@rule("toaster.3.difficulty-rules-or-gm")
def test_further_modifiers_carry_their_reasons(one, ana):
    gm = {
        "difficulty": "challenging",
        "modifiers": [{"why": "a rope", "value": 2}, {"why": "rain", "value": -1}],
    }
    card = task(one, ana, "climb", 4, gm=gm)
    assert card["sides"][0]["parts"][1:] == [["Challenging", -1], ["a rope", 2], ["rain", -1]]
    assert card["sides"][0]["total"] == 10


@rule("toaster.2.skill-climb-difficulty")
def test_circumstances_of_a_climb_are_itemised(one, ana):
    card = task(one, ana, "climb", 5, gm={"circumstances": ["slick", "gear"]})
    assert card["sides"][0]["parts"][1:] == [["slick or wet", -2], ["climbing gear", 1]]
    assert card["sides"][0]["total"] == 10


@rule(
    "toaster.2.skill-intrusion-tools",
    "toaster.2.skill-navigation",
    "toaster.2.skill-persuasion-incentive",
    "toaster.2.skill-dodge-area",
    "toaster.2.skill-drive-exotic",
    "toaster.2.skill-empathy-animals",
    "toaster.2.skill-lipreading-view",
    "toaster.2.skill-pilot-aircraft",
    "toaster.2.skill-pilot-ship",
    "toaster.2.skill-run-modifiers",
)
@pytest.mark.parametrize(
    ("skill", "key", "value"),
    [
        ("intrusion", "no-tools", -3),
        ("navigation", "new-region", -1),
        ("persuasion", "incentive", 2),
        ("dodge", "area", -3),
        ("drive", "exotic", -3),
        ("empathy", "animal", -3),
        ("pilot-aircraft", "other-type", -2),
        ("pilot-ship", "weather", -2),
        ("run", "head-start", 2),
        ("lip-reading", "half-hidden", -2),
    ],
)
def test_each_skill_offers_the_gm_its_circumstances(one, skill, key, value):
    who = hero(one, "ana", **{skill.replace("-", "_"): 5, "language__English": 5})
    gm = {"circumstances": [key], "verdict": "roll"}
    more = {"language": "language:English"} if skill == "lip-reading" else {}
    card = task(one, who, skill, 1, gm=gm, **more)
    assert card["sides"][0]["parts"][-1][1] == value


@rule("toaster.2.skill-science-era", "toaster.2.skill-intrusion-tools")
def test_what_the_age_or_the_tools_do_not_give_fails_without_a_roll(one):
    priest = hero(one, "ana", science__Chemistry=6)
    gm = {"verdict": "impossible"}
    card = task(one, priest, "science:Chemistry", gm=gm, what="gunpowder, under Ramses")
    assert card["outcome"] == "automatic failure"
    assert task(one, priest, "intrusion", gm=gm, what="the vault")["outcome"] == "automatic failure"


@rule("toaster.2.skill-lipreading-language")
def test_lips_are_read_in_a_known_language_only(one):
    spy = hero(one, "ana", lip_reading=5, language__Latin=4)
    with pytest.raises(BadAnswers, match="does not know the language"):
        task(one, spy, "lip-reading", 5, language="")
    assert task(one, spy, "lip-reading", 5, language="language:Latin")["outcome"] == "success"
    override = task(
        one, spy, "lip-reading", 4, gm={"despite": True, "verdict": "roll"}, language=""
    )
    assert override["outcome"] == "failure"


@rule("toaster.2.skill-teach-base")
def test_a_teacher_needs_the_higher_base_whatever_the_ranks(one):
    teacher = hero(one, "ana", (5, 5, 3, 3), teach=5, climb=5)
    student = hero(one, "ben", (5, 9, 9, 9), climb=5)
    asked = {"student": student, "subject": "climb"}
    with pytest.raises(BadAnswers, match="needs the higher base"):
        task(one, teacher, "teach", 6, **asked)
    junior = hero(one, "ben", (5, 9, 9, 9), climb=4)
    card = task(one, teacher, "teach", 6, student=junior, subject="climb")
    assert card["outcome"] == "success"


@rule("toaster.2.skill-artistic-attribute")
def test_each_art_leans_on_its_own_attribute(one):
    dancer = hero(one, "ana", (5, 7, 5, 5), artistic__Dance=3, artistic__Poetry=3)
    dance, poetry = one.entity(dancer).sheet["skills"]
    now = [{**dance, "attribute": "coordination"}, {**poetry, "attribute": "intellect"}]
    path = ("entities", dancer, "sheet", "skills")
    one.do(GM, c.Override, path=path, now=now, reason="for the test")
    assert task(one, dancer, "artistic:Dance", 5)["sides"][0]["parts"] == [["Artistic: Dance", 5]]
    assert task(one, dancer, "artistic:Poetry", 5)["sides"][0]["parts"] == [["Artistic: Poetry", 4]]


@rule("toaster.2.skill-empathy-modes")
def test_a_mood_is_read_against_10(one):
    reader = hero(one, "ana", empathy=5)
    use = next(f for f in fields(one, "task", reader, on="skill:empathy") if f.name == "use")
    assert [choice.value for choice in use.choices] == ["", "mood", "lie"]
    assert "contest" in use.choices[2].hint
    assert task(one, reader, "empathy", 5, use="mood")["outcome"] == "success"


def test_a_skill_that_was_rolled_on_counts_as_used(one, ana):
    task(one, ana, "climb", 5)
    task(one, ana, "climb", 5)
    task(one, ana, "intellect", 5)
    assert one.entity(ana).state["used"] == ["climb"]


def test_wounds_hinder_and_the_unconscious_do_nothing(one, ana):
    state(one, ana, wounds=[{"n": 2, "area": "", "cause": "attack"}])
    card = task(one, ana, "climb", 5)
    assert card["sides"][0]["parts"] == [["Climb", 6], ["wounds", -2]]
    state(one, ana, condition="unconscious")
    assert "unconscious" in one.why_not("ana", "task", ana)


@rule("toaster.3.complementary", "toaster.3.complementary-amount", "toaster.3.complementary-max")
def test_complementary_skills_help_within_a_limit():
    one = evening(complementary_skills=True)
    skills = {"persuasion": 5, "seduction": 5, "act": 9}
    charmer = hero(one, "ana", (5, 5, 5, 5), **skills)
    asked = {"on": "skill:persuasion", "helps": ["seduction", "act"]}
    found = {f.name: f for f in fields(one, "task", charmer, **asked)}
    assert [c.hint for c in found["helps"].choices] == ["often helps", ""]
    assert (found["helps_seduction"].default, found["helps_act"].default) == (1, 2)
    card = task(one, charmer, "persuasion", 4, helps=["seduction"])
    assert card["sides"][0]["parts"][1] == ["helped by Seduction", 1]
    both = task(one, charmer, "persuasion", 4, helps=["seduction", "act"])
    assert both["sides"][0]["parts"][1] == ["helped by Seduction and Act", 2]
    gm = {"helps_act": 3, "beyond": True}
    assert task(one, charmer, "persuasion", 4, gm=gm, helps=["act"])["sides"][0]["total"] == 12
    off = evening()
    same = hero(off, "ana", **skills)
    assert "helps" not in {f.name for f in fields(off, "task", same, on="skill:persuasion")}


@rule("toaster.2.skill-act-disguise")
@pytest.mark.parametrize(
    ("in_act", "note"), [(True, "It includes make-up"), (False, "Artistic: Disguise.")]
)
def test_disguise_belongs_to_acting_or_is_an_art(in_act, note):
    one = evening(disguise_in_act=in_act)
    who = hero(one, "ana")
    (on,) = [f for f in fields(one, "task", who, on="skill:act") if f.name == "on"]
    assert note in on.help
    assert ("skill:artistic:Disguise" in {each.value for each in on.choices}) == (not in_act)


@rule("toaster.3.which-skill")
def test_the_note_on_the_chosen_skill_stands_below_the_question(one):
    who = hero(one, "ana", ride=5, act=5)
    (first,) = [f for f in fields(one, "task", who) if f.name == "on"]
    assert (first.default, first.help) == ("skill:ride", hint(one.table, "ride").note)
    other = foe(one)
    named = {f.name: f for f in fields(one, "contest", who, other=other, on="skill:act")}
    assert named["on"].help.startswith("Anybody who might see through it rolls Empathy against it.")
    assert named["other_on"].help == hint(one.table, "empathy").note
    (body,) = [f for f in fields(one, "task", who, on="attribute:aura") if f.name == "on"]
    assert body.help == ""


@rule("toaster.2.skill-acrobatics-complement", "toaster.2.skill-acrobatics-both-rolls")
def test_acrobatics_may_help_dodge_and_lands_what_dodge_began():
    one = evening(complementary_skills=True)
    who = hero(one, "ana", dodge=5, acrobatics=5)
    found = {f.name: f for f in fields(one, "task", who, on="skill:dodge")}
    assert next(c for c in found["helps"].choices if c.value == "acrobatics").hint == "often helps"
    card = task(one, who, "acrobatics", 4, use="landing")
    assert card["outcome"] == "failure"
    ask = one.ask("meaning")
    one.answer(GM, ask, follows="landing", retry="no")
    assert "landing fails" in one.card["lines"][0]["text"]


def test_a_foes_task_is_the_gms(one):
    thug = foe(one, "Thug", climb=5)
    task(one, thug, "climb", 5, seat=GM)
    assert one.card["sides"][0]["audience"] == "gm"
    assert one.last.throw.closed == ("roll",)
