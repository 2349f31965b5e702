"""Links between sheets: shown to those who know both, and never lost."""

import json
from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import summary_for, view_for
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.sheets import Number, Section, Summary, Tag
from kitchentable.rules.values import Choice, Field
from tests.campaign.coin import COIN, RULES
from tests.campaign.tables import IDA, MARA, Evening, named, seated


def sections(table, entity):
    others = tuple(Choice(one.id, one.name) for one in table.entities.values() if one is not entity)
    columns = (
        Field("name", "Friend"),
        Field("who", "Is", "entity", others, default="", required=False),
    )
    friend = Field("best", "Best friend", "entity", others, default="", required=False)
    rows = Field("friends", "Friends", "rows", default=[], required=False, columns=columns)
    return (*RULES.sections(table, entity), Section("friends", "Friends", (friend, rows)))


def summary(table, entity):
    found = entity.sheet.get("friends") or []
    tags = tuple(Tag(row["name"], leads_to=row["who"]) for row in found)
    best = Number("best", "Best friend", 1, leads_to=entity.sheet.get("best") or "")
    return Summary(entity.name, tags=tags, numbers=(best,))


LINKED = replace(COIN, sheet=replace(RULES, sections=sections, summary=summary))


@pytest.fixture
def evening() -> Evening:
    """Mara's Kes, a draft, whose friends are a cat that Mara knows and one that she does not."""
    one = seated()
    one.game = LINKED
    cats = {}
    for name, hidden in (("Mog", False), ("Shade", True)):
        made = one.send(c.MakeEntity, IDA, kind="npc", name=name, sheet={}, hidden=hidden)
        cats[name] = made.data["entity"]
    kes = one.send(c.MakeEntity, MARA, kind="pc", name="Kes").data["entity"]
    rows = [{"name": "A cat", "who": cats["Mog"]}, {"name": "A purr", "who": cats["Shade"]}]
    raw = {"friends": rows, "best": cats["Shade"]}
    one.send(c.SaveSheet, IDA, entity=kes, raw=raw)
    return one


def test_a_chip_leads_to_whom_a_seat_knows_and_to_nobody_else(evening):
    seen = view_for(evening.campaign, LINKED, MARA).table
    mine = summary_for(LINKED, seen, seen.entities[named(evening, "Kes")])
    assert [tag.leads_to for tag in mine.tags] == [named(evening, "Mog"), ""]
    assert [tag.text for tag in mine.tags] == ["A cat", "A purr"]
    assert mine.numbers[0].leads_to == ""
    table = view_for(evening.campaign, LINKED, IDA).table
    gms = summary_for(LINKED, table, table.entities[named(evening, "Kes")])
    assert [tag.leads_to for tag in gms.tags] == [named(evening, "Mog"), named(evening, "Shade")]
    assert gms.numbers[0].leads_to == named(evening, "Shade")


def test_who_sees_a_table_sees_summaries_that_lead_to_nobody_hidden(evening):
    evening.send(c.SubmitSheet, MARA, entity=named(evening, "Kes"))
    evening.send(c.DecideSheet, IDA, entity=named(evening, "Kes"), accept=True)
    view = view_for(evening.campaign, LINKED, MARA)
    assert named(evening, "Shade") not in json.dumps(repr(view.summaries))
    assert view.summaries[named(evening, "Kes")].tags[0].leads_to == named(evening, "Mog")


def test_a_player_who_could_not_see_a_pick_does_not_undo_it(evening):
    rows = [{"name": "A purr", "who": ""}, {"name": "A cat", "who": ""}]
    raw = {"friends": rows, "best": "", "skill": 4}
    evening.send(c.SaveSheet, MARA, entity=named(evening, "Kes"), raw=raw)
    sheet = evening.entity(named(evening, "Kes")).sheet
    assert sheet["best"] == named(evening, "Shade")
    assert sheet["friends"] == [
        {"name": "A purr", "who": named(evening, "Shade")},
        {"name": "A cat", "who": ""},
    ]
    evening.send(c.SaveSheet, IDA, entity=named(evening, "Kes"), raw=raw | {"skill": 3})
    assert evening.entity(named(evening, "Kes")).sheet["best"] == ""


def test_a_player_cannot_pick_whom_they_do_not_know(evening):
    made = evening.send(c.MakeEntity, IDA, kind="npc", name="Umbra", sheet={}, hidden=True)
    raw = {"best": made.data["entity"]}
    with pytest.raises(BadAnswers) as refused:
        evening.send(c.SaveSheet, MARA, entity=named(evening, "Kes"), raw=raw)
    assert "Umbra" not in str(refused.value)
    assert "Shade" not in str(refused.value)
