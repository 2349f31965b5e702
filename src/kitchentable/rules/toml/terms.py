"""Names and numbers of a game's file, for comparison with another version."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from kitchentable.rules.people import listed
from kitchentable.rules.terms import Term
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.rollform import Asked, Band, NamedDie, Roll

_FILE = files("kitchentable.rules.toml") / "terms.toml"
_TOLD: Mapping[str, Mapping[str, str]] = tomllib.loads(_FILE.read_text("utf-8"))
_NONE = "nothing"
#: The words for an absent value, by the beginning of the sentence.
_EMPTY = {"The number of points for": "as many as one likes", "Who has": "everybody"}


def terms_of(game: Written) -> tuple[Term, ...]:
    """The terms that a GM wants to see compared before a new version is used."""
    return tuple(_terms(game))


def _terms(game: Written) -> Iterator[Term]:
    yield from (_plain(game, "kind", one) for one in game.kinds)
    for group in game.groups:
        yield _plain(game, "group", group)
        for trait in group.traits:
            says = {"The group of": group.title}
            yield _term(f"traits.{trait.key}", "trait", trait.title, says)
    yield from (_plain(game, "playbook", one) for one in game.playbooks)
    yield from (_plain(game, "list", one) for one in game.listings)
    yield from (_plain(game, "text", one) for one in game.words)
    yield from (_plain(game, "track", one) for one in game.scales)
    yield from (_roll(game, roll) for roll in game.rolls)
    for table in game.tables:
        rows = "; ".join(row.text for row in table.rows)
        says = {"What is thrown for": _sum(table.dice, table.add), "The rows of": rows}
        yield _term(f"tables.{table.key}", "table", table.title, says)
    yield from (_plain(game, "rest", one) for one in game.rests)
    if game.fighting is not None:
        says = {
            "What is thrown for the order": _sum(game.fighting.order, game.fighting.add),
            "How often the order is thrown": "each round" if game.fighting.each_round else "once",
            "The number of actions in a turn": str(game.fighting.actions),
        }
        yield Term("fight", "way", "of fighting", says)
    if game.growth is not None:
        yield Term("growth", "way", "of growing", _told(game, "growth", game.growth))


def _term(key: str, what: str, name: str, says: Mapping[str, str]) -> Term:
    return Term(key, what, name, {f"{told} {name}": how for told, how in says.items()})


def _plain(game: Written, what: str, one: Any) -> Term:
    """The compared lines of a table, as a term."""
    return _term(f"{what}s.{one.key}", what, one.title, _told(game, what, one))


def _told(game: Written, what: str, one: Any) -> dict[str, str]:
    return {told: _value(game, told, getattr(one, name)) for name, told in _TOLD[what].items()}


def _value(game: Written, told: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Formula):
        return value.text
    if isinstance(value, Mapping):
        return _marks(game, value)
    if isinstance(value, tuple):
        kinds = {one.key: one.title for one in game.kinds}
        value = listed({**game.titles, **kinds}[key] for key in value)
    words = (
        {"player": "a player", "gm": "the GM"}
        if told.startswith(("Who can", "Who makes"))
        else game.titles
    )
    if value is None or value == "":
        return _EMPTY.get(told, _NONE)
    return words.get(str(value), str(value))


def _roll(game: Written, roll: Roll) -> Term:
    pools = " and ".join(f"{one.dice.text} d{one.sides}" for one in roll.pools)
    thrown = _die(game.die(roll.die)) if roll.die else roll.dice or f"{pools}, {roll.keep}"
    made_on = (roll.trait,) if roll.trait else roll.uses
    against: list[str] = [f"{one.title} {one.number.text}" for one in roll.ladder]
    against += [roll.against.text] if roll.against is not None else []
    if roll.opposed is not None:
        other = (roll.opposed.trait,) if roll.opposed.trait else roll.opposed.uses
        ties = {"again": "thrown again", "ours": "won", "theirs": "lost"}[roll.opposed.ties]
        against.append(f"the other's {_called(game, other)}, a tie {ties}")
    says = {
        "What is thrown for": _sum(thrown, roll.add),
        "The trait behind": _called(game, made_on) or _NONE,
        "The list behind": game.titles.get(roll.listing) or _NONE,
        "The measure of": listed(against) or _NONE,
        "The cost of": _marks(game, roll.costs),
        "What can come of": "; ".join(_band(game, one) for one in roll.bands),
        "The occasion for": "a fight" if roll.fight else "any time",
    }
    if roll.fields:
        says["The questions of"] = listed(_asked(game, one) for one in roll.fields)
    if roll.again is not None:
        keeps = listed(map(str, roll.again.keeps)) or _NONE
        costs = _marks(game, roll.again.costs)
        says["The dice thrown again for"] = f"all but {keeps}, for {costs}"
    return _term(f"rolls.{roll.key}", "roll", roll.title, says)


def _called(game: Written, keys: Iterable[str]) -> str:
    return listed(game.titles[key] for key in keys)


def _asked(game: Written, one: Asked) -> str:
    return f"{one.field.label} for {_marks(game, one.costs)}" if one.costs else one.field.label


def _die(named: NamedDie) -> str:
    worth = [f"{word} worth {number}" for word, number in named.worth.items()]
    return f"a die of {', '.join(map(str, named.die.faces))}" + "".join(f", {w}" for w in worth)


def _sum(first: str, add: Iterable[Formula]) -> str:
    return " + ".join((first, *(one.text for one in add)))


def _band(game: Written, band: Band) -> str:
    at = f" at {band.face}" if band.face else ""
    at = f" from {band.at_least}" if band.at_least is not None else at
    at += f" up to {band.at_most}" if band.at_most is not None else ""
    at += f" at exactly {band.exact}" if band.exact is not None else ""
    at += "".join(f" with {name} {least}" for name, least in band.needs.items())
    marks = f" marking {_marks(game, band.marks)}" if band.marks else ""
    others = f" marking the other's {_marks(game, band.others_marks)}" if band.others_marks else ""
    return f"{band.title}{at}{marks}{others}"


def _marks(game: Written, marks: Mapping[str, Formula]) -> str:
    return listed(f"{game.titles[key]} {one.text}" for key, one in marks.items()) or _NONE
