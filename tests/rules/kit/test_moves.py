"""Moves: one function for odds and play, its changes, and its limits."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.throws import solve
from kitchentable.campaign.views import view_for
from kitchentable.dice import odds
from kitchentable.rules import Actor, GameFault, RuleRefuses
from kitchentable.rules.kit import Declared, Form, Roll, Ruleset, number
from kitchentable.rules.kit.rolls import ThrownNow
from tests.rules.kit.leaping import (
    GM,
    LEAPING,
    LEAPS,
    RULE,
    Leaper,
    Leapt,
    arrive,
    evening,
    leap,
    leaping,
    leaps,
    who,
)


@pytest.fixture
def table():
    return evening()


def actor(one, name, **more):
    return Actor(name.lower(), "player", who(one, name), **more)


def test_the_run_for_the_odds_stops_at_the_die_and_writes_nothing(table):
    before = table.table
    question = leap.question(before, actor(table, "Ana"), {"far": 6, "winded": True})
    assert question.arguments == (2, 6)
    assert odds(question.mechanic, *question.arguments)[Leapt(True, 8)] == Fraction(1, 6)
    assert [band.key for band in question.bands] == ["lands", "falls"]
    assert table.table is before
    assert before.entities[who(table, "Ana")].state == {"coins": 3}


def test_odds_stay_unsaid_while_the_gm_keeps_a_number(table):
    hidden = actor(table, "Ana", hidden=frozenset({"far"}))
    assert leap.question(table.table, hidden, {}) is None
    assert leap.question(table.table, hidden, {"far": 7}).arguments == (2, 7)


def test_odds_are_unknown_for_a_closed_sheet(table):
    arrive(table, "npc", "Grim")
    grim = who(table, "Grim")
    assert leap.question(table.table, Actor(GM, "gm", grim), {}).closed == ("roll",)
    mine = view_for(table.campaign, LEAPS, "ana").table
    assert leap.question(mine, Actor("ana", "player", grim), {}) is None


def test_a_guard_says_why_not_and_a_page_asks_all_moves_at_one_moment(table):
    ana = who(table, "Ana")
    page = LEAPS.moment(table.table, actor(table, "Ana"))
    assert [page.may(move) for move in LEAPS.moves] == [None] * len(LEAPS.moves)
    table.do(GM, c.Override, path=("entities", ana, "state", "breath"), now=0, reason="test")
    page = LEAPS.moment(table.table, actor(table, "Ana"))
    assert page.may(leap) == "Ana is out of breath."
    assert page.fields(leap, {}) == leap.fields(table.table, actor(table, "Ana"), {})
    with pytest.raises(RuleRefuses, match="out of breath"):
        table.move("ana", "leap", ana, (3,))


def test_an_assigned_fact_is_read_back_and_becomes_one_change(table):
    ana, ben = who(table, "Ana"), who(table, "Ben")
    table.move("ana", "duel", ana, other=ben, stake=2)
    assert table.card["lines"] == [{"text": "7 in all.", "audience": "all"}]
    coins = ("entities", ana, "state", "coins"), ("entities", ben, "state", "coins")
    assert [(one.path, one.was, one.now) for one in table.last.changes] == [
        (coins[0], 3, 5),
        (coins[1], 3, 1),
    ]


def test_a_move_that_lacks_an_answer_is_refused_with_a_sentence(table):
    with pytest.raises(RuleRefuses, match=r"A number is still missing\."):
        pick_one().consequences(table.table, actor(table, "Ana"), {}, None)


def pick_one() -> Declared:
    class Short(Form):
        far = number("How far?")

    @leaps.move("short", "Short", "", Short, rules=RULE)
    def short(at):
        at.tell(f"{at.form.far}")

    return short


def test_dice_that_are_not_declared_are_the_authors_mistake(table):
    @leaps.move("sly", "Sly", "", rules=RULE)
    def sly(at):
        at.roll(LEAPING(1, 2))

    @leaps.move("twice", "Twice", "", rules=RULE, rolls=True)
    def twice(at):
        at.roll(LEAPING(1, 2))
        at.roll(LEAPING(1, 2))

    assert not sly.throws
    with pytest.raises(GameFault, match="'sly' throws dice but is not declared with rolls"):
        sly.consequences(table.table, actor(table, "Ana"), {}, None)
    assert twice.throws
    fell = twice.question(table.table, actor(table, "Ana"), {}).mechanic
    with pytest.raises(GameFault, match="more than once in a step"):
        twice.consequences(table.table, actor(table, "Ana"), {}, fell)


def test_a_fact_written_outside_of_a_move_is_refused(table):
    page = LEAPS.moment(table.table, actor(table, "Ana")).at
    one = replace_at(page.me)
    with pytest.raises(GameFault, match="Facts change only while"):
        one.coins = 5


def replace_at(one):
    return type(one)(one.table, replace(one.entity))


def test_a_throw_takes_its_numbers_by_name_in_any_order():
    assert LEAPING(far=7, skill=1) == LEAPING(1, 7)


def test_a_roll_may_word_its_odds_when_they_are_asked_for(table):
    roll = Roll(leaping, LEAPING.bands, LEAPING.band)
    at = leaps.moment(table.table, Actor("ana", "player", who(table, "Ana"))).at
    with pytest.raises(ThrownNow) as stopped:
        at.roll(roll(2, 5), says=lambda shares: f"{shares['lands']} of all leaps land.")
    solved = solve(stopped.value.question)
    assert solved.shares == {"lands": Fraction(2, 3), "falls": Fraction(1, 3)}
    assert solved.sentence == "2/3 of all leaps land."


def test_the_words_of_a_move_and_its_card_may_stand_in_a_data_file(table):
    move = {"key": "nod", "title": "Nod", "help": "Say yes.", "rules": [*RULE], "by": ["gm"]}
    card = {"title": "{me} nods", "sentence": "At {whom}.", "tone": "good", "rules": [*RULE]}
    filed = Ruleset(Leaper, dict, {"nod": move}, {"nod": card})

    @filed.move("nod")
    def nod(at):
        at.tell_as("nod", whom="{you}", rules=("more",))

    assert (nod.title, nod.help, nod.by, nod.rules) == ("Nod", "Say yes.", ("gm",), RULE)
    told = nod.consequences(table.table, actor(table, "Ana"), {}, None).card
    assert (told.title, told.sentence, told.tone) == ("Ana nods", "At {you}.", "good")
    assert told.rules == (*RULE, "more")
