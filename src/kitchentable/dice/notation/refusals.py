"""Words that tables read differently: their meanings elsewhere, and the spellings used here.

The readings are those of Roll20, Foundry, Avrae (the d20 library), rpg-dice-roller and Dice Maiden.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.errors import Suggestion
from kitchentable.dice.notation.tokens import Token, as_note
from kitchentable.dice.notation.tree import Dice

ADVANTAGE = MappingProxyType(
    {"adv": "kh", "advantage": "kh", "dis": "kl", "disadv": "kl", "disadvantage": "kl"}
)
"""The words for throwing a second d20: word -> which of the two counts."""

LIMITS = MappingProxyType({"min": "min", "mi": "min", "max": "max", "ma": "max"})
"""The words for the least and the most that a die counts for, with Avrae's spelling."""

KEEPS = ("kh", "kl", "dh", "dl")

_ORDER = (
    "{word} cannot stand here: after dice the order is reroll (ro, rr), explode (!), min and max, "
    "and then either keep (kh, kl, dh, dl) or hits."
)
_CONDITION = re.compile(
    r"\s*(>=|<=|==|=|>|<)?\s*([0-9]{1,9}(?![0-9])(?!\s*[dwkt]\s*[\d%{f]))?", re.IGNORECASE
)
#: A number that is not the number of some dice.
PLAIN_NUMBER = re.compile(r"\s*[0-9]{1,9}(?![0-9])(?!\s*[dwkt]\s*[\d%{f])", re.IGNORECASE)
_PHRASE = re.compile(
    r"(?:(?P<do>drop|keep)s?\s+)?(?:the\s+)?(?:(?P<before>\d{1,4})\s+)?"
    r"(?P<which>highest|lowest|best|worst)(?:\s+(?P<after>\d{1,4}))?(?![\w])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word behind dice: its readings elsewhere, and pairs of a spelling here and its meaning.

    In the spellings ``{c}`` stands for the comparison sign that follows the word, ``{n}`` for the
    number, which is ``default`` where none is typed.
    """

    says: str
    offers: tuple[tuple[str, str], ...] = ()
    default: str = ""


_HIGHEST = ("kh{n}", "to keep the highest {n}")
_DROP_LOWEST = ("dl{n}", "to drop the lowest {n}")
_DROP_HIGHEST = ("dh{n}", "to drop the highest {n}")
_EXPLODE = ("!", "to explode on the highest face")
_EXPLODE_FROM = ("!>={n}", "to explode at {n} or more")
_EXPLODE_ON = ("!{n}", "to explode on exactly {n}")
_EXPLODE_IF = ("!{c}{n}", "to explode")
_HITS = (" hits>={n}", "to count the dice that show {n} or more")
_HITS_LOW = (" hits<={n}", "to count the dice that show {n} or less")
_HITS_ON = (" hits={n}", "to count the dice that show exactly {n}")
_HITS_IF = (" hits{c}{n}", "to count the dice that show it")
_LEFT_OUT = (("", "without it"),)

WORDS: Mapping[str, _Word] = MappingProxyType(
    {
        "k": _Word(
            "k is read in two ways: Roll20, Foundry, rpg-dice-roller and Dice Maiden keep the "
            "highest dice, as many as the number says; Avrae keeps the dice that show the number.",
            (_HIGHEST, ("kl{n}", "to keep the lowest {n}")),
            "1",
        ),
        "d": _Word(
            "d after dice is not the same everywhere: Roll20, Foundry, rpg-dice-roller and Dice "
            "Maiden drop the lowest dice, Avrae refuses it.",
            (_DROP_LOWEST, _DROP_HIGHEST),
            "1",
        ),
        "p": _Word(
            "p is Avrae's word for dropping dice and unknown to Roll20, Foundry, rpg-dice-roller "
            "and Dice Maiden.",
            (_DROP_LOWEST, _DROP_HIGHEST),
            "1",
        ),
        "pl": _Word("pl is Avrae's spelling.", (_DROP_LOWEST,), "1"),
        "ph": _Word("ph is Avrae's spelling.", (_DROP_HIGHEST,), "1"),
        "r": _Word(
            "r is read in two ways: Roll20 and rpg-dice-roller throw again for ever, Foundry and "
            "Dice Maiden throw again once, Avrae refuses it.",
            (("ro{c}{n}", "to throw again once"), ("rr{c}{n}", "to throw again for ever")),
            "1",
        ),
        "ir": _Word(
            "ir is Dice Maiden's spelling of throwing again for ever at a number or less.",
            (("rr<={n}", "to throw again for ever at {n} or less"),),
        ),
        "x": _Word(
            "x explodes in Foundry, is unknown to Roll20, Avrae, rpg-dice-roller and Dice Maiden, "
            "and some write it for times.",
            (_EXPLODE_ON, _EXPLODE_FROM, _EXPLODE_IF, _EXPLODE),
        ),
        "xo": _Word(
            "xo explodes at most once in Foundry; that has no spelling here.",
            (("!", "to explode again and again"),),
        ),
        "e": _Word(
            "e is read in two ways: Avrae explodes on exactly the number, Dice Maiden once at the "
            "number or more; Roll20 and rpg-dice-roller write !, Foundry writes x.",
            (_EXPLODE_ON, _EXPLODE_FROM, _EXPLODE_IF, _EXPLODE),
        ),
        "ie": _Word(
            "ie is Dice Maiden's spelling of exploding again and again.",
            (_EXPLODE_FROM, _EXPLODE),
        ),
        "t": _Word("t is Dice Maiden's spelling of counting dice.", (_HITS,)),
        "cs": _Word("cs is Foundry's word for counting successes.", (_HITS_IF, _HITS, _HITS_ON)),
        "cf": _Word(
            "cf counts failures in Foundry and only marks fumbles in Roll20.",
            (_HITS_IF, _HITS_LOW, _HITS_ON),
        ),
        "df": _Word("df takes failures from successes in Foundry; that has no spelling here."),
        "sf": _Word(
            "sf subtracts failed dice in Foundry; that has no spelling here.", (_HITS_IF, _HITS_LOW)
        ),
        "f": _Word(
            "f subtracts failures in Roll20, Dice Maiden and rpg-dice-roller; Foundry and Avrae do "
            "not know it, and it has no spelling here.",
            (_HITS_IF, _HITS_LOW),
        ),
        "b": _Word("b counts botches in Dice Maiden only.", (_HITS_LOW,), "1"),
        "ms": _Word(
            "ms gives the margin of success in Foundry only.",
            (("-{n}", "for the difference to {n}"),),
        ),
        "m": _Word("m marks matching dice in Roll20 only and changes no total.", _LEFT_OUT),
        "mt": _Word("mt counts matching dice in Roll20 only; that has no spelling here."),
        "s": _Word("s sorts dice in Roll20 and rpg-dice-roller and changes no total.", _LEFT_OUT),
        "sa": _Word("sa sorts dice in Roll20 and rpg-dice-roller and changes no total.", _LEFT_OUT),
        "sd": _Word("sd sorts dice in Roll20 and rpg-dice-roller and changes no total.", _LEFT_OUT),
        "ra": _Word(
            "ra adds one die in Avrae when the number shows; that has no spelling here.",
            (("!{n}", "to explode on exactly {n}, again and again"),),
        ),
        "ea": _Word(
            "ea throws a d20 three times and keeps the highest in Avrae.",
        ),
    }
)
"""Words that stand after dice in some dialect."""


def fail_at_word(cursor: Cursor, dice: Dice | None = None, start: int = 0) -> NoReturn:
    """Refuse a word: out of order behind ``dice``, known from another table, or unknown.

    ``start`` is the place where the dice begin.
    """
    token, text = cursor.token, cursor.text
    word = token.text
    limit = word in LIMITS and cursor.ahead.kind == "number"
    if limit or word in ("ro", "rr", "hits", *KEEPS):
        if dice is not None:
            cursor.fail("order", _ORDER.format(word=word))
        cursor.fail("misplaced", f"{word} belongs directly behind dice.", token, _moved(cursor))
    if word in ADVANTAGE:
        sentence = f"{word} throws a second d20 beside the one d20 of a roll, and stands behind it"
        cursor.fail("advantage", f"{sentence}, as in 1d20+5 {word}.")
    found = WORDS.get(word)
    if found is not None:
        offers = _offers(cursor, found, dice) if dice is not None else ()
        if word == "x" and dice is not None:
            offers = (*offers, cursor.instead(token.start, token.end, "*", "to multiply"))
        if word == "d" and dice is not None:
            offers += _two_dice(cursor, dice, start)
        match = _CONDITION.match(text, token.end)
        typed = text[token.start : match.end() if match and match[2] else token.end]
        cursor.fail("dialect", typed + found.says.removeprefix(word), token, offers)
    phrase = _PHRASE.match(text, token.start)
    offers = as_note(text, token.start)
    if phrase is not None:
        offers = (*_phrased(cursor, phrase), *offers)
    signed = text[token.end :].lstrip()[:1] in ("+", "-", "*", "/", ")", ",", "}")
    if not offers and signed and text[token.start - 1 : token.start].isspace():
        end = token.end
        begins = len(text[: token.start].rstrip())
        offers = (cursor.instead(begins, end, f"[{text[token.start : end]}]", "with a label"),)
    cursor.fail("unknown-word", f"'{word}' is not a word of dice notation.", token, offers)


def _offers(cursor: Cursor, word: _Word, dice: Dice) -> tuple[Suggestion, ...]:
    """The spellings of a word here, with the comparison and the number that were typed."""
    start, behind = cursor.token.start, cursor.token.end
    match = _CONDITION.match(cursor.text, behind)
    comparator = (match and match[1]) or ""
    number = (match and match[2]) or word.default
    end = match.end() if match is not None and match[2] else behind
    found: list[Suggestion] = []
    follows = cursor.text[end:].lstrip()[:1]
    if follows.isdecimal() and cursor.text[end].isdecimal():
        return ()
    for spelling, means in word.offers:
        # An explosion would take what follows for its own condition.
        if "!" in spelling and follows and (follows in "!<>=" or follows.isdecimal()):
            continue
        # A number that no die shows would be compared with the total.
        if "!" in spelling and "{n}" in spelling and number and int(number) not in dice.faces:
            continue
        if (comparator and "{c}" not in spelling) or ("{n}" in spelling and not number):
            continue
        words = {"n": number, "c": comparator}
        written = spelling.format(**words)
        found.append(cursor.instead(start, end, written, means.format(**words)))
    return tuple(found)


def _two_dice(cursor: Cursor, dice: Dice, start: int) -> tuple[Suggestion, ...]:
    """For dice right behind dice: both added, or the first as the number of the second."""
    end = cursor.token.start
    fewer = cursor.ahead.kind == "number" and int(cursor.ahead.text) < dice.count
    if fewer or (cursor.last.kind == "number" and dice != Dice(dice.count, dice.sides)):
        return ()
    first = cursor.text[start:end].strip()
    return (
        cursor.instead(end, end, "+", "to add both"),
        cursor.instead(start, end, f"({first})", "to throw as many as the first show"),
    )


def _phrased(cursor: Cursor, phrase: re.Match[str]) -> tuple[Suggestion, ...]:
    number = phrase["before"] or phrase["after"] or "1"
    high = phrase["which"].lower() in ("highest", "best")
    verb = (phrase["do"] or "keep").lower()
    written = f"{verb[0]}{'h' if high else 'l'}{number}"
    means = f"to {verb} the {'highest' if high else 'lowest'} {number}"
    return (cursor.instead(cursor.token.start, phrase.end(), written, means),)


def _moved(cursor: Cursor) -> tuple[Suggestion, ...]:
    """The text without the round brackets that stand between dice and their modifier."""
    text, end = cursor.text, len(cursor.text[: cursor.token.start].rstrip())
    start = text.rfind("(", 0, end)
    if start < 0 or text[end - 1 : end] != ")" or ")" in text[start : end - 1]:
        return ()
    inner = text[start + 1 : end - 1]
    return (cursor.instead(start, end, inner, "without the brackets"),)


def fail_at_strict(cursor: Cursor) -> NoReturn:
    """Refuse ``>`` and ``<``, which include the number at some tables only."""
    token, number = cursor.token, cursor.ahead
    sign = token.text
    says = (
        f"'{sign}' is read in two ways: Roll20 includes the number behind it, Foundry, Avrae and "
        "rpg-dice-roller do not."
    )
    if PLAIN_NUMBER.match(cursor.text, token.end) is None:
        equal = cursor.instead(token.start, token.end, f"{sign}=", "where equal is enough")
        cursor.fail("strict", says, token, (equal,))
    value = int(number.text)
    beyond = value + 1 if sign == ">" else value - 1
    tail = "or more" if sign == ">" else "or less"
    offers = tuple(
        cursor.instead(token.start, number.end, f"{sign}={limit}", f"for {limit} {tail}")
        for limit in (value, beyond)
        if limit >= 0
    )
    cursor.fail("strict", says, token, offers)


def fail_at_open(cursor: Cursor, start: Token, closing: str) -> NoReturn:
    """Refuse a bracket that is not closed where it could be."""
    if cursor.token.kind in ("end", "comment"):
        end = len(cursor.text[: cursor.token.start].rstrip())
        cursor.fail(
            "unclosed",
            f"This {start.text} is never closed; a {closing} is missing.",
            start,
            (cursor.instead(end, end, closing, "with it at the end"),),
        )
    if cursor.token.kind == "word":
        fail_at_word(cursor)
    cursor.fail("unexpected", f"{cursor.token.text} has no place here; a {closing} is missing.")


def fail_at_part(cursor: Cursor) -> NoReturn:
    """Say what is wrong where a number or dice should stand."""
    token = cursor.token
    if token.kind in ("end", "comment"):
        cursor.fail("unfinished", "The roll ends too early: a number or dice should follow.")
    if token.kind == "word":
        fail_at_word(cursor)
    if token.kind == "label":
        written = cursor.text[token.start + 1 : token.end - 1]
        offers = [cursor.instead(token.start, token.end, written, "without the brackets")]
        behind = cursor.text[token.end :].strip()
        if behind:
            label = cursor.text[token.start : token.end]
            moved = cursor.instead(
                token.start, len(cursor.text), f"({behind}){label}", "with its label"
            )
            offers.append(moved)
        cursor.fail("label", "A label stands behind its dice or number.", token, tuple(offers))
    if cursor.at("@"):
        cursor.fail("reference", "The values of a sheet are not known here; write the number.")
    if cursor.at("%"):
        cursor.fail("sides", "% stands behind a d, for the numbers 1 to 100.")
    cursor.fail("unexpected", f"A number or dice should stand here instead of {token.text!r}.")
