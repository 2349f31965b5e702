"""Sheets: drafts, the GM's approval, and changes in play."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.kinds import sentence
from kitchentable.campaign.views import entry_for
from kitchentable.rules.errors import BadAnswers
from tests.campaign.tables import IDA, JON, MARA, TOVE, named, playing, seated


def drafted():
    evening = seated()
    event = evening.send(c.MakeEntity, MARA, kind="pc", name="Kes")
    return evening, event.data["entity"]


def test_a_player_builds_hands_in_and_plays():
    evening, kes = drafted()
    assert evening.entity(kes).stage == "draft"
    assert evening.entity(kes).owner == MARA
    evening.send(c.SaveSheet, MARA, entity=kes, raw={"coins": "5", "story": "From the sea."})
    assert evening.entity(kes).sheet == {"coins": 5, "skill": 2, "story": "From the sea."}
    evening.send(c.SubmitSheet, MARA, entity=kes)
    assert evening.entity(kes).stage == "submitted"
    evening.send(c.DecideSheet, IDA, entity=kes, accept=True)
    assert evening.entity(kes).stage == "play"
    assert evening.entity(kes).state == {"coins": 5}


def test_without_a_kind_it_is_the_first_that_a_player_makes():
    evening = seated()
    event = evening.send(c.MakeEntity, MARA, kind="", name="Kes")
    assert evening.entity(event.data["entity"]).kind == "pc"
    with pytest.raises(CannotBe, match="called 'wizard'"):
        evening.send(c.MakeEntity, MARA, kind="wizard", name="Kes")


def test_a_draft_holds_what_a_finished_sheet_may_not():
    evening, kes = drafted()
    evening.send(c.SaveSheet, MARA, entity=kes, raw={"coins": 8})
    with pytest.raises(BadAnswers, match="At most six coins"):
        evening.send(c.SubmitSheet, MARA, entity=kes)
    evening.send(c.SaveSheet, MARA, entity=kes, raw={"coins": 6})
    evening.send(c.SubmitSheet, MARA, entity=kes)


def test_what_cannot_be_read_is_told_and_the_rest_kept():
    evening, kes = drafted()
    event = evening.send(c.SaveSheet, MARA, entity=kes, raw={"coins": "many", "skill": 4})
    assert evening.entity(kes).sheet["skill"] == 4
    assert evening.entity(kes).sheet["coins"] == 3
    assert [one["where"] for one in event.data["unread"]] == ["coins"]
    with pytest.raises(BadAnswers):
        evening.send(c.SaveSheet, MARA, entity=kes, raw={"coins": "many"})


def test_a_name_that_is_no_field_is_told_and_the_rest_kept():
    evening, kes = drafted()
    words = "There is no field called 'luck' on this sheet."
    event = evening.send(c.SaveSheet, MARA, entity=kes, raw={"luck": 3, "skill": 4})
    assert evening.entity(kes).sheet["skill"] == 4
    assert event.data["unread"] == [{"where": "luck", "sentence": words}]
    before = evening.campaign.number
    with pytest.raises(BadAnswers, match=words):
        evening.send(c.SaveSheet, MARA, entity=kes, raw={"luck": 3})
    assert evening.campaign.number == before


def test_what_the_form_does_not_know_stays():
    evening = playing()
    event = evening.send(
        c.MakeEntity, IDA, kind="npc", name="Rat", sheet={"coins": 1, "later": {"x": [1]}}
    )
    evening.send(c.SaveSheet, IDA, entity=event.data["entity"], raw={"coins": 2})
    sheet = evening.entity(event.data["entity"]).sheet
    assert sheet == {"coins": 2, "skill": 2, "story": "", "later": {"x": [1]}}


def test_the_gm_sends_a_sheet_back_with_a_word():
    evening, kes = drafted()
    evening.send(c.SubmitSheet, MARA, entity=kes)
    event = evening.send(c.DecideSheet, IDA, entity=kes, accept=False, reason="A name, please.")
    assert (evening.entity(kes).stage, event.reason) == ("draft", "A name, please.")
    with pytest.raises(CannotBe):
        evening.send(c.DecideSheet, IDA, entity=kes, accept=True)
    with pytest.raises(CannotBe):
        evening.send(c.DecideSheet, IDA, entity=kes, accept=False)


def test_a_sheet_changed_while_it_waits_is_handed_in_again():
    evening, kes = drafted()
    evening.send(c.SubmitSheet, MARA, entity=kes)
    evening.send(c.SaveSheet, MARA, entity=kes, raw={"skill": 5})
    assert evening.entity(kes).stage == "draft"
    evening.send(c.SubmitSheet, MARA, entity=kes)
    evening.send(c.SaveSheet, IDA, entity=kes, raw={"skill": 4})
    assert evening.entity(kes).stage == "submitted"


def test_the_yes_is_given_to_the_rules_of_that_moment():
    evening, kes = drafted()
    evening.send(c.SubmitSheet, MARA, entity=kes)
    evening.send(c.SaveSheet, IDA, entity=kes, raw={"coins": 9})
    with pytest.raises(BadAnswers):
        evening.send(c.DecideSheet, IDA, entity=kes, accept=True)


def test_in_play_a_player_leaves_the_sheet_alone_until_it_is_sent_back():
    evening = playing()
    kes = named(evening, "Kes")
    with pytest.raises(NotAllowed, match="in play"):
        evening.send(c.SaveSheet, MARA, entity=kes, raw={"skill": 5})
    evening.send(c.MakeMove, IDA, move="lose", entity=kes)
    evening.send(c.DecideSheet, IDA, entity=kes, accept=False)
    evening.send(c.SaveSheet, MARA, entity=kes, raw={"skill": 5, "coins": 9})
    evening.send(c.SubmitSheet, MARA, entity=kes)
    evening.send(c.DecideSheet, IDA, entity=kes, accept=True)
    assert evening.entity(kes).sheet["skill"] == 5
    assert evening.entity(kes).state == {"coins": 2}, "what play had done stays"


def test_a_sheet_that_comes_back_from_play_keeps_what_was_agreed_on():
    evening, draft = drafted()
    evening.send(c.SaveSheet, MARA, entity=draft, raw={"skill": 0})
    assert evening.entity(draft).sheet["skill"] == 0, "nothing has been agreed on yet"
    evening = playing()
    kes = named(evening, "Kes")
    evening.send(c.DecideSheet, IDA, entity=kes, accept=False)
    with pytest.raises(BadAnswers, match="forgets"):
        evening.send(c.SaveSheet, MARA, entity=kes, raw={"skill": 0})
    evening.send(c.SaveSheet, MARA, entity=kes, raw={"skill": 4, "story": "A year on."})
    assert evening.entity(kes).sheet["story"] == "A year on."


def test_the_log_says_which_parts_of_an_agreed_sheet_were_changed():
    evening = playing()
    kes = named(evening, "Kes")
    by_gm = evening.send(c.SaveSheet, IDA, entity=kes, raw={"skill": 4}, name="Kestrel")
    assert sentence(by_gm) == "Ida changes Kestrel: the name; Skill 2, now 4."
    assert entry_for(evening.campaign, by_gm, JON) is None
    evening.send(c.DecideSheet, IDA, entity=kes, accept=False)
    by_mara = evening.send(c.SaveSheet, MARA, entity=kes, raw={"story": "Long ago."}, line="Older")
    assert sentence(by_mara) == "Mara changes Kestrel: the line under it; Story."
    draft = evening.send(c.MakeEntity, MARA, kind="pc", name="Wren").data["entity"]
    event = evening.send(c.SaveSheet, MARA, entity=draft, raw={"skill": 1})
    assert sentence(event) == "Mara saves Wren."


def test_in_play_the_gm_changes_what_the_rules_leave_to_the_gm():
    evening = playing()
    kes = named(evening, "Kes")
    evening.send(c.SaveSheet, IDA, entity=kes, raw={"skill": 4})
    with pytest.raises(BadAnswers, match="story is the player's"):
        evening.send(c.SaveSheet, IDA, entity=kes, raw={"story": "Mine now."})
    with pytest.raises(BadAnswers):
        evening.send(c.SaveSheet, TOVE, entity=kes, raw={"skill": 4, "coins": "x"})
    assert evening.entity(kes).sheet["skill"] == 4


def test_everybody_keeps_to_their_own_sheets():
    evening = playing()
    kes = named(evening, "Kes")
    draft = evening.send(c.MakeEntity, MARA, kind="pc", name="Later").data["entity"]
    owl = evening.send(c.MakeEntity, IDA, kind="npc", name="Owl").data["entity"]
    for command, parts in ((c.SaveSheet, {"raw": {"skill": 1}}), (c.SubmitSheet, {})):
        with pytest.raises(NotAllowed, match="cannot act for Kes"):
            evening.send(command, JON, entity=kes, **parts)
        with pytest.raises(NotAllowed, match="cannot act for that character"):
            evening.send(command, JON, entity=draft, **parts)
        for unknown in ("pc-none", owl):
            with pytest.raises(CannotBe, match="Nobody of that name"):
                evening.send(command, JON, entity=unknown, **parts)


def test_players_make_characters_of_their_own_and_nobody_elses():
    evening = seated()
    for parts, error in (
        ({"kind": "npc"}, NotAllowed),
        ({"kind": "dragon"}, CannotBe),
        ({"owner": JON}, NotAllowed),
        ({"owner": "gm"}, NotAllowed),
        ({"hidden": True}, NotAllowed),
        ({"open": False}, NotAllowed),
    ):
        with pytest.raises(error):
            evening.send(c.MakeEntity, MARA, **({"kind": "pc", "name": "Kes"} | parts))
    for number in range(12):
        evening.send(c.MakeEntity, MARA, kind="pc", name=f"Kes {number}")
    with pytest.raises(CannotBe, match="Finish one"):
        evening.send(c.MakeEntity, MARA, kind="pc", name="Kes 13")


def test_the_gm_makes_anybody():
    evening = seated()
    ready = evening.send(c.MakeEntity, IDA, kind="npc", name="Rat", sheet={"coins": 1})
    rat = evening.entity(ready.data["entity"])
    assert (rat.stage, rat.owner, rat.open, rat.state) == ("play", "gm", False, {"coins": 1})
    draft = evening.send(c.MakeEntity, IDA, kind="npc", name="Owl", hidden=True, open=True)
    assert evening.entity(draft.data["entity"]).stage == "draft"
    evening.send(c.SubmitSheet, IDA, entity=draft.data["entity"])
    assert evening.entity(draft.data["entity"]).stage == "play"
    with pytest.raises(BadAnswers):
        evening.send(c.MakeEntity, IDA, kind="npc", name="Ox", sheet={"coins": 7})
    with pytest.raises(CannotBe):
        evening.send(c.MakeEntity, IDA, kind="pc", name="Ox", owner="s-sam")
    mine = evening.send(c.MakeEntity, IDA, kind="pc", name="Guest", owner=IDA)
    assert evening.entity(mine.data["entity"]).owner == "gm"


def test_the_gm_changes_who_somebody_is_and_whose():
    evening = playing()
    grim = named(evening, "Grim")
    evening.send(c.ChangeEntity, IDA, entity=grim, hidden=True, name="Grimmer")
    evening.send(c.ChangeEntity, IDA, entity=grim, owner=JON, hidden=False)
    assert evening.entity(grim).owner == JON
    evening.send(c.ChangeEntity, IDA, entity=grim, gone=True)
    assert evening.entity(grim).stage == "gone"
    with pytest.raises(CannotBe):
        evening.send(c.SaveSheet, JON, entity=grim, raw={"skill": 1})
    evening.send(c.ChangeEntity, IDA, entity=grim, gone=False)
    assert evening.entity(grim).stage == "play"
    with pytest.raises(CannotBe, match="This would not change Grimmer"):
        evening.send(c.ChangeEntity, IDA, entity=grim, gone=False, name="Grimmer")
