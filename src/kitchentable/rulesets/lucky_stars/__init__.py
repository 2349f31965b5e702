"""These Lucky Stars, The Basics, by Sword in Board Workshop."""

from kitchentable.rules import Game
from kitchentable.rulesets.lucky_stars.claims import announce, conceal
from kitchentable.rulesets.lucky_stars.contests import contest, contest_of_many
from kitchentable.rulesets.lucky_stars.decisions import decision, telling
from kitchentable.rulesets.lucky_stars.library import ROLLS
from kitchentable.rulesets.lucky_stars.options import BOOK, OPTIONS
from kitchentable.rulesets.lucky_stars.people import FIGHTS, stars
from kitchentable.rulesets.lucky_stars.sheet import SHEET, example
from kitchentable.rulesets.lucky_stars.stat_list import REFIT, derived_parts, options_changed
from kitchentable.rulesets.lucky_stars.supplies import restock, supply, supply_due
from kitchentable.rulesets.lucky_stars.trackers import d100, other_dice, track

__all__ = ["game"]

game = Game(
    name="lucky_stars",
    title="These Lucky Stars, The Basics",
    version="1",
    about="Exploding dice without an end, advantage in five steps, kits that run out.",
    credits=BOOK.credits,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        decision,
        contest,
        announce,
        supply,
        other_dice,
        d100,
        restock,
        track,
        contest_of_many,
        telling,
        supply_due,
        *FIGHTS.moves(),
        REFIT,
        derived_parts,
    ),
    rolls=ROLLS,
    rulebook=BOOK.rulebook,
    example=example,
    conceal=conceal,
    fight=FIGHTS.view,
    hooks={"options-changed": options_changed},
    playthrough=BOOK.playthrough,
    moment=stars.moment,
)
