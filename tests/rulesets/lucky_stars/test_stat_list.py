"""The list of stats changes in mid-campaign: nothing is lost, and the GM is asked."""

import pytest

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.state import evolve
from kitchentable.campaign.views import view_for
from kitchentable.rules import BadAnswers
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.driver import GM, open_evening
from tests.rulesets.lucky_stars.people import evening, foe, hero

pytestmark = pytest.mark.rule("stars.9-undefined-stats")
ROWS = game.defaults()["stats"]
GRIT = {"id": "grit", "name": "Grit", "purpose": "", "low": -5, "high": 10, "rolled": True}
DERIVED = [{"name": "Nerve", "formula": "Level + Strength"}]


def change(one, *more, without=(), **set_to):
    """The list with rows struck out, changed and added."""
    rows = [{**row, **set_to.get(row["id"], {})} for row in ROWS if row["id"] not in without]
    return one.do(GM, c.SetOptions, options={"stats": [*rows, *more]})


def table(**options):
    """Ana's and Ben's characters, and somebody hidden of the GM's; Stress counts no Will."""
    one = evening(derived=DERIVED, **options)
    ana = hero(one, "ana", fort=2, will=1, level=3, strength=0)
    ben = hero(one, "ben", fort=1, will=4, level=2, strength=6)
    roake = foe(one, name="Roake", hidden=True, fort=7, will=0, level=9, strength=0)
    return one, ana, ben, roake


def say(one, seat=GM, entity="", **answers):
    """The answer to the one card about numbers, or to the one about somebody."""
    asks = [ask for ask in one.asks("refit") if ask.entity == entity]
    assert len(asks) == 1
    named = {name.replace("__", "."): value for name, value in answers.items()}
    return one.do(seat, c.MakeMove, move="refit", ask=asks[0].id, answers=named)


def questions(one, seat=GM):
    """The questions of each card that waits, as a seat reads them."""
    view = view_for(one.campaign, game, seat)
    return {
        ask.ask.entity: {field.name: field for field in ask.fields}
        for ask in view.asks
        if ask.ask.move == "refit" or not ask.mine
    }


def stats(one, who):
    return one.entity(who).sheet["stats"]


def valid(one):
    return not any(
        problem.refuses
        for entity in one.table.in_play()
        for problem in game.sheet.check(one.table, entity, "play")
    )


def test_a_stat_that_is_struck_out_stays_on_the_sheets_until_the_gm_has_spoken():
    one, ana, ben, roake = table()
    change(one, without=("fort",))
    assert [stats(one, who)["fort"] for who in (ana, ben, roake)] == [2, 1, 7]
    (field,) = questions(one)[""].values()
    assert field.help == "It is no longer on any list. Ana has 2, Ben has 1 and Roake has 7."
    assert [pick.value for pick in field.choices] == ["note", "drop", "each", "owner"]
    assert valid(one)


@pytest.mark.parametrize("answer", ["drop", "note"])
def test_the_whole_party_at_once_drops_it_or_keeps_it_as_a_note(answer):
    one, ana, ben, roake = table()
    changed = change(one, without=("fort",))
    said = say(one, stats__lost__fort=answer)
    assert all("fort" not in stats(one, who) for who in (ana, ben, roake))
    notes = [game.sheet.summary(one.table, one.entity(who)).notes for who in (ana, roake)]
    kept = [("Fort was 2, before it left the list.",), ("Fort was 7, before it left the list.",)]
    assert notes == (kept if answer == "note" else [(), ()])
    assert one.asks() == []
    assert valid(one)
    one.do(GM, c.Undo, number=said.number)
    assert stats(one, ana)["fort"] == 2
    assert len(one.asks("refit")) == 1
    one.do(GM, c.Undo, number=changed.number)
    assert [stats(one, who)["fort"] for who in (ana, ben, roake)] == [2, 1, 7]
    assert one.asks() == []


def test_a_note_becomes_a_number_again_when_its_stat_is_back():
    one, ana, _, _roake = table()
    change(one, without=("fort",))
    say(one, stats__lost__fort="note")
    change(one)
    assert stats(one, ana)["fort"] == 2
    assert one.entity(ana).sheet["former"] == {"stats": {}}
    told = {seat: repr(entry_for(one.campaign, one.last, seat)) for seat in (GM, "ana")}
    assert "Ana: Fort is back at 2." in told["ana"]
    assert "Roake" not in told["ana"]
    assert "Roake: Fort is back at 7." in told[GM]
    assert one.asks() == []


def test_a_stat_under_another_name_is_taken_for_the_new_one_by_default():
    one, ana, ben, roake = table()
    change(one, GRIT, without=("fort",))
    fields = questions(one)[""]
    assert fields["stats.lost.fort"].default == "to.grit"
    say(one)
    assert [stats(one, who)["grit"] for who in (ana, ben, roake)] == [2, 1, 7]
    assert all("fort" not in stats(one, who) for who in (ana, ben, roake))
    assert one.asks() == []


def test_a_new_stat_begins_at_a_number_or_at_as_much_as_another():
    one, ana, ben, roake = table()
    luck = {**GRIT, "id": "luck", "name": "Luck", "low": 1, "high": 6}
    change(one, GRIT, luck)
    assert "grit" not in stats(one, ana)
    assert valid(one)
    with pytest.raises(BadAnswers, match="goes from 1 to 6"):
        say(one, stats__start__luck=9)
    say(one, stats__new__grit="as.will", stats__start__luck=3)
    assert [stats(one, who)["grit"] for who in (ana, ben, roake)] == [1, 4, 0]
    assert [stats(one, who)["luck"] for who in (ana, ben, roake)] == [3, 3, 3]


def test_two_numbers_cannot_become_one():
    one, *_ = table()
    change(one, GRIT, without=("fort", "will"))
    with pytest.raises(BadAnswers, match="Two numbers of Ana cannot move"):
        say(one, stats__lost__fort="to.grit", stats__lost__will="to.grit")


def test_narrower_bounds_take_nothing_unless_the_gm_says_so():
    one, ana, ben, roake = table()
    change(one, strength={"high": 5})
    assert stats(one, ben)["strength"] == 6
    assert not valid(one)
    asked = questions(one)[""]["stats.beyond.strength"]
    assert asked.help == "Its range is now -5 to 5. Ben has 6."
    say(one, stats__beyond__strength="leave")
    assert stats(one, ben)["strength"] == 6
    assert valid(one)
    one.do(GM, c.SetOptions, options={"narrate": True})
    assert one.asks() == []
    change(one, fort={"high": 4}, strength={"high": 5})
    say(one, stats__beyond__fort="fit")
    assert stats(one, roake)["fort"] == 4
    assert stats(one, ana)["fort"] == 2
    assert valid(one)


def test_what_moves_beyond_the_new_bounds_is_asked_after_too():
    one, ana, ben, roake = table()
    change(one, {**GRIT, "high": 5}, without=("fort",))
    say(one)
    assert stats(one, roake)["grit"] == 7
    assert set(questions(one)[""]) == {"stats.beyond.grit"}
    say(one, stats__beyond__grit="fit")
    assert [stats(one, who)["grit"] for who in (ana, ben, roake)] == [2, 1, 5]


def test_person_by_person_and_each_player_for_their_own():
    one, ana, ben, roake = table()
    change(one, GRIT, without=("fort", "will"))
    say(one, stats__lost__fort="owner", stats__lost__will="each")
    assert [(ask.entity, ask.to) for ask in one.asks("refit") if ask.entity] == [
        (ana, (f"owner:{ana}",)),
        (ben, (f"owner:{ben}",)),
        (roake, ("gm",)),
        (ana, ("gm",)),
        (ben, ("gm",)),
    ]
    bens = next(ask for ask in one.asks("refit") if ask.to == (f"owner:{ben}",))
    with pytest.raises(CannotBe):
        one.answer("ana", bens, stats__lost__fort="drop")
    mine = next(ask for ask in one.asks("refit") if ask.to == (f"owner:{ana}",))
    one.answer("ana", mine, stats__lost__fort="to.grit")
    assert stats(one, ana)["grit"] == 2
    assert "fort" not in stats(one, ana)
    for ask in one.asks("refit"):
        if ask.entity and ask.to == ("gm",):
            answers = {"stats.lost.will": "note"}
            if ask.entity == roake:
                answers |= {"stats.lost.fort": "drop", "stats.start.grit": 1}
            one.do(GM, c.MakeMove, move="refit", ask=ask.id, answers=answers)
    last = next(ask for ask in one.asks("refit") if ask.entity == ben)
    one.answer("ben", last, stats__lost__fort="note")
    assert set(questions(one, "ben")[ben]) == {"stats.new.grit", "stats.start.grit"}
    one.answer("ben", last, stats__start__grit=1)
    assert [stats(one, who)["grit"] for who in (ana, ben, roake)] == [2, 1, 1]
    assert one.asks() == []
    assert valid(one)


def test_nobody_hears_of_somebody_hidden():
    one, ana, _ben, roake = table()
    change(one, GRIT, without=("fort", "will"), strength={"high": 5}, level={"high": 5})
    for seat in ("ana", "ben"):
        assert "Roake" not in repr(view_for(one.campaign, game, seat))
        assert "Level" not in repr(view_for(one.campaign, game, seat).asks)
    said = say(
        one,
        stats__lost__fort="to.grit",
        stats__lost__will="owner",
        stats__beyond__strength="fit",
        stats__beyond__level="leave",
    )
    for seat in ("ana", "ben"):
        told = repr(entry_for(one.campaign, said, seat))
        assert "Ben: Strength 6 becomes 5." in told
        assert "Ana: Fort 2 becomes Grit." in told
        assert "Roake" not in told
        assert "Level" not in told
        assert roake not in told
        assert "Roake" not in repr(view_for(one.campaign, game, seat))
    assert "Roake: Level stays at 9." in repr(entry_for(one.campaign, said, GM))
    card = next(ask for ask in one.asks("refit") if ask.entity == roake)
    event = one.answer(GM, card, stats__lost__will="drop")
    assert all("Roake" not in repr(entry_for(one.campaign, event, s)) for s in ("ana", "ben"))
    assert ana in questions(one, "ana")
    assert set(questions(one, "ana")[ana]) == {"stats.lost.will"}


def test_a_change_while_the_question_waits_asks_of_both():
    one, ana, *_ = table()
    change(one, without=("fort",))
    change(one, without=("fort", "will"))
    assert len(one.asks("refit")) == 1
    fields = questions(one)[""]
    assert [field.label for field in fields.values()] == [
        "What becomes of Fort?",
        "What becomes of Will?",
    ]
    say(one, stats__lost__fort="each", stats__lost__will="drop")
    change(one, without=("fort", "will", "strength"))
    assert "will" not in stats(one, ana)
    assert set(questions(one)[""]) == {"stats.lost.strength"}
    assert set(questions(one)[ana]) == {"stats.lost.fort"}
    change(one, without=("will",))
    assert one.asks() == []
    assert stats(one, ana)["fort"] == 2


def test_changed_back_again_nothing_is_asked_and_all_is_there():
    one, _ana, *_ = table()
    before = {key: entity.sheet for key, entity in one.table.entities.items()}
    change(one, GRIT, without=("fort",))
    change(one)
    assert one.asks() == []
    assert {key: entity.sheet for key, entity in one.table.entities.items()} == before


def test_a_restart_in_between_loses_nothing():
    one, ana, *_ = table()
    change(one, without=("fort",))
    say(one, stats__lost__fort="owner")
    again = open_evening(game)
    again.campaign = None
    for event in one.campaign.events:
        again.campaign = evolve(again.campaign, codec.decode(codec.encode(event)))
    assert again.table == one.table
    mine = next(ask for ask in again.asks("refit") if ask.entity == ana)
    again.answer("ana", mine, stats__lost__fort="note")
    assert again.entity(ana).sheet["former"]["stats"]["fort"] == {"name": "Fort", "value": 2}


def test_an_unfinished_sheet_is_asked_after_too_and_stays_its_players_own():
    one, *_ = table()
    kit = one.do("ben", c.MakeEntity, kind="pc", name="Kit").data["entity"]
    one.do("ben", c.SaveSheet, entity=kit, raw={"stats.fort": 3})
    change(one, GRIT, without=("fort",))
    assert stats(one, kit)["grit"] == 0
    said = say(one, stats__lost__fort="note")
    assert "Kit" not in repr(entry_for(one.campaign, said, "ana"))
    assert "Kit: Fort 3 is kept as a note." in repr(entry_for(one.campaign, said, "ben"))


def test_who_was_gone_meanwhile_is_asked_after_by_the_gms_own_move():
    one, _ana, ben, _ = table()
    one.do(GM, c.ChangeEntity, entity=ben, gone=True)
    change(one, without=("fort",))
    say(one, stats__lost__fort="drop")
    assert one.why_not(GM, "refit") == "There is nothing to decide."
    one.do(GM, c.ChangeEntity, entity=ben, gone=False)
    assert one.why_not(GM, "refit") is None
    one.move(GM, "refit", stats__lost__fort="note")
    assert one.entity(ben).sheet["former"]["stats"]["fort"]["value"] == 1


# ---------------------------------------------------------------- derived numbers


def numbers(one, who):
    summary = game.sheet.summary(one.table, one.entity(who))
    return {number.label: number.value for number in summary.numbers}


def stressed():
    """Level 3 and Will 4: Stress 3; Fort 2: Vitality 2."""
    one = evening()
    return one, hero(one, "ana", level=3, will=4, fort=2, strength=0)


@pytest.mark.rule("stars.4.3-stress", "stars.4.3-vitality")
@pytest.mark.parametrize(
    ("instead", "stress"), [("grit", 2), ("had:", 3), ("nothing:", 1), ("rest:", None)]
)
def test_the_gm_says_what_counts_in_a_derived_number_whose_stat_is_gone(instead, stress):
    one, ana = stressed()
    changed = change(one, GRIT, without=("will",))
    assert "Stress" not in numbers(one, ana)
    assert numbers(one, ana)["Vitality"] == 2
    say(one, stats__lost__will="note")
    say(one, stats__start__grit=2)
    said = one.answer(GM, one.ask("derived_parts"), part__will=instead)
    assert numbers(one, ana).get("Stress") == stress
    assert one.asks() == []
    assert valid(one)
    one.do(GM, c.SetOptions, options={"narrate": True})
    assert one.asks() == []
    one.do(GM, c.Undo, number=said.number)
    assert len(one.asks("derived_parts")) == 1
    assert "Stress" not in numbers(one, ana)
    assert changed.kind == "options-set"


def test_a_renamed_stat_goes_on_in_derived_numbers_by_default():
    one, ana = stressed()
    change(one, GRIT, without=("will",))
    say(one)
    one.answer(GM, one.ask("derived_parts"))
    assert (numbers(one, ana)["Grit"], numbers(one, ana)["Stress"]) == (4, 3)


def test_what_stood_in_goes_when_the_stat_is_back_and_is_asked_again_when_it_goes():
    one, ana = stressed()
    change(one, without=("will",))
    say(one, stats__lost__will="note")
    one.answer(GM, one.ask("derived_parts"), part__will="nothing:")
    change(one)
    assert one.table.own["stand_ins"] == {}
    assert numbers(one, ana)["Stress"] == 3
    change(one, without=("will",))
    assert len(one.asks("derived_parts")) == 1
    one.do(GM, c.SetOptions, options={"derived": DERIVED})
    assert one.asks("derived_parts") == []


def test_the_stat_that_stood_in_goes_too_and_is_asked_after():
    one, ana = stressed()
    change(one, GRIT, without=("will",))
    say(one)
    one.answer(GM, one.ask("derived_parts"), part__will="grit")
    change(one, without=("will",))
    fields = view_for(one.campaign, game, GM).asks
    (derived,) = (ask for ask in fields if ask.ask.move == "derived_parts")
    assert [field.label for field in derived.fields] == ["Instead of Will"]
    one.answer(GM, one.ask("derived_parts"), part__will="nothing:")
    assert numbers(one, ana)["Stress"] == 1
