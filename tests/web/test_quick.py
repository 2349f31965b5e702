"""Quick rolls: kept with a character, opened by a tap, removed; nobody else knows of them."""

import re

from tests.web.visitors import Visited

PERK = "Knows the Krim valley"


def test_a_roll_is_kept_and_opened_and_removed(visited: Visited):
    mara, t = visited.sits("Mara"), visited.t
    me = visited.entity("Mara Vell")
    filled = {"move": "task", "a__trait": "perception", "a__perk": PERK}
    panel = mara.script("GET", f"{t}/moves", entity=me, **filled).text
    link = re.search(r'href="([^"]*/quick\?[^"]*)"', panel)
    assert link is not None
    page = mara.get(link[1].replace("&amp;", "&")).text
    assert 'value="Perception 6, Knows the Krim valley' in page
    mara.fill(f"{t}/quick", entity=me, label="Scout", **filled)
    assert visited.kinds()[-1] == "quick-kept"
    sheet = mara.get(t).text.partition('id="sheet-in"')[2].partition('id="log"')[0]
    start = re.search(r'href="([^"]*)"><span>Scout</span>', sheet)
    assert start is not None
    opened = mara.get(start[1].replace("&amp;", "&")).text
    assert re.search(rf'<option value="{PERK}" selected', opened)
    for other in ("GM", "Lene"):
        assert "Scout" not in visited.sits(other).get(f"{t}/lines").text
    assert "Scout" not in visited.sits("Lene").get(t).text
    assert "Scout" not in visited.sits("Lene").get(f"{t}/journal").text
    mara.fill(f"{t}/quick", entity=me, label="Scout", gone="on")
    assert "Scout</span>" not in mara.get(t).text


def test_nobody_keeps_rolls_for_others_or_without_end(visited: Visited):
    lene, t = visited.sits("Lene"), visited.t
    before = len(visited.kinds())
    me = visited.entity("Mara Vell")
    assert lene.fill(f"{t}/quick", entity=me, move="task", label="X").status_code >= 400
    assert lene.get(f"{t}/quick?entity={me}&move=task").status_code >= 400
    assert len(visited.kinds()) == before
    own = visited.entity("Brother Ivo")
    for number in range(21):
        last = lene.fill(f"{t}/quick", entity=own, move="task", label=f"Roll {number}")
    assert last.status_code >= 400
    assert len(visited.kinds()) == before + 20
