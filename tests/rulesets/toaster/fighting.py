"""Fighting in a test: fighters in a line, an attack with loaded dice, an order of acting."""

from typing import Any

from kitchentable.rulesets.toaster.mechanics.to_hit import AttackRoll, ToHit
from tests.rulesets.driver import GM, Evening
from tests.rulesets.toaster import people
from tests.rulesets.toaster.people import foe, hero, sheet

SWORD, KNIFE, BOW = "weapon-skill:Sword", "weapon-skill:Knife", "weapon-skill:Bow"
#: A typed-in 0 is the face that shows it.
ZERO = 0


def fighter(
    attributes: tuple[int, ...] = (4, 4, 4, 4), weapons: tuple[Any, ...] = ("saber",), **more: Any
) -> dict[str, Any]:
    """A sheet whose skills are given by rank over attributes of 4: sword=6, dodge=5 ..."""
    named = {"sword": SWORD, "knife": KNIFE, "bow": BOW, "martial": "martial-arts"}
    named |= {"club": "weapon-skill:Club", "shield_skill": "weapon-skill:Shield"}
    named |= {"spear": "weapon-skill:Spear", "handgun": "weapon-skill:Handgun"}
    named |= {one: one for one in ("dodge", "brawl", "throw")}
    ranks = {key: more.pop(name) for name, key in named.items() if name in more}
    bases = {key: 2 * rank - attributes[1] for key, rank in ranks.items()}
    assert all(0 <= base <= 20 for base in bases.values()), bases
    return sheet(attributes, bases, weapons=weapons, **more)


def pair(one: Evening, mine: dict | None = None, theirs: dict | None = None) -> tuple[str, str]:
    """Ana's character, with Sword 6, and an open foe of the GM's with Dodge 5."""
    return (
        hero(one, "ana", mine or fighter(sword=6)),
        foe(one, theirs or fighter(weapons=(), dodge=5), open=True),
    )


#: Questions of an attack that are the GM's, and those of the defender's owner.
GMS = {"distance", "ward", "bare", "missile_parry", "blast", "modifiers", "area", "length"}
GMS |= {"prone_attack", "prone_defence"}
THEIRS = {"defence", "defence_specialty", "defence_stance", "defence_luck", "defence_called"}
THEIRS |= {"protection_called"}


def evening(**options: Any) -> Evening:
    """A table at which the GM has a word in every roll."""
    return people.evening(settings={"gm_confirms": "each"}, **options)


def strike(
    one: Evening, who: str, whom: str, faces: tuple, seat: str = "ana", **answers: Any
) -> dict[str, Any]:
    """An attack through its whole conversation, each question answered by whose it is; the card."""
    gm = {key: value for key, value in answers.items() if key in GMS}
    theirs = {key: value for key, value in answers.items() if key in THEIRS}
    own = {key: value for key, value in answers.items() if key not in GMS | THEIRS}
    return one.roll(seat, "attack", who, faces, gm=gm, theirs=theirs, target=whom, **own)


def side(card: dict[str, Any], label: str) -> dict[str, Any]:
    """One side of a card: "attack", "defence", "damage", "protection"."""
    return next(one for one in card["sides"] if one["label"] == label)


def total(card: dict[str, Any], label: str) -> int:
    """What a side came to."""
    return side(card, label)["total"]


def parts(card: dict[str, Any], label: str) -> dict[str, int]:
    """What was added on a side, by name."""
    return dict(side(card, label)["parts"])


def field(one: Evening, name: str, who: str, whom: str, seat: str = "ana", **answers: Any) -> Any:
    """A question of an attack as it stands with these answers; None where it is not asked."""
    given = {"target": whom, **answers}
    fields = one.named("attack").fields(one.table, one.actor(seat, who), given)
    return next((each for each in fields if each.name == name), None)


def choices(one: Evening, name: str, who: str, whom: str, **answers: Any) -> list[str]:
    """What can be picked in a question of an attack."""
    return [choice.value for choice in field(one, name, who, whom, **answers).choices]


def begin(one: Evening, *dice: int) -> None:
    """A fight of everybody, with these faces for initiative in the order they came."""
    one.move(GM, "fight")
    one.move(GM, "initiative_all", "", dice)


def fight(one: Evening) -> Any:
    """The facts of the fight."""
    return one.table.fight


def turn(one: Evening) -> str:
    """Whose turn it is."""
    return fight(one)["turn"]


def left(one: Evening, who: str) -> int:
    """Actions left."""
    return fight(one)["fighters"][who]["left"]


def act(one: Evening, seat: str, who: str, counts: str = "action", **more: Any) -> dict[str, Any]:
    """Something without dice, said and agreed."""
    return one.roll(seat, "act", who, (), what="Something.", counts=counts, **more)


def landed(band: str = "") -> ToHit:
    """An attack that has landed, of which the damage rolls are still to come."""
    return ToHit("hit", AttackRoll(5, 12, True), None, 5, band)
