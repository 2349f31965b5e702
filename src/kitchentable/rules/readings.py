"""Comparison of all readings of a named roll, which must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import log
from typing import Any

from kitchentable import dice
from kitchentable.dice.quick import QuickDice
from kitchentable.rules.game import Rolled

#: The number of throws compared with the solved odds, and the chance of a false alarm: one in a
#: thousand million for each roll checked.
SAMPLES = 4000
#: The number of throws made die by die as at a table; the first of them is replayed and loaded.
THROWN = 1000
REPLAYS = 20
FALSE_ALARM = 1e-9


def readings(rolled: Rolled, arguments: tuple[Any, ...], source: dice.Source) -> Iterator[str]:
    """The differences between a roll thrown, solved, replayed, loaded and sampled, as sentences.

    Odds of a part of the outcome are compared with that part of thrown outcomes.
    """
    mechanic, solved = rolled.mechanic, rolled.solve(arguments)
    total = sum((chance for _, chance in solved.items()), Fraction(0))
    if total + solved.unresolved != 1:
        yield f"The odds add up to {total + solved.unresolved}, not to 1."
    support = dict(solved.items())
    thrown: Counter[Any] = Counter()
    for index in range(THROWN):
        roll = dice.roll(mechanic, *arguments, source=source)
        thrown[rolled.told(roll.outcome)] += 1
        if index < REPLAYS:
            again = dice.replay(mechanic, *arguments, trace=roll.trace)
            loaded = dice.load(mechanic, *arguments, faces=list(roll.trace.faces))
            if not again.outcome == roll.outcome == loaded.outcome:
                yield "A replay of its own dice gives another outcome."
    quick = QuickDice(source)
    sampled = Counter(rolled.told(mechanic(quick, *arguments)) for _ in range(SAMPLES))
    for counts in (thrown, sampled):
        strange = [outcome for outcome in counts if outcome not in support]
        if strange and solved.unresolved == 0:
            yield f"It gave {strange[0]!r}, which the odds call impossible."
        elif _surprise(counts, support) > -log(FALSE_ALARM):
            yield f"{counts.total()} throws disagree with the solved odds."


def _surprise(counts: Mapping[Any, int], support: dict[Any, Fraction]) -> float:
    """A bound on the surprise of the counts, as minus the logarithm of a probability.

    For each single outcome the Chernoff bound n * KL(observed || expected) holds exactly. The least
    probable outcome counts, corrected for the number of outcomes (union bound), two-sided.
    """
    n = sum(counts.values())
    worst = 0.0
    for outcome, chance in support.items():
        p, seen = float(chance), counts.get(outcome, 0) / n
        if not 0 < p < 1:
            continue
        divergence = (seen * log(seen / p) if seen else 0.0) + (
            (1 - seen) * log((1 - seen) / (1 - p)) if seen < 1 else 0.0
        )
        worst = max(worst, n * divergence)
    return worst - log(2 * max(1, len(support)))
