"""The audit of a session's dice: every face is recomputed from the seed.

The audit works on plain data and needs only this package, so anyone can check an exported journal
on their own computer. ``docs/fair-dice.md`` describes the record field by field.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from kitchentable.dice.record import BadRecord, SessionRecord, read_record
from kitchentable.dice.stream import SessionStream, check_commitment, check_screen

__all__ = ["BadRecord", "Finding", "Report", "verify_session"]

Verdict: TypeAlias = Literal["fair", "broken", "sealed"]
Weight: TypeAlias = Literal["fault", "notice"]
"""A fault contradicts the commitment or the rest of the record; a notice is not proven."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of an audit, as a sentence.

    `throw` is its throw number, or None if the finding is about the whole session.
    """

    code: str
    weight: Weight
    sentence: str
    throw: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an audit.

    `verdict` is "fair" if every die of the stream matches the seed, "broken" if anything
    contradicts the commitment, and "sealed" while the seed is not revealed.
    """

    verdict: Verdict
    rolls: int
    dice_checked: int
    dice_typed: int
    findings: tuple[Finding, ...]

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that contradict the commitment."""
        return tuple(one for one in self.findings if one.weight == "fault")

    def __str__(self) -> str:
        broken = len(self.faults)
        times = "once" if broken == 1 else f"{broken} times"
        heads = {
            "fair": f"Fair: all {self.dice_checked} dice of the stream match the seed.",
            "broken": f"Broken: the record contradicts the commitment {times}.",
            "sealed": "Sealed: the seed is not shown yet, so no die can be checked.",
        }
        return "\n".join([heads[self.verdict], *(one.sentence for one in self.findings)])


def verify_session(record: Mapping[str, Any]) -> Report:
    """Recompute every die of a session and report all contradictions.

    `record` is plain data with the fields of :class:`~kitchentable.dice.record.SessionRecord`.
    Raises :class:`BadRecord` if it cannot be read.

    >>> from kitchentable.dice.stream import commit
    >>> record = {
    ...     "campaign": "harvest", "session": 1, "commitment": commit(bytes(32), "harvest", 1),
    ...     "seed": None, "contributions": [], "rolls": [],
    ... }
    >>> print(verify_session(record))
    Sealed: the seed is not shown yet, so no die can be checked.
    >>> print(verify_session(record | {"seed": "00" * 32}))
    Fair: all 0 dice of the stream match the seed.
    """
    read = read_record(record)
    findings = [*_numbers(read), *_contributions(read), *_not_proven(read)]
    checked = 0
    if read.seed is not None:
        if not check_commitment(read.commitment, read.seed, read.campaign, read.session):
            sentence = "The seed does not match the commitment made before the session."
            findings.append(Finding("wrong-seed", "fault", sentence))
        findings += _screen(read)
        stream = SessionStream(read.seed, read.contributions, read.screen)
        wrong, checked = _faces(read, stream)
        findings += wrong
    broken = any(one.weight == "fault" for one in findings)
    verdict: Verdict = "sealed" if read.seed is None else "fair"
    return Report(
        verdict="broken" if broken else verdict,
        rolls=len(read.rolls),
        dice_checked=checked,
        dice_typed=sum(len(roll.trace.throws) for roll in read.rolls if roll.typed and roll.trace),
        findings=tuple(sorted(findings, key=lambda one: (one.throw or 0, one.weight, one.code))),
    )


def _faces(read: SessionRecord, stream: SessionStream) -> tuple[list[Finding], int]:
    """Compare every die of the stream with the journal; the faults, and the number of dice."""
    wrong: list[Finding] = []
    checked = 0
    for roll in read.rolls:
        if roll.typed or roll.trace is None or roll.throw is None:
            continue
        source = stream.throw(roll.throw)
        behind = stream.behind(roll.throw) if stream.screen is not None else None
        for place, die in enumerate(roll.trace.throws):
            thrown_by = behind if place in roll.screened else source
            if thrown_by is None:
                continue
            checked += 1
            promised = thrown_by.below(die.sides) + 1
            if promised != die.physical:
                sentence = (
                    f"Throw {roll.throw}: die {place + 1}, a {die.die}, shows face "
                    f"{die.physical} in the journal, but the stream threw face {promised}."
                )
                wrong.append(Finding("wrong-face", "fault", sentence, roll.throw))
    return wrong, checked


def _screen(read: SessionRecord) -> Iterator[Finding]:
    """Check the screen against its commitment, and find dice that cannot be checked."""
    promised = read.screen_commitment
    if read.screen is not None and (
        promised is None or not check_screen(promised, read.screen, read.campaign, read.session)
    ):
        sentence = "The key of the screen does not match the commitment made before the session."
        yield Finding("wrong-screen", "fault", sentence)
    for roll in read.rolls:
        if promised is None and (roll.screened or roll.more_behind):
            sentence = f"Throw {roll.throw} has dice behind a screen without a commitment."
            yield Finding("no-screen", "fault", sentence, roll.throw)
        elif roll.more_behind or (roll.screened and read.screen is None):
            sentence = (
                f"Throw {roll.throw} has dice behind the screen, which can be checked "
                "only with the key in the GM's journal."
            )
            yield Finding("screened", "notice", sentence, roll.throw)


def _numbers(read: SessionRecord) -> Iterator[Finding]:
    """Check that throw numbers have no gaps and that each belongs to one roll."""
    used = Counter(roll.throw for roll in read.rolls if roll.throw is not None)
    for throw, times in used.items():
        if times > 1 or throw in read.unused:
            sentence = f"Throw {throw} belongs to {times + (throw in read.unused)} commands."
            yield Finding("reused-throw", "fault", sentence, throw)
    for throw, reason in read.unused.items():
        why = reason or "no reason given"
        sentence = f"Throw {throw} was set aside, and its dice do not count: {why}."
        yield Finding("set-aside", "notice", sentence, throw)
    known = [0, *sorted({*used, *read.unused}), read.last_throw + 1]
    for before, after in itertools.pairwise(known):
        if after - before < 2:
            continue
        one = after - before == 2
        which = f"Throw {after - 1} is" if one else f"Throws {before + 1} to {after - 1} are"
        if read.seed is None:
            sentence = (
                f"{which} not in the journal yet. Any gap left when the session ends is a fault."
            )
            yield Finding("open-throw", "notice", sentence, before + 1)
        else:
            sentence = (
                f"{which} missing: the journal does not show {'its' if one else 'their'} dice."
            )
            yield Finding("skipped-throw", "fault", sentence, before + 1)
    placed = sorted(
        (roll.event, roll.throw)
        for roll in read.rolls
        if roll.event is not None and roll.throw is not None
    )
    for (_, before), (_, after) in itertools.pairwise(placed):
        if after < before:
            sentence = f"Throw {after} comes after throw {before} in the journal."
            yield Finding("late-throw", "notice", sentence, after)


def _contributions(read: SessionRecord) -> Iterator[Finding]:
    """Check that words count only for later throws, and come after the commitment."""
    for one, event in zip(read.contributions, read.contribution_events, strict=True):
        if event is None:
            continue
        if read.commitment_event is not None and event < read.commitment_event:
            sentence = f"The words of {one.who} came before the commitment to the seed."
            yield Finding("early-words", "fault", sentence)
        before = [
            roll.throw
            for roll in read.rolls
            if roll.throw is not None
            and roll.event is not None
            and roll.event < event
            and roll.throw >= one.from_throw
        ]
        if before:
            sentence = (
                f"The words of {one.who} count from throw {one.from_throw} on, but were added "
                f"after throw {max(before)}."
            )
            yield Finding("late-words", "fault", sentence, one.from_throw)


def _not_proven(read: SessionRecord) -> Iterator[Finding]:
    """The points that an audit cannot prove."""
    first = min((one.from_throw for one in read.contributions), default=None)
    thrown = [roll.throw for roll in read.rolls if roll.throw is not None and not roll.typed]
    alone = [throw for throw in thrown if first is None or throw < first]
    if alone:
        sentence = (
            f"{len(alone)} of {len(thrown)} rolls were thrown before anyone added words, so "
            "the host could know their dice in advance."
        )
        yield Finding("host-alone", "notice", sentence)
    for roll in read.rolls:
        if roll.typed:
            name = "A roll without a throw number" if roll.throw is None else f"Throw {roll.throw}"
            sentence = f"{name} was typed in from real dice, so it cannot be checked."
            yield Finding("typed", "notice", sentence, roll.throw)
        elif roll.trace is None:
            sentence = f"Throw {roll.throw} is hidden from this journal and was not checked."
            yield Finding("hidden", "notice", sentence, roll.throw)
