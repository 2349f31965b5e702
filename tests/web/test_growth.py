"""Every input takes linear time, so no form can freeze the server."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from urllib.parse import quote, quote_plus

import httpx
import pytest

from kitchentable.app.kept import join_key
from kitchentable.app.verbs import LONGEST_LINE, BadLine, read_line
from kitchentable.dice.errors import BadInput
from kitchentable.dice.notation.parse import parse
from kitchentable.rules.kit.formula import BadFormula, parse_formula
from kitchentable.rules.kit.places import places
from kitchentable.rulesets.lucky_stars.sums import read_formula
from kitchentable.rulesets.objects.builder import sentences
from tests.web.visitors import Visited

#: What is sent grows by this; an effort that grows with its square grows by 64.
TIMES = 8
#: So much more than in proportion is the machine's noise, in times and in seconds.
NOISE, GRACE = 3, 0.06
#: Texts that a pattern could try from each of their places, or from each in several ways.
NASTY = (
    "a", "a ", " ", "=", "a=", 'a="', '"', '"a=', "[", "[a", "[[", "[[1d6]]", "(", "1d6+", "9", "-",
    ".", "'", "\n", "\u00e9", "a,", "%", "a=\"b\" ", "#", " x1", "\u00bd", "{", "\\\"", "x/", "@",
)  # fmt: skip


def text_of(part: str, length: int) -> str:
    """A text of that length, whose last character fits nothing that came before."""
    return (part * (length // len(part) + 1))[: length - 1] + "\x01"


#: Writes a text as it stands in a form; kept, because that takes longer than to read the form.
in_a_form = lru_cache(maxsize=100)(quote_plus)
FORM = {"hx-request": "true", "content-type": "application/x-www-form-urlencoded"}


def seconds(call: Callable[[], object]) -> float:
    """How long the processor works for a call, which a busy machine does not change."""
    before = time.process_time()
    call()
    return time.process_time() - before


def check_growth(call: Callable[[str], object], part: str, longest: int, *, best_of: int = 4):
    """A text that is eight times as long takes about eight times as long; the best of several."""
    short, long = text_of(part, longest // TIMES), text_of(part, longest)
    least = few = float("inf")
    for _ in range(best_of):
        few = min(few, seconds(partial(call, short)))
        least = min(least, seconds(partial(call, long)))
        if least <= NOISE * TIMES * few + GRACE:
            return
    raise AssertionError(
        f"{part!r}: {few:.4f} s for {longest // TIMES}, {least:.4f} s for {longest}"
    )


def refusing(call: Callable[[str], object]) -> Callable[[str], None]:
    """The call, where refusing the text is an answer like any other."""

    def done(text: str) -> None:
        with suppress(BadInput, BadFormula):
            call(text)

    return done


READERS: dict[str, tuple[Callable[[str], object], int]] = {
    "a line": (lambda text: read_line(text, ["task"]), 512_000),
    "a move": (lambda text: read_line(f"/task {text}", ["task"]), LONGEST_LINE - 10),
    "dice": (lambda text: read_line(f"/roll {text}"), LONGEST_LINE - 10),
    "a whisper": (lambda text: read_line(f"/w {text}"), LONGEST_LINE - 10),
    "a command": (lambda text: read_line(f"/{text}", ["task"]), LONGEST_LINE - 10),
    "notation": (parse, 1_000),
    "a formula of a game": (parse_formula, 512_000),
    "a game's file": (lambda text: places(text.replace("\x01", "")), 512_000),
    "a value with stats": (lambda text: read_formula(f"1{text}"), 8_000),
    "a story": (sentences, 8_000),
}


@pytest.mark.parametrize("name", READERS)
def test_reading_takes_time_in_proportion(name: str):
    read, longest = READERS[name]
    for part in NASTY:
        check_growth(refusing(read), part, longest)


def test_a_line_is_not_read_further_than_lines_go():
    with pytest.raises(BadLine, match="A line has at most 4,000 characters, not 4,006"):
        read_line("/task " + "a" * LONGEST_LINE, ["task"])


WAYS: dict[str, tuple[str, str]] = {
    "what is said": ("POST", "{t}/say?text"),
    "a move by name": ("POST", "{t}/moves?a.what"),
    "a move's name": ("POST", "{t}/moves?move"),
    "faces": ("POST", "{t}/moves?faces"),
    "a note": ("POST", "{t}/note?text"),
    "words for the dice": ("POST", "{t}/contribute?text"),
    "a sheet": ("POST", "{t}/characters/{mara}/save?s.story"),
    "a new character": ("POST", "{t}/characters?name"),
    "a name at the door": ("POST", "/join?name"),
    "a command's id": ("POST", "{t}/say?command"),
    "a token": ("POST", "{t}/say?_csrf_token"),
    "a fact by hand": ("POST", "{t}/override?path"),
    "a value by hand": ("POST", "{t}/override?value"),
    "a search": ("GET", "{t}/journal?words"),
    "a search in the rules": ("GET", "/rules/toast?words"),
    "dice outside": ("GET", "/dice?notation"),
    "a cursor": ("GET", "{t}/journal?before"),
    "a path": ("GET", "/"),
    "a program's dice": ("JSON", "{t}/api/v1/commands?notation"),
    "a program's words": ("JSON", "{t}/api/v1/commands?text"),
}


@pytest.mark.slow
@pytest.mark.parametrize("parts", [NASTY[::6], pytest.param(NASTY, marks=pytest.mark.soak)],
                         ids=["some", "all"])  # fmt: skip
@pytest.mark.parametrize("way", WAYS)
def test_a_request_takes_time_in_proportion(visited: Visited, way: str, parts: tuple[str, ...]):
    method, where = WAYS[way]
    path, _, name = where.format(t=visited.t, mara=visited.entity("Mara Vell")).partition("?")
    gm = visited.sits("GM")
    token = gm.token()
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["GM"].id)
    program = visited.stranger(authorization=f"Bearer {key}", accept="application/json")

    def send(text: str) -> httpx.Response:
        if method == "JSON":
            do = "roll-notation" if name == "notation" else "say"
            return program.post(path, json={"do": do, "id": "growing", name: text})
        if method == "GET":
            return gm.get(path, params={name: text}) if name else gm.get(path + quote(text))
        form = f"_csrf_token={token}&{name}={in_a_form(text)}"
        return gm.post(path, content=form, headers=FORM)

    longest = 8_000 if method == "GET" else 80_000
    for part in parts:
        check_growth(send, part, longest)
    answer = send(text_of("a", longest))
    assert answer.status_code < 500, answer.text


def test_a_line_of_a_seat_that_waits_is_not_read(visited: Visited):
    newcomer = visited.stranger()
    key = join_key(visited.server, visited.campaign)
    newcomer.fill("/join", key=key, name="Orla")
    answer = newcomer.script("POST", f"{visited.t}/say", text="/no-such-move")
    assert answer.status_code == 403
    assert "The GM has not let you in yet" in answer.text


@pytest.mark.parametrize(
    "command",
    [
        '{"do":"roll-notation","id":"a","notation":"1d6","faces":["' + "9" * 5_000 + '"]}',
        '{"do":"alter","id":"a","number":1,"faces":["' + "9" * 5_000 + '"]}',
        '{"do":"roll-notation","id":"a","notation":"1d6","faces":[' + '"1",' * 2_000 + '"1"]}',
        '{"do":"override","id":"a","path":["x"],"now":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"do":"override","id":"a","path":["x"],"now":' + "[" * 400 + "]" * 400 + "}",
        '{"do":"save-sheet","id":"a","entity":"x","answers":' + '{"a":' * 500 + "1" + "}" * 501,
        '{"do":"override","id":"a","path":["x"],"now":' + "9" * 5_000 + "}",
    ],
)
def test_what_a_program_sends_is_refused_in_a_sentence(visited: Visited, command: str):
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["GM"].id)
    gm = visited.stranger(authorization=f"Bearer {key}", accept="application/json")
    answer = gm.post(
        f"{visited.t}/api/v1/commands",
        content=command,
        headers={"content-type": "application/json"},
    )
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["sentence"]


@pytest.mark.parametrize("value", ["9" * 5_000, "[" * 100_000])
def test_a_fact_by_hand_is_refused_in_a_sentence(visited: Visited, value: str):
    gm = visited.sits("GM")
    path = f"entities.{visited.entity('Mara Vell')}.state.wounds"
    answer = gm.fill(f"{visited.t}/override", path=path, value=value, reason="a try")
    assert 400 <= answer.status_code < 500
