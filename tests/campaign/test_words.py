"""Every kind of event can happen, has its sentence, and is seen by somebody."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign import errors
from kitchentable.campaign.kinds import KINDS, sentence
from kitchentable.campaign.views import entry_for
from tests.campaign.coin import COIN
from tests.campaign.tables import IDA, JON, MARA, TOVE, opened

SOURCE = Path(errors.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def whole_evening():
    """An evening in which everything happens that can happen."""
    evening = opened(settings={"fudge": "logged"})
    send = evening.send
    send(c.AskForSeat, "", new_seat=MARA, name="Mara")
    send(c.DecideSeat, IDA, of=MARA, verdict="approve")
    send(c.AskForSeat, "", new_seat="s-x", name="X")
    send(c.DecideSeat, IDA, of="s-x", verdict="refuse")
    send(c.AskForSeat, IDA, new_seat=JON, name="Jo", approved=True)
    send(c.AskForSeat, IDA, new_seat=TOVE, name="Tove", approved=True)
    send(c.RenameSeat, JON, of=JON, name="Jon")
    send(c.SetRole, IDA, of=TOVE, role="cogm")
    send(c.HandOver, IDA, of=TOVE)
    send(c.DecideSeat, IDA, of=TOVE, verdict="revoke")
    send(c.SetOptions, IDA, options={"rate": 3})
    send(c.SetSettings, IDA, settings={"odds_shown": False, "title": "The salt road"})
    evening.game = replace(COIN, version="2")
    send(c.UpdateGame, IDA, version="2")
    send(c.BeginSession, IDA, commitment="promise")
    send(c.Contribute, MARA, text="tea and rain")
    kes = send(c.MakeEntity, MARA, kind="pc", name="Kes").data["entity"]
    send(c.SaveSheet, MARA, entity=kes, raw={"skill": 3})
    send(c.SubmitSheet, MARA, entity=kes)
    send(c.DecideSheet, IDA, entity=kes, accept=False, reason="A name, please.")
    send(c.SubmitSheet, MARA, entity=kes)
    send(c.DecideSheet, IDA, entity=kes, accept=True)
    grim = send(c.MakeEntity, IDA, kind="npc", name="Grim", sheet={"coins": 1}).data["entity"]
    for parts in (
        {"name": "Grimm", "line": "A shadow"},
        {"hidden": True},
        {"hidden": False, "open": True, "line": ""},
        {"owner": JON, "open": False},
        {"gone": True},
        {"gone": False},
    ):
        send(c.ChangeEntity, IDA, entity=grim, **parts)
    roll = send(c.Propose, MARA, move="flip", entity=kes).data["proposal"]
    send(c.Settle, IDA, proposal=roll, answers={"number": 5}, hidden=("number",))
    thrown = send(c.Throw, MARA, proposal=roll, faces=[3])
    for verdict in ("success", "failure", "no"):
        roll = send(c.Propose, IDA, move="flip", entity=kes).data["proposal"]
        send(c.Decline, IDA, proposal=roll, verdict=verdict, note="Sure.")
    roll = send(c.Propose, MARA, move="flip", entity=kes).data["proposal"]
    send(c.Withdraw, MARA, proposal=roll)
    send(c.Reveal, IDA, number=thrown.number)
    send(c.Alter, IDA, number=thrown.number, faces=[6], reason="For the story.")
    roll = send(c.Propose, MARA, move="flip", entity=kes).data["proposal"]
    send(c.Settle, IDA, proposal=roll)
    send(c.Throw, MARA, proposal=roll, faces=[1])
    send(c.SkipAsk, MARA, ask=next(iter(evening.table.asks)))
    lost = send(c.MakeMove, IDA, move="lose", entity=grim)
    send(c.Override, IDA, path=("entities", kes, "state", "coins"), now=1, reason="A hole.")
    send(c.Undo, IDA, number=lost.number, reason="Wrong one.")
    send(c.Say, MARA, text="Hello [[1d6]]", entity=kes, faces=[2])
    send(c.RollNotation, JON, notation="(2d6)>=7", label="luck", faces=[5, 5])
    send(c.SetNote, JON, which="table", text="The bridge is out.")
    send(c.SetNote, IDA, which="gm", text="Grim did it.")
    send(c.KeepQuick, MARA, entity=kes, label="A toss", move="flip")
    send(c.SetPortrait, MARA, entity=kes, picture="a" * 40)
    send(c.SetPortrait, MARA, entity=kes)
    letter = send(c.SaveHandout, IDA, title="A letter", text="Come at once.").data["handout"]
    for to, behind in ((("all",), True), ((JON, MARA), False), ((JON,), None), ((), None)):
        send(c.ShowHandout, IDA, handout=letter, to=to, backdrop=behind)
    tide = send(c.SetClock, IDA, title="The tide", of=4).changes[0].path[-1]
    send(c.SetClock, IDA, clock=tide, filled=4)
    send(c.SetClock, IDA, clock=tide, open=False)
    send(c.SetClock, IDA, title="The spy", open=False)
    send(c.SetClock, IDA, clock=tide, open=True)
    send(c.SetClock, IDA, clock=tide, gone=True)
    send(c.SetOracle, IDA, title="Weather", rows="Rain\nSun")
    send(c.RollOracle, MARA, oracle="yes-or-no", text="Is it dark?", faces=[5])
    send(c.SetMarks, MARA, entity=kes, marks=("prone", "wet"))
    send(c.SetMarks, MARA, entity=kes)
    send(c.SetLimit, JON, kind="line", text="Spiders")
    send(c.SetLimit, JON, kind="veil", text="Surgery")
    send(c.PlayXCard, JON)
    send(c.PlayXCard, MARA, paused=False)
    send(c.CloseSession, IDA)
    send(c.EndSession, IDA, seed="00")
    return evening


EVENING = whole_evening()


def test_everything_happens_and_has_its_words():
    # The coin game has no fight whose order could be changed; tests/web/test_tracker.py does it.
    assert {event.kind for event in EVENING.log} == set(KINDS) - {"reordered"}


@pytest.mark.parametrize("event", EVENING.log, ids=lambda event: f"{event.number}-{event.kind}")
def test_an_event_reads_as_a_sentence(event):
    words = sentence(event)
    assert words[0].isupper() or words[0].isdigit()
    assert "{" not in words
    assert "None" not in words
    if event.kind not in {"said", "contributed", "sheet-sent-back", "declined", "ask-skipped"}:
        assert words.endswith(".")
    assert entry_for(EVENING.campaign, event, IDA) is not None


def test_the_log_reads_like_this():
    read = [
        f"{entry.kind}: {entry.stub or entry.text}"
        for event in EVENING.log
        if (entry := entry_for(EVENING.campaign, event, JON)) is not None
    ]
    assert read == (Path(__file__).parent / "fixtures" / "log.txt").read_text().splitlines()


def codes_in(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for one in [*node.exc.args, *(keyword.value for keyword in node.exc.keywords)]:
                text = one.value if isinstance(one, ast.Constant) else None
                if isinstance(text, str) and "/" in text and " " not in text:
                    yield text


def test_the_page_of_the_api_explains_every_code():
    raised = {code for path in SOURCE.rglob("*.py") for code in codes_in(path)}
    assert len(raised) > 20
    explained = set(re.findall(r"(?m)^\| `([a-z]+/[a-z-]+)` \|", PAGE))
    classes = [errors.NotAllowed, errors.CannotBe, errors.BuiltUpon]
    own = {one.code for one in (*classes, errors.BadEvent, errors.NewerEvent)} | {
        errors.Overreach("x").code
    }
    own.add(errors.EndlessForm("x", 1).code)
    elsewhere = {"form/problems", "rule/refuses"}
    assert explained == raised | own | elsewhere
