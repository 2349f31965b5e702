"""What can go wrong when a fight is followed to its end."""

from __future__ import annotations

from kitchentable.dice.errors import BadInput, DiceFault


class TooManyStates(BadInput):
    """A fight can stand in more ways than can be solved; run in bulk it still gives an answer."""

    code = "fight/too-many-states"


class NeverEnds(DiceFault):
    """A fight comes to a point from which nobody can win it any more."""

    code = "fight/never-ends"
