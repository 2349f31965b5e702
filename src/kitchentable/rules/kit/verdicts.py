"""The GM's verdicts on the rows of a list, by the text of the row."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules.facts import part_of
from kitchentable.rules.kit.beings import Being
from kitchentable.rules.values import Row, record

#: The verdict on a row that the GM has not judged yet.
PROPOSED = "proposed"


@record
class Verdicts:
    """The GM's verdicts on the rows of a list, stored in a being's state under the list's key.

    `yes` is the verdict that accepts a row. A player's rows are proposed while the sheet is built;
    rows added in play or by the GM are already accepted.
    """

    key: str
    yes: str

    def said(self, one: Being, text: str) -> Row:
        """The `verdict` on the row with this text, and the GM's `word` about it."""
        building = one.is_players and one.stage != "play"
        new = {"verdict": PROPOSED if building else self.yes}
        known = part_of(one.entity.state, self.key).get(text) or new
        return {"verdict": PROPOSED, "word": "", **known}

    def judge(self, one: Being, text: str, verdict: str = "", word: str = "") -> None:
        """Record a verdict, by default `yes`."""
        one.write("state", self.key, text, now={"verdict": verdict or self.yes, "word": word})

    def accept(self, one: Being, texts: Iterable[str]) -> None:
        """Record the verdict `yes` for all rows without a verdict."""
        known = part_of(one.entity.state, self.key)
        for text in texts:
            if text not in known:
                self.judge(one, text)
