"""The roll: stake, talent, karma, the GM's modifier, and two dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kitchentable.rules import EVERYONE, GM, Line, Side, plural
from kitchentable.rules.kit import (
    Form,
    Input,
    Problems,
    Unknown,
    given,
    number,
    pick,
    rows,
    somebody,
    story,
    suggested,
    text,
)
from kitchentable.rulesets.objects.mechanics import Attempt
from kitchentable.rulesets.objects.options import problem
from kitchentable.rulesets.objects.rolls import (
    ATTEMPT,
    OPENING,
    RESULTS,
    SETTLE,
    again_sides,
    reading,
    sides,
    thrown_by,
)
from kitchentable.rulesets.objects.scenes import note_roll, situation_of
from kitchentable.rulesets.objects.thing import At, Here, Thing, capped, objects

# ---------------------------------------------------------------- the form


def karma_on(label: str, help: str, rule: str) -> Input[int]:
    """A question for the karma to spend: before the dice, by the owner only, within the supply.

    objects.3.k-declare, objects.3.k-limit. A declared amount keeps its field after the karma is
    gone.
    """
    return number(
        label,
        default=0,
        required=False,
        veto_only=True,
        when=lambda at: at.me.may_spend or (at.me.is_known and "karma" in at.answers),
        low=lambda at: -max(1, at.me.may_spend),
        high=lambda at: max(1, at.me.may_spend),
        help=lambda at: f"Of {at.me.may_spend}. {help}",
        rule=rule,
    )


def no_karma(at: Here) -> Problems:
    """A problem if the declared karma is already spent (objects.3.k-limit)."""
    if at.form.karma and not at.me.may_spend:
        yield problem("no-karma", me=at.me)


def is_kept(at: Here) -> bool:
    """Whether players see modifiers only later, or never."""
    return at.options.modifier_shown != "before"


def weighed(at: Here) -> str:
    """Facts for the GM's modifier: the status with its causes, and the opponent's talents.

    objects.2.5-status-no-formula, objects.4-no-opposed.
    """
    me, rival = at.me, at.form.against
    words = ["Plus is harder, minus is easier."]
    if "status" in me.entity.state:
        ails = "; ".join(row["text"] for row in me.ails)
        words.append(f"{me.name}: {me.phrase}{': ' + ails if ails else ''}.")
    if rival:
        has = ", ".join(one.phrase for one in rival.usable) or "no talents known"
        words.append(f"{rival.name}: {has}.")
    return " ".join(words)


class RollForm(Form):
    stakes = text(default=lambda at: situation_of(at).get("title", ""))
    # One talent or none, proposed by the roller and confirmed by the GM (objects.2.3-zero-roll).
    talent = pick(
        choices=lambda at: [
            *((one.name, one.phrase) for one in at.me.usable),
            ("", "Nothing that fits: not at all (0)"),
        ],
        first=True,
    )
    unlisted = text(when=lambda at: not at.answers.get("talent"))
    against: Input[Thing | None] = somebody(among=At.others, when=At.others).read_as(
        lambda at, ident: at.find(ident)
    )
    karma = karma_on(
        "Karma on Self", "Minus lowers Self, which is better; plus raises it.", "objects.3.k-use"
    )
    aspects = rows(
        when=lambda at: at.options.modifier_detail == "aspects",
        hidden=is_kept,
        help=weighed,
    )
    # The GM's modifier, only on Conflict (objects.3-conflict-mod, objects.3-self-not-modified).
    modifier = number(
        when=lambda at: at.options.modifier_detail != "aspects",
        hidden=is_kept,
        help=weighed,
    )

    @property
    def modifiers(self) -> dict[str, int]:
        """The modifiers of the roll by name; aspects of one name add up (objects.3-realism)."""
        if self.options.modifier_detail != "aspects":
            return {"situation": self.modifier} if self.modifier else {}
        found = Counter[str]()
        for row in self.aspects:
            found[row.get("what") or "situation"] += row["points"]
        return found

    @property
    def too_much(self) -> int:
        """The sum of modifiers if it is unusually large, otherwise 0 (objects.3-mod-size)."""
        total = sum(self.modifiers.values())
        return total if abs(total) > self.options.modifier_usual else 0

    def problems(self) -> Problems:
        yield from no_karma(self.at)
        if self.too_much:
            usual = self.options.modifier_usual
            where = "aspects" if self.options.modifier_detail == "aspects" else "modifier"
            yield problem("much", where, much=self.too_much, usual=usual)


# ---------------------------------------------------------------- the roll


def may_roll(at: Here) -> str | None:
    """At status 0 a player's roll needs the GM's permission (objects.2.5-status-zero)."""
    me = at.me
    free = at.is_gm or not at.options.status_zero_asks or "status" not in me.entity.state
    if free or me.status or me.leave:
        return None
    return f"The fate of {me.name} is in the GM's hands, who can give leave for a roll."


@objects.move("test", when=may_roll, rolls=True)
def roll(at: At[RollForm]) -> None:
    form, me, named, spent = at.form, at.me, at.form.modifiers, at.form.karma
    if not me.is_known:
        raise Unknown
    talent = me.talent(form.talent)
    stops = at.options.karma_reroll and me.has_karma and me.karma > abs(spent)
    throw = (OPENING if stops else ATTEMPT)(
        talent.level if talent else 0, sum(named.values()), spent
    )
    fell = at.roll(throw, thrown_by(me))
    hidden = {"modifier", "aspects"} & at.actor.hidden
    title = "A roll" if me.is_closed else form.talent or form.unlisted or "No talent that fits"
    at.say(f"At stake: {form.stakes}")
    words = f"{talent.phrase}." if talent else "No talent for it: not at all (0)."
    at.say(words, me.number_audience)
    at.say(f"Against {form.against.name}." if form.against else "")
    says = []
    if hidden:
        after = at.options.modifier_shown == "after" and not me.is_closed
        words = ", ".join(f"{value:+d} {name}" for name, value in named.items()) or "none"
        counted = "" if fell.critical else f" Conflict counted as {fell.task}."
        says.append(Line(f"Modifier: {words}.{counted}", EVERYONE if after else GM))
    if form.too_much:
        says.append(Line(f"More than the usual {at.options.modifier_usual}.", GM))
    modified = named and not hidden and not fell.critical
    rules = ["objects.3-two-dice", *["objects.3-conflict-mod"] * bool(modified)]
    shown = sides(me, fell, {} if hidden else named, spent)
    cites = [*rules, *["objects.3.k-use"] * bool(spent)]
    land(at, fell, spent, title, shown, cites, says, form.against)
    if me.leave:
        me.leave = False  # the GM's permission at status 0 is for one roll
    if fell.grade == "undecided":
        at.ask(
            again, of=me, secret=("task",) if hidden else (),
            level=fell.level, own=fell.own, task=fell.task, title=title,
        )  # fmt: skip
    else:
        ended(at, fell)


def land(
    at: Here,
    fell: Attempt,
    spent: int,
    title: str,
    shown: Iterable[Side],
    cites: Sequence[str],
    says: Iterable[Line] = (),
    rival: Thing | None = None,
) -> None:
    """Show a roll with its points, account for karma, and describe the dice.

    The dice of closed objects are not described. objects.3-points-sum, objects.3.k-spent,
    objects.3.k-earn, objects.3.k-gm-objects.
    """
    me, before, audience, result = at.me, at.me.karma, at.me.number_audience, RESULTS[fell.grade]
    if fell.points is not None:
        at.say(f"{fell.own_points} + {fell.task_points} = {fell.points} points.", audience)
    at.lines += says
    if fell.critical or (fell.grade != "undecided" and not me.is_closed):
        at.say(reading(fell))
    after = before - abs(spent)
    if spent:
        at.say(f"{me.name} spends {plural(abs(spent), 'point')} of karma.", audience)
    if fell.critical and me.has_karma:
        at.say(f"{me.name} gains a point of karma.", audience)
        after = max(after, capped(at.options, after + 1))
    me.karma = after
    at.sides += shown
    at.tell(
        title, result["says"], fell.grade, result["tone"],
        (cites[0], *result["rules"], *cites[1:]), of=(me, rival) if rival else (me,), name=me.name,
    )  # fmt: skip


def ended(at: Here, fell: Attempt) -> None:
    """Note a finished roll in its situation, and ask for the story of a critical.

    For a hidden object, only the GM gets the story (objects.3-crit-radical).
    """
    me = at.me
    note_roll(at, fell.grade)
    if fell.critical:
        at.ask(
            critical, GM if me.hidden else (GM, "players"), of=me,
            grade=fell.grade, name=me.name, about=at.number,
        )  # fmt: skip


# ---------------------------------------------------------------- Self thrown again


def fact() -> Input[int]:
    """A number stored with the card; Unknown to seats that it is hidden from."""
    return Input(read=number("").read)


class AgainForm(Form):
    level = fact()
    own = fact()
    task = fact()
    title = given("")
    karma = karma_on(
        "Karma on the re-roll",
        "Here plus is better; the result stays between 0 and 6.",
        "objects.3.k-reroll",
    )

    def problems(self) -> Problems:
        return no_karma(self.at)


@objects.move("again", rolls=True)
def again(at: At[AgainForm]) -> None:
    form, me, spent = at.form, at.me, at.form.karma
    first = Attempt("undecided", form.level, form.own, form.task)
    fell = at.roll(SETTLE(first, spent), thrown_by(me))
    rules = ["objects.3-self-equal", *["objects.3.k-reroll"] * bool(spent)]
    shown = again_sides(me, fell, spent)
    land(at, fell, spent, f"{form.title}, thrown again", shown, rules)
    ended(at, fell)


# ---------------------------------------------------------------- the story of a critical


class CriticalForm(Form):
    grade = given("")
    name = given("")
    about = given(0)
    text = story()


@objects.answer("critical")
def critical(at: At[CriticalForm]) -> None:
    form, ask = at.form, at.answered
    title, said = f"{form.name}: {form.grade}", form.text
    if suggested(at, title, said):
        return
    at.tell(
        title, said, form.grade, "splendid", ("objects.3-crit-radical",),
        audience=GM if ask.to == (GM,) else EVERYONE, about=form.about,
    )  # fmt: skip
