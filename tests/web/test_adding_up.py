"""A card of dice in notation adds up to its total, in pictures, in words and as plain text."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from kitchentable.app.plaintext import tell
from kitchentable.campaign.read_models import Entry, SeenDie
from kitchentable.campaign.words import outcome_in_words
from kitchentable.dice import SeededSource, roll
from kitchentable.dice.notation import NotationError, parse, tally
from kitchentable.dice.notation.dialects.reading import read
from kitchentable.web.drawn import draw_rolled, draw_small
from tests.dice.test_notation_properties import dice_texts, expressions
from tests.dice.test_notation_tally import FOREIGN, LIMITED, calculated
from tests.web.test_dice_page import anybody as anybody  # noqa: PLC0414 - a fixture

_ON_CARD = re.compile(
    r'<span class="die([^"]*)">.*?(?:>(-?\d+)</text>|#face-(\w+)").*?</span>'
    r'|<span class="part">(.*?)</span>',
    re.DOTALL,
)
_FUDGE = {"minus": -1, "blank": 0, "plus": 1}
#: Of more dice a card shows some and counts the others.
ALL_SHOWN = 50
GONE = ("dropped", "thrown again", "thrown-again")


def entry_of(text, seed=0, faces=None, dialect="house"):
    rolled = roll(text, source=SeededSource(seed), faces=faces, dialect=dialect)
    dice = tuple(
        SeenDie(one.die, one.sides, str(one.face), one.label, one.fate, one.why)
        for one in rolled.trace.throws
    )
    said = f"Mara rolls {text}: {outcome_in_words(rolled.outcome)}."
    line = tally(read(text, dialect), rolled.trace.faces)
    return Entry("c", "rolled", "", "Mara", "s2", text=said, dice=dice, sum=line), rolled.outcome


def joined(pieces):
    """Words for the calculator, dice that lie side by side added."""
    words, run = [], None
    for piece in pieces:
        if isinstance(piece, int):
            run = piece + (run or 0)
            continue
        if run is not None:
            words.append(str(run))
            run = None
        words.append(piece)
    return words if run is None else [*words, str(run)]


def words_of(text):
    """A line between dice, cut into the words of the calculator; labels are left out."""
    text = re.sub(r"\[[^\[\]\s][^\[\]]*\]", " ", text)
    number = r"\d+(?:[./]\d+)?"
    pattern = rf"→ -?{number}(?: (?:hits?|dice|die))?|= -?{number}|{number}|!=|[^\s\d]+"
    return re.findall(pattern, text)


def flat(words):
    for word in words:
        yield from ([word[0], word[2:]] if word.startswith(("→ ", "= ")) else [word])


def seen_on(card):
    """What a person sees on a card: faces of dice, and everything between them."""
    line = re.search(r'<p class="sum" aria-hidden="true">(.*?)</p>', card, re.DOTALL)[1]
    line = re.sub(r"<strong>.*?</strong>", "", line)
    pieces = []
    for kinds, face, mark, part in _ON_CARD.findall(line):
        if part:
            pieces += flat(words_of(html.unescape(part)))
        else:
            gone = any(one in kinds for one in GONE)
            pieces.append(0 if gone else int(face) if face else _FUDGE[mark])
    return pieces


def heard_in(told):
    """What stands between the square brackets of plain text."""
    line = told.rpartition(" [")[2] if told.count("[") == 1 else told[told.index(" [") + 2 :]
    line = line[: line.rindex("]")]
    pieces, end = [], 0
    for die in re.finditer(r"d(?:\d+|F|\{[^}]*\}) (-?\d+)((?: [a-z]+)*),?", line):
        pieces += flat(words_of(line[end : die.start()]))
        pieces.append(0 if any(gone in die[2] for gone in GONE) else int(die[1]))
        end = die.end()
    return [*pieces, *flat(words_of(line[end:]))]


@given(
    expressions(st.one_of(dice_texts(), LIMITED)).filter(lambda text: "[" not in text),
    st.integers(0, 99),
)
@settings(max_examples=60)
def test_what_a_card_and_plain_text_show_adds_up(text, seed):
    try:
        parse(text)
    except NotationError:
        return
    entry, outcome = entry_of(text, seed)
    if not 0 < len(entry.dice) <= ALL_SHOWN:
        return
    shown = seen_on(str(draw_rolled(entry, Markup(""))))
    assert calculated(joined(shown)) == outcome
    told = tell(entry, time=False).replace(entry.text, "", 1)
    assert calculated(joined(heard_in(told))) == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "text"), FOREIGN)
@given(seed=st.integers(0, 99))
@settings(max_examples=10)
def test_cards_of_another_programs_dice_add_up(dialect, text, seed):
    entry, outcome = entry_of(text, seed, dialect=dialect)
    assert calculated(joined(seen_on(str(draw_rolled(entry, Markup("")))))) == outcome
    told = tell(entry, time=False).replace(entry.text, "", 1)
    assert calculated(joined(heard_in(told))) == outcome


@pytest.mark.parametrize(
    ("text", "faces", "spoken", "plain"),
    [
        (
            "2d6!+3",
            [4, 3],
            "d6 shows 4, d6 shows 3 plus 3, total 10.",
            "[d6 4, d6 3 + 3]",
        ),
        (
            "4d6kh3+2",
            [2, 4, 2, 1],
            "d6 shows 2, d6 shows 4, d6 shows 2, d6 shows 1 (dropped) plus 2, total 10.",
            "[d6 2, d6 4, d6 2, d6 1 dropped + 2]",
        ),
        (
            "2d6*2-1",
            [4, 3],
            "bracket d6 shows 4, d6 shows 3 end bracket times 2 minus 1, total 13.",
            "[( d6 4, d6 3 ) × 2 - 1]",
        ),
        (
            "3d6 hits>=5",
            [5, 1, 6],
            "d6 shows 5 (counted), d6 shows 1, d6 shows 6 (counted) come to 2 hits, total 2.",
            "[d6 5, d6 1, d6 6 → 2 hits]",
        ),
    ],
)
def test_every_summand_is_spoken_and_written(text, faces, spoken, plain):
    entry, _ = entry_of(text, faces=faces)
    assert f'<p class="sr">{spoken}</p>' in str(draw_rolled(entry, Markup("")))
    assert plain in tell(entry)


def test_very_many_dice_are_still_cut_and_keep_what_is_added():
    entry, _ = entry_of("600d6+400d6+2")
    card = str(draw_rolled(entry, Markup("")))
    assert card.count("<svg") == 30
    assert "and 570 more dice + 400 more dice + 2" in card


def test_rolls_within_words_show_their_summands():
    dice = (SeenDie("d6", 6, "2", ""), SeenDie("d4", 4, "1", ""))
    line = (1, "+", "3", "=", "5", ";", 1, "=", "1")
    said = Entry("c", "said", "", "Mara", "s2", text="[[1d6+3]], [[1d4]]", dice=dice, sum=line)
    assert "d6 shows 2 plus 3 equals 5; d4 shows 1 equals 1." in str(draw_small(said))


def test_the_page_of_free_dice_adds_up_too(anybody):
    page = anybody.get("/dice", params={"notation": "2d6!+3", "roll": "1"}).text
    item = page[page.index(">Result<") :]
    total = int(re.search(r"<strong>(\d+)</strong>", item)[1])
    assert calculated(joined(seen_on(item))) == total
    assert re.search(r"plus 3, total \d+\.</p>", item)


def test_a_line_that_does_not_fit_its_dice_is_left_aside():
    entry, _ = entry_of("2d6+3", faces=[1, 2])
    hidden = Entry("c", "rolled", "", "", "", text="x: 6.", dice=entry.dice[:1], sum=entry.sum)
    assert "+ 3" not in str(draw_rolled(hidden, Markup("")))
    assert tell(hidden).endswith("[d6 1]")


def test_the_log_of_a_table_shows_every_summand(visited):
    mara = visited.sits("Mara")
    for text in ("/roll 4d6kh3+2", "It is [[1d1+3]] or [[1d1]]."):
        mara.fill(f"{visited.t}/say", text=text)
    page = mara.get(visited.t).text
    assert '<span class="part">+ 2</span>' in page
    assert "d1 shows 1 plus 3 equals 4; d1 shows 1 equals 1." in page
