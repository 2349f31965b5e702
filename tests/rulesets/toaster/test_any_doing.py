"""People doing anything at all, under any settings of this chapter: nothing breaks, nothing leaks.

Luck never goes below nothing, and nothing that a player reads has the ranks of the closed Warden
in it, with any die.
"""

import random
import re

import pytest
from msgspec.structs import replace

from kitchentable.campaign.paths import record
from kitchentable.campaign.state import evolve
from kitchentable.rules.moves import Change
from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.book import BOOK
from tests.rulesets.anything import Anything
from tests.rulesets.driver import GM
from tests.rulesets.filling import Whims
from tests.rulesets.toaster.doing import ATTRIBUTES, evening, foe, hero, state

STEPS = 20
DOING = {
    "Nines, zeros and called 4s",
    "Variable outcomes",
    "Difficulty",
    "Which skill to roll",
    "Help and teamwork",
    "Skills in play",
    "Luck",
}
NAMES = {move.name for move in game.moves[:13]}
#: Somebody hidden by name; and the ranks, trained or not, of somebody closed, with any die.
SECRET = re.compile(r"Umbra|\b(3[5-9]\d|1[89]\d)\b")


def settings(rng):
    chosen = {}
    for option in BOOK.options:
        if option.group not in DOING:
            continue
        field = option.field
        if field.kind == "tick":
            chosen[field.name] = rng.random() < 0.6
        elif field.kind == "choice":
            chosen[field.name] = rng.choice(field.choices).value
        elif field.name == "nines_limit":
            chosen[field.name] = rng.choice([0, 1, 2])
    return chosen


def set_up(seed):
    rng = random.Random(seed)
    one = evening(mental_wound_penalty=rng.choice(["full", "half"]), **settings(rng))
    skills = {"climb": 6, "act": 4, "lip_reading": 3, "language__Latin": 4, "teach": 5}
    people = [
        hero(one, "ana", tuple(rng.randint(0, 9) for _ in range(4)), **skills),
        hero(one, "ben", stealth=7, swim=2),
        foe(one, "Guard", open=True, perception=5),
        foe(one, "Umbra", hidden=True, perception=9),
        foe(one, "Warden"),
    ]
    mighty(one, people[-1], 371)
    state(one, people[0], xp=9, wounds=[{"n": 1, "area": "", "cause": "attack"}])
    return one


def mighty(one, who, rank):
    """Ranks that no other number of the evening comes near, and that no form would take."""
    path = ("entities", who, "sheet", "attributes")
    changes, _ = record(one.campaign.tree, [Change(path, dict.fromkeys(ATTRIBUTES, rank))])
    number = one.campaign.number + 1
    event = replace(one.last, number=number, command=f"c{number}", audience=GM, changes=changes)
    one.campaign = evolve(one.campaign, event)
    assert one.entity(who).sheet["attributes"]["aura"] == rank


def keeps_the_rules(one, before):
    assert all(entity.state["luck"] >= 0 for entity in one.table.entities.values())


STRANGERS = Anything(
    set_up,
    keeps_the_rules,
    (GM, "ana", "ben"),
    whims=Whims(least=-9),
    among=lambda move: move.name in NAMES,
    talks=True,
    secret=SECRET,
    done=1 / 3,
    forms=False,
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.rule("toaster.1.optional-rules-are-switches")
def test_anybody_does_anything(seed):
    STRANGERS.play(seed, STEPS, look_every=1)
