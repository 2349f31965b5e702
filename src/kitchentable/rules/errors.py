"""Errors about games and tables, grouped by the person who can act on them."""

from __future__ import annotations

from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.values import Problem


class GameFault(KitchenTableError):
    """A fault in a game's own files, which its author can correct."""

    def __init__(self, sentence: str, *, code: str = "game/fault") -> None:
        super().__init__(sentence)
        self.code = code


class BadGame(GameFault):
    """A game that cannot be loaded."""


class UnknownGame(BadInput):
    """The error for a name that no installed game has."""

    code = "game/unknown"


class BadAnswers(BadInput):
    """The error for answers to a form that cannot be used; `problems` has places and reasons."""

    code = "form/problems"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems


class OptionsExclude(BadAnswers):
    """The error for two options that exclude each other and are both on."""

    code = "options/exclude"


class Unknown(KitchenTableError):
    """The error for a missing answer, or a number that this seat may not see.

    Authors never catch this error. Forms omit the question, odds are not shown, and making the move
    is refused with this sentence.
    """

    code = "move/unknown"

    def __init__(self, sentence: str = "An answer is still missing.") -> None:
        super().__init__(sentence)


class RuleRefuses(BadInput):
    """The error for a request forbidden by `rules` or by the state of the table."""

    code = "rule/refuses"

    def __init__(self, sentence: str, *rules: str, code: str = "rule/refuses") -> None:
        super().__init__(sentence)
        self.rules = rules
        self.code = code
