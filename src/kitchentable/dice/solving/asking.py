"""Questions about covered numbers: what divides the paths, and with which weights."""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from kitchentable.dice.solving.covered import AT_LEAST_0
from kitchentable.dice.solving.law import Law, polynomial
from kitchentable.dice.solving.lines import (
    Amount,
    Finite,
    Group,
    LawLine,
    Line,
    Rows,
    Terms,
    divide,
    fresh_law_line,
)
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.step import Option
from kitchentable.dice.solving.sums import convolve, scaled

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


class Situation:
    """A path's weight and what is known of its covered numbers, while a question is answered."""

    __slots__ = ("groups", "total", "walk", "weight")

    def __init__(self, walk: "Walk") -> None:
        self.walk = walk
        if walk.script:
            last = walk.script[-1]
            self.weight, self.total, self.groups = last.weight, last.total, last.groups
        else:
            self.weight, self.total, self.groups = 1, 1, {}

    def group(self, name: int) -> Group:
        """What is known of one covered number."""
        known = self.groups.get(name)
        return self.walk.script[name].base if known is None else known

    def release(self, group: Group) -> None:
        """Take a group's factor out of the path's weight, to put in the part that agrees."""
        if group.charged:
            self.weight = divide(self.weight, group.mass)
        elif isinstance(group, Line):
            self.total *= group.total

    def cut(self, name: int, line: LawLine) -> Line:
        """Make an endless number finite; what lies beyond becomes unresolved."""
        finite, lost = line.cut()
        if line.charged:
            self.weight = divide(self.weight, line.mass)
        if lost:
            self.walk.lose(self.weight * lost, self.total)
        self.weight *= finite.mass
        self.total *= finite.total
        finite.charged = True
        self.groups = {**self.groups, name: finite}
        return finite

    def parts(self, terms: Terms) -> list[tuple[Finite, Terms]]:
        """The groups that a form touches, each with its part of the form; endless ones are cut."""
        touched: dict[int, tuple[Finite, list[tuple[int, int]]]] = {}
        for name, factor in terms:
            group = self.group(name)
            finite = self.cut(name, group) if isinstance(group, LawLine) else group
            touched.setdefault(id(finite), (finite, []))[1].append((name, factor))
        return [(finite, tuple(part)) for finite, part in touched.values()]


def _factor(part: Terms, form: Terms) -> int | None:
    """The whole number that makes the line's form this part, if there is one."""
    if len(part) != len(form):
        return None
    factor, rest = divmod(part[0][1], form[0][1])
    if rest or any(
        name != other or have != factor * base
        for (name, have), (other, base) in zip(part, form, strict=True)
    ):
        return None
    return factor


def _spread(group: Finite, part: Terms) -> tuple[Sequence[int], Sequence[int]]:
    """The distribution of a part of a form that lies in one group."""
    if isinstance(group, Line):
        factor = _factor(part, group.form)
        if factor is not None:
            return scaled((group.values, group.weights), factor)
    return group.rows().spread(part)


def _one_line(situation: Situation, terms: Terms) -> tuple[Line, int]:
    """A line for a form, in a situation whose weight is without it; and the form's factor."""
    parts = situation.parts(terms)
    if len(parts) == 1 and isinstance(parts[0][0], Line):
        line = parts[0][0]
        factor = _factor(terms, line.form)
        if factor is not None:
            situation.release(line)
            return line, factor
    common = gcd(*(factor for _, factor in terms))
    if common != 1:
        terms = tuple((name, factor // common) for name, factor in terms)
        parts = situation.parts(terms)
    spread: tuple[Sequence[int], Sequence[int]] = ([0], [1])
    for group, part in parts:
        situation.release(group)
        spread = convolve(spread, _spread(group, part))
    values, weights = spread
    inner = tuple(group for group, _ in parts)
    return Line(terms, values, weights, 1, mass=sum(weights), charged=True, parts=inner), common


def _members(group: Group) -> list[int]:
    if isinstance(group, Rows):
        return list(group.names)
    if isinstance(group, Line) and group.parts:
        return [name for part in group.parts for name in _members(part)]
    return [name for name, _ in group.form]


def _divided(
    line: Line | LawLine, factor: int, question: str, const: int
) -> tuple[Line | LawLine | None, Line | LawLine | None]:
    """The parts of a line for which factor · value + const is at least 0 (or is 0), or not."""
    if question == AT_LEAST_0:
        if factor > 0:
            return line.at_least(-(const // factor))
        above, below = line.at_least(const // -factor + 1)
        return below, above
    value, rest = divmod(-const, factor)
    if rest:
        return None, line.at_least(line.values[0] if isinstance(line, Line) else line.start)[0]
    return line.equal(value)


def answers(walk: "Walk", question: str, terms: Terms, const: int) -> tuple[list[Option], int]:
    """The options Yes and No of a question, with weights over the total that is given back."""
    situation = Situation(walk)
    only = situation.group(terms[0][0])
    if len(terms) == 1 and isinstance(only, LawLine):
        situation.release(only)
        divided = _divided(only, terms[0][1], question, const)
    else:
        divided = _divided(*_one_line(situation, terms), question, const)
    options: list[Option] = []
    for truth, part in zip((True, False), divided, strict=True):
        if part is None:
            continue
        groups = dict(situation.groups)
        for name in _members(part):
            groups[name] = part
        options.append((truth, situation.weight * part.mass, groups))
    return options, situation.total


def values(walk: "Walk", terms: Terms, const: int) -> tuple[list[Option], int]:
    """The options of looking at a form: one for each of its values."""
    situation = Situation(walk)
    line, factor = _one_line(situation, terms)
    names = _members(line)
    options: list[Option] = []
    for at, value in enumerate(line.values):
        part = line.at(at)
        groups = {**situation.groups, **dict.fromkeys(names, part)}
        options.append((factor * value + const, situation.weight * part.mass, groups))
    return options, situation.total


def charged_line(form: Terms, spread: Spread) -> tuple[Group, Amount]:
    """The numbers of a choice point that has other outcomes too, as a line already chosen."""
    if spread.law is not None:
        line: Group = fresh_law_line(form, spread.law)
        line.charged = True
        return line, line.mass * spread.total
    line = Line(form, spread.values, spread.weights, spread.total, mass=spread.mass, charged=True)
    return line, spread.mass


def uncovered(walk: "Walk", spread: Spread, weight: Amount, total: int) -> Spread:
    """The same choice point with every number among its plain outcomes."""
    if spread.law is None:
        numbers = list(zip(spread.values, spread.weights, strict=True))
        return Spread([], [], [*spread.others, *numbers], spread.total)
    finite, lost = fresh_law_line(((0, 1),), spread.law).cut()
    if lost:
        walk.lose(weight * lost, total)
    others = [(value, part * finite.total) for value, part in spread.others]
    numbers = [
        (value, part * spread.total)
        for value, part in zip(finite.values, finite.weights, strict=True)
    ]
    return Spread([], [], [*others, *numbers], spread.total * finite.total)


def outcome(
    walk: "Walk", terms: Terms, const: int
) -> tuple[Sequence[int], Sequence[Amount], int, tuple[Fraction, Law] | None]:
    """A covered number as an outcome: values, weights over a total, and an endless part."""
    situation = Situation(walk)
    endless = [
        (line, name, factor)
        for name, factor in terms
        if isinstance(line := situation.group(name), LawLine)
    ]
    if len(endless) == 1 and endless[0][2] == 1 and endless[0][0].stop is None:
        line, name, _ = endless[0]
        situation.release(line)
        law = line.restricted()
        rest = tuple(term for term in terms if term[0] != name)
        if rest:
            other, factor = _one_line(situation, rest)
            table = dict(zip(*scaled((other.values, other.weights), factor), strict=True))
            law = law.times(polynomial(table, 1))
        moved = Law(law.low + const, law.over, law.under)
        return [], [], situation.total, (Fraction(situation.weight) / situation.total, moved)
    finite, factor = _one_line(situation, terms)
    values, weights = scaled((finite.values, finite.weights), factor)
    weight = situation.weight
    return (
        [value + const for value in values],
        weights if weight == 1 else [weight * one for one in weights],
        situation.total,
        None,
    )
