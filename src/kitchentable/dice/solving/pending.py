"""The result of a mechanic that is still being solved.

A mechanic that calls itself gets a token. Returned unchanged, or with numbers added, it is a term
of the mechanic's own equation, which is solved exactly. Any other use needs to know the value, and
the mechanic is then solved by iteration from nothing (:class:`NeedsGuess`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.solving.covered import Covered

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


class NeedsGuess(KitchenTableError):
    """Control flow: the mechanic of `walk` must be solved by iteration."""

    code = "dice/needs-guess"

    def __init__(self, walk: "Walk") -> None:
        super().__init__(walk.mechanic.name)
        self.walk = walk


class Pending:
    """What `target` will give, plus `extra`, a number or a covered number."""

    __slots__ = ("extra", "root", "target", "walk")

    def __init__(self, walk: "Walk", target: "Walk", root: "Walk", extra: "int | Covered") -> None:
        self.walk = walk
        self.target = target
        self.root = root
        self.extra = extra

    def need(self) -> NoReturn:
        """Give up on the equation: somebody wants to know the value."""
        raise NeedsGuess(self.root)

    @property
    def __class__(self) -> type[Any]:  # type: ignore[override]
        self.need()

    def __add__(self, other: Any) -> "Pending":
        if type(other) is int or type(other) is Covered:
            return Pending(self.walk, self.target, self.root, self.extra + other)
        self.need()

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Pending":
        if type(other) is int or type(other) is Covered:
            return Pending(self.walk, self.target, self.root, self.extra - other)
        self.need()

    def __getattr__(self, name: str) -> NoReturn:
        self.need()

    def __hash__(self) -> NoReturn:
        self.need()

    def __eq__(self, other: object) -> bool:
        self.need()

    def __ne__(self, other: object) -> bool:
        self.need()


def _needing() -> Callable[..., NoReturn]:
    def method(self: Pending, *_: Any) -> NoReturn:
        self.need()

    return method


for _name in (
    "lt le gt ge bool int index float str repr format len iter contains getitem call abs neg pos "
    "invert round trunc floor ceil rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow "
    "rpow divmod rdivmod and rand or ror xor rxor lshift rlshift rshift rrshift"
).split():
    setattr(Pending, f"__{_name}__", _needing())
