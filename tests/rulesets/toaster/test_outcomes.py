"""Variable outcomes, zeros, and the cards that ask the GM for their meaning."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules.errors import BadAnswers
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.mechanics.tasks import outcome_of
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import evening, hero, speak, task

rule = pytest.mark.rule


def varied(**options):
    one = evening(variable_outcomes=True, **options)
    return one, hero(one, "ana", (5, 5, 5, 5), craft__Smith=5, climb=5)


def ask_fields(one, ask, **answers):
    actor = one.actor(GM, ask.entity)
    gm = type(actor)(actor.seat, actor.role, actor.entity, ask.id)
    return {field.name: field for field in one.named(ask.move).fields(one.table, gm, answers)}


@rule("toaster.3.vo-switch", "toaster.3.vo-bands")
@pytest.mark.parametrize(
    ("number", "faces", "outcome"),
    [
        (-1, (0,), "fumble"),
        (0, (0,), "failure"),
        (0, (3,), "failure"),
        (0, (4,), "marginal, leaning bad"),
        (0, (6,), "marginal, leaning good"),
        (0, (7,), "success"),
        (1, (9,), "success"),
        (2, (9,), "critical"),
    ],
)
def test_the_five_outcomes(number, faces, outcome):
    one, ana = varied()
    gm = {"difficulty": "custom", "number": number, "verdict": "roll"}
    assert task(one, ana, "climb", *faces, gm=gm)["outcome"] == outcome
    off = evening()
    same = hero(off, "ana", climb=5)
    assert task(off, same, "climb", 4)["outcome"] == "failure"


@rule("toaster.3.marginal-meaning")
@pytest.mark.parametrize(("face", "lean"), [(4, "leaning bad"), (5, "even"), (6, "leaning good")])
def test_a_marginal_result_leans(face, lean):
    one, ana = varied()
    assert task(one, ana, "climb", face)["outcome"] == f"marginal, {lean}"


@rule("toaster.3.vo-plain-test")
def test_the_plain_test_stands_beside_the_words():
    assert [outcome_of(total, bands=True).succeeds for total in (9, 10)] == [False, True]
    assert [outcome_of(total, bands=True).band for total in (9, 10)] == ["marginal", "marginal"]


@rule("toaster.3.vo-zero-precedence")
def test_after_a_zero_the_second_roll_alone_decides():
    one = evening(variable_outcomes=True, rolling_zeros=True)
    ana = hero(one, "ana", (5, 9, 5, 5), climb=9)
    assert task(one, ana, "climb", 0, 5)["outcome"] == "failure"
    weak = hero(one, "ben", (5, 4, 5, 5))
    assert task(one, weak, "climb", 0, 8, seat="ben")["outcome"] == "failure"


@rule("toaster.3.fumble-meaning")
def test_a_fumble_asks_and_does_nothing_by_itself():
    one = evening(rolling_zeros=True)
    ana = hero(one, "ana", climb=5)
    before = dict(one.entity(ana).state)
    task(one, ana, "climb", 0, 2)
    assert {**before, "used": ["climb"]} == one.entity(ana).state
    ask = one.ask("meaning")
    assert ask.skippable
    ideas = [row["text"] for row in TABLES["ideas"] if row["of"] == "fumble"]
    assert [idea in ask_fields(one, ask)["text"].help for idea in ideas] == [True] * 6
    one.answer(GM, ask, text="The rope is somebody's washing line.", retry="otherwise")
    assert one.card["sentence"] == "The rope is somebody's washing line."
    assert one.card["about"] == one.campaign.number - 1
    assert "toaster.3.fumble-meaning" in one.card["rules"]


@rule("toaster.3.failure-meaning", "toaster.3.failure-retry")
def test_a_failure_costs_nothing_and_may_be_tried_again_if_the_gm_says_so():
    one = evening(outcome_prompts="all")
    ana = hero(one, "ana", ride=5)
    task(one, ana, "ride", 2)
    one.answer(GM, one.ask("meaning"), retry="no")
    assert [line["text"] for line in one.card["lines"]] == ["It cannot be tried again."]
    quiet = evening()
    task(quiet, hero(quiet, "ana", ride=5), "ride", 2)
    assert quiet.asks() == []
    silent = evening(outcome_prompts="none", rolling_zeros=True)
    task(silent, hero(silent, "ana", ride=5), "ride", 0, 2)
    assert silent.asks() == []


@rule("toaster.2.skill-climb-failure")
@pytest.mark.parametrize("follows", ["stuck", "hang-on", "fall"])
def test_a_failed_climb_is_stuck_hangs_on_or_falls(follows):
    one = evening()
    ana = hero(one, "ana", climb=5)
    task(one, ana, "climb", 2)
    one.answer(GM, one.ask("meaning"), follows=follows)
    assert "toaster.2.skill-climb-failure" in one.card["rules"]
    if follows != "hang-on":
        assert one.asks() == []
        return
    card = speak(one, one.ask("called_roll"), (5,))
    assert (card["title"], card["sides"][0]["parts"]) == ("Strength", [["Strength", 5]])
    assert card["outcome"] == "success"


@rule("toaster.2.skill-intrusion-failure")
@pytest.mark.parametrize(
    ("follows", "words"), [("alarm", "an alarm goes off"), ("quiet", "no alarm")]
)
def test_a_failed_intrusion_may_raise_an_alarm(follows, words):
    one = evening()
    ana = hero(one, "ana", intrusion=5)
    task(one, ana, "intrusion", 2)
    one.answer(GM, one.ask("meaning"), follows=follows, retry="yes")
    assert words in one.card["lines"][0]["text"]
    assert one.card["lines"][1]["text"] == "It may be tried again."


@rule("toaster.2.skill-survival")
def test_failing_to_survive_has_consequences_and_success_none():
    one = evening()
    ana = hero(one, "ana", survival=5)
    task(one, ana, "survival", 5)
    assert one.asks() == []
    task(one, ana, "survival", 4)
    assert {c.value for c in ask_fields(one, one.ask("meaning"))["follows"].choices} == {
        "",
        "cold",
        "hunger",
        "harm",
    }


@rule("toaster.3.marginal-meaning")
def test_a_marginal_result_may_call_for_a_second_roll_on_something_else():
    one, ana = varied()
    task(one, ana, "climb", 5)
    one.answer(GM, one.ask("meaning"), roll="attribute:physique", modifier=-1, text="A root holds.")
    ask = one.ask("called_roll")
    assert ask.to == (f"owner:{ana}",)
    card = speak(one, ask, (9,))
    assert card["sides"][0]["parts"] == [["Physique", 5], ["as called for", -1]]
    assert card["outcome"] == "success"


@rule("toaster.3.critical-meaning")
def test_a_critical_can_leave_a_bonus_for_some_days():
    one, ana = varied()
    gm = {"difficulty": "easy"}
    task(one, ana, "craft:Smith", 9, gm=gm)
    one.answer(GM, one.ask("meaning"), bonus=1, bonus_name="a blade like no other", days=7)
    assert "a blade like no other: +1 on Craft for 7 days." in (
        line["text"] for line in one.card["lines"]
    )
    (boon,) = one.table.own["boons"]
    card = task(one, ana, "craft:Smith", 6, gm={"circumstances": [boon]})
    assert card["sides"][0]["parts"][-1] == ["a blade like no other", 1]
    one.do(GM, c.Override, path=("day",), now=8, reason="a week later")
    with pytest.raises(BadAnswers):
        task(one, ana, "craft:Smith", 6, gm={"circumstances": [boon]})


@rule("toaster.3.critical-temper")
def test_a_critical_or_a_fumble_can_be_played_down():
    one, ana = varied()
    task(one, ana, "climb", 9, gm={"difficulty": "easy"})
    ask = one.ask("meaning")
    with pytest.raises(BadAnswers, match="leaves no bonus"):
        one.answer(GM, ask, temper=True, bonus=1)
    one.answer(GM, ask, temper=True, text="It was a stepladder.")
    assert (one.card["outcome"], one.card["lines"][-1]["text"]) == (
        "success",
        "Played down: it counts as a success.",
    )
    task(one, ana, "climb", 0, gm={"difficulty": "hellish", "verdict": "roll"})
    one.answer(GM, one.ask("meaning"), temper=True)
    assert one.card["outcome"] == "failure"
