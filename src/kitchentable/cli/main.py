"""The command itself. Each subcommand's module is loaded when it is called, and not before."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import click

from kitchentable.cli.report import explain_and_exit
from kitchentable.dice.errors import KitchenTableError

#: Where each subcommand lives, and its line in the list of commands.
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "serve": ("kitchentable.cli.serving:serve", "open the house and print its links"),
        "roll": ("kitchentable.cli.rolling:roll", "throw dice, or a game's own roll"),
        "odds": ("kitchentable.cli.rolling:odds", "exact odds, with bars"),
        "games": ("kitchentable.cli.reading:games", "which games are installed"),
        "rules": ("kitchentable.cli.reading:rules", "read a game's rulebook"),
        "check-game": ("kitchentable.cli.checking:check_game", "does a game keep the contract?"),
        "campaigns": ("kitchentable.cli.records:campaigns", "the campaigns of a house"),
        "log": ("kitchentable.cli.records:log", "read a campaign's log"),
        "export": ("kitchentable.cli.records:export", "one campaign into one file"),
        "import": ("kitchentable.cli.records:import_", "take an exported campaign in"),
        "backup": ("kitchentable.cli.records:backup", "copy a whole house while it is open"),
        "verify": ("kitchentable.cli.verifying:verify", "re-check a journal's dice, offline"),
    }
)

EPILOG = """\b
Examples:
  kitchentable serve --example          a table with a ready campaign, and its links
  kitchentable roll 2d6!+3              throw dice
  kitchentable odds toast task trait=5  a game's own roll, solved
  kitchentable rules toast 5-kick       look a rule up

\b
Exit codes: 0 all is well; 1 something was found (dice that do not match, a game that breaks its
contract); 2 what was asked cannot be done as it was typed; 3 the disk or the record failed;
130 interrupted."""


class Lazy(click.Group):
    """A group whose subcommands are loaded by name, so that `kitchentable --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands, in the order in which an evening needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name, its module loaded now; None for no such name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the process ends with one of the exit codes told in the help."""
    try:
        cli.main(
            args=list(sys.argv[1:] if arguments is None else arguments),
            prog_name="kitchentable",
            standalone_mode=True,
        )
    except KitchenTableError as error:
        explain_and_exit(error, as_json="--json" in (arguments or sys.argv))
