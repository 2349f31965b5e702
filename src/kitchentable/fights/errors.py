"""Refusals of a fight that cannot be followed to its end."""

from __future__ import annotations

from kitchentable.dice.errors import BadInput, DiceFault


class NeverEnds(DiceFault):
    """A fight that comes to a point from which nobody can win."""

    code = "fight/never-ends"


class BadBattle(DiceFault):
    """A declared fight that cannot be followed: healing, an endless law, a policy without a key."""

    code = "fight/bad-declaration"


class NoSuchPolicy(BadInput):
    """A policy that the game does not have."""

    code = "fight/policy"
