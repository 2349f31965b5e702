"""Facts set by hand can be read by every game."""

import asyncio

import pytest

from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.values import GM
from kitchentable.store import MemoryStore


class Desk:
    """The GM's desk of a game's ready campaign, and one character at it."""

    def __init__(self, game, name):
        self.server = Server(MemoryStore())
        self.campaign = asyncio.run(self.server.open_example(game))
        table = self.server.tables.campaign(self.campaign).table
        self.who = next(one.id for one in table.entities.values() if one.name == name)
        self.gm = next(one.id for one in table.seats.values() if one.role == GM)

    def put(self, path, now):
        where = ("entities", self.who, *path.split("."))
        command = c.Override(id=new_id(), seat=self.gm, path=where, now=now, reason="So it is.")
        return asyncio.run(self.server.tables.handle(self.campaign, command))


@pytest.fixture(scope="module")
def desks():
    made = {
        game: Desk(game, name)
        for game, name in (
            ("toast", "Mara Vell"),
            ("toaster", "Rhoenda Dumas"),
            ("lucky_stars", "Ada Fenn"),
            ("objects", "Mara Vell"),
            ("lanterns", "Marta Quill"),
        )
    }
    yield made
    for one in made.values():
        one.server.close()


@pytest.mark.parametrize(
    ("game", "path", "now", "where", "words"),
    [
        ("toast", "state.condition", "abc", "condition", "It can be: awake, unconscious"),
        ("toast", "state.wounds", -1, "wounds", "from 0 to 4, not -1"),
        ("toast", "state.wounds", 99, "wounds", "from 0 to 4, not 99"),
        ("toast", "sheet.traits.aim", -1, "traits.aim", "not -1"),
        ("toaster", "state.condition", "abc", "condition", "It can be: awake, unconscious, mortal"),
        ("toaster", "state.stun", -1, "stun", "from 0 to 9999, not -1"),
        ("toaster", "state.luck", -2, "luck", "from 0 to 9999, not -2"),
        ("toaster", "state.wounds", [{"n": -1}], "wounds.0.n", "from 0 to 9999, not -1"),
        ("toaster", "sheet.attributes.aura", -1, "attributes.aura", "not -1"),
        ("lucky_stars", "sheet.stats.will", 400, "stats.will", "not 400"),
        (
            "lucky_stars",
            "state.trackers",
            {"oil": {"name": "Oil", "kind": "percent", "value": 101}},
            "trackers.oil.value",
            "from 0 to 100, not 101",
        ),
        ("objects", "state.status", 9, "status", "not 9"),
        ("objects", "sheet.basic.witty", -1, "basic.witty", "not -1"),
        ("lanterns", "state.tracks.oil", 5, "tracks.oil", "from 0 to 4, not 5"),
        ("lanterns", "state.points", -1, "points", "at least 0"),
    ],
)
def test_a_fact_that_the_game_cannot_read_is_refused_with_its_place(
    desks, game, path, now, where, words
):
    desk = desks[game]
    number = desk.server.tables.campaign(desk.campaign).number
    with pytest.raises(BadAnswers) as refused:
        desk.put(path, now)
    assert where in [one.where for one in refused.value.problems]
    assert words in str(refused.value)
    assert desk.server.tables.campaign(desk.campaign).number == number


@pytest.mark.parametrize(
    ("game", "path", "now"),
    [
        ("toast", "state.wounds", 4),
        ("toast", "state.condition", "unconscious"),
        ("toast", "sheet.traits.aim", 12),
        ("toaster", "state.stun", 40),
        ("toaster", "state.wounds", [{"n": 3, "area": "", "cause": "ruling"}]),
        ("lucky_stars", "state.trackers", {"oil": {"name": "Oil", "kind": "percent", "value": 7}}),
        ("lanterns", "state.tracks.oil", 0),
        ("lanterns", "state.points", 30),
    ],
)
def test_what_the_book_sets_no_limit_to_is_the_gms(desks, game, path, now):
    desk = desks[game]
    assert desk.put(path, now).events[0].kind == "overridden"
