"""Writes campaigns in which every kind of card of a fight in Toaster waits, and plays on from them.

From the project's folder: python -m tests.rulesets.toaster.make_waiting_fights. It never
overwrites: the fixtures show what an earlier version stored, and later versions play it on.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import ZERO, fighter
from tests.rulesets.toaster.people import evening, foe, hero
from tests.rulesets.waiting import Recorder, write

FIXTURES = Path(__file__).with_name("fixtures")


def table(confirms="trust", **options) -> Recorder:
    one = evening(settings={"gm_confirms": confirms}, **options)
    return Recorder(one.game, one.campaign)


def three(one, *dice, **mine):
    """Ana, Ben and a guard, who act in this order at 15, 12 and 9 unless dice say otherwise."""
    people = (
        hero(one, "ana", fighter((4, 5, 4, 4), sword=6, **mine)),
        hero(one, "ben", fighter(sword=6, dodge=5)),
        foe(one, fighter(weapons=("club",), dodge=2, club=5), "Guard", open=True),
    )
    one.move(GM, "fight", foes_name="guards")
    if dice:
        one.move(GM, "initiative_all", "", dice)
    return people


def attack(one, seat, who, whom, *faces, **answers):
    """An attack up to where it stops, each part settled by whose it is."""
    theirs = {key: answers.pop(key) for key in [*answers] if key.startswith("defence")}
    owner = one.entity(whom).owner
    return one.roll(seat, "attack", who, faces, target=whom, theirs=theirs,
                    gm=theirs if owner == "gm" else {}, **answers)  # fmt: skip


# ---------------------------------------------------------------- the scenes


def luck_in_a_fight():
    """Luck on two attacks and on a defence that have fallen, in a fight and out of turn."""
    one = table(luck_points=True)
    a, b, guard = three(one, 10, 8, 5)
    attack(one, "ana", a, guard, 5, luck=1, defence="dodge")
    one.move(GM, "one_more", guard, why="A second wind")
    attack(one, GM, guard, b, 7, defence="parry:w1", defence_luck=1)
    one.move(GM, "one_more", b, why="A second wind")
    attack(one, "ben", b, guard, 4, defence="dodge")
    one.answer(GM, one.ask("attack_luck", guard), (1,), use="stand")
    one.waits()
    one.answer("ben", one.ask("defence_luck", b), (7, 2), use="add", points=1)
    one.answer("ben", one.ask("attack_luck", b), (1,), use="stand")
    one.answer(GM, one.ask("defence_luck", guard), (9, 0), use="stand")
    one.answer("ana", one.ask("attack_luck", a), (8,), use="add", points=2)
    one.answer(GM, one.ask("defence_luck", guard), (3, 1), use="add", points=1)
    return one


def luck_thrown_again():
    """Zeros, dice thrown again for four points, and nothing left but to go on."""
    one = table(luck_points=True, rolling_zeros=True, variable_outcomes=True)
    people = [hero(one, name, fighter(sword=6), luck=9) for name in ("ana", "ben")]
    a, b = people
    thug = foe(one, fighter(sword=6), "Thug", open=True, state={"luck": 5})
    attack(one, "ana", a, b, ZERO, 1, defence="parry:w1")
    attack(one, "ben", b, thug, 1, defence="parry:w1")
    attack(one, GM, thug, a, ZERO, ZERO, defence="parry:w1")
    one.waits()
    one.answer("ana", one.ask("attack_luck", a), (8,), use="again")
    one.answer("ana", one.ask("attack_luck", a), (3,), use="stand")
    one.answer("ben", one.ask("defence_luck", b), (5,), use="again")
    one.answer("ben", one.ask("defence_luck", b), (6, 1), use="add", points=1)
    one.answer("ben", one.ask("attack_luck", b), (9,), use="again")
    one.answer("ben", one.ask("attack_luck", b), (2,), use="stand")
    one.answer(GM, one.ask("defence_luck", thug), (9, 1), use="stand")
    one.answer(GM, one.ask("attack_luck", thug), use="stand")
    return one


def the_last_point():
    """The last points are spent, and dice are still to fall."""
    one = table(luck_points=True)
    a, b = hero(one, "ana", fighter(sword=6)), hero(one, "ben", fighter(sword=6), luck=0)
    attack(one, "ana", a, b, 1, defence="parry:w1")
    one.answer("ana", one.ask("attack_luck"), (9,), use="again")
    one.waits()
    one.answer("ana", one.ask("attack_luck"), (1, 5, 1), use="stand")
    return one


def blind_luck():
    """Luck on a roll whose total nobody is told, and modifiers that the GM keeps."""
    one = table(luck_points=True, luck_blind=True, luck_on_damage=True, calling_fours=True)
    a = hero(one, "ana", fighter(sword=6), luck=6)
    thug = foe(one, fighter(sword=6), "Thug", state={"luck": 2})
    roll = one.propose("ana", "attack", a, target=thug, damage_luck=1, called=True)
    rows = [{"on": "attack", "value": 2, "why": "from above"}]
    one.do(GM, c.Settle, proposal=roll, answers={"defence": "parry:w1", "modifiers": rows},
           hidden=("modifiers",))  # fmt: skip
    one.do("ana", c.Throw, (), proposal=roll)
    one.waits()
    one.answer("ana", one.ask("attack_luck"), (5,), use="add", points=1)
    one.answer(GM, one.ask("defence_luck"), (8, 1), use="add", points=1)
    return one


def attacks_proposed():
    """Attacks, and actions without dice, that wait for the GM and for a defender."""
    one = table("each", stance=True, hit_location=True, weapon_length=True)
    a, b, guard = three(one, 10, 8, 5, weapons=("saber", "dagger"))
    one.move(GM, "one_more", b, why="He is quick")
    one.move(GM, "one_more", guard, why="So is he")
    shot = one.propose("ana", "attack", a, target=guard, stance="1", what="Over the table")
    loud = one.propose(GM, "attack", guard, target=b)
    act = one.propose("ben", "act", b, what="Bars the door")
    stand = one.propose("ben", "all_out", b, kind="defence")
    lock = one.propose(GM, "long_action", guard, what="Rings the bell")
    one.waits()
    one.do(GM, c.Settle, proposal=shot, answers={"defence": "dodge", "area": "Left Arm: Hand"})
    one.do("ana", c.Throw, (9, 1, 8, 1), proposal=shot)
    one.do(GM, c.Settle, proposal=act, answers={"counts": "free"})
    one.do("ben", c.Throw, proposal=act)
    one.do(GM, c.Settle, proposal=stand)
    one.do("ben", c.Throw, proposal=stand)
    one.do(GM, c.Settle, proposal=lock, answers={"rounds": 2})
    one.roll("ben", "act", b, (), what="Draws breath", counts="action")
    one.do(GM, c.Throw, proposal=lock)
    one.do(GM, c.Withdraw, proposal=loud)
    return one


def initiative_rolled():
    """Initiative half thrown; equals wait for the GM; a round later their order by hand."""
    one = table()
    a, b = hero(one, "ana", fighter()), hero(one, "ben", fighter())
    guard = foe(one, fighter((4, 6, 4, 4)), "Guard")
    shade = foe(one, fighter(), "Shade", hidden=True)
    one.move(GM, "fight", heroes=[a, b], foes=[guard, shade])
    one.move("ana", "initiative", a, (7,))
    one.move("ben", "initiative", b, (7,))
    one.move(GM, "initiative", shade, (2,))
    one.waits()
    one.move(GM, "initiative", guard, (5,))
    one.answer(GM, one.ask("initiative_tie"), (3, 3, 2, 8))
    one.move(GM, "next_round")
    one.move("ana", "initiative", a, (4,))
    one.move(GM, "initiative_all", "", (9, 1), who=[guard, shade])
    one.move("ben", "initiative", b, (4,))
    one.answer(GM, one.ask("initiative_tie"), ruling="hand", place__1=a)
    one.move("ana", "leave", a, how="Through the window")
    one.move(GM, "join", a, side="heroes")
    one.move(GM, "next_round")
    one.move(GM, "initiative_all", "", (4, 4, 8, 1, 6, 2))
    one.move(GM, "end_fight", why="The bell rings")
    return one


def equals():
    """Equals already wait."""
    one = table()
    a, b = hero(one, "ana", fighter()), hero(one, "ben", fighter())
    one.move(GM, "fight", heroes=[a], foes=[b])
    one.move("ana", "initiative", a, (7,))
    one.move("ben", "initiative", b, (7,))
    one.waits()
    one.answer(GM, one.ask("initiative_tie"), ruling="hand", place__1=b)
    return one


def held_back():
    """In mid-round: somebody waits and cuts in, somebody moves and acts late, another is slower."""
    one = table(actions_per_round=2)
    a, b, guard = three(one, 10, 8, 5)
    one.move("ana", "wait", a, what="the door to open")
    one.move("ben", "act", b, what="Runs up", counts="moves")
    one.waits()
    one.roll("ana", "cut_in", a, (3, 4, 6, 3))
    one.move("ana", "act", a, what="Kicks the door", counts="action")
    one.move(GM, "act", guard, what="Turns round", counts="slower", cost=2)
    one.move(GM, "act", guard, what="Shouts", counts="action")
    one.move("ben", "wait", b)
    one.roll("ben", "cut_in", b, (9, 2))
    one.move("ben", "act", b, what="Grabs him", counts="action")
    one.move("ana", "act", a, what="Nods", counts="free")
    one.move("ana", "aim", a)
    one.move(GM, "wait", guard)
    one.move(GM, "leave", guard, how="Runs")
    one.answer(GM, one.ask("still_fighting"), answer="end", why="He is gone")
    return one


def long_work():
    """A long action broken off, whose work may be lost; another one that runs."""
    one = table()
    a, b, guard = three(one, 10, 8, 5)
    one.roll("ana", "long_action", a, (), what="The lock", gm={"rounds": 3})
    one.roll("ben", "long_action", b, (), what="The bomb", gm={"rounds": 2})
    one.move(GM, "act", guard, what="Waits", counts="action")
    one.move(GM, "act", guard, what="Waits", counts="action")
    one.answer(GM, one.ask("still_fighting"), answer="on")
    one.move(GM, "initiative_all", "", (10, 8, 5))
    one.move("ana", "break_off", a)
    one.waits()
    one.answer(GM, one.ask("long_kept"), answer="kept")
    one.roll("ana", "long_action", a, (), what="The lock", gm={"rounds": 2})
    one.move(GM, "next_round")
    one.move(GM, "initiative_all", "", (9, 3, 4))
    one.move(GM, "act", guard, what="Gapes", counts="action")
    one.move(GM, "next_round")
    return one


def blows():
    """What a fumble costs, a mortal blow, and a fight that may be over."""
    one = table(rolling_zeros=True, stance=True, defence_uses_action=True)
    a, b, guard = three(one, 10, 8, 5)
    attack(one, "ana", a, guard, ZERO, ZERO, defence="dodge", stance="2")
    attack(one, "ben", b, guard, 9, ZERO, 4, 9, ZERO, defence="dodge")
    one.waits()
    one.answer(GM, one.ask("fumble"), attack=2, defence=1, what="The blade sticks")
    attack(one, GM, guard, a, 8, 3, 9, 1, defence="parry:w1", defence_stance="1")
    one.move("ana", "all_out", a, kind="attack")
    one.move(GM, "one_more", a, why="In a rage")
    attack(one, "ana", a, guard, 5, 9, 1, defence="dodge")
    one.move("ben", "act", b, what="Looks on", counts="action")
    one.answer(GM, one.ask("still_fighting"), answer="on")
    one.move(GM, "initiative_all", "", (9, 8, 1))
    one.roll("ana", "task", a, (5,), on="skill:climb")
    one.move(GM, "end_fight", why="Enough")
    return one


def round_over():
    """Everybody has acted but one who waits; the GM is asked whether it goes on."""
    one = table(actions_per_round=1, weapon_length=True)
    a, b, guard = three(one, 10, 8, 5)
    attack(one, "ana", a, guard, 9, 1, 9, 1, defence="dodge")
    one.move("ben", "wait", b)
    one.move(GM, "act", guard, what="Staggers", counts="action")
    one.waits()
    one.move("ben", "act", b, what="Takes his chance", counts="action")
    one.answer(GM, one.ask("still_fighting"), answer="on")
    one.move(GM, "initiative_all", "", (10, 8, 5))
    attack(one, "ana", a, guard, 9, 1, 9, 1, defence="dodge")
    one.move(GM, "next_round")
    return one


SCENES = (
    luck_in_a_fight, luck_thrown_again, the_last_point, blind_luck, attacks_proposed,
    initiative_rolled, equals, held_back, long_work, blows, round_over,
)  # fmt: skip


if __name__ == "__main__":
    write(game, FIXTURES, SCENES)
