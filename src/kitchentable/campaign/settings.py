"""Settings of a table, equal for every game.

They are fields like any other, so that the page and the terminal show them like options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules.values import Choice, Field, Json

#: The dialects of dice notation, by key.
DIALECT_CHOICES = (
    Choice("house", "As in the manual", "What tables read differently is asked about."),
    Choice("roll20", "As in Roll20"),
    Choice("foundry", "As in Foundry"),
    Choice("avrae", "As in Avrae"),
    Choice("rpg-dice-roller", "As in rpg-dice-roller"),
    Choice("anydice", "As in AnyDice"),
)

#: The value of "gm_confirms" for a table without a GM.
SOLO = "solo"

SETTINGS = (
    Field(
        "gm_confirms",
        "Rolls wait for the GM",
        "choice",
        (
            Choice("each", "Each roll", "The GM looks at every roll before the dice fall."),
            Choice("trust", "Only where needed", "Where the rules have a default, it stands."),
            Choice(SOLO, "Never: play without a GM", "Whoever rolls sets what the GM would set."),
        ),
        default="each",
        help="Applies where the rules have a default for everything that the GM sets.",
    ),
    Field(
        "odds_shown",
        "Show the odds",
        "tick",
        default=True,
        required=False,
        help="Players see the odds of a roll if they know all its numbers.",
    ),
    Field(
        "foe_health",
        "Health of foes",
        "choice",
        (
            Choice("closed", "As numbers", "Closed numbers stay closed."),
            Choice("words", "In words", "Players read “hurt” or “bloodied”, never a number."),
        ),
        default="closed",
        help="How players see foes in a fight whose numbers are closed.",
    ),
    Field(
        "fudge",
        "The GM may alter results",
        "choice",
        (
            Choice("off", "Never", "Results stand, or are taken back openly."),
            Choice("logged", "Openly", "The log says that the GM altered a result."),
        ),
        default="off",
        help="Either way the original dice stay in the journal.",
    ),
    Field(
        "joining",
        "People with the link",
        "choice",
        (
            Choice("ask", "Ask to join", "The GM lets them in or not."),
            Choice("open", "Sit down at once", "Nobody has to let them in."),
            Choice("closed", "Cannot join", "The table is full."),
        ),
        default="ask",
    ),
    Field(
        "typed_dice",
        "Real dice may be typed in",
        "tick",
        default=True,
        required=False,
        help="The log marks them as typed in.",
    ),
    Field(
        "dialect",
        "Dice notation",
        "choice",
        DIALECT_CHOICES,
        default="house",
        help="For /roll, and between [[ and ]]. For another notation on your own device, type "
        "/dialect roll20.",
    ),
    Field(
        "gm_reads_whispers",
        "The GM reads whispers between players",
        "tick",
        default=False,
        required=False,
        help="Applies to later whispers only.",
    ),
    Field(
        "tone",
        "Tone and limits",
        "story",
        default="",
        required=False,
        help="Tone, limits, what to expect. Everybody reads it.",
        longest=4000,
    ),
)


def shows_odds(settings: Mapping[str, Any], *, gm: bool) -> bool:
    """Whether a table's settings let a seat see odds; the GM always does.

    >>> shows_odds({"odds_shown": False}, gm=False), shows_odds({}, gm=False)
    (False, True)
    """
    return gm or bool(settings.get("odds_shown", True))


def default_settings() -> dict[str, Json]:
    """Every setting at its default.

    >>> default_settings()["fudge"]
    'off'
    """
    return {field.name: field.default for field in SETTINGS}
