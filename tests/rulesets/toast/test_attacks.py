"""Attacks and wounds: hits, misses, going down, and the decision about life."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import FLUB, KICK, evening, foe, hero

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening()


def strike(one, who, target, faces, seat="ana", **answers):
    return one.roll(seat, "attack", who, faces, **{"target": target, "trait": "aim", **answers})


def hits(one, who, target, times, seat="ana"):
    for _ in range(times):
        strike(one, who, target, (10, 1), seat)


def wounds(one, who):
    return one.entity(who).state["wounds"]


def state(one, who):
    return one.entity(who).state["condition"]


@rule("toast.7.2-attack-contest", "toast.7.3-hit-wound")
def test_the_higher_result_hits_for_one_wound(table):
    mara, serk = hero(table, "ana", aim=6), foe(table, kind="nemesis", defense=6)
    card = strike(table, mara, serk, (5, 4))
    assert [side["total"] for side in card["sides"]] == [11, 10]
    assert (card["outcome"], card["sentence"]) == ("hit", "Hit. One wound.")
    assert strike(table, mara, serk, (4, 5))["outcome"] == "miss"
    assert wounds(table, serk) == 1


@rule("toast.7.3-hit-wound")
@pytest.mark.parametrize("faces", [(10, 1), (KICK, FLUB), (KICK, 3), (2, FLUB)])
def test_no_hit_is_more_than_one_wound(table, faces):
    mara, serk = hero(table, "ana", aim=12), foe(table, kind="nemesis")
    assert strike(table, mara, serk, faces)["outcome"] == "hit"
    assert wounds(table, serk) == 1


@rule("toast.7.2-attack-trait")
def test_one_attacks_with_aim_or_attack_and_a_perk(table):
    mara = hero(table, "ana", "Good with rifles", aim=4)
    serk = foe(table, kind="nemesis")
    move, actor = table.named("attack"), table.actor("ana", mara)
    field = next(one for one in move.fields(table.table, actor, {}) if one.name == "trait")
    assert [one.value for one in field.choices] == ["aim", "attack"]
    card = strike(table, mara, serk, (5, 1), perk="Good with rifles")
    assert card["sides"][0]["total"] == 12
    with pytest.raises(BadAnswers):
        table.propose("ana", "attack", mara, target=serk, trait="knowing")


@rule("toast.7.2-defense-trait")
def test_one_answers_with_defense_and_a_perk(table):
    serk = foe(table, attack=3)
    mara = hero(table, "ana", "Heavy armour", defense=2)
    roll = table.propose(GM, "attack", serk, target=mara, trait="attack")
    table.do("ana", c.Settle, proposal=roll, answers={"defense_perk": "Heavy armour"})
    table.do(GM, c.Throw, (4, 6), proposal=roll)
    side = table.card["sides"][1]
    assert (side["parts"], side["total"]) == ([["Defense", 2], ["perk: Heavy armour", 3]], 11)


@rule("toast.7.2-tie-miss")
def test_a_tie_misses_and_nobody_is_asked(table):
    mara, serk = hero(table, "ana", aim=4), foe(table, defense=4)
    card = strike(table, mara, serk, (7, 7))
    assert (card["outcome"], wounds(table, serk), table.asks()) == ("miss", 0, [])
    assert "toast.7.2-tie-miss" in card["rules"]


@rule("toast.7.2-double-special-miss")
@pytest.mark.parametrize("face", [FLUB, KICK])
def test_two_of_a_kind_miss_and_something_happens(table, face):
    mara, serk = hero(table, "ana", aim=9), foe(table)
    card = strike(table, mara, serk, (face, face))
    assert (card["outcome"], wounds(table, serk)) == ("miss", 0)
    assert [ask.move for ask in table.asks()] == ["twist"]


@rule("toast.7.2-unaware")
def test_who_does_not_see_it_coming_defends_all_the_same():
    table = evening(settings={"gm_confirms": "each"})
    mara, serk = hero(table, "ana", aim=1), foe(table, defense=9)
    card = table.roll(
        "ana", "attack", mara, (10, 3), gm={"surprise": True}, target=serk, trait="aim"
    )
    assert card["sides"][1]["parts"] == [["Defense", 9]]
    assert card["outcome"] == "miss"
    assert "toast.7.2-unaware" not in {option.field.rule for option in table.game.options}
    one = evening()
    ana, guard = hero(one, "ana", defense=5, initiative=1), foe(one, aim=1)
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", (FLUB, 5))
    card = strike(one, guard, ana, (5, 4), GM)
    assert card["sides"][1]["total"] == 9


@rule("toast.7.3-capacity", "toast.7.3-down", "toast.7.3-wound-cap", "toast.7.3-pc-unconscious")
def test_a_players_character_falls_to_the_fourth_wound_and_is_unconscious(table):
    mara, serk = hero(table, "ana"), foe(table, aim=9)
    hits(table, serk, mara, 3, GM)
    assert (wounds(table, mara), state(table, mara)) == (3, "awake")
    assert table.why_not("ana", "task", mara) is None
    hits(table, serk, mara, 1, GM)
    assert (wounds(table, mara), state(table, mara)) == (4, "unconscious")
    assert table.asks("fate") == []
    for _ in range(2):
        gm = {"helpless": "hits"}
        table.roll(GM, "attack", serk, (), target=mara, trait="aim", gm=gm, **gm)
    assert (wounds(table, mara), state(table, mara)) == (4, "unconscious")


CLASSES = [
    ("toast.7.4-wounds-pc", "pc", 4),
    ("toast.7.4-wounds-nemesis", "nemesis", 4),
    ("toast.7.4-wounds-lieutenant", "lieutenant", 3),
    ("toast.7.4-wounds-elite-minion", "elite-minion", 2),
    ("toast.7.4-wounds-minion", "minion", 1),
]


@rule(*(one[0] for one in CLASSES), "toast.7.3-capacity", "toast.7.3-down", "toast.7.3-wound-cap")
@pytest.mark.parametrize(("cited", "kind", "most"), CLASSES)
@pytest.mark.parametrize("more", [0, 1])
def test_wounds_by_importance_and_by_the_tables_own_numbers(cited, kind, most, more):
    key = f"wounds_{kind.replace('-', '_')}"
    table = evening(**({key: most + more} if more else {}))
    serk = foe(table, aim=9)
    target = hero(table, "ben") if kind == "pc" else foe(table, kind=kind, name="Target")
    assert cited in table.game.rulebook
    hits(table, serk, target, most + more - 1, GM)
    assert state(table, target) == "awake"
    hits(table, serk, target, 1, GM)
    assert state(table, target) != "awake"
    table.move(GM, "hurt", who=target, cause="the fall")
    assert wounds(table, target) == most + more


@rule("toast.7.4-monster", "toast.7.3-wound-cap")
def test_a_monster_has_wounds_of_its_own(table):
    mara, beast = hero(table, "ana", aim=9), foe(table, kind="nemesis", capacity=7)
    hits(table, mara, beast, 6)
    assert (wounds(table, beast), state(table, beast)) == (6, "awake")
    hits(table, mara, beast, 1)
    assert (wounds(table, beast), state(table, beast)) == (7, "down")
    table.move(GM, "hurt", who=beast, cause="the cliff")
    table.move(GM, "hurt", who=beast, cause="the rocks")
    assert wounds(table, beast) == 7


DOWN = ("toast.7.3-down", "toast.7.3-wound-cap")


@rule(*DOWN, "toast.7.4-importance-story")
def test_who_has_as_many_wounds_as_a_lower_importance_takes_goes_down(table):
    mara = hero(table, "ana", initiative=9)
    guard, cook = foe(table, kind="lieutenant", name="Guard"), foe(table, kind="nemesis")
    table.move(GM, "fight")
    table.move(GM, "initiative_all", "", (10, 9, 6))
    for target, count in ((guard, 2), (cook, 1)):
        table.move(GM, "hurt", who=target, wounds=count, cause="the fall")
    table.move("ana", "end_turn", mara)
    assert table.table.fight["turn"] == guard
    table.move(GM, "importance", guard, importance="minion")
    assert (wounds(table, guard), state(table, guard)) == (1, "down")
    assert table.card["sentence"] == "Goes down at 1 wound, not at 3. Guard goes down."
    assert "toast.7.3-down" in table.card["rules"]
    assert table.table.fight["fighters"][guard]["status"] == "out"
    assert table.table.fight["turn"] == cook
    assert table.ask("fate", guard).to == ("gm",)
    table.move(GM, "importance", cook, importance="elite-minion")
    assert (wounds(table, cook), state(table, cook)) == (1, "awake")
    table.move(GM, "importance", guard, importance="nemesis")
    assert (wounds(table, guard), state(table, guard)) == (1, "down")
    assert table.asks("fate", cook) == []


@rule(*DOWN)
def test_who_has_as_many_wounds_as_the_table_now_allows_goes_down(table):
    mara, tam = hero(table, "ana", initiative=9), hero(table, "ben")
    guard, wolf = (
        foe(table, kind="lieutenant", name=name, hidden=name == "Wolf")
        for name in ("Guard", "Wolf")
    )
    table.move(GM, "fight")
    table.move(GM, "initiative_all", "", (10, 2, 9))
    for target, count in ((mara, 3), (tam, 2), (guard, 2), (wolf, 2)):
        table.move(GM, "hurt", who=target, wounds=count, cause="the fall")
    assert table.table.fight["turn"] == mara
    fewer = {"wounds_pc": 3, "wounds_lieutenant": 1}
    said = table.do(GM, c.SetOptions, options=fewer)
    assert [(wounds(table, who), state(table, who)) for who in (mara, tam, guard, wolf)] == [
        (3, "unconscious"),
        (2, "awake"),
        (1, "down"),
        (1, "down"),
    ]
    assert [table.ask("fate", who).to for who in (guard, wolf)] == [("gm",), ("gm",)]
    assert table.asks("fate", mara) == []
    assert table.table.fight["turn"] == tam
    told = repr(entry_for(table.campaign, said, "ana"))
    assert "Ana goes down: unconscious." in told
    assert "Guard goes down." in told
    assert "Wolf" not in told


@rule("toast.7.3-wound-cap")
def test_first_aid_holds_when_the_table_lowers_the_wounds(table):
    mara, tam = hero(table, "ana"), hero(table, "ben")
    table.move(GM, "hurt", who=mara, wounds=4, cause="the fall")
    table.move("ben", "first_aid", tam, patient=mara)
    table.do(GM, c.SetOptions, options={"tone": "grim"})
    assert (wounds(table, mara), state(table, mara)) == (4, "awake")
    table.do(GM, c.SetOptions, options={"wounds_pc": 3})
    assert (wounds(table, mara), state(table, mara)) == (3, "awake")
    table.move(GM, "hurt", who=mara, cause="the stairs")
    assert (wounds(table, mara), state(table, mara)) == (3, "unconscious")


@rule("toast.7.3-turn-lost")
def test_who_is_down_has_no_turn_and_the_others_keep_theirs(table):
    mara = hero(table, "ana", aim=9, initiative=9)
    tam, guard = hero(table, "ben"), foe(table, name="Guard")
    cook = foe(table, name="Cook")
    table.move(GM, "fight")
    table.move(GM, "initiative_all", "", (10, 2, 9, 6))
    assert table.table.fight["order"] == [mara, guard, cook, tam]
    strike(table, mara, guard, (10, 1))
    assert table.table.fight["order"] == [mara, guard, cook, tam]
    assert table.table.fight["turn"] == cook


@rule("toast.7.3-npc-deadly", "toast.7.3-final-blow", "toast.7.3-npc-unconscious")
def test_the_players_decide_and_who_struck_last_has_the_final_say(table):
    mara, serk = hero(table, "ana", aim=9), foe(table)
    hits(table, mara, serk, 1)
    assert state(table, serk) == "down"
    ask = table.ask("fate")
    assert ask.to == ("players",)
    with pytest.raises((NotAllowed, CannotBe)):
        table.answer(GM, ask, answer="deadly")
    table.answer("ben", ask, answer="deadly")
    assert state(table, serk) == "down"
    assert table.ask("fate").votes == {"ben": "deadly"}
    table.answer("ana", table.ask("fate"), answer="spare")
    assert state(table, serk) == "unconscious"
    assert table.asks("fate") == []


@rule("toast.7.3-npc-dies")
def test_deadly_force_kills_and_no_aid_is_offered(table):
    mara, serk = hero(table, "ana", aim=9), foe(table)
    hits(table, mara, serk, 1)
    table.answer("ana", table.ask("fate"), answer="deadly")
    assert state(table, serk) == "dead"
    assert table.why_not("ana", "first_aid", mara) == "Nobody lies unconscious."
    table.move(GM, "day")
    assert (state(table, serk), wounds(table, serk)) == ("dead", 1)


@rule("toast.7.3-final-blow")
def test_when_who_struck_last_has_left_the_others_agree_or_the_gm_decides():
    table = evening(("ana", "ben", "cai"))
    mara, serk = hero(table, "ana", aim=9), foe(table)
    hits(table, mara, serk, 1)
    table.do(GM, c.DecideSeat, of="ana", verdict="revoke")
    table.answer("ben", table.ask("fate"), answer="spare")
    table.answer("cai", table.ask("fate"), answer="deadly")
    assert table.ask("fate").to == ("gm",)
    table.answer(GM, table.ask("fate"), answer="spare")
    assert state(table, serk) == "unconscious"


@rule("toast.7.3-npc-no-player-blow")
@pytest.mark.parametrize("how", ["npc", "trap"])
def test_where_no_player_struck_the_gm_decides(table, how):
    serk, guard = foe(table, aim=9), foe(table, name="Guard")
    if how == "npc":
        strike(table, serk, guard, (10, 1), GM)
    else:
        table.move(GM, "hurt", who=guard, cause="a trapdoor")
    ask = table.ask("fate")
    assert ask.to == ("gm",)
    with pytest.raises((NotAllowed, CannotBe)):
        table.answer("ana", ask, answer="spare")
    table.answer(GM, ask, answer="deadly")
    assert state(table, guard) == "dead"
    assert table.card["sentence"] == "Guard dies."


@rule("toast.7.3-pc-unconscious")
def test_a_player_who_fells_a_player_is_not_asked_about_death(table):
    mara, tam = hero(table, "ana", aim=9), hero(table, "ben")
    for _ in range(4):
        roll = table.propose("ana", "attack", mara, target=tam, trait="aim")
        table.do("ben", c.Settle, proposal=roll)
        table.do("ana", c.Throw, (10, 1), proposal=roll)
    assert state(table, tam) == "unconscious"
    assert table.asks("fate") == []


@rule("toast.7.3-unconscious-target")
@pytest.mark.parametrize(
    ("ruling", "faces", "outcome"),
    [
        ("rolls", (2, 5), "miss"),
        ("rolls", (5, 2), "hit"),
        ("hits", (), "hit"),
        ("nothing", (), "miss"),
    ],
)
def test_attacking_the_unconscious_is_the_gms_ruling(table, ruling, faces, outcome):
    mara, serk = hero(table, "ana", aim=2), foe(table, defense=2)
    hits(table, mara, serk, 1)
    table.answer("ana", table.ask("fate"), answer="spare")
    roll = table.propose("ana", "attack", mara, target=serk, trait="aim")
    with pytest.raises(CannotBe):
        table.do("ana", c.Throw, faces, proposal=roll)
    table.do(GM, c.Settle, proposal=roll, answers={"helpless": ruling})
    table.do("ana", c.Throw, faces, proposal=roll)
    assert table.card["outcome"] == outcome
    assert len(table.asks("fate")) == (outcome == "hit")
    if outcome == "hit":
        assert state(table, serk) == "down"


@rule("toast.7.5-pc-death-consent")
def test_no_players_character_dies_without_its_player(table):
    mara = hero(table, "ana")
    where = ("entities", mara, "state", "condition")
    with pytest.raises(BadAnswers) as refused:
        table.do(GM, c.Override, path=where, now="dead", reason="The dragon.")
    assert refused.value.problems[0].rule == "toast.7.5-pc-death-consent"
    table.move(GM, "death", who=mara, how="The dragon.")
    ask = table.ask("consent")
    assert (ask.to, state(table, mara)) == ((f"owner:{mara}",), "awake")
    for other in (GM, "ben"):
        with pytest.raises((NotAllowed, CannotBe)):
            table.answer(other, ask, answer="yes")
    table.answer("ana", ask, answer="no")
    assert (state(table, mara), table.asks()) == ("awake", [])
    table.move(GM, "death", who=mara)
    table.answer("ana", table.ask("consent"), answer="yes")
    assert state(table, mara) == "dead"
    assert table.card["sentence"] == "With the player's consent."


@rule(
    "toast.10-magic-traits",
    "toast.10-magic-perks",
    "toast.10-magic-defense",
    "toast.10-magic-like-combat",
)
def test_magic_is_an_attack_like_any_other():
    sorcery = {"name": "Sorcery", "purpose": "Fire and frost.", "magic": True}
    table = evening()
    rows = [*table.game.defaults()["traits"], sorcery]
    table = evening(traits=rows)
    ana = hero(table, "ana", "Fireball", willpower=5, defense=1, sorcery=4)
    tam = hero(table, "ben", willpower=5)
    witch = foe(table, kind="nemesis", sorcery=4, willpower=9)
    assert len(table.entity(ana).sheet["traits"]) == 14
    roll = table.propose(GM, "attack", witch, target=tam, trait="sorcery")
    table.do("ben", c.Settle, proposal=roll)
    table.do(GM, c.Throw, (7, 6), proposal=roll)
    card = table.card
    assert [side["total"] for side in card["sides"]] == [11, 11]
    assert card["sides"][1]["parts"] == [["Willpower", 5]]
    assert card["outcome"] == "miss"
    assert strike(table, ana, witch, (KICK, 10), trait="sorcery")["outcome"] == "hit"
    assert wounds(table, witch) == 1
    card = table.roll("ana", "task", ana, (5,), trait="sorcery", perk="Fireball")
    assert card["sides"][0]["total"] == 12


@rule("toast.10-magic-defense")
def test_the_gm_can_let_another_trait_answer():
    sorcery = {"name": "Sorcery", "purpose": "", "magic": True}
    rows = [*evening().game.defaults()["traits"], sorcery]
    table = evening(traits=rows, magic_defense="Knowing", settings={"gm_confirms": "each"})
    ana = hero(table, "ana", sorcery=4)
    witch = foe(table, kind="nemesis", knowing=3, health=8)
    card = table.roll("ana", "attack", ana, (5, 5), target=witch, trait="sorcery")
    assert card["sides"][1]["parts"] == [["Knowing", 3]]
    card = table.roll(
        "ana", "attack", ana, (5, 5), gm={"defense": "health"}, target=witch, trait="sorcery"
    )
    assert card["sides"][1]["parts"] == [["Health", 8]]


@rule("toast.7.5-pc-death-consent", "toast.7.4-importance-story")
def test_no_importance_set_by_hand_makes_a_players_character_mortal(table):
    mara = hero(table, "ana")
    where = ("entities", mara, "sheet", "importance")
    table.do(GM, c.Override, path=where, now="minion", reason="a slip")
    for _ in range(4):
        table.move(GM, "hurt", who=mara, cause="the bell")
    assert table.entity(mara).state["condition"] == "unconscious"
    assert table.asks("fate") == []


@rule("toast.7.5-pc-death-consent", "toast.4-perk-no-nullify")
def test_a_character_that_the_gm_has_for_a_while_keeps_its_life_and_its_perks(table):
    mara = hero(table, "ana", "Sly")
    table.do(GM, c.ChangeEntity, entity=mara, owner="gm")
    dead = ("entities", mara, "state", "condition")
    with pytest.raises(BadAnswers, match="Ana dies only if the player agrees"):
        table.do(GM, c.Override, path=dead, now="dead", reason="a slip")
    with pytest.raises(BadAnswers, match="only Ana's player can drop it"):
        table.do(GM, c.Override, path=("entities", mara, "sheet", "perks"), now=[], reason="a slip")
    assert table.why_not(GM, "drop_perk", mara) == "Only its own player can drop a perk."
    table.do(GM, c.ChangeEntity, entity=mara, owner="ana")
    assert table.entity(mara).state["condition"] == "awake"
