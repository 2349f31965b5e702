"""Secrets of the GM's characters and of others' drafts, in the bytes that players receive."""

import json

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.entries import entry_for
from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM, Evening
from tests.rulesets.toaster.people import evening, foe, hero, line, person, sheet, trait

#: Words that stand on no other sheet and in no rule.
SECRETS = ("Quillfeather", "Zanzibari", "Moonstruck", "Frobisher", "Xylograph", "4711")


def keeper(one: Evening, **more) -> str:
    """Somebody of the GM's all of whose numbers and words are secret."""
    built = sheet(
        (9, 9, 9, 9),
        {"language:Zanzibari": 8, "throw": 9, "knowledge:Xylograph": 7},
        (trait("custom", 3, name="Moonstruck", note="Frobisher"), trait("custom", -3)),
        weapons=("saber",),
        possessions="Quillfeather",
        about="Quillfeather",
        money="4711",
    )
    return foe(one, built, name="Keeper", **more)


def received(one: Evening, seat: str) -> str:
    """Everything that a seat is told: the table as it sees it, summaries, sheets, the whole log."""
    seen = conceal(one.campaign, game, one.table.seats[seat])
    summaries = [repr(game.sheet.summary(seen, each)) for each in seen.entities.values()]
    entries = [repr(entry_for(one.campaign, each, seat)) for each in one.campaign.events]
    people = [json.dumps([dict(e.sheet), dict(e.state)]) for e in seen.entities.values()]
    moves = [
        repr(move.fields(seen, one.actor(seat, each.id), {}))
        for move in game.moves
        for each in seen.entities.values()
        if "player" in move.by and each.owner == seat
    ]
    return "\n".join([*summaries, *entries, *people, *moves])


def leaks(one: Evening, seat: str) -> list[str]:
    told = received(one, seat)
    return [secret for secret in SECRETS if secret in told]


def test_nothing_of_a_closed_sheet_is_told_and_all_of_an_open_one():
    one = evening()
    hero(one, "ana")
    who = keeper(one)
    assert leaks(one, "ana") == []
    assert set(leaks(one, GM)) == set(SECRETS)
    one.do(GM, c.ChangeEntity, entity=who, open=True)
    assert set(leaks(one, "ana")) == set(SECRETS)


def test_what_the_gm_does_with_closed_people_tells_nothing():
    one = evening(specialization=True)
    hero(one, "ana")
    who = keeper(one)
    areas = "Quillfeather, axes, stones"
    one.move(GM, "specialise", who, skill="1", how="first", name="Quillfeather", areas=areas)
    one.move(GM, "carry", who, possessions="Xylograph", weapons=[{"name": "Frobisher", "wc": 9}])
    one.move(GM, "thresholds", who, stun=47, wound=11)
    assert "Frobisher" in [weapon.name for weapon in person(one.entity(who), one.table).weapons]
    assert leaks(one, "ana") == []
    heard = [entry_for(one.campaign, each, "ana") for each in one.campaign.events[-3:]]
    assert heard == [None, None, None]


def test_nobody_hears_of_a_hidden_arrival():
    one = evening()
    hero(one, "ana")
    one.move(GM, "npc", name="Quillfeather", preset="bear", line="Frobisher", hidden=True)
    assert leaks(one, "ana") == []
    assert {"Quillfeather", "Frobisher"} <= set(leaks(one, GM))


def test_a_draft_is_between_its_player_and_the_gm():
    one = evening(specialization=True)
    hero(one, "ben")
    one.do("ana", c.MakeEntity, kind="pc", name="Ajax")
    ident = next(each.id for each in one.table.entities.values() if each.name == "Ajax")
    special = line("throw", 9, specialty="Quillfeather", areas="Quillfeather, axes, stones")
    raw = {"skills": [special], "attributes.physique": 12, "attributes.coordination": 7}
    one.do("ana", c.SaveSheet, entity=ident, raw=raw)
    one.do("ana", c.SubmitSheet, entity=ident)
    for ask in one.asks("allow", ident):
        one.answer(GM, ask, verdict="refused", word="Frobisher")
    assert leaks(one, "ben") == []
    assert {"Quillfeather", "Frobisher"} <= set(leaks(one, "ana")) & set(leaks(one, GM))
