"""A battle compiled into laws: kinds of combatants, and distributions of their dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from kitchentable import dice
from kitchentable.fights.kept import kept
from kitchentable.fights.spending import pack_points
from kitchentable.rules.combat import BadBattle, Battle, Fought, Numbers, Policy, Retreat

#: The greatest relative error allowed for the chances of dice that may explode without end.
LOOSEST = Fraction(1, 10**12)
#: The greatest health; more would take too much time and memory.
MOST_HEALTH = 100_000
#: The most rounds of a thrown fight; a longer one is undecided.
LONGEST = 1_000
#: The healths of each kind's combatants in ascending order: the state of a fight between turns.
Healths = tuple[tuple[int, ...], ...]
#: Healths at the start, with the number of fights that begin with them.
Starts = Mapping[Healths, int]
Law = Mapping[Any, Fraction]
#: Healths after an action, the kinds that lost a combatant, and the chance.
Way = tuple[Healths, tuple[int, ...], Fraction]
#: The most configurations with cached ways.
REMEMBERED = 5_000


@dataclass(frozen=True, slots=True)
class Kind:
    """Combatants with equal side, numbers, health and group; only their names differ."""

    side: str
    numbers: Numbers
    health: int
    names: tuple[str, ...]
    group: str = ""


@dataclass(frozen=True)
class Laws:
    """A compiled battle: its kinds in the order listed, and the distribution of each throw.

    `turn[k]` is the distribution of kind k's number for the turn order at the start (None: no
    turn), `again[k]` that of the throw among equals. Dice are solved once for each pair of kinds.
    """

    fought: Fought
    battle: Battle
    policies: Mapping[str, Policy]
    kinds: tuple[Kind, ...]
    turn: tuple[Law, ...]
    again: tuple[Law, ...]

    @cached_property
    def start(self) -> Healths:
        """The healths at the start."""
        return tuple((kind.health,) * len(kind.names) for kind in self.kinds)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """Each kind's side."""
        return tuple(kind.side for kind in self.kinds)

    @cached_property
    def _turns(self) -> list[Law]:
        return [*self.turn]

    @kept
    def turn_at(self, kind: int, health: int) -> Law:
        """The distribution of a kind's number for the turn order at a health.

        Equal distributions are one object.
        """
        now = self.fought.now
        if now is None:
            return self.turn[kind]
        law, known = solve_law(self.fought.turn, now(self.kinds[kind].numbers, health)), self._turns
        if law not in known:
            known.append(law)
        return known[known.index(law)]

    @property
    def slack(self) -> Fraction:
        """The greatest relative error so far, if dice explode without end; otherwise 0."""
        return max(self._slacks, default=Fraction(0))

    @cached_property
    def _slacks(self) -> list[Fraction]:
        return []

    @cached_property
    def by_person(self) -> bool:
        """Whether the acting fighter's health matters, so that fighters are followed one by one."""
        return self.fought.by_person or self.defended or self.spends_points

    @cached_property
    def defended(self) -> bool:
        """Whether some kind only defends at some health."""
        return any(policy.defend is not None for policy in self.policies.values())

    @cached_property
    def remembers(self) -> bool:
        """Whether some policy remembers the fight."""
        return any(policy.recall is not None for policy in self.policies.values())

    @cached_property
    def spends_points(self) -> bool:
        """Whether some kind may spend points."""
        return self.fought.spend is not None and any(o.spend for o in self.policies.values())

    def spends(self, kind: int, health: int) -> bool:
        """Whether a kind spends a point when it acts at a health."""
        one, points = self.kinds[kind], self.fought.spend
        spend = self.policies[one.side].spend
        if points is None or spend is None or not health % (points.points(one.numbers) + 1):
            return False
        return spend.when(self.show(kind, health), self.show(kind, one.health))

    @property
    def accounts(self) -> int:
        """The number of counted tolls: one for each kind, and one for its spent points."""
        counted = self.fought.toll is not None or self.spends_points
        return counted * len(self.kinds) * (2 if self.spends_points else 1)

    def defends(self, kind: int, health: int) -> bool:
        """Whether a kind only defends at a health."""
        one = self.kinds[kind]
        defend = self.policies[one.side].defend
        if defend is None or not health:
            return False
        return defend.when(self.show(kind, health), self.show(kind, one.health))

    @kept
    def _now(self, kind: int, health: int, *, acts: bool = False) -> Numbers:
        """The numbers of a kind at a health; `acts` for the acting fighter."""
        numbers, now = self.kinds[kind].numbers, self.fought.now
        numbers = numbers if now is None else now(numbers, health)
        if self.fought.guard is not None and self.defends(kind, health):
            numbers = self.fought.guard(numbers)
        if acts and self.fought.spend is not None and self.spends(kind, health):
            numbers = self.fought.spend.boost(numbers)
        return numbers

    @kept
    def _outcomes(self, mine: Numbers, theirs: Numbers) -> tuple[Law, Fraction]:
        """The distribution of an action, and its unresolved part."""
        return solve_open(self.fought.act, mine, theirs)

    @kept
    def changes(self, actor: int, target: int, health: int, mine: int = 0) -> Law:
        """The distribution of a target's health after one action by kind `actor`.

        `mine` is the actor's own health, for fights in which it matters.
        """
        return self._changed(self._now(actor, mine, acts=True), target, health)

    @kept
    def toll(self, actor: int, target: int, health: int, mine: int = 0) -> float:
        """The mean toll of one action by kind `actor` on a target."""
        return self._toll(self._now(actor, mine, acts=True), self._now(target, health))

    @kept
    def _toll(self, acting: Numbers, theirs: Numbers) -> float:
        toll, (outcomes, _) = self.fought.toll, self._outcomes(acting, theirs)
        return float(sum(c * toll(theirs, one) for one, c in outcomes.items())) if toll else 0.0

    @kept
    def _changed(self, acting: Numbers, target: int, health: int) -> Law:
        theirs = self.kinds[target].numbers
        outcomes, unresolved = self._outcomes(acting, self._now(target, health))
        law: dict[int, Fraction] = defaultdict(Fraction)
        for outcome, chance in outcomes.items():
            later, rest = self._after(theirs, health, outcome)
            unresolved += chance * rest
            for now, share in later.items():
                law[_fallen(health, now)] += chance * share
        return self._closed(law, unresolved)

    def _after(self, theirs: Numbers, health: int, outcome: Any) -> tuple[Law, Fraction]:
        """The distribution of a health after an outcome, and its unresolved part."""
        after = self.fought.after
        if isinstance(after, dice.Mechanic):
            return solve_open(after, theirs, health, outcome)
        return {after(theirs, health, outcome): Fraction(1)}, Fraction(0)

    def _closed(self, law: dict[Any, Fraction], unresolved: Fraction) -> Law:
        """Add the unresolved part to the likeliest health, and update the error.

        Each chance is too small by at most the unresolved part, so the relative error is at most
        that part divided by the least chance; the addition makes no error larger. Rarer outcomes
        may be missing and count as impossible.
        """
        if unresolved:
            slack = unresolved / min(law.values())
            if slack > LOOSEST:
                raise BadBattle(
                    f"The outcomes of {self.fought.name} are unlimited, and the rarest ones are "
                    "too rare to be solved. Limit them."
                )
            self._slacks.append(slack)
            law[max(law, key=lambda now: law[now])] += unresolved
        return law

    @kept
    def clashes(self, actor: int, mine: int, target: int, health: int) -> Law:
        """The distribution of both fighters' healths after an action; `mine` is 0 for a kind."""
        clash = self.fought.clash
        if clash is None:
            after, law = mine - self.spends(actor, mine), self.changes(actor, target, health, mine)
            return {(after, now): p for now, p in law.items()}
        me, foe = self.kinds[actor].numbers, self.kinds[target].numbers
        if self.fought.guard is not None and self.defends(target, health):
            foe = self.fought.guard(foe)
        law, unresolved = solve_open(clash, me, mine, foe, health)
        both = {(_fallen(mine, m), _fallen(health, h)): p for (m, h), p in law.items()}
        return self._closed(both, unresolved)

    @cached_property
    def _ways(self) -> dict[tuple[int, Healths], list[Way]]:
        return {}

    def ways(self, actor: int, healths: Healths) -> list[Way]:
        """The healths after an action of a kind, the kinds that lost a combatant, and the chance.

        Actions that change nothing are left out.
        """
        found = self._ways.get((actor, healths))
        if found is None:
            found = list(self._find_ways(actor, healths))
            if len(self._ways) < REMEMBERED:
                self._ways[actor, healths] = found
        return found

    def _find_ways(self, actor: int, healths: Healths) -> Iterator[Way]:
        mine = healths[actor][0] if self.by_person else 0
        for target, health, weight in self.targets(actor, healths):
            for (me, foe), chance in self.clashes(actor, mine, target, health).items():
                if (me, foe) == (mine, health) or not chance:
                    continue
                after = self.after(healths, target, health, foe)
                downs: tuple[int, ...] = () if foe else (target,)
                if me != mine:
                    after = self.after(after, actor, mine, me)
                    downs += () if me else (actor,)
                yield after, downs, chance if weight == 1 else weight * chance

    def miss(self, actor: int, healths: Healths) -> Fraction:
        """The chance that an action of a kind changes nothing."""
        mine = healths[actor][0] if self.by_person else 0
        shares = []
        for target, health, weight in self.targets(actor, healths):
            law = self.clashes(actor, mine, target, health)
            chance = law.get((mine, health), Fraction(0))
            shares.append(chance if weight == 1 else weight * chance)
        if len(shares) < 2:
            return shares[0] if shares else Fraction(1)
        return sum(shares, Fraction(0))

    def tolls(self, actor: int, healths: Healths) -> list[tuple[int, int, float]]:
        """A kind, a foe that it attacks, and the mean toll; nothing in games without tolls."""
        if not self.accounts:
            return []
        mine, targets = healths[actor][0] if self.by_person else 0, self.targets(actor, healths)
        tolls = [
            (actor, target, float(weight) * self.toll(actor, target, health, mine))
            for target, health, weight in targets
        ]
        if targets and self.spends_points and self.spends(actor, mine):
            tolls.append((actor, len(self.kinds) + actor, 1.0))
        return tolls

    def winner(self, healths: Healths) -> str | None:
        """The only side that is up, "nobody" if none is, None if several are."""
        up = {side for side, left in zip(self.sides, healths, strict=True) if left}
        return None if len(up) > 1 else next(iter(up), "nobody")

    @cached_property
    def retreats(self) -> dict[str, Retreat]:
        """The retreats, by side."""
        policies = self.policies.items()
        return {side: one.retreat for side, one in policies if one.retreat is not None}

    def retreating(self, healths: Healths) -> tuple[str, ...]:
        """The sides that retreat at these healths."""
        return tuple(
            side
            for side, retreat in self.retreats.items()
            if retreat.when(self.left(side, healths), self.left(side, self.start))
        )

    def is_over(self, healths: Healths) -> bool:
        """Whether no further round begins, because a side has won or retreats."""
        return self.winner(healths) is not None or bool(self.retreating(healths))

    @kept
    def show(self, kind: int, health: int) -> int:
        """A kind's health as it is displayed."""
        return self.fought.left(self.kinds[kind].numbers, health)

    def left(self, side: str, healths: Healths) -> list[int]:
        """The displayed healths of the combatants of a side who are up."""
        return [
            self.show(number, health)
            for number, left in enumerate(healths)
            if self.sides[number] == side
            for health in left
        ]

    def targets(self, actor: int, healths: Healths) -> Sequence[tuple[int, int, Fraction]]:
        """The foes that a kind may attack, as kind, health and chance."""
        mine = self.kinds[actor]
        policy = self.policies[mine.side]
        if policy.defend is not None and self.defends(actor, healths[actor][0]):
            return ()
        foes = [
            (policy.key(mine.numbers, self.kinds[k].numbers, health), k, health)
            for k, left in enumerate(healths)
            if self.sides[k] != mine.side
            and self.fought.reaches(mine.numbers, self.kinds[k].numbers)
            for health in left
        ]
        if not foes:
            return ()
        best = min(foes)
        if not policy.evenly:
            return ((best[1], best[2], Fraction(1)),)
        equal = [(k, health) for key, k, health in foes if key == best[0]]
        return [(*one, Fraction(equal.count(one), len(equal))) for one in dict.fromkeys(equal)]

    def after(self, healths: Healths, target: int, health: int, now: int) -> Healths:
        """The healths after one combatant of a kind has changed from `health` to `now`."""
        left = list(healths[target])
        left.remove(health)
        if now:
            left.append(now)
            left.sort()
        return (*healths[:target], tuple(left), *healths[target + 1 :])


def compile_battle(fought: Fought, battle: Battle, policies: Mapping[str, Policy]) -> Laws:
    """Compile a battle; `policies` has one for each side. Errors: BadInput, those of the solver."""
    most = max((one.health for one in battle.combatants), default=0)
    if most > MOST_HEALTH:
        raise dice.BadInput(
            f"A fighter in a forecast has at most {MOST_HEALTH:,} health, not {most:,}. Divide all "
            "health and damage by the same number."
        )
    fought, battle, policies = pack_points(fought, battle, policies)
    by_person = fought.by_person or any(one.defend or one.spend for one in policies.values())
    members: dict[tuple[str, Numbers, int, str, int], list[str]] = {}
    for place, one in enumerate(battle.combatants):
        if one.health > 0:
            apart = place if by_person or fought.again is None else 0
            key = one.side, one.numbers, one.health, one.group, apart
            members.setdefault(key, []).append(one.name)
    kinds = tuple(Kind(*key[:3], tuple(names), key[3]) for key, names in members.items())
    now = fought.now or (lambda numbers, health: numbers)
    turn = tuple(solve_law(fought.turn, now(kind.numbers, kind.health)) for kind in kinds)
    again = tuple(
        {-place: Fraction(1)} if fought.again is None else solve_law(fought.again, kind.numbers)
        for place, kind in enumerate(kinds)
    )
    return Laws(fought, battle, policies, kinds, turn, again)


def _fallen(before: int, after: int) -> int:
    """Check a health after an action. Errors: BadBattle for a higher one."""
    if after > before:
        raise BadBattle(
            f"An action raised a health from {before} to {after}. Forecasts need actions that "
            "never raise health."
        )
    return max(0, after)


def solve_law(mechanic: dice.Mechanic[..., Any], *numbers: Any) -> Law:
    """Solve the exact distribution of a mechanic. Errors: BadBattle for an unlimited one."""
    law, unresolved = solve_open(mechanic, *numbers)
    if unresolved:
        raise BadBattle(
            f"The outcomes of {mechanic.name} are unlimited, so it cannot give a turn order. "
            "Limit them."
        )
    return law


def solve_open(mechanic: dice.Mechanic[..., Any], *numbers: Any) -> tuple[Law, Fraction]:
    """Solve the distribution of a mechanic, and its unresolved part."""
    solved = dice.odds(mechanic, *numbers)
    return dict(solved.items()), solved.unresolved
