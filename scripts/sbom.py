"""Writes the package's bill of materials as CycloneDX: libraries with hashes, browser files.

The list follows requirements.txt and frontend.toml, not the packages installed on this machine. A
library's hashes are those of all its files, of which pip installs one. Run it with `make sbom`.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).parent.parent
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)((?:[^\n]*\\\n)+[^\n]*)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def libraries() -> Iterator[Component]:
    """The libraries pinned in requirements.txt, each with the hashes of all its files."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    for name, version, rest in _PIN.findall(text):
        yield Component(
            type=ComponentType.LIBRARY,
            name=name,
            version=version,
            bom_ref=f"pypi/{name}",
            purl=PackageURL("pypi", name=name, version=version),
            hashes=[
                HashType(alg=HashAlgorithm.SHA_256, content=one) for one in _HASH.findall(rest)
            ],
        )


def browser_files() -> Iterator[Component]:
    """The packages whose browser files are in the wheel."""
    pins = tomllib.loads((ROOT / "frontend.toml").read_text(encoding="utf-8"))
    for name, pin in pins.items():
        if pin["for"] == "web":
            yield Component(
                type=ComponentType.LIBRARY,
                name=name,
                version=pin["version"],
                bom_ref=f"npm/{name}",
                purl=PackageURL("npm", name=name, version=pin["version"]),
                licenses=[LicenseFactory().make_from_string(pin["licence"])],
                hashes=[
                    HashType(alg=HashAlgorithm.SHA_256, content=one)
                    for one in pin["files"].values()
                ],
            )


def make_sbom() -> str:
    """The whole list as JSON."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    whole = Component(
        type=ComponentType.APPLICATION,
        name=project["name"],
        version=project["version"],
        bom_ref=project["name"],
        purl=PackageURL("pypi", name=project["name"], version=project["version"]),
        licenses=[LicenseFactory().make_from_string(project["license"])],
    )
    parts = [*libraries(), *browser_files()]
    bom = Bom(components=parts)
    bom.metadata.component = whole
    bom.register_dependency(whole, parts)
    written: str = JsonV1Dot6(bom).output_as_string(indent=2)
    return written


def main() -> None:
    """Write the list to the file named on the command line."""
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(make_sbom() + "\n", encoding="utf-8")
    sys.stdout.write(f"wrote {target}\n")


if __name__ == "__main__":
    main()
