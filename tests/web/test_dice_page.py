"""Dice outside any campaign: throws, and explanations of notation."""

import html
import re
from fractions import Fraction

import pytest

from tests.web.visitors import visit


@pytest.fixture(scope="module")
def anybody():
    with visit() as visited:
        yield visited.stranger()


def asked(anybody, notation, **more):
    return anybody.get("/dice", params={"notation": notation, **more})


def rows(page, table=0):
    """Result, chance, this or more, exactly: as they stand in a table of the page."""
    body = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)[table]
    lines = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [
        [html.unescape(one).replace("\xa0", " ") for one in re.findall(r">([^<]+)</t[hd]>", line)]
        for line in lines
    ]


def stats(page):
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_dice_without_an_end_have_a_mean_and_say_that_they_have_no_highest(anybody):
    page = asked(anybody, "2d6!").text
    assert stats(page) == {
        "On average": "8.4",
        "In the middle": "7",
        "Spread": "4.613",
        "Lowest": "2",
        "Highest": "no end",
    }
    found = {row[0]: row[1:] for row in rows(page)}
    assert found["2"] == ["3 %", "100 %", "1/36"]
    assert found["12"] == ["5 %", "21 %", "5/108"]


def test_rare_results_are_told_of_together_and_none_is_dropped(anybody):
    page = asked(anybody, "3d6!").text
    common, rare = rows(page), rows(page, 1)
    numbers = [int(row[0]) for row in common + rare]
    assert numbers == list(range(3, numbers[-1] + 1))
    assert f"{len(rare)} rare results, together under 0.1 %" in html.unescape(page).replace(
        "\xa0", " "
    )
    assert "Still higher results: " in page


def test_many_results_stand_in_steps_that_add_up(anybody):
    page = asked(anybody, "d1000+d1000").text
    assert "Results in steps of 20" in page
    found = {row[0]: row[1:] for row in rows(page)}
    assert next(iter(found)) == "46 to 60"
    # The totals of two dice from 1001 to 1020: 1000 + 999 + ... + 981 ways of 1,000,000.
    assert found["1001 to 1020"] == ["2 %", "50 %", "1981/100000"]
    every = [*found.values(), *(row[1:] for row in rows(page, 1))]
    assert sum(Fraction(row[-1]) for row in every) == 1


def test_a_question_is_answered_with_reached_or_not(anybody):
    page = asked(anybody, "(2d6)>=9").text
    assert rows(page) == [["not reached", "72 %", "13/18"], ["reached", "28 %", "5/18"]]
    assert "On average" not in page
    assert "This or more" not in page


def test_what_is_far_too_long_comes_back_whole_with_a_sentence(anybody):
    long = "+".join(["d6"] * 400)
    answer = asked(anybody, long)
    assert answer.status_code == 400
    assert "at most 1,000 characters, not" in answer.text
    assert f'value="{long}"' in answer.text


def test_dice_that_fell_are_shown_even_where_their_odds_are_too_much(anybody):
    answer = asked(anybody, "1000d10000", roll="1")
    assert answer.status_code == 200
    assert ">Result<" in answer.text
    assert "too much work to compute" in answer.text


def test_a_program_reads_a_refusal_of_dice_as_of_all_else(shared):
    asked = {"params": {"notation": "4d6k3"}, "headers": {"accept": "application/json"}}
    refused = shared.stranger().get("/dice", **asked)
    assert refused.status_code == 400
    assert refused.json()["code"] == "notation/dialect"
    assert "kh3" in refused.json()["sentence"]


def test_dice_are_read_as_another_program_reads_them_and_told_in_our_spelling(anybody):
    page = asked(anybody, "10d6>5", dialect="roll20").text
    assert '<option value="roll20" selected>As in Roll20</option>' in page
    assert "Read as <code>10d6 hits&gt;=5</code>." in page
    assert stats(page)["On average"] == "3.333"
    foreign = asked(anybody, "4d6!d1+1", dialect="rpg-dice-roller", roll="1").text
    assert "Read as" not in foreign
    assert ">Result<" in foreign
    assert "Odds of 4d6!d1+1" in foreign
    assert '<tr><th scope="row">15</th>' in foreign
    assert "Read as" not in asked(anybody, "4d6kh3", dialect="roll20").text


def test_a_dialect_that_nobody_reads_is_refused(anybody):
    answer = asked(anybody, "2d6", dialect="latin")
    assert answer.status_code == 400
    assert "The dialect 'latin' is unknown." in html.unescape(answer.text)
    assert "highest 3 of 4d6" in asked(anybody, "[highest 3 of 4d6]", dialect="anydice").text
