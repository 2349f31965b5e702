"""Forecasts of a game's fights by name, from plain numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kitchentable import dice
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.fights.forecast import Forecast, of_ends, of_tally
from kitchentable.fights.laws import LONGEST, Healths, Laws, compile_battle
from kitchentable.fights.matrices import Chain
from kitchentable.fights.plans import Ends
from kitchentable.fights.rounds import count_states
from kitchentable.fights.tally import draw_tally
from kitchentable.fights.throws import is_quick, throw_fights
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

#: The most states solved in fractions, which get too slow with more.
IN_FRACTIONS = 500
#: The most states solved, and the most while a person is waiting.
SOLVED, QUICK = 400_000, 60_000
#: The default number of counted fights, with numpy and without.
COUNTED, COUNTED_SLOWLY = 20_000, 2_000
#: The first number of separate rounds; the share of fights that may last longer; the most states
#: times rounds to compute (four million take a second).
ROUNDS, LATER, CELLS = 30, 1e-6, 6_000_000
#: The number of states above which numpy saves time, including its import.
LARGE = 700
#: With numpy and fewer states than this, the first number of separate rounds is doubled.
FEW_STATES = 10_000
#: The most states times rounds of a fight with a limit of rounds, which needs them all.
FAR_CELLS = 4 * CELLS

_SPEND = re.compile(r"spend at (\d{1,3})")
#: The side that continues in a series, and that allies help.
OURS = "ours"
#: Policies for everybody or by side. Commas join names: "strongest, retreat at half".
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

    With `fights`, this many are counted. `policy` says whom each side attacks and when it retreats.
    Every fight also accepts `rounds`, after which it is stopped, and `allies`, who fight on the
    side of `ours` and are shown separately.

    >>> duel = fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    >>> duel.wins["ours"], str(duel.found)
    (Fraction(1, 2), 'Exact: fractions over 4 states.')

    Errors: RuleRefuses for a fight or number that the game does not have, NoSuchPolicy, BadInput.
    """
    fought, battle = read_battle(game(of) if isinstance(of, str) else of, name, **named)
    return forecast(fought, battle, fights=fights, source=source, policy=policy)


def read_battle(
    playable: Playable, name: str, *, rounds: int = 0, allies: Any = None, **named: Any
) -> tuple[Fought, Battle]:
    """Read a fight of a game and its battle from named numbers.

    Errors: RuleRefuses for a number that the game does not have; BadInput for impossible rounds.
    """
    if type(rounds) is not int or not 0 <= rounds <= LONGEST:
        raise dice.BadInput(f"A fight can be stopped after 1 to {LONGEST:,} rounds, not {rounds}.")
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
    """Forecast a battle: solved up to `solved` states; above that, or with `fights`, counted.

    Errors: BadInput, NeverEnds, BadBattle.
    """
    check_fights(fights)
    laws = compile_battle(fought, battle, choose_policies(fought, battle, policy))
    states = measure(laws, solved)
    if states is None:
        n = fights or (COUNTED if is_quick(laws) else COUNTED_SLOWLY)
        return of_tally(laws, throw_fights(laws, n, draw_seed(source)), "thrown", 0)
    if fights:
        ends = by_round(Chain(laws, exact=False, large=states > LARGE), states, 1e-3 / fights)
        if open_share(ends) * fights > 1:
            # Such long fights cannot be drawn completely, but can be thrown to their end.
            return of_tally(laws, throw_fights(laws, fights, draw_seed(source)), "thrown", 0)
        return of_tally(laws, draw_tally(ends, fights, draw_seed(source)), "drawn", ends.states)
    return of_ends(laws, *solve(laws, states))


def measure(laws: Laws, solved: int, starts: Iterable[Healths] = ()) -> int | None:
    """The states of a fight to be solved; None if they are too many, and fights are thrown."""
    states = count_states(laws, solved, starts)
    return None if states > solved or states * laws.battle.rounds > FAR_CELLS else states


def check_fights(fights: int, least: int = 0) -> None:
    """Refuse invalid numbers of fights to count. Errors: BadInput."""
    if type(fights) is not int or fights < least:
        raise dice.BadInput(
            f"The number of fights must be a whole number of at least 1, not {fights!r}."
        )


def solve(
    laws: Laws,
    states: int,
    starts: Mapping[Healths, Any] | None = None,
    slack: Fraction = Fraction(0),
) -> tuple[Ends, Ends]:
    """Solve a battle: its ends, and its ends by round, in fractions if there are few states.

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
    """Forecast a battle from fights with thrown dice, even if it can be solved.

    Errors: BadInput.
    """
    check_fights(fights, 1)
    laws = compile_battle(fought, battle, choose_policies(fought, battle, ""))
    return of_tally(laws, throw_fights(laws, fights, draw_seed(source)), "thrown", 0)


def foresee(
    fought: Fought, battle: Battle, source: dice.Source | None = None, policy: Chosen = ""
) -> Forecast:
    """Forecast a fight at the table from its current state, within about a second."""
    return forecast(fought, battle, source=source, policy=policy, solved=QUICK)


def by_round(
    chain: Chain,
    states: int,
    later: float,
    starts: Mapping[Healths, Any] | None = None,
    slack: Fraction = Fraction(0),
) -> Ends:
    """Solve the ends by round, so that fights have more rounds with at most the chance `later`.

    If that would take too long, fewer rounds are separate.
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
    """The chance of more rounds than are separate."""
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


def _policy(fought: Fought, chosen: object) -> Policy:
    if isinstance(chosen, Policy):
        return chosen
    if not isinstance(chosen, str):
        raise NoSuchPolicy(f"A policy is a text such as {fought.policy!r}, not {chosen!r}.")
    changes: dict[str, Any] = {}
    for name in map(str.strip, chosen.split(",")):
        part: dict[str, Any]
        if name in fought.policies:
            base = fought.policies[name]
            part = {one: getattr(base, one) for one in ("words", "key", "evenly", "recall")}
        elif name in RETREATS:
            part = {"retreat": RETREATS[name]}
        elif name in DEFENDS and fought.guard is not None:
            part = {"defend": DEFENDS[name]}
        elif fought.spend is not None and (at := _SPEND.fullmatch(name)):
            part = {"spend": spend_at(int(at[1]))}
        else:
            known = [*sorted(fought.policies), *RETREATS, *(DEFENDS if fought.guard else ())]
            known += ["spend at 10"] if fought.spend else []
            raise NoSuchPolicy(
                f"There is no policy {name!r}.{did_you_mean(name, known)} "
                f"The policies are: {', '.join(known)}."
            )
        if not changes.keys().isdisjoint(part):
            raise NoSuchPolicy(
                f"{name!r} contradicts an earlier part of {chosen!r}. Give one target and one "
                "retreat."
            )
        changes |= part
    return replace(fought.policies[fought.policy], **changes)


def draw_seed(source: dice.Source | None) -> int:
    """Draw a seed for thrown fights."""
    return (dice.SystemEntropy() if source is None else source).below(1 << 128)
