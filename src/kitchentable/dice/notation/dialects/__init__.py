"""Other programs' dice notation: how each reads an expression, and what it means here.

:mod:`~kitchentable.dice.notation.dialects.reading` is the door; ``docs/dialects.md`` the manual.
"""
