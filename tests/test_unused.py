"""What the app and the core define is used there, not by tests alone, or `kernex_core` names it (which counts as use)."""

import ast

import pytest

import kernex_core
from pages.server.navigation import ENTRIES
from tests.conftest import REPOSITORY

PRINTED = ".printed"  # numbers of papers: what is measured is compared with them in tests, too
FILES = [
    REPOSITORY / "app.py",
    *(
        path
        for folder in ("kernex", "kernex_core", "pages")
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
    ),
]


@pytest.fixture(scope="module")
def trees():
    """Syntax of every module by its dotted name; read when a test asks, and given up after the last one."""
    return {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in FILES
    }


def defined(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))


def used(trees):
    """(module, name) of what is imported from a module, or read in it outside its own definition."""
    for module, tree in trees.items():
        nodes = list(ast.walk(tree))
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        yield from ((node.module, each.name) for node in imports for each in node.names)
        modules = {
            each.asname or each.name: f"{node.module}.{each.name}" for node in imports for each in node.names
        }
        # module.name, and (this if so else that).name
        yield from (
            (modules[each.id], node.attr)
            for node in nodes
            if isinstance(node, ast.Attribute)
            for each in ast.walk(node.value)
            if isinstance(each, ast.Name) and each.id in modules
        )
        # by name: importlib.import_module("kernex_core.learning.machine").warm_up()
        yield from (
            (str(node.value.args[0].value), node.attr)
            for node in nodes
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Call)
            and node.value.args
            and isinstance(node.value.args[0], ast.Constant)
        )
        for part in tree.body:
            own = getattr(part, "name", None)
            names = (n.id for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
            yield from ((module, name) for name in names if name != own)


def test_nothing_is_there_for_tests_alone(trees):
    found = set(used(trees))
    idle = {
        f"{module}.{name}"
        for module, tree in trees.items()
        for name in defined(tree)
        if (module, name) not in found and not name.startswith("_") and not module.endswith(PRINTED)
        if not (
            module.startswith("pages.learn.") and name in ("show", "SETTINGS", "TEACHING")
        )  # by the lesson's key
    }
    # Streamlit runs app.app, the navigation a page
    by_name = {
        "app.app",
        "kernex_core.__init__.NotConvergedError",
        *(f"{entry.module}.run" for entry in ENTRIES),
    }
    assert idle - by_name == set()


CALLED_BY_OTHERS = {
    *("exec_module", "to_dict", "handle_starttag", "handle_endtag", "handle_data", "warning"),
    "error",
    *("parse_string", "parse_nullable_int_array", "parse_nullable_bool_array"),
}
"""By Python's imports, Streamlit, the parsers of HTML and of arguments, whoever calls `kernex_core.compare`, and rdata."""


def test_no_method_is_there_for_tests_alone(trees):
    """By name: a method counts as used where any attribute of its name is read, or `kernex_core` names its class."""
    read = {
        node.attr for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }
    idle = {
        f"{module}.{each.name}.{method.name}"
        for module, tree in trees.items()
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef) and each.name not in kernex_core.__all__
        if not module.startswith("kernex_core.sklearn.")  # scikit-learn calls them
        for method in each.body
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
        if method.name not in read | CALLED_BY_OTHERS
    }
    assert idle == set()


def test_every_error_is_raised(trees):
    raised = {
        getattr(node.exc.func, "id", "")
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    }
    defined_here = {name for name in defined(trees["kernex_core.base.errors"]) if name.endswith("Error")}
    assert len(defined_here) > 2
    assert defined_here - {"KernexError"} <= raised


def test_a_former_error_can_still_be_caught():
    from kernex_core import KernexError, NotConvergedError

    assert NotConvergedError is KernexError
