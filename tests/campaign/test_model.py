"""Long random evenings of six people, in which nothing is lost and nobody learns too much.

Marker words are put into everything that is secret. After every step each seat's view, log, moves
and odds are turned into bytes, and no seat's bytes may hold a marker that is not for that seat.
Who may know a marker is said here anew, beside what is planted, not taken from the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.audiences import LogReader, known_as
from kitchentable.campaign.entries import read_entry, text_of, texts_of
from kitchentable.campaign.journal import journal_for, proofs_for
from kitchentable.campaign.paths import MISSING, look
from kitchentable.campaign.read_models import Entry
from kitchentable.campaign.state import fold
from kitchentable.campaign.undo import dependent_steps
from kitchentable.campaign.views import entry_for, moves_for, odds_for, view_for
from kitchentable.dice import BadInput
from tests.campaign.coin import COIN
from tests.campaign.tables import (
    IDA,
    JON,
    MARA,
    SAM,
    TOVE,
    Evening,
    as_if_never,
    first_changes,
    playing,
    pruned,
)

GMS = {IDA, TOVE}
EVERYBODY = (IDA, MARA, JON, TOVE, SAM)
PEOPLE = st.sampled_from([IDA, IDA, MARA, MARA, JON, TOVE, SAM, "s-none"])
FACES = st.lists(st.integers(1, 6), min_size=2, max_size=2)


class Table(RuleBasedStateMachine):
    """A table with random actions, forbidden ones too."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening()
        self.secrets: list[tuple[str, Callable[[str], bool]]] = []
        self.planted = 0
        self.shown: set[str] = set()
        self.checked = 0

    @initialize(trust=st.booleans(), fudge=st.booleans())
    def begin(self, trust: bool, fudge: bool) -> None:
        self.evening = playing(
            settings={
                "gm_confirms": "trust" if trust else "each",
                "fudge": "logged" if fudge else "off",
            }
        )
        self.send(c.Override, IDA, path=("own", "secret"), now=self.marker(GMS), reason="So.")

    def marker(self, knowing: Callable[[str], bool] | set[str]) -> str:
        """A word that no other seat may see."""
        self.planted += 1
        word = f"SECRET{self.planted}X"
        test = knowing if callable(knowing) else lambda seat: seat in knowing
        self.secrets.append((word, test))
        return word

    def send(self, command: type[c.Command], seat: str, **parts: Any) -> Any:
        """Send a command; None where it is refused. A refusal changes nothing."""
        before = self.evening.campaign
        try:
            event = self.evening.send(command, seat, **parts)
        except BadInput as error:
            refusal = error
        else:
            people = self.evening.table.entities.values()
            self.shown |= {one.name for one in people if one.stage == "play" and not one.hidden}
            return event
        assert str(refusal).strip()
        assert self.evening.campaign is before
        self.check_secrets(seat, f"{refusal} {vars(refusal)}".encode())
        return None

    def any_entity(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([*self.evening.table.entities, "pc-none"]), "entity")

    def any_roll(self, data: st.DataObject) -> str:
        rolls = [*self.evening.tree["proposals"], "roll-none"]
        return data.draw(st.sampled_from(rolls), "roll")

    @rule(seat=PEOPLE, to=st.sampled_from(["", "gm", MARA, JON, IDA]))
    def talk(self, seat: str, to: str) -> None:
        if not to:
            self.send(c.Say, seat, text="Hello")
            return
        reads = bool(self.evening.campaign.settings["gm_reads_whispers"])
        knowing = {seat, to} if to != "gm" else {seat} | GMS
        self.send(c.Say, seat, text=self.marker(knowing | (GMS if reads else set())), to=to)

    @rule(seat=PEOPLE, audience=st.sampled_from(["all", "gm", "self", "nobody"]), faces=FACES)
    def roll(self, seat: str, audience: str, faces: list[int]) -> None:
        knowing = {"gm": {seat} | GMS, "self": {seat}}.get(audience)
        label = self.marker(knowing) if knowing else "luck"
        self.send(c.RollNotation, seat, notation="2d6", audience=audience, label=label, faces=faces)

    @rule(seat=st.sampled_from([IDA, MARA, SAM]), which=st.sampled_from(["table", "gm"]))
    def note(self, seat: str, which: str) -> None:
        text = self.marker(GMS) if which == "gm" else f"note {self.evening.campaign.number}"
        self.send(c.SetNote, seat, which=which, text=text)

    @rule(
        seat=PEOPLE,
        kind=st.sampled_from(["pc", "npc"]),
        hidden=st.booleans(),
        draft=st.booleans(),
    )
    def make(self, seat: str, kind: str, hidden: bool, draft: bool) -> None:
        if len(self.evening.table.entities) > 9:
            return
        name = "Somebody"
        if hidden or (draft and seat in GMS):
            name = self.marker(lambda who: who in GMS or name in self.shown)
        ready = seat in GMS and not draft
        sheet = {"coins": 2, "story": self.marker(GMS)} if ready else None
        parts: dict[str, Any] = {"hidden": True} if hidden else {}
        self.send(c.MakeEntity, seat, kind=kind, name=name, sheet=sheet, **parts)

    @rule(seat=PEOPLE, data=st.data())
    def save(self, seat: str, data: st.DataObject) -> None:
        entity = self.any_entity(data)
        one = self.evening.table.entities.get(entity)
        if one is None or (one.stage == "play" and one.owner != "gm"):
            self.send(c.SaveSheet, seat, entity=entity, raw={"skill": 1})
            return
        knowing = GMS | {one.owner}
        if one.owner == "gm":
            self.send(c.SaveSheet, seat, entity=entity, raw={"story": self.marker(GMS)})
            return
        word = self.marker(
            lambda who: who in knowing or self.evening.table.entities[entity].stage == "play"
        )
        self.send(c.SaveSheet, seat, entity=entity, raw={"story": word})

    @rule(seat=PEOPLE, data=st.data(), accept=st.booleans(), submit=st.booleans())
    def hand_in(self, seat: str, data: st.DataObject, accept: bool, submit: bool) -> None:
        entity = self.any_entity(data)
        if submit:
            self.send(c.SubmitSheet, seat, entity=entity)
        else:
            self.send(c.DecideSheet, seat, entity=entity, accept=accept, reason="word")

    @rule(seat=PEOPLE, data=st.data(), gone=st.booleans())
    def change(self, seat: str, data: st.DataObject, gone: bool) -> None:
        self.send(c.ChangeEntity, seat, entity=self.any_entity(data), gone=gone)

    @rule(
        seat=PEOPLE,
        data=st.data(),
        right=st.booleans(),
        audience=st.sampled_from(["all", "all", "gm"]),
        charm=st.booleans(),
        against=st.booleans(),
    )
    def propose(
        self,
        seat: str,
        data: st.DataObject,
        right: bool,
        audience: str,
        charm: bool,
        against: bool,
    ) -> None:
        entity = self.any_entity(data)
        one = self.evening.table.entities.get(entity)
        if right and one is not None and seat not in GMS:
            seat = IDA if one.owner == "gm" else one.owner
        answers: dict[str, Any] = {"skill": "luck"}
        if charm:
            answers["charm"] = "rabbit"
        if against:
            answers["target"] = self.any_entity(data)
        hidden: tuple[str, ...] = ()
        if seat in GMS:
            answers["number"], hidden = self.secret_number(), ("number",)
        self.send(
            c.Propose,
            seat,
            move="flip",
            entity=entity,
            answers=answers,
            hidden=hidden,
            audience=audience,
        )

    def secret_number(self) -> int:
        """A hidden number to roll against, that no chance and no card may tell."""
        self.planted += 1
        number = 918_273_000 + self.planted
        self.secrets.append((str(number), lambda seat: seat in GMS))
        return number

    @rule(seat=PEOPLE, data=st.data(), brace=st.booleans())
    def settle(self, seat: str, data: st.DataObject, brace: bool) -> None:
        self.speak(seat, self.any_roll(data), brace)

    def speak(self, seat: str, roll: str, brace: bool) -> None:
        if seat in GMS:
            number = self.secret_number()
            self.send(c.Settle, seat, proposal=roll, answers={"number": number}, hidden=("number",))
        else:
            answers = {"brace": True} if brace else {"skill": "wit"}
            self.send(c.Settle, seat, proposal=roll, answers=answers)

    @rule(seat=PEOPLE, data=st.data(), faces=FACES)
    def throw(self, seat: str, data: st.DataObject, faces: list[int]) -> None:
        self.let_fall(seat, self.any_roll(data), faces)

    @rule(data=st.data(), faces=FACES, brace=st.booleans(), asked=st.booleans())
    def roll_it_out(self, data: st.DataObject, faces: list[int], brace: bool, asked: bool) -> None:
        """A whole roll: proposed by the right one, everybody says what is theirs, the dice fall."""
        people = [one.id for one in self.evening.table.in_play()]
        if not people:
            return
        entity = data.draw(st.sampled_from(people), "for")
        owner = self.evening.table.entities[entity].owner
        actor = IDA if owner == "gm" else owner
        answers = {"target": data.draw(st.sampled_from(["", *people]), "against")}
        starter = IDA if asked else actor
        begun = self.send(c.Propose, starter, move="flip", entity=entity, answers=answers)
        if begun is None:
            return
        roll = begun.data["proposal"]
        for seat in (MARA, JON, IDA):
            self.speak(seat, roll, brace)
        self.let_fall(actor, roll, faces)

    def let_fall(self, seat: str, roll: str, faces: list[int]) -> None:
        plain = self.evening.tree["proposals"].get(roll)
        alone = plain is not None and not plain["answers"].get("target")
        self.send(c.Throw, seat, proposal=roll, faces=faces[:1] if alone else faces)

    @rule(seat=PEOPLE, data=st.data(), decline=st.booleans())
    def end(self, seat: str, data: st.DataObject, decline: bool) -> None:
        roll = self.any_roll(data)
        if decline:
            self.send(c.Decline, seat, proposal=roll, verdict="failure")
        else:
            self.send(c.Withdraw, seat, proposal=roll)

    @rule(seat=PEOPLE, data=st.data(), secret=st.booleans())
    def lose(self, seat: str, data: st.DataObject, secret: bool) -> None:
        answers = {"coins": 1, "for": "gm" if secret else "all"}
        self.send(c.MakeMove, seat, move="lose", entity=self.any_entity(data), answers=answers)

    @rule(seat=st.sampled_from([IDA, MARA, SAM]))
    def call(self, seat: str) -> None:
        self.send(c.MakeMove, seat, move="call")

    @precondition(lambda self: self.evening.campaign is not None and self.evening.table.asks)
    @rule(seat=PEOPLE, data=st.data(), skip=st.booleans(), yes=st.booleans())
    def answer(self, seat: str, data: st.DataObject, skip: bool, yes: bool) -> None:
        ask = data.draw(st.sampled_from(list(self.evening.table.asks)), "ask")
        if skip:
            self.send(c.SkipAsk, seat, ask=ask)
            return
        move = self.evening.table.asks[ask].move
        answers = {"yes": yes} if move == "vote" else {"text": "The purse."}
        self.send(c.MakeMove, seat, move=move, ask=ask, answers=answers)

    @rule(seat=PEOPLE, data=st.data(), coins=st.integers(0, 5))
    def override(self, seat: str, data: st.DataObject, coins: int) -> None:
        path = ("entities", self.any_entity(data), "state", "coins")
        self.send(c.Override, seat, path=path, now=coins, reason="So.")

    @rule(seat=PEOPLE, data=st.data(), face=st.integers(1, 6))
    def alter(self, seat: str, data: st.DataObject, face: int) -> None:
        seat = IDA if face > 2 else seat
        thrown = [e for e in self.evening.log if e.kind in {"move", "altered"} and e.throw]
        if thrown:
            step = data.draw(st.sampled_from(thrown), "step")
            self.send(c.Alter, seat, number=step.number, faces=[face] * len(step.throw.trace))

    @rule(seat=PEOPLE, back=st.integers(0, 9), along=st.booleans())
    def undo(self, seat: str, back: int, along: bool) -> None:
        number = self.evening.campaign.number - back
        step = self.evening.campaign.event(number)
        if seat not in GMS and step is not None:
            seat = step.seat
        also = dependent_steps(self.evening.campaign, number) if along and step is not None else ()
        undone = self.send(c.Undo, seat, number=number, also=also, reason="So.")
        if undone is None:
            return
        assert step is not None
        if seat not in GMS:
            assert step.seat == seat
            assert step.throw is None
        for first, change in first_changes(self.evening.log, undone.data["of"]):
            if first == number:
                was = MISSING if change.new else change.was
                assert look(self.evening.tree, change.path) == was

    @rule(seat=PEOPLE, reads=st.booleans())
    def setting(self, seat: str, reads: bool) -> None:
        self.send(c.SetSettings, seat, settings={"gm_reads_whispers": reads})

    @rule(seat=PEOPLE, closing=st.booleans())
    def session(self, seat: str, closing: bool) -> None:
        if closing:
            self.send(c.CloseSession, seat)
        elif self.evening.table.session.phase == "closing":
            self.send(c.EndSession, seat, seed="00")
        else:
            self.send(c.BeginSession, seat, commitment="promise")

    def reads(self, seat: str) -> bytes:
        """All that leaves the server for a seat now: the table, what it may do, and what is new."""
        campaign = self.evening.campaign
        assert campaign is not None
        view = view_for(campaign, COIN, seat)
        news = [entry_for(campaign, e, seat) for e in self.evening.log[self.checked :]]
        moves = [moves_for(view, COIN, one) for one in ("", *view.table.entities)]
        odds = [odds_for(view, COIN, "flip", one) for one in view.table.entities]
        return msgspec.json.encode([view, news, moves, odds], enc_hook=str)

    def check_secrets(self, seat: str, sent: bytes) -> None:
        for word, knowing in self.secrets:
            if word.encode() in sent:
                assert knowing(seat), f"{seat} reads {word}"

    @invariant()
    def nobody_learns_too_much(self) -> None:
        if self.evening.campaign is None:
            return
        for seat in EVERYBODY:
            self.check_secrets(seat, self.reads(seat))
        self.checked = len(self.evening.log)
        assert self.evening.log[-1].number == self.checked

    def teardown(self) -> None:
        """At the end: the bytes of the log make the same campaign, and each journal is clean."""
        if self.evening.campaign is None:
            return
        now, log = self.evening.campaign, self.evening.log
        assert [event.number for event in log] == list(range(1, len(log) + 1))
        again = fold([codec.decode(codec.encode(event)) for event in log])
        assert again is not None
        assert again.tree == self.evening.tree
        assert again.table == self.evening.table
        assert pruned(as_if_never(log, set(again.tree["undone"]))) == pruned(again.tree)
        self.checked = 0
        for event in log:
            texts = texts_of(now, event)
            shared: list[tuple[LogReader, Entry | None]] = []
            for seat in EVERYBODY:
                entry = entry_for(now, event, seat)
                if entry is not None:
                    known = known_as(now.table.seats[seat])
                    indexed = words(" ".join(texts.get(name, "") for name in known))
                    assert {*indexed}.issuperset(words(text_of(entry)))
                if (sitting := now.table.seats.get(seat)) is not None:
                    # An entry serves whoever agrees with its reader.
                    names = known_as(sitting)
                    same = [read for reader, read in shared if reader.agrees(names)]
                    assert all(read == entry for read in same)
                    reader = LogReader(names)
                    shared.append((reader, read_entry(now, event, reader)))
        for seat in EVERYBODY:
            home = (*journal_for(now, log, seat), *proofs_for(now, log, seat))
            self.check_secrets(seat, self.reads(seat) + msgspec.json.encode(home, enc_hook=str))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


#: Without shrinking: it takes minutes, and an evening that went wrong is told step by step anyway.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@pytest.mark.slow
def test_random_evenings():
    few = settings(max_examples=12, stateful_step_count=40, deadline=None, phases=PHASES)
    run_state_machine_as_test(Table, settings=few)


@pytest.mark.soak
def test_very_many_random_evenings():
    many = settings(max_examples=400, stateful_step_count=80, deadline=None)
    run_state_machine_as_test(Table, settings=many)


def test_the_check_finds_a_leak():
    """The machine is worth something only if it sees what leaks."""
    table = Table()
    table.begin(trust=False, fudge=False)
    table.send(c.Say, MARA, text=table.marker({MARA}))
    for seat in EVERYBODY:
        sent = table.reads(seat)
        if seat == MARA:
            table.check_secrets(seat, sent)
            continue
        try:
            table.check_secrets(seat, sent)
        except AssertionError:
            continue
        raise AssertionError("a leak went by")
