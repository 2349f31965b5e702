"""Forecasts of the current fight, also with changes, and of a planned fight."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from litestar import get, post

from kitchentable.app.projections import Projection
from kitchentable.campaign.commands import BeginFight
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.read_models import View
from kitchentable.campaign.settings import shows_odds
from kitchentable.dice.errors import BadInput, NotSolved
from kitchentable.fights import Forecast, foresee
from kitchentable.rules.combat import RETREATS, Battle, Combatant, Fought, NeverEnds, Numbers
from kitchentable.rules.table import Table
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable, shown_errors, view_in
from kitchentable.web.forms import Form, read_form, read_query
from kitchentable.web.urls import path

#: Seconds that a forecast may take.
_WITHIN = 10.0
#: The most fighters of one kind, and the most health of one, that a change can set.
MOST, HALEST = 12, 999
SIDES = ("players", "others")


@dataclass(frozen=True, slots=True)
class Kind:
    """Fighters of one side with equal numbers and health: their names, number and health.

    `weapons` are their numbers with each of their weapons, by its name.
    """

    side: str
    numbers: Numbers
    health: int
    names: tuple[str, ...]
    weapons: Mapping[str, Numbers] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, Numbers, int]:
        """The key of the kind."""
        return self.side, self.numbers, self.health

    @property
    def many(self) -> int:
        """The number of fighters."""
        return len(self.names)

    @property
    def name(self) -> str:
        """The names that differ, in a list."""
        return ", ".join(dict.fromkeys(name for name in self.names if name)) or "nameless"

    @property
    def weapon(self) -> str:
        """The name of the weapon in use; "" where it is none of theirs."""
        return next((key for key, one in self.weapons.items() if one == self.numbers), "")


@get(path("forecast"))
async def forecast(request: AtTable) -> Answer:
    """The forecast of the current fight as this seat knows it, also with changes."""
    projection, query = request.projection, read_query(request)
    view, fight = view_in(projection), projection.standing()
    if not shows_odds(view.settings, gm=view.for_gm):
        raise NotAllowed("Only the GM can see odds at this table.")
    if fight is None:
        raise CannotBe("No fight can be forecast from what you know.", code="fight/unforeseen")
    fought, battle = fight
    outlook = await _foresee(request, fought, battle)
    kinds = await asyncio.to_thread(_armed, fought, battle, view.table)
    policies = {
        side: ", ".join(filter(None, (query.one(f"policy.{side}"), query.one(f"retreat.{side}"))))
        for side in battle.sides
    }
    changed, other, problem = _changed(fought, battle, kinds, query), None, ""
    if _who_stands(changed) != _who_stands(battle) or set(policies.values()) - {"", fought.policy}:
        try:
            other = await _foresee(request, fought, changed, policies)
        except BadInput as refused:
            problem = str(refused)
    return page(
        request,
        "pages/forecast.html",
        view=view,
        outlook=outlook,
        other=other,
        problem=problem,
        kinds=kinds,
        now=query,
        fought=fought,
        sides=battle.sides,
        retreats=RETREATS,
    )


@get(path("plan"))
async def plan(request: AtTable) -> Answer:
    """The chances of a fight of people who are picked, for the GM before it begins."""
    return await _plan_page(request, read_query(request))


@post(path("plan_begin"))
async def plan_begin(request: AtTable) -> Answer:
    """The planned fight begins, with as many of each as were picked."""
    form = await read_form(request)
    sides = _picked(view_in(request.projection), form)
    ours, theirs = (tuple(sides[side]) for side in SIDES)
    command = BeginFight(id=form.command(), ours=ours, theirs=theirs)
    try:
        await request.do(command)
    except shown_errors(request) as refused:
        return await _plan_page(request, form, str(refused))
    return request.done("#fight")


async def _plan_page(request: AtTable, query: Form, problem: str = "") -> Answer:
    request.must_be_gm("Only the GM can plan fights.")
    projection = request.projection
    view = view_in(projection)
    sides, refused = _picked(view, query), bool(problem)
    outlook = None
    if all(sides.values()) and not refused:
        try:
            outlook = await _foresee(request, *_gathered(projection, view, sides))
        except BadInput as unforeseen:
            problem = str(unforeseen)
    return page(
        request,
        "pages/plan.html",
        status=422 if refused else 200,
        view=view,
        outlook=outlook,
        problem=problem,
        sides=SIDES,
        people=list(view.table.in_play()),
        now=query,
        planned=sides,
        fights=projection.game.has_move("fight") and view.fight is None,
    )


def kinds_of(battle: Battle) -> list[Kind]:
    """The kinds of fighters in a battle, in its order."""
    kinds: dict[tuple[str, Numbers, int], list[str]] = {}
    for one in battle.combatants:
        kinds.setdefault((one.side, one.numbers, one.health), []).append(one.name)
    return [Kind(*key, tuple(names)) for key, names in kinds.items()]


def _armed(fought: Fought, battle: Battle, table: Table) -> list[Kind]:
    """The kinds of fighters with the weapons that this seat knows of."""
    found = []
    for kind in kinds_of(battle):
        known = (fought.weapons(table, o.id) for o in table.in_play() if o.name in kind.names)
        weapons = next((one for one in known if kind.numbers in one.values()), {})
        found.append(replace(kind, weapons=weapons))
    return found


def _who_stands(battle: Battle) -> Counter[Combatant]:
    """The fighters who are up, in no order: equal ones may be listed apart or together."""
    return Counter(one for one in battle.combatants if one.health > 0)


def _changed(fought: Fought, battle: Battle, kinds: Sequence[Kind], query: Form) -> Battle:
    """The battle with the numbers, healths and weapons of the query; nonsense is ignored."""
    first = {(one.side, one.numbers, one.health): one for one in reversed(battle.combatants)}
    fighters: list[Combatant] = []
    for number, kind in enumerate(kinds):
        many = query.whole(f"many.{number}", kind.many, MOST)
        left = fought.left(kind.numbers, kind.health)
        now = query.whole(f"health.{number}", left, HALEST)
        health = fought.set_left(kind.numbers, kind.health, now) if now != left else kind.health
        armed = kind.weapons.get(query.one(f"weapon.{number}"), kind.numbers)
        one = replace(first[kind.key], numbers=armed)
        names = [*kind.names[:many], *[""] * (many - kind.many)]
        fighters += [replace(one, health=health, name=name) for name in names if health]
    return replace(battle, combatants=tuple(fighters))


def _picked(view: View, query: Form) -> dict[str, list[str]]:
    """The ids of the picked people by side, repeated for several of one."""
    sides: dict[str, list[str]] = {side: [] for side in SIDES}
    for one in view.table.in_play():
        side = query.one(f"side.{one.id}")
        if side in sides:
            sides[side] += [one.id] * query.whole(f"many.{one.id}", 1, MOST)
    return sides


def _gathered(
    projection: Projection, view: View, sides: Mapping[str, Sequence[str]]
) -> tuple[Fought, Battle]:
    """The battle of the picked people. Errors: CannotBe for people that have no fight."""
    for fought in projection.game.fights.values():
        battle = fought.gather(view.table, sides)
        if battle is not None:
            return fought, battle
    raise CannotBe(
        "This fight cannot be forecast: a fighter has no numbers for a fight, or one side is "
        "already down.",
        code="fight/unforeseen",
    )


async def _foresee(
    request: AtTable,
    fought: Fought,
    battle: Battle,
    policies: Mapping[str, str] | str = "",
) -> Forecast:
    asked = (fought, battle, None, policies)
    try:
        outlook: Forecast = await request.server.aside.ask(
            request.asker, foresee, *asked, within=_WITHIN
        )
    except (NotSolved, NeverEnds) as refused:
        raise CannotBe(str(refused), code="fight/unforeseen") from refused
    return outlook
