"""`kitchentable check-game`: does a game keep what a table relies on?"""

from __future__ import annotations

import secrets

import click

from kitchentable.app.conformance import CHECKS
from kitchentable.app.conformance import check_game as check
from kitchentable.cli.progress import counting
from kitchentable.cli.report import FOUND, json_option, say_json
from kitchentable.dice import SeededSource
from kitchentable.game import registry


@click.command(
    epilog="""\b
Examples:
  kitchentable check-game toast
  kitchentable check-game toast --seed 7 --json     the same run again"""
)
@click.argument("name")
@click.option("--seed", type=int, help="Throw the same dice again; left out, fresh ones.")
@json_option
def check_game(name: str, seed: int | None, as_json: bool) -> None:
    """Run the conformance suite on an installed game and say what is missing."""
    game = registry.load(name)
    seed = secrets.randbits(32) if seed is None else seed
    with counting("begins", CHECKS, quiet=as_json) as step:
        findings = check(game, SeededSource(seed), step)
    failed = any(finding.fails for finding in findings)
    if as_json:
        say_json({"game": name, "seed": seed, "sound": not failed, "findings": findings})
    else:
        for finding in findings:
            mark = "fails" if finding.fails else "note"
            where = f" {finding.where}:" if finding.where else ""
            click.echo(f"{mark:>5}  {finding.check}:{where} {finding.sentence}")
        verdict = "breaks the contract" if failed else "keeps the contract"
        click.echo(f"{game.title} {game.version} {verdict}. (dice of --seed {seed})")
    if failed:
        raise SystemExit(FOUND)
