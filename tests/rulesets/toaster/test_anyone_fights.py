"""A random character against a random one, at a table with random options: it plays to the end."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.campaign.views import entry_for, view_for
from kitchentable.rules import Field
from kitchentable.rules.together import excluding
from kitchentable.rulesets.toaster.book import BOOK, TABLES
from kitchentable.rulesets.toaster.harm.state import DEAD
from tests.rulesets.driver import GM
from tests.rulesets.toaster.people import evening, foe, hero, person, sheet, trait
from tests.rulesets.toaster.playing import Players

WEAPONS = [row["key"] for name in ("weapon", "missile") for row in TABLES[name]]
ARMOUR = [row["key"] for row in TABLES["armour"]]
SHIELDS = ["", *(row["key"] for row in TABLES["shield"])]
SKILLS = ["dodge", "brawl", "martial-arts", "throw", "science:Medicine"] + [
    f"weapon-skill:{name}" for name in ("Sword", "Axe", "Knife", "Bow", "Shield", "Handgun")
]

ranks = st.integers(0, 11)


def setting(rng: Random, field: Field) -> Any:
    """Any value that an option can have."""
    match field.kind:
        case "tick":
            return rng.random() < 0.5
        case "choice":
            return rng.choice(field.choices).value
        case "number":
            low = field.low or 0
            number = rng.randint(low, min(field.high or 9, max(low + 5, 5)))
            return number if field.required or rng.random() < 0.5 else None
        case _:
            return field.default


def options_of(seed: int) -> dict[str, Any]:
    """A table's options, every one of them at random, as far as they go together."""
    rng = Random(seed)
    options = {one.key: setting(rng, one.field) for one in BOOK.options}
    for one, other in excluding(BOOK.options):
        if options[one.key] and options[other.key]:
            options[rng.choice((one, other)).key] = False
    return options


#: Options come from a seed, for what is drawn bit by bit is mostly the book's defaults.
tables = st.builds(options_of, st.integers(0, 2**32))


@st.composite
def people(draw: st.DrawFn) -> dict[str, Any]:
    """A sheet with anything on it that the rules know."""
    size = draw(st.integers(-5, 5))
    return sheet(
        (draw(ranks), draw(ranks), draw(ranks), draw(ranks)),
        draw(st.dictionaries(st.sampled_from(SKILLS), st.integers(0, 12), max_size=6)),
        traits=(trait("size", size),) if size else (),
        weapons=tuple(draw(st.lists(st.sampled_from(WEAPONS), max_size=3, unique=True))),
        armour=tuple(draw(st.lists(st.sampled_from(ARMOUR), max_size=2, unique=True))),
        shield=draw(st.sampled_from(SHIELDS)),
        hide=draw(st.integers(0, 6)),
        named=draw(st.booleans()),
    )


#: After this many rounds a fight is broken off: some people cannot hurt each other.
LONG = 8


def play(options: dict[str, Any], one: dict[str, Any], other: dict[str, Any], seed: int) -> Players:
    """A fight until one side is beaten, then help, ten minutes and a week; all can look at it."""
    here = evening(("ana",), **options)
    hero(here, "ana", {**one, "named": True})
    foe(here, other, name="Guard", open=bool(seed % 2))
    table = Players(here, seed)
    table.fight(rounds=LONG)
    table.aftermath()
    assert not here.table.asks
    assert here.table.fight is None
    for seat in (GM, "ana"):
        view = view_for(here.campaign, here.game, seat)
        for entity in view.table.in_play():
            here.game.sheet.summary(view.table, entity)
            here.game.sheet.sections(view.table, entity)
        for event in here.campaign.events:
            entry_for(here.campaign, event, seat)
    return table


@pytest.mark.slow
@given(tables, people(), people(), st.integers(0, 2**32))
@settings(max_examples=3)
def test_anybody_fights_anybody_to_the_end(options, one, other, seed):
    play(options, one, other, seed)


@pytest.mark.soak
@given(tables, people(), people(), st.integers(0, 2**32))
@settings(max_examples=400)
def test_anybody_fights_anybody_all_night(options, one, other, seed):
    play(options, one, other, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_who_is_good_with_an_axe_and_poor_in_body_spends_luck_bleeds_and_dies(seed):
    """What chance brings too seldom: with any other options, a fight to the death."""
    luck = {"luck_points": True, "luck_multiplier": 1, "luck_offset": 0}
    chosen = {**luck, "bleeding": True, "unnamed_characters": False}
    deadly = sheet((3, 7, 4, 6), {"weapon-skill:Axe": 11}, weapons=("battleaxe",))
    table = play({**options_of(seed), **chosen}, deadly, deadly, seed)
    here = table.one
    for _ in range(80):
        if any(person(one).condition == DEAD for one in here.table.in_play()):
            break
        table.make(GM, "rounds", rounds=10)
        table.answer_all()
    else:
        raise AssertionError("nobody has died")
    made = {event.data.get("move") for event in here.campaign.events}
    assert {"attack_luck", "mortality", "still_fighting"} <= made
    assert any("bleeds" in str(event.data) for event in here.campaign.events)
