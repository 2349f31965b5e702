"""The pictures that the pages make: covers, portraits from names."""

import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kitchentable.rules import registry
from kitchentable.web import render
from kitchentable.web.busts import draw_bust
from kitchentable.web.covers import RECIPES, draw_cover, seed_of
from kitchentable.web.render import Renderer
from tests.compiled import ASSETS

TEMPLATES = Path(render.__file__).parent / "templates"


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_cover_is_a_small_sound_picture_that_a_title_decides(recipe):
    draw = partial(draw_cover, Renderer(ASSETS).render, recipe)
    covers = [draw(seed_of(title)) for title in ("The Salt Road", "Ceres", "Ulm")]
    for cover in covers:
        ET.fromstring(cover)
        assert len(cover) < 30_000
    assert len(set(covers)) == 3
    assert draw(seed_of("The Salt Road")) == covers[0]


def test_each_game_names_a_cover_of_its_own():
    games = [registry.load(name) for name in registry.names()]
    assert {game.art.cover for game in games} == set(RECIPES)
    assert len({game.art.die for game in games}) == len(games)


def test_the_home_shows_the_cover_of_each_campaign_and_game(shared):
    page = shared.host().get("/").text
    shown = re.findall(r'<img src="(/covers/[^"]+)" alt=""', page)
    assert len(shown) == 2 + len(registry.names())
    for address in set(shown):
        answer = shared.stranger().get(address)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.headers["cache-control"].endswith("immutable")
    for wrong in ("/covers/road/x", "/covers/nothing/0123456789ab"):
        assert shared.stranger().get(wrong).status_code == 404


def test_a_name_has_one_face_and_other_names_have_others():
    names = [f"Somebody {n}" for n in range(300)]
    faces = [draw_bust(name) for name in names]
    assert len(set(faces)) > 290
    parts = (TEMPLATES / "parts" / "busts.html").read_text(encoding="utf-8").partition("#}")[2]
    drawn = {one.get("id") for one in ET.fromstring(f"<svg>{parts}</svg>")}
    assert set(re.findall(r"#(b-[a-z-]+)", "".join(faces))) == drawn


def test_party_fight_and_story_show_faces_and_each_part_is_on_the_page(shared):
    page = shared.sits("Mara").get(shared.t).text
    faces = set(re.findall(r'<use href="#(b-[a-z-]+)"', page))
    assert faces
    assert faces <= set(re.findall(r'<symbol id="([^"]+)"', page))
