"""The options for fights as the mechanics take them."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import Json
from kitchentable.rulesets.toaster.mechanics.damage import Tables, Ways
from kitchentable.rulesets.toaster.mechanics.tables import Criticals, Locations
from kitchentable.rulesets.toaster.mechanics.to_hit import Rules
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.options.stars import DAMAGE, PROTECTION, extended


def rules_by(given: Mapping[str, Json]) -> Rules:
    """The optional rules for attack and defence.

    toaster.4.defence-marginal, toaster.4.attack-fumble.
    """
    options = Options(given)
    bands = options.variable_outcomes
    wide = options.combat_marginal_band == "minus-one-to-plus-one"
    return Rules(extended(given), bands, bands and wide)


def ways_by(
    given: Mapping[str, Json], criticals: Criticals, locations: Locations, *, coin: bool = True
) -> Ways:
    """The optional rules for damage, with the tables as they hold here.

    Same die leaves no second die to roll (toaster.4.opt-wcac-integrate), also where both were on
    before a table refused that; what speaks of critical and marginal hits needs variable outcomes.
    """
    options = Options(given)
    bands = options.variable_outcomes
    fumbled = options.critical_fumble_table
    critical = bands and (options.wcac_critical_table or fumbled)
    same = options.wcac_same_die
    return Ways(
        extended(given, DAMAGE),
        extended(given, PROTECTION),
        same,
        options.wcac_add_margin,
        bands and options.wcac_double_roll and not same,
        bands and options.wcac_halve_marginal,
        critical,
        fumbled,
        Tables(criticals if critical or fumbled else (), locations),
        coin,
    )
