"""Odds in a separate process: in time or refused, fairly, without delaying others."""

import asyncio
import dataclasses
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from multiprocessing import Pipe

import pytest

from kitchentable.app import odds
from kitchentable.app.buckets import Buckets
from kitchentable.app.odds import SOLVED_WITHIN, OddsProcess, TooManyAsked, WorkerEnded
from kitchentable.app.odds_worker import READY, answer
from kitchentable.app.parcels import LARGEST, TooLarge, pack, unpack
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.campaign.codec import decode, encode
from kitchentable.campaign.errors import OddsNeeded
from kitchentable.campaign.throws import solve
from kitchentable.dice.errors import NotSolved, TooSlow
from kitchentable.rules import registry
from kitchentable.rules.moves import Move, Question
from kitchentable.rules.proofs import ask_move, example_table
from kitchentable.rules.table import Actor
from kitchentable.rules.values import GM
from kitchentable.store import MemoryStore
from tests.app.party import Party, gather
from tests.campaign.coin import BANDS, COIN, FLIP, flip


@pytest.fixture(scope="module")
def process():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(odds, "_BEGINS", 300.0)  # on however busy a machine
        one = OddsProcess()
        yield one
        one.close()


def forever(*_: object) -> None:
    while True:
        pass


def leaves(*_: object) -> None:
    os._exit(3)


def test_a_worker_whose_server_has_ended_ends_without_a_word():
    ours, theirs = Pipe()
    with theirs:
        worker = subprocess.Popen(
            [sys.executable, "-m", "kitchentable.app.odds_worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stderr=subprocess.PIPE,
        )
    with ours:
        ours.send_bytes(pack((5.0, pack((time.sleep, (0.2,))))))
        assert ours.recv_bytes() == READY
    _, said = worker.communicate()
    assert (worker.returncode, said) == (0, b"")


def questions(game):
    """Every question of a game's example whose odds a table shows."""
    table = example_table(game)
    for move in game.moves:
        for one in table.in_play():
            actor = Actor(one.owner, "player" if one.is_players else GM, one.id)
            question = ask_move(game, move, actor)
            if question is not None and question.bands:
                yield question


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_every_question_of_every_game_is_worked_out_beside_the_table(process, name):
    async def asked(question: Question):
        with pytest.raises(OddsNeeded):
            process.look(question)
        await process.ask("somebody", solve, question, SOLVED_WITHIN, within=60.0)
        return process.look(question)

    found = {pack(question): question for question in questions(registry.load(name))}
    for question in list(found.values())[:12]:
        assert asyncio.run(asked(question)) == solve(question)
    assert all(pack(unpack(packed)) == packed for packed in found)


@pytest.mark.slow
def test_what_takes_too_long_is_refused_and_remembered(process, monkeypatch):
    async def refused():
        with pytest.raises(TooSlow, match=r"longer than 0.3 s .* can be thrown all the same"):
            await process.ask("somebody", forever, within=0.3)

    asyncio.run(process.ask("somebody", max, 1, 2, within=5.0))
    before = time.perf_counter()
    asyncio.run(refused())
    assert time.perf_counter() - before >= 0.3
    with monkeypatch.context() as remembered:
        remembered.setattr(process, "_put", None)
        asyncio.run(refused())
    assert asyncio.run(process.ask("somebody", max, 3, 7, within=5.0)) == 7


def test_the_solvers_own_limit_is_told_in_words_for_people(process):
    question = next(questions(registry.load("toast")))
    with pytest.raises(TooSlow, match=r"^These odds take longer than 5 s .* all the same\.$"):
        asyncio.run(process.ask("somebody", solve, question, 0.0, within=5.0))


def test_only_the_time_on_the_processor_counts_within_reason(process, monkeypatch):
    asyncio.run(process.ask("somebody", time.sleep, 0.3, within=0.1))
    monkeypatch.setattr(odds, "_PATIENCE", 0.1)
    with pytest.raises(TooSlow, match=r"longer than 0.1 s"):
        asyncio.run(process.ask("somebody", time.sleep, 600, within=0.1))


def test_ctrl_c_at_the_servers_terminal_reaches_no_process_of_odds(process):
    """Not even while it begins: a terminal interrupts the processes of its foreground group."""
    asyncio.run(process.ask("somebody", max, 6, 7, within=5.0))
    assert os.getpgid(process._process.pid) != os.getpgrp()


def test_a_page_does_not_wait_for_a_busy_machine(process):
    """What a page has not waited for is solved all the same, and refused to nobody."""
    late = Question(flip, (1, 2, 0), BANDS, str)

    async def evening():
        await process.ask("somebody", max, 6, 7, within=5.0)
        os.kill(process._process.pid, signal.SIGSTOP)
        await process.work_out("second", [late], 0.1)
        with pytest.raises(OddsNeeded):
            process.look(late)
        os.kill(process._process.pid, signal.SIGCONT)
        await process.ask("second", solve, late, SOLVED_WITHIN, within=60.0)

    asyncio.run(evening())
    assert process.look(late) == solve(late)


@pytest.mark.slow
def test_a_process_that_ends_is_followed_by_another(process):
    with pytest.raises(WorkerEnded, match="their process ended"):
        asyncio.run(process.ask("somebody", leaves, within=5.0))
    assert asyncio.run(process.ask("somebody", max, 4, 8, within=5.0)) == 8


@pytest.mark.slow
def test_askers_take_turns_and_nobody_fills_the_queue():
    process = OddsProcess()

    async def all_at_once() -> list[str]:
        done: list[str] = []

        async def ask(asker: str, number: int) -> None:
            with suppress(TooSlow, WorkerEnded):
                await process.ask(asker, forever, asker, number, within=0.05)
            done.append(asker)

        busy = [asyncio.ensure_future(ask("busy", one)) for one in range(8)]
        await asyncio.sleep(0.01)
        await ask("other", 0)
        busy += [asyncio.ensure_future(ask("busy", one)) for one in range(8, 20)]
        await asyncio.sleep(0)
        process.close()
        answers = await asyncio.gather(*busy, return_exceptions=True)
        assert sum(isinstance(one, TooManyAsked) for one in answers) >= 4
        return done

    assert asyncio.run(all_at_once()).index("other") <= 2


def test_what_is_too_large_is_neither_asked_nor_told():
    with pytest.raises(TooLarge):
        pack("x" * LARGEST)
    good, (kind, _, _) = unpack(answer(bytes, (LARGEST + 1,)))
    assert (good, kind) == (False, TooLarge)


def test_odds_without_memory_are_refused():
    def hungry() -> None:
        raise MemoryError

    good, (kind, (sentence,), _) = unpack(answer(hungry, ()))
    assert (good, kind) == (False, NotSolved)
    assert "more memory" in sentence


def test_no_process_begins_where_nobody_asks(monkeypatch):
    begun = []
    monkeypatch.setattr(odds.subprocess, "Popen", lambda *words, **more: begun.append(words))
    server = Server(MemoryStore())
    with server.odds_apart():
        pass
    with OddsProcessOfAServer(server) as process, pytest.raises(OddsNeeded):
        process.look(Question(flip, (1, 2, 0), BANDS, str))
    assert begun == []
    server.close()


class OddsProcessOfAServer:
    """The odds process of a served server."""

    def __init__(self, server: Server) -> None:
        self._apart = server.odds_apart()
        self._server = server

    def __enter__(self) -> OddsProcess:
        self._apart.__enter__()
        process = self._server.tables.odds
        assert isinstance(process, OddsProcess)
        return process

    def __exit__(self, *error: object) -> None:
        self._apart.__exit__(None, None, None)


def endlessly(question: Question | None) -> Question | None:
    return dataclasses.replace(question, band=forever) if question is not None else None


def stuck(move: Move) -> Move:
    """A move with odds that cannot be solved."""
    asks = move.question
    return dataclasses.replace(move, question=lambda *at: endlessly(asks(*at)))


@pytest.mark.slow
def test_a_roll_whose_odds_are_refused_is_thrown_and_says_so(process, monkeypatch):
    """The throw is recorded with the reason, and waits longer for its odds than a page does."""
    work_out, waits = process.work_out, []

    async def noted(asker, questions, seconds=odds.FOR_A_PAGE):
        waits.append(seconds)
        await work_out(asker, questions, 60.0)  # on however busy a machine

    monkeypatch.setattr(process, "work_out", noted)

    async def thrown(party: Party):
        moves = tuple(stuck(one) if one.name == FLIP.name else one for one in COIN.moves)
        game = dataclasses.replace(COIN, moves=moves)
        party.server.tables.load_game = lambda *_: game
        party.server.tables.odds = process
        proposed = await party.do(c.Propose, party.mara, move="flip", entity=party.kes, answers={})
        proposal = proposed.data["proposal"]
        await party.do(c.Settle, party.ida, proposal=proposal, answers={"number": 4})
        await process.ask("somebody", max, 5, 6, within=5.0)
        # The odds wait for the line, on however busy a machine.
        os.kill(process._process.pid, signal.SIGSTOP)
        throwing = asyncio.ensure_future(party.do(c.Throw, party.mara, proposal=proposal))
        await asyncio.sleep(0.05)
        said = await party.do(c.Say, party.jon, text="Meanwhile")
        assert not throwing.done(), "the line had to wait for the odds"
        os.kill(process._process.pid, signal.SIGCONT)
        return await throwing, said

    async def evening():
        party = await gather()
        return party, *await thrown(party)

    party, event, said = asyncio.run(evening())
    assert waits[0] == odds.FOR_A_THROW > odds.FOR_A_PAGE
    assert event.throw.odds == {}
    assert event.throw.trace
    assert "longer than 0.2 s" in event.data["odds_unknown"]
    assert decode(encode(event)) == event
    assert said.number < event.number
    told = party.server.projections.of(party.campaign, party.ida).entries()[-1]
    assert ("odds", f"Not known. {event.data['odds_unknown']}") in told.details
    assert told.odds is None


def test_a_roll_keeps_the_odds_that_were_worked_out(process):
    async def evening():
        party = await gather()
        party.server.tables.odds = process
        proposed = await party.do(c.Propose, party.mara, move="flip", entity=party.kes, answers={})
        proposal = proposed.data["proposal"]
        await party.do(c.Settle, party.ida, proposal=proposal, answers={"number": 4})
        return await party.do(c.Throw, party.mara, proposal=proposal)

    event = asyncio.run(evening())
    assert event.throw.odds == {"win": ("5", "6"), "lose": ("0", "1"), "slip": ("1", "6")}
    assert "odds_unknown" not in event.data
    assert event.throw.number == 1


async def test_each_asker_keeps_a_pace():
    """Known answers cost nothing; new ones come one after another, and far too many are refused."""
    with closing(OddsProcess(Buckets(2, odds.A_SECOND))) as process:
        await process.ask("first", max, 0, 0, within=5.0)
        before = time.monotonic()
        for number in range(1, 5):
            await process.ask("first", max, 0, number, within=5.0)
        assert time.monotonic() - before > 2 / odds.A_SECOND
        for _ in range(100):
            assert await process.ask("first", max, 0, 4, within=5.0) == 4
        many = [process.ask("second", max, 1, number, within=5.0) for number in range(40)]
        found = await asyncio.gather(*many, return_exceptions=True)
        assert any(isinstance(one, TooManyAsked) for one in found)
        assert await process.ask("third", max, 2, 5, within=5.0) == 5


async def test_servers_share_the_pace_of_an_asker():
    """Of forty questions at two servers, as many are refused as at one."""
    there = Buckets(8, 20, clock=lambda: 0.0)
    here = Buckets(8, 20, clock=lambda: 0.0, tell=there.count)
    refused = 0
    with closing(OddsProcess(here)) as one, closing(OddsProcess(there)) as other:
        for process in (one, other):
            asks = [process.ask("one", max, 1, number, within=5.0) for number in range(20)]
            tasks = [asyncio.ensure_future(ask) for ask in asks]
            await asyncio.sleep(0)
            done = [task for task in tasks if task.done()]
            refused += sum(isinstance(task.exception(), TooManyAsked) for task in done)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    assert refused == 40 - (8 + 20)
