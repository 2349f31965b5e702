"""The dice of a mechanic that is being solved: every path is walked once."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from kitchentable.dice.die import Die, Table, check_count, rows_of
from kitchentable.dice.errors import DiceFault, NotRepeatable, TooManyPaths
from kitchentable.dice.mechanic import Mechanic, as_mechanic
from kitchentable.dice.parameters import hit_test, mechanic_of, read_total
from kitchentable.dice.pool import check_keep
from kitchentable.dice.solving import derived, needs, queries, vectors, views
from kitchentable.dice.solving.handful import LazyPool, SymbolicPool, asked_of_each, handfuls
from kitchentable.dice.solving.keys import Key, Wholly, make_key
from kitchentable.dice.solving.lines import Amount, Groups, Line, Terms, fresh_law_line
from kitchentable.dice.solving.paths import Nowhere
from kitchentable.dice.solving.pools import Class, OpenPool
from kitchentable.dice.solving.result import Pending
from kitchentable.dice.solving.runner import is_returned, prepare
from kitchentable.dice.solving.settle import settled
from kitchentable.dice.solving.shapes import PLAIN, Words
from kitchentable.dice.solving.solution import Spread, spread_of
from kitchentable.dice.solving.step import Option, Step, in_words
from kitchentable.dice.solving.symbolic import Plainly, Symbolic
from kitchentable.dice.solving.throws import adding, hit_faces, hitting, mixing, reaching
from kitchentable.dice.trace import DROPPED

if TYPE_CHECKING:
    from kitchentable.dice.solving.solver import Solver

R = TypeVar("R")

_DICE: frozenset[type] = frozenset({int, Die})
_COVERING: frozenset[type] = frozenset({tuple, Symbolic, Pending})

LONG_PATH = 100
LONGEST_PATH = 5_000
# On a long path (a loop that may not terminate), less than 2**-FAINT is left unresolved.
FAINT = 72
# The number of values remembered as free of symbolic numbers.
MOST_CLEAN = 16


class Walk:
    """The dice given to one call of a mechanic while its paths are enumerated.

    `script` holds the choice points of the current path; `pos` is the position of this run in it.
    """

    # For mechanics that catch exceptions, `prepare` puts wrapped methods into `__dict__`.
    __slots__ = (
        "__dict__",
        "args",
        "begun",
        "calls",
        "clash",
        "clean",
        "covers",
        "depth",
        "eager",
        "endings",
        "firsts",
        "folded",
        "folds",
        "found",
        "gone",
        "guarded",
        "key",
        "kwargs",
        "laws",
        "looked",
        "lost",
        "mechanic",
        "needs",
        "needs_plain",
        "open",
        "partial",
        "paths",
        "plain",
        "pos",
        "raised",
        "reach",
        "script",
        "solver",
        "taint",
        *("viewed", "waiting", "whole", "wholly", "words"),
    )

    def __init__(self, solver: "Solver", key: Key) -> None:
        self.solver = solver
        self.key = key
        self.mechanic, self.args, named, _ = key
        self.kwargs = dict(named)
        # Values passed to other mechanics, known to hold no symbolic numbers.
        self.clean: list[Any] = []
        # `plain`: every number is enumerated; `open`: so is every result of a mechanic.
        self.plain = self.open = False
        self.eager = self.guarded = False
        self.raised: Exception | None = None
        # Calls with a path that uses more than one attribute of the result.
        self.whole: set[Key] = set()
        # Whether a single attribute was used, and whether that is forbidden.
        self.partial = self.wholly = False
        # Folds over pools, and steps of other folds as mechanics, for reuse on other paths.
        self.folds: dict[Any, Any] = {}
        prepare(self)
        self.begin()

    def begin(self) -> None:
        """Discard every path."""
        self.script: list[Step] = []
        self.pos = 0
        self.begun = self.partial = False
        self.paths = 0
        self.covers = False
        self.needs_plain = False
        self.needs: Key | None = None
        # The results given out on this run; those read, by the place of their call; and for the
        # others the one attribute used.
        self.waiting: list[Pending] = []
        self.looked: dict[Hashable, Any] = {}
        self.viewed: dict[Hashable, tuple[str, Pending]] = {}
        # The folds of this run; an equal fold has the same result.
        self.folded: dict[Hashable, Pending] = {}
        # The calls whose guessed results were used, and all calls behind inexact results.
        self.taint: set[Key] = set()
        self.reach: set[Key] = set()
        # The nesting depth of the results used.
        self.depth = 0
        # Weights by their total: of outcomes, of unresolved paths, of paths that never terminate,
        # and of tail calls by the number added.
        self.found: dict[int, dict[Any, Amount]] = {}
        self.lost: dict[int, Amount] = {}
        self.gone: dict[int, Amount] = {}
        self.calls: dict[Key, dict[int, dict[int, Amount]]] = {}
        self.laws: list[tuple[Fraction, Any]] = []
        # Sums that paths have returned, by their summands.
        self.endings: dict[Hashable, queries.Ending] = {}
        # The templates of outcomes, one object for all equal ones.
        self.words: dict[Words, Words] = {}
        # The first of each set of equal outcomes; and two equal outcomes of different types.
        self.firsts: dict[Any, Any] = {}
        self.clash: tuple[Any, Any] | None = None

    @property
    def place(self) -> str:
        """The name of the mechanic in errors."""
        return f"The mechanic {self.mechanic.name}"

    # -- the dice ------------------------------------------------------------------------------

    def die(self, of: int | Die = 6, *, label: str = "") -> Any:
        """One die."""
        of = self._read_of(of)
        step = self.known(of)
        return self._meet(of, self.solver.die_spread(of)) if step is None else step.value

    def pool(self, n: int, of: int | Die = 6, *, label: str = "") -> Any:
        """A pool of dice, symbolic until it is asked something."""
        n, of = self._read_int(n), self._read_of(of)
        if not self.plain:
            check_count(n)
            self.covers = True
            return SymbolicPool(LazyPool(self, n, of))
        check_count(n)
        return OpenPool(self, n, of)

    def multiset(self, of: int | Die, some: Class) -> Any:
        """A class of dice with its faces read: the paths branch over the multisets."""
        name, budget = self.solver.the_die(of).name, self.solver.budget
        return self.choose(
            ("handful", some.n, of, some), lambda: Spread([], [], *handfuls(name, some, budget))
        )

    def choose(self, request: Any, make: Callable[[], Spread]) -> Any:
        """A choice point: repeated from the script, or new."""
        step = self.known(request)
        return self._meet(request, make()) if step is None else step.value

    def total(
        self,
        n: int | str,
        of: int | Die | Mechanic[..., int] | tuple[Any, ...] = 6,
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> Any:
        """The sum of dice, symbolic."""
        number, of = read_total(n, of, keep_highest, keep_lowest)
        number, of = self._read_int(number), self._read_of(of)
        keep_highest, keep_lowest = self._read_int(keep_highest), self._read_int(keep_lowest)
        request = ("total", number, of, keep_highest, keep_lowest)
        step = self.known(request)
        if step is not None:
            return step.value
        check_count(number)
        check_keep(keep_highest, keep_lowest)
        one = self._one(of)
        if one.others:
            keeps = keep_highest is not None or keep_lowest is not None
            return vectors.total(self, request, one, number, keeps=keeps)
        return self._meet(request, adding(one, number, keep_highest, keep_lowest))

    def mixed(
        self,
        parts: Iterable[Any],
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> Any:
        """The sum of different dice, symbolic."""
        parts = tuple([self._read_of(of) for of in parts])
        high = check_keep(self._read_int(keep_highest), self._read_int(keep_lowest))
        low = self._read_int(keep_lowest)
        if (high is None and low is None) or (high or low or 0) >= len(parts):
            return sum([self.total(1, of) for of in parts])
        return self.choose(
            ("mixed", parts, high, low), lambda: mixing([*map(self._one, parts)], high, low)
        )

    def count(
        self,
        n: int,
        of: int | Die | Mechanic[..., Any] | tuple[Any, ...] = 6,
        *,
        hit: Callable[[Any], bool] | None = None,
        at_least: int | None = None,
        label: str = "",
    ) -> Any:
        """The number of dice that hit, symbolic."""
        of = self._read_of(of)
        at_least = self._read_int(at_least)
        hits = hit_test(hit, at_least)
        symbolic: Any = n
        if type(symbolic) is Symbolic and type(of) in _DICE:
            one = self._one(of)
            found = derived.hits_of(self, symbolic, one, hit_faces(one, hits))
            if found is not None:
                return found
        n = self._read_int(n)
        check_count(n)
        if hit is None:
            request: Any = ("count", n, of, at_least)
            step = self.known(request)
            if step is not None:
                return step.value
            spread = self._one(of)
            if spread.law is not None:
                return self._meet(request, reaching(spread, n, at_least))
            return self._meet(request, hitting(spread, n, hit_faces(spread, hits)))
        # `hit` may use symbolic numbers itself, so it is called on every run.
        spread = self._one(of).without_end()
        return self.hits(n, of, spread, hits)

    def hits(self, n: int, of: Any, spread: Spread, hit: Callable[[Any], bool]) -> Any:
        """The number of dice that show one of the faces that hit."""
        faces = asked_of_each(self, spread, hit)
        request = ("hits", n, of, faces)
        step = self.known(request)
        if step is not None:
            return step.value
        check_count(n)
        return self._meet(request, hitting(spread, n, faces))

    def draw(self, table: Table, *, label: str = "") -> Any:
        """A row of a table."""
        plain = table.items() if isinstance(table, Mapping) else table
        rows = rows_of(settled(tuple(plain), self.place))
        request = ("draw", rows)
        step = self.known(request)
        if step is not None:
            return step.value
        return self._meet(request, spread_of(rows, sum(weight for _, weight in rows)))

    def mark(self, fate: str, why: str = "") -> None:
        """Do nothing: only traces of thrown dice show fates."""

    def drop(self, parts: Iterable[int], why: str = "", fate: str = DROPPED) -> None:
        """Do nothing: only traces of thrown dice show fates."""

    def perform(
        self, mechanic: Mechanic[..., R], args: tuple[Any, ...], kwargs: Mapping[str, Any], /
    ) -> R:
        """Call another mechanic; its result is pending until it is used."""
        token = needs.defer(self, mechanic, args, kwargs) if self.covers or self.waiting else None
        if token is None:
            token = needs.call(self, mechanic, args, kwargs)
        shows = (self.open or self.eager) and views.shows(self, mechanic)
        if shows and (self.open or not is_returned(self)):
            return token.pending_look()  # type: ignore[no-any-return]
        self.waiting.append(token)
        return token  # type: ignore[return-value]

    view = views.view
    told = views.told
    look_at_arguments = needs.look_at_arguments

    def look(self, token: Pending) -> Any:
        """The result of a call: a symbolic number, or one outcome on each path."""
        name = token.pending_name
        if name not in self.looked:
            if name in self.viewed:
                raise Wholly(token.pending_key)
            request = ("look", token.pending_key)
            step = self.known(request)
            if step is None:
                by_words = not (self.wholly or self.plain)
                spread = self.solver.result(token.pending_key, by_words=by_words)
                views.check_whole(self, token.pending_key[0], spread)
                value = self._meet(request, spread)
            else:
                value = step.value
            self.looked[name] = value
        return self.looked[name]

    def let_end(self, token: Pending) -> None:
        """Account for the probability that an unused call does not terminate."""
        if token.pending_known is None and needs.surely_ends(self, token):
            return
        key = views.ending(token.pending_key)
        spread = self.solver.value(key).spread()
        if spread.lost or spread.never:
            self.choose(("end", key), lambda: views.nothing_but_the_end(spread))

    # -- the script ----------------------------------------------------------------------------

    def here(self) -> tuple[Amount, int, Groups]:
        """The weight of the path so far, its total, and the conditional distributions."""
        pos = min(self.pos, len(self.script))
        if pos:
            last = self.script[pos - 1]
            return last.weight, last.total, last.groups
        return 1, 1, {}

    def known(self, request: Any) -> Step | None:
        pos = self.pos
        if pos < len(self.script):
            step = self.script[pos]
            if step.request is not request and step.request != request:
                self._differs(step, request)
            self.pos = pos + 1
            return step
        return None

    def append(self, step: Step) -> Any:
        """Add a choice point to the end of the path, and return its value."""
        if self.solver.walking is not self:
            raise DiceFault(
                f"{self.place} has handed its dice, or a number thrown with them, to another "
                f"mechanic other than as an argument. A mechanic uses the dice it is called with."
            )
        self.script.append(step)
        self.pos += 1
        if len(self.script) > LONGEST_PATH:
            raise TooManyPaths(
                f"{self.place} goes on for more than {LONGEST_PATH} dice on one path. "
                f"Let it end, or let it call itself instead of looping."
            )
        return step.value

    def _meet(self, request: Any, spread: Spread) -> Any:
        """Add a new choice point with this distribution, and return its value."""
        weight, total, groups = self.here()
        if spread.lost:
            self.lose(weight * spread.lost, total * spread.total)
        if spread.never:
            over = total * spread.total
            self.gone[over] = self.gone.get(over, 0) + weight * spread.never
        name = len(self.script)
        whole = spread.law is not None or bool(spread.values)
        if self.plain and whole:
            spread = queries.uncovered(self, spread, weight, total)
            whole = False
        form = ((name, 1),)
        if whole and not spread.others and not spread.shaped:
            if spread.law is None and len(spread.values) == 1 and spread.mass == spread.total:
                return self.append(Step(request, spread.values[0], weight, total, groups))
            base: Any
            if spread.law is not None:
                base = fresh_law_line(form, spread.law)
            else:
                base = Line(
                    form,
                    spread.values,
                    spread.weights,
                    spread.total,
                    mass=spread.mass,
                    charged=False,
                )
            self.covers = True
            symbolic = Symbolic(self, form, 0)
            return self.append(Step(request, symbolic, weight, total, groups, base))
        options: list[Option] = [(value, weight * part, groups) for value, part in spread.others]
        if whole:
            line, mass = queries.charged_line(form, spread)
            self.covers = True
            options.append((Symbolic(self, form, 0), weight * mass, {**groups, name: line}))
        for words, values, weights in spread.shaped:
            self.covers = self.partial = True
            own = Line(form, values, weights, spread.total, mass=sum(weights), charged=True)
            value = words.fill(Symbolic(self, form, 0))
            options.append((value, weight * own.mass, {**groups, name: own}))
        return self.branch(request, options, total * spread.total)

    def branch(self, request: Any, options: list[Option], total: int) -> Any:
        """Add a choice point with several options, and return the value of the first."""
        if not options:
            raise Nowhere(self.place)
        if len(self.script) >= LONG_PATH:
            weight, here, _ = self.here()
            if weight * (1 << FAINT) < here:
                self.lose(weight, here)
                raise Nowhere(self.place)
        value, weight, groups = options[0]
        more = options if len(options) > 1 else None
        return self.append(Step(request, value, weight, total, groups, None, more))

    def plainly(self, why: str) -> Plainly:
        """The signal to enumerate every number; recorded in case the mechanic catches it."""
        self.needs_plain = True
        return Plainly(why)

    def lose(self, weight: Amount, total: int) -> None:
        """Count a weight as unresolved."""
        self.lost[total] = self.lost.get(total, 0) + weight

    def ask(self, question: str, terms: Terms, const: int) -> bool:
        """Whether a symbolic number is at least 0, or equals 0: the paths branch by the answer."""
        request = (question, terms, const)
        script, pos = self.script, self.pos
        if pos < len(script) and script[pos].request == request:
            self.pos = pos + 1
            return script[pos].value  # type: ignore[no-any-return]
        # The same question on the same path has the same answer.
        for step in script[:pos]:
            if step.request == request:
                return step.value  # type: ignore[no-any-return]
        if pos < len(script):
            self._differs(script[pos], request)
        return self.branch(request, *queries.answers(self, question, terms, const))  # type: ignore[no-any-return]

    multiply = derived.product

    def read(self, terms: Terms, const: int) -> int:
        """The value of a symbolic number: the paths branch over its support."""
        request = ("read", terms, const)
        step = self.known(request)
        if step is not None:
            return step.value  # type: ignore[no-any-return]
        return self.branch(request, *queries.values(self, terms, const))  # type: ignore[no-any-return]

    # -- helpers -------------------------------------------------------------------------------

    def settle(self, value: Any) -> Any:
        """An argument for a mechanic, without symbolic numbers; checked values are remembered."""
        looked_through = (*self.args, *self.kwargs.values(), *self.clean)
        if type(value) in PLAIN or any(value is one for one in looked_through):
            return value
        known = settled(value, self.place)
        if known is value and len(self.clean) < MOST_CLEAN:
            self.clean.append(value)
        return known

    def _read_int(self, n: Any) -> Any:
        return n if type(n) is int or n is None else settled(n, self.place)

    def _read_of(self, of: Any) -> Any:
        if type(of) in _DICE:
            return of
        if isinstance(of, FunctionType):
            return as_mechanic(of)
        return settled(of, self.place) if type(of) in _COVERING else of

    def _one(self, of: Any) -> Spread:
        if type(of) in _DICE or isinstance(of, int | Die):
            return self.solver.die_spread(of)
        mechanic, args = mechanic_of(of)
        return self.solver.result(make_key(mechanic, args, {}))

    def _differs(self, step: Step, request: Any) -> None:
        raise NotRepeatable(
            f"{self.place} is not repeatable: with the same dice it first asked for "
            f"{in_words(step.request)} and then for {in_words(request)}. A mechanic may use no "
            f"clock, no randomness of its own and no order of a set; let it ask the dice."
        )
