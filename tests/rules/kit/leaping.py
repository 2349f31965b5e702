"""A small ruleset on the kit, to play the kit's tests with: leaps, luck, a vote, a duel."""

from dataclasses import dataclass, replace

from kitchentable.campaign import commands as c
from kitchentable.dice import mechanic
from kitchentable.rules import Band, Problem
from kitchentable.rules.kit import (
    At,
    Being,
    Each,
    Form,
    Roll,
    Ruleset,
    Unknown,
    decision,
    given,
    number,
    only_owner,
    pick,
    several,
    somebody,
    state,
    text,
    tick,
    voted,
    votes,
    with_pauses,
)
from tests.campaign.coin import COIN
from tests.rulesets.driver import GM, Evening, open_evening

RULE = ("coin.1-flip",)


@dataclass(frozen=True)
class Leapt:
    """Whether a leap was far enough, and the total."""

    lands: bool
    total: int


@mechanic
def leaping(dice, skill: int, far: int) -> Leapt:
    total = dice.die(6, label="roll") + skill
    return Leapt(total >= far, total)


LEAPING = Roll(
    leaping,
    (Band("lands", "lands", "good", good=True), Band("falls", "falls", "bad")),
    lambda fell: "lands" if fell.lands else "falls",
)


class Leaper(Being):
    coins = state(0)
    breath = state(3)

    @property
    def skill(self) -> int:
        if "skill" not in self.entity.sheet:
            raise Unknown("A closed sheet has no numbers.")
        return int(self.entity.sheet["skill"])


leaps: Ruleset[Leaper, dict] = Ruleset(Leaper, dict)


def breathless(at):
    return None if at.me.breath else f"{at.me.name} is out of breath."


class LeapForm(Form):
    far = number("How far?", default=5, low=1, high=12, set_by="gm", hideable=True)
    why = text("Why?", when=far.equals(12))
    winded = tick("It takes breath")


class LuckForm(Form):
    left = given(0)
    again = tick(lambda at: f"Pay a coin and leap again ({at.form.left} left)")


class GraceForm(Form):
    lands = tick("It lands all the same")


@leaps.move(
    "leap", "Leap", "Jump across.", LeapForm, rules=RULE, when=breathless, rolls=True,
    pauses=(LuckForm, GraceForm),
)  # fmt: skip
def leap(at: At) -> None:
    me, form = at.me, at.form
    if form.winded:
        me.breath -= 1
    fell = at.roll(LEAPING(me.skill, form.far), {"roll": me})
    while not fell.lands and me.coins:
        at.tell("Leap", f"{fell.total}. A coin may help.", "waits")
        luck = at.pause(LuckForm, f"owner:{me.id}", "Again?", left=me.coins)
        if not luck.again:
            break
        me.coins -= 1
        fell = at.roll(LEAPING(me.skill, form.far), {"roll": me})
    lands = fell.lands
    if fell.total == form.far - 1:
        at.tell("Leap", "By a hair.", "waits")
        lands = at.pause(GraceForm, "gm", "By a hair").lands
    at.tell("Leap", "Lands." if lands else "Falls.", "lands" if lands else "falls", rules=RULE)


class DuelForm(Form):
    other = somebody("Against whom?", lambda at: [o for o in at.here() if o != at.me], only=True)
    stake = number(other.words("Stake of {}"), default=lambda at: at.form.other.coins, set_by="gm")
    same = number("The same again", default=stake.given)
    crowd = several("Who looks on?", lambda at: at.here(), default=[], required=False)
    cheers = Each(
        lambda at: [(one.id, one) for one in at.form.crowd],
        lambda one: pick(f"{one.name} cheers", [("me", "me"), ("them", "them")], first=True),
    )

    def problems(self):
        if self.stake > 9:
            yield Problem("stake", RULE[0], "Nobody has so much.")
        if self.other.coins < self.stake:
            yield Problem("", RULE[0], f"{self.other.name} has less.")


@leaps.move("duel", "Duel", "For coins.", DuelForm, rules=RULE)
def duel(at: At) -> None:
    form = at.form
    at.me.coins += form.stake
    form.other.coins -= form.stake
    at.say(f"{form.stake + at.me.coins} in all.")
    at.tell("Duel", ", ".join(f"{who}: {cheer}" for who, cheer in form.cheers.items()))


class GiftForm(Form):
    coins = given(0)
    answer = decision(
        lambda at: "Is it given?" if at.is_gm else "Should it be given?",
        help=lambda at: f"The others: {votes(at)}." if at.is_gm else "",
    )
    word = text("A word", when=lambda at: at.is_gm, optional=True)


@leaps.move("beg", "Beg", "Ask for a coin.", rules=RULE, by=("player",))
def beg(at: At) -> None:
    others = [seat.id for seat in at.table.players() if seat.id != at.me.owner]
    at.ask(gift, (*others, GM_ROLE), f"A coin for {at.me.name}?", of=at.me, coins=1)
    at.tell("Beg")


GM_ROLE = "gm"


@leaps.answer("gift", "A gift", "The others advise, the GM decides.", GiftForm, rules=RULE)
def gift(at: At) -> None:
    form = at.form
    if voted(at, f"A coin for {at.me.name}", f"says {form.answer}.", form.answer):
        return
    at.say(f"The others: {votes(at)}.")
    if form.answer == "yes":
        at.me.coins += form.coins
    at.tell("A gift", form.word, form.answer)


class ThrowDownForm(Form):
    answer = decision("Do you give up your coins?", [("no", "No"), ("yes", "Yes")])


@leaps.move("rob", "Rob", "Ask for all coins.", rules=RULE, by=("gm",))
def rob(at: At) -> None:
    at.ask(hand_over, ("gm", f"owner:{at.me.id}"), "Your coins?", of=at.me)


@leaps.answer(
    "hand_over", "Your coins?", "It is yours to say.", ThrowDownForm, rules=RULE,
    when=only_owner("Only the player of {} can say that."),
)  # fmt: skip
def hand_over(at: At) -> None:
    if at.form.answer == "yes":
        at.me.coins = 0


LEAPS = replace(COIN, moves=with_pauses(leap, duel, beg, gift, rob, hand_over), moment=leaps.moment)


def evening(*players: str) -> Evening:
    """A table with a leaper for each player, named like the player."""
    one = open_evening(LEAPS, players or ("ana", "ben"))
    for player in players or ("ana", "ben"):
        arrive(one, "pc", player.title(), player)
    return one


def arrive(one: Evening, kind: str, name: str, owner: str = "gm") -> None:
    """Somebody with three coins comes into play."""
    sheet = {"coins": 3, "skill": 2, "story": ""}
    one.do(GM, c.MakeEntity, kind=kind, name=name, owner=owner, sheet=sheet)


def who(one: Evening, name: str) -> str:
    """The id of somebody."""
    return next(ident for ident, each in one.table.entities.items() if each.name == name)


__all__ = ["GM", "LEAPS", "arrive", "evening", "who"]
