"""What the GM has said of something on a sheet that is the GM's to allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Entity
from kitchentable.rules.kit import Being

ACCEPTED, REFUSED, PROPOSED = "accepted", "refused", "proposed"


def verdict(entity: Entity, key: str) -> str:
    """The GM's word: accepted, refused, or proposed while there is none."""
    said: Any = entity.state.get("granted") or {}
    found = said.get(key) if isinstance(said, Mapping) else None
    return str(found.get("verdict") or PROPOSED) if isinstance(found, Mapping) else PROPOSED


def word_of(entity: Entity, key: str) -> str:
    """What the GM said beside it; "" for nothing."""
    said: Any = entity.state.get("granted") or {}
    found = said.get(key) if isinstance(said, Mapping) else None
    return str(found.get("word") or "") if isinstance(found, Mapping) else ""


def judge(one: Being, key: str, said: str, word: str = "") -> None:
    """The GM has said something of it."""
    one.write("state", "granted", key, now={"verdict": said, "word": word})


def speciality_key(skill: str, name: str) -> str:
    """Under which key the GM's word on a specialty is kept."""
    return f"speciality:{skill}/{name}"
