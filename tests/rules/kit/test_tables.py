"""A table to roll on in a game in Python: its rows, its odds, what is added to the dice."""

from fractions import Fraction

from kitchentable.dice import load, odds
from kitchentable.rules import Actor, Part, Table
from kitchentable.rules.kit import Being, Form, Ruleset, number
from kitchentable.rules.kit.tables import Rows

rules = Ruleset(Being, dict)


class LuckForm(Form):
    luck = number("Luck", default=0, low=0, high=9)


WEATHER = Rows(
    "weather", "Weather", "2d6", (4, 9), ("Snow", "Rain", "Sun"), "What the day brings.",
    form=LuckForm, add=lambda options, luck=0: (Part("Luck", luck),),
)  # fmt: skip
MOVE = WEATHER.declare(rules)
TABLE, ANA = Table({}), Actor("ana", "player")


def test_the_rows_have_their_odds_with_what_is_added():
    plain = MOVE.question(TABLE, ANA, {})
    assert dict(plain.solve()) == {
        "0": Fraction(1, 6), "1": Fraction(2, 3), "2": Fraction(1, 6),
    }  # fmt: skip
    assert [band.label for band in plain.bands] == ["Snow", "Rain", "Sun"]
    lucky = MOVE.question(TABLE, ANA, {"luck": 9})
    assert dict(lucky.solve()) == {"2": 1}


def test_the_card_shows_the_row():
    question = MOVE.question(TABLE, ANA, {"luck": 1})
    fell = load(question.mechanic, *question.arguments, faces=[4, 5])
    card = MOVE.consequences(TABLE, ANA, {"luck": 1}, fell.outcome).card
    assert (card.title, card.sentence, card.sides[0].parts) == (
        "Weather", "Sun", (Part("Luck", 1),),
    )  # fmt: skip


def test_the_library_rolls_on_it_by_name():
    rolled = WEATHER.rolled()
    solved = odds(rolled.mechanic, *rolled.arguments({}))
    assert {rolled.in_a_word(row): chance for row, chance in solved.items()} == {
        "Snow": Fraction(1, 6), "Rain": Fraction(2, 3), "Sun": Fraction(1, 6),
    }  # fmt: skip
    assert dict(odds(rolled.mechanic, *rolled.arguments({}, luck=9))) == {"2": 1}
