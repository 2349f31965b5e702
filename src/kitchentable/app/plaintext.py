"""Log entries as plain text, for the terminal, screen readers and archives."""

from __future__ import annotations

from collections.abc import Iterator

from kitchentable.campaign.read_models import Entry, SeenDie, SeenOdds
from kitchentable.dice.chance import in_percent
from kitchentable.dice.notation.card_line import with_dice
from kitchentable.rules import with_stop
from kitchentable.rules.moves import Card, Side

_SPOKEN = {"kept", "counted"}


def tell(entry: Entry, *, time: bool = True) -> str:
    """An entry as its reader knows it, as one paragraph of text.

    >>> tell(Entry("c", "said", "2026-11-22T20:41:03Z", "Mara", "s2", text="Quiet now."))
    '20:41 Mara: Quiet now.'
    >>> begun = Entry("c", "entity-made", "2026-11-22T20:41:03Z", "Mara", "s2", text="Mara begins.")
    >>> tell(begun, time=False)
    'Mara begins.'
    """
    what = _what(entry)
    named = entry.kind != "said" and what.startswith((f"{entry.who} ", f"{entry.who}'"))
    parts = [what if named else f"{_who(entry)}: {what}" if what else _who(entry)]
    if entry.undone:
        parts.append(f"({entry.undone})")
    clock = f"{entry.time[11:16]} " if time else ""
    return clock + " ".join(parts)


def _who(entry: Entry) -> str:
    whisper = f" to {entry.to}" if entry.to else ""
    return f"{entry.who}{whisper}"


def _what(entry: Entry) -> str:
    if entry.stub:
        return entry.stub
    said = list(_card(entry, entry.card)) if entry.card is not None else []
    title = with_stop(entry.card.title) if entry.card is not None else ""
    if entry.text and entry.text != title:
        said.insert(0, f"*{entry.text}*" if entry.mode == "me" else entry.text)
    if entry.card is None and entry.dice:
        said.append(f"[{_sum(entry)}]")
    if entry.odds is not None and entry.odds.judges:
        said.append(f"(had {_chance(entry.odds)})")
    if entry.typed:
        said.append("(real dice)")
    if entry.reason and entry.reason not in entry.text:
        said.append(f"Why: {entry.reason}")
    return " ".join(said)


def _sum(entry: Entry) -> str:
    """The dice and summands, if they are known."""
    dice = [_die(die) for die in entry.dice]
    if sum(piece for piece in entry.sum if isinstance(piece, int)) != len(dice):
        return ", ".join(dice)
    pieces = with_dice(entry.sum, dice)
    return " ".join(one if isinstance(one, str) else ", ".join(one) for one in pieces)


def _card(entry: Entry, card: Card) -> Iterator[str]:
    yield with_stop(f"{card.name}: {card.title}" if card.name else card.title)
    for side in card.sides:
        yield _side(side, [die for die in entry.dice if die.label == side.label])
    labels = {side.label for side in card.sides}
    loose = [die for die in entry.dice if die.label not in labels]
    if loose:
        yield f"[{', '.join(_die(die) for die in loose)}]"
    if card.sentence:
        yield with_stop(card.sentence)
    yield from (with_stop(line.text) for line in card.lines)
    if card.rules:
        yield f"({', '.join(card.rules)})"


def _side(side: Side, dice: list[SeenDie]) -> str:
    thrown = ", ".join(_die(die) for die in dice)
    sums = "".join(f" {_signed(part.value)} {part.name}" for part in side.parts)
    total = f" = {side.total}" if side.total is not None else ""
    word = f" {side.word}" if side.word and side.word not in thrown else ""
    shown = f"{thrown}{sums}{total}{word}".strip()
    return f"{side.name}: {shown}." if shown else f"{side.name}."


def _die(die: SeenDie) -> str:
    fate = "" if die.fate in _SPOKEN else f" {die.fate}"
    return f"{die.die} {die.face}{fate}"


def _signed(number: int) -> str:
    return f"+ {number}" if number >= 0 else f"- {-number}"


def _chance(odds: SeenOdds) -> str:
    """The chance of the good outcomes, with their labels.

    >>> from fractions import Fraction
    >>> bands = (("win", "wins", "good", Fraction(2, 3)), ("slip", "slips", "bad", Fraction(1, 3)))
    >>> _chance(SeenOdds(bands, Fraction(2, 3), "", counted=("wins",)))
    '67 %: wins'
    """
    of = " or ".join(label.partition(":")[0] for label in odds.counted)
    return f"{in_percent(odds.good)}: {of}" if of else in_percent(odds.good)
