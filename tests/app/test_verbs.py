"""Lines that people type: every verb, every refusal, and no crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.app.verbs import (
    BadLine,
    DialectLine,
    DiceLine,
    HelpLine,
    MoveLine,
    SceneLine,
    Speech,
    read_line,
    read_move,
)
from kitchentable.rules.table import Seat

SEATS = (
    Seat("s1", "Ethel", "gm"),
    Seat("s2", "Mara", "player"),
    Seat("s3", "Mara Lee", "player"),
    Seat("s4", "Gone", "player", "revoked"),
)
MOVES = ("task", "first-aid")


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("Hello there", Speech("Hello there")),
        ("  padded  ", Speech("padded")),
        ("/me bows", Speech("bows", "me")),
        ("/em bows", Speech("bows", "me")),
        ("/ooc brb", Speech("brb", "ooc")),
        ("//roll is a word", Speech("/roll is a word")),
        ("I need [[2d6]] for this", Speech("I need [[2d6]] for this")),
        ("/roll 2d6!+3", DiceLine("2d6!+3")),
        ("/R 2d6", DiceLine("2d6")),
        ("/gmroll d20", DiceLine("d20", "gm")),
        ("/sr d20", DiceLine("d20", "self")),
        ("/r 2d6 to climb the wall", DiceLine("2d6 to climb the wall")),
        ("/r 4d6 kh3 dl1 strength", DiceLine("4d6 kh3 dl1 strength")),
        ("/r 2d6 # 3 wolves", DiceLine("2d6 # 3 wolves")),
        ("/r 1d8 [cold damage] + 2", DiceLine("1d8 [cold damage] + 2")),
        ("/r 4d6 k3", DiceLine("4d6 k3")),
        ("/w gm I look behind me", Speech("I look behind me", "say", "gm")),
        ("/w mara hello", Speech("hello", "say", "s2")),
        ("/w Mara Lee hello", Speech("hello", "say", "s3")),
        ('/w "Mara Lee" hello', Speech("hello", "say", "s3")),
        ("/w mara: hello", Speech("hello", "say", "s2")),
        ("/dialect Roll20", DialectLine("roll20")),
        ("/dialect house", DialectLine("house")),
        ("/dialect table", DialectLine("")),
        ("/help", HelpLine()),
        ("/help roll", HelpLine("roll")),
        ("/task", MoveLine("task", {})),
        ("/Task trait=aim", MoveLine("task", {"trait": "aim"})),
        (
            '/first-aid target=Mara perk="Field medic" faces=7,kick for=Ivo',
            MoveLine("first-aid", {"target": "Mara", "perk": "Field medic"}, ("7", "kick"), "Ivo"),
        ),
        ('/task "difficulty=Very hard"', MoveLine("task", {"difficulty": "Very hard"})),
        ("/task perk=don't", MoveLine("task", {"perk": "don't"})),
        ("/task place.minion-3=2", MoveLine("task", {"place.minion-3": "2"})),
        ("/task empty=", MoveLine("task", {"empty": ""})),
        ("/task aim", MoveLine("task", {}, words="aim")),
        ("/task aim at=him and then", MoveLine("task", {"at": "him"}, words="aim and then")),
    ],
)
def test_a_line_means_what_people_expect(line, means):
    assert read_line(line, MOVES, SEATS) == means


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("", "line/empty", "nothing to send"),
        ("/me", "line/empty", "nothing to send"),
        ("/roll", "line/no-dice", "/roll 2d6+3"),
        ("/rol 2d6", "line/not-understood", "/roll"),
        ("/tsak", "line/not-understood", "/task"),
        ("/w marra hi", "line/nobody", "called 'marra'. Did you mean Mara?"),
        ("/dialect", "line/dialect", "For example /dialect roll20"),
        ("/dialect roll2", "line/dialect", "'roll2'. Did you mean roll20? Choose a dialect"),
        ("/dialec avrae", "line/not-understood", "/dialect"),
        ("/w Gone hi", "line/nobody", "called 'Gone'. Here are gm, Ethel, Mara and Mara Lee."),
        ('/w "Ol Tom" hi', "line/nobody", "called 'Ol Tom'."),
        ("/w", "line/not-understood", "Name a person"),
        ("/w mara", "line/not-understood", "whisper"),
    ],
)
def test_a_line_that_cannot_be_meant_gets_a_sentence(line, code, word):
    with pytest.raises(BadLine) as caught:
        read_line(line, MOVES, SEATS)
    assert caught.value.code == code
    assert word in str(caught.value)


@given(st.text() | st.text(alphabet='/w rolltask=".,:#[]()0-9 ').map(lambda text: f"/{text}"))
def test_no_line_falls_over(line):
    try:
        meant: object = read_line(line, MOVES, SEATS)
    except BadLine as refused:
        meant = refused
    assert isinstance(
        meant, Speech | DiceLine | MoveLine | DialectLine | HelpLine | SceneLine | BadLine
    )
    assert str(meant)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9.-]{0,8}", fullmatch=True).filter(
            lambda name: name not in {"faces", "for"}
        ),
        st.text(st.characters(exclude_characters='"', exclude_categories=("Cs", "Cc"))),
    )
)
def test_quoted_answers_come_through_as_they_are(answers):
    typed = " ".join(f'{name}="{value}"' for name, value in answers.items())
    assert read_move("task", typed).answers == answers


def test_a_name_that_is_longer_in_small_letters_takes_nothing_from_a_whisper():
    seats = (Seat("s1", "Meßfluß", "player"),)
    for line in ("/w Meßfluß hello", '/w "MESSFLUSS" hello', "/w messfluss, hello"):
        assert read_line(line, (), seats) == Speech("hello", "say", "s1")
