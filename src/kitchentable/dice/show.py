"""Distributions for display: a text table, an HTML table, a chart."""

import html as markup
import importlib
import importlib.util
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from typing import Any

from kitchentable.dice.chance import NARROW, Chance, Interval, ceiling, floor
from kitchentable.dice.errors import NoChart
from kitchentable.dice.outcomes import listed, word
from kitchentable.dice.solving.shares import add_up

Rows = Sequence[tuple[Any, Fraction]]

WIDTH = 30
LINE = 90
SHORT = 13
LEAST = Fraction(1, 10_000)
TAIL = Fraction(1, 1_000)
# A floating-point sum below this is certainly below TAIL.
NEARLY = 0.000_999_999
MOST_ROWS = 1_000
RANGES = 100
BLOCKS = " ▏▎▍▌▋▊▉█"


def percent(chance: Chance) -> str:
    """A chance in percent, never rounded to 0 if possible or to 100 if uncertain.

    >>> percent(Interval(Fraction(1, 4), Fraction(1, 2)))
    '25.00 % to 50.00 %'
    """
    low, high = floor(chance), ceiling(chance)
    if high - low > NARROW:
        return f"{percent(low)} to {percent(high)}"
    chance = low
    if 0 < chance < LEAST:
        return "<0.01 %"
    if 1 - LEAST < chance < 1:
        return ">99.99 %"
    return f"{float(chance) * 100:.2f} %"


def in_columns(rows: Sequence[Sequence[str]], left: Container[int] = ()) -> str:
    """Rows of text in columns, of which those numbered in `left` are aligned to the left.

    Line breaks in a cell become blanks, so that each row is one line.

    >>> print(in_columns([("trait", "level"), ("Aim", "7")], left={0}))
    trait  level
    Aim        7
    """
    rows = [[" ".join(cell.splitlines()) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, wide, strict=True))
        ]
        for row in rows
    )
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _bar(share: float) -> str:
    eighths = round(share * WIDTH * 8)
    return "█" * (eighths // 8) + (BLOCKS[eighths % 8] if eighths % 8 else "")


def common(rows: Rows) -> tuple[Rows, Rows]:
    """The rows without rare ones at both ends, and the rare rows.

    The total chance of the rare rows at each end is below 1/1000.

    >>> kept, faint = common([(1, Fraction(1, 10**6)), (2, Fraction(1, 2)), (3, Fraction(1, 2))])
    >>> [outcome for outcome, _ in kept], [outcome for outcome, _ in faint]
    ([2, 3], [1])
    """
    first, last = _faint(rows), len(rows) - _faint(rows[::-1])
    if first >= last:
        return rows, ()
    return rows[first:last], [*rows[:first], *rows[last:]]


def _faint(rows: Rows) -> int:
    """The number of rare rows at the start."""
    together = 0.0
    for at, (_, chance) in enumerate(rows):
        together += float(chance)
        if chance >= LEAST or (
            together > NEARLY and add_up(chance for _, chance in rows[: at + 1]) >= TAIL
        ):
            return at
    return len(rows)


def in_ranges(rows: Rows) -> Rows:
    """The rows, or equal ranges of numbers instead of more than 1000 rows.

    >>> rows = in_ranges([(number, Fraction(1, 5000)) for number in range(1, 5001)])
    >>> rows[0], len(rows)
    (('1 to 50', Fraction(1, 100)), 100)
    """
    if len(rows) <= MOST_ROWS or not all(type(outcome) is int for outcome, _ in rows):
        return rows
    low, high = rows[0][0], rows[-1][0]
    width = -(-(high - low + 1) // RANGES)
    chances: dict[int, list[Fraction]] = defaultdict(list)
    for outcome, chance in rows:
        chances[outcome - (outcome - low) % width].append(chance)
    return [(f"{at} to {min(at + width - 1, high)}", add_up(some)) for at, some in chances.items()]


def _shown(rows: Rows, unresolved: Fraction, rest: str) -> tuple[Rows, Fraction, list[str]]:
    """The rows to show, their greatest chance, and notes about the rest."""
    kept, faint = common(rows)
    kept = in_ranges(kept)
    notes = []
    if faint:
        together = percent(add_up(chance for _, chance in faint))
        notes.append(
            f"and {len(faint)} rarer outcome{'s' * (len(faint) != 1)}, together {together}"
        )
    if unresolved:
        notes.append(f"{rest}: {float(unresolved):.2g}")
    return kept, max((chance for _, chance in kept), default=Fraction(1)), notes


def text(rows: Rows, unresolved: Fraction, rest: str = "unresolved") -> str:
    """A text table with bars.

    >>> print(text([("miss", Fraction(1, 4)), ("hit", Fraction(3, 4))], Fraction(0)))
    miss  25.00 %  ██████████
    hit   75.00 %  ██████████████████████████████
    """
    kept, most, notes = _shown(rows, unresolved, rest)
    lines = [
        (word(outcome), percent(chance).rjust(7), _bar(float(chance / most)))
        for outcome, chance in kept
    ]
    return "\n".join([*([in_columns(lines, left={0, 2})] if lines else []), *notes])


def html(rows: Rows, unresolved: Fraction, rest: str = "unresolved", summary: str = "") -> str:
    """An HTML table for notebooks, with a number next to every bar."""
    kept, most, notes = _shown(rows, unresolved, rest)
    lines = [
        f"<tr><th scope='row'>{markup.escape(word(outcome))}</th><td>{percent(chance)}</td>"
        f"<td><div style='background:#7a8;height:1em;width:{float(chance / most) * 15:.2f}em'>"
        f"</div></td><td>{_fraction(chance)}</td></tr>"
        for outcome, chance in kept
    ]
    said = "; ".join(filter(None, [summary, *notes]))
    caption = f"<caption>{markup.escape(said)}</caption>" if said else ""
    return f"<table>{caption}{''.join(lines)}</table>"


def _fraction(chance: Fraction) -> str:
    short = len(str(chance.denominator)) < SHORT
    return f"{chance.numerator}/{chance.denominator}" if short else ""


def number(value: Fraction | Interval) -> str:
    """A figure to four digits, with the exact fraction if it is short.

    >>> number(Fraction(40, 3)), number(Fraction(7))
    ('13.33 = 40/3', '7')
    """
    middle = value if isinstance(value, Fraction) else value.middle
    short = f"{float(middle):.4g}"
    exact = isinstance(value, Fraction) and value.denominator != 1
    return f"{short} = {value}" if exact and len(str(value)) <= 20 else short


def outcomes(found: Sequence[Any]) -> str:
    """The number of outcomes and their list, in one line.

    >>> outcomes([2, 3, 4])
    '3 outcomes: 2 to 4'
    """
    text = f"{len(found)} outcome{'s' if len(found) != 1 else ''}: {listed(found)}"
    text = " ".join(text.splitlines())
    return text if len(text) <= LINE else f"{text[: LINE - 3]}..."


def chart(
    columns: Sequence[Mapping[Any, Chance]], cumulative: str, names: Sequence[str], title: str
) -> Any:
    """A matplotlib figure in percentages: bars for one column, lines for several."""
    if importlib.util.find_spec("matplotlib") is None:
        raise NoChart("Charts need matplotlib. Install kitchentable[plot], or print the table.")
    figure = importlib.import_module("matplotlib.figure").Figure(layout="constrained")
    axes = figure.subplots()
    for at, column in enumerate(columns):
        rows = [(outcome, floor(chance)) for outcome, chance in column.items()]
        kept = rows if cumulative else common(rows)[0]
        numbers = all(type(outcome) is int for outcome, _ in kept)
        across = [outcome if numbers else word(outcome) for outcome, _ in kept]
        up = [float(chance) for _, chance in kept]
        label = names[at] if names else None
        if len(columns) == 1 and not cumulative:
            axes.bar(across, up, label=label)
        else:
            axes.plot(across, up, marker="o", label=label)
    axes.yaxis.set_major_formatter(importlib.import_module("matplotlib.ticker").PercentFormatter(1))
    axes.set_ylim(bottom=0)
    axes.set_ylabel(f"chance of {cumulative} this" if cumulative else "chance")
    if title:
        axes.set_title(title)
    if names:
        axes.legend()
    return figure
