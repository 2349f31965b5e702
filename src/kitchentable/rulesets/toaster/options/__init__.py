"""What a table may set; the options themselves stand in data/options.toml."""

from __future__ import annotations

from kitchentable.rules.kit.settings import Settings, read_options
from kitchentable.rules.toml.document import read_part
from kitchentable.rulesets.toaster.book import OPTION_ROWS

OPTIONS = read_part(OPTION_ROWS, "rulesets/toaster/data/options.toml", read_options)


class Options(Settings, options=OPTIONS):
    """The options of Toaster, with their types."""

    style: str
    free_traits: bool
    trait_rank_cap: int | None
    trait_cap_counts_free: bool
    starting_money: str
    npc_open: bool
    other_attributes: bool
    extra_attribute_points: int | None
    skill_several_ranks: bool
    rank_words: str
    specialization: bool
    specialty_skills: int | None
    variable_skill_cost: bool
    martial_arts_price: str
    literacy_separate: bool
    size_grows: bool
    size_odd: str
    rolling_nines: bool
    nines_limit: int
    nines_scope: str
    rolling_zeros: bool
    calling_fours: bool
    fours_mortality: bool
    fours_healing: bool
    fours_luck_roll: bool
    variable_outcomes: bool
    tiebreaker: str
    tiebreaker_own: str
    difficulty_shown: str
    outcome_prompts: str
    roll_when_sure: bool
    related_modifier: int
    complementary_skills: bool
    complementary_max: int
    collaboration: bool
    collab_min_rank: int | None
    collab_max_gap: int | None
    collab_max_helpers: int | None
    disguise_in_act: bool
    luck_points: bool
    luck_multiplier: int
    luck_offset: int
    luck_on_damage: bool
    luck_blind: bool
    luck_return: str
    luck_buyback_xp: int
    luck_above_start: bool
    luck_rolls: bool
    luck_roll_cost: int
    round_seconds: int
    actions_per_round: int
    initiative_penalties: bool
    initiative_cost: int
    defence_uses_action: bool
    combat_marginal_band: str
    martial_arts_campaign: bool
    weapon_length: bool
    stance: bool
    aim_bonus: int
    wcac_same_die: bool
    wcac_critical_table: bool
    wcac_add_margin: bool
    wcac_double_roll: bool
    wcac_halve_marginal: bool
    strength_requirements: bool
    partial_armor: bool
    shield_attack_penalty: bool
    reinforced_fist_armed: bool
    mental_wound_penalty: str
    mortality_roll: str
    medical_stabilises: bool
    unnamed_characters: bool
    bleeding: bool
    bleeding_aid: str
    medical_skills: str
    stun_recovery_percent: int
    healing_modifier: int
    healing_days: int
    critical_fumble_table: bool
    hit_location: bool
    hit_location_side: str
    limb_disabled_at: int
