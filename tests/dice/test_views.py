"""Odds of a part of an outcome: the solver against plain enumeration."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

from kitchentable.dice import exploding, mechanic, odds, start_over, told
from kitchentable.dice.errors import DiceFault, NoSuchPart
from kitchentable.dice.solving import settle
from tests.dice.enumerating import enumerate_faces as brute


@dataclass(frozen=True, slots=True)
class Bout:
    """Two totals and what they mean."""

    ours: int
    theirs: int
    label: str = ""

    @property
    def lead(self) -> int:
        return self.ours - self.theirs

    @property
    def won(self) -> bool:
        return self.ours > self.theirs

    @property
    def leader(self) -> str | None:
        return None if self.ours == self.theirs else "us" if self.won else "them"

    def ahead_by(self, least):
        return self.lead >= least


@dataclass(frozen=True, slots=True)
class Evening:
    """A bout inside another outcome."""

    bout: Bout
    drinks: int


@mechanic
def bout(dice, many: int = 1) -> Bout:
    label = "kick" if dice.die(2) == 2 else ""
    return Bout(dice.total(many, 3), dice.total(many, 3), label)


@mechanic
def evening(dice) -> Evening:
    return Evening(bout(dice), dice.die(3))


@mechanic
def until_decided(dice, many: int = 1) -> Bout:
    one = Bout(dice.total(many, 3), dice.total(many, 3))
    return until_decided(dice, many) if one.lead == 0 else one


@mechanic
def not_both_ones(dice) -> Bout:
    one = Bout(dice.die(3), dice.die(3))
    return start_over() if one.ours + one.theirs == 2 else one


@mechanic
def one_number(dice):
    return bout(dice).lead + dice.die(3)


@mechanic
def one_question(dice):
    return "far" if bout(dice).lead + dice.die(3) >= 4 else "near"


@mechanic
def one_word(dice):
    return bout(dice).leader


@mechanic
def asked_twice(dice):
    one = bout(dice)
    return one.lead > 0, one.lead


@mechanic
def two_attributes(dice):
    one = bout(dice)
    return one.won, one.label


@mechanic
def an_attribute_then_all(dice):
    one = bout(dice)
    return one if one.won else one.label


@mechanic
def an_attribute_then_a_method(dice):
    one = bout(dice)
    return one.ahead_by(2) if one.lead > 0 else None


@mechanic
def another_on_every_path(dice):
    one = bout(dice)
    return one.won if dice.die(2) == 1 else one.ours


@mechanic
def two_results(dice):
    return bout(dice).lead + bout(dice).lead


@mechanic
def an_attribute_of_an_attribute(dice):
    return evening(dice).bout.lead >= 1


@mechanic
def compared_with_none(dice):
    one = bout(dice)
    who = one.leader
    return "nobody" if who is None else who


@mechanic
def nobody_at_all(dice):
    one = bout(dice)
    return dice.die(2) if one.leader is None else one.leader


@mechanic
def compared_as_a_whole(dice):
    one = bout(dice)
    return one is None, one.lead


@mechanic
def never_asked(dice):
    bout(dice)
    return dice.die(3)


@mechanic
def inside_another_outcome(dice):
    return Evening(bout(dice), dice.die(2))


@mechanic
def used_as_a_key(dice):
    return {-1: "down", 0: "even"}.get(bout(dice).lead, "up")


@mechanic
def asked_with_a_default(dice):
    return getattr(bout(dice), "nowhere", 0) + dice.die(2)


@mechanic
def may_catch(dice):
    try:
        return bout(dice).lead
    except AttributeError:
        return 0


@pytest.mark.parametrize(
    "roll",
    [
        *(one_number, one_question, one_word, asked_twice, two_attributes, an_attribute_then_all),
        *(an_attribute_then_a_method, another_on_every_path, two_results),
        *(
            an_attribute_of_an_attribute,
            compared_with_none,
            nobody_at_all,
            compared_as_a_whole,
            never_asked,
        ),
        *(inside_another_outcome, used_as_a_key, asked_with_a_default, may_catch),
    ],
    ids=lambda roll: roll.name,
)
def test_an_attribute_of_a_result_has_the_odds_that_enumeration_finds(roll):
    found, left = brute(roll)
    assert left == 0
    for _ in range(2):  # from nothing, and with the attributes solved before
        roll.forget()
        solved = odds(roll)
        assert dict(solved.items()) == found


LEADS = (lambda one: one.lead, lambda one: (one.won, one.leader), lambda one: one.leader)


@pytest.mark.parametrize(("roll", "by"), [*product((bout, not_both_ones), LEADS)])
def test_a_roll_told_in_part_has_the_odds_that_enumeration_finds(roll, by):
    found, left = brute(roll, most=8)
    whole = sum(found.values())
    expected = {}
    for outcome, chance in found.items():
        expected[by(outcome)] = expected.get(by(outcome), 0) + chance / whole
    assert (left == 0) == (roll is bout)
    solved = odds(told(roll, by))
    for outcome, chance in expected.items():
        assert abs(solved[outcome] - chance) <= left
    assert sum(solved.values()) == 1


@pytest.mark.parametrize("by", LEADS)
def test_a_roll_that_calls_itself_is_told_in_part_all_the_way(by):
    """However many dice: the totals are never listed, so 60 against 60 are a handful of paths."""
    found, left = brute(until_decided, most=8)
    solved = odds(told(until_decided, by))
    counted = {}
    for outcome, chance in found.items():
        counted[by(outcome)] = counted.get(by(outcome), 0) + chance
    assert left == Fraction(1, 3**4)
    assert dict(solved.items()) == {one: chance / (1 - left) for one, chance in counted.items()}
    assert odds(told(until_decided, lambda one: one.won), 60)[True] == Fraction(1, 2)


def test_what_nobody_looks_at_is_not_listed():
    @mechanic
    def hundreds(dice) -> Bout:
        return Bout(dice.total(60, 10), dice.total(60, 10))

    @mechanic
    def ahead(dice):
        return hundreds(dice).lead > 0

    assert odds(ahead)[True] < Fraction(1, 2)
    assert not hundreds.remembered


def test_an_attribute_that_is_none_is_asked_by_itself():
    @mechanic
    def hundreds(dice) -> Bout:
        return Bout(dice.total(60, 10), dice.total(60, 10))

    @mechanic
    def tied(dice):
        one = hundreds(dice)
        return one.leader is None

    assert odds(tied)[True] < Fraction(1, 20)
    assert not hundreds.remembered


def test_dice_without_an_end_that_nobody_looks_at_leave_nothing_open():
    @mechanic
    def thrown_away(dice):
        exploding(dice, 6)
        return dice.die(2)

    assert odds(thrown_away).unresolved == 0
    assert odds(thrown_away)[1] == Fraction(1, 2)


def test_the_same_part_of_a_roll_is_one_mechanic():
    assert told(bout, LEADS[0]) is told(bout, LEADS[0])
    assert told(bout, LEADS[0]) is not told(bout, LEADS[1])


def test_a_roll_is_told_by_the_name_of_a_field_or_property():
    assert told(bout, "lead") is told(bout, "lead")
    assert dict(odds(told(bout, "lead")).items()) == dict(odds(told(bout, LEADS[0])).items())
    assert odds(told(bout, "ours"))[3] == Fraction(1, 3)
    with pytest.raises(NoSuchPart, match=r"has no part 'leed'\. Did you mean lead"):
        told(bout, "leed")
    with pytest.raises(NoSuchPart, match="one_number has no annotation"):
        told(one_number, "lead")


def test_an_annotation_that_does_not_hold_is_refused():
    @mechanic
    def sometimes(dice) -> Bout:
        return Bout(1, 2) if dice.die(2) == 1 else None

    @mechanic
    def asks(dice):
        one = sometimes(dice)
        return 0 if one is None else one.lead

    @mechanic
    def asks_for_all(dice):
        one = sometimes(dice)
        return 0 if one is None else str(one)

    for roll in (asks, asks_for_all):
        with pytest.raises(DiceFault, match="sometimes is annotated to return Bout, but returned"):
            odds(roll)


def test_a_roll_that_looks_at_types_is_told_with_its_numbers_in_plain_sight():
    @mechanic
    def typed(dice):
        return "number" if type(dice.total(2)) is int else "something else"

    assert odds(told(typed, lambda one: one))["number"] == 1


def test_a_value_handed_on_along_many_paths_is_looked_through_once(monkeypatch):
    cells = tuple(Bout(at, at) for at in range(30))
    seen = []
    settled = settle.settled

    def counting(value, where):
        seen.append(value)
        return settled(value, where)

    monkeypatch.setattr(settle, "settled", counting)

    @mechanic
    def from_a_table(dice, table) -> Bout:
        return table[int(dice.die(30)) - 1]

    @mechanic
    def many_paths(dice):
        far = dice.total(20) > 70
        more = sum([dice.die(4) == 4 for _ in range(4)])
        return (from_a_table(dice, cells).lead, far, more)

    assert odds(many_paths)[0, True, 4] < Fraction(1, 4**4)
    assert seen.count(cells) == 1
