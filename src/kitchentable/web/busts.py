"""Portraits drawn from a name: busts of cut paper, put together from parts.

The parts are symbols, written once on a page (`draw_parts`); a portrait names and colours a few of
them. A part takes the colour of its use, and a shade of its own lies over its right half. The same
name always has the same face.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from types import MappingProxyType

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

_SHADE = 'fill="#000" fill-opacity=".2"'
_LINE = 'fill="none" stroke="#000" stroke-opacity=".55" stroke-width="2.2" stroke-linecap="round" '


_CAP_OF_HAIR = "M29 45c-4-22 7-31 19-31s23 9 19 31c-2-9-5-14-9-17-7 4-18 4-23-1-3 4-5 9-6 18z"
#: What each part is drawn with.
PARTS = MappingProxyType(
    {
        "sun": '<circle cx="48" cy="44" r="37"/>',
        # Sixteen wedges, and seven stripes, as the dashes of one broad line.
        "rays": '<circle cx="48" cy="46" r="40" fill="none" stroke="#fff" stroke-width="80" '
        'pathLength="32" stroke-dasharray="1"/>',
        "stripe": '<path d="M4 48h92" stroke="#fff" stroke-width="96" stroke-dasharray="7 8"/>',
        "arch": '<path d="M10 96V46a38 38 0 0176 0v50z"/>',
        "behind-long": '<path d="M28 44c-3-24 12-30 20-30s23 6 20 30l3 34H25z"/>'
        f'<path {_SHADE} d="M28 44c-3-24 12-30 20-30s23 6 20 30l3 34H25z"/>',
        "behind-bun": '<circle cx="66" cy="22" r="10"/>',
        "behind-wild": '<path d="M24 40l-6-3 7-5-4-8h9l2-9 8 5 8-8 8 8 8-5 2 9h9l-4 8 7 5-6 3 5 8'
        '-9 1H30l-9-1z"/>',
        "body": '<path d="M8 96c1-16 14-22 29-24l11 6 11-6c15 2 28 8 29 24z"/>'
        f'<path {_SHADE} d="M48 78l11-6c15 2 28 8 29 24H48z"/>',
        "head": f'<path d="M39 58h18v14l-9 8-9-8z"/><path {_SHADE} d="M39 58h18v14l-9 8-9-8z"/>'
        '<path d="M48 20c13 0 18 11 17 24-1 12-8 23-17 23S32 56 31 44c-1-13 4-24 17-24z"/>'
        f'<path {_SHADE} d="M48 20c13 0 18 11 17 24-1 12-8 23-17 23V55l-4.5-3L48 40z"/>'
        f'<path {_LINE} d="M36.5 41.500q4-2.5 7 0M53 41.500q4-2.5 7 0M43 60q5 2 10 0"/>',
        "full": '<path d="M31 46c1 3 3 7 7 7 5 0 5-1 10-1s5 1 10 1c4 0 6-4 7-7 1 16-6 32-17 32S30 '
        f'62 31 46z"/><path {_SHADE} d="M48 52c5 0 5 1 10 1 4 0 6-4 7-7 1 16-6 32-17 32z"/>'
        f'<path {_LINE} d="M44 60q4 1.5 8 0"/>',
        "point": '<path d="M41 63h14l-7 13zM39 56q9-5 18 0l-2 3q-7-3-14 0z"/>',
        "long": f'<path d="{_CAP_OF_HAIR}"/>',
        "tonsure": '<path d="M30 44c-3-11 1-18 5-21l2 7c-3 3-5 7-7 14zM66 44c3-11-1-18-5-21l-2 7c3 '
        '3 5 7 7 14zM36 23q12-7 24 0l-2 5q-10-5-20 0z"/>',
        "crop": '<path d="M31 40c-2-17 7-24 17-24s19 7 17 24c-2-6-4-9-6-10q-11 4-22 0c-2 1-4 4-6 '
        '10z"/>',
        "scarf": '<path d="M28 38c-2-18 9-26 20-26s22 8 20 26q-20-14-40 0z"/><path fill="#fff" '
        'fill-opacity=".25" d="M28 38c-2-18 9-26 20-26s22 8 20 26q-20-14-40 0z"/>'
        '<path d="M28 38q20-14 40 0l-1-6q-19-13-38 0zM66 32l14 10-3 10-8-12z"/>',
        "hood": '<path d="M20 74C18 34 26 8 48 8s30 26 28 66l-12 4c6-30 2-54-16-54S26 48 32 78z"/>'
        f'<path {_SHADE} d="M48 8c22 0 30 26 28 66l-12 4c6-30 2-54-16-54z"/>',
        "cap": '<path fill="#1c2230" d="M12 34C18 12 36 8 48 8s30 4 36 26q-16-8-36-8t-36 8z"/>'
        '<path fill="#e8b94e" d="M12 34q16-9 36-9t36 9l-1-4q-16-8-35-8t-35 8z"/>'
        '<circle cx="48" cy="17" r="3.5" fill="#e8b94e"/>',
        "helm": '<path fill="#8b929c" d="M27 46c-2-24 8-34 21-34s23 10 21 34q-4-6-6-6H33q-2 0-6 6z'
        '"/><path fill="#6a717c" d="M48 12c13 0 23 10 21 34q-4-6-6-6H48z"/><path fill="#7a818b" '
        'd="M45 38h6v16l-3 3-3-3z"/><path fill="#a9afb7" d="M26 38h44v4H26z"/>',
        "wide": '<path d="M6 36q20-8 26-10c2-14 8-18 16-18s14 4 16 18q6 2 26 10-20 4-42 4T6 36z"/>'
        f'<path {_SHADE} d="M6 36q20-8 26-10c2-14 8-18 16-18s14 4 16 18q6 2 26 10-20 4-42 4T6 36z"'
        '/><path fill="#e8b94e" d="M32 26q16 6 32 0l1 5q-17 6-34 0z"/>',
        "goggles": '<path fill="#2a2f38" d="M29 34h38v5H29z"/><g fill="#e2a94a" stroke="#2a2f38" '
        'stroke-width="3"><circle cx="40" cy="36.5" r="7"/><circle cx="57" cy="36.5" r="7"/>'
        "</g>",
        "patch": '<path stroke="#20242c" stroke-width="2" d="M30 36l36 8"/><circle cx="57" cy="43" '
        'r="5" fill="#20242c"/>',
    }
)


#: Signs of what is no person: the outline of a ship, a star, a house, a tree, and so on.
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
    picks = hashlib.sha256(name.encode()).digest()
    kinds = f"face h{picks[0] % 8}{f' {size}' if size else ''}"
    return Markup(  # noqa: S704 - numbers and drawings of ours
        f'<svg class="{kinds}" viewBox="0 0 96 96" aria-hidden="true">'
        f'<use href="#b-{_BACKS[picks[1] % 4]}" fill="#fff" opacity=".15"/>'
        f'<path fill="#fdf4e3" d="{_SIGNS[picks[2] % len(_SIGNS)]}"/></svg>'
    )


def draw_parts() -> Markup:
    """The symbols of all parts, for the sprite of a page."""
    drawn = (
        f'<symbol id="b-{name}" viewBox="0 0 96 96">{drawing}</symbol>'
        for name, drawing in PARTS.items()
    )
    return Markup("".join(drawn))  # noqa: S704 - nothing of it comes from people


def draw_portrait(name: str, size: str = "", address: str = "") -> Markup:
    """The portrait of somebody: the picture at an address, or the one that the name gives.

    >>> print(draw_portrait("Old Tam", "lg", "/t/c/pictures/1"))
    <img class="face lg" src="/t/c/pictures/1" alt="" width="96" height="96">
    """
    if address in {"", SIGN}:
        return draw_sign(name, size) if address else draw_bust(name, size)
    kinds = f"face {size}".strip()
    return Markup('<img class="{}" src="{}" alt="" width="96" height="96">').format(kinds, address)


@lru_cache(maxsize=1000)
def draw_bust(name: str, size: str = "") -> Markup:
    """The portrait that a name gives; it says nothing to a screen reader.

    >>> str(draw_bust("Old Tam")) == str(draw_bust("Old Tam")) != str(draw_bust("Ivo"))
    True
    >>> str(draw_bust("Old Tam"))[:58]
    '<svg class="face h0" viewBox="0 0 96 96" aria-hidden="true'
    """
    picks = iter(hashlib.sha256(name.encode()).digest())

    def pick(choices: tuple[str, ...]) -> str:
        return choices[next(picks) % len(choices)]

    hue = next(picks) % 8
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
    kinds = f"face h{hue}{f' {size}' if size else ''}"
    return Markup(  # noqa: S704 - numbers and words of ours
        f'<svg class="{kinds}" viewBox="0 0 96 96" aria-hidden="true"><use href="#b-{back}" '
        f'fill="#fff" opacity=".15"/>{uses}</svg>'
    )
