"""The speed of exact odds, compared with icepool and dyce in the same process.

Every row asks each library for the same chances as fractions, in the style of its users. The
answers are compared before anything is timed.

- *cold*: all caches are empty: solutions of our mechanics, icepool's evaluators and its
  table of binomials. The figure is the best of many runs, with the three taking turns.
- *warm*: asked again, with each library's own caches.

Run it with `make bench`, on an otherwise idle machine.
"""

import gc
import platform
import statistics
import sys
import time
import warnings
from fractions import Fraction
from importlib.metadata import version

import dyce
import icepool.math
from icepool.evaluator.multiset_evaluator_base import MultisetEvaluatorBase

from benchmarks.dice_rows import MECHANICS, ROWS
from benchmarks.pool_rows import POOL_MECHANICS, POOL_ROWS

SECONDS_PER_ROW = 0.6
# The recursion limit for icepool's sum of a thousand dice.
DEEP = 20_000
ALL_ROWS = [*ROWS, *((*row, None) for row in POOL_ROWS)]


def same(ours, theirs):
    """Whether the fractions are equal, up to explosions that a library cuts off."""
    bound = Fraction(1, 10**6)
    numbers = [one if isinstance(one, Fraction) else one.low for one in ours]
    return len(numbers) == len(theirs) and all(
        a == b or abs(a - b) < bound for a, b in zip(numbers, theirs, strict=True)
    )


def exactly_same(ours, theirs):
    return list(ours) == list(theirs)


def best(run, forget, seconds):
    """The shortest of many runs, in seconds."""
    shortest, spent, runs = float("inf"), 0.0, 0
    while spent < seconds or runs < 3:
        forget()
        start = time.perf_counter()
        run()
        took = time.perf_counter() - start
        shortest, spent, runs = min(shortest, took), spent + took, runs + 1
    return shortest


def forget_ours():
    for one in (*MECHANICS, *POOL_MECHANICS):
        one.forget()


def forget_icepool(evaluators):
    def forget():
        icepool.math.comb_row_cache.clear()
        for one in evaluators:
            one._cache.clear()  # noqa: SLF001 - it has no public way to forget

    return forget


def nothing():
    pass


def main():
    sys.setrecursionlimit(DEEP)
    warnings.simplefilter("ignore", dyce.lifecycle.ExperimentalWarning)
    for row in ALL_ROWS:
        row[2]()
    evaluators = [
        one
        for one in gc.get_objects()
        if issubclass(type(one), MultisetEvaluatorBase) and hasattr(one, "_cache")
    ]
    forget_theirs = forget_icepool(evaluators)
    print(
        f"Python {platform.python_version()}, icepool {version('icepool')}, "
        f"dyce {version('dyce')}; times in microseconds, best of many runs\n"
    )
    head = f"{'':32} {'cold':>8} {'icepool':>8} {'dyce':>8} {'faster':>7}   "
    print(head + f"{'warm':>7} {'icepool':>8} {'faster':>7}   answers")
    cold_ratios, warm_ratios, slower = [], [], []
    for name, ours, theirs, others in ALL_ROWS:
        mine, other = ours(), theirs()
        if not same(mine, other) or (others is not None and not same(mine, others())):
            print(f"{name}: the answers differ", file=sys.stderr)
            return 1
        note = "equal" if exactly_same(mine, other) else "equal to 1e-6 (theirs is cut off)"
        share = SECONDS_PER_ROW / 5
        cold = theirs_cold = dyce_cold = warm = theirs_warm = float("inf")
        for _ in range(3):
            cold = min(cold, best(ours, forget_ours, share))
            theirs_cold = min(theirs_cold, best(theirs, forget_theirs, share))
            if others is not None:
                dyce_cold = min(dyce_cold, best(others, nothing, share / 3))
            ours()
            warm = min(warm, best(ours, nothing, share / 3))
            theirs_warm = min(theirs_warm, best(theirs, nothing, share / 3))
        cold_ratios.append(theirs_cold / cold)
        warm_ratios.append(theirs_warm / warm)
        if theirs_cold < cold or theirs_warm < warm:
            slower.append(name)
        third = f"{dyce_cold * 1e6:8.0f}" if others is not None else f"{'-':>8}"
        print(
            f"{name:32} {cold * 1e6:8.0f} {theirs_cold * 1e6:8.0f} {third} "
            f"{theirs_cold / cold:6.1f}x   {warm * 1e6:7.1f} {theirs_warm * 1e6:8.0f} "
            f"{theirs_warm / warm:6.0f}x   {note}"
        )
    names = f": {', '.join(slower)}" if slower else ""
    print(
        f"\ncold: median {statistics.median(cold_ratios):.1f} times icepool's speed, "
        f"slower (cold or warm) in {len(slower)} of {len(ALL_ROWS)} rows{names}"
    )
    print(
        f"warm: median {statistics.median(warm_ratios):.0f} times icepool's speed, "
        f"least {min(warm_ratios):.0f} times"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
