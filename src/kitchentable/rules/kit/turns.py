"""A turn in a fight: questions about actions, guards, and the moves of a turn."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

from kitchentable.rules.kit.at import AnyAt, FormAt
from kitchentable.rules.kit.beings import Being
from kitchentable.rules.kit.forms import Form, text, tick
from kitchentable.rules.kit.moves import AnyRules
from kitchentable.rules.kit.rounds import Rounds
from kitchentable.rules.values import Row

# ---------------------------------------------------------------- an action


def _has_action(at: AnyAt) -> bool:
    return at.fight is not None and at.fight.left(at.me) > 0


def _has_last_action(at: AnyAt) -> bool:
    return _has_action(at) and at.fight.left(at.me) == 1 and at.fight.is_acting(at.me)


def _rule(at: AnyAt) -> str:
    return at.rules.rounds.RULES.get("action", "")


def _hint(at: AnyAt) -> str:
    return at.fight.hint if at.fight is not None else ""


class Action(Form):
    """A form for a move that is an action: whether it ends the turn."""

    ends_turn = tick("And end the turn", when=_has_action, default=_has_last_action, rule=_rule)


class MaybeAction(Action):
    """A form for a move that may be an action: asks whether it is one and ends the turn."""

    uses_action = tick("It is my action", when=_has_action, default=True, rule=_rule)
    ends_turn = Action.ends_turn


def spend(at: AnyAt) -> None:
    """Use up the action stated by the form, during a fight."""
    if at.fight is not None and getattr(at.form, "uses_action", True):
        at.fight.spend(at.me, ends=at.form.ends_turn)


def likely_foe(at: AnyAt, people: Iterable[Being]) -> str | None:
    """The first of these who fights on another side.

    Outside a fight: for a player's entity the only one owned by the GM, and vice versa.
    """
    if at.place is None:
        foes = [one.id for one in people if one.is_players != at.me.is_players]
        return foes[0] if len(foes) == 1 else None
    ids = [one.id for one in people]
    fighters, ours = at.fight.fighters, at.place["side"]
    against = {who for who, one in fighters.items() if one["side"] != ours}
    return next((who for who in ids if who in against and fighters[who]["status"] != "left"), None)


# ---------------------------------------------------------------- guards


def may_act(at: AnyAt) -> str | None:
    """A guard for actions: in a fight only fighters with an action left may act."""
    if at.fight is None or at.fight.left(at.me) > 0:
        return None
    if at.place is None:
        return f"{at.me.name} is not in this fight; the GM can let them join."
    if not at.fight.is_acting(at.me):
        return f"It is not {at.me.name}'s turn."
    return f"{at.me.name} has already used the action of this turn."


def fighting(at: AnyAt) -> str | None:
    """A guard for moves that need a fight."""
    return None if at.table.fight is not None else "No fight is on."


def peace(at: AnyAt) -> str | None:
    """A guard for moves outside of fights."""
    return None if at.fight is None else "A fight is already in progress."


def in_turn(at: AnyAt) -> str | None:
    """A guard for moves in the actor's own turn; only after `fighting`."""
    return None if at.fight.is_acting(at.me) else "It is not their turn."


def in_fight(at: AnyAt) -> str | None:
    """A guard for moves of a fighter who is still fighting."""
    return None if at.fight is not None and at.fight.is_in(at.me) else "They are not in a fight."


# ---------------------------------------------------------------- the moves

_FILE = files("kitchentable.rules.kit") / "fights.toml"
_WORDS: dict[str, list[Row]] = tomllib.loads(_FILE.read_text("utf-8"))
_MOVES = {one["key"]: one for one in _WORDS["move"]}
#: The words of the moves of a fight without a turn order.
FREE_MOVES = {one["key"]: one for one in _WORDS["free"]}


def fight_words(rules: AnyRules, rounds: type[Rounds[Any]]) -> Callable[..., Any]:
    """Declares moves of a fight like `Ruleset.move`, with their words from fights.toml."""

    def move(name: str, form: type[Form] | None = None, **more: Any) -> Any:
        row = {**_MOVES[name], **more}
        for part in ("title", "help"):
            row[part] = row[part].format(order=rounds.ORDER, Order=rounds.ORDER.capitalize())
        return rules.move(name, form=form, rules=rounds.cite(*row.pop("cites")), **row)

    return move


class ActForm(Action):
    """An action without dice."""

    what = text()


def act(at: FormAt[ActForm]) -> None:
    """Use the action of the turn without dice."""
    spend(at)
    at.tell("Action", at.form.what, rules=at.fight.cite("action"))


class StepForm(Form):
    """A movement."""

    where = text(help=_hint)


def may_step(at: AnyAt) -> str | None:
    """A guard for a movement: once in a turn, before or after the action; after `fighting`."""
    if not (at.fight.is_acting(at.me) or at.fight.has_just_acted(at.me)):
        return "It is not their turn."
    return "They have already moved this turn." if at.place["moved"] else None


def step(at: FormAt[StepForm]) -> None:
    """Move a short way: once a turn, before or after the action."""
    at.place["moved"] = True
    at.tell("Moves", at.form.where or "Moves a short way.", rules=at.fight.cite("move"))


def end_turn(at: AnyAt) -> None:
    """Pass the turn to the next fighter."""
    at.fight.next_turn()
    at.tell("Turn", "Ends the turn.", rules=at.fight.cite("order"))


class MoreForm(Form):
    """A reason for one more action."""

    why = text(rule=_rule)


def one_more(at: FormAt[MoreForm]) -> None:
    """Allow one more action, or one out of turn, as the GM."""
    at.place["extra"] += 1
    title = f"{at.me.name} may act once more"
    at.tell(title, f"By the GM's leave: {at.form.why}", rules=at.fight.cite("action"))
