"""The odds lab: compares rolls and fights of any game, and dice notation. A setting is one line of
words, as after `kitchentable odds` and `kitchentable fight`: "toast task trait=5 difficulty=hard
--set medium=12", or "2d6+3".
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any

from kitchentable import dice
from kitchentable.campaign.words import outcome_in_words
from kitchentable.dice import Mechanic
from kitchentable.dice.arguments import (
    DICE,
    SET,
    BadWords,
    read_named,
    read_options,
    split_options,
    split_words,
)
from kitchentable.dice.chance import floor
from kitchentable.dice.outcomes import are_numbers, did_you_mean
from kitchentable.fights.named import foresee
from kitchentable.rules import library
from kitchentable.rules.combat import Fought
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.game import Game, Rolled
from kitchentable.rules.values import Field, Json

#: Limits: compared settings, and characters of each.
MOST, LONGEST = 4, 400
#: Least maximum of a slider.
_FAR = 10


@dataclass(frozen=True, slots=True)
class Dial:
    """A named number of a roll or a fight: its value as typed, and its control.

    `kind` is "number", "tick" or "text"; numbers have the range of a slider, `low` to `high`.
    `label` is the question that it answers, or the name in words.
    """

    name: str
    label: str
    kind: str
    value: str
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """One roll, fight or notation with its numbers; `game` is None for notation.

    `named` are the numbers as typed, and `options` the game's options that differ from the
    defaults.
    """

    text: str
    game: Game | None = None
    name: str = ""
    named: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def of(self) -> Rolled | Fought | None:
        """The game's roll or fight."""
        if self.game is None:
            return None
        return self.game.rolls.get(self.name) or self.game.fights[self.name]

    @property
    def words(self) -> str:
        """The setting as a line in canonical spelling."""
        if self.game is None:
            return self.text
        named = [f"{name}={value}" for name, value in self.named.items() if value]
        options = [word for key, value in self.options.items() for word in (SET, f"{key}={value}")]
        return shlex.join([self.game.name, self.name, *named, *options])

    @property
    def title(self) -> str:
        """The name of the roll, such as "Toast, task", or the notation."""
        if self.game is None:
            return self.text
        return f"{self.game.title}, {self.name.replace('_', ' ')}"

    @property
    def parts(self) -> tuple[str, ...]:
        """The name of the roll, and each number and option, in words."""
        asked = _asked(self.of)
        called = {name: asked[name].label if name in asked else name for name in self.named}
        named = (f"{called[name]} {value}" for name, value in self.named.items() if value)
        options = (f"{key} {value}" for key, value in self.options.items())
        return (self.title, *named, *options)

    @property
    def dials(self) -> tuple[Dial, ...]:
        """The numbers of the roll or fight, in its order."""
        of = self.of
        return () if of is None else tuple(_dials(of, self.named))

    @property
    def rules(self) -> tuple[Field, ...]:
        """The options that are set, as fields."""
        return tuple(one for one in self.choosable if one.name in self.options)

    @property
    def choosable(self) -> tuple[Field, ...]:
        """The game's options that are a tick, a number or a choice."""
        options = self.game.options if self.game is not None else ()
        return tuple(one.field for one in options if one.field.kind in {"tick", "number", "choice"})

    def changed(self, named: Mapping[str, str], options: Mapping[str, str]) -> Setting:
        """The setting with changed numbers and options; unknown names are ignored and "" removes an
        option.
        """
        known = {dial.name for dial in self.dials}
        keys = {one.name for one in self.choosable}
        both = {**self.options, **{k: v for k, v in options.items() if k in keys}}
        return replace(
            self,
            named={**self.named, **{k: v for k, v in named.items() if k in known}},
            options={key: value for key, value in both.items() if value},
        )


@dataclass(frozen=True, slots=True)
class Chances:
    """The result of a setting: the chance of each outcome, and sentences about them. `ladder` has
    the chances of each number or more; it is empty for words. `open` is the chance outside all
    outcomes.
    """

    rows: dict[Any, Fraction]
    ladder: dict[Any, Fraction]
    told: tuple[str, ...]
    open: Fraction = Fraction(0)


def read_setting(words: str, load: Callable[[str], Game]) -> Setting:
    """The setting of a line of words.

    Errors: BadWords if the words name no roll; UnknownGame for a misspelled game.
    """
    words = words.strip()
    if not words or len(words) > LONGEST:
        raise BadWords(f"A setting needs 1 to {LONGEST} characters.")
    first, _, rest = words.partition(" ")
    if DICE.match(words) or not rest or not first.replace("_", "a").isalnum():
        return Setting(words)
    (name, *more), options = split_options(split_words(rest))
    game = load(first)
    known = [*game.rolls, *game.fights]
    if name not in known:
        near = did_you_mean(name, known)
        raise BadWords(f"{game.title} has no roll {name!r}.{near} It has: {', '.join(known)}.")
    read_named(more, {})
    named = dict(one.partition("=")[::2] for one in more)
    begun = Setting(words, game, name, named, dict(read_options(options)))
    dials = [dial.name for dial in begun.dials]
    for one in named:
        if one not in dials:
            raise BadWords(
                f"{begun.title} does not take {one}.{did_you_mean(one, dials)} "
                f"It takes: {', '.join(dials) or 'nothing'}."
            )
    return begun


def labels_of(settings: Sequence[Setting]) -> list[str]:
    """A unique label for each setting, without the parts that all share."""
    every = [set(one.parts) for one in settings]
    common = set.intersection(*every) if len(every) > 1 else set()
    labels: list[str] = []
    for one in settings:
        label = ", ".join(part for part in one.parts if part not in common) or one.title
        same = sum(known.partition(" (")[0] == label for known in labels)
        labels.append(f"{label} ({same + 1})" if same else label)
    return labels


def first_setting(game: Game, name: str) -> Setting:
    """A roll or fight of a game with the numbers of its first sample."""
    begun = Setting("", game, name)
    of = begun.of
    sample = of.samples[0] if of is not None and of.samples else {}
    return replace(begun, named={key: _typed(value) for key, value in sample.items()})


def question(setting: Setting, dialect: str) -> tuple[Callable[..., Chances], tuple[Any, ...]]:
    """The function that solves a setting, and its arguments, for another process. Errors:
    BadAnswers for an invalid option; RuleRefuses for an invalid or missing number.
    """
    of, game = setting.of, setting.game
    if of is None or game is None:
        return of_notation, (setting.text, dialect)
    options, problems = library.read_options(game.options, setting.options)
    if problems:
        raise BadAnswers(problems)
    words = [f"{name}={value}" for name, value in setting.named.items() if value]
    named = dict(read_named(words, {}))
    what = f"{'fight' if isinstance(of, Fought) else 'roll'} {setting.name!r}"
    library.check_names(game, what, _taker(of), named, of.help)
    if isinstance(of, Fought):
        return of_fight, (of, options, named)
    # Numbers are read here, because their reader may not be picklable.
    roll = of.mechanic if of.told_by is None else dice.told(of.mechanic, of.told_by)
    return of_roll, (roll, of.sums_up, *of.arguments(options, **named))


def of_notation(text: str, dialect: str) -> Chances:
    """The chances of dice in notation. Errors: NotationError, NotSolved."""
    return _chances(dice.odds(text, dialect=dialect))


def of_roll(roll: Mechanic[..., Any], word: Callable[[Any], str], *arguments: Any) -> Chances:
    """The chances of a game's roll, summed for outcomes with the same word. Errors: NotSolved."""
    found = dice.odds(roll, *arguments)
    return _chances(found if word is str else found.worded(word))


def of_fight(fought: Fought, options: Mapping[str, Json], named: Mapping[str, Any]) -> Chances:
    """The chances of each winner of a fight, and the method of solving.

    Errors: RuleRefuses, NeverEnds, BadBattle, NotSolved.

    Floats are the lower ends of their proven bounds, so that their sum is at most 1.
    """
    told = foresee(fought, fought.start(options, **named))
    ways = {way: Fraction(chance) * (1 - told.found.bound) for way, chance in told.ways.items()}
    return Chances(ways, {}, (f"rounds: {told.duration}", told.assumed, str(told.found)))


def _chances(found: dice.Distribution) -> Chances:
    rows = {outcome_in_words(outcome): chance for outcome, chance in found.told()}
    if not are_numbers(found) or any(isinstance(outcome, bool) for outcome in found):
        return Chances(rows, {}, found.summary(), found.unresolved)
    ladder = {outcome: floor(chance) for outcome, chance in found.at_least().items()}
    return Chances(dict(found.items()), ladder, found.summary(), found.unresolved)


def _taker(of: Rolled | Fought) -> Callable[..., Any]:
    """The function that takes the named numbers."""
    return of.start if isinstance(of, Fought) else of.arguments


def _asked(of: Rolled | Fought | None) -> dict[str, Field]:
    """The questions that named numbers answer, by name."""
    return {one.name: one for one in of.fields} if isinstance(of, Rolled) else {}


def _dials(of: Rolled | Fought, named: Mapping[str, str]) -> Iterable[Dial]:
    asked = _asked(of)
    parameters = list(signature(_taker(of)).parameters.values())[1:]
    defaults = {
        one.name: None if one.default is Parameter.empty else one.default
        for one in parameters
        if one.kind is not Parameter.VAR_KEYWORD
    }
    names = [*defaults, *(name for sample in of.samples for name in sample), *asked]
    for name in dict.fromkeys(names):
        seen = [sample[name] for sample in of.samples if name in sample]
        label, default = name.replace("_", " ").capitalize(), defaults.get(name)
        if name in asked:
            label, default = asked[name].label, asked[name].default
        value = named.get(name, "" if default is None else _typed(default))
        yield _dial(Dial(name, label, "text", value), [*seen, default])


def _dial(text: Dial, seen: list[Any]) -> Dial:
    """The dial as a tick or a number if all values seen are such; otherwise as a text."""
    if any(isinstance(one, bool) for one in seen):
        return replace(text, kind="tick")
    numbers = [one for one in seen if isinstance(one, int)]
    if not numbers:
        return text
    if (text.value.removeprefix("-")).isdecimal():
        numbers.append(int(text.value))
    far = max(_FAR, *(2 * one for one in numbers))
    return replace(text, kind="number", low=min(0, *numbers), high=far)


def _typed(value: Any) -> str:
    """A value as it is typed.

    >>> _typed(True), _typed(3), _typed([6, 4]), _typed("very difficult")
    ('yes', '3', '6,4', 'very difficult')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(_typed, value))
    return str(value)
