"""The luck of players: their rolls against the odds that each had."""

from fractions import Fraction

import pytest

from kitchentable.campaign.luck import Roll, luck_of, somebody_outside


def rolls(who, *fell, chance=Fraction(1, 4)):
    return [
        Roll(
            who,
            "",
            "Climb",
            won,
            chance,
            "up" if won else "down",
            chance if won else 1 - chance,
            0.8,
        )
        for won in fell
    ]


def test_the_chances_of_fewer_successes_and_of_the_runs_are_exact():
    [ana] = luck_of(rolls("Ana", True, False, True, True))
    assert (ana.got, ana.expected) == (3, 1)
    assert (ana.fewer, ana.as_many) == (243 / 256, 12 / 256)
    assert [(run.success, run.length, run.chance) for run in ana.runs] == [
        (True, 2, 40 / 256),
        (False, 1, 255 / 256),
    ]
    assert ana.ahead == (0.75, 0.5, 1.25, 2.0)
    assert ana.surprise == pytest.approx(6 + 2 - 1.584962500721156)


@pytest.mark.parametrize(
    ("won", "says"),
    [
        (3, "Ordinary luck. With these rolls, 0 to 3 would be ordinary. So few rolls say little."),
        (4, "Good luck. With these rolls, 0 to 3 would be ordinary, nine times out of ten."),
    ],
)
def test_luck_in_words(won, says):
    [ana] = luck_of(rolls("Ana", *[True] * won, *[False] * (4 - won)))
    assert ana.verdict == says


def test_with_many_rolls_bad_luck_is_told_and_ordinary_luck_has_no_warning():
    ana, ben = luck_of([*rolls("Ana", *[False] * 40), *rolls("Ben", *[True] * 10, *[False] * 30)])
    assert ana.verdict.startswith("Bad luck. With these rolls, 6 to 15 would be ordinary")
    assert ben.verdict == "Ordinary luck. With these rolls, 6 to 15 would be ordinary."
    assert somebody_outside([ana, ben]) == pytest.approx(1 - (1 - ana.outside) ** 2)
    assert 0.05 < ana.outside < 0.1
