"""The mechanics alone: exploding decision dice, other dice, and their exact odds."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest

from kitchentable.dice import load, odds, told
from kitchentable.dice.errors import BadDie
from kitchentable.rulesets.lucky_stars.mechanics import (
    SIZES,
    Clash,
    Contest,
    Party,
    check,
    contest,
    contest_of_many,
    decision,
    decision_die,
    grade_of,
    lowered,
    other_dice,
    percent,
    supply,
    supply_left,
    supply_uses,
    winner_of,
)
from kitchentable.rulesets.lucky_stars.options import BOOK

rule = pytest.mark.rule


def thrown(n, *faces, plus=0, extras=()):
    return load(decision, n, plus, extras, faces=list(faces))


@rule("stars.2-formula")
def test_two_dice_a_stat_and_modifiers():
    assert thrown(2, 4, 3, plus=2 - 1).outcome == 8


@rule("stars.2-explode")
def test_a_six_brings_one_die_more():
    roll = thrown(2, 6, 2, 4)
    assert roll.outcome == 12
    assert [throw.fate for throw in roll.trace.throws].count("exploded") == 1


@rule("stars.2-explode-chain")
def test_sixes_go_on_on_the_same_die_and_on_several():
    roll = thrown(2, 6, 6, 6, 6, 1, 2)
    assert (roll.outcome, len(roll.trace.throws)) == (27, 2 + 4)
    both = thrown(2, 6, 1, 6, 6, 5)
    assert (both.outcome, len(both.trace.throws)) == (24, 2 + 3)


@rule("stars.2-explode-chain")
@pytest.mark.parametrize("faces", [(6, 2, 6, 6, 3), (6, 6, 6, 2, 3), (2, 6, 6, 6, 3)])
def test_in_whatever_order_dice_are_read_sum_and_number_are_the_same(faces):
    roll = thrown(2, *faces)
    assert (roll.outcome, len(roll.trace.throws)) == (sum(faces), 5)


@rule("stars.2-example-billy")
def test_billy_holds_the_gate():
    assert thrown(2, 3, 6, 6, 2).outcome == 17
    assert odds(decision).at_least(17) == Fraction(13, 216)


@rule("stars.2-no-max")
def test_there_is_no_highest_result():
    roll = thrown(2, *[6] * 50, 1, 1)
    assert (roll.outcome, len(roll.trace.throws)) == (302, 52)
    assert odds(decision).at_least(302) > 0


@rule("stars.2-no-max")
def test_only_what_no_dice_do_is_stopped_and_says_so():
    with pytest.raises(BadDie, match="stopped after 100 explosions"):
        thrown(2, *[6] * 200)


@rule("stars.2-explode-only-decision")
def test_dice_from_elsewhere_do_not_explode():
    roll = thrown(2, 6, 2, 3, extras=(("Luck", 1, 6),))
    assert roll.outcome == 11
    assert [(throw.label, throw.fate) for throw in roll.trace.throws] == [
        ("Luck", "kept"),
        ("decision", "kept"),
        ("decision", "kept"),
    ]
    assert load(other_dice, 2, 6, 1, faces=[6, 6]).outcome == 13
    assert max(odds(other_dice, 2, 6, 0)) == 12


@rule("stars.2-decision-dice")
def test_decision_dice_are_told_apart_from_others():
    roll = thrown(3, 4, 6, 1, 2, 3, extras=(("Luck", 1, 4),))
    labels = [throw.label for throw in roll.trace.throws]
    assert labels == ["Luck", *["decision"] * 4]


@rule("stars.2.1-claim-average")
def test_the_claim_about_the_average_is_wrong_for_the_mean():
    two = odds(decision)
    assert (two.mean(), two.median(), two.mode()) == (Fraction(42, 5), 7, 6)
    assert two[6] == Fraction(5, 36)
    assert odds(decision_die).mean() == Fraction(21, 5)


@rule("stars.2.1-claim-over15", "stars.2.1-claim-12", "stars.2.1-claim-8")
def test_the_other_claims_about_the_odds_are_true():
    plain, better = odds(decision), odds(decision, 2, 1)
    assert plain.more_than(15) == Fraction(11, 144) < Fraction(1, 10)
    assert (plain.at_least(12), better.at_least(12)) == (Fraction(23, 108), Fraction(1, 4))
    assert (plain.at_least(8), better.at_least(8)) == (Fraction(17, 36), Fraction(7, 12))


@rule("stars.2.1-mods-move")
def test_the_claim_about_small_modifiers_holds_for_low_targets_only():
    def gains(target):
        chances = [odds(decision, 2, plus).at_least(target) for plus in range(7)]
        return [after - before for before, after in itertools.pairwise(chances)]

    assert max(gains(7)) == gains(7)[0]
    assert max(range(2, 23), key=lambda target: gains(target)[0]) == 7
    said = [round(float(gains(target)[0]) * 100) for target in (7, 8, 12)]
    assert said == [14, 11, 4]
    effect = next(one.effect for one in BOOK.options if one.key == "stats")
    assert "it adds 14 points there, 11 at 8 and 4 at 12" in effect
    assert gains(12)[0] == Fraction(1, 27)
    assert gains(12)[5] == Fraction(5, 36)
    assert gains(8)[1] > gains(8)[0] == Fraction(1, 9)


@rule("stars.2.3-success", "stars.2.3-failure", "stars.4.2-tie-target")
def test_equal_to_the_target_is_enough():
    grades = [load(check, 2, plus, (), 12, faces=[5, 4]).outcome.grade for plus in (2, 3, 4)]
    assert grades == ["failure", "success", "success"]


def test_the_winner_has_the_odds_of_all_dice_one_by_one():
    """Luck and two decision dice and 1 against one die and 3: Luck stays when a tie is broken."""
    sides = (Party(2, 1, (("Luck", 1, 6),)), Party(1, 3))
    one = {6 * sixes + face: Fraction(1, 6 ** (sixes + 1)) for sixes in range(8)
           for face in range(1, 6)}  # fmt: skip
    wins = Fraction(0)
    two: Counter[int] = Counter()
    for (a, p), (b, q) in itertools.product(one.items(), repeat=2):
        two[a + b] += p * q
    for luck in range(1, 7):
        ahead: Counter[int] = Counter()
        for (both, p), (other, r) in itertools.product(two.items(), one.items()):
            lead = both + luck + 1 - other - 3
            ahead[(lead > 0) - (lead < 0)] += p * r
        wins += Fraction(1, 6) * ahead[1] / (ahead[1] + ahead[-1])
    assert abs(odds(told(contest, winner_of), *sides)["first"].low - wins) < Fraction(1, 10**5)


@pytest.mark.parametrize("target", [4, 7, 12, 20, 40])
@pytest.mark.parametrize("extras", [(), (("Luck", 1, 6),)])
def test_the_odds_of_a_task_are_exact(target, extras):
    solved = odds(told(check, grade_of), 2, 1, extras, target)
    assert solved.exact
    assert solved["success"] == odds(decision, 2, 1, extras).at_least(target)


@rule("stars.4.1-contest")
def test_the_higher_total_has_it():
    outcome = load(contest, Party(2, 1), Party(), faces=[5, 4, 6, 2, 1]).outcome
    assert outcome == Contest(0, Clash(10, 9))
    assert (outcome.winner, outcome.first, outcome.second, outcome.tied) == ("first", 10, 9, ())


@rule("stars.4.2-tie-contest")
def test_a_tie_is_thrown_again_until_it_is_none():
    roll = load(contest, Party(), Party(), faces=[5, 4, 6, 2, 1, 4, 3, 5, 2, 4, 4, 3, 3])
    assert roll.outcome == Contest(0, Clash(9, 9, (Clash(7, 7, (Clash(8, 6),)),)))
    assert (roll.outcome.tied, str(roll.outcome)) == ((9, 7), "first wins, 8 to 6")
    fates = [(throw.fate, throw.why) for throw in roll.trace.throws]
    assert fates == [("thrown again", "a tie")] * 9 + [("kept", "")] * 4


@rule("stars.4.2-tie-contest")
def test_luck_stays_when_a_tie_is_thrown_again():
    luck = Party(2, 0, (("Luck", 1, 6),))
    roll = load(contest, luck, Party(), faces=[3, 2, 3, 4, 4, 1, 1, 2, 2])
    assert roll.outcome == Contest(0, Clash(8, 8, (Clash(5, 4),)))
    assert [throw.label for throw in roll.trace.throws].count("Luck") == 1


@rule("stars.4.2-tie-contest")
def test_a_contest_never_ends_as_a_tie_and_is_fair_among_equals():
    even = odds(told(contest, winner_of), Party(), Party())
    assert set(even) == {"first", "second"}
    assert even["first"].low == even["second"].low
    assert even.unresolved < Fraction(1, 10**18)
    ahead, behind = (odds(told(contest, winner_of), Party(2, plus), Party()) for plus in (3, -3))
    assert abs(ahead["first"].low - behind["second"].low) < Fraction(1, 10**18)


@rule("stars.4.2-tie-contest")
def test_of_many_only_those_who_tie_for_the_highest_throw_again():
    everyone = (("a", Party()), ("b", Party()), ("c", Party(2, 1)))
    faces = [4, 4, 2, 1, 4, 3, 1, 1, 5, 5]
    roll = load(contest_of_many, everyone, faces=faces)
    assert roll.outcome == (("c", 11), ("a", 2), ("b", 3))
    assert [throw.fate for throw in roll.trace.throws[:6]] == [
        *("dropped", "dropped", "kept", "kept", "dropped", "dropped")
    ]


@rule("stars.5.1-supply-roll", "stars.5.1-supply-no-explode")
@pytest.mark.parametrize("size", [12, 10, 8, 6, 4])
def test_a_supply_die_shows_its_faces_and_nothing_more(size):
    solved = odds(supply, size)
    assert {solved[face] for face in range(1, size + 1)} == {Fraction(1, size)}
    assert len(solved) == size
    assert lowered(size, size) == size


@rule("stars.5.1-supply-lower", "stars.5.1-supply-empty", "stars.5.1-supply-sizes")
def test_three_or_less_takes_it_down_one_size():
    drops = {size: odds(supply_left, size)[lowered(size, 3)] for size in SIZES if size}
    assert drops == {
        12: Fraction(1, 4),
        10: Fraction(3, 10),
        8: Fraction(3, 8),
        6: Fraction(1, 2),
        4: Fraction(3, 4),
    }
    assert [lowered(12, face) for face in (3, 4)] == [10, 12]
    assert lowered(6, 1) == 4
    assert [lowered(4, face) for face in (3, 4)] == [0, 4]


@rule("stars.5.1-supply-purpose")
def test_how_long_a_supply_lasts_on_average():
    means = {size: odds(supply_uses, size).mean() for size in SIZES}
    assert means == {
        12: Fraction(40, 3),
        10: Fraction(28, 3),
        8: 6,
        6: Fraction(10, 3),
        4: Fraction(4, 3),
        0: 0,
    }
    assert odds(supply_uses, 12).exact
    assert load(supply_uses, 6, faces=[6, 2, 4, 3]).outcome == 4


@rule("stars.5.2-d100-range")
def test_a_d100_goes_from_1_to_100():
    solved = odds(percent)
    assert (min(solved), max(solved), len(solved)) == (1, 100, 100)
    assert {solved[face] for face in solved} == {Fraction(1, 100)}
    assert [load(percent, faces=[face]).outcome for face in (1, 100)] == [1, 100]
