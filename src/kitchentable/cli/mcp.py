"""`kitchentable mcp`: a seat at a table for programs that speak the Model Context Protocol."""

from __future__ import annotations

import importlib
import importlib.util

import click

from kitchentable.cli.report import json_option
from kitchentable.client import Table
from kitchentable.dice.errors import BadInput


class NoProtocol(BadInput):
    """The library of the protocol is not installed."""

    code = "mcp/not-installed"


@click.command(
    epilog="""\b
Examples:
  kitchentable mcp https://table.example.org/s/KEY
  KITCHENTABLE_LINK=https://table.example.org/s/KEY kitchentable mcp"""
)
@click.argument("link", envvar="KITCHENTABLE_LINK")
@json_option
def mcp(link: str, as_json: bool) -> None:
    """Serve a seat as tools of the Model Context Protocol, over standard input and output."""
    if importlib.util.find_spec("mcp") is None:
        raise NoProtocol("That needs one more library: pip install 'kitchentable[mcp]'")
    tools = importlib.import_module("kitchentable.cli.tools")
    with Table.at(link) as table:
        tools.make_tools(table).run("stdio")
