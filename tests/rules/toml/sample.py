"""A small game in a file, for tests that break it one line at a time."""

COIN = """\
[game]
name = "coin"
title = "Coin"
version = "1"
about = "Heads or tails."
author = "Us"
licence = "CC0"

[[option]]
key = "luck_of_all"
title = "Luck of all"
default = 2
low = 0
high = 5
help = "How much luck a person has."

[[group]]
key = "self"
title = "Self"
points = "2 + luck_of_all"
high = 3

[[group.trait]]
key = "nerve"
title = "Nerve"

[[group.trait]]
key = "wits"
title = "Wits"

[[list]]
key = "charms"
title = "Charms"
most = 1
bonus = 2

[[track]]
key = "luck"
title = "Luck"
boxes = "luck_of_all"
starts = "full"

[[track]]
key = "harm"
title = "Harm"
boxes = "2 + nerve"
full = "beaten"
out = true

[[die]]
key = "fate"
faces = [1, 2, "moon"]
worth = { moon = 5 }

[[roll]]
key = "flip"
title = "Flip"
dice = "{=1 + wits}d2kh1"
uses = "self"
list = "charms"
add = ["trait", "bonus", "modifier"]
against = 3
costs = { luck = 1 }

[[roll.band]]
key = "heads"
title = "heads"
at_least = 0
good = true
tone = "good"

[[roll.band]]
key = "tails"
title = "tails"
tone = "bad"
marks = { harm = "1 - margin // 2" }

[[roll]]
key = "duel"
title = "Duel"
die = "fate"
trait = "nerve"
add = ["trait"]
fight = true

[roll.opposed]
trait = "wits"
ties = "theirs"

[[roll.band]]
key = "moonlit"
title = "moonlit"
face = "moon"
good = true
others_marks = { harm = 9 }

[[roll.band]]
key = "won"
title = "won"
at_least = 0
good = true
others_marks = { harm = 1 }

[[roll.band]]
key = "lost"
title = "lost"
marks = { harm = 1 }

[fight]
order = "1d6"
add = ["wits"]
each_round = false

[[rest]]
key = "night"
title = "A night"
days = 1
marks = { harm = -1 }
clears = ["luck"]

[growth]
points = 2
cost = "1 + trait"

[campaign]
title = "A coin on its edge"
players = ["Ada"]

[[person]]
name = "Kit"
owner = "Ada"
traits = { nerve = 2, wits = 2 }
lists = { charms = ["A bent penny"] }

[[person]]
name = "The Banker"
open = false
traits = { wits = 1 }

[[example]]
roll = "flip"
with = { trait = 1, wits = 0 }
faces = [2]
gives = "heads"
"""
