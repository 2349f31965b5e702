"""The verifiable stream: addressed, repeatable, unbiased, and re-implemented from its bytes."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice import RollingDice, roll
from kitchentable.dice.mechanic import mechanic
from kitchentable.dice.stream import (
    BadStream,
    Contribution,
    SessionStream,
    check_commitment,
    commit,
    draw,
    encode,
)

SEED = bytes(range(32))
ADA = Contribution("Ada", "tea and rain")
BEN = Contribution("Ben", "späte Züge", from_throw=4)


@mechanic
def handful(dice) -> tuple[int, ...]:
    """Three d6, a d10 and a d100."""
    return (*dice.pool(3, 6), dice.die(10), dice.die(100))


def netstrings(*fields: bytes) -> bytes:
    return b"".join(str(len(one)).encode() + b":" + one + b"," for one in fields)


def faces_by_the_book(seed, contributions, throw, sides):
    """The description in docs/fair-dice.md, implemented again without the package."""
    counted = [one for one in contributions if one[2] <= throw]
    message = netstrings(b"kitchentable/key/1", str(len(counted)).encode())
    for who, words, start in counted:
        message += netstrings(who.encode(), words.encode(), str(start).encode())
    key = hmac.new(seed, message, hashlib.sha256).digest()
    faces = []
    for index, n in enumerate(sides):
        attempt = 0
        while True:
            at = [str(number).encode() for number in (throw, index, attempt)]
            block = hmac.new(key, netstrings(b"kitchentable/draw/1", *at), hashlib.sha256)
            value = int(block.hexdigest(), 16)
            if value < 2**256 // n * n:
                break
            attempt += 1
        faces.append(value % n + 1)
    return faces


def test_fields_are_written_as_netstrings():
    assert encode("a", 12, b"\x00,", "ü") == b"1:a,2:12,2:\x00,,2:\xc3\xbc,"


@given(st.lists(st.binary(max_size=9), max_size=4), st.lists(st.binary(max_size=9), max_size=4))
def test_different_fields_never_give_the_same_bytes(one, other):
    assert (encode(*one) == encode(*other)) == (one == other)


def test_the_commitment_is_the_labelled_hash_of_campaign_session_and_seed():
    written = b"25:kitchentable/commitment/1,7:harvest,2:12,32:" + SEED + b","
    assert commit(SEED, "harvest", 12) == hashlib.sha256(written).hexdigest()


def test_a_commitment_fits_its_own_seed_campaign_and_session_only():
    promised = commit(SEED, "harvest", 12)
    assert check_commitment(promised, SEED, "harvest", 12)
    assert not check_commitment(promised, bytes(32), "harvest", 12)
    assert not check_commitment(promised, SEED, "winter", 12)
    assert not check_commitment(promised, SEED, "harvest", 1)
    assert not check_commitment("not a hash", SEED, "harvest", 12)


@given(
    seed=st.binary(min_size=32, max_size=32),
    words=st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9), st.integers(1, 6))),
    throw=st.integers(1, 9),
    sides=st.lists(st.integers(1, 10_000), max_size=8),
)
def test_the_stream_is_what_its_description_says(seed, words, throw, sides):
    words.sort(key=lambda one: one[2])
    source = SessionStream(seed, tuple(Contribution(*one) for one in words)).throw(throw)
    assert [source.below(n) + 1 for n in sides] == faces_by_the_book(seed, words, throw, sides)


def test_known_faces_of_a_known_seed():
    source = SessionStream(SEED, (ADA, BEN)).throw(7)
    assert [source.below(n) + 1 for n in (6, 6, 10, 12, 20, 100)] == [1, 6, 9, 4, 3, 63]


def test_the_same_throw_number_gives_the_same_dice():
    stream = SessionStream(SEED, (ADA,))
    first, again = (roll(handful, source=stream.throw(3)) for _ in range(2))
    assert first == again
    assert roll(handful, source=stream.throw(4)) != first


def test_a_throw_does_not_depend_on_the_throws_before_it():
    stream = SessionStream(SEED, (ADA,))
    alone = roll(handful, source=stream.throw(2))
    roll(handful, source=stream.throw(1))
    assert roll(handful, source=stream.throw(2)) == alone


def test_words_change_the_dice_from_their_throw_on_and_not_before():
    before, after = SessionStream(SEED, (ADA,)), SessionStream(SEED, (ADA, BEN))

    def faces(stream, throw):
        return roll(handful, source=stream.throw(throw)).outcome

    assert [faces(after, k) for k in (1, 2, 3)] == [faces(before, k) for k in (1, 2, 3)]
    assert all(faces(after, k) != faces(before, k) for k in (4, 5, 6))


@pytest.mark.parametrize(
    "other",
    [
        (),
        (Contribution("Ada", "tea and rain!"),),
        (Contribution("Adat", "ea and rain"),),
        (Contribution("Ada", "tea and rain", from_throw=2),),
        (ADA, ADA),
        (ADA, Contribution("Ben", "")),
    ],
)
def test_every_part_of_the_words_counts(other):
    one, two = SessionStream(SEED, (ADA,)).throw(5), SessionStream(SEED, other).throw(5)
    assert [one.below(2**256) for _ in range(2)] != [two.below(2**256) for _ in range(2)]


def test_the_order_of_the_words_counts():
    one, two = Contribution("Ada", "a"), Contribution("Ben", "b")
    forth, back = (SessionStream(SEED, words).throw(1) for words in ((one, two), (two, one)))
    assert forth.below(2**256) != back.below(2**256)


def test_values_beyond_the_last_full_multiple_are_rejected_not_folded():
    # Just above half of the range, about every second attempt is rejected: the bias of a plain
    # remainder would be plain to see, and the attempts can be followed one by one.
    n = 2**255 + 1
    attempts = 0
    for index in range(40):
        attempt = 0
        while True:
            at = encode("kitchentable/draw/1", 1, index, attempt)
            value = int.from_bytes(hmac.digest(SEED, at, "sha256"), "big")
            attempt += 1
            if value < n:
                break
        attempts += attempt
        assert draw(SEED, 1, index, n) == value
    assert attempts > 60


def test_a_die_of_one_side_and_the_widest_draw():
    assert draw(SEED, 1, 0, 1) == 0
    block = hmac.digest(SEED, encode("kitchentable/draw/1", 1, 0, 0), "sha256")
    assert draw(SEED, 1, 0, 2**256) == int.from_bytes(block, "big")


@pytest.mark.parametrize("n", [0, -1, 2**256 + 1])
def test_draws_among_nothing_or_too_much_are_refused(n):
    with pytest.raises(BadStream, match=r"1 to 2\*\*256"):
        draw(SEED, 1, 0, n)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: SessionStream(b"short"), "32 bytes, not 5"),
        (lambda: commit(bytes(33), "harvest", 1), "32 bytes, not 33"),
        (lambda: SessionStream(SEED).throw(0), "at least 1, not 0"),
        (lambda: Contribution("Ada", "tea", from_throw=0), "at least 1, not 0"),
        (lambda: Contribution("Ada", "t" * 1001), "at most 1,000 characters"),
        (lambda: Contribution("Ada", "\ud800"), "half a character"),
        (lambda: SessionStream(SEED, (BEN, ADA)), "order in which they were made"),
    ],
)
def test_what_no_stream_can_be_made_of_is_refused(make, says):
    with pytest.raises(BadStream, match=says) as refused:
        make()
    assert refused.value.code == "dice/bad-stream"


def test_the_seed_does_not_show_when_a_stream_is_printed():
    assert "seed" not in repr(SessionStream(SEED))
    assert SEED.hex() not in repr(SessionStream(SEED))


def test_rolling_dice_draw_once_for_each_physical_die_in_order():
    dice = RollingDice(SessionStream(SEED).throw(1))
    handful(dice)
    sides = [one.sides for one in dice.trace.throws]
    assert dice.trace.faces == faces_by_the_book(SEED, [], 1, sides)
