"""Options as data: what a file may say of them, what is refused and where, and how code reads
them."""

from dataclasses import dataclass

import pytest

from kitchentable.rules import BadGame, Choice, Field, Option
from kitchentable.rules.kit.document import read_part
from kitchentable.rules.kit.listings import Listing
from kitchentable.rules.kit.settings import Settings, counted, read_options
from kitchentable.rules.toml import BadFile, read_game
from tests.rules.toml.sample import COIN

FILE = """\
[[option]]
key = "salt"
title = "Salt"
help = "Grains."
low = 1
high = 9
rule = "soup.1-salt"
group = "Taste"
effect = "More of it makes thirsty."

[[option]]
key = "bowls"
title = "Bowls at most"
optional = true
help = "Left empty, there is no limit."

[[option]]
key = "hot"
title = "Hot"
kind = "tick"
default = true
help = "Off: cold."
excludes = ["iced"]

[[option]]
key = "iced"
title = "Iced"
kind = "tick"
help = "With ice."

[[option]]
key = "served"
title = "Served"
kind = "choice"
choices = [["first", "before the meal"], ["last", "after it"]]
help = "When."

[[option]]
key = "motto"
title = "Motto"
kind = "text"
help = "A line."

[[option]]
key = "recipe"
title = "Recipe"
kind = "story"
default = "Boil it."
longest = 900
help = "Several lines."

[[option]]
key = "herbs"
title = "Herbs"
kind = "rows"
low = 1
high = 20
help = "One line for each."

[[option.column]]
key = "id"
title = "Key"
kind = "text"
default = ""
longest = 40

[[option.column]]
key = "name"
title = "Name"
kind = "text"
help = "As it is called."
rule = "soup.2-herb"

[[option.column]]
key = "leaves"
title = "Leaves"
low = -9
high = 9

[[option.column]]
key = "least"
title = "Least"
optional = true

[[option.column]]
key = "dried"
title = "Dried"
kind = "tick"

[[option.column]]
key = "from"
title = "From"
kind = "choice"
choices = [["yard", "the yard"], ["shop", "a shop"]]

[[option.default]]
name = "Thyme"
leaves = -2
from = "shop"
"""


def options(text=FILE):
    return read_part(text, "soup.toml", read_options)


def test_every_kind_of_option_is_read_from_a_file():
    salt, bowls, hot, iced, served, motto, recipe, herbs = options()
    assert salt == Option(
        Field(
            "salt", "Salt", "number", default=1, low=1, high=9, help="Grains.", rule="soup.1-salt"
        ),
        "Taste",
        "More of it makes thirsty.",
    )
    empty = "Left empty, there is no limit."
    limit = Field("bowls", "Bowls at most", "number", required=False, low=0, high=99, help=empty)
    assert bowls == Option(limit, "The game")
    warm = Field("hot", "Hot", "tick", default=True, required=False, help="Off: cold.")
    assert hot == Option(warm, "The game", excludes=("iced",))
    assert iced.field == Field(
        "iced", "Iced", "tick", default=False, required=False, help="With ice."
    )
    assert served.field == Field(
        "served",
        "Served",
        "choice",
        (Choice("first", "before the meal"), Choice("last", "after it")),
        default="first",
        help="When.",
    )
    assert motto.field == Field(
        "motto", "Motto", default="", required=False, help="A line.", longest=400
    )
    assert recipe.field == Field(
        "recipe",
        "Recipe",
        "story",
        default="Boil it.",
        required=False,
        help="Several lines.",
        longest=900,
    )
    assert herbs.field == Field(
        "herbs",
        "Herbs",
        "rows",
        default=[
            {
                "id": "",
                "name": "Thyme",
                "leaves": -2,
                "least": None,
                "dried": False,
                "from": "shop",
            }
        ],
        low=1,
        high=20,
        help="One line for each.",
        columns=(
            Field("id", "Key", default="", required=False, longest=40),
            Field("name", "Name", help="As it is called.", rule="soup.2-herb", longest=400),
            Field("leaves", "Leaves", "number", low=-9, high=9),
            Field("least", "Least", "number", required=False, low=0, high=99),
            Field("dried", "Dried", "tick", default=False, required=False),
            Field(
                "from",
                "From",
                "choice",
                (Choice("yard", "the yard"), Choice("shop", "a shop")),
                default="yard",
            ),
        ),
    )


def test_a_list_may_be_empty_unless_it_has_a_least_number_of_rows():
    (herbs,) = options(FILE[FILE.index('[[option]]\nkey = "herbs"') :].replace("low = 1\n", "", 1))
    assert (herbs.field.required, herbs.field.low) == (False, None)


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ("low = 1\nhigh = 9", "low = 10\nhigh = 9", "high \\(9\\) must not be less than low \\(1"),
        ("high = 9\nrule", "high = 9\ndefault = 10\nrule", "default goes from 1 to 9, not 10"),
        ('kind = "story"', 'kind = "saga"', "kind cannot be 'saga'.*from: choice, number, row"),
        ('kind = "story"', 'kind = "story"\nlow = 1', r"\[option\] has no key 'low'"),
        ('[["first", "before the meal"], ["last", "after it"]]', "[]", "choices is empty"),
        ('[["first", "before the meal"], ["last", "after it"]]', '[["a"]]', "a list of pairs of"),
        (
            'choices = [["first", "before the meal"], ["last", "after it"]]',
            "",
            "needs the key 'choices'",
        ),
        ('help = "When."', 'help = "When."\ndefault = "never"', "default cannot be 'never'"),
        ('default = "Boil it."', 'default = "Boil it. Eat."', "default has 13 .*; at most 9"),
        ("leaves = -2", "leaves = -20", "leaves goes from -9 to 9, not -20"),
        ("leaves = -2\n", "", r"\[option.default\] needs the key 'leaves'"),
        ('name = "Thyme"', 'nmae = "Thyme"', r"\[option.default\] has no key 'nmae'"),
        ('from = "shop"', 'from = "sea"', "from cannot be 'sea'"),
        ('kind = "text"\ndefault', 'kind = "rows"\ndefault', "kind cannot be 'rows'"),
    ],
)
def test_each_mistake_has_its_place(was, now, sentence):
    text = FILE.replace("longest = 900", "longest = 9").replace(was, now, 1)
    with pytest.raises(BadFile, match=rf"(?s)soup.toml, line \d+, column \d+: .*{sentence}"):
        options(text)


class Soup(Settings, options=options()):
    salt: int
    bowls: int | None
    hot: bool
    served: str
    motto: str
    recipe: str
    herbs: list[dict[str, object]]


def test_an_option_is_what_the_table_has_set_or_its_default():
    here = Soup({"salt": 4, "bowls": None, "motto": "Hot!"})
    assert (here.salt, here.bowls, here.hot, here.served) == (4, None, True, "first")
    assert (here.motto, here["recipe"], here["iced"]) == ("Hot!", "Boil it.", False)
    assert [row["name"] for row in here.herbs] == ["Thyme"]
    with pytest.raises(KeyError):
        here["pepper"]


@pytest.mark.parametrize(
    ("name", "kind", "sentence"),
    [
        ("pepper", int, "Bad.pepper: there is no option with that name."),
        ("salt", bool, "Bad.salt: the option has kind number, so its type is int."),
        ("salt", int | None, "Bad.salt: the option has kind number, so its type is int."),
        ("hot", int, "Bad.hot: the option has kind tick, so its type is bool."),
        ("served", int, "Bad.served: the option has kind choice, so its type is str."),
        ("herbs", dict, "Bad.herbs: the option has kind rows, so its type is list."),
        (
            "bowls",
            int,
            "Bad.bowls: the option has kind number (optional), so its type is int | None.",
        ),
    ],
)
def test_a_name_or_a_type_that_is_no_options_is_refused_when_the_class_is_made(
    name, kind, sentence
):
    with pytest.raises(BadGame) as caught:
        type("Bad", (Settings,), {"__annotations__": {name: kind}}, options=options())
    assert str(caught.value) == sentence


@dataclass(frozen=True)
class Line:
    key: str
    name: str


def test_a_list_reads_the_rows_of_the_option_of_its_name_and_no_other():
    class Kitchen(Settings, options=options()):
        herbs = Listing(Line)

    (thyme,) = Kitchen({}).herbs
    assert (thyme.key, thyme.name, Kitchen({}).herbs.find("THYME")) == ("thyme", "Thyme", thyme)
    for name, sentence in (
        ("spices", "Bad.spices: there is no option with that name."),
        ("salt", "Bad.salt: the option has kind number, so its type is int."),
    ):
        with pytest.raises(BadGame) as caught:
            type("Bad", (Settings,), {name: Listing(Line)}, options=options())
        assert str(caught.value) == sentence


def test_formulas_may_use_only_numbers_and_ticks():
    assert [one.key for one in counted(options())] == ["salt", "bowls", "hot", "iced"]
    words = '[[option]]\nkey = "tone"\ntitle = "Tone"\nkind = "text"\nhelp = "How grim."\n'
    game = read_game(f"{COIN}\n{words}")
    assert game.options[-1].field.kind == "text"
    assert game.rolls["flip"].arguments(game.defaults(), trait=1, nerve=1)
    text = COIN.replace('points = "2 + luck_of_all"', 'points = "2 + tone"')
    with pytest.raises(BadFile, match="uses 'tone', which is not the name of a number here"):
        read_game(f"{text}\n{words}")
