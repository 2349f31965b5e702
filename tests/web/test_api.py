"""Programs: the rights of one seat, one shape for every refusal, and a document of it all."""

import pytest

from kitchentable.app.keys import new_id
from tests.web.visitors import visit


def program(visited, name):
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats[name].id)
    return visited.stranger(authorization=f"Bearer {key}", accept="application/json")


def test_a_program_sees_what_its_seat_sees(shared):
    mara = program(shared, "Mara")
    view = mara.get(f"{shared.t}/api/v1/view").json()
    assert view["me"]["name"] == "Mara"
    assert view["game"] == "toast"
    assert "gm" not in view["notes"]
    moves = mara.get(f"{shared.t}/api/v1/moves?entity={shared.entity('Mara Vell')}").json()["moves"]
    assert "task" in {move["name"] for move in moves}
    assert mara.get(f"{shared.t}/api/v1/moves?entity=nobody").json()["moves"] == []


def test_odds_are_exact_fractions(visited):
    gm = program(visited, "GM")
    mara = visited.entity("Mara Vell")
    query = f"move=task&entity={mara}&a.trait=athletics&a.difficulty=medium"
    odds = gm.get(f"{visited.t}/api/v1/odds?{query}").json()["odds"]
    good, of = odds["good"].split("/")
    assert 12 % int(of) == 0
    assert 0 < int(good) < int(of)
    assert odds["unresolved"] == "0"


@pytest.mark.parametrize(
    ("who", "answers", "told"),
    [
        ("Mara", "a.bogus=1", ("bogus", "There is no question called 'bogus' here.")),
        ("Mara", "a.trait=luck&a.bogus=1", ("trait", "Trait cannot be “luck”. It can be: Aes")),
        ("GM", "a.trait=aim&a.difficulty=99", ("difficulty", "Difficulty cannot be “99”.")),
        ("Mara", "a.trait=aim&a.difficulty=99", None),  # the GM's to set, and to be told of
        ("Mara", "a.trait=aim&a.difficulty=hard", None),
        ("Mara", "a.trait=", None),
        ("Mara", "", None),
    ],
)
def test_odds_refuse_the_answers_that_a_move_would_refuse(shared, who, answers, told):
    path = f"{shared.t}/api/v1/odds?move=task&entity={shared.entity('Mara Vell')}&{answers}"
    answer = program(shared, who).get(path)
    assert answer.status_code == (422 if told else 200)
    if told:
        (problem,) = answer.json()["problems"]
        assert problem["where"] == told[0]
        assert problem["refuses"] is True
        assert problem["sentence"].startswith(told[1])
    text = " ".join(one.removeprefix("a.") for one in answers.split("&") if one)
    line = program(shared, who).get(
        f"{shared.t}/api/v1/line",
        params={"text": f"/task {text}", "entity": shared.entity("Mara Vell")},
    )
    assert line.status_code == answer.status_code


def test_odds_refuse_more_rows_than_a_move_takes():
    def names(count):
        return {f"a.modifiers.{at}.name": "rain" for at in range(count)}

    with visit(game="lucky_stars") as visited:
        ada = program(visited, "Ada")
        owner = visited.seats["Ada"].id
        people = visited.server.tables.campaign(visited.campaign).table.entities.values()
        asked = {"move": "decision", "entity": next(one.id for one in people if one.owner == owner)}
        few = ada.get(f"{visited.t}/api/v1/odds", params=asked | names(20))
        many = ada.get(f"{visited.t}/api/v1/odds", params=asked | names(21))
    assert few.status_code == 200
    assert many.status_code == 422
    (problem,) = many.json()["problems"]
    assert (problem["where"], problem["refuses"]) == ("modifiers", True)
    assert problem["sentence"].endswith("at most 20 entries, not 21.")


def test_a_card_tells_the_questions_that_its_answers_open():
    with visit(game="toaster") as visited:
        rita, gm = program(visited, "Rita"), program(visited, "GM")
        entity = visited.entity("Rhoenda Dumas")

        def do(who, **command):
            done = who.post(f"{visited.t}/api/v1/commands", json={"id": new_id(), **command})
            assert done.status_code == 200, done.text
            return who.get(f"{visited.t}/api/v1/view").json()

        do(gm, do="set-options", options={"luck_points": "yes"})
        answers = {"on": "skill:climb", "what": "Over the wall"}
        view = do(rita, do="propose", move="task", entity=entity, answers=answers)
        roll = view["proposals"][0]["id"]
        do(gm, do="settle", proposal=roll, answers={"difficulty": "challenging"})
        (card,) = do(rita, do="throw", proposal=roll, faces=["4"])["asks"]
        asked = {"move": card["ask"]["move"], "entity": entity}

        def questions(who, **given):
            told = who.get(f"{visited.t}/api/v1/odds", params=asked | given)
            assert told.status_code == 200
            return [one["name"] for one in told.json()["fields"]]

        assert "points" not in questions(rita)
        assert "points" in questions(rita, **{"a.use": "add"})
        assert questions(program(visited, "Paul"), **{"a.use": "add"}) == []


#: The questions of a task and of a possession of Toast.
_QUESTIONS = ("what, trait, perk, difficulty", "take, note")


def test_a_question_that_nobody_asked_is_refused_alike_by_moves_and_rolls(shared):
    mara, entity = program(shared, "Mara"), shared.entity("Mara Vell")
    answers = {"bogus": "1"}
    refused = [
        mara.post(
            f"{shared.t}/api/v1/commands",
            json={"do": do, "id": new_id(), "move": move, "entity": entity, "answers": answers},
        )
        for do, move in (("propose", "task"), ("make-move", "gear"))
    ]
    assert [one.status_code for one in refused] == [422, 422]
    for told, names in zip((one.json() for one in refused), _QUESTIONS, strict=True):
        sentence = f"There is no question called 'bogus' here. Questions: {names}."
        problem = {"where": "bogus", "rule": "", "sentence": sentence, "refuses": True}
        assert told == {"code": "form/problems", "sentence": sentence, "problems": [problem]}


def test_a_page_that_sends_questions_which_are_no_longer_asked_still_has_its_odds(shared):
    asked = {"move": "task", "entity": shared.entity("Mara Vell"), "a__trait": "aim"}
    told = shared.sits("Mara").script("GET", f"{shared.t}/moves", **asked, a__bogus="1")
    assert told.status_code == 200
    assert "There is no question" not in told.text


def test_a_command_is_done_once_and_tells_what_came_of_it(visited):
    jonas = program(visited, "Jonas")
    body = {"do": "say", "id": "one", "text": "From a terminal"}
    first = jonas.post(f"{visited.t}/api/v1/commands", json=body)
    assert first.status_code == 200
    assert first.json()["repeated"] is False
    assert [one["text"] for one in first.json()["entries"]] == ["From a terminal"]
    again = jonas.post(f"{visited.t}/api/v1/commands", json=body)
    assert again.json()["repeated"] is True
    assert visited.kinds().count("said") == 1


def test_the_log_is_read_in_pages_by_cursor(visited):
    jonas = program(visited, "Jonas")
    for number in range(5):
        body = {"do": "say", "id": f"c{number}", "text": f"Line {number}"}
        jonas.post(f"{visited.t}/api/v1/commands", json=body)
    last = jonas.get(f"{visited.t}/api/v1/entries?limit=2").json()["entries"]
    assert [one["text"] for one in last] == ["Line 3", "Line 4"]
    before = jonas.get(
        f"{visited.t}/api/v1/entries", params={"before": last[0]["cursor"], "limit": 2}
    ).json()["entries"]
    assert [one["text"] for one in before] == ["Line 1", "Line 2"]
    after = jonas.get(f"{visited.t}/api/v1/entries", params={"after": before[-1]["cursor"]}).json()[
        "entries"
    ]
    assert after == last


def test_a_seat_in_the_body_means_nothing(visited):
    jonas = program(visited, "Jonas")
    gm = visited.seats["GM"].id
    body = {"do": "set-note", "id": "n", "which": "gm", "text": "evil", "seat": gm}
    answer = jonas.post(f"{visited.t}/api/v1/commands", json=body)
    assert answer.status_code == 403
    assert answer.json()["code"] == "seat/not-allowed"


def test_refusals_have_one_shape(shared):
    jonas = program(shared, "Jonas")
    asked = [
        jonas.get(f"{shared.t}/api/v1/nothing"),
        jonas.get(f"{shared.t}/api/v1/entries?limit=many"),
        jonas.get(f"{shared.t}/api/v1/entries?after=wrong"),
        jonas.get(f"{shared.t}/api/v1/odds"),
        jonas.post(f"{shared.t}/api/v1/commands", content=b"no json"),
        jonas.post(f"{shared.t}/api/v1/commands", json={"do": "fly", "id": "x"}),
        jonas.post(f"{shared.t}/api/v1/commands", json={"do": "say", "id": "", "text": "x"}),
        jonas.post(f"{shared.t}/api/v1/commands", json={"do": "say", "id": "y", "text": ""}),
        jonas.post(
            f"{shared.t}/api/v1/commands",
            json={"do": "ask-for-seat", "id": "z", "new_seat": "s", "name": "Me"},
        ),
        shared.stranger(accept="application/json").get(f"{shared.t}/api/v1/view"),
        shared.stranger(accept="application/json").get("/nowhere"),
    ]
    for answer in asked:
        told = answer.json()
        assert set(told) == {"code", "sentence", "problems"}, answer.request.url
        assert 400 <= answer.status_code < 500
        assert "/" in told["code"]
        assert told["sentence"].endswith((".", "?"))


def test_what_points_to_nobody_or_names_nothing_is_no_question_of_keys(visited):
    jonas = program(visited, "Jonas")
    for body, status, code in (
        ({"do": "say", "text": "Psst", "to": "Nobody"}, 400, "seat/nobody"),
        ({"do": "make-entity", "kind": "pc", "name": " "}, 400, "name/empty"),
        ({"do": "rename-seat", "of": visited.seats["Jonas"].id, "name": ""}, 400, "name/empty"),
        ({"do": "rename-seat", "of": visited.seats["Jonas"].id, "name": "gm"}, 409, "name/taken"),
    ):
        answer = jonas.post(f"{visited.t}/api/v1/commands", json={"id": new_id(), **body})
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_seat_that_is_handed_over_has_a_new_link_once(visited):
    gm, mara = program(visited, "GM"), program(visited, "Mara")
    given = {"do": "hand-over", "of": visited.seats["Mara"].id, "id": "give"}
    done, again = (gm.post(f"{visited.t}/api/v1/commands", json=given).json() for _ in range(2))
    key = done["link"].rpartition("/s/")[2]
    assert (done["repeated"], again["repeated"], again["link"]) == (False, True, "")
    assert mara.get(f"{visited.t}/api/v1/view").status_code == 401
    stranger = visited.stranger(authorization=f"Bearer {key}", accept="application/json")
    assert stranger.get(f"{visited.t}/api/v1/view").json()["me"]["name"] == "Mara"
    denied = program(visited, "Jonas").post(
        f"{visited.t}/api/v1/commands", json={**given, "id": "mine"}
    )
    assert denied.status_code == 403
    assert "link" not in denied.json()


def test_what_is_missing_or_unknown_is_named(shared):
    jonas, odds = program(shared, "Jonas"), f"{shared.t}/api/v1/odds"
    missing = jonas.get(odds)
    assert missing.json()["problems"][0]["where"] == "move"
    assert missing.json()["sentence"].endswith("move: missing.")
    for query in ("move=fly", "move=task&entity=nobody"):
        answer = jonas.get(f"{odds}?{query}").json()
        assert answer["odds"] is None
        assert "no move" in answer["why"].casefold(), query


def test_a_refused_parameter_is_the_only_problem_also_once_the_document_was_read(shared):
    paths = shared.stranger().get("/api/v1/openapi.json").json()["paths"]
    asked = [one["name"] for one in paths["/t/{campaign}/api/v1/entries"]["get"]["parameters"]]
    assert sorted(asked) == ["after", "before", "campaign", "limit"]
    told = program(shared, "Mara").get(f"{shared.t}/api/v1/entries?limit=x").json()
    assert told["sentence"] == "The request cannot be read. limit: Expected `int`, got `str`."
    assert [one["where"] for one in told["problems"]] == ["limit"]


def test_a_command_that_is_none_is_told_where(shared):
    jonas = program(shared, "Jonas")
    answer = jonas.post(f"{shared.t}/api/v1/commands", json={"do": "say", "id": "x", "text": 5})
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["where"] == "text"
    assert "text: Expected `str`, got `int`." in answer.json()["sentence"]
    # A typing mistake in the name of a field could show what was to be hidden.
    misspelled = {"do": "propose", "id": "y", "move": "task", "hiden": ["difficulty"]}
    answer = jonas.post(f"{shared.t}/api/v1/commands", json=misspelled)
    assert answer.status_code == 400
    assert "unknown field `hiden`" in answer.json()["sentence"]


def test_problems_of_a_form_come_with_their_places(visited):
    mara = program(visited, "Mara")
    body = {
        "do": "make-move",
        "id": new_id(),
        "move": "task",
        "entity": visited.entity("Mara Vell"),
        "answers": {"trait": "cooking"},
    }
    told = mara.post(f"{visited.t}/api/v1/commands", json=body)
    assert told.status_code == 422
    assert told.json()["code"] == "form/problems"
    assert told.json()["problems"][0]["where"] == "trait"
    assert told.json()["problems"][0]["refuses"] is True


def test_the_document_names_every_address_for_programs_and_no_other(shared):
    document = shared.stranger().get("/api/v1/openapi.json").json()
    below = (
        "view",
        "entries",
        "events",
        "sheets/{entity}",
        "rules",
        "moves",
        "odds",
        "line",
        "undo",
    )
    assert set(document["paths"]) == {
        "/api/v1/seat",
        "/api/v1/knock",
        *(f"/t/{{campaign}}/api/v1/{one}" for one in (*below, "lines", "commands")),
    }
    assert document["info"]["title"] == "Kitchen Table"
    assert shared.stranger().get("/api/v1/swagger").status_code == 404
    schemas = document["components"]["schemas"]
    body = document["paths"]["/t/{campaign}/api/v1/commands"]["post"]["requestBody"]
    sent = body["content"]["application/json"]["schema"]["anyOf"]
    assert {"$ref": "#/components/schemas/Say"} in sent
    assert {"$ref": "#/components/schemas/OpenCampaign"} not in sent
    assert (
        document["paths"]["/t/{campaign}/api/v1/view"]["get"]["responses"]["200"]["content"][
            "application/json"
        ]["schema"]
    ) == {"$ref": "#/components/schemas/View"}
    told = shared.stranger().get("/api/v1").text
    assert all(where in told for where in document["paths"])
    assert schemas["Say"]["description"].split(":")[0] in told


def test_a_line_is_read_without_being_said_and_then_said(visited):
    mara = program(visited, "Mara")
    asked = {"text": "/task athletics", "entity": visited.entity("Mara Vell")}
    read = mara.get(f"{visited.t}/api/v1/line", params=asked).json()
    assert (read["does"], read["move"], read["answers"]["trait"]) == ("move", "task", "athletics")
    assert {field["name"] for field in read["odds"]["fields"]} >= {"trait", "perk"}
    assert "move" not in visited.kinds()
    assert mara.get(f"{visited.t}/api/v1/line", params={"text": "Hello"}).json()["does"] == "speech"
    for text, kind in (("Hello", "said"), ("/roll 2d6", "rolled"), (asked["text"], "proposed")):
        done = mara.post(f"{visited.t}/api/v1/lines", json={**asked, "id": kind, "text": text})
        assert done.json()["entries"][0]["kind"] == kind
    again = mara.post(f"{visited.t}/api/v1/lines", json={"id": "said", "text": "Hello"})
    assert again.json()["repeated"] is True
    chosen = mara.post(f"{visited.t}/api/v1/lines", json={"id": "d", "text": "/dialect roll20"})
    assert chosen.json()["dialect"] == "roll20"


def test_a_step_is_taken_back_by_its_place_in_the_log(visited):
    jonas = program(visited, "Jonas")
    said = jonas.post(f"{visited.t}/api/v1/lines", json={"id": "s", "text": "Helo"}).json()
    (entry,) = said["entries"]
    assert entry["may_undo"]
    body = {"id": "u", "cursor": entry["cursor"], "reason": "slip"}
    done = jonas.post(f"{visited.t}/api/v1/undo", json=body)
    assert done.json()["entries"][0]["kind"] == "undone"
    assert "/roll" in jonas.get(f"{visited.t}/api/v1/lines").json()["lines"]


def test_a_sheet_has_its_questions_for_who_may_see_them(visited):
    mara, tam = visited.entity("Mara Vell"), visited.entity("Captain Serk")
    ways = {name: program(visited, name) for name in ("GM", "Mara")}
    own = ways["Mara"].get(f"{visited.t}/api/v1/sheets/{mara}").json()
    assert own["problems"] == []
    assert "traits.aim" in {field["name"] for part in own["sections"] for field in part["fields"]}
    assert ways["GM"].get(f"{visited.t}/api/v1/sheets/{tam}").json()["sections"]
    closed = ways["Mara"].get(f"{visited.t}/api/v1/sheets/{tam}").json()
    assert (closed["sections"], closed["summary"]["numbers"]) == ([], [])
    rules = ways["Mara"].get(f"{visited.t}/api/v1/rules?words=flub").json()["rules"]
    assert all("flub" in f"{one['id']} {one['title']} {one['text']}".casefold() for one in rules)


def test_a_program_knocks_and_waits_for_the_gm(visited):
    key = visited.server.keys.issue("join", visited.campaign)
    one = visited.stranger(authorization=f"Bearer {key}", accept="application/json")
    body = {"id": new_id(), "name": "Ida"}
    knocked = one.post("/api/v1/knock", json=body).json()
    assert one.post("/api/v1/knock", json=body).json()["code"] == "command/id-taken"
    ida = visited.stranger(authorization=f"Bearer {knocked['key']}", accept="application/json")
    assert ida.get("/api/v1/seat").json()["seat"]["state"] == "waiting"
    assert ida.post(f"{visited.t}/api/v1/lines", json={"id": "x", "text": "Hi"}).status_code == 403
    decided = {"do": "decide-seat", "id": new_id(), "of": knocked["seat"], "verdict": "approve"}
    assert program(visited, "GM").post(f"{visited.t}/api/v1/commands", json=decided).is_success
    assert ida.get("/api/v1/seat").json()["seat"]["state"] == "seated"
    assert visited.stranger(accept="application/json").get("/api/v1/seat").status_code == 401


def test_a_page_of_ours_may_use_the_addresses_for_programs_too(visited):
    mara = visited.sits("Mara", accept="application/json")
    body = {"do": "say", "id": "p", "text": "By script"}
    bare = mara.post(f"{visited.t}/api/v1/commands", json=body)
    assert bare.status_code == 403
    headers = {"x-csrftoken": mara.token()}
    assert mara.post(f"{visited.t}/api/v1/commands", json=body, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("who", "address", "fields", "status", "code", "where"),
    [
        ("host", "/new", {"game": "toast", "title": "X", "o.medium": "-7"}, 422, "form/", "medium"),
        ("host", "/new", {"game": "toast", "title": " "}, 400, "table/", None),
        ("host", "/example", {"game": "nothing"}, 404, "game/", None),
        ("host", "/backups/restore", {"backup": "none.db"}, 400, "copy/", None),
        ("GM", "{t}/options", {"o.medium": "-7"}, 422, "form/", "medium"),
        ("GM", "{t}/settings", {"t.fudge": "often"}, 422, "form/", "fudge"),
        ("GM", "{t}/override", {"path": "own", "value": "1"}, 400, "", None),
        ("GM", "{t}/session/close", {}, 400, "session/", None),
        ("GM", "{t}/characters", {"kind": "dragon", "name": "D"}, 400, "entity/", None),
        (
            "Mara",
            "{t}/characters/{mara}/save",
            {"a.traits.aim": "many"},
            422,
            "form/",
            "traits.aim",
        ),
        ("Mara", "{t}/moves", {"move": "fly"}, 400, "move/", None),
        (
            "Mara",
            "{t}/moves",
            {"move": "task", "entity": "{mara}", "a.trait": "x"},
            422,
            "form/",
            "trait",
        ),
        ("Mara", "{t}/say", {"text": "/fly"}, 400, "line/", None),
    ],
)
def test_every_form_that_is_refused_answers_a_program_as_one(
    visited, who, address, fields, status, code, where
):
    one = visited.host() if who == "host" else visited.sits(who)
    known = {"t": visited.t, "mara": visited.entity("Mara Vell")}
    data = {key: value.format(**known) for key, value in fields.items()}
    sent = {"_csrf_token": one.token(), "command": new_id(), **data}
    accept = {"accept": "application/json"}
    answer = one.post(address.format(**known), data=sent, headers=accept)
    assert answer.headers["content-type"] == "application/json", answer.text[:300]
    told = answer.json()
    assert (answer.status_code, told["code"][: len(code)]) == (status, code)
    assert (where is None) == (told["problems"] == [])
    assert where in {None, *(one["where"] for one in told["problems"])}
    page = one.post(address.format(**known), data={**sent, "command": new_id()})
    assert page.headers["content-type"].startswith("text/html")
