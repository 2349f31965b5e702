"""A table's list of stats or traits changes in mid-campaign, at the desk: asked, told, undone."""

import asyncio
import re

import pytest


def rows_of(field, rows, without):
    """A list as the desk's form sends it, one of its rows taken out."""
    sent = {}
    for index, row in enumerate(row for row in rows if row["id"] != without):
        for column, value in row.items():
            if value not in (False, None):
                sent[f"o.{field}.{index}.{column}"] = "on" if value is True else str(value)
    return sent


@pytest.mark.parametrize(
    ("game", "field", "line", "card", "answer"),
    [
        ("lucky_stars", "stats", "strength", "refit", {"a.stats.lost.strength": "note"}),
        ("toast", "traits", "health", "lost_traits", {"a.lost.health": "nothing"}),
    ],
)
def test_a_line_is_struck_out_of_the_list_at_the_desk(visited, game, field, line, card, answer):
    tables = visited.server.tables
    visited.campaign = asyncio.run(visited.server.open_example(game))
    t, name = f"/t/{visited.campaign}", line.capitalize()
    gm = visited.sits("GM")
    player = visited.sits(tables.campaign(visited.campaign).table.players()[0].name)

    def last_step():
        return re.findall(rf"{t}/undo/([\w=-]+)", gm.get(t).text)[-1]

    before = tables.campaign(visited.campaign)
    rows = before.table.options[field]
    assert f'name="o.{field}.0.name"' in gm.get(f"{t}/desk").text
    sent = rows_of(field, rows, line)
    assert gm.fill(f"{t}/options", **sent, reason="Too many").status_code == 303
    now = tables.campaign(visited.campaign).table
    assert line not in {row["id"] for row in now.options[field]}
    # The GM is asked, a player is not, and both read in the log what has changed.
    page, changed = gm.get(t).text, last_step()
    assert f"What becomes of {name}?" in page
    assert f"What becomes of {name}?" not in player.get(t).text
    assert "Too many" in player.get(t).text
    (ask,) = (one.id for one in now.asks.values() if one.move == card)
    assert gm.fill(f"{t}/asks/{ask}/answer", **answer).status_code == 303
    assert tables.campaign(visited.campaign).table.asks == before.table.asks
    answered = last_step()
    for cursor in (answered, changed):
        assert gm.fill(f"{t}/undo/{cursor}", reason="No").status_code == 303
    after = tables.campaign(visited.campaign)
    assert after.table.options == before.table.options
    assert after.table.asks == before.table.asks
    assert after.tree["entities"] == before.tree["entities"]
