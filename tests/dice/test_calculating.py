"""Distributions as values: sums, products, comparisons, conditions, mixtures, tables, charts."""

import csv
import io
from collections import Counter
from fractions import Fraction
from itertools import product
from operator import add, floordiv, ge, gt, le, lt, mul, sub

import pytest

import kitchentable as kt
from kitchentable.dice import (
    BadInput,
    Distribution,
    Interval,
    KitchenTableError,
    NoSuchOutcome,
    NotANumber,
    NotSolved,
    Unresolved,
    exploding,
    mechanic,
    odds,
)
from kitchentable.dice.solving import paths

F = Fraction
LEFT, RIGHT = "1d6-2", "2d3"
ENDLESS = odds(exploding, 4)


def by_hand(operation):
    """What an operation makes of every pair of throws of LEFT and RIGHT."""
    faces = range(1, 4)
    pairs = product((face - 2 for face in range(1, 7)), map(sum, product(faces, faces)))
    counts = Counter(operation(a, b) for a, b in pairs)
    return {value: F(count, 54) for value, count in counts.items()}


@pytest.mark.parametrize("operation", [add, sub, mul, floordiv, lt, le, gt, ge])
def test_every_operation_agrees_with_counting_pairs(operation):
    assert dict(operation(odds(LEFT), odds(RIGHT)).items()) == by_hand(operation)


def test_numbers_stand_on_either_side():
    die = odds("1d4")
    assert (die + 1).keys() == (1 + die).keys() == [2, 3, 4, 5]
    assert (10 - die).keys() == [6, 7, 8, 9]
    assert (2 * die).keys() == (die * 2).keys() == [2, 4, 6, 8]
    assert (-die).keys() == [-4, -3, -2, -1]
    assert (die // 2).items() == ((0, F(1, 4)), (1, F(1, 2)), (2, F(1, 4)))
    assert (die * F(1, 2)).mean() == F(5, 4)
    assert sum([die, die, die]) == odds("3d4")
    assert (die < 2)[True] == F(1, 4)


def test_sums_and_multiples_of_endless_dice_stay_exact():
    two = ENDLESS + ENDLESS
    assert two.exact
    assert two.mean() == 2 * ENDLESS.mean() == F(20, 3)
    assert two.variance() == 2 * ENDLESS.variance()
    # Two exploding d4: 6 is 1+5, 2+... of faces 1 to 3 and, after a 4, 5 to 7.
    assert two[6] == 2 * F(1, 4) * F(1, 16) + F(1, 16)
    assert (ENDLESS + odds("1d4"))[2] == F(1, 16)
    assert (ENDLESS * 2)[6] == F(1, 4)
    assert (ENDLESS * 2)[5] == 0
    assert (ENDLESS * 2).mean() == 2 * ENDLESS.mean()
    assert (ENDLESS * F(2))[6] == F(1, 4)


@pytest.mark.parametrize("none", [0, F(0), odds("1d4!") * 0])
def test_nothing_is_left_of_infinite_dice_times_0(none):
    for found in (ENDLESS * none, none * ENDLESS):
        assert (dict(found.items()), found.unresolved, found.mean()) == ({0: 1}, 0, 0)
    assert (ENDLESS - 1)[0] == F(1, 4)


def test_other_results_of_endless_dice_have_exact_figures_and_a_stated_rest():
    difference = ENDLESS - ENDLESS
    assert not difference.exact
    assert 0 < difference.unresolved < F(1, 2**70)
    assert difference.mean() == 0
    assert difference.variance() == 2 * ENDLESS.variance()
    assert (ENDLESS * ENDLESS).mean() == F(100, 9)
    with pytest.raises(Unresolved):
        (ENDLESS // 2).mean()


def test_comparisons_with_an_endless_die_are_exact():
    assert (ENDLESS >= 5)[True] == F(1, 4)
    assert (ENDLESS >= 5)[False] == F(3, 4)
    assert (odds("1d4") < ENDLESS)[True] == F(1, 4) + F(1, 4) * F(3, 4)


def test_a_distribution_is_neither_true_nor_false():
    with pytest.raises(BadInput, match="neither true nor false"):
        bool(odds("1d6") > 3)
    with pytest.raises(BadInput):
        sorted([odds("1d6"), odds("1d4")])


def test_what_cannot_be_calculated_is_refused():
    with pytest.raises(NotANumber, match="Fraction"):
        odds("1d6") * 0.5
    with pytest.raises(NotANumber):
        odds("1d6") + "1d4"
    with pytest.raises(NotANumber):
        odds(lambda dice: "hit" if dice.die(2) == 1 else "miss") + 1
    with pytest.raises(BadInput, match="divisor can be 0"):
        odds("1d6") // odds("1d2-1")


def test_conditions():
    assert odds("2d6").given(lambda total: total >= 10).items() == (
        (10, F(1, 2)),
        (11, F(1, 3)),
        (12, F(1, 6)),
    )
    with pytest.raises(BadInput, match="No outcome"):
        odds("2d6").given(lambda total: total > 12)
    open_ = Distribution.of({1: F(1, 2), 2: F(1, 4)}).given(lambda one: one == 1)
    assert open_[1] == Interval(F(2, 3), F(1))
    with pytest.raises(Unresolved):
        Distribution.of({1: F(1, 2)}).given(lambda one: one == 2)


def test_mixtures():
    mixed = odds("1d2").mix(odds("1d4"), weights=(3, 1))
    assert mixed.items() == ((1, F(7, 16)), (2, F(7, 16)), (3, F(1, 16)), (4, F(1, 16)))
    assert odds("1d2").mix(odds("1d4"))[4] == F(1, 8)
    endless = ENDLESS.mix(odds("1d4"), odds(lambda dice: "flub"))
    assert endless.exact
    assert endless["flub"] == F(1, 3)
    assert endless[5] == F(1, 48)
    assert endless[1] == F(1, 6)
    for wrong in ((1,), (1, -1), (0, 0), (F(1, 2), 1)):
        with pytest.raises(BadInput):
            odds("1d2").mix(odds("1d4"), weights=wrong)


def test_deviation_and_what_lies_between():
    assert odds("2d6").deviation() == pytest.approx((35 / 6) ** 0.5)
    assert odds("2d6").between(6, 8) == F(4, 9)
    assert odds("2d6").between(8, 6) == 0
    assert ENDLESS.between(5, 8) == F(3, 16)


def test_at_least_and_at_most_as_tables():
    die = odds("1d4")
    assert die.at_least() == {1: 1, 2: F(3, 4), 3: F(1, 2), 4: F(1, 4)}
    assert die.at_most() == {value: die.at_most(value) for value in die}
    assert ENDLESS.at_least()[5] == ENDLESS.at_least(5) == F(1, 4)
    with pytest.raises(NotANumber):
        odds(lambda dice: "hit").at_least()


def test_side_by_side():
    both = kt.table("1d2", "2d2", cumulative="at least")
    assert str(both).splitlines() == [
        "outcome       1d2       2d2",
        "1        100.00 %  100.00 %",
        "2         50.00 %  100.00 %",
        "3          0.00 %   75.00 %",
        "4          0.00 %   25.00 %",
    ]
    assert kt.table("1d2", "2d2").rows()[3] == {"outcome": 4, "1d2": None, "2d2": F(1, 4)}
    named = kt.table(ours=odds("1d2"), theirs="1d2")
    assert named.csv() == "outcome,ours,theirs\n1,0.5,0.5\n2,0.5,0.5\n"
    assert "<th scope='col'>ours</th>" in named._repr_html_()
    assert repr(named) == "<Columns of 2 outcomes: ours, theirs>"
    with pytest.raises(BadInput, match="at least"):
        kt.table("1d2", cumulative="more")


def test_records_and_comma_separated_values():
    read = list(csv.DictReader(io.StringIO(odds("2d6").csv())))
    assert [row["outcome"] for row in read] == [str(value) for value in range(2, 13)]
    assert float(read[-1]["at least"]) == pytest.approx(1 / 36)
    assert odds("1d2").rows()[0] == {
        "outcome": 1,
        "chance": F(1, 2),
        "at least": 1,
        "at most": F(1, 2),
    }
    words = odds(lambda dice: "hit, hard" if dice.die(2) == 1 else "miss")
    assert words.csv() == 'outcome,chance\n"hit, hard",0.5\nmiss,0.5\n'


def test_charts_of_several_with_percentages():
    figure = odds("1d6").plot(odds("1d4"), cumulative="at least", names=("d6", "d4"), title="Dice")
    (axes,) = figure.axes
    assert [list(line.get_xdata()) for line in axes.lines] == [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4]]
    assert list(axes.lines[1].get_ydata()) == [1, 0.75, 0.5, 0.25]
    assert axes.get_title() == "Dice"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["d6", "d4"]
    assert axes.yaxis.get_major_formatter()(0.25).endswith("%")
    with pytest.raises(BadInput, match="one name"):
        odds("1d6").plot(names=("a", "b"))


def test_a_notebook_sees_mean_and_deviation():
    page = odds("2d6")._repr_html_()
    assert "mean 7; deviation 2.415; median 7" in page
    assert page.count("<tr>") == 11
    assert "<caption>200 throws</caption>" in kt.sample("1d2", n=200)._repr_html_()


class TestKeys:
    def test_a_number_that_cannot_come_out_has_no_chance(self):
        assert odds("2d6")[13] == odds("2d6")[-1] == odds("2d6")[F(7, 2)] == 0
        assert odds("(2d6)>=2")[False] == 0
        assert odds(lambda dice: (dice.die(6), "x"))[7, "x"] == 0

    @pytest.mark.parametrize("key", ["six", "", None, (1, 2)])
    def test_what_no_outcome_can_be_is_a_key_error_with_the_outcomes(self, key):
        with pytest.raises(KeyError) as caught:
            odds("2d6")[key]
        assert isinstance(caught.value, KitchenTableError)
        assert caught.value.code == "dice/no-such-outcome"
        assert "The outcomes are: 2 to 12." in str(caught.value)
        assert odds("2d6").get(key) == 0

    def test_a_misspelt_word_is_told_the_near_one(self):
        hit = odds(lambda dice: "hit" if dice.die(3) == 1 else "miss")
        with pytest.raises(NoSuchOutcome, match="Did you mean miss"):
            hit["mis"]
        assert hit["hit"] == F(1, 3)

    def test_words_stand_for_outcomes_that_come_to_the_same(self):
        parity = odds("1d6").worded(lambda value: "odd" if value % 2 else "even")
        assert parity["odd"] == F(1, 2)
        assert parity[6] == F(1, 6)
        assert len(str(parity).splitlines()) == 2
        assert repr(parity) == "<Distribution of 2 outcomes: odd, even>"
        assert parity.given(lambda value: value > 4)["odd"] == F(1, 2)


class TestWhatCanBeRolled:
    def test_notation_mechanics_and_functions_alike(self):
        def check(dice, bonus):
            return dice.die(20) + bonus

        marked = mechanic(check)
        assert odds(check, 2) == odds(marked, 2) == odds("1d20+2")
        assert odds(check, 2) is odds(check, 2)
        for what, args in ((check, (2,)), (marked, (2,)), ("1d20+2", ())):
            thrown = kt.roll(what, *args, faces=[7])
            assert thrown.outcome == 9
            assert kt.sample(what, *args, n=50).n == 50
        assert kt.odds is odds
        assert kt.sample("2d6", n=2000).n == 2000
        assert kt.sample("1000d10000", n=3).n == 3

    def test_a_function_that_calls_itself_without_being_marked(self):
        def clash(dice, ours, theirs):
            a, b = dice.total(ours), dice.total(theirs)
            return clash(dice, ours, theirs) if a == b else a > b

        won = odds(clash, 1, 1)[True]
        assert F(1, 2) in won
        assert won.high - won.low < F(1, 10**15)

    def test_one_that_calls_itself_too_often_is_told_to_be_marked(self, monkeypatch):
        monkeypatch.setattr(paths, "MOST_PATHS", 12_000)

        def race(dice, ours, theirs):
            if not ours or not theirs:
                return bool(ours)
            return (
                race(dice, ours, theirs - 1) if dice.die(2) == 1 else race(dice, ours - 1, theirs)
            )

        with pytest.raises(NotSolved, match="race calls itself, mark it with @mechanic"):
            odds(race, 12, 12)

    def test_functions_are_dice_too(self):
        def best(dice):
            return dice.total(2, 6, keep_highest=1)

        assert odds(lambda dice: dice.total(2, of=best)) == odds("2d6kh1") + odds("2d6kh1")
        assert kt.roll(lambda dice: dice.total(2, of=best), faces=[1, 2, 3, 4]).outcome == 6

    @pytest.mark.parametrize("what", [6, None, ["2d6"]])
    def test_anything_else_is_refused(self, what):
        with pytest.raises(BadInput, match="can be rolled"):
            odds(what)

    @pytest.mark.parametrize("read", [kt.roll, kt.odds, lambda it: kt.sample(it, n=2)])
    def test_methods_that_dice_do_not_have_are_told(self, read):
        with pytest.raises(KitchenTableError, match=r"no 'roll'.*dice\.die\(6\)"):
            read(lambda dice: dice.roll(6))
        with pytest.raises(KitchenTableError, match=r"whole number, not None"):
            read(lambda dice: dice.total(None))

    def test_a_total_takes_notation(self):
        def score(dice, bonus):
            return dice.total("4d6kh3") + bonus

        assert kt.odds(score, 2) == kt.odds("4d6kh3") + 2
        assert kt.odds(lambda dice: dice.total("2d6!")).mean() == Fraction(42, 5)
        thrown = kt.roll(score, 2, faces=[1, 6, 5, 5])
        assert (thrown.outcome, thrown.trace.throws[0].fate) == (18, "dropped")
        assert set(kt.sample(score, 0, n=200)) <= set(range(3, 19))

    @pytest.mark.parametrize("read", [kt.roll, kt.odds, lambda it: kt.sample(it, n=2)])
    @pytest.mark.parametrize(
        ("throw", "sentence"),
        [
            (lambda dice: dice.total("4d6k3"), "Write 4d6kh3"),
            (lambda dice: dice.total("(2d6)>=9"), "has a target, so it is not a total"),
            (
                lambda dice: dice.total("2d6", 8),
                "takes no other arguments. Write them in the notation",
            ),
            (lambda dice: dice.total("2d6", keep_highest=1), "takes no other arguments"),
        ],
    )
    def test_notation_that_is_no_total_is_refused(self, read, throw, sentence):
        with pytest.raises(KitchenTableError, match=sentence):
            read(throw)

    @pytest.mark.parametrize("read", [kt.roll, kt.odds, lambda it: kt.sample(it, n=2)])
    def test_a_function_without_dice_is_told(self, read):
        def nothing():
            return 3

        with pytest.raises(KitchenTableError, match=r"as in def nothing\(dice\)"):
            read(nothing)

    @pytest.mark.parametrize("read", [kt.roll, kt.odds, lambda *it: kt.sample(*it, n=2)])
    def test_notation_takes_no_arguments(self, read):
        with pytest.raises(BadInput, match="'2d6' was given 3"):
            read("2d6", 3)

    def test_what_goes_with_odds_may_be_a_number(self):
        assert kt.odds("1d6").mix(3)[3] == Fraction(1, 12) + Fraction(1, 2)
        with pytest.raises(NotANumber, match="not with 'x'"):
            kt.odds("1d6").mix("x")
        assert repr(Interval(Fraction(1, 4), Fraction(3, 4))) == "<Interval between 0.25 and 0.75>"

    def test_loaded_dice_tell_it_too(self):
        with pytest.raises(AttributeError, match=r"dice\.die\(6\)"):
            kt.roll(lambda dice: dice.roll(6), faces=[1])

    @pytest.mark.parametrize("faces", [5, "kick"])
    def test_faces_are_a_list(self, faces):
        with pytest.raises(BadInput, match=r"a list, such as faces=\["):
            kt.roll("2d6", faces=faces)
