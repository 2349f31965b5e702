"""Ready and random characters are legal in every game, by the game's own check."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from kitchentable.rules import registry
from kitchentable.rules.archetypes import archetypes_at, sheet_of, spend, surprise
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.folders import read_folder
from kitchentable.rules.game import Game
from kitchentable.rules.table import Entity, Seat, Table
from kitchentable.rules.toml import read_game
from tests.rules.toml.sample import COIN

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(one.parent for one in ROOT.glob("examples/*/game.toml"))


@pytest.fixture(params=[*registry.names(), *EXAMPLES], ids=lambda one: getattr(one, "name", one))
def game(request: pytest.FixtureRequest) -> Game:
    if isinstance(request.param, Path):
        return read_folder(request.param)
    return registry.load(request.param)


def drafts(game: Game) -> list[tuple[Table, Entity]]:
    """A new character of each kind that players make."""
    table = Table(game.defaults(), seats={"s2": Seat("s2", "Mara", "player")})
    kinds = [one.key for one in game.sheet.kinds(table) if one.made_by == "player"]
    return [
        (table, Entity("new", "", key, "s2", game.sheet.blank(table, key), {}, stage="draft"))
        for key in kinds
    ]


def refused(game: Game, table: Table, entity: Entity) -> list[str]:
    found = game.sheet.check(table, entity, "creation")
    return [one.sentence for one in found if one.refuses]


def test_every_archetype_of_every_kind_is_legal(game: Game):
    for one in game.archetypes:
        table, blank = next(pair for pair in drafts(game) if pair[1].kind == one.kind)
        assert refused(game, table, replace(blank, sheet=sheet_of(game, table, one))) == []
    assert all(archetypes_at(game, table, entity) for table, entity in drafts(game))


@pytest.mark.slow
def test_a_random_character_is_legal_and_another_each_time(game: Game):
    for table, entity in drafts(game):
        first = surprise(game, table, entity, Random(0))
        assert first == surprise(game, table, entity, Random(0))
        for seed in range(1, 20):
            sheet = surprise(game, table, entity, Random(seed))
            assert refused(game, table, replace(entity, sheet=sheet)) == []
            if sheet != first:
                break
        else:
            pytest.fail(f"Twenty times the same {entity.kind}.")


def test_a_random_character_keeps_to_the_options_of_its_table():
    game = registry.load("toast")
    (table, entity), *_ = drafts(game)
    table = replace(table, options={**table.options, "traits": table.options["traits"][:6]})
    entity = replace(entity, sheet=game.sheet.blank(table, "pc"))
    assert archetypes_at(game, table, entity) == ()
    sheet = surprise(game, table, entity, Random(1))
    assert (len(sheet["traits"]), sum(sheet["traits"].values())) == (6, 24)


def test_points_of_a_group_with_one_trait_are_spent_too():
    brawn = '[[group]]\nkey = "body"\ntitle = "Body"\npoints = 2\n'
    brawn += '[[group.trait]]\nkey = "brawn"\ntitle = "Brawn"\n\n[[list]]'
    people = COIN.index("[campaign]")
    game = read_game(COIN[:people].replace("[[list]]", brawn, 1))
    (table, entity), *_ = drafts(game)
    assert surprise(game, table, entity, Random(1))["traits"]["brawn"] == 2


def test_an_unsuccessful_random_search_is_refused():
    game = registry.load("objects")
    table, entity = drafts(game)[0]
    nobody = replace(game, archetypes=(), example=lambda: replace(game.example(), entities=()))
    with pytest.raises(RuleRefuses, match="No legal random character"):
        surprise(nobody, table, entity, Random(1))


def test_points_are_spent_by_a_pattern_to_the_last_one():
    game = registry.load("toast")
    (table, entity), *_ = drafts(game)
    even = spend(game, table, entity, "traits", "even")["traits"]
    assert set(even.values()) == {4}
    mine = {**entity.sheet, "traits": {**entity.sheet["traits"], "social": 2, "aim": 1}}
    peaks = spend(game, table, replace(entity, sheet=mine), "traits", "peaks")["traits"]
    assert sum(peaks.values()) == 52
    assert (max(peaks, key=peaks.get), peaks["social"], peaks["aim"]) == ("social", 9, 8)
