"""Errors of dice notation, with suggested spellings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kitchentable.dice.errors import BadInput

_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A corrected roll, and its meaning as the end of a sentence.

    >>> str(Suggestion("4d6kh3", "to keep the highest 3"))
    '4d6kh3 to keep the highest 3'
    """

    text: str
    means: str

    def __str__(self) -> str:
        return f"{self.text} {self.means}"


class NotationError(BadInput):
    """A dice expression is wrong, too large, or ambiguous between programs.

    ``code`` is stable (``notation/...``), ``text`` is the expression, and ``position`` is the index
    of a character. ``suggestions`` are valid spellings of the whole roll, listed at the end of the
    message.
    """

    def __init__(
        self,
        code: str,
        message: str,
        text: str,
        position: int,
        suggestions: Sequence[Suggestion] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.text = text
        self.position = position
        self.suggestions = tuple(suggestions)

    def suggesting(self, suggestions: Sequence[Suggestion]) -> NotationError:
        """Copy the error, with these suggestions at the end of the message.

        >>> refused = NotationError("notation/example", "Two ways.", "4d6k3", 3)
        >>> print(refused.suggesting([Suggestion("4d6kh3", "to keep the highest 3")]))
        Two ways. Write 4d6kh3 to keep the highest 3.
        """
        message = self.message
        if suggestions:
            *first, last = map(str, suggestions)
            listed = f"{', '.join(first)}, or {last}" if first else last
            message = f"{message} Write {listed}."
        return NotationError(self.code, message, self.text, self.position, suggestions)

    def pointer(self) -> str:
        """Print the text with a caret below the position.

        A long text is cut to the part around the caret, with dots at the cuts.

        >>> print(NotationError("notation/example", "What is this?", "2d6 + ?", 6).pointer())
        2d6 + ?
              ^
        """
        line = "".join(" " if letter.isspace() else letter for letter in self.text)
        start = max(0, self.position - _WIDTH)
        stop = self.position + _WIDTH
        before = "..." if start else ""
        after = "..." if stop < len(line) else ""
        indent = " " * (len(before) + self.position - start)
        return f"{before}{line[start:stop]}{after}\n{indent}^"
