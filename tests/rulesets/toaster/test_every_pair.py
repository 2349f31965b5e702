"""Every pair of options that may be on together is played with: rolls, a fight, its aftermath.

The quick tests play each value of each option, the long tests each pair of values.
"""

import pytest

from kitchentable.rulesets.toaster import game as toaster
from kitchentable.rulesets.toaster.book import BOOK
from tests.rulesets.toaster.covering import covering, pairs
from tests.rulesets.toaster.hurting import wounded
from tests.rulesets.toaster.people import evening, foe, hero, sheet
from tests.rulesets.toaster.playing import Players

#: What stands for a number: its default, and one that is far from it.
NUMBERS = {
    "trait_rank_cap": 5,
    "extra_attribute_points": 3,
    "specialty_skills": 2,
    "nines_limit": 0,
    "related_modifier": -1,
    "complementary_max": 1,
    "collab_min_rank": 4,
    "collab_max_gap": 2,
    "collab_max_helpers": 3,
    "luck_multiplier": 2,
    "luck_offset": -1,
    "luck_buyback_xp": 1,
    "luck_roll_cost": 1,
    "round_seconds": 3,
    "actions_per_round": 1,
    "initiative_cost": 1,
    "aim_bonus": 2,
    "stun_recovery_percent": 50,
    "healing_modifier": 2,
    "healing_days": 2,
    "limb_disabled_at": 2,
}

#: And what somebody might write.
TEXTS = {
    "starting_money": "100 crowns",
    "tiebreaker_own": "The older one wins.",
    "medical_skills": "Science: Medicine",
}

SKILLS = {
    "weapon-skill:Sword": 9,
    "weapon-skill:Handgun": 7,
    "weapon-skill:Bow": 6,
    "weapon-skill:Shield": 5,
    "dodge": 6,
    "brawl": 6,
    "science:Medicine": 9,
}


def values_of(option):
    field = option.field
    match field.kind:
        case "tick":
            return (False, True)
        case "choice":
            return tuple(choice.value for choice in field.choices)
        case "number":
            return (field.default, NUMBERS.get(field.name, (field.low or 0) + 1))
        case _:
            return (field.default, TEXTS.get(field.name, "a word"))


def may_be(row):
    """One die cannot be thrown once and twice (toaster.4.opt-wcac-integrate)."""
    return not (row.get("wcac_same_die") and row.get("wcac_double_roll"))


VALUES = {option.key: values_of(option) for option in BOOK.options}
ROWS = covering(VALUES, may_be)
#: The rows with a value that no row before has, played here; `make soak` plays the others.
PLAYED = [
    at
    for at, row in enumerate(ROWS)
    if any(row[key] not in {before[key] for before in ROWS[:at]} for key in row)
]


def test_the_array_covers_every_pair():
    covered = {pair for row in ROWS for pair in pairs({k: (v,) for k, v in row.items()}, may_be)}
    assert covered == set(pairs(VALUES, may_be))
    assert len(covered) > 10_000
    assert all(may_be(row) for row in ROWS)
    assert len(ROWS) < 60


def test_every_option_is_there_with_two_values_at_least():
    assert all(len(set(values)) > 1 for values in VALUES.values())
    assert toaster.defaults().keys() == VALUES.keys()


def everyday(table, one):
    """What somebody does before a fight, as far as the table plays with it; the moves made."""
    done = set()
    first, other = (entity.id for entity in one.table.in_play())
    for name, more in (
        ("task", {}),
        ("contest", {"other": other}),
        ("together", {"helpers": [other]}),
        ("luck_roll", {}),
    ):
        if table.roll(name, first, **more):
            done.add(name)
        table.answer_all()
    return done


@pytest.mark.slow
@pytest.mark.parametrize("number", PLAYED)
def test_a_fight_and_what_comes_after_it(number):
    play(number)


@pytest.mark.soak
@pytest.mark.parametrize("number", [at for at in range(len(ROWS)) if at not in PLAYED])
def test_a_fight_and_what_comes_after_it_for_every_pair(number):
    play(number)


def play(number):
    one = evening(("ana",), session=True, **ROWS[number])
    blades = sheet((7, 7, 5, 5), SKILLS, weapons=("great-sword", "bow"), armour=("soft-leather",))
    hero(one, "ana", {**blades, "shield": "medium"}, wounds=wounded(2), stun=4)
    if number % 2:
        foe(one, sheet((4, 6, 4, 6), SKILLS, weapons=("great-sword",)), name="Thug")
    else:
        lout = sheet((4, 7, 4, 4), SKILLS, weapons=("large-rifle",), named=False)
        foe(one, lout, name="Lout", kind="unnamed", open=True)
    table = Players(one, number)
    done = everyday(table, one)
    table.fight(rounds=1)
    table.aftermath()
    assert done >= {"task", "contest"}
    assert ("luck_roll" in done) is ROWS[number]["luck_rolls"]
    assert ("together" in done) is ROWS[number]["collaboration"]
    assert sum(event.data.get("move") == "attack" for event in one.campaign.events) >= 1
    assert not one.table.asks
