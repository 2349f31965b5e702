"""Fights of a game by name: from plain numbers to a forecast."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kitchentable import dice
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights.forecast import Forecast, of_ends, of_tally
from kitchentable.fights.laws import Healths, Laws, compile_battle
from kitchentable.fights.matrices import Chain
from kitchentable.fights.plans import Ends
from kitchentable.fights.rounds import count_states
from kitchentable.fights.tally import draw_tally
from kitchentable.fights.throws import LONGEST, is_quick, throw_fights
from kitchentable.rules.combat import (
    DEFENDS,
    RETREATS,
    Battle,
    Fought,
    NoSuchPolicy,
    Policy,
    spend_at,
)
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
#: With more states than this, numpy saves time, even if it has to be imported.
LARGE = 700
#: With numpy and fewer states than this, twice as many rounds are counted separately at first.
FEW_STATES = 10_000
#: The most states times rounds of a fight with a limit of rounds, which needs them all.
FAR_CELLS = 4 * CELLS

_SPEND = re.compile(r"spend at (\d{1,3})")
#: The side whose fighters stay for the next fight, and whom allies help.
OURS = "ours"
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
    **named: Any,
) -> Forecast:
    """Forecast one of a game's fights: solved if its size allows, otherwise counted.

    With `fights` that many are counted; `policy` says whom each side attacks and when it retreats.
    Every fight takes `rounds`, after which it is stopped, and `allies`, who fight on the side of
    `ours` and are told apart. The forecast states its method.

    >>> duel = fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    >>> duel.wins["ours"], str(duel.found)
    (Fraction(1, 2), 'Exact: fractions over 4 states.')

    Errors: RuleRefuses for a fight or a number the game does not take, NoSuchPolicy, BadInput.
    """
    fought, battle = read_battle(game(of) if isinstance(of, str) else of, name, **named)
    return forecast(fought, battle, fights=fights, source=source, policy=policy)


def read_battle(
    playable: Playable, name: str, *, rounds: int = 0, allies: Any = None, **named: Any
) -> tuple[Fought, Battle]:
    """A fight of a game and its battle, from named numbers.

    Errors: RuleRefuses for a number the game does not take; BadInput for impossible rounds.
    """
    if type(rounds) is not int or not 0 <= rounds <= LONGEST:
        raise dice.BadInput(f"A fight is stopped after 1 to {LONGEST:,} rounds, not {rounds}.")
    fought, battle = playable.fought(name, **named)
    fighters = list(battle.combatants)
    if allies:
        _, beside = playable.fought(name, **{**named, OURS: allies})
        mine = sum(one.side == OURS for one in fighters)
        fighters[mine:mine] = [
            replace(one, group="allies") for one in beside.combatants if one.side == OURS
        ]
    return fought, replace(battle, combatants=tuple(fighters), rounds=rounds)


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
        return of_tally(laws, throw_fights(laws, n, draw_seed(source)), "thrown", 0)
    if fights:
        ends = by_round(Chain(laws, exact=False, large=states > LARGE), states, 1e-3 / fights)
        if open_share(ends) * fights > 1:
            # Fights this long cannot be drawn in full, but can be thrown to their end.
            return of_tally(laws, throw_fights(laws, fights, draw_seed(source)), "thrown", 0)
        return of_tally(laws, draw_tally(ends, fights, draw_seed(source)), "drawn", ends.states)
    return of_ends(laws, *solve(laws, states))


def solve(
    laws: Laws,
    states: int,
    starts: Mapping[Healths, Any] | None = None,
    slack: Fraction = Fraction(0),
) -> tuple[Ends, Ends]:
    """The ends of a battle and the ends by round, in fractions if they are few.

    Errors: NeverEnds, BadBattle.
    """
    in_fractions = states <= IN_FRACTIONS and not laws.slack and not slack
    if in_fractions and laws.battle.rounds:
        ends = Chain(laws, exact=True).settle(0, starts)
        return ends, ends
    chain = Chain(laws, exact=False, large=states > LARGE)
    rows = by_round(chain, states, LATER, starts, slack)
    return Chain(laws, exact=True).settle(0, starts) if in_fractions else rows, rows


def throw(
    fought: Fought, battle: Battle, fights: int, source: dice.Source | None = None
) -> Forecast:
    """The forecast of a battle from `fights` fights with thrown dice, even if it can be solved."""
    laws = compile_battle(fought, battle, choose_policies(fought, battle, ""))
    return of_tally(laws, throw_fights(laws, fights, draw_seed(source)), "thrown", 0)


def foresee(
    fought: Fought, battle: Battle, source: dice.Source | None = None, policy: Chosen = ""
) -> Forecast:
    """The forecast of a fight at the table from here on, within a second or so."""
    return forecast(fought, battle, source=source, policy=policy, solved=QUICK)


def by_round(
    chain: Chain,
    states: int,
    later: float,
    starts: Mapping[Healths, Any] | None = None,
    slack: Fraction = Fraction(0),
) -> Ends:
    """The ends by round, with at most the chance `later` of a fight with more rounds.

    If that would take too long, fewer rounds are counted separately.
    """
    if chain.laws.battle.rounds:
        return chain.settle(0, starts, slack)
    most = min(LONGEST, max(1, CELLS // max(1, states)))
    rounds = min(2 * ROUNDS if chain.large and states < FEW_STATES else ROUNDS, most)
    while True:
        ends = chain.settle(rounds, starts, slack)
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
            base = fought.policies[name]
            policy = replace(
                policy, words=base.words, key=base.key, evenly=base.evenly, recall=base.recall
            )
        elif name in RETREATS:
            policy = replace(policy, retreat=RETREATS[name])
        elif name in DEFENDS and fought.guard is not None:
            policy = replace(policy, defend=DEFENDS[name])
        elif fought.spend is not None and (at := _SPEND.fullmatch(name)):
            policy = replace(policy, spend=spend_at(int(at[1])))
        else:
            known = [*sorted(fought.policies), *RETREATS, *(DEFENDS if fought.guard else ())]
            known += ["spend at 10"] if fought.spend else []
            raise NoSuchPolicy(
                f"There is no policy {name!r}.{did_you_mean(name, known)} "
                f"There are: {', '.join(known)}."
            )
    return policy


def draw_seed(source: dice.Source | None) -> int:
    """A seed for thrown fights."""
    return (dice.SystemEntropy() if source is None else source).below(1 << 128)
