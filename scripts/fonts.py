"""Cut the fonts fetched from npm to the letters and weights that the pages use.

The build hook calls `cut`; by hand, run `python scripts/frontend.py web` and then
`python scripts/fonts.py`. A page in English, German, French or Spanish takes the first three files;
the others come when a page has such a letter (`unicode-range`).
"""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

RAW = Path("build/fonts")
TARGET = Path("src/kitchentable/web/static/fonts")
LITERATA, ATKINSON = "Literata Variable", "Atkinson Hyperlegible Next Variable"

LATIN = (
    "20-7E,A0-FF,131,152-153,178,2C6,2DA,2DC,2009-200A,202F,2010-2011,2013-2014,2018-201A,"
    "201C-201E,2020,2022,2026,2030,2039-203A,20AC,2122,2190-2193,2212,2215,2260,2264-2265"
)
#: The letters of the first file of italics, which are used for few and short texts.
PLAIN = "20-7E,A0,2013-2014,2018-2019,201C-201D,2026"
PLAIN_LATIN = "A1-FF,131,152-153,178,201A,201E,2020,2022,2030,2039-203A,20AC,2122,2212"
EXTENDED = "100-130,132-151,154-177,179-2BA,2BD-2C5,1E00-1E9F,1EF2-1EFF,20A0-20AB,20AD-20C0,2113"
GREEK, CYRILLIC = "370-3FF", "301,400-45F,490-491,4B0-4B1,2116"
VIETNAMESE = "300-304,308-309,323,329,1EA0-1EF1"


@dataclass(frozen=True, slots=True)
class Cut:
    """One file to make: its source, its letters, and whether it is the italic."""

    name: str
    source: str
    family: str
    letters: str
    italic: bool = False

    @property
    def weights(self) -> tuple[int, int]:
        """The lightest and the boldest weight of the file."""
        return (400, 400) if self.italic else (400, 700)

    def css(self) -> str:
        """The rule that names the file in a style sheet."""
        ranges = ",".join(f"U+{part}" for part in self.letters.split(","))
        light, bold = self.weights
        weight = str(light) if light == bold else f"{light} {bold}"
        style = "italic" if self.italic else "normal"
        return (
            f'@font-face{{font-family:"{self.family}";font-style:{style};font-weight:{weight};'
            f'font-display:swap;src:url("{self.name}.woff2") format("woff2");'
            f"unicode-range:{ranges}}}\n"
        )


def _literata(script: str, letters: str, *, italic: bool = False) -> Cut:
    style = "italic" if italic else "normal"
    source = f"literata/literata-{script}-wght-{style}.woff2"
    rest = "-rest" if letters == PLAIN_LATIN else ""
    name = f"literata-{script}{rest}{'-italic' if italic else ''}"
    return Cut(name, source, LITERATA, letters, italic)


def _atkinson(script: str, letters: str) -> Cut:
    source = f"atkinson/atkinson-hyperlegible-next-{script}-wght-normal.woff2"
    return Cut(f"atkinson-{script}", source, ATKINSON, letters)


CUTS = (
    _literata("latin", LATIN),
    _literata("latin", PLAIN, italic=True),
    _atkinson("latin", LATIN),
    _literata("latin", PLAIN_LATIN, italic=True),
    _literata("latin-ext", EXTENDED),
    _literata("latin-ext", EXTENDED, italic=True),
    _atkinson("latin-ext", EXTENDED),
    _literata("greek", GREEK),
    _literata("cyrillic", CYRILLIC),
    _literata("vietnamese", VIETNAMESE),
)
#: The sources whose licences go along, and the names of these files.
LICENCES = (("literata", "OFL-Literata.txt"), ("atkinson", "OFL-Atkinson.txt"))


def cut(root: Path) -> list[Path]:
    """Make the files that are missing or were made by another recipe; returns those written."""
    target = root / TARGET
    stamp = target / "recipe.txt"
    recipe = _recipe(root)
    names = [f"{one.name}.woff2" for one in CUTS] + [name for _, name in LICENCES] + ["fonts.css"]
    if stamp.is_file() and stamp.read_text("utf-8") == recipe:
        if all((target / name).is_file() for name in names):
            return []
        stamp.unlink()
    target.mkdir(parents=True, exist_ok=True)
    for one in CUTS:
        _make(one, root / RAW / one.source, target / f"{one.name}.woff2")
    for folder, name in LICENCES:
        shutil.copyfile(root / RAW / folder / "LICENSE", target / name)
    (target / "fonts.css").write_text("".join(one.css() for one in CUTS), "utf-8")
    stamp.write_text(recipe, "utf-8")
    return [target / name for name in names]


def _recipe(root: Path) -> str:
    """The hash of all that decides over the files: this script and the pins."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update((root / "frontend.toml").read_bytes())
    return digest.hexdigest()


def _make(one: Cut, source: Path, target: Path) -> None:
    """Write one file: first fewer letters, then fewer weights."""
    options = Options()
    options.layout_features = ["kern", "ccmp", "tnum"]
    options.hinting = False
    options.name_IDs = [1, 2]
    options.drop_tables += ["MATH", "STAT", "meta"]
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(one.letters))
    subsetter.subset(font)
    light, bold = one.weights
    font = instancer.instantiateVariableFont(
        font, {"wght": light if light == bold else (light, bold)}
    )
    font.flavor = "woff2"
    half = target.with_suffix(".part")
    font.save(half)
    half.replace(target)


def main() -> None:
    """Cut the fonts of this project."""
    for path in cut(Path(__file__).resolve().parent.parent):
        print(f"made {path.name}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
