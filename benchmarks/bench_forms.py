"""The time for the guards and forms of a page, for the example of each game.

From the project's folder: python -m benchmarks.bench_forms [GAME ...]. A table is opened with the
example, and a fight is begun if the game has fights. The figures are the milliseconds for all moves
of the GM's page about one entity, before the fight and during it: the best of several rounds.
"""

import sys
import time
from collections.abc import Callable

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import moves_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from kitchentable.rules.registry import load, names
from tests.rulesets.driver import GM, Evening, decided, open_evening

ROUNDS, TIMES = 7, 10


def best(work: Callable[[], object]) -> float:
    """The milliseconds of one call, in the fastest round."""
    found = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for _ in range(TIMES):
            work()
        found.append((time.perf_counter() - begun) / TIMES)
    return min(found) * 1000


def opened(name: str) -> Evening:
    """A table with all entities of the example in play."""
    game = load(name)
    one = open_evening(game, tuple(game.example().players))
    for each in game.example().entities:
        one.do(
            GM,
            c.MakeEntity,
            kind=each.kind,
            name=each.name,
            owner=each.owner,
            sheet=dict(each.sheet),
            hidden=each.hidden,
            open=each.open,
        )
    return one


def page(one: Evening) -> float:
    """The milliseconds of a page about one entity, averaged over all in play."""
    view = view_for(one.campaign, one.game, GM)
    people = [each.id for each in one.table.in_play()]
    return best(lambda: [moves_for(view, one.game, who) for who in people]) / len(people)


def main() -> None:
    """Print a line for each game."""
    print(f"{'game':<14}{'before a fight, ms':>20}{'in a fight, ms':>18}")
    for name in sys.argv[1:] or names():
        one = opened(name)
        before = page(one)
        within = "none"
        if one.game.has_move("fight"):
            try:
                decided(one, c.MakeMove(id="", seat=GM, move="fight"), SeededSource(1))
                within = f"{page(one):.2f}"
            except BadInput as refused:
                within = str(refused)
        print(f"{name:<14}{before:>20.2f}{within:>18}")


if __name__ == "__main__":
    main()
