"""Luck: points before, after, and for another throw; how they come back; luck rolls."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.throws import as_chance
from kitchentable.rules.errors import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import (
    contest,
    evening,
    fields,
    foe,
    hero,
    many,
    speak,
    state,
    task,
)
from tests.rulesets.toaster.people import person

rule = pytest.mark.rule


def lucky(attributes=(5, 5, 5, 7), points=None, options=None, **bases):
    """A table with luck points, and somebody with Aura 7."""
    one = evening(luck_points=True, **(options or {}))
    ana = hero(one, "ana", attributes, **bases)
    state(one, ana, luck=attributes[3] if points is None else points)
    return one, ana


def luck(one, who):
    return one.entity(who).state["luck"]


@rule("toaster.3.luck-start", "toaster.3.luck-scale")
@pytest.mark.parametrize(
    ("aura", "options", "points"),
    [
        (7, {}, 7),
        (3, {"luck_multiplier": 2}, 6),
        (7, {"luck_offset": -2}, 5),
    ],
)
def test_luck_begins_with_aura_scaled(aura, options, points):
    one = evening(luck_points=True, **options)
    blank = one.game.sheet.blank(one.table, "npc")
    sheet = {**blank, "attributes": {**blank["attributes"], "aura": aura}}
    one.do(GM, c.MakeEntity, kind="npc", name="Cid", owner="gm", sheet=sheet)
    (cid,) = one.table.entities.values()
    assert cid.state["luck"] == points


@rule("toaster.3.luck-before-plus2")
def test_before_the_throw_a_point_is_worth_2():
    one, ana = lucky(climb=3)
    card = task(one, ana, "climb", 2, luck=2)
    assert card["sides"][0]["parts"] == [["Climb", 4], ["luck, 2 points", 4]]
    assert (card["sides"][0]["total"], card["outcome"], luck(one, ana)) == (10, "success", 5)


@rule("toaster.3.luck-before-plus2")
@pytest.mark.parametrize(
    ("base", "verdict", "left"),
    [(3, "rules", 4), (3, "routine", 7), (3, "impossible", 7), (15, "rules", 7)],
)
def test_points_that_make_a_throw_needless_are_spent(base, verdict, left):
    """Rank 4 and three points reach 10 without a die; rank 10 needs no luck."""
    one, ana = lucky(climb=base)
    card = task(one, ana, "climb", luck=3, gm={"verdict": verdict})
    assert (one.last.throw, luck(one, ana)) == (None, left)
    assert ("With 3 luck points." in [line["text"] for line in card["lines"]]) == (left == 4)


@rule("toaster.3.luck-after-plus1")
def test_after_the_throw_a_point_is_worth_1():
    one, ana = lucky(climb=5)
    card = task(one, ana, "climb", 3)
    assert (card["sentence"], card["sides"][0]["total"]) == ("Waits for luck.", 8)
    ask = one.ask("task_luck")
    assert (ask.to, ask.entity) == ((f"owner:{ana}",), ana)
    card = speak(one, ask, use="add", points=2)
    assert (card["outcome"], card["sides"][0]["total"], luck(one, ana)) == ("success", 10, 5)
    assert (card["about"], one.asks()) == (one.campaign.number - 1, [])


@rule("toaster.3.luck-after-plus1")
def test_a_roll_may_stand_and_a_sure_one_does_not_wait():
    one, ana = lucky(ride=5)
    task(one, ana, "ride", 3)
    assert speak(one, one.ask("task_luck"), use="stand")["outcome"] == "failure"
    assert luck(one, ana) == 7
    assert task(one, ana, "ride", 5)["outcome"] == "success"
    assert one.asks() == []


@rule("toaster.3.luck-after-zero", "toaster.3.collab-extended")
def test_a_zero_of_several_at_one_task_does_not_wait_for_luck():
    one, ana = lucky(climb=5, options={"rolling_zeros": True, "collaboration": True})
    ben = hero(one, "ben", climb=3)
    card = one.roll("ana", "together", ana, (0, 0, 5, 3), on="skill:climb", helpers=[ben])
    assert (card["outcome"], one.asks("task_luck")) == ("failure", [])


@rule("toaster.3.luck-after-zero")
def test_points_do_not_undo_a_zero():
    one, ana = lucky(climb=9, points=3, options={"rolling_zeros": True})
    card = task(one, ana, "climb", 0, 2)
    assert card["outcome"] == "fumble"
    assert one.asks("task_luck") == []


@rule("toaster.3.luck-before-zero")
@pytest.mark.parametrize(("second", "outcome"), [(0, "fumble"), (1, "failure")])
def test_a_zero_is_checked_with_the_points_that_were_allocated(second, outcome):
    one, ana = lucky(climb=3, points=3, options={"rolling_zeros": True})
    gm = {"verdict": "roll"}
    assert task(one, ana, "climb", 0, second, luck=3, gm=gm)["outcome"] == outcome


@rule("toaster.3.luck-reroll")
def test_four_points_throw_again_and_can_escape_a_fumble():
    one, ana = lucky(climb=5, points=4, options={"rolling_zeros": True})
    assert task(one, ana, "climb", 0, 2)["sentence"] == "Waits for luck."
    card = speak(one, one.ask("task_luck"), (7,), use="again")
    assert (card["sides"][0]["total"], card["outcome"], luck(one, ana)) == (12, "success", 0)


@rule("toaster.3.luck-reroll", "toaster.3.luck-limits")
def test_with_three_points_there_is_no_second_throw():
    one, ana = lucky(climb=5, points=3)
    task(one, ana, "climb", 1)
    ask = one.ask("task_luck")
    with pytest.raises(BadAnswers):
        speak(one, ask, (7,), use="again")
    assert luck(one, ana) == 3


@rule("toaster.3.luck-limits")
def test_nobody_spends_what_is_not_there():
    one, ana = lucky(climb=5, points=3)
    with pytest.raises(BadAnswers):
        one.propose("ana", "task", ana, on="skill:climb", luck=4)
    with pytest.raises(BadAnswers):
        task(one, ana, "climb", 1, luck=-1)
    task(one, ana, "climb", 1)
    with pytest.raises(BadAnswers):
        speak(one, one.ask("task_luck"), use="add", points=4)
    none = evening()
    same = hero(none, "ana", climb=5)
    assert "luck" not in {f.name for f in fields(none, "task", same)}


@rule("toaster.3.luck-mixing")
def test_before_after_and_again_on_one_roll():
    one, ana = lucky(climb=3)
    card = task(one, ana, "climb", 3, luck=1)
    assert card["sides"][0]["total"] == 9
    assert speak(one, one.ask("task_luck"), use="add", points=1)["outcome"] == "success"
    assert luck(one, ana) == 5
    task(one, ana, "climb", 2, luck=1)
    card = speak(one, one.ask("task_luck"), (6,), use="again")
    assert (card["sides"][0]["total"], card["outcome"], luck(one, ana)) == (12, "success", 0)


@rule("toaster.3.luck-mixing", "toaster.3.call4-before")
def test_a_called_four_takes_points_but_no_second_throw():
    one, ana = lucky(climb=5, options={"calling_fours": True})
    card = task(one, ana, "climb", called=True)
    assert card["sides"][0]["parts"][0] == ["a called 4", 4]
    ask = one.ask("task_luck")
    field = one.named("task_luck").fields(one.table, asked(one, ask), {})[0]
    assert [choice.value for choice in field.choices] == ["stand", "add"]
    assert speak(one, ask, use="add", points=1)["outcome"] == "success"


def asked(one, ask):
    actor = one.actor("ana", ask.entity)
    return type(actor)(actor.seat, actor.role, actor.entity, ask.id)


@rule("toaster.3.luck-after-blind")
def test_points_can_be_committed_before_the_result_is_told():
    one, ana = lucky(climb=5, options={"luck_blind": True})
    hidden = {"gm": {"difficulty": "difficult"}, "hidden": ("difficulty",)}
    card = one.roll("ana", "task", ana, (6,), on="skill:climb", **hidden)
    assert (card["sentence"], card["sides"][0]["total"]) == ("Waits for luck.", None)
    ask = one.ask("task_luck")
    assert ask.text == "The total is 11, as far as you know. Ana has 7 luck points."
    assert speak(one, ask, use="add", points=1)["outcome"] == "success"
    told, ben = lucky(climb=5)
    told.roll("ana", "task", ben, (6,), on="skill:climb", **hidden)
    assert "As it stands: failure." in told.ask("task_luck").text


@rule("toaster.3.luck-after-plus1", "toaster.3.luck-reroll")
def test_in_a_contest_whoever_is_behind_may_spend_and_then_the_other():
    one = evening(luck_points=True)
    ana, ben = hero(one, "ana"), hero(one, "ben")
    even = {"on": "attribute:aura", "other_on": "attribute:aura"}
    contest(one, ana, ben, (3, 5), **even)
    first = one.ask("contest_luck")
    assert first.entity == ana
    speak(one, first, use="add", points=3)
    second = one.ask("contest_luck")
    assert second.entity == ben
    card = speak(one, second, (9,), use="again")
    third = one.ask("contest_luck")
    assert third.entity == ana
    card = speak(one, third, use="stand")
    assert (card["sentence"], luck(one, ana), luck(one, ben)) == ("Ben wins.", 2, 1)
    assert [side["total"] for side in card["sides"]] == [11, 14]


@rule("toaster.3.opposed-skills", "toaster.3.luck-after-plus1")
def test_the_card_for_luck_is_named_like_its_contest():
    one = evening(luck_points=True)
    ana, guard = hero(one, "ana", stealth=5), foe(one, "Guard", perception=9)
    both = {"on": "skill:stealth", "other_on": "skill:perception"}
    card = contest(one, ana, guard, (3, 5), **both)
    asked = one.ask("contest_luck")
    assert (card["title"], asked.title) == ("Stealth against Guard", "Stealth against Guard: luck?")
    assert "Perception" not in str(asked.preset["title"])


def test_the_card_for_luck_in_a_race_is_not_about_the_first_two():
    one = evening(luck_points=True)
    people = [hero(one, "ana", run=3), hero(one, "ben", run=3), foe(one, "Guard", run=3)]
    card = many(one, people, (9, 2, 3), kind="race")
    asked = one.ask("contest_luck")
    assert (card["title"], asked.title) == ("A race: Run", "A race: Run: luck?")


def test_the_card_for_luck_names_nobody_who_is_hidden():
    one = evening(luck_points=True)
    people = [hero(one, "ana", stealth=5), foe(one, "Umbra", hidden=True, perception=9)]
    many(one, people, (3, 5), kind="opposed")
    assert one.ask("contest_luck").title == "A contest: luck?"


@rule("toaster.3.luck-return")
def test_luck_comes_back_with_the_next_adventure_or_as_the_gm_says():
    one, ana = lucky(points=2)
    one.move(GM, "restore_luck", "", who=[ana], points=3)
    assert luck(one, ana) == 5
    one.move(GM, "restore_luck", "", who=[ana])
    assert luck(one, ana) == 7
    state(one, ana, luck=1)
    one.move(GM, "award", "", **{f"points_{ana}": 2})
    assert luck(one, ana) == 7
    kept, ben = lucky(points=2, options={"luck_return": "gm"})
    kept.move(GM, "award", "", **{f"points_{ben}": 2})
    assert luck(kept, ben) == 2


@rule("toaster.3.luck-return")
def test_luck_can_come_back_with_each_session():
    one, ana = lucky(points=2, options={"luck_return": "session"})
    one.do(GM, c.CloseSession)
    one.do(GM, c.EndSession)
    one.do(GM, c.BeginSession)
    assert luck(one, ana) == 7


@rule("toaster.3.luck-buyback")
def test_luck_is_bought_for_3_experience_a_point():
    one, ana = lucky(points=2, options={"luck_return": "experience"})
    state(one, ana, xp=7)
    with pytest.raises(BadAnswers):
        one.move("ana", "buy_luck", ana, points=3)
    one.move("ana", "buy_luck", ana, points=2)
    assert (luck(one, ana), one.entity(ana).state["xp"]) == (4, 1)
    assert "too little experience" in one.why_not("ana", "buy_luck", ana)
    state(one, ana, xp=9, luck=7)
    assert "all their luck already" in one.why_not("ana", "buy_luck", ana)
    assert "cannot be bought" in lucky()[0].why_not("ana", "buy_luck", ana)


# ---------------------------------------------------------------- luck rolls


@rule("toaster.3.luckroll-switch")
@pytest.mark.parametrize(("face", "outcome"), [(5, "success"), (4, "failure")])
def test_a_luck_roll_settles_a_question(face, outcome):
    one = evening(luck_rolls=True)
    ana = hero(one, "ana", (5, 5, 5, 7))
    card = one.roll(
        "ana", "luck_roll", ana, (face,), gm={"difficulty": "difficult"}, what="Are the keys in?"
    )
    assert card["sides"][0]["parts"] == [["Aura", 7], ["Difficult", -2]]
    assert (card["outcome"], card["lines"][0]["text"]) == (outcome, "Are the keys in?")
    assert as_chance(one.last.throw.odds["success"]) == Fraction(1, 2)
    assert "are off at this table" in evening().why_not("ana", "luck_roll")


@rule("toaster.3.luckroll-switch")
def test_a_fumble_is_doubly_unlucky_and_asks_with_ideas():
    one = evening(luck_rolls=True, rolling_zeros=True)
    ana = hero(one, "ana", (5, 5, 5, 7))
    card = one.roll("ana", "luck_roll", ana, (0, 2))
    assert card["sentence"] == "It turns out against them, and doubly so."
    ask = one.ask("meaning")
    actor = one.actor(GM, ana)
    gm = type(actor)(actor.seat, actor.role, actor.entity, ask.id)
    assert "comes running" in one.named("meaning").fields(one.table, gm, {})[0].help


@rule("toaster.3.luckroll-group")
def test_a_group_rolls_together_or_each_alone():
    one = evening(luck_rolls=True)
    ana, ben = hero(one, "ana", (5, 5, 5, 3)), hero(one, "ben", (5, 5, 5, 7))
    one.move(GM, "luck_of_many", "", (2, 8), who=[ana, ben], how="together")
    assert one.card["sides"][0]["total"] == 7 + 8
    one.move(GM, "luck_of_many", "", (2, 8), who=[ana, ben], how="crowd")
    assert one.card["sides"][0]["total"] == 7 + 2
    one.move(GM, "luck_of_many", "", who=[ana, ben], how="each", difficulty="easy", what="Rain?")
    assert {ask.entity for ask in one.asks("luck_roll")} == {ana, ben}
    card = speak(one, one.ask("luck_roll", ana), (5,))
    assert card["sides"][0]["parts"] == [["Aura", 3], ["Easy", 2]]
    assert card["outcome"] == "success"


@rule("toaster.3.luckroll-cost")
def test_a_lucky_roll_can_use_luck_up():
    one = evening(luck_rolls=True, luck_roll_cost=1)
    ana = hero(one, "ana", (5, 5, 5, 7))
    state(one, ana, luck=7)
    one.roll("ana", "luck_roll", ana, (2,))
    assert luck(one, ana) == 7
    one.roll("ana", "luck_roll", ana, (3,))
    assert luck(one, ana) == 6
    card = one.roll("ana", "luck_roll", ana, (3,))
    assert (card["sides"][0]["parts"], card["outcome"]) == ([["luck left", 6]], "failure")


@rule("toaster.3.call4-before")
@pytest.mark.parametrize(("allowed", "there"), [(False, False), (True, True)])
def test_fours_are_called_on_luck_rolls_only_where_the_table_says_so(allowed, there):
    one = evening(luck_rolls=True, calling_fours=True, fours_luck_roll=allowed)
    ana = hero(one, "ana")
    assert ("called" in {f.name for f in fields(one, "luck_roll", ana)}) is there


def test_what_a_foe_has_left_is_the_gms():
    one = evening(luck_points=True)
    thug = foe(one, "Thug", climb=1)
    task(one, thug, "climb", 3, seat=GM)
    ask = one.ask("task_luck")
    assert ask.entity == thug
    assert speak(one, ask, use="stand")["outcome"] == "failure"


@rule("toaster.3.luck-start")
def test_whoever_is_brought_in_has_the_luck_that_the_sheet_shows():
    one = evening(luck_points=True)
    ana = hero(one, "ana")
    one.move(GM, "npc", preset="bear", name="Bear", count=1, open=True)
    bear = person(list(one.table.entities.values())[-1], one.table)
    assert bear.luck_points == bear.luck_left == bear.attribute("aura") > 0
    asked = fields(one, "attack", bear.id, seat=GM, target=ana)
    assert "luck" in {field.name for field in asked}


@rule("toaster.3.luck-start", "toaster.4.unnamed-out")
def test_whoever_has_no_name_has_no_luck():
    one = evening(luck_points=True)
    one.move(GM, "npc", preset="thug", name="Thug", count=1, named=False, open=True)
    thug = person(list(one.table.entities.values())[-1], one.table)
    assert (thug.luck_points, thug.luck_left) == (0, 0)
