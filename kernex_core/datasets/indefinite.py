"""Similarities that are no kernel: logarithms of the simulated protein world's alignment scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernex_core.conditioning.power import Log1p
from kernex_core.datasets.protein_world import protein_world
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Note
from kernex_core.validation import psd_tolerance

_DESCRIPTION = (
    "Simulated: log(1 + score) of the alignment scores of the protein world, as people take logarithms of scores that "
    "span orders of magnitude. No longer a kernel: {sequence} of {n} eigenvalues of the sequence similarities are "
    "negative, {structure} of the structure similarities. The raw scores are positive definite, but their diagonal "
    "is large; taking the logarithm tames it."
)
_NOTE = Note(
    "Logarithms of alignment scores are indefinite.",
    "",
    "Clip, flip, shift or square the spectrum, and compare what each does to the accuracy.",
)


def indefinite_similarities(seed: int = 0) -> DataSet:
    """Logarithms of Smith-Waterman scores of 206 simulated proteins, with the raw sequence scores beside them.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Kernels "log sequence" and "log structure" (indefinite) and "sequence" (raw, positive definite).

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    world = protein_world(seed)
    raw = world.kernels["sequence"]
    logs = {
        f"log {name}": GramMatrix(
            Log1p()(np.asarray(world.kernels[name])),
            world.ids,
            f"log {name}",
            seen=world.kernels[name].has_seen(),
        )
        for name in ("sequence", "structure")
    }
    negative = {name: _negative(logs[f"log {name}"]) for name in ("sequence", "structure")}
    return replace(
        world,
        name="An indefinite matrix",
        kernels={**logs, "sequence": raw},
        description=_DESCRIPTION.format(n=world.n, **negative),
        # the target is looked at first: four times the negative mass, and repairs that differ in accuracy
        source="log structure",
        target="log sequence",
        notes=(_NOTE,),
    )


def _negative(K: GramMatrix) -> int:
    """Number of materially negative eigenvalues."""
    eigenvalues = np.linalg.eigvalsh(K.values)
    return int((eigenvalues < -psd_tolerance(K.n, float(np.abs(eigenvalues).max()))).sum())
