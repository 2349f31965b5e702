"""Contests: both roll, the special pairs, and ties that wait for the GM."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import FLUB, KICK, evening, foe, hero

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening()


def contest(one, first, second, faces, **answers):
    given = {"other": second, "trait": "social", **answers}
    return one.roll("ana", "contest", first, faces, theirs={"other_trait": "social"}, **given)


@rule("toast.5.2-contest-both-roll", "toast.5.2-contest-higher")
def test_both_sides_roll_their_own_trait_and_perk_and_there_is_no_difficulty(table):
    mara = hero(table, "ana", social=5)
    tam = hero(table, "ben", "Old friend", willpower=1)
    move, actor = table.named("contest"), table.actor("ana", mara)
    fields = {one.name: one for one in move.fields(table.table, actor, {"other": tam})}
    assert {"trait", "perk", "other_trait", "other_perk"} <= set(fields)
    assert not any("difficulty" in name for name in fields)
    assert fields["other_perk"].set_by == fields["other_trait"].set_by == "owner:other"
    roll = table.propose("ana", "contest", mara, other=tam, trait="social")
    theirs = {"other_trait": "willpower", "other_perk": "Old friend"}
    table.do("ben", c.Settle, proposal=roll, answers=theirs)
    table.do("ana", c.Throw, (4, 4), proposal=roll)
    card = table.card
    assert [side["total"] for side in card["sides"]] == [9, 8]
    assert (card["outcome"], card["sentence"]) == ("wins", "Ana wins.")
    assert len(table.last.throw.trace) == 2


@rule("toast.5.2-contest-kick-vs-number")
def test_a_kick_beats_every_number(table):
    mara, serk = hero(table, "ana"), foe(table, social=12)
    assert contest(table, mara, serk, (KICK, 10))["outcome"] == "wins"
    assert contest(table, mara, serk, (10, KICK))["outcome"] == "loses"


@rule("toast.5.2-contest-flub-vs-number")
def test_a_flub_loses_to_every_number(table):
    mara, serk = hero(table, "ana", social=9), foe(table)
    assert contest(table, mara, serk, (FLUB, 1))["outcome"] == "loses"
    assert contest(table, mara, serk, (1, FLUB))["outcome"] == "wins"


@rule("toast.5.2-flub-vs-kick")
def test_a_kick_takes_it_from_a_flub_and_it_is_spectacular(table):
    mara, serk = hero(table, "ana"), foe(table, social=9)
    card = contest(table, mara, serk, (KICK, FLUB))
    assert card["outcome"] == "wins"
    assert {"text": "Spectacular: a flub against a kick.", "audience": "all"} in card["lines"]
    assert table.ask("twist").preset["occasion"] == "spectacle"


@rule("toast.5.2-double-flub", "toast.5.2-double-kick", "toast.5.2-contest-tie")
@pytest.mark.parametrize("face", [FLUB, KICK])
def test_two_of_a_kind_tie_and_something_happens(table, face):
    mara, serk = hero(table, "ana", social=9), foe(table)
    assert contest(table, mara, serk, (face, face))["outcome"] == "tie"
    assert table.ask("tie").to == ("gm",)
    ask, other = table.ask("twist"), {FLUB: "kick", KICK: "flub"}[face]
    assert ask.preset["occasion"] == {FLUB: "two-flubs", KICK: "two-kicks"}[face]
    assert f"toast.5.2-double-{other}" not in ask.rules
    table.answer(GM, ask, text="The roof comes down.")
    assert table.card["lines"][0]["text"].startswith(f"Mood: {'good' if face == KICK else 'bad'}.")
    assert f"toast.5.2-double-{other}" not in table.card["rules"]


@rule("toast.5.2-contest-events")
@pytest.mark.parametrize("faces", [(KICK, 7), (7, KICK), (FLUB, 7), (7, FLUB)])
def test_a_lone_special_asks_for_its_story_once(table, faces):
    mara, serk = hero(table, "ana"), foe(table, name="Serk")
    card = contest(table, mara, serk, faces)
    assert card["outcome"] in {"wins", "loses"}
    ask = table.ask("twist")
    assert ask.preset["occasion"] in {"kick", "flub"}
    assert ask.preset["name"] == ("Ana" if faces[1] == 7 else "Serk")


@rule("toast.5.2-contest-tie")
@pytest.mark.parametrize(
    ("ruling", "note", "sentence"),
    [
        ("first", "", "The GM lets Ana win."),
        ("second", "", "The GM lets Serk win."),
        ("else", "The roof comes down.", "Something else happens."),
    ],
)
def test_a_tie_is_the_gms_and_nothing_is_settled_before(table, ruling, note, sentence):
    mara, serk = hero(table, "ana", social=4), foe(table, name="Serk", social=4)
    assert contest(table, mara, serk, (5, 5))["sentence"] == "A tie: the GM decides."
    ask = table.ask("tie")
    move, actor = table.named("tie"), table.actor(GM)
    asking = type(actor)(GM, "gm", mara, ask.id)
    choices = move.fields(table.table, asking, ask.preset)[0].choices
    assert [one.value for one in choices] == ["reroll", "first", "second", "else"]
    if note:
        with pytest.raises(BadAnswers):
            table.answer(GM, ask, ruling=ruling)
    table.answer(GM, ask, ruling=ruling, note=note)
    assert table.card["sentence"] == sentence
    assert table.asks("tie") == []


@rule("toast.5.2-contest-tie-reroll", "toast.8.2-note")
def test_another_roll_is_a_new_pair_and_the_first_stays_in_the_log(table):
    mara = hero(table, "ana", "Silver tongue", social=4)
    serk = foe(table, social=7)
    contest(table, mara, serk, (5, 5), perk="Silver tongue")
    assert table.table.session.notes["uses"] == {mara: {"social": 1}}
    table.answer(GM, table.ask("tie"), (6, 3))
    assert table.card["sentence"] == "Ana wins."
    pairs = [
        [throw["physical"] for throw in event.throw.trace]
        for event in table.campaign.events
        if event.throw
    ]
    assert pairs == [[5, 5], [6, 3]]
    assert table.table.session.notes["uses"] == {mara: {"social": 1}}


@rule("toast.5.2-contest-tie-reroll")
def test_the_gm_may_change_a_trait_for_the_new_roll_and_it_can_tie_again(table):
    mara = hero(table, "ana", social=4, willpower=0)
    serk = foe(table, social=4)
    contest(table, mara, serk, (5, 5))
    table.answer(GM, table.ask("tie"), (9, 5), trait="willpower")
    assert table.card["sentence"] == "A tie: the GM decides."
    assert table.ask("tie").preset["roll"]["trait"] == "willpower"


@rule("toast.8.2-note", "toast.5.2-contest-tie-reroll")
@pytest.mark.parametrize(
    ("first", "second", "changed", "noted"),
    [
        ("", "", {"perk": "Sly"}, {"ana": {"social": 1}}),
        ("Sly", "", {"trait": "willpower"}, {"ana": {"social": 1, "willpower": 1}}),
        ("Sly", "", {"perk": "Bold"}, {"ana": {"social": 2}}),
        ("Sly", "", {"perk": ""}, {"ana": {"social": 1}}),
        (
            "Sly",
            "Sly",
            {"other_trait": "aim"},
            {"ana": {"social": 1}, "ben": {"social": 1, "aim": 1}},
        ),
        ("", "", {"other_perk": "Bold"}, {"ben": {"social": 1}}),
        ("Sly", "Sly", {}, {"ana": {"social": 1}, "ben": {"social": 1}}),
    ],
)
def test_another_roll_is_noted_for_whoever_changes_trait_or_perk(
    table, first, second, changed, noted
):
    mara, tam = (hero(table, player, "Sly", "Bold") for player in ("ana", "ben"))
    more = {"other_trait": "social", "other_perk": second}
    faces = (5 if first else 8, 5 if second else 8)
    table.roll("ana", "contest", mara, faces, theirs=more, other=tam, trait="social", perk=first)
    table.answer(GM, table.ask("tie"), (9, 2), ruling="reroll", **changed)
    ids = {"ana": mara, "ben": tam}
    assert table.table.session.notes.get("uses", {}) == {ids[one]: noted[one] for one in noted}


@rule("toast.8.2-note", "toast.5.2-contest-tie-reroll")
def test_in_a_row_of_ties_the_same_perk_is_noted_once(table):
    mara, serk = hero(table, "ana", "Sly", "Bold", social=4), foe(table, social=7)
    contest(table, mara, serk, (5, 5), perk="Sly")
    for perk, faces in (("Bold", (5, 5)), ("Sly", (5, 5)), ("Bold", (9, 2))):
        table.answer(GM, table.ask("tie"), faces, ruling="reroll", perk=perk)
    assert table.table.session.notes["uses"] == {mara: {"social": 2}}


@rule("toast.5.2-contest-both-roll")
def test_three_or_more_sides_when_the_gm_calls_for_it(table):
    mara, tam, serk = hero(table, "ana"), hero(table, "ben"), foe(table, strength=3)
    who = [mara, tam, serk]
    with pytest.raises(BadAnswers):
        table.move(GM, "free_for_all", who=who[:2])
    named = {f"trait__{one}": "strength" for one in who}
    table.move(GM, "free_for_all", "", (5, 9, 5), who=who, **named)
    assert table.card["sentence"] == "Ben wins."
    assert [side["total"] for side in table.card["sides"]] == [5, 9, 8]
    table.move(GM, "free_for_all", "", (8, FLUB, 5), who=who, **named)
    assert table.card["sentence"] == "Ana and Foe are equal."
    assert table.ask("twist").preset["name"] == "Ben"
