"""Forms: typed answers, questions that refer to each other, problems as far as they are known."""

import pytest

from kitchentable.rules import Actor, BadAnswers, BadGame, Choice, Field
from kitchentable.rules.kit import Form, Unknown, maybe_number, number, pick, rows, text, tick
from kitchentable.rules.kit.forms import put_words, read_form
from tests.rules.kit.leaping import arrive, evening, leaps, who


@pytest.fixture
def table():
    return evening()


def asked(one, move, **answers):
    ana = Actor("ana", "player", who(one, "Ana"))
    return {field.name: field for field in one.named(move).fields(one.table, ana, answers)}


class Base(Form):
    last = tick("Last")
    again = text("Again", optional=True)


class Own(Base):
    first = number("First", default=3, low=1)
    again = text("Again, otherwise", optional=True, longest=9)


def test_own_questions_come_first_and_may_take_the_place_of_inherited_ones():
    assert [one.name for one in Own.inputs] == ["first", "again", "last"]
    assert Own.inputs[1].parts["longest"] == 9


def test_a_question_has_one_name():
    with pytest.raises(TypeError, match="Copy it by having"):

        class Wrong(Form):
            second = Own.first

    class Right(Form):
        second = Own.first.having(low=2)

    assert (Right.second.name, Right.second.parts["low"], Own.first.parts["low"]) == (
        "second",
        2,
        1,
    )


def test_a_question_about_somebody_is_asked_once_they_are_picked(table):
    arrive(table, "npc", "Grim")
    assert list(asked(table, "duel")) == ["other", "crowd"]
    more = asked(table, "duel", other=who(table, "Ben"))
    assert list(more) == ["other", "stake", "same", "crowd"]
    assert (more["stake"].label, more["stake"].default) == ("Stake of Ben", 3)
    assert more["same"].default == 3
    assert asked(table, "duel", other=who(table, "Ben"), stake=1)["same"].default == 1


def test_the_only_candidate_is_the_default(table):
    assert asked(table, "duel")["other"].default == who(table, "Ben")


def test_each_asks_the_same_of_several(table):
    ana, ben = who(table, "Ana"), who(table, "Ben")
    crowd = asked(table, "duel", crowd=[ben, ana])
    assert [f"cheers.{ben}", f"cheers.{ana}"] == list(crowd)[-2:]
    assert crowd[f"cheers.{ben}"].choices == (Choice("me", "me"), Choice("them", "them"))
    table.move("ana", "duel", ana, other=ben, stake=1, crowd=[ben], **{f"cheers__{ben}": "them"})
    assert table.card["sentence"] == f"{ben}: them"


def test_an_answer_opens_a_question_and_closes_it(table):
    assert "why" not in asked(table, "leap", far=11)
    assert "why" in asked(table, "leap", far=12)


def test_problems_are_found_among_known_answers(table):
    move, ana = table.named("duel"), Actor("ana", "player", who(table, "Ana"))
    assert move.check(table.table, ana, {"other": "nobody", "stake": 3}) == ()
    arrive(table, "npc", "Grim")
    (problem,) = move.check(table.table, ana, {"stake": 10})
    assert problem.sentence == "Nobody has so much."  # and whom it is against is not known
    with pytest.raises(BadAnswers, match="Ben has less"):
        table.move("ana", "duel", ana.entity, other=who(table, "Ben"), stake=4)


class Kinds(Form):
    some = maybe_number("Some")
    of_many = pick("One", [("a", "A", "hint"), Choice("b", "B")])


def test_an_answer_that_is_missing_is_unknown_and_an_empty_number_is_none(table):
    form = leaps.at(table.table).fill(Kinds, {})
    assert form.some is None
    with pytest.raises(Unknown, match="choice"):
        _ = form.of_many
    assert leaps.at(table.table).fill(Kinds, {"of_many": "b"}).of_many == "b"
    assert Kinds.of_many.parts["choices"] == (Choice("a", "A", "hint"), Choice("b", "B"))


class Emptied(Form):
    most = maybe_number("At most", default=4)


def test_a_number_that_is_emptied_is_none_whatever_its_default(table):
    at = leaps.at(table.table)
    found = [at.fill(Emptied, answers).most for answers in ({}, {"most": None}, {"most": 7})]
    assert found == [4, None, 7]


def test_rows_are_a_list_of_records_and_none_is_an_empty_one():
    one = rows("Why", (Field("what", "What"),), high=3)
    one.name = "why"
    (field,) = one.fields(None)
    assert (field.kind, field.default, field.required, field.high) == ("rows", [], False, 3)
    assert one.read(None, None) == []
    assert one.read(None, [{"what": "rain"}]) == [{"what": "rain"}]


def test_a_form_takes_its_words_from_a_data_file():
    class Fed(Form):
        soup = pick(default="salt")
        bowls = rows()
        more = text()

    pairs, columns = [["salt", "Salty"]], [{"name": "size", "title": "Size", "kind": "number"}]
    put_words(Fed, {"soup": {"title": "Which?", "choices": pairs}, "more": {"optional": True}})
    put_words(Fed, {"bowls": {"title": "Bowls", "columns": columns}})
    filled = leaps.moment(evening().table, Actor("ana", "player")).at.fill(Fed, {})
    soup, bowls, more = read_form(filled)
    assert (soup.label, soup.choices) == ("Which?", (Choice("salt", "Salty"),))
    assert bowls.columns == (Field("size", "Size", "number"),)
    assert (more.required, filled.more) == (False, "")


@pytest.mark.parametrize("words", [{"stew": {"title": "Which?"}}, {"soup": {"colour": "red"}}])
def test_words_for_no_question_are_refused(words):
    class Fed(Form):
        soup = text()

    with pytest.raises(BadGame, match="Fed has no question"):
        put_words(Fed, words)
