"""Benchmarks of fights: solved with empty caches, counted, and thrown beside handwritten loops.

Times are processor time, the best of several runs. Each solved fight starts with empty caches. Call
it as `python -m benchmarks.bench_fights [--repeat 3]`.
"""

import argparse
import importlib
import importlib.util
import os
import time
from contextlib import ExitStack

import numpy as np

import kitchentable as kt
from benchmarks import fights_by_hand
from kitchentable.dice import SeededSource
from kitchentable.fights import throw
from kitchentable.fights.grids import open_pool
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.lockstep import throw_rows
from kitchentable.fights.loop import compile_loop, throw_looping
from kitchentable.fights.named import choose_policies
from kitchentable.fights.rounds import remembered_rounds
from kitchentable.rulesets.toast import mechanics, melee
from kitchentable.rulesets.toaster.combat import melee as toaster
from kitchentable.rulesets.toaster.mechanics import attack, damage, initiative, stars

HEROES = "5/6/4/4 4/7/3/4 6/4/5/4 3/5/6/4"
#: Sides, and the goal in seconds.
SOLVED = [
    ("1 v 2", "5/6/4/4", "2x2/3/3/1", 0.02),
    ("1 v 2 and a lieutenant", "5/6/4/4", "2x2/3/3/1 3/4/3/2", 0.03),
    ("2 v 4", "2x5/6/4/4", "4x2/3/3/1", 0.06),
    ("4 v 6", "4x5/6/4/4", "6x2/3/3/1", 0.3),
    ("4 v 9", "4x5/6/4/4", "9x2/3/3/1", 1.0),
    ("four different v 6", HEROES, "6x2/3/3/1", 3.0),
]
COUNTED = [(10**6, 2.5), (10**9, 3.0)]
THROWN = [("1 v 2", 200_000), ("4 v 6", 50_000), ("4 v 9", 50_000)]
#: Toaster's fights: one to solve with its goal, one to throw with the goals of both players.
DUEL = ("Toaster, a duel", "6/6/6/6/4/25", "5/6/6/5/5/25", 0.2)
MANY = ("Toaster, 4 v 6", "4x7/7/6/8/6/25", "6x5/5/5/6/4/25", 15_000, 60_000)
MODULES = (mechanics, melee, toaster, attack, damage, initiative, stars)
MECHANICS = [one for module in MODULES for one in vars(module).values()]


def forget():
    """Clear the cached odds of the game's mechanics and the engine's rounds."""
    remembered_rounds.cache_clear()
    for one in MECHANICS:
        if getattr(one, "answers", None) is not None:
            one.answers = None


def best(repeat, work):
    """The least processor time of several runs, and the result of the last."""
    times = []
    for _ in range(repeat):
        forget()
        begun = time.process_time()
        found = work()
        times.append(time.process_time() - begun)
    return min(times), found


def rows_of(ours, theirs):
    """The rows for the handwritten loop."""
    found = []
    for side, text in enumerate((ours, theirs)):
        for word in text.split():
            many, _, rest = word.rpartition("x")
            found += [(side, *map(int, rest.split("/")))] * int(many or 1)
    return found


def thrown(toast, ours, theirs, n, repeat):
    """Fights a second of the engine and of the handwritten loop, taking turns."""
    fought, battle = toast.fought("melee", ours=ours, theirs=theirs)
    rows = rows_of(ours, theirs)

    def by_hand():
        for seed in range(n // 10_000):
            fights_by_hand.fight(rows, 10_000, seed)

    times = [
        (best(1, lambda: throw(fought, battle, n, SeededSource(1)))[0], best(1, by_hand)[0])
        for _ in range(repeat)
    ]
    return (n / min(column) for column in zip(*times, strict=True))


def swept(repeat):
    """The wall-clock time of 200 fights: in one process, in two, and on Dask, each already begun.

    They take turns, because the machine may do other things beside.
    """
    asked = {
        "ours": "3x5/{ours}/4/{left}",
        "theirs": "{many}x2/{theirs}/3/1",
        "over": {"left": [3, 4], "many": range(2, 7), "ours": range(4, 8), "theirs": range(2, 7)},
    }

    def clock(executor=None):
        begun = time.perf_counter()
        found.append(kt.sweep("toast", "melee", executor=executor, **asked))
        return time.perf_counter() - begun

    found = []
    ways = {"one process": None}
    with ExitStack() as stack:
        ways["two (goal 3 s)"] = stack.enter_context(open_pool(2))
        if importlib.util.find_spec("distributed") is not None:
            cluster = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
            client = importlib.import_module("distributed").Client(**cluster)
            ways["Dask, two workers"] = stack.enter_context(client).get_executor()
        times = {name: [clock(executor)] for name, executor in ways.items()}
        for _ in range(repeat):
            for name, executor in ways.items():
                times[name].append(clock(executor))
    assert all(one == found[0] for one in found)
    told = ", ".join(f"{name} {min(taken):.2f} s" for name, taken in times.items())
    print(f"200 fights swept: {told}; load {os.getloadavg()[0]:.1f}")


def compiled(toast, ours, theirs, n, repeat):
    """Fights a second of both loops compiled by numba, without the first call."""
    fought, battle = toast.fought("melee", ours=ours, theirs=theirs)
    laws = compile_battle(fought, battle, choose_policies(fought, battle, ""))
    columns = np.array(sorted(rows_of(ours, theirs))).T
    numba = importlib.import_module("numba")
    for one in (fights_by_hand.face, fights_by_hand.worth):
        numba.extending.register_jitable(one)
    loop = numba.njit(fights_by_hand.loop)
    rng = np.random.default_rng(1)
    loop(rng, *columns, 10)
    # Compiled or not, the engine's loop throws the same fights.
    by_engine = throw_looping(laws, 50, 1, compile_loop())
    assert by_engine == throw_looping(laws, 50, 1)
    times = [
        (
            best(1, lambda: throw_looping(laws, n, 1, compile_loop()))[0],
            best(1, lambda: loop(rng, *columns, n))[0],
        )
        for _ in range(repeat)
    ]
    return (n / min(column) for column in zip(*times, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    toast = kt.game("toast")
    print(f"{'solved, cold':<28}{'goal':>8}{'took':>9}{'states':>10}  ours")
    for name, ours, theirs, goal in (*SOLVED, DUEL):
        of = kt.game("toaster") if name.startswith("Toaster") else toast
        took, told = best(
            repeat, lambda g=of, a=ours, b=theirs: kt.fight(g, "melee", ours=a, theirs=b)
        )
        print(
            f"{name:<28}{goal * 1000:>5.0f} ms{took * 1000:>6.0f} ms{told.found.states:>10,}"
            f"  {float(told.wins['ours']):.12f} {told.found.how}"
        )
    sides = {name: (ours, theirs) for name, ours, theirs, _ in SOLVED}
    ours, theirs = sides["4 v 9"]
    for n, goal in COUNTED:
        took, _ = best(
            repeat, lambda n=n: kt.fight(toast, "melee", ours=ours, theirs=theirs, fights=n)
        )
        print(f"4 v 9, {n:>13,} drawn {goal * 1000:>11.0f} ms{took * 1000:>6.0f} ms")
    swept(repeat)
    print(f"\n{'thrown, fights a second':<28}{'engine':>10}{'by hand':>10}{'ratio':>7}")
    for name, n in THROWN:
        rate, other = thrown(toast, *sides[name], n, repeat)
        print(f"{name:<28}{rate:>10,.0f}{other:>10,.0f}{rate / other:>7.2f}")
    name, ours, theirs, *goals = MANY
    fought, battle = kt.game("toaster").fought("melee", ours=ours, theirs=theirs)
    laws = compile_battle(fought, battle, choose_policies(fought, battle, ""))
    took, _ = best(repeat, lambda: throw_rows(laws, 30_000, 1))
    print(f"{name:<28}{30_000 / took:>10,.0f} (goal {goals[0]:,})")
    if importlib.util.find_spec("numba") is None:
        print("\nnumba is not installed, so no loop is compiled.")
        return
    print(f"\n{'compiled, fights a second':<28}{'engine':>10}{'by hand':>10}{'ratio':>7}")
    for name, n in THROWN:
        rate, other = compiled(toast, *sides[name], 4 * n, repeat)
        print(f"{name:<28}{rate:>10,.0f}{other:>10,.0f}{rate / other:>7.2f}")
    took, _ = best(repeat, lambda: throw_looping(laws, 100_000, 1, compile_loop()))
    print(f"{MANY[0]:<28}{100_000 / took:>10,.0f} (goal {goals[1]:,})")


if __name__ == "__main__":
    main()
