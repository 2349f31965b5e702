"""Say which rows of each game's rulebook are proven and which are not, by kind.

A game's `ledger.txt` lists the id and the kind of every rule of its book. A row is proven when

- the game's `rulebook.toml`, or a file in its folder `rulebook`, has an entry for it;
- code that the product reaches cites it: a function or value reached from the game's value `game`
  cites the id, or such code reads a table of the game's data with the id;
- a test that pytest collects has its id in a mark, `@pytest.mark.rule("toast.5-total")`;
- one of these tests runs a function that cites the id, or that uses a value that cites it.

A row of kind `text` needs only the first. Rows in a table of data need no run, because their own
tests check the table. Also listed: ids that no ledger has, and options and tables of data that no
reached code uses. `--quick` omits the run of the tests, which takes two minutes.

`--broken toast.` checks the rules whose ids begin so: it breaks the code that cites each rule, and
lists the rules whose own tests still pass. The exit code is 1 if anything is listed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "kitchentable"
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from scripts.reach import Definition, Package, Target, attributes_in, strings_in  # noqa: E402

GAMES = SOURCE / "rulesets"
TESTS = ROOT / "tests"
#: The parts of the product that ask a game's values for their attributes.
ROOMS = ("rules", "campaign", "fights", "dice", "web", "app", "cli", "store")
#: The part of an id after the name of its book: chapter, section and words. The beginning of an id
#: that is put together in place, or only compared with, does not match; `Game.cited` handles it.
TAIL = r"(?:\.[0-9]+[a-z]*)+[.-][a-z](?:[a-z0-9-]*[a-z0-9])?(?![a-z0-9]*(?:-?\{|-[\"']))"

Key = tuple[str, str]
#: The tests that carry a rule, by its id.
Marks = Mapping[str, frozenset[str]]
#: The tests that run a line, by file and line number.
Runs = Mapping[str, Mapping[int, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of a book, with its state of proof."""

    game: str
    id: str
    kind: str
    told: bool
    coded: bool
    tested: bool
    #: Whether its own tests run the code that cites it; None if that was not checked.
    run: bool | None = None

    @property
    def live(self) -> bool:
        """Whether nothing is missing."""
        return not self.lack

    @property
    def lack(self) -> str:
        """What is missing, in words; "" for nothing."""
        parts = [] if self.told else ["no entry in the rulebook"]
        if self.kind != "text":
            parts += [] if self.coded else ["no code that the product reaches cites it"]
            parts += [] if self.tested else ["no test carries its id"]
            if self.coded and self.tested and self.run is False:
                parts.append("none of its tests runs the code that cites it")
        return " and ".join(parts)


@dataclass(frozen=True, slots=True)
class Block:
    """One table of a game's data: its name, its key or "", and its text."""

    table: str
    key: str
    text: str


class Game:
    """A game's ledger with its rulebook, its code and its data."""

    def __init__(self, folder: Path, asked: frozenset[str], words: frozenset[str]) -> None:
        self.folder, self.name = folder, folder.name
        self.kinds = kinds_of(folder / "ledger.txt")
        self.package = Package(folder, f"kitchentable.rulesets.{folder.name}")
        reached = self.package.reached("game", attributes=asked)
        self.reached = {key: self.package.definitions[key] for key in sorted(reached)}
        self._asked, self._words = asked, words

    @cached_property
    def told(self) -> frozenset[str]:
        """The ids that have an entry in the rulebook."""
        books = [tomllib.loads(text) for text in texts(self.folder, "rulebook")]
        return frozenset(rule["id"] for book in books for rule in book.get("rule", ()))

    @cached_property
    def blocks(self) -> list[Block]:
        """The tables of the game's data, each with the comment on its heading."""
        found = []
        for text in (one for name in ("data", "words", "game") for one in texts(self.folder, name)):
            for part in re.split(r"^(?=\[)", text, flags=re.MULTILINE):
                head = re.match(r"\[+([^\]]*)\]", part)
                key = re.search(r'^(?:key|name|id) = "([^"]*)"', part, flags=re.MULTILINE)
                found.append(Block(head[1] if head else "", key[1] if key else "", part))
        return found

    @cached_property
    def asked(self) -> frozenset[str]:
        """Every whole string and attribute used by reached code, here or in the rules."""
        mine = [one.strings | one.attributes for one in self.reached.values()]
        return frozenset().union(*mine, self._words, self._asked)

    def is_read(self, block: Block) -> bool:
        """Whether reached code uses a table of data, or this option.

        An option may be used by a name that is put together (``f"wounds_{kind}"``), or named by a
        row of another table.
        """
        if block.table != "option":
            return not block.table or block.table.partition(".")[0] in self.asked
        if block.key in self.asked or block.key.startswith(self._heads):
            return True
        named = re.compile(rf'"{re.escape(block.key)}"')
        others = (one for one in self.blocks if one.table != "option")
        return any(named.search(one.text) and self.is_read(one) for one in others)

    @cached_property
    def _heads(self) -> tuple[str, ...]:
        found = frozenset().union(*(one.heads for one in self.reached.values()))
        return tuple(sorted(one for one in found if re.fullmatch(r"[a-z]+_", one)))

    @cached_property
    def cited(self) -> dict[str, list[Definition]]:
        """The reached definitions that cite each id of the ledger, in text, string or comment.

        An id put together in place (``f"toast.5-diff-{key}"``) cites all ids with that beginning.
        """
        found: dict[str, list[Definition]] = defaultdict(list)
        for one in self.reached.values():
            # The game's value reaches everything, so its own citations prove nothing.
            for rule in self.ids_in(one.text) if one.key != (self.package.name, "game") else ():
                found[rule].append(one)
        return found

    @cached_property
    def in_data(self) -> frozenset[str]:
        """The ids in tables of data that reached code reads."""
        return frozenset(
            rule for block in self.blocks if self.is_read(block) for rule in self.ids_in(block.text)
        )

    def ids_in(self, text: str) -> set[str]:
        """Collect the ids of the ledger that a text cites."""
        whole, begun = self._citations
        found = self.kinds.keys() & whole.findall(text)
        beginnings = tuple(begun.findall(text))
        if beginnings:
            found |= {rule for rule in self.kinds if rule.startswith(beginnings)}
        return found

    @cached_property
    def _citations(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Patterns of a whole id of this ledger, and of the beginning of an id."""
        book = "|".join(sorted({re.escape(rule.partition(".")[0]) for rule in self.kinds}))
        return (
            re.compile(rf"\b(?:{book})\.[a-z0-9.-]*[a-z0-9]"),
            re.compile(rf"\b((?:{book})\.[a-z0-9.-]+-)\{{"),
        )

    def functions_of(self, one: Definition) -> Iterator[Definition]:
        """A definition, and for a value that is not a function the functions related to it.

        A value (a form, a move, a table) is related to the functions of its module that it names,
        and to those that use it.
        """
        seen: set[Key] = set()
        own = (self.package.definitions[key] for key in one.names if key in self.reached)
        waiting = [one]
        if not one.is_function:
            waiting += [two for two in own if two.is_function and two.module == one.module]
        while waiting:
            here = waiting.pop()
            if here.key in seen:
                continue
            seen.add(here.key)
            yield here
            if not here.is_function:
                waiting += [two for two in self.package.namers(here.key) if two.key in self.reached]
                waiting += self.package.methods_of(here)

    def tests_of(self, one: Definition, runs: Runs) -> frozenset[str]:
        """The tests that run lines of a definition, or of a function related to it."""
        found: set[str] = set()
        for here in self.functions_of(one):
            lines = runs.get(str(here.path.relative_to(self.folder)), {})
            for line in range(here.body, here.last + 1):
                found |= lines.get(line, frozenset())
        return frozenset(found)

    def to_break(self, rule: str) -> list[list[Target]]:
        """The functions that cite a rule; then other functions related to its citations."""
        cited = self.cited.get(rule, [])
        own = [one for one in cited if one.is_function]
        near = {two.key: two for one in cited for two in self.functions_of(one) if two not in own}
        return [[one.target for one in group] for group in (own, near.values())]

    def rows(self, marks: Marks, runs: Mapping[str, Runs] | None = None) -> Iterator[Row]:
        """Read the ledger's rows, each with its proofs."""
        for rule, kind in self.kinds.items():
            own = marks.get(rule, frozenset())
            cited, in_data = self.cited.get(rule, []), rule in self.in_data
            row = Row(self.name, rule, kind, rule in self.told, bool(cited) or in_data, bool(own))
            if runs is not None and kind != "text":
                here = runs.get(self.name, {})
                ran = in_data or any(self.tests_of(one, here) & own for one in cited)
                row = replace(row, run=ran)
            yield row

    def unread(self) -> Iterator[str]:
        """Name the options and tables of data that no reached code uses."""
        for block in self.blocks:
            if not self.is_read(block):
                what = f"option {block.key}" if block.table == "option" else f"table {block.table}"
                yield f"{self.name}: nothing reads the {what}"


@cache
def asked_outside() -> tuple[frozenset[str], frozenset[str]]:
    """Name the attributes of a game that the product uses, and the strings of the rules."""
    asked = frozenset(name for room in ROOMS for name in attributes_in(SOURCE / room))
    return asked, frozenset(strings_in(SOURCE / "rules"))


def games() -> list[Game]:
    """Read every game that has a ledger."""
    asked, words = asked_outside()
    return [Game(ledger.parent, asked, words) for ledger in sorted(GAMES.glob("*/ledger.txt"))]


@dataclass(frozen=True, slots=True)
class Stray:
    """An id that is in no ledger, and the files that name it."""

    id: str
    where: tuple[str, ...]


def strays() -> Iterator[Stray]:
    """Every id that is used somewhere but missing in its book's ledger.

    The search covers each game's folder and all tests, because any test may carry a rule.
    """
    known: set[str] = set()
    for ledger in GAMES.glob("*/ledger.txt"):
        known.update(kinds_of(ledger))
    books = "|".join(sorted({re.escape(rule.partition(".")[0]) for rule in known}))
    if not books:
        return
    whole = re.compile(rf"(?<![\w./-])(?:{books}){TAIL}")
    found: dict[str, set[str]] = {}
    for folder in (GAMES, TESTS):
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            for one in set(whole.findall(path.read_text(encoding="utf-8"))) - known:
                found.setdefault(one, set()).add(path.relative_to(folder.parent).as_posix())
    for one, files in sorted(found.items()):
        yield Stray(one, tuple(sorted(files)))


def kinds_of(ledger: Path) -> dict[str, str]:
    """Read the ids of a ledger, each with its kind."""
    lines = ledger.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line.strip() and not line.startswith("#"))


def texts(folder: Path, name: str) -> list[str]:
    """Read a game's files of a name: one file `name.toml`, or several in a folder `name`."""
    found = [*folder.glob(f"{name}.toml"), *sorted(folder.glob(f"{name}/*.toml"))]
    return [path.read_text(encoding="utf-8") for path in found]


def marked_files(tests: Path) -> list[str]:
    """Name the files with tests that carry rules, the only ones that pytest has to read."""
    files = sorted(tests.rglob("test_*.py"))
    return [str(path) for path in files if "mark.rule" in path.read_text(encoding="utf-8")]


def collect_marks(tests: Path = TESTS) -> Marks:
    """Ask pytest for the collected tests that carry each rule."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "marks.json"
        options = ("--collect-only", "-q", "--rule-marks", str(found))
        _pytest(*options, *marked_files(tests))
        marks: dict[str, list[str]] = json.loads(found.read_text(encoding="utf-8"))
    return {rule: frozenset(tests) for rule, tests in marks.items()}


def run_marked() -> dict[str, Runs]:
    """Run the tests that carry a rule, and give for each game the tests that ran each line."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "coverage"
        _pytest(
            "-q",
            str(TESTS),
            "--only-marked",
            *(f"--cov={GAMES}", "--cov-context=test", "--cov-report="),
            COVERAGE_FILE=str(file),
        )
        data = CoverageData(str(file))
        data.read()
        runs: dict[str, dict[str, dict[int, frozenset[str]]]] = defaultdict(dict)
        for name in data.measured_files():
            path = Path(name)
            if path.is_relative_to(GAMES) and len(path.relative_to(GAMES).parts) > 1:
                game, *rest = path.relative_to(GAMES).parts
                runs[game][str(Path(*rest))] = {
                    line: frozenset(one.rpartition("|")[0] for one in contexts if one)
                    for line, contexts in data.contexts_by_lineno(name).items()
                }
    return dict(runs)


def break_cited(
    cited: Mapping[str, list[list[Target]]], tests: Path = TESTS
) -> dict[str, dict[str, str]]:
    """Break the code that cites each rule: "noticed" by the rule's tests, "green" or "not run".

    Code that is only related to a rule is broken if its tests run no code that cites the rule.
    """
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "rules.json"
        asked.write_text(json.dumps(cited), encoding="utf-8")
        _pytest(
            *("-q", "-p", "scripts.breaking", f"--break={asked}"),
            *(f"--basetemp={folder}/tests", *marked_files(tests)),
            HYPOTHESIS_STORAGE_DIRECTORY=folder,
        )
        found: dict[str, dict[str, str]] = json.loads(asked.read_text(encoding="utf-8"))
    return found


def unnoticed(marks: Marks, named: str = "") -> Iterator[str]:
    """Name the rules whose own tests still pass while the code that cites them is broken.

    `named` is the beginning of the ids to check; exits if no id begins with it.
    """
    found = games()
    asked = {
        rule: game.to_break(rule)
        for game in found
        for rule in game.kinds
        if rule in marks and rule in game.cited and rule.startswith(named)
    }
    if not asked:
        books = {f"{rule.partition('.')[0]}." for game in found for rule in game.kinds}
        sys.exit(
            f"No code cites a rule that begins with {named!r}; these do: {', '.join(sorted(books))}"
        )
    data = frozenset().union(*(game.in_data for game in found))
    for rule, tried in break_cited(asked).items():
        ran = [name for name, how in tried.items() if how == "green"]
        if "noticed" not in tried.values() and (ran or rule not in data):
            yield f"not noticed: {rule}, in {', '.join(ran) or 'nothing that its tests run'}"


def _pytest(*args: str, **environment: str) -> None:
    """Run pytest on all tests with the plugin for marks; exit if it fails."""
    command = [sys.executable, "-m", "pytest", "-p", "scripts.rule_marks", "-m", "not soak"]
    done = subprocess.run(
        [*command, *args, "-p", "no:cacheprovider"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"The tests that carry rules did not pass.\n{done.stdout[-4000:]}{done.stderr}")


def main(argv: list[str] | None = None) -> None:
    """Print the requested lists."""
    parser = argparse.ArgumentParser(description="Say which rules of the games are proven.")
    parser.add_argument("--quick", action="store_true", help="leave out the run of the tests")
    parser.add_argument("--broken", metavar="BEGINNING", help="break the code of these rules")
    said = parser.parse_args(argv)
    marks = collect_marks()
    if said.broken is not None:
        green = list(unnoticed(marks, said.broken))
        print("\n".join(green))
        sys.exit(1 if green else 0)
    tell_proven(marks, quick=said.quick)


def tell_proven(marks: Marks, *, quick: bool) -> None:
    """Print the number of proven rows of each kind, and the gaps of the others."""
    runs = None if quick else run_marked()
    found = games()
    all_rows = [row for game in found for row in game.rows(marks, runs)]
    live, total = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in all_rows:
        total[row.game, row.kind] += 1
        live[row.game, row.kind] += row.live
    print(f"{'game':<14}{'kind':<10}{'live':>6}{'missing':>9}")
    for (game, kind), count in sorted(total.items()):
        print(f"{game:<14}{kind:<10}{live[game, kind]:>6}{count - live[game, kind]:>9}")
    print(f"{'all':<24}{live.total():>6}{total.total() - live.total():>9}")
    said = [f"missing: {row.id} ({row.kind}): {row.lack}" for row in all_rows if not row.live]
    said += [f"in no ledger: {stray.id}, named in {', '.join(stray.where)}" for stray in strays()]
    said += [f"unread: {line}" for game in found for line in dict.fromkeys(game.unread())]
    print("\n".join(said))
    sys.exit(1 if said else 0)


if __name__ == "__main__":
    main()
