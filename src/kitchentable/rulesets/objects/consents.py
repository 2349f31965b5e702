"""Agreements of player and GM: power, talents, learning, objectives."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Result, Table, quoted
from kitchentable.rules.kit import (
    Form,
    Problems,
    Row,
    given,
    number,
    pick,
    pick_many,
    somebody,
    text,
)
from kitchentable.rulesets.objects.options import problem
from kitchentable.rulesets.objects.thing import (
    VERDICTS,
    At,
    Here,
    Talent,
    objects,
)

# ---------------------------------------------------------------- a finished sheet


def submitted(table: Table, entity: str) -> Result:
    """Ask the GM about the power of a submitted object and each gained talent.

    objects.2.1-power-level, objects.2.3-gt-agree, objects.2.3-no-budget.
    """
    at = objects.at(table, entity)
    at.ask(agree, of=at.me)
    return at.result()


def accepted(table: Table, entity: str) -> Result:
    """Agree, with the sheet, to all talents that the GM did not refuse."""
    at = objects.at(table, entity)
    VERDICTS.accept(at.me, [talent.name for talent in at.me.gained])
    at.close(f"agree-{entity}")
    return at.result()


class PowerForm(Form):
    power = text(default=lambda at: at.me.power)


class AgreeForm(Form):
    power = PowerForm.power
    not_yet = pick_many(
        choices=lambda at: [(one.name, one.phrase) for one in at.me.gained],
        when=lambda at: at.me.gained,
    )
    word = text(when=lambda at: at.me.gained)


@objects.move("agree")
def agree(at: At[AgreeForm]) -> None:
    form, me = at.form, at.me
    for one in me.gained:
        doubted = one.name in form.not_yet
        VERDICTS.judge(me, one.name, *(("not yet", form.word) if doubted else ()))
    me.power = form.power
    at.say(form.power and f"Power: {form.power}")
    for name in sorted(form.not_yet):
        at.say(f"Not agreed yet: {name}")
    at.say(form.word)
    at.tell_as("doubts" if form.not_yet else "agrees", audience=me.owner)


@objects.move("power")
def power(at: At[PowerForm]) -> None:
    at.me.power = at.form.power
    said = at.form.power or "Nothing is said of it."
    at.tell_as("power", audience=at.me.number_audience, said=said)


# ---------------------------------------------------------------- a talent changes


def picked(at: Here) -> Talent | None:
    return next((one for one in at.me.gained if one.name == at.form.talent), None)


def known_link(at: Here) -> str:
    """The object that the talent already is, if the actor can see it."""
    old = picked(at)
    return old.leads_to if old and old.leads_to in {one.id for one in at.others()} else ""


class LearnForm(Form):
    talent = pick(
        choices=lambda at: [("", "A new one"), *((one.name, one.phrase) for one in at.me.gained)]
    )
    name = text(when=lambda at: picked(at) is None)
    level = number(default=lambda at: one.level if (one := picked(at)) else 2)
    object = somebody(among=At.others, default=known_link)
    reason = text()

    def problems(self) -> Problems:
        me = self.me
        if not self.talent and me.talent(self.name):
            yield problem("known-talent", me=me, name=quoted(self.name))


class LearnedForm(Form):
    """The form for a changed talent: name, level, linked object, reason."""

    verdict = pick()
    word = text()
    talent = given("")
    level = given(0)
    object = given("")
    keeps = given("")
    reason = given("")


@objects.move("learn")
def learn(at: At[LearnForm]) -> None:
    """Change a talent: immediately for the GM, after the GM's agreement for players.

    objects.2.3-gt-improve.
    """
    form, old = at.form, picked(at)
    told: Row = {
        "talent": form.talent or form.name,
        "level": form.level,
        "object": at.answers.get("object") or "",
        "keeps": old.leads_to if old and not known_link(at) else "",
        "reason": form.reason,
    }
    if at.is_gm:
        write_talent(at, at.fill(LearnedForm, told))
        return
    wanted = Talent(told["talent"], form.level).phrase
    at.ask(judge_talent, "", f"{at.me.name}: {wanted}?", form.reason, of=at.me, **told)
    at.say(form.reason)
    tell(at, told["object"], "talent-asked", wanted=wanted)


@objects.answer("judge_talent")
def judge_talent(at: At[LearnedForm]) -> None:
    form = at.form
    if form.verdict == "yes":
        write_talent(at, form)
        return
    word = form.word or "So the GM decides."
    tell(at, form.object, "talent-stays", talent=quoted(form.talent), word=word)


def tell(at: Here, linked: str, key: str, *rules: str, **names: Any) -> None:
    """Show the change to those who may see the object and the linked one."""
    people, audience = at.people((at.me.id, linked)), GM if at.me.is_closed else ""
    at.tell_as(key, rules=rules, of=people, audience=audience, **names)


def write_talent(at: Here, told: LearnedForm) -> None:
    """Add the agreed talent to the sheet, or change it there."""
    me, name = at.me, told.talent
    old = next((row for row in me.rows if row.get("name") == name), None)
    new = {**(old or {"name": name}), "level": told.level, "object": told.object or told.keeps}
    me.rows = [new if row is old else row for row in me.rows] + ([] if old else [new])
    VERDICTS.judge(me, name)
    part = at.find(told.object)
    at.say(told.reason)
    at.say(f"{part.name} is part of {me.name}." if part else "")
    before = f"It was: {Talent(name, old['level']).phrase}." if old else "It is new."
    crew = ("objects.2.3-crew-as-talent",) if told.object else ()
    now = Talent(name, told.level).phrase
    tell(at, told.object, "talent-changes", *crew, now=now, before=before)


# ---------------------------------------------------------------- objectives


def still_open(at: Here) -> list[tuple[str, str]]:
    rows = enumerate(at.me.objectives)
    return [(str(place), row["text"]) for place, row in rows if not row.get("done")]


class AimForm(Form):
    reached = pick(choices=lambda at: [("", "None of them"), *still_open(at)], when=still_open)
    new = text()

    def problems(self) -> Problems:
        if not (self.reached or self.new):
            yield problem("no-objective")


@objects.move("objective")
def objective(at: At[AimForm]) -> None:
    form, rows = at.form, [dict(row) for row in at.me.objectives]
    if form.reached:
        row = rows[int(form.reached)]
        row["done"] = True
        at.say(f"Reached: {row['text']}")
    if form.new:
        rows.append({"text": form.new, "done": False})
        at.say(f"New: {form.new}")
    at.me.objectives = rows
    at.tell_as("objectives", audience=at.me.number_audience)
