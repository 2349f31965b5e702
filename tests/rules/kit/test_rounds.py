"""Rounds in a small ruleset: order, ties, turns, joining and leaving, visibility."""

from dataclasses import replace
from types import SimpleNamespace
from typing import ClassVar

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import view_for
from kitchentable.dice import mechanic
from kitchentable.rules import BadAnswers, Part, RuleRefuses, Side
from kitchentable.rules.kit import (
    Action,
    At,
    Roll,
    Rounds,
    Ruleset,
    conceal,
    fight_moves,
    fight_view,
    likely_foe,
    may_act,
    spend,
    text,
    with_pauses,
)
from tests.campaign.coin import COIN
from tests.rules.kit.leaping import GM, Leaper, who
from tests.rules.kit.leaping import arrive as come
from tests.rulesets.driver import open_evening


@mechanic
def quick(dice, skill: int, label: str) -> int:
    return dice.die(6, label=label) + skill


@mechanic
def quick_all(dice, people: tuple) -> tuple:
    return tuple(quick(dice, skill, label) for skill, label in people)


@mechanic
def quick_tie(dice, people: tuple) -> tuple:
    thrown = dict(zip((label for _, label in people), quick_all(dice, people), strict=True))
    if len(set(thrown.values())) < len(thrown):
        return quick_tie(dice, people)
    return tuple(sorted(thrown, key=lambda label: -thrown[label]))


ONE, ALL, TIE = Roll(quick), Roll(quick_all), Roll(quick_tie)
fights: Ruleset[Leaper, dict] = Ruleset(Leaper, dict)


class Scuffle(Rounds[Leaper]):
    """Two actions a turn; a one falls out of the order."""

    RULES: ClassVar = {"roll": "coin.1-flip"}

    @property
    def actions(self):
        return 2

    @property
    def anew(self):
        return not self.at.table.options.get("dark")

    def throw(self, one):
        return ONE(one.skill, one.id)

    def throw_all(self, people):
        return ALL(tuple((one.skill, one.id) for one in people))

    def throw_tie(self, people):
        return TIE(tuple((one.skill, one.id) for one in people))

    def fell(self, one, outcome):
        self.rolled(one, None if outcome == one.skill + 1 else outcome)
        return Side(one.name, one.id, (Part("Skill", one.skill),), outcome)

    def passed(self):
        self.at.say("The round is over.")

    def over(self):
        self.at.say("Peace.")

    def note(self, one):
        return f"{self.left(one)} left"


class ShoveForm(Action):
    whom = text("Whom?", optional=True)


@fights.move("shove", "Shove", "", ShoveForm, rules=(), when=may_act, place="fight")
def shove(at: At):
    spend(at)
    at.tell("Shove")


MOVES = fight_moves(fights, Scuffle, may_act, "A die and skill.")
GAME = replace(
    COIN,
    moves=with_pauses(shove, *MOVES.values()),
    fight=fight_view(fights),
    conceal=conceal,
    moment=fights.moment,
)


@pytest.fixture
def table():
    return fighting()


def fighting(*faces, **options):
    one = open_evening(GAME, ("ana", "ben"), options)
    for name, owner in (("Ana", "ana"), ("Ben", "ben"), ("Grim", "gm")):
        come(one, "npc" if owner == "gm" else "pc", name, owner)
    one.move(GM, "fight", foes_name="rats")
    if faces:
        one.move(GM, "initiative_all", "", faces)
    return one


def order(one):
    return [one.entity(ident).name for ident in one.table.fight["order"]]


def turn(one):
    return one.entity(one.table.fight["turn"]).name


def test_the_sides_are_picked_and_nobody_is_on_both():
    one = open_evening(GAME, ("ana",))
    come(one, "pc", "Ana", "ana")
    come(one, "npc", "Grim")
    with pytest.raises(BadAnswers, match="Ana cannot be on both sides"):
        one.move(GM, "fight", foes=[who(one, "Ana")])
    with pytest.raises(BadAnswers, match="Both sides are called Us"):
        one.move(GM, "fight", heroes_name="Us", foes_name="us")
    one.move(GM, "fight")
    assert one.card["sentence"] == "Roll initiative: Ana and Grim."
    with pytest.raises(RuleRefuses, match="A fight is already in progress"):
        one.move(GM, "fight")


def test_a_fight_of_hidden_people_names_nobody():
    one = open_evening(GAME, ())
    for name in ("Grim", "Umbra"):
        come(one, "npc", name)
        one.do(GM, c.ChangeEntity, entity=who(one, name), hidden=True)
    one.move(GM, "fight", heroes=[who(one, "Grim")], foes=[who(one, "Umbra")])
    assert one.card["sentence"] == "Roll initiative."


def test_the_highest_acts_first_and_who_has_no_number_not_at_all(table):
    table.move("ana", "initiative", who(table, "Ana"), (1,))
    assert table.card["sentence"] == "2 still to roll."
    with pytest.raises(RuleRefuses, match="They have already rolled initiative this round"):
        table.move("ana", "initiative", who(table, "Ana"), (2,))
    table.move(GM, "initiative_all", "", (3, 5))
    assert order(table) == ["Grim", "Ben"]
    assert table.card["sentence"] == "In this order: Grim and Ben."
    rows = {row.name: (row.order, row.status, row.note) for row in GAME.fight(table.table).rows}
    assert rows["Ana"] == ("\N{EN DASH}", "no action this round", "0 left")
    assert rows["Grim"] == ("7", "", "2 left")


def test_a_turn_has_its_actions_and_ends_with_the_last_or_by_hand():
    one = fighting(6, 4, 2)
    ana, ben = who(one, "Ana"), who(one, "Ben")
    ends = {f.name: f.default for f in shove.fields(one.table, one.actor("ana", ana), {})}
    assert ends["ends_turn"] is False
    one.move("ana", "shove", ana)
    ends = {f.name: f.default for f in shove.fields(one.table, one.actor("ana", ana), {})}
    assert ends["ends_turn"] is True
    with pytest.raises(RuleRefuses, match="It is not Ben's turn"):
        one.move("ben", "shove", ben)
    one.move("ana", "shove", ana)
    assert turn(one) == "Ben"
    assert one.why_not("ana", "shove", ana) == "It is not Ana's turn."
    one.move(GM, "one_more", ana, why="She asked nicely")
    one.move("ana", "shove", ana)
    assert (turn(one), one.why_not("ana", "shove", ana)) == ("Ben", "It is not Ana's turn.")
    one.move("ben", "end_turn", ben)
    assert turn(one) == "Grim"
    one.move(GM, "end_turn", who(one, "Grim"))
    assert one.table.fight["phase"] == "end"
    assert one.ask("still_fighting").text == "Everybody has had a turn."


def test_a_step_may_come_before_the_action_or_right_after_it():
    one = fighting(6, 4, 2)
    ana, ben = who(one, "Ana"), who(one, "Ben")
    one.move("ana", "end_turn", ana)
    one.move("ana", "step", ana)
    assert one.why_not("ana", "step", ana) == "They have already moved this turn."
    one.move("ben", "step", ben)
    one.move("ben", "end_turn", ben)
    assert one.why_not("ben", "step", ben) == "They have already moved this turn."
    assert one.why_not("ana", "step", ana) == "It is not their turn."


def test_equals_throw_again_or_act_as_the_gm_says():
    one = fighting(4, 4, 2)
    ask = one.ask("initiative_tie")
    assert ask.text.startswith("Ana and Ben have the same number.")
    one.answer(GM, ask, (2, 2, 1, 5))
    assert order(one) == ["Ben", "Ana", "Grim"]
    assert [side["name"] for side in one.card["sides"]] == ["Ben", "Ana"]
    one = fighting(4, 4, 4)
    ana, grim = who(one, "Ana"), who(one, "Grim")
    twice = {"place__1": ana, "place__2": ana}
    with pytest.raises(BadAnswers, match="exactly one place"):
        one.answer(GM, one.ask("initiative_tie"), ruling="hand", **twice)
    by_hand = {"place__1": grim, "place__2": ana}
    one.answer(GM, one.ask("initiative_tie"), ruling="hand", **by_hand)
    assert order(one) == ["Grim", "Ana", "Ben"]


def test_people_leave_and_join_and_a_round_follows_with_new_rolls():
    one = fighting(6, 4, 2)
    ana, ben = who(one, "Ana"), who(one, "Ben")
    one.move("ana", "leave", ana, how="Out of the window")
    assert turn(one) == "Ben"
    assert one.why_not("ana", "leave", ana) == "They are not in a fight."
    one.move(GM, "join", ana, side="rats")
    assert one.table.fight["fighters"][ana]["status"] == "joins"
    one.move("ben", "leave", ben)
    assert one.ask("still_fighting").text.startswith("Nobody of the heroes is left standing.")
    one.answer(GM, one.ask("still_fighting"), answer="on")
    one.move(GM, "next_round")
    assert one.card["lines"] == [{"text": "The round is over.", "audience": "all"}]
    assert {ident for ident in one.table.fight["fighters"] if ident != ben} == {
        ana,
        who(one, "Grim"),
    }
    assert one.table.fight["phase"] == "initiative"
    one.move(GM, "end_fight", why="Supper")
    assert one.table.fight is None
    assert one.card["lines"] == [{"text": "Peace.", "audience": "all"}]


def test_a_fighter_who_is_no_longer_in_play_has_no_turn():
    one = fighting(6, 4, 2)
    ana, ben = who(one, "Ana"), who(one, "Ben")
    one.do(GM, c.ChangeEntity, entity=ben, gone=True)
    one.move("ana", "end_turn", ana)
    assert turn(one) == "Grim"
    one.do(GM, c.ChangeEntity, entity=who(one, "Grim"), gone=True)
    shown = view_for(one.campaign, GAME, "ana").fight
    assert {row.name: row.status for row in shown.rows if row.entity != ana} == {
        "Ben": "has left the fight",
        "Grim": "has left the fight",
    }
    one.move(GM, "next_round")
    assert one.table.fight["fighters"][ben]["status"] == "left"
    one.move("ana", "initiative", ana, (3,))
    assert turn(one) == "Ana"


def test_a_fighter_whose_arrival_was_undone_has_no_turn():
    one = fighting()
    one.move(GM, "end_fight")
    come(one, "npc", "Cook")
    cook, arrived = who(one, "Cook"), one.campaign.number
    one.move(GM, "fight")
    one.do(GM, c.Undo, number=arrived)
    one.move(GM, "initiative_all", "", (6, 4, 2))
    assert turn(one) == "Ana"
    assert one.table.fight["fighters"][cook]["status"] == "left"


def test_a_kept_order_stays_and_only_the_newcomer_rolls():
    one = fighting(6, 4, 2, dark=True)
    one.move(GM, "next_round")
    assert (order(one), one.table.fight["phase"]) == (["Ana", "Ben", "Grim"], "turns")
    assert one.card["sentence"] == "In this order: Ana, Ben and Grim."


def test_players_read_no_number_of_a_closed_foe_and_nothing_of_a_hidden_one():
    one = fighting(6, 4, 2)
    grim = who(one, "Grim")
    seen = view_for(one.campaign, GAME, "ana").table.fight
    assert (seen["fighters"][grim]["number"], seen["fighters"][grim]["side"]) == (None, "rats")
    assert one.table.fight["fighters"][grim]["number"] == 4


class Brawl(Scuffle):
    """Facts and words of its own: a "ready" one acts, equals throw another coin."""

    READY = "ready"
    EQUAL, AGAIN = "the same reach", ("coin", "coin")
    ALL_DONE = "All are tired."

    @classmethod
    def blank(cls):
        return {"round": 1, "phase": "initiative", "fighters": {}, "order": [], "turn": ""}

    def fell(self, one, outcome):
        self.facts["fighters"][one.id].update(number=outcome, word="", status="ready")
        self.settle()
        return Side(one.name, one.id, (), outcome)

    def untie(self, order):
        for place, ident in enumerate(order):
            self.facts["fighters"][ident]["number"] -= place
        self.settle()

    def next_turn(self):
        self.facts.update(turn="", phase="end")

    def is_done(self, one):
        return True

    @property
    def ended(self):
        return "Nobody can lift an arm."


def test_a_game_may_have_facts_and_words_of_its_own_for_an_order():
    rounds: Ruleset[Leaper, dict] = Ruleset(Leaper, dict)
    moves = fight_moves(rounds, Brawl, may_act, "A die and skill.")
    view = fight_view(rounds)
    one = fighting()
    one.game = replace(one.game, moves=with_pauses(*moves.values()), fight=view)
    one.move(GM, "end_fight")
    one.move(GM, "fight", foes_name="rats")
    assert "breaks" not in one.table.fight
    one.move(GM, "initiative_all", "", (4, 4, 2))
    assert one.ask("initiative_tie").text.startswith(
        "Ana and Ben have the same reach. Another coin among them"
    )
    (ruling,) = one.named("initiative_tie").fields(one.table, one.actor(GM), {})
    assert (ruling.choices[0].value, ruling.default) == ("coin", "coin")
    one.answer(GM, one.ask("initiative_tie"), (1, 5), ruling="coin")
    assert one.card["sentence"].startswith("By another coin")
    assert one.ask("still_fighting").text == "All are tired."
    assert view(one.table).sentence == "Nobody can lift an arm."
    assert all(row.done for row in view(one.table).rows)


def test_outside_a_fight_only_a_foe_is_the_likely_one():
    mara, jon, guard, dog = (
        SimpleNamespace(id=name, is_players=name in {"mara", "jon"})
        for name in ("mara", "jon", "guard", "dog")
    )
    at = SimpleNamespace(place=None, me=mara)
    assert likely_foe(at, [jon]) is None
    assert likely_foe(at, [jon, guard]) == "guard"
    assert likely_foe(at, [guard, dog]) is None
