"""Several distributions side by side, for printing, spreadsheets and data frames."""

from __future__ import annotations

import csv
import html as markup
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.dice.chance import Chance
from kitchentable.dice.outcomes import in_order, word
from kitchentable.dice.show import in_columns, percent

OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of chances by outcome, blank for outcomes that a column does not have.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> print(Columns({"coin": {"heads": half, "tails": half}, "trick": {"heads": Fraction(1)}}))
    outcome     coin     trick
    heads    50.00 %  100.00 %
    tails    50.00 %
    """

    columns: Mapping[str, Mapping[Any, Chance]]

    def outcomes(self) -> list[Any]:
        """Every outcome of any column, in order."""
        every = {outcome: None for column in self.columns.values() for outcome in column}
        first = list(next(iter(self.columns.values()), {}))
        return first if len(first) == len(every) else in_order(every)

    def rows(self) -> list[dict[str, Any]]:
        """A record for each outcome, with None for columns without the outcome."""
        return [
            {OUTCOME: outcome, **{name: one.get(outcome) for name, one in self.columns.items()}}
            for outcome in self.outcomes()
        ]

    def csv(self) -> str:
        """Comma-separated values with decimal numbers.

        >>> from fractions import Fraction
        >>> print(Columns({"coin": {"heads": Fraction(1, 2)}}).csv(), end="")
        outcome,coin
        heads,0.5
        """
        text = io.StringIO()
        write = csv.writer(text, lineterminator="\n")
        write.writerow([OUTCOME, *self.columns])
        for outcome, *chances in (row.values() for row in self.rows()):
            write.writerow([word(outcome), *("" if one is None else float(one) for one in chances)])
        return text.getvalue()

    def _cells(self) -> list[list[str]]:
        shown = [
            [word(outcome), *("" if one is None else percent(one) for one in chances)]
            for outcome, *chances in (row.values() for row in self.rows())
        ]
        return [[OUTCOME, *self.columns], *shown]

    def __str__(self) -> str:
        return in_columns(self._cells(), left={0})

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        first = "".join(f"<th scope='col'>{markup.escape(cell)}</th>" for cell in head)
        lines = [
            f"<tr><th scope='row'>{markup.escape(name)}</th>"
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + "</tr>"
            for name, *cells in rows
        ]
        return f"<table><tr>{first}</tr>{''.join(lines)}</table>"

    def __repr__(self) -> str:
        return f"<Columns of {len(self.outcomes())} outcomes: {', '.join(self.columns)}>"
