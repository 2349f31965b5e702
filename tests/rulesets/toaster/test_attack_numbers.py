"""The attack as numbers: gates, hits, damage, and how often each of them happens."""

from fractions import Fraction

import pytest

from kitchentable.dice import load, odds, told
from kitchentable.dice.errors import LeftoverFaces, MissingFaces
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.mechanics.attack import after_defense_roll, attack
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Tables, Ways
from kitchentable.rulesets.toaster.mechanics.stars import Extended
from kitchentable.rulesets.toaster.mechanics.tables import read_criticals, read_locations
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    BOOK,
    Attacker,
    Defender,
    Rules,
    attack_roll,
    to_hit,
)
from tests.rulesets.toaster.fighting import landed

rule = pytest.mark.rule

ZERO = 10
BANDS = Rules(bands=True)
WIDE = Rules(bands=True, wide=True)
CRITICALS = read_criticals(TABLES["criticals"])
LOCATIONS = read_locations(TABLES["locations"])


def hits(one: Attacker, other: Defender, rules: Rules = BOOK) -> Fraction:
    return odds(to_hit, one, other, rules).chance(lambda outcome: outcome.hit)


# ---------------------------------------------------------------- gates and defence


@rule("toaster.4.attack-roll")
def test_attack_is_die_rank_and_modifiers():
    struck = load(attack_roll, Attacker(8 - 2, gate=5), faces=[4]).outcome
    assert struck.total == 10


@rule("toaster.4.attack-h2h-gate")
def test_hand_to_hand_the_rank_has_to_be_exceeded_before_anybody_defends():
    short = load(to_hit, Attacker(3, gate=7), Defender(7), faces=[4]).outcome
    assert (short.verdict, short.attack.total, short.defense) == ("miss", 7, None)
    through = load(to_hit, Attacker(3, gate=7), Defender(7), faces=[5, 1]).outcome
    assert (through.attack.total, through.defense.total) == (8, 8)


@rule("toaster.4.attack-ranged-gate")
def test_from_afar_ten_has_to_be_reached():
    shot = Attacker(6 - 2, gate=10, reaches=True)
    short = load(to_hit, shot, Defender(4), faces=[5]).outcome
    assert (short.verdict, short.attack.total, short.defense) == ("miss", 9, None)
    assert load(to_hit, shot, Defender(4), faces=[6, 1]).outcome.hit


@rule("toaster.4.defence-tie", "toaster.4.attack-five-steps")
def test_a_defence_that_is_reached_holds_and_no_damage_falls():
    harm = Classes(5, 4)
    held = load(attack, Attacker(6, 6), Defender(6), harm, faces=[6, 6]).outcome
    assert (held.attack, held.defense, held.rolls) == (12, 12, None)
    hit = load(attack, Attacker(6, 5), Defender(5), harm, faces=[6, 6, 9, 1]).outcome
    assert (hit.margin, hit.damage, hit.protection) == (1, 14, 5)
    with pytest.raises(LeftoverFaces):
        load(attack, Attacker(6, 6), Defender(6), harm, faces=[6, 6, 1, 1])


@rule("toaster.4.defence-tie")
def test_equal_skill_hits_with_nine_in_twenty():
    for rank in (0, 6, 9):
        assert hits(Attacker(rank, gate=rank), Defender(rank)) == Fraction(9, 20)


@rule("toaster.4.defence-marginal")
def test_the_wide_reading_hits_with_62_in_100_and_only_marginally_more():
    assert hits(Attacker(6, 6), Defender(6), BANDS) == Fraction(9, 20)
    assert hits(Attacker(6, 6), Defender(6), WIDE) == Fraction(31, 50)
    solved = odds(to_hit, Attacker(6, 6), Defender(6), WIDE)
    marginal = solved.chance(lambda one: one.band == "marginal")
    assert marginal == Fraction(31, 50) - solved.chance(lambda one: one.margin >= 2)


@rule("toaster.4.defence-marginal")
def test_one_over_is_marginal_in_both_readings_and_equal_only_in_the_wide_one():
    faces = [6, 5]
    assert load(to_hit, Attacker(6, 6), Defender(6), BANDS, faces=faces).outcome.band == "marginal"
    for faces, narrow, wide in (([5, 5], "miss", "hit"), ([5, 6], "miss", "hit")):
        assert (
            load(to_hit, Attacker(6, 6), Defender(6), BANDS, faces=faces).outcome.verdict == narrow
        )
        assert load(to_hit, Attacker(6, 6), Defender(6), WIDE, faces=faces).outcome.verdict == wide
    assert load(to_hit, Attacker(6, 6), Defender(6), WIDE, faces=[4, 6]).outcome.verdict == "miss"


@rule("toaster.4.attack-h2h-gate-number")
def test_the_gate_bites_where_the_defender_is_hampered():
    """Attack 5 against dodge 6 at -3: 59 in 100 with the gate, 64 without (A-36)."""
    assert hits(Attacker(5, gate=6), Defender(6 - 3)) == Fraction(59, 100)
    assert hits(Attacker(5, gate=-99), Defender(6 - 3)) == Fraction(16, 25)
    for modifier in (1, 4, 7):
        for rank in (2, 5, 9):
            with_gate = hits(Attacker(modifier, gate=rank), Defender(rank))
            assert with_gate == hits(Attacker(modifier, gate=-99), Defender(rank))


# ---------------------------------------------------------------- zeros, nines, called fours


@rule("toaster.4.attack-fumble")
def test_a_zero_that_is_not_made_good_is_a_fumble_and_nobody_defends():
    rules = Rules(Extended(zeros=True))
    fumble = load(to_hit, Attacker(5, 6), Defender(6), rules, faces=[ZERO, 1]).outcome
    assert (fumble.verdict, fumble.attack.second, fumble.defense) == ("fumble", 6, None)
    saved = load(to_hit, Attacker(5, 6), Defender(6), rules, faces=[ZERO, 2]).outcome
    assert (saved.verdict, saved.attack.second, saved.defense) == ("miss", 7, None)
    again = load(to_hit, Attacker(20, 6), Defender(6), rules, faces=[ZERO, ZERO]).outcome
    assert again.verdict == "fumble"


@rule("toaster.4.attack-fumble-target")
def test_by_distance_a_fumble_is_measured_against_the_gate():
    shot = Attacker(0, gate=10, reaches=True)
    assert load(to_hit, shot, Defender(4), BANDS, faces=[4]).outcome.verdict == "fumble"
    assert load(to_hit, shot, Defender(4), BANDS, faces=[5]).outcome.verdict == "miss"
    blow_ = Attacker(0, gate=8)
    assert load(to_hit, blow_, Defender(8), BANDS, faces=[2]).outcome.verdict == "fumble"
    assert load(to_hit, blow_, Defender(8), BANDS, faces=[3]).outcome.verdict == "miss"
    assert load(to_hit, blow_, Defender(8), faces=[2]).outcome.verdict == "miss"


@rule("toaster.3.zeros-opposed")
def test_a_zero_spoils_a_defence_whatever_its_total():
    rules = Rules(Extended(zeros=True), bands=True)
    spoilt = load(to_hit, Attacker(2, 1), Defender(30), rules, faces=[2, ZERO, 1]).outcome
    assert (spoilt.verdict, spoilt.margin, spoilt.band) == ("hit", 0, "success")
    assert not spoilt.defense.fumble
    fumbled = load(to_hit, Attacker(9, 1), Defender(1), rules, faces=[5, ZERO, 3]).outcome
    assert (fumbled.defense.fumble, fumbled.margin) == (True, 13)


def test_a_nine_is_thrown_again_where_nines_are_on_and_a_four_may_be_called():
    rules = Rules(Extended(nines=1, zeros=True))
    high = load(to_hit, Attacker(6, 6), Defender(6), rules, faces=[9, 4, 3]).outcome
    assert (high.attack.die, high.attack.total) == (13, 19)
    four = load(
        to_hit, Attacker(6, 6, called=True), Defender(6, called=True), rules, faces=[]
    ).outcome
    assert (four.attack.total, four.defense.total) == (10, 10)


# ---------------------------------------------------------------- damage


@rule("toaster.4.damage-roll", "toaster.4.protection-roll", "toaster.4.wcac-roll")
@pytest.mark.parametrize(("faces", "taken"), [([7, 3], 5), ([5, 6], 0), ([2, 3], 0), ([2, 9], 0)])
def test_damage_less_protection(faces, taken):
    done = load(after_defense_roll, landed(), Classes(5, 4), faces=faces).outcome
    assert (done.damage, done.protection, done.taken) == (faces[0] + 5, faces[1] + 4, taken)


@rule("toaster.4.apply-damage")
def test_equal_rolls_do_nothing():
    assert load(after_defense_roll, landed(), Classes(5, 5), faces=[2, 2]).outcome.taken == 0
    assert load(after_defense_roll, landed(), Classes(5, 4), faces=[7, 3]).outcome.wounds == 1


@rule("toaster.4.wcac-scale")
def test_equal_classes_hurt_in_45_and_wound_in_15_of_100():
    sure = (Attacker(9, gate=0), Defender(rolls=False), Classes(8, 8))
    solved = odds(told(attack, "stun"), *sure)
    assert solved.at_least(1) == Fraction(9, 20)
    assert solved.mean() == Fraction(33, 20)
    assert solved.at_least(10) == 0
    assert odds(told(attack, "word"), *sure)["1"] == Fraction(3, 20)
    dice = Fraction(sum(a - b for a in range(10) for b in range(10)), 100)
    assert dice == 0


@rule("toaster.4.protection-modified")
def test_armour_piercing_comes_off_the_protection_roll():
    done = load(after_defense_roll, landed(), Classes(5, 4, piercing=-3), faces=[7, 3]).outcome
    assert (done.protection, done.taken) == (4, 8)


@rule("toaster.4.damage-roll-critical")
def test_the_gm_may_make_a_critical_harder():
    harm = Classes(5, 4, bonus=4)
    assert load(after_defense_roll, landed("critical"), harm, faces=[1, 1]).outcome.damage == 10
    assert load(after_defense_roll, landed("success"), harm, faces=[1, 1]).outcome.damage == 6


@rule("toaster.4.opt-same-die")
def test_one_die_for_attack_and_damage():
    ways = Ways(same_die=True)
    done = load(
        attack, Attacker(6, 5), Defender(5), Classes(6, 4), BANDS, ways, faces=[7, 2]
    ).outcome
    assert (done.attack, done.defense) == (13, 7)
    assert (done.damage, done.protection, done.taken) == (13, 6, 7)


@rule("toaster.4.opt-same-die-no-defence")
def test_without_a_defence_the_protection_die_is_fresh_and_nines_carry_over():
    ways = Ways(same_die=True)
    rules = Rules(Extended(nines=1))
    shot = Attacker(6, 10, reaches=True)
    done = load(
        attack, shot, Defender(rolls=False), Classes(5, 4), rules, ways, faces=[9, 4, 3]
    ).outcome
    assert (done.damage, done.protection) == (18, 7)
    four = load(
        attack, Attacker(6, 5, called=True), Defender(5), Classes(6, 4), BOOK, ways, faces=[2]
    ).outcome
    assert (four.damage, four.protection) == (10, 6)


@rule("toaster.4.opt-add-margin")
def test_the_margin_adds_to_damage():
    ways = Ways(add_margin=True)
    done = load(attack, Attacker(9, 5), Defender(5), Classes(5, 4), BOOK, ways, faces=[5, 3, 1, 1])
    assert (done.outcome.margin, done.outcome.damage) == (6, 12)
    open_ = load(
        attack, Attacker(9, 5), Defender(rolls=False), Classes(5, 4), BOOK, ways, faces=[5, 1, 1]
    )
    assert open_.outcome.damage == 1 + 5 + (14 - 5)


@rule("toaster.4.opt-add-margin")
@pytest.mark.parametrize(("face", "margin"), [(2, 1), (1, 0), (9, 8)])
def test_against_a_spoilt_defense_only_the_real_margin_is_added(face, margin):
    zeros, ways = Rules(Extended(zeros=True)), Ways(add_margin=True)
    faces = [face, ZERO, 9, 1, 1]
    done = load(attack, Attacker(3, 0), Defender(4), Classes(10, 0), zeros, ways, faces=faces)
    assert done.outcome.hit
    assert (done.outcome.margin, done.outcome.damage) == (margin, 1 + 10 + margin)


@rule("toaster.4.opt-double-roll")
@pytest.mark.parametrize(("band", "die"), [("critical", 8), ("marginal", 3)])
def test_critical_and_marginal_hits_roll_damage_twice(band, die):
    ways = Ways(double_roll=True)
    thrown = load(after_defense_roll, landed(band), Classes(5, 4), ways, faces=[3, 8, 1])
    assert thrown.outcome.rolls.damage_die == die
    assert [one.fate for one in thrown.trace.throws[:2]].count("dropped") == 1
    assert (
        load(
            after_defense_roll, landed("success"), Classes(5, 4), ways, faces=[3, 1]
        ).outcome.rolls.damage_die
        == 3
    )


@rule("toaster.4.opt-halve-marginal")
@pytest.mark.parametrize(("face", "net", "taken"), [(8, 7, 3), (2, 1, 0), (9, 10, 5)])
def test_marginal_hits_do_half_of_what_gets_through(face, net, taken):
    harm = Classes(5 + (net - face + 1), 5)
    done = load(
        after_defense_roll, landed("marginal"), harm, Ways(halve_marginal=True), faces=[face, 1]
    )
    assert (done.outcome.net, done.outcome.taken) == (net, taken)


@rule("toaster.4.opt-marginal-default")
def test_marginal_hits_are_halved_unless_damage_is_rolled_twice():
    done = load(after_defense_roll, landed("marginal"), Classes(9, 5), faces=[2, 1]).outcome
    assert (done.net, done.taken, done.wounds) == (5, 2, 0)
    twice = load(
        after_defense_roll,
        landed("marginal"),
        Classes(9, 5),
        Ways(double_roll=True),
        faces=[9, 2, 1],
    )
    assert (twice.outcome.net, twice.outcome.taken) == (5, 5)


@rule("toaster.4.opt-critical-table")
def test_a_margin_of_six_asks_the_critical_table_and_one_of_five_does_not():
    ways = Ways(critical=True, tables=Tables(CRITICALS))
    strike = (Attacker(9, 5), Defender(5), Classes(6, 4), BANDS, ways)
    six = load(attack, *strike, faces=[5, 3, 7, 4, 5, 1]).outcome
    assert (six.margin, six.critical.extra, six.damage) == (6, 5, 16)
    five = load(attack, *strike, faces=[5, 4, 5, 1]).outcome
    assert (five.margin, five.critical) == (5, None)


@rule("toaster.4.crit-trigger", "toaster.4.crit-once")
def test_a_fumbled_defence_asks_it_too_and_both_together_once():
    rules = Rules(Extended(zeros=True), bands=True)
    ways = Ways(critical=True, fumbled=True, tables=Tables(CRITICALS))
    both = load(
        attack,
        *(Attacker(9, 5), Defender(5), Classes(6, 4, bare=2), rules, ways),
        faces=[5, ZERO, 1, 5, 5, 5, 1],
    ).outcome
    assert (both.band, both.to_hit.defense.fumble) == ("critical", True)
    assert (both.rolls.ac, both.protection) == (0, 1)


@rule("toaster.4.partial-ac", "toaster.4.partial-switch")
def test_only_what_covers_the_place_protects():
    harm = Classes(6, 8, bare=3, places=(("Torso", 8), ("Head/Neck", 3)))
    ways = Ways(tables=Tables((), LOCATIONS))
    torso = load(after_defense_roll, landed(), harm, ways, faces=[2, 2, 5, 1]).outcome
    assert (torso.location.area, torso.rolls.ac) == ("Torso", 8)
    head = load(after_defense_roll, landed(), harm, ways, faces=[ZERO, 3, 5, 1]).outcome
    assert (head.location.area, head.rolls.ac) == ("Head/Neck", 3)


@rule("toaster.4.hitloc-invent")
def test_where_the_gm_says_the_place_no_dice_look_for_it():
    harm = Classes(6, 8, places=(("Head/Neck", 3),), area="Head/Neck")
    done = load(
        after_defense_roll, landed(), harm, Ways(tables=Tables((), LOCATIONS)), faces=[5, 1]
    ).outcome
    assert (done.location, done.rolls.ac) == (None, 3)


def test_too_few_dice_are_an_error():
    with pytest.raises(MissingFaces):
        load(attack, Attacker(9, 1), Defender(1), Classes(5, 4), faces=[9, 1])
