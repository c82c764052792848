"""Former names of modules: a script that was downloaded before they moved still imports them.

Only the names that are spelt out here are answered, each by the module that holds what the former one held.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

STUDIES: Final = {
    "assembly": "data.assembly",
    "bring": "data.bring",
    "class_evidence": "sequences.evidence",
    "completion_config": "completion.config",
    "diagonal_calculus": "diagonals.calculus",
    "diagonal_folds": "diagonals.judging",
    "diagonal_losses": "diagonals.losses",
    "diagonal_origins": "diagonals.origins",
    "completion.choice": "completion.lam_choice",
    "completion.sweep": "completion.share_sweep",
    "diagonal_sweep": "diagonals.strength_sweep",
    "diagonals.choice": "diagonals.strength_choice",
    "diagonals.scheme": "diagonals.shrink",
    "diagonals.sweep": "diagonals.strength_sweep",
    "extrapolation_tables": "papers.extrapolation.tables",
    "memorising_toy": "papers.orthogonal.toy",
    "networks.sweep": "networks.kernel_sweep",
    "neighbours": "sequences.neighbours",
    "new_items": "sequences.new_items",
    "orthogonal_classes": "papers.orthogonal.classes",
    "orthogonal_colon": "papers.orthogonal.colon",
    "orthogonal_families": "papers.orthogonal.families",
    "orthogonal_family_files": "papers.orthogonal.family_files",
    "orthogonal_hidden": "papers.orthogonal.hidden",
    "orthogonal_lymphoma": "papers.orthogonal.lymphoma",
    "orthogonal_origin": "papers.orthogonal.origin",
    "orthogonal_patterns": "papers.orthogonal.strings",
    "orthogonal_sparse": "papers.orthogonal.sparse",
    "orthogonal_sparse_lines": "papers.orthogonal.sparse_lines",
    "orthogonal_tables": "papers.orthogonal.power_table",
    "orthogonal_thrombin": "papers.orthogonal.thrombin",
    "papers.extrapolation.comparison": "papers.extrapolation.table_comparison",
    "papers.orthogonal.comparison": "papers.orthogonal.loss_comparison",
    "published": "papers.orthogonal.printed",
    "sequence_class": "sequences.classifier",
    "string_kernel_grid": "sequences.grid",
    "string_kernel_table": "sequences.table",
    "sweep": "completion.share_sweep",
}
"""Modules of `kernex_core.studies` by their name before each wing had a folder, and in it one that no other module has."""

INPUTS: Final = {
    "align": "items.align",
    "alphabet": "sequences.alphabet",
    "chosen": "chosen_items",
    "class_column": "tables.class_column",
    "class_notes": "findings.class_notes",
    "columns": "tables.columns",
    "dialect": "tables.dialect",
    "distance": "similarities.distance",
    "fasta_records": "sequences.fasta_records",
    "finish": "similarities.finish",
    "header": "sequences.header",
    "health": "findings.health",
    "hit_columns": "similarities.hit_columns",
    "item_table": "items.item_table",
    "join": "items.join",
    "kernel_notes": "findings.kernel_notes",
    "label_values": "tables.label_values",
    "labels": "formats.labels",
    "layout": "tables.layout",
    "left_out": "items.left_out",
    "networks.neighbours": "networks.neighbour_network",
    "pairs": "similarities.pairs",
    "selection": "items.selection",
    "table": "tables.table",
    "telltale": "findings.telltale",
    "telltale_notes": "findings.telltale_notes",
    "vector_notes": "findings.vector_notes",
    "workbook": "tables.workbook",
}
"""Modules of `kernex_core.inputs` by their name before each subject had a folder, and in it one that no other module has."""

OTHERS: Final = {
    "datasets.digits": "datasets.handwritten",
    "datasets.seeds": "seeds",
    "extrapolation.completion": "extrapolation.extrapolate",
    "gram.components": "gram.spectrum.components",
    "gram.decomposition": "gram.spectrum.decomposition",
    "gram.eigenvector": "gram.spectrum.eigenvector",
    "gram.tridiagonal": "gram.spectrum.tridiagonal",
    "joint.completion": "joint.complete",
    "kernels.sequences.explanation": "kernels.explanation",
    "kernels.networks.neighbours": "kernels.networks.common_neighbours",
    "learning.assembly": "learning.fold_results",
    "learning.chance.choice": "learning.chance.nested_choice",
    "learning.neighbors": "learning.learners.nearest",
}
"""Single modules of `kernex_core` whose name stood for two things or for what it did not hold, or that have a folder now."""

FETCHED: Final = ("colon", "download", "expression", "fetch", "lymphoma", "promoters", "scope40")
"""Modules of `kernex_core.datasets` that have a folder of their own now, `fetched`."""

SOLVERS: Final = ("libsvm", "small_costs", "smo")
"""The same of `kernex_core.learning`: `solvers`."""

JUDGING: Final = {
    "diagonal_components": "protocol",
    "diagonal_margin": "machine",
    "diagonals.classifiers": "protocol",
    "diagonals.margin": "machine",
}
"""What was in `kernex_core.studies` and every study uses: modules of `kernex_core.learning`."""

FORMER: Final = {f"kernex_core.{old}": f"kernex_core.{new}" for old, new in OTHERS.items()} | {
    f"kernex_core.{room}.{old}": f"kernex_core.{place}.{new}"
    for room, place, moved in (
        ("studies", "studies", STUDIES),
        ("inputs", "inputs", INPUTS),
        ("studies", "learning", JUDGING),
        ("datasets", "datasets", {name: f"fetched.{name}" for name in FETCHED}),
        ("learning", "learning", {name: f"solvers.{name}" for name in SOLVERS}),
    )
    for old, new in moved.items()
}


class FormerNames(MetaPathFinder, Loader):
    """Imports the present module under its former name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a former name, None for all others."""
        return ModuleSpec(fullname, self) if fullname in FORMER else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the present module in the place of the one that was made for the former name."""
        sys.modules[module.__name__] = importlib.import_module(FORMER[module.__name__])


def answer_former_names() -> None:
    """Let imports by a former name succeed; twice is as good as once."""
    if not any(isinstance(finder, FormerNames) for finder in sys.meta_path):
        sys.meta_path.append(FormerNames())
