"""Facts set by hand during a golden playthrough: all pages still open."""

import asyncio
import json
import shlex
from importlib.resources import files
from random import Random

import pytest

from kitchentable.app.keys import new_id
from kitchentable.app.scriptverbs import Stage, command, named
from kitchentable.campaign import commands as c
from kitchentable.dice.errors import BadInput, KitchenTableError
from tests.web.visitors import Visited, Visitor

VALUES = (
    *(-1, 0, 1, 4, 9, 99, -(10**9), 10**30, 1.5, True, False, None),
    *("", "abc", "awake", "3", "x" * 300, "<b>", [], {}, [1], [""], [{}], [[]], {"a": 1}),
    *([{"n": -3}], [{"id": "s1"}], [{"id": "x", "name": "y"}], {"round": -1}, {"status": "out"}),
)


def facts(tree, path=()):
    """Every path of a record, the records themselves among them."""
    for key, one in tree.items():
        yield (*path, key)
        if isinstance(one, dict):
            yield from facts(one, (*path, key))


def open_to_hands(tree):
    paths = [("day",)]
    for key in ("fight", "own"):
        paths += [(key, *path) for path in facts(tree[key] or {})]
        paths.append((key, "nobody knows"))
    for who, one in tree["entities"].items():
        for part in ("sheet", "state"):
            paths += [("entities", who, part, *path) for path in facts(one[part])]
    return paths


def tinkered(was, rng):
    """A value of the same shape with a random part changed to nonsense."""
    if isinstance(was, dict) and was and rng.random() < 0.8:
        key = rng.choice([*was])
        return {**was, key: tinkered(was[key], rng)}
    if isinstance(was, list) and was and rng.random() < 0.8:
        at = rng.randrange(len(was))
        return [*was[:at], tinkered(was[at], rng), *was[at + 1 :]]
    alike = [one for one in VALUES if type(one) is type(was)]
    return rng.choice(alike if alike and rng.random() < 0.8 else VALUES)


def value_at(tree, path):
    for step in path:
        tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


class Tinkerer:
    """Somebody at the GM's desk who sets facts at random, and all who look at the table."""

    def __init__(self, here: Visited, stage: Stage, seed: int) -> None:
        self.here, self.stage, self.rng = here, stage, Random(seed)
        self.taken = self.refused = 0
        self.people: dict[str, Visitor] = {}

    def look(self) -> None:
        for name, seat in self.stage.seats.items():
            visitor = self.people.get(name)
            if visitor is None:
                key = self.here.server.keys.issue("seat-link", self.stage.campaign, seat)
                visitor = self.people[name] = self.here.stranger()
                assert visitor.get(f"/s/{key}").status_code == 303
            pages = ["", "/desk"] if name == "GM" else [""]
            for page in pages:
                answer = visitor.get(f"/t/{self.stage.campaign}{page}")
                assert answer.status_code == 200, (name, page, answer.text[-600:])

    def tinker(self, times: int) -> None:
        tables = self.here.server.tables
        for _ in range(times):
            state = tables.campaign(self.stage.campaign)
            path = self.rng.choice(open_to_hands(state.tree))
            now = tinkered(value_at(state.tree, path), self.rng)
            gm = self.stage.seats["GM"]
            set_ = c.Override(id=new_id(), seat=gm, path=path, now=now, reason="So it is.")
            try:
                done = asyncio.run(tables.handle(self.stage.campaign, set_))
            except BadInput:
                self.refused += 1
                continue
            except KitchenTableError as error:
                raise AssertionError((path, json.dumps(now))) from error
            self.taken += 1
            try:
                self.look()
            except Exception as error:
                raise AssertionError((path, json.dumps(now))) from error
            undo = c.Undo(id=new_id(), seat=gm, number=done.events[0].number, reason="No.")
            asyncio.run(tables.handle(self.stage.campaign, undo))


def play(here: Visited, game: str, stops: int, times: int, seed: int) -> Tinkerer:
    """Play a golden playthrough, with random facts set in between."""
    script = files(f"kitchentable.rulesets.{game}").joinpath("playthrough.txt").read_text("utf-8")
    steps = [line for line in script.splitlines() if line[:1] not in ("", " ", "#")]
    stage = Stage(here.server, game)
    tinkerer = Tinkerer(here, stage, seed)
    rng = Random(seed)
    places = set(rng.sample(range(len(steps) // 4, len(steps)), stops))
    for number, line in enumerate(steps):
        who, _, text = line.partition("> ")
        words = shlex.split(text)
        if words[0] == "open":
            opened = asyncio.run(
                here.server.open_campaign(
                    words[1], game, gm_name=who, options=named(words[2:]), command=new_id()
                )
            )
            stage.campaign, stage.seats[who] = opened.campaign, opened.gm_seat
            continue
        try:
            asyncio.run(here.server.tables.handle(stage.campaign, command(stage, who, words)))
        except BadInput:
            continue
        if number in places:
            tinkerer.tinker(times)
        if number == max(places):
            break
    return tinkerer


@pytest.mark.slow
def test_whatever_is_set_by_hand_in_a_fight_of_toaster_leaves_every_page_open(visited):
    tinkerer = play(visited, "toaster", stops=2, times=4, seed=5)
    assert tinkerer.taken > 2
    assert tinkerer.refused > 0
