"""Several kernels on one scale, weighed and made one."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.many_kernels import ManyConfig, WeighedKernels, combined, normalised_kernel, weigh
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, of_items, setting
from pages.ui import settings as held
from pages.ui.panels import linked
from pages.ui.panels import verdicts as comparisons


@cached(public=True)
def on_one_scale(K: GramMatrix, how: str) -> GramMatrix:
    """A kernel on the scale of that name."""
    return normalised_kernel(K, how)


@cached(newest=16, public=True)
def weighed(
    kernels: tuple[GramMatrix, ...], labels: Labels | None, config: ManyConfig, hand: tuple[float, ...]
) -> WeighedKernels:
    """Weights of kernels on one scale."""
    return weigh(kernels, labels, config, hand)


@cached(newest=8, public=True)
def one_of(
    kernels: tuple[GramMatrix, ...], made: WeighedKernels, config: ManyConfig, name: str
) -> GramMatrix:
    """The combination, with the record of all kernels."""
    return combined(kernels, made, config, name)


@cached(newest=8, public=True)
def eigenvalues(K: FloatArray) -> FloatArray:
    """Eigenvalues from the largest on."""
    return np.asarray(np.linalg.eigvalsh(K)[::-1])


# What can be set on the page Many kernels.

LEARNED: Final = {"C": "mkl_cost", "loss": "mkl_loss", "method": "mkl_solver"}
"""Names of what weights are learned with: its C is not that of classifiers."""
WEIGHTS: Final = "weights"
PROTOCOL: Final = "protocol"
"""In former addresses: folds, repetitions, C, whether it is chosen, seed and copies, in one."""
FIELDS: Final = ("folds", "repeats", "C", "choose_C", "seed", "copies")
TABS: Final = "many.tab"
SETTINGS: Final = declared(
    *in_view(
        of_data("kernels", "Kernels"), *of(ManyConfig, "weigh"), of_data(WEIGHTS, "Weights by hand"),
        of_items("item", "Item"), *linked.SETTINGS, *comparisons.SETTINGS, setting("tab", "Part of the page"),
    ),
    *of(ManyConfig, "kind", "normalize", "nugget"),
    *(setting(name, of(ManyConfig, field)[0].label) for field, name in LEARNED.items()),
    setting(PROTOCOL, "Protocol"), *of(CrossValidation, prefix="cv_"),
)  # fmt: skip


def weights(count: int) -> tuple[float, ...]:
    """Return weights by hand, on the simplex; equal ones where none are set, or nonsense is."""
    try:
        given = [float(part) for part in (held.text_of(WEIGHTS) or "").split(",")[: count + 1]]
    except ValueError:
        given = []
    fit = (
        len(given) == count and all(math.isfinite(w) and 0.0 <= w <= 1.0 for w in given) and sum(given) > 0.0
    )
    if not fit:
        held.say(WEIGHTS, None)
    return tuple(w / sum(given) for w in given) if fit else (1.0 / count,) * count


def set_weights(made: tuple[float, ...]) -> None:
    """Let weights by hand be these."""
    equal = max(made) - min(made) < 1e-9
    held.say(WEIGHTS, None if equal else ",".join(f"{weight:.6g}" for weight in made))


def take_former_protocol() -> None:
    """Read the protocol of a former address, once."""
    parts = (held.text_of(PROTOCOL) or "").split(",")
    held.say(PROTOCOL, None)
    if len(parts) not in (5, 6):
        return
    try:
        folds, repeats, chosen, seed = (int(parts[k]) for k in (0, 1, 3, 4))
        CrossValidation(folds=folds, repeats=repeats, C=float(parts[2]), choose_C=bool(chosen), seed=seed)
    except (ValueError, InvalidInputError):
        return
    parts[3] = "true" if chosen else "false"
    for field, text in zip(FIELDS, parts, strict=False):
        held.say(f"cv_{field}", text)
