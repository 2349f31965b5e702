"""Problems and warnings of a sheet, and its parts that need the GM's permission.

words/problems.toml has the sentences with their rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from kitchentable.rules import Problem, Result, Table, fresh, listed, quoted, whole
from kitchentable.rules.kit import Form, Problems, decision, needs, pick, text
from kitchentable.rules.kit.verdicts import PROPOSED
from kitchentable.rulesets.toaster.book import BOOK, Row, find, problem, row
from kitchentable.rulesets.toaster.character.attributes import attribute_names
from kitchentable.rulesets.toaster.character.listing import (
    LANGUAGE,
    MARTIAL_ARTS,
    in_points,
    is_on_list,
    listed_skill,
    package_skills,
    skill_name,
)
from kitchentable.rulesets.toaster.character.skills import (
    FEWEST,
    HIGHEST_BASE,
    MOST,
    NATIVE_BASE,
    Line,
    Skilled,
    specialty_key,
)
from kitchentable.rulesets.toaster.character.traits import (
    ACCEPTED,
    ATTRIBUTES,
    PACKAGE,
    RANKS_PER_ATTRIBUTE,
    REFUSED,
    SIZE,
    VERDICTS,
    Trait,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

#: The limits of size for non-humans (toaster.2.trait-range, A-10).
LARGEST = 10
#: The ranks for a first specialty, and for a second or doubled one, without bonuses
#: (toaster.2.specialty-rank-4, toaster.2.specialty-rank-8-second, toaster.2.specialty-rank-used).
FIRST, SECOND = 4, 8
#: The number of areas to divide a skill into before specializing in one.
AREAS = 3


def check(one: Skilled, stage: str) -> Problems:
    """The problems and warnings of a sheet. Points and balance are strict at "creation".

    Refusals for players' characters become warnings for NPCs.
    """
    yield from one.shape_problems()
    for read in (
        _attribute_problems,
        _skill_problems,
        _language_problems,
        trait_problems,
        specialty_problems,
        _leave_problems,
    ):
        yield from read(one)
    if one.is_players:
        yield from _balance_problems(one, stage)
        if stage == "creation":
            yield from _point_problems(one)
        if not str(one.sheet.get("about") or "").strip():
            yield problem("concept")


def _is_rank(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _attribute_problems(one: Skilled) -> Problems:
    ranks, names = one.sheet.get("attributes"), attribute_names(one.table)
    if not isinstance(ranks, Mapping):
        yield problem("no-attributes")
        return
    for key, rank in ranks.items():
        where = f"attributes.{key}"
        if key not in names:
            yield problem("other-attribute", where, refuses=bool(rank), key=key)
        elif not _is_rank(rank):
            yield problem("attribute-rank", where, name=names[key], rank=rank)


def _point_problems(one: Skilled) -> Problems:
    """The problems of points.

    toaster.2.creation-attribute-points, toaster.2.creation-skill-points.
    """
    for key, spent, points in (
        ("attribute-points", one.attributes_spent, one.attribute_budget),
        ("skill-points", one.skills_spent, one.skill_budget),
    ):
        if spent != points:
            yield problem(key, refuses=spent > points, spent=in_points(spent), points=points)


def _skill_problems(one: Skilled) -> Problems:
    seen: set[str] = set()
    for line in one.skill_lines:
        where, base, key = f"skills.{line.place}", line.row.get("base"), line.key
        name = skill_name(one.table, key)
        yield from _listing_problems(one.table, f"{where}.skill", line)
        if key.casefold() in seen:
            yield problem("skill-twice", f"{where}.skill", name=name)
        seen.add(key.casefold())
        if not _is_rank(base):
            yield problem("skill-base", f"{where}.base", name=name, base=base)
        if line.row.get("skill") == MARTIAL_ARTS and not line.says("note"):
            yield problem("martial-form", f"{where}.note", refuses=one.is_players)
        yield from _attribute_doubts(one.table, where, line)


def _listing_problems(table: Table, where: str, line: Line) -> Problems:
    """The problems of a skill that does not match the table's list."""
    found, of, name = listed_skill(table, line.key), line.row.get("of"), skill_name(table, line.key)
    if found is None:
        yield problem("skill-off-list", where, name=name)
    elif found["group"] and not of:
        yield problem("skill-group", where, name=name)
    elif of and not found["group"]:
        yield problem("skill-no-group", where, name=found["name"])
    elif not is_on_list(table, line.key):
        yield problem("skill-no-member", where, name=name)


def _attribute_doubts(table: Table, where: str, line: Line) -> Problems:
    """A warning about an attribute other than the list's, which needs the GM's agreement."""
    agreed, found = str(line.row.get("attribute") or ""), listed_skill(table, line.key)
    names, where = attribute_names(table), f"{where}.attribute"
    if agreed and agreed not in names:
        yield problem("skill-attribute", where, key=agreed)
    elif agreed and found and agreed not in found["attributes"]:
        name = skill_name(table, line.key)
        yield problem("attribute-to-agree", where, name=name, attribute=names[agreed])


def _language_problems(one: Skilled) -> Problems:
    """One native language, which starts at 4 (toaster.2.skill-language-native)."""
    marked = [line for line in one.skill_lines if line.row.get("native")]
    for line in marked:
        if line.row.get("skill") != LANGUAGE:
            yield problem("native-no-language", f"skills.{line.place}.native")
        elif line.base < NATIVE_BASE:
            yield problem("native-base", f"skills.{line.place}.base", base=NATIVE_BASE)
    if len(marked) > 1:
        yield problem("native-several")
    if not marked and one.is_players:
        yield problem("native-none")


def _leave_problems(one: Skilled) -> Problems:
    """Rows without the GM's permission; they prevent play, but not submission."""
    for key, found in open_leaves(one):
        verdict, word = one.word_on(key)
        words, refused = found.sentence, verdict == REFUSED
        if refused:
            words += f" The GM has refused it{f': {word}' if word else '.'}"
        refuses = found.refuses and (refused or one.stage != "draft")
        yield replace(found, sentence=words, refuses=refuses)


# ---------------------------------------------------------------- traits

#: The rules of kinds of trait that need details or have their own range, by kind.
_TOLD, _RANGE = (BOOK.tables["trait_rule"][key] for key in ("told", "rank"))


def trait_problems(one: Skilled) -> Problems:
    """The problems of each trait: kind, rank, and the kind's requirements."""
    for trait in one.traits:
        where, kind = f"traits.{trait.place}", row(one.table, "trait_kinds", trait.kind)
        if kind is None:
            yield problem("trait-kind", f"{where}.kind", kind=trait.kind)
            continue
        name = trait.name or kind["name"]
        yield from _rank_problems(one, trait, kind, name)
        if trait.rank and trait.kind in _TOLD and not trait.note:
            rule = _TOLD[trait.kind]
            yield problem(
                "trait-untold", f"{where}.note", refuses=one.is_players, name=name, rule=rule
            )
        if trait.kind == "personality" and trait.rank:
            yield problem("trait-personality", f"{where}.rank", name=name, rank=trait.rank)
        if trait.kind == ATTRIBUTES:
            yield from _attribute_trait(one.table, where, trait)
        if trait.kind == PACKAGE:
            yield from _package(one.table, f"{where}.of", trait)


def _rank_problems(one: Skilled, trait: Trait, kind: Row, name: str) -> Problems:
    """The problems of a trait's rank.

    toaster.2.trait-range, toaster.2.trait-size-human-limit, toaster.2.trait-addiction.
    """
    where, rank = trait.where, trait.rank
    low, high = whole(kind["low"]), whole(kind["high"])
    if trait.kind == SIZE:
        if abs(rank) > LARGEST:
            yield problem("size-range", where, most=LARGEST)
        elif abs(rank) > LARGEST_HUMAN and not one.sheet.get("supernatural"):
            yield problem("size-human", where, most=LARGEST_HUMAN)
    elif not low <= rank <= high:
        rule = _RANGE.get(trait.kind, "toaster.2.trait-range")
        yield problem("trait-rank", where, rule=rule, name=name, low=low, high=high, rank=rank)


def _attribute_trait(table: Table, where: str, trait: Trait) -> Problems:
    """The problems of an attribute trait: two ranks per step, one for a part of an attribute.

    toaster.2.trait-attribute-whole.
    """
    if find(table, "aspects", trait.of) is not None:
        return
    found, name = find(table, "attributes", trait.of), trait.name or "The trait"
    if found is None and trait.lost == trait.of != "":
        yield problem("trait-idle", f"{where}.of", name=name, of=trait.of)
    elif found is None:
        yield problem("trait-of-what", f"{where}.of", name=name)
    elif trait.rank % RANKS_PER_ATTRIBUTE:
        yield problem("trait-odd", f"{where}.rank", rank=trait.rank)


def _package(table: Table, where: str, trait: Trait) -> Problems:
    """The problems of a package: four to six skills, all on the table's list.

    toaster.2.trait-package-size.
    """
    found = package_skills(table, trait.of)
    wrong = [words for words, key in found.items() if not key or not is_on_list(table, key)]
    if wrong:
        yield problem("package-skills", where, name=trait.name, wrong=listed(wrong))
    many = len({*found.values()})
    if not FEWEST <= many <= MOST:
        yield problem("package-size", where, name=trait.name, fewest=FEWEST, most=MOST, many=many)


def _balance_problems(one: Skilled, stage: str) -> Problems:
    """A wrong sum of trait ranks: the style's free ranks, or later the approved sum.

    toaster.2.creation-traits-sum, toaster.2.creation-free-traits (A-12). A sheet sent back by the
    GM may be rearranged, but must keep its approved sum (toaster.2.adv-traits-balance, A-20).
    """
    total, free = one.trait_sum, one.free_ranks
    if stage == "creation":
        if not 0 <= total <= free:
            yield problem("free-traits" if free else "traits-sum", total=total, free=free)
        yield from cap_problems(one, free)
        return
    approved = one.entity.state.get("trait_sum")
    if isinstance(approved, int) and total != approved:
        yield problem("traits-balance", before=approved, after=total)


def cap_problems(one: Skilled, free: int) -> Problems:
    """The limits on positive and negative ranks, if the table has them.

    toaster.2.creation-traits-cap; used free ranks do not count unless an option says so
    (toaster.2.creation-traits-cap-free, A-13).
    """
    cap = one.options.trait_rank_cap
    plus = sum(each.rank for each in one.traits if each.rank > 0)
    minus = plus - one.trait_sum
    if not one.options.trait_cap_counts_free:
        plus -= min(free, max(0, one.trait_sum))
    for many, kind in ((plus, "positive"), (minus, "negative")):
        if cap is not None and many > cap:
            yield problem("traits-cap", many=many, kind=kind, cap=cap)


# ---------------------------------------------------------------- specialties


def specialty_problems(one: Skilled) -> Problems:
    """The problems of specialties, line by line; none without the option.

    toaster.2.specialty-switch.
    """
    if not one.options.specialization:
        return
    lines = [line for line in one.skill_lines if line.names]
    for line in lines:
        yield from _line_problems(one, line)
    most = one.options.specialty_skills
    if most is not None and len(lines) > most:
        yield problem("specialties", many=len(lines), most=most)


def _line_problems(one: Skilled, line: Line) -> Problems:
    known: Row = {"name": skill_name(one.table, line.key), "rank": one.skill(line.key).rank}
    where, rank = f"skills.{line.place}.specialty", known["rank"]
    two, doubled = len(line.names) > 1, line.row.get("doubled")
    for key, wrong, least in (
        ("first", rank < FIRST, FIRST),
        ("second", (two or doubled) and rank < SECOND, SECOND),
        ("both", two and doubled, SECOND),
    ):
        if wrong:
            yield problem(f"specialty-{key}", where, **known, least=least)
    if len(line.areas) < AREAS:
        yield problem("specialty-areas", f"skills.{line.place}.areas", **known, areas=AREAS)
    for each in line.names:
        verdict = one.specialty_verdict(line.key, each)
        if verdict != "accepted":
            yield problem(f"specialty-{verdict}", where, **known, specialty=each)


def teaching_problems(teacher: Skilled, student: Skilled, key: str, where: str) -> Problems:
    """Refuse a teacher with a base no higher than the student's; ranks do not count."""
    ours, theirs = teacher.base(key), student.base(key)
    if ours <= theirs:
        yield problem(
            "teacher-base",
            where,
            name=teacher.name,
            student=student.name,
            skill=skill_name(teacher.table, key),
            ours=ours,
            theirs=theirs,
        )


# ---------------------------------------------------------------- what the GM has to allow


#: The highest human rank (toaster.2.attribute-range).
HIGHEST_HUMAN = 10
#: The largest human size (toaster.2.trait-size-human-limit).
LARGEST_HUMAN = 5


class Leave(NamedTuple):
    """A part that needs permission: the key of the GM's verdict, and the problem without it.

    A problem that `refuses` prevents play; others only reduce the effect.
    """

    key: str
    problem: Problem


def leaves(one: Skilled) -> Iterator[Leave]:
    """All parts of a sheet that need the GM's permission, whether given or not."""
    for key, name in attribute_names(one.table).items():
        rank = one.bought(key)
        if rank > HIGHEST_HUMAN:
            found = problem("superhuman", f"attributes.{key}", name=name, rank=rank)
            yield Leave(f"attribute:{key}", found)
    for line in one.skill_lines:
        if line.base > HIGHEST_BASE:
            name = skill_name(one.table, line.key)
            found = problem("base-over-10", f"skills.{line.place}.base", name=name, base=line.base)
            yield Leave(f"base:{line.key}", found)
    for trait in one.traits:
        if trait.kind == PACKAGE:
            name, words = trait.name, "package-minus" if trait.rank < 0 else "package-cap"
            found = problem(words, trait.where, name=name, most=HIGHEST_BASE)
            yield Leave(f"package:{name}", found)
    for trait in one.traits if one.sheet.get("supernatural") else ():
        if trait.kind == SIZE and abs(trait.rank) > LARGEST_HUMAN:
            found = problem("size-leave", trait.where, rank=trait.rank)
            yield Leave(f"size:{trait.rank}", found)


def open_leaves(one: Skilled) -> list[Leave]:
    """The parts that the GM has not allowed; NPCs need no permission."""
    every = leaves(one) if one.is_players else ()
    return [leave for leave in every if one.verdict(leave.key) != ACCEPTED]


# ---------------------------------------------------------------- cards for the GM


def _specialties(one: Skilled) -> Iterator[Leave]:
    """The specialties that wait for the GM's verdict."""
    for line in one.skill_lines:
        name = skill_name(one.table, line.key)
        for each in line.names:
            if one.specialty_verdict(line.key, each) == PROPOSED:
                found = problem(
                    "specialty-leave",
                    name=name,
                    specialty=quoted(each),
                    areas=", ".join(line.areas),
                )
                yield Leave(specialty_key(line.key, each), found)


def matters(one: Skilled) -> list[Leave]:
    """The parts of this sheet that wait for the GM's verdict."""
    plays = one.is_players and one.options.specialization
    return [*open_leaves(one), *(_specialties(one) if plays else ())]


def submitted(table: Table, entity: str) -> Result:
    """Put all parts of a submitted sheet that need permission before the GM."""
    at = toaster.at(table, entity)
    _withdraw(at)
    waiting = [one for one in matters(at.me) if at.me.verdict(one.key) == PROPOSED]
    for number, one in enumerate(waiting, start=1):
        at.ask(
            allow, "", "", one.problem.sentence,
            of=at.me, ident=fresh(table, "leave", number), rules=(one.problem.rule,),
            what=f"{entity}|{one.key}",
        )  # fmt: skip
    return at.result()


def accepted(table: Table, entity: str) -> Result:
    """Accept the specialties that were not refused, with the sheet."""
    at = toaster.at(table, entity)
    lines = at.me.skill_lines
    keys = [specialty_key(line.key, name) for line in lines for name in line.names]
    VERDICTS.accept(at.me, keys)
    _withdraw(at)
    return at.result()


def _withdraw(at: Here) -> None:
    """Close all open cards about this sheet."""
    at.close(*(one.id for one in at.cards("allow")))


# ---------------------------------------------------------------- the GM's word


def open_matters(at: Here) -> list[tuple[Person, Leave]]:
    """The parts of all sheets that wait for the GM's verdict."""
    people = [one for one in at.people(at.table.entities) if one.stage != "gone"]
    return [(one, each) for one in people for each in matters(one)]


class AllowForm(Form):
    what = pick(
        choices=lambda at: [
            (f"{one.id}|{each.key}", f"{one.name}: {each.problem.sentence}")
            for one, each in open_matters(at)
        ]
    )
    verdict = decision("Is it allowed?", ((ACCEPTED, "Yes"), (REFUSED, "No")))
    word = text(story=True)


@toaster.move(
    "allow",
    when=needs(open_matters, "No sheet needs your permission now."),
)
def allow(at: At[AllowForm]) -> None:
    what, said, word = at.form.what, at.form.verdict, at.form.word
    at.close(*(one.id for one in at.table.asks.values() if one.preset.get("what") == what))
    ident, _, key = what.partition("|")
    one = at.find(ident)
    found = dict(matters(one)).get(key) if one else None
    if one is None or found is None:
        return
    VERDICTS.judge(one, key, said, word)
    at.tell(
        f"{one.name}: {'allowed' if said == ACCEPTED else 'refused'}",
        f"{found.sentence} {word}".strip(),
        rules=(found.rule,),
        of=(one,),
        audience="all" if one.stage == "play" else one.owner,
    )
