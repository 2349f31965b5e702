"""The command line, called like a shell does: arguments in; exit code, output, errors out."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kitchentable.cli import main


@dataclass(frozen=True)
class Said:
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err)["error"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, with a server where none is named."""
    monkeypatch.setenv("KITCHENTABLE_DATA", str(tmp_path / "table.db"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run a command."""

    def run(*words: str) -> Said:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        said = capsys.readouterr()
        code = ended.value.code
        assert "Traceback" not in said.err
        return Said(code if isinstance(code, int) else 0, said.out, said.err)

    return run
