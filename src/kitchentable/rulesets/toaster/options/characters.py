"""What a table can set about characters: style, skills, traits, advancement, and the lists."""

from __future__ import annotations

from kitchentable.rules import Option
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.options.making import number, pick, text, tick

_STYLE = "{name}: {attribute_points} for attributes, {skill_points} for skills, {free_traits} free"
_STYLES = tuple(
    (
        row["key"],
        _STYLE.format(**row),
    )
    for row in TABLES["styles"]
)

OPTIONS: tuple[Option, ...] = (
    pick(
        "style",
        "Style of the campaign",
        "toaster.2.creation-style",
        "Characters",
        "What a new character of the players has to spend.",
        _STYLES,
        "Every attribute point is a point on all skills linked to it, halved.",
        default="above-average",
    ),
    tick(
        "free_traits",
        "Free trait ranks",
        "toaster.2.creation-free-traits-may",
        "Characters",
        "Whether the style's free ranks are granted: positive ranks that nothing has to balance.",
        "Off: the ranks of all traits add up to 0.",
        on=True,
    ),
    number(
        "trait_rank_cap",
        "Most ranks of positive traits, and of negative ones",
        "toaster.2.creation-traits-cap",
        "Characters",
        "Left empty, there is no limit as long as the ranks balance. The book proposes 5.",
        None,
        low=1,
        effect="At 5 nobody trades one crippling trait for a heap of good ones.",
    ),
    tick(
        "trait_cap_counts_free",
        "Free ranks count towards that limit",
        "toaster.2.creation-traits-cap-free",
        "Characters",
        "Off: the free ranks that are used are taken off before they are counted.",
        effect="On, Rhoenda's six good ranks break a limit of 5; off, three of them are free.",
    ),
    text(
        "starting_money",
        "Money to begin with",
        "toaster.2.creation-possessions",
        "Characters",
        "Shown beside the possessions of a new character, such as 30 gold coins.",
        effect="No roll is changed by it.",
    ),
    tick(
        "npc_open",
        "The GM's people are open",
        "toaster.1.customisable",
        "Characters",
        "How somebody new of the GM's begins; each can be opened or closed.",
        "Closed, their numbers stay the GM's, and so do odds that would tell them.",
    ),
    tick(
        "other_attributes",
        "Other attributes",
        "toaster.2.option-extra-attributes",
        "Attributes",
        "Attributes that you add in the table of attributes, or split off from another.",
        "Each brings a quarter of the style's points, unless you say how many.",
    ),
    number(
        "extra_attribute_points",
        "Attribute points for those",
        "toaster.2.extra-attributes-points",
        "Attributes",
        "Left empty, each attribute beyond four adds a quarter of the style's points.",
        None,
        effect="Left empty, a Heroic character with a fifth attribute has 30 points instead of 24.",
    ),
    tick(
        "skill_several_ranks",
        "A skill may have several ranks",
        "toaster.2.skill-several-ranks",
        "Skills",
        "One rank for each attribute it can lean on; the GM picks at each use.",
        "Off: one attribute is fixed for each skill of a character.",
    ),
    pick(
        "rank_words",
        "Words for skill ranks",
        "toaster.2.skill-rank-descriptors-gm",
        "Skills",
        "Flavour beside the numbers; no roll is changed by them.",
        (
            ("none", "no words"),
            ("general", "Unskilled to Grand Master"),
            ("trade", "Novice to Grand Master"),
            ("belt", "belts by colour"),
        ),
        effect="No roll is changed by it.",
    ),
    tick(
        "specialization",
        "Specialities",
        "toaster.2.specialty-switch",
        "Skills",
        "One from rank 4, a second or a doubled one from rank 8, each with the GM's consent.",
        "+1 on rolls inside the speciality: 10 in 100 more often, plain dice.",
    ),
    number(
        "specialty_skills",
        "Skills with a speciality, at most",
        "toaster.2.specialty-max-skills",
        "Skills",
        "For each character. Left empty, there is no limit.",
        None,
        effect="Each speciality is 10 times in 100 more on the tasks it fits.",
    ),
    tick(
        "variable_skill_cost",
        "Skills differ in price",
        "toaster.2.skillcost-switch",
        "Skills",
        "Each skill has a price for a step, which you set in the table of skills.",
        "Off: every step of a skill's base costs 1 point.",
    ),
    pick(
        "martial_arts_price",
        "Martial Arts cost",
        "toaster.2.skill-martial-cost",
        "Skills",
        "For the +2 against those who only brawl. Counts with or without differing prices.",
        (("1.5", "1.5 times Brawl"), ("2", "twice Brawl"), ("1", "as much as Brawl")),
        effect="Four steps of it cost 6 points at 1.5, 8 at twice the price.",
    ),
    tick(
        "literacy_separate",
        "Reading and writing are bought apart from speaking",
        "toaster.2.skill-language-literacy",
        "Skills",
        "For societies in which few people read. Off: a language is spoken and written.",
        effect="On, reading a language without having learnt to is half the attribute.",
    ),
    tick(
        "size_grows",
        "Thresholds beyond exceptional size go on growing",
        "toaster.2.trait-size-extremes",
        "Size",
        "Off: they stay at 6/6 and 4/4. On: 7/6 from +6, 7/7 from +8, 8/7 at +10, and downwards.",
        "A threshold of 8 takes one wound for every 8 points of a blow.",
    ),
    pick(
        "size_odd",
        "Thresholds of odd sizes",
        "toaster.2.trait-size-odd",
        "Size",
        "The book's table has only even ranks.",
        (
            ("default", "stun changes at any size but 0, wounds from 4 up and -4 down"),
            ("toward-zero", "the last row reached"),
            ("away-from-zero", "the next row"),
        ),
        "At +1 the stun threshold is 6, 5 or 6; at +3 the wound threshold is 5, 5 or 6.",
    ),
)
