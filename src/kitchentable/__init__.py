"""Kitchen Table: a game table for rules-light universal role-playing games."""

__version__ = "0.1.0"
