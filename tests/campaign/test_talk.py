"""Chat, dice in notation, notes."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, DiceNeeded, NotAllowed
from kitchentable.dice import BadInput
from kitchentable.dice.notation import DIALECTS, UnknownDialect
from kitchentable.dice.notation.errors import NotationError
from tests.campaign.tables import IDA, JON, MARA, named, playing


def test_somebody_speaks_as_themselves_or_as_somebody():
    evening = playing()
    event = evening.send(c.Say, MARA, text=" Hello. ", mode="me", entity=named(evening, "Kes"))
    assert (event.data["text"], event.data["entity_name"]) == ("Hello.", "Kes")
    with pytest.raises(NotAllowed):
        evening.send(c.Say, MARA, text="Hello", entity=named(evening, "Bo"))
    for wrong in ({"text": "  "}, {"text": "x", "mode": "shout"}):
        with pytest.raises(CannotBe):
            evening.send(c.Say, MARA, **wrong)


def test_a_whisper_reaches_the_two_alone():
    evening = playing()
    assert evening.send(c.Say, MARA, text="Psst", to=JON).audience == f"seats:{JON},{MARA}"
    assert evening.send(c.Say, MARA, text="Psst", to=IDA).audience == f"seats:{IDA},{MARA}"
    assert evening.send(c.Say, MARA, text="Psst", to="gm").audience == MARA
    assert evening.send(c.Say, IDA, text="Psst", to="gm").audience == "gm"
    for nobody in ("s-none", MARA):
        with pytest.raises(CannotBe) as told:
            evening.send(c.Say, MARA, text="Psst", to=nobody)
        assert told.value.code == "seat/nobody"
    evening.send(c.SetSettings, IDA, settings={"gm_reads_whispers": True})
    event = evening.send(c.Say, MARA, text="Psst", to=JON)
    assert event.audience == f"seats:gm,{JON},{MARA}"


def test_dice_in_words_are_thrown():
    evening = playing()
    with pytest.raises(DiceNeeded):
        evening.send(c.Say, MARA, text="I wait [[2d6]] days")
    event = evening.send(c.Say, MARA, text="[[2d6]] days, [[1d4+1]] nights", faces=[3, 4, 2])
    assert event.data["rolls"] == [
        {"notation": "2d6", "outcome": 7, "sum": [2]},
        {"notation": "1d4+1", "outcome": 3, "sum": [1, "+", "1"]},
    ]
    assert len(event.throw.trace) == 3
    with pytest.raises(BadInput):
        evening.send(c.Say, MARA, text="[[2d6k1]]", faces=[3, 4])
    with pytest.raises(CannotBe, match="at most 10"):
        evening.send(c.Say, MARA, text="[[1d6]]" * 11, faces=[1] * 11)


@pytest.mark.parametrize(
    ("audience", "seat", "kept"),
    [
        ("all", MARA, "all"),
        ("gm", MARA, MARA),
        ("gm", IDA, "gm"),
        ("self", MARA, f"seats:{MARA}"),
        ("self", IDA, f"seats:{IDA}"),
    ],
)
def test_dice_in_notation_are_for_whom_they_are_meant(audience, seat, kept):
    evening = playing()
    event = evening.send(
        c.RollNotation, seat, notation="4d6kh3", audience=audience, label="luck", faces=[1, 6, 5, 4]
    )
    assert (event.data["outcome"], event.audience) == (15, kept)


def test_notation_is_refused_by_its_own_words():
    evening = playing()
    with pytest.raises(BadInput):
        evening.send(c.RollNotation, MARA, notation="4d6k3", faces=[1])
    with pytest.raises(CannotBe):
        evening.send(c.RollNotation, MARA, notation="d6", audience="s-jon", faces=[1])
    event = evening.send(c.RollNotation, MARA, notation="(2d6)>=7", faces=[3, 3])
    assert event.data["outcome"] is False


def test_notes_are_the_tables_or_the_gms():
    evening = playing()
    evening.send(c.SetNote, MARA, which="table", text="The bridge is out.")
    event = evening.send(c.SetNote, IDA, which="gm", text="Grim did it.")
    assert event.audience == "gm"
    assert evening.tree["notes"] == {"table": "The bridge is out.", "gm": "Grim did it."}
    with pytest.raises(NotAllowed):
        evening.send(c.SetNote, MARA, which="gm", text="x")
    with pytest.raises(CannotBe):
        evening.send(c.SetNote, IDA, which="gm", text="Grim did it.")
    with pytest.raises(CannotBe):
        evening.send(c.SetNote, IDA, which="all", text="x")


def test_dice_are_read_in_the_dialect_of_the_table():
    evening = playing()
    with pytest.raises(BadInput):
        evening.send(c.RollNotation, MARA, notation="4d6k3", faces=[1, 6, 5, 4])
    evening.send(c.SetSettings, IDA, settings={"dialect": "roll20"})
    event = evening.send(c.RollNotation, MARA, notation="4d6k3", faces=[1, 6, 5, 4])
    assert (event.data["notation"], event.data["dialect"]) == ("4d6k3", "roll20")
    assert event.data["outcome"] == 15
    said = evening.send(c.Say, MARA, text="[[4d6!k3]] [[1d6/4]]", faces=[6, 2, 3, 5, 4, 2])
    assert [roll["outcome"] for roll in said.data["rolls"]] == [15, "0.5"]
    evening.send(c.SetSettings, IDA, settings={"dialect": "avrae"})
    evening.send(c.SetSettings, IDA, settings={"fudge": "logged"})
    altered = evening.send(c.Alter, IDA, number=event.number, faces=[2, 2, 2, 1])
    assert altered.data["outcome"] == 6


def test_somebody_writes_dice_in_a_dialect_of_their_own():
    evening = playing()
    mine = {"notation": "10d6>5", "faces": [5, 6, 4, 3, 2, 1, 5, 6, 1, 1]}
    event = evening.send(c.RollNotation, MARA, dialect="roll20", **mine)
    assert (event.data["outcome"], event.data["dialect"]) == (4, "roll20")
    assert event.data["sum"] == [10, "→", "4 hits"]
    said = evening.send(c.Say, JON, text="[[4d6!d1]]", dialect="rpg-dice-roller",
                        faces=[6, 2, 2, 5, 1])  # fmt: skip
    assert said.data["rolls"] == [{"notation": "4d6!d1", "outcome": 15, "sum": [5]}]
    assert said.data["dialect"] == "rpg-dice-roller"
    evening.send(c.SetSettings, IDA, settings={"dialect": "avrae"})
    with pytest.raises(BadInput):
        evening.send(c.RollNotation, MARA, dialect="house", **mine)
    with pytest.raises(UnknownDialect, match=r"'latin' is unknown\. Choose one of house"):
        evening.send(c.RollNotation, MARA, dialect="latin", **mine)
    assert evening.send(c.RollNotation, MARA, notation="1d6mi3", faces=[1]).data["outcome"] == 3


@pytest.mark.parametrize(
    ("typed", "dialect", "notation", "label"),
    [
        ("2d6 to climb  the wall", "house", "2d6", "to climb the wall"),
        ("2d6 # 3 wolves", "house", "2d6", "3 wolves"),
        ("1d6 [cold damage] + 2", "house", "1d6 [cold damage] + 2", ""),
        ("2d6 hits>=5", "house", "2d6 hits>=5", ""),
        ("2d6 sneak attack", "roll20", "2d6", "sneak attack"),
        ("2d6 # luck", "rpg-dice-roller", "2d6", "luck"),
        ("[highest 2 of 2d6] for luck", "anydice", "[highest 2 of 2d6]", "for luck"),
        ("2d6 sneak attack", "avrae", "2d6", "sneak attack"),
    ],
)
def test_words_behind_dice_are_their_label(typed, dialect, notation, label):
    faces = [1] if "cold" in typed else [1, 1]
    event = playing().send(c.RollNotation, MARA, notation=typed, dialect=dialect, faces=faces)
    assert (event.data["notation"], event.data["label"]) == (notation, label)


@pytest.mark.parametrize("dialect", [*DIALECTS])
@pytest.mark.parametrize("typed", ["", " ", "2d6+ "])
def test_dice_that_are_left_out_are_refused_in_every_dialect(typed, dialect):
    with pytest.raises(NotationError):
        playing().send(c.RollNotation, MARA, notation=typed, dialect=dialect, faces=[1, 1])


def test_words_that_are_meant_for_the_dice_are_no_label():
    evening = playing()
    both = evening.send(c.RollNotation, MARA, notation="1d20+5 adv to hit", faces=[3, 17])
    assert (both.data["outcome"], both.data["label"]) == (22, "to hit")
    best = evening.send(c.RollNotation, MARA, notation="highest 3 of 4d6", faces=[1, 6, 5, 4])
    assert best.data["outcome"] == 15
    for typed in ("4d6 drop lowest", "2d6 plus 3", "1d20 vs 15", "6#4d6", "6 # 4d6"):
        with pytest.raises(BadInput):
            evening.send(c.RollNotation, MARA, notation=typed, faces=[1])
    with pytest.raises(BadInput):
        evening.send(c.RollNotation, MARA, notation="4d6 drop lowest", dialect="roll20", faces=[1])
