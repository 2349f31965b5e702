"""Fights of a game in a file: fighters, turn order, turns, and the view.

The facts are JSON: {"round", "phase", "fighters": {entity: {"side", "number", "acted", "status"}},
"order": [...], "turn"}. Phases: "order" (the dice have yet to be thrown), "turns", "end" (everybody
had a turn). A fighter's status: "waiting", "done", "out".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from kitchentable.dice import NotationError
from kitchentable.rules import kit
from kitchentable.rules.kit.at import AnyAt, Declared
from kitchentable.rules.kit.forms import Form, Unknown
from kitchentable.rules.kit.moves import Ruleset
from kitchentable.rules.kit.turns import fighting, peace
from kitchentable.rules.moves import Part, Side
from kitchentable.rules.sheets import FightRow, FightView
from kitchentable.rules.table import Table
from kitchentable.rules.toml.dicework import Throw, order_of, thrown_of
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.formula import fill
from kitchentable.rules.toml.people import Body, here
from kitchentable.rules.values import EVERYONE, GM, Problem

_OUT = "out"
_ORDER: kit.Roll[..., Any] = kit.Roll(order_of)


class SidesForm(Form):
    """The two sides of a fight: by default the players' entities against all visible others."""

    heroes = kit.several(
        "On the one side", here, default=lambda at: [o.id for o in here(at) if o.is_players]
    )
    foes = kit.several(
        "On the other side",
        here,
        default=lambda at: [o.id for o in here(at) if not o.is_players and not o.hidden],
    )

    def problems(self) -> Iterable[Problem]:
        """Check that nobody is on both sides."""
        both = [one.name for one in self.heroes if one in self.foes]
        if both:
            yield Problem("foes", "", f"{', '.join(both)} cannot be on both sides.")


def _next_turn(fight: dict[str, Any]) -> None:
    waiting = (who for who in fight["order"] if fight["fighters"][who]["status"] == "waiting")
    fight["turn"] = next(waiting, "")
    if not fight["turn"]:
        fight["phase"] = "end"


def _running(at: AnyAt) -> dict[str, Any]:
    """The current fight, as a copy to change. Errors: Unknown."""
    if at.table.fight is None:
        raise Unknown("No fight is on.")
    return deepcopy(dict(at.table.fight))


@dataclass(frozen=True)
class Fights:
    """The fights of a game; without [fight] only the hooks that its rolls use."""

    game: Written

    @property
    def rule(self) -> str:
        """The id of the rule about the turn order."""
        fight = self.game.fighting
        return fight.rule if fight is not None else ""

    def may_act(self, at: AnyAt) -> str | None:
        """The reason why the actor cannot act in the current fight; None if the actor can."""
        if at.table.fight is None or self.game.fighting is None:
            return None
        fight: Any = at.table.fight
        if at.actor.entity not in fight["fighters"]:
            return "They are not in this fight."
        if fight["phase"] == "order":
            return "The order of acting has not been thrown yet."
        return None if fight["turn"] == at.actor.entity else "It is not their turn."

    def spend(self, at: AnyAt) -> None:
        """Use up an action, take fallen fighters out, and pass the turn after the last action."""
        if at.table.fight is None or self.game.fighting is None:
            return
        fight = _running(at)
        for path in at.changes:
            if path[0] == "entities" and path[2:4] == ("state", "tracks"):
                one: Any = at.find(path[1])
                scale = self.game.scale(path[4])
                if scale.out and one.is_full(scale) and one.id in fight["fighters"]:
                    fight["fighters"][one.id]["status"] = _OUT
        mine = fight["fighters"].get(at.actor.entity)
        if mine is not None:
            mine["acted"] += 1
            if mine["acted"] >= self.game.fighting.actions and mine["status"] == "waiting":
                mine["status"] = "done"
        _next_turn(fight)
        at.write(("fight",), fight)

    # ------------------------------------------------------------ the moves

    def moves(self, rules: Ruleset[Body, Any]) -> tuple[Declared, ...]:
        """The moves of a fight, if the file has a [fight]."""
        if self.game.fighting is None:
            return ()
        known: dict[str, Any] = {"rules": (self.rule,)}
        gms: dict[str, Any] = {**known, "by": (GM,), "for_entity": False}
        on: dict[str, Any] = {**gms, "place": "fight", "when": fighting}
        return (
            rules.move(
                "fight", "Begin a fight", "Say who fights, and on which side.", SidesForm,
                place="gm", when=peace, **gms,
            )(self._begin),
            rules.move(
                "order", "Throw for the order", "Everybody's dice fall: the highest acts first.",
                rolls=True, **{**on, "when": self._when_order},
            )(self._order),
            rules.move(
                "end_turn", "End the turn", "Leave it at that, and let the next one act.",
                place="fight", when=self.may_act, **known,
            )(self._end_turn),
            rules.move("next_round", "Next round", "Everybody acts again.", **on)(self._next_round),
            rules.move("end_fight", "End the fight", "The fight is over.", **on)(self._end),
        )  # fmt: skip

    def _begin(self, at: AnyAt) -> None:
        sides = dict.fromkeys(at.form.heroes, "heroes") | dict.fromkeys(at.form.foes, "foes")
        fighters = {
            one.id: {
                "side": side,
                "number": None,
                "acted": 0,
                "status": _OUT if one.is_out else "waiting",
            }
            for one, side in sides.items()
        }
        fight = {"round": 1, "phase": "order", "fighters": fighters, "order": [], "turn": ""}
        at.write(("fight",), fight)
        names = [one.name for one in sides if not one.hidden]
        at.tell("A fight begins", f"In it: {', '.join(names)}.", rules=(self.rule,), of=())

    def _when_order(self, at: AnyAt) -> str | None:
        if at.table.fight is None:
            return "No fight is on."
        if at.table.fight["phase"] != "order":
            return "The order stands."
        try:
            self._thrown(at)
        except NotationError:
            dice = self.game.fighting.order if self.game.fighting is not None else ""
            return f"With the numbers of somebody there is nothing to throw: {dice}."
        return None

    def _thrown(self, at: AnyAt) -> dict[Body, Throw]:
        """The throws of all fighters who are not out. Errors: Unknown, NotationError."""
        found, fight = {}, self.game.fighting
        for who, mine in _running(at)["fighters"].items():
            one = at.find(who)
            if one is None:
                raise Unknown("Somebody in this fight is not known.")
            numbers = one.numbers()
            if mine["status"] != _OUT and fight is not None:
                add = sum(formula.value(numbers) for formula in fight.add)
                found[one] = thrown_of(fill(fight.order, numbers), add, who)
        return found

    def _order(self, at: AnyAt) -> None:
        fight, everybody = _running(at), self._thrown(at)
        labels = {one.id: one for one in everybody}
        thrown = tuple((one.id, hand) for one, hand in everybody.items())
        outcome = at.roll(_ORDER(thrown), labels)
        fight["order"] = [who for who, _ in outcome]
        for who, number in outcome:
            fight["fighters"][who]["number"] = number
        fight["phase"] = "turns"
        _next_turn(fight)
        at.write(("fight",), fight)
        at.sides = [self._side(labels[who], number) for who, number in outcome]
        names = [labels[who].name for who, _ in outcome if not labels[who].hidden]
        said = f"First {', then '.join(names)}."
        at.tell("The order", said, rules=(self.rule,), of=())

    def _side(self, one: Body, number: int) -> Side:
        numbers, fight = one.numbers(), self.game.fighting
        add = fight.add if fight is not None else ()
        added = (Part(self.game.part_name(each), each.value(numbers)) for each in add)
        eyes = GM if one.hidden or one.is_closed else EVERYONE
        parts = tuple(part for part in added if part.value)
        return Side(one.name, one.id, parts, number, "", eyes, unseen=one.hidden)

    def _end_turn(self, at: AnyAt) -> None:
        fight = _running(at)
        fight["fighters"][at.me.id]["status"] = "done"
        _next_turn(fight)
        at.write(("fight",), fight)
        at.tell(f"{at.me.name} has acted", rules=(self.rule,))

    def _next_round(self, at: AnyAt) -> None:
        fight, order = _running(at), self.game.fighting
        fight["round"] += 1
        for who, mine in fight["fighters"].items():
            one = at.find(who)
            down = one is None or one.is_out
            mine.update(acted=0, status=_OUT if down else "waiting")
        if order is None or order.each_round or not fight["order"]:
            fight.update(phase="order", order=[], turn="")
        else:
            fight["phase"] = "turns"
            _next_turn(fight)
        at.write(("fight",), fight)
        at.tell(f"Round {fight['round']}", rules=(self.rule,), of=())

    def _end(self, at: AnyAt) -> None:
        at.write(("fight",), None)
        at.tell("The fight is over", rules=(self.rule,), of=())

    # ------------------------------------------------------------ view

    def view(self, table: Table) -> FightView | None:
        """The turn order as the page shows it: round, order, who acts and who is down."""
        if table.fight is None:
            return None
        fight: Any = table.fight
        first = [who for who in fight["order"] if who in fight["fighters"]]
        rest = [who for who in fight["fighters"] if who not in first]
        known = (table.entities[who] for who in (*first, *rest) if who in table.entities)
        rows = tuple(self._row(fight, Body(self.game, table, one)) for one in known)
        return FightView(fight["round"], rows, _sentence(table, fight))

    def _row(self, fight: Mapping[str, Any], one: Body) -> FightRow:
        mine, words = fight["fighters"][one.id], one.condition
        scale = next((each for each in one.scales if each.out), None)
        number = "\N{EN DASH}" if mine["number"] is None else str(mine["number"])
        return FightRow(
            one.id,
            one.name,
            "not yet" if fight["phase"] == "order" else number,
            words.capitalize() or {"done": "has acted"}.get(mine["status"], ""),
            "bad" if words else "plain",
            acting=fight["turn"] == one.id,
            done=mine["status"] == "done",
            out=mine["status"] == _OUT,
            track=one.track(scale) if scale and one.known else None,
        )


def _sentence(table: Table, fight: Mapping[str, Any]) -> str:
    if fight["phase"] == "order":
        return "The order of acting is thrown next."
    if fight["phase"] == "end":
        return "Everybody has had a turn."
    turn = fight["turn"]
    return f"{table.entities[turn].name} acts." if turn in table.entities else "The GM acts."
