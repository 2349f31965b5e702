"""When the list of basic talents changes in mid-campaign: the GM says what becomes of levels."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import Entity, Json, Result, Table
from kitchentable.rules.refit import Numbers, Place, refit, refit_move
from kitchentable.rulesets.objects.options import basics, setting, types
from kitchentable.rulesets.objects.thing import HIGHEST, LOWEST, numbers_known


def _places(table: Table, entity: Entity) -> tuple[Place, ...] | None:
    """The basic talents of somebody's type; None for a type that was struck out.

    Where a table no longer tells them apart, those there are stay (objects.2.3-split-optional).
    """
    known = {one.key for one in types(table.options)}
    if entity.kind not in known or not setting(table.options, "use_split"):
        return None
    if not numbers_known(entity) or not isinstance(entity.sheet.get("basic"), Mapping):
        return None
    return tuple(
        Place(one.key, one.name, LOWEST, HIGHEST, LOWEST)
        for one in basics(table.options, entity.kind)
    )


BASICS = Numbers("basic", _places, "objects.2.3-basic-talents", may_stay=True)
REFIT = refit_move((BASICS,))


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """The GM is asked at which level a new basic talent begins, and what becomes of one struck out.

    objects.2.3-basic-talents. Until then a new one stands at 0, and who has an old one rolls on it.
    """
    names = {
        f"{BASICS.key}.{one.key}": one.name for kind in types(was) for one in basics(was, kind.key)
    }
    return refit(table, (BASICS,), names, "Basic talents")
