"""The built package: content, licences, and the pinned downloads."""

import hashlib
import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
PINS = tomllib.loads((ROOT / "frontend.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def frontend():
    spec = importlib.util.spec_from_file_location("frontend", ROOT / "scripts" / "frontend.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["frontend"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


@pytest.mark.slow
def test_the_wheel_carries_all_that_a_table_needs(wheel):
    source = ROOT / "src"
    ours = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours <= set(wheel.namelist())
    assert "kitchentable/web/static/vendor/htmx.min.js" in ours


def test_the_wheel_carries_nothing_else(wheel):
    strangers = [
        name
        for name in wheel.namelist()
        if not name.startswith(("kitchentable/", "kitchentable-")) or "axe" in name
    ]
    assert strangers == []


def test_the_wheel_carries_licence_and_notice(wheel):
    names = [name.rsplit("/", 1)[-1] for name in wheel.namelist() if "/licenses/" in name]
    assert sorted(names) == ["LICENSE", "NOTICE"]


def test_notice_names_every_browser_file_with_its_licence():
    assert PINS
    for name, pin in PINS.items():
        (line,) = re.findall(rf"^{re.escape(name)} .*$", NOTICE, flags=re.MULTILINE)
        assert line.startswith(f"{name} {pin['version']}: {pin['licence']} ("), line
        for inside in pin["files"]:
            assert inside.rsplit("/", 1)[-1] in line


def test_notice_names_every_library_with_a_licence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        asked += [line for line in extra if not line.startswith("kitchentable")]
    assert len(asked) >= 20
    for line in asked:
        name = re.split(r"[^A-Za-z0-9_-]", line)[0]
        found = re.findall(rf"^{name}: (.+)$", NOTICE, flags=re.MULTILINE | re.IGNORECASE)
        assert len(found) == 1, f"NOTICE names {name} {len(found)} times"


def test_notice_credits_every_game():
    points = importlib.metadata.entry_points(group="kitchentable.games")
    assert len(points) >= 5
    for point in points:
        game = point.load()
        assert game.title in NOTICE
        assert game.credits.author in NOTICE


def lay_out(frontend, root, content, *, digest=None, integrity=None):
    """A project with one pinned package, and an npm that packs `content` as its file."""
    inside = root / "package" / "dist"
    inside.mkdir(parents=True)
    (inside / "thing.js").write_bytes(content)
    archive = root / "ready.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(root / "package", "package")
    hashed = hashlib.new("sha512", archive.read_bytes()).digest()
    right = f"sha512-{frontend.base64.b64encode(hashed).decode()}"
    (root / "frontend.toml").write_text(
        f'[thing]\nversion = "1.0.0"\nlicence = "0BSD"\nfor = "web"\nfolder = "vendor"\n'
        f'integrity = "{integrity or right}"\n[thing.files]\n'
        f'"dist/thing.js" = "{digest or frontend.sha256(content)}"\n'
    )
    npm = root / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(f'#!/bin/sh\ncp "{archive}" thing-1.0.0.tgz\necho called >> "{root}/calls"\n')
    npm.chmod(0o755)


def test_the_build_fetches_once(frontend, tmp_path, monkeypatch):
    lay_out(frontend, tmp_path, b"let it = 1")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    assert frontend.fetch(tmp_path, ["web"]) == [tmp_path / "vendor" / "thing.js"]
    assert (tmp_path / "vendor" / "thing.js").read_bytes() == b"let it = 1"
    assert frontend.fetch(tmp_path, ["web"]) == []
    (tmp_path / "vendor" / "thing.js").write_bytes(b"let it = 2")
    assert frontend.fetch(tmp_path, ["web"]) == [tmp_path / "vendor" / "thing.js"]
    assert (tmp_path / "calls").read_text() == "called\ncalled\n"
    assert [path.name for path in (tmp_path / "vendor").iterdir()] == ["thing.js"]


@pytest.mark.parametrize(
    ("pins", "sentence"),
    [
        ({"digest": "0" * 64}, "but frontend.toml says 000"),
        ({"integrity": "sha512-AAAA"}, "npm sent another thing@1.0.0 than the one that is pinned"),
    ],
)
def test_the_build_keeps_nothing_that_is_not_what_was_pinned(
    frontend, tmp_path, monkeypatch, pins, sentence
):
    lay_out(frontend, tmp_path, b"let it = 1", **pins)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    with pytest.raises(frontend.FetchError, match=sentence):
        frontend.fetch(tmp_path, ["web"])
    assert not (tmp_path / "vendor").exists()


def test_the_build_says_what_npm_said(frontend, tmp_path, monkeypatch):
    lay_out(frontend, tmp_path, b"let it = 1")
    (tmp_path / "bin" / "npm").write_text('#!/bin/sh\necho "npm error code E404" >&2\nexit 1\n')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    with pytest.raises(frontend.FetchError, match=r"thing@1\.0\.0 could not .* code E404"):
        frontend.fetch(tmp_path, ["web"])


def test_the_build_says_that_npm_is_missing(frontend, tmp_path, monkeypatch):
    lay_out(frontend, tmp_path, b"let it = 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(frontend.FetchError, match="no npm on this machine"):
        frontend.fetch(tmp_path, ["web"])


REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
#: A pin with its hashes, over as many lines as it takes.
PIN = re.compile(
    r"^([A-Za-z0-9._-]+)==(\S+)(?: ; [^\\\n]+)? \\\n((?:    --hash=.*\n)+)", re.MULTILINE
)


def plainly(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(line, found):
    """Every library that a requirement brings here, itself included."""
    asked = Requirement(line)
    extras = asked.extras or {""}
    if plainly(asked.name) in found:
        return
    found.add(plainly(asked.name))
    for one in importlib.metadata.requires(asked.name) or ():
        marker = Requirement(one).marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
            needed(one, found)


def test_every_library_is_required_with_its_hashes_and_no_address():
    pins = {plainly(name): (version, hashes) for name, version, hashes in PIN.findall(REQUIREMENTS)}
    assert "://" not in REQUIREMENTS
    assert PIN.sub("", REQUIREMENTS).strip() == ""
    for name, (_, hashes) in pins.items():
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}\b", hashes), name
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {
        plainly(name): version for name, _, version in (one.partition("==") for one in constraints)
    }
    assert {name: version for name, (version, _) in pins.items()}.items() <= pinned.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = set()
    extras = project["optional-dependencies"]
    for line in (*project["dependencies"], *extras["fast"], *extras["postgres"]):
        needed(line, found)
    assert found <= pins.keys()
    assert {"uvicorn", "h11", "uvloop", "multidict"} <= found
