"""Opposed actions as they are played: two sides, rivals, many, races, onlookers, ties."""

from fractions import Fraction

import pytest

from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.throws import as_chance
from kitchentable.rules.errors import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import contest, evening, fields, foe, hero, many, speak

rule = pytest.mark.rule


@pytest.fixture
def one():
    return evening()


@rule("toaster.3.opposed-skills", "toaster.3.opposed-rolls")
def test_each_side_has_its_own_skill_die_and_modifiers(one):
    ana, ben = hero(one, "ana", stealth=7), hero(one, "ben", perception=5)
    gm = {"other_difficulty": "challenging"}
    card = contest(one, ana, ben, (3, 5), gm=gm, on="skill:stealth", other_on="skill:perception")
    first, second = card["sides"]
    assert (first["parts"], first["total"]) == ([["Stealth", 6]], 9)
    assert (second["parts"], second["total"]) == ([["Perception", 5], ["Challenging", -1]], 9)
    assert card["outcome"] == "tie"


@rule("toaster.3.opposed-highest", "toaster.3.difficulty-opposed-scale")
def test_the_higher_total_wins_and_need_not_reach_10(one):
    ana, ben = hero(one, "ana", (5, 5, 5, 5), act=1), hero(one, "ben", empathy=0)
    asked = {"on": "skill:act", "other_on": "skill:empathy"}
    card = contest(one, ana, ben, (2, 1), **asked)
    assert ([side["total"] for side in card["sides"]], card["outcome"]) == ([5, 3], "wins")
    assert as_chance(one.last.throw.odds["won"]) == Fraction(55, 100)
    hard = contest(one, ana, ben, (4, 2), gm={"difficulty": "difficult"}, **asked)
    assert hard["sides"][0]["parts"][1] == ["Difficult", -2]


@pytest.mark.parametrize(
    ("skill", "usual"),
    [
        pytest.param("act", "empathy", marks=rule("toaster.2.skill-act-vs-empathy")),
        pytest.param("bargain", "bargain", marks=rule("toaster.2.skill-bargain-opposed")),
        pytest.param("empathy", "act", marks=rule("toaster.2.skill-empathy-modes")),
        pytest.param("perception", "stealth", marks=rule("toaster.2.skill-perception-opposed")),
        pytest.param("stealth", "perception", marks=rule("toaster.2.skill-stealth-opposed")),
        pytest.param("question", "empathy", marks=rule("toaster.2.skill-question-vs-empathy")),
        pytest.param("track", "track", marks=rule("toaster.2.skill-track-opposed")),
        pytest.param("run", "run", marks=rule("toaster.2.skill-run-race")),
        pytest.param("swim", "swim", marks=rule("toaster.2.skill-swim-race")),
        pytest.param(
            "sleight-of-hand", "perception", marks=rule("toaster.2.skill-sleight-opposed")
        ),
    ],
)
def test_what_usually_meets_a_skill_stands_there_to_begin_with(one, skill, usual):
    ana, ben = hero(one, "ana"), hero(one, "ben")
    asked = fields(one, "contest", ana, other=ben, on=f"skill:{skill}")
    assert next(f for f in asked if f.name == "other_on").default == f"skill:{usual}"


@rule("toaster.2.skill-act-vs-empathy", "toaster.2.skill-stealth-opposed")
@pytest.mark.parametrize(("skill", "usual"), [("act", "empathy"), ("stealth", "perception")])
def test_where_the_usual_skill_is_struck_out_the_same_skill_stands_there(one, skill, usual):
    ana, ben = hero(one, "ana"), hero(one, "ben")
    one.move(GM, "edit_table", table="skills", row=usual, column="gone")
    asked = fields(one, "contest", ana, other=ben, on=f"skill:{skill}")
    assert next(f for f in asked if f.name == "other_on").default == f"skill:{skill}"


@pytest.mark.parametrize(
    ("ours", "theirs", "bases", "faces", "outcome"),
    [
        pytest.param(
            "act", "empathy", (7, 5), (4, 6), "loses", marks=rule("toaster.2.skill-act-vs-empathy")
        ),
        pytest.param(
            "bargain",
            "bargain",
            (5, 9),
            (6, 3),
            "wins",
            marks=rule("toaster.2.skill-bargain-opposed"),
        ),
        pytest.param(
            "perception",
            "stealth",
            (5, 7),
            (7, 5),
            "wins",
            marks=rule("toaster.2.skill-perception-opposed"),
        ),
        pytest.param(
            "stealth",
            "perception",
            (7, 5),
            (2, 4),
            "loses",
            marks=rule("toaster.2.skill-stealth-opposed"),
        ),
        pytest.param(
            "question",
            "empathy",
            (5, 9),
            (5, 3),
            "tie",
            marks=rule("toaster.2.skill-question-vs-empathy"),
        ),
        pytest.param(
            "track", "track", (5, 7), (5, 3), "wins", marks=rule("toaster.2.skill-track-opposed")
        ),
    ],
)
def test_contests_of_the_books_examples(one, ours, theirs, bases, faces, outcome):
    ana = hero(one, "ana", **{ours: bases[0]})
    ben = hero(one, "ben", **{theirs: bases[1]})
    asked = {"on": f"skill:{ours}", "other_on": f"skill:{theirs}"}
    assert contest(one, ana, ben, faces, **asked)["outcome"] == outcome


@rule("toaster.3.opposed-skills")
def test_the_other_side_is_its_owners(one):
    ana, ben = hero(one, "ana"), hero(one, "ben")
    with pytest.raises(NotAllowed):
        one.propose("ana", "contest", ana, other=ben, other_on="skill:run")


@rule("toaster.3.parallel-contest")
@pytest.mark.parametrize(
    ("faces", "outcome"),
    [((4, 7), "loses"), ((4, 3), "nobody"), ((5, 8), "loses"), ((6, 6), "tie")],
)
def test_rivals_side_by_side(one, faces, outcome):
    ana, ben = hero(one, "ana"), hero(one, "ben")
    asked = {"on": "attribute:aura", "other_on": "attribute:aura"}
    card = contest(one, ana, ben, faces, gm={"kind": "parallel"}, **asked)
    assert card["outcome"] == outcome
    assert "toaster.3.parallel-contest" in card["rules"]


@rule("toaster.3.difficulty-opposed-one-side")
def test_one_disadvantage_counts_once(one):
    ana, ben = hero(one, "ana"), hero(one, "ben")
    both = {"difficulty": "very-difficult", "other_difficulty": "very-easy"}
    asked = fields(one, "contest", ana, other=ben, **both)
    assert "counts once" in next(f for f in asked if f.name == "other_difficulty").help
    alone = fields(one, "contest", ana, other=ben, difficulty="very-difficult")
    assert next(f for f in alone if f.name == "other_difficulty").help == ""


@rule("toaster.3.opposed-multi")
def test_of_many_the_highest_has_it_and_equals_tie(one):
    people = [hero(one, name, (5, 5, 5, 5)) for name in ("ana", "ben")] + [foe(one, "Cid")]
    on = {f"on.{who}": "attribute:coordination" for who in people}
    assert many(one, people, (4, 7, 6), **on)["sentence"] == "Ben wins."
    card = many(one, people, (7, 7, 4), **on)
    assert (card["outcome"], card["sentence"]) == ("tie", "A tie between Ana and Ben.")
    assert sum(as_chance(share) for share in one.last.throw.odds.values()) == 1


@rule("toaster.2.skill-run-race", "toaster.2.skill-run-modifiers")
def test_a_race_has_an_order_at_the_end(one):
    people = [
        hero(one, "ana", run=5),
        hero(one, "ben", (5, 6, 5, 5), run=6),
        foe(one, "Cid", (5, 7, 5, 5), run=7),
    ]
    asked = fields(one, "contest_of_many", seat=GM, kind="race", who=people)
    assert next(f for f in asked if f.name == f"on.{people[0]}").default == "skill:run"
    card = many(one, people, (6, 4, 2), kind="race")
    assert card["lines"][0]["text"] == "At the end: 1. Ana, 2. Ben, 3. Cid."
    started = {f"circumstances.{people[2]}": ["head-start"]}
    card = many(one, people, (6, 4, 2), kind="race", **started)
    assert card["sides"][2]["parts"] == [["Run", 7], ["a head start", 2]]
    assert card["lines"][0]["text"] == "At the end: 1. Ana and Cid, 2. Ben."


@rule("toaster.2.skill-swim-race")
def test_a_shark_swims_better(one):
    ana, shark = hero(one, "ana", swim=5), foe(one, "Shark", swim=5)
    on = {f"on.{ana}": "skill:swim", f"on.{shark}": "skill:swim"}
    fin = {f"circumstances.{shark}": ["native"]}
    card = many(one, [ana, shark], (5, 3), kind="race", **on, **fin)
    assert card["lines"][0]["text"] == "At the end: 1. Shark, 2. Ana."


@rule("toaster.2.skill-sleight-opposed")
def test_one_throw_against_each_who_looks_on(one):
    thief = hero(one, "ana", sleight_of_hand=7)
    crowd = [foe(one, name, perception=5) for name in ("Bob", "Cid", "Dan")]
    on = {f"on.{thief}": "skill:sleight-of-hand"}
    card = many(one, [thief, *crowd], (5, 4, 7, 5), kind="onlookers", first=thief, **on)
    assert [side["total"] for side in card["sides"]] == [11, 9, 12, 10]
    assert (card["outcome"], card["sentence"]) == ("noticed", "Cid notices.")
    hidden = many(one, [thief, *crowd], (5, 4, 6, 5), kind="onlookers", first=thief, **on)
    assert hidden["sentence"] == "Nobody notices."
    assert hidden["lines"][0]["text"] == "It is even for Cid; the GM says."


@rule("toaster.3.marginal-opposed", "toaster.2.skill-sleight-opposed")
def test_a_lead_of_one_is_even_for_onlookers_where_outcomes_vary():
    one = evening(variable_outcomes=True)
    thief = hero(one, "ana", sleight_of_hand=5)
    crowd = [foe(one, name, perception=5) for name in ("Bob", "Cid", "Dan")]
    on = {f"on.{thief}": "skill:sleight-of-hand"}
    card = many(one, [thief, *crowd], (5, 6, 4, 7), kind="onlookers", first=thief, **on)
    assert card["sentence"] == "Dan notices."
    assert card["lines"][0]["text"] == "It is even for Bob and Cid; the GM says."


def test_a_contest_of_many_takes_two(one):
    ana = hero(one, "ana")
    hero(one, "ben")
    with pytest.raises(BadAnswers, match="at least two"):
        many(one, [ana], ())


# ---------------------------------------------------------------- ties


def tied(options=None, ranks=(5, 5), faces=(5, 5)):
    one = evening(**(options or {}))
    ana = hero(one, "ana", (5, ranks[0], 5, 3))
    ben = hero(one, "ben", (5, ranks[1], 5, 7))
    asked = {"on": "attribute:coordination", "other_on": "attribute:coordination"}
    return one, contest(one, ana, ben, faces, **asked)


@rule("toaster.3.opposed-tie", "toaster.3.tiebreak-choice")
def test_a_tie_is_nobodys_and_asks_the_gm():
    one, card = tied()
    assert (card["outcome"], card["sentence"]) == ("tie", "A tie between Ana and Ben.")
    assert card["rules"][-1] == "toaster.3.opposed-tie"
    ask = one.ask("tie")
    assert ask.to == ("gm",)
    ways = [c.value for c in one.named("tie").fields(one.table, answering(one, ask), {})[0].choices]
    assert ways == ["nobody", "luck", "do-over", "other:0", "other:1"]
    one.answer(GM, ask, way="nobody", note="They stand eye to eye.")
    assert (one.card["outcome"], one.asks()) == ("draw", [])
    drawn, _ = tied({"tiebreaker": "draw"})
    assert drawn.asks() == []


def answering(one, ask):
    actor = one.actor(GM, ask.entity)
    return type(actor)(actor.seat, actor.role, actor.entity, ask.id)


@rule("toaster.3.tiebreak-highest", "toaster.3.marginal-opposed")
def test_the_higher_total_breaks_a_draw_but_no_tie():
    draw = {"variable_outcomes": True}
    one, card = tied(draw, faces=(6, 5))
    assert (card["outcome"], card["sentence"]) == ("draw", "A draw, with Ana ahead by 1.")
    one.answer(GM, one.ask("tie"), way="highest-roll")
    assert one.card["sentence"] == "Ana wins, by the higher total."
    one, card = tied({**draw, "tiebreaker": "highest-roll"}, faces=(6, 5))
    assert (card["outcome"], card["lines"][-1]["text"]) == (
        "wins",
        "Ana wins: by the higher total.",
    )
    one, card = tied({"tiebreaker": "highest-roll"})
    assert card["outcome"] == "tie"
    assert one.asks("tie")


@rule("toaster.3.tiebreak-rank")
def test_the_higher_rank_breaks_a_tie_and_equal_ranks_do_not():
    one, card = tied({"tiebreaker": "skill-rank"}, ranks=(6, 4), faces=(4, 6))
    assert card["outcome"] == "wins"
    one, card = tied({"tiebreaker": "skill-rank"})
    assert card["outcome"] == "tie"
    assert one.asks("tie")


@rule("toaster.3.tiebreak-luck")
def test_luck_spent_breaks_a_tie_and_then_luck_left():
    assert tied({"tiebreaker": "luck"})[1]["outcome"] == "loses"
    one = evening(tiebreaker="luck", luck_points=True)
    ana, ben = hero(one, "ana"), hero(one, "ben")
    asked = {"on": "attribute:aura", "other_on": "attribute:aura"}
    contest(one, ana, ben, (3, 5), luck=2, theirs={"other_luck": 1}, **asked)
    for _ in range(2):
        speak(one, one.asks("contest_luck")[0], use="stand")
    assert one.card["outcome"] == "wins"
    assert "toaster.3.tiebreak-choice" in one.card["rules"]


@rule("toaster.3.tiebreak-doover")
def test_a_do_over_goes_on_until_somebody_is_ahead():
    one, _ = tied()
    one.answer(GM, one.ask("tie"), (4, 4, 3, 3, 6, 2), way="do-over")
    assert one.card["sentence"] == "Ana wins."
    assert [side["total"] for side in one.card["sides"]] == [11, 7]
    assert as_chance(one.last.throw.odds["0"]) == Fraction(1, 2)
    one, _ = tied()
    more = {"on__0": "skill:climb", "more__1": -2}
    one.answer(GM, one.ask("tie"), (5, 2), way="do-over", **more)
    assert [side["parts"] for side in one.card["sides"]] == [
        [["Climb", 2]],
        [["Coordination", 5], ["as before", -2]],
    ]
    assert one.card["outcome"] == "wins"


@rule("toaster.3.tiebreak-choice")
def test_the_table_has_a_way_of_its_own():
    one, _ = tied({"tiebreaker": "other", "tiebreaker_own": "Players win."})
    ask = one.ask("tie")
    field = one.named("tie").fields(one.table, answering(one, ask), {})[0]
    assert field.help == "Players win."
    one.answer(GM, ask, way="other:1")
    assert (one.card["sentence"], one.card["outcome"]) == ("Ben wins, by the GM's word.", "loses")


# ---------------------------------------------------------------- variable outcomes, zeros


@rule("toaster.3.vo-opposed-mirror", "toaster.3.critical-once")
def test_a_critical_is_rewarded_or_the_fumble_punished_not_both():
    one = evening(variable_outcomes=True)
    ana, thug = hero(one, "ana", (5, 5, 5, 5)), foe(one, "Thug")
    asked = {"on": "attribute:aura", "other_on": "attribute:aura"}
    card = contest(one, ana, thug, (9, 3), **asked)
    assert [side["word"] for side in card["sides"]] == ["critical", "fumble"]
    (ask,) = one.asks()
    assert (ask.move, ask.entity, ask.preset["band"]) == ("meaning", ana, "critical")
    one.answer(GM, ask, swap=True, text="He drops his purse.")
    assert (one.card["outcome"], one.card["entity"]) == ("fumble", thug)
    card = contest(one, ana, thug, (8, 3), **asked)
    assert [side["word"] for side in card["sides"]] == ["success", "failure"]
    assert one.asks() == []


@rule("toaster.3.zeros-opposed")
def test_who_throws_a_zero_loses_to_any_other_total():
    one = evening(rolling_zeros=True)
    ana, ben = hero(one, "ana", (5, 9, 5, 5)), hero(one, "ben", (5, 3, 5, 5))
    asked = {"on": "attribute:coordination", "other_on": "attribute:coordination"}
    card = contest(one, ana, ben, (0, 4, 2), **asked)
    assert card["sentence"] == "Ben wins."
    assert "toaster.3.zeros-opposed" in card["rules"]
    assert one.asks("meaning") == []
    both = contest(one, ana, ben, (0, 0, 8, 1), **asked)
    assert (both["outcome"], both["sentence"]) == ("nobody", "Nobody succeeds.")


# ---------------------------------------------------------------- working together


@rule(
    "toaster.3.collab-gm",
    "toaster.3.collab-best",
    "toaster.3.collab-too-many-cooks",
    "toaster.3.collab-min-rank",
    "toaster.3.collab-gap",
    "toaster.3.collab-max-helpers",
)
@pytest.mark.parametrize(
    ("ranks", "gm", "faces", "total"),
    [
        ((6, 4, 5), {}, (2, 5, 8), 14),
        ((6, 4, 5), {"effect": "too-many"}, (2, 5, 8), 8),
        ((6, 4, 5), {"effect": "none"}, (3,), 9),
        ((6, 3, 2), {"min_rank": 4}, (2,), 8),
        ((7, 5, 4), {"max_gap": 2}, (1, 3), 10),
    ],
)
def test_the_best_rank_and_one_die_of_all(ranks, gm, faces, total):
    one = evening(collaboration=True)
    ana, ben, cid = (
        hero(one, "ana", (5, ranks[0], 5, 5)),
        hero(one, "ben", (5, ranks[1], 5, 5)),
        foe(one, "Cid", (5, ranks[2], 5, 5), open=True),
    )
    card = one.roll(
        "ana", "together", ana, faces, gm=gm, on="attribute:coordination", helpers=[ben, cid]
    )
    assert card["sides"][0]["total"] == total


@rule("toaster.3.collab-max-helpers", "toaster.3.collab-gm")
def test_only_so_many_fit_round_a_door():
    one = evening(collaboration=True, collab_max_helpers=2)
    ana, ben, cid = hero(one, "ana"), hero(one, "ben"), foe(one, "Cid", open=True)
    with pytest.raises(BadAnswers, match="Only 2 can work on this"):
        one.roll("ana", "together", ana, (1,), on="attribute:physique", helpers=[ben, cid])
    off = evening()
    assert "is off at this table" in off.why_not("ana", "together", hero(off, "ana"))


@rule("toaster.3.collab-extended")
def test_the_die_that_is_used_alone_can_be_a_zero():
    one = evening(collaboration=True, rolling_zeros=True)
    ana, ben = hero(one, "ana", (5, 6, 5, 5)), hero(one, "ben")
    asked = {"on": "attribute:coordination", "helpers": [ben]}
    assert one.roll("ana", "together", ana, (0, 6), **asked)["outcome"] == "success"
    crowd = one.roll("ana", "together", ana, (0, 6, 7, 8), gm={"effect": "too-many"}, **asked)
    assert crowd["outcome"] == "failure"


@rule("toaster.2.skill-sleight-opposed", "toaster.3.luck-after-plus1")
def test_of_onlookers_only_who_notices_nothing_is_asked_for_luck():
    one = evening(luck_points=True)
    thief, ben, cleo = hero(one, "ana"), hero(one, "ben"), foe(one, "Cleo")
    on = {f"on.{who}": "attribute:aura" for who in (thief, ben, cleo)}
    many(one, [thief, ben, cleo], (3, 6, 2), kind="onlookers", first=thief, **on)
    assert one.ask("contest_luck").entity == thief
    speak(one, one.ask("contest_luck"), use="stand")
    assert one.ask("contest_luck").entity == cleo
    assert speak(one, one.ask("contest_luck"), use="stand")["sentence"] == "Ben notices."


@rule("toaster.3.marginal-opposed", "toaster.3.luck-reroll")
@pytest.mark.parametrize(("varies", "chance"), [(False, 5), (True, 4)])
def test_a_die_thrown_again_has_to_lead_by_two_where_outcomes_vary(varies, chance):
    one = evening(luck_points=True, variable_outcomes=varies)
    ana, ben = hero(one, "ana", climb=5), hero(one, "ben", climb=5)
    contest(one, ana, ben, (1, 4), on="skill:climb", other_on="skill:climb")
    one.answer("ana", one.ask("contest_luck"), (9,), use="again")
    assert as_chance(one.last.throw.odds["success"]) == Fraction(chance, 10)


@rule("toaster.3.luck-reroll", "toaster.2.skill-sleight-opposed")
def test_an_onlookers_die_thrown_again_has_to_beat_the_one_looked_at():
    one = evening(luck_points=True)
    thief, ana, ben = foe(one, "Thief", open=True), hero(one, "ana"), hero(one, "ben")
    many(one, [thief, ana, ben], (5, 1, 9), kind="onlookers", first=thief)
    speak(one, one.ask("contest_luck", thief), use="stand")
    speak(one, one.ask("contest_luck", ana), (9,), use="again")
    assert as_chance(one.last.throw.odds["success"]) == Fraction(4, 10)
