"""Reserved throw numbers returned by a thread during a throw: none is used twice."""

import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from itertools import count

import pytest

from kitchentable.campaign import commands as c
from tests.app.party import gather, verify

#: A thread that waits for a lock is not waited for longer than this, in seconds.
_PATIENCE = 0.02
_PAUSE = 0.0002
OURS = ("app/dice_sources.py", "app/ready.py")


@contextmanager
def at_step(moment: int, ours: tuple[str, ...], act: Callable[[], object]):
    """While the block runs, another thread acts before step `moment` of the code in these files.

    Steps are those of the interpreter, so `act` may come between looking and taking. Gives the
    thread, which has not been started where the code has fewer steps.
    """
    other = threading.Thread(target=act)
    steps = count()

    def step(frame, event, argument):
        if event == "opcode" and next(steps) == moment:
            other.start()
            other.join(_PATIENCE)
        return step

    def enter(frame, event, argument):
        if not frame.f_code.co_filename.endswith(ours):
            return None
        frame.f_trace_opcodes = True
        return step

    before = sys.gettrace()
    # Python 3.12 gives opcodes to a trace only where some frame asked for them before.
    sys._getframe().f_trace_opcodes = True
    sys.settrace(enter)
    try:
        yield other
    finally:
        sys.settrace(before)
        if other.ident is not None:
            other.join()


def check_fair(party, thrown):
    """No number twice, and the audit of the evening finds nothing."""
    assert len(set(thrown)) == len(thrown)
    ((_, report),) = verify(party.server, party.campaign).sessions
    assert report.verdict == "fair"
    assert [one.code for one in report.findings] == ["host-alone"]


@pytest.mark.slow
async def test_a_number_is_either_thrown_or_given_back_whatever_the_moment():
    party = await gather()
    hands, thrown = party.server.tables.dice_sources, []
    for moment in count():
        with at_step(moment, OURS, lambda: hands.put_back(party.campaign)) as other:
            thrown.append((await party.roll(notation="d6")).throw.number)
        if other.ident is None:
            break
    assert moment > 50, "the code in which numbers are taken was stepped through"
    await party.do(c.EndSession, party.ida)
    check_fair(party, thrown)


async def test_throws_go_on_while_numbers_are_given_back_all_the_time():
    party = await gather()
    done, faults = threading.Event(), []

    def give_back():
        while not done.is_set():
            try:
                party.server.tables.dice_sources.put_back()
            except (RuntimeError, LookupError) as fault:
                faults.append(fault)
            time.sleep(_PAUSE)

    others = [threading.Thread(target=give_back) for _ in range(2)]
    for other in others:
        other.start()
    try:
        thrown = [(await party.roll(notation="d6")).throw.number for _ in range(300)]
    finally:
        done.set()
        for other in others:
            other.join()
    assert faults == []
    await party.do(c.EndSession, party.ida)
    check_fair(party, thrown)
