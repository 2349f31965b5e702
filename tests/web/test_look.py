"""The style sheet: contrast, content policy, known names; without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, meta, nodes

from kitchentable.web.assets import load_assets
from kitchentable.web.phrases import FILTERS
from kitchentable.web.urls import ROUTES

WEB = Path(__file__).parents[2] / "src/kitchentable/web"
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
CSS = (WEB / "static/app.css").read_text(encoding="utf-8")
SCRIPT = "".join(
    (WEB / "static" / name).read_text(encoding="utf-8") for name in ("forms.js", "app.js")
)
NAMES = [path.relative_to(WEB / "templates").as_posix() for path in TEMPLATES]

GROUNDS = ("table", "paper", "raised", "sunk")
#: Text colours and all that they are written on; hovered and focused ones among them.
TEXT = {
    "ink": (*GROUNDS, "butter-wash", "jam-wash", "herb-wash", "accent-wash", "rule"),
    "ink-2": GROUNDS,
    "accent": (*GROUNDS, "accent-wash"),
    "accent-deep": (*GROUNDS, "accent-wash"),
    "accent-ink": ("accent", "accent-deep"),
    "die-ink": ("die",),
    "herb": ("paper", "raised", "sunk"),
    "jam": ("table", "paper", "raised", "sunk", "jam-wash"),
    "butter-ink": (*GROUNDS, "butter-wash", "jam-wash"),
    "paper": ("ink", "jam", "ink-2"),
}
#: Lines that one has to see: the edges of fields, and the ring of the focus.
LINES = {"edge": ("paper", "raised", "sunk"), "focus": GROUNDS, "jam": ("paper",)}
BLOCKS = re.findall(
    r"\n(:root|\[data-game=[^]]*\]|\.foe|\.f-flub|\.f-kick) \{(.*?)\}(?=\n)", CSS, re.DOTALL
)
PAIR = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
#: Each game has its accent and its die, and so have a foe, a kick and a flub.
LOOKS = [where for where, _ in BLOCKS]
THEMES = ("day", "night")


def colours_of(look: str, theme: str) -> dict[str, str]:
    """The colours that hold there, by name."""
    blocks = {where: PAIR.findall(block) for where, block in BLOCKS}
    both = [*blocks[":root"], *blocks[look]]
    found = {name: (day, night)[THEMES.index(theme)] for name, day, night in both}
    return {**found, "die-ink": "#2b1c00"} if look == ".f-kick" else found


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def test_every_look_is_measured() -> None:
    games = {path.parent.name for path in (WEB.parent / "rulesets").glob("*/rulebook*")}
    named = {look.split('"')[1] for look in LOOKS if look.startswith("[")}
    assert {"toaster", "lucky_stars", "objects", "lanterns"} <= named
    assert games - named <= {"toast"}
    assert len(PAIR.findall(dict(BLOCKS)[":root"])) > 20


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("look", LOOKS)
def test_every_pair_of_colours_can_be_read(look: str, theme: str) -> None:
    colours = colours_of(look, theme)
    weak = [
        f"{front} on {ground}: {contrast(colours[front], colours[ground]):.2f}"
        for pairs, least in ((TEXT, 4.5), (LINES, 3.0))
        for front, grounds in pairs.items()
        for ground in grounds
        if contrast(colours[front], colours[ground]) < least
    ]
    assert weak == []


def test_a_sigil_can_be_read_by_day_and_by_night() -> None:
    hues = re.findall(r"--hue: (#[0-9a-f]{6})", CSS)
    assert len(hues) == 8
    assert min(contrast("#fdf4e3", hue) for hue in hues) >= 4.5


def test_every_colour_by_name_exists() -> None:
    used = set(re.findall(r"var\(--([a-z0-9-]+)", CSS))
    defined = set(re.findall(r"--([a-z0-9-]+):", CSS))
    assert used - defined == set()


def test_nothing_moves_for_those_who_asked_for_stillness() -> None:
    calm = re.search(r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", CSS, re.DOTALL)
    assert calm is not None
    outside = CSS.replace(calm[0], "")
    assert "animation" not in outside
    assert "@keyframes" not in outside


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_a_template_keeps_to_the_content_policy(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"\sstyle=|<style|\son[a-z]+=|hx-on|javascript:|[\"'\s]js:", text) == []
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []
    assert "|safe" not in text.replace(" ", "")


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_a_template_uses_only_filters_and_addresses_that_exist(path: Path) -> None:
    environment = Environment(loader=FileSystemLoader(WEB / "templates"), autoescape=True)
    environment.filters.update(FILTERS)
    tree = environment.parse(path.read_text(encoding="utf-8"))
    environment.compile(tree)
    calls = [
        call.args[0].value
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name)
        and call.node.name == "url"
        and isinstance(call.args[0], nodes.Const)
    ]
    assert [name for name in calls if name not in ROUTES] == []
    for other in meta.find_referenced_templates(environment.parse(path.read_text("utf-8"))):
        assert other is None or (WEB / "templates" / other).is_file()


def posted_forms(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return re.findall(r"<form(?=[^>]*method=\"post\").*?</form>", text, re.DOTALL)


@pytest.mark.parametrize("path", [*filter(posted_forms, TEMPLATES)], ids=lambda path: path.name)
def test_every_form_that_is_posted_carries_its_token(path: Path) -> None:
    for inside in posted_forms(path):
        assert "form.hidden(" in inside or "builder_form.html" in inside, inside[:120]


def test_the_script_evaluates_nothing_and_writes_no_html() -> None:
    for word in ("eval(", "new Function", "innerHTML", "outerHTML", "insertAdjacentHTML"):
        assert word not in SCRIPT.replace('"innerHTML"', ""), word


def test_style_and_script_stay_light() -> None:
    """The style is ours; the script is htmx and its feed (16 kB), and ours: what people do in forms
    while answers and news come is the larger half of it (4 kB), so that nothing of it is lost.
    """
    assets = load_assets()
    assert len(assets["app.css"].packed) < 12_000
    assert len(assets["app.js"].packed) < 23_500
