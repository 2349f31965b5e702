"""Objects that break up and join; the GM distributes their karma, which never grows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, Choice, Entity, Field, Json, listed
from kitchentable.rules.kit import (
    Each,
    Form,
    Input,
    Problems,
    Row,
    Rows,
    needs,
    number,
    pick,
    rows,
    somebody,
    text,
    tick,
)
from kitchentable.rulesets.objects.options import problem
from kitchentable.rulesets.objects.sheet import SHEET
from kitchentable.rulesets.objects.thing import (
    VERDICTS,
    At,
    Here,
    Talent,
    capped,
    leave,
    objects,
)

# ---------------------------------------------------------------- breaking up


def new_parts(at: Here) -> Rows:
    """The new objects with a name."""
    return [dict(row) for row in at.form.parts if row.get("name")]


def loose(at: Here) -> Iterator[tuple[str, Talent, Row]]:
    """The gained talents that are not objects, each with its number and row."""
    crew = {one.id for one in at.me.aboard}
    own = zip(at.me.gained, at.me.rows, strict=True)
    left = [(talent, row) for talent, row in own if talent.leads_to not in crew]
    return ((str(index), *one) for index, one in enumerate(left))


def share(label: str, **parts: Any) -> Input[int]:
    """The field for one share of karma."""
    known = {"default": 0, "required": False, "low": 0, "rule": "objects.3.k-split"}
    return number(label, high=lambda at: at.me.karma, **known, **parts)


def fitting(at: Here, karma: int, before: int = 0) -> int:
    """The amount of karma that an object can take within the limit (objects.3.k-start)."""
    return max(0, capped(at.options, before + karma) - before)


class SplitForm(Form):
    told = text(story=True)
    parts = rows(
        columns=lambda at: (
            Field("name", "Name", longest=60),
            Field(
                "kind", "Type", "choice", default=at.options.types[0].key,
                choices=tuple(Choice(one.key, one.name) for one in at.options.types),
            ),
            Field("karma", "Karma", "number", default=0, low=0, high=at.me.karma),
        ),
        help=lambda at: f"Each with its share of the {at.me.karma} karma." if at.me.karma else "",
    )  # fmt: skip
    karma = Each(
        lambda at: [(one.id, one) for one in at.me.aboard if at.me.karma],
        lambda one: share(f"Karma to {one.name}", hidden=one.hidden),
    )
    heir = Each(
        lambda at: [(index, talent) for index, talent, _ in loose(at) if new_parts(at)],
        lambda talent: pick(
            f"{talent.phrase} goes to",
            lambda at: [
                ("", "nobody"),
                *((str(i), r["name"]) for i, r in enumerate(new_parts(at))),
            ],
            default="",
            required=False,
        ),
    )
    stays = tick()
    keeps = share("Karma that stays", when=lambda at: at.form.stays and at.me.karma)

    @property
    def given(self) -> int:
        """The sum of all shares of karma."""
        new = sum(row.get("karma") or 0 for row in new_parts(self.at))
        return new + sum(self.karma.values()) + (self.keeps if self.stays else 0)

    def problems(self) -> Problems:
        me = self.me
        if not new_parts(self.at) and not me.aboard:
            yield problem("no-parts")
        elif self.given > me.karma:
            yield problem("too-much-karma", me=me, given=self.given)


@objects.move("split")
def split(at: At[SplitForm]) -> None:
    """Split an object into those named by the GM; objects that were part of it continue alone.

    Karma not distributed is lost (objects.3.k-split), and so is karma above the limit.
    """
    form, me, crew = at.form, at.me, at.me.aboard
    lost, heirs = me.karma, form.heir
    new = [{**row, "karma": fitting(at, row.get("karma") or 0)} for row in new_parts(at)]
    left = {index: row for index, _, row in loose(at)}
    names = [*(row["name"] for row in new), *(one.name for one in crew if not one.hidden)]
    at.say(f"What is left: {listed(names)}." if names else "")
    shares = [
        (one, fitting(at, form.karma[one.id], one.karma)) for one in crew if form.karma.get(one.id)
    ]
    for one, karma in shares:
        lost -= karma
        at.say(f"{one.name}: {karma} karma.", GM if me.is_closed else one.number_audience)
    for index, row in enumerate(new):
        own = [{**left[i], "object": ""} for i, heir in heirs.items() if heir == str(index)]
        part(at, row, index + 1, own)
        lost -= row["karma"]
    for one, karma in shares:
        one.karma += karma
    me.karma = form.keeps if form.stays else 0
    lost -= me.karma
    if form.stays:
        me.rows = [row for index, row in left.items() if not heirs.get(index)]
    else:
        leave(at, me)
    at.say(f"{lost} karma lost." if lost > 0 else "", me.number_audience)
    at.tell_as("broken-up", told=form.told)


def part(at: Here, row: Row, number: int, talents: list[dict[str, Json]]) -> None:
    """Create a part; concept and story name its former object."""
    me, kind, name, karma = at.me, row["kind"], row["name"], row["karma"]
    sheet = SHEET.blank(at.table, kind) | {
        "concept": f"What broke off from {me.name}",
        "story": f"It was part of {me.name}. {at.form.told}",
        "talents": talents,
    }
    made = Entity(
        "", name, kind, me.owner, sheet, {}, "draft", me.hidden,
        me.entity.open if me.is_players else at.options.gm_numbers == "open",
    )  # fmt: skip
    state = {**SHEET.start(at.table, made), "karma": karma}
    at.create(replace(made, stage="play", state=state), number)
    at.say(f"{name}: {karma} karma." if karma else "", me.number_audience)


# ---------------------------------------------------------------- joining


class MergeForm(Form):
    into = somebody(among=At.others)
    name = text(default=lambda at: "something unseen" if at.me.hidden else at.me.name)
    level = number()
    stays = tick()
    karma = share("Karma that goes over", when=lambda at: at.me.karma).having(
        help=lambda at: f"Of {at.me.karma}. The rest is lost, or stays with it if it stays.",
    )
    told = text()

    def problems(self) -> Problems:
        old = self.into.talent(self.name)
        if old and old.leads_to != self.me.id:
            yield problem("taken", into=self.into, name=self.name)


@objects.move(
    "merge",
    when=needs(At.others, "There is nothing that it could join."),
)
def merge(at: At[MergeForm]) -> None:
    """Make the object a talent of a larger one; its karma moves by the GM's decision, or is lost.

    The limit applies to moved karma (objects.3.k-merge, objects.3.k-start).
    """
    form, me, into = at.form, at.me, at.form.into
    over = fitting(at, form.karma, into.karma)
    row = {"name": form.name, "level": form.level, "object": me.id if form.stays else ""}
    into.rows = [*(row for row in into.rows if row.get("object") != me.id), row]
    if VERDICTS.said(into, form.name)["verdict"] != VERDICTS.yes:
        VERDICTS.judge(into, form.name)  # the GM who joins the two thereby agrees to the talent
    left, audience = me.karma - over, GM if me.is_closed or into.is_closed else "all"
    at.say(form.told)
    if me.karma:
        what = "stay" if form.stays else "are lost"
        at.say(f"{over} karma go over, {left} {what}.", audience)
    me.karma = left if form.stays else 0
    if not form.stays:
        leave(at, me)
    if over:
        into.karma += over
    at.tell_as("aboard" if form.stays else "part", of=(me, into), into=into.name)
