"""Luck and called 4s before a throw, and luck on a roll already made.

The owner of a roll may add points to it, or throw the die again. A move calls `wait` before it
settles a roll. If nobody has points that could help, the move settles the roll immediately.
Otherwise a card waits with the roll as plain facts. A function declared with `lucky` settles the
roll after the last answer. All waiting rolls of Toaster work this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, Generic, TypeAlias, TypeVar

from kitchentable.rules import GM, Choice, Json, Move, Part, fresh, plural, total, worth
from kitchentable.rules.kit import Form, Input, Unknown, Values, number, pick, tick
from kitchentable.rules.kit.outcomes import write_outcome
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import Facts, Parts, Record, Row, Words
from kitchentable.rulesets.toaster.mechanics.healing import Fate
from kitchentable.rulesets.toaster.mechanics.stars import CALLED
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, outcome_of
from kitchentable.rulesets.toaster.options import ACTION
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

#: The price of throwing the die again (toaster.3.luck-reroll).
AGAIN = 4
#: The bonus of a point before a throw, and after it (toaster.3.luck-before-plus2,
#: toaster.3.luck-after-plus1).
BEFORE, AFTER = 2, 1
STAND, ADD, THROW_AGAIN = "stand", "add", "again"
_RULES = (
    "toaster.3.luck-after-plus1",
    "toaster.3.luck-reroll",
    "toaster.3.luck-limits",
    "toaster.3.luck-mixing",
)


def luck_before(
    label: Any = "", who: Any = lambda at: at.me, when: Any = lambda at: True
) -> Input[int]:
    """A question for the luck points to put on a roll before the throw."""
    return number(
        label,
        when=lambda at: when(at) and who(at).luck_points,
        default=0,
        low=0,
        high=lambda at: who(at).luck_points,
        required=False,
        help=lambda at: f"+{BEFORE} for each; {who(at).luck_points} left.",
        rule="toaster.3.luck-before-plus2",
    )


def call_four(label: Any = "", scope: str = ACTION, when: Any = lambda at: True) -> Input[bool]:
    """A question whether to call a 4, if the table allows that for this roll."""
    return tick(
        label,
        when=lambda at: at.options.may_call(scope) and when(at),
        rule="toaster.3.call4-before",
    )


def called_part(said: bool) -> Parts:
    """The part of a roll with a called 4."""
    return worth(Part("a called 4", CALLED * said))


@record
class Waiting:
    """A waiting roll: the facts of its card.

    `roll` holds public facts, `kept` those for the GM only (a hidden difficulty), both as plain
    data of the waiting move. `queue` lists the characters who may still spend, in order. `added` is
    the bonus of luck by character, `used` all points spent on this attempt, `no_again` those
    without a die to throw again, `spoilt` those with a 0, which points cannot improve, `stood`
    those who let the roll stand. `about` is the number of the event with the dice.
    """

    title: str
    text: str = ""
    roll: Values = field(default_factory=dict)
    kept: Values = field(default_factory=dict)
    queue: Words = ()
    added: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    no_again: Words = ()
    spoilt: Words = ()
    stood: Words = ()
    about: int = 0

    @property
    def facts(self) -> Any:
        """The facts of the roll. Errors: Unknown, for seats from which the GM keeps them."""
        if not (self.kept or self.roll):
            raise Unknown("The GM keeps this roll.")
        return self.kept or self.roll

    def with_facts(self, plain: Values, *, is_kept: bool | None = None) -> Waiting:
        """Replace the facts of the roll; by default as secret as before."""
        kept = bool(self.kept) if is_kept is None else is_kept
        return replace(self, roll={} if kept else plain, kept=plain if kept else {})

    def plain(self) -> Any:
        """The facts of the card."""
        return write_outcome(self)


def read_waiting(plain: Record) -> Waiting:
    """Read a waiting roll from its card. Errors: Unknown, if the seat may not see it.

    >>> one = Waiting("Climb", queue=("ada",))
    >>> read_waiting(one.plain()) == one
    True
    """
    if "title" not in plain:
        raise Unknown("You may not see the roll on this card.")
    names = {one.name for one in fields(Waiting)}
    known: Row = {
        key: tuple(one) if isinstance(one, list) else one
        for key, one in plain.items()
        if key in names
    }
    return Waiting(**known)


Settle = Callable[[At["LuckForm"], Waiting], None]
#: Throws a die again with `at.roll`, and replaces the first outcome.
Again = Callable[[At["LuckForm"], Waiting], Waiting]
#: Changes the queue after an answer: in a contest, an overtaken side comes next.
Queue = Callable[[Here, Waiting], Waiting]


def wait(at: Here, move: Move, waiting: Waiting) -> bool:
    """Ask the next character in the queue whom luck could help; False if there is none.

    The owner and the GM see `text` and the facts in `roll`; only the GM sees `kept`
    (toaster.3.luck-after-blind).
    """
    queue = [one for one in at.people(waiting.queue) if may_help(waiting, one)]
    if not queue:
        return False
    one = queue[0]
    left = f"{one.name} has {plural(one.luck_points, 'luck point')}."
    waiting = replace(waiting, queue=tuple(each.id for each in queue))
    put_card(at, move, waiting, one, f"{waiting.text} {left}".strip())
    return True


def put_card(at: Here, move: Move, waiting: Waiting, one: Person, words: str) -> None:
    """Put up the card of a waiting roll for one of its characters."""
    at.ask(
        move, f"owner:{one.id}", f"{waiting.title}: luck?", words, of=one,
        ident=fresh(at.table, "luck"), secret=("kept",), **waiting.plain(),
    )  # fmt: skip


def may_help(waiting: Waiting, one: Person) -> bool:
    """Whether the character's points could change the roll; a 0 must be thrown again.

    toaster.3.luck-after-zero, toaster.3.luck-reroll.
    """
    if one.id in waiting.spoilt:
        return one.luck_points >= AGAIN and one.id not in waiting.no_again
    return one.luck_points > 0


# ---------------------------------------------------------------- the answer


def _ways(at: Here) -> Iterable[Choice]:
    left = at.me.luck_points
    yield Choice(STAND, "Let it stand")
    if left:  # points may have been spent elsewhere in the meantime
        yield Choice(ADD, f"Add luck, +{AFTER} a point")
    if at.me.id not in read_waiting(at.answered.preset).no_again and left >= AGAIN:
        yield Choice(THROW_AGAIN, f"Throw the die again for {AGAIN} points")


class LuckForm(Form):
    """Let the roll stand, add points to it, or throw the die again."""

    use = pick(
        "Luck",
        _ways,
        default=STAND,
        help=lambda at: f"{plural(at.me.luck_points, 'point')} left.",
        rule="toaster.3.luck-limits",
    )
    points = number(
        "How many points?",
        when=lambda at: at.form.use == ADD and at.me.luck_points,
        default=1,
        low=1,
        high=lambda at: at.me.luck_points,
        rule="toaster.3.luck-after-plus1",
    )

    @property
    def cost(self) -> int:
        """The points that this answer costs."""
        return {ADD: self.points, THROW_AGAIN: AGAIN}.get(self.use, 0)


def lucky(
    name: str, *, again: Again, queue: Queue = lambda at, waiting: waiting
) -> Callable[[Settle], Move]:
    """Declare the move that answers such a card; the decorated function settles the roll."""

    def declare(settle: Settle) -> Move:
        @toaster.answer(
            name,
            "",
            "Let the roll stand, add luck to it, or pay four points and throw the die again.",
            LuckForm,
            rules=_RULES,
            rolls=True,
        )
        def answered(at: At[LuckForm]) -> None:
            waiting, cost = read_waiting(at.answered.preset), at.form.cost
            if at.form.use == THROW_AGAIN:
                waiting = again(at, waiting)
            waiting = _spent(at, waiting, cost)
            at.me.pay(cost)
            waiting = queue(at, waiting)
            if wait(at, answered, waiting):
                _tell(at, waiting, cost)
            else:
                settle(at, waiting)

        return answered

    return declare


def _spent(at: At[LuckForm], waiting: Waiting, cost: int) -> Waiting:
    """The roll after one answer; a new throw discards points added before.

    toaster.3.luck-mixing.
    """
    me = at.me.id
    used = {**waiting.used, me: waiting.used.get(me, 0) + cost}
    if at.form.use == THROW_AGAIN:
        return replace(waiting, used=used, added={**waiting.added, me: 0})
    added = {**waiting.added, me: waiting.added.get(me, 0) + cost * AFTER}
    rest = tuple(one for one in waiting.queue if one != me)
    stood = waiting.stood if cost else (*waiting.stood, me)
    return replace(waiting, used=used, added=added, queue=rest, stood=stood)


def _tell(at: At[LuckForm], waiting: Waiting, cost: int) -> None:
    name, points = at.me.name, plural(cost, "luck point")
    words, rule = f"{name} lets it stand.", "toaster.3.luck-after-plus1"
    if at.form.use == THROW_AGAIN:
        words, rule = f"{name} pays {points} and throws again.", "toaster.3.luck-reroll"
        if waiting.queue[0] == at.me.id:  # otherwise the text is for a character who was overtaken
            at.say(waiting.text, at.me.number_audience)
    elif cost:
        words = f"{name} adds {points}: +{cost * AFTER}."
    at.tell(waiting.title, words, rules=(rule,), about=waiting.about)


# ---------------------------------------------------------------- a roll of harm


O = TypeVar("O", bound=Outcome | Fate)  # noqa: E741
_FACTS = [one.name for one in fields(Outcome)]


class LuckyForm(Form):
    """Luck points put on a roll before the throw (toaster.3.luck-before-plus2)."""

    luck = luck_before("Luck points before the throw")


def brought(at: Here) -> Any:
    """The facts of the answered card, or none for seats that do not see it."""
    return at.asked.preset if at.asked else {}


#: The end of a roll: a sentence, a word, whether it is good, the rules.
End: TypeAlias = tuple[str, str, bool, Words]


class LuckyRoll(Generic[O]):
    """A roll for harm or healing, with a form based on `LuckyForm`.

    A subclass defines how to throw and settle it.
    """

    name: str
    rules: Words

    def throw(self, at: Here, modifier: int, called: bool) -> O:
        """The outcome of the die with its modifier, or of a called 4."""
        raise NotImplementedError

    def parts(self, at: Here, roll: Any) -> Parts:
        """The parts added to the die, from the facts of the roll."""
        raise NotImplementedError

    def settle(self, at: Here, waiting: Waiting, outcome: O) -> End:
        """The consequences of the roll after the last luck points."""
        raise NotImplementedError

    def is_best(self, outcome: O) -> bool:
        """Whether luck cannot improve the outcome."""
        return False

    def says(self, at: Here, outcome: O) -> str:
        """The sentence for the character who may spend luck."""
        return f"The roll is {outcome}."

    def write(self, outcome: O, modifier: int) -> Any:
        """The outcome as facts of the roll."""
        return write_outcome(outcome)

    def read(self, at: Here, waiting: Waiting) -> Any:
        """The roll with luck added after the throw; a zero stays a zero.

        toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
        """
        roll: Any = waiting.roll
        added = waiting.added.get(at.me.id, 0)
        was = Outcome(*(roll[name] for name in _FACTS))
        if was.zero or not added:
            return replace(was, total=was.total + added)
        return outcome_of(was.total + added, bands=at.options.variable_outcomes)

    def __init__(self) -> None:
        self.card = lucky(self.name, again=self._thrown)(self._settled)

    def throw_first(self, at: Here, title: str, kept: Facts | None = None, **roll: Json) -> Waiting:
        """Make the roll, and spend the luck put on it in advance."""
        luck, me, called = at.form.luck, at.me, at.form.called
        roll |= {"luck": luck, **({"called": True} if called else {})}
        facts = kept or roll
        facts["modifier"] = total(self.parts(at, facts)) + BEFORE * luck
        waiting = Waiting(
            title,
            roll=roll,
            kept=kept or {},
            no_again=(me.id,) if called else (),
            about=at.number,
        )
        waiting = self._thrown(at, waiting, called=called)
        me.pay(luck)
        return waiting

    def go_on(self, at: Here, waiting: Waiting) -> None:
        """Put up the card for luck, or settle the roll immediately."""
        if wait(at, self.card, waiting):
            self._tell(at, waiting)
        else:
            self._settled(at, waiting)

    def _thrown(self, at: Here, waiting: Waiting, *, called: bool = False) -> Waiting:
        """The roll with a new outcome, the first or a replacement."""
        modifier, me = waiting.facts["modifier"], (at.me.id,)
        outcome = self.throw(at, modifier, called)
        facts = self.write(outcome, modifier)
        blind = f"The total is {outcome.total}." if at.options.luck_blind else ""
        return replace(
            waiting,
            roll={**waiting.roll, **facts},
            spoilt=me if facts.get("zero") or facts.get("shown") == 0 else (),
            text=blind or self.says(at, outcome),
            queue=() if self.is_best(outcome) else me,
        )

    def _settled(self, at: Here, waiting: Waiting) -> None:
        """Settle the roll after the last luck points."""
        parts = self.parts(at, waiting.facts)
        self._tell(at, waiting, *self.settle(at, waiting, self.read(at, waiting)), parts)

    def _tell(
        self,
        at: Here,
        waiting: Waiting,
        sentence: str = "It could still be bettered.",
        word: str = "",
        good: bool = False,
        rules: Iterable[str] = (),
        parts: Parts = (),
    ) -> None:
        """Write the card of a roll: dice without outcome while luck may still improve it."""
        roll, me = waiting.roll, at.me
        luck: Any = BEFORE * roll["luck"] + waiting.added.get(me.id, 0)
        every = (
            *called_part(roll.get("called", False)),
            *(parts or self.parts(at, waiting.facts)),
            *worth(Part("luck", luck)),
        )
        total, other = self.read(at, waiting).total, at.find(roll.get("patient"))
        at.show(me, "roll", total, *every)
        hurt = other or me
        if (
            word and hurt.card_audience != hurt.number_audience
        ):  # everybody sees the outcome, no numbers
            at.say(sentence, GM)
            sentence = ""
        tone = "plain" if not word else "good" if good else "bad"
        at.tell(
            waiting.title, sentence, word, tone, (*self.rules, *rules),
            of=(me, other) if other else (me,), about=waiting.about if waiting.used else 0,
        )  # fmt: skip
