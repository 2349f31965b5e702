"""Status: its written causes, healing, the fate at 0, and the end of an object."""

from __future__ import annotations

from kitchentable.rules.kit import Form, Problems, given, number, pick, text
from kitchentable.rulesets.objects.options import problem
from kitchentable.rulesets.objects.thing import (
    STATUS_WORDS,
    At,
    Here,
    drop,
    leave,
    moment,
    objects,
    status_phrase,
)

_SCALE = [(str(n), status_phrase(n)) for n in sorted(STATUS_WORDS)]


class StatusForm(Form):
    status = pick(choices=_SCALE[::-1], default=lambda at: str(at.me.status))
    cause = text(hidden=lambda at: at.me.is_closed)

    def problems(self) -> Problems:
        me, wanted = self.me, int(self.status)
        if wanted == me.status:
            yield problem("same-status", me=me)
        elif wanted < me.status and not self.cause:
            yield problem("no-cause")


@objects.move("status")
def status(at: At[StatusForm]) -> None:
    """Change a status: immediately for the GM, by option with approval for players.

    At 0 the GM decides on its fate, whoever may otherwise change a status
    (objects.2.5-status-zero). An immediate change discards requests for an older one
    (objects.2.5-status-note).
    """
    me, wanted, cause = at.me, int(at.form.status), at.form.cause
    if at.is_gm or (at.options.status_by == "table" and me.status):
        drop(at, me, "judge_status")
        set_status(at, wanted, cause)
        return
    title = f"{me.name}: {status_phrase(wanted)}?"
    at.ask(judge_status, "", title, cause, of=me, status=wanted, cause=cause)
    at.say(cause)
    at.tell_as("status-asked", wanted=status_phrase(wanted))


def set_status(at: Here, wanted: int, cause: str) -> None:
    """Record a status; the GM decides on its effect for each roll.

    objects.2.5-status-no-formula; at 0 the GM decides on its fate (objects.2.5-status-zero).
    """
    me, before = at.me, at.me.phrase
    falls = wanted < me.status
    me.status = wanted
    if cause and falls:
        note = {"text": cause, "since": moment(at.table), "status": wanted, "healed": ""}
        me.injuries = [*me.injuries, note]
    at.say(cause, me.number_audience)
    at.tell_as("worse" if falls else "better", now=me.phrase, before=before)
    drop(at, me, "fate")
    if me.leave:
        me.leave = False
    if wanted == 0:
        at.ask(fate, of=me)


class JudgeForm(Form):
    verdict = pick()
    status = given(0)
    cause = given("")


@objects.answer("judge_status")
def judge_status(at: At[JudgeForm]) -> None:
    if at.form.verdict == "yes":
        set_status(at, at.form.status, at.form.cause)
        return
    at.tell_as("status-stays", now=at.me.phrase)


# ---------------------------------------------------------------- healing and repair


class HealForm(Form):
    injury = pick(
        choices=lambda at: [
            (str(place), row["text"], row["since"])
            for place, row in enumerate(at.me.injuries)
            if not row.get("healed")
        ],
        first=True,
    )
    how = text()


@objects.move(
    "heal",
    when=lambda at: None if at.me.ails else "Nothing is noted that could be mended.",
)
def heal(at: At[HealForm]) -> None:
    """Close the note of an injury, and raise the status (objects.2.5-healing)."""
    me, how = at.me, at.form.how
    rows = [dict(row) for row in me.injuries]
    row = rows[int(at.form.injury)]
    row["healed"] = f"{how} ({moment(at.table)})"
    me.injuries = rows
    at.say(how)
    at.say(f"The status is still {me.phrase}.")
    at.tell_as("mended", audience=me.number_audience, what=row["text"])


class DayForm(Form):
    days = number()


@objects.move("day")
def day(at: At[DayForm]) -> None:
    """Let days pass; nothing heals by itself, and notes include the day.

    objects.2.5-status-note.
    """
    days, now = at.form.days, at.table.day + at.form.days
    at.write(("day",), now)
    at.tell_as("day" if days == 1 else "days", days=days, now=now)


# ---------------------------------------------------------------- at status 0, and beyond


class FateForm(Form):
    verdict = pick()
    status = pick(choices=_SCALE[1:], when=verdict.equals("recovers"))
    told = text(story=True)


@objects.move(
    "fate",
    when=lambda at: (
        "Its fate is its own; only at status 0 is it in your hands." if at.me.status else None
    ),
)
def fate(at: At[FateForm]) -> None:
    form, me = at.form, at.me
    match form.verdict:
        case "dies":
            dies(at, form.told)
            return
        case "recovers":
            me.status = int(form.status)
            me.leave = False
            drop(at, me, "judge_status")
        case "leave":
            me.leave = True
    drop(at, me, "fate")
    at.tell_as(f"fate-{form.verdict}", told=form.told, now=me.phrase)


class DeathForm(Form):
    told = text(
        story=True, help=lambda at: f"Its {at.me.karma} karma are lost." if at.me.karma else ""
    )


@objects.move("death")
def death(at: At[DeathForm]) -> None:
    dies(at, at.form.told)


def dies(at: Here, told: str) -> None:
    """Remove the object; its karma is lost (objects.3.k-death)."""
    me, lost = at.me, at.me.karma
    me.karma = 0
    leave(at, me)
    at.say(f"Karma lost with it: {lost}." if lost else "", me.number_audience)
    at.tell_as("dead", told=told)
