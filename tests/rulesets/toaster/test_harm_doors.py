"""The rolls of harm by name, with the table's options as defaults."""

from fractions import Fraction

import pytest

from kitchentable.rules import RuleRefuses
from kitchentable.rules.library import Playable
from kitchentable.rulesets.toaster import game as toaster

rule = pytest.mark.rule


def at(**options):
    """Toaster at a table with these options."""
    return Playable(toaster, {**toaster.defaults(), **options})


@rule("toaster.4.mortality-roll", "toaster.4.mortality-fail")
def test_a_mortality_check_by_name():
    plain, grim = at(), at(mortality_roll="die")
    assert plain.roll("mortality", physique=6, wounds=7, faces=[5]).outcome.rounds == 9
    assert grim.roll("mortality", physique=6, wounds=7, faces=[5]).outcome.rounds == 5
    odds = plain.odds("mortality", physique=6)
    assert odds.chance(lambda fate: fate.word == "holds") == Fraction(3, 5)


@rule("toaster.4.mortality-stabilise")
def test_survival_by_name():
    table = at()
    assert table.odds("survival", physique=6, rounds=5)[True] == Fraction(838949, 10**6)
    with pytest.raises(RuleRefuses, match="rounds must be a whole number from 0 to 50"):
        table.odds("survival", physique=6, rounds=400)


@rule("toaster.4.heal-week", "toaster.4.heal-technology")
def test_healing_by_name():
    plain, modern = at(), at(healing_modifier=2)
    for table, tenths in ((plain, 4), (modern, 6)):
        solved = table.odds("healing", physique=8, wounds=4)
        assert solved.chance(lambda one: one.succeeds) == Fraction(tenths, 10)
    assert plain.odds("weeks", physique=6, wounds=2, weeks=2)[0] == Fraction(1, 5)
    assert plain.odds("recovery", physique=6, wounds=1).mean() == 2
    assert modern.odds("recovery", physique=6, wounds=1).mean() == Fraction(10, 7)


@rule("toaster.4.heal-week-fumble")
def test_zeros_reach_the_healing_roll():
    table = at(rolling_zeros=True)
    assert table.odds("weeks", physique=6, wounds=2, weeks=1)[3] == Fraction(1, 10) * Fraction(
        6, 10
    )


@rule("toaster.4.crit-table", "toaster.4.hitloc-table", "toaster.4.hitloc-either")
def test_the_tables_by_name():
    table = at(hit_location_side="gm")
    assert table.roll("critical", faces=[8, 6]).outcome.extra == 10
    assert str(table.roll("location", faces=[1, 1]).outcome) == "Torso, Shoulder"
    assert table.odds("location", body="snake").chance(lambda one: one.area == "") == 1
