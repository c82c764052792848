from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kernex_core.base import jit

ROOT = Path(__file__).parents[2]


def test_the_environment_switches_compilation_off(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.delenv(jit.SWITCH, raising=False)
    assert jit.compiled()
    monkeypatch.setenv(jit.SWITCH, "0")
    assert not jit.compiled()


def test_switched_off_functions_stay_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(jit.SWITCH, "0")

    def double(x: int) -> int:
        return 2 * x

    assert jit.jit(double) is double


def test_without_a_place_for_the_cache_functions_are_compiled_anyway(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    numba = pytest.importorskip("numba")
    real = numba.njit

    def njit(*given: object, cache: bool = False, **options: object) -> object:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*given, **options)

    monkeypatch.setattr(numba, "njit", njit)
    jit._say_once.cache_clear()
    with caplog.at_level("WARNING", "kernex"):
        assert jit.jit(lambda x: 2 * x)(3) == 6
        assert jit.jit(lambda x: 3 * x)(3) == 9
    assert caplog.text.count("compiles them anew") == 1


def compiled_half(folder: Path) -> Callable[[float], float]:
    """A function of a file, as in another start of the program: not compiled yet, its cache beside the file."""
    source = folder / "halves.py"
    if not source.exists():
        source.write_text(
            "from kernex_core.base import jit\n\n\n@jit.jit\ndef half(x):\n    return x / 2.0\n"
        )
    spec = importlib.util.spec_from_file_location("halves", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    half: Callable[[float], float] = module.half
    return half


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where compiled loops are kept."""
    numba = pytest.importorskip("numba")
    monkeypatch.delenv(jit.SWITCH, raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    jit._say_once.cache_clear()
    return tmp_path / "cache"


def gone(cache: Path, _: pytest.MonkeyPatch) -> None:
    shutil.rmtree(cache)
    cache.write_text("no folder")


def full(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(name: str, mode: str = "r") -> object:
        if "w" in mode:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return open(name, mode)

    monkeypatch.setattr("numba.core.caching.open", write, raising=False)


@pytest.mark.parametrize("fails", [gone, full])
def test_a_cache_that_fails_while_it_is_used_fails_nobody(
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fails: Callable[[Path, pytest.MonkeyPatch], None],
) -> None:
    half = compiled_half(cache.parent)
    assert half.made  # type: ignore[attr-defined]  # it has found its place on the disk
    fails(cache, monkeypatch)
    with caplog.at_level("WARNING", "kernex"):
        assert half(3.0) == 1.5
        assert half(3) == 1.5  # compiled for whole numbers, too
    assert caplog.text.count("compiles them anew") == 1


def test_a_damaged_cache_is_compiled_again_and_mended(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert compiled_half(cache.parent)(3.0) == 1.5
    kept = [path for path in cache.rglob("*.nb?") if path.is_file()]
    assert len(kept) == 2
    for path in kept:
        good = path.read_bytes()
        for bad in (b"", good[: len(good) // 2], b"\x80\x05no pickle at all"):
            path.write_bytes(bad)
            assert compiled_half(cache.parent)(3.0) == 1.5
            assert path.stat().st_size > 100
    assert not caplog.records


def test_what_the_disk_does_not_have_is_not_compiled_where_that_is_forbidden(cache: Path) -> None:
    half = compiled_half(cache.parent)
    with jit.without_compiling(), pytest.raises(jit.NotCompiledError):
        half(3.0)
    assert half(3.0) == 1.5
    with jit.without_compiling():
        assert compiled_half(cache.parent)(3.0) == 1.5
        with pytest.raises(jit.NotCompiledError):
            half(3)  # whole numbers are compiled anew


CODE = """
import numpy as np
from kernex_core import LocalAlignment, ShortestPath, SmithWaterman, Subsequence, Graph
from kernex_core.base.jit import compiled
from kernex_core.learning.machine import fit_one_vs_rest
graphs = [Graph(3, [(0, 1), (1, 2)]), Graph(3, [(0, 1), (1, 2), (0, 2)])]
print(compiled())
print(Subsequence(2).gram(["cat", "car"])[0, 1], LocalAlignment().gram(["A"])[0, 0])
print(*ShortestPath().gram(graphs).ravel())
print(*fit_one_vs_rest(np.diag([2.0, 1.0, 1.0, 4.0]), [0, 0, 1, 1], 2, C=10.0, tolerance=1e-9).coefficients[1])
"""


def printed(environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture(scope="module")
def by_numba() -> list[str]:
    return printed(os.environ | {jit.SWITCH: "1", "PYTHONPATH": str(ROOT)})


@pytest.mark.slow
@pytest.mark.parametrize("why", ["not installed", "switched off"])
def test_the_same_loops_run_in_plain_python(why: str, tmp_path: Path, by_numba: list[str]) -> None:
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    environment[jit.SWITCH] = "1"
    if why == "not installed":
        (tmp_path / "numba.py").write_text("raise ImportError('there is none')\n")
        (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numba'] = None\n")
    else:
        environment[jit.SWITCH] = "0"
    said = printed(environment)
    plain, compiled = ([float(x) for x in each[1:]] for each in (said, by_numba))
    assert [said[0], by_numba[0]] == ["False", "True"]
    assert plain == pytest.approx(compiled, rel=1e-12)
    assert plain[:2] == pytest.approx([1 / 256, 8.38905609893065])
