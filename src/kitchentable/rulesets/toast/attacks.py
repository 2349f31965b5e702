"""Attacks, wounds, and the fate of characters who go down."""

from __future__ import annotations

from kitchentable.rules import EVERYONE, GM, noun
from kitchentable.rules.kit import (
    Action,
    Form,
    given,
    likely_foe,
    may_act,
    needs,
    only_owner,
    pick,
    somebody,
    spend,
    text,
    tick,
)
from kitchentable.rulesets.toast.mechanics import Attack
from kitchentable.rulesets.toast.options import BOOK, NONE, Trait
from kitchentable.rulesets.toast.people import (
    DEAD,
    FALLEN,
    UNCONSCIOUS,
    At,
    Effort,
    Here,
    Person,
    awake,
    opponents,
    perk_of,
    role,
    toast,
    trait_of,
    what,
)
from kitchentable.rulesets.toast.rolls import ATTACK
from kitchentable.rulesets.toast.twists import twist_of_a_pair

# ---------------------------------------------------------------- the attack


def attack_traits(at: Here) -> list[Trait]:
    """The traits to attack with: Aim, Attack or their substitutes, and magic.

    toast.7.2-attack-trait. Magic follows the rules of other attacks (toast.10-magic-like-combat).
    """
    both = {role(at, "attack"), role(at, "aim")}
    found = [one for one in at.options.traits if one in both or one.magic]
    return [*found, NONE] if NONE in both or not found else found


def defense_trait(at: Here) -> Trait:
    """The trait to defend with: Defense, or the option's trait against magic.

    toast.10-magic-defense.
    """
    here = at.options
    against = here.traits.find(here.magic_defense) if at.form.trait.magic else None
    return against or role(at, "defense")


class AttackForm(Action):
    target = somebody(among=At.others, default=lambda at: likely_foe(at, opponents(at)))
    trait = trait_of(among=attack_traits)
    perk = perk_of()
    what = what
    defense_perk = perk_of(target, target.words("Perk of {}"))
    defense = trait_of(
        target,
        target.words("{} answers with"),
        among=lambda at: [*at.options.traits, NONE],
        default=lambda at: defense_trait(at).key,
    )
    helpless = pick(
        target.words("{} is not conscious. What of the attack?"),
        [
            ("rolls", "A defense roll, as ever"),
            ("hits", "It simply hits"),
            ("nothing", "Nothing comes of it"),
        ],
        when=lambda at: not at.form.target.is_awake,
    )
    surprise = tick()


@toast.move(
    "attack",
    when=(needs(At.others, "There is nobody to attack."), awake, may_act),
    rolls=True,
)
def attack(at: At[AttackForm]) -> None:
    form, target = at.form, at.form.target
    mine, theirs = (
        Effort(at, at.me, form.trait, form.perk),
        Effort(at, target, form.defense, form.defense_perk),
    )
    ruled = "rolls" if target.is_awake else form.helpless
    fell: Attack | None = None
    if ruled == "rolls":
        fell = at.roll(ATTACK(*mine.numbers, *theirs.numbers), {"attack": at.me, "defense": target})
    spend(at)
    at.say(form.what)
    if form.surprise:
        at.say("Unseen, and answered with a full roll all the same.")
    rules: tuple[str, ...] = ("toast.7.3-unconscious-target",)
    if fell is not None:
        mine.fell("attack", fell.attack)
        theirs.fell("defense", fell.defense)
        twist_of_a_pair(at, (at.me, target), (fell.attack, fell.defense))
        twins = (
            "toast.7.2-tie-miss"
            if isinstance(fell.attack, int)
            else "toast.7.2-double-special-miss"
        )
        rules = (twins if fell.attack == fell.defense else "toast.7.2-attack-contest",)
    else:
        at.say("No roll, by the GM's ruling: the target is not conscious.")
    title = mine.title(f" on {target.name}")
    if fell.hit if fell else ruled == "hits":
        sentence, more = wound(at, target, at.me)
        both = (*rules, *more)
        at.tell_as("hit", rules=both, of=(at.me, target), title=title, wound=sentence)
    else:
        at.tell_as("miss", rules=rules, of=(at.me, target), title=title)


# ---------------------------------------------------------------- a wound

#: Numbers of wounds in words.
COUNTS = BOOK.tables["counts"]["words"]


def wound(
    at: Here, target: Person, striker: Person | None = None, count: int = 1
) -> tuple[str, tuple[str, ...]]:
    """Add wounds, one per hit, up to the capacity, at which the target goes down.

    toast.7.3-hit-wound, toast.7.3-wound-cap.
    """
    most, taken = target.capacity, target.wounds + count
    target.wounds = min(most, taken)
    if taken < most:
        words = noun(count, f"{COUNTS[count]} wound")
        return wounds_of(at, target, words, f"{taken} of {most}"), ("toast.7.3-hit-wound",)
    return go_down(at, target, striker)


def wounds_of(at: Here, one: Person, words: str, count: object) -> str:
    """A sentence with a count of wounds; a closed character's count is a line for GMs alone."""
    if one.number_audience == EVERYONE:
        return f"{words}: {count}."
    at.say(f"Wounds: {count}.", GM)
    return f"{words}."


def refit(at: Here, target: Person, before: int, most: int) -> tuple[str, tuple[str, ...]]:
    """Limit the wounds to a new capacity; a target at the limit goes down.

    Characters at the capacity `before` who are awake through first aid stay awake. toast.7.3-down,
    toast.7.3-wound-cap, toast.7.4-importance-story.
    """
    taken = target.wounds
    if taken > most:
        target.wounds = most
    down = target.is_awake and most <= taken < before
    return go_down(at, target) if down else ("", ())


def go_down(at: Here, target: Person, striker: Person | None = None) -> tuple[str, tuple[str, ...]]:
    """Take a target out of the fight, and ask about the fate of an NPC.

    toast.7.3-down, toast.7.3-pc-unconscious, toast.7.3-npc-deadly, toast.7.3-npc-no-player-blow.
    """
    undecided, goes = target.condition == FALLEN, "goes" if target.is_awake else "stays"
    if at.fight:
        at.fight.fall(target)
    target.condition = UNCONSCIOUS if target.is_pc else FALLEN
    if target.is_pc:
        return f"{target.name} {goes} down: unconscious.", (
            "toast.7.3-down",
            "toast.7.3-pc-unconscious",
        )
    if not undecided:  # ask once for each target whose fate is undecided
        ask_fate(at, target, striker)
    return f"{target.name} {goes} down.", ("toast.7.3-down", "toast.7.3-npc-deadly")


def ask_fate(at: Here, target: Person, striker: Person | None) -> None:
    """Ask the players whether the force was deadly, or the GM if no player struck."""
    if striker is None or striker.owner not in players(at) or target.hidden:
        at.ask(fate, of=target, decides=GM, last="")
        return
    title, who = f"{target.name} is down: was that deadly force?", striker.owner
    words = f"{at.seat(who)} struck the last blow and has the final say."
    rules = ("toast.7.3-npc-deadly", "toast.7.3-final-blow")
    last = striker.name
    at.ask(fate, "players", title, words, of=target, rules=rules, decides=who, last=last)


def players(at: Here) -> set[str]:
    return {seat.id for seat in at.table.players()}


class FateForm(Form):
    decides = given("")
    answer = pick()


@toast.answer("fate")
def fate(at: At[FateForm]) -> None:
    """Decide the fate: by the last attacker, or all players if they left, or the GM."""
    ask, decides, answer, target = at.answered, at.form.decides, at.form.answer, at.me
    if decides != GM and at.is_gm:
        words = "The players decide whether that was deadly force, not the GM."
        at.refuse(words, "toast.7.3-npc-deadly")
    votes = {**ask.votes, at.actor.seat: answer}
    everybody = decides not in players(at) <= votes.keys()  # the attacker has left
    if decides in (GM, at.actor.seat) or (everybody and len(set(votes.values())) == 1):
        target.condition = DEAD if answer == "deadly" else UNCONSCIOUS
        at.tell_as(f"fate-{answer}", rules=ask.rules)
    elif everybody:
        at.keep_open(to=(GM,), preset={**ask.preset, "decides": GM}, votes=votes)
        at.tell_as("fate-differ", of=())
    else:
        at.keep_open(votes=votes)
        at.tell_as(f"fate-says-{answer}", seat=at.seat(), of=())


# ---------------------------------------------------------------- no death without a yes


def mortal(at: Here) -> list[Person]:
    return [one for one in at.present() if one.is_hero]


class DeathForm(Form):
    who = somebody(among=mortal)
    how = text(story=True)


@toast.move(
    "death",
    when=needs(mortal, "There is no player's character who could die."),
)
def death(at: At[DeathForm]) -> None:
    one, how = at.form.who, at.form.how
    at.ask(dies, "", "", how, of=one, how=how)
    at.tell_as("death", of=(one,), name=one.name)


class DiesForm(Form):
    how = given("")
    answer = pick()


_only_player = only_owner("Only the player of {} can answer that.")


@toast.answer("consent", when=lambda at: _only_player(at) if at.me.is_players else None)
def dies(at: At[DiesForm]) -> None:
    """Record the player's answer; characters without a player survive, whatever the GM says."""
    answer = at.form.answer if at.me.is_players else "no"
    if answer == "yes":
        at.me.condition = DEAD
        at.say(at.form.how)
        if at.fight:
            at.fight.fall(at.me)
    at.tell_as(f"dies-{answer}")
