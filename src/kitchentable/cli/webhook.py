"""`kitchentable webhook`: the webhooks of a campaign."""

from __future__ import annotations

import click

from kitchentable.app.places import Data
from kitchentable.app.server import Server
from kitchentable.app.webhooks import BadHook, Hook
from kitchentable.cli.records import seat_named
from kitchentable.cli.report import answer, json_option
from kitchentable.cli.server import data_option, find, server_at


@click.command(
    epilog="""\b
Examples:
  kitchentable webhook salt                                    list them
  kitchentable webhook salt --add https://bot.example.org/hook
  kitchentable webhook salt --add https://bot.example.org/hook --secrets-too
  kitchentable webhook salt --remove ID

\b
A running server notices changes within 15 seconds."""
)
@click.argument("campaign")
@click.option("--add", "url", help="Send this address what every player may know.")
@click.option("--secrets-too", is_flag=True, help="Send what the GM may know.")
@click.option("--remove", "gone", metavar="ID", help="Remove this webhook.")
@click.option("--resume", "again", metavar="ID", help="Resume this webhook from now on.")
@data_option
@json_option
def webhook(
    campaign: str,
    url: str | None,
    secrets_too: bool,
    gone: str | None,
    again: str | None,
    data: Data,
) -> None:
    """Add, list, remove and resume a campaign's webhooks.

    A new webhook's secret is shown once here, and on the GM's page.
    """
    if [url, gone, again].count(None) < 2 or (secrets_too and url is None):
        raise click.UsageError(
            "Use one of --add, --remove and --resume; --secrets-too goes with --add."
        )
    with server_at(data) as server:
        found = find(server, campaign)
        hooks, number = server.webhooks.hooks, server.tables.campaign(found).number
        if url is not None:
            seat = seat_named(server, found, None) if secrets_too else ""
            _tell_new(hooks.add(found, url, sent=number, seat=seat))
            return
        named = again if gone is None else gone
        if named is not None and all(one.id != named for one in hooks.of(found)):
            raise BadHook(
                f"There is no webhook {named!r}. Run the command without options to list the ids."
            )
        if gone is not None:
            hooks.remove(found, gone)
        elif again is not None:
            hooks.resume(found, again, sent=number)
        _list(server, found)


def _tell_new(hook: Hook) -> None:
    lines = [
        f"{hook.host} gets messages from now on, as {hook.id}, signed with the secret",
        f"  {hook.secret}",
    ]
    new = {"id": hook.id, "host": hook.host, "secret": hook.secret}
    answer(new, lines)


def _list(server: Server, campaign: str) -> None:
    hooks = server.webhooks.hooks
    known = [(one, hooks.progress(one.id)) for one in hooks.of(campaign)]
    data = [
        {"id": one.id, "host": one.host, "all": bool(one.seat), "off": progress.off}
        for one, progress in known
    ]
    lines = [
        f"{one.id}  {one.host}: what {'the GM' if one.seat else 'every player'} may know"
        f"{_state(progress.off, progress.why)}"
        for one, progress in known
    ]
    answer(data, lines or ["No webhooks."])


def _state(off: str, why: str) -> str:
    return f". Switched off: {off}" if off else f". Waiting: {why}" if why else ""
