"""A new version in mid-session, with open rolls, waiting cards and a running fight."""

from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.decide.game_update import describe_update
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.views import view_for
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.toml import read_game
from tests.rules.toml.sample import COIN
from tests.rules.toml.test_updates import FIRST, SECOND, table
from tests.rulesets.driver import GM

LATER = COIN.replace('version = "1"', 'version = "2"')
# Flip is called toss.
TOSS = read_game(LATER.replace('key = "flip"', 'key = "toss"').replace('"flip"', '"toss"'))
FIGHT = '[fight]\norder = "1d6"\nadd = ["wits"]\neach_round = false\n'
PEACE = read_game(LATER.replace(FIGHT, "").replace("fight = true\n", ""))
SEATS = (GM, "ada", "ben")


def update(one, game):
    one.game = game
    return one.do(GM, c.UpdateGame, version=game.version)


def seen(one):
    """What every seat sees of the table and of each step of its log."""
    return {
        seat: (
            view_for(one.campaign, one.game, seat),
            [entry_for(one.campaign, event, seat) for event in one.campaign.events],
        )
        for seat in SEATS
    }


def test_a_roll_whose_move_is_no_more_is_withdrawn_and_comes_back_with_its_version():
    one, kit, _ = table()
    roll = one.propose("ada", "flip", kit, trait="nerve", what="Call it")
    words = "The open roll of Kit no longer exists and is withdrawn."
    assert words in describe_update(one.campaign, TOSS)
    event = update(one, TOSS)
    assert one.campaign.tree["proposals"] == {}
    assert words in repr(seen(one)["ben"])
    one.do(GM, c.Undo, number=event.number)
    one.game = FIRST
    assert [talk.id for talk in seen(one)["ada"][0].proposals] == [roll]


def test_nobody_hears_of_a_hidden_ones_roll_that_is_withdrawn():
    one, _, shade = table()
    one.propose(GM, "flip", shade, trait="nerve", what="In the dark")
    update(one, TOSS)
    every = seen(one)
    assert "roll of Shade no longer exists" in repr(every[GM])
    assert all("Shade" not in repr(every[seat]) for seat in ("ada", "ben"))


def test_a_roll_of_a_version_that_was_taken_back_rests_until_it_is_played_again():
    one, kit, _ = table()
    event = update(one, TOSS)
    roll = one.propose("ada", "toss", kit, trait="nerve", what="Call it")
    one.do(GM, c.Undo, number=event.number)
    one.game = FIRST
    assert seen(one)["ada"][0].proposals == ()
    with pytest.raises(CannotBe, match="no longer open"):
        one.do("ada", c.Throw, (1, 2, 2), proposal=roll)
    update(one, TOSS)
    assert [talk.id for talk in seen(one)["ada"][0].proposals] == [roll]


def test_a_roll_on_a_trait_that_has_another_name_says_what_it_can_be():
    one, kit, _ = table()
    roll = one.propose("ada", "flip", kit, trait="wits", what="Call it")
    update(one, SECOND)
    seen(one)
    with pytest.raises(BadAnswers, match=r"cannot be .wits.\. It can be: "):
        one.do("ada", c.Throw, (1, 2, 2), proposal=roll)
    assert roll in one.campaign.tree["proposals"]


def test_a_card_of_a_move_that_is_no_more_is_put_away():
    one, *_ = table()
    one.do(GM, c.SetOptions, options={"luck_of_all": 1})
    fewer = tuple(move for move in TOSS.moves if move.name != "points_fit")
    words = "The card “Points do not fit” can no longer be answered and is put away."
    later = replace(TOSS, moves=fewer, hooks={})
    assert words in describe_update(one.campaign, later)
    update(one, later)
    assert set(one.table.asks) == {"refit"}
    seen(one)


def test_a_fight_that_is_on_ends_with_a_version_without_fights():
    one, kit, shade = table()
    one.move(GM, "fight", heroes=[kit], foes=[shade])
    assert one.table.fight is not None
    event = update(one, PEACE)
    assert one.table.fight is None
    assert "The fight is over: this version has no fights." in repr(seen(one)["ada"])
    one.do(GM, c.Undo, number=event.number)
    assert one.table.fight is not None
