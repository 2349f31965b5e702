"""A fight in rounds, stored as plain facts, and a class for rulesets to extend.

The facts: "round", "phase" ("initiative", "ties", "turns", "end"), "fighters" by entity ("side",
"number", "word", "status", "moved", "actions", "extra"), "order", "turn", "breaks" (the order of
equals by their number) and "notes" by round. A fighter's status: "to roll", "waiting", "done",
"idle" (no turn this round), "joins" (from the next round on), "out" (down), "left".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from kitchentable.rules.facts import beaten
from kitchentable.rules.kit.beings import B, Being
from kitchentable.rules.kit.forms import Form
from kitchentable.rules.kit.rolls import Throw
from kitchentable.rules.moves import Side
from kitchentable.rules.people import listed
from kitchentable.rules.sheets import Track
from kitchentable.rules.table import Ask
from kitchentable.rules.values import GM, Row

T = TypeVar("T")
GONE = frozenset({"out", "left"})
#: The ids of the two cards of a fight for the GM; there is at most one of each.
TIE_ASK = "initiative-tie"
END_ASK = "still-fighting"


class FightFact(Generic[T]):
    """A stored fact of a fight, read and changed as an attribute of its `Rounds`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, fight: Rounds[Any], owner: type) -> T:
        value: T = fight.facts[self.name]
        return value

    def __set__(self, fight: Rounds[Any], value: T) -> None:
        fight.facts[self.name] = value


class Rounds(Generic[B]):
    """The current fight; a ruleset's subclass declares its roll for the turn order.

    `at` is the moment. `facts` are the stored facts; while a move is made, a copy to change.
    """

    #: Rule ids by topic: begin, roll, numbers, order, no_perk, tie, action, move, again, end, join,
    #: and the word of a card's side ("kick"). A topic without an id is not cited.
    RULES: ClassVar[Mapping[str, str]] = {}
    #: The name of the roll for the turn order, in a sentence.
    ORDER: ClassVar[str] = "initiative"
    #: The sentence for the end of a round.
    ALL_DONE: ClassVar[str] = "Everybody has had a turn."
    #: The status of a fighter with a turn in this round.
    READY: ClassVar[str] = "waiting"
    #: The words for equal places, and the roll that settles them: the answer's value and the roll's
    #: name.
    EQUAL: ClassVar[str] = "the same number"
    AGAIN: ClassVar[tuple[str, str]] = ("reroll", "roll")
    #: Further questions for the start of a fight, for one roll, and for all rolls together.
    BEGIN_FORM: ClassVar[type[Form]] = Form
    ROLL_FORM: ClassVar[type[Form]] = Form
    ROLL_ALL_FORM: ClassVar[type[Form]] = Form

    round = FightFact[int]()
    phase = FightFact[str]()
    fighters = FightFact[dict[str, Row]]()
    order = FightFact[list[str]]()
    turn = FightFact[str]()

    def __init__(self, at: Any, facts: Any) -> None:
        self.at, self.facts = at, facts

    # ------------------------------------------------------------ for a ruleset to override

    @property
    def actions(self) -> int:
        """The number of actions in a turn."""
        return 1

    @property
    def anew(self) -> bool:
        """Whether every round has a new turn order."""
        return True

    @property
    def hint(self) -> str:
        """The distance of a movement, in words."""
        return ""

    @classmethod
    def able(cls, at: Any) -> list[B]:
        """The entities that can fight."""
        return list(at.here())

    def throw(self, one: B) -> Throw[Any]:
        """One entity's roll for the turn order."""
        raise NotImplementedError

    def throw_all(self, people: Sequence[B]) -> Throw[Any]:
        """The rolls of several entities together; the outcome has one for each, in this order."""
        raise NotImplementedError

    def throw_tie(self, people: Sequence[B]) -> Throw[Any]:
        """Another roll among equals; the outcome is their ids in turn order."""
        raise NotImplementedError

    def fell(self, one: B, outcome: Any) -> Side:
        """Record a roll for the turn order by calling `rolled`, and return the card's side."""
        raise NotImplementedError

    def untied(self, people: Sequence[B], outcome: Any) -> tuple[list[str], list[Side]]:
        """The order after another roll among equals, and the sides of its card."""
        return list(outcome), [one.side(one.id) for one in self.at.people(outcome)]

    def begins(self, names: Sequence[str]) -> str:
        """The sentence for the beginning of a fight between entities with these names."""
        return f"Roll {self.ORDER}{': ' + listed(names) if names else ''}."

    def tone(self, words: set[str]) -> str:
        """The tone of a card of rolls for the turn order, by the words on its sides."""
        return "plain"

    def begun(self) -> None:
        """Called when a fight begins, with the answers to `BEGIN_FORM`."""

    def passed(self) -> None:
        """Called at the end of a round, before the next one begins."""

    def over(self) -> None:
        """Called when the fight ends."""

    def status(self, one: B) -> tuple[str, str]:
        """The condition of a fighter, in words and a tone; ("", "plain") for none."""
        return "", "plain"

    def track(self, one: B) -> Track | None:
        """The track shown next to a fighter in the turn order."""
        return None

    def note(self, one: B) -> str:
        """A further note next to a fighter in the turn order."""
        return ""

    def notes(self) -> Iterable[str]:
        """Sentences below the turn order."""
        return ()

    def is_done(self, one: B) -> bool:
        """Whether a fighter has no action left in this round."""
        return self.fighters[one.id]["status"] in {"done", "idle"}

    @property
    def waits(self) -> str:
        """The sentence shown until the turn order is settled, then ""."""
        if self.phase == "initiative":
            return f"Roll {self.ORDER}."
        tied = "Equal numbers: the GM settles the order."
        return tied if self.phase == "ties" else ""

    def shown(self, one: B) -> str:
        """The number or word next to a fighter in the turn order."""
        mine = self.fighters[one.id]
        if mine["status"] in {"to roll", "joins"}:
            return "not yet"
        dash = "\N{EN DASH}"
        return mine.get("word") or dash if mine["number"] is None else str(mine["number"])

    @property
    def ended(self) -> str:
        """The sentence shown at the end of a round."""
        return self.ALL_DONE

    # ------------------------------------------------------------ fighters

    @classmethod
    def new(cls, at: Any, sides: Mapping[str, str]) -> Self:
        """A new fight between these entities, by id and side; all still have to roll."""
        fight = cls(at, cls.blank())
        fight.fighters = {who: fight.fighter(side) for who, side in sides.items()}
        return fight

    @classmethod
    def blank(cls) -> Row:
        """The facts of a fight without fighters."""
        return {
            "round": 1, "phase": "initiative", "fighters": {}, "order": [], "turn": "",
            "breaks": {}, "notes": {},
        }  # fmt: skip

    def fighter(self, side: str, status: str = "to roll") -> Row:
        """The facts of a new fighter."""
        return {"side": side, "number": None, "word": "", "status": status,
                "moved": False, "actions": 0, "extra": 0}  # fmt: skip

    def place(self, one: Being) -> Row | None:
        """The facts of a fighter; None for an entity outside the fight."""
        return self.fighters.get(one.id)

    def is_in(self, one: Being) -> bool:
        """Whether an entity is in the fight and still fighting."""
        mine = self.place(one)
        return mine is not None and mine["status"] not in GONE

    def fall(self, one: Being, status: str = "out") -> None:
        """Take a fighter out of the turns; the others keep their order."""
        if self.place(one) is not None:
            self.remove(one.id, status)

    def remove(self, who: str, status: str) -> None:
        """Take the fighter with this id, which may have no entity any more, out of the turns."""
        mine = self.fighters[who]
        if mine["status"] in GONE:
            return
        mine["status"] = status
        if self.turn == who:
            self.next_turn()
        self.settle()

    # ------------------------------------------------------------ turn order

    def to_roll(self) -> list[str]:
        """The ids of the fighters who still have to roll."""
        return [who for who, one in self.fighters.items() if one["status"] == "to roll"]

    def rolled(self, one: Being, number: int | None, word: str = "", *, idle: str = "idle") -> None:
        """Record a fighter's number for the turn order; after the last one, settle the order.

        A fighter without a number (None) gets the status `idle` and no action.
        """
        mine = self.fighters[one.id]
        mine.update(number=number, word=word, status="waiting" if number is not None else idle)
        if number is None:
            mine["actions"] = self.actions
        self.settle()

    def rank(self, who: str) -> tuple[int, ...]:
        """The sort key of a fighter: the highest number first, no number last."""
        number = self.fighters[who]["number"]
        return (1, 0) if number is None else (0, -number)

    def tied(self) -> tuple[str, ...]:
        """The highest group of equals without a settled order, or ()."""
        groups: dict[tuple[int, ...], list[str]] = {}
        for who, one in self.fighters.items():
            if one["status"] == self.READY and one["number"] is not None:
                groups.setdefault(self.rank(who), []).append(who)
        for _, group in sorted(groups.items()):
            if len(group) > 1 and not set(group) <= set(self._known_order(group[0])):
                return tuple(group)
        return ()

    def untie(self, order: Sequence[str]) -> None:
        """Record the order of equals, the first to act first."""
        self.facts["breaks"][str(self.fighters[order[0]]["number"])] = list(order)
        self.settle()

    def settle(self) -> None:
        """Start the turns once everybody has rolled, or wait for the order of equals."""
        if self.to_roll() or self.phase not in {"initiative", "ties"}:
            return
        if self.tied():
            self.phase = "ties"
            return

        def place(who: str) -> tuple[tuple[int, ...], int]:
            equals = self._known_order(who)
            return self.rank(who), equals.index(who) if who in equals else 0

        waiting = [who for who, one in self.fighters.items() if one["status"] == self.READY]
        self.facts.update(order=sorted(waiting, key=place), phase="turns", turn="")
        self.next_turn()

    def _known_order(self, who: str) -> list[str]:
        number = self.fighters[who]["number"]
        found: list[str] = self.facts.get("breaks", {}).get(str(number), [])
        return found

    # ------------------------------------------------------------ turns

    def is_acting(self, one: Being) -> bool:
        """Whether it is the entity's turn."""
        return self.phase == "turns" and self.turn == one.id

    def has_just_acted(self, one: Being) -> bool:
        """Whether the entity had the latest turn and nobody has acted since then."""
        now, fighters = self.turn, self.fighters
        if self.phase not in {"turns", "end"} or (
            now and (fighters[now]["moved"] or fighters[now]["actions"])
        ):
            return False
        order = self.order
        before = order[: order.index(now)] if now else order
        done = [who for who in before if fighters[who]["status"] == "done"]
        return done[-1:] == [one.id]

    def left(self, one: Being) -> int:
        """The actions left to an entity: of its turn, and further ones allowed by the GM."""
        mine = self.place(one)
        if mine is None:
            return 0
        most = self.actions if self.is_acting(one) else 0
        return int(max(0, most - mine["actions"]) + mine["extra"])

    def spend(self, one: Being, *, ends: bool = False) -> None:
        """Use up one action: first of the turn, then of those allowed by the GM."""
        if self.left(one) <= 0:
            return
        mine = self.fighters[one.id]
        if self.is_acting(one) and mine["actions"] < self.actions:
            mine["actions"] += 1
        else:
            mine["extra"] -= 1
        if ends and self.turn == one.id:
            self.next_turn()

    def next_turn(self) -> None:
        """Pass the turn to the next fighter, or end the round after the last one."""
        fighters, now = self.fighters, self.turn
        if now and fighters[now]["status"] == "waiting":
            fighters[now]["status"] = "done"
        self.go_on()

    def go_on(self) -> None:
        """Give the turn to the first waiting fighter, or end the round if there is none."""
        waiting = {who for who, one in self.fighters.items() if one["status"] == "waiting"}
        self.turn = next((who for who in self.order if who in waiting), "")
        if not self.turn:
            self.phase = "end"

    def next_round(self) -> None:
        """Begin the next round: everybody rolls, or only newcomers if the order is kept."""
        self.round += 1
        for one in self.fighters.values():
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

    # ------------------------------------------------------------ in words

    @classmethod
    def cite(cls, *about: str) -> tuple[str, ...]:
        """The rule ids for these topics, without repetition."""
        return tuple(dict.fromkeys(cls.RULES[one] for one in about if one in cls.RULES))

    def words(self) -> str:
        """The state of the round, in a sentence."""
        if self.phase == "initiative":
            return f"{len(self.to_roll())} still to roll."
        if self.phase == "ties":
            return "Equal numbers: the GM settles the order."
        names = [one.name for one in self.at.people(self.order) if not one.hidden]
        return f"In this order: {listed(names)}." if names else "Nobody can act this round."

    def asks(self) -> tuple[Ask, ...]:
        """The GM's cards for the new state: the order of equals, and whether the fight goes on."""
        before = self.at.table.fight
        asks: list[Ask] = []
        earlier = type(self)(self.at, before)
        group = self.tied() if self.phase == "ties" else ()
        if group and (before["phase"] != "ties" or group != earlier.tied()):
            names = listed(one.name for one in self.at.people(group))
            asks.append(self._ask_for_order(f"{names} have {self.EQUAL}.", group))
        over = self.phase == "end" and before["phase"] != "end"
        if over or beaten(self.facts) != beaten(before):
            words = [f"Nobody of the {side} is left standing." for side in beaten(self.facts)]
            words.append(self.ALL_DONE if over else "The fight could end here.")
            asks.append(self._ask_who_fights_on(" ".join(words)))
        return tuple(asks)

    def _ask_for_order(self, why: str, group: Sequence[str]) -> Ask:
        text = f"{why} Another {self.AGAIN[1]} among them, or an order by hand?"
        rules = (self.RULES.get("tie", ""),)
        title, preset = f"Equal {self.ORDER}", {"tied": list(group)}
        return Ask(TIE_ASK, (GM,), "initiative_tie", title, text, preset=preset, rules=rules)

    def _ask_who_fights_on(self, text: str) -> Ask:
        title = f"Round {self.round}: still fighting?"
        rules = self.cite("end", "again", "numbers")
        return Ask(END_ASK, (GM,), "still_fighting", title, text, rules=rules, skippable=True)
