"""Proposals of rolls: the parts of each person, the waiting, and the throw."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, DiceNeeded, NotAllowed
from kitchentable.campaign.throws import as_chance, solve
from kitchentable.dice import LeftoverFaces
from kitchentable.rules.errors import BadAnswers, RuleRefuses
from kitchentable.rules.moves import Question
from tests.campaign.coin import BANDS, FLIP, flip
from tests.campaign.tables import IDA, JON, MARA, TOVE, named, playing


class Rolling:
    """An evening with its people at hand."""

    def __init__(self, **parts):
        self.evening = playing(**parts)
        self.kes, self.bo, self.grim = (named(self.evening, one) for one in ("Kes", "Bo", "Grim"))

    def propose(self, seat, entity=None, **parts):
        event = self.evening.send(c.Propose, seat, move="flip", entity=entity or self.kes, **parts)
        return event.data["proposal"]

    def settle(self, seat, proposal, **parts):
        return self.evening.send(c.Settle, seat, proposal=proposal, **parts)

    def throw(self, seat, proposal, *faces, **parts):
        return self.evening.send(c.Throw, seat, proposal=proposal, faces=faces, **parts)

    def waits(self, proposal):
        return self.evening.log[-1].data["waits"]

    def proposal(self, proposal):
        return self.evening.tree["proposals"][proposal]


TRUST = {"settings": {"gm_confirms": "trust"}}


def test_propose_settle_throw():
    at = Rolling()
    roll = at.propose(MARA, answers={"skill": "luck"})
    assert at.waits(roll) == ["the GM"]
    with pytest.raises(CannotBe, match="wait for the GM"):
        at.throw(MARA, roll, 4)
    at.settle(IDA, roll, answers={"number": 5})
    with pytest.raises(DiceNeeded):
        at.throw(MARA, roll)
    with pytest.raises(NotAllowed, match="belong to somebody else"):
        at.throw(JON, roll, 3)
    event = at.throw(MARA, roll, 3)
    assert event.data["answers"] == {"skill": "luck", "charm": "", "target": "", "number": 5}
    assert event.data["card"]["outcome"] == "win"
    assert at.evening.entity(at.kes).state == {"coins": 4}
    assert at.evening.tree["proposals"] == {}
    assert event.throw.trace[0]["physical"] == 3
    assert event.throw.mechanic == "flip"
    assert event.throw.arguments == [2, 5, 0]
    shares = {key: as_chance(one) for key, one in event.throw.odds.items()}
    assert shares == {"win": Fraction(2, 3), "lose": Fraction(1, 6), "slip": Fraction(1, 6)}
    assert event.throw.odds_audience == "all"
    with pytest.raises(CannotBe) as caught:
        at.throw(MARA, roll, 3)
    assert caught.value.code == "proposal/unknown"


def test_in_trust_the_defaults_stand():
    at = Rolling(**TRUST)
    roll = at.propose(MARA, answers={"charm": "rabbit"})
    assert at.waits(roll) == []
    event = at.throw(MARA, roll, 2)
    assert event.data["answers"]["number"] == 4


def test_in_trust_a_roll_can_be_made_at_once():
    at = Rolling(**TRUST)
    event = at.evening.send(c.MakeMove, MARA, move="flip", entity=at.kes, faces=[6])
    assert event.data["card"]["outcome"] == "win"
    at = Rolling()
    with pytest.raises(CannotBe) as caught:
        at.evening.send(c.MakeMove, MARA, move="flip", entity=at.kes, faces=[6])
    assert caught.value.code == "move/needs-conversation"


def test_a_proposal_to_throw_at_once_is_one_step_where_nobody_else_speaks():
    at = Rolling(**TRUST)
    before = len(at.evening.log)
    parts = {"move": "flip", "entity": at.kes, "throw": True}
    event = at.evening.send(c.Propose, MARA, faces=[6], typed=True, **parts)
    assert (event.kind, event.data["card"]["outcome"], event.throw.typed) == ("move", "win", True)
    assert len(at.evening.log) == before + 1
    assert at.evening.tree["proposals"] == {}
    made = Rolling(**TRUST)
    other = made.evening.send(c.MakeMove, MARA, move="flip", entity=made.kes, faces=[6], typed=True)
    assert (other.data, other.changes) == (event.data, event.changes)


def test_a_proposal_to_throw_at_once_waits_where_somebody_else_speaks():
    at = Rolling(**TRUST)
    for seat, answers, waits in ((MARA, {"target": at.bo}, ["Jon"]), (IDA, {}, ["Mara"])):
        event = at.evening.send(
            c.Propose, seat, move="flip", entity=at.kes, answers=answers, throw=True, faces=[6]
        )
        assert (event.kind, event.throw, event.data["waits"]) == ("proposed", None, waits)
    at = Rolling()
    event = at.evening.send(c.Propose, MARA, move="flip", entity=at.kes, throw=True, faces=[6])
    assert (event.kind, event.data["waits"]) == ("proposed", ["the GM"])


def test_typed_dice_are_refused_with_the_proposal_where_the_table_takes_none():
    at = Rolling(settings={"gm_confirms": "trust", "typed_dice": False})
    with pytest.raises(NotAllowed, match="Typed-in dice are not allowed"):
        at.evening.send(
            c.Propose, MARA, move="flip", entity=at.kes, throw=True, faces=[6], typed=True
        )
    assert at.evening.tree["proposals"] == {}


def test_the_gm_settles_all_of_an_npcs_roll_at_once():
    at = Rolling()
    roll = at.propose(IDA, entity=at.grim, answers={"number": 3}, hidden=("number",))
    assert at.waits(roll) == []
    event = at.throw(TOVE, roll, 5)
    assert event.data["hidden"] == ["number"]
    assert event.throw.odds_audience == "gm"


def test_the_defender_has_a_word():
    at = Rolling(**TRUST)
    roll = at.propose(MARA, answers={"target": at.bo})
    assert at.waits(roll) == ["Jon"]
    with pytest.raises(NotAllowed, match="You cannot set"):
        at.settle(MARA, roll, answers={"brace": True})
    with pytest.raises(NotAllowed, match="You cannot set"):
        at.settle(JON, roll, answers={"skill": "luck"})
    at.settle(JON, roll, answers={"brace": "on"})
    assert at.waits(roll) == []
    event = at.throw(MARA, roll, 5, 2)
    assert event.throw.arguments == [1, 6, 1]


def test_a_new_target_asks_its_own_owner():
    at = Rolling(**TRUST)
    roll = at.propose(MARA, answers={"target": at.bo})
    at.settle(JON, roll, answers={"brace": True})
    at.settle(MARA, roll, answers={"target": at.grim})
    assert at.waits(roll) == []
    assert "brace" not in at.proposal(roll)["answers"]
    at.settle(MARA, roll, answers={"target": at.bo})
    assert at.waits(roll) == ["Jon"]


def test_the_gm_stands_in_for_who_is_away():
    at = Rolling()
    roll = at.propose(MARA, answers={"target": at.bo})
    assert at.waits(roll) == ["Jon", "the GM"]
    at.settle(IDA, roll)
    assert at.waits(roll) == ["Jon"]
    at.settle(IDA, roll, answers={"brace": True}, stands_in=("owner:target",))
    assert at.waits(roll) == []
    with pytest.raises(NotAllowed, match="answer for others"):
        at.settle(MARA, roll, stands_in=("gm",))
    at.throw(IDA, roll, 5, 2)


def test_the_gm_may_ask_for_a_roll():
    at = Rolling()
    roll = at.propose(IDA, answers={"number": 6, "skill": "luck"}, hidden=("number",))
    assert at.evening.log[-1].data["request"] is True
    assert at.waits(roll) == ["Mara"]
    with pytest.raises(CannotBe, match="wait for Mara"):
        at.throw(IDA, roll, 3)
    at.settle(MARA, roll)
    assert at.waits(roll) == []
    event = at.throw(MARA, roll, 3)
    assert event.data["answers"]["number"] == 6
    assert event.data["answers"]["skill"] == "luck"


def test_a_picked_charm_needs_a_yes_unless_any_was_fine():
    at = Rolling()
    roll = at.propose(IDA)
    at.settle(MARA, roll, answers={"charm": "rabbit"})
    assert at.waits(roll) == ["the GM"]
    at.settle(IDA, roll)
    assert at.waits(roll) == []
    roll = at.propose(IDA, any_yes=True)
    at.settle(MARA, roll, answers={"charm": "rabbit"})
    assert at.waits(roll) == []
    with pytest.raises(NotAllowed, match="approve a roll in advance"):
        at.propose(MARA, any_yes=True)


def test_a_changed_mind_needs_the_gm_again():
    at = Rolling()
    roll = at.propose(MARA)
    at.settle(IDA, roll, answers={"number": 5})
    at.settle(MARA, roll, answers={"skill": "luck"})
    assert at.waits(roll) == ["the GM"]
    at.settle(IDA, roll)
    assert at.waits(roll) == []
    assert at.proposal(roll)["answers"]["number"] == 5
    at.settle(MARA, roll, answers={"skill": "luck"})
    assert at.waits(roll) == [], "saying the same again changes nothing"


def test_what_the_gm_asked_for_changes_only_with_the_gm():
    at = Rolling()
    roll = at.propose(IDA, answers={"skill": "luck"})
    at.settle(MARA, roll, answers={"skill": "wit"})
    assert at.waits(roll) == ["the GM"]


def test_the_gm_strikes_a_charm_out_but_picks_none():
    at = Rolling()
    roll = at.propose(MARA, answers={"charm": "rabbit"})
    with pytest.raises(NotAllowed, match="cannot choose it for somebody else"):
        at.settle(IDA, roll, answers={"charm": "horseshoe"})
    at.settle(IDA, roll, answers={"charm": "", "skill": "luck"})
    answers = at.proposal(roll)["answers"]
    assert (answers["charm"], answers["skill"]) == ("", "luck")


def test_only_what_may_be_hidden_is_and_only_by_the_gm():
    at = Rolling()
    with pytest.raises(NotAllowed):
        at.propose(MARA, hidden=("number",))
    roll = at.propose(MARA)
    with pytest.raises(CannotBe, match="cannot be hidden"):
        at.settle(IDA, roll, hidden=("skill",))
    with pytest.raises(NotAllowed):
        at.settle(MARA, roll, shown=("number",))
    at.settle(IDA, roll, answers={"number": 5}, hidden=("number",))
    assert at.proposal(roll)["hidden"] == ["number"]
    at.settle(IDA, roll, answers={"number": 5})
    assert at.proposal(roll)["hidden"] == []


def test_numbers_may_be_dark_by_default():
    at = Rolling(options={"dark": True}, **TRUST)
    roll = at.propose(MARA)
    event = at.throw(MARA, roll, 3)
    assert event.data["hidden"] == ["number"]
    assert event.throw.odds_audience == "gm"
    roll = at.propose(MARA)
    at.settle(IDA, roll, answers={"number": 5}, shown=("number",))
    assert at.throw(MARA, roll, 3).data["hidden"] == []


def test_no_roll_is_needed():
    at = Rolling()
    for verdict in ("success", "failure", "no"):
        roll = at.propose(MARA)
        event = at.evening.send(c.Decline, IDA, proposal=roll, verdict=verdict, note="Sure.")
        assert event.data["verdict"] == verdict
        assert at.evening.tree["proposals"] == {}
    roll = at.propose(MARA)
    with pytest.raises(CannotBe):
        at.evening.send(c.Decline, IDA, proposal=roll, verdict="perhaps")
    with pytest.raises(NotAllowed):
        at.evening.send(c.Decline, MARA, proposal=roll, verdict="success")


def test_who_began_takes_it_back():
    at = Rolling()
    roll = at.propose(MARA)
    with pytest.raises(NotAllowed):
        at.evening.send(c.Withdraw, JON, proposal=roll)
    at.evening.send(c.Withdraw, MARA, proposal=roll)
    roll = at.propose(IDA)
    with pytest.raises(NotAllowed):
        at.evening.send(c.Withdraw, MARA, proposal=roll)
    at.evening.send(c.Withdraw, IDA, proposal=roll)


def test_nobody_rolls_for_others_or_against_the_rules():
    at = Rolling()
    with pytest.raises(NotAllowed, match="cannot act"):
        at.propose(JON)
    with pytest.raises(NotAllowed):
        at.settle(JON, at.propose(MARA))
    with pytest.raises(CannotBe) as caught:
        at.evening.send(c.Propose, MARA, move="jump", entity=at.kes)
    assert caught.value.code == "move/unknown"
    with pytest.raises(CannotBe) as caught:
        at.evening.send(c.Propose, MARA, move="call")
    assert caught.value.code == "move/no-conversation"
    with pytest.raises(CannotBe) as caught:
        at.evening.send(c.Propose, MARA, move="flip")
    assert caught.value.code == "move/needs-entity"
    with pytest.raises(BadAnswers, match="no question called"):
        at.propose(MARA, answers={"colour": "red"})
    with pytest.raises(BadAnswers):
        at.propose(MARA, answers={"skill": "charm"})
    with pytest.raises(BadAnswers):
        at.settle(IDA, at.propose(MARA), answers={"number": 0})
    at.evening.send(c.MakeMove, IDA, move="lose", entity=at.kes, answers={"coins": 3})
    with pytest.raises(RuleRefuses, match="No coins") as refusal:
        at.propose(MARA)
    assert refusal.value.rules == FLIP.rules


def test_the_moment_may_pass_while_a_roll_is_talked_about():
    at = Rolling(**TRUST)
    roll = at.propose(MARA)
    at.evening.send(c.MakeMove, IDA, move="lose", entity=at.kes, answers={"coins": 3})
    with pytest.raises(RuleRefuses):
        at.throw(MARA, roll, 3)


def test_real_dice_are_typed_in_and_all_are_used():
    at = Rolling(**TRUST)
    event = at.throw(MARA, at.propose(MARA), 6, typed=True)
    assert (event.throw.typed, event.throw.number) == (True, 0)
    with pytest.raises(LeftoverFaces):
        at.throw(MARA, at.propose(MARA), 6, 6, typed=True)
    at.evening.send(c.SetSettings, IDA, settings={"typed_dice": False})
    roll = next(iter(at.evening.tree["proposals"]))
    with pytest.raises(NotAllowed, match="Typed-in dice are not allowed"):
        at.throw(MARA, roll, 6, typed=True)


def test_a_hidden_npc_does_not_ask_a_player():
    at = Rolling()
    at.evening.send(c.ChangeEntity, IDA, entity=at.grim, hidden=True)
    with pytest.raises(CannotBe, match="cannot be hidden from them"):
        at.propose(IDA, entity=at.grim, answers={"target": at.bo})
    roll = at.propose(IDA, entity=at.grim)
    assert at.evening.log[-1].audience == "gm"
    assert at.throw(IDA, roll, 4).audience == "gm"


def test_who_hides_meanwhile_takes_the_roll_behind_the_screen():
    at = Rolling(**TRUST)
    roll = at.propose(MARA, answers={"target": at.grim})
    at.evening.send(c.ChangeEntity, IDA, entity=at.grim, hidden=True)
    assert at.throw(MARA, roll, 5, 2).audience == "gm"


def test_odds_are_told_to_those_who_know_what_went_into_them():
    at = Rolling(**TRUST)
    event = at.throw(MARA, at.propose(MARA, answers={"target": at.grim}), 5, 2)
    assert event.throw.odds_audience == "gm", "Grim's skill is the GM's"
    assert event.throw.closed == ("foe",)
    at.evening.send(c.ChangeEntity, IDA, entity=at.grim, owner=JON)
    roll = at.propose(MARA, answers={"target": at.grim})
    at.settle(JON, roll)
    event = at.throw(MARA, roll, 5, 2)
    assert event.throw.odds_audience == f"seats:gm,{JON}"
    at.evening.send(c.SetSettings, IDA, settings={"odds_shown": False})
    assert at.throw(MARA, at.propose(MARA), 5).throw.odds_audience == "gm"


def test_who_guesses_a_hidden_name_learns_nothing():
    at = Rolling(**TRUST)
    at.evening.send(c.ChangeEntity, IDA, entity=at.grim, hidden=True)
    told = []
    for guess in (at.grim, "npc-99"):
        with pytest.raises(BadAnswers) as caught:
            at.propose(MARA, answers={"target": guess})
        told.append(str(caught.value).replace(guess, "?"))
    assert told[0] == told[1]
    assert "Grim" not in told[0]
    with pytest.raises(CannotBe, match="cannot be hidden"):
        at.propose(IDA, answers={"target": at.grim})


def test_the_odds_of_a_question_are_those_of_its_bands():
    swapped = {"win": "lose", "lose": "win", "slip": "win"}
    question = Question(flip, (0, 4, 0), BANDS, swapped.__getitem__)
    assert solve(question).shares == {
        "win": Fraction(1, 2),
        "lose": Fraction(1, 2),
        "slip": Fraction(0),
    }


def test_a_guess_at_what_is_hidden_is_told_nothing():
    """Right or wrong, readable or not: whoever is not to set it reads the same sentence."""
    at = Rolling()
    roll = at.propose(MARA)
    at.settle(IDA, roll, answers={"number": 5}, hidden=("number",))
    refusals = set()
    for guess in (5, 4, "x", 99):
        with pytest.raises(NotAllowed) as refused:
            at.settle(MARA, roll, answers={"number": guess})
        refusals.add(str(refused.value))
    assert len(refusals) == 1


def test_a_form_may_repeat_what_everybody_knows():
    at = Rolling()
    roll = at.propose(MARA)
    at.settle(IDA, roll, answers={"number": 5})
    at.settle(MARA, roll, answers={"number": 5, "skill": "luck"})
    with pytest.raises(NotAllowed, match="You cannot set"):
        at.settle(MARA, roll, answers={"number": 4})
