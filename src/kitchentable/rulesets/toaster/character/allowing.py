"""What on a sheet the GM has to allow: cards when it is handed in, a word at any other time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import GM, Result, Table, fresh, quoted
from kitchentable.rules.kit import Form, decision, needs, pick, text
from kitchentable.rulesets.toaster.book import problem
from kitchentable.rulesets.toaster.character.attributes import attributes
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.character.skills import HIGHEST_BASE, Skilled, specialty_key
from kitchentable.rulesets.toaster.character.traits import (
    ACCEPTED,
    PACKAGE,
    PROPOSED,
    REFUSED,
    SIZE,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

#: Ranks up to this are human (toaster.2.attribute-range).
HIGHEST_HUMAN = 10
#: Sizes beyond this are not human (toaster.2.trait-size-human-limit).
LARGEST_HUMAN = 5


@dataclass(frozen=True, slots=True)
class Leave:
    """Something to be allowed: under which key, where on the sheet, by which rule, in a sentence.

    One that `must` be allowed keeps the sheet from play until it is; the others only hold less
    than was hoped for.
    """

    key: str
    where: str
    rule: str
    sentence: str
    must: bool = True


def _leave(words: str, key: str, where: str = "", *, must: bool = True, **names: Any) -> Leave:
    """Something to be allowed, in the words of a problem."""
    found = problem(words, **names)
    return Leave(key, where, found.rule, found.sentence, must)


def leaves(one: Skilled) -> Iterator[Leave]:
    """Everything on a sheet that needs the GM's leave, allowed already or not."""
    for each in attributes(one.table):
        key, rank = each["key"], one.bought(each["key"])
        if rank > HIGHEST_HUMAN:
            place = f"attributes.{key}"
            yield _leave("superhuman", f"attribute:{key}", place, name=each["name"], rank=rank)
    for line in one.skill_lines:
        if line.base > HIGHEST_BASE:
            name, place = skill_name(one.table, line.key), f"skills.{line.place}.base"
            yield _leave("base-over-10", f"base:{line.key}", place, name=name, base=line.base)
    for trait in one.traits:
        if trait.kind == PACKAGE:
            name, minus = trait.name, trait.rank < 0
            words, key = "package-minus" if minus else "package-cap", f"package:{name}"
            yield _leave(words, key, trait.where, must=minus, name=name, most=HIGHEST_BASE)
    for trait in one.traits if one.entity.sheet.get("supernatural") else ():
        if trait.kind == SIZE and abs(trait.rank) > LARGEST_HUMAN:
            yield _leave("size-leave", f"size:{trait.rank}", trait.where, rank=trait.rank)


def open_leaves(one: Skilled) -> list[Leave]:
    """What the GM has not allowed; of the GM's own people everything is."""
    every = leaves(one) if one.is_players else ()
    return [leave for leave in every if one.verdict(leave.key) != ACCEPTED]


# ---------------------------------------------------------------- cards for the GM

_STAGES = frozenset({"draft", "submitted", "play"})


def _specialties(one: Skilled) -> Iterator[Leave]:
    """The specialties that wait for the GM's word."""
    for line in one.skill_lines:
        name = skill_name(one.table, line.key)
        for each in line.names:
            if one.specialty_verdict(line.key, each) == PROPOSED:
                key, areas = specialty_key(line.key, each), ", ".join(line.areas)
                special = quoted(each)
                yield _leave("specialty-leave", key, name=name, specialty=special, areas=areas)


def matters(one: Skilled) -> list[Leave]:
    """All that waits for the GM's word on this sheet."""
    plays = one.is_players and one.options.specialization
    return [*open_leaves(one), *(_specialties(one) if plays else ())]


def submitted(table: Table, entity: str) -> Result:
    """Everything on a finished sheet that is the GM's to allow is put before the GM."""
    at = toaster.at(table, entity)
    _withdraw(at)
    waiting = [one for one in matters(at.me) if at.me.verdict(one.key) == PROPOSED]
    for number, one in enumerate(waiting, start=1):
        at.ask(
            allow, GM, f"To be allowed for {at.me.name}", one.sentence,
            of=at.me, ident=fresh(table, "leave", number), rules=(one.rule,),
            what=f"{entity}|{one.key}",
        )  # fmt: skip
    return at.result()


def accepted(table: Table, entity: str) -> Result:
    """With the sheet the GM accepts the specialties that were not refused."""
    at = toaster.at(table, entity)
    for line in at.me.skill_lines:
        for said in (specialty_key(line.key, name) for name in line.names):
            if at.me.verdict(said) == PROPOSED:
                at.me.judge(said, ACCEPTED)
    _withdraw(at)
    return at.result()


def _withdraw(at: Here) -> None:
    """No card about this sheet waits any longer."""
    mine = (at.actor.entity, "allow")
    at.close(*(one.id for one in at.table.asks.values() if (one.entity, one.move) == mine))


# ---------------------------------------------------------------- the GM's word


def open_matters(at: Here) -> list[tuple[Person, Leave]]:
    """All that waits for the GM's word at this table."""
    people = [one for one in map(at.find, at.table.entities) if one and one.stage in _STAGES]
    return [(one, each) for one in people for each in matters(one)]


class AllowForm(Form):
    what = pick(
        choices=lambda at: [
            (f"{one.id}|{each.key}", f"{one.name}: {each.sentence}")
            for one, each in open_matters(at)
        ]
    )
    verdict = decision("Is it allowed?", ((ACCEPTED, "Yes"), (REFUSED, "No")))
    word = text(story=True)


@toaster.move(
    "allow",
    when=needs(open_matters, "No sheet holds anything that waits for your word."),
)
def allow(at: At[AllowForm]) -> None:
    what, said, word = at.form.what, at.form.verdict, at.form.word
    waits = [one for one in at.table.asks.values() if one.move == "allow"]
    at.close(*(one.id for one in waits if one.preset.get("what") == what))
    ident, _, key = what.partition("|")
    one = at.find(ident)
    found = next((each for each in matters(one) if each.key == key), None) if one else None
    if one is None or found is None:
        return
    one.judge(key, said, word)
    at.tell(
        f"{one.name}: {'allowed' if said == ACCEPTED else 'refused'}",
        f"{found.sentence} {word}".strip(),
        rules=(found.rule,),
        of=(one,),
        audience="all" if one.stage == "play" else one.owner,
    )
