"""Writes campaigns in which every kind of card of Toaster's actions waits, and plays them on.

From the project's folder: python -m tests.rulesets.toaster.make_waiting_actions. It never
overwrites: the fixtures show what an earlier version stored, and later versions have to play it on.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import contest, evening, foe, hero, many, speak, state, task
from tests.rulesets.waiting import Recorder, write

FIXTURES = Path(__file__).with_name("fixtures")


def table(**options) -> Recorder:
    one = evening(**options)
    return Recorder(one.game, one.campaign)


def lucky(one, player, attributes=(5, 5, 5, 7), points=7, **bases):
    who = hero(one, player, attributes, **bases)
    has(one, who, points)
    return who


def has(one, who, points):
    if one.entity(who).state["luck"] != points:
        state(one, who, luck=points)


def stand(one):
    """Everybody lets everything stand, until no roll waits for luck."""
    while waiting := [*one.asks("task_luck"), *one.asks("contest_luck")]:
        speak(one, waiting[0], use="stand")


# ---------------------------------------------------------------- the scenes


def luck_on_tasks():
    """Tasks that wait for luck: plain, with points beforehand, a zero, kept from the player."""
    one = table(luck_points=True, rolling_zeros=True, calling_fours=True)
    ana, ben = lucky(one, "ana", climb=5), lucky(one, "ben", points=9, ride=5)
    shade = foe(one, "Shade", (5, 5, 5, 5), hidden=True, climb=3)
    has(one, shade, 4)
    task(one, ana, "climb", 3, what="Over the wall")
    task(one, ana, "climb", 2, luck=1)
    task(one, ana, "climb", 0, 3, what="Down again")
    task(one, ana, "climb", called=True)
    one.roll("ben", "task", ben, (4,), on="skill:ride", gm={"difficulty": "difficult"},
             hidden=("difficulty",))  # fmt: skip
    task(one, ben, "ride", 1, seat="ben")
    task(one, shade, "climb", 2, seat=GM)
    one.waits()
    plain, before, zero, called = one.asks("task_luck", ana)
    kept, low = one.asks("task_luck", ben)
    speak(one, plain, use="add", points=1)
    speak(one, before, use="stand")
    speak(one, zero, (1,), use="again")
    speak(one, called, use="add", points=1)
    speak(one, kept, (2,), use="again")
    speak(one, one.table.asks.get(kept.id) or one.asks("task_luck", ben)[-1], use="add", points=2)
    stand(one)
    assert low.id not in one.table.asks
    return one


def luck_in_bands():
    """Luck under variable outcomes: blind, told after, several at one task, a called roll."""
    one = table(luck_points=True, variable_outcomes=True, luck_blind=True, collaboration=True,
                difficulty_shown="after", outcome_prompts="all")  # fmt: skip
    ana, ben = lucky(one, "ana", climb=5), lucky(one, "ben", climb=1)
    task(one, ana, "climb", 2, gm={"measures": "quality", "difficulty": "easy"})
    one.roll("ana", "together", ana, (1, 3), on="skill:climb", helpers=[ben], what="Push")
    one.waits()
    alone, both = one.asks("task_luck", ana)
    speak(one, alone, (1,), use="again")
    speak(one, one.asks("task_luck", ana)[-1], use="add", points=1)
    speak(one, one.asks("task_luck", ana)[-1], use="stand")
    if both.id in one.table.asks:
        speak(one, both, use="stand")
    for ask in one.asks("meaning"):
        one.answer(GM, ask, text="It slips.", roll="skill:climb", modifier=2)
    for ask in one.asks("called_roll"):
        speak(one, ask, (2,), luck=1)
    stand(one)
    return one


def luck_in_contests():
    """Contests that wait for luck: open, closed, of many, side by side, with an onlooker."""
    one = table(luck_points=True, rolling_zeros=True)
    ana, ben = lucky(one, "ana", points=9), lucky(one, "ben", points=9)
    thug = foe(one, "Thug", (5, 5, 5, 5))
    has(one, thug, 4)
    even = {"on": "attribute:aura", "other_on": "attribute:aura"}
    contest(one, ana, ben, (3, 5), what="Stare", **even)
    contest(one, ana, thug, (3, 7), on="attribute:aura", other_on="attribute:physique",
            gm={"difficulty": "difficult", "kind": "opposed"}, hidden=("difficulty",))  # fmt: skip
    contest(one, ana, ben, (2, 4), gm={"kind": "parallel"}, **even)
    many(one, [ana, ben, thug], (2, 3, 8), kind="race",
         **{f"on.{who}": "skill:run" for who in (ana, ben, thug)})  # fmt: skip
    many(one, [ana, ben, thug], (5, 0, 2, 3), kind="onlookers", first=thug)
    one.waits()
    mine = one.asks("contest_luck")
    speak(one, mine[0], use="add", points=3)
    speak(one, one.asks("contest_luck", ben)[-1], (9,), use="again")
    speak(one, one.asks("contest_luck", ana)[-1], use="stand")
    for ask in one.asks("contest_luck", ana)[:2]:
        if ask.id == mine[1].id:
            speak(one, ask, (8,), use="again")
        else:
            speak(one, ask, use="add", points=1)
    for ask in one.asks("contest_luck", thug)[:1]:
        speak(one, ask, (9,), use="again")
    stand(one)
    for ask in one.asks("tie"):
        one.answer(GM, ask, way="nobody")
    return one


def ties():
    """Contests without a victor: every way to settle one."""
    one = table(variable_outcomes=True, tiebreaker_own="The older one wins.")
    ana, ben = hero(one, "ana", climb=9), hero(one, "ben", (5, 5, 5, 6))
    shade, thug = foe(one, "Shade", hidden=True), foe(one, "Thug")
    even = {"on": "attribute:physique", "other_on": "attribute:physique"}
    for faces in ((5, 5), (5, 4), (6, 6), (3, 3), (7, 7)):
        contest(one, ana, ben, faces, **even,
                gm={"difficulty": "easy", "other_difficulty": "easy"})  # fmt: skip
    contest(one, ana, ben, (4, 6), on="skill:climb", other_on="attribute:physique")
    one.roll(GM, "contest", shade, (4, 4), other=thug, **even)
    many(one, [ana, ben, shade], (5, 5, 2), kind="race",
         **{f"on.{who}": "attribute:physique" for who in (ana, ben, shade)})  # fmt: skip
    one.waits()
    first, draw, own, over, higher, rank, hidden, race = one.asks("tie")
    one.answer(GM, first, way="nobody", note="They shake hands.")
    one.answer(GM, draw, way="highest-roll")
    one.answer(GM, own, way="other:1", note="Ben is older.")
    one.answer(GM, over, (4, 4, 5, 3), way="do-over")
    one.answer(GM, higher, (2, 9), way="do-over", **{"on.0": "skill:climb", "more.1": -1})
    one.answer(GM, rank, way="skill-rank")
    one.answer(GM, hidden, way="nobody")
    one.answer(GM, race, (1, 6), way="do-over", note="Once more round the mill.")
    return one


def ties_of_luck():
    """A tie that luck decides."""
    one = table(luck_points=True)
    ana, ben = lucky(one, "ana", points=3), lucky(one, "ben", points=5)
    contest(one, ana, ben, (5, 5), on="attribute:physique", other_on="attribute:physique")
    for ask in one.asks("contest_luck"):
        speak(one, ask, use="stand")
    one.waits()
    for ask in one.asks("contest_luck"):
        speak(one, ask, use="stand")
    one.answer(GM, one.ask("tie"), way="luck")
    return one


def meanings():
    """Outcomes that the GM is asked about: fumble, failure, marginal, critical, of two sides."""
    one = table(variable_outcomes=True, rolling_zeros=True, outcome_prompts="all")
    ana, ben = hero(one, "ana", climb=9, drive=7), hero(one, "ben", ride=1)
    task(one, ana, "climb", 0, 0)
    task(one, ana, "climb", 1, gm={"difficulty": "very-difficult"})
    task(one, ben, "ride", 7, seat="ben")
    task(one, ana, "drive", 9, gm={"difficulty": "very-easy"})
    task(one, ana, "climb", 9)
    contest(one, ana, ben, (9, 0, 1), on="skill:climb", other_on="skill:ride")
    one.waits()
    waiting = one.asks("meaning")
    assert len(waiting) == 6
    fumble, failure, marginal, critical, second, both = waiting
    one.answer(GM, fumble, text="Down the cliff.", retry="otherwise", temper=True)
    one.answer(GM, failure, follows="hang-on", retry="yes", modifier=-1)
    one.answer(GM, marginal, roll="skill:ride", modifier=1)
    one.answer(GM, critical, bonus=1, bonus_name="a tuned engine", days=3)
    one.answer(GM, second, temper=True)
    one.answer(GM, both, swap=True, text="Into the ditch.")
    for ask in one.asks("called_roll"):
        speak(one, ask, (5,))
    task(one, ana, "drive", 3, gm={"circumstances": list(one.table.own["boons"])})
    return one


def called_rolls():
    """Rolls that the GM has called for, and luck rolls of a group."""
    one = table(variable_outcomes=True, luck_rolls=True, luck_points=True, calling_fours=True,
                fours_luck_roll=True)  # fmt: skip
    ana, ben = lucky(one, "ana", climb=4), lucky(one, "ben", ride=3)
    foe(one, "Shade", hidden=True)
    for who, on in ((ana, "climb"), (ben, "ride")):
        state(one, who, luck=0)
        task(one, who, on, 5, seat="ana" if who == ana else "ben")
        state(one, who, luck=3)
    for ask in one.asks("meaning"):
        one.answer(GM, ask, roll="skill:climb", modifier=1)
    one.move(GM, "luck_of_many", "", who=[ana, ben], how="each", difficulty="easy", what="Rain?")
    one.do(GM, c.MakeMove, move="luck_of_many", hidden=("difficulty", "number"),
           answers={"who": [ana, ben], "difficulty": "custom", "number": -2})  # fmt: skip
    one.waits()
    mine, theirs = one.asks("called_roll")
    speak(one, mine, (1,), luck=2)
    speak(one, theirs, called=True)
    for ask in one.asks("task_luck"):
        speak(one, ask, use="add", points=1)
    for ask in one.asks("task_luck"):
        speak(one, ask, use="stand")
    for number, ask in enumerate(one.asks("luck_roll")):
        speak(one, ask, *(() if number == 2 else ((number + 3,),)),
              **({"called": True} if number == 2 else {}))  # fmt: skip
    return one


def action_proposals():
    """Rolls in the middle of their conversation, one of them an action in a fight."""
    one = table(collaboration=True, complementary_skills=True, calling_fours=True)
    ana, ben = hero(one, "ana", climb=3, acrobatics=5), hero(one, "ben", persuasion=4)
    thug = foe(one, "Thug")
    one.move(GM, "fight", heroes=[ana, ben], foes=[thug])
    one.move(GM, "initiative_all", "", (9, 5, 1), who=[ana, ben, thug])
    climb = one.propose("ana", "task", ana, on="skill:climb", helps=["acrobatics"], what="Up")
    stare = one.propose("ana", "contest", ana, other=ben, on="attribute:aura")
    push = one.propose("ben", "together", ben, on="attribute:physique", helpers=[ana])
    one.waits()
    one.do(GM, c.Settle, proposal=climb, answers={"helps_acrobatics": 2, "difficulty": "easy"})
    one.do("ana", c.Throw, (6,), proposal=climb)
    one.do("ben", c.Settle, proposal=stare, answers={"other_on": "skill:persuasion"})
    one.do(GM, c.Settle, proposal=stare, answers={"counts": "free"})
    one.do("ana", c.Throw, (4, 7), proposal=stare)
    one.do(GM, c.Settle, proposal=push, answers={"counts": "free", "effect": "too-many"})
    one.do("ben", c.Throw, (4, 7), proposal=push)
    return one


SCENES = (
    luck_on_tasks, luck_in_bands, luck_in_contests, ties, ties_of_luck, meanings, called_rolls,
    action_proposals,
)  # fmt: skip


if __name__ == "__main__":
    write(game, FIXTURES, SCENES)
