"""Consent: one decides after the others' votes, and each player owns their character."""

import pytest

from kitchentable.campaign.views import view_for
from kitchentable.rules import RuleRefuses
from tests.rules.kit.leaping import GM, LEAPS, evening, who


@pytest.fixture
def table():
    return evening("ana", "ben", "cleo")


def ana(one):
    return who(one, "Ana")


def labels(one, seat):
    (seen,) = view_for(one.campaign, LEAPS, seat).asks
    return [(field.label, field.help, field.default) for field in seen.fields]


def test_players_advise_and_the_gm_decides_with_their_votes_in_view(table):
    table.move("ana", "beg", ana(table))
    table.answer("ben", table.ask("gift"), answer="no")
    assert table.card["sentence"] == "Ben says no."
    assert labels(table, "cleo") == [("Should it be given?", "", "yes")]
    assert labels(table, GM) == [
        ("Is it given?", "The others: Ben: no, Cleo: not yet.", "yes"),
        ("A word", "", ""),
    ]
    table.answer(GM, table.ask("gift"), answer="yes", word="Here.")
    assert table.card["lines"] == [
        {"text": "The others: Ben: no, Cleo: not yet.", "audience": "all"}
    ]
    assert table.entity(ana(table)).state["coins"] == 4
    assert table.asks() == []


def test_only_the_owner_decides_about_their_own(table):
    table.move(GM, "rob", ana(table))
    with pytest.raises(RuleRefuses, match="Only the player of Ana can say that"):
        table.answer(GM, table.ask("hand_over"), answer="yes")
    table.answer("ana", table.ask("hand_over"))
    assert table.entity(ana(table)).state["coins"] == 3
    table.move(GM, "rob", ana(table))
    table.answer("ana", table.ask("hand_over"), answer="yes")
    assert table.entity(ana(table)).state["coins"] == 0
