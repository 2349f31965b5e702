"""Several fights in a row: the survivors of a side continue with their remaining health."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kitchentable import dice
from kitchentable.fights.forecast import Amount, Forecast, add_up, of_ends, of_tally, share
from kitchentable.fights.laws import Healths, Laws, compile_battle
from kitchentable.fights.named import (
    COUNTED,
    COUNTED_SLOWLY,
    OURS,
    SOLVED,
    Chosen,
    check_fights,
    choose_policies,
    draw_seed,
    measure,
    read_battle,
    solve,
)
from kitchentable.fights.plans import UNIT, Ends
from kitchentable.fights.tally import Tally, multinomial
from kitchentable.fights.throws import is_quick, throw_fights
from kitchentable.rules.combat import Battle, Fought
from kitchentable.rules.library import Playable, game


@dataclass(frozen=True, slots=True)
class Series:
    """Forecasts of fights in a row, each conditional on its fight taking place.

    `won[k]` is the chance that the side gets through the first k + 1 fights: it wins each, or all
    others retreat.
    """

    side: str
    fights: tuple[Forecast, ...]
    won: tuple[Amount, ...]

    def __str__(self) -> str:
        lines: list[str] = []
        for number, (told, won) in enumerate(zip(self.fights, self.won, strict=True), 1):
            lines += [f"fight {number}:", str(told)]
            if number > 1:
                lines.append(f"{self.side} get through {number} fights {share(won)}")
        return "\n".join(lines)


def series(
    of: str | Playable,
    name: str,
    /,
    *,
    then: Sequence[Any],
    fights: int = 0,
    source: dice.Source | None = None,
    policy: Chosen = "",
    **named: Any,
) -> Series:
    """Forecast fights in a row: `ours` against `theirs`, then the survivors against each of `then`.

    Nobody rests in between. Allies continue too. With `fights`, this many are counted.

    >>> day = series("toast", "melee", ours="5/6/4/4", theirs="2/3/3/1", then=["2x2/3/3/1"])
    >>> print(f"{float(day.won[0]):.4f} {float(day.won[1]):.4f}")
    0.9978 0.8988

    Errors: those of `fight`.
    """
    if isinstance(then, str) or not isinstance(then, Sequence):
        raise dice.BadInput(f"Give the later fights as a list, such as then=[{then!r}].")
    playable = game(of) if isinstance(of, str) else of
    every = [read_battle(playable, name, **{**named, "theirs": one})
             for one in (named.get("theirs"), *then)]  # fmt: skip
    battles = [battle for _, battle in every]
    return foresee_series(every[0][0], battles, fights=fights, source=source, policy=policy)


def foresee_series(
    fought: Fought,
    battles: Sequence[Battle],
    *,
    side: str = OURS,
    fights: int = 0,
    source: dice.Source | None = None,
    policy: Chosen = "",
    solved: int = SOLVED,
) -> Series:
    """Forecast battles in a row; each lists the same fighters of `side` in the same order.

    The series ends early if no fight can follow. Errors: BadInput, NeverEnds, BadBattle.
    """
    check_fights(fights)
    going = _Going(side, solved, fights, random.Random(draw_seed(source)))
    told: list[Forecast] = []
    won: list[Amount] = []
    for battle in battles:
        laws = compile_battle(fought, battle, choose_policies(fought, battle, policy))
        told.append(going.fight(laws))
        won.append(going.won)
        if not going.left:
            break
    return Series(side, tuple(told), tuple(won))


class _Going:
    """The state of a side between fights: its possible healths, with chances or counts."""

    def __init__(self, side: str, solved: int, fights: int, chance: random.Random) -> None:
        self.side, self.solved, self.fights, self.chance = side, solved, fights, chance
        #: The healths of the side's kinds; None before the first fight.
        self.left: Mapping[Healths, Any] | None = None
        self.counts, self.slack = fights > 0, Fraction(0)
        self.won: Amount = Fraction(1)

    def fight(self, laws: Laws) -> Forecast:
        """Forecast a battle from the side's current healths, and update them."""
        starts: dict[Healths, Any] = {laws.start: self.fights or Fraction(1)}
        if self.left is not None:
            starts = {self._joined(laws, mine): amount for mine, amount in self.left.items()}
        states = None if self.counts else measure(laws, self.solved, starts)
        if states is None:
            tally = self._count(laws, starts)
            self._go_on(laws, tally.ends, Fraction(1, tally.n))
            return of_tally(laws, tally, "thrown", 0)
        ends, rows = solve(laws, states, starts, self.slack)
        self._solved(laws, ends)
        return of_ends(laws, ends, rows)

    def _joined(self, laws: Laws, mine: Healths) -> Healths:
        """The healths at the start of a battle: these for the side, full ones for all others."""
        ours = iter(mine)
        return tuple(
            next(ours) if kind.side == self.side else fresh
            for kind, fresh in zip(laws.kinds, laws.start, strict=True)
        )

    def _count(self, laws: Laws, starts: Mapping[Healths, Any]) -> Tally:
        if not self.counts:
            n = COUNTED if is_quick(laws) else COUNTED_SLOWLY
            starts, self.counts = dict(multinomial(n, starts.items(), self.chance)), True
        n = sum(starts.values())
        return throw_fights(laws, n, self.chance.getrandbits(128), starts=starts)

    def _solved(self, laws: Laws, ends: Ends) -> None:
        last = {
            (healths, 0): add_up(amount) if isinstance(amount, tuple) else amount
            for healths, amount in ends.last.items()
        }
        self._go_on(laws, last, Fraction(1))
        # The chances for the next fight are quotients of two sums.
        self.slack = 2 * ends.bound + ends.bound**2 + 8 * UNIT if ends.bound else Fraction(0)
        going = add_up(self.left.values()) if self.left else Fraction(1)
        self.left = {mine: amount / going for mine, amount in (self.left or {}).items()}

    def _go_on(self, laws: Laws, last: Mapping[tuple[Healths, int], Any], unit: Fraction) -> None:
        """Keep the ends after which the side continues."""
        left: Counter[Healths] = Counter()
        for (healths, _), amount in last.items():
            if self._goes_on(laws, healths):
                mine = (one for one, kind in zip(healths, laws.kinds, strict=True)
                        if kind.side == self.side)  # fmt: skip
                left[tuple(mine)] += amount
        self.left = left
        self.won *= add_up(left.values()) * unit if left else Fraction(0)

    def _goes_on(self, laws: Laws, healths: Healths) -> bool:
        """Whether the side has won, or only others have retreated."""
        winner, retreating = laws.winner(healths), laws.retreating(healths)
        return winner == self.side or (
            winner is None and bool(retreating) and self.side not in retreating
        )
