"""Building of a game from the text of its file; the result equals a game written in Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType

from kitchentable.rules.game import Example, Game, Hook
from kitchentable.rules.kit.document import read_part
from kitchentable.rules.kit.fights import conceal, fight_view
from kitchentable.rules.kit.moves import Ruleset, with_pauses
from kitchentable.rules.kit.schema import Section, read_table
from kitchentable.rules.kit.tables import Rows
from kitchentable.rules.moves import Move
from kitchentable.rules.sheets import Archetype, Start, Wound
from kitchentable.rules.table import Entity
from kitchentable.rules.toml.battles import fights_of
from kitchentable.rules.toml.checks import (
    check_game,
    check_growth,
    check_links,
    check_sense,
    check_twice,
    known_to,
    note,
    pay,
)
from kitchentable.rules.toml.form import Pattern, Person, Scale, Written
from kitchentable.rules.toml.people import Body
from kitchentable.rules.toml.rests import grow_move, mark_move, points_at_session_end, rest_move
from kitchentable.rules.toml.rollform import DRAWN
from kitchentable.rules.toml.rolls import Rolling, story_move, table_of
from kitchentable.rules.toml.sheet import blank, sheet_rules
from kitchentable.rules.toml.turns import turn_moves
from kitchentable.rules.toml.updates import game_updated, options_changed, update_moves
from kitchentable.rules.toml.words import MOVES, rulebook, terms_of
from kitchentable.rules.values import GM, Row, Values


class FileRules(Ruleset[Body, Values]):
    """The ruleset of a game in a file."""

    def __init__(self, game: Written) -> None:
        super().__init__(partial(Body, game), dict, MOVES)
        self.game = game


def read_game(
    text: str,
    playthrough: str = "",
    name: str = "game.toml",
    *,
    kept: bool = False,
    whole: bool = True,
) -> Game:
    """Read a game from the text of its `game.toml` and of its golden playthrough.

    Nothing in the text is run as code: formulas are sums, and dice are notation. `name` is the
    file's name in errors. With `kept`, campaigns already use the file, so mistakes that were once
    allowed, such as free growth, are corrected or ignored instead of refused. A file that is not
    `whole` gets its sheet or dice from Python. Errors: BadFile, with line, column and correction of
    every mistake.

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

    def read(top: Section) -> Written:
        if top.section("game") is None:
            if "game" not in top.data:
                mend = "Begin the file with [game] and name, title, version."
                top.wrong("", "The file has no [game].", mend)
            return Written()
        written = read_table(Written, top)
        written.playthrough = playthrough
        if not top.flaws.unreadable:
            # Rules of questions, and names in tables to roll on, were once not checked.
            ignored = {"rule", DRAWN} if kept else set()
            links = [one for one in top.flaws.links if one.what not in ignored]
            check_links(links, known_to(written))
            check_game(top, written, whole=whole)
        top.close()
        if kept:
            pay(written)
        elif not top.flaws.unreadable:
            note(top, check_twice(written))
            note(top, check_growth(written))
            if not top.flaws.flaws:
                note(top, check_sense(written))
        return written

    return build(read_part(text, name, read))


def build(game: Written) -> Game:
    """A game in a file as a `Game` value."""
    rules = FileRules(game)
    story, turns = story_move(rules), turn_moves(game, rules)
    thrown: tuple[Rolling | Rows, ...] = (
        *(Rolling(game, one, story) for one in game.rolls),
        *(table_of(game, one) for one in game.tables),
    )
    moves: tuple[Move, ...] = (
        *(one.declare(rules) for one in thrown),
        *turns,
        *(rest_move(one, rules) for one in game.rests),
        *((mark_move(rules),) if game.scales else ()),
        story,
        *update_moves(game, rules),
    )
    hooks: dict[str, Hook] = {
        "game-updated": partial(game_updated, rules),
        "options-changed": partial(options_changed, rules),
    }
    if game.growth is not None:
        moves = (*moves, grow_move(game.growth, rules))
        hooks["session-ended"] = partial(points_at_session_end, rules, game.growth)
    return Game(
        name=game.name,
        title=game.head.title,
        version=game.head.version,
        about=game.head.about,
        credits=game.head.credits,
        options=game.options,
        sheet=sheet_rules(game),
        moves=with_pauses(*moves),
        rolls={one.key: one.rolled() for one in thrown},
        fights=fights_of(game),
        rulebook=rulebook(game),
        example=partial(_example, game),
        archetypes=tuple(_archetype(game, one) for one in game.archetypes),
        wounds=tuple(_wounds(game)),
        dice=MappingProxyType({o.die: game.dice.of(o.die).die for o in game.rolls if o.die}),
        fight=fight_view(rules),
        conceal=conceal,
        hooks=hooks,
        terms=tuple(terms_of(game)),
        playthrough=game.playthrough,
        moment=rules.moment,
    )


def _example(game: Written) -> Example:
    people = tuple(_entity(game, one) for one in game.people)
    ready = game.ready
    if ready is None:
        return Example(f"{game.head.title}, a first evening", (), people)
    return Example(ready.title, ready.players, people, ready.notes)


def _entity(game: Written, one: Person) -> Entity:
    mine = game.ready is not None and one.owner in game.ready.players
    kind = one.kind or _kind_of(game, "player" if mine else GM)
    return Entity(
        one.id,
        one.name,
        kind,
        one.owner,
        _sheet(game, kind, one),
        {},
        hidden=one.hidden,
        open=one.open,
        line=one.line,
    )


def _wounds(game: Written) -> Iterator[Wound]:
    """The taps that mark one box of a track.

    A kind of entity gets them for the tracks that put it out of action, or for all its tracks if
    none of them does.
    """
    for one in game.scales:
        if one.out or not any(each.out and _share_kind(one, each) for each in game.scales):
            said = (("who", "{who}"), ("track", one.key), ("more", "1"), ("why", one.title))
            yield Wound(Start("mark", said), one.one, one.title, one.kinds)


def _share_kind(one: Scale, other: Scale) -> bool:
    """Whether an entity can have both tracks."""
    return not one.kinds or not other.kinds or not set(one.kinds).isdisjoint(other.kinds)


def _archetype(game: Written, one: Pattern) -> Archetype:
    kind = one.kind or _kind_of(game, "player")
    return Archetype(one.key, one.title, kind, _sheet(game, kind, one))


def _kind_of(game: Written, maker: str) -> str:
    """The first kind that this maker, "player" or "gm", can make; else the first kind of all."""
    return next((one.key for one in game.kinds if one.made_by == maker), game.kinds[0].key)


def _sheet(game: Written, kind: str, one: Person | Pattern) -> Row:
    sheet = blank(game, kind)
    lists: Row = {
        key: list(entries)
        if game.listings.of(key).choices
        else [{"text": text, "note": ""} for text in entries]
        for key, entries in one.lists.items()
    }
    for part, given in (("traits", one.traits), ("texts", one.texts), ("lists", lists)):
        sheet[part] |= {key: value for key, value in given.items() if key in sheet[part]}
    if one.playbook:
        sheet["playbook"] = one.playbook
    return sheet
