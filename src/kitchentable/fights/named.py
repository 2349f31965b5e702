"""A game's fight by name: numbers in, who wins and what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable import dice
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights.arrays import find_numpy
from kitchentable.fights.chain import Chain, Ends
from kitchentable.fights.errors import NoSuchPolicy
from kitchentable.fights.forecast import Forecast, of_ends, of_tally
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.sizes import count_states
from kitchentable.fights.tally import draw_tally
from kitchentable.fights.throwing import LONGEST, throw_fights
from kitchentable.rules.combat import Battle, Fought, Policy
from kitchentable.rules.library import Playable, game

#: Up to so many states a fight is solved in fractions; above, their digits take the time.
IN_FRACTIONS = 500
#: Up to so many states a fight is solved at all; while somebody waits, up to so many.
SOLVED, QUICK = 400_000, 60_000
#: So many fights are counted where none are asked for, with numpy and without.
COUNTED, COUNTED_SLOWLY = 20_000, 2_000
#: Rounds that are told apart at first; how much of the fights may last longer than those that are;
#: and how many states by rounds are worked out at most (four millions take a second).
ROUNDS, LATER, CELLS = 30, 1e-6, 6_000_000

#: A policy by its name or as a value, for everybody or by side.
Chosen = str | Policy | Mapping[str, str | Policy]


def fight(
    of: str | Playable,
    name: str,
    /,
    *,
    fights: int = 0,
    source: dice.Source | None = None,
    policy: Chosen = "",
    **named: Any,
) -> Forecast:
    """Fight one of a game's fights to its end, exactly where it can be solved, else counted.

    With `fights` so many are counted, `policy` says who goes for whom. The forecast says how it was
    found.

    >>> duel = fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    >>> duel.wins["ours"], str(duel.found)
    (Fraction(1, 2), 'Exact: fractions over 4 states.')

    Errors: RuleRefuses for a fight or a number the game does not take, NoSuchPolicy.
    """
    playable = game(of) if isinstance(of, str) else of
    fought, battle = playable.fought(name, **named)
    return forecast(fought, battle, fights=fights, source=source, policy=policy)


def forecast(
    fought: Fought,
    battle: Battle,
    *,
    fights: int = 0,
    source: dice.Source | None = None,
    policy: Chosen = "",
    solved: int = SOLVED,
) -> Forecast:
    """How a battle goes: solved up to so many states, else counted; with `fights` always counted.

    Errors: BadInput, NeverEnds, BadBattle.
    """
    if fights < 0:
        raise dice.BadInput(f"At least one fight is fought, not {fights}.")
    laws = compile_battle(fought, battle, choose_policies(fought, battle, policy))
    states = count_states(laws, solved)
    if states > solved:
        n = fights or (COUNTED_SLOWLY if find_numpy() is None else COUNTED)
        return of_tally(laws, throw_fights(laws, n, _seed(source)), "thrown", 0)
    if fights:
        ends = by_round(Chain(laws, exact=False), states, 1e-3 / fights)
        if open_share(ends) * fights > 1:
            # So long a fight is not drawn whole; thrown it comes to its end.
            return of_tally(laws, throw_fights(laws, fights, _seed(source)), "thrown", 0)
        return of_tally(laws, draw_tally(ends, fights, _seed(source)), "drawn", ends.states)
    rows = by_round(Chain(laws, exact=False), states, LATER)
    ends = Chain(laws, exact=True).settle() if states <= IN_FRACTIONS else rows
    return of_ends(laws, ends, rows)


def throw(
    fought: Fought, battle: Battle, fights: int, source: dice.Source | None = None
) -> Forecast:
    """How a battle goes by so many fights whose dice are thrown, also where it can be solved."""
    laws = compile_battle(fought, battle, choose_policies(fought, battle, ""))
    return of_tally(laws, throw_fights(laws, fights, _seed(source)), "thrown", 0)


def foresee(fought: Fought, battle: Battle, source: dice.Source | None = None) -> Forecast:
    """How a fight at the table goes on from here, within a breath."""
    return forecast(fought, battle, source=source, solved=QUICK)


def by_round(chain: Chain, states: int, later: float) -> Ends:
    """The ends by round: so many rounds that fights which last longer have at most this chance.

    Where that would take too long, fewer are told apart.
    """
    most = min(LONGEST, max(1, CELLS // max(1, states)))
    rounds = min(ROUNDS, most)
    while True:
        ends = chain.settle(rounds)
        if open_share(ends) <= later or rounds * 2 > most:
            return ends
        rounds *= 2


def open_share(ends: Ends) -> float:
    """The chance of a fight that lasts longer than the rounds told apart."""
    return sum(float(row[-1]) for row in ends.last.values())


def choose_policies(fought: Fought, battle: Battle, chosen: Chosen) -> dict[str, Policy]:
    """Each side's policy: the one chosen for it or for everybody, else the game's own.

    Errors: NoSuchPolicy.
    """
    by_side: Mapping[str, Any]
    if isinstance(chosen, Mapping):
        by_side = chosen
        strange = sorted(set(by_side) - set(battle.sides))
        if strange:
            raise NoSuchPolicy(
                f"No side is called {strange[0]!r}. The sides are {', '.join(battle.sides)}."
            )
    else:
        by_side = dict.fromkeys(battle.sides, chosen)
    return {side: _policy(fought, by_side.get(side) or fought.policy) for side in battle.sides}


def _policy(fought: Fought, chosen: str | Policy) -> Policy:
    if isinstance(chosen, Policy):
        return chosen
    if chosen not in fought.policies:
        raise NoSuchPolicy(
            f"There is no policy {chosen!r}.{did_you_mean(chosen, fought.policies)} "
            f"There are: {', '.join(sorted(fought.policies))}."
        )
    return fought.policies[chosen]


def _seed(source: dice.Source | None) -> int:
    return (dice.SystemEntropy() if source is None else source).below(1 << 128)
