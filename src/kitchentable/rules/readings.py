"""Comparison of a named roll thrown, solved, replayed, loaded and sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import log
from typing import Any

from kitchentable import dice
from kitchentable.dice.quick import QuickDice
from kitchentable.rules.game import Rolled

#: The number of throws compared with the solved odds; FALSE_ALARM is the chance of a false alarm
#: for each roll checked.
SAMPLES = 4000
#: The number of throws made die by die as at a table; the first REPLAYS are replayed and loaded.
THROWN = 1000
REPLAYS = 20
FALSE_ALARM = 1e-9


def readings(rolled: Rolled, arguments: tuple[Any, ...], source: dice.Source) -> Iterator[str]:
    """The differences between a roll thrown, solved, replayed, loaded and sampled, as sentences."""
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
                yield "A replay with the same dice gives another outcome."
    quick = QuickDice(source)
    sampled = Counter(rolled.told(mechanic(quick, *arguments)) for _ in range(SAMPLES))
    for counts in (thrown, sampled):
        strange = [outcome for outcome in counts if outcome not in support]
        if strange and solved.unresolved == 0:
            yield f"The roll gave {strange[0]!r}, which is impossible according to its odds."
        elif _surprise(counts, support) > -log(FALSE_ALARM):
            yield f"{counts.total()} throws disagree with the solved odds."


def _surprise(counts: Mapping[Any, int], support: dict[Any, Fraction]) -> float:
    """A lower bound on the surprise of the counts: minus the logarithm of a probability.

    The Chernoff bound n * KL(observed || expected) holds for each outcome. The result is its
    largest value, corrected for the number of outcomes (union bound, two-sided).
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
