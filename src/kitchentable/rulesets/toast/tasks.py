"""Tasks against a difficulty, and contests against other characters."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import EVERYONE, GM, listed, or_better
from kitchentable.rules.kit import (
    Each,
    Form,
    FormOf,
    Input,
    MaybeAction,
    Problems,
    Row,
    Rows,
    given,
    given_somebody,
    needs,
    number,
    pick,
    several,
    somebody,
    spend,
)
from kitchentable.rules.kit import text as words
from kitchentable.rulesets.toast.fights import Fight
from kitchentable.rulesets.toast.mechanics import worth
from kitchentable.rulesets.toast.options import BOOK, problem
from kitchentable.rulesets.toast.people import (
    At,
    Effort,
    Here,
    Person,
    awake,
    opponents,
    perk_of,
    toast,
    trait_of,
    what,
)  # fmt: skip
from kitchentable.rulesets.toast.rolls import CONTEST, LADDER, MEDIUM, OF_MANY, TASK
from kitchentable.rulesets.toast.twists import OCCASIONS, of_a_pair, tell_twist, twist_of_a_pair

CUSTOM = "custom"


# ---------------------------------------------------------------- tasks


class TaskForm(MaybeAction):
    what = what
    trait = trait_of()
    perk = perk_of()
    difficulty = pick(
        choices=lambda at: (
            [(key, f"{name} {at.options[key]}") for key, name in LADDER.items()]
            + [(CUSTOM, "A number of its own")]
        ),
        default=MEDIUM,
        hidden=lambda at: at.options.difficulty_shown != "before",
    )
    number = number(
        when=difficulty.equals(CUSTOM),
        hidden=lambda at: (
            at.options.difficulty_shown != "before" or "difficulty" in at.actor.hidden
        ),
    )


#: The sentence, tone and rules of each grade.
GRADES = BOOK.by_key("grade")


@toast.move("task", when=awake, rolls=True)
def task(at: At[TaskForm]) -> None:
    """Roll a trait against a difficulty of the table's ladder, or the GM's number.

    toast.5.1-tune-before.
    """
    form, mine = at.form, Effort(at, at.me, at.form.trait, at.form.perk)
    step = form.difficulty
    number = form.number if step == CUSTOM else at.options[step]
    fell = at.roll(TASK(*mine.numbers, number), {"roll": at.me}, in_words(number - mine.bonus))
    spend(at)
    mine.fell("roll", fell.announced)
    at.say(form.what)
    hidden = at.actor.hidden & {"difficulty", "number"} and at.options.difficulty_shown != "after"
    against = f"Against {LADDER.get(step, 'a number of its own')}, {number}."
    at.say(against, GM if hidden else EVERYONE)
    grade = GRADES[fell.grade]
    perk = ("toast.4-perk-bonus",) if mine.perk else ()
    rules = ("toast.5-total", *grade["rules"], *perk)
    at.tell(mine.title(), grade["sentence"], fell.grade, grade["tone"], rules)
    if fell.total is None:
        tell_twist(at, fell.grade, at.me)


def in_words(needed: int) -> str:
    """The odds of a task in words: the successful faces.

    >>> in_words(5), in_words(8)
    ('A 5 or better, or a kick.', 'An 8 or better, or a kick.')
    """
    if needed <= 1:
        return "Anything but a flub."
    if needed > 10:
        return "Only a kick."
    if needed == 10:
        return "A 10 or a kick."
    return f"{or_better(needed).capitalize()}, or a kick."


# ---------------------------------------------------------------- contests


class ContestForm(MaybeAction):
    other = somebody(among=opponents, only=True)
    what = what
    trait = trait_of()
    perk = perk_of()
    other_trait = trait_of(other, other.words("Trait of {}"), default=trait.given)
    other_perk = perk_of(other, other.words("Perk of {}"))


@toast.move(
    "contest",
    when=(awake, needs(opponents, "There is nobody to contend with.")),
    rolls=True,
)
def contest(at: At[ContestForm]) -> None:
    contend(at, at.me, at.form.other)


def contend(at: Here, first: Person, second: Person, *tied: Row) -> None:
    """Roll a contest, show both throws, and ask about a special result or a tie.

    `tied` holds the traits and perks of earlier tied rolls; using them again is not noted again
    (toast.8.2-note).
    """
    form = at.form
    mine = Effort(at, first, form.trait, form.perk)
    theirs = Effort(at, second, form.other_trait, form.other_perk)
    sides = (first, second)
    throw = CONTEST(*mine.numbers, *theirs.numbers)
    fell = at.roll(throw, {"first": first, "second": second})
    if not tied:
        spend(at)
        at.say(form.what)
    mine.fell("first", fell.first, note=_is_new(tied, mine))
    theirs.fell("second", fell.second, note=_is_new(tied, theirs, "other_"))
    occasion = of_a_pair(fell.first, fell.second)
    if occasion == "spectacle":
        at.say("Spectacular: a flub against a kick.")
    rule = "toast.5.2-contest-tie" if fell.winner == "tie" else "toast.5.2-contest-higher"
    at.tell_as(
        f"contest-{fell.winner}",
        rules=OCCASIONS[occasion]["contest"] if occasion else (rule,),
        of=sides,
        title=mine.title(f" against {second.name}"),
        one=first.name,
        other=second.name,
    )
    twist_of_a_pair(at, sides, (fell.first, fell.second))
    if fell.winner == "tie":
        roll = {key: at.answers.get(key) for key in ("trait", "perk", "other_trait", "other_perk")}
        facts: Row = {"first": first.id, "second": second.id, "about": at.number, "roll": roll}
        if tied:
            facts["before"] = list(tied)
        at.ask(tie, "", f"A tie: {first.name} against {second.name}", of=first, **facts)


def _is_new(tied: Iterable[Row], side: Effort, prefix: str = "") -> bool:
    """Whether a side uses another trait or perk than in all earlier tied rolls."""
    before = [(one.get(f"{prefix}trait"), one.get(f"{prefix}perk") or "") for one in tied]
    return (side.trait.key, side.perk) not in before


# ---------------------------------------------------------------- a tie


def _same(key: str) -> Row:
    """The values of the first roll, as defaults for the GM."""
    return {
        "when": lambda at: at.form.ruling == "reroll",
        "default": lambda at: at.form.roll.get(key),
    }


class TieForm(Form):
    first: Input[Person] = given_somebody()
    second: Input[Person] = given_somebody()
    about = given(0)
    roll: Input[Row] = given({})
    before: Input[Rows] = given([])
    ruling = pick(
        choices=lambda at: [
            ("reroll", "Another roll"),
            ("first", f"{at.form.first.name} wins after all"),
            ("second", f"{at.form.second.name} wins after all"),
            ("else", "Something else"),
        ]
    )
    note = words(story=True, required=lambda at: at.form.ruling == "else")
    trait = trait_of(first, first.words("Trait of {}"), **_same("trait"))
    perk = perk_of(first, first.words("Perk of {}"), **_same("perk"))
    other_trait = trait_of(second, second.words("Trait of {}"), **_same("other_trait"))
    other_perk = perk_of(second, second.words("Perk of {}"), **_same("other_perk"))

    def problems(self) -> Problems:
        if self.ruling == "else" and not self.note:
            yield problem("nothing-else")


@toast.answer("tie", rolls=True)
def tie(at: At[TieForm]) -> None:
    first, second = at.form.first, at.form.second
    if at.form.ruling == "reroll":
        contend(at, first, second, *at.form.before, at.form.roll)
        return
    at.say(at.form.note)
    names = {"one": first.name, "other": second.name}
    at.tell_as(f"tie-{at.form.ruling}", of=(first, second), about=at.form.about, **names)


# ---------------------------------------------------------------- three sides and more


#: The questions about each of many sides, with the name.
_NAMED = {"trait": "Trait of {}", "perk": "Perk of {}"}


class OneOfMany(Form):
    trait = trait_of(needs_yes=False)
    perk = perk_of()


class ManyForm(Form):
    who = several(among=Fight.able)
    sides = Each(
        lambda at: [(one.id, one) for one in at.form.who],
        lambda one: FormOf(OneOfMany, lambda at: one, suffix=f".{one.id}", named=_NAMED),
    )

    def problems(self) -> Problems:
        if len(self.who) < 3:
            yield problem("two")


@toast.move(
    "free_for_all",
    when=needs(Fight.able, "That takes three who can act.", 3),
    rolls=True,
)
def free_for_all(at: At[ManyForm]) -> None:
    who, said = at.form.who, at.form.sides
    sides = [Effort(at, one, said[one.id].trait, said[one.id].perk) for one in who]
    throw = OF_MANY(tuple((one.one.id, *one.numbers) for one in sides))
    outcome = at.roll(throw, {one.id: one for one in who})
    most = max(map(worth, outcome))
    best = [one.name for one, fell in zip(who, outcome, strict=True) if worth(fell) == most]
    won = len(best) == 1
    at.say(f"Traits: {', '.join(one.trait.name for one in sides)}.")
    at.say("" if won else "The GM says what the tie means.")
    for one, fell in zip(sides, outcome, strict=True):
        one.fell(one.one.id, fell)
        if not isinstance(fell, int):
            tell_twist(at, fell.value, one.one)
    audience = GM if any(one.hidden for one in who) else EVERYONE
    key = "many-won" if won else "many-equal"
    at.tell_as(key, of=(), audience=audience, names=listed(best))
