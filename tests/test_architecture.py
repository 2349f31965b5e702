"""The architecture: who may import whom, the size of files, the names."""

import ast
import builtins
import functools
import graphlib
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src" / "kitchentable"
SOURCES = sorted(SRC.rglob("*.py"))
OWN = [
    path
    for folder in ("src", "tests", "scripts", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
LONGEST = 500

# Which packages a package may import, itself aside. A package that is not here may not exist.
IMPORTS: dict[str, set[str]] = {
    "dice": set(),
    "rules": {"dice"},
    "rulesets": {"dice", "rules"},
    "fights": {"dice", "rules"},
    "campaign": {"dice", "rules"},
    "store": {"dice"},
    "app": {"dice", "rules", "fights", "campaign", "store"},
    "web": {"dice", "rules", "fights", "campaign", "app"},
    "client": {"dice", "rules", "campaign", "app"},
    "cli": {"", "dice", "rules", "fights", "campaign", "app", "web", "client"},
    "__main__": {"cli"},
    "": {"dice", "fights", "rules"},
}
# What a package may not take from the standard library: what cannot be repeated, or leaves it.
CLOSED: dict[str, set[str]] = {
    "campaign": {
        *("asyncio", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "socket"),
        *("sqlite3", "subprocess", "tempfile", "threading", "time", "urllib", "uuid"),
    },
    "web": {"sqlite3"},
    "cli": {"sqlite3"},
}
# Packages that take nothing from outside, with what is lent: numpy to fights, msgspec to events.
BARE: dict[str, set[str]] = {
    "dice": {"matplotlib"},
    "rules": set(),
    "rulesets": set(),
    "fights": {"numpy"},
    "campaign": {"msgspec"},
}


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file. Half the tests here look at all of it."""
    return tuple(ast.walk(tree(path)))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package(module: str) -> str:
    """The folder below kitchentable that a module is in; "" for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in IMPORTS else ""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module a file imports, with the line; a `from` import names what it takes."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_imports_run_one_way():
    wrong = []
    for path in SOURCES:
        here = package(module_name(path))
        for line, name in imports(path):
            if name.split(".")[0] != "kitchentable":
                continue
            there = package(name)
            if there != here and there not in IMPORTS[here]:
                wrong.append(f"{where(path, line)} takes {name}, which is closed to {here!r}")
    assert not wrong, "\n".join(wrong)


def test_no_import_runs_in_a_circle():
    """Also none for types alone: concepts have an order in which they can be read."""
    files = {module_name(path): path for path in SOURCES}
    taken = {
        name: {
            one if one in files else one.rpartition(".")[0]
            for _, one in imports(path)
            if one.split(".")[0] == "kitchentable"
        }
        for name, path in files.items()
    }
    graphlib.TopologicalSorter(taken).prepare()  # a CycleError names the circle


def test_every_folder_is_a_room_with_rules():
    folders = {path.name for path in SRC.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= set(IMPORTS), f"IMPORTS does not know {folders - set(IMPORTS)}"


def test_a_game_knows_no_other_game_and_nobody_knows_a_game():
    wrong = []
    for path in SOURCES:
        own = path.relative_to(SRC).parts
        home = ".".join(("kitchentable", *own[:2])) if own[0] == "rulesets" else None
        wrong += [
            f"{where(path, line)} takes {name}"
            for line, name in imports(path)
            if name.startswith("kitchentable.rulesets.")
            and not (home and (name == home or name.startswith(f"{home}.")))
        ]
    assert not wrong, "\n".join(wrong)


def test_no_file_outside_a_games_folder_names_a_game():
    games = {path.name for path in (SRC / "rulesets").iterdir() if (path / "__init__.py").is_file()}
    wrong = [
        f"{where(path, node.lineno)} says {node.value!r}"
        for path in SOURCES
        if path.relative_to(SRC).parts[0] != "rulesets"
        for node in code_strings(path)
        if node.value in games
    ]
    assert not wrong, "\n".join(wrong)


def code_strings(path: Path) -> Iterator[ast.Constant]:
    """The string values of a file that are not docstrings."""
    prose = {
        id(body[0].value)
        for node in nodes(path)
        if (body := getattr(node, "body", None))
        and isinstance(body, list)
        and isinstance(body[0], ast.Expr)
    }
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node


def test_the_pure_rooms_stay_pure():
    wrong = []
    for path in SOURCES:
        here = package(module_name(path))
        for line, name in imports(path):
            top = name.split(".")[0]
            foreign = top not in sys.stdlib_module_names and top != "kitchentable"
            if top in CLOSED.get(here, set()) or (foreign and top not in BARE.get(here, {top})):
                wrong.append(f"{where(path, line)} takes {name}, which is closed to {here}")
    assert not wrong, "\n".join(wrong)


def test_campaign_never_asks_for_the_time():
    wrong = [
        f"{where(path, node.lineno)} calls {node.func.attr}()"
        for path in sorted((SRC / "campaign").rglob("*.py"))
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"now", "utcnow", "today"}
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    extra = ("fast", "plot", "bench", "mcp", "postgres")
    asked = [*project["dependencies"], *(line for name in extra for line in extras[name])]
    names = {re.split(r"[^A-Za-z0-9_-]", line)[0].lower() for line in asked}
    modules = {"pillow": "pil", "markdown-it-py": "markdown_it"}
    declared = {modules.get(one, one.replace("-", "_")) for one in names}
    wrong = [
        f"{where(path, line)} takes {name}, which pyproject.toml does not declare"
        for path in SOURCES
        for line, name in imports(path)
        if (top := name.split(".")[0]) not in sys.stdlib_module_names
        and top != "kitchentable"
        and top.lower() not in declared
    ]
    assert not wrong, "\n".join(wrong)


def test_what_needs_postgresql_is_loaded_only_where_a_database_is_named():
    ours = re.compile(r"(psycopg|kitchentable\.store\.postgres)")
    wrong = [
        f"{where(path, line)} takes {name}"
        for path in SOURCES
        for line, name in imports(path)
        if ours.match(name) and not path.name.startswith("postgres")
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_declared_is_pinned():
    pinned = {
        line.split("==")[0].lower()
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    loose = [
        line
        for line in importlib.metadata.requires("kitchentable") or []
        if re.split(r"[^A-Za-z0-9_.-]", line)[0].lower() not in pinned | {"kitchentable"}
    ]
    assert not loose, f"constraints.txt does not pin {loose}"


def test_what_the_build_pins_itself_agrees_with_the_constraints():
    pins = set((ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines())
    texts = [(ROOT / name).read_text("utf-8") for name in ("pyproject.toml", "hatch_build.py")]
    pinned = {pin for text in texts for pin in re.findall(r'"([a-z-]+==[0-9.]+)"', text)}
    assert pinned
    assert pinned <= pins


def test_no_file_names_a_registry():
    """Where packages come from is the machine's to say."""
    hosts = re.compile("|".join(["py" + r"pi\.org", "pythonhost" + "ed", "npm" + r"js\.(org|com)"]))
    names = ["Makefile", "NOTICE", "constraints.txt", "hatch_build.py"]
    texts = [
        *(path for name in ("*.md", "*.toml") for path in ROOT.glob(name)),
        *(path for name in ("docs", ".ci") for path in (ROOT / name).rglob("*")),
        *(ROOT / name for name in names),
        *OWN,
    ]
    found = [
        str(path.relative_to(ROOT))
        for path in texts
        if path.is_file() and hosts.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert not found, f"a registry is named in {found}"


@pytest.mark.parametrize("name", ["constraints.txt", "pyproject.toml", "frontend.toml"])
def test_the_pins_name_no_address(name):
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_no_file_is_too_long():
    long = {
        str(path.relative_to(ROOT)): count
        for path in OWN
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long, f"split what is over {LONGEST} lines: {long}"


def test_no_drawer_for_odds_and_ends():
    vague = {"utils", "util", "helpers", "helper", "misc", "common", "manager", "managers"}
    own = [path.relative_to(ROOT) for path in OWN]
    found = [str(path) for path in own if vague & {path.stem, *path.parts}]
    assert not found, f"name these by what they do: {found}"


def test_imports_stand_at_the_top_and_name_what_they_take():
    wrong = []
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names):
                wrong.append(f"{where(path, node.lineno)} imports everything")
            # Whatever is imported inside a function is indented, or stands behind something.
            if isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset:
                wrong += [
                    f"{where(path, node.lineno)} imports inside a function"
                    for outer in nodes(path)
                    if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
                    and node in ast.walk(outer)
                ]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_swallowed():
    """Only a named exception that is not Python's own may be passed over: it is control flow."""
    wrong = []
    for path in OWN:
        for node in nodes(path) if "except" in path.read_text(encoding="utf-8") else ():
            if not isinstance(node, ast.ExceptHandler):
                continue
            if node.type is None:
                wrong.append(f"{where(path, node.lineno)} catches everything")
            elif all(isinstance(line, ast.Pass) or is_dots(line) for line in node.body):
                names = {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)}
                if names & set(dir(builtins)):
                    wrong.append(f"{where(path, node.lineno)} catches and does nothing")
    assert not wrong, "\n".join(wrong)


def is_dots(line: ast.stmt) -> bool:
    return (
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and line.value.value is Ellipsis
    )


def test_modules_hold_no_state():
    """Module-level lists, dicts and sets are constants: in capitals, `__all__` aside."""
    makers = {"list", "dict", "set", "defaultdict", "deque", "Counter", "OrderedDict"}
    displays = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    wrong = []
    for path in SOURCES:
        for node in tree(path).body:
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                targets = [node.target]
            else:
                continue
            value = node.value
            made = isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] in makers
            wrong += [
                f"{where(path, node.lineno)} keeps state in {target.id}"
                for target in targets
                if isinstance(target, ast.Name)
                and (made or isinstance(value, displays))
                and target.id != "__all__"
                and not target.id.lstrip("_").isupper()
            ]
        wrong += [
            f"{where(path, node.lineno)} declares a global"
            for node in nodes(path)
            if isinstance(node, ast.Global)
        ]
    assert not wrong, "\n".join(wrong)
