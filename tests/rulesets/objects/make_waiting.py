"""Writes campaigns in which every kind of card of Objects waits, and how each is played on.

From the project's folder: python -m tests.rulesets.objects.make_waiting. It never overwrites: the
fixtures show what an earlier version stored, and later versions have to play it on.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rulesets.objects import game
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import draft, evening, save, thing
from tests.rulesets.objects.test_basics import LUCKY, change
from tests.rulesets.waiting import Recorder, write

FIXTURES = Path(__file__).with_name("fixtures")


def table(**more) -> Recorder:
    one = evening(**more)
    return Recorder(one.game, one.campaign)


def captain(one, owner="ana", **more):
    talents = {"agile": 4, "witty": 3, "captain of small ships": 5, "swimmer": 0}
    return thing(one, owner, name=more.pop("name", "Mara"), talents=talents, **more)


def sheets():
    """Sheets that wait for the GM's word of power and talents; one is agreed to as a whole."""
    one = table(steps_in_order=False)
    first, second = draft(one), draft(one, "idea", "ben", "Flame")
    told = {"concept": "Somebody", "story": "At sea. She stays.", "goal": "To be let alone."}
    talents = [{"name": "sailor", "level": 4}, {"name": "king of thieves", "level": 6}]
    for seat, ident in (("ana", first), ("ben", second)):
        save(one, ident, seat, **told, talents=talents, done__signs=True)
        one.do(seat, c.SubmitSheet, entity=ident)
    one.waits()
    one.answer(GM, one.ask("agree", first), power="Tougher than most", not_yet=["king of thieves"],
               word="A prince, perhaps")  # fmt: skip
    one.do(GM, c.DecideSheet, entity=second, accept=True)
    one.do(GM, c.DecideSheet, entity=first, accept=True)
    one.move(GM, "power", first, power="As tough as any")
    return one


def rolling():
    """Self thrown again with karma on it, by players and by somebody closed; a hidden modifier."""
    one = table(karma_reroll=True, karma_gm=True, modifier_shown="after")
    mara, ship = captain(one, karma=3), thing(one, "ben", "vehicle", "Heron", {"fast": 4}, karma=2)
    house = thing(one, kind="place", name="House", talents={"patient": 4}, open=False, karma=5)
    for seat, who, talent, gm, hidden in (
        ("ana", mara, "Agile", {"modifier": 1}, ()),
        ("ben", ship, "Fast", {"modifier": 2}, ("modifier",)),
        (GM, house, "patient", {"modifier": 0}, ()),
    ):
        roll = one.propose(seat, "test", who, stakes="Does it hold?", talent=talent)
        one.do(GM, c.Settle, proposal=roll, answers=gm, hidden=hidden)
        one.do(seat, c.Throw, (4, 3), proposal=roll)
    waiting = one.propose("ana", "test", mara, stakes="The rope", talent="Witty", karma=-1)
    one.waits()
    one.answer("ana", one.ask("again", mara), (5, 2), karma=1)
    one.answer("ben", one.ask("again", ship), (2,))
    one.answer(GM, one.ask("again", house), (3,), karma=-2)
    one.do(GM, c.Settle, proposal=waiting, answers={"modifier": 5}, hidden=("modifier",))
    one.do("ana", c.Throw, (4, 1), proposal=waiting)
    one.answer("ana", one.ask("again", mara), (6,))
    return one


def criticals():
    """The stories of criticals, one of them suggested by a player, one about a hidden object."""
    one = table(modifier_detail="aspects")
    mara, shade = captain(one), thing(one, name="Shade", hidden=True, talents={"tough": 2})
    guard = thing(one, name="Guard", talents={"tough": 3, "at the gate": 5})
    one.move(GM, "situation", title="Will the gate hold?")
    gm = {"aspects": [{"what": "rain", "points": 2}, {"what": "rain", "points": 1}]}
    for seat, who, faces in (("ana", mara, (1, 1)), ("ana", mara, (6, 6)), (GM, shade, (1, 1))):
        roll = one.propose(seat, "test", who, stakes="The gate", talent="Agile")
        one.do(GM, c.Settle, proposal=roll, answers=gm, hidden=("aspects",) if seat == GM else ())
        one.do(seat, c.Throw, faces, proposal=roll)
    success, failure, unseen = one.asks("critical")
    one.answer("ben", success, text="The bell rings")
    one.waits()
    one.answer("ana", one.table.asks[success.id], text="The gate sings")
    one.answer(GM, one.table.asks[success.id], text="It opens by itself.")
    one.answer(GM, failure, text="It falls outwards.")
    one.answer(GM, unseen, text="Nobody saw it.")
    roll = one.propose("ana", "test", mara, stakes="Once more", unlisted="singing", against=guard)
    one.do(GM, c.Settle, proposal=roll, answers=gm)
    one.do("ana", c.Throw, (3, 2), proposal=roll)
    one.answer(GM, one.ask("situation_end"), outcome="They are through.")
    one.move(GM, "situation", title="And the way back?")
    return one


def statuses():
    """A status that waits for the GM, a fate at status 0, things mended, days that pass."""
    one = table()
    mara, ship = captain(one, karma=2), thing(one, "ben", "vehicle", "Heron", {"fast": 4})
    golem = thing(one, kind="thing", name="Golem", open=False, karma=1)
    one.move("ana", "status", mara, status="4", cause="fell: left leg broken")
    one.move("ben", "status", ship, status="5", cause="scraped the Teeth")
    one.move(GM, "status", golem, status="0", cause="crushed")
    one.move(GM, "status", ship, status="0", cause="on the rocks")
    one.waits()
    one.answer(GM, one.ask("judge_status", mara), verdict="yes")
    one.answer(GM, one.ask("judge_status", ship), verdict="no")
    one.answer(GM, one.ask("fate", ship), verdict="leave", told="One last sail")
    roll = one.propose("ben", "test", ship, stakes="Off the rocks", talent="Fast")
    one.do(GM, c.Settle, proposal=roll)
    one.do("ben", c.Throw, (3, 5), proposal=roll)
    one.move(GM, "fate", ship, verdict="recovers", status="2")
    one.move(GM, "day", days=3)
    one.move("ana", "heal", mara, injury="0", how="Set and splinted")
    one.move(GM, "status", mara, status="6")
    one.answer(GM, one.ask("fate", golem), verdict="other", told="It is dust, that thinks.")
    one.move(GM, "fate", golem, verdict="dies", told="And no more.")
    one.move(GM, "death", mara, told="The sea has her.")
    return one


def learning():
    """What players want to learn waits for the GM; crew come aboard, objectives are reached."""
    one = table()
    mara, shade = captain(one), thing(one, name="Shade", hidden=True)
    ship = thing(one, "ben", "vehicle", "Heron", {"fast": 4, "crewed": (3, shade)})
    one.move("ana", "learn", mara, name="knows the tides", level=2, reason="A winter at sea")
    one.move("ana", "learn", mara, talent="swimmer", level=1, reason="Fell in often")
    one.move("ben", "learn", ship, talent="crewed", level=4, object=mara, reason="She is aboard")
    one.move("ben", "learn", ship, talent="crewed", level=5, reason="They know each other")
    one.waits()
    new, better = one.asks("judge_talent", mara)
    aboard, known = one.asks("judge_talent", ship)
    one.answer(GM, new, verdict="yes")
    one.answer(GM, better, verdict="no", word="Not in winter")
    one.answer(GM, known, verdict="yes")
    one.answer(GM, aboard, verdict="yes", word="Aye")
    one.move(GM, "learn", ship, name="haunted", level=1, object=shade, reason="At night")
    one.move("ana", "objective", mara, new="Find the harbour master")
    one.move("ana", "objective", mara, reached="0", new="Pay him")
    return one


def fights():
    """A fight without a fixed order, in which a ship breaks up and somebody joins another."""
    one = table()
    mara, crew = captain(one, karma=1), thing(one, kind="group", name="Crew", karma=1)
    talents = {"fast": 4, "steered by Mara": (5, mara), "hard to see": 3, "crewed": (3, crew)}
    ship = thing(one, "ben", "vehicle", "Heron", talents, karma=4)
    shade = thing(one, name="Shade", hidden=True, open=False, karma=2)
    one.move(GM, "fight", who=[mara, ship, shade])
    one.waits()
    one.move(GM, "turn", who=shade)
    roll = one.propose("ana", "test", mara, stakes="The deck", talent="Agile")
    one.do(GM, c.Settle, proposal=roll)
    one.do("ana", c.Throw, (3, 5), proposal=roll)
    one.move(GM, "turn", who=crew, out=[shade])
    parts = [
        {"name": "The wreck", "kind": "thing", "karma": 1},
        {"name": "The lamp", "kind": "idea"},
    ]
    answers = {f"karma.{mara}": 1, "heir.0": "0", "keeps": 1, "stays": True}
    one.move(GM, "split", ship, told="The keel breaks.", parts=parts, **answers)
    one.move(GM, "merge", shade, into=mara, level=2, karma=1, told="Through the mirror")
    one.move(GM, "merge", crew, into=ship, name="crew again", level=4, stays=True, karma=1)
    one.move(GM, "split", ship, told="For good.", **{f"karma.{crew}": 1})
    one.move(GM, "end_fight", why="Nobody is left")
    one.move(GM, "fight", who=[crew])
    return one


def lists():
    """Basic talents struck out and new: cards for the GM and for a player."""
    one = table()
    captain(one)
    thing(one, name="Shade", talents={"agile": 5, "tough": 2}, hidden=True, open=False)
    change(one, LUCKY, without=("agile",))
    one.answer(GM, one.ask("refit"), basic__lost__agile="owner")
    change(one, LUCKY, without=("agile", "tough"))
    one.waits()
    own, hidden, rest = one.asks("refit")
    one.answer("ana", own, basic__lost__agile="note")
    one.answer(GM, hidden, basic__lost__agile="drop")
    one.answer(GM, rest, basic__lost__tough="note")
    change(one)
    return one


SCENES = (sheets, rolling, criticals, statuses, learning, fights, lists)


if __name__ == "__main__":
    write(game, FIXTURES, SCENES)
