import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY
from tests.processors import NAMES, NUMERIC, ask, choose, environment

LOOPS = ["X86_V3", "X86_V4", "AVX512_ICL"]
SKYLAKE = {"Prescott": "Katmai", "Haswell": "Haswell", "Zen": "Haswell", "SkylakeX": "SkylakeX",
           "Sapphirerapids": "SkylakeX"}  # fmt: skip


def run(*args):
    return [name for name, why in choose(*args).items() if not why]


def test_each_code_is_run_once_and_what_this_machine_takes_itself_is_the_last_to_be_chosen():
    assert run(NAMES, LOOPS, SKYLAKE, "SkylakeX", 5) == ["Prescott", "Haswell", "SkylakeX"]
    assert run(NAMES, LOOPS, SKYLAKE, "SkylakeX", 2) == ["Prescott", "Haswell"]
    assert run(NAMES, LOOPS, SKYLAKE, "Haswell", 2) == ["Prescott", "SkylakeX"]
    assert run(NAMES, LOOPS, {name: name for name in NAMES}, "Zen", 5) == list(NAMES)
    said = choose(NAMES, LOOPS, SKYLAKE, "SkylakeX", 5)
    assert "same code (Haswell) as for Haswell" in said["Zen"]


def test_what_a_processor_lacks_is_never_run():
    said = choose(NAMES, LOOPS[:1], SKYLAKE, "Haswell", 5)
    assert said["SkylakeX"] == said["Sapphirerapids"] == "this processor has no AVX-512"
    assert run(NAMES, LOOPS, {**SKYLAKE, "Prescott": ""}, "SkylakeX", 5) == ["Haswell", "SkylakeX"]


def test_the_environment_that_is_there_has_no_say(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem")
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "X86_V3")
    assert "OPENBLAS_CORETYPE" not in environment(None, LOOPS)
    assert "NPY_DISABLE_CPU_FEATURES" not in environment("SkylakeX", LOOPS)
    assert environment("Haswell", LOOPS)["OPENBLAS_CORETYPE"] == "Haswell"
    assert environment("Haswell", LOOPS)["NPY_DISABLE_CPU_FEATURES"] == "X86_V4 AVX512_ICL"
    assert environment("Prescott", LOOPS)["NPY_DISABLE_CPU_FEATURES"] == "X86_V3 X86_V4 AVX512_ICL"


def test_what_is_asked_for_is_what_is_taken():
    loops, own = ask(None, [])
    if not own or "X86_V3" not in loops:
        pytest.skip("numpy rests on no OpenBLAS for processors with AVX2 here")
    left, taken = ask("Haswell", loops)
    assert taken == "Haswell"
    assert not [each for each in left if "AVX512" in each or each == "X86_V4"]


def test_there_are_tests_where_the_numeric_ones_are_said_to_be():
    assert all((REPOSITORY / part).exists() for part in NUMERIC)
    done = subprocess.run(
        [sys.executable, "-m", "tests.processors", "--help"], cwd=REPOSITORY, capture_output=True, check=False
    )
    assert done.returncode == 0
