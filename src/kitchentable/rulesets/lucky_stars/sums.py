"""Sums of modifiers, derived numbers, and their rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor
from typing import Any, TypeAlias

from kitchentable.dice.errors import BadInput
from kitchentable.rules import Part
from kitchentable.rules.values import record

#: Gives the value of a name in a formula; None for an unknown name.
Numbers: TypeAlias = Callable[[str], int | None]

# Possessive matching of blanks, so that a line of them takes linear time.
_TERM = re.compile(
    r"\s*+(?P<sign>[+\-\u2212])?\s*+"
    r"(?P<number>\u00bd|half|\d{1,4}(?:[./]\d{1,4})?)?\s*+\*?\s*+"
    r"(?P<name>(?!half\b)[^\W\d_](?:[\w' ]*\w)?)?\s*+(?=[+\-\u2212]|$)",
    re.IGNORECASE,
)


class BadFormula(BadInput):
    """A value that is neither a number nor a sum of stats."""

    code = "stars/bad-formula"


@record
class Term:
    """A term of a formula: a factor, and its stat, or "" for a plain number."""

    factor: Fraction
    name: str = ""


@record
class Effect:
    """A change of a roll or a target: name, worth, wording.

    `wording` is "bonus", "penalty" or "modifier" (stars.1-modifier), or "" for other effects, such
    as a roll's stat.
    """

    name: str
    value: Fraction
    wording: str = "modifier"

    @property
    def counts(self) -> Fraction:
        """The value that counts: each effect is clamped by its wording before any sum.

        stars.1-bonus-clamp, stars.1-penalty-clamp, stars.1-modifier-both, stars.1-clamp-each.

        >>> [Effect("", Fraction(-2), w).counts for w in ("bonus", "penalty", "modifier")]
        [Fraction(0, 1), Fraction(-2, 1), Fraction(-2, 1)]
        """
        if self.wording == "bonus":
            return max(self.value, Fraction(0))
        if self.wording == "penalty":
            return min(self.value, Fraction(0))
        return self.value


Effects: TypeAlias = tuple[Effect, ...]


def read_formula(text: str) -> tuple[Term, ...]:
    """Read the terms of a formula as people write it. Errors: BadFormula.

    >>> read_formula("1/2 Level + half Will")
    (Term(factor=Fraction(1, 2), name='Level'), Term(factor=Fraction(1, 2), name='Will'))
    >>> read_formula("-2")
    (Term(factor=Fraction(-2, 1), name=''),)
    """
    terms: list[Term] = []
    at = 0
    while at < len(text.rstrip()):
        found = _TERM.match(text, at)
        if found is None or not (found["number"] or found["name"]) or (terms and not found["sign"]):
            raise BadFormula(
                f"{text!r} cannot be added up. A value is a number such as -2 or 1/2, a stat "
                "such as Will, or a sum of these such as 1/2 Level + 1/2 Will."
            )
        factor = _number(found["number"]) if found["number"] else Fraction(1)
        minus = found["sign"] in {"-", "\N{MINUS SIGN}"}
        terms.append(Term(-factor if minus else factor, (found["name"] or "").strip()))
        at = found.end()
    if not terms:
        raise BadFormula("A value is missing: a number, or a stat.")
    return tuple(terms)


def _number(text: str) -> Fraction:
    if text == "\u00bd" or text.casefold() == "half":
        return Fraction(1, 2)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise BadFormula("A number cannot be divided by 0.") from None


def worth(text: str, numbers: Numbers) -> Fraction:
    """The value of a formula, unrounded (stars.4.3-round-end). Errors: BadFormula.

    >>> worth("1/2 Level + 1/2 Will", {"Level": 3, "Will": 2}.get)
    Fraction(5, 2)
    """
    total = Fraction(0)
    for term in read_formula(text):
        value = 1 if not term.name else numbers(term.name)
        if value is None:
            raise BadFormula(f"There is no stat called {term.name}.")
        total += term.factor * value
    return total


def added(effects: Effects) -> int:
    """The sum of all effects, rounded down once at the end, even below zero (S12).

    stars.4.3-round-down.

    >>> [added((Effect("", Fraction(n, 2)),)) for n in (5, 9, -1)]
    [2, 4, -1]
    >>> added((Effect("a", Fraction(1, 2)), Effect("b", Fraction(1, 2))))
    1
    """
    return floor(sum((one.counts for one in effects), Fraction(0)))


def parts(effects: Effects) -> tuple[Part, ...]:
    """Each effect by name; halves are listed together, with their rounded sum.

    The parts add up to `added`. Positive ones are bonuses, negative ones penalties
    (stars.1-modifier).

    >>> half = Fraction(1, 2)
    >>> parts((Effect("Rope", Fraction(2)), Effect("Rain", -half), Effect("Song", half / 2)))
    (Part(name='Rope (bonus)', value=2),
    Part(name='Rain (penalty) -1/2, Song (bonus) 1/4, rounded down', value=-1))
    """
    whole = [one for one in effects if one.counts.denominator == 1]
    broken = [one for one in effects if one.counts.denominator != 1]
    told = [Part(label_of(one), int(one.counts)) for one in whole]
    if broken:
        names = ", ".join(f"{label_of(one)} {one.counts}" for one in broken)
        rest = added(effects) - sum(part.value for part in told)
        told.append(Part(f"{names}, rounded down", rest))
    return tuple(told)


def label_of(effect: Effect) -> str:
    """An effect's name with its kind: a bonus, a penalty, or clamped to 0 by its wording.

    stars.1-modifier.

    >>> label_of(Effect("Rope", Fraction(2))), label_of(Effect("Rain", Fraction(-2)))
    ('Rope (bonus)', 'Rain (penalty)')
    >>> label_of(Effect("Will", Fraction(-2), "bonus")), label_of(Effect("Will", Fraction(-2), ""))
    ('Will (a bonus is never below 0)', 'Will')
    """
    if effect.counts != effect.value:
        end = "bonus is never below" if effect.wording == "bonus" else "penalty is never above"
        return f"{effect.name} (a {end} 0)"
    if not effect.wording or not effect.value:
        return effect.name
    return f"{effect.name} ({'bonus' if effect.value > 0 else 'penalty'})"


def read_effect(row: Mapping[str, Any], numbers: Numbers) -> Effect:
    """Read an effect from a row of a form: name, value, wording. Errors: BadFormula."""
    name = str(row.get("name") or "").strip()
    return Effect(
        name or str(row.get("value")),
        worth(str(row.get("value") or ""), numbers),
        str(row.get("wording") or "modifier"),
    )
