"""Find everything that a value of a package needs, by the names in the code.

A definition is a function, a method, the head of a class, a named value, or the code that runs when
a module is imported. A definition is reached if a reached definition names it, if its decorator
registers it while a reached module is imported (`@toast.move(...)`), or, for a method, if some code
uses an attribute of its name. Names are enough to find unused code; tests show whether the other
code runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

#: Decorators that only give a changed function, and register it nowhere.
PLAIN_DECORATORS = frozenset(
    {"mechanic", "dataclass", "cache", "lru_cache", "property", "cached_property", "staticmethod"}
    | {"classmethod", "overload", "final", "runtime_checkable", "wraps", "contextmanager", "setter"}
)
#: The name for the code that runs when a module is imported.
IMPORTED = "<module>"


#: The place of a definition, as plain data: file, name, first line of the body, last line.
Target = tuple[str, str, int, int]


@dataclass(frozen=True, slots=True)
class Definition:
    """A named piece of code: its place in the text, and the names that it needs."""

    module: str
    name: str
    path: Path
    first: int
    last: int
    text: str
    #: The first line of a function's body.
    body: int = 0
    is_function: bool = False
    registers: bool = False
    #: The definitions of the package that the code names, as (module, name).
    names: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)
    #: The attributes that the code uses, of any object.
    attributes: frozenset[str] = field(default=frozenset(), repr=False)
    #: The whole strings in the code.
    strings: frozenset[str] = field(default=frozenset(), repr=False)
    #: The beginnings of strings that the code puts together.
    heads: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def key(self) -> tuple[str, str]:
        """The definition's place in the package: module and name."""
        return self.module, self.name

    @property
    def target(self) -> Target:
        """The file, the name, and the lines from the first of the body to the last."""
        return str(self.path), self.name, self.body, self.last


class Package:
    """All definitions in a folder of Python files, and the names between them.

    >>> games = Path(__file__).parent.parent / "src" / "kitchentable" / "rulesets"
    >>> toast = Package(games / "toast", "kitchentable.rulesets.toast")
    >>> ("kitchentable.rulesets.toast", "game") in toast.reached("game")
    True
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.definitions: dict[tuple[str, str], Definition] = {}
        self._imports: dict[str, frozenset[str]] = {}
        modules = {module_name(folder, path, name): path for path in sorted(folder.rglob("*.py"))}
        for module, path in modules.items():
            reader = _Module(module, path, frozenset(modules))
            self._imports[module] = reader.imported_modules
            self.definitions |= {one.key: one for one in reader.definitions()}

    def reached(self, *roots: str, attributes: Iterable[str] = ()) -> frozenset[tuple[str, str]]:
        """Collect the definitions that the values `roots` need, directly or indirectly.

        `attributes` are names that code outside the package uses.
        """
        found: set[tuple[str, str]] = set()
        asked = set(attributes)
        waiting = [(self.name, root) for root in roots]
        while waiting:
            key = waiting.pop()
            if key in self.definitions and key not in found:
                found.add(key)
                asked |= self.definitions[key].attributes
                waiting += self._needs(self.definitions[key])
            if not waiting:
                waiting = [one.key for one in self._methods if _is_asked(one, asked, found)]
        return frozenset(found)

    def namers(self, key: tuple[str, str]) -> list[Definition]:
        """Give the definitions that name this one."""
        return self._namers.get(key, [])

    def methods_of(self, one: Definition) -> list[Definition]:
        """Give the methods of a class."""
        head = f"{one.name}."
        return [m for m in self._methods if m.module == one.module and m.name.startswith(head)]

    @cached_property
    def _namers(self) -> dict[tuple[str, str], list[Definition]]:
        found: dict[tuple[str, str], list[Definition]] = {}
        for one in self.definitions.values():
            for name in one.names:
                found.setdefault(name, []).append(one)
        return found

    def _needs(self, one: Definition) -> Iterator[tuple[str, str]]:
        """The needs of a definition: the names in it, and the code of its module's import."""
        yield from one.names
        yield one.module, IMPORTED
        if one.name == IMPORTED:
            yield from ((module, IMPORTED) for module in self._imports[one.module])
            for other in self.definitions.values():
                if other.module == one.module and other.registers:
                    yield other.key

    @cached_property
    def _methods(self) -> list[Definition]:
        return [one for one in self.definitions.values() if "." in one.name]


def _is_asked(method: Definition, asked: set[str], found: set[tuple[str, str]]) -> bool:
    """Whether a method is not yet reached, its class is, and some code uses its name."""
    if method.key in found:
        return False
    owner, _, name = method.name.rpartition(".")
    special = name.startswith("__") and name.endswith("__")
    return (method.module, owner) in found and (special or name in asked)


def module_name(folder: Path, path: Path, package: str) -> str:
    """Name the module of a file: `folder/a/b.py` of the package `p` is `p.a.b`."""
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join([package, *(part for part in parts if part != "__init__")])


class _Module:
    """The definitions of one file."""

    def __init__(self, module: str, path: Path, known: frozenset[str]) -> None:
        self.module, self.path, self.known = module, path, known
        source = path.read_text(encoding="utf-8")
        self.lines = source.splitlines()
        self.tree = ast.parse(source)
        self.scope: dict[str, tuple[str, str]] = {}
        imported: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                imported |= self._read_import(node)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    imported.add(alias.name)
                    if alias.asname:
                        self.scope[alias.asname] = (alias.name, "")
        self.imported_modules = frozenset(imported & known)
        for node in self.tree.body:
            self.scope |= {name: (module, name) for name in _bound(node)}

    def _read_import(self, node: ast.ImportFrom) -> set[str]:
        origin = node.module or ""
        if node.level:
            # An `__init__` counts as its own first parent.
            drop = node.level - (self.path.name == "__init__.py")
            parents = self.module.split(".")
            above = parents[: len(parents) - drop]
            origin = ".".join([*above, origin] if origin else above)
        for alias in node.names:
            whole = f"{origin}.{alias.name}"
            target = (whole, "") if whole in self.known else (origin, alias.name)
            self.scope[alias.asname or alias.name] = target
        return {origin, *(f"{origin}.{alias.name}" for alias in node.names)}

    def definitions(self) -> Iterator[Definition]:
        rest: list[ast.stmt] = []
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield self._function(node, node.name)
            elif isinstance(node, ast.ClassDef):
                yield from self._class(node)
            elif names := _bound(node):
                for name in names:
                    yield self._make(name, [node], node)
            elif not isinstance(node, ast.Import | ast.ImportFrom):
                rest.append(node)
        # An imported name is a definition that names the original.
        for name, target in self.scope.items():
            if target[0] != self.module and target[0] in self.known:
                behind = frozenset({target if target[1] else (target[0], IMPORTED)})
                yield Definition(self.module, name, self.path, 0, 0, "", names=behind)
        yield self._make(IMPORTED, rest, None)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, owner: str = ""
    ) -> Definition:
        registers = not owner and any(_registers(one) for one in node.decorator_list)
        return self._make(name, [node], node, body=node.body[0].lineno, registers=registers)

    def _class(self, node: ast.ClassDef) -> Iterator[Definition]:
        methods = [
            one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        head = [one for one in node.body if one not in methods]
        outside = [*node.bases, *(one.value for one in node.keywords), *node.decorator_list]
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        last = methods[0].lineno - 1 if methods else node.end_lineno or node.lineno
        registers = any(_registers(one) for one in node.decorator_list)
        yield self._make(
            node.name, [*outside, *head], node, span=(first, last), registers=registers
        )
        for one in methods:
            yield self._function(one, f"{node.name}.{one.name}", node.name)

    def _make(
        self,
        name: str,
        nodes: Iterable[ast.AST],
        whole: ast.stmt | None,
        *,
        span: tuple[int, int] | None = None,
        body: int = 0,
        registers: bool = False,
    ) -> Definition:
        names: set[tuple[str, str]] = set()
        attributes: set[str] = set()
        strings: set[str] = set()
        heads: set[str] = set()
        for node in nodes:
            for one in ast.walk(node):
                if isinstance(one, ast.JoinedStr) and isinstance(one.values[0], ast.Constant):
                    heads.add(str(one.values[0].value))
                if isinstance(one, ast.Name) and one.id in self.scope:
                    names.add(self._target(one.id))
                elif isinstance(one, ast.Attribute):
                    attributes.add(one.attr)
                    if isinstance(one.value, ast.Name):
                        origin, inner = self.scope.get(one.value.id, ("", "-"))
                        if not inner:
                            names.add((origin, one.attr))
                elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                    strings.add(one.value)
                elif isinstance(one, ast.keyword) and one.arg:
                    attributes.add(one.arg)
        first, last = span or self._span(whole)
        first = self._with_comments(first)
        text = "\n".join(self.lines[first - 1 : last]) if first else ""
        return Definition(
            self.module,
            name,
            self.path,
            first,
            last,
            text,
            body or first,
            bool(body),
            registers,
            frozenset(names) - {(self.module, name)},
            frozenset(attributes),
            frozenset(strings),
            frozenset(heads),
        )

    def _target(self, name: str) -> tuple[str, str]:
        """The definition behind a name; for an import, the one in the other module."""
        origin, inner = self.scope[name]
        return (origin, inner or IMPORTED) if origin in self.known else (self.module, name)

    @staticmethod
    def _span(node: ast.stmt | None) -> tuple[int, int]:
        if node is None:
            return 0, 0
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(one.lineno for one in decorators)])
        return first, node.end_lineno or node.lineno

    def _with_comments(self, first: int) -> int:
        """Include the comment that documents a value: the lines with `#:` straight above it."""
        while first > 1 and self.lines[first - 2].lstrip().startswith("#:"):
            first -= 1
        return first


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    flat = [one for target in targets for one in ast.walk(target)]
    return [one.id for one in flat if isinstance(one, ast.Name)]


def _registers(decorator: ast.expr) -> bool:
    """Whether a decorator registers its function: all do, except those known to be plain."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")
    return name not in PLAIN_DECORATORS


def attributes_in(folder: Path) -> Iterator[str]:
    """Name the attributes used in the code of a folder."""
    return (one.attr for one in _nodes(folder) if isinstance(one, ast.Attribute))


def strings_in(folder: Path) -> Iterator[str]:
    """Give the whole strings in the code of a folder."""
    constants = (one.value for one in _nodes(folder) if isinstance(one, ast.Constant))
    return (one for one in constants if isinstance(one, str))


def _nodes(folder: Path) -> Iterator[ast.AST]:
    for path in sorted(folder.rglob("*.py")):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))
