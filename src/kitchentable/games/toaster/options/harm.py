"""Switches and numbers of harm and healing (chapter 4, from the effects of damage on)."""

from __future__ import annotations

from kitchentable.game import Option

OPTIONS: tuple[Option, ...] = ()
