"""The page on storage names every code that the store can answer with, and every table."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "storage.md").read_text(encoding="utf-8")


def test_every_code_is_explained():
    sources = (ROOT / "src" / "kitchentable" / "store").glob("*.py")
    used = {
        code
        for source in sources
        for code in re.findall(r'"(store/[a-z-]+)"', source.read_text(encoding="utf-8"))
    }
    assert used == set(re.findall(r"`(store/[a-z-]+)`", PAGE))


def test_every_table_is_explained(opened, path: Path):
    opened().close()
    with closing(sqlite3.connect(path)) as database:
        tables = {
            row[0]
            for row in database.execute(
                "select name from sqlite_schema where type = 'table' and name not glob 'search_*'"
            )
        }
    section = PAGE.split("## The file")[1].split("## ")[0]
    told = set(re.findall(r"`([a-z]+)`", re.sub(r"(?m)^(?!\|).*$", "", section)))
    assert told == tables
