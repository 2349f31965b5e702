"""A specialty that somebody takes in play, once a skill has grown far enough."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, Problem, quoted
from kitchentable.rules.kit import Form, Problems, decision, given, pick, text
from kitchentable.rulesets.toaster.book import Record, Row, plural
from kitchentable.rulesets.toaster.character.checks import (
    FIRST,
    SECOND,
    specialty_problems,
)
from kitchentable.rulesets.toaster.character.skills import Skill, specialty_key
from kitchentable.rulesets.toaster.character.traits import ACCEPTED, REFUSED
from kitchentable.rulesets.toaster.people import At, Here, toaster


def able(at: Here) -> list[Skill]:
    """The skills that have grown far enough (toaster.2.specialty-rank-4)."""
    return [one for one in at.me.skills if one.rank >= FIRST and one.place >= 0]


def may_specialise(at: Here) -> str | None:
    if not at.options.specialization:
        return "This table plays without specialties."
    return None if able(at) else f"A specialty takes a skill of rank {FIRST}."


class TakenForm(Form):
    """What is taken, as its card brings it along."""

    skill = given("")
    how = given("first")
    name: Any = given("")
    areas: Any = given("")

    @property
    def line(self) -> Record:
        """The line of the skill on the sheet."""
        found: Record = self.at.me.entity.sheet["skills"][int(self.skill)]
        return found

    def taken(self) -> list[Row]:
        """The lines of the skills as they would be."""
        rows: list[Row] = self.at.me.skill_rows
        line, name = rows[int(self.skill)], (self.name or "").strip()
        if self.how == "doubled":
            line["doubled"] = True
        else:
            line["specialty2" if self.how == "second" else "specialty"] = name
        if (self.areas or "").strip():
            line["areas"] = self.areas
        return rows


class SpecialiseForm(TakenForm):
    skill = pick(
        choices=lambda at: [(str(one.place), f"{one.name} {one.rank}") for one in able(at)]
    )
    how = pick()
    name = text()
    areas = text()

    def problems(self) -> Problems:
        """The sheet as it would be has to hold (toaster.2.specialty-rank-used)."""
        how, line = self.how, self.line
        if how != "doubled" and not self.name.strip():
            words = "Say which specialty it is."
            yield Problem("name", "toaster.2.specialty-switch", words)
        first, second = line.get("specialty"), line.get("specialty2")
        if how == "first" and first:
            words = f"There is one already, {quoted(first)}; at {SECOND} comes more."
            yield Problem("how", "toaster.2.specialty-rank-8-second", words)
        if how == "second" and second:
            words = f"There is a second one already, {quoted(second)}; two are the most."
            yield Problem("how", "toaster.2.specialty-rank-8-second", words)
        if how != "first" and not first:
            words = "There is no first specialty yet."
            yield Problem("how", "toaster.2.specialty-rank-4", words)
        after = self.at.me.with_sheet(skills=self.taken())
        asked = {
            f"skills.{self.skill}.specialty": "how",
            f"skills.{self.skill}.areas": "areas",
            "skills": "skill",
        }
        for one in specialty_problems(after):
            if one.refuses and one.where in asked:
                yield replace(one, where=asked[one.where])


@toaster.move("specialise", when=may_specialise)
def specialise(at: At[SpecialiseForm]) -> None:
    """The GM's own people simply have it; for a player's character the GM is asked."""
    form, me = at.form, at.me
    if at.is_gm:
        take(at, form)
        return
    own = next(one for one in me.skills if one.place == int(form.skill))
    what = {"second": "a second specialty", "doubled": "the specialty counts +2"}
    name = form.name or form.line.get("specialty") or ""
    told = f"{own.name} {own.rank}: {what.get(form.how, 'a specialty')}, {quoted(name)}"
    at.ask(
        judge_speciality, GM, f"{me.name} would specialize",
        f"{told}. Areas: {form.areas or form.line.get('areas') or 'none named'}.",
        of=me,
        whom=me.id, skill=form.skill, how=form.how, name=form.name, areas=form.areas,
    )  # fmt: skip


def take(at: Here, form: TakenForm) -> None:
    """The specialty stands on the sheet, and the GM has accepted it."""
    me, rows = at.me, form.taken()
    own = next(one for one in me.skills if one.place == int(form.skill))
    name = form.name or str(rows[own.place].get("specialty") or "")
    bonus = 2 if form.how == "doubled" else 1
    me.write("sheet", "skills", now=rows)
    me.judge(specialty_key(own.key, name), ACCEPTED)
    at.tell_as(
        "specialised",
        skill=own.name,
        specialty=quoted(name),
        bonus=plural(bonus, "point"),
        audience=me.number_audience,
    )


class JudgeForm(TakenForm):
    verdict = decision(
        "Is it allowed?",
        ((ACCEPTED, "Yes"), (REFUSED, "No")),
        help="If it makes the character richer, and nobody can lean on it all evening.",
        rule="toaster.2.specialty-gm-approval",
    )
    word = text()


@toaster.answer("judge_speciality")
def judge_speciality(at: At[JudgeForm]) -> None:
    if at.form.verdict == ACCEPTED:
        take(at, at.form)
    else:
        at.tell_as("no-speciality", word=at.form.word)
