"""The most frequent parts of the log as HTML: dice, and the marks beside an entry.

Every roll is rendered for everyone at the table, so for speed these are functions that join
escaped strings, not templates. Equal dice are rendered once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import MappingProxyType
from zlib import crc32

from markupsafe import Markup, escape

from kitchentable.campaign.pictures import SIGN
from kitchentable.campaign.read_models import Entry, SeenDie
from kitchentable.web.busts import draw_portrait
from kitchentable.web.folding import parts_of
from kitchentable.web.phrases import anchor, clock, face_mark, picture
from kitchentable.web.urls import Urls

#: Holds the place of a campaign's address of pictures, which the renderer puts in.
PICTURES = "pictures:"
_HIDDEN = '<svg class="mark" aria-hidden="true"><use href="#i-hidden"/></svg>'
_NOTHING = Markup("")
#: The kinds of entries that may be a throw in notation and nothing else.
THROWN = frozenset({"rolled", "altered"})
#: The middle of the face that looks at the reader, by the drawing's name; elsewhere 50, 50.
_FRONT = MappingProxyType(
    {
        "d4": (50, 62),
        "d6": (34, 39),
        "d8": (44, 47),
        "d10": (50, 40),
        "d12": (44, 44),
        "d20": (46, 47),
    }
)
#: A word that is longer than any number here is cut short in the picture; it is written beside it.
_WIDEST, _CUT = 9, 4
#: This many dice are drawn one by one; of more than that only the first, and the rest are counted.
_MOST, _FIRST = 50, 30
#: The signs between dice, as they are read aloud.
_SPOKEN = MappingProxyType(
    {
        "+": "plus",
        "-": "minus",
        "×": "times",
        "/": "divided, rounding down, by",
        "(": "bracket",
        ")": "end bracket",
        "[": "bracket",
        "]": "end bracket",
        "{": "of the group",
        "}": "end of group",
        "→": "come to",
        "=": "equals",
        "≥": "at least",
        "≤": "at most",
        "<": "less than",
        ">": "more than",
        "!=": "other than",
        "÷": "divided by",
        "%": "modulo",
        "^": "to the power of",
    }
)
_TIMES = "\u00a0\u00d7\u00a0"


#: As `escape`, for words that come again and again, such as names.
_escape_word = lru_cache(maxsize=500)(escape)


@lru_cache(maxsize=2000)
def draw_die(die: SeenDie, foe: bool = False) -> Markup:
    """One die as a picture, hidden from screen readers; `foe` in the other's colour.

    >>> print(draw_die(SeenDie("d10+", 12, "kick", "Mara")))
    <span class="die f-kick kept">
    <svg viewBox="0 0 100 100"><use href="#d12"/><use class="mark" href="#face-kick" x="24" y="24" \
width="40" height="40"/></svg>
    </span>
    """
    mark = face_mark(die.face, die.die)
    kinds = f"die{' foe' if foe else ''}{f' f-{mark}' if mark else ''} {anchor(die.fate)}"
    outline = picture(die.die, die.sides)
    x, y = _FRONT.get(outline, (50, 50))
    if mark:
        at = f'x="{x - 20}" y="{y - 20}" width="40" height="40"'
        face = f'<use class="mark" href="#face-{escape(mark)}" {at}/>'
    else:
        long = ' class="long"' if len(die.face) > 2 else ""
        shown = escape(die.face if len(die.face) <= _WIDEST else die.face[:_CUT])
        face = f'<text x="{x}" y="{y}"{long}>{shown}</text>'
    return Markup(  # noqa: S704 - every word of others is escaped above
        f'<span class="{kinds}">\n<svg viewBox="0 0 100 100"><use href="#{outline}"/>{face}</svg>\n'
        "</span>"
    )


@lru_cache(maxsize=500)
def draw_face(name: str) -> Markup:
    """A sigil for a person at the table: the first letter, on a colour made from the name.

    >>> print(draw_face("Old Tam"))
    <span class="face h3" aria-hidden="true">O</span>
    """
    letter = next((sign for sign in name if sign.isalnum()), "?").upper()
    hue = crc32(name.encode()) % 8
    return Markup('<span class="face h{}" aria-hidden="true">{}</span>').format(hue, letter)


def _face_of(entry: Entry) -> Markup:
    """The portrait of a character who speaks, or the sigil of a person."""
    if not entry.face:
        return draw_face(entry.who)
    address = {"drawn": "", SIGN: SIGN}.get(entry.face, f"{PICTURES}{entry.face}")
    return draw_portrait(entry.who, address=address)


def draw_dice(dice: Sequence[SeenDie], foe: bool = False) -> Markup:
    """Dice as pictures, in the order in which they fell; of very many the first alone.

    >>> print(draw_dice([SeenDie("d6", 6, "2", "")] * 999).splitlines()[-1])
    </span> <span class="part"><small>and 969 more dice</small></span>
    """
    drawn = "".join([draw_die(die, foe) for die in _first(dice)])
    more = _more(dice)
    rest = f' <span class="part"><small>{more}</small></span>' if more else ""
    return Markup(f"{drawn}{rest}")  # noqa: S704 - pictures and a number


def tell_dice(dice: Sequence[SeenDie]) -> str:
    """Dice in words, for screen readers; of very many, only the first.

    >>> tell_dice([SeenDie("dF", 3, "-1", ""), SeenDie("d6", 6, "2", "", "dropped")])
    'dF shows minus 1, d6 shows 2 (dropped)'
    >>> tell_dice([SeenDie("d6", 6, "2", "")] * 999)[-29:]
    'd6 shows 2, and 969 more dice'
    """
    words = [
        f"{die.die} shows {die.face.replace('-', 'minus ')}"
        f"{f' ({die.fate})' if die.fate not in {'', 'kept'} else ''}"
        for die in _first(dice)
    ]
    return ", ".join([*words, *filter(None, [_more(dice)])])


def _first(dice: Sequence[SeenDie]) -> Sequence[SeenDie]:
    return dice if len(dice) <= _MOST else dice[:_FIRST]


def _more(dice: Sequence[SeenDie]) -> str:
    return "" if len(dice) <= _MOST else f"and {len(dice) - _FIRST} more dice"


def draw_sum(entry: Entry) -> Markup:
    """The dice of an entry with everything that is added to them, as its card shows them.

    >>> from msgspec.structs import replace
    >>> thrown = Entry("c", "rolled", "", "Mara", "s2", dice=(SeenDie("d6", 6, "2", ""),))
    >>> print(draw_sum(replace(thrown, sum=(1, "+", "3"))).splitlines()[-1])
    </span> <span class="part">+ 3</span>
    """
    drawn = [
        draw_dice(piece)
        if not isinstance(piece, str)
        else f' <span class="part">{escape(piece)}</span>'
        for piece in _line(entry)
    ]
    return Markup("".join(drawn))  # noqa: S704 - words are escaped above


def tell_sum(entry: Entry) -> str:
    """The dice of an entry with everything that is added to them, for those who do not see them.

    >>> from msgspec.structs import replace
    >>> thrown = Entry("c", "rolled", "", "Mara", "s2", dice=(SeenDie("d6", 6, "2", ""),))
    >>> tell_sum(replace(thrown, sum=("(", 1, "-", "3", ")", "×", "2")))
    'bracket d6 shows 2 minus 3 end bracket times 2'
    """
    words = [
        tell_dice(piece)
        if not isinstance(piece, str)
        else " ".join(_SPOKEN.get(word, word) for word in piece.split())
        for piece in _line(entry)
    ]
    return " ".join(words).replace(" ,", ",").replace(" ;", ";")


def _line(entry: Entry) -> Iterator[str | Sequence[SeenDie]]:
    """Dice and the texts between them, in order; of very many dice only the first."""
    dice = entry.dice
    if sum(piece for piece in entry.sum if isinstance(piece, int)) != len(dice):
        yield dice
        return
    room = len(_first(dice))
    words: list[str] = []
    for piece in entry.sum:
        if isinstance(piece, str):
            words.append(piece)
            continue
        shown, dice = dice[: min(piece, room)], dice[piece:]
        room -= len(shown)
        if shown:
            if words:
                yield " ".join(words)
            yield shown
            words = []
        if len(shown) < piece:
            words.append(f"and {piece - len(shown)} more dice" if shown else f"{piece} more dice")
    if words:
        yield " ".join(words)


def draw_small(entry: Entry) -> Markup:
    """The dice within a chat line, small below it; "" without dice.

    >>> said = Entry("c", "said", "", "Mara", "s2", dice=(SeenDie("d6", 6, "2", ""),))
    >>> print(draw_small(said).splitlines()[-1])
    </span></p><p class="sr">d6 shows 2.</p></div>
    """
    if not entry.dice:
        return _NOTHING
    every = ""
    if _more(entry.dice):
        every = f'<details class="why"><summary>Every die</summary>{_every_die(entry)}</details>'
    return Markup(  # noqa: S704 - every word of others is escaped where it is drawn
        f'<div class="small"><p class="sum" aria-hidden="true">{draw_sum(entry)}</p>'
        f'<p class="sr">{escape(tell_sum(entry))}.</p>{every}</div>'
    )


def fate_of(die: SeenDie) -> str:
    """The fate of a die in words; "" for a die that counted.

    >>> fate_of(SeenDie("d6", 6, "2", "", "dropped", "the lowest"))
    'dropped: the lowest'
    """
    return ": ".join(part for part in (die.fate if die.fate != "kept" else "", die.why) if part)


def draw_line(entry: Entry, aside: Markup, fresh: bool) -> Markup | None:
    """A line of speech, or a throw in notation, as a whole item of the log; None for all else.

    >>> said = Entry("c", "said", "", "Mara", "s2", text="Who goes there?")
    >>> print(draw_line(said, Markup(""), fresh=True))
    <li id="e-c" class="entry k-said in-story fresh">
    <div class="say m-say"><span class="face h1" aria-hidden="true">M</span><p><b>Mara</b> \
<span>Who goes there?</span></p>
    </div>
    </li>
    """
    if entry.stub or entry.card or entry.odds:
        return None
    if entry.kind == "said":
        body = draw_said(entry, aside)
    elif entry.kind in THROWN and entry.dice:
        body = draw_rolled(entry, aside)
    else:
        return None
    return Markup(f"{open_item(entry, fresh)}{body}\n</li>")  # noqa: S704 - both are escaped


def open_item(entry: Entry, fresh: bool) -> Markup:
    """The head of an item of the log; a step that was taken back says so first."""
    kinds = f"entry k-{entry.kind}{parts_of(entry)}"
    kinds += f"{' fresh' if fresh else ''}{' undone' if entry.undone else ''}"
    if entry.kind == "proposed":
        kinds += f" of-{anchor(entry.thread)}"
    taken = f'<p class="taken">{escape(entry.undone)}</p>' if entry.undone else ""
    return Markup(f'<li id="e-{anchor(entry.cursor)}" class="{kinds}">\n{taken}')  # noqa: S704


def draw_said(entry: Entry, aside: Markup) -> Markup:
    """A chat line, with the results of its dice in place."""
    chip = f"to {escape(entry.to)}" if entry.to else "aside" if entry.mode == "ooc" else ""
    chip = f' <i class="chip">{chip}</i>' if chip else ""
    small = f"\n{draw_small(entry)}" if entry.dice else ""
    return Markup(  # noqa: S704 - every word of others is escaped above
        f'<div class="say m-{_escape_word(entry.mode or "say")}">{_face_of(entry)}<p>'
        f"<b>{_escape_word(entry.who)}</b>{chip} "
        f"<span>{escape(entry.spoken)}</span></p>{aside}\n</div>{small}"
    )


def draw_rolled(
    entry: Entry, aside: Markup, had: Markup = _NOTHING, exact: Markup = _NOTHING
) -> Markup:
    """The card of dice in notation; the total follows the last colon of its text.

    `had` and `exact` tell of the odds it had, where it had any.

    >>> two = (SeenDie("d6", 6, "2", ""), SeenDie("d6", 6, "5", ""))
    >>> thrown = Entry("c", "rolled", "", "Mara", "s2", text="Mara throws 2d6: 7.", dice=two)
    >>> print(draw_rolled(thrown, Markup("")).splitlines()[6])
    <p class="sr">d6 shows 2, d6 shows 5, total 7.</p>
    """
    what, colon, total = entry.text.rpartition(": ")
    said, sum_ = escape(tell_sum(entry)), str(escape(total))
    strong = f"<strong>{sum_.rstrip('.')}</strong>" if colon else ""
    spoken = f", total {sum_}" if colon else ""
    return Markup(  # noqa: S704 - every word of others is escaped above
        f'<article class="card t-plain"><header><h3>{escape(what or entry.text)}</h3>{aside}'
        f'</header>\n<p class="sum" aria-hidden="true">{draw_sum(entry)}{strong}</p>\n'
        f'<p class="sr">{said}{spoken}</p>\n'
        f"<footer>{had}{why(entry, exact)}</footer></article>"
    )


def why(entry: Entry, exact: Markup = _NOTHING, rules: Markup = _NOTHING) -> Markup:
    """The details of a card: every die, the exact odds, the changed facts, the rules.

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
    """A table of all dice, each with its owner and its fate; very many are counted."""
    whose = {side.label: side.name for side in reversed(entry.card.sides)} if entry.card else {}
    by_hand = ", rolled with real dice and typed in" if entry.typed else ""
    if _more(entry.dice):
        return _all_counted(entry.dice, whose, by_hand)
    rows = "".join([_row(die, whose.get(die.label) or die.label) for die in entry.dice])
    return (
        f'<table class="exact"><caption>Every die{by_hand}</caption>\n'
        '<thead><tr><th scope="col">Die</th><th scope="col">Shows</th><th scope="col">For</th>'
        '<th scope="col">Result</th></tr></thead>\n'
        f"<tbody>{rows}</tbody></table>"
    )


@lru_cache(maxsize=2000)
def _row(die: SeenDie, whose: str) -> str:
    """One die in the table of all."""
    return (
        f'<tr><th scope="row">{escape(die.die)}</th><td>{escape(die.face)}</td>'
        f"<td>{escape(whose)}</td><td>{escape(fate_of(die) or 'counted')}</td></tr>"
    )


def _all_counted(dice: Sequence[SeenDie], whose: dict[str, str], by_hand: str) -> str:
    """The number of times each face came up: by kind, owner and fate."""
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for die in dice:
        what = (die.die, whose.get(die.label) or die.label, fate_of(die))
        counts.setdefault(what, Counter())[die.face] += 1
    groups = "".join(
        [
            f"<dt>{escape(', '.join(part for part in what if part))}</dt>"
            f"<dd>{escape(_count(faces))}</dd>"
            for what, faces in counts.items()
        ]
    )
    return (
        f"<p>All {len(dice)} dice{by_hand}: each face \u00d7 how many times.</p>"
        f'<dl class="facts">{groups}</dl>'
        '<p class="help">The journal\'s file has them one by one, in the order in which they '
        "fell.</p>"
    )


def _count(faces: Counter[str]) -> str:
    """The number of times each face came up, the lowest face first and words last.

    >>> print(_count(Counter(["10", "2", "2", "kick", "-1"])).replace(_TIMES, " times "))
    -1 times 1, 2 times 2, 10 times 1, kick times 1
    """
    return ", ".join(f"{face}{_TIMES}{faces[face]}" for face in sorted(faces, key=_height))


def _height(face: str) -> tuple[bool, int, str]:
    number = face.removeprefix("-").isdecimal()
    return (not number, int(face) if number else 0, face)


def draw_marks(url: Urls, entry: Entry, campaign: str) -> str:
    """The marks beside an entry, as HTML: its time, its audience, and the seat's buttons.

    >>> spoken = Entry("place", "said", "2026-11-22T20:41:03Z", "Mara", "s2", may_undo=True)
    >>> print(draw_marks(Urls(), spoken, "road"))
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
    parts.append(_time_of(entry.time))
    if entry.hidden_from and entry.number and (entry.card or entry.dice):
        parts.append(
            '<button class="link" form="f-reveal" name="number" '
            f'value="{entry.number}">Show everyone</button>'
        )
    if entry.may_undo:
        # An address without a query has no sign that would have to be escaped.
        href = url("undo", campaign=campaign, cursor=entry.cursor)
        parts.append(
            f'<a class="undo" data-dialog href="{href}">Take back'
            f'<span class="sr"> this step of {_escape_word(entry.who)}</span></a>'
        )
    return "".join(parts)


@lru_cache(maxsize=100)
def _time_of(time: str) -> str:
    """The time of an entry, which is the same for all who read it."""
    return f'<time datetime="{escape(time)}">{escape(clock(time))}</time>\n'
