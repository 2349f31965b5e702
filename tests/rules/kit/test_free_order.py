"""A fight without a fixed order, in a game that has nothing else for fights."""

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.rules import FightRow
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, foe, hero


def fighters(table):
    return [(row.name, row.acting) for row in game.fight(table).rows]


def test_the_gm_says_whose_turn_it_is_until_the_fight_is_over():
    one = evening()
    ana, thug = hero(one, "ana"), foe(one, name="Thug")
    assert one.why_not(GM, "turn") == "No fight is on."
    assert one.why_not("ana", "fight") is None
    one.move(GM, "fight", who=[ana, thug])
    assert one.why_not(GM, "fight") == "A fight is already in progress."
    assert one.table.fight == {"order": [ana, thug], "turn": "", "rolls": 0}
    assert game.fight(one.table).sentence == "The GM says whose turn it is."
    one.move(GM, "turn", who=thug)
    view = game.fight(one.table)
    assert (view.round, view.sentence, view.notes) == (0, "Thug acts.", ())
    assert view.rows == (FightRow(ana, "Ana", ""), FightRow(thug, "Thug", "", acting=True))
    ben = hero(one, "ben")
    one.move(GM, "turn", who=ben, out=[thug])
    assert fighters(one.table) == [("Ana", False), ("Ben", True)]
    one.do(GM, c.ChangeEntity, entity=ben, gone=True)
    assert fighters(one.table) == [("Ana", False)]
    one.move(GM, "end_fight", why="The watch comes")
    assert (one.table.fight, one.card["sentence"]) == (None, "The watch comes")


def test_players_do_not_see_hidden_fighters():
    one = evening()
    ana, shade = hero(one, "ana"), foe(one, name="Shade", hidden=True)
    one.move(GM, "fight", who=[ana, shade])
    assert one.card["sentence"] == "Ana."
    one.move(GM, "turn", who=shade)
    seen = conceal(one.campaign, game, one.table.seats["ana"])
    assert seen.fight == {"order": [ana], "turn": "", "rolls": 0}
    assert fighters(one.table) == [("Ana", False), ("Shade", True)]
