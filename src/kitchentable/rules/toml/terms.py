"""What a game's file says in names and numbers, for comparing it with another version of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kitchentable.rules.people import listed
from kitchentable.rules.terms import Term
from kitchentable.rules.toml.form import Band, Group, NamedDie, Rest, Roll, Scale, Written
from kitchentable.rules.toml.formula import Formula

_NONE = "nothing"


def terms_of(game: Written) -> tuple[Term, ...]:
    """Everything a GM would want to know of before a new version is taken over."""
    return tuple(_terms(game))


def _terms(game: Written) -> Iterator[Term]:
    for kind in game.kinds:
        says = {"Who makes a": "a player" if kind.made_by == "player" else "the GM"}
        yield _term(f"kinds.{kind.key}", "kind", kind.title, says)
    for group in game.groups:
        yield _group(group)
        for trait in group.traits:
            says = {"The group of": group.title}
            yield _term(f"traits.{trait.key}", "trait", trait.title, says)
    for one in game.listings:
        says = {"The limit of": one.most.text, "What is added by one of": str(one.bonus)}
        yield _term(f"lists.{one.key}", "list", one.title, says)
    for word in game.words:
        yield _term(f"texts.{word.key}", "text", word.title, {})
    yield from (_track(scale) for scale in game.scales)
    yield from (_roll(game, roll) for roll in game.rolls)
    yield from (_rest(game, rest) for rest in game.rests)
    if game.fighting is not None:
        says = {
            "What is thrown for the order": _sum(game.fighting.order, game.fighting.add),
            "How often the order is thrown": "each round" if game.fighting.each_round else "once",
            "The number of actions in a turn": str(game.fighting.actions),
        }
        yield Term("fight", "way", "of fighting", says)
    if game.growth is not None:
        says = {
            "The number of points at a session's end": game.growth.points.text,
            "The cost of one more level": game.growth.cost.text,
        }
        yield Term("growth", "way", "of growing", says)


def _term(key: str, what: str, name: str, says: Mapping[str, str]) -> Term:
    return Term(key, what, name, {f"{told} {name}": how for told, how in says.items()})


def _group(group: Group) -> Term:
    says = {
        "The number of points for": group.points.text if group.points else "as many as one likes",
        "The lowest level of": str(group.low),
        "The highest level on a new sheet of": str(group.high),
        "The highest level in play of": str(group.top),
    }
    return _term(f"groups.{group.key}", "group", group.title, says)


def _track(scale: Scale) -> Term:
    says = {
        "The number of boxes of": scale.boxes.text,
        "The beginning of": "full" if scale.starts_full else "empty",
        "What somebody is called at the end of": scale.full or _NONE,
        "Whether one can still act at the end of": "no" if scale.out else "yes",
    }
    return _term(f"tracks.{scale.key}", "track", scale.title, says)


def _roll(game: Written, roll: Roll) -> Term:
    thrown = _die(roll.die) if roll.die is not None else roll.dice
    made_on = roll.trait or roll.group
    against: list[str] = [f"{one.title} {one.number.text}" for one in roll.ladder]
    against += [roll.against.text] if roll.against is not None else []
    if roll.opposed is not None:
        other = roll.opposed.trait or roll.opposed.group
        ties = {"again": "thrown again", "ours": "won", "theirs": "lost"}[roll.opposed.ties]
        against.append(f"the other's {_called(game, other)}, a tie {ties}")
    says = {
        "What is thrown for": _sum(thrown, roll.add),
        "The trait behind": _called(game, made_on) if made_on else _NONE,
        "The list behind": _called(game, roll.listing) if roll.listing else _NONE,
        "The measure of": listed(against) or _NONE,
        "The cost of": _marks(game, roll.costs),
        "What can come of": "; ".join(_band(game, one) for one in roll.bands),
        "The occasion for": "a fight" if roll.fight else "any time",
    }
    return _term(f"rolls.{roll.key}", "roll", roll.title, says)


def _die(named: NamedDie) -> str:
    worth = [f"{word} worth {number}" for word, number in named.worth.items()]
    return f"a die of {', '.join(map(str, named.die.faces))}" + "".join(f", {w}" for w in worth)


def _sum(first: str, add: Iterable[Formula]) -> str:
    return " + ".join((first, *(one.text for one in add)))


def _band(game: Written, band: Band) -> str:
    at = f" at {band.face}" if band.face else ""
    at = f" from {band.at_least}" if band.at_least is not None else at
    marks = f" marking {_marks(game, band.marks)}" if band.marks else ""
    others = f" marking the other's {_marks(game, band.others_marks)}" if band.others_marks else ""
    return f"{band.title}{at}{marks}{others}"


def _rest(game: Written, rest: Rest) -> Term:
    says = {
        "The number of days of": str(rest.days),
        "What is marked by": _marks(game, rest.marks),
        "What begins anew with": listed(_called(game, one) for one in rest.clears) or _NONE,
        "Who can call for": "the GM" if rest.by_gm else "a player",
    }
    return _term(f"rests.{rest.key}", "rest", rest.title, says)


def _marks(game: Written, marks: Mapping[str, Formula]) -> str:
    return listed(f"{_called(game, key)} {one.text}" for key, one in marks.items()) or _NONE


def _called(game: Written, key: str) -> str:
    """What a trait, group, list or track is called."""
    trait = game.trait(key)
    if trait is not None:
        return trait.title
    names = {one.key: one.title for one in game.groups}
    names |= {one.key: one.title for one in game.listings}
    names |= {one.key: one.title for one in game.scales}
    return names.get(key, key)
