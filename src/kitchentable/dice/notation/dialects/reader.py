"""The operator-precedence parser for all dialects, and the table of a dialect that drives it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import NoReturn, TypeAlias, TypeVar, cast

from kitchentable.dice.die import MOST_DICE, MOST_SIDES, AnyDie, Die
from kitchentable.dice.notation.cursor import DEEPEST
from kitchentable.dice.notation.dialects.checking import check_pool
from kitchentable.dice.notation.dialects.lowering import lower
from kitchentable.dice.notation.dialects.maths import whole
from kitchentable.dice.notation.dialects.nodes import (
    Apply,
    Exact,
    Many,
    Named,
    Pool,
    Score,
    Source,
    Step,
    Steps,
    Term,
    Total,
    nesting,
)
from kitchentable.dice.notation.dialects.spans import constant, span
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.play import FUDGE_DIE
from kitchentable.dice.notation.tokens import MOST_CHARACTERS, MOST_DIGITS
from kitchentable.dice.notation.tree import Plus

DEEPEST_TREE = 60

Match: TypeAlias = re.Match[str]
Built: TypeAlias = Step | Score | None
Arranged: TypeAlias = tuple[Steps, Score | None]
Modifier: TypeAlias = tuple[str, Callable[[Match, Source], Built]]
"""The pattern of a modifier, and the function that builds its step or score."""


@dataclass(frozen=True, slots=True)
class Infix:
    """An infix operator: its precedence, and its operation."""

    power: int
    name: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A dialect: its operators, its modifiers of dice, its functions, and its rounding.

    `arrange` puts the steps of a pool into the program's order. `primary` reads elements that no
    other dialect has. `braces` enclose a group, and `alone` reads a group of one part. `percent` is
    the die ``d%``, `fewest` the least number of dice. `finish` rounds a whole expression. In
    `computed` dialects, the numbers of dice and sides may be thrown.
    """

    key: str
    name: str
    infix: Mapping[str, Infix]
    arrange: Callable[[Sequence[Built]], Arranged]
    modifiers: tuple[Modifier, ...] = ()
    group_modifiers: tuple[Modifier, ...] = ()
    functions: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    signs: tuple[str, ...] = ("-", "+")
    prefix: int = 60
    percent: AnyDie = 100
    fudge: bool = True
    fewest: int = 1
    computed: bool = True
    decimals: bool = True
    label: str | None = r"\[([^\[\]]*)\]"
    finish: str = ""
    comment: str = r"#(.*)"
    primary: Callable[[Reader], Term | None] | None = None
    braces: str = ""
    alone: Callable[[Reader, Term, int], Pool] | None = None
    hints: Mapping[str, str] = field(default_factory=dict)


Result = TypeVar("Result")

_DICE_FIRST = re.compile(r"\d*d[\d%F{]|[({]", re.IGNORECASE)
_SPACES = re.compile(r"\s*")
_NUMBER = r"\d+"
_DECIMAL = r"\d+(?:\.\d+)?|\.\d+"
_WORD = r"[A-Za-z_]+|."
_D = r"d(?=[\d%({f])"


@dataclass(slots=True)
class Reader:
    """One pass over a text.

    `places` records the start of each part, for error messages.
    """

    text: str
    table: Table
    at: int = 0
    depth: int = 0
    dice: int = 0
    places: list[tuple[Term, int]] = field(default_factory=list)

    def read(self) -> tuple[Term, str]:
        """Read the whole text: the expression, and the note after it."""
        if len(self.text) > MOST_CHARACTERS:
            says = f"A roll may have at most {MOST_CHARACTERS:,} characters. Shorten it."
            self.fail("too-long", says, MOST_CHARACTERS)
        if not self.text.strip():
            self.fail("empty", "Write what to throw, such as 2d6+3.")
        term = self.expression(0)
        note = self.match(self.table.comment)
        comment = " ".join(next(filter(None, note.groups()), "").split()) if note else ""
        if note and isinstance(term, Exact) and _DICE_FIRST.match(comment):
            says = (
                f"{self.table.name} reads this as the number {term.value} with a note. A roll "
                f"gives one result: throw {comment} {term.value} times."
            )
            self.fail("repeat", says, note.start())
        if self.text[self.at :].strip():
            self.fail_here()
        return term, comment

    @property
    def beyond_spaces(self) -> int:
        """The position of the next character that is not a space."""
        return _SPACES.match(self.text, self.at).end()  # type: ignore[union-attr]

    def match(self, pattern: str) -> Match | None:
        """Take the match of a pattern after spaces."""
        found = re.compile(pattern, re.IGNORECASE | re.DOTALL).match(self.text, self.beyond_spaces)
        if found is not None:
            self.at = found.end()
        return found

    def comes(self, pattern: str) -> bool:
        """Whether a pattern matches here, without taking it."""
        place = self.at
        found = self.match(pattern)
        self.at = place
        return found is not None

    def accept(self, *signs: str) -> str:
        """Take the longest of these signs that comes next."""
        start = self.beyond_spaces
        for sign in sorted(signs, key=len, reverse=True):
            if self.text[start : start + len(sign)].lower() == sign:
                self.at = start + len(sign)
                return sign
        return ""

    def need(self, sign: str, opened: int) -> None:
        """Take the sign that closes a bracket."""
        if not self.accept(sign):
            self.at = self.beyond_spaces
            if self.at >= len(self.text):
                said = f"This {self.text[opened]} is never closed: add a {sign}."
                self.fail("unclosed", said, opened)
            self.fail_here()

    def fail(self, code: str, message: str, at: int | None = None) -> NoReturn:
        """Refuse the text, with a sentence and a position."""
        place = min(self.at if at is None else at, len(self.text))
        raise NotationError(f"notation/{code}", message, self.text, place)

    def fail_here(self) -> NoReturn:
        """Refuse a word or sign that has no meaning in this dialect."""
        at = self.beyond_spaces
        if at >= len(self.text):
            self.fail("unfinished", "The roll is unfinished. Add a number or dice.", at)
        found = re.compile(_WORD, re.DOTALL).match(self.text, at)
        word = found.group() if found else self.text[at]
        hint = self.table.hints.get(word.lower())
        if word.lower() == "d":
            hint = "d needs a number of dice and a number of sides here, as in 2d6."
        if hint is not None:
            self.fail("unknown-word", hint, at)
        says = f"{word!r} has no meaning here in {self.table.name}. Leave it out."
        self.fail("unknown-word", says, at)

    def placed(self, term: Term, at: int) -> Term:
        """Record the start of a part."""
        self.places.append((term, at))
        return term

    def deeper(self) -> None:
        """Enter a level of brackets or signs."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(
                "too-deep", f"Brackets and signs may be nested at most {DEEPEST} levels deep."
            )

    def expression(self, least: int) -> Term:
        """Read operands joined by operators with at least this precedence."""
        self.deeper()
        left = self.signed()
        terms: list[tuple[Plus, Term]] = []
        while True:
            place = self.at
            sign = "" if self.match(self.table.comment) else self.accept(*self.table.infix)
            infix = self.table.infix.get(sign)
            if infix is None or infix.power < least:
                self.at = place
                break
            where = self.at - len(sign)
            right = self.expression(infix.power if infix.right else infix.power + 1)
            if infix.name in ("+", "-"):
                terms = terms or [("+", left)]
                terms.append((cast(Plus, infix.name), right))
                continue
            if terms:
                left, terms = Total(tuple(terms)), []
            if infix.name in ("/", "//", "/0", "%", "%0"):
                self.check_divisor(right, where)
            left = self.placed(Apply(infix.name, (left, right)), where)
        self.depth -= 1
        found = Total(tuple(terms)) if terms else left
        if nesting(found) > DEEPEST_TREE:
            says = f"At most {DEEPEST_TREE} operations may build on each other. Write fewer."
            self.fail("too-deep", says)
        return found

    def check_divisor(self, divisor: Term, at: int) -> None:
        """Refuse a divisor that can be 0."""
        low, high = span(lower(divisor))
        if low <= 0 <= high:
            says = (
                "Division by 0 is impossible, and this divisor can be 0. Divide by a larger number."
            )
            self.fail("divide-by-zero", says, at)

    def signed(self) -> Term:
        """Read a part with the signs before it."""
        start = self.at
        sign = self.accept(*self.table.signs)
        if not sign:
            return self.labelled()
        inner = self.expression(self.table.prefix)
        if sign == "+":
            return inner
        if isinstance(inner, Exact) and sign == "-":
            return Exact(-inner.value)
        return self.placed(Apply("neg" if sign == "-" else "not", (inner,)), start)

    def labelled(self) -> Term:
        """Read a part and the labels after it."""
        node = self.part()
        labels = []
        while self.table.label is not None and (found := self.match(self.table.label)):
            labels.append(" ".join((found[found.lastindex or 1]).split()))
        said = ", ".join(filter(None, labels))
        return Named(node, said) if said else node

    def part(self) -> Term:
        """Read a number, dice, a function, or an expression in brackets."""
        start = self.at = self.beyond_spaces
        table = self.table
        if table.primary is not None:
            found = table.primary(self)
            if found is not None:
                return found
        if self.accept("("):
            inner = self.expression(0)
            self.need(")", start)
            return self.counted(inner, start)
        if table.braces and self.accept(table.braces[0]):
            return self.group(start)
        place = self.at
        called = self.match(r"([a-z]+)\s*\(")
        if called is not None and called.group(1).lower() in table.functions:
            return self.call(*table.functions[called.group(1).lower()], self.at - 1)
        self.at = place
        if self.match(_D):
            return self.thrown(1, start)
        number = self.match(_DECIMAL if table.decimals else _NUMBER)
        if number is None:
            self.fail_here()
        if len(number.group()) > MOST_DIGITS:
            self.fail("too-large", f"A number may have at most {MOST_DIGITS} digits.", start)
        if "." not in number.group() and self.match(_D):
            return self.thrown(int(number.group()), start)
        return Exact(whole(Fraction(number.group())))

    def counted(self, inner: Term, start: int) -> Term:
        """Read dice after a bracket with their number; without dice, the bracket alone."""
        return self.thrown(inner, start) if self.match(_D) else Apply("()", (inner,))

    def items(self, close: str, start: int) -> list[Term]:
        """Read expressions separated by commas, up to the closing bracket."""
        found = [self.expression(0)]
        while self.accept(","):
            found.append(self.expression(0))
        self.need(close, start)
        return found

    def call(self, operation: str, least: int, most: int, start: int) -> Term:
        """Read the arguments of a function."""
        args = self.items(")", start)
        if not least <= len(args) <= most:
            number = str(least) if least == most else f"{least} or more"
            self.fail("arguments", f"This function takes {number} values, not {len(args)}.", start)
        return self.placed(Apply(operation, tuple(args)), start)

    def group(self, start: int) -> Term:
        """Read a group in braces with its modifiers."""
        items = self.items(self.table.braces[1], start)
        pool = Pool(tuple((1, one) for one in items))
        if len(items) == 1 and self.table.alone is not None:
            pool = self.table.alone(self, items[0], start)
        return self.with_modifiers(pool, self.table.group_modifiers, start)

    def thrown(self, count: int | Term, start: int) -> Term:
        """Read dice from their ``d`` on, with their modifiers."""
        sides = self.sides(start)
        if not isinstance(count, int):
            fixed = constant(count)
            count = count if fixed is None else fixed
        if not isinstance(count, int) or not isinstance(sides, AnyDie):
            if not self.table.computed:
                says = f"{self.table.name} reads only plain numbers of dice and sides."
                self.fail("dice-count", f"{says} Write the numbers.", start)
            if isinstance(sides, int):
                sides = Exact(sides)
            number = Exact(count) if isinstance(count, int) else count
            low, high = span(lower(number))
            if -inf < low < 0 or MOST_DICE < high < inf:
                says = (
                    f"The number of dice runs from {low} to {high}; a roll may throw 0 to "
                    f"{MOST_DICE:,}."
                )
                self.fail("dice-count", says, start)
            if not isinstance(sides, Die):
                low, high = span(lower(sides))
                if -inf < low < 1 or MOST_SIDES < high < inf:
                    beyond = low if low < 1 else high
                    says = f"The number of sides can be {beyond}; a die has 1 to {MOST_SIDES:,}."
                    self.fail("too-many-sides", says, start)
            return self.placed(Many(number, sides), start)
        fewest = self.table.fewest
        if count < fewest:
            says = f"The number of dice cannot be below {fewest}. Write {fewest} or more."
            self.fail("no-dice", says, start)
        self.dice += count
        if self.dice > MOST_DICE:
            says = f"A roll may throw at most {MOST_DICE:,} dice in all. Write fewer."
            self.fail("too-many-dice", says, start)
        return self.with_modifiers(Pool(((count, sides),)), self.table.modifiers, start)

    def sides(self, start: int) -> Source:
        """Read the sides of a die after its ``d``."""
        if self.accept("%"):
            return self.table.percent
        if self.table.fudge and self.match(r"f(?:\.2)?(?!\.\d)"):
            return FUDGE_DIE
        if self.table.key == "rpg-dice-roller" and self.match(r"F\.1"):
            return Die("dF.1", (-1, 0, 0, 0, 0, 1))
        if self.table.key == "anydice" and self.accept("{"):
            return self.custom(start)
        place = self.at
        if self.accept("("):
            inner = self.expression(0)
            self.need(")", place)
            fixed = constant(inner)
            return inner if fixed is None else self.checked_sides(fixed, start)
        number = self.match(_NUMBER)
        if number is None:
            self.fail_here()
        return self.checked_sides(int(number.group()[:9]), start)

    def checked_sides(self, sides: int, start: int) -> int:
        """Refuse an impossible number of sides."""
        if not 1 <= sides <= MOST_SIDES:
            self.fail(
                "too-many-sides",
                f"A die has 1 to {MOST_SIDES:,} sides. Write such a number.",
                start,
            )
        return sides

    def custom(self, start: int) -> Die:
        """Read a die with listed faces."""
        faces = self.listed(start)
        if faces == list(range(1, len(faces) + 1)):
            return cast(Die, len(faces))
        if faces == [-1, 0, 1]:
            return FUDGE_DIE
        return Die("d{" + ",".join(map(str, faces)) + "}", tuple(faces))

    def listed(self, start: int) -> list[int]:
        """Read numbers and ranges up to the closing brace, and sort them."""
        found: list[int] = []
        while True:
            one = self.match(r"(-?\d{1,6})(?:\s*\.\.\s*(-?\d{1,6}))?(?:\s*:\s*(\d{1,3}))?")
            if one is None:
                self.fail_here()
            low, high = int(one.group(1)), int(one.group(2) or one.group(1))
            many = len(found) + max(0, high - low + 1) * int(one.group(3) or 1)
            if many <= MOST_SIDES:
                found += list(range(low, high + 1)) * int(one.group(3) or 1)
            if many > MOST_SIDES or not self.accept(","):
                break
        if not 1 <= many <= MOST_SIDES:
            says = f"List 1 to {MOST_SIDES:,} numbers, and write each range upwards."
            self.fail("too-many-sides", says, start)
        self.need("}", start)
        return sorted(found)

    def with_modifiers(self, pool: Pool, modifiers: tuple[Modifier, ...], start: int) -> Term:
        """Read the modifiers of a pool, and put them into the program's order."""
        found: list[Built] = []
        at = self.at
        while True:
            for pattern, build in modifiers:
                match = self.match(pattern)
                if match is not None:
                    place = match.start()
                    found.append(self.call_at(place, build, match, pool.sources[0][1]))
                    break
            else:
                break
        if not found:
            return self.placed(pool, start)
        steps, score = self.call_at(at, self.table.arrange, found)
        pool = Pool(pool.sources, (*pool.steps, *steps), score)
        problem = check_pool(pool)
        if problem is not None:
            self.fail(problem[0], problem[1], at)
        return self.placed(pool, at)

    def call_at(self, at: int, build: Callable[..., Result], *args: object) -> Result:
        """Call a function of the table; its errors get the text and the position."""
        try:
            return build(*args)
        except NotationError as error:
            self.fail(error.code.removeprefix("notation/"), error.message, at)
