"""Ids, which every page shows, reveal nothing about hidden events."""

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import view_for
from tests.campaign.tables import IDA, MARA, opened

SALT = "7f3a9c1e5b2d8046aa11bb22"


def _kes(salt: str, *, unseen: int):
    evening = opened(salt=salt)
    evening.send(c.AskForSeat, IDA, new_seat=MARA, name="Mara", approved=True)
    for step in range(unseen):
        evening.send(c.SetNote, IDA, which="gm", text=f"Something stirs, {step}.")
    return evening, evening.send(c.MakeEntity, MARA, kind="pc", name="Kes").data["entity"]


def test_an_id_does_not_count_what_nobody_saw():
    """Without a salt, as campaigns were opened before, the id is the number of the step."""
    assert _kes("", unseen=0)[1] == "pc-3"
    assert _kes("", unseen=4)[1] == "pc-7"
    evening, kes = _kes(SALT, unseen=4)
    assert kes.startswith("pc-")
    assert len(kes) == len("pc-") + 12
    assert kes != _kes(SALT, unseen=3)[1] != _kes(SALT[::-1], unseen=3)[1]
    again = evening.send(c.MakeEntity, MARA, kind="pc", name="Bo").data["entity"]
    assert again != kes


def test_the_salt_stays_with_the_gm():
    evening, _ = _kes(SALT, unseen=1)
    mara = view_for(evening.campaign, evening.game, MARA)
    assert mara.table.salt == ""
    assert SALT not in repr(mara)
    assert evening.table.salt == SALT
