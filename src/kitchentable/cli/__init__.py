"""The command line, `kitchentable`, with examples in its help."""

from kitchentable.cli.main import main

__all__ = ["main"]
