"""Hidden parts of a roll are in no byte sent to a player: page, log, odds, cards."""

import msgspec
import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.read_models import NoOdds
from kitchentable.campaign.views import entry_for, moves_for, odds_for, view_for
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import contest, evening, fields, foe, hero, many, speak, state

rule = pytest.mark.rule
#: A reason, and a number with nothing like it elsewhere.
WHY, NUMBER = "quicksand", -27


def bytes_for(one, seat):
    """All that a seat could read: its view, its moves, every entry of the log."""
    view = view_for(one.campaign, one.game, seat)
    entries = [entry_for(one.campaign, event, seat) for event in one.campaign.events]
    moves = [moves_for(view, one.game, who) for who in ("", *(e.id for e in view.mine))]
    return repr((view, entries, moves))


def kept_from(one, seat, *secrets):
    seen = bytes_for(one, seat)
    return all(str(secret) not in seen for secret in secrets)


def hiding(**more):
    return {
        "gm": {
            "difficulty": "custom",
            "number": NUMBER,
            "modifiers": [{"why": WHY, "value": -1}],
            **more,
        },
        "hidden": ("difficulty", "number", "modifiers"),
    }


@rule("toaster.3.difficulty-open-secret")
@pytest.mark.parametrize("points", [0, 3])
def test_a_hidden_difficulty_of_a_task_reaches_no_player(points):
    one = evening(luck_points=bool(points))
    ana = hero(one, "ana", climb=7)
    total = 6 + 5 + NUMBER - 1
    card = one.roll("ana", "task", ana, (5,), on="skill:climb", **hiding())
    assert kept_from(one, "ana", NUMBER, WHY, total)
    assert kept_from(one, "ben", NUMBER, WHY, total)
    assert str(total) in bytes_for(one, GM)
    if points:
        card = speak(one, one.ask("task_luck"), use="add", points=3)
        assert kept_from(one, "ana", NUMBER, WHY, total, total + 3)
    assert (card["outcome"], card["sides"][0]["total"]) == ("failure", None)
    assert card["sides"][0]["parts"][0] == ["Climb", 6]


@rule("toaster.3.difficulty-open-secret")
@pytest.mark.parametrize("at_once", [False, True])
def test_a_number_that_a_hidden_difficulty_asks_for_is_hidden_with_it(at_once):
    one = evening()
    ana = hero(one, "ana", climb=7)
    warden = foe(one, "Warden", open=True, climb=7)
    answers = {"on": "skill:climb", "difficulty": "custom", "number": NUMBER}
    if at_once:
        made = c.MakeMove, (5,)
        what = {"move": "task", "entity": warden, "answers": answers, "hidden": ("difficulty",)}
        one.do(GM, *made, **what)
    else:
        set_by_gm = {"difficulty": "custom", "number": NUMBER}
        one.roll("ana", "task", ana, (5,), on="skill:climb", gm=set_by_gm, hidden=("difficulty",))
    assert kept_from(one, "ana", NUMBER, 6 + 5 + NUMBER)
    assert str(NUMBER) in bytes_for(one, GM)


@rule("toaster.3.difficulty-open-secret", "toaster.3.luck-after-blind")
def test_neither_a_second_throw_nor_its_odds_tell_what_is_kept():
    one = evening(luck_points=True)
    ana = hero(one, "ana", climb=7)
    one.roll("ana", "task", ana, (5,), on="skill:climb", **hiding())
    view = view_for(one.campaign, one.game, "ana")
    (waiting,) = view.asks
    assert [field.name for field in waiting.fields] == ["use"]
    assert "kept" not in waiting.ask.preset
    assert "again" in {choice.value for choice in waiting.fields[0].choices}
    assert isinstance(odds_for(view, one.game, "task_luck", ana, {"use": "again"}), NoOdds)
    speak(one, one.ask("task_luck"), (9,), use="again")
    assert kept_from(one, "ana", NUMBER, WHY, 6 + 9 + NUMBER - 1)


@rule("toaster.3.difficulty-open-secret")
def test_while_it_is_talked_about_and_where_all_are_hidden_at_first():
    one = evening(difficulty_shown="never")
    ana = hero(one, "ana", climb=7)
    roll = one.propose("ana", "task", ana, on="skill:climb")
    one.do(GM, c.Settle, proposal=roll, answers=hiding()["gm"])
    assert kept_from(one, "ana", NUMBER, WHY)
    (talked,) = view_for(one.campaign, one.game, "ana").proposals
    assert talked.odds is None
    one.do("ana", c.Throw, (5,), proposal=roll)
    assert kept_from(one, "ana", NUMBER, WHY)
    assert isinstance(
        odds_for(view_for(one.campaign, one.game, "ana"), one.game, "task", ana), NoOdds
    )


@rule("toaster.3.difficulty-open-secret")
def test_a_table_can_tell_it_after_the_throw():
    one = evening(difficulty_shown="after")
    ana = hero(one, "ana", climb=7)
    card = one.roll("ana", "task", ana, (5,), gm={"difficulty": "difficult"}, on="skill:climb")
    assert card["lines"] == [
        {"text": "Kept for Ana: Difficult -2; the total is 9.", "audience": "all"}
    ]
    assert "Difficult -2; the total is 9" in bytes_for(one, "ana")


@rule("toaster.3.difficulty-opposed-known", "toaster.3.difficulty-opposed-one-side")
def test_a_hidden_difficulty_goes_to_the_other_side_with_its_sign_turned():
    one = evening()
    ana, thug = hero(one, "ana"), foe(one, "Thug", open=True)
    even = {"on": "attribute:aura", "other_on": "attribute:aura"}
    hidden = {"gm": {"difficulty": "custom", "number": -3}, "hidden": ("difficulty", "number")}
    card = contest(one, ana, thug, (6, 4), **even, **hidden)
    first, second = card["sides"]
    assert (first["parts"], first["total"]) == ([["Aura", 5]], 11)
    assert second["total"] is None
    assert card["outcome"] == "loses"
    kept = [line for line in card["lines"] if line["audience"] == "gm"]
    assert kept[0]["text"] == "Kept for Thug: difficulty, for Ana +3; the total is 12."
    open_one = contest(one, ana, thug, (6, 4), gm={"difficulty": "very-difficult"}, **even)
    assert [side["total"] for side in open_one["sides"]] == [8, 9]


@rule("toaster.3.difficulty-opposed-known")
@pytest.mark.parametrize("luck", [False, True])
def test_no_byte_of_it_reaches_a_player_in_a_contest(luck):
    one = evening(luck_points=luck)
    ana, ben = hero(one, "ana", stealth=7), hero(one, "ben", perception=5)
    one.roll(
        "ana",
        "contest",
        ana,
        (9, 2),
        other=ben,
        on="skill:stealth",
        theirs={"other_on": "skill:perception"},
        **hiding(),
    )
    total = 5 + 2 - NUMBER + 1
    for seat in ("ana", "ben"):
        assert kept_from(one, seat, -NUMBER, NUMBER, WHY, total)
    assert str(total) in bytes_for(one, GM)
    if luck:
        assert one.ask("contest_luck").entity == ana
        speak(one, one.ask("contest_luck"), (8,), use="again")
        speak(one, one.ask("contest_luck"), use="stand")
        for seat in ("ana", "ben"):
            assert kept_from(one, seat, -NUMBER, WHY, total)
    assert one.card["sentence"] == "Ben wins."


@rule("toaster.3.opposed-tie")
def test_the_card_for_a_tie_keeps_it_too():
    one = evening()
    ana, ben = hero(one, "ana"), hero(one, "ben")
    hidden = {"gm": {"difficulty": "custom", "number": -27}, "hidden": ("difficulty", "number")}
    even = {"on": "attribute:aura", "theirs": {"other_on": "attribute:aura"}}
    zeros = {"gm": {**hidden["gm"], "modifiers": [{"why": "a debt", "value": 27}]}}
    one.roll("ana", "contest", ana, (5, 5), other=ben, **even, **{**hidden, **zeros})
    assert one.ask("tie")
    assert "'totals'" not in bytes_for(one, "ana")
    one.answer(GM, one.ask("tie"), (9, 5), way="do-over")
    assert kept_from(one, "ana", 59)


def test_a_closed_foes_numbers_stay_closed_in_a_contest_of_many():
    one = evening(luck_points=True)
    ana, thug = hero(one, "ana", (5, 5, 5, 5)), foe(one, "Thug", (5, 41, 5, 5))
    on = {f"on.{who}": "attribute:coordination" for who in (ana, thug)}
    many(one, [ana, thug], (3, 2), **on)
    assert one.ask("contest_luck").entity == ana
    assert kept_from(one, "ana", 41, 43)
    speak(one, one.ask("contest_luck"), use="stand")
    assert kept_from(one, "ana", 41, 43)
    assert one.card["sentence"] == "Thug wins."


def test_somebody_hidden_is_named_to_nobody():
    one = evening(luck_points=True)
    ana, shade = hero(one, "ana", stealth=5), foe(one, "Shade", hidden=True, perception=9)
    on = {f"on.{ana}": "skill:stealth", f"on.{shade}": "skill:perception"}
    many(one, [ana, shade], (3, 8), **on)
    assert kept_from(one, "ana", "Shade", shade)
    speak(one, one.ask("contest_luck"), use="stand")
    assert kept_from(one, "ana", "Shade", shade)
    picks = next(f for f in fields(one, "contest", ana) if f.name == "other").choices
    assert shade not in {choice.value for choice in picks}


def test_what_a_card_keeps_is_plain_json():
    one = evening(luck_points=True)
    ana = hero(one, "ana", climb=7)
    one.roll("ana", "task", ana, (5,), on="skill:climb", **hiding())
    assert msgspec.json.decode(msgspec.json.encode(one.ask("task_luck").preset))


@rule("toaster.3.luck-reroll")
def test_a_second_throw_of_somebody_closed_tells_no_total():
    one = evening(luck_points=True)
    hero(one, "ana")
    thug = foe(one, "Thug", (5, 5, 5, 9), climb=5)
    state(one, thug, luck=9)
    one.roll(GM, "task", thug, (2,), on="skill:climb")
    speak(one, one.ask("task_luck"), (3,), use="again")
    assert kept_from(one, "ana", "The total is")
    assert "The total is 8. As it stands: failure." in bytes_for(one, GM)


@rule("toaster.3.luck-reroll")
def test_who_throws_again_is_not_told_of_the_total_of_another():
    one = evening(luck_points=True)
    ana, ben = hero(one, "ana"), hero(one, "ben")
    contest(one, ana, ben, (3, 6), on="attribute:aura", other_on="attribute:aura")
    speak(one, one.ask("contest_luck"), (9,), use="again")
    assert (one.ask("contest_luck").entity, one.card["lines"]) == (ben, [])
    speak(one, one.ask("contest_luck"), (1,), use="again")
    assert one.card["lines"][0]["text"].startswith("Your total is 6.")


@rule("toaster.4.heal-week", "toaster.4.mortality-fail", "toaster.4.bleed-stop")
def test_the_harm_of_somebody_closed_is_told_without_its_numbers():
    one = evening(bleeding=True, medical_skills="Science: Medicine")
    ana, thug = hero(one, "ana", science__Medicine=5), foe(one, "Thug")
    state(one, thug, wounds=[{"n": 3, "area": "", "cause": "attack"}])
    one.move(GM, "bleeding", thug, extra=1, why="It moves.")
    one.roll("ana", "medical", ana, (2,), patient=thug, purpose="bleeding")
    assert kept_from(one, "ana", "points a round")
    one.move(GM, "bleeding", thug, stops=True, why="A tourniquet.")
    one.move(GM, "days", who=[thug], days=7)
    speak(one, one.ask("healing"), (9,))
    assert (one.card["outcome"], one.card["sentence"]) == ("success", "")
    assert kept_from(one, "ana", "2 left")
    one.move(GM, "harm", who=thug, cause="a fall", wounds=3)
    speak(one, one.ask("mortality"), (2,))
    assert (one.card["outcome"], one.card["sentence"]) == ("dies", "")
    assert kept_from(one, "ana", "7 rounds")
    assert "Thug dies after 7 rounds." in bytes_for(one, GM)
