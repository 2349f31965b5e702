"""What other tables mean by the forms that are refused here, and what to write instead.

Each sentence is a template: ``{dice}`` stands for the dice written so far (``4d6``), ``{n}`` for
the number that follows the form. The readings are those of Roll20, Foundry, Avrae (the d20
library), rpg-dice-roller and Dice Maiden.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REFUSED_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "k": (
            "k{n} is read in two ways: Roll20, Foundry, rpg-dice-roller and Dice Maiden keep the "
            "highest {n}, Avrae keeps the dice that show {n}. Write {dice}kh{n} to keep the "
            "highest {n}, or {dice}kl{n} to keep the lowest {n}."
        ),
        "d": (
            "d{n} after dice is not the same everywhere: Roll20, Foundry, rpg-dice-roller and "
            "Dice Maiden drop the lowest {n}, Avrae refuses it. Write {dice}dl{n} to drop the "
            "lowest {n}, or {dice}dh{n} to drop the highest {n}."
        ),
        "p": (
            "p{n} is Avrae's word for dropping dice and unknown to Roll20, Foundry, "
            "rpg-dice-roller and Dice Maiden. Write {dice}dl{n} to drop the lowest {n}, or "
            "{dice}dh{n} to drop the highest {n}."
        ),
        "pl": "pl{n} is Avrae's spelling. Write {dice}dl{n} to drop the lowest {n}.",
        "ph": "ph{n} is Avrae's spelling. Write {dice}dh{n} to drop the highest {n}.",
        "r": (
            "r{n} is read in two ways: Roll20 and rpg-dice-roller (as r={n}) throw again for "
            "ever, Foundry and Dice Maiden throw again once, Avrae refuses it. Write {dice}ro{n} "
            "to throw again once, or {dice}rr{n} to throw again for ever."
        ),
        "ir": (
            "ir{n} is Dice Maiden's spelling: throw again for ever at {n} or less. "
            "Write {dice}rr<={n}."
        ),
        "x": (
            "x explodes in Foundry (x alone on the highest face, x{n} on {n}), is unknown to "
            "Roll20, Avrae, rpg-dice-roller and Dice Maiden, and some write it for times. Write "
            "{dice}! to explode on the highest face, {dice}!>={n} to explode at {n} or more, or * "
            "to multiply."
        ),
        "xo": "xo explodes at most once in Foundry; that has no spelling here. {dice}! explodes "
        "again and again.",
        "e": (
            "e{n} is read in two ways: Avrae explodes on exactly {n}, Dice Maiden once at {n} or "
            "more; Roll20 and rpg-dice-roller write !, Foundry writes x. Write {dice}! to explode "
            "on the highest face, or {dice}!>={n} to explode at {n} or more."
        ),
        "ie": "ie{n} is Dice Maiden's spelling: explode again and again at {n} or more. "
        "Write {dice}!>={n}, or {dice}! for the highest face.",
        "t": "t{n} is Dice Maiden's spelling: count the dice that show {n} or more. "
        "Write {dice} hits>={n}.",
        "cs": "cs is Foundry's word for counting successes. Write {dice} hits>={n} to count the "
        "dice that show {n} or more, or {dice} hits={n} for exactly {n}.",
        "cf": "cf counts failures in Foundry and only marks fumbles in Roll20. Write "
        "{dice} hits<={n} to count the dice that show {n} or less.",
        "df": "df takes failures from the successes in Foundry and is a Fudge die elsewhere. "
        "Here a Fudge die is written with its number first: 4dF.",
        "sf": "sf subtracts failed dice in Foundry; that has no spelling here. Write "
        "{dice} hits<={n} to count the dice that show {n} or less.",
        "f": "f{n} subtracts failures in Roll20 and Dice Maiden, rpg-dice-roller writes f={n}, "
        "Foundry and Avrae do not know it. Write {dice} hits<={n} to count them in a roll of "
        "their own.",
        "b": "b{n} counts botches in Dice Maiden only. Write {dice} hits<={n} to count the dice "
        "that show {n} or less.",
        "ms": "ms gives the margin of success in Foundry only. Write a subtraction: {dice}-{n}.",
        "m": "m marks matching dice in Roll20 only and changes no total; leave it out.",
        "mt": "mt counts matching dice in Roll20 only; that has no spelling here.",
        "s": "s sorts the dice in Roll20 and rpg-dice-roller and changes no total; leave it out.",
        "sa": "sa sorts the dice in Roll20 and rpg-dice-roller and changes no total; leave it out.",
        "sd": "sd sorts the dice in Roll20 and rpg-dice-roller and changes no total; leave it out.",
        "mi": "mi{n} makes {n} the least a die counts in Avrae (min{n} in Foundry and "
        "rpg-dice-roller); that has no spelling here.",
        "min": "min{n} makes {n} the least a die counts in Foundry and rpg-dice-roller (mi{n} in "
        "Avrae); that has no spelling here.",
        "ma": "ma{n} makes {n} the most a die counts in Avrae (max{n} in Foundry and "
        "rpg-dice-roller); that has no spelling here.",
        "max": "max{n} makes {n} the most a die counts in Foundry and rpg-dice-roller (ma{n} in "
        "Avrae); that has no spelling here.",
        "ra": "ra{n} adds one die in Avrae when a {n} shows; that has no spelling here. "
        "{dice}! explodes again and again.",
        "adv": "Advantage is written 2d20kh1 in Roll20, Foundry, Avrae and rpg-dice-roller, and "
        "so it is here.",
        "dis": "Disadvantage is written 2d20kl1 in Roll20, Foundry, Avrae and rpg-dice-roller, "
        "and so it is here.",
    }
)
"""Words that stand after dice in some dialect: word -> what they mean where, and what to write."""

COMPOUND = (
    "!! adds each extra throw to its own die in Roll20 and rpg-dice-roller; Foundry, Avrae and "
    "Dice Maiden do not know it. For a total that is the same as {dice}!. To compare whole dice, "
    "put them in braces: {{1d8!,1d6!}}kh1."
)

PENETRATE = (
    "!p takes 1 from every extra throw in Roll20 and rpg-dice-roller; that has no spelling here. "
    "{dice}! explodes without it."
)

EXPLODE_NUMBER = (
    "!{n} explodes on exactly {n} in Roll20 and is refused by rpg-dice-roller; Foundry writes "
    "x{n}, Avrae e{n}. Write {dice}! to explode on the highest face, or {dice}!>={n} to explode "
    "at {n} or more."
)

EXPLODE_EQUALS = (
    "!={n} explodes on exactly {n} in rpg-dice-roller, and reads like 'not equal' to many. "
    "Write {dice}!>={n} to explode at {n} or more."
)

STRICT = (
    "'{sign}' is read in two ways: in Roll20 {sign}{n} means {n} {direction}, in Foundry, Avrae "
    "and rpg-dice-roller it does not include {n}. Write {sign}={n} for {n} {direction}, or "
    "{sign}={beyond} without {n}."
)

POOL_TARGET = (
    "{whole}{sign}{n} is read in two ways: rpg-dice-roller counts the dice that show {n} "
    "{direction} (Roll20 writes that {whole}{strict}{n}, Foundry {whole}cs{sign}{n}, Dice Maiden "
    "{whole} t{n}), Avrae compares the total with {n}."
)

POOL_STRICT = (
    "{whole}{strict}{n} is read in three ways: Roll20 counts the dice that show {n} {direction}, "
    "rpg-dice-roller counts those {beyond} {n}, Avrae compares the total with {n}."
)

GROUP_TARGET = (
    "{whole}{sign}{n} is read in two ways: rpg-dice-roller counts the throws of the group that "
    "come to {n} {direction} (Roll20 writes that {whole}{strict}{n}), Avrae compares their sum "
    "with {n}. Write {whole} hits{sign}{n} to count, or ({added}){sign}{n} to compare the sum."
)

COUNT_IN_BRACKETS = (
    "({n})d: Roll20, Foundry and Dice Maiden throw as many dice as the bracket gives, Avrae "
    "refuses it, rpg-dice-roller allows only plain arithmetic. Here the number of dice is a plain "
    "number: throw the bracket first, then write the result before the d."
)
