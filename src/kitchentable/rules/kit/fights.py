"""A fight in rounds: its moves, its turn order, and the part of it that players see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from kitchentable.rules.errors import Unknown
from kitchentable.rules.kit.at import AnyAt, FormAt, Guard, needs
from kitchentable.rules.kit.forms import Each, Form, Problems, pick, several, somebody, text
from kitchentable.rules.kit.free_order import seen_fight
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.kit.rounds import END_ASK, GONE, TIE_ASK, Rounds
from kitchentable.rules.kit.turns import (
    act,
    end_turn,
    fight_words,
    fighting,
    in_fight,
    in_turn,
    may_act,
    may_step,
    one_more,
    peace,
    step,
)
from kitchentable.rules.people import is_closed, listed
from kitchentable.rules.sheets import FightRow, FightView
from kitchentable.rules.table import Seat, Table
from kitchentable.rules.values import GM, Problem

# ---------------------------------------------------------------- start of a fight


def able(at: AnyAt) -> list[Any]:
    """The entities that can fight."""
    return at.rules.rounds.able(at)


class BothSides(Form):
    """The two sides of a fight: by default the players' entities against all visible others."""

    heroes_name: Any = "heroes"
    foes_name: Any = "foes"
    heroes = several(
        "On the one side", able, default=lambda at: [o.id for o in able(at) if o.is_players]
    )
    foes = several(
        "On the other side",
        able,
        default=lambda at: [o.id for o in able(at) if not o.is_players and not o.hidden],
    )

    def problems(self) -> Problems:
        """Check that nobody is on both sides."""
        rule = self.at.rules.rounds.RULES.get("roll", "")
        both = [one.name for one in self.heroes if one in self.foes]
        if both:
            yield Problem("foes", rule, f"{listed(both)} cannot be on both sides.")
        yield from super().problems()


class SidesForm(BothSides):
    """The two sides of a fight, with their names."""

    heroes = BothSides.heroes
    heroes_name = text()
    foes = BothSides.foes
    foes_name = text()

    def problems(self) -> Problems:
        """Check that the sides have different names too."""
        yield from super().problems()
        if self.heroes_name.casefold() == self.foes_name.casefold():
            name = self.heroes_name
            words = f"Both sides are called {name}. Give them different names."
            yield Problem("foes_name", self.at.rules.rounds.RULES.get("roll", ""), words)


_somebody_able = needs(able, "Nobody is there to fight.")


def begin(at: FormAt[SidesForm]) -> None:
    """Begin a fight in which everybody still has to roll for the turn order."""
    form, rounds = at.form, at.rules.rounds
    sides = {one.id: form.heroes_name for one in form.heroes}
    sides |= {one.id: form.foes_name for one in form.foes}
    fight = rounds.new(at, sides)
    fight.begun()
    said = fight.begins([one.name for one in at.people(sides) if not one.hidden])
    at.tell("A fight begins", said, rules=rounds.cite("begin", "roll"), of=())
    at.write(("fight",), fight.facts)


# ---------------------------------------------------------------- the turn order


def _tell_rolls(at: AnyAt, people: Sequence[Any], outcomes: Sequence[Any]) -> None:
    """The card of rolls for the turn order."""
    at.sides += [at.fight.fell(one, each) for one, each in zip(people, outcomes, strict=True)]
    words = {side.word for side in at.sides}
    at.tell(
        at.fight.ORDER.capitalize(),
        at.fight.words(),
        tone=at.fight.tone(words),
        rules=at.fight.cite("roll", "numbers", *sorted(words)),
        of=people if len(people) == 1 else (),
    )


def still_to_roll(at: AnyAt) -> str | None:
    """A guard for the actor's own roll for the turn order."""
    if at.place is None:
        return "They are not in a fight."
    rolled = f"They have already rolled {at.fight.ORDER} this round."
    return None if at.place["status"] == "to roll" else rolled


def roll_own(at: AnyAt) -> None:
    """Roll for the actor's place in the turn order."""
    if at.fight is None:
        raise Unknown("No fight is on.")
    _tell_rolls(at, [at.me], [at.roll(at.fight.throw(at.me), {at.me.id: at.me})])


def waiting(at: AnyAt) -> list[Any]:
    """The fighters who still have to roll."""
    return at.people(at.fight.to_roll() if at.fight is not None else ())


class EverybodyForm(Form):
    """The fighters who roll together."""

    who = several(among=waiting, default=lambda at: [one.id for one in waiting(at)])


def any_to_roll(at: AnyAt) -> str | None:
    """A guard for the rolls of all fighters who still have to roll."""
    return None if at.fight.to_roll() else f"Everybody has rolled {at.fight.ORDER}."


def roll_all(at: FormAt[EverybodyForm]) -> None:
    """Roll for all picked fighters together."""
    people = at.form.who
    if not people:
        raise Unknown("Nobody is picked.")
    _tell_rolls(at, people, at.roll(at.fight.throw_all(people), {one.id: one for one in people}))


def _equals(at: AnyAt) -> list[Any]:
    tied = at.asked.preset.get("tied") if at.asked is not None else ()
    return at.people(tied or ())


def _places(at: AnyAt) -> Iterable[tuple[str, int]]:
    places = range(1, len(_equals(at))) if at.form.ruling == "hand" else ()
    return [(str(place), place) for place in places]


class TieForm(Form):
    """The GM's way to settle the order of equals."""

    ruling = pick(
        choices=lambda at: [
            (at.rules.rounds.AGAIN[0], f"Another {at.rules.rounds.AGAIN[1]} among them"),
            ("hand", "I say who goes first"),
        ],
        default=lambda at: at.rules.rounds.AGAIN[0],
        rule=lambda at: at.rules.rounds.RULES.get("tie", ""),
    )
    place = Each(_places, lambda place: somebody(f"Acts as number {place} of them", _equals))

    def order(self) -> list[Any]:
        """The GM's order of equals; fighters left out come last."""
        said = list(self.place.values())
        return [*said, *(one for one in _equals(self.at) if one not in said)]

    def problems(self) -> Problems:
        """Check that each of the equals has one place."""
        everybody = sorted(one.id for one in _equals(self.at))
        if self.ruling == "hand" and sorted(one.id for one in self.order()) != everybody:
            rule = self.at.fight.RULES.get("tie", "")
            yield Problem("place.1", rule, "Give each fighter exactly one place in the order.")


def settle_tie(at: FormAt[TieForm]) -> None:
    """Settle the order of equals, by another roll or by the GM."""
    people = _equals(at)
    if not people:
        raise Unknown("No fighters are tied any more.")
    how = f"By another {at.fight.AGAIN[1]}"
    if at.form.ruling == "hand" or len(people) < 2:
        how = "By the GM's word"
        order = [one.id for one in at.form.order()]
    else:
        outcome = at.roll(at.fight.throw_tie(people), {one.id: one for one in people})
        order, at.sides = at.fight.untied(people, outcome)
    at.fight.untie(order)
    names = [one.name for one in at.people(order) if not one.hidden]
    said = f"{how}: first {', then '.join(names)}." if names else f"{how}."
    at.tell(f"Equal {at.fight.ORDER}", said, rules=at.fight.cite("tie"), of=())


# ---------------------------------------------------------------- leaving and joining


class LeaveForm(Form):
    """The sentence about how a fighter leaves."""

    how = text()


def leave(at: FormAt[LeaveForm]) -> None:
    """Take the actor out of the fight."""
    at.fight.fall(at.me, "left")
    at.tell("Out of the fight", at.form.how or "Fights no more.", rules=at.fight.cite("end"))


def _side(at: AnyAt) -> str:
    if at.place is None:
        return "heroes" if at.me.is_players else "foes"
    return str(at.place["side"])


class JoinForm(Form):
    """The side that a new fighter joins."""

    side = text(default=_side)


def _can_fight(at: AnyAt) -> str | None:
    return None if at.me in able(at) else "They cannot fight at the moment."


def _not_in_it(at: AnyAt) -> str | None:
    return "They are already in the fight." if at.fight.is_in(at.me) else None


def join(at: FormAt[JoinForm]) -> None:
    """Let the actor join the fight, or join it again."""
    now = at.fight.phase == "initiative"
    place = at.fight.fighter(at.form.side, "to roll" if now else "joins")
    at.write(("fight", "fighters", at.me.id), place)
    when = "with the others" if now else "from the next round on"
    rules = at.fight.cite("roll", "join")
    at.tell("Joins the fight", f"Rolls {at.fight.ORDER} {when}.", rules=rules)


# ---------------------------------------------------------------- rounds and the end


def next_round(at: AnyAt) -> None:
    """End the round and begin the next one."""
    fight = at.fight
    fight.passed()
    fight.next_round()
    again = f"Roll {fight.ORDER} again."
    said = again if fight.phase == "initiative" else fight.words()
    at.tell(f"Round {fight.round}", said, rules=fight.cite("again", "numbers"), of=())
    at.close(TIE_ASK, END_ASK)


class EndForm(Form):
    """The reason why a fight ends."""

    why = text()


def end(at: AnyAt) -> None:
    """End the fight."""
    fight = at.fight
    fight.over()
    at.end_fight()
    why = at.form.why or "Nobody wants to fight any more."
    at.tell("The fight is over", why, rules=fight.cite("end"), of=())
    at.close(TIE_ASK, END_ASK)


class StillForm(EndForm):
    """The GM's decision whether a fight continues."""

    answer = pick(rule=lambda at: at.rules.rounds.RULES.get("end", ""))


def still_fighting(at: FormAt[StillForm]) -> None:
    """End or continue the fight, as the GM decides."""
    if at.form.answer == "end":
        end(at)
    elif at.fight.phase == "end":
        next_round(at)
    else:
        at.tell("The fight", "The fight goes on.", rules=at.fight.cite("end"), of=())


def fight_moves(
    rules: AnyRules, rounds: type[Rounds[Any]], guard: Guard, throws: str
) -> dict[str, Declared]:
    """The moves of a fight by name, for a ruleset with these rounds.

    `guard` is checked before an action; `throws` is a sentence about the roll for the turn order.
    """
    rules.rounds = rounds
    move = fight_words(rules, rounds)
    begins = type("BeginForm", (SidesForm, rounds.BEGIN_FORM), {})
    own = type("OwnRollForm", (rounds.ROLL_FORM,), {})
    everybody = type("RollAllForm", (EverybodyForm, rounds.ROLL_ALL_FORM), {})
    waits = (fighting, any_to_roll)
    moves = (
        move("fight", begins, when=(peace, _somebody_able))(begin),
        move("initiative", own, help=throws, when=still_to_roll, rolls=True)(roll_own),
        move("initiative_all", everybody, when=waits, rolls=True)(roll_all),
        move("initiative_tie", when=fighting, rolls=True)(settle_tie),
        move("act", when=(fighting, guard, may_act))(act),
        move("step", when=(fighting, may_step))(step),
        move("end_turn", when=(fighting, in_turn))(end_turn),
        move("one_more", when=in_fight)(one_more),
        move("leave", when=in_fight)(leave),
        move("join", when=(fighting, _can_fight, _not_in_it))(join),
        move("next_round", when=fighting)(next_round),
        move("end_fight", EndForm, when=fighting)(end),
        move("still_fighting", when=fighting)(still_fighting),
    )
    return {one.name: one for one in moves}


# ---------------------------------------------------------------- turn order

WORDS = {
    "to roll": "",
    "waiting": "",
    "done": "has acted",
    "idle": "no action this round",
    "joins": "from the next round on",
    "out": "out of the fight",
    "left": "has left the fight",
}  # fmt: skip


def fight_view(rules: AnyRules) -> Callable[[Table], FightView | None]:
    """The turn order for pages: round, order, the acting fighter, and fighters who are down."""

    def view(table: Table) -> FightView | None:
        at = rules.at(table)
        if at.fight is None:
            return None
        fight = at.fight
        first = [who for who in fight.order if who in fight.fighters]
        rest = [who for who in fight.fighters if who not in first]
        why = fight.facts.get("notes", {}).get(str(fight.round), {})
        told = [f"{one.name}: {said}" for who, said in why.items() if (one := at.find(who))]
        notes = (*told, *filter(None, fight.notes()))
        rows = tuple(_row(fight, one) for one in at.people((*first, *rest)))
        return FightView(fight.round, rows, _sentence(at), notes)

    return view


def _row(fight: Rounds[Any], one: Any) -> FightRow:
    mine = fight.fighters[one.id]
    words, tone = fight.status(one)
    in_order = {fight.READY: "", **WORDS}[mine["status"]]
    return FightRow(
        one.id,
        one.name,
        fight.shown(one),
        words or in_order,
        tone if words else "plain",
        acting=fight.turn == one.id,
        done=fight.is_done(one),
        out=mine["status"] in GONE,
        track=fight.track(one),
        note=fight.note(one),
    )


def _sentence(at: AnyAt) -> str:
    if at.fight.waits or at.fight.phase == "end":
        return str(at.fight.waits or at.fight.ended)
    turn = at.find(at.fight.turn)
    return f"{turn.name} acts." if turn else "The GM acts."


def conceal(table: Table, seat: Seat) -> Table:
    """The table for a seat: players see no numbers of closed fighters and nothing of hidden ones.

    Hidden entities have already been removed from the table, so a fighter missing there is hidden.
    """
    if table.fight is None or seat.role == GM:
        return table
    here, fight = table.entities, {**(seen_fight(table) or {})}
    fight["fighters"] = {
        who: {**one, "number": None} if is_closed(here[who]) else one
        for who, one in fight["fighters"].items()
        if who in here
    }
    if "breaks" in fight:
        fight["breaks"] = {}
    if "notes" in fight:
        fight["notes"] = {
            number: {who: said for who, said in notes.items() if who in here}
            for number, notes in fight["notes"].items()
        }
    return replace(table, fight=fight)
