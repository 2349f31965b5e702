"""The critical table and hit locations in a fight."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import entry_for
from kitchentable.rules import RuleRefuses
from kitchentable.rulesets.toaster.harm.places import areas, place_choices
from tests.rulesets.toaster.hurting import GM, evening, foe, hero, how, lines, put, sheet, wounded
from tests.rulesets.toaster.people import entity, person, table

rule = pytest.mark.rule

#: Everybody in these fights has these: Physique 5, Sword and Dodge of rank 5, a saber.
SKILLS = {"weapon-skill:Sword": 5, "dodge": 5}


def duel(**options):
    """Ana and a guard with sabers, Ana first; the fight has begun."""
    one = evening(**options)
    one_sheet = sheet((5, 5, 5, 5), SKILLS, weapons=("saber",))
    ana = hero(one, "ana", one_sheet)
    guard = foe(one, one_sheet, name="Guard", open=True)
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", (9, 2))
    return one, ana, guard


def critical(*faces, damage=(5, 5), **options):
    """A critical attack by Ana: 9 and 5 against 2 and 5, then the table, damage, protection."""
    both = {"variable_outcomes": True, "critical_fumble_table": True}
    one, ana, guard = duel(**{**both, **options})
    one.roll("ana", "attack", ana, (9, 2, *faces, *damage), target=guard)
    return one, ana, guard


def hit(*faces, **options):
    """A plain hit by Ana that does 11 damage: 9 + 6 against 2 + 2."""
    one, ana, guard = duel(**{"hit_location": True, **options})
    one.roll("ana", "attack", ana, (9, 3, *faces, 9, 2), target=guard)
    return one, ana, guard


def sections(one, who):
    """What the builder asks of somebody."""
    return one.game.sheet.sections(one.table, one.entity(who))


# ---------------------------------------------------------------- the critical table


@rule("toaster.4.crit-trigger", "toaster.4.crit-table")
def test_a_critical_attack_throws_the_two_dice_once():
    one, _, guard = critical(0, 2)
    assert one.card["outcome"] == "critical"
    assert "Nothing more, but it looked like pure grace." in lines(one)
    labels = [throw["label"] for throw in one.last.throw.trace]
    assert (labels.count("critical"), labels.count("critical effect")) == (1, 1)
    assert person(one.entity(guard), one.table).effects == []


@rule("toaster.4.crit-trigger")
def test_a_fumbled_defence_throws_them_too():
    one, ana, guard = duel(rolling_zeros=True, critical_fumble_table=True)
    faces = (6, 0, 1, 7, 4, 5, 5)
    one.roll("ana", "attack", ana, faces, target=guard)
    assert "A much harder blow: 5 more damage." in lines(one)


@rule("toaster.4.crit-once")
def test_a_critical_attack_on_a_fumbled_defence_throws_them_once():
    options = {"rolling_zeros": True, "variable_outcomes": True, "critical_fumble_table": True}
    one, ana, guard = duel(**options)
    faces = (9, 0, 1, 7, 1, 5, 5)
    one.roll("ana", "attack", ana, faces, target=guard)
    assert one.card["outcome"] == "critical"


@rule("toaster.4.crit-a")
@pytest.mark.parametrize(("d6", "where"), [(3, "feet"), (4, "reach"), (6, "broken")])
def test_the_defender_loses_the_weapon(d6, where):
    one, _, guard = critical(2, d6)
    held = one.entity(guard)
    assert person(held).dropped == {"w1": where}
    assert any(text.startswith("Saber ") for text in lines(one))
    if where == "broken":
        assert one.why_not("ana", "recover", guard) == "Guard has nothing to get over."
        one.move(GM, "recover", guard, what="weapon:w1", action=False)
    else:
        one.move(GM, "end_fight")
        one.move(GM, "recover", guard, what="weapon:w1")
    assert person(one.entity(guard)).dropped == {}


@rule("toaster.4.crit-a")
def test_picking_it_up_is_an_action():
    one, ana, _ = critical(1, 1)
    put(one, ana, dropped={"w1": "feet"})
    left = one.table.fight["fighters"][ana]["left"]
    with pytest.raises(RuleRefuses):
        one.move("ana", "recover", ana, what="weapon:w1")
    one.move(GM, "one_more", ana, why="The guard stares.")
    one.move("ana", "recover", ana, what="weapon:w1")
    assert one.card["sentence"] == "Pick up Saber."
    assert one.table.fight["fighters"][ana]["left"] == left
    assert one.table.fight["fighters"][ana]["extra"] == 0


@rule("toaster.4.crit-b")
@pytest.mark.parametrize(("d6", "worth"), [(1, -2), (5, -4)])
def test_off_balance_is_for_the_next_round_alone(d6, worth):
    one, _, guard = critical(3, d6, damage=(0, 9))

    def off():
        return sum(part.value for part in person(one.entity(guard), one.table).modifiers("defence"))

    assert off() == 0
    one.move(GM, "next_round")
    assert off() == worth
    put(one, guard, wounds=wounded(1))
    assert off() == worth - 1
    one.move(GM, "next_round")
    assert off() == -1
    assert one.entity(guard).state["effects"] == []


@rule("toaster.4.crit-b")
def test_the_end_of_a_fight_ends_what_was_counted_in_its_rounds():
    one, _, guard = critical(3, 1, damage=(0, 9))
    one.move(GM, "end_fight")
    assert one.entity(guard).state["effects"] == []


@rule("toaster.4.crit-b")
def test_who_fell_lies_there_until_they_get_up():
    one, _, guard = critical(4, 6, damage=(0, 9))
    assert [one_["name"] for one_ in person(one.entity(guard), one.table).effects] == [
        "on the ground"
    ]
    one.move(GM, "next_round")
    one.move(GM, "recover", guard, what="effect:prone", action=False)
    assert person(one.entity(guard), one.table).effects == []


@rule("toaster.4.crit-c")
@pytest.mark.parametrize(("d6", "ac"), [(4, 3), (5, 0)])
def test_physique_seven_in_plate_protects_with_three_or_nothing(d6, ac):
    one = evening(variable_outcomes=True, critical_fumble_table=True)
    ana = hero(one, "ana", sheet((5, 5, 5, 5), SKILLS, weapons=("saber",)))
    plate = sheet((7, 5, 5, 5), SKILLS, armour=("plate",))
    guard = foe(one, plate, name="Guard", open=True)
    faces = (9, 2, 5, d6, 5, 5)
    one.roll("ana", "attack", ana, faces, target=guard)
    assert f"Damage 11 against protection {ac + 5}: {6 - ac}." in lines(one)


@rule("toaster.4.crit-d")
@pytest.mark.parametrize(("d6", "damage"), [(3, 13), (4, 16), (6, 21)])
def test_a_harder_blow(d6, damage):
    """Saber 7 and Physique 5 are a class of 6; the die shows 5."""
    one, _, _ = critical(7, d6)
    assert any(text.startswith(f"Damage {damage} against") for text in lines(one))


@rule("toaster.4.crit-multi")
def test_several_effects_at_once_add_up():
    one, _, guard = critical(9, 2, 5, 4, 6)
    assert any(text.startswith("Damage 21 against") for text in lines(one))
    (effect,) = one.entity(guard).state["effects"]
    assert (effect["value"], effect["from"], effect["until"]) == (-4, 2, 2)


@rule("toaster.4.bleed-rate", "toaster.4.stun-accumulate")
def test_players_see_a_closed_foe_bleed_and_learn_no_numbers():
    one = evening(bleeding=True)
    hero(one, "ana")
    guard = foe(one, sheet((5, 5, 5, 5)), name="Guard", state={"wounds": wounded(2), "stun": 17})
    one.move(GM, "rounds", rounds=5)
    entry = entry_for(one.campaign, one.last, "ana")
    seen = [line.text for line in entry.card.lines]
    assert seen == ["Guard bleeds. (3 times)", "Guard is unconscious.", "Guard is wounded."]
    assert "2 stun" in repr(entry_for(one.campaign, one.last, GM))
    assert how(one, guard)[2] == "unconscious"


@rule("toaster.4.tables-custom")
def test_a_table_of_the_campaigns_own_is_used_instead():
    one, ana, guard = duel(variable_outcomes=True, critical_fumble_table=True)
    path = ("own", "data", "criticals", "0.1-3", "extra")
    one.do(GM, c.Override, path=path, now=7, reason="Grace should count.")
    one.roll("ana", "attack", ana, (9, 2, 0, 1, 5, 5), target=guard)
    assert any(text.startswith("Damage 18 against") for text in lines(one))


# ---------------------------------------------------------------- what is unarmed


@rule("toaster.4.wounds-unarmed-what", "toaster.4.wounds-unarmed")
@pytest.mark.parametrize(
    ("weapon", "options", "made"),
    [
        ("reinforced-fist", {}, 1),
        ("reinforced-fist", {"reinforced_fist_armed": True}, 2),
        ("saber", {}, 2),
    ],
)
def test_a_reinforced_fist_is_unarmed_unless_the_table_says_otherwise(weapon, options, made):
    """Fist 1 and Physique 5 are a class of 3: 3 + 9 against 2 + 0 are 10. A saber's is 6."""
    one = evening(**options)
    ana = hero(one, "ana", sheet((5, 5, 5, 5), {"brawl": 5, **SKILLS}, weapons=(weapon,)))
    guard = foe(one, sheet((5, 5, 5, 5), SKILLS), name="Guard", open=True)
    faces = (9, 3, 9 if made < 2 or options else 6, 0)
    one.roll("ana", "attack", ana, faces, target=guard, arm="w1")
    assert how(one, guard)[:2] == (10, made)


# ---------------------------------------------------------------- hit locations


@rule("toaster.4.hitloc-use")
def test_a_hit_has_a_place_and_the_wound_keeps_it():
    one, _, guard = hit(4, 1)
    assert "It lands on: Left Arm, Hand." in lines(one)
    (row,) = one.entity(guard).state["wounds"]
    assert (row["area"], row["part"], row["n"]) == ("left-arm", "Hand", 2)


@rule("toaster.4.hitloc-use")
def test_without_the_option_no_dice_fall_for_it():
    one, _, guard = hit(hit_location=False)
    assert one.entity(guard).state["wounds"][0]["area"] == ""
    assert not one.asks("where")


@rule("toaster.4.hitloc-either")
def test_the_side_of_a_shoulder_by_a_die_or_by_the_gm():
    one, _, guard = hit(1, 1, 2)
    assert one.entity(guard).state["wounds"][0]["part"] == "right Shoulder"
    one, _, guard = hit(1, 1, hit_location_side="gm")
    ask = one.ask("where")
    assert ask.text == "Torso, Shoulder: left or right?"
    one.answer(GM, ask, place="Torso: left Shoulder")
    (row,) = one.entity(guard).state["wounds"]
    assert (row["area"], row["part"]) == ("torso", "left Shoulder")


@rule("toaster.4.hitloc-either")
def test_the_side_is_that_of_the_wound_that_was_asked_about():
    """Also where another wound has healed before the GM answers."""
    one, ana, guard = duel(hit_location=True, hit_location_side="gm")
    put(one, guard, wounds=wounded(1, "left-leg"))
    one.roll("ana", "attack", ana, (9, 3, 1, 1, 9, 2), target=guard)
    put(one, guard, wounds=one.entity(guard).state["wounds"][1:])
    one.answer(GM, one.ask("where"), place="Torso: left Shoulder")
    (row,) = one.entity(guard).state["wounds"]
    assert (row["area"], row["part"]) == ("torso", "left Shoulder")


@rule("toaster.4.hitloc-invent")
def test_the_gm_names_a_place_and_no_dice_fall():
    one, ana, guard = duel(hit_location=True, settings={"gm_confirms": "each"})
    place = {"area": "Right Leg: Knee"}
    one.roll("ana", "attack", ana, (9, 3, 9, 2), gm=place, target=guard)
    assert one.entity(guard).state["wounds"][0]["area"] == "right-leg"
    one.move(GM, "harm", who=ana, cause="a trap", damage=5, place="Left Leg: Foot/Ankle")
    assert one.entity(ana).state["wounds"][0]["part"] == "Foot/Ankle"


@rule("toaster.4.hitloc-limb")
def test_a_limb_with_three_wounds_is_useless_until_it_heals():
    """Two wounds to an arm leave it usable, the third does not; healed to two it is again."""
    here = table(hit_location=True)
    two, three = ([*wounded(2, "left-arm"), *wounded(n, "left-arm")] for n in (0, 1))
    assert person(entity(state={"wounds": two}), here).useless_limbs == ()
    assert person(entity(state={"wounds": three}), here).useless_limbs == ("left-arm",)
    assert person(entity(state={"wounds": wounded(4, "torso")}), here).useless_limbs == ()
    never = table(hit_location=True, limb_disabled_at=None)
    assert person(entity(state={"wounds": three}), never).useless_limbs == ()
    assert person(entity(state={"wounds": three})).useless_limbs == ()
    tougher = table(hit_location=True, limb_disabled_at=4)
    assert person(entity(state={"wounds": three}), tougher).useless_limbs == ()


@rule("toaster.4.hitloc-limb")
def test_it_stands_on_the_sheet_and_goes_with_healing():
    one = evening(hit_location=True)
    ana = hero(one, "ana", sheet((9, 5, 5, 5)), wounds=wounded(3, "left-arm"))

    def tags():
        return [tag.text for tag in one.game.sheet.summary(one.table, one.entity(ana)).tags]

    assert "left arm useless" in tags()
    one.move(GM, "days")
    one.answer("ana", one.ask("healing"), (9,))
    assert (how(one, ana)[1], "left arm useless" in tags()) == (2, False)


@rule("toaster.4.hitloc-humanoid", "toaster.4.tables-custom")
def test_a_creature_may_have_a_body_of_its_own():
    snake = {
        "coil": {"body": "snake", "d10": "0-8", "d6": "1-6", "area": "Coils", "name": "Scales"},
        "jaw": {"body": "snake", "d10": "9", "d6": "1-3", "area": "Head", "name": "Jaw"},
    }
    one, ana, _ = duel(hit_location=True)
    one.do(GM, c.Override, path=("own", "data", "locations"), now=snake, reason="The snake.")
    (field,) = [f for s in sections(one, ana) for f in s.fields if f.name == "body"]
    assert [choice.value for choice in field.choices] == ["humanoid", "snake"]
    beast = foe(one, sheet((5, 5, 5, 5), SKILLS, body="snake"), name="Snake", open=True)
    assert areas(person(one.entity(beast), one.table)) == ("Coils", "Head")
    assert len(place_choices(person(one.entity(ana), one.table))) == 27
    one.roll("ana", "attack", ana, (9, 3, 9, 1, 9, 2), target=beast)
    assert one.entity(beast).state["wounds"][0]["area"] == "head"
    put(one, beast, wounds=[])
    one.move(GM, "one_more", ana, why="The tail lashes.")
    one.roll("ana", "attack", ana, (9, 3, 9, 5, 9, 2), target=beast)
    assert "It lands on: a place the table does not name." in lines(one)
    one.answer(GM, one.ask("where"), place="Head: Jaw")
    assert one.entity(beast).state["wounds"][0]["part"] == "Jaw"


@rule("toaster.4.crit-a")
@pytest.mark.parametrize("weapons", [(), ({"id": "w1", "name": "Claws", "skill": "brawl"},)])
def test_who_holds_no_weapon_loses_none(weapons):
    one = evening(variable_outcomes=True, wcac_critical_table=True)
    ana = hero(one, "ana", sheet((5, 5, 5, 5), {"weapon-skill:Sword": 15}, weapons=("saber",)))
    bear = foe(one, sheet((5, 5, 5, 5), weapons=weapons), name="Bear", open=True)
    one.roll("ana", "attack", ana, (9, 0, 2, 3, 5, 5), target=bear)
    assert "There is no weapon to lose." in lines(one)
    assert not any("feet" in text for text in lines(one))
    assert person(one.entity(bear)).dropped == {}
