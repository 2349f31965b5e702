"""What on a sheet the GM has to allow: cards when it is handed in, a word at any other time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kitchentable.rules import GM, Entity, Result, Table, fresh, quoted
from kitchentable.rules.kit import Form, decision, needs, pick, text
from kitchentable.rulesets.toaster.character.attributes import attributes, bought
from kitchentable.rulesets.toaster.character.listing import key_of, skill_name
from kitchentable.rulesets.toaster.character.people import (
    ACCEPTED,
    PROPOSED,
    REFUSED,
    judge,
    speciality_key,
    verdict,
)
from kitchentable.rulesets.toaster.character.skills import (
    HIGHEST_BASE,
    areas,
    bought_base,
    lines,
    names,
    specialty_verdict,
)
from kitchentable.rulesets.toaster.character.traits import PACKAGE, SIZE, traits
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, toaster

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


def leaves(table: Table, entity: Entity) -> tuple[Leave, ...]:
    """Everything on a sheet that needs the GM's leave, allowed already or not."""
    return (
        *_attribute_leaves(table, entity),
        *_base_leaves(table, entity),
        *_package_leaves(entity),
        *_size_leaves(entity),
    )


def open_leaves(table: Table, entity: Entity) -> tuple[Leave, ...]:
    """What the GM has not allowed; of the GM's own people everything is."""
    if not entity.is_players:
        return ()
    return tuple(one for one in leaves(table, entity) if verdict(entity, one.key) != ACCEPTED)


def _attribute_leaves(table: Table, entity: Entity) -> Iterator[Leave]:
    for one in attributes(table):
        rank = bought(entity, one["key"])
        if rank > HIGHEST_HUMAN:
            yield Leave(
                f"attribute:{one['key']}",
                f"attributes.{one['key']}",
                "toaster.2.attribute-superhuman",
                f"{one['name']} {rank} is superhuman: that is for the GM to allow.",
            )


def _base_leaves(table: Table, entity: Entity) -> Iterator[Leave]:
    for place, line in lines(entity):
        base, key = bought_base(line), key_of(line.get("skill"), line.get("of"))
        if base > HIGHEST_BASE:
            yield Leave(
                f"base:{key}",
                f"skills.{place}.base",
                "toaster.2.skill-base-over-10",
                f"{skill_name(table, key)}: a base of {base} is for the GM to allow, where a low "
                "attribute has to be made up for.",
            )


def _package_leaves(entity: Entity) -> Iterator[Leave]:
    for trait in traits(entity):
        if trait.kind != PACKAGE:
            continue
        if trait.rank < 0:
            words = f"{trait.name}: a package that takes away is for the GM to allow."
        else:
            words = (
                f"{trait.name}: bases above {HIGHEST_BASE} are cut off there unless the GM "
                "lets the package go further."
            )
        yield Leave(
            f"package:{trait.name}",
            f"traits.{trait.place}.rank",
            "toaster.2.trait-package-cap",
            words,
            must=trait.rank < 0,
        )


def _size_leaves(entity: Entity) -> Iterator[Leave]:
    for trait in traits(entity):
        if trait.kind == SIZE and abs(trait.rank) > LARGEST_HUMAN:
            if not entity.sheet.get("supernatural"):
                continue
            yield Leave(
                f"size:{trait.rank}",
                f"traits.{trait.place}.rank",
                "toaster.2.trait-size-human-limit",
                f"A size of {trait.rank:+} is for the GM to allow.",
            )


# ---------------------------------------------------------------- cards for the GM

_STAGES = frozenset({"draft", "submitted", "play"})


@dataclass(frozen=True, slots=True)
class Matter:
    """Something for the GM to allow, under its key: a title, a sentence, a rule."""

    key: str
    title: str
    text: str
    rule: str


def matters(table: Table, entity: Entity) -> tuple[Matter, ...]:
    """All that waits for the GM's word on this sheet."""
    found = [
        Matter(one.key, entity.name, one.sentence, one.rule) for one in open_leaves(table, entity)
    ]
    if entity.is_players and Options(table.options).specialization:
        for _, line in lines(entity):
            key = key_of(line.get("skill"), line.get("of"))
            for name in names(line):
                if specialty_verdict(entity, key, name) == PROPOSED:
                    told = f"{skill_name(table, key)}: a specialty in {quoted(name)}, one of "
                    told += f"{', '.join(areas(line))}."
                    rule = "toaster.2.specialty-gm-approval"
                    found.append(Matter(speciality_key(key, name), entity.name, told, rule))
    return tuple(found)


def submitted(table: Table, entity: str) -> Result:
    """Everything on a finished sheet that is the GM's to allow is put before the GM."""
    at = toaster.at(table, entity)
    _withdraw(at)
    waiting = [
        one for one in matters(table, at.me.entity) if verdict(at.me.entity, one.key) == PROPOSED
    ]
    for number, one in enumerate(waiting, start=1):
        at.ask(
            allow, GM, f"To be allowed for {at.me.name}", one.text,
            of=at.me, ident=fresh(table, "leave", number), rules=(one.rule,),
            what=f"{entity}|{one.key}",
        )  # fmt: skip
    return at.result()


def accepted(table: Table, entity: str) -> Result:
    """With the sheet the GM accepts the specialties that were not refused."""
    at = toaster.at(table, entity)
    for _, line in lines(at.me.entity):
        key = key_of(line.get("skill"), line.get("of"))
        for said in (speciality_key(key, name) for name in names(line)):
            if verdict(at.me.entity, said) == PROPOSED:
                judge(at.me, said, ACCEPTED)
    _withdraw(at)
    return at.result()


def _withdraw(at: Here) -> None:
    """No card about this sheet waits any longer."""
    mine = (at.actor.entity, "allow")
    at.close(*(one.id for one in at.table.asks.values() if (one.entity, one.move) == mine))


# ---------------------------------------------------------------- the GM's word


def open_matters(at: Here) -> list[tuple[Entity, Matter]]:
    """All that waits for the GM's word at this table."""
    people = [one for one in at.table.entities.values() if one.stage in _STAGES and one.is_players]
    return [(one, each) for one in people for each in matters(at.table, one)]


class AllowForm(Form):
    what = pick(
        choices=lambda at: [
            (f"{one.id}|{each.key}", f"{one.name}: {each.text}") for one, each in open_matters(at)
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
    found = next((m for m in matters(at.table, one.entity) if m.key == key), None) if one else None
    if one is None or found is None:
        return
    judge(one, key, said, word)
    at.tell(
        f"{one.name}: {'allowed' if said == ACCEPTED else 'refused'}",
        f"{found.text} {word}".strip(),
        rules=(found.rule,),
        of=(one,),
        audience="all" if one.stage == "play" else one.owner,
    )
