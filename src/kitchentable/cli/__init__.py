"""The terminal door: `kitchentable`, with help that teaches by examples."""

from kitchentable.cli.main import main

__all__ = ["main"]
