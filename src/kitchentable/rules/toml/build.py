"""From the text of a file to a game, equal to one that is written in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from kitchentable.dice import Die
from kitchentable.rules.game import Example, Forced, Game, Hook, Rolled
from kitchentable.rules.sheets import Kind
from kitchentable.rules.table import Entity
from kitchentable.rules.toml.book import rule_of, rulebook
from kitchentable.rules.toml.dicework import against_another, attempt
from kitchentable.rules.toml.document import read_document
from kitchentable.rules.toml.fighting import conceal, fight_moves, fight_view
from kitchentable.rules.toml.following import story_move
from kitchentable.rules.toml.form import Person, Roll, Written
from kitchentable.rules.toml.resting import growth_move, rest_moves, session_ended
from kitchentable.rules.toml.rolls import roll_moves
from kitchentable.rules.toml.sheet import sheet_rules
from kitchentable.rules.toml.terms import terms_of
from kitchentable.rules.toml.throwing import named_arguments
from kitchentable.rules.toml.updating import game_updated, options_changed, update_moves
from kitchentable.rules.values import GM, Json


def read_game(
    text: str, playthrough: str = "", name: str = "game.toml", *, kept: bool = False
) -> Game:
    """The game that a `game.toml` describes; `playthrough` is the golden evening beside it.

    Nothing in the text can run: formulas are sums, dice are notation. Errors: BadFile, with line,
    column and the mend of every mistake. A file that is `kept` plays on, whatever has been called
    a mistake since it was taken.

    >>> coin = read_game('''
    ... [game]
    ... name = "coin"
    ... title = "Coin"
    ... version = "1"
    ... about = "Heads or tails."
    ... author = "Us"
    ... licence = "CC0"
    ... [[group]]
    ... key = "self"
    ... title = "Self"
    ... points = 3
    ... [[group.trait]]
    ... key = "nerve"
    ... title = "Nerve"
    ... [[roll]]
    ... key = "flip"
    ... title = "Flip"
    ... dice = "1d2"
    ... add = ["nerve"]
    ... [[roll.band]]
    ... key = "heads"
    ... title = "heads"
    ... at_least = 2
    ... good = true
    ... [[roll.band]]
    ... key = "tails"
    ... title = "tails"
    ... ''')
    >>> [move.title for move in coin.moves][:1]
    ['Flip']
    """
    return build(read_document(text, playthrough, name, kept=kept))


def build(game: Written) -> Game:
    """A written game as a value of the contract."""
    game = _with_rules(game)
    moves = (*roll_moves(game), *fight_moves(game), *rest_moves(game), story_move(game))
    moves += update_moves(game)
    hooks: dict[str, Hook] = {
        "game-updated": partial(game_updated, game),
        "options-changed": partial(options_changed, game),
    }
    if game.growth is not None:
        moves = (*moves, growth_move(game, game.growth))
        hooks["session-ended"] = partial(session_ended, game, game.growth)
    return Game(
        name=game.name,
        title=game.title,
        version=game.version,
        about=game.about,
        credits=game.credits,
        options=game.options,
        sheet=sheet_rules(game),
        moves=moves,
        rolls={one.key: _rolled(game, one) for one in game.rolls},
        rulebook=rulebook(game),
        example=partial(_example, game),
        dice=_dice(game),
        fight=partial(fight_view, game),
        conceal=conceal,
        hooks=hooks,
        terms=terms_of(game),
        playthrough=game.playthrough,
    )


def _with_rules(game: Written) -> Written:
    """Options and kinds cite their rules by the whole id."""
    options = tuple(
        replace(one, field=replace(one.field, rule=rule_of(game, "option", one.key)))
        for one in game.options
    )
    kinds = tuple(
        Kind(
            one.key, one.title, one.made_by, one.hint, f"{game.name}.{one.rule}" if one.rule else ""
        )
        for one in game.kinds
    )
    return replace(game, options=options, kinds=kinds)


def _dice(game: Written) -> Mapping[str, Die]:
    return MappingProxyType({one.die.die.name: one.die.die for one in game.rolls if one.die})


def _rolled(game: Written, roll: Roll) -> Rolled:
    """A roll by name, with samples at the lowest and the highest levels there are."""
    forced = tuple(
        Forced(one.named, one.faces, one.gives) for one in game.examples if one.roll == roll.key
    )
    lows, highs = _bounds(game, roll)
    ends: list[Mapping[str, Any]] = [lows] if lows == highs else [lows, highs]
    takes = ", ".join(f"{name}=" for name in highs) or "nothing"
    return Rolled(
        attempt if roll.opposed is None else against_another,
        _arguments(game, roll),
        f"{roll.title}: takes {takes} and any trait by its key.",
        (*ends, *(one.named for one in forced if one.named not in ends)),
        lambda outcome: str(outcome.result),
        forced,
    )


def _bounds(game: Written, roll: Roll) -> tuple[dict[str, int], dict[str, int]]:
    lows: dict[str, int] = {}
    highs: dict[str, int] = {}
    for name, key in (
        ("trait", roll.group),
        ("other_trait", roll.opposed.group if roll.opposed else ""),
    ):
        if key:
            group = game.group(key)
            lows[name], highs[name] = group.low, group.high
    return lows, highs


def _arguments(game: Written, roll: Roll) -> Callable[..., tuple[Any, ...]]:
    """The function behind a roll by name: it takes what the roll can ask for, each with a default.

    The names are those of the file, so they come as keywords; `named_arguments` refuses others.
    """

    def arguments(options: Mapping[str, Json], /, **named: int) -> tuple[Any, ...]:
        return named_arguments(game, roll, options, named)

    return arguments


def _example(game: Written) -> Example:
    people = tuple(_entity(game, one) for one in game.people)
    return Example(game.campaign, game.players, people, game.notes)


def _entity(game: Written, one: Person) -> Entity:
    kinds = {kind.made_by: kind.key for kind in reversed(game.kinds)}
    mine = one.owner in game.players
    kind = one.kind or kinds.get("player" if mine else GM, game.kinds[0].key)
    traits = {
        trait.key: one.levels.get(trait.key, group.low)
        for group in game.groups
        for trait in group.traits
    }
    sheet: dict[str, Json] = {
        "traits": traits,
        "lists": {
            each.key: [{"text": text, "note": ""} for text in one.entries.get(each.key, ())]
            for each in game.listings
        },
        "texts": {each.key: one.words.get(each.key, "") for each in game.words},
    }
    return Entity(
        one.id,
        one.name,
        kind,
        one.owner,
        sheet,
        {},
        hidden=one.hidden,
        open=one.open,
        line=one.line,
    )
