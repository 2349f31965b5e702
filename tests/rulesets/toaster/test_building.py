"""Checks of a sheet: points, balance of traits, and the GM's permissions."""

from typing import Any

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules import Table
from kitchentable.rules.errors import BadAnswers
from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.book import rows
from kitchentable.rulesets.toaster.character.attributes import attribute_word
from kitchentable.rulesets.toaster.character.listing import (
    cost_of_steps,
    played,
    price,
    skill_name,
)
from tests.rulesets.driver import GM
from tests.rulesets.toaster.people import entity, evening, line, person, sheet, table, trait

NATIVE = line("language:English", 4, native=True)


def found(
    built: dict[str, Any], here: Table | None = None, *, refused: bool = True, **more
) -> dict:
    """The rules that a player's draft breaks, or that it should mind, with their sentences."""
    one = entity(built, stage="draft", **more)
    problems = game.sheet.check(here or table(), one, "creation")
    return {p.rule: p.sentence for p in problems if p.refuses == refused}


def spent(built: dict[str, Any], **options: Any) -> Any:
    return person(entity(built), table(**options)).skills_spent


# ---------------------------------------------------------------- points


@pytest.mark.rule("toaster.2.creation-style", "toaster.2.creation-style-table")
def test_the_style_fixes_what_there_is_to_spend():
    wanted = {
        "average": (16, 45, 0),
        "above-average": (20, 55, 3),
        "heroic": (24, 65, 6),
        "larger-than-life": (28, 75, 9),
    }
    one = entity(sheet())
    for key, numbers in wanted.items():
        here = table(style=key)
        assert (
            person(one, here).attribute_budget,
            person(one, here).skill_budget,
            person(one, here).free_ranks,
        ) == numbers
    captain = entity(sheet(style="heroic"), owner="gm")
    assert person(captain).style["key"] == "heroic"
    assert person(entity(sheet(style="heroic"))).style["key"] == "above-average"


@pytest.mark.rule("toaster.2.creation-attribute-points", "toaster.2.attribute-range")
def test_attribute_points_are_spent_one_for_one():
    here = table(style="average")
    rule = "toaster.2.creation-attribute-points"
    assert rule not in found(sheet((5, 4, 4, 3)), here)
    assert found(sheet((5, 5, 4, 3)), here)[rule] == "17 attribute points spent of 16."
    assert rule in found(sheet((4, 4, 4, 3)), here, refused=False)
    assert "toaster.2.attribute-range" in found(sheet((-1, 4, 4, 4)))
    assert "toaster.2.attribute-range" not in found(sheet((0, 10, 5, 5)))


@pytest.mark.rule("toaster.2.trait-attribute-timing", "toaster.2.trait-experience")
def test_traits_cost_no_points_and_experience_brings_some():
    here = table(style="average")
    stronger = sheet((4, 4, 4, 4), traits=(trait("attributes", 2, "physique"),))
    assert "toaster.2.creation-attribute-points" not in found(stronger, here)
    assert person(entity(stronger), here).attribute("physique") == 5
    for rank, points in ((3, 70), (-2, 45), (1, 60)):
        assert person(entity(sheet(traits=(trait("experience", rank),)))).skill_budget == points


@pytest.mark.rule(
    "toaster.2.creation-skill-points",
    "toaster.2.skill-language-native",
    "toaster.2.skillcost-default",
)
def test_skill_points_buy_bases_and_the_native_language_starts_at_4():
    bought = sheet() | {"skills": [line("climb", 5), line("language:English", 6, native=True)]}
    assert spent(bought) == 7
    assert spent(sheet() | {"skills": [NATIVE]}) == 0
    too_much = sheet() | {"skills": [line("climb", 10), *(line(k, 10) for k in MANY), NATIVE]}
    assert found(too_much)["toaster.2.creation-skill-points"] == "60 skill points spent of 55."
    low = sheet() | {"skills": [line("language:English", 3, native=True)]}
    assert "toaster.2.skill-language-native" in found(low)
    two = sheet() | {"skills": [NATIVE, line("language:Latin", 4, native=True)]}
    assert "toaster.2.skill-language-native" in found(two)
    rider = sheet() | {"skills": [line("ride", 4, native=True)]}
    assert "toaster.2.skill-language-native" in found(rider)
    assert "toaster.2.skill-language-native" in found(sheet(), refused=False)


MANY = ("run", "swim", "track", "stealth", "drive")


@pytest.mark.rule(
    "toaster.2.skillcost-switch",
    "toaster.2.skillcost-table",
    "toaster.2.skillcost-compute",
    "toaster.2.skillcost-exotic",
    "toaster.2.skillcost-usefulness",
)
def test_skills_may_differ_in_price():
    prices = {one["name"]: one["price"] for one in rows(table(), "costs")}
    assert prices == {
        "Easy": 0.5,
        "Average": 1.0,
        "Challenging": 1.5,
        "Difficult": 2.0,
        "Very Difficult": 2.5,
    }
    kinds = {"run": "easy", "climb": "challenging", "track": "difficult", "act": "very-difficult"}
    edits = {"skills": {key: {"price": kind} for key, kind in kinds.items()}}
    edits["skills"]["seduction"] = {"price": "4"}
    on = Table({**game.defaults(), "variable_skill_cost": True}, own={"data": edits})
    off = Table(game.defaults(), own={"data": edits})
    assert cost_of_steps(on, "track", 2, 3) == 2
    assert cost_of_steps(on, "climb", 5, 8) == 4.5
    assert cost_of_steps(on, "run", 0, 5) == 2.5
    assert cost_of_steps(on, "act", 0, 4) == 10
    assert cost_of_steps(on, "seduction", 0, 3) == 12
    assert cost_of_steps(on, "ride", 0, 3) == 3
    assert cost_of_steps(off, "track", 2, 3) == 1


@pytest.mark.rule("toaster.2.skill-martial-cost", "toaster.2.skill-martial-form")
def test_martial_arts_cost_more_and_have_a_form():
    arts = sheet() | {"skills": [line("martial-arts", 4), NATIVE]}
    assert (spent(arts), spent(arts, martial_arts_price="2")) == (6, 8)
    assert price(table(martial_arts_price="1"), "martial-arts") == 1
    assert "toaster.2.skill-martial-form" in found(arts)
    boxing = sheet() | {"skills": [line("martial-arts", 4, note="Boxing"), NATIVE]}
    assert "toaster.2.skill-martial-form" not in found(boxing)


# ---------------------------------------------------------------- the list of skills


@pytest.mark.rule(
    "toaster.2.skills-list",
    "toaster.2.skills-campaign-list",
    "toaster.2.skills-groups",
    "toaster.2.skills-breadth",
)
def test_only_what_is_on_the_list_can_be_bought():
    listing = played(table(), "skills")
    groups = [one["short"] for one in listing if one["group"]]
    assert (len(listing), len(groups)) == (35, 7)
    linked = {one["key"]: one["attributes"] for one in listing}
    assert linked["ride"] == ["coordination", "aura"]
    assert linked["streetwise"] == ["intellect", "aura"]
    assert linked["lip-reading"] == ["intellect"]
    unlisted = sheet() | {"skills": [line("sorcery", 3), NATIVE]}
    assert "toaster.2.skills-campaign-list" in found(unlisted)
    assert "toaster.2.skills-groups" in found(sheet() | {"skills": [line("language", 3)]})
    assert "toaster.2.skills-groups" in found(sheet() | {"skills": [line("ride:Horse", 3)]})
    twice = sheet() | {"skills": [line("ride", 3), line("ride", 4)]}
    assert "toaster.2.skills-groups" in found(twice)
    narrow = [line("social-science:History of one war", 3)]
    broad = [line("social-science:History of a century", 3)]
    assert not found(sheet((5, 5, 5, 5)) | {"skills": [*narrow, *broad, NATIVE]})


@pytest.mark.rule("toaster.2.skills-groups-setting", "toaster.2.skill-weapon-groups")
def test_weapon_skills_are_those_of_the_table():
    assert not found(sheet((5, 5, 5, 5)) | {"skills": [line("weapon-skill:Sword", 3), NATIVE]})
    scythe = sheet() | {"skills": [line("weapon-skill:Scythe", 3), NATIVE]}
    assert "toaster.2.skills-groups-setting" in found(scythe)
    own = {"members": {"scythe": {"skill": "weapon-skill", "name": "Scythe"}}}
    here = Table(game.defaults(), own={"data": own})
    assert "toaster.2.skills-groups-setting" not in found(scythe, here)
    armed = entity(sheet(weapons=("saber", "bow", "thrown-spear")))
    assert [one.skill for one in person(armed).weapons] == [
        *("weapon-skill:Sword", "weapon-skill:Bow", "throw", "brawl", "brawl")
    ]
    chair = next(one for one in rows(table(), "weapon_skills") if one["key"] == "chair")
    assert chair["skill"] == "weapon-skill:Improvised"


@pytest.mark.rule("toaster.2.skill-attribute-choice")
def test_another_attribute_than_the_lists_is_to_be_agreed_on():
    odd = sheet() | {"skills": [line("climb", 3, attribute="physique"), NATIVE]}
    assert "toaster.2.skill-attribute-choice" in found(odd, refused=False)
    strange = sheet() | {"skills": [line("climb", 3, attribute="charm"), NATIVE]}
    assert "toaster.2.skill-attribute-choice" in found(strange)


@pytest.mark.rule("toaster.2.skill-language-literacy")
def test_reading_is_a_skill_of_its_own_where_few_people_read():
    reader = sheet((5, 5, 5, 5)) | {"skills": [line("literacy:English", 2), NATIVE]}
    assert "toaster.2.skills-campaign-list" in found(reader)
    apart = table(literacy_separate=True)
    assert not found(reader, apart)
    assert skill_name(apart, "literacy:English") == "Reading: English"
    assert spent(reader, literacy_separate=True) == 2


# ---------------------------------------------------------------- traits


@pytest.mark.rule("toaster.2.trait-range", "toaster.2.trait-catalogue")
def test_ranks_of_traits_go_from_minus_5_to_5():
    kinds = rows(table(), "trait_kinds")
    assert [one["key"] for one in kinds][-1] == "custom"
    assert len(kinds) == 12
    assert "toaster.2.trait-connections" in found(sheet(traits=(trait("connections", 6),)))
    assert "toaster.2.trait-range" in found(sheet(traits=(trait("custom", -6),)))
    assert "toaster.2.trait-catalogue" in found(sheet(traits=(trait("fate", 1),)))
    assert "toaster.2.trait-range" in found(sheet(traits=(trait("size", 12),), supernatural=True))


@pytest.mark.rule("toaster.2.trait-size-human-limit", "toaster.2.trait-size-descriptors")
def test_only_what_is_not_human_can_be_a_giant_and_the_gm_has_to_allow_it():
    rule = "toaster.2.trait-size-human-limit"
    giant = sheet(traits=(trait("size", 8), trait("custom", -5), trait("custom", -3, name="b")))
    assert rule in found(giant)
    supernatural = giant | {"supernatural": True}
    assert rule not in found(supernatural)
    handed_in = entity(supernatural, stage="submitted")
    assert rule in {p.rule for p in game.sheet.check(table(), handed_in, "creation") if p.refuses}
    tag = game.sheet.summary(table(), entity(supernatural)).tags[0]
    assert (tag.text, tag.marked) == ("size +8", "as large as an elephant or a small dwelling")


@pytest.mark.rule(
    "toaster.2.trait-addiction",
    "toaster.2.trait-connections",
    "toaster.2.trait-senses",
    "toaster.2.trait-personality",
)
def test_what_some_kinds_of_trait_ask_for():
    assert "toaster.2.trait-addiction" in found(sheet(traits=(trait("addiction", 2),)))
    assert "toaster.2.trait-addiction" in found(sheet(traits=(trait("addiction", -5, note=""),)))
    assert "toaster.2.trait-addiction" not in found(sheet(traits=(trait("addiction", -5),)))
    assert "toaster.2.trait-addiction" not in found(sheet(traits=(trait("addiction", 0, note=""),)))
    for kind, rank in (("connections", -1), ("obligations", 1)):
        assert "toaster.2.trait-connections" in found(sheet(traits=(trait(kind, rank),)))
        assert "toaster.2.trait-connections" in found(sheet(traits=(trait(kind, -rank, note=""),)))
        assert "toaster.2.trait-connections" not in found(sheet(traits=(trait(kind, -rank),)))
    assert "toaster.2.trait-senses" in found(sheet(traits=(trait("senses", 2, note=""),)))
    brave = sheet(traits=(trait("personality", 2),))
    assert "toaster.2.trait-personality" in found(brave, refused=False)


@pytest.mark.rule("toaster.2.trait-attribute-whole", "toaster.2.trait-attribute-sub")
def test_an_odd_rank_is_none_for_a_whole_attribute():
    odd = sheet(traits=(trait("attributes", 3, "physique"),))
    assert "toaster.2.trait-attribute-whole" in found(odd)
    whole = sheet(traits=(trait("attributes", -2, "Aura"),))
    assert "toaster.2.trait-attribute-whole" not in found(whole)
    part = sheet(traits=(trait("attributes", 3, "Strength"),))
    assert "toaster.2.trait-attribute-whole" not in found(part)
    assert "toaster.2.trait-attribute-sub" in found(sheet(traits=(trait("attributes", 2, ""),)))


@pytest.mark.rule("toaster.2.trait-package-size", "toaster.2.trait-package-cap")
def test_a_package_holds_four_to_six_skills_and_no_base_above_10():
    names = ["Run", "Swim", "Track", "Climb", "Drive", "Ride", "Act"]
    rule = "toaster.2.trait-package-size"
    for count, wrong in ((3, True), (4, False), (5, False), (6, False), (7, True)):
        built = sheet(traits=(trait("package", 1, ", ".join(names[:count])),))
        assert (rule in found(built)) is wrong, count
    unknown = sheet(traits=(trait("package", 1, "Run, Swim, Track, Sorcery"),))
    assert "toaster.2.skills-campaign-list" in found(unknown)
    package = trait("package", 4, ", ".join(names[:4]), "Sporty")
    athlete = sheet(skills={"run": 8}, traits=(package,))
    assert person(entity(athlete)).base("run") == 10
    assert "toaster.2.trait-package-cap" in found(athlete, refused=False)
    allowed = {"granted": {"package:Sporty": {"verdict": "accepted", "word": ""}}}
    assert person(entity(athlete, state=allowed)).base("run") == 12
    clumsy = sheet(traits=(trait("package", -2, ", ".join(names[:4]), "Clumsy"),))
    handed_in = game.sheet.check(table(), entity(clumsy, stage="submitted"), "creation")
    assert "toaster.2.trait-package-cap" in {p.rule for p in handed_in if p.refuses}


@pytest.mark.rule("toaster.2.creation-traits-sum", "toaster.2.creation-free-traits")
def test_ranks_balance_but_for_the_free_ones():
    plain, free = "toaster.2.creation-traits-sum", "toaster.2.creation-free-traits"

    def ranks(*numbers: int, style: str) -> dict:
        traits = tuple(trait("custom", n, name=f"{place}") for place, n in enumerate(numbers))
        return found(sheet(traits=traits), table(style=style))

    assert plain not in ranks(3, -1, -1, -1, style="average")
    assert plain in ranks(3, -2, style="average")
    for total, wrong in ((3, False), (0, False), (4, True), (-1, True)):
        assert (free in ranks(total, style="above-average")) is wrong, total


@pytest.mark.rule("toaster.2.creation-free-traits-may")
def test_a_table_can_leave_the_free_ranks_out():
    granted, without = table(style="heroic"), table(style="heroic", free_traits=False)
    assert (person(entity(), granted).free_ranks, person(entity(), without).free_ranks) == (6, 0)
    brave = sheet(traits=(trait("custom", 2),))
    assert "toaster.2.creation-traits-sum" in found(brave, without)


@pytest.mark.rule("toaster.2.creation-traits-cap", "toaster.2.creation-traits-cap-free")
def test_a_limit_on_ranks_leaves_the_free_ones_out_unless_it_is_said():
    rule = "toaster.2.creation-traits-cap"

    def ranks(*numbers: int, **options) -> dict:
        traits = tuple(trait("custom", n, name=f"{place}") for place, n in enumerate(numbers))
        return found(sheet(traits=traits), table(trait_rank_cap=5, **options))

    assert rule not in ranks(3, 2, -5, style="average")
    assert rule in ranks(4, 2, -5, -1, style="average")
    assert rule not in ranks(4, 2, -3)  # above average: three of the six are free
    assert rule in ranks(4, 2, -3, trait_cap_counts_free=True)
    assert "negative" in ranks(5, 1, -4, -2, style="average")[rule]


@pytest.mark.rule(
    "toaster.2.trait-ranking-table",
    "toaster.2.trait-ranking-guideline",
    "toaster.2.trait-ranking-meaning",
)
def test_the_guide_proposes_and_what_is_agreed_holds():
    guide = {one["key"]: (one["rare"], one["common"], one["constant"]) for one in SEVERITY}
    assert guide == {"minor": (1, 2, 3), "moderate": (2, 3, 4), "major": (3, 4, 5)}
    agreed = trait("custom", 2, severity="moderate", frequency="common")
    one = entity(sheet(traits=(agreed,)), stage="draft")
    notes = next(s for s in game.sheet.sections(table(), one) if s.key == "traits").row_notes
    assert notes["traits.0"] == "Moderate. The guide says 3; what you agree on holds."
    assert person(one).traits[0].rank == 2


SEVERITY = rows(table(), "severity")


@pytest.mark.rule("toaster.2.creation-concept", "toaster.2.creation-possessions")
def test_a_character_begins_with_an_idea_and_some_things():
    assert "toaster.2.creation-concept" in found(sheet(about=" "), refused=False)
    assert "toaster.2.creation-concept" not in found(sheet(), refused=False)
    blank = game.sheet.blank(table(starting_money="30 gold coins"), "pc")
    assert blank["money"] == "30 gold coins"
    gear = next(
        s
        for s in game.sheet.sections(table(starting_money="30 gold coins"), entity())
        if s.key == "gear"
    )
    assert gear.help == "To begin with: 30 gold coins."
    assert {f.name for f in gear.fields} == {"weapons", "armour", "shield", "possessions", "money"}


# ---------------------------------------------------------------- the GM's leave


@pytest.mark.rule(
    "toaster.2.attribute-superhuman",
    "toaster.2.skill-base-over-10",
    "toaster.2.creation-interactive",
)
def test_what_is_more_than_human_waits_for_the_gm():
    one = evening()
    kinds = [(kind.key, kind.made_by) for kind in one.game.sheet.kinds(one.table)]
    assert kinds[0] == ("pc", "player")
    assert [made_by for _, made_by in kinds[1:]] == ["gm"] * 3
    one.do("ana", c.MakeEntity, kind="pc", name="Ajax")
    ident = next(iter(one.table.entities))
    built = sheet((12, 2, 3, 3)) | {"skills": [line("run", 12), NATIVE]}
    built = {key: value for key, value in built.items() if key in one.entity(ident).sheet}
    one.do("ana", c.SaveSheet, entity=ident, raw=flat(built))
    one.do("ana", c.SubmitSheet, entity=ident)
    assert one.entity(ident).stage == "submitted"
    with pytest.raises(BadAnswers) as refused:
        one.do(GM, c.DecideSheet, entity=ident, accept=True)
    rules = {problem.rule for problem in refused.value.problems}
    assert rules == {"toaster.2.attribute-superhuman", "toaster.2.skill-base-over-10"}
    superhuman, base = one.asks("allow", ident)
    one.answer(GM, superhuman, verdict="accepted")
    one.answer(GM, base, verdict="accepted", word="A runner without talent.")
    assert one.card["sentence"].endswith("A runner without talent.")
    one.do(GM, c.DecideSheet, entity=ident, accept=True)
    assert one.entity(ident).stage == "play"
    assert attribute_word(one.table, 12) == "Superhuman"
    assert person(one.entity(ident), one.table).rank("run") == 7
    assert not one.asks("allow")


def flat(built: dict[str, Any]) -> dict[str, Any]:
    """A sheet as a form would send it."""
    raw = {key: value for key, value in built.items() if not isinstance(value, dict)}
    return raw | {f"attributes.{key}": rank for key, rank in built["attributes"].items()}
