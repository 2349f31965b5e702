"""The steps of the Containerfile give a server that answers."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILE = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def steps(word: str) -> list[str]:
    """What the lines that begin with a word say."""
    return re.findall(rf"^{word} (.+)$", FILE, re.MULTILINE)


def test_the_guide_shows_the_same_steps():
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert "`Containerfile`" in page
    assert all("pip install" in step or "useradd" in step for step in steps("RUN"))


@pytest.mark.soak
def test_the_steps_of_the_containerfile_give_a_server_that_answers(tmp_path, emptied):
    folder = tmp_path / "srv"
    folder.mkdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    shutil.copy(ROOT / "requirements.txt", folder)
    assert steps("COPY") == ["requirements.txt dist/kitchentable-*.whl ./"]
    venv.create(tmp_path / "venv", with_pip=True)
    env = {**os.environ, "PATH": f"{tmp_path}/venv/bin:{os.environ['PATH']}", "PYTHONPATH": ""}
    env |= {"KITCHENTABLE_DATA": emptied, "KITCHENTABLE_FOLDER": str(tmp_path)}
    for step in steps("RUN"):
        if step.startswith("pip "):
            subprocess.run(step, shell=True, cwd=folder, env=env, check=True, timeout=500)
    command = json.loads(*steps("ENTRYPOINT"))
    command[command.index("0.0.0.0")] = "127.0.0.1"
    server = subprocess.Popen(
        [*command, "--port", "0", "--json"], env=env, cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        assert told["record"].startswith("postgresql://")
        (health,) = steps("HEALTHCHECK CMD")
        looked = health.replace("http://127.0.0.1:8000", told["url"])
        subprocess.run(looked, shell=True, env=env, check=True, timeout=30)
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert server.returncode == 0
