"""No line that is accepted makes an event larger than pages and memory can bear."""

import asyncio

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.codec import encode
from kitchentable.campaign.errors import CannotBe
from kitchentable.dice.errors import BadInput
from tests.app.party import gather

LARGEST = 200_000
LABEL = "\u9b54" * 60

LINES = [
    *(f"{count}d{of}" for count in (900, 1000) for of in (2, 6, 10_000, "F")),
    *(f"{count}d2!" for count in (300, 333, 1000)),
    *(f"{count}d4!>=2" for count in (140, 250, 1000)),
    *(f"{count}d4rr<=3" for count in (140, 250, 1000)),
    *(f"{count}d4ro<=3!>=2" for count in (70, 80, 200)),
    *(f"{count}d10!kh3" for count in (800, 900, 1000)),
    *(f"{count}d6[{LABEL}]" for count in (300, 500, 1000)),
    *(f"{count}d6[{'x' * 60}]" for count in (900, 1000)),
    "{" + ",".join(["9d6!"] * 80) + "}kh1",
    "(1000d6)>=3500",
]


def sizes(commands):
    """What each command makes: the bytes of its event, or None where it is refused."""

    async def send():
        party = await gather()
        found = []
        for kind, parts in commands:
            try:
                found.append(len(encode(await party.do(kind, party.mara, **parts))))
            except BadInput:
                found.append(None)
        return found

    return asyncio.run(send())


def test_no_roll_makes_a_large_event():
    found = sizes([(c.RollNotation, {"notation": one}) for one in LINES])
    assert max(size for size in found if size is not None) <= LARGEST
    assert None in found
    assert found[LINES.index("1000d6")]


def test_rolls_in_one_line_are_counted_together():
    lines = [" ".join(["[[1000d2]]"] * 9), " ".join(["[[111d2]]"] * 9), "[[900d6]] [[101d6]]"]
    found = sizes([(c.Say, {"text": line}) for line in lines])
    assert (found[0], found[2]) == (None, None)
    assert found[1] <= LARGEST


def test_the_refusal_counts_the_dice():
    async def refused():
        party = await gather()
        await party.do(c.Say, party.mara, text=" ".join(["[[1000d2]]"] * 9))

    with pytest.raises(CannotBe, match=r"at most 1,000 dice; .* about 9,000"):
        asyncio.run(refused())


def test_words_make_no_large_event():
    (size,) = sizes([(c.Say, {"text": "\U0001f600" * 4_000})])
    assert size <= LARGEST
