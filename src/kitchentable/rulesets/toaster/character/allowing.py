"""What the GM has to allow: cards when a sheet is handed in, and a word at any other time."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.rules import GM, Entity, Result, Table, fresh, quoted
from kitchentable.rules.kit import Form, decision, pick, text
from kitchentable.rulesets.toaster.character.leaves import open_leaves
from kitchentable.rulesets.toaster.character.listing import key_of, skill_name
from kitchentable.rulesets.toaster.character.people import (
    ACCEPTED,
    PROPOSED,
    REFUSED,
    judge,
    speciality_key,
    verdict,
)
from kitchentable.rulesets.toaster.character.skills import lines, specialty_verdict
from kitchentable.rulesets.toaster.character.speciality_checks import areas, names
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, toaster

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
    form=AllowForm,
    when=lambda at: (
        None if open_matters(at) else "No sheet holds anything that waits for your word."
    ),
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
