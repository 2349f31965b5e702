"""Refusals of words from other programs, with the spellings to use here.

The programs are Roll20, Foundry, Avrae (the d20 library), rpg-dice-roller and Dice Maiden.
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
"""Words for advantage and disadvantage, with the modifier that keeps one of two d20."""

LIMITS = MappingProxyType({"min": "min", "mi": "min", "max": "max", "ma": "max"})
"""Words for the least and the greatest value of a die, including Avrae's."""

KEEPS = ("kh", "kl", "dh", "dl")

_ORDER = (
    "{word} is in the wrong place: after dice the order is reroll (ro, rr), explode (!), min and "
    "max, then either keep (kh, kl, dh, dl) or hits."
)
_CONDITION = re.compile(
    r"\s*(>=|<=|==|=|>|<)?\s*([0-9]{1,9}(?![0-9])(?!\s*[dwkt]\s*[\d%{f]))?", re.IGNORECASE
)
#: A number that does not count dice.
PLAIN_NUMBER = re.compile(r"\s*[0-9]{1,9}(?![0-9])(?!\s*[dwkt]\s*[\d%{f])", re.IGNORECASE)
_PHRASE = re.compile(
    r"(?:(?P<do>drop|keep)s?\s+)?(?:the\s+)?(?:(?P<before>\d{1,4})\s+)?"
    r"(?P<which>highest|lowest|best|worst)(?:\s+(?P<after>\d{1,4}))?(?![\w])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word after dice: its meanings in other programs, and spellings here with their meanings.

    In a spelling, ``{c}`` is the comparison sign after the word and ``{n}`` the number after it, or
    else ``default``.
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
            "k is read in two ways: Roll20, Foundry, rpg-dice-roller and Dice Maiden keep this "
            "many of the highest dice; Avrae keeps the dice that show the number.",
            (_HIGHEST, ("kl{n}", "to keep the lowest {n}")),
            "1",
        ),
        "d": _Word(
            "d after dice differs between programs: Roll20, Foundry, rpg-dice-roller and Dice "
            "Maiden drop the lowest dice, Avrae refuses it.",
            (_DROP_LOWEST, _DROP_HIGHEST),
            "1",
        ),
        "p": _Word(
            "p drops dice in Avrae and is unknown in Roll20, Foundry, rpg-dice-roller and Dice "
            "Maiden.",
            (_DROP_LOWEST, _DROP_HIGHEST),
            "1",
        ),
        "pl": _Word("pl drops the lowest dice in Avrae.", (_DROP_LOWEST,), "1"),
        "ph": _Word("ph drops the highest dice in Avrae.", (_DROP_HIGHEST,), "1"),
        "r": _Word(
            "r is read in two ways: Roll20 and rpg-dice-roller reroll for ever, Foundry and Dice "
            "Maiden reroll once, Avrae refuses it.",
            (("ro{c}{n}", "to throw again once"), ("rr{c}{n}", "to throw again for ever")),
            "1",
        ),
        "ir": _Word(
            "ir rerolls for ever in Dice Maiden, on a number or less.",
            (("rr<={n}", "to throw again for ever at {n} or less"),),
        ),
        "x": _Word(
            "x explodes in Foundry and is unknown in Roll20, Avrae, rpg-dice-roller and Dice "
            "Maiden; some people write it for multiplication.",
            (_EXPLODE_ON, _EXPLODE_FROM, _EXPLODE_IF, _EXPLODE),
        ),
        "xo": _Word(
            "xo explodes at most once in Foundry, which is impossible here.",
            (("!", "to explode again and again"),),
        ),
        "e": _Word(
            "e is read in two ways: Avrae explodes on exactly the number, Dice Maiden once on the "
            "number or more; Roll20 and rpg-dice-roller write !, Foundry writes x.",
            (_EXPLODE_ON, _EXPLODE_FROM, _EXPLODE_IF, _EXPLODE),
        ),
        "ie": _Word(
            "ie explodes again and again in Dice Maiden.",
            (_EXPLODE_FROM, _EXPLODE),
        ),
        "t": _Word("t counts dice in Dice Maiden.", (_HITS,)),
        "cs": _Word("cs counts successes in Foundry.", (_HITS_IF, _HITS, _HITS_ON)),
        "cf": _Word(
            "cf counts failures in Foundry but only marks fumbles in Roll20.",
            (_HITS_IF, _HITS_LOW, _HITS_ON),
        ),
        "df": _Word("df subtracts failures from successes in Foundry, which is impossible here."),
        "sf": _Word(
            "sf subtracts failed dice in Foundry, which is impossible here.", (_HITS_IF, _HITS_LOW)
        ),
        "f": _Word(
            "f subtracts failures in Roll20, Dice Maiden and rpg-dice-roller, is unknown in "
            "Foundry and Avrae, and is impossible here.",
            (_HITS_IF, _HITS_LOW),
        ),
        "b": _Word("b counts botches in Dice Maiden only.", (_HITS_LOW,), "1"),
        "ms": _Word(
            "ms gives the margin of success in Foundry only.",
            (("-{n}", "for the difference to {n}"),),
        ),
        "m": _Word("m marks matching dice in Roll20 only and changes no total.", _LEFT_OUT),
        "mt": _Word("mt counts matching dice in Roll20 only, which is impossible here."),
        **{
            word: _Word(
                f"{word} sorts dice in Roll20 and rpg-dice-roller and changes no total.", _LEFT_OUT
            )
            for word in ("s", "sa", "sd")
        },
        "ra": _Word(
            "ra adds one die in Avrae if the number shows, which is impossible here.",
            (("!{n}", "to explode on exactly {n}, again and again"),),
        ),
        "ea": _Word(
            "ea throws a d20 three times in Avrae and keeps the highest.",
        ),
    }
)
"""Words after dice in other programs."""


def fail_at_word(cursor: Cursor, dice: Dice | None = None, start: int = 0) -> NoReturn:
    """Refuse a word: in the wrong order after ``dice``, from another program, or unknown.

    ``start`` is the position of the dice.
    """
    token, text = cursor.token, cursor.text
    word = token.text
    limit = word in LIMITS and cursor.ahead.kind == "number"
    if limit or word in ("ro", "rr", "hits", *KEEPS):
        if dice is not None:
            cursor.fail("order", _ORDER.format(word=word))
        cursor.fail("misplaced", f"{word} must come directly after dice.", token, _moved(cursor))
    if word in ADVANTAGE:
        sentence = f"{word} adds a second d20 to the only d20 of a roll. Write it at the end"
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
        begins = len(text[: token.start].rstrip())
        label = f"[{text[token.start : token.end]}]"
        offers = (cursor.instead(begins, token.end, label, "with a label"),)
    cursor.fail("unknown-word", f"'{word}' is not a word of dice notation.", token, offers)


def _offers(cursor: Cursor, word: _Word, dice: Dice) -> tuple[Suggestion, ...]:
    """The suggestions for a word, with the typed comparison and number."""
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
        # The explosion would read the next token as its condition.
        if "!" in spelling and follows and (follows in "!<>=" or follows.isdecimal()):
            continue
        # A number on no face would be compared with the total.
        if "!" in spelling and "{n}" in spelling and number and int(number) not in dice.faces:
            continue
        if (comparator and "{c}" not in spelling) or ("{n}" in spelling and not number):
            continue
        words = {"n": number, "c": comparator}
        written = spelling.format(**words)
        found.append(cursor.instead(start, end, written, means.format(**words)))
    return tuple(found)


def _two_dice(cursor: Cursor, dice: Dice, start: int) -> tuple[Suggestion, ...]:
    """The suggestions for dice after dice: their sum, or the first as the number of the second."""
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
    """The suggestion to leave out brackets around dice before a modifier."""
    text, end = cursor.text, len(cursor.text[: cursor.token.start].rstrip())
    start = text.rfind("(", 0, end)
    if start < 0 or text[end - 1 : end] != ")" or ")" in text[start : end - 1]:
        return ()
    inner = text[start + 1 : end - 1]
    return (cursor.instead(start, end, inner, "without the brackets"),)


def fail_at_strict(cursor: Cursor) -> NoReturn:
    """Refuse ``>`` and ``<``, which include the number only in some programs."""
    token, number = cursor.token, cursor.ahead
    sign = token.text
    says = (
        f"'{sign}' is read in two ways: Roll20 includes the number, Foundry, Avrae and "
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
    """Refuse a bracket that is not closed."""
    if cursor.token.kind in ("end", "comment"):
        end = len(cursor.text[: cursor.token.start].rstrip())
        cursor.fail(
            "unclosed",
            f"This {start.text} is never closed: add a {closing}.",
            start,
            (cursor.instead(end, end, closing, "with it at the end"),),
        )
    if cursor.token.kind == "word":
        fail_at_word(cursor)
    cursor.fail("unexpected", f"{cursor.token.text} is unexpected: a {closing} is missing.")


def fail_at_part(cursor: Cursor) -> NoReturn:
    """Refuse a text in which a number or dice are missing."""
    token = cursor.token
    if token.kind in ("end", "comment"):
        cursor.fail("unfinished", "The roll is unfinished. Add a number or dice.")
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
        cursor.fail("label", "Write a label after its dice or number.", token, tuple(offers))
    if cursor.at("@"):
        cursor.fail("reference", "The values of a sheet are not known here. Write the number.")
    if cursor.at("%"):
        cursor.fail("sides", "Write % after a d: d% is a die from 1 to 100.")
    cursor.fail("unexpected", f"Write a number or dice here instead of {token.text!r}.")
