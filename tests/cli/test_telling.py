"""The lines of the terminal: requests and their numbers, fields, odds and refusals."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from kitchentable.app.shapes import Odds, Refused
from kitchentable.app.verbs import read_move
from kitchentable.campaign.read_models import SeenAsk, SeenOdds, SeenProposal
from kitchentable.cli.terminal.commands import read_command
from kitchentable.cli.terminal.telling import (
    requests_of,
    tell_field,
    tell_fight,
    tell_odds,
    tell_party,
    tell_people,
    tell_refusal,
    tell_request,
)
from kitchentable.cli.terminal.verbs import BadVerb, run_line
from kitchentable.client import Refusal
from kitchentable.rules.sheets import FightRow, FightView, Summary, Track
from kitchentable.rules.table import Ask, Entity, Seat
from kitchentable.rules.values import Choice, Field, Problem


def test_a_refused_answer_to_a_card_is_told_with_the_questions_that_it_opened():
    points = Field("points", "Points", "number", low=1, high=3)
    card = SeenAsk(Ask("a", ("s",), "task_luck", "Luck?", entity="pc"), (), mine=True)
    problem = Problem("points", "", "Fill in “Points”.")
    sent = Refusal(Refused(code="x", sentence=problem.sentence, problems=(problem,)), 422)

    def refuse(command):
        raise sent

    def odds(move, entity, **answers):
        assert (move, entity, answers) == ("task_luck", "pc", {"use": "add"})
        return Odds(odds=None, fields=(points,))

    table = SimpleNamespace(view=lambda: SimpleNamespace(proposals=[], asks=[card]), odds=odds)
    told = []
    session = SimpleNamespace(
        table=table, do=refuse, as_json=False, tell=lambda what, data, lines: told.extend(lines)
    )
    with pytest.raises(Refusal):
        run_line(session, "/answer 1 use=add")
    assert told == ["points: Points; a number from 1 to 3"]


def test_problems_of_a_form_are_told_once():
    problems = tuple(Problem(one, "", f"{one} is missing.") for one in ("a", "b"))
    sentence = " ".join(one.sentence for one in problems)
    refused = Refusal(Refused(code="form/problems", sentence=sentence, problems=problems), 422)
    assert list(tell_refusal(refused)) == ["! a: a is missing.", "! b: b is missing."]
    other = Refusal(Refused(code="form/problems", sentence="No.", problems=problems[:1]), 422)
    assert list(tell_refusal(other)) == ["No.", "! a: a is missing."]


def test_what_waits_for_the_seat_is_numbered_first():
    rolls = [
        SeenProposal(name, "task", "Task", "", "Mara", (), (), may_throw=name == "mine")
        for name in ("others", "mine")
    ]
    view = SimpleNamespace(proposals=rolls, asks=())
    assert [one.id for one in requests_of(view)] == ["mine", "others"]


def test_a_number_of_a_card_ends_no_roll_and_that_of_a_roll_skips_no_card():
    done = []
    asked = Ask("card", "word", "A kick", ("gm",), skippable=True)
    view = SimpleNamespace(
        proposals=[SeenProposal("roll", "task", "Task", "", "Mara", (), (), may_withdraw=True)],
        asks=[SeenAsk(asked, mine=True)],
    )
    table = SimpleNamespace(view=lambda: view)
    session = SimpleNamespace(table=table, do=done.append, as_json=False)
    for line in ("/withdraw 1", "/decline 1 success", "/skip 2", "/skip 9", "/withdraw 9"):
        with pytest.raises(BadVerb, match=r"There is no request \d to"):
            run_line(session, line)
    for line in ("/withdraw 2 now", "/withdraw now", "/skip 1 now", "/skip now", "/skip 10000"):
        with pytest.raises(BadVerb, match=r"takes only the number of a request, for example /"):
            run_line(session, line)
    assert done == []
    for line in ("/withdraw 2", "/withdraw", "/skip 1", "/skip"):
        run_line(session, line)
    assert [getattr(one, "proposal", getattr(one, "ask", "")) for one in done] == [
        "roll",
        "roll",
        "card",
        "card",
    ]


def test_the_number_of_a_card_that_is_gone_is_no_story():
    done = []
    told = Field("text", "What happens", "story")
    asked = SeenAsk(Ask("card", "kick", "A kick", ("gm",)), mine=True, fields=(told,))
    table = SimpleNamespace(view=lambda: SimpleNamespace(proposals=[], asks=[asked]))
    session = SimpleNamespace(table=table, do=done.append, as_json=False)
    with pytest.raises(BadVerb, match="'5' is not an answer here"):
        run_line(session, "/answer 5")
    run_line(session, "/answer 5 bells ring")
    assert [one.answers for one in done] == [{"text": "5 bells ring"}]


def test_yes_or_no_answers_the_only_tick_that_is_open():
    done = []
    odd, more = Field("odd", "Odd?", "tick"), Field("more", "More?", "tick")
    told = Field("text", "What happens", "story")
    asked = SeenAsk(Ask("card", "push", "A push", ("gm",)), mine=True, fields=(told, odd))
    table = SimpleNamespace(view=lambda: SimpleNamespace(proposals=[], asks=[asked]))
    session = SimpleNamespace(table=table, do=done.append, as_json=False)
    for line in ("/answer 1 yes", "/answer yes", "/answer 1 no", '/answer "No bell, yes"'):
        run_line(session, line)
    assert [one.answers for one in done] == [
        {"odd": "yes"},
        {"odd": "yes"},
        {"odd": "no"},
        {"text": "No bell, yes"},
    ]
    asked = SeenAsk(Ask("card", "push", "A push", ("gm",)), mine=True, fields=(odd, more))
    with pytest.raises(BadVerb, match=r"odd: Odd\?; yes or no.*more: More\?; yes or no"):
        run_line(session, "/answer yes")
    run_line(session, "/answer odd=no yes")
    assert done[-1].answers == {"odd": "no", "more": "yes"}


def test_several_answers_are_hidden_at_once():
    done = []
    roll = SeenProposal("roll", "task", "Task", "", "Mara", (), (), my_turn=True)
    table = SimpleNamespace(view=lambda: SimpleNamespace(proposals=[roll], asks=[]))
    session = SimpleNamespace(table=table, do=done.append, as_json=False)
    for line in ("/answer hide=what hide=number", "/answer hide=what,number"):
        run_line(session, line)
    assert [one.hidden for one in done] == [("what", "number")] * 2


def test_a_roll_that_waits_for_its_player_names_them_and_an_asker_can_be_let_in_as_told():
    roll = SeenProposal("roll", "task", "Task", "", "Mara", (), ())
    assert "   It waits for Mara to roll." in list(tell_request(1, roll))
    ida = Seat("s", "Ida Neil", "player", state="waiting")
    view = SimpleNamespace(table=SimpleNamespace(seats={"s": ida}, entities={}))
    (told,) = tell_people(view, ())
    words = told.partition("/do decide-seat ")[2]
    command = read_command(view, "decide-seat", read_move("do", words).answers)
    assert (command.of, command.verdict) == ("s", "approve")


def test_whoever_is_picked_already_is_told_by_name():
    choices = (Choice("pc-1", "Mara Vell"), Choice("pc-2", "Old Tam"))
    target = Field("target", "Whom?", "entity", choices)
    assert tell_field(target, {"target": "pc-2"}).endswith("; now Old Tam")
    several = Field("who", "Who?", "many", choices, default=("pc-1", "pc-2"))
    assert tell_field(several).endswith("; now Mara Vell, Old Tam")
    kit = Choice("pc-1/gear/kit", "Healer's kit, D6")
    uses = Field("uses", "Uses up", "choice", (kit,), default="pc-1/gear/kit")
    assert tell_field(uses) == """uses: Uses up; one of "Healer's kit, D6"; now Healer's kit, D6"""
    row = FightRow("npc-1", "Guard", "13", status="has acted", done=True)
    assert list(tell_fight(FightView(0, (row,)))) == ["", "- 13 Guard: has acted"]


def test_odds_without_success_are_the_chances_of_each_outcome_once():
    sixths = tuple((str(n), f"Day {n}", "plain", Fraction(1, 6)) for n in range(1, 7))
    each = ", ".join(f"Day {n} 17 %" for n in range(1, 7))
    assert tell_odds(SeenOdds(sixths, Fraction(0), each)) == f"Odds: {each}"
    lasts = SeenOdds(sixths, Fraction(0), "It lasts 6 more rolls.")
    assert tell_odds(lasts) == f"Odds: It lasts 6 more rolls. ({each})"
    even = (("a", "wins", "good", Fraction(1, 2)), ("b", "loses", "bad", Fraction(1, 2)))
    told = "Odds: 50 %. Wins. (wins 50 %, loses 50 %)"
    assert tell_odds(SeenOdds(even, Fraction(1, 2), "Wins.")) == told


def test_each_track_of_somebody_is_told_by_its_name():
    tracks = (Track("Wounds", 1, 4, "1/4 wounds"), Track("Oil", 3, 4, "3 of 4 left"))
    ida = Entity("pc-1", "Ida", "pc", "s", {}, {})
    table = SimpleNamespace(in_play=lambda: [ida], seats={})
    view = SimpleNamespace(table=table, summaries={"pc-1": Summary("Ida", tracks=tracks)})
    assert list(tell_party(view)) == ["Ida: 1/4 wounds, Oil 3 of 4 left"]
