"""Cards that wait, and moves that are made at once."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.rules.errors import BadAnswers
from tests.campaign.tables import IDA, JON, MARA, TOVE, named, playing


def slipped():
    """Kes has slipped; a card asks Mara for a sentence."""
    evening = playing(settings={"gm_confirms": "trust"})
    evening.send(c.MakeMove, MARA, move="flip", entity=named(evening, "Kes"), faces=[1])
    (ask,) = evening.table.asks
    return evening, ask


def test_a_card_is_answered_by_whom_it_is_put_to_and_goes():
    evening, ask = slipped()
    with pytest.raises(CannotBe) as caught:
        evening.send(c.MakeMove, JON, move="tell", ask=ask, answers={"text": "Mine"})
    assert caught.value.code == "ask/gone"
    with pytest.raises(BadAnswers):
        evening.send(c.MakeMove, MARA, move="tell", ask=ask, answers={"text": " "})
    event = evening.send(c.MakeMove, MARA, move="tell", ask=ask, answers={"text": "The purse."})
    assert event.data["answers"] == {"text": "The purse.", "why": "a slip", "trap": "TRAP"}
    assert event.data["hidden"] == ["trap"]
    assert evening.table.asks == {}
    with pytest.raises(CannotBe) as caught:
        evening.send(c.MakeMove, MARA, move="tell", ask=ask, answers={"text": "Again."})
    assert caught.value.code == "ask/gone"


def test_what_a_card_has_set_is_not_set_again():
    evening, ask = slipped()
    for name in ("why", "trap"):
        with pytest.raises(NotAllowed, match="set by the card"):
            evening.send(c.MakeMove, MARA, move="tell", ask=ask, answers={"text": "x", name: "y"})
    with pytest.raises(BadAnswers):
        evening.send(c.MakeMove, MARA, move="tell", ask=ask, answers={"text": "x", "other": "y"})
    with pytest.raises(CannotBe, match="asks for another move"):
        evening.send(c.MakeMove, MARA, move="vote", ask=ask)


def test_a_card_may_be_skipped_when_it_says_so():
    evening, ask = slipped()
    with pytest.raises(CannotBe):
        evening.send(c.SkipAsk, JON, ask=ask)
    evening.send(c.SkipAsk, IDA, ask=ask)
    assert evening.table.asks == {}
    evening.send(c.MakeMove, MARA, move="call")
    (vote,) = evening.table.asks
    with pytest.raises(CannotBe) as caught:
        evening.send(c.SkipAsk, MARA, ask=vote)
    assert caught.value.code == "ask/not-skippable"


def test_nobody_answers_for_a_player_not_even_the_gm():
    evening = playing()
    evening.send(c.MakeMove, IDA, move="call")
    (vote,) = evening.table.asks
    for seat in (IDA, TOVE):
        with pytest.raises(NotAllowed, match="Only somebody else"):
            evening.send(c.MakeMove, seat, move="vote", ask=vote, answers={"yes": True})


def test_a_card_stays_until_all_have_spoken():
    evening = playing()
    evening.send(c.MakeMove, MARA, move="call")
    (vote,) = evening.table.asks
    event = evening.send(c.MakeMove, MARA, move="vote", ask=vote, answers={"yes": "on"})
    assert evening.table.asks[vote].votes == {MARA: True}
    assert event.data["card"] is None
    assert event.audience == MARA, "what has no card is nobody else's business"
    event = evening.send(c.MakeMove, JON, move="vote", ask=vote)
    assert evening.table.asks == {}
    assert event.data["card"]["sentence"] == "Refused."
    assert evening.tree["own"]["agreed"] is False


def test_moves_are_made_by_those_who_may():
    evening = playing()
    kes = named(evening, "Kes")
    with pytest.raises(NotAllowed, match="Only the GM"):
        evening.send(c.MakeMove, MARA, move="lose", entity=kes)
    with pytest.raises(NotAllowed, match="only from a card"):
        evening.send(c.MakeMove, IDA, move="tell", entity=kes, answers={"text": "x"})
    with pytest.raises(BadAnswers):
        evening.send(c.MakeMove, IDA, move="lose", entity=kes, answers={"coins": "x"})
    with pytest.raises(BadAnswers, match="no question called"):
        evening.send(c.MakeMove, IDA, move="lose", entity=kes, answers={"gold": 1})
    evening.send(c.MakeMove, TOVE, move="lose", entity=kes, answers={"coins": 2})
    assert evening.entity(kes).state["coins"] == 1
    evening.send(c.DecideSheet, IDA, entity=kes, accept=False)
    with pytest.raises(CannotBe, match="not in play"):
        evening.send(c.MakeMove, IDA, move="lose", entity=kes)


def test_a_move_may_be_for_the_gms_eyes():
    evening = playing()
    kes = named(evening, "Kes")
    event = evening.send(c.MakeMove, IDA, move="jinx", entity=kes, audience="gm", faces=[4])
    assert event.audience == "gm"
    event = evening.send(c.MakeMove, IDA, move="lose", entity=kes, answers={"for": "gm"})
    assert event.audience == "gm"
    event = evening.send(c.MakeMove, IDA, move="lose", entity=kes)
    assert event.audience == "all"
    with pytest.raises(CannotBe):
        evening.send(c.MakeMove, IDA, move="lose", entity=kes, audience="s-mara")


def test_what_waits_for_somebody_who_has_left_waits_for_the_gm():
    evening, ask = slipped()
    evening.send(c.DecideSeat, IDA, of=MARA, verdict="revoke")
    evening.send(c.MakeMove, IDA, move="tell", ask=ask, answers={"text": "The purse."})
    assert evening.table.asks == {}
