"""Portraits drawn from a name: busts in the style of cut paper, composed of parts.

The parts are symbols, written once on a page (`templates/parts/busts.html`); a portrait names and
colours a few of them. The same name always has the same face.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from markupsafe import Markup

from kitchentable.campaign.pictures import SIGN

_SKINS = ("#f0cba8", "#e3b08b", "#d9a27c", "#c58c63", "#b97a52", "#8c5a3c", "#6a4230")
_HAIRS = ("#231a1d", "#3a2a20", "#5a3a22", "#8a4a22", "#a8642c", "#c9a45c", "#a89f95", "#d8d2c4")
_CLOTHS = (
    *("#a8391f", "#3f5a3a", "#7a6a4f", "#2b4266", "#5a4a6a", "#6b3550", "#4b5a2c", "#1f6a6a"),
    *("#8a5a12", "#474f63"),
)
_BACKS = ("sun", "rays", "stripe", "arch")
_HAIRCUTS = ("long", "short", "bun", "crop", "wild", "tonsure", "bald")
_BEARDS = ("", "", "", "full", "point")
#: Most people wear nothing on their heads.
_HATS = (
    *("", "", "", "", "", "", "", ""),
    *("scarf", "hood", "cap", "helm", "wide", "goggles", "patch"),
)

#: Signs of what is not a person: the outline of a ship, a star, a house, a tree, and so on.
_SIGNS = (
    "M46 18v52H22zM53 28c14 8 20 26 20 42H53zM20 76h56l-8 10H28z",
    "M48 14l9 25 25 9-25 9-9 25-9-25-25-9 25-9z",
    "M24 46l24-24 24 24v32H56V58H40v20H24zM62 26h8v10z",
    "M48 14l20 24H58l14 20H54v22H42V58H24l14-20H28z",
    "M60 20a30 30 0 100 56 24 24 0 010-56z",
    "M48 14c4 16 22 22 22 40a22 22 0 01-44 0c0-9 6-14 9-20 3 7 6 9 9 9 2-10 2-18 4-29z",
    "M16 40q16-16 32 0t32 0v12q-16 16-32 0t-32 0zM16 62q16-16 32 0t32 0v12q-16 16-32 0t-32 0z",
    "M20 22h56v24c0 18-14 28-28 36-14-8-28-18-28-36zm24 10v10H34v8h10v12h8V50h10v-8H52V32z",
)


@lru_cache(maxsize=1000)
def draw_sign(name: str, size: str = "") -> Markup:
    """The sign drawn from the name of something that is not a person.

    >>> str(draw_sign("The Patient Heron", "sm"))[:61]
    '<svg class="face h4 sm" viewBox="0 0 96 96" aria-hidden="true'
    """
    hue, back, sign = hashlib.sha256(name.encode()).digest()[:3]
    line = _SIGNS[sign % len(_SIGNS)]
    return _framed(hue, size, _BACKS[back % 4], f'<path fill="#fdf4e3" d="{line}"/>')


def _framed(hue: int, size: str, back: str, drawn: str) -> Markup:
    """A drawing of ours before a back, in the colour of a hue."""
    kinds = f"face h{hue % 8} {size}".strip()
    return Markup(  # noqa: S704 - numbers and drawings of ours
        f'<svg class="{kinds}" viewBox="0 0 96 96" aria-hidden="true"><use href="#b-{back}" '
        f'fill="#fff" opacity=".15"/>{drawn}</svg>'
    )


def draw_portrait(name: str, size: str = "", address: str = "") -> Markup:
    """The portrait of a character: the picture at an address, or one drawn from the name.

    >>> print(draw_portrait("Old Tam", "lg", "/t/c/pictures/1"))
    <img class="face lg" src="/t/c/pictures/1" alt="" width="96" height="96">
    """
    if address in {"", SIGN}:
        return draw_sign(name, size) if address else draw_bust(name, size)
    kinds = f"face {size}".strip()
    return Markup('<img class="{}" src="{}" alt="" width="96" height="96">').format(kinds, address)


@lru_cache(maxsize=1000)
def draw_bust(name: str, size: str = "") -> Markup:
    """The portrait drawn from a name; hidden from screen readers.

    >>> str(draw_bust("Old Tam")) == str(draw_bust("Old Tam")) != str(draw_bust("Ivo"))
    True
    >>> str(draw_bust("Old Tam"))[:58]
    '<svg class="face h0" viewBox="0 0 96 96" aria-hidden="true'
    """
    picks = iter(hashlib.sha256(name.encode()).digest())

    def pick(choices: tuple[str, ...]) -> str:
        return choices[next(picks) % len(choices)]

    hue = next(picks)
    back, skin, cloth, hair = pick(_BACKS), pick(_SKINS), pick(_CLOTHS), pick(_HAIRS)
    cut, beard, hat, band = pick(_HAIRCUTS), pick(_BEARDS), pick(_HATS), pick(_CLOTHS)
    covered = hat in {"hood", "helm", "cap", "wide", "scarf"}
    worn: list[tuple[str, str]] = []
    if cut in {"long", "bun", "wild"} and hat not in {"hood", "helm"}:
        worn.append((f"behind-{cut}", hair))
    worn += [("body", cloth), ("head", skin)]
    if beard and cut not in {"long", "bun"}:
        worn.append((beard, hair))
    if cut in {"long", "short", "bun"} and not covered:
        worn.append(("long", hair))
    elif cut in {"tonsure", "crop"} and not covered:
        worn.append((cut, hair))
    if hat:
        worn.append((hat, band))
    uses = "".join(f'<use href="#b-{part}" fill="{colour}"/>' for part, colour in worn)
    return _framed(hue, size, back, uses)
