"""A kernel as studies take it: repaired and normalised, with the steps that did it."""

from __future__ import annotations

from typing import Protocol

from kernex_core.conditioning.catalogue import REPAIRS, repairing
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.pieces import Pieces, finished

REPAIR_CHOICES = (*(repair.method for repair in REPAIRS if not repair.changes_kernels), "none")


class Conditioning(Protocol):
    """What every study's configuration says about a kernel before anything is done with it."""

    @property
    def repair(self) -> str:
        """Name of a repair, or "none"."""

    @property
    def normalize(self) -> bool:
        """Whether to cosine-normalise after it."""


def conditioned(config: Conditioning, K: GramMatrix, *, keeps_digits: bool = False) -> GramMatrix:
    """Repair and normalise a kernel as the configuration says; the same for every kernel of a study.

    A kernel that is known everywhere and positive semidefinite already gets no step of repair (`catalogue.repaired`). Of
    a partly known one the repair also takes away pairs outside the known block. With `keeps_digits` one that is so within
    the digits of its numbers gets none either.
    """
    return finished(conditioning(config, K, keeps_digits=keeps_digits))


def conditioning(config: Conditioning, K: GramMatrix, *, keeps_digits: bool = False) -> Pieces[GramMatrix]:
    """`conditioned` in pieces of a fraction of a second."""
    if config.repair != "none":
        K = yield from repairing(K, config.repair, known_block_only=True, keeps_digits=keeps_digits)
    return K.then(CosineNormalize()) if config.normalize else K
