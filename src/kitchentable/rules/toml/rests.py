"""Rests, moves without dice, and growth in a game in a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import kit
from kitchentable.rules.facts import whole
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Row
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Result
from kitchentable.rules.people import card_audience
from kitchentable.rules.table import Table
from kitchentable.rules.toml.form import Growth, Rest, Written
from kitchentable.rules.toml.people import Body, here
from kitchentable.rules.toml.rollform import TRAIT
from kitchentable.rules.toml.rolls import marked, not_theirs
from kitchentable.rules.values import GM, Choice, Problem


@dataclass(frozen=True)
class Resting:
    """A rest, or a move without dice."""

    game: Written
    rest: Rest

    def declare(self, rules: AnyRules) -> Declared:
        """The move: made by the GM for everybody, or by a player for their own character."""
        rest = self.rest
        return rules.move(
            rest.key, rest.title, rest.help or rest.title,
            rules=(rest.rule,), by=(GM,) if rest.by_gm else ("player", GM), place="rest",
            when=self.why_not, for_entity=not rest.by_gm,
        )(self.act)  # fmt: skip

    def why_not(self, at: AnyAt) -> str | None:
        """None, or the reason why the move cannot be made now."""
        if at.table.fight is not None:
            return "A fight is on."
        if self.rest.by_gm or (me := at.find(at.actor.entity)) is None:
            return None
        return not_theirs(me, self.rest) or (self._lacks(me) if me.known else None) or None

    def _lacks(self, me: Body) -> str:
        numbers = me.numbers()
        owed = {key: formula.value(numbers) for key, formula in self.rest.costs.items()}
        return me.lacks(self.rest.title, owed)

    def act(self, at: AnyAt) -> None:
        """Pay the costs, mark tracks and reset tracks."""
        rest = self.rest
        for one in here(at) if rest.by_gm else [at.me]:
            numbers = one.numbers()
            one.pay(rest.costs, numbers)
            for scale in one.scales:
                if scale.key in rest.clears:
                    one.mark(scale, scale.begins(one.levels) - one.marks(scale))
                elif scale.key in rest.marks:
                    one.mark(scale, rest.marks[scale.key].value(numbers))
        at.lines += [one.tell_mark(scale) for one, scale in marked(at)]
        said = "" if at.changes else "Nothing changes by it."
        if rest.days:
            at.write(("day",), at.table.day + rest.days)
            said = f"Day {at.table.day + rest.days}."
        at.tell(rest.title, said, rules=(rest.rule,), of=() if rest.by_gm else None)


# ---------------------------------------------------------------- changes by the GM


def mark_move(game: Written, rules: AnyRules) -> Declared:
    """The move with which the GM marks a track."""
    tracks = [Choice(one.key, one.title) for one in game.scales]
    named: Row = {
        "who": kit.somebody("Who?", here),
        "track": kit.pick("Which track?", tracks, first=True),
        "more": kit.number(
            "How many boxes more", default=1, low=-99, high=99, help="Below 0 takes marks away."
        ),
        "why": kit.text("Why?", longest=200),
    }
    form: type[Form] = type("MarkForm", (Form,), named)
    return rules.move(
        "mark", "Mark a track", "What no roll brought: a fall, a gift, your ruling.", form,
        rules=(), by=(GM,), place="gm", for_entity=False,
        when=lambda at: None if here(at) else "Nobody is there.",
    )(_mark)  # fmt: skip


def _mark(at: AnyAt) -> None:
    one = at.form.who
    scale = one.game.scales.of(at.form.track)
    one.mark(scale, at.form.more, anyway=True)
    at.lines.append(one.tell_mark(scale))
    why = f"{one.name}: {at.form.why}"
    at.tell(why, "By the GM's ruling.", rules=(scale.rule,), of=[one])


# ---------------------------------------------------------------- growth


@dataclass(frozen=True)
class Growing:
    """Growth of levels, from points at a session's end or from a track."""

    game: Written
    growth: Growth

    def session_ended(self, rules: AnyRules, table: Table) -> Result:
        """Give points to the players' characters in play."""
        at, points = rules.at(table), self.growth.at_session_end
        for one in here(at):
            more = points.value(one.numbers()) if points is not None and one.is_players else 0
            if more > 0:
                one.write("state", "points", now=self.points(one) + more)
                at.say(f"{one.name}: {more} to grow by.", card_audience(one.entity))
        if at.lines:
            at.tell("Growth", rules=(self.growth.rule,), of=())
        return at.result()

    def points(self, one: Body) -> int:
        """The points that an entity can spend on growth."""
        if self.growth.track:
            return one.marks(self.game.scales.of(self.growth.track))
        return whole(one.entity.state.get("points"))

    def cost(self, one: Body, key: str) -> int:
        """The cost of one more level of a trait."""
        return max(1, self.growth.cost.value(one.numbers() | {TRAIT: one.level(key)}))

    def declare(self, rules: AnyRules) -> Declared:
        """The move that spends points on a level."""
        trait = kit.pick("Which trait?", self._choices, rule=self.growth.rule)

        def problems(form: Any) -> Iterator[Problem]:
            return self._problems(form)

        parts = {"trait": trait, "problems": problems}
        form: type[Form] = type("GrowForm", (Form,), parts)
        return rules.move(
            "grow", "Grow", "Turn points into one more level of a trait.", form,
            rules=(self.growth.rule,), place="rest", when=self._why_not,
        )(self._act)  # fmt: skip

    def _why_not(self, at: AnyAt) -> str | None:
        me = at.find(at.actor.entity)
        has = self.points(me) if me is not None else 0
        return None if has > 0 else "There are no points to grow by."

    def _choices(self, at: AnyAt) -> list[Choice]:
        me = at.me
        return [
            Choice(one.key, f"{one.title} {me.level(one.key)}, costs {self.cost(me, one.key)}")
            for group in me.groups
            for one in group.traits
        ]

    def _problems(self, form: Any) -> Iterator[Problem]:
        me, key = form.at.me, form.trait
        has, cost = self.points(me), self.cost(me, key)
        if cost > has:
            yield Problem("trait", self.growth.rule, f"That costs {cost}; {me.name} has {has}.")
        group = self.game.traits[key][1]
        if me.level(key) >= group.top:
            yield Problem("trait", self.growth.rule, f"{group.top} is the most.")

    def _act(self, at: AnyAt) -> None:
        me, key = at.me, at.form.trait
        trait, group = self.game.traits[key]
        now, left = me.level(key) + 1, self.points(me) - self.cost(me, key)
        me.write("sheet", "traits", key, now=now)
        if self.growth.track:
            me.write("state", "tracks", self.growth.track, now=left)
        else:
            me.write("state", "points", now=left)
        grown: Any = me.entity.state.get("grown") or {}
        me.write("state", "grown", group.key, now=whole(grown.get(group.key)) + 1)
        said = f"{trait.title} goes up to {now}."
        at.tell(f"{me.name} grows", said, tone="good", rules=(self.growth.rule,))
