"""Changes of the list of basic talents during a campaign; the GM decides on levels."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import Entity, Result, Table
from kitchentable.rules.kit import Values
from kitchentable.rules.sheet_migration import Numbers, Place, migrate, migration_move
from kitchentable.rulesets.objects.options import Options
from kitchentable.rulesets.objects.thing import HIGHEST, LOWEST, Thing, objects


def _places(table: Table, entity: Entity) -> tuple[Place, ...] | None:
    """The basic talents of an object's type; None for a removed type.

    If the table no longer separates them, the existing ones stay (objects.2.3-split-optional).
    """
    me = Thing(table, entity)
    known = {one.key for one in me.options.types}
    has = me.is_known and isinstance(entity.sheet.get("basic"), Mapping)
    if not has or entity.kind not in known or not me.options.use_split:
        return None
    return tuple(
        Place(one.key, one.name, LOWEST, HIGHEST, LOWEST) for one in me.options.basics(entity.kind)
    )


BASICS = Numbers("basic", _places, "objects.2.3-basic-talents", may_stay=True)
MIGRATION = migration_move(objects, (BASICS,))


def options_changed(table: Table, was: Values) -> Result:
    """Ask the GM for the levels of new basic talents and the fate of removed ones.

    objects.2.3-basic-talents. Until then new talents are at 0, and removed ones can still be
    rolled.
    """
    before = Options(was)
    names = {
        f"{BASICS.key}.{one.key}": one.name
        for kind in before.types
        for one in before.basics(kind.key)
    }
    return migrate(table, (BASICS,), names, "Basic talents")
