"""The dice notation of other programs: parsers for each, and their meaning here.

:mod:`~kitchentable.dice.notation.dialects.reading` is the entry point; ``docs/dialects.md`` the
manual.
"""
