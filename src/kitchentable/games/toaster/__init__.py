"""Toaster, a universal role-playing game by Patrick Riley, as it is played at this table."""
