"""Run tests as on other processors: `make kernels` the core's, `make numeric` those of its arithmetic, with two of them.

OpenBLAS holds the products of matrices once for each kind of processor, and numpy its loops; each rounds in its own order.
Usage: python -m tests.processors [--most N] [--numeric] [NAME ...] -- [what pytest takes]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

from tests.conftest import REPOSITORY

NAMES = ("Prescott", "Haswell", "Zen", "SkylakeX", "Sapphirerapids")
WITH_AVX512 = ("SkylakeX", "Sapphirerapids")
"""Others than these never meet an instruction that they lack."""
CORE = "tests/kernex_core"
NUMERIC = tuple(
    f"{CORE}/{part}"
    for part in ("gram", "conditioning", "completion", "learning/learners", "learning/regression",
                 "learning/mkl", "kernels/networks", "kernels/vectors", "base/test_digits.py")
)  # fmt: skip
"""Where what is computed rests on products and factors of matrices."""
OWN = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")
ASK = """
import json, numpy, scipy.linalg, threadpoolctl
found = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
blas = [each for each in threadpoolctl.threadpool_info() if each["internal_api"] == "openblas"]
print(json.dumps([found, sorted({each["architecture"] for each in blas})]))
"""


def environment(name: str | None, loops: list[str]) -> dict[str, str]:
    """Variables under which numpy and OpenBLAS take the code for a processor; None is this machine's own.

    `loops` are the instructions for which numpy has loops of its own here; what the other processor lacks is switched off.
    Whatever was set before has no say.
    """
    made = {key: value for key, value in os.environ.items() if key not in OWN}
    if name is not None:
        made["OPENBLAS_CORETYPE"] = name
        newest = [each for each in loops if "AVX512" in each or each == "X86_V4"]
        lacking = loops if name == "Prescott" else newest if name not in WITH_AVX512 else []
        if lacking:
            made["NPY_DISABLE_CPU_FEATURES"] = " ".join(lacking)
    return made


def ask(name: str | None, loops: list[str]) -> tuple[list[str], str]:
    """Which loops numpy has, and which code OpenBLAS really takes; the second is "" where the process does not end well."""
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=environment(name, loops), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        return [], ""
    found, taken = json.loads(done.stdout)
    return found, " and ".join(taken)


def choose(
    names: tuple[str, ...], loops: list[str], taken: dict[str, str], own: str, most: int
) -> dict[str, str]:
    """Why each processor is left out, or "" for those that are run: each code once, this machine's own last."""
    avx512 = any("AVX512" in each or each == "X86_V4" for each in loops)
    said: dict[str, str] = {}
    first: dict[str, str] = {}
    for name in names:
        if name in WITH_AVX512 and not avx512:
            said[name] = "this processor has no AVX-512"
        elif not taken[name]:
            said[name] = "numpy does not start with it here"
        elif taken[name] in first:
            said[name] = f"this OpenBLAS takes the same code ({taken[name]}) as for {first[taken[name]]}"
        else:
            first[taken[name]], said[name] = name, ""
    run = sorted(first.values(), key=lambda name: taken[name] == own)
    return {**said, **dict.fromkeys(run[most:], f"{most} are enough")}


def main(given: list[str]) -> int:
    at = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(prog="python -m tests.processors")
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--most", type=int, default=len(NAMES))
    parser.add_argument("--numeric", action="store_true")
    args = parser.parse_args(given[:at])
    loops, own = ask(None, [])
    if not own:
        print("numpy rests on no OpenBLAS here: there is no other code to take.")
        return 0
    names = tuple(args.names)
    taken = {name: "" if name in WITH_AVX512 and "X86_V4" not in loops and not any("AVX512" in each for each in loops)
             else ask(name, loops)[1] for name in names}  # fmt: skip
    ended = choose(names, loops, taken, own, args.most)
    print(f"This machine's own code: {own}. numpy's loops: {' '.join(loops) or 'the baseline'}.", flush=True)
    for name in [name for name in names if not ended[name]]:
        print(f"\n{name}: OpenBLAS takes its code for {taken[name]}.", flush=True)
        part = NUMERIC if args.numeric else (CORE,)
        code = subprocess.run(
            [sys.executable, "-m", "pytest", "-m", "not slow and not science", *given[at + 1 :], *part],
            cwd=REPOSITORY, env=environment(name, loops), check=False,
        ).returncode  # fmt: skip
        ended[name] = "green" if code == 0 else "RED"
    print()
    for name in names:
        print(f"{name:<16}{ended[name]}")
    return int("RED" in ended.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
