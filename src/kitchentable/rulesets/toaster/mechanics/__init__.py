"""Toaster's rolls: pure functions from numbers and dice to hashable outcomes."""
