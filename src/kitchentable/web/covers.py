"""Covers of campaigns: small landscapes, drawn from a seed by the templates in `covers/`.

The same recipe and seed always give the same picture. A game names its recipe (`Game.art`); one
that names none gets a recipe by its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from math import cos, pi, sin
from random import Random

#: The names of the templates that draw a whole picture.
RECIPES = ("lamps", "nest", "orbit", "river", "road")


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
    return RECIPES[hashlib.sha256(game.encode()).digest()[0] % len(RECIPES)]


def draw_cover(render: Callable[..., str], recipe: str, seed: str) -> str:
    """A cover as SVG; `render` renders a template, and `recipe` is one of `RECIPES`."""
    random = Random(f"{recipe} {seed}")
    tools = {"walk": partial(_walk, random), "whole": round, "cos": cos, "sin": sin, "pi": pi}
    return render(f"covers/{recipe}.svg", random=random, **tools)


def _walk(random: Random, x: float, end: float, least: float, more: float) -> Iterator[float]:
    """Places from `x` to `end`, each at least `least` and at most `more` more after the last."""
    while x <= end:
        yield x
        x += least + random.random() * more
