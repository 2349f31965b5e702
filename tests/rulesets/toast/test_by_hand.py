"""Facts that no rule made, set by hand or sent: the table can be shown afterwards."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.views import entry_for, view_for
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero, sheet, spread


def by_hand(one, *path, **value):
    return one.do(GM, c.Override, path=path, reason="So it is.", **value)


@pytest.fixture
def fighting():
    one = evening()
    mara, serk = hero(one, "ana", "Sly", initiative=4), foe(one)
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", (5, 3))
    return one, mara, serk


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("fight", "fighters", "MARA", "status"), {"now": "asleep"}),
        (("fight", "fighters", "MARA", "status"), {"gone": True}),
        (("fight", "fighters", "MARA", "side"), {"gone": True}),
        (("entities", "MARA", "sheet", "gear"), {"now": [1, 2]}),
    ],
)
def test_what_would_shut_the_table_is_refused_and_changes_nothing(fighting, path, value):
    one, mara, _ = fighting
    before = one.campaign
    with pytest.raises(CannotBe) as refused:
        by_hand(one, *(mara if step == "MARA" else step for step in path), **value)
    assert refused.value.code == "table/not-tellable"
    assert one.campaign is before


@pytest.mark.parametrize("seat", [GM, "ana"])
@pytest.mark.parametrize(
    "built", [{"perks": [1, 2]}, {"traits": ["aim"]}, {"gear": [3]}, {"perks": True}]
)
def test_nobody_comes_with_a_sheet_that_cannot_be_shown(seat, built):
    one = evening()
    kind = "minion" if seat == GM else "pc"
    with pytest.raises((CannotBe, BadAnswers)):
        one.do(seat, c.MakeEntity, kind=kind, name="Wedge", sheet=built)
    assert one.table.entities == {}


def test_a_draft_that_could_not_be_played_stays_with_its_player():
    one = evening()
    built = sheet(one, gear=[{"pocket": "left"}], **spread(one))
    one.do("ana", c.MakeEntity, kind="pc", name="Mara", sheet=built)
    (mara,) = one.table.entities
    one.do("ana", c.SubmitSheet, entity=mara)
    with pytest.raises(CannotBe) as refused:
        one.do(GM, c.DecideSheet, entity=mara, accept=True)
    assert refused.value.code == "table/not-tellable"
    one.do(GM, c.DecideSheet, entity=mara, accept=False)
    assert one.entity(mara).stage == "draft"


def test_no_fight_is_begun_by_a_single_fact():
    one = evening()
    hero(one, "ana")
    with pytest.raises(CannotBe) as refused:
        by_hand(one, "fight", "round", now=2)
    assert refused.value.code == "table/not-tellable"


def test_what_can_be_shown_is_set_and_taken_back(fighting):
    one, mara, serk = fighting
    step = by_hand(one, "fight", "fighters", mara, "status", now="out")
    assert [row.status for row in view_for(one.campaign, one.game, "ana").fight.rows]
    one.do(GM, c.Undo, number=step.number, reason="A slip.")
    by_hand(one, "entities", serk, "state", "wounds", now=1)
    covers = ("entities", mara, "sheet", "perks", "0", "covers")
    by_hand(one, *covers, gone=True)
    assert one.entity(mara).sheet["perks"] == [{"text": "Sly"}]
    one.do(GM, c.Undo, number=one.campaign.number, reason="A slip.")
    assert one.entity(mara).sheet["perks"] == [{"text": "Sly", "covers": ""}]


def test_a_fact_about_whom_only_the_gm_has_begun_is_the_gms_alone():
    one = evening()
    one.do(GM, c.MakeEntity, kind="minion", name="Umbra")
    (umbra,) = one.table.entities
    step = by_hand(one, "entities", umbra, "sheet", "traits", "aim", now=3)
    assert entry_for(one.campaign, step, "ana") is None
    assert "Umbra" in entry_for(one.campaign, step, GM).text
