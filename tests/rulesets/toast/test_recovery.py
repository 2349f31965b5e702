"""First aid, days of rest, and the importance of the GM's people."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers, RuleRefuses
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero, sheet

rule = pytest.mark.rule


def knock_out(one, who, times=4):
    for _ in range(times):
        one.move(GM, "hurt", who=who, cause="the test")


def state(one, who):
    return one.entity(who).state["condition"]


def wounds(one, who):
    return one.entity(who).state["wounds"]


@rule("toast.7.3-first-aid", "toast.7.3-heal", "toast.7.3-heal-not-wake")
def test_days_mend_and_only_first_aid_wakes():
    one = evening()
    mara, tam = hero(one, "ana"), hero(one, "ben")
    knock_out(one, mara)
    one.move(GM, "hurt", who=tam, cause="a splinter")
    one.move(GM, "day", days=3)
    assert (wounds(one, mara), state(one, mara), wounds(one, tam)) == (1, "unconscious", 0)
    assert "Ana: 1 wound left, still unconscious." in [x["text"] for x in one.card["lines"]]
    one.move(GM, "day")
    assert (wounds(one, mara), state(one, mara), one.table.day) == (0, "unconscious", 4)
    one.move("ben", "first_aid", tam, patient=mara)
    assert state(one, mara) == "awake"


@rule("toast.7.3-heal")
@pytest.mark.parametrize(("hurt", "days", "left"), [(3, 1, 2), (2, 5, 0)])
def test_one_wound_a_day_down_to_none(hurt, days, left):
    one = evening()
    mara = hero(one, "ana")
    knock_out(one, mara, hurt)
    one.move(GM, "day", days=days)
    assert wounds(one, mara) == left
    with pytest.raises(NotAllowed):
        one.move("ana", "day")


@rule("toast.7.3-hit-wound", "toast.7.3-wound-cap", "toast.7.3-down")
def test_the_card_counts_the_wounds_and_says_who_stays_down():
    one = evening()
    mara, guard = hero(one, "ana"), foe(one, name="Guard")
    worm = foe(one, kind="nemesis", name="Worm", capacity=30, open=True)

    def said(who, count):
        one.move(GM, "hurt", who=who, wounds=count, cause="the test")
        return one.card["sentence"]

    assert said(mara, 3) == "Three wounds: 3 of 4."
    assert said(mara, 5) == "Ana goes down: unconscious."
    assert said(mara, 1) == "Ana stays down: unconscious."
    assert said(guard, 1) == "Guard goes down."
    assert said(guard, 2) == "Guard stays down."
    assert len(one.asks("fate")) == 1
    assert (said(worm, 20), said(worm, 1)) == ("Twenty wounds: 20 of 30.", "One wound: 21 of 30.")
    one.move(GM, "day")
    assert said(mara, 1) == "Ana stays down: unconscious."


@rule("toast.7.3-first-aid", "toast.7.3-first-aid-detail")
def test_the_unconscious_stay_so_through_rounds_and_the_end_of_the_fight():
    one = evening()
    mara, tam, guard = hero(one, "ana"), hero(one, "ben"), foe(one)
    one.move(GM, "fight")
    knock_out(one, mara)
    one.move(GM, "initiative_all", "", (5, 3))
    one.move(GM, "end_turn", tam)
    one.move(GM, "end_turn", guard)
    one.move(GM, "next_round")
    assert state(one, mara) == "unconscious"
    one.move(GM, "end_fight")
    assert state(one, mara) == "unconscious"
    assert one.why_not("ana", "task", mara) == "Ana cannot act before somebody gives first aid."


def in_a_fight(**options):
    one = evening(**options)
    mara, tam, guard = hero(one, "ana"), hero(one, "ben"), foe(one, aim=9)
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", (9, 5, 3))
    knock_out(one, mara)
    return one, mara, tam, guard


@rule("toast.7.3-first-aid-detail")
def test_in_a_fight_it_takes_the_action_and_the_patient_sits_out_by_default():
    one, mara, tam, guard = in_a_fight()
    assert one.table.fight["turn"] == tam
    one.move("ben", "first_aid", tam, patient=mara)
    assert (state(one, mara), wounds(one, mara)) == ("awake", 4)
    assert one.table.fight["turn"] == guard
    assert one.table.fight["fighters"][mara]["status"] == "out"
    one.answer(GM, one.ask("rejoin"))
    assert one.card["title"] == "Ana sits out this fight"
    one.move(GM, "end_turn", guard)
    one.move(GM, "next_round")
    assert one.table.fight["fighters"][mara]["status"] == "out"


@rule("toast.7.3-first-aid-detail", "toast.7.3-down")
def test_the_gm_can_let_the_patient_fight_on_and_the_next_hit_fells_again():
    one, mara, tam, guard = in_a_fight()
    one.move("ben", "first_aid", tam, patient=mara)
    one.answer(GM, one.ask("rejoin"), rejoins=True)
    one.roll(GM, "attack", guard, (10, 1), target=mara, trait="aim")
    assert (state(one, mara), wounds(one, mara)) == ("unconscious", 4)


@rule("toast.7.3-first-aid-detail")
def test_out_of_turn_no_and_by_option_without_an_action():
    one, mara, tam, guard = in_a_fight()
    one.move(GM, "end_turn", tam)
    with pytest.raises(RuleRefuses):
        one.move("ben", "first_aid", tam, patient=mara)
    one, mara, tam, guard = in_a_fight(first_aid_action=False)
    one.move("ben", "first_aid", tam, patient=mara)
    assert one.table.fight["fighters"][tam]["actions"] == 0
    assert (state(one, mara), state(one, guard)) == ("awake", "awake")


@rule("toast.7.3-first-aid-detail")
def test_only_the_conscious_can_help_and_npcs_are_helped_too():
    one = evening()
    mara, tam, guard = hero(one, "ana"), hero(one, "ben"), foe(one)
    knock_out(one, mara)
    knock_out(one, guard, 1)
    one.answer(GM, one.ask("fate"), answer="spare")
    assert one.why_not("ana", "first_aid", mara) == "Ana is not conscious."
    one.move("ben", "first_aid", tam, patient=guard)
    assert state(one, guard) == "awake"


@rule("toast.7.4-importance-story", "toast.7.3-capacity")
def test_the_gms_people_are_made_with_a_class_and_it_can_change():
    one = evening()
    with pytest.raises(BadAnswers):
        one.move(GM, "npc", name="Serk", count=1)
    one.move(GM, "npc", name="Guard", preset="hired-hand", count=2)
    names = {e.name: e for e in one.table.entities.values()}
    assert set(names) == {"Guard 1", "Guard 2"}
    guard = names["Guard 1"]
    assert (guard.kind, guard.open, guard.sheet["traits"]["attack"]) == ("minion", False, 3)
    assert one.game.sheet.summary(one.table, guard).tracks[0].of == 1
    one.move(GM, "importance", guard.id, importance="lieutenant")
    assert one.card["sentence"] == "Goes down at 3 wounds, not at 1."
    assert one.game.sheet.summary(one.table, one.entity(guard.id)).tracks[0].of == 3
    with pytest.raises(NotAllowed):
        one.move("ana", "importance", guard.id, importance="minion")


@rule("toast.7.4-importance-story")
def test_npc_numbers_have_no_budget_and_can_be_open():
    one = evening(npc_numbers="open")
    one.move(GM, "npc", name="Beast", preset="great-beast")
    beast = next(iter(one.table.entities.values()))
    assert beast.open
    assert beast.sheet["traits"]["strength"] == 12
    assert one.game.sheet.check(one.table, beast, "creation")[0].rule == "toast.7.4-monster-caution"


@rule("toast.7.4-monster")
def test_many_wounds_are_allowed_with_a_word_of_caution():
    one = evening()
    built = sheet(one) | {"importance": "nemesis", "capacity": 7}
    one.do(GM, c.MakeEntity, kind="nemesis", name="Worm", sheet=built)
    (worm,) = one.table.entities.values()
    (problem,) = one.game.sheet.check(one.table, worm, "play")
    assert (problem.rule, problem.refuses) == ("toast.7.4-monster-caution", False)
    assert one.game.sheet.summary(one.table, worm).tracks[0].words == "0/7 wounds"
    four = {**worm.sheet, "capacity": 4}
    calm = type(worm)(worm.id, worm.name, worm.kind, worm.owner, four, worm.state)
    assert one.game.sheet.check(one.table, calm, "play") == ()


@pytest.mark.rule("toast.7.3-first-aid-detail")
def test_the_answer_about_fighting_on_may_come_late():
    one = evening()
    ana, ben = hero(one, "ana"), hero(one, "ben")
    one.move(GM, "fight", heroes=[ana, ben], foes=[foe(one)])
    one.move(GM, "initiative_all", "", (9, 8, 7))
    one.move(GM, "hurt", who=ben, cause="a fall", wounds=4)
    one.move("ana", "first_aid", ana, patient=ben)
    late = one.ask("rejoin")
    one.move(GM, "hurt", who=ben, cause="another", wounds=1)
    one.answer(GM, late, rejoins=True)
    assert one.card["title"] == "Ben sits out this fight"
    assert one.table.fight["fighters"][ben]["status"] == "out"


@pytest.mark.rule("toast.7.3-first-aid-detail")
def test_whoever_is_in_the_next_fight_by_then_keeps_their_turn():
    one = evening()
    ana, ben, serk = hero(one, "ana"), hero(one, "ben"), foe(one)
    one.move(GM, "fight", heroes=[ana, ben], foes=[serk])
    one.move(GM, "initiative_all", "", (9, 8, 7))
    one.move(GM, "hurt", who=ben, cause="a fall", wounds=4)
    one.move("ana", "first_aid", ana, patient=ben)
    one.move(GM, "end_fight")
    one.move(GM, "fight", heroes=[ana, ben], foes=[serk])
    one.move(GM, "initiative_all", "", (9, 8, 7))
    one.answer(GM, one.ask("rejoin"), rejoins=True)
    assert one.table.fight["fighters"][ben]["status"] == "waiting"


@pytest.mark.rule("toast.7.5-pc-death-consent")
def test_whoever_dies_in_a_fight_has_no_more_turns():
    one = evening()
    ana, ben = hero(one, "ana"), hero(one, "ben")
    one.move(GM, "fight", heroes=[ana, ben], foes=[foe(one)])
    one.move(GM, "death", who=ana, how="The bridge falls.")
    one.answer("ana", one.ask("consent"), answer="yes")
    assert one.table.fight["fighters"][ana]["status"] == "out"
    one.move(GM, "initiative_all", "", (9, 8))
    assert one.table.fight["turn"] == ben


@pytest.mark.rule("toast.7.5-pc-death-consent")
def test_whoever_has_lost_their_player_lives_and_the_question_ends():
    one = evening()
    ana = hero(one, "ana")
    one.move(GM, "death", who=ana, how="The bridge falls.")
    one.do(GM, c.ChangeEntity, entity=ana, owner="gm")
    one.answer(GM, one.ask("consent"), answer="yes")
    assert (one.entity(ana).state["condition"], one.asks()) == ("awake", [])


@pytest.mark.rule("toast.9-starting-gear")
def test_of_two_possessions_that_are_alike_one_goes_at_a_time():
    one = evening()
    ana = hero(one, "ana")
    for _ in range(2):
        one.move("ana", "gear", ana, take="Torch")
    one.move("ana", "gear", ana, lose="Torch")
    assert [row["item"] for row in one.entity(ana).sheet["gear"]] == ["Torch"]
