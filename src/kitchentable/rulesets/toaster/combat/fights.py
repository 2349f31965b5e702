"""A fight in Toaster: laps of actions, what is held back or comes late, and how it is shown.

A round goes round the list as often as there are actions in it; each time is a lap. The facts,
besides those of the kit: "lap", "late" (the actions that go with a movement are on), "resume"
(whose turn goes on after somebody cut in) and "distances". A fighter: "side", "number" and "bonus"
(initiative and the Coordination behind it), "breaks" (further dice among equals), "status" ("to
roll", "in", "joins", "out", "left"), "left" (actions), "held" (laps in which they waited), "late"
(an action that goes with a movement and comes after all first ones), "offered" (the lap in which
they last had their turn), "extra" (actions that the GM allowed), "long" (a long action that is on).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from kitchentable.rules import GM, Part, Seat, Side, Table, Track, is_closed, listed, plural, total
from kitchentable.rules.kit import Being, Roll, Rounds, Throw, fight_moves, fight_view, roll_of
from kitchentable.rules.kit import conceal as conceal_order
from kitchentable.rules.kit.fights import WORDS
from kitchentable.rules.kit.rounds import FightFact
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
    """Toaster's rounds."""

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
        """The facts of a fighter that begin anew with every round (toaster.4.actions-two)."""
        return {"number": None, "bonus": 0, "breaks": [], "left": self.actions, "held": [],
                "late": False, "offered": 0, "extra": 0}  # fmt: skip

    @property
    def actions(self) -> int:
        return int(self.at.options.actions_per_round)

    def fall(self, one: Being, status: str = "out") -> None:
        """Somebody is down, or leaves: no more turns, the others' order as it was."""
        if not self.is_in(one):
            return
        self.fighters[one.id].update(status=status, held=[], late=False, long=None)
        if self.turn == one.id:
            self._go_on()
        self.settle()

    # ------------------------------------------------------------ the order

    def parts(self, one: Person) -> Parts:
        """The parts added to the d10: Coordination, and by an option stun and wounds.

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
        parts, number = self.parts(one), outcome.number
        return Side(one.name, one.id, parts, number, "", one.audience, unseen=one.hidden)

    def rank(self, who: str) -> tuple[int, ...]:
        """Number, then Coordination, then dice among equals.

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
        if set(order) <= set(self.tied()):  # the GM's order; dice have parted them already
            for place, who in enumerate(order):
                self.fighters[who]["breaks"].append(len(order) - place)
        self.settle()

    # ------------------------------------------------------------ turns

    def may_take(self, one: Being) -> bool:
        """Whether this one has an action just now: in turn, held back, or by the GM's leave.

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
        """Actions are taken or forgone: there are fewer left, and an all-out stance runs down."""
        mine = self.fighters[who]
        mine["left"] = max(0, mine["left"] - actions)
        self._tire(who, actions)

    def _tire(self, who: str, actions: int) -> None:
        """An all-out stance runs down by actions, forgone ones too (toaster.4.stance-timing)."""
        for one in self.at.people([who]):
            one.tire(actions)

    def spend(self, one: Being, *, ends: bool = False) -> None:
        """One action fewer, and the turn goes on.

        Whoever begins an action of a later lap ends what others have held back of earlier ones
        (toaster.4.initiative-skip-limit). Who held one back and has the turn takes that first.
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
        """Somebody in turn takes an action: whether one that was held back."""
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
        """The turn goes on, or back to whoever was cut in on and can still act."""
        resume, self.resume = self.resume, ""
        if resume and self._could(self.fighters[resume]):
            self.turn = resume
        else:
            self.next_turn()

    def _too_late(self, who: str) -> None:
        """Take from all others the actions that they held back in earlier laps."""
        for other, one in self.fighters.items():
            kept = [lap for lap in one["held"] if lap >= self.lap]
            if other != who and len(kept) < len(one["held"]):
                self.use(other, len(one["held"]) - len(kept))
                one["held"] = kept

    def defend(self, one: Being) -> None:
        """One action fewer for a defense, without a turn (toaster.4.defence-cost)."""
        mine = self.place(one)
        if mine is None:
            return
        self.use(one.id)
        mine["held"] = mine["held"][max(0, len(mine["held"]) - mine["left"]) :]
        if self.turn == one.id and not mine["left"]:
            self._go_on()

    def hold(self, one: Being) -> None:
        """Somebody lets the turn pass and may act later (toaster.4.initiative-skip)."""
        mine = self.fighters[one.id]
        if not self.resume:
            if self.late:
                mine["late"] = False
            if self.lap not in mine["held"]:
                mine["held"].append(self.lap)
        self._go_on()

    def move_and_act(self, one: Being) -> None:
        """A movement now, and the action that goes with it after all first actions.

        toaster.4.actions-movement.
        """
        self.use(one.id)
        self._take(one.id)
        self.fighters[one.id]["late"] = True
        self._go_on()

    def work_long(self, one: Being, work: Row) -> None:
        """A long action takes all actions that are left (toaster.4.long-actions)."""
        mine, in_turn = self.fighters[one.id], self.is_acting(one)
        if in_turn:
            self._take(one.id)
        self.use(one.id, mine["left"])
        mine.update(long=work, kept=None, held=[], late=False)
        if in_turn:
            self._go_on()

    def close_in(self, one: Being, other: Being, reach: int, weapon: str) -> None:
        """Somebody's blow got through: the two fight at the distance of that weapon now."""
        pair = between(one.id, other.id)
        self.distances[pair] = {"reach": reach, "weapon": weapon}

    def cut_in(self, one: Being) -> None:
        """Somebody who waited acts before whoever's turn it is; then that turn goes on.

        Whoever had cut in and is cut in on waits again.
        toaster.4.initiative-cut-in.
        """
        if self.turn != one.id:
            self.resume, self.turn = self.resume or self.turn, one.id

    def slow_down(self, one: Being, cost: int) -> None:
        """A lower initiative for something done besides (toaster.4.actions-initiative-cost)."""
        mine = self.fighters[one.id]
        mine["number"] = (mine["number"] or 0) - cost
        self.order.sort(key=self.rank)
        if self.turn == one.id and not self.late and not self.resume:
            mine["offered"] = self.lap - 1
            self.next_turn()

    def next_turn(self) -> None:
        """The turn goes to the next who can act; lap after lap, until all actions are used up."""
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
        """Whether somebody has an action that no lap has offered yet, and is free to take it."""
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
        """Blood, countdowns, and long actions that come a round nearer to their end."""
        end_round(self.at)
        for one in self.at.people(self.fighters):
            if not one.is_awake:
                self.fall(one)
            if self.fighters[one.id]["long"]:
                self._works_on(one)

    def _works_on(self, one: Person) -> None:
        """A long action comes a round nearer to its end (toaster.4.long-actions)."""
        mine = self.fighters[one.id]
        work = mine["long"]
        work["done"] += 1
        if work["done"] >= work["rounds"]:
            self.at.say(f"{one.name} is done: {work['what']}.", one.card_audience)
            mine["long"] = None

    def next_round(self) -> None:
        """Begin a round with new dice for all; refused while an attack waits.

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
        """Effects, stances and their trades, and an aim end with the fight."""
        for one in self.at.in_play():
            end_effects(one, lambda until: until > 0)
            for fact, none in {"stance": {}, "next": {}, "aim": 0}.items():
                if one.entity.state.get(fact):
                    one.put(**{fact: none})

    # ------------------------------------------------------------ as everybody sees it

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
        """Somebody's actions left, wounds, effects, stances and countdowns."""
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
        """At which weapon's distance two people fight (toaster.4.length-shift)."""
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
    """For players: no numbers of closed people in the fight, and nothing of hidden ones."""
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
#: The moves of the kit's fights but those of a turn, which are Toaster's own.
FIGHT = [move for move in _MOVES.values() if move.name not in {"act", "step", "end_turn"}]
VIEW = fight_view(toaster)
