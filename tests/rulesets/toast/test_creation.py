"""Making a character: the list of traits, its points, perks and possessions."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rulesets.toast import game
from kitchentable.rulesets.toast.options import Options
from kitchentable.rulesets.toast.sheet import levels_of
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero, sheet, spread

rule = pytest.mark.rule
NAMES = [
    *("Aesthetics", "Athletics", "Aim", "Attack", "Defense", "Dexterity", "Health"),
    *("Initiative", "Knowing", "Perception", "Social", "Strength", "Willpower"),
]


def draft(one, raw=None, player="ana", name="Mara"):
    one.do(player, c.MakeEntity, kind="pc", name=name)
    (who,) = (e.id for e in one.table.owned_by(player) if e.stage == "draft")
    if raw:
        one.do(player, c.SaveSheet, entity=who, raw=raw)
    return who


def levels(*values):
    keys = [one.key for one in Options(game.defaults()).traits]
    return {f"traits.{key}": value for key, value in zip(keys, values, strict=True)}


FOURS = (4,) * 13


def submit(one, raw, player="ana"):
    """Submit a draft made of this form; the problems that refuse it, () for none."""
    who = draft(one, raw, player)
    try:
        one.do(player, c.SubmitSheet, entity=who)
    except BadAnswers as refused:
        return refused.problems
    return ()


@rule(
    "toast.3-trait-aesthetics",
    "toast.3-trait-athletics",
    "toast.3-trait-aim",
    "toast.3-trait-attack",
    "toast.3-trait-defense",
    "toast.3-trait-dexterity",
    "toast.3-trait-health",
    "toast.3-trait-initiative",
    "toast.3-trait-knowing",
    "toast.3-trait-perception",
    "toast.3-trait-social",
    "toast.3-trait-strength",
    "toast.3-trait-willpower",
)
@pytest.mark.parametrize(
    ("name", "purpose"),
    [
        ("Aesthetics", "art"),
        ("Athletics", "leap"),
        ("Aim", "afar"),
        ("Attack", "close"),
        ("Defense", "blows and shots"),
        ("Dexterity", "fingers"),
        ("Health", "sickness"),
        ("Initiative", "in a fight"),
        ("Knowing", "learned"),
        ("Perception", "sense"),
        ("Social", "people"),
        ("Strength", "lift"),
        ("Willpower", "mind"),
    ],
)
def test_the_thirteen_traits_of_the_book_with_what_they_are_for(name, purpose):
    one = evening()
    assert [trait.name for trait in Options(one.table.options).traits] == NAMES
    mara = hero(one, "ana")
    section = one.game.sheet.sections(one.table, one.entity(mara))[0]
    (field,) = (field for field in section.fields if field.label == name)
    assert purpose in field.help.casefold()
    assert f"toast.3-trait-{name.lower()}" in game.rulebook
    assert game.rulebook[f"toast.3-trait-{name.lower()}"].title


@rule("toast.3-traits-define", "toast.3-same-list")
def test_everybody_has_a_level_for_each_trait_of_the_list():
    one = evening()
    mara, serk = hero(one, "ana"), foe(one)
    keys = [trait.key for trait in Options(one.table.options).traits]
    rows = [*game.defaults()["traits"], {"name": "Piloting", "purpose": "Fly.", "magic": False}]
    for entity in (mara, serk):
        assert list(one.entity(entity).sheet["traits"]) == keys
        assert {type(level) for level in one.entity(entity).sheet["traits"].values()} == {int}
    one.do(GM, c.SetOptions, options={"traits": rows})
    for entity in (mara, serk):
        assert one.entity(entity).sheet["traits"]["piloting"] == 0
    strange = {**sheet(one), "traits": {**spread(one), "baking": 3}}
    with pytest.raises(BadAnswers) as refused:
        one.do(GM, c.MakeEntity, kind="minion", name="Cook", sheet=strange)
    assert refused.value.problems[0].rule == "toast.3-same-list"


@rule("toast.3-list-alter", "toast.3.1-recount")
def test_the_list_can_be_altered_and_all_follows():
    rows = game.defaults()["traits"][:11]
    rows = [*rows, {"name": "Magic"}, {"name": "Piloting"}, {"name": "Cooking"}]
    one = evening(traits=rows)
    assert levels_of(one.table).points == 56
    keys = [trait.key for trait in Options(one.table.options).traits]
    assert keys[-3:] == ["magic", "piloting", "cooking"]
    assert submit(one, {f"traits.{key}": 4 for key in keys}) == ()
    mara = hero(one, "ben", cooking=4)
    card = one.roll("ben", "task", mara, (7,), trait="cooking")
    assert card["sides"][0]["parts"] == [["Cooking", 4]]


@rule("toast.3.1-points")
@pytest.mark.parametrize(("count", "points"), [(13, 52), (12, 48), (14, 56), (10, 40), (1, 4)])
def test_four_points_for_each_trait(count, points):
    one = evening(traits=[{"name": f"Trait {n}"} for n in range(count)])
    assert levels_of(one.table).points == points


@rule("toast.3.1-distribute", "toast.3.1-zero-ok", "toast.3.1-max9")
@pytest.mark.parametrize(
    ("spent", "cited"),
    [
        (FOURS, None),
        ((9, 9, 9, 9, 9, 7, 0, 0, 0, 0, 0, 0, 0), None),
        ((5, *FOURS[1:]), "toast.3.1-distribute"),
        ((3, *FOURS[1:]), "toast.3.1-distribute"),
        ((10, 0, 2, *FOURS[3:]), "toast.3.1-max9"),
        ((9, 0, 3, *FOURS[3:]), None),
    ],
)
def test_the_points_have_to_come_out_even(spent, cited):
    one = evening()
    assert [problem.rule for problem in submit(one, levels(*spent))] == ([cited] if cited else [])


@rule("toast.3.1-distribute")
def test_a_draft_says_what_is_left_and_waits():
    one = evening()
    who = draft(one, levels(3, *FOURS[1:]))
    section = one.game.sheet.sections(one.table, one.entity(who))[0]
    assert (section.budget.spent, section.budget.of, section.budget.left) == (51, 52, 1)
    with pytest.raises(BadAnswers) as refused:
        one.do("ana", c.SubmitSheet, entity=who)
    assert str(refused.value) == "1 point left to spend."
    assert one.entity(who).stage == "draft"


@rule("toast.3.1-distribute")
@pytest.mark.parametrize("level", [-1, 2.5, "many"])
def test_levels_are_whole_and_not_below_zero(level):
    one = evening()
    who = draft(one)
    with pytest.raises(BadAnswers):
        one.do("ana", c.SaveSheet, entity=who, raw={"traits.aim": level})
    built = {**sheet(one), "traits": {**spread(one), "aim": level}}
    with pytest.raises(BadAnswers):
        one.do(GM, c.MakeEntity, kind="minion", name="Odd", sheet=built)


@rule("toast.3.1-recount")
def test_the_budget_follows_the_list_while_characters_are_built():
    one = evening()
    who = draft(one, levels(*FOURS))
    rows = [*game.defaults()["traits"], {"name": "Piloting"}]
    one.do(GM, c.SetOptions, options={"traits": rows})
    section = one.game.sheet.sections(one.table, one.entity(who))[0]
    assert (section.budget.of, section.budget.left) == (56, 4)


@rule("toast.4-perk-creation", "toast.4-perk-freeform")
@pytest.mark.parametrize(("count", "refused"), [(0, []), (5, []), (6, ["toast.4-perk-creation"])])
def test_up_to_five_perks_at_the_start(count, refused):
    one = evening()
    perks = [{"text": f"Perk {'x' * 280}{n}"} for n in range(count)]
    problems = submit(one, {**levels(*FOURS), "perks": perks})
    assert [problem.rule for problem in problems] == refused


@rule("toast.4-perk-freeform")
@pytest.mark.parametrize(
    "more",
    [
        {"perks": [{"text": "  ", "covers": "Everything"}]},
        {"gear": [{"item": "", "note": "A rope", "perk": True}]},
    ],
)
def test_a_perk_without_words_is_refused(more):
    one = evening()
    built = {"traits": spread(one), "perks": [], "gear": [], "about": "", **more}
    one.do("ana", c.MakeEntity, kind="pc", name="Ana", sheet=built)
    (who,) = one.table.entities
    with pytest.raises(BadAnswers, match="A perk needs words"):
        one.do("ana", c.SubmitSheet, entity=who)


@rule("toast.4-perk-player-chooses", "toast.5-perk-player")
def test_perks_are_written_by_the_player_and_judged_by_the_gm():
    one = evening()
    who = draft(one, {**levels(*FOURS), "perks": [{"text": "Sly"}]})
    raw = {"perks": [{"text": "Strong"}]}
    for other in ("ben", GM):
        with pytest.raises((NotAllowed, BadAnswers)):
            one.do(other, c.SaveSheet, entity=who, raw=raw)
    assert one.entity(who).sheet["perks"][0]["text"] == "Sly"


@rule("toast.4-perk-gm-final", "toast.4-perk-focus")
def test_a_perk_counts_when_the_gm_has_accepted_it():
    one = evening()
    perks = [{"text": "Strength"}, {"text": "Good with rifles"}]
    who = draft(one, {**levels(*FOURS), "perks": perks})
    assert [p.rule for p in one.game.sheet.check(one.table, one.entity(who), "creation")] == [
        "toast.4-perk-focus"
    ]
    one.do("ana", c.SubmitSheet, entity=who)
    wide, fine = one.asks("judge_perk")
    assert "should be narrower" in wide.text
    assert "narrower" not in fine.text
    with pytest.raises(BadAnswers):
        one.answer(GM, wide, verdict="refused")
    one.answer(GM, wide, verdict="refused", suggestion="Carries anvils for fun")
    assert one.card["lines"] == [{"text": "Instead: Carries anvils for fun", "audience": "all"}]
    one.do(GM, c.DecideSheet, entity=who, accept=True)
    assert one.asks() == []
    verdicts = {text: said["verdict"] for text, said in one.entity(who).state["perks"].items()}
    assert verdicts == {"Strength": "refused", "Good with rifles": "accepted"}
    with pytest.raises(BadAnswers):
        one.propose("ana", "task", who, perk="Strength")
    card = one.roll("ana", "task", who, (5,), trait="aim", perk="Good with rifles")
    assert card["sides"][0]["total"] == 12


@rule("toast.4-perk-gm-final")
def test_a_sheet_that_is_sent_back_keeps_the_gms_word_beside_the_perk():
    one = evening()
    who = draft(one, {**levels(*FOURS), "perks": [{"text": "Good at everything"}]})
    one.do("ana", c.SubmitSheet, entity=who)
    one.answer(GM, one.ask("judge_perk"), verdict="refused", suggestion="One thing, please")
    one.do(GM, c.DecideSheet, entity=who, accept=False)
    section = one.game.sheet.sections(one.table, one.entity(who))[1]
    assert section.row_notes == {"perks.0": "refused: One thing, please"}
    one.do("ana", c.SaveSheet, entity=who, raw={"perks": [{"text": "Good with knots"}]})
    one.do("ana", c.SubmitSheet, entity=who)
    assert one.ask("judge_perk").preset["perk"] == "Good with knots"
    one.answer(GM, one.ask("judge_perk"), verdict="accepted")
    one.do(GM, c.DecideSheet, entity=who, accept=True)
    assert one.roll("ana", "task", who, (5,), perk="Good with knots")["sides"][0]["total"] == 12


@rule("toast.4-perk-scope", "toast.10-magic-scope")
@pytest.mark.parametrize("covers", ["One fireball", "Everything that burns"])
def test_what_a_perk_covers_is_noted_and_logged(covers):
    one = evening()
    mara = hero(one, "ana", "Fire")
    one.move("ana", "perk_covers", mara, perk="Fire", covers=covers)
    assert one.entity(mara).sheet["perks"] == [{"text": "Fire", "covers": covers}]
    assert one.card["sentence"] == f"Covers: {covers}"
    one.move(GM, "perk_covers", mara, perk="Fire", covers="")
    assert one.entity(mara).sheet["perks"][0]["covers"] == ""


@rule("toast.4-perk-no-nullify")
def test_the_gm_cannot_take_a_perk_away_and_its_player_can():
    one = evening()
    mara = hero(one, "ana", "Grandmother's sabre")
    ways = [
        (c.SaveSheet, {"entity": mara, "raw": {"perks": []}}),
        (c.Override, {"path": ("entities", mara, "sheet", "perks"), "now": [], "reason": "Lost"}),
        (
            c.Override,
            {
                "path": ("entities", mara, "state", "perks", "Grandmother's sabre", "verdict"),
                "now": "refused",
                "reason": "Stolen",
            },
        ),
    ]
    for command, named in ways:
        with pytest.raises(BadAnswers) as refused:
            one.do(GM, command, **named)
        assert refused.value.problems[0].rule == "toast.4-perk-no-nullify"
    for other in (GM, "ben"):
        with pytest.raises(NotAllowed):
            one.move(other, "drop_perk", mara, perk="Grandmother's sabre")
    card = one.roll("ana", "task", mara, (5,), perk="Grandmother's sabre")
    assert card["sides"][0]["total"] == 8
    one.move("ana", "drop_perk", mara, perk="Grandmother's sabre")
    assert one.entity(mara).sheet["perks"] == []
    assert one.entity(mara).state["perks"] == {}


@rule("toast.4-perk-creation")
def test_empty_places_are_filled_later_only_where_the_table_says_so():
    one = evening()
    mara = hero(one, "ana", "Sly")
    assert "petition" in one.why_not("ana", "add_perk", mara)
    one = evening(refill_perks=True)
    mara = hero(one, "ana", "Sly")
    one.move("ana", "add_perk", mara, perk="Child of a sailor", covers="ropes")
    assert len(one.entity(mara).sheet["perks"]) == 1
    one.answer(GM, one.ask("judge_perk"), verdict="accepted")
    assert one.entity(mara).sheet["perks"][1] == {"text": "Child of a sailor", "covers": "ropes"}
    assert one.roll("ana", "task", mara, (5,), perk="Child of a sailor")["outcome"] == "failure"
    full = hero(one, "ben", *(f"Perk {n}" for n in range(5)))
    words = "5 perks are on the sheet, or wait for the GM."
    assert one.why_not("ben", "add_perk", full) == words


@rule("toast.4-perk-creation")
def test_perks_that_wait_for_the_gm_take_a_place():
    one = evening(refill_perks=True)
    mara = hero(one, "ana", "Sly", "Quick", "Tall")
    one.move("ana", "add_perk", mara, perk="Chef")
    with pytest.raises(BadAnswers, match="waits for the GM"):
        one.move("ana", "add_perk", mara, perk="Chef")
    one.move("ana", "add_perk", mara, perk="Cook")
    with pytest.raises(RuleRefuses, match="wait for the GM"):
        one.move("ana", "add_perk", mara, perk="Baker")
    for ask in one.asks("judge_perk"):
        one.answer(GM, ask, verdict="accepted")
    names = [perk["text"] for perk in one.entity(mara).sheet["perks"]]
    assert names == ["Sly", "Quick", "Tall", "Chef", "Cook"]


@rule("toast.9-starting-gear")
def test_possessions_are_free_text_and_come_before_the_gm():
    one = evening()
    gear = [{"item": "A coat with nine pockets", "note": "one is empty"}]
    who = draft(one, {**levels(*FOURS), "gear": gear})
    assert one.entity(who).sheet["gear"] == [
        {"item": "A coat with nine pockets", "note": "one is empty", "perk": False}
    ]
    one.do("ana", c.SubmitSheet, entity=who)
    one.do(GM, c.DecideSheet, entity=who, accept=False)
    assert one.entity(who).stage == "draft"


@rule("toast.9-equipment-list")
def test_a_list_of_possessions_is_asked_for_only_where_the_table_wants_it():
    for required, expected in (("off", []), ("required", ["toast.9-equipment-list"])):
        one = evening(equipment_lists=required)
        who = draft(one, levels(*FOURS))
        problems = one.game.sheet.check(one.table, one.entity(who), "creation")
        assert [problem.rule for problem in problems] == expected
        one.do("ana", c.SaveSheet, entity=who, raw={"gear": [{"item": "Lamp"}]})
        assert one.game.sheet.check(one.table, one.entity(who), "creation") == ()


@rule("toast.9-special-as-perk")
def test_a_special_possession_is_a_perk_and_counts_as_one():
    one = evening()
    perks = [{"text": f"Perk {n}"} for n in range(5)]
    gear = [{"item": "Flying carpet", "note": "for two", "perk": True}]
    problems = submit(one, {**levels(*FOURS), "perks": perks, "gear": gear})
    assert [problem.rule for problem in problems] == ["toast.4-perk-creation"]
    who = draft(one, {**levels(*FOURS), "gear": gear}, "ben")
    one.do("ben", c.SubmitSheet, entity=who)
    ask = one.ask("judge_perk")
    assert ask.title == "A possession as a perk for Mara: Flying carpet"
    one.do(GM, c.DecideSheet, entity=who, accept=True)
    card = one.roll("ben", "task", who, (5,), perk="Flying carpet")
    assert card["sides"][0]["total"] == 12
    with pytest.raises(BadAnswers):
        one.do(GM, c.SaveSheet, entity=who, raw={"gear": []})
    one.move("ben", "drop_perk", who, perk="Flying carpet")
    assert one.entity(who).sheet["gear"][0]["perk"] is False


@rule("toast.9-starting-gear")
def test_possessions_come_and_go_in_play_but_for_those_that_are_perks():
    one = evening()
    gear = [{"item": "Flying carpet", "note": "", "perk": True}, {"item": "Lamp", "note": ""}]
    who = draft(one, {**levels(*FOURS), "gear": gear})
    one.do("ana", c.SubmitSheet, entity=who)
    one.do(GM, c.DecideSheet, entity=who, accept=True)
    one.move("ana", "gear", who, take="A silver key", note="Whose?", lose="Lamp")
    assert one.card["sentence"] == "Gets “A silver key”. Loses “Lamp”."
    items = [row["item"] for row in one.entity(who).sheet["gear"]]
    assert items == ["Flying carpet", "A silver key"]
    for lost in ({"lose": "Flying carpet"}, {}):
        with pytest.raises(BadAnswers):
            one.move(GM, "gear", who, **lost)


@rule("toast.4-perk-gm-final")
def test_what_the_gm_wrote_stays_accepted_when_somebody_changes_hands():
    one = evening()
    one.move(GM, "npc", name="Serk", preset="right-hand")
    (serk,) = one.table.entities
    one.do(GM, c.ChangeEntity, entity=serk, owner="ana")
    card = one.roll("ana", "task", serk, (5,), trait="aim", perk="Fights dirty")
    assert card["sides"][0]["total"] == 12


@rule("toast.1-roles")
def test_a_table_has_one_gm_and_at_least_one_player():
    empty = evening((), session=False)
    with pytest.raises(Exception, match="at least one player"):
        empty.do(GM, c.BeginSession)
    one = evening(("ana",))
    assert one.table.session.phase == "open"
    with pytest.raises(NotAllowed):
        one.do(GM, c.SetRole, of="ana", role="gm")
