"""Covers of campaigns: small landscapes in layers, drawn from a seed by a game's recipe.

The same recipe and seed always give the same picture. A game names its recipe (`Game.art`); one
that names none gets a recipe by its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin
from random import Random
from types import MappingProxyType

WIDTH, HEIGHT = 400, 520


def seed_of(title: str) -> str:
    """The seed that a title gives.

    >>> seed_of("The Salt Road")
    '3f3da975cf37'
    """
    return hashlib.sha256(title.encode()).hexdigest()[:12]


def recipe_of(game: str, wanted: str = "") -> str:
    """The recipe that a game names, or the one that its name gives.

    >>> recipe_of("toast", "road"), recipe_of("of-our-own") in RECIPES
    ('road', True)
    """
    if wanted in RECIPES:
        return wanted
    names = sorted(RECIPES)
    return names[hashlib.sha256(game.encode()).digest()[0] % len(names)]


@lru_cache(maxsize=64)
def draw_cover(recipe: str, seed: str) -> bytes:
    """A cover as an SVG file. `recipe` is one of `RECIPES`."""
    body = RECIPES[recipe](Random(f"{recipe} {seed}"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'preserveAspectRatio="xMidYMid slice">{body}</svg>'
    ).encode()


def _sky(name: str, *stops: str, across: float = 0) -> str:
    last = len(stops) - 1
    told = "".join(f'<stop offset="{n / last:.2f}" stop-color="{c}"/>' for n, c in enumerate(stops))
    return f'<linearGradient id="{name}" x2="{across}" y2="1" x1="0" y1="0">{told}</linearGradient>'


def _ground(name: str, y: int = 0) -> str:
    return f'<rect y="{y}" width="{WIDTH}" height="{HEIGHT - y}" fill="url(#{name})"/>'


def _circle(x: float, y: float, r: float, fill: str, opacity: float = 1) -> str:
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.1f}" fill="{fill}" opacity="{opacity:.2f}"/>'


def _path(line: str, *at: float, **ink: object) -> str:
    """A path in these colours; each number of `at`, rounded, goes into a ``{}`` of the line."""
    told = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in ink.items())
    return f'<path d="{line.format(*map(round, at))}"{told}/>'


def _ridge(random: Random, y: float, height: float, colour: str, step: float = 40) -> str:
    """A chain of hills across the picture, filled down to its foot."""
    line = f"M0 {HEIGHT}L0 {y:.0f}"
    x = 0.0
    while x <= WIDTH:
        line += f"L{x:.0f} {y - random.random() * height:.0f}"
        x += step * (0.6 + random.random() * 0.8)
    return _path(f"{line}L{WIDTH} {y:.0f}V{HEIGHT}Z", fill=colour)


def _stars(random: Random, many: int, down_to: float, colour: str) -> str:
    return "".join(
        _circle(
            random.random() * WIDTH,
            random.random() * down_to,
            0.5 + random.random() * 1.3,
            colour,
            0.3 + random.random() * 0.7,
        )
        for _ in range(many)
    )


def _glow(x: float, y: float, r: float, colour: str) -> str:
    return _circle(x, y, 3 * r, colour, 0.25) + _circle(x, y, r, colour)


#: Skies and hills of the road: sky from above, far hills, near hills, plain.
_ROADS = (
    (("#2f2a55", "#a5475a", "#f0a35e", "#ffd795"), ("#b5523a", "#8b3440", "#5b2743"), "#f3cfb4"),
    (("#16324a", "#3f7f8c", "#bcd9b8", "#f6eec2"), ("#6f9a7e", "#3f7363", "#234b4a"), "#d9dba6"),
    (("#1c2350", "#5a4a8a", "#c98aa5", "#f7d3b0"), ("#8a5a7d", "#5e3f6b", "#3a2a52"), "#dcb9b4"),
    (("#3a1d2c", "#9c3b2b", "#e88a3a", "#ffd071"), ("#a3492a", "#6f2c25", "#42191f"), "#e9b27c"),
)


def _road(random: Random) -> str:
    """A road into hills at evening, with watch fires."""
    sky, hills, plain = random.choice(_ROADS)
    sun = 90 + random.random() * 220
    body = _sky("s", *sky) + _ground("s")
    body += _circle(sun, 214, 86, sky[3], 0.35)
    body += _circle(sun, 214, 50 + random.random() * 16, "#fff0c4")
    for (y, height), colour in zip(((270, 90), (300, 70), (326, 44)), hills, strict=True):
        body += _ridge(random, y, height, colour)
    for _ in range(random.randrange(2, 5)):
        body += _glow(random.random() * WIDTH, 236 + random.random() * 40, 3, "#ffdf8e")
    body += f'<rect y="326" width="{WIDTH}" height="200" fill="{plain}"/>'
    turn, foot = random.choice((-1, 1)), 120 + random.random() * 120
    top = foot + turn * (60 + random.random() * 60)
    body += _path(
        "M{} 326c{} 34 {} 50 {} 88C{} 450 {} 480 {} 520H{}C{} 470 {} 440 {} 400S{} 350 {} 326Z",
        *(top, turn * -40, turn * 60, turn * 6),
        *(foot, foot - 60, foot - 80, foot + 120, foot + 90),
        *(top + 70, top + 50, top + 12, top + 4),
        fill="#fff3dc",
        opacity=0.75,
    )
    for _ in range(26):
        y = 334 + random.random() ** 1.5 * 180
        x = random.random() * WIDTH
        body += _path("M{} {}h{}", x, y, 8 + (y - 320) * 0.22, stroke="#fff", opacity=0.4)
    for n in range(random.randrange(2, 5)):
        x, y = top + 6 + n * 15, 352 + n * 4
        body += (
            f'<g transform="translate({x:.0f} {y}) scale({0.5 + n * 0.06:.2f})" fill="{hills[2]}">'
            '<path d="M0 0h16v-9q-8-7-16 0zM17 0h6v-9l4-5v-5h-4l-4 8h-2z"/>'
            '<path d="M2 0v8h2V0zM13 0v8h2V0zM19 0v8h2V0z"/></g>'
        )
    return body


#: Worlds: sky from above, the three colours of the planet, its moon and the moon's shade.
_WORLDS = (
    (("#061522", "#0d2f42", "#12505b"), ("#5fc6cc", "#1d6b7a", "#0d3b4d"), ("#e7793f", "#7d2f1c")),
    (("#0b1020", "#1b2750", "#3a4a80"), ("#f0b267", "#b5602f", "#5b2a1c"), ("#9ad0d8", "#3a6a7a")),
    (("#0a1a16", "#12392f", "#1f5a48"), ("#a9d98a", "#4f8f5a", "#1f4a3a"), ("#e8c65a", "#8a5a20")),
    (("#190d24", "#3a1d4a", "#5a2f5a"), ("#d98ab0", "#8a4a7a", "#45204a"), ("#7fd0e0", "#2a6a80")),
)


def _orbit(random: Random) -> str:
    """A planet with a moon, and the course of a ship."""
    sky, world, moon = random.choice(_WORLDS)
    body = _sky("s", *sky) + _sky("p", *world, across=0.8) + _ground("s")
    body += _stars(random, 110, HEIGHT, "#d9f3ff")
    x, y, r = 200 + random.random() * 140, 310 + random.random() * 60, 130 + random.random() * 50
    body += _circle(x, y, r, "url(#p)")
    for _ in range(5):
        turn, away = random.random() * 2 * pi, random.random() ** 0.5 * r * 0.75
        cx, cy, q = x + away * cos(turn), y + away * sin(turn), 8 + random.random() * 24
        body += _circle(cx, cy, q, world[2], 0.5)
        body += _path(
            "M{} {}a{} {} 0 0 1 {} {}",
            *(cx - q, cy, q, q, 2 * q, q * -0.9),
            stroke="#fff",
            stroke_width=2,
            fill="none",
            opacity=0.35,
        )
    body += _path(
        "M{} {}a{} {} 0 0 1 0 {} {} {} 0 0 0 0 {}z",
        *(x, y - r, r, r, 2 * r, r * 1.25, r * 1.25, -2 * r),
        fill=sky[0],
        opacity=0.55,
    )
    mx, my = 50 + random.random() * 60, 190 + random.random() * 90
    body += _circle(mx, my, 26, moon[0])
    body += _path("M{} {}a26 26 0 0 1 0 52 34 34 0 0 0 0-52z", mx, my - 26, fill=moon[1])
    tx, ty = x - r * 0.5, y - r * 0.95
    body += _path(
        "M30 480C90 360 {} {} {} {}",
        *(tx - 60, ty + 60, tx, ty),
        stroke="#ffb35c",
        stroke_width=2.5,
        stroke_dasharray="1 9",
        stroke_linecap="round",
        fill="none",
    )
    body += _path("M{} {}l20-20-2 28-8-8z", tx - 8, ty + 8, fill="#fff")
    return body


#: Nights on the river: sky from above, far and near shore, water.
_NIGHTS = (
    (("#150c30", "#3c2370", "#8a4a8f"), ("#2a1a4d", "#1d1238"), ("#3a2462", "#120a28")),
    (("#0a1230", "#24407a", "#6a8ab5"), ("#1a2c52", "#101c3a"), ("#24406a", "#0a1428")),
    (("#200a24", "#6a2450", "#d0707a"), ("#4a1a3a", "#2c0f28"), ("#5a2448", "#1c0a1e")),
    (("#04181c", "#10484e", "#4a9a8a"), ("#0f3a3c", "#08262a"), ("#12484a", "#041a1e")),
)


def _river(random: Random) -> str:
    """A barge with lanterns on a river, under a constellation."""
    sky, shores, water = random.choice(_NIGHTS)
    body = _sky("s", *sky) + _sky("w", *water) + _ground("s") + _stars(random, 46, 260, "#f6e8ff")
    x, line = 40 + random.random() * 40, []
    while x < WIDTH - 70:
        line.append((x, 70 + random.random() * 110))
        x += 36 + random.random() * 40
    path = "L".join(f"{px:.0f} {py:.0f}" for px, py in line)
    body += _path(f"M{path}", fill="none", stroke="#d6b8ff", stroke_width=1.2, opacity=0.7)
    for px, py in line:
        body += _path("M{} {}l2 5 5 2-5 2-2 5-2-5-5-2 5-2z", px, py - 7, fill="#fff4c9")
    for y, height, colour in ((300, 50, shores[0]), (318, 26, shores[1])):
        body += _ridge(random, y, height, colour, 26)
    body += _ground("w", 318)
    shift = random.random() * 60 - 30
    body += f'<g transform="translate({shift:.0f} 0)">'
    body += _path("M92 356h236l-22 30H120z", fill="#0f0a20")
    body += _path("M120 356v-34h180v34zM108 324h204l-14-12H122z", fill="#1a1130")
    posts = "M132 356v-22M186 356v-30M240 356v-22M292 356v-30"
    body += _path(posts, stroke="#0f0a20", stroke_width=4)
    for n, lamp in enumerate((132, 186, 240, 292)):
        body += _glow(lamp, 330 - n % 2 * 8, 6.5, "#ffe2a0")
        for q in range(7):
            body += _path(
                "M{} {}h{}",
                *(lamp - 13 + random.random() * 12, 392 + q * 15, 14 + random.random() * 16),
                stroke="#ffc56b",
                stroke_width=3,
                stroke_linecap="round",
                opacity=round(0.75 - q * 0.09, 2),
            )
    return body + "</g>"


#: Colours of a nest: its ground, and those of what lies in it.
_NESTS = (
    ("#dfe3c3", ("#4c6b2f", "#a9b46a", "#e6b34c", "#2f4a38", "#c8683c", "#f3ecd2", "#7f9350")),
    ("#d9e2e6", ("#2f5b7a", "#7aa9b4", "#e6a04c", "#22384a", "#c84c4c", "#f2efe2", "#50808f")),
    ("#e9dccb", ("#7a3f2f", "#c98a5a", "#e6c14c", "#45241f", "#4c7a6a", "#f6ecd9", "#9a6a50")),
)


#: What lies in the smallest boxes: a ball, a tent, half a ball.
_SHAPES: tuple[Callable[[float, float, float, str], str], ...] = (
    _circle,
    lambda x, y, q, fill: _path("M{} {}L{} {}H{}Z", x, y - q, x + q, y + q, x - q, fill=fill),
    lambda x, y, q, fill: _path("M{} {}a{} {} 0 0 1 {} 0z", x - q, y, q, q, 2 * q, fill=fill),
)


def _nest(random: Random) -> str:
    """Boxes in boxes in boxes."""
    ground, colours = random.choice(_NESTS)

    def box(x: float, y: float, size: float, deep: int) -> str:
        fill = random.choice(colours)
        drawn = (
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{size:.0f}" height="{size:.0f}" '
            f'rx="{size * 0.08:.0f}" fill="{fill}"/>'
        )
        if deep == 0 or random.random() < 0.16:
            q, cx, cy = size * 0.32, x + size / 2, y + size / 2
            inner = random.choice([one for one in colours if one != fill])
            return drawn + random.choice(_SHAPES)(cx, cy, q, inner)
        gap = size * 0.09
        part = (size - 3 * gap) / 2
        for left in (0, 1):
            for down in (0, 1):
                at = (x + gap + left * (part + gap), y + gap + down * (part + gap))
                drawn += box(*at, part, deep - 1)
        return drawn

    body = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>'
    return body + box(26, 26, 168, 1) + box(206, 26, 168, 2) + box(26, 206, 348, 2)


#: Evenings with lanterns: sky from above, three hills.
_EVENINGS = (
    (("#0d2236", "#24546a", "#d98b62"), ("#123a3c", "#0c2a2d", "#071b1e")),
    (("#1a1236", "#4a3a7a", "#e0909a"), ("#2a2450", "#1c183a", "#100e26")),
    (("#0c2a20", "#2f6a50", "#e6c37a"), ("#164a38", "#0e3328", "#071f18")),
)


def _lamps(random: Random) -> str:
    """Paper lanterns rising over hills."""
    sky, hills = random.choice(_EVENINGS)
    body = _sky("s", *sky) + _ground("s") + _stars(random, 20, 200, "#fff4d9")
    for (foot, height), colour in zip(((430, 60), (462, 40), (492, 20)), hills, strict=True):
        body += _ridge(random, foot, height, colour, 30)
    for n in range(9):
        x, y = 40 + (n % 3) * 150 + random.random() * 70, 60 + n * 40 + random.random() * 30
        size = 0.4 + (1.3 - n * 0.09) * random.random()
        body += (
            f'<g transform="translate({min(x, 360):.0f} {y:.0f}) scale({size:.2f})"><circle r="52" '
            'fill="#ff9d5c" opacity=".16"/><path d="M0-30C22-30 28-12 24 8 22 20 14 28 0 28S-22 20'
            '-24 8C-28-12-22-30 0-30z" fill="#f0663f"/><path d="M0-30C9-30 12-12 11 8 10 20 7 28 0 '
            '28S-10 20-11 8C-12-12-9-30 0-30z" fill="#ffb45e"/>'
            '<path d="M-9-33H9v5H-9zM-7 26H7v5H-7z" fill="#3a1620"/></g>'
        )
    return body


RECIPES: MappingProxyType[str, Callable[[Random], str]] = MappingProxyType(
    {"road": _road, "orbit": _orbit, "river": _river, "nest": _nest, "lamps": _lamps}
)
