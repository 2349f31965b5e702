"""The D100, trackers with labels, and plain dice such as damage."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kitchentable.rules import EVERYONE, GM, Part, whole
from kitchentable.rules.kit import Form, Roll, number, pick, tick
from kitchentable.rules.kit import text as words
from kitchentable.rules.kit.listings import fresh_key
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.claims import Side
from kitchentable.rulesets.lucky_stars.options import BANDS, NO_STAT
from kitchentable.rulesets.lucky_stars.people import (
    DIE,
    PERCENT,
    SIZE_CHOICES,
    At,
    Here,
    Tracker,
    show,
    stars,
)

# ---------------------------------------------------------------- D100

#: The ways to compare a D100 with a threshold.
_LOW, _GM = "low", "gm"
OTHER = Roll(mechanics.other_dice)


@dataclass(frozen=True, slots=True)
class Comes:
    """The result of a D100 against a threshold: "hit" or "miss" (stars.5.2-d100-range)."""

    low: bool
    threshold: int

    def __call__(self, face: int) -> str:
        about = face <= self.threshold if self.low else face >= self.threshold
        return "hit" if about else "miss"


class D100Form(Form):
    what = words()
    reading = pick()
    threshold = number(when=lambda at: at.form.reading != _GM)


@stars.move("d100", rolls=True)
def d100(at: At[D100Form]) -> None:
    form, open_end = at.form, at.form.reading == _GM
    limit = 0 if open_end else form.threshold
    comes = Comes(form.reading == _LOW, limit)
    roll = Roll(mechanics.percent, () if open_end else BANDS["d100"], comes)
    face = at.roll(roll(), {"percent": at.me}, "1 to 100, each as likely as any other.")
    at.say(form.what)
    if not open_end:
        side = "below" if form.reading == _LOW else "above"
        hidden = "threshold" in at.actor.hidden
        at.say(f"Threshold {limit} or {side}.", GM if hidden else EVERYONE)
    at.tell_as("d100-open" if open_end else f"d100-{comes(face)}")
    show(at, at.me, "percent", face)


# ---------------------------------------------------------------- dice that do not explode


class OtherForm(Form):
    what = Side.what
    count = number()
    sides = number()
    plus = number()


@stars.move("other_dice", rolls=True)
def other_dice(at: At[OtherForm]) -> None:
    form = at.form
    plus = whole(at.answers.get("plus"))
    total = at.roll(OTHER(form.count, form.sides, plus), {"dice": at.me})
    at.tell_as("dice", what=form.what)
    show(at, at.me, "dice", total, *((Part("added", plus),) if plus else ()))


# ---------------------------------------------------------------- trackers


def _found(at: Here) -> Tracker | None:
    wanted = at.form.tracker
    return next((one for one in at.me.trackers if one.key == wanted), None)


def _kind(at: Here) -> str:
    one = _found(at)
    return one.kind if one else at.form.kind


def _begins(at: Here) -> int:
    one = _found(at)
    return one.value if one else 100 if at.form.kind == PERCENT else 0


class TrackForm(Form):
    tracker = pick(
        choices=lambda at: (
            [("", "a new one")] + [(one.key, f"{one.name}, {one.words}") for one in at.me.trackers]
        )
    )
    name = words(when=lambda at: not _found(at))
    kind = pick(when=lambda at: not _found(at))
    drop = tick(when=_found)
    size = pick(
        choices=SIZE_CHOICES,
        when=lambda at: _kind(at) == DIE,
        default=lambda at: str((_found(at) or Tracker("", "", DIE, 12)).value),
    )
    value = number(
        when=lambda at: _kind(at) != DIE,
        default=_begins,
        high=lambda at: 100 if _kind(at) == PERCENT else 9999,
    )
    why = words()


@stars.move("track")
def track(at: At[TrackForm]) -> None:
    form, me, one = at.form, at.me, _found(at)
    kind = _kind(at)
    value = int(form.size) if kind == DIE else form.value
    taken = {NO_STAT, *(each.key for each in me.trackers)}
    was = one or Tracker(fresh_key(form.name, taken), form.name, kind, value)
    now = replace(was, value=value)
    gone = one is not None and form.drop
    at.say(form.why)
    told = f"{one.words} to {now.words}." if one else f"Begins at {now.words}."
    at.tell(
        f"Tracker: {now.name}",
        "Kept no longer." if gone else told,
        rules=("stars.5.1-supply-conditions" if kind == DIE else "stars.5.2-d100-when",),
        audience=GM if me.is_closed else "",
    )
    kept = {"name": now.name, "kind": now.kind, "value": now.value}
    me.write("state", "trackers", now.key, now=None if gone else kept, gone=gone)
