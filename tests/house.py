"""Figures of the house: `make house` prints them, tests/test_house.py holds them.

Usage: python -m tests.house [FOLDER], where FOLDER is a checkout of any version; this one by default.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

LARGEST_FOLDER = 20
MOST_PARAMETERS = 8
LONGEST_FILE = 600
"""Cut by idea, not by length: usually 80 to 500 lines; beyond, a file holds several ideas."""
ROOTS = ("kernex", "kernex_core", "pages")
SOURCES = (".py", ".js", ".css")
SHARED = ("ui", "server", "export")
"""Folders of pages that no wing owns."""
OF_SEVERAL = ("partial",)
"""Files in studies/ that belong to no page's study."""


@dataclass(frozen=True)
class Module:
    """One file: its dotted name, tree and lines."""

    name: str
    path: Path
    tree: ast.Module
    lines: int

    @property
    def is_package(self):
        return self.path.name == "__init__.py"

    @property
    def wing(self):
        """Page wing or study that the file belongs to; None where several share it."""
        parts = self.name.split(".")
        if parts[0] == "pages":
            side, parts = parts[0], parts[1:]
        elif parts[:2] == ["kernex_core", "studies"]:
            side, parts = "studies", parts[2:]
        else:
            return None
        file = not self.is_package and len(parts) == 1
        if not parts or parts[0] in SHARED or (file and (side == "pages" or parts[0] in OF_SEVERAL)):
            return None
        if parts[0] == "papers" and len(self.path.parts) < (4 if side == "pages" else 5):
            return None  # what papers share
        return (side, "/".join(parts[:2]) if parts[0] == "papers" else parts[0])


@dataclass(frozen=True)
class House:
    """All modules of a checkout, who imports whom, type checking included, and all files of sources."""

    modules: dict[str, Module]
    imports: dict[str, set[str]]
    sources: tuple[Path, ...]

    def between_wings(self):
        """Imports from one wing of the pages to another."""
        return [
            (a, b)
            for a, b in self._pairs()
            if self._page_wing(a) and self._page_wing(b) and self._page_wing(a) != self._page_wing(b)
        ]

    def shared_to_wings(self):
        """Imports from what is shared to a wing."""
        shared = tuple(f"pages.{each}" for each in SHARED)
        return [(a, b) for a, b in self._pairs() if a.startswith(shared) and self._page_wing(b)]

    def circles(self):
        """Sets of modules that import one another in a circle (strongly connected, Tarjan)."""
        index, low, stack, found = {}, {}, [], []

        def visit(name):
            index[name] = low[name] = len(index)
            stack.append(name)
            for other in self.imports[name]:
                if other not in index:
                    visit(other)
                    low[name] = min(low[name], low[other])
                elif other in stack:
                    low[name] = min(low[name], index[other])
            if low[name] == index[name]:
                place = stack.index(name)
                circle = stack[place:]
                del stack[place:]
                if len(circle) > 1:
                    found.append(sorted(circle))

        for name in self.imports:
            if name not in index:
                visit(name)
        return found

    def folders(self):
        """Files of each folder, scripts and style sheets of the browser included, packages' own files not."""
        return Counter(str(path.parent) for path in self.sources if path.name != "__init__.py")

    def wide_functions(self):
        """Functions of more than eight parameters, outside compiled kernels."""
        return sorted(
            (count, f"{module.name}.{node.name}")
            for module in self.modules.values()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and (count := parameters(node)) > MOST_PARAMETERS
            and not compiled(node)
        )

    def long_files(self):
        """Files of more lines than a reader wants."""
        return sorted((m.lines, str(m.path)) for m in self.modules.values() if m.lines > LONGEST_FILE)

    def uses_of_any(self):
        """How often `Any` stands in an annotation or elsewhere, imports not counted."""
        return Counter(
            root
            for root in ROOTS
            for module in self.modules.values()
            if module.name.split(".")[0] == root
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Name) and node.id == "Any"
        )

    def wings(self):
        """Files and lines of each wing, pages and studies apart."""
        made = defaultdict(lambda: [0, 0])
        for module in self.modules.values():
            if module.wing and module.lines:
                made[module.wing][0] += 1
                made[module.wing][1] += module.lines
        return dict(made)

    def _pairs(self):
        return [(a, b) for a, others in self.imports.items() for b in others]

    def _page_wing(self, name):
        wing = self.modules[name].wing
        return wing if wing and wing[0] == "pages" else None


def parameters(node):
    """How many parameters a function has, `self` not counted."""
    given = node.args
    names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def compiled(node):
    """Whether a function is compiled: there, values cannot travel as objects."""
    names = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    return any(getattr(d, "id", getattr(d, "attr", "")) in ("jit", "njit") for d in names)


def read(root):
    """Read a checkout."""
    modules = {}
    for path in sorted(p for top in ROOTS for p in (root / top).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, path.relative_to(root), ast.parse(text), len(text.splitlines()))
    imports = {name: _imported(module, modules) for name, module in modules.items()}
    files = (path for top in ROOTS for path in (root / top).rglob("*") if path.suffix in SOURCES)
    return House(modules, imports, tuple(sorted(path.relative_to(root) for path in files)))


def _imported(module, modules):
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and str(node.value).startswith("pages."):
            found.add(node.value)  # by name, for importlib
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                f"{node.module}.{alias.name}" if f"{node.module}.{alias.name}" in modules else node.module
                for alias in node.names
            }
    return (found & set(modules)) - {module.name}


def seconds_of_the_suite(root):
    """Seconds that the last whole run took, as tests/conftest.py wrote them down; None where there was none."""
    file = root / ".pytest_cache" / "v" / "kernex" / "seconds"
    return float(file.read_text()) if file.exists() else None


def report(root):
    """Lines of the report."""
    house = read(root)
    wings, folders = house.wings(), house.folders()
    yield f"{'wing':<28}{'files':>6}{'lines':>8}"
    for (side, name), (files, lines) in sorted(wings.items()):
        yield f"{side + '/' + name:<28}{files:>6}{lines:>8}"
    pages = sum(m.lines for m in house.modules.values() if m.name.startswith("pages"))
    shared = sum(
        m.lines
        for m in house.modules.values()
        if m.name.startswith(tuple(f"pages.{each}" for each in SHARED))
    )
    yield f"pages/ui, server and export hold {shared:,} of {pages:,} lines of pages/ ({shared / pages:.0%})"
    for folder, files in folders.most_common(3):
        yield f"largest flat folders: {files} files in {folder} (at most {LARGEST_FOLDER})"
    yield f"imports between wings: {len(house.between_wings())}"
    yield f"imports from what is shared to a wing: {len(house.shared_to_wings())}"
    yield f"circles, types included: {len(house.circles())}"
    wide = house.wide_functions()
    named = " ".join(f"{name}({count})" for count, name in wide)
    yield f"functions of more than {MOST_PARAMETERS} parameters: {len(wide)} {named}".rstrip()
    yield f"files of more than {LONGEST_FILE} lines: {len(house.long_files())}"
    yield "uses of Any: " + ", ".join(f"{count} in {top}" for top, count in house.uses_of_any().items())
    seconds = seconds_of_the_suite(root)
    yield f"seconds of the suite: {'not run here yet' if seconds is None else f'{seconds:.0f}'}"


if __name__ == "__main__":
    print("\n".join(report(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())))
