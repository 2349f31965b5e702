"""A new version or other options of a game in a file: the GM decides about lost entries."""

import pytest

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.state import evolve
from kitchentable.campaign.views import view_for
from kitchentable.rules import Actor, Ask, Entity, Table
from kitchentable.rules.toml import read_game
from tests.rules.toml.sample import COIN
from tests.rulesets.driver import GM, open_evening

FIRST = read_game(COIN)
# Wits are called ease, luck is called fortune and holds less, charms are called tokens.
SECOND = read_game(
    COIN.replace('version = "1"', 'version = "2"')
    .replace('key = "wits"\ntitle = "Wits"', 'key = "ease"\ntitle = "Ease"')
    .replace("wits", "ease")
    .replace(
        'key = "luck"\ntitle = "Luck"\nboxes = "luck_of_all"',
        'key = "fortune"\ntitle = "Fortune"\nboxes = 1',
    )
    .replace("costs = { luck = 1 }", "costs = { fortune = 1 }")
    .replace('clears = ["luck"]', 'clears = ["fortune"]')
    .replace('key = "charms"\ntitle = "Charms"', 'key = "tokens"\ntitle = "Tokens"')
    .replace('list = "charms"', 'list = "tokens"')
    .replace("lists = { charms", "lists = { tokens")
)


def table():
    """Kit, of Ada's; Shade, hidden; an evening of the first version."""
    one = open_evening(FIRST, ("ada", "ben"))
    one.do(GM, c.BeginSession)
    charms = {"charms": [{"text": "A bent penny", "note": ""}]}
    sheet = {"traits": {"nerve": 2, "wits": 2}, "lists": charms, "texts": {}}
    kit = {"kind": "character", "name": "Kit", "owner": "ada", "sheet": sheet}
    kit = one.do(GM, c.MakeEntity, **kit).data["entity"]
    shade = {"kind": "other", "name": "Shade", "hidden": True, "sheet": {**sheet, "lists": {}}}
    shade = one.do(GM, c.MakeEntity, **shade).data["entity"]
    return one, kit, shade


def updated():
    one, kit, shade = table()
    one.game = SECOND
    return one, kit, shade, one.do(GM, c.UpdateGame, version="2")


def say(one, ask="refit", seat=GM, **answers):
    named = {name.replace("__", "."): value for name, value in answers.items()}
    return one.do(seat, c.MakeMove, move=one.table.asks[ask].move, ask=ask, answers=named)


def sheets(one):
    """Sheet and state of Kit, who has something of everything."""
    kit = next(iter(one.table.entities.values()))
    return kit.sheet, kit.state


def test_a_new_version_keeps_everything_until_the_gm_has_spoken():
    one, kit, _ = table()
    before = sheets(one)
    one.game = SECOND
    one.do(GM, c.UpdateGame, version="2")
    assert sheets(one) == before
    view = view_for(one.campaign, SECOND, GM)
    fields = {field.name: field for ask in view.asks for field in ask.fields}
    assert {name: field.default for name, field in fields.items()} == {
        "traits.lost.wits": "to.ease",
        "lists.lost.charms": "to.tokens",
        "tracks.lost.luck": "to.fortune",
    }
    assert fields["lists.lost.charms"].help.endswith("Kit has A bent penny.")
    assert one.entity(kit).sheet["traits"]["wits"] == 2


def test_a_renamed_line_keeps_its_number():
    one, kit, shade, _ = updated()
    say(one)
    assert one.entity(kit).sheet["traits"] == {"nerve": 2, "ease": 2}
    assert one.entity(kit).sheet["lists"] == {"tokens": [{"text": "A bent penny", "note": ""}]}
    # Luck was 2 and Fortune has one box: that is the next question.
    assert one.entity(kit).state["tracks"]["fortune"] == 2
    say(one, tracks__beyond__fortune="fit")
    assert one.entity(kit).state["tracks"] == {"harm": 0, "fortune": 1}
    assert one.asks() == []
    assert one.entity(shade).sheet["lists"] == {"tokens": []}
    (track, _) = SECOND.sheet.summary(one.table, one.entity(kit)).tracks
    assert (track.label, track.value, track.of) == ("Fortune", 1, 1)


def test_a_new_line_with_a_moved_number_is_not_handed_on_to_its_player():
    one, kit, _ = table()
    text = COIN.replace('version = "1"', 'version = "2"')
    one.game = read_game(text.replace("wits", "ease").replace("nerve", "grit"))
    one.do(GM, c.UpdateGame, version="2")
    moved = {"traits__lost__wits": "to.ease", "traits__lost__nerve": "to.grit"}
    say(one, **moved, traits__new__ease="owner", traits__new__grit="owner")
    assert one.entity(kit).sheet["traits"] == {"grit": 2, "ease": 2}
    assert "refit-own-" not in " ".join(one.table.asks)


def test_kept_as_a_note_it_is_read_on_the_sheet_and_comes_back_with_the_old_version():
    one, kit, _, _ = updated()
    notes = {"lists__lost__charms": "note", "tracks__lost__luck": "note"}
    say(one, traits__lost__wits="note", **notes)
    # Where Ease begins is asked only now that Wits is not to go on under its name.
    (card,) = (ask for ask in view_for(one.campaign, SECOND, GM).asks if ask.ask.id == "refit")
    assert [field.name for field in card.fields] == ["traits.new.ease", "traits.start.ease"]
    say(one)
    assert SECOND.sheet.summary(one.table, one.entity(kit)).notes == (
        "Wits was 2, before it left the list.",
        "Charms was A bent penny, before it left the list.",
        "Luck was 2, before it left the list.",
    )
    assert one.entity(kit).sheet["traits"] == {"nerve": 2, "ease": 0}
    assert one.entity(kit).state["tracks"]["fortune"] == 1
    one.game = FIRST
    one.do(GM, c.UpdateGame, version="1")
    assert "Kit: Wits is back at 2." in [line["text"] for line in one.card["lines"]]
    assert one.entity(kit).sheet["traits"]["wits"] == 2
    assert one.entity(kit).state["tracks"]["luck"] == 2


def test_answer_and_new_version_can_be_taken_back():
    one, _, _ = table()
    before = sheets(one)
    one.game = SECOND
    taken = one.do(GM, c.UpdateGame, version="2")
    said = say(
        one, traits__lost__wits="drop", lists__lost__charms="drop", tracks__lost__luck="drop"
    )
    assert sheets(one) != before
    one.do(GM, c.Undo, number=said.number)
    assert sheets(one) == before
    assert "refit" in one.table.asks
    one.do(GM, c.Undo, number=taken.number)
    assert sheets(one) == before
    assert one.asks() == []
    assert one.campaign.tree["game_version"] == "1"


def test_nobody_hears_of_somebody_hidden_and_a_player_decides_on_their_own_alone():
    one, kit, shade, _ = updated()
    said = say(one, traits__lost__wits="owner", lists__lost__charms="owner")
    for seat in ("ada", "ben"):
        assert "Shade" not in repr(entry_for(one.campaign, said, seat))
        assert "Shade" not in repr(view_for(one.campaign, SECOND, seat))
        assert shade not in repr(view_for(one.campaign, SECOND, seat))
    mine = [ask for ask in view_for(one.campaign, SECOND, "ada").asks if ask.mine]
    assert [ask.ask.entity for ask in mine] == [kit]
    assert [ask for ask in view_for(one.campaign, SECOND, "ben").asks if ask.mine] == []
    assert [field.name for field in mine[0].fields] == ["traits.lost.wits", "lists.lost.charms"]
    say(one, mine[0].ask.id, "ada", traits__lost__wits="drop")
    # What that leaves open is Ada's to say too.
    say(one, mine[0].ask.id, "ada", traits__start__ease=1)
    assert one.entity(kit).sheet["traits"] == {"nerve": 2, "ease": 1}
    assert one.entity(kit).sheet["lists"]["tokens"][0]["text"] == "A bent penny"
    event = say(one, f"refit-{shade}", traits__lost__wits="note")
    assert all("Shade" not in repr(entry_for(one.campaign, event, s)) for s in ("ada", "ben"))


def test_a_restart_while_the_question_waits_loses_nothing():
    one, kit, _, _ = updated()
    again = open_evening(SECOND)
    again.campaign = None
    for event in one.campaign.events:
        again.campaign = evolve(again.campaign, codec.decode(codec.encode(event)))
    assert again.table == one.table
    say(again)
    assert again.entity(kit).sheet["traits"]["ease"] == 2


def test_an_option_that_takes_boxes_away_and_gives_them_back():
    one, kit, _ = table()
    one.do(GM, c.SetOptions, options={"luck_of_all": 1})
    one.do(GM, c.SetOptions, options={"luck_of_all": 0})
    (field,) = one.named("refit").fields(one.table, _answering("refit"), {})
    assert field.help == "Its range is now 0 to 0. Kit has 2 and Shade has 2."
    one.do(GM, c.SetOptions, options={"luck_of_all": 2})
    assert one.asks() == []
    assert one.entity(kit).state["tracks"]["luck"] == 2


def _answering(ask):
    return Actor(GM, "gm", ask=ask)


@pytest.mark.parametrize("answer", ["leave", "back"])
def test_points_that_no_longer_fit_stay_or_the_sheet_goes_back(answer):
    one, kit, _ = table()
    one.do(GM, c.SetOptions, options={"luck_of_all": 5})
    (field,) = one.named("points_fit").fields(one.table, _answering("points_fit"), {})
    assert field.help == "Kit has 3 of 7 left to spend."
    answers = {"group-self": answer}
    said = one.do(GM, c.MakeMove, move="points_fit", ask="points_fit", answers=answers)
    assert one.entity(kit).stage == ("play" if answer == "leave" else "draft")
    assert "points_fit" not in one.table.asks
    if answer == "leave":
        # What was agreed on is not asked again; other numbers are.
        one.do(GM, c.SetOptions, options={"luck_of_all": 4})
        assert "points_fit" in one.table.asks
        one.do(GM, c.SetOptions, options={"luck_of_all": 5})
        assert "points_fit" not in one.table.asks
    else:
        one.do(GM, c.Undo, number=said.number)
        assert one.entity(kit).stage == "play"
        assert "points_fit" in one.table.asks


def test_a_sheet_that_goes_back_leaves_no_question_about_its_new_lines():
    one, kit, shade = table()
    brawn = '[[group.trait]]\nkey = "brawn"\ntitle = "Brawn"\n\n[[list]]'
    text = COIN.replace('version = "1"', 'version = "2"').replace("[[list]]", brawn, 1)
    one.game = read_game(text.replace('points = "2 + luck_of_all"', "points = 5"))
    one.do(GM, c.UpdateGame, version="2")
    assert one.table.asks["refit"].preset["about"] == {"traits.new.brawn": [kit, shade]}
    say(one, ask="points_fit", **{"group-self": "back"})
    assert (one.entity(kit).stage, one.entity(kit).sheet["traits"]["brawn"]) == ("draft", 0)
    assert one.table.asks["refit"].preset["about"] == {"traits.new.brawn": [shade]}


def test_each_sheet_can_be_decided_alone_and_growth_costs_no_points():
    one, kit, _ = table()
    sheet = {"traits": {"nerve": 2, "wits": 2}, "lists": {}, "texts": {}}
    made = {"kind": "character", "name": "Lou", "owner": "ben", "sheet": sheet}
    lou = one.do(GM, c.MakeEntity, **made).data["entity"]
    path = ("entities", lou, "state", "points")
    one.do(GM, c.Override, path=path, now=9, reason="A gift")
    one.move("ben", "grow", lou, trait="wits")
    one.do(GM, c.SetOptions, options={"luck_of_all": 1})
    fields = one.named("points_fit").fields(one.table, _answering("points_fit"), {})
    # A fifth level of Lou's was grown.
    assert fields[0].help == "Kit has spent 4 of 3 and Lou has spent 4 of 3."
    assert [field.name for field in fields] == [
        "group-self",
        f"group-self.{kit}",
        f"group-self.{lou}",
    ]
    answers = {"group-self": "leave", f"group-self.{lou}": "back"}
    one.do(GM, c.MakeMove, move="points_fit", ask="points_fit", answers=answers)
    assert (one.entity(kit).stage, one.entity(lou).stage) == ("play", "draft")


def test_what_waits_on_one_of_two_cards_about_somebody_is_not_asked_again():
    sheet = {"traits": {"nerve": 2, "wits": 2, "salt": 1, "pepper": 1}, "lists": {}, "texts": {}}
    kit = Entity("kit", "Kit", "character", "ada", sheet, {}, "play")
    asks = {
        name: Ask(name, to, "refit", "Kit", "", {"about": [f"traits.lost.{key}"]}, entity="kit")
        for name, to, key in (
            ("refit-own-kit", ("owner:kit",), "salt"),
            ("refit-kit", ("gm",), "pepper"),
        )
    }
    here = Table(FIRST.defaults(), entities={"kit": kit}, asks=asks)
    why_not = FIRST.move("refit").when(here, Actor("gm", "gm", ""))
    assert why_not == "There is nothing to decide."
