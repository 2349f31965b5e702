"""Scripts, styles, fonts and pictures, bundled and compressed when the server starts.

htmx, its extension for the live feed and our own scripts are one file, because separate deferred
files would race each other. Each name contains a hash of the content, so browsers may cache it
for ever. The fonts are subset when the package is built (`scripts/fonts.py`); without them the
pages use the fonts of the device.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from kitchentable.dice.errors import KitchenTableError

_STATIC = Path(__file__).parent / "static"
_SCRIPTS = ("vendor/htmx.min.js", "vendor/hx-sse.min.js", "forms.js", "app.js")
_BEHIND = re.compile(rb"\s+// [^\"'`]*+$")
_TYPES = MappingProxyType(
    {
        ".js": "text/javascript",
        ".css": "text/css",
        ".svg": "image/svg+xml",
        ".png": "image/png",
        ".woff2": "font/woff2",
    }
)


class MissingAsset(KitchenTableError):
    """A file of the web pages is missing."""

    code = "web/missing-asset"


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file: its name with the hash, its type, plain and compressed.

    `packed` is empty for a file that is compressed already.
    """

    name: str
    media_type: str
    plain: bytes
    packed: bytes

    @property
    def tag(self) -> str:
        """Its entity tag."""
        return f'"{self.name}"'


class Assets:
    """All static files, by their plain names and by their names with a hash."""

    def __init__(self, found: Mapping[str, Asset]) -> None:
        self._plain = dict(found)
        self._hashed = {asset.name: asset for asset in found.values()}

    def __getitem__(self, name: str) -> Asset:
        """The asset of a plain name ("app.js"); KeyError for none."""
        return self._plain[name]

    def hashed(self, name: str) -> Asset | None:
        """The asset of a name with a hash, or None."""
        return self._hashed.get(name)

    def current(self, name: str) -> Asset | None:
        """The current name of a file with an older hash, for pages from before an update."""
        return self._plain.get(_plain_name(name))


def load_assets(folder: Path = _STATIC) -> Assets:
    """Read, join and compress the browser's files. Errors: MissingAsset.

    >>> load_assets()["app.css"].media_type
    'text/css'
    """
    bodies = {"app.js": b"\n;\n".join(_lean(_read(folder, name)) for name in _SCRIPTS)}
    for path in sorted(folder.iterdir()):
        if path.suffix in _TYPES and path.name not in {*bodies, *_SCRIPTS}:
            body = _read(folder, path.name)
            lean = _LEAN.get(path.suffix)
            bodies[path.name] = lean(body) if lean is not None else body
    # One request for all styles.
    bodies["pictures.css"] += bodies.pop("scene.css")
    fonts = [_asset(path.name, path.read_bytes()) for path in sorted(folder.glob("fonts/*.woff2"))]
    if fonts:
        bodies["pictures.css"] = _font_rules(folder, fonts) + bodies["pictures.css"]
    return Assets(
        {_plain_name(one.name): one for one in fonts}
        | {name: _asset(name, body) for name, body in bodies.items()}
    )


def _font_rules(folder: Path, fonts: Iterable[Asset]) -> bytes:
    """The @font-face rules, with the hashed names of the font files."""
    rules = _lean_style(_read(folder, "fonts/fonts.css"))
    for font in fonts:
        rules = rules.replace(_plain_name(font.name).encode(), font.name.encode())
    return rules


def _plain_name(name: str) -> str:
    """The name of a file without the hash.

    >>> _plain_name("literata-latin-0123456789ab.woff2")
    'literata-latin.woff2'
    """
    return re.sub(r"-[0-9a-f]{12}(?=\.\w+$)", "", name)


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.is_file():
        raise MissingAsset(
            f"The file {name} of the web pages is missing. Install the package again."
        )
    return path.read_bytes()


def _lean(script: bytes) -> bytes:
    r"""A script without indentation and comments.

    A comment after code is removed only if no string can end in it.

    >>> _lean(b"  // Why.\n\n  const one = 1; // goes\n  const two = 'http: // x';\n")
    b"const one = 1;\nconst two = 'http: // x';"
    """
    lines = (_BEHIND.sub(b"", line).strip() for line in script.splitlines())
    return b"\n".join(line for line in lines if line and not line.startswith(b"//"))


def _lean_style(style: bytes) -> bytes:
    r"""A style sheet without comments and unneeded spaces.

    >>> _lean_style(b"/* Ink */ a { color: red; }\n  b > i { top: calc(1px + 2px) }")
    b'a{color:red}b>i{top:calc(1px + 2px)}'
    """
    bare = re.sub(rb"\s+", b" ", re.sub(rb"/\*.*?\*/", b"", style, flags=re.DOTALL))
    tight = re.sub(rb" ?([{};,>]) ?", rb"\1", bare).replace(b": ", b":").replace(b";}", b"}")
    return tight.strip()


#: How a file of a kind is made smaller.
_LEAN = MappingProxyType({".js": _lean, ".css": _lean_style})


def _asset(name: str, body: bytes) -> Asset:
    path = Path(name)
    mark = hashlib.sha256(body).hexdigest()[:12]
    return Asset(
        f"{path.stem}-{mark}{path.suffix}",
        _TYPES[path.suffix],
        body,
        b"" if path.suffix in {".woff2", ".png"} else gzip.compress(body, compresslevel=9, mtime=0),
    )
