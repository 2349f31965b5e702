"""The pieces of the log that are drawn most often: dice, and what stands beside an entry.

Every throw is drawn for everybody at the table, so these are functions that join escaped strings,
where all else is a template. The same die always looks the same and is drawn once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from kitchentable.campaign.seen import Entry, SeenDie
from kitchentable.web.phrases import anchor, clock, face_mark, picture
from kitchentable.web.urls import Urls

_HIDDEN = '<svg class="mark" aria-hidden="true"><use href="#i-hidden"/></svg>'
_NOTHING = Markup("")
#: Where a number stands within the outline of a die; elsewhere in its middle.
_HEIGHT = {4: 30, 8: 26, 10: 26}
#: A word that is longer than any number here is cut short in the picture; it is told beside it.
_WIDEST, _CUT = 9, 4


@lru_cache(maxsize=2000)
def draw_die(die: SeenDie, foe: bool = False) -> Markup:
    """One die as a picture, which says nothing to a screen reader; `foe` in the other's colour.

    >>> print(draw_die(SeenDie("d10+", 12, "kick", "Mara")))
    <span class="die f-kick kept">
    <svg viewBox="0 0 48 48"><use href="#d12"/><use class="face" href="#face-kick"/></svg>
    </span>
    """
    mark = face_mark(die.face, die.die)
    kinds = f"die{' foe' if foe else ''}{f' f-{mark}' if mark else ''} {anchor(die.fate)}"
    if mark:
        face = f'<use class="face" href="#face-{escape(mark)}"/>'
    else:
        long = ' class="long"' if len(die.face) > 2 else ""
        shown = escape(die.face if len(die.face) <= _WIDEST else die.face[:_CUT])
        face = f'<text x="24" y="{_HEIGHT.get(die.sides, 25)}"{long}>{shown}</text>'
    outline = escape(picture(die.die, die.sides))
    return Markup(  # noqa: S704 - every word of others is escaped above
        f'<span class="{kinds}">\n<svg viewBox="0 0 48 48"><use href="#{outline}"/>{face}</svg>\n'
        "</span>"
    )


def tell_dice(dice: Iterable[SeenDie]) -> str:
    """Dice in words, for those who do not see them.

    >>> tell_dice([SeenDie("dF", 3, "-1", ""), SeenDie("d6", 6, "2", "", "dropped")])
    'dF shows minus 1, d6 shows 2 (dropped)'
    """
    return ", ".join(
        f"{die.die} shows {die.face.replace('-', 'minus ')}"
        f"{f' ({die.fate})' if die.fate not in {'', 'kept'} else ''}"
        for die in dice
    )


def fate_of(die: SeenDie) -> str:
    """What became of a die, in words; "" for one that was simply counted.

    >>> fate_of(SeenDie("d6", 6, "2", "", "dropped", "the lowest"))
    'dropped: the lowest'
    """
    return ": ".join(part for part in (die.fate if die.fate != "kept" else "", die.why) if part)


def draw_rolled(
    entry: Entry, aside: Markup, had: Markup = _NOTHING, exact: Markup = _NOTHING
) -> Markup:
    """The card of dice in notation. What stands behind the last colon of its text is the total.

    `had` and `exact` tell of the odds it had, where it had any.

    >>> two = (SeenDie("d6", 6, "2", ""), SeenDie("d6", 6, "5", ""))
    >>> thrown = Entry("c", "rolled", "", "Mara", "s2", text="Mara throws 2d6: 7.", dice=two)
    >>> print(draw_rolled(thrown, Markup("")).splitlines()[6])
    <p class="sr">d6 shows 2, d6 shows 5, total 7.</p>
    """
    what, colon, total = entry.text.rpartition(": ")
    pictures = "".join([draw_die(die) for die in entry.dice])
    said, sum_ = escape(tell_dice(entry.dice)), escape(total)
    strong = f"<strong>{sum_.rstrip('.')}</strong>" if colon else ""
    spoken = f", total {sum_}" if colon else ""
    return Markup(  # noqa: S704 - every word of others is escaped above
        f'<article class="card t-plain"><header><h3>{escape(what or entry.text)}</h3>{aside}'
        f'</header>\n<p class="sum" aria-hidden="true">{pictures}{strong}</p>\n'
        f'<p class="sr">{said}{spoken}</p>\n'
        f"<footer>{had}{why(entry, exact)}</footer></article>"
    )


def why(entry: Entry, exact: Markup = _NOTHING, rules: Markup = _NOTHING) -> Markup:
    """What a card holds for those who ask: every die, the odds exactly, the facts, the rules.

    >>> print(why(Entry("c", "move", "", "Mara", "s2", details=(("Aim", "7"),))))
    <details class="why"><summary>Why?</summary>
    <dl class="facts"><dt>Aim</dt><dd>7</dd></dl></details>
    """
    facts = "".join(
        [f"<dt>{escape(name)}</dt><dd>{escape(what)}</dd>" for name, what in entry.details]
    )
    parts = (
        '<details class="why"><summary>Why?</summary>\n',
        _every_die(entry) if entry.dice else "",
        exact,
        f'<dl class="facts">{facts}</dl>' if facts else "",
        f"<p>By the book: {rules}</p>" if rules else "",
        "</details>",
    )
    return Markup("".join(parts))  # noqa: S704 - every word of others is escaped here and above


def _every_die(entry: Entry) -> str:
    """A table of all dice, each with whose it is and what became of it."""
    whose = {side.label: side.name for side in reversed(entry.card.sides)} if entry.card else {}
    rows = "".join(
        [
            f'<tr><th scope="row">{escape(die.die)}</th><td>{escape(die.face)}</td>'
            f"<td>{escape(whose.get(die.label) or die.label)}</td>"
            f"<td>{escape(fate_of(die) or 'counted')}</td></tr>"
            for die in entry.dice
        ]
    )
    by_hand = ", thrown by hand and typed in" if entry.typed else ""
    return (
        f'<table class="exact"><caption>Every die{by_hand}</caption>\n'
        '<thead><tr><th scope="col">Die</th><th scope="col">Shows</th><th scope="col">For</th>'
        '<th scope="col">What became of it</th></tr></thead>\n'
        f"<tbody>{rows}</tbody></table>"
    )


def beside(url: Urls, entry: Entry, campaign: str) -> Markup:
    """What stands beside an entry: the time, who does not see it, and this seat's own buttons.

    >>> spoken = Entry("place", "said", "2026-11-22T20:41:03Z", "Mara", "s2", may_undo=True)
    >>> print(beside(Urls(), spoken, "road"))
    <time datetime="2026-11-22T20:41:03Z">20:41</time>
    <a class="undo" data-dialog href="/t/road/undo/place">Take back<span class="sr"> this step of \
Mara</span></a>
    """
    parts = []
    if entry.hidden_from:
        parts.append(
            f'<span class="chip veil">{_HIDDEN}hidden from {escape(entry.hidden_from)}</span>'
        )
    if entry.typed:
        parts.append('<span class="chip">real dice</span>')
    parts.append(f'<time datetime="{escape(entry.time)}">{escape(clock(entry.time))}</time>\n')
    if entry.hidden_from and entry.number and (entry.card or entry.dice):
        parts.append(
            '<button class="link" form="f-reveal" name="number" '
            f'value="{entry.number}">Show everyone</button>'
        )
    if entry.may_undo:
        href = escape(url("undo", campaign=campaign, cursor=entry.cursor))
        parts.append(
            f'<a class="undo" data-dialog href="{href}">Take back'
            f'<span class="sr"> this step of {escape(entry.who)}</span></a>'
        )
    return Markup("".join(parts))  # noqa: S704 - every word of others is escaped above
