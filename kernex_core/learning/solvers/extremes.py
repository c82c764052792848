"""Extremes for compiled loops, of several items at a time.

    smallest = lesser(smallest, F[k])       in a loop of a function under `jit_numbers`

Python's own min and max have to say what becomes of NaN, so that a compiler takes one number after the other; these are
the processor's instructions. Of numbers the smallest is the same in whatever order they are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kernex_core.jit import compiled

Extreme = Callable[[float, float], float]


def _instruction(name: str, otherwise: Extreme) -> Extreme:
    """What compiles to an instruction of LLVM of two numbers; where nothing is compiled, Python's own."""
    if not compiled():
        return otherwise
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def emitted(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        number = ir.DoubleType()
        called = ir.FunctionType(number, [number, number])
        return builder.call(builder.module.declare_intrinsic(name, (), called), given)

    def typed(typing: Any, one: Any, other: Any) -> Any:
        return types.float64(types.float64, types.float64), emitted

    made: Any = intrinsic(typed)
    instruction: Extreme = made
    return instruction


lesser: Final = _instruction("llvm.minnum.f64", min)
greater: Final = _instruction("llvm.maxnum.f64", max)
