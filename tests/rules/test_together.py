"""Options that exclude each other: found from either side, reported once and in advance."""

import pytest

from kitchentable.rules import Field, Option, OptionsExclude
from kitchentable.rules.together import check_together, clashes, excluded_by, flaws
from kitchentable.rules.toml import read_game
from tests.rules.toml.sample import COIN


def switch(key: str, *excludes: str) -> Option:
    field = Field(key, key.title(), "tick", default=False, required=False, rule=f"soup.{key}")
    return Option(field, "Soup", excludes=excludes)


#: Hot says that it excludes cold; frozen says that it excludes hot.
SOUP = (switch("hot", "cold"), switch("cold"), switch("salty"), switch("frozen", "hot"))
ALL = {"hot": True, "cold": True, "salty": True, "frozen": True}


def test_either_of_two_options_may_exclude_the_other():
    assert [(one.where, one.rule) for one in clashes(SOUP, ALL)] == [
        ("cold", "soup.cold"),
        ("frozen", "soup.frozen"),
    ]
    assert clashes(SOUP, {**ALL, "hot": False}) == ()
    assert clashes(SOUP, {}) == ()


@pytest.mark.parametrize(
    ("changed", "beside"),
    [
        ((), []),
        (("salty",), []),
        (("hot",), ["hot", "hot"]),
        (("cold",), ["cold"]),
        (("hot", "cold"), ["cold", "hot"]),
        (("frozen", "salty"), ["frozen"]),
    ],
)
def test_the_problem_is_placed_at_the_changed_option(changed, beside):
    assert [one.where for one in clashes(SOUP, ALL, changed)] == beside


def test_a_refusal_says_both_names():
    check_together(SOUP, {"hot": True, "salty": True})
    with pytest.raises(OptionsExclude, match='"Cold" and "Hot" exclude each other') as refused:
        check_together(SOUP, {"hot": True, "cold": True})
    assert refused.value.code == "options/exclude"
    assert refused.value.problems[0].refuses


def test_people_read_it_beforehand():
    assert excluded_by(SOUP) == {
        "hot": ("Cold", "Frozen"),
        "cold": ("Hot",),
        "frozen": ("Hot",),
    }
    assert list(flaws(SOUP)) == []


def test_a_written_game_may_say_so():
    more = "".join(
        f'[[option]]\nkey = "{key}"\ntitle = "{key}"\nkind = "tick"\nhelp = "x"\n{rest}\n'
        for key, rest in (("wet", 'excludes = ["dry"]'), ("dry", ""))
    )
    game = read_game(COIN.replace("[[option]]", f"{more}\n[[option]]", 1))
    with pytest.raises(OptionsExclude):
        check_together(game.options, {**game.defaults(), "wet": True, "dry": True})
