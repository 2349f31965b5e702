"""The later steps of creation: status, objectives, and the power level from the GM."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers
from kitchentable.rulesets.objects.options import BOOK
from kitchentable.rulesets.objects.thing import STATUS_WORDS
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import draft, evening, save, sheet, thing, told

rule = pytest.mark.rule


@rule(
    "objects.2.5-status-0",
    "objects.2.5-status-1",
    "objects.2.5-status-2",
    "objects.2.5-status-3",
    "objects.2.5-status-4",
    "objects.2.5-status-5",
    "objects.2.5-status-6",
)
def test_every_status_has_its_words():
    assert STATUS_WORDS == {
        0: "Fate under GM control",
        1: "Incapacitated",
        2: "Reeling",
        3: "Battered",
        4: "Injured",
        5: "Bruised",
        6: "Good",
    }
    one = evening()
    for value, word in STATUS_WORDS.items():
        causes = [{"text": "A fall"}] if value < 6 else []
        vell = thing(one, "ana", status=value, causes=causes)
        summary = one.game.sheet.summary(one.table, one.entity(vell))
        assert summary.tracks[0].words == f"{value} of 6"
        assert summary.status == f"{word} ({value})"
        assert one.game.rulebook[f"objects.2.5-status-{value}"].title == f"{value}: {word}"


@rule("objects.2.5-status-start", "objects.2.5-status-note")
def test_status_is_good_at_first_unless_something_happened():
    one = evening()
    vell = draft(one)
    assert one.entity(vell).sheet["status"] == 6
    hurt = sheet(one, "person", {}, status=4)
    with pytest.raises(BadAnswers, match="write down what happened"):
        one.do(GM, c.MakeEntity, kind="person", name="Tam", sheet=hurt)
    hurt["causes"] = [{"text": "fell from a tree: left leg broken"}]
    tam = one.do(GM, c.MakeEntity, kind="person", name="Tam", sheet=hurt).data["entity"]
    assert one.entity(tam).state["status"] == 4
    notes = one.game.sheet.summary(one.table, one.entity(tam)).notes
    assert notes == ("fell from a tree: left leg broken (session 1)",)


@rule("objects.2.5-status-range")
def test_status_goes_from_0_to_6():
    one = evening(steps_in_order=False)
    for wrong in (7, -1, 2.5, "bad"):
        bad = sheet(one, "person", {}, status=wrong, causes=[{"text": "?"}])
        with pytest.raises(BadAnswers, match="Status must be from 0 to 6"):
            one.do(GM, c.MakeEntity, kind="person", name="Tam", sheet=bad)
    vell = draft(one)
    with pytest.raises(BadAnswers):
        save(one, vell, status="7")
    ready = thing(one, "ben")
    path = ("entities", ready, "state", "status")
    with pytest.raises(BadAnswers):
        one.do(GM, c.Override, path=path, now=7, reason="More than good.")


@rule("objects.2.6-sentient-only", "objects.2.6-goal")
def test_goals_are_for_those_who_can_want_something():
    one = evening()
    stone, vell = draft(one, "thing"), draft(one, "person", name="Tam")
    assert (one.entity(stone).sheet["sentient"], one.entity(vell).sheet["sentient"]) == (
        False,
        True,
    )
    ready = sheet(one, "thing", {}, sentient=False)
    ready["done"] = {"talents": True, "signs": True}
    one.do(GM, c.MakeEntity, kind="thing", name="Stone", sheet=ready)
    with pytest.raises(BadAnswers, match="Step 6"):
        one.do(GM, c.MakeEntity, kind="thing", name="Ghost", sheet={**ready, "sentient": True})
    aimless = thing(one, "ana", sentient=True)
    assert "objects.2.6-goal" in told(one, aimless, refuses=False)
    driven = thing(one, "ben", sentient=True, goal="To owe nobody anything.")
    assert told(one, driven, refuses=False) == set()


@rule("objects.2.1-power-level")
def test_how_powerful_it_is_the_gm_says_and_nobody_else():
    one = evening()
    vell = thing(one, "ana")
    one.move(GM, "power", vell, power="Tougher than the harbour guard")
    assert one.entity(vell).state["power"] == "Tougher than the harbour guard"
    assert one.card["rules"] == ["objects.2.1-power-level"]
    with pytest.raises(NotAllowed):
        one.move("ana", "power", vell, power="Tougher than everybody")


@rule("objects.1-additions")
def test_a_table_writes_its_own_rules_down():
    one = evening(house_rules="Ghosts roll twice.")
    thing(one, "ana")
    one.move(GM, "fight")
    assert "Ghosts roll twice." in one.game.fight(one.table).notes
    assert "house_rules" in {option.key for option in BOOK.options}
