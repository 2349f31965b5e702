"""Facts that the GM sets by hand: whatever is typed, the table can be shown afterwards."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.views import view_for
from tests.games.driver import GM
from tests.games.toast.people import evening, foe, hero


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
