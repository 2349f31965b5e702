"""Errors of fights that cannot be followed to their end."""

from __future__ import annotations

from kitchentable.dice.errors import BadInput, DiceFault


class NeverEnds(DiceFault):
    """The error for a fight that can reach a state from which nobody can win."""

    code = "fight/never-ends"


class BadBattle(DiceFault):
    """The error for an impossible fight: healing, an endless distribution, a bad policy key."""

    code = "fight/bad-declaration"


class NoSuchPolicy(BadInput):
    """The error for a policy that the game does not have."""

    code = "fight/policy"
