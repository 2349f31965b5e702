"""Announcements of factors in a roll, and the GM's verdict on them."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import (
    evening,
    fields,
    foe,
    hero,
    lines,
    total,
    try_it,
)

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening(("ana", "ben", "cai"))


@pytest.fixture
def ana(table):
    return hero(table, "ana", will=1)


def say(table, seat, about, text, **answers):
    return table.move(seat, "announce", "", (), about=about, text=text, **answers)


@rule("stars.3.2-table-announces", "stars.1-table")
def test_anybody_points_out_what_helps_or_hinders(table, ana):
    for seat, text, kind in (
        ("ben", "high ground", "for"),
        ("cai", "rain", "against"),
        (GM, "a grudge", "for"),
    ):
        say(table, seat, ana, text, kind=kind)
    found = fields(table, "decision", ana)
    assert found["announced"].set_by == "gm"
    assert found["level"].help == "Counted: +1, Minor Advantage."
    card = try_it(table, ana, (2, 3), stat="none")
    assert total(card) == 8
    assert "Weighed: high ground +1; rain -1; a grudge +1." in lines(card)


@rule("stars.3.2-table-announces", "stars.3.2-gm-decides")
def test_the_gm_says_what_of_it_counts(table, ana):
    say(table, "ben", ana, "high ground", kind="for")
    say(table, "cai", ana, "a lucky feeling", kind="for")
    counted = fields(table, "decision", ana)["announced"].default[:1]
    card = try_it(table, ana, (2, 3), stat="none", gm={"announced": counted})
    assert total(card) == 8
    assert ["Pointed out around the table", "high ground: +1 step", "all"] in table.last.data[
        "told"
    ]


@rule("stars.1-table", "stars.1-bonus-clamp")
def test_a_modifier_can_be_pointed_out_too(table, ana):
    say(table, "ben", ana, "a firm hand", kind="modifier", value="Will", wording="bonus")
    say(table, "cai", ana, "mud", kind="modifier", value="-2", wording="penalty")
    both = [one.value for one in fields(table, "decision", ana)["announced"].choices]
    assert total(try_it(table, ana, (2, 3), stat="none", gm={"announced": both})) == 4
    with pytest.raises(BadAnswers):
        say(table, "cai", ana, "mud", kind="modifier", value="deep")


@rule("stars.1-table", "stars.1-modifier")
def test_a_modifier_counts_once_the_gm_ticks_it(table, ana):
    say(table, "ben", ana, "a firm hand", kind="modifier", value="99", wording="bonus")
    say(table, "cai", ana, "high ground", kind="for")
    announced = fields(table, "decision", ana)["announced"]
    assert [one.label for one in announced.choices if one.value in announced.default] == [
        "high ground: +1 step"
    ]
    assert total(try_it(table, ana, (2, 3), stat="none")) == 8


@rule("stars.3.2-single-major", "stars.3.2-major-rare")
def test_what_is_worth_two_steps_carries_a_hint(table, ana):
    say(table, "ben", ana, "they are asleep", kind="for", big=True)
    hint = fields(table, "decision", ana)["level"].help
    assert hint.startswith("Counted: +2, Major Advantage. One effect alone is worth two steps")
    assert total(try_it(table, ana, (2, 3, 4), stat="none")) == 9


@rule("stars.3.2-table-announces")
def test_it_is_about_the_next_roll_only(table, ana):
    say(table, "ben", ana, "high ground", kind="for")
    assert total(try_it(table, ana, (2, 3), stat="none")) == 8
    assert "announced" not in fields(table, "decision", ana)
    assert total(try_it(table, ana, (2, 3), stat="none")) == 5


def test_it_can_be_taken_back_while_no_dice_have_fallen(table, ana):
    say(table, "ben", ana, "high ground", kind="for")
    table.do("ben", c.Undo, number=table.last.number, reason="I misread the map")
    assert "announced" not in fields(table, "decision", ana)


def test_what_is_said_of_somebody_hidden_reaches_nobody(table, ana):
    shade = foe(table, name="Umbra", hidden=True)
    say(table, GM, shade, "in the rafters", kind="for")
    seen = conceal(table.campaign, table.game, table.table.seats["ana"])
    assert "rafters" not in repr(seen)
    assert table.last.audience == "gm"
    assert shade not in [one.value for one in fields(table, "announce", "")["about"].choices]
