"""The options of a campaign, and the optional rules that the mechanics get from them.

data/options.toml defines the options.
"""

from __future__ import annotations

from kitchentable.rules import Table
from kitchentable.rules.kit.settings import Settings
from kitchentable.rulesets.toaster.book import BOOK, rows
from kitchentable.rulesets.toaster.mechanics.damage import Tables, Ways
from kitchentable.rulesets.toaster.mechanics.stars import NO_LIMIT, Extended
from kitchentable.rulesets.toaster.mechanics.tables import Locations, read_criticals
from kitchentable.rulesets.toaster.mechanics.to_hit import Rules

#: The purposes of a d10* roll. Actions include attacks, defenses and luck rolls.
ACTION, DAMAGE, PROTECTION, HEALING, MORTALITY, LUCK = (
    "action",
    "damage",
    "protection",
    "healing",
    "mortality",
    "luck",
)

_TRIED = frozenset({ACTION, HEALING, LUCK})
_CALLABLE = {MORTALITY: "fours_mortality", HEALING: "fours_healing", LUCK: "fours_luck_roll"}


class Options(Settings, options=BOOK.options):
    """The options of Toaster that code reads by name, with their types."""

    style: str
    trait_rank_cap: int | None
    starting_money: str
    extra_attribute_points: int | None
    rank_words: str
    specialty_skills: int | None
    martial_arts_price: str
    size_odd: str
    nines_limit: int
    nines_scope: str
    tiebreaker: str
    tiebreaker_own: str
    difficulty_shown: str
    outcome_prompts: str
    complementary_max: int
    collab_min_rank: int | None
    collab_max_gap: int | None
    collab_max_helpers: int | None
    luck_multiplier: int
    luck_offset: int
    luck_return: str
    luck_buyback_xp: int
    luck_roll_cost: int
    round_seconds: int
    actions_per_round: int
    combat_marginal_band: str
    aim_bonus: int
    mental_wound_penalty: str
    mortality_roll: str
    bleeding_aid: str
    medical_skills: str
    stun_recovery_percent: int
    healing_modifier: int
    healing_days: int
    hit_location_side: str
    limb_disabled_at: int

    def extended(self, scope: str = ACTION) -> Extended:
        """The extreme results that a die for this purpose can have.

        The rule of zeros applies only to attempts, not to damage, protection and mortality
        (toaster.3.zeros-scope). toaster.3.nines-scope.

        >>> Options({"rolling_nines": True, "rolling_zeros": True}).extended("damage")
        Extended(nines=1, zeros=False)
        >>> Options({"rolling_nines": True, "nines_limit": 0}).extended()
        Extended(nines=-1, zeros=False)
        """
        everywhere = self.nines_scope == "all" or scope in {ACTION, LUCK}
        nines = self.nines_limit or NO_LIMIT
        return Extended(
            nines if self.rolling_nines and everywhere else 0,
            self.rolling_zeros and scope in _TRIED,
        )

    def may_call(self, scope: str = ACTION) -> bool:
        """Whether a player may call a 4 instead of rolling.

        For actions, damage and protection the option is enough; other rolls need an option of their
        own (toaster.3.call4-damage, toaster.3.call4-before).

        >>> fours = Options({"calling_fours": True})
        >>> fours.may_call(), fours.may_call("mortality")
        (True, False)
        """
        return self.calling_fours and (scope not in _CALLABLE or bool(self[_CALLABLE[scope]]))

    @property
    def uses_luck(self) -> bool:
        """Whether characters can spend luck in this campaign."""
        return self.luck_points or bool(self.luck_rolls and self.luck_roll_cost)

    @property
    def to_hit(self) -> Rules:
        """The optional rules for attack and defense.

        toaster.4.defence-marginal, toaster.4.attack-fumble.
        """
        wide = self.combat_marginal_band == "minus-one-to-plus-one"
        return Rules(self.extended(), self.variable_outcomes, self.variable_outcomes and wide)

    def damage(self, table: Table, locations: Locations = ()) -> Ways:
        """The optional rules for damage, with the campaign's own tables (toaster.4.tables-custom).

        Same die leaves no second die to roll (toaster.4.opt-wcac-integrate), even in older
        campaigns that have both options. The effects on critical and marginal hits need variable
        outcomes.
        """
        bands, fumbled = self.variable_outcomes, self.critical_fumble_table
        critical = bands and (self.wcac_critical_table or fumbled)
        return Ways(
            self.extended(DAMAGE),
            self.extended(PROTECTION),
            self.wcac_same_die,
            self.wcac_add_margin,
            bands and self.wcac_double_roll and not self.wcac_same_die,
            bands and self.wcac_halve_marginal,
            critical,
            fumbled,
            Tables(
                read_criticals(rows(table, "criticals")) if critical or fumbled else (), locations
            ),
            self.hit_location_side == "coin",
        )
