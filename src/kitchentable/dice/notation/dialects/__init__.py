"""The dice notation of other programs.

:mod:`~kitchentable.dice.notation.dialects.reading` is the entry point, ``docs/dialects.md`` the
manual.
"""
