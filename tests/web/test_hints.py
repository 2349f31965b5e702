"""The first steps at a table: three hints, each role its own, put away with and without scripts."""

import re

import pytest

from tests.web.visitors import Visited

SHOWN = re.compile(r"<b>(\d) of (\d)</b> ([^<]+)</p>")


@pytest.mark.parametrize("name", ["GM", "Mara"])
def test_three_hints_come_one_after_the_other_and_are_gone_for_good(shared: Visited, name):
    visitor, seen = shared.sits(name), []
    for number in (1, 2, 3):
        ((at, of, words),) = SHOWN.findall(visitor.get(shared.t).text)
        assert (at, of) == (str(number), "3")
        seen.append(words)
        assert visitor.fill(f"{shared.t}/hint", seen=str(number)).status_code == 303
    assert len(set(seen)) == 3
    assert SHOWN.findall(visitor.get(shared.t).text) == []


def test_a_script_gets_the_next_hint_alone_and_all_can_be_put_away(shared: Visited):
    mara = shared.sits("Mara")
    answer = mara.script("POST", f"{shared.t}/hint", seen="1")
    assert [at for at, *_ in SHOWN.findall(answer.text)] == ["2"]
    assert "<html" not in answer.text
    assert mara.script("POST", f"{shared.t}/hint", seen="999999999").text.strip() == ""
    assert SHOWN.findall(mara.get(shared.t).text) == []
