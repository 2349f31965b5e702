"""The command `kitchentable`; each subcommand's module is loaded when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

import click

from kitchentable.cli.report import (
    FOUND,
    INTERRUPTED,
    explain_and_exit,
    explain_system,
    explain_usage,
)
from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.outcomes import did_you_mean

#: The module of each subcommand, and its line in the list of commands.
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "serve": ("kitchentable.cli.serve:serve", "start the server and print its links"),
        "links": ("kitchentable.cli.links:links", "new links to a running server"),
        "play": ("kitchentable.cli.play:play", "play at a table, here in the terminal"),
        "mcp": ("kitchentable.cli.play:mcp", "serve a seat to programs that speak MCP"),
        "roll": ("kitchentable.cli.roll:roll", "throw dice, or a game's own roll"),
        "odds": ("kitchentable.cli.odds:odds", "exact odds, with bars"),
        "translate": (
            "kitchentable.cli.roll:translate_",
            "dice notation of one program in another's spelling",
        ),
        "fight": ("kitchentable.cli.fight:fight", "who wins a fight, and what it costs"),
        "carry": ("kitchentable.cli.carry:carry_", "a character's file for another game"),
        "games": ("kitchentable.cli.games:games", "the games that can be played"),
        "rules": ("kitchentable.cli.games:rules", "read a game's rulebook"),
        "new-game": ("kitchentable.cli.new_game:new_game", "start a game of your own"),
        "add-game": ("kitchentable.cli.new_game:add_game", "add your game to a server"),
        "check-game": (
            "kitchentable.cli.check_game:check_game",
            "check a game against its contract",
        ),
        "campaigns": ("kitchentable.cli.records:campaigns", "list the campaigns"),
        "log": ("kitchentable.cli.records:log", "read a campaign's log"),
        "luck": ("kitchentable.cli.luck:luck", "the players' rolls against their odds"),
        "webhook": ("kitchentable.cli.webhook:webhook", "programs that a campaign tells"),
        "export": ("kitchentable.cli.transfer:export", "write a campaign to a file"),
        "import": ("kitchentable.cli.transfer:import_", "read a campaign from a file"),
        "move": ("kitchentable.cli.transfer:move", "carry everything to another database"),
        "backup": ("kitchentable.cli.backups:backup", "copy the whole database, or restore a copy"),
        "verify": ("kitchentable.cli.verify:verify", "check a journal's dice, offline"),
    }
)

EPILOG = """\b
Examples:
  kitchentable serve --example          a table with a ready campaign, and its links
  kitchentable roll 2d6!+3              throw dice
  kitchentable odds 2d6! --at-least 12  exact odds
  kitchentable COMMAND --help           every command has examples of its own

\b
Exit codes: 0 all is well; 1 something was found (dice that do not match, a game that breaks its
contract); 2 what was asked cannot be done as it was typed; 3 the disk or the record failed;
130 interrupted."""


class Lazy(click.Group):
    """A group that loads its subcommands by name, so that `kitchentable --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands, in the order in which a host needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name, its module loaded now; None for no such name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The called subcommand; an unknown name gets a suggestion."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading any of them."""
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
    """Run the command line; the process ends with one of the exit codes told in the help."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in words
    try:
        code = cli.main(args=words, prog_name="kitchentable", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        explain_usage(error, as_json=as_json)
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of the output has closed it, so nothing more is printed or flushed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FOUND)
    except KitchenTableError as error:
        explain_and_exit(error, as_json=as_json)
    except OSError as error:
        explain_system(error, as_json=as_json)
    sys.exit(code if isinstance(code, int) else 0)
