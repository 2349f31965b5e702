"""Formulas in a game's file: values and refusals."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice.errors import BadInput
from kitchentable.rules.kit.formula import BadFormula, parse_formula


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 3 - 2", 5),
        ("7 // 2 * 2", 6),
        ("-7 // 2", -4),
        ("0 - 7 // 2", -3),
        ("min(3, nerve, 9)", 2),
        ("max(1, nerve - wounds)", 1),
        ("--nerve", 2),
        ("nerve*wounds", 8),
        ("unknown", 0),
    ],
)
def test_sums(text, value):
    assert parse_formula(text).value({"nerve": 2, "wounds": 4}) == value


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "ends where"),
        ("2 +", "ends where"),
        ("(2", "closing bracket"),
        ("2)", "should end before '\\)'"),
        ("2 3", "should end before '3'"),
        ("2 ** 3", "needed in place of '\\*'"),
        ("2 / 3", "'/' is not allowed"),
        ("a.b", "'.' is not allowed"),
        ("__import__('os')", '"\'" is not allowed'),
        ("min 3", "min needs brackets"),
        ("9" * 12, "too large for a game"),
        ("(" * 40 + "1" + ")" * 40, "nested too deeply"),
        ("-" * 40 + "1", "nested too deeply"),
        ("7 // 0", "0 could be 0. Divide by max\\(1, 0\\)"),
        ("7 // nerve", "nerve could be 0. Divide by max\\(1, nerve\\)"),
        ("7 // (1 + nerve)", "Divide by max\\(1, 1\\+nerve\\)"),
        ("7 // (2 - 1)", "could be 0"),
        ("1 + " * 99 + "?", "^'(1 \\+ ){15}...': '\\?' is not allowed"),
    ],
)
def test_a_bad_formula_gets_a_sentence(text, sentence):
    with pytest.raises(BadFormula, match=sentence):
        parse_formula(text)


@pytest.mark.parametrize(
    "divisor", ["2", "max(1, nerve)", "(1 + 2)", "(2 * max(3, x))", "min(2, 3)"]
)
def test_a_divisor_is_never_0(divisor):
    assert parse_formula(f"12 // {divisor}").value({"nerve": -4, "x": 0}) >= 2


def test_a_sum_stops_at_a_thousand_million():
    many = parse_formula("nerve * nerve * nerve * nerve")
    assert many.value({"nerve": 1000}) == 10**9
    assert parse_formula("0 - nerve * nerve * nerve * nerve").value({"nerve": 1000}) == -(10**9)


@given(st.text("0123456789abz_+-*/() ,minmax", max_size=30))
def test_no_text_breaks_it(text):
    with suppress(BadInput):
        formula = parse_formula(text)
        formula.value(dict.fromkeys(formula.names(), 3))


numbers = st.integers(0, 50)


@given(numbers, numbers, numbers)
def test_it_counts_as_python_does(a, b, c):
    text = f"{a} - {b} * ({c} + x) // 3"
    assert parse_formula(text).value({"x": 2}) == a - b * (c + 2) // 3
