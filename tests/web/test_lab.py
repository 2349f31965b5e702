"""The odds lab: settings in the address, changed by a form, compared, and downloaded."""

import html
import io
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from kitchentable.app.local_games import LocalGames
from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from tests.web.visitors import visit


@pytest.fixture(scope="module")
def anybody():
    with visit() as visited:
        yield visited.stranger()


def cells(page):
    body = re.search(r'<table class="chart lab.*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
    lines = re.findall(r"<tr>(.*?)</tr>", body)
    return [
        [html.unescape(one).replace("\xa0", " ") for one in re.findall(r">([^<]+)</(?:th|span)", x)]
        for x in lines
    ]


def test_settings_are_compared_as_a_table_that_is_a_chart(anybody):
    of = ["toast task trait=3 perk=no", "toast task trait=3 perk=no --set medium=12"]
    page = anybody.get("/odds", params={"of": of}).text
    assert cells(page)[:3] == [
        ["flub", "8 %", "8 %"], ["failure", "58 %", "67 %"], ["success", "25 %", "17 %"],
    ]  # fmt: skip
    assert 'title="7/12"' in page
    assert "</svg>Toast, task</th>" in page
    assert "</svg>medium 12</th>" in page
    assert page.count('width="100.00"') == 1
    rule = "toast task trait=3 --set difficulty_shown=after"
    assert '<option value="after" selected>' in anybody.get("/odds", params={"of": rule}).text
    more = anybody.get("/odds", params={"of": "2d6", "by": "or-more"}).text
    assert cells(more)[-2] == ["11", "8 %"]


@pytest.mark.parametrize(
    ("sent", "comes_to"),
    [
        ({"0.trait": "5", "0.perk": ["no", "yes"]}, ["toast task trait=5 perk=yes"]),
        ({"do": "copy.0"}, ["toast task trait=3", "toast task trait=3"]),
        ({"do": "drop.0"}, []),
        ({"rule.0": "medium"}, ["toast task trait=3 --set medium=11"]),
        ({"rule.0": "wrap_up"}, ["toast task trait=3"]),
        (
            {"new": "toast melee"},
            ["toast task trait=3", "toast melee ours=4/4/4/2 theirs=4/4/4/2"],
        ),
        ({"notation": " 2d6+1 "}, ["toast task trait=3", "2d6+1"]),
        ({"notation": "toast tsk"}, ["toast task trait=3", "toast tsk"]),
        ({"0.nonsense": "1", "set.0.nonsense": "1", "new": "no such"}, ["toast task trait=3"]),
    ],
)
def test_a_form_leads_to_an_address_to_share(anybody, sent, comes_to):
    asked = {"of": "toast task trait=3", "go": "1", **sent}
    answer = anybody.get("/odds", params=asked, follow_redirects=False)
    assert answer.status_code == 303
    assert parse_qs(urlsplit(answer.headers["location"]).query).get("of", []) == comes_to
    assert anybody.get(answer.headers["location"]).status_code in {200, 400}


def test_chances_are_downloaded(anybody):
    asked = {"of": ["2d6", "3d4"]}
    csv = anybody.get("/odds", params={**asked, "as": "csv"})
    assert csv.text.splitlines()[:2] == ["outcome,2d6,3d4", "2,0.027777777777777776,"]
    svg = anybody.get("/odds", params={**asked, "as": "svg"})
    assert (svg.headers["content-type"], svg.text[:4]) == ("image/svg+xml", "<svg")
    assert "17" in svg.text
    png = anybody.get("/odds", params={**asked, "as": "png"})
    assert Image.open(io.BytesIO(png.content)).size[0] == 1800
    assert "attachment" in png.headers["content-disposition"]


@pytest.mark.parametrize(
    ("of", "says"),
    [
        ("toast task", "still needs trait. A task: trait=LEVEL"),
        ("toast melee", "still needs ours, theirs. A fight to the end: ours= and theirs= as"),
        ("toast nothing", "has no roll"),
        ("tost task", "no game called"),
        ("4d6k3", "kh"),
        ("x" * 500, "1 to 400 characters"),
        ("toast melee ours=99999999x5/6/4/4 theirs=2/3/3/1", ""),
        ("../../etc/passwd task", ""),
    ],
)
def test_what_makes_no_sense_gets_a_sentence_beside_its_setting(anybody, of, says):
    answer = anybody.get("/odds", params={"of": [of, "1d4"]})
    assert answer.status_code == 400
    problem = html.unescape(re.search(r'role="alert">(.*?)</p>', answer.text)[1])
    assert says in problem
    assert cells(answer.text)[0] == ["1", "25 %"]


def test_four_settings_are_the_most_and_the_page_stays_light(anybody):
    packed = {"accept-encoding": "gzip"}
    page = anybody.get("/odds", params={"of": ["toaster task rank=6"] * 6}, headers=packed)
    assert page.text.count('name="of"') == 4
    assert 'name="new"' not in page.text
    assert int(page.headers.get("content-length", 0)) < 20_000


def test_a_fight_that_never_ends_gets_a_sentence(tmp_path):
    games = LocalGames(tmp_path)
    games.put(Path(__file__).parents[2] / "examples" / "playbooks")
    of = ["saltwick fight ours=tide theirs=trouble", "1d4"]
    with visit(server=Server(MemoryStore(), local_games=games)) as visited:
        answer = visited.stranger().get("/odds", params={"of": of})
    assert answer.status_code == 400
    assert "nobody can hurt anybody. Give one side a chance to hit." in answer.text
    assert cells(answer.text)[0] == ["1", "25 %"]
