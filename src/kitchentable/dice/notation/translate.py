"""What a text means at another table, in the spelling that is read here.

Only the forms that differ are rewritten, token by token; everything else is left to
:func:`~kitchentable.dice.notation.parse.parse`, which refuses what has no spelling here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NoReturn, TypeAlias

from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.parse import parse

Dialect: TypeAlias = Literal["roll20", "foundry", "avrae"]


@dataclass(frozen=True, slots=True)
class _Table:
    """One dialect: its words behind dice, and whether ``>4`` leaves the 4 out."""

    name: str
    keep: Mapping[str, str]
    again: Mapping[str, str]
    explode: tuple[str, ...]
    hits: tuple[str, ...]
    idle: tuple[str, ...]
    strict: bool


_PLAIN = {"kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "k": "kh", "d": "dl"}
_TABLES: Mapping[str, _Table] = MappingProxyType(
    {
        "roll20": _Table(
            name="Roll20",
            keep=_PLAIN,
            again={"r": "rr", "ro": "ro"},
            explode=("!", "!!"),
            hits=(">", "<", "="),
            idle=("s", "sa", "sd", "m"),
            strict=False,
        ),
        "foundry": _Table(
            name="Foundry",
            keep=_PLAIN,
            again={"r": "ro", "rr": "rr"},
            explode=("x",),
            hits=("cs",),
            idle=(),
            strict=True,
        ),
        "avrae": _Table(
            name="Avrae",
            keep={"kh": "kh", "kl": "kl", "ph": "dh", "pl": "dl"},
            again={"ro": "ro", "rr": "rr"},
            explode=("e",),
            hits=(),
            idle=(),
            strict=True,
        ),
    }
)


def translate(text: str, dialect: Dialect) -> str:
    """Read a text as Roll20, Foundry or Avrae would, and spell it canonically.

    Raises :class:`NotationError` where the other table's meaning has no spelling here, such as
    divisions that keep their fraction.

    >>> translate("4d6k3", "roll20"), translate("10d6>5", "roll20")
    ('4d6kh3', '10d6 hits>=5')
    >>> translate("2d6r<3", "foundry"), translate("10d6cs>4", "foundry")
    ('2d6ro<=2', '10d6 hits>=5')
    >>> translate("10d6 > 35", "avrae"), translate("2d6e6", "avrae")
    ('(10d6)>=36', '2d6!')
    """
    cursor = Cursor(text)
    writer = _Writer(cursor, _TABLES[dialect])
    while cursor.token.kind != "end":
        writer.step()
    try:
        return str(parse("".join(writer.pieces)))
    except NotationError as error:
        place = writer.place_of(error.position)
        raise NotationError(error.code, error.message, text, place) from error


@dataclass(slots=True)
class _Bracket:
    """An open round bracket: where it was written, and what was met inside."""

    piece: int
    floor: bool = False
    group: bool = False
    minus: bool = False
    divided: bool = False


@dataclass(slots=True)
class _Writer:
    """One walk over a foreign text.

    `pieces` are what was written, `places` where each was read; `behind` is the highest face of
    the dice just written (0 for a group), nothing elsewhere.
    """

    cursor: Cursor
    table: _Table
    pieces: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    open: list[_Bracket] = field(default_factory=list)
    behind: int | None = None
    compound: bool = False
    negative: bool = False
    start: int = 0

    def put(self, text: str) -> None:
        """Write what stands here for what was read at `start`."""
        self.pieces.append(text)
        self.places.append(self.start)

    def place_of(self, position: int) -> int:
        """Where in the text that was read a place of the written one comes from."""
        for piece, place in zip(self.pieces, self.places, strict=True):
            if position < len(piece):
                return place
            position -= len(piece)
        return len(self.cursor.text)

    def step(self) -> None:
        """Rewrite what comes next."""
        cursor, table = self.cursor, self.table
        self.start = cursor.token.start
        if self.behind is not None and self.modifier(self.behind):
            return
        if cursor.at("d", "df"):
            self.dice()
        elif cursor.at("floor") and self.floor():
            pass
        elif table.name == "Avrae" and cursor.at(">", "<", ">=", "<=") and not self.open:
            self.target()
        elif cursor.token.kind in ("sign", "word"):
            self.sign()
        else:
            token = cursor.next()
            marks = {"label": "[{}]", "comment": "#{}", "number": " {}"}[token.kind]
            self.put(marks.format(token.text))
            if token.kind == "number":
                self.behind = None

    def dice(self) -> None:
        """Copy dice from their ``d`` on."""
        self.compound = False
        word = self.cursor.next().text
        sides = "" if word == "df" else self.cursor.next().text
        self.put(f"{word}{sides}")
        self.behind = {"": 1, "%": 100}.get(sides) or (int(sides) if sides.isdecimal() else 0)

    def modifier(self, highest: int) -> bool:
        """Rewrite one word behind dice or a group, if this table has one of its own there."""
        word, table, cursor = self.cursor.token, self.table, self.cursor
        if word.text in table.idle:
            cursor.next()
        elif word.text in table.keep:
            cursor.next()
            count = cursor.next().text if cursor.token.kind == "number" else "1"
            self.put(f"{table.keep[word.text]}{count}")
        elif word.text in table.again:
            cursor.next()
            self.put(f"{table.again[word.text]}{self.condition()}")
        elif word.text in table.explode:
            self.compound = cursor.next().text == "!!"
            self.explode(highest)
        elif word.text in table.hits:
            if self.compound:
                self.refuse("compound", "counts a die with all its extra throws", word.start)
            if word.kind == "word":
                cursor.next()
            self.put(f" hits{self.condition()}")
        else:
            return False
        return True

    def explode(self, highest: int) -> None:
        """Rewrite an explosion; on one exact face there is a spelling for the highest only."""
        token = self.cursor.token
        if token.kind != "number" and not self.cursor.at(">", "<", ">=", "<=", "="):
            self.put("!")
            return
        condition = self.condition()
        if not condition.startswith("="):
            self.put(f"!{condition}")
        elif condition == f"={highest}":
            self.put("!")
        else:
            self.refuse("explode", f"explodes on exactly {condition[1:]}", token.start)

    def condition(self) -> str:
        """Rewrite a comparison; ``>4`` includes the 4 only where the table says so."""
        cursor = self.cursor
        sign = cursor.next().text if cursor.at(">", "<", ">=", "<=", "=", "==") else "="
        if cursor.token.kind != "number":
            cursor.fail("condition", f"{self.table.name} needs a number here.")
        number = int(cursor.next().text)
        if sign in (">", "<") and self.table.strict:
            number += 1 if sign == ">" else -1
        if number < 0:
            cursor.fail("condition", "No face is less than 0.")
        return f"{sign[0]}{'' if sign in ('=', '==') else '='}{number}"

    def target(self) -> None:
        """Rewrite a comparison of the whole total, as Avrae reads it everywhere."""
        self.pieces.insert(0, "(")
        self.places.insert(0, 0)
        self.put(f"){self.condition()}")
        self.behind = None

    def floor(self) -> bool:
        """Open ``floor(``, inside which one division may lose its fraction."""
        start = self.cursor.next()
        if not self.cursor.accept("("):
            self.refuse("unknown-word", "knows floor only with a bracket", start.start)
        self.open.append(_Bracket(len(self.pieces), floor=True))
        self.put("(")
        return True

    def sign(self) -> None:
        """Copy a sign, with an eye on brackets, groups and divisions."""
        token = self.cursor.next()
        inner = self.open[-1] if self.open else None
        text = token.text
        self.behind = None
        if text == "(":
            self.open.append(_Bracket(len(self.pieces)))
        elif text == ")" and inner is not None:
            self.open.pop()
            if inner.group:
                text, self.behind = "}", 0
        elif text == "}":
            self.behind = 0
        elif text == "," and inner is not None and self.table.name == "Avrae":
            inner.group = True
            self.pieces[inner.piece] = "{"
        elif text == "//" and self.table.name == "Avrae":
            if self.negative:
                self.refuse("fraction", "rounds down after the minus", token.start)
            text = "/"
        elif text == "-":
            if inner is not None:
                inner.minus = True
            before = self.pieces[-1] if self.pieces else "("
            self.negative = self.negative or before in ("(", "{", ",", "+", "-", "*", "/")
        elif text in ("/", "*"):
            self.division(text, inner)
        self.put(f" {text}" if token.kind == "word" else text)

    def division(self, sign: str, inner: _Bracket | None) -> None:
        """Refuse a division, unless floor() takes its fraction away at once."""
        if inner is not None and inner.divided:
            self.refuse("fraction", "would go on with the fraction", self.start)
        if sign == "/":
            if inner is None or not inner.floor or inner.minus:
                self.refuse("fraction", "keeps the fraction of a division", self.start)
            inner.divided = True

    def refuse(self, code: str, what: str, start: int) -> NoReturn:
        """Say that the other table's meaning has no spelling here."""
        self.cursor.fail_at(code, f"{self.table.name} {what}; that has no spelling here.", start)
