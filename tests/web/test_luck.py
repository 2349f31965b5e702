"""The luck of players, as each seat may know it."""

import re

from kitchentable.app.luck import luck_for
from tests.web.visitors import Visited


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_rolls_are_counted_for_whom_they_were_and_whoever_may_know_their_odds(visited: Visited):
    gm, mara, lene = (visited.sits(name) for name in ("GM", "Mara", "Lene"))
    t = visited.t
    gm.fill(f"{t}/session/begin")
    assert "No roll with odds yet" in gm.get(f"{t}/luck").text
    for faces, hide in (("9", {}), ("2", {}), ("9", {"hide": "difficulty"}), ("9", {})):
        mara.fill(f"{t}/say", text="/perception")
        tree = visited.server.tables.campaign(visited.campaign).tree
        roll = f"{t}/proposals/{next(iter(tree['proposals']))}"
        gm.fill(f"{roll}/settle", a__difficulty="medium", **hide)
        mara.fill(f"{roll}/throw", faces=faces)
    last = visited.server.tables.campaign(visited.campaign).events[-1]
    assert (last.throw.fell, last.name) == ("success", "Mara")
    gm.fill(f"{t}/undo/{visited.server.tables.cursors.seal(visited.campaign, last.number)}")
    for_gm, for_lene = (words_of(one.get(f"{t}/luck").text) for one in (gm, lene))
    assert "Mara 2 of 3 rolls succeeded; 1.8 were expected." in for_gm
    assert "Mara 1 of 2 rolls succeeded; 1.2 were expected." in for_lene
    assert "1 roll not counted, because" in for_lene
    assert "not counted, because" not in for_gm
    gm.fill(f"{t}/session/end")
    gm.fill(f"{t}/session/begin")
    assert "No roll with odds yet" in mara.get(f"{t}/luck?session=2").text
    assert "Mara 1 of 2 rolls" in words_of(mara.get(f"{t}/luck?session=1").text)


def test_the_latest_rolls_are_counted_and_it_says_so(visited: Visited, monkeypatch):
    gm, mara = (visited.sits(name) for name in ("GM", "Mara"))
    gm.fill(f"{visited.t}/session/begin")
    for faces in ("9", "2", "9"):
        mara.fill(f"{visited.t}/say", text=f"/perception faces={faces}")
        tree = visited.server.tables.campaign(visited.campaign).tree
        gm.fill(f"{visited.t}/proposals/{next(iter(tree['proposals']))}/settle")
        mara.fill(f"{visited.t}/proposals/{next(iter(tree['proposals']))}/throw", faces=faces)
    for text in ("These", "do not", "count"):
        gm.fill(f"{visited.t}/note", which="gm", text=text)
    seat = next(seat.id for seat in visited.seats.values() if seat.name == "Mara")
    projection = visited.server.projections.of(visited.campaign, seat)
    for limit, value, got in (("MOST_ROLLS", 2, 1), ("MOST_ROLLS", 3, 2), ("MOST_EVENTS", 2, 1)):
        with monkeypatch.context() as patch:
            patch.setattr("kitchentable.app.luck." + limit, value)
            report = luck_for(projection)
        assert [one.got for one in report.players] == [got]
        assert report.more is (value == 2)
