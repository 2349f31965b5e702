"""Writes campaigns in which every kind of card of Lucky Stars waits, and how each is played on.

From the project's folder: python -m tests.rulesets.lucky_stars.make_waiting. It never overwrites:
the fixtures show what an earlier version stored, and later versions have to play it on. Where a
rule is mended on purpose, the name of a scene after the command records anew what follows the
stored events, and leaves these as they are.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, foe, hero, stock, thing
from tests.rulesets.lucky_stars.test_stat_list import DERIVED, GRIT, change
from tests.rulesets.waiting import Recorder, write

FIXTURES = Path(__file__).with_name("fixtures")


def table(**more) -> Recorder:
    one = evening(**more)
    return Recorder(one.game, one.campaign)


# ---------------------------------------------------------------- the scenes


def told():
    """The GM is asked what a roll has brought: of a character, of somebody hidden, of who left."""
    one = table(narrate=True, show_margin=True)
    ana = hero(one, "ana", will=2, strength=1)
    shade, serk = foe(one, name="Umbra", hidden=True, will=3), foe(one, name="Serk", will=3)
    one.roll("ana", "decision", ana, (2, 6, 3), stat="will", gm={"target": "12"})
    one.waits()
    one.answer(GM, one.ask("telling"), text="The door gives way.")
    one.roll(GM, "decision", shade, (1, 2), stat="will", target="6", what="Hide")
    one.answer(GM, one.ask("telling"), text="Nobody looks up.")
    one.roll("ana", "contest", ana, (2, 3, 4, 1), other=serk, stat="strength",
             theirs={"other_stat": "will"})  # fmt: skip
    one.do(GM, c.SkipAsk, ask=one.ask("telling").id)
    return one


def used():
    """Supply rolls that wait: of a thing, several in a row, of a stock, of what is gone by then."""
    one = table()
    ana = hero(
        one, "ana", thing("Healer's kit", "6", id="kit", restock="At an apothecary."), will=1
    )
    ben = hero(one, "ben", thing("Arrows", "4", id="arrows"))
    barge = stock(one, thing("Lamp oil", "12", id="oil", rolls="Each night."))
    one.move("ben", "track", ben, (), name="Hope", kind="die", size="8")
    kit, arrows = f"{ana}/gear/kit", f"{ben}/gear/arrows"
    common = {"stat": "none", "gm": {"target": "8"}}
    one.roll("ana", "decision", ana, (5, 5), uses=kit, times=3, **common)
    one.roll("ana", "decision", ana, (1, 2), uses=f"{barge}/gear/oil", **common)
    one.roll("ben", "decision", ben, (4, 4), uses=arrows, times=2, **common)
    one.roll("ben", "decision", ben, (4, 4), uses=f"{ben}/trackers/hope", **common)
    one.waits()
    first, oil, bow, hope = one.asks("supply_due")
    one.answer("ana", first, (2,))
    one.answer("ana", one.asks("supply_due", ana)[-1], (1,))
    one.answer("ana", oil, (12,))
    one.answer("ben", bow, (3,))
    one.answer("ben", hope, (3,))
    one.move("ben", "restock", ben, (), supply=arrows, size="4", why="Fletched")
    one.roll("ben", "decision", ben, (4, 4), uses=arrows, **common)
    one.do(GM, c.Override, path=("entities", ben, "sheet", "gear"), now=[], reason="Lost.")
    one.answer("ben", one.ask("supply_due"))
    one.move("ana", "supply", ana, (4,), supply=f"{barge}/gear/oil", what="A long night")
    one.move("ana", "supply", ana, (1,), supply=f"{barge}/gear/oil")
    return one


def changed():
    """Stats leave and come: numbers without a place, and what derived numbers count instead."""
    one = table(derived=DERIVED)
    ana = hero(one, "ana", fort=2, will=1, level=3, strength=4)
    ben = hero(one, "ben", fort=1, will=4, level=2, strength=6)
    foe(one, name="Roake", hidden=True, fort=7, will=0, level=9, strength=2)
    change(one, GRIT, without=("fort", "strength"))
    one.waits()
    one.answer(GM, one.asks("refit")[0], stats__lost__fort="owner", stats__lost__strength="note",
               stats__new__grit="as.will")  # fmt: skip
    for seat, who in (("ana", ana), ("ben", ben)):
        one.answer(seat, one.ask("refit", who), **{"stats.lost.fort": "note"})
    one.answer(GM, one.ask("derived_parts"), part__strength="had:")
    one.do(GM, c.SetOptions, options={"derived": [{"name": "Calm", "formula": "Luck + Will"}]})
    one.answer(GM, one.ask("derived_parts"), part__luck="nothing:")
    return one


def proposals():
    """Rolls that wait for the GM and for a player, with what was pointed out about them."""
    one = table(settings={"gm_confirms": "each"}, show_margin=True, gm_sets_dice=True,
                contest_disadvantage=True, target_shown="after")  # fmt: skip
    ana = hero(one, "ana", thing("Rope", "8", id="rope"), will=2, strength=1)
    ben = hero(one, "ben", strength=2)
    serk = foe(one, name="Serk", strength=3)
    one.move("ben", "announce", "", (), about=ana, text="high ground", kind="for", big=True)
    one.move("ben", "announce", "", (), about=serk, text="mud", kind="modifier", value="-1/2",
             wording="penalty")  # fmt: skip
    one.move(GM, "announce", "", (), about=ben, text="rain", kind="against")
    rope = f"{ana}/gear/rope"
    decision = one.propose("ana", "decision", ana, stat="will", uses=rope, extra=["Luck"],
                           what="Climb",
                           modifiers=[{"name": "Song", "value": "1/2 Will", "wording": "bonus"}],
                           factors=[{"name": "fear", "worth": "against-1"}])  # fmt: skip
    contest = one.propose("ben", "contest", ben, other=ana, stat="strength")
    against = one.propose("ana", "contest", ana, other=serk, stat="will")
    d100 = one.propose("ben", "d100", ben, what="Does the powder catch?")
    shut = one.propose("ben", "decision", ben, stat="strength")
    said = [next(key for key, row in one.table.own["announced"].items() if row["text"] == "mud")]
    one.waits()
    ruled = {"target": "other", "number": 13, "adjustments": [{"name": "a map", "value": -1}],
             "level": "-1", "dice": 3, "no_supplies": False}  # fmt: skip
    one.do(GM, c.Settle, proposal=decision, hidden=("adjustments",), answers=ruled)
    one.do("ana", c.Throw, (4, 6, 2, 3, 5), proposal=decision)
    one.answer("ana", one.ask("supply_due"), (8,))
    one.do(
        "ana", c.Settle, proposal=contest, answers={"other_stat": "will", "other_extra": ["Luck"]}
    )
    one.do(GM, c.Settle, proposal=contest, answers={"announced": []})
    one.do("ben", c.Throw, (2, 3, 2, 1, 2, 5, 5, 1, 1), proposal=contest)
    one.do(GM, c.Settle, proposal=against,
           answers={"other_stat": "strength", "first_level": "-2", "level": "1",
                    "announced": said})  # fmt: skip
    one.do("ana", c.Throw, (3, 2, 2), proposal=against)
    one.do(GM, c.Settle, proposal=d100, answers={"reading": "high", "threshold": 70},
           hidden=("threshold",))  # fmt: skip
    one.do("ben", c.Throw, (70,), proposal=d100)
    one.do(GM, c.Settle, proposal=shut, answers={"target": "20", "allow": "no"})
    one.do("ben", c.Throw, (), proposal=shut)
    return one


def beside():
    """Moves at once: a contest of many, other dice, trackers; and a D100 that the GM reads."""
    one = table()
    ana, ben = hero(one, "ana", will=2), hero(one, "ben", strength=2)
    serk = foe(one, name="Serk", strength=3)
    one.move("ana", "track", ana, (), name="Arrows", kind="percent", value=80)
    one.move("ben", "announce", "", (), about=ben, text="a head start", kind="for")
    reads = one.propose("ana", "d100", ana, what="Weather?")
    one.waits()
    one.do(GM, c.Settle, proposal=reads, answers={"reading": "gm"})
    one.do("ana", c.Throw, (33,), proposal=reads)
    many = {f"stat.{ana}": "will", f"stat.{ben}": "strength", f"plus.{serk}": -1,
            f"extra.{ben}": ["Luck"], f"level.{serk}": "2"}  # fmt: skip
    one.move(
        GM,
        "contest_of_many",
        "",
        (1, 5, 4, 3, 2, 1, 1, 1, 1, 2, 4, 4),
        who=[ana, ben, serk],
        **many,
    )
    one.move("ana", "other_dice", ana, (7, 3), count=2, sides=8, plus=1, what="The fall")
    one.move("ana", "track", ana, (), tracker="arrows", value=60, why="Spent")
    one.move("ana", "track", ana, (), name="Coins", kind="count", value=12)
    one.move("ana", "track", ana, (), tracker="coins", drop=True)
    one.move("ana", "track", ana, (), name="Hope", kind="die", size="12")
    one.move("ana", "supply", ana, (3,), supply=f"{ana}/trackers/hope")
    return one


SCENES = (told, used, changed, proposals, beside)


if __name__ == "__main__":
    write(game, FIXTURES, SCENES)
