"""A fight in rounds: who fights, in which order, and the moves every such fight has.

The facts are plain data, as they have always been stored: "round", "phase" ("initiative", "ties",
"turns", "end"), "fighters" by entity ("side", "number", "word", "status", "moved", "actions",
"extra"), "order", "turn", "breaks" (settled ties by number) and "notes" by round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from kitchentable.rules.kit.beings import Being
from kitchentable.rules.kit.forms import Form, tick
from kitchentable.rules.moves import Side
from kitchentable.rules.people import listed
from kitchentable.rules.rounds import ask_for_order, ask_who_fights_on, put_before_gm
from kitchentable.rules.table import Ask

B = TypeVar("B", bound=Being)
GONE = {"out", "left"}


def fighter(side: str, status: str = "to roll") -> dict[str, Any]:
    """Somebody's place in a fight."""
    return {"side": side, "number": None, "word": "", "status": status,
            "moved": False, "actions": 0, "extra": 0}  # fmt: skip


class Rounds(Generic[B]):
    """A running fight as one may work on it. A ruleset says what is thrown and what it means."""

    #: Ids of the rulebook: roll, order, tie, action, move, again, end, join, idle.
    RULES: ClassVar[Mapping[str, str]] = {}
    EVERYBODY = "Everybody has had a turn."
    EQUALS = "have the same number. Another roll among them, or an order by hand?"

    def __init__(self, at: Any, facts: dict[str, Any]) -> None:
        self.at, self.facts = at, facts

    # ------------------------------------------------------------ for the ruleset to say

    @property
    def actions(self) -> int:
        """Actions in a turn."""
        return 1

    @property
    def anew(self) -> bool:
        """Whether every round has a new order."""
        return True

    def numbers(self, one: B) -> tuple[str, int, bool]:
        """What somebody throws with: whom the die is for, what is added, whether a perk helps."""
        raise NotImplementedError

    def fell(self, one: B, thrown: Any) -> Side:
        """Somebody's die has fallen: calls `rolled`, and gives the side for the card."""
        raise NotImplementedError

    def able(self) -> Iterable[B]:
        """Those who can fight."""
        return list(self.at.here())

    # ------------------------------------------------------------ where things stand

    def place(self, one: Being) -> dict[str, Any] | None:
        """Somebody's place in the fight."""
        found: dict[str, Any] | None = self.facts["fighters"].get(one.id)
        return found

    def is_in(self, one: Being) -> bool:
        """Whether somebody is in the fight and has not left it."""
        mine = self.place(one)
        return mine is not None and mine["status"] not in GONE

    def is_acting(self, one: Being) -> bool:
        """Whether the turn is theirs."""
        return bool(self.facts["phase"] == "turns" and self.facts["turn"] == one.id)

    def left(self, one: Being) -> int:
        """Actions still to be taken: of this turn, and what the GM allowed besides."""
        mine = self.place(one)
        if mine is None:
            return 0
        most = self.actions if self.is_acting(one) else 0
        return int(max(0, most - mine["actions"]) + mine["extra"])

    def to_roll(self) -> list[str]:
        """Those whose dice have not fallen yet."""
        return [w for w, one in self.facts["fighters"].items() if one["status"] == "to roll"]

    def words(self) -> str:
        """Where the round stands."""
        if self.facts["phase"] == "initiative":
            return f"{len(self.to_roll())} still to roll."
        if self.facts["phase"] == "ties":
            return "Equal numbers: the GM settles the order."
        people = (self.at.table.entities.get(who) for who in self.facts["order"])
        names = [one.name for one in people if one is not None and not one.hidden]
        return f"In this order: {listed(names)}." if names else "Nobody can act this round."

    # ------------------------------------------------------------ what happens

    def spend(self, one: Being, *, ends: bool = False) -> None:
        """One action fewer: of the turn first, then of what was allowed besides."""
        if self.left(one) <= 0:
            return
        mine = self.facts["fighters"][one.id]
        if mine["actions"] < (self.actions if self.facts["turn"] == one.id else 0):
            mine["actions"] += 1
        else:
            mine["extra"] -= 1
        if ends and self.facts["turn"] == one.id:
            self.next_turn()

    def rolled(self, one: Being, number: int | None, word: str = "", *, idle: str = "idle") -> None:
        """A number has fallen, or none; after the last the order stands, or ties wait."""
        mine = self.facts["fighters"][one.id]
        mine.update(number=number, word=word, status="waiting" if number is not None else idle)
        if number is None:
            mine["actions"] = self.actions
        self.settle()

    def settle(self) -> None:
        """Once all dice have fallen: the highest first, equals as settled, no number last."""
        if self.to_roll() or self.facts["phase"] not in {"initiative", "ties"}:
            return
        if self.tied(self.facts):
            self.facts["phase"] = "ties"
            return
        fighters = self.facts["fighters"]

        def rank(who: str) -> tuple[int, int]:
            number = fighters[who]["number"]
            equals = self.facts["breaks"].get(str(number), [])
            if number is None:
                return (1, 0)
            return (-number, equals.index(who) if who in equals else 0)

        waiting = [who for who, one in fighters.items() if one["status"] == "waiting"]
        self.facts.update(order=sorted(waiting, key=rank), phase="turns", turn="")
        self.next_turn()

    @staticmethod
    def tied(facts: Mapping[str, Any]) -> tuple[str, ...]:
        """The highest group of equals whose order nobody has settled yet."""
        numbers: dict[int, list[str]] = {}
        for who, one in facts["fighters"].items():
            if one["status"] == "waiting" and one["number"] is not None:
                numbers.setdefault(one["number"], []).append(who)
        for number, group in sorted(numbers.items(), reverse=True):
            if len(group) > 1 and not set(group) <= set(facts["breaks"].get(str(number), ())):
                return tuple(group)
        return ()

    def next_turn(self) -> None:
        """The turn goes to the next who can act; after the last the round is over."""
        fighters, now = self.facts["fighters"], self.facts["turn"]
        if now and fighters[now]["status"] == "waiting":
            fighters[now]["status"] = "done"
        for who in self.facts["order"]:
            if fighters[who]["status"] == "waiting":
                self.facts["turn"] = who
                return
        self.facts.update(turn="", phase="end")

    def fall(self, one: Being, status: str = "out") -> None:
        """Somebody is down, or leaves: no more turns, the others' order as it was."""
        if not self.is_in(one):
            return
        self.facts["fighters"][one.id]["status"] = status
        if self.facts["turn"] == one.id:
            self.next_turn()
        self.settle()

    def next_round(self) -> None:
        """Everybody again: new dice, or the old order with those without a number at its end."""
        self.facts["round"] += 1
        for one in self.facts["fighters"].values():
            if one["status"] in GONE:
                continue
            fresh = self.anew or one["status"] == "joins"
            one.update(moved=False, actions=0, extra=0, status="to roll" if fresh else "waiting")
            if fresh:
                one.update(number=None, word="")
        if self.anew:
            self.facts["breaks"] = {}
        self.facts.update(phase="initiative", turn="")
        self.settle()

    def asks(self) -> tuple[Ask, ...]:
        """The cards that the new state puts before the GM."""
        rules = self.RULES
        equals = ask_for_order("Equal Initiative", self.EQUALS, rules["tie"])
        still = ask_who_fights_on(self.EVERYBODY, rules["end"], rules["again"])
        return put_before_gm(self.at.table, self.facts, self.tied, equals, still)[1]


# ---------------------------------------------------------------- what an action asks besides


def _acts(at: Any) -> bool:
    return at.fight is not None and at.fight.left(at.me) > 0


class Action(Form):
    """Whether the turn ends with this action."""

    ends_turn = tick(
        "And end the turn",
        when=_acts,
        default=lambda at: (
            at.fight is not None and at.fight.left(at.me) == 1 and at.fight.is_acting(at.me)
        ),
        rule=lambda at: at.fight.RULES["action"],
    )


class MaybeAction(Action):
    """Whether this is the action of a turn at all."""

    uses_action = tick(
        "It is my action", when=_acts, default=True, rule=Action.ends_turn.parts["rule"]
    )
    ends_turn = Action.ends_turn


def spend(at: Any) -> None:
    """The action of the form, where a fight is on."""
    if at.fight is not None and getattr(at.form, "uses_action", True):
        at.fight.spend(at.me, ends=at.form.ends_turn)


def may_act(at: Any) -> str | None:
    """Why somebody cannot take an action now; the GM can allow one more."""
    if at.fight is None or at.fight.left(at.me) > 0:
        return None
    if at.fight.place(at.me) is None:
        return f"{at.me.name} is not in this fight; the GM can let them join."
    if not at.fight.is_acting(at.me):
        return f"It is not {at.me.name}'s turn."
    return f"{at.me.name} has taken the action of this turn."


def fighting(at: Any) -> str | None:
    """A fight is on."""
    return None if at.fight is not None else "No fight is on."


def peace(at: Any) -> str | None:
    """No fight is on."""
    return None if at.fight is None else "A fight is on already."


def in_turn(at: Any) -> str | None:
    """The turn is theirs."""
    return None if at.fight.is_acting(at.me) else "It is not their turn."


def in_fight(at: Any) -> str | None:
    """They are in the fight."""
    return None if at.fight is not None and at.fight.is_in(at.me) else "They are not in a fight."
