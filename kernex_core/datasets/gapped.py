"""The protein world measured in part: of single pairs of proteins, drawn at random, the structure similarity is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from kernex_core.base.parameters import check_seed
from kernex_core.datasets.protein_world import DEFAULTS, HIT_SIZES, protein_world
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet

UNKNOWN: Final = 0.7
"""Share of the pairs that were never measured."""
_DESCRIPTION = (
    "Simulated: {n} proteins in {families} superfamilies. Sequences of all pairs are aligned; of their structures "
    "{share:.0f} % of the pairs were never compared, which ones is chance. The complete structure similarities are kept "
    "beside them."
)


def gapped_matrix(seed: int = 0) -> DataSet:
    """The protein world with single pairs of its structure similarities unknown: 120 proteins, 70 % of the pairs.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Kernels "sequence" (complete), "structure in part" (unknown pairs are NaN) and "structure" (the truth).

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    world = protein_world(check_seed(seed), HIT_SIZES)
    # a stream of its own: the strings stay those of the world with this seed
    rng = np.random.default_rng([seed, 2])
    gone = np.triu(rng.random((world.n, world.n)) < UNKNOWN, 1)
    whole = world.kernels["structure"]
    measured = GramMatrix(
        np.where(gone | gone.T, np.nan, whole.values), world.ids, "structure in part", seen=whole.base.seen
    )
    share = 100.0 * measured.unknown.between / (world.n * (world.n - 1) / 2)
    return replace(
        world,
        name="A gapped matrix",
        kernels={"sequence": world.kernels["sequence"], "structure in part": measured, "structure": whole},
        description=_DESCRIPTION.format(n=world.n, families=len(HIT_SIZES), share=share),
        source="sequence",
        target="structure in part",
        defaults=DEFAULTS,
    )
