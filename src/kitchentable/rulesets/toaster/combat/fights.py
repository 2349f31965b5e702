"""Fights in Toaster: turns, laps of actions, waiting, and views of them.

A round goes through the turn order once for each action; each time is a lap. In addition to the
kit's facts, a fight has "lap", "late" (whether actions combined with movement are due), "resume"
(the character whose turn continues after another cut in) and "distances". A fighter has "side",
"number" and "bonus" (initiative, and the Coordination in it), "breaks" (further dice for ties),
"status" ("to roll", "in", "joins", "out", "left"), "left" (actions), "held" (laps in which they
waited), "late" (has an action combined with movement, due after all first actions), "offered" (the
lap of their last turn), "extra" (actions allowed by the GM) and "long" (a long action in progress).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from kitchentable.rules import GM, Part, Seat, Side, Table, Track, is_closed, listed, plural, total
from kitchentable.rules.kit import Being, Roll, Rounds, Throw, fight_moves, fight_view, roll_of
from kitchentable.rules.kit import conceal as conceal_order
from kitchentable.rules.kit.fights import WORDS
from kitchentable.rules.kit.rounds import GONE, FightFact
from kitchentable.rulesets.toaster.book import BOOK, ROLL_WORDS, Parts, Row
from kitchentable.rulesets.toaster.combat.arms import between
from kitchentable.rulesets.toaster.harm.passing import end_effects, end_round
from kitchentable.rulesets.toaster.mechanics import initiative as mechanics
from kitchentable.rulesets.toaster.mechanics.initiative import Initiative
from kitchentable.rulesets.toaster.people import (
    Here,
    Person,
    able,
    attack_waits,
    toaster,
)
from kitchentable.rulesets.toaster.sheet import status, tags, tracks

INITIATIVE = roll_of(mechanics.initiative, ROLL_WORDS["initiative"], lambda fell: "number")
OF_ALL, TIE = Roll(mechanics.initiative_of_all), Roll(mechanics.initiative_tie)


class Fight(Rounds[Person]):
    """The rounds of a Toaster fight."""

    RULES: ClassVar[Row] = BOOK.tables["fight"]
    READY = "in"
    EQUAL, AGAIN = "the same number and the same Coordination", ("dice", "die")
    ALL_DONE = "All actions are used up."

    lap = FightFact[int]()
    late = FightFact[bool]()
    resume = FightFact[str]()
    distances = FightFact[dict[str, Row]]()

    @classmethod
    def able(cls, at: Here) -> list[Person]:
        return [one for one in at.present() if one.is_awake]

    # ------------------------------------------------------------ who is in it

    @classmethod
    def blank(cls) -> Row:
        return {"round": 1, "phase": "initiative", "lap": 1, "late": False, "fighters": {},
                "order": [], "turn": "", "resume": "", "distances": {}}  # fmt: skip

    def fighter(self, side: str, status: str = "to roll") -> Row:
        return {"side": side, "status": status, "long": None, **self._fresh()}

    def _fresh(self) -> Row:
        """A fighter's facts at the start of a round (toaster.4.actions-two)."""
        return {"number": None, "bonus": 0, "breaks": [], "left": self.actions, "held": [],
                "late": False, "offered": 0, "extra": 0}  # fmt: skip

    @property
    def actions(self) -> int:
        return int(self.at.options.actions_per_round)

    def remove(self, who: str, status: str) -> None:
        """Take a fighter out of the turns, who also loses held actions and a long action."""
        mine = self.fighters[who]
        if mine["status"] in GONE:
            return
        mine.update(status=status, held=[], late=False, long=None)
        if self.turn == who:
            self._go_on()
        self.settle()

    # ------------------------------------------------------------ the order

    def parts(self, one: Person) -> Parts:
        """The parts added to the d10: Coordination, and optionally the penalty of stun and wounds.

        toaster.4.initiative-roll, toaster.4.initiative-penalties.
        """
        one.check_known()
        own = Part("Coordination", one.initiative_bonus)
        hurt = one.penalty() if self.at.options.initiative_penalties else None
        return (own, hurt) if hurt is not None else (own,)

    def _added(self, one: Person) -> int:
        return total(self.parts(one))

    def throw(self, one: Person) -> Throw[Any]:
        return INITIATIVE(self._added(one), one.id)

    def throw_all(self, people: Sequence[Person]) -> Throw[Any]:
        return OF_ALL(tuple((one.id, self._added(one), one.initiative_bonus) for one in people))

    def throw_tie(self, people: Sequence[Person]) -> Throw[Any]:
        return TIE(tuple(one.id for one in people))

    def fell(self, one: Person, outcome: Initiative) -> Side:
        place = self.fighters[one.id]
        bonus, breaks = one.initiative_bonus, list(outcome.breaks)
        place.update(number=outcome.number, bonus=bonus, breaks=breaks, status="in")
        self.settle()
        return one.side(one.id, self.parts(one), outcome.number)

    def rank(self, who: str) -> tuple[int, ...]:
        """The sort key of a fighter: initiative, then Coordination, then tie dice.

        toaster.4.initiative-order, toaster.4.initiative-ties.
        """
        one = self.fighters[who]
        return (-(one["number"] or 0), -one["bonus"], *(-face for face in one["breaks"]))

    def untied(
        self, people: Sequence[Person], outcome: tuple[tuple[int, ...], ...]
    ) -> tuple[list[str], list[Side]]:
        for one, faces in zip(people, outcome, strict=True):
            self.fighters[one.id]["breaks"] += faces
        return super().untied(people, sorted((one.id for one in people), key=self.rank))

    def untie(self, order: Sequence[str]) -> None:
        if set(order) <= set(self.tied()):  # the GM's order; dice have already separated them
            for place, who in enumerate(order):
                self.fighters[who]["breaks"].append(len(order) - place)
        self.settle()

    # ------------------------------------------------------------ turns

    def may_take(self, one: Being) -> bool:
        """Whether a fighter has an action now: in turn, held back, or allowed by the GM.

        toaster.4.initiative-skip.
        """
        if not self.is_in(one):
            return False
        mine = self.fighters[one.id]
        held = self.phase in {"turns", "end"} and bool(mine["held"]) and mine["left"] > 0
        return self.is_acting(one) or held or bool(mine["extra"])

    def left(self, one: Being) -> int:
        mine = self.place(one)
        return mine["left"] if mine else 0

    def use(self, who: str, actions: int = 1) -> None:
        """Take actions off a fighter, used or forgone; an all-out stance gets shorter."""
        mine = self.fighters[who]
        mine["left"] = max(0, mine["left"] - actions)
        self._tire(who, actions)

    def _tire(self, who: str, actions: int) -> None:
        """Shorten an all-out stance by actions, used or forgone (toaster.4.stance-timing)."""
        for one in self.at.people([who]):
            one.tire(actions)

    def spend(self, one: Being, *, ends: bool = False) -> None:
        """Use one action; the turn then passes on, unless a held action was used and others remain.

        Starting an action of a later lap cancels the actions that others held back in earlier laps
        (toaster.4.initiative-skip-limit). A fighter in turn uses a held action first.
        """
        mine, in_turn = self.place(one), self.is_acting(one)
        if mine is None:
            return
        if not in_turn and not mine["held"]:
            mine["extra"] = max(0, mine["extra"] - 1)
            self._tire(one.id, 1)
            return
        self.use(one.id)
        if not in_turn:
            mine["held"].pop(0)
            return
        if self._take(one.id) and not self.resume and mine["left"] > 0:
            return
        self._go_on()

    def _take(self, who: str) -> bool:
        """Take an action in turn; whether it was one held back."""
        mine = self.fighters[who]
        if self.late and not self.resume:
            mine["late"] = False
        elif mine["held"]:
            mine["held"].pop(0)
            return True
        else:
            self._too_late(who)
        return False

    def _go_on(self) -> None:
        """Go to the next turn, or back to an interrupted fighter who can still act."""
        resume, self.resume = self.resume, ""
        if resume and self._could(self.fighters[resume]):
            self.turn = resume
        else:
            self.next_turn()

    def _too_late(self, who: str) -> None:
        """Cancel the actions that all others held back in earlier laps."""
        for other, one in self.fighters.items():
            kept = [lap for lap in one["held"] if lap >= self.lap]
            if other != who and len(kept) < len(one["held"]):
                self.use(other, len(one["held"]) - len(kept))
                one["held"] = kept

    def defend(self, one: Being) -> None:
        """Use one action for a defense, without a turn (toaster.4.defence-cost)."""
        mine = self.place(one)
        if mine is None:
            return
        self.use(one.id)
        mine["held"] = mine["held"][max(0, len(mine["held"]) - mine["left"]) :]
        if self.turn == one.id and not mine["left"]:
            self._go_on()

    def hold(self, one: Being) -> None:
        """Let a fighter's turn pass, to act later (toaster.4.initiative-skip)."""
        mine = self.fighters[one.id]
        if not self.resume:
            if self.late:
                mine["late"] = False
            if self.lap not in mine["held"]:
                mine["held"].append(self.lap)
        self._go_on()

    def move_and_act(self, one: Being) -> None:
        """Move now, and act after everybody's first action.

        toaster.4.actions-movement.
        """
        self.use(one.id)
        self._take(one.id)
        self.fighters[one.id]["late"] = True
        self._go_on()

    def work_long(self, one: Being, work: Row) -> None:
        """Use all remaining actions for a long action (toaster.4.long-actions)."""
        mine, in_turn = self.fighters[one.id], self.is_acting(one)
        if in_turn:
            self._take(one.id)
        self.use(one.id, mine["left"])
        mine.update(long=work, kept=None, held=[], late=False)
        if in_turn:
            self._go_on()

    def close_in(self, one: Being, other: Being, reach: int, weapon: str) -> None:
        """Set the distance of two fighters to the length of the weapon that hit."""
        pair = between(one.id, other.id)
        self.distances[pair] = {"reach": reach, "weapon": weapon}

    def cut_in(self, one: Being) -> None:
        """Let a waiting fighter act before the current turn, which continues afterwards.

        A fighter who cut in and is interrupted waits again. toaster.4.initiative-cut-in.
        """
        if self.turn != one.id:
            self.resume, self.turn = self.resume or self.turn, one.id

    def slow_down(self, one: Being, cost: int) -> None:
        """Lower a fighter's initiative for an additional action.

        toaster.4.actions-initiative-cost.
        """
        mine = self.fighters[one.id]
        mine["number"] = (mine["number"] or 0) - cost
        self.order.sort(key=self.rank)
        if self.turn == one.id and not self.late and not self.resume:
            mine["offered"] = self.lap - 1
            self.next_turn()

    def next_turn(self) -> None:
        """Go to the next fighter who can act, lap after lap, until no actions are left."""
        while True:
            who = self._late_one() if self.late else self._next_of_lap()
            if who:
                self.turn = who
                if not self.late:
                    self.fighters[who]["offered"] = self.lap
                return
            if not self.late and any(one["late"] for one in self.fighters.values()):
                self.late = True
                continue
            self.late = False
            self.lap += 1
            if not any(self._could(self.fighters[each]) for each in self.order):
                self.turn, self.phase = "", "end"
                return

    def _could(self, one: Row) -> bool:
        """Whether a fighter has an unoffered action and is free to take it."""
        return one["status"] == "in" and not one["long"] and one["left"] > len(one["held"])

    def _next_of_lap(self) -> str:
        for who in self.order:
            one = self.fighters[who]
            if not one["late"] and one["offered"] < self.lap and self._could(one):
                return who
        return ""

    def _late_one(self) -> str:
        for who in self.order:
            one = self.fighters[who]
            if one["status"] == "in" and one["late"] and one["left"] > 0:
                return who
            one["late"] = False
        return ""

    # ------------------------------------------------------------ round after round

    def passed(self) -> None:
        """Apply bleeding and countdowns, and advance long actions by a round."""
        end_round(self.at)
        for one in self.at.people(self.fighters):
            if not one.is_awake:
                self.fall(one)
            if self.fighters[one.id]["long"]:
                self._works_on(one)

    def _works_on(self, one: Person) -> None:
        """Advance a fighter's long action by a round (toaster.4.long-actions)."""
        mine = self.fighters[one.id]
        work = mine["long"]
        work["done"] += 1
        if work["done"] >= work["rounds"]:
            self.at.say(f"{one.name} is done: {work['what']}.", one.card_audience)
            mine["long"] = None

    def next_round(self) -> None:
        """Begin a round with new initiative for all; refused while an attack waits.

        toaster.4.initiative-roll.
        """
        if waits := attack_waits(self.at, *self.fighters):
            self.at.refuse(waits, "toaster.4.round")
        self.round += 1
        for who, one in self.fighters.items():
            if one["status"] == "in":
                self.use(who, one["left"])
            if one["status"] not in {"out", "left"}:
                one.update(self._fresh(), status="to roll")
        self.facts.update(phase="initiative", lap=1, late=False, turn="", resume="", order=[])
        self.settle()

    def over(self) -> None:
        """End effects, stances and their trades, and aiming, with the fight."""
        for one in self.at.in_play():
            end_effects(one, lambda until: until > 0)
            for fact, none in {"stance": {}, "next": {}, "aim": 0}.items():
                if one.entity.state.get(fact):
                    one.put(**{fact: none})

    # ------------------------------------------------------------ views

    def status(self, one: Person) -> tuple[str, str]:
        mine = self.fighters[one.id]
        words = [status(one), WORDS.get(mine["status"], "")]
        if mine["long"]:
            words.append(f"busy: {mine['long']['what']}")
        elif mine["late"]:
            words.append("acts after all first actions")
        elif mine["held"] and mine["left"] > 0:
            words.append("waits, and may cut in")
        down = not self.is_in(one) or not one.is_awake
        said = ", ".join(dict.fromkeys(word for word in words if word))
        return said, "bad" if down else "plain"

    def track(self, one: Person) -> Track | None:
        return tracks(one)[0] if one.is_known else None

    def is_done(self, one: Person) -> bool:
        mine = self.fighters[one.id]
        return self.phase != "initiative" and mine["left"] <= 0 and not mine["extra"]

    def note(self, one: Person) -> str:
        """A fighter's remaining actions, wounds, effects, stances and countdowns."""
        mine = self.fighters[one.id]
        if not self.is_in(one) and one.is_awake:
            return ""
        found: list[str] = []
        if self.phase == "turns" and mine["status"] == "in":
            found.append(f"{plural(mine['left'], 'action')} left")
        if mine["long"]:
            found.append(f"{mine['long']['done']} of {mine['long']['rounds']} rounds done")
        if one.is_known:
            found.append(tracks(one)[1].words)
            found += [tag.text for tag in tags(one)]
            found += one.stance_words
        return "; ".join(found)

    def notes(self) -> Iterable[str]:
        """The distance at which each pair fights, named by its weapon (toaster.4.length-shift)."""
        for pair, far in self.distances.items() if self.at.options.weapon_length else ():
            people = [one.name for one in self.at.people(pair.split("|"))]
            if len(people) == 2:
                weapon = str(far["weapon"]).casefold()
                yield f"{listed(people)} fight at the distance of a {weapon}."

    @property
    def ended(self) -> str:
        waits = [
            one.name
            for one in self.at.people(self.fighters)
            if self.is_in(one) and self.fighters[one.id]["held"] and self.left(one) > 0
        ]
        return f"Everybody has acted.{f' {listed(waits)} may still act.' if waits else ''}"


def conceal(table: Table, seat: Seat) -> Table:
    """For players: hide the numbers of closed characters in the fight, and hidden characters."""
    seen = conceal_order(table, seat)
    if seen.fight is None or seat.role == GM:
        return seen
    fight: Any = seen.fight
    here = seen.entities
    for who, one in fight["fighters"].items():
        if is_closed(here[who]):
            one.update(bonus=0, breaks=[])
    fight["resume"] = fight["resume"] if fight["resume"] in here else ""
    fight["distances"] = {
        pair: far
        for pair, far in fight["distances"].items()
        if all(who in here for who in pair.split("|"))
    }
    return seen


_MOVES = fight_moves(toaster, Fight, able, "d10 and Coordination: the highest acts first.")
#: The kit's moves for fights, without those of a turn, which Toaster defines itself.
FIGHT = [move for move in _MOVES.values() if move.name not in {"act", "step", "end_turn"}]
VIEW = fight_view(toaster)
