from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernex_core import jit

ROOT = Path(__file__).parents[2]


def test_the_environment_switches_compilation_off(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.delenv(jit.SWITCH, raising=False)
    assert jit.compiled()
    monkeypatch.setenv(jit.SWITCH, "0")
    assert not jit.compiled()


def test_without_numba_functions_stay_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)

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
        doubled = jit.jit(lambda x: 2 * x)
        jit.jit(lambda x: 3 * x)
    assert doubled(3) == 6
    assert doubled.nopython_signatures
    assert caplog.text.count("compiles them anew") == 1


@pytest.mark.slow
def test_kernels_work_where_numba_cannot_be_imported(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numba'] = None\n")
    code = (
        "from kernex_core.kernels.sequences.subsequence import Subsequence\n"
        "from kernex_core.kernels.sequences.local_alignment import LocalAlignment\n"
        "print(Subsequence(2).gram(['cat', 'car'])[0, 1], LocalAlignment().gram(['A'])[0, 0])"
    )
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    environment.pop(jit.SWITCH, None)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert [float(x) for x in done.stdout.split()] == pytest.approx([1 / 256, 8.38905609893065])
