"""Forms with follow-up questions: asked to the last, or refused with the form's name."""

from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import EndlessForm
from kitchentable.campaign.proposals import read_proposal, with_defaults
from kitchentable.campaign.questions import MOST_ROUNDS, ask_until_settled, fill_in
from kitchentable.campaign.read_models import SeenOdds
from kitchentable.campaign.throws import solve
from kitchentable.campaign.views import odds_for, view_for
from kitchentable.dice import mechanic
from kitchentable.dice.errors import TooDeep, TooManyPaths, TooSlow
from kitchentable.rules.moves import Question
from kitchentable.rules.values import Field
from tests.campaign.coin import BANDS, COIN, FLIP, JINX
from tests.campaign.tables import IDA, MARA, named, playing

DEEP = 9


def a_chain(table, actor, answers):
    """One question opens the next, nine in all."""
    count = 1
    while count < DEEP and f"q{count - 1}" in answers:
        count += 1
    return tuple(Field(f"q{one}", f"Question {one}", "number", default=one) for one in range(count))


def an_endless_form(table, actor, answers):
    """There is always one question more than there are answers."""
    return tuple(Field(f"q{one}", "Question", default="x") for one in range(len(answers) + 1))


def with_form(fields):
    """An evening of a game whose roll and whose move at once have that form."""
    evening = playing(settings={"gm_confirms": "trust"})
    moves = (replace(FLIP, fields=fields), replace(JINX, fields=fields))
    evening.game = replace(COIN, moves=moves)
    return evening, named(evening, "Kes")


WHOLE = {f"q{one}": one for one in range(DEEP)}


def test_a_move_asks_nine_questions_that_open_one_another():
    evening, kes = with_form(a_chain)
    event = evening.send(c.MakeMove, IDA, move="jinx", entity=kes, answers={"q8": "80"}, faces=[4])
    assert event.data["answers"] == WHOLE | {"q8": 80}


def test_a_roll_that_is_talked_about_asks_them_too():
    evening, kes = with_form(a_chain)
    given = {name: str(10 * number) for name, number in WHOLE.items()}
    event = evening.send(c.Propose, MARA, move="flip", entity=kes, answers=given)
    talk = evening.tree["proposals"][event.data["proposal"]]
    assert talk["answers"] == {name: 10 * number for name, number in WHOLE.items()}
    bare = replace(read_proposal(evening.game, "p", talk), answers={})
    assert with_defaults(bare, evening.table).answers == WHOLE


def test_odds_are_shown_once_the_last_question_can_be_used():
    evening, kes = with_form(a_chain)
    view = view_for(evening.campaign, evening.game, IDA)
    assert isinstance(odds_for(view, evening.game, "jinx", kes, {"q8": "80"}), SeenOdds)
    assert not isinstance(odds_for(view, evening.game, "jinx", kes, {"q8": "many"}), SeenOdds)


@pytest.mark.parametrize(
    ("command", "seat", "move"),
    [(c.MakeMove, IDA, "jinx"), (c.Propose, MARA, "flip"), (c.MakeMove, MARA, "flip")],
)
def test_a_form_without_end_is_refused_by_name(command, seat, move):
    evening, kes = with_form(an_endless_form)
    with pytest.raises(EndlessForm, match=f"The form of {move.title()} is endless"):
        evening.send(command, seat, move=move, entity=kes)


def test_no_odds_are_worked_out_for_a_form_without_end():
    evening, kes = with_form(an_endless_form)
    view = view_for(evening.campaign, evening.game, IDA)
    with pytest.raises(EndlessForm, match="Jinx"):
        odds_for(view, evening.game, "jinx", kes)


def test_the_bound_is_the_rounds_that_change_something():
    assert ask_until_settled("Count", 1, lambda one: min(one + 1, MOST_ROUNDS)) == MOST_ROUNDS
    with pytest.raises(EndlessForm):
        ask_until_settled("Count", 0, lambda one: min(one + 1, MOST_ROUNDS))


def test_what_stands_before_the_form_stays_unless_the_form_sets_it():
    asked = [Field("a", "A", "number", default=1), Field("b", "B", "number", default=2)]
    form = fill_in("Form", lambda answers: asked, {"b": "7"}, {"a": 5, "c": 6}, fill=False)
    assert form.answers == {"a": 5, "b": 7, "c": 6}
    assert form.fields == tuple(asked)


@mechanic
def every_way(dice) -> str:
    return "win" if sorted(dice.die(6) for _ in range(9))[4] > 3 else "lose"


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (TooSlow, "These odds take too long to work out"),
        (TooManyPaths, "These odds depend on too many combinations of dice"),
        (TooDeep, "This roll can lead to too many further rolls to work out its odds"),
    ],
)
def test_odds_that_cannot_be_solved_are_refused_with_the_cause(monkeypatch, kind, cause):
    """The sentences of the solver are about mechanics in Python."""

    def refuse(question: Question, within: float | None) -> None:
        raise kind("Add dice with dice.total(...).")

    question = Question(every_way, (), BANDS, str)
    with pytest.raises(TooSlow, match=r"^These odds take too long to work out"):
        solve(question, within=0.05)
    monkeypatch.setattr(Question, "solve", refuse)
    with pytest.raises(kind, match=f"^{cause}; the dice can be thrown all the same.$"):
        solve(question)
