"""Rolls of the kit: arguments by name, and rolls of the library with arguments of their own."""

from kitchentable.dice import mechanic
from kitchentable.rules.kit.rolls import Roll, library_roll, whole_number


@mechanic
def reach(dice, far: int, helped: bool = False, sides: int = 6) -> int:
    return dice.die(sides) + far + helped


def test_arguments_by_name_may_leave_out_defaults_before_them():
    roll = Roll(reach)
    assert roll(2, sides=8).arguments == (2, False, 8)
    assert roll(2, helped=True).arguments == (2, True)
    assert roll(far=2).arguments == (2,)


def test_a_roll_of_the_library_may_depend_on_the_options():
    row = {"help": "How far?", "samples": [{"far": 1}], "needs": ["far"]}
    found = library_roll(
        reach,
        row,
        {"far": whole_number("a whole number", "leaps.1")},
        lambda options, far: (far, options["helped"]),
        by_options=True,
    )
    assert found.arguments({"helped": True}, far=3) == (3, True)
    plain = library_roll(reach, row, {"far": lambda options, name, far: far}, lambda far: (far,))
    assert plain.arguments({}, far=3) == (3,)
