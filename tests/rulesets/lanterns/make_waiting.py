"""Writes campaigns of games in files in which every kind of card waits, and how each is played on.

From the project's folder: python -m tests.rulesets.lanterns.make_waiting. It never overwrites: the
fixtures show what an earlier version stored, and later versions have to play it on. The last
scene is of the sample that the tests of the reader break.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rules.toml import read_game
from kitchentable.rulesets.lanterns import game
from tests.rules.toml.sample import COIN
from tests.rulesets.driver import GM, open_evening
from tests.rulesets.waiting import Recorder, keep

FIXTURES = Path(__file__).with_name("fixtures")
SAMPLE = read_game(COIN)


def table(what=game, players=("ines", "tor"), **more) -> Recorder:
    one = open_evening(what, players, **more)
    one.do(GM, c.BeginSession)
    return Recorder(one.game, one.campaign)


def somebody(one, name, owner=GM, *, kind="", keepsakes=(), hidden=False, shown=True, **traits):
    sheet = {
        "traits": {"lamp": 2, "boots": 2, "hands": 2, "voice": 2, **traits},
        "lists": {"keepsakes": [{"text": text, "note": ""} for text in keepsakes]},
        "texts": {"promise": "", "about": ""},
    }
    made = {"kind": kind or ("shade" if owner == GM else "watcher"), "name": name, "owner": owner}
    event = one.do(GM, c.MakeEntity, **made, sheet=sheet, hidden=hidden, open=shown)
    return event.data["entity"]


def watch(**more):
    one = table(**more)
    return (
        one,
        somebody(one, "Marta", "ines", keepsakes=["A whistle"], lamp=3, boots=1, hands=1, voice=3),
        somebody(one, "Bram", "tor", lamp=1, boots=3, hands=4, voice=0),
        somebody(one, "The Thing", shown=False),
    )


def stories():
    """What a result asks for: of a player's roll, of an opposed one, and of somebody hidden."""
    one, marta, _bram, thing = watch()
    shade = somebody(one, "Shade", hidden=True)
    one.roll("ines", "try", marta, (6, 1, 1, 1), trait="lamp", entry="A whistle")
    one.roll("ines", "light", marta, ("flame",))
    one.move(GM, "light", shade, ("flame",))
    one.waits()
    first, second, third = one.asks("story")
    one.answer("ines", first, text="The cat comes back.")
    one.answer(GM, second, text="A face.")
    one.answer(GM, third, text="Nobody sees it.")
    one.move(GM, "mark", who=thing, track="bruises", more=1, why="A fall")
    one.move("ines", "refill", marta)
    one.move(GM, "dawn")
    return one


def proposals():
    """Rolls that wait for the GM and for a player, some of their numbers hidden."""
    one, marta, bram, thing = watch(gm_confirms="each")
    tried = one.propose("ines", "try", marta, trait="voice", entry="A whistle", what="Call it")
    struggle = one.propose("tor", "struggle", bram, target=thing, trait="hands")
    foe = one.propose(GM, "struggle", thing, target=marta, trait="boots")
    one.waits()
    given = {"difficulty": "own", "number": 9, "modifier": 2, "entry": ""}
    one.do(GM, c.Settle, proposal=tried, answers=given, hidden=("number", "modifier"))
    one.do("ines", c.Throw, (1, 2, 3, 5), proposal=tried)
    given = {"other_trait": "boots", "other_modifier": 3}
    one.do(GM, c.Settle, proposal=struggle, answers=given, hidden=("other_modifier",))
    one.do("tor", c.Throw, (5, 5, 4, 5, 6, 6, 1, 2), proposal=struggle)
    one.do("ines", c.Settle, proposal=foe, answers={"other_trait": "lamp"})
    one.do(GM, c.Settle, proposal=foe)
    one.do(GM, c.Throw, (6, 6, 1, 1), proposal=foe)
    song = one.propose("tor", "song", bram)
    one.do(GM, c.Settle, proposal=song)
    one.do("tor", c.Throw, (6, 6, 2), proposal=song)
    return one


def order():
    """A fight in which nobody has an order yet, played to its end."""
    one, marta, bram, thing = watch()
    shade = somebody(one, "Shade", hidden=True)
    one.move(GM, "fight", heroes=[marta, bram], foes=[thing, shade])
    one.waits()
    one.move(GM, "order", "", (6, 2, 5, 1))
    one.roll("ines", "struggle", marta, (6, 6, 1, 1), target=thing, trait="voice")
    one.move(GM, "end_turn", thing)
    one.roll("tor", "struggle", bram, (6, 6, 1, 1), target=thing, trait="hands")
    one.move(GM, "next_round")
    one.move(GM, "order", "", (6, 2, 5))
    one.move(GM, "end_fight")
    return one


def turns():
    """In the middle of a round: one has acted, one is down, the GM's hand on a track."""
    one, marta, bram, thing = watch()
    one.move(GM, "fight", heroes=[marta, bram], foes=[thing])
    one.move(GM, "order", "", (1, 6, 3))
    one.roll("tor", "struggle", bram, (6, 6, 1, 1), target=thing, trait="hands")
    one.waits()
    one.roll(GM, "struggle", thing, (6, 6, 1, 1), target=marta, trait="boots")
    one.move(GM, "mark", who=marta, track="bruises", more=4, why="The stairs")
    one.move(GM, "next_round")
    one.move(GM, "order", "", (2, 3))
    one.move("tor", "end_turn", bram)
    one.move(GM, "end_fight")
    return one


def lists():
    """Fewer boxes than marks, points that do not fit, and a session's end with growth."""
    one = table(SAMPLE, ("ada",))
    sheet = {"traits": {"nerve": 2, "wits": 2}, "lists": {"charms": []}}
    kinds = {"kind": "character", "owner": "ada", "open": True}
    kit = one.do(GM, c.MakeEntity, name="Kit", sheet=sheet, **kinds).data["entity"]
    more = {"traits": {"nerve": 1, "wits": 3, "will": 3}, "lists": {"charms": []}}
    eve = one.do(GM, c.MakeEntity, name="Eve", sheet=more, **kinds).data["entity"]
    one.do(GM, c.SetOptions, options={"luck_of_all": 1})
    one.waits()
    one.answer(GM, one.ask("refit"), tracks__beyond__luck="fit", traits__lost__will="owner")
    own = next(ask for ask in one.asks("refit"))
    one.answer("ada", own, traits__lost__will="note")
    key = f"group-self.{kit}"
    one.answer(GM, one.ask("points_fit"), **{"group-self": "leave", key: "back"})
    one.do(GM, c.CloseSession)
    one.do(GM, c.EndSession)
    one.move("ada", "grow", eve, trait="nerve")
    return one


SCENES = {
    stories: game, proposals: game, order: game, turns: game, lists: SAMPLE,
}  # fmt: skip


if __name__ == "__main__":
    for scene in SCENES:
        keep(FIXTURES, scene)
