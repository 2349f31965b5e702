"""The parser's position in a text, with suggestions and errors."""

from __future__ import annotations

from typing import NoReturn

from kitchentable.dice.notation.errors import NotationError, Suggestion
from kitchentable.dice.notation.tokens import Token, begin, check_length, token_at

DEEPEST = 20


class Cursor:
    """One pass over the tokens of a text, which are read on demand.

    ``token`` is the next token, ``last`` the previous one, ignoring labels. ``depth`` is the number
    of open brackets and signs, ``dice_so_far`` the number of dice read.
    """

    __slots__ = ("_ahead", "depth", "dice_so_far", "last", "text", "token")

    def __init__(self, text: str) -> None:
        check_length(text)
        self.text = text
        self.token = token_at(text, begin(text))
        self.last = Token("end", "", 0, 0)
        self._ahead: Token | None = None
        self.depth = 0
        self.dice_so_far = 0

    @property
    def ahead(self) -> Token:
        """The token after the next one."""
        if self._ahead is None:
            self._ahead = token_at(self.text, self.token.end)
        return self._ahead

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these words or signs."""
        return self.token.kind in ("word", "sign") and self.token.text in texts

    def labelled(self) -> bool:
        """Whether a label comes next."""
        return self.token.kind == "label"

    def next(self) -> Token:
        """Take the next token; the end token stays."""
        token = self.token
        if token.kind != "end":
            self.token, self._ahead = self.ahead, None
        if token.kind != "label":
            self.last = token
        return token

    def accept(self, *texts: str) -> bool:
        """Take the next token if it is one of these words or signs."""
        found = self.at(*texts)
        if found:
            self.next()
        return found

    def signed_number(self, code: str, missing: str) -> int:
        """Take a whole number, which may have a minus; refuse anything else."""
        sign = -1 if self.accept("-") else 1
        if self.token.kind != "number":
            self.fail(code, missing)
        return sign * int(self.next().text)

    def skip(self, end: int) -> None:
        """Continue at a later position."""
        self.last = Token("end", "", end, end)
        self.token, self._ahead = token_at(self.text, end), None

    def deeper(self) -> None:
        """Enter a level of brackets or signs."""
        self.depth += 1
        if self.depth > DEEPEST:
            says = f"Brackets and signs may be nested at most {DEEPEST} levels deep."
            self.fail("too-deep", says)

    def instead(self, start: int, end: int, written: str, means: str) -> Suggestion:
        """Suggest the text with the part from ``start`` to ``end`` replaced."""
        return Suggestion(f"{self.text[:start]}{written}{self.text[end:]}", means)

    def fail(
        self,
        code: str,
        message: str,
        token: Token | None = None,
        suggestions: tuple[Suggestion, ...] = (),
    ) -> NoReturn:
        """Refuse the text, with a sentence and the position of a token."""
        position = (self.token if token is None else token).start
        raise NotationError(f"notation/{code}", message, self.text, position, suggestions)
