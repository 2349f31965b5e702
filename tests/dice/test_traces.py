"""Traces of rolls, and loaded dice."""

import json
from enum import Enum

import pytest

from kitchentable.dice import (
    Die,
    ImpossibleFace,
    LeftoverFaces,
    LoadedDice,
    MissingFaces,
    ReplayingDice,
    RollingDice,
    SeededSource,
    SystemEntropy,
    Trace,
    WrongFaces,
    WrongTrace,
    exploding,
    load,
    mechanic,
    replay,
    roll,
    start_over,
)


class Special(Enum):
    FLUB = "flub"
    KICK = "kick"


D10_PLUS = Die("d10+", (*range(1, 11), Special.FLUB, Special.KICK))


@mechanic
def clash(dice, ours, theirs):
    a, b = dice.total(ours, label="us"), dice.total(theirs, label="them")
    if a == b:
        return clash(dice, ours, theirs)
    return a > b


@mechanic
def until_apart(dice):
    a, b = dice.die(6, label="a"), dice.die(6, label="b")
    return start_over() if a == b else a > b


@mechanic
def by_hand(dice, sides):
    face = dice.die(sides)
    return face + by_hand(dice, sides) if face == sides else face


@mechanic
def hit_then_hurt(dice, skill):
    return hurt(dice) if dice.die(10, label="attack") + skill >= 10 else 0


@mechanic
def hurt(dice):
    return dice.total(2, 6, label="damage")


@mechanic
def task(dice, trait):
    face = dice.die(D10_PLUS, label="task")
    return face if isinstance(face, Special) else face + trait


@mechanic
def there(dice):
    return back(dice) if dice.die(2, label="there") == 1 else "there"


@mechanic
def back(dice):
    return there(dice) if dice.die(2, label="back") == 1 else "back"


def fates(thrown):
    return [(throw.face, throw.fate) for throw in thrown.trace.throws]


def test_every_die_once_with_label_and_path():
    thrown = load(hit_then_hurt, 5, faces=[7, 2, 6])
    assert thrown.outcome == 8
    first, second, third = thrown.trace.throws
    assert (first.number, first.die, first.sides, first.physical) == (1, "d10", 10, 7)
    assert (first.label, first.path, first.fate) == ("attack", ("hit_then_hurt",), "kept")
    assert second.label == third.label == "damage"
    assert third.path == ("hit_then_hurt", "hurt")


def test_kept_and_dropped():
    @mechanic
    def best_three(dice):
        return dice.total(4, keep_highest=3)

    @mechanic
    def worst_of_a_pool(dice):
        return dice.pool(3).drop_highest(2).total()

    assert fates(load(best_three, faces=[2, 1, 5, 1])) == [
        (2, "kept"),
        (1, "kept"),
        (5, "kept"),
        (1, "dropped"),
    ]
    thrown = load(worst_of_a_pool, faces=[2, 6, 5])
    assert thrown.outcome == 2
    assert fates(thrown) == [(2, "kept"), (6, "dropped"), (5, "dropped")]
    assert thrown.trace.throws[1].why == "the highest 2 are dropped"


def test_a_dropped_mechanic_drops_all_its_dice():
    @mechanic
    def better(dice):
        return dice.total(2, of=exploding, keep_highest=1)

    thrown = load(better, faces=[5, 6, 2])
    assert thrown.outcome == 8
    assert fates(thrown) == [(5, "dropped"), (6, "exploded"), (2, "kept")]


def test_ties_are_thrown_again():
    thrown = load(clash, 1, 1, faces=[3, 3, 4, 4, 5, 1])
    assert thrown.outcome is True
    assert [throw.fate for throw in thrown.trace.throws] == ["thrown again"] * 4 + ["kept"] * 2
    assert thrown.trace.throws[0].why == "clash was thrown again"


def test_attempts_begun_again():
    thrown = load(until_apart, faces=[3, 3, 1, 2])
    assert thrown.outcome is False
    assert [throw.fate for throw in thrown.trace.throws] == ["thrown again"] * 2 + ["kept"] * 2


def test_mechanics_that_hand_on_to_each_other():
    thrown = load(there, faces=[1, 1, 1, 2])
    assert thrown.outcome == "back"
    assert [throw.fate for throw in thrown.trace.throws] == [
        "thrown again",
        "thrown again",
        "kept",
        "kept",
    ]


@pytest.mark.parametrize("one", [exploding, by_hand])
def test_explosions(one):
    thrown = load(one, 6, faces=[6, 6, 4])
    assert thrown.outcome == 16
    assert fates(thrown) == [(6, "exploded"), (6, "exploded"), (4, "kept")]
    assert thrown.trace.throws[0].why.endswith("thrown again and added")


def test_explosions_below_the_highest_face():
    thrown = load(exploding, 10, 9, faces=[9, 10, 8])
    assert thrown.outcome == 27
    assert [throw.fate for throw in thrown.trace.throws] == ["exploded", "exploded", "kept"]
    assert thrown.trace.throws[0].why == "9 or more is thrown again and added"


def test_a_sum_over_calls_is_no_explosion():
    @mechanic
    def one_by_one(dice, n):
        return dice.die(6) + one_by_one(dice, n - 1) if n else 0

    assert [throw.fate for throw in load(one_by_one, 3, faces=[2, 3, 4]).trace.throws] == [
        "kept"
    ] * 3


def test_named_faces_by_number_or_by_word():
    assert load(task, 3, faces=[11]).outcome is Special.FLUB
    assert load(task, 3, faces=["KICK"]).outcome is Special.KICK
    assert load(task, 3, faces=["5"]).outcome == 8
    assert load(task, 3, faces=["flub"]).trace.throws[0].face == "flub"


def test_a_zero_is_the_face_that_shows_it():
    star = Die("d10*", (*range(1, 10), 0))
    dice = LoadedDice([0, "0", 10, 9])
    assert [dice.die(star) for _ in range(4)] == [0, 0, 0, 9]
    assert [throw.physical for throw in dice.trace.throws] == [10, 10, 10, 9]


def test_what_is_typed_is_what_the_die_shows():
    fudge = Die("dF", (-1, 0, 1))
    dice = LoadedDice(["-1", "0", "1", "+1", "3", 1, 3])
    assert [dice.die(fudge) for _ in range(7)] == [-1, 0, 1, 1, 1, -1, 1]
    with pytest.raises(ImpossibleFace, match="has no face '-2'"):
        LoadedDice(["-2"]).die(fudge)


@pytest.mark.parametrize(
    ("faces", "error", "words"),
    [
        ([7], MissingFaces, "a d6, but only 1 face was given"),
        ([], MissingFaces, "only 0 faces were given"),
        ([1, 2, 3], LeftoverFaces, "were not used: .* Give one face for each die"),
        ([11], ImpossibleFace, "1 to 10, not 11"),
        ([0], ImpossibleFace, "1 to 10, not 0"),
        (["kick"], ImpossibleFace, "has no face 'kick'"),
        ([2.5], ImpossibleFace, "not 2.5"),
    ],
)
def test_faces_that_do_not_fit(faces, error, words):
    with pytest.raises(error, match=words) as caught:
        load(hit_then_hurt, 5, faces=faces)
    assert isinstance(caught.value, WrongFaces)


def test_loaded_dice_without_a_mechanic():
    dice = LoadedDice([3, 4])
    assert dice.die(6) + dice.die(8) == 7
    dice.finish()
    assert dice.trace.faces == [3, 4]


def test_draws_and_counts():
    @mechanic
    def search(dice):
        return dice.draw({"rope": 2, "lamp": 1}, label="room"), dice.count(3, at_least=5)

    thrown = load(search, faces=[3, 5, 2, 6])
    assert thrown.outcome == ("lamp", 2)
    assert thrown.trace.throws[0].face == "lamp"
    assert thrown.trace.throws[0].sides == 3
    assert fates(thrown)[1:] == [(5, "counted"), (2, "kept"), (6, "counted")]


def test_traces_as_plain_data():
    thrown = roll(task, 2, source=SeededSource(4))
    data = json.loads(json.dumps(thrown.trace.to_data()))
    assert Trace.from_data(data) == thrown.trace
    assert Trace.from_data([{**data[0], "weight": "3 g"}]) == thrown.trace
    with pytest.raises(WrongTrace, match="cannot be read"):
        Trace.from_data([{"number": 1}])


def test_replays():
    thrown = roll(clash, 2, 2, source=SeededSource(1))
    assert replay(clash, 2, 2, trace=thrown.trace) == thrown


def test_recordings_that_do_not_fit():
    recorded = load(hit_then_hurt, 5, faces=[7, 2, 6]).trace
    with pytest.raises(WrongTrace, match="after all 3 recorded"):
        replay(
            clash,
            2,
            2,
            trace=recorded.from_data(
                [
                    {**t, "die": "d6", "sides": 6, "physical": 2, "face": 2}
                    for t in recorded.to_data()
                ]
            ),
        )
    with pytest.raises(WrongTrace, match="is a d10, but the mechanic throws a d6"):
        replay(hurt, trace=recorded)
    with pytest.raises(WrongTrace, match="2 of the 3 recorded dice were not thrown"):
        replay(hit_then_hurt, -5, trace=recorded)
    changed = [{**row, "face": 3} if row["number"] == 2 else row for row in recorded.to_data()]
    with pytest.raises(WrongTrace, match="shows a face that a d6 does not have"):
        replay(hit_then_hurt, 5, trace=Trace.from_data(changed))


def test_every_hand_has_a_trace():
    rolling = RollingDice(SystemEntropy())
    faces = [rolling.die(6), *rolling.pool(2)]
    assert sorted(rolling.trace.faces) == sorted(faces)
    again = ReplayingDice(rolling.trace)
    assert [again.die(6), *again.pool(2)] == faces
    again.finish()
    assert again.trace == rolling.trace
