"""The time for the odds of Toaster, under every mix of the options that affect them.

An attack is solved from the attack roll to the wounds; a contest for the result of its first side,
and for the winner when it is repeated until somebody wins. Caches are cleared before every run, as
for numbers that no roll had before; only the two tables of blows stay in memory, as they do after
the first attack of a session.

Times are processor time, the best of several runs. Run it with `make bench-toaster`.
"""

import argparse
import platform
import statistics
import time
from itertools import product
from operator import attrgetter

from kitchentable.dice import odds
from kitchentable.dice import told as told_by
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.mechanics import (
    attack,
    contests,
    damage,
    stars,
    tables,
    to_hit,
)

NINES = {"no nines": 0, "one nine more": 1, "endless nines": stars.NO_LIMIT}
CRITICALS = tables.read_criticals(TABLES["criticals"])
LOCATIONS = tables.read_locations(TABLES["locations"])
BLOWS = damage.Tables(CRITICALS)
BOTH = damage.Tables(CRITICALS, LOCATIONS)
AREAS = sorted({cell.area for cell in LOCATIONS})
PLAIN = damage.Classes(8, 5, bare=3)
PARTIAL = damage.Classes(
    8, 5, bare=3, places=tuple((area, 2 + at) for at, area in enumerate(AREAS))
)

#: The options for damage, each with the kinds of armor to try.
WAYS = {
    "the plain book": (PLAIN, {}),
    "same die": (PLAIN, {"same_die": True}),
    "the margin added": (PLAIN, {"add_margin": True}),
    "double roll": (PLAIN, {"double_roll": True}),
    "marginal hits halved": (PLAIN, {"halve_marginal": True}),
    "criticals and fumbles": (PLAIN, {"critical": True, "fumbled": True, "tables": BLOWS}),
    "all with double roll": (
        PARTIAL,
        {"add_margin": True, "double_roll": True, "halve_marginal": True}
        | {"critical": True, "fumbled": True, "tables": BOTH},
    ),
    "all with same die": (
        PARTIAL,
        {"add_margin": True, "same_die": True, "halve_marginal": True}
        | {"critical": True, "fumbled": True, "tables": BOTH},
    ),
}
#: An attack, projected to its wounds.
IN_A_WORD = told_by(attack.attack, "word")
#: A contest, projected to its first side's result, and a do-over, to its winner's index.
FARES = told_by(contests.contest, attrgetter("fares"))
DO_OVER = told_by(contests.do_over, attrgetter("winner"))
FORGETFUL = (
    *(stars.star, attack.attack, damage.damage_rolls),
    *(contests.contest, contests.do_over),
)


def attacks():
    """Every mix by name, with the attack to solve; each run uses other skills."""
    switches = product(NINES.items(), (False, True), (False, True), WAYS.items())
    for (nines, most), zeros, bands, (way, (classes, chosen)) in switches:
        extended = stars.Extended(most)
        rules = to_hit.Rules(stars.Extended(most, zeros), bands)
        ways = damage.Ways(extended, extended, **chosen)
        name = f"{nines}{', zeros' if zeros else ''}{', variable outcomes' if bands else ''}, {way}"

        def run(at, classes=classes, rules=rules, ways=ways):
            numbers = to_hit.Attacker(6 + at, 6), to_hit.Defender(6), classes, rules, ways
            odds(IN_A_WORD, *numbers)

        yield name, run


def rivals():
    """Every mix by name, with the contests of three and four to solve."""
    asked = (("how the first fares", FARES), ("a do-over", DO_OVER))
    switches = product(NINES.items(), (False, True), (False, True), (3, 4), asked)
    for (nines, most), zeros, bands, many, (what, mechanic) in switches:
        name = f"{nines}{', zeros' if zeros else ''}{', variable outcomes' if bands else ''}"

        def run(at, most=most, zeros=zeros, bands=bands, many=many, mechanic=mechanic):
            sides = tuple(contests.Side(6 - one + at, f"side {one}") for one in range(many))
            odds(mechanic, sides, stars.Extended(most, zeros), bands)

        yield f"{name}, {what} among {many}", run


def timed(run, rounds):
    """The shortest of several runs with empty caches, in milliseconds of processor time."""
    shortest = float("inf")
    for at in range(rounds):
        for one in FORGETFUL:
            one.forget()
        start = time.process_time()
        run(at)
        shortest = min(shortest, time.process_time() - start)
    return 1000 * shortest


def told(title, runs, rounds, most):
    """Time all mixes, and print the slowest, the median, and the number that took too long."""
    found = sorted(((timed(run, rounds), name) for name, run in runs), reverse=True)
    times = [took for took, _ in found]
    print(f"\n{title}: {len(found)} mixes, {rounds} runs each")
    print(f"  median {statistics.median(times):.1f} ms, slowest {times[0]:.1f} ms;", end=" ")
    print(f"over {most:g} ms: {sum(took > most for took in times)}")
    for took, name in found[:5]:
        print(f"  {took:7.1f} ms  {name}")


def main():
    reader = argparse.ArgumentParser(prog="make bench-toaster", description=__doc__)
    reader.add_argument("--rounds", type=int, default=3, help="how often each mix is solved")
    reader.add_argument("--limit", type=float, default=50, help="milliseconds that are too many")
    chosen = reader.parse_args()
    start = time.process_time()
    odds(told_by(tables.critical, "on_damage"), CRITICALS)
    odds(told_by(tables.location, "area"), LOCATIONS, damage.BOOK_WAYS.coin)
    took = 1000 * (time.process_time() - start)
    print(f"Python {platform.python_version()}; the tables of blows, read once: {took:.1f} ms")
    told("Attacks to their wounds", attacks(), chosen.rounds, chosen.limit)
    told("Contests of three and four", rivals(), chosen.rounds, chosen.limit)


if __name__ == "__main__":
    main()
