"""A new kind of event touches what CONTRIBUTING.md names, and nothing else."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.newer import ADDED, make_newer

ROOT = Path(__file__).parent.parent.parent

PLAYED = """
import msgspec

from kitchentable.app.plaintext import tell
from kitchentable.app.search import Search
from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import DECIDERS
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.views import entry_for
from tests.campaign.coin import COIN
from tests.campaign.tables import IDA, MARA, SAM, seated

evening = seated()
for seat in (MARA, SAM):
    try:
        evening.send(c.SetWeather, seat, weather="rain")
    except NotAllowed as refused:
        print(refused)
event = evening.send(c.SetWeather, IDA, weather="rain")
entry = entry_for(evening.campaign, event, SAM)
print(tell(entry))
print(Search("evenings", "", "rain").fits(entry), Search("talk", "", "").fits(entry))
print(evening.tree["notes"]["weather"])
evening.send(c.Undo, IDA, number=event.number)
print("weather" in evening.tree["notes"])
sent = b'{"do": "set-weather", "id": "c1", "weather": "snow"}'
print(msgspec.json.decode(sent, type=c.AnyCommand).weather)
"""


def named_in_contributing():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Add an event", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"`(campaign/[\w/.]*)`", section))


def test_what_contributing_names_is_all_that_a_new_kind_touches(tmp_path):
    make_newer(tmp_path)
    named = named_in_contributing()
    decided = {name for name in ADDED if name.startswith("campaign/decide/")}
    assert named == (set(ADDED) - decided) | {"campaign/decide/", "campaign/decide/__init__.py"}
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    said = subprocess.run(
        [sys.executable, "-c", PLAYED],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert said.stderr == ""
    assert said.stdout.splitlines() == [
        "Only the GM can do that.",
        "Only the GM can do that.",
        "19:30 Ida lets it rain.",
        "True False",
        "rain",
        "False",
        "snow",
    ]
