"""Characters in minutes: archetypes, chance, copies, files, steps, and the way to the table."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from kitchentable.rules import registry
from tests.web.visitors import Visited, Visitor, visit


class Forms(HTMLParser):
    """The forms of a page: where each is sent, its fields, and its buttons by their words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.buttons: dict[str, tuple[str, dict[str, str]]] = {}
        self._form: tuple[str, dict[str, str]] | None = None
        self._button: tuple[str, dict[str, str]] | None = None
        self._select = ""
        self._words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = (given.get("action", ""), {})
        if self._form is None:
            return
        where, fields = self._form
        name, kind = given.get("name", ""), given.get("type", "")
        checked = kind not in {"radio", "checkbox"} or "checked" in given
        if tag == "input" and name and checked and kind != "file":
            fields[name] = given.get("value", "")
        elif tag == "textarea" and name:
            fields[name] = ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in given:
            fields[self._select] = given["value"]
        elif tag == "button" and kind != "button":
            self._words = ""
            self._button = (
                given.get("formaction", where),
                {name: given["value"]} if name else {},
            )

    def handle_data(self, data: str) -> None:
        self._words += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "button" and self._button is not None and self._form is not None:
            where, own = self._button
            self.buttons[" ".join(self._words.split())] = (where, {**own, "": self._form[0]})
            self._fields_of = self._form[1]
            self.forms = {**getattr(self, "forms", {}), self._form[0]: self._form[1]}
            self._button = None
        if tag == "form":
            self._form = None


def told(page: str) -> list[str]:
    """What a page says is still to fix."""
    said = page.partition('id="to-mend"')[2].partition("<aside")[0]
    return re.findall(r'<li class="refuses">(.*?)</li>', said)


class Tapping:
    """Somebody who taps buttons of pages without scripts; each tap is counted."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        self.visitor, self.taps, self.typed = visitor, 0, {}
        self._read(visitor.get(path))

    def _read(self, answer) -> None:
        if answer.status_code == 303:
            answer = self.visitor.get(answer.headers["location"])
        assert answer.status_code == 200, told(answer.text)
        self.page = answer.text

    def tap(self, words: str) -> None:
        forms = Forms(self.page)
        found = [one for one in forms.buttons if words in one]
        assert found, f"{words!r} is not among {sorted(forms.buttons)}"
        where, own = forms.buttons[found[0]]
        fields = {**forms.forms[own.pop("")], **own, **self.typed}
        self.typed = {}
        self.taps += 1
        self._read(self.visitor.post(where, data=fields))

    def write(self, name: str, words: str) -> None:
        assert f'name="{name}"' in self.page
        self.typed[name] = words
        self.taps += 1


def stage(visited: Visited, name: str) -> str:
    entities = visited.server.tables.campaign(visited.campaign).table.entities.values()
    return next(one.stage for one in entities if one.name == name)


def test_toaster_with_packages_first_takes_less_than_25_taps():
    with visit(game="toaster") as visited:
        hand = Tapping(visited.sits("Rita"), f"{visited.t}/characters/new")
        hand.tap("Start from scratch")
        hand.write("name", "Nell Harrow")
        hand.tap("Next: Packages")
        hand.tap("Thief")
        hand.tap("Scout")
        hand.tap("Next: Concept")
        hand.tap("Next: Attributes")
        hand.tap("Spread evenly")
        hand.tap("Next: Skills")
        hand.write("a.skills.0.of", "Common")
        hand.tap("Spread evenly")
        hand.tap("Skip to end")
        assert told(hand.page) == []
        hand.tap("Send to the GM")
        assert stage(visited, "Nell Harrow") == "submitted"
        assert hand.taps < 25


@pytest.mark.parametrize("game", registry.names())
def test_an_archetype_is_two_taps_from_the_gm_in_every_game(game: str):
    with visit(game=game) as visited:
        player = next(s.name for s in visited.seats.values() if s.role == "player")
        for words in ("", "Surprise me"):
            hand = Tapping(visited.sits(player), f"{visited.t}/characters/new")
            found = [*visited.server.tables.game(visited.campaign).archetypes]
            hand.tap(words or found[0].title)
            assert told(hand.page) == []
            hand.write("name", f"New {words}")
            hand.tap("Send to the GM")
            assert stage(visited, f"New {words}".strip()) == "submitted"


def test_an_archetype_has_the_portrait_that_its_character_will_have():
    """A face for a person, a sign for anything else."""
    with visit(game="objects") as visited:
        page = visited.sits("Mara").get(f"{visited.t}/characters/new").text
    kinds = re.findall(r'<section class="slip begin".*?</section>', page, re.DOTALL)
    assert {kind.partition("<h2")[2].partition(">")[2].partition("<")[0] for kind in kinds} >= {
        "Person",
        "Vehicle",
    }
    for kind in kinds:
        drawn = ["#b-head" in one for one in re.findall(r"<svg.*?</svg>", kind, re.DOTALL)]
        assert set(drawn) == {">Person<" in kind}


def begun(visited: Visited, name: str, words: str = "Smuggler") -> str:
    """A player's new character from an archetype, not yet handed in."""
    hand = Tapping(visited.sits(name), f"{visited.t}/characters/new")
    hand.tap(words)
    return re.findall(r"/characters/([\w-]+)/save", hand.page)[0]


def test_approval_brings_the_player_to_the_table(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    pc = begun(visited, "Mara")
    path = f"{visited.t}/characters/{pc}"
    assert mara.fill(f"{path}/submit", name="Vee").status_code == 303
    assert f'hx-get="{path}?wait=1"' in mara.get(path).text
    assert mara.get(f"{path}?wait=1").status_code == 200
    gm.fill(f"{path}/decide", accept="no", reason="Another name, please.")
    assert mara.get(f"{path}?wait=1").headers["location"] == path
    assert mara.fill(f"{path}/submit", name="Vera").status_code == 303
    gm.fill(f"{path}/decide", accept="yes")
    assert mara.get(f"{path}?wait=1").headers["location"] == visited.t
    asked = mara.script("GET", path, wait="1")
    assert asked.headers["hx-redirect"] == visited.t


def test_a_character_leaves_in_a_file_and_comes_back_as_a_draft(visited):
    mara, jonas = visited.sits("Mara"), visited.sits("Jonas")
    vell = visited.entity("Mara Vell")
    file = f"{visited.t}/characters/{vell}/file"
    kept = mara.get(file)
    assert kept.headers["content-disposition"].endswith('"Mara-Vell.kitchentable.json"')
    told = kept.json()
    assert told["answers"]["traits.aim"] == 7
    assert "wounds" not in kept.text
    assert jonas.get(file).status_code == 404
    back = send(jonas, visited, kept.content)
    assert back.status_code == 303
    assert back.headers["location"].endswith("?step=ready")
    entities = visited.server.tables.campaign(visited.campaign).table.entities.values()
    copied = next(e for e in entities if e.name == "Mara Vell" and e.id != vell)
    assert (copied.owner, copied.stage) == (visited.seats["Jonas"].id, "draft")
    assert (
        copied.sheet == visited.server.tables.campaign(visited.campaign).table.entities[vell].sheet
    )


def send(visitor: Visitor, visited: Visited, body: bytes):
    fields = {"_csrf_token": visitor.token()}
    path = f"{visited.t}/characters/import"
    return visitor.post(path, data=fields, files={"file": ("one.json", body, "application/json")})


def test_a_file_is_checked_before_anything_is_made_of_it(visited):
    mara = visited.sits("Mara")
    told = mara.get(f"{visited.t}/characters/{visited.entity('Mara Vell')}/file").json()
    before = len(visited.kinds())
    for body, sentence in (
        (b"[" * 99_000, "not a character file"),
        (b"{" + b" " * 100_000 + b"}", "at most 100 kB"),
        (b'{"form": "kitchentable-character"}', "not a character file"),
        (json.dumps({**told, "form": "else"}).encode(), "has another format"),
        (json.dumps({**told, "game": "chess"}).encode(), "no game called"),
        (json.dumps({**told, "kind": "nemesis"}).encode(), "Only the GM can make this"),
        (json.dumps({**told, "name": "x" * 200}).encode(), "characters"),
        (json.dumps({**told, "line": "x" * 2000}).encode(), "characters"),
    ):
        answer = send(mara, visited, body)
        assert (answer.status_code, sentence in answer.text) == (422, True), sentence
    assert len(visited.kinds()) == before
    answers = {**told["answers"], "traits.magic": 9, "traits.aim": "x"}
    odd = {**told, "name": "Odd", "answers": answers}
    answer = send(mara, visited, json.dumps(odd).encode())
    assert answer.status_code == 422
    assert "This sheet has no place for: traits.magic. Everything else was copied." in answer.text
    assert "Aim must be a whole number" in answer.text
    assert stage(visited, "Odd") == "draft"


def test_a_copy_is_of_ones_own_and_a_draft(visited):
    mara = visited.sits("Mara")
    make = f"{visited.t}/characters/make"
    theirs = mara.fill(make, how="copy", which=visited.entity("Old Tam"))
    assert (theirs.status_code, "is not yours" in theirs.text) == (422, True)
    mine = mara.fill(make, how="copy", which=visited.entity("Mara Vell"), name="Twin")
    assert mine.status_code == 303
    assert stage(visited, "Twin") == "draft"
    assert mara.fill(make, how="archetype", kind="pc", which="dragon").status_code == 422
    assert mara.fill(make, how="surprise", kind="nemesis").status_code == 422
