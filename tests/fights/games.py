"""Small games with fights: few faces, so that every person can be enumerated."""

from dataclasses import replace

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


@mechanic
def grapple(dice, mine, my_health, theirs, health):
    """A hit as above, harder for the wounded; a 1 costs the one who acts a health."""
    face = dice.die(6)
    return my_health - (face == 1), health - mine[1] * (face - (my_health < 2) > theirs[2])


BRAWL = replace(SKIRMISH, clash=grapple, again=None)


def hamper(numbers, health):
    """The numbers of the wounded, who act later and are easier to hit."""
    speed, damage, defence = numbers
    return (speed - (health < 2), damage, defence - (health < 2))


HAMPERED = replace(SKIRMISH, now=hamper)


def battle(ours, theirs, *, anew=True):
    """Sides as words: SPEED/DAMAGE/DEFENCE/HEALTH."""
    people = []
    for side, words in (("ours", ours), ("theirs", theirs)):
        for word in words.split():
            *numbers, health = map(int, word.split("/"))
            people.append(Combatant(side, tuple(numbers), health))
    return Battle(tuple(people), anew=anew)
