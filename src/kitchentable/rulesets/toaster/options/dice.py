"""What a table can set about the d10*: nines, zeros, called fours; and how mechanics are told."""

from __future__ import annotations

from kitchentable.rules import Option
from kitchentable.rulesets.toaster.options.making import number, pick, tick

_GROUP = "Extreme dice"

OPTIONS: tuple[Option, ...] = (
    tick(
        "rolling_nines",
        "Nines are thrown again",
        "toaster.3.nines-switch",
        _GROUP,
        "A d10* that shows a 9 brings another die, and both are added.",
        "The hard becomes possible: rank 4 at -6 succeeds 7 times in 100 instead of never.",
    ),
    number(
        "nines_limit",
        "Extra dice for a row of nines",
        "toaster.3.nines-limit",
        _GROUP,
        "One keeps both feet on the ground. 0 stands for no limit, for tales larger than life.",
        1,
        "With one extra die a throw ends at 18; without a limit it has no end.",
        high=9,
    ),
    pick(
        "nines_scope",
        "Which dice have nines",
        "toaster.3.nines-scope",
        _GROUP,
        "Initiative and dice that are looked up in a table never have.",
        (
            ("all", "every d10* that is added to a rank or a class"),
            ("actions-only", "actions only; not damage, protection, healing and mortality"),
        ),
        "With damage left out, no blow does more than its class and 9.",
    ),
    tick(
        "rolling_zeros",
        "Zeros fail",
        "toaster.3.zeros-switch",
        _GROUP,
        "A d10* that shows 0 fails, and a second roll tells whether it is a fumble.",
        "Nobody succeeds more than 9 times in 10.",
    ),
    tick(
        "calling_fours",
        "A four may be called",
        "toaster.3.call4-switch",
        _GROUP,
        "Instead of throwing, a player may take a 4: for actions, damage and protection.",
        "Certain from rank 6 up, hopeless below; neither a nine nor a zero can come.",
    ),
    tick(
        "fours_mortality",
        "Fours for mortality checks too",
        "toaster.3.call4-before",
        _GROUP,
        "Only where fours may be called at all.",
        "Somebody with Physique 6 and five wounds could then never die of them.",
    ),
    tick(
        "fours_healing",
        "Fours for healing too",
        "toaster.3.call4-before",
        _GROUP,
        "Only where fours may be called at all.",
        "Certain for Physique 7 with one wound, hopeless for Physique 6.",
    ),
    tick(
        "fours_luck_roll",
        "Fours for luck rolls too",
        "toaster.3.call4-before",
        _GROUP,
        "Only where fours may be called at all.",
        "Certain from Aura 6 up, hopeless below.",
    ),
)
