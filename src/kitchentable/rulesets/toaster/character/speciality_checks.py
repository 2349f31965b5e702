"""What is wrong with specialties: ranks, areas, how many, and whether the GM has agreed."""

from __future__ import annotations

from kitchentable.rules import (
    Entity,
    Problem,
    Table,
)
from kitchentable.rules.kit import Problems
from kitchentable.rulesets.toaster.book import Record, Words
from kitchentable.rulesets.toaster.character.listing import key_of, skill_name
from kitchentable.rulesets.toaster.character.skills import find_skill, lines, specialty_verdict
from kitchentable.rulesets.toaster.options import Options

#: The rank for a first specialty, and for a second or a doubled one, bonuses not counted
#: (toaster.2.specialty-rank-4, toaster.2.specialty-rank-8-second, toaster.2.specialty-rank-used).
FIRST, SECOND = 4, 8
#: Areas that a skill has to fall into before anybody can specialize in one of them.
AREAS = 3


def names(line: Record) -> Words:
    """The specialties that stand on a line of the skills."""
    both = (str(line.get("specialty") or "").strip(), str(line.get("specialty2") or "").strip())
    return tuple(one for one in both if one)


def areas(line: Record) -> Words:
    """The areas that a skill falls into, as they were written, each once."""
    parts = str(line.get("areas") or "").replace("\n", ",").split(",")
    return tuple({one.strip().casefold(): one.strip() for one in parts if one.strip()}.values())


def speciality_problems(table: Table, entity: Entity) -> Problems:
    """Line by line; nothing at all while the table plays without specialties.

    toaster.2.specialty-switch.
    """
    if not Options(table.options).specialization:
        return
    having = 0
    for place, line in lines(entity):
        if not names(line):
            continue
        having += 1
        yield from _line_problems(table, entity, place, line)
    most = Options(table.options).specialty_skills
    if most is not None and having > most:
        words = f"{having} skills with a specialty; this table has a limit of {most}."
        yield Problem("skills", "toaster.2.specialty-max-skills", words)


def _line_problems(table: Table, entity: Entity, place: int, line: Record) -> Problems:
    key = key_of(line.get("skill"), line.get("of"))
    name, rank = skill_name(table, key), find_skill(table, entity, key).rank
    where, two = f"skills.{place}.specialty", len(names(line)) > 1
    if rank < FIRST:
        words = f"{name} {rank}: a specialty takes a rank of {FIRST}."
        yield Problem(where, "toaster.2.specialty-rank-4", words)
    if (two or line.get("doubled")) and rank < SECOND:
        words = f"{name} {rank}: a second specialty, or a doubled one, takes a rank of {SECOND}."
        yield Problem(where, "toaster.2.specialty-rank-used", words)
    if two and line.get("doubled"):
        words = f"{name}: two specialties, or one that is doubled, not both."
        yield Problem(where, "toaster.2.specialty-rank-8-second", words)
    if len(areas(line)) < AREAS:
        words = f"{name}: name {AREAS} independent areas of it, or take no specialty."
        yield Problem(f"skills.{place}.areas", "toaster.2.specialty-three-areas", words)
    for one in names(line):
        verdict = specialty_verdict(entity, key, one)
        if verdict != "accepted":
            words = (
                f"{name}, {one}: the GM has refused it."
                if verdict == "refused"
                else f"{name}, {one}: waits for the GM."
            )
            yield Problem(where, "toaster.2.specialty-gm-approval", words, refuses=False)
