"""The icon of the installed page as PNG, for devices that take no SVG."""

from __future__ import annotations

import io
from functools import lru_cache

from PIL import Image, ImageDraw

#: The sizes that browsers ask for: iOS, and Android's home and start screens.
SIZES = (180, 192, 512)
_GROUND, _CRUST, _CRUMB = "#e7e3d9", "#9c430b", "#fcefce"
#: Drawn larger and scaled down, so that its edges are smooth.
_FINE = 4
#: Top and body of the slice as left, top, right, bottom and radius, on the 24 units of icon.svg.
_SLICE = ((2.2, 3.2, 21.8, 10, 3.4), (3.7, 6, 20.3, 20.8, 2.5))
_PIPS = ((8.6, 8.4), (15.4, 8.4), (12, 12.3), (8.6, 16.2), (15.4, 16.2))
_STROKE, _PIP = 0.85, 1.4
#: What stays free around it, where a device cuts the corners.
_MARGIN = 3.0


@lru_cache(maxsize=len(SIZES))
def draw_icon(size: int) -> bytes:
    r"""The icon as a PNG of this width and height.

    >>> draw_icon(180)[:4], len(draw_icon(180)) < 8_000
    (b'\x89PNG', True)
    """
    whole = size * _FINE
    unit = whole / (24 + 2 * _MARGIN)
    image = Image.new("RGB", (whole, whole), _GROUND)
    draw = ImageDraw.Draw(image)
    for grown, colour in ((_STROKE, _CRUST), (-_STROKE, _CRUMB)):
        for left, top, right, bottom, radius in _SLICE:
            corners = (left - grown, top - grown, right + grown, bottom + grown)
            box = [(one + _MARGIN) * unit for one in corners]
            draw.rounded_rectangle(box, (radius + grown) * unit, colour)
    for x, y in _PIPS:
        middle = [(one + _MARGIN) * unit for one in (x, y)]
        draw.circle(middle, _PIP * unit, _CRUST)
    out = io.BytesIO()
    image.resize((size, size), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()
