"""Analysis of a function's bytecode: comparisons by identity and caught exceptions."""

import dis
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

#: How an operand is loaded, its name or value, and the operand that has it as an attribute.
Operand = tuple[str, Any, Any]

MISSING: Any = object()
UNKNOWN: Operand = ("unknown", None, None)

#: Names of functions that read more of a number than its operators do.
NOTED = frozenset(
    {
        *("type", "callable", "id", "eval", "exec", "compile", "vars", "locals"),
        *("getsizeof", "get_referents", "is_", "is_not"),
    }
)
_IS = dis.opmap["IS_OP"]
# In a condition, `is None` and the jump are one instruction.
_IS_NONE = frozenset(code for name, code in dis.opmap.items() if name.endswith("_NONE"))
_CAUGHT = dis.opmap["PUSH_EXC_INFO"]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about one code object.

    - `identities`: line and both operands of every `is` and `is not`;
    - `handlers`: the classes in every `except`;
    - `catches_all`: whether there is an `except` without a class, a `finally` or a `with`;
    - `stored`: names of local variables that are assigned;
    - `uses`: line and operand of every name in `NOTED`.
    """

    identities: tuple[tuple[int, Operand, Operand], ...]
    handlers: tuple[Operand, ...]
    catches_all: bool
    uses: tuple[tuple[int, Operand], ...]
    stored: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def facts_of(code: CodeType) -> Facts:
    """The facts about one code object, without the code objects nested in it.

    >>> facts_of((lambda a, b: a is b).__code__).identities
    ((1, ('local', 'a', None), ('local', 'b', None)),)
    """
    operations = code.co_code[::2]
    telling = {_IS, _CAUGHT, *_IS_NONE}
    if telling.isdisjoint(operations) and NOTED.isdisjoint(code.co_names):
        return Facts((), (), catches_all=False, uses=())
    steps = list(dis.get_instructions(code))
    identities: list[tuple[int, Operand, Operand]] = []
    handlers: list[Operand] = []
    uses: list[tuple[int, Operand]] = []
    begun = named = 0
    for at, step in enumerate(steps):
        line = (step.positions.lineno if step.positions else None) or code.co_firstlineno
        if step.opcode == _IS:
            right, start = _operand(steps, at - 1)
            left, _ = _operand(steps, start - 1)
            identities.append((line, left, right))
        elif step.opcode in _IS_NONE:
            identities.append((line, _operand(steps, at - 1)[0], ("constant", None, None)))
        elif step.opcode == _CAUGHT:
            begun += 1
            named += _names_a_class(steps, at)
        elif step.opname == "CHECK_EXC_MATCH":
            handlers.append(_operand(steps, at - 1)[0])
        elif isinstance(step.argval, str) and step.argval in NOTED:
            uses.append((line, _operand(steps, at)[0]))
    stored = frozenset(str(step.argval) for step in steps if step.opname == "STORE_FAST")
    return Facts(tuple(identities), tuple(handlers), begun > named, tuple(uses), stored)


@lru_cache(maxsize=4096)
def find_tail_calls(code: CodeType) -> frozenset[int]:
    """The offsets of calls with results that the code returns unchanged.

    >>> len(find_tail_calls((lambda roll, dice, x: roll(dice) if x else roll(x) + 1).__code__))
    1
    """
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    at = {step.offset: place for place, step in enumerate(steps)}

    def returns(place: int) -> bool:
        while steps[place].opname in {"JUMP_FORWARD", "NOP"}:
            jumps = steps[place].opname == "JUMP_FORWARD"
            place = at[steps[place].argval] if jumps else place + 1
        return steps[place].opname == "RETURN_VALUE"

    return frozenset(
        step.offset
        for place, step in enumerate(steps)
        if step.opname.startswith("CALL") and returns(place + 1)
    )


def _names_a_class(steps: Sequence[dis.Instruction], at: int) -> bool:
    """Whether the exception handler at this place first tests for a class."""
    for step in steps[at + 1 : at + 20]:
        if step.opname == "CHECK_EXC_MATCH":
            return True
        if not step.opname.startswith(("LOAD_", "BUILD_TUPLE")):
            return False
    return False


_SIMPLE = {
    "LOAD_CONST": "constant",
    "LOAD_GLOBAL": "global",
    "LOAD_NAME": "global",
    "LOAD_DEREF": "closure",
    "LOAD_CLASSDEREF": "closure",
    "LOAD_FAST": "local",
}


def _operand(steps: Sequence[dis.Instruction], last: int) -> tuple[Operand, int]:
    """The operand that ends with this instruction, and the place of its first instruction."""
    if last < 0:
        return UNKNOWN, last
    step = steps[last]
    name = step.opname
    if name in _SIMPLE:
        return (_SIMPLE[name], step.argval, None), last
    if name in {"LOAD_ATTR", "LOAD_METHOD"}:
        inner, start = _operand(steps, last - 1)
        return ("attribute", step.argval, inner), start
    if name == "BUILD_TUPLE":
        parts = []
        start = last
        for _ in range(step.argval):
            part, start = _operand(steps, start - 1)
            parts.append(part)
        return ("tuple", tuple(parts), None), start
    start = _beginning(steps, last)
    if name == "CALL" and start < last:
        called, _ = _operand(steps, start)
        return ("call", None, called), start
    return UNKNOWN, start


def _beginning(steps: Sequence[dis.Instruction], last: int) -> int:
    """The place of the first instruction of an expression that ends here, or -1 if unknown.

    Expressions with jumps are unknown.
    """
    height = 0
    for at in range(last, -1, -1):
        step = steps[at]
        if step.is_jump_target or step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
            break
        height += dis.stack_effect(step.opcode, step.arg, jump=False)
        if height >= 1:
            return at
    return -1
