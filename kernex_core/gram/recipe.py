"""How a value came to be, as an expression: the record that a reproducing script is written from."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import ReadOnlyArrays, digest
from kernex_core.gram.script_heading import script_heading
from kernex_core.gram.seen import SeenArray

_PLACE = re.compile(r"\$(\d+)")


@dataclass(frozen=True)
class Recipe:
    """A Python expression over the values of other recipes.

    Attributes
    ----------
    name : str
        Preferred name of the variable that holds the value.
    expression : str
        Python; `$0`, `$1`, ... stand for the values of `needs`.
    needs : tuple of Recipe
    imports : tuple of str
        Import lines that the expression needs.
    reads, fetches : tuple of str
        Files and public data sets that it reads: a script names them on top.
    """

    name: str
    expression: str
    needs: tuple[Recipe, ...] = ()
    imports: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    fetches: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the whole expression, not of the variable's name."""
        return digest(self.expression, [need.digest for need in self.needs])


@dataclass(frozen=True)
class Expression:
    """A piece of code with the recipes that its places stand for; made by `code_of`."""

    code: str
    needs: tuple[Recipe, ...] = ()
    imports: tuple[str, ...] = ()


def call(
    name: str, function: str, *arguments: object, imports: Iterable[str] = (), **keywords: object
) -> Recipe:
    """Recipe of `function(*arguments, **keywords)`; `function` may itself contain no places.

    Arguments may be recipes, objects with a `recipe`, arrays, numbers, strings, tuples, mappings by name, and dataclass
    instances of Kernex, whose described fields become keywords.
    """
    pieces = [("", code_of(a)) for a in arguments] + [(f"{k}=", code_of(v)) for k, v in keywords.items()]
    code, needs, extra = _join(pieces)
    return Recipe(name, f"{function}({code})", needs, tuple(dict.fromkeys([*imports, *extra])))


def method(name: str, owner: object, method_name: str, *arguments: object, **keywords: Any) -> Recipe:
    """Recipe of `owner.method_name(*arguments, **keywords)`."""
    made = call(name, f".{method_name}", *arguments, **keywords)
    base = code_of(owner)
    shifted = _shift(made.expression, len(base.needs))
    return Recipe(name, base.code + shifted, base.needs + made.needs, base.imports + made.imports)


@dataclass(frozen=True, eq=False)
class Later(ReadOnlyArrays):
    """A call that becomes a recipe only when somebody asks: it may have to spell out whole matrices.

    Attributes
    ----------
    function : str
        What is called; a method where there is an `owner`.
    arguments : tuple
    owner : object, optional
    imports : tuple of str
        Import lines that the call needs.
    """

    function: str
    arguments: tuple[object, ...]
    owner: object = None
    imports: tuple[str, ...] = ()

    def recipe(self, name: str) -> Recipe:
        """Recipe of the call, for a variable of that name."""
        if self.owner is not None:
            return method(name, self.owner, self.function, *self.arguments)
        return call(name, self.function, *self.arguments, imports=self.imports)


def code_of(value: object) -> Expression:
    """Python source of a value.

    Raises
    ------
    TypeError
        If the value has no faithful source.
    """
    recipe = value if isinstance(value, Recipe) else getattr(value, "recipe", None)
    if isinstance(recipe, Recipe):
        return Expression("$0", (recipe,))
    if isinstance(value, SeenArray):
        return _marked(value)
    if isinstance(value, np.ndarray):
        return _array(value)
    if hasattr(value, "tocoo"):
        return _sparse(value)
    if isinstance(value, np.generic):
        return Expression(repr(value.item()))
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return Expression(_literal(value))
    if isinstance(value, tuple | list):
        code, needs, imports = _join([("", code_of(item)) for item in value])
        comma = "," if len(value) == 1 else ""
        return Expression(f"({code}{comma})", needs, imports)
    if isinstance(value, Mapping):
        code, needs, imports = _join([(f"{_literal(str(k))}: ", code_of(item)) for k, item in value.items()])
        return Expression(f"{{{code}}}", needs, imports)
    if hasattr(value, "__dataclass_fields__"):
        return _instance(value)
    raise TypeError(f"no source for a value of type {type(value).__name__}")


def write_script(results: Sequence[Recipe], *, heading: str, prints: Sequence[str] = ()) -> str:
    """Write a script that computes `results`, each distinct recipe once.

    Parameters
    ----------
    results : sequence of Recipe
    heading : str
        Comment on top, one or more lines; how to run the script and what it reads follows of itself.
    prints : sequence of str
        Expressions to print at the end, `$0`, `$1` standing for the results.
    """
    names: dict[str, str] = {}
    lines: list[str] = []
    used: list[Recipe] = []
    for recipe in results:
        _emit(recipe, names, lines, used)
    imports = {line for recipe in used for line in recipe.imports}
    final = [names[recipe.digest] for recipe in results]
    shown = [f"print({_fill(code, final)})" for code in prints]
    reads, fetches = ([file for r in used for file in getattr(r, kind)] for kind in ("reads", "fetches"))
    comment = script_heading(heading, reads, fetches)
    return "\n".join([*comment, *sorted(imports), "", *lines, "", *shown]).rstrip() + "\n"


def _emit(recipe: Recipe, names: dict[str, str], lines: list[str], used: list[Recipe]) -> str:
    key = recipe.digest
    if key not in names:
        needed = [_emit(need, names, lines, used) for need in recipe.needs]
        variable = _variable(recipe.name, set(names.values()))
        lines.append(f"{variable} = {_fill(recipe.expression, needed)}")
        used.append(recipe)
        names[key] = variable
    return names[key]


def _fill(expression: str, variables: Sequence[str]) -> str:
    return _PLACE.sub(lambda match: variables[int(match.group(1))], expression)


def _shift(expression: str, by: int) -> str:
    return _PLACE.sub(lambda match: f"${int(match.group(1)) + by}", expression)


def _variable(wanted: str, taken: set[str]) -> str:
    name = re.sub(r"\W+", "_", wanted.strip().lower(), flags=re.ASCII).strip("_") or "value"
    name = f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name
    candidate, count = name, 2
    while candidate in taken:
        candidate, count = f"{name}_{count}", count + 1
    return candidate


def _join(pieces: Sequence[tuple[str, Expression]]) -> tuple[str, tuple[Recipe, ...], tuple[str, ...]]:
    codes: list[str] = []
    needs: tuple[Recipe, ...] = ()
    imports: tuple[str, ...] = ()
    for prefix, piece in pieces:
        codes.append(prefix + _shift(piece.code, len(needs)))
        needs += piece.needs
        imports += piece.imports
    return ", ".join(codes), needs, imports


def _literal(value: object) -> str:
    # a dollar sign inside a text is not a place
    return repr(value).replace("$", "\\x24")


def _array(value: NDArray[np.generic]) -> Expression:
    if value.dtype.hasobject:
        raise TypeError("arrays of Python objects have no source")
    if value.dtype.kind == "U":  # white space inside a text is part of it
        return Expression(f"np.array({_literal(value.tolist())}, dtype=np.str_)", (), ("import numpy as np",))
    if value.dtype.kind in "iub" or value.dtype == np.float64:
        body = repr(value.tolist())  # twelve times as fast as NumPy's own words
    else:
        body = np.array2string(
            value, separator=", ", threshold=value.size + 1, floatmode="unique", max_line_width=10**9
        )
    body = body.replace("$", "\\x24")
    body = re.sub(r"\b(nan|inf)\b", r"np.\1", body) if value.dtype.kind == "f" else body
    dtype = "" if value.size and value.dtype.kind in "iUb" else f", dtype={value.dtype.name!r}"
    return Expression(f"np.array({' '.join(body.split())}{dtype})", (), ("import numpy as np",))


def _marked(value: SeenArray) -> Expression:
    values, seen = _array(np.asarray(value)), _instance(value.seen)
    imports = (*values.imports, *seen.imports, "from kernex_core.gram.seen import marked")
    return Expression(f"marked({values.code}, {seen.code})", (), imports)


def _sparse(value: Any) -> Expression:
    entries = value.tocoo()
    code, _, imports = _join([("", code_of(part)) for part in (entries.data, *entries.coords)])
    data, places = code.split("), ", 1)
    return Expression(
        f"csr_array(({data}), ({places})), shape={entries.shape!r})",
        (),
        (*dict.fromkeys(imports), "from scipy.sparse import csr_array"),
    )


def _instance(value: Any) -> Expression:
    kind = type(value)
    if not kind.__module__.startswith("kernex_core"):
        raise TypeError(f"no source for a value of type {kind.__name__}")
    pieces = [
        (f"{field.name}=", code_of(getattr(value, field.name)))
        for field in fields(value)
        if field.init and not _is_default(field, getattr(value, field.name))
    ]
    code, needs, imports = _join(pieces)
    return Expression(
        f"{kind.__name__}({code})", needs, (f"from {kind.__module__} import {kind.__name__}", *imports)
    )


def _is_default(field: Field[object], value: object) -> bool:
    return (
        type(value) is type(field.default)
        and not isinstance(value, np.ndarray)
        and bool(value == field.default)
    )
