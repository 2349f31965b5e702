"""Toast's melee, written by hand with numpy arrays and as a loop for numba.

The engine for any game is compared with these. The rules are those of the book: Initiative each
round, a flub does not act, equals throw again, and everybody attacks the foe with the fewest wounds
left.
"""

import numpy as np

FLUB, KICK = 11, 12
#: A number above every Initiative, so that a place and a throw among equals fit one number.
PLACE = 1_000


def throw(rng, traits):
    """Initiative for an array of traits; a flub is 0."""
    face = rng.integers(1, 13, traits.shape)
    return np.where(face == FLUB, 0, face + traits)


def hit_chances(attacks, defenses):
    """The chance to hit by attacker and defender, from the 144 pairs of faces."""
    face = np.arange(1, 13)

    def worth(trait):
        return np.where(face == FLUB, -1, np.where(face == KICK, 10**6, face + trait))

    return np.array(
        [[np.mean(worth(a)[:, None] > worth(d)[None, :]) for d in defenses] for a in attacks]
    )


def find_order(rng, initiative, up):
    """A key for each fighter of each fight, highest first; below 1 nobody acts."""
    people = up.shape[1]
    key = np.where(up, throw(rng, np.broadcast_to(initiative, up.shape)), 0)
    key = np.where(key > 0, key, -np.arange(people))
    rows = np.arange(len(key))
    while len(rows):
        order = np.argsort(-key[rows], axis=1, kind="stable")
        sorted_ = np.take_along_axis(key[rows], order, 1)
        same = (sorted_[:, 1:] == sorted_[:, :-1]) & (sorted_[:, 1:] > 0)
        open_ = same.any(1)
        rows, order, sorted_, same = rows[open_], order[open_], sorted_[open_], same[open_]
        tied = np.pad(same, ((0, 0), (1, 0))) | np.pad(same, ((0, 0), (0, 1)))
        place = people - np.pad(np.cumsum(~same, axis=1), ((0, 0), (1, 0)))
        sorted_ = np.where(sorted_ > 0, place * PLACE, sorted_)
        sorted_[tied] += throw(rng, initiative[order[tied]])
        fresh = np.empty_like(sorted_)
        np.put_along_axis(fresh, order, sorted_, 1)
        key[rows] = fresh
    return key


def fight(rows, n, seed):
    """Fight n fights of (side, Initiative, attack, defence, wounds); gives the wins of side 0."""
    side, initiative, attack, defense, wounds = np.array(sorted(rows)).T
    chance = hit_chances(attack, defense)
    rng = np.random.default_rng(seed)
    left = np.tile(wounds, (n, 1))
    people, won = len(side), 0
    while len(left):
        key = find_order(rng, initiative, left > 0)
        order = np.argsort(-key, axis=1, kind="stable")
        acting = (key > 0).sum(1)
        for turn in range(acting.max()):
            at = np.flatnonzero(acting > turn)
            who = order[at, turn]
            up = left[at, who] > 0
            at, who = at[up], who[up]
            foes = (side[who][:, None] != side[None, :]) & (left[at] > 0)
            target = np.where(foes, left[at] * people + np.arange(people), 10**6).argmin(1)
            hit = foes.any(1) & (rng.random(len(at)) < chance[who, target])
            left[at[hit], target[hit]] -= 1
        ours, theirs = ((left[:, side == one] > 0).any(1) for one in (0, 1))
        won += int((ours & ~theirs).sum())
        left = left[ours & theirs]
    return won


def face(rng):
    """A face of the die, 1 to 12."""
    return int(rng.random() * 12) + 1


def worth(shown, trait):
    """The value of a face and a trait in an attack."""
    return -1 if shown == FLUB else 10**6 if shown == KICK else shown + trait


def loop(rng, side, initiative, attack, defense, wounds, n):  # noqa: C901 - one loop, by intent
    """Fight n fights one after the other, for numba to compile; gives the wins of side 0."""
    people = len(side)
    key, who = np.zeros(people, np.int64), np.zeros(people, np.int64)
    left = np.zeros(people, np.int64)
    won = 0
    for _ in range(n):
        left[:] = wounds
        up = [0, 0]
        for one in range(people):
            up[side[one]] += 1
        while up[0] and up[1]:
            acting = 0
            for one in range(people):
                shown = face(rng)
                if left[one] and shown != FLUB:
                    key[acting], who[acting] = shown + initiative[one], one
                    acting += 1
            tied = True
            while tied:
                tied = False
                for last in range(1, acting):
                    number, one, place = key[last], who[last], last
                    while place and key[place - 1] < number:
                        key[place], who[place] = key[place - 1], who[place - 1]
                        place -= 1
                    key[place], who[place] = number, one
                first = 0
                for place in range(acting):
                    if place + 1 < acting and key[place + 1] == key[first]:
                        continue
                    for one in range(first, place + 1):
                        key[one] = (acting - first) * PLACE
                        if place > first:
                            shown = face(rng)
                            key[one] += 0 if shown == FLUB else shown + initiative[who[one]]
                            tied = True
                    first = place + 1
            for place in range(acting):
                mine = who[place]
                if not left[mine]:
                    continue
                target = -1
                for one in range(people):
                    is_foe = side[one] != side[mine] and left[one] > 0
                    if is_foe and (target < 0 or left[one] < left[target]):
                        target = one
                if worth(face(rng), attack[mine]) > worth(face(rng), defense[target]):
                    left[target] -= 1
                    if not left[target]:
                        up[side[target]] -= 1
                        if not up[side[target]]:
                            break
        won += up[0] > 0
    return won
