"""The command `kitchentable`; the module of a subcommand is imported on first use."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

import click

from kitchentable.cli.report import FOUND, INTERRUPTED, explain
from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.outcomes import did_you_mean

#: The module of each subcommand, and its line in the list of commands.
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "serve": ("kitchentable.cli.serve:serve", "start the server and print its links"),
        "links": ("kitchentable.cli.links:links", "make new links to a server"),
        "play": ("kitchentable.cli.play:play", "play at a table in the terminal"),
        "mcp": ("kitchentable.cli.play:mcp", "offer a seat to MCP programs"),
        "roll": ("kitchentable.cli.roll:roll", "roll dice, or make a game's roll"),
        "odds": ("kitchentable.cli.odds:odds", "show exact odds"),
        "translate": (
            "kitchentable.cli.roll:translate_",
            "translate dice notation between programs",
        ),
        "fight": ("kitchentable.cli.fight:fight", "forecast a fight"),
        "carry": ("kitchentable.cli.carry:carry_", "carry a character over to another game"),
        "games": ("kitchentable.cli.games:games", "list the games"),
        "rules": ("kitchentable.cli.games:rules", "read a game's rulebook"),
        "new-game": ("kitchentable.cli.new_game:new_game", "create a game of your own"),
        "add-game": ("kitchentable.cli.new_game:add_game", "add your game to a server"),
        "check-game": (
            "kitchentable.cli.check_game:check_game",
            "check that a game keeps its contract",
        ),
        "campaigns": ("kitchentable.cli.records:campaigns", "list the campaigns"),
        "log": ("kitchentable.cli.records:log", "read a campaign's log"),
        "luck": ("kitchentable.cli.luck:luck", "compare the players' rolls with their odds"),
        "webhook": ("kitchentable.cli.webhook:webhook", "add or remove a campaign's webhooks"),
        "export": ("kitchentable.cli.transfer:export", "export a campaign to a file"),
        "import": ("kitchentable.cli.transfer:import_", "import a campaign from a file"),
        "move": ("kitchentable.cli.transfer:move", "move everything to another database"),
        "backup": ("kitchentable.cli.backups:backup", "back up the database, or restore a backup"),
        "verify": ("kitchentable.cli.verify:verify", "check the dice of a journal, offline"),
    }
)

EPILOG = """\b
Examples:
  kitchentable serve --example          start a server with ready campaigns
  kitchentable roll 2d6!+3              roll dice
  kitchentable odds 2d6! --at-least 12  show exact odds
  kitchentable COMMAND --help           show a command's options and examples

\b
Exit codes: 0 success; 1 a check failed (dice that do not match, a game that breaks its contract);
2 the command cannot be run as typed; 3 the disk or the database failed; 130 interrupted."""


class Lazy(click.Group):
    """A group that imports a subcommand on first use, so that `kitchentable --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the subcommands, in the order in which a host needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand by its name; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; the error for an unknown name suggests a similar one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.command(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(package_name="kitchentable", prog_name="kitchentable")
def cli() -> None:
    """A game table for rules-light role-playing games."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line, and exit with one of the codes listed in the help."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    try:
        code = cli.main(args=words, prog_name="kitchentable", standalone_mode=False)
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader has closed the pipe, so nothing more must be printed or flushed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FOUND)
    except (KitchenTableError, click.ClickException, OSError) as error:
        code = explain(error, as_json="--json" in words)
    sys.exit(code or 0)


def _prepare_streams() -> None:
    """Replace closed standard streams by empty ones, and escape characters that stdout lacks."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            # This takes the closed stream's number, so that no database can get it.
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
