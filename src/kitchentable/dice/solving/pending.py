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
    """What `target` will give, plus `extra`, a number or a covered number.

    `pending_asked` is the token as it was handed out, before anything was added.
    """

    # No outcome has attributes of these names, which would be taken for its own.
    __slots__ = ("pending_asked", "pending_extra", "pending_root", "pending_target")

    def __init__(
        self,
        target: "Walk",
        root: "Walk",
        extra: "int | Covered" = 0,
        asked: "Pending | None" = None,
    ) -> None:
        self.pending_target = target
        self.pending_root = root
        self.pending_extra = extra
        self.pending_asked = self if asked is None else asked

    def need(self) -> NoReturn:
        """Give up on the equation: somebody wants to know the value."""
        raise NeedsGuess(self.pending_root)

    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        return self.need()

    def __add__(self, other: Any) -> "Pending":
        if type(other) is int or type(other) is Covered:
            return Pending(
                self.pending_target,
                self.pending_root,
                self.pending_extra + other,
                self.pending_asked,
            )
        return self.need()

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Pending":
        if type(other) is int or type(other) is Covered:
            return Pending(
                self.pending_target,
                self.pending_root,
                self.pending_extra - other,
                self.pending_asked,
            )
        return self.need()

    def __getattr__(self, name: str) -> NoReturn:
        self.need()


def _needing() -> Callable[..., NoReturn]:
    def method(self: Pending, *_: Any) -> NoReturn:
        self.need()

    return method


# Whatever else can be done with a value needs to know it.
_NEEDING = (
    *("hash", "eq", "ne", "lt", "le", "gt", "ge", "bool", "int", "index", "float", "complex"),
    *("str", "repr", "format", "len", "iter", "contains", "getitem", "call", "reversed"),
    *("abs", "neg", "pos", "invert", "round", "trunc", "floor", "ceil", "rsub", "mul", "rmul"),
    *("truediv", "rtruediv", "floordiv", "rfloordiv", "mod", "rmod", "divmod", "rdivmod"),
    *("pow", "rpow", "and", "rand", "or", "ror", "xor", "rxor"),
    *("lshift", "rlshift", "rshift", "rrshift", "matmul", "rmatmul", "next", "bytes"),
    *("copy", "deepcopy", "reduce_ex", "sizeof", "dir", "setitem", "delitem", "enter"),
)
for _name in _NEEDING:
    setattr(Pending, f"__{_name}__", _needing())
