"""`kitchentable check-game`: run the conformance suite on a game."""

from __future__ import annotations

import secrets

import click

from kitchentable.app.conformance import CHECKS
from kitchentable.app.conformance import check_game as check
from kitchentable.cli.arguments import load_game
from kitchentable.cli.new_game import folder_of
from kitchentable.cli.new_game import write_playthrough as write
from kitchentable.cli.progress import counting
from kitchentable.cli.report import FOUND, answer, json_option, wants_json
from kitchentable.dice import SeededSource
from kitchentable.dice.chance import in_percent
from kitchentable.rules.conformance import Finding
from kitchentable.rules.proofs import MoveOdds, odds_of_moves, odds_of_samples


@click.command(
    epilog="""\b
Examples:
  kitchentable check-game toast
  kitchentable check-game ./night_out               check a game in a folder
  kitchentable check-game ./night_out --odds        print the odds of every move
  kitchentable check-game toast --seed 7 --json     repeat a run"""
)
@click.argument("name", metavar="NAME_OR_PATH")
@click.option(
    "--write-playthrough",
    is_flag=True,
    help="Record the golden playthrough as the game plays it now, then check.",
)
@click.option(
    "--odds",
    is_flag=True,
    help="Print the odds of every move, for the example's people or for each level.",
)
@click.option("--seed", type=int, help="Repeat the run with this seed. Default: random.")
@json_option
def check_game(name: str, write_playthrough: bool, odds: bool, seed: int | None) -> None:
    """Check that an installed game, or one in a folder, keeps the contract."""
    if write_playthrough and write(folder_of(name)) and not wants_json():
        click.echo("The golden playthrough has changed and is recorded. Review the difference.")
    game = load_game(name).game
    seed = secrets.randbits(32) if seed is None else seed
    with counting("begins", CHECKS) as step:
        findings = check(game, SeededSource(seed), step)
    failed = any(finding.fails for finding in findings)
    told = tuple(odds_of_moves(game)) or tuple(odds_of_samples(game)) if odds else ()
    data = {"game": name, "seed": seed, "sound": not failed, "findings": findings}
    verdict = "breaks the contract" if failed else "keeps the contract"
    lines = [
        *(f" odds  {one.title}, {one.who}: {_shares(one)}." for one in told),
        *map(_line, findings),
        f"{game.title} {game.version} {verdict}. (dice of --seed {seed})",
    ]
    answer({**data, "odds": told} if odds else data, lines)
    if failed:
        raise SystemExit(FOUND)


def _shares(one: MoveOdds) -> str:
    return "; ".join(f"{what} {in_percent(of)}" for what, of in one.shares.items())


def _line(finding: Finding) -> str:
    mark = "fails" if finding.fails else "note"
    where = f" {finding.where}:" if finding.where else ""
    return f"{mark:>5}  {finding.check}:{where} {finding.sentence}"
