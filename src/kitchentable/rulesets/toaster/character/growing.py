"""Growth between adventures: experience, improved skills, changed traits."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from kitchentable.rules import GM, Choice, choose, listed, plural, quoted, whole, with_stop
from kitchentable.rules.kit import (
    Each,
    Form,
    Input,
    Problems,
    Unknown,
    decision,
    given,
    needs,
    number,
    pick,
    rows,
    text,
)
from kitchentable.rulesets.toaster.book import TABLES, Choices, Record, Row, problem, row
from kitchentable.rulesets.toaster.character.builder import part
from kitchentable.rulesets.toaster.character.checks import (
    FIRST,
    SECOND,
    AllowForm,
    cap_problems,
    specialty_problems,
    teaching_problems,
    trait_problems,
)
from kitchentable.rulesets.toaster.character.listing import (
    as_number,
    cost_of_steps,
    in_points,
    is_on_list,
    skill_key,
    skill_name,
)
from kitchentable.rulesets.toaster.character.presets import skill_line
from kitchentable.rulesets.toaster.character.skills import (
    HIGHEST_BASE,
    Skill,
    skill_choices,
    specialty_key,
)
from kitchentable.rulesets.toaster.character.traits import ACCEPTED, VERDICTS
from kitchentable.rulesets.toaster.people import At, Here, Person, return_luck, toaster

_AWARD = TABLES["experience"][0]


def heroes(at: Here) -> list[Person]:
    """The players' characters in play."""
    return [one for one in at.in_play() if one.is_players]


def points_of(one: Person) -> Input[int]:
    """A question for a character's experience, usually 2 points (toaster.2.adv-award)."""
    award = row(one.table, "experience", _AWARD["key"]) or _AWARD
    return number(
        one.name,
        default=whole(award["usual"]),
        low=whole(award["least"]),
        high=whole(award["most"]),
        rule="toaster.2.adv-award",
    )


class AwardForm(Form):
    points = Each(lambda at: [(one.id, one) for one in heroes(at)], points_of, "_")
    why = text(story=True)


@toaster.move("award", when=needs(heroes, "No player's character is in play."))
def award(at: At[AwardForm]) -> None:
    """Add the points; skills used so far are now those that can be raised."""
    for one in heroes(at):
        points, used = at.form.points[one.id], sorted({*one.used})
        one.write("state", "xp", now=as_number(one.experience + points))
        one.raisable, one.used = used, []
        names = listed(skill_name(at.table, key) for key in used)
        words = f" Used: {names}." if used else ""
        at.say(f"{one.name}: {plural(points, 'point')}.{words}")
    return_luck(at, "next-adventure")
    at.write(("own", "adventures"), whole(at.table.own.get("adventures")) + 1)
    at.tell_as("adventure", why=at.form.why, of=())


# ---------------------------------------------------------------- skills


def may_improve(at: Here) -> str | None:
    if not at.me.is_players:
        return "Only players' characters grow by experience."
    if at.me.experience > 0:
        return None
    return f"{at.me.name} has no experience to spend."


def teachers(at: Here) -> Choices:
    """The choices of a teacher: nobody, or a character with open numbers."""
    people = [one.entity for one in at.others() if not one.is_closed]
    return (Choice("", "Nobody at the table"), *choose(people))


def used_first(at: Here) -> Choices:
    """The skills, those used in the adventure first."""
    known = skill_choices(at.table, at.me)
    return (*sorted(known, key=lambda one: one.value not in at.me.usable), Choice("", "Another"))


class ImproveForm(Form):
    skill = pick(choices=used_first)
    other = text()
    steps = number(help=lambda at: f"You have {in_points(at.me.experience)} to spend.")
    why = text()
    teacher = pick(choices=teachers)

    @property
    def key(self) -> str:
        """The key of the skill, or "" for one not on the list."""
        return self.skill or skill_key(self.at.table, self.other)

    def problems(self) -> Problems:
        at, key, me = self.at, self.key, self.me
        if not key or not is_on_list(at.table, key):
            yield problem("which-skill")
            return
        base, name = me.line(key).base, skill_name(at.table, key)
        cost, points = cost_of_steps(at.table, key, base, base + self.steps), me.experience
        if cost > points:
            yield problem(
                "steps-cost",
                steps=plural(self.steps, "step"),
                name=name,
                cost=in_points(cost),
                points=in_points(points),
            )
        if me.base_with(key, base + self.steps) < me.base(key) + self.steps:
            yield problem("package-full", name=name)
        if key not in me.usable and not self.why.strip():
            yield problem("not-used", name=name)
        teacher = at.find(self.teacher)
        if teacher:
            yield from teaching_problems(teacher, me, key, "teacher")


@toaster.move("improve", when=may_improve)
def improve(at: At[ImproveForm]) -> None:
    """Raise a used skill immediately; for another, or above 10, ask the GM."""
    form, me, key = at.form, at.me, at.form.key
    above = me.line(key).base + form.steps > HIGHEST_BASE
    if at.is_gm or (key in me.usable and not above):
        raise_base(at, key, form.steps, form.why)
        return
    teacher = at.find(form.teacher)
    words = with_stop(form.why) + (f" {teacher.name} teaches." if teacher else "")
    limit = f" The base would be above {HIGHEST_BASE}." if above else ""
    name = skill_name(at.table, key)
    over = ["toaster.2.skill-base-over-10"] * above
    at.ask(
        judge_improvement, GM, f"{me.name}: {name} and {plural(form.steps, 'step')}",
        f"{words}{limit}", of=me,
        rules=["toaster.2.adv-unused-skills", *over],
        whom=me.id, skill=key, steps=form.steps, why=form.why,
    )  # fmt: skip
    at.tell_as("would-learn", skill=name, words=words)


def raise_base(at: Here, key: str, steps: int, why: str) -> None:
    """Raise the base and spend the points (toaster.2.adv-convert)."""
    me = at.me
    line, points = me.line(key), me.experience
    base = line.base
    cost = cost_of_steps(at.table, key, base, base + steps)
    left = points - cost
    if left < 0:
        words = f"{me.name} has {in_points(points)} points; this costs {in_points(cost)}."
        at.refuse(words, "toaster.2.adv-convert")
    known = me.skill_rows
    if line.place < 0:
        known.append(skill_line(free_id(known), key, base + steps))
    else:
        known[line.place]["base"] = base + steps
    before = me.skill(key)
    me.write("sheet", "skills", now=known)
    me.write("state", "xp", now=as_number(left))
    after = me.skill(key)
    if base + steps > HIGHEST_BASE:
        VERDICTS.judge(me, f"base:{key}", word=why)
    at.say(why)
    at.tell_as(
        "learned", before=before, after=after, base=base, now=base + steps,
        cost=in_points(cost), left=in_points(left),
    )  # fmt: skip


def free_id(known: list[Row]) -> str:
    """An unused key for a new line: "s3"."""
    taken = {str(one.get("id")) for one in known}
    return next(key for n in count(len(taken) + 1) if (key := f"s{n}") not in taken)


class JudgeForm(Form):
    agreed = decision("Is it learned?")
    word = text()
    skill = given("")
    steps = given(0)
    why = given("")


@toaster.answer("judge_improvement")
def judge_improvement(at: At[JudgeForm]) -> None:
    form = at.form
    if form.agreed == "yes":
        raise_base(at, form.skill, form.steps, f"{with_stop(form.why)} {form.word}".strip())
        return
    at.tell_as("same-skill", skill=skill_name(at.table, form.skill), word=form.word)


# ---------------------------------------------------------------- traits


class RearrangeForm(Form):
    traits = rows(
        "Traits",
        lambda at: part(at.table, "traits").fields[0].columns,
        default=lambda at: list(at.me.sheet.get("traits") or []),
    )
    why = text(story=True)

    def problems(self) -> Problems:
        """The problems of the new traits; their sum may not change.

        toaster.2.adv-traits-balance.
        """
        me = self.me
        after = me.with_sheet(traits=self.traits)
        yield from trait_problems(after)
        yield from cap_problems(after, me.free_ranks)
        if after.trait_sum != me.trait_sum:
            yield problem("traits-balance", before=me.trait_sum, after=after.trait_sum)
        if after.plain_traits == me.plain_traits:
            yield problem("no-change")


def in_short(one: Person) -> str:
    """A character's traits in a line."""
    return "; ".join(each.in_short for each in one.traits) or "no traits"


_GMS = "Change traits of the GM's people on their sheets."


@toaster.move("rearrange", when=lambda at: None if at.me.is_players else _GMS)
def rearrange(at: At[RearrangeForm]) -> None:
    """Change traits immediately for the GM; for a player, ask the GM."""
    form, me = at.form, at.me
    if at.is_gm:
        change_traits(at, form.traits, form.why)
        return
    then = in_short(me.with_sheet(traits=form.traits))
    at.ask(
        judge_traits, "", "",
        f"{with_stop(form.why)} Now: {in_short(me)}. Then: {then}.".strip(),
        of=me, whom=me.id, traits=form.traits, why=form.why,
    )  # fmt: skip


def change_traits(at: Here, lines: list[Any], why: str) -> None:
    """Replace a character's traits."""
    at.say(f"Before: {in_short(at.me)}.")
    at.me.write("sheet", "traits", now=lines)
    at.say(f"Now: {in_short(at.me)}.")
    at.tell_as("other-traits", why=why)


class JudgeTraitsForm(Form):
    agreed = decision("May they change?")
    word = JudgeForm.word
    traits: Any = given([])
    why = given("")


@toaster.answer("judge_traits")
def judge_traits(at: At[JudgeTraitsForm]) -> None:
    form = at.form
    if form.agreed == "yes":
        change_traits(at, form.traits, f"{with_stop(form.why)} {form.word}".strip())
    else:
        at.tell_as("same-traits", word=form.word)


# ---------------------------------------------------------------- new specialties


def grown_skills(at: Here) -> list[Skill]:
    """The skills with a rank high enough for a specialty (toaster.2.specialty-rank-4)."""
    return [one for one in at.me.skills if one.rank >= FIRST and one.place >= 0]


class TakenForm(Form):
    """The specialty to take, as its card sets it."""

    at: Here

    skill = given("")
    how = given("first")
    name: Any = given("")
    areas: Any = given("")

    @property
    def line(self) -> Record:
        """The line of the skill on the sheet."""
        found: Record = self.me.skill_rows[self.own.place]
        return found

    @property
    def own(self) -> Skill:
        """The skill without the change. Errors: Unknown, if its line is no longer on the sheet."""
        for one in self.at.me.skills:
            if str(one.place) == self.skill:
                return one
        raise Unknown("That skill is no longer on the sheet.")

    def taken(self) -> list[Row]:
        """The lines of the skills after the change."""
        rows = self.at.me.skill_rows
        line, name = rows[self.own.place], (self.name or "").strip()
        if self.how == "doubled":
            line["doubled"] = True
        else:
            line["specialty2" if self.how == "second" else "specialty"] = name
        if (self.areas or "").strip():
            line["areas"] = self.areas
        return rows


class SpecialiseForm(TakenForm):
    skill = pick(choices=lambda at: [(str(one.place), one.in_short) for one in grown_skills(at)])
    how = pick()
    name = text()
    areas = text()

    def problems(self) -> Problems:
        """The problems of the changed sheet (toaster.2.specialty-rank-used)."""
        how, line = self.how, self.line
        if how != "doubled" and not self.name.strip():
            yield problem("no-specialty")
        first, second = line.get("specialty"), line.get("specialty2")
        if how == "first" and first:
            yield problem("first-there", name=quoted(first), least=SECOND)
        if how == "second" and second:
            yield problem("second-there", name=quoted(second))
        if how != "first" and not first:
            yield problem("no-first")
        after = self.me.with_sheet(skills=self.taken())
        asked = {
            f"skills.{self.skill}.specialty": "how",
            f"skills.{self.skill}.areas": "areas",
            "skills": "skill",
        }
        for one in specialty_problems(after):
            if one.refuses and one.where in asked:
                yield replace(one, where=asked[one.where])


@toaster.move("specialise", when=needs(grown_skills, f"A specialty takes a skill of rank {FIRST}."))
def specialise(at: At[SpecialiseForm]) -> None:
    """Add a specialty immediately for NPCs; for a player's character, ask the GM."""
    form, me = at.form, at.me
    if at.is_gm:
        take(at, form)
        return
    own = form.own
    what = {"second": "a second specialty", "doubled": "the specialty counts +2"}
    name = form.name or form.line.get("specialty") or ""
    told = f"{own.in_short}: {what.get(form.how, 'a specialty')}, {quoted(name)}"
    at.ask(
        judge_speciality, "", f"{me.name} would specialize",
        f"{told}. Areas: {form.areas or form.line.get('areas') or 'none named'}.",
        of=me,
        whom=me.id, skill=form.skill, how=form.how, name=form.name, areas=form.areas,
    )  # fmt: skip


def take(at: Here, form: TakenForm) -> None:
    """Add the specialty to the sheet, with the GM's acceptance."""
    me, own, rows = at.me, form.own, form.taken()
    name = form.name or str(rows[own.place].get("specialty") or "")
    bonus = 2 if form.how == "doubled" else 1
    me.write("sheet", "skills", now=rows)
    VERDICTS.judge(me, specialty_key(own.key, name))
    at.tell_as(
        "specialised",
        skill=own.name,
        specialty=quoted(name),
        bonus=plural(bonus, "point"),
        audience=me.number_audience,
    )


class JudgeSpecialtyForm(TakenForm):
    verdict = AllowForm.verdict
    word = text()


@toaster.answer("judge_speciality")
def judge_speciality(at: At[JudgeSpecialtyForm]) -> None:
    if at.form.verdict == ACCEPTED:
        take(at, at.form)
    else:
        at.tell_as("no-speciality", word=at.form.word)
