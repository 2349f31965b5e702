"""Toaster's rolls, all of them pure: numbers and dice in, hashable outcomes out."""
