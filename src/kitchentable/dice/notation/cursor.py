"""Where the reading of a text stands, and how it is refused."""

from __future__ import annotations

from types import MappingProxyType
from typing import NoReturn

from kitchentable.dice.notation import dialects
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.tokens import Token, tokens
from kitchentable.dice.notation.tree import Dice, Group

_ORDER = (
    "{word} cannot stand here: after dice the order is reroll (ro, rr), explode (!), and then "
    "either keep (kh, kl, dh, dl) or hits, each at most once."
)
_EXAMPLE = MappingProxyType(
    {
        "ro": "2d6ro1",
        "rr": "2d6rr1",
        "kh": "4d6kh3",
        "kl": "2d20kl1",
        "dh": "4d6dh1",
        "dl": "4d6dl1",
        "hits": "10d6 hits>=5",
    }
)


class Cursor:
    """One walk over the tokens of one text.

    Besides its place it remembers what the sentences need: how deep the brackets are, how many
    dice were asked for, the dice read last, and, where a comparison could be taken for counting
    dice, the pool that stands just before it.
    """

    __slots__ = ("_at", "_tokens", "depth", "dice_so_far", "last_dice", "pool", "text")

    def __init__(self, text: str) -> None:
        self._tokens = tuple(tokens(text))
        self._at = 0
        self.text = text
        self.depth = 0
        self.dice_so_far = 0
        self.last_dice = ""
        self.pool: Dice | Group | None = None

    @property
    def token(self) -> Token:
        """The token that is read next."""
        return self._tokens[self._at]

    def at(self, *texts: str) -> bool:
        """Say whether the token is one of these words or signs."""
        return self.token.kind in ("word", "sign") and self.token.text in texts

    def labelled(self) -> bool:
        """Say whether a label comes next."""
        return self.token.kind == "label"

    def next(self) -> Token:
        """Take the token; the last one stays."""
        token = self.token
        if token.kind != "end":
            self._at += 1
        return token

    def accept(self, *texts: str) -> bool:
        """Take the token when it is one of these words or signs."""
        found = self.at(*texts)
        if found:
            self._at += 1
        return found

    def ahead(self) -> str:
        """The number behind the token, or 5 as an example of one."""
        after = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        return after.text if after.kind == "number" else "5"

    def deeper(self, most: int) -> None:
        """Go one level of brackets or signs down."""
        self.depth += 1
        if self.depth > most:
            self.fail("too-deep", f"Brackets and signs may be nested at most {most} deep.")

    def fail(self, code: str, message: str, token: Token | None = None) -> NoReturn:
        """Refuse the text with a sentence that points at a token."""
        self.fail_at(code, message, (self.token if token is None else token).start)

    def fail_at(self, code: str, message: str, position: int) -> NoReturn:
        """Refuse the text with a sentence that points at a place."""
        raise NotationError(f"notation/{code}", message, self.text, position)

    def fail_at_order(self, word: str) -> NoReturn:
        """Refuse a modifier that stands too late, or twice."""
        self.fail("order", _ORDER.format(word=word))

    def fail_at_strict(self) -> NoReturn:
        """Refuse ``>`` and ``<``."""
        number = int(self.ahead())
        more = self.token.text == ">"
        self.fail(
            "strict",
            dialects.STRICT.format(
                sign=self.token.text,
                n=number,
                direction="or more" if more else "or less",
                beyond=number + 1 if more else number - 1,
            ),
        )

    def fail_at_word(self, dice: str) -> NoReturn:
        """Refuse a word behind ``dice``: out of order, known from another table, or unknown."""
        word = self.token.text
        if word in _EXAMPLE:
            if dice:
                self.fail_at_order(word)
            self.fail("misplaced", f"{word} belongs directly behind dice, as in {_EXAMPLE[word]}.")
        refused = dialects.REFUSED_WORDS.get(word)
        if refused is not None:
            self.fail("dialect", refused.format(dice=dice or "4d6", n=self.ahead()))
        self.fail(
            "unknown-word",
            f"'{word}' is not a word of dice notation; a note goes after #, as in 2d6 # for luck.",
        )
