"""The recap of a session: its story, as a seat may read it."""

import re

from tests.web.visitors import Visited


def told(page: str) -> str:
    recap = page.partition('id="recap"')[2].partition("</article>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", recap))


def test_a_session_is_told_without_bookkeeping_and_without_secrets(visited: Visited):
    gm, mara, lene = (visited.sits(name) for name in ("GM", "Mara", "Lene"))
    t = visited.t
    gm.fill(f"{t}/say", text="Before the first session.")
    assert "Before the first session" in told(mara.get(f"{t}/recap").text)
    gm.fill(f"{t}/session/begin")
    mara.fill(f"{t}/say", text="Quiet now.", entity=visited.entity("Mara Vell"))
    mara.fill(f"{t}/say", text="Do you hear it?", entity=visited.entity("Mara Vell"))
    lene.fill(f"{t}/say", text="/me lights a candle")
    lene.fill(f"{t}/say", text="We are [[2+1]] on the stair.")
    mara.fill(f"{t}/say", text="/w gm I keep the seal.")
    gm.fill(f"{t}/say", text="/gmroll 2d6 behind the screen")
    mara.fill(f"{t}/say", text="/perception faces=9 Who is there")
    gm.fill(f"{t}/note", which="table", text="Bells.")
    roll = next(iter(visited.server.tables.campaign(visited.campaign).tree["proposals"]))
    gm.fill(f"{t}/proposals/{roll}/settle", a__difficulty="medium")
    mara.fill(f"{t}/proposals/{roll}/throw", faces="9")
    page = lene.get(f"{t}/recap").text
    said = told(page)
    assert said.index("Before the first session") < said.index("Session 1 begins")
    assert "Mara Vell: “Quiet now. Do you hear it?”" in said
    assert "lights a candle" in said
    assert "“We are 3 on the stair.”" in said
    assert re.search(r"Mara Vell\. Perception.*success\.", said)
    assert "Succeeds" not in said, "the outcome is told once"
    assert "Who is there. Against Medium, 11." in said
    for left_out in ("seal", "2d6", "behind", "waiting for", "notes"):
        assert left_out not in said, left_out
    assert 'data-copy="recap"' in page
    gm.fill(f"{t}/session/end")
    gm.fill(f"{t}/session/begin")
    gm.fill(f"{t}/say", text="Another night.")
    second = told(lene.get(f"{t}/recap").text)
    assert "Another night" in second
    assert "Quiet now" not in second
    assert "Before the first" not in second
    assert "Quiet now" in told(lene.get(f"{t}/recap?session=1").text)
    assert "Another night" not in told(lene.get(f"{t}/recap?session=1").text)
