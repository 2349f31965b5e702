"""The rulebook of a game in a file: the author's entries, and one for each declaration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

from kitchentable.dice import NotationError
from kitchentable.dice.notation import parse, speak
from kitchentable.rules.people import listed
from kitchentable.rules.rulebook import Chapter, Rule, Rulebook
from kitchentable.rules.toml.form import (
    Fighting,
    Group,
    Growth,
    Listing,
    Playbook,
    Rest,
    Scale,
    Written,
)
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.rollform import Band, Roll, Rows

#: The division sign for readers.
DIVIDED = "\N{DIVISION SIGN}"

_CHAPTERS = (
    ("sheet", "The sheet", "What somebody is made of."),
    ("rolls", "Rolls", "What is thrown, and what it means."),
    ("play", "Fights, rest and growth", "What happens between and after rolls."),
    ("options", "Options", "What a table may set."),
)


def rulebook(game: Written) -> Rulebook:
    """The rulebook: the author's chapters first, then the entries made from declarations."""
    made = {rule.id: rule for rule in _made(game)}
    written = {
        f"{game.name}.{one.id}": Rule(
            f"{game.name}.{one.id}",
            one.chapter or "rolls",
            one.kind,
            one.title,
            one.text,
            one.example,
            option=one.option,
        )
        for one in game.rules
    }
    rules = {**written, **{key: rule for key, rule in made.items() if key not in written}}
    used = {rule.section for rule in rules.values()}
    own = tuple(Chapter(one.id, one.title, one.lead) for one in game.chapters)
    names = {chapter.id for chapter in own}
    rest = tuple(Chapter(*one) for one in _CHAPTERS if one[0] in used and one[0] not in names)
    chapters = own + rest
    ordered = {
        key: rule
        for chapter in chapters
        for key, rule in rules.items()
        if rule.section == chapter.id
    }
    credits_of = game.head.credits
    book = {
        "title": game.head.title,
        "author": credits_of.author,
        "source": credits_of.source,
        "licence": credits_of.licence,
        "licence_link": credits_of.licence_link,
        "notice": credits_of.notice,
    }
    return Rulebook(MappingProxyType(book), chapters, MappingProxyType(ordered))


def _made(game: Written) -> Iterator[Rule]:
    """One entry for each declaration without a rule of the author's."""
    tell: dict[type[Any], tuple[str, Callable[[Written, Any], str]]] = {
        Group: ("sheet", _of_group),
        Playbook: ("sheet", lambda game, one: one.help or one.title),
        Listing: ("sheet", _of_listing),
        Scale: ("sheet", _of_scale),
        Roll: ("rolls", _of_roll),
        Rows: ("rolls", _of_table),
        Rest: ("play", _of_rest),
        Fighting: ("play", _of_fighting),
        Growth: ("play", _of_growth),
    }
    titles = {Fighting: "The order", Growth: "Growth"}
    for made, one in game.declared():
        chapter, text = tell[type(one)]
        if one.rule == f"{game.name}.{made}":
            title = titles.get(type(one)) or one.title
            yield Rule(one.rule, chapter, "core", title, text(game, one))
    for option in game.options:
        field = option.field
        yield Rule(field.rule, "options", "option", field.label, field.help, option=option.key)


def _of_fighting(game: Written, one: Fighting) -> str:
    plus = "".join(f" plus {game.part_name(each)}" for each in one.add)
    words = f"Who acts when is thrown with {_dice_words(one.order)}{plus}, the highest first"
    return words + (", each round anew." if one.each_round else ", once for the whole fight.")


def _of_growth(game: Written, one: Growth) -> str:
    cost = f"one more level costs {_said(game, one.cost)}."
    if one.track:
        return f"{game.titles[one.track]} is spent to grow: {cost}"
    points = f"each player's character gets {_said(game, one.points)} to grow by"
    return f"At the end of a session {points}; {cost}"


def _said(game: Written, formula: Formula) -> str:
    """A formula for readers: with titles instead of keys."""
    text = re.sub(r"[a-z]\w*", lambda one: game.numbers.get(one[0], one[0]), formula.text)
    return f"{text.replace('//', DIVIDED)}, rounded down" if "//" in text else text


def _of_group(game: Written, group: Group) -> str:
    names = ", ".join(one.title for one in group.traits)
    points = f" {_said(game, group.points)} points are spent on them" if group.points else ""
    points += f", one for each level above {group.low}." if points and group.low else ""
    points += "." if points and not group.low else ""
    first = f"{group.help} " if group.help else ""
    return f"{first}{names}: from {group.low} to {group.high} to begin with.{points}"


def _of_listing(game: Written, one: Listing) -> str:
    bonus = f" One that fits adds {one.bonus} to a roll." if one.bonus else ""
    return f"{one.help} At most {_said(game, one.most)}.{bonus}".strip()


def _of_scale(game: Written, one: Scale) -> str:
    begins = "full, and is spent" if one.starts_full else "empty, and fills"
    end = f" At its end: {one.full or 'out'}." if one.full or one.out else ""
    out = " Then one can no longer act." if one.out else ""
    return f"{one.help} Boxes: {_said(game, one.boxes)}. It begins {begins}.{end}{out}".strip()


def _of_roll(game: Written, roll: Roll) -> str:
    dice = _dice_words(roll.dice) if roll.dice else f"the {roll.die} die"
    if roll.pools:
        dice = ", ".join(f"{_said(game, o.dice)} d{o.sides} ({o.title})" for o in roll.pools)
    add = " and ".join(game.part_name(one, roll.trait, roll.fields) for one in roll.add)
    against = f", against {_said(game, roll.against)}" if roll.against is not None else ""
    if roll.ladder:
        against = ", against a difficulty of the GM's"
    if roll.opposed is not None:
        against = ", against the same of the other side"
    bands = " ".join(_of_band(roll, band) for band in roll.bands)
    again = ""
    if roll.again is not None:
        keeps = f"all but those that show {listed(map(str, roll.again.keeps))}"
        again = f" {roll.again.title}: {keeps if roll.again.keeps else 'all dice'} fall once more."
    plus = f", plus {add}" if add else ""
    return f"{roll.help} Throw {dice}{plus}{against}.{again} {bands}".strip()


def _of_band(roll: Roll, band: Band) -> str:
    counts = {one.key: one.title for one in roll.counts}
    when = [f"on a {band.face}"] if band.face else []
    when += [f"with {counts[name]} {least} or more" for name, least in band.needs.items()]
    for said, bound in (("{} or more", band.at_least), ("{} or less", band.at_most)):
        when += [f"at {said.format(bound)}"] if bound is not None else []
    when += [f"at exactly {band.exact}"] if band.exact is not None else []
    words = ", ".join(when) or "else"
    says = f" {band.says}" if band.says else ""
    return f"{words[:1].upper()}{words[1:]}: {band.title}.{says}"


def _of_table(game: Written, one: Rows) -> str:
    rows = "; ".join(f"{'more' if o.to is None else f'to {o.to}'}: {o.text}" for o in one.rows)
    return f"{one.help} Throw {_dice_words(one.dice)}. {rows}".strip()


def _of_rest(game: Written, rest: Rest) -> str:
    marks = [
        f"{game.scale(name).title} {_said(game, formula)}" for name, formula in rest.marks.items()
    ]
    clears = [f"{game.scale(name).title} as at the beginning" for name in rest.clears]
    what = ", ".join(marks + clears)
    return f"{rest.help} {f'Changes: {what}.' if what else ''}".strip() or rest.title


def _dice_words(text: str) -> str:
    """Dice in words; dice that contain sums, as they are written."""
    try:
        return speak(parse(text))
    except NotationError:
        return text.replace("{=", "(").replace("}", ")")
