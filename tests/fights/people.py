"""A naive engine for fights: every order and attack of named persons, as fractions.

It shares nothing with the engine but a game's declaration: no kinds, no strings, no closed rounds.
"""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

from kitchentable.dice import odds
from kitchentable.rules.combat import POLICIES


class People:
    """A battle as a chain over the healths of persons, and over the order where that is kept."""

    def __init__(self, fought, battle, policies=None):
        self.fought, self.people, self.anew = fought, battle.combatants, battle.anew
        self.passes = battle.passes
        self.policies = policies or dict.fromkeys(battle.sides, POLICIES["weakest"])
        self.order = cache(self._order)
        self.untie = cache(self._untie)
        self.round = cache(self._round)
        self.start = tuple(one.health for one in self.people)
        self.tolls, self.toll = defaultdict(Fraction), Fraction(0)

    def _throws(self, mechanic, who, healths=None):
        now = self.fought.now if self.fought.now and healths else lambda numbers, health: numbers
        healths = healths or self.start
        numbers = [now(self.people[one].numbers, healths[one]) for one in who]
        return [odds(mechanic, each).items() for each in numbers]

    def _order(self, who, healths=None):
        """The chance of each order of the persons with a turn."""
        found = defaultdict(Fraction)
        for thrown in product(*self._throws(self.fought.turn, who, healths)):
            chance = Fraction(1)
            groups = defaultdict(list)
            for one, (number, share) in zip(who, thrown, strict=True):
                chance *= share
                if number is not None:
                    groups[number].append(one)
            for order, part in self._joined(groups):
                found[order] += chance * part
        return dict(found)

    def _joined(self, groups):
        orders = {(): Fraction(1)}
        for number in sorted(groups, reverse=True):
            orders = {
                before + after: a * b
                for before, a in orders.items()
                for after, b in self.untie(tuple(groups[number])).items()
            }
        return orders.items()

    def _untie(self, who):
        if len(who) == 1:
            return {who: Fraction(1)}
        found, same = defaultdict(Fraction), Fraction(0)
        for thrown in product(*self._throws(self.fought.again, who)):
            chance = Fraction(1)
            groups = defaultdict(list)
            for one, (number, share) in zip(who, thrown, strict=True):
                chance *= share
                groups[number].append(one)
            if len(groups) == 1:
                same += chance
                continue
            for order, part in self._joined(groups):
                found[order] += chance * part
        return {order: chance / (1 - same) for order, chance in found.items()}

    def winner(self, healths):
        up = {one.side for one, health in zip(self.people, healths, strict=True) if health}
        return up.pop() if len(up) == 1 else None

    def is_over(self, healths):
        """Whether a side has won, or retreats at the end of a round."""
        return self.winner(healths) is not None or bool(self.retreating(healths))

    def retreating(self, healths):
        found = []
        for side, policy in self.policies.items():
            left = [h for one, h in zip(self.people, healths, strict=True) if one.side == side]
            full = [one.health for one in self.people if one.side == side]
            if policy.retreat and policy.retreat.when([h for h in left if h], full):
                found.append(side)
        return found

    def defends(self, who, healths):
        """Whether somebody is hurt enough to only defend."""
        one = self.people[who]
        defend = self.policies[one.side].defend
        return bool(defend and defend.when(healths[who], one.health))

    def way(self, healths):
        """The way in which a fight with these healths at the end has ended."""
        sides = " and ".join(self.retreating(healths))
        return self.winner(healths) or (f"{sides} retreat" if sides else "stopped")

    def _blow(self, who, healths):
        """The chance of each set of healths after one person's action."""
        mine = self.people[who]
        policy = self.policies[mine.side]
        if self.defends(who, healths):
            return {healths: Fraction(1)}
        foes = [
            (policy.key(mine.numbers, one.numbers, healths[p]), self._listed(p), healths[p], p)
            for p, one in enumerate(self.people)
            if one.side != mine.side and healths[p]
        ]
        best = min(foes)
        chosen = [foe for foe in foes if foe[0] == best[0]] if policy.evenly else [best]
        found = defaultdict(Fraction)
        for *_, foe in chosen:
            theirs = self.people[foe]
            if self.defends(foe, healths):
                theirs = replace(theirs, numbers=self.fought.guard(theirs.numbers))
            for after, chance in self.changes(mine, theirs, healths[foe], healths[who]):
                now = (*healths[:foe], after, *healths[foe + 1 :])
                found[now] += chance / len(chosen)
        return found

    def changes(self, mine, theirs, health, mine_left):
        """A foe's health after one action, with its chance; the same health may come twice."""
        now = self.fought.now or (lambda numbers, health: numbers)
        me, foe = now(mine.numbers, mine_left), now(theirs.numbers, health)
        for outcome, chance in odds(self.fought.act, me, foe).items():
            yield max(0, self.fought.after(theirs.numbers, health, outcome)), chance

    def _toll(self, who, healths):
        """The mean toll of one action on the weakest foe, whoever that is."""
        mine, fought = self.people[who], self.fought
        if fought.toll is None:
            return 0
        now = fought.now or (lambda numbers, health: numbers)
        foes = [p for p, one in enumerate(self.people) if one.side != mine.side and healths[p]]
        foe = min(foes, key=lambda p: (healths[p], p))
        me, them = now(mine.numbers, healths[who]), now(self.people[foe].numbers, healths[foe])
        law = odds(fought.act, me, them).items()
        return sum(chance * fought.toll(them, outcome) for outcome, chance in law)

    def _listed(self, who):
        """The place in the list of the first who is the same in all that the dice ask."""
        one = self.people[who]
        alike = [(p.side, p.numbers, p.health) for p in self.people]
        return alike.index((one.side, one.numbers, one.health))

    def _round(self, state):
        """The chance of each state after one round; a state is healths and, if kept, the order."""
        healths, kept = state
        up = tuple(p for p, health in enumerate(healths) if health)
        if kept is None:
            orders = [
                (order, order + tuple(self._last(up, order)), chance)
                for order, chance in self.order(up, healths).items()
            ]
        else:
            orders = [(kept, kept, Fraction(1))]
        found = defaultdict(Fraction)
        for order, later, chance in orders:
            states = {healths: chance}
            for who in order * self.passes:
                after = defaultdict(Fraction)
                for now, amount in states.items():
                    if not now[who] or self.winner(now):
                        after[now] += amount
                        continue
                    for then, share in self._blow(who, now).items():
                        after[then] += amount * share
                    self.tolls[state] += amount * self._toll(who, now)
                states = after
            for now, amount in states.items():
                keeps = None if self.anew else tuple(p for p in later if now[p])
                found[now, keeps] += amount
        return found

    def _last(self, up, order):
        """Those without a turn, kind by kind as they are listed."""
        return sorted((p for p in up if p not in order), key=lambda p: (self._listed(p), p))

    def solve(self):
        """The chance of each end as healths of persons, and the mean number of rounds."""
        flow = defaultdict(Fraction, {(self.start, None): Fraction(1)})
        ends, rounds = defaultdict(Fraction), Fraction(0)
        while flow:
            state = max(flow, key=lambda one: (sum(one[0]), one[1] is None))
            amount = flow.pop(state)
            if self.is_over(state[0]):
                ends[state[0]] += amount
                continue
            after = dict(self.round(state))
            amount /= 1 - after.pop(state, 0)
            rounds += amount
            self.toll += amount * self.tolls[state]
            for then, chance in after.items():
                flow[then] += amount * chance
        return dict(ends), rounds

    def by_round(self, most):
        """The chance that the fight is over after exactly this many rounds, up to `most`."""
        flow, found = {(self.start, None): Fraction(1)}, []
        for _ in range(most + 1):
            found.append(sum(chance for state, chance in flow.items() if self.is_over(state[0])))
            flow = self._next(flow)
        return found

    def _next(self, flow):
        after = defaultdict(Fraction)
        for state, amount in flow.items():
            if not self.is_over(state[0]):
                for then, chance in self.round(state).items():
                    after[then] += amount * chance
        return after

    def stopped(self, rounds):
        """The chance of each way in which a fight ends within this many rounds, or is stopped."""
        flow, ways = {(self.start, None): Fraction(1)}, defaultdict(Fraction)
        for number in range(rounds + 1):
            for (healths, _), chance in flow.items():
                if self.is_over(healths) or number == rounds:
                    ways[self.way(healths)] += chance
            flow = self._next(flow)
        return dict(ways)
