"""Lists of stats that change at random, answered at random: nothing is lost, nothing leaks."""

from random import Random

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import is_put_to
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.views import view_for
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, foe, hero

pytestmark = pytest.mark.rule("stars.9-undefined-stats")
KEYS = ("level", "strength", "fort", "will", "grit", "luck")


def table():
    """Everybody with numbers of their own, none of them 0, at which new stats begin."""
    one = evening()
    hero(one, "ana", level=1, strength=2, fort=3, will=4)
    hero(one, "ben", level=5, strength=6, fort=7, will=8)
    foe(one, name="Roake", hidden=True, level=9, strength=1, fort=2, will=3)
    kit = one.do("ben", c.MakeEntity, kind="pc", name="Kit").data["entity"]
    one.do("ben", c.SaveSheet, entity=kit, raw={"stats.fort": 5, "stats.will": 6})
    return one


def change(one, chance):
    keys = [key for key in KEYS if chance.random() < 0.6] or ["level"]
    rows = [
        {
            "id": key,
            "name": key.title(),
            "purpose": "",
            "low": -5,
            "high": chance.choice((3, 10, 20)),
            "rolled": True,
        }
        for key in keys
    ]
    if one.table.options["stats"] != rows:
        one.do(GM, c.SetOptions, options={"stats": rows})


def answer(one, chance):
    """One card that waits is answered by whom it waits for, but nothing is dropped or cut."""
    if not one.asks():
        return
    ask = chance.choice(one.asks())
    (seat, *_) = (s.id for s in one.table.seats.values() if is_put_to(one.table, ask, s))
    (shown,) = (seen for seen in view_for(one.campaign, game, seat).asks if seen.ask.id == ask.id)
    answers = {}
    for field in shown.fields:
        picks = [p.value for p in field.choices]
        picks = [p for p in picks if p not in {"drop", "fit"} and not p.startswith("as.")]
        if picks:
            answers[field.name] = chance.choice(picks)
    moved = [value for value in answers.values() if value.startswith("to.")]
    if len(moved) > len(set(moved)):
        answers |= {name: "note" for name, value in answers.items() if value.startswith("to.")}
    one.do(seat, c.MakeMove, move=ask.move, ask=ask.id, answers=answers)


def numbers(one):
    """All that anybody has, in places and in notes, but for what began at 0."""
    found = {}
    for key, entity in one.table.entities.items():
        notes = entity.sheet.get("former", {}).get("stats", {}).values()
        every = [*entity.sheet["stats"].values(), *(note["value"] for note in notes)]
        found[key] = sorted(value for value in every if value)
    return found


def check_seen(one):
    for seat in ("ana", "ben"):
        assert "Roake" not in repr(view_for(one.campaign, game, seat))
        assert "Roake" not in repr(entry_for(one.campaign, one.last, seat))
    assert "Kit" not in repr(entry_for(one.campaign, one.last, "ana"))


@pytest.mark.parametrize("seed", range(8))
def test_whatever_changes_everything_has_its_place_in_the_end(seed):
    chance, one = Random(seed), table()
    before, tree = numbers(one), one.campaign.tree
    first = one.campaign.number
    for _ in range(12):
        chance.choice((change, answer, answer))(one, chance)
        assert numbers(one) == before
        check_seen(one)
    for _ in range(60):
        answer(one, chance)
    assert one.asks() == []
    assert numbers(one) == before
    assert one.why_not(GM, "refit") == "There is nothing to decide."
    for entity in one.table.in_play():
        problems = game.sheet.check(one.table, entity, "play")
        assert not any(problem.refuses for problem in problems)
    later = range(first + 2, one.campaign.number + 1)
    if one.campaign.number > first:
        one.do(GM, c.Undo, number=first + 1, also=tuple(later))
        for key in ("entities", "options", "asks", "own"):
            assert one.campaign.tree[key] == tree[key]
