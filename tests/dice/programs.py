"""Random mechanics as source text, over everything Python can do with a whole number."""

# ruff: noqa: E501 - tables of expressions

import linecache
import random

PRELUDE = """
import copy, functools, itertools, json, math, operator, pickle
from dataclasses import dataclass, field, asdict, replace
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import NamedTuple
from kitchentable.dice import Die, fold, mechanic, start_over

TABLE = {1: 4, 2: 2, 3: 7}
ODD = Die("odd", (0, 2, 2))

class Suit(Enum):
    RED = 1
    BLUE = 2
    GOLD = 3

class Level(IntEnum):
    ONE = 1
    TWO = 2
    THREE = 3

CARDS = Die("cards", (Suit.RED, Suit.BLUE, 3))

@dataclass(frozen=True)
class Hit:
    margin: int
    other: object = None
    twice: int = field(init=False, default=0)

    def __post_init__(self):
        object.__setattr__(self, "twice", 2 * self.margin)
        object.__setattr__(self, "margin", self.margin + 1)

    @property
    def big(self):
        return self.margin > 3

    @functools.cached_property
    def halved(self):
        return self.margin // 2

@dataclass(frozen=True, slots=True, order=True)
class Tight:
    margin: int
    word: str = ""

class Pair(NamedTuple):
    first: int
    second: int

class Named:
    def __init__(self, name, number):
        self.name, self.numbers = name, [number]
    def __eq__(self, other):
        return isinstance(other, Named) and vars(self) == vars(other)
    def __hash__(self):
        return hash(self.name)

class Odd(Exception):
    pass

@functools.lru_cache(maxsize=None)
def cached(x):
    return x * x

def kind_of(x):
    return type(x).__name__

def checked(x):
    if type(x) is not int:
        raise TypeError("not an int")
    return x + 1

def odd_refused(x):
    if x % 2:
        raise Odd(x)
    return x

def matched(x):
    match x:
        case 1 | 2:
            return 10
        case bool():
            return 11
        case int(n) if n > 3:
            return n
        case int():
            return 12
        case _:
            return 13

def matched_pair(x):
    match x:
        case [0, _]:
            return 1
        case Pair(first=1) | [_, 1]:
            return 2
        case (a, b) if a > b:
            return a
        case [a, *rest]:
            return len(rest) - a
        case {"x": 2}:
            return 3
        case {"x": y}:
            return y
        case Hit(margin=2):
            return 4
        case Hit(margin=m):
            return m
        case _:
            return 5

def caught(x):
    try:
        return [3, 1, 2][x]
    except IndexError:
        return -1

def caught_all(x):
    try:
        return json.loads(json.dumps({"x": x}))["x"] + TABLE[x]
    except Exception:
        return -2

def caught_key(x):
    try:
        return TABLE[x]
    except KeyError as error:
        return error.args[0] + 1

def caught_odd(x):
    try:
        return odd_refused(x)
    except Odd as error:
        return error.args[0] * 3

def generated(*values):
    for value in values:
        if value > 2:
            yield value
    yield 0

def longest(best, one):
    return one if one[0] > best[0] else best

def remembered(x, known=[]):
    known.append(x)
    return known.pop()
"""

NUMBERS = """
{x} + {y}|{x} - {y}|{x} + {c}|{c} - {x}|{x} * {c}|{x} * {y}|-{x}|+{x}|~{x}|abs({x})|{x} // {c}
{x} % {c}|{c} // ({x} or 1)|{y} % ({x} or 3)|divmod({x}, {c})[1]|divmod({c}, {x} or 1)[0]
pow({x}, 2, 5)|pow(3, abs({x}) % 4, 7)|({x} % 5) ** 2|2 ** ({x} % 4)|max({x}, {y})|min({x}, {c})
max({x}, {y}, key=lambda v: -v)|max([], default={x})|min([{x}, {y}], default=0)|sum([{x}, {y}], {c})
round({x}, -1)|round({x})|round({x} / 2)|{x}.bit_length()|{x}.real|{x}.numerator|{x}.imag
{x}.denominator|{x}.conjugate()|int({x})|int({x} / 2)|math.floor({x})|math.trunc({x})|math.ceil({x})
math.floor({x} / 2)|math.comb(abs({x}) % 7, 2)|math.gcd({x}, 4)|math.isqrt(abs({x}))|len(str({x}))
[5, 6, 7][{x} % 3]|[5, 6, 7, 8][{x} % 3:][0]|len("abcdef"[:{x}])|TABLE.get({x}, 0)|cached({x})
checked({x})|matched({x})|matched_pair(({x}, {y}))|matched_pair(Pair({x}, {y}))|caught({x})
matched_pair({{"x": {x}}})|matched_pair(Hit({x}))|matched_pair([{x}, {y}, 1])|caught_all({x})
caught_key({x})|caught_odd({x})|next(generated({x}, {y}))|sum(generated({x}, {c}))|remembered({x})
len(range({x}))|sum(range(abs({x}) % 5))|range(9)[{x} % 9]|{x} if {b} else {y}|({b}) + {x}|{x} & 3
{x} | {y}|{x} ^ {c}|{x} << 1|{x} >> 1|1 << ({x} % 3)|hash({x}) % 7|sorted([{x}, {y}, {c}])[1]
sorted([{x}, {y}], reverse=True)[0]|sorted([{x}, {y}], key=lambda v: v % 3)[0]|Level({x} % 3 + 1)
Level({x} % 3 + 1).value + Level.TWO|{x} + Level.TWO|Level.ONE - {x}|len(Suit({x} % 3 + 1).name)
copy.copy({x})|copy.deepcopy({x})|pickle.loads(pickle.dumps({x}))|Hit({x}).margin|Hit({x}).twice
replace(Tight({x}), word="b").margin|asdict(Tight({x}))["margin"]|Pair({x}, {y}).second|Hit({x}).halved
Fraction({x}, 2).numerator|int(Decimal({x}) * 2)|int(f"{{{x}:d}}")|int("%d" % {x})|(lambda v: v + 1)({x})
[v + 1 for v in ({x}, {y})][0]|len({{{x}, {y}, 2}})|{{v: 1 for v in ({x}, {y})}}.get(2, 5)
functools.reduce(operator.add, [{x}, {y}])|next(enumerate("a", {x}))[0]|operator.index({x})
list(itertools.accumulate([{x}, {y}]))[-1]|[{x}, {y}].index({x})|[{x}, {y}, 1].count(1)|len([0] * ({x} % 4))
sum(v > 1 for v in ({x}, {y}))|({x} or {y})|({x} and {y})|min({x}, {y}) - max({x}, {y})|len(bytes(abs({x}) % 5))
fold(max, [{x}, {y}], {c})|fold(min, ({x}, {y}, {x}), 9)|fold(longest, [({x}, 1), ({y}, 2)], (0, 0))[1]
fold(lambda s, v: s + (v > {c}), [{x}, {y}], 0)|fold(lambda s, v: s + v * {y}, [{x}], 1)|fold(operator.sub, [{y}], {x})
math.prod([{x}, {y}])|len(kind_of({x}))|(({x} > 1) is True) + 0|next(iter([{x}]))|[{x}, {y}][{x} > {y}]
""".strip()
TRUTHS = """
{x} > {c}|{x} >= {y}|{x} < {y}|{x} <= {c}|{x} == {y}|{x} != {c}|1 < {x} <= 4|isinstance({x}, int)
isinstance({x}, bool)|type({x}) is int|type({x}) is bool|{x} in [1, 3]|{x} in range(1, 4)|{x} in {{1, 2}}
{x} in (2, {y})|{x} in TABLE|{x} in range(0, 9, 2)|{x} == 2.0|{x} > 1.5|{x} <= Fraction(5, 2)|{x} != "a"
not {x}|bool({x})|any(v > 2 for v in ({x}, {y}))|all([{x}, {y}])|{x} == Level.TWO|{x} < Level.THREE
{x} < math.inf|{x} >= -math.inf|{x} == math.nan|{x} > math.nan|{x} == complex(2)|{x} == Decimal(2)
{x} < Decimal("2.5")|{x} is None|{x} is not None|({x}, {y}) < (2, 3)|[{x}] == [{y}]|({x}, 1) == (2, 1)
Tight({x}) < Tight({y})|Tight({x}) == Tight(2)|Hit({x}).big|str({x}) == "2"|{x} and {y} > 1|{x}.__class__ is int
hasattr({x}, "bit_length")|callable({x})|isinstance({x}, (str, float))|{x} is True|not {x} > 1|issubclass(type({x}), int)
""".strip()
WORDS = """
f"{{{x}}}"|f"{{{x}:>3}}"|f"{{{x}:+d}}"|f"{{{x}!r}}"|f"{{{x}:{{abs({y}) % 3 + 1}}d}}"|"%02d" % {x}
"%s" % {x}|str({x})|repr({x})|"ab" * ({x} % 3)|({x} % 3) * "x"|"abc"[{x} % 3]|kind_of({x})
type({x}).__name__|{x}.__class__.__name__|format({x}, "b")|"{{:x}}".format({x})|"{{0}}".format({x})
"a" if {b} else "b"|chr(65 + abs({x}) % 9)|repr(Tight({x}))|repr([{x}, {y}])|str(({x},))
str({x} / 2)|str({b})|json.dumps({x})|"-".join(map(str, [{x}, {y}]))|str(float({x}))|bin({x})|str({x} == 1)
""".strip()
POOLED = """
{p}.total()|{p}.highest(1).total()|{p}.lowest(2).total()|{p}.drop_lowest().total()|{p}[0]|{p}[-1]
sum({p}[:2])|sum({p}[1:])|len({p})|sum({p})|max({p})|min({p})|{p}.count(lambda f: f >= 2)
list(reversed({p}))[0]|sorted({p})[0]|(2 in {p}) + 0|len(set({p}))|len({p}.drop_highest())|{p}[0] - {p}[1]
matched_pair({p})|len(repr({p}))|{p}.highest({x} % 3).total()|{p}.count(lambda f: f > {x})|bool({p}) + 0
{p}.highest(2)[-1]|{p}.lowest(2)[0]|{p}.highest(2).lowest(1).total()|sum(1 for f in {p} if f == {p}[0])
{p}[{x} % 2]|({p} == {p}.highest(3)) + 0|[*{p}][-1]|max({p}, key=lambda f: -f)|len(list(itertools.groupby({p})))
(lambda a, *rest: a + len(rest))(*{p})|{p}.count(lambda f: 6 // (f - {c} or 1) > 1)|(tuple({p}) > (2, 1)) + 0
""".strip()
OUTCOMES = """
{x}|{b}|{s}|({x}, {y})|({x}, {s})|Hit({x})|Hit({x}, {y})|Tight({x}, {s})|Pair({x}, {y})|Fraction({x}, 2)
frozenset([{x}, {y}])|{x} / 2|Hit(({x}, {y})[0], ({x}, ({y},)))|{x} - {y}|{x} + {y}|Named({s}, {x})
None if {b} else {x}|({b}, {b})|Hit(1, Tight({x}))|Suit({x} % 3 + 1)|{x} if {b} else {s}
""".strip()


def _forms(text):
    return [form for line in text.splitlines() for form in line.split("|") if form]


class Writer:
    """Writes one program; `room` bounds how many sequences of faces there are."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.subs = []

    def program(self):
        for at in range(self.rng.choice([0, 0, 1, 1, 2])):
            self.mechanic(f"sub{at}", ["a"], room=12, endless=False)
            self.subs.append(f"sub{at}")
        self.mechanic("rule", [], room=200, endless=self.rng.random() < 0.15)
        return "\n".join(self.lines) + "\n"

    def mechanic(self, name, args, room, *, endless):
        self.room, self.numbers, self.pools, self.fresh = room, list(args), [], 0
        again = self.rng.choice([f"{name}(dice)", f"1 + {name}(dice)", "start_over()"])
        # A number can be added to numbers only.
        self.inner = name != "rule" or (endless and "+" in again)
        self.say(0, "")
        self.say(0, "@mechanic")
        self.say(0, f"def {name}({', '.join(['dice', *args])}):")
        first = self.name()
        self.spend(3)
        self.say(1, f"{first} = dice.die(3)")
        self.numbers.insert(0, first)
        for _ in range(self.rng.randint(1, 2)):
            self.throw(1)
        for _ in range(self.rng.randint(1, 5)):
            self.statement(1)
        if endless:
            self.say(1, f"if {self.numbers[0]} == 1:")
            self.say(2, f"return {again}")
        if name != "rule" and self.rng.random() < 0.2:
            self.say(1, f"if {self.fill('{b}')}:")
            self.say(2, f"return {self.rng.choice([self.fill('{b}'), f'float({self.atom()})'])}")
        self.say(1, f"return {self.number() if self.inner else self.fill(self.pick(OUTCOMES))}")

    def say(self, depth, text):
        self.lines.append("    " * depth + text)

    def pick(self, forms):
        return self.rng.choice(_forms(forms))

    def name(self):
        self.fresh += 1
        return f"v{self.fresh}"

    def atom(self):
        one = self.rng.choice(self.numbers)
        if self.rng.random() < 0.2:
            return f"({one} {self.rng.choice('+-')} {self.rng.choice([*self.numbers, '2'])})"
        return one

    def number(self):
        if self.pools and self.rng.random() < 0.4:
            return self.fill(self.pick(POOLED))
        return self.fill(self.pick(NUMBERS))

    def fill(self, form):
        return form.format(
            x=self.atom(),
            y=self.atom(),
            c=self.rng.randint(1, 4),
            b=self.pick(TRUTHS).format(x=self.atom(), y=self.atom(), c=self.rng.randint(1, 4)),
            s=self.pick(WORDS).format(x=self.atom(), y=self.atom(), b=f"{self.atom()} > 1"),
            p=self.rng.choice(self.pools) if self.pools else "",
        )

    def spend(self, ways):
        if ways > self.room:
            return False
        self.room //= ways
        return True

    def throw(self, depth):
        rng, v = self.rng, self.name()
        kind = rng.choice(["die", "die", "total", "pool", "count", "draw", "sub", "special"])
        sides, n = rng.randint(2, 4), rng.randint(2, 3)
        x = self.atom()
        if kind == "pool" and self.spend(sides**n):
            self.say(depth, f"{v} = dice.pool({n}, {sides})")
            self.pools.append(v)
            return
        if kind == "total" and self.spend(sides**n):
            keep = rng.choice(["", f", keep_highest={rng.randint(0, 2)}", ", keep_lowest=1"])
            text = f"dice.total({n}, {sides}{keep})"
        elif kind == "count" and self.spend(sides**2):
            text = f"dice.count(2, {sides}, at_least={x})"
            if rng.random() < 0.5:
                text = f"dice.count(2, {sides}, hit=lambda f: {self.pick('f > {x}|f == {x}|f % 2|type(f) is int and f > 1').format(x=x)})"
        elif kind == "draw" and self.spend(4):
            text = rng.choice(
                ["dice.draw({1: 1, 3: 3})", f"dice.draw([({x}, 1), (2, 3)])", "dice.die(ODD)"]
            )
        elif kind == "special" and self.spend(3):
            card = self.name()
            self.say(depth, f"{card} = dice.die(CARDS)")
            text = f"{card} if isinstance({card}, int) else (5 if {card} is Suit.RED else 6)"
        elif kind == "sub" and self.subs and self.spend(12):
            sub = rng.choice(self.subs)
            text = rng.choice([f"{sub}(dice, {x})", f"{sub}(dice, a={x})", f"{sub}(dice, {x} > 1)"])
        elif self.spend(sides):
            text = f"dice.die({sides})"
        else:
            text = str(rng.randint(1, 3))
        self.say(depth, f"{v} = {text}")
        self.numbers.append(v)

    def statement(self, depth):
        kind = self.rng.choice(
            ["let", "let", "throw", "if", "more", "loop", "match", "try", "leave"]
        )
        if kind == "throw":
            self.throw(depth)
        elif kind == "if":
            v = self.rng.choice(self.numbers)
            self.say(depth, f"if {self.fill('{b}')}:")
            self.say(depth + 1, f"{v} = {self.number()}")
        elif kind == "more":
            v = self.rng.choice(self.numbers)
            self.say(depth, f"{v} {self.rng.choice(['+=', '-=', '*=', '//='])} 2")
        elif kind == "loop":
            v = self.name()
            self.say(depth, f"{v} = 0")
            self.say(depth, f"for i in range({self.rng.choice(['2', f'abs({self.atom()}) % 4'])}):")
            self.say(depth + 1, f"{v} += {self.atom()} - i")
            self.numbers.append(v)
        elif kind == "match":
            v = self.name()
            self.say(depth, f"match {self.number()}:")
            self.say(depth + 1, f"case 1 | 3: {v} = {self.atom()}")
            self.say(depth + 1, f"case int(n) if n > 2: {v} = n - 1")
            self.say(depth + 1, f"case _: {v} = 0")
            self.numbers.append(v)
        elif kind == "try":
            v = self.name()
            caught = self.rng.choice(
                ["ZeroDivisionError", "Exception", "(KeyError, ArithmeticError)"]
            )
            self.say(depth, "try:")
            self.say(depth + 1, f"{v} = {self.rng.randint(2, 6)} // ({self.number()})")
            self.say(depth, f"except {caught}:")
            self.say(depth + 1, f"{v} = {self.atom()}")
            self.numbers.append(v)
        elif kind == "leave" and not self.inner:
            self.say(depth, f"if {self.fill('{b}')}:")
            self.say(depth + 1, f"return {self.fill(self.pick(OUTCOMES))}")
        else:
            v = self.name()
            self.say(depth, f"{v} = {self.number()}")
            self.numbers.append(v)


def write(seed):
    """The source of one program."""
    return Writer(seed).program()


def compiled(source, name):
    """The mechanic `rule` of a program; its lines can be shown."""
    text = PRELUDE + source
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {"__name__": "programs"}
    exec(compile(text, name, "exec"), space)
    return space["rule"]
