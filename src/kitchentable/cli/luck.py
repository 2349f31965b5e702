"""`kitchentable luck`: the rolls of a campaign's players, compared with their odds."""

from __future__ import annotations

from pathlib import Path

import click

from kitchentable.app.luck import Report, luck_for, luck_in
from kitchentable.app.places import Data
from kitchentable.campaign.luck import Luck
from kitchentable.cli.records import seat_named
from kitchentable.cli.report import answer, json_option
from kitchentable.cli.server import data_option, find, server_at
from kitchentable.dice.chance import in_percent


@click.command(
    epilog="""\b
Examples:
  kitchentable luck 'The Salt Road'
  kitchentable luck salt --session 3 --as Mara
  kitchentable luck salt-road.zip              an exported campaign"""
)
@click.argument("campaign")
@click.option("--session", type=click.IntRange(1), help="Only this session. Default: all.")
@click.option("--as", "name", help="As this person sees it. Default: the GM.")
@data_option
@json_option
def luck(campaign: str, session: int | None, name: str | None, data: Data) -> None:
    """Compare each player's rolls with their exact odds."""
    report = _report(campaign, session or 0, name, data)
    lines = [line for one in report.players for line in _lines(one)] or ["No roll with odds yet."]
    if len(report.players) > 1:
        lines.append(
            f"With fair dice, the chance that at least one of these {len(report.players)} players "
            f"has unusual luck is {_percent(report.outside)}."
        )
    if report.unknown:
        lines.append(f"Rolls with odds or a result hidden from this reader: {report.unknown}.")
    if report.more:
        lines.append("Older rolls are not counted.")
    answer(_plain(report), lines)


def _report(campaign: str, session: int, name: str | None, data: Data) -> Report:
    file = Path(campaign)
    if file.is_file():
        if name is not None:
            raise click.UsageError("--as needs a campaign on a server, not a file.")
        return luck_in(file, session)
    with server_at(data) as server:
        found = find(server, campaign)
        return luck_for(server.projections.of(found, seat_named(server, found, name)), session)


def _lines(one: Luck) -> list[str]:
    rolls = f"{len(one.rolls)} roll{'s' * (len(one.rolls) != 1)}"
    counted = f"{one.got} of {rolls} succeeded, {float(one.expected):.1f} expected."
    lines = [
        f"{one.who}: {counted} {one.verdict}",
        f"  Chance of fewer: {_percent(one.fewer)}; of just as many: {_percent(one.as_many)}.",
    ]
    lines += [
        f"  Longest run of {'successes' if run.success else 'failures'}: {run.length}; "
        f"chance of one so long: {_percent(run.chance)}."
        for run in one.runs
    ]
    rarest = one.rarest[0]
    lines.append(f"  Rarest: {rarest.title}, {rarest.label}, {in_percent(rarest.share)}.")
    lines.append(f"  Surprise: {one.surprise:.1f} bits, {one.entropy:.1f} expected.")
    return lines


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _plain(report: Report) -> dict[str, object]:
    return {
        "players": [
            {
                "who": one.who,
                "rolls": len(one.rolls),
                "successes": one.got,
                "expected": one.expected,
                "fewer": one.fewer,
                "as_many": one.as_many,
                "ordinary": [one.low, one.high],
                "runs": one.runs,
                "surprise": one.surprise,
                "entropy": one.entropy,
                "rarest": [
                    {"title": roll.title, "label": roll.label, "chance": roll.share}
                    for roll in one.rarest
                ],
            }
            for one in report.players
        ],
        "outside": report.outside,
        "unknown": report.unknown,
        "more": report.more,
    }
