"""Tables to roll on, such as events, names or oracles: the total picks a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from kitchentable.dice import Dice, mechanic
from kitchentable.dice.notation import Expression, notation, parse
from kitchentable.rules.game import Rolled
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form
from kitchentable.rules.kit.moves import Declared, Ruleset
from kitchentable.rules.kit.rolls import Roll
from kitchentable.rules.moves import Band, Part, Side, total, worth
from kitchentable.rules.values import Field, RuleIds, Values, record


@mechanic
def draw_row(dice: Dice, what: Expression, add: int, ends: tuple[int, ...]) -> str:
    """The index of the total's row; each row except the last ends at a number."""
    total = notation(dice, what) + add
    for row, end in enumerate(ends):
        if total <= end:
            return str(row)
    return str(len(ends))


@record
class Rows:
    """A table to roll on: `dice` in notation, `ends` of all rows except the last, all `texts`.

    `add` gives the summands of the roll from the options and the answers to `form` by name, or
    from named numbers; `fields` are the questions that named numbers answer.
    """

    key: str
    title: str
    dice: str
    ends: tuple[int, ...]
    texts: Sequence[str]
    about: str = ""
    rules: RuleIds = ()
    form: type[Form] = Form
    add: Callable[..., tuple[Part, ...]] = lambda options: ()
    fields: tuple[Field, ...] = ()

    @property
    def roll(self) -> Roll[..., str]:
        """The roll on the table, with its rows as results."""
        return Roll(draw_row, tuple(Band(str(n), text) for n, text in enumerate(self.texts)))

    def declare(self, rules: Ruleset[Any, Any]) -> Declared:
        """The move that rolls on the table."""
        return rules.move(
            self.key, self.title, self.about or f"Roll on the table: {self.title}.", self.form,
            rules=self.rules, for_entity=False, rolls=True,
        )(self._act)  # fmt: skip

    def rolled(self) -> Rolled:
        """The table for the library and the command line."""
        what, texts = parse(self.dice), [*self.texts]
        usual = {one.name: one.default for one in self.fields if one.default is not None}

        @wraps(self.add)
        def arguments(options: Values, /, **named: Any) -> tuple[Any, ...]:
            return what, total(self.add(options, **(usual | named))), self.ends

        takes = ", ".join(f"{name}=" for name in usual) or "no arguments"
        about = f"{self.title}: {takes}."
        return Rolled(
            draw_row, arguments, about, (usual,), lambda row: texts[int(row)],
            fields=self.fields,
        )  # fmt: skip

    def _act(self, at: AnyAt) -> None:
        answers = {one.name: one(at) for one in self.form.inputs}
        parts = self.add(at.table.options, **answers)
        added = total(parts)
        row = at.roll(self.roll(parse(self.dice), added, self.ends))
        at.sides = [Side(self.title, "", worth(*parts))]
        at.tell(self.title, self.texts[int(row)], rules=self.rules, of=())
