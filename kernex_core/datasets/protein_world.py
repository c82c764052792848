"""A simulated world of proteins: sequence and structure strings that evolved together, scored by real alignment.

An ancestral protein evolves down a tree into superfamilies and families; its structure string evolves more slowly
than its residues. All pairs are aligned by Smith-Waterman, residues with BLOSUM62 (gaps 11/1) and structure strings
with scores derived from their own substitution model (gaps 10/1). The generator was tuned, together with C = 1.5, to
the accuracies that Vishwanathan et al. published for 206 real proteins in 9 superfamilies of the TIM barrel
("Kernel extrapolation", Neurocomputing 2006, Tables 1 and 2); families are closer to each other than real ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.datasets.evolution import Member, simulate_members
from kernex_core.datasets.substitution_model import STRUCTURE_LETTERS, structure_scores
from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.defaults import Defaults
from kernex_core.inputs.samples import Labels, Note, Sequences
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.seeds import check_seed
from kernex_core.validation import check_item_count

SUPERFAMILY_SIZES = (58, 38, 30, 22, 16, 13, 11, 10, 8)
"""Proteins in each superfamily: 206 altogether."""
DEFAULTS = Defaults(C=1.5)
"""Settings that the generator was tuned with; cosine normalisation and a clip of the known block go with them."""

_DESCRIPTION = (
    "Simulated: an ancestral protein evolves down a tree into {families} superfamilies, {n} proteins, with a structure "
    "string that changes more slowly; both strings are scored by Smith-Waterman. The generator and C = 1.5 were "
    "tuned together to the accuracies published for 206 real TIM barrels; families are closer than real ones."
)


def protein_world(seed: int = 0, superfamily_sizes: Sequence[int] = SUPERFAMILY_SIZES) -> DataSet:
    """Simulate proteins with sequence and structure similarities, sorted by superfamily and family.

    Parameters
    ----------
    seed : int
        At least 0; the same seed gives the same strings.
    superfamily_sizes : sequence of int
        Proteins in each superfamily, each at least 1.

    Returns
    -------
    DataSet
        Samples "residues" and "structure string"; kernels "sequence" and "structure" (raw Smith-Waterman scores);
        labels by superfamily, grouped by family.

    Raises
    ------
    InvalidInputError
        A bad seed, or a size that is no whole number of at least 1.
    TooLargeError
        More proteins than the limit.
    """
    sizes = _checked_sizes(superfamily_sizes)
    rng = np.random.default_rng(check_seed(seed))
    members = tuple(simulate_members(sizes, rng=rng))
    ids = tuple(f"SF{m.superfamily}.{m.family:02d}.{m.number:02d}" for m in members)
    residues = Sequences(ids, tuple(m.protein.sequence for m in members), "protein")
    structure = Sequences(
        ids, tuple(m.protein.structure for m in members), "structure", notes=(_OWN_ALPHABET,)
    )
    return DataSet(
        name="Protein world",
        ids=ids,
        labels=_labels(ids, members),
        samples={"residues": residues, "structure string": structure},
        kernels={"sequence": sequence_similarity(residues), "structure": structure_similarity(structure)},
        description=_DESCRIPTION.format(families=len(sizes), n=len(ids)),
        simulated=True,
        source="sequence",
        target="structure",
        defaults=DEFAULTS,
    )


def sequence_similarity(residues: Sequences) -> GramMatrix:
    """Smith-Waterman scores of residue strings: BLOSUM62, gaps 11/1."""
    return SmithWaterman(gap_open=11, gap_extend=1, matrix="BLOSUM62").similarities(residues, name="sequence")


def structure_similarity(structure: Sequences) -> GramMatrix:
    """Smith-Waterman scores of structure strings: `structure_matrix`, gaps 10/1."""
    kernel = SmithWaterman(gap_open=10, gap_extend=1, matrix=structure_matrix())
    return kernel.similarities(structure, name="structure")


def structure_matrix() -> SubstitutionMatrix:
    """Substitution matrix of the 20 structure letters of the simulated world."""
    return SubstitutionMatrix(
        STRUCTURE_LETTERS, structure_scores().tolist(), "the simulated structure matrix"
    )


_OWN_ALPHABET = Note(
    "The structure strings are written in an alphabet of their own: 6 strand, 6 helix and 8 loop letters.",
    "Their similarities were scored with the matrix that belongs to it, not with Foldseek's 3DI.",
    severity="fine",
)


def _labels(ids: tuple[str, ...], members: Sequence[Member]) -> Labels:
    superfamily = np.array([f"SF{m.superfamily}" for m in members])
    family = np.array([f"SF{m.superfamily}.{m.family:02d}" for m in members])
    return Labels(ids, superfamily, family)


def _checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise InvalidInputError("A superfamily has a whole number of proteins, at least 1", repr(size))
    if not sizes:
        raise InvalidInputError("There has to be at least one superfamily", "none")
    check_item_count(int(sum(sizes)))
    return tuple(int(size) for size in sizes)
