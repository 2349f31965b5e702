"""Comparisons and reads of symbolic numbers: the branches of the path and their weights."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, prod
from operator import mul
from typing import Any, cast

from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.lines import (
    MOST_ROWS,
    Amount,
    Finite,
    Group,
    Groups,
    HandedOver,
    LawLine,
    Line,
    Rows,
    Terms,
    divide,
    joined,
)
from kitchentable.dice.solving.marginals import (
    Values,
    add_up,
    marginal,
    own_line,
    own_spread,
)
from kitchentable.dice.solving.step import AT_LEAST_0, Option
from kitchentable.dice.solving.sums import convolve, new_table, scaled
from kitchentable.dice.solving.walk import Walk

# Up to this many joint values of several groups are listed; otherwise sums are convolved first.
FEW_ROWS = 2_000
# The largest degree of the denominator of several infinite laws that are added.
LONG = 300


class Situation:
    """The weight of a path and the conditional distributions of its symbolic numbers."""

    __slots__ = ("groups", "total", "walk", "weight")

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.weight, self.total, self.groups = walk.here()

    def group(self, name: int) -> Group:
        """The conditional distribution of one symbolic number."""
        known = self.groups[name]
        if isinstance(known, HandedOver):
            known.refuse()
        return known

    def hand_over(self, terms: Terms, to: HandedOver) -> Values:
        """Remove a linear form from the path for the call `to`; return its values and weights."""
        names = [one for name, _ in terms for one in self.group(name).names]
        values, weights = distribution(self, terms)
        self.weight *= sum(weights)
        self.groups = {**self.groups, **dict.fromkeys(names, to)}
        return values, weights

    def release(self, group: Group) -> None:
        """Divide the path's weight by a group's factor, before it is multiplied by a part's."""
        self.weight = divide(self.weight, group.mass)

    def cut(self, name: int, line: LawLine) -> Line:
        """Truncate an infinite support, and count its tail as unresolved."""
        finite, total, lost = line.cut()
        self.release(line)
        if lost:
            self.walk.lose(self.weight * lost, self.total)
        self.weight *= finite.mass
        self.total *= total
        self.groups = {**self.groups, name: finite}
        return finite

    def by_group(self, terms: Terms) -> list[tuple[Group, Terms]]:
        """The groups of the numbers in a linear form, each with its part of the form."""
        touched: dict[int, tuple[Group, list[tuple[int, int]]]] = {}
        for term in terms:
            group = self.group(term[0])
            touched.setdefault(id(group), (group, []))[1].append(term)
        return [(group, tuple(part)) for group, part in touched.values()]

    def parts(self, terms: Terms) -> list[tuple[Finite, Terms]]:
        """The groups as in `by_group`, with infinite ones truncated."""
        if len(terms) == 1:  # by far the most common case
            only = self.group(terms[0][0])
            return [(self.cut(terms[0][0], only) if isinstance(only, LawLine) else only, terms)]
        return [
            (self.cut(part[0][0], group) if isinstance(group, LawLine) else group, part)
            for group, part in self.by_group(terms)
        ]


def _merged(parts: list[tuple[Finite, Terms]], terms: Terms) -> Line | Rows:
    """One group for a linear form over several groups, or over a line that is too coarse.

    Lines are convolved. Joint rows are used if they are needed and few enough.
    """
    known = [_spread_alone(*one) if len(parts) > 1 else own_spread(*one) for one in parts]
    if None in known:
        few = prod([group.size for group, _ in parts]) <= FEW_ROWS
        if not few:
            known = [
                one or marginal(group, part)
                for one, (group, part) in zip(known, parts, strict=True)
            ]
        if few or (None in known and _few_or_one(parts)):
            return joined([group.rows() for group, _ in parts])
    spreads = [
        one or group.rows().spread(part) for (group, part), one in zip(parts, known, strict=True)
    ]
    return add_up(terms, [group for group, _ in parts], spreads)


def _spread_alone(group: Finite, part: Terms) -> Values | None:
    """The distribution of a linear form of a line, or of all numbers of a group."""
    if len(part) == len(group.names) and group.size <= MOST_ROWS:
        return own_spread(group, part) or group.rows().spread(part)
    return own_spread(group, part)


def _few_or_one(parts: list[tuple[Finite, Terms]]) -> bool:
    """Whether to use joint rows: there is nothing to convolve, or there are few rows."""
    return len(parts) == 1 or prod([len(group.rows().table) for group, _ in parts]) <= FEW_ROWS


def _group_for(situation: Situation, terms: Terms) -> tuple[Line | Rows, int]:
    """The group with the distribution of a linear form, released, and its factor.

    The form of the line times the factor is the given form; rows take the given form itself.
    """
    parts = situation.parts(terms)
    if len(parts) == 1:
        own = own_line(*parts[0])
        if own is not None:
            situation.release(own[0])
            return own
    factor = gcd(*(factor for _, factor in terms))
    if factor != 1:
        terms = tuple((name, one // factor) for name, one in terms)
        parts = situation.parts(terms)
    for group, _ in parts:
        situation.release(group)
    return _merged(parts, terms), factor


def _divided(
    line: Line | LawLine, factor: int, question: str, const: int
) -> tuple[Line | LawLine | None, Line | LawLine | None]:
    """The parts of a line with the answers Yes and No, for its value times factor plus const."""
    if question == AT_LEAST_0:
        if factor > 0:
            return line.at_least(-(const // factor))
        above, below = line.at_least(const // -factor + 1)
        return below, above
    value, rest = divmod(-const, factor)
    if rest:
        return None, line.at_least(line.values[0] if isinstance(line, Line) else line.start)[0]
    return line.equal(value)


def with_group(known: Groups, group: Group) -> Groups:
    """The conditional distributions with one more group."""
    if len(group.names) == 1:
        return {**known, group.names[0]: group}
    return {**known, **dict.fromkeys(group.names, group)}


def ask(walk: Walk, question: str, terms: Terms, const: int) -> bool:
    """Whether a linear form is at least 0, or equals 0: the paths branch by the answer."""
    request = (question, terms, const)
    script = walk.script
    while True:
        pos = walk.pos
        if pos < len(script) and script[pos].request == request:
            walk.pos = pos + 1
            return script[pos].value  # type: ignore[no-any-return]
        # The same question on the same path has the same answer.
        for step in script[:pos]:
            if step.request == request:
                return step.value  # type: ignore[no-any-return]
        if not _read_first(walk, terms):
            break
    if pos < len(script):
        walk.differs(script[pos], request)
    return walk.branch(request, *answers(walk, question, terms, const))  # type: ignore[no-any-return]


def _read_first(walk: Walk, terms: Terms) -> bool:
    """Read a number of a linear form before a question, if this saves many rows.

    A number that is compared with one throw after the other, like the point in craps, would depend
    on all these throws together. After it is read, each question involves one throw. Returns
    whether a number was read.
    """
    if len(terms) == 1:
        return False
    pos, script = walk.pos, walk.script
    if pos < len(script):
        again = any(script[pos].request == _reading(name) for name, _ in terms)
        walk.pos += again
        return again
    entangled = _entangled(Situation(walk), terms)
    if entangled is None:
        return False
    read(walk, ((entangled, 1),), 0)
    return True


def _entangled(situation: Situation, terms: Terms) -> int | None:
    """A number of a form that needs rows, of which there are too many with those of the others."""
    groups = situation.by_group(terms)
    parts = [(group, part) for group, part in groups if not isinstance(group, LawLine)]
    if len(parts) == 1 or prod([group.size for group, _ in parts]) <= FEW_ROWS:
        return None
    for group, part in parts:
        if _spread_alone(group, part) is None and marginal(group, part) is None:
            return part[0][0]
    return None


def _reading(name: int) -> Any:
    """The request that reads one number."""
    return ("read", ((name, 1),), 0)


def read(walk: Walk, terms: Terms, const: int) -> int:
    """Read the value of a linear form: the paths branch over its support."""
    request = ("read", terms, const)
    step = walk.known(request)
    if step is not None:
        return step.value  # type: ignore[no-any-return]
    return walk.branch(request, *values(walk, terms, const))  # type: ignore[no-any-return]


def answers(walk: Walk, question: str, terms: Terms, const: int) -> tuple[list[Option], int]:
    """The options Yes and No of a comparison, and the total of their weights."""
    situation = Situation(walk)
    only = situation.group(terms[0][0]) if len(terms) == 1 else None
    divided: tuple[Group | None, Group | None]
    if only is not None and not isinstance(only, Rows) and only.form == ((terms[0][0], 1),):
        situation.release(only)
        divided = _divided(only, terms[0][1], question, const)
    else:
        group, factor = _group_for(situation, terms)
        if isinstance(group, Rows):
            divided = group.divided(terms, const, at_least=question == AT_LEAST_0)
        else:
            divided = _divided(group, factor, question, const)
    weight, known = situation.weight, situation.groups
    yes, no = divided
    options: list[Option] = []
    if yes is not None:
        options.append((True, weight * yes.mass, with_group(known, yes)))
    if no is not None:
        options.append((False, weight * no.mass, with_group(known, no)))
    return options, situation.total


def values(walk: Walk, terms: Terms, const: int) -> tuple[list[Option], int]:
    """The options of reading a linear form, one for each value, and the total of their weights."""
    situation = Situation(walk)
    group, factor = _group_for(situation, terms)
    pieces: Iterable[tuple[int, Finite]]
    if isinstance(group, Rows):
        pieces = group.pieces(terms)
    else:
        pieces = ((factor * value, group.at(at)) for at, value in enumerate(group.values))
    options: list[Option] = []
    for value, part in pieces:
        groups = with_group(situation.groups, part)
        if isinstance(part, Rows) and len(terms) == 1:
            groups = {**groups, **part.apart(terms[0][0])}
        options.append((value + const, situation.weight * part.mass, groups))
    return options, situation.total


def distribution(situation: Situation, terms: Terms) -> tuple[Sequence[int], Sequence[int]]:
    """The values of a linear form and their weights, divided out of the path's weight."""
    group, factor = _group_for(situation, terms)
    return (
        group.spread(terms)
        if isinstance(group, Rows)
        else scaled((group.values, group.weights), factor)
    )


class Ending:
    """A sum returned by paths: its summands with factors, and the constants of each path.

    `added` maps each total to the added constants, with weights over the total.
    """

    __slots__ = ("added", "summands")

    def __init__(self, summands: list[tuple[Line, int]]) -> None:
        self.summands = summands
        self.added: dict[int, dict[int, Amount]] = defaultdict(new_table)

    def spread(self) -> Values:
        """The values of the sum and their weights."""
        whole: Values = ([0], [1])
        for line, factor in self.summands:
            whole = convolve(whole, scaled((line.values, line.weights), factor))
        return whole


def end(walk: Walk, terms: Terms, const: int) -> bool:
    """Record a returned sum of independent lines, to be convolved once for all such paths.

    Returns False if the path must list the number itself: the sum has a closed form with infinite
    support, or the summands are not independent lines.
    """
    situation = Situation(walk)
    groups = [situation.group(name) for name, _ in terms]
    apart = all(
        not isinstance(group, Rows) and group.form == ((name, 1),)
        for group, (name, _) in zip(groups, terms, strict=True)
    )
    if not apart or _closed_laws(situation, terms):
        return False
    summands: list[tuple[Line, int]] = []
    for group, ((_, factor),) in situation.parts(terms):
        situation.release(group)
        summands.append((cast("Line", group), factor))
    key = tuple([(id(line.values), id(line.weights), factor) for line, factor in summands])
    ending = walk.endings.setdefault(key, Ending(summands))
    ending.added[situation.total][const] += situation.weight
    return True


def _closed_laws(situation: Situation, terms: Terms) -> dict[int, LawLine]:
    """The infinite lines of a returned form by name; empty unless the sum has a closed form.

    Adding the laws of many paths multiplies their denominators, so several laws are multiplied only
    if the mechanic has a single path.
    """
    laws = {name: line for name, _ in terms if type(line := situation.group(name)) is LawLine}
    factors = [factor for name, factor in terms if name in laws]
    if min(factors, default=0) < 1 or any(line.stop is not None for line in laws.values()):
        return {}
    alone = not any(step.options for step in situation.walk.script)
    degree = sum([f * len(laws[n].law.under) for n, f in terms if n in laws])
    return laws if factors == [1] or (alone and degree <= LONG) else {}


def outcome(
    walk: Walk, terms: Terms, const: int, *, endless: bool = True
) -> tuple[Sequence[int], Sequence[Amount], int, tuple[Fraction, GeneratingFunction] | None]:
    """The distribution of a returned number: values, weights, their total, and a law.

    With `endless` false, an infinite support is truncated.
    """
    situation = Situation(walk)
    laws = _closed_laws(situation, terms) if endless else {}
    if laws:
        for line in laws.values():
            situation.release(line)
        law = reduce(mul, [laws[n].restricted().stretched(f) for n, f in terms if n in laws])
        rest = tuple(term for term in terms if term[0] not in laws)
        if rest:
            table = dict(zip(*distribution(situation, rest), strict=True))
            law *= polynomial(table, 1)
        share = Fraction(situation.weight) / situation.total
        return [], [], situation.total, (share, law.moved(const))
    values, weights = distribution(situation, terms)
    weight = situation.weight
    return (
        [value + const for value in values],
        weights if weight == 1 else [weight * one for one in weights],
        situation.total,
        None,
    )
