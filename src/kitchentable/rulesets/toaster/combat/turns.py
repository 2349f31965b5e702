"""Turns in a fight: permission to act, the cost of moves, waiting, aiming, long actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, Part, Problem, listed, plural, total
from kitchentable.rules.kit import (
    Form,
    Problems,
    Unknown,
    fighting,
    given,
    number,
    pick,
    pick_many,
    roll_of,
    text,
)
from kitchentable.rules.kit.forms import put_words
from kitchentable.rules.kit.turns import in_turn
from kitchentable.rulesets.toaster.book import FORM_WORDS, ROLL_WORDS, Parts, Row
from kitchentable.rulesets.toaster.combat.arms import ARMS
from kitchentable.rulesets.toaster.mechanics.initiative import coordination
from kitchentable.rulesets.toaster.mechanics.to_hit import ATTACK, DEFENSE
from kitchentable.rulesets.toaster.people import (
    ALL_OUT,
    ALL_OUT_ACTIONS,
    SHOWN,
    At,
    Here,
    Person,
    able,
    attack_waits,
    person,
    toaster,
)

COORDINATION = roll_of(
    coordination,
    ROLL_WORDS["coordination"],
    lambda fell: "first" if fell[0] > fell[1] else "second",
)


#: The costs of a move in a fight.
COUNTS, ACTION, FREE, MOVES = "counts", "action", "free", "moves"


def may_act(at: Here) -> str | None:
    """Guard for an action; the GM can allow another one.

    A granted last act needs no turn. toaster.4.actions-two, toaster.4.long-actions,
    toaster.4.mortal-last-act.
    """
    me, mine, fight = at.me, at.me.fighter, at.fight
    if waits := attack_waits(at, me.id):
        return waits
    if me.unable is not None or fight is None or not me.is_awake:
        return me.unable
    if not mine:
        return f"{me.name} is not in this fight; the GM can let them join."
    if mine["long"]:
        return (
            f"{me.name} is busy: {mine['long']['what']}. Nothing else goes before that is done or "
            f"broken off."
        )
    if fight.may_take(me):
        return None
    if not mine["left"]:
        return f"{me.name} has used up the actions of this round."
    return f"It is not {me.name}'s turn."


def spend_action(at: Here) -> None:
    """Use an action: aim is lost, a stance gets shorter, the turn passes on."""
    lose_aim(at.me)
    count_action(at, at.me)


def lose_aim(one: Person) -> None:
    """End an aim and a granted last act, as any action does."""
    if one.aim:
        one.aim = 0
    one.acted()


def count_action(at: Here, one: Person) -> None:
    """Count an action in the current fight; outside a fight it only shortens a stance."""
    if one.fighter:
        at.fight.spend(one)
    else:
        one.tire()


# ---------------------------------------------------------------- an action without dice


def _may_go_on(at: Here) -> bool:
    """Whether a movement now would leave an action to combine it with.

    toaster.4.actions-movement, toaster.4.crit-b.
    """
    ahead = at.me.fighter.get("left", 0) >= 2 and at.fight.is_acting(at.me)
    return ahead and not at.me.is_prone


def _ways(at: Here, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """The costs to choose from; `more` come before a movement."""
    moves = [(MOVES, "as a movement, with another action to come")] * _may_go_on(at)
    return [(ACTION, "as an action"), (FREE, "as a trifle: nothing"), *more, *moves]


_SLOWER = ("slower", "as something quick before acting: slower")


class ActForm(Form):
    what = text()
    counts = pick(choices=lambda at: _ways(at, _SLOWER))
    cost = number(when=counts.equals("slower"))


@toaster.move("act", when=(fighting, may_act))
def act(at: At[ActForm]) -> None:
    counts, me, then = at.form.counts, at.me, f"later by {at.form.cost}"
    if counts == ACTION:
        spend_action(at)
    elif counts == MOVES:
        _move(at)
    elif counts == "slower":
        at.fight.slow_down(me, at.form.cost)
        if me.number_audience != GM:
            then = f"at {me.fighter['number']} from now on"
    at.tell_as(f"act-{counts}", what=at.form.what, then=then)


def _move(at: Here) -> None:
    """Move now; the action combined with the movement comes after all first actions."""
    lose_aim(at.me)
    at.fight.move_and_act(at.me)


# ---------------------------------------------------------------- waiting, and cutting in


class WaitForm(Form):
    what = text()


@toaster.move("wait", when=(fighting, in_turn))
def wait(at: At[WaitForm]) -> None:
    at.fight.hold(at.me)
    at.tell_as("wait", what=at.form.what or "Waits, and may act later.")


def _may_cut_in(at: Here) -> str | None:
    mine = at.me.fighter
    if not mine or at.fight.phase != "turns":
        return "There is no turn to cut in on."
    if at.fight.is_acting(at.me):
        return "It is their turn already."
    if not mine["held"] or mine["left"] <= 0:
        return "Only a fighter who waited can cut in."
    return may_act(at)


class CutInForm(Form):
    ruling = pick()


def _quickness(one: Person) -> Parts:
    one.check_known()
    own = Part("Coordination", one.attribute("coordination"))
    return (own, *one.modifiers("attribute"))


@toaster.move("cut_in", when=_may_cut_in, rolls=True)
def cut_in(at: At[CutInForm]) -> None:
    """Cut in: the quicker of the two acts first, and ties roll again."""
    if at.fight is None:
        raise Unknown("There is no fight to cut in on.")
    me, other = at.me, person(at, at.fight.turn)
    first, both = True, (me, other)
    if at.form.ruling == "roll":
        parts = [_quickness(one) for one in both]
        mine, theirs = (total(each) for each in parts)
        nines = at.options.extended().nines
        throw = COORDINATION(mine, theirs, nines, me.id, other.id)
        totals = at.roll(throw, {one.id: one for one in both})
        first = totals[0] > totals[1]
        for one, each, fell in zip(both, parts, totals, strict=True):
            at.show(one, one.id, fell, *each)
    if first:
        at.fight.cut_in(me)
    at.tell_as("cut-in-first" if first else "cut-in-late", of=both, other=other.name)


# ---------------------------------------------------------------- aiming, and giving it all


@toaster.move("aim", when=may_act)
def aim(at: At[Form]) -> None:
    """Aim for a round, which uses up its remaining actions (toaster.4.range-reduction)."""
    me, fight = at.me, at.fight
    words = "Goes on aiming." if me.aim else "Takes aim."
    me.aim += 1
    if fight is None:
        me.tire(at.options.actions_per_round)
    else:
        if fight.turn == me.id:
            fight.use(me.id, max(0, fight.left(me) - 1))
        fight.spend(me)
    at.tell_as("aim", words=words)


class StanceForm(Form):
    kind = pick(
        choices=[
            (DEFENSE, "defense, and no attacks"),
            (ATTACK, "attack, and no defenses"),
        ]
    )


@toaster.move(
    "all_out",
    when=lambda at: f"{at.me.name} already has an all-out stance." if at.me.all_out else None,
)
def all_out(at: At[StanceForm]) -> None:
    kind, actions = at.form.kind, ALL_OUT_ACTIONS
    at.me.stance = {"kind": kind, "left": actions}
    other = "attacking" if kind == DEFENSE else "defending"
    at.tell_as("all-out", kind=SHOWN[kind], other=other, actions=actions, bonus=ALL_OUT)


# ---------------------------------------------------------------- long actions


def _kept(at: Here) -> Row:
    """An interrupted work that is not lost: its rounds, and those already done."""
    return at.me.fighter.get("kept") or {"what": None, "rounds": 3, "done": 0}


class LongForm(Form):
    what = text(default=lambda at: _kept(at)["what"])
    rounds = number(default=lambda at: max(1, _kept(at)["rounds"] - _kept(at)["done"]))


@toaster.move("long_action", when=(fighting, may_act))
def long_action(at: At[LongForm]) -> None:
    what, rounds = at.form.what, at.form.rounds
    lose_aim(at.me)
    at.fight.work_long(at.me, {"what": what, "rounds": rounds, "done": 0})
    at.tell_as("long", what=what, rounds=plural(rounds, "round"))


def _busy(at: Here) -> str | None:
    works = at.me.fighter.get("long")
    return None if works else "No long action is in progress."


@toaster.move("break_off", when=_busy)
def break_off(at: At[Form]) -> None:
    fight, me, mine = at.fight, at.me, at.me.fighter
    was, mine["long"] = mine["long"], None
    if mine["left"] and fight.phase in {"turns", "end"} and not fight.is_acting(me):
        mine["held"] = [fight.lap]
    done = f"{was['done']} of {was['rounds']} rounds"
    at.ask(long_kept, of=me, was=was)
    at.tell_as("break-off", done=done, what=was["what"])


class KeptForm(Form):
    was: Any = given({})
    answer = pick()


@toaster.answer("long_kept")
def long_kept(at: At[KeptForm]) -> None:
    kept = at.form.answer == "kept" and bool(at.me.fighter)
    if kept:
        at.me.fighter["kept"] = dict(at.form.was)
    at.tell_as("long-kept" if kept else "long-lost", what=at.form.was["what"])


# ---------------------------------------------------------------- what a roll counts as
#
# Both actions of a round may need a roll (toaster.4.actions-two), so a task or a contest is an
# action unless the GM makes it free (toaster.4.actions-count). The other side of a contest uses
# no action.


def _fights(at: Here) -> bool:
    return at.fight is not None and bool(at.fight.is_in(at.me))


def _usual(at: Here) -> str:
    """The default cost: an action, or none for a GM's roll out of turn."""
    return FREE if at.is_gm and may_act(at) is not None else ACTION


class Counted(Form):
    """A form that also asks for the move's cost in a fight."""

    counts = pick(
        choices=_ways,
        when=_fights,
        default=_usual,
    )

    @property
    def is_action(self) -> bool:
        """Whether the move uses an action of a fight."""
        return _fights(self.at) and self.counts != FREE

    def problems(self) -> Problems:
        why_not = may_act(self.at) if self.is_action else None
        if why_not is not None:
            mend = "The GM can choose that it costs nothing, or allow another action."
            yield Problem(COUNTS, "toaster.4.actions-two", f"{why_not} {mend}")


put_words(Counted, FORM_WORDS["Counted"]["ask"])


def count(at: Here) -> None:
    """Use an action for the move: the turn passes on, aim is lost, a stance gets shorter.

    A movement with dice, such as a swing on a rope, leaves its action for later
    (toaster.4.actions-movement).
    """
    form, card, rule = at.form, at.card, "toaster.4.actions-count"
    if not form.is_action or card is None:
        return
    if form.counts == MOVES:
        _move(at)
        rule = "toaster.4.actions-movement"
        at.say("It counts as a movement; the action that goes with it comes after all first ones.")
    else:
        spend_action(at)
        left = at.fight.left(at.me)
        more = f"{plural(left, 'action')} left" if left else "none left"
        at.say(f"It counts as an action in the fight; {more} this round.")
    at.card = replace(card, rules=(*card.rules, rule))


# ---------------------------------------------------------------- what is in the hand


class ReadyForm(Counted):
    """The drawn weapons; all others are only carried."""

    drawn = pick_many(
        choices=lambda at: [(one.id, one.name) for one in at.me.carried],
        default=lambda at: at.me.drawn,
    )
    sword_arm = pick(
        choices=[(one, one.replace("-", " ")) for one in ARMS],
        when=lambda at: at.options.hit_location,
        default=lambda at: at.me.sword_arm,
    )


@toaster.move(
    "ready", when=(able, lambda at: None if at.me.carried else f"{at.me.name} carries no weapon.")
)
def ready(at: At[ReadyForm]) -> None:
    me, form = at.me, at.form
    me.put(drawn=list(form.drawn))
    if form.sword_arm != me.sword_arm:
        me.put(sword_arm=form.sword_arm)
    names = [one.name for one in at.me.carried if one.id in form.drawn]
    at.tell_as("ready", weapons=listed(names) or "nothing")
    count(at)
