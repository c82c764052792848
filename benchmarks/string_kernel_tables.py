"""Tables of docs/string_kernels.md: every string kernel on promoters and on TIM barrels.

    python -m benchmarks.string_kernel_tables promoters PATH_TO/promoters.data > promoters.csv
    python -m benchmarks.string_kernel_tables grouped PATH_TO/promoters.data > promoters_grouped.csv
    python -m benchmarks.string_kernel_tables tim PATH_TO/scop_tim_barrel residues > residues.csv
    python -m benchmarks.string_kernel_tables tim PATH_TO/scop_tim_barrel 3di > 3di.csv

"grouped" keeps sequences that share 12 letters in a row in one fold: most of the promoters' counterexamples overlap.
TIM barrels: superfamilies of at least 10 domains (296 domains, 9 classes). The data are read, never copied.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import threadpoolctl

from kernex_core.datasets.fetched.sequences import read_promoters
from kernex_core.inputs.formats.labels import read_labels
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix, read_substitution_matrix
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.sequences.table import StringTableConfig, string_table

LEAST_MEMBERS = 10
FOLDS, REPEATS = 10, 10
"""Of the promoters."""
SMALL = {"FOLDS": 2, "REPEATS": 1}
"""What a test sets them to."""
Task = tuple[StringTableConfig, Sequences, Labels, CrossValidation, "SubstitutionMatrix | None"]


def promoters(path: Path, grouped: bool) -> Task:
    data = read_promoters(path.read_bytes())
    assert data.labels is not None
    strings = data.samples["DNA"]
    assert isinstance(strings, Sequences)
    labels, validation = data.labels, CrossValidation(folds=FOLDS, repeats=REPEATS, C=10.0)
    if grouped:
        validation = replace(validation, grouped=True)
    return StringTableConfig(), strings, labels, validation, None


def tim_barrels(folder: Path, letters: str) -> Task:
    labels = read_labels((folder / "c1_labels.tsv").read_bytes(), "c1_labels.tsv")
    name = "c1_aa.fasta" if letters == "residues" else "c1_3di.fasta"
    read = read_samples((folder / name).read_bytes(), name)
    assert isinstance(read, Sequences)
    kept = {label for label, size in labels.classes if size >= LEAST_MEMBERS}
    label_of = dict(zip(labels.ids, labels.y, strict=True))
    chosen = [(i, s) for i, s in zip(read.ids, read.strings, strict=True) if label_of.get(i) in kept]
    ids = tuple(i for i, _ in chosen)
    strings = Sequences(ids, tuple(s for _, s in chosen), "protein" if letters == "residues" else "structure")
    y = Labels(ids, np.array([str(label_of[i]) for i in ids]))
    validation = CrossValidation(folds=2, repeats=5, C=10.0)
    if letters == "residues":
        return StringTableConfig(), strings, y, validation, None
    matrix = "foldseek_3di_sub_score.mat"
    return (
        StringTableConfig(gap_open=10), strings, y, validation,
        read_substitution_matrix((folder / matrix).read_bytes(), matrix),
    )  # fmt: skip


def main() -> None:
    which, path = sys.argv[1], Path(sys.argv[2])
    threadpoolctl.threadpool_limits(1)
    task = promoters(path, which == "grouped") if which != "tim" else tim_barrels(path, sys.argv[3])
    said, state = "", None
    for state in string_table(*task):
        if state.now.split(":")[0] != said:
            said = state.now.split(":")[0]
            print(f"{state.done}/{state.total} {state.seconds:.0f} s {said}", file=sys.stderr)
    assert state is not None
    rows = state.table()
    writer = csv.DictWriter(sys.stdout, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    for name, reason in state.refused.items():
        print(f"refused: {name}: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
