"""The documents are true: examples run, commands exist, links have targets."""

import ast
import doctest
import importlib
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from kitchentable.app.keys import LASTS
from kitchentable.app.verbs import LONGEST_LINE
from kitchentable.cli.main import cli, main
from kitchentable.dice.solving import chain, paths
from kitchentable.web.site import Settings
from kitchentable.web.streams import MOST_SCREENS
from tests.test_architecture import nodes

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "src" / "kitchentable" / "rulesets"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *GAMES.glob("*/README.md")])
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, the line it starts on."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Line:
    """A line that a page tells people to type, with the output it promises, if any."""

    typed: str
    promised: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        yield Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)


def typed_lines(page: Path) -> Iterator[Line]:
    for block in blocks(page):
        if block.language == "console":
            parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
            assert not parts[0].strip(), f"{page.name}:{block.line} begins with output"
            for part in parts[1:]:
                typed, _, promised = part.replace("\\\n", "").partition("\n")
                yield Line(typed, promised.strip("\n"), block.line)


def steps(page: Path, folder: Path) -> Iterator[Line]:
    """The lines to be typed, in their order, with the files that are written before them."""
    lines = iter([(line.line, line) for line in typed_lines(page)])
    waiting = next(lines, None)
    for block in blocks(page):
        while waiting is not None and waiting[0] < block.line:
            yield waiting[1]
            waiting = next(lines, None)
        written_down = block.language in {"toml", "text"}
        named = re.match(r"# (\S+\.(?:toml|txt))\n", block.text) if written_down else None
        if named is not None:
            file = folder / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as written:
                written.write(block.text)
    while waiting is not None:
        yield waiting[1]
        waiting = next(lines, None)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def examples(page: Path) -> list[Block]:
    return [one for one in blocks(page) if one.language == "python" and ">>>" in one.text]


@pytest.mark.slow
@pytest.mark.parametrize("page", [*filter(examples, PAGES)], ids=name_of)
def test_python_examples_run(page, monkeypatch):
    # What is refused as too large or too deep is refused sooner.
    monkeypatch.setattr(paths, "MOST_PATHS", 20_000)
    monkeypatch.setattr(chain, "FARTHEST", 2_000)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    names: dict[str, object] = {}
    for block in examples(page):
        example = doctest.DocTestParser().get_doctest(
            block.text, names, name_of(page), str(page), block.line
        )
        said: list[str] = []
        runner.run(example, out=said.append, clear_globs=False)
        names.update(example.globs)
        assert runner.failures == 0, "".join(said)


def commands_of(page: Path) -> list[Line]:
    return [one for one in typed_lines(page) if one.typed.startswith("kitchentable ")]


@pytest.mark.slow
@pytest.mark.parametrize("page", [*filter(commands_of, PAGES)], ids=name_of)
def test_console_examples_run(page, few_throws, tmp_path, monkeypatch, capsys):
    """Each line is run, in one folder for a page; what a page promises is compared.

    A block that begins with a comment that names a file is written there first: the block
    that names it for the first time begins the file, the others go on with it.
    """
    for name, value in (("HOME", str(tmp_path)), ("COLUMNS", "100"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    for line in steps(page, tmp_path):
        words = shlex.split(line.typed, comments=True)
        if not words or words[0] != "kitchentable":
            continue
        if words[1:2] == ["serve"]:
            check_options(words)
            continue
        with pytest.raises(SystemExit) as ended:
            main(words[1:])
        said = capsys.readouterr()
        promised = line.promised + "\n" if line.promised else ""
        got = said.out + said.err
        where = f"{name_of(page)}:{line.line}: {line.typed}"
        assert "Traceback" not in got, f"{where}\n{got}"
        if promised:
            same = doctest.OutputChecker().check_output(promised, got, FLAGS)
            assert same, f"{where}\npromised:\n{promised}\ngot:\n{got}"
        else:
            assert not ended.value.code, f"{where}\n{got}"


def check_options(words: list[str]) -> None:
    """A command that stays open is not started, but its options have to exist."""
    command = dict(commands())[f"kitchentable {words[1]}"]
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    asked = {word.split("=")[0] for word in words[2:] if word.startswith("-")}
    assert asked <= known, f"kitchentable {words[1]} has no {asked - known}"


def test_make_targets_in_the_documents_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    every = set()
    for page in PAGES:
        told = page.read_text(encoding="utf-8")
        asked = set(re.findall(r"(?:`|^\$ )make ([a-z][a-z-]*)", told, flags=re.MULTILINE))
        assert asked <= targets, f"{name_of(page)} names {asked - targets}"
        every |= asked
    assert {"test", "rules"} <= every


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    dead = [
        target
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not dead, f"{name_of(page)} links to {dead}"


def commands(
    group: click.Group = cli, before: str = "kitchentable"
) -> Iterator[tuple[str, click.Command]]:
    """Every command with what is typed to call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        if isinstance(command, click.Group):
            yield from commands(command, f"{before} {name}")
        else:
            yield f"{before} {name}", command


def test_every_command_is_documented():
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    told = "\n".join(line for line in page.splitlines() if line.startswith("#") or "$ " in line)
    untold = [name for name, _ in commands() if not re.search(rf"{re.escape(name)}\b", told)]
    assert not untold, f"docs/cli.md shows no example of {untold}"


def test_every_option_is_explained_by_its_own_help():
    silent = [
        f"{name} {param.name}"
        for name, command in commands()
        for param in command.params
        if isinstance(param, click.Option) and not param.help
    ]
    assert not silent, f"--help says nothing about {silent}"


@pytest.mark.parametrize("door", ["kitchentable", "kitchentable.dice"])
def test_the_doors_teach_by_examples(door):
    """Every public name says what it is; all but errors and plain values show an example."""
    module = importlib.import_module(door)
    bare, silent = [], []
    for name in module.__all__:
        value = getattr(module, name)
        if name.startswith("__") or not callable(value):
            continue
        prose = value.__doc__ or ""
        if not prose.strip() or prose.startswith(f"{name}("):
            silent.append(name)
        elif not is_error(value) and ">>>" not in prose and not shows_in_a_method(value):
            bare.append(name)
    assert not silent, f"{door}: no docstring on {silent}"
    assert not bare, f"{door}: no example in the docstring of {bare}"


def test_docstrings_begin_with_a_short_plain_sentence():
    """At most twenty words, not a pronoun first, and a noun where "what" or "whose" would stand."""
    pronoun = re.compile(
        r"(?:It|They|This|That|What|Who|Whose|Which|These|Those|He|She|We|You|Where|How|When)\b"
        r"|(?:One|Each) (?:of|that|which|who|with|in|for|at|by|is|has|after|on)\b"
    )
    riddle = re.compile(r"\b(?:what|whose|that which)\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {first}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for first in first_sentences(path)
        if len(first.split()) > 20 or pronoun.match(first) or riddle.search(first)
    ]
    assert not found, "\n".join(found)


def first_sentences(path: Path) -> Iterator[str]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in nodes(path):
        if isinstance(node, documented) and (prose := ast.get_docstring(node)):
            lead = " ".join(prose.partition("\n\n")[0].split())
            yield re.split(r"(?<=[.!?:])\s", lead)[0]


def is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def shows_in_a_method(value: object) -> bool:
    members = vars(value).values() if isinstance(value, type) else ()
    return any(">>>" in (getattr(member, "__doc__", None) or "") for member in members)


def fenced(page: str) -> str:
    return "\n".join(block.text for block in blocks(ROOT / page))


def test_architecture_draws_the_tree_as_it_is():
    source = ROOT / "src" / "kitchentable"
    drawn = set(re.findall(r"^  (\w+)/ ", fenced("ARCHITECTURE.md"), flags=re.MULTILINE))
    there = {path.name for path in source.iterdir() if any(path.glob("*.py"))}
    assert drawn == there


def test_every_word_is_defined_once():
    text = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    for table in text.split("\n## ")[1:]:
        words = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, flags=re.MULTILINE)[2:]
        assert words == sorted(words, key=str.casefold), "the words stand in their order"
    defined = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", text, flags=re.MULTILINE)
    defined = [word.casefold() for word in defined if word not in {"word", "---"}]
    twice = {word for word in defined if defined.count(word) > 1}
    assert {"ask", "band", "seed"} <= set(defined)
    assert not twice, f"defined more than once: {twice}"


def test_the_changelog_has_room_for_the_next_change():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert headings[0] == "Unreleased"
    audiences = set(re.findall(r"^### (.+)$", text, flags=re.MULTILINE))
    assert audiences <= {"Player", "GM", "Host", "Author", "Developer"}


def test_the_page_of_security_names_tests_that_exist():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[^`]+)`", page))
    assert len(named) > 15
    assert [one for one in named if not (ROOT / one).is_file()] == []


def test_the_page_of_security_says_the_limits_that_hold():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    settings = Settings()
    for said in (
        f"before the table | {settings.connections} |",
        f"head of a request | {settings.request_within:.0f} seconds",
        f"wrong keys of an address | {settings.attempts} at once, ",
        f" at once, {settings.attempts_per_minute:.0f} a minute",
        f"live pages of a seat | {MOST_SCREENS} |",
        f"a line; a roll | {LONGEST_LINE:,} characters",
        *(f"{hours // 24:.0f} days" for hours in LASTS.values()),
    ):
        assert said in page, said
