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
            Choice(SOLO, "Never: nobody is the GM", "Whoever rolls sets what would be the GM's."),
        ),
        default="each",
        help="Whether a player's roll waits for the GM where the rules have a default for "
        "everything that is the GM's to set.",
    ),
    Field(
        "odds_shown",
        "Show the odds",
        "tick",
        default=True,
        required=False,
        help="Players see the odds of their rolls, wherever they know all that goes into them.",
    ),
    Field(
        "foe_health",
        "How badly foes are hurt",
        "choice",
        (
            Choice("closed", "As their numbers", "Closed numbers stay closed."),
            Choice("words", "In words", "Players read “hurt” or “bloodied”, never a number."),
        ),
        default="closed",
        help="What players read in the fight of foes whose numbers are closed.",
    ),
    Field(
        "fudge",
        "The GM may alter results",
        "choice",
        (
            Choice("off", "Never", "What has fallen stands, or is taken back for all to see."),
            Choice("logged", "Openly", "The log says that the GM altered a result."),
        ),
        default="off",
        help="Either way the original dice stay in the journal.",
    ),
    Field(
        "joining",
        "Who has the link",
        "choice",
        (
            Choice("ask", "Asks to join", "The GM says yes or no."),
            Choice("open", "Sits down at once", "Nobody has to say yes."),
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
        "How dice are written",
        "choice",
        DIALECT_CHOICES,
        default="house",
        help="How dice typed after /roll, or between [[ and ]], are read. Whoever writes them "
        "otherwise says so in the line: /dialect roll20.",
    ),
    Field(
        "gm_reads_whispers",
        "The GM reads whispers between players",
        "tick",
        default=False,
        required=False,
        help="It holds for whispers from then on, never for earlier ones.",
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
