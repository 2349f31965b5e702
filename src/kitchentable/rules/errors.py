"""What can go wrong with a game or at its table, by who can act on it."""

from __future__ import annotations

from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.values import Problem


class GameFault(KitchenTableError):
    """Something in a game's own files is wrong; its author can mend it."""

    def __init__(self, sentence: str, *, code: str = "game/fault") -> None:
        super().__init__(sentence)
        self.code = code


class BadGame(GameFault):
    """A game cannot be loaded as it stands."""


class UnknownGame(BadInput):
    """No installed game has that name."""

    code = "game/unknown"


class BadAnswers(BadInput):
    """A form was filled in in a way that cannot be used; `problems` says what and where."""

    code = "form/problems"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems


class OptionsExclude(BadAnswers):
    """Two options were to be on that exclude each other; one of them can be switched off."""

    code = "options/exclude"


class RuleRefuses(BadInput):
    """The rules, or the state of the table, forbid what was asked; `rules` says which."""

    code = "rule/refuses"

    def __init__(self, sentence: str, *rules: str, code: str = "rule/refuses") -> None:
        super().__init__(sentence)
        self.rules = rules
        self.code = code
