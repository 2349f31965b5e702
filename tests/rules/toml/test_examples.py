"""The games in examples/: each keeps the contract, and its page of odds holds by brute force."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from kitchentable.app.conformance import check_game
from kitchentable.campaign import commands as c
from kitchentable.dice import SeededSource, odds, told
from kitchentable.rules.folders import read_folder
from kitchentable.rules.toml.dicework import result_of
from tests.rulesets.driver import GM, open_evening

EXAMPLES = Path(__file__).parents[3] / "examples"
KINDS = ("karma", "number", "playbooks", "position", "pushing")
GAMES = {kind: read_folder(EXAMPLES / kind) for kind in KINDS}
each = pytest.mark.parametrize("kind", KINDS)

D6 = range(1, 7)


def share(results) -> dict[str, Fraction]:
    """The chance of each result, of outcomes that are equally likely."""
    counted = Counter(results)
    return {one: Fraction(many, counted.total()) for one, many in counted.items()}


def d6(many):
    return product(D6, repeat=many)


# ---------------------------------------------------------------- brute force, roll by roll


def saltwick(total):
    return "full" if total >= 10 else "partial" if total >= 7 else "miss"


def dare(trait, edge=0, slip=0):
    first = slip
    dice = 2 + edge + slip
    return share(saltwick(sum(sorted(f)[-2 - first :][:2]) + trait) for f in d6(dice))


def blow(salt):
    return share(saltwick(sum(faces) + salt) for faces in d6(2))


def act(trait, push=0, assist=0):
    def result(faces):
        best = max(faces) if many else min(faces)
        if many and faces.count(6) >= 2:
            return "critical"
        return "full" if best == 6 else "partial" if best >= 4 else "bad"

    many = trait + push + assist
    return share(result(faces) for faces in d6(many or 2))


def resist(trait):
    best = max if trait else min
    return share("calm" if best(f) == 6 else "strained" for f in d6(trait or 2))


def cross(limbs, trek, gear=0, sure=0):
    def result(faces):
        sixes = faces.count(6) + sure
        return "far" if sixes >= 3 else "through" if sixes else "stuck"

    return share(result(faces) for faces in d6(limbs + trek + gear))


def omen(wits, heart):
    def result(faces):
        alike = max(Counter(faces).values())
        return "loud" if alike >= 3 else "said" if alike == 2 else "silent"

    return share(result(faces) for faces in d6(wits + heart))


def fire(num, ready=0, helped=0):
    def result(faces):
        hits = sum(face < num for face in faces)
        return "blaze" if hits >= 2 else "burn" if hits else "smoke"

    return share(result(faces) for faces in d6(1 + ready + helped))


def talk(num):
    return share("insight" if f == num else "charmed" if f > num else "stare" for f in D6)


def help_out(trait, against, karma_spent=0):
    def result(total):
        over = total + 2 * karma_spent - against
        return "thanked" if over >= 4 else "done" if over >= 0 else "dented"

    return share(result(sum(faces)) for faces in d6(min(3, max(1, trait))))


def clash(arms, other_trait):
    pairs = ((a + b + arms, c + d + other_trait) for a, b, c, d in d6(4))
    return share("dents" if ours > theirs else "dented" for ours, theirs in pairs if ours != theirs)


BRUTE = {one.__name__: one for one in (
    dare, blow, act, resist, cross, omen, fire, talk, help_out, clash,
)}  # fmt: skip


def page_of(kind):
    """The page of odds: the roll and its numbers -> the chance of each result."""
    found = {}
    for line in (EXAMPLES / kind / "odds.md").read_text("utf-8").splitlines():
        row = re.fullmatch(r"\| `(\w+)` \| ([^|]*) \| (\w+) \| (\d+)(?:/(\d+))? \|", line)
        if row:
            named = tuple(
                (name, int(value)) for name, value in re.findall(r"(\w+)=(-?\d+)", row[2])
            )
            chance = Fraction(int(row[4]), int(row[5] or 1))
            found.setdefault((row[1], named), {})[row[3]] = chance
    return found


@each
def test_it_keeps_the_contract_with_its_evening_and_examples(kind, few_throws):
    assert check_game(GAMES[kind], SeededSource(5)) == ()


@each
def test_its_page_of_odds_holds(kind):
    page, game = page_of(kind), GAMES[kind]
    assert {roll for roll, _ in page} == {name for name in game.rolls if name in BRUTE}
    for (roll, named), chances in page.items():
        assert sum(chances.values()) == 1
        assert BRUTE[roll](**dict(named)) == {one: of for one, of in chances.items() if of}
        rolled = game.rolls[roll]
        arguments = rolled.arguments(game.defaults(), **dict(named))
        solved = odds(told(rolled.mechanic, result_of), *arguments)
        assert dict(solved) == {one: of for one, of in chances.items() if of}


def test_each_kind_has_every_part_that_is_its_own():
    texts = {kind: (EXAMPLES / kind / "game.toml").read_text("utf-8") for kind in KINDS}
    for kind, parts in {
        "playbooks": ("[[playbook]]", "choices =", "picked =", "costs = { hold", "[[track]]"),
        "position": ("none = ", "needs =", 'uses = ["craft", "company"]', "costs = { stress"),
        "pushing": ("[roll.again]", "equals = true", "of = ", "costs = { grit"),
        "number": ("exact = 0", "[[table]]", "hits<="),
        "karma": ("costs = { karma", 'keep = "sum"', "[[roll.difficulty]]"),
    }.items():
        assert [part for part in parts if part not in texts[kind]] == []


def test_what_is_thrown_again_has_its_own_odds_and_its_price():
    game = GAMES["pushing"]
    one = open_evening(game, ("ada",))
    levels = {"limbs": 4, "wits": 2, "heart": 2, "trek": 2, "hunt": 1, "comfort": 1}
    made = {"kind": "character", "name": "Sula", "owner": "ada"}
    from_gm = one.do(GM, c.MakeEntity, **made, sheet={"traits": levels, "lists": {}, "texts": {}})
    sula = from_gm.data["entity"]
    one.roll("ada", "cross", sula, (1, 2, 3, 4, 6, 5, 1, 3, 5))
    (card,) = one.asks("cross-paused")
    paused = game.move("cross-paused")
    actor = one.actor("ada", sula)
    question = paused.question(
        one.table, replace(actor, ask=card.id), {"push": True, **card.preset}
    )
    # A six lies there; of six dice at least two more have to show a six, or fall short of it.
    assert dict(question.solve()) == share(
        "far" if faces.count(6) >= 2 else "through" for faces in d6(6)
    )
    one.answer("ada", card, (6, 6, 1, 2, 1, 1), push=True)
    state = one.entity(sula).state["tracks"]
    # Two ones on red and three on black: frost and grit by the red ones, gear by the black.
    assert state == {"frost": 2, "gear": 0, "grit": 2}


def test_a_colour_of_which_all_dice_lie_still_is_not_thrown_again():
    one = open_evening(GAMES["pushing"], ("ada",))
    levels = {"limbs": 4, "wits": 2, "heart": 2, "trek": 2, "hunt": 1, "comfort": 1}
    made = {"kind": "character", "name": "Sula", "owner": "ada"}
    from_gm = one.do(GM, c.MakeEntity, **made, sheet={"traits": levels, "lists": {}, "texts": {}})
    one.roll("ada", "cross", from_gm.data["entity"], (1, 2, 3, 4, 6, 1, 1, 3, 5))
    one.answer("ada", one.ask("cross-paused"), (6, 6, 2, 2, 1), push=True)
    assert [side["name"] for side in one.card["sides"]] == ["Sula", "Sula, black"]
