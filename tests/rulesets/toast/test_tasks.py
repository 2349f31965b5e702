"""Tasks: the parts of each person, their order, and the card."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.dice import LeftoverFaces, MissingFaces
from kitchentable.rules.errors import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import FLUB, KICK, evening, foe, hero

rule = pytest.mark.rule
GM_ONLY = "gm"


@pytest.fixture
def table():
    return evening()


def task(one, who, face, **answers):
    return one.roll("ana", "task", who, (face,), **answers)


@rule("toast.5-total", "toast.4-perk-bonus")
def test_the_card_adds_up_by_name(table):
    mara = hero(table, "ana", "Good with rifles", aim=3)
    card = task(table, mara, 5, trait="aim", perk="Good with rifles")
    (side,) = card["sides"]
    assert side["parts"] == [["Aim", 3], ["perk: Good with rifles", 3]]
    assert (side["total"], side["word"], card["outcome"]) == (11, "", "success")
    assert {"toast.5-total", "toast.5-success", "toast.4-perk-bonus"} <= set(card["rules"])


@rule("toast.2-flub", "toast.2-kick", "toast.5-special-announce")
@pytest.mark.parametrize(("face", "word"), [(FLUB, "flub"), (KICK, "kick")])
def test_a_special_has_no_total_on_its_card(table, face, word):
    mara = hero(table, "ana", "Good with rifles", aim=9)
    (side,) = task(table, mara, face, trait="aim", perk="Good with rifles")["sides"]
    assert (side["total"], side["parts"], side["word"]) == (None, [], word)


@rule("toast.4-perk-once")
def test_a_roll_takes_one_perk_or_none(table):
    mara = hero(table, "ana", "Good with rifles", "Keen eyes", aim=3)
    fields = {one.name: one for one in fields_of(table, "task", mara)}
    assert fields["perk"].kind == "choice"
    assert [one.value for one in fields["perk"].choices] == ["", "Good with rifles", "Keen eyes"]
    assert task(table, mara, 5, trait="aim", perk="Keen eyes")["sides"][0]["total"] == 11
    with pytest.raises(BadAnswers):
        table.propose("ana", "task", mara, trait="aim", perk="Keen eyes", perk2="Good with rifles")


def fields_of(one, move, who, **answers):
    return one.named(move).fields(one.table, one.actor("ana", who), answers)


@rule("toast.4-perk-freeform")
def test_short_and_long_perks_can_be_picked(table):
    long = "Has " + "x" * 296
    mara = hero(table, "ana", "Sly", long, aim=3)
    assert task(table, mara, 5, trait="aim", perk=long)["sides"][0]["total"] == 11
    assert task(table, mara, 5, trait="aim", perk="Sly")["sides"][0]["total"] == 11


@rule("toast.5-when-roll")
@pytest.mark.parametrize("verdict", ["success", "failure", "no"])
def test_a_roll_can_be_called_for_and_declined(table, verdict):
    mara = hero(table, "ana")
    roll = table.propose("ana", "task", mara, trait="aim")
    event = table.do(GM, c.Decline, proposal=roll, verdict=verdict, note="It just works.")
    assert event.kind == "declined"
    assert (event.data["verdict"], event.data["note"]) == (verdict, "It just works.")
    asked_by_gm = table.propose(GM, "task", mara)
    assert asked_by_gm in table.campaign.tree["proposals"]
    assert task(table, mara, 5)["sides"][0]["total"] == 5


@rule("toast.5-trait-gm")
def test_the_gm_confirms_the_trait_and_both_are_in_the_log():
    table = evening(settings={"gm_confirms": "each"})
    mara = hero(table, "ana", aim=1, dexterity=6)
    roll = table.propose("ana", "task", mara, trait="aim")
    with pytest.raises(CannotBe):
        table.do("ana", c.Throw, (5,), proposal=roll)
    table.do(GM, c.Settle, proposal=roll, answers={"trait": "dexterity"})
    table.do("ana", c.Throw, (5,), proposal=roll)
    assert table.card["sides"][0]["parts"] == [["Dexterity", 6]]
    proposed = next(event for event in table.campaign.events if event.kind == "proposed")
    assert ["Trait", "Aim 1", "all"] in proposed.data["told"]
    assert ["Trait", "Dexterity 6", "all"] in table.last.data["told"]
    assert table.last.data["by"]["trait"] == "gm"


@rule("toast.5-perk-player")
def test_the_perk_is_the_players_and_the_gm_can_only_turn_it_down():
    table = evening(settings={"gm_confirms": "each"})
    mara = hero(table, "ana", "Good with rifles", aim=3)
    refused = table.propose("ana", "task", mara, trait="aim", perk="Good with rifles")
    table.do(GM, c.Settle, proposal=refused, answers={"perk": ""})
    table.do("ana", c.Throw, (5,), proposal=refused)
    assert table.card["sides"][0]["total"] == 8
    plain = table.propose("ana", "task", mara, trait="aim")
    with pytest.raises(NotAllowed):
        table.do(GM, c.Settle, proposal=plain, answers={"perk": "Good with rifles"})
    accepted = table.propose("ana", "task", mara, trait="aim", perk="Good with rifles")
    table.do(GM, c.Settle, proposal=accepted, answers={})
    table.do("ana", c.Throw, (5,), proposal=accepted)
    assert table.card["sides"][0]["total"] == 11


@rule("toast.5-sequence")
def test_the_difficulty_is_stored_before_the_die_is_thrown():
    table = evening(settings={"gm_confirms": "each"})
    mara = hero(table, "ana", aim=3)
    roll = table.propose("ana", "task", mara, trait="aim")
    table.do(GM, c.Settle, proposal=roll, answers={"difficulty": "hard"})
    settled, number = table.last, table.campaign.number
    assert ["Difficulty", "Hard 16", "all"] in settled.data["told"]
    assert settled.throw is None
    table.do("ana", c.Throw, (5,), proposal=roll)
    assert table.last.number == number + 1
    assert [event.kind for event in table.campaign.events[-3:]] == ["proposed", "settled", "move"]


@rule("toast.5-player-rolls")
def test_one_die_and_it_is_the_acting_players(table):
    mara = hero(table, "ana", aim=3)
    roll = table.propose("ana", "task", mara, trait="aim")
    with pytest.raises(NotAllowed):
        table.do("ben", c.Throw, (5,), proposal=roll)
    with pytest.raises(MissingFaces):
        table.do("ana", c.Throw, (), proposal=roll)
    with pytest.raises(LeftoverFaces):
        table.do("ana", c.Throw, (5, 6), proposal=roll)
    event = table.do("ana", c.Throw, (5,), proposal=roll)
    assert (event.seat, len(event.throw.trace)) == ("ana", 1)


@rule("toast.5-diff-gm")
def test_a_player_cannot_set_the_difficulty(table):
    mara = hero(table, "ana")
    with pytest.raises(NotAllowed):
        table.propose("ana", "task", mara, difficulty="easy")
    field = next(one for one in fields_of(table, "task", mara) if one.name == "difficulty")
    steps = [choice.value for choice in field.choices]
    assert (field.set_by, field.hidden, steps) == (
        "gm",
        False,
        ["easy", "medium", "hard", "custom"],
    )
    roll = table.propose(GM, "task", mara, difficulty="custom", number=7)
    table.do("ana", c.Settle, proposal=roll, answers={"trait": "aim"})
    table.do("ana", c.Throw, (7,), proposal=roll)
    assert table.card["outcome"] == "success"


@rule("toast.5-diff-easy", "toast.5-diff-medium", "toast.5-diff-hard")
@pytest.mark.parametrize(
    ("step", "trait", "reaches"), [("easy", 0, 6), ("medium", 3, 8), ("hard", 6, 10)]
)
def test_the_ladder(table, step, trait, reaches):
    mara = hero(table, "ana", aim=trait)
    for face, outcome in ((reaches, "success"), (reaches - 1, "failure")):
        roll = table.propose(GM, "task", mara, difficulty=step)
        table.do("ana", c.Settle, proposal=roll, answers={"trait": "aim"})
        table.do("ana", c.Throw, (face,), proposal=roll)
        assert table.card["outcome"] == outcome


@rule("toast.5-diff-default")
def test_medium_is_there_unless_something_else_is_said(table):
    mara = hero(table, "ana", aim=3)
    field = next(one for one in fields_of(table, "task", mara) if one.name == "difficulty")
    assert (field.default, field.set_by) == ("medium", "gm")
    card = task(table, mara, 8, trait="aim")
    assert card["lines"] == [{"text": "Against Medium, 11.", "audience": "all"}]


@rule("toast.5.1-tune-before", "toast.5-diff-easy", "toast.5-diff-medium", "toast.5-diff-hard")
def test_other_numbers_for_the_table_and_the_log_keeps_the_old(table):
    mara = hero(table, "ana", aim=3)
    assert task(table, mara, 7, trait="aim")["outcome"] == "failure"
    table.do(GM, c.SetOptions, options={"easy": 5, "medium": 10, "hard": 15})
    assert task(table, mara, 7, trait="aim")["outcome"] == "success"
    told = [e.data["card"]["lines"][0]["text"] for e in table.campaign.events if e.kind == "move"]
    assert told == ["Against Medium, 11.", "Against Medium, 10."]


@rule("toast.5.1-tune-case")
def test_a_number_for_one_roll_alone():
    table = evening(settings={"gm_confirms": "each"})
    mara = hero(table, "ana", "Deep lore", knowing=4)
    for face, outcome in ((6, "success"), (5, "failure")):
        card = table.roll(
            "ana",
            "task",
            mara,
            (face,),
            gm={"difficulty": "custom", "number": 13},
            trait="knowing",
            perk="Deep lore",
        )
        assert card["outcome"] == outcome
    card = table.roll("ana", "task", mara, (6,), trait="knowing")
    assert card["lines"][0]["text"] == "Against Medium, 11."


@rule("toast.5-flub-event", "toast.5-kick-event", "toast.5-flub-fails", "toast.5-kick-succeeds")
@pytest.mark.parametrize(
    ("face", "word", "outcome", "mood"),
    [(FLUB, "flub", "flub", "good"), (KICK, "kick", "kick", "bad")],
)
def test_a_special_asks_for_its_story_and_the_mood_changes_nothing(
    table, face, word, outcome, mood
):
    mara = hero(table, "ana", aim=9)
    assert task(table, mara, face, trait="aim")["outcome"] == outcome
    thrown = table.campaign.number
    ask = table.ask("twist")
    assert (ask.to, ask.skippable, ask.preset["occasion"]) == (("gm", "players"), True, word)
    table.answer("ben", ask, text="The bridge sings.")
    assert [one.id for one in table.asks("twist")] == [ask.id]
    field = table.named("twist").fields(table.table, answering(table, GM, ask), ask.preset)[0]
    assert field.help == "Suggested: Ben: The bridge sings."
    table.answer(GM, table.ask("twist"), text="The bridge falls.", mood=mood)
    assert table.asks("twist") == []
    assert (table.card["sentence"], table.card["about"]) == ("The bridge falls.", thrown)
    assert f"Mood: {mood}." in table.card["lines"][0]["text"]
    assert table.campaign.event(thrown).data["card"]["outcome"] == outcome


def answering(one, seat, ask):
    actor = one.actor(seat, ask.entity)
    return type(actor)(actor.seat, actor.role, actor.entity, ask.id)


def test_a_story_can_be_skipped(table):
    mara = hero(table, "ana")
    task(table, mara, FLUB)
    with pytest.raises(NotAllowed):
        table.do("ben", c.SkipAsk, ask=table.ask("twist").id)
    table.do(GM, c.SkipAsk, ask=table.ask("twist").id)
    assert table.asks() == []


@rule("toast.5-sequence")
def test_a_hidden_difficulty_is_on_no_players_table_nor_card():
    table = evening(settings={"gm_confirms": "each"})
    mara = hero(table, "ana", aim=3)
    roll = table.propose("ana", "task", mara, trait="aim")
    settled = {"difficulty": "custom", "number": 9}
    table.do(GM, c.Settle, proposal=roll, answers=settled, hidden=("difficulty", "number"))
    assert [row for row in table.last.data["told"] if "umber" in row[0]] == [
        ["The number", "9", "gm"]
    ]
    table.do("ana", c.Throw, (6,), proposal=roll)
    assert table.card["lines"] == [{"text": "Against a number of its own, 9.", "audience": "gm"}]
    assert table.card["sentence"] == "Succeeds."
    assert table.last.throw.odds_audience == "gm"


@rule("toast.5-sequence")
@pytest.mark.parametrize(("shown", "audience"), [("after", "all"), ("never", "gm")])
def test_the_table_can_tell_difficulties_after_the_throw_or_never(shown, audience):
    table = evening(difficulty_shown=shown)
    mara = hero(table, "ana", aim=3)
    card = task(table, mara, 8, trait="aim")
    assert card["lines"] == [{"text": "Against Medium, 11.", "audience": audience}]
    assert table.last.throw.odds_audience == "gm"


def test_a_missing_number_leaves_no_question():
    """On a concealed table a hidden difficulty and a closed foe's levels are not there."""
    table = evening()
    mara, serk = hero(table, "ana"), foe(table, aim=4)
    move, actor = table.named("task"), table.actor("ana", mara)
    hidden = type(actor)(actor.seat, actor.role, mara, hidden=frozenset({"difficulty"}))
    assert move.question(table.table, hidden, {"trait": "aim"}) is None
    assert move.question(table.table, actor, {"trait": "aim"}).arguments == (0, False, 11)
    seen = conceal(table.campaign, table.game, table.table.seats["ana"])
    assert move.question(seen, table.actor(GM, serk), {"trait": "aim"}) is None


def test_hiding_the_difficulty_hides_the_number_that_it_opened():
    table = evening()
    mara = hero(table, "ana", aim=3)
    roll = table.propose("ana", "task", mara, trait="aim")
    settled = {"difficulty": "custom", "number": 13}
    table.do(GM, c.Settle, proposal=roll, answers=settled, hidden=("difficulty",))
    assert table.campaign.tree["proposals"][roll]["hidden"] == ["difficulty", "number"]
    table.do("ana", c.Throw, (8,), proposal=roll)
    assert all("13" not in words or who == GM_ONLY for _, words, who in table.last.data["told"])


@rule("toast.7.3-no-penalty")
def test_wounds_do_not_hinder(table):
    mara = hero(table, "ana", aim=3)
    table.do(GM, c.Override, path=("entities", mara, "state", "wounds"), now=3, reason="three hits")
    assert task(table, mara, 8, trait="aim")["sides"][0]["total"] == 11
