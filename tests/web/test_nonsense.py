"""Any request gets a sentence and a code, and nothing is lost."""

import asyncio
import itertools
import json
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.visitors import TOKEN, Visited, visit

NAMES = (
    "text",
    "command",
    "move",
    "entity",
    "proposal",
    "ask",
    "a.trait",
    "a.perk",
    "a.difficulty",
    "a.target",
    "a.traits.aim",
    "a.perks.0.text",
    "a.perks.9999.remove",
    "hide",
    "faces",
    "audience",
    "any_yes",
    "kind",
    "name",
    "count",
    "verdict",
    "note",
    "reason",
    "number",
    "also",
    "which",
    "path",
    "value",
    "role",
    "owner",
    "o.medium",
    "o.nothing",
    "t.gm_confirms",
    "t.fudge",
    "q.any",
    "title",
    "gm_name",
    "game",
    "key",
    "back",
    "theme",
    "notation",
    "before",
    "after",
    "words",
    "person",
    "limit",
    "backup",
    "accept",
    "submit",
    "file",
)
WORDS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "",
            "0",
            "-1",
            "99999999999999999999999",
            "1e9",
            "NaN",
            "true",
            "null",
            "[[[[",
            '{"a":1}',
            "\x00",
            "\ud800",
            "../../etc/passwd",
            "<script>alert(1)</script>",
            "{{ 7*7 }}",
            "'; drop table rows; --",
            "/roll 99999d99999",
            "/task trait=aim faces=kick",
            "[[2d6]] [[nonsense]]",
            "entities.x.state.wounds",
            "own",
            "fight.round",
            "x" * 5000,
            "\N{RIGHT-TO-LEFT OVERRIDE}abc",
            "2d6!" * 50,
            "toast",
            "task",
            "pc",
            "all",
            "gm",
            "self",
        ]
    ),
)


@pytest.fixture(scope="module")
def visited():
    # Time flies here, so that nobody is kept waiting for wrong keys.
    with visit(clock=itertools.count(step=60).__next__) as one:
        yield one


def routes(visited: Visited):
    """Every address with its methods, feeds aside: these never end."""
    return sorted(
        (route.path_format, method)
        for route in visited.app.router.routes
        for handler in getattr(route, "route_handlers", ())
        for method in handler.http_methods - {"OPTIONS"}
        if not route.path_format.endswith(("/feed", "/events"))
    )


def known(visited: Visited, name: str):
    state = visited.server.tables.campaign(visited.campaign)
    return {
        "campaign": [visited.campaign],
        "entity": list(state.table.entities),
        "seat": list(state.table.seats),
        "cursor": [visited.server.tables.cursors.seal(visited.campaign, n) for n in (0, 3, 9)],
        "game": ["toast"],
    }.get(name, ["x"])


@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_form_makes_a_fault_of_ours(visited, data):
    send_nonsense(visited, data)


@pytest.mark.soak
@settings(max_examples=2000, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_form_of_thousands_makes_a_fault_of_ours(visited, data):
    send_nonsense(visited, data)


def send_nonsense(visited, data):
    name = data.draw(st.sampled_from(["GM", "Mara"]))
    visitor = visited.sits(name)
    if data.draw(st.booleans()):
        visitor.cookies.update(visited.host().cookies)
    token = visitor.token()
    for shape, method in data.draw(
        st.lists(st.sampled_from(routes(visited)), min_size=1, max_size=8)
    ):
        path = shape
        for part in [one.split("}")[0] for one in path.split("{")[1:]]:
            value = data.draw(st.sampled_from(known(visited, part)) | WORDS.filter(bool))
            path = path.replace(
                f"{{{part}}}", quote(value.encode("utf-8", "replace"), safe="") or "x", 1
            )
        fields = data.draw(
            st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), WORDS, max_size=6)
        )
        fields = {
            key.encode("utf-8", "replace"): value.encode("utf-8", "replace")
            for key, value in fields.items()
        }
        script = {"hx-request": "true"} if data.draw(st.booleans()) else {}
        if method == "GET":
            query = "&".join(f"{quote(key)}={quote(value)}" for key, value in fields.items())
            answer = visitor.get(f"{path}?{query}", headers=script)
        else:
            body = (
                b"_csrf_token="
                + token.encode()
                + b"".join(
                    b"&" + quote(key).encode() + b"=" + quote(value).encode()
                    for key, value in fields.items()
                )
            )
            answer = visitor.request(
                method,
                path,
                content=body,
                headers={"content-type": "application/x-www-form-urlencoded", **script},
            )
        assert answer.status_code < 500, (method, path, fields, answer.text[:2000])
        assert "Undefined" not in answer.text


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["do", "id", "seat", "text", "move", "answers", "faces", "entity"])
                | st.text(max_size=5),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ).map(lambda value: json.dumps(value).encode("utf-8", "replace"))
)
def test_no_command_of_a_program_makes_one_either(visited, body):
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    answer = visited.stranger().post(
        f"{visited.t}/api/v1/commands", content=body, headers={"authorization": f"Bearer {key}"}
    )
    assert answer.status_code in {400, 403, 422}
    told = answer.json()
    assert set(told) == {"code", "sentence", "problems"}
    assert told["sentence"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", ""),
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded"),
        (b"a=%ZZ&b=%C3%28", "application/x-www-form-urlencoded"),
        (b"&".join(b"f%d=1" % n for n in range(5000)), "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"whatever", "multipart/form-data"),
        (b"", "multipart/form-data; boundary=x"),
    ],
)
def test_bodies_that_are_no_form(visited, content, kind):
    mara = visited.sits("Mara")
    headers = {"content-type": kind, "x-csrftoken": mara.token()}
    answer = mara.post(f"{visited.t}/say", content=content, headers=headers)
    assert answer.status_code in {400, 403}


def test_what_is_refused_without_a_script_stands_where_it_was_typed(visited):
    gm, mara, host = visited.sits("GM"), visited.sits("Mara"), visited.host()
    said = mara.fill(f"{visited.t}/say", text="/rol 2d6 for the king")
    assert said.status_code == 400
    assert 'value="/rol 2d6 for the king"' in said.text
    assert "Did you mean /roll" in said.text

    moved = mara.fill(f"{visited.t}/moves", move="task", a__trait="cooking", a__what="The stew")
    assert moved.status_code == 422
    assert "cannot be" in moved.text
    assert "The stew" in moved.text

    made = host.fill("/new", game="toast", title="", gm_name="Ethel", t__tone="Grim and salty")
    assert made.status_code == 422
    assert 'value="Ethel"' in made.text
    assert "Grim and salty" in made.text

    set_now = gm.fill(
        f"{visited.t}/override", path="entities.nobody.state.wounds", value="7", reason="a whim"
    )
    assert set_now.status_code == 422
    for typed in ("entities.nobody.state.wounds", 'value="7"', 'value="a whim"'):
        assert typed in set_now.text

    wished = gm.fill(f"{visited.t}/options", o__medium="very")
    assert wished.status_code == 422
    assert "very" in wished.text


def test_a_draft_keeps_what_cannot_be_read_and_says_so(visited):
    mara = visited.sits("Mara")
    made = mara.fill(f"{visited.t}/characters", kind="pc")
    where = made.headers["location"]
    traits = {f"a__traits__{name}": "2" for name in ("athletics", "attack")}
    kept = mara.fill(f"{where}/save", name="Ida", a__traits__aim="lots", **traits)
    assert kept.status_code == 422
    assert "Aim must be a whole number" in kept.text
    assert 'value="lots"' in kept.text
    entity = visited.server.tables.campaign(visited.campaign).table.entities[where.split("/")[-1]]
    assert entity.name == "Ida"
    assert entity.sheet["traits"]["athletics"] == 2
    again = mara.script("POST", f"{where}/save", name="Ida", a__traits__aim="3")
    assert again.status_code == 200
    assert 'name="a.traits.aim"' in again.text


def test_saving_what_is_there_already_is_no_step_of_the_log(visited):
    mara = visited.sits("Mara")
    where = mara.fill(f"{visited.t}/characters", kind="pc").headers["location"]
    mara.fill(f"{where}/save", name="Ida Two", a__traits__aim="3")
    before = len(visited.kinds())
    mara.fill(f"{where}/save", name="Ida Two", a__traits__aim="3")
    assert len(visited.kinds()) == before


def test_errors_are_pages_lines_or_json_as_the_asker_reads_them(visited):
    mara = visited.sits("Mara")
    path = f"{visited.t}/undo/AAAA"
    page = mara.get(path)
    assert page.status_code == 404
    assert "<h1>" in page.text
    line = mara.script("GET", path)
    assert line.text.startswith('<p data-code="feed/bad-cursor">')
    data = mara.get(path, headers={"accept": "application/json"})
    assert data.json()["code"] == "feed/bad-cursor"
    assert asyncio.iscoroutinefunction(visited.server.tables.handle)
    assert TOKEN.search(page.text) is not None
