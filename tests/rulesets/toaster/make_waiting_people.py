"""Writes campaigns in which every card of Toaster about people waits, and how each is played on.

From the project's folder: python -m tests.rulesets.toaster.make_waiting_people. It never
overwrites: the fixtures show what an earlier version stored, and later versions have to play it on.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import fighter, pair
from tests.rulesets.toaster.hurting import MEDICINE, put, wounded
from tests.rulesets.toaster.people import evening, foe, hero, line, sheet, trait
from tests.rulesets.waiting import Recorder, write

FIXTURES = Path(__file__).with_name("fixtures")


def table(**more) -> Recorder:
    one = evening(**more)
    return Recorder(one.game, one.campaign)


def ward(**options):
    """Ana's patient, Ben's medic, Cleo's bystander, all with luck."""
    one = table(players=("ana", "ben", "cleo"), medical_skills="Science: Medicine", **options)
    patient = hero(one, "ana", sheet((6, 5, 5, 5)))
    medic = hero(one, "ben", sheet((5, 5, 5, 5), {MEDICINE: 9}))
    other = hero(one, "cleo", sheet((7, 5, 5, 5)))
    for who, luck in ((patient, 6), (medic, 5), (other, 3)):
        put(one, who, luck=luck)
    return one, patient, medic, other


# ---------------------------------------------------------------- harm


def dying():
    """Mortality checks that wait, and such with luck on them."""
    one, patient, medic, other = ward(luck_points=True)
    for who, n in ((patient, 4), (medic, 5), (other, 4)):
        put(one, who, wounds=wounded(n))
        one.move(GM, "harm", who=who, cause="a fall", wounds=1)
    shade = foe(one, sheet((5, 5, 5, 5)), name="Shade", hidden=True, state={"luck": 2})
    one.move(GM, "harm", who=shade, cause="a fall", wounds=5)
    one.answer("ana", one.ask("mortality", patient), (0,), luck=1)
    one.answer("ben", one.ask("mortality", medic), (3,))
    one.answer(GM, one.ask("mortality", shade), (2,))
    one.waits()
    one.answer("ana", one.ask("mortality_luck", patient), (1,), use="again")
    one.answer("ana", one.ask("mortality_luck", patient), use="add", points=1)
    one.answer("ben", one.ask("mortality_luck", medic), use="stand")
    one.answer(GM, one.ask("mortality_luck", shade), use="add", points=2)
    one.answer("cleo", one.ask("mortality", other), (7,), luck=2)
    one.answer("cleo", one.ask("mortality_luck", other), use="add", points=1)
    one.move(GM, "last_act", medic, what="A word to Ana.")
    one.move(GM, "rounds", rounds=300)
    one.move(GM, "rest", minutes=20)
    one.move(GM, "condition", other, condition="stable", why="The elf's herbs.")
    one.move(GM, "rest", minutes=60)
    one.move(GM, "days", days=7)
    return one


def unnamed():
    """The unnamed who are out, a hit without a side, somebody who may wake; other rulings."""
    one = table(unnamed_characters=True, hit_location=True, bleeding=True)
    ana, ben = hero(one, "ana", sheet((6, 5, 5, 5))), hero(one, "ben", sheet((6, 5, 5, 5)))
    thugs = [
        foe(one, sheet(named=False), name=name, kind="unnamed", open=True)
        for name in ("One", "Two", "Three")
    ]
    one.move(GM, "harm", who=ben, cause="a sack", stun=27)
    one.move(GM, "rest", minutes=10, who=[ben])
    for thug in thugs:
        one.move(GM, "harm", who=thug, cause="a boot", damage=6, place="Torso: left Shoulder")
    one.move(GM, "harm", who=ana, cause="a beam", damage=7, unarmed=True)
    one.move(GM, "harm", who=ana, cause="a stone", damage=5, stun=2, wounds=1,
             place="Left Arm: Hand")  # fmt: skip
    one.waits()
    one.answer(GM, one.ask("unnamed", thugs[0]), fate="mortal", why="The boot had spikes.")
    one.answer(GM, one.ask("unnamed", thugs[1]), fate="dead")
    one.answer(GM, one.ask("unnamed", thugs[2]))
    one.answer(GM, one.ask("mortality", thugs[0]), (3,))
    one.answer(GM, one.ask("wakes", ben), why="Water")
    one.move(GM, "bleeding", ana, extra=2, why="She climbs.")
    one.move(GM, "rounds", rounds=4)
    one.move(GM, "bleeding", ana, extra=2, stops=True, why="Hot iron.")
    one.move(GM, "condition", ben, condition="unconscious", why="Too much ale.")
    one.move(GM, "wakes", ben, why="A cock crows.")
    one.move(GM, "condition", ben, condition="mortal", why="A knife.")
    one.answer("ben", one.ask("mortality", ben), (9,))
    one.move(GM, "rounds", rounds=1)
    return one


def places():
    """A blow without a side, and one to a body that no table knows."""
    one = table(hit_location=True, hit_location_side="gm")
    ana, guard = pair(one, None, fighter(weapons=(), dodge=5))
    one.roll("ana", "attack", ana, (9, 3, 1, 1, 9, 2), target=guard)
    one.waits()
    one.answer(GM, one.ask("where"), place="Torso: right Shoulder")
    return one


def healing():
    """Healing rolls that wait, and such with luck on them."""
    one, patient, medic, other = ward(
        luck_points=True, calling_fours=True, fours_healing=True, variable_outcomes=True
    )
    for who in (patient, medic, other):
        put(one, who, wounds=[*wounded(2, "left-arm"), *wounded(2, "torso")], stun=9)
    one.move(GM, "days", days=7, modifier=1)
    one.answer("ana", one.ask("healing", patient), (4,), luck=1, area="torso")
    one.answer("ben", one.ask("healing", medic), called=True)
    one.waits()
    one.answer("ana", one.ask("healing_luck", patient), (3,), use="again")
    one.answer("ana", one.ask("healing_luck", patient), use="add", points=1)
    one.answer("ben", one.ask("healing_luck", medic), use="stand")
    one.answer("cleo", one.ask("healing", other), (0,))
    one.answer("cleo", one.ask("healing_luck", other), use="stand") if one.asks(
        "healing_luck", other
    ) else None
    one.move(GM, "rest", minutes=30)
    one.move(GM, "days", days=14, who=[patient])
    one.answer("ana", one.ask("healing", patient), (9,))
    return one


def medics():
    """Medical help that the GM has to settle, and such with luck on it."""
    one, patient, medic, other = ward(luck_points=True, bleeding=True, settings={
        "gm_confirms": "each"})  # fmt: skip
    put(one, patient, wounds=wounded(3))
    put(one, other, wounds=wounded(1))
    one.roll("ben", "medical", medic, (1,), patient=patient, purpose="bleeding", skill=MEDICINE)
    waiting = one.propose(
        "cleo", "medical", other, patient=patient, purpose="first-aid", skill=MEDICINE, luck=1
    )
    one.waits()
    one.answer("ben", one.ask("medical_luck"), (2,), use="again")
    if one.asks("medical_luck"):
        one.answer("ben", one.ask("medical_luck"), use="add", points=1)
    one.do(GM, c.Settle, proposal=waiting, answers={"modifier": 2, "early": "2", "bonus": None})
    one.do("cleo", c.Throw, (9,), proposal=waiting)
    one.answer("cleo", one.ask("medical_luck"), use="add", points=2)
    aid = {"patient": other, "skill": MEDICINE}
    one.roll("ben", "medical", medic, (9,), purpose="long-term", gm={"bonus": 5}, **aid)
    if one.asks("medical_luck"):
        one.answer("ben", one.ask("medical_luck"), use="stand")
    one.roll("ben", "medical", medic, (6,), purpose="bleeding", **aid)
    if one.asks("medical_luck"):
        one.answer("ben", one.ask("medical_luck"), use="stand")
    one.roll("ben", "medical", medic, (8,), patient=patient, purpose="bleeding", skill=MEDICINE,
             gm={"again": "yes"})  # fmt: skip
    if one.asks("medical_luck"):
        one.answer("ben", one.ask("medical_luck"), use="stand")
    put(one, patient, wounds=wounded(4))
    one.move(GM, "harm", who=patient, cause="a boot", wounds=1)
    one.answer("ana", one.ask("mortality"), (1,))
    if one.asks("mortality_luck"):
        one.answer("ana", one.ask("mortality_luck"), use="stand")
    one.roll("ben", "medical", medic, (9,), patient=patient, skill=MEDICINE, purpose="dying")
    if one.asks("medical_luck"):
        one.answer("ben", one.ask("medical_luck"), use="stand")
    one.answer("ana", one.ask("mortality"), (6,))
    return one


def getting_up():
    """What critical hits left: in a fight and after it, by players and by the GM."""
    one = table()
    ana = hero(one, "ana", sheet(weapons=("club",)))
    foe(one, sheet(weapons=("club",)), name="Foe")
    put(one, ana, dropped={"w1": "feet", "kick": "broken"})
    put(one, ana, effects=[
        {"id": "prone", "name": "on the ground", "value": 0, "scope": "all", "from": 0, "until": 0},
        {"id": "e1", "name": "off balance", "value": -2, "scope": "all", "from": 0, "until": 0},
    ])  # fmt: skip
    one.waits()
    one.move("ana", "recover", ana, what="weapon:w1")
    one.move("ana", "recover", ana, what="effect:prone")
    one.move(GM, "recover", ana, what="weapon:kick", action=False)
    one.move(GM, "recover", ana, what="effect:e1", action=False)
    put(one, ana, dropped={"w1": "reach"})
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", (9, 1))
    one.move("ana", "recover", ana, what="weapon:w1")
    return one


# ---------------------------------------------------------------- characters


def growing():
    """What the GM judges between adventures: skills, specialities, traits."""
    one = table(specialization=True)
    mine = sheet(
        (4, 7, 4, 4),
        {"throw": 9, "run": 10, "climb": 5},
        (trait("custom", 2, name="Lucky"), trait("custom", -2, name="Late")),
    )
    ana = hero(one, "ana", mine, xp=9, used=["climb", "run"])
    ben = hero(one, "ben", sheet((4, 7, 4, 4), {"throw": 9, "swim": 6}), xp=4, used=["throw"])
    loud = [trait("custom", 2, name="Lucky"), trait("custom", -2, name="Loud")]
    first = {"skill": "0", "how": "first", "name": "knives", "areas": "knives, axes, stones"}
    one.move("ana", "improve", ana, skill="swim", steps=2, why="A month at the sea.", teacher=ben)
    one.move("ana", "improve", ana, skill="run", steps=1)
    one.move("ben", "improve", ben, skill="", other="Language: Latin", steps=1, why="Mass.")
    one.move("ana", "specialise", ana, **first)
    one.move("ben", "specialise", ben, **first)
    one.move("ana", "rearrange", ana, traits=loud, why="A long winter.")
    one.move("ben", "rearrange", ben, traits=loud, why="A monk now.")
    one.waits()
    swim, run = one.asks("judge_improvement", ana)
    one.answer(GM, swim, agreed="yes", word="A long month.")
    one.answer(GM, run, agreed="yes")
    one.answer(GM, one.ask("judge_improvement", ben), agreed="no", word="Nobody speaks it here.")
    one.answer(GM, one.ask("judge_speciality", ana), verdict="accepted")
    one.answer(GM, one.ask("judge_speciality", ben), verdict="refused", word="Too handy.")
    one.answer(GM, one.ask("judge_traits", ana), agreed="yes", word="Fine.")
    one.answer(GM, one.ask("judge_traits", ben), agreed="no", word="Not so fast.")
    one.move("ana", "specialise", ana, skill="0", how="second", name="axes")
    one.answer(GM, one.ask("judge_speciality", ana), verdict="accepted")
    one.move(GM, "specialise", ben, **first)
    one.move(GM, "specialise", ben, skill="0", how="doubled")
    one.move("ana", "improve", ana, skill="climb", steps=2)
    one.move(GM, "improve", ben, skill="swim", steps=1, why="Fish.")
    one.move(GM, "rearrange", ana, traits=[], why="A monk after all.")
    one.move(GM, "award", "", (), **{f"points_{ana}": 2, f"points_{ben}": 5, "why": "The seal."})
    return one


def allowing():
    """Sheets handed in with what is the GM's to allow."""
    one = table(specialization=True, style="heroic")
    built = {
        "skills": [
            line("throw", 12, specialty="knives", specialty2="axes", areas="knives, axes, stones"),
        ],
        "attributes.coordination": 11,
        "attributes.physique": 4,
        "about": "Huge.",
        "supernatural": True,
        "traits": [
            trait("size", 6, name="Giant"),
            trait("custom", -1, name="Slow"),
            trait("package", -5, "act, climb, ride, run", "Clumsy"),
        ],
    }
    pcs = []
    for seat, name in (("ana", "Ajax"), ("ben", "Bo")):
        pc = one.do(seat, c.MakeEntity, kind="pc", name=name).data["entity"]
        one.do(seat, c.SaveSheet, entity=pc, raw=built)
        pcs.append(pc)
    one.do("ana", c.SubmitSheet, entity=pcs[0])
    one.waits()
    for ask in one.asks("allow")[:-2]:
        one.answer(GM, ask, verdict="accepted")
    one.answer(GM, one.asks("allow")[0], verdict="refused", word="Too handy.")
    one.do(GM, c.DecideSheet, entity=pcs[0], accept=True)
    one.do("ben", c.SubmitSheet, entity=pcs[1])
    field = one.named("allow").fields(one.table, one.actor(GM), {})[0]
    one.move(GM, "allow", what=field.choices[0].value, verdict="accepted", word="Why not.")
    one.do(GM, c.DecideSheet, entity=pcs[1], accept=False)
    return one


def attributes():
    """Attributes that came and went, and where they begin."""
    one = table(other_attributes=True, style="heroic")
    ana = hero(one, "ana", sheet((4, 5, 4, 3), {"seduction": 5, "persuasion": 5}))
    hero(one, "ben", sheet(traits=(trait("attributes", 2, of="coordination"),)))
    shade = foe(one, sheet((4, 4, 4, 7)), name="Shade", hidden=True, open=False)
    one.move(GM, "edit_table", table="attributes", row="new", name="Charisma", as_row="aura")
    one.do(GM, c.MakeMove, move="refit", ask="refit", answers={
        "attributes.new.charisma": "owner"})  # fmt: skip
    one.waits()
    one.do("ana", c.MakeMove, move="refit", ask=f"refit-own-{ana}", answers={
        "attributes.new.charisma": "set", "attributes.start.charisma": 8})  # fmt: skip
    one.do(GM, c.MakeMove, move="refit", ask=f"refit-{shade}", answers={
        "attributes.new.charisma": "as.aura"})  # fmt: skip
    one.move(GM, "edit_table", table="attributes", row="coordination", column="gone")
    one.do(GM, c.MakeMove, move="refit", ask="refit", answers={
        "attributes.lost.coordination": "note"})  # fmt: skip
    one.do(GM, c.SetOptions, options={"other_attributes": False})
    return one


def people():
    """Moves of the GM and of players that wait for nobody."""
    one = table(partial_armor=True, weapon_length=True)
    ana = hero(one, "ana", sheet(weapons=("club",), armour=("plate",)))
    one.waits()
    one.move(GM, "npc", name="Thug", preset="thug", count=2, named=False, line="Paid by the day")
    one.move(GM, "npc", name="Bear", preset="bear", hidden=True, open=True)
    one.move(GM, "npc", name="Somebody")
    one.move("ana", "carry", ana, weapons=[], armour=[], money="Two pence", possessions="A hat")
    one.move(GM, "thresholds", ana, stun=9, wound=8)
    one.move(GM, "thresholds", ana, stun=None, wound=8)
    one.move(GM, "edit_table", table="weapon", row="club", column="wc", value="5", why="Oak.")
    one.move(GM, "edit_table", table="skills", row="new", name="Sorcery", as_row="act")
    one.move(
        GM,
        "edit_table",
        table="skills",
        row="sorcery",
        column="attributes",
        value="aura, intellect",
    )
    one.move(GM, "edit_table", table="skills", row="sorcery", column="gone")
    one.move(GM, "edit_table", table="members", row="new", name="Halberd")
    one.move(GM, "edit_table", table="manoeuvres", row="new", name="Throw")
    one.move(GM, "edit_table", table="costs", row="easy", column="price", value="0.25")
    return one


SCENES = (
    dying, unnamed, places, healing, medics, getting_up, growing, allowing, attributes, people,
)  # fmt: skip


if __name__ == "__main__":
    write(game, FIXTURES, SCENES)
