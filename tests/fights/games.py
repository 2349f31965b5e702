"""Small games with fights: few faces, so that every person can be enumerated."""

from kitchentable.dice import mechanic
from kitchentable.rules.combat import Battle, Combatant, Fought


@mechanic
def turn(dice, mine):
    """A d4 and the first number; a 1 is no turn."""
    face = dice.die(4)
    return None if face == 1 else face + mine[0]


@mechanic
def again(dice, mine):
    return dice.die(3) + mine[0]


@mechanic
def hit(dice, mine, theirs):
    """Damage by the second number, where a d6 beats the third of the other."""
    return mine[1] if dice.die(6) > theirs[2] else 0


SKIRMISH = Fought(
    turn, again, hit, lambda theirs, health, damage: health - damage,
    lambda options, ours, theirs: battle(ours, theirs), "A skirmish.", (),
)  # fmt: skip


def battle(ours, theirs, *, anew=True):
    """Sides as words: SPEED/DAMAGE/DEFENCE/HEALTH."""
    people = []
    for side, words in (("ours", ours), ("theirs", theirs)):
        for word in words.split():
            *numbers, health = map(int, word.split("/"))
            people.append(Combatant(side, tuple(numbers), health))
    return Battle(tuple(people), anew=anew)
