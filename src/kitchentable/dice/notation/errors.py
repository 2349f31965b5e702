"""What a player is told when a dice expression cannot be read."""

from __future__ import annotations

from kitchentable.dice.errors import BadInput

_WIDTH = 60


class NotationError(BadInput):
    """A dice expression that is wrong, too big, or that tables read in different ways.

    ``code`` is stable (``notation/...``), ``text`` is what was written and ``position`` counts
    its characters from 0. The message is a sentence that says what to write instead.
    """

    def __init__(self, code: str, message: str, text: str, position: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.text = text
        self.position = position

    def pointer(self) -> str:
        """Show the place: the text, and a caret below the character that is meant.

        A long text is cut to the part around the caret, with dots where it goes on.

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
