"""Damage of attacks: accumulated stun, wounds, penalties, size, the unnamed."""

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rulesets.toaster.harm.hurting import hurt
from tests.rulesets.toaster.hurting import (
    GM,
    evening,
    foe,
    hero,
    how,
    lines,
    put,
    sheet,
    strike,
    trait,
    wounded,
)
from tests.rulesets.toaster.people import at_table, entity, person, table

rule = pytest.mark.rule


def sized(rank: int, **state):
    traits = (trait("size", rank),) if rank else ()
    return entity(sheet(traits=traits), state=state)


@rule("toaster.4.stun-accumulate")
def test_stun_adds_up_over_attacks():
    one = evening()
    ana = hero(one, "ana")
    for damage in (5, 3, 5):
        strike(one, ana, damage)
    assert how(one, ana) == (13, 2, "awake")


@rule("toaster.4.stun-table", "toaster.4.stun-threshold-size")
@pytest.mark.parametrize(
    ("size", "points", "degree"),
    [
        (0, 4, 0),
        (0, 5, 1),
        (0, 13, 2),
        (0, 24, 4),
        (0, 25, 5),
        (2, 29, 4),
        (2, 30, 5),
        (-2, 19, 4),
        (-2, 20, 5),
        *((size, 12, degree) for size, degree in ((-2, 3), (0, 2), (2, 2))),
        *((size, 11, degree) for size, degree in ((-2, 2), (0, 2), (2, 1))),
    ],
)
def test_degrees_of_stun_by_size(size, points, degree):
    assert person(sized(size, stun=points)).stun_degree == degree


@rule("toaster.4.stun-penalty-all", "toaster.4.stun-table")
@pytest.mark.parametrize(("points", "worth"), [(4, 0), (5, -1), (13, -2), (17, -3), (24, -4)])
def test_the_penalty_of_stun_is_on_every_kind_of_action(points, worth):
    someone = sized(0, stun=points)
    for kind in ("attack", "defence", "skill", "attribute"):
        assert sum(part.value for part in person(someone).modifiers(kind)) == worth


@rule("toaster.4.wounds-per-attack", "toaster.4.wounds-table", "toaster.4.wound-threshold-size")
@pytest.mark.parametrize(
    ("size", "damage", "made"),
    [
        *((0, damage, made) for damage, made in ((4, 0), (5, 1), (9, 1), (10, 2), (19, 3))),
        (0, 26, 5),
        *((-4, damage, made) for damage, made in ((3, 0), (4, 1), (7, 1), (8, 2))),
        *((4, damage, made) for damage, made in ((5, 0), (11, 1), (12, 2), (24, 4))),
        (2, 5, 1),
        (-2, 4, 0),
    ],
)
def test_wounds_of_one_attack_by_size(size, damage, made):
    at = at_table(sized(size))
    hurt(at, at.me, damage)
    assert (at.me.wounds, at.me.stun) == (made, damage)


@rule("toaster.4.wounds-per-attack")
def test_two_light_blows_make_no_wound():
    one = evening()
    ana = hero(one, "ana")
    strike(one, ana, 4)
    strike(one, ana, 4)
    assert how(one, ana) == (8, 0, "awake")


@rule("toaster.4.wounds-unarmed")
@pytest.mark.parametrize(("damage", "made"), [(12, 1), (6, 0), (4, 0), (15, 2)])
def test_fist_and_kick_make_one_wound_fewer_and_stun_as_much(damage, made):
    one = evening()
    ana = hero(one, "ana")
    strike(one, ana, damage, unarmed=True)
    assert how(one, ana)[:2] == (damage, made)


@rule("toaster.4.wounds-penalty", "toaster.4.wounds-penalty-all")
@pytest.mark.parametrize("count", range(1, 5))
def test_each_wound_takes_one_off_every_action(count):
    hurt_one = sized(0, wounds=wounded(count))
    for kind in ("attack", "defence", "skill", "attribute"):
        assert [part.value for part in person(hurt_one).modifiers(kind)] == [-count]


@rule("toaster.4.wounds-penalty-all", "toaster.4.penalty-scope")
def test_two_wounds_make_a_six_and_a_five_a_failure():
    one = evening()
    ana = hero(one, "ana", sheet((6, 6, 6, 6), {"climb": 6}), wounds=wounded(2))
    card = one.roll("ana", "task", ana, (5,), on="skill:climb")
    assert (card["sides"][0]["total"], card["tone"]) == (9, "bad")


@rule("toaster.4.wounds-mental")
@pytest.mark.parametrize(
    ("setting", "stun", "worth"),
    [("full", 0, -3), ("half", 0, -1), ("none", 0, 0), ("none", 5, -1), ("half", 10, -2)],
)
def test_what_is_done_in_the_mind_may_suffer_less_from_wounds(setting, stun, worth):
    mild = table(mental_wound_penalty=setting)
    someone = sized(0, wounds=wounded(3), stun=stun)
    found = person(someone, mild).penalty(mental=True)
    assert (found.value if found else 0) == worth
    assert person(someone, mild).penalty().value == -3


@rule("toaster.4.penalty-worst-of")
@pytest.mark.parametrize(
    ("stun", "count", "worth", "name"),
    [
        (15, 4, -4, "wounds"),
        (20, 1, -4, "stunned"),
        (5, 1, -1, "wound"),
        (10, 0, -2, "battered"),
        (0, 3, -3, "wounds"),
    ],
)
def test_only_the_worse_of_stun_and_wounds_counts(stun, count, worth, name):
    part = person(sized(0, stun=stun, wounds=wounded(count))).penalty()
    assert (part.name, part.value) == (name, worth)


@rule("toaster.4.penalty-worst-of")
def test_the_hale_have_none():
    assert person(sized(0, stun=4)).penalty() is None
    assert person(sized(0)).modifiers() == ()


@rule("toaster.4.stun-unconscious", "toaster.4.stun-table")
def test_at_five_degrees_somebody_drops_and_the_gm_wakes_them():
    one = evening()
    ana = hero(one, "ana", sheet((6, 5, 5, 5)))
    strike(one, ana, 24)
    assert how(one, ana) == (24, 4, "awake")
    one.move(GM, "harm", who=ana, cause="a slap", stun=1)
    assert how(one, ana) == (25, 4, "unconscious")
    assert lines(one) == ["1 stun. Ana is unconscious."]
    assert person(one.entity(ana), one.table).unable.startswith("Ana is unconscious")
    with pytest.raises(RuleRefuses):
        one.move("ana", "medical", ana, patient=ana)
    one.move(GM, "wakes", ana, why="Cold water.")
    assert how(one, ana)[2] == "awake"
    one.move(GM, "harm", who=ana, cause="a slap", stun=1)
    assert how(one, ana) == (26, 4, "unconscious")
    with pytest.raises(RuleRefuses):
        one.move(GM, "wakes", hero(one, "ben"))


@rule("toaster.4.stun-unconscious", "toaster.4.mortality-zero")
def test_nobody_wakes_from_death():
    one = evening()
    ana = hero(one, "ana", sheet((6, 5, 5, 5)))
    strike(one, ana, 25)
    one.answer("ana", one.ask("mortality"), (0,))
    assert how(one, ana) == (25, 5, "dead")
    assert one.why_not(GM, "wakes", ana) == "Ana is not unconscious."


@rule("toaster.4.stun-unconscious", "toaster.4.heal-stun")
def test_when_rest_takes_the_stun_below_five_degrees_the_gm_is_reminded():
    one = evening()
    ana = hero(one, "ana", sheet((3, 5, 5, 5)))
    one.move(GM, "harm", who=ana, cause="a fall", stun=30)
    one.move(GM, "rest", minutes=10)
    assert how(one, ana) == (27, 0, "unconscious")
    assert not one.asks("wakes")
    one.move(GM, "rest", minutes=10)
    assert how(one, ana) == (24, 0, "unconscious")
    one.answer(GM, one.ask("wakes"))
    assert how(one, ana)[2] == "awake"


@rule("toaster.4.stun-unconscious")
def test_nobody_is_asked_about_whom_the_gm_woke_by_hand():
    one = evening()
    ana = hero(one, "ana")
    one.move(GM, "harm", who=ana, cause="a fall", stun=25)
    one.move(GM, "rest", minutes=10)
    assert one.ask("wakes")
    one.move(GM, "wakes", ana)
    assert one.asks() == []


@rule("toaster.4.unnamed-out", "toaster.4.unnamed-mortal")
@pytest.mark.parametrize(
    ("damage", "more", "left"),
    [
        (5, {}, (5, 1, "out")),
        (4, {}, (4, 0, "awake")),
        (9, {"unarmed": True}, (9, 0, "awake")),
        (10, {"unarmed": True}, (10, 1, "out")),
    ],
)
def test_an_unnamed_one_is_out_with_one_wound(damage, more, left):
    one = evening(unnamed_characters=True)
    thug = foe(one, kind="unnamed", built=sheet(named=False), name="Thug")
    strike(one, thug, damage, **more)
    assert how(one, thug) == left
    assert len(one.asks("unnamed", thug)) == (left[2] == "out")


@rule("toaster.4.unnamed-out")
def test_stun_alone_knocks_the_unnamed_out_as_anybody():
    one = evening(unnamed_characters=True)
    thug = foe(one, kind="unnamed", built=sheet(named=False), name="Thug")
    one.move(GM, "harm", who=thug, cause="gas", stun=25)
    assert how(one, thug) == (25, 0, "unconscious")


@rule("toaster.4.unnamed-out")
def test_people_with_names_and_tables_without_the_option_keep_to_the_ordinary_rules():
    one = evening(unnamed_characters=True)
    serk = foe(one, sheet(named=True), name="Serk")
    strike(one, serk, 5)
    assert how(one, serk) == (5, 1, "awake")
    one = evening()
    thug = foe(one, kind="unnamed", built=sheet(named=False), name="Thug")
    strike(one, thug, 5)
    assert how(one, thug) == (5, 1, "awake")


@rule("toaster.4.unnamed-mortal")
@pytest.mark.parametrize(("fate", "left"), [("out", "out"), ("mortal", "mortal"), ("dead", "dead")])
def test_the_gm_says_how_badly_and_it_is_recorded(fate, left):
    one = evening(unnamed_characters=True)
    thug = foe(one, kind="unnamed", built=sheet(named=False), name="Thug")
    strike(one, thug, 12)
    one.answer(GM, one.ask("unnamed"), fate=fate, why="A halberd.")
    assert how(one, thug)[2] == left
    assert "A halberd." in one.card["sentence"]
    assert len(one.asks("mortality", thug)) == (fate == "mortal")
    if fate == "mortal":
        one.answer(GM, one.ask("mortality"), (5,))
        assert one.card["sides"][0]["total"] == 9


@rule("toaster.4.wounds-penalty")
def test_wounds_besides_damage_and_on_the_dead():
    one = evening()
    ana = hero(one, "ana")
    fields = one.named("harm").fields(one.table, one.actor(GM), {})
    numbers = [field.name for field in fields if field.name not in {"who", "cause"}]
    assert numbers == ["damage", "stun", "wounds", "unarmed"]
    one.move(GM, "harm", who=ana, cause="a bear trap", damage=6, wounds=1)
    assert how(one, ana) == (6, 2, "awake")
    put(one, ana, condition="dead")
    at = at_table(one.entity(ana), one.table)
    assert (hurt(at, at.me, 12).sentence, at.changes) == ("Ana is dead already.", {})


@rule("toaster.4.stun-accumulate")
def test_harm_without_any_amount_is_refused_in_a_sentence():
    one = evening()
    ana = hero(one, "ana")
    with pytest.raises(Exception, match="Enter damage, stun or wounds"):
        strike(one, ana, 0)
    at = at_table(one.entity(ana), one.table)
    assert (hurt(at, at.me, -3).sentence, at.changes) == ("No damage.", {})


@rule("toaster.4.wounds-penalty")
def test_wounds_healed_by_hand_are_counted_and_no_more_than_there_are():
    one = evening()
    mine = hero(one, "ana", sheet())
    put(one, mine, wounds=wounded(3))
    strike(one, mine, wounds=-2)
    assert (how(one, mine)[1], lines(one)) == (1, ["2 wounds healed, 1 left."])
    with pytest.raises(BadAnswers, match="Ana has 1 wound; no more than that can heal"):
        strike(one, mine, wounds=-2)
    strike(one, mine, wounds=-1, stun=1)
    assert (how(one, mine)[:2], lines(one)) == ((1, 0), ["1 wound healed, 0 left.", "1 stun."])
