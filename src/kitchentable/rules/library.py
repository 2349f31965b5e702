"""The library interface: a game with its options set, ready to throw and to solve rolls."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter, signature
from pathlib import Path
from reprlib import repr as short
from types import MappingProxyType
from typing import Any, TypeVar

from kitchentable import dice
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.rules import registry
from kitchentable.rules.combat import Battle, Fought
from kitchentable.rules.errors import BadAnswers, OptionsExclude, RuleRefuses
from kitchentable.rules.folders import FILE, is_game_folder, read_folder
from kitchentable.rules.forms import read_answers
from kitchentable.rules.game import Game, Rolled
from kitchentable.rules.together import clashes
from kitchentable.rules.values import Option, Problem, Row, Values, record

T = TypeVar("T")


@record
class Playable:
    """A game with the options of one table.

    >>> toast = game("toast")
    >>> toast.roll("task", trait=3, perk=True, difficulty=11, faces=[5]).outcome
    Task(grade='success', total=11)
    >>> print(toast.odds("task", trait=3, difficulty=11)["success"])
    1/4
    """

    game: Game
    options: Values

    def __repr__(self) -> str:
        defaults = self.game.defaults()
        changed = [
            f"{key}={short(one)}" for key, one in self.options.items() if one != defaults.get(key)
        ]
        table = f" with {', '.join(changed)}" if changed else ""
        return f"<{self.game.name}{table}; rolls: {', '.join(sorted(self.game.rolls))}>"

    def roll(
        self, name: str, /, *, faces: Sequence[int | str] | None = None, **named: Any
    ) -> dice.Roll[Any]:
        """Throw one of the game's rolls; `faces` are those of real dice, in order of throwing.

        Without faces, the dice use the operating system's entropy. Errors: WrongFaces for faces
        that are missing, left over or impossible on the die.
        """
        rolled, arguments = self._arguments(name, named)
        if faces is not None:
            return dice.load(rolled.mechanic, *arguments, faces=faces)
        return dice.roll(rolled.mechanic, *arguments)

    def odds(self, name: str, by: str = "", /, **named: Any) -> dice.Distribution:
        """The exact distribution of one of the game's rolls, or of its main part.

        For a contest, the main part is the winner; `sample` also counts every total. Outcomes with
        the same word, such as "success", are shown together and can be looked up by that word. With
        `by`, the distribution is of one field or property of the outcome.

        >>> toaster = game("toaster")
        >>> toaster.odds("attack", "wounds", attack=6, defence=6, wc=9, ac=2).mean()
        Fraction(927, 2000)
        """
        rolled, arguments = self._arguments(name, named)
        if by:
            return dice.odds(dice.told(rolled.mechanic, by), *arguments)
        solved = rolled.solve(arguments)
        return solved if rolled.sums_up is str else solved.worded(rolled.sums_up)

    def sample(self, name: str, by: str = "", /, *, n: int, **named: Any) -> dice.Tally:
        """The tally of n throws of one of the game's rolls, or of its part `by`."""
        rolled, arguments = self._arguments(name, named)
        roll = dice.told(rolled.mechanic, by) if by else rolled.mechanic
        return dice.sample(roll, *arguments, n=n)

    def fought(self, name: str, /, **named: Any) -> tuple[Fought, Battle]:
        """A fight of the game by name, and its battle made from named numbers."""
        found = _look_up(self.game, "fight", self.game.fights, name)
        check_names(self.game, f"fight {name!r}", found.start, named, found.help)
        return found, found.start(self.options, **named)

    def _arguments(self, name: str, named: Values) -> tuple[Rolled, tuple[Hashable, ...]]:
        rolled = _look_up(self.game, "roll", self.game.rolls, name)
        check_names(self.game, f"roll {name!r}", rolled.arguments, named, rolled.help)
        return rolled, tuple(rolled.arguments(self.options, **named))


def _look_up(game: Game, what: str, has: Mapping[str, T], name: str) -> T:
    if name not in has:
        known = f"It has: {', '.join(sorted(has))}." if has else f"It has no named {what}s."
        raise RuleRefuses(
            f"{game.title} has no {what} called {name!r}.{did_you_mean(name, has)} {known}",
            code=f"{what}/unknown",
        )
    return has[name]


def check_names(
    game: Game, what: str, takes_them: Callable[..., Any], named: Values, help: str
) -> None:
    """Refuse unknown or missing named numbers, with `help` about them. Errors: RuleRefuses."""
    parameters = list(signature(takes_them).parameters.values())[1:]
    usual = {one.name: one.default for one in parameters if one.kind is not Parameter.VAR_KEYWORD}
    takes = list(usual)
    # A game that accepts any names refuses unknown ones itself.
    open_ended = len(takes) < len(parameters)
    strange = [] if open_ended else sorted(named.keys() - usual)
    code = f"{what.partition(' ')[0]}/argument"
    if strange:
        raise RuleRefuses(
            f"The {what} of {game.title} does not take {', '.join(strange)}."
            f"{did_you_mean(strange[0], takes)} "
            f"It takes{': ' * bool(takes)}{', '.join(takes) or ' nothing'}.",
            code=code,
        )
    missing = [
        name for name, default in usual.items() if default is Parameter.empty and name not in named
    ]
    if missing:
        raise RuleRefuses(
            f"The {what} of {game.title} still needs {', '.join(missing)}. {help}", code=code
        )


def read_options(options: Sequence[Option], given: Values) -> tuple[Row, tuple[Problem, ...]]:
    """The options with the given values in place of defaults, and the problems with them.

    An unknown option is a problem.
    """
    known = {option.key: option.field for option in options}
    unknown = tuple(
        Problem(
            key,
            "",
            f"There is no option {key!r}.{did_you_mean(key, known)} There are: {', '.join(known)}.",
        )
        for key in given
        if key not in known
    )
    read = {key: value for key, value in given.items() if key in known}
    values, problems = read_answers([*known.values()], read, fill=False)
    defaults = {key: field.default for key, field in known.items()}
    return {**defaults, **values}, (*unknown, *problems)


def game(name: str, /, **options: Any) -> Playable:
    """The installed game with this name and these options, ready to throw and to solve.

    A name with a slash is the path of a game's folder. Errors: UnknownGame for an unknown name;
    BadGame for a folder without a game; BadAnswers for an unknown option or a value that is not
    allowed; OptionsExclude for two options that exclude each other.

    >>> game("toast", medium=12).options["medium"]
    12
    """
    found = read_folder(Path(name)) if is_path(name) else registry.load(name)
    values, problems = read_options(found.options, options)
    if problems:
        raise BadAnswers(tuple([_by_key(found.options, problem) for problem in problems]))
    both = clashes(found.options, values)
    if both:
        raise OptionsExclude(tuple([_by_key(found.options, problem) for problem in both]))
    return Playable(found, MappingProxyType(values))


def _by_key(options: Sequence[Option], problem: Problem) -> Problem:
    """A problem with the keys that a program has to use, in addition to the labels on the page."""
    for option in options:
        if option.key == problem.where:
            choices = [repr(choice.value) for choice in option.field.choices]
            can = f" Write one of {', '.join(choices)}." if choices else ""
            others = [
                f"{one.key}=" for one in options if f'"{one.field.label}"' in problem.sentence
            ]
            which = " and ".join(others) if others else f"{option.key}="
            return replace(problem, sentence=f"{which}: {problem.sentence}{can}")
    return problem


def find_game(word: str) -> str:
    """The name for `game` from a word typed at a terminal; "" if the word is not a game.

    A folder with a game needs no slash. Errors: UnknownGame for a word similar to the name of an
    installed game.

    >>> find_game("toast"), find_game("2d6")
    ('toast', '')
    """
    if is_path(word) or word in games():
        return word
    if is_game_folder(Path(word)):
        return f"./{word}"
    if did_you_mean(word, games()):
        registry.load(word)
    return ""


def is_path(name: str) -> bool:
    """Whether the name of a game is a path.

    >>> is_path("./night_out"), is_path("toast")
    (True, False)
    """
    return "/" in name or "\\" in name or name.endswith(FILE)


def games() -> tuple[str, ...]:
    """The names of all installed games.

    >>> "toast" in games()
    True
    """
    return registry.names()
