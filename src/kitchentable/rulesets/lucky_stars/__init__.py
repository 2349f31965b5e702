"""These Lucky Stars, The Basics, by Sword in Board Workshop, as it is played at this table."""

from kitchentable.rules import Game
from kitchentable.rulesets.lucky_stars.announced import ANNOUNCE, conceal
from kitchentable.rulesets.lucky_stars.book import CREDITS, PLAYTHROUGH, RULEBOOK
from kitchentable.rulesets.lucky_stars.contests import CONTEST
from kitchentable.rulesets.lucky_stars.decisions import DECISION
from kitchentable.rulesets.lucky_stars.doors import ROLLS
from kitchentable.rulesets.lucky_stars.example import example
from kitchentable.rulesets.lucky_stars.many import CONTEST_OF_MANY
from kitchentable.rulesets.lucky_stars.options import OPTIONS
from kitchentable.rulesets.lucky_stars.percentages import D100, OTHER_DICE, TRACK
from kitchentable.rulesets.lucky_stars.restatting import DERIVED_PARTS, REFIT, options_changed
from kitchentable.rulesets.lucky_stars.sheet import SHEET
from kitchentable.rulesets.lucky_stars.supplies import RESTOCK, SUPPLY, SUPPLY_DUE
from kitchentable.rulesets.lucky_stars.telling import TELLING

__all__ = ["game"]

game = Game(
    name="lucky_stars",
    title="These Lucky Stars, The Basics",
    version="1",
    about="Exploding dice without an end, advantage in five steps, kits that run out.",
    credits=CREDITS,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        DECISION,
        CONTEST,
        ANNOUNCE,
        SUPPLY,
        OTHER_DICE,
        D100,
        RESTOCK,
        TRACK,
        CONTEST_OF_MANY,
        TELLING,
        SUPPLY_DUE,
        REFIT,
        DERIVED_PARTS,
    ),
    rolls=ROLLS,
    rulebook=RULEBOOK,
    example=example,
    conceal=conceal,
    hooks={"options-changed": options_changed},
    playthrough=PLAYTHROUGH,
)
