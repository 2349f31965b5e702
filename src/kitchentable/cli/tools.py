"""A seat at a table as tools and resources of the Model Context Protocol.

Each tool types one line into the terminal and returns the output, so a program can read and do only
what its seat can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from importlib.metadata import version
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.types import CallToolResult, InputRequiredResult, Tool, ToolAnnotations

from kitchentable.campaign.words import listed
from kitchentable.cli.report import harmless
from kitchentable.cli.terminal.session import Session
from kitchentable.cli.terminal.telling import tell_refusal
from kitchentable.cli.terminal.verbs import run_line
from kitchentable.client import Table
from kitchentable.dice.errors import KitchenTableError

_ABOUT = (
    "A seat at a table for role-playing games. Read the table and the log first. Ask for the odds "
    "of a move before you make it. Answer the requests to this seat. The server throws the dice."
)
_READS = ToolAnnotations(read_only_hint=True)


class Tools:
    """The tools of a seat. Programs read their names, arguments and docstrings."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def _typed(self, *words: str) -> str:
        """Type a line, and return the output. Errors: ToolError, with the table's sentence."""
        printed: list[str] = []
        line = " ".join(word for word in words if word).replace("\n", " ")
        try:
            run_line(Session(self._table, printed.append), line)
        except KitchenTableError as refused:
            raise ToolError("\n".join([*printed, *tell_refusal(refused)])) from None
        return "\n".join(map(harmless, printed))

    def read_table(self) -> str:
        """Read the table: people, characters, requests, the fight, notes and clocks."""
        return "\n".join(self._typed(f"/show {one}") for one in _PARTS)

    def read_log(self, entries: int = 20) -> str:
        """Read the last entries of the log, oldest first; at most 500."""
        return self._typed("/show log", str(entries))

    def read_sheet(self, name: str = "") -> str:
        """Read a character's sheet by name; without a name, that of this seat's character."""
        return self._typed("/show sheet", name)

    def read_rules(self, words: str = "") -> str:
        """Read the rules that contain all of these words; without words, the titles of all."""
        return self._typed("/show rules", words)

    def list_moves(self, name: str = "") -> str:
        """List the moves that this seat may start now, for one of its characters by name."""
        return self._typed("/show moves", name)

    def ask_odds(self, line: str) -> str:
        """Get the questions and exact odds of a move or of dice, without throwing.

        Examples: "task aim", "attack guard", "2d6+3".
        """
        return self._typed("/odds", line)

    def say(self, line: str) -> str:
        """Type a line at the table: words, "/roll 2d6", or a move such as "/task aim".

        A move that needs other people proposes a roll, which read_table then shows.
        """
        if told := self._typed(line):
            return told
        raise ToolError("That line does nothing. The line /help lists the verbs.")

    def answer(self, answers: str = "", request: int = 0) -> str:
        """Answer a request by its number in read_table; 0 is the first that waits for this seat.

        `answers` are "name=value" pairs or words; "" accepts the proposed answers.
        """
        return self._typed("/answer", str(request or ""), answers)

    def throw(self, request: int = 0, faces: str = "") -> str:
        """Throw the dice of a roll in progress; `faces` is only for real dice."""
        return self._typed("/throw", str(request or ""), faces)

    def put_away(self, request: int, how: str = "withdraw") -> str:
        """End a request: "withdraw" your own roll, "skip" a card, or as the GM "decline success",
        "decline failure" or "decline no", followed by an optional note.
        """
        verb, _, rest = how.partition(" ")
        if verb not in {"withdraw", "skip", "decline"}:
            raise ToolError("Use withdraw, skip, decline success, decline failure or decline no.")
        return self._typed(f"/{verb}", str(request), rest)

    def fill_in_sheet(self, answers: str, name: str = "") -> str:
        """Fill in a sheet: "traits.aim=7 perks.0.text=..."; the name "new NAME" begins a character.

        The result says what is left to do.
        """
        return self._typed("/build", name, answers)

    def send_command(self, command: str, fields: str = "") -> str:
        """Send any other command of the HTTP API, with its fields as "name=value" pairs."""
        return self._typed("/do", command, fields)

    def read_more(self) -> str:
        """Read the last 100 entries of the log."""
        return self.read_log(100)


class SeatServer(MCPServer):
    """A server of tools that explains in a sentence which arguments are wrong."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Errors: ToolError, also for wrong arguments."""
        for tool in await self.list_tools():
            if tool.name == name and (wrong := list(_misfits(tool, arguments))):
                raise ToolError(" ".join(wrong))
        return await super().call_tool(name, arguments, context)


def _misfits(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about unknown arguments, missing ones, and those of the wrong type."""
    known = tool.input_schema["properties"]
    unknown = [f"“{one}”" for one in arguments if one not in known]
    if unknown:
        takes = f"It takes {listed(known)}." if known else "It takes none."
        yield f"{tool.name} has no argument called {listed(unknown)}. {takes}"
    missing = [one for one in tool.input_schema.get("required", ()) if one not in arguments]
    if missing:
        yield f"{tool.name} also needs {listed(missing)}."
    for argument, value in arguments.items():
        kind = known.get(argument, {}).get("type")
        if kind == "string" and not isinstance(value, str):
            yield f"{argument} of {tool.name} must be text."
        elif kind == "integer" and not str(value).removeprefix("-").isdecimal():
            yield f"{argument} of {tool.name} must be a whole number."


def _resource(read: Callable[..., str]) -> Callable[..., str]:
    """Turn a tool that reads into a resource, with a resource's errors."""

    @wraps(read)
    def resource(**words: str) -> str:
        try:
            return read(**words)
        except ToolError as refused:
            raise ResourceError(str(refused)) from None

    return resource


def make_tools(table: Table) -> MCPServer:
    """Make the MCP server with the tools and resources of a seat."""
    server = SeatServer(
        "kitchentable",
        version=version("kitchentable"),
        instructions=_ABOUT,
        log_level="WARNING",
    )
    of = Tools(table)
    for read in (
        of.read_table,
        of.read_log,
        of.read_sheet,
        of.read_rules,
        of.list_moves,
        of.ask_odds,
    ):
        server.add_tool(read, annotations=_READS)
    for do in (
        of.say,
        of.answer,
        of.throw,
        of.put_away,
        of.fill_in_sheet,
        of.send_command,
    ):
        server.add_tool(do)
    server.resource("kitchentable://table")(_resource(of.read_table))
    server.resource("kitchentable://log")(_resource(of.read_more))
    server.resource("kitchentable://sheets/{name}")(_resource(of.read_sheet))
    server.resource("kitchentable://rules/{words}")(_resource(of.read_rules))
    return server


_PARTS = ("people", "party", "requests", "fight", "scene")
