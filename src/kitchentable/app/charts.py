"""Bar charts of probabilities, as SVG or PNG."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from kitchentable.dice.show import percent

#: The colors of the series, which differ in lightness too; then ink and paper.
SERIES = ("#b4460f", "#1559b8", "#3f7d20", "#7a3fa0")
_INK, _PAPER = "#1b2436", "#ffffff"
_WIDE, _BAR, _GAP, _LETTER, _EDGE = 900, 14, 10, 15, 16
_FLUSH = ' text-anchor="end"'
#: Pixels of a PNG for each unit, enough for sharp print.
_SHARP = 2


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    wide: float
    high: float
    color: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text; `y` is the middle of its letters, `end` sets it flush right at `x`."""

    x: float
    y: float
    text: str
    end: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as boxes and lines of text."""

    title: str
    wide: int
    high: int
    boxes: Sequence[Box]
    words: Sequence[Words]

    def svg(self) -> str:
        """The drawing as an SVG document with its title.

        >>> Drawing("A & B", 10, 5, [Box(0, 0, 4, 2, "#000000")], []).svg()[-78:]
        'A &amp; B</title><rect x="0" y="0" width="4" height="2" fill="#000000"/></svg>'
        """
        size = f'viewBox="0 0 {self.wide} {self.high}" width="{self.wide}" height="{self.high}"'
        letters = f'font-family="sans-serif" font-size="{_LETTER}"'
        drawn = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {letters}>',
            f"<title>{escape(self.title)}</title>",
        ]
        for box in self.boxes:
            place = f'x="{box.x:g}" y="{box.y:g}" width="{box.wide:g}" height="{box.high:g}"'
            drawn.append(f'<rect {place} fill="{box.color}"/>')
        for one in self.words:
            place = f'x="{one.x:g}" y="{one.y:g}"{_FLUSH if one.end else ""}'
            text = (
                f'<text {place} dominant-baseline="central" fill="{_INK}">{escape(one.text)}</text>'
            )
            drawn.append(text)
        return "".join([*drawn, "</svg>"])

    def png(self) -> bytes:
        """The drawing as a PNG image."""
        image = Image.new("RGB", (self.wide * _SHARP, self.high * _SHARP), _PAPER)
        draw, font = ImageDraw.Draw(image), ImageFont.load_default(_LETTER * _SHARP)
        for box in self.boxes:
            ends = (box.x, box.y, box.x + box.wide, box.y + box.high)
            draw.rectangle([end * _SHARP for end in ends], fill=box.color)
        for one in self.words:
            at = (one.x * _SHARP, one.y * _SHARP)
            draw.text(at, one.text, fill=_INK, font=font, anchor="rm" if one.end else "lm")
        out = io.BytesIO()
        image.quantize(64).save(out, "PNG", optimize=True)
        return out.getvalue()


def draw_bars(title: str, columns: Mapping[str, Mapping[Any, Fraction]]) -> Drawing:
    """Bars for each outcome of one or more columns of probabilities, with a legend for several."""
    outcomes = list(dict.fromkeys(outcome for column in columns.values() for outcome in column))
    most = max((chance for column in columns.values() for chance in column.values()), default=1)
    left = min(_WIDE / 3, _EDGE * 2 + max((len(str(one)) for one in outcomes), default=0) * 8)
    room = _WIDE - left - 6 * _LETTER
    boxes: list[Box] = []
    words = [Words(_EDGE, _EDGE + _LETTER / 2, title)]
    y: float = _EDGE * 2 + _LETTER
    if len(columns) > 1:
        for color, name in zip(SERIES, columns, strict=False):
            boxes.append(Box(_EDGE, y, _BAR, _BAR, color))
            words.append(Words(_EDGE * 2 + _BAR, y + _BAR / 2, name))
            y += _BAR + _GAP
        y += _GAP
    for outcome in outcomes:
        tall = _BAR * len(columns)
        words.append(Words(left - _GAP, y + tall / 2, str(outcome), end=True))
        for color, column in zip(SERIES, columns.values(), strict=False):
            chance = column.get(outcome)
            if chance is not None:
                long = float(room * chance / most)
                boxes.append(Box(left, y, long, _BAR - 2, color))
                words.append(Words(left + long + 6, y + _BAR / 2 - 1, percent(chance)))
            y += _BAR
        y += _GAP
    high = int(y + _EDGE)
    return Drawing(title, _WIDE, high, [Box(0, 0, _WIDE, high, _PAPER), *boxes], words)
