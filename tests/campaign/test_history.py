"""Undo, reveal, facts set by hand, altered dice."""

from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.audiences import LogReader, known_as
from kitchentable.campaign.errors import BuiltUpon, CannotBe, NotAllowed
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.state import fold
from kitchentable.campaign.undo import may_undo
from kitchentable.campaign.views import entry_for, view_for
from kitchentable.rules.errors import BadAnswers
from tests.campaign.coin import COIN
from tests.campaign.tables import IDA, JON, MARA, TOVE, named, playing

TRUST = {"settings": {"gm_confirms": "trust"}}


def facts(evening):
    """The tree without its book-keeping."""
    return {key: one for key, one in evening.tree.items() if key not in {"undone", "revealed"}}


def lost(evening, name="Kes", coins=1):
    entity = named(evening, name)
    return evening.send(c.MakeMove, IDA, move="lose", entity=entity, answers={"coins": coins})


def test_a_step_taken_back_leaves_everything_as_it_was():
    evening = playing(**TRUST)
    before = facts(evening)
    event = evening.send(c.MakeMove, MARA, move="flip", entity=named(evening, "Kes"), faces=[1])
    assert evening.table.asks
    undone = evening.send(c.Undo, IDA, number=event.number, reason="Not meant so.")
    assert facts(evening) == before
    assert evening.campaign.undone(event.number)
    assert (undone.data["of"], undone.reason) == ([event.number], "Not meant so.")
    assert evening.log[event.number - 1].throw.trace, "the dice stay in the journal"
    assert fold(evening.log).tree == evening.tree


def test_the_log_ends_a_taken_back_question_with_its_own_mark():
    evening = playing(**TRUST)
    for words, told in (("Really?", "Really?"), ("Not so", "Not so."), ("No.", "No.")):
        said = evening.send(c.Say, MARA, text=words)
        undone = evening.send(c.Undo, MARA, number=said.number)
        assert entry_for(evening.campaign, undone, JON).text == f"Mara takes back: {told}"


def test_a_step_is_taken_back_once():
    evening = playing()
    event = lost(evening)
    evening.send(c.Undo, IDA, number=event.number)
    with pytest.raises(CannotBe) as caught:
        evening.send(c.Undo, IDA, number=event.number)
    assert caught.value.code == "undo/done"
    for number in (0, -1, 999):
        with pytest.raises(CannotBe) as caught:
            evening.send(c.Undo, IDA, number=number)
        assert caught.value.code == "undo/unknown"


def test_an_undoing_is_a_step_that_can_be_taken_back():
    evening = playing()
    event = lost(evening)
    after = facts(evening)
    undone = evening.send(c.Undo, IDA, number=event.number)
    evening.send(c.Undo, IDA, number=undone.number)
    assert facts(evening) == after
    assert not evening.campaign.undone(event.number)
    evening.send(c.Undo, IDA, number=event.number)
    assert evening.entity(named(evening, "Kes")).state["coins"] == 3


def test_the_log_says_what_comes_and_goes_however_often_the_mind_is_changed():
    evening = playing()
    step = evening.send(c.SetNote, IDA, which="table", text="The bridge is out.")
    hidden = evening.send(c.SetNote, IDA, which="gm", text="Grim did it.")

    def told(of, seat):
        event = evening.send(c.Undo, IDA, number=of.number, reason="Hm.")
        entry = entry_for(evening.campaign, event, seat)
        return event, entry.text if entry is not None else None

    said = []
    for _ in range(3):
        step, text = told(step, MARA)
        said.append(text)
    what = "Ida writes in the table's notes."
    assert said == [f"Ida {does} back: {what}" for does in ("takes", "brings", "takes")]
    hidden, text = told(hidden, MARA)
    assert (text, told(hidden, MARA)[1]) == (None, None)


def test_what_later_steps_stand_on_goes_only_with_them():
    evening = playing()
    before = facts(evening)
    first, second, other, third = (
        lost(evening),
        lost(evening),
        lost(evening, "Bo"),
        lost(evening),
    )
    with pytest.raises(BuiltUpon) as caught:
        evening.send(c.Undo, IDA, number=first.number)
    assert caught.value.numbers == (second.number, third.number)
    assert str(third.number) in str(caught.value)
    with pytest.raises(BuiltUpon) as caught:
        evening.send(c.Undo, IDA, number=first.number, also=(second.number,))
    assert caught.value.numbers == (third.number,)
    evening.send(c.Undo, IDA, number=first.number, also=(*caught.value.numbers, second.number))
    assert evening.entity(named(evening, "Kes")).state["coins"] == 3
    evening.send(c.Undo, IDA, number=other.number)
    assert facts(evening) == before


def test_steps_that_were_taken_back_stand_on_nothing():
    evening = playing()
    first, second = lost(evening), lost(evening)
    evening.send(c.Undo, IDA, number=second.number)
    evening.send(c.Undo, IDA, number=first.number)
    assert evening.entity(named(evening, "Kes")).state["coins"] == 3


def test_a_redo_waits_for_what_happened_since():
    evening = playing()
    first = lost(evening)
    undone = evening.send(c.Undo, IDA, number=first.number)
    later = lost(evening, coins=2)
    with pytest.raises(BuiltUpon) as caught:
        evening.send(c.Undo, IDA, number=undone.number)
    assert caught.value.numbers == (later.number,)


def test_two_people_in_one_place_do_not_stand_on_each_other():
    evening = playing(**TRUST)
    for seat, name in ((MARA, "Kes"), (JON, "Bo")):
        evening.send(c.MakeMove, seat, move="flip", entity=named(evening, name), faces=[3])
    assert set(evening.tree["session"]["notes"]["flips"]) == {"pc-7", "pc-8"}
    evening.send(c.Undo, IDA, number=evening.campaign.number - 1)
    assert evening.tree["session"]["notes"]["flips"] == {"pc-8": 3}


def test_a_player_takes_back_the_own_last_step_only():
    evening = playing()
    kes = named(evening, "Kes")
    first = evening.send(c.SetNote, MARA, which="table", text="One.")
    second = evening.send(c.Propose, MARA, move="flip", entity=kes)
    evening.send(c.Say, MARA, text="Oh, wait.")
    with pytest.raises(NotAllowed):
        evening.send(c.Undo, MARA, number=first.number)
    with pytest.raises(NotAllowed):
        evening.send(c.Undo, JON, number=second.number)
    evening.send(c.Undo, MARA, number=second.number)
    assert evening.tree["proposals"] == {}
    evening.send(c.Undo, MARA, number=first.number)
    assert evening.tree["notes"]["table"] == ""
    with pytest.raises(CannotBe):
        evening.send(c.Undo, MARA, number=first.number)


def test_a_player_does_not_take_back_what_somebody_acted_on_or_what_fell():
    evening = playing()
    kes = named(evening, "Kes")
    step = evening.send(c.Propose, MARA, move="flip", entity=kes)
    assert may_undo(evening.campaign, step, LogReader(known_as(evening.table.seats[MARA])))
    evening.send(c.Settle, IDA, proposal=step.data["proposal"])
    with pytest.raises(NotAllowed, match="depends on it"):
        evening.send(c.Undo, MARA, number=step.number)
    fell = evening.send(c.Throw, MARA, proposal=step.data["proposal"], faces=[3])
    with pytest.raises(NotAllowed, match="no dice"):
        evening.send(c.Undo, MARA, number=fell.number)
    assert not may_undo(evening.campaign, fell, LogReader(known_as(evening.table.seats[MARA])))


def test_whether_a_step_was_the_last_is_known_without_the_end_of_the_log():
    evening = playing()
    for number in range(3):
        step = evening.send(c.SetNote, MARA, which="table", text=f"{number}")
    for number in range(100):
        evening.send(c.Say, JON, text=f"{number}")
    looked_at = []

    class Watched(tuple):
        __slots__ = ()

        def __getitem__(self, index):
            found = super().__getitem__(index)
            return Watched(found) if isinstance(index, slice) else found

        def __iter__(self):
            for event in super().__iter__():
                looked_at.append(event.number)
                yield event

    campaign = replace(evening.campaign, events=Watched(evening.campaign.events))
    earlier = campaign.events[step.number - 2]
    assert not may_undo(campaign, earlier, LogReader(known_as(evening.table.seats[MARA])))
    assert looked_at == [step.number]
    assert may_undo(campaign, step, LogReader(known_as(evening.table.seats[MARA])))


FINAL = {name for name, kind in KINDS.items() if kind.final}


@pytest.mark.parametrize("kind", sorted(FINAL - {"seat-refused", "revealed"}))
def test_some_steps_are_never_taken_back(kind):
    evening = playing()
    evening.send(c.AskForSeat, "", new_seat="s-new", name="New")
    evening.send(c.DecideSeat, IDA, of="s-new", verdict="approve")
    evening.send(c.RenameSeat, IDA, of="s-new", name="Newer")
    evening.send(c.HandOver, IDA, of="s-new")
    evening.send(c.DecideSeat, IDA, of="s-new", verdict="revoke")
    evening.send(c.Contribute, MARA, text="tea")
    letter = evening.send(c.SaveHandout, IDA, title="A letter").data["handout"]
    evening.send(c.ShowHandout, IDA, handout=letter, to=("all",))
    evening.send(c.SetLimit, MARA, text="Spiders")
    evening.send(c.PlayXCard, MARA)
    evening.send(c.EndSession, IDA, seed="00")
    step = next(event for event in evening.log if event.kind == kind)
    with pytest.raises(CannotBe) as caught:
        evening.send(c.Undo, IDA, number=step.number)
    assert caught.value.code == "undo/never"


def test_what_somebody_does_not_know_of_they_cannot_take_back():
    evening = playing()
    whisper = evening.send(c.Say, MARA, text="Psst", to=JON)
    secret = evening.send(c.SetNote, IDA, which="gm", text="Grim did it.")
    for seat, number in ((IDA, whisper.number), (TOVE, whisper.number), (MARA, secret.number)):
        with pytest.raises(CannotBe) as caught:
            evening.send(c.Undo, seat, number=number)
        assert caught.value.code == "undo/unknown"


def test_a_fact_is_set_by_hand_with_a_reason():
    evening = playing()
    kes = named(evening, "Kes")
    path = ("entities", kes, "state", "coins")
    with pytest.raises(CannotBe, match="Give a reason"):
        evening.send(c.Override, IDA, path=path, now=1)
    event = evening.send(c.Override, IDA, path=path, now=1, reason="A hole in the purse.")
    assert (event.audience, event.data["was"], event.data["now"]) == ("all", 3, 1)
    assert evening.entity(kes).state["coins"] == 1
    with pytest.raises(CannotBe, match="already has this value"):
        evening.send(c.Override, IDA, path=path, now=1, reason="Again.")
    with pytest.raises(BadAnswers, match="story is the player's"):
        evening.send(
            c.Override, IDA, path=("entities", kes, "sheet", "story"), now="x", reason="Mine."
        )
    evening.send(c.Undo, IDA, number=event.number)
    assert evening.entity(kes).state["coins"] == 3


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (("entities", "pc-7", "state", "coins"), {"now": "three"}),
        (("entities", "pc-7", "state", "coins"), {"now": True}),
        (("entities", "pc-7", "state", "coins"), {"now": None}),
        (("entities", "pc-7", "state", "coins"), {"gone": True}),
        (("entities", "pc-7", "state", "coins", "of"), {"now": 3}),
        (("entities", "pc-7", "state"), {"now": {}}),
        (("entities", "pc-7", "owner"), {"now": "s-jon"}),
        (("entities", "pc-7"), {"now": {}}),
        (("entities", "pc-99", "state", "coins"), {"now": 1}),
        (("seats", MARA, "role"), {"now": "gm"}),
        (("settings", "fudge"), {"now": "logged"}),
        (("undone", "3"), {"now": {}}),
        (("number",), {"now": 1}),
        ((), {"now": 1}),
        (("own", "evenings"), {"gone": True}),
    ],
)
def test_not_every_fact_is_set_by_hand(path, parts):
    evening = playing()
    with pytest.raises(CannotBe):
        evening.send(c.Override, IDA, path=path, reason="Why not.", **parts)


def test_results_are_altered_only_where_the_table_says_so_and_openly():
    evening = playing(**TRUST)
    kes = named(evening, "Kes")
    step = evening.send(c.MakeMove, MARA, move="flip", entity=kes, faces=[1])
    with pytest.raises(NotAllowed) as caught:
        evening.send(c.Alter, IDA, number=step.number, faces=[6])
    assert caught.value.code == "fudge/off"
    evening.send(c.SetSettings, IDA, settings={"fudge": "logged"})
    altered = evening.send(c.Alter, IDA, number=step.number, faces=[6], reason="For the story.")
    assert (altered.kind, altered.audience) == ("altered", "all")
    assert altered.data["card"]["outcome"] == "win"
    assert altered.data["was"] == "slip"
    assert evening.entity(kes).state["coins"] == 4
    assert evening.table.asks == {}
    assert evening.campaign.undone(step.number)
    assert evening.log[step.number - 1].throw.trace[0]["physical"] == 1
    assert fold(evening.log).tree == evening.tree


def test_an_alteration_can_be_taken_back_and_altered_again():
    evening = playing(settings={"gm_confirms": "trust", "fudge": "logged"})
    before = facts(evening)
    kes = named(evening, "Kes")
    step = evening.send(c.MakeMove, MARA, move="flip", entity=kes, faces=[1])
    fell = facts(evening)
    first = evening.send(c.Alter, IDA, number=step.number, faces=[6])
    second = evening.send(c.Alter, IDA, number=first.number, faces=[2])
    assert evening.entity(kes).state["coins"] == 4
    evening.send(c.Undo, IDA, number=second.number)
    evening.send(c.Undo, IDA, number=first.number)
    assert facts(evening) == fell
    evening.send(c.Undo, IDA, number=step.number)
    assert facts(evening) == before


def test_what_an_altered_result_stands_on_takes_all_of_it_along():
    evening = playing(settings={"gm_confirms": "trust", "fudge": "logged"})
    before = facts(evening)
    kes = named(evening, "Kes")
    first = lost(evening)
    step = evening.send(c.MakeMove, MARA, move="flip", entity=kes, faces=[3])
    altered = evening.send(c.Alter, IDA, number=step.number, faces=[1])
    with pytest.raises(BuiltUpon) as caught:
        evening.send(c.Undo, IDA, number=first.number)
    assert caught.value.numbers == (step.number, altered.number)
    evening.send(c.Undo, IDA, number=first.number, also=caught.value.numbers)
    assert facts(evening) == before
    assert evening.campaign.undone(step.number)


def test_notation_is_altered_too_and_what_has_no_dice_is_not():
    evening = playing(settings={"fudge": "logged"})
    roll = evening.send(c.RollNotation, MARA, notation="2d6", faces=[1, 2])
    altered = evening.send(c.Alter, IDA, number=roll.number, faces=[6, 6])
    assert (altered.data["outcome"], altered.data["was"]) == (12, "3")
    with pytest.raises(CannotBe) as caught:
        evening.send(c.Alter, IDA, number=roll.number, faces=[6, 6])
    assert caught.value.code == "undo/done"
    with pytest.raises(CannotBe) as caught:
        evening.send(c.Alter, IDA, number=lost(evening).number, faces=[6])
    assert caught.value.code == "fudge/no-dice"


def test_a_private_card_is_shown_once_and_a_public_one_not_at_all():
    evening = playing()
    grim = named(evening, "Grim")
    secret = evening.send(c.MakeMove, IDA, move="jinx", entity=grim, audience="gm", faces=[4])
    evening.send(c.Reveal, IDA, number=secret.number)
    with pytest.raises(CannotBe, match="already been shown"):
        evening.send(c.Reveal, IDA, number=secret.number)
    public = evening.send(c.MakeMove, IDA, move="jinx", entity=grim, faces=[4])
    for number in (public.number, 1, 999):
        with pytest.raises(CannotBe):
            evening.send(c.Reveal, IDA, number=number)
    alone = evening.send(c.RollNotation, MARA, notation="d6", audience="self", faces=[4])
    with pytest.raises(CannotBe):
        evening.send(c.Reveal, IDA, number=alone.number)


def test_what_waits_for_somebody_who_never_was_is_put_away():
    evening = playing(**TRUST)
    rat = evening.send(c.MakeEntity, IDA, kind="npc", name="Rat", sheet={"coins": 2})
    entity = rat.data["entity"]
    jinx = evening.send(c.MakeMove, IDA, move="jinx", entity=entity, faces=[4])
    roll = evening.send(c.Propose, IDA, move="flip", entity=entity).data["proposal"]
    target = evening.send(
        c.Propose, MARA, move="flip", entity=named(evening, "Kes"), answers={"target": entity}
    ).data["proposal"]
    evening.send(c.Undo, IDA, number=rat.number)
    assert entity not in evening.table.entities
    assert [one.id for one in view_for(evening.campaign, COIN, IDA).proposals] == [roll, target]
    for command, parts in (
        (c.Throw, {"proposal": roll}),
        (c.Settle, {"proposal": roll}),
        (c.Throw, {"proposal": target}),
    ):
        with pytest.raises((CannotBe, BadAnswers)):
            evening.send(command, IDA, faces=[3], **parts)
    evening.send(c.SetSettings, IDA, settings={"fudge": "logged"})
    with pytest.raises(CannotBe, match="has left the table"):
        evening.send(c.Alter, IDA, number=jinx.number, faces=[3])
    evening.send(c.Decline, IDA, proposal=roll, verdict="no")
    evening.send(c.Withdraw, MARA, proposal=target)


def test_a_card_about_somebody_who_never_was_is_put_away():
    evening = playing(**TRUST)
    rat = evening.send(c.MakeEntity, IDA, kind="npc", name="Rat", sheet={"coins": 2})
    evening.send(c.MakeMove, IDA, move="point", entity=rat.data["entity"])
    (ask,) = evening.table.asks
    evening.send(c.Undo, IDA, number=rat.number)
    (seen,) = view_for(evening.campaign, COIN, IDA).asks
    assert (seen.mine, seen.fields) == (True, ())
    with pytest.raises(CannotBe, match="Skip the card"):
        evening.send(c.MakeMove, IDA, move="tell", ask=ask, answers={"text": "x"})
    evening.send(c.SkipAsk, IDA, ask=ask)
    assert evening.table.asks == {}
