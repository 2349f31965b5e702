"""Say which rows of each game's rulebook are live and which are missing, by kind.

A game's `ledger.txt` lists the id and the kind of every rule of its book. A row is live when the
game's `rulebook.toml`, or one of the files in its folder `rulebook`, has an entry for it and, for
the kinds that can be played, when the game's code cites its id and a test of the game carries it.
Ids that the code, the rulebook or a test names and no ledger has are told as well.
Ends with 1 when a row is missing, or an id is of no ledger.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src" / "kitchentable" / "rulesets"
TESTS = ROOT / "tests" / "rulesets"
ALL_TESTS = ROOT / "tests"
#: What an id is behind the name of its book: chapter, section, and words. A beginning that is put
#: together in place, or only compared with, is none; `ids_in` knows those.
TAIL = r"(?:\.[0-9]+[a-z]*)+[.-][a-z](?:[a-z0-9-]*[a-z0-9])?(?![a-z0-9]*(?:-?\{|-[\"']))"
PLAYED = frozenset({"core", "option", "ruling"})


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of a book, and whether the project has it."""

    game: str
    id: str
    kind: str
    told: bool
    coded: bool
    tested: bool

    @property
    def live(self) -> bool:
        """Whether nothing is missing."""
        return not self.lack

    @property
    def lack(self) -> str:
        """What is missing, in words; "" for nothing."""
        parts = [] if self.told else ["no entry in the rulebook"]
        if self.kind in PLAYED:
            parts += [] if self.coded else ["no code cites it"]
            parts += [] if self.tested else ["no test carries its id"]
        return " and ".join(parts)


def rows() -> Iterator[Row]:
    """Read every game's ledger beside its rulebook and its tests."""
    for ledger in sorted(GAMES.glob("*/ledger.txt")):
        game = ledger.parent.name
        books = [tomllib.loads(text) for text in texts(ledger.parent, "rulebook")]
        told = {rule["id"] for book in books for rule in book.get("rule", ())}
        kinds = kinds_of(ledger)
        cited = ids_in(ledger.parent, set(kinds))
        carried = ids_in(TESTS / game, set(kinds))
        for rule, kind in kinds.items():
            yield Row(game, rule, kind, rule in told, rule in cited, rule in carried)


@dataclass(frozen=True, slots=True)
class Stray:
    """An id that is in no ledger, and the files that name it."""

    id: str
    where: tuple[str, ...]


def strays() -> Iterator[Stray]:
    """Every id of a book with a ledger that is named somewhere and is not in it.

    Looked for in each game's folder, and in all tests: a test of the table may carry a rule too.
    """
    known: set[str] = set()
    for ledger in GAMES.glob("*/ledger.txt"):
        known.update(kinds_of(ledger))
    books = "|".join(sorted({re.escape(rule.partition(".")[0]) for rule in known}))
    if not books:
        return
    whole = re.compile(rf"(?<![\w./-])(?:{books}){TAIL}")
    found: dict[str, set[str]] = {}
    for folder in (GAMES, ALL_TESTS):
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
    """Read what a game keeps under a name: one file `name.toml`, or several in a folder `name`."""
    found = [*folder.glob(f"{name}.toml"), *sorted(folder.glob(f"{name}/*.toml"))]
    return [path.read_text(encoding="utf-8") for path in found]


def ids_in(folder: Path, ledger: set[str]) -> set[str]:
    """Collect every rule of the ledger that a folder's code names, its tables included.

    An id that is put together in place (``f"toast.5-diff-{key}"``) names all that begin like it.
    """
    code = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    code += texts(folder, "data")
    book = "|".join(sorted({re.escape(rule.partition(".")[0]) for rule in ledger}))
    whole = re.compile(rf"\b(?:{book})\.[a-z0-9.-]*[a-z0-9]")
    start = re.compile(rf"\b((?:{book})\.[a-z0-9.-]+-)\{{")
    found = {one for text in code for one in whole.findall(text)}
    begun = {one for text in code for one in start.findall(text)}
    return {rule for rule in ledger if rule in found or any(rule.startswith(b) for b in begun)}


def main() -> None:
    """Print the table and what is missing."""
    all_rows = list(rows())
    live, total = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in all_rows:
        total[row.game, row.kind] += 1
        live[row.game, row.kind] += row.live
    print(f"{'game':<14}{'kind':<10}{'live':>6}{'missing':>9}")
    for (game, kind), count in sorted(total.items()):
        print(f"{game:<14}{kind:<10}{live[game, kind]:>6}{count - live[game, kind]:>9}")
    print(f"{'all':<24}{live.total():>6}{total.total() - live.total():>9}")
    missing = [row for row in all_rows if not row.live]
    for row in missing:
        print(f"missing: {row.id} ({row.kind}): {row.lack}")
    lost = list(strays())
    for stray in lost:
        print(f"in no ledger: {stray.id}, named in {', '.join(stray.where)}")
    sys.exit(1 if missing or lost else 0)


if __name__ == "__main__":
    main()
