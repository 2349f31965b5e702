"""A table in terminals: a whole evening, what is refused, pipes, programs, outages."""

import io
import json
import re
import threading
import time
from typing import Self

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kitchentable.app.kept import join_key
from kitchentable.cli.terminal.prompt import Offers, prompted
from kitchentable.cli.terminal.session import Session
from kitchentable.cli.terminal.verbs import LOOKS, VERBS, run_line
from kitchentable.client import Gone, Refusal, Table
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules import registry
from tests.browser.serving import Played, Served

TRAITS = "athletics=3 aim=9 attack=5 defense=4 dexterity=3 health=4 initiative=4 knowing=2 "
TRAITS += "perception=5 social=4 strength=2 willpower=3 aesthetics=4"
PATIENCE = 30


@pytest.fixture(scope="module")
def served():
    with Served() as one:
        yield one


class Person:
    """Somebody in a terminal: the lines that it printed, those of the stream among them."""

    def __init__(self, table: Table) -> None:
        self.printed: list[str] = []
        self.session = Session(table, self.printed.append)
        cursor = table.view().cursor
        self.listener = threading.Thread(target=self.session.follow, args=[cursor], daemon=True)
        self.listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.table.close()
        self.listener.join(PATIENCE)

    def types(self, line: str) -> str:
        """Type a line; what was printed for it."""
        before = len(self.printed)
        try:
            assert run_line(self.session, line)
        except KitchenTableError as refused:
            self.printed.append(str(refused))
        return "\n".join(self.printed[before:])

    def types_until(self, line: str, text: str) -> None:
        """Type a line again until that is printed for it: a busy machine has no odds at first."""
        until = time.monotonic() + PATIENCE
        while text not in (told := self.types(line)):
            assert time.monotonic() < until, told

    def reads(self, text: str) -> None:
        """Wait until that is printed."""
        until = time.monotonic() + PATIENCE
        while text not in "\n".join(self.printed):
            assert time.monotonic() < until, f"{text!r} is not in:\n" + "\n".join(self.printed)
            time.sleep(0.005)


def table_of(played: Played, who: str) -> Table:
    return Table.at(played.link(who))


@pytest.mark.slow
def test_a_whole_evening_in_terminals(served):
    opened = served.wait_for(
        served.server.open_campaign("The Quiet Mill", "toast", gm_name="Ethel")
    )
    key = served.server.keys.issue("seat-link", opened.campaign, opened.gm_seat)
    with Person(Table.at(f"{served.address}/s/{key}")) as gm:
        play_an_evening(served, opened, gm)


def play_an_evening(served, opened, gm):
    key = join_key(served.server, opened.campaign)
    knocked = Table.knock(f"{served.address}/join/{key}", "Ida")
    gm.reads("Ida asks to join as a player.")
    assert "asks to come in" in gm.types("/show people")
    gm.types("/do decide-seat of=Ida verdict=approve")
    knocked.wait_for_yes(every=0.02)
    with Person(knocked) as ida:
        build_and_begin(gm, ida)
        cut_the_line(served, gm, ida)
        roll_and_fight(gm, ida)
        # The seat ends, and the terminal says so.
        gm.types("/do decide-seat of=Ida verdict=revoke")
        ida.listener.join(PATIENCE)
        assert isinstance(ida.session.ended, Gone)


def build_and_begin(gm, ida):
    # A character: refused, mended, accepted.
    assert "Trait" in ida.types('/build new Ida Brook line="Bell-ringer"')
    much = " ".join(f"traits.{one}" for one in TRAITS.replace("aim=9", "aim=10").split())
    assert "! traits.aim: " in ida.types(f"/build {much}")
    assert "9 at most" in ida.types("/submit")
    # A row that is added or changed leaves the others as they are.
    ida.types('/build perks.0.text="Good shot"')
    ida.types('/build perks.1.text="Knows the mill"')
    told = ida.types('/build perks.0.text="Good shooter"')
    assert "; now perks.0: text=Good shooter; now perks.1: text=Knows the mill; " in told
    assert "to add one: perks.2.text=..." in told
    ready = ida.types('/build traits.aim=9 perks.0.text="Knows every bell"')
    assert "Nothing is missing" in ready
    ida.types("/submit")
    gm.reads("This waits for you:")
    gm.types("/answer accepted")
    gm.types('/do decide-sheet entity="Ida Brook" accept=yes')
    ida.reads("Ida Brook")
    gm.types("/do begin-session")
    ida.reads("Session 1 begins")
    assert "Aim 9" in ida.types("/show sheet")
    assert "Aim 9" in ida.types("/sheet")


def cut_the_line(served, gm, ida):
    """Somebody's stream ends without a word, as when the server stops, and goes on."""
    table = ida.session.table

    async def cut():
        served.server.tables.hub.drop(table.campaign, table.seat.id, "closing")

    served.wait_for(cut())
    ida.reads("The connection is lost.")
    gm.types("Is anybody there?")
    ida.reads("The connection is back.")
    ida.reads("Ethel: Is anybody there?")
    assert ida.printed.count("Ethel: Session 1 begins.") == 1


def roll_and_fight(gm, ida):
    # A task: the odds before it, a hidden difficulty, real dice, and the sentence of a flub.
    assert "trait: Trait" in ida.types("/odds task aim")
    ida.types_until("/odds task aim", "Odds: 83 %")
    ida.types("/task aim, hit the bell")
    gm.reads("Hit the bell".lower())
    assert "/answer 1" in gm.types("/show requests")
    gm.types("/answer difficulty=hard hide=difficulty")
    ida.reads("/throw 1")
    assert "hard" not in "\n".join(ida.printed).lower().replace("hardly", "")
    assert "13" in ida.types("/throw 13")
    assert "A flub!" in ida.types("/throw flub")
    gm.reads("flub")
    gm.types("/answer The bell falls on the miller.")
    ida.reads("The bell falls on the miller.")
    ida.types("/task social")
    gm.reads("Social")
    gm.types("/decline success They like you.")
    ida.reads("They like you.")
    ida.types("/task social")
    assert ida.types("/withdraw") == "Ida takes back the roll: Task."

    # A fight, speech, dice, and the end.
    gm.types("/npc name=Serk preset=right-hand importance=lieutenant")
    gm.types("/fight")
    assert "Ida Brook" in ida.types("/show fight")
    ida.types("/initiative faces=5")
    gm.types("/initiative_all faces=9")
    ida.reads("It is the turn of Serk.")
    assert "Serk" in ida.types("/show party")
    ida.types("/w gm is it over?")
    gm.reads("is it over?")
    assert re.search(r"\[d6 \d", ida.types("/roll 2d6 for luck"))
    ida.types("Helo")
    ida.types("/undo slip")
    ida.reads("Changed: Ida: Helo (Taken back by Ida: slip)")
    gm.types("First.")
    gm.types("Second.")
    assert "takes back: Second." in gm.types("/undo")
    assert "takes back: First." in gm.types("/undo")
    gm.types("/end_fight")
    gm.types("/do close-session")
    gm.types("/do end-session")
    ida.reads("Session 1 ended.")
    log = ida.types("/show log 100")
    assert "The bell falls on the miller." in log
    assert "difficulty: hard" not in log
    assert "flub" in ida.types("/show rules flub").lower()


@pytest.fixture
def played(served):
    return Played(served, served.wait_for(served.server.open_example("toast")))


@pytest.mark.slow
def test_what_cannot_be_done_is_told_with_what_can(played):
    with Person(table_of(played, "Mara")) as mara:
        check_refusals(mara)


def check_refusals(mara):
    for line, told in (
        ("/show nothing", "Its parts are: requests, party"),
        ("/throw", "/show requests lists them"),
        ("/odds", "for example /odds task aim"),
        ("/odds hello", "no command /hello"),
        ("/odds task aim bogus=1", "'bogus' here. Questions: what, trait, perk, difficulty."),
        ("/odds task trait=luck", "Trait cannot be “luck”."),
        ("/do begin-sesion", "Did you mean begin-session?"),
        ("/do undo number=many", "Expected `int`"),
        ("/show sheet Nobody", "The names are: "),
        ("/fly", "There is no command /fly"),
        ("/show log 501", "takes a number of entries, 1 to 500"),
        ("/show log 0", "takes a number of entries, 1 to 500"),
        ("/show log all", "takes a number of entries, 1 to 500"),
        ("/show moves Old Tam", "There is no move that you can start now."),
        ("y" * 4001, "A line has at most 4,000 characters, not 4,001."),
        ("/roll " + "1+" * 2000, "A line has at most 4,000 characters"),
        ("/skip", "You have no request to skip"),
        ("/skip 9", "There is no request 9 to skip."),
        ("/help task", "trait: Trait"),
        ("/help fly", "There is no verb, move or command 'fly' now"),
        ("/help clock", "/clock NAME 2/6: set a clock"),
        ("/help gmroll", "/gmroll: for you and the GM"),
        ("/help do", "begin-session, contribute"),
        ("/help decide-seat", "/do decide-seat of=... verdict=... reason=..."),
        ("/help undo", "/do undo "),
        ("/help", "/help task: explain a move"),
    ):
        assert told in mara.types(line), line
    for dice in ("2d6", "/roll 2d6", "roll 2d6", "(d6+d6)", "d6+d6", "2d6 to climb"):
        assert "7   16.67 %" in mara.types(f"/odds {dice}"), dice
    assert ", ".join(LOOKS) in mara.types("/help show")
    assert mara.types("/dialect roll20") == "Dice are read in roll20 notation from now on."
    assert mara.types("/dialect table") == "Dice are read in the table's notation from now on."
    # Names may be shared: by characters, and by a person and a character.
    for _ in "12":
        assert "Twin, draft" in mara.types("/build new Twin")
    mara.types("/build new Jonas")
    assert "Mara to Jonas: psst" in mara.types("/do say text=psst to=Jonas")
    assert not run_line(mara.session, "/quit")
    offers = Offers(mara.session.table)
    assert {"/show sheet", "/throw", "/task", "/roll"} <= set(offers.lines())


def test_a_character_whose_name_begins_with_new_or_stands_in_quotation_marks_is_built(played):
    with Person(table_of(played, "Mara")) as mara:
        mara.types("/build new Newton")
        before = len(mara.session.table.view().table.entities)
        for line in ("/build Newton", '/build "Newton"', '/build "New"'):
            told = mara.types(f'{line} perks.0.text="Sailor"')
            assert told.startswith("Newton, draft"), line
            assert "now perks.0: text=Sailor" in told
        assert len(mara.session.table.view().table.entities) == before
        assert "\nNew Hope, draft\n" in mara.types('/build new "New Hope"')
        assert "called 'New Hop e'" in mara.types('/build "New Hop e" traits.aim=2')


def test_a_last_step_that_stays_keeps_an_older_one_from_being_taken_back(played):
    with Person(table_of(played, "Mara")) as mara, Person(table_of(played, "GM")) as gm:
        mara.types("zz")
        mara.types("/roll 1d1")
        for _ in "12":
            told = mara.types("/undo")
            assert told.startswith("Your last step was “Mara rolls 1d1: 1. [d1 1]”, which cannot")
            assert told.endswith("be taken back. Ask the GM to take it back.")
        assert all(not one.undone for one in mara.session.table.entries())
        mara.types("yy")
        assert "takes back: yy" in mara.types("/undo")
        # What is final is told to the GM, too, who can ask nobody.
        gm.types("xx")
        gm.types("/do begin-session")
        told = gm.types("/undo")
        assert told.startswith("Your last step was “")
        assert told.endswith("Session 1 begins.”, which cannot be taken back.")


def test_a_gm_takes_back_a_step_with_those_that_stand_on_it(played):
    with Person(table_of(played, "Mara")) as mara, Person(table_of(played, "GM")) as gm:
        mara.types("/task aim")
        assert "Done." in gm.types("/answer 1 difficulty=hard")
        assert "flub" in mara.types("/throw 1 flub")
        told = gm.types("/undo")
        assert "Later steps depend on that one" in told
        line = told.partition("To take back all of them: ")[2]
        assert line.startswith("/do undo number=")
        number = line.partition("also=")[2]
        log = gm.types("/show log 3").splitlines()
        assert [one for one in log if one.startswith(f"{number} ") and "flub" in one]
        assert not any(one.startswith(number) for one in mara.types("/show log 3").splitlines())
        (move,) = gm.session.table.entries(limit=1)
        step = next(one for one in gm.session.table.entries(limit=3) if one.kind == "settled")
        with pytest.raises(Refusal) as refused:
            gm.session.table.take_back(step.cursor)
        assert refused.value.told.also == (move.number,) == (int(number),)
        assert "GM takes back" in gm.types(line)
        gm.types("/withdraw 1")


def test_a_gm_is_asked_before_an_old_step_is_taken_back(played):
    with Person(table_of(played, "Mara")) as mara, Person(table_of(played, "GM")) as gm:
        gm.types("old words")
        for number in range(20):
            mara.types(f"word {number}")
        told = gm.types("/undo")
        assert told.startswith("Your last step is more than 20 entries old: “")
        line = told.partition("To take it back anyway: ")[2]
        assert "takes back: old words" in gm.types(line)


def test_a_refused_answer_is_told_with_the_questions_that_it_opened(played):
    with Person(table_of(played, "Mara")) as mara, Person(table_of(played, "GM")) as gm:
        mara.types("/task aim")
        told = gm.types("/answer 1 difficulty=custom")
        assert "number: The number; a number from 0 to 999" in told
        assert "Fill in “" in told
        assert "Done." in gm.types("/answer 1 difficulty=custom number=9")
        mara.types("/throw 1 kick")
        told = gm.types("/answer 1 difficulty=hard")
        assert "Fill in “" in told
        assert "There is no question called 'difficulty' here." in told
        gm.types("/skip 1")


def test_a_person_completes_a_line_and_brings_back_an_earlier_one(played):
    with (
        create_pipe_input() as keys,
        create_app_session(input=keys, output=DummyOutput()),
        table_of(played, "Mara") as table,
    ):
        lines = prompted(table)
        keys.send_text("/show sh\t\n")
        assert next(lines) == "/show sheet"
        up = "\x1b[A"
        keys.send_text(f"{up}\n")
        assert next(lines) == "/show sheet"
        keys.send_text("\x04")
        assert next(lines, "left") == "left"


def test_no_move_of_a_game_is_called_like_a_verb_of_the_terminal():
    from_games = {move.name for name in registry.names() for move in registry.load(name).moves}
    assert not from_games & {*VERBS, "quit", "exit"}


def test_a_pipe_says_its_lines_and_ends(run, played, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("Hello from a pipe\n/rol 2d6\n/roll 1d1\n"))
    said = run("play", played.link("Jonas"), "--log", "0")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "The Salt Road. You are Jonas. /help lists the verbs."
    assert "Jonas: Hello from a pipe" in lines
    assert any("Did you mean /roll" in line for line in lines)
    assert any(line == "Jonas rolls 1d1: 1. [d1 1]" for line in lines)


def test_bytes_that_are_no_text_are_refused_with_their_line(run, played, monkeypatch):
    typed = io.TextIOWrapper(io.BytesIO(b"bad \xff\xfe\nNext\n"), encoding="ascii")
    monkeypatch.setattr("sys.stdin", typed)
    said = run("play", played.link("Jonas"), "--log", "0")
    lines = said.out.splitlines()
    assert "That line is not text in UTF-8. Send it again as UTF-8." in lines
    assert "Jonas: Next" in lines


LINES = """/show sheet
/throw
{"do": "say", "text": "Hello"}
{"do":
"""


def test_a_program_gets_an_object_in_each_line(run, played, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(LINES))
    said = run("play", played.link("Mara"), "--json")
    told = [json.loads(line) for line in said.out.splitlines()]
    kinds = [next(iter(one)) for one in told]
    assert kinds[:2] == ["table", "log"]
    errors = [one["error"]["code"] for one in told if "error" in one]
    found = {kind: one[kind] for kind, one in zip(kinds, told, strict=True)}
    assert found["sheet"]["entity"]["name"] == "Mara Vell"
    assert errors == ["play/not-understood", "play/command"]
    assert found["done"]["entries"][0]["text"] == "Hello"


def test_a_reader_who_leaves_ends_the_stream(served, played):
    """The other thread ends the program then; here nothing is printed as a fault of ours."""

    def fail(line: str) -> None:
        raise BrokenPipeError

    with table_of(played, "Mara") as table:
        session = Session(table, fail, as_json=True)
        session.follow("")
        assert isinstance(session.ended, BrokenPipeError)


def test_a_link_to_join_by_needs_a_name_and_a_wrong_one_is_told(run, served):
    joined = run("play", f"{served.address}/join/{'k' * 32}")
    assert (joined.code, "--name Ida" in joined.err) == (2, True)
    wrong = run("play", "table.example.org")
    assert (wrong.code, "Copy the whole link" in wrong.err) == (2, True)
    ended = run("play", f"{served.address}/s/{'k' * 32}", "--json")
    assert (ended.code, ended.error["code"]) == (2, "seat/no-key")
