"""Growth: experience and its uses, specialities, and changes of traits."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules.errors import BadAnswers, RuleRefuses
from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.character.checks import teaching_problems
from tests.rulesets.driver import GM, Evening
from tests.rulesets.toaster.people import (
    entity,
    evening,
    foe,
    hero,
    line,
    person,
    sheet,
    table,
    trait,
)


def rules(refused) -> set[str]:
    return {problem.rule for problem in refused.value.problems}


# ---------------------------------------------------------------- experience


@pytest.mark.rule("toaster.2.adv-award", "toaster.2.adv-award-why", "toaster.2.adv-agreed")
def test_an_adventure_brings_one_to_five_points():
    one = evening()
    ana, ben = hero(one, "ana", used=["ride"]), hero(one, "ben", xp=2)
    fields = {f.name: f for f in one.named("award").fields(one.table, one.actor(GM), {})}
    assert fields[f"points_{ana}"].default == 2
    for wrong in (0, 6):
        with pytest.raises(BadAnswers) as refused:
            one.move(GM, "award", "", (), **{f"points_{ana}": wrong, f"points_{ben}": 2})
        assert rules(refused) == {"toaster.2.adv-award"}
    one.move(GM, "award", "", (), **{f"points_{ana}": 2, f"points_{ben}": 5, "why": "The seal."})
    assert (one.entity(ana).state["xp"], one.entity(ben).state["xp"]) == (2, 7)
    assert one.entity(ana).state["raisable"] == ["ride"]
    assert one.entity(ana).state["used"] == []
    assert one.card["sentence"] == "The seal."
    assert "Ana: 2 points. Used: Ride." in [line["text"] for line in one.card["lines"]]


@pytest.mark.rule("toaster.2.adv-convert", "toaster.2.adv-used-skills")
def test_a_point_is_a_step_of_a_skill_that_was_used():
    one = evening()
    ana = hero(one, "ana", sheet((4, 5, 4, 4), {"act": 2, "climb": 5}), xp=3, used=["climb"])
    fields = one.named("improve").fields(one.table, one.actor("ana", ana), {})
    assert [one.value for one in fields[0].choices[:2]] == ["climb", "act"], "used ones first"
    one.move("ana", "improve", ana, skill="climb", steps=3)
    assert (person(one.entity(ana), one.table).base("climb"), one.entity(ana).state["xp"]) == (
        *(8, 0),
    )
    assert one.card["sentence"] == "Base 5 to 8, rank 5 to 6; 3 spent, 0 left."
    assert one.why_not("ana", "improve", ana) == "Ana has no experience to spend."


@pytest.mark.rule("toaster.2.adv-used-skills", "toaster.3.auto-trained")
@pytest.mark.parametrize(
    ("verdict", "used"), [("automatic", ["ride"]), ("routine", ["ride"]), ("impossible", [])]
)
def test_a_skill_is_used_without_a_die_too(verdict, used):
    one = evening(settings={"gm_confirms": "each"})
    ana = hero(one, "ana", sheet(skills={"ride": 4}))
    one.roll("ana", "task", ana, (), gm={"verdict": verdict}, on="skill:ride")
    assert person(one.entity(ana)).used == used


@pytest.mark.rule("toaster.2.trait-package-cap")
@pytest.mark.parametrize(("base", "steps", "sold"), [(8, 2, False), (5, 2, False), (5, 1, True)])
def test_no_step_is_sold_that_a_package_has_filled(base, steps, sold):
    one = evening()
    scout = trait("package", 4, of="perception, stealth, survival, track", name="Scout")
    four = {"perception": base, "stealth": 0, "survival": 0, "track": 0}
    ana = hero(one, "ana", sheet(skills=four, traits=(scout,)), xp=3, used=["perception"])
    if sold:
        one.move("ana", "improve", ana, skill="perception", steps=steps)
        assert person(one.entity(ana), one.table).base("perception") == 10
        return
    with pytest.raises(BadAnswers) as refused:
        one.move("ana", "improve", ana, skill="perception", steps=steps)
    assert rules(refused) == {"toaster.2.trait-package-cap"}
    assert one.entity(ana).state["xp"] == 3


@pytest.mark.rule("toaster.2.skillcost-halves", "toaster.2.skillcost-compute")
def test_only_whole_steps_are_bought_and_halves_are_kept():
    one = evening(variable_skill_cost=True)
    one.move(
        GM, "edit_table", "", (), table="skills", row="climb", column="price", value="challenging"
    )
    ana = hero(one, "ana", sheet(skills={"climb": 5}), xp=1, used=["climb"])
    with pytest.raises(BadAnswers) as refused:
        one.move("ana", "improve", ana, skill="climb", steps=1)
    assert rules(refused) == {"toaster.2.skillcost-halves"}
    path = ("entities", ana, "state", "xp")
    one.do(GM, c.Override, path=path, now=2, reason="one more")
    one.move("ana", "improve", ana, skill="climb", steps=1)
    assert one.entity(ana).state["xp"] == 0.5
    assert person(one.entity(ana), one.table).base("climb") == 6


@pytest.mark.rule("toaster.2.adv-unused-skills")
def test_what_was_not_used_needs_a_reason_and_the_gm():
    one = evening()
    ana = hero(one, "ana", xp=4)
    with pytest.raises(BadAnswers) as refused:
        one.move("ana", "improve", ana, skill="swim", steps=2)
    assert rules(refused) == {"toaster.2.adv-unused-skills"}
    one.move("ana", "improve", ana, skill="swim", steps=2, why="A month at the sea.")
    assert person(one.entity(ana), one.table).base("swim") == 0
    one.answer(GM, one.ask("judge_improvement"), agreed="yes", word="It was a long month.")
    assert person(one.entity(ana), one.table).base("swim") == 2
    assert one.entity(ana).state["xp"] == 2
    assert [row["text"] for row in one.card["lines"]] == [
        "A month at the sea. It was a long month."
    ]
    one.move("ana", "improve", ana, skill="", other="Language: Latin", steps=1, why="Mass.")
    one.answer(GM, one.ask("judge_improvement"), agreed="no", word="Nobody speaks it here.")
    assert person(one.entity(ana), one.table).base("language:Latin") == 0
    assert not one.asks("judge_improvement")


@pytest.mark.rule("toaster.2.adv-unused-skills")
def test_a_reason_without_a_full_stop_is_a_sentence_all_the_same():
    one = evening()
    ana = hero(one, "ana", xp=4)
    one.move("ana", "improve", ana, skill="swim", steps=2, why="A month at the sea")
    assert one.card["sentence"] == "A month at the sea. The GM has a word in it."
    one.answer(GM, one.ask("judge_improvement"), agreed="yes", word="So be it.")
    assert one.card["lines"][0]["text"] == "A month at the sea. So be it."


@pytest.mark.rule("toaster.2.skills-campaign-list")
def test_another_skill_has_a_name():
    one = evening()
    ana = hero(one, "ana", xp=4)
    with pytest.raises(BadAnswers, match="Name a skill"):
        one.move("ana", "improve", ana, skill="", steps=1, why="A dream.")


@pytest.mark.rule("toaster.2.skill-base-over-10", "toaster.2.skills-campaign-list")
def test_above_ten_the_gm_is_asked_even_for_a_skill_that_was_used():
    one = evening()
    ana = hero(one, "ana", sheet((4, 2, 4, 4), {"run": 10}), xp=4, used=["run"])
    one.move("ana", "improve", ana, skill="run", steps=2)
    assert person(one.entity(ana), one.table).base("run") == 10
    one.answer(GM, one.ask("judge_improvement"), agreed="yes")
    assert person(one.entity(ana), one.table).base("run") == 12
    assert person(one.entity(ana), one.table).rank("run") == 7
    assert not [
        p
        for p in game.sheet.check(one.table, one.entity(ana), "play")
        if p.where == "skills.0.base"
    ]
    with pytest.raises(BadAnswers) as refused:
        one.move("ana", "improve", ana, skill="", other="Sorcery", steps=1)
    assert rules(refused) == {"toaster.2.skills-campaign-list"}


@pytest.mark.rule("toaster.2.skill-teach-base")
def test_a_teacher_has_more_training_whatever_the_ranks():
    one = evening()
    ana = hero(one, "ana", sheet((4, 9, 4, 4), {"ride": 5}), xp=2)
    ben = hero(one, "ben", sheet((4, 1, 4, 4), {"ride": 5}))
    here = one.table
    both = person(one.entity(ben), here), person(one.entity(ana), here)
    (found,) = teaching_problems(*both, "ride", "teacher")
    assert (found.where, found.sentence) == (
        "teacher",
        "Ben has base 5 in Ride and Ana base 5; the teacher needs the higher base.",
    )
    with pytest.raises(BadAnswers) as refused:
        one.move("ana", "improve", ana, skill="ride", steps=1, why="Lessons.", teacher=ben)
    assert rules(refused) == {"toaster.2.skill-teach-base"}
    secret = foe(one, sheet(skills={"ride": 9}), name="Closed")
    fields = one.named("improve").fields(one.table, one.actor("ana", ana), {})
    teachers = next(field for field in fields if field.name == "teacher")
    assert [choice.value for choice in teachers.choices] == ["", ben]
    assert secret not in [choice.value for choice in teachers.choices]
    one.move(GM, "condition", ben, condition="dead", why="A fall.")
    fields = one.named("improve").fields(one.table, one.actor("ana", ana), {})
    teachers = next(field for field in fields if field.name == "teacher")
    assert [choice.value for choice in teachers.choices] == [""]
    novice = entity(sheet((4, 9, 4, 4), {"ride": 4}))
    assert not [*teaching_problems(both[0], person(novice, here), "ride", "teacher")]


# ---------------------------------------------------------------- specialities


def special(base: int, name: str = "knives", **more) -> dict:
    """Somebody of Coordination 5 with a speciality in throwing."""
    areas = more.pop("areas", "knives, axes, stones")
    return sheet((4, 5, 4, 4)) | {
        "skills": [line("throw", base, specialty=name, areas=areas, **more)]
    }


def refusals(built: dict, *, refuses: bool = True, **options) -> set[str]:
    one = entity(built, stage="draft")
    problems = game.sheet.check(table(specialization=True, **options), one, "creation")
    return {p.rule for p in problems if p.refuses == refuses and "specialty" in p.rule}


@pytest.mark.rule(
    "toaster.2.specialty-rank-4",
    "toaster.2.specialty-rank-8-second",
    "toaster.2.specialty-rank-used",
    "toaster.2.specialty-three-areas",
)
def test_ranks_for_a_first_and_a_second_speciality():
    assert refusals(special(2)) == {"toaster.2.specialty-rank-4"}  # rank 3
    assert refusals(special(3)) == set()  # rank 4
    assert refusals(special(3), refuses=False) == {"toaster.2.specialty-gm-approval"}
    second, doubled = {"specialty2": "axes"}, {"doubled": True}
    for more in (second, doubled):
        assert refusals(special(9, **more)) == {"toaster.2.specialty-rank-used"}  # rank 7
        assert refusals(special(11, **more)) == set()  # rank 8
    assert refusals(special(11, **second, **doubled)) == {"toaster.2.specialty-rank-8-second"}
    assert refusals(special(5, areas="knives, axes, Knives")) == {"toaster.2.specialty-three-areas"}


@pytest.mark.rule("toaster.2.specialty-max-skills", "toaster.2.specialty-switch")
def test_a_table_can_limit_specialities_or_have_none():
    many = special(6)
    for key in ("run", "swim"):
        many["skills"].append(line(key, 6, specialty="far", areas="far, fast, high"))
    assert refusals(many, specialty_skills=2) == {"toaster.2.specialty-max-skills"}
    assert refusals(many) == refusals(many, specialty_skills=3) == set()
    without = game.sheet.check(table(), entity(special(2), stage="draft"), "creation")
    assert not {p.rule for p in without if "specialty" in p.rule}
    columns = {
        on: {
            column.name
            for s in game.sheet.sections(table(specialization=on), entity(many))
            for f in s.fields
            if f.name == "skills"
            for column in f.columns
        }
        for on in (True, False)
    }
    assert columns[True] - columns[False] == {"specialty", "specialty2", "doubled", "areas"}


@pytest.mark.rule("toaster.2.specialty-gm-approval")
def test_the_gm_judges_each_speciality_of_a_new_sheet():
    one = evening(specialization=True)
    one.do("ana", c.MakeEntity, kind="pc", name="Ajax")
    ident = next(iter(one.table.entities))
    row = line("throw", 8, specialty="knives", areas="knives, axes, stones")
    one.do("ana", c.SaveSheet, entity=ident, raw={"skills": [row], "attributes.coordination": 5})
    assert "toaster.2.specialty-gm-approval" in {
        p.rule for p in game.sheet.check(one.table, one.entity(ident), "creation")
    }
    one.do("ana", c.SubmitSheet, entity=ident)
    one.answer(GM, one.ask("allow"), verdict="refused", word="Too handy.")
    one.do(GM, c.DecideSheet, entity=ident, accept=True)
    assert person(one.entity(ident), one.table).rank("throw", specialty="knives") == 6
    assert person(one.entity(ident), one.table).skill("throw").specialties == ()


def test_a_speciality_of_a_skill_that_left_the_sheet_is_refused_in_a_sentence():
    one = evening(specialization=True)
    ana = hero(one, "ana", sheet((6, 6, 6, 6), {"climb": 8, "ride": 8}))
    wanted = {"skill": "1", "how": "first", "name": "ponies", "areas": "ponies, mules, camels"}
    one.move("ana", "specialise", ana, **wanted)
    one.do(GM, c.SaveSheet, entity=ana, raw={"skills": [line("ride", 8)]})
    with pytest.raises(RuleRefuses, match="That skill is no longer on the sheet"):
        one.answer(GM, one.ask("judge_speciality"), verdict="accepted")
    one.answer(GM, one.ask("judge_speciality"), verdict="refused")


@pytest.mark.rule("toaster.2.specialty-gm-approval", "toaster.2.specialty-rank-8-second")
def test_a_speciality_in_play_is_asked_for():
    one = evening(specialization=True)
    ana = hero(one, "ana", sheet((4, 7, 4, 4), {"throw": 9, "run": 0}))
    first = {"skill": "0", "how": "first", "name": "knives", "areas": "knives, axes, stones"}
    one.move("ana", "specialise", ana, **first)
    assert person(one.entity(ana), one.table).rank("throw", specialty="knives") == 8
    one.answer(GM, one.ask("judge_speciality"), verdict="accepted")
    assert person(one.entity(ana), one.table).rank("throw", specialty="knives") == 9
    one.move("ana", "specialise", ana, skill="0", how="second", name="axes")
    one.answer(GM, one.ask("judge_speciality"), verdict="refused", word="One will do.")
    assert person(one.entity(ana), one.table).rank("throw", specialty="axes") == 8
    one.move("ana", "specialise", ana, skill="0", how="doubled")
    one.answer(GM, one.ask("judge_speciality"), verdict="accepted")
    assert person(one.entity(ana), one.table).rank("throw", specialty="knives") == 10
    with pytest.raises(BadAnswers):
        one.move("ana", "specialise", ana, **first)
    guard = foe(one, sheet((4, 7, 4, 4), {"throw": 9}))
    one.move(GM, "specialise", guard, **first)
    assert one.card["audience"] == "gm"
    plain = evening()
    ben = hero(plain, "ben", sheet((4, 7, 4, 4), {"throw": 9}))
    assert plain.why_not("ben", "specialise", ben) == "Specialties are off at this table."


@pytest.mark.rule("toaster.2.specialty-rank-8-second")
def test_a_second_speciality_does_not_take_the_place_of_another():
    """Coordination 7 and a base of 9 are a rank of 8."""
    one = evening(specialization=True)
    ana = hero(one, "ana", sheet((4, 7, 4, 4)) | {"skills": [special(9)["skills"][0]]})
    one.move(GM, "specialise", ana, skill="0", how="second", name="axes")
    with pytest.raises(BadAnswers, match=r"a second specialty already, “axes”\. Two is the limit"):
        one.move("ana", "specialise", ana, skill="0", how="second", name="stones")
    assert one.entity(ana).sheet["skills"][0]["specialty2"] == "axes"


# ---------------------------------------------------------------- traits


def balanced() -> dict:
    return sheet(traits=(trait("custom", 2, name="Lucky"), trait("custom", -2, name="Late")))


def played() -> tuple[Evening, str]:
    one = evening()
    return one, hero(one, "ana", balanced())


@pytest.mark.rule("toaster.2.adv-traits-fixed", "toaster.2.adv-traits-balance")
def test_traits_stay_and_their_sum_stays_whoever_writes():
    one, ana = played()
    before, rows = one.entity(ana), balanced()["traits"]
    after = entity(sheet(traits=(rows[0],)), id=ana, owner="ana", stage="play")
    refused = game.sheet.amend(one.table, one.actor("ana", ana), before, after)
    assert [p.rule for p in refused] == ["toaster.2.adv-traits-fixed"]
    by_gm = game.sheet.amend(one.table, one.actor(GM, ana), before, after)
    assert [p.rule for p in by_gm] == ["toaster.2.adv-traits-balance"]
    other = entity(
        sheet(traits=(rows[0], trait("custom", -2, name="Loud"))), id=ana, owner="ana", stage="play"
    )
    assert game.sheet.amend(one.table, one.actor(GM, ana), before, other) == ()
    one.do(GM, c.DecideSheet, entity=ana, accept=False)
    one.do("ana", c.SaveSheet, entity=ana, raw={"traits": [rows[0]]})
    with pytest.raises(BadAnswers) as refused:
        one.do("ana", c.SubmitSheet, entity=ana)
    assert rules(refused) == {"toaster.2.adv-traits-balance"}


@pytest.mark.rule("toaster.2.adv-traits-rearrange", "toaster.2.adv-traits-balance")
def test_the_gm_may_let_a_player_rearrange():
    one, ana = played()
    lucky, late = balanced()["traits"]
    loud = trait("custom", -2, name="Loud")
    for wrong in ([lucky], [lucky, late | {"rank": -1}], [lucky, late]):
        with pytest.raises(BadAnswers):
            one.move("ana", "rearrange", ana, traits=wrong, why="A long winter.")
    one.move("ana", "rearrange", ana, traits=[lucky, loud], why="A long winter.")
    assert [t.name for t in person(one.entity(ana)).traits] == ["Lucky", "Late"]
    one.answer(GM, one.ask("judge_traits"), agreed="yes")
    assert [t.name for t in person(one.entity(ana)).traits] == ["Lucky", "Loud"]
    assert [row["text"] for row in one.card["lines"]] == [
        "Before: Lucky +2; Late -2.",
        "Now: Lucky +2; Loud -2.",
    ]
    one.move("ana", "rearrange", ana, traits=[], why="A monk now.")
    one.answer(GM, one.ask("judge_traits"), agreed="no", word="Not so fast.")
    assert len(person(one.entity(ana)).traits) == 2
    one.move(GM, "rearrange", ana, traits=[], why="A monk after all.")
    assert person(one.entity(ana)).traits == []
