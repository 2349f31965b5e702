"""Any text: a roll within its bounds and odds, or a refusal with a reason."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kitchentable.dice import SeededSource, odds, replay, roll
from kitchentable.dice.notation import (
    NotationError,
    compile_notation,
    parse,
    speak,
    translate,
)
from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.tree import (
    Dice,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Number,
    Product,
    Sum,
    Target,
)

# -- texts that are meant to be read ---------------------------------------------------------------

LABELS = st.text(st.characters(codec="utf-8", exclude_characters="[]"), min_size=1, max_size=8)
COMPARE = st.sampled_from([">=", "<=", "="])
KEEPS = st.sampled_from(["kh", "kl", "dh", "dl"])
GAPS = st.sampled_from(["", " "])


@st.composite
def dice_texts(draw, most_dice=4, most_sides=8, endless=True):
    """Dice with what may be done to them; most but not all of it makes sense."""
    count, sides = draw(st.integers(1, most_dice)), draw(st.integers(2, most_sides))
    text = f"{count}d{draw(st.sampled_from([sides, sides, sides, 'F', '{1,1,2,5}']))}"
    if draw(st.integers(0, 5)) == 5:
        text = f"(1d{count + 1}-1)d{sides}"
    face = st.integers(1, sides)
    if draw(st.booleans()):
        word = draw(st.sampled_from(["ro", "rr"]))
        text += f"{word}{draw(st.sampled_from(['', '<=', '>=']))}{draw(face)}"
    if endless and draw(st.booleans()):
        text += draw(st.one_of(st.just("!"), face.map("!>={}".format), face.map("!<={}".format)))
    if draw(st.integers(0, 3)) == 3:
        text += f"{draw(st.sampled_from(['min', 'max']))}{draw(face)}"
    end = draw(st.sampled_from(["", "keep", "keep twice", "hits"]))
    if end == "keep":
        text += f"{draw(KEEPS)}{draw(st.integers(1, count))}"
    elif end == "keep twice":
        text += f"{draw(KEEPS)}{draw(st.integers(1, count))}{draw(KEEPS)}"
    elif end == "hits":
        text += f" hits{draw(COMPARE)}{draw(face)}"
    return text


def expressions(dice, most=6):
    def grow(inner):
        pair = st.tuples(inner, GAPS, st.sampled_from("+-*/"), GAPS, inner).map("".join)
        group = st.tuples(inner, inner, KEEPS, st.integers(1, 2)).map(
            lambda one: "{{{},{}}}{}{}".format(*one)
        )
        hits = st.tuples(inner, inner, COMPARE, st.integers(1, 9)).map(
            lambda one: "{{{},{}}} hits{}{}".format(*one)
        )
        choice = st.tuples(st.sampled_from(["max", "min"]), inner, inner)
        return st.one_of(
            pair,
            choice.map(lambda one: "{}({},{})".format(*one)),
            inner.map("({})".format),
            inner.map("-{}".format),
            group,
            hits,
            st.tuples(inner, LABELS).map(lambda one: f"({one[0]})[{one[1]}]"),
        )

    parts = st.one_of(dice, st.integers(0, 20).map(str))
    totals = st.recursive(parts, grow, max_leaves=most)
    targets = st.tuples(totals, st.sampled_from([">=", "<=", "="]), totals).map(
        lambda one: f"({one[0]}){one[1]}{one[2]}"
    )
    notes = st.tuples(totals, LABELS).map(" # ".join)
    return st.one_of(totals, targets, notes)


def read(text):
    """The expression of a text, or nothing where it is refused as a player can use it."""
    try:
        return parse(text)
    except NotationError as error:
        refused = error
    assert refused.code.startswith("notation/")
    assert str(refused).endswith(".")
    assert 0 <= refused.position <= len(text)
    assert refused.pointer().splitlines()[-1].strip() == "^"
    return None


@pytest.mark.slow
@given(expressions(dice_texts()), st.integers(0, 99))
@settings(max_examples=150)
def test_a_generated_text_gives_a_roll_within_its_bounds_or_a_refusal(text, seed):
    expression = read(text)
    if expression is None:
        return
    came = roll(text, source=SeededSource(seed))
    assert replay(*compile_notation(text), trace=came.trace) == came
    if isinstance(expression.root, Target):
        assert came.outcome in (True, False)
    else:
        low, high = bounds(expression.root)
        assert low <= came.outcome <= high


@pytest.mark.slow
@given(expressions(dice_texts()))
@settings(max_examples=150)
def test_the_canonical_spelling_reads_back_as_the_same_expression(text):
    expression = read(text)
    if expression is not None:
        assert parse(str(expression)) == expression
        assert str(parse(str(expression))) == str(expression)
        assert speak(expression)


ALPHABET = "0123456789dDkhlorRF%!<>=+-*/(){}[],# hitsxe@.≥−\n"


@given(st.one_of(st.text(), st.text(ALPHABET, max_size=30)))
@settings(max_examples=400)
@example("9" * 5000)
@example("(" * 1000)
@example("{" * 999)
@example("-" * 1000)
@example("d" * 1000)
@example("1d6" + "!" * 500)
@example("٣d٦")
@example("2d6[\x00]#\x00")
def test_no_text_at_all_raises_anything_but_a_notation_error(text):
    expression = read(text)
    if expression is not None:
        assert parse(str(expression)) == expression


@pytest.mark.slow
@given(
    st.one_of(st.text(max_size=40), st.text(ALPHABET + "floorcspm", max_size=30)),
    st.sampled_from(["roll20", "foundry", "avrae"]),
)
@settings(max_examples=250)
@example("floor(", "roll20")
@example("floor)", "roll20")
@example("d", "avrae")
@example("(,)>", "avrae")
def test_no_foreign_text_raises_anything_but_a_notation_error(text, dialect):
    try:
        spelled = translate(text, dialect)
    except NotationError as error:
        refused = error
    else:
        assert str(parse(spelled)) == spelled
        return
    assert refused.text == text
    assert 0 <= refused.position <= len(text)


# -- odds against an interpreter of its own --------------------------------------------------------


def mixed(*choices):
    """Distributions of independent parts as one distribution of tuples."""
    found = {}
    for combination in product(*(choice.items() for choice in choices)):
        outcome = tuple(value for value, _ in combination)
        chance = Fraction(1)
        for _, part in combination:
            chance *= part
        found[outcome] = found.get(outcome, 0) + chance
    return found


def mapped(function, distribution):
    found = {}
    for outcome, chance in distribution.items():
        value = function(outcome)
        found[value] = found.get(value, 0) + chance
    return found


def die_by_hand(dice):
    faces = list(dice.faces)
    even = {}
    for face in faces:
        even[face] = even.get(face, 0) + Fraction(1, len(faces))
    return mapped(dice.worth, resting_by_hand(dice, even))


def resting_by_hand(dice, even):
    faces = list(even)
    if dice.reroll is None:
        return even
    again = sum(even[face] for face in faces if dice.reroll.condition.holds(face))
    once = {face: 0 if dice.reroll.condition.holds(face) else even[face] for face in faces}
    if dice.reroll.forever:
        return {face: chance / (1 - again) for face, chance in once.items() if chance}
    return {face: once[face] + again * even[face] for face in faces}


def chosen_by_hand(select, values):
    if select is None:
        return sum(values)
    if isinstance(select, Middle):
        return sum(sorted(values)[select.lowest : max(len(values) - select.highest, 0)])
    if not isinstance(select, Keep):
        return sum(map(select.holds, values))
    ordered = sorted(values, reverse=select.word in ("kh", "dh"))
    return sum(ordered[: select.count] if select.word[0] == "k" else ordered[select.count :])


def handful_by_hand(count, dice):
    found = {}
    for number, chance in by_hand(count).items():
        for total, part in by_hand(replace(dice, count=number)).items():
            found[total] = found.get(total, 0) + chance * part
    return found


def by_hand(node):
    """The distribution of an expression without explosions, written a second time."""
    match node:
        case Number(value):
            return {value: Fraction(1)}
        case Dice():
            several = mixed(*[die_by_hand(node)] * node.count)
            return mapped(lambda values: chosen_by_hand(node.select, values), several)
        case Handful(count, dice):
            return handful_by_hand(count, dice)
        case Labelled(inner, _):
            return by_hand(inner)
        case Group(items, select):
            several = mixed(*map(by_hand, items))
            return mapped(lambda values: chosen_by_hand(select, values), several)
        case Sum(terms):
            found = {0: Fraction(1)}
            for sign, term in terms:
                way = 1 if sign == "+" else -1
                found = mapped(
                    lambda pair, way=way: pair[0] + way * pair[1], mixed(found, by_hand(term))
                )
            return found
        case Product(first, rest):
            found = by_hand(first)
            for sign, factor in rest:
                found = mapped(
                    lambda pair, sign=sign: (
                        pair[0] * pair[1] if sign == "*" else pair[0] // pair[1]
                    ),
                    mixed(found, by_hand(factor)),
                )
            return found
        case Target(left, comparator, right):
            return mapped(
                lambda pair: (
                    (pair[0] >= pair[1] or comparator != ">=")
                    and (pair[0] <= pair[1] or comparator != "<=")
                    and (pair[0] == pair[1] or comparator != "=")
                ),
                mixed(by_hand(left), by_hand(right)),
            )


SMALL = dice_texts(3, 5, endless=False)


@pytest.mark.slow
@given(expressions(SMALL, most=4))
@settings(max_examples=150)
def test_odds_are_those_of_a_second_interpreter(text):
    expression = read(text)
    if expression is not None:
        assert dict(odds(text).items()) == by_hand(expression.root)


@given(dice_texts(2, 6), st.integers(0, 99))
@settings(max_examples=60)
def test_exploding_odds_add_up_and_hold_every_roll(text, seed):
    if read(text) is None:
        return
    solved = odds(text)
    support = dict(solved.items())
    assert sum(support.values()) + solved.unresolved == 1
    assert solved.unresolved < Fraction(1, 10**12)
    assert support[roll(text, source=SeededSource(seed)).outcome] > 0
