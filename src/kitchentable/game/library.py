"""The library door: a game with its options set, whose rolls can be thrown, solved and sampled."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any

from kitchentable import dice
from kitchentable.game import registry
from kitchentable.game.errors import BadAnswers, RuleRefuses
from kitchentable.game.forms import read_value
from kitchentable.game.game import Game, Rolled
from kitchentable.game.values import Json, Option, Problem


@dataclass(frozen=True, slots=True)
class Playable:
    """A game as it is played at one table: the game and the options chosen for it.

    >>> toast = game("toast")
    >>> toast.roll("task", trait=3, perk=True, difficulty=11, faces=[5]).outcome
    Task(grade='success', total=11)
    >>> print(toast.odds("task", trait=3, difficulty=11).chance(lambda task: task.succeeds))
    1/3
    """

    game: Game
    options: Mapping[str, Json]

    def roll(
        self, name: str, *, faces: Sequence[int | str] | None = None, **named: Any
    ) -> dice.Roll[Any]:
        """Throw one of the game's rolls; `faces` are those of real dice, in order of throwing.

        Without faces the operating system's entropy throws. WrongFaces for faces that are missing,
        left over or on no such die.
        """
        rolled, arguments = self._asked(name, named)
        if faces is not None:
            return dice.load(rolled.mechanic, *arguments, faces=list(faces))
        return dice.roll(rolled.mechanic, *arguments)

    def odds(self, name: str, **named: Any) -> dice.Distribution:
        """The exact distribution of one of the game's rolls."""
        rolled, arguments = self._asked(name, named)
        return dice.odds(rolled.mechanic, *arguments)

    def sample(self, name: str, *, n: int, **named: Any) -> dice.Tally:
        """What came of n throws of one of the game's rolls."""
        rolled, arguments = self._asked(name, named)
        return dice.sample(rolled.mechanic, *arguments, n=n)

    def _asked(self, name: str, named: Mapping[str, Any]) -> tuple[Rolled, tuple[Hashable, ...]]:
        rolled = self.game.rolls.get(name)
        if rolled is None:
            known = ", ".join(sorted(self.game.rolls))
            raise RuleRefuses(
                f"{self.game.title} has no roll called {name!r}. It has: {known}.",
                code="roll/unknown",
            )
        takes = [
            parameter.name
            for parameter in list(signature(rolled.arguments).parameters.values())[1:]
            if parameter.kind in (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        strange = sorted(set(named) - set(takes))
        if strange:
            raise RuleRefuses(
                f"The roll {name!r} of {self.game.title} does not take {', '.join(strange)}. "
                f"It takes: {', '.join(takes)}.",
                code="roll/argument",
            )
        missing = [
            parameter.name
            for parameter in list(signature(rolled.arguments).parameters.values())[1:]
            if parameter.default is Parameter.empty and parameter.name not in named
        ]
        if missing:
            raise RuleRefuses(
                f"The roll {name!r} of {self.game.title} still needs {', '.join(missing)}.",
                code="roll/argument",
            )
        return rolled, tuple(rolled.arguments(self.options, **named))


def read_options(
    options: Sequence[Option], given: Mapping[str, Any]
) -> tuple[dict[str, Json], tuple[Problem, ...]]:
    """Options with what was given in place of the defaults, and what is wrong with what was given.

    An option nobody knows is a problem; one that a newer version wrote is the store's to keep.
    """
    values: dict[str, Json] = {option.key: option.field.default for option in options}
    known = {option.key: option for option in options}
    problems: list[Problem] = []
    for key, raw in given.items():
        option = known.get(key)
        if option is None:
            problems.append(
                Problem(key, "", f"There is no option {key!r}. There are: {', '.join(known)}.")
            )
            continue
        value, problem = read_value(option.field, raw)
        if problem is not None:
            problems.append(problem)
        else:
            values[key] = value
    return values, tuple(problems)


def game(name: str, /, **options: Any) -> Playable:
    """The installed game of that name with these options, ready to throw and to solve.

    UnknownGame when none has the name; BadAnswers when an option cannot be what was asked.

    >>> game("toast", medium=12).options["medium"]
    12
    """
    found = registry.load(name)
    values, problems = read_options(found.options, options)
    if problems:
        raise BadAnswers(problems)
    return Playable(found, MappingProxyType(values))


def games() -> tuple[str, ...]:
    """The names of all installed games.

    >>> "toast" in games()
    True
    """
    return registry.names()
