"""Names at random, for characters and for things; of no language, and pronounceable."""

from __future__ import annotations

from random import Random

_STARTS = (
    *("A", "Bel", "Cor", "Da", "E", "Fen", "Gar", "Hal", "I", "Jo", "Ka", "Lo", "Mar", "Ne"),
    *("O", "Per", "Ri", "Sa", "Tor", "U", "Ve", "Wil", "Yo", "Ze"),
)
_MIDDLES = ("", "", "", "la", "ri", "ne", "do", "mi", "se")
_ENDS = (
    *("bert", "da", "gan", "lin", "mond", "na", "ra", "rik", "ros", "sia", "th", "tin", "va"),
    *("vin", "wen", "zo"),
)
_PLACES = (
    *("Ash", "Brook", "Clay", "Fern", "Grey", "Hill", "Marsh", "North", "Reed", "Salt", "Stone"),
    *("Thorn", "Under", "Weather", "Win", "Wood"),
)
_ROOTS = ("bank", "by", "croft", "field", "ford", "ham", "ley", "mere", "ridge", "ton", "well")
_WAYS = (
    *("Crooked", "Eager", "Grey", "Humble", "Last", "Lucky", "Patient", "Quiet", "Red", "Silver"),
    *("Stubborn", "Wandering"),
)
_THINGS = (
    *("Anchor", "Candle", "Crane", "Gull", "Hearth", "Heron", "Kettle", "Lantern", "Otter"),
    *("Raven", "Star", "Willow"),
)


def random_name(rng: Random, *, person: bool = True) -> str:
    """A name and a surname, or a name for what is no person.

    >>> random_name(Random(3)), random_name(Random(3), person=False)
    ('Halsemond Thornton', 'The Humble Raven')
    """
    if not person:
        return f"The {rng.choice(_WAYS)} {rng.choice(_THINGS)}"
    first = f"{rng.choice(_STARTS)}{rng.choice(_MIDDLES)}{rng.choice(_ENDS)}"
    return f"{first} {rng.choice(_PLACES)}{rng.choice(_ROOTS)}"
