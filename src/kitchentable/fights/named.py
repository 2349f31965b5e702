"""Fights of a game by name: from plain numbers to a forecast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable import dice
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights.chain import Chain, Ends
from kitchentable.fights.errors import NoSuchPolicy
from kitchentable.fights.forecast import Forecast, of_ends, of_tally
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.sizes import count_states
from kitchentable.fights.tally import draw_tally
from kitchentable.fights.throws import LONGEST, is_quick, throw_fights
from kitchentable.rules.combat import RETREATS, Battle, Fought, Policy
from kitchentable.rules.library import Playable, game

#: The most states solved in fractions; with more, their digits take too long.
IN_FRACTIONS = 500
#: The most states solved at all, and the most while a person waits.
SOLVED, QUICK = 400_000, 60_000
#: The default number of counted fights, with numpy and without.
COUNTED, COUNTED_SLOWLY = 20_000, 2_000
#: The rounds counted separately at first; the share of fights that may last longer; and the most
#: states times rounds computed (four million take a second).
ROUNDS, LATER, CELLS = 30, 1e-6, 6_000_000
#: With more states than this, numpy saves time.
LARGE = 1_500
#: With fewer states than this, twice as many rounds are counted separately at first.
FEW_STATES = 10_000
#: The most states times rounds of a fight with a limit of rounds, which needs them all.
FAR_CELLS = 4 * CELLS

#: A policy by name or as a value, for everybody or by side; names may be joined by commas:
#: "strongest, retreat at half".
Chosen = str | Policy | Mapping[str, str | Policy]


def fight(
    of: str | Playable,
    name: str,
    /,
    *,
    fights: int = 0,
    source: dice.Source | None = None,
    policy: Chosen = "",
    rounds: int = 0,
    **named: Any,
) -> Forecast:
    """Forecast one of a game's fights: solved if its size allows, otherwise counted.

    With `fights` that many are counted; `policy` says whom each side attacks and when it retreats;
    after `rounds` the fight is stopped, if they are not 0. The forecast states its method.

    >>> duel = fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    >>> duel.wins["ours"], str(duel.found)
    (Fraction(1, 2), 'Exact: fractions over 4 states.')

    Errors: RuleRefuses for a fight or a number the game does not take, NoSuchPolicy, BadInput.
    """
    if not 0 <= rounds <= LONGEST:
        raise dice.BadInput(f"A fight is stopped after 1 to {LONGEST:,} rounds, not {rounds}.")
    playable = game(of) if isinstance(of, str) else of
    fought, battle = playable.fought(name, **named)
    battle = replace(battle, rounds=rounds)
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
    """The forecast of a battle: solved up to `solved` states, or counted, as always with `fights`.

    Errors: BadInput, NeverEnds, BadBattle.
    """
    if fights < 0:
        raise dice.BadInput(f"At least one fight is fought, not {fights}.")
    laws = compile_battle(fought, battle, choose_policies(fought, battle, policy))
    states = count_states(laws, solved)
    if states > solved or states * battle.rounds > FAR_CELLS:
        n = fights or (COUNTED if is_quick(laws) else COUNTED_SLOWLY)
        return of_tally(laws, throw_fights(laws, n, _seed(source)), "thrown", 0)
    if fights:
        ends = by_round(Chain(laws, exact=False, large=states > LARGE), states, 1e-3 / fights)
        if open_share(ends) * fights > 1:
            # Fights this long cannot be drawn in full, but can be thrown to their end.
            return of_tally(laws, throw_fights(laws, fights, _seed(source)), "thrown", 0)
        return of_tally(laws, draw_tally(ends, fights, _seed(source)), "drawn", ends.states)
    in_fractions = states <= IN_FRACTIONS and not laws.slack
    if in_fractions and battle.rounds:
        ends = Chain(laws, exact=True).settle()
        return of_ends(laws, ends, ends)
    rows = by_round(Chain(laws, exact=False, large=states > LARGE), states, LATER)
    ends = Chain(laws, exact=True).settle() if in_fractions else rows
    return of_ends(laws, ends, rows)


def throw(
    fought: Fought, battle: Battle, fights: int, source: dice.Source | None = None
) -> Forecast:
    """The forecast of a battle from `fights` fights with thrown dice, even if it can be solved."""
    laws = compile_battle(fought, battle, choose_policies(fought, battle, ""))
    return of_tally(laws, throw_fights(laws, fights, _seed(source)), "thrown", 0)


def foresee(
    fought: Fought, battle: Battle, source: dice.Source | None = None, policy: Chosen = ""
) -> Forecast:
    """The forecast of a fight at the table from here on, within a second or so."""
    return forecast(fought, battle, source=source, policy=policy, solved=QUICK)


def by_round(chain: Chain, states: int, later: float) -> Ends:
    """The ends by round, with at most the chance `later` of a fight with more rounds.

    If that would take too long, fewer rounds are counted separately.
    """
    if chain.laws.battle.rounds:
        return chain.settle()
    most = min(LONGEST, max(1, CELLS // max(1, states)))
    rounds = min(ROUNDS if states > FEW_STATES else 2 * ROUNDS, most)
    while True:
        ends = chain.settle(rounds)
        if open_share(ends) <= later or rounds * 2 > most:
            return ends
        rounds *= 2


def open_share(ends: Ends) -> float:
    """The chance of more rounds than are counted separately."""
    return sum(float(row[-1]) for row in ends.last.values())


def choose_policies(fought: Fought, battle: Battle, chosen: Chosen) -> dict[str, Policy]:
    """Each side's policy: the chosen one, or the game's default.

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
    policy = fought.policies[fought.policy]
    for name in map(str.strip, chosen.split(",")):
        if name in fought.policies:
            policy = replace(fought.policies[name], retreat=policy.retreat)
        elif name in RETREATS:
            policy = replace(policy, retreat=RETREATS[name])
        else:
            known = [*sorted(fought.policies), *RETREATS]
            raise NoSuchPolicy(
                f"There is no policy {name!r}.{did_you_mean(name, known)} "
                f"There are: {', '.join(known)}."
            )
    return policy


def _seed(source: dice.Source | None) -> int:
    return (dice.SystemEntropy() if source is None else source).below(1 << 128)
