"""Somebody writes dice as another program does: on their device, at one table."""

import html
import re

import pytest

from tests.web.visitors import visit


@pytest.fixture
def visited():
    with visit() as one:
        yield one


def asks(visitor, visited):
    """What the line of the log asks for."""
    page = visitor.get(visited.t).text
    return html.unescape(re.search(r'placeholder="(Speak[^"]*)"', page)[1])


def rolled(visited):
    event = visited.server.tables.campaign(visited.campaign).events[-1]
    return event.data["outcome"], event.data.get("dialect", "house")


def test_a_dialect_holds_for_one_device_until_it_is_taken_back(visited):
    mara, jonas = visited.sits("Mara"), visited.sits("Jonas")
    assert asks(mara, visited) == "Speak, or /roll 2d6+3"
    assert mara.fill(f"{visited.t}/say", text="/dialect roll20").status_code == 303
    assert asks(mara, visited) == "Speak, or /roll 2d6+3, as in Roll20"
    mara.fill(f"{visited.t}/say", text="/roll 4d6k3", faces="1 6 5 4")
    assert rolled(visited) == (15, "roll20")
    assert asks(jonas, visited) == "Speak, or /roll 2d6+3"
    assert jonas.fill(f"{visited.t}/say", text="/roll 4d6k3", faces="1 6 5 4").status_code == 400
    mara.fill(f"{visited.t}/say", text="/dialect table")
    assert asks(mara, visited) == "Speak, or /roll 2d6+3"
    assert mara.fill(f"{visited.t}/say", text="/roll 4d6k3", faces="1 6 5 4").status_code == 400


def test_a_page_with_its_script_loads_itself_again_to_show_it(visited):
    mara = visited.sits("Mara")
    answer = mara.script("POST", f"{visited.t}/say", text="/dialect avrae")
    assert (answer.status_code, answer.headers["hx-refresh"]) == (200, "true")
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert asks(mara, visited) == "Speak, or /roll 2d6+3, as in Avrae"
    kinds = visited.kinds()
    mara.script("POST", f"{visited.t}/say", text="/roll 1d20mi10", faces="3")
    assert rolled(visited) == (10, "avrae")
    assert visited.kinds()[:-1] == kinds, "a choice of the device is not a step of the table"


def test_the_tables_own_dialect_is_shown_and_can_be_left(visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    gm.fill(f"{visited.t}/settings", t__dialect="foundry")
    assert asks(mara, visited) == "Speak, or /roll 2d6+3, as in Foundry"
    mara.fill(f"{visited.t}/say", text="/dialect house")
    assert asks(mara, visited) == "Speak, or /roll 2d6+3, as in the manual"
    refused = mara.fill(f"{visited.t}/say", text="/dialect french")
    assert refused.status_code == 400
    assert "There is no dialect 'french'." in html.unescape(refused.text)
