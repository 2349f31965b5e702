"""The attack: agreed on in a conversation, thrown as one, told step by step."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kitchentable.dice import odds, told
from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Band,
    Card,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat import lucky, stances
from kitchentable.rulesets.toaster.combat.asking import attack_fields, luck_problems, targets
from kitchentable.rulesets.toaster.combat.beside import may_act
from kitchentable.rulesets.toaster.combat.keeping import waits
from kitchentable.rulesets.toaster.combat.reckoning import (
    Case,
    attacker_of,
    classes_of,
    defender_of,
    read_case,
    rules_of,
    ways_of,
)
from kitchentable.rulesets.toaster.combat.telling import audiences, result
from kitchentable.rulesets.toaster.harm.state import changed
from kitchentable.rulesets.toaster.mechanics.attack import (
    MOST_TOLD,
    NOTHING,
    STUNNED,
    Attack,
    attack,
)
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    ATTACK,
    DAMAGE,
    DEFENSE,
    FUMBLED,
    MISSED,
    PROTECTION,
    Attacker,
    AttackRoll,
    Defender,
    Rules,
    ToHit,
)

#: The highest face of a d10*.
HIGHEST = 9

#: What an attack can come to, worst for the attacker first.
BANDS = (
    Band(FUMBLED, "fumble", "bad"),
    Band(MISSED, "miss", "bad"),
    Band(NOTHING, "a hit without damage", "plain", good=True),
    Band(STUNNED, "stun, no wound", "good", good=True),
    *(
        Band(
            str(n),
            "1 wound" if n == 1 else f"{n} wounds" if n < MOST_TOLD else f"{n} wounds or more",
            "good" if n < MOST_TOLD else "splendid",
            good=True,
        )
        for n in range(1, MOST_TOLD + 1)
    ),
)


def bands_for(
    attacker: Attacker, defender: Defender, classes: Classes, rules: Rules, ways: Ways
) -> tuple[Band, ...]:
    """What this attack could come to at all: no fumble where nothing makes one, and no more wounds
    than the best damage roll against the worst protection does.

    >>> from kitchentable.rulesets.toaster.mechanics.damage import BOOK_WAYS
    >>> from kitchentable.rulesets.toaster.mechanics.to_hit import BOOK
    >>> saber = Classes(wc=6, ac=2, bare=2)
    >>> [band.key for band in bands_for(Attacker(7, 3), Defender(3), saber, BOOK, BOOK_WAYS)]
    ['miss', 'nothing', 'stun', '1', '2']
    """
    fumbles = rules.bands or rules.ext.zeros
    endless = rules.ext.nines or ways.damage.nines
    most = MOST_TOLD
    if not (endless or ways.add_margin or ways.critical or ways.fumbled):
        weakest = min([classes.ac, *(ac for _, ac in classes.places)]) + min(0, classes.piercing)
        damage = classes.wc + HIGHEST + max(0, classes.bonus) - weakest
        most = damage // classes.threshold - int(classes.unarmed)
    return tuple(
        band
        for band in BANDS
        if (band.key != FUMBLED or fumbles) and not (band.key.isdigit() and int(band.key) > most)
    )


def in_a_word(outcome: Attack) -> str:
    """What an attack comes to, the key of its band."""
    return outcome.word


def sentence(shares: Mapping[str, Fraction]) -> str:
    """The odds in words: how often it hits, and how often it wounds.

    >>> sentence({"miss": Fraction(11, 20), "stun": Fraction(3, 10), "1": Fraction(3, 20)})
    'Hits in 45 %, wounds in 15 %.'
    """
    lost = shares.get(FUMBLED, Fraction(0)) + shares.get(MISSED, Fraction(0))
    wounds = sum((shares.get(str(n), Fraction(0)) for n in range(1, MOST_TOLD + 1)), Fraction(0))
    return f"Hits in {_percent(1 - lost)}, wounds in {_percent(wounds)}."


def _percent(share: Fraction) -> str:
    hundred = share * 100
    if 0 < hundred < 1:
        return "less than 1 %"
    if 99 < hundred < 100:
        return "more than 99 %"
    return f"{round(hundred)} %"


def closed_labels(table: Table, case: Case, actor: Actor) -> tuple[str, ...]:
    """The throws that only the GM may see."""
    seen = audiences(table, case, actor.hidden)
    mine = (ATTACK, DAMAGE) if seen.attack == GM else ()
    theirs = (DEFENSE, PROTECTION) if seen.defence == GM else ()
    return (*mine, *theirs)


def known_case(table: Table, actor: Actor, answers: Answers) -> Case | None:
    """The attack, where all its numbers are there; on a concealed table some may not be."""
    case = read_case(table, lens.whom(table, actor.entity), answers)
    if case is None:
        return None
    known = lens.numbers_known(case.attacker) and lens.numbers_known(case.target)
    return case if known else None


def arguments(table: Table, case: Case) -> tuple[Any, ...]:
    """The arguments of the attack."""
    return (
        attacker_of(table, case),
        defender_of(table, case),
        classes_of(table, case),
        rules_of(table),
        ways_of(table, case.target),
    )


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    case = known_case(table, actor, answers)
    if case is None:
        return None
    numbers, closed = arguments(table, case), closed_labels(table, case, actor)
    if lucky.who_may_spend(table, case):

        def in_all(shares: Mapping[str, Fraction]) -> str:
            return f"If nobody adds luck: {_shares(numbers)}"

        return lucky.first_question(table, case, closed, in_all)
    return Question(attack, numbers, bands_for(*numbers), in_a_word, closed, sentence)


def _shares(numbers: tuple[Any, ...]) -> str:
    """The odds of a whole attack in words, where only its first dice are thrown now."""
    said = sentence(dict(odds(told(attack, in_a_word), *numbers).items()))
    return said[0].lower() + said[1:]


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    attacker = lens.whom(table, actor.entity)
    reason = may_act(table, actor)
    if reason:
        return (Problem("", "toaster.4.actions-two", reason),)
    if attacker is None:
        return ()
    if read_case(table, attacker, answers) is None and answers.get("target"):
        return (Problem("arm", "toaster.4.attack-roll", "That weapon is not at hand."),)
    return luck_problems(table, attacker, answers)


def _consequences(
    table: Table, actor: Actor, answers: Answers, outcome: Attack | AttackRoll | ToHit
) -> Result:
    case = read_case(table, table.entities[actor.entity], answers)
    if case is None:
        return Result()
    if not isinstance(outcome, Attack):
        return lucky.stop(table, actor, case, outcome)
    return result(table, actor, case, outcome)


def when_attack(table: Table, actor: Actor) -> str | None:
    """Why this is no time for an attack."""
    entity = lens.whom(table, actor.entity)
    if not targets(table, actor):
        return "Nobody is there to attack."
    if entity is not None and stances.gives_up(entity, stances.ATTACK):
        left = lens.plural(whole(stances.all_out(entity).get("left")), "more action")
        return f"{entity.name} has given up attacking for {left}."
    if entity is not None and waits(table, entity.id):
        return f"An attack of {entity.name}'s still waits for luck."
    return may_act(table, actor)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return attack_fields(table, actor, answers)


ATTACK_MOVE = Move(
    "attack",
    "Attack",
    "Attack, defence, damage, protection: five steps from the swing to the wound.",
    ("toaster.4.attack-five-steps", "toaster.4.attack-roll", "toaster.4.defence-h2h"),
    _consequences,
    place="fight",
    when=when_attack,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
    examples=({"target": "thug-1"}, {"target": "voss", "arm": "kick", "defence": "dodge"}),
)

# ---------------------------------------------------------------- what a fumble costs


def _fumble_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    rule = "toaster.4.attack-fumble-penalty"
    return (
        Field("attack", "Off the next attack", "number", default=0, low=0, high=20, rule=rule),
        Field("defence", "Off the next defence", "number", default=0, low=0, high=20, rule=rule),
        Field("what", "What happens?", "story", required=False, default="", rule=rule),
    )


def _fumbles(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    entity = table.entities[ask.entity]
    attack, defence = whole(answers.get("attack")), whole(answers.get("defence"))
    after = stances.with_carried(entity, stances.ATTACK, "after the fumble", -attack)
    after = stances.with_carried(after, stances.DEFENCE, "after the fumble", -defence)
    words = [str(answers["what"])] if answers.get("what") else []
    words += [f"-{attack} on the next attack."] if attack else []
    words += [f"-{defence} on the next defence."] if defence else []
    card = Card(
        f"{entity.name}'s fumble",
        " ".join(words) or "Nothing more comes of it.",
        tone="bad",
        lines=(Line("By the GM's ruling."),),
        rules=("toaster.4.attack-fumble-penalty",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changed(entity, after), closes=(ask.id,))


FUMBLE = Move(
    "fumble",
    "What a fumbled attack costs",
    "A harder next attack or defence, or whatever you make of it.",
    ("toaster.4.attack-fumble-penalty",),
    _fumbles,
    by=(),
    fields=_fumble_fields,
    for_entity=False,
)

MOVES = (ATTACK_MOVE, *lucky.MOVES, FUMBLE)
