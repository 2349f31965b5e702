"""A fight without a turn order: the GM always decides who acts next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from kitchentable.rules.kit.at import AnyAt, At, needs
from kitchentable.rules.kit.beings import B
from kitchentable.rules.kit.forms import Form, pick_many, several, somebody, text
from kitchentable.rules.kit.moves import Declared, Ruleset
from kitchentable.rules.kit.turns import FREE_MOVES, fighting, peace
from kitchentable.rules.people import listed
from kitchentable.rules.sheets import FightRow, FightView, Track
from kitchentable.rules.table import Table
from kitchentable.rules.values import RuleIds, Values, record

#: The condition of a fighter: words, their tone, and a track.
State = tuple[str, str, Track | None]


class BeginForm(Form):
    """The fighters, by default the players' entities."""

    who = several(
        among=lambda at: at.here(),
        default=lambda at: [one.id for one in at.here() if one.is_players],
    )


class TurnForm(Form):
    """The next fighter to act, who may be new to the fight, and the fighters who drop out."""

    who = somebody(among=lambda at: dict.fromkeys([*fighters(at), *at.here()]))
    out = pick_many(choices=lambda at: [(one.id, one.name) for one in fighters(at)])


class OverForm(Form):
    """The end of the fight, in words."""

    why = text()


def fighters(at: AnyAt) -> list[Any]:
    """All fighters of the current fight who are still in play."""
    fight: Any = at.table.fight or {"order": []}
    return [one for one in at.people(fight["order"]) if one.stage == "play"]


_somebody = needs(At.in_play, "Nobody is there to fight.")


@record
class FreeOrder(Generic[B]):
    """The fights of a ruleset without a fixed turn order.

    `cites` are the rules cited on cards, `help` explains a fight in this game, `state` gives a
    fighter's condition, and `notes` are sentences below the list. The fight is stored as {"order":
    ids, "turn": an id or "", "rolls": 0}.
    """

    rules: Ruleset[B, Any]
    cites: RuleIds
    help: str
    state: Callable[[B], State] = lambda one: ("", "plain", None)
    notes: Callable[[Table], tuple[str, ...]] = lambda table: ()

    def moves(self) -> tuple[Declared, ...]:
        """The moves that begin a fight, pass the turn and end the fight."""
        cited = BeginForm.who.having(rule=self.cites[0])
        form: type[BeginForm] = type("CitedForm", (BeginForm,), {"who": cited})

        def move(name: str, **more: Any) -> Any:
            return self.rules.move(name, **{**FREE_MOVES[name], "rules": self.cites, **more})

        return (
            move("fight", form=form, when=(peace, _somebody), help=self.help)(self._begin),
            move("turn", when=fighting)(self._turn),
            move("end_fight", when=fighting)(self._over),
        )

    def _begin(self, at: At[BeginForm, B, Any]) -> None:
        who = at.form.who
        names = listed(one.name for one in who if not one.hidden)
        at.write(("fight",), {"order": [one.id for one in who], "turn": "", "rolls": 0})
        at.say("No order is fixed: the GM says whose turn it is.")
        at.tell("A fight begins", names and f"{names}.", rules=self.cites)

    def _turn(self, at: At[TurnForm, B, Any]) -> None:
        fight: Any = at.table.fight
        who: Any = at.form.who
        out = {*at.form.out} - {who.id}
        order = dict.fromkeys((*fight["order"], who.id))
        at.write(("fight", "order"), [one for one in order if one not in out])
        at.write(("fight", "turn"), who.id)
        at.tell(f"{who.name} acts", rules=self.cites, of=[who])

    def _over(self, at: At[OverForm, B, Any]) -> None:
        at.end_fight()
        at.tell("The fight is over", at.form.why, rules=self.cites)

    def view(self, table: Table) -> FightView | None:
        """The fighters and their condition, without rolls for the order."""
        fight: Any = table.fight
        if fight is None:
            return None
        rows = tuple(self._row(one, fight["turn"]) for one in fighters(self.rules.at(table)))
        acting = table.entities.get(fight["turn"])
        said = f"{acting.name} acts." if acting else "The GM says whose turn it is."
        return FightView(0, rows, said, self.notes(table))

    def _row(self, one: B, turn: str) -> FightRow:
        words, tone, track = self.state(one)
        return FightRow(one.id, one.name, "", words, tone, acting=one.id == turn, track=track)


def seen_fight(table: Table) -> Values | None:
    """The fight as a player sees it, without unknown fighters."""
    fight: Any = table.fight
    if fight is None:
        return None
    order = [one for one in fight["order"] if one in table.entities]
    return {**fight, "order": order, "turn": fight["turn"] if fight["turn"] in order else ""}
