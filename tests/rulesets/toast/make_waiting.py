"""Writes campaigns in which every kind of card of Toast waits, and how each is played on.

From the project's folder: python -m tests.rulesets.toast.make_waiting. It never overwrites: the
fixtures show what an earlier version stored, and later versions have to play it on.
"""

from pathlib import Path

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toast import game
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import FLUB, KICK, evening, foe, hero, spread
from tests.rulesets.toast.test_lists import PILOTING, change, rows
from tests.rulesets.waiting import Recorder, write

FIXTURES = Path(__file__).with_name("fixtures")


def table(**more) -> Recorder:
    one = evening(**more)
    return Recorder(one.game, one.campaign)


# ---------------------------------------------------------------- the scenes


def sheets():
    """Perks that wait for the GM: on a sheet that is built, and one asked for in play."""
    one = table(refill_perks=True)
    tam = hero(one, "ben", "Sly")
    one.move("ben", "add_perk", tam, perk="Knows the river", covers="Fords and ferries")
    pc = one.do("ana", c.MakeEntity, kind="pc", name="Mara").data["entity"]
    built = {f"traits.{key}": level for key, level in spread(one).items()}
    perks = [
        {"text": "Good with rifles", "covers": "Any rifle"},
        {"text": "Strength", "covers": ""},
    ]
    gear = [{"item": "Flying carpet", "note": "Carries two", "perk": True}]
    one.do("ana", c.SaveSheet, entity=pc, raw={**built, "perks": perks, "gear": gear})
    one.do("ana", c.SubmitSheet, entity=pc)
    one.waits()
    rifles, strength, carpet = one.asks("judge_perk", pc)
    one.answer(GM, strength, verdict="refused", suggestion="Carries twice her weight")
    one.answer(GM, rifles, verdict="accepted")
    one.answer(GM, one.ask("judge_perk", tam), verdict="accepted")
    one.do(GM, c.DecideSheet, entity=pc, accept=True)
    assert carpet.id not in one.table.asks
    return one


def specials():
    """The stories of flubs and kicks, one of them suggested by a player, one about a hidden foe."""
    one = table()
    mara, tam = hero(one, "ana", "Sly", aim=3), hero(one, "ben", social=2)
    shade = foe(one, name="Shade", hidden=True)
    one.roll("ana", "task", mara, (FLUB,), trait="aim", perk="Sly")
    one.roll("ben", "task", tam, (KICK,), trait="social")
    one.roll("ana", "contest", mara, (KICK, KICK), other=tam, trait="aim")
    one.roll("ana", "contest", mara, (FLUB, KICK), other=tam, trait="aim")
    one.move(GM, "task", shade, (KICK,), trait="aim")
    flub, kick, two, spectacle, hidden = one.asks("twist")
    one.answer("ben", flub, text="The rope snaps")
    one.waits()
    one.answer("ana", one.table.asks[flub.id], text="The oar breaks")
    one.answer(GM, one.table.asks[flub.id], text="Off they go.", mood="mixed")
    one.answer(GM, kick, text="The dog falls in love.")
    one.answer(GM, two, text="Lightning strikes.", mood="good")
    one.answer(GM, spectacle, text="The bridge is gone.")
    one.answer(GM, hidden, text="Nobody sees a thing.")
    return one


def ties():
    """Contests that tie: thrown again, won after all, and something else."""
    one = table()
    mara, tam = hero(one, "ana", "Sly", aim=3), hero(one, "ben", social=2)
    serk = foe(one, "Fights dirty", name="Serk", aim=3, social=3)
    one.roll(
        "ana", "contest", mara, (3, 4), other=tam, trait="aim", theirs={"other_trait": "social"}
    )
    one.roll("ana", "contest", mara, (3, 6), other=serk, trait="aim", perk="Sly")
    one.roll("ben", "contest", tam, (5, 4), other=serk, trait="social", what="Argue")
    one.waits()
    first, second, third = one.asks("tie")
    one.answer(GM, first, (9, 2), ruling="reroll")
    one.answer(GM, second, (4, KICK), ruling="reroll", other_perk="Fights dirty")
    one.answer(GM, third, ruling="else", note="The roof comes down.")
    return one


def proposals():
    """Rolls that wait for the GM and for a player."""
    one = table(settings={"gm_confirms": "each"})
    mara, tam = hero(one, "ana", "Sly", aim=3), hero(one, "ben", "Heavy armour", defense=2)
    serk = foe(one, name="Serk", attack=5)
    task = one.propose("ana", "task", mara, trait="aim", perk="Sly", what="Hit the bell")
    attack = one.propose(GM, "attack", serk, target=tam, trait="attack")
    contest = one.propose("ben", "contest", tam, other=mara, trait="social")
    one.waits()
    one.do(GM, c.Settle, proposal=task, answers={"difficulty": "custom", "number": 9},
           hidden=("difficulty",))  # fmt: skip
    one.do("ana", c.Throw, (7,), proposal=task)
    one.do("ben", c.Settle, proposal=attack, answers={"defense_perk": "Heavy armour"})
    one.do(GM, c.Settle, proposal=attack, answers={"surprise": True})
    one.do(GM, c.Throw, (9, 3), proposal=attack)
    one.do("ana", c.Settle, proposal=contest, answers={"other_trait": "aim", "other_perk": "Sly"})
    one.do(GM, c.Settle, proposal=contest)
    one.do("ben", c.Throw, (10, 9), proposal=contest)
    return one


def fate():
    """Who went down: a vote of the players, the GM's word, and a striker who has left."""
    one = table(players=("ana", "ben"))
    mara, tam = hero(one, "ana", attack=9), hero(one, "ben", attack=9)
    guards = [foe(one, name=name) for name in ("One", "Two", "Three", "Four")]
    for who, seat, guard in ((mara, "ana", 0), (tam, "ben", 1), (tam, "ben", 2)):
        one.roll(seat, "attack", who, (9, 1), target=guards[guard], trait="attack")
    one.move(GM, "hurt", who=guards[3], cause="a falling bell")
    one.waits()
    one.answer("ben", one.ask("fate", guards[0]), answer="deadly")
    one.answer("ana", one.ask("fate", guards[0]), answer="spare")
    one.answer("ben", one.ask("fate", guards[1]), answer="deadly")
    one.answer(GM, one.ask("fate", guards[3]), answer="deadly")
    one.answer("ana", one.ask("fate", guards[2]), answer="deadly")
    one.answer("ben", one.ask("fate", guards[2]), answer="spare")
    return one


def deaths():
    """A player is asked for the character's death, twice."""
    one = table()
    mara, tam = hero(one, "ana"), hero(one, "ben")
    one.move(GM, "death", who=mara, how="Under the bell")
    one.move(GM, "death", who=tam)
    one.waits()
    one.answer("ana", one.ask("consent", mara), answer="yes")
    one.answer("ben", one.ask("consent", tam), answer="no")
    return one


def _fight(*faces, **options):
    one = table(**options)
    people = (
        hero(one, "ana", "Quick draw", initiative=5, aim=6),
        hero(one, "ben", initiative=2),
        foe(one, name="Guard", kind="lieutenant"),
        foe(one, name="Cook", kind="lieutenant", attack=9),
    )
    one.move(GM, "fight", foes_name="kitchen")
    if faces:
        one.move(GM, "initiative_all", "", faces)
    return (one, *people)


def rolling():
    """Initiative half thrown, with a flub and a kick whose stories wait."""
    one, mara, tam, guard, _cook = _fight()
    one.move("ana", "initiative", mara, (FLUB,))
    one.move(GM, "initiative", guard, (KICK,))
    one.waits()
    flub, kick = one.asks("twist")
    one.answer(GM, flub, text="Still in bed.")
    one.answer(GM, kick, text="He saw them come.")
    one.move("ben", "initiative", tam, (8,))
    one.move(GM, "initiative_all", "", (3,))
    one.move(GM, "end_turn", guard)
    return one


def equals():
    """Equal Initiative: thrown again, then by hand in the next round."""
    one, _mara, tam, guard, _cook = _fight(3, 6, 8, 1)
    one.waits()
    one.answer(GM, one.ask("initiative_tie"), ruling="hand", place__1=tam, place__2=guard)
    one.move("ben", "end_turn", tam)
    one.move(GM, "next_round")
    return one


def turns():
    """In the middle of a round: every move of a fight, somebody brought round, the round's end."""
    one, mara, tam, guard, cook = _fight(10, 5, 3, 1, first_aid_action=False)
    for _ in range(4):
        one.move(GM, "hurt", who=tam, cause="the soup")
    one.move("ana", "first_aid", mara, patient=tam)
    one.move("ana", "step", mara, where="onto the table")
    one.waits()
    one.answer(GM, one.ask("rejoin"), rejoins=True)
    one.roll("ana", "attack", mara, (9, 3), target=guard, trait="aim", perk="Quick draw",
             ends_turn=False)  # fmt: skip
    one.move(GM, "one_more", mara, why="The soup is slippery")
    one.move("ana", "act", mara, what="Throws a ladle", ends_turn=True)
    one.move(GM, "end_turn", guard)
    one.roll(GM, "attack", cook, (9, 3), target=mara, trait="attack")
    one.answer(GM, one.ask("still_fighting"), answer="on")
    one.move(GM, "initiative_all", "", (10, 6, 4, 5))
    one.move("ana", "leave", mara, how="Through the window")
    one.move(GM, "join", mara, side="kitchen")
    one.move(GM, "end_fight", why="Supper is served")
    return one


def fallen():
    """One side is beaten, and the GM is asked whether it is over."""
    one, mara, tam, guard, cook = _fight(10, 5, 3, 1, wounds_lieutenant=1)
    one.roll("ana", "attack", mara, (9, 1), target=guard, trait="aim")
    one.roll("ben", "attack", tam, (KICK, 1), target=cook, trait="attack")
    one.waits()
    one.answer("ana", one.ask("fate", guard), answer="spare")
    one.answer(GM, one.ask("twist"), text="The pot lid rings.")
    one.answer(GM, one.ask("still_fighting"), answer="end", why="Nobody is left")
    one.answer("ben", one.ask("fate", cook), answer="spare")
    return one


def closing():
    """The session closes: what was noted, petitions with votes."""
    one = table(players=("ana", "ben", "cleo"))
    mara, tam = hero(one, "ana", "Sly", aim=3, social=4), hero(one, "ben", "Strong", strength=6)
    one.roll("ana", "task", mara, (3,), trait="aim", perk="Sly")
    one.roll("ana", "task", mara, (3,), trait="social", perk="Sly")
    one.roll("ben", "task", tam, (3,), trait="strength", perk="Strong")
    one.do(GM, c.CloseSession)
    one.move("ana", "petition", mara, perk="Rings bells", covers="Any bell", reason="That shot.")
    one.move("ben", "petition", tam, perk="Breaks doors", reason="The mill.")
    one.answer("ben", one.ask("judge_petition", mara), answer="no")
    one.waits()
    one.answer("cleo", one.ask("judge_petition", mara), answer="yes")
    one.answer(GM, one.ask("judge_petition", mara), answer="yes", word="Of course.")
    one.answer(GM, one.ask("judge_petition", tam), answer="no")
    one.move("ana", "advance", mara, (9,), trait="aim")
    one.move("ana", "advance", mara, (KICK,), trait="social")
    one.move("ben", "advance", tam, (FLUB,), trait="strength")
    one.do(GM, c.EndSession)
    return one


def lists():
    """Traits struck out and new: points to spread, levels to inherit, parts in a fight to take."""
    one = table(new_trait_grant=True)
    mara, tam = hero(one, "ana", health=6, aim=2), hero(one, "ben", strength=1)
    foe(one, name="Serk", health=3, defense=4)
    one.move(GM, "fight")
    change(one, PILOTING, without=("health", "defense", "strength"))
    one.waits()
    one.answer("ana", one.ask("spend_points", mara), more__aim=3, more__piloting=1)
    one.answer(GM, one.ask("lost_traits"), lost__health="to.piloting", lost__defense="nothing",
               lost__strength="back")  # fmt: skip
    one.answer(GM, one.ask("roles"), role_defense="athletics")
    one.answer("ben", one.ask("spend_points", tam), more__aim=8)
    one.do(GM, c.SetOptions, options={"traits": rows(PILOTING)})
    return one


SCENES = (
    sheets, specials, ties, proposals, fate, deaths, rolling, equals, turns, fallen, closing, lists,
)  # fmt: skip


if __name__ == "__main__":
    write(game, FIXTURES, SCENES)
