"""No test depends on how fast the machine is: what is waited for, and for how long, is said in `tests.patience` alone."""

import ast

import pytest

from tests.conftest import REPOSITORY

MAY_READ_A_CLOCK = {
    "tests/patience.py": "waits",
    "tests/conftest.py": "writes down how long the suite took",
    "tests/mutants/__main__.py": "prints how long each mistake took to be seen",
    "tests/dearest.py": "prints which tests use most processor time",
    "tests/browser/conftest.py": "asks a server that is not there yet again",
    "tests/browser/matrix_colours.py": "looks again at what is still to be drawn",
    "tests/kernex_core/studies/graphs/test_table.py": "is a clock, put in place of the code's own",
    "tests/pages/server/visitors/test_keep.py": "makes a file old",
}
CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time", "time_ns", "perf_counter_ns"}
LIMITS = {"timeout", "default_timeout", "deadline"}
WAIT_AT_MOST = {"join", "result", "wait", "settimeout", "set_default_timeout", "wait_for"}


def number(node):
    """Whether an argument is a number that is written there."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value is not True


def faults(source, clocks=False):
    """Lines that say how long something may take, or look at how long it took."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and number(node.value):
            named = [each.attr for each in node.targets if isinstance(each, ast.Attribute)]
            found += [node.lineno] * bool(LIMITS.intersection(named))
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        limited = any(each.arg in LIMITS and number(each.value) for each in node.keywords)
        limited |= name in WAIT_AT_MOST and any(map(number, node.args))
        whose = node.func.value if isinstance(node.func, ast.Attribute) else None
        clock = name in CLOCKS and isinstance(whose, ast.Name) and whose.id == "time"
        if limited or (clock and not clocks):
            found.append(node.lineno)
    return found


def test_no_test_says_how_long_something_may_take_or_reads_a_clock():
    found = {}
    for path in sorted((REPOSITORY / "tests").rglob("*.py")):
        name = path.relative_to(REPOSITORY).as_posix()
        lines = faults(path.read_text(encoding="utf-8"), clocks=name in MAY_READ_A_CLOCK)
        if lines and path != REPOSITORY / "tests" / "test_patience.py":
            found[name] = lines
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "AppTest.from_file(path, default_timeout=30)",
        "at.run(timeout=60)",
        "at.default_timeout = 600",
        "thread.join(5)",
        "page.set_default_timeout(20_000)",
        "page.wait_for_function(js, timeout=5_000)",
        "assert time.perf_counter() - start < 2.0",
        "while time.monotonic() < end: pass",
        "settings(deadline=200)",
    ],
)
def test_such_lines_are_found(line):
    assert faults(line) == [1]


def test_others_are_not():
    for line in (
        "thread.join(PATIENCE)",
        "'a'.join(names)",
        "page.wait_for_timeout(16)",
        "settings(deadline=None)",
    ):
        assert faults(line) == []
