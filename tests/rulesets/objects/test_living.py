"""Objects in play: status, healing, fates, changing talents, objectives."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.rules import BadAnswers, RuleRefuses
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, rolled, thing

rule = pytest.mark.rule


@pytest.fixture
def one():
    return evening()


def injuries(one, ident):
    return one.entity(ident).state["injuries"]


@rule("objects.2.5-status-change", "objects.2.5-status-note")
def test_a_status_falls_with_a_note_of_what_happened(one):
    vell = thing(one, "ana")
    with pytest.raises(BadAnswers, match="Say what happened"):
        one.move(GM, "status", vell, status="4")
    one.move(GM, "day", days=3)
    one.move(GM, "status", vell, status="4", cause="fell from a tree: left leg broken")
    assert one.entity(vell).state["status"] == 4
    (note,) = injuries(one, vell)
    assert (note["text"], note["since"]) == (
        "fell from a tree: left leg broken",
        "session 1, day 3",
    )
    assert one.card["title"] == "Ana: Injured (4)"
    with pytest.raises(BadAnswers, match="already"):
        one.move(GM, "status", vell, status="4", cause="again")


@rule("objects.2.5-status-change")
def test_a_players_change_waits_for_the_gm_unless_the_table_says_otherwise(one):
    vell = thing(one, "ana")
    one.move("ana", "status", vell, status="5", cause="scratched")
    assert one.entity(vell).state["status"] == 6
    one.answer(GM, one.ask("judge_status"), verdict="no")
    assert one.entity(vell).state["status"] == 6
    one.move("ana", "status", vell, status="5", cause="scratched")
    one.answer(GM, one.ask("judge_status"), verdict="yes")
    assert (one.entity(vell).state["status"], len(injuries(one, vell))) == (5, 1)
    one.do(GM, c.SetOptions, options={"status_by": "table"})
    one.move("ana", "status", vell, status="6")
    assert one.entity(vell).state["status"] == 6


@rule("objects.2.5-status-zero", "objects.2.5-status-change")
def test_at_status_0_a_players_change_waits_for_the_gm_at_any_table(one):
    one.do(GM, c.SetOptions, options={"status_by": "table"})
    vell = thing(one, "ana")
    one.move("ana", "status", vell, status="0", cause="the sea")
    one.move("ana", "status", vell, status="6")
    assert one.entity(vell).state["status"] == 0
    one.answer(GM, one.ask("judge_status"), verdict="yes")
    assert (one.entity(vell).state["status"], one.asks()) == (6, [])


@rule("objects.2.5-status-note", "objects.2.5-status-change")
def test_a_request_for_a_status_ends_when_the_status_is_changed_at_once(one):
    vell, tam = thing(one, "ana"), thing(one, "ben")
    one.move("ana", "status", vell, status="3", cause="a leg broken")
    one.move("ben", "status", tam, status="5", cause="scratched")
    one.move(GM, "status", vell, status="2", cause="both legs broken")
    assert [ask.entity for ask in one.asks("judge_status")] == [tam]
    assert [note["text"] for note in injuries(one, vell)] == ["both legs broken"]
    one.move(GM, "status", vell, status="0", cause="the sea")
    one.move("ana", "status", vell, status="1")
    one.move(GM, "fate", vell, verdict="recovers", status="2", told="She coughs.")
    assert [ask.entity for ask in one.asks("judge_status")] == [tam]


def test_no_roll_moves_a_status(one):
    vell = thing(one, "ana", talents={"climbs": 3})
    rolled(one, vell, "climbs", (6, 6))
    assert one.entity(vell).state["status"] == 6


@rule("objects.2.5-healing")
def test_mending_and_a_better_status_are_two_steps_in_the_log(one):
    vell = thing(one, "ana")
    assert one.why_not("ana", "heal", vell) == "Nothing is noted that could be mended."
    one.move(GM, "status", vell, status="4", cause="left arm broken")
    one.move("ana", "heal", vell, injury="0", how="Splint and soup")
    assert injuries(one, vell)[0]["healed"] == "Splint and soup (session 1)"
    assert one.entity(vell).state["status"] == 4
    assert one.game.sheet.summary(one.table, one.entity(vell)).notes == ()
    one.move(GM, "status", vell, status="6")
    assert one.entity(vell).state["status"] == 6
    assert [e.data["move"] for e in one.campaign.events[-2:]] == ["heal", "status"]
    assert one.why_not("ana", "heal", vell) is not None


@rule("objects.2.5-status-zero")
def test_at_status_0_the_gm_has_its_fate(one):
    vell = thing(one, "ana", talents={"crawls": 3}, karma=2)
    assert one.why_not(GM, "fate", vell) is not None
    one.move(GM, "status", vell, status="0", cause="under the wheel")
    assert one.entity(vell).stage == "play"
    with pytest.raises(RuleRefuses, match="in the GM's hands"):
        one.propose("ana", "test", vell, stakes="Out of here", talent="crawls")
    ask = one.ask("fate", vell)
    one.answer(GM, ask, verdict="leave", told="One try.")
    rolled(one, vell, "crawls", (2, 5))
    with pytest.raises(RuleRefuses):
        one.propose("ana", "test", vell, stakes="And again", talent="crawls")
    one.move(GM, "fate", vell, verdict="other", told="A hand takes hers.")
    assert one.entity(vell).state["status"] == 0
    one.move(GM, "fate", vell, verdict="recovers", status="2", told="She coughs.")
    assert (one.entity(vell).state["status"], one.entity(vell).state["karma"]) == (2, 2)
    rolled(one, vell, "crawls", (2, 5))


@rule("objects.2.5-status-zero")
def test_a_status_that_rises_ends_the_question_of_fate_and_leave_to_roll(one):
    vell = thing(one, "ana", talents={"crawls": 3})
    one.move(GM, "status", vell, status="0", cause="under the wheel")
    one.move(GM, "status", vell, status="4")
    assert one.asks("fate") == []
    one.move(GM, "status", vell, status="0", cause="the sea")
    one.answer(GM, one.ask("fate", vell), verdict="leave", told="One try.")
    one.move(GM, "status", vell, status="4")
    one.move(GM, "status", vell, status="0", cause="the fire")
    assert one.why_not("ana", "test", vell) is not None
    assert len(one.asks("fate")) == 1


def test_a_table_may_let_everybody_roll_at_status_0():
    one = evening(status_zero_asks=False)
    vell = thing(one, "ana", talents={"crawls": 3})
    one.move(GM, "status", vell, status="0", cause="under the wheel")
    assert rolled(one, vell, "crawls", (2, 5))["outcome"] == "marginal"


@rule("objects.3.k-death", "objects.2.5-status-zero")
def test_what_dies_takes_its_karma_along(one):
    vell = thing(one, "ana", karma=3)
    one.move(GM, "status", vell, status="0", cause="the sea")
    one.answer(GM, one.ask("fate", vell), verdict="dies", told="She does not come up again.")
    assert (one.entity(vell).stage, one.entity(vell).state["karma"]) == ("gone", 0)
    assert one.asks("fate") == []
    one.do(GM, c.ChangeEntity, entity=vell, gone=False)
    assert (one.entity(vell).stage, one.entity(vell).state["karma"]) == ("play", 0)
    faith = thing(one, "ben", "idea", "The Flame", karma=1)
    with pytest.raises(NotAllowed):
        one.move("ben", "death", faith, told="?")
    one.move(GM, "death", faith, told="The last candle.")
    assert "Karma lost with it: 1." in [line["text"] for line in one.card["lines"]]


# ---------------------------------------------------------------- talents in play


@rule("objects.2.3-gained-talents", "objects.2.3-gt-improve")
def test_gained_talents_change_with_a_reason_and_the_gms_yes(one):
    vell = thing(one, "ana", talents={"agile": 4, "sails": 2})
    numbers = one.game.sheet.summary(one.table, one.entity(vell)).numbers
    stands = {number.key: number.group for number in numbers}
    assert (stands["Agile"], stands["sails"]) == ("Basic talents", "Gained talents")
    assert list(stands).index("Agile") < list(stands).index("sails")
    with pytest.raises(BadAnswers, match="Why"):
        one.move("ana", "learn", vell, talent="sails", level=3)
    one.move("ana", "learn", vell, talent="sails", level=3, reason="A winter at sea")
    assert one.entity(vell).sheet["talents"][0]["level"] == 2
    one.answer(GM, one.ask("judge_talent"), verdict="yes")
    assert one.entity(vell).sheet["talents"][0]["level"] == 3
    assert one.card["sentence"] == "It was: Somewhat sails (2)."
    one.move("ana", "learn", vell, name="swims", level=1, reason="Twice nearly drowned")
    one.answer(GM, one.ask("judge_talent"), verdict="no", word="Not twice, thrice.")
    assert len(one.entity(vell).sheet["talents"]) == 1
    one.move(GM, "learn", vell, name="swims", level=1, reason="Now thrice")
    assert one.entity(vell).sheet["talents"][1] == {"name": "swims", "level": 1, "object": ""}
    with pytest.raises(BadAnswers, match="already"):
        one.move(GM, "learn", vell, name="swims", level=4, reason="?")


@rule("objects.2.3-gt-agree")
def test_a_talent_is_proposed_until_the_gm_agrees():
    one = evening(steps_in_order=False)
    vell = one.do("ana", c.MakeEntity, kind="person", name="Vell").data["entity"]
    raw = {
        "concept": "Captain",
        "story": "Born at sea. Stayed there.",
        "talents": [{"name": "sails", "level": 4}, {"name": "flies", "level": 5}],
        "done.signs": True,
        "done.goals": True,
    }
    one.do("ana", c.SaveSheet, entity=vell, raw=raw)

    def marks():
        found = one.game.sheet.summary(one.table, one.entity(vell)).numbers
        return {n.key: n.marked for n in found if n.key in {"sails", "flies"}}

    assert marks() == {"sails": "proposed", "flies": "proposed"}
    one.do("ana", c.SubmitSheet, entity=vell)
    told = {"not_yet": ["flies"], "word": "Nobody flies here.", "power": "As any captain"}
    one.answer(GM, one.ask("agree"), **told)
    assert one.last.audience == "ana"
    assert marks() == {"sails": "", "flies": "not agreed on yet"}
    one.do(GM, c.DecideSheet, entity=vell, accept=True)
    assert one.entity(vell).state["power"] == "As any captain"
    with pytest.raises(BadAnswers, match="Talent cannot be"):
        one.propose("ana", "test", vell, stakes="Up!", talent="flies")
    rolled(one, vell, "sails", (3, 2))
    (parts,) = (
        p for p in one.game.sheet.sections(one.table, one.entity(vell)) if p.key == "talents"
    )
    assert parts.row_notes["talents.1"] == "Very flies (5). Not agreed on yet: Nobody flies here."


@rule("objects.2.3-gt-agree", "objects.2.3-no-budget")
def test_with_the_sheet_the_gm_agrees_to_what_was_not_turned_down():
    one = evening(steps_in_order=False)
    vell = one.do("ana", c.MakeEntity, kind="person", name="Vell").data["entity"]
    raw = {"concept": "C", "story": "A. B.", "talents": [{"name": "sails", "level": 6}]}
    one.do("ana", c.SaveSheet, entity=vell, raw={**raw, "done.signs": True, "done.goals": True})
    one.do("ana", c.SubmitSheet, entity=vell)
    (asked,) = one.asks("agree")
    assert asked.to == ("gm",)
    assert asked.text == "Its story is the measure; there are no points to count."
    one.do(GM, c.DecideSheet, entity=vell, accept=True)
    assert one.asks("agree") == []
    assert one.entity(vell).state["talents"] == {"sails": {"verdict": "agreed", "word": ""}}


@rule("objects.2.3-gained-talents")
@pytest.mark.parametrize("name", ["Swimmer", "agile"])
def test_no_talent_is_learned_twice_whatever_its_capitals(one, name):
    vell = thing(one, "ana", talents={"agile": 4, "swimmer": 3})
    with pytest.raises(BadAnswers, match="already"):
        one.move(GM, "learn", vell, name=name, level=2, reason="A winter at sea")


@rule("objects.2.6-objectives")
def test_objectives_are_ticked_off_and_added(one):
    vell = thing(one, "ana", objectives=[{"text": "Pay the debts", "done": False}])
    with pytest.raises(BadAnswers, match="Choose a reached objective"):
        one.move("ana", "objective", vell)
    one.move("ana", "objective", vell, reached="0", new="Stay out of debt")
    assert one.entity(vell).sheet["objectives"] == [
        {"text": "Pay the debts", "done": True},
        {"text": "Stay out of debt", "done": False},
    ]
    names = [f.name for f in one.named("objective").fields(one.table, one.actor("ana", vell), {})]
    assert names == ["reached", "new"]


# ---------------------------------------------------------------- situations and fights


@rule("objects.3-number-of-rolls")
def test_a_situation_holds_no_roll_one_or_many(one):
    vell = thing(one, "ana", talents={"sails": 3})
    one.move(GM, "situation", title="Past the guard boat?")
    with pytest.raises(RuleRefuses, match="open already"):
        one.move(GM, "situation", title="Another")
    one.answer(GM, one.ask("situation_end"), outcome="They wave us through.")
    assert "Without a roll." in [line["text"] for line in one.card["lines"]]
    one.move(GM, "situation", title="And back again?")
    for faces in ((1, 5), (5, 5), (1, 2)):
        roll = one.propose("ana", "test", vell, talent="sails")
        one.do("ana", c.Throw, faces, proposal=roll)
        assert "At stake: And back again?" in [line["text"] for line in one.card["lines"]]
    assert [r["grade"] for r in one.table.own["situation"]["rolls"]] == [
        "marginal",
        "failure",
        "total",
    ]
    assert one.ask("situation_end").text == "So far: Ana: marginal; Ana: failure; Ana: total."
    one.answer(GM, one.ask("situation_end"), outcome="By a hair.")
    assert "After 3 rolls." in [line["text"] for line in one.card["lines"]]
    assert one.table.own["situation"] is None


@rule("objects.4-no-opposed")
def test_a_fight_is_a_chain_of_rolls_in_the_gms_order(one):
    vell, tam = thing(one, "ana", talents={"dangerous": 3}), thing(one, "ben")
    wolf = thing(one, "gm", "creature", "Wolf", {"bites": 4})
    assert one.game.fight(one.table) is None
    one.move(GM, "fight", who=[vell, wolf])
    assert [row.name for row in one.game.fight(one.table).rows] == ["Ana", "Wolf"]
    assert one.last.throw is None
    for who in (wolf, vell, vell, tam):
        one.move(GM, "turn", who=who)
        assert [row.entity for row in one.game.fight(one.table).rows if row.acting] == [who]
    assert [row.name for row in one.game.fight(one.table).rows] == ["Ana", "Wolf", "Ben"]
    rolled(one, vell, "Dangerous", (1, 2), against=wolf)
    rolled(one, vell, "Dangerous", (1, 2), against=wolf)
    assert "2 rolls so far." in one.game.fight(one.table).notes
    assert one.entity(wolf).state["status"] == 6
    one.move(GM, "status", wolf, status="3", cause="a cut above the eye")
    assert one.game.fight(one.table).rows[1].status == "Battered (3)"
    one.move(GM, "turn", who=vell, out=[tam])
    one.move(GM, "death", wolf, told="It lies still.")
    assert [row.name for row in one.game.fight(one.table).rows] == ["Ana"]
    one.move(GM, "end_fight", why="Nobody is left.")
    assert one.game.fight(one.table) is None
    with pytest.raises(NotAllowed):
        one.move("ana", "fight", who=[vell])
    with pytest.raises((RuleRefuses, CannotBe)):
        one.move(GM, "turn", who=vell)
