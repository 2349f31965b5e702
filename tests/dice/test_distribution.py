"""Queries and display of a distribution."""

import subprocess
import sys
from enum import Enum
from fractions import Fraction

import pytest

from kitchentable.dice import (
    BadInput,
    Interval,
    NotANumber,
    NotationError,
    TooManyPaths,
    Unresolved,
    exploding,
    mechanic,
    odds,
    table,
)
from kitchentable.dice.distribution import Distribution
from kitchentable.dice.solving.keys import make_key
from kitchentable.dice.solving.solution import Solution
from kitchentable.dice.solving.solver import Solver

F = Fraction


class Side(Enum):
    OURS = "ours"
    THEIRS = "theirs"


@mechanic
def two_dice(dice):
    return dice.total(2, 3)


@mechanic
def sided(dice):
    return Side.THEIRS if dice.die(4) == 1 else Side.OURS


@mechanic
def exploding_or_flub(dice):
    return "flub" if dice.die(3) == 1 else exploding(dice, 4)


OPEN = Distribution(Solution({1: 2, 3: 3}, 6))


def test_outcomes_and_chances_in_order():
    distribution = odds(two_dice)
    assert distribution.items() == (
        (2, F(1, 9)),
        (3, F(2, 9)),
        (4, F(3, 9)),
        (5, F(2, 9)),
        (6, F(1, 9)),
    )
    assert list(distribution) == distribution.keys() == [2, 3, 4, 5, 6]
    assert len(distribution) == 5
    assert 4 in distribution
    assert 7 not in distribution
    assert distribution[7] == 0
    assert odds(sided).keys() == [Side.OURS, Side.THEIRS]


def test_questions_about_numbers():
    distribution = odds(two_dice)
    assert distribution.at_least(5) == F(1, 3)
    assert distribution.more_than(5) == F(1, 9)
    assert distribution.at_most(3) == F(1, 3)
    assert distribution.less_than(3) == F(1, 9)
    assert distribution.at_least(F(9, 2)) == F(1, 3)
    assert distribution.at_most(F(9, 2)) == F(2, 3)
    assert distribution.chance(lambda value: value % 2 == 0) == F(5, 9)
    assert (distribution.mean(), distribution.variance()) == (4, F(4, 3))
    assert (distribution.median(), distribution.mode()) == (4, 4)
    assert [distribution.quantile(q) for q in (0, F(1, 9), F(1, 8), 1)] == [2, 2, 3, 6]


def test_words_are_not_numbers():
    distribution = odds(sided)
    assert distribution[Side.OURS] == F(3, 4)
    assert distribution.mode() is Side.OURS
    for ask in (distribution.mean, distribution.median, lambda: distribution.at_least(1)):
        with pytest.raises(NotANumber, match="Side"):
            ask()


def test_an_outcome_with_a_line_break_is_one_line_of_a_table():
    two_lines = odds(lambda dice: "a\nb" if dice.die(4) == 1 else "c")
    assert str(two_lines) == "a b  25.00 %  ██████████\nc    75.00 %  " + 30 * "█"
    assert str(table(a=two_lines)).splitlines()[1] == "a b      25.00 %"
    assert repr(two_lines) == "<Distribution of 2 outcomes: a b, c>"
    assert two_lines["a\nb"] == F(1, 4)


def test_mapping_and_comparing():
    distribution = odds(two_dice)
    assert dict(distribution.map(lambda v: "high" if v > 4 else "low").items()) == {
        "high": F(1, 3),
        "low": F(2, 3),
    }
    higher, same, lower = distribution.compare(distribution)
    assert higher == lower == F(31, 81)
    assert same == F(19, 81)
    # 2 to 6 with chances 1 2 3 2 1 of 9, against an exploding d4: exact where one of both ends.
    assert odds(exploding, 4).compare(distribution) == (F(1, 4), F(5, 48), F(31, 48))
    assert distribution.compare(odds(exploding, 4)) == (F(31, 48), F(5, 48), F(1, 4))
    endless = odds(exploding, 4).compare(odds(exploding, 6))
    assert isinstance(endless.higher, Interval)
    assert endless.higher.high - endless.higher.low < F(1, 10**18)


def test_equality_is_about_chances():
    assert odds(two_dice) == Distribution(Solution({2: 2, 3: 4, 4: 6, 5: 4, 6: 2}, 18))
    assert hash(odds(two_dice)) == hash(Distribution.of(dict(odds(two_dice).items())))
    assert odds(two_dice) != odds(sided)
    assert odds(two_dice) != 1


def test_numbers_without_end_beside_other_outcomes():
    distribution = odds(exploding_or_flub)
    assert distribution.exact
    assert distribution["flub"] == F(1, 3)
    assert distribution[4] == 0
    assert distribution[5] == F(2, 3) * F(1, 16)
    assert distribution.chance(lambda outcome: outcome == "flub").low == F(1, 3)
    assert sum(distribution.values()) + distribution.unresolved == 1
    with pytest.raises(NotANumber):
        distribution.mean()


class TestWhatIsUnresolved:
    def test_chances_are_intervals(self):
        assert OPEN.unresolved == F(1, 6)
        assert OPEN[1] == Interval(F(1, 3), F(1, 2))
        assert OPEN[5] == Interval(F(0), F(1, 6))
        assert OPEN.at_least(2) == Interval(F(1, 2), F(2, 3))
        assert OPEN.at_most(1) == Interval(F(1, 3), F(1, 2))
        assert F(2, 5) in OPEN[1]
        assert str(OPEN[1]) == "between 0.333 and 0.5"

    def test_no_mean_is_made_up(self):
        for ask in (
            OPEN.mean,
            OPEN.variance,
            lambda: OPEN.quantile(F(2, 5)),
            lambda: OPEN.quantile(F(1, 10)),
        ):
            with pytest.raises(Unresolved):
                ask()
        assert OPEN.quantile(F(1, 4)) == 1
        assert OPEN.resolved().mean() == F(11, 5)
        assert OPEN.resolved().unresolved == 0

    def test_maps_keep_it(self):
        assert OPEN.map(lambda value: value > 2).unresolved == F(1, 6)

    def test_nothing_known(self):
        nothing = Distribution(Solution({}, 1))
        assert nothing.unresolved == 1
        with pytest.raises(Unresolved):
            nothing.mode()


def test_shares_lie_between_0_and_1():
    with pytest.raises(BadInput):
        odds(two_dice).quantile(2)


def test_as_text():
    assert str(odds(sided)) == (
        "ours    75.00 %  ██████████████████████████████\ntheirs  25.00 %  ██████████"
    )
    endless = str(odds(exploding, 6))
    assert endless.splitlines()[0].startswith("1   16.67 %")
    assert "rarer outcomes, together" in endless
    assert "even higher: " in endless
    assert "unresolved: 0.17" in str(OPEN)
    assert repr(odds(sided)) == "<Distribution of 2 outcomes: ours, theirs>"


def test_as_a_page():
    assert "<th scope='row'>ours</th><td>75.00 %</td>" in odds(sided)._repr_html_()
    escaped = Distribution(Solution({"<b>": 1}, 1))._repr_html_()
    assert "&lt;b&gt;" in escaped
    assert "<b>" not in escaped


def test_as_a_chart():
    figure = odds(sided).plot()
    (axes,) = figure.axes
    assert [bar.get_height() for bar in axes.patches] == [0.75, 0.25]


def test_a_chart_without_the_library_is_a_clear_error():
    script = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda n: None if n == 'matplotlib' else find(n)\n"
        "from kitchentable.dice import exploding, odds, NoChart\n"
        "try:\n    odds(exploding, 6).plot()\n"
        "except NoChart as error:\n    print(error.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "dice/no-chart\n"


def test_odds_are_remembered_by_value_and_kind():
    calls = []

    @mechanic
    def shown(dice, value):
        calls.append(value)
        return f"{value}" if dice.die(2) == 1 else "-"

    assert odds(shown, 1) is odds(shown, 1)
    seen = len(calls)
    assert odds(shown, True).keys() == ["-", "True"]
    assert odds(shown, value=1) == odds(shown, 1)
    odds(shown, 1)
    assert len(calls) == seen + 6
    shown.forget()
    odds(shown, 1)
    assert len(calls) == seen + 9


@mechanic
def _stays(dice, each: int, times: int) -> int:
    """How many throws it takes until this many of them showed the highest face."""
    if times == 0:
        return 0
    return 1 + _stays(dice, each, times - (dice.die(each) == each))


def test_a_list_of_pages_of_digits_is_rounded_down_and_what_that_takes_is_counted():
    """Exact, the last of thousands of fractions would have tens of thousands of digits."""
    waits = odds(_stays, 60, 6)
    assert waits.mean() == 360
    assert waits.exact
    assert 0 < waits.unresolved < Fraction(1, 2**70)
    assert sum(waits.values()) + waits.unresolved == 1
    for value in (6, 7, 200):
        assert 0 <= waits[value] - dict(waits.items())[value] <= Fraction(1, 2**95)


def test_rounding_agrees_with_the_exact_list_where_both_can_be_had():
    law = Solver().solve(make_key(_stays, (6, 3), {})).law
    left = Fraction(1, 2**60)
    rounded = law.rounded(96, left)
    assert sum(rounded.values()) > (1 - left) * 2**96
    for value, weight in rounded.items():
        assert 0 <= law.chance(value) - Fraction(weight, 2**96) <= Fraction(1, 2**95)


def test_a_table_of_many_numbers_shows_ranges_and_leaves_nothing_out():
    flat = Distribution(Solution(dict.fromkeys(range(-3, 1248), 1), 1251))
    lines = str(flat).splitlines()
    assert len(lines) == 97
    assert lines[0].split()[:4] == ["-3", "to", "9", "1.04"]
    assert lines[-1].split()[:3] == ["1245", "to", "1247"]
    assert "<th scope='row'>10 to 22</th>" in flat._repr_html_()
    assert len(flat.rows()) == len(flat.csv().splitlines()) - 1 == 1251
    assert (
        len(str(Distribution(Solution(dict.fromkeys(range(1000), 1), 1000))).splitlines()) == 1000
    )
    pairs = {(number, "hit"): 1 for number in range(1100)}
    assert len(str(Distribution(Solution(pairs, 1100))).splitlines()) == 1100


@mechanic
def halved(dice):
    return dice.die(6) / 2


@mechanic
def boundless(dice):
    return float("inf") if dice.die(6) == 6 else 1


@mechanic
def lost(dice):
    return lost(dice)


@mechanic
def found_or_lost(dice):
    return 1 if dice.die(6) == 6 else lost(dice)


def test_floats_have_exact_moments():
    found = odds(halved)
    assert (found.mean(), found.variance()) == (F(7, 4), F(35, 48))
    assert found.at_least(1.5) == F(2, 3)
    assert found.summary()[0] == "mean 1.75 = 7/4"
    assert "7/4" in found._repr_html_()


def test_an_infinite_outcome_has_chances_but_no_mean():
    found = odds(boundless)
    assert found.at_least(2) == found[float("inf")] == F(1, 6)
    assert found.summary() == ()
    assert "16.67 %" in found._repr_html_()
    with pytest.raises(NotANumber, match="no mean"):
        found.mean()


@pytest.mark.parametrize("found", [odds("2d6"), odds("1d6!")], ids=["finite", "infinite"])
def test_cumulative_chances_of_any_number(found):
    assert found.at_least(4.5) == found.at_least(F(9, 2)) == found.at_least(5)
    assert (found.at_least(float("inf")), found.at_most(float("inf"))) == (0, 1)
    assert (found.at_least(float("-inf")), found.less_than(float("-inf"))) == (1, 0)
    assert found.between(3.5, float("inf")) == found.at_least(4)
    for value in (float("nan"), "five", (5,), [5]):
        with pytest.raises(NotANumber):
            found.at_least(value)
        with pytest.raises(NotANumber):
            found.at_most(value)
        with pytest.raises(NotANumber):
            found.between(2, value)


def test_chances_far_beyond_what_memory_holds_are_refused():
    with pytest.raises(TooManyPaths, match="too much memory"):
        odds("1d6!").at_least(10**9)
    with pytest.raises(NotationError):
        odds("(1d6!)>=1000000")


def test_what_never_ends_stays_so_in_every_combination():
    found, die = odds(found_or_lost), odds("1d6")
    assert (found + die).never == (found * die).never == found.map(str).never == F(5, 6)
    assert (found + found).never == 1 - F(1, 36)
    assert (found + odds("1d6!")).never == F(5, 6)
    assert found.mix(die, weights=(1, 2)).never == F(5, 18)
    assert found.map(str)["1"] == F(1, 6)
    assert found.given(lambda value: value == 1)[1] == 1
    assert found.compare(die) == (0, F(1, 36), F(5, 36))


@pytest.mark.parametrize("chances", [{1: 0.5}, {1: F(3, 2)}, {1: F(-1, 2), 2: F(3, 2)}, {1: "1"}])
def test_what_is_no_chance_is_refused(chances):
    with pytest.raises(BadInput, match=r"The chance of|add up to"):
        Distribution.of(chances)


def test_nothing_resolved_has_no_conditional_distribution():
    with pytest.raises(Unresolved, match="No outcome is resolved"):
        Distribution.of({}).resolved()


@pytest.mark.parametrize("within", [-1, float("nan"), "1"])
@pytest.mark.parametrize("roll", ["1d20", two_dice], ids=str)
def test_an_impossible_limit_of_time_is_refused(roll, within):
    with pytest.raises(BadInput, match="within is a number of seconds"):
        odds(roll, within=within)


def test_numbers_too_long_for_a_float_are_finite():
    long = Distribution.of({10**400: F(1, 2), 1: F(1, 2)})
    assert long.at_least(10**399) == F(1, 2)
    assert long.mean() == F(10**400 + 1, 2)


def test_tables_show_what_is_unresolved_as_intervals():
    half = Distribution.of({1: F(1, 2), 2: F(1, 4)})
    _, first, second = str(table(half=half, die=odds("1d2"))).splitlines()
    assert "50.00 % to 75.00 %" in first
    assert "25.00 % to 50.00 %" in second
    assert "25.00 % to 50.00 %" in str(table(half=half, cumulative="at least"))
    assert half.rows()[0]["chance"] == half[1] == Interval(F(1, 2), F(3, 4))
    with pytest.raises(Unresolved, match="Only bounds are known"):
        half.csv()
