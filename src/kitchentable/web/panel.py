"""The panel of moves: actor, move, answers and odds, updated with every change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.app.projections import Projection
from kitchentable.campaign.proposals import asked_of_gm, asked_of_player
from kitchentable.campaign.read_models import (
    NoOdds,
    SeenMove,
    SeenOdds,
    View,
)
from kitchentable.rules.forms import gather_rows, is_untouched
from kitchentable.rules.values import GM, Field, Problem
from kitchentable.web.forms import Form

_PLACES = ("fight", "move")


@dataclass(frozen=True, slots=True)
class Panel:
    """The values of the panel of moves; see `parts/moves.html`.

    `hides` are the answers that the GM keeps hidden: as ticked, and by default where a question was
    not asked before; None where no move is picked. `opened` where somebody asked for this move.
    """

    actors: tuple[tuple[str, str], ...]
    actor: str
    moves: tuple[SeenMove, ...]
    picked: SeenMove | None
    answers: Mapping[str, Any]
    odds: SeenOdds | None
    odds_note: str
    problems: tuple[Problem, ...]
    ask_of: str
    hides: tuple[str, ...] | None
    any_yes: bool
    audience: str
    faces: str
    opened: bool
    die: str


def panel_of(
    projection: Projection, view: View, form: Form, problems: tuple[Problem, ...]
) -> Panel:
    """The panel of moves with these answers."""
    actors = actors_of(view)
    if form.one("aim"):
        form = _aimed(projection, view, form.one("aim"))
    actor = _pick_actor(projection, view, actors, form.one("entity"))
    moves = moves_of(projection, actor)
    picked = _pick_move(view, moves, form.one("move"))
    answers = form.answers() if picked is not None and form.one("move") == picked.name else {}
    odds: SeenOdds | NoOdds = NoOdds()
    if picked is not None and not picked.why_not:
        answers = {**likely(projection, picked, answers), **answers}
        kept = offered(fields_with(projection, picked, answers), answers)
        answers = {**likely(projection, picked, kept), **kept} if kept != answers else answers
        picked = replace(picked, fields=fields_with(projection, picked, answers))
        odds = projection.odds(picked.name, picked.entity, only(picked, answers))
    owner = view.table.entities[actor].owner if actor in view.table.entities else GM
    asked = view.table.seats.get(owner) if view.for_gm and owner != view.me.id else None
    return Panel(
        actors=actors,
        actor=actor,
        moves=moves,
        picked=picked,
        answers=shown_values(picked.fields if picked else (), answers),
        odds=odds if isinstance(odds, SeenOdds) else None,
        odds_note=odds.why if isinstance(odds, NoOdds) else "",
        problems=problems,
        hides=hides_in(picked.fields, form) if picked else None,
        any_yes=form.ticked("any_yes"),
        audience=form.one("audience", "all"),
        faces=form.one("faces"),
        opened=bool(form.one("move")),
        die=projection.game.art.die,
        ask_of=asked.name if asked is not None and picked is not None and picked.converses else "",
    )


def _aimed(projection: Projection, view: View, aim: str) -> Form:
    """The form after a tap on a fighter, who becomes the actor or the target."""
    actors = actors_of(view)
    if aim in {actor for actor, _ in actors} and any(map(_is_roll, projection.moves(aim))):
        return Form({"entity": (aim,)})
    actor = _pick_actor(projection, view, actors, "")
    seen = [move for move in moves_of(projection, actor) if not move.why_not]
    for place in _PLACES:
        for move in seen:
            for field in move.fields if move.place == place else ():
                if field.kind == "entity" and any(one.value == aim for one in field.choices):
                    picked = {"move": (move.name,), f"a.{field.name}": (aim,)}
                    return Form({"entity": (actor,), **picked})
    return Form({"entity": (actor,)})


def offered(fields: tuple[Field, ...], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The answers without choices that their question no longer offers; no form shows them."""
    kept = dict(answers)
    for field in fields:
        if field.kind not in {"choice", "entity", "many"} or field.name not in kept:
            continue
        values = {"", *(choice.value for choice in field.choices)}
        given = kept[field.name]
        if isinstance(given, list):
            kept[field.name] = [one for one in given if one in values]
        elif given not in values:
            del kept[field.name]
    return kept


def likely(projection: Projection, seen: SeenMove, given: Mapping[str, Any]) -> dict[str, Any]:
    """The default answers: those of this character's last roll of the kind, which may still wait.

    Before the first one it is what the character is best at. Words and numbers are not repeated,
    nor what is no longer offered.
    """
    view, names = projection.view, {field.name for field in seen.fields}
    said = {name: value for name, value in given.items() if name in names and value != ""}
    waiting = (
        one.answers
        for one in reversed(view.proposals)
        if (one.move, one.entity) == (seen.name, seen.entity)
        and all(str(one.answers.get(name)) == str(value) for name, value in said.items())
    )
    last = (
        next(waiting, None) or projection.latest(seen.name, seen.entity, said) or _best(view, seen)
    )
    if not last:
        return {}
    fields = fields_with(projection, seen, {**last, **given})
    return {
        field.name: str(last[field.name])
        for field in fields
        if field.kind in {"choice", "entity"}
        and field.set_by == "actor"
        and field.name in last
        and field.name not in given
        and any(choice.value == str(last[field.name]) for choice in field.choices)
    }


def _best(view: View, seen: SeenMove) -> dict[str, Any]:
    """The answers of the highest number on the sheet that starts this move; {} without one."""
    summary = view.summaries.get(seen.entity)
    rows = [
        (number.value, number.starts.answers)
        for number in (summary.numbers if summary is not None else ())
        if number.starts is not None and number.starts.move == seen.name
    ]
    return dict(max(rows, key=lambda row: row[0])[1]) if rows else {}


def hides_in(fields: tuple[Field, ...], form: Form) -> tuple[str, ...]:
    """The answers to keep hidden: as ticked, and by default where a question was not asked yet."""
    ticked = form.all("hide")
    return tuple(
        field.name
        for field in fields
        if field.hideable and (field.name in ticked or (field.hidden and not in_form(field, form)))
    )


def in_form(field: Field, form: Form) -> bool:
    """Whether a form that was sent had a question in it."""
    name = f"a.{field.name}"
    return any(one == name or one.startswith(f"{name}.") for one in form.fields)


def actors_of(view: View) -> tuple[tuple[str, str], ...]:
    """The characters that this seat may act for: its own in play, for the GM all."""
    gm = view.for_gm
    mine = {one.id for one in view.mine}
    found = [one for one in view.table.in_play() if gm or one.id in mine]
    found.sort(key=lambda one: one.id not in mine)
    names = []
    for one in found:
        owner = view.table.seats.get(one.owner) if gm and one.owner != view.me.id else None
        names.append((one.id, f"{one.name} ({owner.name})" if owner else one.name))
    return tuple(names) or (("", view.me.name),)


def default_actor(view: View) -> str:
    """The character that a seat acts for unless it says another; "" for none."""
    return actors_of(view)[0][0]


def moves_of(projection: Projection, actor: str) -> tuple[SeenMove, ...]:
    """The moves of an actor and those without an actor, in the order of the game."""
    found = projection.moves(actor)
    if actor:
        found += projection.moves("")
    order = {move.name: index for index, move in enumerate(projection.game.moves)}
    return tuple(sorted(found, key=lambda move: order[move.name]))


def fields_with(
    projection: Projection, seen: SeenMove, raw: Mapping[str, Any]
) -> tuple[Field, ...]:
    """A move's form once these answers stand: some open further questions."""
    filled, view = projection.fill_in(seen.name, seen.entity, raw), projection.view
    if not seen.converses:
        return filled.fields
    if not view.for_gm:
        return asked_of_player(filled.fields, view.table)
    return asked_of_gm(filled.fields, view.table, view.me, seen.entity, filled.answers)


def only(seen: SeenMove, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that belong to this move's questions; those of a form left behind stay out."""
    names = {field.name for field in seen.fields}
    rows = tuple(f"{field.name}." for field in seen.fields if field.kind == "rows")
    return {
        name: value
        for name, value in raw.items()
        if name in names or (rows and name.startswith(rows))
    }


def shown_values(fields: tuple[Field, ...], raw: Mapping[str, Any]) -> dict[str, Any]:
    """The answers as typed, for the form to show again."""
    values: dict[str, Any] = {}
    for field in fields:
        given = _rows_in_use(field, raw) if field.kind == "rows" else raw.get(field.name)
        if field.kind == "tick" and isinstance(given, list):
            given = given[-1]
        if given is not None:
            values[field.name] = given
    return values


def _rows_in_use(field: Field, raw: Mapping[str, Any]) -> Any:
    """The records of a form that hold anything; the form adds its blank one by itself."""
    given = gather_rows(field, raw)
    if not isinstance(given, list):
        return given
    shown = [column for column in field.columns if column.name != "id"]
    return [row for row in given if not isinstance(row, Mapping) or not is_untouched(shown, row)]


def _pick_actor(
    projection: Projection, view: View, actors: tuple[tuple[str, str], ...], wanted: str
) -> str:
    known = [actor for actor, _ in actors]
    if wanted in known:
        return wanted
    if view.fight is not None:
        for row in view.fight.rows:
            if row.acting and row.entity in known:
                return row.entity
    # A clock, or something else that rolls nothing, does not stand before those who do.
    rolls = (one for one in known if any(map(_is_roll, projection.moves(one))))
    return next(rolls, known[0])


def _is_roll(move: SeenMove) -> bool:
    return not move.why_not and (move.throws or move.converses)


def _pick_move(view: View, moves: tuple[SeenMove, ...], wanted: str) -> SeenMove | None:
    can = [move for move in moves if not move.why_not]
    for move in can:
        if move.name == wanted:
            return move
    # What lies ready is something with dice: nobody leaves a fight because a button lay there.
    rolls = [move for move in can if _is_roll(move)]
    for place in _PLACES if view.fight is not None else tuple(reversed(_PLACES)):
        for move in rolls:
            if move.place == place:
                return move
    return next((move for move in can if move.place == _PLACES[1]), can[0] if can else None)
