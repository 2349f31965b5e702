"""Attacks at the table: who may use and parry what, what is added, what it leaves behind."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.game import BadAnswers
from tests.games.driver import GM
from tests.games.toaster.fighting import (
    ZERO,
    choices,
    evening,
    field,
    fighter,
    pair,
    parts,
    side,
    strike,
    total,
)
from tests.games.toaster.people import foe, hero

rule = pytest.mark.rule


def wounds(one, who):
    return sum(row["n"] for row in one.entity(who).state["wounds"])


# ---------------------------------------------------------------- the five steps


@rule("toaster.4.attack-five-steps", "toaster.4.apply-damage", "toaster.4.attack-roll")
def test_five_steps_on_one_card():
    one = evening()
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (7, 2, 9, 3))
    assert [each["label"] for each in card["sides"]] == [
        "attack",
        "defence",
        "damage",
        "protection",
    ]
    assert [each["total"] for each in card["sides"]] == [13, 7, 14, 5]
    assert parts(card, "damage") == {"WC": 5}
    assert parts(card, "protection") == {"AC": 2}
    assert card["outcome"] == "hit"
    assert (one.entity(theirs).state["stun"], wounds(one, theirs)) == (9, 1)


@rule("toaster.4.attack-five-steps", "toaster.4.defence-tie")
def test_a_defence_that_holds_ends_it():
    one = evening()
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (6, 7))
    assert (card["outcome"], total(card, "attack"), total(card, "defence")) == ("miss", 12, 12)
    assert [each["label"] for each in card["sides"]] == ["attack", "defence"]
    assert one.entity(theirs).state["stun"] == 0


@rule("toaster.4.attack-h2h-gate")
def test_short_of_the_rank_nobody_defends():
    one = evening()
    mine, theirs = pair(one, fighter(sword=4), fighter(weapons=(), dodge=9))
    card = strike(one, mine, theirs, (5,))
    assert (card["outcome"], total(card, "attack")) == ("miss", 9)
    assert strike(one, mine, theirs, (6, 1))["sides"][1]["total"] == 10


@rule("toaster.4.attack-h2h-gate-number", "toaster.4.penalty-scope")
def test_the_gate_is_the_plain_rank_without_shield_or_wounds():
    one = evening()
    mine, theirs = pair(
        one, fighter(sword=2), fighter(weapons=(), shield="medium", shield_skill=5, dodge=2)
    )
    card = strike(one, mine, theirs, (4, 1), defence="shield")
    assert (total(card, "attack"), total(card, "defence")) == (6, 8)
    path = ("entities", theirs, "state", "wounds")
    one.do(GM, c.Override, path=path, now=[{"n": 3}], reason="hurt")
    assert strike(one, mine, theirs, (3,), defence="shield")["outcome"] == "miss"
    card = strike(one, mine, theirs, (4, 1, 1, 9), defence="shield")
    assert (total(card, "defence"), card["outcome"]) == (5, "hit")


@rule("toaster.4.attack-h2h-gate-number")
def test_whoever_is_helpless_offers_no_gate_and_no_roll():
    one = evening()
    mine, theirs = pair(one, fighter(sword=2))
    card = strike(one, mine, theirs, (0, 0, 1), ward="open")
    assert (card["outcome"], total(card, "attack")) == ("hit", 2)
    one.do(
        GM,
        c.Override,
        path=("entities", theirs, "state", "condition"),
        now="unconscious",
        reason="out",
    )
    assert field(one, "ward", mine, theirs).default == "open"


@rule("toaster.4.damage-roll", "toaster.4.wc-muscle")
def test_damage_is_the_class_in_this_hand():
    one = evening()
    mine, theirs = pair(one, fighter((7, 4, 4, 4), ("bastard-sword",), sword=6))
    card = strike(one, mine, theirs, (9, 0, 5, 0))
    assert parts(card, "damage") == {"WC": 8}
    assert total(card, "damage") == 13
    kick = strike(one, mine, theirs, (9, 0, 8, 0), arm="kick")
    assert parts(kick, "damage") == {"WC": 4}


@rule("toaster.4.wounds-unarmed", "toaster.4.wounds-unarmed-what")
@pytest.mark.parametrize(("armed", "expected"), [(False, 1), (True, 2)])
def test_bare_hands_do_one_wound_fewer_and_an_iron_fist_as_the_option_says(armed, expected):
    one = evening(reinforced_fist_armed=armed)
    mine, theirs = pair(one, fighter((9, 4, 4, 4), ("reinforced-fist",), brawl=6))
    card = strike(one, mine, theirs, (9, 0, 9, 1))
    assert total(card, "damage") - total(card, "protection") == 11
    assert wounds(one, theirs) == expected
    again = foe(one, fighter(weapons=()), open=True)
    strike(one, mine, again, (9, 0, 9, 0), arm="kick")
    assert wounds(one, again) == 1


# ---------------------------------------------------------------- what may defend


@rule(
    "toaster.4.defence-h2h",
    "toaster.2.skill-dodge-any",
    "toaster.2.skill-acrobatics-not-dodge",
)
def test_hand_to_hand_one_dodges_or_parries_with_what_is_held():
    one = evening()
    mine = hero(one, "ana", fighter(sword=6))
    built = fighter(weapons=("club", "dagger", "bow"), dodge=3, shield="small")
    theirs = foe(one, built, open=True)
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w1", "parry:w2", "shield"]
    card = strike(one, mine, theirs, (8, 3, 0, 9), defence="parry:w1")
    assert parts(card, "defence") == {"Weapon: Club": 2}


@rule("toaster.4.defence-ranged", "toaster.2.skill-dodge-any", "toaster.4.attack-ranged-gate")
def test_from_afar_one_dodges_or_holds_up_a_shield():
    one = evening()
    mine = hero(one, "ana", fighter(weapons=("bow",), bow=6))
    theirs = foe(one, fighter(weapons=("club",), dodge=3, shield="large"), open=True)
    assert choices(one, "defence", mine, theirs) == ["dodge", "shield"]
    far = {"distance": "medium"}
    card = strike(one, mine, theirs, (5,), defence="dodge", **far)
    assert (card["outcome"], total(card, "attack")) == ("miss", 9)
    card = strike(one, mine, theirs, (6, 9), defence="dodge", **far)
    assert total(card, "attack") == 10
    assert total(card, "defence") == 12


@rule(
    "toaster.4.defence-unarmed-vs-weapon",
    "toaster.2.skill-brawl-defend-weapon",
    "toaster.2.skill-brawl-defend-brawl",
    "toaster.2.skill-brawl-never-ranged",
)
def test_bare_hands_ward_off_fists_and_weapons_only_by_leave():
    one = evening()
    mine = hero(one, "ana", fighter(weapons=("dagger", "bow"), knife=6, bow=6, brawl=4))
    theirs = foe(one, fighter(weapons=(), brawl=6), open=True)
    assert "brawl" not in choices(one, "defence", mine, theirs, arm="w1")
    assert "brawl" in choices(one, "defence", mine, theirs, arm="bare-fist")
    assert "brawl" in choices(one, "defence", mine, theirs, arm="w1", bare=-3)
    roll = one.propose("ana", "attack", mine, target=theirs, arm="w1")
    for answers in ({"bare": -3}, {"bare": -3, "defence": "brawl"}):
        one.do(GM, c.Settle, proposal=roll, answers=answers)
    one.do("ana", c.Throw, (9, 5, 0, 9), proposal=roll)
    assert parts(one.card, "defence") == {"Brawl": 6, "bare hands against a weapon": -3}
    martial = evening(martial_arts_campaign=True)
    mine = hero(martial, "ana", fighter(weapons=("dagger", "bow"), knife=6, bow=6))
    theirs = foe(martial, fighter(weapons=(), brawl=6), open=True)
    assert "brawl" in choices(martial, "defence", mine, theirs, arm="w1", bare=0)
    assert "brawl" not in choices(martial, "defence", mine, theirs, arm="w2", bare=0)


@rule("toaster.4.defence-ranged-weapon")
def test_blades_stop_arrows_only_in_martial_campaigns_and_at_a_price():
    one = evening(martial_arts_campaign=True)
    mine = hero(one, "ana", fighter(weapons=("bow",), bow=6))
    theirs = foe(one, fighter(weapons=("saber",), sword=7), open=True)
    assert choices(one, "defence", mine, theirs) == [
        "dodge",
        "parry:w1",
    ]
    picked = {"defence": "parry:w1"}
    roll = one.propose("ana", "attack", mine, target=theirs)
    with pytest.raises(BadAnswers):
        one.do(GM, c.Settle, proposal=roll, answers=picked)
    price = {**picked, "missile_parry": -4}
    one.do(GM, c.Settle, proposal=roll, answers=price)
    one.do("ana", c.Throw, (9, 3, 0, 9), proposal=roll)
    assert parts(one.card, "defence") == {"Weapon: Sword": 7, "against a missile": -4}


@rule("toaster.2.skill-dodge-area")
def test_a_blast_may_be_unavoidable():
    one = evening()
    grenade = {"id": "w1", "name": "Grenade", "wc": 14, "ranged": True, "skill": "throw"}
    mine = hero(one, "ana", fighter(weapons=({**grenade, "blast": True},), throw=6))
    theirs = foe(one, fighter(weapons=("club",), dodge=8, shield="large"), open=True)
    assert choices(one, "defence", mine, theirs) == ["dodge"]
    assert choices(one, "blast", mine, theirs) == ["normal", "harder", "unavoidable"]
    card = strike(one, mine, theirs, (4, 1, 1), blast="unavoidable")
    assert [each["label"] for each in card["sides"]] == ["attack", "damage", "protection"]
    assert strike(one, mine, theirs, (4, 9), blast="normal")["outcome"] == "miss"


# ---------------------------------------------------------------- what is added


@rule("toaster.4.shield-bonus", "toaster.4.shield-bonus-only-shield", "toaster.4.ac-shield-none")
@pytest.mark.parametrize(("size", "bonus"), [("small", 1), ("medium", 2), ("large", 3)])
def test_a_shield_helps_its_own_parry_and_nothing_else(size, bonus):
    one = evening()
    built = fighter(weapons=(), dodge=5, shield_skill=5, shield=size)
    mine, theirs = pair(one, None, built)
    card = strike(one, mine, theirs, (9, 4, 0, 9), defence="shield")
    assert total(card, "defence") == 5 + 4 + bonus
    card = strike(one, mine, theirs, (9, 4, 1, 1), defence="dodge")
    assert total(card, "defence") == 9
    assert parts(card, "protection") == {"AC": 2}


@rule("toaster.4.shield-attack-penalty")
@pytest.mark.parametrize(("on", "attack"), [(True, 9), (False, 11)])
def test_a_shield_may_hamper_attacks(on, attack):
    one = evening(shield_attack_penalty=on)
    mine, theirs = pair(one, fighter(sword=6, shield="medium"))
    assert total(strike(one, mine, theirs, (5, 9)), "attack") == attack


@rule("toaster.4.range-table", "toaster.4.range-distances")
@pytest.mark.parametrize(
    ("distance", "penalty"),
    [("point-blank", 0), ("short", -1), ("medium", -2), ("long", -3), ("extreme", -4)],
)
def test_distance_makes_it_harder(distance, penalty):
    one = evening()
    mine, theirs = pair(one, fighter(weapons=("bow",), bow=9))
    assert field(one, "distance", mine, theirs).set_by == "gm"
    card = strike(one, mine, theirs, (5, 9), distance=distance)
    assert total(card, "attack") == 14 + penalty
    assert penalty in {0, *parts(card, "attack").values()}


@rule("toaster.4.range-reduction")
def test_scope_and_aim_take_something_off_and_never_more_than_the_penalty():
    one = evening()
    rifle = {"id": "w1", "like": "small-rifle", "skill": "weapon-skill:Bow", "scope": 1}
    mine, theirs = pair(one, fighter(weapons=(rifle,), bow=9))
    for distance, attack in (("long", 13), ("short", 14)):
        far = {"distance": distance}
        card = strike(one, mine, theirs, (5, 9), aimed=True, **far)
        assert total(card, "attack") == attack
    one.move("ana", "aim", mine)
    assert field(one, "aimed", mine, theirs).default is True
    card = strike(one, mine, theirs, (5, 9), distance="long")
    assert parts(card, "attack")["aim"] == 1
    assert field(one, "aimed", mine, theirs).default is False


@rule("toaster.4.strreq-switch", "toaster.4.strreq-penalty", "toaster.4.strreq-sub")
def test_who_is_too_weak_attacks_and_parries_worse():
    weak = fighter((2, 4, 4, 4), ("great-sword",), sword=6)
    one = evening(strength_requirements=True)
    mine, theirs = pair(one, weak, fighter((2, 4, 4, 4), ("great-sword",), sword=6))
    card = strike(one, mine, theirs, (9, 9), defence="parry:w1")
    assert parts(card, "attack")["too heavy"] == -4
    assert parts(card, "defence")["too heavy"] == -4
    off = evening()
    mine, theirs = pair(off, weak)
    assert "too heavy" not in parts(strike(off, mine, theirs, (5, 9)), "attack")
    strong = [{"id": "t", "name": "Strong", "kind": "attributes", "of": "strength", "rank": 2}]
    sub = evening(strength_requirements=True)
    mine, theirs = pair(sub, fighter((4, 4, 4, 4), ("great-sword",), sword=6, traits=strong))
    assert "too heavy" not in parts(strike(sub, mine, theirs, (5, 9)), "attack")


@rule("toaster.4.strreq-ranged")
def test_missiles_ask_for_no_strength():
    one = evening(strength_requirements=True)
    mine, theirs = pair(one, fighter((1, 4, 4, 4), ("bow",), bow=6))
    assert "too heavy" not in parts(strike(one, mine, theirs, (9, 9, 0, 9)), "attack")


@rule("toaster.2.skill-martial-plus-2")
def test_a_style_adds_two_against_somebody_who_only_brawls():
    one = evening()
    mine = hero(one, "ana", fighter(weapons=(), martial=5))
    brawler = foe(one, fighter(weapons=(), brawl=3, dodge=2), open=True)
    artist = foe(one, fighter(weapons=(), martial=3, dodge=2), open=True)
    armed = foe(one, fighter(weapons=("club",), brawl=3, dodge=2), open=True)
    hit = (4, 0, 1, 9)
    assert total(strike(one, mine, brawler, hit, arm="bare-fist"), "attack") == 11
    assert total(strike(one, mine, artist, hit, arm="bare-fist"), "attack") == 9
    assert total(strike(one, mine, armed, hit, arm="bare-fist"), "attack") == 9
    card = one.roll(
        GM,
        "attack",
        brawler,
        (9, 5),
        target=mine,
        arm="bare-fist",
        theirs={"defence": "martial-arts"},
    )
    assert parts(card, "defence") == {"Martial Arts": 5, "style against brawling": 2}


@rule("toaster.4.protection-modified", "toaster.4.ac-custom-protection")
def test_the_gm_adds_piercing_cover_and_force_fields():
    one = evening()
    field_ = {"id": "a1", "name": "Force field", "ac": 12}
    mine, theirs = pair(one, None, fighter(weapons=(), dodge=5, armour=(field_,)))
    rows = [
        {"on": "protection", "value": -3, "why": "armour piercing"},
        {"on": "attack", "value": -1, "why": "smoke"},
    ]
    card = strike(one, mine, theirs, (9, 0, 9, 3), modifiers=rows)
    assert parts(card, "protection") == {"AC": 8, "armour piercing": -3}
    assert total(card, "protection") == 8
    assert total(card, "attack") == 14
    assert parts(card, "attack")["smoke"] == -1
    pierce = {"id": "w1", "like": "saber", "piercing": 3}
    mine = hero(one, "ben", fighter(weapons=(pierce,), sword=6))
    card = strike(one, mine, theirs, (9, 0, 9, 3), "ben")
    assert total(card, "protection") == 8


# ---------------------------------------------------------------- what is left over


@rule("toaster.4.attack-fumble", "toaster.4.attack-fumble-penalty")
def test_a_fumble_misses_and_may_cost_the_next_roll():
    one = evening(rolling_zeros=True)
    mine, theirs = pair(one, fighter(sword=2))
    card = strike(one, mine, theirs, (ZERO, 1))
    assert card["outcome"] == "fumble"
    assert len(card["sides"]) == 1
    one.answer(GM, one.ask("fumble"), attack=2, defence=1, what="The blade slips.")
    card = strike(one, mine, theirs, (8, 9))
    assert (parts(card, "attack")["after the fumble"], total(card, "attack")) == (-2, 8)
    assert "after the fumble" not in parts(strike(one, mine, theirs, (8, 9)), "attack")
    card = one.roll(GM, "attack", theirs, (9, 9, 0, 9), target=mine, arm="bare-fist")
    assert side(card, "defence")["parts"][-1] == ["after the fumble", -1]


@rule("toaster.4.attack-fumble-target")
def test_by_distance_a_fumble_is_measured_at_the_gate():
    one = evening(variable_outcomes=True)
    mine, theirs = pair(one, fighter(sword=2), fighter(weapons=(), dodge=8))
    assert strike(one, mine, theirs, (ZERO,))["outcome"] == "fumble"
    assert strike(one, mine, theirs, (1,))["outcome"] == "miss"


@rule("toaster.4.stance-switch", "toaster.4.stance-1-2")
def test_a_trade_is_paid_back_on_the_next_roll_of_the_other_kind():
    off = evening()
    mine, theirs = pair(off)
    assert field(off, "stance", mine, theirs) is None
    one = evening(stance=True)
    mine, theirs = pair(one)
    assert choices(one, "stance", mine, theirs) == ["0", "1", "2"]
    with pytest.raises(BadAnswers):
        one.propose("ana", "attack", mine, target=theirs, stance="3")
    assert total(strike(one, mine, theirs, (5, 9), stance="2"), "attack") == 13
    for expected in (-2, 0):
        card = one.roll(GM, "attack", theirs, (9, 9), target=mine, arm="bare-fist")
        assert parts(card, "defence").get("offensive stance", 0) == expected
    card = one.roll(
        GM,
        "attack",
        theirs,
        (9, 4),
        target=mine,
        arm="bare-fist",
        theirs={"defence_stance": "1"},
    )
    assert parts(card, "defence")["defensive stance"] == 1
    assert parts(strike(one, mine, theirs, (5, 9)), "attack")["defensive stance"] == -1


@rule("toaster.4.stance-3", "toaster.4.stance-timing")
def test_all_out_lasts_for_two_own_actions():
    one = evening(stance=True)
    mine, theirs = pair(one)
    one.roll("ana", "all_out", mine, (), kind="defence")
    assert "given up attacking" in one.why_not("ana", "attack", mine)
    card = one.roll(GM, "attack", theirs, (9, 4), target=mine, arm="bare-fist")
    assert parts(card, "defence")["all-out defence"] == 3
    one.move("ana", "aim", mine)
    assert one.why_not("ana", "attack", mine) is None
    one.roll("ana", "all_out", mine, (), kind="attack")
    for expected in (3, 3, 0):
        assert (
            parts(strike(one, mine, theirs, (5, 9)), "attack").get("all-out attack", 0) == expected
        )


@rule("toaster.4.stance-3")
def test_who_gives_up_defending_is_only_guarded_by_their_rank():
    one = evening(stance=True)
    mine, theirs = pair(one)
    one.roll("ana", "all_out", mine, (), kind="attack")
    card = one.roll(GM, "attack", theirs, (9, 1, 9), target=mine, arm="bare-fist")
    assert [each["label"] for each in card["sides"]] == ["attack", "damage", "protection"]


# ---------------------------------------------------------------- options for damage


@rule("toaster.4.damage-roll-critical")
def test_a_field_asks_for_a_criticals_bonus_where_no_option_says_more():
    one = evening(variable_outcomes=True)
    mine, theirs = pair(one)
    assert field(one, "critical_bonus", mine, theirs).default == 0
    card = strike(one, mine, theirs, (9, 1, 1, 0), critical_bonus=4)
    assert (card["outcome"], parts(card, "damage")["for the critical"]) == ("critical", 4)
    table = evening(variable_outcomes=True, wcac_critical_table=True)
    mine, theirs = pair(table)
    assert field(table, "critical_bonus", mine, theirs) is None


@rule("toaster.4.opt-marginal-default", "toaster.4.defence-marginal")
def test_a_marginal_hit_does_half():
    one = evening(variable_outcomes=True)
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (6, 6, 5, 3))
    assert card["outcome"] == "marginal"
    assert (one.entity(theirs).state["stun"], wounds(one, theirs)) == (2, 0)


@rule("toaster.4.opt-critical-table", "toaster.4.crit-a", "toaster.4.crit-b")
def test_the_critical_table_leaves_its_marks():
    one = evening(variable_outcomes=True, wcac_critical_table=True)
    mine, theirs = pair(one, None, fighter(weapons=("club",), dodge=5))
    card = strike(one, mine, theirs, (9, 1, 2, 4, 1, 9), defence="dodge")
    assert card["outcome"] == "critical"
    assert one.entity(theirs).state["dropped"] == {"w1": "reach"}
    assert "parry:w1" not in choices(one, "defence", mine, theirs)


@rule("toaster.4.opt-same-die", "toaster.4.opt-add-margin")
def test_one_die_and_the_margin_show_on_the_card():
    one = evening(wcac_same_die=True, wcac_add_margin=True)
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (7, 2))
    assert parts(card, "damage") == {"the attack's die": 7, "WC": 5, "margin": 6}
    assert parts(card, "protection") == {"the defence's die": 2, "AC": 2}
    assert (total(card, "damage"), total(card, "protection")) == (18, 4)


@rule("toaster.4.opt-wcac-integrate")
def test_switches_that_have_no_effect_are_pointed_out_once():
    one = evening()
    keys = {option.key for option in one.game.options if option.key.startswith("wcac_")}
    assert len(keys) == 5
    both = {"wcac_same_die": True, "wcac_double_roll": True, "variable_outcomes": True}
    one.do(GM, c.SetOptions, options=both)
    assert "no second die" in one.card["lines"][0]["text"]
    number = one.last.number
    one.do(GM, c.SetOptions, options={"round_seconds": 5})
    assert not (one.last.number > number and one.last.data.get("card"))


@rule("toaster.4.partial-switch", "toaster.4.partial-ac", "toaster.4.hitloc-invent")
def test_armour_covers_only_its_own_places():
    plate = {"id": "a1", "like": "plate", "areas": "Torso"}
    one = evening(partial_armor=True)
    mine, theirs = pair(one, None, fighter((6, 4, 4, 4), (), dodge=5, armour=(plate,)))
    torso = strike(one, mine, theirs, (9, 0, 2, 2, 1, 0))
    assert parts(torso, "protection") == {"AC": 8}
    head = strike(one, mine, theirs, (9, 0, ZERO, 3, 9, 9))
    assert parts(head, "protection") == {"AC": 3}
    place = choices(one, "area", mine, theirs)[1]
    named = strike(one, mine, theirs, (9, 0, 1, 0), area=place)
    assert place.startswith("Head")
    assert parts(named, "protection") == {"AC": 3}
    whole = evening()
    mine, theirs = pair(whole, None, fighter((6, 4, 4, 4), (), dodge=5, armour=(plate,)))
    assert parts(strike(whole, mine, theirs, (9, 0, 1, 0)), "protection") == {"AC": 8}


def test_only_what_is_at_hand_can_be_used_and_skills_are_noted():
    one = evening()
    mine, theirs = pair(one)
    with pytest.raises(BadAnswers):
        one.propose("ana", "attack", mine, target=theirs, arm="w9")
    strike(one, mine, theirs, (5, 9))
    assert one.entity(mine).state["used"] == ["weapon-skill:Sword"]
    assert one.entity(theirs).state["used"] == ["dodge"]
    with pytest.raises(NotAllowed):
        one.propose("ben", "attack", mine, target=theirs)
